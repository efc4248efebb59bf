//! When a time history has a verdict: what counts as collapse, and what as standing.
//!
//! A structure has *collapsed* when it has lost a fraction of its potential energy (global collapse), or when a block has dropped by more than its
//! own height (local collapse). It has *stood* when it is at rest after everything that moved it from outside has ended. In between there is no verdict: a wall past its point
//! of balance may look as calm as one that swings back.
//!
//! At rest is what has velocities of exactly zero, since it is in the same state after each further step. What is merely slow for a while is so if forces are found, within friction, that balance every block where
//! it is now, with the friction of joints that slide: then nothing drives it any more. A block that slowly slides off, or leans beyond its point of balance, has no such forces. This is a criterion and no proof: under Coulomb's law there may be other forces that do not balance.

use drystone_geometry::Pose;
use drystone_mechanics::TieMemory;
use drystone_model::{Block, Collapse, Model, STATICS_TOLERANCE, TimeHistory};
use serde::{Deserialize, Serialize};

use crate::statics::{Posed, standing};

/// Speed below which a point counts as quiet, m/s. It would rise by a micrometre: contacts under Coulomb's law sway by as much.
pub(super) const QUIET_SPEED: f64 = 5e-3;

/// How long all points have to be quiet, s, before forces are sought that hold them, and between one search and the next. A block that pauses where its swing turns is quiet for a while too.
pub(super) const QUIET_TIME: f64 = 0.5;

/// Times are sums of steps: what begins this much before the end of a motion begins after it, s.
const ROUNDING: f64 = 1e-9;

/// What a structure has come to so far.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Standing {
    /// When it collapsed, s.
    pub collapse_time: Option<f64>,
    /// Indices of blocks that have dropped by more than their own height, in the order in which they did.
    pub fallen: Vec<usize>,
    /// Whether each block is among them; shorter if the last ones are not.
    is_fallen: Vec<bool>,
    /// Since when no point has been faster than [`QUIET_SPEED`] and nothing outside has moved, s.
    quiet_since: Option<f64>,
    /// When forces were sought last that hold it where it is, s, and whether there are any.
    #[serde(default)]
    sought: Option<(f64, bool)>,
    /// Nothing will move it any more.
    at_rest: bool,
}

/// What was seen in a step.
pub(super) struct Seen {
    /// Its beginning and its end, s.
    pub span: [f64; 2],
    /// Time after which neither ground nor supports are moved; infinite if that is not known.
    pub motion_end: f64,
    /// Of the fastest point of the free blocks relative to the ground, m/s.
    pub speed: f64,
    /// The structure has lost the part of its potential energy that counts as collapse.
    pub lost_height: bool,
}

impl Standing {
    /// Takes in a step.
    pub fn see(&mut self, settings: &TimeHistory, seen: &Seen) {
        let global = seen.lost_height;
        let local = !self.fallen.is_empty();
        let collapsed = match settings.collapse {
            Collapse::Global => global,
            Collapse::Local => local,
            Collapse::Either => global || local,
        };
        let [begin, end] = seen.span;
        if collapsed && self.collapse_time.is_none() {
            self.collapse_time = Some(end);
        }
        let quiet = seen.speed <= QUIET_SPEED && begin >= seen.motion_end - ROUNDING;
        self.quiet_since = quiet.then(|| self.quiet_since.unwrap_or(begin));
        if !quiet {
            self.sought = None;
        }
        // A structure whose velocities are exactly zero is in the same state after each further step.
        let held = self.sought.is_some_and(|(_, held)| held);
        self.at_rest = quiet && (seen.speed == 0.0 || held);
    }

    /// Whether it has been quiet for so long that it is worth while to seek forces that hold it at a time, s.
    pub fn is_in_doubt(&self, time: f64) -> bool {
        let since = self.sought.map(|(at, _)| at).or(self.quiet_since);
        let long = since.is_some_and(|since| time - since >= QUIET_TIME - ROUNDING);
        !self.is_decided() && self.quiet_since.is_some() && long
    }

    /// Takes in whether there are forces that hold it where it is at a time, s.
    pub fn sought(&mut self, time: f64, held: bool) {
        self.sought = Some((time, held));
        self.at_rest |= held;
    }

    /// Whether there are such forces; nothing if nobody had to seek them.
    pub fn is_held(&self) -> Option<bool> {
        self.sought.map(|(_, held)| held)
    }

    /// Takes note of a block that has dropped, m, while supports under it were lowered by as much as `lowered`, m.
    pub fn dropped(&mut self, block: usize, drop: f64, height: f64, lowered: impl FnOnce() -> f64) {
        let known = self.is_fallen.get(block).is_some_and(|fallen| *fallen);
        if drop > height && !known && drop > height + lowered() {
            self.fallen.push(block);
            let count = self.is_fallen.len().max(block + 1);
            self.is_fallen.resize(count, false);
            self.is_fallen[block] = true;
        }
    }

    /// Somebody has set it moving.
    pub fn disturb(&mut self) {
        (self.quiet_since, self.sought, self.at_rest) = (None, None, false);
    }

    /// Since when it has been at rest, s; nothing if it is not.
    pub fn at_rest_since(&self) -> Option<f64> {
        self.quiet_since.filter(|_| self.at_rest)
    }

    /// There is a verdict, and more time does not change it.
    pub fn is_decided(&self) -> bool {
        self.collapse_time.is_some() || self.at_rest
    }
}

/// Whether forces within friction balance every block in a configuration, under dead and live loads and `more` per block, N and N m: recomputed from the forces, and as sure as the verdict of an equilibrium.
/// Ties pull with anything up to their yield force if they are taut.
pub(super) fn is_held(
    model: &Model,
    poses: Vec<Pose>,
    ties: &[TieMemory],
    more: impl Fn(usize) -> [f64; 6],
) -> bool {
    let mut posed = Posed::at(model, poses, ties);
    // What still slides, however slowly, has no more than its kinetic friction.
    let slides: Vec<f64> = posed
        .statics
        .joints()
        .flat_map(|(manifold, pair)| vec![pair.kinetic_friction(); manifold.count as usize])
        .collect();
    for (contact, friction) in posed.statics.contacts.iter_mut().zip(slides) {
        contact.friction = friction;
    }
    let mut loads = posed.statics.dead();
    posed.statics.add_loads(true, &mut loads);
    for (load, &block) in loads.iter_mut().zip(&posed.statics.bodies.blocks) {
        let more = more(block);
        (0..6).for_each(|k| load[k] += more[k]);
    }
    // What could not be decided was not proved.
    let found = standing(&posed, &loads, STATICS_TOLERANCE);
    found.is_ok_and(|found| found.stands && found.solved)
}

/// Vertical extent of a block in its initial place, m.
pub(super) fn height(block: &Block) -> f64 {
    let heights = || block.shape.vertices().map(|vertex| vertex.z);
    heights().fold(f64::MIN, f64::max) - heights().fold(f64::MAX, f64::min)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings() -> TimeHistory {
        let text = "[model]\nname = \"m\"\n[[material]]\nname = \"s\"\ndensity = 1.0\n[[interface]]\nbetween = [\"*\", \"*\"]\nfriction = 0.6\n\
                    [[block]]\nname = \"b\"\nmaterial = \"s\"\nvertices = [[0,0,0],[1,0,0],[0,1,0],[0,0,1]]\n\
                    [[block]]\nname = \"g\"\nmaterial = \"s\"\nsupport = true\nvertices = [[0,0,0],[1,0,0],[0,1,0],[0,0,-1]]\n\
                    [[analysis]]\nname = \"a\"\nkind = \"time_history\"\nduration = 1.0\n";
        let model = drystone_model::from_toml(text).unwrap_or_else(|faults| panic!("{faults}"));
        match model.analyses.into_iter().next().map(|item| item.kind) {
            Some(drystone_model::AnalysisKind::TimeHistory(settings)) => settings,
            other => panic!("{other:?}"),
        }
    }

    fn follow(standing: &mut Standing, speeds: impl Iterator<Item = f64>) {
        let settings = settings();
        for (k, speed) in speeds.enumerate() {
            let seen = Seen {
                span: [k as f64 * 0.01, (k + 1) as f64 * 0.01],
                motion_end: 0.2,
                speed,
                lost_height: false,
            };
            standing.see(&settings, &seen);
        }
    }

    #[test]
    fn what_is_quiet_for_long_enough_after_the_motion_rests() {
        let slow = || std::iter::repeat(0.9 * QUIET_SPEED);
        let mut standing = Standing::default();
        follow(&mut standing, slow().take(69));
        assert!(!standing.is_in_doubt(0.69), "0.49 s after the motion");
        let mut standing = Standing::default();
        follow(&mut standing, slow().take(70));
        assert!(standing.is_in_doubt(0.7) && !standing.is_decided());
        // Without forces that hold it, it is asked again half a second later.
        standing.sought(0.7, false);
        assert!(!standing.is_decided() && standing.is_held() == Some(false));
        assert!(!standing.is_in_doubt(1.19) && standing.is_in_doubt(1.2));
        standing.sought(1.2, true);
        let since = standing.at_rest_since();
        assert!(
            since.is_some_and(|since| (since - 0.2).abs() < 1e-12),
            "{since:?}"
        );
        // A jolt begins the time anew.
        let mut standing = Standing::default();
        follow(
            &mut standing,
            slow()
                .take(60)
                .chain([1.1 * QUIET_SPEED])
                .chain(slow().take(49)),
        );
        assert!(!standing.is_in_doubt(1.1) && !standing.is_decided());
    }

    #[test]
    fn velocities_of_zero_rest_at_once_but_not_while_the_ground_moves() {
        let mut standing = Standing::default();
        follow(&mut standing, [0.0; 20].into_iter());
        assert_eq!(standing.at_rest_since(), None);
        follow(&mut standing, [0.0; 21].into_iter());
        assert_eq!(standing.at_rest_since(), Some(0.2));
        standing.disturb();
        assert_eq!(standing.at_rest_since(), None);
    }

    #[test]
    fn what_supports_take_along_has_not_fallen() {
        let mut standing = Standing::default();
        standing.dropped(3, 0.9, 1.0, || 0.0);
        standing.dropped(4, 1.1, 1.0, || 0.2);
        assert!(standing.fallen.is_empty());
        standing.dropped(5, 1.3, 1.0, || 0.2);
        standing.dropped(5, 1.4, 1.0, || 0.2);
        assert_eq!(standing.fallen, [5]);
    }
}
