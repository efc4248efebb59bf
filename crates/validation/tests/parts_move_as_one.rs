//! A block of several convex parts moves as one.

use drystone_geometry::DVec3;
use drystone_validation::experiments::simulate;
use drystone_validation::scene::read;

/// A gate, upright, 1.0 m wide and 2.4 m high with legs of 0.2 m, on a ground that jerks along x.
fn gate(block: &str) -> String {
    format!(
        r#"
        [[material]]
        name = "stone"
        density = 2000.0
        [[interface]]
        between = ["*", "*"]
        friction = 2.0
        {block}
        [[generate]]
        kind = "ground"
        material = "stone"
        [[motion]]
        name = "pulse"
        kind = "one_sine"
        amplitude = 6.0
        half_period = 0.15
        [[analysis]]
        name = "shake"
        kind = "time_history"
        motion = "pulse"
        tolerance = "validation"
        dt = 0.001
        duration = 0.8
        "#
    )
}

/// The outline (x, z) of the gate, counter-clockwise seen from -y, as a prism of 0.4 m.
const OUTLINE: [[f64; 2]; 8] = [
    [-0.5, 0.0],
    [-0.3, 0.0],
    [-0.3, 2.0],
    [0.3, 2.0],
    [0.3, 0.0],
    [0.5, 0.0],
    [0.5, 2.4],
    [-0.5, 2.4],
];

fn drawn() -> String {
    let corners = |y: f64| OUTLINE.map(|[x, z]| format!("[{x:?}, {y:?}, {z:?}]"));
    let vertices = [corners(0.0), corners(0.4)].concat().join(", ");
    let front: Vec<String> = (0..8).map(|i| i.to_string()).collect();
    let back: Vec<String> = (8..16).rev().map(|i| i.to_string()).collect();
    let mut faces = vec![front.join(","), back.join(",")];
    faces.extend((0..8).map(|i| {
        let j = (i + 1) % 8;
        format!("{i},{},{},{j}", i + 8, j + 8)
    }));
    let faces: Vec<String> = faces.iter().map(|face| format!("[{face}]")).collect();
    format!(
        "[[block]]\nname = \"gate\"\nmaterial = \"stone\"\nvertices = [{vertices}]\nfaces = [{}]",
        faces.join(", ")
    )
}

fn path(text: &str) -> Result<Vec<DVec3>, String> {
    let model = read(text)?;
    let mut path = Vec::new();
    simulate(&model, &mut |run| {
        path.push(run.progress().state.poses[0].position)
    })?;
    Ok(path)
}

/// A box around the gate rocks over the same edges, and with the gate's own mass and inertia in the same way.
#[test]
fn a_gate_rocks_as_the_box_around_it_with_its_mass() {
    let text = gate(&drawn());
    let model = read(&text).unwrap();
    let block = &model.blocks[0];
    assert_eq!(block.shape.parts().len(), 3);
    // Two legs of 0.2 x 2.0 and a beam of 1.0 x 0.4.
    assert!(
        (block.mass - 2000.0 * 0.4 * 1.2).abs() < 1e-9,
        "{}",
        block.mass
    );
    let around = format!(
        "[[block]]\nname = \"gate\"\nmaterial = \"stone\"\nmass = {:?}\ncentroid = {:?}\ninertia = {:?}\n\
         vertices = [[-0.5, 0, 0], [0.5, 0, 0], [-0.5, 0.4, 0], [0.5, 0.4, 0], [-0.5, 0, 2.4], [0.5, 0, 2.4], [-0.5, 0.4, 2.4], [0.5, 0.4, 2.4]]",
        block.mass,
        block.position.to_array(),
        [
            block.inertia.x_axis.x,
            block.inertia.y_axis.y,
            block.inertia.z_axis.z,
            0.0,
            0.0,
            0.0
        ],
    );
    let in_parts = path(&text).unwrap();
    let whole = path(&gate(&around)).unwrap();
    let moved = whole
        .iter()
        .map(|p| p.distance(whole[0]))
        .fold(0.0, f64::max);
    assert!(moved > 0.02, "the gate should rock, but moves {moved} m");
    // Both are exact to the solver's tolerance, which 800 steps add up.
    let apart = in_parts.iter().zip(&whole).map(|(p, q)| p.distance(*q));
    let apart = apart.fold(0.0, f64::max);
    assert!(apart < 1e-5, "{apart}");
}
