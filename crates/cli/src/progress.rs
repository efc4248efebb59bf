//! Progress on a terminal, and the wish to stop.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use drystone_questions::{Control, Hooks};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::Outcome;
use crate::speak::tell;

/// Set by Ctrl-C. A second Ctrl-C ends the program at once.
#[derive(Clone)]
pub struct StopWish(Arc<AtomicBool>);

impl StopWish {
    /// Listens for Ctrl-C and for the signal to terminate.
    pub fn listen() -> Result<Self, Outcome> {
        let wish = Self(Arc::new(AtomicBool::new(false)));
        let flag = wish.0.clone();
        ctrlc::set_handler(move || {
            if flag.swap(true, Ordering::SeqCst) {
                std::process::exit(130);
            }
            tell(
                "\nstopping after this step; press Ctrl-C again to stop at once and lose what is not saved",
            );
        })
        .map_err(|error| Outcome::Failed(format!("Ctrl-C can't be handled here: {error}")))?;
        Ok(wish)
    }

    /// As the first Ctrl-C.
    pub fn set(&self) {
        if !self.0.swap(true, Ordering::SeqCst) {
            tell("\nstopping after this step, as requested by the page");
        }
    }

    /// Somebody wants to stop.
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }
}

/// A bar on standard error, and only if that is a terminal.
pub fn bar(name: &str, total: u64, done: u64) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr_with_hz(5));
    let style =
        ProgressStyle::with_template("{prefix:.bold} [{bar:30}] {percent:>3}%  {msg}  left {eta}")
            .unwrap_or_else(|_| ProgressStyle::default_bar())
            .progress_chars("=> ");
    bar.set_style(style);
    bar.set_prefix(name.to_owned());
    bar.set_position(done);
    bar.reset_eta();
    bar
}

/// Progress bar of one analysis, which is asked to stop on Ctrl-C.
pub struct Shown<'a> {
    name: &'a str,
    stop: &'a StopWish,
    bar: Option<ProgressBar>,
}

impl<'a> Shown<'a> {
    /// Nothing is drawn before the analysis begins.
    pub fn new(name: &'a str, stop: &'a StopWish) -> Self {
        Self {
            name,
            stop,
            bar: None,
        }
    }
}

impl Hooks for Shown<'_> {
    fn begin(&mut self, total: u64, done: u64) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
        self.bar = Some(bar(self.name, total, done));
    }

    fn advanced(&mut self, done: u64, message: &mut dyn FnMut() -> String) -> Control {
        if let Some(bar) = &self.bar {
            bar.set_position(done);
            // The message costs more than a step of a small model: refresh it now and then.
            if done.is_multiple_of(64) && !bar.is_hidden() {
                bar.set_message(message());
            }
        }
        if self.stop.is_set() {
            Control::Stop
        } else {
            Control::Continue
        }
    }
}

impl Drop for Shown<'_> {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
