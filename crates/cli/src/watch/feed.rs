//! What there is to see: a page per analysis, live or complete, and the frames of the one that runs.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Frames kept for pages that are opened later may take this much; beyond it every second one is forgotten.
const ROOM: usize = 64_000_000;
/// A report that was sent has been drawn after this time.
const SETTLED: Duration = Duration::from_secs(1);

/// The shared state of a live view.
pub struct Feed {
    inner: Mutex<Inner>,
    news: Condvar,
}

struct Inner {
    parts: Vec<Part>,
    current: usize,
    /// Streams that are open.
    listeners: usize,
    /// No analysis follows.
    over: bool,
    /// When a page of the complete run was sent last.
    served: Option<Instant>,
}

struct Part {
    name: String,
    state: State,
}

enum State {
    Waiting,
    Running(Live),
    Done(Arc<[u8]>),
}

struct Live {
    page: Arc<[u8]>,
    frames: Vec<(u64, Arc<str>)>,
    bytes: usize,
    /// Frames so far, and of how many one is kept.
    count: u64,
    stride: u64,
    progress: Arc<str>,
    version: u64,
}

/// What a stream is to send next.
pub enum News {
    /// Frames after the last one, and how far the run is.
    Frames(Vec<(u64, Arc<str>)>, Option<(u64, Arc<str>)>),
    /// The analysis has ended; the next one, if any.
    Ended(Option<usize>),
    /// Nothing new.
    Quiet,
}

/// A page that is served.
pub enum Shown {
    /// Live or complete.
    Page(Arc<[u8]>),
    /// Its analysis has not begun.
    Waiting,
    /// There is none.
    Nothing,
}

impl Feed {
    /// Analyses of these names, none begun.
    pub fn new(names: &[&str]) -> Self {
        let part = |name: &&str| Part {
            name: (*name).to_owned(),
            state: State::Waiting,
        };
        Self {
            inner: Mutex::new(Inner {
                parts: names.iter().map(part).collect(),
                current: 0,
                listeners: 0,
                over: false,
                served: None,
            }),
            news: Condvar::new(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        // A stream that panicked leaves nothing half done.
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// An analysis begins.
    pub fn begin(&self, index: usize, page: String) {
        let mut inner = self.lock();
        inner.current = index;
        if let Some(part) = inner.parts.get_mut(index) {
            part.state = State::Running(Live {
                page: page.into_bytes().into(),
                frames: Vec::new(),
                bytes: 0,
                count: 0,
                stride: 1,
                progress: "{}".into(),
                version: 0,
            });
        }
        self.news.notify_all();
    }

    /// A frame of it, as text of one line.
    pub fn frame(&self, index: usize, text: String) {
        let mut inner = self.lock();
        let Some(State::Running(live)) = inner.parts.get_mut(index).map(|part| &mut part.state)
        else {
            return;
        };
        let number = live.count;
        live.count += 1;
        if !number.is_multiple_of(live.stride) {
            return;
        }
        live.bytes += text.len();
        live.frames.push((number, text.into()));
        if live.bytes > ROOM {
            live.stride *= 2;
            let stride = live.stride;
            live.frames
                .retain(|(number, _)| number.is_multiple_of(stride));
            live.bytes = live.frames.iter().map(|(_, text)| text.len()).sum();
        }
        self.news.notify_all();
    }

    /// How far it is.
    pub fn progress(&self, index: usize, text: String) {
        let mut inner = self.lock();
        if let Some(State::Running(live)) = inner.parts.get_mut(index).map(|part| &mut part.state) {
            live.progress = text.into();
            live.version += 1;
            self.news.notify_all();
        }
    }

    /// It has ended; `last` if none follows.
    pub fn end(&self, index: usize, report: Option<Vec<u8>>, last: bool) {
        let mut inner = self.lock();
        inner.over |= last || index + 1 >= inner.parts.len();
        if let Some(part) = inner.parts.get_mut(index) {
            let none = || {
                b"<!doctype html><title>ended</title><header></header><p>The analysis has ended without a report."
                    .to_vec()
            };
            part.state = State::Done(report.unwrap_or_else(none).into());
        }
        self.news.notify_all();
    }

    /// No analysis follows.
    pub fn finish(&self) {
        self.lock().over = true;
        self.news.notify_all();
    }

    /// No stream is open, and a page of the complete run was sent a while ago.
    pub fn satisfied(&self) -> bool {
        let inner = self.lock();
        inner.listeners == 0 && inner.served.is_some_and(|at| at.elapsed() > SETTLED)
    }

    /// The analysis that runs, or ran last.
    pub fn current(&self) -> usize {
        self.lock().current
    }

    /// The page of an analysis.
    pub fn page(&self, index: usize) -> Shown {
        let mut inner = self.lock();
        let over = inner.over;
        let shown = match inner.parts.get(index).map(|part| &part.state) {
            None => Shown::Nothing,
            Some(State::Waiting) => Shown::Waiting,
            Some(State::Running(live)) => Shown::Page(live.page.clone()),
            Some(State::Done(report)) => Shown::Page(report.clone()),
        };
        if over && matches!(shown, Shown::Page(_)) {
            inner.served = Some(Instant::now());
        }
        shown
    }

    /// Names of all analyses with what can be seen of them.
    pub fn list(&self) -> Vec<(String, &'static str)> {
        let inner = self.lock();
        let word = |part: &Part| match part.state {
            State::Waiting => "waiting",
            State::Running(_) => "running",
            State::Done(_) => "done",
        };
        inner
            .parts
            .iter()
            .map(|part| (part.name.clone(), word(part)))
            .collect()
    }

    /// A stream begins or ends.
    pub fn listen(&self, on: bool) {
        let mut inner = self.lock();
        inner.listeners = if on {
            inner.listeners + 1
        } else {
            inner.listeners.saturating_sub(1)
        };
    }

    /// What a stream has not yet sent that has sent frames up to `last` and progress up to `version`; waits a while if there is nothing.
    pub fn next(&self, index: usize, last: Option<u64>, version: u64, patience: Duration) -> News {
        let begin = Instant::now();
        let mut inner = self.lock();
        loop {
            match inner.parts.get(index).map(|part| &part.state) {
                Some(State::Running(live)) => {
                    let from = live
                        .frames
                        .partition_point(|(number, _)| Some(*number) <= last);
                    let frames = live.frames[from..].to_vec();
                    let progress =
                        (live.version > version).then(|| (live.version, live.progress.clone()));
                    if !frames.is_empty() || progress.is_some() {
                        return News::Frames(frames, progress);
                    }
                }
                Some(State::Done(_)) => {
                    let next = (!inner.over && index + 1 < inner.parts.len()).then_some(index + 1);
                    return News::Ended(next);
                }
                Some(State::Waiting) if !inner.over => {}
                _ => return News::Ended(None),
            }
            let Some(left) = patience.checked_sub(begin.elapsed()) else {
                return News::Quiet;
            };
            let waited = self.news.wait_timeout(inner, left);
            inner = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHORT: Duration = Duration::from_millis(1);

    #[test]
    fn late_listeners_get_everything_and_others_what_is_new() {
        let feed = Feed::new(&["a", "b"]);
        assert!(matches!(feed.page(0), Shown::Waiting));
        assert!(matches!(feed.page(2), Shown::Nothing));
        feed.begin(0, "page".to_owned());
        for k in 0..3 {
            feed.frame(0, k.to_string());
        }
        let News::Frames(all, None) = feed.next(0, None, 0, SHORT) else {
            panic!("no frames")
        };
        assert_eq!(all.len(), 3);
        let News::Frames(new, None) = feed.next(0, Some(1), 0, SHORT) else {
            panic!("no frame")
        };
        assert_eq!(&*new[0].1, "2");
        assert!(matches!(feed.next(0, Some(2), 0, SHORT), News::Quiet));
        feed.progress(0, "{}".to_owned());
        assert!(
            matches!(feed.next(0, Some(2), 0, SHORT), News::Frames(none, Some((1, _))) if none.is_empty())
        );
        feed.end(0, None, false);
        assert!(matches!(
            feed.next(0, Some(2), 1, SHORT),
            News::Ended(Some(1))
        ));
        feed.begin(1, String::new());
        feed.end(1, Some(b"report".to_vec()), false);
        assert!(matches!(feed.next(1, None, 0, SHORT), News::Ended(None)));
        assert!(matches!(feed.page(1), Shown::Page(bytes) if *bytes == *b"report"));
    }

    #[test]
    fn memory_is_bounded_and_what_is_left_is_even() {
        let feed = Feed::new(&["a"]);
        feed.begin(0, String::new());
        let text = "x".repeat(ROOM / 10);
        for _ in 0..25 {
            feed.frame(0, text.clone());
        }
        let News::Frames(kept, _) = feed.next(0, None, 0, SHORT) else {
            panic!("no frames")
        };
        let numbers: Vec<u64> = kept.iter().map(|(number, _)| *number).collect();
        assert_eq!(numbers, [0, 4, 8, 12, 16, 20, 24]);
    }
}
