//! Verdicts just below and just above the limit of random assemblies in space.

mod common;

use common::{Kind, Random, assembly};
use drystone_cone::{LimitMethod, LimitSettings, LimitStatus, solve_limit};
use drystone_geometry::DVec3;
use drystone_model::{AnalysisKind, Model};
use drystone_questions::statics::{Posed, Standing, limit, standing};

/// Assemblies of each kind.
const COUNT: u64 = 40;

fn direction(seed: u64) -> DVec3 {
    let angle = Random::new(seed + 1000).between(0.0, std::f64::consts::TAU);
    DVec3::new(angle.cos(), angle.sin(), 0.0)
}

/// An assembly with what multiplies: its weight, in a horizontal direction of its own.
struct Pushed<'m> {
    posed: Posed<'m>,
    dead: Vec<[f64; 6]>,
    live: Vec<[f64; 6]>,
}

impl<'m> Pushed<'m> {
    fn new(model: &'m Model, seed: u64) -> Self {
        let posed = Posed::new(model);
        Self {
            dead: posed.statics.dead(),
            live: posed.statics.body_force(direction(seed)),
            posed,
        }
    }

    /// The multiplier by either solver; none if it does not stand by itself.
    fn limit(&self, method: LimitMethod) -> Option<f64> {
        let problem = self
            .posed
            .limit_problem(self.dead.clone(), self.live.clone());
        let settings = LimitSettings {
            method,
            ..LimitSettings::default()
        };
        let found = solve_limit(&problem, &settings).unwrap();
        (found.status == LimitStatus::Optimal).then_some(found.multiplier)
    }

    fn standing(&self, multiplier: f64) -> Standing {
        let both = self.dead.iter().zip(&self.live);
        let loads: Vec<[f64; 6]> = both
            .map(|(d, l)| std::array::from_fn(|k| d[k] + multiplier * l[k]))
            .collect();
        standing(&self.posed, &loads, 1e-6).unwrap()
    }
}

/// Every verdict at a millionth of the limit and more is right, and proved: none is left open.
#[test]
fn verdicts_are_right_to_a_millionth_of_the_limit() {
    let mut checked = 0;
    for kind in Kind::ALL {
        for seed in 0..COUNT {
            let model = assembly(kind, seed, "");
            let pushed = Pushed::new(&model, seed);
            let found = LimitMethod::InteriorPoint;
            let [own, clarabel] = [found, LimitMethod::Clarabel].map(|method| pushed.limit(method));
            let (Some(own), Some(clarabel)) = (own, clarabel) else {
                assert!(
                    !pushed.standing(0.0).stands,
                    "{kind:?} {seed}: {own:?} {clarabel:?}"
                );
                continue;
            };
            // Both have a relative tolerance of 1e-8 on forces, of which a multiplier is worth some.
            assert!(
                (own - clarabel).abs() < 2e-7 * own.abs(),
                "{kind:?} {seed}: {own} {clarabel}"
            );
            for part in [1e-3, 1e-4, 1e-5, 1e-6] {
                let far = part * own.abs();
                let [below, above] = [own - far, own + far].map(|x| pushed.standing(x));
                assert!(
                    below.solved && below.stands,
                    "{kind:?} {seed}: falls at {own} less {part}"
                );
                assert!(
                    above.solved && !above.stands,
                    "{kind:?} {seed}: stands at {own} plus {part}"
                );
            }
            checked += 1;
        }
    }
    assert!(checked > 150, "{checked}");
}

/// What is not decided says how near to the limit it is.
#[test]
fn at_the_limit_the_margin_is_small() {
    let mut marginal = 0;
    for kind in Kind::ALL {
        for seed in 0..8 {
            let model = assembly(kind, seed, "");
            let pushed = Pushed::new(&model, seed);
            let Some(limit) = pushed.limit(LimitMethod::InteriorPoint) else {
                continue;
            };
            let found = pushed.standing(limit);
            if found.is_marginal() {
                let [low, high] = found.margin.unwrap();
                assert!(
                    low <= high && low > -1e-5 && high < 1e-5,
                    "{kind:?} {seed}: {low} {high}"
                );
                marginal += 1;
            } else {
                assert!(found.solved, "{kind:?} {seed}");
            }
        }
    }
    assert!(marginal > 0, "nothing was at its limit");
}

/// Dead loads that leave a ten-thousandth of the limit leave just that to the live ones, and are not called infeasible.
#[test]
fn a_limit_close_to_nothing_is_found() {
    for kind in Kind::ALL {
        for seed in 0..12 {
            let bare = assembly(kind, seed, "");
            let Some(whole) = Pushed::new(&bare, seed).limit(LimitMethod::InteriorPoint) else {
                continue;
            };
            let left = 1e-4 * whole.abs();
            let [x, y] = [direction(seed).x, direction(seed).y];
            let loads = bare.blocks.iter().filter(|block| !block.support);
            let loads = loads.map(|block| {
                let force = (whole - left) * block.mass * bare.gravity;
                let (name, fx, fy) = (&block.name, force * x, force * y);
                format!("[[load]]\nblock = \"{name}\"\nforce = [{fx:?}, {fy:?}, 0.0]\n")
            });
            let more: String = loads.collect();
            let ask = format!(
                "[[analysis]]\nname = \"a\"\nkind = \"limit\"\ndirection = [{x:?}, {y:?}, 0.0]\n"
            );
            let model = assembly(kind, seed, &(more + &ask));
            let AnalysisKind::Limit(settings) = &model.analyses[0].kind else {
                panic!("a limit");
            };
            let found = limit(&Posed::new(&model), settings).unwrap();
            assert_eq!(found.status, LimitStatus::Optimal, "{kind:?} {seed}");
            // Both limits are as exact as above.
            assert!(
                (found.multiplier - left).abs() < 2e-7,
                "{kind:?} {seed}: {} instead of {left}",
                found.multiplier
            );
        }
    }
}
