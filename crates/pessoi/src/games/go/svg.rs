//! Pictures of positions as diagrams: stones on the lines of a board, side by side if there are
//! several. The stone that was put down last has a dot.

use super::options::LISTED_LIMIT;
use super::position::{BLACK, EMPTY, parse};
use crate::answer::Answer;
use crate::board::canvas::{Anchor, Canvas, Ink, Pen, Point};
use crate::board::sheet::Sheet;
use crate::board::{Board, Cell};
use crate::error::{Error, Result};
use crate::export::picture::{self, check_number};
use crate::export::{Format, Out, Page, Writer, whole};
use crate::label::heading;
use crate::question::{Question, Verb};
use crate::solution::Figure;

/// The distance of neighbouring points, and of the outermost ones from the edge of the wood and
/// of the picture.
const STEP: f64 = 28.0;
const WOOD: f64 = 0.75 * STEP;
const MARGIN: f64 = 10.0;
/// Room for the names of rows and columns, which larger boards have.
const NAMES: f64 = 16.0;
const NAMED: usize = 5;
/// A stone.
const STONE: f64 = 0.46 * STEP;

/// Pictures of positions.
pub(super) struct Svg;

impl Format for Svg {
    fn id(&self) -> &'static str {
        "svg"
    }

    fn help(&self) -> &'static str {
        "diagrams of the positions; a list without --limit is cut after 60"
    }

    fn media_type(&self) -> &'static str {
        "image/svg+xml"
    }

    fn extension(&self) -> &'static str {
        "svg"
    }

    fn holds(&self, verb: Verb) -> bool {
        matches!(verb, Verb::Find | Verb::Sample | Verb::List | Verb::Classify)
    }

    fn writer<'a>(&self, page: &Page<'a>, out: Out<'a>) -> Result<Box<dyn Writer + 'a>> {
        let writer = whole(page, out, |answer, page| Ok(picture::svg(sheet(answer, page)?)));
        Ok(picture::a_sheet(writer, is_cut(page.question)))
    }
}

/// Diagrams to print.
pub(super) struct Pdf;

impl Format for Pdf {
    fn id(&self) -> &'static str {
        "pdf"
    }

    fn help(&self) -> &'static str {
        "diagrams to print; a list without --limit is cut after 60"
    }

    fn media_type(&self) -> &'static str {
        "application/pdf"
    }

    fn extension(&self) -> &'static str {
        "pdf"
    }

    fn holds(&self, verb: Verb) -> bool {
        Svg.holds(verb)
    }

    fn writer<'a>(&self, page: &Page<'a>, out: Out<'a>) -> Result<Box<dyn Writer + 'a>> {
        let writer = whole(page, out, |answer, page| Ok(picture::pdf(sheet(answer, page)?)));
        Ok(picture::a_sheet(writer, is_cut(page.question)))
    }
}

/// Whether a picture shows the first positions only.
fn is_cut(question: &Question) -> bool {
    question.verb.streams() && !question.is_given(&LISTED_LIMIT)
}

/// What an answer shows; nothing if there is no position in it.
fn sheet(answer: &Answer, page: &Page) -> Result<Option<Sheet>> {
    let question = page.question;
    let board = question.board()?;
    let mut positions: Vec<(Vec<u8>, Option<usize>)> = Vec::new();
    for solution in &answer.solutions {
        let Figure::Positions { drawings, .. } = &solution.figure else {
            return Err(Error::input("A path is no position of Go."));
        };
        for (k, drawing) in drawings.iter().enumerate() {
            let stones = parse(board, drawing).map_err(|error| {
                Error::input(format!("A position of the answer is wrong. {error}"))
            })?;
            let before = k.checked_sub(1).and_then(|_| positions.last());
            let played = before.and_then(|(before, _)| {
                (0..stones.len()).find(|&at| before[at] == EMPTY && stones[at] != EMPTY)
            });
            positions.push((stones, played));
        }
    }
    if positions.is_empty() {
        return Ok(None);
    }
    check_number("positions", positions.len(), board.len())?;
    let mut sheet = Sheet::new(&heading(question));
    let only_one = positions.len() == 1;
    for (number, (stones, played)) in (1..).zip(&positions) {
        page.run.check()?;
        let caption = if only_one { String::new() } else { format!("{number}") };
        sheet.add(diagram(board, stones, *played), caption);
    }
    Ok(Some(sheet))
}

/// Where a point is.
fn at(cell: Cell) -> Point {
    (f64::from(cell.col) * STEP, f64::from(cell.row) * STEP)
}

/// A position.
fn diagram(board: &Board, stones: &[u8], played: Option<usize>) -> Canvas {
    let (right, bottom) = at(Cell { row: board.rows() as i32 - 1, col: board.cols() as i32 - 1 });
    let has_names = board.rows().max(board.cols()) >= NAMED;
    let around = WOOD + MARGIN + if has_names { NAMES } else { 0.0 };
    let size = (right + 2.0 * around, bottom + 2.0 * around);
    let mut canvas = Canvas::new((-around, -around), size);
    empty(board, &mut canvas);
    if has_names {
        names(board, &mut canvas);
    }
    for (point, &colour) in stones.iter().enumerate().filter(|(_, colour)| **colour != EMPTY) {
        let ink = if colour == BLACK { Ink::Black } else { Ink::White };
        canvas.disc(at(board.cell(point)), STONE, Pen::fill(ink).edge(Ink::Black, 1.0));
    }
    if let Some(point) = played {
        let ink = if stones[point] == BLACK { Ink::White } else { Ink::Black };
        canvas.dots(vec![at(board.cell(point))], ink, 0.28 * STEP);
    }
    canvas
}

/// The board without stones: wood around every point, lines between neighbours, and the star
/// points of the usual boards.
fn empty(board: &Board, canvas: &mut Canvas) {
    let mut lines: Vec<(Cell, Cell)> = Vec::new();
    let mut wood = Vec::new();
    for (down, right) in [(0, 1), (1, 0)] {
        let other =
            |cell: Cell, by: i32| Cell { row: cell.row + by * down, col: cell.col + by * right };
        // A run of points in a row or a column is drawn at once.
        for &first in board.cells().iter().filter(|cell| board.index(other(**cell, -1)).is_none()) {
            let more = (1..=board.len() as i32)
                .take_while(|&by| board.index(other(first, by)).is_some())
                .count();
            let last = other(first, more as i32);
            if more > 0 {
                lines.push((first, last));
            }
            let ((x, y), (to_x, to_y)) = (at(first), at(last));
            wood.push(vec![
                (x - WOOD, y - WOOD),
                (to_x + WOOD, y - WOOD),
                (to_x + WOOD, to_y + WOOD),
                (x - WOOD, to_y + WOOD),
            ]);
        }
    }
    if board.len() == board.rows() * board.cols() {
        // One piece of wood.
        let last = at(board.cell(board.len() - 1));
        let size = (last.0 + 2.0 * WOOD, last.1 + 2.0 * WOOD);
        canvas.rectangle((-WOOD, -WOOD), size, 3.0, Pen::fill(Ink::Wood));
    } else {
        canvas.areas(wood, Pen::fill(Ink::Wood));
    }
    let grid: Vec<Vec<Point>> = lines.iter().map(|&(a, b)| vec![at(a), at(b)]).collect();
    canvas.areas(grid, Pen::line(Ink::Grain, 1.0));
    if let Some(stars) = stars(board) {
        let stars = stars.into_iter().map(|(row, col)| at(Cell { row, col })).collect();
        canvas.dots(stars, Ink::Grain, 5.0);
    }
}

/// The star points of full square boards of the usual sizes.
fn stars(board: &Board) -> Option<Vec<(i32, i32)>> {
    let side = board.rows() as i32;
    if board.rows() != board.cols() || board.len() != board.rows() * board.cols() {
        return None;
    }
    let (low, middle) = match side {
        9 => (2, 4),
        13 => (3, 6),
        19 => (3, 9),
        _ => return None,
    };
    let high = side - 1 - low;
    let mut stars = vec![(low, low), (low, high), (high, low), (high, high), (middle, middle)];
    if side == 19 {
        stars.extend([(low, middle), (middle, low), (middle, high), (high, middle)]);
    }
    Some(stars)
}

/// The names of columns and rows, as they are read: letters, and numbers from the bottom.
fn names(board: &Board, canvas: &mut Canvas) {
    let (rows, cols) = (board.rows() as i32, board.cols() as i32);
    let size = 11.0;
    for col in 0..cols {
        let (x, y) = at(Cell { row: rows - 1, col });
        let name = column(col);
        canvas.text((x, y + WOOD + NAMES - 3.0), size, Anchor::Middle, Ink::Faint, &name);
    }
    for row in 0..rows {
        let (x, y) = at(Cell { row, col: 0 });
        let at = (x - WOOD - 5.0, y + 0.36 * size);
        canvas.text(at, size, Anchor::End, Ink::Faint, &(rows - row).to_string());
    }
}

/// The letters of a column.
fn column(col: i32) -> String {
    let letter = |k: i32| char::from(b'a' + (k % 26) as u8);
    if col < 26 {
        letter(col).to_string()
    } else {
        format!("{}{}", letter(col / 26 - 1), letter(col))
    }
}

#[cfg(test)]
mod tests {
    use crate::question::{Question, Verb};
    use crate::testing::{self, CATALOGUE};
    use crate::{Run, Style};

    fn shown(question: &Question) -> crate::Result<String> {
        let answer = testing::ask(question, &Run::default())?;
        let format = CATALOGUE.format(CATALOGUE.game("go")?.card(), question.verb, "svg")?;
        let mut svg = Vec::new();
        CATALOGUE.write_answer(&answer, format, &Style::default(), &Run::default(), &mut svg)?;
        Ok(String::from_utf8(svg).unwrap())
    }

    #[test]
    fn a_stone_for_each_stone_and_no_line_over_an_absent_point() {
        let question = Question::new(Verb::Sample, "go", "...\n.#.\n...").unwrap();
        let answer = testing::ask(&question, &Run::default()).unwrap();
        let crate::Figure::Positions { drawings, .. } = &answer.solutions[0].figure else {
            panic!("no position")
        };
        let svg = shown(&question).unwrap();
        assert_eq!(svg.matches("<circle").count(), drawings[0].matches(['X', 'O']).count());
        // Four sides, and nothing through the middle.
        let lines = "M0,0H56zM0,56H56zM0,0V56zM56,0V56z";
        assert!(svg.contains(&format!("<path d=\"{lines}\"")), "{svg}");
    }

    #[test]
    fn several_positions_stand_side_by_side() {
        let samples = Question::new(Verb::Sample, "go", "3x3").unwrap().with("samples", 20);
        let svg = shown(&samples).unwrap();
        assert_eq!(svg.matches("<g transform").count(), 20);
        let cycle = Question::new(Verb::Find, "go", "1x3").unwrap().with("symmetric", true);
        let cycle = shown(&cycle).unwrap();
        // In each picture but the first one a stone was put down.
        let pictures = cycle.matches("<g transform").count();
        assert_eq!(cycle.matches("stroke-width=\"7.84\"").count(), pictures - 1);
        let many = Question::new(Verb::Sample, "go", "1x2").unwrap().with("samples", 2001);
        let error = shown(&many).unwrap_err();
        assert_eq!(error.field.as_deref(), Some("format"));
        assert!(error.to_string().contains("at most 2000 positions"), "{error}");
    }
}
