//! Rectangular towers: four walls in storeys, bonded at their corners.

use drystone_keys::keys;

use super::building::{Band, Masonry, Member, lay};
use super::dimensions::Dimensions;
use super::openings::Opening;
use super::{Misfit, Piece, Structure};

keys! {
    /// A rectangular tower of storeys. The origin is the centre of its base; its walls are named `south` (at -y, the front),
    /// `east`, `north` and `west`, their blocks `south.course3.block2`, from the bottom and from the left as seen from outside.
    /// Corners are bonded as in a building. Courses count through all storeys.
    pub struct Tower {
        /// Lengths of the base along x and y from outside to outside.
        width: [f64; 2] { required, unit: "m" },
        /// Height of a course.
        course_height: f64 { required, unit: "m", above: 0.0 },
        /// About how long a block is.
        block_length: f64 { required, unit: "m", above: 0.0 },
        /// Least distance of a head joint from those below.
        min_overlap: f64 { optional, unit: "m", least: 0.0, otherwise: "a quarter of a block" },
        /// Shortest piece of masonry beside openings.
        min_length: f64 { optional, unit: "m", above: 0.0, otherwise: "a fifth of a block" },
        /// The storeys from the bottom.
        storeys: Vec<Storey> { required },
    }
}

keys! {
    /// A storey of a tower.
    pub struct Storey {
        /// Height, m: whole courses.
        height: f64 { required, unit: "m", above: 0.0 },
        /// Thickness of its walls.
        /// Where it is less than below, the inner faces step back.
        thickness: f64 { required, unit: "m", above: 0.0 },
        /// How far its outer faces stand back from those below.
        setback: f64 { optional, unit: "m", least: 0.0, default: 0.0 },
        /// Openings in each of the four walls.
        /// Lengths count from the left corner of the storey as seen from outside, levels from the foot of the storey. Lintels and voussoirs are named `south.storey2.opening1.lintel` and so on.
        openings: Vec<Opening> { defaulted },
        /// More openings in the wall at -y.
        south: Vec<Opening> { defaulted },
        /// More openings in the wall at +x.
        east: Vec<Opening> { defaulted },
        /// More openings in the wall at +y.
        north: Vec<Opening> { defaulted },
        /// More openings in the wall at -x.
        west: Vec<Opening> { defaulted },
    }
}

/// The walls counter-clockwise from the front.
const SIDES: [&str; 4] = ["south", "east", "north", "west"];

impl Structure for Tower {
    fn pieces(&self) -> Result<Vec<Piece>, Vec<Misfit>> {
        let mut checks = Dimensions::default();
        let block = [self.block_length, self.course_height];
        let masonry = Masonry::new(block, self.min_overlap, self.min_length, &mut checks);
        for width in self.width {
            checks.positive("width", width);
        }
        if self.storeys.is_empty() {
            checks.refuse(
                "storeys",
                "there are none",
                "e.g. [{ height = 6.0, thickness = 0.8 }]",
            );
        }
        let Some(masonry) = masonry else {
            return checks.or(Vec::new());
        };
        let levels = self.levels(&masonry, &mut checks);
        let insets = self.insets(&masonry, &mut checks);
        checks.done()?;
        let members = (0..4)
            .map(|side| self.member(side, &levels, &insets, &masonry))
            .collect();
        // What is wrong with openings of all four walls is said once.
        lay(members, &masonry).map_err(|misfits| {
            let mut once: Vec<Misfit> = Vec::new();
            for misfit in misfits {
                if !once.iter().any(|other| other.key == misfit.key) {
                    once.push(misfit);
                }
            }
            once
        })
    }
}

impl Tower {
    /// Courses at which storeys begin and end.
    fn levels(&self, masonry: &Masonry, checks: &mut Dimensions) -> Vec<usize> {
        let mut levels = vec![0];
        let mut top = 0;
        for (index, storey) in self.storeys.iter().enumerate() {
            let key = format!("storeys[{index}].height");
            if checks.positive(key.clone(), storey.height)
                && let Some(courses) = checks.whole(key, storey.height, masonry.block[1], "courses")
            {
                top += courses as usize;
            }
            levels.push(top);
        }
        levels
    }

    /// How far the outer and inner faces of the storeys lie within the base.
    fn insets(&self, masonry: &Masonry, checks: &mut Dimensions) -> Vec<[f64; 2]> {
        let narrow = self.width[0].min(self.width[1]);
        let mut insets: Vec<[f64; 2]> = Vec::new();
        for (index, storey) in self.storeys.iter().enumerate() {
            let key = |name: &str| format!("storeys[{index}].{name}");
            let right = checks.positive(key("thickness"), storey.thickness);
            let setback = storey.setback();
            if !checks.not_negative(key("setback"), setback) || !right {
                continue;
            }
            let below = insets.last().copied();
            let outer = below.map_or(0.0, |[outer, _]| outer) + setback;
            let inner = outer + storey.thickness;
            if let Some([_, rests]) = below
                && inner > rests * (1.0 + 1e-9)
            {
                checks.refuse(
                    key("thickness"),
                    format!(
                        "its inner face stands {:.4} m inside of the wall below",
                        inner - rests
                    ),
                    "thickness and setback together at most the thickness below",
                );
            }
            if 2.0 * inner + masonry.least > narrow {
                checks.refuse(
                    key("thickness"),
                    format!(
                        "walls of {} m in a tower of {narrow} m leave nothing between",
                        storey.thickness
                    ),
                    "thinner walls, or a wider tower",
                );
            }
            insets.push([outer, inner]);
        }
        insets
    }

    fn member(
        &self,
        side: usize,
        levels: &[usize],
        insets: &[[f64; 2]],
        masonry: &Masonry,
    ) -> Member {
        let axis = side % 2;
        let [half, depth] = [0.5 * self.width[axis], 0.5 * self.width[1 - axis]];
        // South goes along +x at -y, east along +y at +x, north along -x at +y, west along -y at -x.
        let sign = if side < 2 { 1.0 } else { -1.0 };
        let low_face = side == 0 || side == 3;
        let mut openings: Vec<Opening> = Vec::new();
        let mut keys = Vec::new();
        let mut bands = Vec::new();
        for (index, (storey, &[outer, inner])) in self.storeys.iter().zip(insets).enumerate() {
            let across = if low_face {
                [outer - depth, inner - depth]
            } else {
                [depth - inner, depth - outer]
            };
            bands.push(Band {
                courses: levels[index]..levels[index + 1],
                along: [outer - half, half - outer],
                across,
            });
            let own = [&storey.south, &storey.east, &storey.north, &storey.west][side];
            let mut number_in_storey = 0;
            for (key, list) in [("openings", &storey.openings), (SIDES[side], own)] {
                for (number, opening) in list.iter().enumerate() {
                    keys.push(format!("storeys[{index}].{key}[{number}]"));
                    number_in_storey += 1;
                    let default = format!("opening{number_in_storey}");
                    let name = opening.name.clone().unwrap_or(default);
                    // Lengths count from the corner of the base, which is as far outside as the storey is set back.
                    let at = opening.at.unwrap_or(half - outer - 0.5 * opening.width) + outer;
                    let foot = levels[index] as f64 * masonry.block[1];
                    openings.push(Opening {
                        name: Some(format!("storey{}.{name}", index + 1)),
                        at: Some(at),
                        sill: Some(opening.sill() + foot),
                        ..opening.clone()
                    });
                }
            }
        }
        Member {
            name: SIDES[side].to_owned(),
            key: String::new(),
            axis,
            start: -sign * half,
            sign,
            bands,
            eaves: levels.last().copied().unwrap_or(0),
            slopes: None,
            openings,
            opening_keys: keys,
            exact: None,
            lintels: Vec::new(),
        }
    }
}
