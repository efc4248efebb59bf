//! Substitution over the tree of fronts, branch by branch as in the elimination.

use super::chunks::both;
use super::lanes::vectorised;
use super::symbolic::Symbolic;

/// Forward and backward substitution for one right-hand side. Panels are narrow, so that plain loops over columns beat
/// calls of a general matrix product.
pub(super) struct Substitution<'a> {
    pub(super) symbolic: &'a Symbolic,
    pub(super) panels: &'a [f64],
}

/// The part of the vectors that belongs to some neighbouring fronts.
struct Part<'a> {
    /// Unknowns of their pivots.
    x: &'a mut [f64],
    /// On the way down what each front subtracts from the rows below it, on the way up the unknowns of these rows.
    below: &'a mut [f64],
}

impl Substitution<'_> {
    /// Solves in place; `below` is a vector of the rows below all fronts.
    pub(super) fn solve(&self, x: &mut [f64], below: &mut [f64]) {
        let fronts = &self.symbolic.fronts;
        let mut all = Part { x, below };
        for &root in &self.symbolic.roots {
            let (mine, rest) = self.split(fronts[root].branch, root + 1, all);
            all = rest;
            let Part { x, below } = mine;
            self.down(root, Part { x, below });
            self.up(root, Part { x, below });
        }
    }

    /// Divides a part that begins with the front `first` before the front `end`.
    fn split<'p>(&self, first: usize, end: usize, part: Part<'p>) -> (Part<'p>, Part<'p>) {
        let fronts = &self.symbolic.fronts;
        let last = &fronts[end - 1];
        let block = self.symbolic.block();
        let unknowns = (last.first + last.pivots - fronts[first].first) * block;
        let rows = last.below + last.rows.len() * block - fronts[first].below;
        let (x_1, x_2) = part.x.split_at_mut(unknowns);
        let (below_1, below_2) = part.below.split_at_mut(rows);
        let first = Part {
            x: x_1,
            below: below_1,
        };
        let second = Part {
            x: x_2,
            below: below_2,
        };
        (first, second)
    }

    /// From the leaves to the top of a branch.
    fn down(&self, top: usize, part: Part<'_>) {
        let fronts = &self.symbolic.fronts;
        let front = &fronts[top];
        let Part { x, below } = part;
        if !front.forked {
            (front.branch..=top).for_each(|k| self.down_front(k, front.branch, x, below));
            return;
        }
        self.children(top, Part { x, below }, &|child, part| {
            self.down(child, part)
        });
        self.down_front(top, front.branch, x, below);
    }

    /// Visits the branches of the children of a front, on two threads where it forks.
    fn children(&self, top: usize, part: Part<'_>, visit: &(impl Fn(usize, Part<'_>) + Sync)) {
        let front = &self.symbolic.fronts[top];
        let all = |children: &[usize], mut first: usize, mut part: Part<'_>| {
            for &child in children {
                let (mine, rest) = self.split(first, child + 1, part);
                visit(child, mine);
                (part, first) = (rest, child + 1);
            }
        };
        let (first, second) = front.children.split_at(front.fork);
        match first.last() {
            Some(last) => {
                let (a, b) = self.split(front.branch, last + 1, part);
                both(|| all(first, front.branch, a), || all(second, last + 1, b));
            }
            None => all(second, front.branch, part),
        }
    }

    /// One front, in vectors that begin with the front `first`.
    fn down_front(&self, k: usize, first: usize, x: &mut [f64], below: &mut [f64]) {
        let fronts = &self.symbolic.fronts;
        let (front, first) = (&fronts[k], &fronts[first]);
        let block = self.symbolic.block();
        let [columns, rows] = front.shape(block);
        let own = &mut x[(front.first - first.first) * block..][..columns];
        let (before, mine) = below.split_at_mut(front.below - first.below);
        let mine = &mut mine[..rows - columns];
        mine.fill(0.0);
        for &child in &front.children {
            let child = &fronts[child];
            for run in &child.in_parent {
                let [from, at, count] = [run.from, run.to, run.count].map(|x| x as usize * block);
                let values = &before[child.below - first.below + from..][..count];
                if at < columns {
                    own[at..].iter_mut().zip(values).for_each(|(t, v)| *t -= v);
                } else {
                    add(&mut mine[at - columns..], values);
                }
            }
        }
        let panel = &self.panels[front.panel..front.panel + columns * rows];
        vectorised(
            #[inline(always)]
            || forward(panel, columns, rows, own, mine),
        );
    }

    /// From the top of a branch, whose rows below are known, to its leaves.
    fn up(&self, top: usize, part: Part<'_>) {
        let fronts = &self.symbolic.fronts;
        let front = &fronts[top];
        let Part { x, below } = part;
        if !front.forked {
            (front.branch..=top)
                .rev()
                .for_each(|k| self.up_front(k, front.branch, x, below));
            return;
        }
        self.up_front(top, front.branch, x, below);
        self.children(top, Part { x, below }, &|child, part| self.up(child, part));
    }

    /// One front; tells its children the unknowns of their rows below.
    fn up_front(&self, k: usize, first: usize, x: &mut [f64], below: &mut [f64]) {
        let fronts = &self.symbolic.fronts;
        let (front, first) = (&fronts[k], &fronts[first]);
        let block = self.symbolic.block();
        let [columns, rows] = front.shape(block);
        let own = &mut x[(front.first - first.first) * block..][..columns];
        let (before, mine) = below.split_at_mut(front.below - first.below);
        let mine = &mine[..rows - columns];
        let panel = &self.panels[front.panel..front.panel + columns * rows];
        vectorised(
            #[inline(always)]
            || backward(panel, columns, rows, own, mine),
        );
        for &child in &front.children {
            let child = &fronts[child];
            for run in &child.in_parent {
                let [from, at, count] = [run.from, run.to, run.count].map(|x| x as usize * block);
                let told = &mut before[child.below - first.below + from..][..count];
                told.copy_from_slice(if at < columns {
                    &own[at..at + count]
                } else {
                    &mine[at - columns..at - columns + count]
                });
            }
        }
    }
}

/// Columns that substitution takes together, so that what they act upon is read once.
const TOGETHER: usize = 4;

#[inline(always)]
fn forward(panel: &[f64], columns: usize, rows: usize, own: &mut [f64], below: &mut [f64]) {
    let mut first = 0;
    while first < columns {
        let count = TOGETHER.min(columns - first);
        let four = &panel[first * rows..(first + count) * rows];
        for c in 0..count {
            let column = &four[c * rows..(c + 1) * rows];
            let value = own[first + c] / column[first + c];
            own[first + c] = value;
            for d in c + 1..count {
                own[first + d] -= column[first + d] * value;
            }
        }
        let (done, open) = own.split_at_mut(first + count);
        let values = &done[first..];
        if let ([a, b, c, d], Some(split)) = (values, split_four(four, rows)) {
            let [p, q, r, s] = split.map(|column| &column[first + count..columns]);
            for (k, t) in open.iter_mut().enumerate() {
                *t -= (p[k] * a + q[k] * b) + (r[k] * c + s[k] * d);
            }
            let [p, q, r, s] = split.map(|column| &column[columns..][..below.len()]);
            for (k, t) in below.iter_mut().enumerate() {
                *t += (p[k] * a + q[k] * b) + (r[k] * c + s[k] * d);
            }
        } else {
            for (column, value) in four.chunks_exact(rows).zip(values) {
                let (top, low) = column.split_at(columns);
                let top = &top[first + count..];
                open.iter_mut().zip(top).for_each(|(t, l)| *t -= l * value);
                below.iter_mut().zip(low).for_each(|(t, l)| *t += l * value);
            }
        }
        first += count;
    }
}

#[inline(always)]
fn backward(panel: &[f64], columns: usize, rows: usize, own: &mut [f64], below: &[f64]) {
    // In the same fours as forwards.
    for start in (0..columns).step_by(TOGETHER).rev() {
        let count = TOGETHER.min(columns - start);
        let four = &panel[start * rows..(start + count) * rows];
        let (open, done) = own.split_at_mut(start + count);
        let mut known = [0.0; TOGETHER];
        if let Some(split) = split_four(four, rows) {
            let inner = dots(split.map(|c| &c[start + count..columns]), done);
            let outer = dots(split.map(|c| &c[columns..]), below);
            known = std::array::from_fn(|k| inner[k] + outer[k]);
        } else {
            for (sum, column) in known.iter_mut().zip(four.chunks_exact(rows)) {
                let (top, low) = column.split_at(columns);
                *sum = dot(&top[start + count..], done) + dot(low, below);
            }
        }
        for c in (0..count).rev() {
            let column = &four[c * rows..(c + 1) * rows];
            let mut value = open[start + c] - known[c];
            for d in c + 1..count {
                value -= column[start + d] * open[start + d];
            }
            open[start + c] = value / column[start + c];
        }
    }
}

/// Four columns, if there are four.
#[inline(always)]
fn split_four(panel: &[f64], rows: usize) -> Option<[&[f64]; TOGETHER]> {
    let mut columns = panel.chunks_exact(rows);
    let four = [
        columns.next()?,
        columns.next()?,
        columns.next()?,
        columns.next()?,
    ];
    Some(four)
}

/// Four products with the same vector; partial sums, so that the order of additions allows vector instructions.
#[inline(always)]
fn dots(a: [&[f64]; TOGETHER], b: &[f64]) -> [f64; TOGETHER] {
    let mut sums = [[0.0; 4]; TOGETHER];
    let (wide, rest) = b.as_chunks::<4>();
    let chunks = a.map(|x| x[..b.len()].as_chunks::<4>());
    for (i, q) in wide.iter().enumerate() {
        for (sum, chunk) in sums.iter_mut().zip(&chunks) {
            let p = &chunk.0[i];
            (0..4).for_each(|k| sum[k] += p[k] * q[k]);
        }
    }
    std::array::from_fn(|j| {
        let tail: f64 = chunks[j].1.iter().zip(rest).map(|(p, q)| p * q).sum();
        let s = &sums[j];
        (s[0] + s[2]) + (s[1] + s[3]) + tail
    })
}

/// Partial sums, as in [`dots`].
#[inline(always)]
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0; 8];
    let (wide_a, rest_a) = a.as_chunks::<8>();
    let (wide_b, rest_b) = b.as_chunks::<8>();
    for (p, q) in wide_a.iter().zip(wide_b) {
        (0..8).for_each(|k| sums[k] += p[k] * q[k]);
    }
    let rest: f64 = rest_a.iter().zip(rest_b).map(|(p, q)| p * q).sum();
    ((sums[0] + sums[4]) + (sums[1] + sums[5])) + ((sums[2] + sums[6]) + (sums[3] + sums[7])) + rest
}

#[inline(always)]
pub(super) fn add(target: &mut [f64], values: &[f64]) {
    target.iter_mut().zip(values).for_each(|(t, v)| *t += v);
}
