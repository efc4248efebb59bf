//! Small models put together in code and read through the front door, as model files are.

use std::fmt::Write as _;

use drystone_geometry::DVec3;
use drystone_model::Model;

/// A model file in the making: one material, one friction coefficient.
pub struct Scene {
    text: String,
}

impl Scene {
    /// A model without blocks; `head` holds further keys of `[model]`.
    pub fn new(friction: f64, head: &str) -> Self {
        let mut text = format!("[model]\nname = \"validation\"\n{head}\n");
        let _ = writeln!(text, "[[material]]\nname = \"stone\"\ndensity = 2000.0");
        let _ = writeln!(
            text,
            "[[interface]]\nbetween = [\"*\", \"*\"]\nfriction = {friction:?}"
        );
        Self { text }
    }

    /// Adds a block as the convex hull of points; `more` holds further keys.
    pub fn hull(&mut self, name: &str, points: &[DVec3], more: &str) -> &mut Self {
        let vertices: Vec<String> = points
            .iter()
            .map(|p| format!("[{:?}, {:?}, {:?}]", p.x, p.y, p.z))
            .collect();
        let _ = writeln!(
            self.text,
            "[[block]]\nname = \"{name}\"\nmaterial = \"stone\"\nvertices = [{}]\n{more}",
            vertices.join(", ")
        );
        self
    }

    /// Adds an axis-aligned box between two corners.
    pub fn cuboid(&mut self, name: &str, min: [f64; 3], max: [f64; 3], more: &str) -> &mut Self {
        self.hull(name, &corners(min, max), more)
    }

    /// Adds text as it is: motions, loads, analyses.
    pub fn add(&mut self, text: &str) -> &mut Self {
        self.text.push_str(text);
        self.text.push('\n');
        self
    }

    /// The model file so far.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Reads the model.
    pub fn model(&self) -> Result<Model, String> {
        read(&self.text)
    }
}

/// Reads a model from the text of a model file.
pub fn read(text: &str) -> Result<Model, String> {
    drystone_model::from_toml(text).map_err(|faults| faults.to_string())
}

/// Corners of an axis-aligned box.
pub fn corners(min: [f64; 3], max: [f64; 3]) -> Vec<DVec3> {
    (0..8)
        .map(|k| {
            let pick = |axis: usize| {
                if k >> axis & 1 == 0 {
                    min[axis]
                } else {
                    max[axis]
                }
            };
            DVec3::new(pick(0), pick(1), pick(2))
        })
        .collect()
}
