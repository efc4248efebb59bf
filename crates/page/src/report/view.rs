//! Still pictures of the structure.

use drystone_geometry::{DVec3, Pose};
use drystone_model::Model;

use super::look::MATERIAL;
use super::look::drawing::SUPPORT;
use super::order::{Body, back_to_front};
use crate::figure::{Drawing, Polygon, hundredths};

/// The longer side of a picture in its own units.
const EXTENT: f64 = 1000.0;

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
        Self::from(model, frames, Self::usual(model), 0.3)
    }

    /// The direction towards the eye from which a structure is seen if nobody says otherwise.
    pub fn usual(model: &Model) -> DVec3 {
        match model.free {
            [true, false, true, ..] => DVec3::NEG_Y,
            [false, true, true, ..] => DVec3::X,
            _ => DVec3::new(0.55, -0.75, 0.35),
        }
    }

    /// A view from a direction, with so much room around the first frame as a fraction of the picture.
    pub fn from(model: &Model, frames: &[(f64, Vec<Pose>)], towards: DVec3, room: f64) -> Self {
        let towards = towards.try_normalize().unwrap_or(DVec3::NEG_Y);
        let right = DVec3::Z.cross(towards).try_normalize().unwrap_or(DVec3::X);
        let up = towards.cross(right);
        let mut view = Self {
            right,
            up,
            towards,
            min: [f64::INFINITY; 2],
            max: [f64::NEG_INFINITY; 2],
        };
        // Free blocks decide: a wide ground slab would make the structure small.
        let all = model.blocks.iter().all(|block| block.support);
        if let Some((_, poses)) = frames.first() {
            let blocks = model.blocks.iter().zip(poses);
            for (block, pose) in blocks.filter(|(block, _)| all || !block.support) {
                for vertex in block.shape.vertices() {
                    let [x, y] = view.project(pose.transform(vertex));
                    view.min = [view.min[0].min(x), view.min[1].min(y)];
                    view.max = [view.max[0].max(x), view.max[1].max(y)];
                }
            }
        }
        let size = (view.max[0] - view.min[0]).max(view.max[1] - view.min[1]);
        let room = if size.is_finite() { room * size } else { 1.0 };
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

    /// Units of the picture per metre.
    fn scale(&self) -> f64 {
        EXTENT / self.span().max(f64::MIN_POSITIVE)
    }

    /// Where a point lies in the picture.
    pub fn place(&self, point: DVec3) -> [f64; 2] {
        let [x, y] = self.project(point);
        [
            self.scale() * (x - self.min[0]),
            self.scale() * (self.max[1] - y),
        ]
    }

    /// The longer side of what is seen, m.
    pub fn span(&self) -> f64 {
        (self.max[0] - self.min[0]).max(self.max[1] - self.min[1])
    }

    /// The longer side of the picture in its own units.
    pub fn size(&self) -> f64 {
        EXTENT
    }

    /// Width and height in its own units.
    pub fn extent(&self) -> [f64; 2] {
        [0, 1].map(|k| self.scale() * (self.max[k] - self.min[k]))
    }
}

/// Draws the blocks, farthest first.
pub fn view(model: &Model, poses: &[Pose], view: &View) -> Drawing {
    let (mut bodies, mut drawn) = (Vec::new(), Vec::new());
    // Of supports, and of blocks that may fall.
    let mut base = [f64::INFINITY; 2];
    for (index, (block, pose)) in model.blocks.iter().zip(poses).enumerate() {
        let ink = ink(block, index);
        for part in block.shape.parts() {
            let corners: Vec<DVec3> = part.vertices().iter().map(|v| pose.transform(*v)).collect();
            let lowest = corners
                .iter()
                .fold(f64::INFINITY, |low, corner| low.min(corner.z));
            let side = usize::from(!block.support);
            base[side] = base[side].min(lowest);
            let (mut planes, mut faces) = (Vec::new(), Vec::new());
            for face in part.faces() {
                let normal = pose.rotation * face.normal;
                let around = || face.corners.iter().map(|&v| corners[v as usize]);
                let count = face.corners.len().max(1) as f64;
                planes.push((normal, around().map(|p| normal.dot(p)).sum::<f64>() / count));
                if normal.dot(view.towards) > 1e-9 {
                    let corners = around().map(|p| view.place(p));
                    faces.push(Polygon::new(shaded(ink, normal), corners));
                }
            }
            bodies.push(body(view, planes, corners));
            drawn.push(faces);
        }
    }
    // Of many blocks thin lines are enough.
    let edge = 2.2 * (60.0 / drawn.len().max(60) as f64).cbrt().max(0.3);
    let mut drawing = Drawing::new(view.extent(), edge);
    let [held, free] = base;
    drawing.ground = ground(view, if held.is_finite() { held } else { free });
    for index in back_to_front(&bodies, view.towards) {
        drawing.polygons.append(&mut drawn[index]);
    }
    drawing
}

/// A little different from block to block, as stones are.
fn ink(block: &drystone_model::Block, index: usize) -> [f64; 3] {
    if block.support {
        return rgb(SUPPORT);
    }
    let noise = (12.9898 * (index + 1) as f64).sin() * 43758.5453;
    let tone = 1.0 + 0.08 * (noise - noise.floor() - 0.5);
    rgb(MATERIAL[block.material % MATERIAL.len()]).map(|c| tone * c)
}

/// Red, green and blue of a colour with six digits, each up to 255.
fn rgb(colour: &str) -> [f64; 3] {
    [1, 3, 5].map(|at| {
        let digits = colour.get(at..at + 2).unwrap_or_default();
        u8::from_str_radix(digits, 16).map_or(0.0, f64::from)
    })
}

fn shaded(ink: [f64; 3], normal: DVec3) -> [u8; 3] {
    let light = normal.dot(DVec3::new(0.3, -0.5, 0.8).normalize()).max(0.0);
    ink.map(|c| (c * (0.68 + 0.38 * light)).clamp(0.0, 255.0) as u8)
}

fn body(view: &View, planes: Vec<(DVec3, f64)>, corners: Vec<DVec3>) -> Body {
    let mut bounds = [
        f64::INFINITY,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NEG_INFINITY,
    ];
    let mut depth = 0.0;
    for &corner in &corners {
        let [x, y] = view.project(corner);
        bounds = [
            bounds[0].min(x),
            bounds[1].min(y),
            bounds[2].max(x),
            bounds[3].max(y),
        ];
        depth += corner.dot(view.towards) / corners.len() as f64;
    }
    Body {
        bounds,
        depth,
        planes,
        corners,
    }
}

/// In elevation, the height of a line on which everything stands.
fn ground(view: &View, base: f64) -> Option<f64> {
    let [_, height] = view.extent();
    let [_, y] = view.place(DVec3::new(0.0, 0.0, base));
    let is_seen = view.towards.z.abs() < 1e-6 && y.is_finite() && y < height;
    is_seen.then_some(hundredths(y))
}
