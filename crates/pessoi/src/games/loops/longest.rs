//! The longest non-crossing path on a board.
//!
//! T. R. Dawson asked for it in 1930. The board is swept cell by cell, and at each cell it is
//! chosen which moves lead from it to later cells. What the swept part can still say to the
//! rest is its *border*: the moves that lead across, and which of them belong to the same
//! piece of path. Of all ways to the same border the longest is kept, with what was chosen
//! last, so that the path can be told in the end.
//!
//! Whether two moves cross is seen when the later one is chosen, for then both lead across:
//! a move that has ended at a swept cell lies above and to the left of all that is to come.
//!
//! There are three sweeps. The first keeps only the [`BEAM`] longest ways at each cell, which
//! proves nothing but soon finds a long path. The second forgets which moves belong to the
//! same piece, so that there are fewer borders, and goes the other way round the board; it
//! tells for each cell how many moves there can be at most between it and the cells after it.
//! The third keeps every border from which, by that number, a path longer than the known one
//! could come; so what it does not find does not exist. On 6×6 this leaves 18 thousand of a
//! million borders for open paths, and on 7×7 a hundred thousand of 1.6 million for closed
//! ones; there the second sweep takes most of the time.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use pessoi_engine::run::{Run, Stop};

use super::crossing::conflict;
use super::moves::{Moves, Point, plus};
use super::refuse_what_means_nothing;
use crate::answer::{Answer, Figure, Value};
use crate::board::{Board, Lattice};
use crate::certificate::Certificate;
use crate::error::{Error, Result};
use crate::question::{Place, Question};

/// Cells are numbered in a byte, and one number is kept for the end of a path.
const MOST_CELLS: usize = 254;
/// What a piece of path is joined to if its other end is an end of the path.
const END: u8 = u8::MAX;

/// A move that leads across the border: where to, where from, and its partner, the place in
/// the border of the move at the other end of the same piece.
type Across = [u8; 3];

/// The board of a question for the longest path.
pub(super) fn board(question: &Question) -> Result<&Board> {
    refuse_what_means_nothing(question)?;
    for option in ["limit", "board"] {
        if question.options.contains_key(option) {
            return Err(Error::input(format!("--{option} means nothing with --longest.")));
        }
    }
    let Place::Board(drawing) = &question.place else {
        return Err(Error::input("--longest needs a board, such as 6x6; name one."));
    };
    let board = &drawing.board;
    if board.lattice() != Lattice::Square || !drawing.clues.is_empty() {
        return Err(Error::input("--longest needs a square board without clues, such as 6x6."));
    }
    if board.len() > MOST_CELLS {
        return Err(Error::input(format!(
            "--longest handles boards of up to {MOST_CELLS} cells; {} has {}.",
            board.name(),
            board.len()
        )));
    }
    Ok(board)
}

/// Answers `find --longest`.
pub(super) fn answer(question: &Question, leapers: &[Point], run: &Run) -> Result<Answer> {
    let board = board(question)?;
    let open = question.flag("open");
    let counts =
        format!("moves in a longest non-crossing {} path", if open { "open" } else { "closed" });
    let method = "sweep over the moves that lead across the border";
    let found = match sweep(board, &Moves::new(leapers), open, run) {
        Ok(found) => found,
        Err(stop) => {
            let value = Value::GaveUp { why: stop.to_string() };
            return Ok(Answer::new(question, value, &counts, method, run));
        }
    };
    let value = if found.path.is_empty() {
        Value::None { proof: "the sweep kept every border and completed none".into() }
    } else {
        Value::exact(found.path.len() - usize::from(open))
    };
    let mut answer = Answer::new(question, value, &counts, method, run);
    answer.cost.borders = Some(found.borders);
    answer.cost.peak_borders = Some(found.peak);
    if !found.path.is_empty() {
        let cells = found.path.iter().map(|&cell| board.cell(cell)).collect();
        answer.solutions.push(Figure::Path { cells, closed: !open }.into());
        answer.certificate = Some(Certificate::Solutions);
    }
    Ok(answer)
}

pub(super) struct Longest {
    /// The cells of the path, as indexes into the board; none if there is no path.
    pub(super) path: Vec<usize>,
    pub(super) borders: u64,
    pub(super) peak: u64,
}

/// How many borders the first sweep keeps.
const BEAM: usize = 500;

/// How a border came about.
#[derive(Clone, Copy)]
struct Step {
    before: u32,
    chosen: [u8; 2],
    length: u16,
}

/// A board and its moves, as the sweeps see them.
struct Ground {
    points: Vec<Point>,
    /// For each cell what can be chosen there: no move, each one, each pair to later cells.
    choices: Vec<Vec<[u8; 2]>>,
    open: bool,
}

impl Ground {
    fn new(points: Vec<Point>, moves: &Moves, open: bool) -> Ground {
        let choices = points
            .iter()
            .enumerate()
            .map(|(cell, &from)| {
                let to = moves.steps().iter().map(|&step| plus(from, step));
                let numbers = to.filter_map(|to| points.iter().position(|&point| point == to));
                let later: Vec<u8> = numbers.filter(|&to| to > cell).map(|to| to as u8).collect();
                let mut choices = vec![[END; 2]];
                for (at, &a) in later.iter().enumerate() {
                    choices.push([a, END]);
                    choices.extend(later[..at].iter().map(|&b| [a.min(b), a.max(b)]));
                }
                choices
            })
            .collect();
        Ground { points, choices, open }
    }

    /// The same board upside down, its last cell first.
    fn reversed(&self, moves: &Moves) -> Ground {
        Ground::new(self.points.iter().rev().map(|&(a, b)| (-a, -b)).collect(), moves, self.open)
    }

    /// Whether these moves from a cell cross none that lead across the border, and no cell
    /// gets more than two moves.
    fn is_lawful(&self, border: &[Across], cell: u8, chosen: [u8; 2]) -> bool {
        let at = |cell: u8| self.points[usize::from(cell)];
        let clear = |to: u8| {
            border.iter().filter(|across| across[0] == to).count() < 2
                && border.iter().all(|&[b, a, _]| !conflict(at(cell), at(to), at(a), at(b)))
        };
        match chosen {
            [END, END] => true,
            [a, END] => clear(a),
            [a, b] => clear(a) && clear(b) && !conflict(at(cell), at(a), at(cell), at(b)),
        }
    }

    /// At most so many moves, after each number of cells: between these cells, with up to 0, 1
    /// or 2 ends of a path among them.
    fn bounds(&self, run: &Run) -> std::result::Result<Vec<[u16; 3]>, Stop> {
        let mut claim = run.claim();
        let mut bounds = vec![[0; 3]];
        // Borders without pieces, each with the ends so far and the most moves.
        let mut borders: FxHashMap<(Vec<Across>, usize), u16> = FxHashMap::default();
        borders.insert((Vec::new(), 0), 0);
        let most_ends = if self.open { 2 } else { 0 };
        for (cell, choices) in self.choices.iter().enumerate() {
            let cell = cell as u8;
            let mut next: FxHashMap<(Vec<Across>, usize), u16> = FxHashMap::default();
            let mut bound = [0; 3];
            for (number, ((border, ends), &length)) in borders.iter().enumerate() {
                if number % 1024 == 0 {
                    run.tick(1024)?;
                }
                let arriving = border.iter().filter(|across| across[0] == cell).count();
                for &chosen in choices {
                    let many = chosen.iter().filter(|&&to| to != END).count();
                    let ends = ends + usize::from(arriving + many == 1);
                    if arriving + many > 2
                        || ends > most_ends
                        || !self.is_lawful(border, cell, chosen)
                    {
                        continue;
                    }
                    let left = border.iter().filter(|across| across[0] != cell).copied();
                    let new = chosen.iter().filter(|&&to| to != END).map(|&to| [to, cell, END]);
                    let mut border: Vec<Across> = left.chain(new).collect();
                    border.sort_unstable();
                    let length = length + many as u16;
                    let inside = length - border.len() as u16;
                    bound[ends] = bound[ends].max(inside);
                    let known = next.entry((border, ends)).or_insert(length);
                    *known = length.max(*known);
                }
            }
            borders = next;
            bound[1] = bound[1].max(bound[0]);
            bound[2] = bound[2].max(bound[1]);
            bounds.push(bound);
            claim.grow_to(borders.len() as u64 * 160)?;
            run.step(1);
        }
        Ok(bounds)
    }

    /// Sweeps the board for a path of more than `beat` moves. Of the borders at a cell the
    /// `beam` longest are kept, and of these the ones that `bounds` (of the reversed board, so
    /// that they are for the cells still to come) lets hope for such a path.
    fn sweep(
        &self,
        beam: usize,
        bounds: Option<&[[u16; 3]]>,
        beat: u16,
        run: &Run,
    ) -> std::result::Result<Longest, Stop> {
        let cells = self.points.len();
        let mut claim = run.claim();
        let mut layers: Vec<Vec<Step>> = Vec::with_capacity(cells);
        let start = Step { before: 0, chosen: [END; 2], length: 0 };
        let mut borders: Vec<(Vec<Across>, Step)> = vec![(Vec::new(), start)];
        let mut best: Option<(usize, Step)> = None;
        let (mut handled, mut peak) = (0, 0);
        for cell in 0..cells {
            let mut next: FxHashMap<Vec<Across>, Step> = FxHashMap::default();
            for (number, (border, step)) in borders.iter().enumerate() {
                if number % 1024 == 0 {
                    run.tick(1024)?;
                }
                for &chosen in &self.choices[cell] {
                    let many = chosen.iter().filter(|&&to| to != END).count();
                    let length = step.length + many as u16;
                    let came = Step { before: number as u32, chosen, length };
                    match self.cross(border, cell as u8, chosen) {
                        Crossed::No => {}
                        Crossed::Whole => {
                            let known = best.map_or(beat, |(_, step)| step.length);
                            if length > known {
                                best = Some((cell, came));
                            }
                        }
                        Crossed::Border(border) => {
                            let ends = border.iter().filter(|across| across[2] == END).count();
                            let more = bounds.map(|b| b[cells - cell - 1][2 - ends]);
                            let known = best.map_or(beat, |(_, step)| step.length);
                            if more.is_some_and(|more| length + more <= known) {
                                continue;
                            }
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
            borders
                .sort_unstable_by(|a, b| b.1.length.cmp(&a.1.length).then_with(|| a.0.cmp(&b.0)));
            borders.truncate(beam);
            handled += borders.len() as u64;
            peak = peak.max(borders.len() as u64);
            let kept: usize = layers.iter().map(Vec::len).sum();
            let bytes = kept * size_of::<Step>() + borders.len() * 200;
            claim.grow_to(bytes as u64)?;
            run.step(1);
        }
        let mut joined: Vec<(usize, usize)> = Vec::new();
        if let Some((mut cell, mut step)) = best {
            loop {
                let chosen = step.chosen.iter().filter(|&&to| to != END);
                joined.extend(chosen.map(|&to| (cell, usize::from(to))));
                if cell == 0 {
                    break;
                }
                step = layers[cell][step.before as usize];
                cell -= 1;
            }
        }
        Ok(Longest { path: thread(&joined), borders: handled, peak })
    }
}

/// Finds a longest path.
pub(super) fn sweep(
    board: &Board,
    moves: &Moves,
    open: bool,
    run: &Run,
) -> std::result::Result<Longest, Stop> {
    let points = board.cells().iter().map(|cell| (cell.row, cell.col)).collect();
    let ground = Ground::new(points, moves, open);
    run.uneven_stage("sweeping", 3 * board.len() as u64);
    let first = ground.sweep(BEAM, None, 0, run)?;
    let bounds = ground.reversed(moves).bounds(run)?;
    let known = first.path.len().saturating_sub(usize::from(open)) as u16;
    let proof = ground.sweep(usize::MAX, Some(&bounds), known, run)?;
    let path = if proof.path.is_empty() { first.path } else { proof.path };
    Ok(Longest { path, borders: first.borders + proof.borders, peak: first.peak.max(proof.peak) })
}

enum Crossed {
    No,
    /// The path is complete.
    Whole,
    Border(Vec<Across>),
}

impl Ground {
    /// What becomes of a border at a cell from which these moves are chosen.
    fn cross(&self, border: &[Across], cell: u8, chosen: [u8; 2]) -> Crossed {
        let open = self.open;
        let news: Vec<u8> = chosen.into_iter().filter(|&to| to != END).collect();
        let arriving: Vec<usize> = (0..border.len()).filter(|&i| border[i][0] == cell).collect();
        let degree = arriving.len() + news.len();
        let ends = border.iter().filter(|across| across[2] == END).count();
        if degree > 2 || degree == 1 && (!open || ends == 2) {
            return Crossed::No;
        }
        if !self.is_lawful(border, cell, chosen) {
            return Crossed::No;
        }
        // Ends of pieces: a place in the old border, a new move, or the end of a path.
        let mut after: Vec<[u8; 2]> = news.iter().map(|&to| [to, cell]).collect();
        // Numbers of old moves come after those of the new ones.
        let old = |place: usize| place + news.len();
        let partner_of =
            |place: usize| (border[place][2] != END).then(|| old(usize::from(border[place][2])));
        after.extend(border.iter().map(|across| [across[0], across[1]]));
        let mut partner: Vec<Option<usize>> = vec![None; news.len()];
        partner.extend((0..border.len()).map(partner_of));
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
            let alone = border.len() == arriving.len() && news.is_empty();
            return if alone { Crossed::Whole } else { Crossed::No };
        }
        let mut kept: Vec<usize> =
            (0..after.len()).filter(|&i| i < news.len() || after[i][0] != cell).collect();
        kept.sort_unstable_by_key(|&i| after[i]);
        let place = |i: usize| kept.iter().position(|&k| k == i).map_or(END, |place| place as u8);
        Crossed::Border(
            kept.iter()
                .map(|&i| [after[i][0], after[i][1], partner[i].map_or(END, place)])
                .collect(),
        )
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

    /// OEIS A003192 (open) and A157416 (closed).
    #[test]
    fn longest_uncrossed_knights_paths() {
        let knight = Moves::new(&[(1, 2)]);
        for (n, open, closed) in [(3, 2, 0), (4, 5, 4), (5, 10, 8), (6, 17, 12)] {
            let board = Board::rectangle(n, n).unwrap();
            let run = Run::default();
            let found = sweep(&board, &knight, true, &run).unwrap();
            assert_eq!(found.path.len() - 1, open, "open, {n}");
            let found = sweep(&board, &knight, false, &run).unwrap();
            assert_eq!(found.path.len(), closed, "closed, {n}");
            let pairs = found.path.iter().zip(found.path.iter().cycle().skip(1));
            for (&a, &b) in pairs {
                let (a, b) = (board.cell(a), board.cell(b));
                assert!(knight.find((b.row - a.row, b.col - a.col)).is_some());
            }
        }
    }
}
