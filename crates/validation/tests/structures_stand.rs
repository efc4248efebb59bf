//! Structures by parameters stand under their own weight.

use drystone_validation::experiments::simulate;

const HEAD: &str = r#"
[[material]]
name = "stone"
density = 2000.0
[[interface]]
between = ["*", "*"]
friction = 0.7
[[analysis]]
name = "rest"
kind = "time_history"
dt = 0.001
duration = 0.03
"#;

/// What every structure that should stand is made of. Dimensions are sturdy: domes and arches well above their least
/// thickness, walls with little gap to bridge.
const STRUCTURES: &[(&str, &str)] = &[
    (
        "a wall in running bond",
        "kind = \"wall\"\nlength = 2.0\nheight = 1.0\nthickness = 0.3\nblock = [0.4, 0.2]",
    ),
    (
        "a wall in English bond",
        "kind = \"wall\"\nlength = 2.0\nheight = 1.0\nthickness = 0.4\nblock = [0.4, 0.2]\nbond = \"english\"",
    ),
    (
        "a wall of random ashlar",
        "kind = \"wall\"\nlength = 3.0\nheight = 1.2\nthickness = 0.4\nblock = [0.4, 0.2]\nbond = \"random\"\nseed = 7",
    ),
    (
        "a wall of two leaves with through-stones",
        "kind = \"wall\"\nlength = 2.0\nheight = 1.0\nthickness = 0.6\nblock = [0.4, 0.2]\nleaves = { count = 2, through_every = 2 }",
    ),
    (
        "a wall with a door under a lintel, a window under an arch, and a gable",
        "kind = \"wall\"\nlength = 6.0\nheight = 3.2\nthickness = 0.5\nblock = [0.5, 0.2]\ngable = { height = 1.6 }\n\
         openings = [{ at = 1.0, width = 1.0, height = 2.0 }, { at = 3.8, sill = 0.8, width = 1.0, height = 1.0, top = \"arch\" }]",
    ),
    (
        "a stack",
        "kind = \"stack\"\ncount = 6\nblock = [0.5, 0.5, 0.4]",
    ),
    (
        "a tapered column with a capital",
        "kind = \"column\"\nradius = 0.5\ntop_radius = 0.4\nheight = 4.0\ndrums = 5\nsides = 12\ncapital = { height = 0.3, width = 1.1 }",
    ),
    (
        "a colonnade",
        "kind = \"colonnade\"\ncolumns = 3\nspacing = 2.5\ncolumn = { radius = 0.4, height = 3.0, drums = 3, sides = 12 }\narchitrave = { height = 0.5 }",
    ),
    (
        "a semicircular arch on piers",
        "kind = \"arch\"\nspan = 2.0\nthickness = 0.4\ndepth = 0.6\nvoussoirs = 13\npiers = { width = 1.2, height = 1.5, courses = 5 }",
    ),
    (
        "a pointed arch",
        "kind = \"arch\"\nshape = \"pointed\"\nspan = 3.0\nrise = 2.2\nthickness = 0.6\ndepth = 0.6\nvoussoirs = 16",
    ),
    (
        "an elliptical arch",
        "kind = \"arch\"\nshape = \"elliptical\"\nspan = 3.0\nrise = 1.1\nthickness = 0.6\ndepth = 0.6\nvoussoirs = 15",
    ),
    (
        "a flat arch",
        "kind = \"arch\"\nshape = \"flat\"\nspan = 1.2\nthickness = 0.5\ndepth = 0.4\nvoussoirs = 7",
    ),
    (
        "a spandrel arch",
        "kind = \"spandrel_arch\"\nradius = 1.9\nthickness = 0.4\nvoussoirs = 14\nwidth = 8.0\nheight = 3.0\ndepth = 0.8\nblock_length = 0.6",
    ),
    (
        "a barrel vault",
        "kind = \"barrel_vault\"\nspan = 3.0\nthickness = 0.5\nrows = 11\nlength = 2.0\nblocks = 3",
    ),
    (
        "a cross vault",
        "kind = \"cross_vault\"\nspan = 3.0\nthickness = 0.4\nrows = 11\nblock_length = 0.6",
    ),
    (
        "a dome with an oculus",
        "kind = \"dome\"\nradius = 2.0\nthickness = 0.4\nrings = 6\nblocks = 12\noculus = 0.5",
    ),
    (
        "a house of four walls with a door",
        "kind = \"building\"\ncourse_height = 0.25\nblock_length = 0.5\nwalls = [\
         { from = [0, 0], to = [3, 0], thickness = 0.5, height = 2.5, openings = [{ width = 1.0, height = 2.0 }] },\
         { from = [3, 0], to = [3, 2], thickness = 0.5, height = 2.5 },\
         { from = [3, 2], to = [0, 2], thickness = 0.5, height = 2.5 },\
         { from = [0, 2], to = [0, 0], thickness = 0.5, height = 2.5 }]",
    ),
    (
        "a tower with a belfry",
        "kind = \"tower\"\nwidth = [3.0, 3.0]\ncourse_height = 0.3\nblock_length = 0.6\nstoreys = [\
         { height = 1.8, thickness = 0.6 },\
         { height = 1.8, thickness = 0.6, openings = [{ sill = 0.3, width = 0.6, height = 0.6, top = \"arch\" }] }]",
    ),
    (
        "a round tower",
        "kind = \"cylinder\"\nradius = 1.5\nthickness = 0.5\nheight = 2.0\ncourses = 5\nblocks = 12",
    ),
];

/// How far any block moves in 0.03 s, m. A block that falls would move 4.4 mm, one that starts to slide with a tenth of
/// gravity 0.4 mm. What is found at rest beforehand does not move at all.
fn travel(text: &str) -> Result<(usize, f64), String> {
    let model = drystone_model::from_toml(text).map_err(|faults| faults.to_string())?;
    let mut farthest: f64 = 0.0;
    simulate(&model, &mut |run| {
        for (pose, block) in run.progress().state.poses.iter().zip(&model.blocks) {
            farthest = farthest.max(pose.position.distance(block.position));
        }
    })?;
    Ok((model.blocks.len(), farthest))
}

#[test]
fn every_kind_stands() {
    for (name, keys) in STRUCTURES {
        let text = format!(
            "{HEAD}\n[[generate]]\nmaterial = \"stone\"\n{keys}\n[[generate]]\nkind = \"ground\"\nmaterial = \"stone\"\n"
        );
        let (blocks, travel) = travel(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(
            travel < 1e-6,
            "{name} of {blocks} blocks moves by {travel} m"
        );
    }
}

/// On elastic joints too, whose corners may have no area as blocks turn. They settle under their weight, by up to some hundred micrometres; what falls moves by 4.4 mm.
#[test]
fn every_kind_stands_on_elastic_joints() {
    let head = HEAD
        .replace("friction = 0.7", "friction = 0.7\nnormal_stiffness = 1e10")
        .replace("dt = 0.001", "dt = 0.001\njoints = \"elastic\"");
    for (name, keys) in STRUCTURES {
        let text = format!(
            "{head}\n[[generate]]\nmaterial = \"stone\"\n{keys}\n[[generate]]\nkind = \"ground\"\nmaterial = \"stone\"\n"
        );
        let (blocks, travel) = travel(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(
            travel > 0.0 && travel < 5e-4,
            "{name} of {blocks} blocks moves by {travel} m"
        );
    }
}

/// A semicircular arch needs a thickness of 0.1075 of its mean radius (Milankovitch): one of half of that falls.
#[test]
fn an_arch_that_is_too_thin_does_not() {
    let arch = |thickness: f64| {
        format!(
            "{HEAD}\n[[generate]]\nmaterial = \"stone\"\nkind = \"arch\"\nradius = {:?}\nthickness = {thickness:?}\ndepth = 0.5\nvoussoirs = 31\n",
            2.0 - 0.5 * thickness
        )
    };
    let (_, thin) = travel(&arch(0.5 * 0.1075 * 2.0)).unwrap();
    let (_, thick) = travel(&arch(1.2 * 0.1075 * 2.0)).unwrap();
    assert!(thin > 1e-5 && thick < 1e-6, "{thin} {thick}");
}
