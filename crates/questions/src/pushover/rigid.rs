//! The falling branch: rigid blocks that follow their mechanism.
//!
//! Per step two limit problems: one in the configuration itself, whose multiplier is the point of the curve, and one half-way along its
//! mechanism, whose velocities lead to the next configuration. The path is so of second order in the step, and what contacts are off by is
//! of third order and does not add up, because gaps enter the next problem. Contacts are detected anew in every configuration: blocks that
//! come to touch carry, and points that slide off do not. Only joints of which something was crushed keep theirs.

use drystone_cone::{LimitSettings, LimitStatus};
use drystone_geometry::Pose;
use drystone_mechanics::Watch;
use drystone_model::{Model, Pushover};

use super::Observe;
use super::control::Control;
use super::crushing::Crushing;
use super::leap::{Leap, Stuck, decisive, told};
use super::loads::Loads;
use super::motion::Mechanism;
use super::outcome::{Branch, CurvePoint, Ending, Outcome};
use super::posed::{Limit, Poser, Way};
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

/// Steps whose problems are not solved are tried once more, changed by this factor: what is special of one configuration is not of another.
const CHANGED: f64 = 0.75;

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

/// Attempts to meet zero, or what lies before a jump across it: every second one halves what is left of the step.
const ATTEMPTS: usize = 24;

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

/// Blocks touch if they are within this fraction of their thickness.
const TOUCH: f64 = 1e-4;

/// A configuration on the curve, with its limit.
#[derive(Clone)]
struct Place {
    poses: Vec<Pose>,
    ties: Ties,
    /// What was crushed on the way here: what is tried from here and not accepted crushes nothing.
    crushing: Crushing,
    limit: Limit,
    /// The mechanisms of late, later ones counting more: what slid in them slides along itself.
    trend: Mechanism,
    d: f64,
    live_work: f64,
    dead_work: f64,
}

/// Where and why a curve ends.
struct End {
    /// The last point, if it is not the one before.
    last: Option<Place>,
    cause: Ending,
    blocks: Vec<usize>,
    /// Ties that broke there.
    ties: Vec<usize>,
}

impl End {
    fn new(last: Option<Place>, cause: Ending, blocks: Vec<usize>) -> Self {
        let ties = Vec::new();
        Self {
            last,
            cause,
            blocks,
            ties,
        }
    }

    /// At a point beyond which there is no step.
    fn stuck(last: Option<Place>, stuck: Stuck) -> Self {
        match stuck {
            Stuck::Lost(blocks) => Self::new(last, Ending::Detached, blocks),
            Stuck::Locked(blocks) => Self::new(last, Ending::Locked, blocks),
            Stuck::Unsolved => Self::new(last, Ending::Unsolved, Vec::new()),
        }
    }
}

/// The falling branch of a model.
pub(super) struct Rigid<'m> {
    settings: &'m Pushover,
    poser: Poser<'m>,
    start: Vec<Pose>,
    step: f64,
    /// Changes of mechanism after which multipliers did not settle.
    unsettled: u32,
    leaps: Vec<Leap>,
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
                reach: model
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
            leaps: Vec::new(),
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
            crushing: Crushing::default(),
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
            outcome.ending_blocks = first.limit.mechanism.moving(model);
            add(&first, &mut outcome, observe);
        } else {
            let end = self.follow(first, &control, &mut outcome, observe)?;
            if let Some(last) = &end.last {
                add(last, &mut outcome, observe);
            }
            let d = outcome.curve.points.last().map_or(0.0, |point| point.d);
            let broken = end.ties.iter().map(|&tie| (tie, d));
            outcome.broken_ties.extend(broken);
            (outcome.ending, outcome.ending_blocks) = (end.cause, end.blocks);
            self.cut_leaps(&mut outcome);
        }
        outcome.solves = self.poser.solves;
        outcome.residual = self.poser.residual;
        if let Some(top) = dropped(&outcome.curve.points, self.step) {
            match outcome.ending {
                // There is an answer after the last point: it goes on without the control point.
                Ending::Still => outcome.ending = Ending::Elsewhere,
                Ending::Unsolved => outcome.notes.push(format!(
                    "before its end the multiplier fell from {top:.4} while the control point did not move, which indicates that another part of the structure failed"
                )),
                Ending::Zero
                | Ending::Jump
                | Ending::Tie
                | Ending::Displacement
                | Ending::Ultimate
                | Ending::Detached
                | Ending::Locked
                | Ending::Peak
                | Ending::Met
                | Ending::Unstable
                | Ending::Elsewhere
                | Ending::Steps
                | Ending::Interrupted => {}
            }
        }
        let last = outcome.curve.points.last().map(|point| point.d);
        outcome.d_0 = last.filter(|_| outcome.ending == Ending::Zero);
        outcome.d_ultimate = last.filter(|_| outcome.ending.is_capacity());
        outcome.mobilised = self.mobilised(&outcome);
        if outcome.d_ultimate.is_some_and(|d| d > 0.0) && self.slides(&outcome) {
            outcome.notes.push(
                "blocks slide and hardly rotate: the displacement capacity is determined by the extent of their sliding surface, not by their stability".to_owned(),
            );
        }
        outcome
            .notes
            .extend(told(model, &self.leaps, &outcome.curve.points));
        outcome.notes.extend(self.doubts());
        let times = rises(&outcome.curve.points);
        if times > 1 {
            outcome.notes.push(format!(
                "the multiplier rises {times} times by more than a twentieth of the onset: mechanisms take turns, as those of blocks side by side do that carry each other by friction or not, and which of them is found where depends on the step; the lowest points are on the safe side"
            ));
        }
        Ok((outcome, Some(control)))
    }

    /// Ends a curve at the first leap that sets more energy free than it takes from where it leads to the end: nothing shows that the structure comes to rest there. Where the curve was not followed to its
    /// end, what it takes is not known.
    fn cut_leaps(&mut self, outcome: &mut Outcome) {
        if !outcome.ending.is_capacity() {
            return;
        }
        // The last one first: where it ends the curve, the way to the end is shorter for those before.
        for at in (0..self.leaps.len()).rev() {
            let leap = &self.leaps[at];
            if leap.is_survived(&outcome.curve.points) {
                continue;
            }
            outcome.curve.points.truncate(leap.to);
            outcome.ending = Ending::Detached;
            outcome.ending_blocks = leap.blocks.clone();
            let points = &outcome.curve.points;
            let end = points.last().map_or(0.0, |point| point.d);
            outcome.broken_ties.retain(|(_, d)| *d <= end);
            self.leaps.truncate(at);
        }
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
    ) -> Result<End, StaticsFault> {
        let mut here = first;
        let mut before: Option<(f64, f64)> = None;
        let mut share: f64 = 1.0;
        let (mut farthest, mut still) = (0.0, 0);
        let stopped = || Ok(End::new(None, Ending::Interrupted, Vec::new()));
        if !add(&here, outcome, observe) {
            return stopped();
        }
        if self.settle(&mut here, control)? && !add(&here, outcome, observe) {
            return stopped();
        }
        let most = self.settings.last_displacement().unwrap_or(f64::INFINITY);
        // What came of longer steps from here.
        let mut tried = Vec::new();
        let mut changed = 1.0;
        for _ in 0..STEPS {
            let length = (changed * share * self.step).min(most - here.d);
            let mut there = match self.advance(&here, control, length)? {
                Ok(place) => place,
                Err(stuck) => {
                    tried.push(stuck);
                    if share > SMALLEST {
                        share *= 0.5;
                        continue;
                    }
                    if changed == 1.0 && tried.iter().all(|stuck| *stuck == Stuck::Unsolved) {
                        (share, changed) = (1.0, CHANGED);
                        continue;
                    }
                    let stuck = decisive(tried);
                    let Some((place, blocks)) = self.land(&here, control, &stuck)? else {
                        return Ok(End::stuck(None, stuck));
                    };
                    self.leaps.push(Leap {
                        to: outcome.curve.points.len(),
                        blocks,
                    });
                    tried = Vec::new();
                    place
                }
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
                return self.zero(&here, there, control, length, other);
            }
            tried.clear();
            changed = 1.0;
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
            if !add(&here, outcome, observe) {
                return stopped();
            }
            if here.d >= most - REACHED * self.step {
                let cause = match self.settings.d_ultimate {
                    Some(ultimate) if ultimate <= most => Ending::Ultimate,
                    Some(_) | None => Ending::Displacement,
                };
                let blocks = here.limit.mechanism.moving(self.poser.model);
                return Ok(End::new(None, cause, blocks));
            }
            if still >= PATIENCE {
                let blocks = here.limit.mechanism.moving(self.poser.model);
                return Ok(End::new(None, Ending::Still, blocks));
            }
        }
        Ok(End::new(None, Ending::Steps, Vec::new()))
    }

    /// The limit of the first configuration once joints slide along themselves; says whether that is another one. The onset has the
    /// associated law, which lifts what slides: the drop to where nothing is lifted belongs to no displacement.
    fn settle(&mut self, here: &mut Place, control: &Control) -> Result<bool, StaticsFault> {
        let onset = here.limit.alpha;
        // Those that break on the way here no longer pull.
        let mut ties = here.ties.clone();
        ties.follow(self.poser.model, &here.poses);
        let mut settled = false;
        self.poser.crushing.clone_from(&here.crushing);
        for _ in 0..ROUNDS {
            let work = self.work(here, control, self.step);
            let way = Way {
                from: None,
                before: Some(&here.trend),
            };
            let next = self.poser.limit(&here.poses, &ties, work, way)?;
            if next.status != LimitStatus::Optimal || !next.leaps.is_empty() {
                break;
            }
            let change = (next.alpha - here.limit.alpha).abs();
            here.trend = here.trend.toward(&next.mechanism, TREND);
            here.crushing.clone_from(&self.poser.crushing);
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
        let rate = control.rate(&here.poses, mechanism);
        length / rate.max(self.fastest(mechanism) / FASTER)
    }

    /// Speed of the fastest point in a mechanism.
    fn fastest(&self, mechanism: &Mechanism) -> f64 {
        let blocks = self.poser.model.blocks.iter().enumerate();
        let speeds = blocks.map(|(i, block)| mechanism.speed(i, block.shape.radius()));
        speeds.fold(0.0, f64::max)
    }

    /// The configuration a step ahead, with its limit; or why there is none.
    fn advance(
        &mut self,
        here: &Place,
        control: &Control,
        length: f64,
    ) -> Result<Result<Place, Stuck>, StaticsFault> {
        self.poser.crushing.clone_from(&here.crushing);
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
            LimitStatus::Optimal if middle.leaps.is_empty() => &middle.mechanism,
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
            LimitStatus::Optimal if limit.leaps.is_empty() => {
                Ok(self.place(here, poses, limit, &trend, control))
            }
            LimitStatus::Optimal | LimitStatus::Infeasible => Err(Stuck::Lost(limit.leaps)),
            LimitStatus::Unbounded => Err(Stuck::Locked(limit.holds)),
            LimitStatus::Inaccurate => Err(Stuck::Unsolved),
        })
    }

    /// Where blocks that leap have come to rest, each within its own size, while the rest of the structure goes on as little as steps can be cut; and which blocks these
    /// are. None if they do not, or not where loads have to be added to drive the structure on.
    fn land(
        &mut self,
        here: &Place,
        control: &Control,
        stuck: &Stuck,
    ) -> Result<Option<(Place, Vec<usize>)>, StaticsFault> {
        let Stuck::Lost(lost) = stuck else {
            return Ok(None);
        };
        self.poser.crushing.clone_from(&here.crushing);
        let work = self.work(here, control, SMALLEST * self.step);
        let mut poses = here.limit.mechanism.moved(&here.poses, work);
        let mut leaps = None;
        // What lands is slower from round to round; what goes on as a mechanism is not.
        let mut before = f64::INFINITY;
        for _ in 0..ROUNDS {
            let mut ties = here.ties.clone();
            ties.follow(self.poser.model, &poses);
            let way = Way {
                from: None,
                before: Some(&here.trend),
            };
            let poser = &mut self.poser;
            let limit = poser.limit_of_landing(&poses, &ties, work, way, lost)?;
            if limit.status != LimitStatus::Optimal || limit.alpha <= 0.0 {
                return Ok(None);
            }
            let travel = work * self.fastest(&limit.mechanism);
            let goes_on = travel >= 0.5 * before || travel <= FASTER * SMALLEST * self.step;
            before = travel;
            if limit.leaps.is_empty() && goes_on {
                let place = self.place(here, poses, limit, &here.trend, control);
                return Ok(Some((place, leaps.unwrap_or_else(|| lost.clone()))));
            }
            poses = limit.mechanism.moved(&poses, work);
            if !limit.leaps.is_empty() {
                leaps.get_or_insert(limit.leaps);
            }
        }
        Ok(None)
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
            crushing: self.poser.crushing.clone(),
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

    /// Between a point above zero and one below it, a step of this length ahead, the one at zero; or the last one above it where the multiplier jumps across. If another
    /// mechanism led there, multipliers on the way are settled as that one is: others are not of the same curve.
    fn zero(
        &mut self,
        here: &Place,
        there: Place,
        control: &Control,
        length: f64,
        other: bool,
    ) -> Result<End, StaticsFault> {
        let (mut low, mut high) = ((0.0, here.limit.alpha), (1.0, there.limit.alpha));
        let mut last = None;
        let mut beyond = there;
        for attempt in 0..ATTEMPTS {
            let share = match attempt % 2 {
                0 => low.0 + (high.0 - low.0) * low.1 / (low.1 - high.1),
                _ => 0.5 * (low.0 + high.0),
            };
            let mut place = match self.advance(here, control, share * length)? {
                Ok(place) => place,
                Err(stuck) => return Ok(End::stuck(last, stuck)),
            };
            if other {
                self.resettle(here, &mut place, control)?;
            }
            let alpha = place.limit.alpha;
            if alpha.abs() <= ZERO * self.poser.onset.abs() {
                let blocks = place.limit.mechanism.moving(self.poser.model);
                return Ok(End::new(Some(place), Ending::Zero, blocks));
            }
            if alpha > 0.0 {
                low = (share, alpha);
                last = Some(place);
            } else {
                high = (share, alpha);
                beyond = place;
            }
        }
        let mut ties = here.ties.clone();
        let ties = ties.follow(self.poser.model, &beyond.poses);
        let cause = match ties.is_empty() {
            true => Ending::Jump,
            false => Ending::Tie,
        };
        let blocks = beyond.limit.mechanism.moving(self.poser.model);
        Ok(End {
            last,
            cause,
            blocks,
            ties,
        })
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

/// Adds a point to the curve; says whether to go on.
fn add(place: &Place, outcome: &mut Outcome, observe: &mut Observe<'_>) -> bool {
    let point = point_of(place);
    let on = observe(&point);
    outcome.curve.points.push(point);
    on
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
