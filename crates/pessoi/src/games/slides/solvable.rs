//! The verb `check`: whether a configuration can be solved. (The file `check` is the checker of
//! answers.)
//!
//! The group decides. If it can be solved, some solution made tile by tile is the certificate;
//! if not, the parity or the part of the puzzle graph shows it. Whether it can or not, the answer
//! lists the slides that can be made now and what they lead to, for whoever plays on.

use pessoi_engine::run::Run;

use super::find::{Decided, Finding, SOLUTIONS};
use super::hint::moves;
use super::methods::SOLVABLE;
use super::peel;
use super::position::{Position, direction, figure};
use super::proofs::{GOAL_FACT, WAY, Way};
use super::rule::Puzzle;
use super::task::Task;
use crate::answer::{Answer, Limit, Subject, Value};
use crate::certificate::Certificate;
use crate::error::Result;
use crate::job::{Events, Job};
use crate::plan::Plan;
use crate::table::{DatumKind, Table};

/// Answers `check`.
pub(super) struct Checking<'a> {
    finding: Finding<'a>,
}

impl<'a> Checking<'a> {
    pub(super) fn new(task: Task<'a>) -> Result<Self> {
        Ok(Checking { finding: Finding::new(task)? })
    }
}

/// The slides that a configuration allows, in the order of their tiles.
fn slides(position: &Position, puzzle: &Puzzle) -> Table {
    let mut table = Table::new(
        "slides",
        "Slides that can be made now",
        &[
            ("tile", "tile", DatumKind::Integer),
            ("from", "from", DatumKind::Cell),
            ("to", "to", DatumKind::Cell),
            ("direction", "direction", DatumKind::Text),
            ("then", "what it leads to", DatumKind::Text),
        ],
    );
    let mut found = Vec::new();
    puzzle.slides(position.holes(), |from, to| {
        let next = position.after(from, to);
        if let Some((tile, from, to)) = position.slide_to(&next, puzzle) {
            found.push((tile, from, to, next.line(puzzle)));
        }
    });
    found.sort_unstable();
    for (tile, from, to, then) in found {
        let direction = direction(puzzle.board.lattice(), from, to).unwrap_or_default();
        table.push([tile.into(), from.into(), to.into(), direction.into(), (&*then).into()]);
    }
    table
}

impl Job for Checking<'_> {
    fn subject(&self, _: &Value) -> Option<Subject> {
        Some(SOLUTIONS)
    }

    fn plan(&self, _: &Run) -> Result<Plan> {
        let why = "the group decides whether there is a solution";
        Ok(Plan::new(self.finding.task().question, &SOLVABLE, why))
    }

    fn answer(&self, run: &Run, _: &mut dyn Events) -> Result<Answer> {
        let finding = &self.finding;
        let puzzle = &finding.task().puzzle;
        let asked = finding.task().asked(run);
        let (from, to) = finding.ends();
        let solved = |way: Option<Vec<_>>| {
            let mut answer = asked.answer(&SOLUTIONS, Value::at_least(1u8), &SOLVABLE);
            answer.fact("solvable", "it can be solved", true);
            answer.notes.push("It can be solved.".into());
            answer.fact(GOAL_FACT, "goal", to.line(puzzle));
            answer.tables.push(slides(from, puzzle));
            if let Some(way) = way {
                let moves = moves(figure(&way, puzzle).figure);
                answer.certificate = Some(Certificate::own(WAY, &Way { moves }));
            }
            Ok(answer)
        };
        match finding.decide(run) {
            Err(stop) => Ok(asked.gave_up(&SOLUTIONS, stop, &SOLVABLE)),
            Ok(Decided::Same) => solved(Some(vec![from.clone()])),
            Ok(Decided::None { proof, certificate }) => {
                let mut answer = asked.answer(&SOLUTIONS, Value::none(proof), &SOLVABLE);
                answer.fact("solvable", "it can be solved", false);
                answer.fact(GOAL_FACT, "goal", to.line(puzzle));
                answer.tables.push(slides(from, puzzle));
                answer.certificate = Some(certificate);
                Ok(answer)
            }
            Ok(Decided::Open(open)) => match peel::solve(puzzle, from, to, run) {
                Ok(Some(way)) => solved(Some(way)),
                _ if open.is_sure() => solved(None),
                Err(stop) => Ok(asked.gave_up(&SOLUTIONS, stop, &SOLVABLE)),
                Ok(None) => {
                    let text = "there are too many sets of holes for the group to decide, and no \
                                solution was found tile by tile";
                    Ok(asked.gave_up(&SOLUTIONS, Limit::Attempts { text: text.into() }, &SOLVABLE))
                }
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::table::Datum;
    use crate::{Answer, Catalogue, Question, Run, Verb};

    fn check(game: &str, place: &str, from: &str) -> Answer {
        let question = Question::new(Verb::Check, game, place).unwrap().with("from", from);
        Catalogue::standard().answer(&question, &Run::default()).unwrap()
    }

    fn column(answer: &Answer, name: &str) -> Vec<String> {
        let table = answer.table("slides").unwrap();
        let at = table.column(name).unwrap();
        let cell = |row: &Vec<Datum>| match &row[at] {
            Datum::Integer(number) => number.to_string(),
            Datum::Text(text) => text.clone(),
            other => panic!("{other:?}"),
        };
        table.rows.iter().map(cell).collect()
    }

    #[test]
    fn slides_lead_on() {
        let answer = check("square-slide", "2x3", "1 2 3/4 . 5");
        assert_eq!(answer.fact_of("goal"), Some(&"1 2 3/4 5 .".into()));
        assert_eq!(column(&answer, "tile"), ["2", "4", "5"]);
        assert_eq!(column(&answer, "direction"), ["down", "right", "left"]);
        assert_eq!(column(&answer, "then"), ["1 . 3/4 2 5", "1 2 3/. 4 5", "1 2 3/4 5 ."]);
        for then in column(&answer, "then") {
            assert_eq!(check("square-slide", "2x3", &then).value, answer.value);
        }
    }

    /// Two holes that touch: a tile slides if it touches both.
    #[test]
    fn hexagonal_tiles_need_two_holes() {
        let answer = check("hex-slide", "P2x3", "1 2/3 4/. .");
        assert_eq!(column(&answer, "tile"), ["4", "4"]);
        assert_eq!(column(&answer, "direction"), ["down-left", "down-right"]);
        let unsolvable = check("square-slide", "2x2", "2 1/3 .");
        assert_eq!(column(&unsolvable, "tile"), ["1", "3"]);
    }
}
