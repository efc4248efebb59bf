//! The experiments. Each gives named measurements; what they should be stands in `cases.toml`.

mod adaptive;
mod arch;
mod assessment;
mod audit;
mod basics;
mod block_3d;
mod bumps;
pub mod dilation;
mod domain;
mod elastic;
mod endurance;
mod ground;
mod house;
mod leapfrog;
mod leapfrog_contacts;
mod leapfrog_sliding;
mod leapfrog_space;
mod mortar;
mod oppenheim;
mod published;
mod pushover;
mod quasi_static;
mod rocking;
mod solvers;
mod statics;
mod statics_arches;
mod statics_structures;
mod structures;
mod throughput;
mod ties;
mod wall;

use std::path::Path;

use drystone_campaign::{Outcome, Task, execute};
use drystone_model::{AnalysisKind, Format, Model};
use drystone_questions::time_history::{Excitation, Run, Summary};

pub use endurance::endure;
pub use wall::wall_scene;

use crate::Measurements;
use crate::measured::{Part, note, note_all};

/// Names of all experiments.
pub const NAMES: &[&str] = &[
    "incline",
    "sliding",
    "braking",
    "flight",
    "drop",
    "ground",
    "audit",
    "housner",
    "rocking_wall",
    "bumps",
    "elastic",
    "block_3d",
    "oppenheim",
    "arch",
    "wall_205",
    "stack",
    "wall_1000",
    "solvers",
    "limits",
    "stone_house",
    "natural_arch",
    "leapfrog_housner",
    "leapfrog_threshold",
    "leapfrog_ground",
    "leapfrog_arch",
    "leapfrog_flight",
    "leapfrog_top",
    "leapfrog_rolling",
    "leapfrog_corner",
    "leapfrog_rest",
    "leapfrog_drop",
    "leapfrog_slide",
    "leapfrog_turn",
    "leapfrog_plinth",
    "leapfrog_collapse",
    "dilation_columns",
    "dilation_ratchet",
    "dilation_wall",
    "limits_coulomb",
    "statics_blocks",
    "statics_invariance",
    "statics_panels",
    "statics_facade",
    "statics_arches",
    "statics_thickness",
    "statics_structures",
    "statics_fall",
    "adaptive",
    "adaptive_ladder",
    "pushover_blocks",
    "pushover_facade",
    "pushover_winkler",
    "pushover_ends",
    "pushover_structures",
    "pushover_portal",
    "pushover_panels",
    "pushover_steps",
    "pushover_dynamics",
    "pushover_portal_tie",
    "pushover_triumphal_arch",
    "pushover_house",
    "assessment",
    "ties",
    "mortar",
    "mortar_motion",
    "kinetic_friction",
    "failure_domain",
    "house_domain",
    "house_fragility",
    "throughput",
    "statics_church",
    "endurance",
    "wall_at_rest_60s",
];

/// Runs one experiment; `quick` leaves out the parts that take minutes.
pub fn run(name: &str, quick: bool) -> Result<Measurements, String> {
    let _part = Part::begin();
    match name {
        "incline" => basics::incline(),
        "sliding" => basics::sliding(),
        "braking" => basics::braking(),
        "flight" => basics::flight(),
        "drop" => basics::drop(),
        "ground" => ground::run(),
        "audit" => audit::run(),
        "housner" => rocking::housner(quick),
        "rocking_wall" => rocking::wall(),
        "bumps" => bumps::run(),
        "elastic" => elastic::run(),
        "block_3d" => block_3d::run(),
        "oppenheim" => oppenheim::run(),
        "arch" => arch::run(),
        "wall_205" => wall::wall_205(),
        "stack" => wall::stack(),
        "wall_1000" => wall::wall_1000(),
        "solvers" => solvers::run(),
        "limits" => structures::limits(),
        "stone_house" => structures::stone_house(),
        "natural_arch" => structures::natural_arch(),
        "leapfrog_housner" => leapfrog::housner(quick),
        "leapfrog_threshold" => leapfrog::threshold(),
        "leapfrog_ground" => leapfrog::ground(),
        "leapfrog_arch" => leapfrog::arch(),
        "leapfrog_flight" => leapfrog_space::flight(),
        "leapfrog_top" => leapfrog_space::top(),
        "leapfrog_rolling" => leapfrog_space::rolling(),
        "leapfrog_corner" => leapfrog_space::corner(),
        "leapfrog_rest" => leapfrog_contacts::rest(quick),
        "leapfrog_drop" => leapfrog_contacts::drop(),
        "leapfrog_turn" => leapfrog_sliding::turn(),
        "leapfrog_slide" => leapfrog_sliding::slide(),
        "leapfrog_plinth" => leapfrog_contacts::plinth(),
        "leapfrog_collapse" => leapfrog_contacts::collapse(quick),
        "dilation_columns" => dilation::columns(quick),
        "dilation_ratchet" => dilation::ratchet(),
        "dilation_wall" => dilation::wall(),
        "limits_coulomb" => structures::limits_coulomb(),
        "statics_blocks" => statics::blocks(),
        "statics_invariance" => statics::invariance(),
        "statics_panels" => statics_structures::panels(),
        "statics_facade" => statics_structures::facade(),
        "statics_arches" => statics_arches::arches(),
        "statics_thickness" => statics_arches::thickness(),
        "statics_structures" => statics_structures::structures(),
        "statics_fall" => statics_structures::fall(),
        "adaptive" => adaptive::run(),
        "adaptive_ladder" => adaptive::ladder(),
        "pushover_blocks" => pushover::blocks(),
        "pushover_facade" => pushover::facade(),
        "pushover_winkler" => pushover::winkler(),
        "pushover_ends" => pushover::ends(),
        "pushover_structures" => pushover::structures(),
        "pushover_portal" => pushover::portal(),
        "pushover_panels" => published::panels(),
        "pushover_steps" => published::steps(),
        "pushover_dynamics" => quasi_static::run(),
        "pushover_portal_tie" => published::portal_tie(),
        "pushover_triumphal_arch" => published::triumphal_arch(),
        "pushover_house" => published::house(),
        "assessment" => assessment::run(),
        "ties" => ties::run(),
        "mortar" => mortar::statics(),
        "mortar_motion" => mortar::motion(),
        "kinetic_friction" => mortar::kinetic(),
        "failure_domain" => domain::run(),
        "house_domain" => house::domain(),
        "house_fragility" => house::fragility(),
        "throughput" => throughput::run(),
        "statics_church" => statics_structures::church(),
        "endurance" => endurance::run(),
        "wall_at_rest_60s" => endurance::wall_at_rest(quick),
        _ => Err(format!("no experiment is called {name}")),
    }
}

/// Runs the first time history of a model for its duration, and no longer, and shows the run to `observe` before the first step and after each one.
pub fn simulate(model: &Model, observe: &mut dyn FnMut(&Run<'_>)) -> Result<Summary, String> {
    let settings = model
        .analyses
        .iter()
        .find_map(|analysis| match &analysis.kind {
            AnalysisKind::TimeHistory(settings) => Some(settings),
            _ => None,
        })
        .ok_or("the model has no time history")?;
    let excitation =
        Excitation::new(model, &settings.motions).map_err(|error| error.to_string())?;
    note(model, settings);
    let mut run = Run::new(model, settings, excitation);
    observe(&run);
    while !run.at_end() && !run.finished() {
        run.advance(&mut ()).map_err(|fault| fault.to_string())?;
        observe(&run);
    }
    Ok(run.summary())
}

/// Runs a task of a campaign.
fn perform(task: &Task) -> Result<Outcome, String> {
    note_task(task)?;
    execute(task, Path::new(""), &|| false).ok_or("stopped".to_owned())
}

/// Notes the run that a task of a campaign is.
fn note_task(task: &Task) -> Result<(), String> {
    let spec = drystone_model::parse(&task.model.to_string(), Format::Json);
    let model = spec.and_then(|spec| drystone_model::compile(&spec));
    note_all(&model.map_err(|faults| faults.to_string())?);
    Ok(())
}

/// Times of the local maxima of a series, each the largest value within `window` seconds on both sides and above
/// `floor`.
pub fn peaks(series: &[(f64, f64)], window: f64, floor: f64) -> Vec<f64> {
    let mut found = Vec::new();
    for (i, &(time, value)) in series.iter().enumerate() {
        let near = |&&(t, _): &&(f64, f64)| (t - time).abs() <= window;
        let before = series[..i]
            .iter()
            .rev()
            .take_while(near)
            .all(|&(_, other)| other < value);
        let after = series[i + 1..]
            .iter()
            .take_while(near)
            .all(|&(_, other)| other <= value);
        let inside = i > 0 && i + 1 < series.len();
        if inside && before && after && value > floor {
            found.push(time);
        }
    }
    found
}

/// Last time at which a series is at or above its first value: a structure whose potential energy that is falls for good.
pub fn fall_begins(series: &[(f64, f64)]) -> f64 {
    let start = series.first().map_or(f64::NAN, |&(_, value)| value);
    series
        .iter()
        .rev()
        .find(|&&(_, value)| value >= start)
        .map_or(f64::NAN, |&(time, _)| time)
}
