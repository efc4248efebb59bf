//! From runs to errors and orders.

use drystone_model::Scheme;
use drystone_questions::rocking;
use drystone_shaking::GroundMotion;

use super::Method;
use super::runs::{Row, equation_of_motion};
use super::structures::{Measure, Structure};

/// Runs of one structure and one method, the coarsest first.
#[derive(Debug, Clone)]
pub struct Runs {
    /// How they were stepped.
    pub method: Method,
    /// Each with its step, s, and with that of changed input if there is one.
    pub rows: Vec<(Row, Option<Row>)>,
}

/// Errors of one method by one measure.
#[derive(Debug, Clone)]
pub struct Curve {
    /// How time was stepped.
    pub method: Method,
    /// Step of the run of this method that others are compared with, s; zero if they are compared with something better: the exact motion, or a scheme of higher order.
    pub reference: f64,
    /// How far blocks have moved at the end in the finest run, root of the mean square, mm; none where positions are not compared.
    pub moved: Option<f64>,
    /// The coarsest first.
    pub points: Vec<Point>,
}

/// A run and its error.
#[derive(Debug, Clone)]
pub struct Point {
    /// Step, s.
    pub dt: f64,
    /// In the unit of the measure; none of a run that was given up, and of the reference itself.
    pub error: Option<f64>,
    /// Difference to the run of changed input with the same step: what is below that is not told.
    pub band: Option<f64>,
    /// What it took.
    pub row: Row,
}

/// Errors of all methods of a structure by one of its measures.
#[derive(Debug, Clone)]
pub struct Study {
    /// Of what.
    pub structure: &'static Structure,
    /// By what.
    pub measure: Measure,
    /// In the order of the structure's methods.
    pub curves: Vec<Curve>,
}

impl Study {
    /// Compares runs.
    pub fn new(
        structure: &'static Structure,
        measure: Measure,
        runs: &[Runs],
    ) -> Result<Self, String> {
        let exact = match measure {
            Measure::Impacts(_) => exact_impacts(structure)?,
            Measure::Positions | Measure::Spread(_) => Vec::new(),
        };
        let at_start = initial_positions(structure)?;
        let at_end: Option<Vec<[f64; 3]>> = structure
            .exact
            .map(|exact| exact(structure.time).iter().map(|p| p.to_array()).collect());
        let compare = |row: &Row, other: Option<&Row>| -> Option<f64> {
            match measure {
                Measure::Positions => {
                    let other = other.map(|other| &other.positions).or(at_end.as_ref());
                    Some(1e3 * distance(&row.positions, other?))
                }
                Measure::Impacts(count) => {
                    let impacts = other.map_or(&exact, |other| &other.impacts);
                    Some(1e3 * largest_difference(&row.impacts, impacts, count))
                }
                Measure::Spread(count) => Some(match other {
                    None => spread(&row.rotations[..count]),
                    Some(other) => {
                        (spread(&row.rotations[..count]) - spread(&other.rotations[..count])).abs()
                    }
                }),
            }
        };
        let mut curves = Vec::new();
        for of_method in runs.iter().filter(|runs| !runs.rows.is_empty()) {
            // The first-order scheme is compared with the other one of the same law.
            let best = Method {
                scheme: Scheme::Leapfrog,
                ..of_method.method
            };
            let reference = match measure {
                Measure::Positions if at_end.is_none() => runs
                    .iter()
                    .find(|other| other.method == best)
                    .and_then(|other| other.rows.iter().rev().find(|(row, _)| row.finished))
                    .map(|(row, _)| row),
                Measure::Positions | Measure::Impacts(_) | Measure::Spread(_) => None,
            };
            let finest = of_method.rows.iter().rev().find(|(row, _)| row.finished);
            let moved = finest
                .filter(|_| measure == Measure::Positions)
                .map(|(row, _)| 1e3 * distance(&row.positions, &at_start));
            let points = of_method.rows.iter().map(|(row, changed)| {
                let itself = reference.is_some_and(|reference| reference.key == row.key);
                let changed = changed.as_ref().filter(|changed| changed.finished);
                Point {
                    dt: row.key.dt,
                    error: (row.finished && !itself)
                        .then(|| compare(row, reference))
                        .flatten(),
                    band: changed
                        .filter(|_| row.finished)
                        .and_then(|changed| compare(row, Some(changed))),
                    row: row.clone(),
                }
            });
            curves.push(Curve {
                method: of_method.method,
                reference: reference
                    .filter(|_| of_method.method == best)
                    .map_or(0.0, |row| row.key.dt),
                moved,
                points: points.collect(),
            });
        }
        Ok(Self {
            structure,
            measure,
            curves,
        })
    }
}

impl Curve {
    /// Steps and errors that say something: above what a changed input does.
    pub fn telling(&self) -> Vec<[f64; 2]> {
        let told = self.points.iter().filter_map(|point| {
            let error = point.error.filter(|error| error.is_finite())?;
            (error > point.band.unwrap_or(0.0)).then_some([point.dt, error])
        });
        told.collect()
    }

    /// Between a point and the one before it; none if one of them has no error.
    pub fn order_at(&self, k: usize) -> Option<f64> {
        let before = self.points.get(k.checked_sub(1)?)?;
        let here = &self.points[k];
        let pair = [[before.dt, before.error?], [here.dt, here.error?]];
        order(&pair, self.reference)
    }

    /// Through all that tells; none if fewer than three points do, through two of which any line goes.
    pub fn order(&self) -> Option<f64> {
        let points = self.telling();
        (points.len() >= 3)
            .then(|| order(&points, self.reference))
            .flatten()
    }

    /// Seconds of processor time that an error takes, between the runs on both sides of it; none if it is not reached, or before the coarsest run.
    ///
    /// Where errors are not monotone, the first run of the rest that stays below counts.
    pub fn cost_of(&self, error: f64) -> Option<f64> {
        let points: Vec<(f64, f64)> = self
            .points
            .iter()
            .filter_map(|point| Some((point.error?, point.row.cpu)))
            .collect();
        let above = points.iter().rposition(|&(other, _)| other > error)?;
        let (&(e1, c1), &(e2, c2)) = (points.get(above)?, points.get(above + 1)?);
        if !(e2 > 0.0 && e1.is_finite()) {
            return Some(c2);
        }
        let part = (e1 / error).ln() / (e1 / e2).ln();
        Some((c1.ln() + part * (c2 / c1).ln()).exp())
    }
}

/// Order of errors `e = C |h^p - h_r^p|` over steps `h`, where the reference has the step `h_r`: `p` of the least squares in `ln e`.
///
/// Without `h_r`, the first point beside the reference of a first-order method would look like one of order 1.6. None if errors are not positive
/// or steps not different.
pub fn order(points: &[[f64; 2]], reference: f64) -> Option<f64> {
    let usable = points.iter().all(|&[h, e]| e > 0.0 && h > reference);
    let spread = points.iter().any(|point| point[0] != points[0][0]);
    if !(usable && spread) {
        return None;
    }
    // ln of (h^p - h_r^p) / p, which goes through p = 0 smoothly.
    let shape = |h: f64, p: f64| -> f64 {
        if reference == 0.0 {
            return p * h.ln();
        }
        let logarithm = (h / reference).ln();
        let grown = if p.abs() < 1e-9 {
            logarithm
        } else {
            (p * logarithm).exp_m1() / p
        };
        grown.ln() + p * reference.ln()
    };
    // Sum of squares about the best C.
    let misfit = |p: f64| -> f64 {
        let rests: Vec<f64> = points.iter().map(|&[h, e]| e.ln() - shape(h, p)).collect();
        let mean = rests.iter().sum::<f64>() / rests.len() as f64;
        rests.iter().map(|rest| (rest - mean).powi(2)).sum()
    };
    // Unimodal: a golden search is sure, and its cost does not matter.
    let (mut low, mut high) = (-20.0_f64, 20.0_f64);
    let section = 0.5 * (5f64.sqrt() - 1.0);
    while high - low > 1e-6 {
        let (a, b) = (high - section * (high - low), low + section * (high - low));
        if misfit(a) < misfit(b) {
            high = b;
        } else {
            low = a;
        }
    }
    Some(0.5 * (low + high))
}

/// Root of the mean square of distances, m.
fn distance(a: &[[f64; 3]], b: &[[f64; 3]]) -> f64 {
    let squares = a.iter().zip(b).map(|(a, b)| {
        let parts = a.iter().zip(b).map(|(a, b)| (a - b).powi(2));
        parts.sum::<f64>()
    });
    (squares.sum::<f64>() / a.len() as f64).sqrt()
}

/// Of the first so many; infinite if there are fewer.
fn largest_difference(a: &[f64], b: &[f64], count: usize) -> f64 {
    if a.len() < count || b.len() < count {
        return f64::INFINITY;
    }
    let pairs = a.iter().zip(b).take(count);
    pairs.fold(0.0, |worst, (a, b)| worst.max((a - b).abs()))
}

/// Largest minus smallest angle about y, rad.
fn spread(rotations: &[[f64; 3]]) -> f64 {
    let angles = || rotations.iter().map(|rotation| rotation[1]);
    angles().fold(f64::NEG_INFINITY, f64::max) - angles().fold(f64::INFINITY, f64::min)
}

/// Of the free blocks, m.
fn initial_positions(structure: &Structure) -> Result<Vec<[f64; 3]>, String> {
    let model = (structure.model)()?;
    let free = model.blocks.iter().filter(|block| !block.support);
    Ok(free.map(|block| block.position.to_array()).collect())
}

/// Impact times by the equation of motion, s.
fn exact_impacts(structure: &Structure) -> Result<Vec<f64>, String> {
    let model = (structure.model)()?;
    let settings = equation_of_motion(&model).ok_or("no equation of motion")?;
    let ground = GroundMotion::new(&model.motions, &settings.motions).map_err(|e| e.to_string())?;
    let exact = rocking::solve(settings, &ground).map_err(|error| error.to_string())?;
    Ok(exact.impacts.iter().map(|impact| impact.time).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::convergence::runs::Key;
    use crate::convergence::structures::STRUCTURES;

    fn row(scheme: &str, dt: f64, shift: f64) -> Row {
        Row {
            key: Key {
                program: String::new(),
                model: String::new(),
                structure: "wall".to_owned(),
                scheme: scheme.to_owned(),
                law: "associated".to_owned(),
                tolerance: "validation".to_owned(),
                dt,
                perturbed: false,
            },
            finished: true,
            cpu: 1.0 / dt,
            steps: 1,
            iterations: 1,
            inaccurate_steps: 0,
            fallback_steps: 0,
            halved_steps: 0,
            positions: vec![[1.0 + shift, 0.0, 2.0], [0.0, shift, 0.0]],
            rotations: vec![[0.0; 3]; 2],
            impacts: Vec::new(),
        }
    }

    fn wall() -> &'static Structure {
        STRUCTURES.iter().find(|s| s.name == "wall").unwrap()
    }

    const STEPS: [f64; 5] = [8e-3, 4e-3, 2e-3, 1e-3, 5e-4];

    /// Runs whose positions are off by `c h^p` have that order, though the finest of them is the reference and off itself.
    #[test]
    fn orders_are_those_of_the_errors() {
        for p in [0.5, 1.0, 2.0] {
            let rows = STEPS.map(|h: f64| (row("leapfrog", h, 3.0 * h.powf(p)), None));
            let runs = Runs {
                method: Method::ASSOCIATED,
                rows: rows.to_vec(),
            };
            let study = Study::new(wall(), Measure::Positions, &[runs]).unwrap();
            let curve = &study.curves[0];
            assert_eq!(curve.reference, 5e-4);
            assert!(curve.points[4].error.is_none());
            assert!((curve.order().unwrap() - p).abs() < 1e-4, "{curve:?}");
            for k in 1..4 {
                assert!((curve.order_at(k).unwrap() - p).abs() < 1e-4);
            }
            assert!(curve.order_at(0).is_none() && curve.order_at(4).is_none());
            // Both blocks are off by as much, so that the mean square is that of one.
            let error = curve.points[0].error.unwrap();
            assert!((error - 3e3 * (8e-3_f64.powf(p) - 5e-4_f64.powf(p))).abs() < 1e-9);
        }
        let exact = STEPS.map(|h: f64| [h, 7.0 * h.powf(1.5)]);
        assert!((order(&exact, 0.0).unwrap() - 1.5).abs() < 1e-4);
        assert!(order(&[[1e-3, 0.0], [5e-4, 1.0]], 0.0).is_none());
    }

    /// The first-order scheme is measured against the finest run of the other one.
    #[test]
    fn the_reference_is_that_of_the_better_scheme() {
        let runs = [
            Runs {
                method: Method::ASSOCIATED,
                rows: vec![(row("leapfrog", 1e-3, 0.0), None)],
            },
            Runs {
                method: Method::PAPERS,
                rows: vec![(row("euler", 1e-3, 2e-3), None)],
            },
        ];
        let study = Study::new(wall(), Measure::Positions, &runs).unwrap();
        assert!((study.curves[1].points[0].error.unwrap() - 2.0).abs() < 1e-12);
        assert_eq!(
            [study.curves[0].reference, study.curves[1].reference],
            [1e-3, 0.0]
        );
    }

    /// What a changed input does as well is left out of orders, and costs are found between runs.
    #[test]
    fn errors_in_the_band_do_not_tell() {
        let mut rows = STEPS.map(|h: f64| (row("leapfrog", h, h), None)).to_vec();
        rows[2].1 = Some(row("leapfrog", 2e-3, 1.0));
        let runs = Runs {
            method: Method::ASSOCIATED,
            rows,
        };
        let study = Study::new(wall(), Measure::Positions, &[runs]).unwrap();
        let curve = &study.curves[0];
        assert_eq!(curve.telling().len(), 3);
        // 7.5 mm at 125 s and 3.5 mm at 250 s.
        let cost = curve.cost_of((7.5_f64 * 3.5).sqrt()).unwrap();
        assert!((cost - 125.0 * 2f64.sqrt()).abs() < 1e-9);
        assert!(curve.cost_of(1e-3).is_none() && curve.cost_of(10.0).is_none());
    }
}
