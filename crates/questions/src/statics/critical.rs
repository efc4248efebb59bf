//! The value of a parameter at which a verdict changes, by bisection.

use drystone_cone::LimitStatus;
use drystone_model::{AnalysisKind, Equilibrium, Growing, Joints, Model, STATICS_TOLERANCE};

use super::{Posed, StaticsFault, limit, standing};

/// Factor by which the search goes away from the present value when it is not told between which values to look.
const STRIDE: f64 = 1.25;

/// Strides on either side: 1.25 to the 25th is 265.
const STRIDES: i32 = 25;

/// A value at which a verdict changes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Critical {
    /// The nearest value found at which the verdict is yes.
    pub holds: f64,
    /// The nearest value found at which it is no.
    pub fails: f64,
    /// Verdicts asked for.
    pub trials: u32,
}

impl Critical {
    /// The middle of both.
    pub fn value(&self) -> f64 {
        0.5 * (self.holds + self.fails)
    }
}

/// Whether a structure stands in the sense of an analysis: an equilibrium is stable, a limit multiplier is greater than `least`. Without an analysis,
/// and with one that has no such verdict, it is the equilibrium under dead loads.
pub fn holds(model: &Model, kind: Option<&AnalysisKind>, least: f64) -> Result<bool, StaticsFault> {
    let posed = Posed::new(model);
    match kind {
        Some(AnalysisKind::Limit(settings)) => {
            let result = limit(&posed, settings)?;
            if result.status == LimitStatus::Inaccurate || result.multiplier.is_nan() {
                return Err(StaticsFault::Unsolved(result.residual.worst()));
            }
            Ok(result.status != LimitStatus::Infeasible && result.multiplier > least)
        }
        Some(AnalysisKind::Equilibrium(settings)) => stands(&posed, settings),
        _ => {
            let dead_loads = Equilibrium {
                multiplier: 0.0,
                growing: Growing::default(),
                joints: Joints::Rigid,
                thrust_line: None,
                cuts: Vec::new(),
                tolerance: STATICS_TOLERANCE,
            };
            stands(&posed, &dead_loads)
        }
    }
}

/// The verdict alone, without the forces.
fn stands(posed: &Posed<'_>, settings: &Equilibrium) -> Result<bool, StaticsFault> {
    let mut loads = posed.statics.dead();
    for (load, more) in loads.iter_mut().zip(posed.growing(&settings.growing)) {
        (0..6).for_each(|k| load[k] += settings.multiplier * more[k]);
    }
    let standing = standing(posed, &loads, settings.tolerance)?;
    // At the limit itself nothing is proved, and what is not proved to stand does not count as standing.
    if !standing.solved && !standing.is_marginal() {
        return Err(StaticsFault::Unsolved(standing.residual));
    }
    Ok(standing.stands)
}

/// Halves an interval at whose ends the verdicts differ until it is shorter than `tolerance` times its larger end, or than a thousandth of
/// that times the interval at the start: a value of zero has no size of its own. Nothing if they do not differ.
pub fn bisect<E>(
    from: f64,
    to: f64,
    tolerance: f64,
    verdict: &mut dyn FnMut(f64) -> Result<bool, E>,
) -> Result<Option<Critical>, E> {
    let [first, last] = [verdict(from)?, verdict(to)?];
    if first == last {
        return Ok(None);
    }
    let (mut holds, mut fails) = if first { (from, to) } else { (to, from) };
    let mut trials = 2;
    let floor = 1e-3 * tolerance * (to - from).abs();
    while (holds - fails).abs() > floor.max(tolerance * holds.abs().max(fails.abs())) {
        let middle = 0.5 * (holds + fails);
        if middle == holds || middle == fails {
            break;
        }
        trials += 1;
        *if verdict(middle)? {
            &mut holds
        } else {
            &mut fails
        } = middle;
    }
    Ok(Some(Critical {
        holds,
        fails,
        trials,
    }))
}

/// Looks on both sides of a value for the nearest one with another verdict. A value for which there is no verdict ends the search on its side.
pub fn bracket<E>(
    start: f64,
    verdict: &mut dyn FnMut(f64) -> Result<bool, E>,
) -> Result<Option<[f64; 2]>, E> {
    let present = verdict(start)?;
    let mut open = [true; 2];
    let mut last = [start; 2];
    for stride in 1..=STRIDES {
        for (side, sign) in [(0, 1), (1, -1)] {
            if !open[side] {
                continue;
            }
            let value = start * STRIDE.powi(sign * stride);
            match verdict(value) {
                Ok(found) if found == present => last[side] = value,
                Ok(_) => return Ok(Some([last[side], value])),
                Err(_) => open[side] = false,
            }
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_where_a_verdict_changes_from_either_side() {
        let mut above = |x: f64| -> Result<bool, ()> { Ok(x > std::f64::consts::E) };
        let found = bisect(1.0, 5.0, 1e-12, &mut above).unwrap().unwrap();
        assert!((found.value() - std::f64::consts::E).abs() < 1e-11);
        assert!(found.holds > found.fails);
        assert_eq!(bisect(3.0, 5.0, 1e-9, &mut above).unwrap(), None);
        for start in [0.3, 40.0] {
            let [a, b] = bracket(start, &mut above).unwrap().unwrap();
            assert!((a > std::f64::consts::E) != (b > std::f64::consts::E));
        }
    }

    #[test]
    fn a_change_at_zero_is_found_in_the_end() {
        let mut above = |x: f64| -> Result<bool, ()> { Ok(x > 0.0) };
        let found = bisect(0.0, 1.0, 1e-6, &mut above).unwrap().unwrap();
        assert!(found.fails == 0.0 && found.holds <= 1e-9);
        assert!(found.trials < 40, "{}", found.trials);
    }

    #[test]
    fn what_cannot_be_asked_ends_one_side_only() {
        let mut verdict = |x: f64| if x > 2.0 { Err(()) } else { Ok(x > 0.1) };
        let [a, b] = bracket(1.0, &mut verdict).unwrap().unwrap();
        assert!(a > 0.1 && b <= 0.1);
        assert!(bracket(3.0, &mut verdict).is_err());
    }
}
