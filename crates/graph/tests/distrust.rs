//! What a store says is not believed: a store that lies, repeats itself or leaves out.

// What fails here fails the test.
#![allow(clippy::unwrap_used)]

mod common;

use pessoi::{Answer, Limit, Question, Run, Value, Verb};
use pessoi_graph::analysis::Analysis;
use pessoi_graph::store::{Parcel, RowSink};
use pessoi_graph::{Access, Dialect, Field, Row, Statement, Store, Trouble};

/// Returns these rows to any search, and has no board.
struct Liar(Vec<Row>);

impl Store for Liar {
    fn name(&self) -> &'static str {
        "a liar"
    }

    fn dialect(&self) -> Dialect {
        Dialect::Grafeo
    }

    fn is_fleeting(&self) -> bool {
        true
    }

    fn run(
        &mut self,
        statements: &[Statement],
        _: Access,
        _: &Run,
        rows: RowSink,
    ) -> Result<(), Trouble> {
        if statements.iter().any(|statement| statement.text.contains("AS path")) {
            for row in &self.0 {
                if !rows(row.clone()) {
                    break;
                }
            }
        }
        Ok(())
    }

    fn write(&mut self, _: &Parcel, _: &Run) -> Result<(), Trouble> {
        Ok(())
    }
}

/// All paths of 4×5 in both directions, as rows.
fn truth() -> Vec<Row> {
    let list = Question::new(Verb::List, "diplomatico", "4x5").unwrap();
    let mut rows = Vec::new();
    for solution in common::own(&list).solutions {
        let side = |from_0: i32| Field::Int(i64::from(from_0) + 1);
        let cell = |cell: &pessoi::board::Cell| Field::List(vec![side(cell.row), side(cell.col)]);
        let mut path: Vec<Field> = solution.figure.path().iter().map(cell).collect();
        rows.push(vec![Field::List(path.clone())]);
        path.reverse();
        rows.push(vec![Field::List(path)]);
    }
    rows
}

fn count_of(rows: Vec<Row>, options: &[&str]) -> Answer {
    let mut count = Question::new(Verb::Count, "diplomatico", "4x5").unwrap();
    for option in options {
        count = count.with(option, true);
    }
    let count = count.with("method", "cypher-constructive");
    common::search(&mut Liar(rows), &count, &Run::default()).unwrap()
}

/// The number, and why there may be more.
fn doubt(answer: &Answer) -> (Option<u32>, &str) {
    match &answer.value {
        Value::AtLeast { number, stop: Some(Limit::Untrusted { text }) } => {
            (number.try_into().ok(), text)
        }
        Value::GaveUp { stop: Limit::Untrusted { text } } => (None, text),
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_truth_is_believed() {
    assert_eq!(count_of(truth(), &[]).value, Value::exact(72u32));
    assert_eq!(count_of(truth(), &["directed"]).value, Value::exact(144u32));
    assert!(matches!(count_of(Vec::new(), &[]).value, Value::None { .. }));
}

#[test]
fn paths_that_are_none_are_not_counted() {
    let mut rows = truth();
    // A path that visits a cell twice, one that is too short, and no path at all.
    let Field::List(mut path) = rows[0][0].clone() else { panic!() };
    path[5] = path[3].clone();
    rows.push(vec![Field::List(path.clone())]);
    path.truncate(7);
    rows.push(vec![Field::List(path)]);
    rows.push(vec![Field::Text("a path".into())]);
    let answer = count_of(rows, &["directed"]);
    let (number, why) = doubt(&answer);
    assert_eq!(number, Some(144));
    assert!(why.contains("returned 147 paths of which 144 are solutions"), "{why}");
}

#[test]
fn nothing_but_lies_is_no_proof() {
    let answer = count_of(vec![vec![Field::Null]], &[]);
    let (_, why) = doubt(&answer);
    assert!(why.contains("returned 1 paths of which 0 are solutions"), "{why}");
}

#[test]
fn paths_returned_twice_count_once() {
    let mut rows = truth();
    rows.push(rows[0].clone());
    let answer = count_of(rows, &["directed"]);
    let (number, why) = doubt(&answer);
    assert_eq!(number, Some(144));
    assert!(why.contains("145 paths"), "{why}");
}

#[test]
fn a_missing_direction_is_noticed() {
    let mut rows = truth();
    rows.pop();
    let answer = count_of(rows, &[]);
    let (number, why) = doubt(&answer);
    assert_eq!(number, Some(72));
    assert!(why.contains("143 directed paths"), "{why}");
}

/// A store whose every answer is these rows.
struct Parrot(Vec<Row>);

impl Store for Parrot {
    fn name(&self) -> &'static str {
        "a parrot"
    }

    fn dialect(&self) -> Dialect {
        Dialect::Grafeo
    }

    fn run(&mut self, _: &[Statement], _: Access, _: &Run, rows: RowSink) -> Result<(), Trouble> {
        for row in &self.0 {
            if !rows(row.clone()) {
                break;
            }
        }
        Ok(())
    }

    fn write(&mut self, _: &Parcel, _: &Run) -> Result<(), Trouble> {
        Ok(())
    }
}

/// Somebody gave names to cells, or rows that no board has.
#[test]
fn nodes_with_more_than_we_wrote_are_shown_as_what_they_are() {
    let int = Field::Int;
    let named = vec![int(1), int(2), int(3), Field::Text("corner".into()), int(4)];
    let odd = vec![int(1), int(0), int(i64::MIN), Field::Null, int(4)];
    for analysis in Analysis::ALL {
        let table =
            analysis.ask(&mut Parrot(vec![named.clone(), odd.clone()]), "a board", &Run::default());
        let table = table.unwrap();
        let json = serde_json::to_string(&table).unwrap();
        assert_eq!(serde_json::from_str::<pessoi::Table>(&json).unwrap(), table);
    }
    let parts = Analysis::Connectivity.ask(&mut Parrot(vec![named, odd]), "it", &Run::default());
    let parts = parts.unwrap();
    assert_eq!(parts.rows[0][0].to_string(), "2,3");
    assert_eq!(parts.rows[1][0], pessoi::Datum::Missing);
}
