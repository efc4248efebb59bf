use std::f64::consts::{FRAC_PI_2, PI};

use drystone_geometry::DVec3;
use drystone_structures::{Arch, ArchShape, Piers, Springers};

use crate::kit::{Assembly, area, grounded, refused, sound};

fn semicircle(voussoirs: u32) -> Arch {
    Arch {
        span: Some(6.0),
        thickness: 0.6,
        depth: 1.0,
        voussoirs,
        ..Arch::default()
    }
}

/// Corners of the near face of a piece, [x, z].
fn face(assembly: &Assembly, name: &str) -> Vec<[f64; 2]> {
    let corners = &assembly.named(name).vertices;
    corners[..corners.len() / 2]
        .iter()
        .map(|v| [v.x, v.z])
        .collect()
}

/// All arches: their joints lie between neighbours and nowhere else, each as large as the ring is thick.
fn check(arch: &Arch) -> Assembly {
    let assembly = sound(arch);
    let voussoirs = arch.voussoirs as usize;
    let rings = arch.rings.unwrap_or(1) as usize;
    assert_eq!(assembly.pieces.len(), voussoirs * rings + 2);
    // In every ring as many joints as voussoirs and one more, between rings as many as voussoirs.
    let joints = assembly.joints();
    assert_eq!(
        joints.len(),
        (voussoirs + 1) * rings + voussoirs * (rings - 1)
    );
    assembly.assert_connected();
    // Mirrored to the last bit.
    for index in 0..voussoirs {
        let prefix = if rings > 1 { "ring1." } else { "" };
        let one = face(&assembly, &format!("{prefix}voussoir{}", index + 1));
        let other = face(&assembly, &format!("{prefix}voussoir{}", voussoirs - index));
        for [x, z] in one {
            assert!(other.contains(&[-x, z]) || x == 0.0, "{x} {z}");
        }
    }
    assembly
}

#[test]
fn semicircles_and_segments_have_the_volume_of_their_chords() {
    for voussoirs in [2, 7, 20, 21] {
        for (rise, half) in [(None, FRAC_PI_2), (Some(1.0), 2.0 * (1.0_f64 / 3.0).atan())] {
            let arch = Arch {
                rise,
                ..semicircle(voussoirs)
            };
            let assembly = check(&arch);
            let radius = 3.0 / half.sin();
            let step = 2.0 * half / f64::from(voussoirs);
            let sector = 0.5 * step.sin() * ((radius + 0.6).powi(2) - radius.powi(2));
            let expected = sector * f64::from(voussoirs);
            assert!(
                (assembly.volume() / expected - 1.0).abs() < 1e-12,
                "{voussoirs} {rise:?}"
            );
            // All joints are plane and as deep as the arch is thick.
            let joints = f64::from(voussoirs + 1) * 0.6;
            assert!((assembly.joint_area() - joints).abs() < 1e-9);
        }
    }
}

#[test]
fn a_radius_with_an_angle_says_the_same_as_a_span_with_a_rise() {
    let by_radius = Arch {
        span: None,
        radius: Some(5.0),
        angle_degrees: Some(73.739_795_291_688_04),
        ..semicircle(9)
    };
    let by_span = Arch {
        rise: Some(1.0),
        ..semicircle(9)
    };
    let [one, other] = [by_radius, by_span].map(|arch| check(&arch));
    for (a, b) in one.pieces.iter().zip(&other.pieces) {
        for (p, q) in a.vertices.iter().zip(&b.vertices) {
            assert!(p.distance(*q) < 1e-12, "{p} {q}");
        }
    }
    // The springing is at the level of the ground exactly, also of an arch that is a little less than a semicircle.
    let corners = face(&one, "voussoir1");
    assert_eq!(corners[0][1], 0.0);
}

#[test]
fn pointed_arches_have_a_keystone_or_a_joint_at_the_crown() {
    for (voussoirs, rise) in [(8, 5.0), (9, 5.0), (2, 3.0), (13, 3.0), (12, 9.0)] {
        let arch = Arch {
            shape: Some(ArchShape::Pointed),
            rise: Some(rise),
            ..semicircle(voussoirs)
        };
        let assembly = check(&arch);
        let corners = |index: u32| face(&assembly, &format!("voussoir{index}"));
        let middle = corners(voussoirs.div_ceil(2));
        let pointed = rise > 3.0;
        if voussoirs % 2 == 0 {
            let [inner, outer] = [middle[3], middle[2]];
            assert_eq!([inner[0], outer[0]], [0.0, 0.0]);
            assert!((inner[1] - rise).abs() < 1e-12);
        } else {
            assert_eq!(middle.len(), if pointed { 5 } else { 4 });
        }
        // Corners lie on two arcs about centres on the springing line.
        let offset = (rise * rise - 9.0) / 6.0;
        for index in voussoirs.div_ceil(2)..voussoirs {
            let corner = corners(index + 1)[0];
            let distance = (corner[0] + offset).hypot(corner[1]);
            assert!((distance - 3.0 - offset).abs() < 1e-12);
        }
    }
    let equilateral = Arch {
        shape: Some(ArchShape::Pointed),
        radius: Some(6.0),
        ..semicircle(8)
    };
    let crown = face(&check(&equilateral), "voussoir4")[3];
    assert!((crown[1] - 27.0_f64.sqrt()).abs() < 1e-12);
}

#[test]
fn joints_of_elliptical_arches_are_normal_to_the_intrados_and_equally_far_apart() {
    for rise in [1.0, 2.0, 3.0, 4.5] {
        let arch = Arch {
            shape: Some(ArchShape::Elliptical),
            rise: Some(rise),
            ..semicircle(15)
        };
        let assembly = check(&arch);
        let mut chords = Vec::new();
        for index in 1..=15 {
            let corners = face(&assembly, &format!("voussoir{index}"));
            let [[x, z], [u, w], _, [p, q]] = corners[..] else {
                panic!("{corners:?}")
            };
            assert!(((x / 3.0).powi(2) + (z / rise).powi(2) - 1.0).abs() < 1e-12);
            // Along the gradient of the ellipse.
            let across = (u - x) * z / rise.powi(2) - (w - z) * x / 9.0;
            assert!(across.abs() < 1e-12, "{across}");
            chords.push((p - x).hypot(q - z));
        }
        // Chords of equal arcs differ by the curvature only: less than the square of the angle they embrace over 24.
        let longest = chords.iter().copied().fold(0.0, f64::max);
        let shortest = chords.iter().copied().fold(f64::INFINITY, f64::min);
        assert!(longest - shortest < 0.06 * longest, "{shortest} {longest}");
    }
    // With a rise of half the span it is the semicircle.
    let ellipse = Arch {
        shape: Some(ArchShape::Elliptical),
        rise: Some(3.0),
        ..semicircle(15)
    };
    let [one, other] = [check(&ellipse), check(&semicircle(15))];
    for (a, b) in one.pieces.iter().zip(&other.pieces) {
        for (p, q) in a.vertices.iter().zip(&b.vertices) {
            assert!(p.distance(*q) < 1e-9, "{p} {q}");
        }
    }
}

#[test]
fn joints_of_flat_arches_meet_in_one_point() {
    let arch = Arch {
        shape: Some(ArchShape::Flat),
        span: Some(1.5),
        thickness: 0.4,
        depth: 0.3,
        voussoirs: 9,
        ..Arch::default()
    };
    let assembly = check(&arch);
    let lean = (PI / 6.0).tan();
    // A trapezium: 1.5 m below, wider by 0.4 m times the lean on both sides above.
    let expected = 0.3 * 0.4 * (1.5 + 0.4 * lean);
    assert!((assembly.volume() - expected).abs() < 1e-12);
    let centre = -0.75 / lean;
    for index in 1..=9 {
        let corners = face(&assembly, &format!("voussoir{index}"));
        let [[x, z], [u, w]] = [corners[0], corners[1]];
        assert!((x * (w - centre) - u * (z - centre)).abs() < 1e-12);
        assert_eq!([z, w], [0.0, 0.4]);
    }
}

#[test]
fn rings_lie_on_each_other() {
    for shape in [
        ArchShape::Circular,
        ArchShape::Pointed,
        ArchShape::Elliptical,
        ArchShape::Flat,
    ] {
        let arch = Arch {
            shape: Some(shape),
            rise: (shape != ArchShape::Flat).then_some(3.0),
            rings: Some(3),
            thickness: 0.3,
            ..semicircle(10)
        };
        check(&arch);
    }
    let arch = Arch {
        rings: Some(2),
        ..semicircle(21)
    };
    let assembly = check(&arch);
    assert_eq!(assembly.joints_between("ring1", "ring2"), 21);
    assert_eq!(face(&assembly, "springer2")[1], [3.0 + 1.2, 0.0]);
}

#[test]
fn curved_mass_is_that_of_ring_sectors() {
    let arch = Arch {
        span: None,
        radius: Some(9.25),
        angle_degrees: Some(150.0),
        thickness: 1.5,
        depth: 1.0,
        voussoirs: 7,
        curved_mass: true,
        ..Arch::default()
    };
    let assembly = check(&arch);
    // Oppenheim's arch by an independent computation at 2000 kg/m³; voussoirs were numbered from the right.
    let level = 9.25 * 75_f64.to_radians().cos();
    let expected = [
        (
            7,
            [8.974065573706, 4.321682207811],
            [
                11933.007169944456,
                15166.150437854862,
                5103.138895047186,
                4282.191964090984,
            ],
        ),
        (
            6,
            [6.774834256387, 7.301534826663],
            [
                8108.766662251719,
                15166.15043785486,
                8927.379402739922,
                5461.813936387348,
            ],
        ),
        (
            4,
            [0.0, 9.960461336026],
            [
                3040.943932279408,
                15166.15043785486,
                13995.202132712233,
                0.0,
            ],
        ),
        (
            3,
            [-3.638965147666, 9.271931982093],
            [
                4503.053293328568,
                15166.15043785486,
                12533.092771663072,
                -3725.393895218971,
            ],
        ),
    ];
    for (index, [x, z], [xx, yy, zz, xz]) in expected {
        let sector = assembly
            .named(&format!("voussoir{index}"))
            .properties
            .unwrap();
        assert!((2000.0 * sector.volume - 11219.973762820691).abs() < 1e-9);
        let centroid = DVec3::new(x, 0.5, z - level);
        assert!(
            sector.centroid.distance(centroid) < 1e-9,
            "{}",
            sector.centroid
        );
        let inertia = sector.inertia * 2000.0;
        let [a, b, c] = [inertia.x_axis, inertia.y_axis, inertia.z_axis];
        // Differences of fourth powers of 10 lose four digits of sixteen.
        for (value, expected) in [
            (a.x, xx),
            (b.y, yy),
            (c.z, zz),
            (a.z, xz),
            (c.x, xz),
            (a.y, 0.0),
            (b.z, 0.0),
        ] {
            assert!(
                (value - expected).abs() < 1e-7,
                "{index}: {value} {expected}"
            );
        }
    }
}

#[test]
fn piers_carry_a_semicircle_on_their_inner_part() {
    // The counts of the triumphal arch of PGCL: 253 blocks.
    let arch = Arch {
        span: Some(6.8),
        voussoirs: 37,
        depth: 5.5,
        piers: Some(Piers {
            width: 1.2,
            height: 9.3,
            courses: 31,
            block_length: Some(0.4),
            ..Piers::default()
        }),
        ..semicircle(37)
    };
    let assembly = grounded(&arch);
    assert_eq!(assembly.pieces.len(), 253 + 1);
    assembly.assert_connected();
    // Per pier: head joints 2 and 3 in turn, six bed joints between courses, three on the ground, two under the arch.
    let pier = 16 * 2 + 15 * 3 + 30 * 6 + 3 + 2;
    assert_eq!(assembly.joints().len(), 36 + 2 * pier);
    // With four interfaces at each joint of voussoirs, as the paper counts, there are 680.
    assert_eq!(4 * 36 + 2 * (pier - 2) + 4 * (2 + 2), 680);
    let walls = 2.0 * 1.2 * 9.3 * 5.5;
    let ring = 37.0 * 0.5 * (PI / 37.0).sin() * (4.0_f64.powi(2) - 3.4_f64.powi(2)) * 5.5;
    assert!((assembly.volume() / (walls + ring) - 1.0).abs() < 1e-12);
    // From the left: the left pier's first block is its outermost.
    assert_eq!(
        assembly.named("pier1.course1.block1").vertices[1].x,
        -(3.4 + 1.2)
    );
    assert_eq!(assembly.named("pier2.course2.block1").vertices[0].x, 3.4);
    assert_eq!(
        assembly.named("pier2.course1.block1").group.as_deref(),
        Some("pier")
    );
}

#[test]
fn inclined_springings_have_a_skewback() {
    for (width, corners) in [
        (0.9, 5),
        (0.6 * (36.869_897_645_844_02_f64).to_radians().sin(), 4),
    ] {
        let arch = Arch {
            rise: Some(1.0),
            piers: Some(Piers {
                width,
                height: 2.0,
                courses: 4,
                block_length: Some(0.4),
                depth: Some(1.4),
                ..Piers::default()
            }),
            ..semicircle(9)
        };
        let assembly = grounded(&arch);
        assembly.assert_connected();
        let skewback = face(&assembly, "pier2.course4.block1");
        assert_eq!(skewback.len(), corners, "{skewback:?}");
        assert_eq!(assembly.joints_between("voussoir9", "pier2"), 1);
        let below = 3.0 * 0.5 * width;
        let [x, z] = [0.6 * 0.6, 0.6 * 0.8];
        let wedge = 0.5 * width + width * z - 0.5 * x * z;
        let step = 36.869_897_645_844_02_f64.to_radians() * 2.0 / 9.0;
        let ring = 9.0 * 0.5 * step.sin() * (5.6_f64.powi(2) - 25.0);
        let expected = 2.0 * 1.4 * (below + wedge) + ring;
        assert!((assembly.volume() - expected).abs() < 1e-9, "{width}");
        let pier = assembly.named("pier1.course1.block1");
        assert!((pier.vertices[0].y + 0.2).abs() < 1e-12);
    }
}

#[test]
fn buttresses_lean_or_step_back() {
    let piers = Piers {
        width: 0.8,
        height: 3.0,
        courses: 6,
        block_length: Some(0.5),
        base_width: Some(2.0),
        ..Piers::default()
    };
    let arch = |piers: Piers| Arch {
        piers: Some(piers),
        ..semicircle(15)
    };
    let ring = 15.0 * 0.5 * (PI / 15.0).sin() * (3.6_f64.powi(2) - 9.0);
    let leaning = grounded(&arch(piers.clone()));
    leaning.assert_connected();
    assert!((leaning.volume() - ring - 2.0 * 1.4 * 3.0).abs() < 1e-9);
    let stepped = grounded(&arch(Piers {
        steps: Some(2),
        ..piers
    }));
    stepped.assert_connected();
    // Three tiers of two courses, 2.0, 1.4 and 0.8 m wide.
    assert!((stepped.volume() - ring - 2.0 * 1.4 * 3.0).abs() < 1e-9);
    let widest = |course: u32| {
        let last = (1..)
            .map_while(|block| {
                let name = format!("pier2.course{course}.block{block}");
                stepped.pieces.iter().find(|piece| piece.name == name)
            })
            .last();
        let corners = last.unwrap().vertices.iter().map(|v| v.x - 3.0);
        corners.fold(0.0, f64::max)
    };
    for (course, width) in [(1, 2.0), (2, 2.0), (3, 1.4), (4, 1.4), (5, 0.8), (6, 0.8)] {
        assert!((widest(course) - width).abs() < 1e-12, "{course}");
    }
    // No block is shorter than half of one.
    for piece in leaning
        .pieces
        .iter()
        .filter(|piece| piece.name.starts_with("pier"))
    {
        let x = piece.vertices.iter().map(|v| v.x);
        let length = x.clone().fold(f64::MIN, f64::max) - x.fold(f64::MAX, f64::min);
        assert!(length > 0.249, "{}", piece.name);
    }
}

#[test]
fn springers_lie_behind_the_end_joints_or_are_left_out() {
    let assembly = sound(&semicircle(7));
    assert_eq!(
        face(&assembly, "springer1"),
        [[-3.0, 0.0], [-3.6, 0.0], [-3.6, -0.6], [-3.0, -0.6]]
    );
    assert!(assembly.named("springer2").support);
    let none = Arch {
        springers: Some(Springers::None),
        ..semicircle(7)
    };
    assert_eq!(grounded(&none).joints().len(), 8);
    assert!((area(&face(&assembly, "springer1")) - 0.36).abs() < 1e-12);
}

#[test]
fn what_is_wrong_with_an_arch_is_said_by_its_keys() {
    assert_eq!(refused(&Arch::default()), ["depth"]);
    let arch = Arch {
        depth: 1.0,
        ..Arch::default()
    };
    assert_eq!(refused(&arch), ["thickness", "voussoirs"]);
    let wrong = |change: &dyn Fn(&mut Arch)| {
        let mut arch = semicircle(7);
        change(&mut arch);
        refused(&arch)
    };
    assert_eq!(wrong(&|arch| arch.span = None), ["span"]);
    assert_eq!(wrong(&|arch| arch.span = Some(f64::NAN)), ["span"]);
    assert_eq!(wrong(&|arch| arch.rise = Some(4.0)), ["rise"]);
    assert_eq!(wrong(&|arch| arch.radius = Some(4.0)), ["radius"]);
    assert_eq!(
        wrong(&|arch| arch.angle_degrees = Some(90.0)),
        ["angle_degrees"]
    );
    assert_eq!(wrong(&|arch| arch.voussoirs = u32::MAX), ["voussoirs"]);
    assert_eq!(wrong(&|arch| arch.voussoirs = 1), ["voussoirs"]);
    assert_eq!(
        wrong(&|arch| arch.shape = Some(ArchShape::Pointed)),
        ["rise"]
    );
    assert_eq!(
        wrong(&|arch| arch.shape = Some(ArchShape::Elliptical)),
        ["rise"]
    );
    let flat = |arch: &mut Arch| {
        arch.shape = Some(ArchShape::Flat);
        (arch.rise, arch.radius, arch.curved_mass) = (Some(1.0), Some(1.0), true);
    };
    assert_eq!(wrong(&flat), ["curved_mass"]);
    assert_eq!(
        wrong(&|arch| {
            flat(arch);
            arch.curved_mass = false;
        }),
        ["rise", "radius"]
    );
    let piers = |piers: Piers| wrong(&|arch| arch.piers = Some(piers.clone()));
    assert_eq!(
        piers(Piers::default()),
        ["piers.width", "piers.height", "piers.courses"]
    );
    let right = Piers {
        width: 0.6,
        height: 1.0,
        courses: 2,
        ..Piers::default()
    };
    assert_eq!(
        piers(Piers {
            width: 0.5,
            ..right.clone()
        }),
        ["piers.width"]
    );
    assert_eq!(
        piers(Piers {
            base_width: Some(0.5),
            ..right.clone()
        }),
        ["piers.base_width"]
    );
    assert_eq!(
        piers(Piers {
            steps: Some(1),
            ..right.clone()
        }),
        ["piers.steps"]
    );
    assert_eq!(
        piers(Piers {
            steps: Some(2),
            base_width: Some(1.0),
            ..right.clone()
        }),
        ["piers.steps"]
    );
    assert_eq!(
        piers(Piers {
            block_length: Some(1e-9),
            ..right.clone()
        }),
        ["piers.block_length"]
    );
    let both = |arch: &mut Arch| {
        arch.piers = Some(right.clone());
        arch.springers = Some(Springers::Support);
    };
    assert_eq!(wrong(&both), ["springers"]);
}
