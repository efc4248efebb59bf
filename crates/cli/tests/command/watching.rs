//! `drystone run --watch`: who knows the address sees the run and can stop it; nobody else sees anything.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};

use crate::kit::{Desk, history, stone_on_ground};

struct Watched {
    child: Child,
    host: String,
    token: String,
}

impl Watched {
    fn begin(desk: &Desk, more: &[&str]) -> Self {
        let args = [&["run", "model.toml", "--out", "out", "--watch"], more].concat();
        let mut child = desk.command(&args).stderr(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        let mut told = BufReader::new(child.stderr.take().unwrap());
        told.read_line(&mut line).unwrap();
        // Somebody must listen to the rest.
        std::thread::spawn(move || std::io::copy(&mut told, &mut std::io::sink()));
        let (_, address) = line.trim().split_once("http://").unwrap();
        let (host, token) = address.split_once('/').unwrap();
        assert!(
            host.starts_with("127.0.0.1:") && token.len() >= 33,
            "{line}"
        );
        Self {
            child,
            host: host.to_owned(),
            token: token.trim_end_matches('/').to_owned(),
        }
    }

    fn ask(&self, method: &str, path: &str, host: &str, more: &str) -> String {
        let mut stream = TcpStream::connect(&self.host).unwrap();
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: {host}\r\n{more}\r\n"
        )
        .unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        String::from_utf8_lossy(&answer).into_owned()
    }

    fn status(&self, method: &str, path: &str, host: &str, more: &str) -> String {
        let answer = self.ask(method, path, host, more);
        answer.split(' ').nth(1).unwrap_or_default().to_owned()
    }
}

#[test]
fn frames_are_streamed_and_a_stop_keeps_everything() {
    let long = stone_on_ground()
        + &history("first", "")
        + &history("second", "").replace("duration = 0.1", "duration = 100000.0");
    let desk = Desk::with("model.toml", &long);
    let mut run = Watched::begin(&desk, &[]);
    let (token, host) = (run.token.clone(), run.host.clone());
    // Nobody else gets anything.
    let at = |path: &str| format!("/{token}/{path}");
    for (method, path, as_host, more, status) in [
        ("GET", "/".to_owned(), host.as_str(), "", "404"),
        ("GET", format!("/{}/", &token[1..]), &host, "", "404"),
        ("GET", at("summary.json"), &host, "", "404"),
        ("GET", at("0/../../Cargo.toml"), &host, "", "404"),
        (
            "POST",
            format!("/{}/stop", "0".repeat(64)),
            &host,
            "",
            "404",
        ),
        ("GET", at("stop"), &host, "", "404"),
        ("PUT", at("stop"), &host, "", "403"),
        ("GET", at(""), "elsewhere.example", "", "403"),
        (
            "POST",
            at("stop"),
            &host,
            "Origin: http://elsewhere.example\r\n",
            "403",
        ),
    ] {
        assert_eq!(
            run.status(method, &path, as_host, more),
            status,
            "{method} {path}"
        );
    }
    assert_eq!(run.status("GET", &at(""), &host, ""), "302");

    let mut stream = TcpStream::connect(&host).unwrap();
    write!(
        stream,
        "GET {} HTTP/1.1\r\nHost: {host}\r\n\r\n",
        at("1/events")
    )
    .unwrap();
    let mut lines = BufReader::new(stream).lines().map(Result::unwrap);
    let frames: Vec<serde_json::Value> = lines
        .by_ref()
        .filter_map(|line| {
            line.strip_prefix("data: {\"row\"")
                .map(|rest| format!("{{\"row\"{rest}"))
        })
        .take(20)
        .map(|frame| serde_json::from_str(&frame).unwrap())
        .collect();
    let times: Vec<f64> = frames
        .iter()
        .map(|frame| frame["row"][0].as_f64().unwrap())
        .collect();
    assert_eq!(times[0], 0.0);
    assert!(times.windows(2).all(|pair| pair[1] > pair[0]));
    let page = run.ask("GET", &at("1/"), &host, "");
    assert!(page.contains("second") && page.contains("connect-src 'self'"));
    assert!(!page.to_ascii_lowercase().contains("access-control"));

    assert_eq!(run.status("POST", &at("stop"), &host, ""), "204");
    assert!(lines.any(|line| line == "data: {\"next\":null}"));
    // The report takes the place of the live page.
    assert!(
        run.ask("GET", &at("1/"), &host, "")
            .contains("interrupted at")
    );
    assert_eq!(run.child.wait().unwrap().code(), Some(130));
    assert_eq!(desk.summary("out/first")["status"], "stood");
    assert_eq!(desk.summary("out/second")["complete"], false);
    assert!(desk.path("out/second/checkpoint.bin").exists());
}
