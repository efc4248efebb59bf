//! A server for one machine: a thread per connection, each answered once.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use super::feed::{Feed, News, Shown};
use super::request::Request;
use crate::progress::StopWish;

/// Connections at one time; a page needs two.
const MOST: usize = 32;
/// Whoever neither asks nor reads for this long is let go.
const PATIENCE: Duration = Duration::from_secs(10);
/// A stream without news says so this often: that is how a page that was closed is noticed.
const KEEP_ALIVE: Duration = Duration::from_secs(2);

struct Server {
    feed: Arc<Feed>,
    stop: StopWish,
    port: u16,
    token: String,
    open: AtomicUsize,
}

/// Begins to serve; returns the address of the page.
pub fn start(feed: Arc<Feed>, stop: StopWish) -> io::Result<String> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    let port = listener.local_addr()?.port();
    let token = token()?;
    let address = format!("http://127.0.0.1:{port}/{token}/");
    let server = Arc::new(Server {
        feed,
        stop,
        port,
        token,
        open: AtomicUsize::new(0),
    });
    thread::Builder::new()
        .name("watch".to_owned())
        .spawn(move || {
            for stream in listener.incoming().flatten() {
                let server = server.clone();
                if server.open.fetch_add(1, Ordering::SeqCst) >= MOST {
                    server.open.fetch_sub(1, Ordering::SeqCst);
                    continue;
                }
                let begun = thread::Builder::new().spawn({
                    let server = server.clone();
                    move || {
                        // Whoever hangs up has seen enough.
                        let _ = server.answer(stream);
                        server.open.fetch_sub(1, Ordering::SeqCst);
                    }
                });
                if begun.is_err() {
                    server.open.fetch_sub(1, Ordering::SeqCst);
                }
            }
        })?;
    Ok(address)
}

/// 256 random bits.
fn token() -> io::Result<String> {
    let mut bytes = [0_u8; 32];
    getrandom::fill(&mut bytes).map_err(|error| io::Error::other(error.to_string()))?;
    let mut text = String::new();
    for byte in bytes {
        let _ = write!(text, "{byte:02x}");
    }
    Ok(text)
}

/// Compares without telling by its time how much was right.
fn same(a: &str, b: &str) -> bool {
    a.len() == b.len()
        && a.bytes()
            .zip(b.bytes())
            .fold(0, |all, (x, y)| all | (x ^ y))
            == 0
}

enum Answer {
    Page(Arc<[u8]>, usize),
    Wait,
    Events(usize),
    Stop,
    Go(String),
    Refused(&'static str),
}

impl Server {
    fn answer(&self, mut stream: TcpStream) -> io::Result<()> {
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_write_timeout(Some(PATIENCE))?;
        stream.set_nodelay(true)?;
        let Some(request) = Request::read(&mut stream)? else {
            return self.send(&mut stream, "400 Bad Request", "text/plain", b"");
        };
        const HTML: &str = "text/html; charset=utf-8";
        match self.route(&request) {
            Answer::Page(page, index) => {
                self.send(&mut stream, "200 OK", HTML, &self.with_list(&page, index))
            }
            Answer::Wait => {
                let text = "<!doctype html><meta http-equiv=\"refresh\" content=\"1\"><title>waiting</title><p>This analysis has not begun.";
                self.send(&mut stream, "200 OK", HTML, text.as_bytes())
            }
            Answer::Events(index) => {
                self.feed.listen(true);
                let sent = self.events(&mut stream, index, request.last_event);
                self.feed.listen(false);
                sent
            }
            Answer::Stop => {
                self.stop.set();
                self.send(&mut stream, "204 No Content", "text/plain", b"")
            }
            Answer::Go(to) => {
                write!(
                    stream,
                    "HTTP/1.1 302 Found\r\nLocation: {to}\r\nContent-Length: 0\r\n{COMMON}\r\n"
                )?;
                stream.shutdown(Shutdown::Write)
            }
            Answer::Refused(status) => self.send(&mut stream, status, "text/plain", b""),
        }
    }

    fn route(&self, request: &Request) -> Answer {
        const NOTHING: Answer = Answer::Refused("404 Not Found");
        const FORBIDDEN: Answer = Answer::Refused("403 Forbidden");
        // A name that somebody else made point here is not one of these.
        let hosts = [
            format!("127.0.0.1:{}", self.port),
            format!("localhost:{}", self.port),
        ];
        if !hosts.contains(&request.host) {
            return FORBIDDEN;
        }
        let ours = |origin: &String| hosts.iter().any(|host| *origin == format!("http://{host}"));
        if request.origin.as_ref().is_some_and(|origin| !ours(origin)) {
            return FORBIDDEN;
        }
        let mut parts = request.path.split('/');
        let (Some(""), Some(token)) = (parts.next(), parts.next()) else {
            return NOTHING;
        };
        if !same(token, &self.token) {
            return NOTHING;
        }
        let parts: Vec<&str> = parts.collect();
        match (request.method.as_str(), &parts[..]) {
            ("POST", ["stop"]) => Answer::Stop,
            ("GET", [""]) => Answer::Go(format!("/{}/{}/", self.token, self.feed.current())),
            ("GET", [index, last @ ("" | "events")]) => {
                let Some(index) = index
                    .parse()
                    .ok()
                    .filter(|k: &usize| k.to_string() == *index)
                else {
                    return NOTHING;
                };
                match (self.feed.page(index), *last) {
                    (Shown::Nothing, _) => NOTHING,
                    (_, "events") => Answer::Events(index),
                    (Shown::Waiting, _) => Answer::Wait,
                    (Shown::Page(page), _) => Answer::Page(page, index),
                }
            }
            ("GET" | "POST", _) => NOTHING,
            _ => FORBIDDEN,
        }
    }

    /// The page with links to those of the other analyses.
    fn with_list(&self, page: &[u8], index: usize) -> Vec<u8> {
        const HEADER: &[u8] = b"</header>";
        let list = self.feed.list();
        let at = page.windows(HEADER.len()).position(|part| part == HEADER);
        let (Some(at), true) = (at, list.len() > 1) else {
            return page.to_vec();
        };
        let mut links = String::from(
            "<nav style=\"display:flex;flex-wrap:wrap;gap:.3rem 1rem;font-size:.9rem\">",
        );
        for (k, (name, word)) in list.iter().enumerate() {
            let name = name.replace('&', "&amp;").replace('<', "&lt;");
            let _ = if k == index || *word == "waiting" {
                write!(links, "<span>{name} ({word})</span>")
            } else {
                write!(
                    links,
                    "<a href=\"../{k}/\" style=\"color:inherit\">{name} ({word})</a>"
                )
            };
        }
        links.push_str("</nav>");
        let (head, tail) = page.split_at(at + HEADER.len());
        [head, links.as_bytes(), tail].concat()
    }

    fn send(
        &self,
        stream: &mut TcpStream,
        status: &str,
        kind: &str,
        body: &[u8],
    ) -> io::Result<()> {
        write!(
            stream,
            "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\n{COMMON}\r\n",
            body.len()
        )?;
        stream.write_all(body)?;
        stream.shutdown(Shutdown::Write)
    }

    /// Frames and progress as they come, until the analysis or the listener's interest ends.
    fn events(
        &self,
        stream: &mut TcpStream,
        index: usize,
        mut last: Option<u64>,
    ) -> io::Result<()> {
        write!(
            stream,
            "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n{COMMON}\r\n"
        )?;
        let mut version = 0;
        loop {
            let mut text = String::new();
            match self.feed.next(index, last, version, KEEP_ALIVE) {
                News::Frames(frames, progress) => {
                    for (number, frame) in frames {
                        let _ = write!(text, "event: frame\nid: {number}\ndata: {frame}\n\n");
                        last = Some(number);
                    }
                    if let Some((new, progress)) = progress {
                        let _ = write!(text, "event: progress\ndata: {progress}\n\n");
                        version = new;
                    }
                }
                News::Ended(next) => {
                    let next = serde_json::json!({ "next": next });
                    write!(stream, "event: ended\ndata: {next}\n\n")?;
                    return stream.shutdown(Shutdown::Write);
                }
                News::Quiet => text.push_str(": \n\n"),
            }
            stream.write_all(text.as_bytes())?;
        }
    }
}

/// Nothing is kept, framed, or told to others; no other origin may read it.
const COMMON: &str = "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nX-Frame-Options: DENY\r\n\
     Referrer-Policy: no-referrer\r\nCross-Origin-Resource-Policy: same-origin\r\nConnection: close\r\n";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_long_and_differ() {
        let [a, b] = [token().unwrap(), token().unwrap()];
        assert_eq!(a.len(), 64);
        assert!(same(&a, &a) && !same(&a, &b) && !same(&a, &a[1..]));
    }
}
