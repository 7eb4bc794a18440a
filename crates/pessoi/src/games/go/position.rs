//! Single positions: drawn or in SGF, played, and judged.
//!
//! A position is drawn as rows of `X` (black), `O` (white) and `.` (empty), with `#` for what
//! is no point of the board. SGF (Smart Game Format, FF\[4\]) is the format in which games of
//! Go are kept: set-up stones are placed and the moves of the main line are played, with
//! captures.

use super::options::POSITION;
use crate::board::{Board, Cell};
use crate::error::{Error, Result};

/// No stone.
pub(super) const EMPTY: u8 = 0;
/// A black stone.
pub(super) const BLACK: u8 = 1;
/// A white stone.
pub(super) const WHITE: u8 = 2;

/// Stones of one colour that hang together.
pub(super) struct Str {
    pub(super) colour: u8,
    pub(super) points: Vec<usize>,
    pub(super) has_liberty: bool,
}

/// The string of the stone at a point.
pub(super) fn string(board: &Board, colours: &[u8], point: usize) -> Str {
    let colour = colours[point];
    let mut points = vec![point];
    let mut seen = vec![false; colours.len()];
    seen[point] = true;
    let mut has_liberty = false;
    let mut next = 0;
    while let Some(&at) = points.get(next) {
        next += 1;
        for other in board.neighbours(at) {
            has_liberty |= colours[other] == EMPTY;
            if colours[other] == colour && !seen[other] {
                seen[other] = true;
                points.push(other);
            }
        }
    }
    Str { colour, points, has_liberty }
}

/// All strings without a liberty.
pub(super) fn breathless(board: &Board, colours: &[u8]) -> Vec<Str> {
    let mut done = vec![false; colours.len()];
    let mut found = Vec::new();
    for point in 0..colours.len() {
        if colours[point] == EMPTY || done[point] {
            continue;
        }
        let string = string(board, colours, point);
        for &point in &string.points {
            done[point] = true;
        }
        if !string.has_liberty {
            found.push(string);
        }
    }
    found
}

/// Plays a stone on an empty point: opponents without liberties go, then one's own.
pub(super) fn play(board: &Board, colours: &mut [u8], point: usize, colour: u8) {
    colours[point] = colour;
    let opponents = board.neighbours(point).filter(|&other| colours[other] == 3 - colour);
    for other in opponents.collect::<Vec<_>>() {
        if colours[other] == 3 - colour {
            let string = string(board, colours, other);
            if !string.has_liberty {
                string.points.iter().for_each(|&stone| colours[stone] = EMPTY);
            }
        }
    }
    let own = string(board, colours, point);
    if !own.has_liberty {
        own.points.iter().for_each(|&stone| colours[stone] = EMPTY);
    }
}

/// A position as text.
pub(super) fn drawing(board: &Board, colours: &[u8]) -> String {
    let mut text = String::new();
    for row in 0..board.rows() as i32 {
        for col in 0..board.cols() as i32 {
            text.push(match board.index(Cell { row, col }) {
                None => '#',
                Some(point) => ['.', 'X', 'O'][usize::from(colours[point])],
            });
        }
        text.push('\n');
    }
    text
}

/// A text that is no position.
fn unusable(sentence: impl Into<String>) -> Error {
    Error::option(POSITION.name, sentence)
}

/// Reads a drawing or an SGF of a position on this board.
pub(super) fn parse(board: &Board, text: &str) -> Result<Vec<u8>> {
    let text = text.trim_start_matches('\u{feff}').trim();
    // An SGF may have other text before it, such as the head of a mail.
    let start = if text.starts_with('(') { Some(0) } else { text.find("(;") };
    match start {
        Some(start) => sgf(board, &text[start..]),
        None => drawn(board, text),
    }
}

fn drawn(board: &Board, text: &str) -> Result<Vec<u8>> {
    let rows: Vec<&str> =
        text.split(['\n', '/']).map(str::trim).filter(|r| !r.is_empty()).collect();
    let mut colours = vec![EMPTY; board.len()];
    let sizes = || {
        unusable(format!(
            "The position is not on {}: it has {} rows, of {} characters at most.",
            board.name(),
            rows.len(),
            rows.iter().map(|row| row.chars().count()).max().unwrap_or(0)
        ))
    };
    if rows.len() != board.rows() {
        return Err(sizes());
    }
    for (r, row) in (0..).zip(&rows) {
        if row.chars().count() != board.cols() {
            return Err(sizes());
        }
        for (c, sign) in (0..).zip(row.chars()) {
            let colour = match sign {
                '.' | '+' => Some(EMPTY),
                'X' | 'x' | 'B' | 'b' => Some(BLACK),
                'O' | 'o' | 'W' | 'w' => Some(WHITE),
                '#' => None,
                other => {
                    return Err(unusable(format!(
                        "The position has {other:?} in row {}, column {}: a point is X (black), \
                         O (white) or . (empty), and # is no point.",
                        r + 1,
                        c + 1
                    )));
                }
            };
            match (board.index(Cell { row: r, col: c }), colour) {
                (Some(point), Some(colour)) => colours[point] = colour,
                (None, None) => {}
                _ => {
                    return Err(unusable(format!(
                        "The position and {} differ on whether row {}, column {} is a point.",
                        board.name(),
                        r + 1,
                        c + 1
                    )));
                }
            }
        }
    }
    Ok(colours)
}

/// A property of an SGF node, with its values.
type Property = (String, Vec<String>);

/// What of an SGF was read last.
enum Last {
    Opened,
    Node,
    Name(String),
    Value,
    Closed,
}

/// The nodes of the main line of an SGF.
///
/// In FF\[4\] a file is one or more trees, `( node node … tree tree … )` with at least one
/// node; a node is `;` and properties, each a name and one or more values in brackets. The
/// main line takes the first tree each time. The rest is read as well, so that what is not an
/// SGF is found out.
fn main_line(text: &str) -> Result<Vec<Vec<Property>>> {
    let bad = |what: &str| unusable(format!("This is not an SGF: {what}."));
    let mut nodes: Vec<Vec<Property>> = Vec::new();
    let mut chars = text.chars();
    let mut depth = 0usize;
    // Once a tree is closed, what follows is another line of play.
    let mut is_main = true;
    let mut last = Last::Closed;
    while let Some(c) = chars.next() {
        if depth == 0 && !is_main && !c.is_whitespace() {
            let sentence = if c == '(' {
                "The SGF holds several games: give one of them."
            } else {
                "This is not an SGF: there is text after the last )."
            };
            return Err(unusable(sentence));
        }
        last = match (c, last) {
            (c, last) if c.is_whitespace() => last,
            ('(', Last::Node | Last::Value | Last::Closed) => {
                depth += 1;
                Last::Opened
            }
            (')', Last::Opened) => return Err(bad("a tree has no nodes")),
            (')', Last::Node | Last::Value | Last::Closed) if depth > 0 => {
                depth -= 1;
                is_main = false;
                Last::Closed
            }
            (';', Last::Opened | Last::Node | Last::Value) => {
                if is_main {
                    nodes.push(Vec::new());
                }
                Last::Node
            }
            ('[', last @ (Last::Name(_) | Last::Value)) => {
                let mut value = String::new();
                loop {
                    match chars.next() {
                        None => return Err(bad("a value is not closed by ]")),
                        Some(']') => break,
                        Some('\\') => value.extend(chars.next()),
                        Some(c) => value.push(c),
                    }
                }
                // Properties stand in nodes, so there is one.
                if let Some(node) = nodes.last_mut().filter(|_| is_main) {
                    if let Last::Name(name) = last {
                        if node.iter().any(|known| known.0 == name) {
                            return Err(bad(&format!("a node has {name} twice")));
                        }
                        node.push((name, vec![value]));
                    } else if let Some((_, values)) = node.last_mut() {
                        values.push(value);
                    }
                }
                Last::Value
            }
            (c, last @ (Last::Node | Last::Value | Last::Name(_))) if c.is_ascii_alphabetic() => {
                let mut name = if let Last::Name(name) = last { name } else { String::new() };
                // Lower case letters are allowed in old files, and mean nothing.
                if c.is_ascii_uppercase() {
                    name.push(c);
                }
                Last::Name(name)
            }
            (other, _) => {
                return Err(bad(&format!("there is {other:?} where nothing of the kind goes")));
            }
        };
    }
    if depth > 0 || is_main {
        return Err(bad("it is not closed by )"));
    }
    Ok(nodes)
}

/// The value of a property that has only one.
fn only<'v>(name: &str, values: &'v [String]) -> Result<&'v str> {
    match values {
        [value] => Ok(value.trim()),
        _ => Err(unusable(format!(
            "The SGF gives {} values to {name}, which has one.",
            values.len()
        ))),
    }
}

fn sgf(board: &Board, text: &str) -> Result<Vec<u8>> {
    let nodes = main_line(text)?;
    let properties = || nodes.iter().flatten();
    let mut size = (19, 19);
    for (name, values) in properties() {
        if name == "SZ" {
            let value = only(name, values)?;
            let read = |text: &str| text.trim().parse::<usize>().ok();
            let sides = match value.split_once(':') {
                Some((cols, rows)) => read(rows).zip(read(cols)),
                None => read(value).map(|side| (side, side)),
            };
            size = sides.ok_or_else(|| {
                unusable(format!("The SGF's size {value:?} is not a number of rows."))
            })?;
        }
        if name == "GM" && only(name, values)? != "1" {
            return Err(unusable("The SGF is of another game than Go (GM[1])."));
        }
    }
    if board.is_full_rectangle() != Some(size) {
        return Err(unusable(format!(
            "The SGF is on {}x{}, not on {}.",
            size.0,
            size.1,
            board.name()
        )));
    }
    let point = |value: &str| -> Result<usize> {
        let place = |c: char| match c {
            'a'..='z' => Some(c as i32 - 'a' as i32),
            'A'..='Z' => Some(c as i32 - 'A' as i32 + 26),
            _ => None,
        };
        let letters: Vec<char> = value.trim().chars().collect();
        let cell = match letters[..] {
            [col, row] => place(row).zip(place(col)).map(|(row, col)| Cell { row, col }),
            _ => None,
        };
        cell.and_then(|cell| board.index(cell)).ok_or_else(|| {
            unusable(format!("The SGF's point {value:?} is not on {}.", board.name()))
        })
    };
    let mut colours = vec![EMPTY; board.len()];
    for (name, values) in properties() {
        let set_up = match name.as_str() {
            "AB" => Some(BLACK),
            "AW" => Some(WHITE),
            "AE" => Some(EMPTY),
            _ => None,
        };
        if let Some(colour) = set_up {
            for value in values {
                // `aa:cc` is a rectangle of points.
                let (first, last) = value.split_once(':').unwrap_or((value, value));
                let (first, last) = (board.cell(point(first)?), board.cell(point(last)?));
                for row in first.row.min(last.row)..=first.row.max(last.row) {
                    for col in first.col.min(last.col)..=first.col.max(last.col) {
                        if let Some(point) = board.index(Cell { row, col }) {
                            colours[point] = colour;
                        }
                    }
                }
            }
        }
        let mover = match name.as_str() {
            "B" => BLACK,
            "W" => WHITE,
            _ => continue,
        };
        let value = only(name, values)?;
        // Nothing, or `tt` on boards up to 19×19, is a pass.
        if value.is_empty() || value == "tt" && size.0 <= 19 && size.1 <= 19 {
            continue;
        }
        let at = point(value)?;
        if colours[at] != EMPTY {
            return Err(unusable(format!("The SGF plays at {value:?}, where a stone is.")));
        }
        play(board, &mut colours, at, mover);
    }
    Ok(colours)
}

/// Whether every string has a liberty; most colourings fail early.
pub(super) fn is_legal(board: &Board, colours: &[u8]) -> bool {
    let mut done = vec![false; colours.len()];
    let mut points: Vec<usize> = Vec::with_capacity(colours.len());
    for start in 0..colours.len() {
        if colours[start] == EMPTY || done[start] {
            continue;
        }
        points.clear();
        points.push(start);
        done[start] = true;
        let mut has_liberty = false;
        let mut next = 0;
        while let Some(&at) = points.get(next) {
            next += 1;
            for other in board.neighbours(at) {
                has_liberty |= colours[other] == EMPTY;
                if colours[other] == colours[start] && !done[other] {
                    done[other] = true;
                    points.push(other);
                }
            }
        }
        if !has_liberty {
            return false;
        }
    }
    true
}
