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
    let mut parent: Vec<u32> = (0..problem.bodies() as u32).collect();
    for contact in &problem.contacts {
        let [a, b] = contact.bodies;
        if a != FIXED && b != FIXED {
            let (a, b) = (root(&mut parent, a), root(&mut parent, b));
            // The smaller index stays the root, so the order of contacts does not matter.
            parent[a.max(b) as usize] = a.min(b);
        }
    }
    let mut number = vec![u32::MAX; problem.bodies()];
    let mut out: Vec<Island> = Vec::new();
    for body in 0..problem.bodies() as u32 {
        let top = root(&mut parent, body) as usize;
        if number[top] == u32::MAX {
            number[top] = out.len() as u32;
            out.push(Island {
                bodies: Vec::new(),
                contacts: Vec::new(),
            });
        }
        out[number[top] as usize].bodies.push(body);
    }
    for (index, contact) in problem.contacts.iter().enumerate() {
        let [a, b] = contact.bodies;
        let body = if a == FIXED { b } else { a };
        let top = root(&mut parent, body) as usize;
        out[number[top] as usize].contacts.push(index as u32);
    }
    out
}

fn root(parent: &mut [u32], mut i: u32) -> u32 {
    while parent[i as usize] != i {
        let above = parent[parent[i as usize] as usize];
        parent[i as usize] = above;
        i = above;
    }
    i
}

impl Island {
    /// The island as a problem of its own, bodies and contacts renumbered in ascending order.
    pub fn extract(&self, problem: &StepProblem) -> StepProblem {
        let local = |b: u32| match b {
            FIXED => FIXED,
            // Present by construction of the island; a support would be the harmless reading of a foreign index.
            _ => self.bodies.binary_search(&b).map_or(FIXED, |k| k as u32),
        };
        StepProblem {
            mass: pick(&self.bodies, &problem.mass),
            rotational: pick(&self.bodies, &problem.rotational),
            free_velocity: pick(&self.bodies, &problem.free_velocity),
            free: problem.free,
            speed_scale: problem.speed_scale,
            contacts: self
                .contacts
                .iter()
                .map(|&c| {
                    let mut contact = problem.contacts[c as usize];
                    contact.bodies = contact.bodies.map(local);
                    contact
                })
                .collect(),
        }
    }

    /// The island's part of a warm start.
    pub(crate) fn extract_warm(&self, warm: Warm<'_>) -> (Vec<[f64; 6]>, Vec<[f64; 3]>) {
        (
            pick(&self.bodies, warm.velocity),
            pick(&self.contacts, warm.impulse),
        )
    }
}

fn pick<T: Copy>(index: &[u32], from: &[T]) -> Vec<T> {
    index.iter().map(|&i| from[i as usize]).collect()
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
}
