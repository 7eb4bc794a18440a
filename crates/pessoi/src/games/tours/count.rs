//! Counting: by moves at the most constrained cell, by pairings, or by search over paths;
//! what each would cost decides, unless one is asked for.
//!
//! A part counts what the whole counts, so the numbers of all parts add up to the whole's. A
//! path that can be read in two directions belongs to the part that meets it in the one that
//! lists give.

use std::sync::Arc;

use num_bigint::BigUint;
use num_traits::Zero;
use pessoi_engine::ledger::{Chapter, Ledger};
use pessoi_engine::pairings::{CountError, Counted, Sliced, Tours, count_part, forecast};
use pessoi_engine::run::{Bytes, Run, Stopped};
use pessoi_engine::search::{Cut, Estimate, Part, fold, tally};
use pessoi_engine::sweep::{self, SweepError};

use super::border::Paths;
use super::branch::Branching;
use super::choice::{self, Choice, Engine, probes};
use super::classes;
use super::extend::{Extend, Order};
use super::find::{self, is_given};
use super::options::{BRANCH, BURNSIDE, CLASSES, LIMIT_OF_COUNT, PAIRINGS, PLAIN_SWEEP, SEARCH};
use super::pairings;
use super::rounds;
use super::task::Task;
use super::{EXHAUSTED, Tour, Work, kept};
use crate::answer::{Answer, Limit, Subject, Used, Value};
use crate::board::symmetries::group_name;
use crate::card::Method;
use crate::certificate::Certificate;
use crate::error::{Code, Error, Result};
use crate::job::{COMPLETE, Events, InRounds};
use crate::merge::PIECES;
use crate::plan::{GLANCE, Plan};
use crate::question::Question;

/// Turns the number of numberings that a search met into what is asked for.
pub(super) fn met_to_counted(met: u64, task: &Task) -> Result<BigUint> {
    if !task.has_two_directions() || task.directed {
        return Ok(met.into());
    }
    if met % 2 == 1 {
        return Err(Error::internal(format!("{met} directed paths, an odd number, were met")));
    }
    Ok((met / 2).into())
}

/// What is to be counted.
pub(super) struct Count {
    /// The number at which counting may stop.
    limit: Option<u64>,
    /// Whether classes up to symmetry are counted.
    classes: bool,
    part: Part,
    /// The engine that was asked for; `None` if the choice is free.
    method: Option<&'static Method>,
}

impl Count {
    /// Reads the options.
    pub(super) fn new(question: &Question, task: &Task) -> Result<Self> {
        let methods = [&BRANCH, &PAIRINGS, &PLAIN_SWEEP, &SEARCH];
        let asked = question.method();
        let asked = methods.into_iter().find(|method| Some(method.id) == asked);
        let mut method = asked;
        let only_search = |name: &str, why: &str| match asked {
            Some(other) if other.id != SEARCH.id => Err(Error::conflict(
                name,
                format!("--{name} goes with --method {}, {why}; {} cannot.", SEARCH.id, other.id),
            )),
            _ => Ok(()),
        };
        let limit = question.number(&LIMIT_OF_COUNT);
        if limit.is_some() {
            only_search(LIMIT_OF_COUNT.name, "which meets path by path and can stop early")?;
            method = Some(&SEARCH);
        }
        let counts_classes = question.flag(&CLASSES);
        if counts_classes && task.is_numbered() {
            return Err(Error::conflict(
                CLASSES.name,
                "--classes counts paths with nothing fixed: leave out the clues.",
            ));
        }
        if counts_classes && !Branching::fits(task) {
            kept_engines(task, Some(&PAIRINGS), &Run::default())?;
        }
        match method {
            Some(method) if method.id == BRANCH.id && !Branching::fits(task) => {
                return Err(Error::unsupported(
                    "place",
                    "Branching takes boards of 3 to 127 cells without clues between the first and \
                     the last number; pairings takes narrow boards of up to 10000 cells, search \
                     takes any, and estimate says about how many paths there are.",
                ));
            }
            Some(method) if method.id == PAIRINGS.id => {
                pairings::tours(task).map_err(elsewhere)?;
            }
            Some(method) if method.id == PLAIN_SWEEP.id => {
                Paths::width(task).map_err(elsewhere)?;
            }
            _ => {}
        }
        Ok(Count { limit, classes: counts_classes, part: question.part(), method })
    }

    /// The engine that counts all tours.
    fn engine(&self, task: &Task, run: &Run) -> Choice {
        let asked = |engine| Choice { engine, why: "it was asked for" };
        match self.method {
            None if run.disk().is_some() => match pairings::tours(task) {
                Ok(tours) => Choice {
                    engine: Engine::Pairings(Box::new(tours)),
                    why: "it is the engine that uses the disk",
                },
                // It was refused already.
                Err(_) => asked(Engine::Search),
            },
            None if self.part.is_whole() => choice::choose(task, run),
            None => choice::choose_for_part(task, self.part),
            Some(method) if method.id == SEARCH.id => match self.limit {
                Some(_) => Choice {
                    engine: Engine::Search,
                    why: "paths are counted as they are found, up to the limit",
                },
                None => asked(Engine::Search),
            },
            Some(method) if method.id == BRANCH.id => match Branching::new(task) {
                Some(branching) => asked(Engine::Branch(branching, None)),
                // It was refused already.
                None => asked(Engine::Search),
            },
            Some(method) if method.id == PAIRINGS.id => match pairings::tours(task) {
                Ok(tours) => asked(Engine::Pairings(Box::new(tours))),
                // It was refused already.
                Err(_) => asked(Engine::Search),
            },
            Some(_) => asked(Engine::PlainSweep),
        }
    }

    /// How the tree of `branch` is cut.
    fn cut(&self, branching: &Branching, probed: Option<&Estimate>, task: &Task) -> Cut {
        if self.part.is_whole() {
            return Cut::new(self.part);
        }
        let tree = probed.map_or_else(|| choice::tree(branching, task), Estimate::tree);
        choice::cut(self.part, tree)
    }

    /// If classes are counted: what counts the tours that each symmetry but the identity keeps.
    fn kept(&self, task: &Task, run: &Run) -> Result<Option<Vec<kept::Engine>>> {
        self.classes.then(|| kept_engines(task, self.method, run)).transpose()
    }
}

fn kept_engines(task: &Task, method: Option<&Method>, run: &Run) -> Result<Vec<kept::Engine>> {
    let symmetries = task.board.symmetries();
    symmetries[1..]
        .iter()
        .map(|symmetry| kept::Engine::choose(task, symmetry, method, run))
        .collect()
}

/// The name of an engine: Burnside's lemma over it, if classes are counted.
fn used(method: &'static Method, kept: Option<&[kept::Engine]>) -> Used {
    let Some(kept) = kept else { return method.into() };
    let mut used = Used::from(&BURNSIDE).by(method);
    used.text = format!("{}; all of them by {}", BURNSIDE.help, method.id);
    let used = used.with_components(BURNSIDE.components);
    kept.iter().fold(used, |used, engine| used.with_components(engine.components()))
}

impl Work for Count {
    fn subject(&self, task: &Task, _: &Value) -> Option<Subject> {
        Some(if self.classes { subject_of_classes(task) } else { task.subject() })
    }

    fn plan(&self, at: &Tour) -> Result<Plan> {
        let (task, run) = (at.task, at.run());
        let Choice { engine, why } = self.engine(task, run);
        let kept = self.kept(task, run)?;
        let plan = at.plan(used(engine.method(), kept.as_deref()), why);
        let plan = match engine {
            Engine::Search if self.limit.is_some() => {
                plan.note("How soon a search finds solutions cannot be predicted.")
            }
            Engine::Search => {
                plan.with_tree(Extend::new(task.clone(), Order::Plain), probes(task), run)
            }
            Engine::Branch(branching, Some(probed)) => branching.plan(plan, &probed, run),
            Engine::Branch(branching, None) => branching.probe_and_plan(plan, probes(task), run),
            Engine::Pairings(tours) => {
                let plan = predicted(plan, &tours, run);
                if self.part.is_whole() {
                    plan
                } else {
                    plan.note(
                        "This is for the whole: what is read before the parts can be told apart, \
                         every part reads.",
                    )
                }
            }
            Engine::PlainSweep => match Paths::plain(task, run) {
                Ok(paths) => swept(plan, &paths, run),
                Err(stop) => plan.note(format!("There is nothing to predict: {stop}.")),
            },
        };
        Ok(match kept {
            Some(kept) => plan.note(on_top(task, &kept)),
            None => plan,
        })
    }

    fn can_save(&self, _: &Task) -> Result<(), String> {
        match self.limit {
            Some(_) => Err(format!("Counts with --{} cannot", LIMIT_OF_COUNT.name)),
            None => Ok(()),
        }
    }

    fn can_spill(&self, task: &Task) -> Result<(), String> {
        match self.method {
            _ if self.limit.is_some() => Err(format!(
                "Only counts by pairings and by plain-sweep can, and --limit goes with {}",
                SEARCH.id
            )),
            Some(method) if method.id == PLAIN_SWEEP.id => Ok(()),
            Some(method) if method.id != PAIRINGS.id => Err(format!(
                "Only counts by pairings and by plain-sweep can, and {} was asked for",
                method.id
            )),
            _ => pairings::tours(task).map(drop).map_err(|error| {
                format!("Only counts by pairings can. {}", error.sentence.trim_end_matches('.'))
            }),
        }
    }

    fn rounds(&self, task: &Arc<Task>, run: &Run) -> Result<Box<dyn InRounds>> {
        let refuse = |what: String| {
            let sentence =
                format!("Only counts by pairings and by plain-sweep have rounds: {what}.");
            Err(Error::unsupported("rounds", sentence))
        };
        if self.limit.is_some() {
            return refuse(format!("leave out --{}", LIMIT_OF_COUNT.name));
        }
        if self.classes {
            return refuse(format!("leave out --{}", CLASSES.name));
        }
        if !self.part.is_whole() {
            return refuse("leave out --part".to_owned());
        }
        match self.method {
            Some(method) if method.id == PLAIN_SWEEP.id => {
                let paths = Paths::plain(task, run)
                    .map_err(|stop| Error::new(Code::Stopped, "rounds", format!("{stop}.")))?;
                Ok(Box::new(rounds::Swept::new(task, paths)))
            }
            Some(method) if method.id != PAIRINGS.id => {
                refuse(format!("{} was asked for", method.id))
            }
            asked => match pairings::tours(task) {
                Ok(tours) => Ok(Box::new(rounds::Paired::new(task, tours, run))),
                Err(error) if asked.is_some() => Err(error),
                Err(error) => Err(Error::unsupported("rounds", error.sentence)),
            },
        }
    }

    fn answer(&self, at: &Tour, _: &mut dyn Events) -> Result<Answer> {
        let Choice { engine, .. } = self.engine(at.task, at.run());
        let kept = self.kept(at.task, at.run())?;
        let used = used(engine.method(), kept.as_deref());
        if let Some(limit) = self.limit {
            return Ok(up_to(at, limit));
        }
        if matches!(engine, Engine::Branch(..) | Engine::Search) {
            let ledger = at.asked.ledger(engine.method().id)?;
            let mut answer = self.searched(at, engine, kept.as_deref(), &used, &ledger)?;
            at.asked.close(&ledger, &mut answer)?;
            return Ok(answer);
        }
        let mut answer = match engine {
            Engine::Pairings(tours) => by_pairings(at, &tours, self.part)?,
            Engine::PlainSweep => match Paths::plain(at.task, at.run()) {
                Ok(paths) => by_sweep(at, &paths, self.part)?,
                Err(stop) => at.gave_up(stop, &PLAIN_SWEEP),
            },
            Engine::Branch(..) | Engine::Search => {
                return Err(Error::internal("a count by search that is none"));
            }
        };
        if let Some(kept) = kept {
            answer = up_to_symmetry(at, answer, &kept, &used, None)?;
            answer.method = used;
        }
        Ok(answer)
    }
}

impl Count {
    /// Counts by walking a tree, which saves itself.
    fn searched(
        &self,
        at: &Tour,
        engine: Engine,
        kept: Option<&[kept::Engine]>,
        used: &Used,
        ledger: &Ledger,
    ) -> Result<Answer> {
        let mut answer = match engine {
            Engine::Branch(branching, probed) => {
                let cut = self.cut(&branching, probed.as_deref(), at.task);
                by_branch(at, &branching, cut, self.part, ledger)?
            }
            _ => by_search(at, self.part, ledger)?,
        };
        if let Some(kept) = kept {
            answer = up_to_symmetry(at, answer, kept, used, Some(ledger))?;
            answer.method = used.clone();
        }
        Ok(answer)
    }
}

/// What cannot be swept, and what can be done with it instead.
fn elsewhere(error: Error) -> Error {
    let sentence = format!(
        "{}; search takes any board, branch up to 127 cells, and estimate says about how many \
         paths there are.",
        error.sentence.trim_end_matches('.')
    );
    Error { sentence, ..error }
}

/// What a plan says of the tours that symmetries keep.
fn on_top(task: &Task, kept: &[kept::Engine]) -> String {
    let symmetries = task.board.symmetries();
    let by = |paired: bool| {
        let engines = symmetries[1..].iter().zip(kept);
        let names = engines
            .filter(|(_, engine)| matches!(engine, kept::Engine::Pairings(_)) == paired)
            .map(|(symmetry, _)| symmetry.name.as_str());
        names.collect::<Vec<_>>().join(", ")
    };
    let of = |method: &Method, names: &str| format!("by {} for {names}", method.id);
    let how = match (&*by(true), &*by(false)) {
        (paired, "") => of(&PAIRINGS, paired),
        ("", branched) => of(&BRANCH, branched),
        (paired, branched) => format!("{} and {}", of(&PAIRINGS, paired), of(&BRANCH, branched)),
    };
    format!("Counting those that each symmetry keeps comes on top of this: {how}.")
}

/// Borders that are read in order to predict: some tenths of a second. If there will be very many,
/// more are read, for a second or two: what is extrapolated from too few was ten times too low.
const FORESEEN: u64 = 500_000;
const FORESEEN_OF_MANY: u64 = 5_000_000;
const MANY: f64 = 1e8;
/// Of so many, too few can be read.
const TOO_MANY: f64 = 1e10;

/// A plan with what pairings will cost.
fn predicted(mut plan: Plan, tours: &Tours, run: &Run) -> Plan {
    let Ok(mut found) = forecast(tours, FORESEEN, run) else {
        return plan.note("There was no time or memory for a prediction.");
    };
    if !found.exact
        && found.borders > MANY
        && let Ok(closer) = forecast(tours, FORESEEN_OF_MANY, run)
    {
        found = closer;
    }
    plan.borders = Some(found.borders);
    plan.peak_borders = Some(found.peak);
    plan.bytes = Some(found.bytes);
    plan.seconds = Some(found.seconds / run.budget().threads as f64);
    let mut plan = plan.note(if found.exact {
        "All layers were read in order to predict."
    } else if found.borders > TOO_MANY {
        "The first layers were read, and the others extrapolated: there may be ten times as many."
    } else {
        "The first layers were read, and the others extrapolated: within a factor of 6 on boards \
         that were tried."
    });
    let Some(Sliced { slices, bytes, waiting }) = found.sliced else { return plan };
    let shown = |bytes: f64| Bytes(bytes as u64);
    let slices = format!("Layers are cut into slices, about {slices:.0} in the end.");
    if let Some(disk) = run.disk() {
        plan.bytes = Some(bytes);
        let plan = plan.note(format!(
            "{slices} Those that wait take about {} on disk at one time.",
            shown(waiting)
        ));
        let plan = match run.budget().memory {
            Some(most) if bytes > most as f64 => plan.note(format!(
                "The largest slice is more than the {} of memory that are allowed: it will be cut \
                 further where that is possible, and may not fit.",
                Bytes(most)
            )),
            _ => plan,
        };
        return match disk.most() {
            Some(most) if waiting > most as f64 => plan.note(format!(
                "That is more than the {} that --disk allows: it will hardly fit.",
                Bytes(most)
            )),
            _ => plan,
        };
    }
    plan.bytes = Some(bytes + waiting);
    let most = run.budget().memory.unwrap_or(u64::MAX);
    if bytes + waiting <= most as f64 {
        return plan.note(format!("{slices} Those that wait take about {}.", shown(waiting)));
    }
    plan.note(format!(
        "{slices} With those that wait they will hardly fit into the {} of memory that are \
         allowed: with --disk DIR about {} would wait there, and {} be in memory.",
        Bytes(most),
        shown(waiting),
        shown(bytes)
    ))
}

/// A plan with what a sweep will cost.
pub(super) fn swept(mut plan: Plan, paths: &Paths, run: &Run) -> Plan {
    let Ok(found) = sweep::forecast(paths, GLANCE, run) else {
        return plan.note("There was no time for a prediction.");
    };
    plan.borders = Some(found.borders);
    plan.peak_borders = Some(found.peak);
    plan.bytes = Some(found.bytes);
    plan.seconds = Some(found.seconds);
    let plan = plan.note(if found.exact {
        "All layers were read in order to predict."
    } else {
        "The first layers were read, and the others extrapolated: within a factor of 2.5 nine \
         times in ten on boards that were tried."
    });
    match (run.disk(), run.budget().memory) {
        (Some(_), Some(memory)) if found.bytes > memory as f64 => plan.note(format!(
            "That is more than the memory limit of {}: what does not fit is written to disk, up to \
             about {} at one time.",
            Bytes(memory),
            Bytes((ON_DISK * found.bytes) as u64)
        )),
        _ => plan,
    }
}

/// Bytes that lie on disk at one time where nearly everything is written, for each byte that a
/// sweep would take in memory: two layers, one of them in runs that have borders in common.
const ON_DISK: f64 = 1.5;

/// Counts paths as they are found, up to a limit: is there one, is there a second?
fn up_to(at: &Tour, limit: u64) -> Answer {
    let run = at.run();
    let found = {
        let unkept = Chapter::unkept();
        find::warnsdorff(at.task, limit, run, &unkept, &mut |_| crate::job::MORE)
    };
    let mut answer = at.answer(found.value(), Used::from(&SEARCH).said(found.text));
    answer.cost.nodes = Some(run.progress().handled);
    answer.seed = Some(run.budget().seed);
    answer
}

/// The value of a count that came to its end. A part may hold nothing where the whole holds
/// something, so that is no proof.
fn counted(number: impl Into<BigUint>, part: Part, proof: &str) -> Value {
    let number = number.into();
    if number.is_zero() && part.is_whole() { Value::none(proof) } else { Value::exact(number) }
}

/// Says of a part how the whole was dealt out: parts that were cut alike agree in this.
fn dealt(answer: &mut Answer, part: Part, pieces: u64) {
    if !part.is_whole() {
        answer.fact(PIECES, "pieces that were dealt out to all parts", pieces);
    }
}

/// The limit that ended a count by pairings, or what went wrong.
pub(super) fn limit(error: CountError) -> Result<Limit> {
    match error {
        CountError::Stop(stop) => Ok(stop.into()),
        CountError::TooLarge => Ok(Limit::Size { text: error.to_string() }),
        CountError::Off | CountError::Checkpoint(_) => Err(Error::internal(error.to_string())),
    }
}

fn by_pairings(at: &Tour, tours: &Tours, part: Part) -> Result<Answer> {
    let run = at.run();
    let counted_them = match count_part(tours, part, run) {
        Ok(counted) => counted,
        Err(CountError::Checkpoint(why)) => {
            return Err(at.asked.unusable(&why));
        }
        Err(error) => return Ok(at.gave_up(limit(error)?, &PAIRINGS)),
    };
    let mut answer = paired(at, tours, part, &counted_them);
    if run.store().is_some() {
        answer.notes.push(COMPLETE.into());
    }
    Ok(answer)
}

/// The answer of tours that were counted by pairings.
pub(super) fn paired(at: &Tour, tours: &Tours, part: Part, found: &Counted) -> Answer {
    let task = at.task;
    let value = if task.directed { &found.total * 2u32 } else { found.total.clone() };
    let value = counted(value, part, "pairings from both sides of the board found no path");
    let text = format!("{}; a border has up to {} cells", PAIRINGS.help, tours.slots());
    let mut answer = at.answer(value, Used::from(&PAIRINGS).said(text));
    answer.cost.borders = Some(found.handled());
    answer.cost.peak_borders = Some(found.peak());
    dealt(&mut answer, part, found.dealt);
    if !task.directed && !found.residues.is_empty() {
        answer.certificate = Some(Certificate::residues(&found.residues));
    }
    answer
}

fn by_sweep(at: &Tour, paths: &Paths, part: Part) -> Result<Answer> {
    let swept = match sweep::count_saved(paths, part, at.run()) {
        Ok(swept) => swept,
        Err(SweepError::Stop(stop)) => return Ok(at.gave_up(stop, &PLAIN_SWEEP)),
        Err(SweepError::Checkpoint(why)) => return Err(at.asked.unusable(&why)),
        Err(error) => return Err(Error::internal(error.to_string())),
    };
    let mut answer = read_over(at, paths, part, &swept);
    if at.run().store().is_some() {
        answer.notes.push(COMPLETE.into());
    }
    Ok(answer)
}

/// The answer of tours that were counted by the plain sweep.
pub(super) fn read_over(at: &Tour, paths: &Paths, part: Part, found: &sweep::Counted) -> Answer {
    let total = if at.task.directed { &found.total * 2u32 } else { found.total.clone() };
    let value = counted(total, part, "the sweep over all choices found no path");
    let text = format!("{}; the border has up to {} cells", PLAIN_SWEEP.help, paths.slots());
    let mut answer = at.answer(value, Used::from(&PLAIN_SWEEP).said(text));
    answer.cost.borders = Some(found.handled());
    answer.cost.peak_borders = Some(found.peak());
    dealt(&mut answer, part, found.dealt);
    answer
}

/// The number of tours that a part of a branching search stands for, and how many pieces were
/// dealt out; or why not all, if that is so.
pub(super) fn weighed(
    branching: &Branching,
    task: &Task,
    cut: Cut,
    run: &Run,
    chapter: &Chapter,
) -> Result<Result<(u128, u64), Stopped<u128>>> {
    // Open tours without fixed ends are counted from both ends, others once. The symmetries of
    // a board are 1, 2, 4 or 8, so cells come alone or in classes of an even size, and all
    // weights are even: those of a part too.
    let directions = if task.has_two_directions() && !task.closed { 2 } else { 1 };
    let wanted = if task.directed { 2 } else { 1 };
    match branching.weigh(cut, run, chapter) {
        Ok((sum, _)) if sum * wanted % directions != 0 => {
            Err(Error::internal(format!("{sum} paths from both ends, an odd number")))
        }
        Ok((sum, pieces)) => Ok(Ok((sum * wanted / directions, pieces))),
        Err(Stopped { why, so_far }) => {
            Ok(Err(Stopped { why, so_far: so_far * wanted / directions }))
        }
    }
}

fn by_branch(
    at: &Tour,
    branching: &Branching,
    cut: Cut,
    part: Part,
    ledger: &Ledger,
) -> Result<Answer> {
    let run = at.run();
    let weighed = weighed(branching, at.task, cut, run, &ledger.chapter(TOURS));
    let (value, pieces) = match weighed.map_err(|error| at.asked.off(ledger, error.sentence))? {
        Ok((number, pieces)) => (counted(number, part, EXHAUSTED), Some(pieces)),
        Err(stopped) => (Value::stopped(stopped.so_far, stopped.why), None),
    };
    let mut answer = at.answer(value, &BRANCH);
    answer.cost.nodes = Some(run.progress().handled);
    if let Some(pieces) = pieces {
        dealt(&mut answer, part, pieces);
    }
    Ok(answer)
}

fn by_search(at: &Tour, part: Part, ledger: &Ledger) -> Result<Answer> {
    let chapter = ledger.chapter(TOURS);
    let (task, run) = (at.task, at.run());
    let search = Extend::new(task.clone(), Order::Plain);
    let mut pieces = None;
    let value = if part.is_whole() {
        match tally(&search, part, run, &chapter) {
            Ok(all) => {
                let number = met_to_counted(all.solutions, task);
                let number = number.map_err(|error| at.asked.off(ledger, error.sentence))?;
                counted(number, part, EXHAUSTED)
            }
            // Of the paths met, one direction or both may have been met so far.
            Err(stopped) => {
                let halved = task.has_two_directions() && !task.directed;
                let met = stopped.so_far.solutions;
                Value::stopped(if halved { met.div_ceil(2) } else { met }, stopped.why)
            }
        }
    } else {
        // The two directions of a path may lie in different parts, so one of them counts.
        let add = |given: &mut u128, at: &Extend| *given += u128::from(is_given(at.path(), task));
        let merge = |sum: &mut u128, more| *sum += more;
        let folded = fold(&search, part, run, &chapter, || 0, add, merge);
        let times = if task.directed && task.has_two_directions() { 2 } else { 1 };
        match folded {
            Ok(all) => {
                pieces = Some(all.dealt);
                counted(all.folded * times, part, EXHAUSTED)
            }
            Err(stopped) => Value::stopped(stopped.so_far.folded * times, stopped.why),
        }
    };
    let mut answer = at.answer(value, &SEARCH);
    answer.cost.nodes = Some(run.progress().handled);
    if let Some(pieces) = pieces {
        dealt(&mut answer, part, pieces);
    }
    Ok(answer)
}

/// The chapter of a count that meets all tours.
const TOURS: &str = "tours";

/// What `--classes` counts.
pub(super) fn subject_of_classes(task: &Task) -> Subject {
    let group = group_name(&task.board.symmetries());
    task.subject().classes(&format!("the symmetries of the board ({group})"))
}

/// Counts classes up to the symmetries of the board, given the number of all tours and what
/// counts those that each symmetry keeps.
fn up_to_symmetry(
    at: &Tour,
    mut whole: Answer,
    engines: &[kept::Engine],
    used: &Used,
    ledger: Option<&Ledger>,
) -> Result<Answer> {
    let (task, run) = (at.task, at.run());
    let symmetries = task.board.symmetries();
    whole.subject = subject_of_classes(task);
    whole.certificate = None;
    let Value::Exact { number } = &whole.value else {
        // Without all tours nothing is known of their classes, but that there is none.
        if let Some(stop) = whole.value.stop() {
            whole.value = Value::gave_up(stop.clone());
        }
        return Ok(whole);
    };
    let chapter = ledger.map_or(Chapter::unkept(), |ledger| ledger.chapter("kept"));
    let counted = match kept::count(engines, run, &chapter) {
        Ok(counted) => counted,
        Err(error) => {
            whole.value = Value::gave_up(limit(error)?);
            return Ok(whole);
        }
    };
    // The identity keeps all; an undirected open tour can only be kept by being turned round.
    let kept: Vec<BigUint> = std::iter::once(number.clone()).chain(counted.kept).collect();
    let names = symmetries.iter().map(|symmetry| symmetry.name.as_str());
    let (number, table) = classes::burnside(names, kept).map_err(|error| match ledger {
        Some(ledger) => at.asked.off(ledger, error.sentence),
        None => error,
    })?;
    let mut answer = at.asked.answer(&whole.subject, Value::exact(number), used.clone());
    answer.tables.push(table);
    let sum = |a: Option<u64>, b: u64| if b > 0 { Some(a.unwrap_or(0) + b) } else { a };
    answer.cost.nodes = sum(whole.cost.nodes, counted.nodes);
    answer.cost.borders = sum(whole.cost.borders, counted.borders);
    answer.cost.peak_borders = whole.cost.peak_borders.max(Some(counted.peak).filter(|&n| n > 0));
    Ok(answer)
}
