//! Counting by moves: branching at the most constrained cell.
//!
//! Extending a path cell by cell meets every dead end at the path's head only. Here the
//! search looks at the whole board ([`Partial`]) and decides about the cell that leaves
//! the fewest choices, wherever it lies: which of its possible moves the tour takes, one
//! for an open cell, two for a fresh one. After each choice everything that follows is
//! taken at once. On Diplomatico boards this needs about two nodes a tour.
//!
//! Without fixed ends an open tour ends somewhere, and the ends of one symmetry class of
//! cells see the same tours. So the tours are counted from one cell of each class, those
//! that end in the same class once, those that end in a later class twice: this counts
//! every tour from both its ends.

use pessoi_engine::ledger::Chapter;
use pessoi_engine::run::{Run, Stop, Stopped};
use pessoi_engine::search::{
    Cut, Estimate, Outlook, Part, Probing, Search, Tally, estimate, fold, tally,
};

use super::kept::{Counted, Recursion};
use super::partial::{Bits, Partial, State, members};
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
#[derive(Clone)]
struct Beginning<B, const N: usize> {
    partial: Partial<B, N>,
    weight: u64,
}

/// The search.
///
/// A clone stands at the same node but does not know the way there: it can undo the steps
/// that it takes itself, and no more. Engines need no more, and what lies above is large.
pub(super) struct Branch<B, const N: usize> {
    beginnings: std::sync::Arc<[Beginning<B, N>]>,
    weight: u64,
    /// Where a symmetry takes each cell, if only tours that it keeps are wanted.
    mirror: Option<std::sync::Arc<[u8]>>,
    /// From the beginning to the present node.
    stack: Vec<(Partial<B, N>, State)>,
}

impl<B: Bits, const N: usize> Clone for Branch<B, N> {
    fn clone(&self) -> Self {
        Branch {
            beginnings: self.beginnings.clone(),
            weight: self.weight,
            mirror: self.mirror.clone(),
            stack: self.stack.last().copied().into_iter().collect(),
        }
    }
}

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

    /// Random probes of the tree.
    pub(super) fn estimate(
        &self,
        how: Probing,
        probes: u64,
        run: &Run,
        chapter: &Chapter,
    ) -> Result<Estimate, Stop> {
        either!(self, search => estimate(search, how, probes, run, chapter))
    }

    /// Walks the tree and counts its leaves that are tours.
    pub(super) fn tally(&self, run: &Run) -> Result<Tally, Stopped<Tally>> {
        either!(self, search => tally(search, Part::WHOLE, run, &Chapter::unkept()))
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
        either!(self, search => {
            let weighed = fold(
                search,
                cut,
                run,
                chapter,
                || 0u128,
                |sum, at| *sum += u128::from(at.weight()),
                |sum, more| *sum += more,
            );
            match weighed {
                Ok(all) => Ok((all.folded, all.dealt)),
                Err(Stopped { why, so_far }) => Err(Stopped { why, so_far: so_far.folded }),
            }
        })
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
    /// The search for a task that [fits](Branching::fits).
    pub(super) fn new(task: &Task) -> Self {
        let beginnings = if task.closed {
            vec![Beginning { partial: board(task), weight: 1 }]
        } else if task.is_numbered() {
            vec![Beginning { partial: between_fixed_ends(task), weight: 1 }]
        } else {
            between_classes(task)
        };
        Branch { beginnings: beginnings.into(), weight: 0, mirror: None, stack: Vec::new() }
    }

    /// The search that meets each undirected tour once, from one beginning: for probes,
    /// which want one tree.
    pub(super) fn undivided(task: &Task) -> Self {
        let partial = if task.closed {
            board(task)
        } else if task.is_numbered() {
            between_fixed_ends(task)
        } else {
            with_outside(task)
        };
        let beginnings = vec![Beginning { partial, weight: 1 }];
        Branch { beginnings: beginnings.into(), weight: 0, mirror: None, stack: Vec::new() }
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

    /// How many numberings the tour found stands for.
    pub(super) fn weight(&self) -> u64 {
        self.weight
    }

    /// The cell with the fewest choices, and what they are.
    fn choices(partial: &Partial<B, N>, steps: &mut Vec<Step>) {
        let mut best: Option<(u32, usize)> = None;
        for cell in members(partial.open) {
            let choices = partial.ways[cell].len();
            if best.is_none_or(|(fewest, _)| choices < fewest) {
                best = Some((choices, cell));
                if choices <= 2 {
                    break;
                }
            }
        }
        if best.is_none_or(|(fewest, _)| fewest > 2) {
            for cell in members(partial.fresh) {
                let ways = partial.ways[cell].len();
                let choices = ways * ways.saturating_sub(1) / 2;
                if best.is_none_or(|(fewest, _)| choices < fewest) {
                    best = Some((choices, cell));
                }
            }
        }
        let Some((_, cell)) = best else { return };
        let ways = partial.ways[cell];
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

    /// Takes the moves of a step, and their images if only tours that a symmetry keeps are
    /// wanted, and all that follows.
    fn follow(partial: &mut Partial<B, N>, step: Step, mirror: Option<&[u8]>) -> State {
        let (cell, first, second) = match step {
            Step::Begin(_) => return State::Dead,
            Step::One(cell, first) => (cell, first, None),
            Step::Two(cell, first, second) => (cell, first, Some(second)),
        };
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
                let Some(mirror) = mirror else { break };
                (a, b) = (mirror[usize::from(a)], mirror[usize::from(b)]);
            }
        }
        let mut touched = B::NONE;
        for (k, &(a, b)) in moves[..number].iter().enumerate() {
            // An earlier move may have struck out a later one.
            if !partial.ways[a].has(b) {
                return State::Dead;
            }
            match partial.take(a, b, &mut touched) {
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
        partial.propagate(touched)
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
        match state {
            State::Whole => Outlook::Solved,
            State::Dead => Outlook::Dead,
            State::Open => {
                Self::choices(partial, steps);
                if steps.is_empty() { Outlook::Dead } else { Outlook::Branch }
            }
        }
    }

    fn take(&mut self, step: Step) {
        if let Step::Begin(number) = step {
            let beginning = &self.beginnings[number as usize];
            self.weight = beginning.weight;
            let mut partial = beginning.partial;
            let state = partial.propagate(partial.active());
            self.stack.push((partial, state));
        } else {
            // One copy, changed where it lies; moves are only offered below a beginning.
            self.stack.extend_from_within(self.stack.len().saturating_sub(1)..);
            if let Some((partial, state)) = self.stack.last_mut() {
                *state = Self::follow(partial, step, self.mirror.as_deref());
            }
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
    fn stratum(&self) -> u64 {
        let Some((partial, state)) = self.stack.last() else { return u64::MAX };
        match state {
            State::Dead => 0,
            State::Whole => 1,
            State::Open => {
                let choices = |cell: usize| {
                    let ways = f64::from(partial.ways[cell].len());
                    if partial.fresh.has(cell) { ways * (ways - 1.0) / 2.0 } else { ways }
                };
                // Numbers of choices are small: products of so many stay below 10^308.
                let mut logarithm = 0.0;
                let mut product = 1.0f64;
                for cell in members(partial.active()) {
                    product *= choices(cell);
                    if product > 1e200 {
                        logarithm += product.ln();
                        product = 1.0;
                    }
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
fn board<B: Bits, const N: usize>(task: &Task) -> Partial<B, N> {
    let mut partial = Partial::empty();
    for cell in 0..task.len() {
        partial.add(cell);
    }
    for (a, b) in task.graph.edges() {
        partial.allow(a as usize, b as usize);
    }
    partial
}

/// The board with the outside, which is joined to one end already and may be joined to
/// any of the `others`.
fn from_end<B: Bits, const N: usize>(task: &Task, end: usize, others: B) -> Partial<B, N> {
    let outside = task.len();
    let mut partial: Partial<B, N> = board(task);
    partial.add(outside);
    partial.allow(outside, end);
    for other in members(others) {
        partial.allow(outside, other);
    }
    // The rest is found when the beginning is propagated.
    let mut touched = B::NONE;
    let _ = partial.take(outside, end, &mut touched);
    partial
}

/// The board with the outside, which may be joined to any two cells.
fn with_outside<B: Bits, const N: usize>(task: &Task) -> Partial<B, N> {
    let outside = task.len();
    let mut partial: Partial<B, N> = board(task);
    partial.add(outside);
    for cell in 0..outside {
        partial.allow(outside, cell);
    }
    partial
}

fn between_fixed_ends<B: Bits, const N: usize>(task: &Task) -> Partial<B, N> {
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
    // Ends with many moves first: what is left to the constrained ones is then little.
    classes.sort_by_key(|class| std::cmp::Reverse(task.graph.degree(class.first() as u32)));
    let mut beginnings = Vec::new();
    for (number, &class) in classes.iter().enumerate() {
        let end = class.first();
        let size = u64::from(class.len());
        let later = classes[number + 1..].iter().fold(B::NONE, |set, class| set.with(*class));
        for (others, weight) in [(class.without(B::of(end)), size), (later, 2 * size)] {
            if others != B::NONE {
                beginnings.push(Beginning { partial: from_end(task, end, others), weight });
            }
        }
    }
    beginnings
}
