//! Tours that are more than tours: that a symmetry keeps, that are magic, or that cross
//! themselves as rarely as can be.
//!
//! Each has a file and an engine of its own, and each engine also proves that there is none, or
//! none better. On large boards a search would take for ever, so one without a time limit gives
//! up after so much *work*: paths that are looked at, each as much as it takes to look at it.
//!
//! Few crossings are looked for in three steps: a tour that `find` finds; exchanges of its moves;
//! and, bounded by the best tour so far, a search through all paths, which comes to its end on
//! small boards. On others it is soon given up, and exchanges go on.

use std::sync::Arc;

use pessoi_engine::ledger::Ledger;
use pessoi_engine::run::{Run, Stop};
use pessoi_engine::search::{Advance, Search, Walk};

use super::crossings::{self, Best};
use super::exchange::Exchanges;
use super::find::{self, Found};
use super::magic::Magic;
use super::options::{
    CROSSING_SEARCH, FEW_CROSSINGS, INSPECTION, KEPT_BY, MAGIC, MAGIC_SEARCH, ORBITS,
};
use super::symmetric::{Kept, Symmetric};
use super::task::Task;
use super::{EXHAUSTED, Tour, Work};
use crate::answer::{Answer, Limit, Subject, Value};
use crate::certificate::Certificate;
use crate::error::Result;
use crate::job::{Events, Flow};
use crate::plan::Plan;
use crate::question::Question;

/// Work of a search for magic tours: a path is as much as the board has rows and columns. On the
/// chessboard these are 2^26 paths, which take a quarter of a minute.
const MAGIC_WORK: u64 = 1 << 30;
/// Boards with more cells are too large for a proof that no tour has fewer crossings.
const PROVABLE: usize = 49;
/// Work of such a proof on boards that are small enough, a quarter of a minute: a path is as much
/// as the board has cells.
const PROOF_WORK: u64 = 1 << 30;
/// … and on others, where tours may be so few that it succeeds all the same: a second.
const GLANCE_WORK: u64 = 1 << 26;
/// Exchanges that are tried before the proof, a tenth of a second …
const FIRST_TRIES: u64 = 1 << 20;
/// … and in all, some seconds.
const MOST_TRIES: u64 = 1 << 25;
/// Nodes between two looks at the limits.
const SLICE: u64 = 1 << 16;

/// The fact that says how often a path crosses itself.
pub(super) const CROSSINGS: &str = "crossings";
/// The fact that says whether every other tour crosses itself as often.
pub(super) const FEWEST: &str = "fewest";

/// What is wanted of a tour.
pub(super) enum Wanted {
    /// A symmetry keeps it.
    Symmetric(Symmetric),
    /// Its rows and columns have equal sums.
    Magic(Magic),
    /// It crosses itself as rarely as can be.
    FewCrossings,
}

impl Wanted {
    /// What a question wants of a tour, if anything.
    pub(super) fn new(question: &Question, task: &Task) -> Result<Option<Self>> {
        if let Some(kind) = question.text(&KEPT_BY) {
            return Symmetric::new(kind, task).map(Wanted::Symmetric).map(Some);
        }
        if let Some(kind) = question.text(&MAGIC) {
            return Magic::new(kind, task).map(Wanted::Magic).map(Some);
        }
        Ok(question.flag(&FEW_CROSSINGS).then_some(Wanted::FewCrossings))
    }
}

impl Work for Wanted {
    fn can_save(&self, _: &Task) -> Result<(), String> {
        Err("A search for a symmetric or magic tour, or one with few crossings, cannot".into())
    }

    fn subject(&self, task: &Task, _: &Value) -> Option<Subject> {
        let paths = task.subject();
        let (id, words) = match self {
            Wanted::Symmetric(kept) => (kept.id(), kept.words()),
            Wanted::Magic(magic) => (magic.id(), magic.words()),
            Wanted::FewCrossings => return Some(paths),
        };
        let id = format!("{}-{id}", paths.id).into();
        Some(Subject { id, ..paths.which(words) })
    }

    fn plan(&self, at: &Tour) -> Result<Plan> {
        let seen = "there is none, as is seen at once";
        let plan = match self {
            Wanted::Symmetric(kept) if kept.proof(at.task).is_some() => at.plan(&INSPECTION, seen),
            Wanted::Magic(_) if Magic::proof(at.task).is_some() => at.plan(&INSPECTION, seen),
            Wanted::Symmetric(_) => at.plan(&ORBITS, "a symmetry is to keep the tour"),
            Wanted::Magic(_) => at.plan(&MAGIC_SEARCH, "sums are to be equal"),
            Wanted::FewCrossings => at.plan(&CROSSING_SEARCH, "crossings are to be few"),
        };
        Ok(plan.note("How soon a search finds a solution cannot be predicted."))
    }

    fn answer(&self, at: &Tour, events: &mut dyn Events) -> Result<Answer> {
        let said = |value: Value, method| {
            let subject = self.subject(at.task, &value);
            let subject = subject.unwrap_or_else(|| at.task.subject());
            at.asked.answer(&subject, value, method)
        };
        let proof = match self {
            Wanted::Symmetric(kept) => kept.proof(at.task),
            Wanted::Magic(_) => Magic::proof(at.task),
            Wanted::FewCrossings => None,
        };
        if let Some(proof) = proof {
            let mut answer = said(Value::none(proof.sentence), &INSPECTION);
            answer.certificate = Some(proof.certificate);
            return Ok(answer);
        }
        let run = at.run();
        let mut give = |path: &[u32]| {
            let _ = events.solution(at.solution(path));
        };
        let (value, method, best) = match self {
            Wanted::Symmetric(kept) => {
                let value = match kept.find(at.task, run) {
                    Ok(Kept::Tour(path)) => {
                        give(&path);
                        Value::at_least(1u8)
                    }
                    Ok(Kept::None(proof)) => Value::none(proof),
                    Err(stop) => Value::gave_up(stop),
                };
                (value, &ORBITS, None)
            }
            Wanted::Magic(magic) => {
                let mut found = None;
                let lines = (at.task.board.rows() + at.task.board.cols()) as u64;
                let most = most_nodes(MAGIC_WORK / lines, run);
                let ended = walk(magic.search(at.task), most, run, |search| {
                    found = Some(search.solution());
                    true
                });
                let value = match (&found, ended) {
                    (Some(path), _) => {
                        give(path);
                        Value::at_least(1u8)
                    }
                    (None, Ended::Exhausted) => Value::none(EXHAUSTED),
                    (None, Ended::Limit(limit)) => Value::gave_up(limit),
                };
                (value, &MAGIC_SEARCH, None)
            }
            Wanted::FewCrossings => {
                let best = Best::default();
                let ended = match few_crossings(at.task, &best, run) {
                    Ok(Fewest::Ended(ended)) => ended,
                    Ok(Fewest::None(found)) => {
                        let mut answer = said(found.value(), &CROSSING_SEARCH);
                        answer.cost.nodes = Some(run.progress().handled);
                        answer.certificate = found.certificate;
                        return Ok(answer);
                    }
                    Err(stop) => Ended::Limit(stop.into()),
                };
                let found = best.take();
                if let Some((path, _)) = &found {
                    give(path);
                }
                let value = match (&found, &ended) {
                    (Some(_), Ended::Exhausted) => Value::at_least(1u8),
                    (None, Ended::Exhausted) => Value::none(EXHAUSTED),
                    (_, Ended::Limit(limit)) => {
                        Value::stopped(u8::from(found.is_some()), limit.clone())
                    }
                };
                let is_fewest = matches!(ended, Ended::Exhausted);
                (value, &CROSSING_SEARCH, found.map(|(_, crossings)| (crossings, is_fewest)))
            }
        };
        let mut answer = said(value, method);
        if let Some((crossings, is_fewest)) = best {
            answer.fact(CROSSINGS, "pairs of moves that cross", crossings);
            answer.fact(FEWEST, "no tour has fewer", is_fewest);
        }
        answer.cost.nodes = Some(run.progress().handled);
        answer.seed = Some(run.budget().seed);
        let is_found = matches!(answer.value, Value::AtLeast { .. });
        answer.certificate = is_found.then(Certificate::solutions);
        Ok(answer)
    }
}

/// How a walk ended.
enum Ended {
    /// There is no more to be found, or no more is wanted.
    Exhausted,
    /// A limit was reached.
    Limit(Limit),
}

/// Walks a tree until `found` has enough, or over so many nodes.
fn walk<S: Search>(search: S, most: u64, run: &Run, mut found: impl FnMut(&S) -> bool) -> Ended {
    run.stage("searching", 0);
    let mut walk = Walk::new(search, run);
    loop {
        match walk.advance(SLICE.min(most - walk.nodes())) {
            Ok(Advance::Found) if found(walk.search()) => return Ended::Exhausted,
            Ok(Advance::Exhausted) => return Ended::Exhausted,
            Ok(Advance::Found | Advance::Paused) => {}
            Err(stop) => return Ended::Limit(stop.into()),
        }
        if walk.nodes() >= most {
            let text = format!("{most} paths were tried; --time allows more");
            return Ended::Limit(Limit::Attempts { text });
        }
    }
}

/// So many nodes, or as many as there is time for.
fn most_nodes(most: u64, run: &Run) -> u64 {
    if run.budget().time.is_some() { u64::MAX } else { most.max(1) }
}

/// What a search for few crossings came to.
enum Fewest {
    /// There is no tour.
    None(Box<Found>),
    /// The best tour is known to whoever asked.
    Ended(Ended),
}

/// Looks for a tour with few crossings, and for a proof that none has fewer.
fn few_crossings(task: &Arc<Task>, best: &Best, run: &Run) -> Result<Fewest, Stop> {
    let ledger = Ledger::unkept(run);
    let mut first = None;
    let (method, _) = find::auto(task, 1);
    let found = find::find(task, method, 1, run, &ledger.chapter("search"), &mut |path| {
        first = Some(path.to_vec());
        Flow::Break(())
    });
    if matches!(found.value(), Value::None { .. }) {
        return Ok(Fewest::None(Box::new(found)));
    }
    run.check()?;
    let mut exchanges = match first {
        Some(path) => Some(Exchanges::new(task, path, best.clone(), run)?),
        None => None,
    };
    if let Some(exchanges) = &mut exchanges {
        run.stage("exchanging moves", FIRST_TRIES);
        exchanges.work(FIRST_TRIES, run)?;
    }
    let is_enough = || best.crossings() == Some(0);
    if is_enough() {
        return Ok(Fewest::Ended(Ended::Exhausted));
    }
    let cells = task.len() as u64;
    let is_provable = task.len() <= PROVABLE;
    let most = match (is_provable, &exchanges) {
        (true, _) => most_nodes(PROOF_WORK / cells, run),
        (false, Some(_)) => (GLANCE_WORK / cells).max(1),
        // There is nothing else to be done.
        (false, None) => most_nodes(GLANCE_WORK / cells, run),
    };
    let search = crossings::Fewer::new(task, run.budget().seed, best.clone());
    let ended = walk(search, most, run, |search| {
        best.improve(search.solution(), search.crossings());
        is_enough()
    });
    let (Ended::Limit(Limit::Attempts { .. }), false, Some(mut exchanges)) =
        (&ended, is_provable, exchanges)
    else {
        return Ok(Fewest::Ended(ended));
    };
    let is_timed = run.budget().time.is_some();
    let more = MOST_TRIES - FIRST_TRIES;
    run.stage("exchanging moves", if is_timed { 0 } else { more });
    exchanges.work(if is_timed { u64::MAX } else { more }, run)?;
    if is_enough() {
        return Ok(Fewest::Ended(Ended::Exhausted));
    }
    let text = format!("{MOST_TRIES} exchanges of moves were tried; --time allows more");
    Ok(Fewest::Ended(Ended::Limit(Limit::Attempts { text })))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use crate::catalogue::Catalogue;
    use crate::check::{Effort, Standing};
    use crate::question::Verb;
    use pessoi_engine::run::Budget;
    use std::collections::BTreeSet;

    fn ask(words: &str) -> Answer {
        let catalogue = Catalogue::standard();
        let words: Vec<&str> = words.split(' ').collect();
        let question = catalogue.read_question(&words).unwrap();
        catalogue.answer(&question, &Run::default()).unwrap()
    }

    /// Whether independent code came to the same.
    fn is_checked(answer: &Answer) -> bool {
        let catalogue = Catalogue::standard();
        let verdict = catalogue.check(answer, Effort::Usual, &Run::default()).unwrap();
        let is_main =
            |field: &str| field == "value" || field == "solutions" || field == "facts.fewest";
        let mut main = verdict.findings.iter().filter(|finding| is_main(&finding.field));
        verdict.holds && main.all(|finding| finding.standing == Standing::Checked)
    }

    /// The moves of a path by the numbers of cells, each with the lesser one first.
    fn moves(board: &Board, answer: &Answer, at: usize) -> BTreeSet<(usize, usize)> {
        let path = answer.solutions[at].figure.path();
        let cells: Vec<usize> = path.iter().map(|&cell| board.index(cell).unwrap()).collect();
        let closed = answer.question.flag(&crate::games::tours::options::CLOSED);
        let back = closed.then(|| (cells[cells.len() - 1], cells[0]));
        let steps = cells.windows(2).map(|pair| (pair[0], pair[1])).chain(back);
        steps.map(|(a, b)| (a.min(b), a.max(b))).collect()
    }

    #[test]
    fn symmetric_tours_are_those_of_the_list() {
        let boards = ["3x4", "4x4", "5x5", "3x6", "#..\n...\n..#", "..#..\n.....\n#...#", "1x5"];
        for game in ["knight-tours", "wazir-tours", "king-tours"] {
            for board in boards {
                if game == "king-tours" && board == "5x5" {
                    continue;
                }
                for closed in [false, true] {
                    let question =
                        Question::new(Verb::List, game, board).unwrap().with("closed", closed);
                    let catalogue = Catalogue::standard();
                    let all = catalogue.answer(&question, &Run::default()).unwrap();
                    let drawn = question.drawing().unwrap().board.clone();
                    for kind in ["rotation", "half-turn", "mirror"] {
                        let asked = question.clone().instead(Verb::Find).with("symmetric", kind);
                        let answer = match catalogue.answer(&asked, &Run::default()) {
                            Ok(answer) => answer,
                            // The board has no such symmetry.
                            Err(error) => {
                                assert_eq!(error.field.as_deref(), Some("options.symmetric"));
                                continue;
                            }
                        };
                        let task = Task::new(&asked, &[(1, 2)]).unwrap();
                        let kept = Symmetric::new(kind, &task).unwrap();
                        let is_kept = |at: usize| {
                            let taken = moves(&drawn, &all, at);
                            kept.images().iter().any(|image| {
                                taken.iter().all(|&(a, b)| {
                                    let (a, b) = (image[a] as usize, image[b] as usize);
                                    taken.contains(&(a.min(b), a.max(b)))
                                })
                            })
                        };
                        let there_is = (0..all.solutions.len()).any(is_kept);
                        let found = matches!(answer.value, Value::AtLeast { .. });
                        assert_eq!(found, there_is, "{}", asked.words());
                        assert!(found || matches!(answer.value, Value::None { .. }));
                        assert!(is_checked(&answer), "{}: {answer:?}", asked.words());
                    }
                }
            }
        }
    }

    #[test]
    fn what_is_known_of_symmetric_knights_tours() {
        // A quarter turn: sides 6, 10, 14 …; a mirror: one side odd, the other twice an odd one.
        for (words, there_is) in [
            ("6x6 --closed --symmetric rotation", true),
            ("10x10 --closed --symmetric rotation", true),
            ("8x8 --closed --symmetric rotation", false),
            ("12x12 --closed --symmetric rotation", false),
            ("10x10 --symmetric rotation", false),
            ("8x8 --closed --symmetric half-turn", true),
            ("8x8 --closed --symmetric mirror", false),
            ("5x6 --closed --symmetric mirror", true),
            ("7x10 --closed --symmetric mirror", true),
        ] {
            let answer = ask(&format!("find knight-tours {words}"));
            let found = matches!(answer.value, Value::AtLeast { .. });
            assert_eq!(found, there_is, "{words}: {:?}", answer.value);
            assert!(is_checked(&answer), "{words}");
        }
        let none = ask("find diplomatico 10x10 --symmetric half-turn");
        assert!(matches!(none.value, Value::None { .. }) && is_checked(&none));
    }

    #[test]
    fn magic_tours() {
        // No whole sum; colours; everything tried.
        for words in ["wazir-tours 3x4", "knight-tours 5x5", "king-tours 3x3", "knight-tours 6x6"] {
            let answer = ask(&format!("find {words} --magic semi"));
            assert!(matches!(answer.value, Value::None { .. }), "{words}: {:?}", answer.value);
        }
        // Rows of two have the sums that they need; a diagonal of the whole board has none.
        let found = ask("find wazir-tours 2x1 --magic semi");
        assert!(matches!(found.value, Value::None { .. }), "{:?}", found.value);
        let found = ask("find king-tours 2x4 --magic semi");
        let all = ask("list king-tours 2x4");
        let sums = |at: usize| {
            let path = all.solutions[at].figure.path();
            let sum = |row: i32, col: i32| -> usize {
                let cells = (1..).zip(path).filter(|(_, c)| c.row == row || c.col == col);
                cells.map(|(number, _)| number).sum()
            };
            sum(0, -1) == 18 && (0..4).all(|col| sum(-1, col) == 9)
        };
        let there_is = (0..all.solutions.len()).any(sums);
        assert_eq!(matches!(found.value, Value::AtLeast { .. }), there_is);
        assert!(is_checked(&found));
        let refused = |words: &str| {
            let catalogue = Catalogue::standard();
            let words: Vec<&str> = words.split(' ').collect();
            let question = catalogue.read_question(&words)?;
            catalogue.answer(&question, &Run::default())
        };
        assert!(refused("find knight-tours 5x6 --magic full").is_err());
        assert!(refused("find knight-tours 5x6 --magic semi --few-crossings").is_err());
        assert!(refused("find knight-tours 5x6 --symmetric rotation --closed").is_err());
    }

    /// The numbers of rows have one sum, and those of columns.
    fn is_semi_magic(board: &Board, path: &[crate::board::Cell]) -> bool {
        let sum = |on: &dyn Fn(&crate::board::Cell) -> bool| -> usize {
            (1..).zip(path).filter(|(_, cell)| on(cell)).map(|(number, _)| number).sum()
        };
        let rows: BTreeSet<usize> =
            (0..board.rows() as i32).map(|row| sum(&|cell| cell.row == row)).collect();
        let cols: BTreeSet<usize> =
            (0..board.cols() as i32).map(|col| sum(&|cell| cell.col == col)).collect();
        rows.len() == 1 && cols.len() == 1
    }

    /// Every closed path, read from every cell in both directions, and every open one in both.
    #[test]
    fn magic_tours_are_those_of_the_list() {
        let mut there_are = 0;
        for closed in [false, true] {
            for moves in ["(0,1)+(1,1)", "(0,3)+(1,1)", "(1,2)", "(0,1)+(0,2)", "(0,2)+(1,2)"] {
                for place in ["2x4", "4x4", "3x4", "1x4", "3x3", "2x6"] {
                    if place == "4x4" && !matches!(moves, "(0,3)+(1,1)" | "(0,2)+(1,2)" | "(1,2)") {
                        continue;
                    }
                    let list = Question::new(Verb::List, "knight-tours", place).unwrap();
                    let list = list.with("moves", moves).with("closed", closed);
                    let catalogue = Catalogue::standard();
                    let Ok(all) = catalogue.answer(&list, &Run::default()) else {
                        // The moves go nowhere on this board.
                        continue;
                    };
                    let board = list.drawing().unwrap().board.clone();
                    let is_there = all.solutions.iter().any(|solution| {
                        let mut path = solution.figure.path().to_vec();
                        (0..if closed { path.len() } else { 1 }).any(|_| {
                            path.rotate_left(usize::from(closed));
                            let back: Vec<_> = path.iter().rev().copied().collect();
                            is_semi_magic(&board, &path) || is_semi_magic(&board, &back)
                        })
                    });
                    let asked = list.clone().instead(Verb::Find).with("magic", "semi");
                    let answer = catalogue.answer(&asked, &Run::default()).unwrap();
                    let found = matches!(answer.value, Value::AtLeast { .. });
                    assert_eq!(found, is_there, "{}: {:?}", asked.words(), answer.value);
                    assert!(found || matches!(answer.value, Value::None { .. }));
                    assert!(is_checked(&answer), "{}: {answer:?}", asked.words());
                    there_are += usize::from(found);
                }
            }
        }
        assert!(there_are > 5, "{there_are}");
    }

    /// No closed magic tour of these begins in a corner, where searches for closed paths do.
    #[test]
    fn a_closed_magic_tour_may_begin_anywhere() {
        for words in [
            "king-tours 4x6 --closed --magic semi",
            "knight-tours 4x4 --moves (0,3)+(1,1) --closed --magic semi",
        ] {
            let found = ask(&format!("find {words}"));
            assert!(matches!(found.value, Value::AtLeast { .. }), "{words}: {:?}", found.value);
            assert!(is_checked(&found), "{words}");
        }
    }

    #[test]
    fn no_listed_tour_has_fewer_crossings() {
        for words in ["knight-tours 3x4", "knight-tours 5x6 --closed", "king-tours 3x3"] {
            let best = ask(&format!("find {words} --few-crossings"));
            assert!(is_checked(&best), "{words}: {best:?}");
            assert_eq!(best.fact_of(FEWEST), Some(&true.into()));
        }
        for (words, crossings) in [
            ("knight-tours 6x6 --closed", 52u64),
            ("knight-tours 5x6 --closed", 49),
            ("knight-tours 5x5", 34),
            ("diplomatico 4x5", 71),
            ("wazir-tours 4x4 --closed", 0),
        ] {
            let fewest = ask(&format!("find {words} --few-crossings"));
            assert_eq!(fewest.fact_of(CROSSINGS), Some(&crossings.into()), "{words}");
            assert_eq!(fewest.fact_of(FEWEST), Some(&true.into()), "{words}");
        }
        let none = ask("find knight-tours 4x4 --few-crossings");
        assert!(matches!(none.value, Value::None { .. }), "{:?}", none.value);
    }

    /// On boards that are too large for a proof there is a tour all the same, and a good one: `find`
    /// by itself finds closed tours with some 160 and 250 crossings here.
    #[test]
    fn large_boards_have_few_crossings() {
        for (words, most) in [("knight-tours 8x8 --closed", 75u64), ("knight-tours 10x10", 95)] {
            let answer = ask(&format!("find {words} --few-crossings"));
            let crossings = answer.fact_of(CROSSINGS);
            let few = (1..=most).any(|few| crossings == Some(&few.into()));
            assert!(few, "{words}: {crossings:?}");
            assert_eq!(answer.fact_of(FEWEST), Some(&false.into()));
            assert!(matches!(answer.value.stop(), Some(Limit::Attempts { .. })));
            let again = ask(&format!("find {words} --few-crossings"));
            assert_eq!(again.solutions, answer.solutions, "it depends on nothing but the seed");
        }
        let kept = ask("find knight-tours 8x8 --few-crossings --from 1,1 --to 8,7");
        let path = kept.solutions[0].figure.path();
        assert_eq!((path[0].to_string(), path[63].to_string()), ("1,1".into(), "8,7".into()));
    }

    #[test]
    fn searches_without_end_say_which_limit() {
        let catalogue = Catalogue::standard();
        let words = ["find", "knight-tours", "8x8", "--few-crossings"];
        let question = catalogue.read_question(&words).unwrap();
        let step = std::time::Duration::from_millis(1);
        let run = Run::stepping(Budget { time: Some(40 * step), ..Budget::default() }, step);
        let answer = catalogue.answer(&question, &run).unwrap();
        assert!(matches!(answer.value.stop(), Some(Limit::Time { .. })), "{:?}", answer.value);
        // The tour with which it began is better than none.
        assert_eq!(answer.solutions.len(), 1);
    }
}
