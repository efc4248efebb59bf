//! How exactly the problems of steps are solved.
//!
//! A solver that stops at the tolerance `e` leaves errors of velocity of about `e v`, with changing sign from step to step. In a time `1/w`, where `w = sqrt(g/R)` is the
//! slowest frequency with which a block of radius `R` rocks, `1/(w dt)` steps add up to `e v (w dt)^(-1/2)`. The error of the scheme in the same time is
//! that of its phase, `v (w dt)²/24` for the leapfrog scheme and `v w dt/2` for the other one. The solver's share is not the larger one if
//!
//! ```text
//! e <= (w dt)^(5/2) / 24   (leapfrog),      e <= (w dt)^(3/2) / 2   (euler).
//! ```
//!
//! A fixed tolerance ends convergence instead: below some step errors grow again with the number of steps.
//!
//! Where steps adapt, each of them may be off by a position `d`. An error of velocity `e v` lasts, and moves a block by `e v / w` in the time `1/w`. With `v = w R` that is `e R`, so
//! that the solver's share is a small part of the steps' if
//!
//! ```text
//! e <= d / (100 R)   (adaptive).
//! ```

use drystone_cone::Tolerances;
use drystone_model::{Model, Scheme, TimeHistory, Tolerance};

/// Of the step problems of a run.
pub fn tolerances(model: &Model, settings: &TimeHistory) -> Tolerances {
    let most = match settings.adaptive {
        None => scheme_error(model, settings.scheme, settings.dt),
        Some(steps) => step_error(model, steps.tolerance),
    };
    match settings.tolerance {
        Tolerance::Preview => Tolerances::preview(),
        Tolerance::Default => at_most(Tolerances::default(), most),
        Tolerance::Validation => at_most(Tolerances::validation(), most),
    }
}

/// Radius of the largest free block, m; zero if there is none.
fn largest_radius(model: &Model) -> f64 {
    let free = model.blocks.iter().filter(|block| !block.support);
    free.map(|block| block.shape.radius()).fold(0.0, f64::max)
}

/// Error of velocity per step, relative, that moves blocks by a small part of what steps that adapt may be off by, `tolerance`, m.
fn step_error(model: &Model, tolerance: f64) -> f64 {
    let blocks = model.blocks.iter().filter(|block| !block.support).count();
    let error = SHARE * tolerance / largest_radius(model);
    if error.is_finite() {
        error.max(SMALLEST_PER_BLOCK * blocks as f64)
    } else {
        f64::INFINITY
    }
}

/// Error of velocity per step, relative, that adds up to no more than the error of the scheme.
fn scheme_error(model: &Model, scheme: Scheme, dt: f64) -> f64 {
    let phase = (model.gravity / largest_radius(model)).sqrt() * dt;
    let error = match scheme {
        Scheme::Euler => phase.powf(1.5) / 2.0,
        Scheme::Leapfrog => phase.powf(2.5) / 24.0,
    };
    // Without weight or blocks nothing rocks.
    if error > 0.0 && error.is_finite() {
        error.max(SMALLEST)
    } else {
        f64::INFINITY
    }
}

/// What the solver reaches in buildings without its fallbacks: a house needs them in some steps at half of this. Single blocks and arches reach 1e-12.
const SMALLEST: f64 = 1e-9;
/// The same in proportion to the number of blocks. Steps that adapt come to need it.
const SMALLEST_PER_BLOCK: f64 = 5e-12;

/// Part of the tolerance of steps that is left to the solver. Errors of leapfrog steps cancel to about a tenth of their sum, those of the solver do not cancel.
const SHARE: f64 = 0.01;

fn at_most(tolerances: Tolerances, most: f64) -> Tolerances {
    Tolerances {
        momentum: tolerances.momentum.min(most),
        primal: tolerances.primal.min(most),
        gap: tolerances.gap.min(most),
    }
}

#[cfg(test)]
mod tests {
    use drystone_model::{Adaptive, AnalysisKind};

    use super::*;

    /// Tolerances of the rocking block of the examples, which is 2.09 m from corner to corner.
    fn of_block(change: impl Fn(&mut TimeHistory)) -> Tolerances {
        let text = include_str!("../../../../examples/housner-block/model.toml");
        let model = drystone_model::from_toml(text).unwrap();
        let settings = model
            .analyses
            .iter()
            .find_map(|analysis| match &analysis.kind {
                AnalysisKind::TimeHistory(settings) => Some(settings.clone()),
                _ => None,
            });
        let mut settings = settings.unwrap();
        settings.scheme = Scheme::Leapfrog;
        change(&mut settings);
        tolerances(&model, &settings)
    }

    #[test]
    fn the_tolerance_follows_the_step_and_the_scheme() {
        let at = |dt: f64| of_block(|settings| settings.dt = dt);
        assert_eq!(at(4e-3), Tolerances::default());
        let (one, half) = (at(1e-3).gap, at(5e-4).gap);
        assert!((1e-8..3e-8).contains(&one), "{one}");
        assert!((one / half - 2f64.powf(2.5)).abs() < 1e-9);
        assert_eq!(at(1e-6).gap, SMALLEST);

        let strict = of_block(|settings| {
            settings.dt = 5e-4;
            settings.tolerance = Tolerance::Validation;
        });
        assert_eq!([strict.momentum, strict.gap], [half, 1e-9]);
        let euler = of_block(|settings| {
            settings.dt = 1e-4;
            settings.scheme = Scheme::Euler;
        });
        assert_eq!(euler, Tolerances::default());
    }

    #[test]
    fn the_tolerance_follows_that_of_steps_that_adapt() {
        let at = |tolerance: f64, dt: f64| {
            of_block(|settings| {
                settings.dt = dt;
                settings.adaptive = Some(Adaptive {
                    tolerance,
                    smallest: 5e-5,
                    largest: 5e-3,
                });
            })
        };
        assert_eq!(at(1e-4, 1e-3), Tolerances::default());
        let (coarse, fine) = (at(1e-6, 1e-3).gap, at(1e-8, 1e-3).gap);
        // A hundredth of the tolerance over the radius of 1.04 m.
        assert!((0.9e-8..1e-8).contains(&coarse), "{coarse}");
        assert!((coarse / fine - 100.0).abs() < 1e-9);
        // The first step decides nothing.
        assert_eq!(at(1e-8, 1e-4).gap, fine);
        assert_eq!(at(1e-15, 1e-3).gap, SMALLEST_PER_BLOCK);
    }
}
