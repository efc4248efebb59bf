//! Independent parts of a problem: bodies connected by contacts through free bodies, supports excluded.

use crate::{FIXED, StepProblem, Warm};

/// One independent part, as ascending indices into the whole problem.
#[derive(Debug, Clone, PartialEq)]
pub struct Island {
    /// Its bodies.
    pub bodies: Vec<u32>,
    /// Its contacts.
    pub contacts: Vec<u32>,
}

/// Splits a problem into its islands, ordered by their first body. A body without contacts is an island of its own.
///
/// Expects body indices in range; see [`StepProblem::validate`].
pub fn islands(problem: &StepProblem) -> Vec<Island> {
    let mut partition = Partition::default();
    partition.fill(problem);
    let own = |part: Members<'_>| Island {
        bodies: part.bodies.to_vec(),
        contacts: part.contacts.to_vec(),
    };
    partition.iter().map(own).collect()
}

impl Island {
    /// The island as a problem of its own, bodies and contacts renumbered in ascending order.
    pub fn extract(&self, problem: &StepProblem) -> StepProblem {
        let mut out = StepProblem::default();
        // A support is the harmless reading of a body that is not of the island.
        let local = |body: u32| {
            let place = self.bodies.binary_search(&body);
            place.map_or(FIXED, |k| k as u32)
        };
        extract(&self.bodies, &self.contacts, local, problem, &mut out);
        out
    }
}

/// All islands of a problem. Kept from problem to problem, so that filling it again allocates nothing.
#[derive(Debug, Default)]
pub(crate) struct Partition {
    parent: Vec<u32>,
    /// Island of each root.
    number: Vec<u32>,
    bodies: Vec<u32>,
    contacts: Vec<u32>,
    /// First body and first contact of each island, and one more.
    first: [Vec<u32>; 2],
    /// Place of each body in its island.
    place: Vec<u32>,
}

/// The members of one island.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Members<'a> {
    pub(crate) bodies: &'a [u32],
    pub(crate) contacts: &'a [u32],
    place: &'a [u32],
}

impl Partition {
    /// Takes on the islands of a problem.
    pub(crate) fn fill(&mut self, problem: &StepProblem) {
        let count = problem.bodies();
        let Self {
            parent,
            number,
            bodies,
            contacts,
            first,
            place,
        } = self;
        parent.clear();
        parent.extend(0..count as u32);
        for contact in &problem.contacts {
            let [a, b] = contact.bodies;
            if a != FIXED && b != FIXED {
                let (a, b) = (root(parent, a), root(parent, b));
                // The smaller index stays the root, so the order of contacts does not matter.
                parent[a.max(b) as usize] = a.min(b);
            }
        }
        number.clear();
        number.resize(count, u32::MAX);
        let mut islands = 0;
        for body in 0..count as u32 {
            // Roots come before all that they hold.
            if root(parent, body) == body {
                number[body as usize] = islands;
                islands += 1;
            }
        }
        let mut island_of = |body: u32| number[root(parent, body) as usize] as usize;
        let any = |index: u32| {
            let [a, b] = problem.contacts[index as usize].bodies;
            if a == FIXED { b } else { a }
        };
        let (all, points) = (0..count as u32, 0..problem.contacts.len() as u32);
        sort(all, &mut island_of, islands as usize, &mut first[0], bodies);
        let of_contact = |index: u32| island_of(any(index));
        sort(
            points,
            of_contact,
            islands as usize,
            &mut first[1],
            contacts,
        );
        place.clear();
        place.resize(count, 0);
        for part in first[0].windows(2) {
            for (k, &body) in bodies[part[0] as usize..part[1] as usize]
                .iter()
                .enumerate()
            {
                place[body as usize] = k as u32;
            }
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.first[0].len().saturating_sub(1)
    }

    pub(crate) fn island(&self, k: usize) -> Members<'_> {
        let range = |first: &[u32]| first[k] as usize..first[k + 1] as usize;
        Members {
            bodies: &self.bodies[range(&self.first[0])],
            contacts: &self.contacts[range(&self.first[1])],
            place: &self.place,
        }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = Members<'_>> {
        (0..self.len()).map(|k| self.island(k))
    }
}

/// Sorts items by their key, those of one key in their own order: `first` becomes the first of each key, and one more.
fn sort(
    items: std::ops::Range<u32>,
    mut key: impl FnMut(u32) -> usize,
    keys: usize,
    first: &mut Vec<u32>,
    sorted: &mut Vec<u32>,
) {
    first.clear();
    first.resize(keys + 2, 0);
    items.clone().for_each(|item| first[key(item) + 2] += 1);
    (2..first.len()).for_each(|k| first[k] += first[k - 1]);
    sorted.clear();
    sorted.resize(items.len(), 0);
    for item in items {
        let next = &mut first[key(item) + 1];
        sorted[*next as usize] = item;
        *next += 1;
    }
    first.pop();
}

fn root(parent: &mut [u32], mut i: u32) -> u32 {
    while parent[i as usize] != i {
        let above = parent[parent[i as usize] as usize];
        parent[i as usize] = above;
        i = above;
    }
    i
}

impl Members<'_> {
    /// The island as a problem of its own, bodies and contacts renumbered in ascending order.
    pub(crate) fn extract(&self, problem: &StepProblem, out: &mut StepProblem) {
        let local = |body: u32| match body {
            FIXED => FIXED,
            _ => self.place[body as usize],
        };
        extract(self.bodies, self.contacts, local, problem, out);
    }

    /// The island's part of a warm start.
    pub(crate) fn extract_warm(
        &self,
        warm: Warm<'_>,
        velocity: &mut Vec<[f64; 6]>,
        impulse: &mut Vec<[f64; 3]>,
    ) {
        pick(self.bodies, warm.velocity, velocity);
        pick(self.contacts, warm.impulse, impulse);
    }
}

fn extract(
    bodies: &[u32],
    contacts: &[u32],
    local: impl Fn(u32) -> u32 + Copy,
    problem: &StepProblem,
    out: &mut StepProblem,
) {
    pick(bodies, &problem.mass, &mut out.mass);
    pick(bodies, &problem.rotational, &mut out.rotational);
    pick(bodies, &problem.free_velocity, &mut out.free_velocity);
    out.free = problem.free;
    out.speed_scale = problem.speed_scale;
    pick(contacts, &problem.contacts, &mut out.contacts);
    for contact in &mut out.contacts {
        contact.bodies = contact.bodies.map(local);
    }
}

fn pick<T: Copy>(index: &[u32], from: &[T], out: &mut Vec<T>) {
    out.clear();
    out.extend(index.iter().map(|&i| from[i as usize]));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus;

    #[test]
    fn supports_do_not_connect() {
        let p = corpus::separate_stacks();
        let parts = islands(&p);
        assert_eq!(parts.len(), 3);
        let bodies: usize = parts.iter().map(|i| i.bodies.len()).sum();
        let contacts: usize = parts.iter().map(|i| i.contacts.len()).sum();
        assert_eq!((bodies, contacts), (p.bodies(), p.contacts.len()));
        for part in &parts {
            assert_eq!(part.extract(&p).validate(), Ok(()));
        }
    }

    #[test]
    fn a_wall_is_one_island_and_a_lone_body_another() {
        let mut p = corpus::wall(3, 3);
        assert_eq!(islands(&p).len(), 1);
        p.mass.push(1.0);
        p.rotational
            .push([1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]);
        p.free_velocity.push([0.0; 6]);
        let parts = islands(&p);
        assert_eq!(parts.len(), 2);
        assert!(parts[1].contacts.is_empty());
    }

    /// A partition that was used before says what a new one says.
    #[test]
    fn refilling_forgets_the_past() {
        let problems = [
            corpus::wall(5, 4),
            corpus::separate_stacks(),
            corpus::stack(2),
        ];
        let mut kept = Partition::default();
        for p in problems.iter().chain(problems.iter().rev()) {
            kept.fill(p);
            let parts = islands(p);
            assert_eq!(kept.len(), parts.len());
            for (members, island) in kept.iter().zip(&parts) {
                assert_eq!(members.bodies, island.bodies);
                assert_eq!(members.contacts, island.contacts);
            }
        }
    }
}
