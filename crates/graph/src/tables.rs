//! The paper's tables, measured again.
//!
//! F. Garagnani, *Graph-Based Analysis of Solution Spaces in the Game Diplomatico* (2025),
//! gives four tables of times: one path from anywhere (I), one from corner to corner (II),
//! all from corner to corner (III), and a comparison of APOC and Python on larger boards
//! (IV). Here each is asked of every store at hand and of Pessoi's own methods, some times
//! over, with a time limit for each, and put beside the paper's figures. The paper's machine
//! was another: compare ratios.
//!
//! The times are those of the queries alone: the board is in the store before, and the check
//! of what comes back is after. The first repetition holds the time that a server takes to
//! plan a query, which for the constructive one is long; the spread shows it.

use std::time::{Duration, Instant};

use pessoi::{Budget, Error, Question, Run, Table, Value, Verb};

use self::Figure::{Absent, Over, Seconds as S};
use crate::search::{self, Method};
use crate::store::Store;

/// A figure of the paper.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Figure {
    /// It was not measured.
    Absent,
    /// Over 30 seconds.
    Over,
    /// So many seconds.
    Seconds(f64),
}

/// A table of the paper.
pub struct Published {
    /// Its number.
    pub number: &'static str,
    /// What was asked.
    pub title: &'static str,
    corners: bool,
    all: bool,
    /// Board, then raw, constructive, APOC and Python; the last table has only two.
    rows: &'static [(&'static str, [Figure; 4])],
}

/// The tables as printed.
pub const PUBLISHED: [Published; 4] = [
    Published {
        number: "I",
        title: "one path, from anywhere to anywhere",
        corners: false,
        all: false,
        rows: &[
            ("4x5", [S(0.4797), S(1.3337), S(0.1615), S(0.0085)]),
            ("4x6", [Over, S(2.3749), S(0.2981), S(0.0180)]),
            ("4x7", [Over, S(4.4709), S(0.6444), S(0.1897)]),
            ("5x5", [Over, S(5.7675), S(0.7468), S(0.0040)]),
        ],
    },
    Published {
        number: "II",
        title: "one path from corner to corner (only 5x5 has any)",
        corners: true,
        all: false,
        rows: &[
            ("4x5", [S(0.7142), S(0.0417), S(0.0256), S(0.0032)]),
            ("4x6", [Over, S(0.0659), S(0.0250), S(0.0514)]),
            ("4x7", [Over, S(3.2629), S(0.5479), S(0.5982)]),
            ("5x5", [Over, S(0.6837), S(0.4557), S(0.0147)]),
        ],
    },
    Published {
        number: "III",
        title: "all paths from corner to corner (only 5x5 has any)",
        corners: true,
        all: true,
        rows: &[
            ("4x5", [S(1.1492), S(0.0331), S(0.0143), S(0.0034)]),
            ("4x6", [Over, S(0.6907), S(0.0307), S(0.0503)]),
            ("4x7", [Over, S(16.6208), S(0.6338), S(0.6547)]),
            ("5x5", [Over, S(3.1501), S(2.9022), S(0.4530)]),
        ],
    },
    Published {
        number: "IV",
        title: "one path on larger boards",
        corners: false,
        all: false,
        rows: &[
            ("5x6", [Absent, Absent, S(0.0578), S(0.4754)]),
            ("4x8", [Absent, Absent, S(3.9755), S(6.3072)]),
            ("5x7", [Absent, Absent, S(0.1442), S(0.0007)]),
            ("6x6", [Absent, Absent, S(0.2700), S(0.5473)]),
        ],
    },
];

/// How the tables are measured.
#[derive(Clone, Copy, Debug)]
pub struct Measuring {
    /// Repetitions of each question.
    pub repeats: u32,
    /// The most time for one.
    pub limit: Duration,
}

/// What repetitions of one question took.
struct Took {
    seconds: Vec<f64>,
    /// Paths that were found; `None` if nothing is known.
    found: Option<String>,
    /// The limit was hit.
    over: bool,
}

impl Took {
    /// The mean, and the least and the most.
    fn text(&self, limit: Duration) -> String {
        if self.over || self.seconds.is_empty() {
            return format!("> {} s", limit.as_secs_f64());
        }
        let mean = self.seconds.iter().sum::<f64>() / self.seconds.len() as f64;
        let least = self.seconds.iter().copied().fold(f64::INFINITY, f64::min);
        let most = self.seconds.iter().copied().fold(0.0, f64::max);
        format!("{mean:.4} s ({least:.4}–{most:.4})")
    }
}

fn paper(figure: Figure) -> String {
    match figure {
        Absent => "–".into(),
        Over => "> 30 s".into(),
        S(seconds) => format!("{seconds:.4} s"),
    }
}

/// Measures one of the tables. A store that cannot do a method is left out of its row.
pub fn measure(
    published: &Published,
    stores: &mut [Box<dyn Store>],
    how: Measuring,
    run: &Run,
) -> Result<Table, Error> {
    let names: Vec<String> = stores.iter().map(|store| store.name().to_owned()).collect();
    let mut columns = vec!["board", "method", "paper"];
    columns.extend(names.iter().map(String::as_str));
    columns.extend(["Pessoi itself", "paths"]);
    let title = format!(
        "Table {}: {}; mean of {} (least–most), at most {} s each",
        published.number,
        published.title,
        how.repeats,
        how.limit.as_secs_f64()
    );
    let mut table = Table::new(&title, &columns);
    for &(board, figures) in published.rows {
        let question = question(published, board)?;
        for (method, figure) in [
            (Method::Raw, figures[0]),
            (Method::Constructive, figures[1]),
            (Method::Apoc, figures[2]),
            (Method::ApocPrinted, Absent),
        ] {
            // The last table compares APOC and Python only.
            if published.number == "IV" && figure == Absent {
                continue;
            }
            let question = question.clone().with("method", method.name());
            let mut row = vec![board.to_owned(), method.name().to_owned(), paper(figure)];
            let mut found = None;
            for store in stores.iter_mut() {
                if !method.suits(store.dialect()) {
                    row.push("–".into());
                    continue;
                }
                search::prepare(&question, store.as_mut(), run)?;
                let took = repeat(how, run, |run| {
                    let (answer, seconds) = search::timed(&question, store.as_mut(), None, run)?;
                    Ok((answer.value, seconds))
                });
                store.settle();
                let took = match took {
                    // A server without APOC, say: the others are still measured.
                    Err(Error::Input(why)) if run.check().is_ok() => {
                        row.push("–".into());
                        found = found.or(Some(why));
                        continue;
                    }
                    took => took?,
                };
                row.push(took.text(how.limit));
                found = found.or(took.found);
            }
            row.push("–".into());
            row.push(found.unwrap_or_else(|| "–".into()));
            table.rows.push(row);
        }
        // The paper's Python is a backtracking search by Warnsdorff's rule.
        let own: &[(&str, Figure)] = if published.all {
            &[("search", figures[3]), ("branch", Absent)]
        } else {
            &[("backtrack", figures[3]), ("warnsdorff", Absent), ("auto", Absent)]
        };
        for &(method, figure) in own {
            let question = question.clone().with("method", method);
            let took = repeat(how, run, |run| {
                let began = Instant::now();
                let answer = pessoi::ask(&question, run, &mut |_| true)?;
                Ok((answer.value, began.elapsed().as_secs_f64()))
            })?;
            let beside = if figure == Absent { "" } else { " (the paper's Python)" };
            let mut row = vec![board.to_owned(), format!("{method}{beside}"), paper(figure)];
            row.extend(names.iter().map(|_| "–".to_owned()));
            row.push(took.text(how.limit));
            row.push(took.found.unwrap_or_else(|| "–".into()));
            table.rows.push(row);
        }
    }
    Ok(table)
}

fn question(published: &Published, board: &str) -> Result<Question, Error> {
    let verb = if published.all { Verb::Count } else { Verb::Find };
    let mut question = Question::new(verb, "diplomatico", board)?;
    if published.corners {
        let corner = board.replace('x', ",");
        question = question.with("from", "1,1").with("to", corner.as_str());
    }
    Ok(question)
}

/// Asks some times over, each under a limit of its own; the first that hits it ends the row.
fn repeat(
    how: Measuring,
    run: &Run,
    mut ask: impl FnMut(&Run) -> Result<(Value, f64), Error>,
) -> Result<Took, Error> {
    let mut took = Took { seconds: Vec::new(), found: None, over: false };
    for _ in 0..how.repeats {
        if let Err(stop) = run.check() {
            return Err(Error::input(format!("The tables were not finished, because {stop}.")));
        }
        let budget = Budget { time: Some(how.limit), ..run.budget().clone() };
        let (value, seconds) = ask(&run.part(budget))?;
        took.seconds.push(seconds);
        match value {
            Value::None { .. } => took.found = Some("none".into()),
            Value::Exact { number } | Value::AtLeast { number, why: None } => {
                took.found = Some(number.to_string());
            }
            Value::AtLeast { number, why: Some(why) } if !why.contains("time limit") => {
                took.found = Some(format!("{number}, {why}"));
            }
            Value::GaveUp { why } if !why.contains("time limit") => {
                took.found = Some(why);
                break;
            }
            _ => {
                took.over = true;
                break;
            }
        }
    }
    Ok(took)
}
