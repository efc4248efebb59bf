//! Columns of drums.

use drystone_geometry::DVec3;
use drystone_keys::{keys, words};

use super::dimensions::Dimensions;
use super::round::{around, turn};
use super::{Misfit, Piece, Structure};

keys! {
    /// A column of drums, upright on the axis z, on the ground at z = 0.
    ///
    /// Round drums are prisms or frusta of a regular polygon of the same area as the circle, with a side towards +x, so that
    /// weight and volume are right; their corners lie slightly outside the circle and the middles of their sides slightly
    /// inside, by 1.3 and 0.7 % with 16 sides. Blocks are named `base`, `drum1` and so on from below, and `capital`.
    pub struct Column {
        /// Round or square.
        section: Section { optional, default: Section::Round },
        /// At the foot of the shaft, m; of a square column half its width.
        radius: f64 { required, unit: "m", above: 0.0 },
        /// At the top of the shaft.
        top_radius: f64 { optional, unit: "m", above: 0.0, otherwise: "as at the foot" },
        /// How far the shaft swells beyond the straight line at half its height.
        /// The swelling is a parabola; drums are straight between their joints, so that a monolith can't have it.
        entasis: f64 { optional, unit: "m", least: 0.0, default: 0.0 },
        /// Of the shaft.
        height: f64 { required, unit: "m", above: 0.0 },
        /// Number of drums, equally high; 1 for a monolith.
        drums: u32 { required, least: 1 },
        /// Number of sides of a round drum.
        sides: u32 { optional, least: 3, default: 16 },
        /// Square slab under the shaft.
        base: Slab { optional, otherwise: "none" },
        /// Square slab on the shaft.
        capital: Slab { optional, otherwise: "none" },
    }
}

words! {
    /// Cross-section of a column.
    pub enum Section = Round {
        /// A regular polygon of the same area as the circle.
        Round = "round",
        /// With sides along x and y.
        Square = "square",
    }
}

keys! {
    /// A square slab.
    pub struct Slab {
        /// Height.
        height: f64 { required, unit: "m", above: 0.0 },
        /// Along x and y.
        width: f64 { required, unit: "m", above: 0.0 },
    }
}

impl Column {
    /// Reports what is wrong; keys come after `prefix`.
    pub(super) fn check(&self, prefix: &str, check: &mut Dimensions) {
        let key = |key: &str| format!("{prefix}{key}");
        let mut fits = check.positive(key("radius"), self.radius);
        fits &= check.positive_if(&key("top_radius"), self.top_radius);
        fits &= check.positive(key("height"), self.height);
        fits &= check.count(&key("drums"), self.drums, 1);
        if let Some(entasis) = self.entasis {
            fits &= check.not_negative(key("entasis"), entasis);
            if entasis > 0.0 && self.drums == 1 {
                check.refuse(
                    key("entasis"),
                    "the sides of a drum are straight, and a monolith is one drum: it can't swell",
                    "leave it out, or `drums` of 2 or more",
                );
            }
        }
        if let Some(sides) = self.sides {
            if self.section == Some(Section::Square) {
                check.refuse(key("sides"), "a square column has four", "leave it out");
            } else if !(3..=1000).contains(&sides) {
                check.refuse(key("sides"), format!("{sides} sides"), "from 3 to 1000");
            }
        }
        for (part, slab) in [("base", &self.base), ("capital", &self.capital)] {
            let Some(slab) = slab else { continue };
            check.positive(key(&format!("{part}.height")), slab.height);
            let width = key(&format!("{part}.width"));
            let shaft = match part {
                "base" => self.radius,
                _ => self.top_radius(),
            };
            if check.positive(&width, slab.width) && fits && slab.width < 2.0 * shaft {
                check.refuse(
                    &width,
                    format!("{} m, but the shaft is {} m wide", slab.width, 2.0 * shaft),
                    "at least as wide as the shaft",
                );
            }
        }
    }

    pub(super) fn top_radius(&self) -> f64 {
        self.top_radius.unwrap_or(self.radius)
    }

    /// Height of the whole column, m.
    pub(super) fn total_height(&self) -> f64 {
        let [base, capital] =
            [&self.base, &self.capital].map(|slab| slab.as_ref().map_or(0.0, |slab| slab.height));
        base + self.height + capital
    }

    /// Width of what lies on top, m.
    pub(super) fn top_width(&self) -> f64 {
        match &self.capital {
            Some(capital) => capital.width,
            None => 2.0 * self.top_radius(),
        }
    }

    /// Corners of the shaft at a fraction of its height.
    fn outline(&self, fraction: f64, level: f64) -> Vec<DVec3> {
        let straight = self.radius + (self.top_radius() - self.radius) * fraction;
        let bulge = 4.0 * fraction * (1.0 - fraction);
        let radius = straight + self.entasis() * bulge;
        match self.section() {
            Section::Square => [[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]]
                .map(|corner| around(corner, radius, level))
                .to_vec(),
            Section::Round => {
                let sides = u64::from(self.sides());
                let step = std::f64::consts::TAU / sides as f64;
                let radius = radius * (step / step.sin()).sqrt();
                (0..sides)
                    .map(|corner| around(turn(2 * corner + 1, 2 * sides), radius, level))
                    .collect()
            }
        }
    }

    /// The pieces of a column whose dimensions were checked.
    pub(super) fn made(&self) -> Vec<Piece> {
        let slab = |name: &str, slab: &Slab, level: f64| {
            let half = 0.5 * slab.width;
            let min = DVec3::new(-half, -half, level);
            Piece::cuboid(name, min, DVec3::new(half, half, level + slab.height))
        };
        let foot = self.base.as_ref().map_or(0.0, |base| base.height);
        let mut pieces: Vec<Piece> = Vec::new();
        pieces.extend(self.base.as_ref().map(|base| slab("base", base, 0.0)));
        for drum in 0..self.drums {
            let ends = [drum, drum + 1].map(|joint| {
                let fraction = f64::from(joint) / f64::from(self.drums);
                self.outline(fraction, foot + self.height * fraction)
            });
            pieces.push(Piece::new(format!("drum{}", drum + 1), ends.concat()));
        }
        let capital = self.capital.as_ref();
        pieces.extend(capital.map(|capital| slab("capital", capital, foot + self.height)));
        pieces
    }
}

impl Structure for Column {
    fn pieces(&self) -> Result<Vec<Piece>, Vec<Misfit>> {
        let mut check = Dimensions::default();
        self.check("", &mut check);
        check.done()?;
        Ok(self.made())
    }
}
