//! Counting.

use std::io;
use std::sync::Arc;

use num_bigint::BigUint;
use num_traits::Zero;
use pessoi_engine::ledger::{Chapter, Ledger, Writer};
use pessoi_engine::records::{Unusable, Words};
use pessoi_engine::run::{Run, Stop};

use super::census::{Census, TYPES};
use super::doubling;
use super::engine::{Choice, Engine, choose, plan};
use super::moves::{Moves, Point};
use super::options::SEQUENCE;
use super::paper;
use super::task::{Sameness, Task};
use super::transfer;
use super::turns::LONGEST_WORD;
use super::visit::{Taker, visit};
use super::words::{cells, stabiliser};
use crate::answer::{Answer, Limit, Sequence, Subject, Term, Value};
use crate::error::{Error, Result};
use crate::games::leapers;
use crate::job::{Asked, Events, Halt, Job, Work};
use crate::plan::Plan;
use crate::question::Question;

/// The question how many loops there are, of one length or of all lengths up to one.
pub(super) struct Count<'q> {
    question: &'q Question,
    task: Arc<Task>,
    choice: Choice,
}

impl<'q> Count<'q> {
    pub(super) fn new(question: &'q Question, task: Arc<Task>) -> Result<Self> {
        let choice = choose(question, &task)?;
        Ok(Count { question, task, choice })
    }
}

impl Job for Count<'_> {
    fn subject(&self, _: &Value) -> Option<Subject> {
        Some(self.task.subject())
    }

    fn plan(&self, run: &Run) -> Result<Plan> {
        Ok(plan(self.question, &self.task, self.choice, true, run))
    }

    fn check_store(&self) -> Result<()> {
        Ok(())
    }

    fn answer(&self, run: &Run, _: &mut dyn Events) -> Result<Answer> {
        let Count { question, task, choice: Choice { engine, .. } } = self;
        let is_sequence = question.flag(&SEQUENCE);
        let lengths = if is_sequence { 3..=task.length } else { task.length..=task.length };
        let asked = Asked::new(question, run);
        let ledger = asked.ledger(engine.id())?;
        if *engine == Engine::Transfer {
            return self.transferred(&asked, &ledger);
        }
        let mut terms = Vec::new();
        let mut nodes = None;
        let mut counted = Counted::default();
        for length in lengths {
            let task = Arc::new(Task { length, ..Task::clone(task) });
            if task.none().is_some() {
                continue;
            }
            counted = tally(question, &task, *engine, run, &ledger)?;
            nodes = counted.nodes.map(|more| more + nodes.unwrap_or(0));
            if counted.stopped.is_some() {
                break;
            }
            let value = counted.tally.number(&task, task.sameness).into();
            terms.push(Term { n: index(&task), value });
        }
        let number = BigUint::from(counted.tally.number(task, task.sameness));
        let value = match (&counted.stopped, task.none()) {
            (Some(stop), _) if is_sequence || *engine == Engine::Doubling => {
                Value::gave_up(stop.clone())
            }
            (Some(stop), _) => Value::stopped(number, stop.clone()),
            // Asked for alone, this length would not have been counted.
            (None, Some(proof)) => Value::none(proof),
            (None, None) if number.is_zero() && question.part().is_whole() => {
                Value::none(FOUND_NONE)
            }
            (None, None) => Value::exact(number),
        };
        let used = engine.used(question, task);
        let mut answer = asked.answer(&task.subject(), value, used);
        answer.cost.nodes = nodes;
        asked.close(&ledger, &mut answer)?;
        if task.board.is_some() && task.none().is_none() && counted.stopped.is_none() {
            let text = "ways to put them on the board, turned and mirrored too";
            answer.fact("placements", text, counted.tally.placements / 2);
        }
        if is_sequence {
            answer.set_sequence(sequence(task, terms));
        }
        Ok(answer)
    }
}

impl Count<'_> {
    /// The answer by a transfer matrix: what it says of one length it also says of shorter ones.
    fn transferred(&self, asked: &Asked, ledger: &Ledger) -> Result<Answer> {
        let Count { question, task, choice: Choice { engine, .. } } = self;
        let even = task.length / 2 * 2;
        let found = match transfer::polygons(even, task.sameness, asked.run, ledger) {
            Ok(found) => Ok(found),
            Err(Halt::Stop(stop)) => Err(stop),
            Err(Halt::Error(error)) => return Err(asked.off(ledger, error.sentence)),
        };
        let number = |fixed: &transfer::Fixed| {
            fixed.number(task.sameness).map_err(|error| asked.off(ledger, error.sentence))
        };
        let mut terms = Vec::new();
        let value = match found {
            Err(stop) => Value::gave_up(stop),
            Ok(found) => {
                for (n, fixed) in found.iter().enumerate().skip(2) {
                    terms.push(Term { n: n as u64, value: number(fixed)?.into() });
                }
                match (task.none(), found.last()) {
                    (None, Some(last)) => Value::exact(number(last)?),
                    (proof, _) => Value::none(proof.unwrap_or_default()),
                }
            }
        };
        let mut answer = asked.answer(&task.subject(), value, engine.used(question, task));
        answer.cost.borders = Some(asked.run.progress().handled);
        asked.close(ledger, &mut answer)?;
        if question.flag(&SEQUENCE) {
            answer.set_sequence(sequence(task, terms));
        }
        Ok(answer)
    }
}

/// The proof by a search that found nothing.
pub(super) const FOUND_NONE: &str = "the search tried every loop and found none";

/// What was counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Tally {
    pub(super) census: Census,
    /// Of the loops up to translation, those that fit the board as they are. (Halves of
    /// images are added twice over, here and below.)
    fixed_on_board: u128,
    /// Ways to put them on the board.
    placements: u128,
}

impl Words for Tally {
    fn put(&self, words: &mut Vec<u64>) {
        self.census.0.put(words);
        [self.fixed_on_board, self.placements].put(words);
    }

    fn take(words: &mut &[u64]) -> Option<Self> {
        let census = Census(Words::take(words)?);
        let [fixed_on_board, placements] = <[u128; 2]>::take(words)?;
        Some(Tally { census, fixed_on_board, placements })
    }
}

impl Tally {
    pub(super) fn merge(&mut self, other: &Tally) {
        self.census.merge(&other.census);
        self.fixed_on_board += other.fixed_on_board;
        self.placements += other.placements;
    }

    /// Adds a class with these symmetries, given by one of its loops.
    pub(super) fn add(&mut self, stabiliser: u8, moves: &[u8], task: &Task) {
        self.census.add(stabiliser);
        let Some(board) = task.board else { return };
        let (rows, cols) = span(&cells(&task.moves, moves));
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

    /// How many loops there are, when these are the same.
    pub(super) fn number(&self, task: &Task, sameness: Sameness) -> u128 {
        if task.board.is_some() && sameness == Sameness::Fixed {
            return self.fixed_on_board / 2;
        }
        self.census.number(sameness)
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
#[derive(Default)]
pub(super) struct Counted {
    pub(super) tally: Tally,
    pub(super) nodes: Option<u64>,
    pub(super) stopped: Option<Limit>,
}

/// What a count has taken, kept in a chapter of its ledger.
struct Sum<'c> {
    chapter: &'c Chapter<'c>,
    /// Of which jobs: a digest, and how many.
    of: [u64; 2],
    /// Of jobs that are done: how many, the nodes they cost, and what they gave.
    jobs: u64,
    nodes: u64,
    done: Tally,
    /// Of the next one.
    open: Tally,
}

impl<'c> Sum<'c> {
    fn new(chapter: &'c Chapter<'c>) -> Self {
        let (done, open) = Default::default();
        Sum { chapter, of: [0, 0], jobs: 0, nodes: 0, done, open }
    }

    /// All that was taken, at a cost of so many nodes.
    fn end(mut self, nodes: Option<u64>, stopped: Option<Stop>) -> Counted {
        match stopped {
            None => self.chapter.finish(&(self.nodes, self.done.clone())),
            // It was stopped before it was known what the jobs are.
            Some(_) if self.of == [0, 0] => {}
            Some(_) => self.chapter.put_aside(|out| self.put(out)),
        }
        self.done.merge(&self.open);
        Counted { tally: self.done, nodes, stopped: stopped.map(Limit::from) }
    }

    fn put(&self, out: &mut Writer) -> io::Result<()> {
        out.put(&(self.of, [self.jobs, self.nodes], self.done.clone()))
    }
}

impl Taker<Tally> for Sum<'_> {
    fn take(&mut self, piece: Tally) -> bool {
        self.open.merge(&piece);
        true
    }

    fn taken(&mut self, digest: u64, jobs: u64) -> Result<(u64, u64), Stop> {
        self.of = [digest, jobs];
        let Some(mut saved) = self.chapter.begun()? else { return Ok((0, 0)) };
        let read = saved.take::<([u64; 2], [u64; 2], Tally)>();
        let refuse = |why| Err(self.chapter.refuse(why));
        match read {
            Err(why) => refuse(why),
            Ok((of, ..)) if of != self.of => refuse(Unusable::Other { about: None }),
            Ok((_, [jobs, nodes], _)) if jobs > self.of[1] || nodes >= MOST_NODES => {
                refuse(Unusable::Damaged)
            }
            Ok((_, [jobs, nodes], done)) => {
                (self.jobs, self.nodes, self.done) = (jobs, nodes, done);
                Ok((jobs, nodes))
            }
        }
    }

    fn done(&mut self, jobs: u64, nodes: u64) {
        (self.jobs, self.nodes) = (jobs, nodes);
        self.done.merge(&std::mem::take(&mut self.open));
        self.chapter.save_if_due(|out| self.put(out));
    }
}

/// Adds loops one by one.
struct Adding<'s, 'c> {
    sum: &'s mut Sum<'c>,
    task: &'s Task,
}

impl<'m> Taker<&'m [u8]> for Adding<'_, '_> {
    fn take(&mut self, moves: &'m [u8]) -> bool {
        self.sum.open.add(stabiliser(&self.task.moves, moves), moves, self.task);
        true
    }

    fn taken(&mut self, digest: u64, jobs: u64) -> Result<(u64, u64), Stop> {
        self.sum.taken(digest, jobs)
    }

    fn done(&mut self, jobs: u64, nodes: u64) {
        self.sum.done(jobs, nodes);
    }
}

/// No machine looks at so many; what says so is forged, and must not overflow later.
const MOST_NODES: u64 = 1 << 60;

/// Counts loops by an engine. The count is kept in a chapter of the job's ledger.
pub(super) fn tally(
    question: &Question,
    task: &Arc<Task>,
    engine: Engine,
    run: &Run,
    ledger: &Ledger,
) -> Result<Counted> {
    let chapter = ledger.chapter(format!("length {}", task.length));
    match chapter.result::<(u64, Tally)>() {
        Ok(None) => {}
        Ok(Some((nodes, tally))) => {
            return Ok(Counted { tally, nodes: Some(nodes), stopped: None });
        }
        Err(stop) => return Ok(Counted { stopped: Some(stop.into()), ..Counted::default() }),
    }
    let mut sum = Sum::new(&chapter);
    match engine {
        Engine::Orderly => {
            let visit = visit(
                task,
                question.part(),
                run,
                Tally::default,
                |tally, found| {
                    let symmetries = found.stabiliser(task);
                    if task.board.is_some() {
                        tally.add(symmetries, found.moves(task, &mut [0; LONGEST_WORD]), task);
                    } else {
                        tally.census.add(symmetries);
                    }
                },
                |_| 0,
                &mut sum,
            );
            Ok(sum.end(Some(visit.nodes), visit.stopped))
        }
        Engine::Paper(algorithm) => {
            let mut adding = Adding { sum: &mut sum, task };
            let (nodes, stopped) = paper::visit(algorithm, task, run, &mut adding);
            Ok(sum.end(Some(nodes), stopped))
        }
        Engine::Transfer => Err(Error::internal("polygons are counted for all lengths at once")),
        Engine::Doubling => match doubled(task, run, ledger) {
            Ok(census) => {
                let tally = Tally { census, ..Tally::default() };
                Ok(Counted { tally, nodes: None, stopped: None })
            }
            Err(Halt::Stop(stop)) => Ok(Counted { stopped: Some(stop), ..Counted::default() }),
            Err(Halt::Error(error)) => Err(Asked::new(question, run).off(ledger, error.sentence)),
        },
    }
}

/// The census by length doubling.
fn doubled(task: &Task, run: &Run, ledger: &Ledger) -> Work<Census> {
    let moves = Arc::new(task.moves.clone());
    let mut census = doubling::census(&moves, task.length, run, ledger, "")?;
    if task.isometries.is_some() {
        // The loops on the tilted lattice are those of the wazir; those of them that no mirror
        // leaves alone come in pairs which only a tilted mirror joins.
        let wazir = Arc::new(Moves::new(&[(0, 1)]));
        join_pairs(
            &mut census,
            &doubling::census(&wazir, task.length, run, ledger, " on the tilted lattice")?,
        )?;
    }
    Ok(census)
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

/// The index of a length in its sequence: where loops are even, half the length.
fn index(task: &Task) -> u64 {
    let n = if task.moves.alternate() { task.length / 2 } else { task.length };
    n as u64
}

/// The terms, and what they are.
fn sequence(task: &Task, terms: Vec<Term>) -> Sequence {
    let length = if task.moves.alternate() { "2n" } else { "n" };
    let subject = task.subject();
    let text = format!(
        "a(n) = number of {} of length {length} with moves {}",
        subject.text,
        leapers::words(task.moves.leapers())
    );
    Sequence { id: subject.id.into_owned(), text, terms, recurrence: None, growth: None }
}
