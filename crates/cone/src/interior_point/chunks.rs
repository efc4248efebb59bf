//! Passes over contacts in chunks, which threads share.
//!
//! Where chunks begin depends on the contacts alone. Each chunk fills its own part of every result, and sums over chunks are
//! taken in their order: the bits do not depend on the number of threads.

use super::lanes::vectorised;

/// Groups of contacts per chunk, at least: some tens of microseconds of work, against a microsecond for handing it over.
const GROUPS: usize = 256;
/// Bodies whose sums are taken together.
const BODIES: usize = 512;

/// Neighbouring pairs of bodies with the groups of their contacts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Chunk {
    pub(super) pairs: [usize; 2],
    pub(super) groups: [usize; 2],
}

impl Chunk {
    /// Divides pairs, given by the number of groups of each, into chunks.
    pub(super) fn divide(groups_of_pairs: impl Iterator<Item = usize>, chunks: &mut Vec<Self>) {
        chunks.clear();
        let mut open = Self {
            pairs: [0; 2],
            groups: [0; 2],
        };
        for groups in groups_of_pairs {
            open.pairs[1] += 1;
            open.groups[1] += groups;
            if open.groups[1] - open.groups[0] >= GROUPS {
                chunks.push(open);
                open.pairs[0] = open.pairs[1];
                open.groups[0] = open.groups[1];
            }
        }
        if open.pairs[1] > open.pairs[0] {
            chunks.push(open);
        }
    }
}

/// What a pass fills; can be divided where a chunk begins.
pub(super) trait Part: Send + Sized {
    /// The part of the first chunks, up to `cut`, and the rest. Both count from the beginning of `first`.
    fn cut(self, first: &Chunk, cut: &Chunk, chunks: usize) -> (Self, Self);
}

/// One value per group of contacts.
pub(super) struct Groups<'a, T>(pub(super) &'a mut [T]);
/// One value per pair of bodies.
pub(super) struct Pairs<'a, T>(pub(super) &'a mut [T]);
/// One value per chunk.
pub(super) struct PerChunk<'a, T>(pub(super) &'a mut [T]);

impl<T: Send> Part for Groups<'_, T> {
    fn cut(self, first: &Chunk, cut: &Chunk, _: usize) -> (Self, Self) {
        let (a, b) = self.0.split_at_mut(cut.groups[0] - first.groups[0]);
        (Self(a), Self(b))
    }
}

impl<T: Send> Part for Pairs<'_, T> {
    fn cut(self, first: &Chunk, cut: &Chunk, _: usize) -> (Self, Self) {
        let (a, b) = self.0.split_at_mut(cut.pairs[0] - first.pairs[0]);
        (Self(a), Self(b))
    }
}

impl<T: Send> Part for PerChunk<'_, T> {
    fn cut(self, _: &Chunk, _: &Chunk, chunks: usize) -> (Self, Self) {
        let (a, b) = self.0.split_at_mut(chunks);
        (Self(a), Self(b))
    }
}

impl<A: Part, const N: usize> Part for [A; N] {
    fn cut(self, first: &Chunk, cut: &Chunk, chunks: usize) -> (Self, Self) {
        let mut rest = [const { None }; N];
        let mut rests = rest.iter_mut();
        let own = self.map(|part| {
            let (a, b) = part.cut(first, cut, chunks);
            if let Some(rest) = rests.next() {
                *rest = Some(b);
            }
            a
        });
        (
            own,
            rest.map(|b| b.unwrap_or_else(|| unreachable!("as many as parts"))),
        )
    }
}

impl<A: Part, B: Part> Part for (A, B) {
    fn cut(self, first: &Chunk, cut: &Chunk, chunks: usize) -> (Self, Self) {
        let (a, c) = self.0.cut(first, cut, chunks);
        let (b, d) = self.1.cut(first, cut, chunks);
        ((a, b), (c, d))
    }
}

impl<A: Part, B: Part, C: Part> Part for (A, B, C) {
    fn cut(self, first: &Chunk, cut: &Chunk, chunks: usize) -> (Self, Self) {
        let (a, d) = self.0.cut(first, cut, chunks);
        let (b, e) = self.1.cut(first, cut, chunks);
        let (c, f) = self.2.cut(first, cut, chunks);
        ((a, b, c), (d, e, f))
    }
}

/// Runs `pass` on every chunk with its part of `data`, with the widest instructions of the machine: `pass` must be
/// `inline(always)`, see [`vectorised`].
#[inline(always)]
pub(super) fn each<P: Part>(chunks: &[Chunk], data: P, pass: impl Fn(&Chunk, P) + Sync) {
    share(chunks, data, &|chunk: &Chunk, part: P| {
        vectorised(
            #[inline(always)]
            || pass(chunk, part),
        );
    });
}

fn share<P: Part>(chunks: &[Chunk], data: P, pass: &(impl Fn(&Chunk, P) + Sync)) {
    match chunks {
        [] => {}
        [one] => pass(one, data),
        [first, ..] => {
            let half = chunks.len() / 2;
            let (a, b) = chunks.split_at(half);
            let (data_a, data_b) = data.cut(first, &b[0], half);
            both(|| share(a, data_a, pass), || share(b, data_b, pass));
        }
    }
}

/// Runs `pass` on every body with its index.
pub(super) fn each_body<T: Send>(values: &mut [T], pass: &(impl Fn(usize, &mut T) + Sync)) {
    fn share<T: Send>(values: &mut [T], first: usize, pass: &(impl Fn(usize, &mut T) + Sync)) {
        if values.len() <= BODIES {
            let numbered = values.iter_mut().enumerate();
            numbered.for_each(|(k, value)| pass(first + k, value));
            return;
        }
        let half = (values.len() / 2).next_multiple_of(BODIES);
        let (a, b) = values.split_at_mut(half);
        both(|| share(a, first, pass), || share(b, first + half, pass));
    }
    share(values, 0, pass);
}

/// Runs the work of a problem where its passes can share it: in the pool, entered once instead of at every pass, or right here if
/// there is nothing to share.
pub(super) fn in_pool<R: Send>(chunks: &[Chunk], work: impl FnOnce() -> R + Send) -> R {
    if chunks.len() > 1 {
        rayon::scope(|_| work())
    } else {
        work()
    }
}

/// Both, on two threads if this is one of a pool's. From outside a pool every pass would pay for waking it up.
pub(super) fn both<A: Send, B: Send>(
    a: impl FnOnce() -> A + Send,
    b: impl FnOnce() -> B + Send,
) -> (A, B) {
    if rayon::current_thread_index().is_none() {
        return (a(), b());
    }
    let (mut a, mut b) = (Some(a), Some(b));
    let (mut first, mut second) = (None, None);
    join(&mut || first = a.take().map(|a| a()), &mut || {
        second = b.take().map(|b| b())
    });
    match (first, second) {
        (Some(first), Some(second)) => (first, second),
        _ => unreachable!("both were run"),
    }
}

/// One copy for all passes: a copy of what rayon does for each of them took a sixth of the time to compile this crate.
fn join(a: &mut (dyn FnMut() + Send), b: &mut (dyn FnMut() + Send)) {
    rayon::join(a, b);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every pair and group belongs to one chunk, in order, and every part arrives at its own chunk.
    #[test]
    fn chunks_share_all_pairs_and_groups() {
        for pairs in [0, 1, 40, 1000] {
            let sizes: Vec<usize> = (0..pairs).map(|k| 1 + k % 7).collect();
            let mut chunks = Vec::new();
            Chunk::divide(sizes.iter().copied(), &mut chunks);
            let groups: usize = sizes.iter().sum();
            let mut seen = (vec![0; groups], vec![0; pairs], vec![0; chunks.len()]);
            let mut run = || {
                let data = (
                    Groups(&mut seen.0),
                    Pairs(&mut seen.1),
                    PerChunk(&mut seen.2),
                );
                each(&chunks, data, |chunk, (groups, pairs, one)| {
                    assert_eq!(groups.0.len(), chunk.groups[1] - chunk.groups[0]);
                    assert_eq!(pairs.0.len(), chunk.pairs[1] - chunk.pairs[0]);
                    groups
                        .0
                        .iter_mut()
                        .enumerate()
                        .for_each(|(k, g)| *g += chunk.groups[0] + k);
                    pairs
                        .0
                        .iter_mut()
                        .enumerate()
                        .for_each(|(k, p)| *p += chunk.pairs[0] + k);
                    one.0[0] += chunk.pairs[0];
                });
            };
            run();
            let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build();
            pool.unwrap().install(run);
            assert!(seen.0.iter().enumerate().all(|(k, g)| *g == 2 * k));
            assert!(seen.1.iter().enumerate().all(|(k, p)| *p == 2 * k));
            assert!(
                seen.2
                    .iter()
                    .zip(&chunks)
                    .all(|(x, c)| *x == 2 * c.pairs[0])
            );
            assert_eq!(chunks.len() > 1, groups >= 2 * GROUPS);
        }
    }

    #[test]
    fn every_body_is_visited_once_with_its_index() {
        for bodies in [0, 1, 512, 513, 5000] {
            let mut seen = vec![0; bodies];
            each_body(&mut seen, &|k, value| *value += k);
            assert!(seen.iter().enumerate().all(|(k, x)| *x == k));
        }
    }
}
