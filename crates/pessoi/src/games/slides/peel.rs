//! Some solution on any board, tile by tile.
//!
//! To **peel** a board is to take cells away from its rim, as long as what is left can still
//! be solved on its own: the group of the rest must hold every even permutation of the tiles
//! that it moves, and no more tiles may be stuck than before. Often one cell can go; on
//! hexagonal boards with two holes, where tiles move in rings of seven cells, up to three
//! must go together. What is left in the end is small and is the **core**. A solution then
//! brings the right tiles to the peeled cells in turn, by a search over the holes and these
//! tiles, and never touches them again; the core is solved from both ends. Each tile takes
//! some ten slides, so the solution is of a reasonable length, but hardly the shortest.
//!
//! More holes than are needed are filled with blank tiles first: searches are small with
//! few holes, and what can be done with some holes can be done with more.

use std::cmp::Reverse;

use pessoi_engine::run::{Run, Stop};
use rustc_hash::FxHashMap;

use super::draw::centre;
use super::holes::{Holes, Reach, choose};
use super::meet::{self, Met};
use super::position::Position;
use super::rule::{Cells, Puzzle, bit};
use crate::board::{Board, Lattice};

/// Holes with more sets than this are not tried.
const MOST_SETS: u64 = 200_000;
/// A core is small enough when it has so many configurations in a component.
const CORE: u64 = 400_000;
/// The most configurations that solving the core may visit.
const MOST_IN_CORE: u64 = 4_000_000;

/// Looks for a solution; `None` if none was found, which proves nothing.
pub(super) fn solve(
    puzzle: &Puzzle,
    from: &Position,
    to: &Position,
    run: &Run,
) -> Result<Option<Vec<Position>>, Stop> {
    let tiles = from.tiles().len() as u8;
    let holes = puzzle.len() - tiles as usize;
    let fewest = if puzzle.board.lattice() == Lattice::Hex { 2 } else { 1 };
    let mut way = None;
    for most in [fewest, fewest + 1, holes] {
        let sets = choose(puzzle.len(), most).unwrap_or(u64::MAX);
        if most > holes || sets > MOST_SETS || way.is_some() {
            continue;
        }
        if let (Some(start), Some(mut goal)) =
            (few_holes(puzzle, from, most), few_holes(puzzle, to, most))
            && can_reach(puzzle, &start, &mut goal, (tiles, most), run)?
        {
            way = with_few_holes(puzzle, &start, &goal, run)?;
        }
    }
    let Some(way) = way else { return Ok(None) };
    // Blank tiles are holes again.
    let bare = |position: Position| {
        Position(position.0.iter().map(|&tile| if tile > tiles { 0 } else { tile }).collect())
    };
    let way: Vec<Position> = way.into_iter().map(bare).collect();
    Ok(Some(without_detours(&way)))
}

/// Whether the goal can be reached with so few holes. Blank tiles are all alike, so two of
/// them may be exchanged to make an odd goal even.
fn can_reach(
    puzzle: &Puzzle,
    start: &Position,
    goal: &mut Position,
    (tiles, holes): (u8, usize),
    run: &Run,
) -> Result<bool, Stop> {
    let known = Holes::new(puzzle, holes, run)?;
    if known.reach(start, goal) == Reach::Odd {
        let blank = |tile: u8| goal.0.iter().position(|&there| there == tile);
        if let (Some(a), Some(b)) = (blank(tiles + 1), blank(tiles + 2)) {
            goal.0.swap(a, b);
        }
    }
    Ok(known.reach(start, goal) == Reach::Reached)
}

/// The configuration with blank tiles in all holes but a few that allow a slide.
fn few_holes(puzzle: &Puzzle, position: &Position, most: usize) -> Option<Position> {
    let holes = position.holes();
    if holes.count_ones() as usize <= most {
        return Some(position.clone());
    }
    let cells: Vec<usize> = (0..puzzle.len()).filter(|&cell| holes & bit(cell) != 0).collect();
    // The holes of a slide, and the first others.
    for (k, &a) in cells.iter().enumerate() {
        for &b in &cells[k..] {
            let mut kept = bit(a) | bit(b);
            for &other in &cells {
                if (kept.count_ones() as usize) < most {
                    kept |= bit(other);
                }
            }
            if kept.count_ones() as usize > most || puzzle.is_isolated(kept) {
                continue;
            }
            let mut blank = position.tiles().len() as u8;
            let mut filled = position.clone();
            for &cell in cells.iter().filter(|&&cell| kept & bit(cell) == 0) {
                blank += 1;
                filled.0[cell] = blank;
            }
            return Some(filled);
        }
    }
    None
}

/// Leaves out whatever lies between two visits of one configuration.
pub(super) fn without_detours(way: &[Position]) -> Vec<Position> {
    let mut last: FxHashMap<&Position, usize> = FxHashMap::default();
    for (k, position) in way.iter().enumerate() {
        last.insert(position, k);
    }
    let mut short = Vec::new();
    let mut at = 0;
    while at < way.len() {
        short.push(way[at].clone());
        at = last[&way[at]] + 1;
    }
    short
}

/// Part of a board, with the cells of the whole that it has.
struct Rest {
    puzzle: Puzzle,
    cells: Vec<usize>,
}

impl Rest {
    fn new(whole: &Puzzle, cells: Vec<usize>) -> Option<Rest> {
        let lattice = whole.board.lattice();
        let board = Board::from_cells(lattice, cells.iter().map(|&c| whole.board.cell(c))).ok()?;
        // Cells of a board are in order, and so are these.
        Some(Rest { puzzle: Puzzle::new(&board), cells })
    }

    /// What can be moved with the fewest holes, if that is every even permutation of it.
    fn mobility(&self, run: &Run) -> Result<Option<usize>, Stop> {
        let fewest = if self.puzzle.board.lattice() == Lattice::Hex { 2 } else { 1 };
        if self.cells.len() <= fewest {
            return Ok(None);
        }
        let holes = Holes::new(&self.puzzle, fewest, run)?;
        Ok(match &holes.parts[..] {
            [part] if part.group.is_giant() => Some(part.group.moved().len()),
            _ => None,
        })
    }

    /// Whether the cells with neighbours all around are connected. Shapes that are connected
    /// only at their rims can soon be peeled no further.
    fn is_compact(&self) -> bool {
        let board = &self.puzzle.board;
        if board.lattice() == Lattice::Square {
            return true;
        }
        let mut inner: Vec<usize> =
            (0..board.len()).filter(|&cell| board.neighbours(cell).count() == 6).collect();
        let Some(first) = inner.pop() else { return false };
        let mut queue = vec![first];
        while let Some(here) = queue.pop() {
            for near in board.neighbours(here) {
                if let Some(k) = inner.iter().position(|&cell| cell == near) {
                    queue.push(inner.swap_remove(k));
                }
            }
        }
        inner.is_empty()
    }

    fn is_small(&self, holes: usize) -> bool {
        let n = self.cells.len() as u64;
        let states = (holes as u64 + 1..=n).try_fold(1u64, u64::checked_mul);
        states.is_some_and(|states| states <= CORE)
    }

    /// What a configuration of the whole is on this part, its tiles renumbered by the list.
    fn restrict(&self, position: &Position, tiles: &[u8]) -> Option<Position> {
        let number = |&cell: &usize| match position.0[cell] {
            0 => Some(0),
            tile => tiles.iter().position(|&t| t == tile).map(|k| k as u8 + 1),
        };
        Some(Position(self.cells.iter().map(number).collect::<Option<_>>()?))
    }
}

/// The middle of the cell that is nearest to the mean of all.
fn middle(puzzle: &Puzzle) -> (f64, f64) {
    let centres: Vec<(f64, f64)> = (0..puzzle.len()).map(|cell| centre(puzzle, cell)).collect();
    let mean =
        |side: fn(&(f64, f64)) -> f64| centres.iter().map(side).sum::<f64>() / centres.len() as f64;
    let (x, y) = (mean(|c| c.0), mean(|c| c.1));
    let off = |c: &(f64, f64)| (c.0 - x).powi(2) + (c.1 - y).powi(2);
    centres.iter().copied().min_by(|a, b| off(a).total_cmp(&off(b))).unwrap_or((x, y))
}

/// The most cells that are peeled together.
const TOGETHER: usize = 3;

/// The cells to peel, those that go together in one list, and the core.
fn peel(puzzle: &Puzzle, holes: usize, run: &Run) -> Result<(Vec<Vec<usize>>, Option<Rest>), Stop> {
    let Some(mut rest) = Rest::new(puzzle, (0..puzzle.len()).collect()) else {
        return Ok((Vec::new(), None));
    };
    let mut peeled = Vec::new();
    let middle = middle(puzzle);
    let Some(mut moved) = rest.mobility(run)? else { return Ok((peeled, Some(rest))) };
    let compact = rest.is_compact();
    'peeling: while !rest.is_small(holes) {
        // What is far from the middle first, so that the core is compact.
        let far = |&k: &usize| {
            let (x, y) = centre(puzzle, rest.cells[k]);
            let (x, y) = (x - middle.0, y - middle.1);
            Reverse((100.0 * (x * x + y * y)) as u64)
        };
        let mut rim: Vec<usize> = (0..rest.cells.len()).collect();
        rim.sort_by_key(|k| (far(k), rest.puzzle.board.neighbours(*k).count()));
        for size in 1..=TOGETHER {
            for &first in &rim {
                for group in groups(&rest.puzzle, first, size) {
                    run.check()?;
                    let is_left = |k: &usize| !group.contains(k);
                    let left: Vec<usize> = (0..rest.cells.len()).filter(is_left).collect();
                    let cells = left.into_iter().map(|k| rest.cells[k]).collect();
                    let Some(smaller) = Rest::new(puzzle, cells) else { continue };
                    if compact && !smaller.is_compact() {
                        continue;
                    }
                    if let Some(left) = smaller.mobility(run)?
                        && left + size >= moved
                    {
                        peeled.push(group.iter().map(|&k| rest.cells[k]).collect());
                        (rest, moved) = (smaller, left);
                        continue 'peeling;
                    }
                }
            }
        }
        break;
    }
    Ok((peeled, Some(rest)))
}

/// A cell with others, so many in all, that are connected.
fn groups(puzzle: &Puzzle, first: usize, size: usize) -> Vec<Vec<usize>> {
    let mut found = vec![vec![first]];
    for _ in 1..size {
        let mut larger = Vec::new();
        for group in &found {
            for near in group.iter().flat_map(|&cell| puzzle.board.neighbours(cell)) {
                if !group.contains(&near) {
                    let mut more = group.clone();
                    more.push(near);
                    larger.push(more);
                }
            }
        }
        found = larger;
    }
    found
}

fn with_few_holes(
    puzzle: &Puzzle,
    from: &Position,
    to: &Position,
    run: &Run,
) -> Result<Option<Vec<Position>>, Stop> {
    let holes = from.holes().count_ones() as usize;
    run.stage("peeling the board", 0);
    let (peeled, Some(core)) = peel(puzzle, holes, run)? else { return Ok(None) };
    // The goal with its holes in the core.
    let Some(inside) = core.puzzle.home_holes(holes) else { return Ok(None) };
    let inside = (0..core.cells.len())
        .filter(|&k| inside & bit(k) != 0)
        .fold(0, |set, k| set | bit(core.cells[k]));
    let Some(back) = walk(puzzle, to, &[], 0, run, |holes, _| holes == inside)? else {
        return Ok(None);
    };
    let Some(goal) = back.last().cloned() else { return Ok(None) };

    run.stage("tile by tile", peeled.len() as u64);
    let mut way = vec![from.clone()];
    let mut frozen: Cells = 0;
    for cells in &peeled {
        let Some(here) = way.last().cloned() else { return Ok(None) };
        let gone = cells.iter().fold(0, |set, &cell| set | bit(cell));
        let next = frozen | gone;
        let tiles: Vec<(u8, usize)> = cells.iter().map(|&cell| (goal.0[cell], cell)).collect();
        let done = |holes: Cells, at: &[u8]| {
            let in_place = at.iter().zip(cells).all(|(&at, &cell)| at as usize == cell);
            in_place && holes & gone == 0 && !is_stuck(puzzle, holes, next)
        };
        let Some(steps) = walk(puzzle, &here, &tiles, frozen, run, done)? else {
            return Ok(None);
        };
        way.extend(steps.into_iter().skip(1));
        frozen = next;
        run.step(1);
    }
    let Some(here) = way.last().cloned() else { return Ok(None) };
    let mut tiles: Vec<u8> = core.cells.iter().map(|&c| goal.0[c]).filter(|&t| t != 0).collect();
    tiles.sort_unstable();
    let (Some(a), Some(b)) = (core.restrict(&here, &tiles), core.restrict(&goal, &tiles)) else {
        return Ok(None);
    };
    if Holes::new(&core.puzzle, holes, run)?.reach(&a, &b) != Reach::Reached {
        return Ok(None);
    }
    let Met::Solution(steps) = meet::solve(&core.puzzle, &a, &b, MOST_IN_CORE, run)? else {
        return Ok(None);
    };
    for step in steps.iter().skip(1) {
        let mut next = here.clone();
        for (&cell, &tile) in core.cells.iter().zip(&step.0) {
            next.0[cell] = tile.checked_sub(1).map_or(0, |k| tiles[k as usize]);
        }
        way.push(next);
    }
    way.extend(back.into_iter().rev().skip(1));
    Ok(Some(way))
}

/// Whether no tile outside the frozen cells can slide.
fn is_stuck(puzzle: &Puzzle, holes: Cells, frozen: Cells) -> bool {
    let mut stuck = true;
    puzzle.slides(holes, |tile, _| stuck &= frozen & bit(tile as usize) != 0);
    stuck
}

/// How many steps two cells are apart on the lattice.
fn distance(puzzle: &Puzzle, a: usize, b: usize) -> u32 {
    let (a, b) = (puzzle.board.cell(a), puzzle.board.cell(b));
    let (down, right) = (b.row - a.row, b.col - a.col);
    match puzzle.board.lattice() {
        Lattice::Square => down.unsigned_abs() + right.unsigned_abs(),
        Lattice::Hex => {
            down.unsigned_abs().max(right.unsigned_abs()).max((down + right).unsigned_abs())
        }
    }
}

/// The most states of holes and tiles that one walk may see.
const MOST_WALKED: usize = 5_000_000;

/// The holes, and where some tiles are.
type Seen = (Cells, [u8; TOGETHER]);

/// How many slides a step of a tile towards its cell is expected to take.
const A_STEP: u32 = 8;

/// A way on which the holes, and the cells of some tiles, come to what is wanted, without
/// touching frozen cells. The tiles are given with their goals. For one tile it is the
/// shortest way; for several, what brings them nearer to their goals is tried first.
fn walk(
    puzzle: &Puzzle,
    from: &Position,
    tiles: &[(u8, usize)],
    frozen: Cells,
    run: &Run,
    done: impl Fn(Cells, &[u8]) -> bool,
) -> Result<Option<Vec<Position>>, Stop> {
    let mut places = [u8::MAX; TOGETHER];
    for (place, (tile, _)) in places.iter_mut().zip(tiles) {
        let cell = from.0.iter().position(|there| there == tile);
        *place = cell.map_or(u8::MAX, |cell| cell as u8);
    }
    let start: Seen = (from.holes(), places);
    let mut before: FxHashMap<Seen, Seen> = FxHashMap::default();
    before.insert(start, start);
    let far = |at: &[u8; TOGETHER]| {
        let apart = |(&at, &(_, goal)): (&u8, &(u8, usize))| distance(puzzle, at.into(), goal);
        if tiles.len() < 2 { 0 } else { at.iter().zip(tiles).map(apart).sum() }
    };
    // By slides so far and what is expected to remain; what came first goes first.
    let mut queue = std::collections::BinaryHeap::from([Reverse((0, 0u64, 0u32, start))]);
    let mut handled = 0u64;
    let mut claim = run.claim();
    while let Some(Reverse((_, _, slides, here))) = queue.pop() {
        let (holes, at) = here;
        handled += 1;
        if handled.is_multiple_of(4096) {
            run.tick(4096)?;
            claim.grow_to(before.len() as u64 * 200)?;
        }
        if done(holes, &at[..tiles.len()]) {
            let mut states = vec![here];
            let mut state = here;
            while state != start {
                state = before[&state];
                states.push(state);
            }
            states.reverse();
            let mut way = vec![from.clone()];
            for pair in states.windows(2) {
                let changed = pair[0].0 ^ pair[1].0;
                // A slide turns one hole into an occupied cell and one such cell into a hole.
                let to = (changed & pair[0].0).trailing_zeros() as u8;
                let from = (changed & pair[1].0).trailing_zeros() as u8;
                way.extend(way.last().map(|position| position.after(from, to)));
            }
            return Ok(Some(way));
        }
        if before.len() > MOST_WALKED {
            return Ok(None);
        }
        puzzle.slides(holes, |from, to| {
            if frozen & bit(from as usize) == 0 {
                let at = at.map(|cell| if cell == from { to } else { cell });
                let next = (holes ^ bit(from as usize) ^ bit(to as usize), at);
                let number = before.len() as u64;
                before.entry(next).or_insert_with(|| {
                    let slides = slides + 1;
                    queue.push(Reverse((slides + A_STEP * far(&at), number, slides, next)));
                    here
                });
            }
        });
    }
    Ok(None)
}
