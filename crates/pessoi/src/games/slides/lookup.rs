//! Shortest solutions by depth-first search with tables of bounds.
//!
//! The tiles are dealt into groups of a few. For one group, forget the numbers of all other
//! tiles, and count only slides of the group: the least number of these that brings the
//! group from any places to its goal is a table, filled by one search from the goal. A slide
//! moves one tile, so the sum over all groups never exceeds the true distance: an additive
//! pattern database (R. E. Korf and A. Felner, 2002). Iterative deepening (Korf's IDA*,
//! 1985) then tries all ways of a given length on which this bound does not already say no,
//! and so finds a shortest solution in little memory. For the 15 puzzle there are three
//! tables of five tiles, a megabyte each.

use pessoi_engine::run::{Run, Stop};

use super::holes::choose;
use super::position::Position;
use super::rule::{Cells, Puzzle, bit};

/// Entries of a table's search, at most: places of the group times hole-sets.
const MOST_ENTRIES: u64 = 1 << 24;

/// The most holes for which the search's list of slides surely has room.
const MOST_HOLES: usize = 10;

/// What came of it.
pub(super) enum Looked {
    /// A shortest solution, both ends included.
    Solution(Vec<Position>),
    /// More nodes than allowed; a solution has at least so many slides.
    TooMany { at_least: u32 },
}

/// The bounds for one goal.
pub(super) struct Bounds {
    cells: usize,
    /// For each tile, its group and the weight of its cell in the group's index.
    groups: Vec<(usize, usize)>,
    tables: Vec<Vec<u8>>,
}

/// What a table says of places that cannot be reached.
const NEVER: u8 = u8::MAX;

impl Bounds {
    /// How many tiles a group has, for some cells and holes; 0 if not even one fits.
    fn group(cells: usize, holes: usize) -> u32 {
        let sets = choose(cells, holes).unwrap_or(u64::MAX);
        let fits = |k: &u32| {
            let places = (cells as u64).checked_pow(*k);
            places.and_then(|p| p.checked_mul(sets)).is_some_and(|n| n <= MOST_ENTRIES)
        };
        (1..=6).take_while(fits).last().unwrap_or(0)
    }

    /// Bytes of all tables, with the search that fills one; `None` if there are too many
    /// hole-sets for any table, or too many slides for the search's list.
    pub(super) fn bytes(cells: usize, holes: usize) -> Option<u64> {
        if holes > MOST_HOLES {
            return None;
        }
        let group = Bounds::group(cells, holes);
        let tables = (cells - holes).div_ceil(group.max(1) as usize) as u64;
        (group > 0).then(|| tables * (cells as u64).pow(group) + MOST_ENTRIES)
    }

    /// Fills the tables; `None` if there are none: see [`Bounds::bytes`].
    pub(super) fn new(puzzle: &Puzzle, goal: &Position, run: &Run) -> Result<Option<Bounds>, Stop> {
        let (cells, goal_holes) = (puzzle.len(), goal.holes());
        let holes = goal_holes.count_ones() as usize;
        if Bounds::bytes(cells, holes).is_none() {
            return Ok(None);
        }
        let size = Bounds::group(cells, holes) as usize;
        let mut groups = vec![(0, 0); cells - holes + 1];
        let mut tables = Vec::new();
        let tiles = goal.tiles();
        run.stage("tables of bounds", tiles.len().div_ceil(size) as u64);
        for (number, group) in tiles.chunks(size).enumerate() {
            for (k, &tile) in group.iter().enumerate() {
                groups[tile as usize] = (number, cells.pow(k as u32));
            }
            let places: Vec<usize> = group
                .iter()
                .map(|tile| goal.0.iter().position(|there| there == tile).unwrap_or_default())
                .collect();
            tables.push(fill(puzzle, &places, goal_holes, run)?);
            run.step(1);
        }
        Ok(Some(Bounds { cells, groups, tables }))
    }

    fn indexes(&self, position: &Position) -> Vec<usize> {
        let mut indexes = vec![0; self.tables.len()];
        for (cell, &tile) in position.0.iter().enumerate().filter(|(_, tile)| **tile != 0) {
            let (group, weight) = self.groups[tile as usize];
            indexes[group] += cell * weight;
        }
        indexes
    }

    /// The least number of slides from a configuration to the goal, as far as the tables
    /// tell.
    pub(super) fn bound(&self, position: &Position) -> u32 {
        debug_assert_eq!(position.0.len(), self.cells);
        let indexes = self.indexes(position);
        indexes.iter().zip(&self.tables).map(|(&index, table)| u32::from(table[index])).sum()
    }
}

/// The table of one group whose goal places are given.
fn fill(puzzle: &Puzzle, goal: &[usize], holes: Cells, run: &Run) -> Result<Vec<u8>, Stop> {
    let cells = puzzle.len();
    let count = holes.count_ones() as usize;
    let sets = choose(cells, count).unwrap_or(u64::MAX) as usize;
    let binomials: Vec<Vec<usize>> = (0..=count)
        .map(|k| (0..=cells).map(|n| choose(n, k).unwrap_or(0) as usize).collect())
        .collect();
    let rank = |mut set: Cells| {
        let mut rank = 0;
        for ways in &binomials[1..] {
            rank += ways[set.trailing_zeros() as usize];
            set &= set - 1;
        }
        rank
    };
    let places = cells.pow(goal.len() as u32);
    let mut claim = run.claim();
    claim.grow_to((places + places * sets / 8) as u64)?;
    let mut table = vec![NEVER; places];
    let mut met = vec![0u64; (places * sets).div_ceil(64)];
    // Slides of other tiles cost nothing, so they are followed at once; those of the
    // group lead to the next round.
    let start: usize = goal.iter().rev().fold(0, |index, &cell| index * cells + cell);
    let mut round = vec![(start, holes)];
    let mut cost = 0;
    let mut handled = 0;
    while !round.is_empty() {
        let mut next = Vec::new();
        while let Some((index, set)) = round.pop() {
            let entry = index * sets + rank(set);
            if met[entry / 64] >> (entry % 64) & 1 == 1 {
                continue;
            }
            met[entry / 64] |= 1 << (entry % 64);
            table[index] = table[index].min(cost);
            handled += 1;
            if handled % (1 << 14) == 0 {
                run.tick(1 << 14)?;
            }
            let mut group = [0u8; 8];
            let mut left = index;
            for cell in &mut group[..goal.len()] {
                *cell = (left % cells) as u8;
                left /= cells;
            }
            puzzle.slides(set, |tile, hole| {
                let after = set ^ bit(tile as usize) ^ bit(hole as usize);
                match group[..goal.len()].iter().position(|&cell| cell == tile) {
                    None => round.push((index, after)),
                    Some(k) => {
                        let weight = cells.pow(k as u32);
                        let index = index + hole as usize * weight - tile as usize * weight;
                        next.push((index, after));
                    }
                }
            });
        }
        round = next;
        cost = (cost + 1).min(NEVER - 1);
    }
    Ok(table)
}

/// The search: a way that is extended and taken back.
struct Deepening<'a> {
    puzzle: &'a Puzzle,
    bounds: &'a Bounds,
    goal: &'a Position,
    at: Position,
    holes: Cells,
    indexes: Vec<usize>,
    way: Vec<(u8, u8)>,
    nodes: u64,
    most: u64,
    run: &'a Run,
}

/// Why a round of the search ended.
enum Round {
    Solved,
    /// Nothing within the limit; the next limit worth trying.
    Next(u32),
    TooMany,
}

/// Looks for a shortest solution among at most so many nodes.
pub(super) fn solve(
    puzzle: &Puzzle,
    bounds: &Bounds,
    from: &Position,
    to: &Position,
    most: u64,
    run: &Run,
) -> Result<(Looked, u64), Stop> {
    let mut search = Deepening {
        puzzle,
        bounds,
        goal: to,
        at: from.clone(),
        holes: from.holes(),
        indexes: bounds.indexes(from),
        way: Vec::new(),
        nodes: 0,
        most,
        run,
    };
    let first = bounds.bound(from);
    let mut limit = first;
    loop {
        run.stage(format!("solutions of {limit} slides"), 0);
        match search.deepen(first, limit)? {
            Round::Solved => break,
            Round::Next(next) => limit = next,
            Round::TooMany => return Ok((Looked::TooMany { at_least: limit }, search.nodes)),
        }
    }
    let mut solution = vec![from.clone()];
    for &(tile, hole) in &search.way {
        solution.extend(solution.last().map(|here| here.after(tile, hole)));
    }
    Ok((Looked::Solution(solution), search.nodes))
}

impl Deepening<'_> {
    fn deepen(&mut self, bound: u32, limit: u32) -> Result<Round, Stop> {
        if bound == 0 && self.at == *self.goal {
            return Ok(Round::Solved);
        }
        self.nodes += 1;
        if self.nodes.is_multiple_of(1 << 16) {
            self.run.tick(1 << 16)?;
            if self.nodes > self.most {
                return Ok(Round::TooMany);
            }
        }
        let mut slides = [(0u8, 0u8); 64];
        let mut count = 0;
        self.puzzle.slides(self.holes, |tile, hole| {
            if count < slides.len() {
                slides[count] = (tile, hole);
                count += 1;
            }
        });
        let last = self.way.last().copied();
        let mut least = u32::MAX;
        for &(tile, hole) in &slides[..count] {
            if last == Some((hole, tile)) {
                continue;
            }
            let (group, weight) = self.bounds.groups[self.at.0[tile as usize] as usize];
            let old = self.indexes[group];
            let new = old + hole as usize * weight - tile as usize * weight;
            let table = &self.bounds.tables[group];
            let next = bound + u32::from(table[new]) - u32::from(table[old]);
            let through = self.way.len() as u32 + 1 + next;
            if through > limit {
                least = least.min(through);
                continue;
            }
            self.indexes[group] = new;
            self.at.0.swap(tile as usize, hole as usize);
            self.holes ^= bit(tile as usize) | bit(hole as usize);
            self.way.push((tile, hole));
            let round = self.deepen(next, limit)?;
            if matches!(round, Round::Solved) {
                return Ok(round);
            }
            self.way.pop();
            self.holes ^= bit(tile as usize) | bit(hole as usize);
            self.at.0.swap(tile as usize, hole as usize);
            self.indexes[group] = old;
            match round {
                Round::Next(next) => least = least.min(next),
                other => return Ok(other),
            }
        }
        Ok(Round::Next(least))
    }
}
