//! Puzzles: some numbers of a known tour, and no others, are given.
//!
//! A puzzle has a solution, the tour that it was made from, however long an engine takes to find
//! one; so the tour is kept with it as the proof. If one number is *moved* to another cell, most
//! puzzles have none, and most of these are seen to have none at once; those that are not have to
//! be searched to the end.

use pessoi::Result;
use pessoi::board::Cell;
use pessoi_engine::random::Random;

use crate::case::Case;
use crate::draw;
use crate::label::{self, Label};

/// Steps for the tour.
const MOST_STEPS: u64 = 20_000;

/// A puzzle on a board of so many rows and columns, with one clue for so many cells, and the tour
/// that it is made from, as places of the frame. A few cells of the board are blocked.
pub fn puzzle(
    game: &str,
    side: usize,
    cells_a_clue: usize,
    random: &mut Random,
) -> Result<Option<(Case, Vec<usize>)>> {
    let full = Case::full(game, false, side, side);
    let Some(case) = draw::thinned(full, 0.05, random) else { return Ok(None) };
    let found = label::label(&case, "auto", MOST_STEPS, random.below(1 << 32))?;
    let Some(tour) = tour_of(&case, &found) else { return Ok(None) };
    let mut numbers: Vec<usize> = (0..tour.len()).collect();
    random.shuffle(&mut numbers);
    numbers.truncate(case.len() / cells_a_clue);
    numbers.sort_unstable();
    let clues = numbers.iter().map(|&k| (k as u32 + 1, tour[k])).collect();
    Ok(Some((Case { clues, ..case }, tour)))
}

/// The puzzle with one clue on another cell that has none; of the same colour, where every move
/// changes the colour.
pub fn moved(puzzle: &Case, random: &mut Random) -> Option<Case> {
    let mut case = puzzle.clone();
    let which = random.below(case.clues.len().max(1) as u64) as usize;
    let alternates = draw::alternates(&draw::moves(&case.game));
    let colour = |place: usize| (place / case.cols + place % case.cols) % 2;
    let at = case.clues.get(which)?.1;
    let fits = |&place: &usize| {
        case.cells[place]
            && case.clues.iter().all(|&(_, taken)| taken != place)
            && (!alternates || colour(place) == colour(at))
    };
    let places: Vec<usize> = (0..case.cells.len()).filter(fits).collect();
    let to = *places.get(random.below(places.len().max(1) as u64) as usize)?;
    case.clues[which].1 = to;
    Some(case)
}

/// The tour that an engine found, as places.
pub fn tour_of(case: &Case, found: &Label) -> Option<Vec<usize>> {
    let place = |cell: &Cell| cell.row as usize * case.cols + cell.col as usize;
    Some(found.answer.solutions.first()?.figure.path().iter().map(place).collect())
}

/// A tour as its first cell and a digit for each move: which of the game's moves it is.
pub fn tour_text(case: &Case, tour: &[usize]) -> String {
    let at = |place: usize| ((place / case.cols) as i64, (place % case.cols) as i64);
    let moves = draw::moves(&case.game);
    let (row, col) = at(tour.first().copied().unwrap_or_default());
    let mut text = format!("{},{}:", row + 1, col + 1);
    for pair in tour.windows(2) {
        let ((row, col), (to_row, to_col)) = (at(pair[0]), at(pair[1]));
        let step = moves.iter().position(|&step| step == (to_row - row, to_col - col));
        text.push(step.and_then(|k| char::from_digit(k as u32, 36)).unwrap_or('?'));
    }
    text
}

/// Reads a tour; `None` if it leaves the frame or is not one. Whether it is a tour of the board is for
/// the checker to say.
pub fn read_tour(case: &Case, text: &str) -> Option<Vec<usize>> {
    let (first, steps) = text.split_once(':')?;
    let (row, col) = first.split_once(',')?;
    let (mut row, mut col) = (row.parse::<i64>().ok()? - 1, col.parse::<i64>().ok()? - 1);
    let moves = draw::moves(&case.game);
    let (rows, cols) = (case.rows as i64, case.cols as i64);
    let place = |row: i64, col: i64| {
        let inside = (0..rows).contains(&row) && (0..cols).contains(&col);
        inside.then_some((row * cols + col) as usize)
    };
    let mut tour = vec![place(row, col)?];
    for step in steps.chars() {
        let (down, right) = *moves.get(step.to_digit(36)? as usize)?;
        (row, col) = (row + down, col + right);
        tour.push(place(row, col)?);
    }
    Some(tour)
}

/// Whether the checker accepts these places as a tour of the case.
pub fn tour_holds(case: &Case, tour: &[usize]) -> Result<bool> {
    // A search along clues for every cell makes an answer of the tour; the checker is then asked
    // whether that answers the question of the case.
    let clues = tour.iter().zip(1u32..).map(|(&place, number)| (number, place)).collect();
    let all = Case { clues, from: None, to: None, ..case.clone() };
    if tour.len() != case.len() || tour.iter().any(|&place| !case.cells[place]) {
        return Ok(false);
    }
    let mut found = label::label(&all, "warnsdorff", u64::MAX, 1)?;
    if found.solvable != Some(true) {
        return Ok(false);
    }
    found.answer.question = label::find(case, "warnsdorff")?;
    // The checker refuses an answer that does not hold with a sentence.
    Ok(label::tour_holds(&found.answer).unwrap_or(false))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_puzzle_has_the_tour_that_it_is_made_from_and_no_other_board_has() {
        let mut random = Random::new(4, 0);
        for game in ["knight-tours", "diplomatico"] {
            let mut some = (0..20).filter_map(|_| puzzle(game, 8, 5, &mut random).unwrap());
            let (case, tour) = some.next().unwrap();
            assert!(!case.clues.is_empty());
            let text = tour_text(&case, &tour);
            assert_eq!(read_tour(&case, &text).as_ref(), Some(&tour));
            assert!(tour_holds(&case, &tour).unwrap());
            let reversed: Vec<usize> = tour.iter().rev().copied().collect();
            assert!(!tour_holds(&case, &reversed).unwrap());
            assert!(!tour_holds(&case, &tour[1..]).unwrap());
            let other = moved(&case, &mut random).unwrap();
            assert_eq!(other.clues.len(), case.clues.len());
            assert!(!tour_holds(&other, &tour).unwrap());
        }
        let case = Case::full("knight-tours", false, 3, 4);
        for bad in ["", "1,1", "9,9:0", "1,1:0", "1,1:x", "1,1:77777777"] {
            let read = read_tour(&case, bad);
            assert!(read.is_none(), "{bad}: {read:?}");
        }
    }
}
