//! What every structure is held to.

use std::collections::BTreeSet;

use drystone_geometry::{
    ContactSet, DVec3, Detector, Manifold, Polyhedron, Pose, overlaps_deeper_than,
};
use drystone_structures::{Misfit, Piece, Structure};

/// Blocks of a structure with the contacts between them.
pub struct Assembly {
    pub pieces: Vec<Piece>,
    pub shapes: Vec<Polyhedron>,
    pub contacts: ContactSet,
}

/// The blocks of a structure. Panics unless each is convex with plane faces, all vertices are corners, no two blocks
/// overlap and all names differ.
pub fn sound(structure: &dyn Structure) -> Assembly {
    assembly(
        structure
            .pieces()
            .unwrap_or_else(|misfits| panic!("{misfits:?}")),
    )
}

/// As [`sound`], with a slab below that is a support, named `ground`.
pub fn grounded(structure: &dyn Structure) -> Assembly {
    let mut pieces = structure
        .pieces()
        .unwrap_or_else(|misfits| panic!("{misfits:?}"));
    let corners = || {
        pieces
            .iter()
            .flat_map(|piece| piece.vertices.iter().copied())
    };
    let low = corners().fold(DVec3::INFINITY, DVec3::min);
    let high = corners().fold(DVec3::NEG_INFINITY, DVec3::max);
    let min = low - DVec3::ONE;
    let max = (high + DVec3::ONE).with_z(low.z);
    pieces.push(Piece::cuboid("ground", min, max).supported());
    assembly(pieces)
}

/// As [`sound`] for pieces.
pub fn assembly(pieces: Vec<Piece>) -> Assembly {
    let names: BTreeSet<&str> = pieces.iter().map(|piece| piece.name.as_str()).collect();
    assert_eq!(names.len(), pieces.len(), "names are not unique");
    let shapes: Vec<Polyhedron> = pieces.iter().map(shape).collect();
    let centroids: Vec<DVec3> = shapes
        .iter()
        .map(|s| s.volume_properties().centroid)
        .collect();
    let centred: Vec<Polyhedron> = shapes
        .iter()
        .zip(&centroids)
        .map(|(s, &c)| s.translated(-c))
        .collect();
    let poses: Vec<Pose> = centroids.iter().map(|&c| Pose::at(c)).collect();
    // Rounding only: a millionth of the thickness of a block.
    let overlaps = overlaps_deeper_than(&centred, &poses, 1e-6);
    if let Some(overlap) = overlaps.first() {
        let [a, b] = [overlap.a, overlap.b].map(|block| &pieces[block as usize].name);
        panic!(
            "{} overlaps, such as {a} and {b} by {} m",
            overlaps.len(),
            overlap.depth
        );
    }
    // As margins of a model at rest: half of a ten-thousandth for each of two blocks.
    let margins: Vec<f64> = shapes.iter().map(|s| 0.5e-4 * s.size()).collect();
    let fixed: Vec<bool> = pieces.iter().map(|piece| piece.support).collect();
    let contacts = Detector::new(centred, fixed)
        .detect(&poses, &margins)
        .clone();
    Assembly {
        pieces,
        shapes,
        contacts,
    }
}

fn shape(piece: &Piece) -> Polyhedron {
    let name = &piece.name;
    let shape = Polyhedron::hull(&piece.vertices).unwrap_or_else(|fault| panic!("{name}: {fault}"));
    assert_eq!(
        shape.vertices().len(),
        piece.vertices.len(),
        "{name}: a vertex is not a corner"
    );
    for face in shape.faces() {
        for &corner in &face.corners {
            let off = face.normal.dot(shape.vertices()[corner as usize]) - face.offset;
            assert!(off.abs() < 1e-9, "{name}: a face is {off} m out of plane");
        }
    }
    shape
}

impl Assembly {
    /// Contacts over an area, as opposed to those of edges and corners.
    pub fn joints(&self) -> Vec<Manifold> {
        let touching = |manifold: &&Manifold| {
            let thinner = [manifold.a, manifold.b]
                .map(|block| self.shapes[block as usize].size())
                .into_iter()
                .fold(f64::INFINITY, f64::min);
            manifold.area > 1e-4 * thinner * thinner
        };
        self.contacts
            .manifolds
            .iter()
            .filter(touching)
            .copied()
            .collect()
    }

    /// Area of all joints, m².
    pub fn joint_area(&self) -> f64 {
        self.joints().iter().map(|joint| joint.area).sum()
    }

    /// Number of joints between two sets of blocks, by what their names begin with.
    pub fn joints_between(&self, one: &str, other: &str) -> usize {
        let named = |block: u32, start: &str| self.pieces[block as usize].name.starts_with(start);
        self.joints()
            .iter()
            .filter(|joint| {
                let Manifold { a, b, .. } = **joint;
                named(a, one) && named(b, other) || named(b, one) && named(a, other)
            })
            .count()
    }

    /// Volume of all blocks that are not supports, m³.
    pub fn volume(&self) -> f64 {
        let free = self
            .pieces
            .iter()
            .zip(&self.shapes)
            .filter(|(piece, _)| !piece.support);
        free.map(|(_, shape)| shape.volume_properties().volume)
            .sum()
    }

    /// Surface of the blocks that are not supports, less what is covered by joints, m². Only if every joint is found, and with
    /// its whole area, is it the surface of the structure.
    pub fn exposed(&self) -> f64 {
        let free = |block: u32| !self.pieces[block as usize].support;
        let surface: f64 = (0..self.pieces.len())
            .filter(|&block| free(block as u32))
            .flat_map(|block| self.shapes[block].faces())
            .map(|face| face.area)
            .sum();
        let covered = |joint: &Manifold| {
            let sides = [joint.a, joint.b].into_iter().filter(|&block| free(block));
            joint.area * sides.count() as f64
        };
        surface - self.joints().iter().map(covered).sum::<f64>()
    }

    /// Panics unless every block is connected to a support by joints.
    pub fn assert_connected(&self) {
        let mut reached: Vec<bool> = self.pieces.iter().map(|piece| piece.support).collect();
        assert!(reached.contains(&true), "there is no support");
        let joints = self.joints();
        let mut growing = true;
        while growing {
            growing = false;
            for joint in &joints {
                let [a, b] = [joint.a as usize, joint.b as usize];
                if reached[a] != reached[b] {
                    (reached[a], reached[b]) = (true, true);
                    growing = true;
                }
            }
        }
        if let Some(loose) = reached.iter().position(|reached| !reached) {
            panic!("{} hangs in the air", self.pieces[loose].name);
        }
    }

    pub fn named(&self, name: &str) -> &Piece {
        let found = self.pieces.iter().find(|piece| piece.name == name);
        found.unwrap_or_else(|| panic!("there is no {name}"))
    }
}

/// The keys that are refused, in order.
pub fn refused(structure: &dyn Structure) -> Vec<String> {
    let misfits: Vec<Misfit> = structure.pieces().expect_err("it was accepted");
    for misfit in &misfits {
        assert!(
            !misfit.what.is_empty() && !misfit.help.is_empty(),
            "{misfit:?}"
        );
    }
    misfits.into_iter().map(|misfit| misfit.key).collect()
}

/// Area of a polygon [x, z] by its corners in order, m².
pub fn area(polygon: &[[f64; 2]]) -> f64 {
    let next = |i: usize| polygon[(i + 1) % polygon.len()];
    let twice: f64 = polygon
        .iter()
        .enumerate()
        .map(|(i, [x, z])| x * next(i)[1] - next(i)[0] * z)
        .sum();
    0.5 * twice.abs()
}
