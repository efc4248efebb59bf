//! Factorisation of one front: dense, by halving, large products divided between threads.
//!
//! A symmetric matrix has one side, its lower triangle, and becomes `L L'` (Cholesky). Any other has two, its own lower triangle and that of
//! its transpose, and becomes `L U` with `L` in the place of the first and `U'` in that of the second, both with the roots of the sizes of pivots on their
//! diagonals and their signs in `U'`. What is subtracted from one side is a product with the other; a symmetric matrix is its own other side, so that one
//! code serves both.

use faer::linalg::matmul::{matmul, triangular};
use faer::linalg::triangular_solve::solve_lower_triangular_in_place;
use faer::reborrow::IntoConst;
use faer::{Accum, MatMut, MatRef, Par};

use super::chunks::both;
use super::lanes::vectorised;

/// Columns factorised by plain loops.
const NARROW: usize = 16;
/// Products with fewer multiplications than this are done by plain loops, where a call of a general product would cost
/// more than it gains.
const SMALL_PRODUCT: usize = 20_000;
/// Dense products with more multiplications are divided between threads.
const LARGE_PRODUCT: usize = 1_000_000;

/// The side whose factor multiplies that of side `k`: the other one, or the only one.
#[inline(always)]
pub(super) const fn other<const N: usize>(k: usize) -> usize {
    N - 1 - k
}

/// What factorised panels take from the rows below them: the lower triangles of `-l u` and of its transpose.
pub(super) fn leave<const N: usize>(
    panels: [&[f64]; N],
    columns: usize,
    rows: usize,
    rest: &mut [&mut [f64]; N],
) {
    let below = rows - columns;
    for (side, rest) in rest.iter_mut().enumerate() {
        let (own, facing) = (panels[side], panels[other::<N>(side)]);
        if below * below * columns <= SMALL_PRODUCT {
            vectorised(
                #[inline(always)]
                || leave_small(own, facing, columns, rows, rest),
            );
        } else {
            let [own, facing] = [own, facing].map(|panel| {
                let low = &panel[columns..];
                MatRef::from_column_major_slice_with_stride(low, below, columns, rows)
            });
            let rest = MatMut::from_column_major_slice_with_stride_mut(rest, below, below, below);
            subtract_triangle(rest, own, facing, Accum::Replace);
        }
    }
}

/// The same by plain loops.
#[inline(always)]
fn leave_small(own: &[f64], facing: &[f64], columns: usize, rows: usize, rest: &mut [f64]) {
    let below = rows - columns;
    for j in 0..below {
        let target = &mut rest[j * below + j..(j + 1) * below];
        let pairs = own.chunks_exact(rows).zip(facing.chunks_exact(rows));
        for (k, (column, facing)) in pairs.enumerate() {
            let column = &column[rows - below + j..];
            let factor = facing[rows - below + j];
            if k == 0 {
                let both = target.iter_mut().zip(column);
                both.for_each(|(t, l)| *t = -factor * l);
            } else {
                let both = target.iter_mut().zip(column);
                both.for_each(|(t, l)| *t -= factor * l);
            }
        }
    }
}

/// Factorises the panels of a front; false if a pivot is zero or not finite, or negative on one side. Many rows below the pivots are divided between threads.
pub(super) fn factorise_front<const N: usize>(
    mut panels: [&mut [f64]; N],
    columns: usize,
    rows: usize,
) -> bool {
    if (rows - columns) * columns * columns / 2 <= LARGE_PRODUCT {
        return factorise_panels(panels, columns, rows, rows);
    }
    if !factorise_panels(from(&mut panels, 0), columns, columns, rows) {
        return false;
    }
    let parts = panels.map(|panel| {
        let panel = MatMut::from_column_major_slice_with_stride_mut(panel, rows, columns, rows);
        let (pivots, below) = panel.split_at_row_mut(columns);
        (pivots.into_const(), below)
    });
    let pivots = parts.each_ref().map(|(pivots, _)| *pivots);
    for (side, (_, below)) in parts.into_iter().enumerate() {
        divide(pivots[other::<N>(side)], below);
    }
    true
}

/// The numbers of every side from a place on.
#[inline(always)]
pub(super) fn from<'a, const N: usize>(
    sides: &'a mut [&mut [f64]; N],
    at: usize,
) -> [&'a mut [f64]; N] {
    sides.each_mut().map(|side| &mut side[at..])
}

/// Divides rows by the transpose of a triangle.
fn divide(triangle: MatRef<'_, f64>, below: MatMut<'_, f64>) {
    let (rows, columns) = (below.nrows(), below.ncols());
    if rows * columns * columns / 2 <= LARGE_PRODUCT || rows == 1 {
        solve_lower_triangular_in_place(triangle, below.transpose_mut(), Par::Seq);
    } else {
        let (top, bottom) = below.split_at_row_mut(rows / 2);
        both(|| divide(triangle, top), || divide(triangle, bottom));
    }
}

/// Factorises the first `columns` of panels with `rows` rows, `stride` apart, by halving.
fn factorise_panels<const N: usize>(
    mut panels: [&mut [f64]; N],
    columns: usize,
    rows: usize,
    stride: usize,
) -> bool {
    if columns <= NARROW {
        return vectorised(
            #[inline(always)]
            || factorise_narrow(panels, columns, rows, stride),
        );
    }
    let half = (columns / 2).next_multiple_of(NARROW / 2).min(columns - 1);
    if !factorise_panels(from(&mut panels, 0), half, rows, stride) {
        return false;
    }
    let (width, height) = (columns - half, rows - half);
    let halves = panels.map(|panel| {
        let (done, open) = panel.split_at_mut(half * stride);
        (&*done, &mut open[half..])
    });
    let low = halves.each_ref().map(|(done, _)| {
        MatRef::from_column_major_slice_with_stride(&done[half..], height, half, stride)
    });
    let mut open = halves.map(|(_, open)| open);
    for (side, open) in open.iter_mut().enumerate() {
        let rest = MatMut::from_column_major_slice_with_stride_mut(open, height, width, stride);
        let (top, bottom) = rest.split_at_row_mut(width);
        let (own_top, own_bottom) = low[side].split_at_row(width);
        let (facing, _) = low[other::<N>(side)].split_at_row(width);
        subtract_triangle(top, own_top, facing, Accum::Add);
        subtract_product(bottom, own_bottom, facing, Accum::Add);
    }
    factorise_panels(open, width, height, stride)
}

/// The same by plain loops over columns.
#[inline(always)]
fn factorise_narrow<const N: usize>(
    mut panels: [&mut [f64]; N],
    columns: usize,
    rows: usize,
    stride: usize,
) -> bool {
    for c in 0..columns {
        let pivot = panels[0][c * stride + c];
        let allowed = pivot > 0.0 || (N > 1 && pivot < 0.0);
        if !(allowed && pivot.is_finite()) {
            return false;
        }
        let mut inverse = 1.0 / pivot.abs().sqrt();
        for panel in panels.iter_mut().rev() {
            let column = &mut panel[c * stride..c * stride + rows];
            // Both sides have one diagonal; their sums may differ by rounding.
            column[c] = pivot;
            column[c..].iter_mut().for_each(|x| *x *= inverse);
            inverse = inverse.copysign(pivot);
        }
        for d in c + 1..columns {
            let mut facing = [0.0; N];
            for (side, factor) in facing.iter_mut().enumerate() {
                *factor = panels[other::<N>(side)][c * stride + d];
            }
            for (panel, factor) in panels.iter_mut().zip(facing) {
                let (head, tail) = panel.split_at_mut(d * stride);
                let column = &head[c * stride + d..c * stride + rows];
                let changed = tail[d..rows].iter_mut().zip(column);
                changed.for_each(|(x, l)| *x -= factor * l);
            }
        }
    }
    true
}

/// Subtracts the lower triangle of `a b'`, or puts it in its place.
fn subtract_triangle(target: MatMut<'_, f64>, a: MatRef<'_, f64>, b: MatRef<'_, f64>, how: Accum) {
    let (size, depth) = (a.nrows(), a.ncols());
    if size * size / 2 * depth <= LARGE_PRODUCT {
        use triangular::BlockStructure::{Rectangular, TriangularLower};
        triangular::matmul(
            target,
            TriangularLower,
            how,
            a,
            Rectangular,
            b.transpose(),
            Rectangular,
            -1.0,
            Par::Seq,
        );
        return;
    }
    let half = size / 2;
    let (a_upper, a_lower) = a.split_at_row(half);
    let (b_upper, b_lower) = b.split_at_row(half);
    let (top_left, _, bottom_left, bottom_right) = target.split_at_mut(half, half);
    both(
        || subtract_product(bottom_left, a_lower, b_upper, how),
        || {
            both(
                || subtract_triangle(top_left, a_upper, b_upper, how),
                || subtract_triangle(bottom_right, a_lower, b_lower, how),
            )
        },
    );
}

/// Subtracts `a b'`, or puts it in its place.
fn subtract_product(target: MatMut<'_, f64>, a: MatRef<'_, f64>, b: MatRef<'_, f64>, how: Accum) {
    let (rows, columns, depth) = (a.nrows(), b.nrows(), a.ncols());
    if rows == 0 || columns == 0 {
        return;
    }
    if rows * columns * depth <= LARGE_PRODUCT || rows.max(columns) == 1 {
        matmul(target, how, a, b.transpose(), -1.0, Par::Seq);
    } else if rows >= columns {
        let (top, bottom) = target.split_at_row_mut(rows / 2);
        let (upper, lower) = a.split_at_row(rows / 2);
        both(
            || subtract_product(top, upper, b, how),
            || subtract_product(bottom, lower, b, how),
        );
    } else {
        let (left, right) = target.split_at_col_mut(columns / 2);
        let (upper, lower) = b.split_at_row(columns / 2);
        both(
            || subtract_product(left, a, upper, how),
            || subtract_product(right, a, lower, how),
        );
    }
}
