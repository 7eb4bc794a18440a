//! Finding: is there a solution, and if so, one.
//!
//! The group decides first. Then a shortest solution is looked for: from both ends where
//! components are of a moderate size, and with tables of bounds where they are large. If
//! neither comes to an end soon, some solution is made tile by tile, or, on boards where that
//! does not work, by a word in the generators of the group.

use num_bigint::BigUint;
use pessoi_engine::run::Stop;

use super::explore::Known;
use super::holes::{Holes, Reach};
use super::lookup::{self, Bounds, Looked};
use super::meet::{self, Met};
use super::peel;
use super::plain::isolated;
use super::position::Position;
use super::task::Asked;
use super::words;
use crate::answer::{Answer, Figure, Value};
use crate::certificate::Certificate;
use crate::error::{Error, Result};

const SHORTEST: &str = "slides in a shortest solution";
const SOLUTIONS: &str = "solutions";

/// Components up to this size are searched from both ends first.
pub(super) const MODERATE: u64 = 4_000_000_000;
/// Configurations and nodes after which something else is tried.
pub(super) const MOST_MET: u64 = 6_000_000;
const MOST_NODES: u64 = 400_000_000;
/// A bound that is hardly ever searched to the end.
const FAR: u32 = 70;

/// What is to be solved, once it is known that nothing speaks against it.
struct Search<'a> {
    asked: &'a Asked<'a>,
    from: Position,
    to: Position,
    method: &'a str,
    /// Whether the group says that there is a solution.
    is_sure: bool,
    /// Slides that every solution has at least.
    at_least: u32,
}

/// Answers `find`.
pub(super) fn find(asked: &Asked) -> Result<Answer> {
    let Asked { question, puzzle, .. } = asked;
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
        // Too many sets of holes to list: a search may still find something.
        Err(Stop::Memory { .. }) => None,
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
    let is_sure = reach == Some(Reach::Reached);
    let mut search = Search { asked, from, to, method, is_sure, at_least: 0 };
    if (method == "meet" || (method == "auto" && is_moderate))
        && let Some(answer) = search.meet()?
    {
        return Ok(answer);
    }
    if (method == "lookup" || method == "auto")
        && let Some(answer) = search.look_up(holes)?
    {
        return Ok(answer);
    }
    if method != "group"
        && let Some(answer) = search.peel()
    {
        return Ok(answer);
    }
    Ok(match known {
        Some(Known::Holes(found)) => search.by_group(&found),
        _ => search.gave_up(
            "no way was found to place tile by tile, and there are too many sets of holes to go \
             by the group"
                .into(),
            "tile by tile, and the group",
        ),
    })
}

impl Search<'_> {
    fn gave_up(&self, why: String, method: &str) -> Answer {
        let mut answer = self.asked.answer(Value::GaveUp { why }, SOLUTIONS, method);
        if self.is_sure {
            answer.notes.push("There is a solution: the group shows it.".into());
        }
        answer
    }

    /// From both ends; `None` if that takes too long.
    fn meet(&self) -> Result<Option<Answer>> {
        let Asked { puzzle, run, .. } = self.asked;
        let most = if self.method == "meet" { u64::MAX } else { MOST_MET };
        let engine = "breadth-first search from both ends";
        Ok(match meet::solve(puzzle, &self.from, &self.to, most, run) {
            Ok(Met::Solution(way)) => Some(shortest(self.asked, &way, engine, None)),
            Ok(Met::Apart) if self.is_sure => {
                return Err(Error::internal("the group and the search disagree"));
            }
            Ok(Met::Apart) => {
                let proof = "everything that can be reached was reached".into();
                Some(self.asked.answer(Value::None { proof }, SOLUTIONS, engine))
            }
            Ok(Met::TooMany) => None,
            Err(stop) => Some(self.gave_up(stop.to_string(), engine)),
        })
    }

    /// With tables of bounds; `None` if that takes too long.
    fn look_up(&mut self, holes: usize) -> Result<Option<Answer>> {
        let Asked { puzzle, run, .. } = self.asked;
        let engine = "iterative deepening with tables of bounds";
        let bounds = if holes > lookup::MOST_HOLES {
            None
        } else {
            match Bounds::new(puzzle, &self.to, run) {
                Ok(bounds) => bounds,
                Err(stop) => return Ok(Some(self.gave_up(stop.to_string(), engine))),
            }
        };
        let Some(bounds) = bounds else {
            if self.method == "lookup" {
                return Err(Error::input(format!(
                    "There are too many sets of {holes} holes on {} for tables of bounds; leave \
                     --method to auto.",
                    puzzle.board.name()
                )));
            }
            return Ok(None);
        };
        // Bounds far above what can be searched are not worth the try.
        let is_far = bounds.bound(&self.from) > FAR;
        let most = match self.method {
            "lookup" => u64::MAX,
            _ if is_far => MOST_NODES / 100,
            _ => MOST_NODES,
        };
        Ok(match lookup::solve(puzzle, &bounds, &self.from, &self.to, most, run) {
            Ok((Looked::Solution(way), nodes)) => {
                Some(shortest(self.asked, &way, engine, Some(nodes)))
            }
            Ok((Looked::TooMany { at_least }, _)) => {
                self.at_least = at_least;
                None
            }
            Err(stop) => Some(self.gave_up(stop.to_string(), engine)),
        })
    }

    /// Some solution, tile by tile; `None` if that does not work on this board.
    fn peel(&self) -> Option<Answer> {
        let Asked { puzzle, run, .. } = self.asked;
        let engine = "tile by tile on a board peeled down to its core";
        match peel::solve(puzzle, &self.from, &self.to, run) {
            Err(stop) => Some(self.gave_up(stop.to_string(), engine)),
            Ok(None) => None,
            Ok(Some(way)) => Some(self.some_solution(&way, engine)),
        }
    }

    /// Some solution, by a word in what makes the group.
    fn by_group(&self, found: &Holes) -> Answer {
        let engine = "a word in the generators of the group";
        match words::solve(found, &self.from, &self.to, self.asked.run) {
            Err(stop) => self.gave_up(stop.to_string(), engine),
            Ok(None) => {
                let why = "the words in the generators of the group that were found are too long";
                self.gave_up(why.into(), engine)
            }
            Ok(Some(way)) => self.some_solution(&peel::without_detours(&way), engine),
        }
    }

    fn some_solution(&self, way: &[Position], engine: &str) -> Answer {
        let slides = way.len() - 1;
        let value = Value::AtLeast { number: BigUint::from(1u32), why: None };
        let counts = format!("solution of {slides} slides, perhaps not a shortest one");
        let mut answer = self.asked.answer(value, &counts, engine);
        if self.at_least > 0 {
            let bound = self.at_least;
            answer.notes.push(format!("Every solution has at least {bound} slides."));
        }
        told(self.asked, &mut answer, way);
        answer
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
