//! The position that a question asks about, read again from its drawing or SGF.

use super::rules::{Grid, grid, played};
use crate::board::Board;

/// The position that a question gives, drawn or as an SGF; `None` if it cannot be read.
pub(super) fn position_asked(board: &Board, text: &str) -> Option<Grid> {
    let text = text.trim_start_matches('\u{feff}').trim();
    let tree =
        if text.starts_with('(') { Some(text) } else { text.find("(;").map(|at| &text[at..]) };
    if let Some(tree) = tree {
        return replayed(grid(board, &board.to_drawing()).ok()?, tree);
    }
    let sign = |c: char| match c {
        'X' | 'x' | 'B' | 'b' => b'X',
        'O' | 'o' | 'W' | 'w' => b'O',
        '.' | '+' => b'.',
        _ => b'#',
    };
    let rows = text.split(['\n', '/']).map(str::trim).filter(|row| !row.is_empty());
    Some(rows.map(|row| row.chars().map(sign).collect()).collect())
}

/// Plays the main line of an SGF, which ends at the first bracket that closes.
fn replayed(mut at: Grid, text: &str) -> Option<Grid> {
    let letter = |c: u8| match c {
        b'a'..=b'z' => Some(usize::from(c - b'a')),
        b'A'..=b'Z' => Some(usize::from(c - b'A') + 26),
        _ => None,
    };
    let (mut name, mut rest) = (String::new(), text);
    while let Some(c) = rest.chars().next() {
        rest = &rest[c.len_utf8()..];
        match c {
            ')' => return Some(at),
            '(' | ';' => name.clear(),
            '[' => {
                let mut value = String::new();
                let mut chars = rest.chars();
                loop {
                    match chars.next()? {
                        ']' => break,
                        '\\' => value.extend(chars.next()),
                        c => value.push(c),
                    }
                }
                rest = chars.as_str();
                let value = value.trim();
                let is_set_up = ["AB", "AW", "AE"].contains(&name.as_str());
                let is_move = ["B", "W"].contains(&name.as_str());
                let passes = value.is_empty() || value == "tt" && at.len().max(at[0].len()) <= 19;
                if is_set_up || is_move && !passes {
                    let (first, last) = value.split_once(':').unwrap_or((value, value));
                    let place = |text: &str| match text.trim().as_bytes() {
                        [c, r] => letter(*r).zip(letter(*c)),
                        _ => None,
                    };
                    let ((r0, c0), (r1, c1)) = (place(first)?, place(last)?);
                    let sign = match &name[name.len() - 1..] {
                        "B" => b'X',
                        "W" => b'O',
                        _ => b'.',
                    };
                    for r in r0.min(r1)..=r0.max(r1) {
                        for c in c0.min(c1)..=c0.max(c1) {
                            *at.get_mut(r)?.get_mut(c)? = sign;
                        }
                    }
                    if is_move {
                        at[r0][c0] = b'.';
                        at = played(&at, (r0, c0), sign);
                    }
                }
            }
            // A name begins after a value.
            c if c.is_ascii_uppercase() => {
                let text_before = &text[..text.len() - rest.len() - 1];
                if text_before.trim_end().ends_with(']') {
                    name.clear();
                }
                name.push(c);
            }
            _ => {}
        }
    }
    None
}
