//! Multifrontal factorisation over the tree of fronts: `L L'` of a symmetric positive definite matrix, `L U` of any other.
//!
//! A matrix is given by its lower triangle, and one without symmetry by that of its transpose too: it has two sides, each with panels and
//! working memory as the other's ([`super::dense`] says what becomes of them). Pivots are taken as they come; those of one side have to be positive.
//!
//! Branches of the tree that are large enough run on threads of their own. Where the tree forks and how dense products are
//! divided does not depend on the number of threads, nor do the bits of the result.

use std::ops::Range;

use super::chunks::both;
use super::dense::{factorise_front, from, leave, other};
use super::lanes::vectorised;
use super::substitution::{Substitution, Triangle, add};
use super::symbolic::{Front, Symbolic};

/// Numbers that are worth another thread when they are added: some tens of microseconds.
const MANY: usize = 50_000;

/// Six rows and columns of a pair of bodies, of which those that are not free are skipped.
pub(super) type Block = [[f64; 6]; 6];

/// The factor: panels of pivot columns per front. Grows with the largest problem and is not cleared between problems.
#[derive(Debug, Default)]
pub(super) struct Factor {
    sides: [Side; 2],
    /// Of the rows below all fronts, for substitution.
    below: Vec<f64>,
}

/// Numbers of one side of the matrix.
#[derive(Debug, Default)]
struct Side {
    panels: Vec<f64>,
    memory: Vec<f64>,
    /// One over the diagonal of its triangle, in the order of elimination.
    inverse: Vec<f64>,
}

impl Side {
    fn triangle(&self) -> Triangle<'_> {
        Triangle {
            panels: &self.panels,
            inverse: &self.inverse,
        }
    }
}

/// One side of the matrix as it is given.
pub(super) struct Given<'a, E> {
    /// Blocks on the diagonal, of which the lower triangle counts.
    pub(super) diagonal: &'a [Block],
    /// Blocks of the edges of the graph: rows of the second body, columns of the first.
    pub(super) edge: E,
}

impl Factor {
    /// Makes room for a factor with `N` sides; `None` if there is none.
    pub(super) fn fit<const N: usize>(&mut self, symbolic: &Symbolic) -> Option<()> {
        for side in &mut self.sides[..N] {
            grow(&mut side.panels, symbolic.values)?;
            grow(&mut side.memory, symbolic.memory)?;
            grow(&mut side.inverse, symbolic.body.len() * symbolic.block())?;
        }
        grow(&mut self.below, symbolic.below)
    }

    /// Makes room for `N` right-hand sides at once.
    pub(super) fn fit_right<const N: usize>(&mut self, symbolic: &Symbolic) -> Option<()> {
        grow(&mut self.below, N * symbolic.below)
    }

    /// Factorises a matrix given by `N` sides, for which there has to be room. False if a pivot is zero or not finite, or negative on one side.
    pub(super) fn factorise<const N: usize, E: Fn(usize) -> Block + Sync>(
        &mut self,
        symbolic: &Symbolic,
        given: [Given<'_, E>; N],
    ) -> bool {
        let work = Elimination { symbolic, given };
        let good = symbolic.roots.iter().all(|&root| {
            let (from, to) = work.panels_of(root);
            let (mut panels, mut memory) = (nothing::<N>(), nothing::<N>());
            for (k, side) in self.sides[..N].iter_mut().enumerate() {
                panels[k] = &mut side.panels[from..to];
                memory[k] = &mut side.memory;
            }
            work.branch(root, panels, memory)
        });
        let block = symbolic.block();
        for side in &mut self.sides[..N] {
            for front in &symbolic.fronts {
                let [columns, rows] = front.shape(block);
                let diagonal = side.panels[front.panel..].iter().step_by(rows + 1);
                let own = &mut side.inverse[front.first * block..][..columns];
                own.iter_mut()
                    .zip(diagonal)
                    .for_each(|(x, pivot)| *x = 1.0 / pivot);
            }
        }
        good
    }

    /// Solves in place with a factor of `SIDES` sides; `x` in the order of elimination, `N` right-hand sides side by side, for which there has
    /// to be room.
    pub(super) fn solve<const SIDES: usize, const N: usize>(
        &mut self,
        symbolic: &Symbolic,
        x: &mut [f64],
    ) {
        let sweep = Substitution {
            symbolic,
            lower: self.sides[0].triangle(),
            upper: self.sides[SIDES - 1].triangle(),
        };
        let below = self.below.as_chunks_mut::<N>().0;
        sweep.solve(x.as_chunks_mut::<N>().0, below);
    }
}

fn grow(numbers: &mut Vec<f64>, size: usize) -> Option<()> {
    if numbers.len() < size {
        numbers.try_reserve_exact(size - numbers.len()).ok()?;
        numbers.resize(size, 0.0);
    }
    Some(())
}

/// The numbers of every side.
type Sides<'a, const N: usize> = [&'a mut [f64]; N];

fn nothing<'a, const N: usize>() -> Sides<'a, N> {
    std::array::from_fn(|_| Default::default())
}

/// All sides in two parts, divided at the same place.
fn split<const N: usize>(sides: Sides<'_, N>, at: usize) -> (Sides<'_, N>, Sides<'_, N>) {
    let (mut first, mut second) = (nothing(), nothing());
    for (k, side) in sides.into_iter().enumerate() {
        (first[k], second[k]) = side.split_at_mut(at);
    }
    (first, second)
}

struct Elimination<'a, E, const N: usize> {
    symbolic: &'a Symbolic,
    given: [Given<'a, E>; N],
}

impl<E: Fn(usize) -> Block + Sync, const N: usize> Elimination<'_, E, N> {
    /// Where the panels of a branch begin and end.
    fn panels_of(&self, top: usize) -> (usize, usize) {
        let fronts = &self.symbolic.fronts;
        let front = &fronts[top];
        let [columns, rows] = front.shape(self.symbolic.block());
        (fronts[front.branch].panel, front.panel + columns * rows)
    }

    /// Eliminates a branch. What is left to the parent stands in the memory where [`Front::result`] says.
    fn branch(&self, top: usize, mut panels: Sides<'_, N>, mut memory: Sides<'_, N>) -> bool {
        let front = &self.symbolic.fronts[top];
        let base = self.panels_of(top).0;
        if !front.forked {
            return self.symbolic.fronts[front.branch..=top].iter().all(|each| {
                let panels = from(&mut panels, each.panel - base);
                self.front(each, panels, from(&mut memory, each.start - front.start))
            });
        }
        let (first, second) = front.children.split_at(front.fork);
        let (children_panels, panels) = split(panels, front.panel - base);
        let children_memory = from(&mut memory, 0);
        let good = if front.fork > 0 {
            let to = self.symbolic.fronts[second[0]].at;
            let cut = self.panels_of(second[0]).0 - base;
            let (memory_1, memory_2) = split(children_memory, to);
            let (panels_1, panels_2) = split(children_panels, cut);
            let (a, b) = both(
                || self.children(first, panels_1, memory_1, 0),
                || self.children(second, panels_2, memory_2, to),
            );
            a && b
        } else {
            self.children(second, children_panels, children_memory, 0)
        };
        good && self.front(front, panels, memory)
    }

    /// Eliminates branches one after another, in the memory that begins at `offset` of their parent's.
    fn children(
        &self,
        children: &[usize],
        mut panels: Sides<'_, N>,
        mut memory: Sides<'_, N>,
        offset: usize,
    ) -> bool {
        for &child in children {
            let (start, end) = self.panels_of(child);
            let (mine, rest) = split(panels, end - start);
            panels = rest;
            let at = self.symbolic.fronts[child].at - offset;
            if !self.branch(child, mine, from(&mut memory, at)) {
                return false;
            }
        }
        true
    }

    /// Eliminates the pivots of a front, whose panels and memory begin where those that are given do.
    fn front(&self, front: &Front, panels: Sides<'_, N>, mut memory: Sides<'_, N>) -> bool {
        let block = self.symbolic.block();
        let [columns, rows] = front.shape(block);
        let left = front.left(block);
        let (mut panels, _) = split(panels, columns * rows);
        // The rest stands before what the children left, or behind.
        let cut = if front.rest == 0 { left } else { front.rest };
        let (low, high) = split(from(&mut memory, 0), cut);
        let (mut rests, children, before) = if front.rest == 0 {
            (low, high, left)
        } else {
            (split(high, left).0, low, 0)
        };
        let children = children.map(|numbers| Left { numbers, before });
        for (side, panel) in panels.iter_mut().enumerate() {
            panel.fill(0.0);
            vectorised(
                #[inline(always)]
                || self.enter(front, side, panel, rows),
            );
            self.collect(front, &children[side], 0..columns, panel, rows);
        }
        if !factorise_front(from(&mut panels, 0), columns, rows) {
            return false;
        }
        leave(panels.each_ref().map(|p| &**p), columns, rows, &mut rests);
        for (rest, left) in rests.into_iter().zip(&children) {
            self.collect(front, left, columns..rows, rest, rows - columns);
        }
        if front.moved {
            for memory in &mut memory {
                memory.copy_within(front.rest..front.rest + left, 0);
            }
        }
        true
    }

    /// Adds what the children left to some columns of a front, `stride` apart; many columns on two threads.
    fn collect(
        &self,
        front: &Front,
        left: &Left<'_>,
        columns: Range<usize>,
        target: &mut [f64],
        stride: usize,
    ) {
        let block = self.symbolic.block();
        if columns.len() * stride > MANY && columns.len() > block {
            let half = (columns.len() / 2).next_multiple_of(block);
            let (a, b) = target.split_at_mut(half * stride);
            let middle = columns.start + half;
            both(
                || self.collect(front, left, columns.start..middle, a, stride),
                || self.collect(front, left, middle..columns.end, b, stride),
            );
            return;
        }
        let above = front.shape(block)[1] - stride;
        vectorised(
            #[inline(always)]
            || {
                for &child in &front.children {
                    let child = &self.symbolic.fronts[child];
                    let left = &left.numbers[child.result() - left.before..];
                    add_left(child, left, block, columns.clone(), above, stride, target);
                }
            },
        );
    }

    /// The blocks of one side of the matrix that belong to the pivots of a front.
    #[inline(always)]
    fn enter(&self, front: &Front, side: usize, panel: &mut [f64], rows: usize) {
        let freedoms = &self.symbolic.freedoms[..];
        let block = freedoms.len();
        for pivot in 0..front.pivots {
            let values = &self.given[side].diagonal[self.symbolic.body[front.first + pivot]];
            for (c, &k) in freedoms.iter().enumerate() {
                let at = (pivot * block + c) * rows + pivot * block;
                for (r, &l) in freedoms.iter().enumerate().skip(c) {
                    panel[at + r] = values[l][k];
                }
            }
        }
        for entry in &front.entries {
            // A block that stands above the diagonal is the transpose of one below it on the other side.
            let given = if entry.first_is_row {
                other::<N>(side)
            } else {
                side
            };
            let values = (self.given[given].edge)(entry.edge as usize);
            for (c, &k) in freedoms.iter().enumerate() {
                let at = (entry.column as usize * block + c) * rows + entry.row as usize * block;
                for (value, &l) in panel[at..at + block].iter_mut().zip(freedoms) {
                    *value = if entry.first_is_row {
                        values[k][l]
                    } else {
                        values[l][k]
                    };
                }
            }
        }
    }
}

/// What the children of a front left: their working memory from `before` on.
struct Left<'a> {
    numbers: &'a [f64],
    before: usize,
}

/// Adds what a child left to some columns of its parent's front, of which the first `above` rows are left out.
#[inline(always)]
fn add_left(
    child: &Front,
    left: &[f64],
    block: usize,
    columns: Range<usize>,
    above: usize,
    stride: usize,
    target: &mut [f64],
) {
    let height = child.rows.len() * block;
    for (k, run) in child.in_parent.iter().enumerate() {
        let [from, to, count] = [run.from, run.to, run.count].map(|x| x as usize * block);
        let (first, end) = (to.max(columns.start), (to + count).min(columns.end));
        for column in first..end {
            let own = from + column - to;
            let source = &left[own * height..(own + 1) * height];
            let target = &mut target[(column - columns.start) * stride..][..stride];
            // The run itself from its diagonal block on, whose upper triangle nobody reads; then the runs after it.
            let start = own - (own - from) % block;
            add(
                &mut target[to + start - from - above..],
                &source[start..from + count],
            );
            for later in &child.in_parent[k + 1..] {
                let [from, to, count] =
                    [later.from, later.to, later.count].map(|x| x as usize * block);
                add(&mut target[to - above..], &source[from..from + count]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::Random;
    use crate::interior_point::symbolic::Graph;

    /// Blocks of one side.
    struct Blocks {
        diagonal: Vec<Block>,
        pairs: Vec<Block>,
    }

    fn factorise<const N: usize>(symbolic: &Symbolic, sides: &[Blocks; N]) -> Option<Factor> {
        let mut factor = Factor::default();
        factor.fit::<N>(symbolic).unwrap();
        let given = sides.each_ref().map(|blocks| Given {
            diagonal: &blocks.diagonal,
            edge: |edge: usize| blocks.pairs[edge],
        });
        factor.factorise(symbolic, given).then_some(factor)
    }

    /// A random matrix on a graph, symmetric if it has one side, diagonally dominant: so its pivots are of order one.
    fn random_blocks<const N: usize>(edges: &[[u32; 2]], bodies: usize) -> [Blocks; N] {
        let mut random = Random::new(3);
        let mut block = || std::array::from_fn(|_| std::array::from_fn(|_| random.signed()));
        let mut sides = std::array::from_fn(|_| Blocks {
            pairs: edges.iter().map(|_| block()).collect(),
            diagonal: (0..bodies).map(|_| block()).collect(),
        });
        for body in 0..bodies {
            for (k, l) in (0..6).flat_map(|k| (0..k).map(move |l| (k, l))) {
                for side in 0..N {
                    sides[side].diagonal[body][l][k] = sides[N - 1 - side].diagonal[body][k][l];
                }
            }
            for side in &mut sides {
                (0..6).for_each(|k| side.diagonal[body][k][k] = 40.0);
            }
        }
        sides
    }

    fn times<const N: usize>(
        sides: &[Blocks; N],
        edges: &[[u32; 2]],
        x: &[[f64; 6]],
    ) -> Vec<[f64; 6]> {
        let row = |m: &[[f64; 6]; 6], k: usize, x: &[f64; 6]| -> f64 {
            (0..6).map(|l| m[k][l] * x[l]).sum()
        };
        let (own, transposed) = (&sides[0], &sides[N - 1]);
        let mut y: Vec<[f64; 6]> = own
            .diagonal
            .iter()
            .zip(x)
            .map(|(d, x)| std::array::from_fn(|k| row(d, k, x)))
            .collect();
        for (e, &[a, b]) in edges.iter().enumerate() {
            let (a, b) = (a as usize, b as usize);
            for k in 0..6 {
                y[b][k] += row(&own.pairs[e], k, &x[a]);
                let pair = &transposed.pairs[e];
                y[a][k] += (0..6).map(|l| pair[l][k] * x[b][l]).sum::<f64>();
            }
        }
        y
    }

    const SPACE: [usize; 6] = [0, 1, 2, 3, 4, 5];
    const PLANE: [usize; 3] = [0, 2, 4];

    /// `K (K^-1 b) = b` on one body, a line, small grids and one that forks and has large products, in
    /// space and in the plane; with one thread and with two the same bits.
    #[test]
    fn solves_what_it_factorised() {
        solves::<1>();
    }

    #[test]
    fn solves_without_symmetry() {
        solves::<2>();
    }

    fn solves<const SIDES: usize>() {
        let space = [(1, 1), (30, 1), (7, 5), (48, 48)].map(|n| (n, &SPACE[..]));
        let plane = [(1, 1), (7, 5), (96, 96)].map(|n| (n, &PLANE[..]));
        for ((columns, rows), freedoms) in space.into_iter().chain(plane) {
            let (graph, edges) = Graph::grid(columns, rows, freedoms);
            let symbolic = Symbolic::new(&graph).unwrap();
            let forks = symbolic.fronts.iter().filter(|f| f.fork > 0).count();
            assert_eq!(forks > 0, columns >= 48);
            let bodies = (columns * rows) as usize;
            let blocks = random_blocks::<SIDES>(&edges, bodies);
            let mut random = Random::new(4);
            let given = |k: usize| freedoms.contains(&k);
            let mut number = |k: usize| if given(k) { random.signed() } else { 0.0 };
            let right: Vec<[f64; 6]> = (0..bodies)
                .map(|_| std::array::from_fn(&mut number))
                .collect();
            let solve = |threads: usize| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
                pool.unwrap().install(|| {
                    let mut factor = factorise(&symbolic, &blocks).unwrap();
                    let ordered = symbolic.body.iter();
                    let mut x: Vec<f64> = ordered
                        .flat_map(|&b| freedoms.iter().map(move |&k| (b, k)))
                        .map(|(b, k)| right[b][k])
                        .collect();
                    factor.solve::<SIDES, 1>(&symbolic, &mut x);
                    x
                })
            };
            let x = solve(1);
            assert_eq!(x, solve(2));
            let mut factor = factorise(&symbolic, &blocks).unwrap();
            factor.fit_right::<4>(&symbolic).unwrap();
            let ordered = symbolic.body.iter();
            let mut together: Vec<f64> = ordered
                .flat_map(|&b| freedoms.iter().map(move |&k| (b, k)))
                .flat_map(|(b, k)| [1.0, -2.0, 0.0, 0.5].map(|times| times * right[b][k]))
                .collect();
            factor.solve::<SIDES, 4>(&symbolic, &mut together);
            for (four, &x) in together.as_chunks::<4>().0.iter().zip(&x) {
                for (y, times) in four.iter().zip([1.0, -2.0, 0.0, 0.5]) {
                    // Sums in another order; the matrix is well conditioned.
                    assert!((y - times * x).abs() < 1e-14, "{columns} x {rows}: {y} {x}");
                }
            }
            let by_body: Vec<[f64; 6]> = symbolic
                .position
                .iter()
                .map(|&p| {
                    let mut body = [0.0; 6];
                    let mine = &x[freedoms.len() * p..];
                    freedoms.iter().zip(mine).for_each(|(&k, v)| body[k] = *v);
                    body
                })
                .collect();
            let back = times(&blocks, &edges, &by_body);
            for (a, b) in back.iter().zip(&right) {
                for &k in freedoms {
                    let off = (a[k] - b[k]).abs();
                    // Rounding of sums of some thirty products with a diagonal of 40.
                    assert!(off < 1e-13 * 40.0, "{columns} x {rows}: {off}");
                }
            }
        }
    }

    /// Chains make deep trees, and threads have small stacks.
    #[test]
    fn long_chains_do_not_exhaust_the_stack() {
        let (graph, edges) = Graph::grid(50_000, 1, &SPACE);
        let blocks = random_blocks::<2>(&edges, 50_000);
        let small = rayon::ThreadPoolBuilder::new().stack_size(256 * 1024);
        small.num_threads(1).build().unwrap().install(|| {
            let symbolic = Symbolic::new(&graph).unwrap();
            let mut factor = factorise(&symbolic, &blocks).unwrap();
            let mut x = vec![1.0; 6 * 50_000];
            factor.solve::<2, 1>(&symbolic, &mut x);
            assert!(x.iter().all(|x| x.is_finite()));
        });
    }

    /// Pivots of either sign without symmetry, in narrow fronts and in wide ones.
    #[test]
    fn negative_pivots_without_symmetry() {
        for (columns, rows) in [(1, 1), (7, 5), (24, 24)] {
            let (graph, edges) = Graph::grid(columns, rows, &SPACE);
            let symbolic = Symbolic::new(&graph).unwrap();
            let bodies = (columns * rows) as usize;
            let mut blocks = random_blocks::<2>(&edges, bodies);
            for side in &mut blocks {
                for (b, block) in side.diagonal.iter_mut().enumerate() {
                    (0..6).for_each(|k| block[k][k] = if (b + k) % 3 == 0 { -40.0 } else { 40.0 });
                }
            }
            let wanted: Vec<[f64; 6]> = (0..bodies)
                .map(|b| std::array::from_fn(|k| (b as f64 + 1.7 * k as f64).sin()))
                .collect();
            let right = times(&blocks, &edges, &wanted);
            let mut factor = factorise(&symbolic, &blocks).unwrap();
            let ordered = symbolic.body.iter();
            let mut x: Vec<f64> = ordered.flat_map(|&b| right[b]).collect();
            factor.solve::<2, 1>(&symbolic, &mut x);
            for (place, found) in x.as_chunks::<6>().0.iter().enumerate() {
                let expected = wanted[symbolic.body[place]];
                // Rows are dominated by their diagonals, so that pivots do not grow small.
                (0..6).for_each(|k| assert!((found[k] - expected[k]).abs() < 1e-12));
            }
        }
    }

    #[test]
    fn a_pivot_that_is_not_positive_is_refused() {
        let (graph, edges) = Graph::grid(7, 5, &SPACE);
        let symbolic = Symbolic::new(&graph).unwrap();
        for bad in [-40.0, 0.0, f64::NAN, f64::INFINITY] {
            for body in [0, 17, 34] {
                let mut blocks = random_blocks::<1>(&edges, 35);
                blocks[0].diagonal[body][2][2] = bad;
                assert!(factorise(&symbolic, &blocks).is_none());
                if bad != -40.0 {
                    let mut blocks = random_blocks::<2>(&edges, 35);
                    let first = symbolic.body[0];
                    blocks[0].diagonal[first][0][0] = bad;
                    assert!(factorise(&symbolic, &blocks).is_none());
                }
            }
        }
    }
}
