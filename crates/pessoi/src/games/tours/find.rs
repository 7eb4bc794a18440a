//! Finding: one tour, or a few, or a proof that there is none.

use std::sync::Arc;

use num_bigint::BigUint;
use pessoi_engine::random::Random;
use pessoi_engine::run::{Claim, Run, Stop};
use pessoi_engine::search::{Advance, Walk};
use rustc_hash::FxHashSet;

use super::extend::{Extend, Order};
use super::task::Task;
use super::{Asked, exhausted};
use crate::answer::{Answer, Value};
use crate::certificate::Certificate;
use crate::error::{Error, Result};

/// Answers `find`.
pub(super) fn find(asked: &Asked) -> Result<Answer> {
    let Asked { question, task, run } = asked;
    let limit = match (question.number("limit"), question.flag("all")) {
        (Some(_), true) => return Err(Error::input("--all and --limit contradict each other.")),
        (None, true) => u64::MAX,
        (limit, false) => limit.unwrap_or(1),
    };
    let plainly = question.text("method") == Some("backtrack");
    let Found { paths, all, stopped, restarts } =
        if plainly { backtrack(task, limit, run) } else { warnsdorff(task, limit, run) };
    let number = BigUint::from(paths.len());
    let value = match (&stopped, paths.is_empty()) {
        (Some(stop), _) => Value::stopped(number, stop),
        (None, true) => exhausted(),
        (None, false) if all => Value::Exact { number },
        (None, false) => Value::AtLeast { number, why: None },
    };
    let method = match (plainly, restarts) {
        (true, _) => "backtracking in the order of the cells".to_owned(),
        (false, 0) => "search by Warnsdorff's rule".to_owned(),
        (false, n) => format!("search by Warnsdorff's rule, {n} restarts"),
    };
    let mut answer = asked.answer(value, &method);
    answer.cost.nodes = Some(run.progress().handled);
    answer.seed = (!plainly).then_some(run.budget().seed);
    answer.solutions = paths.iter().map(|path| asked.solution(path)).collect();
    if !answer.solutions.is_empty() {
        answer.certificate = Some(Certificate::Solutions);
    }
    Ok(answer)
}

/// What finding came to.
struct Found {
    /// The tours, as cells in order; each path once.
    paths: Vec<Vec<u32>>,
    /// Whether these are all there are.
    all: bool,
    /// The limit that was hit, if one was.
    stopped: Option<Stop>,
    /// How often the search began anew.
    restarts: u64,
}

/// Nodes of the first attempt, for each cell: hardly more than walking down once.
const FIRST_ATTEMPT: u64 = 4;

/// Looks for `limit` tours in the order of the cells, as the paper's search does.
fn backtrack(task: &Arc<Task>, limit: u64, run: &Run) -> Found {
    run.stage("searching", 0);
    let walk = Walk::new(Extend::new(task.clone(), Order::Plain), run);
    let mut found = Collector::new(task, limit, run);
    found.follow(walk, None);
    found.done
}

/// Looks for `limit` tours by Warnsdorff's rule with restarts.
///
/// An unlucky early step can cost any amount of backtracking, so an attempt is
/// given up after some nodes, and the next one breaks ties anew. Each attempt is
/// granted a quarter more than the last, so in the end one is granted the whole
/// tree: if there is no tour, that is found out and proved.
fn warnsdorff(task: &Arc<Task>, limit: u64, run: &Run) -> Found {
    run.stage("searching by Warnsdorff's rule", 0);
    let mut found = Collector::new(task, limit, run);
    let mut grant = FIRST_ATTEMPT * task.len() as u64;
    for attempt in 0.. {
        let mut random = Random::new(run.budget().seed, attempt);
        let order = Order::warnsdorff(task.len(), &mut random);
        let walk = Walk::new(Extend::new(task.clone(), order), run);
        if found.follow(walk, Some(grant)) {
            found.done.restarts = attempt;
            break;
        }
        grant += grant / 4 + 1;
    }
    found.done
}

/// Takes tours from walks until there are enough.
struct Collector<'t> {
    task: &'t Task,
    limit: u64,
    seen: FxHashSet<Vec<u32>>,
    claim: Claim,
    done: Found,
}

impl<'t> Collector<'t> {
    fn new(task: &'t Task, limit: u64, run: &Run) -> Self {
        let paths = Vec::new();
        let done = Found { paths, all: false, stopped: None, restarts: 0 };
        Collector { task, limit, seen: FxHashSet::default(), claim: run.claim(), done }
    }

    /// Follows a walk; false if it used up its grant and found nothing. A walk that
    /// has found one tour is good and goes on without limit.
    fn follow(&mut self, mut walk: Walk<Extend>, grant: Option<u64>) -> bool {
        loop {
            let grant = if self.done.paths.is_empty() { grant } else { None };
            let step = walk.advance(grant.unwrap_or(u64::MAX));
            match step {
                Ok(Advance::Found) => {
                    if let Err(stop) = self.keep(walk.search().path()) {
                        self.done.stopped = Some(stop);
                    }
                }
                Ok(Advance::Exhausted) => self.done.all = true,
                Ok(Advance::Paused) => {
                    return false;
                }
                Err(stop) => self.done.stopped = Some(stop),
            }
            let enough = self.done.paths.len() as u64 >= self.limit;
            if enough || self.done.all || self.done.stopped.is_some() {
                return true;
            }
        }
    }

    fn keep(&mut self, path: &[u32]) -> Result<(), Stop> {
        if self.task.has_two_directions() && self.seen.contains(&reversed(path, self.task.closed)) {
            return Ok(());
        }
        // A path here, one among those seen, and later a solution with its cells.
        let each = 3 * size_of::<Vec<u32>>() + 4 * size_of_val(path);
        self.claim.grow_to(((self.done.paths.len() + 1) * each) as u64)?;
        if self.task.has_two_directions() {
            self.seen.insert(path.to_vec());
        }
        self.done.paths.push(path.to_vec());
        Ok(())
    }
}

/// The same path walked the other way; a closed one keeps its first cell.
pub(super) fn reversed(path: &[u32], closed: bool) -> Vec<u32> {
    let mut path = path.to_vec();
    let from = usize::from(closed);
    path[from..].reverse();
    path
}

/// Whether this direction of a path is the one that is told, where both are met.
pub(super) fn is_told(path: &[u32], task: &Task) -> bool {
    if !task.has_two_directions() {
        return true;
    }
    match (path, task.closed) {
        ([_, second, .., last], true) => second < last,
        ([first, .., last], false) => first < last,
        _ => true,
    }
}
