//! Many clients at one time.
//!
//! What a busy machine cannot be held to (how long an answer takes) is printed here and judged by
//! hand, on an idle machine:
//!
//! ```sh
//! cargo test --release -p pessoi-web --test load -- --ignored --nocapture
//! ```
//!
//! What must always hold is that every answer is right, that whoever is refused is refused politely,
//! and that memory stays flat.

// What goes wrong in a helper is what goes wrong in the test.
#![allow(clippy::unwrap_used)]

mod harness;

use std::io;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use harness::Running;
use pessoi_web::{Options, Tokens};
use serde_json::json;
use tokio::net::TcpStream;

const CLIENTS: usize = 200;
/// What a client does between two questions, a little differently each.
const THINKS: Duration = Duration::from_millis(200);
/// How much memory may grow while the same goes on.
const MOST_GROWTH: u64 = 64 << 20;
/// The time within which 99 of 100 answers are to come on an idle machine.
const SOON: Duration = Duration::from_millis(100);

fn token(number: usize) -> String {
    format!("token-of-a-client-{number:04}")
}

/// A server for many clients, each with a token.
fn server() -> Running {
    let file = tempfile::NamedTempFile::new().unwrap();
    let tokens: Vec<String> = (0..=CLIENTS).map(token).collect();
    std::fs::write(file.path(), tokens.join("\n")).unwrap();
    let tokens = Some(Tokens::read(file.path()).unwrap());
    Running::start(Options {
        tokens,
        quick: Duration::from_mins(1),
        patience: Duration::from_mins(1),
        per_client: 2,
        waiting: 20,
        ..Options::default()
    })
}

/// A question, and what its answer must hold.
struct Cheap {
    body: String,
    holds: &'static str,
}

/// What Play asks, and small counts.
fn cheap() -> Vec<Cheap> {
    let of = |verb: &str, game: &str, place: &str, holds| Cheap {
        body: json!({"question": {"verb": verb, "game": game, "place": place}}).to_string(),
        holds,
    };
    vec![
        of("hint", "hidato", "1 0 0\n0 0 0\n0 0 9\n", "\"id\": \"number\""),
        of("check", "hidato", "1 0 3\n0 0 2\n0 0 9\n", "\"standing\": \"none\""),
        of("count", "go", "2x2", "\"number\": \"57\""),
        of("count", "diplomatico", "4x5", "\"number\": \"72\""),
        of("find", "knight-tours", "5x5", "\"figure\": \"path\""),
    ]
}

/// What a client saw.
#[derive(Default)]
struct Seen {
    took: Vec<Duration>,
    refused: usize,
}

/// A connection that is kept, to a server that answers in whole bodies.
struct Line {
    stream: TcpStream,
    bytes: Vec<u8>,
}

impl Line {
    async fn open(address: SocketAddr) -> Line {
        Line { stream: TcpStream::connect(address).await.unwrap(), bytes: Vec::new() }
    }

    /// The status, the head and the body.
    async fn ask(&mut self, path: &str, number: usize, body: &str) -> (u16, String, String) {
        let request = format!(
            "POST {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {}\r\nContent-Type: \
             application/json\r\nContent-Length: {}\r\n\r\n{body}",
            token(number),
            body.len()
        );
        let mut left = request.as_bytes();
        while !left.is_empty() {
            self.stream.writable().await.unwrap();
            match self.stream.try_write(left) {
                Ok(written) => left = &left[written..],
                Err(error) => assert_eq!(error.kind(), io::ErrorKind::WouldBlock, "{error}"),
            }
        }
        loop {
            if let Some(at) = self.bytes.windows(4).position(|four| four == b"\r\n\r\n") {
                let head = String::from_utf8(self.bytes[..at].to_vec()).unwrap();
                let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
                let end = at + 4 + length.unwrap().parse::<usize>().unwrap();
                if self.bytes.len() >= end {
                    let body = String::from_utf8(self.bytes[at + 4..end].to_vec()).unwrap();
                    self.bytes.drain(..end);
                    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
                    return (status, head, body);
                }
            }
            self.stream.readable().await.unwrap();
            let mut more = [0; 4096];
            match self.stream.try_read(&mut more) {
                Ok(0) => panic!("the server ended the connection"),
                Ok(read) => self.bytes.extend(&more[..read]),
                Err(error) => assert_eq!(error.kind(), io::ErrorKind::WouldBlock, "{error}"),
            }
        }
    }
}

/// A refusal is one of too much at one time, and says when to come again.
fn check_refusal(status: u16, head: &str, body: &str) {
    assert!(matches!(status, 429 | 503), "{head}\n{body}");
    assert!(head.contains("\nretry-after: "), "{head}");
    assert!(body.contains("\"sentence\""), "{body}");
}

/// Asks one cheap question after the other.
async fn client(address: SocketAddr, number: usize, ends: Instant) -> Seen {
    let (questions, mut seen) = (cheap(), Seen::default());
    let mut line = Line::open(address).await;
    for turn in number.. {
        let thinks = THINKS * (10 + (7 * turn % 5) as u32) / 12;
        tokio::time::sleep(thinks).await;
        let Cheap { body, holds } = &questions[turn % questions.len()];
        let began = Instant::now();
        if began >= ends {
            break;
        }
        let (status, head, answer) = line.ask("/api/v1/answers", number, body).await;
        if status == 200 {
            assert!(answer.contains(holds), "{body}: {answer}");
            seen.took.push(began.elapsed());
        } else {
            check_refusal(status, &head, &answer);
            seen.refused += 1;
        }
    }
    seen
}

/// All clients at one time.
async fn crowd(address: SocketAddr, number: usize, lasts: Duration) -> Seen {
    let ends = Instant::now() + lasts;
    let clients: Vec<_> =
        (0..number).map(|number| tokio::spawn(client(address, number, ends))).collect();
    let mut all = Seen::default();
    for client in clients {
        let seen = client.await.unwrap();
        all.took.extend(seen.took);
        all.refused += seen.refused;
    }
    all.took.sort_unstable();
    all
}

impl Seen {
    fn share(&self, of_hundred: usize) -> Duration {
        self.took[(self.took.len() - 1) * of_hundred / 100]
    }

    fn print(&self, what: &str, lasts: Duration) {
        println!(
            "{what}: {} answers, {:.0} a second, {} refused; half within {:?}, 99 of 100 within {:?}, \
             all within {:?}",
            self.took.len(),
            self.took.len() as f64 / lasts.as_secs_f64(),
            self.refused,
            self.share(50),
            self.share(99),
            self.share(100),
        );
    }
}

/// The memory of this process, clients included; `None` where that cannot be seen.
fn memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    Some(line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok()? << 10)
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap()
}

/// Cheap questions of many clients for so long; how long an answer took.
fn many_clients(lasts: Duration) -> Seen {
    let server = server();
    let runtime = runtime();
    // Once all that is made at the first time is there.
    runtime.block_on(crowd(server.address, CLIENTS, lasts / 5));
    let before = memory();
    let seen = runtime.block_on(crowd(server.address, CLIENTS, lasts));
    seen.print("cheap questions", lasts);
    if let (Some(before), Some(after)) = (before, memory()) {
        println!("memory: {} MiB before, {} MiB after", before >> 20, after >> 20);
        assert!(after < before + MOST_GROWTH, "{before} bytes before, {after} after");
    }
    assert!(seen.took.len() >= CLIENTS, "each has had an answer");
    seen
}

/// Heavy jobs of many clients, as fast as they can be submitted, and players meanwhile; how long
/// those waited.
fn flood(lasts: Duration) -> Seen {
    let server = server();
    let address = server.address;
    let runtime = runtime();
    let is_over = AtomicBool::new(false);
    // Whoever floods shares the machine with the players: a few threads can be many clients.
    let floods = async |first: usize| {
        let mut line = Line::open(address).await;
        let (mut taken, mut refused) = (0, 0);
        for turn in 0.. {
            if is_over.load(Ordering::Relaxed) {
                break;
            }
            let number = 100 + (first + 4 * turn) % 100;
            let place = format!("10x{}", 10 + turn % 50);
            let job =
                json!({"question": {"verb": "count", "game": "knight-tours", "place": place}});
            let (status, head, body) = line.ask("/api/v1/jobs", number, &job.to_string()).await;
            if status == 202 {
                taken += 1;
            } else {
                check_refusal(status, &head, &body);
                refused += 1;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        (taken, refused)
    };
    let seen = runtime.block_on(async {
        let players = async {
            let seen = crowd(address, 20, lasts).await;
            is_over.store(true, Ordering::Relaxed);
            seen
        };
        let (seen, a, b, c, d) = tokio::join!(players, floods(0), floods(1), floods(2), floods(3));
        let (taken, refused) = [a, b, c, d]
            .into_iter()
            .fold((0, 0), |(t, r), (taken, refused)| (t + taken, r + refused));
        println!("heavy jobs: {taken} taken, {refused} refused");
        assert!(taken > 0 && refused > 0);
        seen
    });
    seen.print("players meanwhile", lasts);
    assert_eq!(seen.refused, 0, "players are served");
    seen
}

/// One at a time: they look at the memory of the process.
static TURN: Mutex<()> = Mutex::new(());

#[test]
fn many_clients_are_served() {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    many_clients(Duration::from_secs(5));
}

#[test]
fn players_are_served_while_jobs_are_many() {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    flood(Duration::from_secs(3));
}

/// On an idle machine.
#[test]
#[ignore = "takes minutes and needs an idle machine"]
fn answers_come_soon() {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    assert!(many_clients(Duration::from_mins(1)).share(99) < SOON);
    assert!(flood(Duration::from_secs(20)).share(99) < SOON);
}
