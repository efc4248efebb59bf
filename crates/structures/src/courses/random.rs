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
/// drawn one by one from what is left. Where nothing is left, the first and the last block may be as short as `least`, then
/// lengths may leave the range, and at last joints come nearer to those below, by as little as possible: a stretch always
/// gets a division, and whoever asks for it looks what it kept.
pub(in super::super) fn random(
    [from, to]: [f64; 2],
    range: Range,
    least: f64,
    below: &[f64],
    overlap: f64,
    generator: &mut Generator,
) -> Vec<f64> {
    let length = to - from;
    let cells = ((length / range.min * FINENESS).ceil() as usize).max(1);
    let at = |i: usize| from + length * (i as f64 / cells as f64);
    let clear: Vec<f64> = (0..=cells).map(|i| distance(below, at(i))).collect();
    let grid = length / cells as f64;
    let ways = |stretch: f64, least: f64, overlap: f64| {
        let shortest = ((range.min / stretch / grid - 1e-6).ceil() as usize).max(1);
        let mut ways = Ways {
            first: ((least / grid - 1e-6).ceil() as usize).clamp(1, shortest),
            shortest,
            longest: ((range.max * stretch / grid + 1e-6).floor() as usize).min(cells),
            open: vec![false; cells + 1],
        };
        ways.open[cells] = true;
        for i in (0..cells).rev() {
            let free = i == 0 || clear[i] >= overlap;
            ways.open[i] = free && ways.from(i).next().is_some();
        }
        ways.open[0].then_some(ways)
    };
    let kept = [
        (1.0, range.min),
        (1.0, least),
        (1.5, least),
        (WIDEST, least),
    ]
    .into_iter()
    .find_map(|(stretch, least)| ways(stretch, least, overlap));
    let Some(ways) = kept.or_else(|| {
        let wide = if ways(1.0, least, 0.0).is_some() {
            1.0
        } else {
            WIDEST
        };
        nearest(overlap, |overlap| ways(wide, least, overlap))
    }) else {
        return vec![from, to];
    };
    let mut ends = vec![from];
    let mut here = 0;
    while here < cells {
        let next: Vec<usize> = ways.from(here).collect();
        here = next[generator.below(next.len())];
        ends.push(if here == cells { to } else { at(here) });
    }
    ends
}

/// By how much lengths may leave their range at most, where a stretch can't be divided otherwise.
const WIDEST: f64 = 2.5;

/// Divisions of a grid that can be completed.
struct Ways {
    /// Shortest block at an end, in cells.
    first: usize,
    /// Shortest and longest block elsewhere.
    shortest: usize,
    longest: usize,
    /// Whether the end can be reached from a point.
    open: Vec<bool>,
}

impl Ways {
    /// Where a block that begins at a point may end.
    fn from(&self, here: usize) -> impl Iterator<Item = usize> {
        let cells = self.open.len() - 1;
        let shortest = if here == 0 { self.first } else { self.shortest };
        // The last block may be shorter than those before it.
        let last = cells - here;
        let last = (self.first..shortest).contains(&last).then_some(cells);
        (here + shortest..=(here + self.longest).min(cells))
            .chain(last)
            .filter(|&end| self.open[end])
    }
}

/// The ways with the largest overlap up to `most` that has any, to a thousandth.
fn nearest(most: f64, ways: impl Fn(f64) -> Option<Ways>) -> Option<Ways> {
    let mut best = ways(0.0)?;
    let [mut low, mut high] = [0.0, most];
    while high - low > 1e-3 * most {
        let middle = 0.5 * (low + high);
        match ways(middle) {
            Some(found) => (best, low) = (found, middle),
            None => high = middle,
        }
    }
    Some(best)
}

/// How far the nearest of some points is, given in ascending order.
pub(in super::super) fn distance(points: &[f64], at: f64) -> f64 {
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
            let ends = random([0.0, 8.0], range, 0.06, &below, 0.1, &mut generator);
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
                0.06,
                &[1.2],
                0.1,
                &mut Generator::new(1),
            );
            assert!(ends.len() >= 2 && ends.windows(2).all(|pair| pair[1] > pair[0]));
        }
    }

    /// Six blocks of nearly equal length stand above six others: only shorter ends keep them apart.
    #[test]
    fn ends_are_shorter_before_joints_come_nearer() {
        let range = Range {
            min: 0.45,
            max: 0.55,
        };
        let below = [0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0];
        for seed in 0..50 {
            let mut generator = Generator::new(seed);
            let ends = random([0.0, 3.0], range, 0.1, &below, 0.125, &mut generator);
            let joints = &ends[1..ends.len() - 1];
            assert!(joints.iter().all(|&at| distance(&below, at) >= 0.125));
            let inner = joints.windows(2).map(|pair| pair[1] - pair[0]);
            assert!(
                inner
                    .into_iter()
                    .all(|l| l > 0.45 - 1e-9 && l < 0.55 + 1e-9)
            );
        }
    }

    /// Between joints 0.3 m apart none can keep 0.2 m; the grid of 0.3/16 m lets them come as near as 0.14 m.
    #[test]
    fn joints_come_no_nearer_than_they_must() {
        let range = Range { min: 0.3, max: 0.3 };
        let below: Vec<f64> = (0..=10).map(|i| 0.3 * f64::from(i)).collect();
        let ends = random([0.0, 3.0], range, 0.1, &below, 0.2, &mut Generator::new(1));
        assert!(ends.len() > 9, "{ends:?}");
        for &joint in &ends[1..ends.len() - 1] {
            assert!(distance(&below, joint) > 0.14, "{joint}");
        }
    }
}
