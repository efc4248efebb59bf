//! Analyses kept from one problem to the next.

use std::collections::BTreeMap;

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
pub(super) struct Analyses {
    by_graph: BTreeMap<Graph, Kept>,
    /// The graph that is looked for.
    wanted: Graph,
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
            wanted: Graph::default(),
            size: 0,
            limit,
            clock: 0,
        }
    }

    /// The analysis of an island and whether it had to be made. `None` when memory runs out. Finding one allocates
    /// nothing.
    pub(super) fn of(&mut self, island: &IslandData) -> Option<(&Symbolic, bool)> {
        self.clock += 1;
        self.wanted.fill(island);
        let missing = !self.by_graph.contains_key(&self.wanted);
        if missing {
            let symbolic = Symbolic::new(&self.wanted)?;
            let size = symbolic.size() + self.wanted.size();
            self.make_room(size);
            self.size += size;
            let kept = Kept {
                size,
                symbolic,
                used: self.clock,
            };
            self.by_graph.insert(self.wanted.clone(), kept);
        }
        let kept = self.by_graph.get_mut(&self.wanted)?;
        kept.used = self.clock;
        Some((&kept.symbolic, missing))
    }

    /// If another analysis would be too much, drops what was not used for longest until what is kept fits twice: so that this
    /// is rare.
    fn make_room(&mut self, size: usize) {
        if self.size + size <= self.limit {
            return;
        }
        let mut oldest: Vec<(u64, usize)> =
            self.by_graph.values().map(|k| (k.used, k.size)).collect();
        oldest.sort_unstable();
        let (mut left, mut before) = (self.size, 0);
        for (used, own) in oldest {
            if 2 * (left + size) <= self.limit {
                break;
            }
            left -= own;
            before = used + 1;
        }
        self.by_graph.retain(|_, kept| kept.used >= before);
        self.size = left;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus;
    use crate::interior_point::symbolic::Front;

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
        // The fourth is too much by one integer, and takes the place of two: of 5 and 6, because 4 was used since.
        let limit = [3, 4, 5, 6].map(size).iter().sum::<usize>() - 1;
        let mut analyses = Analyses::with_limit(limit);
        assert!([4, 5, 6].into_iter().all(|n| fresh(&mut analyses, n)));
        assert!(!fresh(&mut analyses, 4));
        assert!(fresh(&mut analyses, 3));
        let left = [3, 4, 6].map(|n| fresh(&mut analyses, n));
        assert_eq!(left, [false, false, true]);
    }

    #[test]
    fn the_sum_is_bounded_and_the_newest_is_kept() {
        let limit = size(20);
        let mut analyses = Analyses::with_limit(limit);
        for blocks in 1..=20 {
            assert!(fresh(&mut analyses, blocks));
            assert!(analyses.size <= limit, "{blocks}: {}", analyses.size);
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
        // What its vectors hold, counted from their types. Rows are counted as integers of full size though they are of half.
        let front = |f: &Front| {
            size_of_val(f)
                + size_of_val(&*f.rows)
                + size_of_val(&*f.in_parent)
                + size_of_val(&*f.children)
                + size_of_val(&*f.entries)
        };
        let orders = size_of_val(&*symbolic.position) + size_of_val(&*symbolic.body);
        let bytes = orders + symbolic.fronts.iter().map(front).sum::<usize>();
        let counted = symbolic.size() * size_of::<usize>();
        assert!(
            counted >= bytes * 9 / 10 && counted <= bytes * 3 / 2,
            "{counted} {bytes}"
        );
    }
}
