//! The plain search: configurations in a list, exact and slow. It is the reference for the
//! tables and for the group, so it shares nothing with them but the type of a configuration:
//! its rule and its symmetries come from distances in the plane, and it lists the hole-sets
//! itself. It gives God's number, and by listing every configuration the number of components.

use std::collections::{BTreeMap, BTreeSet};

use pessoi_engine::explore::{ComponentsError, StateSpace, components, diameter, layers};
use pessoi_engine::ledger::{Chapter, Ledger};
use pessoi_engine::records::{Unusable, Words};
use pessoi_engine::run::{Run, Stop, Stopped};

use super::explore::{Explored, Pair};
use super::position::Position;
use crate::board::{Board, Cell, Lattice};
use crate::error::Error;
use crate::job::Work;

/// No list is that long; what says so is forged, and must not overflow later.
const MOST_STATES: u64 = 1 << 60;

/// A set of cells, a bit each.
type Set = u128;

/// The puzzle graph of a board.
pub(super) struct Configurations {
    cells: usize,
    /// For each cell, from where a tile may slide into it, and the cells of which one must
    /// be a hole for that.
    into: Vec<Vec<(usize, Set)>>,
    /// What the symmetries do to the cells, the identity among them.
    symmetries: Vec<Vec<usize>>,
}

/// The squared distance of cells that are so many rows and columns apart, where neighbours
/// are 1 apart.
fn squared(lattice: Lattice, down: i32, right: i32) -> i32 {
    match lattice {
        Lattice::Square => down * down + right * right,
        // Axes at 60 degrees.
        Lattice::Hex => down * down + down * right + right * right,
    }
}

impl Configurations {
    pub(super) fn new(board: &Board) -> Self {
        let (lattice, cells) = (board.lattice(), board.cells());
        let touch = |a: usize, b: usize| {
            squared(lattice, cells[b].row - cells[a].row, cells[b].col - cells[a].col) == 1
        };
        let all = 0..cells.len();
        let into = |hole: usize| {
            let thirds = |tile: usize| match lattice {
                Lattice::Square => Set::MAX,
                Lattice::Hex => {
                    let both =
                        all.clone().filter(|&third| touch(third, hole) && touch(third, tile));
                    both.fold(0, |set, third| set | 1 << third)
                }
            };
            let near = all.clone().filter(|&tile| touch(tile, hole));
            near.map(|tile| (tile, thirds(tile))).collect()
        };
        let into = all.clone().map(into).collect();
        Configurations { cells: cells.len(), into, symmetries: symmetries(lattice, cells) }
    }

    /// Offers the slides that some holes allow: the cell of the tile, and the hole.
    fn slides(&self, holes: Set, mut offer: impl FnMut(usize, usize)) {
        let mut left = holes;
        while left != 0 {
            let hole = left.trailing_zeros() as usize;
            left &= left - 1;
            for &(tile, third) in &self.into[hole] {
                if holes >> tile & 1 == 0 && holes & third != 0 {
                    offer(tile, hole);
                }
            }
        }
    }

    /// One start for each hole-set of the component of a configuration, up to symmetries
    /// that stay among these hole-sets.
    fn starts_of(
        &self,
        from: &Position,
        run: &Run,
        chapter: &Chapter,
    ) -> Result<Vec<Position>, Stop> {
        if let Some((starts, states)) = chapter.result::<(Vec<Position>, u64)>()? {
            if states >= MOST_STATES || !starts.iter().all(|start| self.holds(start)) {
                return Err(chapter.refuse(Unusable::Damaged));
            }
            run.tick(states)?;
            return Ok(starts);
        }
        let found = layers(self, [from.clone()], run, chapter)?;
        let depth = found.sizes().len() as u64;
        let mut sets = BTreeSet::new();
        for distance in 0..depth {
            sets.extend(found.layer(distance).map(holes_of));
        }
        let first = sets.iter().filter(|&&set| self.is_first(set, |image| sets.contains(&image)));
        let starts: Vec<_> = first.map(|&set| Position::home(self.cells, set)).collect();
        chapter.finish(&(starts.clone(), found.total()));
        Ok(starts)
    }

    /// One start for each hole-set that allows a slide, up to symmetry.
    fn all_starts(&self, holes: usize, run: &Run) -> Result<Vec<Position>, Stop> {
        let mut starts = Vec::new();
        // Sets as increasing lists of cells, in the order of a dictionary.
        let mut chosen: Vec<usize> = (0..holes).collect();
        loop {
            run.tick(1)?;
            let set = chosen.iter().fold(0, |set, cell| set | 1 << cell);
            let mut can_slide = false;
            self.slides(set, |_, _| can_slide = true);
            if can_slide && self.is_first(set, |_| true) {
                starts.push(Position::home(self.cells, set));
            }
            let can_move = |&k: &usize| chosen[k] < self.cells - holes + k;
            let Some(last) = (0..holes).rev().find(can_move) else { return Ok(starts) };
            let next = chosen[last] + 1;
            for (cell, number) in chosen[last..].iter_mut().zip(next..) {
                *cell = number;
            }
        }
    }

    /// Whether no symmetry takes a set to a smaller one of those that count.
    fn is_first(&self, set: Set, counts: impl Fn(Set) -> bool) -> bool {
        self.symmetries.iter().all(|image| {
            let cells = (0..self.cells).filter(|cell| set >> cell & 1 == 1);
            let image = cells.fold(0, |moved: Set, cell| moved | 1 << image[cell]);
            image >= set || !counts(image)
        })
    }
}

fn holes_of(position: &Position) -> Set {
    let holes = (0..).zip(&position.0).filter(|(_, tile)| **tile == 0);
    holes.fold(0, |set: Set, (cell, _): (u32, _)| set | 1 << cell)
}

/// Where the symmetries of a set of cells take each: all linear maps of the lattice that
/// keep distances, moved back to the same corner.
fn symmetries(lattice: Lattice, cells: &[Cell]) -> Vec<Vec<usize>> {
    let mut found = Vec::new();
    let corner = |cells: &[Cell]| {
        let row = cells.iter().map(|cell| cell.row).min().unwrap_or(0);
        (row, cells.iter().map(|cell| cell.col).min().unwrap_or(0))
    };
    let (top, left) = corner(cells);
    for map in 0..81 {
        let [a, b, c, d] = [1, 3, 9, 27].map(|power| map / power % 3 - 1);
        let length =
            |down: i32, right: i32| squared(lattice, a * down + b * right, c * down + d * right);
        // A quadratic form of two variables is known by three values.
        if [(1, 0), (0, 1), (1, 1)]
            .iter()
            .any(|&(down, right)| length(down, right) != squared(lattice, down, right))
        {
            continue;
        }
        let turn = |cell: &Cell| Cell {
            row: a * cell.row + b * cell.col,
            col: c * cell.row + d * cell.col,
        };
        let turned: Vec<Cell> = cells.iter().map(turn).collect();
        let (up, side) = corner(&turned);
        let place = |cell: &Cell| {
            let there = Cell { row: cell.row - up + top, col: cell.col - side + left };
            cells.iter().position(|&cell| cell == there)
        };
        found.extend(turned.iter().map(place).collect::<Option<Vec<usize>>>());
    }
    found
}

impl StateSpace for Configurations {
    type State = Position;

    fn starts(&self) -> impl Iterator<Item = Position> {
        std::iter::empty()
    }

    fn moves(&self, from: &Position, mut offer: impl FnMut(Position)) {
        self.slides(holes_of(from), |tile, hole| {
            let mut next = from.clone();
            next.0.swap(tile, hole);
            offer(next);
        });
    }

    /// A tile or a hole on each cell, and each tile once.
    fn holds(&self, state: &Position) -> bool {
        let mut tiles = state.tiles();
        tiles.sort_unstable();
        state.0.len() == self.cells && tiles.iter().copied().eq((1..).take(tiles.len()))
    }

    fn heap_bytes(&self) -> usize {
        self.cells
    }
}

/// What is to be explored.
pub(super) enum Around<'p> {
    /// All configurations with so many holes.
    Everything(usize),
    /// One component.
    Component(&'p Position),
}

/// Explores by searches from one hole-set of each class. Distances are counted from `start`,
/// or from one of the configurations farthest apart. It is kept in three chapters of the job's
/// ledger.
pub(super) fn explore(
    board: &Board,
    around: &Around,
    start: Option<&Position>,
    run: &Run,
    ledger: &Ledger,
) -> Result<Explored, Stopped<Pair>> {
    let nothing = |why| Stopped { why, so_far: None };
    let space = Configurations::new(board);
    let starts = match around {
        Around::Everything(holes) => space.all_starts(*holes, run).map_err(nothing)?,
        Around::Component(from) => {
            space.starts_of(from, run, &ledger.chapter("starts")).map_err(nothing)?
        }
    };
    let classes = starts.len() as u64;
    let known = |widest: pessoi_engine::explore::Antipodes<Position>| {
        (widest.distance, widest.from, widest.to)
    };
    let farthest = match diameter(&space, starts, run, &ledger.chapter("diameter")) {
        Ok(Some(widest)) => known(widest),
        Ok(None) => return Err(nothing(Stop::Cancelled)),
        Err(Stopped { why, so_far }) => return Err(Stopped { why, so_far: so_far.map(known) }),
    };
    let start = start.unwrap_or(&farthest.1).clone();
    let chapter = ledger.chapter("layers");
    let stopped = |why| Stopped { why, so_far: Some(farthest.clone()) };
    let known = chapter.result().map_err(stopped)?;
    let (histogram, states) = if let Some(known) = known {
        known
    } else {
        let layers = layers(&space, [start.clone()], run, &chapter);
        let histogram = layers.map_err(|layers| stopped(layers.why))?.sizes();
        let known = (histogram, run.progress().handled);
        chapter.finish(&known);
        known
    };
    Ok(Explored { farthest, histogram, start, searches: classes, classes, states })
}

/// What listing all configurations shows.
pub(super) struct Census {
    /// Configurations that allow no slide.
    pub(super) isolated: u64,
    /// The others.
    pub(super) others: u64,
    /// Components of the others.
    pub(super) components: u64,
    /// How many configurations each of them has, if all have as many.
    pub(super) size: Option<u64>,
    /// Whether configurations of one component with the same holes differ by even
    /// permutations only.
    pub(super) is_weakly_even: bool,
}

impl Words for Census {
    fn put(&self, words: &mut Vec<u64>) {
        [self.isolated, self.others, self.components, self.is_weakly_even.into()].put(words);
        self.size.put(words);
    }

    fn take(words: &mut &[u64]) -> Option<Self> {
        let [isolated, others, components, even] = <[u64; 4]>::take(words)?;
        let size = Words::take(words)?;
        if isolated.max(others) >= MOST_STATES {
            return None;
        }
        let is_weakly_even = [false, true].get(usize::try_from(even).ok()?).copied()?;
        Some(Census { isolated, others, components, size, is_weakly_even })
    }
}

/// Lists all configurations with so many holes, and which can be turned into each other.
pub(super) fn census(board: &Board, holes: usize, run: &Run, chapter: &Chapter) -> Work<Census> {
    if let Some(known) = chapter.result()? {
        return Ok(known);
    }
    let space = Everything { space: Configurations::new(board), holes };
    let found = match components(&space, run, chapter) {
        Ok(found) => found,
        Err(ComponentsError::Stopped(stop)) => return Err(stop.into()),
        // A tile slides back past the same hole.
        Err(error @ ComponentsError::OneWay(_)) => {
            return Err(Error::internal(error.to_string()).into());
        }
    };
    let sizes: Vec<u64> = found.joined().map(|component| component.size).collect();
    let is_weakly_even = found.states().all(|states| {
        let mut parities: BTreeMap<Set, bool> = BTreeMap::new();
        states.into_iter().all(|state| {
            let parity = is_odd(state);
            *parities.entry(holes_of(state)).or_insert(parity) == parity
        })
    });
    let size = sizes.first().copied().filter(|first| sizes.iter().all(|size| size == first));
    let isolated = found.isolated();
    let others = found.total() - isolated;
    let census = Census { isolated, others, components: sizes.len() as u64, size, is_weakly_even };
    chapter.finish(&census);
    Ok(census)
}

/// Whether the tiles, read cell by cell, are an odd permutation.
fn is_odd(position: &Position) -> bool {
    let tiles: Vec<u8> = position.0.iter().copied().filter(|&tile| tile != 0).collect();
    let pairs = (0..tiles.len()).flat_map(|k| (0..k).map(move |j| (j, k)));
    pairs.filter(|&(j, k)| tiles[j] > tiles[k]).count() % 2 == 1
}

/// All configurations with so many holes, and the slides between them.
struct Everything {
    space: Configurations,
    holes: usize,
}

impl StateSpace for Everything {
    type State = Position;

    /// In the order of a dictionary.
    fn starts(&self) -> impl Iterator<Item = Position> {
        let tiles = (1..).take(self.space.cells - self.holes);
        let first: Vec<u8> = std::iter::repeat_n(0, self.holes).chain(tiles).collect();
        std::iter::successors(Some(Position(first.into())), |position| {
            let mut next = position.clone();
            let cells = &mut next.0;
            let rise = (1..cells.len()).rev().find(|&k| cells[k - 1] < cells[k])?;
            let greater = (rise..cells.len()).rev().find(|&k| cells[k] > cells[rise - 1])?;
            cells.swap(rise - 1, greater);
            cells[rise..].reverse();
            Some(next)
        })
    }

    fn moves(&self, from: &Position, offer: impl FnMut(Position)) {
        self.space.moves(from, offer);
    }

    fn holds(&self, state: &Position) -> bool {
        self.space.holds(state) && state.tiles().len() == self.space.cells - self.holes
    }

    fn heap_bytes(&self) -> usize {
        self.space.heap_bytes()
    }
}

/// About the bytes that a configuration in a list costs.
pub(super) fn bytes_of_one(cells: usize) -> u64 {
    80 + cells as u64
}

#[cfg(test)]
mod tests {
    use super::super::rule::Puzzle;
    use super::*;

    /// Two derivations of the same rule and the same symmetries.
    #[test]
    fn the_rule_and_the_symmetries_are_those_of_the_board() {
        for text in ["P3x4", "T4", "F3", "tP3x4", "4x4", "3x5", "hex\n. . .\n . # .\n  . . .\n"] {
            let board = Board::try_from(text.to_owned()).unwrap();
            let (plain, puzzle) = (Configurations::new(&board), Puzzle::new(&board));
            let mut mine = plain.symmetries.clone();
            let theirs = board.symmetries();
            let theirs = theirs.iter().map(|known| {
                known.permutation.iter().map(|&cell| cell as usize).collect::<Vec<_>>()
            });
            let mut theirs: Vec<_> = theirs.collect();
            mine.sort();
            theirs.sort();
            assert_eq!(mine, theirs, "{text}");
            for seed in 0..200u128 {
                let holes = (seed * 0x9e37_79b9_7f4a_7c15) % (1 << board.len());
                let mut slides = Vec::new();
                puzzle.slides(holes, |tile, hole| slides.push((tile as usize, hole as usize)));
                slides.sort_unstable();
                let mut mine = Vec::new();
                plain.slides(holes, |tile, hole| mine.push((tile, hole)));
                mine.sort_unstable();
                assert_eq!(mine, slides, "{text} {holes:b}");
            }
        }
    }
}
