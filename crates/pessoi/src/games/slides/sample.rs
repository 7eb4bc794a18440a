//! Random starts that can be solved, also at a given distance from the goal.

use num_bigint::BigUint;
use pessoi_engine::explore::layers as plain_layers;
use pessoi_engine::ledger::{Chapter, Ledger};
use pessoi_engine::lift::Table as Planes;
use pessoi_engine::random::Random;
use pessoi_engine::run::{Run, Stop};

use super::count::with_sets;
use super::engine::Engine;
use super::explore::{Scope, explanation, reached, too_many_sets};
use super::holes::{Holes, Known};
use super::lookup::Bounds;
use super::methods::{ELEMENT, FAST_LAYER, LAYER, ORDER, PLAIN_LAYER, RANDOM, WALKS};
use super::options::{DISTANCE, GOD, SAMPLES, TO};
use super::plain::Configurations;
use super::position::{Position, figure};
use super::proofs::{DISTANCE_FACT, GOAL_FACT, LEAST_FACT};
use super::task::{Task, isolated};
use super::walks;
use crate::answer::{Answer, Limit, Subject, Used, Value};
use crate::card::Method;
use crate::certificate::Certificate;
use crate::error::{Error, Result};
use crate::job::{Events, Job, Work, draw};
use crate::plan::Plan;

const DRAWN: Subject =
    Subject::things("random-configurations", "random configuration", "random configurations");

/// What there is none of where no tile can slide.
const SLIDING: Subject = Subject::things(
    "sliding-configurations",
    "configuration that allows a slide",
    "configurations that allow a slide",
);

/// What there is none of where nothing is as far from the goal.
const DISTANT: Subject = Subject::things(
    "distant-configurations",
    "configuration at that distance",
    "configurations at that distance",
);

/// How far from the goal.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Distance {
    Any,
    Exactly(u32),
    God,
}

/// Answers `sample`.
pub(super) struct Sampling<'a> {
    task: Task<'a>,
    holes: usize,
    /// `None` if no tile can slide.
    goal: Option<Position>,
    distance: Distance,
    samples: u64,
    method: &'static Method,
}

/// What is known before anything is drawn.
enum Before {
    /// Every configuration of the goal's component.
    Component(Box<Holes>),
    /// Every configuration that allows a slide.
    Everything,
    /// Those at a distance.
    Layer(Scope),
    /// There are too many sets of holes for distances.
    TooManySets,
}

impl<'a> Sampling<'a> {
    pub(super) fn new(task: Task<'a>) -> Result<Self> {
        let question = task.question;
        let distance = match (question.text(&DISTANCE), question.number(&DISTANCE)) {
            (Some(GOD), _) => Distance::God,
            (_, Some(slides)) => match slides.try_into() {
                Ok(slides) => Distance::Exactly(slides),
                Err(_) => return Err(Error::internal("this distance is too large")),
            },
            _ => Distance::Any,
        };
        if distance == Distance::God && task.to.is_some() {
            return Err(Error::conflict(
                DISTANCE.name,
                "--distance god chooses the goal itself: leave out --to.",
            ));
        }
        if task.to.as_ref().is_some_and(|to| task.puzzle.is_isolated(to.holes())) {
            return Err(isolated(&TO));
        }
        let holes = task.number_of_holes()?;
        let goal = task.to.clone().or_else(|| task.home(holes));
        let samples = question.number(&SAMPLES).unwrap_or(1);
        let method = if distance == Distance::Any { &RANDOM } else { &LAYER };
        Ok(Sampling { task, holes, goal, distance, samples, method })
    }

    fn before(&self, run: &Run) -> Result<Before, Stop> {
        let puzzle = &self.task.puzzle;
        Ok(match (Known::new(puzzle, self.holes, run)?, self.distance) {
            (Known::Holes(found), Distance::Any) => Before::Component(found),
            (Known::Maximal { .. }, Distance::Any) => Before::Everything,
            (Known::Maximal { .. }, _) => Before::TooManySets,
            (Known::Holes(found), distance) => {
                let only = self.goal.as_ref().filter(|_| distance != Distance::God);
                Before::Layer(Scope::new(puzzle, found, only, None, run)?)
            }
        })
    }

    fn used(&self, before: &Before) -> Used {
        let used = Used::from(self.method);
        match before {
            Before::Component(_) => used.by(&ELEMENT),
            Before::Everything => used.by(&ORDER),
            Before::Layer(scope) => scope.used(self.method, &FAST_LAYER, &PLAIN_LAYER),
            Before::TooManySets => used,
        }
    }

    fn sample(&self, goal: &Position, run: &Run, events: &mut dyn Events) -> Work<Answer> {
        let before = self.before(run)?;
        let used = self.used(&before);
        match before {
            Before::Component(found) => self.draw_from_component(&found, goal, used, run, events),
            Before::Everything => self.draw_from_all(goal, used, run, events),
            Before::TooManySets => Err(too_many_sets().into()),
            Before::Layer(scope) => match (scope.refusal(run), self.distance) {
                (Some(limit), Distance::Exactly(slides)) => {
                    drop(scope);
                    match Bounds::new(&self.task.puzzle, goal, run)? {
                        Some(bounds) => self.draw_by_walks(&bounds, goal, slides, run, events),
                        None => Err(limit.into()),
                    }
                }
                (Some(limit), _) => Err(limit.into()),
                (None, _) => self.draw_from_layer(&scope, goal, used, run, events),
            },
        }
    }

    /// The answer once all were drawn: each of so many configurations had the same chance.
    fn drawn(
        &self,
        (drawn, stop): (u64, Option<Limit>),
        of: Option<BigUint>,
        goal: &Position,
        used: Used,
        run: &Run,
    ) -> Answer {
        let value = match stop {
            Some(stop) => Value::stopped(drawn, stop),
            None => Value::at_least(drawn),
        };
        let mut answer = self.task.asked(run).answer(&DRAWN, value, used);
        answer.seed = Some(run.budget().seed);
        answer.certificate = Some(Certificate::solutions());
        answer.fact(GOAL_FACT, "goal", goal.line(&self.task.puzzle));
        if let Some(of) = of {
            answer.fact("configurations", "configurations with the same chance", of);
        }
        answer
    }

    /// Every configuration of the goal's component with the same chance.
    fn draw_from_component(
        &self,
        found: &Holes,
        goal: &Position,
        used: Used,
        run: &Run,
        events: &mut dyn Events,
    ) -> Work<Answer> {
        let puzzle = &self.task.puzzle;
        let Some((part, node)) = found.place(goal) else { return Err(isolated(&TO).into()) };
        let part = &found.parts[part];
        let before = part.gauge.rename(node, &goal.tiles());
        let mut random = Random::new(run.budget().seed, 0);
        let drawn = draw(self.samples, run, events, |_| {
            let node = random.below(part.sets.len() as u64) as u32;
            let element = part.group.random(&mut random);
            let named: Vec<u8> = element.images().iter().map(|&s| before[s as usize]).collect();
            let tiles = part.gauge.restore(node, &named);
            let position = Position::new(puzzle.len(), part.sets[node as usize], &tiles);
            Ok(figure(&[position], puzzle))
        })?;
        let mut answer = self.drawn(drawn, Some(part.size()), goal, used, run);
        answer.notes.push(
            "Each configuration from which the goal can be reached had the same chance.".into(),
        );
        Ok(answer)
    }

    /// Every configuration that allows a slide, where all of them are in one component.
    fn draw_from_all(
        &self,
        goal: &Position,
        used: Used,
        run: &Run,
        events: &mut dyn Events,
    ) -> Work<Answer> {
        let puzzle = &self.task.puzzle;
        let mut random = Random::new(run.budget().seed, 0);
        let drawn = draw(self.samples, run, events, |_| {
            // Isolated ones are drawn again; there are few of them with many holes.
            loop {
                let mut position = goal.clone();
                random.shuffle(&mut position.0);
                if !puzzle.is_isolated(position.holes()) {
                    return Ok(figure(&[position], puzzle));
                }
                run.check()?;
            }
        })?;
        let mut answer = self.drawn(drawn, None, goal, used, run);
        answer.notes.push(
            "Each configuration that allows a slide had the same chance; all of them are in one \
             component."
                .into(),
        );
        Ok(answer)
    }

    /// Configurations at a distance from the goal, each with the same chance; or at God's
    /// number from a goal that is that far from something.
    fn draw_from_layer(
        &self,
        scope: &Scope,
        goal: &Position,
        used: Used,
        run: &Run,
        events: &mut dyn Events,
    ) -> Work<Answer> {
        let puzzle = &self.task.puzzle;
        let (goal, slides) = match self.distance {
            Distance::Exactly(slides) => (goal.clone(), u64::from(slides)),
            Distance::Any | Distance::God => {
                let (god, from, _) = {
                    let ledger = Ledger::unkept(run);
                    scope.explore(puzzle, None, None, &ledger, run)?.farthest
                };
                (from, god)
            }
        };
        let place = scope.found.place(&goal);
        let place = place.and_then(|(part, node)| {
            let kind = scope.kinds.iter().position(|&kind| kind == part)?;
            Some((&scope.found.parts[part], &scope.engines[kind], node))
        });
        let mut random = Random::new(run.budget().seed, 0);
        let (count, drawn) = if let Some((part, Engine::Fast { gauge, .. }, node)) = place {
            let until = u32::try_from(slides).ok();
            let mut planes = Planes::new(&part.gains, gauge.clone(), run)?;
            let layers = planes.layers(node, until, run)?;
            if u64::from(layers.depth()) < slides {
                return Ok(self.none_so_far(&goal, layers.depth().into(), used, run));
            }
            let count = layers.sizes[slides as usize];
            let drawn = draw(self.samples, run, events, |_| {
                let Some((there, does)) = planes.state(random.below(count)) else {
                    return Err(Error::internal("a configuration is missing").into());
                };
                let position = reached(&planes, part, node, &goal, there, does.images());
                Ok(figure(&[position], puzzle))
            })?;
            (count, drawn)
        } else {
            // A component that is not ranked is listed, wherever its goal is.
            let space = Configurations::new(&puzzle.board);
            let found = plain_layers(&space, [goal.clone()], run, &Chapter::unkept())?;
            let sizes = found.sizes();
            let Some(&count) = usize::try_from(slides).ok().and_then(|s| sizes.get(s)) else {
                return Ok(self.none_so_far(&goal, sizes.len() as u64 - 1, used, run));
            };
            let drawn = draw(self.samples, run, events, |_| {
                let mut layer = found.layer(slides);
                let Some(position) = layer.nth(random.below(count) as usize) else {
                    return Err(Error::internal("a configuration is missing").into());
                };
                Ok(figure(std::slice::from_ref(position), puzzle))
            })?;
            (count, drawn)
        };
        let mut answer = self.drawn(drawn, Some(count.into()), &goal, used, run);
        answer.fact(DISTANCE_FACT, "slides from the goal", slides);
        answer.notes.push("Each configuration at this distance had the same chance.".into());
        Ok(answer)
    }

    /// Configurations at a distance from the goal, or nearly so, where their layer is too large.
    fn draw_by_walks(
        &self,
        bounds: &Bounds,
        goal: &Position,
        slides: u32,
        run: &Run,
        events: &mut dyn Events,
    ) -> Work<Answer> {
        let puzzle = &self.task.puzzle;
        let mut random = Random::new(run.budget().seed, 0);
        let mut at_least = slides;
        let drawn = draw(self.samples, run, events, |_| {
            let start = walks::start(puzzle, bounds, goal, slides, &mut random, run)?;
            at_least = at_least.min(start.at_least);
            Ok(figure(&[start.position], puzzle))
        })?;
        let used = Used::from(self.method).by(&WALKS);
        let mut answer = self.drawn(drawn, None, goal, used, run);
        if at_least == slides {
            answer.fact(DISTANCE_FACT, "slides from the goal", slides);
        } else {
            answer.fact(LEAST_FACT, "slides from the goal, at least", at_least);
            answer.fact("most-slides", "slides from the goal, at most", slides);
        }
        answer.notes.push(
            "Drawn by random walks, because the layer at this distance is too large: not every \
             configuration had the same chance."
                .into(),
        );
        if at_least < slides {
            answer.notes.push(format!(
                "How far it is exactly is not known: at least {at_least} slides, and at most the \
                 {slides} that were asked for."
            ));
        }
        Ok(answer)
    }

    fn none_so_far(&self, goal: &Position, farthest: u64, used: Used, run: &Run) -> Answer {
        let goal = goal.line(&self.task.puzzle);
        let proof = format!("nothing is farther than {farthest} slides from {goal}");
        let mut answer = self.task.asked(run).answer(&DISTANT, Value::none(proof), used);
        answer.fact(GOAL_FACT, "goal", goal);
        answer
    }
}

impl Job for Sampling<'_> {
    fn subject(&self, value: &Value) -> Option<Subject> {
        (!matches!(value, Value::None { .. })).then_some(DRAWN)
    }

    fn plan(&self, run: &Run) -> Result<Plan> {
        let task = &self.task;
        if let Some(plan) = task.nothing_planned() {
            return Ok(plan);
        }
        let before = match self.before(run) {
            Ok(before) => before,
            Err(stop) => return Ok(task.cut_short(self.method, &stop)),
        };
        let used = self.used(&before);
        let planned = |why: &str| Plan::new(task.question, used, why);
        Ok(match &before {
            Before::Component(_) => {
                let plan = planned("the group holds all that can be reached");
                with_sets(task, plan, run)
            }
            Before::Everything => planned("all configurations that allow a slide are reached"),
            Before::TooManySets => planned(&format!("it would give up: {}", too_many_sets())),
            Before::Layer(scope) => match (scope.refusal(run), self.distance) {
                (Some(_), Distance::Exactly(_))
                    if Bounds::bytes(task.puzzle.len(), self.holes).is_some() =>
                {
                    planned("the layer is too large to be listed, so walks are drawn")
                }
                (Some(limit), _) => planned(&format!("it would give up: {limit}")),
                (None, _) => scope.predict(planned(&explanation(scope)), run),
            },
        })
    }

    fn answer(&self, run: &Run, events: &mut dyn Events) -> Result<Answer> {
        if let Some(none) = self.task.nothing(&SLIDING, run) {
            return Ok(none);
        }
        let Some(goal) = &self.goal else {
            return Err(Error::internal("there is no goal"));
        };
        self.task.asked(run).settle(&DRAWN, self.method, self.sample(goal, run, events))
    }
}
