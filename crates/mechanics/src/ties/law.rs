//! The law of a tie: it pulls, yields and breaks, and never pushes (equation (3.3) of the formulation).
//!
//! A tie is elastic and perfectly plastic. It remembers the elongation at which it is without force, which grows as it yields, and whether it is
//! broken. Who uses the law:
//!
//! * time steps follow the path: [`TieMemory::pull`];
//! * the rising branch of a pushover seeks equilibrium from where the tie last came to rest, and needs the derivative and the energy of the force on the
//!   way there: [`TieMemory::response`], then [`TieMemory::draw`];
//! * limit analysis and the falling branch have rigid joints, to which a tie is rigid too: it pulls with anything up to its yield force while it is taut,
//!   [`TieMemory::strength`], and stays as long as it was drawn, [`TieMemory::draw_rigid`].

use drystone_model::Tie;
use serde::{Deserialize, Serialize};

/// A rigid tie shorter than it was by this fraction of its length is slack.
const SLACK: f64 = 1e-7;

/// What a tie remembers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct TieMemory {
    /// Elongation at which it is without force, m; negative under post-tension.
    pub slack_at: f64,
    /// It is broken.
    pub broken: bool,
    /// Energy that yielding and breaking have taken, J.
    pub dissipated: f64,
}

/// How a tie answers to an elongation.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct TieResponse {
    /// Tension, N.
    pub force: f64,
    /// Derivative of the tension, N/m.
    pub stiffness: f64,
    /// Integral of the tension from where it is slack, J.
    pub energy: f64,
}

impl TieMemory {
    /// At the start: drawn by what it pulls with already.
    pub fn new(tie: &Tie) -> Self {
        Self {
            slack_at: -tie.initial_force / tie.stiffness,
            ..Self::default()
        }
    }

    /// At the start, of a tie that is rigid: taut, with whatever force balance asks for.
    pub fn rigid() -> Self {
        Self::default()
    }

    /// The force that the tie would have if it were elastic and could push, N.
    fn trial(&self, tie: &Tie, elongation: f64) -> f64 {
        tie.stiffness * (elongation - self.slack_at)
    }

    /// Tension at an elongation, N, and what the tie remembers from then on.
    pub fn pull(mut self, tie: &Tie, elongation: f64) -> (f64, Self) {
        if self.broken {
            return (0.0, self);
        }
        let mut force = self.trial(tie, elongation);
        if force > tie.yield_force {
            self.lengthen(tie, elongation - tie.yield_force / tie.stiffness);
            force = tie.yield_force;
        }
        let force = force.max(0.0);
        if breaks(tie, elongation) {
            self.broken = true;
            self.dissipated += stored(tie, force);
            return (0.0, self);
        }
        (force, self)
    }

    /// Comes to rest at an elongation; says whether the tie broke on the way.
    pub fn draw(&mut self, tie: &Tie, elongation: f64) -> bool {
        let before = self.broken;
        (_, *self) = self.pull(tie, elongation);
        self.broken && !before
    }

    /// Tension, stiffness and energy at an elongation on the way from where the tie last came to rest. Whether it breaks is decided where it comes to rest again.
    pub fn response(&self, tie: &Tie, elongation: f64) -> TieResponse {
        let trial = self.trial(tie, elongation);
        if self.broken || trial <= 0.0 {
            return TieResponse::default();
        }
        if trial < tie.yield_force {
            return TieResponse {
                force: trial,
                stiffness: tie.stiffness,
                energy: stored(tie, trial),
            };
        }
        let force = tie.yield_force;
        let yielded = elongation - self.slack_at - force / tie.stiffness;
        TieResponse {
            force,
            stiffness: 0.0,
            energy: stored(tie, force) + force * yielded,
        }
    }

    /// A rigid tie comes to rest at an elongation; says whether it broke on the way.
    pub fn draw_rigid(&mut self, tie: &Tie, elongation: f64) -> bool {
        if self.broken {
            return false;
        }
        if elongation > self.slack_at {
            self.lengthen(tie, elongation);
        }
        self.broken = breaks(tie, self.slack_at);
        self.broken
    }

    /// The largest force of a rigid tie at an elongation, N: none if it is slack or broken.
    pub fn strength(&self, tie: &Tie, elongation: f64) -> f64 {
        let length = (tie.points[1] - tie.points[0]).length();
        let slack = elongation < self.slack_at - SLACK * length;
        if self.broken || slack {
            0.0
        } else {
            tie.yield_force
        }
    }

    /// Yields until it is without force at a larger elongation.
    fn lengthen(&mut self, tie: &Tie, slack_at: f64) {
        let before = self.slack_at;
        self.slack_at = slack_at;
        self.dissipated += tie.yield_force * (self.slack_at - before);
    }
}

/// Elastic energy of a tie under a force, J.
pub(super) fn stored(tie: &Tie, force: f64) -> f64 {
    0.5 * force * force / tie.stiffness
}

/// Whether a tie breaks at an elongation.
fn breaks(tie: &Tie, elongation: f64) -> bool {
    tie.max_elongation.is_some_and(|most| elongation > most)
}

#[cfg(test)]
mod tests {
    use super::*;
    use drystone_geometry::DVec3;

    fn tie() -> Tie {
        Tie {
            name: "tie".to_owned(),
            blocks: [None; 2],
            points: [DVec3::ZERO, DVec3::X],
            stiffness: 1000.0,
            yield_force: 10.0,
            max_elongation: Some(0.1),
            initial_force: 4.0,
        }
    }

    /// Elastic, yielding, unloading, slack, reloading, breaking; the area under the path is what was dissipated.
    #[test]
    fn the_law_along_a_path() {
        let tie = tie();
        let mut memory = TieMemory::new(&tie);
        let mut force_at = |elongation: f64| {
            let (force, next) = memory.pull(&tie, elongation);
            memory = next;
            (force, next.dissipated)
        };
        let near = |(force, lost): (f64, f64), expected: (f64, f64)| {
            assert!((force - expected.0).abs() < 1e-9, "{force} {expected:?}");
            assert!((lost - expected.1).abs() < 1e-9, "{lost} {expected:?}");
        };
        near(force_at(0.0), (4.0, 0.0));
        near(force_at(0.006), (10.0, 0.0));
        near(force_at(0.036), (10.0, 0.3));
        near(force_at(0.030), (4.0, 0.3));
        near(force_at(0.020), (0.0, 0.3));
        near(force_at(0.034), (8.0, 0.3));
        // Yields by 0.064 m more, then what it holds is lost: 10² / 2000.
        near(force_at(0.1001), (0.0, 0.3 + 0.641 + 0.05));
        near(force_at(0.01), (0.0, 0.991));
    }

    /// On the way to rest the force is that of the path; stiffness is its derivative, and it is that of the energy.
    #[test]
    fn responses_are_the_derivatives_of_the_energy() {
        let tie = tie();
        let (_, memory) = TieMemory::new(&tie).pull(&tie, 0.036);
        for elongation in [0.01, 0.028, 0.035, 0.05] {
            let here = memory.response(&tie, elongation);
            assert_eq!(here.force, memory.pull(&tie, elongation).0);
            let h = 1e-6;
            let [less, more] = [-h, h].map(|h| memory.response(&tie, elongation + h));
            let force = (more.energy - less.energy) / (2.0 * h);
            let stiffness = (more.force - less.force) / (2.0 * h);
            // Both are piecewise polynomials of at most second degree: only rounding is left.
            assert!((force - here.force).abs() < 1e-6, "{force} {here:?}");
            assert!((stiffness - here.stiffness).abs() < 1e-3, "{stiffness}");
        }
        // Elastic up to 0.036, then plastic.
        let energy = memory.response(&tie, 0.05).energy;
        assert!((energy - (0.05 + 0.14)).abs() < 1e-9, "{energy}");
    }

    #[test]
    fn at_rest_it_has_yielded_or_is_broken() {
        let tie = tie();
        let mut memory = TieMemory::new(&tie);
        assert!(!memory.draw(&tie, 0.036));
        assert!((memory.slack_at - 0.026).abs() < 1e-12);
        assert!(!memory.draw(&tie, 0.0));
        assert!((memory.slack_at - 0.026).abs() < 1e-12);
        assert!(memory.draw(&tie, 0.11));
        assert!(!memory.draw(&tie, 0.12));
        assert_eq!(memory.response(&tie, 0.09), TieResponse::default());
    }

    /// A rigid tie is the limit of ever stiffer ones.
    #[test]
    fn a_rigid_tie_is_taut_where_it_is_longest() {
        let tie = tie();
        let stiff = Tie {
            stiffness: 1e9,
            initial_force: 0.0,
            ..tie.clone()
        };
        let (mut rigid, mut almost) = (TieMemory::rigid(), TieMemory::new(&stiff));
        for (elongation, force) in [(0.01, 10.0), (0.02, 10.0), (0.015, 0.0), (0.03, 10.0)] {
            assert!(!rigid.draw_rigid(&tie, elongation) && !almost.draw(&stiff, elongation));
            assert_eq!(rigid.strength(&tie, elongation), force);
            // By how far the stiff one is drawn elastically.
            assert!((rigid.slack_at - almost.slack_at).abs() < 1.1e-8);
            assert!((rigid.dissipated - almost.dissipated).abs() < 1.1e-7);
        }
        assert!(rigid.draw_rigid(&tie, 0.11) && !rigid.draw_rigid(&tie, 0.12));
        assert_eq!(rigid.strength(&tie, 0.12), 0.0);
    }
}
