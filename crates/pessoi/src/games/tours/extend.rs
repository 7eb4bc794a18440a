//! A path extended cell by cell: the search that the paper does by recursion.
//!
//! The path has a *head*; a step gives the next number to a free neighbour of it.
//! Before it branches, the search looks at what the last step did to the free cells.
//! A free cell that is not the last of the path needs two *ways*, one in and one
//! out: free neighbours, the head, and in a closed tour the start. So
//!
//! - if a free cell has no way, the path cannot be completed;
//! - one with a single way can only be the **last** cell, and there is one last cell
//!   at most (none in a closed tour, a given one with `--to`);
//! - a neighbour of the head that would be left with a single way must be next, or
//!   last.
//!
//! Where numbers between the first and the last are fixed, a table says which cells can
//! still come to the next of them in time (see `reach`).
//!
//! **Warnsdorff's rule** (1823) tries the neighbour with the fewest free neighbours
//! first. Ties are broken by a rank drawn once for each cell, so that the same node
//! always offers the same steps.

use std::sync::Arc;

use pessoi_engine::random::Random;
use pessoi_engine::search::{Outlook, Search};

use super::learned::order;
use super::reach::Reach;
use super::task::Task;

/// In which order steps are tried.
#[derive(Clone, Debug)]
pub(super) enum Order {
    /// As the cells lie on the board, as the paper's plain search does.
    Plain,
    /// By Warnsdorff's rule, ties by these ranks of the cells.
    Warnsdorff(Arc<[u32]>),
    /// By learned weights of the signs of a step, ties by these ranks of the cells.
    Learned(Arc<[f64]>, Arc<[u32]>),
}

impl Order {
    /// Warnsdorff's rule with ties broken at random.
    pub(super) fn warnsdorff(cells: usize, random: &mut Random) -> Self {
        Order::Warnsdorff(ranks(cells, random))
    }

    /// A learned order with ties broken at random.
    pub(super) fn learned(weights: Arc<[f64]>, cells: usize, random: &mut Random) -> Self {
        Order::Learned(weights, ranks(cells, random))
    }
}

/// The cells in random order.
fn ranks(cells: usize, random: &mut Random) -> Arc<[u32]> {
    let mut ranks: Vec<u32> = (0..cells as u32).collect();
    random.shuffle(&mut ranks);
    ranks.into()
}

/// How far a cell with so many free neighbours is below three.
fn pressure(free: u16) -> u64 {
    u64::from(3u16.saturating_sub(free))
}

const NOBODY: u32 = u32::MAX;

/// What is seen at a node, for those who want to know why it is what it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sight {
    /// The cell of a clue, or one on the way to it, cannot be visited in time any more.
    Late(u32),
    /// A free cell has fewer ways than it needs.
    FewWays(u32),
    /// A free cell has one way left, so it must be the last.
    Last(u32),
    /// A neighbour of the head that cannot wait.
    Pressing(u32),
    /// More neighbours of the head cannot wait than can be next or last.
    Crowded,
    /// No cell can hold the next number.
    Stuck,
    /// All cells are visited, and the last is not one move from the first.
    Apart,
}

/// A path on its way.
#[derive(Clone, Debug)]
pub(super) struct Extend {
    task: Arc<Task>,
    order: Order,
    /// Which cells the clues let hold which numbers, if there are any.
    reach: Option<Arc<Reach>>,
    path: Vec<u32>,
    on_path: Vec<bool>,
    /// For each cell: how many of its neighbours are not on the path.
    free: Vec<u16>,
    /// The free neighbours of all free cells, added up.
    moves_left: u64,
    /// How far free cells are below three free neighbours, added up.
    pressure: u64,
    /// For each length of the path that was looked at: the cell that must be last.
    last: Vec<u32>,
}

impl Extend {
    /// The empty path.
    pub(super) fn new(task: Arc<Task>, order: Order) -> Self {
        let reach = Reach::new(&task).map(Arc::new);
        Extend { reach, ..Extend::without_reach(task, order) }
    }

    /// The empty path of a search that looks at a clue only when it is there: slower, and
    /// the reference for the other.
    pub(super) fn without_reach(task: Arc<Task>, order: Order) -> Self {
        let cells = 0..task.len() as u32;
        let free: Vec<u16> = cells.map(|cell| task.graph.degree(cell) as u16).collect();
        let last = task.cell_of(task.len()).filter(|_| !task.closed).unwrap_or(NOBODY);
        Extend {
            order,
            reach: None,
            path: Vec::with_capacity(task.len()),
            on_path: vec![false; task.len()],
            moves_left: free.iter().map(|&free| u64::from(free)).sum(),
            pressure: free.iter().map(|&free| pressure(free)).sum(),
            free,
            last: vec![last],
            task,
        }
    }

    /// The cells from number 1 on.
    pub(super) fn path(&self) -> &[u32] {
        &self.path
    }

    /// Where the number 1 may be. A closed tour without fixed numbers passes every
    /// cell, so one start is enough: that with the fewest moves.
    fn starts(&self, steps: &mut Vec<u32>) {
        let cells = 0..self.task.len() as u32;
        if let Some(cell) = self.task.cell_of(1) {
            steps.push(cell);
        } else if self.task.closed && !self.task.is_numbered() {
            steps.extend(cells.min_by_key(|&cell| self.task.graph.degree(cell)));
        } else {
            steps.extend(cells.filter(|&cell| self.may_be(cell, 1)));
            if let Order::Warnsdorff(ranks) | Order::Learned(_, ranks) = &self.order {
                steps.sort_by_key(|&cell| ranks[cell as usize]);
            }
        }
    }

    /// Whether the fixed numbers let `cell` have this number.
    fn may_be(&self, cell: u32, number: usize) -> bool {
        if let Some(reach) = &self.reach {
            return reach.allows(cell, number);
        }
        match (self.task.number_of(cell), self.task.cell_of(number)) {
            (None, None) => true,
            (fixed, _) => fixed == Some(number as u32),
        }
    }

    /// The signs of a step to a free cell (see [`order`]).
    pub(super) fn signs(&self, cell: u32) -> [f64; order::NUMBER] {
        let c = cell as usize;
        let free = usize::from(self.free[c]);
        let beyond = self.task.graph.neighbours(cell).iter();
        let beyond = beyond.filter(|&&near| !self.on_path[near as usize]);
        let (mut least, mut tight) = (8u16, 0u16);
        for &near in beyond {
            least = least.min(self.free[near as usize]);
            tight += u16::from(self.free[near as usize] <= 2);
        }
        let board = &self.task.board;
        let at = board.cell(c);
        let (down, right) = (board.rows() as i32 - 1 - at.row, board.cols() as i32 - 1 - at.col);
        let edge = at.row.min(at.col).min(down).min(right);
        let is = |so: bool| f64::from(u8::from(so));
        [
            is(free <= 1),
            is(free == 2),
            is(free == 3),
            is(free == 4),
            is(free > 4),
            self.task.graph.degree(cell) as f64 / 8.0,
            f64::from(least) / 8.0,
            f64::from(tight) / 4.0,
            1.0 / (1.0 + f64::from(edge)),
        ]
    }

    /// The ways left to a free cell, the head aside.
    fn ways(&self, cell: u32) -> usize {
        let home = self.task.closed && self.task.graph.joined(self.path[0], cell);
        usize::from(self.free[cell as usize]) + usize::from(home)
    }

    /// Notes that `cell` has only so many ways left; `None` if that is too few.
    fn judge(&self, cell: u32, ways: usize, last: u32) -> Option<u32> {
        match ways {
            1 if cell == last => Some(last),
            1 if last == NOBODY && !self.task.closed => Some(cell),
            0 | 1 => None,
            _ => Some(last),
        }
    }
}

impl Extend {
    /// How many of a cell's neighbours are not on the path.
    pub(super) fn free(&self, cell: u32) -> u16 {
        self.free[cell as usize]
    }

    /// Judges the present node (see [`Search::look`]), and says what decided.
    pub(super) fn judged(&mut self, steps: &mut Vec<u32>, see: &mut impl FnMut(Sight)) -> Outlook {
        let (n, k) = (self.task.len(), self.path.len());
        if let Some(reach) = &self.reach
            && let Some(&late) = reach.due(k).iter().find(|&&cell| !self.on_path[cell as usize])
        {
            see(Sight::Late(late));
            return Outlook::Dead;
        }
        let Some(&head) = self.path.last() else {
            self.starts(steps);
            return Outlook::Branch;
        };
        let graph = &self.task.graph;
        if k == n {
            let fits = !self.task.closed || (n > 2 && graph.joined(head, self.path[0]));
            if !fits {
                see(Sight::Apart);
                return Outlook::Dead;
            }
            return Outlook::Solved;
        }

        // What the last step did: the cell before the head is no way any more.
        let mut last = self.last[k - 1];
        let changed: &[u32] = if k > 1 { graph.neighbours(self.path[k - 2]) } else { &[] };
        let all = if k == 1 { 0..n as u32 } else { 0..0 };
        for cell in changed.iter().copied().chain(all) {
            if self.on_path[cell as usize] {
                continue;
            }
            let ways = self.ways(cell) + usize::from(graph.joined(head, cell));
            match self.judge(cell, ways, last) {
                None => {
                    see(Sight::FewWays(cell));
                    return Outlook::Dead;
                }
                Some(now) => {
                    if now != last {
                        see(Sight::Last(now));
                    }
                    last = now;
                }
            }
        }
        self.last.truncate(k);
        self.last.push(last);

        // Who will be in need if the head moves on elsewhere?
        let mut pressing = 0;
        for &cell in graph.neighbours(head) {
            if self.on_path[cell as usize] {
                continue;
            }
            let ways = self.ways(cell);
            if ways == 0 && k + 1 < n {
                see(Sight::FewWays(cell));
                return Outlook::Dead;
            }
            let can_wait = cell == last || ways > 1;
            if !can_wait {
                see(Sight::Pressing(cell));
                pressing += 1;
            }
            if self.may_be(cell, k + 1) && (cell != last || k + 1 == n) {
                steps.push(cell);
            }
        }
        // One of those in need can be next, and one can be last if nobody is yet.
        let waiting_room = usize::from(last == NOBODY && !self.task.closed);
        if k + 1 < n && pressing > waiting_room {
            if pressing > waiting_room + 1 {
                see(Sight::Crowded);
                return Outlook::Dead;
            }
            steps.retain(|&cell| self.ways(cell) == 1);
        }
        if steps.is_empty() {
            see(Sight::Stuck);
            return Outlook::Dead;
        }
        match &self.order {
            Order::Plain => {}
            Order::Warnsdorff(ranks) => {
                steps.sort_by_key(|&cell| (self.free[cell as usize], ranks[cell as usize]));
            }
            Order::Learned(weights, ranks) => {
                let key = |&cell: &u32| {
                    let score = order::score(weights, &self.signs(cell));
                    // As whole numbers, so that scores that differ by rounding are alike.
                    ((-score * 1e6).round() as i64, ranks[cell as usize])
                };
                steps.sort_by_cached_key(key);
            }
        }
        Outlook::Branch
    }
}

impl Search for Extend {
    type Step = u32;
    type Solution = Vec<u32>;

    fn look(&mut self, steps: &mut Vec<u32>) -> Outlook {
        self.judged(steps, &mut |_| {})
    }

    fn take(&mut self, step: u32) {
        self.path.push(step);
        self.on_path[step as usize] = true;
        let free = self.free[step as usize];
        self.moves_left -= 2 * u64::from(free);
        self.pressure -= pressure(free);
        for &cell in self.task.graph.neighbours(step) {
            let free = &mut self.free[cell as usize];
            *free -= 1;
            if !self.on_path[cell as usize] {
                self.pressure += pressure(*free) - pressure(*free + 1);
            }
        }
    }

    fn undo(&mut self) {
        let Some(step) = self.path.pop() else { return };
        for &cell in self.task.graph.neighbours(step) {
            let free = &mut self.free[cell as usize];
            *free += 1;
            if !self.on_path[cell as usize] {
                self.pressure -= pressure(*free - 1) - pressure(*free);
            }
        }
        let free = self.free[step as usize];
        self.moves_left += 2 * u64::from(free);
        self.pressure += pressure(free);
        self.on_path[step as usize] = false;
    }

    fn solution(&self) -> Vec<u32> {
        self.path.clone()
    }

    fn heap_bytes(&self) -> usize {
        let cells = self.on_path.len();
        cells * (2 * size_of::<u32>() + size_of::<u16>() + size_of::<bool>())
    }

    /// Moves left among the free cells, and how hard pressed these are: paths alike
    /// in both have about as many completions. Where there are clues on the way it also matters
    /// where the head is: a few rare samples were hundreds of times the mean without it.
    fn stratum(&self) -> u64 {
        if self.reach.is_some() {
            // Then there are at most 4096 cells.
            let head = self.path.last().map_or(0, |&cell| u64::from(cell) + 1);
            return (self.moves_left << 32) | ((0xffff - self.pressure) << 16) | head;
        }
        (self.moves_left << 32) | (0xffff_ffff - self.pressure)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::question::{Question, Verb};

    #[test]
    fn what_is_kept_up_to_date_equals_what_is_counted_anew() {
        let question = Question::new(Verb::Count, "knight-tours", "5x6").unwrap();
        let task = Arc::new(Task::new(&question, &[(1, 2)]).unwrap());
        let mut search = Extend::new(task.clone(), Order::Plain);
        let mut random = Random::new(4, 0);
        let mut steps = Vec::new();
        for _ in 0..2000 {
            let free_cells = || (0..task.len()).filter(|&cell| !search.on_path[cell]);
            let moves: u64 = free_cells().map(|cell| u64::from(search.free[cell])).sum();
            let pressed: u64 = free_cells().map(|cell| pressure(search.free[cell])).sum();
            assert_eq!((search.moves_left, search.pressure), (moves, pressed));
            steps.clear();
            if search.look(&mut steps) == Outlook::Branch && random.below(8) > 0 {
                search.take(steps[random.below(steps.len() as u64) as usize]);
            } else {
                search.undo();
            }
        }
    }
}
