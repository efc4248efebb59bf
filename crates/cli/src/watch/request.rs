//! The little of HTTP that the live view understands.

use std::io::{self, Read};
use std::time::{Duration, Instant};

/// A request's head may be this long.
const LONGEST: usize = 16_384;
/// ... and must have come within this time.
const PATIENCE: Duration = Duration::from_secs(10);

/// What a request says.
#[derive(Debug, Default, PartialEq)]
pub struct Request {
    pub method: String,
    pub path: String,
    pub host: String,
    pub origin: Option<String>,
    pub last_event: Option<u64>,
}

impl Request {
    /// Reads the head of a request; nothing if it is none.
    pub fn read(stream: &mut impl Read) -> io::Result<Option<Self>> {
        let mut head = Vec::new();
        let mut piece = [0; 1024];
        let begin = Instant::now();
        while !head.windows(4).any(|end| end == b"\r\n\r\n") {
            let count = stream.read(&mut piece)?;
            // Byte by byte somebody could keep others out for ever.
            if count == 0 || head.len() + count > LONGEST || begin.elapsed() > PATIENCE {
                return Ok(None);
            }
            head.extend_from_slice(&piece[..count]);
        }
        Ok(Self::parse(&String::from_utf8_lossy(&head)))
    }

    fn parse(head: &str) -> Option<Self> {
        let (first, rest) = head.split_once("\r\n")?;
        let mut words = first.split(' ');
        let (method, path, version) = (words.next()?, words.next()?, words.next()?);
        if !version.starts_with("HTTP/1.") || words.next().is_some() {
            return None;
        }
        let mut request = Self {
            method: method.to_owned(),
            path: path.to_owned(),
            ..Self::default()
        };
        let mut hosts = 0;
        for line in rest.split("\r\n").take_while(|line| !line.is_empty()) {
            let (name, value) = line.split_once(':')?;
            let value = value.trim();
            match name.to_ascii_lowercase().as_str() {
                "host" => {
                    hosts += 1;
                    request.host = value.to_owned();
                }
                "origin" => request.origin = Some(value.to_owned()),
                "last-event-id" => request.last_event = value.parse().ok(),
                _ => {}
            }
        }
        (hosts == 1).then_some(request)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<Request> {
        Request::read(&mut text.as_bytes()).unwrap()
    }

    #[test]
    fn reads_what_browsers_send() {
        let request = read(
            "GET /a/0/events HTTP/1.1\r\nHOST: 127.0.0.1:80\r\nLast-Event-ID: 7\r\nX: y\r\n\r\n",
        )
        .unwrap();
        assert_eq!(
            (request.method.as_str(), request.path.as_str()),
            ("GET", "/a/0/events")
        );
        assert_eq!(
            (request.host.as_str(), request.last_event, request.origin),
            ("127.0.0.1:80", Some(7), None)
        );
    }

    #[test]
    fn refuses_what_is_no_request() {
        for text in [
            "",
            "GET / HTTP/1.1\r\nHost: a\r\n",
            "GET /\r\nHost: a\r\n\r\n",
            "GET / HTTP/2\r\nHost: a\r\n\r\n",
            "GET / b HTTP/1.1\r\nHost: a\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
            "GET / HTTP/1.1\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: a\r\nnonsense\r\n\r\n",
        ] {
            assert_eq!(read(text), None, "{text:?}");
        }
        let long = format!(
            "GET / HTTP/1.1\r\nHost: a\r\nX: {}\r\n\r\n",
            "x".repeat(2 * LONGEST)
        );
        assert_eq!(read(&long), None);
    }
}
