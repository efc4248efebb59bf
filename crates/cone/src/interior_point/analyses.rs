//! Analyses kept from one problem to the next.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::island::IslandData;
use super::symbolic::{Graph, Symbolic};

/// Integers kept at most, 64 MB of them: eighty analyses of a wall of 5000 blocks, at 0.8 MB each. A wall in motion has a new
/// graph at nearly every step, so that without a limit old analyses would pile up.
const LIMIT: usize = 64 * 1024 * 1024 / size_of::<usize>();

#[derive(Debug)]
struct Kept {
    symbolic: Symbolic,
    /// Integers held.
    size: usize,
    /// When it was used last.
    used: u64,
}

/// Analyses by graph. A workspace: dropping all or part of it changes no bit of any answer.
#[derive(Debug)]
pub(crate) struct Analyses {
    by_graph: BTreeMap<Arc<Graph>, Kept>,
    /// The same, longest unused first.
    by_use: BTreeMap<u64, Arc<Graph>>,
    size: usize,
    limit: usize,
    clock: u64,
}

impl Default for Analyses {
    fn default() -> Self {
        Self::with_limit(LIMIT)
    }
}

impl Analyses {
    fn with_limit(limit: usize) -> Self {
        Self {
            by_graph: BTreeMap::new(),
            by_use: BTreeMap::new(),
            size: 0,
            limit,
            clock: 0,
        }
    }

    /// The analysis of an island and whether it had to be made. `None` when memory runs out.
    pub(super) fn of(&mut self, island: &IslandData) -> Option<(&Symbolic, bool)> {
        self.clock += 1;
        let graph = Arc::new(Graph::of(island));
        let missing = !self.by_graph.contains_key(&graph);
        if missing {
            let symbolic = Symbolic::new(&graph)?;
            let kept = Kept {
                size: symbolic.size() + graph.size(),
                symbolic,
                used: self.clock,
            };
            self.size += kept.size;
            self.by_graph.insert(Arc::clone(&graph), kept);
            self.by_use.insert(self.clock, Arc::clone(&graph));
            self.forget();
        }
        let kept = self.by_graph.get_mut(&graph)?;
        if kept.used != self.clock {
            self.by_use.remove(&kept.used);
            self.by_use.insert(self.clock, graph);
            kept.used = self.clock;
        }
        Some((&kept.symbolic, missing))
    }

    /// Drops what was not used for longest until the rest fits. The newest stays, however large.
    fn forget(&mut self) {
        while self.size > self.limit && self.by_use.len() > 1 {
            let oldest = self.by_use.pop_first();
            if let Some(kept) = oldest.and_then(|(_, graph)| self.by_graph.remove(&graph)) {
                self.size -= kept.size;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus;

    fn island(blocks: usize) -> IslandData {
        IslandData::new(&corpus::stack(blocks))
    }

    fn fresh(analyses: &mut Analyses, blocks: usize) -> bool {
        analyses.of(&island(blocks)).unwrap().1
    }

    fn size(blocks: usize) -> usize {
        let mut alone = Analyses::with_limit(0);
        assert!(fresh(&mut alone, blocks));
        alone.size
    }

    #[test]
    fn what_was_unused_for_longest_goes_first() {
        let mut analyses = Analyses::with_limit(size(4) + size(5) + size(6));
        assert!([4, 5, 6].into_iter().all(|n| fresh(&mut analyses, n)));
        assert!(!fresh(&mut analyses, 4));
        // The fourth needs the place of one: of 5, because 4 was used since.
        assert!(fresh(&mut analyses, 3));
        assert!([3, 4, 6].into_iter().all(|n| !fresh(&mut analyses, n)));
        assert!(fresh(&mut analyses, 5));
    }

    #[test]
    fn the_sum_is_bounded_and_the_newest_is_kept() {
        let limit = size(20);
        let mut analyses = Analyses::with_limit(limit);
        for blocks in 1..=20 {
            assert!(fresh(&mut analyses, blocks));
            assert!(analyses.size <= limit, "{blocks}: {}", analyses.size);
            assert_eq!(analyses.by_graph.len(), analyses.by_use.len());
            let sum: usize = analyses.by_graph.values().map(|k| k.size).sum();
            assert_eq!(analyses.size, sum);
        }
        // Larger than the limit: kept alone, so that a structure that does not change its graph is analysed once.
        assert!(fresh(&mut analyses, 40));
        assert!(!fresh(&mut analyses, 40));
        assert_eq!(analyses.by_graph.len(), 1);
    }

    /// The size counts what grows: at least the rows of all fronts, at most a few times these and the pairs.
    #[test]
    fn size_follows_the_patterns() {
        let data = IslandData::new(&corpus::wall(10, 10));
        let mut analyses = Analyses::default();
        let symbolic = analyses.of(&data).unwrap().0;
        let rows: usize = symbolic.fronts.iter().map(|f| f.rows.len()).sum();
        let pairs: usize = symbolic.fronts.iter().map(|f| f.entries.len()).sum();
        let size = symbolic.size();
        assert!(
            size > rows + pairs && size < 10 * (rows + pairs),
            "{size} {rows} {pairs}"
        );
    }
}
