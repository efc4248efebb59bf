//! Runs on the cores of this machine, one run on each.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;

use crate::error::Error;
use crate::folder::Folder;
use crate::outcome::Outcome;
use crate::run::execute;
use crate::store::Found;
use crate::study::{Known, wanted};

/// How far a campaign is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    /// Runs that are wanted, as far as can be told.
    pub wanted: usize,
    /// Those with a result.
    pub done: usize,
    /// Those that were made now, not found.
    pub made: usize,
    /// Those that collapsed, overturned or are unstable.
    pub collapsed: usize,
    /// Those that ended without a verdict: in motion, or while the ground still moved.
    pub undecided: usize,
    /// Those without an answer.
    pub failed: usize,
    /// Files of results that were damaged.
    pub damaged: usize,
}

impl Tally {
    /// Counts a result.
    pub(crate) fn add(&mut self, outcome: &Outcome) {
        self.done += 1;
        self.collapsed += usize::from(outcome.collapsed == Some(true));
        self.undecided += usize::from(outcome.is_undecided());
        self.failed += usize::from(outcome.failure.is_some());
    }
}

/// Told how far a campaign is; asked whether it goes on.
pub trait Watch: Sync {
    /// Something was done.
    fn told(&self, tally: &Tally);
    /// Somebody wants to stop. Asked often, from any thread.
    fn stopped(&self) -> bool;
}

/// Nobody looks, nobody stops.
impl Watch for () {
    fn told(&self, _: &Tally) {}

    fn stopped(&self) -> bool {
        false
    }
}

/// What is known of a campaign.
#[derive(Debug, Clone, Default)]
pub struct Gathered {
    /// Results by number of run.
    pub known: Known,
    /// Runs that are wanted and not known.
    pub missing: Vec<usize>,
    /// How far it is.
    pub tally: Tally,
}

impl Gathered {
    /// Nothing is missing.
    pub fn is_complete(&self) -> bool {
        self.missing.is_empty()
    }

    fn add(&mut self, index: usize, outcome: Outcome) {
        self.tally.add(&outcome);
        self.known.insert(index, outcome);
    }
}

/// Reads the results that are there, as far as the campaign wants them.
pub fn gather(folder: &Folder) -> Gathered {
    let mut gathered = Gathered::default();
    let mut asked = std::collections::BTreeSet::new();
    refresh(folder, &mut gathered, &mut asked);
    gathered
}

/// Reads results until the campaign wants nothing more that is there. Runs in `asked` were looked for already.
pub(crate) fn refresh(
    folder: &Folder,
    gathered: &mut Gathered,
    asked: &mut std::collections::BTreeSet<usize>,
) {
    loop {
        let list = wanted(&folder.plan, &gathered.known);
        gathered.tally.wanted = list.len();
        let mut found = false;
        gathered.missing.clear();
        for index in list {
            if gathered.known.contains_key(&index) {
                continue;
            }
            if asked.insert(index) {
                match folder.store.read(&folder.plan.task(index).hash()) {
                    Found::Complete(outcome) => {
                        gathered.add(index, outcome);
                        found = true;
                        continue;
                    }
                    Found::Damaged => gathered.tally.damaged += 1,
                    Found::Nothing => {}
                }
            }
            gathered.missing.push(index);
        }
        if !found {
            return;
        }
    }
}

/// Makes all runs that are missing; stops where the watch says so. What is done is stored at once.
pub fn run_local(folder: &Folder, threads: usize, watch: &dyn Watch) -> Result<Gathered, Error> {
    folder.tidy()?;
    let mut gathered = Gathered::default();
    let mut asked = std::collections::BTreeSet::new();
    loop {
        refresh(folder, &mut gathered, &mut asked);
        watch.told(&gathered.tally);
        if gathered.is_complete() || watch.stopped() {
            return Ok(gathered);
        }
        let queue = std::mem::take(&mut gathered.missing);
        round(folder, &queue, threads, watch, &mut |index, outcome| {
            gathered.add(index, outcome);
            gathered.tally.made += 1;
            watch.told(&gathered.tally);
        })?;
    }
}

/// Makes the runs of a list on some threads, and hands their results over in the order in which they come.
pub(crate) fn round(
    folder: &Folder,
    queue: &[usize],
    threads: usize,
    watch: &dyn Watch,
    done: &mut dyn FnMut(usize, Outcome),
) -> Result<(), Error> {
    let next = AtomicUsize::new(0);
    let (send, receive) = mpsc::channel::<Result<(usize, Outcome), Error>>();
    std::thread::scope(|scope| {
        for _ in 0..threads.min(queue.len()).max(1) {
            let (send, next) = (send.clone(), &next);
            scope.spawn(move || {
                let work = || {
                    while !watch.stopped() {
                        let Some(&index) = queue.get(next.fetch_add(1, Ordering::Relaxed)) else {
                            return;
                        };
                        let Some(message) = make(folder, index, watch).transpose() else {
                            return;
                        };
                        let failed = message.is_err();
                        if send.send(message).is_err() || failed {
                            return;
                        }
                    }
                };
                // A pool of one thread: the solver has no idle cores to spread over.
                match rayon::ThreadPoolBuilder::new().num_threads(1).build() {
                    Ok(pool) => pool.install(work),
                    Err(_) => work(),
                }
            });
        }
        drop(send);
        let mut fault = None;
        for message in receive {
            match message {
                Ok((index, outcome)) => done(index, outcome),
                Err(error) => {
                    // The others find an empty queue.
                    next.store(queue.len(), Ordering::Relaxed);
                    fault.get_or_insert(error);
                }
            }
        }
        fault.map_or(Ok(()), Err)
    })
}

/// Makes one run and stores its result. Nothing if it was stopped.
fn make(
    folder: &Folder,
    index: usize,
    watch: &dyn Watch,
) -> Result<Option<(usize, Outcome)>, Error> {
    let task = folder.plan.task(index);
    let hash = task.hash();
    // Runs whose values make no difference share a result; another process may have made it meanwhile.
    if let Found::Complete(outcome) = folder.store.read(&hash) {
        return Ok(Some((index, outcome)));
    }
    let path: &Path = folder.path();
    let Some(outcome) = execute(&task, path, &|| watch.stopped()) else {
        return Ok(None);
    };
    folder.store.write(&hash, &outcome)?;
    Ok(Some((index, outcome)))
}
