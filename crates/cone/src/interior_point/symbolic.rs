//! Order of elimination and sparsity of `K = H + A' G A`, found once per graph of touching bodies.

use faer::dyn_stack::{MemBuffer, MemStack, StackReq};
use faer::sparse::linalg::amd;
use faer::sparse::linalg::cholesky::simplicial;
use faer::sparse::linalg::cholesky::supernodal::{self, SymbolicSupernodalCholesky};
use faer::sparse::{SymbolicSparseColMat, SymbolicSparseColMatRef};

use super::island::IslandData;
use crate::FIXED;

/// What the analysis depends on, and nothing else: reusing an analysis gives the bits of a fresh one. An analysis of a
/// larger graph would serve too and be redone less often, but then the order of elimination, and with it the rounding,
/// would depend on the past.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Graph {
    bodies: usize,
    freedoms: Vec<usize>,
    /// Pairs of free bodies that touch, ascending.
    edges: Vec<[u32; 2]>,
}

impl Graph {
    pub(super) fn of(island: &IslandData) -> Self {
        Self {
            bodies: island.bodies(),
            freedoms: (0..6).filter(|&k| island.free[k]).collect(),
            edges: island
                .pairs
                .iter()
                .map(|p| p.bodies)
                .filter(|b| b[0] != FIXED)
                .collect(),
        }
    }

    /// Integers held, roughly.
    pub(super) fn size(&self) -> usize {
        self.edges.len() + self.freedoms.len()
    }
}

/// Where the block of a pair goes in the lower triangle.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    /// First scalar column.
    pub(super) column: usize,
    /// Rank of the block below the diagonal block.
    pub(super) rank: usize,
    /// The first body comes later in the elimination, so that its rows belong here.
    pub(super) first_is_row: bool,
}

/// Result of the analysis.
#[derive(Debug)]
pub(super) struct Symbolic {
    /// Free degrees of freedom of a body.
    pub(super) freedoms: Vec<usize>,
    /// Position of each body in the order of elimination.
    pub(super) position: Vec<usize>,
    /// First entry of each column of the lower triangle.
    pub(super) start: Vec<usize>,
    pub(super) lower: SymbolicSparseColMat<usize>,
    /// One per edge.
    pub(super) places: Vec<Place>,
    pub(super) factor: SymbolicSupernodalCholesky<usize>,
}

impl Symbolic {
    /// Integers held, roughly: faer keeps the rows of its supernodes by columns and by rows.
    pub(super) fn size(&self) -> usize {
        let columns = 3 * self.start.len() + self.position.len() + self.freedoms.len();
        let places = self.places.len() * size_of::<Place>() / size_of::<usize>();
        let supernodes = 6 * self.factor.n_supernodes() + 2 * self.factor.row_idx().len();
        size_of::<Self>() / size_of::<usize>()
            + columns
            + places
            + self.lower.row_idx().len()
            + supernodes
    }

    /// `None` when memory runs out.
    pub(super) fn new(graph: &Graph) -> Option<Self> {
        let (bodies, size) = (graph.bodies, graph.freedoms.len());
        let position = order(bodies, &graph.edges)?;

        let mut below: Vec<Vec<(usize, usize)>> = vec![Vec::new(); bodies];
        for (edge, &[a, b]) in graph.edges.iter().enumerate() {
            let (a, b) = (position[a as usize], position[b as usize]);
            below[a.min(b)].push((a.max(b), edge));
        }
        let mut places = vec![
            Place {
                column: 0,
                rank: 0,
                first_is_row: false
            };
            graph.edges.len()
        ];
        let (mut start, mut rows) = (vec![0], Vec::new());
        for (block, list) in below.iter_mut().enumerate() {
            list.sort_unstable();
            for (rank, &(row, edge)) in list.iter().enumerate() {
                let first_is_row = position[graph.edges[edge][0] as usize] == row;
                places[edge] = Place {
                    column: block * size,
                    rank,
                    first_is_row,
                };
            }
            for column in 0..size {
                rows.extend((column..size).map(|k| block * size + k));
                list.iter()
                    .for_each(|&(row, _)| rows.extend((0..size).map(|k| row * size + k)));
                start.push(rows.len());
            }
        }
        let factor = analyse(bodies * size, &start, &rows)?;
        let size = bodies * size;
        let lower = SymbolicSparseColMat::new_checked(size, size, start.clone(), None, rows);
        Some(Self {
            freedoms: graph.freedoms.clone(),
            position,
            start,
            lower,
            places,
            factor,
        })
    }
}

/// Approximate minimum degree on the graph of bodies: a sixth of the nodes of the scalar matrix, the same fill.
fn order(bodies: usize, edges: &[[u32; 2]]) -> Option<Vec<usize>> {
    let mut start = vec![0; bodies + 1];
    edges.iter().for_each(|e| start[e[1] as usize + 1] += 1);
    (0..bodies).for_each(|k| start[k + 1] += start[k]);
    let mut next = start.clone();
    let mut rows = vec![0; edges.len()];
    for &[a, b] in edges {
        rows[next[b as usize]] = a as usize;
        next[b as usize] += 1;
    }
    let pattern = SymbolicSparseColMatRef::new_checked(bodies, bodies, &start, None, &rows);
    let (mut forward, mut position) = (vec![0; bodies], vec![0; bodies]);
    let mut memory = MemBuffer::try_new(amd::order_scratch::<usize>(bodies, edges.len())).ok()?;
    let stack = MemStack::new(&mut memory);
    amd::order(
        &mut forward,
        &mut position,
        pattern,
        amd::Control::default(),
        stack,
    )
    .ok()?;
    Some(position)
}

fn analyse(
    size: usize,
    start: &[usize],
    rows: &[usize],
) -> Option<SymbolicSupernodalCholesky<usize>> {
    // faer analyses the upper triangle: the transpose of ours.
    let mut upper_start = vec![0; size + 1];
    rows.iter().for_each(|&r| upper_start[r + 1] += 1);
    (0..size).for_each(|k| upper_start[k + 1] += upper_start[k]);
    let mut next = upper_start.clone();
    let mut upper_rows = vec![0; rows.len()];
    for column in 0..size {
        for &row in &rows[start[column]..start[column + 1]] {
            upper_rows[next[row]] = column;
            next[row] += 1;
        }
    }
    let upper = SymbolicSparseColMatRef::new_checked(size, size, &upper_start, None, &upper_rows);
    let need = StackReq::any_of(&[
        simplicial::prefactorize_symbolic_cholesky_scratch::<usize>(size, rows.len()),
        supernodal::factorize_supernodal_symbolic_cholesky_scratch::<usize>(size),
    ]);
    let mut memory = MemBuffer::try_new(need).ok()?;
    let stack = MemStack::new(&mut memory);
    let (mut tree, mut counts) = (vec![0_isize; size], vec![0_usize; size]);
    let tree = simplicial::prefactorize_symbolic_cholesky(&mut tree, &mut counts, upper, stack);
    // Bodies give six equal columns at least; wider merging costs more arithmetic than it saves calls.
    let relax: &[(usize, f64)] = &[(12, 0.8), (48, 0.2), (usize::MAX, 0.05)];
    let params = faer::sparse::linalg::SymbolicSupernodalParams { relax: Some(relax) };
    supernodal::factorize_supernodal_symbolic_cholesky(upper, tree, &counts, stack, params).ok()
}
