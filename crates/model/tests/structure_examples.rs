//! The examples whose blocks walls and buildings make: as many blocks as were published, all of them sound.

use std::path::Path;

use drystone_geometry::DVec3;
use drystone_structures::Piece;

use kit::{Assembly, assembly};

#[path = "../../structures/tests/structures/kit.rs"]
#[allow(dead_code, reason = "it serves the tests of all structures")]
mod kit;

/// The blocks of the model file of an example as they are after placing.
fn example(file: &str) -> Assembly {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../examples")
        .join(file);
    let model = drystone_model::load(&path).unwrap_or_else(|faults| panic!("{faults}"));
    let pieces = model.blocks.iter().map(|block| {
        let vertices: Vec<DVec3> = block.shape.vertices().map(|v| block.position + v).collect();
        let piece = Piece::new(block.name.clone(), vertices);
        if block.support {
            piece.supported()
        } else {
            piece
        }
    });
    let made = assembly(pieces.collect());
    made.assert_connected();
    made
}

fn free(assembly: &Assembly) -> usize {
    assembly
        .pieces
        .iter()
        .filter(|piece| !piece.support)
        .count()
}

#[test]
fn dry_panels_have_the_blocks_and_contacts_of_their_source() {
    let counts = [
        (33, 83),
        (55, 141),
        (46, 102),
        (55, 116),
        (61, 120),
        (146, 345),
    ];
    for (index, (b, c)) in counts.into_iter().enumerate() {
        let panel = example(&format!("dry-panels/panel-{}.toml", index + 1));
        assert_eq!(
            (free(&panel), panel.joints().len()),
            (b, c),
            "panel {}",
            index + 1
        );
    }
}

#[test]
fn walls_of_tests_have_the_blocks_of_their_sources() {
    for (file, blocks) in [
        ("shear-wall/model.toml", 55 + 1),
        ("portal/model.toml", 149),
        ("unsupported-wall/model.toml", 155),
    ] {
        assert_eq!(free(&example(file)), blocks, "{file}");
    }
}

#[test]
fn the_stone_house_has_191_blocks() {
    let house = example("stone-house/model.toml");
    assert_eq!(free(&house), 191);
    // East, north and south.
    let count = |wall: &str| {
        let start = format!("house.{wall}.");
        house
            .pieces
            .iter()
            .filter(|piece| piece.name.starts_with(&start))
            .count()
    };
    assert_eq!(
        [count("east"), count("north"), count("south")],
        [98, 43, 50]
    );
    assert!((house.volume() - 9.675).abs() < 1e-6, "{}", house.volume());
}

#[test]
fn the_church_has_5161_blocks() {
    let church = example("church/model.toml");
    assert_eq!(free(&church), 5161);
}
