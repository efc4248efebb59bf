//! Still pictures of the structure as SVG.

use std::fmt::Write as _;

use drystone_geometry::{DVec3, Pose};
use drystone_model::Model;

/// From where the structure is seen, and the part of the picture plane that is shown.
pub struct View {
    right: DVec3,
    up: DVec3,
    towards: DVec3,
    min: [f64; 2],
    max: [f64; 2],
}

impl View {
    /// A view that holds the initial configuration with room to move: in elevation for planar models, from a corner
    /// for others.
    pub fn around(model: &Model, frames: &[(f64, Vec<Pose>)]) -> Self {
        let towards = match model.free {
            [true, false, true, ..] => DVec3::NEG_Y,
            [false, true, true, ..] => DVec3::X,
            _ => DVec3::new(0.55, -0.75, 0.35).normalize(),
        };
        let right = DVec3::Z.cross(towards).normalize();
        let up = towards.cross(right);
        let mut view = Self {
            right,
            up,
            towards,
            min: [f64::INFINITY; 2],
            max: [f64::NEG_INFINITY; 2],
        };
        // Free blocks decide: a wide ground slab would make the structure small.
        if let Some((_, poses)) = frames.first() {
            for (block, pose) in model
                .blocks
                .iter()
                .zip(poses)
                .filter(|(block, _)| !block.support)
            {
                for vertex in block.shape.vertices() {
                    let [x, y] = view.project(pose.transform(vertex));
                    view.min = [view.min[0].min(x), view.min[1].min(y)];
                    view.max = [view.max[0].max(x), view.max[1].max(y)];
                }
            }
        }
        let size = (view.max[0] - view.min[0]).max(view.max[1] - view.min[1]);
        let room = if size.is_finite() { 0.3 * size } else { 1.0 };
        view.min = view
            .min
            .map(|c| if c.is_finite() { c - room } else { -room });
        view.max = view
            .max
            .map(|c| if c.is_finite() { c + room } else { room });
        view
    }

    fn project(&self, point: DVec3) -> [f64; 2] {
        [self.right.dot(point), self.up.dot(point)]
    }

    /// Where a point lies in the picture.
    pub fn place(&self, point: DVec3) -> [f64; 2] {
        let [x, y] = self.project(point);
        [x - self.min[0], self.max[1] - y]
    }

    /// The longer side of the picture, m.
    pub fn size(&self) -> f64 {
        (self.max[0] - self.min[0]).max(self.max[1] - self.min[1])
    }
}

/// Draws the blocks, farthest first.
pub fn view(model: &Model, poses: &[Pose], view: &View) -> String {
    let (width, height) = (view.max[0] - view.min[0], view.max[1] - view.min[1]);
    let mut faces: Vec<(f64, bool, f64, String)> = Vec::new();
    let parts = model.blocks.iter().zip(poses).flat_map(|(block, pose)| {
        block
            .shape
            .parts()
            .iter()
            .map(move |part| (block, part, pose))
    });
    for (block, part, pose) in parts {
        let vertices = part.vertices();
        for face in part.faces() {
            let corners: Vec<DVec3> = face
                .corners
                .iter()
                .map(|&v| pose.transform(vertices[v as usize]))
                .collect();
            let normal = pose.rotation * face.normal;
            let facing = normal.dot(view.towards);
            if facing <= 1e-9 {
                continue;
            }
            let depth =
                corners.iter().map(|p| p.dot(view.towards)).sum::<f64>() / corners.len() as f64;
            let points: Vec<String> = corners
                .iter()
                .map(|&p| {
                    let [x, y] = view.project(p);
                    format!("{:.4},{:.4}", x - view.min[0], view.max[1] - y)
                })
                .collect();
            let light = normal.dot(DVec3::new(0.3, -0.5, 0.8).normalize()).max(0.0);
            faces.push((depth, block.support, light, points.join(" ")));
        }
    }
    // Supports go first: a ground slab is so large that the distance of its middle says nothing of what stands on it.
    faces.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.total_cmp(&b.0)));
    let mut svg = format!(
        "<svg viewBox=\"0 0 {width:.4} {height:.4}\" stroke=\"#5b5145\" stroke-width=\"{:.5}\" stroke-linejoin=\"round\" role=\"img\">",
        0.0025 * width.max(height)
    );
    for (_, support, light, points) in faces {
        let shade = 150.0 + 90.0 * light;
        let [r, g, b] = if support {
            [0.92, 0.92, 0.92]
        } else {
            [1.0, 0.94, 0.82]
        }
        .map(|c| (c * shade) as u8);
        let _ = write!(
            svg,
            "<polygon fill=\"rgb({r},{g},{b})\" points=\"{points}\"/>"
        );
    }
    svg.push_str("</svg>");
    svg
}
