//! What every store must do, whichever it is.

// Each test uses its own part of this.
#![allow(dead_code)]
// What fails here fails the test.
#![allow(clippy::unwrap_used)]

use std::time::Duration;

use pessoi::job::Collected;
use pessoi::{
    Answer, Budget, Catalogue, Datum, DatumKind, Effort, Error, Question, Run, Setting, Value, Verb,
};
use pessoi_graph::analysis::Analysis;
use pessoi_graph::boards::{self, Board, Loaded};
use pessoi_graph::cypher::Cypher;
use pessoi_graph::search::{Search, Task};
use pessoi_graph::{Access, Statement, Store};

/// The boards of the paper, with their directed paths and those from corner to corner.
pub(crate) const PAPER: [(&str, u32, u32); 4] =
    [("4x5", 144, 0), ("4x6", 128, 0), ("4x7", 72, 0), ("5x5", 12400, 28)];

pub(crate) fn question(verb: Verb, board: &str, options: &[(&str, Setting)]) -> Question {
    let mut question = Question::new(verb, "diplomatico", board).unwrap();
    for (name, setting) in options {
        question = question.with(name, setting.clone());
    }
    question
}

/// The games, with the methods of graph databases.
pub(crate) fn catalogue() -> Catalogue {
    let mut catalogue = Catalogue::standard();
    catalogue.add_methods(Box::new(Cypher));
    catalogue
}

/// The answer of Pessoi's own methods, with its solutions.
pub(crate) fn own(question: &Question) -> Answer {
    catalogue().answer(question, &Run::default()).unwrap()
}

/// The board of a question.
pub(crate) fn board(question: &Question, name: Option<&str>) -> Board {
    Board::of(&catalogue(), question, name, &Run::default()).unwrap()
}

/// Asks a store; the answer holds the solutions.
pub(crate) fn search(
    store: &mut dyn Store,
    question: &Question,
    run: &Run,
) -> Result<Answer, Error> {
    let catalogue = catalogue();
    let mut collected = Collected::new(run);
    let task = Task::new(catalogue.game(&question.game)?, question)?;
    let mut answer = task.ask(store, run, &mut collected)?;
    collected.into_answer(&mut answer);
    Ok(answer)
}

/// A run that ends, so that a test does.
pub(crate) fn limited(seconds: u64) -> Run {
    Run::new(Budget { time: Some(Duration::from_secs(seconds)), ..Budget::default() })
}

pub(crate) fn load(store: &mut dyn Store, game: &str, place: &str) -> Board {
    let board = board(&Question::new(Verb::Export, game, place).unwrap(), None);
    board.load(store, &Run::default()).unwrap();
    board
}

pub(crate) fn ask(store: &mut dyn Store, question: &Question) -> Answer {
    search(store, question, &limited(600)).unwrap()
}

/// Counts directed paths, and those from corner to corner.
pub(crate) fn counts(store: &mut dyn Store, search: Search, boards: &[&str]) {
    for (board, directed, corners) in PAPER.iter().filter(|(board, ..)| boards.contains(board)) {
        load(store, "diplomatico", board);
        let method = ("method", Setting::from(search.method().id));
        let all = question(Verb::Count, board, &[method.clone(), ("directed", true.into())]);
        let answer = ask(store, &all);
        assert_eq!(answer.value, Value::exact(*directed), "{board} {method:?}: {answer:?}");
        assert_eq!(answer.subject.id, "directed-open-paths");
        assert_eq!(answer.method.id, search.method().id);
        let corner = board.replace('x', ",");
        let ends = [method, ("from", "1,1".into()), ("to", corner.as_str().into())];
        let answer = ask(store, &question(Verb::Count, board, &ends));
        if *corners == 0 {
            assert!(matches!(answer.value, Value::None { .. }), "{board}: {answer:?}");
        } else {
            assert_eq!(answer.value, Value::exact(*corners), "{board}: {answer:?}");
        }
    }
}

/// Finds one, some and all, undirected; what is found in a database must be verifiable from
/// outside, without that database.
pub(crate) fn finds(store: &mut dyn Store, search: Search, db: &str) {
    load(store, "diplomatico", "4x5");
    let method = ("method", Setting::from(search.method().id));
    for (more, value) in [
        (None, Value::at_least(1u32)),
        (Some(("limit", 5.into())), Value::at_least(5u32)),
        (Some(("all", true.into())), Value::exact(72u32)),
        (Some(("limit", 500.into())), Value::exact(72u32)),
    ] {
        let asked = [method.clone(), ("db", db.into())];
        let options: Vec<_> = more.into_iter().chain(asked).collect();
        let answer = ask(store, &question(Verb::Find, "4x5", &options));
        assert_eq!(answer.value, value, "{options:?}");
        let json = serde_json::to_string(&answer).unwrap();
        let verdict = catalogue().verify(json.as_bytes(), Effort::Usual, &Run::default()).unwrap();
        assert!(verdict.holds, "{verdict:?}");
    }
    let from = [method, ("from", "2,2".into()), ("all", true.into())];
    let answer = ask(store, &question(Verb::Find, "4x5", &from));
    let own = own(&question(Verb::Count, "4x5", &[("from", "2,2".into())]));
    assert_eq!(answer.value, own.value);
}

/// Loading twice changes nothing; boards stand side by side; dropping one leaves the others
/// and whatever else is there.
pub(crate) fn keeps_house(store: &mut dyn Store) {
    let run = Run::default();
    let one = |store: &mut dyn Store, text: &str| {
        store.rows(&Statement::new(text), &run).unwrap()[0][0].int().unwrap()
    };
    let write = |store: &mut dyn Store, text: &str| {
        store.run(&[Statement::new(text)], Access::Write, &run, &mut |_| true).unwrap();
    };
    // Somebody else's data, even with our label for cells.
    write(
        store,
        "CREATE (:Cell {board: 'mine', row: 1, col: 1})-[:MOVE]->(:Planet {name: 'Mars'})",
    );
    let before = one(store, "MATCH (n) RETURN count(n) AS number");
    let small = load(store, "diplomatico", "4x4");
    let knight = load(store, "knight-tours", "..#\n...\n...");
    assert_eq!(small.load(store, &run).unwrap(), Loaded::AlreadyThere);
    let listed = boards::list(store, &run).unwrap();
    let names: Vec<_> = listed.iter().map(|board| board.name.as_str()).collect();
    assert_eq!(names, ["diplomatico 4x4", "knight-tours a drawn board of 8 cells"]);
    assert_eq!((listed[0].nodes, listed[0].moves), (16, 32));
    assert_eq!(listed[1].nodes, 8);
    // Another drawing of as many cells has the same name, and is refused.
    let other = Question::new(Verb::Export, "knight-tours", "...\n#..\n...").unwrap();
    let other = board(&other, None);
    let refused = other.load(store, &run).unwrap_err().to_string();
    assert!(refused.contains("--name"), "{refused}");
    // Data tied to a board by somebody else stops it from being dropped.
    write(
        store,
        "MATCH (c:Pessoi {board: 'diplomatico 4x4', number: 1}), (p:Planet) CREATE (p)-[:OWNS]->(c)",
    );
    let refused = boards::drop(store, &small.name, &run).unwrap_err().to_string();
    assert!(refused.contains("1 relationships tie other data"), "{refused}");
    write(store, "MATCH (p:Planet)-[r:OWNS]->(c) DELETE r");
    assert_eq!(boards::drop(store, &small.name, &run).unwrap(), 16);
    assert_eq!(boards::drop(store, &knight.name, &run).unwrap(), 8);
    let refused = boards::drop(store, &small.name, &run).unwrap_err().to_string();
    assert!(refused.contains("There is no board"), "{refused}");
    assert_eq!(one(store, "MATCH (n) RETURN count(n) AS number"), before);
    write(store, "MATCH (c:Cell {board: 'mine'}) DETACH DELETE c");
    write(store, "MATCH (p:Planet) DETACH DELETE p");
}

/// The ready queries, beside what is known.
pub(crate) fn analyses(store: &mut dyn Store) {
    let run = limited(300);
    let table = |store: &mut dyn Store, analysis: Analysis, board: &Board| {
        let table = analysis.ask(store, &board.name, &run).unwrap();
        assert_eq!(table.id, analysis.name());
        for column in &table.columns {
            let is_node = ["first", "node", "from", "to"].contains(&column.id.as_str());
            let kind = if is_node { DatumKind::Cell } else { DatumKind::Integer };
            assert_eq!(column.kind, kind, "{column:?}");
        }
        let texts = |row: Vec<Datum>| row.iter().map(ToString::to_string).collect();
        table.rows.into_iter().map(texts).collect::<Vec<Vec<String>>>()
    };
    let rows = |rows: &[&[&str]]| -> Vec<Vec<String>> {
        rows.iter().map(|row| row.iter().map(ToString::to_string).collect()).collect()
    };
    // On 4×4 the outer cells and the inner ones of two classes never meet.
    let small = load(store, "diplomatico", "4x4");
    assert_eq!(
        table(store, Analysis::Degree, &small),
        rows(&[&["1", "4"], &["2", "8"], &["3", "4"]])
    );
    assert_eq!(table(store, Analysis::Connectivity, &small), rows(&[&["1,1", "8"], &["1,2", "8"]]));
    assert_eq!(
        table(store, Analysis::Articulation, &small),
        rows(&[&["1,1"], &["1,4"], &["4,1"], &["4,4"]])
    );
    // A cell in the middle of a row holds it together; an isolated cell is a part.
    let row = load(store, "wazir-tours", ".#...");
    assert_eq!(table(store, Analysis::Articulation, &row), rows(&[&["1,4"]]));
    assert_eq!(table(store, Analysis::Connectivity, &row), rows(&[&["1,1", "1"], &["1,3", "3"]]));
    // Solutions, and how many share a move: every path has 19 moves.
    let board = load(store, "diplomatico", "4x5");
    let missing = Analysis::SharedMoves.ask(store, &board.name, &run).unwrap_err().to_string();
    assert!(missing.contains("--solutions"), "{missing}");
    let solutions = || board.solutions(&catalogue(), &run).unwrap();
    assert_eq!(solutions().number, 72);
    assert_eq!(board.load_solutions(solutions(), store, &run).unwrap(), Loaded::Written);
    assert_eq!(board.load_solutions(solutions(), store, &run).unwrap(), Loaded::AlreadyThere);
    let shared = table(store, Analysis::SharedMoves, &board);
    let total: u32 = shared.iter().map(|row| row[2].parse::<u32>().unwrap()).sum();
    assert_eq!(total, 72 * 19);
    assert_eq!(shared, used_moves("4x5"));
    boards::drop(store, &board.name, &run).unwrap();
    // As many other solutions are not the same: those that begin in the other corner.
    let from = |corner: &str| {
        let list = Question::new(Verb::List, "diplomatico", "4x5").unwrap().with("from", corner);
        self::board(&list, None)
    };
    let [one, other] = [from("1,1"), from("4,5")];
    let [some, others] =
        [one.solutions(&catalogue(), &run).unwrap(), other.solutions(&catalogue(), &run).unwrap()];
    assert!(some.number > 0 && some.number == others.number);
    assert_eq!(one.load(store, &run).unwrap(), Loaded::Written);
    assert_eq!(one.load_solutions(some, store, &run).unwrap(), Loaded::Written);
    assert_eq!(other.load(store, &run).unwrap(), Loaded::AlreadyThere);
    let refused = other.load_solutions(others, store, &run).unwrap_err().to_string();
    assert!(refused.contains("other solutions"), "{refused}");
    for board in [small, row, one] {
        boards::drop(store, &board.name, &run).unwrap();
    }
}

/// How many solutions use each move, by Pessoi's own list.
fn used_moves(board: &str) -> Vec<Vec<String>> {
    let mut used = std::collections::BTreeMap::new();
    let list = Question::new(Verb::List, "diplomatico", board).unwrap();
    for solution in own(&list).solutions {
        for pair in solution.figure.path().windows(2) {
            let (a, b) = (pair[0].min(pair[1]), pair[0].max(pair[1]));
            *used.entry((a, b)).or_insert(0) += 1;
        }
    }
    let mut rows: Vec<_> = used.into_iter().collect();
    rows.sort_by_key(|&(pair, number)| (std::cmp::Reverse(number), pair));
    rows.into_iter().map(|((a, b), n)| vec![a.to_string(), b.to_string(), n.to_string()]).collect()
}

/// Graphs of positions: a sliding puzzle and a game of Go.
pub(crate) fn positions(store: &mut dyn Store) {
    let run = Run::default();
    for (game, place) in [("square-slide", "2x2"), ("go", "1x3")] {
        let question = Question::new(Verb::Export, game, place).unwrap();
        let board = board(&question, None);
        assert_eq!(board.label(), "Position");
        assert_eq!(board.load(store, &run).unwrap(), Loaded::Written);
        assert_eq!(board.load(store, &run).unwrap(), Loaded::AlreadyThere);
        let listed = boards::list(store, &run).unwrap();
        let listed = listed.iter().find(|listed| listed.name == board.name).unwrap();
        assert_eq!(listed.nodes as usize, board.graph().nodes.len());
        assert_eq!(listed.moves as usize, board.links().len());
        let parts = Analysis::Connectivity.ask(store, &board.name, &run).unwrap().rows;
        assert_eq!(parts.len(), 1, "{parts:?}");
        boards::drop(store, &board.name, &run).unwrap();
    }
}

/// What is typed never becomes part of a query.
pub(crate) fn names_are_parameters(store: &mut dyn Store) {
    let run = Run::default();
    let question = Question::new(Verb::Export, "diplomatico", "4x4").unwrap();
    let odd = "x'}) DETACH DELETE n //\" $board";
    let board = board(&question, Some(odd));
    assert_eq!(board.load(store, &run).unwrap(), Loaded::Written);
    assert_eq!(boards::list(store, &run).unwrap()[0].name, odd);
    assert_eq!(boards::drop(store, odd, &run).unwrap(), 16);
}
