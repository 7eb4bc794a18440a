//! The paper's tables, measured again.
//!
//! F. Garagnani, *Graph-Based Analysis of Solution Spaces in the Game Diplomatico* (2025),
//! has four tables of times in its section IV: one path from anywhere (1), one from corner to
//! corner (2), all from corner to corner (3), and a comparison of APOC and Python on larger
//! boards (4). Their figures and the questions behind them are data of `pessoi-reproduce`.
//! Here each question is asked of every store at hand and of Pessoi's own methods, some times
//! over, with a time limit for each, and put beside the paper's figure. The paper's machine
//! was another: compare ratios.
//!
//! The times are those of the queries alone: the board is in the store before, and the check
//! of what comes back is after. The first repetition includes the time that a server takes to
//! plan a query, which for the constructive one is long; the spread shows it.

use std::time::{Duration, Instant};

use num_bigint::BigUint;
use pessoi::card::METHOD;
use pessoi::job::Deaf;
use pessoi::{
    Answer, Budget, Catalogue, Code, Datum, DatumKind, Error, Limit, Question, Run, Table, Value,
    Verb,
};

use crate::boards::Board;
use crate::search::{ALL, Search, Task};
use crate::store::Store;

/// The paper whose tables these are.
const PAPER: &str = "diplomatico";
/// The paper's name for its own program, which searches by backtracking.
const PYTHON: &str = "Python";
/// Pessoi's methods of `find` that do the same as that program, and better.
const OWN: [&str; 2] = ["backtrack", "warnsdorff"];

/// A table of the paper.
#[derive(Clone, Debug, PartialEq)]
pub struct Published {
    /// Its number in the section.
    pub number: String,
    /// What was asked.
    pub title: String,
    /// Its rows, by board.
    rows: Vec<PaperRow>,
}

/// What the paper says of one board.
#[derive(Clone, Debug, PartialEq)]
struct PaperRow {
    board: String,
    /// The question, as it is typed.
    ask: String,
    /// The figures, by column.
    figures: Vec<(String, Figure)>,
}

/// A figure of the paper.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Figure {
    /// More than so many seconds.
    Over(f64),
    /// So many seconds.
    Seconds(f64),
}

impl Figure {
    fn parse(text: &str) -> Option<Figure> {
        match text.strip_prefix('>') {
            Some(over) => over.trim().parse().ok().map(Figure::Over),
            None => text.parse().ok().map(Figure::Seconds),
        }
    }
}

/// The tables as printed.
pub fn published() -> Result<Vec<Published>, Error> {
    let mut tables = Vec::new();
    for table in pessoi_reproduce::papers(Some(PAPER))?.into_iter().flat_map(|paper| paper.tables) {
        let mut rows: Vec<PaperRow> = Vec::new();
        for value in table.values.into_iter().filter(|value| value.timing) {
            let figure = value.published.as_deref().and_then(Figure::parse);
            let (Some(figure), Some(ask)) = (figure, value.ask.into_iter().next()) else {
                let (table, at, of) = (&table.name, &value.at, &value.of);
                return Err(Error::internal(format!(
                    "{table}, {at}, {of}: no time or no question"
                )));
            };
            let is_next = rows.last().is_none_or(|row| row.board != value.at || row.ask != ask);
            if is_next {
                rows.push(PaperRow { board: value.at, ask, figures: Vec::new() });
            }
            if let Some(row) = rows.last_mut() {
                row.figures.push((value.of, figure));
            }
        }
        if !rows.is_empty() {
            let number = table.name.rsplit(' ').next().unwrap_or_default().to_owned();
            tables.push(Published { number, title: table.title, rows });
        }
    }
    Ok(tables)
}

/// The paper's name for a search; `None` if it was not measured.
fn column(search: Search) -> Option<&'static str> {
    match search {
        Search::Raw => Some("Raw"),
        Search::Constructive => Some("Constructive"),
        Search::Apoc => Some("APOC"),
        Search::ApocPrinted => None,
    }
}

/// How the tables are measured.
#[derive(Clone, Copy, Debug)]
pub struct Measuring {
    /// Repetitions of each question.
    pub repeats: u32,
    /// The most time for one.
    pub limit: Duration,
}

/// What repetitions of one question took.
#[derive(Default)]
struct Took {
    /// The engine that answered.
    method: String,
    seconds: Vec<f64>,
    /// Paths that were found; `None` if nothing is known.
    found: Option<BigUint>,
    /// The time limit was reached.
    over: bool,
    /// Another limit was reached, or the question was refused.
    why: Option<String>,
}

/// Measures one of the tables: for each board and method a row with the paper's figure, and
/// one for each store that can do it or for Pessoi itself.
pub fn measure(
    catalogue: &Catalogue,
    published: &Published,
    stores: &mut [Box<dyn Store>],
    how: Measuring,
    run: &Run,
) -> Result<Table, Error> {
    let title = format!(
        "Table {}: {}; {} times each, at most {} s",
        published.number,
        published.title,
        how.repeats,
        how.limit.as_secs_f64()
    );
    let mut table = Table::new(
        &format!("table-{}", published.number),
        &title,
        &[
            ("board", "board", DatumKind::Text),
            ("method", "method", DatumKind::Text),
            ("engine", "on", DatumKind::Text),
            ("mean", "mean (s)", DatumKind::Float),
            ("least", "least (s)", DatumKind::Float),
            ("most", "most (s)", DatumKind::Float),
            ("over", "over (s)", DatumKind::Float),
            ("paths", "paths", DatumKind::Integer),
            ("note", "note", DatumKind::Text),
        ],
    );
    for row in &published.rows {
        let words: Vec<&str> = row.ask.split_whitespace().collect();
        let question = catalogue.read_question(&words)?;
        let figure = |column: &str| row.figures.iter().find(|(of, _)| of == column);
        for search in Search::ALL {
            let figure = column(search).map(figure);
            // What the paper did not measure on this board is left out; the query as printed
            // stands beside the one that it is an error in.
            if figure == Some(None) {
                continue;
            }
            let method = search.method().id;
            if let Some(Some((_, figure))) = figure {
                table.push(paper_row(&row.board, method, *figure));
            }
            let question = question.clone().with(METHOD, method);
            for store in stores.iter_mut().filter(|store| search.suits(store.dialect())) {
                let took = in_store(catalogue, &question, store.as_mut(), how, run)?;
                table.push(measured_row(&row.board, method, store.name(), &took, how));
            }
        }
        for (k, question) in own_questions(catalogue, &question).into_iter().enumerate() {
            let took = repeat(how, run, |run| {
                let began = Instant::now();
                let answer = catalogue.ask(&question, run, &mut Deaf)?;
                Ok((answer, began.elapsed().as_secs_f64()))
            })?;
            if let (0, Some((_, figure))) = (k, figure(PYTHON)) {
                table.push(paper_row(&row.board, PYTHON, *figure));
            }
            let method = format!("{} {}", question.verb, took.method);
            table.push(measured_row(&row.board, &method, "Pessoi", &took, how));
        }
    }
    Ok(table)
}

/// Seconds to the microsecond; missing if they are not finite.
fn rounded(seconds: f64) -> Datum {
    Datum::float((seconds * 1e6).round() / 1e6)
}

fn paper_row(board: &str, method: &str, figure: Figure) -> [Datum; 9] {
    let (mean, over) = match figure {
        Figure::Seconds(seconds) => (rounded(seconds), Datum::Missing),
        Figure::Over(seconds) => (Datum::Missing, rounded(seconds)),
    };
    let missing = Datum::Missing;
    [
        board.into(),
        method.into(),
        "the paper".into(),
        mean,
        missing.clone(),
        missing.clone(),
        over,
        missing.clone(),
        missing,
    ]
}

fn measured_row(
    board: &str,
    method: &str,
    engine: &str,
    took: &Took,
    how: Measuring,
) -> [Datum; 9] {
    let times = if took.over { &[][..] } else { &took.seconds };
    // Without times, these are not finite.
    let mean = times.iter().sum::<f64>() / times.len() as f64;
    let least = times.iter().copied().fold(f64::INFINITY, f64::min);
    let most = times.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    [
        board.into(),
        method.into(),
        engine.into(),
        rounded(mean),
        rounded(least),
        rounded(most),
        if took.over { rounded(how.limit.as_secs_f64()) } else { Datum::Missing },
        took.found.clone().into(),
        took.why.clone().into(),
    ]
}

/// Asks a store, which is given the board before.
fn in_store(
    catalogue: &Catalogue,
    question: &Question,
    store: &mut dyn Store,
    how: Measuring,
    run: &Run,
) -> Result<Took, Error> {
    let game = catalogue.game(&question.game)?;
    let task = Task::new(game, question)?;
    Board::of(catalogue, question, None, run)?.load(store, run)?;
    let took = repeat(how, run, |run| task.timed(store, run, &mut Deaf));
    store.settle();
    match took {
        // A server without APOC, for example: the rest is still measured.
        Err(error) if error.code == Code::Unsupported => {
            Ok(Took { why: Some(error.sentence), ..Took::default() })
        }
        took => took,
    }
}

/// The same question for Pessoi's own methods: first the one that the paper's program is to
/// be compared with, last the one that the game chooses. Where all paths are found, the game
/// counts them.
fn own_questions(catalogue: &Catalogue, question: &Question) -> Vec<Question> {
    let mut questions: Vec<_> =
        OWN.iter().map(|method| question.clone().with(METHOD, *method)).collect();
    let mut last = question.clone();
    let menu = catalogue.game(&question.game).ok().map(|game| game.card().menu(question.verb));
    let all = menu.and_then(|menu| menu.option(ALL));
    if all.is_some_and(|all| question.flag(all)) {
        last.verb = Verb::Count;
        last.options.remove(ALL);
    }
    questions.push(last);
    questions
}

/// Asks some times over, each under a limit of its own; the first that reaches it ends the
/// row.
fn repeat(
    how: Measuring,
    run: &Run,
    mut ask: impl FnMut(&Run) -> Result<(Answer, f64), Error>,
) -> Result<Took, Error> {
    let mut took = Took::default();
    for _ in 0..how.repeats {
        run.check()?;
        let budget = Budget { time: Some(how.limit), ..run.budget().clone() };
        let (answer, seconds) = ask(&run.part(budget))?;
        took.method = answer.method.id;
        took.seconds.push(seconds);
        took.found = match &answer.value {
            Value::AtLeast { number, .. } => Some(number.clone()),
            value => value.number(),
        };
        match answer.value.stop() {
            None => {}
            Some(Limit::Time { .. }) => {
                took.over = true;
                break;
            }
            Some(stop) => {
                took.why = Some(stop.to_string());
                break;
            }
        }
    }
    Ok(took)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_papers_figures() {
        let tables = published().unwrap();
        let numbers: Vec<_> = tables.iter().map(|table| table.number.as_str()).collect();
        assert_eq!(numbers, ["1", "2", "3", "4"]);
        let figures = |table: &Published| table.rows.iter().map(|row| row.figures.len()).sum();
        assert_eq!(tables.iter().map(figures).collect::<Vec<usize>>(), [16, 16, 16, 8]);
        for (_, figures) in
            tables.iter().flat_map(|table| &table.rows).map(|r| (&r.board, &r.figures))
        {
            for (of, _) in figures {
                let known = Search::ALL.into_iter().filter_map(column).chain([PYTHON]);
                assert!(known.into_iter().any(|column| column == of), "{of}");
            }
        }
        let row = &tables[2].rows[2];
        assert_eq!(
            (&*row.board, &*row.ask),
            ("4×7", "find diplomatico 4x7 --from 1,1 --to 4,7 --all")
        );
        assert_eq!(row.figures[0], ("Raw".into(), Figure::Over(30.0)));
        assert_eq!(row.figures[1], ("Constructive".into(), Figure::Seconds(16.6208)));
    }
}
