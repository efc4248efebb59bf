//! Cholesky factorisation of one front: dense, by halving, large products divided between threads.

use faer::linalg::matmul::{matmul, triangular};
use faer::linalg::triangular_solve::solve_lower_triangular_in_place;
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

/// What a factorised panel takes from the rows below it: `-l l'`, lower triangle.
pub(super) fn leave(panel: &[f64], columns: usize, rows: usize, rest: &mut [f64]) {
    let below = rows - columns;
    if below * below * columns <= SMALL_PRODUCT {
        vectorised(
            #[inline(always)]
            || leave_small(panel, columns, rows, rest),
        );
    } else {
        let low =
            MatRef::from_column_major_slice_with_stride(&panel[columns..], below, columns, rows);
        let rest = MatMut::from_column_major_slice_with_stride_mut(rest, below, below, below);
        subtract_square(rest, low, Accum::Replace);
    }
}

/// The same by plain loops.
#[inline(always)]
fn leave_small(panel: &[f64], columns: usize, rows: usize, rest: &mut [f64]) {
    let below = rows - columns;
    for j in 0..below {
        let target = &mut rest[j * below + j..(j + 1) * below];
        let (first, others) = panel.split_at(rows);
        let column = &first[columns + j..];
        let factor = column[0];
        target
            .iter_mut()
            .zip(column)
            .for_each(|(t, l)| *t = -factor * l);
        for column in others.chunks_exact(rows) {
            let column = &column[columns + j..];
            let factor = column[0];
            target
                .iter_mut()
                .zip(column)
                .for_each(|(t, l)| *t -= factor * l);
        }
    }
}

/// Cholesky factorisation of a front's panel. Many rows below the pivots are divided between threads.
pub(super) fn factorise_front(panel: &mut [f64], columns: usize, rows: usize) -> bool {
    if (rows - columns) * columns * columns / 2 <= LARGE_PRODUCT {
        return factorise_panel(panel, columns, rows, rows);
    }
    if !factorise_panel(panel, columns, columns, rows) {
        return false;
    }
    let panel = MatMut::from_column_major_slice_with_stride_mut(panel, rows, columns, rows);
    let (pivots, below) = panel.split_at_row_mut(columns);
    divide(pivots.as_ref(), below);
    true
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

/// Cholesky factorisation of the first `columns` of a panel with `rows` rows, `stride` apart, by halving.
fn factorise_panel(panel: &mut [f64], columns: usize, rows: usize, stride: usize) -> bool {
    if columns <= NARROW {
        return vectorised(
            #[inline(always)]
            || factorise_narrow(panel, columns, rows, stride),
        );
    }
    let half = (columns / 2).next_multiple_of(NARROW / 2).min(columns - 1);
    if !factorise_panel(panel, half, rows, stride) {
        return false;
    }
    let (done, open) = panel.split_at_mut(half * stride);
    let (width, height) = (columns - half, rows - half);
    let low = MatRef::from_column_major_slice_with_stride(&done[half..], height, half, stride);
    let rest =
        MatMut::from_column_major_slice_with_stride_mut(&mut open[half..], height, width, stride);
    let (top, bottom) = rest.split_at_row_mut(width);
    let (low_top, low_bottom) = low.split_at_row(width);
    subtract_square(top, low_top, Accum::Add);
    subtract_product(bottom, low_bottom, low_top, Accum::Add);
    factorise_panel(&mut open[half..], width, height, stride)
}

/// The same by plain loops over columns.
#[inline(always)]
fn factorise_narrow(panel: &mut [f64], columns: usize, rows: usize, stride: usize) -> bool {
    for c in 0..columns {
        let (head, tail) = panel.split_at_mut(((c + 1) * stride).min(panel.len()));
        let column = &mut head[c * stride..c * stride + rows];
        let pivot = column[c];
        if !(pivot > 0.0 && pivot.is_finite()) {
            return false;
        }
        let inverse = 1.0 / pivot.sqrt();
        column[c..].iter_mut().for_each(|x| *x *= inverse);
        let column = &head[c * stride..c * stride + rows];
        for d in c + 1..columns {
            let factor = column[d];
            let other = &mut tail[(d - c - 1) * stride..][d..rows];
            other
                .iter_mut()
                .zip(&column[d..])
                .for_each(|(x, l)| *x -= factor * l);
        }
    }
    true
}

/// Subtracts `l l'` from the lower triangle, or puts it in its place.
fn subtract_square(target: MatMut<'_, f64>, l: MatRef<'_, f64>, how: Accum) {
    let (size, depth) = (l.nrows(), l.ncols());
    if size * size / 2 * depth <= LARGE_PRODUCT {
        use triangular::BlockStructure::{Rectangular, TriangularLower};
        triangular::matmul(
            target,
            TriangularLower,
            how,
            l,
            Rectangular,
            l.transpose(),
            Rectangular,
            -1.0,
            Par::Seq,
        );
        return;
    }
    let half = size / 2;
    let (upper, lower) = l.split_at_row(half);
    let (top_left, _, bottom_left, bottom_right) = target.split_at_mut(half, half);
    both(
        || subtract_product(bottom_left, lower, upper, how),
        || {
            both(
                || subtract_square(top_left, upper, how),
                || subtract_square(bottom_right, lower, how),
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
