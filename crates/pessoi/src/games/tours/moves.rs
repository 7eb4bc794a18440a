//! Moves that have room on a board.

use crate::board::Board;
use crate::error::{Error, Result};

/// Refuses a leaper that has no room on the board at all.
pub(super) fn check_room(leapers: &[(i32, i32)], board: &Board) -> Result<()> {
    let (rows, cols) = (board.rows() as i32, board.cols() as i32);
    for &(a, b) in leapers {
        if !(a < rows && b < cols || b < rows && a < cols) {
            return Err(Error::input(format!(
                "The move ({a},{b}) is longer than {}, which has {rows} rows and {cols} columns.",
                board.name()
            )));
        }
    }
    Ok(())
}
