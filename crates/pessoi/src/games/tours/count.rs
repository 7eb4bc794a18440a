//! Counting: by moves at the most constrained cell, by the sweep, or by search over paths;
//! what each would cost decides, unless one is asked for.

use num_bigint::BigUint;
use num_traits::Zero;
use pessoi_engine::run::{Run, Stopped};
use pessoi_engine::search::{Part, tally};
use pessoi_engine::sweep::{self, SweepError, forecast};

use super::border::Paths;
use super::branch::Branching;
use super::choice::{self, Choice, Engine, probes};
use super::classes;
use super::extend::{Extend, Order};
use super::options::{BRANCH, BURNSIDE, CLASSES, LIMIT_OF_COUNT, PART, PLAIN_SWEEP, SEARCH, SWEEP};
use super::task::Task;
use super::{Tour, Work, exhausted, find};
use crate::answer::{Answer, Subject, Used, Value};
use crate::board::symmetries::group_name;
use crate::card::Method;
use crate::certificate::Certificate;
use crate::error::{Error, Result};
use crate::job::Events;
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
        let methods = [&BRANCH, &SWEEP, &PLAIN_SWEEP, &SEARCH];
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
        if question.is_given(&PART) {
            only_search(PART.name, "whose tree can be split into parts")?;
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
            // The tours that a symmetry keeps are counted by moves, whatever counts them all.
            return Err(Error::unsupported(
                "place",
                format!(
                    "--classes takes boards of 3 to 127 cells; {} has {}.",
                    task.board.name(),
                    task.len()
                ),
            ));
        }
        match method {
            Some(method) if method.id == BRANCH.id && !Branching::fits(task) => {
                return Err(Error::unsupported(
                    "place",
                    "Branching takes boards of 3 to 127 cells without clues between the first and \
                     the last number; sweep takes narrow boards of any length, search takes any, \
                     and estimate says about how many paths there are.",
                ));
            }
            Some(method) if method.id == SWEEP.id || method.id == PLAIN_SWEEP.id => {
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
            None => choice::choose(task, run),
            Some(method) if method.id == SEARCH.id => match (self.limit, self.part.is_whole()) {
                (Some(_), _) => Choice {
                    engine: Engine::Search,
                    why: "paths are counted as they are found, up to the limit",
                },
                (None, false) => {
                    let why = "only the search can be split into parts";
                    Choice { engine: Engine::Search, why }
                }
                (None, true) => asked(Engine::Search),
            },
            Some(method) if method.id == BRANCH.id => match Branching::new(task) {
                Some(branching) => asked(Engine::Branch(branching, None)),
                // It was refused already.
                None => asked(Engine::Search),
            },
            Some(method) => asked(Engine::Sweep(method, None)),
        }
    }

    /// The name of an engine: Burnside's lemma over it, if classes are counted.
    fn used(&self, method: &'static Method) -> Used {
        if !self.classes {
            return method.into();
        }
        let mut used = Used::from(&BURNSIDE).by(method);
        used.text = format!("{}; all of them by {}", BURNSIDE.help, method.id);
        let more = BURNSIDE.components.iter().filter(|more| !method.components.contains(more));
        used.components.extend(more.map(ToString::to_string));
        used
    }
}

impl Work for Count {
    fn plan(&self, at: &Tour) -> Result<Plan> {
        let (task, run) = (at.task, at.run());
        let Choice { engine, why } = self.engine(task, run);
        let plan = at.plan(self.used(engine.method()), why);
        let plan = match engine {
            Engine::Search if self.limit.is_some() => {
                plan.note("How soon a search finds solutions cannot be predicted.")
            }
            Engine::Search => {
                plan.with_tree(Extend::new(task.clone(), Order::Plain), probes(task), run)
            }
            Engine::Branch(branching, Some(probed)) => branching.plan(plan, &probed, run),
            Engine::Branch(branching, None) => branching.probe_and_plan(plan, probes(task), run),
            Engine::Sweep(method, paths) => {
                let paths = paths.map_or_else(|| choice::paths(method, task, run), Ok);
                match paths {
                    Ok(paths) => predicted(plan, &paths, run),
                    Err(stop) => plan.note(format!("There is nothing to predict: {stop}.")),
                }
            }
        };
        Ok(if self.classes {
            plan.note("Counting those that each symmetry keeps comes on top of this.")
        } else {
            plan
        })
    }

    fn answer(&self, at: &Tour, _: &mut dyn Events) -> Result<Answer> {
        let Choice { engine, .. } = self.engine(at.task, at.run());
        let used = self.used(engine.method());
        if let Some(limit) = self.limit {
            return Ok(up_to(at, limit));
        }
        let mut answer = match engine {
            Engine::Sweep(method, paths) => {
                let paths = paths.map_or_else(|| choice::paths(method, at.task, at.run()), Ok);
                match paths {
                    Ok(paths) => by_sweep(at, &paths, method)?,
                    Err(stop) => at.gave_up(stop, method),
                }
            }
            Engine::Branch(branching, _) => by_branch(at, &branching)?,
            Engine::Search => by_search(at, self.part)?,
        };
        if self.classes {
            answer = up_to_symmetry(at, answer, &used)?;
            answer.method = used;
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

/// A plan with what a sweep will cost.
pub(super) fn predicted(mut plan: Plan, paths: &Paths, run: &Run) -> Plan {
    let Ok(found) = forecast(paths, GLANCE, run) else {
        return plan.note("There was no time for a prediction.");
    };
    plan.borders = Some(found.borders);
    plan.peak_borders = Some(found.peak);
    plan.bytes = Some(found.bytes);
    plan.seconds = Some(found.seconds);
    plan.note(if found.exact {
        "All layers were read in order to predict."
    } else {
        "The first layers were read, and the others extrapolated: within a factor of 2.5 nine \
         times in ten on boards that were tried."
    })
}

/// Counts paths as they are found, up to a limit: is there one, is there a second?
fn up_to(at: &Tour, limit: u64) -> Answer {
    let run = at.run();
    let found = find::warnsdorff(at.task, limit, run, &mut |_| crate::job::MORE);
    let mut answer = at.answer(found.value(), Used::from(&SEARCH).said(found.text));
    answer.cost.nodes = Some(run.progress().handled);
    answer.seed = Some(run.budget().seed);
    answer
}

fn by_sweep(at: &Tour, paths: &Paths, method: &'static Method) -> Result<Answer> {
    let task = at.task;
    let counted = match sweep::count(paths, at.run()) {
        Ok(counted) => counted,
        Err(SweepError::Stop(stop)) => return Ok(at.gave_up(stop, method)),
        Err(SweepError::TooLarge) => {
            return Ok(at.gave_up(
                crate::answer::Limit::Size { text: SweepError::TooLarge.to_string() },
                method,
            ));
        }
        Err(error) => return Err(Error::internal(error.to_string())),
    };
    let total = if task.directed { &counted.total * 2u32 } else { counted.total.clone() };
    let value = if total.is_zero() {
        Value::none("the sweep over all choices found no path")
    } else {
        Value::exact(total)
    };
    let text = format!("{}; the border has up to {} cells", method.help, paths.slots());
    let mut answer = at.answer(value, Used::from(method).said(text));
    answer.cost.borders = Some(counted.handled());
    answer.cost.peak_borders = Some(counted.peak());
    if !task.directed && !counted.total.is_zero() {
        answer.certificate = Some(Certificate::residues(&counted.residues));
    }
    Ok(answer)
}

/// The number of tours that a branching search stands for, and why not all if that is so.
pub(super) fn weighed(
    branching: &Branching,
    task: &Task,
    run: &Run,
) -> Result<Result<u128, Stopped<u128>>> {
    // Open tours without fixed ends are counted from both ends, others once.
    let directions = if task.has_two_directions() && !task.closed { 2 } else { 1 };
    let wanted = if task.directed { 2 } else { 1 };
    match branching.weigh(run) {
        Ok(sum) if sum * wanted % directions != 0 => {
            Err(Error::internal(format!("{sum} paths from both ends, an odd number")))
        }
        Ok(sum) => Ok(Ok(sum * wanted / directions)),
        Err(Stopped { why, so_far }) => {
            Ok(Err(Stopped { why, so_far: so_far * wanted / directions }))
        }
    }
}

fn by_branch(at: &Tour, branching: &Branching) -> Result<Answer> {
    let run = at.run();
    let value = match weighed(branching, at.task, run)? {
        Ok(0) => exhausted(),
        Ok(number) => Value::exact(number),
        Err(stopped) => Value::stopped(stopped.so_far, stopped.why),
    };
    let mut answer = at.answer(value, &BRANCH);
    answer.cost.nodes = Some(run.progress().handled);
    Ok(answer)
}

fn by_search(at: &Tour, part: Part) -> Result<Answer> {
    let (task, run) = (at.task, at.run());
    let search = Extend::new(task.clone(), Order::Plain);
    let (counted, stopped) = match tally(&search, part, run) {
        Ok(counted) => (counted, None),
        Err(stopped) => (stopped.so_far, Some(stopped.why)),
    };
    let met = counted.solutions;
    let value = match stopped {
        // Of the paths met, one direction or both may have been met so far.
        Some(stop) => {
            let halved = task.has_two_directions() && !task.directed && part.is_whole();
            Value::stopped(if halved { met.div_ceil(2) } else { met }, stop)
        }
        None if !part.is_whole() => Value::exact(met),
        None if met == 0 => exhausted(),
        None => Value::exact(met_to_counted(met, task)?),
    };
    let mut answer = at.answer(value, &SEARCH);
    answer.cost.nodes = Some(run.progress().handled);
    if !part.is_whole() {
        answer.subject = task.subject_of_part();
        if task.has_two_directions() {
            answer.notes.push(
                "The two directions of a path may lie in different parts, so a part counts \
                 directed paths; the sum over all parts is twice the number of undirected ones."
                    .into(),
            );
        }
    }
    Ok(answer)
}

/// What `--classes` counts.
pub(super) fn subject_of_classes(task: &Task) -> Subject {
    let group = group_name(&task.board.symmetries());
    task.subject().classes(&format!("the symmetries of the board ({group})"))
}

/// Counts classes up to the symmetries of the board, given the number of all tours.
fn up_to_symmetry(at: &Tour, mut whole: Answer, used: &Used) -> Result<Answer> {
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
    // The identity keeps all; an undirected open tour can only be kept by being turned round.
    let mut kept = vec![number.clone()];
    for symmetry in &symmetries[1..] {
        let Some(branching) = Branching::invariant(task, &symmetry.permutation) else {
            return Err(Error::internal("classes of a board that is too large"));
        };
        match branching.tally(run) {
            Ok(counted) => kept.push(counted.solutions.into()),
            Err(stopped) => {
                whole.value = Value::gave_up(stopped.why);
                return Ok(whole);
            }
        }
    }
    let names = symmetries.iter().map(|symmetry| symmetry.name.as_str());
    let (number, table) = classes::burnside(names, kept)?;
    let mut answer = at.asked.answer(&whole.subject, Value::exact(number), used.clone());
    answer.tables.push(table);
    answer.cost.nodes = Some(run.progress().handled);
    answer.cost.borders = whole.cost.borders;
    answer.cost.peak_borders = whole.cost.peak_borders;
    Ok(answer)
}
