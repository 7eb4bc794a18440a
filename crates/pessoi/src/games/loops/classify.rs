//! Classifying one loop. (All classes are a list: see [`super::list`].)

use pessoi_engine::run::Run;

use super::census::{TYPES, type_of};
use super::count::span;
use super::crossing::crossings;
use super::engine::IMAGES;
use super::list::images;
use super::moves::{Point, minus};
use super::options::{PATH, WIDTH};
use super::paper::moves_of;
use super::task::{LONGEST_WALK, Task};
use super::words::stabiliser;
use crate::answer::{Answer, Subject, Value};
use crate::board::{Cell, SIDE_LIMIT};
use crate::certificate::Certificate;
use crate::error::{Error, Result};
use crate::job::{Asked, Events, Job};
use crate::plan::Plan;
use crate::question::{Place, Question};

/// The question which class a loop is of, and which images of it are different.
pub(super) struct One<'q> {
    question: &'q Question,
    path: Vec<Point>,
    task: Task,
    /// Pairs of moves that cross or touch.
    crossings: usize,
}

impl<'q> One<'q> {
    pub(super) fn new(question: &'q Question, leapers: &[Point]) -> Result<Self> {
        let path = read_path(question)?;
        let task = Task::new(question, leapers, path.len())?;
        check_path(&path, &task)?;
        if let Place::Size(size) = question.place
            && size != path.len() as u64
        {
            return Err(Error::place(format!(
                "The path has {} cells, not {size}; the length need not be given.",
                path.len()
            )));
        }
        let crossings = crossings(&path);
        if crossings > 0 && task.crossing.is_some() {
            return Err(Error::option(
                PATH.name,
                format!(
                    "The path crosses or touches itself ({crossings} pairs of moves), so it is \
                     none of the --non-crossing ones."
                ),
            ));
        }
        Ok(One { question, path, task, crossings })
    }
}

impl Job for One<'_> {
    fn subject(&self, _: &Value) -> Option<Subject> {
        Some(self.task.subject())
    }

    fn plan(&self, _: &Run) -> Result<Plan> {
        Ok(Plan::new(self.question, &IMAGES, "all images of one loop are compared"))
    }

    fn answer(&self, run: &Run, events: &mut dyn Events) -> Result<Answer> {
        let One { question, path, task, crossings } = self;
        let alphabet = &task.alphabet;
        let word = alphabet.canonical(&alphabet.spell(&moves_of(&task.moves, path)));
        let moves = alphabet.walk(&word);
        let symmetries = stabiliser(&task.moves, &moves);
        let images = images(task, &moves, symmetries);
        let value = Value::exact(images.len());
        let mut answer = Asked::new(question, run).answer(&task.subject(), value, &IMAGES);
        let letters = if alphabet.has_turns() { "turns" } else { "moves" };
        let spelt: Vec<String> = word.iter().map(ToString::to_string).collect();
        let spelt = spelt.join(if alphabet.letters() > 10 { " " } else { "" });
        let (rows, cols) = span(path);
        answer.fact("length", "length", path.len());
        answer.fact("word", &format!("canonical word of {letters}"), spelt);
        answer.fact("symmetry", "symmetry", TYPES[type_of(symmetries)].0);
        answer.fact(
            "orbit",
            "loops up to translation that are images of it",
            8 / symmetries.count_ones(),
        );
        answer.fact(
            "mirror-is-rotation",
            "its mirror image is a rotation of it",
            symmetries & 0xf0 != 0,
        );
        answer.fact("rows", "rows", rows);
        answer.fact("columns", "columns", cols);
        answer.fact("crossings", "pairs of moves that cross or touch", *crossings);
        if *crossings == 0 {
            answer.fact("area", "area", twice_area(path) as f64 / 2.0);
        }
        answer.certificate = Some(Certificate::solutions());
        for (given, image) in (1u64..).zip(images) {
            if events.solution(image).is_break() {
                answer.value = Value::at_least(given);
                break;
            }
        }
        Ok(answer)
    }
}

/// Twice the area inside a polygon.
fn twice_area(path: &[Point]) -> i64 {
    let next = path.iter().cycle().skip(1);
    let cross = |(a, b): (&Point, &Point)| {
        i64::from(a.0) * i64::from(b.1) - i64::from(a.1) * i64::from(b.0)
    };
    path.iter().zip(next).map(cross).sum::<i64>().abs()
}

/// The cells of `--path`.
fn read_path(question: &Question) -> Result<Vec<Point>> {
    let text = question.text(&PATH).unwrap_or_default();
    let bad = |why: String| {
        let how = "give cells as row,column, such as '1,3 2,5 …', or their numbers with --width, \
                   such as '3 7 15 …'";
        Error::option(PATH.name, format!("--path {why}; {how}."))
    };
    let cells: Vec<Point> = if let Some(width) = question.number(&WIDTH) {
        let numbers = text.split([' ', ',', '\t', '\n']).filter(|word| !word.is_empty());
        let cell = |word: &str| match word.parse::<u64>() {
            Ok(number) if (1..=width * SIDE_LIMIT as u64).contains(&number) => {
                Ok((((number - 1) / width) as i32, ((number - 1) % width) as i32))
            }
            _ => Err(bad(format!("has {word:?} as the number of a cell"))),
        };
        numbers.map(cell).collect::<Result<_>>()?
    } else {
        let cell = |word: &str| match word.parse::<Cell>() {
            Ok(cell) => Ok((cell.row, cell.col)),
            Err(_) => Err(bad(format!("has {word:?} as a cell"))),
        };
        text.split_whitespace().map(cell).collect::<Result<_>>()?
    };
    match cells.len() {
        3..=LONGEST_WALK => Ok(cells),
        n => Err(bad(format!(
            "has {n} cells, but a loop has at least 3, and up to {LONGEST_WALK} are handled"
        ))),
    }
}

/// Refuses what is no loop, and says where.
fn check_path(path: &[Point], task: &Task) -> Result<()> {
    let name = |(row, col): Point| Cell { row, col };
    let bad = |why: String| Err(Error::option(PATH.name, format!("--path {why}.")));
    for (at, &cell) in path.iter().enumerate() {
        if let Some(before) = path[..at].iter().position(|&other| other == cell) {
            let (cell, first, again) = (name(cell), before + 1, at + 1);
            return bad(format!("visits {cell} twice, as its cells {first} and {again}"));
        }
    }
    for (at, &from) in path.iter().enumerate() {
        let to = path[(at + 1) % path.len()];
        if task.moves.find(minus(to, from)).is_none() {
            let which = if at + 1 == path.len() {
                "is not closed: the last step".to_owned()
            } else {
                format!("has no legal step {}: that", at + 1)
            };
            return bad(format!("{which}, from {} to {}, is no move", name(from), name(to)));
        }
    }
    Ok(())
}
