//! Words for the user.
//!
//! `println!` panics if nobody listens any more, as in `drystone schema | head`. That is no reason to lose a run.

use std::io::{self, ErrorKind, Write};

use crate::Outcome;

/// Prints what was asked for on standard output, with a line break at its end.
pub fn answer(text: &str) -> Outcome {
    let mut out = io::stdout().lock();
    let written = writeln!(out, "{}", text.trim_end_matches('\n')).and_then(|()| out.flush());
    match written {
        Ok(()) => Outcome::Done,
        // The reader has seen enough.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Outcome::Done,
        Err(error) => Outcome::Failed(format!("cannot write to standard output: {error}")),
    }
}

/// Tells something on standard error, if anybody listens.
pub fn tell(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{}", text.trim_end());
}

/// `1 pair`, `2 pairs`.
pub fn counted(count: usize, thing: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {thing}{plural}")
}
