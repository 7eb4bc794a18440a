//! Drawing tours: uniformly from the layers of a sweep, where these fit; otherwise by growing
//! and rotating paths at random, which favours some tours over others, and the answer says so.
//!
//! Neither of these follows clues. There, all tours are listed if they are soon listed, and drawn
//! from uniformly; otherwise they are drawn by searches that break ties at random, which is not
//! uniform either.

use std::sync::Arc;
use std::time::Duration;

use num_traits::Zero;
use pessoi_engine::random::Random;
use pessoi_engine::run::{Budget, Run, Stop};
use pessoi_engine::search::{Advance, Walk};
use pessoi_engine::sweep::{self, Sampler};

use super::border::Paths;
use super::count::swept;
use super::extend::{Extend, Order};
use super::find::{attempted, first_grant, next_grant};
use super::options::{
    DRAWS, LIST_OR_SEARCH, LISTED_ALL, ROTATIONS, SEARCHED_AT_RANDOM, UNIFORM, UNIFORM_OR_ROTATIONS,
};
use super::task::Task;
use super::{Tour, Work, exhausted, proofs, rotations};
use crate::answer::{Answer, Limit, Subject, Used, Value};
use crate::card::{METHOD, Method};
use crate::certificate::Certificate;
use crate::error::{Error, Result};
use crate::export;
use crate::job::{Events, Halt, draw};
use crate::plan::{GLANCE, Plan};
use crate::question::Question;

/// What is drawn.
const DRAWN: Subject = Subject::things("random-paths", "random path drawn", "random paths drawn");

/// How long the layers of a sweep are waited for where rotations can be used instead.
const PATIENCE: Duration = Duration::from_mins(1);

/// How many times as long the layers may be predicted to take before they are not even begun.
/// Predictions are within a factor of 2.5 nine times in ten.
const DOUBT: f64 = 4.0;

/// Attempts for one path.
const ATTEMPTS: u64 = 1000;

/// Nodes of the search that lists all tours, a second …
const LISTING: u64 = 2_000_000;
/// … how many tours it lists at most, and how many cells these may have together.
const MOST_LISTED: usize = 100_000;
const MOST_CELLS_LISTED: usize = 20_000_000;
/// Nodes of the searches for one tour, if there is no limit of time.
const SEARCHING: u64 = 50_000_000;

/// How many tours are to be drawn, and how.
pub(super) struct Draws {
    wanted: u64,
    method: &'static Method,
    why: String,
}

impl Draws {
    /// Reads the options and chooses the engine.
    pub(super) fn new(question: &Question, task: &Task) -> Result<Self> {
        let wanted = question.number(&DRAWS).unwrap_or(1);
        let swept = Paths::width(task);
        let rotates = rotations::suits(task);
        let (method, why) = match (question.method(), swept) {
            (Some(id), swept) if id == UNIFORM.id => {
                swept?;
                (&UNIFORM, "it was asked for".into())
            }
            (Some(_), _) if rotates => (&ROTATIONS, "it was asked for".into()),
            (Some(_), _) => {
                return Err(Error::unsupported(
                    &format!("options.{METHOD}"),
                    "Rotations need three cells and cannot follow clues, which say when a cell is \
                     visited; leave out --method.",
                ));
            }
            (None, Ok(_)) if rotates => (
                &UNIFORM_OR_ROTATIONS,
                "uniform samples need all layers of a sweep, which may not fit into memory".into(),
            ),
            (None, Ok(_)) => (&UNIFORM, "uniform samples need all layers of a sweep".into()),
            (None, Err(error)) if rotates => (&ROTATIONS, error.sentence),
            (None, Err(_)) if task.is_numbered() => {
                (&LIST_OR_SEARCH, "clues rule out sweeps and rotations".into())
            }
            // Where there is nothing to draw, no engine is needed.
            (None, Err(error)) if proofs::none(task).is_none() => return Err(error),
            (None, Err(_)) => (&ROTATIONS, "there is nothing to draw".into()),
        };
        Ok(Draws { wanted, method, why })
    }

    /// The uniform sample; `Err` if its layers are too much. They are made within a run of
    /// their own.
    fn uniform(
        &self,
        at: &Tour,
        used: Used,
        within: &Run,
        events: &mut dyn Events,
    ) -> Result<Result<Answer, Stop>> {
        let (task, run) = (at.task, at.run());
        let paths = match Paths::new(task, within) {
            Ok(paths) => paths,
            Err(stop) => return Ok(Err(stop)),
        };
        let sampler = match Sampler::new(&paths, within) {
            Ok(sampler) => sampler,
            Err(stop) => return Ok(Err(stop)),
        };
        if sampler.total().is_zero() {
            let value = Value::none("the sweep over all choices found no path");
            return Ok(Ok(at.answer(value, used)));
        }
        let mut random = Random::new(run.budget().seed, 0);
        let (drawn, stop) = draw(self.wanted, run, events, |_| {
            let path = sampler.draw(&mut random).and_then(|codes| paths.path(task, &codes));
            let path = path.ok_or_else(|| Error::internal("a sample is not a path"))?;
            Ok(at.solution(&path))
        })?;
        let mut answer = given(at, drawn, stop, used);
        let subject = task.subject();
        let text = format!("{}, each with the same chance", subject.text);
        answer.fact("paths", &text, sampler.total());
        answer.fact("uniform", "uniform", true);
        answer.cost.borders = Some(sampler.borders());
        Ok(Ok(answer))
    }

    /// Draws tours with clues: from a list of all, if they are soon listed.
    fn clued(&self, at: &Tour, events: &mut dyn Events) -> Result<Answer> {
        let (task, run) = (at.task, at.run());
        let used = Used::from(self.method);
        match listed(task, run) {
            Ok(Some(all)) if all.is_empty() => {
                let mut answer = at.answer(exhausted(), used.by(&LISTED_ALL));
                answer.cost.nodes = Some(run.progress().handled);
                Ok(answer)
            }
            Ok(Some(all)) => {
                let mut random = Random::new(run.budget().seed, 0);
                let (drawn, stop) = draw(self.wanted, run, events, |_| {
                    Ok(at.solution(&all[random.below(all.len() as u64) as usize]))
                })?;
                let mut answer = given(at, drawn, stop, used.by(&LISTED_ALL));
                let text = format!("{}, each with the same chance", task.subject().text);
                answer.fact("paths", &text, all.len());
                answer.fact("uniform", "uniform", true);
                answer.cost.nodes = Some(run.progress().handled);
                Ok(answer)
            }
            Ok(None) => {
                let (drawn, stop) = draw(self.wanted, run, events, |number| {
                    let path = searched(task, number, run)?;
                    Ok(at.solution(&path))
                })?;
                let mut answer = given(at, drawn, stop, used.by(&SEARCHED_AT_RANDOM));
                if drawn > 0 {
                    answer.fact("uniform", "uniform", false);
                    answer.notes.push(
                        "These are not uniform: the paths were extended by Warnsdorff's rule, with \
                         ties broken at random, which favours some over others. A uniform sample \
                         needs a list of all paths, which are too many."
                            .into(),
                    );
                }
                answer.cost.nodes = Some(run.progress().handled);
                Ok(answer)
            }
            Err(stop) => Ok(at.asked.gave_up(&DRAWN, stop, used)),
        }
    }

    /// Draws by rotations: any path may come, but not with the same chance.
    fn rotated(&self, at: &Tour, used: Used, why: &str, events: &mut dyn Events) -> Result<Answer> {
        let (task, run) = (at.task, at.run());
        let (drawn, stop) = draw(self.wanted, run, events, |number| {
            let attempts = number * ATTEMPTS..(number + 1) * ATTEMPTS;
            match rotations::find(task, attempts, run)? {
                Some(path) => Ok(at.solution(&path)),
                None => Err(Halt::Stop(Limit::Attempts {
                    text: format!("no path was found in {ATTEMPTS} attempts"),
                })),
            }
        })?;
        let mut answer = given(at, drawn, stop, used);
        if drawn > 0 {
            answer.fact("uniform", "uniform", false);
            answer.notes.push(format!(
                "These are not uniform: the paths were grown at random by Warnsdorff's rule and \
                 rotated out of dead ends, which favours some over others. {why}"
            ));
        }
        Ok(answer)
    }
}

impl Work for Draws {
    fn subject(&self, task: &Task, value: &Value) -> Option<Subject> {
        Some(if matches!(value, Value::AtLeast { .. }) { DRAWN } else { task.subject() })
    }

    fn plan(&self, at: &Tour) -> Result<Plan> {
        let plan = at.plan(self.method, &self.why);
        if self.method.id == ROTATIONS.id {
            return Ok(plan.note("How soon rotations find a path cannot be predicted."));
        }
        if self.method.id == LIST_OR_SEARCH.id {
            return Ok(plan.note("How many paths there are to list cannot be predicted."));
        }
        Ok(match Paths::new(at.task, at.run()) {
            Ok(paths) => swept(plan, &paths, at.run())
                .note("All layers are kept at once, and read a second time backwards."),
            Err(stop) => plan.note(format!("There is nothing to predict: {stop}.")),
        })
    }

    fn answer(&self, at: &Tour, events: &mut dyn Events) -> Result<Answer> {
        let used = Used::from(self.method);
        if self.method.id == ROTATIONS.id {
            let why = if at.question().method().is_some() { "" } else { &self.why };
            return self.rotated(at, used, why, events);
        }
        if self.method.id == LIST_OR_SEARCH.id {
            return self.clued(at, events);
        }
        let falls_back = self.method.id == UNIFORM_OR_ROTATIONS.id;
        let uniform = if falls_back { used.clone().by(&UNIFORM) } else { used.clone() };
        // What is drawn otherwise needs some of the time too.
        let run = at.run();
        let within = if falls_back {
            let left = run.budget().time.map(|time| time.saturating_sub(run.elapsed()) / 2);
            let time = left.unwrap_or(PATIENCE).min(PATIENCE);
            if let Some(seconds) = hopeless(at.task, time, run) {
                let why = format!(
                    "A uniform sample needs all layers of a sweep, which would take about {}. Ask \
                     for it with --method {}.",
                    export::seconds(seconds),
                    UNIFORM.id
                );
                return self.rotated(at, used.by(&ROTATIONS), &why, events);
            }
            run.part(Budget { time: Some(time), ..run.budget().clone() })
        } else {
            run.part(Budget { time: None, ..run.budget().clone() })
        };
        match self.uniform(at, uniform, &within, events)? {
            Ok(answer) => Ok(answer),
            // What is too large for the memory or the time can still be drawn otherwise.
            Err(stop) if falls_back && at.run().check().is_ok() => {
                let why = format!(
                    "A uniform sample needs all layers of a sweep, and these were too much: {stop}."
                );
                self.rotated(at, used.by(&ROTATIONS), &why, events)
            }
            Err(stop) => Ok(at.asked.gave_up(&DRAWN, stop, used)),
        }
    }
}

/// All tours, if they are few and soon listed. Half of the time is left for searches.
fn listed(task: &Arc<Task>, run: &Run) -> Result<Option<Vec<Vec<u32>>>, Stop> {
    let half = run.half();
    half.stage("listing all paths", 0);
    let mut claim = half.claim();
    let most = MOST_LISTED.min(MOST_CELLS_LISTED / task.len().max(1));
    let mut walk = Walk::new(Extend::new(task.clone(), Order::Plain), &half);
    let mut all = Vec::new();
    loop {
        match walk.advance(LISTING.saturating_sub(walk.nodes())) {
            Ok(Advance::Found) => {
                if all.len() == most {
                    return Ok(None);
                }
                let bytes = (all.len() + 1) * (4 * task.len() + size_of::<Vec<u32>>());
                if claim.grow_to(bytes as u64).is_err() {
                    return Ok(None);
                }
                all.push(walk.search().path().to_vec());
            }
            Ok(Advance::Exhausted) => return Ok(Some(all)),
            Ok(Advance::Paused) => return Ok(None),
            Err(_) => {
                // The whole may have time left.
                run.check()?;
                return Ok(None);
            }
        }
        if walk.nodes() >= LISTING {
            return Ok(None);
        }
    }
}

/// A tour that a search comes to by Warnsdorff's rule, with ties broken at random.
fn searched(task: &Arc<Task>, number: u64, run: &Run) -> Result<Vec<u32>, Halt> {
    run.stage("searching by Warnsdorff's rule", 0);
    let order = |random: &mut Random| Order::warnsdorff(task.len(), random);
    // Each tour has random streams of its own.
    let mut stream = number << 32;
    let (mut grant, mut nodes) = (first_grant(task), 0);
    while nodes < SEARCHING || run.budget().time.is_some() {
        let search = attempted(task, order, run.budget().seed, stream);
        let mut walk = Walk::new(search, run);
        match walk.advance(grant)? {
            Advance::Found => return Ok(walk.search().path().to_vec()),
            Advance::Exhausted => {
                let text = "there is no path to draw, as a search to the end shows".into();
                return Err(Limit::Attempts { text }.into());
            }
            Advance::Paused => {}
        }
        nodes += walk.nodes();
        grant = next_grant(grant);
        stream += 1;
    }
    let text = format!("no path was found in {SEARCHING} nodes; --time allows more");
    Err(Limit::Attempts { text }.into())
}

/// How many seconds the layers of a sweep will take, if that is far more than the time for them.
fn hopeless(task: &Task, time: Duration, run: &Run) -> Option<f64> {
    let paths = Paths::new(task, run).ok()?;
    let found = sweep::forecast(&paths, GLANCE, run).ok()?;
    (!found.exact && found.seconds > DOUBT * time.as_secs_f64()).then_some(found.seconds)
}

fn given(at: &Tour, drawn: u64, stop: Option<Limit>, used: Used) -> Answer {
    let value = match stop {
        Some(stop) => Value::stopped(drawn, stop),
        None => Value::at_least(drawn),
    };
    let mut answer = at.asked.answer(&DRAWN, value, used);
    answer.seed = Some(at.run().budget().seed);
    answer.certificate = (drawn > 0).then(Certificate::solutions);
    answer
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::check::Effort;
    use crate::question::Verb;
    use crate::testing::{self, CATALOGUE};

    fn sample(game: &str, place: &str, number: &str) -> Answer {
        let mut question = Question::new(Verb::Sample, game, place).unwrap();
        let menu = CATALOGUE.menu(CATALOGUE.game(game).unwrap().card(), Verb::Sample);
        question.set(&menu, DRAWS.name, number).unwrap();
        let answer = testing::ask(&question, &Run::default()).unwrap();
        let saved = serde_json::to_vec(&answer).unwrap();
        assert!(CATALOGUE.verify(&saved, Effort::Usual, &Run::default()).unwrap().holds);
        answer
    }

    /// Few tours obey the clues: each of them is drawn about as often as the others.
    #[test]
    fn few_tours_with_clues_are_drawn_uniformly() {
        let place = "1 . . .\n. . . .\n. 8 . .\n. . . .";
        let answer = sample("numbrix", place, "600");
        let list = Question::new(Verb::List, "numbrix", place).unwrap();
        let all = testing::ask(&list, &Run::default()).unwrap().solutions.len();
        assert!(all > 2);
        assert_eq!(answer.fact_of("uniform"), Some(&true.into()));
        assert_eq!(answer.fact_of("paths"), Some(&all.into()));
        assert_eq!(answer.method.by.as_deref(), Some(LISTED_ALL.id));
        let mut often: BTreeMap<_, usize> = BTreeMap::new();
        for solution in &answer.solutions {
            *often.entry(solution.figure.path().to_vec()).or_default() += 1;
        }
        // With other chances than these a tour would be missing or come twice as often.
        assert_eq!(often.len(), all);
        let wanted = 600 / all;
        assert!(often.values().all(|&times| times > wanted / 2 && times < 2 * wanted), "{often:?}");
        let none = sample("numbrix", "1 . .\n. . 3\n. . .", "2");
        assert!(matches!(none.value, Value::None { .. }), "{:?}", none.value);
    }

    #[test]
    fn many_tours_with_clues_are_drawn_but_not_uniformly() {
        let place = "1 . . . . . . .\n. . . . . . . .\n. . . . . . . .\n. . . . 30 . . .\n\
                     . . . . . . . .\n. . . . . . . .\n. . . . . . . .\n. . . . . . . 64";
        let answer = sample("hidato", place, "4");
        assert_eq!(answer.solutions.len(), 4);
        assert_ne!(answer.solutions[0], answer.solutions[1]);
        assert_eq!(answer.fact_of("uniform"), Some(&false.into()));
        assert!(answer.notes[0].contains("not uniform"), "{:?}", answer.notes);
    }
}
