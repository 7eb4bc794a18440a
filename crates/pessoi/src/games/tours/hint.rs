//! Hints: the next number that is forced, and why.
//!
//! The rules are tried in rising difficulty, then looking ahead, then a search (see `reason`).
//! Before a hint is given it is made sure that the numbers on the board can be completed, as
//! far as the rules or a search can tell: what follows from a contradiction is no hint. Where a
//! search cannot tell in half of the time, the hint says so.
//!
//! Where a board has several solutions, some numbers are not forced, and perhaps none is. Then
//! the hint is a number of one solution, and a second solution that has it elsewhere shows that
//! it is not forced.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use pessoi_engine::run::Run;

use super::exists::{Exists, Why, exists, followed, seen};
use super::options::{HINTS, LOOK_AHEAD, RULES_ALONE, SEARCHED};
use super::proofs::Proof;
use super::reason::{CONTRADICTION, Chain, HINT, Hint, LEVELS, RULES, Reason, Step, level};
use super::rules::{ALL, Known, Next};
use super::suppose::{order, suppose};
use super::task::Task;
use super::{Tour, Work, proofs, rotations};
use crate::answer::{Answer, Limit, Subject, Used, Value};
use crate::board::Cell;
use crate::certificate::Certificate;
use crate::error::Result;
use crate::job::{self, Events};
use crate::plan::Plan;

/// What a hint is about.
const NEXT_NUMBER: Subject = Subject::measure("next-number", "the next number");

/// The kind of certificate that holds a solution, and perhaps another one.
pub(super) const EXAMPLE: &str = "example";

/// A number of one solution.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Example {
    pub(super) number: u32,
    pub(super) cell: Cell,
    /// A solution that has it there.
    pub(super) path: Vec<Cell>,
    /// One that has it elsewhere, if that was found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) other: Option<Vec<Cell>>,
}

/// The facts of a hint that its checker reads.
pub(super) const NUMBER: (&str, &str) = ("number", "number");
pub(super) const CELL: (&str, &str) = ("cell", "cell");
pub(super) const RULE: (&str, &str) = ("rule", "rule");
pub(super) const LEVEL: (&str, &str) = ("level", "level");
pub(super) const FORCED: (&str, &str) = ("forced", "forced");
pub(super) const COMPLETE: (&str, &str) = ("complete", "the board is complete");

/// Nodes of one search, some hundredths of a second.
const GRANT: u64 = 200_000;
/// Nodes of the search for a first solution.
const FIRST_GRANT: u64 = 20_000_000;
/// Searches for other solutions: so many, and fewer on large boards, where each begins with tables of
/// all numbers and cells.
const MOST_SEARCHES: usize = 60;
const MOST_PLACES: usize = 100_000_000;
/// Other tours that rotations are asked for where they can find them at once.
const OTHERS: u64 = 5;

/// Answers `hint`.
pub(super) struct Hints;

/// What a hint is.
enum Given {
    /// A number that is forced. If it is `open` whether there is a solution at all, that is said.
    Step {
        step: Step,
        open: bool,
    },
    Example {
        number: u32,
        path: Vec<u32>,
        other: Option<Vec<u32>>,
    },
    None {
        proof: String,
        certificate: Option<Certificate>,
    },
}

impl Work for Hints {
    fn solves(&self) -> bool {
        false
    }

    fn subject(&self, task: &Task, value: &Value) -> Option<Subject> {
        Some(if *value == (Value::Described {}) { NEXT_NUMBER } else { task.subject() })
    }

    fn plan(&self, at: &Tour) -> Result<Plan> {
        let plan = at.plan(&HINTS, "the easiest rule that applies gives the next number");
        Ok(plan.note("How far it must look ahead cannot be predicted."))
    }

    fn answer(&self, at: &Tour, events: &mut dyn Events) -> Result<Answer> {
        let known = Known::new(at.task);
        if let Some(path) = known.path()
            && proofs::none(at.task).is_none()
            && let Next::Stuck = known.next(ALL)
        {
            let _ = events.solution(at.solution(&path));
            let mut answer = at.asked.answer(&NEXT_NUMBER, Value::Described {}, used(None));
            answer.fact(COMPLETE.0, COMPLETE.1, true);
            answer.notes.push("The board is complete, and all its numbers are right.".into());
            answer.certificate = Some(Certificate::solutions());
            return Ok(answer);
        }
        match hint(at.task, at.run()) {
            Ok(given) => Ok(said(at, &known, given)),
            Err(job::Halt::Stop(stop)) => Ok(at.gave_up(stop, &HINTS)),
            Err(job::Halt::Error(error)) => Err(error),
        }
    }
}

/// The engine, with what gave the hint.
fn used(rule: Option<usize>) -> Used {
    let used = Used::from(&HINTS);
    match rule {
        Some(4) => used.by(&LOOK_AHEAD),
        Some(rule) if rule < 4 => used.by(&RULES_ALONE),
        _ => used.by(&SEARCHED),
    }
}

fn said(at: &Tour, known: &Known, given: Given) -> Answer {
    let name = |path: &[u32]| -> Vec<Cell> { path.iter().map(|&cell| known.name(cell)).collect() };
    match given {
        Given::None { proof, certificate } => {
            let mut answer = at.answer(Value::none(proof), &HINTS);
            answer.certificate = certificate;
            answer
        }
        Given::Step { step, open } => {
            let rule = step.because.rule();
            let mut answer = at.asked.answer(&NEXT_NUMBER, Value::Described {}, used(Some(rule)));
            answer.fact(NUMBER.0, NUMBER.1, step.number);
            answer.fact(CELL.0, CELL.1, step.cell);
            answer.fact(FORCED.0, FORCED.1, true);
            answer.fact(RULE.0, RULE.1, RULES[rule]);
            answer.fact(LEVEL.0, LEVEL.1, LEVELS[level(rule)]);
            if let Reason::Suppose { .. } = step.because {
                answer.fact(
                    "ahead",
                    "suppositions and steps that are followed",
                    step.because.ahead(),
                );
            }
            answer.notes.push(step.sentence(known));
            if open {
                answer.notes.push(
                    "Whether the board has a solution was not decided: the numbers on it may \
                     contradict each other."
                        .into(),
                );
            }
            answer.certificate = Some(Certificate::own(HINT, &Hint { step }));
            answer
        }
        Given::Example { number, path, other } => {
            let cell = known.name(path[number as usize - 1]);
            let mut answer = at.asked.answer(&NEXT_NUMBER, Value::Described {}, used(None));
            answer.fact(NUMBER.0, NUMBER.1, number);
            answer.fact(CELL.0, CELL.1, cell);
            let mut note = format!("{number} can be at {cell}: there is a solution with it there");
            if let Some(other) = &other {
                answer.fact(FORCED.0, FORCED.1, false);
                let there = known.name(other[number as usize - 1]);
                note = format!(
                    "{note}. It is not forced: another solution has it at {there}, so this board \
                     has more than one solution."
                );
            } else {
                note += ". Whether it is forced was not decided.";
            }
            answer.notes.push(note);
            let other = other.map(|other| name(&other));
            let example = Example { number, cell, path: name(&path), other };
            answer.certificate = Some(Certificate::own(EXAMPLE, &example));
            answer
        }
    }
}

/// The next number of a board that has one missing, or what contradicts.
fn hint(task: &Arc<Task>, run: &Run) -> job::Work<Given> {
    if let Some(proof) = seen(task) {
        return Ok(Given::None { proof: proof.sentence, certificate: Some(proof.certificate) });
    }
    let known = Known::new(task);
    run.stage("following the rules", 0);
    let (end, chain) = followed(task);
    let contradiction = |chain: Chain| {
        let proof = chain.sentence(&mut known.clone());
        let proof = proof.trim_end_matches('.').to_owned();
        let certificate = Some(Certificate::own(CONTRADICTION, &chain));
        Given::None { proof, certificate }
    };
    if let Some(chain) = chain {
        return Ok(contradiction(chain));
    }
    // Rules that fill the board have shown that it can be filled.
    let mut solution = end.path();
    if solution.is_none() {
        run.stage("looking for a solution", 0);
        // What the rules say can be said without a solution.
        solution = match exists(task, FIRST_GRANT, &run.half()) {
            Ok(Exists::Yes(path)) => Some(path),
            Ok(Exists::No(why)) => {
                return Ok(match why {
                    Why::Seen(Proof { sentence, certificate }) => {
                        Given::None { proof: sentence, certificate: Some(certificate) }
                    }
                    Why::Rules(chain) => contradiction(chain),
                    Why::Tried => {
                        Given::None { proof: super::EXHAUSTED.to_owned(), certificate: None }
                    }
                });
            }
            Ok(Exists::Unknown) => None,
            Err(job::Halt::Stop(Limit::Time { .. })) => {
                run.check()?;
                None
            }
            Err(halt) => return Err(halt),
        };
    }
    let open = solution.is_none();
    if let Next::Step(step) = known.next(ALL) {
        return Ok(Given::Step { step, open });
    }
    run.stage("looking ahead", 0);
    // Where nothing is known, nothing can be supposed that a rule would refute.
    if known.missing() < task.len()
        && let Next::Step(step) = suppose(&known, run)?
    {
        return Ok(Given::Step { step, open });
    }
    match solution {
        Some(solution) => searched(task, &known, solution, run),
        None => Err(Limit::Attempts {
            text: "no rule applies, and a search found no solution in time".into(),
        }
        .into()),
    }
}

/// A number that has no other cell in any solution; or else one that has.
fn searched(task: &Arc<Task>, known: &Known, path: Vec<u32>, run: &Run) -> job::Work<Given> {
    let numbers = order(known);
    run.stage("searching", numbers.len() as u64);
    let mut elsewhere: Vec<Option<Arc<[u32]>>> = vec![None; path.len()];
    let differs = |elsewhere: &mut [Option<Arc<[u32]>>], other: Vec<u32>| {
        let other: Arc<[u32]> = other.into();
        for (k, (a, b)) in path.iter().zip(&*other).enumerate() {
            if a != b {
                elsewhere[k].get_or_insert_with(|| other.clone());
            }
        }
    };
    if !task.is_numbered() {
        // The same path is a solution from its other end, and a closed one from every cell.
        let mut other = path.clone();
        if task.closed {
            other.rotate_left(1);
        } else {
            other.reverse();
        }
        differs(&mut elsewhere, other);
    }
    if rotations::suits(task) {
        for stream in 1..=OTHERS {
            let streams = stream * 100..stream * 100 + 1;
            if let Some(other) = rotations::find(task, streams, run)? {
                differs(&mut elsewhere, other);
            }
        }
    }
    let most = (MOST_PLACES / path.len().pow(2)).clamp(1, MOST_SEARCHES);
    let mut searches = 0;
    for (number, cells) in &numbers {
        let k = *number as usize - 1;
        run.step(1);
        if elsewhere[k].is_some() {
            continue;
        }
        let mut is_forced = true;
        for &cell in cells.iter().filter(|&&cell| cell != path[k]) {
            searches += 1;
            if searches > most {
                is_forced = false;
                break;
            }
            match exists(&task.with([(*number, cell)])?, GRANT, run)? {
                Exists::No(_) => {}
                Exists::Unknown => is_forced = false,
                Exists::Yes(other) => {
                    is_forced = false;
                    differs(&mut elsewhere, other);
                    break;
                }
            }
        }
        if is_forced {
            let step =
                Step { number: *number, cell: known.name(path[k]), because: Reason::Search {} };
            return Ok(Given::Step { step, open: false });
        }
    }
    // The first missing number is what one would go on with.
    let first = known.all_missing().find(|&number| elsewhere[number as usize - 1].is_some());
    let number = first.or_else(|| known.all_missing().next()).unwrap_or(1);
    let other = elsewhere[number as usize - 1].as_ref().map(|other| other.to_vec());
    Ok(Given::Example { number, path, other })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::time::Duration;

    use super::*;
    use crate::board::Clue;
    use crate::check::{Effort, Verdict};
    use crate::question::{Place, Question, Verb};
    use crate::table::Datum;
    use crate::testing::{self, CATALOGUE};
    use pessoi_engine::run::Budget;

    fn run(seed: u64) -> Run {
        Run::new(Budget { seed, ..Budget::default() })
    }

    fn ask(question: &Question) -> Answer {
        testing::ask(question, &run(1)).unwrap_or_else(|error| panic!("{question:?}: {error}"))
    }

    fn verdict(answer: &Answer) -> Result<Verdict> {
        CATALOGUE.verify(&serde_json::to_vec(answer).unwrap(), Effort::Usual, &run(1))
    }

    fn hint(game: &str, place: &str) -> Answer {
        ask(&Question::new(Verb::Hint, game, place).unwrap())
    }

    fn fact(answer: &Answer, id: &str) -> String {
        answer.fact_of(id).map(ToString::to_string).unwrap_or_default()
    }

    /// 15 is between 14 and 16, whether or not the rest can be filled.
    #[test]
    fn a_rule_that_applies_gives_a_hint_in_any_time() {
        let place = "14 . 16 . . 195 . . . . . . . . . . . 47 44 .\n\
             . . . . . . . . . . . . . . . . . . . .\n\
             . . . . . 239 . . . . . . . . 158 . . . . .\n\
             . . . . . 258 . . . . . . . . 185 . . . . .\n\
             . . . . . . . . . . . . . 191 . . . . . .\n\
             19 . . . . . . . . . 311 . . . . . . . . .\n\
             . . . 221 . . . . . . . . . 187 . . . . . .\n\
             . . . . 261 270 . . . . . . 327 . . 164 . . . .\n\
             202 . . . . . . . . . . . . . . . . . . .\n\
             . . . . . . 287 . . . . . . . . . . . 109 .\n\
             228 . . . . . . . . . . . . . . . . . . .\n\
             . . . . . . . . . . 371 . . . 343 . . . . .\n\
             . . . 279 . . . . . . . 377 . . . . 138 . . .\n\
             . . . 298 . . . . . . . . . . . . . . . .\n\
             . . . 217 . . . . . . . . . . . . . . . .\n\
             . . . . . . 349 . . . . . . . . . 129 . . .\n\
             . . . . . . . . . . . 85 . . . . . . . .\n\
             . . . . . . . . . . 87 . . 82 . . . . . .\n\
             . . . . . . . 29 . . . . . . . . . . . .\n\
             . . . . . . . . . . . . . . . . . . . .";
        let question = Question::new(Verb::Hint, "knight-tours", place).unwrap();
        let step = Duration::from_millis(1);
        let run = Run::stepping(Budget { time: Some(300 * step), ..Budget::default() }, step);
        let answer = testing::ask(&question, &run).unwrap();
        assert_eq!((&*fact(&answer, "number"), &*fact(&answer, "forced")), ("15", "yes"));
        assert!(answer.notes[1].contains("was not decided"), "{:?}", answer.notes);
        assert!(verdict(&answer).unwrap().holds);
    }

    /// Follows hints from a generated puzzle to its solution; every reason is checked. Says how
    /// often each rule was used.
    fn follow(generate: &Question, seed: u64) -> BTreeMap<String, u64> {
        let puzzle = testing::ask(generate, &run(seed)).unwrap();
        let Some(Place::Board(drawn)) = &puzzle.puzzle else { panic!("{:?}", puzzle.value) };
        let mut drawing = drawn.clone();
        let mut hinting = Question::new(Verb::Hint, &generate.game, "1x1").unwrap();
        for shared in ["closed", "moves"] {
            if let Some(setting) = generate.options.get(shared) {
                hinting.options.insert(shared.to_owned(), setting.clone());
            }
        }
        let mut used = BTreeMap::new();
        loop {
            hinting.place = Place::Board(drawing.clone());
            let answer = CATALOGUE.answer(&hinting, &run(1)).unwrap();
            let words = hinting.words();
            let verdict = verdict(&answer);
            assert!(verdict.as_ref().is_ok_and(|verdict| verdict.holds), "{verdict:?} {words}");
            if answer.fact_of(COMPLETE.0).is_some() {
                assert_eq!(answer.solutions, puzzle.solutions, "{words}");
                return used;
            }
            assert_eq!(answer.fact_of(FORCED.0), Some(&Datum::Boolean(true)), "{words}");
            *used.entry(fact(&answer, RULE.0)).or_default() += 1;
            let number: u32 = fact(&answer, NUMBER.0).parse().unwrap();
            let cell: Cell = fact(&answer, CELL.0).parse().unwrap();
            let cell = drawing.board.index(cell).unwrap();
            assert_eq!(
                puzzle.solutions[0].figure.path()[number as usize - 1],
                drawing.board.cell(cell)
            );
            drawing.clues.push(Clue { cell, number });
            drawing.clues.sort_unstable_by_key(|clue| clue.cell);
        }
    }

    const HOLES: &str = "..#....\n.......\n.......\n...#...\n.......\n#......\n......#\n";

    /// Puzzles of several games, sizes and difficulties.
    fn puzzles() -> Vec<Question> {
        let mut all = Vec::new();
        for difficulty in ["easy", "medium", "hard"] {
            for (game, place) in [
                ("hopido", "5x5"),
                ("hopido", "7x7"),
                ("diplomatico", HOLES),
                ("knight-tours", "6x6"),
                ("knight-tours", "5x8"),
                ("king-tours", "5x5"),
                ("king-tours", "6x7"),
                ("wazir-tours", "6x6"),
                ("wazir-tours", "8x8"),
                ("knight-tours", "7x7"),
            ] {
                let asked = Question::new(Verb::Generate, game, place).unwrap();
                all.push(asked.with("difficulty", difficulty));
            }
            for (game, place) in [("hopido", "6x6"), ("king-tours", "4x5"), ("knight-tours", "6x6")]
            {
                let asked = Question::new(Verb::Generate, game, place).unwrap();
                all.push(asked.with("difficulty", difficulty).with("closed", true));
            }
        }
        all
    }

    #[test]
    fn hints_alone_lead_to_the_solution() {
        let mut used: BTreeMap<String, u64> = BTreeMap::new();
        for (k, asked) in (0..).zip(puzzles()).step_by(3) {
            for (rule, times) in follow(&asked, k) {
                *used.entry(rule).or_default() += times;
            }
        }
        for rule in ["beside", "reach", "only-number", "ways", "suppose"] {
            assert!(used.contains_key(rule), "{rule} was never used: {used:?}");
        }
    }

    #[test]
    #[ignore = "takes minutes"]
    fn hints_alone_lead_to_the_solutions_of_200_puzzles() {
        let mut used: BTreeMap<String, u64> = BTreeMap::new();
        let mut puzzles_seen = 0;
        for seed in 1..=6 {
            for asked in puzzles() {
                puzzles_seen += 1;
                for (rule, times) in follow(&asked, seed) {
                    *used.entry(rule).or_default() += times;
                }
            }
        }
        assert!(puzzles_seen >= 200);
        println!("{puzzles_seen} puzzles: {used:?}");
    }

    /// A board, the number and cell that are forced, the rule, and words of the reason.
    #[test]
    fn each_rule_is_given_with_its_reason() {
        for (game, place, number, cell, rule, words) in [
            (
                "numbrix",
                "1 . 3\n. . .\n. . 9",
                2,
                "1,2",
                "beside",
                "one move from 1 at 1,1 and from 3 at 1,3",
            ),
            ("numbrix", "1 2 .", 3, "1,3", "beside", "one move from 2 at 1,2"),
        ] {
            let answer = hint(game, place);
            assert_eq!(fact(&answer, NUMBER.0), number.to_string(), "{place}");
            assert_eq!(fact(&answer, CELL.0), cell, "{place}");
            assert_eq!(fact(&answer, RULE.0), rule, "{place}");
            assert_eq!(
                fact(&answer, LEVEL.0),
                LEVELS[level(RULES.iter().position(|r| *r == rule).unwrap())]
            );
            assert!(answer.notes[0].contains(words), "{:?}", answer.notes);
            assert!(verdict(&answer).unwrap().holds);
        }
    }

    #[test]
    fn a_board_that_cannot_be_completed_says_what_contradicts() {
        for (game, place, words) in [
            ("numbrix", "1 . .\n. . 2\n. . 9", "1 at 1,1 and 2 at 2,3 are not one move apart"),
            ("numbrix", "1 . .\n. . .\n2 . 9", "3,1 has the wrong colour for the number 2"),
            ("numbrix", "1 . # . .\n. . # . .\n. . # . .", "no move leads"),
            ("numbrix", "1 . .\n. . .\n. . 3", "for 2 between 1 at 1,1 and 3 at 3,3"),
            ("hidato", "1 . .\n. . 4\n. 3 .", ""),
            ("knight-tours", "1 . . .\n. . . .\n. . . .", ""),
        ] {
            let answer = hint(game, place);
            match &answer.value {
                Value::None { proof } => {
                    assert!(proof.contains(words), "{proof}");
                    assert!(verdict(&answer).unwrap().holds, "{:?}", verdict(&answer));
                }
                // The others can be completed.
                _ => assert!(words.is_empty(), "{place} {:?}", answer.notes),
            }
        }
    }

    /// What follows from the clues themselves follows from nothing that was said before.
    #[test]
    fn a_contradiction_begins_with_what_is_known() {
        let mut chains = 0;
        for (a, b) in [(3, 6), (5, 8), (7, 4)] {
            for (at, other) in (1..9usize).flat_map(|at| (1..9).map(move |other| (at, other))) {
                let clue = |cell: usize| match cell {
                    0 => "1".to_owned(),
                    cell if cell == at => format!("{a}"),
                    cell if cell == other => format!("{b}"),
                    _ => ".".to_owned(),
                };
                let line = |row: usize| (0..3).map(|col| clue(3 * row + col)).collect::<Vec<_>>();
                let place = (0..3).map(|row| line(row).join(" ")).collect::<Vec<_>>().join("\n");
                let Value::None { proof } = hint("numbrix", &place).value else { continue };
                assert!(!proof.starts_with("then"), "{proof}");
                chains += usize::from(proof.contains("must be at"));
            }
        }
        assert!(chains > 0);
    }

    /// On a board of this size no search through the places of a number comes to an end.
    #[test]
    fn an_empty_board_of_any_size_has_a_hint() {
        for (game, place, closed) in [
            ("diplomatico", "40x40", false),
            ("knight-tours", "31x31", false),
            ("knight-tours", "20x20", true),
        ] {
            let question = Question::new(Verb::Hint, game, place).unwrap().with("closed", closed);
            let answer = ask(&question);
            assert_eq!(answer.fact_of(FORCED.0), Some(&Datum::Boolean(false)), "{place}");
            assert!(verdict(&answer).unwrap().holds);
        }
        let question = Question::new(Verb::Hint, "knight-tours", "8x8").unwrap();
        let answer = ask(&question.with("from", "1,1").with("to", "8,8"));
        assert!(matches!(&answer.value, Value::None { proof } if proof.contains("colour")));
    }

    #[test]
    fn what_is_not_forced_is_said_not_to_be() {
        let answer = hint("knight-tours", "5x5");
        assert_eq!(answer.fact_of(FORCED.0), Some(&Datum::Boolean(false)), "{:?}", answer.notes);
        assert!(answer.notes[0].contains("more than one solution"), "{:?}", answer.notes);
        assert!(verdict(&answer).unwrap().holds);
        let full = hint("numbrix", "1 2 3\n");
        assert_eq!(full.fact_of(COMPLETE.0), Some(&Datum::Boolean(true)));
        assert!(verdict(&full).unwrap().holds);
        let one = hint("numbrix", "1x1");
        assert_eq!(fact(&one, CELL.0), "1,1");
    }

    #[test]
    fn forged_hints_are_found_out() {
        let answer = hint("numbrix", "1 . 3\n. . .\n. . 9");
        let forge = |change: &dyn Fn(&mut serde_json::Value)| {
            let mut json = serde_json::to_value(&answer).unwrap();
            change(&mut json);
            let saved = serde_json::to_vec(&json).unwrap();
            CATALOGUE.verify(&saved, Effort::Usual, &run(1)).unwrap_err().sentence
        };
        let moved = forge(&|json| json["certificate"]["step"]["cell"] = "2,1".into());
        assert!(moved.contains("does not hold"), "{moved}");
        let other = forge(&|json| json["facts"][0]["value"] = "4".into());
        assert!(other.contains("number"), "{other}");
        let rule = forge(&|json| {
            json["certificate"]["step"]["because"] =
                serde_json::json!({"rule": "ways", "ways": []});
        });
        assert!(rule.contains("does not hold"), "{rule}");
        let none = forge(&|json| json["certificate"] = serde_json::json!({"kind": "solutions"}));
        assert!(none.contains("complete"), "{none}");
    }

    mod soundness {
        use proptest::prelude::*;

        use super::*;
        use crate::board::{Board, Drawing, Lattice};

        /// Keeps all paths.
        struct Sink<'a>(&'a mut Vec<Vec<Cell>>);

        impl Events for Sink<'_> {
            fn solution(&mut self, found: crate::solution::Solution) -> crate::job::Flow {
                self.0.push(found.figure.path().to_vec());
                crate::job::MORE
            }
        }

        proptest! {
            #![proptest_config(ProptestConfig::with_cases(150))]

            /// On small boards with any numbers on them, what the hint says is so of all
            /// solutions, as `list` finds them; and its certificate holds.
            #[test]
            fn hints_are_true_of_all_solutions(
                cells in prop::collection::vec(prop::bool::weighted(0.9), 16),
                game in prop::sample::select(vec!["hidato", "numbrix", "knight-tours"]),
                clues in prop::collection::vec((0usize..16, 0u32..16), 0..5),
                closed in prop::bool::weighted(0.3),
            ) {
                let cells = (0..16).filter(|&k| cells[k as usize]);
                let cells = cells.map(|k| Cell { row: k / 4, col: k % 4 });
                let Ok(board) = Board::from_cells(Lattice::Square, cells) else { return Ok(()) };
                let n = board.len();
                let mut placed: Vec<Clue> = Vec::new();
                for (cell, number) in clues {
                    let clue = Clue { cell: cell % n, number: number % n as u32 + 1 };
                    if placed.iter().all(|c| c.cell != clue.cell && c.number != clue.number) {
                        placed.push(clue);
                    }
                }
                placed.sort_unstable_by_key(|clue| clue.cell);
                let mut question = Question::new(Verb::Hint, game, "1x1").unwrap();
                question.place = Place::Board(Drawing { board, clues: placed });
                if closed {
                    question = question.with("closed", true);
                }
                let answer = CATALOGUE.answer(&question, &run(1)).unwrap();
                let mut list = Question { verb: Verb::List, ..question.clone() };
                // Numbers count, so that paths are not given in one direction only.
                list = list.with("limit", 20_000u64);
                let mut all = Vec::new();
                CATALOGUE.ask(&list, &run(1), &mut Sink(&mut all)).unwrap();
                prop_assume!(all.len() < 20_000);
                let verdict = verdict(&answer);
                prop_assert!(verdict.as_ref().is_ok_and(|v| v.holds), "{:?} {}", verdict, question.words());
                let is_numbered = !question.drawing().unwrap().clues.is_empty();
                let is_none = matches!(answer.value, Value::None { .. });
                prop_assert_eq!(all.is_empty(), is_none, "{}", question.words());
                if answer.fact_of(FORCED.0) == Some(&Datum::Boolean(true)) && is_numbered {
                    let number: usize = fact(&answer, NUMBER.0).parse().unwrap();
                    let cell = fact(&answer, CELL.0);
                    for path in &all {
                        prop_assert_eq!(path[number - 1].to_string(), &*cell, "{}", question.words());
                    }
                }
            }
        }
    }
}
