//! Counting.

use std::sync::Arc;

use num_bigint::BigUint;
use num_traits::Zero;
use pessoi_engine::run::Stop;

use super::Asked;
use super::census::{Census, TYPES};
use super::doubling;
use super::moves::{Moves, Point};
use super::paper::{self, Algorithm};
use super::task::{Sameness, Task};
use super::visit::visit;
use super::words::{cells, stabiliser};
use crate::answer::{Answer, Table, Term, Value};
use crate::error::{Error, Result};
use crate::export::{Format, bfile_terms};
use crate::question::{Question, Verb};

/// How loops are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Method {
    Orderly,
    Doubling,
    Paper(Algorithm),
}

impl Method {
    pub(super) fn name(self) -> &'static str {
        match self {
            Method::Orderly => "orderly search of canonical words",
            Method::Doubling => "length doubling, and a census of symmetric loops",
            Method::Paper(Algorithm::One) => "the paper's algorithm 1",
            Method::Paper(Algorithm::Two) => "the paper's algorithm 2",
        }
    }
}

/// Loops shorter than this are visited as fast as they are counted.
const WORTH_DOUBLING: usize = 12;

/// The method that a question asks for, or that fits it best; and why.
pub(super) fn method(question: &Question, task: &Task) -> Result<(Method, &'static str)> {
    let part = !question.part().is_whole();
    let named = question.text("method").filter(|&name| name != "auto");
    let tilted = task.isometries.is_some();
    // What pairs of halves cannot tell.
    let against_doubling = if task.crossing.is_some() {
        Some("--non-crossing")
    } else if task.board.is_some() {
        Some("--board")
    } else if part {
        Some("--part")
    } else if task.moves.can_stay_in_a_line() {
        // Such loops are their own mirror images, cell by cell, which the census leaves out.
        Some("moves that can go round within one line")
    } else if tilted && !task.moves.are_free() {
        Some("--congruent with moves of several lengths")
    } else {
        None
    };
    let method = match named {
        None if matches!(question.verb, Verb::Count | Verb::Analyze)
            && against_doubling.is_none()
            && task.length >= WORTH_DOUBLING =>
        {
            return Ok((Method::Doubling, "only the number is asked for"));
        }
        None | Some("orderly") => Method::Orderly,
        Some("doubling") => Method::Doubling,
        Some("algorithm-1") => Method::Paper(Algorithm::One),
        Some(_) => Method::Paper(Algorithm::Two),
    };
    let against = match method {
        Method::Doubling => against_doubling,
        Method::Paper(_) if task.board.is_some() => Some("--board"),
        Method::Paper(_) if part => Some("--part"),
        Method::Orderly | Method::Paper(_) => None,
    };
    if let (Some(option), Some(name)) = (against, named) {
        return Err(Error::input(format!(
            "--method {name} does not go with {option}; --method orderly does."
        )));
    }
    if matches!(method, Method::Paper(_)) {
        check_paper(task)?;
    }
    Ok((method, if named.is_some() { "it is asked for" } else { "every class is visited once" }))
}

/// Refuses what the numbers of the paper's board cannot hold.
fn check_paper(task: &Task) -> Result<()> {
    let width = i64::from(task.moves.longest()) * (task.length / 2) as i64 + 1;
    if width > 255 {
        return Err(Error::input(format!(
            "The paper's algorithms number the cells of a board, here of {width} columns; up to \
             255 are handled. --method orderly needs no board."
        )));
    }
    Ok(())
}

/// What was counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Tally {
    pub(super) census: Census,
    /// Of the loops up to translation, those that fit the board as they are.
    pub(super) fixed_on_board: u128,
    /// Ways to put them on the board.
    pub(super) placements: u128,
}

impl Tally {
    pub(super) fn merge(&mut self, other: &Tally) {
        self.census.merge(&other.census);
        self.fixed_on_board += other.fixed_on_board;
        self.placements += other.placements;
    }

    /// Adds a class with these symmetries, whose loops fit into this box.
    pub(super) fn add(&mut self, stabiliser: u8, span: Option<Point>, task: &Task) {
        self.census.add(stabiliser);
        if let (Some((rows, cols)), Some(board)) = (span, task.board) {
            let loops = u128::from(8 / stabiliser.count_ones());
            // Half of the images lie on their side. If a symmetry of the loop lays it on its
            // side, the box is a square, and both halves are alike; so two halves are added.
            for (rows, cols) in [(rows, cols), (cols, rows)] {
                let room = |board: i32, side: i32| (board - side + 1).max(0) as u128;
                let places = room(board.0, rows) * room(board.1, cols);
                self.placements += loops * places;
                self.fixed_on_board += if places > 0 { loops } else { 0 };
            }
        }
    }

    /// The number that is asked for. (Halves of images were added twice over.)
    pub(super) fn number(&self, task: &Task) -> u128 {
        if task.board.is_some() && task.sameness == Sameness::Fixed {
            return self.fixed_on_board / 2;
        }
        self.census.number(task.sameness)
    }
}

/// The rows and columns that a loop takes.
pub(super) fn span(cells: &[Point]) -> Point {
    let side = |of: fn(&Point) -> i32| {
        let (low, high) = cells
            .iter()
            .map(of)
            .fold((i32::MAX, i32::MIN), |(low, high), at| (low.min(at), high.max(at)));
        high - low + 1
    };
    (side(|cell| cell.0), side(|cell| cell.1))
}

/// A tally, its cost in nodes, and the limit that was hit, if one was.
pub(super) struct Counted {
    pub(super) tally: Tally,
    pub(super) nodes: Option<u64>,
    pub(super) stopped: Option<Stop>,
}

/// Counts loops by a method.
pub(super) fn tally(asked: &Asked, task: &Arc<Task>, method: Method) -> Result<Counted> {
    let run = asked.run;
    let mut tally = Tally::default();
    let add = |tally: &mut Tally, moves: &[u8], symmetries: u8| {
        let box_of = task.board.map(|_| span(&cells(&task.moves, moves)));
        tally.add(symmetries, box_of, task);
    };
    match method {
        Method::Orderly => {
            let part = asked.question.part();
            let visit = visit(
                task,
                part,
                run,
                Tally::default,
                |tally, found| {
                    let symmetries = found.stabiliser(task);
                    if task.board.is_some() {
                        add(
                            tally,
                            found.moves(task, &mut [0; super::turns::LONGEST_WORD]),
                            symmetries,
                        );
                    } else {
                        tally.census.add(symmetries);
                    }
                },
                |_| 0,
                |part| {
                    tally.merge(&part);
                    true
                },
            );
            Ok(Counted { tally, nodes: Some(visit.nodes), stopped: visit.stopped })
        }
        Method::Paper(algorithm) => {
            let (nodes, stopped) = paper::visit(algorithm, task, run, |moves| {
                add(&mut tally, moves, stabiliser(&task.moves, moves));
                true
            });
            Ok(Counted { tally, nodes: Some(nodes), stopped })
        }
        Method::Doubling => {
            let moves = Arc::new(task.moves.clone());
            let stopped = match doubling::census(&moves, task.length, run)? {
                Ok(census) => {
                    tally.census = census;
                    None
                }
                Err(stop) => Some(stop),
            };
            if stopped.is_none() && task.isometries.is_some() {
                // The loops on the tilted lattice are those of the wazir; those of them that
                // no mirror leaves alone come in pairs which only a tilted mirror joins.
                let wazir = Arc::new(Moves::new(&[(0, 1)]));
                match doubling::census(&wazir, task.length, run)? {
                    Ok(tilted) => join_pairs(&mut tally.census, &tilted)?,
                    Err(stop) => {
                        return Ok(Counted {
                            tally: Tally::default(),
                            nodes: None,
                            stopped: Some(stop),
                        });
                    }
                }
            }
            Ok(Counted { tally, nodes: None, stopped })
        }
    }
}

/// Takes one of each pair of classes that a tilted mirror joins out of a census.
fn join_pairs(census: &mut Census, tilted: &Census) -> Result<()> {
    for ((classes, pairs), (_, _, mirror)) in census.0.iter_mut().zip(tilted.0).zip(TYPES) {
        if !mirror {
            *classes = classes
                .checked_sub(pairs)
                .ok_or_else(|| Error::internal("more pairs on the tilted lattice than classes"))?;
        }
    }
    Ok(())
}

/// Answers `count`.
pub(super) fn count(asked: &Asked) -> Result<Answer> {
    let Asked { question, task, run } = asked;
    let (method, _) = method(question, task)?;
    let mut terms = Vec::new();
    let mut last = None;
    let lengths =
        if question.flag("sequence") { 3..=task.length } else { task.length..=task.length };
    for length in lengths {
        let task = Arc::new(Task { length, ..Task::clone(task) });
        let counted = if task.none().is_some() {
            continue;
        } else {
            let method = if question.text("method").is_none_or(|name| name == "auto") {
                self::method(question, &task)?.0
            } else {
                method
            };
            tally(asked, &task, method)?
        };
        let n = index(&task) as u64;
        let number = counted.tally.number(&task);
        let stop = counted.stopped.is_some();
        last = Some(counted);
        if stop {
            break;
        }
        terms.push(Term { n, value: number.into() });
    }
    let Some(counted) = last else { return Err(Error::internal("no length was counted")) };
    let number = BigUint::from(counted.tally.number(task));
    let part = question.part();
    let value = match &counted.stopped {
        Some(stop) if question.flag("sequence") || method == Method::Doubling => {
            Value::GaveUp { why: stop.to_string() }
        }
        Some(stop) => Value::stopped(number, stop),
        None if number.is_zero() && part.is_whole() => {
            Value::None { proof: "the search tried every loop and found none".into() }
        }
        None => Value::exact(number),
    };
    let mut answer = asked.answer(value, method.name());
    answer.cost.nodes = counted.nodes;
    if task.board.is_some() && counted.stopped.is_none() {
        let ways = counted.tally.placements / 2;
        answer
            .notes
            .push(format!("They can be put on the board in {ways} ways, turned and mirrored too."));
    }
    if !part.is_whole() {
        answer.notes.push(format!("This is part {part}: other loops are in other parts."));
    }
    if question.flag("sequence") {
        answer.sequence = sequence(task);
        answer.terms = terms;
    }
    answer.cost.seconds = run.elapsed().as_secs_f64();
    Ok(answer)
}

/// The index of a length in its sequence: where loops are even, half the length.
fn index(task: &Task) -> usize {
    if task.moves.alternate() { task.length / 2 } else { task.length }
}

fn sequence(task: &Task) -> String {
    let length = if task.moves.alternate() { "2n" } else { "n" };
    let leapers: Vec<_> = task.moves.leapers().iter().map(|(a, b)| format!("({a},{b})")).collect();
    format!(
        "a(n) = number of {} of length {length} with moves {}",
        task.counts(),
        leapers.join("+")
    )
}

/// The terms of a counted sequence as a b-file.
pub(super) fn bfile(answer: &Answer) -> Result<String> {
    if answer.terms.is_empty() {
        return Err(Error::input(format!(
            "A single number is no sequence, so it cannot be written as {}; ask for all lengths \
             up to this one with --sequence.",
            Format::Bfile
        )));
    }
    Ok(bfile_terms(answer))
}

/// The census as a table.
pub(super) fn census_table(census: &Census) -> Table {
    let mut table = Table::new(
        "Classes by symmetry",
        &["symmetry", "symmetries", "classes", "loops up to translation"],
    );
    for ((name, order, _), &classes) in TYPES.iter().zip(&census.0) {
        let loops = classes * u128::from(8 / order);
        table.rows.push(vec![
            (*name).to_owned(),
            order.to_string(),
            classes.to_string(),
            loops.to_string(),
        ]);
    }
    let all = [Sameness::Free, Sameness::Fixed].map(|sameness| census.number(sameness).to_string());
    let [free, fixed] = all;
    table.rows.push(vec!["all".into(), String::new(), free, fixed]);
    table
}
