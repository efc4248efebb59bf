//! Sparse factors, by faer.

use faer::prelude::Solve;
use faer::sparse::linalg::solvers::{Llt, Lu};
use faer::sparse::{SparseColMatRef, SymbolicSparseColMatRef};
use faer::{MatRef, Side};

use super::sparse::SparseMatrix;

/// A matrix that has been validated, as faer sees it.
fn view(matrix: &SparseMatrix) -> SparseColMatRef<'_, usize, f64> {
    let pattern = SymbolicSparseColMatRef::new_checked(
        matrix.rows,
        matrix.columns,
        &matrix.starts,
        None,
        &matrix.indices,
    );
    SparseColMatRef::new(pattern, &matrix.values)
}

/// Cholesky's factor of a symmetric positive definite matrix.
///
/// Nothing for a matrix without rows, which faer does not expect.
pub(super) struct Cholesky(Option<Llt<usize, f64>>);

impl Cholesky {
    /// `None` if the matrix, of which all entries are stored, is not positive definite.
    pub(super) fn new(matrix: &SparseMatrix) -> Option<Self> {
        if matrix.rows == 0 {
            return Some(Self(None));
        }
        let factor = view(matrix).sp_cholesky(Side::Lower).ok()?;
        Some(Self(Some(factor)))
    }

    pub(super) fn solve(&self, right: &[f64]) -> Vec<f64> {
        self.0.as_ref().map_or(Vec::new(), |factor| {
            factor.solve(column(right)).col(0).iter().copied().collect()
        })
    }
}

/// Factors of a matrix without symmetry.
pub(super) struct Triangular(Lu<usize, f64>);

impl Triangular {
    /// `None` if the pattern of the matrix alone makes it singular.
    pub(super) fn new(matrix: &SparseMatrix) -> Option<Self> {
        view(matrix).sp_lu().ok().map(Self)
    }

    /// Not finite where the matrix is singular.
    pub(super) fn solve(&self, right: &[f64]) -> Vec<f64> {
        self.0.solve(column(right)).col(0).iter().copied().collect()
    }
}

fn column(x: &[f64]) -> MatRef<'_, f64> {
    MatRef::from_column_major_slice(x, x.len(), 1)
}
