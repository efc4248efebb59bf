//! Pushover: how the multiplier of loads grows and falls with the displacement of a structure, PGCL sections 2 to 4.
//!
//! The falling branch is that of rigid blocks: the limit of the configuration, a small motion along its mechanism, the limit of the next
//! configuration, and so on to the displacement at which dead loads alone keep the balance. The rising one has joints that give way.

mod answer;
mod control;
mod crushing;
mod elastic;
mod leap;
mod loads;
mod motion;
mod outcome;
mod posed;
mod rigid;
mod ties;

pub(crate) use answer::ask;
pub use answer::recall;
pub use outcome::{Branch, Curve, CurvePoint, Ending, Outcome};

use drystone_model::{Joints, Model, Pushover, STATICS_TOLERANCE};

use crate::statics::detail::notes;
use crate::statics::{Posed, StaticsFault, standing};
use elastic::Elastic;
use loads::Loads;
use rigid::Rigid;

/// Told each point of the curve as it is found; says whether to go on.
pub type Observe<'o> = dyn FnMut(&CurvePoint) -> bool + 'o;

/// Answers a pushover.
pub fn pushover(
    model: &Model,
    settings: &Pushover,
    observe: &mut Observe<'_>,
) -> Result<Outcome, StaticsFault> {
    let posed = Posed::new(model);
    let loads = Loads::new(model, settings);
    if loads.is_nothing() {
        return Err(StaticsFault::NoLoad);
    }
    let alone = standing(&posed, &posed.statics.dead(), STATICS_TOLERANCE)?;
    if alone.is_marginal() {
        return Err(StaticsFault::Marginal);
    }
    if !alone.solved {
        return Err(StaticsFault::Unsolved(alone.residual));
    }
    if !alone.stands {
        return Ok(Outcome::fallen(model, &posed, &alone));
    }
    let rigid = Rigid::new(model, settings, loads.clone());
    let (mut outcome, control) = rigid.run(&posed, observe)?;
    outcome.notes.splice(0..0, notes(&posed));
    let elastic = settings.joints == Joints::Elastic;
    let wanted = elastic && outcome.ending != Ending::Interrupted;
    if elastic && !wanted {
        // Where the branches meet is not known yet.
        (outcome.alpha_y, outcome.d_y) = (None, None);
    }
    if let (Some(control), Some(onset), true) = (control, outcome.alpha_0, wanted) {
        let elastic = Elastic::new(model, &posed, loads);
        let curve = &outcome.curve;
        let settings = Pushover {
            max_displacement: settings.last_displacement(),
            ..settings.clone()
        };
        let rise = elastic.run(&settings, &control, onset, curve, observe);
        if rise.peak.is_none() {
            let reason = rise.ending.words();
            let note = format!("the elastic branch ends before its peak: {reason}");
            outcome.notes.push(note);
        }
        outcome.alpha_y = rise.peak.map(|(alpha, _)| alpha);
        outcome.d_y = rise.peak.map(|(_, d)| d);
        outcome.initial_stiffness = rise.stiffness;
        outcome.elastic_ending = Some(rise.ending);
        outcome.elastic_solves = rise.solves;
        outcome.curve.points.splice(0..0, rise.points);
    }
    Ok(outcome)
}
