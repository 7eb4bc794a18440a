//! Puzzles: some numbers of a known tour, and no others, are given.
//!
//! A puzzle has a solution, the tour that it was made from, however long an engine takes to find
//! one; so the tour is kept with it as the proof. If one number is *moved* to another cell, most
//! puzzles have none, and most of these are seen to have none at once; those that are not have to
//! be searched to the end.
//!
//! A puzzle that *cannot be* is made of two boards with one cell between them, the only one with moves
//! to both. A path passes it once, after all cells of one board and before all of the other, so its
//! number is by one larger than the number of cells of either. Any other number leaves no solution,
//! and all that it takes to see this is to count ([`cut_number_is_wrong`]).

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

/// A tour of a board, as an engine finds it at once.
fn tour(case: &Case, random: &mut Random) -> Result<Option<Vec<usize>>> {
    let found = label::label(case, "auto", MOST_STEPS, random.below(1 << 32))?;
    Ok(tour_of(case, &found))
}

/// A square core of a game.
fn core(game: &str, side: usize, density: f64, random: &mut Random) -> Option<Case> {
    let thin = draw::thinned(Case::full(game, false, side, side), density, random)?;
    draw::core(thin, random)
}

/// A large core with one to four numbers of a tour of it, none of them at an end.
pub fn few(
    game: &str,
    side: usize,
    density: f64,
    random: &mut Random,
) -> Result<Option<(Case, Vec<usize>)>> {
    let Some(case) = core(game, side, density, random) else { return Ok(None) };
    let Some(tour) = tour(&case, random)? else { return Ok(None) };
    let mut numbers: Vec<usize> = (1..tour.len() - 1).collect();
    random.shuffle(&mut numbers);
    numbers.truncate(1 + random.below(4) as usize);
    numbers.sort_unstable();
    let clues = numbers.iter().map(|&k| (k as u32 + 1, tour[k])).collect();
    Ok(Some((Case { clues, ..case }, tour)))
}

/// Two boards with one cell between them, which holds a number that it cannot have; without the
/// number there are tours.
pub fn cut(game: &str, side: usize, density: f64, random: &mut Random) -> Result<Option<Case>> {
    let reach = draw::moves(game).iter().map(|&(_, col)| col).max().unwrap_or(1) as usize;
    // Each is a core by itself, so that its colours fit; columns that no move crosses are between.
    let (one, other) = (core(game, side, density, random), core(game, side, density, random));
    let Some((one, other)) = one.zip(other) else { return Ok(None) };
    let (middle, cols) = (side, 2 * side + reach);
    let cell = (side / 2) * cols + middle;
    let mut case = Case::full(game, false, side, cols);
    for place in 0..case.cells.len() {
        let (row, col) = (place / cols, place % cols);
        let at = |col: usize| row * side + col;
        case.cells[place] = place == cell
            || (col < side && one.cells[at(col)])
            || (col >= side + reach && other.cells[at(col - side - reach)]);
    }
    let Some(tour) = tour(&case, random)? else { return Ok(None) };
    let Some(number) = tour.iter().position(|&place| place == cell) else { return Ok(None) };
    // Of the same parity, so that colours fit.
    let numbers: Vec<usize> = (1..case.len() - 1).filter(|k| k % 2 == number % 2).collect();
    let wrong = numbers[random.below(numbers.len() as u64) as usize] as u32 + 1;
    let case = Case { clues: vec![(wrong, cell)], ..case };
    Ok(cut_number_is_wrong(&case).then_some(case))
}

/// Whether a clue is on a cell without which the board falls into two parts, and is not by one larger
/// than the number of cells of either: then there is no tour.
pub fn cut_number_is_wrong(case: &Case) -> bool {
    let moves = draw::moves(&case.game);
    case.clues.iter().any(|&(number, cut)| {
        let mut is_left = case.cells.clone();
        is_left[cut] = false;
        let mut parts = Vec::new();
        for first in 0..is_left.len() {
            if !std::mem::replace(&mut is_left[first], false) {
                continue;
            }
            let (mut queue, mut size) = (vec![first], 0u32);
            while let Some(place) = queue.pop() {
                size += 1;
                for to in draw::near(case, &moves, place) {
                    if std::mem::replace(&mut is_left[to], false) {
                        queue.push(to);
                    }
                }
            }
            parts.push(size);
        }
        !case.closed && parts.len() == 2 && parts.iter().all(|size| number != size + 1)
    })
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
        assert!(!cut_number_is_wrong(&case));
        for bad in ["", "1,1", "9,9:0", "1,1:0", "1,1:x", "1,1:77777777"] {
            let read = read_tour(&case, bad);
            assert!(read.is_none(), "{bad}: {read:?}");
        }
    }

    #[test]
    fn a_number_of_a_cut_cell_is_one_of_two() {
        // Three cells on either side, in a row of cells.
        let row = |number: u32| {
            let line = format!("wazir-tours open ....... clue {number} 1,3");
            Case::parse(&line).unwrap()
        };
        for number in 1..=7 {
            let found = label::label(&row(number), "backtrack", u64::MAX, 1).unwrap();
            assert_eq!(found.solvable, Some(number == 3 || number == 5), "{number}");
            assert_eq!(cut_number_is_wrong(&row(number)), found.solvable == Some(false));
        }
        // A cell that is passed on the way around cuts nothing.
        let square = Case::parse("wazir-tours open .../.#./... clue 5 1,2").unwrap();
        assert!(!cut_number_is_wrong(&square));
        let mut random = Random::new(5, 0);
        let mut some = (0..30).filter_map(|_| cut("knight-tours", 6, 0.1, &mut random).unwrap());
        let case = some.next().unwrap();
        let without = Case { clues: Vec::new(), ..case.clone() };
        assert_eq!(label::label(&without, "auto", 20_000, 1).unwrap().solvable, Some(true));
    }

    #[test]
    fn few_numbers_are_inner_ones_of_a_tour() {
        let mut random = Random::new(6, 0);
        let mut some = (0..20).filter_map(|_| few("knight-tours", 10, 0.15, &mut random).unwrap());
        let (case, tour) = some.next().unwrap();
        assert!((1..=4).contains(&case.clues.len()));
        assert!(tour_holds(&case, &tour).unwrap());
    }
}
