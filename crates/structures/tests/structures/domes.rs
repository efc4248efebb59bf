use std::f64::consts::PI;

use drystone_structures::{Beds, Cylinder, Dome, Lantern, RingBond, Springers};

use crate::kit::{grounded, refused, sound};

fn dome() -> Dome {
    Dome {
        radius: 3.0,
        thickness: 0.4,
        rings: 7,
        blocks: 16,
        ..Dome::default()
    }
}

/// Volume of a solid whose sections are regular polygons with corners at radii that are linear between levels.
fn frustum(blocks: u32, [r0, z0]: [f64; 2], [r1, z1]: [f64; 2]) -> f64 {
    let polygon = 0.5 * f64::from(blocks) * (2.0 * PI / f64::from(blocks)).sin();
    polygon * (z1 - z0) / 3.0 * (r0 * r0 + r0 * r1 + r1 * r1)
}

#[test]
fn radial_beds_of_a_dome_coincide() {
    for rise in [None, Some(1.2), Some(4.0)] {
        for oculus in [None, Some(0.8)] {
            let assembly = sound(&Dome {
                rise,
                oculus,
                ..dome()
            });
            assembly.assert_connected();
            let closed = usize::from(oculus.is_none());
            assert_eq!(assembly.pieces.len(), 16 * (7 + 1) + closed);
            // Each block has two neighbours in its ring, one below; the keystone touches all of the uppermost ring.
            assert_eq!(assembly.joints().len(), 16 * (7 + 7) + 16 * closed);
            // Intrados and extrados by their trapezia, and the rim of the oculus: all else is covered.
            let opening = oculus.unwrap_or(0.3);
            let height = rise.unwrap_or(3.0);
            let (arc, beyond, below) = if height < 3.0 {
                let arc = (9.0 + height * height) / (2.0 * height);
                (arc, 0.0, arc - height)
            } else {
                let beyond = (height * height - 9.0) / 6.0;
                (3.0 + beyond, beyond, 0.0)
            };
            let foot = (below / arc).asin();
            let top = ((opening + beyond) / arc).acos();
            let point = |joint: u32, r: f64| {
                let angle = foot + (top - foot) * f64::from(joint) / 7.0;
                [r * angle.cos() - beyond, r * angle.sin() - below]
            };
            let (chord, apothem) = (2.0 * (PI / 16.0).sin(), (PI / 16.0).cos());
            let facet = |a: [f64; 2], b: [f64; 2]| {
                let slant = ((a[0] - b[0]) * apothem).hypot(a[1] - b[1]);
                16.0 * 0.5 * chord * (a[0] + b[0]) * slant
            };
            let (mut surface, mut volume) = (0.0, 0.0);
            for ring in 0..7 {
                for (r, sign) in [(arc, -1.0), (arc + 0.4, 1.0)] {
                    let [a, b] = [point(ring, r), point(ring + 1, r)];
                    surface += facet(a, b);
                    volume += sign * frustum(16, a, b);
                }
            }
            // The beds at both ends close the outline; going inwards and down counts negative.
            volume += frustum(16, point(0, arc), point(0, arc + 0.4));
            volume += frustum(16, point(7, arc + 0.4), point(7, arc));
            let rim = facet(point(7, arc), point(7, arc + 0.4));
            let rings: f64 = assembly
                .pieces
                .iter()
                .zip(&assembly.shapes)
                .filter(|(piece, _)| piece.name.starts_with("ring"))
                .map(|(_, shape)| shape.volume_properties().volume)
                .sum();
            assert!((rings / volume - 1.0).abs() < 1e-12, "{rings} {volume}");
            if closed == 0 {
                let exposed = assembly.exposed();
                assert!(
                    (exposed - surface - rim).abs() < 1e-6,
                    "{exposed} {surface} {rim}"
                );
            }
        }
    }
}

#[test]
fn level_beds_of_a_dome_are_in_running_bond() {
    for stepped in [false, true] {
        let domed = Dome {
            rise: Some(5.0),
            rings: 24,
            beds: Some(Beds::Horizontal),
            stepped,
            ..dome()
        };
        let assembly = sound(&domed);
        assembly.assert_connected();
        assert_eq!(assembly.pieces.len(), 16 * (24 + 1) + 1);
        // Two blocks below each but for the first ring, whose springers are in line with it, and the slab on the last.
        assert_eq!(assembly.joints_between("ring", "ring"), 16 * (24 + 2 * 23));
        assert_eq!(assembly.joints_between("ring1.", "springer"), 16);
        assert_eq!(assembly.joints_between("keystone", "ring24."), 16);
        let stacked = sound(&Dome {
            bond: Some(RingBond::Stack),
            ..domed
        });
        assert_eq!(stacked.joints_between("ring", "ring"), 16 * (24 + 23));
        assert!((stacked.volume() - assembly.volume()).abs() < 1e-9);
        if stepped {
            // Rings with upright faces, equally high.
            let arc = 3.0 + 16.0 / 6.0;
            let beyond = 16.0 / 6.0;
            let top = ((arc * arc) - (0.3_f64 + beyond).powi(2)).sqrt();
            let area = |r: f64| 0.5 * 16.0 * (PI / 8.0).sin() * ((r + 0.4).powi(2) - r * r);
            let height = top / 24.0;
            let rings: f64 = (0..24)
                .map(|ring| {
                    let z = (f64::from(ring) + 0.5) * height;
                    area((arc * arc - z * z).sqrt() - beyond) * height
                })
                .sum();
            let slab = assembly.shapes.last().unwrap().volume_properties().volume;
            assert!((assembly.volume() - slab - rings).abs() < 1e-9);
        }
    }
}

/// On radial beds the lowest course hangs in the oculus; on level ones it stands on the uppermost ring.
#[test]
fn a_lantern_stands_on_the_rim_of_the_oculus() {
    let lantern = |thickness| {
        Some(Lantern {
            height: 1.5,
            courses: 3,
            thickness,
        })
    };
    for (beds, stepped) in [
        (None, false),
        (Some(Beds::Horizontal), false),
        (Some(Beds::Horizontal), true),
    ] {
        let plain = Dome {
            rings: 20,
            oculus: Some(0.8),
            beds,
            stepped,
            ..dome()
        };
        let with = Dome {
            lantern: lantern(None),
            ..plain.clone()
        };
        let (plain, with) = (sound(&plain), sound(&with));
        with.assert_connected();
        assert_eq!(with.pieces.len(), plain.pieces.len() + 3 * 16);
        assert_eq!(
            with.joints_between("lantern.course3.", "lantern.course2."),
            2 * 16
        );
        let below = with.joints_between("lantern.course1.", "ring20.");
        assert_eq!(below, if beds.is_none() { 16 } else { 2 * 16 });
        // Joints of a whole bed leave nothing of it open, but for its part beyond a lantern on a wide level one.
        let ring = |radius: f64| 0.5 * 16.0 * (PI / 8.0).sin() * radius * radius;
        if beds.is_none() {
            // As if it stood on a level rim 0.4 m wide, and the part of the first course that hangs in the oculus: a ring of the
            // height of the bed, without the cone below the bed.
            let (arc, top) = (3.0, (0.8_f64 / 3.0).acos());
            let [inner, outer] = [arc, arc + 0.4].map(|r| [r * top.cos(), r * top.sin()]);
            let from = outer[0] - 0.4;
            let wall = (ring(outer[0]) - ring(from)) * 1.5;
            let hanging = frustum(16, inner, outer) - ring(from) * (outer[1] - inner[1]);
            let found = with.volume() - plain.volume();
            assert!(
                (found - wall - hanging).abs() < 1e-9,
                "{found} {wall} {hanging}"
            );
        }
    }
    // As thick as the bed is wide.
    let (arc, top) = (3.0_f64, (0.8_f64 / 3.0).acos());
    let bed = (arc + 0.4) * top.cos() - arc * top.cos();
    let narrow = Dome {
        oculus: Some(0.8),
        lantern: lantern(Some(bed)),
        ..dome()
    };
    sound(&narrow).assert_connected();
    let wrong = |oculus, lantern| {
        refused(&Dome {
            oculus,
            lantern,
            ..dome()
        })
    };
    assert_eq!(wrong(None, lantern(None)), ["lantern"]);
    assert_eq!(
        wrong(Some(0.8), lantern(Some(0.5 * bed))),
        ["lantern.thickness"]
    );
    assert_eq!(wrong(Some(0.8), lantern(Some(2.0))), ["lantern.thickness"]);
    assert_eq!(
        wrong(Some(0.8), Some(Lantern::default())),
        ["lantern.height", "lantern.courses"]
    );
}

#[test]
fn what_is_wrong_with_a_dome_is_said_by_its_keys() {
    assert_eq!(
        refused(&Dome::default()),
        ["radius", "thickness", "rings", "blocks"]
    );
    let wrong = |change: &dyn Fn(&mut Dome)| {
        let mut dome = dome();
        change(&mut dome);
        refused(&dome)
    };
    assert_eq!(wrong(&|d| d.oculus = Some(3.0)), ["oculus"]);
    assert_eq!(
        wrong(&|d| (d.oculus, d.keystone) = (Some(1.0), Some(1.0))),
        ["keystone"]
    );
    assert_eq!(wrong(&|d| d.bond = Some(RingBond::Running)), ["bond"]);
    assert_eq!(wrong(&|d| d.stepped = true), ["stepped"]);
    assert_eq!(wrong(&|d| d.blocks = 2), ["blocks"]);
    assert_eq!(wrong(&|d| d.rings = u32::MAX), ["rings", "blocks"]);
    // Too few rings would step beyond the ring below.
    let wide = |d: &mut Dome| (d.stepped, d.beds) = (true, Some(Beds::Horizontal));
    assert_eq!(wrong(&wide), ["rings"]);
    let bare = Dome {
        springers: Some(Springers::None),
        ..dome()
    };
    assert_eq!(grounded(&bare).joints_between("ground", "ring1."), 16);
}

fn tower() -> Cylinder {
    Cylinder {
        radius: 2.0,
        thickness: 0.5,
        height: 4.0,
        courses: 10,
        blocks: 20,
        ..Cylinder::default()
    }
}

/// Area of a regular polygon with corners at a radius.
fn polygon(sides: u32, radius: f64) -> f64 {
    0.5 * f64::from(sides) * (2.0 * PI / f64::from(sides)).sin() * radius * radius
}

#[test]
fn a_round_wall_is_in_running_bond() {
    let assembly = grounded(&tower());
    assembly.assert_connected();
    assert_eq!(assembly.pieces.len(), 200 + 1);
    // Heads, beds on two blocks each, and the ground.
    assert_eq!(assembly.joints().len(), 10 * 20 + 9 * 40 + 20);
    let expected = 4.0 * (polygon(20, 2.5) - polygon(20, 2.0));
    assert!((assembly.volume() - expected).abs() < 1e-9);
    let stacked = grounded(&Cylinder {
        bond: Some(RingBond::Stack),
        ..tower()
    });
    assert_eq!(stacked.joints().len(), 10 * 20 + 9 * 20 + 20);
    let top = polygon(20, 2.5) - polygon(20, 2.0);
    let faces = 4.0 * 20.0 * 2.0 * (PI / 20.0).sin() * (2.0 + 2.5);
    assert!((stacked.exposed() - top - faces).abs() < 1e-6);
    assert_eq!(assembly.named("course1.block1").vertices[0].y, 0.0);
}

#[test]
fn concentric_rings_and_solid_cylinders_have_no_gaps() {
    let solid = Cylinder {
        radius: 0.8,
        thickness: 3.2,
        rings: Some(4),
        sides: Some(8),
        blocks: 32,
        core: true,
        courses: 3,
        height: 1.2,
        bond: Some(RingBond::Stack),
    };
    let assembly = grounded(&solid);
    assembly.assert_connected();
    // Per side 1, 2, 3 and 4 blocks from the inside, in proportion to radii of 1.2, 2.0, 2.8 and 3.6 m.
    assert_eq!(assembly.pieces.len(), 3 * (1 + 8 * (1 + 2 + 3 + 4)) + 1);
    assert!((assembly.volume() - 1.2 * polygon(8, 4.0)).abs() < 1e-9);
    // In a course: heads of each ring; the core to eight; and between rings as many as joints on a side, without those in line.
    let between = 8 * (1 + 2 + 4 + 6);
    let heads = 8 * (1 + 2 + 3 + 4);
    let course = heads + between;
    assert_eq!(assembly.joints().len(), 3 * course + 3 * (1 + 80));
    let side = 2.0 * 4.0 * (PI / 8.0).sin();
    let expected = 8.0 * side * 1.2 + polygon(8, 4.0);
    assert!((assembly.exposed() - expected).abs() < 1e-6);
    // In running bond the second course has a wider core, three whole rings and half a ring, of 2, 3, 4 and 4 blocks on a side.
    let running = grounded(&Cylinder {
        bond: None,
        ..solid.clone()
    });
    running.assert_connected();
    assert!((running.volume() - 1.2 * polygon(8, 4.0)).abs() < 1e-9);
    assert_eq!(running.pieces.len(), 2 * 81 + (1 + 8 * (2 + 3 + 4 + 4)) + 1);
    assert!(
        (running.named("course2.core").vertices[0]
            .truncate()
            .length()
            - 1.2)
            .abs()
            < 1e-12
    );
    assert_eq!(running.named("course2.ring4.block32").vertices.len(), 8);
    // A hollow one has half rings on both faces.
    let hollow = grounded(&Cylinder {
        bond: None,
        core: false,
        ..solid
    });
    hollow.assert_connected();
    let area = polygon(8, 4.0) - polygon(8, 0.8);
    assert!((hollow.volume() - 1.2 * area).abs() < 1e-9);
    assert!(
        hollow
            .pieces
            .iter()
            .any(|piece| piece.name == "course2.ring5.block1")
    );
}

#[test]
fn what_is_wrong_with_a_cylinder_is_said_by_its_keys() {
    assert_eq!(
        refused(&Cylinder::default()),
        ["radius", "thickness", "height", "courses", "blocks"]
    );
    assert_eq!(
        refused(&Cylinder {
            sides: Some(7),
            ..tower()
        }),
        ["blocks"]
    );
    assert_eq!(
        refused(&Cylinder {
            sides: Some(2),
            ..tower()
        }),
        ["sides"]
    );
    assert_eq!(
        refused(&Cylinder {
            rings: Some(0),
            ..tower()
        }),
        ["rings"]
    );
    assert_eq!(
        refused(&Cylinder {
            courses: 1_000_000,
            ..tower()
        }),
        ["blocks"]
    );
}
