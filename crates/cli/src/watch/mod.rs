//! `drystone run --watch`: the page of the run on loopback while it lasts.
//!
//! The page can be reached from this machine only, by whoever knows the random token in its address. What is served stands in memory: no request
//! leads to a file.

mod feed;
mod request;
mod server;

use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use drystone_model::{Analysis, Model};
use drystone_page::report::{live_frame, live_page};
use drystone_questions::time_history::Frame;

use crate::progress::StopWish;
use feed::Feed;

/// After the run the last page can be had for this long.
pub const LINGER: Duration = Duration::from_secs(5);
/// News of progress are told this often.
const EVERY: Duration = Duration::from_millis(250);

/// The live view of a run.
#[derive(Clone)]
pub struct Watch {
    feed: Arc<Feed>,
    address: String,
    told: Instant,
    stop: StopWish,
}

impl Watch {
    /// Begins to serve.
    pub fn start(names: &[&str], stop: &StopWish) -> io::Result<Self> {
        let feed = Arc::new(Feed::new(names));
        let address = server::start(feed.clone(), stop.clone())?;
        Ok(Self {
            feed,
            address,
            told: Instant::now(),
            stop: stop.clone(),
        })
    }

    /// Where the page is.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// An analysis begins.
    pub fn begin(&self, index: usize, model: &Model, analysis: &Analysis) {
        self.feed.begin(index, live_page(model, analysis));
    }

    /// A frame of it was written.
    pub fn frame(&self, index: usize, model: &Model, analysis: &Analysis, frame: &Frame) {
        let text = live_frame(model, analysis, frame).to_string();
        self.feed.frame(index, text);
    }

    /// So many of all steps are done.
    pub fn progress(
        &mut self,
        index: usize,
        done: u64,
        total: u64,
        message: &mut dyn FnMut() -> String,
    ) {
        if self.told.elapsed() >= EVERY {
            self.told = Instant::now();
            let news = serde_json::json!({ "done": done, "total": total, "message": message() });
            self.feed.progress(index, news.to_string());
        }
    }

    /// It has ended, and this is its report, if it left one.
    pub fn end(&self, index: usize, report: Option<Vec<u8>>) {
        self.feed.end(index, report, self.stop.is_set());
    }

    /// No analysis follows. Waits until pages that are open have the last report, at most [`LINGER`], or until somebody wants to stop.
    pub fn finish(&self) {
        self.feed.finish();
        let begin = Instant::now();
        let asked = self.stop.is_set();
        while begin.elapsed() < LINGER && (asked || !self.stop.is_set()) && !self.feed.satisfied() {
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}
