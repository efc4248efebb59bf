//! The falling branch: rigid blocks that follow their mechanism.
//!
//! Per step two limit problems: one in the configuration itself, whose multiplier is the point of the curve, and one half-way along its
//! mechanism, whose velocities lead to the next configuration. The path is so of second order in the step, and what contacts are off by is
//! of third order and does not add up, because gaps enter the next problem. Contacts are detected anew in every configuration: blocks that
//! come to touch carry, and points that slide off do not. Only joints that crush keep theirs.

use drystone_cone::{LimitSettings, LimitStatus};
use drystone_geometry::Pose;
use drystone_mechanics::Watch;
use drystone_model::{Model, Pushover};

use super::Observe;
use super::control::Control;
use super::crushing::Crushing;
use super::loads::Loads;
use super::motion::Mechanism;
use super::outcome::{Branch, CurvePoint, Ending, Outcome};
use super::posed::{Fall, Limit, Poser, Way};
use super::ties::Ties;
use crate::statics::{MOVES, Posed, StaticsFault};

/// Step over the size of the smallest block, where the model does not say.
const STEP: f64 = 0.01;

/// No point moves farther in a step than this many times its length.
const FASTER: f64 = 5.0;

/// How much the multiplier may deviate from a straight line in a step, over that of the onset; otherwise the step is cut.
const BEND: f64 = 5e-3;

/// Steps are cut to this fraction at least: what is left is a jump.
const SMALLEST: f64 = 1.0 / 16.0;

/// Rounds at most in which the first mechanism comes to slide along itself.
const ROUNDS: usize = 12;

/// Part by which the mechanisms of late follow each new one. With one, two mechanisms that make room for each other take turns and the curve
/// is jagged; with a fifth of it, true changes are late.
const TREND: f64 = 0.5;

/// Change of the multiplier at which they end, over itself.
const SETTLED: f64 = 1e-4;

/// The multiplier is zero when it is less than this fraction of that of the onset.
const ZERO: f64 = 1e-8;

/// A multiplied load that is less than this part of the dead loads is none.
const NOTHING: f64 = 1e-9;

/// Blocks that have turned by less than this have slid, rad.
const TURNED: f64 = 1e-3;

/// Where it comes no nearer to zero than this fraction of that of the onset, it jumps across.
const NEAR_ZERO: f64 = 1e-3;

/// Attempts to meet zero.
const ATTEMPTS: usize = 12;

/// The displacement that was asked for is reached if less than this part of a step is missing.
const REACHED: f64 = 1e-4;

/// A step whose control point gains less than this fraction of its length does not move it.
const STILL: f64 = 1e-3;

/// So many such steps one after the other end the curve.
const PATIENCE: usize = 60;

/// A control point within this part of a step of where it ends has stood still: those that end the curve by `PATIENCE` gain 0.06 of a step at most, and
/// where they move they gain more than this in two steps, short as they may be.
const STANDS: f64 = 0.1;

/// A multiplier that rises by this part of the onset from one point to the next has leapt: steps are cut where it leaves a straight line by less.
const LEAP: f64 = 0.05;

/// A multiplier that fell to less than this part of itself while the control point stood still dropped. Joints that come to slide along themselves take up to
/// a tenth of it at one place, and a part that gives way takes all of it in the end: what lies between serves, and leaves room on both sides.
const DROP: f64 = 0.6;

/// Steps at most.
const STEPS: usize = 20_000;

/// Rounds at most in which what falls comes to rest: each closes gaps to first order.
const LANDINGS: usize = 16;

/// Blocks that are faster than this part of the fastest fall with it.
const FALLING: f64 = 0.05;

/// Blocks that lost their support are watched for others below by this factor, and then by it again.
const AFAR: [f64; 2] = [10.0, 100.0];

/// Blocks touch if they are within this fraction of their thickness.
const TOUCH: f64 = 1e-4;

/// A configuration on the curve, with its limit.
#[derive(Clone)]
struct Place {
    poses: Vec<Pose>,
    ties: Ties,
    limit: Limit,
    /// The mechanisms of late, later ones counting more: what slid in them slides along itself.
    trend: Mechanism,
    d: f64,
    live_work: f64,
    dead_work: f64,
}

/// The falling branch of a model.
pub(super) struct Rigid<'m> {
    settings: &'m Pushover,
    poser: Poser<'m>,
    start: Vec<Pose>,
    step: f64,
    /// Changes of mechanism after which multipliers did not settle.
    unsettled: u32,
}

impl<'m> Rigid<'m> {
    pub fn new(model: &'m Model, settings: &'m Pushover, loads: Loads) -> Self {
        let start: Vec<Pose> = model.blocks.iter().map(|b| Pose::at(b.position)).collect();
        let free = model.blocks.iter().filter(|block| !block.support);
        let smallest = free.map(|b| b.shape.size()).fold(f64::INFINITY, f64::min);
        let step = settings.step.unwrap_or(STEP * smallest);
        Self {
            settings,
            poser: Poser {
                model,
                watch: Watch::new(model),
                loads,
                crushing: Crushing::default(),
                margins: model
                    .blocks
                    .iter()
                    .map(|block| match block.support {
                        true => 0.0,
                        false => FASTER * step + TOUCH * block.shape.size(),
                    })
                    .collect(),
                solver: LimitSettings::default(),
                onset: 0.0,
                solves: 0,
                short: 0,
                residual: 0.0,
            },
            start,
            step,
            unsettled: 0,
        }
    }

    /// Follows the branch from the onset.
    pub fn run(
        mut self,
        posed: &Posed<'_>,
        observe: &mut Observe<'_>,
    ) -> Result<(Outcome, Option<Control>), StaticsFault> {
        let model = self.poser.model;
        let mut outcome = Outcome::empty(Ending::Zero, self.poser.loads.resultant());
        let onset = self.onset(posed)?;
        match onset.status {
            LimitStatus::Optimal => {}
            LimitStatus::Unbounded => outcome.ending = Ending::Locked,
            LimitStatus::Infeasible => outcome.ending = Ending::Unstable,
            LimitStatus::Inaccurate => outcome.ending = Ending::Unsolved,
        }
        if onset.status != LimitStatus::Optimal {
            return Ok((outcome, None));
        }
        self.poser.onset = onset.alpha;
        let control = Control::new(
            model,
            self.settings,
            &self.poser.loads,
            &self.start,
            &onset.mechanism,
        );
        outcome.alpha_0 = Some(onset.alpha);
        outcome.alpha_y = Some(onset.alpha);
        outcome.d_y = Some(0.0);
        outcome.control = control.points();
        outcome.control_direction = control.direction;
        let first = Place {
            poses: self.start.clone(),
            ties: Ties::new(model),
            trend: onset.mechanism.clone(),
            limit: onset,
            d: 0.0,
            live_work: 0.0,
            dead_work: 0.0,
        };
        let size = |loads: &[[f64; 6]]| loads.iter().flatten().map(|x| x.abs()).sum::<f64>();
        let dead = size(&self.poser.loads.dead(&self.start));
        let live = size(&self.poser.loads.live(&self.start));
        if first.limit.alpha * live <= NOTHING * dead {
            // Nothing holds it: it moves under no load at all.
            let point = point_of(&first);
            observe(&point);
            outcome.curve.points.push(point);
        } else {
            self.follow(first, &control, &mut outcome, observe)?;
        }
        outcome.solves = self.poser.solves;
        outcome.residual = self.poser.residual;
        if let Some(top) = dropped(&outcome.curve.points, self.step) {
            match outcome.ending {
                // There is an answer after the last point: it goes on without the control point, or falls.
                Ending::Still | Ending::Detached => outcome.ending = Ending::Elsewhere,
                Ending::Unsolved => outcome.notes.push(format!(
                    "before its end the multiplier fell from {top:.4} while the control point did not move, which indicates that another part of the structure failed"
                )),
                Ending::Zero
                | Ending::Jump
                | Ending::Displacement
                | Ending::Locked
                | Ending::Peak
                | Ending::Met
                | Ending::Unstable
                | Ending::Elsewhere
                | Ending::Steps
                | Ending::Interrupted => {}
            }
        }
        if outcome.ending == Ending::Zero {
            outcome.d_0 = outcome.curve.points.last().map(|point| point.d);
        }
        outcome.mobilised = self.mobilised(&outcome);
        if outcome.d_0.is_some_and(|d| d > 0.0) && self.slides(&outcome) {
            outcome.notes.push(
                "blocks slide and hardly rotate: the displacement capacity is determined by the extent of their sliding surface, not by their stability".to_owned(),
            );
        }
        outcome.notes.extend(self.doubts());
        let times = rises(&outcome.curve.points);
        if times > 1 {
            outcome.notes.push(format!(
                "the multiplier rises {times} times by more than a twentieth of the onset: mechanisms take turns, as those of blocks side by side do that carry each other by friction or not, and which of them is found where depends on the step; the lowest points are on the safe side"
            ));
        }
        Ok((outcome, Some(control)))
    }

    /// What of the curve is less sure than the rest.
    fn doubts(&self) -> Vec<String> {
        let (short, solves) = (self.poser.short, self.poser.solves);
        let mut notes = Vec::new();
        if short > 0 {
            let (wanted, worst) = (self.poser.solver.tolerance, self.poser.residual);
            notes.push(format!(
                "{short} of {solves} limit problems missed the tolerance of {wanted:.0e} and were used all the same; the worst residual is {worst:.1e}"
            ));
        }
        if self.unsettled > 0 {
            let times = self.unsettled;
            notes.push(format!(
                "{times} times the multiplier did not settle where the mechanism changed: with friction of this kind there are several, and the curve has one of them"
            ));
        }
        notes
    }

    /// The limit of the initial configuration, all joints closed.
    fn onset(&mut self, posed: &Posed<'_>) -> Result<Limit, StaticsFault> {
        let dead = self.poser.loads.dead(&self.start);
        let live = self.poser.loads.live(&self.start);
        self.poser.first(posed.limit_problem(dead, live))
    }

    fn follow(
        &mut self,
        first: Place,
        control: &Control,
        outcome: &mut Outcome,
        observe: &mut Observe<'_>,
    ) -> Result<(), StaticsFault> {
        let mut here = first;
        let mut before: Option<(f64, f64)> = None;
        let mut share: f64 = 1.0;
        let (mut farthest, mut still) = (0.0, 0);
        let goes_on = |place: &Place, outcome: &mut Outcome, observe: &mut Observe<'_>| {
            let point = point_of(place);
            let on = observe(&point);
            outcome.curve.points.push(point);
            on
        };
        if !goes_on(&here, outcome, observe) {
            outcome.ending = Ending::Interrupted;
            return Ok(());
        }
        if self.settle(&mut here, control)? && !goes_on(&here, outcome, observe) {
            outcome.ending = Ending::Interrupted;
            return Ok(());
        }
        for _ in 0..STEPS {
            let most = self.settings.max_displacement.unwrap_or(f64::INFINITY);
            let mut length = (share * self.step).min(most - here.d);
            let mut there = match self.advance(&here, control, length)? {
                Ok(place) => place,
                Err(_) if share > SMALLEST => {
                    share *= 0.5;
                    continue;
                }
                Err(stuck) => match self.fall(&here, control, stuck)? {
                    Ok(place) => {
                        length = SMALLEST * self.step;
                        place
                    }
                    Err((ending, blocks)) => {
                        outcome.ending = ending;
                        outcome.detached = blocks;
                        return Ok(());
                    }
                },
            };
            let straight = before.map_or(here.limit.alpha, |(d, alpha)| {
                let slope = (here.limit.alpha - alpha) / (here.d - d);
                if slope.is_finite() {
                    here.limit.alpha + slope * (there.d - here.d)
                } else {
                    here.limit.alpha
                }
            });
            let bend = (there.limit.alpha - straight).abs() / self.poser.onset.abs();
            let allowed = if before.is_none() { 10.0 * BEND } else { BEND };
            if bend > allowed && share > SMALLEST {
                share *= 0.5;
                continue;
            }
            // Another mechanism: its joints, too, come to slide along themselves first.
            let other = bend > allowed;
            if other {
                self.resettle(&here, &mut there, control)?;
            }
            if there.limit.alpha <= 0.0 {
                let zero = self.zero(&here, there, control, length, other)?;
                // Where a tie breaks the structure has come to its end; other jumps are none.
                let mut ties = here.ties.clone();
                let broke = !ties.follow(self.poser.model, &zero.poses).is_empty();
                let jumps = zero.limit.alpha.abs() > NEAR_ZERO * self.poser.onset.abs();
                goes_on(&zero, outcome, observe);
                outcome.ending = match jumps && !broke {
                    true => Ending::Jump,
                    false => Ending::Zero,
                };
                return Ok(());
            }
            before = Some((here.d, here.limit.alpha));
            if bend < 0.25 * allowed {
                share = (2.0 * share).min(1.0);
            }
            still = match there.d > farthest + STILL * self.step {
                true => 0,
                false => still + 1,
            };
            farthest = farthest.max(there.d);
            here = there;
            for tie in here.ties.follow(self.poser.model, &here.poses) {
                outcome.broken_ties.push((tie, here.d));
                // From here on the curve is that without the tie.
                before = None;
            }
            if !goes_on(&here, outcome, observe) {
                outcome.ending = Ending::Interrupted;
                return Ok(());
            }
            if here.d >= most - REACHED * self.step {
                outcome.ending = Ending::Displacement;
                return Ok(());
            }
            if still >= PATIENCE {
                outcome.ending = Ending::Still;
                return Ok(());
            }
        }
        outcome.ending = Ending::Steps;
        Ok(())
    }

    /// The limit of the first configuration once joints slide along themselves; says whether that is another one. The onset has the
    /// associated law, which lifts what slides: the drop to where nothing is lifted belongs to no displacement.
    fn settle(&mut self, here: &mut Place, control: &Control) -> Result<bool, StaticsFault> {
        let onset = here.limit.alpha;
        // Those that break on the way here no longer pull.
        let mut ties = here.ties.clone();
        ties.follow(self.poser.model, &here.poses);
        let mut settled = false;
        for _ in 0..ROUNDS {
            let work = self.work(here, control, self.step);
            let way = Way {
                from: None,
                before: Some(&here.trend),
            };
            let next = self.poser.limit(&here.poses, &ties, work, way)?;
            if next.status != LimitStatus::Optimal || next.fall.is_some() {
                break;
            }
            let change = (next.alpha - here.limit.alpha).abs();
            here.trend = here.trend.toward(&next.mechanism, TREND);
            here.limit = next;
            settled = change <= SETTLED * onset.abs();
            if settled {
                break;
            }
        }
        self.unsettled += u32::from(!settled);
        Ok((here.limit.alpha - onset).abs() > SETTLED * onset.abs())
    }

    /// The same a step further on, with the work that belongs to the limit it settles at.
    fn resettle(
        &mut self,
        here: &Place,
        there: &mut Place,
        control: &Control,
    ) -> Result<(), StaticsFault> {
        self.settle(there, control)?;
        there.live_work = self.work_done(here, &there.poses, there.limit.alpha)[1];
        Ok(())
    }

    /// Work of what is multiplied by which the control point moves by a length.
    fn work(&self, here: &Place, control: &Control, length: f64) -> f64 {
        let mechanism = &here.limit.mechanism;
        let blocks = self.poser.model.blocks.iter().enumerate();
        let fastest = blocks
            .map(|(i, block)| mechanism.speed(i, block.shape.radius()))
            .fold(0.0, f64::max);
        let rate = control.rate(&here.poses, mechanism);
        length / rate.max(fastest / FASTER)
    }

    /// The configuration a step ahead, with its limit; or why there is none.
    fn advance(
        &mut self,
        here: &Place,
        control: &Control,
        length: f64,
    ) -> Result<Result<Place, LimitStatus>, StaticsFault> {
        let work = self.work(here, control, length);
        let half = here.limit.mechanism.moved(&here.poses, 0.5 * work);
        let middle = self.poser.limit(
            &half,
            &here.ties,
            work,
            Way {
                from: Some(&here.poses),
                before: Some(&here.trend),
            },
        )?;
        let mechanism = match middle.status {
            LimitStatus::Optimal if middle.fall.is_none() => &middle.mechanism,
            // Contacts may be lost half-way; where the step ends tells.
            _ => &here.limit.mechanism,
        };
        let poses = mechanism.moved(&here.poses, work);
        let trend = here.trend.toward(mechanism, TREND);
        let mut ties = here.ties.clone();
        ties.follow(self.poser.model, &poses);
        let way = Way {
            from: None,
            before: Some(&trend),
        };
        let limit = self.poser.limit(&poses, &ties, work, way)?;
        Ok(match limit.status {
            // What happens on the way down belongs to no multiplier.
            _ if limit.fall.is_some() => Err(LimitStatus::Infeasible),
            LimitStatus::Optimal => Ok(self.place(here, poses, limit, &trend, control)),
            status => Err(status),
        })
    }

    /// A configuration as the next one on the curve.
    fn place(
        &self,
        here: &Place,
        poses: Vec<Pose>,
        limit: Limit,
        trend: &Mechanism,
        control: &Control,
    ) -> Place {
        let [dead_work, live_work] = self.work_done(here, &poses, limit.alpha);
        Place {
            d: control.displacement(&poses),
            live_work,
            dead_work,
            ties: here.ties.clone(),
            trend: trend.toward(&limit.mechanism, TREND),
            poses,
            limit,
        }
    }

    /// Work of dead loads and of what is multiplied so far, J, in a configuration after a straight piece of the curve.
    fn work_done(&self, here: &Place, poses: &[Pose], alpha: f64) -> [f64; 2] {
        let [dead, live] = self.poser.loads.work(&here.poses, poses);
        let mean = 0.5 * (here.limit.alpha + alpha);
        [here.dead_work + dead, here.live_work + mean * live]
    }

    /// The shortest step ends without equilibrium: blocks may fall onto others, also onto some that are farther away than was watched.
    #[allow(clippy::type_complexity)]
    fn fall(
        &mut self,
        here: &Place,
        control: &Control,
        stuck: LimitStatus,
    ) -> Result<Result<Place, (Ending, Vec<usize>)>, StaticsFault> {
        let ending = match stuck {
            LimitStatus::Unbounded => Ending::Locked,
            LimitStatus::Inaccurate | LimitStatus::Optimal => Ending::Unsolved,
            LimitStatus::Infeasible => {
                let landed = self.land(here, control)?;
                return Ok(landed.map_err(|blocks| (Ending::Detached, blocks)));
            }
        };
        Ok(Err((ending, Vec::new())))
    }

    /// Where what falls has come to rest, while the rest of the structure goes on as little as steps can be cut; or the blocks that do not
    /// come to rest nearby.
    fn land(
        &mut self,
        here: &Place,
        control: &Control,
    ) -> Result<Result<Place, Vec<usize>>, StaticsFault> {
        let work = self.work(here, control, SMALLEST * self.step);
        let begin = here.limit.mechanism.moved(&here.poses, work);
        let mut poses = begin.clone();
        let mut from = here.clone();
        for _ in 0..LANDINGS {
            let limit = self.limit_below(&poses, here, work)?;
            if limit.status != LimitStatus::Optimal || limit.fall == Some(Fall::Leaves) {
                return Ok(Err(self.falling(&limit)));
            }
            let place = self.place(&from, poses, limit, &here.trend, control);
            if place.limit.fall.is_none() {
                return Ok(Ok(place));
            }
            poses = place.limit.mechanism.moved(&place.poses, work);
            from = place;
            let blocks = self.poser.model.blocks.iter();
            let mut moved = blocks.zip(begin.iter().zip(&poses));
            if moved.any(|(block, (from, to))| {
                from.position.distance(to.position) > block.shape.size() + FASTER * self.step
            }) {
                break;
            }
        }
        Ok(Err(self.falling(&from.limit)))
    }

    /// The limit of a configuration in which something may have lost its support: what is far below is looked for, too.
    fn limit_below(
        &mut self,
        poses: &[Pose],
        here: &Place,
        work: f64,
    ) -> Result<Limit, StaticsFault> {
        let mut ties = here.ties.clone();
        ties.follow(self.poser.model, poses);
        let way = Way {
            from: None,
            before: Some(&here.trend),
        };
        let mut limit = self.poser.limit(poses, &ties, work, way)?;
        for factor in AFAR {
            if limit.status != LimitStatus::Infeasible {
                break;
            }
            limit = self.poser.limit_afar(poses, &ties, work, way, factor)?;
        }
        Ok(limit)
    }

    /// Blocks that fall in a mechanism: far faster than what goes on.
    fn falling(&self, limit: &Limit) -> Vec<usize> {
        let blocks = &self.poser.model.blocks;
        let speed = |i: usize| limit.mechanism.speed(i, blocks[i].shape.radius());
        let fastest = (0..blocks.len()).map(speed).fold(0.0, f64::max);
        (0..blocks.len())
            .filter(|&i| speed(i) > FALLING * fastest)
            .collect()
    }

    /// Between a point above zero and one below it, a step of this length ahead, the one at zero. If another mechanism led there, multipliers
    /// on the way are settled as that one is: others are not of the same curve.
    fn zero(
        &mut self,
        here: &Place,
        there: Place,
        control: &Control,
        length: f64,
        other: bool,
    ) -> Result<Place, StaticsFault> {
        let (mut low, mut high) = ((0.0, here.limit.alpha), (1.0, there.limit.alpha));
        let mut best = there;
        for _ in 0..ATTEMPTS {
            if best.limit.alpha.abs() <= ZERO * self.poser.onset.abs() {
                break;
            }
            let share = low.0 + (high.0 - low.0) * low.1 / (low.1 - high.1);
            let Ok(mut place) = self.advance(here, control, share * length)? else {
                break;
            };
            if other {
                self.resettle(here, &mut place, control)?;
            }
            let alpha = place.limit.alpha;
            if alpha > 0.0 {
                low = (share, alpha);
            } else {
                high = (share, alpha);
            }
            if alpha.abs() < best.limit.alpha.abs() {
                best = place;
            }
        }
        Ok(best)
    }

    /// Whether blocks that have moved have hardly turned.
    fn slides(&self, outcome: &Outcome) -> bool {
        let last = outcome.curve.points.last();
        last.is_some_and(|last| {
            let turned = |&i: &usize| 2.0 * last.poses[i].rotation.xyz().length().min(1.0).asin();
            outcome.mobilised.iter().map(turned).fold(0.0, f64::max) < TURNED
        })
    }

    /// Blocks that are elsewhere at the end than at first.
    fn mobilised(&self, outcome: &Outcome) -> Vec<usize> {
        let Some(last) = outcome.curve.points.last() else {
            return Vec::new();
        };
        let blocks = &self.poser.model.blocks;
        let moved = |i: usize| {
            let (from, to) = (&self.start[i], &last.poses[i]);
            let turned = 2.0 * to.rotation.xyz().length().min(1.0).asin();
            from.position.distance(to.position) + turned * blocks[i].shape.radius()
        };
        let farthest = (0..blocks.len()).map(moved).fold(0.0, f64::max);
        (0..blocks.len())
            .filter(|&i| moved(i) > MOVES * farthest)
            .collect()
    }
}

/// The multiplier from which a curve dropped, if it ends on a drop: it fell steeply while the control point, which had moved before, stood still.
fn dropped(points: &[CurvePoint], step: f64) -> Option<f64> {
    let last = points.last()?;
    let here = |point: &&CurvePoint| (point.d - last.d).abs() <= STANDS * step;
    let stood = points.iter().rev().take_while(here);
    let top = stood.map(|point| point.alpha).fold(last.alpha, f64::max);
    (last.d > 0.0 && last.alpha < DROP * top).then_some(top)
}

/// How often a falling branch leaps up. Once it may be a gap that has closed; a curve that comes back to another one again and again is none.
fn rises(points: &[CurvePoint]) -> usize {
    let onset = points.first().map_or(0.0, |point| point.alpha);
    let leaps = points
        .windows(2)
        .filter(|pair| pair[1].d >= pair[0].d && pair[1].alpha - pair[0].alpha > LEAP * onset);
    leaps.count()
}

fn point_of(place: &Place) -> CurvePoint {
    CurvePoint {
        branch: Branch::Rigid,
        alpha: place.limit.alpha,
        d: place.d,
        live_work: place.live_work,
        dead_work: place.dead_work,
        dissipated: place.live_work + place.dead_work,
        tension: place.limit.tension.clone(),
        poses: place.poses.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(curve: &[(f64, f64)]) -> Vec<CurvePoint> {
        let point = |&(d, alpha): &(f64, f64)| CurvePoint {
            branch: Branch::Rigid,
            alpha,
            d,
            live_work: 0.0,
            dead_work: 0.0,
            dissipated: 0.0,
            tension: Vec::new(),
            poses: Vec::new(),
        };
        curve.iter().map(point).collect()
    }

    #[test]
    fn leaps_are_counted() {
        let smooth = [(0.0, 0.2), (0.01, 0.19), (0.02, 0.195), (0.03, 0.17)];
        assert_eq!(rises(&points(&smooth)), 0);
        let leaping = [
            (0.0, 0.2),
            (0.01, 0.14),
            (0.02, 0.19),
            (0.03, 0.13),
            (0.04, 0.18),
        ];
        assert_eq!(rises(&points(&leaping)), 2);
        assert_eq!(rises(&[]), 0);
    }

    #[test]
    fn a_drop_is_steep_and_at_one_place() {
        let step = 0.01;
        let drop = [
            (0.0, 0.2),
            (0.01, 0.19),
            (0.02, 0.18),
            (0.0202, 0.12),
            (0.0204, 0.06),
        ];
        assert_eq!(dropped(&points(&drop), step), Some(0.18));
        // Half of the way down it is none yet, along the way it is a slope, and where nothing moved before it is another question.
        assert_eq!(dropped(&points(&drop[..4]), step), None);
        assert_eq!(dropped(&points(&drop), 0.1 * step), None);
        let still = drop.map(|(_, alpha)| (0.0, alpha));
        assert_eq!(dropped(&points(&still), step), None);
        assert_eq!(dropped(&[], step), None);
    }
}
