//! Tables of statics: `mechanism.csv`, `joints.csv`, `reactions.csv`, `polar.csv`, and `forces.csv` at one instant.

use std::path::Path;

use drystone_analysis::statics::{Joint, Movement, PolarPoint, Reaction, ThrustLine};
use drystone_cone::LimitStatus;
use drystone_geometry::DVec3;
use drystone_mechanics::Statics;
use drystone_model::Model;

use super::{Cell, ForcesTable, Table};
use crate::Error;

fn numbers(v: DVec3) -> [Cell<'static>; 3] {
    v.to_array().map(Cell::Number)
}

fn names(columns: &[&str]) -> Vec<String> {
    columns.iter().map(|&column| column.to_owned()).collect()
}

/// Velocities of all free blocks, m/s and rad/s.
pub fn write_mechanism(
    path: &Path,
    statics: &Statics<'_>,
    velocity: &[[f64; 6]],
) -> Result<(), Error> {
    let columns = ["block", "vx", "vy", "vz", "wx", "wy", "wz"];
    let mut table = Table::create(path, &names(&columns))?;
    for (&block, velocity) in statics.bodies.blocks.iter().zip(velocity) {
        let name = Cell::Text(&statics.model.blocks[block].name);
        table.append([name].into_iter().chain(velocity.map(Cell::Number)))?;
    }
    table.finish()
}

/// Contact points with their forces, local components, N. The columns are those of time histories; the time is zero.
pub fn write_static_forces(
    path: &Path,
    statics: &Statics<'_>,
    force: &[[f64; 3]],
) -> Result<(), Error> {
    let mut table = ForcesTable::create(path)?;
    for contact in statics.contact_forces(force) {
        let blocks = contact
            .blocks
            .map(|i| statics.model.blocks[i].name.as_str());
        table.append(0.0, blocks, &contact)?;
    }
    table.finish()
}

/// What joints carry and how they move. Forces act on block `b`, compression positive.
pub fn write_joints(path: &Path, model: &Model, joints: &[Joint]) -> Result<(), Error> {
    let columns = [
        "a",
        "b",
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
        "movement",
        "hinge_x",
        "hinge_y",
        "hinge_z",
        "opening",
        "sliding",
    ];
    let mut table = Table::create(path, &names(&columns))?;
    for joint in joints {
        let [a, b] = joint.blocks.map(|i| Cell::Text(&model.blocks[i].name));
        let motion = match &joint.motion {
            None => vec![Cell::Text(""); 6],
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
        table.append(cells)?;
    }
    table.finish()
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
pub fn write_reactions(path: &Path, model: &Model, reactions: &[Reaction]) -> Result<(), Error> {
    let columns = ["support", "fx", "fy", "fz", "mx", "my", "mz"];
    let mut table = Table::create(path, &names(&columns))?;
    for reaction in reactions {
        let name = reaction
            .block
            .map_or("ground", |block| &model.blocks[block].name);
        let name = Cell::Text(name);
        let cells = [name]
            .into_iter()
            .chain(numbers(reaction.force))
            .chain(numbers(reaction.moment));
        table.append(cells)?;
    }
    table.finish()
}

/// The limit by direction.
pub fn write_polar(path: &Path, points: &[PolarPoint]) -> Result<(), Error> {
    let columns = [
        "angle_degrees",
        "x",
        "y",
        "status",
        "multiplier",
        "upper_bound",
        "moving_blocks",
    ];
    let mut table = Table::create(path, &names(&columns))?;
    for point in points {
        let status = match point.status {
            LimitStatus::Optimal => "optimal",
            LimitStatus::Unbounded => "unbounded",
            LimitStatus::Infeasible => "infeasible",
            LimitStatus::Inaccurate => "inaccurate",
        };
        table.append([
            Cell::Number(point.angle.to_degrees()),
            Cell::Number(point.angle.cos()),
            Cell::Number(point.angle.sin()),
            Cell::Text(status),
            Cell::Number(point.multiplier),
            Cell::Number(point.upper),
            Cell::Number(point.moving as f64),
        ])?;
    }
    table.finish()
}

/// Points of application of the resultant in joint after joint, m, with the force on the block that follows, N.
pub fn write_thrust_lines(path: &Path, model: &Model, lines: &[ThrustLine]) -> Result<(), Error> {
    let columns = [
        "state",
        "from",
        "to",
        "x",
        "y",
        "z",
        "fx",
        "fy",
        "fz",
        "edge_fraction",
        "friction_used",
    ];
    let mut table = Table::create(path, &names(&columns))?;
    for line in lines {
        for point in &line.points {
            let [from, to] = point.blocks.map(|i| Cell::Text(&model.blocks[i].name));
            let cells = [Cell::Text(line.state), from, to]
                .into_iter()
                .chain(numbers(point.point))
                .chain(numbers(point.force))
                .chain([point.edge_fraction, point.friction_used].map(Cell::Number));
            table.append(cells)?;
        }
    }
    table.finish()
}
