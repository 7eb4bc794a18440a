//! Legal positions up to the symmetries of the board and reversal of colours.
//!
//! By Burnside's lemma their number is the average, over all symmetries with and without
//! reversal, of the number of legal positions that each leaves as they are. Such positions
//! are legal colourings of the orbits of points ([`Points::fixed_by`]), which the sweep
//! counts on any board.

use super::count::{Engine, by_sweep, check_room, rectangle, sides};
use super::points::Points;
use super::{Asked, Halt};
use crate::answer::{Answer, Table, Value};
use crate::board::Board;
use crate::error::Error;
use pessoi_engine::symmetry::burnside;

/// Answers `count --classes`.
pub(super) fn count(asked: &Asked, board: &Board, engine: Engine) -> Result<Answer, Halt> {
    let run = asked.run;
    let symmetries = board.symmetries();
    let mut table = Table::new(
        "Legal positions that a symmetry leaves as they are",
        &["symmetry", "same colours", "colours reversed"],
    );
    let mut fixed = Vec::new();
    let mut borders = 0;
    let mut peak = 0;
    for (k, symmetry) in symmetries.iter().enumerate() {
        let mut row = vec![symmetry.name.clone()];
        for reverses in [false, true] {
            let counted = match sides(board) {
                // The identity fixes all positions.
                Some((height, length)) if k == 0 && !reverses => {
                    check_room(engine, height, length, run)?;
                    rectangle(height, length, engine, None, run)?
                }
                _ => by_sweep(&Points::fixed_by(board, &symmetry.permutation, reverses), run)?,
            };
            borders += counted.borders;
            peak = peak.max(counted.peak);
            row.push(counted.total.to_string());
            fixed.push(counted.total);
        }
        table.rows.push(row);
    }
    let total = burnside(fixed).map_err(|error| Error::internal(error.to_string()))?;
    let counts = "classes of legal positions up to turns, mirrors and reversal of colours";
    let method = format!("Burnside's lemma, {} and sweep", engine.name());
    let mut answer = asked.answer(Value::exact(total), counts, &method);
    answer.cost.borders = Some(borders);
    answer.cost.peak_borders = Some(peak);
    answer.tables.push(table);
    Ok(answer)
}
