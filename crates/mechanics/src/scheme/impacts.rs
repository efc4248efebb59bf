//! Which contacts close in a step, when, and whom that concerns, equations (6.5) and (6.6).

use drystone_cone::{Contact, FIXED, Island, StepProblem, islands};
use drystone_geometry::{ContactSet, DVec3, FeatureId};

use crate::bodies::Bodies;

/// Smooth steps that must lie behind a group before its last reaction counts as smooth: the step of an impact and the one
/// after it mix both sides.
pub(super) const QUIET: u32 = 2;

/// Contacts that close more slowly than this fraction of what gravity gives in one step tremble; nothing strikes. A block that rocks itself to rest still
/// has its impacts placed.
const TREMBLING: f64 = 0.1;

/// The same where the last reaction is unknown: the velocity before the step then stands for the forecast, and may be off by what gravity gives in one step.
const FALLING: f64 = 2.0;

/// A contact whose impulse in the step before moved it by more than this fraction of what gravity gives in one step holds already, whatever its gap: with associated
/// friction sliding blocks float, and sink when they stop.
const PRESSED: f64 = 0.1;

/// Groups get a solve of their own as long as they have no more bodies together than this, or than a tenth of all: that costs little, and small groups
/// move regularly enough to be worth it.
const SMALL_GROUPS: usize = 20;

/// Other groups get one at most every so many steps: rattling everywhere, they would double the time of a run, and where many joints close
/// at nearly the same instant the answer scatters with the step by more than the carry corrects.
pub(super) const SOLVE_EVERY: u32 = 20;

/// Bodies slower than this fraction of what gravity gives in one step rest: what happens on one side of them does not concern the other.
const RESTING: f64 = 0.01;

/// Times and scales of a step.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Timing {
    /// Length of the step, s.
    pub dt: f64,
    /// How long before its beginning the velocities hold, s.
    pub lag: f64,
    /// How long forces act, s.
    pub span: f64,
    /// What gravity gives in one step, m/s.
    pub grain: f64,
    /// Largest speed of push-out, m/s.
    pub push_out_speed: f64,
    /// When the load jumps, from the beginning of the step, s.
    pub jump: Option<f64>,
}

/// What a step expects if nothing strikes.
pub(super) struct Forecast<'f> {
    /// Velocity per body if the forces of the last smooth step go on, or that before the step if they are not known, m/s and rad/s.
    pub velocity: Vec<[f64; 6]>,
    /// Steps since it was last struck, per body.
    pub quiet: Vec<u32>,
    /// Impulse per contact in the step before, local components, N s.
    pub pressed: &'f [[f64; 3]],
    /// Contacts that closed in the step before, in order.
    pub closed: &'f [([u32; 4], FeatureId)],
}

/// A contact that closes in a step.
#[derive(Debug, Clone, Copy)]
pub(super) struct Closing {
    /// Its index.
    pub contact: u32,
    /// Closing speed, m/s.
    pub speed: f64,
    /// Time from the beginning of the step, s.
    pub after: f64,
}

impl Closing {
    /// Contacts that would be overrun if the forces of the last smooth step went on, in order.
    pub(super) fn find(
        contacts: &ContactSet,
        problem: &StepProblem,
        forecast: &Forecast<'_>,
        timing: &Timing,
    ) -> Vec<Self> {
        let mut found = Vec::new();
        for manifold in &contacts.manifolds {
            for (k, point) in contacts.points_of(manifold).iter().enumerate() {
                let index = manifold.first as usize + k;
                let contact = &problem.contacts[index];
                let gap = point.gap;
                let wanted = (gap / timing.dt).max(-timing.push_out_speed);
                let opening = problem.relative_velocity(contact, &forecast.velocity)[0]
                    + contact.offset[0]
                    - wanted;
                let speed = -opening;
                let overrun = gap - timing.dt * speed < 0.0;
                let known = contact
                    .bodies
                    .iter()
                    .all(|&body| body == FIXED || forecast.quiet[body as usize] >= QUIET);
                let least = if known { TREMBLING } else { FALLING };
                if overrun
                    && speed > least * timing.grain
                    && gap > -1e-3 * timing.dt * speed
                    && forecast
                        .closed
                        .binary_search(&(manifold.key(), point.id))
                        .is_err()
                    && !holds(problem, contact, &forecast.pressed[index], timing.grain)
                {
                    found.push(Self {
                        contact: index as u32,
                        speed,
                        after: (gap / speed).clamp(0.0, timing.dt),
                    });
                }
            }
        }
        found
    }
}

/// Whether a contact with this impulse in a step, local components, N s, held then; `grain` is what gravity gives in the step, m/s.
pub(crate) fn holds(
    problem: &StepProblem,
    contact: &Contact,
    pressed: &[f64; 3],
    grain: f64,
) -> bool {
    problem.delassus_diagonal(contact)[0] * pressed[0] > PRESSED * grain
}

/// What a step does about the impacts of a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    /// There are none.
    Quiet,
    /// Its last smooth reaction is carried.
    Carried,
    /// Its reaction is found by a solve of its own, and carried.
    Resolved,
    /// Nothing is carried.
    Dropped,
    /// The load jumps: the reaction to the old load is carried as far as that is known.
    Jolted,
}

/// Moving blocks that touch each other, with contacts that close among them.
#[derive(Debug)]
pub(super) struct Group {
    pub island: Island,
    /// Mean time of the impacts from the beginning of the step, weighted by their speeds, s.
    pub after: f64,
    /// What the step does about them.
    pub fate: Fate,
}

impl Group {
    /// Groups of moving bodies with contacts that close, and what to do about each. `history` tells of every body how many steps ago it was last struck, and
    /// solved for.
    pub fn struck(
        moving: &StepProblem,
        closing: &[Closing],
        history: impl Fn(u32) -> (u32, u32),
        may_solve: bool,
    ) -> Vec<Self> {
        let mut groups = Vec::new();
        let mut budget = SMALL_GROUPS.max(moving.bodies() / 10);
        for island in islands(moving) {
            let impacts = island.contacts.iter().filter_map(|c| {
                let at = closing.binary_search_by_key(c, |closing| closing.contact);
                at.ok().map(|at| &closing[at])
            });
            let (mut speed, mut travel) = (0.0, 0.0);
            for impact in impacts {
                speed += impact.speed;
                travel += impact.speed * impact.after;
            }
            if speed <= 0.0 {
                continue;
            }
            let members = || island.bodies.iter().map(|&b| history(b));
            let quiet = members().map(|(quiet, _)| quiet).min().unwrap_or(0);
            let unsolved = members().map(|(_, unsolved)| unsolved).min().unwrap_or(0);
            let size = island.bodies.len();
            let fate = if quiet >= QUIET {
                Fate::Carried
            } else if may_solve && size <= budget {
                budget -= size;
                Fate::Resolved
            } else if may_solve && unsolved >= SOLVE_EVERY {
                Fate::Resolved
            } else {
                Fate::Dropped
            };
            groups.push(Self {
                after: travel / speed,
                fate,
                island,
            });
        }
        groups
    }
}

/// The problem as moving bodies see it: those at rest are supports to them.
pub(super) fn among_moving(
    problem: &StepProblem,
    before: &[[f64; 6]],
    bodies: &Bodies,
    timing: &Timing,
) -> StepProblem {
    let rests: Vec<bool> = before
        .iter()
        .zip(&bodies.radii)
        .map(|(&[vx, vy, vz, wx, wy, wz], radius)| {
            let speed = DVec3::new(vx, vy, vz).length() + radius * DVec3::new(wx, wy, wz).length();
            speed <= RESTING * timing.grain
        })
        .collect();
    let mut moving = problem.clone();
    let moves = |body: u32| body != FIXED && !rests[body as usize];
    for contact in &mut moving.contacts {
        contact.bodies = match contact.bodies {
            [a, b] if moves(a) && !moves(b) => [a, FIXED],
            [a, b] if moves(b) && !moves(a) => [FIXED, b],
            both => both,
        };
    }
    moving
}
