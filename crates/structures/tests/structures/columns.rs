use std::f64::consts::PI;

use drystone_structures::{Architrave, Colonnade, Column, Section, Slab};

use crate::kit::{grounded, refused};

fn column() -> Column {
    Column {
        radius: 0.5,
        height: 6.0,
        drums: 5,
        ..Column::default()
    }
}

#[test]
fn round_drums_have_the_volume_of_the_cylinder() {
    for sides in [None, Some(3), Some(8), Some(37)] {
        let assembly = grounded(&Column { sides, ..column() });
        assembly.assert_connected();
        assert_eq!(assembly.pieces.len(), 6);
        assert_eq!(assembly.joints().len(), 5);
        assert!((assembly.volume() - 0.25 * PI * 6.0).abs() < 1e-12);
        assert!((assembly.joint_area() - 5.0 * 0.25 * PI).abs() < 1e-9);
    }
    let assembly = grounded(&Column {
        drums: 1,
        ..column()
    });
    assert_eq!(assembly.pieces.len(), 2);
    assert_eq!(assembly.pieces[0].name, "drum1");
    // A side looks towards +x.
    let farthest = assembly.pieces[0]
        .vertices
        .iter()
        .map(|v| v.x)
        .fold(0.0, f64::max);
    assert!(farthest < 0.5 && farthest > 0.49);
}

#[test]
fn tapered_drums_are_frusta_and_entasis_swells_them() {
    let tapered = Column {
        top_radius: Some(0.4),
        ..column()
    };
    let frustum = PI * 6.0 / 3.0 * (0.25 + 0.5 * 0.4 + 0.16);
    let volume = grounded(&tapered).volume();
    assert!((volume - frustum).abs() < 1e-12);
    let swollen = Column {
        entasis: Some(0.03),
        drums: 6,
        ..tapered
    };
    let assembly = grounded(&swollen);
    let radius = |drum: usize| {
        let joint = assembly.shapes[drum]
            .faces()
            .iter()
            .find(|face| face.normal.z > 0.9);
        (joint.unwrap().area / PI).sqrt()
    };
    for drum in 0..6 {
        let f = (drum + 1) as f64 / 6.0;
        let expected = 0.5 - 0.1 * f + 0.12 * f * (1.0 - f);
        assert!((radius(drum) - expected).abs() < 1e-12, "{drum}");
    }
}

#[test]
fn square_columns_stand_on_a_base_and_carry_a_capital() {
    let assembly = grounded(&Column {
        section: Some(Section::Square),
        base: Some(Slab {
            height: 0.3,
            width: 1.2,
        }),
        capital: Some(Slab {
            height: 0.4,
            width: 1.3,
        }),
        ..column()
    });
    assembly.assert_connected();
    let names: Vec<&str> = assembly
        .pieces
        .iter()
        .map(|piece| piece.name.as_str())
        .collect();
    assert_eq!(
        names,
        [
            "base", "drum1", "drum2", "drum3", "drum4", "drum5", "capital", "ground"
        ]
    );
    let expected = 1.2 * 1.2 * 0.3 + 6.0 + 1.3 * 1.3 * 0.4;
    assert!((assembly.volume() - expected).abs() < 1e-12);
    assert_eq!(assembly.joints().len(), 7);
    let sides = 4.0 * (1.2 * 0.3 + 6.0 + 1.3 * 0.4);
    let ledges = 1.44 - 1.0 + 1.69 - 1.0 + 1.69;
    assert!((assembly.exposed() - sides - ledges).abs() < 1e-9);
}

#[test]
fn beams_of_a_colonnade_meet_over_the_axes() {
    let colonnade = Colonnade {
        columns: 4,
        spacing: 2.5,
        column: Column {
            top_radius: Some(0.4),
            base: Some(Slab {
                height: 0.3,
                width: 1.2,
            }),
            capital: Some(Slab {
                height: 0.4,
                width: 1.1,
            }),
            ..column()
        },
        architrave: Some(Architrave {
            height: 0.7,
            ..Architrave::default()
        }),
    };
    let assembly = grounded(&colonnade);
    assembly.assert_connected();
    assert_eq!(assembly.pieces.len(), 4 * 7 + 3 + 1);
    // Per column its seven blocks on each other, two beams on inner capitals, one on outer ones, two heads.
    assert_eq!(assembly.joints().len(), 4 * 7 + 2 * 2 + 2 + 2);
    let beam = assembly.named("architrave2");
    assert_eq!([beam.vertices[0].x, beam.vertices[7].x], [2.5, 5.0]);
    assert_eq!(beam.vertices[7].y, 0.4);
    assert_eq!(assembly.named("architrave1").vertices[0].x, -0.55);
    assert_eq!(beam.group.as_deref(), Some("architrave"));
    assert_eq!(
        assembly.named("column4.drum5").group.as_deref(),
        Some("column")
    );
    assert_eq!(assembly.joints_between("architrave1", "column2.capital"), 1);
    let without = Colonnade {
        architrave: None,
        ..colonnade
    };
    assert_eq!(grounded(&without).pieces.len(), 4 * 7 + 1);
}

#[test]
fn what_is_wrong_with_columns_is_said_by_their_keys() {
    assert_eq!(refused(&Column::default()), ["radius", "height", "drums"]);
    let wrong = |change: &dyn Fn(&mut Column)| {
        let mut column = column();
        change(&mut column);
        refused(&column)
    };
    assert_eq!(wrong(&|c| c.sides = Some(2)), ["sides"]);
    assert_eq!(wrong(&|c| c.entasis = Some(-0.1)), ["entasis"]);
    assert_eq!(
        wrong(&|c| {
            c.entasis = Some(0.02);
            c.drums = 1;
        }),
        ["entasis"]
    );
    assert_eq!(wrong(&|c| c.drums = u32::MAX), ["drums"]);
    assert_eq!(
        wrong(&|c| c.capital = Some(Slab {
            height: 0.1,
            width: 0.9
        })),
        ["capital.width"]
    );
    assert_eq!(
        wrong(&|c| c.base = Some(Slab::default())),
        ["base.height", "base.width"]
    );
    let square = |c: &mut Column| (c.section, c.sides) = (Some(Section::Square), Some(5));
    assert_eq!(wrong(&square), ["sides"]);
    let narrow = Colonnade {
        columns: 3,
        spacing: 0.9,
        column: column(),
        architrave: None,
    };
    assert_eq!(refused(&narrow), ["spacing"]);
    let keys = refused(&Colonnade {
        columns: 1,
        ..Colonnade::default()
    });
    assert_eq!(
        keys,
        [
            "columns",
            "spacing",
            "column.radius",
            "column.height",
            "column.drums"
        ]
    );
    let beams = Colonnade {
        columns: 3,
        spacing: 2.0,
        column: column(),
        architrave: Some(Architrave {
            height: 0.0,
            depth: Some(-1.0),
            overhang: Some(f64::NAN),
        }),
    };
    assert_eq!(
        refused(&beams),
        [
            "architrave.height",
            "architrave.depth",
            "architrave.overhang"
        ]
    );
}
