//! TOML and JSON say the same, models are written as they were read, and no text makes the reader panic.

mod common;

use std::path::Path;

use common::SOUND;
use drystone_model::*;

/// A small generator of numbers, so that tests are the same everywhere.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        // Knuth's MMIX constants; the upper bits are the good ones.
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        self.0 >> 33
    }

    fn below(&mut self, count: usize) -> usize {
        self.next() as usize % count
    }

    fn flag(&mut self) -> bool {
        self.next().is_multiple_of(2)
    }

    fn number(&mut self) -> f64 {
        let digits = self.next() as f64 - f64::from(1 << 30);
        digits * 10_f64.powi(self.below(25) as i32 - 12)
    }

    fn maybe<T>(&mut self, value: impl FnOnce(&mut Self) -> T) -> Option<T> {
        self.flag().then(|| value(self))
    }

    fn list<T>(&mut self, most: usize, mut value: impl FnMut(&mut Self) -> T) -> Vec<T> {
        (0..self.below(most + 1)).map(|_| value(self)).collect()
    }

    fn vector<const N: usize>(&mut self) -> [f64; N] {
        std::array::from_fn(|_| self.number())
    }

    fn text(&mut self) -> String {
        let letters = [
            'a', 'b', '.', ' ', '"', '\\', '\'', '\n', '\t', '[', ']', '#', 'ö', '石', '🧱',
            '\u{7}',
        ];
        self.list(8, |random| letters[random.below(letters.len())])
            .into_iter()
            .collect()
    }
}

/// Any model as written, sensible or not.
fn random_spec(random: &mut Random) -> ModelSpec {
    ModelSpec {
        model: GeneralSpec {
            name: random.maybe(Random::text),
            gravity: random.maybe(Random::number),
            plane: random.maybe(|random| if random.flag() { Plane::Xz } else { Plane::Yz }),
            floating: random.flag(),
        },
        material: random.list(3, |random| MaterialSpec {
            name: random.text(),
            density: random.number(),
        }),
        interface: random.list(3, |random| InterfaceSpec {
            between: [random.text(), random.text()],
            joints: random.maybe(|random| {
                [WhichJoints::Bed, WhichJoints::Head, WhichJoints::All][random.below(3)]
            }),
            friction: random.number(),
            normal_stiffness: random.maybe(Random::number),
            shear_stiffness: random.maybe(Random::number),
            kinetic_friction: random.maybe(Random::number),
            cohesion: random.maybe(Random::number),
            tensile_strength: random.maybe(Random::number),
            compressive_strength: random.maybe(Random::number),
            subdivisions: random.maybe(|random| random.next() as u32),
        }),
        block: random.list(4, |random| BlockSpec {
            name: random.maybe(Random::text),
            material: random.text(),
            support: random.flag(),
            group: random.maybe(Random::text),
            vertices: random.list(9, Random::vector),
            faces: random.maybe(|random| {
                random.list(4, |random| random.list(4, |random| random.next() as u32))
            }),
            velocity: random.maybe(Random::vector),
            angular_velocity: random.maybe(Random::vector),
            mass: random.maybe(Random::number),
            centroid: random.maybe(Random::vector),
            inertia: random.maybe(Random::vector),
        }),
        import: random.list(2, |random| ImportSpec {
            drawing: DrawingSpec {
                path: random.text(),
                unit: random.maybe(Random::text),
                snap: random.maybe(Random::number),
                depth: random.maybe(Random::number),
                up: random.maybe(|random| if random.flag() { Up::Y } else { Up::Z }),
                chord_degrees: random.maybe(Random::number),
                layers: random.list(2, |random| LayerSpec {
                    layer: random.text(),
                    material: random.maybe(Random::text),
                    group: random.maybe(Random::text),
                    support: random.maybe(Random::flag),
                    skip: random.flag(),
                }),
            },
            placing: random_placing(random),
        }),
        generate: random.list(3, |random| GenerateSpec {
            placing: random_placing(random),
            structure: if random.flag() {
                StructureSpec::Box(structures::Cuboid {
                    size: random.vector(),
                })
            } else {
                StructureSpec::Ground(structures::Ground {
                    below: random.maybe(|random| random.list(3, Random::text)),
                    depth: random.maybe(Random::number),
                    margin: random.maybe(Random::number),
                    level: random.maybe(Random::number),
                })
            },
        }),
        load: random.list(3, |random| LoadSpec {
            block: random.text(),
            force: random.vector(),
            point: random.maybe(Random::vector),
            live: random.flag(),
        }),
        tie: random.list(3, |random| TieSpec {
            name: random.maybe(Random::text),
            blocks: [random.text(), random.text()],
            points: [random.vector(), random.vector()],
            stiffness: random.number(),
            yield_force: random.number(),
            max_elongation: random.maybe(Random::number),
            initial_force: random.maybe(Random::number),
        }),
        motion: random.list(4, random_motion),
        analysis: random.list(3, random_analysis),
    }
}

fn random_placing(random: &mut Random) -> PlacingSpec {
    let axis = |random: &mut Random| [Axis::X, Axis::Y, Axis::Z][random.below(3)];
    PlacingSpec {
        name: random.maybe(Random::text),
        material: random.text(),
        group: random.maybe(Random::text),
        support: random.flag(),
        at: random.maybe(Random::vector),
        rotate_degrees: random.maybe(Random::vector),
        mirror: random.maybe(axis),
        repeat: random.maybe(|random| RepeatSpec {
            count: random.next() as u32,
            step: random.vector(),
        }),
        cut: random.list(2, |random| CutSpec {
            point: random.vector(),
            normal: random.vector(),
        }),
        gap: random.maybe(Random::number),
        trim: random.maybe(Random::number),
        bumps: random.maybe(|random| BumpsSpec {
            blocks: random.maybe(Random::text),
            count: random.next() as u32,
            height: random.number(),
            along: random.maybe(axis),
        }),
        set: random.list(2, |random| SetSpec {
            blocks: random.text(),
            material: random.maybe(Random::text),
            group: random.maybe(Random::text),
            support: random.maybe(Random::flag),
        }),
        remove: random.list(2, Random::text),
    }
}

fn random_motion(random: &mut Random) -> MotionSpec {
    let pulse = |random: &mut Random| PulseSpec {
        name: random.text(),
        amplitude: random.number(),
        half_period: random.number(),
        direction: random.maybe(Random::vector),
    };
    let channel = |random: &mut Random| match random.flag() {
        true => Channel::Number(1 + random.below(5) as u32),
        false => Channel::Name(random.text()),
    };
    let sa = |random: &mut Random| SaSpec {
        period: random.number(),
        value: random.number(),
        damping: random.maybe(Random::number),
    };
    let soils = [
        SoilClass::A,
        SoilClass::B,
        SoilClass::C,
        SoilClass::D,
        SoilClass::E,
    ];
    let baselines = [
        Baseline::None,
        Baseline::Constant,
        Baseline::Linear,
        Baseline::Quadratic,
    ];
    match random.below(8) {
        0 => MotionSpec::OneSine(pulse(random)),
        1 => MotionSpec::Biphasic(pulse(random)),
        2 => MotionSpec::Rectangular(pulse(random)),
        3 => MotionSpec::Sine(SineSpec {
            name: random.text(),
            amplitude: random.maybe(Random::number),
            displacement_amplitude: random.maybe(Random::number),
            frequency: random.number(),
            duration: random.number(),
            start: random
                .maybe(|random| [SineStart::Still, SineStart::Oscillating][random.below(2)]),
            direction: random.maybe(Random::vector),
        }),
        4 => MotionSpec::Record(RecordSpec {
            name: random.text(),
            path: random.maybe(Random::text),
            component: random.maybe(channel),
            direction: random.maybe(Random::vector),
            components: random.list(3, |random| ComponentSpec {
                path: random.text(),
                component: random.maybe(channel),
                direction: random.vector(),
                scale: random.maybe(Random::number),
                pga: random.maybe(Random::number),
                sa: random.maybe(sa),
            }),
            rotate_degrees: random.maybe(Random::number),
            dt: random.maybe(Random::number),
            baseline: random.maybe(|random| baselines[random.below(4)]),
            taper: random.maybe(Random::number),
            scale: random.maybe(Random::number),
            pga: random.maybe(Random::number),
            sa: random.maybe(sa),
        }),
        5 => MotionSpec::Stochastic(StochasticSpec {
            name: random.text(),
            seed: random.next() as u32,
            arias: random.maybe(Random::number),
            pga: random.maybe(Random::number),
            significant_duration: random.number(),
            mid_time: random.maybe(Random::number),
            frequency: random.number(),
            frequency_rate: random.maybe(Random::number),
            bandwidth: random.maybe(Random::number),
            high_pass: random.maybe(Random::number),
            dt: random.maybe(Random::number),
            direction: random.maybe(Random::vector),
        }),
        6 => MotionSpec::CodeSpectrum(CodeSpectrumSpec {
            name: random.text(),
            seed: random.next() as u32,
            code: if random.flag() {
                Code::Eurocode8
            } else {
                Code::Ntc2018
            },
            ag: random.number(),
            soil: random.maybe(|random| soils[random.below(5)]),
            spectrum_type: random.maybe(|random| random.next() as u32),
            f0: random.maybe(Random::number),
            tc_star: random.maybe(Random::number),
            topography: random.maybe(Random::number),
            damping: random.maybe(Random::number),
            periods: random.maybe(Random::vector),
            duration: random.maybe(Random::number),
            stationary: random.maybe(Random::number),
            dt: random.maybe(Random::number),
            direction: random.maybe(Random::vector),
        }),
        _ => MotionSpec::Settlement(SettlementSpec {
            name: random.text(),
            supports: random.maybe(|random| random.list(3, Random::text)),
            displacement: random.maybe(Random::vector),
            rotation: random.maybe(Random::vector),
            centre: random.maybe(Random::vector),
            duration: random.number(),
        }),
    }
}

fn random_analysis(random: &mut Random) -> AnalysisSpec {
    let line = |random: &mut Random| ThrustLineSpec {
        from: random.text(),
        to: random.text(),
    };
    let cut = |random: &mut Random| CuttingPlaneSpec {
        point: random.vector(),
        normal: random.vector(),
    };
    match random.below(4) {
        0 => {
            return AnalysisSpec::Equilibrium(EquilibriumSpec {
                name: random.text(),
                multiplier: random.maybe(Random::number),
                direction: random.maybe(Random::vector),
                loads: random.maybe(|_| Multiplied::Live),
                joints: random.maybe(|random| [Joints::Rigid, Joints::Elastic][random.below(2)]),
                thrust_line: random.maybe(line),
                cuts: random.list(3, cut),
                tolerance: random.maybe(Random::number),
            });
        }
        1 => {
            return AnalysisSpec::Limit(LimitSpec {
                name: random.text(),
                direction: random.maybe(Random::vector),
                loads: random.maybe(|_| Multiplied::Live),
                tilt: random.maybe(Random::vector),
                directions: random.maybe(|random| random.below(100) as u32),
                settlement: random.maybe(|random| GivingWaySpec {
                    supports: random.list(3, Random::text),
                    displacement: random.vector(),
                }),
                friction_law: random.maybe(|_| FrictionLaw::Coulomb),
                thrust_line: random.maybe(line),
                cuts: random.list(3, cut),
                tolerance: random.maybe(Random::number),
            });
        }
        _ => {}
    }
    if random.flag() {
        return AnalysisSpec::Rocking(RockingSpec {
            name: random.text(),
            block: random.maybe(Random::text),
            half_width: random.maybe(Random::number),
            half_height: random.maybe(Random::number),
            direction: random.maybe(Random::vector),
            initial_angle: random.maybe(Random::number),
            initial_velocity: random.maybe(Random::number),
            restitution: random.maybe(Random::number),
            motion: random.maybe(Random::text),
            motions: random.maybe(|random| random.list(3, Random::text)),
            duration: random.number(),
            output_every: random.maybe(Random::number),
        });
    }
    AnalysisSpec::TimeHistory(TimeHistorySpec {
        name: random.text(),
        motion: random.maybe(Random::text),
        motions: random.maybe(|random| random.list(3, Random::text)),
        dt: random.maybe(Random::number),
        adaptive: random.maybe(|random| AdaptiveSpec {
            tolerance: random.maybe(Random::number),
            smallest: random.maybe(Random::number),
            largest: random.maybe(Random::number),
        }),
        duration: random.number(),
        output_every: random.maybe(Random::number),
        scheme: random.maybe(|random| {
            if random.flag() {
                Scheme::Euler
            } else {
                Scheme::Leapfrog
            }
        }),
        joints: random.maybe(|random| [Joints::Rigid, Joints::Elastic][random.below(2)]),
        friction_law: random.maybe(|random| {
            if random.flag() {
                FrictionLaw::Associated
            } else {
                FrictionLaw::Coulomb
            }
        }),
        ground: random.maybe(|random| {
            if random.flag() {
                Ground::Inertia
            } else {
                Ground::Supports
            }
        }),
        solver: random.maybe(|random| {
            [
                Solver::Automatic,
                Solver::InteriorPoint,
                Solver::Newton,
                Solver::Clarabel,
            ][random.below(4)]
        }),
        tolerance: random.maybe(|random| {
            [
                Tolerance::Preview,
                Tolerance::Default,
                Tolerance::Validation,
            ][random.below(3)]
        }),
        regularisation: random.maybe(|random| match random.flag() {
            true => RegularisationSpec::Same(random.number()),
            false => RegularisationSpec::Each(SpringsSpec {
                normal: random.number(),
                tangential: random.number(),
            }),
        }),
        rotation_iterations: random.maybe(|random| random.next() as u32),
        settle: random.maybe(Random::number),
        collapse: random
            .maybe(|random| [Collapse::Global, Collapse::Local, Collapse::Either][random.below(3)]),
        collapse_drop: random.maybe(Random::number),
        stop_at_collapse: random.flag(),
        forces_every: random.maybe(Random::number),
        monitors: random.list(3, |random| MonitorSpec {
            name: random.maybe(Random::text),
            block: random.text(),
            point: random.maybe(Random::vector),
        }),
    })
}

#[test]
fn models_are_read_as_they_were_written() {
    let mut random = Random(1);
    for _ in 0..500 {
        let spec = random_spec(&mut random);
        let toml = spec.to_toml().unwrap();
        let json = spec.to_json().unwrap();
        assert_eq!(
            parse(&toml, Format::Toml).unwrap_or_else(|faults| panic!("{faults}\n{toml}")),
            spec
        );
        assert_eq!(
            parse(&json, Format::Json).unwrap_or_else(|faults| panic!("{faults}\n{json}")),
            spec
        );
        let tree = serde_json::to_value(&spec).unwrap();
        assert_eq!(from_tree(&tree).unwrap(), spec, "{json}");
    }
}

const RICH: &str = r#"[model]
plane = "xz"
[[motion]]
name = "pulse"
kind = "one_sine"
amplitude = 8
half_period = 0.25
[[load]]
block = "b2"
force = [0, 0, -10]
point = [0.5, 0.5, 1.0]
[[analysis]]
name = "shake"
kind = "time_history"
motion = "pulse"
duration = 3
monitors = [{ name = "top", block = "b2", point = [0, 0, 1] }]
[[analysis]]
name = "rock"
kind = "rocking"
block = "b2"
duration = 3
"#;

fn compiled(text: &str, format: Format) -> Model {
    compile_text(text, format, Path::new("m")).unwrap_or_else(|faults| panic!("{faults}"))
}

#[test]
fn toml_and_json_give_the_same_model() {
    let toml = format!("{SOUND}{RICH}");
    let json = parse(&toml, Format::Toml).unwrap().to_json().unwrap();
    let (mut one, two) = (compiled(&toml, Format::Toml), compiled(&json, Format::Json));
    assert_ne!(one.sha256, two.sha256);
    one.sha256.clone_from(&two.sha256);
    assert_eq!(one, two);
    // Minified, with nulls, escapes and a byte-order mark.
    let minified = json
        .split_whitespace()
        .collect::<String>()
        .replace("\"pulse\"", "\"\\u0070ul\\u0073e\"");
    let minified = format!(
        "\u{feff}{}",
        minified.replace(
            "\"kind\":\"rocking\"",
            "\"kind\":\"rocking\",\"restitution\":null"
        )
    );
    let mut three = compiled(&minified, Format::Json);
    three.sha256.clone_from(&two.sha256);
    assert_eq!(three, two);
}

#[test]
fn no_text_makes_the_reader_panic() {
    let toml = format!("{SOUND}{RICH}");
    let json = parse(&toml, Format::Toml).unwrap().to_json().unwrap();
    let scraps = [
        "[",
        "]",
        "[[",
        "]]",
        "{",
        "}",
        "\"",
        "'''",
        "\"\"\"",
        "\\",
        "\\u12",
        "=",
        ",",
        "#",
        "\n",
        "1e999",
        "-",
        "ö",
        "null",
        ".",
        "[[block]]\n",
    ];
    let mut random = Random(7);
    let (mut read, mut refused) = (0, 0);
    for round in 0..4000 {
        let (text, format) = if round % 2 == 0 {
            (&toml, Format::Toml)
        } else {
            (&json, Format::Json)
        };
        let mut text: Vec<char> = text.chars().collect();
        for _ in 0..random.below(4) {
            let start = random.below(text.len());
            let end = (start + random.below(12) * random.below(2)).min(text.len());
            let scrap = scraps[random.below(scraps.len())];
            text.splice(start..end, scrap.chars());
        }
        if random.below(8) == 0 {
            text.truncate(random.below(text.len()));
        }
        let text: String = text.into_iter().collect();
        match compile_text(&text, format, Path::new("m")) {
            Ok(_) => read += 1,
            Err(faults) => {
                refused += 1;
                assert!(!faults.is_empty());
                assert!(faults.to_string().starts_with("error: "));
            }
        }
    }
    // The test is about both outcomes.
    assert!(
        read > 50 && refused > 1000,
        "{read} read, {refused} refused"
    );
}

#[test]
fn the_schema_states_units_and_refuses_unknown_keys() {
    let schema = schema();
    assert_eq!(schema["title"], "Drystone model");
    assert_eq!(schema["additionalProperties"], false);
    let density = &schema["$defs"]["MaterialSpec"]["properties"]["density"];
    assert_eq!(
        density["description"],
        "Mass per volume, kg/m³; greater than zero."
    );
    assert_eq!(density["exclusiveMinimum"], 0.0);
    // Every number says its unit or what it is: a key without description would be a riddle in an editor.
    fn described(schema: &serde_json::Value, path: &str) {
        if let Some(properties) = schema["properties"].as_object() {
            for (key, value) in properties {
                let tag = value.get("const").is_some();
                assert!(
                    tag || value["description"].is_string(),
                    "{path}.{key} has no description"
                );
                described(value, &format!("{path}.{key}"));
            }
        }
        for list in ["oneOf", "anyOf"] {
            for variant in schema[list].as_array().into_iter().flatten() {
                described(variant, path);
            }
        }
    }
    described(&schema, "");
    for (name, part) in schema["$defs"].as_object().unwrap() {
        described(part, name);
    }
}
