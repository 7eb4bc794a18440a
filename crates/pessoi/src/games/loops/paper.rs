//! The two algorithms of Kapralov, Bakoev and Kapralov, as published.
//!
//! Cells of a board are numbered row by row from 1. For the knight the board has k + 1 rows
//! and columns: no closed path of length k is larger. A path is the sequence of its cells'
//! numbers, and a class is named by its smallest sequence: over the eight images, each moved
//! to the upper left, all starts and both directions.
//!
//! *Algorithm 1* extends paths cell by cell from each start in the left half of the first
//! row, to all unvisited cells, looks at the end whether they close, and keeps those that
//! are smallest. *Algorithm 2* collects, for each start, the walks of half the length by
//! their last cell, and joins any two that have no cell in common between.
//!
//! They work on one thread, and are here to be compared with: `--method algorithm-1` and
//! `--method algorithm-2` repeat the paper's timings (its Table 1).

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use pessoi_engine::run::{Claim, Run, Stop};

use super::moves::{Moves, Point, SYMMETRIES, image, minus};
use super::simple::is_simple;
use super::task::Task;
use super::visit::Taker;

/// What ends a walk early: a limit, or that no more loops are wanted.
type Flow = ControlFlow<Option<Stop>>;

const NODES_A_TICK: u64 = 1 << 14;
/// Pairs of half walks after which the limits are looked at.
const PAIRS_A_CHECK: usize = 1 << 20;

/// Which of the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Algorithm {
    One,
    Two,
}

/// Whether the cells of the board can be numbered.
pub(super) fn has_room(task: &Task) -> bool {
    width(task) <= 255
}

/// Rows and columns of a board that is large enough for every loop.
fn width(task: &Task) -> i32 {
    task.moves.longest() * (task.length / 2) as i32 + 1
}

/// Visits the smallest sequence of each class, as moves, until `each` wants no more; the jobs are
/// the starts. Gives
/// the number of nodes, and the limit that was hit, if one was.
pub(super) fn visit(
    algorithm: Algorithm,
    task: &Task,
    run: &Run,
    each: &mut impl for<'m> Taker<&'m [u8]>,
) -> (u64, Option<Stop>) {
    let mut paper = Paper::new(task, run, each);
    let starts = paper.width.div_ceil(2);
    let first = match paper.each.taken(u64::from(paper.width), u64::from(starts)) {
        Ok((done, nodes)) => {
            paper.nodes = nodes;
            // That there are so many was seen when it was read.
            u16::try_from(done).unwrap_or(starts)
        }
        Err(stop) => return (0, Some(stop)),
    };
    run.uneven_stage("searching", u64::from(starts));
    run.step(first.into());
    let mut flow = Flow::Continue(());
    for start in first..starts {
        paper.path = vec![start];
        paper.visited[usize::from(start)] = true;
        flow = match algorithm {
            Algorithm::One => paper.search(),
            Algorithm::Two => paper.join_halves(),
        };
        paper.visited[usize::from(start)] = false;
        run.step(1);
        if flow.is_break() {
            break;
        }
        paper.each.done(u64::from(start) + 1, paper.nodes);
    }
    (paper.nodes, flow.break_value().flatten())
}

struct Paper<'t, E> {
    task: &'t Task,
    run: &'t Run,
    each: &'t mut E,
    /// Rows and columns of the board. Its cells are numbered from 0 here.
    width: u16,
    adjacent: Vec<Vec<u16>>,
    path: Vec<u16>,
    visited: Vec<bool>,
    nodes: u64,
    /// The memory of half walks.
    claim: Claim,
}

impl<'t, E: for<'m> Taker<&'m [u8]>> Paper<'t, E> {
    fn new(task: &'t Task, run: &'t Run, each: &'t mut E) -> Self {
        let width = width(task);
        let number = |(row, col): Point| (row * width + col) as u16;
        let all = (0..width).flat_map(|row| (0..width).map(move |col| (row, col)));
        let inside = |cell: &Point| (0..width).contains(&cell.0) && (0..width).contains(&cell.1);
        let adjacent = all
            .map(|cell| {
                let to = task.moves.steps().iter().map(|&step| super::moves::plus(cell, step));
                let mut to: Vec<u16> = to.filter(inside).map(number).collect();
                to.sort_unstable();
                to
            })
            .collect();
        Paper {
            task,
            run,
            each,
            width: width as u16,
            adjacent,
            path: Vec::new(),
            visited: vec![false; (width * width) as usize],
            nodes: 0,
            claim: run.claim(),
        }
    }

    fn tick(&mut self) -> Flow {
        self.nodes += 1;
        if self.nodes.is_multiple_of(NODES_A_TICK)
            && let Err(stop) = self.run.tick(NODES_A_TICK)
        {
            return Flow::Break(Some(stop));
        }
        Flow::Continue(())
    }

    /// Algorithm 1: all paths from the start, one cell after the other.
    fn search(&mut self) -> Flow {
        self.tick()?;
        let here = usize::from(self.path[self.path.len() - 1]);
        if self.path.len() == self.task.length {
            // Each path is met in both directions; the smaller one is enough.
            if self.path[1] < here as u16 && self.adjacent[here].contains(&self.path[0]) {
                let path = std::mem::take(&mut self.path);
                let flow = self.give(&path);
                self.path = path;
                flow?;
            }
            return Flow::Continue(());
        }
        for at in 0..self.adjacent[here].len() {
            let to = self.adjacent[here][at];
            if self.visited[usize::from(to)] {
                continue;
            }
            self.visited[usize::from(to)] = true;
            self.path.push(to);
            self.search()?;
            self.path.pop();
            self.visited[usize::from(to)] = false;
        }
        Flow::Continue(())
    }

    /// Algorithm 2: walks of half the length, joined where they end in the same cell.
    fn join_halves(&mut self) -> Flow {
        let (short, long) = (self.task.length / 2, self.task.length.div_ceil(2));
        self.claim = self.run.claim();
        let mut first = BTreeMap::new();
        self.halves(short, &mut first)?;
        let mut second = (short != long).then(BTreeMap::new);
        if let Some(second) = &mut second {
            self.halves(long, second)?;
        }
        let start = self.path[0];
        let mut marked = vec![false; self.visited.len()];
        let mut path = Vec::with_capacity(self.task.length);
        let mut pairs = 0;
        for (&end, walks) in &first {
            let others = second.as_ref().map_or(Some(walks), |second| second.get(&end));
            let Some(others) = others else { continue };
            let (short, long) = (short - 1, long - 1);
            let (ones, others) = (cut(walks, short), cut(others, long));
            for (number, one) in ones.iter().enumerate() {
                self.tick()?;
                for &cell in *one {
                    marked[usize::from(cell)] = true;
                }
                // Of two equally long halves each pair is joined once.
                let from = if short == long { number + 1 } else { 0 };
                pairs += others.len() - from;
                if pairs >= PAIRS_A_CHECK {
                    pairs = 0;
                    if let Err(stop) = self.run.check() {
                        return Flow::Break(Some(stop));
                    }
                }
                for other in &others[from..] {
                    if other.iter().any(|&cell| marked[usize::from(cell)]) {
                        continue;
                    }
                    path.clear();
                    path.push(start);
                    path.extend(*one);
                    path.push(end);
                    path.extend(other.iter().rev());
                    // Of halves of different lengths, each loop is met in both directions.
                    if short == long || path[1] < path[path.len() - 1] {
                        self.give(&path)?;
                    }
                }
                for &cell in *one {
                    marked[usize::from(cell)] = false;
                }
            }
        }
        Flow::Continue(())
    }

    /// The cells between the ends of all walks of a length from the start, by last cell.
    fn halves(
        &mut self,
        length: usize,
        found: &mut BTreeMap<u16, Vec<u16>>,
    ) -> ControlFlow<Option<Stop>> {
        self.tick()?;
        let here = self.path[self.path.len() - 1];
        if self.path.len() == length + 1 {
            let walks = found.entry(here).or_default();
            let room = walks.capacity();
            walks.extend(&self.path[1..length]);
            let more = 2 * (walks.capacity() - room) as u64;
            if more > 0
                && let Err(stop) = self.claim.grow_to(self.claim.bytes() + more)
            {
                return Flow::Break(Some(stop));
            }
            return Flow::Continue(());
        }
        for at in 0..self.adjacent[usize::from(here)].len() {
            let to = self.adjacent[usize::from(here)][at];
            if self.visited[usize::from(to)] {
                continue;
            }
            self.visited[usize::from(to)] = true;
            self.path.push(to);
            self.halves(length, found)?;
            self.path.pop();
            self.visited[usize::from(to)] = false;
        }
        Flow::Continue(())
    }

    /// Gives a closed path to `each` if it is the smallest of its class and as asked.
    fn give(&mut self, path: &[u16]) -> Flow {
        let Some(smallest) = smallest_sequence(path, self.width) else {
            return Flow::Continue(());
        };
        let width = i32::from(self.width);
        let cells: Vec<Point> =
            smallest.iter().map(|&n| (i32::from(n) / width, i32::from(n) % width)).collect();
        if self.task.crossing.is_some() && !is_simple(&cells) {
            return Flow::Continue(());
        }
        let moves = moves_of(&self.task.moves, &cells);
        if self.task.stands_for_all(&moves) && !self.each.take(&moves) {
            return Flow::Break(None);
        }
        Flow::Continue(())
    }
}

/// Walks that lie one after the other, each of so many cells; if of none, there is one.
fn cut(walks: &[u16], each: usize) -> Vec<&[u16]> {
    if each == 0 { vec![&[]] } else { walks.chunks_exact(each).collect() }
}

/// The moves of a closed path, given by its cells.
pub(super) fn moves_of(moves: &Moves, cells: &[Point]) -> Vec<u8> {
    let next = cells.iter().cycle().skip(1);
    cells.iter().zip(next).filter_map(|(&a, &b)| moves.find(minus(b, a))).collect()
}

/// The path in its smaller direction, if that is the smallest sequence of its class.
fn smallest_sequence(path: &[u16], width: u16) -> Option<Vec<u16>> {
    let k = path.len();
    let (start, rest) = path.split_first()?;
    // A smallest sequence begins with its smallest cell, and touches the left side.
    if rest.iter().any(|cell| cell < start) || path.iter().all(|cell| cell % width != 0) {
        return None;
    }
    let mut own = path.to_vec();
    if own[1] > own[k - 1] {
        own[1..].reverse();
    }
    let points: Vec<Point> =
        own.iter().map(|&n| (i32::from(n / width), i32::from(n % width))).collect();
    for symmetry in 1..SYMMETRIES {
        let turned: Vec<Point> = points.iter().map(|&point| image(symmetry, point)).collect();
        let low = turned
            .iter()
            .fold((i32::MAX, i32::MAX), |low, &(row, col)| (low.0.min(row), low.1.min(col)));
        let number = |at: usize| {
            let (row, col) = minus(turned[at % k], low);
            (row * i32::from(width) + col) as u16
        };
        let first = (0..k).min_by_key(|&at| number(at))?;
        for back in [false, true] {
            let read = (0..k).map(|i| number(if back { first + k - i } else { first + i }));
            if read.lt(own.iter().copied()) {
                return None;
            }
        }
    }
    Some(own)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The paper's Table 2: eight images of one path, on a board of width 5; the first is the
    /// smallest. The fourth is printed without its last cell, 12.
    const TABLE_2: [[u16; 8]; 8] = [
        [2, 9, 18, 15, 24, 17, 6, 13],
        [4, 7, 18, 11, 22, 19, 10, 13],
        [3, 10, 19, 22, 13, 16, 7, 14],
        [3, 6, 17, 24, 13, 20, 9, 12],
        [2, 9, 20, 13, 24, 17, 8, 11],
        [4, 7, 16, 13, 22, 19, 8, 15],
        [4, 7, 16, 23, 12, 19, 10, 13],
        [2, 9, 20, 23, 14, 17, 6, 13],
    ];

    #[test]
    fn of_the_eight_in_table_2_the_first_is_smallest() {
        let from_0 = TABLE_2.map(|path| path.map(|cell| cell - 1));
        for (number, path) in from_0.iter().enumerate() {
            let smallest = smallest_sequence(path, 5);
            assert_eq!(smallest.is_some(), number == 0, "{path:?}");
        }
        let moves = Moves::new(&[(1, 2)]);
        let alphabet = super::super::words::Alphabet::new(&moves);
        let words = from_0.map(|path| {
            let cells: Vec<Point> =
                path.iter().map(|&n| (i32::from(n / 5), i32::from(n % 5))).collect();
            let word = moves_of(&moves, &cells);
            assert_eq!(word.len(), 8, "{path:?}");
            alphabet.canonical(&alphabet.spell(&word))
        });
        assert!(words.iter().all(|word| *word == words[0]));
    }
}
