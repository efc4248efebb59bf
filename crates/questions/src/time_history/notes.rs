//! What whoever relies on a time history should know: how much of its motion the analysis saw, and how well.

use drystone_model::{
    FrictionLaw, Interface, Joints, Model, Motion, MotionKind, Pulse, Scheme, TimeHistory,
};
use drystone_shaking::GroundMotion;

use super::{Status, Summary};

/// Part of the shaking that is nothing: an analysis that saw less has not seen the earthquake.
const NOTHING: f64 = 0.01;
/// Part of the shaking that has come when the strong part of a motion begins, as in significant durations.
const STRONG: f64 = 0.05;
/// Part of its greatest velocity with which a ground may end and still count as stopped; processed records end with less.
const STOPPED: f64 = 0.05;
/// Steps in a half-period of a pulse at least: its greatest acceleration is then right to some percent.
const STEPS_PER_PULSE: f64 = 10.0;
/// Instants at which the velocity of the ground is looked at to find its greatest.
const SAMPLES: u32 = 2000;

/// Sentences about a time history.
pub(super) fn notes(
    model: &Model,
    settings: &TimeHistory,
    ground: &GroundMotion,
    results: &Summary,
) -> Vec<String> {
    let mut notes = Vec::new();
    // What stopped early for another reason says so.
    if matches!(results.status, Status::Stood | Status::Undecided) {
        notes.extend(cut_short(settings, ground, results));
    }
    notes.extend(goes_on(ground, results));
    let motions = settings.motions.iter();
    let motions = motions.filter_map(|&k| model.motions.get(k));
    notes.extend(motions.filter_map(|motion| too_coarse(motion, settings)));
    notes.extend(slips_while_it_swings(settings));
    notes.extend(mortar(model, settings));
    notes.extend(crushing(model));
    notes
}

/// Springs that swing press on their joints and let go in turn, and the associated law lets them slide each time by what it lets them open.
fn slips_while_it_swings(settings: &TimeHistory) -> Option<String> {
    let swings = settings.joints == Joints::Elastic && settings.scheme == Scheme::Leapfrog;
    (swings && settings.friction_law == FrictionLaw::Associated).then(|| {
        "elastic joints may slide under the associated law of friction as they vibrate, though friction would hold them: use `friction_law = \"coulomb\"`, or `scheme = \"euler\"`, which damps the vibration"
            .to_owned()
    })
}

/// What of mortar does not count in motion.
fn mortar(model: &Model, settings: &TimeHistory) -> Option<String> {
    if !model.interfaces().any(Interface::is_bonded) {
        return None;
    }
    if settings.joints == Joints::Elastic || settings.regularisation.is_some() {
        return Some(
            "cohesion and tensile_strength are not applied: mortar is treated in time histories with rigid joints and without `regularisation` only"
                .to_owned(),
        );
    }
    let beyond =
        |law: &Interface| law.cohesion > (1.0 + 1e-9) * law.friction * law.tensile_strength;
    model.interfaces().any(beyond).then(|| {
        "cohesion counts up to friction times tensile_strength: what it has beyond that is treated in equilibrium and limit analyses only, so that joints slide earlier here"
            .to_owned()
    })
}

/// That joints which crush in statics do not in motion; a model in which nothing crushes says so itself.
fn crushing(model: &Model) -> Option<String> {
    let mut laws = model.interfaces();
    let mut analyses = model.analyses.iter();
    (laws.any(|law| law.compressive_strength.is_some())
        && analyses.any(|analysis| analysis.kind.crushes()))
    .then(|| {
        "compressive_strength is not applied: joints do not crush in time histories".to_owned()
    })
}

/// An analysis that ends before its motion does.
fn cut_short(settings: &TimeHistory, ground: &GroundMotion, results: &Summary) -> Option<String> {
    let end = results
        .motion_end
        .filter(|&end| end > results.time + 1e-9)?;
    let mut text = format!(
        "the motion lasts {} s and the analysis {} s: nothing is said about what comes later; `duration` {} would cover it",
        short(end),
        short(results.time),
        short(end)
    );
    let whole = ground.intensity(ground.end());
    let part = ground.intensity(results.time) / whole;
    if whole > 0.0 && part < NOTHING {
        text = format!(
            "only {:.1} % of the shaking (by Arias intensity) come within the {} s of the analysis, and the strong part begins at {:.1} s of {}: `duration` is too short to say anything about it",
            100.0 * part,
            short(settings.duration),
            ground.time_of_intensity(STRONG),
            short(end)
        );
    }
    Some(text)
}

/// A ground that is not brought to a stop.
fn goes_on(ground: &GroundMotion, results: &Summary) -> Option<String> {
    let end = ground.end();
    if end > results.time + 1e-9 {
        return None;
    }
    let last = ground.velocity(end).length();
    let speed = |k: u32| ground.velocity(end * f64::from(k) / f64::from(SAMPLES));
    let greatest = (0..=SAMPLES).map(|k| speed(k).length()).fold(0.0, f64::max);
    (last > STOPPED * greatest).then(|| {
        format!(
            "the ground ends in motion, at {last:.3} m/s: what would stop it is not part of the motion, and is not felt by the structure"
        )
    })
}

/// Steps that do not resolve what they are driven by.
fn too_coarse(motion: &Motion, settings: &TimeHistory) -> Option<String> {
    let dt = settings.adaptive.map_or(settings.dt, |steps| steps.largest);
    let name = &motion.name;
    let of_record = |sampling: f64| {
        (dt > sampling * (1.0 + 1e-9)).then(|| {
            format!(
                "the time step of {} s is longer than that of the record \"{name}\", {} s: what lies between steps is averaged",
                short(dt),
                short(sampling)
            )
        })
    };
    let of_pulse = |half_period: f64| {
        (dt * STEPS_PER_PULSE > half_period * (1.0 + 1e-9)).then(|| {
            format!(
                "the time step of {} s is more than a tenth of the half-period of \"{name}\", {} s",
                short(dt),
                short(half_period)
            )
        })
    };
    match &motion.kind {
        MotionKind::Record { components } => {
            let samplings = components.iter().map(|component| component.series.dt);
            of_record(samplings.fold(f64::INFINITY, f64::min))
        }
        MotionKind::Stochastic { settings, .. } => of_record(settings.dt),
        MotionKind::CodeSpectrum { settings, .. } => of_record(settings.dt),
        MotionKind::Pulse { pulse, .. } => of_pulse(match pulse {
            Pulse::OneSine { half_period, .. }
            | Pulse::Biphasic { half_period, .. }
            | Pulse::Rectangular { half_period, .. } => *half_period,
            Pulse::Sine { frequency, .. } => 0.5 / frequency,
        }),
        MotionKind::Settlement { .. } => None,
    }
}

/// A number of seconds to the microsecond, without zeros at its end.
pub(super) fn short(seconds: f64) -> String {
    let text = format!("{seconds:.6}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
