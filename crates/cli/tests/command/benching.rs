//! `drystone bench`.

use crate::kit::Desk;

#[test]
fn a_small_bench_measures_and_writes_everything() {
    let desk = Desk::with(
        "page.md",
        "# Page\n<!-- measured -->\nstale\n<!-- end of measured -->\nrest\n",
    );
    let args =
        "bench --quick --sizes 30,60 --families wall,rubble-pile --json out.json --book page.md";
    let call = desk
        .call(&args.split(' ').collect::<Vec<_>>())
        .ended(0)
        .says(&["wall 30: self-weight", "wall 60: collapse"]);
    let report: serde_json::Value = serde_json::from_slice(&desk.read("out.json")).unwrap();
    assert_eq!(report["complete"], true);
    let rows = report["rows"].as_array().unwrap();
    // Three states of two walls, one of two piles.
    assert_eq!(rows.len(), 8, "{}", call.out);
    for row in rows {
        assert_eq!(row["warm"]["solved"], true, "{row}");
        let iterations = row["warm"]["iterations"].as_u64().unwrap();
        match row["motion"].as_str().unwrap() {
            "rest" => assert_eq!(iterations, 0, "{row}"),
            _ => {
                assert!(iterations > 0, "{row}");
                assert_eq!(row["cold"]["solved"], true, "{row}");
                assert!(row["clarabel"]["ms"].as_f64().unwrap() > 0.0, "{row}");
            }
        }
    }
    assert_eq!(call.out.matches("small motion").count(), 2, "{}", call.out);
    let page = String::from_utf8(desk.read("page.md")).unwrap();
    assert!(page.starts_with("# Page\n") && page.ends_with("rest\n") && !page.contains("stale"));
    assert_eq!(page.matches("| wall |").count(), 6, "{page}");
    let plot = String::from_utf8(desk.read("page.svg")).unwrap();
    assert!(plot.starts_with("<svg") && plot.contains("rubble-pile") && !plot.contains("NaN"));
}

#[test]
fn what_can_not_be_measured_is_told_before_the_work() {
    let desk = Desk::with("page.md", "# No room for a table\n");
    desk.call(&["bench", "--families", "pyramid"])
        .ended(2)
        .says(&["two-leaf-wall", "church"]);
    desk.call(&["bench", "--families", "stack", "--sizes", "5000"])
        .ended(2)
        .says(&["stacks to 200"]);
    desk.call(&["bench", "--book", "page.md"])
        .ended(2)
        .says(&["page.md", "<!-- measured -->"]);
    desk.call(&["bench", "--json", "page.md"])
        .ended(2)
        .says(&["page.md", "--overwrite"]);
    desk.call(&["bench", "--book", "absent.md"])
        .ended(2)
        .says(&["absent.md"]);
}
