//! The embedded store: golden counts, files, limits.

// What fails here fails the test.
#![allow(clippy::unwrap_used)]

mod common;

use std::time::Duration;

use common::{board, catalogue, counts, limited, load, own, question, search};
use pessoi::{Budget, Code, Datum, Effort, Error, Limit, Question, Run, Setting, Value, Verb};
use pessoi_graph::boards::{self, Loaded};
use pessoi_graph::embedded::Embedded;
use pessoi_graph::search::{Search, Task};
use pessoi_graph::{Access, Dialect, Statement, Store, bulk, open, tables};

fn store() -> Embedded {
    Embedded::in_memory(&Run::default()).unwrap()
}

#[test]
fn the_papers_numbers_by_the_constructive_query() {
    counts(&mut store(), Search::Constructive, &["4x5", "4x6"]);
}

#[test]
fn the_papers_numbers_by_the_raw_query() {
    counts(&mut store(), Search::Raw, &["4x5", "4x6"]);
}

/// Half a minute for each.
#[test]
#[ignore = "slow"]
fn the_papers_larger_numbers() {
    counts(&mut store(), Search::Constructive, &["4x7", "5x5"]);
    counts(&mut store(), Search::Raw, &["4x7", "5x5"]);
}

#[test]
fn finding() {
    common::finds(&mut store(), Search::Constructive, "embedded");
    common::finds(&mut store(), Search::Raw, "embedded");
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
        let own = own(&count);
        for method in [Search::Raw, Search::Constructive] {
            let asked = count.clone().with("method", method.method().id);
            let answer = search(&mut store, &asked, &limited(60)).unwrap();
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
    let refused = search(store.as_mut(), &other, &run).unwrap_err().to_string();
    assert!(refused.contains("There is no board \"diplomatico 4x6\""), "{refused}");
    // Two at once: the second to write notices.
    let mut first = open(db, Access::Write, &run).unwrap();
    load(first.as_mut(), "diplomatico", "4x6");
    let question = Question::new(Verb::Export, "diplomatico", "4x7").unwrap();
    let late = common::board(&question, None);
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
    let refused = search(store.as_mut(), &count, &run).unwrap_err().to_string();
    assert!(refused.contains("not the one that is meant"), "{refused}");
}

/// The engine plans a query by recursion, and a query may have hundreds of lines.
#[test]
fn long_queries_are_planned() {
    let mut store = store();
    let run = Run::default();
    let find = question(Verb::Find, "14x14", &[("method", "cypher-constructive".into())]);
    let catalogue = catalogue();
    let task = Task::new(catalogue.game("diplomatico").unwrap(), &find).unwrap();
    let mut explain = task.statement(Dialect::Grafeo);
    explain.text.insert_str(0, "EXPLAIN ");
    assert!(!store.rows(&explain, &run).unwrap().is_empty());
}

#[test]
fn limits_are_kept() {
    let run = Run::new(Budget { time: Some(Duration::from_millis(300)), ..Budget::default() });
    let mut store = Embedded::in_memory(&run).unwrap();
    let count = question(Verb::Count, "5x6", &[("method", "cypher-constructive".into())]);
    let answer = search(&mut store, &count, &run).unwrap();
    assert!(matches!(&answer.value, Value::GaveUp { stop: Limit::Time { .. } }), "{answer:?}");
    // Paths of variable length are all held at once: that is looked at before.
    let run = Run::new(Budget { memory: Some(16 << 20), ..Budget::default() });
    let raw = question(Verb::Count, "6x6", &[("method", "cypher-raw".into())]);
    let answer = search(&mut self::store(), &raw, &run).unwrap();
    assert!(matches!(&answer.value, Value::GaveUp { stop: Limit::Memory { .. } }), "{answer:?}");
}

/// Everything is refused before a database is opened: a plan refuses what an answer refuses.
fn refusal(question: &Question) -> Error {
    let catalogue = catalogue();
    let run = Run::default();
    let refused = catalogue.answer(question, &run).unwrap_err();
    assert_eq!(catalogue.plan(question, &run).unwrap_err(), refused);
    assert!(refused.sentence.ends_with('.'), "{refused:?}");
    refused
}

#[test]
fn what_cannot_be_asked_is_refused() {
    let method = |id: &str| ("method", Setting::from(id));
    for (options, code, field) in [
        (&[method("cypher-apoc")][..], Code::Conflict, "options.method"),
        (&[method("cypher-apocs")], Code::BadValue, "options.method"),
        (&[method("cypher-raw"), ("closed", true.into())], Code::Conflict, "options.closed"),
        (&[method("cypher-raw"), ("classes", true.into())], Code::Conflict, "options.classes"),
        (&[method("cypher-raw"), ("part", "1/2".into())], Code::Conflict, "options.part"),
        (&[method("cypher-raw"), ("from", "9,9".into())], Code::BadValue, "options.from"),
        (&[method("cypher-raw"), ("db", "http://x".into())], Code::BadValue, "options.db"),
        (&[method("cypher-raw"), ("name", " ".into())], Code::BadValue, "options.name"),
        (&[method("branch"), ("db", "boards.db".into())], Code::Conflict, "options.db"),
    ] {
        let error = refusal(&question(Verb::Count, "4x5", options));
        assert_eq!((error.code, error.field.as_deref()), (code, Some(field)), "{error:?}");
    }
    let large = question(Verb::Find, "20x20", &[method("cypher-constructive")]);
    let error = refusal(&large);
    assert_eq!((error.code, error.field.as_deref()), (Code::Unsupported, Some("place")));
    assert!(error.sentence.contains("up to 200 cells"), "{error}");
    let clues = Question::new(Verb::Count, "hopido", "1 0 0\n0 0 0\n").unwrap();
    let error = refusal(&clues.with("method", "cypher-raw"));
    assert_eq!((error.code, error.field.as_deref()), (Code::Unsupported, Some("place")));
    assert!(error.sentence.contains("clues"), "{error}");
}

/// The methods belong to the games whose solutions are paths between cells.
#[test]
fn games_that_are_served() {
    let catalogue = catalogue();
    for game in catalogue.games() {
        let card = game.card();
        for verb in [Verb::Find, Verb::Count, Verb::List] {
            let menu = catalogue.menu(card, verb);
            let is_offered = menu.method_names().contains(&"cypher-raw");
            let is_tours = ["diplomatico", "hopido", "hidato", "numbrix"].contains(&card.name)
                || card.name.ends_with("-tours");
            let is_expected = is_tours && verb != Verb::List;
            assert_eq!(is_offered, is_expected, "{verb} {}", card.name);
            assert_eq!(menu.option("db").is_some(), is_expected, "{verb} {}", card.name);
        }
    }
}

#[test]
fn queries_can_be_pasted() {
    let catalogue = catalogue();
    let asked = question(
        Verb::Count,
        "4x5",
        &[
            ("method", "cypher-apoc".into()),
            ("from", "1,1".into()),
            ("to", "4,5".into()),
            ("db", "neo4j://localhost:7687".into()),
            ("name", "Bob's".into()),
        ],
    );
    // Planning opens nothing: there is no such server.
    let plan = catalogue.plan(&asked, &Run::default()).unwrap();
    assert_eq!(plan.method.id, "cypher-apoc");
    let text = &plan.notes[0];
    assert!(
        text.starts_with(":params {board: 'Bob\\'s', from_col: 1, from_row: 1, moves: 19,"),
        "{text}"
    );
    assert!(text.contains("NODE_PATH") && text.ends_with(';'), "{text}");
}

/// Through the catalogue: the plan's engine is the answer's, solutions are found and hold.
#[test]
fn methods_of_a_catalogue() {
    let catalogue = catalogue();
    let run = limited(600);
    for search in [Search::Raw, Search::Constructive] {
        let id = search.method().id;
        let find = question(Verb::Find, "4x5", &[("method", id.into()), ("all", true.into())]);
        let plan = catalogue.plan(&find, &run).unwrap();
        let answer = catalogue.answer(&find, &run).unwrap();
        assert_eq!((&*plan.method.id, &*answer.method.id), (id, id));
        assert_eq!(answer.solutions.len(), 72);
        assert_eq!(answer.value, Value::exact(72u32));
        assert_eq!(answer.subject, own(&question(Verb::Count, "4x5", &[])).subject);
        let checked = catalogue.check(&answer, Effort::Usual, &run).unwrap();
        assert!(checked.holds, "{checked:?}");
    }
    // A limit that passes before the search begins is an answer too.
    let run = Run::new(Budget { time: Some(Duration::ZERO), ..Budget::default() });
    let count = question(Verb::Count, "4x5", &[("method", "cypher-raw".into())]);
    let answer = catalogue.answer(&count, &run).unwrap();
    assert!(matches!(answer.value, Value::GaveUp { stop: Limit::Time { .. } }), "{answer:?}");
}

#[test]
fn the_papers_tables_are_measured() {
    let run = Run::default();
    let published = tables::published().unwrap();
    let mut stores: Vec<Box<dyn Store>> = vec![Box::new(store())];
    let how = tables::Measuring { repeats: 1, limit: Duration::from_secs(2) };
    let table = tables::measure(&catalogue(), &published[2], &mut stores, how, &run).unwrap();
    assert_eq!(table.id, "table-3");
    let column = |id: &str| table.column(id).unwrap();
    let (engine, paths) = (column("engine"), column("paths"));
    let of = |board: &str, method: &str| {
        let is = |row: &&Vec<Datum>| row[0] == board.into() && row[1] == method.into();
        table.rows.iter().filter(is).cloned().collect::<Vec<_>>()
    };
    let rows = of("4×5", "cypher-constructive");
    assert_eq!(rows[0][engine], "the paper".into());
    assert_eq!(rows[0][column("mean")], 0.0331.into());
    assert_eq!(rows[1][paths], 0u32.into());
    assert!(rows[1][column("mean")].as_f64().is_some_and(|seconds| seconds > 0.0));
    assert_eq!(of("4×6", "cypher-raw")[0][column("over")], 30.0.into());
    assert_eq!(of("5×5", "Python")[0][column("mean")], 0.453.into());
    let counted = of("5×5", "count branch").into_iter().chain(of("5×5", "count sweep"));
    assert_eq!(counted.map(|row| row[paths].clone()).collect::<Vec<_>>(), [28u32.into()]);
}

#[test]
fn files_for_an_import() {
    let question = Question::new(Verb::Export, "diplomatico", "4x4").unwrap();
    let board = board(&question, Some("say \"4\""));
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
