//! Blocks in elevation: polygons of a length along the wall and a height.

/// A block in the elevation of a wall.
#[derive(Debug, Clone, PartialEq)]
pub(in super::super) struct Cell {
    pub name: String,
    pub group: Option<&'static str>,
    /// Corners (along the wall, z), m.
    pub polygon: Vec<[f64; 2]>,
    /// Which leaf it belongs to; none for a block of the whole thickness.
    pub leaf: Option<usize>,
}

impl Cell {
    pub fn new(name: String, polygon: Vec<[f64; 2]>) -> Self {
        Self {
            name,
            group: None,
            polygon,
            leaf: None,
        }
    }

    pub fn rectangle(name: String, [from, to]: [f64; 2], [bottom, top]: [f64; 2]) -> Self {
        let polygon = vec![[from, bottom], [to, bottom], [to, top], [from, top]];
        Self::new(name, polygon)
    }
}

/// Where masonry can be in a course: between two vertical ends, or under the two slopes of a gable.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in super::super) struct Outline {
    /// Levels of the two beds, m.
    pub z: [f64; 2],
    /// From where to where at the lower bed, m.
    pub bottom: [f64; 2],
    /// From where to where at the upper bed; the same where the ends are vertical.
    pub top: [f64; 2],
}

impl Outline {
    pub fn rectangle(along: [f64; 2], z: [f64; 2]) -> Self {
        Self {
            z,
            bottom: along,
            top: along,
        }
    }

    /// Ends at half height.
    pub fn middle(&self) -> [f64; 2] {
        [0, 1].map(|side| {
            if self.bottom[side] == self.top[side] {
                self.bottom[side]
            } else {
                0.5 * (self.bottom[side] + self.top[side])
            }
        })
    }

    /// Height of the masonry at a place: below the slopes and not above the upper bed.
    fn height(&self, at: f64) -> f64 {
        let [low, high] = self.z;
        let under = |foot: f64, head: f64, inward: f64| {
            let run = (head - foot) * inward;
            if run > 0.0 {
                (low + (high - low) * ((at - foot) * inward / run)).min(high)
            } else {
                high
            }
        };
        under(self.bottom[0], self.top[0], 1.0).min(under(self.bottom[1], self.top[1], -1.0))
    }

    /// Moves joints that nearly meet a corner of the outline onto it, so that no block has an edge of hardly any length.
    pub fn snap(&self, ends: &mut [f64], within: f64) {
        let last = ends.len().saturating_sub(1);
        for end in ends.iter_mut().take(last).skip(1) {
            for corner in self.top {
                if (*end - corner).abs() < within {
                    *end = corner;
                }
            }
        }
    }

    /// The polygon of the block between two joints. At the ends of the course it reaches to the outline.
    pub fn polygon(&self, from: f64, to: f64) -> Vec<[f64; 2]> {
        let [low, high] = self.z;
        let [middle_from, middle_to] = self.middle();
        let from = if from == middle_from {
            self.bottom[0]
        } else {
            from
        };
        let to = if to == middle_to { self.bottom[1] } else { to };
        let mut corners = vec![[from, low], [to, low]];
        let flat = 1e-9 * (high - low);
        let height = |at: f64| self.height(at);
        if height(to) > low + flat {
            corners.push([to, height(to)]);
        }
        // The two corners of the outline at the upper bed, once where it is a tip.
        let tips = if self.top[0] < self.top[1] {
            vec![self.top[1], self.top[0]]
        } else {
            vec![self.top[0]]
        };
        for tip in tips {
            if from < tip && tip < to {
                corners.push([tip, high]);
            }
        }
        if height(from) > low + flat {
            corners.push([from, height(from)]);
        }
        corners
    }

    /// Whether the ends are vertical.
    pub fn is_rectangle(&self) -> bool {
        self.bottom == self.top
    }
}

/// The triangle above the eaves of a wall.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in super::super) struct Slopes {
    /// Feet of the two slopes along the wall, m.
    pub feet: [f64; 2],
    /// Levels of the feet and of the tip, m.
    pub z: [f64; 2],
    /// Courses end in steps instead of being cut along the slopes.
    pub stepped: bool,
}

impl Slopes {
    /// The outline of a course above the eaves.
    pub fn outline(&self, z: [f64; 2]) -> Outline {
        let at = |level: f64| {
            let part = ((level - self.z[0]) / (self.z[1] - self.z[0])).clamp(0.0, 1.0);
            let middle = 0.5 * (self.feet[0] + self.feet[1]);
            self.feet.map(|foot| foot + (middle - foot) * part)
        };
        if self.stepped {
            return Outline::rectangle(at(0.5 * (z[0] + z[1])), z);
        }
        Outline {
            z,
            bottom: at(z[0]),
            top: at(z[1]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn area(polygon: &[[f64; 2]]) -> f64 {
        let next = polygon.iter().cycle().skip(1);
        0.5 * polygon
            .iter()
            .zip(next)
            .map(|(a, b)| a[0] * b[1] - a[1] * b[0])
            .sum::<f64>()
    }

    #[test]
    fn blocks_under_slopes_fill_the_course() {
        let slopes = Slopes {
            feet: [0.0, 8.0],
            z: [9.0, 14.0],
            stepped: false,
        };
        for z in [[9.0, 9.5], [12.5, 13.0], [13.5, 14.0]] {
            let outline = slopes.outline(z);
            for pitch in [0.2, 0.3, 0.7] {
                let ends = super::super::lattice(outline.middle(), pitch, 0.5, 0.05);
                let filled: f64 = ends
                    .windows(2)
                    .map(|pair| area(&outline.polygon(pair[0], pair[1])))
                    .sum();
                let [left, right] = outline.middle();
                assert!(
                    (filled / (0.5 * (right - left)) - 1.0).abs() < 1e-12,
                    "{z:?} {pitch}"
                );
            }
        }
        let tip = slopes.outline([13.5, 14.0]);
        let [left, right] = tip.middle();
        assert_eq!(
            tip.polygon(left, right),
            [[3.6, 13.5], [4.4, 13.5], [4.0, 14.0]]
        );
    }

    #[test]
    fn steps_have_the_width_at_half_height() {
        let slopes = Slopes {
            feet: [1.0, 5.0],
            z: [2.0, 4.0],
            stepped: true,
        };
        let outline = slopes.outline([2.0, 3.0]);
        assert!(outline.is_rectangle());
        assert_eq!(outline.bottom, [1.5, 4.5]);
    }
}
