//! Anderson acceleration of a fixed point `x = f(x)`.

/// Remembers the last few steps of a fixed-point iteration and proposes the next point.
pub(crate) struct Anderson {
    memory: usize,
    /// Differences of successive points and of their residuals `f(x) - x`.
    points: Vec<Vec<f64>>,
    residuals: Vec<Vec<f64>>,
    last: Option<(Vec<f64>, Vec<f64>)>,
}

impl Anderson {
    pub(crate) fn new(memory: usize) -> Self {
        Self {
            memory,
            points: Vec::new(),
            residuals: Vec::new(),
            last: None,
        }
    }

    /// Forgets the past, because the map has changed its branch and old differences mislead.
    pub(crate) fn restart(&mut self) {
        self.points.clear();
        self.residuals.clear();
        self.last = None;
    }

    /// The next point from `x` and `f(x)`: the combination of past steps whose linearised residual is smallest.
    pub(crate) fn next(&mut self, x: &[f64], image: &[f64]) -> Vec<f64> {
        let residual: Vec<f64> = image.iter().zip(x).map(|(f, x)| f - x).collect();
        if let Some((old_x, old_residual)) = self.last.take() {
            self.points
                .push(x.iter().zip(&old_x).map(|(a, b)| a - b).collect());
            self.residuals.push(
                residual
                    .iter()
                    .zip(&old_residual)
                    .map(|(a, b)| a - b)
                    .collect(),
            );
            if self.points.len() > self.memory {
                self.points.remove(0);
                self.residuals.remove(0);
            }
        }
        self.last = Some((x.to_vec(), residual.clone()));
        let mut next = image.to_vec();
        let weights = least_squares(&self.residuals, &residual);
        for ((point, change), weight) in self.points.iter().zip(&self.residuals).zip(weights) {
            for ((n, p), r) in next.iter_mut().zip(point).zip(change) {
                *n -= weight * (p + r);
            }
        }
        next
    }
}

/// Minimises `|b - sum w_k a_k|` by normal equations with a little of Tikhonov; columns are few.
fn least_squares(columns: &[Vec<f64>], b: &[f64]) -> Vec<f64> {
    let count = columns.len();
    let dot = |p: &[f64], q: &[f64]| p.iter().zip(q).map(|(x, y)| x * y).sum::<f64>();
    let mut matrix: Vec<Vec<f64>> = (0..count)
        .map(|i| (0..count).map(|j| dot(&columns[i], &columns[j])).collect())
        .collect();
    let mut right: Vec<f64> = columns.iter().map(|c| dot(c, b)).collect();
    let trace: f64 = (0..count).map(|k| matrix[k][k]).sum();
    (0..count).for_each(|k| matrix[k][k] += 1e-12 * trace + f64::MIN_POSITIVE);
    for k in 0..count {
        let pivot_row = matrix[k].clone();
        let pivot_right = right[k];
        for i in k + 1..count {
            let factor = matrix[i][k] / pivot_row[k];
            for (entry, pivot) in matrix[i].iter_mut().zip(&pivot_row).skip(k) {
                *entry -= factor * pivot;
            }
            right[i] -= factor * pivot_right;
        }
    }
    for k in (0..count).rev() {
        let known: f64 = (k + 1..count).map(|j| matrix[k][j] * right[j]).sum();
        right[k] = (right[k] - known) / matrix[k][k];
    }
    if right.iter().all(|x| x.is_finite()) {
        right
    } else {
        vec![0.0; count]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// On a linear map of four unknowns five steps are exact, even where plain iteration diverges.
    #[test]
    fn linear_maps_converge_in_as_many_steps_as_unknowns() {
        let f = |x: &[f64]| -> Vec<f64> {
            (0..4)
                .map(|k| 1.0 + [-1.5, 0.9, 0.3, -0.2][k] * x[k] + 0.1 * x[(k + 1) % 4])
                .collect()
        };
        let mut anderson = Anderson::new(5);
        let mut x = vec![0.0; 4];
        for _ in 0..7 {
            x = anderson.next(&x.clone(), &f(&x));
        }
        let left: f64 = f(&x).iter().zip(&x).map(|(a, b)| (a - b).abs()).sum();
        // Limited by the regularisation of the least squares.
        assert!(left < 1e-6, "{left}");
    }
}
