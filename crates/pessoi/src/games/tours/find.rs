//! Finding: one tour, or a few, or a proof that there is none.
//!
//! All of this works on one thread: where a tour is found, it is found at once, and what takes
//! long is a proof. Only `list` and `count` walk a tree on all threads.

use std::io;
use std::sync::Arc;

use pessoi_engine::ledger::{Chapter, Writer};
use pessoi_engine::random::Random;
use pessoi_engine::records::Unusable;
use pessoi_engine::run::{Budget, Claim, Run, Stop};
use pessoi_engine::search::{Advance, Walk};
use rustc_hash::FxHashSet;

use super::choice::probes;
use super::extend::{Extend, Order};
use super::learned::Model;
use super::options::{
    ALL, BACKTRACK, FOLLOWED, LEARNED, LIMIT, MODEL_OF_FIND, PATCHES, PORTFOLIO, ROTATIONS, SAT,
    SUPPLY, TILING, TOUR, WARNSDORFF,
};
use super::task::Task;
use super::{Tour, Work, patches, rotations, sat, supply, tiling, tsplib};
use crate::answer::{Answer, Limit, Used, Value};
use crate::card::{METHOD, Method};
use crate::certificate::Certificate;
use crate::error::{Error, Result};
use crate::job::{Events, Flow, LISTED};
use crate::plan::Plan;
use crate::question::Question;

/// Attempts by rotations before the solver is asked.
pub(super) const ATTEMPTS: u64 = 3;
/// Larger boards than this are tiled or patched where they can be.
const HUGE: usize = 20_000;
/// Boards with more cells are left to further attempts by rotations.
const SOLVABLE: usize = 4000;
/// Steps of the solver where the search comes after it.
const SLICE_OF_SAT: u64 = 5000;

/// What gets the tours as they are found, and says whether more are wanted.
pub(super) type Sink<'a> = &'a mut dyn FnMut(&[u32]) -> Flow;

/// What is to be found, and how.
pub(super) struct Find {
    limit: u64,
    method: &'static Method,
    why: &'static str,
    /// A tour that another program found.
    given: Option<Vec<u32>>,
    /// The weights of a learned order.
    weights: Option<Arc<[f64]>>,
}

impl Find {
    /// Reads the options and chooses the engine.
    pub(super) fn new(question: &Question, task: &Task) -> Result<Self> {
        let limit =
            if question.flag(&ALL) { u64::MAX } else { question.number(&LIMIT).unwrap_or(1) };
        if let Some(text) = question.text(&TOUR) {
            let given = Some(tsplib::read(task, text)?);
            let why = "the file holds a tour";
            return Ok(Find { limit, method: &FOLLOWED, why, given, weights: None });
        }
        let methods =
            [&ROTATIONS, &TILING, &PATCHES, &SAT, &WARNSDORFF, &BACKTRACK, &LEARNED, &SUPPLY];
        let asked = question.method();
        if question.is_given(&MODEL_OF_FIND) && asked != Some(LEARNED.id) {
            return Err(Error::conflict(
                MODEL_OF_FIND.name,
                "--model is for --method learned; the other methods use no model.",
            ));
        }
        let Some(method) = methods.into_iter().find(|method| Some(method.id) == asked) else {
            let (method, why) = auto(task, limit);
            return Ok(Find { limit, method, why, given: None, weights: None });
        };
        let finds_one = ![WARNSDORFF.id, BACKTRACK.id, LEARNED.id].contains(&method.id);
        if finds_one && limit > 1 {
            let given = if question.flag(&ALL) { ALL.name } else { LIMIT.name };
            return Err(Error::conflict(
                given,
                format!(
                    "--method {} finds one solution at most; for more use warnsdorff or backtrack.",
                    method.id
                ),
            ));
        }
        let refuse = |sentence: &str| {
            Err(Error::unsupported(&format!("options.{METHOD}"), sentence.to_owned()))
        };
        match method.id {
            id if id == ROTATIONS.id && !rotations::suits(task) => refuse(
                "Rotations need three cells and cannot follow clues, which say when a cell is \
                 visited; use warnsdorff or backtrack.",
            ),
            id if id == SAT.id && !sat::suits(task) => refuse(
                "The SAT solver needs three cells and cannot follow clues, which say when a cell \
                 is visited; use warnsdorff or backtrack.",
            ),
            id if id == TILING.id && !tiling::suits(task) => refuse(
                "Tiling takes full boards of at least 5x5 with the moves (3,0)+(2,2), open paths \
                 and nothing fixed; rotations and sat take any.",
            ),
            id if id == PATCHES.id && !patches::suits(task) => refuse(
                "Patches take full boards of at least 5x6, with nothing fixed, of which the \
                 patches may have tours; rotations and sat take any.",
            ),
            id if id == LEARNED.id => {
                let text = question.text(&MODEL_OF_FIND);
                let model = text.map_or_else(Model::shipped, Model::read)?;
                let weights = Some(model.order.into());
                Ok(Find { limit, method, why: "it was asked for", given: None, weights })
            }
            _ => Ok(Find { limit, method, why: "it was asked for", given: None, weights: None }),
        }
    }
}

impl Work for Find {
    fn can_save(&self, task: &Task) -> Result<(), String> {
        let walks = [WARNSDORFF.id, BACKTRACK.id].contains(&self.method.id);
        let ends_with_a_walk =
            self.method.id == PORTFOLIO.id && (self.limit > 1 || !rotations::suits(task));
        if !walks && !ends_with_a_walk {
            return Err(format!(
                "Of the ways to find, {} and {} can, and this would be done by {}",
                WARNSDORFF.id, BACKTRACK.id, self.method.id
            ));
        }
        if self.limit > 1 {
            return Err(LISTED.into());
        }
        Ok(())
    }

    fn plan(&self, at: &Tour) -> Result<Plan> {
        let plan = at.plan(self.method, self.why);
        if self.given.is_some() {
            return Ok(plan);
        }
        let walks = [WARNSDORFF.id, BACKTRACK.id, PORTFOLIO.id].contains(&self.method.id);
        let plan = if walks && self.limit == u64::MAX {
            let one_thread = Budget { threads: 1, ..at.run().budget().clone() };
            let search = Extend::new(at.task.clone(), Order::Plain);
            plan.with_tree(search, probes(at.task), &at.run().part(one_thread))
        } else {
            plan.note("How soon a search finds a solution cannot be predicted.")
        };
        Ok(plan.note("Finding works on one thread."))
    }

    fn answer(&self, at: &Tour, events: &mut dyn Events) -> Result<Answer> {
        let run = at.run();
        if let Some(path) = &self.given {
            let _ = events.solution(at.solution(path));
            let mut answer = at.answer(Value::at_least(1u8), self.method);
            answer.certificate = Some(Certificate::solutions());
            return Ok(answer);
        }
        let ledger = at.asked.ledger(&format!("{}, seed {}", self.method.id, run.budget().seed))?;
        let chapter = ledger.chapter("search");
        let mut sink = |path: &[u32]| events.solution(at.solution(path));
        let found = match &self.weights {
            Some(weights) => learned(at.task, weights, self.limit, run, &chapter, &mut sink),
            None => find(at.task, self.method, self.limit, run, &chapter, &mut sink),
        };
        let used = Used::from(self.method);
        let used = if self.method.id == found.by.id { used } else { used.by(found.by) };
        let mut answer = at.answer(found.value(), used.said(found.text.clone()));
        answer.cost.nodes = Some(run.progress().handled);
        answer.seed = (self.method.id != BACKTRACK.id).then_some(run.budget().seed);
        answer.certificate = found.certificate.or((found.number > 0).then(Certificate::solutions));
        at.asked.close(&ledger, &mut answer)?;
        Ok(answer)
    }
}

/// The engine for so many tours. A look at the supply of moves comes first, since it decides at once
/// where it decides. Rotations are fastest where they succeed; then the solver, which also proves;
/// and search where neither can be used.
pub(super) fn auto(task: &Task, limit: u64) -> (&'static Method, &'static str) {
    if limit > 1 {
        return (&PORTFOLIO, "several solutions are to be found, or to be proved impossible");
    }
    if task.len() > HUGE && tiling::suits(task) {
        return (&TILING, "the board is large, and tiles take time in proportion to it");
    }
    if task.len() > HUGE && patches::suits(task) {
        return (&PATCHES, "the board is large, and patches take time in proportion to it");
    }
    (&PORTFOLIO, "a solution is to be found, or to be proved impossible")
}

/// Looks for `limit` tours by an engine that suits the task.
pub(super) fn find(
    task: &Arc<Task>,
    method: &'static Method,
    limit: u64,
    run: &Run,
    chapter: &Chapter,
    sink: Sink,
) -> Found {
    match method.id {
        id if id == BACKTRACK.id => backtrack(task, limit, run, chapter, sink),
        id if id == ROTATIONS.id => rotated_for_long(task, run, sink),
        id if id == TILING.id => tiled(task, run, sink),
        id if id == PATCHES.id => patched(task, run, sink),
        id if id == SAT.id => solved(task, run, sink),
        id if id == SUPPLY.id => supplied(task),
        id if id == PORTFOLIO.id => portfolio(task, limit, run, chapter, sink),
        _ => warnsdorff(task, limit, run, chapter, sink),
    }
}

/// Tries several engines, one after the other.
fn portfolio(task: &Arc<Task>, limit: u64, run: &Run, chapter: &Chapter, sink: Sink) -> Found {
    let found = supplied(task);
    if found.none.is_some() {
        return found;
    }
    if limit == 1 && rotations::suits(task) {
        if task.len() > SOLVABLE {
            return rotated_for_long(task, run, sink);
        }
        let found = rotated(task, ATTEMPTS, run, sink);
        if found.number > 0 || found.stopped.is_some() {
            return found;
        }
        if sat::suits(task) {
            return solved(task, run, sink);
        }
    }
    impossible(task, run).unwrap_or_else(|| warnsdorff(task, limit, run, chapter, sink))
}

/// What the solver says in a short time of the board alone, if that is that there is no tour: then
/// there is none with clues either.
fn impossible(task: &Task, run: &Run) -> Option<Found> {
    let board = task.without_clues();
    if !sat::suits(&board) || board.len() > SOLVABLE {
        return None;
    }
    let mut found = Found::nothing(&SAT);
    match sat::solve(&board, &run.granted(SLICE_OF_SAT)) {
        Ok(sat::Outcome::None { cuts }) => found.none = Some(unsatisfiable(cuts)),
        Ok(sat::Outcome::Tour(_)) | Err(Stop::Steps { .. }) => return None,
        Err(stop) => found.stopped = Some(stop),
    }
    Some(found)
}

/// What the solver says of a board without a tour.
fn unsatisfiable(cuts: u64) -> String {
    format!(
        "a SAT solver found that no set of moves gives every cell its two and obeys {cuts} cuts of \
         separate loops"
    )
}

/// Without a limit of time it would go on for ever where there is none. Where there surely are tours
/// but no other engine can find them, it may.
fn rotated_for_long(task: &Task, run: &Run, sink: Sink) -> Found {
    let is_only_hope = task.len() > SOLVABLE;
    let endless = is_only_hope || run.budget().time.is_some();
    rotated(task, if endless { u64::MAX } else { 100 }, run, sink)
}

fn rotated(task: &Task, attempts: u64, run: &Run, sink: Sink) -> Found {
    let mut found = Found::nothing(&ROTATIONS);
    match rotations::find(task, 0..attempts, run) {
        Ok(Some(path)) => found.give(&path, sink),
        Ok(None) => {
            found.failed = Some(format!("{attempts} paths were grown, and none became a tour"));
        }
        Err(stop) => found.stopped = Some(stop),
    }
    found
}

/// Proves that there is none if moves are in short supply; finds nothing.
fn supplied(task: &Task) -> Found {
    let mut found = Found::nothing(&SUPPLY);
    match supply::none(task) {
        Some(proof) => {
            found.none = Some(proof.sentence);
            found.certificate = Some(proof.certificate);
        }
        None => {
            found.failed = Some("every cell can be given its moves, which proves nothing".into());
        }
    }
    found
}

fn tiled(task: &Task, run: &Run, sink: Sink) -> Found {
    let mut found = Found::nothing(&TILING);
    match tiling::find(task, run) {
        Ok(Some(path)) => found.give(&path, sink),
        Ok(None) => found.failed = Some("a tile has no path".into()),
        Err(stop) => found.stopped = Some(stop),
    }
    found
}

fn patched(task: &Task, run: &Run, sink: Sink) -> Found {
    let mut found = Found::nothing(&PATCHES);
    match patches::find(task, run) {
        Ok(Some(path)) => found.give(&path, sink),
        Ok(None) => {
            found.failed =
                Some("a patch has no tour, or two were not joined; rotations may".into());
        }
        Err(stop) => found.stopped = Some(stop),
    }
    found
}

fn solved(task: &Task, run: &Run, sink: Sink) -> Found {
    let mut found = Found::nothing(&SAT);
    match sat::solve(task, run) {
        Ok(sat::Outcome::Tour(path)) => found.give(&path, sink),
        Ok(sat::Outcome::None { cuts }) => found.none = Some(unsatisfiable(cuts)),
        Err(stop) => found.stopped = Some(stop),
    }
    found
}

/// What finding came to.
pub(super) struct Found {
    /// How many tours were found, each path once.
    pub(super) number: u64,
    /// Whether these are all there are.
    all: bool,
    /// The proof that there is none, if there is one.
    none: Option<String>,
    /// The limit that was reached, if one was.
    stopped: Option<Stop>,
    /// What was tried in vain.
    failed: Option<String>,
    /// What lets a proof be checked, if there is more than a sentence.
    pub(super) certificate: Option<Certificate>,
    /// The engine that came to this.
    by: &'static Method,
    /// What it did, in words.
    pub(super) text: String,
}

impl Found {
    /// How many were found, and whether there may be more.
    pub(super) fn value(&self) -> Value {
        match (&self.stopped, &self.none) {
            (Some(stop), _) => Value::stopped(self.number, stop),
            (None, Some(proof)) => Value::none(proof),
            (None, None) if self.number == 0 => {
                let tried = self.failed.clone();
                let text = tried.unwrap_or_else(|| "all attempts failed".into());
                Value::gave_up(Limit::Attempts { text })
            }
            (None, None) if self.all => Value::exact(self.number),
            (None, None) => Value::at_least(self.number),
        }
    }

    fn nothing(by: &'static Method) -> Self {
        let text = by.help.to_owned();
        let (none, stopped, failed, certificate) = (None, None, None, None);
        Found { number: 0, all: false, none, stopped, failed, certificate, by, text }
    }

    /// Gives the only tour.
    fn give(&mut self, path: &[u32], sink: Sink) {
        self.number += 1;
        // No further one is looked for, whether it is wanted or not.
        let _ = sink(path);
    }
}

/// Nodes of the first attempt, for each cell: hardly more than walking down once.
const FIRST_ATTEMPT: u64 = 4;

/// Looks for `limit` tours in the order of the cells, as the paper's search does.
fn backtrack(task: &Arc<Task>, limit: u64, run: &Run, chapter: &Chapter, sink: Sink) -> Found {
    run.stage("searching", 0);
    let mut found = Collector::new(task, limit, &BACKTRACK, run, sink);
    let search = |_: &Attempt| Extend::new(task.clone(), Order::Plain);
    let mut attempt = Attempt { number: 0, grant: u64::MAX, nodes: 0, place: Vec::new() };
    match attempt.taken_up(chapter, search, run) {
        Ok(walk) => _ = found.follow(walk, &mut attempt, chapter),
        Err(stop) => found.done.stopped = Some(stop),
    }
    found.finish(BACKTRACK.help.into())
}

/// Looks for `limit` tours by Warnsdorff's rule with restarts.
///
/// An unlucky early step can cost any amount of backtracking, so an attempt is
/// given up after some nodes, and the next one breaks ties anew. Each attempt is
/// granted a quarter more than the last, so in the end one is granted the whole
/// tree: if there is no tour, that is found out and proved.
pub(super) fn warnsdorff(
    task: &Arc<Task>,
    limit: u64,
    run: &Run,
    chapter: &Chapter,
    sink: Sink,
) -> Found {
    run.stage("searching by Warnsdorff's rule", 0);
    let order = |random: &mut Random| Order::warnsdorff(task.len(), random);
    restarted(task, (&WARNSDORFF, "Warnsdorff's rule"), order, limit, run, chapter, sink)
}

/// Looks for `limit` tours in a learned order of moves, with the same restarts.
fn learned(
    task: &Arc<Task>,
    weights: &Arc<[f64]>,
    limit: u64,
    run: &Run,
    chapter: &Chapter,
    sink: Sink,
) -> Found {
    run.stage("searching in a learned order", 0);
    let order = |random: &mut Random| Order::learned(weights.clone(), task.len(), random);
    restarted(task, (&LEARNED, "a learned order"), order, limit, run, chapter, sink)
}

/// Looks for `limit` tours in an order that breaks ties anew in each attempt.
fn restarted(
    task: &Arc<Task>,
    (method, by): (&'static Method, &str),
    order: impl Fn(&mut Random) -> Order,
    limit: u64,
    run: &Run,
    chapter: &Chapter,
    sink: Sink,
) -> Found {
    let mut found = Collector::new(task, limit, method, run, sink);
    let search = |attempt: &Attempt| attempted(task, &order, run.budget().seed, attempt.number);
    let mut attempt = Attempt { number: 0, grant: first_grant(task), nodes: 0, place: Vec::new() };
    let mut walk = match attempt.taken_up(chapter, search, run) {
        Ok(walk) => walk,
        Err(stop) => {
            found.done.stopped = Some(stop);
            return found.done;
        }
    };
    while !found.follow(walk, &mut attempt, chapter) {
        attempt = attempt.next();
        walk = Walk::new(search(&attempt), run);
    }
    found.finish(match attempt.number {
        0 => format!("paths extended by {by}"),
        1 => format!("paths extended by {by}, 1 restart"),
        n => format!("paths extended by {by}, {n} restarts"),
    })
}

/// Nodes that the first attempt at a task may look at.
pub(super) fn first_grant(task: &Task) -> u64 {
    FIRST_ATTEMPT * task.len() as u64
}

/// Nodes of the attempt after one with so many.
pub(super) fn next_grant(grant: u64) -> u64 {
    grant.saturating_add(grant / 4 + 1)
}

/// The empty path with which an attempt begins, in an order that breaks ties anew in each.
pub(super) fn attempted(
    task: &Arc<Task>,
    order: impl Fn(&mut Random) -> Order,
    seed: u64,
    number: u64,
) -> Extend {
    let mut random = Random::new(seed, number);
    Extend::new(task.clone(), order(&mut random))
}

/// One walk that looks for tours, and how far it has come.
struct Attempt {
    number: u64,
    /// Nodes after which it is given up, if it found nothing by then.
    grant: u64,
    /// Nodes so far, and the place where it stands.
    nodes: u64,
    place: Vec<u32>,
}

impl Attempt {
    /// The next one, which is granted a quarter more.
    fn next(&self) -> Attempt {
        Attempt {
            number: self.number + 1,
            grant: next_grant(self.grant),
            nodes: 0,
            place: Vec::new(),
        }
    }

    /// Goes on from the attempt that an earlier run made, or begins.
    fn taken_up<'r>(
        &mut self,
        chapter: &Chapter,
        search: impl Fn(&Attempt) -> Extend,
        run: &'r Run,
    ) -> Result<Walk<'r, Extend>, Stop> {
        let Some(mut saved) = chapter.begun()? else { return Ok(Walk::new(search(self), run)) };
        let (number, nodes, place): (u64, u64, Vec<u32>) =
            saved.take().map_err(|why| chapter.refuse(why))?;
        let mut before = 0u64;
        while self.number < number && self.grant < MOST_NODES {
            before += self.grant;
            *self = self.next();
        }
        (self.nodes, self.place) = (nodes, place);
        let walk = Walk::at(search(self), &[], &self.place, run);
        match walk.filter(|_| self.number == number && nodes < self.grant.min(MOST_NODES)) {
            Some(walk) => {
                // Nodes that were looked at in an earlier run count all the same.
                run.tick(before + nodes)?;
                Ok(walk)
            }
            None => Err(chapter.refuse(Unusable::Damaged)),
        }
    }

    fn put(&self, out: &mut Writer) -> io::Result<()> {
        out.put(&(self.number, self.nodes, self.place.clone()))
    }
}

/// No machine looks at so many.
const MOST_NODES: u64 = 1 << 56;
/// Nodes between two times that a checkpoint may be written.
const SLICE: u64 = 1 << 16;

/// Takes tours from walks until there are enough.
struct Collector<'t, 's> {
    task: &'t Task,
    limit: u64,
    /// Where a path may be met in both directions: those met so far.
    seen: FxHashSet<Vec<u32>>,
    claim: Claim,
    done: Found,
    /// Whether more are wanted.
    wanted: bool,
    sink: Sink<'s>,
}

impl<'t, 's> Collector<'t, 's> {
    fn new(task: &'t Task, limit: u64, by: &'static Method, run: &Run, sink: Sink<'s>) -> Self {
        let (done, seen) = (Found::nothing(by), FxHashSet::default());
        Collector { task, limit, seen, claim: run.claim(), done, wanted: true, sink }
    }

    /// What was found; a walk to the end that met nothing is a proof.
    fn finish(mut self, text: String) -> Found {
        if self.done.all && self.done.number == 0 {
            self.done.none = Some(super::EXHAUSTED.to_owned());
        }
        self.done.text = text;
        self.done
    }

    /// Follows a walk; false if it used up its grant and found nothing. A walk that
    /// has found one tour is good and goes on without limit. One that has found none is kept in
    /// the chapter.
    fn follow(&mut self, mut walk: Walk<Extend>, attempt: &mut Attempt, chapter: &Chapter) -> bool {
        let before = attempt.nodes;
        loop {
            let is_empty = self.done.number == 0;
            let grant = if is_empty { attempt.grant - attempt.nodes } else { u64::MAX };
            let step = walk.advance(grant.min(SLICE));
            attempt.nodes = before + walk.nodes();
            if is_empty && chapter.is_kept() && !matches!(step, Ok(Advance::Found)) {
                attempt.place = walk.place();
            }
            match step {
                Ok(Advance::Found) => {
                    if let Err(stop) = self.keep(walk.search().path()) {
                        self.done.stopped = Some(stop);
                    }
                }
                Ok(Advance::Exhausted) => self.done.all = true,
                Ok(Advance::Paused) if is_empty && attempt.nodes == attempt.grant => {
                    return false;
                }
                Ok(Advance::Paused) if is_empty => chapter.save_if_due(|out| attempt.put(out)),
                Ok(Advance::Paused) => {}
                Err(stop) => {
                    if is_empty {
                        chapter.put_aside(|out| attempt.put(out));
                    }
                    self.done.stopped = Some(stop);
                }
            }
            let enough = self.done.number >= self.limit || !self.wanted;
            if enough || self.done.all || self.done.stopped.is_some() {
                return true;
            }
        }
    }

    fn keep(&mut self, path: &[u32]) -> Result<(), Stop> {
        if self.task.has_two_directions() {
            if self.seen.contains(&reversed(path, self.task.closed)) {
                return Ok(());
            }
            // Sets double when they are full, and keep an eighth of their places free.
            let each = 3 * size_of::<Vec<u32>>() + size_of_val(path);
            self.claim.grow_to(((self.seen.len() + 1) * each) as u64)?;
            self.seen.insert(path.to_vec());
        }
        self.done.number += 1;
        self.wanted = (self.sink)(path).is_continue();
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

/// Whether this direction of a path is the one that is given, where both are met.
pub(super) fn is_given(path: &[u32], task: &Task) -> bool {
    if !task.has_two_directions() {
        return true;
    }
    match (path, task.closed) {
        ([_, second, .., last], true) => second < last,
        ([first, .., last], false) => first < last,
        _ => true,
    }
}
