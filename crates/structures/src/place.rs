//! Composition: pieces of a structure to blocks of a model. What is left out, cut, worn, mirrored, turned, moved, repeated
//! and named is the same for all structures and drawings.

use drystone_geometry::{DMat3, DVec3, VolumeProperties};

use super::worn::{Flaws, MEASURED, widths, worn};
use super::{Axis, CutSpec, Misfit, Piece, PlacingSpec};

/// Most copies of a structure; more is a slip of the pen.
const MAX_COPIES: u32 = 100_000;

/// Most blocks of a model that structures may make.
pub const MAX_BLOCKS: usize = 5_000_000;

/// A block of a structure where it stands.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PlacedBlock {
    /// With that of its structure before it.
    pub name: String,
    /// Name of the material.
    pub material: String,
    /// Follows the ground.
    pub support: bool,
    /// Its group, if it has one.
    pub group: Option<String>,
    /// Corners [x, y, z], m.
    pub vertices: Vec<[f64; 3]>,
    /// Faces as positions in the corners; absent: the convex hull.
    pub faces: Option<Vec<Vec<u32>>>,
    /// kg; absent: that of the shape.
    pub mass: Option<f64>,
    /// Centre of mass [x, y, z], m; absent: that of the shape.
    pub centroid: Option<[f64; 3]>,
    /// [xx, yy, zz, xy, xz, yz] about the centroid, kg m²; absent: that of the shape.
    pub inertia: Option<[f64; 6]>,
}

/// The blocks of a structure. `prefix` stands before their names; a material without a known density gets the mass of its
/// hull when the model is compiled. In a planar model, whose normal is `across`, worn edges are those along it, so that prisms
/// stay prisms.
pub fn place(
    pieces: Vec<Piece>,
    placing: &PlacingSpec,
    prefix: Option<&str>,
    across: Option<DVec3>,
    density: &dyn Fn(&str) -> Option<f64>,
) -> Result<Vec<PlacedBlock>, Vec<Misfit>> {
    let mut faults = Vec::new();
    let pieces = removed(pieces, &placing.remove, &mut faults);
    let planes = planes(&placing.cut, &mut faults);
    let motion = Motion::new(placing, &mut faults);
    let (copies, step) = copies(placing, &mut faults);
    widths(placing, &mut faults);
    for (index, set) in placing.set.iter().enumerate() {
        if !pieces.iter().any(|piece| matches(&set.blocks, &piece.name)) {
            faults.push(nothing(
                &format!("set[{index}].blocks"),
                &set.blocks,
                &pieces,
            ));
        }
    }
    if let Some(pattern) = placing
        .bumps
        .as_ref()
        .and_then(|bumps| bumps.blocks.as_ref())
        && !pieces.iter().any(|piece| matches(pattern, &piece.name))
    {
        faults.push(nothing("bumps.blocks", pattern, &pieces));
    }
    if !faults.is_empty() {
        return Err(faults);
    }
    let across = across.map(|axis| motion.turn.transpose() * axis);
    let mut shaped = Vec::with_capacity(pieces.len());
    let mut flaws = Flaws::default();
    for piece in pieces {
        match worn(piece, placing, &planes, across, flaws.0.len() < MEASURED) {
            Ok(piece) => shaped.extend(piece),
            Err(flaw) => flaws.0.push(flaw),
        }
    }
    flaws.done()?;
    let total = shaped.len().saturating_mul(copies as usize);
    if total > MAX_BLOCKS {
        let key = if copies > 1 { "repeat.count" } else { "kind" };
        return Err(vec![Misfit::new(
            key,
            format!("{total} blocks"),
            format!("at most {MAX_BLOCKS} in a model"),
        )]);
    }
    let mut blocks = Vec::with_capacity(total);
    for copy in 0..copies {
        let prefix = match (prefix, placing.repeat.is_some()) {
            (Some(name), true) => format!("{name}{}.", copy + 1),
            (Some(name), false) => format!("{name}."),
            (None, true) => format!("copy{}.", copy + 1),
            (None, false) => String::new(),
        };
        let by = step * f64::from(copy);
        for piece in &shaped {
            blocks.push(block(piece, placing, &prefix, &motion, by, density));
        }
    }
    Ok(blocks)
}

fn removed(pieces: Vec<Piece>, patterns: &[String], faults: &mut Vec<Misfit>) -> Vec<Piece> {
    for (index, pattern) in patterns.iter().enumerate() {
        if !pieces.iter().any(|piece| matches(pattern, &piece.name)) {
            faults.push(nothing(&format!("remove[{index}]"), pattern, &pieces));
        }
    }
    let kept = |piece: &Piece| !patterns.iter().any(|pattern| matches(pattern, &piece.name));
    pieces.into_iter().filter(kept).collect()
}

fn nothing(key: &str, pattern: &str, pieces: &[Piece]) -> Misfit {
    let names = match pieces {
        [] => "the structure has no blocks".to_owned(),
        [only] => format!("its only block is \"{}\"", only.name),
        [first, .., last] => format!(
            "its {} blocks are \"{}\" to \"{}\"",
            pieces.len(),
            first.name,
            last.name
        ),
    };
    Misfit::new(
        key,
        format!("no block of the structure has the name \"{pattern}\""),
        format!("{names}; `*` matches any characters, `?` a single one"),
    )
}

/// Unit normals towards what is taken away, and offsets.
fn planes(cuts: &[CutSpec], faults: &mut Vec<Misfit>) -> Vec<(DVec3, f64)> {
    let mut planes = Vec::with_capacity(cuts.len());
    for (index, cut) in cuts.iter().enumerate() {
        let normal = DVec3::from_array(cut.normal).try_normalize();
        let point = DVec3::from_array(cut.point);
        if !point.is_finite() {
            faults.push(Misfit::new(
                format!("cut[{index}].point"),
                "the point is not finite",
                "[x, y, z], m",
            ));
            continue;
        }
        match normal {
            Some(normal) => planes.push((normal, normal.dot(point))),
            None => faults.push(Misfit::new(
                format!("cut[{index}].normal"),
                "the plane has no direction",
                "a vector towards the side that is taken away, of any length but zero",
            )),
        }
    }
    planes
}

fn copies(placing: &PlacingSpec, faults: &mut Vec<Misfit>) -> (u32, DVec3) {
    let Some(repeat) = &placing.repeat else {
        return (1, DVec3::ZERO);
    };
    if repeat.count == 0 || repeat.count > MAX_COPIES {
        faults.push(Misfit::new(
            "repeat.count",
            format!("{} copies", repeat.count),
            format!("from 1 to {MAX_COPIES}"),
        ));
    }
    (repeat.count, DVec3::from_array(repeat.step))
}

/// Mirroring, turning and moving.
struct Motion {
    turn: DMat3,
    at: DVec3,
}

impl Motion {
    fn new(placing: &PlacingSpec, faults: &mut Vec<Misfit>) -> Self {
        let angles = placing.rotate_degrees();
        let at = DVec3::from_array(placing.at());
        if angles.iter().any(|angle| !angle.is_finite()) {
            faults.push(Misfit::new(
                "rotate_degrees",
                "an angle is not finite",
                "three angles, degrees",
            ));
        }
        if !at.is_finite() {
            faults.push(Misfit::new("at", "the place is not finite", "[x, y, z], m"));
        }
        let [x, y, z] = angles.map(exact_sin_cos);
        let about_x = DMat3::from_cols(
            DVec3::X,
            DVec3::new(0.0, x.1, x.0),
            DVec3::new(0.0, -x.0, x.1),
        );
        let about_y = DMat3::from_cols(
            DVec3::new(y.1, 0.0, -y.0),
            DVec3::Y,
            DVec3::new(y.0, 0.0, y.1),
        );
        let about_z = DMat3::from_cols(
            DVec3::new(z.1, z.0, 0.0),
            DVec3::new(-z.0, z.1, 0.0),
            DVec3::Z,
        );
        let mirror = match placing.mirror {
            None => DVec3::ONE,
            Some(Axis::X) => DVec3::new(-1.0, 1.0, 1.0),
            Some(Axis::Y) => DVec3::new(1.0, -1.0, 1.0),
            Some(Axis::Z) => DVec3::new(1.0, 1.0, -1.0),
        };
        let turn = about_z * about_y * about_x * DMat3::from_diagonal(mirror);
        Self { turn, at }
    }

    fn flips(&self) -> bool {
        self.turn.determinant() < 0.0
    }
}

/// Sine and cosine of an angle in degrees, exact at quarter turns: walls that meet at a right angle share coordinates.
fn exact_sin_cos(degrees: f64) -> (f64, f64) {
    let quarters = degrees / 90.0;
    if quarters == quarters.round() {
        match quarters.rem_euclid(4.0) as u8 {
            0 => (0.0, 1.0),
            1 => (1.0, 0.0),
            2 => (0.0, -1.0),
            _ => (-1.0, 0.0),
        }
    } else {
        degrees.to_radians().sin_cos()
    }
}

fn block(
    piece: &Piece,
    placing: &PlacingSpec,
    prefix: &str,
    motion: &Motion,
    by: DVec3,
    density: &dyn Fn(&str) -> Option<f64>,
) -> PlacedBlock {
    // Adding a zero keeps bits but turns -0 into 0.
    let moved = |point: DVec3| (motion.turn * point + motion.at + by) + DVec3::ZERO;
    let mut block = PlacedBlock {
        name: format!("{prefix}{}", piece.name),
        material: piece
            .material
            .clone()
            .unwrap_or_else(|| placing.material.clone()),
        support: placing.support || piece.support,
        group: placing.group.clone().or_else(|| piece.group.clone()),
        vertices: piece
            .vertices
            .iter()
            .map(|&v| moved(v).to_array())
            .collect(),
        faces: piece.faces.clone(),
        ..PlacedBlock::default()
    };
    if motion.flips() {
        for face in block.faces.iter_mut().flatten() {
            face.reverse();
        }
    }
    for set in &placing.set {
        if matches(&set.blocks, &piece.name) {
            if let Some(material) = &set.material {
                block.material.clone_from(material);
            }
            if set.group.is_some() {
                block.group.clone_from(&set.group);
            }
            block.support = set.support.unwrap_or(block.support);
        }
    }
    if let Some(VolumeProperties {
        volume,
        centroid,
        inertia,
    }) = &piece.properties
        && let Some(density) = density(&block.material)
    {
        let turned = motion.turn * *inertia * motion.turn.transpose() * density;
        let [x, y, z] = [turned.x_axis, turned.y_axis, turned.z_axis];
        block.mass = Some(density * volume);
        block.centroid = Some(moved(*centroid).to_array());
        block.inertia = Some([x.x, y.y, z.z, x.y, x.z, y.z]);
    }
    block
}

/// Whether a name fits a pattern in which `*` stands for any letters and `?` for one.
pub fn matches(pattern: &str, name: &str) -> bool {
    let (pattern, name): (Vec<char>, Vec<char>) =
        (pattern.chars().collect(), name.chars().collect());
    let (mut p, mut n) = (0, 0);
    // Where the last star stands, and up to where it has been tried.
    let mut star: Option<(usize, usize)> = None;
    while n < name.len() {
        if p < pattern.len() && pattern[p] == '*' {
            star = Some((p, n));
            p += 1;
        } else if p < pattern.len() && (pattern[p] == '?' || pattern[p] == name[n]) {
            p += 1;
            n += 1;
        } else if let Some((at, tried)) = star {
            star = Some((at, tried + 1));
            p = at + 1;
            n = tried + 1;
        } else {
            return false;
        }
    }
    pattern[p..].iter().all(|&c| c == '*')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{RepeatSpec, SetSpec};
    use drystone_geometry::Polyhedron;

    fn brick() -> Vec<Piece> {
        let corner = DVec3::new(2.0, 1.0, 0.5);
        vec![
            Piece::cuboid("course1.block1", DVec3::ZERO, corner),
            Piece::cuboid("course1.block2", DVec3::X * 2.0, corner + DVec3::X * 2.0),
        ]
    }

    fn placing() -> PlacingSpec {
        PlacingSpec {
            material: "stone".into(),
            ..PlacingSpec::default()
        }
    }

    fn placed(pieces: Vec<Piece>, placing: &PlacingSpec) -> Vec<PlacedBlock> {
        place(pieces, placing, Some("wall"), None, &|_| Some(2000.0)).unwrap()
    }

    fn volume(block: &PlacedBlock) -> f64 {
        let points: Vec<DVec3> = block
            .vertices
            .iter()
            .map(|&v| DVec3::from_array(v))
            .collect();
        Polyhedron::hull(&points)
            .unwrap()
            .volume_properties()
            .volume
    }

    #[test]
    fn patterns() {
        assert!(matches("course1.*", "course1.block12"));
        assert!(!matches("course1.*", "course12.block1"));
        assert!(matches("*block?", "course3.block4"));
        assert!(!matches("*block?", "course3.block14"));
        assert!(matches("*a*b*", "xxaxxbab"));
        assert!(!matches("", "a") && matches("*", "") && matches("", ""));
    }

    #[test]
    fn quarter_turns_are_exact_and_mirroring_keeps_faces_outward() {
        let turned = PlacingSpec {
            rotate_degrees: Some([0.0, 0.0, 90.0]),
            at: Some([10.0, 0.0, 0.0]),
            ..placing()
        };
        let blocks = placed(brick(), &turned);
        // x goes to y, y to -x: the far corner (2, 1, 0.5) goes to (10 - 1, 2, 0.5) without a rounding.
        assert_eq!(blocks[0].vertices[7], [9.0, 2.0, 0.5]);
        let mut pieces = brick();
        let shape = Polyhedron::hull(&pieces[0].vertices).unwrap();
        pieces[0].vertices = shape.vertices().to_vec();
        pieces[0].faces = Some(
            shape
                .faces()
                .iter()
                .map(|face| face.corners.clone())
                .collect(),
        );
        let mirrored = PlacingSpec {
            mirror: Some(Axis::X),
            ..placing()
        };
        let block = &placed(pieces, &mirrored)[0];
        let points: Vec<DVec3> = block
            .vertices
            .iter()
            .map(|&v| DVec3::from_array(v))
            .collect();
        let shape = Polyhedron::from_faces(&points, block.faces.as_ref().unwrap()).unwrap();
        assert_eq!(shape.bounding_box().min, DVec3::new(-2.0, 0.0, 0.0));
    }

    #[test]
    fn copies_are_numbered_and_stand_in_a_row() {
        let repeat = Some(RepeatSpec {
            count: 3,
            step: [0.0, 5.0, 0.0],
        });
        let blocks = placed(
            brick(),
            &PlacingSpec {
                repeat,
                ..placing()
            },
        );
        assert_eq!(blocks.len(), 6);
        assert_eq!(blocks[5].name, "wall3.course1.block2");
        assert_eq!(blocks[5].vertices[0], [2.0, 10.0, 0.0]);
    }

    #[test]
    fn more_copies_than_a_model_can_have_are_refused_before_they_are_made() {
        let repeat = Some(RepeatSpec {
            count: 100_000,
            step: [0.0, 5.0, 0.0],
        });
        let many: Vec<Piece> = (0..100)
            .map(|k| Piece::cuboid(format!("block{k}"), DVec3::ZERO, DVec3::ONE))
            .collect();
        let placing = PlacingSpec {
            repeat,
            ..placing()
        };
        let faults = place(many, &placing, Some("wall"), None, &|_| None).unwrap_err();
        assert_eq!(faults[0].key, "repeat.count");
    }

    #[test]
    fn a_plane_through_a_joint_cuts_nothing() {
        let mut pieces = brick();
        pieces[0].properties = Some(VolumeProperties {
            volume: 1.5,
            centroid: DVec3::new(1.0, 0.5, 0.3),
            inertia: DMat3::IDENTITY,
        });
        let cut = vec![CutSpec {
            point: [2.0 - 1e-15, 0.0, 0.0],
            normal: [1.0, 0.0, 0.0],
        }];
        let blocks = placed(pieces, &PlacingSpec { cut, ..placing() });
        assert_eq!(blocks.len(), 1);
        assert_eq!(blocks[0].mass, Some(3000.0), "it keeps the mass of its own");
    }

    #[test]
    fn cuts_gaps_and_worn_edges_take_the_volume_they_should() {
        let cut = vec![CutSpec {
            point: [3.0, 0.0, 0.0],
            normal: [2.0, 0.0, 0.0],
        }];
        let blocks = placed(brick(), &PlacingSpec { cut, ..placing() });
        // The first block is not touched by the plane x = 3, the second is halved.
        assert_eq!(blocks[0].vertices.len(), 8);
        assert!((volume(&blocks[1]) - 0.5).abs() < 1e-12);
        let cut = vec![CutSpec {
            point: [2.0, 0.0, 0.0],
            normal: [1.0, 0.0, 0.0],
        }];
        assert_eq!(placed(brick(), &PlacingSpec { cut, ..placing() }).len(), 1);
        let gap = Some(0.1);
        let blocks = placed(brick(), &PlacingSpec { gap, ..placing() });
        assert!((volume(&blocks[0]) - 1.9 * 0.9 * 0.4).abs() < 1e-12);
        let trim = Some(0.01);
        let blocks = placed(brick(), &PlacingSpec { trim, ..placing() });
        // Along an edge of length l a prism with a right triangle of area depth² goes, a little less where edges meet.
        let most = 1.0 - 1e-4 * 4.0 * 3.5;
        let left = volume(&blocks[0]);
        assert!(left > most && left < most + 1e-4 * 4.0 * 0.2, "{left}");
    }

    #[test]
    fn a_trim_that_swallows_faces_is_refused_and_says_what_is_possible() {
        let mut pieces = brick();
        let thin = DVec3::new(2.0, 1.0, 0.2);
        pieces.push(Piece::cuboid("thin", DVec3::Z * 0.5, thin + DVec3::Z * 0.5));
        let worn = |trim| {
            let trim = Some(trim);
            let placing = PlacingSpec { trim, ..placing() };
            place(pieces.clone(), &placing, Some("wall"), None, &|_| None)
        };
        // The sides of the thin one are 0.2 m high, and lose sqrt(2) times the trim from above and from below.
        let faults = worn(0.3).unwrap_err();
        assert_eq!(faults.len(), 1, "{faults:?}");
        assert!(faults[0].what.contains("\"thin\""), "{faults:?}");
        assert!(
            faults[0].what.ends_with("(and 2 other blocks)"),
            "{faults:?}"
        );
        assert!(faults[0].help.contains("at most 0.0707 m"), "{faults:?}");
        let faults = worn(0.08).unwrap_err();
        assert!(
            faults[0].what.contains("a face of the block \"thin\""),
            "{faults:?}"
        );
        assert_eq!(worn(0.07).unwrap().len(), 3);
        let faults = worn(1e-5).unwrap_err();
        assert_eq!(faults.len(), 1, "{faults:?}");
        assert!(faults[0].what.contains("too small"), "{faults:?}");
    }

    /// In the plane only the edges across it are worn: four of a brick, whatever way it was turned before.
    #[test]
    fn prisms_of_planar_models_stay_prisms() {
        for (across, turned, length) in [
            (DVec3::Y, 0.0, 1.0),
            (DVec3::X, 0.0, 2.0),
            (DVec3::Y, 90.0, 2.0),
        ] {
            let placing = PlacingSpec {
                trim: Some(0.01),
                rotate_degrees: Some([0.0, 0.0, turned]),
                ..placing()
            };
            let across = Some(across);
            let blocks = place(brick(), &placing, Some("wall"), across, &|_| None).unwrap();
            assert_eq!(blocks[0].vertices.len(), 16);
            let gone = 1.0 - volume(&blocks[0]);
            assert!((gone - 4e-4 * length).abs() < 1e-12, "{gone}");
        }
    }

    #[test]
    fn a_width_that_is_none_is_reported_once() {
        for (gap, trim) in [(Some(-0.01), None), (None, Some(f64::NAN))] {
            let wrong = PlacingSpec {
                gap,
                trim,
                ..placing()
            };
            let faults = place(brick(), &wrong, Some("wall"), None, &|_| None).unwrap_err();
            assert_eq!(faults.len(), 1, "{faults:?}");
        }
    }

    #[test]
    fn some_blocks_can_be_changed_or_left_out() {
        let change = PlacingSpec {
            set: vec![SetSpec {
                blocks: "*.block2".into(),
                material: Some("tuff".into()),
                support: Some(true),
                ..SetSpec::default()
            }],
            ..placing()
        };
        let blocks = placed(brick(), &change);
        assert_eq!(
            (blocks[0].material.as_str(), blocks[0].support),
            ("stone", false)
        );
        assert_eq!(
            (blocks[1].material.as_str(), blocks[1].support),
            ("tuff", true)
        );
        let without = PlacingSpec {
            remove: vec!["course1.block1".into()],
            ..placing()
        };
        assert_eq!(placed(brick(), &without).len(), 1);
        let wrong = PlacingSpec {
            remove: vec!["row1.*".into()],
            ..placing()
        };
        let faults = place(brick(), &wrong, Some("wall"), None, &|_| None).unwrap_err();
        assert_eq!(faults[0].key, "remove[0]");
        assert!(
            faults[0].help.contains("course1.block2"),
            "{}",
            faults[0].help
        );
    }

    #[test]
    fn curved_pieces_keep_their_own_mass_and_turn_their_inertia() {
        let mut pieces = brick();
        // Products of inertia show whether it is turned forwards or backwards, and what mirroring does.
        let inertia = DMat3::from_cols(
            DVec3::new(1.0, 0.1, 0.2),
            DVec3::new(0.1, 2.0, 0.3),
            DVec3::new(0.2, 0.3, 2.5),
        );
        pieces[0].properties = Some(VolumeProperties {
            volume: 1.5,
            centroid: DVec3::new(1.0, 0.5, 0.3),
            inertia,
        });
        let turned = PlacingSpec {
            rotate_degrees: Some([0.0, 0.0, 90.0]),
            ..placing()
        };
        let block = &placed(pieces.clone(), &turned)[0];
        assert_eq!(block.mass, Some(3000.0));
        assert_eq!(block.centroid, Some([-0.5, 1.0, 0.3]));
        // x is now the former -y, y the former x: xy becomes -xy, xz becomes -yz, yz becomes xz.
        let density = 2000.0;
        let expected = [2.0, 1.0, 2.5, -0.1, -0.3, 0.2].map(|entry| entry * density);
        assert_eq!(block.inertia, Some(expected));
        let mirrored = PlacingSpec {
            mirror: Some(Axis::X),
            ..placing()
        };
        let block = &placed(pieces, &mirrored)[0];
        let expected = [1.0, 2.0, 2.5, -0.1, -0.2, 0.3].map(|entry| entry * density);
        assert_eq!(block.inertia, Some(expected));
    }
}
