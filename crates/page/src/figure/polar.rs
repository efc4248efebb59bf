//! Numbers by direction.

use serde::{Deserialize, Serialize};

use super::extent;
use super::number::columns;

/// Numbers by direction, as a closed curve about the origin.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Polar {
    /// Names of the axes.
    pub axes: [String; 2],
    /// From the first axis towards the second, rad.
    pub angle: Vec<f64>,
    /// One per angle; what has no limit is as large as the largest that has one.
    pub value: Vec<f64>,
}

impl Polar {
    /// Angle and value of each direction; none if no value is above zero.
    pub fn new(axes: [&str; 2], all: impl Iterator<Item = [f64; 2]> + Clone) -> Option<Self> {
        let [_, largest] = extent(all.clone().map(|[_, value]| value));
        let known = all.filter(|[_, value]| !value.is_nan());
        let (angle, value) = columns(known.map(|[angle, value]| [angle, value.min(largest)]));
        (largest > 0.0).then_some(Self {
            axes: axes.map(str::to_owned),
            angle,
            value,
        })
    }
}
