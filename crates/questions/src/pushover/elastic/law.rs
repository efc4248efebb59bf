//! The law of a spring with friction: the force of least complementary energy in its cone.

/// Forces in the axes of the contact, N, and how they answer to strain, N/m.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Response {
    pub force: [f64; 3],
    /// Minus the derivative of the force, symmetric and not negative.
    pub stiffness: [[f64; 3]; 3],
    /// Energy whose gradient is minus the force, J.
    pub energy: f64,
}

const NOTHING: Response = Response {
    force: [0.0; 3],
    stiffness: [[0.0; 3]; 3],
    energy: 0.0,
};

/// `max_r -1/2 r' C r - r' w` over `|r_T| <= mu r_N`, for a contact that has opened and slid by `w`, m.
pub(super) fn contact(w: [f64; 3], compliance: [f64; 2], friction: f64) -> Response {
    let [normal, shear] = compliance;
    let slid = w[1].hypot(w[2]);
    // Where it just touches it has the stiffness of one that presses: Newton's method starts there.
    if w[0] > friction * slid {
        return NOTHING;
    }
    let sticks = [-w[0] / normal, -w[1] / shear, -w[2] / shear];
    if sticks[1].hypot(sticks[2]) <= friction * sticks[0] {
        let mut stiffness = [[0.0; 3]; 3];
        stiffness[0][0] = 1.0 / normal;
        stiffness[1][1] = 1.0 / shear;
        stiffness[2][2] = 1.0 / shear;
        return Response {
            force: sticks,
            stiffness,
            energy: energy(&sticks, compliance),
        };
    }
    // It slides along the ray (1, mu e) with e against the slip.
    let along = if slid > 0.0 {
        [w[1] / slid, w[2] / slid]
    } else {
        [0.0; 2]
    };
    let give = normal + friction * friction * shear;
    let size = (friction * slid - w[0]) / give;
    let ray = [1.0, -friction * along[0], -friction * along[1]];
    let force = ray.map(|x| size * x);
    let mut stiffness = [[0.0; 3]; 3];
    let turn = if slid > 0.0 {
        size * friction / slid
    } else {
        0.0
    };
    for i in 0..3 {
        for j in 0..3 {
            stiffness[i][j] = ray[i] * ray[j] / give;
            if i > 0 && j > 0 {
                let same = if i == j { 1.0 } else { 0.0 };
                stiffness[i][j] += turn * (same - along[i - 1] * along[j - 1]);
            }
        }
    }
    Response {
        force,
        stiffness,
        energy: energy(&force, compliance),
    }
}

fn energy(r: &[f64; 3], [normal, shear]: [f64; 2]) -> f64 {
    0.5 * (normal * r[0] * r[0] + shear * (r[1] * r[1] + r[2] * r[2]))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Forces are minus the gradient of the energy, and stiffness minus that of forces; forces lie in their cone.
    #[test]
    fn derivatives_are_those_of_the_energy() {
        let compliance = [2e-3, 5e-3];
        for friction in [0.0, 0.6] {
            for w in [
                [-0.01, 0.002, 0.001],
                [-0.01, 0.05, -0.03],
                [0.003, 0.02, 0.01],
                [0.02, 0.01, 0.0],
            ] {
                let here = contact(w, compliance, friction);
                let [n, x, y] = here.force;
                assert!(x.hypot(y) <= friction * n * (1.0 + 1e-12) + 1e-12);
                for i in 0..3 {
                    let at = |h: f64| {
                        let mut moved = w;
                        moved[i] += h;
                        contact(moved, compliance, friction)
                    };
                    let h = 1e-7;
                    let (more, less) = (at(h), at(-h));
                    let slope = (more.energy - less.energy) / (2.0 * h);
                    // Central differences of a smooth function: the square of the step, times its third derivative.
                    assert!(
                        (slope + here.force[i]).abs() < 1e-6,
                        "{slope} {:?}",
                        here.force
                    );
                    for j in 0..3 {
                        let slope = (more.force[j] - less.force[j]) / (2.0 * h);
                        assert!((slope + here.stiffness[j][i]).abs() < 1e-3, "{w:?} {i} {j}");
                    }
                }
            }
        }
    }
}
