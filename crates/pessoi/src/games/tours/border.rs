//! Paths as sets of moves, read cell by cell: the sweep.
//!
//! The cells are read in an order that keeps the border short. At each cell the
//! choice is which of the moves to *earlier* cells belong to the path: none, one or
//! two. The **border** holds the earlier cells that still have later neighbours,
//! each in a *slot*, and each is
//!
//! - *done*: it has its two moves (or was the end of the path);
//! - *fresh*: it has none yet;
//! - *mated*: it has one, and the piece of path that begins there ends at the slot
//!   that is its mate;
//! - *tied*: it has one, and its piece of path ends at an end of the whole path.
//!
//! A cell that lacks more moves than it has later neighbours must be an end; so a
//! path with both ends known is recognised early. Joining two mates would close a
//! loop, which is right only for the last move of a closed tour.
//!
//! Slots are packed 5 bits each (0 done, 1 fresh, 2 tied, from 3 on pairs of mates,
//! numbered in order of appearance), so equal borders are equal words. The idea is
//! Knuth's SIMPATH and its many forerunners; the use of END ties for open paths is
//! the usual one. On the 6×6 Diplomatico board, closed, the largest layer has 1.3
//! million borders, nearly all of them dead.

use pessoi_engine::run::{Claim, Run, Stop};
use pessoi_engine::sweep::{Packed, Resumable, Sweep};

use super::ahead::Ahead;
use super::task::Task;
use crate::error::{Error, Result};

/// Slots that fit a border.
pub(super) const MOST_SLOTS: usize = 48;
/// Choices are told apart by two numbers of four bits: which earlier cells are joined.
const MOST_EARLIER: usize = 15;
const SLOTS_A_WORD: usize = 12;
const BITS: usize = 5;

/// A packed border.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Border([u64; MOST_SLOTS / SLOTS_A_WORD]);

impl Packed for Border {
    type Words = [u64; MOST_SLOTS / SLOTS_A_WORD];

    fn to_words(self) -> Self::Words {
        self.0
    }

    fn from_words(words: Self::Words) -> Self {
        Border(words)
    }
}

/// What is at a slot, unpacked: one of these or the slot of its mate. A slot that
/// is its own mate is fresh.
pub(super) const DONE: u8 = 0xff;
pub(super) const TIED: u8 = 0xfe;

/// The slot that the cell being read has until it gets its own.
const NEW: usize = MOST_SLOTS;

/// A border while it is worked on.
pub(super) type Mates = [u8; MOST_SLOTS + 1];

/// All that is known beforehand of reading one cell.
#[derive(Clone, Debug)]
struct Site {
    /// The earlier neighbours' slots, and how many later neighbours each will have
    /// after this cell.
    earlier: Vec<(u8, u8)>,
    /// How many later neighbours this cell has.
    later: u8,
    /// The slot this cell gets; it has none if it leaves at once.
    slot: Option<u8>,
    /// Whether the path must end (or start) here.
    is_end: bool,
    /// Ends that must be at cells read so far, this one included.
    given_ends: usize,
}

/// How far the sweep looks ahead.
enum Sight {
    Nowhere,
    Near(Ahead<u64, 64>),
    Far(Ahead<u128, 128>),
}

/// The sweep over a board's cells.
pub(super) struct Paths {
    /// Cells in the order in which they are read.
    order: Vec<u32>,
    sites: Vec<Site>,
    slots: usize,
    closed: bool,
    /// Ends that may be anywhere.
    free_ends: usize,
    /// After each site: the slots that are taken, and by which cells.
    taken: Vec<Vec<(u8, u32)>>,
    /// After each site: what symmetries of the board, which take the cells read so far to
    /// themselves, do to the slots.
    mirrors: Vec<Vec<[u8; MOST_SLOTS]>>,
    sight: Sight,
    /// The memory of all this.
    _claim: Claim,
}

/// What is kept of a sweep besides what each site needs to be read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Keeping {
    /// Nothing.
    Plain,
    /// What lies ahead of each site.
    Ahead,
    /// That, and what symmetries do to the slots.
    AheadAndMirrors,
}

impl Paths {
    /// How many slots the border of a task has, or why it cannot be swept.
    pub(super) fn width(task: &Task) -> Result<usize> {
        Ok(Paths::best_order(task)?.1)
    }

    /// The sweep for a task that has a [`Paths::width`], without looking ahead and without
    /// mirrors: the reference.
    pub(super) fn plain(task: &Task, run: &Run) -> Result<Paths, Stop> {
        Paths::build(task, Paths::order(task), Keeping::Plain, |_| usize::MAX, run)
    }

    /// The sweep that looks ahead, without mirrors.
    pub(super) fn new(task: &Task, run: &Run) -> Result<Paths, Stop> {
        Paths::build(task, Paths::order(task), Keeping::Ahead, |_| usize::MAX, run)
    }

    /// The sweep column by column, which looks so many columns ahead and takes mirror
    /// images for one. The task must have passed [`Paths::check_columns`].
    pub(super) fn by_columns(task: &Task, ahead: usize, run: &Run) -> Result<Paths, Stop> {
        let rows = task.board.rows();
        let horizon = |site: usize| (site / rows + 1 + ahead) * rows;
        Paths::build(task, columns(task), Keeping::AheadAndMirrors, horizon, run)
    }

    /// Refuses a task that cannot be swept column by column.
    pub(super) fn check_columns(task: &Task) -> Result<()> {
        Paths::refuse(task)?;
        Paths::check_order(task, &columns(task)).map(drop)
    }

    /// The order of reading with the shorter border; columns if they are equal.
    fn best_order(task: &Task) -> Result<(Vec<u32>, usize)> {
        Paths::refuse(task)?;
        let by_row: Vec<u32> = (0..task.len() as u32).collect();
        let by_col = columns(task);
        match (Paths::check_order(task, &by_col), Paths::check_order(task, &by_row)) {
            (Ok(col), Ok(row)) if row < col => Ok((by_row, row)),
            (Err(_), Ok(row)) => Ok((by_row, row)),
            (col, _) => Ok((by_col, col?)),
        }
    }

    /// The best order of a task that can be swept.
    fn order(task: &Task) -> Vec<u32> {
        Paths::best_order(task).map_or_else(|_| columns(task), |(order, _)| order)
    }

    /// Refuses a task that no sweep can do.
    fn refuse(task: &Task) -> Result<()> {
        if task.has_inner_clues() || (task.closed && task.is_numbered()) {
            return Err(Error::place(
                "A sweep cannot follow clues, which say when a cell is visited.",
            ));
        }
        if task.len() < 3 {
            return Err(Error::place("A sweep needs a board of at least three cells."));
        }
        Ok(())
    }

    /// How many slots the border has if the cells are read in this order.
    fn check_order(task: &Task, order: &[u32]) -> Result<usize> {
        let position = positions(order);
        let last_near = |cell: u32| {
            let near = task.graph.neighbours(cell).iter().map(|&to| position[to as usize]);
            near.max().unwrap_or(0)
        };
        let (mut taken, mut most) = (0usize, 0usize);
        for (time, &cell) in order.iter().enumerate() {
            let near = task.graph.neighbours(cell).iter();
            let earlier = near.filter(|&&to| position[to as usize] < time);
            let (mut number, mut leaving) = (0, 0);
            for &to in earlier {
                number += 1;
                leaving += usize::from(last_near(to) == time);
            }
            if number > MOST_EARLIER {
                return Err(Error::unsupported(
                    "options.moves",
                    format!(
                        "A sweep takes games with at most {MOST_EARLIER} moves to earlier cells."
                    ),
                ));
            }
            taken = taken - leaving + usize::from(last_near(cell) > time);
            most = most.max(taken);
            if most > MOST_SLOTS {
                return Err(Error::unsupported(
                    "place",
                    format!(
                        "{} is too wide for a sweep: its border has more than {MOST_SLOTS} cells.",
                        task.board.name()
                    ),
                ));
            }
        }
        Ok(most)
    }

    /// Claims the memory of a sweep and builds it.
    fn build(
        task: &Task,
        order: Vec<u32>,
        keeping: Keeping,
        horizon: impl Fn(usize) -> usize,
        run: &Run,
    ) -> Result<Paths, Stop> {
        let slots = Paths::check_order(task, &order).unwrap_or(MOST_SLOTS);
        let near = slots + task.len() < 64;
        let plain = 2 * size_of::<u32>()
            + size_of::<Site>()
            + 2 * MOST_EARLIER
            + size_of::<Vec<(u8, u32)>>()
            + slots * size_of::<(u8, u32)>();
        let ahead = match keeping {
            Keeping::Plain => 0,
            _ if near => Ahead::<u64, 64>::BYTES_A_SITE,
            _ => Ahead::<u128, 128>::BYTES_A_SITE,
        };
        // Few sites have any mirrors.
        let mirrors = if keeping == Keeping::AheadAndMirrors { 2 * MOST_SLOTS } else { 0 };
        let mut claim = run.claim();
        claim.grow_to(((plain + ahead + mirrors) * task.len()) as u64)?;
        let mut paths = Paths::with_order(task, order, claim);
        if keeping != Keeping::Plain {
            let (order, taken) = (&paths.order, &paths.taken);
            paths.sight = if near {
                Sight::Near(Ahead::new(task, order, taken, slots, horizon))
            } else {
                Sight::Far(Ahead::new(task, order, taken, slots, horizon))
            };
        }
        if keeping == Keeping::AheadAndMirrors {
            paths.mirrors = paths.mirrors(task);
        }
        Ok(paths)
    }

    /// Where each slot after site `late` lies after site `early`, if the cells are moved
    /// back by `cells` places of the order of reading.
    pub(super) fn shift(&self, early: usize, late: usize, cells: usize) -> Vec<u8> {
        let position = positions(&self.order);
        let mut to = vec![0u8; self.slots];
        for &(slot, cell) in &self.taken[late] {
            let moved = position[cell as usize].checked_sub(cells);
            let there = self.taken[early]
                .iter()
                .find(|(_, other)| Some(position[*other as usize]) == moved);
            to[usize::from(slot)] = there.map_or(slot, |(slot, _)| *slot);
        }
        to
    }

    /// A border with its slots moved, as it is after `site`: of its mirror images the least.
    pub(super) fn moved(&self, site: usize, border: &Border, to: &[u8]) -> Border {
        let mates = self.unpack(border);
        let mut image = [DONE; MOST_SLOTS + 1];
        for slot in 0..self.slots {
            image[usize::from(to[slot])] = match mates[slot] {
                DONE => continue,
                TIED => TIED,
                mate => to[usize::from(mate)],
            };
        }
        self.pack_merged(site, &image)
    }

    /// For each site, what the symmetries that keep the cells read so far do to the slots.
    fn mirrors(&self, task: &Task) -> Vec<Vec<[u8; MOST_SLOTS]>> {
        let fixed: Vec<u32> = task.fixed().map(|(_, cell)| cell).collect();
        let mut symmetries = task.board.symmetries();
        symmetries.retain(|g| fixed.iter().all(|&cell| g.permutation[cell as usize] == cell));
        let position = positions(&self.order);
        // Up to each time: the latest time of an image of a cell read by then.
        let reach: Vec<Vec<usize>> = symmetries
            .iter()
            .map(|g| {
                let images = self.order.iter().map(|&c| g.permutation[c as usize] as usize);
                images
                    .scan(0, |latest, image| {
                        *latest = position[image].max(*latest);
                        Some(*latest)
                    })
                    .collect()
            })
            .collect();
        let at = |site: usize| {
            let keeps = (1..symmetries.len()).filter(|&g| reach[g][site] == site);
            keeps
                .map(|g| {
                    let mut to = [0u8; MOST_SLOTS];
                    for &(slot, cell) in &self.taken[site] {
                        let image = symmetries[g].permutation[cell as usize];
                        let there = self.taken[site].iter().find(|(_, other)| *other == image);
                        // The image of a cell with later neighbours has some too.
                        to[usize::from(slot)] = there.map_or(slot, |(slot, _)| *slot);
                    }
                    to
                })
                .collect()
        };
        (0..self.order.len()).map(at).collect()
    }

    /// The least of a border and its mirror images.
    fn pack_merged(&self, site: usize, mates: &Mates) -> Border {
        let mut least = self.pack(mates);
        for mirror in self.mirrors.get(site).into_iter().flatten() {
            let mut image = [DONE; MOST_SLOTS + 1];
            for slot in 0..self.slots {
                let mate = mates[slot];
                if mate != DONE {
                    let is_slot = mate != TIED;
                    image[usize::from(mirror[slot])] =
                        if is_slot { mirror[usize::from(mate)] } else { mate };
                }
            }
            least = least.min(self.pack(&image));
        }
        least
    }

    /// The sweep of a task whose border has at most [`MOST_SLOTS`] slots in this order.
    fn with_order(task: &Task, order: Vec<u32>, claim: Claim) -> Paths {
        let position = positions(&order);
        let later_than = |cell: u32, time: usize| {
            task.graph.neighbours(cell).iter().filter(|&&to| position[to as usize] > time).count()
        };
        let ends: Vec<u32> = if task.closed {
            Vec::new()
        } else {
            [task.cell_of(1), task.cell_of(task.len())].into_iter().flatten().collect()
        };
        let mut slot_of = vec![usize::MAX; task.len()];
        let mut taken: Vec<bool> = Vec::new();
        let mut given_ends = 0;
        let mut sites = Vec::with_capacity(order.len());
        let mut holders: Vec<(u8, u32)> = Vec::new();
        let mut taken_after = Vec::with_capacity(order.len());
        for (time, &cell) in order.iter().enumerate() {
            let before = task.graph.neighbours(cell).iter();
            let before: Vec<u32> =
                before.copied().filter(|&to| position[to as usize] < time).collect();
            let earlier = before
                .iter()
                .map(|&to| (slot_of[to as usize] as u8, later_than(to, time) as u8))
                .collect();
            // Slots of cells that leave now are free for the next cells.
            for &to in before.iter().filter(|&&to| later_than(to, time) == 0) {
                taken[slot_of[to as usize]] = false;
                holders.retain(|(_, cell)| *cell != to);
            }
            let later = later_than(cell, time);
            let slot = (later > 0).then(|| {
                let slot = taken.iter().position(|taken| !taken).unwrap_or(taken.len());
                if slot == taken.len() {
                    taken.push(true);
                } else {
                    taken[slot] = true;
                }
                slot_of[cell as usize] = slot;
                holders.push((slot as u8, cell));
                slot as u8
            });
            taken_after.push(holders.clone());
            let is_end = ends.contains(&cell);
            given_ends += usize::from(is_end);
            sites.push(Site { earlier, later: later as u8, slot, is_end, given_ends });
        }
        let free_ends = if task.closed { 0 } else { 2 - ends.len() };
        Paths {
            order,
            sites,
            slots: taken.len(),
            closed: task.closed,
            free_ends,
            taken: taken_after,
            mirrors: Vec::new(),
            sight: Sight::Nowhere,
            _claim: claim,
        }
    }

    /// How many slots the border has.
    pub(super) fn slots(&self) -> usize {
        self.slots
    }

    fn pack(&self, mates: &Mates) -> Border {
        let mut words = [0u64; MOST_SLOTS / SLOTS_A_WORD];
        let mut labels = [0u8; MOST_SLOTS];
        let mut next = 3;
        for slot in 0..self.slots {
            let label = match mates[slot] {
                DONE => 0,
                TIED => 2,
                mate if usize::from(mate) == slot => 1,
                mate if usize::from(mate) > slot => {
                    labels[usize::from(mate)] = next;
                    next += 1;
                    next - 1
                }
                _ => labels[slot],
            };
            words[slot / SLOTS_A_WORD] |= u64::from(label) << (BITS * (slot % SLOTS_A_WORD));
        }
        Border(words)
    }

    fn unpack(&self, border: &Border) -> Mates {
        let mut mates = [DONE; MOST_SLOTS + 1];
        let mut first = [DONE; 1 << BITS];
        for slot in 0..self.slots {
            let word = border.0[slot / SLOTS_A_WORD];
            let label = (word >> (BITS * (slot % SLOTS_A_WORD))) as usize & ((1 << BITS) - 1);
            match label {
                0 => {}
                1 => mates[slot] = slot as u8,
                2 => mates[slot] = TIED,
                _ if first[label] == DONE => first[label] = slot as u8,
                _ => {
                    mates[slot] = first[label];
                    mates[usize::from(first[label])] = slot as u8;
                }
            }
        }
        mates
    }

    /// The path whose choices have these codes, as cells in order.
    pub(super) fn path(&self, task: &Task, codes: &[u8]) -> Option<Vec<u32>> {
        let mut joined: Vec<Vec<u32>> = vec![Vec::new(); self.order.len()];
        let mut read = vec![false; self.order.len()];
        for (&cell, &code) in self.order.iter().zip(codes) {
            let neighbours = task.graph.neighbours(cell).iter();
            let earlier: Vec<u32> = neighbours.copied().filter(|&to| read[to as usize]).collect();
            for pick in [code & 15, code >> 4] {
                if pick > 0 {
                    let to = *earlier.get(usize::from(pick) - 1)?;
                    joined[cell as usize].push(to);
                    joined[to as usize].push(cell);
                }
            }
            read[cell as usize] = true;
        }
        let mut at = match task.cell_of(1) {
            Some(first) => first,
            None if self.closed => 0,
            None => (0..joined.len() as u32).find(|&cell| joined[cell as usize].len() == 1)?,
        };
        let mut before = None;
        let mut path = vec![at];
        while path.len() < self.order.len() {
            let next = joined[at as usize].iter().copied().find(|&to| Some(to) != before)?;
            before = Some(at);
            at = next;
            path.push(at);
        }
        // An open path may have been followed from its last cell.
        if !self.closed && task.cell_of(path.len()).is_some_and(|last| last == path[0]) {
            path.reverse();
        }
        Some(path)
    }
}

/// When each cell is read.
fn positions(order: &[u32]) -> Vec<usize> {
    let mut position = vec![0; order.len()];
    for (time, &cell) in order.iter().enumerate() {
        position[cell as usize] = time;
    }
    position
}

/// All cells, column by column.
pub(super) fn columns(task: &Task) -> Vec<u32> {
    let mut order: Vec<u32> = (0..task.len() as u32).collect();
    order.sort_by_key(|&cell| {
        let cell = task.board.cell(cell as usize);
        (cell.col, cell.row)
    });
    order
}

/// What joining two slots did.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Joined {
    /// Two pieces became one.
    Piece,
    /// The whole became a loop, or a path with both its ends.
    Whole,
}

/// Joins two slots that are not done; each loses its freshness or becomes done.
fn join(mates: &mut Mates, a: usize, b: usize) -> Joined {
    let (far_a, far_b) = (mates[a], mates[b]);
    let loops = usize::from(far_a) == b && a != b;
    // The ends of the joined piece: a fresh slot stays an end of it.
    let end = |slot: usize, far: u8| if usize::from(far) == slot { slot as u8 } else { far };
    let (x, y) = (end(a, far_a), end(b, far_b));
    for (slot, far) in [(a, far_a), (b, far_b)] {
        if usize::from(far) != slot {
            mates[slot] = DONE;
        }
    }
    if loops || (x == TIED && y == TIED) {
        return Joined::Whole;
    }
    if x != TIED {
        mates[usize::from(x)] = y;
    }
    if y != TIED {
        mates[usize::from(y)] = x;
    }
    Joined::Piece
}

impl Sweep for Paths {
    type Border = Border;

    fn sites(&self) -> usize {
        self.sites.len()
    }

    fn start(&self) -> Border {
        Border([0; MOST_SLOTS / SLOTS_A_WORD])
    }

    fn choose(&self, site: usize, at: &Border, mut offer: impl FnMut(u8, Border)) {
        let last = site + 1 == self.sites.len();
        let number = site;
        let site = &self.sites[site];
        let mut before = self.unpack(at);
        before[NEW] = if site.is_end { TIED } else { NEW as u8 };
        let mut picks = [0usize; MOST_EARLIER];
        let mut open = 0;
        for (pick, &(slot, _)) in site.earlier.iter().enumerate() {
            if before[usize::from(slot)] != DONE {
                picks[open] = pick;
                open += 1;
            }
        }
        let picks = &picks[..open];

        let mut attempt = |first: Option<usize>, second: Option<usize>| {
            let mut mates = before;
            let mut whole = false;
            for pick in [first, second].into_iter().flatten() {
                // Nothing is added to a whole, nor to a cell that has its two moves.
                if whole || mates[NEW] == DONE {
                    return;
                }
                let slot = usize::from(site.earlier[pick].0);
                if mates[slot] == NEW as u8 && !self.closed {
                    return;
                }
                whole = join(&mut mates, NEW, slot) == Joined::Whole;
            }
            if whole && !last {
                return;
            }
            if !self.settle(site, &mut mates, &mut whole) || (whole && !last) {
                return;
            }
            if last {
                if !(whole && mates.iter().all(|&mate| mate == DONE)) {
                    return;
                }
            } else if let Some(slot) = site.slot {
                move_new(&mut mates, usize::from(slot));
            } else if mates[NEW] != DONE {
                return;
            }
            let code = |pick: Option<usize>| pick.map_or(0, |pick| pick as u8 + 1);
            offer(code(first) | (code(second) << 4), self.pack_merged(number, &mates));
        };

        attempt(None, None);
        for (k, &first) in picks.iter().enumerate() {
            attempt(Some(first), None);
            for &second in &picks[k + 1..] {
                attempt(Some(first), Some(second));
            }
        }
    }

    fn is_hopeless(&self, site: usize, after: &Border) -> bool {
        if site + 1 == self.sites.len() {
            return false;
        }
        match &self.sight {
            Sight::Nowhere => false,
            Sight::Near(ahead) => ahead.is_hopeless(site, &self.unpack(after)),
            Sight::Far(ahead) => ahead.is_hopeless(site, &self.unpack(after)),
        }
    }

    fn accepts(&self, _: &Border) -> bool {
        // Only whole paths were offered at the last site.
        true
    }
}

impl Resumable for Paths {
    /// How each cell is read, and what is looked at ahead of it.
    fn identity(&self) -> Vec<u64> {
        let sight = match self.sight {
            Sight::Nowhere => 0,
            Sight::Near(_) | Sight::Far(_) => 1,
        };
        let mut words = vec![u64::from(self.closed), self.free_ends as u64, sight];
        for (site, cell) in self.sites.iter().zip(&self.order) {
            let slot = site.slot.map_or(u64::MAX, u64::from);
            words.extend([u64::from(*cell), slot, u64::from(site.later), u64::from(site.is_end)]);
            words.push(site.earlier.len() as u64);
            words.extend(
                site.earlier.iter().map(|&(slot, later)| u64::from(slot) << 8 | u64::from(later)),
            );
        }
        words
    }

    fn is_border(&self, site: usize, at: &Border) -> bool {
        let mates = self.unpack(at);
        let taken: &[(u8, u32)] = site.checked_sub(1).map_or(&[], |last| &self.taken[last]);
        let is_taken = |slot: usize| taken.iter().any(|&(there, _)| usize::from(there) == slot);
        let are_taken = (0..MOST_SLOTS).all(|slot| mates[slot] == DONE || is_taken(slot));
        let tied = tied(&mates);
        let given = site.checked_sub(1).map_or(0, |last| self.sites[last].given_ends);
        are_taken && tied <= self.free_ends + given && self.pack(&mates) == *at
    }
}

impl Paths {
    /// Makes ends of the cells that lack a move and have no later neighbour to give
    /// it. False if a cell lacks more than that, or if there are too many ends.
    fn settle(&self, site: &Site, mates: &mut Mates, whole: &mut bool) -> bool {
        for near in 0..=site.earlier.len() {
            let (slot, later) = match site.earlier.get(near) {
                Some(&(slot, later)) => (usize::from(slot), later),
                None => (NEW, site.later),
            };
            let lacks = match mates[slot] {
                DONE => 0,
                mate if usize::from(mate) == slot => 2,
                _ => 1,
            };
            match (lacks as u8).saturating_sub(later) {
                0 => {}
                1 => {
                    let most = self.free_ends + site.given_ends;
                    if *whole || most == 0 {
                        return false;
                    }
                    if tied(mates) >= most {
                        return false;
                    }
                    match mates[slot] {
                        TIED => {
                            mates[slot] = DONE;
                            *whole = true;
                        }
                        mate if usize::from(mate) == slot => mates[slot] = TIED,
                        mate => {
                            mates[slot] = DONE;
                            mates[usize::from(mate)] = TIED;
                        }
                    }
                }
                _ => return false,
            }
        }
        true
    }
}

/// How many slots are tied.
fn tied(mates: &Mates) -> usize {
    // As bytes, so that many are looked at together.
    usize::from(mates.iter().fold(0, |tied, &mate| tied + u8::from(mate == TIED)))
}

/// Gives the new cell its own slot.
fn move_new(mates: &mut Mates, slot: usize) {
    let mate = mates[NEW];
    mates[slot] = match mate {
        DONE | TIED => mate,
        mate if usize::from(mate) == NEW => slot as u8,
        mate => {
            mates[usize::from(mate)] = slot as u8;
            mate
        }
    };
    mates[NEW] = DONE;
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;

    use pessoi_engine::disk::Disk;
    use pessoi_engine::run::Budget;
    use pessoi_engine::store::Store;

    use super::*;
    use crate::answer::{Answer, Value};
    use crate::error::Code;
    use crate::plan::Plan;
    use crate::question::{Question, Verb};
    use crate::testing::CATALOGUE;

    fn question(game: &str, place: &str, closed: bool) -> Question {
        let question = Question::new(Verb::Count, game, place).unwrap();
        question.with("method", "plain-sweep").with("closed", closed)
    }

    /// A new file in the temporary folder.
    fn file(name: &str) -> std::path::PathBuf {
        let path = std::env::temp_dir().join(format!("tours-{name}-{}", std::process::id()));
        let _ = std::fs::remove_file(&path);
        path
    }

    fn disk() -> Arc<Disk> {
        Disk::open(std::env::temp_dir(), None).unwrap()
    }

    #[test]
    fn sweeps_on_disk_and_resumed_count_the_same() {
        let path = file("resumed");
        let cases = [
            ("knight-tours", "5x6", true, 8u32),
            ("knight-tours", "4x6", false, 744),
            ("diplomatico", "5x5", false, 6200),
            ("wazir-tours", "6x6", true, 1072),
        ];
        for (game, place, closed, expected) in cases {
            let question = question(game, place, closed);
            for threads in [1, 2, 3] {
                // So little memory that a layer does not fit.
                let memory = Some(20_000 + 10_000 * threads as u64);
                let budget = Budget { memory, threads, ..Budget::default() };
                let run = Run::new(budget.clone()).with_disk(disk());
                let answer = CATALOGUE.answer(&question, &run).unwrap();
                assert_eq!(answer.value, Value::exact(expected), "{game} {place}");
                let tick = Duration::from_secs(1);
                for stop in [Some(3), Some(10), Some(30), Some(50), None] {
                    let time = stop.map(|stop| tick * stop);
                    let run = Run::stepping(Budget { time, ..budget.clone() }, tick);
                    let run = run.with_disk(disk()).with_store(Store::open(&path).unwrap());
                    let answer: Answer = CATALOGUE.answer(&question, &run).unwrap();
                    assert!(run.warnings().is_empty(), "{:?}", run.warnings());
                    if stop.is_none() {
                        assert_eq!(answer.value, Value::exact(expected), "{game} {place}");
                    }
                }
                // What is there belongs to this question alone.
                let other = question.clone().with("closed", !closed);
                let run = Run::default().with_store(Store::open(&path).unwrap());
                let error = CATALOGUE.answer(&other, &run).unwrap_err();
                assert_eq!((error.code, error.field.as_deref()), (Code::BadValue, Some("store")));
                drop(run);
                std::fs::remove_file(&path).unwrap();
            }
        }
    }

    #[test]
    fn a_plan_says_what_goes_to_disk() {
        let question = question("diplomatico", "6x6", false);
        let budget = Budget { memory: Some(1 << 20), ..Budget::default() };
        let run = Run::new(budget).with_disk(disk());
        let plan: Plan = CATALOGUE.plan(&question, &run).unwrap();
        let said = plan.notes.iter().any(|note| note.contains("is written to disk"));
        assert!(said, "{:?}", plan.notes);
    }

    #[test]
    fn what_can_be_no_border_is_seen() {
        let task = Task::rectangle(4, 5, &[(1, 2)], false).unwrap();
        let paths = Paths::plain(&task, &Run::default()).unwrap();
        let mut at = paths.start();
        for site in 0..paths.sites() {
            assert!(paths.is_border(site, &at));
            let whole = Border(at.0.map(|word| word ^ 0x1f));
            assert!(!paths.is_border(site, &whole), "{site}");
            let mut next = None;
            paths.choose(site, &at, |_, to| next = next.or(Some(to)));
            let Some(next) = next else { return assert!(site > 5) };
            at = next;
        }
    }
}
