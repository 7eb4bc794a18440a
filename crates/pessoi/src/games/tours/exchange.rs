//! Exchanges: a tour that crosses itself less often, by a few other moves at a time.
//!
//! An **exchange** gives up two or three moves of a tour for as many others, so that it is a tour
//! again. Read as a row of cells, it *turns* a piece of the tour round (G. A. Croes 1958), or *swaps*
//! two pieces that follow each other (S. Lin 1965). Cells are drawn at random, and an exchange
//! that adds no crossings is made. One that adds some is made too, the more rarely the more it adds
//! and the later it comes in its **round** (simulated annealing: S. Kirkpatrick, C. D. Gelatt and
//! M. P. Vecchi 1983). Each round begins where the last one ended and is twice as long. Numbers that
//! are fixed stay where they are.
//!
//! Two moves still cross after both are shifted by the same. So each *direction* of a move has a
//! list of where and in which direction the moves lie that cross it, and how many of these are in
//! the tour is looked up: some 40 places for a knight's move, on a board of any size. A try takes
//! some 100 ns, and most draw cells that make no tour.

use std::sync::Arc;

use pessoi_engine::random::Random;
use pessoi_engine::run::{Claim, Run, Stop};

use super::crossings::Best;
use super::task::Task;
use crate::board::segments::conflict;
use crate::games::leapers::offsets;

/// Tries of the first round.
const FIRST_ROUND: u64 = 1 << 18;
/// Tries between two looks at the limits.
const SLICE: u64 = 1 << 12;
/// At the beginning of a round, one more crossing makes an exchange rarer by a factor of e to the
/// power of 1 / `HOT`; at its end, of 1 / `COLD`. Measured on 8x8 to 30x30.
const HOT: f64 = 2.0;
const COLD: f64 = 0.2;
/// The random stream; searches count theirs from 0.
const STREAM: u64 = 1 << 32;

/// The moves that lie somewhere on the board.
struct Drawn {
    /// One of each two opposite directions.
    directions: Vec<(i32, i32)>,
    /// For each direction, where the moves are that cross a move in it, from that move.
    crossing: Vec<Vec<isize>>,
    /// For each cell of the board and of a margin, and for each direction, whether that move is
    /// in the tour.
    taken: Vec<bool>,
    /// Where the moves of each cell are among them.
    begin: Vec<usize>,
    places: Vec<(i32, i32)>,
    _claim: Claim,
}

impl Drawn {
    fn new(task: &Task, run: &Run) -> Result<Drawn, Stop> {
        let cells = task.board.cells();
        let top = cells.iter().map(|cell| cell.row).min().unwrap_or(0);
        let left = cells.iter().map(|cell| cell.col).min().unwrap_or(0);
        let places: Vec<(i32, i32)> =
            cells.iter().map(|cell| (cell.row - top, cell.col - left)).collect();
        let rows = places.iter().map(|place| place.0 + 1).max().unwrap_or(1);
        let cols = places.iter().map(|place| place.1 + 1).max().unwrap_or(1);
        let has_room = |&(row, col): &(i32, i32)| row.abs() < rows && col.abs() < cols;
        let directions: Vec<(i32, i32)> = offsets(task.leapers())
            .into_iter()
            .filter(|&direction| direction > (0, 0))
            .filter(has_room)
            .collect();
        // How far a move goes, and so how far from each other two that cross can begin.
        let far = directions.iter().map(|&(row, col)| row.max(col.abs())).max().unwrap_or(0);
        let width = cols as usize + 4 * far as usize;
        let height = rows as usize + 2 * far as usize;
        let many = directions.len();
        let mut claim = run.claim();
        let bytes = width.saturating_mul(height).saturating_mul(many);
        let mut bytes = bytes.saturating_add(32 * places.len()) as u64;
        claim.grow_to(bytes)?;
        let at =
            |row: i32, col: i32| (row as isize * width as isize + col as isize) * many as isize;
        let mut crossing = Vec::with_capacity(many);
        for &u in &directions {
            let mut there = Vec::new();
            for row in -far..=far {
                run.check()?;
                for col in -2 * far..=2 * far {
                    for (k, &v) in directions.iter().enumerate() {
                        let is_same = (row, col) == (0, 0) && u == v;
                        let end = (row + v.0, col + v.1);
                        if !is_same && conflict((0, 0), u, (row, col), end) {
                            there.push(at(row, col) + k as isize);
                        }
                    }
                }
            }
            bytes += 8 * there.capacity() as u64;
            claim.grow_to(bytes)?;
            crossing.push(there);
        }
        let begin = places
            .iter()
            .map(|&(row, col)| ((row + far) as usize * width + (col + 2 * far) as usize) * many);
        let begin = begin.collect();
        let taken = vec![false; width * height * many];
        Ok(Drawn { directions, crossing, taken, begin, places, _claim: claim })
    }

    /// Where a move begins, and its direction.
    fn find(&self, (a, b): (u32, u32)) -> (usize, usize) {
        let (p, q) = (self.places[a as usize], self.places[b as usize]);
        let along = (q.0 - p.0, q.1 - p.1);
        let (from, along) = if along > (0, 0) { (a, along) } else { (b, (-along.0, -along.1)) };
        // What is asked for is a move.
        let direction = self.directions.iter().position(|&other| other == along).unwrap_or(0);
        (self.begin[from as usize], direction)
    }

    /// Puts a move into the tour or takes it out; says how many others of the tour cross it.
    fn set(&mut self, ends: (u32, u32), is_taken: bool) -> u64 {
        let (begin, direction) = self.find(ends);
        self.taken[begin + direction] = is_taken;
        let crossing = self.crossing[direction].iter();
        crossing.filter(|&&off| self.taken[begin.wrapping_add_signed(off)]).count() as u64
    }
}

/// A piece of the tour, from one number to another (counted from 0), that is turned round; or, with a
/// number between them, two pieces that are swapped, of which the second begins there.
#[derive(Clone, Copy)]
struct Piece {
    from: usize,
    second: Option<usize>,
    to: usize,
}

/// A tour whose moves are exchanged.
pub(super) struct Exchanges {
    task: Arc<Task>,
    drawn: Drawn,
    random: Random,
    path: Vec<u32>,
    /// For each cell its place on the path.
    place: Vec<usize>,
    /// How many numbers are fixed among the first so many.
    fixed: Vec<usize>,
    crossings: u64,
    best: Best,
    /// Tries of this round, and those that were made.
    round: u64,
    made: u64,
}

impl Exchanges {
    /// Begins with a tour, which becomes the best one if there is none yet.
    pub(super) fn new(
        task: &Arc<Task>,
        path: Vec<u32>,
        best: Best,
        run: &Run,
    ) -> Result<Self, Stop> {
        let mut drawn = Drawn::new(task, run)?;
        let n = path.len();
        let (mut place, mut fixed) = (vec![0; n], vec![0]);
        for (k, &cell) in path.iter().enumerate() {
            place[cell as usize] = k;
            fixed.push(fixed[k] + usize::from(task.cell_of(k + 1).is_some()));
        }
        let back = task.closed.then(|| (path[n - 1], path[0]));
        let steps = path.windows(2).map(|pair| (pair[0], pair[1])).chain(back);
        let crossings = steps.map(|ends| drawn.set(ends, true)).sum();
        if best.crossings().is_none_or(|least| crossings < least) {
            best.improve(path.clone(), crossings);
        }
        let (random, task) = (Random::new(run.budget().seed, STREAM), task.clone());
        let (round, made) = (FIRST_ROUND, 0);
        Ok(Exchanges { task, drawn, random, path, place, fixed, crossings, best, round, made })
    }

    /// Makes so many more tries, or fewer if no tour can be better.
    pub(super) fn work(&mut self, tries: u64, run: &Run) -> Result<(), Stop> {
        let mut left = tries;
        // Three cells have no other tour with other crossings.
        while left > 0 && self.path.len() > 3 && self.best.crossings() != Some(0) {
            run.check()?;
            if self.made == self.round {
                (self.round, self.made) = (self.round.saturating_mul(2), 0);
            }
            let slice = SLICE.min(left).min(self.round - self.made);
            let heat = HOT * (COLD / HOT).powf(self.made as f64 / self.round as f64);
            for _ in 0..slice {
                self.attempt(heat);
            }
            self.made += slice;
            left -= slice;
            run.step(slice);
        }
        Ok(())
    }

    /// A random piece or two, such that a cell and a neighbour come to follow each other.
    fn piece(&mut self) -> Option<Piece> {
        let n = self.path.len();
        let i = self.random.below(n as u64) as usize;
        let next = self.neighbour(self.path[i]);
        let j = self.place[next as usize];
        let (low, high) = (i.min(j), i.max(j));
        let piece = match self.random.below(3) {
            0 => Piece { from: low + 1, second: None, to: high },
            1 => Piece { from: low, second: None, to: high - 1 },
            _ if j < i + 2 => return None,
            _ => {
                let last = self.neighbour(self.path[i + 1]);
                Piece { from: i + 1, second: Some(j), to: self.place[last as usize] }
            }
        };
        let is_long = piece.second.is_none_or(|second| piece.to >= second);
        let is_part = piece.from > 0 || piece.to + 1 < n;
        let is_free = || self.fixed[piece.from] == self.fixed[piece.to + 1];
        (piece.from < piece.to && is_long && is_part && is_free()).then_some(piece)
    }

    fn neighbour(&mut self, cell: u32) -> u32 {
        let near = self.task.graph.neighbours(cell);
        near[self.random.below(near.len() as u64) as usize]
    }

    /// Tries one exchange.
    fn attempt(&mut self, heat: f64) {
        let Some(Piece { from, second, to }) = self.piece() else { return };
        let n = self.path.len();
        let around = |at: Option<usize>, end: usize| match at.filter(|&at| at < n) {
            None => self.task.closed.then_some(end),
            inside => inside,
        };
        let before = around(from.checked_sub(1), n - 1).map(|at| self.path[at]);
        let after = around(Some(to + 1), 0).map(|at| self.path[at]);
        let (first, last) = (self.path[from], self.path[to]);
        let (old, new) = match second {
            None => {
                let old = [before.map(|cell| (cell, first)), after.map(|cell| (last, cell)), None];
                let new = [before.map(|cell| (cell, last)), after.map(|cell| (first, cell)), None];
                (old, new)
            }
            Some(second) => {
                let (end, begin) = (self.path[second - 1], self.path[second]);
                let [old, new] = [(end, begin), (last, first)].map(Some);
                let (enter, leave) =
                    (before.map(|cell| (cell, first)), after.map(|cell| (last, cell)));
                let others = [before.map(|cell| (cell, begin)), after.map(|cell| (end, cell))];
                ([enter, old, leave], [others[0], new, others[1]])
            }
        };
        if !new.iter().flatten().all(|&(a, b)| self.task.graph.joined(a, b)) {
            return;
        }
        let mut set = |moves: &[Option<(u32, u32)>; 3], is_taken: bool| -> u64 {
            moves.iter().flatten().map(|&ends| self.drawn.set(ends, is_taken)).sum()
        };
        let (less, more) = (set(&old, false), set(&new, true));
        if more > less && self.random.unit() >= (-((more - less) as f64) / heat).exp() {
            set(&new, false);
            set(&old, true);
            return;
        }
        self.crossings = self.crossings + more - less;
        let piece = &mut self.path[from..=to];
        match second {
            None => piece.reverse(),
            Some(second) => piece.rotate_left(second - from),
        }
        for k in from..=to {
            self.place[self.path[k] as usize] = k;
        }
        if self.best.crossings().is_none_or(|least| self.crossings < least) {
            self.best.improve(self.path.clone(), self.crossings);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pessoi_engine::run::Budget;

    fn count(task: &Task, path: &[u32]) -> u64 {
        let place = |cell: u32| {
            let cell = task.board.cell(cell as usize);
            (cell.row, cell.col)
        };
        let back = task.closed.then(|| (path[path.len() - 1], path[0]));
        let steps = path.windows(2).map(|pair| (pair[0], pair[1])).chain(back);
        let moves: Vec<_> = steps.map(|(a, b)| (place(a), place(b))).collect();
        let pairs = (0..moves.len()).flat_map(|i| (0..i).map(move |j| (i, j)));
        let meet = |&(i, j): &(usize, usize)| {
            let ((a, b), (c, d)) = (moves[i], moves[j]);
            conflict(a, b, c, d)
        };
        pairs.filter(meet).count() as u64
    }

    /// After many exchanges there is still a tour with the numbers that are fixed, and its
    /// crossings are what they are said to be.
    #[test]
    fn a_tour_stays_a_tour() {
        for (moves, rows, cols, closed, from) in [
            (&[(1, 2)][..], 6, 6, true, false),
            (&[(1, 2)], 5, 6, false, false),
            (&[(1, 2)], 6, 5, false, true),
            (&[(0, 3), (2, 2)], 5, 6, false, true),
            (&[(0, 1), (1, 1)], 4, 5, true, false),
            (&[(0, 1), (0, 2)], 3, 4, false, false),
        ] {
            let mut task = Task::rectangle(rows, cols, moves, closed).unwrap();
            let run = Run::new(Budget { seed: 3, ..Budget::default() });
            let found = super::super::rotations::find(&task, 0..50, &run).unwrap().unwrap();
            if from {
                task = task.with([(1, found[0]), (7, found[6])]).unwrap();
            }
            let task = Arc::new(task);
            let best = Best::default();
            let mut work = Exchanges::new(&task, found.clone(), best.clone(), &run).unwrap();
            assert_eq!(work.crossings, count(&task, &found));
            for _ in 0..20 {
                work.work(500, &run).unwrap();
                assert_eq!(work.crossings, count(&task, &work.path));
                let mut cells = work.path.clone();
                cells.sort_unstable();
                assert!(cells.into_iter().eq(0..found.len() as u32));
                let path = &work.path;
                assert!(path.windows(2).all(|pair| task.graph.joined(pair[0], pair[1])));
                assert!(!closed || task.graph.joined(path[0], path[path.len() - 1]));
                assert!(task.fixed().all(|(number, cell)| path[number as usize - 1] == cell));
            }
            let (path, crossings) = best.take().unwrap();
            assert_eq!(crossings, count(&task, &path));
            assert!(crossings <= count(&task, &found));
        }
    }
}
