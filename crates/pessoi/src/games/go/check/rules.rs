//! The rules, on drawings: strings walked, moves played on copies, all colourings tried.

use std::collections::BTreeSet;

use super::wrong;
use crate::board::Board;
use crate::error::Result;
use pessoi_engine::run::Run;

/// Points of boards whose colourings are all tried, at most.
const MOST_TRIED: u32 = 13;

/// A position as rows of characters.
pub(super) type Grid = Vec<Vec<u8>>;

pub(super) fn grid(board: &Board, drawing: &str) -> Result<Grid> {
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
        return wrong("solutions", format!("{drawing:?} is not a position on {}", board.name()));
    }
    Ok(grid)
}

/// The points of the string at a place, and whether it has a liberty.
pub(super) fn string(grid: &Grid, place: (usize, usize)) -> (BTreeSet<(usize, usize)>, bool) {
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

pub(super) fn places(grid: &Grid) -> impl Iterator<Item = (usize, usize)> {
    (0..grid.len()).flat_map(|r| (0..grid[r].len()).map(move |c| (r, c)))
}

pub(super) fn is_legal(grid: &Grid) -> bool {
    places(grid).all(|(r, c)| !b"XO".contains(&grid[r][c]) || string(grid, (r, c)).1)
}

fn remove(grid: &mut Grid, stones: &BTreeSet<(usize, usize)>) {
    for &(r, c) in stones {
        grid[r][c] = b'.';
    }
}

/// What a stone on an empty point leads to.
pub(super) fn played(from: &Grid, (r, c): (usize, usize), own: u8) -> Grid {
    let other = if own == b'X' { b'O' } else { b'X' };
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
    after
}

/// Where all moves of both players lead, each with who makes it; those that change nothing too.
pub(super) fn moves(from: &Grid) -> Vec<(Grid, u8)> {
    let empty = places(from).filter(|&(r, c)| from[r][c] == b'.');
    empty.flat_map(|place| [b'X', b'O'].map(|own| (played(from, place, own), own))).collect()
}

/// Whether some move leads from one position to the other.
pub(super) fn is_move(from: &Grid, to: &Grid) -> bool {
    moves(from).iter().any(|(after, _)| after == to)
}

/// The position with colours reversed.
pub(super) fn reversed(grid: &Grid) -> Grid {
    let swap = |c: &u8| match c {
        b'X' => b'O',
        b'O' => b'X',
        other => *other,
    };
    grid.iter().map(|row| row.iter().map(swap).collect()).collect()
}

pub(super) fn is_empty(grid: &Grid) -> bool {
    !grid.iter().flatten().any(|point| b"XO".contains(point))
}

pub(super) fn transposed(grid: &Grid) -> Grid {
    let columns = grid.first().map_or(0, Vec::len);
    (0..columns).map(|c| grid.iter().map(|row| row[c]).collect()).collect()
}

/// The same without rows and columns at the rim in which there is no point.
pub(super) fn cropped(grid: &Grid) -> Grid {
    let is_bare = |row: &Vec<u8>| !row.iter().any(|point| b".XO".contains(point));
    let rows = |grid: &Grid| -> Grid {
        let first = grid.iter().position(|row| !is_bare(row)).unwrap_or(grid.len());
        let end = grid.iter().rposition(|row| !is_bare(row)).map_or(first, |last| last + 1);
        grid[first..end].to_vec()
    };
    transposed(&rows(&transposed(&rows(grid))))
}

/// All legal positions of a small board.
pub(super) fn all_legal(board: &Board, run: &Run) -> Result<Option<Vec<Grid>>> {
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
