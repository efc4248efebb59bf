//! Points that fill a box evenly with few runs.

use drystone_model::MOST_SOBOL;

use drystone_shaking::Random;

/// Purpose of random numbers: other than those of synthetic motions and of resampling.
const HYPERCUBE: u8 = 17;

/// Degree, inner coefficients and first direction numbers of the primitive polynomials of dimensions two and on (Joe and Kuo 2008,
/// SIAM J. Sci. Comput. 30, 2635-2654).
const POLYNOMIALS: [(u32, u32, &[u32]); MOST_SOBOL - 1] = [
    (1, 0, &[1]),
    (2, 1, &[1, 3]),
    (3, 1, &[1, 3, 1]),
    (3, 2, &[1, 1, 1]),
    (4, 1, &[1, 1, 3, 3]),
    (4, 4, &[1, 3, 5, 13]),
    (5, 2, &[1, 1, 5, 5, 17]),
    (5, 4, &[1, 1, 5, 5, 5]),
    (5, 7, &[1, 1, 7, 11, 19]),
];

/// Bits of a coordinate.
const BITS: u32 = 32;

/// Random points in the unit box, one in each of `count` layers of every coordinate (McKay, Beckman and Conover 1979).
pub fn latin_hypercube(count: usize, dimensions: usize, seed: u32) -> Vec<Vec<f64>> {
    let mut random = Random::new(seed, HYPERCUBE);
    let mut points = vec![vec![0.0; dimensions]; count];
    for k in 0..dimensions {
        let mut layers: Vec<usize> = (0..count).collect();
        for i in (1..count).rev() {
            // Up to but not including `i + 1`: uniform numbers go from above 0 to 1.
            let j = ((1.0 - random.uniform()) * (i + 1) as f64) as usize;
            layers.swap(i, j);
        }
        for (point, layer) in points.iter_mut().zip(layers) {
            point[k] = (layer as f64 + (1.0 - random.uniform())) / count as f64;
        }
    }
    points
}

/// The first points of Sobol's sequence, without the origin it begins with. None if there are more than [`MOST_SOBOL`]
/// dimensions.
pub fn sobol(count: usize, dimensions: usize) -> Option<Vec<Vec<f64>>> {
    if dimensions > MOST_SOBOL || u32::try_from(count).is_err() {
        return None;
    }
    let directions: Vec<[u32; BITS as usize]> = (0..dimensions).map(directions).collect();
    let mut at = vec![0u32; dimensions];
    let points = (0..count as u32).map(|index| {
        // Gray code: one direction per point (Antonov and Saleev).
        let bit = index.trailing_ones() as usize;
        for (x, v) in at.iter_mut().zip(&directions) {
            *x ^= v[bit];
        }
        at.iter().map(|&x| f64::from(x) / 4_294_967_296.0).collect()
    });
    Some(points.collect())
}

fn directions(dimension: usize) -> [u32; BITS as usize] {
    let mut v = [0; BITS as usize];
    if dimension == 0 {
        (0..BITS).for_each(|i| v[i as usize] = 1 << (BITS - 1 - i));
        return v;
    }
    let (degree, inner, first) = POLYNOMIALS[dimension - 1];
    for i in 0..BITS {
        let k = i as usize;
        if i < degree {
            v[k] = first[k] << (BITS - 1 - i);
            continue;
        }
        let back = v[k - degree as usize];
        v[k] = back ^ (back >> degree);
        for j in 1..degree {
            if inner >> (degree - 1 - j) & 1 == 1 {
                v[k] ^= v[k - j as usize];
            }
        }
    }
    v
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_layer_has_one_point() {
        let points = latin_hypercube(13, 4, 3);
        for k in 0..4 {
            let mut layers: Vec<usize> = points.iter().map(|p| (p[k] * 13.0) as usize).collect();
            layers.sort_unstable();
            assert_eq!(layers, (0..13).collect::<Vec<_>>());
        }
        assert_eq!(points, latin_hypercube(13, 4, 3));
        assert_ne!(points, latin_hypercube(13, 4, 4));
    }

    /// With the origin, the first 2^m points have one in each of 2^m layers of every coordinate, and later runs of that length too.
    #[test]
    fn sobol_points_are_a_net_in_every_coordinate() {
        let points = sobol(255, MOST_SOBOL).unwrap();
        for size in [16, 64, 256] {
            for k in 0..MOST_SOBOL {
                let of = |p: &Vec<f64>| (p[k] * size as f64) as usize;
                let mut layers: Vec<usize> = points[..size - 1].iter().map(of).collect();
                layers.push(0);
                layers.sort_unstable();
                assert_eq!(layers, (0..size).collect::<Vec<_>>(), "coordinate {k}");
            }
        }
    }

    /// The first points in three coordinates, as every table of the sequence has them.
    #[test]
    fn known_points() {
        let points = sobol(3, 3).unwrap();
        assert_eq!(points[0], [0.5, 0.5, 0.5]);
        assert_eq!(points[1], [0.75, 0.25, 0.25]);
        assert_eq!(points[2], [0.25, 0.75, 0.75]);
        assert!(sobol(3, MOST_SOBOL + 1).is_none());
    }

    /// No two coordinates go together: the mean of a product is near a quarter.
    #[test]
    fn coordinates_are_independent() {
        let points = sobol(1023, MOST_SOBOL).unwrap();
        for i in 0..MOST_SOBOL {
            for j in 0..i {
                let mean = points.iter().map(|p| p[i] * p[j]).sum::<f64>() / 1023.0;
                // Random points would scatter by 0.007.
                assert!((mean - 0.25).abs() < 0.005, "{i} {j} {mean}");
            }
        }
    }
}
