//! A problem in units of its own: impulses in `R`, velocities in `S`, degrees of freedom in what makes the diagonal of `M` one, counted from the
//! velocity without reactions.
//!
//! General form: `P x = A z`, `h = A' x + b`; local form: `h = W z + b`; in both `K* ∋ h ⊥ z ∈ K`, with `h` shifted along the normal under Coulomb's law.

use super::judge::{Scales, contact_residual, largest};
use super::problem::{GeneralProblem, LocalProblem, Sound};
use super::sparse::SparseMatrix;
use crate::Law;
use crate::residual::worse;

/// How `h` follows from `z`.
pub(super) enum Form {
    /// Through the velocities of degrees of freedom.
    General {
        /// `P`, with unit diagonal.
        inertia: SparseMatrix,
        /// `A`.
        directions: SparseMatrix,
    },
    /// Directly.
    Local {
        /// `W`.
        delassus: SparseMatrix,
    },
}

/// The problem.
pub(super) struct Scaled {
    pub(super) form: Form,
    /// `b`.
    pub(super) offset: Vec<f64>,
    pub(super) friction: Vec<f64>,
}

/// A guess or an answer; `x` is empty in local form.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Point {
    pub(super) x: Vec<f64>,
    pub(super) z: Vec<f64>,
}

impl Scaled {
    /// `None` if numbers do not survive the change of units.
    pub(super) fn general(problem: &GeneralProblem, sound: &Sound, scales: Scales) -> Option<Self> {
        let unit = scales.lightness.sqrt();
        let mut inertia = sound.inertia.clone();
        let root: Vec<f64> = (0..inertia.rows).map(|k| inertia.at(k, k).sqrt()).collect();
        for column in 0..inertia.columns {
            for k in inertia.starts[column]..inertia.starts[column + 1] {
                inertia.values[k] /= root[column] * root[inertia.indices[k]];
            }
        }
        let mut directions = problem.directions.clone();
        for (row, value) in directions.indices.iter().zip(&mut directions.values) {
            *value /= root[*row] * unit;
        }
        let numbers = [&inertia.values, &directions.values];
        let finite = numbers.into_iter().flatten().all(|x| x.is_finite());
        let scaled = Self::with(
            Form::General {
                inertia,
                directions,
            },
            &sound.local_offset,
            &problem.friction,
            scales,
        );
        scaled.filter(|_| finite)
    }

    /// `None` if numbers do not survive the change of units.
    pub(super) fn local(
        problem: &LocalProblem,
        delassus: &SparseMatrix,
        scales: Scales,
    ) -> Option<Self> {
        let mut delassus = delassus.clone();
        delassus
            .values
            .iter_mut()
            .for_each(|x| *x /= scales.lightness);
        let finite = delassus.values.iter().all(|x| x.is_finite());
        let form = Form::Local { delassus };
        let scaled = Self::with(form, &problem.offset, &problem.friction, scales);
        scaled.filter(|_| finite)
    }

    fn with(form: Form, offset: &[f64], friction: &[f64], scales: Scales) -> Option<Self> {
        let offset: Vec<f64> = offset.iter().map(|q| q / scales.speed).collect();
        offset.iter().all(|x| x.is_finite()).then(|| Self {
            form,
            offset,
            friction: friction.to_vec(),
        })
    }

    /// Degrees of freedom.
    pub(super) fn size(&self) -> usize {
        match &self.form {
            Form::General { inertia, .. } => inertia.rows,
            Form::Local { .. } => 0,
        }
    }

    /// Three rows per contact.
    pub(super) fn rows(&self) -> usize {
        self.offset.len()
    }

    /// No reactions at all.
    pub(super) fn nothing(&self) -> Point {
        Point {
            x: vec![0.0; self.size()],
            z: vec![0.0; self.rows()],
        }
    }

    /// `h`, without the shift of Coulomb's law.
    pub(super) fn velocity(&self, point: &Point) -> Vec<f64> {
        let mut h = match &self.form {
            Form::General { directions, .. } => directions.transpose_times(&point.x),
            Form::Local { delassus } => delassus.times(&point.z),
        };
        h.iter_mut().zip(&self.offset).for_each(|(h, b)| *h += b);
        h
    }

    /// `P x - A z`.
    pub(super) fn imbalance(&self, point: &Point) -> Vec<f64> {
        match &self.form {
            Form::General {
                inertia,
                directions,
            } => {
                let mut off = inertia.times(&point.x);
                let contact = directions.times(&point.z);
                off.iter_mut().zip(contact).for_each(|(a, b)| *a -= b);
                off
            }
            Form::Local { .. } => Vec::new(),
        }
    }

    /// The worst residual, as the judge has it but for rounding and loads that need no contact.
    pub(super) fn worst(&self, law: Law, point: &Point) -> f64 {
        let unit = Scales {
            speed: 1.0,
            lightness: 1.0,
        };
        let h = self.velocity(point);
        let contacts = contact_residual(&self.friction, law, &h, &point.z, unit);
        let off = self.imbalance(point);
        let balance = if off.iter().all(|x| x.is_finite()) {
            largest(&off)
        } else {
            f64::INFINITY
        };
        worse(contacts.worst(), balance)
    }
}
