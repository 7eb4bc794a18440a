//! Exploring: components, distances and God's number.

use num_bigint::BigUint;
use num_traits::ToPrimitive;
use pessoi_engine::explore::{diameter as plain_diameter, layers as plain_layers};
use pessoi_engine::lift::{Gauge, Geometry, MOST_BYTES, Size, Table as Planes, diameter};
use pessoi_engine::run::{Bytes, Run, Stop, Stopped};
use pessoi_engine::symmetry::factorial;

use super::holes::{Holes, Part, choose};
use super::plain::{Configurations, bytes_of_one, isolated};
use super::position::Position;
use super::rule::{Cells, Puzzle, bit};
use super::task::Asked;
use crate::answer::{Answer, Table, Value};
use crate::board::Lattice;
use crate::certificate::Certificate;
use crate::error::{Error, Result};

const COMPONENTS: &str = "components of configurations that allow a slide";
const GOD: &str = "God's number (slides between the two configurations farthest apart)";
const BY_GROUP: &str = "hole-sets and the group that they make";

/// What is known of a puzzle without a search.
pub(super) enum Known {
    Holes(Box<Holes>),
    /// There are too many hole-sets to list, but with this smaller number of holes all
    /// configurations hang together, and therefore with more holes too.
    Maximal {
        by_holes: usize,
    },
}

/// Beyond this many hole-sets a smaller number of holes is tried first.
const MANY_SETS: u64 = 200_000;
/// So many are listed at most when that is tried: a second or two.
const MOST_SETS: u64 = 1_000_000;

impl Known {
    /// Finds the groups; or, if there are very many hole-sets, tries to get along without.
    ///
    /// If all configurations that allow a slide hang together with k holes, so they do
    /// with one more: of the holes of a configuration that allows a slide take one away
    /// that the slide does not need, as if a blank tile lay there. Whatever can be done
    /// with the k others can still be done.
    pub(super) fn new(asked: &Asked, holes: usize) -> Result<Known, Stop> {
        let puzzle = &asked.puzzle;
        if choose(puzzle.len(), holes).is_none_or(|ways| ways > MANY_SETS) {
            let least = if puzzle.board.lattice() == Lattice::Hex { 2 } else { 1 };
            for fewer in least..holes.min(least + 3) {
                if choose(puzzle.len(), fewer).is_none_or(|ways| ways > MOST_SETS) {
                    break;
                }
                if asked.hole_sets(fewer)?.is_maximal() {
                    return Ok(Known::Maximal { by_holes: fewer });
                }
            }
        }
        asked.hole_sets(holes).map(|holes| Known::Holes(Box::new(holes)))
    }
}

/// The fewest holes with which all configurations hang together, with the number of
/// components for each number of holes up to there.
pub(super) fn connection_number(asked: &Asked) -> Result<(Option<usize>, Table), Stop> {
    let mut table = Table::new("Holes and components", &["holes", "components"]);
    for holes in 1..asked.puzzle.len() {
        let found = asked.hole_sets(holes)?;
        table.rows.push(vec![holes.to_string(), found.components().to_string()]);
        if found.is_maximal() {
            return Ok((Some(holes), table));
        }
    }
    Ok((None, table))
}

/// Answers `count`: the number of components.
pub(super) fn count(asked: &Asked) -> Answer {
    let (holes, mut tables) = match resolve(asked, COMPONENTS) {
        Ok(resolved) => resolved,
        Err(answer) => return *answer,
    };
    if let Some(none) = asked.nothing(holes, COMPONENTS) {
        return none;
    }
    match Known::new(asked, holes) {
        Err(stop) => too_many_sets(asked, &stop, COMPONENTS),
        Ok(Known::Maximal { by_holes }) => {
            let mut answer = asked.answer(Value::exact(1u32), COMPONENTS, BY_GROUP);
            answer.notes.push(by_fewer(by_holes));
            answer
        }
        Ok(Known::Holes(found)) => {
            let mut answer = asked.answer(Value::exact(found.components()), COMPONENTS, BY_GROUP);
            tables.push(facts(&found));
            tables.push(parts(&found));
            answer.tables = tables;
            answer
        }
    }
}

fn by_fewer(holes: usize) -> String {
    format!(
        "With {holes} holes all configurations that allow a slide hang together, and therefore \
         with more holes too."
    )
}

/// The number of holes that was told, or else the connection number.
fn resolve(asked: &Asked, counts: &str) -> std::result::Result<(usize, Vec<Table>), Box<Answer>> {
    if let Some(holes) = asked.told_holes() {
        return Ok((holes, Vec::new()));
    }
    match connection_number(asked) {
        Err(stop) => Err(Box::new(asked.gave_up(&stop, counts, BY_GROUP))),
        Ok((Some(holes), table)) => Ok((holes, vec![table])),
        Ok((None, table)) => {
            let proof = "for every number of holes the configurations that allow a slide fall apart \
                         or do not exist";
            let value = Value::None { proof: proof.into() };
            let mut answer =
                asked.answer(value, "numbers of holes with which all hangs together", BY_GROUP);
            answer.tables = vec![table];
            Err(Box::new(answer))
        }
    }
}

fn too_many_sets(asked: &Asked, stop: &Stop, counts: &str) -> Answer {
    asked.gave_up(stop, counts, BY_GROUP)
}

fn yes(is: bool) -> String {
    if is { "yes".into() } else { "no".into() }
}

/// What is known of the whole puzzle graph.
fn facts(found: &Holes) -> Table {
    let mut table = Table::new("The puzzle graph", &["what", "value"]);
    let mut fact = |what: &str, value: String| table.rows.push(vec![what.to_owned(), value]);
    let all = factorial(found.tiles);
    fact("tiles", found.tiles.to_string());
    fact("isolated configurations", (&all * found.isolated).to_string());
    fact("other configurations", (&all * found.sets.len()).to_string());
    fact("components of the others", found.components().to_string());
    let sizes: Vec<String> =
        found.parts.iter().take(8).map(|part| part.size().to_string()).collect();
    let more = if found.parts.len() > 8 { " …" } else { "" };
    fact("configurations in each", format!("{}{more}", sizes.join(" ")));
    fact("weak parity (only even permutations)", yes(found.is_weakly_even()));
    fact("strong parity (every even one, in two components)", yes(found.is_strongly_even()));
    fact("maximally connected (one component)", yes(found.is_maximal()));
    table
}

/// What is known of each part of the graph of hole-sets.
fn parts(found: &Holes) -> Table {
    let mut table = Table::new(
        "Hole-sets that can be turned into each other",
        &["hole-sets", "group order", "tiles moved", "components", "size of each"],
    );
    for part in found.parts.iter().take(20) {
        table.rows.push(vec![
            part.sets.len().to_string(),
            part.group.order().to_string(),
            part.group.moved().len().to_string(),
            part.components(found.tiles).to_string(),
            part.size().to_string(),
        ]);
    }
    table
}

/// Tables have room for every permutation of the tiles that are moved. A group so many times
/// smaller would leave them nearly empty.
const SPARSE: u64 = 1000;

/// Which engine explores a part, and how large its tables are.
pub(super) enum Engine {
    Fast { gauge: Gauge, size: Size },
    Plain { states: u64, bytes: u64 },
    TooLarge { states: BigUint, bytes: BigUint },
}

impl Engine {
    pub(super) fn choose(asked: &Asked, part: &Part, run: &Run) -> Result<Engine, Stop> {
        let method = asked.question.text("method");
        let states = part.size();
        let each = bytes_of_one(&asked.puzzle);
        let plain = || match states.to_u64() {
            Some(states) => Engine::Plain { states, bytes: states.saturating_mul(each) },
            None => Engine::TooLarge { states: states.clone(), bytes: &states * each },
        };
        if method == Some("plain") {
            return Ok(plain());
        }
        let gauge = Gauge::best(&part.gains, 1, run)?;
        match Planes::size(&part.gains, &gauge, run)? {
            Some(size)
                if method == Some("fast")
                    || BigUint::from(size.states) <= &states * SPARSE
                    || size.bytes < 1 << 24 =>
            {
                if size.bytes > run.budget().memory.unwrap_or(MOST_BYTES).min(MOST_BYTES) {
                    let bytes = size.bytes.into();
                    return Ok(Engine::TooLarge { states, bytes });
                }
                Ok(Engine::Fast { gauge, size })
            }
            None if method == Some("fast") || states.to_u64().is_none() => {
                let bytes = &states / 4u32;
                Ok(Engine::TooLarge { states, bytes })
            }
            _ => Ok(plain()),
        }
    }
}

/// What the board's symmetries do to the hole-sets of a part, as far as they keep it.
pub(super) fn geometry(puzzle: &Puzzle, part: &Part) -> Geometry {
    let mut symmetries = Vec::new();
    for symmetry in puzzle.board.symmetries().iter().skip(1) {
        let image = |set: &Cells| {
            let mut left = *set;
            let mut image: Cells = 0;
            while left != 0 {
                image |= bit(symmetry.permutation[left.trailing_zeros() as usize] as usize);
                left &= left - 1;
            }
            part.sets.binary_search(&image).ok().map(|node| node as u32)
        };
        // A symmetry may take this part to another.
        if let Some(nodes) = part.sets.iter().map(image).collect() {
            symmetries.push(nodes);
        }
    }
    Geometry { symmetries }
}

/// What exploring a component came to.
struct Explored {
    /// God's number with two configurations that far apart.
    farthest: (u64, Position, Position),
    histogram: Vec<u64>,
    start: Position,
    method: String,
    states: u64,
}

/// Answers `explore`.
pub(super) fn explore(asked: &Asked) -> Result<Answer> {
    let Asked { puzzle, run, .. } = asked;
    let (holes, mut tables) = match resolve(asked, GOD) {
        Ok(resolved) => resolved,
        Err(answer) => return Ok(*answer),
    };
    if let Some(none) = asked.nothing(holes, COMPONENTS) {
        return Ok(none);
    }
    let start = asked.from(holes)?;
    let found = match Known::new(asked, holes) {
        Err(stop) => return Ok(too_many_sets(asked, &stop, GOD)),
        Ok(Known::Maximal { by_holes }) => {
            let size = "there are too many sets of holes to explore";
            let why =
                format!("{size}; but there is one component of configurations that allow a slide");
            let mut answer = asked.answer(Value::GaveUp { why }, GOD, BY_GROUP);
            answer.notes.push(by_fewer(by_holes));
            return Ok(answer);
        }
        Ok(Known::Holes(found)) => found,
    };
    tables.push(facts(&found));
    let Some((part, node)) = found.place(&start) else { return Err(isolated("from")) };
    if found.parts.len() > 1 {
        tables.push(parts(&found));
    }
    let part = &found.parts[part];
    let give_up = |stop: &Stop, tables: Vec<Table>| {
        let mut answer = asked.gave_up(stop, GOD, BY_GROUP);
        answer.tables = tables;
        Ok(answer)
    };
    let engine = match Engine::choose(asked, part, run) {
        Ok(engine) => engine,
        Err(stop) => return give_up(&stop, tables),
    };
    let explored = match engine {
        Engine::TooLarge { states, bytes } => {
            let mut answer =
                asked.answer(Value::GaveUp { why: too_large(&states, &bytes, run) }, GOD, BY_GROUP);
            answer.tables = tables;
            answer.notes.push(
                "Whether one configuration can be turned into another (find) and the number of \
                 components (count) can still be told."
                    .into(),
            );
            return Ok(answer);
        }
        Engine::Fast { gauge, .. } => fast(asked, part, gauge, &start, node),
        Engine::Plain { .. } => plain(asked, part, &start),
    };
    let Stopped { why, so_far } = match explored {
        Ok(explored) => return finish(asked, &explored, tables),
        Err(stopped) => stopped,
    };
    let (known, pair) = match so_far {
        Some((known, from, to)) => (known, Some((from, to))),
        None => (0, None),
    };
    let mut answer = asked.answer(Value::stopped(known, &why), GOD, BY_GROUP);
    answer.tables = tables;
    answer.certificate = pair.map(|(from, to)| pair_certificate(&from, &to, puzzle));
    Ok(answer)
}

/// Why a component is not explored.
pub(super) fn too_large(states: &BigUint, bytes: &BigUint, run: &Run) -> String {
    let bytes = bytes.to_u64().map_or_else(|| format!("{bytes} bytes"), |b| Bytes(b).to_string());
    let limit = run.budget().memory.map(|limit| format!(", and the limit is {}", Bytes(limit)));
    format!(
        "a component has {states} configurations, for which tables of {bytes} would be \
         needed{}",
        limit.unwrap_or_default()
    )
}

fn pair_certificate(from: &Position, to: &Position, puzzle: &Puzzle) -> Certificate {
    Certificate::FarthestPositions { from: from.line(puzzle), to: to.line(puzzle) }
}

fn finish(asked: &Asked, explored: &Explored, mut tables: Vec<Table>) -> Result<Answer> {
    let puzzle = &asked.puzzle;
    let (god, from, to) = &explored.farthest;
    let depth = explored.histogram.len().saturating_sub(1);
    let facts = tables
        .iter_mut()
        .find(|table| table.title == "The puzzle graph")
        .ok_or_else(|| Error::internal("no table of facts"))?;
    let mut fact = |what: &str, value: String| facts.rows.push(vec![what.to_owned(), value]);
    fact("God's number", god.to_string());
    fact("bounds from the start alone (Proposition 5.4)", format!("{depth} to {}", 2 * depth));
    fact("farthest apart", from.line(puzzle));
    fact("and", to.line(puzzle));
    let title = format!("Configurations by distance from {}", explored.start.line(puzzle));
    let mut by_distance = Table::new(&title, &["slides", "configurations"]);
    let rows = explored.histogram.iter().enumerate();
    by_distance.rows = rows.map(|(d, n)| vec![d.to_string(), n.to_string()]).collect();
    tables.push(by_distance);
    let mut answer = asked.answer(Value::exact(*god), GOD, &explored.method);
    answer.tables = tables;
    answer.cost.states = Some(explored.states);
    answer.certificate = Some(pair_certificate(from, to, puzzle));
    Ok(answer)
}

type Pair = Option<(u64, Position, Position)>;

/// By the tables of the lift engine.
fn fast(
    asked: &Asked,
    part: &Part,
    gauge: Gauge,
    start: &Position,
    node: u32,
) -> Result<Explored, Stopped<Pair>> {
    let Asked { puzzle, run, .. } = asked;
    let nothing = |why| Stopped { why, so_far: None };
    let mut planes = Planes::new(&part.gains, gauge, run).map_err(nothing)?;
    let geometry = geometry(puzzle, part);
    let pair = |planes: &Planes, from: u32, to: &(u32, pessoi_engine::symmetry::Permutation)| {
        let first = Position::home(puzzle, part.sets[from as usize]);
        (first.clone(), reached(planes, part, from, &first, to.0, to.1.images(), puzzle))
    };
    let found = match diameter(&mut planes, &part.gains, &geometry, run) {
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
    let god = u64::from(found.layers.depth());
    let mut states = part.size().to_u64().unwrap_or(u64::MAX).saturating_mul(found.searches);
    let method = format!(
        "searches with two bits a configuration, {} of {} starts needed",
        found.searches, found.classes
    );
    let (histogram, start) = if asked.has_from() {
        let layers = planes
            .layers(node, None, run)
            .map_err(|why| Stopped { why, so_far: Some((god, from.clone(), to.clone())) })?;
        states = states.saturating_add(layers.sizes.iter().sum());
        (layers.sizes, start.clone())
    } else {
        (found.layers.sizes, from.clone())
    };
    Ok(Explored { farthest: (god, from, to), histogram, start, method, states })
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
    puzzle: &Puzzle,
) -> Position {
    let before = planes.gauge().rename(from, &start.tiles());
    let after: Vec<u8> = images.iter().map(|&slot| before[slot as usize]).collect();
    let tiles = planes.gauge().restore(node, &after);
    Position::new(puzzle.len(), part.sets[node as usize], &tiles)
}

/// By plain searches from one hole-set of each class.
fn plain(asked: &Asked, part: &Part, start: &Position) -> Result<Explored, Stopped<Pair>> {
    let Asked { puzzle, run, .. } = asked;
    let geometry = geometry(puzzle, part);
    let is_first =
        |node: &usize| geometry.symmetries.iter().all(|image| image[*node] as usize >= *node);
    let first = (0..part.sets.len()).filter(is_first);
    let starts: Vec<Position> = first.map(|node| Position::home(puzzle, part.sets[node])).collect();
    let classes = starts.len();
    let space = Configurations { puzzle, starts: Vec::new() };
    let farthest = match plain_diameter(&space, starts, run) {
        Ok(Some(widest)) => (widest.distance, widest.from, widest.to),
        Ok(None) => return Err(Stopped { why: Stop::Cancelled, so_far: None }),
        Err(Stopped { why, so_far }) => {
            let so_far = so_far.map(|widest| (widest.distance, widest.from, widest.to));
            return Err(Stopped { why, so_far });
        }
    };
    let start = if asked.has_from() { start.clone() } else { farthest.1.clone() };
    let layers = plain_layers(&space, [start.clone()], run)
        .map_err(|stopped| Stopped { why: stopped.why, so_far: Some(farthest.clone()) })?;
    let method = format!("plain breadth-first searches, {classes} starts needed");
    let states = run.progress().handled;
    Ok(Explored { farthest, histogram: layers.sizes(), start, method, states })
}
