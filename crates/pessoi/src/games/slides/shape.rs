//! Which of the paper's shapes a board is, however it was drawn, turned or mirrored.

use crate::board::{Board, Cell, Lattice};

/// A shape that theorems speak of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// A parallelogram with these sides, the shorter first.
    Parallelogram(usize, usize),
    Triangle(usize),
    Flower(usize),
    TrimmedParallelogram(usize, usize),
    TrimmedTriangle(usize),
    /// A full square-lattice board, the shorter side first.
    Rectangle(usize, usize),
}

/// All shapes that a board is: a small one can be several at once.
pub(super) fn shapes(board: &Board) -> Vec<Shape> {
    let n = board.len();
    if board.lattice() == Lattice::Square {
        let sides = board.is_full_rectangle();
        return sides.map(|(a, b)| Shape::Rectangle(a.min(b), a.max(b))).into_iter().collect();
    }
    let form = normal(board);
    let is = |name: &str, trimmed: bool| {
        let there = Board::parse(name).and_then(|b| if trimmed { b.trimmed() } else { Ok(b) });
        there.is_ok_and(|there| there.len() == n && normal(&there) == form)
    };
    let mut found = Vec::new();
    for m in 1..=n {
        for (cells, trimmed) in [(n, false), (n + 2, true)] {
            if cells % m == 0 && m * m <= cells && is(&format!("P{m}x{}", cells / m), trimmed) {
                let (a, b) = (m, cells / m);
                found.push(if trimmed && a > 1 {
                    Shape::TrimmedParallelogram(a, b)
                } else {
                    Shape::Parallelogram(a, b)
                });
            }
        }
        let cells = m * (m + 1) / 2;
        if cells == n && is(&format!("T{m}"), false) {
            found.push(Shape::Triangle(m));
        }
        if cells == n + 3 && is(&format!("T{m}"), true) {
            found.push(Shape::TrimmedTriangle(m));
        }
        if 3 * m * (m - 1) + 1 == n && is(&format!("F{m}"), false) {
            found.push(Shape::Flower(m));
        }
    }
    found
}

/// The least of the twelve ways to turn and mirror the cells, moved to the corner.
fn normal(board: &Board) -> Vec<Cell> {
    // In cube coordinates (x, y, z), x + y + z = 0, the isometries permute the three and
    // change all their signs.
    let images = [[0, 1, 2], [1, 2, 0], [2, 0, 1], [1, 0, 2], [0, 2, 1], [2, 1, 0]];
    let turned = images.into_iter().flat_map(|image| [(image, 1), (image, -1)]);
    let place = |(image, sign): ([usize; 3], i32)| {
        let turn = |cell: &Cell| {
            let cube = [cell.row, cell.col, -cell.row - cell.col];
            Cell { row: sign * cube[image[0]], col: sign * cube[image[1]] }
        };
        let mut cells: Vec<Cell> = board.cells().iter().map(turn).collect();
        let row = cells.iter().map(|cell| cell.row).min().unwrap_or(0);
        let col = cells.iter().map(|cell| cell.col).min().unwrap_or(0);
        for cell in &mut cells {
            *cell = Cell { row: cell.row - row, col: cell.col - col };
        }
        cells.sort_unstable();
        cells
    };
    turned.map(place).min().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_are_seen_however_they_lie() {
        let shapes_of = |text: &str| shapes(&Board::parse(text).unwrap());
        assert_eq!(shapes_of("P3x4"), [Shape::Parallelogram(3, 4)]);
        assert_eq!(shapes_of("P4x3"), [Shape::Parallelogram(3, 4)]);
        assert_eq!(shapes_of("T5"), [Shape::Triangle(5)]);
        assert_eq!(shapes_of("F3"), [Shape::Flower(3)]);
        assert_eq!(shapes_of("tT5"), [Shape::TrimmedTriangle(5)]);
        assert_eq!(shapes_of("tP3x4"), [Shape::TrimmedParallelogram(3, 4)]);
        // A small flower is a trimmed parallelogram too, and a trimmed triangle.
        assert_eq!(shapes_of("F2").len(), 3);
        assert_eq!(shapes_of("4x3"), [Shape::Rectangle(3, 4)]);
        let upside = Board::try_from("hex\n  .\n . .\n. . .\n".to_owned()).unwrap();
        assert_eq!(shapes(&upside), [Shape::Triangle(3)]);
    }
}
