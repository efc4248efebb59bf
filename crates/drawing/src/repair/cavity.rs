//! Bodies with hollows inside.
//!
//! A hollow is a closed surface within a body of the same piece whose faces look inwards, into the empty space. Taken for a
//! body of its own it would fill what is empty.

use drystone_geometry::{Aabb, DVec3, winding_number};

use super::close::Body;
use super::surface::Surface;

/// Beyond this number of bodies in one piece, hollows are not looked for: it is a heap of bodies.
const MANY: usize = 2000;

/// Puts hollows back into the bodies that contain them.
pub(super) fn join(bodies: Vec<Body>) -> Vec<Body> {
    // Where everything looks inwards, the file is inside out.
    let is_hollow = |body: &Body| body.all_turned;
    if bodies.len() > MANY || bodies.iter().all(is_hollow) || !bodies.iter().any(is_hollow) {
        return bodies;
    }
    let boxes: Vec<Aabb> = bodies
        .iter()
        .map(|body| Aabb::around(body.surface.vertices.iter().copied()))
        .collect();
    let mut owner: Vec<Option<usize>> = vec![None; bodies.len()];
    for (i, hollow) in bodies.iter().enumerate().filter(|(_, b)| is_hollow(b)) {
        let Some(&inside) = hollow.surface.vertices.first() else {
            continue;
        };
        let around = (0..bodies.len()).filter(|&j| {
            !is_hollow(&bodies[j])
                && boxes[i].min.cmpgt(boxes[j].min).all()
                && boxes[i].max.cmplt(boxes[j].max).all()
                && winding(&bodies[j].surface, inside) > 0.5
        });
        // Of bodies within hollows of others, the innermost one.
        let volume = |&j: &usize| bodies[j].surface.volume();
        owner[i] = around.min_by(|a, b| volume(a).total_cmp(&volume(b)));
    }
    let mut joined: Vec<Option<Body>> = bodies.into_iter().map(Some).collect();
    for (i, owner) in owner.into_iter().enumerate() {
        let Some(mut hollow) = owner.and_then(|_| joined[i].take()) else {
            continue;
        };
        for face in &mut hollow.surface.faces {
            face.reverse();
        }
        if let Some(body) = owner.and_then(|j| joined[j].as_mut()) {
            body.surface.append(&hollow.surface);
            body.bent += hollow.bent;
        }
    }
    joined.into_iter().flatten().collect()
}

/// How often a closed surface goes around a point; faces are fanned into triangles.
fn winding(surface: &Surface, at: DVec3) -> f64 {
    let corner = |v: &u32| surface.vertices[*v as usize];
    let triangles = surface.faces.iter().flat_map(|face| {
        let rest = face.get(1..).unwrap_or_default().windows(2);
        rest.map(|pair| [&face[0], &pair[0], &pair[1]].map(corner))
    });
    winding_number(triangles, at)
}
