//! Boards on the edge of supply: every cell can be given its moves, and only just.
//!
//! A board whose moves are in short supply (see the book) has no tour, and `supply` proves it. Take
//! such a board and change cells as long as the shortage does not grow, until there is none. What
//! is left then is **tight**: there are many cells all of whose moves lead to as many others, which
//! have no move to spare. All moves among those others are impossible, and nothing but counting
//! shows it; the flow is there, so `supply` says nothing, and the SAT solver has to find out.
//!
//! The oldest boards of this kind are knights' boards of four rows: the cells of the outer rows have
//! moves to the inner rows alone, so a closed tour goes out and in by turns; and so does the colour,
//! so it meets half of the cells (Schwenk 1991 gives the argument for four rows, and its
//! history). A **strip** is such a board with as many cells blocked in the outer as in the inner
//! rows.

use pessoi::games::learned::{self, FEATURES};
use pessoi::{Result, Verb};
use pessoi_engine::random::Random;

use crate::case::Case;
use crate::draw;
use crate::train::leapers;

/// Changes until there is no shortage; otherwise the board is given up.
const CHANGES: usize = 400;
/// A larger shortage is hardly ever made up for.
const LARGEST: f64 = 8.0;

/// How many moves are missing.
fn shortage(case: &Case) -> Result<f64> {
    let features = learned::features(&case.question(Verb::Find)?, &leapers(&case.game))?;
    let at = FEATURES.iter().position(|&name| name == "shortage").unwrap_or(FEATURES.len());
    Ok(features.get(at).copied().unwrap_or_default())
}

/// A tight board of 11×11 to 13×13 from a random core that is short of moves, if it comes to one.
pub fn tight(stream: u64, seed: u64) -> Result<Option<Case>> {
    let mut random = Random::new(seed ^ 0x0074_6967_6874, stream);
    let closed = stream % 5 == 4;
    let (low, high) = if closed { (0.2, 0.35) } else { (0.30, 0.40) };
    let side = 11 + random.below(3) as usize;
    let density = low + (high - low) * random.unit();
    let full = Case::full("knight-tours", closed, side, side);
    let Some(case) = draw::thinned(full, density, &mut random) else { return Ok(None) };
    let Some(mut case) = draw::core(case, &mut random) else { return Ok(None) };
    let mut missing = shortage(&case)?;
    if missing == 0.0 || missing > LARGEST {
        return Ok(None);
    }
    for _ in 0..CHANGES {
        let mut changed = case.clone();
        for _ in 0..=random.below(2) {
            let place = random.below(changed.cells.len() as u64) as usize;
            changed.cells[place] ^= true;
        }
        let Some(changed) = draw::core(changed, &mut random) else { continue };
        if changed.len() + 4 < case.len() {
            continue;
        }
        let still = shortage(&changed)?;
        if still <= missing {
            (case, missing) = (changed, still);
        }
        if missing == 0.0 {
            return Ok(Some(case));
        }
    }
    Ok(None)
}

/// A strip of 21 to 28 columns.
pub fn strip(stream: u64, seed: u64) -> Option<Case> {
    let mut random = Random::new(seed ^ 0x0073_7472_6970, stream);
    let cols = 21 + random.below(8) as usize;
    let mut case = Case::full("knight-tours", true, 4, cols);
    // One of each colour, so that colours fit; one of them in an outer row.
    for _ in 0..random.below(3) {
        let (outer, inner) = (3 * random.below(2) as usize, 1 + random.below(2) as usize);
        let (one, other) = (random.below(cols as u64) as usize, random.below(cols as u64) as usize);
        if (outer + one + inner + other) % 2 == 1 {
            case.cells[outer * cols + one] = false;
            case.cells[inner * cols + other] = false;
        }
    }
    let whole = draw::core(case.clone(), &mut random)?;
    (whole == case).then_some(case)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::label;

    #[test]
    fn tight_boards_are_cores_that_supply_does_not_decide() {
        let some: Vec<Case> = (0..12).filter_map(|stream| tight(stream, 1).unwrap()).collect();
        assert!(!some.is_empty());
        for case in &some {
            let supply = label::label(case, "supply", u64::MAX, 1).unwrap();
            assert_eq!(supply.solvable, None, "{case}");
        }
    }

    #[test]
    fn strips_have_no_closed_tour() {
        for stream in 0..6 {
            let Some(case) = strip(stream, 1) else { continue };
            assert_eq!(label::counted(&case).unwrap(), Some(false), "{case}");
        }
    }
}
