//! A model as problems of statics: contacts, ties, crushing.

use drystone_cone::{Contact, FIXED, LimitCrushing, LimitProblem, LimitTie};
use drystone_geometry::DVec3;
use drystone_mechanics::Statics;
use drystone_model::{Growing, Model};

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
            statics,
        }
    }

    /// Whether contacts are all there is.
    pub fn is_plain(&self) -> bool {
        self.ties.is_empty() && self.crushing.is_empty()
    }

    /// Whether no tie is pulled beyond its yield force and no joint crushed, by forces of contacts, local components, and of ties, N.
    pub fn within_limits(&self, force: &[[f64; 3]], tension: &[f64]) -> bool {
        let mut ties = self.ties.iter().zip(tension);
        let mut joints = self.crushing.iter();
        ties.all(|(tie, &tension)| tension <= (1.0 + EXCESS) * tie.strength)
            && joints.all(|joint| {
                let sum = |edge: &[u32]| edge.iter().map(|&i| force[i as usize][0]).sum::<f64>();
                let [first, second] = [sum(&joint.edges[0]), sum(&joint.edges[1])];
                let total = first + second;
                // |M| <= N/2 (l - N / (f_c p)) with M = l/2 times the difference of both edges.
                total * total / joint.strength <= 2.0 * first.min(second) + EXCESS * total.abs()
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
        }
    }

    /// Ties as contacts without friction that push their two ends together: no upper limit, which no contact has.
    pub fn tie_contacts(&self) -> impl Iterator<Item = Contact> + '_ {
        self.ties.iter().map(|tie| {
            let normal = -DVec3::from(tie.axis);
            let (t1, t2) = normal.any_orthonormal_pair();
            Contact {
                bodies: tie.bodies,
                frame: [normal.to_array(), t1.to_array(), t2.to_array()],
                arms: tie.arms,
                friction: 0.0,
                offset: [0.0; 3],
                compliance: [0.0; 2],
            }
        })
    }
}

fn ties(statics: &Statics<'_>) -> Vec<LimitTie> {
    let model = statics.model;
    let tie = |tie: &drystone_model::Tie| {
        let body = |end: Option<usize>| end.map_or(FIXED, |block| statics.bodies.of_block[block]);
        let arm = |side: usize| {
            tie.blocks[side].map_or(DVec3::ZERO, |block| {
                tie.points[side] - model.blocks[block].position
            })
        };
        LimitTie {
            bodies: tie.blocks.map(body),
            axis: (tie.points[1] - tie.points[0]).normalize().to_array(),
            arms: [arm(0).to_array(), arm(1).to_array()],
            strength: tie.yield_force,
        }
    };
    model.ties.iter().map(tie).collect()
}
