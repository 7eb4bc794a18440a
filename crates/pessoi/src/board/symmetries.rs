//! Symmetries: what turns and mirrors a board onto itself.
//!
//! An **isometry** of a lattice keeps all distances; up to translation there are 8 on
//! the square lattice (the group D4) and 12 on the hexagonal one (D6), each given by a
//! matrix. A **symmetry** of a board is what an isometry, after the right translation,
//! does to the cells if it maps their set to itself. Two isometries that move the
//! cells alike are one symmetry: on a 1×5 board the mirror left-right does what the
//! turn by 180° does, and is not listed.
//!
//! Turns are clockwise. The angle of a mirror line is measured from the horizontal,
//! counterclockwise.

use super::{Board, Cell, Lattice};

/// What an isometry that maps a board to itself does to the cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symmetry {
    /// What people call the isometry: "turn by 90°", "mirror left-right" ….
    pub name: String,
    /// The cell of index i goes to that of index `permutation[i]`.
    pub permutation: Vec<u32>,
}

const IDENTITY: &str = "identity";
const TURN: &str = "turn";

/// A name and a matrix, row by row, by which (row, col) is multiplied.
type Isometry = (&'static str, [i32; 4]);

const SQUARE: [Isometry; 8] = [
    (IDENTITY, [1, 0, 0, 1]),
    ("turn by 90°", [0, 1, -1, 0]),
    ("turn by 180°", [-1, 0, 0, -1]),
    ("turn by 270°", [0, -1, 1, 0]),
    ("mirror left-right", [1, 0, 0, -1]),
    ("mirror top-bottom", [-1, 0, 0, 1]),
    ("mirror in the main diagonal", [0, 1, 1, 0]),
    ("mirror in the other diagonal", [0, -1, -1, 0]),
];

const HEX: [Isometry; 12] = [
    (IDENTITY, [1, 0, 0, 1]),
    ("turn by 60°", [1, 1, -1, 0]),
    ("turn by 120°", [0, 1, -1, -1]),
    ("turn by 180°", [-1, 0, 0, -1]),
    ("turn by 240°", [-1, -1, 1, 0]),
    ("turn by 300°", [0, -1, 1, 1]),
    ("mirror left-right", [1, 0, -1, -1]),
    ("mirror top-bottom", [-1, 0, 1, 1]),
    ("mirror in the line at 30°", [-1, -1, 0, 1]),
    ("mirror in the line at 60°", [0, -1, -1, 0]),
    ("mirror in the line at 120°", [1, 1, 0, -1]),
    ("mirror in the line at 150°", [0, 1, 1, 0]),
];

impl Board {
    /// All symmetries of the board, the identity first.
    pub fn symmetries(&self) -> Vec<Symmetry> {
        let isometries = match self.lattice() {
            Lattice::Square => &SQUARE[..],
            Lattice::Hex => &HEX[..],
        };
        let mut symmetries: Vec<Symmetry> = Vec::new();
        for (name, matrix) in isometries {
            let Some(permutation) = self.image(*matrix) else { continue };
            if symmetries.iter().all(|known| known.permutation != permutation) {
                symmetries.push(Symmetry { name: (*name).to_owned(), permutation });
            }
        }
        symmetries
    }

    /// Where each cell goes, if the matrix maps the board to itself.
    fn image(&self, [a, b, c, d]: [i32; 4]) -> Option<Vec<u32>> {
        let turn = |cell: &Cell| Cell {
            row: a * cell.row + b * cell.col,
            col: c * cell.row + d * cell.col,
        };
        // Only one translation can do: that which brings the least row and the least
        // column of the image to those of the board.
        let least = |cell: fn(&Cell) -> i32| {
            let here = self.cells().iter().map(cell).min()?;
            let there = self.cells().iter().map(|from| cell(&turn(from))).min()?;
            Some(here - there)
        };
        let (down, right) = (least(|cell| cell.row)?, least(|cell| cell.col)?);
        let goes_to = |from: &Cell| {
            let to = turn(from);
            self.index(Cell { row: to.row + down, col: to.col + right }).map(|index| index as u32)
        };
        self.cells().iter().map(goes_to).collect()
    }
}

/// What mathematicians call the group of all symmetries of a board.
///
/// `Dn` has n turns (the identity is one) and n mirrors, `Cn` has the n turns alone;
/// so `D1` is one mirror, and `C1` is no symmetry but the identity.
pub fn group_name(symmetries: &[Symmetry]) -> String {
    let is_turn =
        |symmetry: &&Symmetry| symmetry.name == IDENTITY || symmetry.name.starts_with(TURN);
    let turns = symmetries.iter().filter(is_turn).count();
    let kind = if turns < symmetries.len() { 'D' } else { 'C' };
    format!("{kind}{turns}")
}

#[cfg(test)]
mod tests {
    use super::super::tests::any_board;
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn board(text: &str) -> Board {
        Board::try_from(text.to_owned()).unwrap()
    }

    #[test]
    fn groups() {
        let cases = [
            ("8x8", 8, "D4"),
            ("5x12", 4, "D2"),
            ("1x5", 2, "C2"),
            ("5x1", 2, "C2"),
            ("1x1", 1, "C1"),
            ("P3x4", 2, "C2"),
            ("P3x3", 4, "D2"),
            ("P4x1", 2, "C2"),
            ("tP3x4", 4, "D2"),
            ("tP4x3", 4, "D2"),
            ("tP3x5", 4, "D2"),
            ("tP4x5", 2, "C2"),
            ("T1", 1, "C1"),
            ("T5", 6, "D3"),
            ("tT5", 6, "D3"),
            ("F1", 1, "C1"),
            ("F3", 12, "D6"),
            // An L, an L with equal arms, an S, a pinwheel, a T.
            ("..\n.#\n.#", 1, "C1"),
            ("..\n.#", 2, "D1"),
            ("#..\n..#", 2, "C2"),
            ("#.##\n#...\n...#\n##.#", 4, "C4"),
            ("...\n#.#", 2, "D1"),
            // The frame has no say.
            ("####\n#..#\n#..#", 8, "D4"),
            ("hex\n . .\n. .\n", 4, "D2"),
            ("hex\n   . .\n. .\n", 2, "C2"),
            ("hex\n. .\n   .\n", 2, "D1"),
            ("hex\n. . .\n     .\n", 1, "C1"),
        ];
        for (text, size, name) in cases {
            let symmetries = board(text).symmetries();
            assert_eq!(symmetries.len(), size, "{text}");
            assert_eq!(group_name(&symmetries), name, "{text}");
            assert_eq!(symmetries[0].name, "identity");
            assert!((0..).zip(&symmetries[0].permutation).all(|(i, &to)| i == to));
        }
    }

    #[test]
    fn pinwheels() {
        // Two rings of cells around 6,6 that have no mirror in common.
        for (turn, count, name) in [(HEX[1], 6, "C6"), (HEX[2], 3, "C3"), (HEX[3], 2, "C2")] {
            let (_, [a, b, c, d]) = turn;
            let mut cells = vec![Cell { row: 5, col: 5 }];
            for (mut row, mut col) in [(0, 1), (1, 2)] {
                for _ in 0..count {
                    cells.push(Cell { row: row + 5, col: col + 5 });
                    (row, col) = (a * row + b * col, c * row + d * col);
                }
            }
            let symmetries = Board::from_cells(Lattice::Hex, cells).unwrap().symmetries();
            assert_eq!((symmetries.len(), group_name(&symmetries)), (count, name.to_owned()));
        }
    }

    #[test]
    fn names_on_a_square() {
        let board = board("2x2");
        // Where the cells 1,1 and 1,2 go.
        let expected = [
            ("identity", 0, 1),
            ("turn by 90°", 1, 3),
            ("turn by 180°", 3, 2),
            ("turn by 270°", 2, 0),
            ("mirror left-right", 1, 0),
            ("mirror top-bottom", 2, 3),
            ("mirror in the main diagonal", 0, 2),
            ("mirror in the other diagonal", 3, 1),
        ];
        let symmetries = board.symmetries();
        let found: Vec<_> = symmetries
            .iter()
            .map(|s| (s.name.as_str(), s.permutation[0], s.permutation[1]))
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn names_on_a_flower() {
        // Around the middle of F2, clockwise from the right.
        let board = board("F2");
        let ring = [4, 6, 5, 2, 0, 1];
        for symmetry in board.symmetries() {
            let place = |i: usize| {
                let to = symmetry.permutation[ring[i]] as usize;
                ring.iter().position(|&cell| cell == to).unwrap()
            };
            let angle = || symmetry.name.split(' ').next_back().unwrap().replace('°', "");
            // The right cell is at angle 0; a turn by k·60° brings it to place k, and a
            // mirror in the line at k·30° (counterclockwise) to place −k.
            let (expected, is_mirror) = match symmetry.name.as_str() {
                "identity" => (0, false),
                "mirror left-right" => (3, true),
                "mirror top-bottom" => (0, true),
                name if name.starts_with("mirror") => {
                    (6 - angle().parse::<usize>().unwrap() / 30, true)
                }
                _ => (angle().parse::<usize>().unwrap() / 60, false),
            };
            for i in 0..6 {
                let to = if is_mirror { expected + 6 - i } else { expected + i };
                assert_eq!(place(i), to % 6, "{}", symmetry.name);
            }
        }
    }

    /// Boards that are likely to have symmetries.
    fn symmetric_board() -> impl Strategy<Value = Board> {
        (any_board(), 0..12usize, 0..12usize).prop_map(|(board, first, second)| {
            let mut cells: BTreeSet<Cell> = board.cells().iter().copied().collect();
            for pick in [first, second] {
                let [a, b, c, d] = match board.lattice() {
                    Lattice::Square => SQUARE[pick % 8].1,
                    Lattice::Hex => HEX[pick].1,
                };
                // Enough times to come back, whatever the order of the isometry.
                for _ in 0..5 {
                    let images = cells.iter().map(|cell| Cell {
                        row: a * (cell.row - 4) + b * (cell.col - 4) + 4,
                        col: c * (cell.row - 4) + d * (cell.col - 4) + 4,
                    });
                    let images: Vec<Cell> = images.collect();
                    cells.extend(images);
                }
            }
            let shifted = cells.iter().map(|c| Cell { row: c.row + 100, col: c.col + 100 });
            Board::from_cells(board.lattice(), shifted).unwrap()
        })
    }

    proptest! {
        #[test]
        fn symmetries_form_a_group_that_keeps_neighbours(board in symmetric_board()) {
            let symmetries = board.symmetries();
            let all: BTreeSet<&[u32]> = symmetries.iter().map(|s| &s.permutation[..]).collect();
            prop_assert_eq!(all.len(), symmetries.len());
            for a in &symmetries {
                for b in &symmetries {
                    let both: Vec<u32> =
                        a.permutation.iter().map(|&to| b.permutation[to as usize]).collect();
                    prop_assert!(all.contains(&both[..]), "{} then {}", a.name, b.name);
                }
                for cell in 0..board.len() {
                    let to = |cell: usize| a.permutation[cell] as usize;
                    let mut images: Vec<usize> = board.neighbours(cell).map(to).collect();
                    images.sort_unstable();
                    prop_assert_eq!(images, board.neighbours(to(cell)).collect::<Vec<_>>());
                }
            }
        }

        #[test]
        fn all_isometries_are_found(board in any_board()) {
            // All maps of the lattice that keep the distance, found by trying where the
            // two unit steps go and all translations.
            let hex = board.lattice() == Lattice::Hex;
            let norm = |r: i32, c: i32| r * r + c * c + if hex { r * c } else { 0 };
            let units: Vec<(i32, i32)> = (-1..=1)
                .flat_map(|r| (-1..=1).map(move |c| (r, c)))
                .filter(|&(r, c)| norm(r, c) == 1)
                .collect();
            let mut expected = BTreeSet::new();
            for &(a, c) in &units {
                for &(b, d) in &units {
                    if norm(a + b, c + d) != norm(1, 1) {
                        continue;
                    }
                    for down in -40..=40 {
                        for right in -40..=40 {
                            let permutation: Option<Vec<u32>> = board.cells().iter().map(|cell| {
                                let row = a * cell.row + b * cell.col + down;
                                let col = c * cell.row + d * cell.col + right;
                                board.index(Cell { row, col }).map(|i| i as u32)
                            }).collect();
                            expected.extend(permutation);
                        }
                    }
                }
            }
            let found: BTreeSet<_> = board.symmetries().into_iter().map(|s| s.permutation).collect();
            prop_assert_eq!(found, expected);
        }
    }
}
