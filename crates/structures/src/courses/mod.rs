//! Courses: where a stretch of masonry is divided into blocks.
//!
//! Everything here is one-dimensional: a stretch goes from one coordinate to another, and its division is the list of the
//! ends of its blocks, both ends of the stretch included. Neighbours share the number that divides them, so that their
//! faces coincide to the last bit.

mod bonded;
mod cell;
mod check;
mod random;

pub(super) use bonded::bonded;
pub(super) use cell::{Cell, Outline, Slopes};
pub(super) use check::plain;
pub(super) use random::{Generator, Range, distance, random};

/// Lengths below this fraction of their scale are rounding.
pub(super) const TINY: f64 = 1e-9;

/// What remains of stretches when others are taken out of them. All are in ascending order and do not overlap; what is left
/// shorter than `least` is dropped as rounding.
pub(super) fn without(stretches: &[[f64; 2]], taken: &[[f64; 2]], least: f64) -> Vec<[f64; 2]> {
    let mut left: Vec<[f64; 2]> = stretches.to_vec();
    for &[from, to] in taken {
        let mut next = Vec::with_capacity(left.len() + 1);
        for [start, end] in left {
            if to <= start || from >= end {
                next.push([start, end]);
            } else {
                next.push([start, from]);
                next.push([to, end]);
            }
        }
        next.retain(|[start, end]| end - start > least);
        left = next;
    }
    left
}

/// Divides a stretch at the points of a lattice, `(i + shift) * pitch` for whole numbers `i`. A point nearer than `least` to
/// an end is left out, so that the piece it would have made belongs to its neighbour. A stretch not longer than a pitch is one
/// block.
pub(super) fn lattice([from, to]: [f64; 2], pitch: f64, shift: f64, least: f64) -> Vec<f64> {
    if to - from <= pitch * (1.0 + 1e-6) {
        return vec![from, to];
    }
    // Rounding must not turn a piece of exactly the least length into none.
    let least = least * (1.0 - 1e-6);
    let first = ((from + least) / pitch - shift).ceil();
    let mut ends = vec![from];
    for i in 0.. {
        let at = (first + f64::from(i) + shift) * pitch;
        if at > to - least {
            break;
        }
        if at >= from + least {
            ends.push(at);
        }
    }
    ends.push(to);
    ends
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_taken_out_splits_a_stretch() {
        let left = without(&[[0.0, 5.0]], &[[1.0, 2.0], [4.0, 5.0]], 1e-9);
        assert_eq!(left, [[0.0, 1.0], [2.0, 4.0]]);
        assert_eq!(without(&[[0.0, 1.0]], &[[-1.0, 2.0]], 1e-9), [[0.0; 2]; 0]);
        assert_eq!(without(&[[0.0, 1.0]], &[[1.0, 2.0]], 1e-9), [[0.0, 1.0]]);
    }

    #[test]
    fn a_lattice_divides_a_stretch_and_leaves_no_slivers() {
        assert_eq!(lattice([0.0, 1.2], 0.4, 0.0, 0.1), [0.0, 0.4, 0.8, 1.2]);
        assert_eq!(
            lattice([0.0, 1.2], 0.4, 0.5, 0.1),
            [0.0, 0.2, 0.6000000000000001, 1.0, 1.2]
        );
        // 0.05 m at the left belongs to the first block, 0.05 m at the right to the last.
        assert_eq!(lattice([0.35, 1.25], 0.4, 0.0, 0.1), [0.35, 0.8, 1.25]);
        assert_eq!(lattice([0.35, 0.45], 0.4, 0.0, 0.1), [0.35, 0.45]);
        assert_eq!(lattice([0.2, 0.6], 0.4, 0.0, 0.1), [0.2, 0.6]);
        let quarter = lattice([0.0, 1.0], 0.4, 0.25, 0.1);
        assert_eq!(quarter[..2], [0.0, 0.1]);
    }
}
