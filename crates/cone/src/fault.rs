//! What makes a step problem unanswerable, found before any solver sees it.

use crate::operator::masked_cholesky;
use crate::{FIXED, StepProblem};

/// Orthonormality of contact frames: far above rounding, far below anything that would bend a cone.
const FRAME_TOLERANCE: f64 = 1e-6;
/// Relative asymmetry allowed in rotational blocks.
const SYMMETRY_TOLERANCE: f64 = 1e-9;

/// Why a [`StepProblem`] could not be asked.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ProblemFault {
    /// Per-body arrays of different length.
    #[error("{field} has {found} entries, but there are {bodies} bodies")]
    Length {
        /// Field of the problem or of the warm start.
        field: &'static str,
        /// Entries found.
        found: usize,
        /// Entries needed.
        bodies: usize,
    },
    /// A warm start whose impulses do not match the contacts.
    #[error("the warm start has {found} impulses, but there are {contacts} contacts")]
    WarmImpulses {
        /// Entries found.
        found: usize,
        /// Entries needed.
        contacts: usize,
    },
    /// A body with a number that is not finite or out of range.
    #[error("body {body}: {field} is {value}; {wanted}")]
    Body {
        /// Index of the body.
        body: usize,
        /// Name of the number.
        field: &'static str,
        /// Its value.
        value: f64,
        /// What would be right.
        wanted: &'static str,
    },
    /// A rotational block that is not symmetric positive definite on the free degrees of freedom.
    #[error("body {body}: the rotational block must be symmetric and positive definite")]
    Rotational {
        /// Index of the body.
        body: usize,
    },
    /// A contact with a number that is not finite or out of range.
    #[error("contact {contact}: {field} is {value}; {wanted}")]
    Contact {
        /// Index of the contact.
        contact: usize,
        /// Name of the number.
        field: &'static str,
        /// Its value.
        value: f64,
        /// What would be right.
        wanted: &'static str,
    },
    /// A contact that names a body that does not exist, the same body twice, or two supports.
    #[error(
        "contact {contact} joins bodies {bodies:?}; two different sides are needed, one of them free, of {count} bodies"
    )]
    Bodies {
        /// Index of the contact.
        contact: usize,
        /// The sides it names.
        bodies: [u32; 2],
        /// Number of bodies.
        count: usize,
    },
    /// A contact whose frame is not orthonormal.
    #[error("contact {contact}: the rows of the frame are not orthonormal")]
    Frame {
        /// Index of the contact.
        contact: usize,
    },
    /// A tie of a limit problem with a number that is out of range.
    #[error("tie {tie}: {field} is {value}; {wanted}")]
    Tie {
        /// Index of the tie.
        tie: usize,
        /// Name of the number.
        field: &'static str,
        /// Its value.
        value: f64,
        /// What would be right.
        wanted: &'static str,
    },
    /// A joint of a limit problem that can be crushed, with a number that is out of range.
    #[error("crushing joint {joint}: {field} is {value}; {wanted}")]
    Crushing {
        /// Index of the joint.
        joint: usize,
        /// Name of the number.
        field: &'static str,
        /// Its value.
        value: f64,
        /// What would be right.
        wanted: &'static str,
    },
    /// A bond of a limit problem with a number that is out of range.
    #[error("bond {bond}: {field} is {value}; {wanted}")]
    Bond {
        /// Index of the bond.
        bond: usize,
        /// Name of the number.
        field: &'static str,
        /// Its value.
        value: f64,
        /// What would be right.
        wanted: &'static str,
    },
    /// No degree of freedom is free.
    #[error("no degree of freedom is free: nothing is unknown")]
    NoFreedom,
    /// A scale or tolerance that is not finite or negative.
    #[error("{field} is {value}; {wanted}")]
    Scale {
        /// Name of the number.
        field: &'static str,
        /// Its value.
        value: f64,
        /// What would be right.
        wanted: &'static str,
    },
}

impl StepProblem {
    /// Finds the first fault: lengths, indices, non-finite numbers, indefinite inertia, skew frames.
    pub fn validate(&self) -> Result<(), ProblemFault> {
        let bodies = self.bodies();
        let length = |field, found| {
            if found == bodies {
                Ok(())
            } else {
                Err(ProblemFault::Length {
                    field,
                    found,
                    bodies,
                })
            }
        };
        length("rotational", self.rotational.len())?;
        length("free_velocity", self.free_velocity.len())?;
        if !(self.speed_scale.is_finite() && self.speed_scale >= 0.0) {
            return Err(ProblemFault::Scale {
                field: "speed_scale",
                value: self.speed_scale,
                wanted: "a finite speed, zero or more",
            });
        }
        if self.free == [false; 6] {
            return Err(ProblemFault::NoFreedom);
        }
        (0..bodies).try_for_each(|b| self.validate_body(b))?;
        (0..self.contacts.len()).try_for_each(|c| self.validate_contact(c))
    }

    fn validate_body(&self, body: usize) -> Result<(), ProblemFault> {
        let mass = self.mass[body];
        if !(mass.is_finite() && mass > 0.0) {
            return Err(ProblemFault::Body {
                body,
                field: "mass",
                value: mass,
                wanted: "a positive finite mass",
            });
        }
        let j = &self.rotational[body];
        let largest = j.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        let symmetric = [(1, 3), (2, 6), (5, 7)]
            .iter()
            .all(|&(p, q)| (j[p] - j[q]).abs() <= SYMMETRY_TOLERANCE * largest);
        if !largest.is_finite() || !symmetric || masked_cholesky(j, &self.free).is_none() {
            return Err(ProblemFault::Rotational { body });
        }
        match self.free_velocity[body].iter().find(|x| !x.is_finite()) {
            Some(&value) => Err(ProblemFault::Body {
                body,
                field: "free_velocity",
                value,
                wanted: "finite numbers",
            }),
            None => Ok(()),
        }
    }

    fn validate_contact(&self, contact: usize) -> Result<(), ProblemFault> {
        let c = &self.contacts[contact];
        let count = self.bodies();
        let known = |b: u32| b == FIXED || (b as usize) < count;
        if !known(c.bodies[0]) || !known(c.bodies[1]) || c.bodies[0] == c.bodies[1] {
            return Err(ProblemFault::Bodies {
                contact,
                bodies: c.bodies,
                count,
            });
        }
        let fault = |field, value, wanted| {
            Err(ProblemFault::Contact {
                contact,
                field,
                value,
                wanted,
            })
        };
        if !(c.friction.is_finite() && c.friction >= 0.0) {
            return fault("friction", c.friction, "a finite coefficient, zero or more");
        }
        if let Some(&value) = c.compliance.iter().find(|x| !(x.is_finite() && **x >= 0.0)) {
            return fault("compliance", value, "a finite compliance, zero or more");
        }
        if let Some(&value) = c.offset.iter().find(|x| !x.is_finite()) {
            return fault("offset", value, "finite numbers");
        }
        for (side, arm) in c.arms.iter().enumerate() {
            if c.bodies[side] != FIXED
                && let Some(&value) = arm.iter().find(|x| !x.is_finite())
            {
                return fault("arms", value, "finite numbers");
            }
        }
        for i in 0..3 {
            for j in 0..=i {
                let dot: f64 = (0..3).map(|k| c.frame[i][k] * c.frame[j][k]).sum();
                let wanted = if i == j { 1.0 } else { 0.0 };
                let off = (dot - wanted).abs();
                if off.is_nan() || off > FRAME_TOLERANCE {
                    return Err(ProblemFault::Frame { contact });
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus;

    #[test]
    fn every_fault_is_named() {
        let good = corpus::stack(3);
        assert_eq!(good.validate(), Ok(()));
        type Spoil = fn(&mut StepProblem);
        let faults: Vec<(&str, Spoil)> = vec![
            ("rotational has", |p| p.rotational.truncate(1)),
            ("free_velocity has", |p| p.free_velocity.push([0.0; 6])),
            ("speed_scale", |p| p.speed_scale = f64::NAN),
            ("no degree of freedom", |p| p.free = [false; 6]),
            ("body 1: mass", |p| p.mass[1] = 0.0),
            ("body 0: the rotational", |p| p.rotational[0] = [0.0; 9]),
            ("body 2: the rotational", |p| p.rotational[2][1] = 1e3),
            ("body 2: free_velocity", |p| {
                p.free_velocity[2][4] = f64::INFINITY
            }),
            ("contact 0 joins", |p| p.contacts[0].bodies = [7, 1]),
            ("contact 1 joins", |p| p.contacts[1].bodies = [FIXED, FIXED]),
            ("contact 2 joins", |p| p.contacts[2].bodies = [1, 1]),
            ("contact 0: friction", |p| p.contacts[0].friction = -0.1),
            ("contact 0: compliance", |p| {
                p.contacts[0].compliance[1] = -1.0
            }),
            ("contact 3: offset", |p| p.contacts[3].offset[2] = f64::NAN),
            ("contact 5: arms", |p| p.contacts[5].arms[1][0] = f64::NAN),
            ("contact 0: the rows", |p| {
                p.contacts[0].frame[0] = [f64::NAN; 3]
            }),
            ("contact 4: the rows", |p| p.contacts[4].frame[1][0] += 1e-3),
        ];
        for (text, spoil) in faults {
            let mut p = good.clone();
            spoil(&mut p);
            let fault = p.validate().expect_err(text).to_string();
            assert!(fault.contains(text), "{fault:?} should say {text:?}");
        }
    }
}
