//! A model as problems of statics: contacts, ties, crushing, bonds.

use drystone_cone::{Contact, LimitBond, LimitCrushing, LimitProblem, LimitTie};
use drystone_geometry::{DVec3, Pose};
use drystone_mechanics::{PlacedTie, Statics, TieMemory, tie_contact};
use drystone_model::{Growing, Model};

use super::balance::mean_load;

/// A model with its contacts, ties and joints that crush.
#[derive(Debug, Clone)]
pub struct Posed<'m> {
    /// Blocks and contacts.
    pub statics: Statics<'m>,
    /// Ties in the order of the model.
    pub ties: Vec<LimitTie>,
    /// Joints that crush.
    pub crushing: Vec<LimitCrushing>,
    /// How many joints of an interface with a strength touch along one line only, because they gape: an edge has no area to be crushed.
    pub uncrushed: usize,
    /// Bonds of contacts, in their order.
    pub bonds: Vec<LimitBond>,
}

/// By how much forces may exceed a limit, relative: what the solvers leave.
const EXCESS: f64 = 1e-6;

impl<'m> Posed<'m> {
    /// Finds contacts, ties and joints that crush.
    pub fn new(model: &'m Model) -> Self {
        let statics = Statics::new(model);
        let (crushing, uncrushed) = statics.crushing();
        Self {
            ties: ties(&statics),
            crushing,
            uncrushed,
            bonds: statics.bonds(),
            statics,
        }
    }

    /// The same where blocks have moved to, a pose each, with what ties remember of the way there. Joints bear any pressure, and no mortar holds them.
    pub fn at(model: &'m Model, poses: Vec<Pose>, memories: &[TieMemory]) -> Self {
        let statics = Statics::at(model, poses);
        let ties = model.ties.iter().zip(memories).map(|(tie, memory)| {
            let placed = PlacedTie::new(model, tie, &statics.poses);
            placed.limit(&statics.bodies, tie, memory)
        });
        Self {
            ties: ties.collect(),
            crushing: Vec::new(),
            bonds: Vec::new(),
            uncrushed: 0,
            statics,
        }
    }

    /// Whether contacts are all there is.
    pub fn is_plain(&self) -> bool {
        self.ties.is_empty() && self.crushing.is_empty() && self.bonds.is_empty()
    }

    /// Whether no tie is pulled beyond its yield force and no joint crushed, by forces of contacts, local components, and of ties, N.
    pub fn within_limits(&self, force: &[[f64; 3]], tension: &[f64]) -> bool {
        let mut ties = self.ties.iter().zip(tension);
        let mut joints = self.crushing.iter();
        // Joints with mortar are pressed from its tension on.
        let mut pressed: Vec<f64> = force.iter().map(|f| f[0]).collect();
        for bond in &self.bonds {
            pressed[bond.contact as usize] += bond.tension;
        }
        let mean = mean_load(self, &self.statics.dead());
        ties.all(|(tie, &tension)| tension <= (1.0 + EXCESS) * tie.strength)
            && joints.all(|joint| {
                let normal = |k: u32| pressed[k as usize];
                let carried: f64 = joint.contacts.iter().map(|&k| normal(k)).sum();
                joint.excess(normal) <= EXCESS * carried.max(mean)
            })
    }

    /// What is multiplied, per body, N and N m.
    pub fn growing(&self, growing: &Growing) -> Vec<[f64; 6]> {
        let mut loads = self.statics.body_force(growing.body.unwrap_or(DVec3::ZERO));
        if growing.live {
            self.statics.add_loads(true, &mut loads);
        }
        loads
    }

    /// The limit problem of dead and live loads.
    pub fn limit_problem(&self, dead: Vec<[f64; 6]>, live: Vec<[f64; 6]>) -> LimitProblem {
        LimitProblem {
            free: self.statics.model.free,
            dead,
            live,
            contacts: self.statics.contacts.clone(),
            ties: self.ties.clone(),
            crushing: self.crushing.clone(),
            bonds: self.bonds.clone(),
        }
    }

    /// Ties as contacts that no limit holds.
    pub fn tie_contacts(&self) -> impl Iterator<Item = Contact> + '_ {
        self.ties.iter().map(tie_contact)
    }
}

fn ties(statics: &Statics<'_>) -> Vec<LimitTie> {
    let ties = statics.model.ties.iter();
    ties.map(|tie| {
        let placed = PlacedTie::initial(statics.model, tie);
        placed.limit(&statics.bodies, tie, &TieMemory::rigid())
    })
    .collect()
}
