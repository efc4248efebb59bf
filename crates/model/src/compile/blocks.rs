//! Blocks: shape, mass, centroid, inertia, initial state.

use drystone_geometry::{Aabb, DMat3, DVec3, Polyhedron, ShapeFault, Solid, convex_parts};
use rayon::prelude::*;

use super::check::Check;
use super::expand::Expanded;
use super::names::Names;
use crate::Plane;
use crate::decode::Broken;
use crate::fault::{Fault, Faults, Section, Trail};
use crate::model::Block;
use crate::spec::{BlockSpec, ModelSpec};

/// The name of every block: as given, or by position. Empty for a block that could not be read.
pub(super) fn labels(spec: &ModelSpec) -> Vec<String> {
    let label = |(item, block): (usize, &BlockSpec)| match &block.name {
        Some(name) => name.clone(),
        None => format!("b{}", item + 1),
    };
    spec.block.iter().enumerate().map(label).collect()
}

/// Compiles all blocks; nothing in place of those at fault. Blocks do not depend on each other, and hulls are most of the
/// work of a big model, so they are shared out among threads.
pub(super) fn blocks(
    expanded: &Expanded<'_>,
    broken: &Broken,
    labels: &[String],
    materials: &Names<'_>,
    check: &mut Check<'_>,
) -> Vec<Option<Block>> {
    let plane = check.plane;
    let spec = &*expanded.spec;
    let mut compiled: Vec<(Option<Block>, Faults)> = Vec::new();
    spec.block
        .par_iter()
        .enumerate()
        .map(|(item, block)| {
            let mut faults = Faults::default();
            if broken.has(Section::Block, item) {
                return (None, faults);
            }
            let (section, number) = expanded.origin(item);
            let trail = Trail::item(section, number, Some(&labels[item]));
            // What structures and drawings are made of is looked at once, where it is written.
            let material = match section {
                Section::Block => {
                    materials.find(&block.material, trail.key("material"), &mut faults)
                }
                _ => materials.get(&block.material),
            };
            let density = material.map(|material| spec.material[material].density);
            let mut check = Check {
                faults: &mut faults,
                plane,
                notes: Vec::new(),
            };
            let made = make(block, &labels[item], density, trail, &mut check);
            let made = made
                .zip(material)
                .map(|(block, material)| Block { material, ..block });
            (made, faults)
        })
        .collect_into_vec(&mut compiled);
    compiled
        .into_iter()
        .map(|(block, faults)| {
            let sound = faults.is_empty();
            check.faults.extend(faults);
            block.filter(|_| sound)
        })
        .collect()
}

fn make(
    spec: &BlockSpec,
    label: &str,
    density: Option<f64>,
    trail: Trail<'_>,
    check: &mut Check<'_>,
) -> Option<Block> {
    let velocity = check.translation(spec.velocity(), trail.key("velocity"));
    let angular_velocity = check.rotation(spec.angular_velocity(), trail.key("angular_velocity"));
    let moving = (velocity != DVec3::ZERO, "velocity");
    let turning = (angular_velocity != DVec3::ZERO, "angular_velocity");
    for (given, key) in [moving, turning] {
        if given && spec.support {
            check.report(
                trail.key(key),
                "a support follows the ground and has no velocity of its own",
                "a settlement can move it",
            );
        }
    }
    let shape = shape(spec, trail, check.faults)?;
    prism(&shape, trail, check);
    let whole = shape.volume_properties();
    let mass_fits = check.numbers(spec, trail);
    let mass = spec
        .mass
        .or(density.map(|density| density * whole.volume))?;
    let centroid = match spec.centroid {
        Some(centroid) => check.vector(centroid, trail.key("centroid")),
        None => whole.centroid,
    };
    let bounds = shape.bounding_box();
    if centroid.is_finite()
        && (centroid.cmplt(bounds.min).any() || centroid.cmpgt(bounds.max).any())
    {
        check.report(
            trail.key("centroid"),
            format!(
                "the centroid {centroid} lies outside the block, whose own is at {}",
                whole.centroid
            ),
            "coordinates are those of the file, not relative to the block",
        );
    }
    let inertia = match spec.inertia {
        Some(entries) => inertia(entries, trail.key("inertia"), check)?,
        None => whole.inertia * (mass / whole.volume),
    };
    mass_fits.then(|| Block {
        name: label.to_owned(),
        material: 0,
        support: spec.support,
        group: spec.group.clone(),
        shape: shape.translated(-centroid),
        position: centroid,
        mass,
        inertia,
        velocity,
        angular_velocity,
    })
}

/// In a planar model contacts act in the plane, so blocks must be prisms across it: an oblique face would push out of it.
fn prism(shape: &Solid, trail: Trail<'_>, check: &mut Check<'_>) {
    let (axis, name) = match check.plane {
        None => return,
        Some(Plane::Xz) => (1, "xz"),
        Some(Plane::Yz) => (0, "yz"),
    };
    // A millionth is the accuracy to which faces are plane.
    let oblique = |normal: &DVec3| {
        let across = normal[axis].abs();
        across > 1e-6 && across < 1.0 - 1e-6
    };
    let mut faces = shape.parts().iter().flat_map(Polyhedron::faces);
    if let Some(face) = faces.find(|face| oblique(&face.normal)) {
        check.report(
            trail.key("vertices"),
            format!("a face with the normal {:.4} is oblique to the plane {name}", face.normal),
            "blocks of a planar model are prisms: all faces along the plane or across it; or leave `plane` out of [model]",
        );
    }
}

fn shape(spec: &BlockSpec, trail: Trail<'_>, faults: &mut Faults) -> Option<Solid> {
    let vertices: Vec<DVec3> = spec
        .vertices
        .iter()
        .copied()
        .map(DVec3::from_array)
        .collect();
    let made = match &spec.faces {
        None => Polyhedron::hull(&vertices)
            .map_err(|fault| vec![fault])
            .and_then(|hull| match duplicate(&vertices) {
                Some(fault) => Err(vec![fault]),
                None => Ok(hull.into()),
            }),
        Some(faces) => Polyhedron::from_faces(&vertices, faces)
            .map(Solid::from)
            .or_else(|faults| in_parts(&vertices, faces, faults)),
    };
    match made {
        Ok(shape) => Some(shape),
        Err(list) => {
            for fault in list {
                let vertices = trail.key("vertices");
                let faces = trail.key("faces");
                let trail = match place(&fault) {
                    At::Vertices => vertices,
                    At::Vertex(vertex) => vertices.index(vertex),
                    At::Faces => faces,
                    At::Face(face) => faces.index(face),
                };
                let text = fault.to_string();
                let (what, help) = match fault {
                    // A face that is drawn in turns back, too.
                    ShapeFault::CrossedFace { .. } => (
                        text.as_str(),
                        Some("go once around the face; split a block that is not convex into convex parts".to_owned()),
                    ),
                    // Most faults of shapes say themselves what would be right, after a colon or a semicolon.
                    _ => match text.rsplit_once([';', ':']) {
                        Some((what, help)) => (what, Some(help.trim().to_owned())),
                        None => (text.as_str(), None),
                    },
                };
                faults.push(Fault::at(trail, what).maybe_help(help));
            }
            None
        }
    }
}

/// A block that is sound but not convex as parts that are; the faults of any other.
fn in_parts(
    vertices: &[DVec3],
    faces: &[Vec<u32>],
    faults: Vec<ShapeFault>,
) -> Result<Solid, Vec<ShapeFault>> {
    // Faces that are drawn in turn back, and a face with a hole is cut open to it along an edge that it runs twice.
    let only_not_convex = faults.iter().all(|fault| {
        matches!(
            fault,
            ShapeFault::NonConvex { .. }
                | ShapeFault::CrossedFace { .. }
                | ShapeFault::RepeatedCorner { .. }
                | ShapeFault::Misfit { .. }
        )
    });
    if !only_not_convex {
        return Err(faults);
    }
    match convex_parts(vertices, faces) {
        Ok(parts) => Solid::new(parts).ok_or(faults),
        // Parts that don't fill the block are what comes of the faults of its faces.
        Err(ShapeFault::Misfit { .. }) => Err(faults),
        // That it is not convex is no fault; that it can't be divided is.
        Err(reason) => Err(vec![reason]),
    }
}

/// Two vertices that coincide. A hull does not mind them, but whoever wrote them meant another block.
fn duplicate(vertices: &[DVec3]) -> Option<ShapeFault> {
    let extent = Aabb::around(vertices.iter().copied())
        .extent()
        .max_element();
    let near = 1e-9 * extent;
    let mut order: Vec<usize> = (0..vertices.len()).collect();
    order.sort_by(|&a, &b| vertices[a].x.total_cmp(&vertices[b].x).then(a.cmp(&b)));
    for (rank, &a) in order.iter().enumerate() {
        let following = order[rank + 1..]
            .iter()
            .take_while(|&&b| vertices[b].x - vertices[a].x <= near);
        for &b in following {
            let distance = vertices[a].distance(vertices[b]);
            if distance <= near {
                let (first, second, at) = (a.min(b), a.max(b), vertices[a]);
                return Some(ShapeFault::DuplicateVertices {
                    first,
                    second,
                    at,
                    distance,
                });
            }
        }
    }
    None
}

enum At {
    Vertices,
    Vertex(usize),
    Faces,
    Face(usize),
}

/// The value of the file that a fault of a shape is about.
fn place(fault: &ShapeFault) -> At {
    match fault {
        ShapeFault::NonFinite { vertex, .. } | ShapeFault::UnusedVertex { vertex } => {
            At::Vertex(*vertex)
        }
        ShapeFault::DuplicateVertices { second, .. } => At::Vertex(*second),
        ShapeFault::NonConvex { vertex, .. } => At::Vertex(*vertex),
        ShapeFault::IndexOutOfRange { face, .. }
        | ShapeFault::TooFewCorners { face, .. }
        | ShapeFault::RepeatedCorner { face, .. }
        | ShapeFault::NonPlanarFace { face, .. }
        | ShapeFault::CrossedFace { face, .. }
        | ShapeFault::OpenEdge { face, .. }
        | ShapeFault::InvertedFace { face } => At::Face(*face),
        ShapeFault::EdgeTwice { second, .. } => At::Face(*second),
        ShapeFault::InsideOut { .. } | ShapeFault::Misfit { .. } => At::Faces,
        ShapeFault::TooFewVertices { .. } | ShapeFault::Flat { .. } => At::Vertices,
        _ => At::Vertices,
    }
}

/// The tensor with these entries; reports one that no body has.
fn inertia(entries: [f64; 6], trail: Trail<'_>, check: &mut Check<'_>) -> Option<DMat3> {
    let finite = entries
        .iter()
        .enumerate()
        .all(|(index, &entry)| check.finite(entry, trail.index(index)));
    if !finite {
        return None;
    }
    let [xx, yy, zz, xy, xz, yz] = entries;
    let tensor = DMat3::from_cols(
        DVec3::new(xx, xy, xz),
        DVec3::new(xy, yy, yz),
        DVec3::new(xz, yz, zz),
    );
    let minors = [xx, xx * yy - xy * xy, tensor.determinant()];
    if minors.iter().any(|minor| *minor <= 0.0) {
        check.report(
            trail,
            "the inertia tensor is not positive definite",
            "the order is [xx, yy, zz, xy, xz, yz]",
        );
        return None;
    }
    // The integral of x xᵀ dm is trace/2 - J. A body has it positive semidefinite; its corners may be rounded in the file.
    let trace = xx + yy + zz;
    let spread = DMat3::from_diagonal(DVec3::splat(0.5 * trace * (1.0 + 1e-6))) - tensor;
    let [x, y] = [spread.x_axis, spread.y_axis];
    let minors = [x.x, x.x * y.y - x.y * x.y, spread.determinant()];
    if minors.iter().any(|minor| *minor < 0.0) {
        check.report(
            trail,
            "no body has this inertia tensor: one principal moment exceeds the sum of the other two",
            "the order is [xx, yy, zz, xy, xz, yz]",
        );
        return None;
    }
    Some(tensor)
}
