//! All cones of a limit problem: contacts in groups of four, then links, one by one.
//!
//! A link is a cone that is not a plain contact between two bodies: ties, limits of strength, contacts of joints that would be crushed.
//! Vectors over cones hold the groups first and a link in the first lane of each entry behind them.

use super::super::chunks::{Groups, Pairs, PerChunk, each};
use super::super::fronts::Block;
use super::super::island::IslandData;
use super::super::lanes::{Lanes, Triple};
use super::super::passes::{Parts, pull};
use super::super::scaling::Scaling;
use crate::limit::program::{Cone, Program, Side};
use crate::residual::worse;

const FIRST: Lanes = Lanes([1.0, 0.0, 0.0, 0.0]);

/// Of one cone: what is kept, and the force that acts on its nodes.
pub(super) struct Kept {
    pub(super) kept: Triple,
    pub(super) pulls: Triple,
}

/// What does not change in a run.
pub(super) struct Cones<'a> {
    pub(super) island: &'a IslandData,
    program: &'a Program,
    /// Cones of the program that are links.
    pub(super) links: Vec<u32>,
    /// How many of them are contacts; these come first.
    linked_contacts: usize,
    /// Cone of the program in every lane of the groups is given by the island's slots; this is their order.
    pub(super) contacts: Vec<u32>,
    /// Offset of every cone, in units.
    pub(super) offset: Vec<Triple>,
    /// Pairs of nodes that links bring together, with their index among the edges.
    edges: Vec<([u32; 2], usize)>,
    /// No cone has an offset.
    pub(super) closed: bool,
}

/// Which cones of the program are links, and which pairs of nodes these bring together.
pub(super) fn links(program: &Program) -> (Vec<u32>, Vec<[u32; 2]>) {
    let is_body = |side: &Side| (side.node as usize) < program.bodies;
    let is_link = |k: usize| {
        k >= program.contacts || !program.sides_of(&program.cones[k]).iter().all(is_body)
    };
    let links: Vec<u32> = (0..program.cones.len())
        .filter(|&k| is_link(k))
        .map(|k| k as u32)
        .collect();
    let mut pairs = Vec::new();
    for &k in &links {
        let sides = program.sides_of(&program.cones[k as usize]);
        for (i, one) in sides.iter().enumerate() {
            for other in &sides[i + 1..] {
                let pair = [one.node.min(other.node), one.node.max(other.node)];
                if pair[0] != pair[1] {
                    pairs.push(pair);
                }
            }
        }
    }
    pairs.sort_unstable();
    pairs.dedup();
    (links, pairs)
}

impl<'a> Cones<'a> {
    pub(super) fn new(
        program: &'a Program,
        island: &'a IslandData,
        links: Vec<u32>,
        contacts: Vec<u32>,
        pairs: &[[u32; 2]],
        unit: f64,
    ) -> Self {
        let zero = [Lanes::ZERO; 3];
        let mut offset = vec![zero; island.groups.len() + links.len()];
        let value = |cone: u32| program.cones[cone as usize].offset.map(|x| x * unit);
        for (&(group, lane), &cone) in island.slots.iter().zip(&contacts) {
            let value = value(cone);
            // Padding repeats the last contact of a group.
            for copy in lane as usize..4 {
                (0..3).for_each(|k| offset[group as usize][k].0[copy] = value[k]);
            }
        }
        for (to, &cone) in offset[island.groups.len()..].iter_mut().zip(&links) {
            *to = value(cone).map(Lanes::splat);
        }
        let edges = island.edges();
        let find = |pair: &[u32; 2]| {
            let found = edges.binary_search_by_key(pair, |edge| edge.bodies);
            found.ok().map(|at| (*pair, at))
        };
        let closed = offset.iter().flatten().all(|x| *x == Lanes::ZERO);
        Self {
            edges: pairs.iter().filter_map(find).collect(),
            linked_contacts: links.partition_point(|&k| (k as usize) < program.contacts),
            island,
            program,
            links,
            contacts,
            offset,
            closed,
        }
    }

    /// Entries of vectors over cones.
    pub(super) fn len(&self) -> usize {
        self.island.groups.len() + self.links.len()
    }

    fn link(&self, k: usize) -> (&Cone, &[Side]) {
        let cone = &self.program.cones[self.links[k] as usize];
        (cone, self.program.sides_of(cone))
    }

    /// Which lanes count.
    #[inline(always)]
    pub(super) fn weight(&self, k: usize) -> Lanes {
        match self.island.groups.get(k) {
            Some(group) => group.weight,
            None => FIRST,
        }
    }

    /// Size of the proximal term of a cone.
    #[inline(always)]
    pub(super) fn lightness(&self, k: usize) -> Lanes {
        match self.island.groups.get(k) {
            Some(group) => group.delassus,
            None => Lanes::ONE,
        }
    }

    /// `A x` of one entry.
    #[inline(always)]
    pub(super) fn velocity(&self, k: usize, x: &[[f64; 6]]) -> Triple {
        match self.island.groups.get(k) {
            Some(group) => group.velocity(x),
            None => {
                let cone = self.links[k - self.island.groups.len()];
                let s = self.program.velocity(&self.program.cones[cone as usize], x);
                s.map(Lanes::splat)
            }
        }
    }

    /// Whether an entry is one of contacts, which may slide, and not a limit of strength.
    #[inline(always)]
    pub(super) fn slides(&self, k: usize) -> bool {
        k < self.island.groups.len() + self.linked_contacts
    }

    /// Sets every entry.
    #[inline(always)]
    pub(super) fn fill<T: Send>(&self, out: &mut [T], value: impl Fn(usize) -> T + Sync) {
        let (groups, links) = out.split_at_mut(self.island.groups.len());
        each(
            &self.island.chunks,
            Groups(groups),
            #[inline(always)]
            |chunk, part| {
                for (k, out) in (chunk.groups[0]..).zip(part.0) {
                    *out = value(k);
                }
            },
        );
        for (k, out) in (self.island.groups.len()..).zip(links) {
            *out = value(k);
        }
    }

    /// `out = start + A' x`, and `kept` set on the way; `value` gives both for a cone.
    #[inline(always)]
    pub(super) fn gather(
        &self,
        value: impl Fn(usize) -> Kept + Sync,
        start: impl Fn(usize) -> [f64; 6] + Sync,
        parts: &mut Parts,
        kept: &mut [Triple],
        out: &mut [[f64; 6]],
    ) {
        let (groups, links) = kept.split_at_mut(self.island.groups.len());
        each(
            &self.island.chunks,
            (Groups(groups), Pairs(&mut parts.wrenches)),
            #[inline(always)]
            |chunk, (kept, wrenches)| {
                pull(
                    self.island,
                    chunk,
                    wrenches.0,
                    #[inline(always)]
                    |k, _| {
                        let value = value(k);
                        kept.0[k - chunk.groups[0]] = value.kept;
                        value.pulls
                    },
                );
            },
        );
        self.island.gather(&parts.wrenches, &start, out);
        for (k, kept) in links.iter_mut().enumerate() {
            let value = value(self.island.groups.len() + k);
            *kept = value.kept;
            for side in self.link(k).1 {
                let target = &mut out[side.node as usize];
                for (row, x) in side.rows.iter().zip(&value.pulls) {
                    (0..6).for_each(|i| target[i] += row[i] * x.0[0]);
                }
            }
        }
        out.iter_mut().for_each(|x| *x = self.island.mask(*x));
    }

    /// Changes two vectors, and finds the largest of what `change` returns; NaN if one is.
    #[inline(always)]
    pub(super) fn change(
        &self,
        s: &mut [Triple],
        z: &mut [Triple],
        buffer: &mut Vec<f64>,
        change: impl Fn(usize, &mut Triple, &mut Triple) -> Lanes + Sync,
    ) -> f64 {
        buffer.clear();
        buffer.resize(self.island.chunks.len(), f64::NEG_INFINITY);
        let (s, s_links) = s.split_at_mut(self.island.groups.len());
        let (z, z_links) = z.split_at_mut(self.island.groups.len());
        each(
            &self.island.chunks,
            (Groups(s), Groups(z), PerChunk(buffer)),
            #[inline(always)]
            |chunk, (s, z, largest)| {
                let mut most = Lanes::splat(f64::NEG_INFINITY);
                for (k, (s, z)) in (chunk.groups[0]..).zip(s.0.iter_mut().zip(z.0)) {
                    most = most.max(change(k, s, z));
                }
                largest.0[0] = most.largest();
            },
        );
        let mut all = buffer.iter().copied().fold(f64::NEG_INFINITY, worse);
        let links = s_links.iter_mut().zip(z_links);
        for (k, (s, z)) in (self.island.groups.len()..).zip(links) {
            all = worse(all, change(k, s, z).largest());
        }
        all
    }

    /// Sums over all cones; what is summed has to be weighted.
    #[inline(always)]
    pub(super) fn sum<const N: usize>(
        &self,
        buffer: &mut Vec<[f64; N]>,
        value: impl Fn(usize) -> [Lanes; N] + Sync,
    ) -> [f64; N] {
        self.reduce(buffer, 0.0, value, |a, b| a + b, |lanes| lanes.sum())
    }

    /// The largest of all cones; NaN if one is.
    #[inline(always)]
    pub(super) fn largest<const N: usize>(
        &self,
        buffer: &mut Vec<[f64; N]>,
        value: impl Fn(usize) -> [Lanes; N] + Sync,
    ) -> [f64; N] {
        self.reduce(buffer, f64::NEG_INFINITY, value, worse, |x| x.largest())
    }

    #[inline(always)]
    fn reduce<const N: usize>(
        &self,
        buffer: &mut Vec<[f64; N]>,
        none: f64,
        value: impl Fn(usize) -> [Lanes; N] + Sync,
        join: impl Fn(f64, f64) -> f64 + Sync,
        collapse: impl Fn(Lanes) -> f64 + Sync,
    ) -> [f64; N] {
        buffer.clear();
        buffer.resize(self.island.chunks.len(), [none; N]);
        each(
            &self.island.chunks,
            PerChunk(buffer),
            #[inline(always)]
            |chunk, part| {
                for k in chunk.groups[0]..chunk.groups[1] {
                    let one = value(k);
                    (0..N).for_each(|i| part.0[0][i] = join(part.0[0][i], collapse(one[i])));
                }
            },
        );
        let mut all = [none; N];
        for one in buffer.iter() {
            (0..N).for_each(|i| all[i] = join(all[i], one[i]));
        }
        for k in self.island.groups.len()..self.len() {
            let one = value(k);
            (0..N).for_each(|i| all[i] = join(all[i], collapse(one[i])));
        }
        all
    }

    /// What links add to the matrix: per node, and per edge in the order of the edges that they have.
    pub(super) fn link_blocks(&self, scaling: &[Scaling]) -> LinkBlocks {
        let mut blocks = LinkBlocks::default();
        for k in 0..self.links.len() {
            let g = scaling[self.island.groups.len() + k]
                .inverse_matrix()
                .map(|x| x.0[0]);
            let g = [[g[0], g[1], g[2]], [g[1], g[3], g[4]], [g[2], g[4], g[5]]];
            let sides = self.link(k).1;
            for one in sides {
                for other in sides {
                    if one.node == other.node {
                        blocks
                            .nodes
                            .push((one.node as usize, blocks.all.len() as u32));
                        blocks.all.push(product(one, &g, other));
                    } else if one.node > other.node {
                        let pair = [other.node, one.node];
                        if let Ok(at) = self.edges.binary_search_by_key(&pair, |e| e.0) {
                            blocks
                                .edges
                                .push((self.edges[at].1, blocks.all.len() as u32));
                            blocks.all.push(product(one, &g, other));
                        }
                    }
                }
            }
        }
        // Ascending numbers of blocks, so that sums keep their order.
        blocks.nodes.sort_unstable();
        blocks.edges.sort_unstable();
        blocks
    }
}

/// Blocks of links: numbers of them, sorted by node and by edge. Blocks themselves stay where they are, for they are large.
#[derive(Default)]
pub(super) struct LinkBlocks {
    all: Vec<Block>,
    nodes: Vec<(usize, u32)>,
    edges: Vec<(usize, u32)>,
}

impl LinkBlocks {
    pub(super) fn add_to_node(&self, node: usize, block: &mut Block) {
        self.add_of(&self.nodes, node, block);
    }

    pub(super) fn add_to_edge(&self, edge: usize, block: &mut Block) {
        self.add_of(&self.edges, edge, block);
    }

    fn add_of(&self, sorted: &[(usize, u32)], key: usize, block: &mut Block) {
        let from = sorted.partition_point(|x| x.0 < key);
        let own = sorted[from..].iter().take_while(|x| x.0 == key);
        own.for_each(|x| add(block, &self.all[x.1 as usize]));
    }
}

fn add(to: &mut Block, block: &Block) {
    for (to, row) in to.iter_mut().zip(block) {
        to.iter_mut().zip(row).for_each(|(t, x)| *t += x);
    }
}

/// `rows' G rows`.
fn product(one: &Side, g: &[[f64; 3]; 3], other: &Side) -> Block {
    let across: [[f64; 6]; 3] = std::array::from_fn(|a| {
        std::array::from_fn(|j| (0..3).map(|b| g[a][b] * other.rows[b][j]).sum())
    });
    std::array::from_fn(|i| {
        std::array::from_fn(|j| (0..3).map(|a| one.rows[a][i] * across[a][j]).sum())
    })
}
