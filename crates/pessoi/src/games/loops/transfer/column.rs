//! A vertex, and a lower bound of the edges that are still needed.
//!
//! The line lies right of the vertices that were read and left of the others, and has a kink at
//! the vertex that is next, say in row r. From below it cuts, at the *places* of the word:
//!
//! ```text
//! place 0 … r−1   the edges to the right of rows 0 … r−1 of this column
//! place r         the edge from below into the next vertex
//! place r+1 …     the edges from the left into rows r, r+1 …
//! ```
//!
//! After the vertex, place r is the edge to its right and place r + 1 the edge upwards. At the end
//! of a column nothing leads upwards, and a free place is put before all others.

use pessoi_engine::arches::{Arches, CLOSES, FREE, Joined, OPENS};

/// The mark of parts that reach the lowest row.
pub(super) const BOTTOM: u32 = 0;
/// The mark of parts that reach the highest row, or have begun the strand beside the mirror.
pub(super) const TOP: u32 = 1;

/// What a vertex makes of a word.
pub(super) enum Vertex {
    /// The polygon is closed there; the word is what else there is.
    Closed(Arches),
    /// A word, with so many edges more. It says whether the polygon goes through the vertex.
    Open(Arches, usize, bool),
}

/// Offers all that can be at the next vertex, in this row. Above the highest row nothing leads.
pub(super) fn vertex(word: Arches, row: usize, is_highest: bool, mut offer: impl FnMut(Vertex)) {
    match (word.at(row), word.at(row + 1)) {
        (FREE, FREE) => {
            offer(Vertex::Open(word, 0, false));
            if !is_highest {
                offer(Vertex::Open(word.with(row, OPENS).with(row + 1, CLOSES), 2, true));
            }
        }
        (end, FREE) | (FREE, end) => {
            let passed = word.with(row, FREE).with(row + 1, FREE);
            offer(Vertex::Open(passed.with(row, end), 1, true));
            if !is_highest {
                offer(Vertex::Open(passed.with(row + 1, end), 1, true));
            }
        }
        _ => offer(match word.join(row) {
            Joined::Closed(left) => Vertex::Closed(left),
            Joined::Open(word) => Vertex::Open(word, 0, true),
        }),
    }
}

/// At least so many vertical edges are still needed after the vertex in this row of the column,
/// in a strip of so many rows.
///
/// Consider the gap between two neighbouring rows, and the ends below it. If they are odd in
/// number, an edge must lead through the gap. If they are even and no arc behind the line leads
/// from below the gap to above it, then what is below must still be joined to what is above, by
/// two edges: to ends there if there are any, or else because the row beyond must be reached.
pub(super) fn needed(word: Arches, row: usize, rows: usize) -> usize {
    let total = word.ends();
    let (mut ends, mut depth, mut place) = (0, 0, 0);
    let mut needed = 0;
    for gap in 0..rows.saturating_sub(1) {
        // The ends in row `gap`: to the right of a row that was read, upwards into the next
        // vertex, from the left into the others.
        let until = if gap <= row { gap + 1 } else { gap + 2 };
        while place < until {
            match word.at(place) {
                OPENS => (ends, depth) = (ends + 1, depth + 1),
                CLOSES => (ends, depth) = (ends + 1, depth - 1),
                _ => {}
            }
            place += 1;
        }
        needed += if ends % 2 == 1 {
            1
        } else if depth > 0
            || ends == 0 && word.is_marked(BOTTOM) && total > 0
            || ends == total && ends > 0 && word.is_marked(TOP)
        {
            0
        } else {
            2
        };
    }
    needed
}
