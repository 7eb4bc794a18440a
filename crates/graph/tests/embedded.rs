//! The embedded store: golden counts, files, limits.

// What fails here fails the test.
#![allow(clippy::unwrap_used)]

mod common;

use std::time::Duration;

use common::{counts, limited, load, question};
use pessoi::{Budget, Question, Run, Value, Verb};
use pessoi_graph::boards::{self, Board, Loaded};
use pessoi_graph::embedded::Embedded;
use pessoi_graph::search::{self, Method};
use pessoi_graph::{Access, Dialect, Statement, Store, bulk, open};

fn store() -> Embedded {
    Embedded::in_memory(&Run::default()).unwrap()
}

#[test]
fn the_papers_numbers_by_the_constructive_query() {
    counts(&mut store(), Method::Constructive, &["4x5", "4x6"]);
}

#[test]
fn the_papers_numbers_by_the_raw_query() {
    counts(&mut store(), Method::Raw, &["4x5", "4x6"]);
}

/// Half a minute for each.
#[test]
#[ignore = "slow"]
fn the_papers_larger_numbers() {
    counts(&mut store(), Method::Constructive, &["4x7", "5x5"]);
    counts(&mut store(), Method::Raw, &["4x7", "5x5"]);
}

#[test]
fn finding() {
    common::finds(&mut store(), Method::Constructive);
    common::finds(&mut store(), Method::Raw);
}

#[test]
fn boards_side_by_side() {
    common::keeps_house(&mut store());
}

#[test]
fn ready_queries() {
    common::analyses(&mut store());
}

#[test]
fn graphs_of_positions() {
    common::positions(&mut store());
}

#[test]
fn names_are_parameters() {
    common::names_are_parameters(&mut store());
}

#[test]
fn other_leapers_and_blocked_cells() {
    let mut store = store();
    for (game, place) in
        [("knight-tours", "3x4"), ("wazir-tours", "....\n.#..\n...."), ("king-tours", "1x1")]
    {
        let count = Question::new(Verb::Count, game, place).unwrap();
        let own = pessoi::ask(&count, &Run::default(), &mut |_| true).unwrap();
        for method in [Method::Raw, Method::Constructive] {
            let asked = count.clone().with("method", method.name());
            let answer = search::ask(&asked, &mut store, None, &limited(60)).unwrap();
            let none = |value: &Value| matches!(value, Value::None { .. });
            let same = own.value == answer.value || (none(&own.value) && none(&answer.value));
            assert!(same, "{game} {place} {method:?}: {answer:?}");
        }
    }
}

#[test]
fn a_large_board_is_loaded() {
    let mut store = store();
    let board = load(&mut store, "diplomatico", "100x100");
    let listed = boards::list(&mut store, &Run::default()).unwrap();
    assert_eq!((listed[0].nodes, listed[0].moves), (10_000, board.links().len() as u64));
}

#[test]
fn files_keep_boards() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("boards.db");
    let db = path.to_str().unwrap();
    let run = Run::default();
    let missing = open(db, Access::Read, &run).err().unwrap().to_string();
    assert!(missing.contains("pessoi graph load"), "{missing}");
    let board = {
        let mut store = open(db, Access::Write, &run).unwrap();
        load(store.as_mut(), "diplomatico", "4x5")
    };
    let mut store = open(db, Access::Read, &run).unwrap();
    assert_eq!(board.load(store.as_mut(), &run).unwrap(), Loaded::AlreadyThere);
    let count = question(Verb::Count, "4x5", &[("method", "cypher-constructive".into())]);
    assert_eq!(common::ask(store.as_mut(), &count).value, Value::exact(72u32));
    // What is not loaded is not searched.
    let other = question(Verb::Count, "4x6", &[("method", "cypher-constructive".into())]);
    let refused = search::ask(&other, store.as_mut(), None, &run).unwrap_err().to_string();
    assert!(refused.contains("There is no board \"diplomatico 4x6\""), "{refused}");
    // Two at once: the second to write notices.
    let mut first = open(db, Access::Write, &run).unwrap();
    load(first.as_mut(), "diplomatico", "4x6");
    let question = Question::new(Verb::Export, "diplomatico", "4x7").unwrap();
    let late = Board::of(&question, None, &run).unwrap();
    let refused = late.load(store.as_mut(), &run).unwrap_err().to_string();
    assert!(refused.contains("changed by another program"), "{refused}");
    let mut store = open(db, Access::Read, &run).unwrap();
    let names: Vec<_> =
        boards::list(store.as_mut(), &run).unwrap().into_iter().map(|board| board.name).collect();
    assert_eq!(names, ["diplomatico 4x5", "diplomatico 4x6"]);
}

#[test]
fn files_that_are_no_databases_are_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    for content in
        ["a letter to a friend", "pessoi-graph grafeo 9.9.9\n", "pessoi-graph grafeo 0.5.44\nxx"]
    {
        let path = folder.path().join("letter.txt");
        std::fs::write(&path, content).unwrap();
        let refused = open(path.to_str().unwrap(), Access::Write, &Run::default());
        let refused = refused.err().unwrap().to_string();
        assert!(refused.ends_with('.') && refused.contains("letter.txt"), "{refused}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), content);
    }
}

#[test]
fn a_board_that_was_tampered_with_is_not_searched() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("boards.db");
    let run = Run::default();
    let mut store = open(path.to_str().unwrap(), Access::Write, &run).unwrap();
    load(store.as_mut(), "diplomatico", "4x5");
    let cut = Statement::new("MATCH (a:Cell {row: 1, col: 1})-[m:MOVE]->(b:Cell) DELETE m");
    store.run(&[cut], Access::Write, &run, &mut |_| true).unwrap();
    let count = question(Verb::Count, "4x5", &[("method", "cypher-constructive".into())]);
    let refused = search::ask(&count, store.as_mut(), None, &run).unwrap_err().to_string();
    assert!(refused.contains("not the one that is meant"), "{refused}");
}

/// The engine plans a query by recursion, and a query may have hundreds of lines.
#[test]
fn long_queries_are_planned() {
    let mut store = store();
    let run = Run::default();
    let find = question(Verb::Find, "14x14", &[("method", "cypher-constructive".into())]);
    let text = search::explain(&find, Dialect::Grafeo, None, &run).unwrap();
    let query = text.split_once('\n').unwrap().1.trim_end().trim_end_matches(';');
    let explain = Statement::new(format!("EXPLAIN {query}"));
    let explain = explain.with("board", "diplomatico 14x14").with("limit", 1);
    assert!(!store.rows(&explain, &run).unwrap().is_empty());
}

#[test]
fn limits_are_kept() {
    let run = Run::new(Budget { time: Some(Duration::from_millis(300)), ..Budget::default() });
    let mut store = Embedded::in_memory(&run).unwrap();
    let count = question(Verb::Count, "5x6", &[("method", "cypher-constructive".into())]);
    let answer = search::ask(&count, &mut store, None, &run).unwrap();
    assert!(
        matches!(&answer.value, Value::GaveUp { why } if why.contains("time limit")),
        "{answer:?}"
    );
    // Paths of variable length are all held at once: that is looked at before.
    let run = Run::new(Budget { memory: Some(16 << 20), ..Budget::default() });
    let raw = question(Verb::Count, "6x6", &[("method", "cypher-raw".into())]);
    let answer = search::ask(&raw, &mut self::store(), None, &run).unwrap();
    assert!(
        matches!(&answer.value, Value::GaveUp { why } if why.contains("memory limit")),
        "{answer:?}"
    );
}

#[test]
fn what_cannot_be_asked_is_refused() {
    let mut store = store();
    for (options, about) in [
        (&[("method", "cypher-apoc".into())][..], "APOC"),
        (&[("method", "cypher-raw".into()), ("closed", true.into())], "--closed"),
        (&[("method", "cypher-raw".into()), ("from", "9,9".into())], "9,9"),
        (&[("method", "branch".into())], "cypher-raw"),
    ] {
        let asked = question(Verb::Count, "4x5", options);
        let error = search::ask(&asked, &mut store, None, &Run::default()).unwrap_err().to_string();
        assert!(error.contains(about) && error.ends_with('.'), "{error}");
    }
    let large = question(Verb::Find, "20x20", &[("method", "cypher-constructive".into())]);
    let error = search::ask(&large, &mut store, None, &Run::default()).unwrap_err().to_string();
    assert!(error.contains("up to 200 cells"), "{error}");
    let clues = Question::new(Verb::Count, "hopido", "1 0 0\n0 0 0\n").unwrap();
    let clues = clues.with("method", "cypher-raw");
    let error = search::ask(&clues, &mut store, None, &Run::default()).unwrap_err().to_string();
    assert!(error.contains("clues"), "{error}");
}

#[test]
fn queries_can_be_pasted() {
    let asked = question(
        Verb::Count,
        "4x5",
        &[("method", "cypher-apoc".into()), ("from", "1,1".into()), ("to", "4,5".into())],
    );
    let text = search::explain(&asked, Dialect::Neo4j, Some("Bob's"), &Run::default()).unwrap();
    assert!(
        text.starts_with(":params {board: 'Bob\\'s', from_col: 1, from_row: 1, moves: 19,"),
        "{text}"
    );
    assert!(text.contains("NODE_PATH") && text.trim_end().ends_with(';'), "{text}");
}

#[test]
fn files_for_an_import() {
    let question = Question::new(Verb::Export, "diplomatico", "4x4").unwrap();
    let board = Board::of(&question, Some("say \"4\""), &Run::default()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let into = folder.path().join("import");
    let command = bulk::write(&board, &into).unwrap();
    assert!(command.starts_with("neo4j-admin database import full neo4j --nodes="), "{command}");
    let read = |name: &str| std::fs::read_to_string(into.join(name)).unwrap();
    let nodes = read("nodes.csv");
    assert_eq!(nodes.lines().count(), 16);
    assert_eq!(nodes.lines().next(), Some(r#""say ""4"" #1","say ""4""",1,1,1,Pessoi;Cell"#));
    assert_eq!(read("nodes-header.csv").matches(',').count(), 5);
    assert_eq!(read("moves.csv").lines().count(), 32);
    let again = bulk::write(&board, &into).unwrap_err().to_string();
    assert!(again.contains("there already"), "{again}");
}
