//! `K = H + A' G A`, assembled by pairs of bodies, factorised and solved, with `G` symmetric or not.

use super::chunks::{Pairs, each, each_body};
use super::fronts::{Block, Factor, Given};
use super::island::{Group, IslandData};
use super::lanes::{Lanes, Triple, add3, cross3, scale3, sums};
use super::scaling::Scaling;
use super::symbolic::Symbolic;
use crate::FIXED;

/// Right-hand sides side by side where there are three: as many as a vector register holds.
const WIDE: usize = 4;

/// Values of the matrix and of its factor; kept from problem to problem.
#[derive(Debug, Default)]
pub(super) struct Matrix {
    /// `K`, and without symmetry `K'` too.
    sides: [Side; 2],
    factor: Factor,
    permuted: Vec<f64>,
}

/// A matrix by its blocks.
#[derive(Debug, Default)]
struct Side {
    sums: Vec<PairSum>,
    diagonal: Vec<Block>,
}

impl Side {
    fn fit(&mut self, island: &IslandData) {
        self.sums.resize(island.pairs.len(), PairSum::default());
        self.diagonal.resize(island.bodies(), [[0.0; 6]; 6]);
    }
}

/// The equations of one island, with the place for their numbers.
pub(super) struct Condensed<'a> {
    symbolic: &'a Symbolic,
    pub(super) island: &'a IslandData,
    matrix: &'a mut Matrix,
}

/// Sums over the contacts of a pair of the parts of `J' G J`, with `g` the world form of `G` and `[p]` the cross product
/// with an arm.
#[derive(Debug, Clone, Copy, Default)]
struct PairSum {
    /// `g`, row by row.
    force: [f64; 9],
    /// `[p] g` on both sides, row by row.
    mixed: [[f64; 9]; 2],
    /// `-[p_a] g [p_a]`, `-[p_b] g [p_b]`, and `-[p_b] g [p_a]`.
    moment: [[f64; 9]; 3],
}

impl<'a> Condensed<'a> {
    /// `None` if there is no memory for the numbers.
    pub(super) fn new(
        symbolic: &'a Symbolic,
        island: &'a IslandData,
        matrix: &'a mut Matrix,
    ) -> Option<Self> {
        matrix.factor.fit::<1>(symbolic)?;
        matrix.sides[0].fit(island);
        let unknowns = island.bodies() * symbolic.block();
        matrix.permuted.resize(unknowns, 0.0);
        Some(Self {
            symbolic,
            island,
            matrix,
        })
    }

    /// Makes room for [`Self::factorise_general`]; `None` if there is none.
    pub(super) fn fit_general(&mut self) -> Option<()> {
        self.matrix.sides[1].fit(self.island);
        self.matrix.factor.fit::<2>(self.symbolic)
    }

    /// Assembles `H + A' G A`, `G` of a group given as (00, 01, 02, 11, 12, 22), and factorises it. False if a pivot is not
    /// positive.
    pub(super) fn factorise(&mut self, inverse: impl Fn(usize) -> [Lanes; 6] + Sync) -> bool {
        self.factorise_with(inverse, &|_, _| {}, &|_, _| {})
    }

    /// The same with what is not of contacts: added to the block of a body, and to that of a pair of free bodies by its index
    /// among the edges.
    pub(super) fn factorise_with(
        &mut self,
        inverse: impl Fn(usize) -> [Lanes; 6] + Sync,
        add_to_body: &(impl Fn(usize, &mut Block) + Sync),
        add_to_edge: &(impl Fn(usize, &mut Block) + Sync),
    ) -> bool {
        let island = self.island;
        let [side, _] = &mut self.matrix.sides;
        assemble(
            island,
            #[inline(always)]
            |k| [world_symmetric(&island.groups[k], inverse(k))],
            add_to_body,
            [&mut *side],
        );
        let edges = &side.sums[island.first_edge()..];
        let given = Given {
            diagonal: &side.diagonal,
            edge: |edge: usize| {
                let mut block = between(&edges[edge], &edges[edge]);
                add_to_edge(edge, &mut block);
                block
            },
        };
        self.matrix.factor.factorise(self.symbolic, [given])
    }

    /// Assembles and factorises `H + A' G A` with a `G` without symmetry, given by its rows. False if a pivot is zero or not finite.
    pub(super) fn factorise_general(&mut self, rows: impl Fn(usize) -> [Triple; 3] + Sync) -> bool {
        let island = self.island;
        let [own, transposed] = &mut self.matrix.sides;
        assemble(
            island,
            #[inline(always)]
            |k| {
                let rows = world_general(&island.groups[k], &rows(k));
                [transpose(rows), rows]
            },
            &|_, _| {},
            [&mut *own, &mut *transposed],
        );
        let first = island.first_edge();
        let given = [(&*own, &*transposed), (transposed, own)].map(|(side, other)| Given {
            diagonal: &side.diagonal,
            edge: move |edge: usize| between(&side.sums[first + edge], &other.sums[first + edge]),
        });
        self.matrix.factor.factorise(self.symbolic, given)
    }

    /// Makes room for [`Self::solve_three`]; `None` if there is none.
    pub(super) fn fit_three(&mut self) -> Option<()> {
        let wanted = WIDE * self.island.bodies() * self.symbolic.block();
        let permuted = &mut self.matrix.permuted;
        permuted
            .try_reserve_exact(wanted.saturating_sub(permuted.len()))
            .ok()?;
        permuted.resize(wanted, 0.0);
        self.matrix.factor.fit_right::<WIDE>(self.symbolic)
    }

    /// Solves for three right-hand sides at once, in little more time than for one.
    pub(super) fn solve_three(&mut self, x: [&mut [[f64; 6]]; 3]) {
        let Matrix {
            factor, permuted, ..
        } = &mut *self.matrix;
        let freedoms = &self.symbolic.freedoms;
        let position = &self.symbolic.position;
        let wide = permuted.as_chunks_mut::<WIDE>().0;
        for (body, &place) in position.iter().enumerate() {
            let own = &mut wide[place * freedoms.len()..][..freedoms.len()];
            for (to, &k) in own.iter_mut().zip(freedoms) {
                *to = [x[0][body][k], x[1][body][k], x[2][body][k], 0.0];
            }
        }
        factor.solve::<1, WIDE>(self.symbolic, permuted);
        let wide = permuted.as_chunks::<WIDE>().0;
        for (n, x) in x.into_iter().enumerate() {
            for (v, &place) in x.iter_mut().zip(position) {
                let own = &wide[place * freedoms.len()..][..freedoms.len()];
                *v = [0.0; 6];
                freedoms.iter().zip(own).for_each(|(&k, x)| v[k] = x[n]);
            }
        }
    }

    /// Solves `K x = b` in place, six numbers per body.
    pub(super) fn solve(&mut self, x: &mut [[f64; 6]]) {
        self.solve_sides::<1>(x);
    }

    /// The same after [`Self::factorise_general`].
    pub(super) fn solve_general(&mut self, x: &mut [[f64; 6]]) {
        self.solve_sides::<2>(x);
    }

    fn solve_sides<const SIDES: usize>(&mut self, x: &mut [[f64; 6]]) {
        let Matrix {
            factor, permuted, ..
        } = &mut *self.matrix;
        let freedoms = &self.symbolic.freedoms;
        for (body, v) in x.iter().enumerate() {
            let first = self.symbolic.position[body] * freedoms.len();
            freedoms
                .iter()
                .enumerate()
                .for_each(|(c, &k)| permuted[first + c] = v[k]);
        }
        let count = x.len() * freedoms.len();
        factor.solve::<SIDES, 1>(self.symbolic, &mut permuted[..count]);
        for (body, v) in x.iter_mut().enumerate() {
            let first = self.symbolic.position[body] * freedoms.len();
            *v = [0.0; 6];
            freedoms
                .iter()
                .enumerate()
                .for_each(|(c, &k)| v[k] = permuted[first + c]);
        }
    }
}

/// The block of rows of the second body and columns of the first, from the sums of a matrix and of its transpose.
#[inline(always)]
fn between(sum: &PairSum, transposed: &PairSum) -> Block {
    let force = &sum.force;
    let mut block = [[0.0; 6]; 6];
    for i in 0..3 {
        for j in 0..3 {
            block[i][j] = -force[3 * i + j];
            block[3 + i][j] = -sum.mixed[1][3 * i + j];
            block[i][3 + j] = -transposed.mixed[0][3 * j + i];
            block[3 + i][3 + j] = -sum.moment[2][3 * i + j];
        }
    }
    block
}

/// Sums over pairs and blocks of bodies, from the columns of `g` of every group in the axes of the world, on every side.
#[inline(always)]
fn assemble<const N: usize>(
    island: &IslandData,
    world: impl Fn(usize) -> [[Triple; 3]; N] + Sync,
    add_to_body: &(impl Fn(usize, &mut Block) + Sync),
    mut sides: [&mut Side; N],
) {
    each(
        &island.chunks,
        sides.each_mut().map(|side| Pairs(&mut side.sums)),
        #[inline(always)]
        |chunk, mut sums: [Pairs<'_, PairSum>; N]| {
            let pairs = &island.pairs[chunk.pairs[0]..chunk.pairs[1]];
            for (k, pair) in pairs.iter().enumerate() {
                let (from, to) = (pair.groups[0] as usize, pair.groups[1] as usize);
                let found = pair_sums(&island.groups[from..to], from, &world);
                for (sums, sum) in sums.iter_mut().zip(found) {
                    sums.0[k] = sum;
                }
            }
        },
    );
    for side in sides {
        let sums = &side.sums;
        each_body(&mut side.diagonal, &|body, block| {
            *block = [[0.0; 6]; 6];
            for k in 0..3 {
                block[k][k] = island.mass[body];
                (0..3).for_each(|l| block[3 + k][3 + l] = island.rotational[body][3 * k + l]);
            }
            for (pair, side) in island.pairs_of(body) {
                add_own(block, &sums[pair], side);
            }
            add_to_body(body, block);
        });
    }
}

/// Adds the lower triangle of the block of one body of a pair.
#[inline(always)]
fn add_own(block: &mut Block, sum: &PairSum, side: usize) {
    let force = &sum.force;
    for i in 0..3 {
        for j in 0..3 {
            block[i][j] += force[3 * i + j];
            block[3 + i][j] += sum.mixed[side][3 * i + j];
            block[3 + i][3 + j] += sum.moment[side][3 * i + j];
        }
    }
}

#[inline(always)]
fn pair_sums<const N: usize>(
    groups: &[Group],
    from: usize,
    world: &(impl Fn(usize) -> [[Triple; 3]; N] + Sync),
) -> [PairSum; N] {
    let mut all = [Running::NONE; N];
    for (k, group) in groups.iter().enumerate() {
        let columns = world(from + k);
        for (sum, columns) in all.iter_mut().zip(&columns) {
            sum.add(group, columns);
        }
    }
    let mut out = [PairSum::default(); N];
    for (out, sum) in out.iter_mut().zip(&all) {
        *out = sum.sum();
    }
    out
}

/// A [`PairSum`] in four lanes.
#[derive(Clone, Copy)]
struct Running {
    force: [Lanes; 9],
    mixed: [[Lanes; 9]; 2],
    moment: [[Lanes; 9]; 3],
}

impl Running {
    const NONE: Self = Self {
        force: [Lanes::ZERO; 9],
        mixed: [[Lanes::ZERO; 9]; 2],
        moment: [[Lanes::ZERO; 9]; 3],
    };

    #[inline(always)]
    fn add(&mut self, group: &Group, columns: &[Triple; 3]) {
        for (j, column) in columns.iter().enumerate() {
            (0..3).for_each(|i| self.force[3 * i + j] += column[i]);
        }
        for side in 0..2 {
            if group.bodies[side] == FIXED {
                continue;
            }
            let arm = group.arms[side];
            let rows = transpose([
                cross3(arm, columns[0]),
                cross3(arm, columns[1]),
                cross3(arm, columns[2]),
            ]);
            for (i, row) in rows.into_iter().enumerate() {
                (0..3).for_each(|j| self.mixed[side][3 * i + j] += row[j]);
                // Row i of -M [p] is p x row, because -[p] is the transpose of [p].
                let own = cross3(group.arms[side], row);
                (0..3).for_each(|j| self.moment[side][3 * i + j] += own[j]);
                if side == 1 && group.bodies[0] != FIXED {
                    let other = cross3(group.arms[0], row);
                    (0..3).for_each(|j| self.moment[2][3 * i + j] += other[j]);
                }
            }
        }
    }

    #[inline(always)]
    fn sum(&self) -> PairSum {
        PairSum {
            force: sums(&self.force),
            mixed: [sums(&self.mixed[0]), sums(&self.mixed[1])],
            moment: [
                sums(&self.moment[0]),
                sums(&self.moment[1]),
                sums(&self.moment[2]),
            ],
        }
    }
}

#[inline(always)]
fn transpose(m: [Triple; 3]) -> [Triple; 3] {
    [
        [m[0][0], m[1][0], m[2][0]],
        [m[0][1], m[1][1], m[2][1]],
        [m[0][2], m[1][2], m[2][2]],
    ]
}

/// `F' G F` with the rows `F` of the scaled frame, padding left out, by its rows.
#[inline(always)]
fn world_general(group: &Group, g: &[Triple; 3]) -> [Triple; 3] {
    let f = &group.axes;
    let t = [
        scale3(combine(f, g[0]), group.weight),
        scale3(combine(f, g[1]), group.weight),
        scale3(combine(f, g[2]), group.weight),
    ];
    [
        combine(&t, [f[0][0], f[1][0], f[2][0]]),
        combine(&t, [f[0][1], f[1][1], f[2][1]]),
        combine(&t, [f[0][2], f[1][2], f[2][2]]),
    ]
}

/// The same of a symmetric `G` given by its triangle: its rows are its columns.
#[inline(always)]
fn world_symmetric(group: &Group, g: [Lanes; 6]) -> [Triple; 3] {
    let f = &group.axes;
    let t = [
        scale3(combine(f, [g[0], g[1], g[2]]), group.weight),
        scale3(combine(f, [g[1], g[3], g[4]]), group.weight),
        scale3(combine(f, [g[2], g[4], g[5]]), group.weight),
    ];
    // Row by row of F' T, as far as the triangle goes.
    let first = combine(&t, [f[0][0], f[1][0], f[2][0]]);
    let second = combine(&t, [f[0][1], f[1][1], f[2][1]]);
    let last = f[0][2] * t[0][2] + f[1][2] * t[1][2] + f[2][2] * t[2][2];
    [
        first,
        [first[1], second[1], second[2]],
        [first[2], second[2], last],
    ]
}

/// Sum of rows with weights.
#[inline(always)]
fn combine(rows: &[Triple; 3], weights: Triple) -> Triple {
    add3(
        add3(scale3(rows[0], weights[0]), scale3(rows[1], weights[1])),
        scale3(rows[2], weights[2]),
    )
}

/// `G` of every group from its scaling, as [`Condensed::factorise`] takes it.
#[inline(always)]
pub(super) fn scaled(scaling: &[Scaling]) -> impl Fn(usize) -> [Lanes; 6] + Sync + '_ {
    #[inline(always)]
    |group| scaling[group].inverse_matrix()
}
