//! Rows that come back from a graph database: what it says is not believed.

use std::collections::VecDeque;

use pessoi::job::Deaf;
use pessoi::{Question, Run, Value, Verb};
use pessoi_graph::analysis::Analysis;
use pessoi_graph::search::Task;
use pessoi_graph::store::{Parcel, RowSink};
use pessoi_graph::{Access, Dialect, Field, Row, Statement, Store, Trouble, boards};

use crate::{CATALOGUE, Target, refused};

pub(crate) const TARGET: Target =
    Target { name: "rows", help: "rows of graph databases", most: 512, check };

/// A store that returns the next rows of the input, whatever it is asked, and then none.
struct Liar {
    answers: VecDeque<Vec<Row>>,
    fleeting: bool,
}

impl Store for Liar {
    fn name(&self) -> &'static str {
        "a liar"
    }

    fn dialect(&self) -> Dialect {
        Dialect::Grafeo
    }

    fn is_fleeting(&self) -> bool {
        self.fleeting
    }

    fn run(
        &mut self,
        statements: &[Statement],
        _: Access,
        _: &Run,
        rows: RowSink,
    ) -> Result<(), Trouble> {
        // A board that is loaded as it is needed is not looked at, so all is for the search.
        let is_search = statements.iter().any(|statement| statement.text.contains("AS path"));
        if self.fleeting && !is_search {
            return Ok(());
        }
        for row in self.answers.pop_front().unwrap_or_default() {
            if !rows(row) {
                break;
            }
        }
        Ok(())
    }

    fn write(&mut self, _: &Parcel, _: &Run) -> Result<(), Trouble> {
        Ok(())
    }
}

/// Reads fields from bytes: a byte says what kind comes next.
struct Bytes<'b>(&'b [u8]);

impl Bytes<'_> {
    fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*first)
    }

    fn eight(&mut self) -> [u8; 8] {
        std::array::from_fn(|_| self.byte().unwrap_or(0))
    }

    /// The fields up to the end of a list, or of a row.
    fn fields(&mut self, depth: usize) -> Vec<Field> {
        let mut fields = Vec::new();
        while let Some(kind) = self.byte() {
            fields.push(match kind % 9 {
                0 => Field::Null,
                1 => Field::Bool(self.byte().unwrap_or(0) & 1 == 1),
                2 | 3 => Field::Int(i64::from(self.byte().unwrap_or(0).cast_signed())),
                4 => Field::Int(i64::from_le_bytes(self.eight())),
                5 => Field::Float(f64::from_le_bytes(self.eight())),
                6 => {
                    let (text, rest) = self.0.split_at(self.0.len().min(usize::from(kind / 9)));
                    self.0 = rest;
                    Field::Text(String::from_utf8_lossy(text).into_owned())
                }
                7 if depth < 8 => Field::List(self.fields(depth + 1)),
                _ => break,
            });
        }
        fields
    }

    /// What a statement is answered with: rows, up to one without fields.
    fn rows(&mut self) -> Vec<Row> {
        let rows = std::iter::from_fn(|| Some(self.fields(0)).filter(|row| !row.is_empty()));
        rows.collect()
    }
}

fn check(input: &[u8]) {
    let mut bytes = Bytes(input);
    let what = bytes.byte().unwrap_or(0);
    let mut store = Liar { answers: VecDeque::new(), fleeting: what & 16 != 0 };
    while !bytes.0.is_empty() {
        let rows = bytes.rows();
        store.answers.push_back(rows);
    }
    let run = Run::default();
    match what % 16 {
        at @ 0..4 => match Analysis::ALL[usize::from(at)].ask(&mut store, "a board", &run) {
            Ok(table) => {
                let json = serde_json::to_string(&table).expect("a table is written");
                assert_eq!(serde_json::from_str::<pessoi::Table>(&json).expect("and read"), table);
            }
            Err(error) => refused(&error),
        },
        4 => {
            boards::list(&mut store, &run).expect("nothing can be wrong with it");
        }
        5 => {
            if let Err(error) = boards::drop(&mut store, "a board", &run) {
                refused(&error);
            }
        }
        kind => search(&mut store, kind, &run),
    }
}

fn search(store: &mut Liar, kind: u8, run: &Run) {
    let verb = if kind & 1 == 0 { Verb::Count } else { Verb::Find };
    let question = Question::new(verb, "wazir-tours", "2x2").expect("a question");
    let mut question = question.with("method", "cypher-constructive");
    if kind & 2 != 0 {
        question = question.with("from", "1,1");
    } else if kind & 4 != 0 {
        question = question.with("limit", 2);
    }
    let game = CATALOGUE.game(&question.game).expect("a game");
    let task = match Task::new(game, &question) {
        Ok(task) => task,
        Err(error) => panic!("{error}"),
    };
    match task.ask(store, run, &mut Deaf) {
        Ok(answer) => {
            // There are four undirected paths, and two from a corner.
            let most = if kind & 2 != 0 { 2u32 } else { 4 };
            if let Value::Exact { number } | Value::AtLeast { number, .. } = &answer.value {
                assert!(*number <= most.into(), "{answer:?}");
            }
        }
        Err(error) => refused(&error),
    }
}
