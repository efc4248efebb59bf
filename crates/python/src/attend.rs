//! Long work in a thread of its own, while the interpreter shows progress and hears Ctrl-C.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use drystone_campaign::{Tally, Watch};
use drystone_questions::{Control, Hooks};
use pyo3::prelude::*;

use crate::fault;

/// How often signals are looked at and progress is shown.
const EVERY: Duration = Duration::from_millis(50);
/// Of the thread; deep trees of contacts are walked recursively.
const STACK: usize = 32 << 20;

/// Stages of the work. The first becomes one of the others, whichever comes first: work that was left writes no answer into a folder that may belong to
/// somebody else by then, and work that writes is not left.
const COMPUTES: u8 = 0;
const WRITES: u8 = 1;
const LEFT: u8 = 2;

/// What the worker tells, and what it is told.
#[derive(Debug, Default)]
pub struct Line {
    stop: AtomicBool,
    stage: AtomicU8,
    done: AtomicU64,
    total: AtomicU64,
    message: Mutex<String>,
}

impl Line {
    /// Somebody wants to stop.
    fn stopped(&self) -> bool {
        self.stop.load(Ordering::SeqCst)
    }

    /// Whether the stage became this one, and not the other before.
    fn became(&self, stage: u8) -> bool {
        let order = Ordering::SeqCst;
        let before = self.stage.compare_exchange(COMPUTES, stage, order, order);
        before.is_ok() || before == Err(stage)
    }

    fn say(&self, done: u64, message: Option<String>) {
        self.done.store(done, Ordering::Relaxed);
        if let (Some(message), Ok(mut place)) = (message, self.message.lock()) {
            *place = message;
        }
    }

    fn show(&self, py: Python<'_>, progress: Option<&Py<PyAny>>) -> PyResult<()> {
        let Some(progress) = progress else {
            return Ok(());
        };
        let message = self
            .message
            .lock()
            .map_or_else(|_| String::new(), |m| m.clone());
        let (done, total) = (
            self.done.load(Ordering::Relaxed),
            self.total.load(Ordering::Relaxed),
        );
        progress.call1(py, (done, total, message))?;
        Ok(())
    }
}

/// The worker's side, for analyses.
pub struct Teller {
    line: Arc<Line>,
    start: Instant,
}

impl Hooks for Teller {
    fn now(&self) -> f64 {
        self.start.elapsed().as_secs_f64()
    }

    /// What a folder would hold, the answer holds.
    fn wants_forces(&self) -> bool {
        true
    }

    fn begin(&mut self, total: u64, done: u64) {
        self.line.total.store(total, Ordering::Relaxed);
        self.line.say(done, None);
    }

    fn advanced(&mut self, done: u64, message: &mut dyn FnMut() -> String) -> Control {
        // The message costs more than a step of a small model: refresh it now and then.
        self.line
            .say(done, done.is_multiple_of(64).then(&mut *message));
        if self.line.stopped() {
            Control::Stop
        } else {
            Control::Continue
        }
    }

    fn answered(&mut self) -> Control {
        if self.line.became(WRITES) {
            Control::Continue
        } else {
            Control::Stop
        }
    }
}

/// The worker's side, for campaigns.
impl Watch for Teller {
    fn told(&self, tally: &Tally) {
        self.line
            .total
            .store(tally.wanted as u64, Ordering::Relaxed);
        let message = format!("{} collapsed, {} failed", tally.collapsed, tally.failed);
        self.line.say(tally.done as u64, Some(message));
    }

    fn stopped(&self) -> bool {
        self.line.stopped()
    }
}

/// Whether work hears the wish to stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hearing {
    /// It does, saves what it has, and ends: it is waited for.
    Listens,
    /// It does not, and is left to end by itself and to write nothing. Where it is writing already, it is waited for.
    Deaf,
}

/// What came of work that was waited for.
pub struct Attended<T> {
    /// Its result.
    pub value: T,
    /// What was raised meanwhile: Ctrl-C, or a fault of the function that shows progress.
    pub raised: Option<PyErr>,
}

/// Does `work` in a thread of its own without the interpreter's lock.
pub fn attend<T: Send + 'static>(
    py: Python<'_>,
    progress: Option<Py<PyAny>>,
    hearing: Hearing,
    work: impl FnOnce(Teller) -> T + Send + 'static,
) -> PyResult<Attended<T>> {
    let line = Arc::new(Line::default());
    let teller = Teller {
        line: Arc::clone(&line),
        start: Instant::now(),
    };
    let (sender, receiver) = channel();
    thread::Builder::new()
        .name("drystone".to_owned())
        .stack_size(STACK)
        .spawn(move || {
            let result = catch_unwind(AssertUnwindSafe(|| work(teller)));
            // Nobody waits any more if the interpreter went on without.
            let _ = sender.send(result);
        })
        .map_err(|error| fault::failed(py, format!("a thread can't be started: {error}")))?;
    let mut raised: Option<PyErr> = None;
    // `Receiver` is not `Sync`, but it is only moved to the closure and back.
    let receiver = Mutex::new(receiver);
    loop {
        let answer = py.detach(|| match receiver.lock() {
            Ok(receiver) => receiver.recv_timeout(EVERY),
            Err(_) => Err(RecvTimeoutError::Disconnected),
        });
        match answer {
            Ok(Ok(value)) => {
                if raised.is_none() {
                    raised = line.show(py, progress.as_ref()).err();
                }
                return Ok(Attended { value, raised });
            }
            Ok(Err(panic)) => return Err(fault::failed(py, fault::told(panic.as_ref()))),
            Err(RecvTimeoutError::Disconnected) => {
                return Err(fault::failed(py, "the thread of the computation vanished"));
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
        let heard = py.check_signals().and_then(|()| match raised {
            None => line.show(py, progress.as_ref()),
            Some(_) => Ok(()),
        });
        if let Err(error) = heard {
            line.stop.store(true, Ordering::SeqCst);
            // What hears is waited for, and what is writing already. A second Ctrl-C does not wait for what is being saved.
            let again = raised.is_some();
            let left = (again || hearing == Hearing::Deaf) && line.became(LEFT);
            if again || left {
                return Err(error);
            }
            raised = Some(error);
        }
    }
}
