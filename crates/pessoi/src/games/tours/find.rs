//! Finding: one tour, or a few, or a proof that there is none.

use std::sync::Arc;

use num_bigint::BigUint;
use pessoi_engine::random::Random;
use pessoi_engine::run::{Claim, Run, Stop};
use pessoi_engine::search::{Advance, Walk};
use rustc_hash::FxHashSet;

use super::extend::{Extend, Order};
use super::task::Task;
use super::{Asked, rotations, sat, tiling};
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
    let mut found = match question.text("method") {
        Some("backtrack") => backtrack(task, limit, run),
        Some("warnsdorff") => warnsdorff(task, limit, run),
        Some("rotations") => by_rotations(task, limit, run)?,
        Some("sat") => by_sat(task, limit, run)?,
        Some("tiling") => by_tiling(task, limit, run)?,
        _ => auto(task, limit, run),
    };
    // Whoever interrupts wants to see something now; writing millions takes its time.
    let met = found.paths.len();
    if found.stopped == Some(Stop::Cancelled) {
        found.paths.truncate(TOLD_IF_INTERRUPTED);
    }
    let told = found.paths.len();
    let mut answer = asked.answer(found.value(), &found.method);
    if told < met {
        answer.notes.push(format!(
            "{met} were found and the first {told} are told; list tells each as it is found."
        ));
    }
    answer.cost.nodes = Some(run.progress().handled);
    answer.seed = (question.text("method") != Some("backtrack")).then_some(run.budget().seed);
    answer.solutions = found.paths.iter().map(|path| asked.solution(path)).collect();
    if !answer.solutions.is_empty() {
        answer.certificate = Some(Certificate::Solutions);
    }
    Ok(answer)
}

/// Solutions that are told when the search is interrupted.
const TOLD_IF_INTERRUPTED: usize = 1000;
/// Attempts by rotations before the solver is asked.
pub(super) const ATTEMPTS: u64 = 3;
/// Larger boards than this are tiled where they can be.
const HUGE: usize = 20_000;
/// Boards with more cells are left to further attempts by rotations.
const SOLVABLE: usize = 4000;

/// Rotations first, since they are fastest where they succeed; then the solver, which
/// also proves; and search where neither can be used.
pub(super) fn auto(task: &Arc<Task>, limit: u64, run: &Run) -> Found {
    if limit > 1 || !rotations::suits(task) {
        return warnsdorff(task, limit, run);
    }
    if task.len() > HUGE && tiling::suits(task) {
        return tiled(task, run);
    }
    let attempts = if task.len() > SOLVABLE { u64::MAX } else { ATTEMPTS };
    match rotated(task, attempts, run) {
        found if !found.paths.is_empty() || found.stopped.is_some() => found,
        _ if sat::suits(task) => solved(task, run),
        _ => warnsdorff(task, limit, run),
    }
}

fn one_only(limit: u64, method: &str) -> Result<()> {
    if limit > 1 {
        return Err(Error::input(format!(
            "--method {method} finds one solution; for more use warnsdorff or backtrack."
        )));
    }
    Ok(())
}

fn by_rotations(task: &Arc<Task>, limit: u64, run: &Run) -> Result<Found> {
    one_only(limit, "rotations")?;
    if !rotations::suits(task) {
        return Err(Error::input(
            "Rotations need three cells and cannot heed clues, which say when a cell is visited; \
             use warnsdorff or backtrack.",
        ));
    }
    // Without a limit of time it would go on for ever where there is none.
    let attempts = if run.budget().time.is_some() { u64::MAX } else { 100 };
    Ok(rotated(task, attempts, run))
}

fn rotated(task: &Task, attempts: u64, run: &Run) -> Found {
    let mut found = Found::nothing("rotations of a path grown by Warnsdorff's rule");
    match rotations::find(task, 0..attempts, run) {
        Ok(path) => found.paths.extend(path),
        Err(stop) => found.stopped = Some(stop),
    }
    found
}

fn by_tiling(task: &Arc<Task>, limit: u64, run: &Run) -> Result<Found> {
    one_only(limit, "tiling")?;
    if !tiling::suits(task) {
        return Err(Error::input(
            "Tiling takes full boards of at least 5x5 with the moves (3,0)+(2,2), open paths and \
             nothing fixed; rotations and sat take any.",
        ));
    }
    Ok(tiled(task, run))
}

fn tiled(task: &Task, run: &Run) -> Found {
    let mut found = Found::nothing("tiling by the repaired lemmas A.1 and A.3 of the paper");
    match tiling::find(task, run) {
        Ok(path) => found.paths.extend(path),
        Err(stop) => found.stopped = Some(stop),
    }
    found
}

fn by_sat(task: &Arc<Task>, limit: u64, run: &Run) -> Result<Found> {
    one_only(limit, "sat")?;
    if !sat::suits(task) {
        return Err(Error::input(
            "The SAT solver needs three cells and cannot heed clues, which say when a cell is \
             visited; use warnsdorff or backtrack.",
        ));
    }
    Ok(solved(task, run))
}

fn solved(task: &Task, run: &Run) -> Found {
    let mut found = Found::nothing("SAT solver, two moves a cell and cuts of loops as needed");
    match sat::solve(task, run) {
        Ok(sat::Outcome::Tour(path)) => found.paths.push(path),
        Ok(sat::Outcome::None { cuts }) => {
            found.none = Some(format!(
                "a SAT solver found that no set of moves gives every cell its two and obeys {cuts} \
                 cuts of separate loops"
            ));
        }
        Err(stop) => found.stopped = Some(stop),
    }
    found
}

/// What finding came to.
pub(super) struct Found {
    /// The tours, as cells in order; each path once.
    pub(super) paths: Vec<Vec<u32>>,
    /// Whether these are all there are.
    pub(super) all: bool,
    /// The proof that there is none, if there is one.
    pub(super) none: Option<String>,
    /// The limit that was hit, if one was.
    pub(super) stopped: Option<Stop>,
    pub(super) method: String,
}

impl Found {
    /// How many were found, and whether there may be more.
    pub(super) fn value(&self) -> Value {
        let number = BigUint::from(self.paths.len());
        match (&self.stopped, &self.none) {
            (Some(stop), _) => Value::stopped(number, stop),
            (None, Some(proof)) => Value::None { proof: proof.clone() },
            (None, None) if self.paths.is_empty() => {
                Value::GaveUp { why: "all attempts failed".into() }
            }
            (None, None) if self.all => Value::Exact { number },
            (None, None) => Value::AtLeast { number, why: None },
        }
    }

    fn nothing(method: &str) -> Self {
        let method = method.to_owned();
        Found { paths: Vec::new(), all: false, none: None, stopped: None, method }
    }
}

/// Nodes of the first attempt, for each cell: hardly more than walking down once.
const FIRST_ATTEMPT: u64 = 4;

/// Looks for `limit` tours in the order of the cells, as the paper's search does.
fn backtrack(task: &Arc<Task>, limit: u64, run: &Run) -> Found {
    run.stage("searching", 0);
    let walk = Walk::new(Extend::new(task.clone(), Order::Plain), run);
    let mut found = Collector::new(task, limit, run);
    found.follow(walk, None);
    found.finish("backtracking in the order of the cells".into())
}

/// Looks for `limit` tours by Warnsdorff's rule with restarts.
///
/// An unlucky early step can cost any amount of backtracking, so an attempt is
/// given up after some nodes, and the next one breaks ties anew. Each attempt is
/// granted a quarter more than the last, so in the end one is granted the whole
/// tree: if there is no tour, that is found out and proved.
pub(super) fn warnsdorff(task: &Arc<Task>, limit: u64, run: &Run) -> Found {
    run.stage("searching by Warnsdorff's rule", 0);
    let mut found = Collector::new(task, limit, run);
    let mut grant = FIRST_ATTEMPT * task.len() as u64;
    for attempt in 0.. {
        let mut random = Random::new(run.budget().seed, attempt);
        let order = Order::warnsdorff(task.len(), &mut random);
        let walk = Walk::new(Extend::new(task.clone(), order), run);
        if found.follow(walk, Some(grant)) {
            return found.finish(match attempt {
                0 => "search by Warnsdorff's rule".into(),
                n => format!("search by Warnsdorff's rule, {n} restarts"),
            });
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
        let done = Found::nothing("");
        Collector { task, limit, seen: FxHashSet::default(), claim: run.claim(), done }
    }

    /// What was found; a walk to the end that met nothing is a proof.
    fn finish(mut self, method: String) -> Found {
        if self.done.all && self.done.paths.is_empty() {
            self.done.none = Some(super::EXHAUSTED.to_owned());
        }
        self.done.method = method;
        self.done
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
