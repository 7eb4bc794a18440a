//! Boards at random.
//!
//! Cells are blocked one by one. Where every move changes the colour of the cell, most random
//! boards have no tour because their colours do not fit, and inspection says so; so as many cells
//! of each colour are left as a tour needs. Likewise most sparse boards have a cell with fewer
//! than two moves. A **core** has none: such cells are blocked as well, until all that are
//! left have two. Whether a core has a tour is not seen at once, and cores are what is learned
//! from.

use pessoi_engine::random::Random;

use crate::case::Case;

/// The moves of a game, as rows and columns.
pub fn moves(game: &str) -> Vec<(i64, i64)> {
    let leapers: &[(i64, i64)] = match game {
        "diplomatico" | "hopido" => &[(3, 0), (2, 2)],
        "king-tours" => &[(1, 0), (1, 1)],
        "wazir-tours" => &[(1, 0)],
        "camel-tours" => &[(1, 3)],
        "zebra-tours" => &[(2, 3)],
        "giraffe-tours" => &[(1, 4)],
        _ => &[(1, 2)],
    };
    let mut all = Vec::new();
    for &(a, b) in leapers {
        for (row, col) in [(a, b), (b, a)] {
            all.extend([(row, col), (row, -col), (-row, col), (-row, -col)]);
        }
    }
    all.sort_unstable();
    all.dedup();
    all
}

/// Whether every move changes the colour of a chessboard's cell.
pub fn alternates(moves: &[(i64, i64)]) -> bool {
    moves.iter().all(|(row, col)| (row + col).rem_euclid(2) == 1)
}

/// The places one move from a place that are cells.
pub fn near(case: &Case, moves: &[(i64, i64)], place: usize) -> Vec<usize> {
    let (row, col) = ((place / case.cols) as i64, (place % case.cols) as i64);
    let to = moves.iter().map(|&(down, right)| (row + down, col + right));
    to.filter(|&(row, col)| {
        (0..case.rows as i64).contains(&row) && (0..case.cols as i64).contains(&col)
    })
    .map(|(row, col)| row as usize * case.cols + col as usize)
    .filter(|&place| case.cells[place])
    .collect()
}

/// Blocks cells at random until a share of the frame is blocked, with colours that fit; `None`
/// if nothing is left.
pub fn thinned(mut case: Case, density: f64, random: &mut Random) -> Option<Case> {
    let wanted = (density * case.cells.len() as f64).round() as usize;
    let mut order: Vec<usize> = (0..case.cells.len()).collect();
    random.shuffle(&mut order);
    for place in order.into_iter().take(wanted) {
        case.cells[place] = false;
    }
    balance(&mut case, random);
    (case.len() > 3).then_some(case)
}

/// Makes a board a core with colours that fit; `None` if nothing is left.
pub fn core(mut case: Case, random: &mut Random) -> Option<Case> {
    let moves = moves(&case.game);
    loop {
        let poor =
            |case: &Case, place: &usize| case.cells[*place] && near(case, &moves, *place).len() < 2;
        let places: Vec<usize> = (0..case.cells.len()).filter(|at| poor(&case, at)).collect();
        if !places.is_empty() {
            for place in places {
                case.cells[place] = false;
            }
            continue;
        }
        let blocked = keep_largest_part(&mut case, &moves) + balance(&mut case, random);
        if blocked == 0 {
            return (case.len() > 3).then_some(case);
        }
    }
}

/// Blocks all but the largest connected part; how many cells that were.
fn keep_largest_part(case: &mut Case, moves: &[(i64, i64)]) -> usize {
    let mut part_of = vec![usize::MAX; case.cells.len()];
    let mut sizes = Vec::new();
    for first in 0..case.cells.len() {
        if !case.cells[first] || part_of[first] != usize::MAX {
            continue;
        }
        part_of[first] = sizes.len();
        let (mut queue, mut size) = (vec![first], 0);
        while let Some(place) = queue.pop() {
            size += 1;
            for to in near(case, moves, place) {
                if part_of[to] == usize::MAX {
                    part_of[to] = sizes.len();
                    queue.push(to);
                }
            }
        }
        sizes.push(size);
    }
    let Some(largest) = (0..sizes.len()).max_by_key(|&part| (sizes[part], part)) else { return 0 };
    let before = case.len();
    for (cell, &part) in case.cells.iter_mut().zip(&part_of) {
        *cell &= part == largest;
    }
    before - case.len()
}

/// Blocks cells of the commoner colour until colours fit; how many.
fn balance(case: &mut Case, random: &mut Random) -> usize {
    if !alternates(&moves(&case.game)) {
        return 0;
    }
    let colour = |place: &usize| (place / case.cols + place % case.cols) % 2;
    let places = |wanted: usize| -> Vec<usize> {
        (0..case.cells.len()).filter(|at| case.cells[*at] && colour(at) == wanted).collect()
    };
    let (light, dark) = (places(0), places(1));
    let most = usize::from(!case.closed);
    let spare = light.len().abs_diff(dark.len()).saturating_sub(most);
    let mut commoner = if light.len() > dark.len() { light } else { dark };
    random.shuffle(&mut commoner);
    for place in commoner.into_iter().take(spare) {
        case.cells[place] = false;
    }
    spare
}

/// Fixes both ends of an open tour at cells whose colours fit.
pub fn with_ends(mut case: Case, random: &mut Random) -> Option<Case> {
    let places: Vec<usize> = (0..case.cells.len()).filter(|&place| case.cells[place]).collect();
    let colour = |place: usize| (place / case.cols + place % case.cols) % 2;
    let alternates = alternates(&moves(&case.game));
    let dark = places.iter().filter(|&&place| colour(place) == 1).count();
    for _ in 0..1000 {
        let from = places[random.below(places.len() as u64) as usize];
        let to = places[random.below(places.len() as u64) as usize];
        let fits = !alternates
            || match (2 * dark).cmp(&places.len()) {
                std::cmp::Ordering::Equal => colour(from) != colour(to),
                std::cmp::Ordering::Greater => colour(from) == 1 && colour(to) == 1,
                std::cmp::Ordering::Less => colour(from) == 0 && colour(to) == 0,
            };
        if from != to && fits {
            (case.from, case.to) = (Some(from), Some(to));
            return Some(case);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cores_have_two_moves_a_cell_and_fitting_colours() {
        let mut random = Random::new(3, 0);
        for game in ["knight-tours", "diplomatico", "zebra-tours"] {
            let moves = moves(game);
            for closed in [false, true] {
                let full = Case::full(game, closed, 9, 10);
                let thin = thinned(full, 0.3, &mut random).unwrap();
                let core = core(thin, &mut random).unwrap();
                for place in (0..core.cells.len()).filter(|&place| core.cells[place]) {
                    assert!(near(&core, &moves, place).len() >= 2, "{core}");
                }
            }
        }
    }

    #[test]
    fn a_seed_gives_one_board() {
        let draw = |seed| {
            let full = Case::full("knight-tours", true, 8, 8);
            core(thinned(full, 0.2, &mut Random::new(seed, 0))?, &mut Random::new(seed, 1))
        };
        assert_eq!(draw(1), draw(1));
        assert_ne!(draw(1), draw(2));
    }
}
