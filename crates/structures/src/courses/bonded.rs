//! Division of a stretch whose length is no multiple of anything, in bond with the course below.

use super::random::distance;

/// Joints lie on a grid this many times finer than a block.
const FINENESS: f64 = 24.0;

/// Blocks are not made shorter or longer than these multiples of the nominal length, if there is a choice.
const SHORTEST: f64 = 0.45;
const LONGEST: f64 = 1.6;

/// What a joint nearer to one below than the least overlap costs: more than any number of unequal blocks in a row.
const CLASH: f64 = 1e3;

/// What a joint costs whose overlap is less than half a block, compared with a block of odd length.
const LAP: f64 = 0.5;

/// Divides a stretch into blocks of about equal length, each joint at least `overlap` from the joints `below` (ascending)
/// and as near to half a block from them as lengths allow.
///
/// The best division on a fine grid by dynamic programming: the sum of squared relative deviations from the nominal length,
/// and of squared shortcomings of the overlap from half a block. Of equal ones the one whose joints come first.
pub(in super::super) fn bonded(
    [from, to]: [f64; 2],
    nominal: f64,
    below: &[f64],
    overlap: f64,
) -> Vec<f64> {
    let length = to - from;
    let cells = ((length / nominal * FINENESS).round() as usize).max(1);
    let grid = length / cells as f64;
    let at = |i: usize| from + length * (i as f64 / cells as f64);
    let shortest = ((SHORTEST * nominal / grid).ceil() as usize).max(1);
    let longest = ((LONGEST * nominal / grid).floor() as usize).max(shortest);
    let block = |cells: usize| (cells as f64 * grid / nominal - 1.0).powi(2);
    let joint: Vec<f64> = (0..=cells)
        .map(|i| {
            let lap = distance(below, at(i));
            let clash = if lap < overlap * (1.0 - 1e-9) {
                CLASH * (2.0 - lap / overlap)
            } else {
                0.0
            };
            clash + LAP * (0.5 - lap / nominal).max(0.0).powi(2)
        })
        .collect();
    // Least cost of everything up to a joint, and the joint before it.
    let mut cost = vec![(f64::INFINITY, 0); cells + 1];
    cost[0].0 = 0.0;
    for i in 1..=cells {
        let own = if i == cells { 0.0 } else { joint[i] };
        let Some(last) = i.checked_sub(shortest) else {
            continue;
        };
        for before in i.saturating_sub(longest)..=last {
            let total = cost[before].0 + block(i - before) + own;
            if total < cost[i].0 {
                cost[i] = (total, before);
            }
        }
    }
    let mut ends = vec![to];
    // Nothing reaches the end of a stretch that is shorter than a short block: it is one block.
    if cost[cells].0.is_finite() {
        let mut here = cost[cells].1;
        while here > 0 {
            ends.push(at(here));
            here = cost[here].1;
        }
    }
    ends.push(from);
    ends.reverse();
    ends
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stretch_of_whole_blocks_alone_gets_equal_blocks() {
        let ends = bonded([0.0, 3.0], 0.6, &[], 0.15);
        assert_eq!(ends.len(), 6);
        for pair in ends.windows(2) {
            assert!((pair[1] - pair[0] - 0.6).abs() < 1e-12);
        }
    }

    #[test]
    fn joints_break_with_those_below_also_at_corners() {
        // Below, a wall of 0.8 m crosses at the left end; its face is a joint.
        let below: Vec<f64> = bonded([0.8, 9.0], 0.6, &[], 0.15);
        let ends = bonded([0.0, 9.0], 0.6, &below, 0.15);
        for &joint in &ends[1..ends.len() - 1] {
            assert!(distance(&below, joint) >= 0.15 * (1.0 - 1e-9), "{joint}");
        }
        for pair in ends.windows(2) {
            let length = pair[1] - pair[0];
            assert!((0.26..=0.97).contains(&length), "{length}");
        }
    }

    #[test]
    fn short_stretches_are_one_block() {
        for length in [0.01, 0.2, 0.5, 0.8] {
            assert_eq!(
                bonded([1.0, 1.0 + length], 0.6, &[], 0.15),
                [1.0, 1.0 + length]
            );
        }
    }
}
