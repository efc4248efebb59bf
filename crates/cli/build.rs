//! Puts the examples into the program, so that `drystone new` works wherever the program is.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut table = String::from("&[\n");
    for example in sorted(&folder)? {
        if !example.join("README.md").is_file() {
            continue;
        }
        println!("cargo::rerun-if-changed={}", example.display());
        let _ = writeln!(table, "Example {{ name: {:?}, files: &[", name(&example));
        for file in sorted(&example)?.iter().filter(|path| path.is_file()) {
            println!("cargo::rerun-if-changed={}", file.display());
            let path = file.canonicalize()?;
            let _ = writeln!(table, "({:?}, include_bytes!({path:?})),", name(file));
        }
        table.push_str("] },\n");
    }
    table.push(']');
    let out = env::var("OUT_DIR").map_err(io::Error::other)?;
    fs::write(Path::new(&out).join("examples.rs"), table)
}

fn sorted(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder)? {
        paths.push(entry?.path());
    }
    paths.sort();
    Ok(paths)
}

fn name(path: &Path) -> String {
    path.file_name()
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default()
}
