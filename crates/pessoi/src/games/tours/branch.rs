//! Counting by moves: branching at the most constrained cell.
//!
//! Extending a path cell by cell meets every dead end at the path's head only. Here the
//! search looks at the whole board ([`Partial`]) and decides about the cell that leaves
//! the fewest choices, wherever it lies: which of its possible moves the tour takes, one
//! for an open cell, two for a fresh one. After each choice everything that follows is
//! taken at once.
//!
//! The nodes of the tree are only the first decisions. Where few are left, the completions are
//! counted by recursion, with a table of [`endings`](super::endings): such a leaf stands for as
//! many tours as it has completions. What is a leaf depends on the node alone, so a tree is cut
//! into the same parts everywhere; and the nodes of the tree are all that is reported as nodes,
//! since what a table saves depends on what was met before.
//!
//! Without fixed ends an open tour ends somewhere, and the ends of one symmetry class of
//! cells see the same tours. So the tours are counted from one cell of each class, those
//! that end in the same class once, those that end in a later class twice: this counts
//! every tour from both its ends. Symmetries that keep the cell where a tour begins take its
//! other end to others, of which one is enough. Large classes come first: their cells are kept
//! by fewer symmetries, and one of them stands for more tours.

use std::sync::Arc;

use pessoi_engine::ledger::Chapter;
use pessoi_engine::run::{Run, Stop, Stopped};
use pessoi_engine::search::{Cut, Estimate, Outlook, Probing, Search, estimate, fold};

use super::decide::decide;
use super::endings::{Loan, Shelf};
use super::kept::{Counted, Recursion};
use super::partial::{Bits, Moves, Partial, State, members};
use super::task::Task;
use crate::plan::Plan;

/// A choice: where to begin, or one or two moves of a cell.
#[derive(Clone, Copy, Debug, Hash)]
pub(super) enum Step {
    /// The beginning of this number.
    Begin(u32),
    /// This cell takes the move to that one.
    One(u8, u8),
    /// This cell takes the moves to those two.
    Two(u8, u8, u8),
}

/// A beginning, and how many numberings each tour below it stands for.
struct Beginning<B, const N: usize> {
    moves: Moves<B, N>,
    partial: Partial<B, N>,
    weight: u64,
}

/// The search.
///
/// A clone stands at the same node but does not know the way there: it can undo the steps
/// that it takes itself, and no more. Engines need no more, and what lies above is large.
pub(super) struct Branch<B: Bits, const N: usize> {
    beginnings: Arc<[Beginning<B, N>]>,
    /// Which of them the present node belongs to.
    beginning: usize,
    /// The number of the outside.
    outside: usize,
    /// Where a symmetry takes each cell, if only tours that it keeps are wanted.
    mirror: Option<Arc<[u8]>>,
    /// From the beginning to the present node.
    stack: Vec<(Partial<B, N>, State)>,
    /// What the last cells are counted with; without it every tour is a leaf of its own.
    endings: Option<Loan<B>>,
    /// Whether they are not counted at all.
    is_sketch: bool,
    /// The tours that the present leaf stands for.
    tours: u64,
}

impl<B: Bits, const N: usize> Clone for Branch<B, N> {
    fn clone(&self) -> Self {
        Branch {
            beginnings: self.beginnings.clone(),
            beginning: self.beginning,
            outside: self.outside,
            mirror: self.mirror.clone(),
            stack: {
                // A clone is there to take a step.
                let mut stack = Vec::with_capacity(2);
                stack.extend(self.stack.last());
                stack
            },
            endings: self.endings.as_ref().map(|loan| Loan::from(loan.shelf().clone())),
            is_sketch: self.is_sketch,
            tours: self.tours,
        }
    }

    /// Probes put one node in the place of another all the time: nothing is allocated for it.
    fn clone_from(&mut self, other: &Self) {
        let is_plain = |search: &Self| search.endings.is_none() && search.mirror.is_none();
        let is_same_tree = Arc::ptr_eq(&self.beginnings, &other.beginnings);
        if !(is_same_tree && is_plain(self) && is_plain(other)) {
            *self = other.clone();
            return;
        }
        self.beginning = other.beginning;
        self.stack.clear();
        self.stack.extend(other.stack.last());
        self.is_sketch = other.is_sketch;
        self.tours = other.tours;
    }
}

/// Partial tours with no more [slack](Partial::slack) are counted by recursion: some hundreds of
/// nodes on Diplomatico boards. That is soon enough for limits, which are looked at between leaves.
const LAST: u32 = 48;

/// Strata for each unit of the logarithm. Measured: 1 to 8 are about as good.
const GRAIN: f64 = 4.0;

/// The search on sets of as many cells as a board needs.
pub(super) enum Branching {
    /// Up to 63 cells.
    Small(Branch<u64, 64>),
    /// Up to 127 cells.
    Large(Branch<u128, 128>),
}

/// Does the same with a search of either size.
macro_rules! either {
    ($branching:expr, $search:ident => $do:expr) => {
        match $branching {
            Branching::Small($search) => $do,
            Branching::Large($search) => $do,
        }
    };
}

/// Makes the search of the size that a task needs; `None` if it fits none.
macro_rules! sized {
    ($task:expr, $make:ident $(, $more:expr)*) => {
        if !Branching::fits($task) {
            None
        } else if $task.len() < 64 {
            Some(Branching::Small(Branch::$make($task $(, $more)*)))
        } else {
            Some(Branching::Large(Branch::$make($task $(, $more)*)))
        }
    };
}

impl Branching {
    /// Whether a task can be searched so: a board with few enough cells (one more is needed
    /// for the outside), and no clues that say when a cell is visited.
    pub(super) fn fits(task: &Task) -> bool {
        (3..128).contains(&task.len())
            && !task.has_inner_clues()
            && !(task.closed && task.is_numbered())
    }

    /// The search that counts; see [`Branch::new`].
    pub(super) fn new(task: &Task) -> Option<Self> {
        sized!(task, new)
    }

    /// The search for probes; see [`Branch::undivided`].
    pub(super) fn undivided(task: &Task) -> Option<Self> {
        sized!(task, undivided)
    }

    /// The search for tours that a symmetry keeps; see [`Branch::invariant`].
    pub(super) fn invariant(task: &Task, images: &[u32]) -> Option<Self> {
        sized!(task, invariant, images)
    }

    /// Random probes of the tree. Of a search with leaves that stand for several tours they say
    /// how large it is, and no more.
    pub(super) fn estimate(
        &self,
        how: Probing,
        probes: u64,
        run: &Run,
        chapter: &Chapter,
    ) -> Result<Estimate, Stop> {
        either!(self, search => estimate(&search.sketch(), how, probes, run, chapter))
    }

    /// The number of tours below, by recursion on one thread; see [`super::kept`].
    pub(super) fn solutions(&self, run: &Run) -> Result<Counted, Stop> {
        either!(self, search => Recursion::count(search.clone(), run))
    }

    /// Walks a part of the tree and adds up the weights of the tours. Also says how many
    /// subtrees were dealt out to all parts.
    pub(super) fn weigh(
        &self,
        cut: Cut,
        run: &Run,
        chapter: &Chapter,
    ) -> Result<(u128, u64), Stopped<u128>> {
        either!(self, search => search.weigh(cut, run, chapter))
    }

    /// A plan with what the tree will cost.
    pub(super) fn plan(self, plan: Plan, probed: &Estimate, run: &Run) -> Plan {
        either!(self, search => plan.with_probed_tree(search, probed, run))
    }

    /// A plan with what the tree will cost, after so many probes.
    pub(super) fn probe_and_plan(self, plan: Plan, probes: u64, run: &Run) -> Plan {
        either!(self, search => plan.with_tree(search, probes, run))
    }
}

impl<B: Bits, const N: usize> Branch<B, N> {
    fn from(beginnings: Vec<Beginning<B, N>>, task: &Task) -> Self {
        Branch {
            beginnings: beginnings.into(),
            beginning: 0,
            outside: task.len(),
            mirror: None,
            stack: Vec::new(),
            endings: None,
            is_sketch: false,
            tours: 0,
        }
    }

    /// The same search where leaves are not counted: for probes that ask how large the tree is.
    fn sketch(&self) -> Self {
        Branch { is_sketch: true, ..self.clone() }
    }

    /// The search for a task that [fits](Branching::fits).
    pub(super) fn new(task: &Task) -> Self {
        let beginnings = if task.closed {
            vec![board(task)]
        } else if task.is_numbered() {
            vec![between_fixed_ends(task)]
        } else {
            between_classes(task)
        };
        // For a look at the tree, a search does without tables.
        let endings = Some(Loan::from(Arc::new(Shelf::new(0))));
        Branch { endings, ..Branch::from(beginnings, task) }
    }

    /// The search that meets each undirected tour once, as a leaf of its own, from one
    /// beginning: for probes, which want one tree.
    pub(super) fn undivided(task: &Task) -> Self {
        let beginning = if task.closed {
            board(task)
        } else if task.is_numbered() {
            between_fixed_ends(task)
        } else {
            with_outside(task)
        };
        Branch::from(vec![beginning], task)
    }

    /// The search that meets only those undirected tours that a symmetry of the board, an
    /// image for each cell, takes to themselves.
    pub(super) fn invariant(task: &Task, images: &[u32]) -> Self {
        let mut search = Branch::undivided(task);
        // The outside stays where it is.
        let images = images.iter().map(|&cell| cell as u8).chain([task.len() as u8]);
        search.mirror = Some(images.collect());
        search
    }

    /// Adds up the weights of the tours in a part of the tree.
    fn weigh(&self, cut: Cut, run: &Run, chapter: &Chapter) -> Result<(u128, u64), Stopped<u128>> {
        let threads = run.budget().threads.max(1);
        let mut claim = run.claim();
        let fits = claim.grow_to(Shelf::<B>::bytes(threads)).is_ok();
        let shelf = Arc::new(Shelf::new(if fits { threads } else { 0 }));
        let search = Branch { endings: Some(Loan::from(shelf)), ..self.clone() };
        let weighed = fold(
            &search,
            cut,
            run,
            chapter,
            || 0u128,
            |sum, at| *sum += u128::from(at.tours) * u128::from(at.place().weight),
            |sum, more| *sum += more,
        );
        match weighed {
            Ok(all) => Ok((all.folded, all.dealt)),
            Err(Stopped { why, so_far }) => Err(Stopped { why, so_far: so_far.folded }),
        }
    }

    /// Where the present node began.
    fn place(&self) -> &Beginning<B, N> {
        &self.beginnings[self.beginning]
    }

    /// What the cell that is decided next can do.
    fn choices(moves: &Moves<B, N>, partial: &Partial<B, N>, steps: &mut Vec<Step>) {
        let Some((cell, ways)) = decide(moves, partial) else { return };
        let this = cell as u8;
        if partial.open.has(cell) {
            steps.extend(members(ways).map(|to| Step::One(this, to as u8)));
        } else {
            for first in members(ways) {
                let later = members(ways).filter(|&second| second > first);
                steps.extend(later.map(|second| Step::Two(this, first as u8, second as u8)));
            }
        }
    }

    /// Takes the moves of a step, and all that follows.
    fn follow(&self, partial: &mut Partial<B, N>, step: Step) -> State {
        let (cell, first, second) = match step {
            Step::Begin(_) => return State::Dead,
            Step::One(cell, first) => (cell, first, None),
            Step::Two(cell, first, second) => (cell, first, Some(second)),
        };
        let moves = &self.place().moves;
        match &self.mirror {
            None => {
                let second = second.map(usize::from);
                partial.decided(moves, usize::from(cell), usize::from(first), second)
            }
            Some(mirror) => Self::follow_images(partial, moves, mirror, cell, first, second),
        }
    }

    /// Takes the moves of a step, their images under a symmetry, and all that follows.
    fn follow_images(
        partial: &mut Partial<B, N>,
        known: &Moves<B, N>,
        mirror: &[u8],
        cell: u8,
        first: u8,
        second: Option<u8>,
    ) -> State {
        // Two moves, and the images of each under a symmetry of order up to 4.
        let mut moves = [(0, 0); 8];
        let mut number = 0;
        for to in std::iter::once(first).chain(second) {
            let (mut a, mut b) = (cell, to);
            loop {
                let pair = (usize::from(a.min(b)), usize::from(a.max(b)));
                if moves[..number].contains(&pair) {
                    break;
                }
                moves[number] = pair;
                number += 1;
                (a, b) = (mirror[usize::from(a)], mirror[usize::from(b)]);
            }
        }
        let mut touched = B::NONE;
        for (k, &(a, b)) in moves[..number].iter().enumerate() {
            // An earlier move may have struck out a later one.
            let is_possible = partial.active().has(a) && partial.ways(known, a).has(b);
            if !is_possible {
                return State::Dead;
            }
            match partial.take(known, a, b, &mut touched) {
                State::Open => {}
                State::Dead => return State::Dead,
                // One move is left to close the tour: it must be what is left to take.
                State::Whole => {
                    let closes = |&(a, b): &(usize, usize)| partial.open == B::of(a).with(B::of(b));
                    let rest = &moves[k + 1..number];
                    let fits = rest.len() < 2 && rest.iter().all(closes);
                    return if fits { State::Whole } else { State::Dead };
                }
            }
        }
        partial.propagate(known, touched)
    }
}

impl<B: Bits, const N: usize> Search for Branch<B, N> {
    type Step = Step;
    type Solution = ();

    fn look(&mut self, steps: &mut Vec<Step>) -> Outlook {
        let Some((partial, state)) = self.stack.last() else {
            steps.extend((0..self.beginnings.len() as u32).map(Step::Begin));
            return Outlook::Branch;
        };
        let moves = &self.beginnings[self.beginning].moves;
        match (state, &mut self.endings) {
            (State::Whole, _) => {
                self.tours = 1;
                Outlook::Solved
            }
            (State::Dead, _) => Outlook::Dead,
            (State::Open, Some(_)) if self.is_sketch && partial.slack(moves) <= LAST => {
                self.tours = 1;
                Outlook::Solved
            }
            (State::Open, Some(loan)) if partial.slack(moves) <= LAST => {
                let (outside, beginning) = (self.outside, self.beginning as u32);
                self.tours = loan.endings().below(moves, partial, outside, beginning);
                if self.tours == 0 { Outlook::Dead } else { Outlook::Solved }
            }
            (State::Open, _) => {
                Self::choices(moves, partial, steps);
                if steps.is_empty() { Outlook::Dead } else { Outlook::Branch }
            }
        }
    }

    /// Leaves are counted once, by the threads.
    fn glance(&mut self, steps: &mut Vec<Step>) -> Outlook {
        let is_sketch = std::mem::replace(&mut self.is_sketch, true);
        let outlook = self.look(steps);
        self.is_sketch = is_sketch;
        outlook
    }

    fn take(&mut self, step: Step) {
        if let Step::Begin(number) = step {
            self.beginning = number as usize;
            let Beginning { moves, partial, .. } = self.place();
            let mut partial = *partial;
            let state = partial.propagate(moves, partial.active());
            self.stack.push((partial, state));
        } else if let Some(&(mut partial, _)) = self.stack.last() {
            // Moves are only offered below a beginning.
            let state = self.follow(&mut partial, step);
            self.stack.push((partial, state));
        }
    }

    fn undo(&mut self) {
        self.stack.pop();
    }

    fn solution(&self) {}

    /// Ends of moves that are still missing: two for a fresh cell, one for an open one.
    fn left(&self) -> Option<u64> {
        let (partial, state) = self.stack.last()?;
        Some(match state {
            State::Open => u64::from(2 * partial.fresh.len() + partial.open.len()),
            State::Whole | State::Dead => 0,
        })
    }

    /// The logarithm of the product of all cells' choices, a unit divided by [`GRAIN`]: partial
    /// tours alike in this have about as many completions. On 8×8 Diplomatico the variance
    /// for the time is a sixth of that with numbers of cells and moves as strata.
    #[inline]
    fn stratum(&self) -> u64 {
        let Some((partial, state)) = self.stack.last() else { return u64::MAX };
        match state {
            State::Dead => 0,
            State::Whole => 1,
            State::Open => {
                let moves = &self.place().moves;
                let mut logarithm = 0.0;
                let mut product = 1.0f64;
                for cell in members(partial.fresh) {
                    let ways = f64::from(partial.fresh_ways(moves, cell).len());
                    product *= ways * (ways - 1.0) / 2.0;
                    // Up to 127 numbers of up to 8001 each: a float holds half of them.
                    if product > 1e40 {
                        logarithm += product.ln();
                        product = 1.0;
                    }
                }
                // Up to 127 numbers below 128.
                for cell in members(partial.open) {
                    product *= f64::from(partial.ways(moves, cell).len());
                }
                ((logarithm + product.ln()) * GRAIN) as u64 + 2
            }
        }
    }

    fn heap_bytes(&self) -> usize {
        2 * size_of::<(Partial<B, N>, State)>()
    }
}

/// All cells fresh, all moves possible.
fn board<B: Bits, const N: usize>(task: &Task) -> Beginning<B, N> {
    let (mut moves, mut partial) = (Moves::none(), Partial::empty());
    for cell in 0..task.len() {
        partial.add(cell);
    }
    for (a, b) in task.graph.edges() {
        moves.join(a as usize, b as usize);
    }
    Beginning { moves, partial, weight: 1 }
}

/// The board with the outside, which is joined to one end already and may be joined to
/// any of the `others`.
fn from_end<B: Bits, const N: usize>(task: &Task, end: usize, others: B) -> Beginning<B, N> {
    let outside = task.len();
    let mut beginning: Beginning<B, N> = board(task);
    let Beginning { moves, partial, .. } = &mut beginning;
    partial.add(outside);
    for other in members(others.with(B::of(end))) {
        moves.join(outside, other);
    }
    // The rest is found when the beginning is propagated.
    let mut touched = B::NONE;
    let _ = partial.take(moves, outside, end, &mut touched);
    beginning
}

/// The board with the outside, which may be joined to any two cells.
fn with_outside<B: Bits, const N: usize>(task: &Task) -> Beginning<B, N> {
    let outside = task.len();
    let mut beginning: Beginning<B, N> = board(task);
    beginning.partial.add(outside);
    for cell in 0..outside {
        beginning.moves.join(outside, cell);
    }
    beginning
}

fn between_fixed_ends<B: Bits, const N: usize>(task: &Task) -> Beginning<B, N> {
    let all = (0..task.len()).fold(B::NONE, |set, cell| set.with(B::of(cell)));
    match (task.cell_of(1), task.cell_of(task.len())) {
        (Some(one), Some(other)) => from_end(task, one as usize, B::of(other as usize)),
        // Whether the first or the last is fixed is the same but for the direction.
        (one, other) => {
            let end = one.or(other).unwrap_or(0) as usize;
            from_end(task, end, all.without(B::of(end)))
        }
    }
}

fn between_classes<B: Bits, const N: usize>(task: &Task) -> Vec<Beginning<B, N>> {
    let symmetries = task.board.symmetries();
    let mut classes: Vec<B> = Vec::new();
    for cell in 0..task.len() {
        if classes.iter().all(|class| !class.has(cell)) {
            let images = symmetries.iter().map(|g| B::of(g.permutation[cell] as usize));
            classes.push(images.fold(B::NONE, B::with));
        }
    }
    // Of classes alike, ends with many moves first: what is left to the constrained ones is then
    // little.
    classes.sort_by_key(|class| {
        std::cmp::Reverse((class.len(), task.graph.degree(class.first() as u32)))
    });
    let mut beginnings = Vec::new();
    for (number, &class) in classes.iter().enumerate() {
        let end = class.first();
        let size = u64::from(class.len());
        let later = classes[number + 1..].iter().fold(B::NONE, |set, class| set.with(*class));
        let keeping = || symmetries.iter().filter(|g| g.permutation[end] as usize == end);
        let orbit = |cell: usize| {
            keeping().fold(B::NONE, |set, g| set.with(B::of(g.permutation[cell] as usize)))
        };
        for (others, weight) in [(class.without(B::of(end)), size), (later, 2 * size)] {
            // One of each orbit, orbits of a size together.
            for length in [1, 2, 4, 8] {
                let is_one =
                    |cell: &usize| orbit(*cell).first() == *cell && orbit(*cell).len() == length;
                let some = members(others).filter(is_one);
                let some = some.fold(B::NONE, |set, cell| set.with(B::of(cell)));
                if some != B::NONE {
                    let weight = weight * u64::from(length);
                    beginnings.push(Beginning { weight, ..from_end(task, end, some) });
                }
            }
        }
    }
    beginnings
}
