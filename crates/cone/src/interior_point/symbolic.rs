//! Order of elimination and the tree of fronts of `K = H + A' G A`, found once per graph of touching bodies.
//!
//! Everything is in blocks of one body. Bodies with nearly the same neighbours below them are eliminated together in a
//! front: its pivots, then the rows that they touch. What a front leaves behind goes to its parent, and fronts of
//! different branches know nothing of each other.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::sparse::SymbolicSparseColMatRef;
use faer::sparse::linalg::amd;

use super::island::IslandData;

/// Merging a front into its parent stores zeros. Share of zeros allowed, by scalar columns of the merged front: small
/// fronts cost more in bookkeeping than in arithmetic. Along a chain fronts of two bodies are fastest: four at once multiply four times as
/// much, one by one takes as long as two.
const ZEROS: [(usize, f64); 3] = [(12, 0.5), (60, 0.2), (usize::MAX, 0.05)];
/// Multiplications of a branch that are worth another thread: some tenths of a millisecond.
const BRANCH_WORK: f64 = 2e6;

/// What the analysis depends on, and nothing else: reusing an analysis gives the bits of a fresh one. An analysis of a
/// larger graph would serve too and be redone less often, but then the order of elimination, and with it the rounding,
/// would depend on the past.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Graph {
    bodies: usize,
    freedoms: Vec<usize>,
    /// Pairs of free bodies that touch, ascending.
    edges: Vec<[u32; 2]>,
}

impl Graph {
    /// Takes on the graph of an island.
    pub(super) fn fill(&mut self, island: &IslandData) {
        self.bodies = island.bodies();
        self.freedoms.clear();
        self.freedoms.extend((0..6).filter(|&k| island.free[k]));
        self.edges.clear();
        self.edges.extend(island.edges().iter().map(|p| p.bodies));
    }

    /// Integers held, roughly.
    pub(super) fn size(&self) -> usize {
        self.edges.len() + self.freedoms.len()
    }

    /// A grid of bodies, and its edges.
    #[cfg(test)]
    pub(super) fn grid(columns: u32, rows: u32, freedoms: &[usize]) -> (Self, Vec<[u32; 2]>) {
        let mut edges = Vec::new();
        for k in 0..rows * columns {
            if (k + 1) % columns != 0 {
                edges.push([k, k + 1]);
            }
            if k + columns < rows * columns {
                edges.push([k, k + columns]);
            }
        }
        let graph = Self {
            bodies: (columns * rows) as usize,
            freedoms: freedoms.to_vec(),
            edges: edges.clone(),
        };
        (graph, edges)
    }
}

/// The block of a pair of bodies in its front.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry {
    pub(super) edge: u32,
    /// Blocks from the top left corner of the front.
    pub(super) column: u32,
    pub(super) row: u32,
    /// The first body comes later in the elimination, so that its rows belong here.
    pub(super) first_is_row: bool,
}

/// Rows of a front that are neighbours in its parent's too, in blocks.
#[derive(Debug, Clone, Copy)]
pub(super) struct Run {
    pub(super) from: u32,
    pub(super) to: u32,
    pub(super) count: u32,
}

/// Bodies that are eliminated together.
#[derive(Debug)]
pub(super) struct Front {
    /// First pivot in the order of elimination, and number of pivots.
    pub(super) first: usize,
    pub(super) pivots: usize,
    /// Blocks below the pivots, ascending.
    pub(super) rows: Vec<u32>,
    /// Where these rows are in the parent's front: runs of neighbours that stay neighbours, in blocks. Runs end where the
    /// parent's pivots do.
    pub(super) in_parent: Vec<Run>,
    /// Children, ascending; their branches end just before this front.
    pub(super) children: Vec<usize>,
    pub(super) entries: Vec<Entry>,
    /// First front of the branch that ends here.
    pub(super) branch: usize,
    /// First value of the front's panel, of pivot columns.
    pub(super) panel: usize,
    /// Multiplications of the branch.
    pub(super) work: f64,
    /// Children up to this one are worth a thread of their own, the others too; zero if not.
    pub(super) fork: usize,
    /// Working memory of the branch.
    pub(super) memory: usize,
    /// Where in its parent's working memory this branch works, and where in its own the front leaves its rest: before all
    /// that its children left, or behind.
    pub(super) at: usize,
    pub(super) rest: usize,
    /// Other branches need the memory in between: the rest is moved to its beginning.
    pub(super) moved: bool,
    /// Where in the working memory of its root this branch works.
    pub(super) start: usize,
    /// The branch has a fork. One without is walked front by front: chains of thousands of bodies would exhaust the stack
    /// of a recursion.
    pub(super) forked: bool,
    /// First value of the rows below in vectors of them.
    pub(super) below: usize,
}

/// Result of the analysis.
#[derive(Debug)]
pub(super) struct Symbolic {
    /// Free degrees of freedom of a body.
    pub(super) freedoms: Vec<usize>,
    /// Position of each body in the order of elimination, and the other way round.
    pub(super) position: Vec<usize>,
    pub(super) body: Vec<usize>,
    /// Children before parents.
    pub(super) fronts: Vec<Front>,
    /// Fronts without parents.
    pub(super) roots: Vec<usize>,
    /// Numbers in all panels.
    pub(super) values: usize,
    /// Working memory of the greediest root.
    pub(super) memory: usize,
    /// Numbers in a vector of the rows below all fronts.
    pub(super) below: usize,
}

impl Symbolic {
    /// `None` when there is no memory to find an order in.
    pub(super) fn new(graph: &Graph) -> Option<Self> {
        let order = order(graph.bodies, &graph.edges)?;
        let tree = Tree::new(graph, &order);
        Some(tree.fronts(graph))
    }

    /// Integers held, roughly.
    pub(super) fn size(&self) -> usize {
        let fronts = self.fronts.iter().map(|f| {
            let front = size_of::<Front>() / size_of::<usize>() + f.children.len();
            front + f.rows.len() + 2 * (f.in_parent.len() + f.entries.len())
        });
        self.freedoms.len() + 2 * self.position.len() + fronts.sum::<usize>()
    }

    /// Scalars per block.
    pub(super) fn block(&self) -> usize {
        self.freedoms.len()
    }
}

/// Fronts before they are numbered: a forest over groups of bodies.
struct Tree {
    /// Bodies of each group in the order of elimination; empty if it was merged into its parent.
    groups: Vec<Vec<u32>>,
    parent: Vec<usize>,
}

const NONE: usize = usize::MAX;

impl Tree {
    fn new(graph: &Graph, position: &[usize]) -> Self {
        let bodies = graph.bodies;
        let mut above: Vec<Vec<u32>> = vec![Vec::new(); bodies];
        for &[a, b] in &graph.edges {
            let (a, b) = (position[a as usize], position[b as usize]);
            above[a.max(b)].push(a.min(b) as u32);
        }
        // Parents by Liu's algorithm with shortened paths; counts of rows by walking each row's subtree.
        let (mut parent, mut shortcut) = (vec![NONE; bodies], vec![NONE; bodies]);
        let (mut mark, mut count) = (vec![NONE; bodies], vec![0_usize; bodies]);
        for row in 0..bodies {
            for &start in &above[row] {
                let mut k = start as usize;
                while shortcut[k] != NONE && shortcut[k] != row {
                    k = std::mem::replace(&mut shortcut[k], row);
                }
                if shortcut[k] == NONE {
                    shortcut[k] = row;
                    parent[k] = row;
                }
            }
            mark[row] = row;
            for &start in &above[row] {
                let mut k = start as usize;
                while mark[k] != row {
                    mark[k] = row;
                    count[k] += 1;
                    k = parent[k];
                }
            }
        }
        let mut body = vec![0_u32; bodies];
        position
            .iter()
            .enumerate()
            .for_each(|(b, &p)| body[p] = b as u32);
        let groups = body.into_iter().map(|b| vec![b]).collect();
        let mut tree = Self { groups, parent };
        tree.merge(&count, graph.freedoms.len());
        tree
    }

    /// Merges groups into their parents where few zeros come of it; `count` is the number of rows below each.
    fn merge(&mut self, count: &[usize], block: usize) {
        let mut zeros = vec![0_usize; count.len()];
        let mut children: Vec<Vec<usize>> = vec![Vec::new(); count.len()];
        for k in 0..count.len() {
            if self.parent[k] != NONE {
                children[self.parent[k]].push(k);
            }
        }
        for k in 0..count.len() {
            let mut mine = std::mem::take(&mut children[k]);
            // The child that reaches farthest adds fewest zeros.
            mine.sort_by_key(|&c| std::cmp::Reverse((count[c], c)));
            let mut kept = Vec::with_capacity(mine.len());
            for c in mine {
                let (wide, low) = (self.groups[c].len(), self.groups[k].len() + count[k]);
                let new = wide * low.saturating_sub(count[c]);
                let columns = wide + self.groups[k].len();
                let all = columns * (columns + 1) / 2 + columns * count[k];
                let total = zeros[c] + zeros[k] + new;
                let allowed = ZEROS
                    .iter()
                    .find(|z| columns * block <= z.0)
                    .map_or(0.0, |z| z.1);
                if total as f64 <= allowed * all as f64 {
                    zeros[k] = total;
                    let mut joined = std::mem::take(&mut self.groups[c]);
                    joined.append(&mut self.groups[k]);
                    self.groups[k] = joined;
                    for grandchild in std::mem::take(&mut children[c]) {
                        self.parent[grandchild] = k;
                        kept.push(grandchild);
                    }
                } else {
                    kept.push(c);
                }
            }
            children[k] = kept;
        }
    }

    /// Numbers fronts and bodies, children before parents, and finds rows and places.
    fn fronts(self, graph: &Graph) -> Symbolic {
        let block = graph.freedoms.len();
        let (fronts, roots) = self.postorder();
        let mut position = vec![0; graph.bodies];
        let mut body = Vec::with_capacity(graph.bodies);
        let mut front_of = Vec::with_capacity(graph.bodies);
        for (k, (group, _)) in fronts.iter().enumerate() {
            for &b in group {
                position[b as usize] = body.len();
                body.push(b as usize);
                front_of.push(k);
            }
        }
        let mut entries: Vec<Vec<Entry>> = vec![Vec::new(); fronts.len()];
        for (edge, &[a, b]) in graph.edges.iter().enumerate() {
            let (a, b) = (position[a as usize], position[b as usize]);
            entries[front_of[a.min(b)]].push(Entry {
                edge: edge as u32,
                column: a.min(b) as u32,
                row: a.max(b) as u32,
                first_is_row: a > b,
            });
        }
        let mut done: Vec<Front> = Vec::with_capacity(fronts.len());
        let mut mark = vec![NONE; graph.bodies];
        let (mut first, mut values, mut below) = (0, 0, 0);
        for (k, (group, children)) in fronts.into_iter().enumerate() {
            let end = first + group.len();
            let mut rows: Vec<u32> = Vec::new();
            let own = entries[k].iter().map(|e| e.row);
            let inherited = children.iter().flat_map(|&c| done[c].rows.iter().copied());
            for row in own.chain(inherited) {
                if row as usize >= end && mark[row as usize] != k {
                    mark[row as usize] = k;
                    rows.push(row);
                }
            }
            rows.sort_unstable();
            let local = |global: u32| -> u32 {
                if (global as usize) < end {
                    global - first as u32
                } else {
                    let below = rows.partition_point(|&r| r < global);
                    (end - first + below) as u32
                }
            };
            for &c in &children {
                let places = done[c].rows.iter().map(|&r| local(r));
                done[c].in_parent = runs(places, (end - first) as u32);
            }
            let mut entries = std::mem::take(&mut entries[k]);
            for e in &mut entries {
                (e.column, e.row) = (local(e.column), local(e.row));
            }
            let branch = children.first().map_or(k, |&c| done[c].branch);
            let mut front = Front {
                first,
                pivots: group.len(),
                panel: values,
                rows,
                in_parent: Vec::new(),
                children,
                entries,
                branch,
                work: 0.0,
                fork: 0,
                memory: 0,
                at: 0,
                rest: 0,
                moved: false,
                start: 0,
                forked: false,
                below,
            };
            front.plan(&mut done, block);
            let columns = front.pivots * block;
            values += columns * (columns + front.rows.len() * block);
            below += front.rows.len() * block;
            first = end;
            done.push(front);
        }
        for k in (0..done.len()).rev() {
            for child in done[k].children.clone() {
                done[child].start = done[k].start + done[child].at;
            }
        }
        Symbolic {
            freedoms: graph.freedoms.clone(),
            position,
            body,
            memory: roots.iter().map(|&r| done[r].memory).max().unwrap_or(0),
            below,
            fronts: done,
            roots,
            values,
        }
    }

    /// Groups with their children by new numbers, children before parents, and the roots.
    #[allow(clippy::type_complexity)]
    fn postorder(mut self) -> (Vec<(Vec<u32>, Vec<usize>)>, Vec<usize>) {
        let alive = |g: &Vec<u32>| !g.is_empty();
        let mut children: Vec<Vec<usize>> = vec![Vec::new(); self.groups.len()];
        let mut tops = Vec::new();
        for k in (0..self.groups.len()).filter(|&k| alive(&self.groups[k])) {
            match self.parent[k] {
                NONE => tops.push(k),
                p => children[p].push(k),
            }
        }
        let mut number = vec![NONE; self.groups.len()];
        let (mut out, mut roots) = (Vec::new(), Vec::new());
        for top in tops {
            let mut stack = vec![(top, 0)];
            while let Some((k, next)) = stack.pop() {
                if let Some(&child) = children[k].get(next) {
                    stack.push((k, next + 1));
                    stack.push((child, 0));
                } else {
                    number[k] = out.len();
                    let mine = children[k].iter().map(|&c| number[c]).collect();
                    out.push((std::mem::take(&mut self.groups[k]), mine));
                }
            }
            roots.push(number[top]);
        }
        (out, roots)
    }
}

impl Front {
    /// Scalar columns of the panel, and its rows.
    pub(super) fn shape(&self, block: usize) -> [usize; 2] {
        let columns = self.pivots * block;
        [columns, columns + self.rows.len() * block]
    }

    /// Numbers left to the parent.
    pub(super) fn left(&self, block: usize) -> usize {
        (self.rows.len() * block).pow(2)
    }

    /// Where in its parent's working memory the front's rest is found.
    pub(super) fn result(&self) -> usize {
        self.at + if self.moved { 0 } else { self.rest }
    }

    /// Work, forks and memory; places the children in it.
    fn plan(&mut self, done: &mut [Front], block: usize) {
        let [columns, rows] = self.shape(block).map(|x| x as f64);
        let below = rows - columns;
        let own = columns * columns * columns / 6.0 + columns * below * (columns + below) / 2.0;
        let all: f64 = self.children.iter().map(|&c| done[c].work).sum();
        self.work = own + all;
        let mut first_half = 0.0;
        for (k, &c) in self.children.iter().enumerate() {
            if first_half >= 0.3 * all {
                if first_half.min(all - first_half) > BRANCH_WORK {
                    self.fork = k;
                }
                break;
            }
            first_half += done[c].work;
        }
        // One thread works upwards from here, the other beyond all that the first may need. The last child of each leaves its
        // rest where it is.
        let (mut base, mut used, mut need) = (0, 0, 0);
        let mut lowest = usize::MAX;
        for (k, &c) in self.children.iter().enumerate() {
            if self.fork > 0 && k == self.fork {
                (base, used) = (need, 0);
            }
            let last = k + 1 == self.children.len() || k + 1 == self.fork;
            done[c].at = base + used;
            done[c].moved = !last && done[c].rest > 0;
            need = need.max(base + used + done[c].memory);
            lowest = lowest.min(done[c].result());
            used = done[c].result() + done[c].left(block) - base;
        }
        let left = self.left(block);
        self.rest = if lowest >= left { 0 } else { base + used };
        self.memory = need.max(self.rest + left);
        self.forked = self.fork > 0 || self.children.iter().any(|&c| done[c].forked);
    }
}

fn runs(places: impl Iterator<Item = u32>, pivots: u32) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for (from, to) in places.enumerate() {
        match runs.last_mut() {
            Some(run) if run.to + run.count == to && to != pivots => run.count += 1,
            _ => runs.push(Run {
                from: from as u32,
                to,
                count: 1,
            }),
        }
    }
    runs
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus;

    /// Every body is a pivot once, every pair has one place, below the diagonal of its front; what a front leaves fits
    /// into its parent, and branches that run side by side share no memory.
    #[test]
    fn fronts_cover_the_matrix() {
        let mut wall = Graph::default();
        wall.fill(&IslandData::new(&corpus::wall(12, 9)));
        for graph in [wall, Graph::grid(40, 40, &[0, 1, 2, 3, 4, 5]).0] {
            let s = Symbolic::new(&graph).unwrap();
            let pivots: usize = s.fronts.iter().map(|f| f.pivots).sum();
            assert_eq!(pivots, graph.bodies);
            assert!((0..graph.bodies).all(|b| s.body[s.position[b]] == b));
            let entries: usize = s.fronts.iter().map(|f| f.entries.len()).sum();
            assert_eq!(entries, graph.edges.len());
            for front in &s.fronts {
                let size = (front.pivots + front.rows.len()) as u32;
                for e in &front.entries {
                    assert!((e.column as usize) < front.pivots && e.column < e.row && e.row < size);
                }
                assert!(front.rows.is_sorted());
                let mut end = 0;
                for (k, &child) in front.children.iter().enumerate() {
                    let child = &s.fronts[child];
                    let rows: u32 = child.in_parent.iter().map(|r| r.count).sum();
                    assert_eq!(rows as usize, child.rows.len());
                    assert!(child.in_parent.iter().all(|r| r.to + r.count <= size));
                    if front.fork > 0 && k == front.fork {
                        let before = front.children[..k].iter().map(|&c| &s.fronts[c]);
                        end = before.map(|c| c.at + c.memory).max().unwrap();
                    }
                    assert!(child.at >= end);
                    end = child.result() + child.left(6);
                    assert!(end <= child.at + child.memory);
                    let apart = front.rest >= end || front.rest + front.left(6) <= child.result();
                    assert!(apart);
                }
                assert!(front.memory >= front.rest + front.left(6));
            }
        }
        let forks = Symbolic::new(&Graph::grid(40, 40, &[0, 1, 2, 3, 4, 5]).0)
            .unwrap()
            .fronts;
        assert!(forks.iter().any(|f| f.fork > 0));
    }
}
