//! Solids and a random generator that the tests share.
#![allow(dead_code)]

use drystone_drawing::{DVec3, DrawnSolid};

/// A 64-bit mixing generator (splitmix64): the same numbers on every machine.
pub struct Random(pub u64);

impl Random {
    /// Next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Uniform in `0..n`.
    pub fn below(&mut self, n: usize) -> usize {
        (self.bits() % n as u64) as usize
    }

    /// Uniform in `low..high`.
    pub fn within(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// A prism over a polygon in the xz plane, from y = `from` to y = `to`.
pub fn prism(name: &str, outline: &[(f64, f64)], from: f64, to: f64) -> DrawnSolid {
    let n = outline.len() as u32;
    let mut vertices: Vec<DVec3> = outline.iter().map(|&(x, z)| DVec3::new(x, to, z)).collect();
    vertices.extend(outline.iter().map(|&(x, z)| DVec3::new(x, from, z)));
    let mut faces: Vec<Vec<u32>> = vec![(0..n).rev().collect(), (n..2 * n).collect()];
    for i in 0..n {
        let j = (i + 1) % n;
        faces.push(vec![i, j, n + j, n + i]);
    }
    DrawnSolid {
        name: name.to_owned(),
        layer: None,
        support: false,
        vertices,
        faces,
    }
}

/// An upright box.
pub fn cuboid(name: &str, low: [f64; 3], high: [f64; 3]) -> DrawnSolid {
    let outline = [
        (low[0], low[2]),
        (high[0], low[2]),
        (high[0], high[2]),
        (low[0], high[2]),
    ];
    prism(name, &outline, low[1], high[1])
}

/// Five blocks of awkward numbers that touch each other: a base, two jambs, a lintel with a step and a drum.
pub fn gate() -> Vec<DrawnSolid> {
    let third = 1.0 / 3.0;
    let mut solids = vec![
        cuboid("base", [-0.1, 0.0, -third], [2.1, 0.7, 0.0]),
        cuboid("left jamb", [0.0, 0.0, 0.0], [0.3, 0.7, 1.7]),
        cuboid("right jamb", [1.7, 0.0, 0.0], [2.0, 0.7, 1.7]),
        prism(
            "lintel",
            &[
                (0.0, 1.7),
                (2.0, 1.7),
                (2.0, 2.0),
                (1.3, 2.0),
                (1.3, 2.2),
                (0.7, 2.2),
                (0.7, 2.0),
                (0.0, 2.0),
            ],
            0.0,
            0.7,
        ),
    ];
    let drum: Vec<(f64, f64)> = (0..12)
        .map(|i| {
            let angle = std::f64::consts::TAU * (f64::from(i) + 0.5) / 12.0;
            (
                1.0 + 0.2 * angle.cos(),
                2.2 + 0.2 * (0.5 * third.acos()) + 0.2 * angle.sin(),
            )
        })
        .collect();
    solids.push(prism("drum", &drum, 0.1, 0.6));
    solids[0].support = true;
    for (solid, layer) in solids
        .iter_mut()
        .zip(["ground", "wall", "wall", "wall", "roof"])
    {
        solid.layer = Some(layer.into());
    }
    solids
}

/// Enclosed volume.
pub fn volume(solid: &DrawnSolid) -> f64 {
    let origin = solid.vertices[0];
    let at = |v: u32| solid.vertices[v as usize] - origin;
    let fan = |face: &Vec<u32>| -> f64 {
        face[1..]
            .windows(2)
            .map(|w| at(face[0]).dot(at(w[0]).cross(at(w[1]))))
            .sum()
    };
    solid.faces.iter().map(fan).sum::<f64>() / 6.0
}

/// Every edge is run once in each direction.
pub fn assert_closed(solid: &DrawnSolid) {
    let mut edges: Vec<(u32, u32)> = Vec::new();
    for face in &solid.faces {
        for i in 0..face.len() {
            edges.push((face[i], face[(i + 1) % face.len()]));
        }
    }
    edges.sort_unstable();
    for &(u, v) in &edges {
        let count = |e: (u32, u32)| edges.iter().filter(|f| **f == e).count();
        assert_eq!(count((u, v)), count((v, u)), "{} is open", solid.name);
    }
}

/// The largest distance from a vertex of one solid to the nearest vertex of the other, both ways.
pub fn distance(a: &DrawnSolid, b: &DrawnSolid) -> f64 {
    let one_way = |a: &DrawnSolid, b: &DrawnSolid| {
        let nearest = |p: &DVec3| {
            let to = b.vertices.iter().map(|q| p.distance(*q));
            to.fold(f64::INFINITY, f64::min)
        };
        a.vertices.iter().map(nearest).fold(0.0, f64::max)
    };
    one_way(a, b).max(one_way(b, a))
}
