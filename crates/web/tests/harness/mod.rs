//! A server on a free port, and a client that speaks HTTP over a plain socket, so that nothing is
//! tidied up on the way.

// Not every test needs all of it.
#![allow(dead_code)]

use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::time::Duration;

use pessoi::Catalogue;
use pessoi_web::{Options, Server, Stop};
use serde_json::Value;

/// A server, stopped when this is dropped.
pub(crate) struct Running {
    pub(crate) address: SocketAddr,
    stop: Stop,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Running {
    pub(crate) fn start(options: Options) -> Running {
        Running::start_with(Catalogue::standard(), options)
    }

    pub(crate) fn start_with(catalogue: Catalogue, options: Options) -> Running {
        let options = Options { listen: (Ipv4Addr::LOCALHOST, 0).into(), ..options };
        let server = Server::start(catalogue, options).unwrap();
        let (address, stop) = (server.address(), server.stopper());
        let thread = std::thread::spawn(move || server.wait().unwrap());
        Running { address, stop, thread: Some(thread) }
    }

    pub(crate) fn stop(&mut self) {
        self.stop.stop();
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap();
        }
    }

    pub(crate) fn get(&self, path: &str) -> Reply {
        self.ask("GET", path, &[], b"")
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> Reply {
        let json = [("Content-Type", "application/json")];
        self.ask("POST", path, &json, body.to_string().as_bytes())
    }

    pub(crate) fn ask(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &[u8],
    ) -> Reply {
        let mut stream = BufReader::new(self.send(method, path, headers, body));
        let (status, headers) = head(&mut stream);
        let mut bytes = Vec::new();
        let find = |name: &str| headers.iter().find(|(known, _)| known == name);
        if find("transfer-encoding").is_some() {
            while let Some(chunk) = chunk(&mut stream) {
                bytes.extend(chunk);
            }
        } else if let Some((_, length)) = find("content-length").filter(|_| method != "HEAD") {
            bytes = vec![0; length.parse().unwrap()];
            stream.read_exact(&mut bytes).unwrap();
        }
        Reply { status, headers, bytes }
    }

    fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> TcpStream {
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_mins(2))).unwrap();
        let mut head = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\n");
        if headers.iter().all(|(name, _)| *name != "Host") {
            write!(head, "Host: {}\r\n", self.address).unwrap();
        }
        for (name, value) in headers {
            write!(head, "{name}: {value}\r\n").unwrap();
        }
        write!(head, "Content-Length: {}\r\n\r\n", body.len()).unwrap();
        // At once: a body that is refused unread would otherwise come when nobody listens.
        stream.write_all(&[head.as_bytes(), body].concat()).unwrap();
        stream
    }

    /// Submits a job and returns its id.
    pub(crate) fn submit(&self, body: &Value) -> String {
        let reply = self.post("/api/v1/jobs", body);
        assert_eq!(reply.status, 202, "{}", reply.text());
        reply.json()["id"].as_str().unwrap().to_owned()
    }

    /// Follows a job to its end: the names of the events and their data.
    pub(crate) fn follow(&self, id: &str, headers: &[(&str, &str)]) -> Events {
        let path = format!("/api/v1/jobs/{id}/events");
        let mut stream = BufReader::new(self.send("GET", &path, headers, b""));
        let (status, headers) = head(&mut stream);
        assert_eq!(status, 200);
        assert!(headers.contains(&("content-type".into(), "text/event-stream".into())));
        Events { stream, text: String::new() }
    }

    /// Waits for the end of a job.
    pub(crate) fn end(&self, id: &str) -> Value {
        let last = self.follow(id, &[]).last().unwrap();
        assert_eq!(last.0, "end");
        last.1
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stop();
    }
}

/// What came back.
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) bytes: Vec<u8>,
}

impl Reply {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut headers = self.headers.iter();
        headers.find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8(self.bytes.clone()).unwrap()
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.bytes).unwrap_or_else(|_| panic!("{}", self.text()))
    }

    /// The code and the field of an error.
    pub(crate) fn error(&self) -> (u16, String, Option<String>) {
        let fault = self.json();
        let sentence = fault["sentence"].as_str().unwrap();
        assert!(sentence.ends_with(['.', '?']) && !sentence.contains('\n'), "{sentence}");
        let code = fault["code"].as_str().unwrap().to_owned();
        (self.status, code, fault["field"].as_str().map(str::to_owned))
    }
}

fn line(stream: &mut impl BufRead) -> String {
    let mut line = String::new();
    stream.read_line(&mut line).unwrap();
    line.trim_end().to_owned()
}

fn head(stream: &mut impl BufRead) -> (u16, Vec<(String, String)>) {
    let first = line(stream);
    let status = first.split(' ').nth(1).and_then(|code| code.parse().ok());
    let mut headers = Vec::new();
    loop {
        let line = line(stream);
        let Some((name, value)) = line.split_once(": ") else { break };
        headers.push((name.to_ascii_lowercase(), value.to_owned()));
    }
    (status.unwrap_or_else(|| panic!("{first:?}")), headers)
}

fn chunk(stream: &mut impl BufRead) -> Option<Vec<u8>> {
    let length = usize::from_str_radix(&line(stream), 16).ok()?;
    let mut bytes = vec![0; length + 2];
    stream.read_exact(&mut bytes).ok()?;
    bytes.truncate(length);
    (length > 0).then_some(bytes)
}

/// Server-sent events as they come.
pub(crate) struct Events {
    stream: BufReader<TcpStream>,
    text: String,
}

impl Iterator for Events {
    type Item = (String, Value);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some((event, rest)) = self.text.split_once("\n\n") {
                let field = |name: &str| {
                    let found =
                        event.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
                    found.map(str::to_owned)
                };
                let (name, data) = (field("event:"), field("data:"));
                self.text = rest.to_owned();
                if let (Some(name), Some(data)) = (name, data) {
                    return Some((name, serde_json::from_str(&data).unwrap()));
                }
                continue;
            }
            let bytes = chunk(&mut self.stream)?;
            self.text += std::str::from_utf8(&bytes).unwrap();
        }
    }
}
