//! Bumps under blocks: an underside of several narrow facets, so that a rocking block passes from ridge to ridge and loses
//! less at each than in one impact from edge to edge (NB remark 7).

use drystone_geometry::{DVec3, Polyhedron};

use super::{Axis, BumpsSpec, Misfit};

/// Most ridges under a block: beyond, their facets are too narrow for contact.
const MAX_COUNT: u32 = 99;

/// The block with an underside that follows a parabola: its lowest ridges stay where it was, its two edges rise by the
/// height of the bumps, and ridges across stand at equal distances in between.
pub(super) fn bumped(
    shape: &Polyhedron,
    bumps: &BumpsSpec,
    name: &str,
) -> Result<Polyhedron, Misfit> {
    let axis = match bumps.along() {
        Axis::X => 0,
        Axis::Y => 1,
        Axis::Z => {
            return Err(Misfit::new(
                "bumps.along",
                "a block does not rock upwards",
                "\"x\" or \"y\"",
            ));
        }
    };
    if bumps.count == 0 || bumps.count > MAX_COUNT {
        return Err(Misfit::new(
            "bumps.count",
            format!("{} bumps", bumps.count),
            format!("from 1 to {MAX_COUNT}"),
        ));
    }
    // Underside: the one face that looks straight down.
    let Some(base) = shape
        .faces()
        .iter()
        .find(|face| face.normal.z < -1.0 + 1e-9)
    else {
        return Err(Misfit::new(
            "bumps.blocks",
            format!("the block \"{name}\" has no level underside"),
            "name the blocks that stand on level joints",
        ));
    };
    let corners: Vec<DVec3> = base
        .corners
        .iter()
        .map(|&corner| shape.vertices()[corner as usize])
        .collect();
    let along = |point: &DVec3| point[axis];
    let low = corners.iter().map(along).fold(f64::INFINITY, f64::min);
    let high = corners.iter().map(along).fold(f64::NEG_INFINITY, f64::max);
    let (middle, half) = (0.5 * (low + high), 0.5 * (high - low));
    let height = bumps.height;
    let block_height = shape.bounding_box().extent().z;
    if !(height > 0.0 && height < 0.1 * half.min(block_height)) {
        return Err(Misfit::new(
            "bumps.height",
            format!("bumps of {height} m under the block \"{name}\""),
            format!(
                "greater than zero and less than {:.4} m, a tenth of the block",
                0.1 * half.min(block_height)
            ),
        ));
    }
    // With an even number the two ridges beside the middle are the lowest; they stay at the level of the joint.
    let lowest = match bumps.count % 2 {
        0 => 1.0 / f64::from(bumps.count + 1).powi(2),
        _ => 0.0,
    };
    let raised = |point: DVec3| {
        let s = (along(&point) - middle) / half;
        let rise = (s * s - lowest).max(0.0) / (1.0 - lowest);
        point + DVec3::Z * (height * rise)
    };
    let mut points: Vec<DVec3> = shape
        .vertices()
        .iter()
        .enumerate()
        .map(|(index, &vertex)| {
            if base.corners.contains(&(index as u32)) {
                raised(vertex)
            } else {
                vertex
            }
        })
        .collect();
    for ridge in 1..=bumps.count {
        let at = low + (high - low) * f64::from(ridge) / f64::from(bumps.count + 1);
        for (index, &from) in corners.iter().enumerate() {
            let to = corners[(index + 1) % corners.len()];
            let (f, t) = (along(&from) - at, along(&to) - at);
            if (f < 0.0 && t > 0.0) || (f > 0.0 && t < 0.0) {
                points.push(raised(from + (to - from) * (f / (f - t))));
            }
        }
    }
    Polyhedron::hull(&points).map_err(|fault| {
        Misfit::new(
            "bumps",
            format!("the block \"{name}\" cannot have these bumps: {fault}"),
            "fewer or higher ones",
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block() -> Polyhedron {
        Polyhedron::cuboid(DVec3::new(-0.3, -0.2, 0.0), DVec3::new(0.3, 0.2, 2.0)).unwrap()
    }

    fn bumps(count: u32, height: f64) -> BumpsSpec {
        BumpsSpec {
            count,
            height,
            ..BumpsSpec::default()
        }
    }

    #[test]
    fn the_underside_gets_one_facet_more_than_ridges_and_keeps_its_lowest_level() {
        for count in [1, 2, 5] {
            let shape = bumped(&block(), &bumps(count, 1e-3), "b").unwrap();
            let facets = shape
                .faces()
                .iter()
                .filter(|face| face.normal.z < -0.9)
                .count();
            assert_eq!(facets, count as usize + 1);
            let lowest = shape.bounding_box().min.z;
            assert!(lowest.abs() < 1e-15, "{lowest}");
            let raised = shape
                .vertices()
                .iter()
                .filter(|v| (v.z - 1e-3).abs() < 1e-12)
                .count();
            assert_eq!(raised, 4);
        }
    }

    #[test]
    fn says_what_is_wrong() {
        assert_eq!(
            bumped(&block(), &bumps(0, 1e-3), "b").unwrap_err().key,
            "bumps.count"
        );
        assert_eq!(
            bumped(&block(), &bumps(1, 0.5), "b").unwrap_err().key,
            "bumps.height"
        );
        let tip = Polyhedron::hull(&[
            DVec3::ZERO,
            DVec3::new(1.0, 0.0, 1.0),
            DVec3::new(0.0, 1.0, 1.0),
            DVec3::new(-1.0, -1.0, 1.0),
        ])
        .unwrap();
        assert_eq!(
            bumped(&tip, &bumps(1, 1e-3), "b").unwrap_err().key,
            "bumps.blocks"
        );
    }
}
