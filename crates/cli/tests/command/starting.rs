//! Examples to start from.

use crate::kit::Desk;

#[test]
fn every_example_is_listed_with_its_title() {
    let call = Desk::new().call(&["examples"]);
    assert_eq!(call.code, Some(0), "{call:?}");
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let readme = std::fs::read_to_string(path.join("README.md")).unwrap();
        let title = readme.lines().next().unwrap().trim_start_matches("# ");
        let line = call
            .out
            .lines()
            .find(|line| line.trim_start().starts_with(&format!("{name} ")));
        let line = line.unwrap_or_else(|| panic!("{name} is not in\n{}", call.out));
        assert!(line.ends_with(title), "{line}");
    }
}

#[test]
fn an_example_is_copied_and_runs_where_it_is_put() {
    let desk = Desk::new();
    let call = desk.call(&["new", "housner-block"]);
    assert_eq!(call.code, Some(0), "{call:?}");
    assert!(call.out.contains("drystone run"), "{}", call.out);
    let check = desk.call(&["check", "housner-block/model.toml"]);
    assert_eq!(check.code, Some(0), "{check:?}");
    // A second copy would overwrite what may have been changed.
    let again = desk.call(&["new", "housner-block"]);
    assert_eq!(again.code, Some(2), "{again:?}");
    assert!(again.err.contains("already there"), "{}", again.err);
    let elsewhere = desk.call(&["new", "housner-block", "mine"]);
    assert_eq!(elsewhere.code, Some(0), "{elsewhere:?}");
    assert_eq!(
        desk.read("mine/model.toml"),
        desk.read("housner-block/model.toml")
    );
    let unknown = desk.call(&["new", "colosseum"]);
    assert_eq!(unknown.code, Some(2), "{unknown:?}");
    assert!(unknown.err.contains("housner-block"), "{}", unknown.err);
}
