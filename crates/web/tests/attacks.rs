//! Clients that are slow, wrong, greedy or hostile. None of them brings the server down, keeps it
//! from serving the others, or gets an answer that is not described.

// What goes wrong in a helper is what goes wrong in the test.
#![allow(clippy::unwrap_used)]

mod harness;

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use harness::Running;
use pessoi::{
    Accepts, Answer, Card, Catalogue, Error, Events, Findings, Game, Job, Method, Plan, Question,
    Run, Verb,
};
use pessoi_web::Options;
use serde_json::{Value, json};

const JSON: (&str, &str) = ("Content-Type", "application/json");

fn options() -> Options {
    // Time enough for a busy machine.
    Options { quick: Duration::from_mins(1), ..Options::default() }
}

/// A connection on which the client does as it likes.
fn connect(server: &Running) -> TcpStream {
    let stream = TcpStream::connect(server.address).unwrap();
    stream.set_read_timeout(Some(Duration::from_mins(2))).unwrap();
    stream
}

/// What comes until the server ends the connection.
fn rest(mut stream: TcpStream) -> String {
    let mut bytes = Vec::new();
    match stream.read_to_end(&mut bytes) {
        Ok(_) => {}
        Err(error) if error.kind() == ErrorKind::ConnectionReset => {}
        Err(error) => panic!("it was not ended: {error}"),
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Sends this as it is; what comes first, at least its first line unless the server ends the connection
/// before. The client goes on listening: a server may take one that says it sends no more for gone.
fn raw(server: &Running, text: &[u8]) -> String {
    let mut stream = connect(server);
    // The server may have enough before it has read everything.
    let _ = stream.write_all(text);
    let (mut reply, mut more) = (Vec::new(), [0; 4096]);
    while !reply.contains(&b'\n') {
        match stream.read(&mut more) {
            Ok(0) => break,
            Ok(read) => reply.extend(&more[..read]),
            Err(error) if error.kind() == ErrorKind::ConnectionReset => break,
            Err(error) => panic!("nothing came: {error}"),
        }
    }
    String::from_utf8_lossy(&reply).into_owned()
}

#[test]
fn who_is_slow_is_not_waited_for() {
    let server = Running::start(Options { patience: Duration::from_millis(300), ..options() });
    // Nothing at all, a head that does not end, and a connection that is kept without use.
    assert_eq!(rest(connect(&server)), "");
    let mut head = connect(&server);
    head.write_all(b"GET /api/v1/about HTTP/1.1\r\nHost: local").unwrap();
    assert_eq!(rest(head), "");
    let mut kept = connect(&server);
    kept.write_all(b"GET /api/v1/about HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
    assert!(rest(kept).starts_with("HTTP/1.1 200"));
    // A body that does not end, with its length and in pieces.
    for how in
        ["Content-Length: 100\r\n\r\n{\"question\"", "Transfer-Encoding: chunked\r\n\r\n5\r\n{"]
    {
        let mut body = connect(&server);
        let head =
            "POST /api/v1/answers HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json";
        write!(body, "{head}\r\n{how}").unwrap();
        let reply = rest(body);
        assert!(reply.starts_with("HTTP/1.1 408"), "{reply}");
        assert!(reply.contains("\"code\":\"too-slow\""), "{reply}");
    }
}

#[test]
fn who_does_not_read_is_not_waited_for() {
    let server = Running::start(Options { patience: Duration::from_millis(300), ..options() });
    let mut greedy = connect(&server);
    greedy.set_write_timeout(Some(Duration::from_mins(2))).unwrap();
    let ask = b"GET /api/v1/games HTTP/1.1\r\nHost: localhost\r\n\r\n";
    // Answers pile up until no more fits on the way; then the connection ends.
    let error = loop {
        if let Err(error) = greedy.write_all(ask) {
            break error;
        }
    };
    assert!(
        matches!(error.kind(), ErrorKind::ConnectionReset | ErrorKind::BrokenPipe),
        "it was not ended: {error}"
    );
    assert_eq!(server.get("/api/v1/about").status, 200);
}

#[test]
fn one_address_does_not_take_all_connections() {
    let server = Running::start(Options { connections: 8, ..options() });
    let mut held: Vec<TcpStream> = (0..4).map(|_| connect(&server)).collect();
    // Each is there once it has an answer.
    for stream in &mut held {
        stream.write_all(b"GET /api/v1/about HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
        let mut first = [0; 12];
        stream.read_exact(&mut first).unwrap();
        assert_eq!(&first, b"HTTP/1.1 200");
    }
    assert_eq!(rest(connect(&server)), "", "a fifth is closed");
    drop(held);
    // Until it is seen that they went.
    while raw(&server, b"GET / HTTP/1.0\r\nHost: localhost\r\n\r\n").is_empty() {}
}

#[test]
fn odd_requests() {
    let server = Running::start(options());
    let status = |text: &str| {
        let reply = raw(&server, text.as_bytes());
        reply.split(' ').nth(1).unwrap_or_default().to_owned()
    };
    let host = "Host: localhost\r\nConnection: close\r\n";
    let about = "/api/v1/about";
    assert_eq!(status(&format!("GET {about} HTTP/1.1\r\n{host}\r\n")), "200");
    for (request, expected) in [
        ("nonsense\r\n\r\n".to_owned(), "400"),
        (format!("GET {about} HTTP/1.1\r\n\r\n"), "400"),
        (format!("GET {about} HTTP/1.1\r\n{host}Host: localhost\r\n\r\n"), "400"),
        (format!("GET {about} HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n"), "421"),
        (format!("GET http://evil.example{about} HTTP/1.1\r\n{host}\r\n"), "400"),
        (format!("GET http://localhost{about} HTTP/1.1\r\n{host}\r\n"), "200"),
        (format!("GET {about} HTTP/1.1\r\n{host}X: {}\r\n\r\n", "x".repeat(1 << 20)), "431"),
        (format!("GET /{} HTTP/1.1\r\n{host}\r\n", "x".repeat(1 << 17)), "414"),
        (format!("GET {about}?{} HTTP/1.1\r\n{host}\r\n", "x=1&".repeat(1000)), "200"),
        (format!("GET {about} HTTP/1.1\r\n{host}Range: bytes=0-3\r\n\r\n"), "200"),
        (format!("GET {about} HTTP/1.1\r\n{host}Range: bytes=9-1,x\r\n\r\n"), "200"),
        (format!("HEAD {about} HTTP/1.1\r\n{host}\r\n"), "200"),
        (format!("OPTIONS {about} HTTP/1.1\r\n{host}\r\n"), "405"),
        (format!("OPTIONS * HTTP/1.1\r\n{host}\r\n"), "404"),
        (format!("TRACE {about} HTTP/1.1\r\n{host}\r\n"), "405"),
        (format!("PROPFIND {about} HTTP/1.1\r\n{host}\r\n"), "405"),
        (format!("CONNECT localhost:80 HTTP/1.1\r\n{host}\r\n"), "400"),
        (format!("GET /api/v1/games/%67%6F HTTP/1.1\r\n{host}\r\n"), "200"),
        (format!("GET /api/v1/games/go%00 HTTP/1.1\r\n{host}\r\n"), "404"),
        (format!("GET /api/v1/games/%2e%2e%2fabout HTTP/1.1\r\n{host}\r\n"), "404"),
        (format!("GET /api/v1/games/%zz HTTP/1.1\r\n{host}\r\n"), "404"),
        (format!("GET /api//v1/about HTTP/1.1\r\n{host}\r\n"), "404"),
        (format!("GET /..%2f..%2fetc/passwd HTTP/1.1\r\n{host}\r\n"), "404"),
        // Two lengths that contradict each other are how requests are smuggled in.
        (
            format!(
                "POST /api/v1/boards HTTP/1.1\r\n{host}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{{}}"
            ),
            "400",
        ),
    ] {
        let shown = &request[..request.len().min(120)];
        assert_eq!(status(&request), expected, "{shown}");
    }
    let accept = |value: &str| {
        let asking = r#"{"question":{"verb":"count","game":"go","place":"2x2"}}"#;
        let headers = [JSON, ("Accept", value)];
        server.ask("POST", "/api/v1/answers", &headers, asking.as_bytes()).status
    };
    for (value, expected) in [
        ("*/*;q=0.0001", 406),
        ("application/json;q=1e999", 406),
        (&",".repeat(5000), 406),
        (&"text/x,".repeat(5000), 406),
        ("*/json", 406),
        ("application/json;version=2;q=0.5", 200),
        (" , ,*/*", 200),
    ] {
        assert_eq!(accept(value), expected, "{:?}", &value[..value.len().min(40)]);
    }
    // Nobody else noticed.
    assert_eq!(server.get(about).status, 200);
}

#[test]
fn bodies_that_are_no_question() {
    let server = Running::start(options());
    let deep = |open: &str, close: &str| open.repeat(50_000) + &close.repeat(50_000);
    let question = |rest: &str| format!(r#"{{"question":{{"verb":"count","game":"go"{rest}}}}}"#);
    let wide = format!(r#","options":{{{}"a":1}}"#, r#""a":1,"#.repeat(10_000));
    let bodies = [
        String::new(),
        "null".into(),
        "[]".into(),
        "{}".into(),
        "\u{feff}{}".into(),
        "{\"question\":".into(),
        deep("[", "]"),
        deep("{\"question\":", "}"),
        "1e999".into(),
        "9".repeat(100_000),
        r#"{"question":null}"#.into(),
        r#"{"question":{}}{"question":{}}"#.into(),
        question(r#","place":1e400"#),
        question(r#","place":-1"#),
        question(r#","place":18446744073709551616"#),
        question(r#","place":"\ud800""#),
        question(r#","place":"\u0000""#),
        question(r#","place":"99999999999999999999x99999999999999999999""#),
        question(r#","place":"4294967296x4294967296""#),
        question(r#","place":"100000x100000""#),
        question(&format!(r#","place":"{}""#, "1 ".repeat(200_000))),
        question(&format!(r#","place":"{}""#, "9".repeat(400_000))),
        question(r#","place":"3x3","options":{"a":1e999}"#),
        question(r#","place":"3x3","options":{"moduli":99999999999999999999999}"#),
        question(r#","place":"3x3","options":{"":true}"#),
        question(r#","place":"3x3","options":[]"#),
        question(&wide),
        r#"{"question":{"verb":"count","game":"go","place":"3x3"},"limits":{"seed":-1}}"#.into(),
        r#"{"question":{"verb":"count","game":"go","place":"3x3"},"limits":{"time":"-1s"}}"#.into(),
        r#"{"question":{"verb":"count","game":"go","place":"3x3"},"limits":{"memory":1e40}}"#
            .into(),
        r#"{"question":{"verb":"count","game":"go","place":"3x3"},"limits":{"disk":"../x"}}"#
            .into(),
    ];
    for path in ["/api/v1/answers", "/api/v1/plans", "/api/v1/jobs", "/api/v1/boards"] {
        for body in &bodies {
            let reply = server.ask("POST", path, &[JSON], body.as_bytes());
            let shown = &body[..body.len().min(100)];
            assert!(matches!(reply.status, 400 | 422), "{path} {shown}: {}", reply.status);
            let (_, code, _) = reply.error();
            assert!(code != "internal", "{path} {shown}: {}", reply.text());
            // What was wrong is quoted in part, if at all.
            assert!(reply.bytes.len() < 2000, "{path} {shown}: {}", reply.bytes.len());
        }
    }
    for saved in ["{}", "[]", "1", "\n\n\n", "{\"format\":1}\n{\"format\":1}", "\u{0}\u{0}PESS"] {
        let reply = server.ask("POST", "/api/v1/verdicts", &[JSON], saved.as_bytes());
        assert!(matches!(reply.status, 400 | 422), "{saved:?}: {}", reply.text());
    }
}

#[test]
fn every_verb_of_every_game_refuses_what_it_cannot_take() {
    let server = Running::start(options());
    let games = server.get("/api/v1/games").json();
    let text = games.to_string();
    let names = |of: &Value| -> Vec<String> {
        let list = of.as_array().cloned().unwrap_or_default();
        list.iter().filter_map(|one| one["name"].as_str().map(str::to_owned)).collect()
    };
    let games = names(games.get("games").unwrap_or(&games));
    assert!(games.len() > 5, "{}", &text[..200]);
    let verbs = ["find", "count", "list", "estimate", "sample", "analyze", "explore", "hint"];
    let places = [
        Value::Null,
        json!(""),
        json!(0),
        json!(-1),
        json!(u64::MAX),
        json!("0x0"),
        json!("1x1"),
        json!("1x100000"),
        json!("70000x70000"),
        json!("1 2 3\n4 5\n"),
        json!("#\n"),
        json!("?!\u{202e}"),
    ];
    for game in &games {
        for verb in verbs {
            for place in &places {
                let mut asking = json!({"question": {"verb": verb, "game": game}});
                if !place.is_null() {
                    asking["question"]["place"] = place.clone();
                }
                asking["limits"] = json!({"time": "10ms", "memory": "16M"});
                let reply = server.post("/api/v1/answers", &asking);
                assert!(
                    matches!(reply.status, 200 | 406 | 422 | 503),
                    "{asking}: {} {}",
                    reply.status,
                    reply.text()
                );
            }
        }
    }
}

#[test]
fn large_boards_are_refused_before_they_are_made() {
    let server = Running::start(Options { cells: 100, ..options() });
    let drawn = format!("{}\n", ".".repeat(101));
    for place in ["F1150", "11x10", "1..11x1..11", "2000x2000", &drawn] {
        let question = json!({"verb": "count", "game": "hex-slide", "place": place});
        for (path, body) in [
            ("/api/v1/boards", json!({"place": place})),
            ("/api/v1/plans", json!({"question": question})),
            ("/api/v1/answers", json!({"question": question})),
            ("/api/v1/jobs", json!({"question": question})),
            ("/api/v1/verdicts", json!({"format": 2, "question": question})),
        ] {
            let reply = server.post(path, &body);
            let (status, _, field) = reply.error();
            assert_eq!((status, field.as_deref()), (422, Some("place")), "{path} {place}");
            assert!(reply.text().contains("100 "), "{path} {place}: {}", reply.text());
        }
    }
    assert_eq!(server.post("/api/v1/boards", &json!({"place": "10x10"})).status, 200);
}

/// A game whose counts do not look at their limits: they end when the other end of this is gone.
struct Stubborn(Mutex<Receiver<()>>);

static STUBBORN: Card = Card {
    name: "stubborn",
    title: "Stubborn",
    rules: "It goes on.",
    source: "",
    verbs: &[Verb::Count],
    instead: &[],
    places: &[Accepts::nowhere(&[Verb::Count], "nothing")],
    options: &[],
    methods: &[Method::new("wait", "it waits", &[Verb::Count], &[])],
    formats: &[],
    examples: &[],
};

impl Game for Stubborn {
    fn card(&self) -> &Card {
        &STUBBORN
    }

    fn job<'a>(&'a self, _: &'a Question) -> pessoi::Result<Box<dyn Job + 'a>> {
        Ok(Box::new(Wait(&self.0)))
    }

    fn check(&self, _: &Answer, _: &Run) -> pessoi::Result<Findings> {
        Ok(Findings::new())
    }
}

struct Wait<'g>(&'g Mutex<Receiver<()>>);

impl Job for Wait<'_> {
    fn plan(&self, _: &Run) -> pessoi::Result<Plan> {
        Err(Error::internal("it has no plan"))
    }

    fn answer(&self, _: &Run, _: &mut dyn Events) -> pessoi::Result<Answer> {
        let _ = self.0.lock().unwrap().recv();
        Err(Error::internal("it waited"))
    }
}

#[test]
fn who_does_not_look_at_the_time_does_not_keep_the_slot() {
    let (end, waits) = channel();
    let mut catalogue = Catalogue::standard();
    catalogue.add_game(Box::new(Stubborn(Mutex::new(waits))));
    // Two slots, of which a client has one.
    let quick = Duration::from_secs(2);
    let server = Running::start_with(catalogue, Options { quick, ..Options::default() });
    let reply =
        server.post("/api/v1/answers", &json!({"question": {"verb": "count", "game": "stubborn"}}));
    assert_eq!((reply.status, reply.error().1.as_str()), (503, "stopped"), "{}", reply.text());
    assert!(reply.header("retry-after").is_some());
    // It goes on, and so does play.
    assert_eq!(server.post("/api/v1/boards", &json!({"place": "3x3"})).status, 200);
    drop(end);
}

#[test]
fn watchers_that_stop_reading_hold_nothing_up() {
    let server = Running::start(Options { patience: Duration::from_millis(300), ..options() });
    let id = server.submit(&json!({
        "question": {"verb": "list", "game": "knight-tours", "place": "6x6"}
    }));
    let ask = format!("GET /api/v1/jobs/{id}/events HTTP/1.1\r\nHost: localhost\r\n\r\n");
    let idle: Vec<TcpStream> = (0..100)
        .map(|_| {
            let mut stream = connect(&server);
            stream.write_all(ask.as_bytes()).unwrap();
            stream
        })
        .collect();
    let hint =
        json!({"question": {"verb": "hint", "game": "hidato", "place": "1 0 0\n0 0 0\n0 0 9\n"}});
    assert_eq!(server.post("/api/v1/answers", &hint).status, 200);
    server.ask("DELETE", &format!("/api/v1/jobs/{id}"), &[], b"");
    assert_eq!(server.end(&id)["state"], "cancelled");
    drop(idle);
}

#[test]
fn jobs_that_are_submitted_followed_and_cancelled_at_one_time() {
    let server = Running::start(Options { per_client: 8, at_once: 2, ..options() });
    let each = |number: usize| {
        for round in 0..8 {
            let place = format!("{}x{}", 9 + number % 2, 10 + round);
            let asking =
                json!({"question": {"verb": "count", "game": "knight-tours", "place": place}});
            let reply = server.post("/api/v1/jobs", &asking);
            if reply.status == 429 {
                assert!(reply.header("retry-after").is_some());
                continue;
            }
            assert_eq!(reply.status, 202, "{}", reply.text());
            let id = reply.json()["id"].as_str().unwrap().to_owned();
            let here = format!("/api/v1/jobs/{id}");
            let events = server.follow(&id, &[]);
            for _ in 0..2 {
                let reply = server.ask("DELETE", &here, &[], b"");
                assert_eq!(reply.status, 202, "{}", reply.text());
            }
            let last = events.last().unwrap();
            assert_eq!((last.0.as_str(), &last.1["state"]), ("end", &json!("cancelled")));
        }
    };
    let each = &each;
    std::thread::scope(|scope| {
        for number in 0..6 {
            scope.spawn(move || each(number));
        }
    });
    let jobs = server.get("/api/v1/jobs").json();
    let states = jobs.as_array().unwrap().iter().map(|job| &job["state"]);
    assert!(states.clone().all(|state| state == "cancelled"), "{jobs}");
    assert!(states.count() > 0);
}
