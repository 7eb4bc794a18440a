//! Puzzles: a board with numbers on it that leave exactly one solution.
//!
//! A **puzzle** is a board with *clues*, the numbers of a tour that are shown; the
//! **solution** is that tour. A random tour is found, all its numbers are shown, and they
//! are taken away one by one in random order. A number may go only if the search for all
//! solutions of what is left ends within a *grant* of nodes and has met a single one. So
//! after every step it is proved, by an exhausted search, that the solution is the only
//! one; where the grant does not suffice the clue stays. The first and the last number,
//! and those that the question fixes, always stay.
//!
//! The search meets the same nodes in whatever order it tries its steps, so the size of
//! its tree belongs to the puzzle. It is the measure of **difficulty**, and a grant is how
//! difficult a puzzle may be: a tree without any wrong turn has one node more than cells.

use std::sync::Arc;

use pessoi_engine::ledger::Chapter;
use pessoi_engine::random::Random;
use pessoi_engine::run::{Run, Stop};
use pessoi_engine::search::{Advance, Walk};

use super::extend::{Extend, Order};
use super::options::{CLUES, DIFFICULTY, THINNING};
use super::task::Task;
use super::{Tour, Work, find, rotations};
use crate::answer::{Answer, Subject, Value};
use crate::board::{Clue, Drawing};
use crate::certificate::Certificate;
use crate::error::{Error, Result};
use crate::job::{self, Events, MORE};
use crate::plan::Plan;
use crate::question::{Place, Question};

/// The difficulties by name.
pub(super) const DIFFICULTIES: &[&str] = &["easy", "medium", "hard"];

/// Nodes for each cell: at most one wrong turn a cell.
const EASY: u64 = 2;
/// Nodes for each cell.
const MEDIUM: u64 = 20;
/// Nodes of the whole tree, some hundredths of a second.
const HARD: u64 = 100_000;

/// Tours and orders that are tried for a given number of clues.
const ATTEMPTS: u64 = 5;

/// Random streams from here on decide which clues go; those before it find tours.
const FIRST_STREAM: u64 = 1 << 32;

/// What the answer counts.
const PUZZLES: Subject = Subject::things(
    "puzzles",
    "puzzle with exactly one solution",
    "puzzles with exactly one solution",
);

/// How the puzzle is to be.
pub(super) struct Wish {
    /// As few clues as the difficulty allows, but no fewer than these.
    clues: usize,
    /// Whether that number was given.
    exact: bool,
    /// The most nodes of the search tree.
    grant: u64,
}

/// A puzzle on its way: it has one solution at any time.
struct Puzzle {
    /// The solution, as cells in order.
    path: Vec<u32>,
    /// For each number from 1: whether it is shown.
    shown: Vec<bool>,
    /// How many are.
    clues: usize,
    /// Nodes of its search tree.
    nodes: u64,
}

impl Work for Wish {
    fn subject(&self, task: &Task, value: &Value) -> Option<Subject> {
        Some(if matches!(value, Value::AtLeast { .. }) { PUZZLES } else { task.subject() })
    }

    fn plan(&self, at: &Tour) -> Result<Plan> {
        let why = "a random tour is found, and clues go while the solution is the only one";
        let plan = at.plan(&THINNING, why);
        let searches = (at.task.len() - self.clues.min(at.task.len())) as u64;
        let attempts = if self.exact { ATTEMPTS } else { 1 };
        Ok(plan.note(format!(
            "At most {attempts} times {searches} searches of up to {} nodes each; how soon the \
             first tour is found cannot be predicted.",
            self.grant
        )))
    }

    fn answer(&self, at: &Tour, events: &mut dyn Events) -> Result<Answer> {
        let (task, run) = (at.task, at.run());
        let stays: Vec<bool> = (1..=task.len()).map(|number| always_shown(task, number)).collect();
        let mut first = None;
        let (method, _) = find::auto(task, 1);
        let found = find::find(task, method, 1, run, &Chapter::unkept(), &mut |path| {
            first = Some(path.to_vec());
            MORE
        });
        let Some(mut path) = first else {
            let mut answer = at.answer(found.value(), &THINNING);
            answer.method.text = found.text;
            return Ok(answer);
        };

        let mut best: Option<Puzzle> = None;
        let mut stopped = None;
        for attempt in 0..if self.exact { ATTEMPTS } else { 1 } {
            let mut make = || -> job::Work<(Puzzle, Option<Stop>)> {
                if attempt > 0 && rotations::suits(task) {
                    let streams = attempt * find::ATTEMPTS..(attempt + 1) * find::ATTEMPTS;
                    if let Some(other) = rotations::find(task, streams, run)? {
                        path = other;
                    }
                }
                let mut puzzle = Puzzle::all_shown(task, path.clone(), run)?;
                let mut random = Random::new(run.budget().seed, FIRST_STREAM + attempt);
                let stop = puzzle.thin(task, &stays, self, &mut random, run)?;
                Ok((puzzle, stop))
            };
            match make() {
                Ok((puzzle, stop)) => {
                    stopped = stop.map(Into::into);
                    if best.as_ref().is_none_or(|best| puzzle.clues < best.clues) {
                        best = Some(puzzle);
                    }
                }
                Err(job::Halt::Stop(stop)) => stopped = Some(stop),
                Err(job::Halt::Error(error)) => return Err(error),
            }
            let enough = best.as_ref().is_some_and(|best| best.clues <= self.clues);
            if stopped.is_some() || enough {
                break;
            }
        }
        match (best, stopped) {
            (Some(puzzle), stopped) => {
                // There is one solution, whether more are wanted or not.
                let _ = events.solution(at.solution(&puzzle.path));
                Ok(self.given(at, &puzzle, stopped))
            }
            (None, Some(stop)) => Ok(at.asked.gave_up(&PUZZLES, stop, &THINNING)),
            (None, None) => Err(Error::internal("no attempt was made")),
        }
    }
}

/// Whether a number stays on the board whatever happens.
fn always_shown(task: &Task, number: usize) -> bool {
    number == 1 || number == task.len() || task.cell_of(number).is_some()
}

impl Wish {
    /// Reads the options.
    pub(super) fn new(question: &Question, task: &Task) -> Result<Self> {
        let cells = task.len();
        let least = (1..=cells).filter(|&number| always_shown(task, number)).count();
        let clues = question.number(&CLUES);
        let clues = clues.map(|clues| usize::try_from(clues).unwrap_or(usize::MAX));
        let refuse = |sentence: String| Err(Error::option(CLUES.name, sentence));
        if let Some(clues) = clues.filter(|&clues| clues > cells) {
            return refuse(format!("--clues {clues} is more than {cells}, the number of cells."));
        }
        if let Some(clues) = clues.filter(|&clues| clues < least) {
            return refuse(format!(
                "--clues {clues} is too few: the first number, the last and those that are given \
                 already are {least} clues."
            ));
        }
        let cells = cells as u64;
        let grant = match question.text(&DIFFICULTY) {
            Some(easy) if easy == DIFFICULTIES[0] => EASY * cells,
            Some(hard) if hard == DIFFICULTIES[2] => HARD,
            // Who asks for a number of clues wants to have it.
            None if clues.is_some() => HARD,
            _ => MEDIUM * cells,
        };
        // Without a wrong turn there is a node for each cell, and the root.
        let grant = grant.max(cells + 1);
        Ok(Wish { clues: clues.unwrap_or(least), exact: clues.is_some(), grant })
    }

    fn given(&self, at: &Tour, puzzle: &Puzzle, stopped: Option<crate::answer::Limit>) -> Answer {
        let (task, run) = (at.task, at.run());
        let is_whole = stopped.is_none();
        let value = match stopped {
            Some(stop) => Value::stopped(1u32, stop),
            None => Value::at_least(1u32),
        };
        let mut answer = at.asked.answer(&PUZZLES, value, &THINNING);
        answer.cost.nodes = Some(run.progress().handled);
        answer.seed = Some(run.budget().seed);
        answer.certificate = Some(Certificate::solutions());
        answer.puzzle = Some(Place::Board(puzzle.drawing(task)));
        answer.fact("clues", "numbers shown", puzzle.clues);
        answer.fact("cells", "numbers in all", task.len());
        answer.fact(
            "proof-nodes",
            "nodes of the search that proves that there is one solution",
            puzzle.nodes,
        );
        if self.exact && puzzle.clues > self.clues && is_whole {
            let harder = if self.grant < HARD { " or a harder --difficulty" } else { "" };
            answer.notes.push(format!(
                "No puzzle with as few as {} clues was found; another --seed{harder} may have one.",
                self.clues
            ));
        }
        answer
    }
}

/// The size of the search tree if it is within the grant and has one solution.
fn tree_of_one(task: Task, grant: u64, run: &Run) -> Result<Option<u64>, Stop> {
    let mut walk = Walk::new(Extend::new(Arc::new(task), Order::Plain), run);
    let mut met = 0;
    loop {
        match walk.advance(grant - walk.nodes())? {
            Advance::Found if met == 0 => met = 1,
            Advance::Exhausted => return Ok((met == 1).then(|| walk.nodes())),
            Advance::Found | Advance::Paused => return Ok(None),
        }
    }
}

impl Puzzle {
    /// The puzzle that shows its whole solution.
    fn all_shown(task: &Task, path: Vec<u32>, run: &Run) -> job::Work<Puzzle> {
        let n = path.len();
        let mut puzzle = Puzzle { path, shown: vec![true; n], clues: n, nodes: 0 };
        let nodes = tree_of_one(puzzle.task(task)?, u64::MAX, run)?;
        puzzle.nodes = nodes.ok_or_else(|| Error::internal("a tour does not solve itself"))?;
        Ok(puzzle)
    }

    /// The task that the clues set.
    fn task(&self, task: &Task) -> Result<Task> {
        let numbers = (1..).zip(&self.path).zip(&self.shown);
        task.with(numbers.filter(|(_, shown)| **shown).map(|((number, &cell), _)| (number, cell)))
    }

    /// Takes clues away in random order; says what stopped it, if anything did.
    fn thin(
        &mut self,
        task: &Task,
        stays: &[bool],
        wish: &Wish,
        random: &mut Random,
        run: &Run,
    ) -> Result<Option<Stop>> {
        let mut order: Vec<usize> = (0..stays.len()).filter(|&number| !stays[number]).collect();
        random.shuffle(&mut order);
        run.stage("taking clues away", order.len() as u64);
        for number in order {
            if self.clues <= wish.clues {
                break;
            }
            self.shown[number] = false;
            match tree_of_one(self.task(task)?, wish.grant, run) {
                Ok(Some(nodes)) => {
                    self.clues -= 1;
                    self.nodes = nodes;
                }
                Ok(None) => self.shown[number] = true,
                Err(stop) => {
                    self.shown[number] = true;
                    return Ok(Some(stop));
                }
            }
            run.step(1);
        }
        Ok(None)
    }

    /// The board with the clues on it.
    fn drawing(&self, task: &Task) -> Drawing {
        let numbers = (1..).zip(&self.path).zip(&self.shown);
        let shown = numbers.filter(|(_, shown)| **shown);
        let mut clues: Vec<Clue> =
            shown.map(|((number, &cell), _)| Clue { cell: cell as usize, number }).collect();
        clues.sort_unstable_by_key(|clue| clue.cell);
        Drawing { board: task.board.clone(), clues }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::Limit;
    use crate::check::{Effort, PUZZLE, Verdict};
    use crate::export::Style;
    use crate::export::picture::SOLUTION;
    use crate::question::{Setting, Verb};
    use crate::solution::Figure;
    use crate::testing::{self, CATALOGUE};
    use pessoi_engine::run::Budget;

    fn run(seed: u64) -> Run {
        Run::new(Budget { seed, ..Budget::default() })
    }

    fn ask(question: &Question, seed: u64) -> Answer {
        testing::ask(question, &run(seed)).unwrap_or_else(|error| panic!("{question:?}: {error}"))
    }

    fn question(game: &str, place: &str) -> Question {
        Question::new(Verb::Generate, game, place).unwrap()
    }

    fn drawing(answer: &Answer) -> &Drawing {
        match &answer.puzzle {
            Some(Place::Board(drawing)) => drawing,
            other => panic!("{other:?} {:?}", answer.value),
        }
    }

    fn verdict(answer: &Answer) -> Result<Verdict> {
        CATALOGUE.verify(&serde_json::to_vec(answer).unwrap(), Effort::Usual, &run(1))
    }

    /// The number of solutions of what was saved, by `count` up to a limit.
    fn solutions(answer: &Answer, limit: u64) -> Value {
        let text = drawing(answer).to_text();
        let mut count = Question::new(Verb::Count, &answer.question.game, &text).unwrap();
        for shared in ["closed", "moves"] {
            if let Some(setting) = answer.question.options.get(shared) {
                count.options.insert(shared.to_owned(), setting.clone());
            }
        }
        ask(&count.with("limit", limit), 1).value
    }

    const HOLES: &str = "..#....\n.......\n.......\n...#...\n.......\n#......\n......#\n";

    #[test]
    fn puzzles_have_exactly_one_solution() {
        for seed in 1..=4 {
            for asked in [
                question("hopido", "5x5"),
                question("hopido", "7x7"),
                question("hopido", "7x7").with("difficulty", "hard"),
                question("diplomatico", HOLES),
                question("diplomatico", "6x6").with("closed", true),
                question("knight-tours", "6x6").with("from", "1,1"),
                question("wazir-tours", "1x9"),
                question("king-tours", "1x1"),
                question("king-tours", "4x4").with("moves", "(1,2)+(1,0)"),
                question(
                    "hopido",
                    ". 0 0 0 0 0\n0 0 0 0 9 0\n0 0 0 0 0 0\n0 3 0 0 0 0\n0 0 0 0 0 0",
                ),
            ] {
                let answer = ask(&asked, seed);
                assert_eq!(answer.value, Value::at_least(1u32));
                assert_eq!(solutions(&answer, 2), Value::exact(1u32), "{asked:?} {seed}");
                match verdict(&answer) {
                    Ok(verdict) if verdict.holds => {
                        assert!(verdict.of(PUZZLE).unwrap().text.contains("no other"));
                    }
                    other => panic!("{other:?} {asked:?} {seed}"),
                }
                // Read back from the text, it is the same board with the same numbers.
                let drawn = drawing(&answer);
                assert_eq!(Drawing::parse(&drawn.to_text()).unwrap(), *drawn);
                let Place::Board(given) = &asked.place else { panic!() };
                assert_eq!(given.board, drawn.board);
                assert!(given.clues.iter().all(|clue| drawn.clues.contains(clue)));
            }
        }
    }

    #[test]
    fn no_clue_can_be_spared_where_the_grant_suffices() {
        let answer = ask(&question("hopido", "5x6").with("difficulty", "hard"), 3);
        let n = drawing(&answer).board.len() as u32;
        for spared in drawing(&answer).clues.clone() {
            if spared.number == 1 || spared.number == n {
                continue;
            }
            let mut fewer = answer.clone();
            let Some(Place::Board(drawn)) = &mut fewer.puzzle else { panic!() };
            drawn.clues.retain(|clue| *clue != spared);
            fewer.facts.clear();
            let two = Value::at_least(2u32);
            assert_eq!(solutions(&fewer, 2), two, "{spared:?}");
            let error = verdict(&fewer).unwrap_err().to_string();
            assert!(error.contains("solutions"), "{error}");
        }
    }

    #[test]
    fn a_seed_makes_one_puzzle_whatever_the_threads() {
        let asked = question("hopido", "7x7");
        let first = ask(&asked, 5);
        let threads = Run::new(Budget { seed: 5, threads: 2, ..Budget::default() });
        let again = testing::ask(&asked, &threads).unwrap();
        assert_eq!((&first.puzzle, &first.solutions), (&again.puzzle, &again.solutions));
        assert_ne!(first.puzzle, ask(&asked, 6).puzzle);
    }

    #[test]
    fn clues_and_difficulty_are_as_asked() {
        let clues = |asked: &Question| drawing(&ask(asked, 2)).clues.len();
        let asked = question("diplomatico", "7x7");
        for wanted in [20, 30, 49] {
            assert_eq!(clues(&asked.clone().with("clues", wanted)), wanted as usize);
        }
        let few = ask(&asked.clone().with("clues", 2).with("difficulty", "easy"), 2);
        assert!(few.notes[0].contains("No puzzle with as few as 2 clues"), "{:?}", few.notes);
        assert!(few.notes[0].contains("harder"), "{:?}", few.notes);
        for (name, grant) in [("easy", 2 * 49), ("medium", 20 * 49), ("hard", HARD)] {
            let answer = ask(&asked.clone().with("difficulty", name), 2);
            let mut count = Question::new(Verb::Find, "hopido", "1x1").unwrap();
            count.place = answer.puzzle.clone().unwrap();
            let found = ask(&count.with("all", true).with("method", "backtrack"), 1);
            assert_eq!(found.value, Value::exact(1u32));
            assert!(found.cost.nodes.unwrap() <= grant, "{name}: {:?}", found.cost);
        }
    }

    #[test]
    fn what_cannot_be_made_is_said() {
        let refused = |asked: Question| {
            let error = testing::ask(&asked, &run(1)).unwrap_err().to_string();
            assert!(error.ends_with('.'), "{error}");
            error
        };
        let small = question("hopido", "5x5");
        assert!(refused(small.clone().with("clues", 26)).contains("more than 25"));
        assert!(refused(small.clone().with("clues", 1)).contains("are 2 clues"));
        assert!(refused(small.clone().with("clues", 0)).contains("from 1"));
        assert!(refused(small.clone().with("difficulty", "esy")).contains("did you mean easy?"));
        assert!(refused(small.with("limit", 2)).contains("generate hopido takes no --limit"));
        assert!(refused(question("hopido", "21x20")).contains("up to 400"));
        for (game, place) in [("hopido", "4x4"), ("knight-tours", "4x4")] {
            let none = ask(&question(game, place), 1);
            assert!(matches!(none.value, Value::None { .. }), "{game}: {:?}", none.value);
            assert_eq!(none.puzzle, None);
            assert!(verdict(&none).is_ok_and(|verdict| verdict.holds));
        }
        let cancelled = run(1);
        cancelled.cancel();
        let answer = testing::ask(&question("hopido", "7x7"), &cancelled).unwrap();
        assert_eq!(answer.value, Value::gave_up(Limit::Cancelled {}));
        assert!(answer.puzzle.is_none());
    }

    #[test]
    fn a_forged_puzzle_is_found_out() {
        let answer = ask(&question("hopido", "6x6").with("from", "2,2"), 1);
        let forged = |change: &dyn Fn(&mut Answer)| {
            let mut forged = answer.clone();
            change(&mut forged);
            verdict(&forged).expect_err("forged").to_string()
        };
        let change = |change: &dyn Fn(&mut Drawing)| {
            forged(&|answer| {
                if let Some(Place::Board(drawing)) = &mut answer.puzzle {
                    change(drawing);
                }
            })
        };
        let without_first = change(&|puzzle| puzzle.clues.retain(|clue| clue.number != 1));
        assert!(without_first.contains("leaves out a number"), "{without_first}");
        let moved = change(&|puzzle| {
            let empty = |cell: &usize| puzzle.clues.iter().all(|clue| clue.cell != *cell);
            let elsewhere = (0..36).find(empty).unwrap();
            let last = puzzle.clues.iter_mut().find(|clue| clue.number == 36).unwrap();
            last.cell = elsewhere;
        });
        assert!(moved.contains("not where it was asked"), "{moved}");
        let elsewhere = forged(&|answer| {
            answer.puzzle = Some(Place::parse("5x5").unwrap());
        });
        assert!(elsewhere.contains("another board"), "{elsewhere}");
        assert!(forged(&|answer| answer.puzzle = None).contains("one puzzle"));
        assert!(forged(&|answer| answer.solutions.clear()).contains("one puzzle"));
        let swapped = forged(&|answer| {
            let Figure::Path { cells, .. } = &mut answer.solutions[0].figure else { panic!() };
            cells.swap(10, 20);
        });
        assert!(swapped.contains("does not hold"), "{swapped}");
    }

    #[test]
    fn sheets_show_the_clues_and_the_solution_if_asked() {
        let render = |answer: &Answer, format: &str, solution: bool| {
            let mut style = Style::default();
            if solution {
                style.options.insert(SOLUTION.name.into(), Setting::Flag(true));
            }
            let saved = serde_json::to_vec(answer).unwrap();
            let mut out = Vec::new();
            let choose = |card: &crate::Card, verb| CATALOGUE.format(card, verb, format);
            CATALOGUE.convert(&saved, choose, &style, &run(1), &mut out).unwrap();
            String::from_utf8(out).unwrap()
        };
        let labels = |solution: bool| {
            let answer = ask(&question("hopido", "5x5"), 1);
            let svg = render(&answer, "svg", solution);
            let rows = render(&answer, "csv", false);
            assert_eq!(rows.lines().count(), 26, "a head and 25 numbers");
            let clues = rows.lines().filter(|row| row.ends_with(",1")).count();
            assert_eq!(clues, drawing(&answer).clues.len());
            (svg.matches("<text").count(), clues, svg.contains("<polyline"))
        };
        let (shown, clues, line) = labels(false);
        assert_eq!((shown, line), (clues, false));
        let (shown, _, line) = labels(true);
        assert_eq!((shown, line), (25, true));
    }
}
