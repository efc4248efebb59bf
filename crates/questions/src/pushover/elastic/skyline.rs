//! Symmetric systems whose entries lie near the diagonal, and the numbering of bodies that brings them there.
//!
//! Rejected: faer's sparse `L D L'` with its symbolic part made once. Walls and arches are slender, and rows that begin near the diagonal leave little to be gained
//! by a better order. Factoring and solving took, in microseconds, ours then faer's (supernodal, which was the faster of its two kinds but for the smallest):
//!
//! | structure | planar | in space |
//! |---|---|---|
//! | arch of 200 blocks | 16, 63 | |
//! | wall of 5 by 5 blocks | 6, 16 | 30, 33 |
//! | wall of 10 by 10 | 52, 69 | 362, 233 |
//! | wall of 20 by 15 | 360, 315 | 3010, 1160 |
//! | wall of 40 by 25 | 3600, 1710 | |
//!
//! Whole pushovers of 60 to 250 blocks became 3 to 10 per cent slower, and their answers moved by up to `5e-7`, the tolerance to which blocks come to rest. It pays
//! from some 300 planar blocks, or 100 in space.

use std::collections::VecDeque;

/// A symmetric matrix by the rows of its lower half, each from its first entry on.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Skyline {
    first: Vec<usize>,
    /// Where each row begins in `values`, and the end.
    start: Vec<usize>,
    values: Vec<f64>,
}

impl Skyline {
    /// Zero, with the first column of each row, at most its own.
    pub fn new(first: Vec<usize>) -> Self {
        let mut start = Vec::with_capacity(first.len() + 1);
        let mut sum = 0;
        for (row, &column) in first.iter().enumerate() {
            start.push(sum);
            sum += row + 1 - column.min(row);
        }
        start.push(sum);
        Self {
            first,
            start,
            values: vec![0.0; sum],
        }
    }

    pub fn clear(&mut self) {
        self.values.fill(0.0);
    }

    /// Adds to an entry of the lower half within the skyline.
    pub fn add(&mut self, row: usize, column: usize, value: f64) {
        self.values[self.start[row] + column - self.first[row]] += value;
    }

    /// `L D L'` in place. Pivots that rounding made smaller than `least` count as `least`.
    pub fn factor(&mut self, least: f64) {
        for i in 0..self.first.len() {
            let from = self.first[i];
            let (done, rest) = self.values.split_at_mut(self.start[i]);
            let row = &mut rest[..i + 1 - from];
            for j in from..i {
                let other = self.first[j];
                let low = from.max(other);
                let theirs = &done[self.start[j] + low - other..self.start[j] + j - other];
                let ours = &row[low - from..j - from];
                let sum: f64 = ours.iter().zip(theirs).map(|(a, b)| a * b).sum();
                row[j - from] -= sum;
            }
            let mut pivot = row[i - from];
            for j in from..i {
                let diagonal = done[self.start[j + 1] - 1];
                let value = row[j - from];
                row[j - from] = value / diagonal;
                pivot -= value * row[j - from];
            }
            row[i - from] = pivot.max(least);
        }
    }

    /// Solves with the factors.
    pub fn solve(&self, right: &mut [f64]) {
        let n = self.first.len();
        let row = |i: usize| &self.values[self.start[i]..self.start[i + 1] - 1];
        for i in 0..n {
            let known = &right[self.first[i]..i];
            let sum: f64 = row(i).iter().zip(known).map(|(l, x)| l * x).sum();
            right[i] -= sum;
        }
        for (x, end) in right.iter_mut().zip(&self.start[1..]) {
            *x /= self.values[end - 1];
        }
        for i in (0..n).rev() {
            let x = right[i];
            for (l, target) in row(i).iter().zip(&mut right[self.first[i]..i]) {
                *target -= l * x;
            }
        }
    }
}

/// Positions of bodies such that neighbours are near each other: breadth first from a body with few neighbours, backwards (Cuthill and
/// McKee 1969).
pub(super) fn near_each_other(neighbours: &[Vec<usize>]) -> Vec<usize> {
    let count = neighbours.len();
    let mut order = Vec::with_capacity(count);
    let mut seen = vec![false; count];
    let mut starts: Vec<usize> = (0..count).collect();
    starts.sort_by_key(|&i| neighbours[i].len());
    for start in starts {
        if seen[start] {
            continue;
        }
        seen[start] = true;
        let mut queue = VecDeque::from([start]);
        while let Some(body) = queue.pop_front() {
            order.push(body);
            let mut next: Vec<usize> = neighbours[body]
                .iter()
                .copied()
                .filter(|&other| !seen[other])
                .collect();
            next.sort_by_key(|&other| (neighbours[other].len(), other));
            next.dedup();
            for other in next {
                seen[other] = true;
                queue.push_back(other);
            }
        }
    }
    let mut position = vec![0; count];
    for (place, &body) in order.iter().rev().enumerate() {
        position[body] = place;
    }
    position
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solves_what_it_was_given() {
        let first = vec![0, 0, 1, 0, 2];
        let entries = [
            (0, 0, 4.0),
            (1, 0, 1.0),
            (1, 1, 5.0),
            (2, 1, -1.0),
            (2, 2, 3.0),
            (3, 0, 0.5),
            (3, 2, 1.0),
            (3, 3, 6.0),
            (4, 2, 0.25),
            (4, 4, 2.0),
        ];
        let mut matrix = Skyline::new(first);
        let mut full = [[0.0; 5]; 5];
        for (i, j, value) in entries {
            matrix.add(i, j, value);
            full[i][j] = value;
            full[j][i] = value;
        }
        let x = [1.0, -2.0, 3.0, 0.5, -1.5];
        let mut right: Vec<f64> = full
            .iter()
            .map(|row| row.iter().zip(&x).map(|(a, x)| a * x).sum())
            .collect();
        matrix.factor(1e-12);
        matrix.solve(&mut right);
        for (found, wanted) in right.iter().zip(&x) {
            assert!((found - wanted).abs() < 1e-13, "{right:?}");
        }
    }

    #[test]
    fn a_chain_is_numbered_along_itself() {
        // 3 - 0 - 4 - 1 - 2, and 5 alone.
        let neighbours = [vec![3, 4], vec![4, 2], vec![1], vec![0], vec![0, 1], vec![]];
        let position = near_each_other(&neighbours);
        let far = |a: usize, b: usize| position[a].abs_diff(position[b]);
        for (a, b) in [(3, 0), (0, 4), (4, 1), (1, 2)] {
            assert_eq!(far(a, b), 1, "{position:?}");
        }
    }
}
