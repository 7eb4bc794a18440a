//! Lists as arrays: the cells of all paths of a list in one stretch of memory.
//!
//! A path of n cells takes 2n numbers, row and column of each cell, counted from 0. They are
//! bytes, and 16-bit words only where a board has more than 256 rows or columns. The paths are
//! written on the threads that find them, so tens of millions of loops take about as long as
//! finding them.
//!
//! ```
//! use pessoi::{Catalogue, Question, Run, Verb, arrays};
//!
//! let question = Question::new(Verb::List, "knight-loops", "4")?;
//! let (answer, paths) = arrays::list(&Catalogue::standard(), &question, &Run::default())?;
//! assert_eq!((paths.number, paths.length), (3, 4));
//! assert_eq!(answer.value, pessoi::Value::exact(3u32));
//! # Ok::<(), pessoi::Error>(())
//! ```

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

use crate::answer::{Answer, Value};
use crate::catalogue::Catalogue;
use crate::error::{Error, Result};
use crate::job::{ENOUGH, Encoder, Events, Flow, MORE};
use crate::question::Question;
use crate::solution::{Figure, Solution};
use pessoi_engine::run::{Claim, Run, Stop};

/// The cells of all paths of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Paths {
    /// How many paths there are.
    pub number: u64,
    /// How many cells each of them has; 0 if there is no path.
    pub length: usize,
    /// Bytes of a row or a column: 1 or 2. Words of two bytes are in the machine's order.
    pub width: usize,
    /// Row and column of every cell of every path.
    pub bytes: Vec<u8>,
}

/// Answers a question for a list, and puts the paths into one array. What is found before a
/// limit is reached is in the array, and the answer says which limit that was.
pub fn list(catalogue: &Catalogue, question: &Question, run: &Run) -> Result<(Answer, Paths)> {
    // Nearly all boards are narrow; the list of one that is not is made again.
    match listed(catalogue, question, run, 1)? {
        Some(found) => Ok(found),
        None => listed(catalogue, question, run, 2)?.ok_or_else(|| {
            Error::unsupported("place", "Paths beyond row or column 65536 fit into no array.")
        }),
    }
}

/// As [`list`], with numbers of this width; `None` if they are too narrow.
fn listed(
    catalogue: &Catalogue,
    question: &Question,
    run: &Run,
    width: usize,
) -> Result<Option<(Answer, Paths)>> {
    let plotter = Arc::new(Plotter { width, ..Plotter::default() });
    let paths = Paths { number: 0, length: 0, width, bytes: Vec::new() };
    let (stop, claim) = (None, run.claim());
    let mut array = Array { plotter: plotter.clone(), paths, stop, claim };
    let mut answer = catalogue.ask(question, run, &mut array)?;
    let Array { mut paths, stop, .. } = array;
    if plotter.is_other.load(Relaxed) {
        let sentence = "Only paths, all of one length, can be put into one array.";
        return Err(Error::unsupported("verb", sentence));
    }
    if plotter.is_wide.load(Relaxed) {
        return Ok(None);
    }
    paths.length = plotter.length.load(Relaxed);
    if let Some(stop) = stop {
        answer.value = Value::stopped(paths.number, stop);
    }
    Ok(Some((answer, paths)))
}

/// Writes the cells of a path.
#[derive(Default)]
struct Plotter {
    width: usize,
    /// The length of the paths; 0 before the first one.
    length: AtomicUsize,
    /// Whether a row or column did not fit.
    is_wide: AtomicBool,
    /// Whether something was no path, or of another length.
    is_other: AtomicBool,
}

impl Encoder for Plotter {
    fn encode(&self, solution: &Solution, out: &mut Vec<u8>) {
        let cells = match &solution.figure {
            Figure::Path { cells, .. } => &cells[..],
            Figure::Positions { .. } => &[],
        };
        let known = self.length.load(Relaxed);
        let is_of_length = known == cells.len()
            || known == 0
                && match self.length.compare_exchange(0, cells.len(), Relaxed, Relaxed) {
                    Ok(_) => true,
                    Err(other) => other == cells.len(),
                };
        if cells.is_empty() || !is_of_length {
            self.is_other.store(true, Relaxed);
            return;
        }
        let mut sides = 0;
        if self.width == 1 {
            out.extend(cells.iter().flat_map(|cell| {
                sides |= cell.row | cell.col;
                [cell.row as u8, cell.col as u8]
            }));
        } else {
            for cell in cells {
                sides |= cell.row | cell.col;
                out.extend_from_slice(&(cell.row as u16).to_ne_bytes());
                out.extend_from_slice(&(cell.col as u16).to_ne_bytes());
            }
        }
        // A negative number has its highest bit set.
        if sides as u32 >> (8 * self.width) != 0 {
            self.is_wide.store(true, Relaxed);
        }
    }
}

/// Gathers what the plotter writes.
struct Array {
    plotter: Arc<Plotter>,
    paths: Paths,
    stop: Option<Stop>,
    claim: Claim,
}

impl Array {
    fn has_room(&mut self, more: usize) -> bool {
        let needed = self.paths.bytes.len() + more;
        if needed > self.paths.bytes.capacity() {
            // What the vector would grow to.
            let grown = needed.max(2 * self.paths.bytes.capacity());
            if let Err(stop) = self.claim.grow_to(grown as u64) {
                self.stop = Some(stop);
                return false;
            }
            self.paths.bytes.reserve_exact(grown - self.paths.bytes.len());
        }
        true
    }

    fn flow(&self) -> Flow {
        let is_off = self.plotter.is_other.load(Relaxed) || self.plotter.is_wide.load(Relaxed);
        if is_off { ENOUGH } else { MORE }
    }
}

impl Events for Array {
    fn solution(&mut self, found: Solution) -> Flow {
        let mut bytes = Vec::new();
        self.plotter.encode(&found, &mut bytes);
        self.encoded(&bytes, 1)
    }

    fn encoder(&self) -> Option<Arc<dyn Encoder>> {
        Some(self.plotter.clone())
    }

    fn encoded(&mut self, bytes: &[u8], solutions: u64) -> Flow {
        if !self.has_room(bytes.len()) {
            return ENOUGH;
        }
        self.paths.bytes.extend_from_slice(bytes);
        self.paths.number += solutions;
        self.flow()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::question::Verb;
    use pessoi_engine::run::Budget;

    fn asked(game: &str, place: &str) -> Question {
        Question::new(Verb::List, game, place).unwrap()
    }

    /// The array holds what a list holds, in its order, from one thread or several.
    #[test]
    fn arrays_are_lists() {
        let catalogue = Catalogue::standard();
        for (game, place) in [("knight-loops", "8"), ("diplomatico", "5x5"), ("king-tours", "3x4")]
        {
            let question = asked(game, place);
            let answer = catalogue.answer(&question, &Run::default()).unwrap();
            let run = Run::new(Budget { threads: 2, ..Budget::default() });
            let (told, paths) = list(&catalogue, &question, &run).unwrap();
            assert_eq!(told.value, answer.value);
            let cells = answer.solutions.iter().flat_map(|found| found.figure.path());
            let bytes: Vec<u8> = cells.flat_map(|cell| [cell.row as u8, cell.col as u8]).collect();
            assert_eq!(paths.bytes, bytes, "{game}");
            assert_eq!(paths.number as usize, answer.solutions.len());
        }
    }

    #[test]
    fn long_boards_take_words() {
        let question = asked("wazir-tours", "1x300");
        let (_, paths) = list(&Catalogue::standard(), &question, &Run::default()).unwrap();
        assert_eq!((paths.width, paths.length, paths.number), (2, 300, 1));
        assert_eq!(paths.bytes[4 * 299 + 2..], 299u16.to_ne_bytes());
    }

    #[test]
    fn arrays_keep_within_memory() {
        let run = Run::new(Budget { memory: Some(1 << 20), ..Budget::default() });
        let (answer, paths) =
            list(&Catalogue::standard(), &asked("knight-loops", "12"), &run).unwrap();
        assert!(answer.value.stop().is_some(), "{:?}", answer.value);
        assert_eq!(paths.bytes.len() as u64, paths.number * 24);
    }
}
