//! The API over real sockets.

// What goes wrong in a helper is what goes wrong in the test.
#![allow(clippy::unwrap_used)]

mod harness;

use std::path::Path;
use std::time::Duration;

use harness::Running;
use pessoi_web::{Options, Tokens};
use serde_json::{Value, json};

fn question(verb: &str, game: &str, place: &str) -> Value {
    json!({"question": {"verb": verb, "game": game, "place": place}})
}

/// A count that would take years.
fn endless(columns: usize) -> Value {
    question("count", "knight-tours", &format!("10x{columns}"))
}

fn options() -> Options {
    // Time enough for a busy machine.
    Options { quick: Duration::from_mins(1), ..Options::default() }
}

const FIRST: (&str, &str) = ("Authorization", "Bearer first-token-0123456789");
const SECOND: (&str, &str) = ("Authorization", "Bearer second-token-0123456789");
const JSON: (&str, &str) = ("Content-Type", "application/json");

/// Two clients, each with a token.
fn with_tokens(options: Options) -> Options {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), "first-token-0123456789\nsecond-token-0123456789\n").unwrap();
    Options { tokens: Some(Tokens::read(file.path()).unwrap()), ..options }
}

#[test]
fn what_is_described_is_there() {
    let server = Running::start(options());
    let document = server.get("/api/v1/openapi.json").json();
    assert_eq!(document["openapi"], "3.1.0");
    let mut asked = 0;
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            let path =
                path.replace("{game}", "go").replace("{paper}", "go").replace("{id}", "0123");
            let body: &[u8] = if method == "post" { b"{}" } else { b"" };
            let reply = server.ask(&method.to_uppercase(), &path, &[JSON], body);
            let said = &operation["responses"][reply.status.to_string()];
            assert!(said.is_object(), "{method} {path} gives {}", reply.status);
            if reply.status >= 400 {
                let schema = within(&document, "Error");
                let fault = reply.json();
                assert!(jsonschema::is_valid(&schema, &fault), "{method} {path}: {fault}");
            }
            assert_ne!(reply.status, 405, "{method} {path}");
            asked += 1;
        }
    }
    assert!(asked >= 15);
}

/// A schema of the description, with all that it refers to.
fn within(document: &Value, name: &str) -> Value {
    json!({
        "$ref": format!("#/components/schemas/{name}"),
        "components": document["components"]
    })
}

#[test]
fn what_is_given_is_as_described() {
    let server = Running::start(options());
    let document = server.get("/api/v1/openapi.json").json();
    let check = |name: &str, value: &Value| {
        let validator = jsonschema::validator_for(&within(&document, name)).unwrap();
        let errors: Vec<String> = validator.iter_errors(value).map(|e| e.to_string()).collect();
        assert!(errors.is_empty(), "{name}: {errors:?} in {value}");
    };
    check("About", &server.get("/api/v1/about").json());
    check("Layout", &server.post("/api/v1/boards", &json!({"place": "1 0\n0 4\n"})).json());
    check("Layout", &server.post("/api/v1/boards", &json!({"place": "P3x4"})).json());
    let asking = question("count", "go", "3x3");
    check("Asking", &asking);
    check("Plan", &server.post("/api/v1/plans", &asking).json());
    check("Answer", &server.post("/api/v1/answers", &asking).json());
    let id = server.submit(&asking);
    let mut events = server.follow(&id, &[]);
    assert!(events.all(|(_, data)| {
        check("Job", &data);
        true
    }));
    check("Jobs", &server.get("/api/v1/jobs").json());
    check("Answer", &server.get(&format!("/api/v1/jobs/{id}/answer")).json());
    let verdict = server.ask("POST", &format!("/api/v1/jobs/{id}/verdict"), &[], b"");
    check("Verdict", &verdict.json());
}

#[test]
fn cards_are_those_of_the_library() {
    let server = Running::start(options());
    let games = server.get("/api/v1/games").json();
    assert_eq!(games, pessoi::schema::cards(&pessoi::Catalogue::standard(), None).unwrap());
    assert_eq!(server.get("/api/v1/games/go").json()["name"], "go");
    assert_eq!(server.get("/api/v1/games/chess").error().0, 404);
}

#[test]
fn small_questions_are_answered_at_once() {
    let server = Running::start(options());
    let reply = server.post("/api/v1/answers", &question("count", "diplomatico", "5x5"));
    assert_eq!(reply.json()["value"], json!({"standing": "exact", "number": "6200"}));
    let hint = server.post("/api/v1/answers", &question("hint", "hidato", "1 0 0\n0 0 0\n0 0 9\n"));
    assert_eq!(hint.json()["facts"][0]["id"], "number");
    let check =
        server.post("/api/v1/answers", &question("check", "hidato", "1 0 3\n0 0 2\n0 0 9\n"));
    assert_eq!(check.json()["value"]["standing"], "none");
    let mut sample = question("sample", "square-slide", "3x3");
    sample["limits"] = json!({"seed": 5});
    let first = server.post("/api/v1/answers", &sample).json()["solutions"].clone();
    assert_eq!(server.post("/api/v1/answers", &sample).json()["solutions"], first);
    sample["limits"] = json!({"seed": 6});
    assert_ne!(server.post("/api/v1/answers", &sample).json()["solutions"], first);
}

#[test]
fn a_limit_is_said_in_the_answer() {
    let server = Running::start(options());
    let mut asking = endless(10);
    asking["limits"] = json!({"time": "100ms"});
    let answer = server.post("/api/v1/answers", &asking).json();
    assert_eq!(answer["value"]["stop"]["limit"], "time", "{answer}");
    let id = server.submit(&asking);
    assert_eq!(server.end(&id)["state"], "done");
    let answer = server.get(&format!("/api/v1/jobs/{id}/answer")).json();
    assert_eq!(answer["value"]["stop"]["limit"], "time", "{answer}");
    // What a limit cut short is no answer for the next one who asks.
    assert_ne!(server.submit(&asking), id);
}

#[test]
fn formats_by_accept_and_by_name() {
    let server = Running::start(options());
    let asking = question("find", "knight-tours", "5x5");
    let body = asking.to_string();
    let accept =
        |media| server.ask("POST", "/api/v1/answers", &[JSON, ("Accept", media)], body.as_bytes());
    let svg = accept("image/svg+xml");
    assert_eq!(svg.header("content-type"), Some("image/svg+xml"));
    assert!(svg.text().starts_with("<svg"));
    assert!(svg.header("content-security-policy").unwrap().contains("sandbox"));
    assert!(
        accept("text/csv, */*;q=0.1").text().starts_with("solution,"),
        "{}",
        accept("text/csv").text()
    );
    assert_eq!(accept("*/*").header("content-type"), Some("application/json"));
    assert_eq!(accept("video/mp4").error(), (406, "not-acceptable".into(), None));

    let id = server.submit(&asking);
    server.end(&id);
    let answer = format!("/api/v1/jobs/{id}/answer");
    let file = server.get(&format!("{answer}?format=svg&download=true"));
    assert_eq!(
        file.header("content-disposition"),
        Some("attachment; filename=\"knight-tours-find.svg\"")
    );
    assert_eq!(file.bytes, svg.bytes);
    let text = server.get(&format!("{answer}?format=text"));
    assert_eq!(text.header("content-type"), Some("text/plain; charset=utf-8"));
    assert_eq!(server.get(&format!("{answer}?format=stl")).status, 422);
    assert_eq!(server.get(&format!("{answer}?format=gif")).error().2.as_deref(), Some("format"));
    assert_eq!(server.get(&format!("{answer}?colour=red")).error().2.as_deref(), Some("colour"));
    // A picture of nothing is refused in words.
    let none = server.ask(
        "POST",
        "/api/v1/answers?format=svg",
        &[JSON],
        question("find", "knight-tours", "4x4").to_string().as_bytes(),
    );
    assert_eq!(none.error().0, 406);
}

#[test]
fn a_job_from_its_beginning_to_its_end() {
    let server = Running::start(options());
    let asking = question("list", "knight-tours", "5x5");
    let id = server.submit(&asking);
    let events: Vec<(String, Value)> = server.follow(&id, &[]).collect();
    let (last, end) = events.last().unwrap();
    assert_eq!((last.as_str(), &end["state"]), ("end", &json!("done")));
    assert_eq!(end["question"], asking["question"]);
    let reply = server.get(&format!("/api/v1/jobs/{id}/answer"));
    // Lists are lines: the solutions, and the answer last.
    assert_eq!(reply.text().lines().count(), 864 + 1);
    let answer: Value = serde_json::from_str(reply.text().lines().last().unwrap()).unwrap();
    assert_eq!(answer["value"]["number"], "864");

    let again = server.post("/api/v1/jobs", &asking);
    assert_eq!((again.status, &again.json()["id"]), (200, &json!(id)));
    let here = format!("/api/v1/jobs/{id}");
    assert_eq!(again.header("location"), Some(here.as_str()));
    assert_eq!(server.get(&here).json()["has_answer"], true);
    assert_eq!(server.get("/api/v1/jobs").json()[0]["id"], json!(id));

    // Cancelling what is done changes nothing.
    assert_eq!(server.ask("DELETE", &here, &[], b"").json()["state"], "done");
    let verdict = server.ask("POST", &format!("{here}/verdict"), &[], b"").json();
    assert_eq!(verdict["holds"], true, "{verdict}");
}

#[test]
fn solutions_are_seen_as_they_are_found() {
    let server = Running::start(options());
    // It has some millions, and is cancelled when the first are seen.
    let id = server.submit(&question("list", "knight-tours", "6x6"));
    let mut seen = Vec::new();
    for (name, data) in server.follow(&id, &[("Last-Event-ID", "5")]) {
        if name == "solution" {
            seen.push(data);
            if seen.len() == 10 {
                let here = format!("/api/v1/jobs/{id}");
                assert_eq!(server.ask("DELETE", &here, &[], b"").status, 202);
            }
        } else if name == "end" {
            assert_eq!(data["state"], "cancelled");
        }
    }
    assert!(seen.len() >= 10);
    assert_eq!(seen[0]["cells"].as_array().unwrap().len(), 36);
    let all: Vec<(String, Value)> = server.follow(&id, &[]).collect();
    assert_eq!(all.len(), 1, "it has come to its end");
}

#[test]
fn long_lists_are_cut_and_say_so() {
    let server = Running::start(Options { answer: 100_000, ..options() });
    let id = server.submit(&question("list", "knight-tours", "6x6"));
    assert_eq!(server.end(&id)["state"], "done");
    let here = format!("/api/v1/jobs/{id}/answer");
    let text = server.get(&here).text();
    let (last, solutions) = text.trim_end().rsplit_once('\n').map(|(a, b)| (b, a)).unwrap();
    assert!((50_000..110_000).contains(&solutions.len()), "{}", solutions.len());
    let answer: Value = serde_json::from_str(last).unwrap();
    assert_eq!(answer["value"]["stop"]["limit"], "size");
    let listed = solutions.lines().count().to_string();
    assert_eq!(answer["value"]["number"], listed);
    assert!(answer["value"].to_string().contains("larger than what is kept here"), "{answer}");
    // Without a limit that was reached it would be kept for who asks next.
    assert_eq!(server.post("/api/v1/jobs", &question("list", "knight-tours", "6x6")).status, 202);
    assert_eq!(server.get("/api/v1/about").json()["answer_bytes"], 100_000);
}

#[test]
fn the_first_solutions_of_a_list_can_be_had_alone() {
    let server = Running::start(options());
    let id = server.submit(&question("list", "diplomatico", "4x5"));
    assert_eq!(server.end(&id)["state"], "done");
    let get = |query: &str| server.get(&format!("/api/v1/jobs/{id}/answer{query}"));
    let all = get("").text();
    let few = get("?first=2").text();
    let (all, few): (Vec<&str>, Vec<&str>) = (all.lines().collect(), few.lines().collect());
    assert_eq!((all.len(), few.len()), (73, 3));
    assert_eq!((few[..2].to_vec(), few[2]), (all[..2].to_vec(), all[72]));
    assert_eq!(get("?first=0").text().trim_end(), all[72]);
    assert!(get("?first=1&format=svg").text().starts_with("<svg"));
    for bad in ["all", "1001", "-1", ""] {
        let error = get(&format!("?first={bad}")).error();
        assert_eq!(error, (422, "bad-value".into(), Some("first".into())), "{bad}");
    }
    let reply = server.post("/api/v1/answers?first=1", &question("list", "diplomatico", "4x5"));
    assert_eq!(reply.error().2.as_deref(), Some("first"), "it is only for what is kept");
}

#[test]
fn answers_share_their_memory() {
    // A quarter of it is for what is answered at once: an answer of so much is cut.
    let memory = Some(1 << 26);
    let server = Running::start(Options { memory, ..options() });
    let most = server.get("/api/v1/about").json()["answer_bytes"].as_u64().unwrap();
    assert_eq!(most, 1 << 19);
    let id = server.submit(&question("list", "knight-tours", "6x6"));
    assert_eq!(server.end(&id)["state"], "done");
    // Whoever gets it gets all of it, also if several ask at one time; who does not is refused
    // politely.
    let here = format!("/api/v1/jobs/{id}/answer?format=csv");
    let ask = || {
        let reply = server.get(&here);
        assert!(matches!(reply.status, 200 | 503), "{}", reply.status);
        assert!(reply.status == 200 || reply.header("retry-after").is_some());
        (reply.status == 200).then_some(reply.bytes.len())
    };
    let alone = ask().unwrap();
    std::thread::scope(|scope| {
        let asking: Vec<_> = (0..8).map(|_| scope.spawn(ask)).collect();
        for one in asking {
            assert!(one.join().unwrap().is_none_or(|bytes| bytes == alone));
        }
    });
    assert_eq!(ask(), Some(alone));
}

#[test]
fn jobs_are_cancelled_by_their_clients() {
    let server = Running::start(with_tokens(options()));
    let body = endless(10).to_string();
    let reply = server.ask("POST", "/api/v1/jobs", &[JSON, FIRST], body.as_bytes());
    let id = reply.json()["id"].as_str().unwrap().to_owned();
    let here = format!("/api/v1/jobs/{id}");
    let mut events = server.follow(&id, &[FIRST]);
    assert!(events.any(|(name, data)| name == "progress" && data["state"] == "running"));
    let not_yet = server.ask("GET", &format!("{here}/answer"), &[FIRST], b"");
    assert_eq!(not_yet.error(), (409, "not-ready".into(), None));
    assert_eq!(not_yet.header("retry-after"), Some("1"));
    // Others may look, and no more.
    assert_eq!(server.ask("GET", &here, &[SECOND], b"").status, 200);
    assert_eq!(server.ask("DELETE", &here, &[SECOND], b"").error().1, "forbidden");
    assert_eq!(server.ask("GET", "/api/v1/jobs", &[SECOND], b"").json(), json!([]));
    assert_eq!(server.ask("DELETE", &here, &[FIRST], b"").status, 202);
    assert_eq!(events.last().unwrap().1["state"], "cancelled");
    let answer = server.ask("GET", &format!("{here}/answer"), &[FIRST], b"").json();
    assert_eq!(answer["value"]["stop"]["limit"], "cancelled", "{answer}");
}

#[test]
fn a_flood_of_jobs_is_refused_politely_and_others_are_served() {
    let server =
        Running::start(with_tokens(Options { per_client: 3, waiting: 4, at_once: 1, ..options() }));
    let submit = |who, columns| {
        let body = endless(columns).to_string();
        server.ask("POST", "/api/v1/jobs", &[JSON, who], body.as_bytes())
    };
    let mut ids = Vec::new();
    for columns in 10..13 {
        ids.push(submit(FIRST, columns).json()["id"].as_str().unwrap().to_owned());
    }
    let refused = submit(FIRST, 13);
    assert_eq!(refused.error().0, 429);
    assert!(refused.header("retry-after").is_some());
    // The other is next, whatever waits before.
    let theirs = submit(SECOND, 14).json();
    assert!(theirs["ahead"].as_u64().is_none_or(|ahead| ahead <= 1), "{theirs}");
    // All wait but one, if that has begun.
    let mut last = submit(SECOND, 15);
    if last.status == 202 {
        last = submit(SECOND, 16);
    }
    assert_eq!(last.error().0, 503);
    assert!(last.header("retry-after").is_some());
    // Play goes on.
    let hint = question("hint", "hidato", "1 0 0\n0 0 0\n0 0 9\n").to_string();
    let reply = server.ask("POST", "/api/v1/answers", &[JSON, SECOND], hint.as_bytes());
    assert_eq!(reply.status, 200);
    // Who waits can be taken back, which makes room.
    let here = format!("/api/v1/jobs/{}", ids[2]);
    assert_eq!(server.ask("DELETE", &here, &[FIRST], b"").json()["state"], "cancelled");
    assert_eq!(submit(FIRST, 13).status, 202);
}

#[test]
fn what_is_wrong_is_said() {
    let server = Running::start(Options { body: 2000, ..options() });
    let answers = "/api/v1/answers";
    let with = |pointer: &str, value: Value| {
        let mut asking = question("count", "knight-tours", "5x5");
        match pointer {
            "limits" => asking["limits"] = value,
            "options" => asking["question"]["options"] = value,
            name => asking["question"][name] = value,
        }
        server.post(answers, &asking).error()
    };
    let field = |name: &str| Some(name.to_owned());
    assert_eq!(with("game", json!("chess")), (422, "unknown".into(), field("game")));
    assert_eq!(with("place", json!("0x5")), (422, "bad-value".into(), field("place")));
    assert_eq!(with("place", json!([5])), (422, "bad-value".into(), field("place")));
    assert_eq!(with("options", json!({"close": true})).2, field("options.close"));
    assert_eq!(with("limits", json!({"time": "never"})).2, field("limits.time"));
    assert_eq!(with("limits", json!({"time": "1d"})).1, "unsupported");
    assert_eq!(with("verb", json!("ponder")).0, 422);
    assert_eq!(with("limits", json!({"disk": "/tmp"})).0, 422, "no file can be named");

    let ask = |headers: &[(&str, &str)], body: &[u8]| server.ask("POST", answers, headers, body);
    assert_eq!(ask(&[JSON], b"{").error(), (400, "malformed".into(), None));
    assert_eq!(ask(&[JSON], b"\xff\xfe").error().0, 400);
    assert_eq!(ask(&[JSON], b"[]").error().0, 422);
    assert_eq!(ask(&[], b"{}").error().1, "unsupported-media-type");
    assert_eq!(ask(&[("Content-Type", "text/plain")], b"{}").error().0, 415);
    assert_eq!(ask(&[JSON], &[b' '; 5000]).error().0, 413);
    assert_eq!(server.get(answers).error().0, 405);
    assert_eq!(server.get(answers).header("allow"), Some("POST"));
    assert_eq!(server.get("/api/v1/jobs/none").error().0, 404);
    assert_eq!(server.get("/api/v1/jobs/%ff").error().0, 400);
    assert_eq!(server.get("/api/v2/games").error().0, 404);
    assert_eq!(server.get("/../Cargo.toml").error().0, 404);
    // What another client did wrong is no reason to fail.
    assert_eq!(server.get("/api/v1/about").status, 200);
}

#[test]
fn a_forged_answer_does_not_hold() {
    let server = Running::start(options());
    let answer = server.post("/api/v1/answers", &question("count", "go", "2x2"));
    let verify =
        |text: &str| server.ask("POST", "/api/v1/verdicts?again=true", &[JSON], text.as_bytes());
    let verdict = verify(&answer.text()).json();
    assert_eq!(verdict["holds"], true, "{verdict}");
    let forged = answer.text().replace("\"57\"", "\"58\"");
    let (status, code, field) = verify(&forged).error();
    assert_eq!((status, code.as_str()), (422, "forged"), "{field:?}");
    assert_eq!(verify("{}").error().0, 422);
}

#[test]
fn other_sites_cannot_ask() {
    let server = Running::start(Options { hosts: vec!["puzzles.example".into()], ..options() });
    let port = server.address.port();
    let about = "/api/v1/about";
    let status = |headers: &[(&str, &str)]| server.ask("GET", about, headers, b"").status;
    let (localhost, named) = (format!("localhost:{port}"), format!("puzzles.example:{port}"));
    assert_eq!(status(&[("Host", &localhost)]), 200);
    assert_eq!(status(&[("Host", &named)]), 200);
    // A name that was made to lead here (DNS rebinding).
    assert_eq!(status(&[("Host", "evil.example")]), 421);
    assert_eq!(server.ask("GET", "/", &[("Host", "evil.example")], b"").status, 421);
    let own = format!("http://{localhost}");
    assert_eq!(status(&[("Host", &localhost), ("Origin", &own)]), 200);
    for origin in ["http://evil.example", "null", "https://localhost"] {
        assert_eq!(status(&[("Host", &localhost), ("Origin", origin)]), 403, "{origin}");
    }
    let cross = [("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Mode", "no-cors")];
    assert_eq!(status(&cross), 403);
}

#[test]
fn tokens_are_needed_where_there_are_any() {
    let server = Running::start(with_tokens(options()));
    let about = "/api/v1/about";
    let reply = server.get(about);
    assert_eq!(reply.error(), (401, "unauthorized".into(), None));
    assert_eq!(reply.header("www-authenticate"), Some("Bearer"));
    assert_eq!(server.ask("GET", about, &[FIRST], b"").status, 200);
    for wrong in ["Bearer first-token-012345678", "Basic first-token-0123456789", "Bearer ", ""] {
        assert_eq!(server.ask("GET", about, &[("Authorization", wrong)], b"").status, 401);
    }
    // The page itself is for all: it asks for the token.
    assert_eq!(server.get("/").status, 200);
}

#[test]
fn pages_are_safe_and_kept_by_browsers() {
    let server = Running::start(options());
    let page = server.get("/");
    let policy = page.header("content-security-policy").unwrap();
    assert!(policy.contains("default-src 'none'") && !policy.contains("unsafe"), "{policy}");
    assert_eq!(page.header("x-content-type-options"), Some("nosniff"));
    let tag = page.header("etag").unwrap();
    assert_eq!(server.ask("GET", "/", &[("If-None-Match", tag)], b"").status, 304);
    let head = server.ask("HEAD", "/", &[], b"");
    assert_eq!((head.status, head.bytes.len()), (200, 0));
    assert_eq!(server.ask("POST", "/", &[], b"").error().0, 405);
}

#[test]
fn what_waits_survives_a_stop_and_what_is_under_way_is_marked() {
    let folder = tempfile::tempdir().unwrap();
    let kept = || Options { data: Some(folder.path().to_owned()), ..options() };
    let mut server = Running::start(kept());
    let done = server.submit(&question("count", "go", "3x3"));
    server.end(&done);
    // Lists do not save themselves.
    let running = server.submit(&question("list", "knight-tours", "6x6"));
    let mut events = server.follow(&running, &[]);
    assert!(events.any(|(_, data)| data["state"] == "running"));
    let waiting = server.submit(&question("count", "go", "3x4"));
    server.stop();
    drop(events);

    let server = Running::start(kept());
    let state = |id: &str| server.get(&format!("/api/v1/jobs/{id}")).json()["state"].clone();
    assert_eq!(state(&done), "done");
    assert_eq!(state(&running), "interrupted");
    assert_eq!(server.end(&waiting)["state"], "done");
    let again = server.post("/api/v1/jobs", &question("count", "go", "3x3"));
    assert_eq!((again.status, &again.json()["id"]), (200, &json!(done)));
}

/// A count that saves itself and takes some seconds.
fn long() -> Value {
    let mut asking = question("count", "diplomatico", "7x7");
    asking["question"]["options"] = json!({"closed": true, "method": "branch"});
    asking
}

const LONG: &str = "5808784";

/// Waits until a job has saved itself there.
fn wait_for_save(server: &Running, id: &str, saved: &Path) {
    while !saved.exists() {
        let state = server.get(&format!("/api/v1/jobs/{id}")).json()["state"].clone();
        assert!(state == "queued" || state == "running", "it ended before: take a larger board");
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn what_saves_itself_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let kept = || Options {
        data: Some(folder.path().to_owned()),
        save_every: Duration::from_millis(1),
        ..options()
    };
    let saved = |id: &str| folder.path().join("jobs").join(id).join("saved");
    let mut server = Running::start(kept());
    let id = server.submit(&long());
    wait_for_save(&server, &id, &saved(&id));
    let waiting = server.submit(&endless(10));
    server.stop();
    assert!(saved(&id).exists(), "it ended before it was stopped: take a larger board");

    // It comes before what waits, and its time and its saves are as the operator says now.
    let mut server = Running::start(kept());
    let end = server.end(&id);
    assert_eq!((&end["state"], &end["resumed"]), (&json!("done"), &json!(1)));
    let answer = server.get(&format!("/api/v1/jobs/{id}/answer")).json();
    assert_eq!(answer["value"], json!({"standing": "exact", "number": LONG}));
    // Whoever asked has no checkpoint that could be of use.
    assert!(!answer.to_string().contains("checkpoint"), "{answer}");
    assert!(!saved(&id).parent().unwrap().exists(), "what was saved is gone");

    // A job that was cancelled does not go on.
    let mut events = server.follow(&waiting, &[]);
    assert!(events.any(|(_, data)| data["state"] == "running"));
    server.ask("DELETE", &format!("/api/v1/jobs/{waiting}"), &[], b"");
    server.stop();
    let server = Running::start(kept());
    let state = server.get(&format!("/api/v1/jobs/{waiting}")).json()["state"].clone();
    assert_eq!(state, "cancelled");
}

#[test]
fn what_was_saved_and_is_damaged_is_begun_anew() {
    let folder = tempfile::tempdir().unwrap();
    let kept = || Options {
        data: Some(folder.path().to_owned()),
        save_every: Duration::from_millis(1),
        ..options()
    };
    let mut server = Running::start(kept());
    let id = server.submit(&long());
    let saved = folder.path().join("jobs").join(&id).join("saved");
    wait_for_save(&server, &id, &saved);
    server.stop();
    std::fs::write(&saved, b"something else").unwrap();
    let server = Running::start(kept());
    assert_eq!(server.end(&id)["state"], "done");
    let answer = server.get(&format!("/api/v1/jobs/{id}/answer")).json();
    assert_eq!(answer["value"]["number"], LONG);
}

#[test]
fn jobs_put_on_disk_what_they_may() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(Options {
        data: Some(folder.path().to_owned()),
        disk: Some(64 << 20),
        ..options()
    });
    assert_eq!(server.get("/api/v1/about").json()["disk_bytes"], json!(32 << 20));
    let mut asking = question("count", "go", "4x4");
    asking["question"]["options"] = json!({"method": "sweep"});
    let mut with = |disk: &str| {
        asking["limits"] = json!({"disk": disk});
        asking.clone()
    };
    let too_much = server.post("/api/v1/jobs", &with("33M"));
    let field = Some("limits.disk".to_owned());
    assert_eq!(too_much.error(), (422, "unsupported".into(), field.clone()));
    assert!(too_much.text().contains("32.0 MiB"), "{}", too_much.text());
    let at_once = server.post("/api/v1/answers", &with("2M"));
    assert_eq!(at_once.error().2, field);
    assert_eq!(server.post("/api/v1/plans", &with("2M")).status, 200);
    let id = server.submit(&with("2M"));
    assert_eq!(server.end(&id)["state"], "done");
    let answer = server.get(&format!("/api/v1/jobs/{id}/answer")).json();
    assert_eq!(answer["value"]["number"], "24318165");
    // Some work does not use the disk.
    let mut list = question("list", "knight-tours", "5x5");
    list["limits"] = json!({"disk": "2M"});
    assert_eq!(server.post("/api/v1/jobs", &list).error().2, field);
    // Without a folder there is none.
    let server = Running::start(options());
    assert_eq!(server.post("/api/v1/jobs", &with("2M")).error().2, field);
    assert_eq!(server.get("/api/v1/about").json()["disk_bytes"], Value::Null);
}

#[test]
fn the_same_from_the_same_client_is_one_job() {
    let server = Running::start(with_tokens(options()));
    let body = endless(10).to_string();
    let submit = |who| {
        let reply = server.ask("POST", "/api/v1/jobs", &[JSON, who], body.as_bytes());
        assert_eq!(reply.status, 202);
        reply.json()["id"].as_str().unwrap().to_owned()
    };
    let first = submit(FIRST);
    assert_eq!(submit(FIRST), first);
    assert_ne!(submit(SECOND), first, "each cancels a job of their own");
    server.ask("DELETE", &format!("/api/v1/jobs/{first}"), &[FIRST], b"");
    assert_ne!(submit(FIRST), first, "it was cancelled");
}

#[test]
fn a_server_that_cannot_be_is_refused() {
    let start = |options| pessoi_web::Server::start(pessoi::Catalogue::standard(), options).err();
    let open = Options { listen: ([0, 0, 0, 0], 0).into(), ..options() };
    assert_eq!(start(open).unwrap().field.as_deref(), Some("options.listen"));
    let server = Running::start(options());
    let taken = Options { listen: server.address, ..options() };
    assert!(start(taken).unwrap().sentence.contains("cannot listen on"));
    let file = tempfile::NamedTempFile::new().unwrap();
    let no_folder = Options { data: Some(file.path().to_owned()), ..options() };
    assert_eq!(start(no_folder).unwrap().field.as_deref(), Some("options.data"));
}
