//! The point of a block that is nearest to another point.

use glam::DVec3;

use super::{Polyhedron, Solid};

impl Solid {
    /// The point of the block nearest to a point, both in the frame of the block, m; the point itself if it is inside.
    pub fn nearest(&self, point: DVec3) -> DVec3 {
        let nearest = self.parts().iter().map(|part| part.nearest(point));
        let distance = |p: &DVec3| p.distance_squared(point);
        nearest
            .min_by(|a, b| distance(a).total_cmp(&distance(b)))
            .unwrap_or(point)
    }
}

impl Polyhedron {
    /// The point of the shape nearest to a point, m; the point itself if it is inside.
    pub fn nearest(&self, point: DVec3) -> DVec3 {
        let above = |face: &super::Face| face.normal.dot(point) - face.offset;
        if self.faces().iter().all(|face| above(face) <= 0.0) {
            return point;
        }
        let corner = |i: u32| self.vertices()[i as usize];
        // The nearest point lies on a face that the point is above; faces are convex, so that fans of triangles fill them.
        let faces = self.faces().iter().filter(|face| above(face) > 0.0);
        let triangles = faces.flat_map(|face| {
            let first = corner(face.corners[0]);
            let others = face.corners[1..].windows(2);
            others.map(move |pair| [first, corner(pair[0]), corner(pair[1])])
        });
        let nearest = triangles.map(|triangle| of_triangle(triangle, point));
        let distance = |p: &DVec3| p.distance_squared(point);
        nearest
            .min_by(|a, b| distance(a).total_cmp(&distance(b)))
            .unwrap_or(point)
    }
}

/// The point of a triangle nearest to a point: its projection if that is inside, otherwise the nearest of its sides.
fn of_triangle([a, b, c]: [DVec3; 3], point: DVec3) -> DVec3 {
    let normal = (b - a).cross(c - a);
    let inside = |from: DVec3, to: DVec3| (to - from).cross(point - from).dot(normal) >= 0.0;
    if inside(a, b) && inside(b, c) && inside(c, a) && normal.length_squared() > 0.0 {
        return point - normal * ((point - a).dot(normal) / normal.length_squared());
    }
    let of_side = |from: DVec3, to: DVec3| {
        let along = to - from;
        let length = along.length_squared();
        let part = if length > 0.0 {
            ((point - from).dot(along) / length).clamp(0.0, 1.0)
        } else {
            0.0
        };
        from + part * along
    };
    let sides = [of_side(a, b), of_side(b, c), of_side(c, a)];
    let distance = |p: &DVec3| p.distance_squared(point);
    sides
        .into_iter()
        .min_by(|p, q| distance(p).total_cmp(&distance(q)))
        .unwrap_or(a)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A box from the origin to (3, 2, 1), in two halves.
    fn halves() -> Solid {
        let half = |from: f64, to: f64| {
            let (low, high) = (DVec3::new(from, 0.0, 0.0), DVec3::new(to, 2.0, 1.0));
            Polyhedron::cuboid(low, high).unwrap()
        };
        Solid::new(vec![half(0.0, 1.2), half(1.2, 3.0)]).unwrap()
    }

    #[test]
    fn of_a_box_it_is_the_point_with_its_coordinates_cut_off() {
        let solid = halves();
        let steps = [-4.0, -0.1, 0.0, 0.7, 1.2, 1.9, 2.5, 3.3, 40.0];
        for x in steps {
            for y in steps {
                for z in steps {
                    let point = DVec3::new(x, y, z);
                    let expected = point.clamp(DVec3::ZERO, DVec3::new(3.0, 2.0, 1.0));
                    let found = solid.nearest(point);
                    // Coordinates are of the order of ten.
                    assert!(found.distance(expected) < 1e-13, "{point} {found}");
                }
            }
        }
    }

    #[test]
    fn of_a_tetrahedron_it_may_be_in_a_slanting_face_an_edge_or_a_corner() {
        let corners = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
        let shape = Polyhedron::hull(&corners).unwrap();
        for (point, expected) in [
            (DVec3::splat(1.0), DVec3::splat(1.0 / 3.0)),
            (DVec3::new(1.0, 1.0, -1.0), DVec3::new(0.5, 0.5, 0.0)),
            (DVec3::new(5.0, 1.0, 1.0), DVec3::X),
            (DVec3::splat(0.1), DVec3::splat(0.1)),
        ] {
            assert!(shape.nearest(point).distance(expected) < 1e-15, "{point}");
        }
    }
}
