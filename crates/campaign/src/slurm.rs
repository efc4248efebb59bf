//! Runs as job arrays of Slurm, on a file system that all nodes see. There is no daemon: what is known is what is in the folder.
//!
//! Runs go to the cluster in rounds. A round is a list of groups of runs (`slurm/round-N.json`) and a script with one task of an array per
//! group (`slurm/round-N.sh`); the number of its job is kept beside them. A task makes the runs of its group that have no result yet, so that it
//! may be killed, requeued and started twice without harm. What is missing when a job is over goes into the next round.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use drystone_results::{write_atomic, write_json_atomic};

use crate::error::Error;
use crate::folder::Folder;
use crate::local::{Gathered, Tally, Watch, refresh, round};

/// Tasks of an array: one less than the most that Slurm takes unless it is told otherwise.
const MOST_TASKS: usize = 1000;
/// A task should take about this long, s: starting one takes about a second.
const TASK_SECONDS: f64 = 60.0;
/// Between two looks whether somebody wants to stop.
const NAP: Duration = Duration::from_millis(100);

/// How to talk to the cluster.
#[derive(Debug, Clone)]
pub struct SlurmOptions {
    /// The program that tasks start; nodes must see it under this path.
    pub program: PathBuf,
    /// Partition; absent: that of the cluster.
    pub partition: Option<String>,
    /// Runs per task; absent: as many as take about a minute.
    pub group: Option<usize>,
    /// Limit of time of a task, as `sbatch --time` takes it.
    pub time: Option<String>,
    /// Further options of `sbatch`, as they stand after `#SBATCH`.
    pub more: Vec<String>,
    /// Between two looks at the queue.
    pub every: Duration,
    /// How often runs are submitted again without any of them getting done before it is given up.
    pub attempts: u32,
}

/// Makes all runs that are missing on the cluster, and watches until they are done. If the watch says stop, jobs go on without it.
pub fn run_slurm(
    folder: &Folder,
    options: &SlurmOptions,
    watch: &dyn Watch,
) -> Result<Gathered, Error> {
    let place = folder.path().join("slurm");
    fs::create_dir_all(&place).map_err(Error::file("create", &place))?;
    let mut gathered = Gathered::default();
    let mut idle = 0;
    let mut number = last_round(&place);
    loop {
        let before = gathered.known.len();
        refresh(folder, &mut gathered, &mut BTreeSet::new());
        watch.told(&gathered.tally);
        if gathered.is_complete() || watch.stopped() {
            return Ok(gathered);
        }
        // An earlier start may have left a job behind that is still at work.
        let left = fs::read_to_string(place.join(format!("round-{number}.job")));
        let job = match left {
            Ok(job) if idle == 0 && is_queued(job.trim()) => job.trim().to_owned(),
            _ => {
                idle = if gathered.known.len() > before {
                    0
                } else {
                    idle + 1
                };
                if idle > options.attempts {
                    return Err(Error::Cluster(format!(
                        "{} runs are still missing after {} submissions without progress; what tasks said is in {}",
                        gathered.missing.len(),
                        options.attempts,
                        place.display()
                    )));
                }
                number += 1;
                submit(folder, options, &gathered, &place, number)?
            }
        };
        follow(folder, options, &gathered, &job, watch);
    }
}

/// Makes the runs of one task of a round.
pub fn work(
    folder: &Folder,
    number: u32,
    task: usize,
    threads: usize,
    watch: &dyn Watch,
) -> Result<Tally, Error> {
    let file = folder.path().join(format!("slurm/round-{number}.json"));
    let text = fs::read_to_string(&file).map_err(Error::file("read", &file))?;
    let groups: Vec<Vec<usize>> = serde_json::from_str(&text)
        .map_err(|error| Error::folder(&file, format!("not a round: {error}")))?;
    let group = groups.get(task).ok_or_else(|| {
        Error::folder(
            &file,
            format!("it has {} tasks, not {}", groups.len(), task + 1),
        )
    })?;
    if let Some(index) = group.iter().find(|index| **index >= folder.plan.size()) {
        let message = format!("the campaign has no run {index}: its model has changed since");
        return Err(Error::folder(&file, message));
    }
    let mut tally = Tally {
        wanted: group.len(),
        ..Tally::default()
    };
    round(folder, group, threads, watch, &mut |_, outcome| {
        tally.add(&outcome);
    })?;
    Ok(tally)
}

/// The number of the last round; 0 if there was none.
fn last_round(place: &Path) -> u32 {
    let names = fs::read_dir(place).into_iter().flatten().flatten();
    let number = |name: std::ffi::OsString| -> Option<u32> {
        let name = name.into_string().ok()?;
        name.strip_prefix("round-")?
            .strip_suffix(".json")?
            .parse()
            .ok()
    };
    names
        .filter_map(|entry| number(entry.file_name()))
        .max()
        .unwrap_or(0)
}

/// Runs per task.
fn group_size(options: &SlurmOptions, gathered: &Gathered) -> usize {
    let most = gathered.missing.len().div_ceil(MOST_TASKS).max(1);
    let chosen = options.group.unwrap_or_else(|| {
        let count = gathered.known.len();
        let total: f64 = gathered.known.values().map(|run| run.seconds).sum();
        // Nobody knows how long runs take before some are done.
        if count == 0 {
            return 1;
        }
        (TASK_SECONDS * count as f64 / total.max(1e-3)).clamp(1.0, 1e4) as usize
    });
    chosen.max(most)
}

fn submit(
    folder: &Folder,
    options: &SlurmOptions,
    gathered: &Gathered,
    place: &Path,
    number: u32,
) -> Result<String, Error> {
    let size = group_size(options, gathered);
    let groups: Vec<&[usize]> = gathered.missing.chunks(size).collect();
    write_json_atomic(&place.join(format!("round-{number}.json")), &groups)?;
    let script = place.join(format!("round-{number}.sh"));
    let home = absolute(folder.path())?;
    let text = script_of(options, &home, folder.analysis(), number, groups.len());
    write_atomic(&script, text.as_bytes())?;
    let output = Command::new("sbatch")
        .arg("--parsable")
        .arg(&script)
        .output()
        .map_err(|error| Error::Cluster(format!("sbatch cannot be started: {error}")))?;
    let said = String::from_utf8_lossy(&output.stdout);
    // With several clusters the name of one follows.
    let job = said.trim().split(';').next().unwrap_or_default().to_owned();
    if !output.status.success() || job.is_empty() {
        return Err(Error::Cluster(format!(
            "sbatch refused {}: {}",
            script.display(),
            String::from_utf8_lossy(&output.stderr).trim()
        )));
    }
    write_atomic(&place.join(format!("round-{number}.job")), job.as_bytes())?;
    Ok(job)
}

/// The script of a round.
fn script_of(options: &SlurmOptions, home: &Path, name: &str, number: u32, tasks: usize) -> String {
    let mut text = String::from("#!/bin/sh\n");
    let log = home.join("slurm/task-%A_%a.log");
    let word = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    let name: String = name.chars().map(word).collect();
    let mut set = |option: &str| {
        let _ = writeln!(text, "#SBATCH {option}");
    };
    set(&format!("--job-name=drystone-{name}"));
    set(&format!("--array=0-{}", tasks.max(1) - 1));
    set(&format!("--output={}", quoted(&log)));
    // A task goes on where it was, so it may be put back into the queue when its node is lost.
    set("--requeue");
    set("--ntasks=1");
    // The program, which is the batch shell itself, lets go of its run and ends; the runs before it are stored. Slurm may warn a minute early.
    set("--signal=B:TERM@60");
    if let Some(partition) = &options.partition {
        set(&format!("--partition={partition}"));
    }
    if let Some(time) = &options.time {
        set(&format!("--time={time}"));
    }
    if !options
        .more
        .iter()
        .any(|option| option.contains("cpus-per-task"))
    {
        set("--cpus-per-task=1");
    }
    for option in &options.more {
        set(option);
    }
    let _ = writeln!(
        text,
        "exec {} campaign work {} --round {number} --task \"$SLURM_ARRAY_TASK_ID\" --threads \"${{SLURM_CPUS_PER_TASK:-1}}\"",
        quoted(&options.program),
        quoted(home)
    );
    text
}

/// A path as one word of the shell.
fn quoted(path: &Path) -> String {
    format!("'{}'", path.to_string_lossy().replace('\'', "'\\''"))
}

fn absolute(path: &Path) -> Result<PathBuf, Error> {
    std::path::absolute(path).map_err(Error::file("read", path))
}

/// Whether tasks of a job wait or run. A queue that does not answer says nothing, and is asked again.
fn is_queued(job: &str) -> bool {
    let answer = Command::new("squeue")
        .args(["-h", "-j", job, "-o", "%T"])
        .output();
    match answer {
        Ok(output) if output.status.success() => !output.stdout.trim_ascii().is_empty(),
        // Jobs that are over for some minutes are forgotten.
        Ok(output) => !String::from_utf8_lossy(&output.stderr).contains("Invalid job id"),
        Err(_) => true,
    }
}

/// Tells how a job gets on until it is over, all its runs have results, or somebody wants to stop.
fn follow(
    folder: &Folder,
    options: &SlurmOptions,
    gathered: &Gathered,
    job: &str,
    watch: &dyn Watch,
) {
    let mut open: Vec<String> = gathered
        .missing
        .iter()
        .map(|index| folder.plan.task(*index).hash())
        .collect();
    let mut tally = gathered.tally;
    let mut last_look = false;
    loop {
        open.retain(|hash| match folder.store.read(hash) {
            crate::store::Found::Complete(outcome) => {
                tally.add(&outcome);
                tally.made += 1;
                false
            }
            _ => true,
        });
        watch.told(&tally);
        if open.is_empty() || last_look {
            return;
        }
        let start = Instant::now();
        while start.elapsed() < options.every {
            if watch.stopped() {
                return;
            }
            std::thread::sleep(NAP.min(options.every));
        }
        // Files of another node may be seen later than the end of its task.
        last_look = !is_queued(job);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options() -> SlurmOptions {
        SlurmOptions {
            program: PathBuf::from("/opt/it's/drystone"),
            partition: Some("long".into()),
            group: None,
            time: Some("1:00".into()),
            more: vec!["--mem=1G".into()],
            every: Duration::from_secs(1),
            attempts: 3,
        }
    }

    #[test]
    fn the_script_says_what_tasks_do() {
        let text = script_of(&options(), Path::new("/data/a b"), "d 1", 2, 7);
        for line in [
            "#!/bin/sh",
            "#SBATCH --job-name=drystone-d-1",
            "#SBATCH --array=0-6",
            "#SBATCH --partition=long",
            "#SBATCH --time=1:00",
            "#SBATCH --mem=1G",
            "#SBATCH --requeue",
        ] {
            assert!(text.lines().any(|other| other == line), "{line}\n{text}");
        }
        assert!(text.contains("exec '/opt/it'\\''s/drystone' campaign work '/data/a b' --round 2"));
    }

    #[test]
    fn groups_take_about_a_minute_and_fit_an_array() {
        let mut gathered = Gathered {
            missing: (0..5000).collect(),
            ..Gathered::default()
        };
        assert_eq!(group_size(&options(), &gathered), 5);
        let mut run = crate::Outcome::failed("x");
        run.seconds = 2.0;
        gathered.known.insert(0, run);
        assert_eq!(group_size(&options(), &gathered), 30);
        let chosen = SlurmOptions {
            group: Some(2),
            ..options()
        };
        assert_eq!(group_size(&chosen, &gathered), 5);
    }
}
