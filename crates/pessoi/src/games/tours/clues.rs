//! The verb `check`: whether the numbers on a board are right so far. (The file `check` is the
//! checker of answers.)
//!
//! They are right if some solution extends them; a second solution is looked for, so that the
//! answer also says whether the board is a puzzle. Otherwise they **contradict** each other, and
//! the answer names few of them that do: a set of clues without a solution is a *conflict*.
//!
//! A smallest conflict is found as R. Reiter (1987) finds diagnoses, and A. Ignatiev, A.
//! Previti, M. Liffiton and J. Marques-Silva (2015) small unsatisfiable sets. A tour that
//! extends only some of the clues leaves others out, and every conflict holds one of those. So a
//! set that holds something of each that was left out so far, and is as small as such a set can
//! be, is no larger than any conflict. If it has no solution, it is a smallest one; otherwise
//! its solution leaves out clues in turn. Where a search takes too long, clues are taken away
//! one by one as long as the rest contradicts itself: no clue of what is left can be spared, but
//! there may be a smaller conflict elsewhere.
//!
//! All this begins with a conflict that the board and its moves show, or the rules alone, if they
//! show one: clues are taken away, many at a time and then one by one (A. Zeller 1999), as long as
//! that still shows a contradiction. It is there in any case, however little time is left for the
//! rest.

use std::sync::Arc;

use pessoi_engine::run::Run;
use serde::{Deserialize, Serialize};

use super::exists::{Exists, Why, exists, followed, seen};
use super::extend::{Extend, Order};
use super::options::CLUE_CHECK;
use super::reason::Chain;
use super::rules::Known;
use super::task::Task;
use super::{Tour, Work, rotations};
use crate::answer::{Answer, Limit, Value};
use crate::board::Cell;
use crate::certificate::Certificate;
use crate::error::Result;
use crate::job::{self, Events};
use crate::plan::Plan;
use crate::table::{DatumKind, Table};
use pessoi_engine::search::{Advance, Walk};

/// The kind of certificate that holds solutions which are not to be shown.
pub(super) const EXTENSIONS: &str = "extensions";
/// The kind of certificate that names clues which contradict each other.
pub(super) const CONFLICT: &str = "conflict";

/// Solutions that extend the clues.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Extensions {
    pub(super) paths: Vec<Vec<Cell>>,
}

/// Clues that contradict each other.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Conflict {
    /// The clues.
    pub(super) clues: Vec<Placed>,
    /// How small the set is known to be.
    pub(super) size: Size,
    /// How they contradict each other, if the rules show it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) because: Option<Chain>,
    /// A proof that there is no tour with them, if the board and its moves show it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) seen: Option<Certificate>,
    /// Tours of the board that extend other sets of clues, and so show how small it is.
    pub(super) paths: Vec<Vec<Cell>>,
}

/// A number at its cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Placed {
    pub(super) number: u32,
    pub(super) cell: Cell,
}

/// How small a conflict is known to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Size {
    /// No set of fewer clues is a conflict.
    Smallest,
    /// Without any one of its clues it is none.
    Irreducible,
    /// Nothing is known.
    Unknown,
}

/// The table of the conflict, its facts, and their words.
pub(super) const CLUES_IN_CONFLICT: (&str, &str) = ("conflict", "clues that contradict each other");
pub(super) const SIZE: (&str, &str) = ("size", "how small the conflict is");
pub(super) const UNIQUE: (&str, &str) = ("unique", "exactly one solution");

/// The table of a conflict.
pub(super) fn table(clues: &[Placed]) -> Table {
    let columns = [("number", "number", DatumKind::Integer), ("cell", "cell", DatumKind::Cell)];
    let mut table = Table::new(CLUES_IN_CONFLICT.0, "Clues that contradict each other", &columns);
    for clue in clues {
        table.push([clue.number.into(), clue.cell.into()]);
    }
    table
}

impl Size {
    pub(super) fn id(self) -> &'static str {
        match self {
            Size::Smallest => "smallest",
            Size::Irreducible => "irreducible",
            Size::Unknown => "unknown",
        }
    }

    fn words(self) -> &'static str {
        match self {
            Size::Smallest => "No smaller set of clues contradicts itself.",
            Size::Irreducible => {
                "Without any one of these the others can be completed; there may be a smaller set \
                 elsewhere."
            }
            Size::Unknown => "Whether all of these are needed was not decided.",
        }
    }
}

/// Nodes of the search for a first solution.
const FIRST_GRANT: u64 = 50_000_000;
/// Nodes of the search for a second one.
const SECOND_GRANT: u64 = 5_000_000;
/// Nodes of each search on the way to a small conflict.
const GRANT: u64 = 500_000;
/// Nodes of all searches that take clues away one by one, if that is more than `GRANT` for each: some
/// seconds on 10x10, so that few clues are more often decided …
const TAKING_AWAY: u64 = 30_000_000;
/// … and of each where there is a limit of time, which ends it sooner.
const TIMED_GRANT: u64 = 1 << 40;
/// … and of each that only makes a tour extend more clues.
const SMALL_GRANT: u64 = 20_000;
/// Tours that are looked for on the way to a smallest conflict.
const MOST_TOURS: usize = 300;
/// Sets that are looked at for a smallest one that holds something of each.
const MOST_SETS: u64 = 2_000_000;

/// Answers `check`.
pub(super) struct Clues;

impl Work for Clues {
    fn solves(&self) -> bool {
        false
    }

    fn plan(&self, at: &Tour) -> Result<Plan> {
        let plan = at.plan(&CLUE_CHECK, "two solutions that extend the clues are looked for");
        Ok(plan.note("How soon a search finds a solution cannot be predicted."))
    }

    fn answer(&self, at: &Tour, _: &mut dyn Events) -> Result<Answer> {
        match check(at) {
            Ok(answer) => Ok(answer),
            Err(job::Halt::Stop(stop)) => Ok(at.gave_up(stop, &CLUE_CHECK)),
            Err(job::Halt::Error(error)) => Err(error),
        }
    }
}

fn check(at: &Tour) -> job::Work<Answer> {
    let (task, run) = (at.task, at.run());
    run.stage("looking for a solution", 0);
    let first = match exists(task, FIRST_GRANT, run)? {
        Exists::Yes(path) => path,
        Exists::No(why) => return contradicted(at, why),
        Exists::Unknown => {
            let text = format!(
                "a search of {FIRST_GRANT} nodes neither found a solution nor \
                                showed that there is none"
            );
            return Err(Limit::Attempts { text }.into());
        }
    };
    run.stage("looking for a second solution", 0);
    let second = second(task, &first, run)?;
    let (value, note) = match &second {
        Second::Only => (Value::exact(1u8), "Right so far: there is exactly one solution."),
        Second::Another(_) => {
            (Value::at_least(2u8), "Right so far: there is more than one solution.")
        }
        Second::Unknown => {
            let text = format!(
                "a search of {SECOND_GRANT} nodes found no second solution and did \
                                not show that there is none"
            );
            let stop = Limit::Attempts { text };
            (Value::stopped(1u8, stop), "Right so far: there is a solution.")
        }
    };
    let mut answer = at.answer(value, &CLUE_CHECK);
    answer.cost.nodes = Some(run.progress().handled);
    match second {
        Second::Only => answer.fact(UNIQUE.0, UNIQUE.1, true),
        Second::Another(_) => answer.fact(UNIQUE.0, UNIQUE.1, false),
        Second::Unknown => {}
    }
    answer.notes.push(note.into());
    let paths = [Some(&first), if let Second::Another(path) = &second { Some(path) } else { None }];
    let paths = paths.into_iter().flatten().map(|path| names(task, path)).collect();
    answer.certificate = Some(Certificate::own(EXTENSIONS, &Extensions { paths }));
    Ok(answer)
}

fn names(task: &Task, path: &[u32]) -> Vec<Cell> {
    path.iter().map(|&cell| task.board.cell(cell as usize)).collect()
}

/// A solution besides the first.
enum Second {
    Another(Vec<u32>),
    Only,
    Unknown,
}

/// Looks for a second solution. Where nothing is fixed a path read backwards is the same one.
fn second(task: &Arc<Task>, first: &[u32], run: &Run) -> job::Work<Second> {
    let is_same = |path: &[u32]| {
        path == first || task.has_two_directions() && is_rotated(path, first, task.closed)
    };
    // What only the rules have filled in is the only solution.
    let (known, _) = followed(task);
    if known.path().is_some() {
        return Ok(Second::Only);
    }
    if rotations::suits(task) {
        for stream in 1..=3u64 {
            let streams = stream * 100..stream * 100 + 3;
            if let Some(path) = rotations::find(task, streams, run)?
                && !is_same(&path)
            {
                return Ok(Second::Another(path));
            }
        }
    }
    let task = Arc::new(task.with(fixed(task, &known))?);
    let mut walk = Walk::new(Extend::new(task, Order::Plain), run);
    loop {
        let left = SECOND_GRANT.saturating_sub(walk.nodes());
        if left == 0 {
            return Ok(Second::Unknown);
        }
        match walk.advance(left)? {
            Advance::Found if is_same(walk.search().path()) => {}
            Advance::Found => return Ok(Second::Another(walk.search().path().to_vec())),
            Advance::Exhausted => return Ok(Second::Only),
            Advance::Paused => return Ok(Second::Unknown),
        }
    }
}

/// What the rules have filled in, unless nothing is fixed: then directions count.
fn fixed(task: &Task, known: &Known) -> Vec<(u32, u32)> {
    if task.is_numbered() { known.all().collect() } else { Vec::new() }
}

/// Whether one path is the other from another cell on, or backwards.
fn is_rotated(a: &[u32], b: &[u32], closed: bool) -> bool {
    let mut back = b.to_vec();
    back.reverse();
    [b.to_vec(), back].iter().any(|b| {
        if !closed {
            return a == b;
        }
        let start = b.iter().position(|cell| Some(cell) == a.first());
        start.is_some_and(|start| a.iter().eq(b[start..].iter().chain(&b[..start])))
    })
}

/// Sets of clues, as sorted places among all clues.
type Set = Vec<usize>;

/// A conflict.
struct Few {
    set: Set,
    /// Why no tour extends them.
    why: Why,
    size: Size,
}

/// Clues without a solution, on their way to fewer.
struct Search<'a> {
    bare: Task,
    clues: Vec<(u32, u32)>,
    run: &'a Run,
    /// Tours, each with the clues that it leaves out.
    tours: Vec<(Vec<u32>, Set)>,
}

impl Search<'_> {
    fn task(&self, set: &[usize]) -> Result<Task> {
        self.bare.with(set.iter().map(|&k| self.clues[k]))
    }

    fn left_out(&self, path: &[u32]) -> Set {
        let is_out = |&k: &usize| {
            let (number, cell) = self.clues[k];
            path[number as usize - 1] != cell
        };
        (0..self.clues.len()).filter(is_out).collect()
    }

    /// Makes a tour extend more clues, as far as that is quickly done, and keeps it.
    fn keep(&mut self, mut path: Vec<u32>) -> job::Work<()> {
        let mut out = self.left_out(&path);
        for k in out.clone() {
            if !out.contains(&k) {
                continue;
            }
            let mut set: Set = (0..self.clues.len()).filter(|k| !out.contains(k)).collect();
            set.push(k);
            if let Exists::Yes(more) = exists(&self.task(&set)?, SMALL_GRANT, self.run)? {
                path = more;
                out = self.left_out(&path);
            }
        }
        self.tours.push((path, out));
        Ok(())
    }

    /// What is seen at once of some clues, if they contradict each other.
    fn shown(&self, set: &[usize]) -> Result<Option<Why>> {
        let task = self.task(set)?;
        Ok(match seen(&task) {
            Some(proof) => Some(Why::Seen(proof)),
            None => followed(&task).1.map(Why::Rules),
        })
    }

    /// All clues, or those of them that are seen to contradict each other, as few as is quickly
    /// found.
    fn begin(&self, why: Why) -> Result<Few> {
        let mut few = Few { set: (0..self.clues.len()).collect(), why, size: Size::Unknown };
        if let Some(why) = self.shown(&[])? {
            return Ok(Few { set: Vec::new(), why, size: Size::Smallest });
        }
        if matches!(few.why, Why::Tried) {
            return Ok(few);
        }
        let mut many = few.set.len();
        while many > 1 {
            many = many.div_ceil(2);
            let mut at = 0;
            while at < few.set.len() && self.run.check().is_ok() {
                let end = few.set.len().min(at + many);
                let fewer = [&few.set[..at], &few.set[end..]].concat();
                match self.shown(&fewer)? {
                    Some(why) => (few.set, few.why) = (fewer, why),
                    None => at = end,
                }
            }
        }
        Ok(few)
    }

    /// Looks for a smallest conflict, no larger than this one; says whether that is what it is now.
    fn smallest(&mut self, few: &mut Few) -> job::Work<bool> {
        for _ in 0..MOST_TOURS {
            let sets: Vec<&Set> = self.tours.iter().map(|(_, out)| out).collect();
            let Some(set) = hitting(&sets) else { return Ok(false) };
            // No conflict has fewer clues than this set, and one that has as many is there.
            if set.len() >= few.set.len() {
                few.size = Size::Smallest;
                return Ok(true);
            }
            match exists(&self.task(&set)?, GRANT, self.run)? {
                Exists::No(why) => {
                    *few = Few { set, why, size: Size::Smallest };
                    return Ok(true);
                }
                Exists::Yes(path) => self.keep(path)?,
                Exists::Unknown => return Ok(false),
            }
        }
        Ok(false)
    }

    /// Takes away clues as long as the rest contradicts itself, as far as that is quickly decided.
    fn irreducible(&mut self, few: &mut Few) -> job::Work<()> {
        let mut size = Size::Irreducible;
        let grant = match self.run.budget().time {
            Some(_) => TIMED_GRANT,
            None => GRANT.max(TAKING_AWAY / few.set.len().max(1) as u64),
        };
        for k in few.set.clone() {
            let fewer: Set = few.set.iter().copied().filter(|&other| other != k).collect();
            match exists(&self.task(&fewer)?, grant, self.run)? {
                Exists::No(why) => (few.set, few.why) = (fewer, why),
                Exists::Yes(path) => {
                    let out = self.left_out(&path);
                    self.tours.push((path, out));
                }
                Exists::Unknown => size = Size::Unknown,
            }
        }
        few.size = size;
        Ok(())
    }
}

/// A smallest set that holds something of each of these; `None` if too many would have to be
/// looked at.
fn hitting(sets: &[&Set]) -> Option<Set> {
    /// Adds at most `most` to those taken; each of the first set that nothing is taken of is
    /// tried.
    fn add(sets: &[&Set], taken: &mut Set, most: usize, left: &mut u64) -> bool {
        let Some(set) = sets.iter().find(|set| set.iter().all(|k| !taken.contains(k))) else {
            return true;
        };
        if most == 0 || *left == 0 {
            return false;
        }
        *left -= 1;
        for &k in *set {
            taken.push(k);
            if add(sets, taken, most - 1, left) {
                return true;
            }
            taken.pop();
        }
        false
    }
    let mut left = MOST_SETS;
    for most in 0.. {
        let mut taken = Vec::new();
        if add(sets, &mut taken, most, &mut left) {
            taken.sort_unstable();
            return Some(taken);
        }
        if left == 0 {
            return None;
        }
    }
    None
}

/// The answer where the clues contradict each other.
fn contradicted(at: &Tour, why: Why) -> job::Work<Answer> {
    let (task, run) = (at.task, at.run());
    run.stage("looking for the clues that contradict each other", 0);
    let clues: Vec<(u32, u32)> = task.fixed().collect();
    let half = run.half();
    let mut search = Search { bare: task.bare(), clues, run: &half, tours: Vec::new() };
    let mut few = search.begin(why)?;
    // That they contradict each other is known: a limit of time ends the search for fewer.
    let in_time = |work: job::Work<bool>| match work {
        Err(job::Halt::Stop(Limit::Time { .. })) => Ok(false),
        work => work,
    };
    if !in_time(search.smallest(&mut few))? {
        search.tours.clear();
        search.run = run;
        if !in_time(search.irreducible(&mut few).map(|()| true))? {
            few.size = Size::Unknown;
        }
    }
    if few.size == Size::Unknown {
        search.tours.clear();
    }
    let Few { set, why, size } = few;
    let placed = |&k: &usize| {
        let (number, cell) = search.clues[k];
        Placed { number, cell: task.board.cell(cell as usize) }
    };
    let clues: Vec<Placed> = set.iter().map(placed).collect();
    let named: Vec<String> =
        clues.iter().map(|clue| format!("{} at {}", clue.number, clue.cell)).collect();
    let mut proof = match &named[..] {
        [] => "the board has no solution even without numbers".to_owned(),
        [one] => format!("{one} alone cannot be completed"),
        [most @ .., last] => format!("{} and {last} contradict each other", most.join(", ")),
    };
    let alone = search.task(&set)?;
    let (mut because, mut seen) = (None, None);
    match why {
        Why::Rules(chain) => {
            let why = chain.sentence(&mut Known::new(&alone));
            proof = format!("{proof}: {}", why.trim_end_matches('.'));
            because = Some(chain);
        }
        Why::Seen(why) => {
            proof = format!("{proof}: {}", why.sentence);
            seen = Some(why.certificate);
        }
        Why::Tried => {}
    }
    let mut answer = at.answer(Value::none(proof), &CLUE_CHECK);
    answer.cost.nodes = Some(run.progress().handled);
    answer.fact(SIZE.0, SIZE.1, size.id());
    if !clues.is_empty() {
        answer.tables.push(table(&clues));
        answer.notes.push(size.words().into());
    }
    let paths = search.tours.iter().map(|(path, _)| names(task, path)).collect();
    answer.certificate =
        Some(Certificate::own(CONFLICT, &Conflict { clues, size, because, seen, paths }));
    Ok(answer)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::check::{Effort, Standing, Verdict};
    use crate::question::{Question, Verb};
    use crate::table::Datum;
    use crate::testing::{self, CATALOGUE};
    use pessoi_engine::run::Budget;

    fn checked(game: &str, place: &str) -> Answer {
        let question = Question::new(Verb::Check, game, place).unwrap();
        testing::ask(&question, &Run::default()).unwrap()
    }

    fn verdict(answer: &Answer) -> Result<Verdict> {
        CATALOGUE.verify(&serde_json::to_vec(answer).unwrap(), Effort::Usual, &Run::default())
    }

    fn conflict(answer: &Answer) -> Vec<String> {
        let rows = answer.table(CLUES_IN_CONFLICT.0).map(|table| &table.rows);
        rows.into_iter().flatten().map(|row| format!("{} {}", row[0], row[1])).collect()
    }

    #[test]
    fn right_so_far() {
        let only = checked("numbrix", "1 . 3\n. . .\n. . 9");
        assert!(only.solutions.is_empty(), "nothing is given away");
        for (game, place, value) in [
            ("numbrix", "1 . .\n. . .\n. . 9", Value::at_least(2u8)),
            ("numbrix", "1 2 3\n6 5 4\n7 8 9", Value::exact(1u8)),
            ("knight-tours", "5x5", Value::at_least(2u8)),
            ("knight-tours", "8x8", Value::at_least(2u8)),
        ] {
            let answer = checked(game, place);
            assert_eq!(answer.value, value, "{game} {place}");
            assert!(answer.notes[0].starts_with("Right so far"), "{:?}", answer.notes);
            assert!(verdict(&answer).unwrap().holds, "{:?}", verdict(&answer));
        }
    }

    #[test]
    fn the_clues_that_contradict_each_other() {
        for (game, place, few) in [
            ("numbrix", "1 . .\n. . .\n. 9 3", &["9 3,2"][..]),
            // Odd numbers are at corners and in the middle.
            ("numbrix", "1 . .\n. . 5\n. 2 .", &["5 2,3"]),
            ("hidato", "1 . . .\n. . . .\n. . . .\n. . 3 16", &["1 1,1", "3 4,3"]),
        ] {
            let answer = checked(game, place);
            assert!(matches!(answer.value, Value::None { .. }), "{:?}", answer.value);
            assert_eq!(conflict(&answer), few, "{place}");
            assert_eq!(answer.fact_of(SIZE.0), Some(&Datum::from("smallest")));
            assert!(verdict(&answer).unwrap().holds, "{:?}", verdict(&answer));
        }
        let bare = checked("knight-tours", "4x4");
        assert!(conflict(&bare).is_empty() && bare.tables.is_empty());
        assert!(matches!(&bare.value, Value::None { proof } if proof.contains("without numbers")));
    }

    /// What `find` sees at once is said here too, and checked without trying anything.
    #[test]
    fn what_is_seen_at_once_is_the_reason() {
        for (game, place, few, reason) in [
            ("numbrix", "1 . .\n. . 5\n. 2 .", &["5 2,3"][..], "wrong colour"),
            ("numbrix", "1 . # . .\n. . # . .\n. . # . 12", &[], "no move leads"),
            ("knight-tours", "3x3", &[], "no move leads to the cell 2,2"),
            ("knight-tours", "4x4", &[], ""),
        ] {
            let answer = checked(game, place);
            let Value::None { proof } = &answer.value else { panic!("{:?}", answer.value) };
            assert!(proof.contains(reason), "{proof}");
            assert_eq!(conflict(&answer), few, "{place}");
            assert_eq!(answer.fact_of(SIZE.0), Some(&Datum::from("smallest")));
            assert!(verdict(&answer).unwrap().holds, "{:?}", verdict(&answer));
        }
        let answer = checked("numbrix", "1 . .\n. . 5\n. 2 .");
        let mut json = serde_json::to_value(&answer).unwrap();
        json["certificate"]["seen"]["cells"].as_array_mut().unwrap().pop();
        let saved = serde_json::to_vec(&json).unwrap();
        CATALOGUE.verify(&saved, Effort::Usual, &Run::default()).unwrap_err();
    }

    /// On a board of this size no search finds a tour through a single number at once; a closed
    /// tour is read from where it is right.
    #[test]
    fn two_clues_on_a_large_board_are_known_to_be_needed() {
        let mut rows = vec![vec!["."; 20]; 20];
        rows[3][3] = "101";
        rows[12][12] = "117";
        let rows: Vec<String> = rows.iter().map(|row| row.join(" ")).collect();
        let answer = checked("numbrix", &rows.join("\n"));
        assert_eq!(conflict(&answer), ["101 4,4", "117 13,13"]);
        assert_eq!(answer.fact_of(SIZE.0), Some(&Datum::from("smallest")));
        assert!(verdict(&answer).unwrap().holds, "{:?}", verdict(&answer));
    }

    /// The rules see at once that two clues are too far apart; a search for a tour through the
    /// others has no end.
    #[test]
    fn a_conflict_that_the_rules_show_is_named_in_any_time() {
        let place = ". . . . . . 93 . . . . . . . .\n\
             . . . . . . . . . . . . . . .\n\
             . . . . 195 . . . . . . . 29 . 21\n\
             102 147 . . . . . . . . . . . . 20\n\
             103 . . . . . . . . . . . . . .\n\
             . . . . . . 64 . 44 . . . . . .\n\
             105 . 155 186 . . . 56 . . . . . . .\n\
             . 143 . 185 . . . . . 59 . . . . 88\n\
             . . . . . . . . . . 81 80 . . 65\n\
             . . . . . . . . 216 . . . . . .\n\
             . 140 . . . . . . . . . . . . .\n\
             . . . . . . . 177 . . . . . . .\n\
             . . . . . . . . 167 . . . . . .\n\
             112 . . . . . . . . . . . . . 70\n\
             . . . . . . . 120 121 . 123 . . . .";
        let question = Question::new(Verb::Check, "numbrix", place).unwrap();
        let step = Duration::from_millis(1);
        let run = Run::stepping(Budget { time: Some(300 * step), ..Budget::default() }, step);
        let answer = testing::ask(&question, &run).unwrap();
        assert_eq!(conflict(&answer), ["88 8,15", "103 5,1"]);
        // Asked again without a limit, it says more of how small the conflict is.
        let verdict = verdict(&answer).unwrap();
        for field in ["value", "certificate", "tables.conflict"] {
            assert_eq!(verdict.of(field).unwrap().standing, Standing::Checked, "{verdict:?}");
        }
    }

    #[test]
    fn forged_conflicts_are_found_out() {
        let answer = checked("numbrix", "1 2 .\n. . .\n9 . 3");
        let forge = |change: &dyn Fn(&mut serde_json::Value)| {
            let mut json = serde_json::to_value(&answer).unwrap();
            change(&mut json);
            let saved = serde_json::to_vec(&json).unwrap();
            CATALOGUE.verify(&saved, Effort::Usual, &Run::default()).unwrap_err().sentence
        };
        let shorter = forge(&|json| _ = json["certificate"]["clues"].as_array_mut().unwrap().pop());
        assert!(shorter.contains("does not hold"), "{shorter}");
        let no_tours = forge(&|json| json["certificate"]["paths"] = serde_json::json!([]));
        assert!(no_tours.contains("no smaller set"), "{no_tours}");
        let other = forge(&|json| json["tables"][0]["rows"][0][0] = "5".into());
        assert!(other.contains("table"), "{other}");
        let right = forge(&|json| {
            json["value"] = serde_json::json!({"standing": "exact", "number": "1"});
        });
        assert!(right.contains("does not hold"), "{right}");
    }

    #[test]
    fn smallest_sets() {
        let sets = [vec![0, 1], vec![1, 2], vec![3]];
        assert_eq!(hitting(&sets.iter().collect::<Vec<_>>()), Some(vec![1, 3]));
        assert_eq!(hitting(&[]), Some(vec![]));
    }
}
