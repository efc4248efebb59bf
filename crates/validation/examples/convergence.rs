//! Errors of time histories over the time step, for both friction laws.
//!
//! `cargo run --release -p drystone-validation --example convergence -- OUT_DIR --book book/src` makes the tables and figures of the book's page on convergence.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use drystone_bench::{Marks, renew};
use drystone_model::{FrictionLaw, Scheme, Tolerance};
use drystone_validation::convergence::measures::{Runs, Study};
use drystone_validation::convergence::runs::{Prepared, Row};
use drystone_validation::convergence::store::Store;
use drystone_validation::convergence::structures::{STRUCTURES, Structure};
use drystone_validation::convergence::{Method, STEPS, figures, tables};

const USAGE: &str = "usage: convergence OUT_DIR [OPTION ...]

Runs structures with steps from 8 ms downwards and both friction laws, each once more with an input changed by 1e-6, and writes into OUT_DIR
  runs.jsonl              every run as it ends; what is there is not run again, so that an interrupted study goes on where it was
  convergence.md          tables: errors and orders, processor time over errors, all about each run
  convergence-errors.svg  errors over steps
  convergence-costs.svg   processor time over errors
Tables are printed, too.

  --only NAME         one structure; may be repeated
  --law LAW           associated or coulomb; otherwise both
  --smallest-dt MS    leave out smaller steps
  --tolerance WORD    of the solver: preview, default or validation (the default here)
  --patience SECONDS  give up a run after so much processor time; 900 unless said
  --no-perturbed      leave out the runs with a changed input
  --draw              run nothing, show what is there
  --book DIR          renew tables and figures of the page convergence.md of the book, too
  --list              print the names of the structures";

/// Parts of the page of the book.
const ERRORS: Marks = Marks {
    begin: "<!-- measured errors -->",
    end: "<!-- end of measured errors -->",
};
const COSTS: Marks = Marks {
    begin: "<!-- measured costs -->",
    end: "<!-- end of measured costs -->",
};

struct Options {
    out: PathBuf,
    only: Vec<String>,
    laws: Vec<FrictionLaw>,
    smallest: f64,
    tolerance: Tolerance,
    patience: f64,
    perturbed: bool,
    draw: bool,
    book: Option<PathBuf>,
}

impl Options {
    /// None if help was asked for.
    fn parse(mut args: impl Iterator<Item = String>) -> Result<Option<Self>, String> {
        let mut out = None;
        let mut options = Self {
            out: PathBuf::new(),
            only: Vec::new(),
            laws: Vec::new(),
            smallest: 0.0,
            tolerance: Tolerance::Validation,
            patience: 900.0,
            perturbed: true,
            draw: false,
            book: None,
        };
        while let Some(arg) = args.next() {
            let mut value = || args.next().ok_or(format!("`{arg}` needs a value"));
            let number = |text: String| {
                text.parse::<f64>()
                    .map_err(|_| format!("`{arg}` needs a number, not `{text}`"))
            };
            match arg.as_str() {
                "--only" => options.only.push(value()?),
                "--law" => options.laws.push(match value()?.as_str() {
                    "associated" => FrictionLaw::Associated,
                    "coulomb" => FrictionLaw::Coulomb,
                    other => return Err(format!("no friction law is called `{other}`")),
                }),
                "--smallest-dt" => options.smallest = 1e-3 * number(value()?)?,
                "--tolerance" => {
                    options.tolerance = match value()?.as_str() {
                        "preview" => Tolerance::Preview,
                        "default" => Tolerance::Default,
                        "validation" => Tolerance::Validation,
                        other => return Err(format!("no tolerance is called `{other}`")),
                    }
                }
                "--patience" => options.patience = number(value()?)?,
                "--no-perturbed" => options.perturbed = false,
                "--draw" => options.draw = true,
                "--book" => options.book = Some(PathBuf::from(value()?)),
                "--list" => {
                    let names: Vec<&str> = STRUCTURES.iter().map(|s| s.name).collect();
                    println!("{}", names.join("\n"));
                    return Ok(None);
                }
                "--help" | "-h" => {
                    println!("{USAGE}");
                    return Ok(None);
                }
                _ if arg.starts_with('-') => return Err(format!("unknown option `{arg}`")),
                _ if out.is_none() => out = Some(PathBuf::from(arg)),
                _ => return Err(format!("`{arg}` is one folder too many")),
            }
        }
        options.out = out.ok_or("the folder for results is missing")?;
        let known = |name: &String| STRUCTURES.iter().any(|structure| structure.name == name);
        match options.only.iter().find(|name| !known(name)) {
            Some(name) => Err(format!("no structure is called `{name}`")),
            None => Ok(Some(options)),
        }
    }

    fn chosen(&self) -> impl Iterator<Item = &'static Structure> {
        let wanted = |s: &&Structure| self.only.is_empty() || self.only.iter().any(|n| n == s.name);
        STRUCTURES.iter().filter(wanted)
    }

    fn methods(&self, structure: &'static Structure) -> impl Iterator<Item = Method> {
        let wanted = |method: &&Method| self.laws.is_empty() || self.laws.contains(&method.law);
        structure.methods.iter().filter(wanted).copied()
    }

    /// From the coarsest.
    fn steps(&self, structure: &Structure) -> impl Iterator<Item = f64> {
        // A limit that is meant to be one of the steps may be off by a rounding error.
        let least = structure.finest.max(self.smallest) * (1.0 - 1e-9);
        STEPS.into_iter().filter(move |&dt| dt >= least)
    }

    fn prepare(
        &self,
        structure: &Structure,
        method: Method,
        dt: f64,
        perturbed: bool,
    ) -> Result<Prepared, String> {
        Prepared::new(structure, method, self.tolerance, dt, perturbed)
            .map_err(|error| format!("{}: {error}", structure.name))
    }
}

fn main() -> Result<(), String> {
    let options = match Options::parse(std::env::args().skip(1)) {
        Ok(Some(options)) => options,
        Ok(None) => return Ok(()),
        Err(error) => {
            eprintln!("{error}\n\n{USAGE}");
            std::process::exit(2);
        }
    };
    let fault = |error: std::io::Error| format!("{}: {error}", options.out.display());
    std::fs::create_dir_all(&options.out).map_err(fault)?;
    let mut store = Store::open(&options.out.join("runs.jsonl"))?;
    // Processor time is that of one thread, and nothing else runs beside it.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    let pool = pool.map_err(|error| error.to_string())?;
    let studies = pool.install(|| study(&options, &mut store))?;
    show(&options.out, &studies)?;
    match &options.book {
        Some(book) => renew_book(book, &studies),
        None => Ok(()),
    }
}

/// Runs what is missing, and compares.
fn study(options: &Options, store: &mut Store) -> Result<Vec<Study>, String> {
    let mut studies = Vec::new();
    for structure in options.chosen() {
        for dt in options.steps(structure) {
            for method in options.methods(structure) {
                // The finest run takes longest, and what it depends on the one before it tells. What the scheme of first order depends on is below its errors.
                let told = dt > structure.finest && method.scheme == Scheme::Leapfrog;
                for perturbed in [false, true] {
                    if !options.draw && (!perturbed || (options.perturbed && told)) {
                        let run = options.prepare(structure, method, dt, perturbed)?;
                        make(&run, options.patience, store)?;
                    }
                }
            }
        }
        let mut runs = Vec::new();
        for method in options.methods(structure) {
            let mut rows = Vec::new();
            for dt in options.steps(structure) {
                let find = |perturbed: bool| -> Result<_, String> {
                    let run = options.prepare(structure, method, dt, perturbed)?;
                    Ok(store.find(run.key()).cloned())
                };
                if let Some(row) = find(false)? {
                    rows.push((row, find(true)?));
                }
            }
            runs.push(Runs { method, rows });
        }
        for &measure in structure.measures {
            studies.push(Study::new(structure, measure, &runs)?);
        }
    }
    Ok(studies)
}

/// Makes a run unless it is there, and tells how it goes.
fn make(run: &Prepared, patience: f64, store: &mut Store) -> Result<(), String> {
    let key = run.key();
    // One that was given up is worth another try with more patience.
    let enough = |row: &Row| row.finished || row.cpu >= patience;
    if store.find(key).is_some_and(enough) {
        return Ok(());
    }
    let changed = if key.perturbed { ", changed input" } else { "" };
    let name = format!(
        "{} {} {} {} ms{changed}",
        key.structure,
        key.scheme,
        key.law,
        1e3 * key.dt
    );
    let mut told = Instant::now();
    let row = run.run(patience, &mut |part| {
        if told.elapsed() > Duration::from_secs(20) {
            told = Instant::now();
            eprintln!("  {name}: {:.0} %", 100.0 * part);
        }
    });
    let row = row.map_err(|error| format!("{name}: {error}"))?;
    let end = if row.finished { "" } else { ", given up" };
    let inaccurate = match row.inaccurate_steps {
        0 => String::new(),
        count => format!(", {count} inaccurate"),
    };
    eprintln!(
        "{name}: {} steps, {:.2} s{inaccurate}{end}",
        row.steps, row.cpu
    );
    store.add(row)
}

fn show(out: &Path, studies: &[Study]) -> Result<(), String> {
    let text = format!(
        "## Errors over the time step\n\n{}\n## Processor time over errors [s]\n\n{}\n## Runs\n\n{}",
        tables::errors(studies),
        tables::costs(studies),
        tables::details(studies)
    );
    println!("{text}");
    write(&out.join("convergence.md"), &text)?;
    draw(out, studies)
}

fn draw(out: &Path, studies: &[Study]) -> Result<(), String> {
    let figures = [
        ("convergence-errors.svg", figures::errors(studies)),
        ("convergence-costs.svg", figures::costs(studies)),
    ];
    for (name, figure) in figures {
        let svg = figure.picture().alone(900).ok_or("nothing to draw")?;
        write(&out.join(name), &svg)?;
    }
    Ok(())
}

fn renew_book(book: &Path, studies: &[Study]) -> Result<(), String> {
    let path = book.join("convergence.md");
    let fault = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let page = std::fs::read_to_string(&path).map_err(|error| fault(&error))?;
    let page = renew(&page, ERRORS, &tables::errors(studies)).map_err(|error| fault(&error))?;
    let page = renew(&page, COSTS, &tables::costs(studies)).map_err(|error| fault(&error))?;
    write(&path, &page)?;
    draw(book, studies)
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    std::fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}
