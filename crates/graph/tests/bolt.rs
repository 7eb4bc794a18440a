//! The Bolt store, on a real Neo4j server and on servers that misbehave.
//!
//! `PESSOI_TEST_NEO4J` is the address of a server that may be filled and emptied (with
//! `PESSOI_NEO4J_USER` and `PESSOI_NEO4J_PASSWORD`); `crates/graph/neo4j/server` starts one.
//! Without it these tests are skipped, and say so, unless `PESSOI_TEST_NEO4J_REQUIRED` is
//! set: then that is a failure.

// What fails here fails the test.
#![allow(clippy::unwrap_used)]

mod common;

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

use common::{counts, load, question, search};
use pessoi::{Budget, Code, Limit, Run, Value, Verb};
use pessoi_graph::bolt::{Bolt, PASSWORD, USER};
use pessoi_graph::search::Search;
use pessoi_graph::{Access, Statement, Store, boards};

/// The tests share one server, so they take turns.
static TURN: Mutex<()> = Mutex::new(());

fn address() -> Option<String> {
    let address = std::env::var("PESSOI_TEST_NEO4J").ok();
    if address.is_none() {
        assert!(
            std::env::var_os("PESSOI_TEST_NEO4J_REQUIRED").is_none(),
            "a server is required, and PESSOI_TEST_NEO4J does not name one"
        );
        eprintln!("skipped: PESSOI_TEST_NEO4J names no server");
    }
    address
}

/// An empty server, for one test.
fn server() -> Option<(Bolt, MutexGuard<'static, ()>)> {
    let address = address()?;
    // A test that failed has said so itself.
    let turn = TURN.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let mut bolt = Bolt::open(&address, &Run::default()).unwrap();
    let clear = Statement::new("MATCH (n) DETACH DELETE n");
    bolt.run(&[clear], Access::Write, &Run::default(), &mut |_| true).unwrap();
    Some((bolt, turn))
}

#[test]
fn the_papers_numbers() {
    let Some((mut bolt, _turn)) = server() else { return };
    assert!(bolt.name().starts_with("Neo4j "), "{}", bolt.name());
    counts(&mut bolt, Search::Apoc, &["4x5", "4x6", "4x7", "5x5"]);
    counts(&mut bolt, Search::Constructive, &["4x5", "4x6"]);
}

/// Minutes, most of them for the raw query.
#[test]
#[ignore = "slow"]
fn the_papers_larger_numbers() {
    let Some((mut bolt, _turn)) = server() else { return };
    counts(&mut bolt, Search::Constructive, &["4x7", "5x5"]);
    counts(&mut bolt, Search::Raw, &["4x5"]);
}

#[test]
fn the_raw_query_finds_a_path() {
    let Some((mut bolt, _turn)) = server() else { return };
    load(&mut bolt, "diplomatico", "4x5");
    let find = question(Verb::Find, "4x5", &[("method", "cypher-raw".into())]);
    let answer = common::ask(&mut bolt, &find);
    assert_eq!(answer.value, Value::at_least(1u32), "{answer:?}");
}

#[test]
fn finding() {
    let Some((mut bolt, _turn)) = server() else { return };
    // Nothing listens there: a saved answer is verified without the database that it names.
    let gone = "neo4j://127.0.0.1:1";
    common::finds(&mut bolt, Search::Constructive, gone);
    common::finds(&mut bolt, Search::Apoc, gone);
}

/// The paper's query as printed visits each cell once in the whole traversal: it finds none
/// of the 12400 paths, and is not believed.
#[test]
fn the_printed_query_misses_solutions() {
    let Some((mut bolt, _turn)) = server() else { return };
    load(&mut bolt, "diplomatico", "5x5");
    let count = question(Verb::Count, "5x5", &[("method", "cypher-apoc-printed".into())]);
    let answer = common::ask(&mut bolt, &count);
    assert!(matches!(&answer.value, Value::GaveUp { stop: Limit::Untrusted { .. } }), "{answer:?}");
}

#[test]
fn boards_side_by_side() {
    let Some((mut bolt, _turn)) = server() else { return };
    common::keeps_house(&mut bolt);
}

#[test]
fn ready_queries() {
    let Some((mut bolt, _turn)) = server() else { return };
    common::analyses(&mut bolt);
}

#[test]
fn graphs_of_positions() {
    let Some((mut bolt, _turn)) = server() else { return };
    common::positions(&mut bolt);
}

#[test]
fn names_are_parameters() {
    let Some((mut bolt, _turn)) = server() else { return };
    common::names_are_parameters(&mut bolt);
}

#[test]
fn a_large_board_is_loaded_and_dropped() {
    let Some((mut bolt, _turn)) = server() else { return };
    let board = load(&mut bolt, "diplomatico", "100x100");
    let listed = boards::list(&mut bolt, &Run::default()).unwrap();
    assert_eq!((listed[0].nodes, listed[0].moves), (10_000, board.links().len() as u64));
    assert_eq!(boards::drop(&mut bolt, &board.name, &Run::default()).unwrap(), 10_000);
}

#[test]
fn transactions_are_whole_or_nothing() {
    let Some((mut bolt, _turn)) = server() else { return };
    let run = Run::default();
    let work = [Statement::new("CREATE (:Pessoi {board: 'half'})"), Statement::new("RETURN 1/0")];
    assert!(bolt.run(&work, Access::Write, &run, &mut |_| true).is_err());
    assert!(boards::list(&mut bolt, &run).unwrap().is_empty());
}

#[test]
fn the_server_keeps_the_time_limit() {
    let Some((mut bolt, _turn)) = server() else { return };
    load(&mut bolt, "diplomatico", "4x7");
    let run = Run::new(Budget { time: Some(Duration::from_secs(3)), ..Budget::default() });
    let raw = question(Verb::Count, "4x7", &[("method", "cypher-raw".into())]);
    let answer = search(&mut bolt, &raw, &run).unwrap();
    assert!(
        matches!(&answer.value, Value::GaveUp { stop: Limit::Time { seconds: 3.0 } }),
        "{answer:?}"
    );
    // The limit was sent along, so the server ends the query by itself.
    bolt.settle();
    // As a parameter: otherwise this query would find itself.
    let running = Statement::new(
        "SHOW TRANSACTIONS YIELD currentQuery WHERE currentQuery CONTAINS $text \
         RETURN count(*) AS number",
    )
    .with("text", "MOVE*27");
    let running = bolt.rows(&running, &Run::default()).unwrap();
    assert_eq!(running[0][0].int(), Some(0));
}

#[test]
fn wrong_passwords_are_refused_and_not_repeated() {
    let Some((_, _turn)) = server() else { return };
    let address = address().unwrap();
    let refused = Bolt::connect(&address, "neo4j", Some("secret-guess"), &Run::default());
    let refused = refused.err().unwrap().to_string();
    assert!(refused.contains(USER) && refused.contains(PASSWORD), "{refused}");
    assert!(!refused.contains("secret-guess"), "{refused}");
    let refused = Bolt::connect(&address, "neo4j", None, &Run::default());
    let refused = refused.err().unwrap().to_string();
    assert!(refused.contains(PASSWORD), "{refused}");
}

#[test]
fn procedures_that_are_missing_are_named() {
    let Some((mut bolt, _turn)) = server() else { return };
    let call = Statement::new("CALL apoc.not.there()");
    let refused: pessoi::Error = bolt.rows(&call, &Run::default()).unwrap_err().into();
    assert_eq!(refused.code, Code::Unsupported, "{refused}");
    assert!(refused.to_string().contains("has no APOC"), "{refused}");
}

#[test]
fn addresses_with_passwords_are_refused_and_not_repeated() {
    for address in ["neo4j://neo4j:hunter2@localhost:7687", "bolt://a:hunter2@[::1]"] {
        let refused = Bolt::connect(address, "neo4j", None, &Run::default());
        let refused = refused.err().unwrap().to_string();
        assert!(refused.contains(PASSWORD) && !refused.contains("hunter2"), "{refused}");
    }
    let refused = Bolt::connect("neo4j://a b", "neo4j", None, &Run::default());
    assert!(refused.err().unwrap().to_string().contains("neo4j://localhost:7687"));
}

/// A server that does this with each caller.
fn server_that(does: impl Fn(TcpStream) + Send + 'static) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for caller in listener.incoming().flatten() {
            does(caller);
        }
    });
    format!("bolt://127.0.0.1:{port}")
}

fn refusal(address: &str) -> String {
    let run = Run::new(Budget { time: Some(Duration::from_mins(1)), ..Budget::default() });
    let refused = Bolt::connect(address, "neo4j", Some("x"), &run).err().unwrap();
    assert_eq!(refused.code, Code::Io, "{refused:?}");
    let refused = refused.to_string();
    assert!(refused.ends_with('.') && !refused.contains('\n'), "{refused}");
    refused
}

#[test]
fn no_server() {
    // A port that was free a moment ago.
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let refused = refusal(&format!("bolt://127.0.0.1:{port}"));
    assert!(refused.contains("No Neo4j server answers"), "{refused}");
    let refused = refusal(&format!("neo4j://127.0.0.1:{port}"));
    assert!(refused.contains("No Neo4j server answers"), "{refused}");
}

#[test]
fn servers_that_speak_something_else() {
    let web = server_that(|mut caller| {
        let mut asked = [0; 20];
        let _ = caller.read(&mut asked);
        let _ = caller.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n");
    });
    let refused = refusal(&web);
    assert!(refused.contains("Bolt"), "{refused}");
    // Bolt, but no version that both know.
    let newer = server_that(|mut caller| {
        let mut asked = [0; 20];
        let _ = caller.read_exact(&mut asked);
        let _ = caller.write_all(&[0, 0, 0, 0]);
    });
    let refused = refusal(&newer);
    assert!(refused.contains("5.0 to 5.8"), "{refused}");
    let silent = server_that(drop);
    let refused = refusal(&silent);
    assert!(refused.contains("No Neo4j server answers"), "{refused}");
}

/// Passes everything on to the real server until the flag is set.
fn telephone(to: String) -> (String, std::sync::Arc<std::sync::atomic::AtomicBool>) {
    use std::sync::atomic::{AtomicBool, Ordering};
    let cut = std::sync::Arc::new(AtomicBool::new(false));
    let flag = cut.clone();
    let address = server_that(move |caller| {
        let server = TcpStream::connect(&to).unwrap();
        for (mut from, mut to) in
            [(caller.try_clone().unwrap(), server.try_clone().unwrap()), (server, caller)]
        {
            let cut = flag.clone();
            std::thread::spawn(move || {
                from.set_read_timeout(Some(Duration::from_millis(20))).unwrap();
                let mut bytes = [0; 4096];
                while !cut.load(Ordering::Relaxed) {
                    match from.read(&mut bytes) {
                        Ok(0) => break,
                        Ok(n) => {
                            if to.write_all(&bytes[..n]).is_err() {
                                break;
                            }
                        }
                        Err(error)
                            if matches!(
                                error.kind(),
                                std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut
                            ) => {}
                        Err(_) => break,
                    }
                }
                let _ = to.shutdown(std::net::Shutdown::Both);
            });
        }
    });
    (address, cut)
}

#[test]
fn a_server_that_dies_during_a_query() {
    let Some((mut bolt, _turn)) = server() else { return };
    load(&mut bolt, "diplomatico", "4x7");
    let real = address().unwrap().split_once("://").unwrap().1.to_owned();
    let (address, cut) = telephone(real);
    let mut through = Bolt::open(&address, &Run::default()).unwrap();
    std::thread::spawn(move || {
        std::thread::sleep(Duration::from_secs(3));
        cut.store(true, std::sync::atomic::Ordering::Relaxed);
    });
    let raw = question(Verb::Count, "4x7", &[("method", "cypher-raw".into())]);
    // Whatever the server makes of it, it ends.
    let run = common::limited(30);
    let answer = search(&mut through, &raw, &run).unwrap();
    assert!(matches!(&answer.value, Value::GaveUp { stop: Limit::Lost { .. } }), "{answer:?}");
    // Nothing is lost.
    assert_eq!(boards::list(&mut bolt, &Run::default()).unwrap()[0].nodes, 28);
}
