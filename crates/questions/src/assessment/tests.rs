//! Assessments by hand, and the published table of PGCL.

use drystone_model::{
    Assessment, CapacitySource, CodeShape, Displacements, Eurocode8Type, Floor, FloorMode,
    GivenCapacity, Hazard, Scaling, SoilClass,
};

use super::*;
use drystone_shaking::STANDARD_GRAVITY as G;
use drystone_shaking::code_spectrum::Corners;

fn italian(ag: f64, f0: f64, tc_star: f64, damping: f64) -> Hazard {
    Hazard {
        code: CodeShape::Ntc2018 {
            f0,
            tc_star,
            topography: 1.0,
        },
        ag: ag * G,
        damping,
    }
}

/// L'Aquila as in PGCL, section 7: soil B with S = 1.2 throughout.
fn laquila() -> Assessment {
    Assessment {
        capacity: CapacitySource::Pushover(String::new()),
        soil: SoilClass::B,
        soil_factor: Some(1.2),
        damage: Some(italian(0.104, 2.332, 0.281, 0.05)),
        life_safety: Some(italian(0.261, 2.364, 0.347, 0.08)),
        behaviour_factor: 2.0,
        confidence_factor: 1.35,
        floor: None,
        scaling: Scaling::Demand,
        gravity: G,
    }
}

/// A column of table 3: alpha_0, alpha_y, d_y and d_0 in mm, e*, Gamma*, T_LSLS in s; then the indices as printed.
const TABLE_3: [([f64; 7], [f64; 4]); 3] = [
    (
        [0.088, 0.080, 19.0, 471.0, 0.790, 0.670, 2.52],
        [0.66, 0.54, 0.52, 0.66],
    ),
    (
        [0.104, 0.100, 20.0, 471.0, 0.791, 0.671, 2.52],
        [0.78, 0.60, 0.62, 0.66],
    ),
    (
        [0.113, 0.105, 26.0, 698.0, 0.792, 0.680, 2.77],
        [0.85, 0.73, 0.67, 0.94],
    ),
];

fn column(values: [f64; 7]) -> GivenCapacity {
    let [alpha_0, alpha_y, d_y, d_0, participation, gamma, period] = values;
    GivenCapacity {
        alpha_0,
        participation,
        displacements: Some(Displacements {
            alpha_y,
            d_y: 1e-3 * d_y,
            d_0: Some(1e-3 * d_0),
            d_ultimate: None,
            gamma,
            curve: Vec::new(),
            period_life_safety: Some(period),
        }),
    }
}

/// What is known of the displacements of a column.
fn known(capacity: &mut GivenCapacity) -> &mut Displacements {
    capacity.displacements.as_mut().unwrap()
}

fn indices(settings: &Assessment, capacity: &GivenCapacity) -> Vec<f64> {
    let checks = assess(settings, capacity).checks;
    checks.iter().map(|check| check.index.unwrap()).collect()
}

/// Inputs of the table are printed to two or three digits. Within that rounding of theirs every index comes out as printed.
#[test]
fn table_3_of_pgcl_from_its_own_capacities() {
    let half = [0.0005, 0.0005, 0.5, 0.5, 0.0005, 0.0005, 0.005];
    for (values, printed) in TABLE_3 {
        let found = indices(&laquila(), &column(values));
        let (mut low, mut high) = (found.clone(), found.clone());
        // Corners of the box of roundings: every index is monotone in every input.
        for corner in 0..128_u32 {
            let moved = std::array::from_fn(|k| {
                values[k] + half[k] * if corner >> k & 1 == 0 { -1.0 } else { 1.0 }
            });
            for (k, index) in indices(&laquila(), &column(moved)).into_iter().enumerate() {
                low[k] = low[k].min(index);
                high[k] = high[k].max(index);
            }
        }
        for k in 0..4 {
            let as_printed = (printed[k] - 0.005)..=(printed[k] + 0.005);
            assert!(
                low[k] <= *as_printed.end() && high[k] >= *as_printed.start(),
                "{} is not in {}..{}",
                printed[k],
                low[k],
                high[k]
            );
            // And the box is small: rounding of d_y to a millimetre and of the index itself to a hundredth are 2.5 % at most.
            assert!(
                (found[k] / printed[k] - 1.0).abs() < 0.025,
                "{found:?} {printed:?}"
            );
        }
        // By forces and at life safety the printed inputs alone give the printed digits, up to one in the last: alpha_0 is rounded to 0.6 %.
        for k in [0, 2, 3] {
            assert!(
                (found[k] - printed[k]).abs() < 0.0075,
                "{found:?} {printed:?}"
            );
        }
    }
}

/// a_g at which the demand is the capacity, put back into the demand.
#[test]
fn the_acceleration_found_uses_the_capacity_up() {
    for scaling in [Scaling::Capacity, Scaling::Demand] {
        for soil in [SoilClass::A, SoilClass::C, SoilClass::D, SoilClass::E] {
            let settings = Assessment {
                scaling,
                soil,
                soil_factor: None,
                ..laquila()
            };
            for check in assess(&settings, &column(TABLE_3[0].0)).checks {
                let hazard = match check.state {
                    LimitState::Damage => settings.damage,
                    LimitState::LifeSafety => settings.life_safety,
                }
                .unwrap();
                let demand = Demand::new(&settings, &hazard);
                let ag = check.ag_capacity.unwrap();
                let again = match check.method {
                    Method::Force => demand.acceleration(ag, 0.0),
                    Method::Displacement => demand.displacement(ag, check.period),
                };
                assert!(
                    (again / check.capacity - 1.0).abs() < 1e-9,
                    "{soil:?} {check:?}"
                );
                // Nothing below it does.
                let before = match check.method {
                    Method::Force => demand.acceleration(0.97 * ag, 0.0),
                    Method::Displacement => demand.displacement(0.97 * ag, check.period),
                };
                assert!(before < check.capacity);
            }
        }
    }
}

/// Both ways of scaling agree where capacity and demand are equal: whether a check is passed depends on neither.
#[test]
fn scaling_does_not_change_the_verdict() {
    for (values, _) in TABLE_3 {
        for d_0 in [300.0, 600.0, 1200.0] {
            let mut values = values;
            values[3] = d_0;
            let verdicts = [Scaling::Capacity, Scaling::Demand].map(|scaling| {
                let settings = Assessment {
                    scaling,
                    soil_factor: None,
                    ..laquila()
                };
                let found = indices(&settings, &column(values));
                found.iter().map(|index| *index >= 1.0).collect::<Vec<_>>()
            });
            assert_eq!(verdicts[0], verdicts[1]);
        }
    }
}

/// Eurocode 8, type 1, soil A, by hand: T_0 = 2 pi sqrt(0.01/1) = 0.628 s lies between T_C = 0.4 and T_D = 2 s, where
/// S_De = a_g 2.5 T_C T / (4 pi²) = 0.01591 a_g; 0.01 m are used up at 0.6285 m/s².
#[test]
fn eurocode_8_by_hand() {
    let hazard = Hazard {
        code: CodeShape::Eurocode8 {
            kind: Eurocode8Type::One,
        },
        ag: 1.5,
        damping: 0.05,
    };
    let settings = Assessment {
        soil: SoilClass::A,
        soil_factor: None,
        damage: Some(hazard),
        life_safety: None,
        confidence_factor: 1.0,
        ..laquila()
    };
    let capacity = GivenCapacity {
        alpha_0: 1.1 / G,
        participation: 1.0,
        displacements: Some(Displacements {
            alpha_y: 1.0 / G,
            d_y: 0.01,
            d_0: Some(0.2),
            d_ultimate: None,
            gamma: 1.0,
            curve: Vec::new(),
            period_life_safety: None,
        }),
    };
    let checks = assess(&settings, &capacity).checks;
    assert_eq!(checks.len(), 2);
    assert!((checks[0].ag_capacity.unwrap() - 1.1).abs() < 1e-9);
    let expected = 0.01 * 4.0 * std::f64::consts::PI.powi(2) / (2.5 * 0.4 * 0.628_318_5);
    assert!(
        (checks[1].ag_capacity.unwrap() - expected).abs() < 1e-6,
        "{checks:?}"
    );
}

/// A bilinear capacity: at 0.4 d_0 the straight falling branch has 0.6 d_0 / (d_0 - d_y) of the peak.
#[test]
fn the_period_at_life_safety_is_read_from_the_curve() {
    let mut capacity = column(TABLE_3[0].0);
    known(&mut capacity).period_life_safety = None;
    let oscillator = assess(&laquila(), &capacity).oscillator;
    let (peak, life) = (oscillator.peak.unwrap(), oscillator.life.unwrap());
    let share = 0.6 * 471.0 / (471.0 - 19.0);
    assert!((life.acceleration / peak.acceleration - share).abs() < 1e-12);
    let period = 1.68 * std::f64::consts::PI * (life.displacement / life.acceleration).sqrt();
    assert!((life.period - period).abs() < 1e-12);
    // The same curve written out is the same curve.
    known(&mut capacity).curve = vec![[0.0, 0.0], [0.019, 0.080], [0.471, 0.0]];
    let written = assess(&laquila(), &capacity).oscillator.life.unwrap();
    assert!((written.period - period).abs() < 1e-9);
}

/// The spectrum of a floor: the acceleration of the floor itself at zero period, the largest amplification at the period of the building, the
/// ground far beyond it, no jumps.
#[test]
fn floors_amplify_around_the_period_of_the_building() {
    let settings = laquila();
    let hazard = settings.life_safety.unwrap();
    let ground = Demand::new(&settings, &hazard).corners(hazard.ag);
    let floor = Floor {
        modes: vec![FloorMode {
            period: 0.3,
            participation: 1.2,
            shape: 0.5,
        }],
        damping: 0.05,
    };
    let at = |period: f64| floor_acceleration(&floor, &ground, 0.05, period);
    let building = Corners { eta: 1.0, ..ground };
    let on_floor = building.acceleration(0.3) * 0.6 * (1.0_f64 + 0.01).sqrt();
    assert!((at(0.0) - on_floor.max(ground.zero_period)).abs() < 1e-12);
    // 1.1 / sqrt(0.05) = 4.9193.
    assert!((at(0.3) / on_floor - 4.919_35).abs() < 1e-4);
    assert!(at(3.9) >= ground.acceleration(3.9));
    for joint in [0.8 * 0.3, 1.1 * 0.3] {
        let [before, after] = [1.0 - 1e-9, 1.0 + 1e-9].map(|f| at(f * joint));
        assert!((before / after - 1.0).abs() < 1e-6);
    }
    // A floor makes forces worse; both checks by forces fall.
    let above = Assessment {
        floor: Some(floor),
        ..laquila()
    };
    let [low, high] = [&above, &settings].map(|s| indices(s, &column(TABLE_3[0].0)));
    assert!(low[0] < high[0] && low[2] < high[2], "{low:?} {high:?}");
}

#[test]
fn what_no_earthquake_reaches_has_no_index() {
    let mut capacity = column(TABLE_3[0].0);
    known(&mut capacity).d_0 = Some(1e4);
    let checks = assess(&laquila(), &capacity).checks;
    assert_eq!(checks[3].index, None);
    capacity.alpha_0 = 0.0;
    assert_eq!(assess(&laquila(), &capacity).checks[0].index, Some(0.0));
}

/// What is not known is not checked, and what is known does not depend on it.
#[test]
fn checks_need_no_more_than_they_are_about() {
    let whole = column(TABLE_3[0].0);
    let all = assess(&laquila(), &whole).checks;
    let mut no_end = whole.clone();
    known(&mut no_end).d_0 = None;
    assert_eq!(assess(&laquila(), &no_end).checks, all[..3]);
    let mut no_peak = whole.clone();
    known(&mut no_peak).d_y = 0.0;
    assert_eq!(
        assess(&laquila(), &no_peak).checks,
        [all[0], all[2], all[3]]
    );
    let mut forces = whole;
    forces.displacements = None;
    let found = assess(&laquila(), &forces);
    assert_eq!(found.checks, [all[0], all[2]]);
    assert!(found.oscillator.curve.is_empty());
}

/// A curve that ends before its multiplier is zero has its last displacement as the capacity, and what lies beyond does not count.
#[test]
fn the_last_displacement_in_equilibrium_is_the_capacity() {
    let mut capacity = column(TABLE_3[0].0);
    let known = known(&mut capacity);
    known.period_life_safety = None;
    (known.d_0, known.d_ultimate) = (None, Some(0.1));
    known.curve = vec![[0.0, 0.0], [known.d_y, known.alpha_y], [0.1, 0.06]];
    let (gamma, d_y, alpha_y) = (known.gamma, known.d_y, known.alpha_y);
    let found = assess(&laquila(), &capacity);
    let life = found.oscillator.life.expect("an end");
    assert!((life.last_displacement - 0.1 * gamma).abs() < 1e-12);
    assert!((life.displacement - 0.04 * gamma).abs() < 1e-12);
    // On the straight line from the peak to the last point.
    let alpha = alpha_y + (0.04 - d_y) / (0.1 - d_y) * (0.06 - alpha_y);
    let unit = laquila().gravity / (capacity.participation * laquila().confidence_factor);
    assert!((life.acceleration - unit * alpha).abs() < 1e-9);
    assert_eq!(found.checks.len(), 4);
}
