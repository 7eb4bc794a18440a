//! Some solution wherever there is one, by the group.
//!
//! The permutation that is needed is an element of the group, so it is a word in the
//! generators (see [`pessoi_engine::symmetry::Words`]). Each generator is the gain of some
//! slides from hole-set to hole-set, by the names that the tiles' places have along a tree
//! of slides; and all slides whose gain is the identity lead about without doing anything
//! by these names. So a solution walks by such slides to the nearest one that bears the
//! first generator, makes it, walks on to the next, and in the end to the holes of the goal.
//! That works on every board whose hole-sets can be listed. Solutions are long: a few
//! slides for each of some hundred or thousand generators.

use pessoi_engine::lift::Gains;
use pessoi_engine::run::{Run, Stop};
use pessoi_engine::symmetry::Words;

use super::holes::{Holes, Part};
use super::position::Position;

/// The most slides of a solution.
const MOST_SLIDES: usize = 200_000;

/// Looks for a solution. `None` if no words were found, or if it would be too long.
pub(super) fn solve(
    found: &Holes,
    from: &Position,
    to: &Position,
    run: &Run,
) -> Result<Option<Vec<Position>>, Stop> {
    let (Some((part, start)), Some((other, end))) = (found.place(from), found.place(to)) else {
        return Ok(None);
    };
    let Some(needed) = found.needed(from, to).filter(|_| part == other) else { return Ok(None) };
    let part = &found.parts[part];
    run.stage("words of the group", 0);
    let Some(words) = Words::new(&part.group, &part.generators, run)? else { return Ok(None) };
    let Some(mut word) = words.word(&needed) else { return Ok(None) };
    // What is done last is read first from a permutation of places.
    word.reverse();

    let arcs = Arcs::new(part);
    let mut here = start;
    let mut way = vec![from.clone()];
    for generator in word {
        run.tick(1)?;
        let Some(nodes) = arcs.to_generator(here, generator) else { return Ok(None) };
        here = nodes.last().copied().unwrap_or(here);
        follow(&mut way, part, &nodes);
        if way.len() > MOST_SLIDES {
            return Ok(None);
        }
    }
    let Some(nodes) = arcs.quietly(here, |node| node == end) else { return Ok(None) };
    follow(&mut way, part, &nodes);
    Ok((way.last() == Some(to)).then_some(way))
}

/// The slides of a part, by what they do.
struct Arcs {
    /// For each node, where slides lead that do nothing by the names.
    quiet: Vec<Vec<u32>>,
    /// For each generator, where a slide bears it: from a node to a node.
    bearing: Vec<Vec<(u32, u32)>>,
}

impl Arcs {
    fn new(part: &Part) -> Arcs {
        let gains: &Gains = &part.gains;
        let mut arcs = Arcs {
            quiet: vec![Vec::new(); gains.nodes()],
            bearing: vec![Vec::new(); part.generators.len()],
        };
        for node in 0..gains.nodes() as u32 {
            for (to, gain) in gains.arcs(node) {
                let gain = part.gauge.gain(node, to, gain);
                let is_same = |images: &[u32]| {
                    images.iter().zip(&gain).all(|(&image, &gain)| image == u32::from(gain))
                };
                match part.generators.iter().position(|g| is_same(g.images())) {
                    Some(generator) => arcs.bearing[generator].push((node, to)),
                    None => arcs.quiet[node as usize].push(to),
                }
            }
        }
        arcs
    }

    /// A shortest way that does nothing, without its first node.
    fn quietly(&self, from: u32, is_end: impl Fn(u32) -> bool) -> Option<Vec<u32>> {
        let mut before = vec![u32::MAX; self.quiet.len()];
        before[from as usize] = from;
        let mut queue = vec![from];
        let mut next = 0;
        while let Some(&node) = queue.get(next) {
            next += 1;
            if is_end(node) {
                let mut way = Vec::new();
                let mut node = node;
                while node != from {
                    way.push(node);
                    node = before[node as usize];
                }
                way.reverse();
                return Some(way);
            }
            for &to in &self.quiet[node as usize] {
                if before[to as usize] == u32::MAX {
                    before[to as usize] = node;
                    queue.push(to);
                }
            }
        }
        None
    }

    /// The same to the nearest slide that bears a generator, and that slide.
    fn to_generator(&self, from: u32, generator: u32) -> Option<Vec<u32>> {
        let bearing = &self.bearing[generator as usize];
        let mut way = self.quietly(from, |node| bearing.iter().any(|arc| arc.0 == node))?;
        let here = way.last().copied().unwrap_or(from);
        way.push(bearing.iter().find(|arc| arc.0 == here)?.1);
        Some(way)
    }
}

/// Goes on from hole-set to hole-set. A slide that undoes the one before takes it away.
fn follow(way: &mut Vec<Position>, part: &Part, nodes: &[u32]) {
    for &node in nodes {
        let Some(here) = way.last() else { return };
        let changed = here.holes() ^ part.sets[node as usize];
        // A slide turns one hole into an occupied cell and one such cell into a hole.
        let to = (changed & here.holes()).trailing_zeros() as u8;
        let from = (changed & !here.holes()).trailing_zeros() as u8;
        let next = here.after(from, to);
        if way.len() > 1 && way[way.len() - 2] == next {
            way.pop();
        } else {
            way.push(next);
        }
    }
}
