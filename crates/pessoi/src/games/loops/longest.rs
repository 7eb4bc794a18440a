//! The longest non-crossing path on a board.
//!
//! T. R. Dawson asked for it in 1930. The board is swept cell by cell, and at each cell it is
//! chosen which moves lead from it to later cells. What the swept part can still say to the
//! rest is its *border*: the moves that lead across, and which of them belong to the same
//! piece of path. Of all ways to the same border the longest is kept, with what was chosen
//! last, so that the path is known in the end.
//!
//! Whether two moves cross is seen when the later one is chosen, for then both lead across:
//! a move that has ended at a swept cell lies above and to the left of all that is to come.
//!
//! There are three sweeps. The first forgets which moves belong to the same piece, so that
//! there are fewer borders, and goes the other way round the board; it finds for every set of
//! moves that lead across how many moves there can be at most beyond. The second keeps only
//! the [`BEAM`] most hopeful borders at each cell, which proves nothing but soon finds a long
//! path. The third keeps every border from which a path longer than that could come; so what
//! it does not find does not exist. On 8×8, closed, the first meets 15 million sets of moves,
//! and the third never has more than some hundred borders at a cell.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use pessoi_engine::run::{Claim, Run, Stop};

use super::claimed::{make_room, map_bytes};
use super::crossing::conflict;
use super::moves::{Moves, Point, plus};

/// Cells are numbered in a byte, and one number is kept for the end of a path.
pub(super) const MOST_CELLS: usize = 254;
/// What a piece of path is joined to if its other end is an end of the path.
const END: u8 = u8::MAX;
/// Moves of a board that a [`Mask`] has room for.
pub(super) const MOST_MOVES: usize = 64 * WORDS;
const WORDS: usize = 4;

/// A set of moves.
type Mask = [u64; WORDS];

pub(super) struct Longest {
    /// The cells of the path, as indexes into the board; none if there is no path.
    pub(super) path: Vec<usize>,
    pub(super) borders: u64,
    pub(super) peak: u64,
}

/// How many borders the second sweep keeps.
const BEAM: usize = 5000;

/// How a border came about.
#[derive(Clone, Copy)]
struct Step {
    before: u32,
    chosen: [u16; 2],
    length: u16,
    /// What its path could come to at most.
    hope: u16,
}

/// No move.
const NONE: u16 = u16::MAX;

/// A board and its moves, as the sweeps see them.
pub(super) struct Ground {
    cells: usize,
    /// All moves, each once, from the earlier cell to the later one.
    moves: Vec<(u8, u8)>,
    /// For each move those that it crosses.
    crossed: Vec<Mask>,
    /// For each cell the moves to earlier and to later cells.
    earlier: Vec<Vec<u16>>,
    later: Vec<Vec<u16>>,
    open: bool,
}

fn with(mut mask: Mask, bit: u16) -> Mask {
    mask[usize::from(bit) / 64] |= 1 << (bit % 64);
    mask
}

fn has(mask: &Mask, bit: u16) -> bool {
    mask[usize::from(bit) / 64] >> (bit % 64) & 1 != 0
}

fn meets(a: &Mask, b: &Mask) -> bool {
    a.iter().zip(b).any(|(a, b)| a & b != 0)
}

fn common(a: &Mask, b: &Mask) -> u32 {
    a.iter().zip(b).map(|(a, b)| (a & b).count_ones()).sum()
}

fn len(mask: &Mask) -> u32 {
    mask.iter().map(|word| word.count_ones()).sum()
}

/// For a set of moves that lead across: the most moves on one side, those across included,
/// with 0, 1 or 2 ends of a path there; −1 where there is no way.
type Most = [i16; 3];

/// Bytes of an entry of the first sweep.
const RELAXED_BYTES: usize = size_of::<(Mask, Most)>();
/// Bytes of a border with its step, and of the list that it owns.
const BORDER_BYTES: usize = 200;

impl Ground {
    /// The cells of a board, at most [`MOST_CELLS`], and their moves. If there are more than
    /// [`MOST_MOVES`], their number is the error.
    pub(super) fn new(points: &[Point], moves: &Moves, open: bool) -> Result<Ground, usize> {
        let cells = points.len();
        let mut all: Vec<(u8, u8)> = Vec::new();
        for (a, &from) in points.iter().enumerate() {
            let to = moves.steps().iter().map(|&step| plus(from, step));
            let to = to.filter_map(|to| points.iter().position(|&point| point == to));
            all.extend(to.filter(|&b| b > a).map(|b| (a as u8, b as u8)));
        }
        all.sort_unstable();
        all.dedup();
        if all.len() > MOST_MOVES {
            return Err(all.len());
        }
        let place = |cell: u8| points[usize::from(cell)];
        let crosses = |&(a, b): &(u8, u8), &(c, d): &(u8, u8)| {
            (a, b) != (c, d) && conflict(place(a), place(b), place(c), place(d))
        };
        let mut crossed = vec![[0; WORDS]; all.len()];
        let mut earlier = vec![Vec::new(); cells];
        let mut later = vec![Vec::new(); cells];
        for (number, one) in all.iter().enumerate() {
            later[usize::from(one.0)].push(number as u16);
            earlier[usize::from(one.1)].push(number as u16);
            for (other, two) in all.iter().enumerate() {
                if crosses(one, two) {
                    crossed[number] = with(crossed[number], other as u16);
                }
            }
        }
        Ok(Ground { cells, moves: all, crossed, earlier, later, open })
    }

    /// What can be chosen at a cell: none of some moves, one, or two that do not cross.
    fn choices(&self, moves: &[u16]) -> Vec<[u16; 2]> {
        let mut choices = vec![[NONE; 2]];
        for (at, &a) in moves.iter().enumerate() {
            choices.push([a, NONE]);
            let fits = |b: &&u16| !has(&self.crossed[usize::from(a)], **b);
            choices.extend(moves[..at].iter().filter(fits).map(|&b| [b, a]));
        }
        choices
    }

    /// Whether chosen moves cross none of those that lead across.
    fn is_clear(&self, border: &Mask, chosen: [u16; 2]) -> bool {
        let moves = chosen.iter().filter(|&&number| number != NONE);
        moves.into_iter().all(|&number| !meets(&self.crossed[usize::from(number)], border))
    }

    /// The first sweep, from the last cell backwards. After each number of cells: for every
    /// set of moves that lead across, the most moves on that side, whatever their pieces.
    fn relaxed(&self, claim: &mut Claim, run: &Run) -> Result<Vec<FxHashMap<Mask, Most>>, Stop> {
        let most_ends = if self.open { 2 } else { 0 };
        let mut layers: Vec<FxHashMap<Mask, Most>> = Vec::with_capacity(self.cells + 1);
        layers.push(FxHashMap::from_iter([([0; WORDS], [0, -1, -1])]));
        let mut kept = 0;
        let mask = |moves: &Vec<u16>| moves.iter().fold([0; WORDS], |mask, &m| with(mask, m));
        let masks: Vec<Mask> = self.later.iter().map(mask).collect();
        for cell in (0..self.cells).rev() {
            let choices = self.choices(&self.earlier[cell]);
            let arriving = masks[cell];
            let mut next: FxHashMap<Mask, Most> = FxHashMap::default();
            let borders = &layers[layers.len() - 1];
            for (number, (border, most)) in borders.iter().enumerate() {
                if number % 1024 == 0 {
                    run.tick(1024)?;
                }
                make_room(&mut next, choices.len(), RELAXED_BYTES, kept, claim)?;
                let arrived = common(border, &arriving);
                let mut left = *border;
                left.iter_mut().zip(arriving).for_each(|(word, gone)| *word &= !gone);
                for &chosen in &choices {
                    let many = chosen.iter().filter(|&&number| number != NONE).count();
                    let degree = arrived as usize + many;
                    // Nor may a cell yet to be read get more than two moves.
                    let is_full = |&number: &u16| {
                        let to = usize::from(self.moves[usize::from(number)].0);
                        common(border, &masks[to]) >= 2
                    };
                    let mut taken = chosen.iter().filter(|&&number| number != NONE);
                    if degree > 2 || !self.is_clear(border, chosen) || taken.any(is_full) {
                        continue;
                    }
                    let new = usize::from(degree == 1);
                    let taken = chosen.iter().filter(|&&number| number != NONE);
                    let mask = taken.fold(left, |mask, &number| with(mask, number));
                    let known = next.entry(mask).or_insert([-1; 3]);
                    for ends in 0..=most_ends - new.min(most_ends) {
                        if most[ends] >= 0 && ends + new <= most_ends {
                            let moves = most[ends] + many as i16;
                            known[ends + new] = known[ends + new].max(moves);
                        }
                    }
                }
            }
            next.retain(|_, most| most.iter().any(|&moves| moves >= 0));
            kept += map_bytes(next.capacity(), RELAXED_BYTES);
            claim.grow_to(kept)?;
            layers.push(next);
            run.step(1);
        }
        Ok(layers)
    }

    /// Sweeps the board for a path of more than `beat` moves. Of the borders at a cell the
    /// `beam` most hopeful are kept, as far as the `relaxed` sweep lets hope for such a path.
    fn sweep(
        &self,
        beam: usize,
        relaxed: &[FxHashMap<Mask, Most>],
        beat: u16,
        run: &Run,
    ) -> Result<Longest, Stop> {
        let mut claim = run.claim();
        let mut layers: Vec<Vec<Step>> = Vec::with_capacity(self.cells);
        let start = Step { before: 0, chosen: [NONE; 2], length: 0, hope: 0 };
        let mut borders: Vec<(Border, Step)> = vec![(Border::default(), start)];
        let mut best: Option<(usize, Step)> = None;
        let (mut handled, mut peak, mut kept) = (0, 0, 0);
        for cell in 0..self.cells {
            let choices = self.choices(&self.later[cell]);
            let mut next: FxHashMap<Border, Step> = FxHashMap::default();
            let rest = &relaxed[self.cells - cell - 1];
            for (number, (border, step)) in borders.iter().enumerate() {
                if number % 1024 == 0 {
                    run.tick(1024)?;
                }
                make_room(&mut next, choices.len(), BORDER_BYTES, kept, &mut claim)?;
                for &chosen in &choices {
                    let many = chosen.iter().filter(|&&number| number != NONE).count();
                    let length = step.length + many as u16;
                    let came = Step { before: number as u32, chosen, length, hope: length };
                    let known = best.map_or(beat, |(_, step)| step.length);
                    match self.cross(border, cell, chosen) {
                        Crossed::Whole if length > known => best = Some((cell, came)),
                        Crossed::No | Crossed::Whole => {}
                        Crossed::Border(border) => {
                            let most = rest.get(&border.mask).map(|m| &m[..=2 - border.ends()]);
                            let most = most.and_then(|most| most.iter().max().copied());
                            // Moves that lead across are counted on both sides.
                            let more = most.unwrap_or(-1) - len(&border.mask) as i16;
                            let Ok(more) = u16::try_from(more) else { continue };
                            let hope = length + more;
                            if hope <= known {
                                continue;
                            }
                            let came = Step { hope, ..came };
                            let known = next.entry(border).or_insert(came);
                            if known.length < length {
                                *known = came;
                            }
                        }
                    }
                }
            }
            layers.push(borders.iter().map(|(_, step)| *step).collect());
            borders = next.into_iter().collect();
            // The order in which they are met must not depend on a hash.
            borders.sort_unstable_by(|a, b| {
                let worth = |step: &Step| (step.hope, step.length);
                worth(&b.1).cmp(&worth(&a.1)).then_with(|| a.0.cmp(&b.0))
            });
            borders.truncate(beam);
            handled += borders.len() as u64;
            peak = peak.max(borders.len() as u64);
            let steps: usize = layers.iter().map(Vec::len).sum();
            kept = (steps * size_of::<Step>() + borders.len() * BORDER_BYTES) as u64;
            claim.grow_to(kept)?;
            run.step(1);
        }
        let mut joined: Vec<(usize, usize)> = Vec::new();
        if let Some((mut cell, mut step)) = best {
            loop {
                let chosen = step.chosen.iter().filter(|&&number| number != NONE);
                joined.extend(chosen.map(|&number| {
                    let (a, b) = self.moves[usize::from(number)];
                    (usize::from(a), usize::from(b))
                }));
                if cell == 0 {
                    break;
                }
                step = layers[cell][step.before as usize];
                cell -= 1;
            }
        }
        Ok(Longest { path: thread(&joined), borders: handled, peak })
    }

    /// Finds a longest path.
    pub(super) fn longest(&self, run: &Run) -> Result<Longest, Stop> {
        run.uneven_stage("sweeping", 3 * self.cells as u64);
        let mut claim = run.claim();
        let relaxed = self.relaxed(&mut claim, run)?;
        let first = self.sweep(BEAM, &relaxed, 0, run)?;
        let known = first.path.len().saturating_sub(usize::from(self.open)) as u16;
        let proof = self.sweep(usize::MAX, &relaxed, known, run)?;
        let path = if proof.path.is_empty() { first.path } else { proof.path };
        let borders = relaxed.iter().map(|layer| layer.len() as u64).sum::<u64>();
        Ok(Longest {
            path,
            borders: first.borders + proof.borders + borders,
            peak: first.peak.max(proof.peak),
        })
    }
}

/// The moves that lead across, and for each, in their order, the place of its partner: the
/// move at the other end of the same piece of path.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Border {
    mask: Mask,
    partner: Vec<u8>,
}

impl Border {
    /// Ends of the path among the cells that were read: each has a piece that leads across.
    fn ends(&self) -> usize {
        self.partner.iter().map(|&partner| usize::from(partner == END)).sum()
    }
}

enum Crossed {
    No,
    /// The path is complete.
    Whole,
    Border(Border),
}

impl Ground {
    /// What becomes of a border at a cell from which these moves are chosen.
    fn cross(&self, border: &Border, cell: usize, chosen: [u16; 2]) -> Crossed {
        let open = self.open;
        let news: Vec<u16> = chosen.into_iter().filter(|&number| number != NONE).collect();
        let across: Vec<u16> =
            (0..self.moves.len() as u16).filter(|&number| has(&border.mask, number)).collect();
        let ends_here = |number: u16| usize::from(self.moves[usize::from(number)].1) == cell;
        let arriving: Vec<usize> = (0..across.len()).filter(|&i| ends_here(across[i])).collect();
        let degree = arriving.len() + news.len();
        let ends = border.ends();
        if degree > 2 || degree == 1 && (!open || ends == 2) {
            return Crossed::No;
        }
        // A cell further on must not get more than two moves.
        let goes_to = |number: u16| self.moves[usize::from(number)].1;
        let is_full =
            |&n: &u16| across.iter().filter(|&&other| goes_to(other) == goes_to(n)).count() >= 2;
        if !self.is_clear(&border.mask, chosen) || news.iter().any(is_full) {
            return Crossed::No;
        }
        // Ends of pieces: a place in the old border, a new move, or the end of a path.
        // Numbers of old moves come after those of the new ones.
        let old = |place: usize| place + news.len();
        let after: Vec<u16> = news.iter().chain(&across).copied().collect();
        let mut partner: Vec<Option<usize>> = vec![None; news.len()];
        partner.extend(border.partner.iter().map(|&p| (p != END).then(|| old(usize::from(p)))));
        let mut whole = false;
        match (&arriving[..], &news[..]) {
            ([], []) => {}
            ([], [_]) => join(&mut partner, Some(0), None),
            ([], _) => join(&mut partner, Some(0), Some(1)),
            (&[a], [_]) => {
                let other = partner[old(a)];
                join(&mut partner, Some(0), other);
            }
            (&[a], _) => match partner[old(a)] {
                None => whole = true,
                other => join(&mut partner, other, None),
            },
            (&[a, b], _) => {
                if partner[old(a)] == Some(old(b)) {
                    if open {
                        return Crossed::No;
                    }
                    whole = true;
                } else {
                    let (a, b) = (partner[old(a)], partner[old(b)]);
                    if a.is_none() && b.is_none() {
                        whole = true;
                    } else {
                        join(&mut partner, a, b);
                    }
                }
            }
            _ => return Crossed::No,
        }
        if whole {
            // Nothing else may be left over.
            let alone = across.len() == arriving.len() && news.is_empty();
            return if alone { Crossed::Whole } else { Crossed::No };
        }
        let mut kept: Vec<usize> =
            (0..after.len()).filter(|&i| i < news.len() || !ends_here(after[i])).collect();
        kept.sort_unstable_by_key(|&i| after[i]);
        let place = |i: usize| kept.iter().position(|&k| k == i).map_or(END, |place| place as u8);
        Crossed::Border(Border {
            mask: kept.iter().fold([0; WORDS], |mask, &i| with(mask, after[i])),
            partner: kept.iter().map(|&i| partner[i].map_or(END, place)).collect(),
        })
    }
}

/// Makes two ends of pieces partners; `None` is the end of a path.
fn join(partner: &mut [Option<usize>], a: Option<usize>, b: Option<usize>) {
    if let Some(a) = a {
        partner[a] = b;
    }
    if let Some(b) = b {
        partner[b] = a;
    }
}

/// The cells of a path in order, from its moves.
fn thread(joined: &[(usize, usize)]) -> Vec<usize> {
    let mut beside: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for &(a, b) in joined {
        beside.entry(a).or_default().push(b);
        beside.entry(b).or_default().push(a);
    }
    // An open path starts at an end.
    let start =
        beside.iter().find(|(_, others)| others.len() == 1).or_else(|| beside.iter().next());
    let Some((&start, _)) = start else { return Vec::new() };
    let mut path = vec![start];
    let mut before = usize::MAX;
    let mut here = start;
    while let Some(&next) = beside[&here].iter().find(|&&next| next != before) {
        if next == start {
            break;
        }
        path.push(next);
        (before, here) = (here, next);
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;

    /// OEIS A003192 (open) and A157416 (closed).
    #[test]
    fn longest_uncrossed_knights_paths() {
        let knight = Moves::new(&[(1, 2)]);
        for (n, open, closed) in [(3, 2, 0), (4, 5, 4), (5, 10, 8), (6, 17, 12)] {
            let board = Board::rectangle(n, n).unwrap();
            let run = Run::default();
            let points: Vec<Point> =
                board.cells().iter().map(|cell| (cell.row, cell.col)).collect();
            let longest =
                |open| Ground::new(&points, &knight, open).unwrap().longest(&run).unwrap();
            let found = longest(true);
            assert_eq!(found.path.len() - 1, open, "open, {n}");
            let found = longest(false);
            assert_eq!(found.path.len(), closed, "closed, {n}");
            let pairs = found.path.iter().zip(found.path.iter().cycle().skip(1));
            for (&a, &b) in pairs {
                let (a, b) = (board.cell(a), board.cell(b));
                assert!(knight.find((b.row - a.row, b.col - a.col)).is_some());
            }
        }
    }
}
