//! The rising branch: joints give way as no-tension springs with friction, loads grow step by step, PGCL sections 3 and 4.
//!
//! At each load the geometry is updated until blocks no longer move: equilibrium is that of the structure as it stands then. Contacts keep
//! their points, because displacements are small and shear is remembered.

mod law;
mod newton;
mod points;
mod skyline;

use drystone_cone::FIXED;
use drystone_geometry::{DVec3, Pose};
use drystone_mechanics::{Bodies, PlacedTie, TieMemory};
use drystone_model::{Model, Pushover};

use super::Observe;
use super::control::Control;
use super::loads::Loads;
use super::motion::Mechanism;
use super::outcome::{Branch, Curve, CurvePoint, Ending};
use crate::statics::Posed;
use newton::{Newton, Rod};
use points::{Spring, springs};

/// Updates of the geometry per load at most.
const ROUNDS: usize = 200;

/// Motion in a round, over that since the load was put on, at which they end.
const STILL: f64 = 1e-6;

/// Rounds that bring blocks no nearer to rest than this factor are lost, but for the first ones, in which contacts change. So many lost ones
/// mean that there is no equilibrium.
const NEARER: f64 = 0.985;
const FREE: usize = 8;
const LOST: usize = 40;

/// A lost round whose motion is no faster than this factor goes on steadily: a loose block that creeps to where it finds hold, each round by
/// what friction gives way. The next rounds go twice as far each, up to this many times.
const STEADY: f64 = 1.02;
const FASTEST: f64 = 64.0;

/// The load at the peak is known to this fraction of the rigid limit.
const PRECISION: f64 = 1e-5;

/// More points than a curve needs.
const POINTS: usize = 20_000;

/// Motion at one load, over the size of the structure, beyond which there is no equilibrium nearby.
const FAR: f64 = 0.1;

/// Everything whose loss would change the answer.
#[derive(Debug, Clone)]
struct State {
    poses: Vec<Pose>,
    springs: Vec<Spring>,
    ties: Vec<TieMemory>,
    tension: Vec<f64>,
}

/// How blocks come to rest under one load, with the ties as they are.
#[derive(Debug, Clone, PartialEq)]
struct Approach {
    round: usize,
    /// Of the next round's motion as much is made.
    share: f64,
    /// Motion of the round before and the largest of all, m.
    before: f64,
    whole: f64,
    /// The way so far, m.
    travelled: f64,
    /// Rounds that were lost.
    lost: usize,
}

/// Where an approach ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Arrival {
    Rest,
    /// There is no equilibrium nearby.
    Nowhere,
}

impl Default for Approach {
    fn default() -> Self {
        Self {
            round: 0,
            share: 1.0,
            before: f64::INFINITY,
            whole: 0.0,
            travelled: 0.0,
            lost: 0,
        }
    }
}

impl Approach {
    /// After a round in which the fastest block of a structure of this size would have moved so far, m; none if there are to be more.
    fn next(&mut self, moved: f64, size: f64) -> Option<Arrival> {
        self.whole = self.whole.max(moved);
        if moved <= STILL * self.whole || moved <= 1e-13 * size {
            return Some(Arrival::Rest);
        }
        let lost = self.round > FREE && moved > NEARER * self.before;
        self.travelled += self.share * moved;
        self.share = match lost && moved < STEADY * self.before {
            true => (2.0 * self.share).min(FASTEST),
            false => 1.0,
        };
        self.lost += usize::from(lost);
        self.before = moved;
        self.round += 1;
        let far = self.travelled > FAR * size;
        let ends = self.lost > LOST || far || self.round == ROUNDS;
        ends.then_some(Arrival::Nowhere)
    }
}

/// What the rising branch came to.
#[derive(Debug, Clone)]
pub(super) struct Rise {
    pub points: Vec<CurvePoint>,
    pub ending: Ending,
    /// Where it meets the rigid branch, or its peak: multiplier and displacement, m.
    pub peak: Option<(f64, f64)>,
    /// N/m.
    pub stiffness: Option<f64>,
    pub solves: u32,
}

/// The rising branch of a model.
pub(super) struct Elastic<'m> {
    model: &'m Model,
    bodies: Bodies,
    loads: Loads,
    newton: Newton,
    /// Not strained.
    springs: Vec<Spring>,
    size: f64,
    solves: u32,
}

impl<'m> Elastic<'m> {
    pub fn new(model: &'m Model, posed: &Posed<'_>, loads: Loads) -> Self {
        let poses: Vec<Pose> = model.blocks.iter().map(|b| Pose::at(b.position)).collect();
        let springs = springs(&posed.statics, &poses);
        let bodies = Bodies::new(model);
        let of = |block: usize| bodies.of_block[block];
        let pairs = springs.iter().map(|spring| spring.pair.blocks.map(of));
        let ties = model.ties.iter();
        let ties = ties.map(|tie| tie.blocks.map(|block| block.map_or(FIXED, of)));
        let newton = Newton::new(&bodies, &model.free, pairs.chain(ties));
        let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        for block in model.blocks.iter().filter(|block| !block.support) {
            for vertex in block.shape.vertices() {
                low = low.min(vertex + block.position);
                high = high.max(vertex + block.position);
            }
        }
        Self {
            model,
            newton,
            bodies,
            loads,
            springs,
            size: (high - low).max_element(),
            solves: 0,
        }
    }

    /// Follows the branch to its peak, or to where it meets the rigid one. `onset` is the rigid limit.
    pub fn run(
        mut self,
        settings: &Pushover,
        control: &Control,
        onset: f64,
        rigid: &Curve,
        observe: &mut Observe<'_>,
    ) -> Rise {
        let model = self.model;
        let mut rise = Rise {
            points: Vec::new(),
            ending: Ending::Peak,
            peak: None,
            stiffness: None,
            solves: 0,
        };
        let start = State {
            poses: model.blocks.iter().map(|b| Pose::at(b.position)).collect(),
            springs: std::mem::take(&mut self.springs),
            ties: model.ties.iter().map(TieMemory::new).collect(),
            tension: vec![0.0; model.ties.len()],
        };
        let Some(mut here) = self.under(&start, 0.0) else {
            rise.ending = Ending::Unstable;
            rise.solves = self.solves;
            return rise;
        };
        let control = control.restart(&here.poses);
        let (mut alpha, mut d) = (0.0, 0.0);
        let mut works = [0.0; 2];
        rise.points.push(point(&here, alpha, d, works));
        let whole = onset / f64::from(settings.increments);
        let mut increment = whole;
        let most = settings.max_displacement.unwrap_or(f64::INFINITY);
        let force = self.loads.resultant().dot(control.direction).abs();
        rise.stiffness = self.stiffness(&here, &control, increment, force);
        loop {
            if rise.points.len() >= POINTS {
                rise.ending = Ending::Steps;
                break;
            }
            let Some(next) = self.under(&here, alpha + increment) else {
                increment *= 0.5;
                if increment < PRECISION * onset {
                    break;
                }
                continue;
            };
            let [dead, live] = self.loads.work(&here.poses, &next.poses);
            works[0] += dead;
            works[1] += (alpha + 0.5 * increment) * live;
            let before = (alpha, d);
            alpha += increment;
            d = control.displacement(&next.poses);
            here = next;
            let last = point(&here, alpha, d, works);
            let on = observe(&last);
            rise.points.push(last);
            if let Some(met) = meeting(rigid, before, (alpha, d)) {
                rise.ending = Ending::Met;
                rise.peak = Some(met);
                break;
            }
            if !on {
                rise.ending = Ending::Interrupted;
                break;
            }
            if d >= most {
                rise.ending = Ending::Displacement;
                break;
            }
        }
        if rise.ending == Ending::Peak {
            rise.peak = Some((alpha, d));
        }
        rise.solves = self.solves;
        rise
    }

    /// Force per displacement when loads begin to grow, in the geometry under dead loads, N/m.
    fn stiffness(
        &mut self,
        here: &State,
        control: &Control,
        increment: f64,
        force: f64,
    ) -> Option<f64> {
        let mut loads = self.loads.dead(&here.poses);
        for (load, live) in loads.iter_mut().zip(self.loads.live(&here.poses)) {
            (0..6).for_each(|k| load[k] += increment * live[k]);
        }
        let rods = self.rods(here);
        self.solves += 1;
        let (poses, springs) = (&here.poses, &here.springs);
        let far = FAR * self.size;
        let newton = &mut self.newton;
        let balance = newton.balance(&self.bodies, poses, springs, &rods, &loads, far)?;
        let moved = control.rate(poses, &Mechanism::new(&self.bodies, balance.motion));
        (moved > 0.0).then(|| increment * force / moved)
    }

    /// The state in which a multiplier is balanced, if there is one near.
    fn under(&mut self, from: &State, alpha: f64) -> Option<State> {
        let mut state = from.clone();
        let mut approach = Approach::default();
        loop {
            let mut loads = self.loads.dead(&state.poses);
            for (load, live) in loads.iter_mut().zip(self.loads.live(&state.poses)) {
                (0..6).for_each(|k| load[k] += alpha * live[k]);
            }
            let rods = self.rods(&state);
            self.solves += 1;
            let balance = self.newton.balance(
                &self.bodies,
                &state.poses,
                &state.springs,
                &rods,
                &loads,
                FAR * self.size,
            )?;
            for (spring, force) in state.springs.iter_mut().zip(&balance.force) {
                let pair = spring.pair.placed(&self.bodies, &state.poses);
                let [_, t1, t2] = pair.axes;
                let shear = spring.compliance[1];
                let stretch = -shear * (force[1] * t1 + force[2] * t2);
                let turned = state.poses[pair.blocks[0]].rotation;
                spring.stretch = turned.inverse() * stretch;
            }
            let radii = self.bodies.radii.iter();
            let moved = balance
                .motion
                .iter()
                .zip(radii)
                .map(|(u, &radius)| crate::statics::speed(u, radius))
                .fold(0.0, f64::max);
            let mechanism = Mechanism::new(&self.bodies, balance.motion);
            state.poses = mechanism.moved(&state.poses, approach.share);
            state.tension = balance.tension;
            match approach.next(moved, self.size) {
                Some(Arrival::Rest) if !self.yielded(&mut state) => return Some(state),
                // Without the ties that broke it comes to rest elsewhere, if at all. Ties are finite in number, so this ends.
                Some(Arrival::Rest) => approach = Approach::default(),
                Some(Arrival::Nowhere) => return None,
                None => {}
            }
        }
    }

    fn rods(&self, state: &State) -> Vec<Rod<'m>> {
        let ties = self.model.ties.iter().zip(&state.ties);
        ties.map(|(tie, &memory)| {
            let placed = PlacedTie::new(self.model, tie, &state.poses);
            Rod {
                bodies: placed.bodies(&self.bodies),
                placed,
                tie,
                memory,
            }
        })
        .collect()
    }

    /// Ties that yielded are longer when slack; those that were drawn too far are broken. Says whether one broke just now.
    fn yielded(&self, state: &mut State) -> bool {
        let mut broke = false;
        for (tie, memory) in self.model.ties.iter().zip(&mut state.ties) {
            let placed = PlacedTie::new(self.model, tie, &state.poses);
            broke |= memory.draw(tie, placed.elongation);
        }
        broke
    }
}

/// Where a straight piece of the rising branch crosses the falling one.
fn meeting(rigid: &Curve, from: (f64, f64), to: (f64, f64)) -> Option<(f64, f64)> {
    let above = |(alpha, d): (f64, f64)| Some(alpha - rigid.alpha(Branch::Rigid, d.max(0.0))?);
    let (low, high) = (above(from)?, above(to)?);
    if high < 0.0 || low >= high {
        return None;
    }
    let share = (-low / (high - low)).clamp(0.0, 1.0);
    Some((
        from.0 + share * (to.0 - from.0),
        from.1 + share * (to.1 - from.1),
    ))
}

fn point(state: &State, alpha: f64, d: f64, [dead, live]: [f64; 2]) -> CurvePoint {
    CurvePoint {
        branch: Branch::Elastic,
        alpha,
        d,
        live_work: live,
        dead_work: dead,
        dissipated: live + dead,
        tension: state.tension.clone(),
        poses: state.poses.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rounds that stay as far from rest as they are count as lost after the first ones, and end at some time.
    #[test]
    fn the_first_rounds_are_free() {
        let mut approach = Approach::default();
        let size = 1e9;
        for round in 0..=FREE + LOST {
            assert_eq!(approach.next(1.0, size), None, "{round}");
            assert_eq!(approach.lost, (round + 1).saturating_sub(FREE + 1));
        }
        assert_eq!(approach.next(1.0, size), Some(Arrival::Nowhere));
        let mut approach = Approach::default();
        assert_eq!(approach.next(1.0, size), None);
        assert_eq!(approach.next(1e-7, size), Some(Arrival::Rest));
        assert_eq!(Approach::default().next(1.0, 1.0), Some(Arrival::Nowhere));
    }
}
