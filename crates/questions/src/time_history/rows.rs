//! The tables of a time history, which grow as it runs.

use std::collections::BTreeMap;

use drystone_geometry::DVec3;
use drystone_mechanics::ContactForce;
use drystone_model::{Joints, Model, TimeHistory};

use super::run::{Frame, StepNote};
use crate::answer::{Cell, Table};

/// Columns of the table of steps.
const STEPS: [&str; 8] = [
    "time",
    "dt",
    "residual",
    "iterations",
    "contacts",
    "penetration",
    "imbalance",
    "natural_map",
];

/// The resultant of the contact forces between two blocks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Resultant {
    /// s.
    pub time: f64,
    /// The force acts on the second.
    pub blocks: [usize; 2],
    /// Point of action, m.
    pub point: DVec3,
    /// N.
    pub force: DVec3,
}

/// Everything that is recorded of a run but the motion itself.
#[derive(Debug, Clone, PartialEq)]
pub struct Rows {
    /// Energies, monitors and the ground at output times.
    pub history: Table,
    /// Forces and elongations of ties at output times.
    pub ties: Table,
    /// How well each step was solved.
    pub diagnostics: Table,
    /// Resultants of contact forces, those of one time after another.
    pub resultants: Vec<Resultant>,
    elastic: bool,
}

impl Rows {
    /// The tables of an analysis, empty.
    pub fn new(model: &Model, settings: &TimeHistory) -> Self {
        let elastic = settings.joints == Joints::Elastic;
        let monitors = settings.monitors.iter();
        let monitors: Vec<&str> = monitors.map(|monitor| monitor.name.as_str()).collect();
        let of_tie = |name: &str| ["force", "elongation"].map(|what| format!("{name}.{what}"));
        let ties: Vec<String> = model
            .ties
            .iter()
            .flat_map(|tie| of_tie(&tie.name))
            .collect();
        Self {
            history: Table::new("history").numbers(&history_columns(&monitors, elastic)),
            ties: Table::new("ties").numbers(&["time"]).numbers(&ties),
            diagnostics: Table::new("diagnostics").numbers(&STEPS),
            resultants: Vec::new(),
            elastic,
        }
    }

    /// The tables; that of ties if there are any.
    pub fn tables(&self) -> impl Iterator<Item = &Table> {
        let ties = (self.ties.columns.len() > 1).then_some(&self.ties);
        [&self.history, &self.diagnostics].into_iter().chain(ties)
    }

    /// The row of a frame in the table of histories.
    pub fn history_row(&self, frame: &Frame) -> Vec<f64> {
        history_row(frame, self.elastic)
    }

    /// Takes in a frame.
    pub fn frame(&mut self, frame: &Frame) {
        let row = self.history_row(frame);
        self.history.push(row.into_iter().map(Cell::Number));
        self.ties.push(ties_row(frame).map(Cell::Number));
    }

    /// Takes in a step.
    pub fn step(&mut self, note: &StepNote) {
        self.diagnostics.push(step_row(note).map(Cell::Number));
    }

    /// Takes in the contact forces of an instant.
    pub fn forces(&mut self, time: f64, forces: &[ContactForce]) {
        let mut sums: BTreeMap<[usize; 2], Sum> = BTreeMap::new();
        for force in forces {
            sums.entry(force.blocks).or_default().add(force);
        }
        let all = sums.into_iter();
        self.resultants
            .extend(all.filter_map(|(blocks, sum)| sum.resultant(time, blocks)));
    }
}

/// Time and energies, then displacement and rotation of each monitor relative to the ground, then the ground; at the end the energy that
/// joints hold, where they are elastic.
pub fn history_columns(monitors: &[&str], elastic: bool) -> Vec<String> {
    let mut columns: Vec<String> = ["time", "kinetic", "potential", "harvested", "dissipated"]
        .map(str::to_owned)
        .to_vec();
    for monitor in monitors {
        columns
            .extend(["ux", "uy", "uz", "rx", "ry", "rz"].map(|axis| format!("{monitor}.{axis}")));
    }
    columns.extend(["ux", "uy", "uz"].map(|axis| format!("ground.{axis}")));
    if elastic {
        columns.push("elastic".to_owned());
    }
    columns
}

/// The values of a frame in the order of [`history_columns`].
pub fn history_row(frame: &Frame, elastic: bool) -> Vec<f64> {
    let energy = &frame.energy;
    let mut row = Vec::with_capacity(9 + 6 * frame.monitors.len());
    row.extend([
        frame.time,
        energy.kinetic,
        energy.potential,
        energy.harvested,
        energy.dissipated,
    ]);
    for reading in &frame.monitors {
        row.extend(reading.displacement.to_array());
        row.extend(reading.rotation.to_array());
    }
    row.extend(frame.ground.to_array());
    if elastic {
        row.push(energy.elastic);
    }
    row
}

/// Time, then force (N) and elongation (m) of each tie.
pub fn ties_row(frame: &Frame) -> impl Iterator<Item = f64> + '_ {
    let ties = frame.ties.iter();
    let numbers = ties.flat_map(|tie| [tie.force, tie.elongation]);
    std::iter::once(frame.time).chain(numbers)
}

/// How well a step was solved.
pub fn step_row(note: &StepNote) -> [f64; 8] {
    [
        note.time,
        note.dt,
        note.residual,
        f64::from(note.iterations),
        note.contacts as f64,
        note.penetration,
        note.imbalance,
        note.natural_map,
    ]
}

#[derive(Debug, Clone, Copy, Default)]
struct Sum {
    force: DVec3,
    normal: f64,
    lever: DVec3,
    place: DVec3,
    count: f64,
}

impl Sum {
    fn add(&mut self, force: &ContactForce) {
        self.force += force.normal_force * force.normal + force.shear_force;
        self.normal += force.normal_force;
        self.lever += force.normal_force * force.point;
        self.place += force.point;
        self.count += 1.0;
    }

    fn resultant(self, time: f64, blocks: [usize; 2]) -> Option<Resultant> {
        (self.force.length() > 0.0).then(|| Resultant {
            time,
            blocks,
            point: if self.normal > 0.0 {
                self.lever / self.normal
            } else {
                self.place / self.count
            },
            force: self.force,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elastic_energy_comes_last() {
        let columns = history_columns(&[], true);
        assert_eq!(
            columns[5..],
            ["ground.ux", "ground.uy", "ground.uz", "elastic"]
        );
        assert_eq!(history_columns(&[], false).len(), 8);
    }

    #[test]
    fn forces_between_two_blocks_are_summed_where_they_act() {
        let force = |x: f64, normal_force: f64| ContactForce {
            blocks: [0, 1],
            point: DVec3::new(x, 0.0, 0.0),
            normal: DVec3::Z,
            normal_force,
            shear_force: DVec3::ZERO,
            gap: 0.0,
        };
        let mut sum = Sum::default();
        sum.add(&force(0.0, 3.0));
        sum.add(&force(4.0, 1.0));
        let found = sum.resultant(0.5, [0, 1]).unwrap();
        assert_eq!((found.point.x, found.force.z, found.time), (1.0, 4.0, 0.5));
        assert_eq!(Sum::default().resultant(0.0, [0, 1]), None);
    }
}
