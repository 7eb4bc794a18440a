//! Loops as words, and the smallest word of a class.
//!
//! A loop of length k is k moves that lead through k different cells back to the first.
//! Read as a **move word** it has forgotten where it lies. What is left to forget is where
//! it starts (the word turns round), its direction (the word is reversed, with opposite
//! moves) and the symmetries of the square (each letter is replaced by its image). The
//! **canonical** word of a class is the smallest of all these images.
//!
//! Where the symmetries act freely on the moves (see [`super::moves`]), a move is a
//! symmetry, and the word of *turns* hᵢ = gᵢ⁻¹gᵢ₊₁ forgets them by itself: every symmetry s
//! turns gᵢ into s·gᵢ and leaves hᵢ alone. Then only the start (turning the word) and the
//! direction (reversing it and inverting each letter) are left: a **turn word** is a
//! bracelet, nearly, and a class has one eighth of the images to look at.

use std::cmp::Ordering;

use super::moves::{Moves, SYMMETRIES, inverse, product};

/// The turns in the order of their letters. The order decides how early the search for
/// canonical words can prune: among all orders this one needs the fewest nodes at length 10.
/// The half turn would step back, so it never occurs.
const TURNS: [u8; 8] = [1, 6, 5, 4, 0, 7, 3, 2];

/// How loops are spelt.
#[derive(Clone, Debug)]
pub(super) struct Alphabet {
    /// Whether letters are turns; otherwise they are moves.
    turns: bool,
    letters: usize,
    /// For each symmetry that is not forgotten already, the image of each letter.
    forward: Vec<Vec<u8>>,
    /// The same for a word that is read backwards.
    backward: Vec<Vec<u8>>,
    /// The turn from one move to another, as a letter.
    between: Vec<Vec<u8>>,
}

impl Alphabet {
    pub(super) fn new(moves: &Moves) -> Self {
        if moves.are_free() {
            let letter = |turn: usize| TURNS.iter().position(|&t| usize::from(t) == turn);
            let letter = |turn: usize| letter(turn).unwrap_or(0) as u8;
            let between = (0..SYMMETRIES)
                .map(|from| (0..SYMMETRIES).map(|to| letter(product(inverse(from), to))).collect())
                .collect();
            Alphabet {
                turns: true,
                letters: SYMMETRIES,
                forward: vec![(0..SYMMETRIES as u8).collect()],
                backward: vec![TURNS.map(|turn| letter(inverse(usize::from(turn)))).to_vec()],
                between,
            }
        } else {
            let all = |of: &dyn Fn(usize, u8) -> u8| {
                let row = |symmetry| (0..moves.len() as u8).map(|m| of(symmetry, m)).collect();
                (0..SYMMETRIES).map(row).collect::<Vec<Vec<u8>>>()
            };
            Alphabet {
                turns: false,
                letters: moves.len(),
                forward: all(&|symmetry, m| moves.image(symmetry, m)),
                backward: all(&|symmetry, m| moves.image(symmetry, moves.opposite(m))),
                between: Vec::new(),
            }
        }
    }

    /// Whether the letters are turns.
    pub(super) fn has_turns(&self) -> bool {
        self.turns
    }

    pub(super) fn letters(&self) -> usize {
        self.letters
    }

    /// The images of letters: first of words read forwards, and then backwards. The very
    /// first leaves every letter alone.
    pub(super) fn images(&self) -> (&[Vec<u8>], &[Vec<u8>]) {
        (&self.forward, &self.backward)
    }

    /// The letter for a turn from one move to the next.
    pub(super) fn turn(&self, from: u8, to: u8) -> u8 {
        self.between[usize::from(from)][usize::from(to)]
    }

    /// The move after `from` by this turn.
    pub(super) fn after(&self, from: u8, turn: u8) -> u8 {
        let row = &self.between[usize::from(from)];
        row.iter().position(|&known| known == turn).unwrap_or(0) as u8
    }

    /// The word of a loop given by its moves.
    pub(super) fn spell(&self, moves: &[u8]) -> Vec<u8> {
        if !self.turns {
            return moves.to_vec();
        }
        (0..moves.len()).map(|i| self.turn(moves[i], moves[(i + 1) % moves.len()])).collect()
    }

    /// The moves of a word; a turn word starts with the move 0.
    pub(super) fn walk(&self, word: &[u8]) -> Vec<u8> {
        if !self.turns {
            return word.to_vec();
        }
        let mut moves = vec![0];
        for &turn in &word[..word.len().saturating_sub(1)] {
            moves.push(self.after(moves[moves.len() - 1], turn));
        }
        moves
    }

    /// Calls `each` with every image of the word, as a way to read its letters, until one
    /// says that it is enough.
    fn any_image(&self, word: &[u8], mut each: impl FnMut(&dyn Fn(usize) -> u8) -> bool) -> bool {
        let k = word.len();
        for start in 0..k {
            for (letters, back) in self
                .forward
                .iter()
                .map(|letters| (letters, false))
                .chain(self.backward.iter().map(|letters| (letters, true)))
            {
                let place = |i: usize| if back { (start + 2 * k - i) % k } else { (start + i) % k };
                if each(&|i| letters[usize::from(word[place(i)])]) {
                    return true;
                }
            }
        }
        false
    }

    /// Whether no image of the word is smaller.
    pub(super) fn is_canonical(&self, word: &[u8]) -> bool {
        !self.any_image(word, |letter| compare(letter, word) == Ordering::Less)
    }

    /// The smallest image of the word.
    pub(super) fn canonical(&self, word: &[u8]) -> Vec<u8> {
        let mut least = word.to_vec();
        self.any_image(word, |letter| {
            if compare(letter, &least) == Ordering::Less {
                least = (0..word.len()).map(letter).collect();
            }
            false
        });
        least
    }
}

fn compare(letter: &dyn Fn(usize) -> u8, word: &[u8]) -> Ordering {
    (0..word.len()).map(|i| letter(i).cmp(&word[i])).find(|o| o.is_ne()).unwrap_or(Ordering::Equal)
}

/// Which symmetries turn the loop with these moves into itself, moved: a bit for each.
pub(super) fn stabiliser(moves: &Moves, word: &[u8]) -> u8 {
    let k = word.len();
    let opposite: Vec<u8> = word.iter().rev().map(|&m| moves.opposite(m)).collect();
    let is_same = |symmetry: usize, read: &[u8]| {
        (0..k).any(|start| (0..k).all(|i| moves.image(symmetry, word[i]) == read[(start + i) % k]))
    };
    (1..SYMMETRIES)
        .filter(|&symmetry| is_same(symmetry, word) || is_same(symmetry, &opposite))
        .fold(1, |bits, symmetry| bits | 1 << symmetry)
}

/// The cells of a loop from its moves, starting at (0,0).
pub(super) fn cells(moves: &Moves, word: &[u8]) -> Vec<super::moves::Point> {
    let mut at = (0, 0);
    let each = word.iter().map(|&m| {
        let here = at;
        at = super::moves::plus(at, moves.step(m));
        here
    });
    each.collect()
}
