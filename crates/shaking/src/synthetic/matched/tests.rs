//! Suites against the rules of Eurocode 8.

use super::*;
use crate::Measures;
use crate::{CodeShape, Eurocode8Type, SoilClass};

fn eurocode(kind: Eurocode8Type, soil: SoilClass) -> CodeSpectrum {
    CodeSpectrum {
        code: CodeShape::Eurocode8 { kind },
        ag: 2.5,
        soil,
        damping: 0.05,
    }
}

fn settings(spectrum: CodeSpectrum, seed: u32) -> Artificial {
    Artificial {
        spectrum,
        periods: [0.05, 4.0],
        duration: 25.0,
        stationary: 10.0,
        dt: 0.01,
        seed,
    }
}

#[test]
fn suites_meet_the_rules() {
    let ntc = CodeSpectrum {
        code: CodeShape::Ntc2018 {
            f0: 2.364,
            tc_star: 0.347,
            topography: 1.0,
        },
        ..eurocode(Eurocode8Type::One, SoilClass::C)
    };
    for spectrum in [
        eurocode(Eurocode8Type::One, SoilClass::A),
        eurocode(Eurocode8Type::One, SoilClass::D),
        eurocode(Eurocode8Type::Two, SoilClass::B),
        ntc,
    ] {
        let suite: Vec<RecordSeries> = (0..5)
            .map(|seed| artificial(&settings(spectrum, seed)).unwrap())
            .collect();
        for series in &suite {
            let single = matching(std::slice::from_ref(series), &spectrum, [0.05, 4.0]);
            assert!(single.lowest >= MATCH_FLOOR, "{single:?}");
            assert!(single.zero_period >= 1.0 - 1e-12, "{single:?}");
        }
        let found = matching(&suite, &spectrum, [0.05, 4.0]);
        assert!(found.lowest >= MATCH_FLOOR && found.zero_period >= 1.0 - 1e-12);
        // Met, not only exceeded.
        assert!((0.97..1.06).contains(&found.mean), "{found:?}");
        assert!(found.highest < 1.15 && found.zero_period < 1.1, "{found:?}");
    }
}

#[test]
fn the_motion_is_as_long_as_asked_and_ends_at_rest() {
    let spectrum = eurocode(Eurocode8Type::One, SoilClass::B);
    for seed in 0..5 {
        let series = artificial(&settings(spectrum, seed)).unwrap();
        let m = Measures::of(&series);
        assert_eq!(series.acceleration.len(), 2501);
        assert!(m.final_velocity.abs() < 1e-9 * m.pgv, "{m:?}");
        // Between the stationary part and the whole.
        assert!(m.d5_95 > 8.0 && m.d5_95 < 18.0, "{m:?}");
        // About a quarter of T_C T_D a_g S, as real earthquakes have (EN 1998-1, 3.2.2.4); not metres of drift.
        let code = 0.025 * 0.5 * 2.0 * 2.5 * 1.2;
        assert!(m.pgd < 6.0 * code, "{m:?} {code}");
    }
}

/// The bits of a seed; whoever changes them changes people's earthquakes.
#[test]
fn a_seed_is_the_same_motion_for_ever() {
    let asked = settings(eurocode(Eurocode8Type::One, SoilClass::B), 1);
    let series = artificial(&asked).unwrap();
    let hash = crate::synthetic::hash(&series);
    assert_eq!(
        hash,
        14_679_239_397_727_977_993,
        "{:?}",
        &series.acceleration[1000..1003]
    );
    let other = Artificial { seed: 2, ..asked };
    assert_ne!(artificial(&other).unwrap(), series);
}

#[test]
fn absurd_lengths_are_refused() {
    let asked = Artificial {
        duration: 1e9,
        ..settings(eurocode(Eurocode8Type::One, SoilClass::B), 1)
    };
    assert!(matches!(
        artificial(&asked),
        Err(ExcitationError::TooLong { .. })
    ));
}
