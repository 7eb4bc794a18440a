//! Shortest solutions from both ends.
//!
//! Layers of configurations are grown around the start and around the goal, always the
//! side whose last layer is smaller, until a configuration of one side is met by the
//! other. All configurations within a distance a of the start and b of the goal have then
//! been seen and none was in both, so whatever is met first lies on a shortest solution.
//! This visits about the square root of what one side alone would.

use pessoi_engine::run::{Run, Stop};
use rustc_hash::FxHashMap;

use super::position::Position;
use super::rule::Puzzle;

/// What came of it.
pub(super) enum Met {
    /// A shortest solution, both ends included.
    Solution(Vec<Position>),
    /// One side is exhausted: there is none.
    Apart,
    /// More configurations than allowed.
    TooMany,
}

/// One side: distances from its end, and its last layer.
struct Side {
    distances: FxHashMap<Position, u32>,
    layer: Vec<Position>,
}

impl Side {
    fn new(end: &Position) -> Self {
        Side { distances: [(end.clone(), 0)].into_iter().collect(), layer: vec![end.clone()] }
    }

    /// The way from the end to a configuration.
    fn way(&self, puzzle: &Puzzle, to: &Position) -> Vec<Position> {
        let mut way = vec![to.clone()];
        let mut here = to.clone();
        while let Some(distance) = self.distances[&here].checked_sub(1) {
            let mut before = None;
            puzzle.slides(here.holes(), |tile, hole| {
                let next = here.after(tile, hole);
                if self.distances.get(&next) == Some(&distance) {
                    before = Some(next);
                }
            });
            // Slides can be undone, so the one that led here is among them.
            let Some(before) = before else { break };
            way.push(before.clone());
            here = before;
        }
        way.reverse();
        way
    }
}

/// A layer that was grown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Layer {
    /// Around the goal, and not around the start.
    pub(super) is_goal: bool,
    /// Slides from that end.
    pub(super) distance: u32,
    /// Its configurations; of the layer in which the sides met, those before they did.
    pub(super) size: u64,
    /// Configurations of both sides so far.
    pub(super) seen: u64,
    /// Whether the sides met in it.
    pub(super) is_met: bool,
}

/// Looks for a shortest solution among at most so many configurations.
pub(super) fn solve(
    puzzle: &Puzzle,
    from: &Position,
    to: &Position,
    most: u64,
    run: &Run,
) -> Result<Met, Stop> {
    watched(puzzle, from, to, most, run, &mut |_| {})
}

/// As [`solve`]; each layer is shown when it was grown.
pub(super) fn watched(
    puzzle: &Puzzle,
    from: &Position,
    to: &Position,
    most: u64,
    run: &Run,
    show: &mut dyn FnMut(Layer),
) -> Result<Met, Stop> {
    run.stage("growing from both ends", 0);
    let mut sides = [Side::new(from), Side::new(to)];
    if from == to {
        return Ok(Met::Solution(vec![from.clone()]));
    }
    let mut claim = run.claim();
    // A configuration in its table and perhaps in a layer, in containers that double.
    let each = 2 * (48 + 2 * puzzle.len() as u64);
    let mut depths = [0, 0];
    loop {
        let smaller = usize::from(sides[1].layer.len() < sides[0].layer.len());
        let (grown, other) = {
            let [a, b] = &mut sides;
            if smaller == 0 { (a, &*b) } else { (b, &*a) }
        };
        depths[smaller] += 1;
        let layer = std::mem::take(&mut grown.layer);
        let mut meeting = None;
        for (k, position) in layer.iter().enumerate() {
            if k % 1024 == 0 {
                run.tick(1024)?;
                let known = (grown.distances.len() + other.distances.len()) as u64;
                if known > most {
                    return Ok(Met::TooMany);
                }
                claim.grow_to(known * each)?;
            }
            puzzle.slides(position.holes(), |tile, hole| {
                let next = position.after(tile, hole);
                if let std::collections::hash_map::Entry::Vacant(place) =
                    grown.distances.entry(next)
                {
                    let next = place.key().clone();
                    place.insert(depths[smaller]);
                    if other.distances.contains_key(&next) {
                        meeting = Some(next.clone());
                    }
                    grown.layer.push(next);
                }
            });
            if meeting.is_some() {
                break;
            }
        }
        show(Layer {
            is_goal: smaller == 1,
            distance: depths[smaller],
            size: grown.layer.len() as u64,
            seen: (grown.distances.len() + other.distances.len()) as u64,
            is_met: meeting.is_some(),
        });
        if let Some(meeting) = meeting {
            let mut way = sides[0].way(puzzle, &meeting);
            let back = sides[1].way(puzzle, &meeting);
            way.extend(back.into_iter().rev().skip(1));
            return Ok(Met::Solution(way));
        }
        if sides[smaller].layer.is_empty() {
            return Ok(Met::Apart);
        }
    }
}
