//! The ends of the spectrum of a symmetric matrix, by its Cholesky factors and products alone: they stay sparse.

use super::factor::Cholesky;
use super::sparse::SparseMatrix;

/// How far below zero the spectrum of a semidefinite matrix may reach, relative to its largest diagonal entry, without anything being done about it: products
/// such as `D' M^-1 D` are semidefinite to rounding only.
const SEMIDEFINITE: f64 = 1e-9;

/// The same relative to the greatest eigenvalue, if the diagonal is raised. Matrices that were stored with seven digits, or whose `M` was badly conditioned,
/// reach down to 2e-7; what is beyond this was not semidefinite before it was rounded.
pub(super) const ROUNDED: f64 = 1e-6;

/// Steps of the power method. The estimate is from below, and after so many within a few per cent even where eigenvalues crowd at the end.
const POWERS: u32 = 60;

/// What has to be added to the diagonal of a matrix so that no eigenvalue is negative.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Raised {
    /// Nothing, or so little that it is lost beside what solvers add by themselves.
    Nothing,
    /// So much, and it is rounding.
    By(f64),
    /// More than rounding explains: estimates of the least and of the greatest eigenvalue.
    TooMuch { least: f64, greatest: f64 },
}

/// Of a symmetric matrix with all entries.
pub(super) fn raised(matrix: &SparseMatrix) -> Raised {
    let diagonal = (0..matrix.rows).map(|k| matrix.at(k, k).abs());
    let largest = diagonal.fold(0.0, f64::max);
    let least_shift = if largest > 0.0 {
        SEMIDEFINITE * largest
    } else {
        // Nothing but zeros on the diagonal: any other entry makes it indefinite.
        0.5 * entries(matrix).fold(0.0, f64::max)
    };
    if entries(matrix).all(|x| x == 0.0) || is_definite(matrix, least_shift) {
        return Raised::Nothing;
    }
    let greatest = greatest(matrix);
    // No eigenvalue is farther from zero than the largest sum over a row.
    let (mut low, mut high) = (least_shift, row_sum(matrix).max(2.0 * least_shift));
    while high > 1.1 * low {
        let middle = (low * high).sqrt();
        if is_definite(matrix, middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
    if low > ROUNDED * greatest {
        Raised::TooMuch {
            least: -(low * high).sqrt(),
            greatest,
        }
    } else {
        Raised::By(high)
    }
}

/// The same matrix with something added to its diagonal.
pub(super) fn shifted(matrix: &SparseMatrix, by: f64) -> Option<SparseMatrix> {
    let diagonal = (0..matrix.rows).map(|k| (k, k, by));
    let entries = matrix.entries().chain(diagonal);
    SparseMatrix::from_triplets(matrix.rows, matrix.columns, entries).ok()
}

fn is_definite(matrix: &SparseMatrix, shift: f64) -> bool {
    shifted(matrix, shift).is_some_and(|matrix| Cholesky::new(&matrix).is_some())
}

fn entries(matrix: &SparseMatrix) -> impl Iterator<Item = f64> + '_ {
    matrix.values.iter().map(|x| x.abs())
}

fn row_sum(matrix: &SparseMatrix) -> f64 {
    let sum = |column: usize| matrix.column(column).map(|(_, x)| x.abs()).sum::<f64>();
    (0..matrix.columns).map(sum).fold(0.0, f64::max)
}

/// The eigenvalue farthest from zero, by the power method from a vector that is orthogonal to none in particular.
fn greatest(matrix: &SparseMatrix) -> f64 {
    let mut x: Vec<f64> = (0..matrix.rows)
        .map(|k| 1.0 + 0.5 * (1.0 + k as f64).sin())
        .collect();
    let mut size = 0.0;
    for _ in 0..POWERS {
        let norm = x.iter().map(|x| x * x).sum::<f64>().sqrt();
        x.iter_mut().for_each(|x| *x /= norm);
        x = matrix.times(&x);
        size = x.iter().map(|x| x * x).sum::<f64>().sqrt();
        if size == 0.0 {
            break;
        }
    }
    size
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `1, 1, ..., least`, turned by reflection at a plane so that no entry is zero.
    fn with_least(n: usize, least: f64) -> SparseMatrix {
        let normal: Vec<f64> = (0..n).map(|k| (1.0 + k as f64).cos()).collect();
        let square: f64 = normal.iter().map(|x| x * x).sum();
        let reflected = |row: usize, k: usize| {
            f64::from(u8::from(row == k)) - 2.0 * normal[row] * normal[k] / square
        };
        let at = |i: usize, j: usize| {
            let one = f64::from(u8::from(i == j));
            one - (1.0 - least) * reflected(i, 0) * reflected(j, 0)
        };
        let all = (0..n * n).map(|k| (k / n, k % n, at(k / n, k % n)));
        SparseMatrix::from_triplets(n, n, all).unwrap()
    }

    #[test]
    fn what_is_rounding_is_raised_and_what_is_not_is_told() {
        for least in [1.0, 1e-3, 0.0, -1e-11] {
            assert_eq!(raised(&with_least(9, least)), Raised::Nothing, "{least}");
        }
        for least in [-1e-8, -2e-7, -9e-7] {
            let Raised::By(shift) = raised(&with_least(9, least)) else {
                panic!("{least}: {:?}", raised(&with_least(9, least)));
            };
            assert!(shift >= -least && shift < -1.2 * least, "{least}: {shift}");
        }
        for least in [-2e-6, -1e-3, -0.5] {
            let Raised::TooMuch { least: l, greatest } = raised(&with_least(9, least)) else {
                panic!("{least}: {:?}", raised(&with_least(9, least)));
            };
            assert!((l / least - 1.0).abs() < 0.1, "{l}");
            assert!((greatest - 1.0).abs() < 0.01, "{greatest}");
        }
    }

    #[test]
    fn matrices_without_a_diagonal() {
        let zero = SparseMatrix::from_triplets(3, 3, [(0, 0, 0.0)]).unwrap();
        assert_eq!(raised(&zero), Raised::Nothing);
        let saddle = SparseMatrix::from_triplets(3, 3, [(0, 1, 2.0), (1, 0, 2.0)]).unwrap();
        let Raised::TooMuch { least, greatest } = raised(&saddle) else {
            panic!("{:?}", raised(&saddle));
        };
        assert!((least + 2.0).abs() < 0.2 && (greatest - 2.0).abs() < 0.1);
    }
}
