//! The checker: answers looked at by code that did not find them.
//!
//! It reads drawings and the rules, and nothing of borders, engines or masks. Positions are
//! grids of characters; whether a string has a liberty is seen by walking it; moves are
//! played on copies; small numbers are counted again by trying all colourings.

use std::collections::BTreeSet;
use std::fmt::Display;

use num_bigint::BigUint;

use crate::answer::{Answer, Figure, Value};
use crate::board::Board;
use crate::certificate::Verdict;
use crate::error::{Error, Result};
use crate::question::{Place, Question, Verb};
use pessoi_engine::run::Run;

/// Points of boards whose colourings are all tried, at most.
const MOST_TRIED: u32 = 13;

fn wrong<T>(sentence: impl Display) -> Result<T> {
    Err(Error::input(format!("The certificate does not hold: {sentence}.")))
}

/// A position as rows of characters.
type Grid = Vec<Vec<u8>>;

fn grid(board: &Board, drawing: &str) -> Result<Grid> {
    let grid: Grid = drawing.lines().map(|line| line.trim_end().as_bytes().to_vec()).collect();
    let blank: Grid = board.to_drawing().lines().map(|line| line.as_bytes().to_vec()).collect();
    let alike = |a: &Grid, b: &Grid| {
        a.len() == b.len()
            && a.iter().zip(b).all(|(a, b)| {
                a.len() == b.len()
                    && a.iter()
                        .zip(b)
                        .all(|(&a, &b)| b".XO".contains(&a) == (b == b'.') && (b == b'.' || a == b))
            })
    };
    if !alike(&grid, &blank) {
        return wrong(format!("{drawing:?} is not a position on {}", board.name()));
    }
    Ok(grid)
}

/// The points of the string at a place, and whether it has a liberty.
fn string(grid: &Grid, place: (usize, usize)) -> (BTreeSet<(usize, usize)>, bool) {
    let colour = grid[place.0][place.1];
    let mut found = BTreeSet::from([place]);
    let mut open = vec![place];
    let mut liberty = false;
    while let Some((r, c)) = open.pop() {
        let around = [(r.wrapping_sub(1), c), (r + 1, c), (r, c.wrapping_sub(1)), (r, c + 1)];
        for (r, c) in around {
            match grid.get(r).and_then(|row| row.get(c)) {
                Some(b'.') => liberty = true,
                Some(&other) if other == colour && found.insert((r, c)) => open.push((r, c)),
                _ => {}
            }
        }
    }
    (found, liberty)
}

fn places(grid: &Grid) -> impl Iterator<Item = (usize, usize)> {
    (0..grid.len()).flat_map(|r| (0..grid[r].len()).map(move |c| (r, c)))
}

fn is_legal(grid: &Grid) -> bool {
    places(grid).all(|(r, c)| !b"XO".contains(&grid[r][c]) || string(grid, (r, c)).1)
}

fn remove(grid: &mut Grid, stones: &BTreeSet<(usize, usize)>) {
    for &(r, c) in stones {
        grid[r][c] = b'.';
    }
}

/// Whether some move leads from one position to the other.
fn is_move(from: &Grid, to: &Grid) -> bool {
    places(from).filter(|&(r, c)| from[r][c] == b'.').any(|(r, c)| {
        [(b'X', b'O'), (b'O', b'X')].into_iter().any(|(own, other)| {
            let mut after = from.clone();
            after[r][c] = own;
            for place in places(from) {
                if after[place.0][place.1] == other {
                    let (stones, liberty) = string(&after, place);
                    if !liberty {
                        remove(&mut after, &stones);
                    }
                }
            }
            let (stones, liberty) = string(&after, (r, c));
            if !liberty {
                remove(&mut after, &stones);
            }
            after == *to
        })
    })
}

/// All legal positions of a small board.
fn all_legal(board: &Board, run: &Run) -> Result<Option<Vec<Grid>>> {
    let blank = grid(board, &board.to_drawing())?;
    let points: Vec<(usize, usize)> =
        places(&blank).filter(|&(r, c)| blank[r][c] == b'.').collect();
    if points.len() as u32 > MOST_TRIED {
        return Ok(None);
    }
    let mut legal = Vec::new();
    for word in 0..3u64.pow(points.len() as u32) {
        let mut colours = word;
        let mut at = blank.clone();
        for &(r, c) in &points {
            at[r][c] = b".XO"[(colours % 3) as usize];
            colours /= 3;
        }
        if is_legal(&at) {
            legal.push(at);
        }
        if word % 4096 == 0 && run.check().is_err() {
            return Ok(None);
        }
    }
    Ok(Some(legal))
}

/// Checks an answer.
pub(super) fn check(answer: &Answer, run: &Run) -> Result<Verdict> {
    let question = &answer.question;
    let unchecked = |why: &str| Ok(Verdict::Unchecked(why.to_owned()));
    if matches!(answer.value, Value::GaveUp { .. }) {
        return unchecked("the answer itself gave up");
    }
    let Place::Board(drawing) = &question.place else {
        return check_terms(answer, run);
    };
    let board = &drawing.board;
    let plain = ["classes", "games", "cycles", "mod"];
    match (&answer.value, question.verb) {
        (Value::Exact { number }, Verb::Count)
            if plain.iter().all(|option| !question.options.contains_key(*option)) =>
        {
            check_count(board, number, run)
        }
        (Value::AtLeast { number, .. }, Verb::Sample) => check_samples(answer, board, number),
        (Value::AtLeast { number, .. }, Verb::Find) => {
            if *number != BigUint::from(1u32) {
                return wrong(format!("{number} cycles are stated and one is shown"));
            }
            check_cycle(answer, board, question, run)
        }
        (Value::Exact { number }, Verb::Analyze) if question.text("position").is_some() => {
            check_position(answer, board, number)
        }
        _ => unchecked("such an answer carries no certificate"),
    }
}

fn check_count(board: &Board, number: &BigUint, run: &Run) -> Result<Verdict> {
    match all_legal(board, run)? {
        None => Ok(Verdict::Unchecked(format!(
            "the number itself is counted again only on boards of up to {MOST_TRIED} points"
        ))),
        Some(legal) if BigUint::from(legal.len()) == *number => {
            Ok(Verdict::Holds(vec![format!("all colourings were tried, and {number} are legal")]))
        }
        Some(legal) => wrong(format!("{} positions are legal, not {number}", legal.len())),
    }
}

/// The drawings of all solutions.
fn drawings(answer: &Answer) -> Result<Vec<(&[String], bool)>> {
    let drawn = answer.solutions.iter().map(|solution| match &solution.figure {
        Figure::Positions { drawings, closed } => Ok((&drawings[..], *closed)),
        Figure::Path { .. } => wrong("a path of cells is no position"),
    });
    drawn.collect()
}

fn check_samples(answer: &Answer, board: &Board, number: &BigUint) -> Result<Verdict> {
    let drawn = drawings(answer)?;
    if BigUint::from(drawn.len()) != *number {
        return wrong(format!("{number} positions are stated and {} are shown", drawn.len()));
    }
    for drawing in drawn.iter().flat_map(|(drawings, _)| *drawings) {
        if !is_legal(&grid(board, drawing)?) {
            return wrong(format!("{drawing:?} is not legal"));
        }
    }
    Ok(Verdict::Holds(vec![format!("{} positions are legal", drawn.len())]))
}

fn check_position(answer: &Answer, board: &Board, number: &BigUint) -> Result<Verdict> {
    let drawn = drawings(answer)?;
    let [([drawing], _)] = drawn[..] else { return wrong("it does not show one position") };
    let at = grid(board, drawing)?;
    let mut without = BTreeSet::new();
    for (r, c) in places(&at).filter(|&(r, c)| b"XO".contains(&at[r][c])) {
        let (stones, liberty) = string(&at, (r, c));
        if !liberty {
            without.insert(stones);
        }
    }
    if BigUint::from(without.len()) != *number {
        return wrong(format!("{} strings have no liberty, not {number}", without.len()));
    }
    Ok(Verdict::Holds(vec![format!("{number} strings have no liberty")]))
}

fn check_cycle(answer: &Answer, board: &Board, question: &Question, run: &Run) -> Result<Verdict> {
    let drawn = drawings(answer)?;
    let [(drawings, true)] = drawn[..] else { return wrong("it does not show one cycle") };
    let cycle = drawings.iter().map(|drawing| grid(board, drawing)).collect::<Result<Vec<_>>>()?;
    for (k, at) in cycle.iter().enumerate() {
        let next = &cycle[(k + 1) % cycle.len()];
        if !at.iter().flatten().any(|point| b"XO".contains(point)) {
            return wrong("the empty position is among them");
        }
        if !is_legal(at) || !is_move(at, next) {
            return wrong(format!("no move leads from position {} to the next", k + 1));
        }
        let opposite = &cycle[(k + cycle.len() / 2) % cycle.len()];
        let swap = |c: &u8| {
            if *c == b'X' {
                b'O'
            } else if *c == b'O' {
                b'X'
            } else {
                *c
            }
        };
        let turned: Grid = at.iter().map(|row| row.iter().map(swap).collect()).collect();
        if question.flag("symmetric") && turned != *opposite {
            return wrong(format!("the reverse of position {} is not opposite to it", k + 1));
        }
    }
    let seen: BTreeSet<&Grid> = cycle.iter().collect();
    if seen.len() != cycle.len() {
        return wrong("a position comes twice");
    }
    let Some(legal) = all_legal(board, run)? else {
        return Ok(Verdict::Unchecked("the board is too large to list all positions".into()));
    };
    if cycle.len() + 1 != legal.len() {
        return wrong(format!("{} positions but the empty one are legal", legal.len() - 1));
    }
    Ok(Verdict::Holds(vec![format!(
        "{} positions follow each other by moves, and they are all but the empty one",
        cycle.len()
    )]))
}

/// Counts the first terms of a strip again.
fn check_terms(answer: &Answer, run: &Run) -> Result<Verdict> {
    let (Place::Size(height), Verb::Recurrence) = (&answer.question.place, answer.question.verb)
    else {
        return Ok(Verdict::Unchecked("such an answer carries no certificate".into()));
    };
    let mut checked = 0;
    for term in &answer.terms {
        // A few seconds' worth.
        if height * term.n > 12 {
            break;
        }
        let Ok(board) = Board::rectangle(*height as usize, term.n as usize) else { break };
        let Some(legal) = all_legal(&board, run)? else { break };
        if BigUint::from(legal.len()) != term.value {
            return wrong(format!("term {} is {}, not {}", term.n, legal.len(), term.value));
        }
        checked += 1;
    }
    if checked == 0 {
        return Ok(Verdict::Unchecked("its terms are too large to be counted again".into()));
    }
    Ok(Verdict::Holds(vec![format!("the first {checked} terms, counted by trying everything")]))
}
