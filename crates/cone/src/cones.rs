//! The Coulomb cone `K = {|r_T| <= mu r_N}` and its dual `K* = {mu |u_T| <= u_N}`.
//!
//! Vectors are (normal, tangent 1, tangent 2). Any `mu >= 0` is allowed: at zero `K` is a ray and `K*` a half-space.

fn norm2(a: f64, b: f64) -> f64 {
    a.hypot(b)
}

/// Projection onto `{ |x_T| <= slope x_N }`.
fn project(slope: f64, x: &[f64; 3]) -> [f64; 3] {
    let tangent = norm2(x[1], x[2]);
    if tangent <= slope * x[0] {
        return *x;
    }
    // Along the generator that faces x; its foot is the apex when x lies in the polar cone.
    let along = x[0] + slope * tangent;
    if along <= 0.0 {
        return [0.0; 3];
    }
    let normal = along / (1.0 + slope * slope);
    let shrink = if tangent > 0.0 {
        slope * normal / tangent
    } else {
        0.0
    };
    [normal, x[1] * shrink, x[2] * shrink]
}

/// Nearest admissible impulse.
pub fn project_impulse(mu: f64, r: &[f64; 3]) -> [f64; 3] {
    project(mu, r)
}

/// Nearest admissible velocity: Moreau's decomposition `u = P_K*(u) - P_K(-u)`, which also serves `mu = 0`.
pub fn project_velocity(mu: f64, u: &[f64; 3]) -> [f64; 3] {
    let polar = project(mu, &u.map(|x| -x));
    [u[0] + polar[0], u[1] + polar[1], u[2] + polar[2]]
}

/// Distance of an impulse to `K`, N s; zero inside.
pub fn impulse_distance(mu: f64, r: &[f64; 3]) -> f64 {
    if norm2(r[1], r[2]) <= mu * r[0] {
        return 0.0;
    }
    let p = project(mu, r);
    norm2(r[0] - p[0], norm2(r[1] - p[1], r[2] - p[2]))
}

/// Distance of a velocity to `K*`, m/s; zero inside.
pub fn velocity_distance(mu: f64, u: &[f64; 3]) -> f64 {
    let polar = project(mu, &u.map(|x| -x));
    norm2(polar[0], norm2(polar[1], polar[2]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::Random;

    const MU: [f64; 6] = [0.0, 1e-6, 0.3, 1.0, 2.0, 1e6];

    /// Moreau: `x = P_K(x) - P_K*(-x)` with orthogonal parts, each in its cone; projections are idempotent.
    #[test]
    fn moreau_decomposition() {
        let mut random = Random::new(3);
        for mu in MU {
            for _ in 0..200 {
                let x: [f64; 3] = std::array::from_fn(|_| random.signed());
                let minus = x.map(|v| -v);
                let (p, q) = (project_impulse(mu, &x), project_velocity(mu, &minus));
                let product: f64 = (0..3).map(|k| p[k] * q[k]).sum();
                // Coordinates are of order one, so rounding is a few 1e-16, times mu where a slope multiplies it.
                assert!(product.abs() < 1e-14, "mu {mu}: {product}");
                for k in 0..3 {
                    assert!((x[k] - p[k] + q[k]).abs() < 1e-14, "mu {mu}");
                }
                assert!(impulse_distance(mu, &p) < 1e-14);
                assert!(velocity_distance(mu, &q) < 1e-14);
                let far = (0..3).map(|k| (x[k] - p[k]).powi(2)).sum::<f64>().sqrt();
                assert!((impulse_distance(mu, &x) - far).abs() < 1e-14);
            }
        }
    }

    #[test]
    fn cones_are_dual() {
        let mut random = Random::new(4);
        for mu in MU {
            for _ in 0..200 {
                let r = project_impulse(mu, &std::array::from_fn(|_| random.signed()));
                let u = project_velocity(mu, &std::array::from_fn(|_| random.signed()));
                assert!((0..3).map(|k| r[k] * u[k]).sum::<f64>() > -1e-14, "mu {mu}");
            }
        }
    }

    #[test]
    fn without_friction_the_cones_are_a_ray_and_a_half_space() {
        assert_eq!(project_impulse(0.0, &[2.0, 1.0, -3.0]), [2.0, 0.0, 0.0]);
        assert_eq!(project_impulse(0.0, &[-2.0, 1.0, -3.0]), [0.0, 0.0, 0.0]);
        assert_eq!(project_velocity(0.0, &[-2.0, 1.0, -3.0]), [0.0, 1.0, -3.0]);
        assert_eq!(velocity_distance(0.0, &[1.0, 5.0, 5.0]), 0.0);
        assert_eq!(velocity_distance(0.0, &[-1.5, 5.0, 5.0]), 1.5);
    }
}
