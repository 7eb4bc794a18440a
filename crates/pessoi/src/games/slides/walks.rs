//! Starts at a distance from the goal on boards whose layers are too large to be listed.
//!
//! A random walk from the goal, which never goes back at once, comes to some configuration. If
//! a shortest solution of it is found soon and is long enough, then the configuration on that
//! solution with the wanted number of slides left is exactly so far from the goal: a part of a
//! shortest way is a shortest way. Otherwise a walk of just so many slides is taken: its end is
//! at most so far, and tables of bounds prove that it is at least so far as they say. Of several
//! walks the one with the largest bound is taken.
//!
//! Not every configuration has the same chance.

use pessoi_engine::random::Random;
use pessoi_engine::run::{Run, Stop};

use super::lookup::{self, Bounds, Looked};
use super::position::Position;
use super::rule::Puzzle;

/// Nodes that a shortest solution may take.
const MOST_NODES: u64 = 20_000_000;
/// Walks to something farther than wanted.
const ATTEMPTS: u64 = 4;
/// Walks of which the best is taken.
const WALKS: u64 = 200;

/// A configuration, and how far it is from the goal.
pub(super) struct Start {
    pub(super) position: Position,
    /// At least so many slides; if that is as many as wanted, exactly so many.
    pub(super) at_least: u32,
}

/// The end of a random walk.
fn walk(puzzle: &Puzzle, from: &Position, slides: u64, random: &mut Random) -> Position {
    let mut at = from.clone();
    let mut last = None;
    for _ in 0..slides {
        let mut open: Vec<(u8, u8)> = Vec::new();
        puzzle.slides(at.holes(), |tile, hole| open.push((tile, hole)));
        if open.len() > 1 {
            open.retain(|&(tile, hole)| last != Some((hole, tile)));
        }
        let Some(&(tile, hole)) = open.get(random.below(open.len().max(1) as u64) as usize) else {
            break;
        };
        at = at.after(tile, hole);
        last = Some((tile, hole));
    }
    at
}

/// A configuration at a distance from the goal, or nearly so; `None` if there are no bounds for
/// so many holes.
pub(super) fn start(
    puzzle: &Puzzle,
    bounds: &Bounds,
    goal: &Position,
    slides: u32,
    random: &mut Random,
    run: &Run,
) -> Result<Start, Stop> {
    for attempt in 0..ATTEMPTS {
        let far = u64::from(slides) * (2 + attempt) + 10;
        let end = walk(puzzle, goal, far, random);
        let (looked, _) = lookup::solve(puzzle, bounds, &end, goal, MOST_NODES, run)?;
        match looked {
            Looked::Solution(way) if way.len() > slides as usize => {
                let position = way[way.len() - 1 - slides as usize].clone();
                return Ok(Start { position, at_least: slides });
            }
            // Longer walks would end where solutions are even harder to find.
            Looked::TooMany { .. } => break,
            Looked::Solution(_) => {}
        }
    }
    let mut best: Option<(u32, Position)> = None;
    for _ in 0..WALKS {
        run.check()?;
        let end = walk(puzzle, goal, u64::from(slides), random);
        let bound = bounds.bound(&end);
        if best.as_ref().is_none_or(|(most, _)| bound > *most) {
            best = Some((bound, end));
        }
    }
    let (bound, position) = best.unwrap_or_else(|| (0, goal.clone()));
    // A search may prove more than the tables alone.
    let (looked, _) = lookup::solve(puzzle, bounds, &position, goal, MOST_NODES, run)?;
    let at_least = match looked {
        Looked::Solution(way) => way.len() as u32 - 1,
        Looked::TooMany { at_least } => at_least.max(bound),
    };
    Ok(Start { position, at_least })
}
