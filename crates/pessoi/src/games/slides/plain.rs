//! The plain search: configurations in a list, exact and slow. It is the reference for the
//! tables, explores what does not rank well, and writes the puzzle graph.

use num_bigint::BigUint;
use num_traits::ToPrimitive;
use pessoi_engine::explore::{StateSpace, layers};
use pessoi_engine::run::{Run, Stop};
use rustc_hash::FxHashMap;

use super::position::Position;
use super::rule::Puzzle;
use super::task::Asked;
use crate::answer::{Answer, Value};
use crate::error::{Error, Result};
use crate::export::Graph;
use pessoi_engine::symmetry::factorial;

/// The puzzle graph, from some configurations on.
pub(super) struct Configurations<'p> {
    pub(super) puzzle: &'p Puzzle,
    pub(super) starts: Vec<Position>,
}

impl StateSpace for Configurations<'_> {
    type State = Position;

    fn starts(&self) -> impl Iterator<Item = Position> {
        self.starts.iter().cloned()
    }

    fn moves(&self, from: &Position, mut offer: impl FnMut(Position)) {
        self.puzzle.slides(from.holes(), |tile, hole| offer(from.after(tile, hole)));
    }

    fn heap_bytes(&self) -> usize {
        self.puzzle.len()
    }
}

/// About the bytes that a configuration in a list costs.
pub(super) fn bytes_of_one(puzzle: &Puzzle) -> u64 {
    80 + puzzle.len() as u64
}

/// The most configurations of a graph that is written.
const MOST_NODES: u64 = 10_000_000;

/// Answers `export`: the puzzle graph.
pub(super) fn export(asked: &Asked) -> Result<Answer> {
    let tiles = asked.tiles()?;
    let holes = asked.puzzle.len() - tiles;
    if asked.question.flag("pieces") {
        let mut answer = asked.answer(Value::exact(tiles), "tiles to be made", "drawing");
        answer.notes.push("The board and its tiles are written as svg or stl (--format).".into());
        return Ok(answer);
    }
    if !asked.question.flag("all")
        && let Some(none) = asked.nothing(holes, "configurations that allow a slide")
    {
        return Ok(none);
    }
    let counts = "configurations";
    let method = "a plain breadth-first search";
    let states = match states(asked, holes) {
        Ok(states) => states?,
        Err(stop) => return Ok(asked.gave_up(&stop, counts, method)),
    };
    match graph(asked, &states, asked.run) {
        Ok(graph) => {
            let mut answer = asked.answer(Value::exact(states.len() as u64), counts, method);
            answer.cost.states = Some(states.len() as u64);
            answer.graph = Some(graph);
            Ok(answer)
        }
        Err(stop) => Ok(asked.gave_up(&stop, counts, method)),
    }
}

/// The configurations to be written: those that can be reached, or all.
fn states(asked: &Asked, holes: usize) -> Result<Result<Vec<Position>>, Stop> {
    let Asked { puzzle, run, .. } = asked;
    if asked.question.flag("all") {
        let tiles = puzzle.len() - holes;
        let count = factorial(puzzle.len()) / factorial(holes);
        let needed = (&count * bytes_of_one(puzzle)).to_u64().unwrap_or(u64::MAX);
        if count > BigUint::from(MOST_NODES) {
            return Err(Stop::Memory { needed, limit: MOST_NODES * bytes_of_one(puzzle) });
        }
        let mut claim = run.claim();
        claim.grow_to(needed)?;
        let mut all = vec![vec![0u8; puzzle.len()]];
        for tile in 1..=tiles as u8 {
            run.check()?;
            let place = |position: &Vec<u8>| {
                let position = position.clone();
                let free = (0..position.len()).filter(|&cell| position[cell] == 0);
                let put = |cell: usize| {
                    let mut next = position.clone();
                    next[cell] = tile;
                    next
                };
                free.map(put).collect::<Vec<_>>()
            };
            all = all.iter().flat_map(place).collect();
        }
        all.sort_unstable();
        return Ok(Ok(all.into_iter().map(|cells| Position(cells.into())).collect()));
    }
    let start = match asked.from(holes) {
        Ok(start) => start,
        Err(error) => return Ok(Err(error)),
    };
    // Whoever asks for too many need not wait for it.
    let sets = asked.hole_sets(holes)?;
    let size = sets.place(&start).map(|(part, _)| sets.parts[part].size());
    if let Some(size) = size.filter(|size| *size > BigUint::from(MOST_NODES)) {
        let needed = (&size * bytes_of_one(puzzle)).to_u64().unwrap_or(u64::MAX);
        return Err(Stop::Memory { needed, limit: MOST_NODES * bytes_of_one(puzzle) });
    }
    let space = Configurations { puzzle, starts: vec![start.clone()] };
    let found = layers(&space, [start], run).map_err(Stop::from)?;
    let depth = found.sizes().len() as u64;
    Ok(Ok((0..depth).flat_map(|d| found.layer(d).cloned().collect::<Vec<_>>()).collect()))
}

fn graph(asked: &Asked, states: &[Position], run: &Run) -> Result<Graph, Stop> {
    let puzzle = &asked.puzzle;
    let mut claim = run.claim();
    claim.grow_to(states.len() as u64 * 4 * bytes_of_one(puzzle))?;
    let number: FxHashMap<&Position, u32> = states.iter().zip(0..).collect();
    let mut edges = Vec::new();
    let mut labels = Vec::new();
    for (from, position) in (0..).zip(states) {
        if from % 4096 == 0 {
            run.tick(4096)?;
        }
        puzzle.slides(position.holes(), |tile, hole| {
            // Each slide can be undone, and the edge is written once.
            if let Some(&to) = number.get(&position.after(tile, hole))
                && from < to
            {
                edges.push((from, to));
                labels.push(position.0[tile as usize].to_string());
            }
        });
    }
    Ok(Graph {
        name: format!("{} {}", asked.question.game, asked.question.place),
        nodes: states.iter().map(|position| position.line(puzzle)).collect(),
        edges,
        labels,
        directed: false,
        closed: false,
        fixed: Vec::new(),
    })
}

/// An error where a start is needed that allows a slide.
pub(super) fn isolated(name: &str) -> Error {
    Error::input(format!(
        "--{name} is isolated: no tile can slide there, so nothing can be reached from it."
    ))
}
