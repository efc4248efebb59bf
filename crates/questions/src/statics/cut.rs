//! Thrust of a whole cut: what one half of a structure pushes the other half, or its supports, with.
//!
//! Along one path of joints thrust is not unique. Paths beside it can push against each other as much as friction allows, and the force
//! in one joint then has extremes that are no thrust at all: pulling inwards, or many times what the abutments carry. What is bounded,
//! and what abutments are designed for, is the resultant over all joints of a section.
//!
//! The vertical plane along the steepest joint of the path divides the blocks that can move into two halves. At the
//! *crown* the far half is pushed by the near one, at the *springing* the supports are pushed by the far half. By the balance of that half
//! both differ by the loads along the span and by ties that leave it, and by nothing else.
//!
//! A plane that was asked for divides all blocks, supports too, by their centroids, and the force along its normal is that of one side on the other.

use drystone_cone::{LimitMethod, LimitSettings, LimitStatus};
use drystone_geometry::{DVec3, Manifold};
use drystone_mechanics::Statics;
use drystone_model::CuttingPlane;

use super::balance::unbalanced;
use super::joints::{Joint, joints};
use super::posed::Posed;
use super::proof::SECOND_OPINION;
use super::thrust::{ThrustLine, ThrustPath};
use super::{StaticsFault, aimed};
use crate::limit::{Displaced, settled};

/// Where a structure is cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// Between its halves.
    Crown,
    /// Between the half at the end of the path and supports.
    Springing,
    /// Along a plane that was asked for, by its place in the list.
    Given(usize),
}

impl Place {
    /// As in summaries.
    pub fn word(self) -> String {
        match self {
            Self::Crown => "crown".to_owned(),
            Self::Springing => "springing".to_owned(),
            Self::Given(index) => format!("cut {}", index + 1),
        }
    }
}

/// All joints that a section passes through.
#[derive(Debug, Clone, PartialEq)]
pub struct Cut {
    /// Where.
    pub place: Place,
    /// A point of the plane between the halves, m.
    pub point: DVec3,
    /// Its normal: the unit vector along which thrust is measured, horizontal unless the plane was asked for.
    pub outward: DVec3,
    /// Positions in the list of joints, and whether the pushed side is the second block.
    pub joints: Vec<(usize, bool)>,
    /// Ties that it cuts as well. Their tension is no part of the thrust.
    pub ties: usize,
}

/// Thrust over a cut in one state of equilibrium.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CutState {
    /// As of [`ThrustLine::state`].
    pub state: &'static str,
    /// Of the forces of this state, N.
    pub thrust: f64,
    /// Of an extreme one: what a mechanism proves that no state goes beyond, N.
    pub bound: Option<f64>,
}

/// Thrusts over a cut.
#[derive(Debug, Clone, PartialEq)]
pub struct CutThrust {
    /// What is cut.
    pub cut: Cut,
    /// By state of equilibrium. An extreme one that was not decided, or has no limit, is missing.
    pub states: Vec<CutState>,
}

/// The half of a structure beyond a plane.
struct Half<'s> {
    statics: &'s Statics<'s>,
    point: DVec3,
    outward: DVec3,
    /// A path through a single block has no joint between halves: joints with supports are told apart by where they are.
    whole: bool,
}

impl Half<'_> {
    fn is_free(&self, block: usize) -> bool {
        !self.statics.model.blocks[block].support
    }

    /// Whether a block that can move is in it.
    fn holds(&self, block: usize) -> bool {
        let at = self.statics.model.blocks[block].position;
        self.is_free(block) && (at - self.point).dot(self.outward) > 0.0
    }

    /// Whether a joint at the springing is passed from the half to a support.
    fn leaves(&self, manifold: &Manifold, from: u32, to: u32) -> bool {
        let [from, to] = [from as usize, to as usize];
        let beyond = if self.whole {
            let aside = centre(self.statics, manifold) - self.point;
            self.is_free(from) && aside.dot(self.outward) > 0.0
        } else {
            self.holds(from)
        };
        beyond && !self.is_free(to)
    }

    /// Whether a joint at the crown is passed from the other half to this one.
    fn enters(&self, from: u32, to: u32) -> bool {
        let [from, to] = [from as usize, to as usize];
        self.is_free(from) && !self.holds(from) && self.holds(to)
    }

    /// The half's joints and ties with supports.
    fn springing(&self) -> Cut {
        let ties = |ends: [Option<usize>; 2]| {
            let [held, fixed] = self.ends(ends);
            (held[0] && fixed[1]) || (held[1] && fixed[0])
        };
        let crosses = |m: &Manifold, from, to| self.leaves(m, from, to);
        self.cut(Place::Springing, crosses, ties)
    }

    /// The joints and ties between both halves.
    fn crown(&self) -> Cut {
        let ties = |ends: [Option<usize>; 2]| {
            let [held, fixed] = self.ends(ends);
            held[0] != held[1] && !fixed[0] && !fixed[1]
        };
        let crosses = |_: &Manifold, from, to| self.enters(from, to);
        self.cut(Place::Crown, crosses, ties)
    }

    /// Whether the ends of a tie are in the half, and whether they are held.
    fn ends(&self, blocks: [Option<usize>; 2]) -> [[bool; 2]; 2] {
        let held = blocks.map(|end| end.is_some_and(|block| self.holds(block)));
        let fixed = blocks.map(|end| end.is_none_or(|block| !self.is_free(block)));
        [held, fixed]
    }

    fn cut(
        &self,
        place: Place,
        crosses: impl Fn(&Manifold, u32, u32) -> bool,
        ties: impl Fn([Option<usize>; 2]) -> bool,
    ) -> Cut {
        let manifolds = self.statics.touching.manifolds.iter().enumerate();
        let joints = manifolds.filter_map(|(joint, m)| {
            let forward = crosses(m, m.a, m.b);
            (forward || crosses(m, m.b, m.a)).then_some((joint, forward))
        });
        let all = self.statics.model.ties.iter();
        Cut {
            place,
            point: self.point,
            outward: self.outward,
            joints: joints.collect(),
            ties: all.filter(|tie| ties(tie.blocks)).count(),
        }
    }
}

/// The cuts along planes that were asked for.
pub(crate) fn given(statics: &Statics<'_>, planes: &[CuttingPlane]) -> Vec<Cut> {
    let blocks = &statics.model.blocks;
    let cut = |(index, plane): (usize, &CuttingPlane)| {
        let manifolds = statics.touching.manifolds.iter().enumerate();
        let joints = manifolds.filter_map(|(joint, m)| {
            let sides = [m.a, m.b].map(|block| &blocks[block as usize]);
            plane.crosses(sides).map(|forward| (joint, forward))
        });
        let side = |at: DVec3| (at - plane.point).dot(plane.normal) > 0.0;
        // The end of a tie goes with its block.
        let ends = statics.model.ties.iter().map(|tie| {
            let at = |end: usize| tie.blocks[end].map_or(tie.points[end], |i| blocks[i].position);
            [0, 1].map(|end| side(at(end)))
        });
        Cut {
            place: Place::Given(index),
            point: plane.point,
            outward: plane.normal,
            joints: joints.collect(),
            ties: ends.filter(|[a, b]| a != b).count(),
        }
    };
    planes.iter().enumerate().map(cut).collect()
}

/// The middle of a joint's contact points, m.
fn centre(statics: &Statics<'_>, manifold: &Manifold) -> DVec3 {
    let points = statics.touching.points_of(manifold);
    points.iter().map(|point| point.midpoint()).sum::<DVec3>() / points.len().max(1) as f64
}

impl ThrustPath {
    /// The joint of the path that is most nearly vertical, between blocks that can move; of several the one nearest to the middle.
    fn crown(&self, statics: &Statics<'_>) -> Option<usize> {
        let manifolds = &statics.touching.manifolds;
        let free = |block: u32| !statics.model.blocks[block as usize].support;
        let middle = 0.5 * (self.joints.len() as f64 - 1.0);
        // Joints that mirror each other differ by rounding.
        let steep = |joint: usize| (1e9 * manifolds[joint].normal.dot(self.outward).abs()).round();
        self.joints
            .iter()
            .enumerate()
            .filter(|(_, joint)| free(manifolds[**joint].a) && free(manifolds[**joint].b))
            .max_by(|(i, a), (j, b)| {
                let aside = |at: usize| (at as f64 - middle).abs();
                (steep(**a).total_cmp(&steep(**b))).then(aside(*j).total_cmp(&aside(*i)))
            })
            .map(|(_, &joint)| joint)
    }

    /// Horizontal unit vector along which the crown pushes: across its joint, towards the end of the path. Where the joint is nearer to horizontal than to vertical,
    /// it does not tell where the span runs, and the direction from one end to the other is taken.
    fn across(&self, normal: DVec3) -> DVec3 {
        let flat = DVec3::new(normal.x, normal.y, 0.0);
        if flat.length() <= normal.z.abs() {
            return self.outward;
        }
        let flat = flat.normalize();
        if flat.dot(self.outward) < 0.0 {
            -flat
        } else {
            flat
        }
    }

    fn half<'s>(&self, statics: &'s Statics<'s>) -> Option<Half<'s>> {
        let manifolds = &statics.touching.manifolds;
        let middle = |joint: usize| centre(statics, &manifolds[joint]);
        let crown = self.crown(statics);
        let ends = [*self.joints.first()?, *self.joints.last()?].map(middle);
        Some(Half {
            statics,
            point: crown.map_or(0.5 * (ends[0] + ends[1]), middle),
            outward: crown.map_or(self.outward, |joint| self.across(manifolds[joint].normal)),
            whole: crown.is_none(),
        })
    }

    /// Where the structure of the path is cut: at the springing if the path ends at a support, and at the crown if it has one.
    pub fn cuts(&self, statics: &Statics<'_>) -> Vec<Cut> {
        let Some(half) = self.half(statics) else {
            return Vec::new();
        };
        let springing = Some(half.springing())
            .filter(|cut| self.joints.last().is_some_and(|&last| cut.passes(last)));
        let crown = Some(half.crown()).filter(|cut| !half.whole && !cut.joints.is_empty());
        springing.into_iter().chain(crown).collect()
    }
}

impl Cut {
    fn passes(&self, joint: usize) -> bool {
        self.joints.iter().any(|(other, _)| *other == joint)
    }

    /// Force on the pushed side along the normal, N.
    pub fn thrust(&self, joints: &[Joint]) -> f64 {
        let of = |&(joint, forward): &(usize, bool)| {
            let joint = &joints[joint];
            let force = (joint.force * joint.normal + joint.shear).dot(self.outward);
            if forward { force } else { -force }
        };
        self.joints.iter().map(of).sum()
    }

    /// Its joints, the pushed side going outwards for a positive sign.
    fn displaced(&self, sign: f64) -> Vec<Displaced> {
        let of = |&(joint, forward): &(usize, bool)| Displaced {
            joint,
            by: if forward { sign } else { -sign } * self.outward,
        };
        self.joints.iter().map(of).collect()
    }

    /// What is cut, in words.
    pub fn words(&self) -> String {
        match (self.place, self.joints.len()) {
            (Place::Springing, 1) => "at the springing".to_owned(),
            (Place::Springing, count) => {
                format!("of the whole cut at the springing, {count} joints")
            }
            (Place::Crown, 1) => "at the crown".to_owned(),
            (Place::Crown, count) => format!("of the whole cut at the crown, {count} joints"),
            (Place::Given(index), 1) => format!("over cut {}, 1 joint", index + 1),
            (Place::Given(index), count) => format!("over cut {}, {count} joints", index + 1),
        }
    }
}

/// Thrusts of a state over all cuts.
pub(crate) fn over(cuts: Vec<Cut>, state: &'static str, joints: &[Joint]) -> Vec<CutThrust> {
    let of = |cut: Cut| {
        let states = vec![CutState {
            state,
            thrust: cut.thrust(joints),
            bound: None,
        }];
        CutThrust { cut, states }
    };
    cuts.into_iter().map(of).collect()
}

/// An extreme state, proved by its forces and by a mechanism.
struct Extreme {
    joints: Vec<Joint>,
    thrust: f64,
    bound: f64,
}

/// The extreme states, and the sign with which the pushed side is displaced for each.
const EXTREMES: [(&str, f64); 2] = [("minimum", 1.0), ("maximum", -1.0)];

/// Adds the states of least and of greatest thrust to each cut of a path, and returns their lines along the path, of those over the first cut. Notes say
/// what is missing, and why.
pub(crate) fn extremes(
    path: &ThrustPath,
    posed: &Posed<'_>,
    loads: &[[f64; 6]],
    tolerance: f64,
    cuts: &mut [CutThrust],
    notes: &mut Vec<String>,
) -> Result<Vec<ThrustLine>, StaticsFault> {
    // Without ties the thrusts of a state over both cuts differ by loads alone, so that a state that is extreme for one is for the other.
    let apart = cuts.iter().any(|cut| cut.cut.ties > 0);
    let mut lines = Vec::new();
    let Some((first, others)) = cuts.split_first_mut() else {
        return Ok(lines);
    };
    for state in EXTREMES {
        let known = add_extreme(posed, loads, tolerance, first, state, notes)?;
        for over in others.iter_mut() {
            if apart {
                add_extreme(posed, loads, tolerance, over, state, notes)?;
            } else if let Some(known) = &known {
                let thrust = over.cut.thrust(&known.joints);
                over.states.push(CutState {
                    state: state.0,
                    thrust,
                    bound: Some(known.bound + thrust - known.thrust),
                });
            }
        }
        lines.extend(known.map(|known| path.line(state.0, &known.joints, known.thrust)));
    }
    Ok(lines)
}

/// The same for cuts along planes that were asked for, which have no path.
pub(crate) fn given_extremes(
    posed: &Posed<'_>,
    loads: &[[f64; 6]],
    tolerance: f64,
    cuts: &mut [CutThrust],
    notes: &mut Vec<String>,
) -> Result<(), StaticsFault> {
    for over in cuts {
        for state in EXTREMES {
            add_extreme(posed, loads, tolerance, over, state, notes)?;
        }
    }
    Ok(())
}

/// Adds an extreme state to a cut, or a note why there is none.
fn add_extreme(
    posed: &Posed<'_>,
    loads: &[[f64; 6]],
    tolerance: f64,
    over: &mut CutThrust,
    (state, sign): (&'static str, f64),
    notes: &mut Vec<String>,
) -> Result<Option<Extreme>, StaticsFault> {
    match extreme(posed, loads, tolerance, &over.cut, sign)? {
        Ok(found) => {
            over.states.push(CutState {
                state,
                thrust: found.thrust,
                bound: Some(found.bound),
            });
            Ok(Some(found))
        }
        Err(why) => {
            let which = if sign > 0.0 { "least" } else { "greatest" };
            let words = over.cut.words();
            notes.push(format!("there is no {which} thrust {words}: {why}"));
            Ok(None)
        }
    }
}

/// The least of `sign` times the thrust over a cut: the pushed side is displaced outwards, or inwards. Or why there is none.
fn extreme(
    posed: &Posed<'_>,
    loads: &[[f64; 6]],
    tolerance: f64,
    cut: &Cut,
    sign: f64,
) -> Result<Result<Extreme, String>, StaticsFault> {
    let displaced = cut.displaced(sign);
    let second = posed.statics.contacts.len() <= SECOND_OPINION;
    let methods = [LimitMethod::InteriorPoint, LimitMethod::Clarabel];
    let mut missed = f64::INFINITY;
    for method in methods.into_iter().take(1 + usize::from(second)) {
        let settings = LimitSettings {
            method,
            tolerance: aimed(tolerance),
            ..LimitSettings::default()
        };
        let settled = settled(posed, loads, &displaced, &settings)?;
        let solution = settled.solution;
        match solution.status {
            LimitStatus::Unbounded => return Ok(Err("it has no limit".to_owned())),
            LimitStatus::Infeasible => {
                return Ok(Err("no forces were found that balance the loads".to_owned()));
            }
            LimitStatus::Inaccurate => {
                missed = missed.min(solution.residual.worst());
                continue;
            }
            LimitStatus::Optimal => {}
        }
        // Whoever found them, forces prove nothing that do not balance every block.
        let left = unbalanced(posed, loads, &solution.force, &solution.tension);
        if left > tolerance {
            missed = missed.min(left);
            continue;
        }
        let joints = joints(&posed.statics, &solution.force);
        return Ok(Ok(Extreme {
            thrust: cut.thrust(&joints),
            bound: sign * settled.bounds[0],
            joints,
        }));
    }
    Ok(Err(format!(
        "it is not decided, as the solver missed its tolerance with a residual of {missed:.1e}"
    )))
}

/// What a reader of a thrust line through a structure of many joints should know.
pub(crate) fn explained(cuts: &[CutThrust], notes: &mut Vec<String>) {
    let Some(CutThrust { cut, .. }) = cuts.first() else {
        notes.push(
            "no thrusts are given: the path neither ends at a support nor has a joint that divides the structure into halves"
                .to_owned(),
        );
        return;
    };
    if cut.joints.len() > 1 {
        let place = cut.place.word();
        notes.push(format!(
            "thrusts are those of the whole cut at the {place}, {} joints; the line passes through one of them, in which the force is one of many that balance the loads, and not bounded by them",
            cut.joints.len()
        ));
    }
    tied(cuts, notes);
}

/// Ties that are cut, too.
pub(crate) fn tied(cuts: &[CutThrust], notes: &mut Vec<String>) {
    for CutThrust { cut, .. } in cuts.iter().filter(|cut| cut.cut.ties > 0) {
        let place = match cut.place {
            Place::Given(_) => cut.place.word(),
            Place::Crown | Place::Springing => format!("the cut at the {}", cut.place.word()),
        };
        notes.push(format!(
            "{place} passes through ties as well ({}), whose tension is not part of the thrust",
            cut.ties
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use drystone_model::from_toml;

    /// Bounds of both extremes over the springing of a vault, by our own method and by Clarabel's.
    #[test]
    fn another_solver_finds_the_same_extremes() {
        let model = from_toml(
            "[[material]]\nname = \"stone\"\ndensity = 2000.0\n[[interface]]\nbetween = [\"*\", \"*\"]\nfriction = 0.7\n\
             [[generate]]\nname = \"v\"\nkind = \"barrel_vault\"\nmaterial = \"stone\"\nspan = 4.0\nthickness = 0.5\nrows = 9\nlength = 2.0\nblocks = 2",
        )
        .unwrap_or_else(|faults| panic!("{faults}"));
        let posed = Posed::new(&model);
        let named = |name: &str| model.blocks.iter().position(|block| block.name == name);
        let [from, to] = ["v.row1.block1", "v.row9.block1"].map(|name| named(name).unwrap());
        let path = ThrustPath::between(&posed.statics, from, to).unwrap();
        let cuts = path.cuts(&posed.statics);
        let cut = &cuts[0];
        let loads = posed.statics.dead();
        let weight: f64 = loads.iter().map(|load| -load[2]).sum();
        for sign in [1.0, -1.0] {
            let bounds = [LimitMethod::InteriorPoint, LimitMethod::Clarabel].map(|method| {
                let settings = LimitSettings {
                    method,
                    tolerance: 1e-8,
                    ..LimitSettings::default()
                };
                settled(&posed, &loads, &cut.displaced(sign), &settings)
                    .unwrap()
                    .bounds
            });
            // Both end within a millionth of the weight.
            for bound in bounds.iter().flatten() {
                assert!((bound - bounds[0][0]).abs() < 2e-6 * weight, "{bounds:?}");
            }
        }
    }
}
