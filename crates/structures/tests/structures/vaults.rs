use std::f64::consts::PI;

use drystone_structures::{ArchShape, BarrelVault, CornerPiers, CrossVault, Springers};

use crate::kit::{Assembly, grounded, refused, sound};

fn barrel(rows: u32) -> BarrelVault {
    BarrelVault {
        span: Some(4.0),
        thickness: 0.3,
        rows,
        length: 5.0,
        blocks: 6,
        ..BarrelVault::default()
    }
}

#[test]
fn rows_of_a_barrel_vault_are_in_running_bond() {
    for rows in [9, 10] {
        for (shape, rise) in [
            (ArchShape::Circular, None),
            (ArchShape::Circular, Some(0.8)),
            (ArchShape::Pointed, Some(3.0)),
            (ArchShape::Elliptical, Some(1.2)),
        ] {
            let vault = BarrelVault {
                shape: Some(shape),
                rise,
                ..barrel(rows)
            };
            let assembly = sound(&vault);
            assembly.assert_connected();
            let (odd, even) = (rows.div_ceil(2) as usize, rows as usize / 2);
            assert_eq!(assembly.pieces.len(), odd * 6 + even * 7 + 2);
            // Two joints per block between rows, heads, and the blocks of the end rows on their springers.
            let last = if rows % 2 == 0 { 7 } else { 6 };
            let expected = (rows as usize - 1) * 12 + odd * 5 + even * 6 + 6 + last;
            assert_eq!(assembly.joints().len(), expected, "{shape:?} {rows}");
            // All but the springing joints and head joints are beds as long as the vault.
            let heads: f64 = assembly
                .joints()
                .iter()
                .filter(|joint| joint.normal.y.abs() > 0.9)
                .map(|joint| joint.area)
                .sum();
            let beds = assembly.joint_area() - heads;
            // The upright joint at the crown of a pointed vault is longer than the others.
            let upright = if shape == ArchShape::Pointed && rows % 2 == 0 {
                let (r, c) = (3.25_f64, 1.25_f64);
                ((r + 0.3).powi(2) - c * c).sqrt() - 3.0 - 0.3
            } else {
                0.0
            };
            let expected = 5.0 * (f64::from(rows + 1) * 0.3 + upright);
            assert!((beds - expected).abs() < 1e-9, "{shape:?} {rows}: {beds}");
        }
    }
    let assembly = sound(&barrel(9));
    let step = PI / 9.0;
    let volume = 9.0 * 0.5 * step.sin() * (2.3_f64.powi(2) - 4.0) * 5.0;
    assert!((assembly.volume() - volume).abs() < 1e-9);
    let half = assembly.named("row2.block1").vertices[7].y;
    assert!((half - 5.0 / 12.0).abs() < 1e-12);
    assert_eq!(
        assembly.named("row1.block1").group.as_deref(),
        Some("vault")
    );
    let bare = BarrelVault {
        springers: Some(Springers::None),
        ..barrel(9)
    };
    assert_eq!(grounded(&bare).joints().len(), assembly.joints().len());
}

#[test]
fn what_is_wrong_with_a_barrel_vault_is_said_by_its_keys() {
    assert_eq!(
        refused(&BarrelVault::default()),
        ["length", "rows", "blocks", "thickness"]
    );
    assert_eq!(
        refused(&BarrelVault {
            span: None,
            ..barrel(9)
        }),
        ["span"]
    );
    assert_eq!(
        refused(&BarrelVault {
            rows: 1,
            ..barrel(9)
        }),
        ["rows"]
    );
    assert_eq!(
        refused(&BarrelVault {
            blocks: u32::MAX,
            ..barrel(9)
        })[0],
        "blocks"
    );
}

fn cross(rows: u32) -> CrossVault {
    CrossVault {
        span: 4.0,
        thickness: 0.4,
        rows,
        block_length: 0.7,
        ..CrossVault::default()
    }
}

/// Volume of a web row by row: a prism cut off by the diagonals, by its corners in the section.
fn webs(assembly: &Assembly) -> f64 {
    let webs = assembly.pieces.iter().zip(&assembly.shapes);
    webs.filter(|(piece, _)| piece.name.starts_with("web"))
        .map(|(_, shape)| shape.volume_properties().volume)
        .sum()
}

#[test]
fn webs_of_a_cross_vault_meet_in_mitred_joints() {
    for (shape, rise) in [
        (ArchShape::Circular, None),
        (ArchShape::Circular, Some(1.0)),
        (ArchShape::Pointed, Some(2.8)),
        (ArchShape::Elliptical, Some(1.4)),
    ] {
        for rows in [3, 9, 15] {
            let vault = CrossVault {
                shape: Some(shape),
                rise,
                ..cross(rows)
            };
            let assembly = sound(&vault);
            assembly.assert_connected();
            // One joint per row on each groin.
            let groins = (1..=4)
                .map(|web| {
                    let next = web % 4 + 1;
                    assembly.joints_between(&format!("web{web}."), &format!("web{next}."))
                })
                .collect::<Vec<usize>>();
            assert_eq!(groins, [rows as usize / 2; 4], "{shape:?} {rows}");
            assert_eq!(assembly.joints_between("keystone", "web"), 4);
            // The lowest row of each web on the springers of its two corners.
            for corner in 1..=4 {
                let springer = format!("springer{corner}");
                assert_eq!(
                    assembly.joints_between(&springer, "web"),
                    2,
                    "{shape:?} {rows}"
                );
            }
            // Whole rows, whatever their joints: each has plane ends at the edge of the bay and on the diagonals.
            let whole = CrossVault {
                block_length: 100.0,
                ..vault.clone()
            };
            let plain = sound(&whole);
            assert_eq!(plain.pieces.len(), 4 + 4 * rows as usize + 1);
            assert!((webs(&plain) - webs(&assembly)).abs() < 1e-9);
            // Splitting rows adds head joints and removes nothing: the outer surface is the same.
            assert!(
                (plain.exposed() - assembly.exposed()).abs() < 1e-6,
                "{shape:?} {rows}"
            );
            // No block is shorter than half a block of 0.7 m along its shortest edge, but for those that are rows by themselves.
            for (piece, shape) in assembly.pieces.iter().zip(&assembly.shapes) {
                let size = shape.size();
                assert!(size > 0.1, "{}: {size}", piece.name);
            }
        }
    }
}

#[test]
fn a_cross_vault_has_the_surface_and_volume_of_two_barrels() {
    // Between the extrados and the intrados of the barrel towards -y, per unit of length, the row over u has its diagonal at v = u.
    let assembly = sound(&cross(9));
    let edge = 2.0 + 0.4 + 0.4;
    let step = PI / 9.0;
    let mut expected = 0.0;
    for row in 0..9_u32 {
        let joint = |k: u32, r: f64| {
            let angle = step * (f64::from(k) - 4.5);
            [r * angle.sin(), r * angle.cos()]
        };
        let corners = [
            joint(row, 2.0),
            joint(row, 2.4),
            joint(row + 1, 2.4),
            joint(row + 1, 2.0),
        ];
        // Area and first moment of the section; the length of the prism is the edge less |u| on average.
        let (mut area, mut moment) = (0.0, 0.0);
        for k in 0..4 {
            let [[x, z], [p, q]] = [corners[k], corners[(k + 1) % 4]];
            let cross = x * q - p * z;
            area += 0.5 * cross;
            moment += (x + p) * cross / 6.0;
        }
        if row == 4 {
            // The middle row ends on the sloping side of the keystone: at the depth of its own half width at each level.
            let [[x0, z0], [x1, z1]] = [joint(5, 2.0), joint(5, 2.4)];
            let thick = z1 - z0;
            // Integral of 2 w (edge - w) over the height, with w linear: Simpson is exact.
            let f = |w: f64| 2.0 * w * (edge - w);
            expected += thick / 6.0 * (f(x0) + 4.0 * f(0.5 * (x0 + x1)) + f(x1));
        } else {
            expected += (area.abs() * edge) - moment.abs();
        }
    }
    assert!((webs(&assembly) / (4.0 * expected) - 1.0).abs() < 1e-12);
}

#[test]
fn a_cross_vault_stands_on_piers_if_asked() {
    for rise in [None, Some(1.0)] {
        let vault = CrossVault {
            rise,
            piers: Some(CornerPiers {
                height: 3.0,
                courses: 4,
            }),
            ..cross(9)
        };
        let assembly = grounded(&vault);
        assembly.assert_connected();
        assert!(!assembly.named("springer1").support);
        assert_eq!(assembly.joints_between("springer3", "pier3.course4"), 1);
        assert_eq!(assembly.joints_between("ground", "pier"), 4);
        let pier = assembly.named("pier1.course1");
        assert!(pier.vertices[7].x < 0.0 && pier.vertices[7].y < 0.0);
    }
    let bare = CrossVault {
        springers: Some(Springers::None),
        ..cross(9)
    };
    assert!(!sound(&bare).pieces.iter().any(|piece| piece.support));
}

#[test]
fn what_is_wrong_with_a_cross_vault_is_said_by_its_keys() {
    assert_eq!(
        refused(&CrossVault::default()),
        ["span", "block_length", "rows"]
    );
    assert_eq!(refused(&cross(10)), ["rows"]);
    assert_eq!(
        refused(&CrossVault {
            thickness: 0.0,
            ..cross(9)
        }),
        ["thickness"]
    );
    assert_eq!(
        refused(&CrossVault {
            rise: Some(3.0),
            ..cross(9)
        }),
        ["rise"]
    );
    assert_eq!(
        refused(&CrossVault {
            shape: Some(ArchShape::Flat),
            ..cross(9)
        }),
        ["shape"]
    );
    assert_eq!(
        refused(&CrossVault {
            block_length: 1e-8,
            ..cross(9)
        }),
        ["block_length"]
    );
    let piers = Some(CornerPiers::default());
    let keys = refused(&CrossVault {
        piers,
        springers: Some(Springers::None),
        ..cross(9)
    });
    assert_eq!(keys, ["piers.height", "piers.courses", "springers"]);
}
