//! Bundles the viewer of reports into one script, if Node is at hand; otherwise leaves an empty one, and reports say how to get it.

use std::ffi::OsStr;
use std::path::Path;
use std::process::Command;
use std::{env, fs, io};

/// Set to `none` to build without the viewer.
const CHOICE: &str = "DRYSTONE_VIEWER";

fn main() -> io::Result<()> {
    let viewer = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../viewer");
    println!("cargo::rerun-if-env-changed={CHOICE}");
    println!("cargo::rerun-if-changed=build.rs");
    // Not the installed packages: looking through them at every build would cost more than the bundle.
    for part in ["src", "bundle.mjs", "package.json", "package-lock.json"] {
        println!("cargo::rerun-if-changed={}", viewer.join(part).display());
    }
    let out = env::var("OUT_DIR").map_err(io::Error::other)?;
    let script = Path::new(&out).join("viewer.js");
    fs::write(&script, "")?;
    if env::var(CHOICE).is_ok_and(|choice| choice == "none") {
        return Ok(());
    }
    if let Err(reason) = bundle(&viewer, &script) {
        println!(
            "cargo::warning=reports will have no 3D viewer: {reason}; with Node 20 or newer and npm, `touch viewer/package.json` and build again"
        );
        fs::write(&script, "")?;
    }
    Ok(())
}

fn bundle(viewer: &Path, script: &Path) -> Result<(), String> {
    if !viewer.join("package.json").is_file() {
        return Err(format!("{} is missing", viewer.display()));
    }
    // Installed once; nothing the bundle needs runs a script of its own at installation.
    let needed = ["three", "uplot", "esbuild"];
    let there = |name: &&str| viewer.join("node_modules").join(name).is_dir();
    if !needed.iter().all(there) {
        let npm = if cfg!(windows) { "npm.cmd" } else { "npm" };
        let arguments = [
            "ci",
            "--omit=dev",
            "--ignore-scripts",
            "--no-audit",
            "--no-fund",
            "--fetch-retries=1",
        ];
        call(Command::new(npm).args(arguments).current_dir(viewer))?;
    }
    call(
        Command::new("node")
            .arg("bundle.mjs")
            .arg::<&OsStr>(script.as_os_str())
            .current_dir(viewer),
    )
}

fn call(command: &mut Command) -> Result<(), String> {
    let name = command.get_program().to_string_lossy().into_owned();
    match command.output() {
        Ok(output) if output.status.success() => Ok(()),
        Ok(output) => {
            let text = String::from_utf8_lossy(&output.stderr).into_owned();
            // Not the line of a source that the message quotes.
            let told = ["[ERROR]", "npm error", "npm ERR", "Error: ", "error: "];
            let line = text
                .lines()
                .find(|line| told.iter().any(|word| line.contains(word)));
            Err(format!(
                "{name} ended with {}: {}",
                output.status,
                line.unwrap_or_default().trim()
            ))
        }
        Err(error) => Err(format!("{name} does not run ({error})")),
    }
}
