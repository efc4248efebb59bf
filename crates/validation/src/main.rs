//! Runs the validation experiments and prints the table.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::process::ExitCode;

use drystone_validation::{Check, Measurements, checks, experiments};

const USAGE: &str = "usage: drystone-validation [--quick] [--book FILE] [EXPERIMENT ...]

Runs the validation experiments (all, or those named) and prints what was measured against what is expected.
  --quick      leave out those that take minutes
  --book FILE  also write the table as a page of the book
  --measure    print all that the experiments measure, judged or not
  --list       print the names of the experiments";

fn main() -> ExitCode {
    let mut quick = false;
    let mut measure = false;
    let mut book = None;
    let mut names: Vec<String> = Vec::new();
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--quick" => quick = true,
            "--measure" => measure = true,
            "--book" => book = args.next(),
            "--list" => {
                println!("{}", experiments::NAMES.join("\n"));
                return ExitCode::SUCCESS;
            }
            "--help" | "-h" => {
                println!("{USAGE}");
                return ExitCode::SUCCESS;
            }
            name if experiments::NAMES.contains(&name) => names.push(arg),
            _ => {
                eprintln!("unknown experiment or option `{arg}`\n\n{USAGE}");
                return ExitCode::from(2);
            }
        }
    }
    if measure {
        return print_measurements(&names, quick);
    }
    let checks = match checks() {
        Ok(checks) => checks,
        Err(error) => {
            eprintln!("cases.toml: {error}");
            return ExitCode::from(2);
        }
    };
    let chosen: Vec<Check> = checks
        .into_iter()
        .filter(|check| !(quick && check.slow))
        .filter(|check| names.is_empty() || names.contains(&check.experiment))
        .collect();

    let mut measured: BTreeMap<String, Measurements> = BTreeMap::new();
    let mut page = String::new();
    let mut failed = 0;
    println!(
        "{:<64} {:>16} {:>24} {:>24}  ",
        "quantity", "measured", "expected", "steps solved to"
    );
    for check in &chosen {
        let results = measured.entry(check.experiment.clone()).or_insert_with(|| {
            experiments::run(&check.experiment, quick).unwrap_or_else(|error| {
                eprintln!("{}: {error}", check.experiment);
                Measurements::new()
            })
        });
        let verdict = check.judge(results.get(&check.quantity));
        let solved = results.solved(&check.quantity);
        let value = verdict.measured.map_or("none".to_owned(), significant);
        let expected = check
            .expectation()
            .map_or_else(|error| error, |e| e.to_string());
        let mark = if verdict.passed { "ok" } else { "FAILED" };
        failed += usize::from(!verdict.passed);
        let title = format!(
            "{} [{}]",
            check.title,
            if check.unit.is_empty() {
                "-"
            } else {
                &check.unit
            }
        );
        println!("{title:<64} {value:>16} {expected:>24} {solved:>24}  {mark}");
        let _ = writeln!(
            page,
            "| {} | {} | {} | {} | {} | {} | {} |",
            check.title, check.unit, value, expected, mark, solved, check.source
        );
    }
    println!("{} passed, {} failed", chosen.len() - failed, failed);
    if let Some(path) = book {
        let text = format!("{}{page}", include_str!("page.md"));
        if let Err(error) = std::fs::write(&path, text) {
            eprintln!("{path}: {error}");
            return ExitCode::from(2);
        }
    }
    if failed == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

fn print_measurements(names: &[String], quick: bool) -> ExitCode {
    for name in experiments::NAMES {
        if !names.is_empty() && !names.iter().any(|other| other == name) {
            continue;
        }
        match experiments::run(name, quick) {
            Ok(results) => {
                for (quantity, value) in results.iter() {
                    let solved = results.solved(quantity);
                    println!("{name}.{quantity} = {} ({solved})", significant(value));
                }
            }
            Err(error) => {
                eprintln!("{name}: {error}");
                return ExitCode::FAILURE;
            }
        }
    }
    ExitCode::SUCCESS
}

/// A number with six significant digits, without a tail of zeros.
fn significant(x: f64) -> String {
    if x == 0.0 || (1e-3..1e6).contains(&x.abs()) {
        let digits = if x == 0.0 {
            0
        } else {
            (5 - x.abs().log10().floor() as i32).max(0) as usize
        };
        let text = format!("{x:.digits$}");
        if text.contains('.') {
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        } else {
            text
        }
    } else {
        format!("{x:.3e}")
    }
}
