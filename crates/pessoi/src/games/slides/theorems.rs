//! What the theorems say of a board, and whether it is so.
//!
//! `analyze` looks which theorems of the paper speak of a board, and tests what they say
//! by the group, which is independent of their proofs.

use num_bigint::BigUint;
use pessoi_engine::run::Stop;
use pessoi_engine::symmetry::factorial;

use super::explore::{Known, connection_number};
use super::holes::{Holes, choose};
use super::rule::Puzzle;
use super::shape::{Shape, shapes};
use super::task::Asked;
use crate::answer::{Answer, Table, Value};
use crate::board::{Board, Cell, Lattice};
use crate::error::Result;

/// One theorem's word on this board.
struct Row {
    theorem: &'static str,
    says: String,
    /// `None` if it was not computed.
    holds: Option<bool>,
}

/// Hole-sets up to which further boards are looked at (trimmed ones, patches, other
/// numbers of holes).
const FEW_SETS: u64 = 20_000;

/// Answers `analyze`.
pub(super) fn analyze(asked: &Asked) -> Answer {
    let (counts, method) = ("cells of the board", "inspection, and the group of the hole-sets");
    match tables(asked) {
        Err(stop) => asked.gave_up(&stop, counts, method),
        Ok(tables) => {
            let mut answer = asked.answer(Value::exact(asked.puzzle.len()), counts, method);
            answer.tables = tables;
            answer
        }
    }
}

fn tables(asked: &Asked) -> Result<Vec<Table>, Stop> {
    let board = &asked.puzzle.board;
    let mut tables = Vec::new();
    let mut about = Table::new("The board", &["what", "value"]);
    let mut fact = |what: &str, value: String| about.rows.push(vec![what.to_owned(), value]);
    fact("cells", board.len().to_string());
    let corners: Vec<String> =
        board.tight_corners().iter().map(|&cell| board.cell(cell).to_string()).collect();
    if board.lattice() == Lattice::Hex {
        fact("tight corners", if corners.is_empty() { "none".into() } else { corners.join(" ") });
    }
    let found = shapes(board);
    let names: Vec<String> = found.iter().map(|shape| name(*shape)).collect();
    fact("shape", if names.is_empty() { "none that has a name".into() } else { names.join(", ") });
    let mut holes = asked.told_holes();
    if holes.is_none() {
        let (number, table) = connection_number(asked)?;
        fact("connection number", number.map_or("none".into(), |n| n.to_string()));
        tables.push(table);
        holes = number;
    }
    let Some(holes) = holes else {
        tables.insert(0, about);
        return Ok(tables);
    };
    fact("holes", holes.to_string());
    let known = Known::new(asked, holes)?;
    let components = match &known {
        Known::Holes(found) => found.components(),
        Known::Maximal { .. } => BigUint::from(1u32),
    };
    fact("components of configurations that allow a slide", components.to_string());
    let weak = match &known {
        Known::Holes(found) => found.is_weakly_even(),
        Known::Maximal { .. } => false,
    };
    let strong = weak && components == BigUint::from(2u32);
    let maximal = components == BigUint::from(1u32);
    let yes = |is: bool| if is { "yes" } else { "no" }.to_owned();
    fact("weak parity", yes(weak));
    fact("strong parity", yes(strong));
    fact("maximally connected", yes(maximal));

    let mut rows = Vec::new();
    for &shape in &found {
        of_shape(asked, shape, holes, (&components, weak, strong, maximal), &mut rows)?;
    }
    if board.lattice() == Lattice::Hex {
        if holes == 2 {
            rows.push(Row {
                theorem: "Corollary 1.6",
                says: "two holes: weak parity".into(),
                holds: Some(weak),
            });
        }
        patches(asked, holes, strong, maximal, &mut rows)?;
    }
    let mut theorems = Table::new("Theorems that apply", &["theorem", "says", "computed"]);
    for row in rows {
        let computed = match row.holds {
            Some(true) => "holds",
            Some(false) => "FAILS",
            None => "too large to compute",
        };
        theorems.rows.push(vec![row.theorem.to_owned(), row.says, computed.to_owned()]);
    }
    tables.insert(0, about);
    tables.push(theorems);
    Ok(tables)
}

fn name(shape: Shape) -> String {
    match shape {
        Shape::Parallelogram(a, b) => format!("parallelogram {a}×{b}"),
        Shape::Triangle(m) => format!("triangle {m}"),
        Shape::Flower(m) => format!("flower {m}"),
        Shape::TrimmedParallelogram(a, b) => format!("trimmed parallelogram {a}×{b}"),
        Shape::TrimmedTriangle(m) => format!("trimmed triangle {m}"),
        Shape::Rectangle(a, b) => format!("rectangle {a}×{b}"),
    }
}

/// The theorems about a shape.
fn of_shape(
    asked: &Asked,
    shape: Shape,
    holes: usize,
    (components, weak, strong, maximal): (&BigUint, bool, bool, bool),
    rows: &mut Vec<Row>,
) -> Result<(), Stop> {
    use Shape::{
        Flower, Parallelogram, Rectangle, Triangle, TrimmedParallelogram, TrimmedTriangle,
    };
    let cells = asked.puzzle.len();
    let tiles = cells - holes;
    let mut row = |theorem, says: String, holds| rows.push(Row { theorem, says, holds });
    let parts = |number: &BigUint| format!("{number} components");
    if let Parallelogram(2, _) = shape
        && holes >= 2
    {
        let number = factorial(tiles);
        row("Theorem 1.1", parts(&number), Some(*components == number));
    }
    let is_wide = matches!(shape, Parallelogram(3.., 3..));
    if is_wide && holes >= 3 {
        row("Theorem 1.3", "maximally connected".into(), Some(maximal));
    }
    let is_large = matches!(shape, Triangle(5..) | Flower(3..));
    if is_large && holes >= 3 {
        row("Corollary 1.4", "maximally connected".into(), Some(maximal));
    }
    if is_wide && holes == 2 {
        row("Theorem 1.5", "weak parity".into(), Some(weak));
    }
    if is_wide || is_large {
        let holds = if choose(cells, 3).is_some_and(|ways| ways <= 2 * FEW_SETS) {
            Some(connection_number(asked)?.0 == Some(3))
        } else {
            None
        };
        row("Theorem 1.7", "the connection number is 3".into(), holds);
    }
    let is_trimmed = matches!(shape, TrimmedTriangle(5..) | TrimmedParallelogram(3.., 4..));
    if holes == 2 && (is_trimmed || matches!(shape, Flower(3..))) {
        row("Theorem 1.8", "strong parity".into(), Some(strong));
    }
    let corners = match shape {
        Parallelogram(3.., 3..) => 2,
        Triangle(4..) => 3,
        _ => 0,
    };
    if holes == 2 && corners > 0 {
        let ways: BigUint = (0..corners).map(|k| BigUint::from(tiles - k)).product();
        if matches!(shape, Parallelogram(3.., 4..) | Triangle(5..)) {
            let number = &ways * 2u32;
            row("Theorem 1.9", parts(&number), Some(*components == number));
        }
        let trimmed = asked.puzzle.board.trimmed().and_then(|b| Puzzle::new(&b, Lattice::Hex));
        if let Ok(trimmed) = trimmed {
            let fewer = Holes::new(&trimmed, 2, asked.run)?.components();
            let says = format!("{ways} times the {fewer} components of the trimmed board");
            row("Lemma 4.3", says, Some(*components == ways * fewer));
        }
    }
    if let Rectangle(2.., 2..) = shape {
        match holes {
            // A 2×2 board only turns its tiles about.
            1 if cells > 4 => {
                row("Johnson and Story", "one hole: strong parity".into(), Some(strong));
            }
            1 => {}
            _ => row("known of squares", "maximally connected".into(), Some(maximal)),
        }
    }
    Ok(())
}

/// The two theorems about boards that are patched together: looks for two patches, the
/// cells up to a line and the cells from another line on.
fn patches(
    asked: &Asked,
    holes: usize,
    strong: bool,
    maximal: bool,
    rows: &mut Vec<Row>,
) -> Result<(), Stop> {
    let board = &asked.puzzle.board;
    if choose(board.len(), holes).is_none_or(|ways| ways > FEW_SETS) {
        return Ok(());
    }
    let axes: [Axis; 3] =
        [("row", |c| c.row), ("column", |c| c.col), ("row + column", |c| c.row + c.col)];
    let (mut patched, mut parity) = (None, None);
    for (axis, key) in axes {
        let mut keys: Vec<i32> = board.cells().iter().map(key).collect();
        keys.sort_unstable();
        keys.dedup();
        let up_to = |line: i32| Patch::new(asked, holes, |cell| key(cell) <= line);
        let from = |line: i32| Patch::new(asked, holes, |cell| key(cell) >= line);
        let firsts: Vec<Option<Patch>> =
            keys.iter().map(|&k| up_to(k)).collect::<Result<_, _>>()?;
        let lasts: Vec<Option<Patch>> = keys.iter().map(|&k| from(k)).collect::<Result<_, _>>()?;
        for (high, first) in firsts.iter().enumerate().take(keys.len().saturating_sub(1)) {
            for (low, last) in lasts.iter().enumerate().take(high + 1).skip(1) {
                let (Some(first), Some(last)) = (first, last) else { continue };
                let shared: Vec<Cell> = first
                    .board
                    .cells()
                    .iter()
                    .copied()
                    .filter(|cell| last.board.cells().contains(cell))
                    .collect();
                let lines = || {
                    let line = |k: usize| keys[k] + if axis == "row + column" { 2 } else { 1 };
                    format!("{axis} up to {} and from {} on", line(high), line(low))
                };
                let Ok(middle) = Board::from_cells(Lattice::Hex, shared) else { continue };
                let touching = (0..middle.len()).any(|k| middle.neighbours(k).next().is_some());
                if patched.is_none()
                    && holes >= 3
                    && first.maximal
                    && last.maximal
                    && middle.len() > holes
                    && is_connected(&middle)
                {
                    patched = Some(lines());
                }
                if parity.is_none()
                    && holes == 2
                    && first.strong
                    && last.strong
                    && first.board.len().min(last.board.len()) >= 5
                    && middle.len() >= 4
                    && touching
                {
                    parity = Some(lines());
                }
            }
        }
    }
    if let Some(lines) = patched {
        let says = format!("patches ({lines}): maximally connected");
        rows.push(Row { theorem: "Theorem 3.1", says, holds: Some(maximal) });
    }
    if let Some(lines) = parity {
        let says = format!("patches ({lines}): strong parity");
        rows.push(Row { theorem: "Theorem 4.4", says, holds: Some(strong) });
    }
    Ok(())
}

/// A direction: its name, and how far along it a cell is.
type Axis = (&'static str, fn(&Cell) -> i32);

/// Part of a board, and what holds of it.
struct Patch {
    board: Board,
    maximal: bool,
    strong: bool,
}

impl Patch {
    fn new(
        asked: &Asked,
        holes: usize,
        keep: impl Fn(&Cell) -> bool,
    ) -> Result<Option<Patch>, Stop> {
        let cells = asked.puzzle.board.cells().iter().copied().filter(keep);
        let Ok(board) = Board::from_cells(Lattice::Hex, cells) else { return Ok(None) };
        if board.len() <= holes {
            return Ok(None);
        }
        let Ok(puzzle) = Puzzle::new(&board, Lattice::Hex) else { return Ok(None) };
        let found = Holes::new(&puzzle, holes, asked.run)?;
        let (maximal, strong) = (found.is_maximal(), found.is_strongly_even());
        Ok(Some(Patch { board, maximal, strong }))
    }
}

fn is_connected(board: &Board) -> bool {
    let mut met = vec![false; board.len()];
    let mut queue = vec![0];
    met[0] = true;
    while let Some(here) = queue.pop() {
        for near in board.neighbours(here) {
            if !std::mem::replace(&mut met[near], true) {
                queue.push(near);
            }
        }
    }
    met.into_iter().all(|met| met)
}
