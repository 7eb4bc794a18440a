//! Finding by tiling: Diplomatico's boards of any size in linear time.
//!
//! The paper's lemmas, as far as they are true. A *tile* has 5 to 9 rows and columns.
//!
//! - **Across** (Lemma A.1): a tile has a path from its cell 3,1 to its cell 3,w−2. From
//!   there a move of three cells leads to the cell 3,1 of the tile to its right. The paper
//!   claims this for all 25 sizes; it is false for 5×7 and 7×5, which have no such path.
//! - **Down** (Lemma A.3): a tile has a path from 3,1 to its last corner h,w. From there a
//!   move leads three rows down, to the cell 3,1 of a mirrored tile below. This holds for
//!   all 25 sizes.
//!
//! A board is cut into rows of tiles, walked to the right and to the left in turn; the last
//! tile of each row is walked down. The repair for the two sizes: no side is ever cut into
//! pieces of 7, unless it is 7 itself. Then either there is one tile in each row, and it is
//! walked down, or the board is a single row of 7×w tiles, which are taken wider than 5 but
//! for the last; and 7×10, the one board for which that cannot be, is laid on its side.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use pessoi_engine::ledger::Chapter;
use pessoi_engine::run::{Run, Stop};
use pessoi_engine::search::{Cut, Part};

use super::branch::Branching;
use super::task::Task;
use super::{rotations, sat};
use crate::board::Board;

/// The moves for which the lemmas were made.
pub(super) const LEAPERS: [(i32, i32); 2] = [(3, 0), (2, 2)];

const SMALLEST: usize = 5;
const LARGEST: usize = 9;

/// Whether a task can be tiled: a full board of at least 5×5, and nothing fixed.
pub(super) fn suits(task: &Task) -> bool {
    let sides = task.board.is_full_rectangle();
    !task.closed
        && !task.is_numbered()
        && task.graph_is_of(&LEAPERS)
        && sides.is_some_and(|(rows, cols)| rows >= SMALLEST && cols >= SMALLEST)
}

/// A tour of a task that [`suits`]; `None` if a tile has no path after all.
pub(super) fn find(task: &Task, run: &Run) -> Result<Option<Vec<u32>>, Stop> {
    let Some((rows, cols)) = task.board.is_full_rectangle() else { return Ok(None) };
    run.stage("tiling", 0);
    let upright = pieces(rows, cols).map(|cut| (cut, false));
    let on_its_side = || pieces(cols, rows).map(|cut| (cut, true));
    let Some(((heights, widths), turned)) = upright.or_else(on_its_side) else { return Ok(None) };
    let mut tiles = Tiles { run, known: BTreeMap::new() };
    let mut path = Vec::with_capacity(task.len());
    let length: usize = widths.iter().sum();
    let mut top = 0;
    for (number, &height) in heights.iter().enumerate() {
        let to_the_left = number % 2 == 1;
        let mut left = 0;
        for (k, &width) in widths.iter().enumerate() {
            let way = if k + 1 < widths.len() { Way::Across } else { Way::Down };
            let Some(tile) = tiles.path(height, width, way)? else { return Ok(None) };
            for &(row, col) in tile {
                let across = left + col;
                let across = if to_the_left { length - 1 - across } else { across };
                let (row, col) = if turned { (across, top + row) } else { (top + row, across) };
                path.push((row * cols + col) as u32);
            }
            left += width;
        }
        top += height;
    }
    Ok(Some(path))
}

/// A number of directed tours that there surely are: every choice of a path for every tile
/// gives a tour, and its reverse is another. As its decimal logarithm; `None` for boards
/// that are not tiled.
///
/// The paths of tiles of up to 6×6 are counted; of larger ones, one is taken to exist.
pub(super) fn lower_bound(task: &Task, run: &Run) -> Result<Option<f64>, Stop> {
    let Some((rows, cols)) = task.board.is_full_rectangle().filter(|_| suits(task)) else {
        return Ok(None);
    };
    let cut = pieces(rows, cols).or_else(|| pieces(cols, rows));
    let Some((heights, widths)) = cut else { return Ok(None) };
    let mut known = BTreeMap::new();
    let mut logarithm = 2f64.log10();
    for &height in &heights {
        for (k, &width) in widths.iter().enumerate() {
            let way = if k + 1 < widths.len() { Way::Across } else { Way::Down };
            if height * width > 36 {
                continue;
            }
            let paths = match known.entry((height, width, way)) {
                Entry::Occupied(there) => *there.get(),
                Entry::Vacant(place) => *place.insert(count(height, width, way, run)?),
            };
            logarithm += (paths as f64).log10();
        }
    }
    Ok(Some(logarithm))
}

/// The number of paths through a tile.
fn count(height: usize, width: usize, way: Way, run: &Run) -> Result<u128, Stop> {
    let Some(task) = tile_task(height, width, way) else { return Ok(0) };
    let Some(branching) = Branching::new(&task) else { return Ok(0) };
    let (paths, _) =
        branching.weigh(Cut::new(Part::WHOLE), run, &Chapter::unkept()).map_err(Stop::from)?;
    Ok(paths)
}

/// Heights and widths of the tiles, in the order in which they are walked.
fn pieces(rows: usize, cols: usize) -> Option<(Vec<usize>, Vec<usize>)> {
    let heights = cut(rows, &[5, 6, 8, 9])?;
    let widths = if rows == 7 && cols > LARGEST {
        // One row of tiles of height 7: a tile of width 5 must be the last.
        cut(cols, &[6, 8, 9]).or_else(|| {
            let mut widths = cut(cols.checked_sub(5)?, &[6, 8, 9])?;
            widths.push(5);
            Some(widths)
        })?
    } else {
        cut(cols, &[5, 6, 8, 9])?
    };
    Some((heights, widths))
}

/// Cuts a side into as many pieces of the allowed sizes as it takes; a side of 7 is left
/// whole.
fn cut(side: usize, sizes: &[usize]) -> Option<Vec<usize>> {
    if side == 7 {
        return Some(vec![7]);
    }
    // For each length, the last piece of some way to cut it.
    let mut last = vec![0; side + 1];
    for length in 1..=side {
        let fits = |&&size: &&usize| size == length || size < length && last[length - size] > 0;
        last[length] = sizes.iter().find(fits).copied().unwrap_or(0);
    }
    let mut pieces = Vec::new();
    let mut rest = side;
    while rest > 0 {
        let piece = last[rest];
        if piece == 0 {
            return None;
        }
        pieces.push(piece);
        rest -= piece;
    }
    Some(pieces)
}

/// How a tile is walked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Way {
    Across,
    Down,
}

/// Cells as (row, column) from 0.
type TilePath = Vec<(usize, usize)>;

/// The paths of the few tiles that a board needs.
struct Tiles<'r> {
    run: &'r Run,
    known: BTreeMap<(usize, usize, Way), Option<TilePath>>,
}

impl Tiles<'_> {
    fn path(
        &mut self,
        height: usize,
        width: usize,
        way: Way,
    ) -> Result<Option<&[(usize, usize)]>, Stop> {
        let key = (height, width, way);
        if !self.known.contains_key(&key) {
            let path = tile(height, width, way, self.run)?;
            self.known.insert(key, path);
        }
        Ok(self.known.get(&key).and_then(Option::as_deref))
    }
}

/// What a path through a tile must be: from 3,1 to where the way leads on.
fn tile_task(height: usize, width: usize, way: Way) -> Option<Task> {
    let board = Board::rectangle(height, width).ok()?;
    let from = 2 * width;
    let to = match way {
        Way::Across => 2 * width + width - 3,
        Way::Down => height * width - 1,
    };
    Task::between(board, &LEAPERS, from as u32, to as u32).ok()
}

/// A path through one tile, if there is one.
fn tile(height: usize, width: usize, way: Way, run: &Run) -> Result<Option<TilePath>, Stop> {
    let Some(task) = tile_task(height, width, way) else { return Ok(None) };
    let path = match rotations::find(&task, 0..2, run)? {
        Some(path) => Some(path),
        None => match sat::solve(&task, run)? {
            sat::Outcome::Tour(path) => Some(path),
            sat::Outcome::None { .. } => None,
        },
    };
    Ok(path.map(|path| {
        path.into_iter().map(|cell| (cell as usize / width, cell as usize % width)).collect()
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lemma_a1_holds_but_for_two_sizes_and_lemma_a3_always() {
        let run = Run::default();
        for height in SMALLEST..=LARGEST {
            for width in SMALLEST..=LARGEST {
                let across = tile(height, width, Way::Across, &run).unwrap().is_some();
                let false_in_the_paper = [(5, 7), (7, 5)].contains(&(height, width));
                assert_eq!(across, !false_in_the_paper, "A.1 on {height}×{width}");
                let down = tile(height, width, Way::Down, &run).unwrap().is_some();
                assert!(down, "A.3 on {height}×{width}");
            }
        }
    }

    #[test]
    fn tiles_have_as_many_paths_as_was_found_before() {
        // Across and down, recomputed for the paper's lemmas.
        let known = [
            ((5, 5), (16, 28)),
            ((5, 6), (164, 192)),
            ((6, 5), (40, 146)),
            ((5, 7), (0, 2126)),
            ((7, 5), (0, 1024)),
            ((6, 6), (2581, 6441)),
        ];
        let run = Run::default();
        for ((height, width), (across, down)) in known {
            assert_eq!(count(height, width, Way::Across, &run), Ok(across), "{height}×{width}");
            assert_eq!(count(height, width, Way::Down, &run), Ok(down), "{height}×{width}");
        }
    }

    #[test]
    fn every_side_from_five_on_can_be_cut() {
        for side in SMALLEST..200 {
            let pieces = cut(side, &[5, 6, 8, 9]).unwrap();
            assert_eq!(pieces.iter().sum::<usize>(), side);
            assert!(side == 7 || !pieces.contains(&7));
        }
        for cols in 10..200 {
            let upright = pieces(7, cols);
            assert_eq!(upright.is_none(), cols == 10, "7×{cols}");
            if let Some((_, widths)) = upright {
                assert!(!widths[..widths.len() - 1].contains(&5), "7×{cols}: {widths:?}");
            }
        }
        assert!(pieces(10, 7).is_some());
    }
}
