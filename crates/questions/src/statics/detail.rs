//! What equilibria and limit analyses have in common: joints, their tables, and what a page needs to draw them.

use drystone_geometry::DVec3;
use drystone_mechanics::Statics;
use drystone_model::Model;
use serde_json::{Map, Value, json};

use super::{CutState, CutThrust, Joint, Movement, Place, PolarPoint, Posed, Reaction, ThrustLine};
use crate::answer::{Cell, Measure, Table, force_row, force_table};

/// An answer of statics for whoever draws it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct StaticsDetail {
    /// What each joint carries, and how it moves.
    pub joints: Vec<Joint>,
    /// Contact points of every joint, in order around it, m.
    pub outlines: Vec<Vec<DVec3>>,
    /// Thrust lines.
    pub lines: Vec<ThrustLine>,
    /// Thrusts over whole cuts, that of the lines first.
    pub cuts: Vec<CutThrust>,
    /// Velocity of every block as it begins to fall, m/s and rad/s, if it does.
    pub mechanism: Option<Vec<[f64; 6]>>,
    /// Capacity by direction.
    pub polar: Vec<PolarPoint>,
}

/// Velocities of all blocks from those of the free ones.
pub(crate) fn by_block(statics: &Statics<'_>, velocity: &[[f64; 6]]) -> Vec<[f64; 6]> {
    let mut all = vec![[0.0; 6]; statics.model.blocks.len()];
    for (&block, v) in statics.bodies.blocks.iter().zip(velocity) {
        all[block] = *v;
    }
    all
}

/// Contact points of every joint, in order around it.
pub fn outlines(statics: &Statics<'_>) -> Vec<Vec<DVec3>> {
    let manifolds = statics.touching.manifolds.iter();
    manifolds
        .map(|manifold| {
            let points = statics.touching.points_of(manifold).iter();
            let mut points: Vec<DVec3> = points.map(|point| point.midpoint()).collect();
            let middle = points.iter().sum::<DVec3>() / points.len().max(1) as f64;
            let (first, second) = manifold.normal.any_orthonormal_pair();
            let angle = |p: &DVec3| (*p - middle).dot(second).atan2((*p - middle).dot(first));
            points.sort_by(|a, b| angle(a).total_cmp(&angle(b)));
            points
        })
        .collect()
}

fn numbers(v: DVec3) -> [Cell<'static>; 3] {
    v.to_array().map(Cell::Number)
}

/// The tables that every answer of statics has.
pub(crate) fn tables(
    posed: &Posed<'_>,
    force: &[[f64; 3]],
    joints: &[Joint],
    reactions: &[Reaction],
) -> Vec<Table> {
    let model = posed.statics.model;
    vec![
        forces(&posed.statics, force),
        joints_table(model, joints),
        reactions_table(model, reactions),
    ]
}

/// Contact points with their forces, N, at one instant.
fn forces(statics: &Statics<'_>, force: &[[f64; 3]]) -> Table {
    let mut table = force_table();
    for contact in statics.contact_forces(force) {
        table.push(force_row(statics.model, 0.0, &contact));
    }
    table
}

/// Velocities of all free blocks, m/s and rad/s.
pub(crate) fn mechanism(statics: &Statics<'_>, velocity: &[[f64; 6]]) -> Table {
    let mut table = Table::new("mechanism")
        .words(&["block"])
        .numbers(&["vx", "vy", "vz", "wx", "wy", "wz"]);
    for (&block, velocity) in statics.bodies.blocks.iter().zip(velocity) {
        let name = Cell::Text(&statics.model.blocks[block].name);
        table.push([name].into_iter().chain(velocity.map(Cell::Number)));
    }
    table
}

/// What joints carry and how they move. Forces act on block `b`, compression positive.
fn joints_table(model: &Model, joints: &[Joint]) -> Table {
    let mut table = Table::new("joints")
        .words(&["a", "b"])
        .numbers(&[
            "area",
            "x",
            "y",
            "z",
            "nx",
            "ny",
            "nz",
            "normal",
            "shear",
            "shear_x",
            "shear_y",
            "shear_z",
            "point_x",
            "point_y",
            "point_z",
            "eccentricity",
            "edge_distance",
            "edge_fraction",
            "friction_used",
        ])
        .words(&["movement"])
        .maybe(&["hinge_x", "hinge_y", "hinge_z", "opening", "sliding"]);
    for joint in joints {
        let [a, b] = joint.blocks.map(|i| Cell::Text(&model.blocks[i].name));
        let motion = match &joint.motion {
            None => vec![Cell::Blank; 6],
            Some(motion) => [Cell::Text(word(motion.movement))]
                .into_iter()
                .chain(numbers(motion.at))
                .chain([motion.opening, motion.sliding].map(Cell::Number))
                .collect(),
        };
        let cells = [a, b, Cell::Number(joint.area)]
            .into_iter()
            .chain(numbers(joint.centre))
            .chain(numbers(joint.normal))
            .chain([joint.force, joint.shear.length()].map(Cell::Number))
            .chain(numbers(joint.shear))
            .chain(numbers(joint.point))
            .chain(
                [
                    joint.eccentricity,
                    joint.edge_distance,
                    joint.edge_fraction,
                    joint.friction_used,
                ]
                .map(Cell::Number),
            )
            .chain(motion);
        table.push(cells);
    }
    table
}

/// The word for a movement, as in summaries.
fn word(movement: Movement) -> &'static str {
    match movement {
        Movement::Closed => "closed",
        Movement::Hinge => "hinge",
        Movement::Sliding => "sliding",
        Movement::SlidingHinge => "sliding_hinge",
        Movement::Open => "open",
    }
}

/// Forces of supports on the structure, N, and their moments about the origin, N m.
fn reactions_table(model: &Model, reactions: &[Reaction]) -> Table {
    let mut table = Table::new("reactions")
        .words(&["support"])
        .numbers(&["fx", "fy", "fz", "mx", "my", "mz"]);
    for reaction in reactions {
        let block = reaction.block;
        let name = Cell::Text(block.map_or("ground", |block| &model.blocks[block].name));
        let cells = [name]
            .into_iter()
            .chain(numbers(reaction.force))
            .chain(numbers(reaction.moment));
        table.push(cells);
    }
    table
}

/// Points of application of the resultant in joint after joint, m, with the force on the block that follows, N.
pub(crate) fn thrust_table(model: &Model, lines: &[ThrustLine]) -> Table {
    let mut table = Table::new("thrust_line")
        .words(&["state", "from", "to"])
        .numbers(&[
            "x",
            "y",
            "z",
            "fx",
            "fy",
            "fz",
            "edge_fraction",
            "friction_used",
        ]);
    for line in lines {
        for point in &line.points {
            let [from, to] = point.blocks.map(|i| Cell::Text(&model.blocks[i].name));
            let cells = [Cell::Text(line.state), from, to]
                .into_iter()
                .chain(numbers(point.point))
                .chain(numbers(point.force))
                .chain([point.edge_fraction, point.friction_used].map(Cell::Number));
            table.push(cells);
        }
    }
    table
}

/// Thrusts by state over the first cut, for a summary, with where it is and how many joints it has; below it the same over the other one. Null if nothing is cut.
pub(crate) fn thrust(cuts: &[CutThrust]) -> Value {
    let Some((first, others)) = cuts.split_first() else {
        return Value::Null;
    };
    let mut told = by_state(first);
    for over in others {
        told.insert(over.cut.place.word(), Value::Object(by_state(over)));
    }
    Value::Object(told)
}

/// Thrusts over planes that were asked for, in their order, for a summary.
pub(crate) fn given(cuts: &[CutThrust]) -> Vec<Value> {
    cuts.iter().map(by_state).map(Value::Object).collect()
}

/// Thrusts over a cut by state, with where it is and how many joints it has.
fn by_state(over: &CutThrust) -> Map<String, Value> {
    let mut told = Map::new();
    let mut bounds = Map::new();
    for CutState {
        state,
        thrust,
        bound,
    } in &over.states
    {
        told.insert((*state).to_owned(), Value::from(*thrust));
        if let Some(bound) = bound {
            let both = [thrust.min(*bound), thrust.max(*bound)];
            bounds.insert((*state).to_owned(), json!(both));
        }
    }
    if !bounds.is_empty() {
        told.insert("bounds".to_owned(), Value::Object(bounds));
    }
    told.insert("at".to_owned(), Value::from(over.cut.place.word()));
    told.insert("joints".to_owned(), Value::from(over.cut.joints.len()));
    told.insert("ties".to_owned(), Value::from(over.cut.ties));
    told.insert("point".to_owned(), json!(over.cut.point.to_array()));
    told.insert("normal".to_owned(), json!(over.cut.outward.to_array()));
    told
}

/// What is measured over a cut: over planes that were asked for it need not be horizontal.
fn quantity(over: &CutThrust) -> &'static str {
    match over.cut.place {
        Place::Crown | Place::Springing => "horizontal thrust",
        Place::Given(_) => "force",
    }
}

/// Thrusts over the first cut of a path and over planes that were asked for, in words, for a headline; empty if nothing is cut.
pub(crate) fn thrust_words(cuts: &[CutThrust], given: &[CutThrust]) -> String {
    let words = |over: &CutThrust| {
        let of = |state: &str| {
            let found = over.states.iter().find(|found| found.state == state);
            found.map(|found| found.thrust / 1000.0)
        };
        let range = match (of("minimum"), of("maximum")) {
            (Some(low), Some(high)) => format!(", at least {low:.4} and at most {high:.4} kN"),
            (Some(low), None) => format!(", at least {low:.4} kN"),
            (None, Some(high)) => format!(", at most {high:.4} kN"),
            (None, None) => String::new(),
        };
        let own = over.states.first().map_or(f64::NAN, |own| own.thrust);
        format!(
            "; {} {} {:.4} kN{range}",
            quantity(over),
            over.cut.words(),
            own / 1000.0
        )
    };
    cuts.iter().take(1).chain(given).map(words).collect()
}

/// Thrusts as measures, N.
pub(crate) fn thrust_measures(cuts: &[CutThrust], given: &[CutThrust]) -> Vec<Measure> {
    let tell = |over: &CutThrust, found: &CutState| {
        let (which, suffix) = match found.state {
            "minimum" => ("least ", "_minimum"),
            "maximum" => ("greatest ", "_maximum"),
            _ => ("", ""),
        };
        let key = match over.cut.place {
            Place::Crown | Place::Springing => format!("thrust{suffix}"),
            Place::Given(index) => format!("cut_{}{suffix}", index + 1),
        };
        let label = format!("{which}{} {}", quantity(over), over.cut.words());
        Measure::main(&key, &label, found.thrust, "N")
    };
    let all = cuts.iter().take(1).chain(given);
    all.flat_map(|over| over.states.iter().map(move |found| tell(over, found)))
        .collect()
}

/// Ties with their tensions, for a summary.
pub(crate) fn ties(model: &Model, tension: &[f64]) -> Vec<Value> {
    let all = model.ties.iter().zip(tension);
    all.map(
        |(tie, tension)| json!({ "name": tie.name, "tension": tension, "yield": tie.yield_force }),
    )
    .collect()
}

/// Gaps that are not worth a word, m: those of coordinates in floating point.
const ROUNDING: f64 = 1e-9;

/// What somebody who reads the numbers should know.
pub(crate) fn notes(posed: &Posed<'_>) -> Vec<String> {
    let mut notes = Vec::new();
    if posed.uncrushed > 0 {
        notes.push(format!(
            "compressive_strength is not applied in {} joints that touch along one line only",
            posed.uncrushed
        ));
    }
    if posed
        .statics
        .model
        .interfaces()
        .any(|law| law.kinetic_friction < law.friction)
    {
        notes.push("kinetic_friction is not applied: what is at rest has `friction`".to_owned());
    }
    if posed.statics.largest_gap > ROUNDING {
        notes.push(format!(
            "blocks up to {:.1e} m apart count as touching",
            posed.statics.largest_gap
        ));
    }
    notes
}

/// When the stages of a question of statics ended, s.
pub(crate) struct Stages {
    start: f64,
    detected: f64,
    solved: f64,
}

impl Stages {
    /// Joints were found between two instants.
    pub(crate) fn detected(start: f64, now: f64) -> Self {
        Self {
            start,
            detected: now - start,
            solved: now - start,
        }
    }

    /// It is solved.
    pub(crate) fn solved(&mut self, now: f64) {
        self.solved = now - self.start;
    }

    /// How long it took in all, s, and by stages for the summary.
    pub(crate) fn seconds(&self, now: f64) -> (f64, Value) {
        let total = now - self.start;
        let stages = json!({
            "total": total,
            "detect": self.detected,
            "solve": self.solved - self.detected,
            "output": total - self.solved,
        });
        (total, stages)
    }
}
