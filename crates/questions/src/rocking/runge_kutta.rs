//! The fifth-order Runge-Kutta formula of Dormand and Prince with its embedded error estimate.

/// Angle and angular velocity.
pub(super) type State = [f64; 2];

const NODES: [f64; 7] = [0.0, 0.2, 0.3, 0.8, 8.0 / 9.0, 1.0, 1.0];

const STAGES: [[f64; 6]; 7] = [
    [0.0; 6],
    [0.2, 0.0, 0.0, 0.0, 0.0, 0.0],
    [3.0 / 40.0, 9.0 / 40.0, 0.0, 0.0, 0.0, 0.0],
    [44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0, 0.0, 0.0, 0.0],
    [
        19372.0 / 6561.0,
        -25360.0 / 2187.0,
        64448.0 / 6561.0,
        -212.0 / 729.0,
        0.0,
        0.0,
    ],
    [
        9017.0 / 3168.0,
        -355.0 / 33.0,
        46732.0 / 5247.0,
        49.0 / 176.0,
        -5103.0 / 18656.0,
        0.0,
    ],
    // The last stage is the fifth-order answer itself.
    [
        35.0 / 384.0,
        0.0,
        500.0 / 1113.0,
        125.0 / 192.0,
        -2187.0 / 6784.0,
        11.0 / 84.0,
    ],
];

/// Fifth-order minus fourth-order weights.
const ERROR: [f64; 7] = [
    71.0 / 57600.0,
    0.0,
    -71.0 / 16695.0,
    71.0 / 1920.0,
    -17253.0 / 339200.0,
    22.0 / 525.0,
    -1.0 / 40.0,
];

/// State after a step of length `h`, and the estimate of its error.
pub(super) fn step(f: impl Fn(f64, State) -> State, t: f64, y: State, h: f64) -> (State, State) {
    let mut slopes = [[0.0; 2]; 7];
    let mut end = y;
    for (stage, (node, weights)) in NODES.iter().zip(&STAGES).enumerate() {
        end = y;
        for (slope, weight) in slopes.iter().zip(weights).take(stage) {
            end[0] += h * weight * slope[0];
            end[1] += h * weight * slope[1];
        }
        slopes[stage] = f(t + node * h, end);
    }
    let mut error = [0.0; 2];
    for (slope, weight) in slopes.iter().zip(&ERROR) {
        error[0] += h * weight * slope[0];
        error[1] += h * weight * slope[1];
    }
    (end, error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_consistent() {
        for (node, weights) in NODES.iter().zip(&STAGES) {
            assert!((weights.iter().sum::<f64>() - node).abs() < 1e-14);
        }
        assert!(ERROR.iter().sum::<f64>().abs() < 1e-15);
    }

    #[test]
    fn converges_with_fifth_order() {
        let driven = |t: f64, y: State| [y[1], t.cos() - y[0].sin()];
        let run = |steps: usize| {
            let h = 3.0 / steps as f64;
            (0..steps).fold([1.0, 0.3], |y, k| step(driven, k as f64 * h, y, h).0)
        };
        let exact = run(3200);
        let error = |steps| (run(steps)[0] - exact[0]).hypot(run(steps)[1] - exact[1]);
        let order = (error(30) / error(60)).log2();
        // The formula's leading error is so small that the next one shows: above five, never below.
        assert!(order > 4.9, "order {order}");
    }

    #[test]
    fn the_estimate_follows_the_error_of_the_lower_order() {
        // y' = 5 t⁴ has the answer t⁵: fifth order is exact, the embedded fourth order is not.
        let (end, error) = step(|t, _| [5.0 * t.powi(4), 0.0], 0.0, [0.0, 0.0], 1.0);
        assert!((end[0] - 1.0).abs() < 1e-14);
        assert!(error[0].abs() > 1e-4);
    }
}
