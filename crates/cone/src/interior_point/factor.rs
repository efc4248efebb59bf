//! `K = H + A' G A`, assembled by pairs of bodies, factorised and solved.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt::factor::LltRegularization;
use faer::sparse::SparseColMatRef;
use faer::sparse::linalg::cholesky::supernodal::{self, SupernodalLltRef};
use faer::{Par, Spec};

use super::island::{Group, IslandData};
use super::lanes::{Lanes, Triple, add3, cross3, scale3, vectorised};
use super::scaling::Scaling;
use super::symbolic::{Place, Symbolic};
use crate::FIXED;

/// The matrix of one island: its values, its factor, and buffers.
pub(super) struct Matrix<'a> {
    symbolic: &'a Symbolic,
    values: Vec<f64>,
    diagonal: Vec<[[f64; 6]; 6]>,
    factor: Vec<f64>,
    memory: MemBuffer,
    permuted: Vec<f64>,
    below: Vec<f64>,
}

/// Sums over the contacts of a pair of the parts of `J' G J`, with `g` the world form of `G` and `[p]` the cross product
/// with an arm.
#[derive(Clone, Copy)]
struct PairSum {
    /// `g`: (xx, xy, xz, yy, yz, zz).
    force: [f64; 6],
    /// `[p] g` on both sides, row by row.
    mixed: [[f64; 9]; 2],
    /// `-[p_a] g [p_a]`, `-[p_b] g [p_b]`, and `-[p_b] g [p_a]`.
    moment: [[f64; 9]; 3],
}

impl<'a> Matrix<'a> {
    /// `None` when memory runs out.
    pub(super) fn new(symbolic: &'a Symbolic) -> Option<Self> {
        let scratch = supernodal::factorize_supernodal_numeric_llt_scratch::<usize, f64>(
            &symbolic.factor,
            Par::Seq,
            Spec::default(),
        );
        Some(Self {
            symbolic,
            values: vec![0.0; symbolic.lower.row_idx().len()],
            diagonal: vec![[[0.0; 6]; 6]; symbolic.position.len()],
            factor: vec![0.0; symbolic.factor.len_val()],
            memory: MemBuffer::try_new(scratch).ok()?,
            permuted: vec![0.0; symbolic.start.len() - 1],
            below: Vec::new(),
        })
    }

    /// Assembles `H + A' G A`, `G` of a group given as (00, 01, 02, 11, 12, 22), and factorises it. False if a pivot is not positive.
    pub(super) fn factorise(
        &mut self,
        island: &IslandData,
        inverse: impl Fn(usize) -> [Lanes; 6],
    ) -> bool {
        vectorised(
            #[inline(always)]
            || self.assemble(island, &inverse),
        );
        let matrix = SparseColMatRef::new(self.symbolic.lower.as_ref(), &self.values[..]);
        supernodal::factorize_supernodal_numeric_llt(
            &mut self.factor,
            matrix,
            LltRegularization::default(),
            &self.symbolic.factor,
            Par::Seq,
            MemStack::new(&mut self.memory),
            Spec::default(),
        )
        .is_ok()
    }

    #[inline(always)]
    fn assemble(&mut self, island: &IslandData, inverse: &impl Fn(usize) -> [Lanes; 6]) {
        for (body, block) in self.diagonal.iter_mut().enumerate() {
            *block = [[0.0; 6]; 6];
            for k in 0..3 {
                block[k][k] = island.mass[body];
                (0..3).for_each(|l| block[3 + k][3 + l] = island.rotational[body][3 * k + l]);
            }
        }
        let mut edge = 0;
        for pair in &island.pairs {
            let (from, to) = (pair.groups[0] as usize, pair.groups[1] as usize);
            let sum = pair_sum(&island.groups[from..to], from, inverse);
            add_own(&mut self.diagonal[pair.bodies[1] as usize], &sum, 1);
            if pair.bodies[0] != FIXED {
                add_own(&mut self.diagonal[pair.bodies[0] as usize], &sum, 0);
                self.place(self.symbolic.places[edge], &sum);
                edge += 1;
            }
        }
        let freedoms = &self.symbolic.freedoms;
        for (body, block) in self.diagonal.iter().enumerate() {
            let first = self.symbolic.position[body] * freedoms.len();
            for (c, &k) in freedoms.iter().enumerate() {
                let at = self.symbolic.start[first + c];
                for (r, &l) in freedoms[c..].iter().enumerate() {
                    self.values[at + r] = block[l][k];
                }
            }
        }
    }

    /// Writes the block of rows of the second body and columns of the first, or its transpose.
    #[inline(always)]
    fn place(&mut self, place: Place, sum: &PairSum) {
        let f = &sum.force;
        let force = [f[0], f[1], f[2], f[1], f[3], f[4], f[2], f[4], f[5]];
        let mut block = [[0.0; 6]; 6];
        for i in 0..3 {
            for j in 0..3 {
                block[i][j] = -force[3 * i + j];
                block[3 + i][j] = -sum.mixed[1][3 * i + j];
                block[i][3 + j] = -sum.mixed[0][3 * j + i];
                block[3 + i][3 + j] = -sum.moment[2][3 * i + j];
            }
        }
        let freedoms = &self.symbolic.freedoms;
        let size = freedoms.len();
        for (c, &k) in freedoms.iter().enumerate() {
            let at = self.symbolic.start[place.column + c] + (size - c) + place.rank * size;
            for (value, &l) in self.values[at..at + size].iter_mut().zip(freedoms) {
                *value = if place.first_is_row {
                    block[k][l]
                } else {
                    block[l][k]
                };
            }
        }
    }

    /// Solves `K x = b` in place, six numbers per body.
    pub(super) fn solve(&mut self, x: &mut [[f64; 6]]) {
        let freedoms = &self.symbolic.freedoms;
        for (body, v) in x.iter().enumerate() {
            let first = self.symbolic.position[body] * freedoms.len();
            freedoms
                .iter()
                .enumerate()
                .for_each(|(c, &k)| self.permuted[first + c] = v[k]);
        }
        let factor = SupernodalLltRef::new(&self.symbolic.factor, &self.factor);
        vectorised(
            #[inline(always)]
            || solve_supernodes(factor, &mut self.permuted, &mut self.below),
        );
        for (body, v) in x.iter_mut().enumerate() {
            let first = self.symbolic.position[body] * freedoms.len();
            *v = [0.0; 6];
            freedoms
                .iter()
                .enumerate()
                .for_each(|(c, &k)| v[k] = self.permuted[first + c]);
        }
    }
}

/// Forward and backward substitution for one right-hand side. Panels are narrow, so that plain loops over columns beat
/// calls of a general matrix product.
#[inline(always)]
fn solve_supernodes(factor: SupernodalLltRef<'_, usize, f64>, x: &mut [f64], below: &mut Vec<f64>) {
    let symbolic = factor.symbolic();
    let starts = symbolic.col_ptr_for_val();
    for s in 0..symbolic.n_supernodes() {
        let node = factor.supernode(s);
        let (first, pattern) = (node.start(), node.pattern());
        let columns = node.val().ncols();
        let rows = columns + pattern.len();
        let panel = &factor.values()[starts[s]..starts[s + 1]];
        below.clear();
        below.resize(pattern.len(), 0.0);
        for c in 0..columns {
            let column = &panel[c * rows..(c + 1) * rows];
            let value = x[first + c] / column[c];
            x[first + c] = value;
            let top = &mut x[first + c + 1..first + columns];
            top.iter_mut()
                .zip(&column[c + 1..columns])
                .for_each(|(t, l)| *t -= l * value);
            below
                .iter_mut()
                .zip(&column[columns..])
                .for_each(|(t, l)| *t += l * value);
        }
        pattern
            .iter()
            .zip(below.iter())
            .for_each(|(&row, t)| x[row] -= t);
    }
    for s in (0..symbolic.n_supernodes()).rev() {
        let node = factor.supernode(s);
        let (first, pattern) = (node.start(), node.pattern());
        let columns = node.val().ncols();
        let rows = columns + pattern.len();
        let panel = &factor.values()[starts[s]..starts[s + 1]];
        below.clear();
        below.extend(pattern.iter().map(|&row| x[row]));
        for c in (0..columns).rev() {
            let column = &panel[c * rows..(c + 1) * rows];
            let known = dot(&column[c + 1..columns], &x[first + c + 1..first + columns]);
            x[first + c] = (x[first + c] - known - dot(&column[columns..], below)) / column[c];
        }
    }
}

/// Eight partial sums, so that the order of additions allows vector instructions.
#[inline(always)]
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0; 8];
    let (wide_a, rest_a) = a.as_chunks::<8>();
    let (wide_b, rest_b) = b.as_chunks::<8>();
    for (p, q) in wide_a.iter().zip(wide_b) {
        for k in 0..8 {
            sums[k] += p[k] * q[k];
        }
    }
    let rest: f64 = rest_a.iter().zip(rest_b).map(|(p, q)| p * q).sum();
    ((sums[0] + sums[4]) + (sums[1] + sums[5])) + ((sums[2] + sums[6]) + (sums[3] + sums[7])) + rest
}

/// Adds the block of one body of a pair; only the lower triangle is read later, the full one is no slower to write.
#[inline(always)]
fn add_own(block: &mut [[f64; 6]; 6], sum: &PairSum, side: usize) {
    let f = &sum.force;
    let force = [f[0], f[1], f[2], f[1], f[3], f[4], f[2], f[4], f[5]];
    for i in 0..3 {
        for j in 0..3 {
            block[i][j] += force[3 * i + j];
            block[3 + i][j] += sum.mixed[side][3 * i + j];
            block[3 + i][3 + j] += sum.moment[side][3 * i + j];
        }
    }
}

#[inline(always)]
fn pair_sum(groups: &[Group], from: usize, inverse: &impl Fn(usize) -> [Lanes; 6]) -> PairSum {
    let mut force = [Lanes::ZERO; 6];
    let mut mixed = [[Lanes::ZERO; 9]; 2];
    let mut moment = [[Lanes::ZERO; 9]; 3];
    for (k, group) in groups.iter().enumerate() {
        let g = world_inverse(group, inverse(from + k));
        // Symmetric: its rows are its columns.
        let columns = [[g[0], g[1], g[2]], [g[1], g[3], g[4]], [g[2], g[4], g[5]]];
        (0..6).for_each(|i| force[i] += g[i]);
        for side in 0..2 {
            if group.bodies[side] == FIXED {
                continue;
            }
            let turned = columns.map(|c| cross3(group.arms[side], c));
            let rows = transpose(turned);
            for i in 0..3 {
                (0..3).for_each(|j| mixed[side][3 * i + j] += rows[i][j]);
                // Row i of -M [p] is p x row, because -[p] is the transpose of [p].
                let own = cross3(group.arms[side], rows[i]);
                (0..3).for_each(|j| moment[side][3 * i + j] += own[j]);
                if side == 1 && group.bodies[0] != FIXED {
                    let other = cross3(group.arms[0], rows[i]);
                    (0..3).for_each(|j| moment[2][3 * i + j] += other[j]);
                }
            }
        }
    }
    PairSum {
        force: force.map(Lanes::sum),
        mixed: mixed.map(|m| m.map(Lanes::sum)),
        moment: moment.map(|m| m.map(Lanes::sum)),
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

/// `F' G F` with the rows `F` of the scaled frame; padding left out.
#[inline(always)]
fn world_inverse(group: &Group, g: [Lanes; 6]) -> [Lanes; 6] {
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
    [first[0], first[1], first[2], second[1], second[2], last]
}

/// Sum of rows with weights.
#[inline(always)]
fn combine(rows: &[Triple; 3], weights: Triple) -> Triple {
    add3(
        add3(scale3(rows[0], weights[0]), scale3(rows[1], weights[1])),
        scale3(rows[2], weights[2]),
    )
}

/// `G` of every group from its scaling, as [`Matrix::factorise`] takes it.
#[inline(always)]
pub(super) fn scaled(scaling: &[Scaling]) -> impl Fn(usize) -> [Lanes; 6] + '_ {
    #[inline(always)]
    |group| scaling[group].inverse_matrix()
}
