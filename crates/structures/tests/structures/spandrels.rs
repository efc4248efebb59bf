use std::f64::consts::PI;

use drystone_structures::SpandrelArch;

use crate::kit::{Assembly, grounded, refused};

/// The reconstruction with 201 blocks of the arch of BRT and NB.
fn published() -> SpandrelArch {
    SpandrelArch {
        radius: 3.8,
        thickness: 0.5,
        voussoirs: 26,
        width: 16.2,
        height: 5.0,
        depth: 0.8,
        block_length: 16.2 / 24.5,
        levels: Some(vec![
            0.5183, 1.0291, 1.5248, 1.9983, 2.4427, 2.8514, 3.2186, 3.5388, 4.0206, 4.5,
        ]),
        ..SpandrelArch::default()
    }
}

/// The wall is full but for the polygon of the opening, all joints are there, and left and right are alike.
fn check(arch: &SpandrelArch) -> Assembly {
    let assembly = grounded(arch);
    assembly.assert_connected();
    let SpandrelArch {
        radius,
        width,
        height,
        depth,
        ..
    } = *arch;
    let springing = arch.springing.unwrap_or(0.0);
    let voussoirs = f64::from(arch.voussoirs);
    let step = PI / voussoirs;
    let opening = voussoirs * 0.5 * radius * radius * step.sin() + 2.0 * radius * springing;
    let front = width * height - opening;
    assert!((assembly.volume() / (front * depth) - 1.0).abs() < 1e-12);
    let intrados = voussoirs * 2.0 * radius * (0.5 * step).sin() + 2.0 * springing;
    let edges = (width + 2.0 * height + intrados) * depth;
    let exposed = assembly.exposed();
    assert!((exposed - 2.0 * front - edges).abs() < 1e-6, "{exposed}");
    for piece in assembly.pieces.iter().filter(|piece| !piece.support) {
        let mirrored = |v: &drystone_geometry::DVec3| [-v.x, v.y, v.z];
        let twin = assembly.pieces.iter().any(|other| {
            let corners: Vec<[f64; 3]> = other.vertices.iter().map(|v| v.to_array()).collect();
            piece.vertices.iter().all(|v| {
                let [x, y, z] = mirrored(v);
                corners.iter().any(|c| c[0] == x && c[1] == y && c[2] == z)
            })
        });
        assert!(twin, "{} has no mirror image", piece.name);
    }
    assembly
}

fn course(assembly: &Assembly, number: usize) -> Vec<[f64; 4]> {
    let start = format!("course{number}.");
    let pieces = assembly
        .pieces
        .iter()
        .filter(|piece| piece.name.starts_with(&start));
    pieces
        .map(|piece| {
            let v = &piece.vertices;
            [v[0].x, v[2].x, v[0].z, v[2].z]
        })
        .collect()
}

#[test]
fn the_published_arch_has_201_blocks_in_eleven_courses() {
    let assembly = check(&published());
    assert_eq!(assembly.pieces.len(), 201 + 1);
    let counts: Vec<usize> = (1..=11)
        .map(|number| course(&assembly, number).len())
        .collect();
    assert_eq!(counts, [12, 12, 12, 14, 12, 14, 14, 16, 18, 26, 25]);
    // The voussoir that is published: right of the crown, in the order inner, inner, outer, corner, outer.
    let crown = assembly.named("voussoir14");
    let expected = [
        [0.0, 3.8],
        [0.458039, 3.772294],
        [0.518308, 4.268648],
        [0.518308, 4.3],
        [0.0, 4.3],
    ];
    for (corner, [x, z]) in crown.vertices.iter().zip(expected) {
        assert!(
            (corner.x - x).abs() < 1e-6 && (corner.z - z).abs() < 1e-6,
            "{corner}"
        );
    }
    // Where courses begin beside the ring, and where their first joints are.
    let length = 16.2 / 24.5;
    let first = [
        (1, 4.3, 5.0 * length),
        (2, 4.2686, 4.5 * length),
        (3, 4.1750, 5.0 * length),
        (4, 4.0206, 5.5 * length),
        (5, 3.8075, 5.0 * length),
        (6, 3.5388, 5.5 * length),
        (7, 3.2186, 6.0 * length),
        (8, 2.8514, 6.5 * length),
        (9, 2.4427, 7.0 * length),
        (10, 1.5248, 8.5 * length),
    ];
    for (number, from, to) in first {
        let blocks = course(&assembly, number);
        let beside = blocks
            .iter()
            .find(|block| block[0] > 0.0 && (block[0] - from).abs() < 1e-4)
            .unwrap_or_else(|| panic!("course {number}: {blocks:?}"));
        assert!(
            (beside[1] - (8.1 - to)).abs() < 1e-9,
            "course {number}: {beside:?}"
        );
    }
    let top = course(&assembly, 11);
    assert!(
        (top[12][0] + 0.5 * 0.5 * length).abs() < 1e-9,
        "{:?}",
        top[12]
    );
    // All blocks of the spandrels are at least 0.33 m long and 0.20 m high.
    for number in 1..=11 {
        for [left, right, low, high] in course(&assembly, number) {
            assert!(right - left > 0.33 && high - low > 0.199, "course {number}");
        }
    }
    assert_eq!(
        assembly.named("course9.block9").group.as_deref(),
        Some("spandrel")
    );
    assert_eq!(assembly.named("voussoir1").group.as_deref(), Some("arch"));
}

#[test]
fn levels_follow_the_ring_if_nobody_says_where_they_are() {
    let arch = SpandrelArch {
        levels: None,
        ..published()
    };
    let assembly = check(&arch);
    let levels: Vec<f64> = (1..=11)
        .map(|number| {
            course(&assembly, number)
                .iter()
                .map(|block| block[3])
                .fold(0.0, f64::max)
        })
        .collect();
    // As above, but the course over the crown is half of what remains.
    let expected = [
        0.5183, 1.0291, 1.5248, 1.9983, 2.4427, 2.8514, 3.2186, 3.5388, 4.0206, 4.5103, 5.0,
    ];
    for (level, expected) in levels.iter().zip(expected) {
        assert!((level - expected).abs() < 1e-4, "{levels:?}");
    }
    for voussoirs in [4, 7, 13, 25, 40] {
        for height in [4.6, 5.0, 6.3] {
            check(&SpandrelArch {
                voussoirs,
                height,
                ..arch.clone()
            });
        }
    }
}

#[test]
fn a_keystone_carries_a_block_in_the_middle() {
    let arch = SpandrelArch {
        levels: None,
        voussoirs: 25,
        ..published()
    };
    let assembly = check(&arch);
    let keystone = assembly.named("voussoir13");
    assert_eq!(keystone.vertices.len(), 8);
    let centred = |piece: &&drystone_structures::Piece| {
        let v = &piece.vertices;
        !piece.support && v[0].x == -v[2].x && piece.name.starts_with("course")
    };
    assert!(assembly.pieces.iter().filter(centred).count() >= 1);
}

#[test]
fn a_springing_above_the_ground_has_piers() {
    for levels in [
        None,
        Some(vec![
            0.5, 1.0, 1.5, 2.0, 2.5183, 3.0291, 3.5248, 3.9983, 4.4427, 4.8514, 5.2186, 5.5388,
            6.0206, 6.5,
        ]),
    ] {
        let arch = SpandrelArch {
            springing: Some(2.0),
            height: 7.0,
            levels,
            ..published()
        };
        let assembly = check(&arch);
        assert_eq!(
            assembly.named("course1.block1").group.as_deref(),
            Some("pier")
        );
        assert_eq!(
            assembly.named("course5.block1").group.as_deref(),
            Some("spandrel")
        );
        assert!(assembly.joints_between("voussoir1", "course4.") >= 1);
    }
}

#[test]
fn what_is_wrong_with_a_spandrel_arch_is_said_by_its_keys() {
    assert_eq!(
        refused(&SpandrelArch::default()),
        [
            "radius",
            "width",
            "height",
            "depth",
            "block_length",
            "thickness",
            "voussoirs"
        ]
    );
    let wrong = |change: &dyn Fn(&mut SpandrelArch)| {
        let mut arch = published();
        change(&mut arch);
        refused(&arch)
    };
    assert_eq!(wrong(&|arch| arch.width = 8.8), ["width"]);
    assert_eq!(wrong(&|arch| arch.height = 4.2), ["height"]);
    assert_eq!(wrong(&|arch| arch.block_length = 1e-9), ["block_length"]);
    assert_eq!(wrong(&|arch| arch.springing = Some(-1.0)), ["springing"]);
    assert_eq!(
        wrong(&|arch| arch.levels = Some(vec![1.0, 0.5])),
        ["levels[1]"]
    );
    assert_eq!(
        wrong(&|arch| arch.levels = Some(vec![f64::NAN])),
        ["levels[0]"]
    );
    // A level that is left out near the springing would leave a block 31 mm wide.
    let sliver = |arch: &mut SpandrelArch| {
        arch.levels.as_mut().unwrap().remove(0);
    };
    assert_eq!(wrong(&sliver), ["levels"]);
    // Levels of the ring on the ground do not have that of a springing above it.
    assert_eq!(wrong(&|arch| arch.springing = Some(0.3)), ["levels"]);
}
