//! Finite rotations, and the linearised rotational equation of motion.

use drystone_geometry::{DMat3, DQuat, DVec3};

/// The rotation by the vector `p`: axis along `p`, angle `|p|` in rad.
pub fn exp_rotation(p: DVec3) -> DQuat {
    DQuat::from_scaled_axis(p)
}

/// The rotation vector of a rotation, rad; its length is at most pi.
pub fn log_rotation(rotation: DQuat) -> DVec3 {
    // q and -q are the same rotation; the one with positive scalar part has the shorter vector.
    let q = if rotation.w < 0.0 {
        -rotation
    } else {
        rotation
    };
    let s = DVec3::new(q.x, q.y, q.z);
    let length = s.length();
    if length < 1e-9 {
        2.0 * s
    } else {
        2.0 * length.atan2(q.w) / length * s
    }
}

/// The skew-symmetric matrix with `skew(a) b = a × b`.
pub(crate) fn skew(a: DVec3) -> DMat3 {
    DMat3::from_cols(
        DVec3::new(0.0, a.z, -a.y),
        DVec3::new(-a.z, 0.0, a.x),
        DVec3::new(a.y, -a.x, 0.0),
    )
}

/// Tangent map of the exponential: `d(exp(p)) exp(-p) = skew(T(p) dp)`.
fn tangent_map(p: DVec3) -> DMat3 {
    let angle2 = p.length_squared();
    let (a, b) = if angle2 < 1e-6 {
        // Two terms of the series leave an error below 1e-14.
        (0.5 - angle2 / 24.0, 1.0 / 6.0 - angle2 / 120.0)
    } else {
        let angle = angle2.sqrt();
        (
            (1.0 - angle.cos()) / angle2,
            (angle - angle.sin()) / (angle2 * angle),
        )
    };
    let p = skew(p);
    DMat3::IDENTITY + a * p + b * (p * p)
}

/// Inertia in world axes of a block with inertia `inertia0` in its own axes.
pub(crate) fn world_inertia(inertia0: DMat3, rotation: DQuat) -> DMat3 {
    let r = DMat3::from_quat(rotation);
    r * inertia0 * r.transpose()
}

/// Jacobian of `w -> J(w) w` with `J(w) = R J0 R'`, `R = exp(skew(w) dt) R_n`, before symmetrisation.
fn momentum_jacobian(inertia0: DMat3, rotation_n: DQuat, w: DVec3, dt: f64) -> DMat3 {
    let j = world_inertia(inertia0, exp_rotation(w * dt) * rotation_n);
    j + (j * skew(w) - skew(j * w)) * (dt * tangent_map(w * dt))
}

/// The symmetric part of the Jacobian of `w -> J(w) w` at `w` after a turn of `w dt`, and that momentum itself.
///
/// Eigenvalues are raised to a thousandth of the smallest principal inertia where needed, so that the step problem stays
/// strictly convex. Away from spins of about `1/dt` no eigenvalue comes near that floor.
pub(crate) fn momentum_block(
    inertia0: DMat3,
    rotation_n: DQuat,
    w: DVec3,
    dt: f64,
) -> (DMat3, DVec3) {
    let jacobian = momentum_jacobian(inertia0, rotation_n, w, dt);
    let symmetric = 0.5 * (jacobian + jacobian.transpose());
    let (principal, _) = symmetric_eigen(inertia0);
    let h = raise_eigenvalues(symmetric, 1e-3 * principal.min_element());
    let j = world_inertia(inertia0, exp_rotation(w * dt) * rotation_n);
    (h, j * w)
}

/// Angular momentum of a block that has turned with the spin `w` for a time `after`, s, from `rotation_n`.
pub(crate) fn momentum_after(inertia0: DMat3, rotation_n: DQuat, w: DVec3, after: f64) -> DVec3 {
    world_inertia(inertia0, exp_rotation(w * after) * rotation_n) * w
}

/// The spin `w` with `J(w) w = momentum` after a turn of `w after`, by Newton's method from a guess. Where the model is not free
/// to turn the spin stays zero. A spin of several turns per step has no such solution nearby; then it is the guess.
pub(crate) fn spin_of_momentum(
    inertia0: DMat3,
    rotation_n: DQuat,
    momentum: DVec3,
    guess: DVec3,
    after: f64,
    free: &[bool; 6],
) -> DVec3 {
    let mut w = guess;
    let mut last = f64::INFINITY;
    // Two or three iterations reach rounding; beyond ten there is no convergence.
    for _ in 0..10 {
        let mut missing = momentum - momentum_after(inertia0, rotation_n, w, after);
        let mut jacobian = momentum_jacobian(inertia0, rotation_n, w, after);
        decouple(free, &mut jacobian, &mut missing);
        let error = missing.length();
        if error == 0.0 {
            return w;
        }
        // Rounding no longer shrinks: done, if it is rounding.
        if error >= last {
            break;
        }
        last = error;
        w += jacobian.inverse() * missing;
    }
    if last <= 1e-10 * momentum.length() && w.is_finite() {
        w
    } else {
        guess
    }
}

/// Decouples axes about which the model is not free to turn. A planar model turns about one axis only: what the others would do
/// must not leak into it through products of inertia, so they are decoupled before the block is inverted.
pub(crate) fn decouple(free: &[bool; 6], inertia: &mut DMat3, impulse: &mut DVec3) {
    for axis in 0..3 {
        if !free[3 + axis] {
            for other in 0..3 {
                inertia.col_mut(axis)[other] = 0.0;
                inertia.col_mut(other)[axis] = 0.0;
            }
            inertia.col_mut(axis)[axis] = 1.0;
            impulse[axis] = 0.0;
        }
    }
}

/// The rotational block `H` of the step problem and the unbalanced momentum `h*` about the iterate `w_star`.
pub fn rotational_block(
    inertia0: DMat3,
    rotation_n: DQuat,
    w_n: DVec3,
    w_star: DVec3,
    dt: f64,
) -> (DMat3, DVec3) {
    let (h, momentum) = momentum_block(inertia0, rotation_n, w_star, dt);
    let j_n = world_inertia(inertia0, rotation_n);
    let unbalanced = h * (w_star - w_n) - (momentum - j_n * w_n);
    (h, unbalanced)
}

/// The symmetric matrix with every eigenvalue below `floor` replaced by it.
fn raise_eigenvalues(a: DMat3, floor: f64) -> DMat3 {
    let (values, vectors) = symmetric_eigen(a);
    if values.min_element() >= floor {
        return a;
    }
    let raised = DMat3::from_diagonal(values.max(DVec3::splat(floor)));
    vectors * raised * vectors.transpose()
}

/// Eigenvalues and eigenvectors (columns) of a symmetric matrix by Jacobi rotations.
fn symmetric_eigen(matrix: DMat3) -> (DVec3, DMat3) {
    let mut a = matrix;
    let mut vectors = DMat3::IDENTITY;
    for _ in 0..32 {
        let off = a.x_axis.y.powi(2) + a.x_axis.z.powi(2) + a.y_axis.z.powi(2);
        let diagonal = DVec3::new(a.x_axis.x, a.y_axis.y, a.z_axis.z);
        if off <= 1e-30 * diagonal.length_squared() {
            break;
        }
        for (i, j) in [(0, 1), (0, 2), (1, 2)] {
            let aij = a.col(j)[i];
            if aij == 0.0 {
                continue;
            }
            let theta = (a.col(j)[j] - a.col(i)[i]) / (2.0 * aij);
            let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
            let c = 1.0 / (t * t + 1.0).sqrt();
            let s = t * c;
            let mut rotation = DMat3::IDENTITY;
            rotation.col_mut(i)[i] = c;
            rotation.col_mut(j)[j] = c;
            rotation.col_mut(j)[i] = s;
            rotation.col_mut(i)[j] = -s;
            a = rotation.transpose() * a * rotation;
            vectors *= rotation;
        }
    }
    (DVec3::new(a.x_axis.x, a.y_axis.y, a.z_axis.z), vectors)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block() -> (DMat3, DQuat) {
        let inertia = DMat3::from_cols_array(&[2.0, 0.3, -0.1, 0.3, 1.0, 0.2, -0.1, 0.2, 1.5]);
        (inertia, DQuat::from_scaled_axis(DVec3::new(0.4, -1.1, 0.7)))
    }

    #[test]
    fn exponential_and_logarithm_are_inverse() {
        for p in [
            DVec3::new(1e-12, 0.0, 2e-12),
            DVec3::new(0.3, -0.2, 0.9),
            DVec3::new(0.0, 3.1, 0.0),
        ] {
            let back = log_rotation(exp_rotation(p));
            assert!(
                (back - p).length() <= 1e-14 * (1.0 + p.length()),
                "{p} {back}"
            );
        }
    }

    #[test]
    fn jacobian_agrees_with_finite_differences() {
        let (inertia, rotation) = block();
        let momentum =
            |w: DVec3, dt: f64| world_inertia(inertia, exp_rotation(w * dt) * rotation) * w;
        // A step of 0.3 s makes the factor dt of the tangent map count; with a unit step a missing factor would not show.
        for (w, dt) in [
            (DVec3::new(1.0, -2.0, 0.5), 0.3),
            (DVec3::new(3.0, 1.0, -4.0), 0.05),
        ] {
            let jacobian = momentum_jacobian(inertia, rotation, w, dt);
            let h = 1e-6;
            for axis in 0..3 {
                let mut dw = DVec3::ZERO;
                dw[axis] = h;
                let difference = (momentum(w + dw, dt) - momentum(w - dw, dt)) / (2.0 * h);
                // Central differences of step 1e-6 are good to about 1e-9 here.
                assert!((difference - jacobian.col(axis)).length() < 1e-8);
            }
        }
    }

    #[test]
    fn eigenvalues_below_the_floor_are_raised_and_others_kept() {
        let (_, rotation) = block();
        let q = DMat3::from_quat(rotation);
        let a = q * DMat3::from_diagonal(DVec3::new(-1.0, 2.0, 5.0)) * q.transpose();
        let raised = raise_eigenvalues(a, 0.1);
        let expected = q * DMat3::from_diagonal(DVec3::new(0.1, 2.0, 5.0)) * q.transpose();
        assert!(raised.abs_diff_eq(expected, 1e-13));
    }

    #[test]
    fn rotational_block_at_rest_is_the_inertia() {
        let (inertia, rotation) = block();
        let (h, unbalanced) = rotational_block(inertia, rotation, DVec3::ZERO, DVec3::ZERO, 1e-3);
        assert!(h.abs_diff_eq(world_inertia(inertia, rotation), 1e-14));
        assert_eq!(unbalanced, DVec3::ZERO);
    }

    #[test]
    fn the_spin_of_a_momentum_is_found_to_rounding() {
        let (inertia, rotation) = block();
        let (w, after) = (DVec3::new(5.0, -8.0, 3.0), 5e-3);
        let momentum = momentum_after(inertia, rotation, w, after);
        let found = spin_of_momentum(inertia, rotation, momentum, w * 0.9, after, &[true; 6]);
        assert!((found - w).length() < 1e-13 * w.length(), "{found}");
        // In the plane only the spin about y is sought, whatever the products of inertia say.
        let planar = [true, false, true, false, true, false];
        let momentum = DVec3::new(0.3, 2.0, -0.4);
        let found = spin_of_momentum(
            inertia,
            DQuat::IDENTITY,
            momentum,
            DVec3::ZERO,
            after,
            &planar,
        );
        assert_eq!(found, DVec3::new(0.0, 2.0 / inertia.y_axis.y, 0.0));
    }
}
