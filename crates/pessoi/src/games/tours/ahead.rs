//! Looking ahead: borders that lead nowhere are never stored.
//!
//! Almost all borders of the plain sweep are dead: on the 6×6 Diplomatico board, closed,
//! 1.3 million in the largest layer, of which a few thousand lead to a tour. Before a new
//! border is stored, the cells not read yet and those of the border are put together as a
//! [`Partial`] tour and everything that follows is taken. If that ends in a contradiction,
//! the border is *hopeless*.
//!
//! What cannot be seen is taken to be possible, so a hopeless border is surely dead: on
//! long boards only a window of the next cells is looked at, and nothing is concluded
//! about cells with neighbours beyond it.

use super::border::{DONE, Mates, TIED};
use super::partial::{Bits, Moves, Partial, State};
use super::task::Task;

/// What lies ahead of one site.
struct Outlook<B, const N: usize> {
    /// The moves between cells of the window, from slots into it, and from where the tour may end
    /// to the outside.
    moves: Moves<B, N>,
    /// The cells of the window.
    later: Partial<B, N>,
}

/// What lies ahead of every site. The first places of a set are slots, then come the
/// cells of the window, and the last place is the outside.
pub(super) struct Ahead<B, const N: usize> {
    sites: Vec<Outlook<B, N>>,
    slots: usize,
    closed: bool,
}

impl<B: Bits, const N: usize> Ahead<B, N> {
    /// Bytes that looking ahead from one site takes.
    pub(super) const BYTES_A_SITE: usize = size_of::<Outlook<B, N>>();

    /// Looks ahead from every site. `order` is the order of reading; `taken` says for
    /// each site which slots are taken after it, and by which cells. No site sees what is
    /// read from its `horizon` on.
    pub(super) fn new(
        task: &Task,
        order: &[u32],
        taken: &[Vec<(u8, u32)>],
        slots: usize,
        horizon: impl Fn(usize) -> usize,
    ) -> Self {
        let mut position = vec![0usize; task.len()];
        for (time, &cell) in order.iter().enumerate() {
            position[cell as usize] = time;
        }
        let given: Vec<u32> =
            [task.cell_of(1), task.cell_of(task.len())].into_iter().flatten().collect();
        let may_end = |cell: u32| !task.closed && (given.len() < 2 || given.contains(&cell));
        let window = N - 1 - slots;
        let sites = taken.iter().enumerate().map(|(site, taken)| {
            let last = (site + 1 + window).min(order.len()).min(horizon(site));
            let place = |cell: u32| {
                let time = position[cell as usize];
                (site < time && time < last).then(|| slots + time - site - 1)
            };
            let beyond = |cell: u32| {
                task.graph.neighbours(cell).iter().any(|&to| position[to as usize] >= last)
            };
            let mut outlook = Outlook { moves: Moves::none(), later: Partial::empty() };
            outlook.moves.complete = last == order.len();
            let outside = N - 1;
            if !outlook.moves.complete {
                outlook.moves.unknown = B::of(outside);
            }
            let seen = order[site + 1..last].iter().filter_map(|&cell| Some((place(cell)?, cell)));
            let slots = taken.iter().map(|&(slot, cell)| (usize::from(slot), cell));
            for (here, cell) in seen.clone().chain(slots) {
                for there in task.graph.neighbours(cell).iter().filter_map(|&to| place(to)) {
                    outlook.moves.join(here, there);
                }
                if may_end(cell) {
                    outlook.moves.join(here, outside);
                }
                if beyond(cell) {
                    outlook.moves.unknown = outlook.moves.unknown.with(B::of(here));
                }
            }
            for (here, _) in seen {
                outlook.later.add(here);
            }
            outlook
        });
        Ahead { sites: sites.collect(), slots, closed: task.closed }
    }

    /// Whether a border after `site` surely leads to no tour.
    pub(super) fn is_hopeless(&self, site: usize, mates: &Mates) -> bool {
        let Outlook { moves, later } = &self.sites[site];
        let mut partial = *later;
        let mut tied = [0usize; 2];
        let mut ties = 0;
        for (slot, &mate) in mates.iter().enumerate().take(self.slots) {
            if mate == DONE {
                continue;
            }
            if mate == TIED {
                if ties < 2 {
                    tied[ties] = slot;
                }
                ties += 1;
            } else if usize::from(mate) == slot {
                partial.add(slot);
            } else {
                partial.add_open(slot, usize::from(mate));
            }
        }
        let outside = N - 1;
        match ties {
            _ if self.closed => {}
            0 => partial.add(outside),
            1 => {
                partial.add_open(outside, tied[0]);
                partial.add_open(tied[0], outside);
            }
            2 => {
                // Both ends are known: the two pieces are one, through the outside.
                let [a, b] = tied;
                partial.add_open(a, b);
                partial.add_open(b, a);
            }
            _ => return false,
        }
        let active = partial.active();
        if active.len() <= 2 {
            // Too little is left for the rules to apply as they stand.
            return false;
        }
        partial.propagate(moves, active) == State::Dead
    }
}
