//! The structures, as the text of model files.

use std::fmt::Write as _;

use serde::{Deserialize, Serialize};

/// A kind of structure that can be asked for in sizes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Family {
    /// One leaf in running bond, twice as long as high.
    Wall,
    /// Two leaves with through-stones.
    TwoLeafWall,
    /// Four walls with interlocked corners, a door and windows.
    Building,
    /// A semicircular arch: a chain.
    Arch,
    /// Blocks on top of each other: the shortest chain that fails last.
    Stack,
    /// A hemisphere with an oculus.
    Dome,
    /// Irregular stones poured in loose layers.
    RubblePile,
    /// The spandrel arch of 201 blocks (NB section 4.4, BRT section 4).
    SpandrelArch,
    /// The stone house of 191 blocks (NB section 4.5).
    StoneHouse,
    /// The church of 5161 blocks (NB section 4.6).
    Church,
}

const HEAD: &str = "[model]\nname = \"bench\"\n[[material]]\nname = \"stone\"\ndensity = 2000.0\n\
                    [[interface]]\nbetween = [\"*\", \"*\"]\nfriction = 0.6\n";
const GROUND: &str = "[[generate]]\nkind = \"ground\"\nmaterial = \"stone\"\n";

impl Family {
    /// All of them.
    pub const ALL: [Self; 10] = [
        Self::Wall,
        Self::TwoLeafWall,
        Self::Building,
        Self::Arch,
        Self::Stack,
        Self::Dome,
        Self::RubblePile,
        Self::SpandrelArch,
        Self::StoneHouse,
        Self::Church,
    ];

    /// Its name on the command line.
    pub fn word(self) -> &'static str {
        match self {
            Self::Wall => "wall",
            Self::TwoLeafWall => "two-leaf-wall",
            Self::Building => "building",
            Self::Arch => "arch",
            Self::Stack => "stack",
            Self::Dome => "dome",
            Self::RubblePile => "rubble-pile",
            Self::SpandrelArch => "spandrel-arch",
            Self::StoneHouse => "stone-house",
            Self::Church => "church",
        }
    }

    /// Finds a family by its name.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|family| family.word() == word)
    }

    /// Sizes that make sense. Nobody builds an arch of more than a thousand voussoirs (here 8 cm each) or a stack of more than 200
    /// blocks (40 m): they are chains, whose matrices stay narrow, and longer ones only measure rounding. Rubble has to fall
    /// for 25 steps before it is a pile, which is not affordable at 20 000. The papers' structures have one size.
    pub fn has_size(self, blocks: usize) -> bool {
        match self {
            Self::Wall | Self::TwoLeafWall | Self::Building | Self::Dome => true,
            Self::Arch => blocks <= 1000,
            Self::Stack => blocks <= 200,
            Self::RubblePile => blocks <= 5000,
            Self::SpandrelArch | Self::StoneHouse => (150..=250).contains(&blocks),
            Self::Church => (4000..=6000).contains(&blocks),
        }
    }

    /// The model file of about so many blocks.
    pub fn text(self, blocks: usize) -> String {
        let n = blocks.max(4) as f64;
        match self {
            Self::Wall => {
                let courses = n.sqrt().round();
                with_ground(&format!(
                    "kind = \"wall\"\nlength = {:?}\ncourses = {courses}\nthickness = 0.4\nblock = [0.5, 0.25]\n",
                    0.5 * (n / courses - 0.5).max(1.0).round()
                ))
            }
            Self::TwoLeafWall => {
                let courses = (0.55 * n).sqrt().round();
                with_ground(&format!(
                    "kind = \"wall\"\nlength = {:?}\ncourses = {courses}\nthickness = 0.6\nblock = [0.5, 0.25]\n\
                     leaves = {{ count = 2, through_every = 3 }}\n",
                    0.5 * (0.55 * n / courses).max(1.0).round()
                ))
            }
            Self::Building => with_ground(&building(n)),
            Self::Arch => {
                // Joints of 8 cm whatever the size, so that the shape stays a ring of the same stones.
                let radius = 0.08 * n / std::f64::consts::PI;
                format!(
                    "{HEAD}[[generate]]\nmaterial = \"stone\"\nkind = \"arch\"\nradius = {radius:?}\nthickness = {:?}\n\
                     depth = 1.0\nvoussoirs = {}\n",
                    0.17 * radius,
                    n as usize
                )
            }
            Self::Stack => with_ground(&format!(
                "kind = \"stack\"\ncount = {}\nblock = [0.6, 0.5, 0.2]\n",
                n as usize
            )),
            Self::Dome => {
                let rings = (n / 4.0).sqrt().round().max(2.0);
                let radius = 0.4 * rings;
                format!(
                    "{HEAD}[[generate]]\nmaterial = \"stone\"\nkind = \"dome\"\nradius = {radius:?}\nthickness = {:?}\n\
                     rings = {rings}\nblocks = {}\noculus = {:?}\n",
                    0.15 * radius,
                    (n / rings).round(),
                    0.2 * radius
                )
            }
            Self::RubblePile => rubble(blocks.max(4)),
            Self::SpandrelArch => {
                include_str!("../../../examples/spandrel-arch/model.toml").to_owned()
            }
            Self::StoneHouse => include_str!("../../../examples/stone-house/model.toml").to_owned(),
            Self::Church => include_str!("../../../examples/church/model.toml").to_owned(),
        }
    }
}

fn with_ground(structure: &str) -> String {
    format!("{HEAD}[[generate]]\nmaterial = \"stone\"\n{structure}{GROUND}")
}

/// A square plan, walls twice as long as high.
fn building(n: f64) -> String {
    let courses = (n / 4.0).sqrt().round().max(4.0);
    // Corners belong to one of two walls: one block per course more than the length has room for.
    let side = 0.5 * (n / (4.0 * courses) + 0.8).round().max(4.0);
    let height = 0.25 * courses;
    let mut text = "kind = \"building\"\ncourse_height = 0.25\nblock_length = 0.5\n".to_owned();
    let corners = [[0.0, 0.0], [side, 0.0], [side, side], [0.0, side]];
    for k in 0..4 {
        let (from, to) = (corners[k], corners[(k + 1) % 4]);
        let _ = writeln!(
            text,
            "[[generate.walls]]\nname = \"wall{k}\"\nfrom = {from:?}\nto = {to:?}\nthickness = 0.4\nheight = {height:?}"
        );
    }
    text
}

/// Irregular stones in loose layers, each cut by chance, half a millimetre above the highest of the four stones below it, with two to
/// six centimetres between neighbours: poured, not laid.
fn rubble(count: usize) -> String {
    let mut text = HEAD.to_owned();
    let mut random = drystone_cone::corpus::Random::new(3);
    let side = ((count as f64 * 2.0).cbrt()).round().max(2.0) as usize;
    // Tops of the layer below, by place.
    let mut tops = vec![0.0_f64; side * side];
    let mut next = tops.clone();
    for k in 0..count {
        let (layer, place) = (k / (side * side), k % (side * side));
        if place == 0 {
            std::mem::swap(&mut tops, &mut next);
        }
        let (i, j) = (place % side, place / side);
        let mut corners: [[f64; 3]; 8] = std::array::from_fn(|corner| {
            std::array::from_fn(|axis| {
                let sign = if corner >> axis & 1 == 0 { -1.0 } else { 1.0 };
                sign * (0.13 - 0.02 * random.uniform())
            })
        });
        // Every second layer is shifted by half a place.
        let shift = if layer % 2 == 0 { 0 } else { 1 };
        let beside = |x: usize| [x, (x + shift).min(side - 1)];
        let mut below = 0.0_f64;
        for x in beside(i) {
            for y in beside(j) {
                below = below.max(tops[y * side + x]);
            }
        }
        let lowest = corners.iter().map(|c| c[2]).fold(f64::INFINITY, f64::min);
        let at = [
            0.28 * i as f64 + 0.14 * shift as f64,
            0.28 * j as f64 + 0.14 * shift as f64,
            below - lowest + 0.0005,
        ];
        for corner in &mut corners {
            (0..3).for_each(|axis| corner[axis] += at[axis]);
        }
        next[place] = corners.iter().map(|c| c[2]).fold(0.0, f64::max);
        let _ = writeln!(
            text,
            "[[block]]\nname = \"stone{k}\"\nmaterial = \"stone\"\nvertices = {corners:?}"
        );
    }
    text + GROUND
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_family_makes_about_as_many_blocks_as_asked() {
        for family in Family::ALL {
            assert_eq!(Family::from_word(family.word()), Some(family));
            for size in [200, 1000] {
                if !family.has_size(size) {
                    continue;
                }
                let model = drystone_model::from_toml(&family.text(size))
                    .unwrap_or_else(|faults| panic!("{family:?}: {faults}"));
                let free = model.blocks.iter().filter(|block| !block.support).count();
                let off = free as f64 / size as f64;
                assert!((0.85..1.15).contains(&off), "{family:?} {size}: {free}");
            }
        }
    }
}
