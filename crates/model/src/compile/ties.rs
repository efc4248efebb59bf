//! Ties.

use drystone_geometry::DVec3;

use super::check::Check;
use super::loads::attached;
use super::names::Names;
use crate::decode::Broken;
use crate::fault::{Section, Trail};
use crate::model::{Block, Tie};
use crate::spec::{ModelSpec, Plane};

/// The word for an end of a tie that is held.
const GROUND: &str = "ground";

/// Checks the ties.
pub(super) fn ties(
    spec: &ModelSpec,
    broken: &Broken,
    names: &Names<'_>,
    blocks: &[Option<Block>],
    check: &mut Check<'_>,
) -> Vec<Tie> {
    let labels = labels(spec);
    Names::collect(
        Section::Tie,
        labels.iter().map(String::as_str),
        broken,
        check.faults,
    );
    let mut ties = Vec::with_capacity(spec.tie.len());
    for (item, tie) in spec.tie.iter().enumerate() {
        if broken.has(Section::Tie, item) {
            continue;
        }
        let trail = Trail::item(Section::Tie, item, tie.name.as_deref());
        check.numbers(tie, trail);
        if let Some(force) = tie.initial_force
            && force >= 0.0
            && force > tie.yield_force
        {
            check.report(
                trail.key("initial_force"),
                format!(
                    "the tie yields at {} N, less than it is pulled by at the start, {force} N",
                    tie.yield_force
                ),
                "at most `yield`",
            );
        }
        let (ends, points) = (trail.key("blocks"), trail.key("points"));
        let mut found = [None; 2];
        let mut known = true;
        for (side, end) in found.iter_mut().enumerate() {
            let name = tie.blocks[side].as_str();
            if name == GROUND && names.get(name).is_none() {
                check.vector(tie.points[side], points.index(side));
                continue;
            }
            *end = names.find(name, ends.index(side), check.faults);
            known &= end.is_some();
            let block = end.and_then(|block| blocks[block].as_ref());
            let what = format!("the tie \"{}\"", labels[item]);
            attached(tie.points[side], block, &what, points.index(side), check);
        }
        let held = |block: Option<usize>| block.is_none_or(|block| spec.block[block].support);
        if known && held(found[0]) && held(found[1]) {
            check.report(
                ends,
                "both ends are held, so the tie does nothing",
                "name a block that can move",
            );
        } else if found[0] == found[1] && found[0].is_some() {
            check.report(
                ends,
                "both ends are on the same block, so the tie does nothing",
                "name two blocks",
            );
        }
        let [a, b] = tie.points.map(DVec3::from_array);
        if a == b {
            check.report(
                points,
                "the two ends are the same point, so the tie has no direction",
                "",
            );
        }
        if check.plane.is_some() {
            let out = match check.plane {
                Some(Plane::Xz) => (b - a).y,
                _ => (b - a).x,
            };
            if out.abs() > 1e-9 * (b - a).length() {
                check.report(points, "the tie leaves the plane of this planar model", "");
            }
        }
        ties.push(Tie {
            name: labels[item].clone(),
            blocks: found,
            points: [a, b],
            stiffness: tie.stiffness,
            yield_force: tie.yield_force,
            max_elongation: tie.max_elongation,
            initial_force: tie.initial_force(),
        });
    }
    ties
}

/// The names of ties, by their place in the file where none is given.
fn labels(spec: &ModelSpec) -> Vec<String> {
    let ties = spec.tie.iter().enumerate();
    ties.map(|(item, tie)| match &tie.name {
        Some(name) => name.clone(),
        None => format!("tie{}", item + 1),
    })
    .collect()
}
