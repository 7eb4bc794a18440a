//! Booklets: puzzles to print, several a page, and their solutions at the end.
//!
//! The first page begins with the rules; each puzzle has its number, its measured difficulty
//! and its clues; at the foot stands the command that makes the same booklet again. As many
//! puzzles share a page as leave their cells large enough to write into.

use super::generate::{DRAWING, MEASURED, SHOWN, TABLE};
use crate::answer::Answer;
use crate::board::pdf::{Face, Leaf, MARGIN, PAGE, document, lines_of, width_of};
use crate::board::{Drawing, Picture};
use crate::card::Card;
use crate::error::{Error, Result};
use crate::games::leapers::MOVES;
use crate::question::{Place, Question};
use crate::solution::Solution;
use crate::table::Datum;

/// Cells to write into are not smaller than this if they can help it, in points, nor larger.
const SMALLEST: f64 = 20.0;
const LARGEST: f64 = 34.0;
/// Cells of solutions.
const SMALLEST_SOLVED: f64 = 13.0;
const LARGEST_SOLVED: f64 = 18.0;
/// Between puzzles.
const GAP: f64 = 22.0;
/// The line above each puzzle.
const HEAD: f64 = 18.0;
/// What is left free at the foot.
const FOOT: f64 = 34.0;
const GREY: &str = "#6b675c";
const RULE: &str = "#c9c3b4";

/// A puzzle with what is written above it.
struct Puzzle<'a> {
    drawing: Drawing,
    solution: &'a Solution,
    clues: String,
    difficulty: String,
}

/// The puzzles of an answer; none if it holds none.
fn puzzles(answer: &Answer) -> Result<Vec<Puzzle<'_>>> {
    let mut drawings: Vec<(Drawing, String)> = Vec::new();
    if let Some(Place::Board(drawing)) = &answer.puzzle {
        let difficulty = answer.fact_of(MEASURED).map(ToString::to_string);
        drawings.push((drawing.clone(), difficulty.unwrap_or_default()));
    }
    if let Some(table) = answer.table(TABLE) {
        let column = |id: &str| {
            table.column(id).ok_or_else(|| Error::input(format!("The table has no column {id}.")))
        };
        let (drawn, measured) = (column(DRAWING)?, column(MEASURED)?);
        column(SHOWN)?;
        for row in &table.rows {
            let difficulty = match &row[measured] {
                Datum::Text(text) => text.clone(),
                _ => String::new(),
            };
            drawings.push((Drawing::parse(&row[drawn].to_string())?, difficulty));
        }
    }
    if drawings.len() != answer.solutions.len() {
        return Err(Error::input("The answer has not one solution for each puzzle."));
    }
    let puzzle = |((drawing, difficulty), solution): ((Drawing, String), _)| {
        let clues = match drawing.clues.len() {
            1 => "1 clue".to_owned(),
            n => format!("{n} clues"),
        };
        Puzzle { drawing, solution, clues, difficulty }
    };
    Ok(drawings.into_iter().zip(&answer.solutions).map(puzzle).collect())
}

/// How boards are laid out on pages: columns, and how wide and high each place is.
struct Layout {
    columns: usize,
    width: f64,
    height: f64,
    largest: f64,
}

impl Layout {
    /// As many columns as leave cells of a size, but no more than there are boards.
    fn new(drawing: &Drawing, smallest: f64, largest: f64, boards: usize) -> Layout {
        let (rows, cols) = (drawing.board.rows() as f64, drawing.board.cols() as f64);
        let room = (PAGE.0 - 2.0 * MARGIN, PAGE.1 - 2.0 * MARGIN - FOOT - HEAD);
        let fits = ((room.0 + GAP) / (cols * smallest + GAP)).floor().max(1.0) as usize;
        let columns = fits.min(boards.max(1));
        let width = (room.0 - GAP * (columns as f64 - 1.0)) / columns as f64;
        let cell = (width / cols).min(largest).min(room.1 / rows);
        Layout { columns, width, height: HEAD + cell * rows + 6.0, largest: cell }
    }
}

/// Pages that are filled from top to bottom.
struct Book {
    done: Vec<Leaf>,
    page: Leaf,
    /// How far the page is filled.
    y: f64,
    foot: String,
}

impl Book {
    fn turn(&mut self) {
        let page = std::mem::take(&mut self.page);
        self.done.push(page);
        self.y = MARGIN;
    }

    /// Lines of text across the page.
    fn paragraph(&mut self, text: &str, size: f64, face: Face, ink: &str) {
        for line in lines_of(text, size * 1.04, PAGE.0 - 2.0 * MARGIN) {
            self.y += size * 1.35;
            self.page.coloured((MARGIN, self.y), size, face, ink, &line);
        }
    }

    fn heading(&mut self, text: &str) {
        self.paragraph(text, 20.0, Face::Bold, "#27557f");
        self.y += 6.0;
    }

    fn rule(&mut self) {
        self.y += 10.0;
        self.page.line((MARGIN, self.y), (PAGE.0 - MARGIN, self.y), RULE);
        self.y += 14.0;
    }

    /// Draws boards row by row, each with a line above it: its name in bold, and something more.
    fn boards<'p>(
        &mut self,
        layout: &Layout,
        boards: impl Iterator<Item = (String, String, Picture<'p>)>,
    ) {
        for (k, (name, more, picture)) in boards.enumerate() {
            let column = k % layout.columns;
            if column == 0 && k > 0 {
                self.y += layout.height + GAP;
            }
            if column == 0 && self.y > MARGIN && self.y + layout.height > PAGE.1 - MARGIN - FOOT {
                self.turn();
            }
            let left = MARGIN + column as f64 * (layout.width + GAP);
            let wide = layout.largest * picture.board().cols() as f64;
            let at = left + (layout.width - wide) / 2.0;
            self.page.text((at, self.y + 10.0), 11.0, Face::Bold, &name);
            let after = at + wide - width_of(&more) * 9.0;
            self.page.coloured((after, self.y + 10.0), 9.0, Face::Plain, GREY, &more);
            let (x, y) = (left, self.y + HEAD);
            let room = (layout.width, layout.height - HEAD);
            self.page.board(&picture, (x, y), room, layout.largest);
        }
        self.y += layout.height + GAP;
    }

    fn finish(mut self) -> String {
        self.turn();
        let all = self.done.len();
        for (number, page) in (1..).zip(&mut self.done) {
            let y = PAGE.1 - MARGIN + 6.0;
            page.line((MARGIN, y - 14.0), (PAGE.0 - MARGIN, y - 14.0), RULE);
            let folio = format!("{number} / {all}");
            let at = PAGE.0 - MARGIN - width_of(&folio) * 8.0;
            page.coloured((at, y), 8.0, Face::Plain, GREY, &folio);
            let room = PAGE.0 - 2.0 * MARGIN - 50.0;
            for (k, line) in lines_of(&self.foot, 7.0, room).iter().take(2).enumerate() {
                page.coloured((MARGIN, y + 9.0 * k as f64), 7.0, Face::Plain, GREY, line);
            }
        }
        document(&self.done)
    }
}

/// A question as it is typed on one line. A drawing does not fit there: it stands for a file, and what
/// that holds is said after the command.
fn typed(question: &Question) -> (String, &'static str) {
    let words = question.words();
    if !words.contains('\n') {
        return (words, "");
    }
    let bare = Question { place: Place::Nowhere, ..question.clone() }.words();
    let game = format!("{} {}", question.verb, question.game);
    let options = bare.strip_prefix(&game).unwrap_or_default();
    (format!("{game} layout.txt{options}"), "; layout.txt is a drawing of the board and its clues")
}

/// The booklet of an answer; nothing if it holds no puzzle.
pub(super) fn of(answer: &Answer, card: &Card) -> Result<Option<Vec<u8>>> {
    let puzzles = puzzles(answer)?;
    let Some(first) = puzzles.first() else { return Ok(None) };
    let seed = answer.seed.map(|seed| format!(" --seed {seed}")).unwrap_or_default();
    let (words, layout) = typed(&answer.question);
    let foot = format!("pessoi {words}{seed} --format pdf (version {}){layout}", answer.pessoi);
    let mut book = Book { done: Vec::new(), page: Leaf::new(), y: MARGIN - 14.0, foot };
    // What stands in brackets is for the list of games.
    book.heading(card.title.split(" (").next().unwrap_or(card.title));
    // The game's own rules say how its own moves go.
    let rules = match answer.question.options.get(MOVES) {
        None => card.rules.to_owned(),
        Some(moves) => format!(
            "Write a number into each empty cell, so that each number is one move from the one before \
             it. The moves are {moves}: a move of (1,2), for example, goes one cell along one side \
             of the board and two along the other, to any of its eight ends."
        ),
    };
    book.paragraph(&rules, 10.5, Face::Plain, "#1c1c1c");
    if answer.solutions.iter().any(|solution| {
        matches!(solution.figure, crate::solution::Figure::Path { closed: true, .. })
    }) {
        let last = first.drawing.board.len();
        let closed = format!("The last number, {last}, is one such move from 1 as well.");
        book.paragraph(&closed, 10.5, Face::Plain, "#1c1c1c");
    }
    let only = format!(
        "The numbers go from 1 to {}. Each puzzle has exactly one solution. Easy puzzles need \
         simple rules only, medium ones further rules, and in hard ones one has to look ahead.",
        first.drawing.board.len()
    );
    book.paragraph(&only, 9.0, Face::Plain, GREY);
    book.rule();

    let layout = Layout::new(&first.drawing, SMALLEST, LARGEST, puzzles.len().max(2));
    let sheets = (1..).zip(&puzzles).map(|(number, puzzle): (usize, _)| {
        let mut labels = vec![None; puzzle.drawing.board.len()];
        for clue in &puzzle.drawing.clues {
            labels[clue.cell] = Some(clue.number.to_string());
        }
        let picture = Picture::new(&puzzle.drawing.board).labels(|cell| labels[cell].clone());
        let more = [&*puzzle.difficulty, &*puzzle.clues];
        let more: Vec<&str> = more.into_iter().filter(|word| !word.is_empty()).collect();
        (number.to_string(), more.join(", "), picture)
    });
    book.boards(&layout, sheets);

    book.turn();
    book.y -= 14.0;
    book.heading("Solutions");
    book.rule();
    let layout = Layout::new(&first.drawing, SMALLEST_SOLVED, LARGEST_SOLVED, puzzles.len().max(3));
    let solved = (1..).zip(&puzzles).map(|(number, puzzle): (usize, _)| {
        let board = &puzzle.drawing.board;
        let mut labels = vec![None; board.len()];
        for (k, cell) in (1..).zip(puzzle.solution.figure.path()) {
            if let Some(index) = board.index(*cell) {
                labels[index] = Some(k.to_string());
            }
        }
        let is_clue = |cell: usize| puzzle.drawing.clues.iter().any(|clue| clue.cell == cell);
        let picture = Picture::new(board).labels(|cell| labels[cell].clone()).clues(is_clue);
        (number.to_string(), String::new(), picture)
    });
    book.boards(&layout, solved);
    Ok(Some(book.finish().into_bytes()))
}
