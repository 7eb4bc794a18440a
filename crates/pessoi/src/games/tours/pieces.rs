//! A lower bound: tours that visit the pieces of a board one after the other.
//!
//! A board is cut along rows and columns into *pieces*, which are taken in turn: row by row and
//! there and back for an open path, and in a ring for a closed one. A path that covers each piece
//! before it leaves it is a path through every piece, from any cell of it to any other, and a move
//! from the last cell of a piece to the first of the next. If the paths of each piece are counted
//! between all pairs of cells, the number of all these is a product of matrices: paths of the first
//! piece, moves, paths of the second piece, and so on. They are different paths of the whole board,
//! so it has at least as many.
//!
//! The Diplomatico paper's lower bound is of this kind, with one way into each piece and one out of
//! it ([`super::tiling`]): on 10×10 that gives 10^5.6 directed paths. Here all ends and all joins
//! count.
//!
//! Two pieces of an open path can be larger: only the cells with a move into the other piece matter
//! there, and for each of them the number of paths that end there, anywhere they begin.
//!
//! Numbers are floats that are divided by powers of two on the way. All are positive, so each
//! operation errs by at most one part in 2^53, and the bound is less by more than all of them.

use std::collections::BTreeMap;
use std::f64::consts::LN_2;

use num_traits::ToPrimitive;
use pessoi_engine::ledger::Chapter;
use pessoi_engine::pairings::{CountError, count};
use pessoi_engine::run::{Run, Stop};
use pessoi_engine::search::{Cut, Part};

use super::branch::Branching;
use super::pairings;
use super::task::Task;
use crate::board::{Board, Cell, Lattice};
use crate::games::leapers::offsets;

/// A piece with more cells has too many paths to count them between all pairs of cells.
const MOST_FOR_ALL_PAIRS: usize = 42;
/// Ways to cut a board that are tried: those with the fewest pieces.
const MOST_WAYS: usize = 6;
/// The shortest side of a piece; on shorter ones there is hardly a path.
const SHORTEST: usize = 3;

/// Steps (see [`Run::granted`]) for the paths of one piece: some seconds. Where a time limit is
/// given, that is the only one.
pub(super) const MOST_STEPS: u64 = 20_000;

/// What is known of the number of tours from below.
pub(super) struct AtLeast {
    /// A number of undirected tours that there surely are, as its natural logarithm; `None` if
    /// numbers are fixed, or if no such tour was met.
    pub(super) ln: Option<f64>,
    /// What ended the work before all ways to cut the board were tried.
    pub(super) stopped: Option<Stop>,
    /// Ways to cut the board with a piece whose paths were too many to be counted.
    pub(super) too_dear: usize,
}

/// A lower bound from pieces of so many cells at most.
pub(super) fn at_least(task: &Task, most_cells: usize, run: &Run) -> AtLeast {
    let mut least = AtLeast { ln: None, stopped: None, too_dear: 0 };
    if task.is_numbered() || task.len() < 3 {
        return least;
    }
    run.stage("counting paths of pieces", 0);
    let leapers = task.leapers();
    let mut known = Known { leapers, offsets: offsets(leapers), run, paths: BTreeMap::new() };
    for (heights, widths) in ways(task, most_cells) {
        match known.best(task, &heights, &widths) {
            Ok(found) => least.ln = least.ln.into_iter().chain(found).reduce(f64::max),
            Err(Stop::Steps { .. }) => least.too_dear += 1,
            Err(stop) => {
                least.stopped = Some(stop);
                break;
            }
        }
    }
    least
}

/// Ways to cut a board: those with the fewest pieces, and of these the one with the smallest first,
/// so that something is known soon.
fn ways(task: &Task, most_cells: usize) -> Vec<(Vec<usize>, Vec<usize>)> {
    let largest = |(heights, widths): &(Vec<usize>, Vec<usize>)| {
        let side = |sides: &[usize]| sides.iter().copied().max().unwrap_or(0);
        side(heights) * side(widths)
    };
    let widths = cuts(task.board.cols());
    let mut ways: Vec<_> = cuts(task.board.rows())
        .into_iter()
        .flat_map(|heights| widths.iter().map(move |widths| (heights.clone(), widths.clone())))
        .filter(|way| largest(way) <= most_cells)
        .collect();
    ways.sort_by_key(|(heights, widths)| heights.len() * widths.len());
    ways.truncate(MOST_WAYS);
    ways.sort_by_key(largest);
    ways
}

/// Ways to cut a side into pieces that are as equal as can be.
fn cuts(side: usize) -> Vec<Vec<usize>> {
    let parts = (1..=side).take_while(|parts| *parts == 1 || side / parts >= SHORTEST);
    parts
        .map(|parts| (0..parts).map(|k| side * (k + 1) / parts - side * k / parts).collect())
        .collect()
}

/// Some cells of a board.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Piece {
    /// Where its first row and column are, and how many it has.
    top: usize,
    left: usize,
    height: usize,
    width: usize,
    /// Its cells from there, as rows and columns.
    cells: Vec<(usize, usize)>,
}

impl Piece {
    fn len(&self) -> usize {
        self.cells.len()
    }

    fn board(&self) -> Option<Board> {
        let cells = self.cells.iter();
        let cells = cells.map(|&(row, col)| Cell { row: row as i32, col: col as i32 });
        Board::from_cells(Lattice::Square, cells).ok()
    }

    /// For each cell here, the cells of another piece one move away.
    fn joins(&self, to: &Piece, offsets: &[(i32, i32)]) -> Vec<Vec<usize>> {
        let there = |row: usize, col: usize, &(down, right): &(i32, i32)| {
            let row = (self.top + row).checked_add_signed(down as isize)?.checked_sub(to.top)?;
            let col = (self.left + col).checked_add_signed(right as isize)?.checked_sub(to.left)?;
            to.cells.binary_search(&(row, col)).ok()
        };
        let of = |&(row, col): &(usize, usize)| {
            offsets.iter().filter_map(|offset| there(row, col, offset)).collect()
        };
        self.cells.iter().map(of).collect()
    }
}

/// A board cut into rows of pieces.
struct Grid {
    pieces: Vec<Piece>,
    rows: usize,
    cols: usize,
}

impl Grid {
    fn new(task: &Task, heights: &[usize], widths: &[usize]) -> Self {
        let mut pieces = Vec::new();
        let mut top = 0;
        for &height in heights {
            let mut left = 0;
            for &width in widths {
                let all = (0..height).flat_map(|row| (0..width).map(move |col| (row, col)));
                let is_there = |&(row, col): &(usize, usize)| {
                    let cell = Cell { row: (top + row) as i32, col: (left + col) as i32 };
                    task.board.index(cell).is_some()
                };
                let cells = all.filter(is_there).collect();
                pieces.push(Piece { top, left, height, width, cells });
                left += width;
            }
            top += height;
        }
        Grid { pieces, rows: heights.len(), cols: widths.len() }
    }

    fn at(&self, (row, col): (usize, usize), turned: bool) -> usize {
        let (row, col) = if turned { (col, row) } else { (row, col) };
        row * self.cols + col
    }

    /// There and back, row by row; and column by column.
    fn snakes(&self) -> Vec<Vec<usize>> {
        let snake = |rows: usize, cols: usize, turned: bool| {
            let row = move |row: usize| {
                (0..cols).map(move |k| (row, if row.is_multiple_of(2) { k } else { cols - 1 - k }))
            };
            (0..rows).flat_map(row).map(|place| self.at(place, turned)).collect()
        };
        let mut snakes = vec![snake(self.rows, self.cols, false)];
        if self.rows > 1 && self.cols > 1 {
            snakes.push(snake(self.cols, self.rows, true));
        }
        snakes
    }

    /// There and back in all columns but the first, which leads back to the beginning; and the same
    /// with rows and columns exchanged. One of both must be an even number.
    fn rings(&self) -> Vec<Vec<usize>> {
        let ring = |rows: usize, cols: usize, turned: bool| {
            if rows % 2 == 1 || cols < 2 {
                return None;
            }
            let row = move |row: usize| {
                (1..cols).map(move |k| (row, if row.is_multiple_of(2) { k } else { cols - k }))
            };
            let there = (0..rows).flat_map(row);
            let back = (0..rows).rev().map(|row| (row, 0));
            Some(there.chain(back).map(|place| self.at(place, turned)).collect())
        };
        // One piece, and two side by side, are rings too.
        let few = (self.pieces.len() <= 2).then(|| (0..self.pieces.len()).collect());
        let turned = ring(self.cols, self.rows, true);
        few.into_iter().chain(ring(self.rows, self.cols, false)).chain(turned).collect()
    }
}

/// For each pair of cells of a piece how many paths lead from one to the other.
type Paths = Vec<Vec<f64>>;

/// The paths of pieces.
struct Known<'t> {
    leapers: &'t [(i32, i32)],
    offsets: Vec<(i32, i32)>,
    run: &'t Run,
    /// By cells, or what kept them from being counted.
    paths: BTreeMap<Vec<(usize, usize)>, Result<Paths, Stop>>,
}

impl Known<'_> {
    /// The best bound from pieces of these heights and widths.
    fn best(
        &mut self,
        task: &Task,
        heights: &[usize],
        widths: &[usize],
    ) -> Result<Option<f64>, Stop> {
        let grid = Grid::new(task, heights, widths);
        let mut best: Option<f64> = None;
        for order in if task.closed { grid.rings() } else { grid.snakes() } {
            let pieces: Vec<&Piece> =
                order.iter().map(|&at| &grid.pieces[at]).filter(|piece| piece.len() > 0).collect();
            let found = match pieces[..] {
                [one, other] if !task.closed => self.two(one, other)?,
                _ if pieces.iter().all(|piece| piece.len() <= MOST_FOR_ALL_PAIRS) => {
                    self.product(&pieces, task.closed)?
                }
                _ => None,
            };
            best = best.into_iter().chain(found).reduce(f64::max);
        }
        Ok(best)
    }

    /// How many open paths visit these two pieces one after the other.
    fn two(&mut self, one: &Piece, other: &Piece) -> Result<Option<f64>, Stop> {
        let joins = one.joins(other, &self.offsets);
        let back = other.joins(one, &self.offsets);
        let is_joined =
            |joins: &[Vec<usize>]| joins.iter().map(|to| !to.is_empty()).collect::<Vec<_>>();
        let here = self.ending(one, &is_joined(&joins))?;
        let there = self.ending(other, &is_joined(&back))?;
        let moves = here.iter().zip(&joins);
        let onwards = |to: &[usize]| to.iter().map(|&to| there[to]).sum::<f64>();
        let sum: f64 = moves.map(|(ways, to)| ways * onwards(to)).sum();
        let operations = (one.len() * 10) as f64;
        Ok((sum > 0.0).then(|| sum.ln() - (operations + sum.ln().abs()) * f64::EPSILON))
    }

    /// How many paths of a piece end at each of the cells that are wanted.
    fn ending(&mut self, piece: &Piece, wanted: &[bool]) -> Result<Vec<f64>, Stop> {
        if piece.len() <= MOST_FOR_ALL_PAIRS {
            return Ok(self.paths(piece)?.iter().map(|row| row.iter().sum()).collect());
        }
        let mut ending: Vec<Option<f64>> = vec![None; piece.len()];
        let Some(board) = piece.board() else { return Ok(vec![0.0; piece.len()]) };
        let symmetries = board.symmetries();
        for cell in (0..piece.len()).filter(|&cell| wanted[cell]) {
            if ending[cell].is_some() {
                continue;
            }
            let found = self.from(&board, cell as u32)?;
            for symmetry in &symmetries {
                ending[symmetry.permutation[cell] as usize] = Some(found);
            }
        }
        Ok(ending.into_iter().map(Option::unwrap_or_default).collect())
    }

    /// How many paths begin at a cell.
    fn from(&self, board: &Board, cell: u32) -> Result<f64, Stop> {
        let Ok(task) = Task::from(board.clone(), self.leapers, cell) else { return Ok(0.0) };
        let Ok(tours) = pairings::tours(&task) else { return Ok(0.0) };
        match count(&tours, self.run) {
            Ok(counted) => {
                Ok(counted.total.to_f64().filter(|ways| ways.is_finite()).unwrap_or(0.0))
            }
            Err(CountError::Stop(stop)) => Err(stop),
            // What was not counted is not there, for a lower bound.
            Err(_) => Ok(0.0),
        }
    }

    /// How many tours visit these pieces in this order.
    fn product(&mut self, pieces: &[&Piece], closed: bool) -> Result<Option<f64>, Stop> {
        let Some(first) = pieces.first() else { return Ok(None) };
        // For each cell of the present piece the ways to it so far: from anywhere, or, if they must
        // come back, from each cell of the first piece.
        let n = first.len();
        let mut ways: Vec<Vec<f64>> = if closed {
            let one = |k: usize| (0..n).map(|cell| f64::from(u8::from(cell == k))).collect();
            (0..n).map(one).collect()
        } else {
            vec![vec![1.0; n]]
        };
        let (mut scale, mut operations) = (0.0, 10.0);
        for (k, piece) in pieces.iter().enumerate() {
            self.run.check()?;
            let joins = match pieces.get(k + 1) {
                Some(next) => Some((piece.joins(next, &self.offsets), next.len())),
                None if closed => Some((piece.joins(first, &self.offsets), n)),
                None => None,
            };
            let paths = self.paths(piece)?;
            let mut most = 0f64;
            for row in &mut ways {
                let ending = (0..piece.len())
                    .map(|to| row.iter().zip(paths).map(|(ways, row)| ways * row[to]).sum::<f64>());
                let ending: Vec<f64> = ending.collect();
                *row = match &joins {
                    None => ending,
                    Some((joins, len)) => {
                        let mut there = vec![0.0; *len];
                        for (ways, to) in ending.iter().zip(joins) {
                            for &to in to {
                                there[to] += ways;
                            }
                        }
                        there
                    }
                };
                most = row.iter().copied().fold(most, f64::max);
            }
            operations += 3.0 * (piece.len() + n) as f64;
            if most == 0.0 {
                return Ok(None);
            }
            let power = most.log2().floor();
            ways.iter_mut().flatten().for_each(|ways| *ways *= (-power).exp2());
            scale += power * LN_2;
        }
        let sum: f64 =
            if closed { (0..n).map(|k| ways[k][k]).sum() } else { ways.iter().flatten().sum() };
        if sum == 0.0 {
            return Ok(None);
        }
        // Pieces have an order, and so a tour has a direction; unless there are too few of them.
        let (mut found, few) = (scale + sum.ln(), if closed { 2 } else { 1 });
        if pieces.len() <= few {
            found -= LN_2;
        }
        // A loop in one piece is met from each of its cells.
        if closed && pieces.len() == 1 {
            found -= (n as f64).ln();
        }
        Ok(Some(found - (operations + found.abs()) * f64::EPSILON))
    }

    /// The number of paths between all pairs of cells of a piece.
    fn paths(&mut self, piece: &Piece) -> Result<&Paths, Stop> {
        if !self.paths.contains_key(&piece.cells) {
            let is_timed = self.run.budget().time.is_some();
            let granted = if is_timed { self.run.clone() } else { self.run.granted(MOST_STEPS) };
            let paths = self.count(piece, &granted);
            self.paths.insert(piece.cells.clone(), paths);
        }
        self.paths[&piece.cells].as_ref().map_err(Clone::clone)
    }

    fn count(&self, piece: &Piece, run: &Run) -> Result<Paths, Stop> {
        let n = piece.len();
        let mut paths = vec![vec![0.0; n]; n];
        if n == 1 {
            paths[0][0] = 1.0;
            return Ok(paths);
        }
        let Some(board) = piece.board() else { return Ok(paths) };
        let symmetries = board.symmetries();
        let mut done = vec![vec![false; n]; n];
        for a in 0..n {
            for b in a + 1..n {
                if done[a][b] {
                    continue;
                }
                let found = self.between(&board, a as u32, b as u32, run)?;
                for symmetry in &symmetries {
                    let [a, b] = [a, b].map(|cell| symmetry.permutation[cell] as usize);
                    for (from, to) in [(a, b), (b, a)] {
                        paths[from][to] = found;
                        done[from][to] = true;
                    }
                }
            }
        }
        Ok(paths)
    }

    fn between(&self, board: &Board, a: u32, b: u32, run: &Run) -> Result<f64, Stop> {
        let Ok(task) = Task::between(board.clone(), self.leapers, a, b) else { return Ok(0.0) };
        let Some(branching) = Branching::new(&task) else { return Ok(0.0) };
        let whole = Cut::new(Part::WHOLE);
        let (paths, _) = branching.weigh(whole, run, &Chapter::unkept()).map_err(Stop::from)?;
        Ok(paths as f64)
    }
}
