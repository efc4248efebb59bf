//! What the engine of campaigns adds to the runs themselves on two cores.

use std::path::PathBuf;
use std::time::Instant;

use drystone_campaign::{Folder, run_local};

use crate::Measurements;
use crate::measured::note_all;
use crate::scene::read;

/// A wall of 27 blocks that rocks for a second: some hundred milliseconds. Nothing depends on the density, so all runs are equal.
const MODEL: &str = r#"
[model]
name = "equal runs"
[[material]]
name = "stone"
density = 2000.0
[[interface]]
between = ["*", "*"]
friction = 0.6
[[generate]]
kind = "wall"
name = "wall"
material = "stone"
thickness = 0.2
block = [0.4, 0.2]
courses = 6
pattern = ["1111", "h111h"]
[[generate]]
kind = "ground"
material = "stone"
[[motion]]
name = "pulse"
kind = "one_sine"
amplitude = 5.0
half_period = 0.2
direction = [0, 1, 0]
[[analysis]]
name = "shake"
kind = "time_history"
friction_law = "associated"
motion = "pulse"
dt = 0.002
duration = 1.0
[[analysis]]
name = "equal"
kind = "sweep"
of = "shake"
vary = [{ key = "material.stone.density", from = 1990.0, to = 2010.0, count = 24 }]
"#;

/// What a campaign of equal runs took.
struct Took {
    /// By the clock, s.
    elapsed: f64,
    /// Sum over the runs, by the clock, s.
    runs: f64,
    /// Of the processor, all threads together, s; none where the system does not tell.
    processor: Option<f64>,
    count: f64,
}

/// How long 24 equal runs take on two threads, over half of what they take on one: 1 if the engine takes no time and leaves no thread
/// idle. `over_half` is made of times of the processor and of the share of their time that threads spend in runs, which other programs on the
/// machine disturb little; `over_half_by_the_clock` is what the words say, and wants a machine that does nothing else.
pub fn run() -> Result<Measurements, String> {
    note_all(&read(MODEL)?);
    let one = campaign(1)?;
    let two = campaign(2)?;
    let idle = |took: &Took, threads: f64| 1.0 - took.runs / (threads * took.elapsed);
    let busy = 1.0 - idle(&two, 2.0);
    let clock = two.elapsed / (0.5 * one.elapsed);
    let over_half = match (one.processor, two.processor) {
        (Some(one), Some(two)) => two / one / busy,
        _ => clock,
    };
    Ok(Measurements::from([
        ("seconds_of_a_run".into(), one.runs / one.count),
        ("idle_one".into(), idle(&one, 1.0)),
        ("idle_two".into(), idle(&two, 2.0)),
        ("over_half".into(), over_half),
        ("over_half_by_the_clock".into(), clock),
    ]))
}

fn campaign(threads: usize) -> Result<Took, String> {
    let place = Place::new(threads)?;
    let file = place.0.join("model.toml");
    std::fs::write(&file, MODEL).map_err(|error| error.to_string())?;
    let folder = Folder::create(&place.0.join("equal"), &file, "equal");
    let folder = folder.map_err(|error| error.to_string())?;
    let (start, before) = (Instant::now(), processor_seconds());
    let gathered = run_local(&folder, threads, &()).map_err(|error| error.to_string())?;
    let (elapsed, after) = (start.elapsed().as_secs_f64(), processor_seconds());
    if gathered.tally.failed > 0 {
        return Err("a run failed".to_owned());
    }
    Ok(Took {
        elapsed,
        runs: gathered.known.values().map(|run| run.seconds).sum(),
        processor: before.zip(after).map(|(before, after)| after - before),
        count: gathered.known.len() as f64,
    })
}

/// Time of the processor that this program has used, s, as Linux tells it in hundredths.
fn processor_seconds() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name of the program, in brackets, may hold anything.
    let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = |at: usize| fields.get(at)?.parse::<f64>().ok();
    Some((ticks(11)? + ticks(12)?) / 100.0)
}

/// A folder that goes when it is no longer needed.
struct Place(PathBuf);

impl Place {
    fn new(threads: usize) -> Result<Self, String> {
        let name = format!("drystone-throughput-{}-{threads}", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&path).map_err(|error| error.to_string())?;
        Ok(Self(path))
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
