//! Orderly search: one canonical word for each class, and nothing stored.
//!
//! A word is grown letter by letter, and dropped as soon as some image of it
//! ([`super::words`]) is smaller, whatever letters follow. An image that starts at the letter
//! r is compared as far as the word is known: *tied* so far, greater (of no more interest)
//! or smaller (the end of this word). Only ties are looked at again when a letter is added.
//! What survives to the last letter and is canonical is a solution, so each class is met
//! exactly once. The idea is R. C. Read's and I. A. Faradžev's (1978), and that of the
//! algorithms for necklaces by Fredricksen, Kessler and Maiorana.
//!
//! A loop of length k that has gone i moves must be able to come home in k − i, so cells too
//! far from home are never entered; nor are cells that were visited, moves that cross others
//! where that is asked for, and cells outside of the board's box.
//!
//! This search serves all moves, parts, estimates and plans. For the moves of one leaper with
//! 0 < a < b, [`super::turns`] walks the same tree faster, and the two are tested against each
//! other.

use std::sync::Arc;

use pessoi_engine::search::{Outlook, Search};

use super::moves::{Point, plus};
use super::room::Room;
use super::task::Task;

/// What does not change during a search.
#[derive(Debug)]
struct Tables {
    task: Arc<Task>,
    room: Room,
}

/// A word on its way.
#[derive(Clone, Debug)]
pub(super) struct Orderly {
    tables: Arc<Tables>,
    at: Vec<Point>,
    moves: Vec<u8>,
    word: Vec<u8>,
    /// After each letter and for each image of letters: a bit for each start that is tied. All
    /// in one row, since searches are copied often.
    ties: Vec<u64>,
    /// Whether the word so far may be the start of a canonical one, after each move.
    alive: Vec<bool>,
    visited: Vec<bool>,
    /// The moves used at each cell, where crossing matters.
    used: Vec<u64>,
    /// The box of the path after each move: first row and column, last row and column.
    spans: Vec<(Point, Point)>,
}

/// What the word and its ties take.
const WORD_BYTES: usize = 64 * 64;

/// How far from home cells may be looked at: half a loop either way, and room to look for
/// moves in the way.
fn radius(task: &Task) -> i32 {
    task.moves.longest() * (task.length.div_ceil(2) as i32 + 2)
}

impl Orderly {
    pub(super) fn new(task: Arc<Task>) -> Self {
        let room = Room::new(&task.moves, radius(&task), task.length.div_ceil(2));
        let cells = room.len();
        let forward = task.alphabet.images().0.len();
        let used = if task.crossing.is_some() { vec![0; cells] } else { Vec::new() };
        let mut visited = vec![false; cells];
        visited[room.index((0, 0))] = true;
        Orderly {
            tables: Arc::new(Tables { task, room }),
            at: vec![(0, 0)],
            moves: Vec::new(),
            word: Vec::new(),
            ties: vec![0; forward],
            alive: vec![true],
            visited,
            used,
            spans: vec![((0, 0), (0, 0))],
        }
    }

    /// Bytes of a search, before it is made; each clone takes as many at most.
    pub(super) fn bytes(task: &Task) -> u64 {
        let each = 2 + if task.crossing.is_some() { size_of::<u64>() } else { 0 };
        (Room::cells(radius(task)) * each + WORD_BYTES) as u64
    }

    fn index(&self, cell: Point) -> usize {
        self.tables.room.index(cell)
    }

    fn here(&self) -> Point {
        // The path always has its first cell.
        self.at.last().copied().unwrap_or_default()
    }

    /// The ways to read letters forwards; the ties have an entry for each, after each letter.
    fn images(&self) -> usize {
        self.tables.task.alphabet.images().0.len()
    }

    /// Adds a letter; says whether the word may still be the start of a canonical one.
    fn spell(&mut self, letter: u8) -> bool {
        let (forward, backward) = self.tables.task.alphabet.images();
        let new = self.word.len();
        self.word.push(letter);
        let word = &self.word;
        let before = self.ties.len() - forward.len();
        let mut smaller = false;
        for (image, letters) in forward.iter().enumerate() {
            // The word itself, from its start, is tied with itself and needs no look.
            let known = self.ties[before + image];
            let mut starts = if image > 0 || new > 0 { known | 1 << new } else { 0 };
            let mut tied = 0;
            while starts != 0 {
                let start = starts.trailing_zeros();
                starts &= starts - 1;
                match letters[usize::from(letter)].cmp(&word[new - start as usize]) {
                    std::cmp::Ordering::Less => smaller = true,
                    std::cmp::Ordering::Equal => tied |= 1 << start,
                    std::cmp::Ordering::Greater => {}
                }
            }
            self.ties.push(tied);
        }
        smaller
            || backward.iter().any(|letters| {
                let back = word.iter().rev().map(|&letter| letters[usize::from(letter)]);
                back.lt(word.iter().copied())
            })
    }

    /// The loop at a solution, as moves.
    pub(super) fn moves(&self) -> &[u8] {
        &self.moves
    }

    fn mark(&mut self, m: u8, from: Point, to: Point) {
        if self.tables.task.crossing.is_some() {
            let (a, b) = (self.index(from), self.index(to));
            self.used[a] ^= 1 << m;
            self.used[b] ^= 1 << self.tables.task.moves.opposite(m);
        }
    }

    fn is_free(&self, m: u8, from: Point) -> bool {
        self.tables.task.crossing.as_ref().is_none_or(|crossing| {
            let clear =
                |&(cell, bits): &(Point, u64)| self.used[self.index(plus(from, cell))] & bits == 0;
            crossing.look(m).iter().all(clear)
        })
    }
}

fn widen((low, high): (Point, Point), to: Point) -> (Point, Point) {
    ((low.0.min(to.0), low.1.min(to.1)), (high.0.max(to.0), high.1.max(to.1)))
}

impl Search for Orderly {
    type Step = u8;
    type Solution = Vec<u8>;

    fn look(&mut self, steps: &mut Vec<u8>) -> Outlook {
        let task = &self.tables.task;
        let gone = self.moves.len();
        if !self.alive[gone] {
            return Outlook::Dead;
        }
        if gone == task.length {
            let canonical = task.alphabet.is_canonical(&self.word);
            return if canonical { Outlook::Solved } else { Outlook::Dead };
        }
        let left = task.length - gone - 1;
        let here = self.here();
        for m in 0..task.moves.len() as u8 {
            // A turn word says nothing of its first move, so that is always the same.
            if gone == 0 && m > 0 && task.alphabet.has_turns() {
                break;
            }
            let to = plus(here, task.moves.step(m));
            let index = self.index(to);
            if usize::from(self.tables.room.distance(index)) > left
                || self.visited[index] && (left > 0 || to != (0, 0))
                || !self.is_free(m, here)
            {
                continue;
            }
            let (low, high) = widen(self.spans[gone], to);
            if task.fits((high.0 - low.0 + 1, high.1 - low.1 + 1)) {
                steps.push(m);
            }
        }
        if steps.is_empty() { Outlook::Dead } else { Outlook::Branch }
    }

    fn take(&mut self, m: u8) {
        let task = self.tables.task.clone();
        let from = self.here();
        let to = plus(from, task.moves.step(m));
        let mut smaller = false;
        if !task.alphabet.has_turns() {
            smaller = self.spell(m);
        } else if let Some(&before) = self.moves.last() {
            smaller = self.spell(task.alphabet.turn(before, m));
        }
        self.moves.push(m);
        if task.alphabet.has_turns() && self.moves.len() == task.length {
            smaller |= self.spell(task.alphabet.turn(m, self.moves[0]));
        }
        self.mark(m, from, to);
        let index = self.index(to);
        self.visited[index] = true;
        self.spans.push(widen(self.spans[self.spans.len() - 1], to));
        self.at.push(to);
        self.alive.push(!smaller);
    }

    fn undo(&mut self) {
        let Some(m) = self.moves.pop() else { return };
        let keep = if self.tables.task.alphabet.has_turns() {
            self.moves.len().saturating_sub(1)
        } else {
            self.moves.len()
        };
        self.word.truncate(keep);
        self.ties.truncate((keep + 1) * self.images());
        self.alive.pop();
        self.spans.pop();
        let to = self.at.pop().unwrap_or_default();
        let from = self.here();
        self.mark(m, from, to);
        if to != (0, 0) {
            let index = self.index(to);
            self.visited[index] = false;
        }
    }

    fn solution(&self) -> Vec<u8> {
        self.moves.clone()
    }

    /// Words that are as far from home, and as nearly tied, tend to have as many loops.
    fn stratum(&self) -> u64 {
        let (row, col) = self.here();
        let far = u64::from(row.unsigned_abs().max(col.unsigned_abs()));
        let near = u64::from(row.unsigned_abs().min(col.unsigned_abs()));
        let last = self.ties.len() - self.images();
        let tied: u32 = self.ties[last..].iter().map(|tied| tied.count_ones()).sum();
        (far << 24) | (near << 8) | u64::from(tied.min(255))
    }

    fn heap_bytes(&self) -> usize {
        self.visited.len() + 8 * self.used.len() + WORD_BYTES
    }
}
