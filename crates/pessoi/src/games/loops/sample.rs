//! Drawing loops, each with the same chance.
//!
//! A loop that starts somewhere and goes one way is a closed walk that meets no cell twice. How
//! many closed walks of k moves there are that never turn back at once is soon counted: from each
//! cell, after each move, the ways to get home in t more moves are the sum of the ways of t − 1
//! moves from the next cells. With these numbers a closed walk is drawn move by move, each with
//! the same chance. Walks that meet a cell twice are thrown away, mostly after a few moves, so
//! what is left is uniform: every loop has 2k starts and directions, and so the same chance.
//!
//! Walks that never turn back at once are three for four of the wazir's at each move, or seven
//! for eight, and of those a fair share are loops: one in 100 000 or so at 40 moves, for the
//! knight.

use std::sync::Arc;

use pessoi_engine::random::Random;
use pessoi_engine::run::{Run, Stop};

use super::count::span;
use super::engine::REJECTION;
use super::moves::{Moves, Point, plus};
use super::options::DRAWS;
use super::simple::is_simple;
use super::task::Task;
use crate::answer::{Answer, Limit, Subject, Value};
use crate::board::Cell;
use crate::certificate::Certificate;
use crate::error::{Error, Result};
use crate::job::{Asked, Events, Halt, Job, Work, draw};
use crate::plan::Plan;
use crate::question::Question;
use crate::solution::{Figure, Solution};

const DRAWN: Subject =
    Subject::things("random-loops", "random closed path drawn", "random closed paths drawn");

/// Walks that are thrown away for one loop, at most.
const ATTEMPTS: u64 = if cfg!(test) { 1_000_000 } else { 10_000_000_000 };
/// Walks between two looks at the clock.
const A_TICK: u64 = 1 << 12;

/// The question for random loops.
pub(super) struct Draws<'q> {
    question: &'q Question,
    task: Arc<Task>,
    wanted: u64,
}

impl<'q> Draws<'q> {
    pub(super) fn new(question: &'q Question, task: Arc<Task>) -> Result<Self> {
        // All walks that never turn back at once: their number is kept in 128 bits.
        let moves = task.moves.len() as u128;
        let walks = (1..task.length)
            .try_fold(moves, |walks, _| walks.checked_mul(moves.saturating_sub(1).max(1)));
        if walks.is_none() {
            let most = (3..task.length)
                .take_while(|&k| {
                    (moves - 1).checked_pow(k as u32).and_then(|n| n.checked_mul(moves)).is_some()
                })
                .last()
                .unwrap_or(3);
            return Err(Error::unsupported(
                "place",
                format!(
                    "Loops with {moves} moves to choose from are drawn up to the length {most}; \
                     {} is more. estimate says about how many there are.",
                    task.length
                ),
            ));
        }
        let wanted = question.number(&DRAWS).unwrap_or(1);
        Ok(Draws { question, task, wanted })
    }

    fn work(&self, asked: &Asked, events: &mut dyn Events) -> Work<Answer> {
        let (task, run) = (&*self.task, asked.run);
        let mut claim = run.claim();
        claim.grow_to(Ways::bytes(&task.moves, task.length))?;
        let ways = Ways::new(&task.moves, task.length, run)?;
        if ways.all() == 0 {
            let proof = "no walk of so many moves comes back without turning back at once";
            return Ok(asked.answer(&DRAWN, Value::none(proof), &REJECTION));
        }
        let mut random = Random::new(run.budget().seed, 0);
        let mut walk = Walk::new(&ways);
        let (drawn, stop) = draw(self.wanted, run, events, |_| {
            for attempt in 0..ATTEMPTS {
                if attempt % A_TICK == A_TICK - 1 {
                    run.tick(A_TICK)?;
                }
                if walk.draw(&mut random) && fits(task, &walk.cells) {
                    return Ok(placed(&walk.cells));
                }
            }
            let text = format!("none of {ATTEMPTS} closed walks was such a loop");
            Err(Halt::Stop(Limit::Attempts { text }))
        })?;
        let value = match stop {
            Some(stop) => Value::stopped(drawn, stop),
            None => Value::at_least(drawn),
        };
        let mut answer = asked.answer(&DRAWN, value, &REJECTION);
        answer.seed = Some(run.budget().seed);
        answer.certificate = (drawn > 0).then(Certificate::solutions);
        if drawn > 0 {
            answer.fact("uniform", "uniform, up to translation", true);
            answer.fact("walks", "closed walks drawn", walk.drawn);
        }
        Ok(answer)
    }
}

impl Job for Draws<'_> {
    fn subject(&self, _: &Value) -> Option<Subject> {
        Some(DRAWN)
    }

    fn plan(&self, _: &Run) -> Result<Plan> {
        let why = "closed walks are drawn until one is a loop, so all loops are equally likely";
        let mut plan = Plan::new(self.question, &REJECTION, why);
        plan.bytes = Some(Ways::bytes(&self.task.moves, self.task.length) as f64);
        Ok(plan.note("How many walks are thrown away for a loop is not predicted."))
    }

    fn answer(&self, run: &Run, events: &mut dyn Events) -> Result<Answer> {
        let asked = Asked::new(self.question, run);
        asked.settle(&DRAWN, &REJECTION, self.work(&asked, events))
    }
}

/// Whether a loop is such as was asked for.
fn fits(task: &Task, cells: &[Point]) -> bool {
    task.fits_upright(span(cells)) && (task.crossing.is_none() || is_simple(cells))
}

/// A loop, moved so that its first row and column are 0.
fn placed(cells: &[Point]) -> Solution {
    let low = |of: fn(&Point) -> i32| cells.iter().map(of).min().unwrap_or(0);
    let (row, col) = (low(|cell| cell.0), low(|cell| cell.1));
    let cells = cells.iter().map(|cell| Cell { row: cell.0 - row, col: cell.1 - col }).collect();
    Figure::Path { cells, closed: true }.into()
}

/// How many ways lead home from each cell, after each move, without turning back at once.
struct Ways<'m> {
    moves: &'m Moves,
    length: usize,
    radius: i32,
    /// For so many moves more: the cells, and for each cell the moves that led there.
    tables: Vec<Vec<u128>>,
}

impl<'m> Ways<'m> {
    fn radius(moves: &Moves, length: usize) -> i32 {
        moves.longest() * (length / 2 + 1) as i32
    }

    fn bytes(moves: &Moves, length: usize) -> u64 {
        let side = 2 * Self::radius(moves, length) as u64 + 1;
        16 * side * side * moves.len() as u64 * length as u64
    }

    fn new(moves: &'m Moves, length: usize, run: &Run) -> Result<Self, Stop> {
        let radius = Self::radius(moves, length);
        let side = 2 * radius + 1;
        let size = (side * side) as usize * moves.len();
        let mut ways = Ways { moves, length, radius, tables: Vec::with_capacity(length) };
        let mut home = vec![0; size];
        for m in 0..moves.len() as u8 {
            home[ways.index((0, 0), m).unwrap_or(0)] = 1;
        }
        ways.tables.push(home);
        run.stage("counting closed walks", length as u64);
        for t in 1..length {
            run.tick(size as u64)?;
            let before = &ways.tables[t - 1];
            let mut table = vec![0u128; size];
            for row in -radius..=radius {
                for col in -radius..=radius {
                    let from = |m: u8| {
                        let to = plus((row, col), moves.step(m));
                        ways.index(to, m).map_or(0, |at| before[at])
                    };
                    let sum: u128 = (0..moves.len() as u8).map(from).sum();
                    for m in 0..moves.len() as u8 {
                        if let Some(at) = ways.index((row, col), m) {
                            table[at] = sum - from(moves.opposite(m));
                        }
                    }
                }
            }
            ways.tables.push(table);
            run.step(1);
        }
        Ok(ways)
    }

    fn index(&self, (row, col): Point, m: u8) -> Option<usize> {
        let within = -self.radius..=self.radius;
        let side = 2 * self.radius + 1;
        (within.contains(&row) && within.contains(&col)).then(|| {
            ((row + self.radius) * side + col + self.radius) as usize * self.moves.len()
                + usize::from(m)
        })
    }

    /// The ways that go on by a move, with so many moves more after it.
    fn by(&self, from: Point, m: u8, more: usize) -> u128 {
        self.index(plus(from, self.moves.step(m)), m).map_or(0, |at| self.tables[more][at])
    }

    /// All closed walks.
    fn all(&self) -> u128 {
        (0..self.moves.len() as u8).map(|m| self.by((0, 0), m, self.length - 1)).sum()
    }
}

/// A closed walk that is being drawn.
struct Walk<'w, 'm> {
    ways: &'w Ways<'m>,
    cells: Vec<Point>,
    /// For each cell the last walk that met it.
    met: Vec<u64>,
    drawn: u64,
}

impl<'w, 'm> Walk<'w, 'm> {
    fn new(ways: &'w Ways<'m>) -> Self {
        let side = 2 * ways.radius as usize + 1;
        Walk { ways, cells: Vec::new(), met: vec![0; side * side], drawn: 0 }
    }

    /// Draws a closed walk; `false` as soon as it meets a cell twice.
    fn draw(&mut self, random: &mut Random) -> bool {
        let ways = self.ways;
        self.drawn += 1;
        self.cells.clear();
        let (mut here, mut last) = ((0, 0), None);
        for step in 0..ways.length {
            let Some(at) = ways.index(here, 0) else { return false };
            let met = &mut self.met[at / ways.moves.len()];
            if std::mem::replace(met, self.drawn) == self.drawn {
                return false;
            }
            self.cells.push(here);
            let more = ways.length - 1 - step;
            let back = last.map(|m| ways.moves.opposite(m));
            let forward = |m: &u8| Some(*m) != back;
            let options = || (0..ways.moves.len() as u8).filter(forward);
            let all: u128 = options().map(|m| ways.by(here, m, more)).sum();
            let mut chosen = below(random, all);
            let next = options().find(|&m| {
                let these = ways.by(here, m, more);
                let is_it = chosen < these;
                chosen = chosen.wrapping_sub(if is_it { 0 } else { these });
                is_it
            });
            let Some(m) = next else { return false };
            here = plus(here, ways.moves.step(m));
            last = Some(m);
        }
        here == (0, 0)
    }
}

/// A number in `0..n`, each with the same chance.
fn below(random: &mut Random, n: u128) -> u128 {
    if let Ok(n) = u64::try_from(n) {
        return random.below(n).into();
    }
    let mask = u128::MAX >> n.leading_zeros();
    loop {
        let drawn = (u128::from(random.bits()) << 64 | u128::from(random.bits())) & mask;
        if drawn < n {
            return drawn;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::{Catalogue, Verb};

    /// Every loop of a short length comes, and as often as the others: the sum of squared
    /// deviations is within five standard deviations of what chance makes of it, with a fixed seed.
    #[test]
    fn loops_are_drawn_uniformly() {
        for (game, length, extra) in [
            ("wazir-loops", 10, None),
            ("knight-loops", 6, None),
            ("king-loops", 5, None),
            ("knight-loops", 8, Some("non-crossing")),
        ] {
            let size = length.to_string();
            let mut count =
                Question::new(Verb::Count, game, &size).unwrap().with("symmetry", "fixed");
            let mut sample = Question::new(Verb::Sample, game, &size).unwrap();
            if let Some(flag) = extra {
                (count, sample) = (count.with(flag, true), sample.with(flag, true));
            }
            let catalogue = Catalogue::standard();
            let run = Run::default();
            let all = catalogue.answer(&count, &run).unwrap().value.number().unwrap();
            let all: u64 = all.try_into().unwrap();
            let wanted = 40 * all;
            let drawn = catalogue.answer(&sample.with("samples", wanted), &run).unwrap();
            let mut often: HashMap<Vec<[Cell; 2]>, u64> = HashMap::new();
            for solution in &drawn.solutions {
                let cells = solution.figure.path();
                let mut edges: Vec<[Cell; 2]> = (0..cells.len())
                    .map(|i| {
                        let mut edge = [cells[i], cells[(i + 1) % cells.len()]];
                        edge.sort_unstable_by_key(|cell| (cell.row, cell.col));
                        edge
                    })
                    .collect();
                edges.sort_unstable_by_key(|edge| edge.map(|cell| (cell.row, cell.col)));
                *often.entry(edges).or_default() += 1;
            }
            assert_eq!(often.len() as u64, all, "{game} {length}");
            let expected = wanted as f64 / all as f64;
            let square: f64 =
                often.values().map(|&n| (n as f64 - expected).powi(2) / expected).sum();
            let degrees = (all - 1) as f64;
            let away = (square - degrees) / (2.0 * degrees).sqrt();
            assert!(away.abs() < 5.0, "{game} {length}: chi-square {square} of {degrees}");
            let again = catalogue.check(&drawn, crate::Effort::Usual, &run).unwrap();
            assert!(again.of("solutions").is_some_and(|f| f.standing == crate::Standing::Checked));
        }
    }

    #[test]
    fn closed_walks_are_counted_right() {
        // By brute force.
        fn walks(moves: &Moves, at: Point, last: Option<u8>, left: usize) -> u128 {
            if left == 0 {
                return u128::from(at == (0, 0));
            }
            (0..moves.len() as u8)
                .filter(|&m| last.map(|l| moves.opposite(l)) != Some(m))
                .map(|m| walks(moves, plus(at, moves.step(m)), Some(m), left - 1))
                .sum()
        }
        for (leapers, length) in [(&[(0, 1)][..], 8), (&[(1, 2)], 6), (&[(0, 1), (1, 1)], 5)] {
            let moves = Moves::new(leapers);
            let ways = Ways::new(&moves, length, &Run::default()).unwrap();
            assert_eq!(ways.all(), walks(&moves, (0, 0), None, length), "{leapers:?}");
        }
    }

    #[test]
    fn what_cannot_be_drawn_says_so() {
        let catalogue = Catalogue::standard();
        let sample = |game: &str, size: &str| Question::new(Verb::Sample, game, size).unwrap();
        let run = Run::default();
        let long = catalogue.answer(&sample("knight-loops", "60"), &run).unwrap_err().to_string();
        assert!(long.contains("up to the length"), "{long}");
        let odd = catalogue.answer(&sample("knight-loops", "7"), &run).unwrap();
        assert!(matches!(odd.value, Value::None { .. }));
        let tight = sample("wazir-loops", "12").with("board", "2x3");
        let none = catalogue.answer(&tight, &run).unwrap();
        assert!(matches!(none.value, Value::GaveUp { stop: Limit::Attempts { .. } }));
    }
}
