//! Forward and backward substitution over the tree of fronts, branch by branch as in the elimination.

use super::lanes::vectorised;
use super::symbolic::Symbolic;

/// Forward and backward substitution for one right-hand side. Panels are narrow, so that plain loops over columns beat
/// calls of a general matrix product.
pub(super) struct Substitution<'a> {
    pub(super) symbolic: &'a Symbolic,
    pub(super) panels: &'a [f64],
}

impl Substitution<'_> {
    /// Solves in place, in memory laid out as for the elimination: vectors fit where matrices did.
    pub(super) fn solve(&self, x: &mut [f64], memory: &mut [f64]) {
        let fronts = &self.symbolic.fronts;
        for &root in &self.symbolic.roots {
            let from = fronts[fronts[root].branch].first * self.symbolic.block();
            let mine = &mut x[from..from + self.unknowns(root)];
            self.down(root, mine, memory);
            self.up(root, mine, &[], memory);
        }
    }

    /// Unknowns of a branch.
    fn unknowns(&self, top: usize) -> usize {
        let fronts = &self.symbolic.fronts;
        let front = &fronts[top];
        (front.first + front.pivots - fronts[front.branch].first) * self.symbolic.block()
    }

    /// From the leaves to the top of a branch. What it subtracts from the rows below stands at the beginning of the memory.
    fn down(&self, top: usize, x: &mut [f64], memory: &mut [f64]) {
        let front = &self.symbolic.fronts[top];
        let block = self.symbolic.block();
        let [columns, rows] = front.shape(block);
        let (inner, own) = x.split_at_mut(x.len() - columns);
        let (first, second) = front.children.split_at(front.fork);
        if front.fork > 0 {
            let to = self.symbolic.fronts[second[0]].at;
            let cut: usize = first.iter().map(|&c| self.unknowns(c)).sum();
            let (memory_1, memory_2) = memory.split_at_mut(to);
            let (x_1, x_2) = inner.split_at_mut(cut);
            rayon::join(
                || self.down_children(first, x_1, memory_1, 0),
                || self.down_children(second, x_2, memory_2, to),
            );
        } else {
            self.down_children(second, inner, memory, 0);
        }
        let (left, mine) = memory.split_at_mut(front.rest);
        let below = &mut mine[..rows - columns];
        below.fill(0.0);
        for &child in &front.children {
            let child = &self.symbolic.fronts[child];
            for run in &child.in_parent {
                let [from, at, count] = [run.from, run.to, run.count].map(|x| x as usize * block);
                let values = &left[child.at + from..][..count];
                if at < columns {
                    own[at..].iter_mut().zip(values).for_each(|(t, v)| *t -= v);
                } else {
                    add(&mut below[at - columns..], values);
                }
            }
        }
        let panel = &self.panels[front.panel..front.panel + columns * rows];
        vectorised(
            #[inline(always)]
            || forward(panel, columns, rows, own, below),
        );
        if front.rest > 0 {
            memory.copy_within(front.rest..front.rest + rows - columns, 0);
        }
    }

    fn down_children(
        &self,
        children: &[usize],
        mut x: &mut [f64],
        memory: &mut [f64],
        offset: usize,
    ) {
        for &child in children {
            let (mine, rest) = x.split_at_mut(self.unknowns(child));
            x = rest;
            let at = self.symbolic.fronts[child].at - offset;
            self.down(child, mine, &mut memory[at..]);
        }
    }

    /// From the top of a branch to its leaves; `below` are the unknowns of the rows below its pivots.
    fn up(&self, top: usize, x: &mut [f64], below: &[f64], memory: &mut [f64]) {
        let front = &self.symbolic.fronts[top];
        let block = self.symbolic.block();
        let [columns, rows] = front.shape(block);
        let (inner, own) = x.split_at_mut(x.len() - columns);
        let panel = &self.panels[front.panel..front.panel + columns * rows];
        vectorised(
            #[inline(always)]
            || backward(panel, columns, rows, own, below),
        );
        let own = &*own;
        let (first, second) = front.children.split_at(front.fork);
        if front.fork > 0 {
            let cut: usize = first.iter().map(|&c| self.unknowns(c)).sum();
            let (memory_1, memory_2) = memory.split_at_mut(front.sweep_fork);
            let (x_1, x_2) = inner.split_at_mut(cut);
            rayon::join(
                || self.up_children(first, x_1, own, below, memory_1),
                || self.up_children(second, x_2, own, below, memory_2),
            );
        } else {
            self.up_children(second, inner, own, below, memory);
        }
    }

    fn up_children(
        &self,
        children: &[usize],
        mut x: &mut [f64],
        own: &[f64],
        below: &[f64],
        memory: &mut [f64],
    ) {
        let block = self.symbolic.block();
        for &child in children {
            let (mine, rest) = x.split_at_mut(self.unknowns(child));
            x = rest;
            let child_front = &self.symbolic.fronts[child];
            let (given, deeper) = memory.split_at_mut(child_front.rows.len() * block);
            for run in &child_front.in_parent {
                let [from, at, count] = [run.from, run.to, run.count].map(|x| x as usize * block);
                given[from..from + count].copy_from_slice(if at < own.len() {
                    &own[at..at + count]
                } else {
                    &below[at - own.len()..at - own.len() + count]
                });
            }
            self.up(child, mine, given, deeper);
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
