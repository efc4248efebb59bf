//! What is said about files that cannot be read as a model: syntax, keys, types.

mod common;

use common::{assert_faults, faults, sound_and, sound_but};
use drystone_model::{Format, load};

#[test]
fn the_sound_model_has_no_faults() {
    assert_faults(common::SOUND, &[]);
}

#[test]
fn unknown_keys_name_the_nearest_known_one() {
    assert_faults(
        &sound_but("friction = 0.6", "frcition = 0.6"),
        &[
            "4:1 interface 1: the key `friction` is missing",
            "6:1 interface 1: unknown key `frcition` [did you mean \"friction\"?]",
        ],
    );
    assert_faults(
        &sound_but("support = true", "support = true\nfixed = true"),
        &["11:1 block \"ground\": unknown key `fixed` [did you mean \"support\"?]"],
    );
    assert_faults(
        &sound_but("density = 2000.0", "density = 2000.0\ncolour = 3"),
        &["4:1 material \"stone\": unknown key `colour` [known keys: name, density]"],
    );
    assert_faults(
        &sound_and("[[blok]]\n[[blok]]\n"),
        &["15:3 unknown key `blok` at the top of the file [did you mean \"block\"?]"],
    );
}

#[test]
fn keys_inside_inline_tables_are_checked_too() {
    let text = "[[analysis]]\nname = \"a\"\nkind = \"time_history\"\nduration = 1\nmonitors = [{ blok = \"b2\" }]\n";
    assert_faults(
        &sound_and(text),
        &[
            "19:13 analysis \"a\".monitors[0]: the key `block` is missing",
            "19:15 analysis \"a\".monitors[0]: unknown key `blok` [did you mean \"block\"?]",
        ],
    );
}

#[test]
fn missing_keys_are_named() {
    assert_faults(
        &sound_but("density = 2000.0\n", ""),
        &["1:1 material \"stone\": the key `density` is missing"],
    );
    assert_faults(
        &sound_and("[[motion]]\nname = \"m\"\n"),
        &[
            "15:1 motion \"m\": the key `kind` is missing [one of one_sine, biphasic, rectangular, sine, record, stochastic, code_spectrum, settlement]",
        ],
    );
}

/// The same model, to the last bit, whatever unit its numbers are written in, and in TOML and JSON alike.
#[test]
fn numbers_may_have_units() {
    let plain = sound_and(
        "[[load]]\nblock = \"b2\"\nforce = [0, 0, -1500]\npoint = [0.35, 0.5, 1]\n\
         [[motion]]\nname = \"p\"\nkind = \"one_sine\"\namplitude = 1.7\nhalf_period = 0.25\n",
    );
    let mut units = plain.clone();
    for (number, unit) in [
        ("density = 2000.0", "density = \"2 t/m³\""),
        ("-1500]", "\"-1.5 kN\"]"),
        ("[0.35, 0.5, 1]", "[\"35 cm\", \"500mm\", 1]"),
        ("amplitude = 1.7", "amplitude = \"170 cm/s^2\""),
        ("half_period = 0.25", "half_period = \"250 ms\""),
    ] {
        assert_eq!(units.matches(number).count(), 1, "{number}");
        units = units.replace(number, unit);
    }
    let read = |text: &str, format| drystone_model::parse(text, format).unwrap();
    assert_eq!(read(&units, Format::Toml), read(&plain, Format::Toml));
    let tree: serde_json::Value = toml::from_str(&units).unwrap();
    assert_eq!(
        read(&tree.to_string(), Format::Json),
        read(&plain, Format::Toml)
    );
    assert_eq!(
        drystone_model::from_tree(&tree).unwrap(),
        read(&plain, Format::Toml)
    );
}

#[test]
fn a_unit_of_something_else_is_refused_where_it_stands() {
    assert_faults(
        &sound_and(
            "[[motion]]\nname = \"p\"\nkind = \"one_sine\"\namplitude = \"0.19 kN\"\nhalf_period = \"1 fortnight\"\n",
        ),
        &[
            "18:13 motion \"p\".amplitude: \"0.19 kN\" is a force, not an acceleration \
             [an acceleration is a number in m/s², or a string such as \"0.19 g\"; units: m/s², cm/s², mm/s², g, Gal]",
            "19:15 motion \"p\".half_period: \"1 fortnight\" has the unit `fortnight`, which is not known \
             [a time is a number in s, or a string such as \"5 ms\"; units: s, ms, min]",
        ],
    );
    // A coefficient has no unit.
    assert_faults(
        &sound_but("friction = 0.6", "friction = \"0.6 m\""),
        &["6:12 interface 1.friction: expected a number, found the string \"0.6 m\""],
    );
}

#[test]
fn wrong_types_say_what_was_found() {
    assert_faults(
        &sound_but("density = 2000.0", "density = \"heavy\""),
        &[
            "3:11 material \"stone\".density: expected a number, alone or with its unit, found the string \"heavy\" [a mass per volume is a number in kg/m³, or a string such as \"1.8 t/m³\"; units: kg/m³, t/m³, kg/dm³, g/cm³]",
        ],
    );
    assert_faults(
        &sound_but("support = true", "support = 1"),
        &["10:11 block \"ground\".support: expected true or false, found the number 1"],
    );
    assert_faults(
        &sound_but("between = [\"*\", \"*\"]", "between = [\"*\"]"),
        &["5:11 interface 1.between: expected an array of 2 values, found an array of 1 value"],
    );
    assert_faults(
        &sound_but("[0,0,-1],[1,0,-1]", "[0,0],[1,true,1979-05-27]"),
        &[
            "11:13 block \"ground\".vertices[0]: expected an array of 3 values, found an array of 2 values",
            "11:22 block \"ground\".vertices[1][1]: expected a number, found `true`",
            "11:27 block \"ground\".vertices[1][2]: expected a number, found a date or time",
        ],
    );
    assert_faults(
        &sound_but("support = true", "faces = [[0, 1.5, -2]]"),
        &[
            "10:14 block \"ground\".faces[0][1]: expected a whole number from 0, found the number 1.5",
            "10:19 block \"ground\".faces[0][2]: expected a whole number from 0, found the number -2",
        ],
    );
}

#[test]
fn numbers_must_be_finite() {
    assert_faults(
        &sound_but("density = 2000.0", "density = nan"),
        &["3:11 material \"stone\".density: the number is NaN, but must be finite"],
    );
    assert_faults(
        &sound_but("[0,0,-1]", "[0,-inf,1e999]"),
        &[
            "11:16 block \"ground\".vertices[0][1]: the number is -inf, but must be finite",
            "11:21 block \"ground\".vertices[0][2]: the number is inf, but must be finite",
        ],
    );
}

#[test]
fn words_that_are_not_known_name_the_nearest() {
    let text = "[model]\nplane = \"xy\"\n";
    assert_faults(
        &sound_and(text),
        &["16:9 model.plane: \"xy\" is not one of the words known here [did you mean \"xz\"?]"],
    );
    let text = "[[analysis]]\nname = \"a\"\nkind = \"time-history\"\nduration = 1\n";
    assert_faults(
        &sound_and(text),
        &[
            "17:8 analysis \"a\".kind: \"time-history\" is not one of the words known here [did you mean \"time_history\"?]",
        ],
    );
    assert_faults(
        &sound_and(
            "[[analysis]]\nname = \"a\"\nkind = \"time_history\"\nduration = 1\nscheme = \"leapfrogs\"\n",
        ),
        &[
            "19:10 analysis \"a\".scheme: \"leapfrogs\" is not one of the words known here [did you mean \"leapfrog\"?]",
        ],
    );
}

#[test]
fn sections_of_the_wrong_shape_say_how_to_write_them() {
    assert_faults(
        "[block]\nmaterial = \"stone\"\n[[model]]\n[[model]]\n",
        &[
            "1:2 `block` is a table, but must be an array of tables [write [[block]] in TOML, \"block\": [{...}] in JSON]",
            "3:3 `model` is an array, but must be a single table [write [model] in TOML, \"model\": {...} in JSON]",
            "the model has no blocks [add [[block]], [[generate]] or [[import]] tables]",
        ],
    );
}

#[test]
fn a_syntax_error_does_not_hide_the_faults_of_other_blocks() {
    let text = sound_but("vertices = [[0,0,0],[1,0,0]", "vertices = [[0,0,0],[1,0 0]");
    let text = text.replace("2000.0", "-1");
    let found = faults(&text, Format::Toml);
    assert_eq!(found.len(), 2, "{found:?}");
    assert_eq!(
        found[0],
        "3:11 material \"stone\".density: the value is -1 kg/m³, but must be greater than zero"
    );
    assert!(
        found[1].starts_with("14:24 not valid TOML: "),
        "{}",
        found[1]
    );
}

#[test]
fn what_refers_to_an_item_at_fault_is_not_reported_too() {
    let text = sound_and(
        "[[motion]]\nname = \"m\"\nkind = \"pulse\"\n[[analysis]]\nname = \"a\"\nkind = \"time_history\"\nduration = 1\nmotion = \"m\"\n",
    );
    assert_eq!(faults(&text, Format::Toml).len(), 1);
    // Not even its name could be read: it may be the one that is meant.
    let text = text.replace("name = \"m\"", "name = m");
    let found = faults(&text, Format::Toml);
    assert!(
        found.iter().all(|fault| fault.contains("not valid TOML")),
        "{found:?}"
    );
}

fn json_fault(text: &str) -> String {
    let found = faults(text, Format::Json);
    found
        .into_iter()
        .find(|fault| fault.contains("not valid JSON"))
        .unwrap_or_default()
}

#[test]
fn json_syntax_errors_know_their_place() {
    let cases = [
        (
            "",
            "1:1 not valid JSON: the file ends where `{`: a model file is one JSON object should come",
        ),
        (
            "[]",
            "1:1 not valid JSON: expected `{`: a model file is one JSON object, found `[`",
        ),
        (
            "{\n  \"model\": {\"gravity\": 1,}\n}",
            "2:25 not valid JSON: a comma with nothing after it",
        ),
        (
            "{\"model\" {}}",
            "1:10 not valid JSON: expected `:` after the key, found `{`",
        ),
        (
            "{\"model\": {} // no\n}",
            "1:14 not valid JSON: expected `,` or `}`, found `/` [JSON has no comments; TOML has them]",
        ),
        (
            "{\"model\": {'a': 1}}",
            "1:12 not valid JSON: expected a key in double quotes, found `'` [JSON strings stand in double quotes]",
        ),
        (
            "{\"model\": {\"gravity\": NaN}}",
            "1:23 not valid JSON: every number must be finite",
        ),
        (
            "{\"model\": {\"gravity\": 01}}",
            "1:23 not valid JSON: `01` is not a number",
        ),
        (
            "{\"model\": {\"gravity\": .5}}",
            "1:23 not valid JSON: expected a value, found `.`",
        ),
        (
            "{\"model\": {\"name\": \"a\\qb\"}}",
            "1:22 not valid JSON: not a JSON escape sequence",
        ),
        (
            "{\"model\": {\"name\": \"a\nb\"}}",
            "1:20 not valid JSON: the string that opens here is not closed on its line",
        ),
        (
            "{\"model\": {\"name\": 1, \"name\": 2}}",
            "1:23 not valid JSON: the key \"name\" stands twice in one object",
        ),
        (
            "{\"block\": [], \"block\": []}",
            "1:15 not valid JSON: the key \"block\" stands twice in one object",
        ),
        (
            "{} {}",
            "1:4 not valid JSON: expected the end of the file, found `{`",
        ),
        (
            "{\"model\": {}",
            "1:12 not valid JSON: the file ends where `,` or `}` should come",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(json_fault(text), expected, "\n{text}");
    }
    let deep = format!("{{\"model\": {}", "[".repeat(100_000));
    assert_eq!(json_fault(&deep), "1:43 not valid JSON: nested too deeply");
}

#[test]
fn json_values_have_the_same_faults_as_toml_ones() {
    let text = "{\n\"material\": [{\"name\": \"stone\", \"density\": \"x\"}],\n\"block\": {}\n}";
    let found = faults(text, Format::Json);
    assert_eq!(
        found[..2],
        [
            "2:43 material \"stone\".density: expected a number, alone or with its unit, found the string \"x\" [a mass per volume is a number in kg/m³, or a string such as \"1.8 t/m³\"; units: kg/m³, t/m³, kg/dm³, g/cm³]",
            "3:1 `block` is a table, but must be an array of tables [write [[block]] in TOML, \"block\": [{...}] in JSON]",
        ]
    );
}

#[test]
fn columns_count_characters_and_windows_line_ends_are_fine() {
    let text = "[[material]]\r\nname = \"größe\"\r\ndensity = 2.0\r\n[[block]]\r\nmaterial = \"größe\"\r\nsupport = \"große\"\r\nvertices = []\r\n";
    let found = faults(text, Format::Toml);
    assert_eq!(
        found,
        ["6:11 block 1.support: expected true or false, found the string \"große\""]
    );
    let text = "{\"material\": [{\"name\": \"größe\", \"density\": -2}]}";
    let found = faults(text, Format::Json);
    assert!(
        found[0].starts_with("1:44 material \"größe\".density: the value is -2"),
        "{found:?}"
    );
}

#[test]
fn files_that_cannot_be_read_say_why() {
    let folder = std::env::temp_dir().join(format!("drystone-model-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let missing = load(&folder.join("missing.toml")).unwrap_err().to_string();
    assert!(
        missing.starts_with("error: the file cannot be read: "),
        "{missing}"
    );
    assert!(missing.contains("missing.toml"), "{missing}");
    // That it is not there comes before what it is called.
    let other = folder.join("model.yaml");
    let absent = load(&other).unwrap_err().to_string();
    assert!(absent.contains("the file cannot be read"), "{absent}");
    std::fs::write(&other, "").unwrap();
    let yaml = load(&other).unwrap_err().to_string();
    assert!(yaml.contains("neither TOML nor JSON"), "{yaml}");
    let latin = folder.join("latin.toml");
    std::fs::write(&latin, b"[model]\nname = \"gr\xf6\xdfe\"\n").unwrap();
    let fault = load(&latin).unwrap_err().to_string();
    assert!(
        fault.contains("not UTF-8") && fault.contains("latin.toml:2:1"),
        "{fault}"
    );
    std::fs::remove_dir_all(&folder).unwrap();
}
