//! Mortar in a time step: joints that pull until they open or slide for the first time.
//!
//! The bond of a contact point is a clamp: it presses both blocks together with the tensile strength of its share of the joint. As long as the point holds, the clamp is an inner force of
//! the joint, and what the joint carries is the force of its contact less that of the clamp: between the tensile strength and any compression, and in shear up to friction times
//! what there is above the tensile strength. Where the point opens or slides, the clamp has done its work against that motion for one step, and is lost for good. So mortar takes energy and never gives any.
//!
//! Cohesion is therefore that of friction times tensile strength. What an interface has beyond that is a limit of shear that does not depend on pressure, which the cones of a
//! step problem do not have.

use drystone_geometry::{DVec3, FeatureId, Manifold};
use drystone_model::Model;

use crate::report::StepSettings;
use crate::state::State;
use crate::statics::Statics;
use crate::step::Stepper;
use crate::ties::Pull;

/// The bond of a contact point of the initial configuration.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Clamp {
    blocks: [usize; 2],
    /// Names of its joint and of its point.
    key: [u32; 4],
    id: FeatureId,
    /// The point in the frames of both blocks, m.
    local: [DVec3; 2],
    /// From the first block to the second, in the initial configuration.
    normal: DVec3,
    /// N.
    tension: f64,
}

/// All bonds of a model. Where contacts are springs there are none: clamps would compress them.
pub(crate) fn clamps(model: &Model, settings: &StepSettings) -> Vec<Clamp> {
    let pulls = model.interfaces().any(|law| law.tensile_strength > 0.0);
    if !pulls || settings.has_springs() {
        return Vec::new();
    }
    let statics = Statics::new(model);
    let bonds = statics.bonds();
    let clamp = |bond: &drystone_cone::LimitBond| {
        let manifolds = &statics.touching.manifolds;
        let after = manifolds.partition_point(|m| m.first <= bond.contact);
        let manifold = manifolds.get(after.checked_sub(1)?)?;
        let point = &statics.touching.points[bond.contact as usize];
        let blocks = [manifold.a as usize, manifold.b as usize];
        Some(Clamp {
            blocks,
            key: manifold.key(),
            id: point.id,
            local: blocks.map(|block| point.midpoint() - model.blocks[block].position),
            normal: manifold.normal,
            tension: bond.tension,
        })
    };
    bonds
        .iter()
        .filter(|bond| bond.tension > 0.0)
        .filter_map(clamp)
        .collect()
}

impl Stepper<'_> {
    /// Points of joints that have mortar when a run begins.
    pub fn mortar_points(&self) -> usize {
        self.clamps.len()
    }

    /// Clamps that still hold, with their place in the list.
    fn holding<'s>(&'s self, state: &'s State) -> impl Iterator<Item = (u32, &'s Clamp)> + 's {
        let all = (0..).zip(&self.clamps);
        all.filter(|(place, _)| state.lost_mortar.binary_search(place).is_err())
    }

    /// What mortar does during the step that begins with `state`.
    pub(crate) fn clamped(&self, state: &State) -> Vec<Pull> {
        let pull = |(_, clamp): (u32, &Clamp)| {
            let [a, b] = clamp.blocks.map(|block| state.poses[block]);
            let normal = a.rotation * clamp.normal + b.rotation * clamp.normal;
            Pull {
                blocks: clamp.blocks.map(Some),
                points: [a.transform(clamp.local[0]), b.transform(clamp.local[1])],
                force: -clamp.tension * normal.normalize_or(clamp.normal),
            }
        };
        self.holding(state).map(pull).collect()
    }

    /// The contact at which a clamp acts: that of its name or, where corners that coincide have changed theirs, the nearest one of its joint.
    fn contact_of(&self, clamp: &Clamp, state: &State) -> Option<usize> {
        let contacts = &self.contacts;
        let of = |manifold: &Manifold| manifold.key().cmp(&clamp.key);
        let found = contacts.manifolds.binary_search_by(of).ok()?;
        let manifold = &contacts.manifolds[found];
        let points = contacts.points_of(manifold);
        let at = state.poses[clamp.blocks[0]].transform(clamp.local[0]);
        let far = |k: &usize| points[*k].midpoint().distance_squared(at);
        let named = points.iter().position(|point| point.id == clamp.id);
        let place = named.or_else(|| (0..points.len()).min_by(|a, b| far(a).total_cmp(&far(b))))?;
        Some(manifold.first as usize + place)
    }

    /// Force of clamps at each contact of the step from `state`, N.
    pub(crate) fn clamping(&self, state: &State) -> Vec<f64> {
        let mut forces = vec![0.0; self.contacts.points.len()];
        for (_, clamp) in self.holding(state) {
            if let Some(contact) = self.contact_of(clamp, state) {
                forces[contact] += clamp.tension;
            }
        }
        forces
    }

    /// Loses the clamps whose contacts open or slide in the step from `state`.
    pub(crate) fn lose_mortar(&self, state: &State, slacks: &[[f64; 3]], next: &mut State) {
        for (place, clamp) in self.holding(state) {
            let holds = self.contact_of(clamp, state).is_some_and(|contact| {
                let [n, t1, t2] = slacks[contact];
                let held = self.held_speed(&self.problem.contacts[contact]);
                n.max(0.0).hypot(t1.hypot(t2)) <= held
            });
            if !holds {
                next.lost_mortar.push(place);
            }
        }
        next.lost_mortar.sort_unstable();
    }
}
