//! Random assemblies of blocks in space, on a slab.

use drystone_geometry::{DVec3, Polyhedron};
use drystone_model::{Model, from_toml};

/// A generator that needs no crate: xorshift, numbers in the unit interval.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn unit(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }
}

/// How blocks are made.
#[derive(Debug, Clone, Copy)]
pub enum Kind {
    /// Cells of random seeds in a box.
    Voronoi,
    /// A box cut by a few leaning planes, one above the other.
    Wedges,
    /// Flat cells: many courses of irregular stones.
    Rubble,
    /// Boxes on one another, each turned about the vertical and shifted.
    RotatedStack,
    /// Truncated pyramids on one another, each turned.
    Frusta,
}

impl Kind {
    pub const ALL: [Self; 5] = [
        Self::Voronoi,
        Self::Wedges,
        Self::Rubble,
        Self::RotatedStack,
        Self::Frusta,
    ];

    /// Corners of each block.
    fn blocks(self, random: &mut Random) -> Vec<Vec<DVec3>> {
        match self {
            Self::Voronoi => cells(random, DVec3::new(1.6, 0.9, 1.4), 12, 1.0),
            Self::Rubble => cells(random, DVec3::new(1.5, 0.6, 1.2), 18, 2.5),
            Self::Wedges => wedges(random),
            Self::RotatedStack => stack(random, 4, 1.0),
            Self::Frusta => stack(random, 7, 0.8),
        }
    }
}

fn cuboid(low: DVec3, high: DVec3) -> Polyhedron {
    Polyhedron::cuboid(low, high).unwrap()
}

/// What is nearer to each seed than to the others, with heights counted `flat` times.
fn cells(random: &mut Random, size: DVec3, count: usize, flat: f64) -> Vec<Vec<DVec3>> {
    let squeeze = DVec3::new(1.0, 1.0, flat);
    let seeds: Vec<DVec3> = (0..count)
        .map(|_| DVec3::new(random.unit(), random.unit(), random.unit()) * size * squeeze)
        .collect();
    let whole = cuboid(DVec3::ZERO, size * squeeze);
    let cell = |seed: DVec3| {
        let others = seeds.iter().filter(|&&other| other != seed);
        others.fold(whole.clone(), |cell, &other| {
            let normal = (other - seed).normalize();
            cell.cut(normal, normal.dot(0.5 * (seed + other))).unwrap()
        })
    };
    let back = |cell: Polyhedron| cell.vertices().iter().map(|&v| v / squeeze).collect();
    seeds.iter().map(|&seed| back(cell(seed))).collect()
}

fn wedges(random: &mut Random) -> Vec<Vec<DVec3>> {
    let size = DVec3::new(random.between(0.5, 1.0), random.between(0.5, 1.0), 2.0);
    let mut rest = cuboid(DVec3::ZERO, size);
    let mut blocks = Vec::new();
    for k in 1..6 {
        let lean = DVec3::new(random.between(-0.3, 0.3), random.between(-0.3, 0.3), 1.0);
        let normal = lean.normalize();
        let middle = DVec3::new(0.5 * size.x, 0.5 * size.y, size.z * f64::from(k) / 6.0);
        let at = normal.dot(middle);
        blocks.push(rest.cut(normal, at).unwrap().vertices().to_vec());
        rest = rest.cut(-normal, -at).unwrap();
    }
    blocks.push(rest.vertices().to_vec());
    blocks
}

/// Blocks of `sides` sides whose tops are `taper` times as wide as their bottoms.
fn stack(random: &mut Random, sides: u32, taper: f64) -> Vec<Vec<DVec3>> {
    let mut z = 0.0;
    let mut blocks = Vec::new();
    for _ in 0..5 {
        let height = random.between(0.2, 0.5);
        let (turn, radius) = (random.between(0.0, 3.0), random.between(0.4, 0.6));
        let shift = DVec3::new(
            random.between(-0.08, 0.08),
            random.between(-0.08, 0.08),
            0.0,
        );
        let ring = |z: f64, radius: f64| {
            (0..sides).map(move |k| {
                let angle = turn + f64::from(k) * std::f64::consts::TAU / f64::from(sides);
                shift + DVec3::new(radius * angle.cos(), radius * angle.sin(), z)
            })
        };
        blocks.push(
            ring(z, radius)
                .chain(ring(z + height, taper * radius))
                .collect(),
        );
        z += height;
    }
    blocks
}

/// An assembly of a kind; `more` ends its file.
pub fn assembly(kind: Kind, seed: u64, more: &str) -> Model {
    let mut random = Random::new(seed);
    let friction = random.between(0.4, 0.9);
    let mut text = format!(
        "[[material]]\nname = \"stone\"\ndensity = 2000.0\n[[interface]]\nbetween = [\"*\", \"*\"]\nfriction = {friction:?}\n"
    );
    let list = |corners: &[DVec3]| {
        let all = corners
            .iter()
            .map(|v| format!("[{:?}, {:?}, {:?}]", v.x, v.y, v.z));
        all.collect::<Vec<_>>().join(", ")
    };
    let slab = cuboid(DVec3::new(-3.0, -3.0, -0.5), DVec3::new(4.0, 4.0, 0.0));
    for (k, corners) in kind.blocks(&mut random).iter().enumerate() {
        text += &format!(
            "[[block]]\nname = \"b{k}\"\nmaterial = \"stone\"\nvertices = [{}]\n",
            list(corners)
        );
    }
    text += &format!(
        "[[block]]\nname = \"slab\"\nmaterial = \"stone\"\nsupport = true\nvertices = [{}]\n{more}",
        list(slab.vertices())
    );
    from_toml(&text).unwrap_or_else(|faults| panic!("{kind:?} {seed}: {faults}"))
}
