//! What the theorems say of a board, and whether it is so.
//!
//! `analyze` looks which theorems of the paper speak of a board, and tests what they say
//! by the group, which is independent of their proofs.

use num_bigint::BigUint;
use pessoi_engine::run::{Run, Stop};
use pessoi_engine::symmetry::factorial;

use super::count::{COMPONENTS, Connection, with_sets};
use super::holes::{Holes, Known, choose};
use super::methods::HOLE_SETS;
use super::rule::Puzzle;
use super::shape::{Shape, shapes};
use super::task::Task;
use crate::answer::{Answer, Subject, Value};
use crate::board::{Board, Cell, Lattice};
use crate::error::Result;
use crate::job::{Events, Job, Work};
use crate::plan::Plan;
use crate::table::{DatumKind, Table};

/// What one theorem says of this board.
struct Row {
    theorem: &'static str,
    says: String,
    /// `None` if it was not computed.
    holds: Option<bool>,
}

/// Hole-sets up to which further boards are looked at (trimmed ones, patches, other
/// numbers of holes).
const FEW_SETS: u64 = 20_000;

const BOARD: Subject = Subject::measure("board", "what is known of the board");

/// Answers `analyze`.
pub(super) struct Analyzing<'a> {
    pub(super) task: Task<'a>,
}

impl Job for Analyzing<'_> {
    fn subject(&self, _: &Value) -> Option<Subject> {
        Some(BOARD)
    }

    fn plan(&self, run: &Run) -> Result<Plan> {
        let why = "theorems are tested by the group of the hole-sets";
        Ok(with_sets(&self.task, Plan::new(self.task.question, &HOLE_SETS, why), run))
    }

    fn answer(&self, run: &Run, _: &mut dyn Events) -> Result<Answer> {
        self.task.asked(run).settle(&BOARD, &HOLE_SETS, analyze(&self.task, run))
    }
}

fn analyze(task: &Task, run: &Run) -> Work<Answer> {
    let board = &task.puzzle.board;
    let mut answer = task.asked(run).answer(&BOARD, Value::Described {}, &HOLE_SETS);
    answer.fact("cells", "cells", board.len());
    if board.lattice() == Lattice::Hex {
        let corners: Vec<Cell> =
            board.tight_corners().iter().map(|&cell| board.cell(cell)).collect();
        let names: Vec<String> = corners.iter().map(ToString::to_string).collect();
        answer.fact("tight-corners", "tight corners", in_words(&names, " "));
        if !corners.is_empty() {
            let columns = [("cell", "cell", DatumKind::Cell)];
            let mut table = Table::new("tight-corners", "Tight corners", &columns);
            for cell in corners {
                table.push([cell.into()]);
            }
            answer.tables.push(table);
        }
    }
    let found = shapes(board);
    let names: Vec<String> = found.iter().map(|shape| name(*shape)).collect();
    answer.fact("shape", "shape", in_words(&names, ", "));
    let mut holes = task.holes;
    if holes.is_none() {
        let Connection { number, table } = Connection::find(task, run)?;
        answer.fact("connection-number", "connection number", number);
        answer.tables.push(table);
        holes = number;
    }
    let Some(holes) = holes else { return Ok(finished(answer, run)) };
    answer.fact("holes", "holes", holes);
    let known = Holding::new(&Known::new(&task.puzzle, holes, run)?);
    answer.fact("components", &COMPONENTS.text, &known.components);
    answer.fact("weak-parity", "weak parity", known.weak);
    answer.fact("strong-parity", "strong parity", known.strong);
    answer.fact("maximally-connected", "maximally connected", known.maximal);

    let mut rows = Vec::new();
    for &shape in &found {
        of_shape(task, shape, holes, &known, run, &mut rows)?;
    }
    if board.lattice() == Lattice::Hex {
        if holes == 2 {
            rows.push(Row {
                theorem: "Corollary 1.6",
                says: "two holes: weak parity".into(),
                holds: Some(known.weak),
            });
        }
        patches(task, holes, &known, run, &mut rows)?;
    }
    let columns = [
        ("theorem", "theorem", DatumKind::Text),
        ("says", "says", DatumKind::Text),
        ("computed", "computed", DatumKind::Text),
    ];
    let mut theorems = Table::new("theorems", "Theorems that apply", &columns);
    for row in rows {
        let computed = match row.holds {
            Some(true) => "holds",
            Some(false) => "fails",
            None => "not computed",
        };
        theorems.push([row.theorem.into(), row.says.into(), computed.into()]);
    }
    answer.tables.push(theorems);
    Ok(finished(answer, run))
}

/// The answer with what it cost in the end.
fn finished(mut answer: Answer, run: &Run) -> Answer {
    answer.cost.seconds = run.elapsed().as_secs_f64();
    answer.cost.peak_bytes = run.peak_bytes();
    answer
}

fn in_words(names: &[String], between: &str) -> String {
    if names.is_empty() { "none".to_owned() } else { names.join(between) }
}

/// What holds of the puzzle with its holes.
struct Holding {
    components: BigUint,
    weak: bool,
    strong: bool,
    maximal: bool,
}

impl Holding {
    fn new(known: &Known) -> Self {
        let (components, weak) = match known {
            Known::Holes(found) => (found.components(), found.is_weakly_even()),
            Known::Maximal { .. } => (BigUint::from(1u32), false),
        };
        let strong = weak && components == BigUint::from(2u32);
        let maximal = components == BigUint::from(1u32);
        Holding { components, weak, strong, maximal }
    }
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
    task: &Task,
    shape: Shape,
    holes: usize,
    known: &Holding,
    run: &Run,
    rows: &mut Vec<Row>,
) -> Result<(), Stop> {
    use Shape::{
        Flower, Parallelogram, Rectangle, Triangle, TrimmedParallelogram, TrimmedTriangle,
    };
    let &Holding { ref components, weak, strong, maximal } = known;
    let cells = task.puzzle.len();
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
            Some(Connection::find(task, run)?.number == Some(3))
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
        if let Ok(trimmed) = task.puzzle.board.trimmed() {
            let fewer = Holes::new(&Puzzle::new(&trimmed), 2, run)?.components();
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
    task: &Task,
    holes: usize,
    known: &Holding,
    run: &Run,
    rows: &mut Vec<Row>,
) -> Result<(), Stop> {
    let board = &task.puzzle.board;
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
        let up_to = |line: i32| Patch::new(task, holes, run, |cell| key(cell) <= line);
        let from = |line: i32| Patch::new(task, holes, run, |cell| key(cell) >= line);
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
        rows.push(Row { theorem: "Theorem 3.1", says, holds: Some(known.maximal) });
    }
    if let Some(lines) = parity {
        let says = format!("patches ({lines}): strong parity");
        rows.push(Row { theorem: "Theorem 4.4", says, holds: Some(known.strong) });
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
        task: &Task,
        holes: usize,
        run: &Run,
        keep: impl Fn(&Cell) -> bool,
    ) -> Result<Option<Patch>, Stop> {
        let cells = task.puzzle.board.cells().iter().copied().filter(keep);
        let Ok(board) = Board::from_cells(Lattice::Hex, cells) else { return Ok(None) };
        if board.len() <= holes {
            return Ok(None);
        }
        let found = Holes::new(&Puzzle::new(&board), holes, run)?;
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
