//! `drystone bench`: how long steps of whole structures take.

mod plot;

use std::path::{Path, PathBuf};

use drystone_bench::{Family, Marks, Options, STATICS, STEPS, renew, run, run_statics};
use drystone_results::{write_atomic, write_json_atomic};

use crate::Outcome;
use crate::args::Preset;
use crate::progress::StopWish;
use crate::speak::{answer, tell};

/// Options of `bench`.
#[derive(Debug, clap::Args)]
pub struct BenchOptions {
    /// Numbers of blocks [default: 200,1000,5000]
    #[arg(long, value_name = "N,N", value_delimiter = ',', value_parser = clap::value_parser!(u32).range(4..=200_000))]
    pub sizes: Vec<u32>,
    /// Structures [default: all]
    #[arg(long, value_name = "NAME,NAME", value_delimiter = ',', value_parser = family)]
    pub families: Vec<Family>,
    /// Equilibrium and limit analysis instead of steps in time [default sizes: 50,200,1000,5000]
    #[arg(long)]
    pub statics: bool,
    /// Less than a minute: 200 blocks
    #[arg(long)]
    pub quick: bool,
    /// Run Clarabel on large problems too, regardless of the time
    #[arg(long)]
    pub all: bool,
    /// How exactly to solve
    #[arg(long, value_enum, value_name = "PRESET", default_value = "default")]
    pub tolerance: Preset,
    /// Write all measurements as JSON
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Replace the JSON file if it is already there
    #[arg(long, requires = "json")]
    pub overwrite: bool,
    /// Update the table of this page of the book, and its plot
    #[arg(long, value_name = "PAGE", num_args = 0..=1, default_missing_value = "book/src/performance.md")]
    pub book: Option<PathBuf>,
}

fn family(word: &str) -> Result<Family, String> {
    Family::from_word(word).ok_or_else(|| {
        let words = Family::ALL.map(Family::word);
        format!("one of {}", words.join(", "))
    })
}

/// Measures.
pub fn bench(options: &BenchOptions) -> Outcome {
    // A page that can't be renewed is told before the work, not after it.
    let marks = if options.statics { STATICS } else { STEPS };
    let page = options.book.as_deref().map(|path| page(path, marks));
    let page = match page.transpose() {
        Ok(page) => page,
        Err(message) => return Outcome::BadInput(message),
    };
    if let Some(path) = &options.json
        && path.exists()
        && !options.overwrite
    {
        return Outcome::BadInput(format!(
            "{} is already there: choose another file or give --overwrite",
            path.display()
        ));
    }
    let wanted = wanted(options);
    if !wanted
        .families
        .iter()
        .any(|family| wanted.sizes.iter().any(|&size| family.has_size(size)))
    {
        return Outcome::BadInput(
            "none of these structures has one of these sizes: arches go up to 1000 blocks, stacks to 200, rubble to 5000, the spandrel arch and \
             the house have 200, the church 5000"
                .to_owned(),
        );
    }
    let stop = match StopWish::listen() {
        Ok(stop) => stop,
        Err(outcome) => return outcome,
    };
    let pool = match rayon::ThreadPoolBuilder::new().num_threads(1).build() {
        Ok(pool) => pool,
        Err(error) => return Outcome::Failed(error.to_string()),
    };
    if cfg!(debug_assertions) {
        tell("note: this program was built without --release, so these are not its true times");
    }
    if options.statics {
        let hear = &mut |words: &str| tell(words);
        let report = pool.install(|| run_statics(&wanted, hear, &|| stop.is_set()));
        let written = Written {
            marks: STATICS,
            table: report.markdown(),
            plot: None,
            complete: !report.stopped,
        };
        return finish(options, page, &report, written, &report.table());
    }
    let report = pool.install(|| {
        let mut hear = |words: &str, row: Option<&drystone_bench::Row>| match row {
            None => tell(words),
            Some(row) => tell(&format!(
                "  {} blocks, {} contacts, warm {:.2} ms, {} iterations",
                row.blocks, row.contacts, row.warm.ms, row.warm.iterations
            )),
        };
        run(&wanted, &mut hear, &|| stop.is_set())
    });
    let written = Written {
        marks: STEPS,
        table: report.markdown(),
        plot: plot::svg(&report),
        complete: report.complete,
    };
    finish(options, page, &report, written, &report.table())
}

/// What goes into the page of the book.
struct Written {
    marks: Marks,
    table: String,
    plot: Option<String>,
    /// Half a table would pass for a whole one.
    complete: bool,
}

/// Writes what was asked for and shows the table.
fn finish(
    options: &BenchOptions,
    page: Option<(&Path, String)>,
    report: &impl serde::Serialize,
    written: Written,
    table: &str,
) -> Outcome {
    if let Err(message) = write(options, page, report, &written) {
        return Outcome::Failed(message);
    }
    match answer(table) {
        Outcome::Done if !written.complete => {
            Outcome::Interrupted("stopped; what was measured until then is above, and a page of the book stays as it was".to_owned())
        }
        outcome => outcome,
    }
}

fn wanted(options: &BenchOptions) -> Options {
    let mut wanted = if options.quick {
        Options::quick()
    } else {
        Options::default()
    };
    if options.statics && !options.quick {
        wanted.sizes.insert(0, 50);
    }
    if !options.sizes.is_empty() {
        wanted.sizes = options.sizes.iter().map(|&n| n as usize).collect();
        wanted.sizes.sort_unstable();
        wanted.sizes.dedup();
    }
    if !options.families.is_empty() {
        wanted.families.clone_from(&options.families);
    }
    wanted.all = options.all;
    wanted.tolerances = options.tolerance.tolerances();
    wanted
}

/// A page with its text, known to have room for a table.
fn page(path: &Path, marks: Marks) -> Result<(&Path, String), String> {
    let text =
        std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    renew(&text, marks, "").map_err(|lack| format!("{}: {lack}", path.display()))?;
    Ok((path, text))
}

fn write(
    options: &BenchOptions,
    page: Option<(&Path, String)>,
    report: &impl serde::Serialize,
    written: &Written,
) -> Result<(), String> {
    if let Some(path) = &options.json {
        write_json_atomic(path, report).map_err(|error| error.to_string())?;
    }
    if let Some((path, text)) = page
        && written.complete
    {
        let text = renew(&text, written.marks, &written.table)
            .map_err(|lack| format!("{}: {lack}", path.display()))?;
        write_atomic(path, text.as_bytes()).map_err(|error| error.to_string())?;
        if let Some(plot) = &written.plot {
            let path = path.with_extension("svg");
            write_atomic(&path, plot.as_bytes()).map_err(|error| error.to_string())?;
        }
    }
    Ok(())
}
