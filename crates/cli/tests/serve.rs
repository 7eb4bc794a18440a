//! `pessoi serve` from outside: where it listens, what it refuses, and that answers survive
//! whatever ends it.

// What goes wrong in a helper is what goes wrong in the test.
#![allow(clippy::unwrap_used)]

mod harness;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};
use std::time::Duration;

use harness::Scratch;

/// A server that is under way, killed when this is dropped.
struct Serving {
    child: Child,
    address: String,
}

impl Serving {
    fn start(scratch: &Scratch) -> Serving {
        let args = ["serve", "--listen", "127.0.0.1:0", "--data", "kept", "--threads", "1"];
        let args = [&args[..], &["--checkpoint-every", "1ms"]].concat();
        let mut child = scratch.command(&args).stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.split("http://").nth(1).and_then(|rest| rest.split('/').next());
        let address = address.unwrap_or_else(|| panic!("{line:?}")).to_owned();
        Serving { child, address }
    }

    /// The status and the body.
    fn ask(&self, request: &str, body: &str) -> (String, String) {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_mins(2))).unwrap();
        write!(
            stream,
            "{request} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Type: \
             application/json\r\nContent-Length: {}\r\n\r\n{body}",
            self.address,
            body.len()
        )
        .unwrap();
        let mut reply = String::new();
        stream.read_to_string(&mut reply).unwrap();
        let (head, body) = reply.split_once("\r\n\r\n").unwrap();
        (head.split(' ').nth(1).unwrap().to_owned(), body.to_owned())
    }

    /// Submits a question about knight's tours and returns the id of its job.
    fn submit(&self, verb: &str, place: &str) -> String {
        self.submit_question(&format!(
            r#"{{"verb":"{verb}","game":"knight-tours","place":"{place}"}}"#
        ))
    }

    fn submit_question(&self, question: &str) -> String {
        let (status, body) =
            self.ask("POST /api/v1/jobs", &format!(r#"{{"question":{question}}}"#));
        assert!(["200", "202"].contains(&&*status), "{body}");
        body.split("\"id\":\"").nth(1).unwrap().split('"').next().unwrap().to_owned()
    }

    /// Waits until the events of a job hold this.
    fn wait_for(&self, id: &str, what: &str) {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_mins(2))).unwrap();
        let address = &self.address;
        write!(stream, "GET /api/v1/jobs/{id}/events HTTP/1.1\r\nHost: {address}\r\n\r\n").unwrap();
        let lines = BufReader::new(stream).lines();
        assert!(lines.map_while(Result::ok).any(|line| line.contains(what)), "{what}");
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        // It may be at its end already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn finished_answers_survive_a_kill() {
    let scratch = Scratch::new();
    let serving = Serving::start(&scratch);
    let done = serving.submit("count", "5x5");
    serving.wait_for(&done, "event: end");
    let (_, answer) = serving.ask(&format!("GET /api/v1/jobs/{done}/answer"), "");
    assert!(answer.contains("\"standing\": \"exact\""), "{answer}");
    // Lists do not save themselves.
    let running = serving.submit("list", "6x6");
    serving.wait_for(&running, "\"state\":\"running\"");
    // `kill -9`: nothing is told to the program.
    drop(serving);

    let serving = Serving::start(&scratch);
    assert_eq!(serving.submit("count", "5x5"), done, "it is answered already");
    assert_eq!(serving.ask(&format!("GET /api/v1/jobs/{done}/answer"), "").1, answer);
    let (_, state) = serving.ask(&format!("GET /api/v1/jobs/{running}"), "");
    assert!(state.contains("\"state\":\"interrupted\""), "{state}");
}

#[test]
fn a_count_goes_on_after_a_kill() {
    let scratch = Scratch::new();
    let serving = Serving::start(&scratch);
    let id = serving.submit_question(
        r#"{"verb":"count","game":"diplomatico","place":"7x7","options":{"closed":true,"method":"branch"}}"#,
    );
    let saved = scratch.path(&format!("kept/jobs/{id}/saved"));
    while !saved.exists() {
        std::thread::sleep(Duration::from_millis(1));
    }
    drop(serving);
    assert!(saved.exists(), "it ended before it was killed: take a larger board");

    let serving = Serving::start(&scratch);
    serving.wait_for(&id, "event: end");
    let (_, job) = serving.ask(&format!("GET /api/v1/jobs/{id}"), "");
    assert!(job.contains("\"state\":\"done\"") && job.contains("\"resumed\":1"), "{job}");
    let (_, answer) = serving.ask(&format!("GET /api/v1/jobs/{id}/answer"), "");
    assert!(answer.contains("\"5808784\""), "{answer}");
    assert!(!saved.exists());
}

#[cfg(unix)]
#[test]
fn it_stops_when_it_is_asked_to() {
    let scratch = Scratch::new();
    let mut serving = Serving::start(&scratch);
    let running = serving.submit("count", "10x10");
    serving.wait_for(&running, "\"state\":\"running\"");
    let pid = serving.child.id().to_string();
    assert!(std::process::Command::new("kill").args(["-TERM", &pid]).status().unwrap().success());
    assert_eq!(serving.child.wait().unwrap().code(), Some(0));
}

#[test]
fn what_is_not_safe_is_refused() {
    let scratch = Scratch::new();
    scratch.write("short", "secret\n");
    for (args, about) in [
        ("serve --listen 0.0.0.0", "--token-file"),
        ("serve --listen nowhere", "is not accepted"),
        ("serve --token-file missing", "cannot be read"),
        ("serve --token-file short", "The token file"),
        ("serve --jobs 0", "--jobs"),
        ("serve --time never", "--time"),
        ("serve --disk 1G", "--disk needs --data"),
        ("serve --data kept --disk little", "--disk"),
        ("serve --data kept --checkpoint-every never", "--checkpoint-every"),
        ("serve --data short", "The data folder"),
    ] {
        let outcome = scratch.pessoi(args);
        assert_eq!(outcome.code, Some(2), "{args}: {outcome:?}");
        assert!(outcome.err.contains(about), "{args}: {outcome:?}");
        assert!(outcome.out.is_empty(), "{args}: {outcome:?}");
    }
}
