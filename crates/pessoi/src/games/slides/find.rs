//! Finding: is there a solution, and if so, one.
//!
//! The group decides first. Then a shortest solution is looked for: from both ends, for long where
//! components are of a moderate size, and then with tables of bounds where they are large. If
//! neither ends soon, or in half of the time that is left, some solution is made tile by tile, or,
//! on boards where that does not work, by a word in the generators of the group.

use num_bigint::BigUint;
use num_traits::ToPrimitive;
use pessoi_engine::run::{Bytes, Run, Stop};

use super::count::with_sets;
use super::holes::{Known, Reach};
use super::lookup::{self, Bounds, Looked};
use super::meet::{self, Met};
use super::methods::{INSPECTION, LOOKUP, MEET, MEMBERSHIP, PEEL, PORTFOLIO, WORD};
use super::options::FROM;
use super::peel;
use super::plain::bytes_of_one;
use super::position::{Position, figure};
use super::proofs::{HOLES_APART, Nothing, ODD_PERMUTATION, STUCK_PIECES, StuckPieces};
use super::task::{Task, isolated};
use super::words;
use crate::answer::{Answer, Limit, Subject, Used, Value};
use crate::card::{METHOD, Method};
use crate::certificate::Certificate;
use crate::error::{Error, Result};
use crate::job::{Events, Halt, Job, Work};
use crate::plan::Plan;

pub(super) const SHORTEST: Subject =
    Subject::measure("shortest-solution", "slides in a shortest solution");
pub(super) const SOLUTIONS: Subject = Subject::things("solutions", "solution", "solutions");

/// Components up to this size are searched from both ends first.
const MODERATE: u64 = 4_000_000_000;
/// Configurations that are looked at before tables are made, which a near goal does not need.
const MOST_NEAR: u64 = 60_000;
/// Configurations and nodes after which something else is tried.
const MOST_MET: u64 = 6_000_000;
const MOST_NODES: u64 = 400_000_000;
/// A bound that is hardly ever searched to the end.
const FAR: u32 = 70;

/// Answers `find`.
pub(super) struct Finding<'a> {
    task: Task<'a>,
    from: Position,
    to: Position,
    method: &'static Method,
    /// How much less than usual is tried for a shortest solution.
    haste: u64,
}

/// A solution, or why there is none.
pub(super) enum Solved {
    Way { way: Vec<Position>, is_shortest: bool, used: Used },
    None { proof: String, certificate: Option<Certificate>, used: Used },
}

/// What is known before any search.
pub(super) enum Decided {
    /// The start is the goal.
    Same,
    /// There is no solution.
    None { proof: String, certificate: Certificate },
    /// There is one, as far as is known.
    Open(Open),
}

/// What a search begins with.
pub(super) struct Open {
    /// `None` if there are too many sets of holes.
    known: Option<Known>,
    /// How many configurations the component has.
    size: Option<BigUint>,
    /// Whether the group shows that there is a solution.
    is_sure: bool,
}

impl Open {
    /// Whether the group shows that there is a solution.
    pub(super) fn is_sure(&self) -> bool {
        self.is_sure
    }
}

/// Something found.
enum Found {
    Shortest { way: Vec<Position>, nodes: Option<u64> },
    Some { way: Vec<Position>, at_least: u32 },
    None { proof: String },
}

impl<'a> Finding<'a> {
    pub(super) fn new(task: Task<'a>) -> Result<Self> {
        let holes = task.number_of_holes()?;
        let Some(from) = task.from.clone() else {
            return Err(Error::option(
                FROM.name,
                format!(
                    "{} needs a configuration to start from: give --from, such as --from '2 1 3/4 5 \
                     6/7 . .'.",
                    task.question.verb
                ),
            ));
        };
        let to = task.to.clone().or_else(|| task.home(holes));
        // Without a goal nothing slides at all.
        let Some(to) = to.filter(|to| from == *to || !task.puzzle.is_isolated(from.holes())) else {
            return Err(isolated(&FROM));
        };
        let asked = task.question.method();
        let named = [&MEET, &LOOKUP, &PEEL, &WORD];
        let method = named.into_iter().find(|method| asked == Some(method.id));
        if asked == Some(LOOKUP.id) && Bounds::bytes(task.puzzle.len(), holes).is_none() {
            return Err(Error::unsupported(
                &format!("options.{METHOD}"),
                format!(
                    "There are too many sets of {holes} holes on {} for tables of bounds; leave \
                     out --method lookup.",
                    task.puzzle.board.name()
                ),
            ));
        }
        Ok(Finding { task, from, to, method: method.unwrap_or(&PORTFOLIO), haste: 1 })
    }

    /// The same, but a shortest solution is given up so many times as soon.
    pub(super) fn in_haste(self, haste: u64) -> Self {
        Finding { haste, ..self }
    }

    pub(super) fn task(&self) -> &Task<'a> {
        &self.task
    }

    pub(super) fn method(&self) -> &'static Method {
        self.method
    }

    /// The start and the goal.
    pub(super) fn ends(&self) -> (&Position, &Position) {
        (&self.from, &self.to)
    }

    /// A solution, or why there is none.
    pub(super) fn solved(&self, run: &Run) -> Work<Solved> {
        let open = match self.decide(run)? {
            Decided::Same => {
                let (way, used) = (vec![self.from.clone()], self.by(&INSPECTION));
                return Ok(Solved::Way { way, is_shortest: true, used });
            }
            Decided::None { proof, certificate } => {
                let (certificate, used) = (Some(certificate), self.by(&MEMBERSHIP));
                return Ok(Solved::None { proof, certificate, used });
            }
            Decided::Open(open) => open,
        };
        let (found, member) = self.search(&open, run)?;
        let used = self.by(member);
        Ok(match found {
            Found::Shortest { way, .. } => Solved::Way { way, is_shortest: true, used },
            Found::Some { way, .. } => Solved::Way { way, is_shortest: false, used },
            Found::None { proof } => Solved::None { proof, certificate: None, used },
        })
    }

    fn holes(&self) -> usize {
        self.from.holes().count_ones() as usize
    }

    /// Whether a member of the portfolio is to be tried.
    fn tries(&self, member: &Method) -> bool {
        [PORTFOLIO.id, member.id].contains(&self.method.id)
    }

    /// Says that a member succeeded.
    fn by(&self, member: &Method) -> Used {
        let used = Used::from(self.method);
        if self.method.id == member.id { used } else { used.by(member) }
    }

    /// What the group says, or a look at the two configurations.
    pub(super) fn decide(&self, run: &Run) -> Result<Decided, Stop> {
        if self.from == self.to {
            return Ok(Decided::Same);
        }
        let puzzle = &self.task.puzzle;
        let known = match Known::new(puzzle, self.holes(), run) {
            Ok(known) => known,
            // A search may still find something.
            Err(Stop::Memory { .. }) => {
                return Ok(Decided::Open(Open { known: None, size: None, is_sure: false }));
            }
            Err(stop) => return Err(stop),
        };
        let (reach, size) = match &known {
            Known::Holes(found) => {
                let part = found.place(&self.from).map(|(part, _)| found.parts[part].size());
                (found.reach(&self.from, &self.to), part)
            }
            Known::Maximal { .. } if puzzle.is_isolated(self.to.holes()) => {
                (Reach::Isolated { first: false }, None)
            }
            Known::Maximal { .. } => (Reach::Reached, None),
        };
        Ok(match refusal(&reach) {
            Some((proof, certificate)) => Decided::None { proof, certificate },
            None => Decided::Open(Open { known: Some(known), size, is_sure: true }),
        })
    }

    /// What a search for a shortest solution runs in: where some solution would do, it has half of
    /// the time.
    fn within(&self, run: &Run) -> Run {
        if self.method.id == PORTFOLIO.id { run.half() } else { run.clone() }
    }

    /// What a search for a shortest solution came to. Of several members, one that was stopped
    /// by its share of the time, or by the memory, leaves it to the others.
    fn or_next<T>(&self, work: Work<Option<T>>, run: &Run) -> Work<Option<T>> {
        match work {
            Err(Halt::Stop(Limit::Time { .. } | Limit::Memory { .. }))
                if self.method.id == PORTFOLIO.id =>
            {
                run.check()?;
                Ok(None)
            }
            work => work,
        }
    }

    /// Tries what is to be tried, in turn.
    fn search(&self, open: &Open, run: &Run) -> Work<(Found, &'static Method)> {
        let is_moderate = open.size.as_ref().is_some_and(|size| *size <= MODERATE.into());
        let most = match self.method.id == MEET.id {
            true => u64::MAX,
            false if is_moderate => MOST_MET / self.haste,
            false => MOST_NEAR,
        };
        if self.tries(&MEET)
            && let Some(found) =
                self.or_next(self.meet(most, open.is_sure, &self.within(run)), run)?
        {
            return Ok((found, &MEET));
        }
        let mut at_least = 0;
        if self.tries(&LOOKUP)
            && let Some(found) =
                self.or_next(self.look_up(&mut at_least, &self.within(run)), run)?
        {
            return Ok((found, &LOOKUP));
        }
        let Finding { task, from, to, .. } = self;
        if self.method.id != WORD.id
            && let Some(way) = peel::solve(&task.puzzle, from, to, run)?
        {
            return Ok((Found::Some { way, at_least }, &PEEL));
        }
        let Some(Known::Holes(found)) = &open.known else {
            let text = "no way was found to place tile by tile, and there are too many sets of \
                        holes to go by the group";
            return Err(Limit::Attempts { text: text.into() }.into());
        };
        let Some(way) = words::solve(found, from, to, run)? else {
            let text = "the words in the generators of the group that were found are too long";
            return Err(Limit::Attempts { text: text.into() }.into());
        };
        let way = peel::without_detours(&way);
        Ok((Found::Some { way, at_least }, &WORD))
    }

    /// From both ends; `None` if that takes too long.
    fn meet(&self, most: u64, is_sure: bool, run: &Run) -> Work<Option<Found>> {
        match meet::solve(&self.task.puzzle, &self.from, &self.to, most, run)? {
            Met::Solution(way) => Ok(Some(Found::Shortest { way, nodes: None })),
            Met::Apart if is_sure => {
                Err(Error::internal("the group and the search disagree").into())
            }
            Met::Apart => {
                let proof = "everything that can be reached was reached".into();
                Ok(Some(Found::None { proof }))
            }
            Met::TooMany => Ok(None),
        }
    }

    /// With tables of bounds; `None` if that takes too long. Then every solution has at least
    /// so many slides.
    fn look_up(&self, at_least: &mut u32, run: &Run) -> Work<Option<Found>> {
        let puzzle = &self.task.puzzle;
        let Some(bounds) = Bounds::new(puzzle, &self.to, run)? else { return Ok(None) };
        // Bounds far above what can be searched are not worth the try.
        let most = if self.method.id == LOOKUP.id {
            u64::MAX
        } else if bounds.bound(&self.from) > FAR {
            MOST_NODES / 100 / self.haste
        } else {
            MOST_NODES / self.haste
        };
        Ok(match lookup::solve(puzzle, &bounds, &self.from, &self.to, most, run)? {
            (Looked::Solution(way), nodes) => Some(Found::Shortest { way, nodes: Some(nodes) }),
            (Looked::TooMany { at_least: bound }, _) => {
                *at_least = bound;
                None
            }
        })
    }

    fn found(&self, found: Found, used: Used, run: &Run, events: &mut dyn Events) -> Answer {
        let asked = self.task.asked(run);
        let (way, mut answer) = match found {
            Found::None { proof } => {
                return asked.answer(&SOLUTIONS, Value::none(proof), used);
            }
            Found::Shortest { way, nodes } => {
                let value = Value::exact(way.len() as u64 - 1);
                let mut answer = asked.answer(&SHORTEST, value, used);
                answer.cost.nodes = nodes;
                if nodes.is_none() {
                    answer.cost.states = Some(run.progress().handled);
                }
                (way, answer)
            }
            Found::Some { way, at_least } => {
                let mut answer = asked.answer(&SOLUTIONS, Value::at_least(1u32), used);
                answer.fact("slides", "slides in this solution", way.len() - 1);
                if at_least > 0 {
                    answer.fact("least-slides", "slides in every solution, at least", at_least);
                }
                answer.notes.push("There may be a shorter solution.".into());
                (way, answer)
            }
        };
        // There is one solution, whether or not more are wanted.
        let _ = events.solution(figure(&way, &self.task.puzzle));
        answer.certificate = Some(Certificate::solutions());
        answer
    }
}

impl Job for Finding<'_> {
    fn subject(&self, value: &Value) -> Option<Subject> {
        Some(if matches!(value, Value::Exact { .. }) { SHORTEST } else { SOLUTIONS })
    }

    fn plan(&self, run: &Run) -> Result<Plan> {
        let Finding { task, method, .. } = self;
        let planned = |used: Used, why: &str| Plan::new(task.question, used, why);
        let open = match self.decide(run) {
            Err(stop) => return Ok(task.cut_short(method, &stop)),
            Ok(Decided::Same) => {
                return Ok(planned(self.by(&INSPECTION), "the start is the goal"));
            }
            Ok(Decided::None { proof, .. }) => {
                return Ok(planned(
                    self.by(&MEMBERSHIP),
                    &format!("there is no solution: {proof}"),
                ));
            }
            Ok(Decided::Open(open)) => open,
        };
        let why = if open.is_sure {
            "the group shows that there is a solution"
        } else {
            "there are too many sets of holes for the group to decide"
        };
        let mut plan = with_sets(task, planned((*method).into(), why), run);
        if let Some(size) = &open.size {
            plan = plan.note(format!("A component has {size} configurations."));
        }
        let size = open.size.as_ref().and_then(ToPrimitive::to_u64).unwrap_or(u64::MAX);
        let is_moderate = size <= MODERATE;
        let mut most = plan.bytes.take();
        // One is given back before the next is made.
        let mut larger = |bytes: f64| most = Some(most.unwrap_or(0.0).max(bytes));
        if method.id == MEET.id || (self.tries(&MEET) && is_moderate) {
            let is_open = method.id == MEET.id && size > MOST_MET;
            let bytes = MOST_MET.min(size) * bytes_of_one(task.puzzle.len());
            larger(bytes as f64);
            let each = if is_open { " for every 6 million configurations" } else { "" };
            plan = plan.note(format!(
                "Lists of a search from both ends would take up to {}{each}.",
                Bytes(bytes)
            ));
        }
        if let Some(bytes) = Bounds::bytes(task.puzzle.len(), self.holes())
            && self.tries(&LOOKUP)
        {
            larger(bytes as f64);
            plan = plan.note(format!("Tables of bounds would take {}.", Bytes(bytes)));
        }
        plan.bytes = most;
        Ok(plan)
    }

    fn answer(&self, run: &Run, events: &mut dyn Events) -> Result<Answer> {
        let asked = self.task.asked(run);
        let open = match self.decide(run) {
            Err(stop) => return Ok(asked.gave_up(&SOLUTIONS, stop, self.method)),
            Ok(Decided::Same) => {
                let found = Found::Shortest { way: vec![self.from.clone()], nodes: None };
                return Ok(self.found(found, self.by(&INSPECTION), run, events));
            }
            Ok(Decided::None { proof, certificate }) => {
                let used = self.by(&MEMBERSHIP);
                let mut answer = asked.answer(&SOLUTIONS, Value::none(proof), used);
                answer.certificate = Some(certificate);
                return Ok(answer);
            }
            Ok(Decided::Open(open)) => open,
        };
        match self.search(&open, run) {
            Ok((found, member)) => Ok(self.found(found, self.by(member), run, events)),
            Err(Halt::Error(error)) => Err(error),
            Err(Halt::Stop(stop)) => {
                let mut answer = asked.gave_up(&SOLUTIONS, stop, self.method);
                if open.is_sure {
                    answer.fact("solvable", "there is a solution (by the group)", true);
                }
                Ok(answer)
            }
        }
    }
}

/// Why there is no solution, and what shows it.
fn refusal(reach: &Reach) -> Option<(String, Certificate)> {
    let plain = |kind: &str| Certificate::own(kind, &Nothing {});
    Some(match reach {
        Reach::Reached => return None,
        Reach::Isolated { first } => (
            format!("no tile can slide in the {}", if *first { "start" } else { "goal" }),
            plain(HOLES_APART),
        ),
        Reach::Apart => (
            "the holes cannot get from where they are to where they should be, whatever the tiles \
             do"
            .into(),
            plain(HOLES_APART),
        ),
        Reach::Odd => (
            "the tiles must be permuted oddly, and every way of the holes there and back permutes \
             them evenly"
                .into(),
            plain(ODD_PERMUTATION),
        ),
        Reach::Stuck(tiles) => {
            let pieces: Vec<u16> = tiles.iter().map(|&tile| tile.into()).collect();
            let names: Vec<String> = tiles.iter().map(ToString::to_string).collect();
            let proof = match &names[..] {
                [tile] => format!("the tile {tile} can never get to its place"),
                _ => format!("the tiles {} can never all get to their places", names.join(", ")),
            };
            (proof, Certificate::own(STUCK_PIECES, &StuckPieces { pieces }))
        }
    })
}
