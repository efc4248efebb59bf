//! Random ashlar: blocks of random lengths whose joints keep away from those below.

/// A seeded generator whose numbers are part of the format: `splitmix64` by Steele, Lea and Flood (2014). The same seed
/// makes the same wall in every version.
#[derive(Debug, Clone)]
pub(in super::super) struct Generator(u64);

impl Generator {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A whole number from 0 to `count - 1`.
    fn below(&mut self, count: usize) -> usize {
        ((u128::from(self.next()) * count as u128) >> 64) as usize
    }
}

/// Least and largest length of something, m.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in super::super) struct Range {
    pub min: f64,
    pub max: f64,
}

/// Joints lie on a grid this many times finer than the shortest block.
const FINENESS: f64 = 16.0;

/// Divides a stretch into blocks of random lengths within a range, with joints at least `overlap` from those below.
///
/// Of all divisions on a fine grid, those that can't be completed are ruled out from the end backwards; then the blocks are
/// drawn one by one from what is left. Where nothing is left, joints may come nearer to those below, and then lengths may
/// leave the range: a stretch always gets a division.
pub(in super::super) fn random(
    [from, to]: [f64; 2],
    range: Range,
    below: &[f64],
    overlap: f64,
    generator: &mut Generator,
) -> Vec<f64> {
    let length = to - from;
    let cells = ((length / range.min * FINENESS).ceil() as usize).max(1);
    let at = |i: usize| from + length * (i as f64 / cells as f64);
    let clear: Vec<f64> = (0..=cells).map(|i| distance(below, at(i))).collect();
    let grid = length / cells as f64;
    for (stretch, near) in [(1.0, 1.0), (1.0, 0.5), (1.0, 0.0), (1.5, 0.0), (2.5, 0.0)] {
        let shortest = ((range.min / stretch / grid - 1e-6).ceil() as usize).max(1);
        let longest = ((range.max * stretch / grid + 1e-6).floor() as usize).min(cells);
        // Whether the end can be reached from a point.
        let mut open = vec![false; cells + 1];
        open[cells] = true;
        for i in (0..cells).rev() {
            let free = i == 0 || clear[i] >= near * overlap;
            open[i] = free && (i + shortest..=(i + longest).min(cells)).any(|j| open[j]);
        }
        if !open[0] {
            continue;
        }
        let mut ends = vec![from];
        let mut here = 0;
        while here < cells {
            let next: Vec<usize> = (here + shortest..=(here + longest).min(cells))
                .filter(|&j| open[j])
                .collect();
            here = next[generator.below(next.len())];
            ends.push(if here == cells { to } else { at(here) });
        }
        return ends;
    }
    vec![from, to]
}

/// How far the nearest of some points is, given in ascending order.
pub(super) fn distance(points: &[f64], at: f64) -> f64 {
    let next = points.partition_point(|&point| point < at);
    let after = points.get(next).map_or(f64::INFINITY, |&point| point - at);
    let before = next
        .checked_sub(1)
        .map_or(f64::INFINITY, |last| at - points[last]);
    after.min(before)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// First outputs of the reference implementation for the seed 1234567.
    #[test]
    fn the_generator_is_splitmix64() {
        let mut generator = Generator::new(1_234_567);
        let numbers: Vec<u64> = (0..3).map(|_| generator.next()).collect();
        assert_eq!(
            numbers,
            [
                6_457_827_717_110_365_317,
                3_203_168_211_198_807_973,
                9_817_491_932_198_370_423
            ]
        );
    }

    #[test]
    fn random_blocks_have_lengths_in_the_range_and_joints_away_from_those_below() {
        let range = Range { min: 0.3, max: 0.7 };
        let mut generator = Generator::new(7);
        let mut below: Vec<f64> = Vec::new();
        let mut lengths: Vec<f64> = Vec::new();
        for _ in 0..40 {
            let ends = random([0.0, 8.0], range, &below, 0.1, &mut generator);
            assert_eq!((ends[0], ends[ends.len() - 1]), (0.0, 8.0));
            lengths.extend(ends.windows(2).map(|pair| pair[1] - pair[0]));
            for &joint in &ends[1..ends.len() - 1] {
                assert!(distance(&below, joint) >= 0.1, "{joint}");
            }
            below = ends;
        }
        assert!(lengths.iter().all(|&l| l > 0.3 - 1e-9 && l < 0.7 + 1e-9));
        let (short, long) = lengths
            .iter()
            .fold((f64::MAX, 0.0_f64), |(s, l), &x| (s.min(x), l.max(x)));
        assert!(short < 0.35 && long > 0.65, "{short} {long}");
    }

    #[test]
    fn a_stretch_always_gets_a_division() {
        let range = Range { min: 0.3, max: 0.4 };
        for length in [0.05, 0.29, 0.45, 0.5, 0.55, 1.0] {
            let ends = random(
                [1.0, 1.0 + length],
                range,
                &[1.2],
                0.1,
                &mut Generator::new(1),
            );
            assert!(ends.len() >= 2 && ends.windows(2).all(|pair| pair[1] > pair[0]));
        }
    }
}
