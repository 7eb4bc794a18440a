//! Exploring: distances and God's number.
//!
//! All components over a part of the hole-sets are alike, and parts that a symmetry of the
//! board exchanges are too. So one component is explored for each part up to symmetry, and
//! God's number is the greatest of theirs; with a start, only that of its component.
//!
//! All searches save themselves in the store of the run, if it has one, and go on from there: those
//! by tables in a [`Journal`], others in a [`Ledger`].

use std::time::Duration;

use num_traits::ToPrimitive;
use pessoi_engine::ledger::Ledger;
use pessoi_engine::lift::{Gauge, Journal, Table as Planes, Unusable, diameter};
use pessoi_engine::run::{Run, Stop, Stopped};

use super::count::{COMPONENTS, CONNECTION_NUMBERS, Connection, by_fewer, facts, parts};
use super::engine::Engine;
use super::holes::{Holes, Known, Part};
use super::methods::{FAST, HOLE_SETS, PLAIN, TABLES_OR_LIST};
use super::plain::{self, Around};
use super::position::Position;
use super::proofs::{FARTHEST_POSITIONS, FarthestPositions};
use super::rule::Puzzle;
use super::task::{Task, so_many};
use crate::answer::{Answer, Limit, Subject, Used, Value};
use crate::card::Method;
use crate::certificate::Certificate;
use crate::error::{Code, Error, Result, one_line};
use crate::job::{COMPLETE, Events, Job, Work};
use crate::plan::Plan;
use crate::table::{DatumKind, Table};

/// Over all components.
pub(super) const GODS_NUMBER: Subject = Subject::measure(
    "gods-number",
    "God's number (the most slides between any two configurations of one component, over all \
     components)",
);

/// Of one component.
pub(super) const GODS_NUMBER_OF_COMPONENT: Subject = Subject::measure(
    "gods-number-of-component",
    "God's number of the start's component (the most slides between any two of its \
     configurations)",
);

/// How long a search goes on between saves. Where a save takes long, it is longer.
const PAUSE: Duration = Duration::from_secs(10);

/// What exploring came to.
#[derive(Clone)]
pub(super) struct Explored {
    /// God's number with two configurations that far apart.
    pub(super) farthest: (u64, Position, Position),
    /// Configurations by their distance from the start.
    pub(super) histogram: Vec<u64>,
    pub(super) start: Position,
    /// Searches that were made, and how many hole-sets there are up to symmetry.
    pub(super) searches: u64,
    pub(super) classes: u64,
    pub(super) states: u64,
}

/// Two configurations and their distance, as far as any were found.
pub(super) type Pair = Option<(u64, Position, Position)>;

/// Parts that stand for all that is asked about, each with its engine.
pub(super) struct Scope {
    pub(super) found: Box<Holes>,
    /// Numbers of parts.
    pub(super) kinds: Vec<usize>,
    pub(super) engines: Vec<Engine>,
}

impl Scope {
    /// The parts up to symmetry, or only that of a configuration that allows a slide.
    pub(super) fn new(
        puzzle: &Puzzle,
        found: Box<Holes>,
        only: Option<&Position>,
        method: Option<&str>,
        run: &Run,
    ) -> Result<Scope, Stop> {
        let kinds = match only {
            Some(only) => found.place(only).into_iter().map(|(part, _)| part).collect(),
            None => found.kinds(puzzle),
        };
        let choose = |&kind: &usize| Engine::choose(&found.parts[kind], method, run);
        let engines = kinds.iter().map(choose).collect::<Result<_, _>>()?;
        Ok(Scope { found, kinds, engines })
    }

    /// Why not all of it can be searched.
    pub(super) fn refusal(&self, run: &Run) -> Option<Limit> {
        self.engines.iter().find_map(|engine| engine.refusal(run))
    }

    /// What would help where not all of it can be searched.
    pub(super) fn help(&self, run: &Run) -> Option<String> {
        self.engines.iter().find_map(|engine| engine.help(run))
    }

    pub(super) fn parts(&self) -> impl Iterator<Item = (&Part, &Engine)> {
        let part = |&kind: &usize| &self.found.parts[kind];
        self.kinds.iter().map(part).zip(&self.engines)
    }

    /// A method of several engines, and the one that is used everywhere, if it is one.
    pub(super) fn used(&self, method: &Method, fast: &Method, plain: &Method) -> Used {
        let used = Used::from(method);
        let is_fast = |engine: &Engine| matches!(engine, Engine::Fast { .. });
        let is_refused = |engine: &Engine| matches!(engine, Engine::TooLarge { .. });
        let is_one = [fast.id, plain.id].contains(&method.id);
        if is_one || self.engines.iter().any(is_refused) {
            used
        } else if self.engines.iter().all(is_fast) {
            used.by(fast)
        } else if self.engines.iter().any(is_fast) {
            used
        } else {
            // The group is behind what is said of the whole graph.
            used.by(plain).with_components(HOLE_SETS.components)
        }
    }

    /// Whether no tables are used.
    fn is_plain(&self) -> bool {
        self.engines.iter().all(|engine| matches!(engine, Engine::Plain { .. }))
    }

    /// Predicts the cost of all searches.
    pub(super) fn predict(&self, mut plan: Plan, run: &Run) -> Plan {
        for (part, engine) in self.parts() {
            engine.predict(part, &mut plan, run);
        }
        plan
    }

    /// Explores every part; God's number is the greatest of theirs. Distances are counted
    /// from a configuration of the only part, or from one of those farthest apart. What is
    /// searched by tables goes into the journal, and what is listed into the ledger.
    pub(super) fn explore(
        &self,
        puzzle: &Puzzle,
        start: Option<&Position>,
        mut journal: Option<&mut Journal>,
        ledger: &Ledger,
        run: &Run,
    ) -> Result<Explored, Stopped<Pair>> {
        let holes = puzzle.len() - self.found.tiles;
        if start.is_none() && self.is_plain() {
            return plain::explore(&puzzle.board, &Around::Everything(holes), None, run, ledger);
        }
        let mut best: Option<Explored> = None;
        for (part, engine) in self.parts() {
            let explored = match engine {
                Engine::Fast { gauge, .. } => {
                    let start = start.and_then(|start| Some((start, self.found.place(start)?.1)));
                    fast(puzzle, part, gauge.clone(), start, journal.as_deref_mut(), run)
                }
                Engine::Plain { .. } | Engine::TooLarge { .. } => {
                    let home = Position::home(puzzle.len(), part.sets[0]);
                    let around = Around::Component(start.unwrap_or(&home));
                    plain::explore(&puzzle.board, &around, start, run, ledger)
                }
            };
            let more = match (explored, best.take()) {
                (Ok(more), None) => more,
                (Ok(more), Some(before)) => {
                    let (searches, classes, states) = (
                        before.searches + more.searches,
                        before.classes + more.classes,
                        before.states.saturating_add(more.states),
                    );
                    let farther = if more.farthest.0 > before.farthest.0 { more } else { before };
                    Explored { searches, classes, states, ..farther }
                }
                (Err(Stopped { why, so_far }), before) => {
                    let before = before.map(|before| before.farthest);
                    let so_far = so_far.into_iter().chain(before).max_by_key(|pair| pair.0);
                    return Err(Stopped { why, so_far });
                }
            };
            best = Some(more);
        }
        // There is a part wherever a tile can slide.
        best.ok_or(Stopped { why: Stop::Cancelled, so_far: None })
    }
}

/// Answers `explore`.
pub(super) struct Exploring<'a> {
    task: Task<'a>,
    method: &'static Method,
    subject: Subject,
}

/// What is known before anything is searched.
enum Before {
    /// No number of holes makes one component.
    Never(Option<Connection>),
    /// There are too many sets of holes to list.
    TooManySets {
        by_holes: usize,
    },
    Scope {
        scope: Scope,
        connection: Option<Connection>,
    },
}

impl<'a> Exploring<'a> {
    pub(super) fn new(task: Task<'a>) -> Result<Self> {
        task.refuse_isolated_start()?;
        let method = match task.question.method() {
            Some(id) if id == FAST.id => &FAST,
            Some(id) if id == PLAIN.id => &PLAIN,
            _ => &TABLES_OR_LIST,
        };
        let subject = if task.from.is_some() { GODS_NUMBER_OF_COMPONENT } else { GODS_NUMBER };
        Ok(Exploring { task, method, subject })
    }

    fn before(&self, run: &Run) -> Result<Before, Stop> {
        let task = &self.task;
        let mut connection = None;
        let mut holes = task.holes;
        if holes.is_none() {
            let found = Connection::find(task, run)?;
            holes = found.number;
            connection = Some(found);
        }
        let Some(holes) = holes else { return Ok(Before::Never(connection)) };
        match Known::new(&task.puzzle, holes, run)? {
            Known::Maximal { by_holes } => Ok(Before::TooManySets { by_holes }),
            Known::Holes(found) => {
                let asked = task.question.method();
                let scope = Scope::new(&task.puzzle, found, task.from.as_ref(), asked, run)?;
                Ok(Before::Scope { scope, connection })
            }
        }
    }

    fn explore(&self, run: &Run) -> Work<Answer> {
        let Exploring { task, method, subject } = self;
        let asked = task.asked(run);
        let (scope, connection) = match self.before(run)? {
            Before::Never(connection) => {
                let used = Used::from(*method).by(&HOLE_SETS);
                let mut answer = asked.answer(&CONNECTION_NUMBERS, Connection::none(), used);
                answer.tables.extend(connection.map(|connection| connection.table));
                return Ok(answer);
            }
            Before::TooManySets { by_holes } => {
                let mut answer = asked.gave_up(subject, too_many_sets(), *method);
                answer.notes.push(by_fewer(by_holes));
                return Ok(answer);
            }
            Before::Scope { scope, connection } => (scope, connection),
        };
        // What cannot be gone on with is refused before anything is explored.
        let is_plain = scope.is_plain();
        let mut journal = if is_plain { None } else { self.journal(run)? };
        let ledger = if is_plain { asked.ledger(PLAIN.id)? } else { Ledger::unkept(run) };
        let mut used = scope.used(method, &FAST, &PLAIN);
        if connection.is_some() {
            // The group has chosen the number of holes.
            used = used.with_components(HOLE_SETS.components);
        }
        let mut answer = match scope.refusal(run) {
            Some(limit) => {
                let mut answer = asked.gave_up(subject, limit, used);
                answer.notes.push(
                    "Solvability (find) and the number of components (count) can still be \
                     computed."
                        .into(),
                );
                answer.notes.extend(scope.help(run));
                answer
            }
            None => match scope.explore(
                &task.puzzle,
                task.from.as_ref(),
                journal.as_mut(),
                &ledger,
                run,
            ) {
                Ok(explored) => {
                    let mut answer = self.explored(&scope, &explored, used, run);
                    if journal.is_some() && run.warnings().is_empty() {
                        answer.notes.push(COMPLETE.into());
                    }
                    answer
                }
                Err(Stopped { why, so_far }) => {
                    let known = so_far.as_ref().map_or(0, |pair| pair.0);
                    let mut answer = asked.answer(subject, Value::stopped(known, why), used);
                    answer.certificate = so_far.map(|(_, from, to)| farthest(&from, &to, task));
                    answer
                }
            },
        };
        if is_plain {
            asked.close(&ledger, &mut answer)?;
        }
        // The plain search shares no code with the group, so it says nothing that the group knows.
        if method.id == PLAIN.id {
            answer.tables.extend(connection.map(|connection| connection.table));
            return Ok(answer);
        }
        // What is known of the whole graph comes before what was explored.
        let more = (std::mem::take(&mut answer.facts), std::mem::take(&mut answer.tables));
        facts(&scope.found, &mut answer);
        answer.facts.extend(more.0);
        answer.tables.extend(connection.map(|connection| connection.table));
        if scope.found.parts.len() > 1 {
            answer.tables.push(parts(&scope.found));
        }
        answer.tables.extend(more.1);
        Ok(answer)
    }

    /// What was saved by an earlier run, or nothing yet, if the run has a store.
    fn journal<'r>(&self, run: &'r Run) -> Result<Option<Journal<'r>>> {
        let Some(store) = run.store() else { return Ok(None) };
        let pause = store.pause(PAUSE);
        let opened = Journal::open(store, self.task.question.words(), pause, run);
        opened.map(Some).map_err(|why| {
            let shown = store.shown();
            let code = match why {
                Unusable::Unreadable(_) => Code::Io,
                _ => Code::BadValue,
            };
            // What it is about may be a drawing, or anything.
            let why = why.to_string();
            let why = one_line(&why);
            let sentence = format!("The checkpoint {shown:?} {why}. It was left as it is.");
            Error::new(code, "store", sentence)
        })
    }

    fn explored(&self, scope: &Scope, explored: &Explored, used: Used, run: &Run) -> Answer {
        let Exploring { task, subject, .. } = self;
        let puzzle = &task.puzzle;
        let (god, from, to) = &explored.farthest;
        let help = used.text.clone();
        let (needed, classes) = (explored.searches, explored.classes);
        let used = used.said(format!("{help}, {needed} of {classes} starts needed"));
        let mut answer = task.asked(run).answer(subject, Value::exact(*god), used);
        answer.cost.states = Some(explored.states);
        answer.fact("farthest-from", "farthest apart", from.line(puzzle));
        answer.fact("farthest-to", "and", to.line(puzzle));
        answer.fact("start", "start", explored.start.line(puzzle));
        let depth = explored.histogram.len().saturating_sub(1);
        answer.fact("depth", "slides from the start to the farthest", depth);
        // Other kinds of components are not bounded by this start.
        if scope.kinds.len() == 1 {
            answer.fact(
                "bounds",
                "bounds from the start alone (Proposition 5.4)",
                format!("{depth} to {}", 2 * depth),
            );
        }
        let columns = [
            ("slides", "slides", DatumKind::Integer),
            ("configurations", "configurations", DatumKind::Integer),
        ];
        let title = "Configurations by distance from the start";
        let mut table = Table::new("distances", title, &columns);
        for (slides, &number) in explored.histogram.iter().enumerate() {
            table.push([slides.into(), number.into()]);
        }
        answer.tables.push(table);
        answer.certificate = Some(farthest(from, to, task));
        answer
    }
}

impl Job for Exploring<'_> {
    fn subject(&self, value: &Value) -> Option<Subject> {
        (!matches!(value, Value::None { .. })).then(|| self.subject.clone())
    }

    fn plan(&self, run: &Run) -> Result<Plan> {
        let Exploring { task, method, .. } = self;
        if let Some(plan) = task.nothing_planned() {
            return Ok(plan);
        }
        let planned = |used: Used, why: &str| Plan::new(task.question, used, why);
        Ok(match self.before(run) {
            Err(stop) => task.cut_short(method, &stop),
            Ok(Before::Never(_)) => {
                let used = Used::from(*method).by(&HOLE_SETS);
                planned(used, "the connection number is looked for first, and there is none")
            }
            Ok(Before::TooManySets { .. }) => {
                planned((*method).into(), &format!("it would give up: {}", too_many_sets()))
            }
            Ok(Before::Scope { scope, connection }) => {
                let used = scope.used(method, &FAST, &PLAIN);
                let mut plan = if let Some(limit) = scope.refusal(run) {
                    let mut plan = planned(used, &format!("it would give up: {limit}"));
                    plan.notes.extend(scope.help(run));
                    plan
                } else {
                    scope.predict(planned(used, &explanation(&scope)), run).note(
                        "God's number takes 2 to 25 searches with tables, and one for each \
                         hole-set up to symmetry without them; the time is that of 4 with tables.",
                    )
                };
                if let Some(connection) = connection {
                    plan = plan.note(connection.note());
                }
                plan
            }
        })
    }

    fn answer(&self, run: &Run, _: &mut dyn Events) -> Result<Answer> {
        if let Some(none) = self.task.nothing(&COMPONENTS, run) {
            return Ok(none);
        }
        self.task.asked(run).settle(&self.subject, self.method, self.explore(run))
    }

    fn check_store(&self) -> Result<()> {
        Ok(())
    }

    fn check_disk(&self) -> Result<()> {
        if self.method.id != PLAIN.id {
            return Ok(());
        }
        let sentence = "The plain search keeps its list in memory: leave out --disk.";
        Err(Error::new(Code::Unsupported, "disk", sentence))
    }
}

/// How large the components are, as a reason for the engine.
pub(super) fn explanation(scope: &Scope) -> String {
    let sizes: Vec<_> = scope.parts().map(|(part, _)| part.size()).collect();
    if let [size] = &sizes[..] {
        return format!("a component has {size} configurations");
    }
    let most = sizes.iter().max().cloned().unwrap_or_default();
    let kinds = so_many(sizes.len(), "kind");
    format!("there are {kinds} of components of up to {most} configurations")
}

/// Why distances are not looked for.
pub(super) fn too_many_sets() -> Limit {
    Limit::Size { text: "there are too many sets of holes to explore".into() }
}

fn farthest(from: &Position, to: &Position, task: &Task) -> Certificate {
    let [from, to] = [from, to].map(|position| position.line(&task.puzzle));
    Certificate::own(FARTHEST_POSITIONS, &FarthestPositions { from, to })
}

/// Explores a component by the tables of the lift engine.
fn fast(
    puzzle: &Puzzle,
    part: &Part,
    gauge: Gauge,
    start: Option<(&Position, u32)>,
    mut journal: Option<&mut Journal>,
    run: &Run,
) -> Result<Explored, Stopped<Pair>> {
    let nothing = |why| Stopped { why, so_far: None };
    let mut planes = Planes::new(&part.gains, gauge, run).map_err(nothing)?;
    let pair = |planes: &Planes, from: u32, to: &(u32, pessoi_engine::symmetry::Permutation)| {
        let first = Position::home(puzzle.len(), part.sets[from as usize]);
        (first.clone(), reached(planes, part, from, &first, to.0, to.1.images()))
    };
    let geometry = part.geometry(puzzle);
    let found = diameter(&mut planes, &part.gains, &geometry, journal.as_deref_mut(), run);
    let found = match found {
        Ok(found) => found,
        Err(Stopped { why, so_far }) => {
            let so_far = so_far.map(|found| {
                let (from, to) = pair(&planes, found.from, &found.layers.farthest);
                (u64::from(found.layers.depth()), from, to)
            });
            return Err(Stopped { why, so_far });
        }
    };
    let (from, to) = pair(&planes, found.from, &found.layers.farthest);
    let farthest = (u64::from(found.layers.depth()), from.clone(), to);
    let (searches, classes) = (found.searches, found.classes);
    let mut states = part.size().to_u64().unwrap_or(u64::MAX).saturating_mul(searches);
    let (histogram, start) = match start {
        Some((start, node)) => {
            let layers = planes
                .journalled(node, journal, run)
                .map_err(|why| Stopped { why, so_far: Some(farthest.clone()) })?;
            states = states.saturating_add(layers.sizes.iter().sum());
            (layers.sizes, start.clone())
        }
        None => (found.layers.sizes, from),
    };
    Ok(Explored { farthest, histogram, start, searches, classes, states })
}

/// The configuration that a search from some start reached at a node by doing this to the
/// named slots.
pub(super) fn reached(
    planes: &Planes,
    part: &Part,
    from: u32,
    start: &Position,
    node: u32,
    images: &[u32],
) -> Position {
    let before = planes.gauge().rename(from, &start.tiles());
    let after: Vec<u8> = images.iter().map(|&slot| before[slot as usize]).collect();
    let tiles = planes.gauge().restore(node, &after);
    Position::new(start.0.len(), part.sets[node as usize], &tiles)
}
