//! Finding: is there a solution, and if so, one.
//!
//! The group decides first. Then a shortest solution is looked for: from both ends where
//! components are of a moderate size, and with tables of bounds where they are large. If
//! neither comes to an end soon, some solution is made tile by tile.

use num_bigint::BigUint;

use super::explore::Known;
use super::holes::{Holes, Reach};
use super::lookup::{self, Bounds, Looked};
use super::meet::{self, Met};
use super::peel;
use super::plain::isolated;
use super::position::Position;
use super::task::Asked;
use crate::answer::{Answer, Figure, Value};
use crate::certificate::Certificate;
use crate::error::{Error, Result};

const SHORTEST: &str = "slides in a shortest solution";
const SOLUTIONS: &str = "solutions";

/// Components up to this size are searched from both ends first.
const MODERATE: u64 = 4_000_000_000;
/// Configurations and nodes after which something else is tried.
const MOST_MET: u64 = 6_000_000;
const MOST_NODES: u64 = 400_000_000;

/// Answers `find`.
pub(super) fn find(asked: &Asked) -> Result<Answer> {
    let Asked { question, puzzle, run, .. } = asked;
    let holes = puzzle.len() - asked.tiles()?;
    if !asked.has_from() {
        return Err(Error::input(
            "find needs a configuration to start from: give --from, such as --from '2 1 3/4 5 6/7 . .'.",
        ));
    }
    let (from, to) = (asked.from(holes)?, asked.to(holes)?);
    if puzzle.is_isolated(from.holes()) && from != to {
        return Err(isolated("from"));
    }
    let by_group = "group membership";
    let known = match Known::new(asked, holes) {
        Ok(known) => Some(known),
        Err(pessoi_engine::run::Stop::Memory { .. }) => None,
        Err(stop) => return Ok(asked.gave_up(&stop, SOLUTIONS, by_group)),
    };
    let reach = match &known {
        Some(Known::Holes(found)) => Some(found.reach(&from, &to)),
        Some(Known::Maximal { .. }) if puzzle.is_isolated(to.holes()) => {
            Some(Reach::Isolated { first: false })
        }
        Some(Known::Maximal { .. }) => Some(Reach::Reached),
        None => None,
    };
    if let Some((proof, certificate)) = reach.as_ref().and_then(refusal) {
        let mut answer = asked.answer(Value::None { proof }, SOLUTIONS, by_group);
        answer.certificate = Some(certificate);
        return Ok(answer);
    }
    let is_moderate = match &known {
        Some(Known::Holes(found)) => is_moderate(found, &from),
        _ => false,
    };
    let method = question.text("method").unwrap_or("auto");
    let mut at_least = 0;
    let give_up = |stop: &pessoi_engine::run::Stop, method: &str| {
        let mut answer = asked.gave_up(stop, SOLUTIONS, method);
        if reach == Some(Reach::Reached) {
            answer.notes.push("There is a solution: the group shows it.".into());
        }
        Ok(answer)
    };

    if method == "meet" || (method == "auto" && is_moderate) {
        let most = if method == "meet" { u64::MAX } else { MOST_MET };
        let engine = "breadth-first search from both ends";
        match meet::solve(puzzle, &from, &to, most, run) {
            Ok(Met::Solution(way)) => return Ok(shortest(asked, &way, engine, None)),
            Ok(Met::Apart) if reach == Some(Reach::Reached) => {
                return Err(Error::internal("the group and the search disagree"));
            }
            Ok(Met::Apart) => {
                let proof = "everything that can be reached was reached".into();
                return Ok(asked.answer(Value::None { proof }, SOLUTIONS, engine));
            }
            Ok(Met::TooMany) => {}
            Err(stop) => return give_up(&stop, engine),
        }
    }
    if method == "lookup" || method == "auto" {
        let engine = "iterative deepening with tables of bounds";
        let bounds = if holes > lookup::MOST_HOLES {
            None
        } else {
            match Bounds::new(puzzle, &to, run) {
                Ok(bounds) => bounds,
                Err(stop) => return give_up(&stop, engine),
            }
        };
        match bounds {
            None if method == "lookup" => {
                return Err(Error::input(format!(
                    "There are too many sets of {holes} holes on {} for tables of bounds; leave \
                     --method to auto.",
                    puzzle.board.name()
                )));
            }
            None => {}
            Some(bounds) => {
                let most = if method == "lookup" { u64::MAX } else { MOST_NODES };
                // Bounds far above what can be searched are not worth the try.
                let far = method == "auto" && bounds.bound(&from) > 70;
                let most = if far { MOST_NODES / 100 } else { most };
                match lookup::solve(puzzle, &bounds, &from, &to, most, run) {
                    Ok((Looked::Solution(way), nodes)) => {
                        return Ok(shortest(asked, &way, engine, Some(nodes)));
                    }
                    Ok((Looked::TooMany { at_least: known }, _)) => at_least = known,
                    Err(stop) => return give_up(&stop, engine),
                }
            }
        }
    }
    let engine = "tile by tile on a board peeled down to its core";
    match peel::solve(puzzle, &from, &to, run) {
        Err(stop) => give_up(&stop, engine),
        Ok(None) => {
            let why = "no way was found to place tile by tile on this board".to_owned();
            let mut answer = asked.answer(Value::GaveUp { why }, SOLUTIONS, engine);
            if reach == Some(Reach::Reached) {
                answer.notes.push("There is a solution: the group shows it.".into());
            }
            Ok(answer)
        }
        Ok(Some(way)) => {
            let slides = way.len() - 1;
            let value = Value::AtLeast { number: BigUint::from(1u32), why: None };
            let counts = format!("solution of {slides} slides, perhaps not a shortest one");
            let mut answer = asked.answer(value, &counts, engine);
            if at_least > 0 {
                answer.notes.push(format!("Every solution has at least {at_least} slides."));
            }
            told(asked, &mut answer, &way);
            Ok(answer)
        }
    }
}

fn is_moderate(found: &Holes, from: &Position) -> bool {
    let size = found.place(from).map(|(part, _)| found.parts[part].size());
    size.is_none_or(|size| size <= BigUint::from(MODERATE))
}

/// Why there is no solution, and what shows it.
fn refusal(reach: &Reach) -> Option<(String, Certificate)> {
    Some(match reach {
        Reach::Reached => return None,
        Reach::Isolated { first } => (
            format!("no tile can slide in the {}", if *first { "first" } else { "second" }),
            Certificate::HolesApart,
        ),
        Reach::Apart => (
            "the holes cannot get from where they are to where they should be, whatever the tiles \
             do"
            .into(),
            Certificate::HolesApart,
        ),
        Reach::Odd => (
            "the tiles must be permuted oddly, and every way of the holes there and back permutes \
             them evenly"
                .into(),
            Certificate::OddPermutation,
        ),
        Reach::Stuck(tiles) => {
            let pieces: Vec<u32> = tiles.iter().map(|&tile| tile.into()).collect();
            let names: Vec<String> = tiles.iter().map(ToString::to_string).collect();
            let proof = match &names[..] {
                [tile] => format!("the tile {tile} can never get to its place"),
                _ => format!("the tiles {} can never all get to their places", names.join(", ")),
            };
            (proof, Certificate::StuckPieces { pieces })
        }
    })
}

fn shortest(asked: &Asked, way: &[Position], method: &str, nodes: Option<u64>) -> Answer {
    let value = Value::exact(way.len() as u64 - 1);
    let mut answer = asked.answer(value, SHORTEST, method);
    answer.cost.nodes = nodes;
    if nodes.is_none() {
        answer.cost.states = Some(asked.run.progress().handled);
    }
    told(asked, &mut answer, way);
    answer
}

/// Puts a solution into an answer.
fn told(asked: &Asked, answer: &mut Answer, way: &[Position]) {
    let puzzle = &asked.puzzle;
    let drawings = way.iter().map(|position| position.drawing(puzzle)).collect();
    answer.solutions = vec![Figure::Positions { drawings, closed: false }.into()];
    let tile = |pair: &[Position]| pair[0].slide_to(&pair[1], puzzle).map(|(tile, _, _)| tile);
    let tiles: Vec<String> = way.windows(2).filter_map(tile).map(|tile| tile.to_string()).collect();
    if !tiles.is_empty() {
        answer.notes.push(format!("Tiles as they slide: {}.", tiles.join(" ")));
    }
    answer.certificate = Some(Certificate::Solutions);
}
