//! A checked question: the puzzle, its holes, and the configurations that were given.

use pessoi_engine::run::{Run, Stop};

use super::methods::INSPECTION;
use super::options::{COMPONENT_FROM, FEWEST, FROM, HEX_HOLES, SQUARE_HOLES, TO};
use super::position::Position;
use super::rule::Puzzle;
use crate::answer::{Answer, Subject, Value};
use crate::board::Lattice;
use crate::card::{Method, Opt};
use crate::error::{Error, Result};
use crate::job::Asked;
use crate::plan::Plan;
use crate::question::Question;

/// A question with its puzzle.
pub(super) struct Task<'a> {
    pub(super) question: &'a Question,
    pub(super) puzzle: Puzzle,
    /// How many holes there are; `None` for the fewest with which there is one component.
    pub(super) holes: Option<usize>,
    pub(super) from: Option<Position>,
    pub(super) to: Option<Position>,
}

impl<'a> Task<'a> {
    pub(super) fn new(question: &'a Question) -> Result<Self> {
        let board = question.board()?;
        let puzzle = Puzzle::new(board);
        let cells = puzzle.len();
        if cells < 2 {
            return Err(Error::place(format!(
                "{} has {}, and a sliding puzzle needs a tile and a hole: take a larger board.",
                board.name(),
                so_many(cells, "cell")
            )));
        }
        let from = Position::given(question, &FROM, &puzzle)?;
        let to = Position::given(question, &TO, &puzzle)?;
        let holes_of = |position: &Option<Position>| {
            position.as_ref().map(|position| position.holes().count_ones() as usize)
        };
        let opt = if board.lattice() == Lattice::Hex { HEX_HOLES } else { SQUARE_HOLES };
        let is_asked = question.is_given(&opt);
        if is_asked && question.text(&opt) == Some(FEWEST) {
            if from.is_some() {
                return Err(Error::conflict(
                    opt.name,
                    "--from shows how many holes there are: leave out --holes auto.",
                ));
            }
            return Ok(Task { question, puzzle, holes: None, from, to });
        }
        let number = question.number(&opt).and_then(|number| usize::try_from(number).ok());
        let number = number.ok_or_else(|| Error::internal("there is no number of holes"))?;
        let shown = holes_of(&from).or(holes_of(&to));
        let holes = shown.filter(|_| !is_asked).unwrap_or(number);
        for (opt, position) in [(&FROM, &from), (&TO, &to)] {
            if let Some(there) = holes_of(position).filter(|&there| there != holes) {
                let other = if is_asked { "--holes asks for" } else { "--from has" };
                return Err(Error::conflict(
                    opt.name,
                    format!(
                        "--{} has {}, but {other} {holes}; the number must be the same.",
                        opt.name,
                        so_many(there, "hole")
                    ),
                ));
            }
        }
        if holes >= cells {
            let why = if holes > cells { "more holes than cells" } else { "no tile" };
            return Err(Error::option(
                opt.name,
                format!(
                    "{} with {} has {why}: there are {cells} cells, so give at most {}.",
                    board.name(),
                    so_many(holes, "hole"),
                    so_many(cells - 1, "hole"),
                ),
            ));
        }
        Ok(Task { question, puzzle, holes: Some(holes), from, to })
    }

    /// The number of holes of verbs that cannot choose it.
    pub(super) fn number_of_holes(&self) -> Result<usize> {
        self.holes.ok_or_else(|| Error::internal("this verb cannot choose the number of holes"))
    }

    /// The question with a run.
    pub(super) fn asked<'r>(&'r self, run: &'r Run) -> Asked<'r> {
        Asked::new(self.question, run)
    }

    /// The tiles in order, and the holes last or as near to last as lets a tile slide; `None`
    /// if none can, wherever the holes are.
    pub(super) fn home(&self, holes: usize) -> Option<Position> {
        self.puzzle.home_holes(holes).map(|set| Position::home(self.puzzle.len(), set))
    }

    /// Why there is nothing to be asked about: no tile can slide, wherever the holes are.
    pub(super) fn nothing_slides(&self) -> Option<String> {
        let holes = self.holes?;
        if self.from.is_some() || self.to.is_some() || self.puzzle.home_holes(holes).is_some() {
            return None;
        }
        Some(format!(
            "on {} with {} no tile can slide, wherever the holes are, so every configuration is \
             isolated",
            self.puzzle.board.name(),
            so_many(holes, "hole")
        ))
    }

    /// The answer where nothing slides.
    pub(super) fn nothing(&self, subject: &Subject, run: &Run) -> Option<Answer> {
        let proof = self.nothing_slides()?;
        Some(self.asked(run).answer(subject, Value::none(proof), &INSPECTION))
    }

    /// The plan where nothing slides.
    pub(super) fn nothing_planned(&self) -> Option<Plan> {
        Some(Plan::new(self.question, &INSPECTION, &self.nothing_slides()?))
    }

    /// A plan that could not be finished.
    pub(super) fn cut_short(&self, method: &Method, stop: &Stop) -> Plan {
        Plan::new(self.question, method, "its cost could not be predicted")
            .note(format!("Planning was stopped: {stop}."))
    }

    /// Refuses a start from which nothing can be reached.
    pub(super) fn refuse_isolated_start(&self) -> Result<()> {
        match &self.from {
            Some(from) if self.puzzle.is_isolated(from.holes()) => Err(isolated(&COMPONENT_FROM)),
            _ => Ok(()),
        }
    }
}

/// An error where a configuration is needed that allows a slide.
pub(super) fn isolated(opt: &Opt) -> Error {
    let name = opt.name;
    Error::option(
        name,
        format!(
            "--{name} is isolated: no tile can slide there, so nothing can be reached from it."
        ),
    )
}

/// A number of things, in words.
pub(super) fn so_many(number: usize, thing: &str) -> String {
    if number == 1 { format!("{number} {thing}") } else { format!("{number} {thing}s") }
}
