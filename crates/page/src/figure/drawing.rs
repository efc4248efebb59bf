//! Figures of the structure.

use serde::{Deserialize, Serialize};

use super::Ink;
use super::number::hundredths;

/// The structure as it is seen: polygons from back to front, and lines over them. Its units are those of the picture, y downwards.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Drawing {
    /// Width and height.
    pub size: [f64; 2],
    /// Width of the edges of polygons.
    pub edge: f64,
    /// Height of the ground, where it is seen from the side.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ground: Option<f64>,
    /// Faces of blocks, those behind first.
    pub polygons: Vec<Polygon>,
    /// Over the blocks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub paths: Vec<Path>,
}

/// A face of a block.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Polygon {
    /// Its colour in the light: `#rrggbb`.
    pub fill: String,
    /// Around it.
    pub corners: Vec<[f64; 2]>,
}

/// A line over the blocks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Path {
    /// What it means.
    pub ink: Ink,
    /// Of the line.
    pub width: f64,
    /// In order.
    pub points: Vec<[f64; 2]>,
    /// For the caption; empty for none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub label: String,
}

impl Polygon {
    /// A face of a colour red, green, blue.
    pub fn new([r, g, b]: [u8; 3], corners: impl IntoIterator<Item = [f64; 2]>) -> Self {
        let corners = corners.into_iter().map(|point| point.map(hundredths));
        Self {
            fill: format!("#{r:02x}{g:02x}{b:02x}"),
            corners: corners.collect(),
        }
    }
}

impl Path {
    /// A line that no caption names.
    pub fn new(ink: Ink, width: f64, points: impl IntoIterator<Item = [f64; 2]>) -> Self {
        let points = points.into_iter().map(|point| point.map(hundredths));
        Self {
            ink,
            width: hundredths(width),
            points: points.collect(),
            label: String::new(),
        }
    }
}

impl Drawing {
    /// A picture of this size with nothing in it.
    pub fn new(size: [f64; 2], edge: f64) -> Self {
        Self {
            size: size.map(hundredths),
            edge: hundredths(edge),
            ground: None,
            polygons: Vec::new(),
            paths: Vec::new(),
        }
    }
}
