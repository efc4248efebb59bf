//! Substitution over the tree of fronts, branch by branch as in the elimination.

use super::chunks::both;
use super::lanes::vectorised;
use super::symbolic::Symbolic;

/// Forward and backward substitution for `N` right-hand sides side by side: panels are read once for all of them, and where fronts
/// are tiny the others go on while one waits for a quotient. Panels are narrow, so that plain loops over columns beat calls of a
/// general matrix product.
pub(super) struct Substitution<'a> {
    pub(super) symbolic: &'a Symbolic,
    /// `L` and `U'`, which are the same for a symmetric matrix.
    pub(super) lower: Triangle<'a>,
    pub(super) upper: Triangle<'a>,
}

/// A triangular factor.
pub(super) struct Triangle<'a> {
    pub(super) panels: &'a [f64],
    /// One over its diagonal, in the order of elimination: along a chain of small fronts every quotient would be waited for.
    pub(super) inverse: &'a [f64],
}

/// The part of the vectors that belongs to some neighbouring fronts.
struct Part<'a, const N: usize> {
    /// Unknowns of their pivots.
    x: &'a mut [[f64; N]],
    /// On the way down what each front subtracts from the rows below it, on the way up the unknowns of these rows.
    below: &'a mut [[f64; N]],
}

impl Substitution<'_> {
    /// Solves in place; `below` is a vector of the rows below all fronts.
    pub(super) fn solve<const N: usize>(&self, x: &mut [[f64; N]], below: &mut [[f64; N]]) {
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
    fn split<'p, const N: usize>(
        &self,
        first: usize,
        end: usize,
        part: Part<'p, N>,
    ) -> (Part<'p, N>, Part<'p, N>) {
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
    fn down<const N: usize>(&self, top: usize, part: Part<'_, N>) {
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
    fn children<const N: usize>(
        &self,
        top: usize,
        part: Part<'_, N>,
        visit: &(impl Fn(usize, Part<'_, N>) + Sync),
    ) {
        let front = &self.symbolic.fronts[top];
        let all = |children: &[usize], mut first: usize, mut part: Part<'_, N>| {
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
    fn down_front<const N: usize>(
        &self,
        k: usize,
        first: usize,
        x: &mut [[f64; N]],
        below: &mut [[f64; N]],
    ) {
        let fronts = &self.symbolic.fronts;
        let (front, first) = (&fronts[k], &fronts[first]);
        let block = self.symbolic.block();
        let [columns, rows] = front.shape(block);
        let own = &mut x[(front.first - first.first) * block..][..columns];
        let (before, mine) = below.split_at_mut(front.below - first.below);
        let mine = &mut mine[..rows - columns];
        mine.fill([0.0; N]);
        for &child in &front.children {
            let child = &fronts[child];
            for run in &child.in_parent {
                let [from, at, count] = [run.from, run.to, run.count].map(|x| x as usize * block);
                let values = &before[child.below - first.below + from..][..count];
                if at < columns {
                    let own = own[at..].as_flattened_mut().iter_mut();
                    own.zip(values.as_flattened()).for_each(|(t, v)| *t -= v);
                } else {
                    add(
                        mine[at - columns..].as_flattened_mut(),
                        values.as_flattened(),
                    );
                }
            }
        }
        let panel = &self.lower.panels[front.panel..front.panel + columns * rows];
        let inverse = &self.lower.inverse[front.first * block..][..columns];
        vectorised(
            #[inline(always)]
            || forward(panel, inverse, rows, own, mine),
        );
    }

    /// From the top of a branch, whose rows below are known, to its leaves.
    fn up<const N: usize>(&self, top: usize, part: Part<'_, N>) {
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
    fn up_front<const N: usize>(
        &self,
        k: usize,
        first: usize,
        x: &mut [[f64; N]],
        below: &mut [[f64; N]],
    ) {
        let fronts = &self.symbolic.fronts;
        let (front, first) = (&fronts[k], &fronts[first]);
        let block = self.symbolic.block();
        let [columns, rows] = front.shape(block);
        let own = &mut x[(front.first - first.first) * block..][..columns];
        let (before, mine) = below.split_at_mut(front.below - first.below);
        let mine = &mine[..rows - columns];
        let panel = &self.upper.panels[front.panel..front.panel + columns * rows];
        let inverse = &self.upper.inverse[front.first * block..][..columns];
        vectorised(
            #[inline(always)]
            || backward(panel, inverse, rows, own, mine),
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
fn forward<const N: usize>(
    panel: &[f64],
    inverse: &[f64],
    rows: usize,
    own: &mut [[f64; N]],
    below: &mut [[f64; N]],
) {
    let columns = inverse.len();
    let mut first = 0;
    while first < columns {
        let count = TOGETHER.min(columns - first);
        let four = &panel[first * rows..(first + count) * rows];
        for c in 0..count {
            let column = &four[c * rows..(c + 1) * rows];
            let mut value = own[first + c];
            times(&mut value, inverse[first + c]);
            own[first + c] = value;
            for d in c + 1..count {
                add_times(&mut own[first + d], -column[first + d], &value);
            }
        }
        let (done, open) = own.split_at_mut(first + count);
        let values = &done[first..];
        if let ([a, b, c, d], Some(split)) = (values, split_four(four, rows)) {
            let [p, q, r, s] = split.map(|column| &column[first + count..columns]);
            let four = [a, b, c, d];
            for (k, t) in open.iter_mut().enumerate() {
                add_four(t, [-p[k], -q[k], -r[k], -s[k]], four);
            }
            let [p, q, r, s] = split.map(|column| &column[columns..][..below.len()]);
            for (k, t) in below.iter_mut().enumerate() {
                add_four(t, [p[k], q[k], r[k], s[k]], four);
            }
        } else {
            for (column, value) in four.chunks_exact(rows).zip(values) {
                let (top, low) = column.split_at(columns);
                for (t, l) in open.iter_mut().zip(&top[first + count..]) {
                    add_times(t, -l, value);
                }
                for (t, l) in below.iter_mut().zip(low) {
                    add_times(t, *l, value);
                }
            }
        }
        first += count;
    }
}

#[inline(always)]
fn backward<const N: usize>(
    panel: &[f64],
    inverse: &[f64],
    rows: usize,
    own: &mut [[f64; N]],
    below: &[[f64; N]],
) {
    let columns = inverse.len();
    // In the same fours as forwards.
    for start in (0..columns).step_by(TOGETHER).rev() {
        let count = TOGETHER.min(columns - start);
        let four = &panel[start * rows..(start + count) * rows];
        let (open, done) = own.split_at_mut(start + count);
        let mut known = [[0.0; N]; TOGETHER];
        if let Some(split) = split_four(four, rows) {
            let inner = dots(split.map(|c| &c[start + count..columns]), done);
            let outer = dots(split.map(|c| &c[columns..]), below);
            for (sum, (a, b)) in known.iter_mut().zip(inner.iter().zip(&outer)) {
                *sum = *a;
                add_times(sum, 1.0, b);
            }
        } else {
            for (sum, column) in known.iter_mut().zip(four.chunks_exact(rows)) {
                let (top, low) = column.split_at(columns);
                *sum = dot(&top[start + count..], done);
                add_times(sum, 1.0, &dot(low, below));
            }
        }
        for c in (0..count).rev() {
            let column = &four[c * rows..(c + 1) * rows];
            let mut value = open[start + c];
            add_times(&mut value, -1.0, &known[c]);
            for d in c + 1..count {
                add_times(&mut value, -column[start + d], &open[start + d]);
            }
            times(&mut value, inverse[start + c]);
            open[start + c] = value;
        }
    }
}

#[inline(always)]
fn times<const N: usize>(t: &mut [f64; N], x: f64) {
    for t in t {
        *t *= x;
    }
}

#[inline(always)]
fn add_times<const N: usize>(t: &mut [f64; N], x: f64, v: &[f64; N]) {
    for (t, v) in t.iter_mut().zip(v) {
        *t += x * v;
    }
}

#[inline(always)]
fn add_four<const N: usize>(t: &mut [f64; N], x: [f64; TOGETHER], v: [&[f64; N]; TOGETHER]) {
    let [a, b, c, d] = v;
    for (n, t) in t.iter_mut().enumerate() {
        *t += (x[0] * a[n] + x[1] * b[n]) + (x[2] * c[n] + x[3] * d[n]);
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

/// Four products with the same vectors. Of one vector in partial sums, so that the order of additions allows vector instructions;
/// several stand side by side and need none. Here and below by plain loops: `map`, `from_fn` and `for_each` are not always
/// inlined, and then compiled for the oldest machine.
#[inline(always)]
fn dots<const N: usize>(a: [&[f64]; TOGETHER], b: &[[f64; N]]) -> [[f64; N]; TOGETHER] {
    if N > 1 {
        let mut sums = [[0.0; N]; TOGETHER];
        let [p, q, r, s] = a;
        for (k, b) in b.iter().enumerate() {
            for (sum, a) in sums.iter_mut().zip([p[k], q[k], r[k], s[k]]) {
                add_times(sum, a, b);
            }
        }
        return sums;
    }
    let b = b.as_flattened();
    let mut sums = [[0.0; 4]; TOGETHER];
    let (wide, rest) = b.as_chunks::<4>();
    let chunks = a.map(|x| x[..b.len()].as_chunks::<4>());
    for (i, q) in wide.iter().enumerate() {
        for (sum, chunk) in sums.iter_mut().zip(&chunks) {
            let p = &chunk.0[i];
            for (s, (p, q)) in sum.iter_mut().zip(p.iter().zip(q)) {
                *s += p * q;
            }
        }
    }
    let mut out = [[0.0; N]; TOGETHER];
    for ((out, s), chunk) in out.iter_mut().zip(&sums).zip(&chunks) {
        let mut tail = 0.0;
        for (p, q) in chunk.1.iter().zip(rest) {
            tail += p * q;
        }
        *out = [(s[0] + s[2]) + (s[1] + s[3]) + tail; N];
    }
    out
}

/// Partial sums, as in [`dots`].
#[inline(always)]
fn dot<const N: usize>(a: &[f64], b: &[[f64; N]]) -> [f64; N] {
    if N > 1 {
        let mut sums = [[0.0; N]; 2];
        let ((pairs_a, rest_a), (pairs_b, rest_b)) = (a.as_chunks::<2>(), b.as_chunks::<2>());
        for (p, q) in pairs_a.iter().zip(pairs_b) {
            for k in 0..2 {
                add_times(&mut sums[k], p[k], &q[k]);
            }
        }
        for (p, q) in rest_a.iter().zip(rest_b) {
            add_times(&mut sums[0], *p, q);
        }
        let [mut out, other] = sums;
        add_times(&mut out, 1.0, &other);
        return out;
    }
    let b = b.as_flattened();
    let mut sums = [0.0; 8];
    let (wide_a, rest_a) = a.as_chunks::<8>();
    let (wide_b, rest_b) = b.as_chunks::<8>();
    for (p, q) in wide_a.iter().zip(wide_b) {
        for (s, (p, q)) in sums.iter_mut().zip(p.iter().zip(q)) {
            *s += p * q;
        }
    }
    let mut rest = 0.0;
    for (p, q) in rest_a.iter().zip(rest_b) {
        rest += p * q;
    }
    let sum = ((sums[0] + sums[4]) + (sums[1] + sums[5]))
        + ((sums[2] + sums[6]) + (sums[3] + sums[7]))
        + rest;
    [sum; N]
}

#[inline(always)]
pub(super) fn add(target: &mut [f64], values: &[f64]) {
    target.iter_mut().zip(values).for_each(|(t, v)| *t += v);
}
