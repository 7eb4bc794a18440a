//! Orderly search of turn words, fast.
//!
//! The same tree as [`super::orderly`]'s, for the eight moves of one (a,b)-leaper with
//! 0 < a < b. What makes it fast:
//!
//! - A turn word of k letters of three bits is one machine word, so two words are compared
//!   in one step. Up to 21 letters fit.
//! - Read forwards, a word that is the start of a smallest one is a *prenecklace*, and
//!   whether a letter may be added depends on one earlier letter only: with period p, the
//!   letter t must not be smaller than the letter t − p, and makes the period t if it is
//!   greater (Fredricksen, Kessler, Maiorana; see F. Ruskey's book).
//! - Read backwards from its newest letter, the word so far must not be smaller than the
//!   word itself. Where the two are equal they are *tied*, and only ties and the last three
//!   letters must be looked at again in the end.
//! - For each cell and number of moves left, the moves from which home can still be reached
//!   are one byte. The last two moves need no search: the cell between must be a move from
//!   home.
//! - Cells are numbered on a torus of 128 × 128, so that no number is ever out of range.
//!
//! At k = 14 the tree has 21 million nodes for 10.8 million classes.

use std::sync::{Mutex, MutexGuard, PoisonError};

use pessoi_engine::run::Stop;

use super::moves::{Point, SYMMETRIES, plus};
use super::room::distances;
use super::task::Task;

/// The longest word that fits.
pub(super) const LONGEST_WORD: usize = 21;
const SIDE: usize = 128;
const CELLS: usize = SIDE * SIDE;
/// Loops that go further from home than this might meet themselves round the torus.
const FARTHEST: i32 = SIDE as i32 / 2 - 1;
const NODES_A_TICK: u64 = 1 << 16;
/// No way home by one move.
const NO_MOVE: u8 = 8;

type Grid = Box<[u8; CELLS]>;

/// What does not change during a search.
pub(super) struct Turns {
    length: usize,
    step: [usize; 8],
    points: [Point; 8],
    opposite: [u8; 8],
    /// The letter for the turn from one move to another.
    letter: [[u8; 8]; 8],
    /// The move after another by a letter.
    after: [[u8; 8]; 8],
    /// The letter of the turn back.
    inverse: [u8; 8],
    /// For a move and a letter, the moves after it by this letter or a greater one.
    at_least: [[u8; 8]; 8],
    /// For each number of moves left, and each cell, the moves that may be made.
    allowed: Vec<Grid>,
    /// For each cell one move from home, that move.
    home: Grid,
    /// For each move, where to look for moves in its way.
    crossing: Option<[Vec<(usize, u8)>; 8]>,
    board: Option<Point>,
    /// Marks of walks that have ended, all of them taken away again. There may be thousands of
    /// short walks, and clearing a torus for each would take longer than the walks themselves.
    spare: Mutex<Vec<Marks>>,
}

/// What a walk marks on the torus.
struct Marks {
    visited: Grid,
    /// The moves used at each cell, where crossing matters.
    used: Grid,
}

fn grid(fill: u8) -> Grid {
    Box::new([fill; CELLS])
}

fn index((row, col): Point) -> usize {
    ((row * SIDE as i32 + col) as usize) % CELLS
}

/// A word that was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Packed {
    /// Its letters, three bits each, the first one highest.
    pub(super) word: u64,
    /// How many ways of reading it give the same word: the symmetries of the loop.
    pub(super) same: u32,
}

/// Whether a task is one for turn words.
fn serves(task: &Task) -> bool {
    // Half a loop, and two moves to look for moves in the way.
    let farthest = task.moves.longest() * (task.length.div_ceil(2) as i32 + 2);
    let is_short = (4..=LONGEST_WORD).contains(&task.length);
    task.alphabet.has_turns() && is_short && farthest <= FARTHEST
}

impl Turns {
    /// The tables for a task, if it is one for turn words.
    pub(super) fn new(task: &Task) -> Option<Turns> {
        let k = task.length;
        let moves = &task.moves;
        if !serves(task) {
            return None;
        }
        let each = std::array::from_fn::<u8, 8, _>(|m| m as u8);
        let letter = each.map(|from| each.map(|to| task.alphabet.turn(from, to)));
        let inverse = std::array::from_fn(|l| task.alphabet.images().1[0][l]);
        let opposite = each.map(|m| moves.opposite(m));
        let at_least = each.map(|from| {
            std::array::from_fn(|least| {
                let after = |to: &u8| {
                    usize::from(letter[usize::from(from)][usize::from(*to)]) >= least
                        && *to != opposite[usize::from(from)]
                };
                each.iter().filter(|to| after(to)).fold(0, |bits, to| bits | 1 << to)
            })
        });
        let step = each.map(|m| index(moves.step(m)));
        let distance = distances(CELLS, 0, &step, k.div_ceil(2));
        let mut allowed: Vec<Grid> = (0..k).map(|_| grid(0)).collect();
        // Seen from where a move leads to, since few cells are near enough to come home from.
        for (to, &distance) in distance.iter().enumerate() {
            for (m, step) in step.iter().enumerate() {
                for allowed in allowed.iter_mut().skip(usize::from(distance) + 1) {
                    allowed[(to + CELLS - step) % CELLS] |= 1 << m;
                }
            }
        }
        let mut home = grid(NO_MOVE);
        for (m, step) in step.iter().enumerate() {
            home[CELLS - step] = m as u8;
        }
        let crossing = task.crossing.as_ref().map(|crossing| {
            each.map(|m| {
                let cells = crossing.look(m).iter();
                cells.map(|&(cell, bits)| (index(cell), bits as u8)).collect()
            })
        });
        Some(Turns {
            length: k,
            step,
            points: each.map(|m| moves.step(m)),
            opposite,
            letter,
            after: each.map(|from| std::array::from_fn(|l| task.alphabet.after(from, l as u8))),
            inverse,
            at_least,
            allowed,
            home,
            crossing,
            board: task.board,
            spare: Mutex::default(),
        })
    }

    /// Bytes of the tables, before they are made.
    pub(super) fn bytes(task: &Task) -> u64 {
        if serves(task) { ((task.length + 1) * CELLS) as u64 } else { 0 }
    }

    /// Whether the walk can start after these moves: the last two are made together.
    pub(super) fn can_start_after(&self, moves: usize) -> bool {
        1 <= moves && moves + 2 <= self.length
    }

    /// Visits every canonical word that begins with these moves, which must be ones that
    /// [`super::orderly`] would make.
    pub(super) fn walk(&self, begin: &[u8], visitor: &mut impl Visitor) -> Result<(), Stop> {
        let spare = self.spare().pop();
        let marks = spare.unwrap_or_else(|| Marks { visited: grid(0), used: grid(0) });
        let mut walk = Walk { turns: self, visitor, marks, word: [0; 32], nodes: 0, stopped: None };
        let mut at = State { gone: 0, cell: 0, last: 0, period: 1, word: 0, back: 0, ties: 0 };
        let mut span = Span::default();
        walk.marks.visited[0] = 1;
        for &m in begin {
            let m = usize::from(m);
            if at.gone > 0 {
                let letter = self.letter[at.last][m];
                let earlier = walk.word[at.gone - at.period];
                at = walk.with(at, letter, earlier);
            }
            walk.mark(at.cell, m);
            at.cell = (at.cell + self.step[m]) % CELLS;
            walk.marks.visited[at.cell] = 1;
            at.last = m;
            at.gone += 1;
            span = span.with(self.points[m]);
        }
        match (&self.crossing, self.board) {
            (None, None) => walk.go::<false, false>(at, span),
            (None, Some(_)) => walk.go::<false, true>(at, span),
            (Some(_), None) => walk.go::<true, false>(at, span),
            (Some(_), Some(_)) => walk.go::<true, true>(at, span),
        }
        walk.unmark(begin);
        let Walk { marks, nodes, stopped, .. } = walk;
        self.spare().push(marks);
        stopped.map_or_else(|| visitor.tick(nodes % NODES_A_TICK), Err)
    }

    fn spare(&self) -> MutexGuard<'_, Vec<Marks>> {
        // Marks are put back only when they are clear, so a panic leaves nothing wrong in them.
        self.spare.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The moves of a packed word, the first one being 0; as many as the loop is long.
    pub(super) fn unpack(&self, word: u64, moves: &mut [u8; LONGEST_WORD]) {
        let mut last = 0;
        let mut shift = 3 * self.length;
        for m in &mut moves[..self.length] {
            *m = last;
            shift -= 3;
            last = self.after[usize::from(last & 7)][(word >> shift & 7) as usize];
        }
    }
}

/// What a walk of words reports to.
pub(super) trait Visitor {
    /// A canonical word was found.
    fn found(&mut self, packed: Packed);

    /// So many more nodes are done. An error ends the walk.
    fn tick(&mut self, nodes: u64) -> Result<(), Stop>;
}

/// Where a walk is.
#[derive(Clone, Copy)]
struct State {
    /// Moves made.
    gone: usize,
    cell: usize,
    last: usize,
    period: usize,
    /// The letters so far, the newest one lowest.
    word: u64,
    /// The inverse letters so far, the newest one highest.
    back: u64,
    /// A bit for each number of letters at which `back` was equal to `word`.
    ties: u32,
}

/// The box of a path, and where in it the path is.
#[derive(Clone, Copy, Default)]
struct Span {
    at: Point,
    low: Point,
    high: Point,
}

impl Span {
    fn with(self, step: Point) -> Span {
        let at = plus(self.at, step);
        let low = (self.low.0.min(at.0), self.low.1.min(at.1));
        Span { at, low, high: (self.high.0.max(at.0), self.high.1.max(at.1)) }
    }

    fn fits(self, board: Option<Point>) -> bool {
        let (rows, cols) = (self.high.0 - self.low.0, self.high.1 - self.low.1);
        board.is_none_or(|(most_rows, most_cols)| {
            rows < most_rows && cols < most_cols || cols < most_rows && rows < most_cols
        })
    }
}

struct Walk<'t, V> {
    turns: &'t Turns,
    visitor: &'t mut V,
    marks: Marks,
    /// The letters so far, from place 1 on; place 0 holds the smallest letter.
    word: [u8; 32],
    nodes: u64,
    stopped: Option<Stop>,
}

impl<V: Visitor> Walk<'_, V> {
    /// The state with one more letter, not smaller than `earlier`.
    #[inline]
    fn with(&mut self, at: State, letter: u8, earlier: u8) -> State {
        let word = at.word << 3 | u64::from(letter);
        let inverse = u64::from(self.turns.inverse[usize::from(letter & 7)]);
        let back = inverse << (3 * (at.gone - 1)) | at.back;
        self.word[at.gone & 31] = letter;
        State {
            period: if letter > earlier { at.gone } else { at.period },
            word,
            back,
            ties: at.ties | u32::from(word == back) << at.gone,
            ..at
        }
    }

    /// Whether this move would cross another.
    #[inline]
    fn crosses(&self, cell: usize, m: usize) -> bool {
        let Some(crossing) = &self.turns.crossing else { return false };
        let meets = |&(offset, bits): &(usize, u8)| self.marks.used[(cell + offset) % CELLS] & bits;
        crossing[m & 7].iter().fold(0, |met, look| met | meets(look)) != 0
    }

    #[inline]
    fn mark(&mut self, cell: usize, m: usize) {
        self.marks.used[cell % CELLS] ^= 1 << (m & 7);
        self.marks.used[(cell + self.turns.step[m & 7]) % CELLS] ^= 1 << self.turns.opposite[m & 7];
    }

    /// Takes away the marks of the first moves; all others are taken away as the walk goes back.
    fn unmark(&mut self, begin: &[u8]) {
        let mut cell = 0;
        self.marks.visited[cell] = 0;
        for &m in begin {
            let m = usize::from(m);
            self.mark(cell, m);
            cell = (cell + self.turns.step[m]) % CELLS;
            self.marks.visited[cell] = 0;
        }
    }

    fn go<const CROSSING: bool, const BOARD: bool>(&mut self, at: State, span: Span) {
        self.nodes += 1;
        if self.nodes.is_multiple_of(NODES_A_TICK)
            && let Err(stop) = self.visitor.tick(NODES_A_TICK)
        {
            self.stopped = Some(stop);
        }
        if self.stopped.is_some() {
            return;
        }
        let turns = self.turns;
        let left = turns.length - at.gone;
        let earlier = self.word[(at.gone - at.period) & 31];
        let mut open = turns.allowed[left][at.cell % CELLS]
            & turns.at_least[at.last & 7][usize::from(earlier & 7)];
        while open != 0 {
            let m = open.trailing_zeros() as usize & 7;
            open &= open - 1;
            let cell = (at.cell + turns.step[m]) % CELLS;
            if self.marks.visited[cell] != 0 || CROSSING && self.crosses(at.cell, m) {
                continue;
            }
            let to = if BOARD { span.with(turns.points[m]) } else { span };
            if BOARD && !to.fits(turns.board) {
                continue;
            }
            let letter = turns.letter[at.last & 7][m];
            let next = self.with(at, letter, earlier);
            if next.back < next.word {
                continue;
            }
            let next = State { gone: at.gone + 1, cell, last: m, ..next };
            if left == 2 {
                self.close::<CROSSING>(next);
                continue;
            }
            self.marks.visited[cell] = 1;
            if CROSSING {
                self.mark(at.cell, m);
            }
            self.go::<CROSSING, BOARD>(next, to);
            if CROSSING {
                self.mark(at.cell, m);
            }
            self.marks.visited[cell] = 0;
        }
    }

    /// Makes the last move home, with the last two letters, and judges the whole word. The
    /// move before it needs no mark: it has an end in common with this one.
    #[inline]
    fn close<const CROSSING: bool>(&mut self, at: State) {
        let turns = self.turns;
        let k = turns.length;
        let m = usize::from(turns.home[at.cell % CELLS] & 7);
        if at.last == usize::from(turns.opposite[m]) || CROSSING && self.crosses(at.cell, m) {
            return;
        }
        let earlier = self.word[(at.gone - at.period) & 31];
        let letter = turns.letter[at.last & 7][m];
        if letter < earlier {
            return;
        }
        let at = State { gone: k, ..self.with(at, letter, earlier) };
        let earlier = self.word[(at.gone - at.period) & 31];
        // The first move is 0.
        let letter = turns.letter[m][0];
        if letter < earlier {
            return;
        }
        let at = self.with(at, letter, earlier);
        if !k.is_multiple_of(at.period) {
            return;
        }
        // Read backwards from any letter that is not known to be greater already.
        let mask = (1u64 << (3 * k)) - 1;
        let mut same = (k / at.period) as u32;
        let mut starts = at.ties | 0b111 << (k - 2);
        while starts != 0 {
            let start = starts.trailing_zeros();
            starts &= starts - 1;
            let back = (at.back << (3 * (k as u32 - start)) & mask) | at.back >> (3 * start);
            if back < at.word {
                return;
            }
            same += u32::from(back == at.word);
        }
        self.visitor.found(Packed { word: at.word, same });
    }
}

const _: () = assert!(SYMMETRIES == 8, "a letter has three bits");
