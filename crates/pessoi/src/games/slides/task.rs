//! What a question asks for.

use pessoi_engine::run::{Run, Stop};

use super::holes::Holes;
use super::position::Position;
use super::rule::Puzzle;
use crate::answer::{Answer, Value};
use crate::board::Lattice;
use crate::error::{Error, Result};
use crate::question::{Place, Question};

/// A question with its puzzle and its run.
pub(super) struct Asked<'a> {
    pub(super) question: &'a Question,
    pub(super) puzzle: Puzzle,
    /// `None` for as few as make all configurations hang together.
    holes: Option<usize>,
    from: Option<Position>,
    to: Option<Position>,
    pub(super) run: &'a Run,
}

impl<'a> Asked<'a> {
    pub(super) fn new(question: &'a Question, lattice: Lattice, run: &'a Run) -> Result<Self> {
        let Place::Board(drawing) = &question.place else {
            return Err(Error::input(format!(
                "Sliding puzzles are played on a board: {}.",
                if lattice == Lattice::Hex { "a shape such as P3x4" } else { "such as 4x4" }
            )));
        };
        if let Some(clue) = drawing.clues.first() {
            return Err(Error::input(format!(
                "This drawing has the number {} on it: draw the board alone, and tell the tiles \
                 with --from and --to.",
                clue.number
            )));
        }
        let puzzle = Puzzle::new(&drawing.board, lattice)?;
        let read = |name: &str| {
            question.text(name).map(|text| Position::parse(text, &puzzle, name)).transpose()
        };
        let (from, to) = (read("from")?, read("to")?);
        let given = |position: &Option<Position>| {
            position.as_ref().map(|position| position.holes().count_ones() as usize)
        };
        let holes = match question.text("holes") {
            None => {
                let usual = if lattice == Lattice::Hex { 2 } else { 1 };
                Some(given(&from).or(given(&to)).unwrap_or(usual))
            }
            Some("auto") => None,
            Some(text) => match text.parse() {
                Ok(holes) if holes > 0 => Some(holes),
                _ => {
                    return Err(Error::input(format!(
                        "--holes {text:?} is not accepted: give a whole number from 1 on, or auto."
                    )));
                }
            },
        };
        let asks = question.text("holes").is_some();
        for (name, position) in [("from", &from), ("to", &to)] {
            if let (Some(there), Some(holes)) = (given(position), holes)
                && holes != there
            {
                let other = if asks { "--holes asks for" } else { "--from has" };
                return Err(Error::input(format!(
                    "--{name} has {}, but {other} {holes}; the number must be the same.",
                    so_many(there, "hole")
                )));
            }
        }
        let cells = puzzle.len();
        if cells < 2 {
            return Err(Error::input(format!(
                "{} has {}, and a sliding puzzle needs a tile and a hole: take a larger board.",
                puzzle.board.name(),
                so_many(cells, "cell")
            )));
        }
        if let Some(holes) = holes.filter(|&holes| holes >= cells) {
            let why = if holes > cells { "more holes than cells" } else { "no tile" };
            return Err(Error::input(format!(
                "{} with {} has {why}: there are {cells} cells, so give at most {}.",
                puzzle.board.name(),
                so_many(holes, "hole"),
                so_many(cells - 1, "hole"),
            )));
        }
        Ok(Asked { question, puzzle, holes, from, to, run })
    }

    /// How many holes there are, if that was told.
    pub(super) fn told_holes(&self) -> Option<usize> {
        self.holes
    }

    /// How many tiles there are, where `auto` makes no sense.
    pub(super) fn tiles(&self) -> Result<usize> {
        match self.holes {
            Some(holes) => Ok(self.puzzle.len() - holes),
            None => Err(Error::input(format!(
                "{} needs to know how many holes there are: give --holes a number.",
                self.question.verb
            ))),
        }
    }

    /// The configuration to start from.
    pub(super) fn from(&self, holes: usize) -> Result<Position> {
        self.given(self.from.as_ref(), "from", holes)
    }

    /// The configuration to reach.
    pub(super) fn to(&self, holes: usize) -> Result<Position> {
        self.given(self.to.as_ref(), "to", holes)
    }

    /// Whether a start was told.
    pub(super) fn has_from(&self) -> bool {
        self.from.is_some()
    }

    fn given(&self, told: Option<&Position>, name: &str, holes: usize) -> Result<Position> {
        if let Some(position) = told {
            let there = position.holes().count_ones() as usize;
            if there != holes {
                return Err(Error::input(format!(
                    "--{name} has {}, where {holes} are needed: with so many all configurations \
                     hang together.",
                    so_many(there, "hole")
                )));
            }
            return Ok(position.clone());
        }
        match self.puzzle.home_holes(holes) {
            Some(set) => Ok(Position::home(&self.puzzle, set)),
            None => Err(Error::input(format!(
                "Nothing can be done here: {}.",
                self.nothing_slides(holes)
            ))),
        }
    }

    /// The answer where no tile can slide, wherever the holes are: there is no component.
    pub(super) fn nothing(&self, holes: usize, counts: &str) -> Option<Answer> {
        if self.puzzle.home_holes(holes).is_some() || self.from.is_some() || self.to.is_some() {
            return None;
        }
        let proof = self.nothing_slides(holes);
        Some(self.answer(Value::None { proof }, counts, "inspection"))
    }

    fn nothing_slides(&self, holes: usize) -> String {
        format!(
            "on {} with {} no tile can slide, wherever the holes are, so every configuration is \
             isolated",
            self.puzzle.board.name(),
            so_many(holes, "hole")
        )
    }

    /// The hole-sets and groups for a number of holes.
    pub(super) fn hole_sets(&self, holes: usize) -> Result<Holes, Stop> {
        Holes::new(&self.puzzle, holes, self.run)
    }

    pub(super) fn answer(&self, value: Value, counts: &str, method: &str) -> Answer {
        Answer::new(self.question, value, counts, method, self.run)
    }

    pub(super) fn gave_up(&self, stop: &Stop, counts: &str, method: &str) -> Answer {
        self.answer(Value::GaveUp { why: stop.to_string() }, counts, method)
    }
}

/// A number of things, in words.
pub(super) fn so_many(number: usize, thing: &str) -> String {
    if number == 1 { format!("{number} {thing}") } else { format!("{number} {thing}s") }
}
