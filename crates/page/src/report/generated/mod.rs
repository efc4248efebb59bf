//! Files that are made from this crate for the viewer and for Python. A test fails if one is not as it would be made now; with
//! `DRYSTONE_WRITE=1` it writes the file instead.

mod look;
mod types;

use std::path::Path;
use std::{env, fs};

/// Compares a file, by its path from the top of the repository, with what it should be, or writes it.
fn check(path: &str, text: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(path);
    let found = fs::read_to_string(&file).unwrap_or_default();
    if found != text && env::var_os("DRYSTONE_WRITE").is_some() {
        fs::write(&file, text).unwrap();
        return;
    }
    assert!(
        found == text,
        "{path} is out of date: DRYSTONE_WRITE=1 cargo test -p drystone-page generated"
    );
}
