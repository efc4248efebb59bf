//! Bodies in a step: from a state to the free motion of every body, and from a solution to the next state.

use drystone_geometry::DVec3;

use crate::contacts::to_world;
use crate::prescribed::Prescribed;
use crate::rotation::exp_rotation;
use crate::scheme::algebra::{add, impulse_on_bodies};
use crate::scheme::{Action, Start};
use crate::state::State;
use crate::step::{Solved, Stepper};

impl<'m> Stepper<'m> {
    /// A free block before the step, and what acts on it besides contacts. In the frame of the ground its change of velocity
    /// acts on every block, equation (3.1).
    fn start(&self, state: &State, given: &Prescribed, i: usize) -> (Start<'m>, Action) {
        let model = self.model;
        let block = &model.blocks[i];
        let gravity = DVec3::new(0.0, 0.0, -model.gravity * given.span);
        let kick = gravity - (given.ground_velocity - state.ground_velocity);
        let (force, couple) = given.loads[i];
        let start = Start {
            block,
            rotation: state.poses[i].rotation,
            velocity: state.velocity[i] - given.frame[0],
            spin: state.angular_velocity[i],
            lag: state.lag,
            free: model.free,
        };
        let action = Action {
            kick: kick + force * (given.span / block.mass),
            twist: couple * given.span,
        };
        (start, action)
    }

    /// `H` and `V_f` of all bodies.
    pub(crate) fn assemble_bodies(
        &mut self,
        state: &State,
        given: &Prescribed,
        iterate: Option<&Vec<[f64; 6]>>,
    ) {
        for (body, &i) in self.bodies.blocks.iter().enumerate() {
            let (start, action) = self.start(state, given, i);
            let iterate = iterate.map(|iterate| split(&iterate[body]).1);
            let free = self.scheme.free_motion(&start, &action, iterate, given.dt);
            self.problem.rotational[body] = free.inertia.to_cols_array();
            self.problem.free_velocity[body] = join(free.velocity, free.spin);
        }
    }

    /// The configuration update, equation (2.2).
    pub(crate) fn integrate(
        &self,
        state: &State,
        solved: &Solved,
        given: &Prescribed,
        end: f64,
    ) -> State {
        let (dt, solution) = (given.dt, &solved.solution);
        let mut impulse = Vec::new();
        if self.scheme.is_staggered() {
            impulse = impulse_on_bodies(&self.problem, &solution.velocity);
            for (impulse, carried) in impulse.iter_mut().zip(&solved.carried.impulse) {
                *impulse = add(impulse, carried);
            }
        }
        let mut next = state.clone();
        next.time = end;
        next.lag = self.scheme.lag(dt);
        next.ties.clone_from(&given.ties);
        next.ground_velocity = given.ground_velocity;
        for (body, (&i, velocity)) in self
            .bodies
            .blocks
            .iter()
            .zip(&solution.velocity)
            .enumerate()
        {
            let (v, found) = split(velocity);
            let (start, action) = self.start(state, given, i);
            let twist = impulse.get(body).map_or(DVec3::ZERO, |p| split(p).1);
            let w = self.scheme.spin(&start, &action, twist, found, dt);
            next.velocity[i] = v + given.frame[1];
            next.angular_velocity[i] = w;
            next.poses[i].position += next.velocity[i] * dt;
            if w != DVec3::ZERO {
                next.poses[i].rotation =
                    (exp_rotation(w * dt) * next.poses[i].rotation).normalize();
            }
        }
        for (i, to) in given.ends.iter().enumerate() {
            if let Some(to) = to {
                next.poses[i] = *to;
            }
        }
        let world = self
            .problem
            .contacts
            .iter()
            .zip(&solution.impulse)
            .map(|(contact, impulse)| to_world(&contact.frame, impulse));
        next.impulses.store(&self.contacts, given.span, world);
        if let Some(preload) = &solved.preload {
            let contacts = self.problem.contacts.iter().zip(preload);
            let world = contacts.map(|(contact, r)| *r * DVec3::from(contact.frame[0]));
            let memory = next.preload.get_or_insert_default();
            memory.store(&self.contacts, given.span, world);
        }
        if self.settings.has_springs() {
            self.store_shear(state, solution, dt, &mut next);
        } else {
            next.shear.clear();
        }
        self.store_slip(&solved.slacks, &mut next);
        self.lose_mortar(state, &solved.slacks, &mut next);
        if self.scheme.is_staggered() {
            let carried = &solved.carried;
            next.carry.remember(
                &self.bodies,
                &self.contacts,
                carried,
                &impulse,
                (given.span, 2.0 * state.lag),
            );
        }
        next
    }
}

/// A velocity and a spin as six numbers.
pub(crate) fn join(v: DVec3, w: DVec3) -> [f64; 6] {
    [v.x, v.y, v.z, w.x, w.y, w.z]
}

/// Velocity and spin of six numbers.
pub(crate) fn split(velocity: &[f64; 6]) -> (DVec3, DVec3) {
    let [vx, vy, vz, wx, wy, wz] = *velocity;
    (DVec3::new(vx, vy, vz), DVec3::new(wx, wy, wz))
}
