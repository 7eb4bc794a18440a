//! Looking ahead: suppose that a number is somewhere, follow the rules, and meet a contradiction.
//!
//! What is supposed is **refuted** by a chain of steps. If all places of a number but one are
//! refuted, or all numbers of a cell but one, a number is found. Of all such the one with the
//! fewest steps is taken: chains of one step are tried everywhere first, then of two, four and
//! so on.

use pessoi_engine::run::{Run, Stop};

use super::reason::{Chain, Contradiction, Over, Reason, Refuted, Step};
use super::rules::{ALL, Known, Next};

/// The longest chains that are tried, one after the other.
const LONGEST: [usize; 6] = [1, 2, 4, 8, 16, usize::MAX];

/// Places that are looked at. On boards with more of them only numbers with few cells are.
const MOST_PLACES: usize = 6000;

/// A place that a number can reach.
struct Place {
    number: u32,
    cell: u32,
    /// What contradicts it, if that is known.
    refuted: Option<Chain>,
}

/// Follows the rules for at most so many steps; the chain if they end with a contradiction.
fn refute(
    known: &Known,
    number: u32,
    cell: u32,
    longest: usize,
    run: &Run,
) -> Result<Option<Chain>, Stop> {
    let mut known = known.clone();
    known.put(number, cell);
    let mut steps: Vec<Step> = Vec::new();
    loop {
        run.tick(1)?;
        match known.next(ALL) {
            Next::Wrong(end) => return Ok(Some(Chain { steps, end })),
            Next::Step(step) if steps.len() < longest => {
                known.place(step.number, step.cell);
                steps.push(step);
            }
            Next::Step(_) | Next::Stuck => return Ok(None),
        }
    }
}

/// The smallest look-ahead that decides where a number is, or that none fits.
pub(super) fn suppose(known: &Known, run: &Run) -> Result<Next, Stop> {
    let mut places: Vec<Place> = Vec::new();
    let mut are_all = true;
    for (number, cells) in order(known) {
        if places.len() + cells.len() > MOST_PLACES {
            are_all = false;
            break;
        }
        places.extend(cells.into_iter().map(|cell| Place { number, cell, refuted: None }));
    }
    places.sort_by_key(|place| (place.number, place.cell));
    for longest in LONGEST {
        let mut is_new = false;
        for place in places.iter_mut().filter(|place| place.refuted.is_none()) {
            place.refuted = refute(known, place.number, place.cell, longest, run)?;
            is_new |= place.refuted.is_some();
        }
        if !is_new {
            continue;
        }
        if let Some(next) = decided(known, &places, are_all) {
            return Ok(next);
        }
    }
    Ok(Next::Stuck)
}

/// What places are sorted by.
type Key = fn(&Place) -> u32;

/// The number that is decided by the fewest steps. What numbers a cell can hold is known only if
/// these are all places.
fn decided(known: &Known, places: &[Place], are_all: bool) -> Option<Next> {
    let mut best: Option<(usize, &Place, Over)> = None;
    let keys: [(Over, Key); 2] =
        [(Over::Cells, |place| place.number), (Over::Numbers, |place| place.cell)];
    for (over, key) in keys.into_iter().take(if are_all { 2 } else { 1 }) {
        let mut sorted: Vec<&Place> = places.iter().collect();
        sorted.sort_by_key(|place| key(place));
        for same in sorted.chunk_by(|a, b| key(a) == key(b)) {
            let steps = same.iter().filter_map(|place| place.refuted.as_ref());
            let cost: usize = steps.map(|chain| 1 + chain.steps.len()).sum();
            let mut open = same.iter().filter(|place| place.refuted.is_none());
            match (open.next(), open.next()) {
                (None, _) if over == Over::Cells => {
                    let number = same[0].number;
                    let refuted = refuted(known, same);
                    return Some(Next::Wrong(Contradiction::Nowhere { number, refuted }));
                }
                (Some(place), None) if best.is_none_or(|(least, ..)| cost < least) => {
                    best = Some((cost, place, over));
                }
                _ => {}
            }
        }
    }
    let (_, place, over) = best?;
    let others: Vec<&Place> = places
        .iter()
        .filter(|other| match over {
            Over::Cells => other.number == place.number,
            Over::Numbers => other.cell == place.cell,
        })
        .collect();
    let because = Reason::Suppose { over, refuted: refuted(known, &others) };
    Some(Next::Step(Step { number: place.number, cell: known.name(place.cell), because }))
}

/// Missing numbers with the cells that they can reach, those with few cells first.
pub(super) fn order(known: &Known) -> Vec<(u32, Vec<u32>)> {
    let table = known.reach();
    let mut numbers: Vec<(u32, Vec<u32>)> =
        known.all_missing().map(|number| (number, known.cells_of(&table, number))).collect();
    numbers.sort_by_key(|(number, cells)| (cells.len(), *number));
    numbers
}

/// The places that are refuted, each by a chain without needless steps.
fn refuted(known: &Known, places: &[&Place]) -> Vec<Refuted> {
    let one = |place: &&Place| {
        let mut supposed = known.clone();
        supposed.put(place.number, place.cell);
        let then = supposed.shortened(place.refuted.clone()?);
        Some(Refuted { number: place.number, cell: known.name(place.cell), then })
    };
    places.iter().filter_map(one).collect()
}
