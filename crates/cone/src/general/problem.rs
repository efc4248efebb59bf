//! Problems in general form, as plain numbers, and what has to hold for them to be asked.

use serde::{Deserialize, Serialize};

use super::factor::Cholesky;
use super::fault::GeneralFault;
use super::sparse::{SparseMatrix, Stored, SymmetricMatrix};
use super::spectrum::{ROUNDED, Raised, raised};

/// `min_v 1/2 v' M v - f' v  s.t.  D' v + w ∈ K*`, for any degrees of freedom; see [`crate::solve_general`].
///
/// Units are the caller's: any that make `M v`, `f` and `D r` impulses, and `D' v` and `w` velocities. (Or forces and displacements: nothing here knows of time.)
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct GeneralProblem {
    /// `M`: symmetric positive definite, n x n.
    pub inertia: SymmetricMatrix,
    /// `f`: n numbers.
    pub force: Vec<f64>,
    /// `D`: n x 3m, three columns per contact, normal first.
    pub directions: SparseMatrix,
    /// `w`: 3m numbers.
    pub offset: Vec<f64>,
    /// `mu`: m friction coefficients, zero or more.
    pub friction: Vec<f64>,
}

/// `u = W r + q,  K* ∋ u ⊥ r ∈ K`: the local form of FCLIB, in which velocities have been eliminated; see [`crate::solve_local`].
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct LocalProblem {
    /// `W`: symmetric positive semidefinite, 3m x 3m, three rows per contact, normal first. Eigenvalues down to -1e-6 of the greatest count as rounding.
    pub delassus: SymmetricMatrix,
    /// `q`: 3m numbers.
    pub offset: Vec<f64>,
    /// `mu`: m friction coefficients, zero or more.
    pub friction: Vec<f64>,
}

/// A local problem that has been found sound.
pub(super) struct SoundLocal {
    /// `W` with all entries.
    pub(super) delassus: SparseMatrix,
    /// What makes it semidefinite when added to its diagonal; zero if it is.
    pub(super) shift: f64,
}

/// A general problem that has been found sound.
pub(super) struct Sound {
    /// `M` with all entries.
    pub(super) inertia: SparseMatrix,
    /// Its factor.
    pub(super) factor: Cholesky,
    /// `M^-1 f`.
    pub(super) free: Vec<f64>,
    /// `q = D' M^-1 f + w`.
    pub(super) local_offset: Vec<f64>,
}

impl GeneralProblem {
    /// Degrees of freedom.
    pub fn size(&self) -> usize {
        self.force.len()
    }

    /// Number of contacts.
    pub fn contacts(&self) -> usize {
        self.friction.len()
    }

    /// Finds the first fault: lengths, indices, numbers that are not finite, friction below zero, `M` not symmetric or not positive definite.
    pub fn validate(&self) -> Result<(), GeneralFault> {
        self.sound().map(|_| ())
    }

    pub(super) fn sound(&self) -> Result<Sound, GeneralFault> {
        let inertia = self.inertia.full("M")?;
        let n = inertia.rows;
        length("f", self.force.len(), "entries", n, "M")?;
        self.directions.validate("D")?;
        length("D", self.directions.rows, "rows", n, "M")?;
        let rows = contact_rows(&self.friction, "D", self.directions.columns, "columns")?;
        contact_rows(&self.friction, "w", self.offset.len(), "entries")?;
        debug_assert_eq!(rows, self.directions.columns);
        finite("f", &self.force)?;
        finite("w", &self.offset)?;
        coefficients(&self.friction)?;
        for k in 0..n {
            let value = inertia.at(k, k);
            if value <= 0.0 {
                return Err(GeneralFault::Diagonal {
                    matrix: "M",
                    index: k,
                    value,
                    wanted: "that of a positive definite matrix is positive",
                });
            }
        }
        let factor = Cholesky::new(&inertia).ok_or(GeneralFault::Indefinite { matrix: "M" })?;
        let free = factor.solve(&self.force);
        let mut local_offset = self.directions.transpose_times(&free);
        for (q, w) in local_offset.iter_mut().zip(&self.offset) {
            *q += w;
        }
        if free.iter().chain(&local_offset).any(|x| !x.is_finite()) {
            return Err(GeneralFault::Range {
                field: "M, f and D",
            });
        }
        Ok(Sound {
            inertia,
            factor,
            free,
            local_offset,
        })
    }

    /// The same problem in local form: `W = D' M^-1 D`, `q = D' M^-1 f + w`. One solution with the factor of `M` per contact row; `W` is full within
    /// parts that `M` connects.
    pub fn local(&self) -> Result<LocalProblem, GeneralFault> {
        let sound = self.sound()?;
        let d = &self.directions;
        let mut entries = Vec::new();
        for column in 0..d.columns {
            let mut right = vec![0.0; d.rows];
            d.column(column).for_each(|(row, x)| right[row] = x);
            let response = d.transpose_times(&sound.factor.solve(&right));
            // Rounding makes halves differ: the upper one is all that is stored.
            entries.extend(
                (0..=column)
                    .filter(|&row| response[row] != 0.0)
                    .map(|row| (row, column, response[row])),
            );
        }
        let matrix = SparseMatrix::from_triplets(d.columns, d.columns, entries)?;
        let delassus = SymmetricMatrix {
            matrix,
            stored: Stored::Upper,
        };
        Ok(LocalProblem {
            delassus,
            offset: sound.local_offset,
            friction: self.friction.clone(),
        })
    }
}

impl LocalProblem {
    /// Number of contacts.
    pub fn contacts(&self) -> usize {
        self.friction.len()
    }

    /// Finds the first fault: lengths, indices, numbers that are not finite, friction below zero, `W` not symmetric or farther from positive semidefinite than rounding explains.
    pub fn validate(&self) -> Result<(), GeneralFault> {
        self.sound().map(|_| ())
    }

    pub(super) fn sound(&self) -> Result<SoundLocal, GeneralFault> {
        let delassus = self.delassus.full("W")?;
        contact_rows(&self.friction, "W", delassus.rows, "rows")?;
        contact_rows(&self.friction, "q", self.offset.len(), "entries")?;
        finite("q", &self.offset)?;
        coefficients(&self.friction)?;
        let diagonal = || (0..delassus.rows).map(|k| delassus.at(k, k));
        let largest = diagonal().fold(0.0, f64::max);
        // A little below zero is rounding, like other eigenvalues.
        if let Some((index, value)) = diagonal()
            .enumerate()
            .find(|(_, value)| *value < -ROUNDED * largest)
        {
            return Err(GeneralFault::Diagonal {
                matrix: "W",
                index,
                value,
                wanted: "that of a positive semidefinite matrix is not negative",
            });
        }
        let shift = match raised(&delassus) {
            Raised::Nothing => 0.0,
            Raised::By(shift) => shift,
            Raised::TooMuch { least, greatest } => {
                return Err(GeneralFault::Negative {
                    matrix: "W",
                    least,
                    greatest,
                });
            }
        };
        Ok(SoundLocal { delassus, shift })
    }
}

fn length(
    field: &'static str,
    found: usize,
    unit: &'static str,
    wanted: usize,
    of: &'static str,
) -> Result<(), GeneralFault> {
    if found == wanted {
        return Ok(());
    }
    Err(GeneralFault::Length {
        field,
        found,
        unit,
        wanted: format!("{wanted} are needed, one per row of {of}"),
    })
}

/// Three per contact.
fn contact_rows(
    friction: &[f64],
    field: &'static str,
    found: usize,
    unit: &'static str,
) -> Result<usize, GeneralFault> {
    let contacts = friction.len();
    match contacts.checked_mul(3) {
        Some(rows) if rows == found => Ok(rows),
        _ => Err(GeneralFault::Length {
            field,
            found,
            unit,
            wanted: format!("three per contact are needed, and mu has {contacts} entries"),
        }),
    }
}

fn finite(field: &'static str, values: &[f64]) -> Result<(), GeneralFault> {
    match values.iter().enumerate().find(|(_, x)| !x.is_finite()) {
        Some((index, &value)) => Err(GeneralFault::Component {
            field,
            index,
            value,
            wanted: "it must be finite",
        }),
        None => Ok(()),
    }
}

fn coefficients(friction: &[f64]) -> Result<(), GeneralFault> {
    let bad = |mu: f64| !(mu.is_finite() && mu >= 0.0);
    match friction.iter().enumerate().find(|(_, mu)| bad(**mu)) {
        Some((index, &value)) => Err(GeneralFault::Component {
            field: "mu",
            index,
            value,
            wanted: "it must be finite and not negative",
        }),
        None => Ok(()),
    }
}
