//! Puzzles: a board with numbers on it that leave exactly one solution.
//!
//! A **puzzle** is a board with *clues*, the numbers of a tour that are shown; the
//! **solution** is that tour. A random tour is found, all its numbers are shown, and they
//! are taken away one by one in random order, or in pairs where the clues are to lie
//! symmetrically. The first and the last number, and those that the question fixes, always
//! stay.
//!
//! A number may go only if the puzzle that is left keeps within the wanted difficulty. An easy
//! or medium one must be solved by the rules of that level (see `reason`): they force every
//! number, so the solution is the only one. For a hard one the search for all solutions must
//! end within a *grant* of nodes and meet a single one; where the grant does not suffice the
//! clue stays. So after every step it is proved that the solution is the only one.
//!
//! In the end hints are followed from the clues to the solution: how hard the puzzle is, and
//! how often each rule is needed, is measured and not only wished for (see `rate`).

use std::collections::BTreeSet;
use std::sync::Arc;

use pessoi_engine::ledger::Chapter;
use pessoi_engine::random::Random;
use pessoi_engine::run::{Budget, Run, Stop};
use pessoi_engine::search::{Advance, Walk};

use super::exists::{Exists, exists};
use super::extend::{Extend, Order};
use super::options::{CLUES, DIFFICULTY, NUMBER, SYMMETRIC, THINNING};
use super::rate::{self, Rating};
use super::reason::{LEVELS, RULE_WORDS, RULES, level};
use super::task::Task;
use super::{Tour, Work, find, rotations};
use crate::again;
use crate::answer::{Answer, Limit, Subject, Value};
use crate::board::{Board, Clue, Drawing};
use crate::certificate::Certificate;
use crate::error::{Error, Result};
use crate::job::{self, Events, MORE};
use crate::plan::Plan;
use crate::question::{Place, Question};
use crate::table::{Datum, DatumKind, Table};

/// The difficulties by name.
pub(super) const DIFFICULTIES: &[&str] = &LEVELS;

/// Nodes of the whole tree of a hard puzzle, some hundredths of a second.
const HARD: u64 = 100_000;

/// Tours and orders that are tried for a given number of clues or a given difficulty.
const ATTEMPTS: u64 = 5;

/// Nodes of the search for another tour through numbers that are fixed on the way.
const ANOTHER: u64 = 2_000_000;

/// Random streams from here on decide which clues go; those before it find tours.
const FIRST_STREAM: u64 = 1 << 32;

/// What the answer counts.
const PUZZLES: Subject = Subject::things(
    "puzzles",
    "puzzle with exactly one solution",
    "puzzles with exactly one solution",
);

/// The table of several puzzles, and its columns that the checker and the booklet read.
pub(super) const TABLE: &str = "puzzles";
pub(super) const DRAWING: &str = "drawing";
pub(super) const SHOWN: &str = "clues";
pub(super) const MEASURED: &str = "difficulty";

/// How the puzzles are to be.
pub(super) struct Wish {
    /// As few clues as the difficulty allows, but no fewer than these.
    clues: usize,
    /// Whether that number was given.
    exact: bool,
    /// How hard they may be, as a place among the levels.
    level: usize,
    /// Whether that was given.
    is_level_given: bool,
    /// How many are wanted.
    number: u64,
    /// For each cell the one that is shown with it.
    partner: Option<Vec<u32>>,
}

/// A puzzle on its way: it has one solution at any time.
struct Puzzle {
    /// The solution, as cells in order.
    path: Vec<u32>,
    /// For each number from 1: whether it is shown.
    shown: Vec<bool>,
    /// How many are.
    clues: usize,
    /// Nodes of the search tree, if they are known.
    nodes: Option<u64>,
    /// How hard it is, once that is measured.
    rating: Option<Rating>,
}

impl Work for Wish {
    fn subject(&self, task: &Task, value: &Value) -> Option<Subject> {
        Some(if matches!(value, Value::AtLeast { .. }) { PUZZLES } else { task.subject() })
    }

    fn plan(&self, at: &Tour) -> Result<Plan> {
        let why = "a random tour is found, and clues go while the solution is the only one";
        let plan = at.plan(&THINNING, why);
        let trials = (at.task.len() - self.clues.min(at.task.len())) as u64;
        let attempts = self.attempts();
        let each = if self.level == LEVELS.len() - 1 {
            format!("searches of up to {HARD} nodes each")
        } else {
            "times following the rules".to_owned()
        };
        let many = if self.number == 1 { "At" } else { "For each puzzle at" };
        Ok(plan.note(format!(
            "{many} most {attempts} times {trials} {each}; how soon the first tour is found cannot \
             be predicted."
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
        run.stage("making puzzles", self.number);
        let (mut made, mut stopped): (Vec<Puzzle>, Option<Limit>) = (Vec::new(), None);
        for number in 0..self.number {
            match self.make(task, &stays, number, &mut path, run)? {
                (Some(puzzle), stop) => {
                    // There is one solution, whether more are wanted or not.
                    let _ = events.solution(at.solution(&puzzle.path));
                    made.push(puzzle);
                    stopped = stop;
                }
                (None, stop) => stopped = stop,
            }
            if stopped.is_some() {
                break;
            }
            run.step(1);
        }
        match (made.is_empty(), stopped) {
            (true, Some(stop)) => Ok(at.asked.gave_up(&PUZZLES, stop, &THINNING)),
            (true, None) => Err(Error::internal("no attempt was made")),
            (false, stopped) => Ok(self.given(at, &made, stopped)),
        }
    }
}

/// Whether a number stays on the board whatever happens.
fn always_shown(task: &Task, number: usize) -> bool {
    number == 1 || number == task.len() || task.cell_of(number).is_some()
}

/// For each cell the one opposite to it, by a half turn if the board has that symmetry and
/// otherwise by a mirror.
fn opposite(board: &Board) -> Option<Vec<u32>> {
    let is_swap = |images: &[u32]| {
        let mut cells = (0..).zip(images);
        cells.all(|(cell, &image): (u32, &u32)| images[image as usize] == cell)
            && (0..).zip(images).any(|(cell, &image): (u32, &u32)| image != cell)
    };
    let mut swaps = board.symmetries();
    swaps.retain(|symmetry| is_swap(&symmetry.permutation));
    let half_turn = swaps.iter().position(|symmetry| symmetry.name == HALF_TURN);
    let chosen = half_turn.or((!swaps.is_empty()).then_some(0))?;
    Some(swaps.swap_remove(chosen).permutation)
}

/// What the symmetries of a board call it.
const HALF_TURN: &str = "turn by 180°";

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
        let partner = if question.flag(&SYMMETRIC) {
            let Some(partner) = opposite(&task.board) else {
                return Err(Error::option(
                    SYMMETRIC.name,
                    "This board has no half turn and no mirror: leave out --symmetric, or take a \
                     symmetric board.",
                ));
            };
            Some(partner)
        } else {
            None
        };
        let asked = question.text(&DIFFICULTY);
        let asked = asked.and_then(|name| LEVELS.iter().position(|level| *level == name));
        // Who asks for a number of clues wants to have it.
        let default = if clues.is_some() { LEVELS.len() - 1 } else { 1 };
        Ok(Wish {
            clues: clues.unwrap_or(least),
            exact: clues.is_some(),
            level: asked.unwrap_or(default),
            is_level_given: asked.is_some(),
            number: question.number(&NUMBER).unwrap_or(1),
            partner,
        })
    }

    fn attempts(&self) -> u64 {
        if self.exact || self.is_level_given { ATTEMPTS } else { 1 }
    }

    /// Makes one puzzle: the best of some attempts, and what stopped it if anything did.
    fn make(
        &self,
        task: &Task,
        stays: &[bool],
        number: u64,
        path: &mut Vec<u32>,
        run: &Run,
    ) -> Result<(Option<Puzzle>, Option<Limit>)> {
        let mut best: Option<Puzzle> = None;
        let mut stopped = None;
        for attempt in number * ATTEMPTS..number * ATTEMPTS + self.attempts() {
            let mut make = || -> job::Work<(Puzzle, Option<Stop>)> {
                run.check()?;
                if attempt > 0 && rotations::suits(task) {
                    let streams = attempt * find::ATTEMPTS..(attempt + 1) * find::ATTEMPTS;
                    if let Some(other) = rotations::find(task, streams, run)? {
                        *path = other;
                    }
                } else if attempt > 0 {
                    let seed = run.budget().seed.wrapping_add(attempt);
                    let other = run.part(Budget { seed, ..again::budget(run, None) });
                    if let Exists::Yes(other) = exists(task, ANOTHER, &other)? {
                        *path = other;
                    }
                }
                let mut puzzle = Puzzle::all_shown(path.clone());
                let mut random = Random::new(run.budget().seed, FIRST_STREAM + attempt);
                let stop = puzzle.thin(task, stays, self, &mut random, run)?;
                Ok((puzzle, stop))
            };
            match make() {
                Ok((puzzle, stop)) => {
                    stopped = stop.map(Into::into);
                    if best.as_ref().is_none_or(|best| self.prefers(&puzzle, best)) {
                        best = Some(puzzle);
                    }
                }
                Err(job::Halt::Stop(stop)) => stopped = Some(stop),
                Err(job::Halt::Error(error)) => return Err(error),
            }
            let enough = best.as_ref().is_some_and(|best| {
                (!self.exact || best.clues <= self.clues) && self.is_as_hard(best)
            });
            if stopped.is_some() || enough {
                break;
            }
        }
        Ok((best, stopped))
    }

    /// Whether a puzzle is as hard as was asked for.
    fn is_as_hard(&self, puzzle: &Puzzle) -> bool {
        !self.is_level_given
            || puzzle.rating.as_ref().is_some_and(|rating| rating.level() == self.level)
    }

    /// Whether one puzzle is nearer to what is asked for than another.
    fn prefers(&self, puzzle: &Puzzle, other: &Puzzle) -> bool {
        let rank = |puzzle: &Puzzle| (!self.is_as_hard(puzzle), puzzle.clues);
        if self.exact { puzzle.clues < other.clues } else { rank(puzzle) < rank(other) }
    }

    fn given(&self, at: &Tour, made: &[Puzzle], stopped: Option<Limit>) -> Answer {
        let (task, run) = (at.task, at.run());
        let is_whole = stopped.is_none();
        let value = match stopped {
            Some(stop) => Value::stopped(made.len(), stop),
            None => Value::at_least(made.len()),
        };
        let mut answer = at.asked.answer(&PUZZLES, value, &THINNING);
        answer.cost.nodes = Some(run.progress().handled);
        answer.seed = Some(run.budget().seed);
        answer.certificate = Some(Certificate::solutions());
        answer.fact("cells", "numbers in all", task.len());
        if let ([puzzle], 1) = (made, self.number) {
            answer.puzzle = Some(Place::Board(puzzle.drawing(task)));
            answer.fact("clues", "numbers shown", puzzle.clues);
            if let Some(nodes) = puzzle.nodes {
                answer.fact("proof-nodes", PROOF_NODES, nodes);
            }
            if let Some(rating) = &puzzle.rating {
                answer.fact(MEASURED, "measured difficulty", rating.difficulty());
                answer.tables.push(steps(rating));
            }
        } else {
            answer.tables.push(table(task, made));
        }
        if is_whole && self.exact && made.iter().any(|puzzle| puzzle.clues > self.clues) {
            let is_hardest = self.level == LEVELS.len() - 1;
            let harder = if is_hardest { "" } else { " or a harder --difficulty" };
            answer.notes.push(format!(
                "No puzzle with as few as {} clues was found; another --seed{harder} may have one.",
                self.clues
            ));
        }
        let different: BTreeSet<_> =
            made.iter().map(|puzzle| (&puzzle.path, &puzzle.shown)).collect();
        if different.len() < made.len() {
            answer.notes.push(format!(
                "Only {} of the puzzles are different: this board has few.",
                different.len()
            ));
        }
        let easier = made.iter().filter(|puzzle| !self.is_as_hard(puzzle)).count();
        if is_whole && easier > 0 {
            let which = if made.len() == 1 {
                "The puzzle is".to_owned()
            } else {
                format!("{easier} of the puzzles are")
            };
            answer.notes.push(format!(
                "{which} not as hard as {}; another --seed, fewer clues or a larger board may be.",
                LEVELS[self.level]
            ));
        }
        answer
    }
}

const PROOF_NODES: &str = "nodes of the search that proves that there is one solution";

/// How often each rule is used.
fn steps(rating: &Rating) -> Table {
    let columns = [
        ("rule", "rule", DatumKind::Text),
        ("level", "level", DatumKind::Text),
        ("text", "what it is", DatumKind::Text),
        ("steps", "steps", DatumKind::Integer),
    ];
    let mut table = Table::new("steps", "Steps to the solution, by rule", &columns);
    for (rule, id) in RULES.iter().enumerate() {
        let level = LEVELS[level(rule)];
        table.push([
            (*id).into(),
            level.into(),
            RULE_WORDS[rule].into(),
            rating.steps[rule].into(),
        ]);
    }
    table
}

/// Several puzzles.
fn table(task: &Task, made: &[Puzzle]) -> Table {
    let mut columns = vec![
        ("puzzle", "puzzle", DatumKind::Integer),
        (SHOWN, "clues", DatumKind::Integer),
        (MEASURED, "difficulty", DatumKind::Text),
    ];
    columns.extend(RULES.iter().map(|rule| (*rule, *rule, DatumKind::Integer)));
    columns.push((DRAWING, "drawing", DatumKind::Text));
    let mut table =
        Table::new(TABLE, "Puzzles, with the steps to their solutions by rule", &columns);
    for (number, puzzle) in (1u32..).zip(made) {
        let rating = puzzle.rating.as_ref();
        let mut row: Vec<Datum> = vec![number.into(), puzzle.clues.into()];
        row.push(rating.map(Rating::difficulty).into());
        row.extend((0..RULES.len()).map(|rule| rating.map(|rating| rating.steps[rule]).into()));
        row.push(puzzle.drawing(task).to_text().into());
        table.push_row(row);
    }
    table
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

/// Rules up to a level.
fn rules_of(level: usize) -> usize {
    2 * (level + 1)
}

impl Puzzle {
    /// The puzzle that shows its whole solution.
    fn all_shown(path: Vec<u32>) -> Puzzle {
        let n = path.len();
        Puzzle { path, shown: vec![true; n], clues: n, nodes: None, rating: None }
    }

    /// The task that the clues set.
    fn task(&self, task: &Task) -> Result<Task> {
        let numbers = (1..).zip(&self.path).zip(&self.shown);
        task.with(numbers.filter(|(_, shown)| **shown).map(|((number, &cell), _)| (number, cell)))
    }

    /// Whether there is one solution, seen by what the level allows.
    fn is_fair(&self, task: &Task, level: usize, run: &Run) -> Result<Result<bool, Stop>> {
        let task = self.task(task)?;
        if level + 1 < LEVELS.len() {
            return Ok(rate::by_rules(&task, rules_of(level), run).map(|rating| rating.is_some()));
        }
        // Without a wrong turn there is a node for each cell, and the root.
        let grant = HARD.max(task.len() as u64 + 1);
        Ok(tree_of_one(task, grant, run).map(|nodes| nodes.is_some()))
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
        let mut number_at = vec![0; self.path.len()];
        for (number, &cell) in self.path.iter().enumerate() {
            number_at[cell as usize] = number;
        }
        // The numbers that go together, each group once.
        let group = |number: usize| match &wish.partner {
            None => vec![number],
            Some(partner) => {
                let other = number_at[partner[self.path[number] as usize] as usize];
                if other == number { vec![number] } else { vec![number, other] }
            }
        };
        let mut order: Vec<Vec<usize>> = (0..stays.len())
            .map(group)
            .filter(|group| group[0] <= *group.last().unwrap_or(&0))
            .filter(|group| group.iter().all(|&number| !stays[number]))
            .collect();
        random.shuffle(&mut order);
        let mut stopped = None;
        for group in order {
            if self.clues < wish.clues + group.len() {
                continue;
            }
            for &number in &group {
                self.shown[number] = false;
            }
            match self.is_fair(task, wish.level, run)? {
                Ok(true) => self.clues -= group.len(),
                other => {
                    for &number in &group {
                        self.shown[number] = true;
                    }
                    if let Err(stop) = other {
                        stopped = Some(stop);
                        break;
                    }
                }
            }
        }
        // What is left of the work tells how hard it is.
        if stopped.is_none() {
            let done = self.task(task)?;
            match rate::rate(&done, &self.path, run) {
                Ok(rating) => self.rating = Some(rating),
                Err(stop) => stopped = Some(stop),
            }
            match tree_of_one(done, HARD.max(self.path.len() as u64 + 1), run) {
                Ok(nodes) => self.nodes = nodes,
                Err(stop) => stopped = stopped.or(Some(stop)),
            }
        }
        Ok(stopped)
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

    /// A number in the middle leaves the tour to be found by a search.
    #[test]
    fn puzzles_around_given_numbers_have_different_solutions() {
        let board = question("hidato", ". . . .\n. . 5 .\n. . . .\n. . . .").with("number", 4);
        let answer = ask(&board, 3);
        let solutions: BTreeSet<_> =
            answer.solutions.iter().map(|solution| solution.figure.path().to_vec()).collect();
        assert!(solutions.len() > 1);
        let narrow = ask(&question("numbrix", "1x5").with("number", 3), 1);
        assert!(
            narrow.notes.iter().any(|note| note.contains("are different")),
            "{:?}",
            narrow.notes
        );
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
        let steps = |answer: &Answer, rule: usize| {
            let table = answer.table("steps").unwrap();
            table.rows[rule][3].to_string().parse::<u64>().unwrap()
        };
        for (level, name) in LEVELS.iter().enumerate() {
            let answer = ask(&asked.clone().with("difficulty", *name), 2);
            assert_eq!(answer.fact_of(MEASURED), Some(&Datum::from(*name)), "{:?}", answer.notes);
            assert!(steps(&answer, 2 * level) + steps(&answer, 2 * level + 1) > 0);
            assert!((2 * level + 2..RULES.len()).all(|rule| steps(&answer, rule) == 0));
            // Each step is a number that was not shown.
            let all: u64 = (0..RULES.len()).map(|rule| steps(&answer, rule)).sum();
            assert_eq!(all as usize, 49 - drawing(&answer).clues.len());
            assert_eq!(solutions(&answer, 2), Value::exact(1u32));
        }
    }

    #[test]
    fn clues_lie_symmetrically() {
        for (place, seed) in [("7x7", 1), ("6x7", 2), (HOLES_OF_A_CROSS, 3)] {
            let asked = question("hidato", place).with("symmetric", true);
            let answer = ask(&asked, seed);
            let drawn = drawing(&answer);
            let (rows, cols) = (drawn.board.rows() as i32, drawn.board.cols() as i32);
            let shown: Vec<_> =
                drawn.clues.iter().map(|clue| drawn.board.cell(clue.cell)).collect();
            for cell in &shown {
                let turned =
                    crate::board::Cell { row: rows - 1 - cell.row, col: cols - 1 - cell.col };
                assert!(shown.contains(&turned), "{cell} {turned}");
            }
            assert!(shown.len() < drawn.board.len() - 4);
            assert!(verdict(&answer).unwrap().holds);
        }
        let lopsided = question("hidato", "...\n..#").with("symmetric", true);
        let error = testing::ask(&lopsided, &run(1)).unwrap_err();
        assert!(error.sentence.contains("symmetric board"), "{error}");
    }

    const HOLES_OF_A_CROSS: &str = "#...#\n.....\n.....\n.....\n#...#\n";

    #[test]
    fn several_puzzles_differ_and_are_checked_one_by_one() {
        let asked = question("hopido", "6x6").with("number", 3).with("difficulty", "easy");
        let answer = ask(&asked, 1);
        assert_eq!(answer.value, Value::at_least(3u32));
        assert_eq!((answer.solutions.len(), answer.puzzle.is_none()), (3, true));
        let table = answer.table(TABLE).unwrap();
        let drawn = table.column(DRAWING).unwrap();
        assert_ne!(table.rows[0][drawn], table.rows[1][drawn]);
        assert!(table.rows.iter().all(|row| row[2].to_string() == "easy"));
        assert!(verdict(&answer).unwrap().holds, "{:?}", verdict(&answer));
        let mut forged = answer.clone();
        forged.solutions.swap(0, 1);
        assert!(verdict(&forged).unwrap_err().sentence.contains("does not hold"));
        let mut forged = answer.clone();
        forged.tables[0].rows[2][drawn] = table.rows[1][drawn].clone();
        assert!(verdict(&forged).is_err());
        let mut forged = answer;
        forged.tables.clear();
        assert!(verdict(&forged).unwrap_err().sentence.contains("puzzles"));
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
            (svg.matches("<text").count(), clues, svg.contains("<circle"))
        };
        let (shown, clues, line) = labels(false);
        assert_eq!((shown, line), (clues, false));
        let (shown, _, line) = labels(true);
        assert_eq!((shown, line), (25, true));
    }
}
