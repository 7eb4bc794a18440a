//! Listing: one loop of each class, in an order that does not depend on threads.
//!
//! Where the listener says how a loop is written, loops are written on all threads: tens of
//! millions of loops are listed in about the time that it takes to find them. A thread places
//! each of its loops in the same solution, so nothing is allocated for a loop.

use std::sync::Arc;

use pessoi_engine::run::{Run, Stop};

use super::census::{TYPES, type_of};
use super::count::{FOUND_NONE, span};
use super::engine::{Choice, Engine, choose, plan};
use super::moves::{Point, SYMMETRIES, plus, product};
use super::options::{LIST_LIMIT, PAGE};
use super::paper;
use super::task::{Sameness, Task};
use super::turns::LONGEST_WORD;
use super::visit::visit;
use super::words::{cells, stabiliser};
use crate::answer::{Answer, Subject, Value};
use crate::board::Cell;
use crate::certificate::Certificate;
use crate::error::{Code, Error, Result};
use crate::job::{Asked, Encoder, Events, Job, LISTED};
use crate::plan::Plan;
use crate::question::{Question, Verb};
use crate::solution::{Class, Figure, Solution};

/// Loops on a page.
pub(super) const A_PAGE: u64 = 60;

/// The question for loops one by one: all, a page, or up to a limit.
pub(super) struct List<'q> {
    question: &'q Question,
    task: Arc<Task>,
    choice: Choice,
    /// How many loops of the whole list are left out, and how many are then wanted.
    skip: u64,
    most: u64,
}

/// All loops, or all classes, as far as the options say.
pub(super) fn all(question: &Question, task: Arc<Task>) -> Result<List<'_>> {
    List::new(question, task, question.number(&LIST_LIMIT))
}

impl<'q> List<'q> {
    pub(super) fn new(question: &'q Question, task: Arc<Task>, limit: Option<u64>) -> Result<Self> {
        let choice = choose(question, &task)?;
        let page = question.number(&PAGE);
        let skip = page.map_or(0, |page| (page - 1).saturating_mul(A_PAGE));
        let most = limit.unwrap_or(u64::MAX).min(page.map_or(u64::MAX, |_| A_PAGE));
        Ok(List { question, task, choice, skip, most })
    }

    /// Whether all loops are wanted.
    fn is_all(&self) -> bool {
        self.skip == 0 && self.most == u64::MAX
    }
}

impl Job for List<'_> {
    fn subject(&self, _: &Value) -> Option<Subject> {
        Some(self.task.subject())
    }

    fn plan(&self, run: &Run) -> Result<Plan> {
        Ok(plan(self.question, &self.task, self.choice, self.is_all(), run))
    }

    fn check_store(&self) -> Result<()> {
        let sentence = format!("Lists do not save themselves: leave out --checkpoint. {LISTED}.");
        Err(Error::new(Code::Unsupported, "store", sentence))
    }

    fn answer(&self, run: &Run, events: &mut dyn Events) -> Result<Answer> {
        let listed = match events.encoder() {
            Some(encoder) if self.is_all() => self.write(&*encoder, run, events),
            _ => self.send(run, events),
        };
        let List { question, task, .. } = self;
        let (given, page) = (listed.given, question.number(&PAGE));
        let value = match listed.stopped {
            Some(stop) if listed.is_wanted => Value::stopped(given, stop),
            _ if !listed.is_wanted || page.is_some_and(|page| page > 1) => Value::at_least(given),
            _ if given == 0 && question.part().is_whole() => Value::none(FOUND_NONE),
            _ => Value::exact(given),
        };
        let used = self.choice.engine.used(question, task);
        let mut answer = Asked::new(question, run).answer(&task.subject(), value, used);
        // How far other threads had come when enough was given is chance.
        answer.cost.nodes = listed.is_wanted.then_some(listed.nodes);
        answer.certificate = (given > 0).then(Certificate::solutions);
        if let Some(page) = page {
            answer.notes.push(format!("This is page {page}, of {A_PAGE} loops each."));
        }
        Ok(answer)
    }
}

/// What came of listing.
struct Listed {
    given: u64,
    /// Whether more would be wanted.
    is_wanted: bool,
    nodes: u64,
    stopped: Option<Stop>,
}

/// Loops that were written, and where the next one is placed.
struct Written {
    loops: u64,
    bytes: Vec<u8>,
    solution: Solution,
}

impl List<'_> {
    /// Writes all loops on the threads that find them.
    fn write(&self, encoder: &dyn Encoder, run: &Run, events: &mut dyn Events) -> Listed {
        let empty = || Written { loops: 0, bytes: Vec::new(), solution: self.blank() };
        let each = |written: &mut Written, moves: &[u8], symmetry: usize, symmetries: u8| {
            written.loops += 1;
            self.place(&mut written.solution, moves, symmetry, symmetries);
            encoder.encode(&written.solution, &mut written.bytes);
        };
        let heap = |written: &Written| {
            written.bytes.capacity() + size_of_val(written.solution.figure.path())
        };
        let mut listed = Listed { given: 0, is_wanted: true, nodes: 0, stopped: None };
        let take = |written: Written| {
            listed.given += written.loops;
            listed.is_wanted = events.encoded(&written.bytes, written.loops).is_continue();
            listed.is_wanted
        };
        (listed.nodes, listed.stopped) = self.visit(run, empty, each, heap, take);
        listed
    }

    /// Gives the loops that are asked for one by one.
    fn send(&self, run: &Run, events: &mut dyn Events) -> Listed {
        let mut listed = Listed { given: 0, is_wanted: true, nodes: 0, stopped: None };
        let mut met = 0;
        let each = |found: &mut Vec<Solution>, moves: &[u8], symmetry: usize, symmetries: u8| {
            let mut solution = self.blank();
            self.place(&mut solution, moves, symmetry, symmetries);
            found.push(solution);
        };
        let mut give = |solution: Solution| {
            met += 1;
            if met <= self.skip {
                return true;
            }
            listed.given += 1;
            listed.is_wanted = events.solution(solution).is_continue() && listed.given < self.most;
            listed.is_wanted
        };
        let take = |found: Vec<Solution>| found.into_iter().all(&mut give);
        (listed.nodes, listed.stopped) =
            self.visit(run, Vec::new, each, |found| bytes_of(found), take);
        listed
    }

    /// Gives the moves, symmetry and stabiliser of each loop of the list to `each`, and what
    /// came of it, piece by piece and in order, to `take`. Returns the nodes visited and the
    /// limit that was hit, if one was.
    fn visit<R: Send>(
        &self,
        run: &Run,
        empty: impl Fn() -> R + Sync,
        each: impl Fn(&mut R, &[u8], usize, u8) + Sync,
        heap_bytes: impl Fn(&R) -> usize + Sync,
        mut take: impl FnMut(R) -> bool,
    ) -> (u64, Option<Stop>) {
        let task = &self.task;
        let expand = |result: &mut R, moves: &[u8], symmetries: u8| {
            let span = if task.board.is_some() { span(&cells(&task.moves, moves)) } else { (0, 0) };
            shown(task, symmetries, span, |symmetry| each(result, moves, symmetry, symmetries));
        };
        if let Engine::Paper(algorithm) = self.choice.engine {
            return paper::visit(algorithm, task, run, &mut |moves: &[u8]| {
                let mut result = empty();
                expand(&mut result, moves, stabiliser(&task.moves, moves));
                take(result)
            });
        }
        let visit = visit(
            task,
            self.question.part(),
            run,
            empty,
            |result, found| {
                let symmetries = found.stabiliser(task);
                expand(result, found.moves(task, &mut [0; LONGEST_WORD]), symmetries);
            },
            heap_bytes,
            &mut take,
        );
        (visit.nodes, visit.stopped)
    }

    /// A solution with room for the cells of a loop.
    fn blank(&self) -> Solution {
        let cells = Vec::with_capacity(self.task.length);
        Figure::Path { cells, closed: true }.into()
    }

    /// Places the image of a loop under a symmetry in a solution that came from `blank`.
    fn place(&self, solution: &mut Solution, moves: &[u8], symmetry: usize, symmetries: u8) {
        if let Figure::Path { cells, .. } = &mut solution.figure {
            place(&self.task, moves, symmetry, cells);
        }
        if self.question.verb == Verb::Classify {
            solution.class = Some(class(&self.task, moves, symmetries));
        }
    }
}

/// Which symmetries turn a loop with this stabiliser into the loops that are shown: one of
/// each class, on the board if there is one.
fn shown(task: &Task, stabiliser: u8, span: Point, mut each: impl FnMut(usize)) {
    let upright = task.fits_upright(span);
    let on_its_side = |symmetry: usize| symmetry % 2 == usize::from(symmetry < 4);
    match task.sameness {
        // One image that stands on the board: as it is, or with rows and columns exchanged.
        Sameness::Free => each(if upright { 0 } else { 4 }),
        Sameness::OneSided => {
            each(usize::from(!upright));
            if stabiliser & 0xf0 == 0 {
                each(if upright { 5 } else { 4 });
            }
        }
        Sameness::Fixed => {
            let mut seen = 0u8;
            for symmetry in 0..SYMMETRIES {
                let fits = if on_its_side(symmetry) {
                    task.fits_upright((span.1, span.0))
                } else {
                    upright
                };
                if seen >> symmetry & 1 == 0 && fits {
                    each(symmetry);
                }
                // All that give the same loop.
                for own in (0..SYMMETRIES).filter(|own| stabiliser >> own & 1 == 1) {
                    seen |= 1 << product(symmetry, own);
                }
            }
        }
    }
}

/// How many loops up to translation a loop stands for, and its symmetries.
fn class(task: &Task, moves: &[u8], stabiliser: u8) -> Class {
    let images = |stabiliser: u8| {
        let symmetries = task.sameness.symmetries();
        let own = symmetries.iter().filter(|&&s| stabiliser >> s & 1 == 1).count();
        (symmetries.len() / own) as u64
    };
    let orbit = if task.isometries.is_some() {
        let joined = task.joined(moves).into_iter().map(|word| task.alphabet.walk(&word));
        joined.map(|moves| images(self::stabiliser(&task.moves, &moves))).sum()
    } else {
        images(stabiliser)
    };
    let kind = type_of(stabiliser);
    let name = (kind > 0).then(|| TYPES[kind].0.to_owned());
    Class { orbit, symmetries: name.into_iter().collect() }
}

/// The cells of the image of a loop, moved so that its first row and column are 0.
fn place(task: &Task, moves: &[u8], symmetry: usize, cells: &mut Vec<Cell>) {
    let steps = task.moves.turned(symmetry);
    let (mut at, mut low) = ((0, 0), (0, 0));
    cells.clear();
    cells.extend(moves.iter().map(|&m| {
        let (row, col) = at;
        at = plus(at, steps[usize::from(m)]);
        low = (low.0.min(at.0), low.1.min(at.1));
        Cell { row, col }
    }));
    for cell in cells {
        cell.row -= low.0;
        cell.col -= low.1;
    }
}

/// Bytes of loops that wait to be taken.
fn bytes_of(found: &[Solution]) -> usize {
    let each = |solution: &Solution| size_of::<Solution>() + size_of_val(solution.figure.path());
    found.iter().map(each).sum()
}

/// All images of a loop that are different, with their class.
pub(super) fn images(task: &Task, moves: &[u8], stabiliser: u8) -> Vec<Solution> {
    let class = class(task, moves, stabiliser);
    let mut found = Vec::new();
    shown(task, stabiliser, span(&cells(&task.moves, moves)), |symmetry| {
        let mut cells = Vec::with_capacity(moves.len());
        place(task, moves, symmetry, &mut cells);
        let figure = Figure::Path { cells, closed: true };
        found.push(Solution { figure, class: Some(class.clone()) });
    });
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symmetries_that_lay_a_loop_on_its_side() {
        let on_its_side = |symmetry: usize| symmetry % 2 == usize::from(symmetry < 4);
        for symmetry in 0..SYMMETRIES {
            let (row, col) = super::super::moves::image(symmetry, (1, 0));
            assert_eq!(on_its_side(symmetry), row == 0 && col != 0);
            assert_eq!(on_its_side(symmetry), on_its_side(super::super::moves::inverse(symmetry)));
        }
    }
}
