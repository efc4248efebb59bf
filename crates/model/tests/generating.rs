//! Structures in model files: what they become, and what is said of wrong ones.

use drystone_model::{Model, from_toml};

const HEAD: &str = r#"
[[material]]
name = "stone"
density = 2000.0
[[interface]]
between = ["*", "*"]
friction = 0.6
"#;

fn model(text: &str) -> Model {
    from_toml(&format!("{HEAD}{text}")).unwrap_or_else(|faults| panic!("{faults}"))
}

fn complaint(text: &str) -> String {
    match from_toml(&format!("{HEAD}{text}")) {
        Ok(_) => panic!("it was read"),
        Err(faults) => faults.to_string(),
    }
}

#[test]
fn blocks_of_structures_follow_those_of_the_file_and_have_their_names() {
    let model = model(
        r#"
        [[generate]]
        kind = "box"
        name = "post"
        material = "stone"
        group = "posts"
        size = [0.5, 0.4, 2.0]
        repeat = { count = 3, step = [2, 0, 0] }
        [[generate]]
        kind = "ground"
        material = "stone"
        [[block]]
        material = "stone"
        vertices = [[0, 0, 5], [1, 0, 5], [0, 1, 5], [0, 0, 6]]
        [[load]]
        block = "post2.block"
        force = [0, 0, -10]
        "#,
    );
    let names: Vec<&str> = model
        .blocks
        .iter()
        .map(|block| block.name.as_str())
        .collect();
    assert_eq!(
        names,
        [
            "b1",
            "post1.block",
            "post2.block",
            "post3.block",
            "ground.block"
        ]
    );
    assert_eq!(model.loads[0].block, 2);
    assert_eq!(model.blocks[2].group.as_deref(), Some("posts"));
    let ground = &model.blocks[4];
    assert!(ground.support);
    // Under all three posts and the loose block, half a metre wider and deep: x from -0.75 to 4.75, y from -0.7 to 1.5.
    let mass = 2000.0 * 5.5 * 2.2 * 0.5;
    assert!((ground.mass / mass - 1.0).abs() < 1e-12, "{}", ground.mass);
    assert!((ground.position.z + 0.25).abs() < 1e-15);
}

#[test]
fn the_ground_can_be_under_some_and_at_a_level() {
    let model = model(
        r#"
        [[generate]]
        kind = "box"
        name = "left"
        material = "stone"
        size = [1, 1, 1]
        [[generate]]
        kind = "box"
        name = "right"
        material = "stone"
        at = [5, 0, 1]
        size = [1, 1, 1]
        [[generate]]
        kind = "ground"
        name = "low"
        material = "stone"
        below = ["left"]
        margin = 0
        [[generate]]
        kind = "ground"
        name = "high"
        material = "stone"
        below = ["right"]
        depth = 1
        "#,
    );
    let low = &model.blocks[2];
    assert!((low.mass - 1000.0).abs() < 1e-9 && low.position.x.abs() < 1e-12);
    let high = &model.blocks[3];
    assert!((high.position.z - 0.5).abs() < 1e-12 && (high.position.x - 5.0).abs() < 1e-12);
}

#[test]
fn wrong_dimensions_are_reported_with_their_line() {
    let text = complaint(
        r#"
        [[generate]]
        kind = "box"
        name = "post"
        material = "stone"
        size = [0.5, -0.4, 2.0]
        [[load]]
        block = "post.block"
        force = [0, 0, -10]
        "#,
    );
    // The load may well refer to a block that is not made: only the structure is at fault.
    assert!(text.contains("generate \"post\".size[1]: -0.4 m"), "{text}");
    assert!(text.contains("model.toml:13:"), "{text}");
    assert!(
        text.contains("1 fault") || !text.contains("there is no block"),
        "{text}"
    );
}

#[test]
fn unknown_kinds_keys_and_materials_are_reported() {
    let text = complaint("[[generate]]\nkind = \"boxx\"\nmaterial = \"stone\"\n");
    assert!(text.contains("\"boxx\"") && text.contains("box"), "{text}");
    let text = complaint("[[generate]]\nkind = \"box\"\nmaterial = \"stone\"\nsizes = [1, 1, 1]\n");
    assert!(
        text.contains("unknown key `sizes`") && text.contains("`size`"),
        "{text}"
    );
    let text = complaint(
        "[model]\nfloating = true\n[[generate]]\nkind = \"box\"\nmaterial = \"ston\"\nsize = [1, 1, 1]\n",
    );
    assert!(text.contains("there is no material \"ston\""), "{text}");
    assert!(text.contains("model.toml:12:12"), "{text}");
}

#[test]
fn a_material_that_does_not_exist_is_reported_once_where_it_is_written() {
    let text = format!(
        "{HEAD}[[generate]]\nkind = \"wall\"\nname = \"w\"\nmaterial = \"stone\"\nlength = 4\nheight = 1\nthickness = 0.3\n\
         block = [0.4, 0.2]\nset = [\n  {{ blocks = \"course1.*\", material = \"ston\" }},\n]\n\
         [[generate]]\nkind = \"ground\"\nmaterial = \"rock\"\n"
    );
    let faults = from_toml(&text).unwrap_err();
    let found: Vec<(Option<usize>, &str)> = faults
        .iter()
        .map(|fault| (fault.line, fault.path.as_str()))
        .collect();
    let expected = [
        (Some(17), "generate \"w\".set[0].material"),
        (Some(21), "generate \"ground\".material"),
    ];
    assert_eq!(found, expected, "{faults}");
}

#[test]
fn two_structures_of_one_name_are_reported_once_per_block() {
    let text = complaint(
        r#"
        [[generate]]
        kind = "box"
        material = "stone"
        support = true
        size = [1, 1, 1]
        [[generate]]
        kind = "box"
        material = "stone"
        size = [1, 1, 1]
        "#,
    );
    assert!(text.contains("generate 1 has this name already"), "{text}");
}

#[test]
fn a_ground_under_nothing_is_refused() {
    let text = complaint("[[generate]]\nkind = \"ground\"\nmaterial = \"stone\"\n");
    assert!(text.contains("nothing stands on the ground"), "{text}");
    let text = complaint(
        "[[generate]]\nkind = \"box\"\nname = \"post\"\nmaterial = \"stone\"\nsize = [1, 1, 1]\nremove = [\"*\"]\n\
         [[generate]]\nkind = \"ground\"\nmaterial = \"stone\"\n",
    );
    assert!(
        text.contains("no block is left of \"post\"") && text.contains("`remove`"),
        "{text}"
    );
    let text = complaint(
        "[[generate]]\nkind = \"box\"\nname = \"post\"\nmaterial = \"stone\"\nsize = [1, 1, 1]\n\
         [[generate]]\nkind = \"ground\"\nmaterial = \"stone\"\nbelow = [\"pots\"]\n",
    );
    assert!(
        text.contains("there is no structure, drawing or block \"pots\"") && text.contains("post"),
        "{text}"
    );
}

#[test]
fn bumps_round_the_underside() {
    let model = model(
        r#"
        [[generate]]
        kind = "box"
        name = "column"
        material = "stone"
        size = [0.6, 0.6, 2.0]
        bumps = { count = 2, height = 1e-3 }
        [[generate]]
        kind = "ground"
        material = "stone"
        "#,
    );
    let facets = model.blocks[0].shape.parts()[0].faces().iter();
    assert_eq!(facets.filter(|face| face.normal.z < -0.9).count(), 3);
}

#[test]
fn a_wall_across_that_goes_on_above_the_eaves_of_a_gable_is_refused() {
    let house = |height: f64| {
        format!(
            "[[generate]]\nkind = \"building\"\nname = \"house\"\nmaterial = \"stone\"\nsupport = true\ncourse_height = 0.25\nblock_length = 0.5\n\
             walls = [{{ name = \"front\", from = [0, 0], to = [4, 0], thickness = 0.5, height = 2.0, gable = {{ height = 1.0 }} }},\n\
             {{ name = \"side\", from = [4, 0], to = [4, 3], thickness = 0.5, height = {height:?} }}]\n"
        )
    };
    let text = complaint(&house(2.5));
    assert!(
        text.contains("the wall \"side\" continues above the eaves"),
        "{text}"
    );
    model(&house(2.0));
}

#[test]
fn a_curved_block_keeps_its_mass_in_proportion_and_is_not_cut() {
    let arch = |more: &str| {
        format!(
            "[[generate]]\nkind = \"arch\"\nmaterial = \"stone\"\nradius = 2\nthickness = 0.5\ndepth = 1\nvoussoirs = 7\ncurved_mass = true\n{more}\n"
        )
    };
    let mass = |text: &str| -> f64 {
        let blocks = model(text).blocks;
        let free = blocks.iter().filter(|block| !block.support);
        free.map(|block| block.mass).sum()
    };
    let whole = mass(&arch(""));
    // Half a ring: pi/2 (2.5² - 2²) over a depth of 1 m.
    let exact = 2000.0 * std::f64::consts::FRAC_PI_2 * 2.25;
    assert!((whole / exact - 1.0).abs() < 1e-9, "{whole}");
    let trimmed = mass(&arch("trim = 0.001"));
    assert!(trimmed < whole && trimmed > 0.999 * whole, "{trimmed}");
    let text = complaint(&arch("cut = [{ point = [0, 0.5, 0], normal = [0, 1, 0] }]"));
    assert!(text.contains("leave out `curved_mass` or `cut`"), "{text}");
}
