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
use super::partial::{Bits, Partial, State, members};
use super::task::Task;

/// What lies ahead of one site.
struct Outlook<B, const N: usize> {
    /// The cells of the window, and the moves between them.
    later: Partial<B, N>,
    /// For each slot that is taken: the cells of the window it can move to.
    of_slot: Vec<B>,
    /// Slots whose cells have neighbours beyond the window.
    unknown: B,
    /// Cells of the window where the tour may end.
    ends: B,
    /// Slots whose cells may be ends.
    slot_ends: B,
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
    pub(super) fn bytes_a_site(slots: usize) -> usize {
        size_of::<Outlook<B, N>>() + slots * size_of::<B>()
    }

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
            let mut outlook = Outlook {
                later: Partial::empty(),
                of_slot: vec![B::NONE; slots],
                unknown: B::NONE,
                ends: B::NONE,
                slot_ends: B::NONE,
            };
            outlook.later.complete = last == order.len();
            for &cell in &order[site + 1..last] {
                let Some(here) = place(cell) else { continue };
                outlook.later.add(here);
                for there in task.graph.neighbours(cell).iter().filter_map(|&to| place(to)) {
                    outlook.later.allow(here, there);
                }
                if beyond(cell) {
                    outlook.later.unknown = outlook.later.unknown.with(B::of(here));
                }
                if may_end(cell) {
                    outlook.ends = outlook.ends.with(B::of(here));
                }
            }
            for &(slot, cell) in taken {
                let slot = usize::from(slot);
                let near = task.graph.neighbours(cell).iter().filter_map(|&to| place(to));
                outlook.of_slot[slot] = near.fold(B::NONE, |set, there| set.with(B::of(there)));
                if beyond(cell) {
                    outlook.unknown = outlook.unknown.with(B::of(slot));
                }
                if may_end(cell) {
                    outlook.slot_ends = outlook.slot_ends.with(B::of(slot));
                }
            }
            outlook
        });
        Ahead { sites: sites.collect(), slots, closed: task.closed }
    }

    /// Whether a border after `site` surely leads to no tour.
    pub(super) fn is_hopeless(&self, site: usize, mates: &Mates) -> bool {
        let outlook = &self.sites[site];
        let mut partial = outlook.later;
        partial.unknown = partial.unknown.with(outlook.unknown);
        let mut tied = [0usize; 2];
        let mut ties = 0;
        for (slot, &mate) in mates.iter().enumerate().take(self.slots) {
            if mate == DONE {
                continue;
            }
            partial.add(slot);
            if usize::from(mate) != slot {
                partial.fresh = partial.fresh.without(B::of(slot));
                partial.open = partial.open.with(B::of(slot));
                if mate == TIED {
                    if ties < 2 {
                        tied[ties] = slot;
                    }
                    ties += 1;
                } else {
                    partial.mate[slot] = mate;
                }
            }
            for there in members(outlook.of_slot[slot]) {
                partial.allow(slot, there);
            }
        }
        match ties {
            _ if self.closed => {}
            2 => {
                // Both ends are known: the two pieces are one, through the outside.
                let [a, b] = tied;
                partial.mate[a] = b as u8;
                partial.mate[b] = a as u8;
            }
            0 | 1 => {
                let outside = N - 1;
                let ends = outlook.ends.with(outlook.slot_ends);
                partial.add(outside);
                if !partial.complete {
                    partial.unknown = partial.unknown.with(B::of(outside));
                }
                if ties == 1 {
                    partial.fresh = partial.fresh.without(B::of(outside));
                    partial.open = partial.open.with(B::of(outside));
                    partial.mate[outside] = tied[0] as u8;
                    partial.mate[tied[0]] = outside as u8;
                }
                for end in members(partial.active()) {
                    let is_tied = ties == 1 && end == tied[0];
                    if ends.has(end) && !is_tied {
                        partial.allow(outside, end);
                    }
                }
            }
            _ => return false,
        }
        let active = partial.active();
        if active.len() <= 2 {
            // Too little is left for the rules to apply as they stand.
            return false;
        }
        // Mates are joined already: a further move between them would close a loop.
        for cell in members(partial.open) {
            let mate = usize::from(partial.mate[cell]);
            if partial.ways[cell].has(mate) {
                partial.forbid(cell, mate);
            }
        }
        partial.propagate(active) == State::Dead
    }
}
