//! The checker: answers looked at by code that did not find them.
//!
//! It reads drawings and the rules, and nothing of borders, engines or masks. Positions are
//! grids of characters; whether a string has a liberty is seen by walking it; moves are
//! played on copies; small numbers are counted again by trying all colourings, and somewhat
//! larger ones row by row with a plain map from lines of points to numbers ([`recount`]).

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;

use num_bigint::{BigInt, BigUint};

use crate::answer::{Answer, Figure, Value};
use crate::board::Board;
use crate::certificate::Verdict;
use crate::error::{Error, Result};
use crate::question::{Place, Question, Verb};
use pessoi_engine::run::Run;

/// Points of boards whose colourings are all tried, at most.
const MOST_TRIED: u32 = 13;
/// Lines that are followed when a number is counted again, at most: some seconds' worth.
const MOST_LINES: usize = 1_000_000;
/// Games that are walked again, at most.
const MOST_GAMES: u64 = 1_000_000;
/// Positions through which all cycles are tried again, at most.
const MOST_ROUND: usize = 16;

fn wrong<T>(sentence: impl Display) -> Result<T> {
    Err(Error::input(format!("The certificate does not hold: {sentence}.")))
}

fn holds(sentence: String) -> Verdict {
    Verdict::Holds(vec![sentence])
}

fn unchecked(why: impl Into<String>) -> Verdict {
    Verdict::Unchecked(why.into())
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

/// What a stone on an empty point leads to.
fn played(from: &Grid, (r, c): (usize, usize), own: u8) -> Grid {
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
fn moves(from: &Grid) -> Vec<(Grid, u8)> {
    let empty = places(from).filter(|&(r, c)| from[r][c] == b'.');
    empty.flat_map(|place| [b'X', b'O'].map(|own| (played(from, place, own), own))).collect()
}

/// Whether some move leads from one position to the other.
fn is_move(from: &Grid, to: &Grid) -> bool {
    moves(from).iter().any(|(after, _)| after == to)
}

/// The position with colours reversed.
fn reversed(grid: &Grid) -> Grid {
    let swap = |c: &u8| match c {
        b'X' => b'O',
        b'O' => b'X',
        other => *other,
    };
    grid.iter().map(|row| row.iter().map(swap).collect()).collect()
}

fn is_empty(grid: &Grid) -> bool {
    !grid.iter().flatten().any(|point| b"XO".contains(point))
}

fn transposed(grid: &Grid) -> Grid {
    let columns = grid.first().map_or(0, Vec::len);
    (0..columns).map(|c| grid.iter().map(|row| row[c]).collect()).collect()
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

/// A point of the line where what was read meets what was not: its sign, a number for the
/// string of a stone without a liberty so far, and whether it has one.
type Point = (u8, u8, bool);

/// The line after one more point in column `c`; `None` if a string is left without a liberty.
fn read_point(line: &[Point], c: usize, sign: u8) -> Option<Vec<Point>> {
    let mut next = line.to_vec();
    let up = line[c];
    let around = [Some(up), c.checked_sub(1).map(|left| line[left])];
    let around = || around.into_iter().flatten();
    // A number that no string has.
    let fresh = line.len() as u8 + 1;
    next[c] = (sign, 0, false);
    if sign == b'.' {
        for (_, string, _) in around().filter(|&(_, string, _)| string > 0) {
            for point in next.iter_mut().filter(|point| point.1 == string) {
                *point = (point.0, 0, true);
            }
        }
    } else if sign != b'#' {
        next[c] = (sign, fresh, false);
        let mut liberty = false;
        for (other, string, free) in around() {
            liberty |= other == b'.' || other == sign && free;
            if other == sign && string > 0 {
                next.iter_mut().filter(|point| point.1 == string).for_each(|p| p.1 = fresh);
            }
        }
        if liberty {
            for point in next.iter_mut().filter(|point| point.1 == fresh) {
                *point = (point.0, 0, true);
            }
        }
    }
    // The point above leaves the line: was it the last of a string without a liberty?
    let joins = up.0 == sign || sign == b'.';
    if up.1 > 0 && !joins && next.iter().all(|point| point.1 != up.1) {
        return None;
    }
    // Strings are numbered as they come.
    let mut names = vec![0u8; usize::from(fresh) + 1];
    let mut named = 0;
    for point in next.iter_mut().filter(|point| point.1 > 0) {
        let name = &mut names[usize::from(point.1)];
        if *name == 0 {
            named += 1;
            *name = named;
        }
        point.1 = *name;
    }
    Some(next)
}

/// Counts legal positions again, row by row; `each` gets the number for the first row, the
/// first two rows and so on. Whether it came to the end; large boards are given up.
fn recount(blank: &Grid, run: &Run, mut each: impl FnMut(BigUint)) -> bool {
    let width = blank.first().map_or(0, Vec::len);
    let mut lines = BTreeMap::from([(vec![(b'#', 0u8, false); width], BigUint::from(1u8))]);
    let mut followed = 0;
    for row in blank {
        for (c, &place) in row.iter().enumerate() {
            let signs: &[u8] = if place == b'.' { b".XO" } else { b"#" };
            let mut after: BTreeMap<Vec<Point>, BigUint> = BTreeMap::new();
            for (line, ways) in &lines {
                for next in signs.iter().filter_map(|&sign| read_point(line, c, sign)) {
                    *after.entry(next).or_default() += ways;
                }
            }
            followed += lines.len();
            lines = after;
            if followed > MOST_LINES || run.check().is_err() {
                return false;
            }
        }
        let done = lines.iter().filter(|(line, _)| line.iter().all(|point| point.1 == 0));
        each(done.map(|(_, ways)| ways).sum());
    }
    true
}

/// The number of legal positions, counted again, and how; `None` for large boards.
fn legal_again(board: &Board, run: &Run) -> Result<Option<(BigUint, &'static str)>> {
    if let Some(legal) = all_legal(board, run)? {
        return Ok(Some((legal.len().into(), "all colourings were tried")));
    }
    let blank = grid(board, &board.to_drawing())?;
    // Narrow lines are few.
    let blank = if blank.len() < blank[0].len() { transposed(&blank) } else { blank };
    let mut total = BigUint::default();
    let done = recount(&blank, run, |number| total = number);
    Ok(done.then_some((total, "counted again row by row")))
}

/// Checks an answer.
pub(super) fn check(answer: &Answer, run: &Run) -> Result<Verdict> {
    let question = &answer.question;
    if matches!(answer.value, Value::GaveUp { .. }) {
        return Ok(unchecked("the answer itself gave up"));
    }
    let Place::Board(drawing) = &question.place else {
        return check_terms(answer, run);
    };
    let board = &drawing.board;
    match (&answer.value, question.verb) {
        (Value::Exact { number }, Verb::Count) if question.flag("cycles") => {
            check_cycles(board, question, number, run)
        }
        (Value::Exact { number }, Verb::Count) if question.flag("games") => {
            check_games(board, question, number, run)
        }
        (Value::Exact { number }, Verb::Count) if question.flag("classes") => {
            check_classes(board, number, run)
        }
        (Value::Exact { number }, Verb::Count) => check_count(board, question, number, run),
        (Value::AtLeast { number, .. }, Verb::Sample) => check_samples(answer, board, number),
        (Value::AtLeast { number, .. }, Verb::Find) => {
            if *number != BigUint::from(1u32) {
                return wrong(format!("{number} cycles are stated and one is shown"));
            }
            check_cycle(answer, board, question, run)
        }
        (Value::None { .. }, Verb::Find) => check_none(board, question, run),
        (Value::Exact { number }, Verb::Analyze) => match question.text("position") {
            Some(text) => check_position(answer, board, text, number),
            None if *number == BigUint::from(board.len()) => {
                Ok(holds(format!("the board has {number} points; the rest was not checked")))
            }
            None => wrong(format!("the board has {} points, not {number}", board.len())),
        },
        _ => Ok(unchecked("such an answer carries no certificate")),
    }
}

fn check_count(board: &Board, question: &Question, number: &BigUint, run: &Run) -> Result<Verdict> {
    let Some((legal, how)) = legal_again(board, run)? else {
        return Ok(unchecked("the number itself is counted again only on small boards"));
    };
    if let Some(modulus) = question.number("mod").filter(|&modulus| modulus > 0) {
        let residue = &legal % modulus;
        if residue != *number {
            return wrong(format!("{legal} leaves {residue} modulo {modulus}, not {number}"));
        }
        return Ok(holds(format!("{how}: {legal} are legal, which leaves {number}")));
    }
    if legal != *number {
        return wrong(format!("{legal} positions are legal, not {number}"));
    }
    Ok(holds(format!("{how}, and {number} are legal")))
}

/// Classes counted again: positions that are the least of all they can be turned into.
fn check_classes(board: &Board, number: &BigUint, run: &Run) -> Result<Verdict> {
    let Some(legal) = all_legal(board, run)? else {
        return Ok(unchecked("classes are counted again only on small boards"));
    };
    let blank = grid(board, &board.to_drawing())?;
    let mirrored = |grid: &Grid| -> Grid { grid.iter().rev().cloned().collect() };
    let turned = |grid: &Grid| {
        let mut all = vec![grid.clone()];
        for _ in 0..3 {
            // A mirror and a transposition make a turn.
            all.push(transposed(&mirrored(&all[all.len() - 1])));
        }
        let mirrors: Vec<Grid> = all.iter().map(mirrored).collect();
        all.extend(mirrors);
        all
    };
    let fits: Vec<bool> = turned(&blank).iter().map(|image| *image == blank).collect();
    let is_least = |at: &&Grid| {
        let images = turned(at).into_iter().zip(&fits).filter(|&(_, &fits)| fits);
        images.map(|(image, _)| image).all(|image| **at <= image && **at <= reversed(&image))
    };
    let classes = legal.iter().filter(is_least).count();
    if BigUint::from(classes) != *number {
        return wrong(format!("there are {classes} classes, not {number}"));
    }
    Ok(holds(format!("all colourings were tried, and they make {number} classes")))
}

/// Games walked again, one by one.
fn check_games(board: &Board, question: &Question, number: &BigUint, run: &Run) -> Result<Verdict> {
    if *number > BigUint::from(MOST_GAMES) {
        return Ok(unchecked(format!("only up to {MOST_GAMES} games are walked again")));
    }
    let situational = question.text("superko") == Some("situational");
    let node = |(at, by): (Grid, u8)| (at, if situational { by } else { b'O' });
    // The empty board counts as made by white.
    let start = (grid(board, &board.to_drawing())?, b'O');
    let mut seen = BTreeSet::from([start.clone()]);
    let lead = |at: &Grid| moves(at).into_iter().map(node).collect::<Vec<_>>();
    let mut path = vec![(start.clone(), lead(&start.0))];
    let mut games = 1u64;
    while let Some((at, left)) = path.last_mut() {
        let Some(next) = left.pop() else {
            seen.remove(at);
            path.pop();
            continue;
        };
        if seen.insert(next.clone()) {
            games += 1;
            if games > MOST_GAMES || games.is_multiple_of(1024) && run.check().is_err() {
                break;
            }
            let left = lead(&next.0);
            path.push((next, left));
        }
    }
    if !path.is_empty() && games <= MOST_GAMES {
        return Ok(unchecked("there was no time to walk the games again"));
    }
    if BigUint::from(games) != *number {
        return wrong(format!("there are other than {number} games"));
    }
    Ok(holds(format!("{number} games were walked one by one")))
}

/// All positions but the empty one, and where moves lead from each, by number.
type Moves = (Vec<Grid>, Vec<Vec<usize>>);

/// All positions but the empty one with their moves; `None` on large boards.
fn all_moves(board: &Board, run: &Run) -> Result<Option<Moves>> {
    let Some(mut legal) = all_legal(board, run)?.filter(|legal| legal.len() <= 30_000) else {
        return Ok(None);
    };
    legal.retain(|at| !is_empty(at));
    legal.sort_unstable();
    let mut next = Vec::with_capacity(legal.len());
    for at in &legal {
        if run.check().is_err() {
            return Ok(None);
        }
        let to = moves(at).into_iter().filter(|(to, _)| to != at);
        let to: BTreeSet<usize> = to.filter_map(|(to, _)| legal.binary_search(&to).ok()).collect();
        next.push(to.into_iter().collect());
    }
    Ok(Some((legal, next)))
}

/// How many cycles there are through few positions, tried one by one.
fn all_rounds(positions: &[Grid], next: &[Vec<usize>], symmetric: bool) -> u64 {
    let n = positions.len();
    let half_way = |path: &[usize]| {
        n.is_multiple_of(2)
            && (0..n).all(|k| reversed(&positions[path[k]]) == positions[path[(k + n / 2) % n]])
    };
    let mut rounds = 0;
    let mut path = vec![0];
    let mut left = vec![next[0].clone()];
    while let Some(options) = left.last_mut() {
        let Some(to) = options.pop() else {
            left.pop();
            path.pop();
            continue;
        };
        if path.len() == n && to == 0 {
            rounds += u64::from(!symmetric || half_way(&path));
        } else if !path.contains(&to) {
            path.push(to);
            left.push(next[to].clone());
        }
    }
    rounds
}

fn check_cycles(
    board: &Board,
    question: &Question,
    number: &BigUint,
    run: &Run,
) -> Result<Verdict> {
    match all_moves(board, run)? {
        Some((positions, next)) if (2..=MOST_ROUND).contains(&positions.len()) => {
            let rounds = all_rounds(&positions, &next, question.flag("symmetric"));
            if BigUint::from(rounds) != *number {
                return wrong(format!("there are {rounds} cycles, not {number}"));
            }
            Ok(holds(format!("all ways were tried, and {number} are cycles")))
        }
        _ => Ok(unchecked(format!("cycles are counted again through 2 to {MOST_ROUND} positions"))),
    }
}

/// Checks that there is no cycle through all positions but the empty one.
fn check_none(board: &Board, question: &Question, run: &Run) -> Result<Verdict> {
    let Some((positions, next)) = all_moves(board, run)? else {
        return Ok(unchecked("the board is too large to list all positions and moves"));
    };
    let n = positions.len();
    if n < 2 {
        return Ok(holds("there are fewer than two positions besides the empty one".into()));
    }
    // Everyone needs a successor of its own: looked for one after another, and those who
    // have one already are asked to take another (H. Kuhn).
    let mut owner: Vec<Option<usize>> = vec![None; n];
    for start in 0..n {
        let mut asked = vec![None; n];
        let mut open = vec![start];
        let mut free = None;
        while let (Some(node), None) = (open.pop(), free) {
            for &to in &next[node] {
                if asked[to].is_none() {
                    asked[to] = Some(node);
                    match owner[to] {
                        None => free = Some(to),
                        Some(other) => open.push(other),
                    }
                }
            }
        }
        let Some(mut to) = free else {
            return Ok(holds(
                "listed again, the positions have no successors of their own for all".into(),
            ));
        };
        // Back along the way: each gives what it had to who asked for it.
        while let Some(node) = asked[to] {
            let had = (0..n).find(|&had| had != to && owner[had] == Some(node));
            owner[to] = Some(node);
            match had {
                Some(had) if node != start => {
                    owner[had] = None;
                    to = had;
                }
                _ => break,
            }
        }
        if run.check().is_err() {
            return Ok(unchecked("there was no time to look for successors again"));
        }
    }
    let mut seen = vec![false; n];
    let mut open = vec![0];
    seen[0] = true;
    while let Some(node) = open.pop() {
        for &to in &next[node] {
            if !std::mem::replace(&mut seen[to], true) {
                open.push(to);
            }
        }
    }
    if seen.contains(&false) {
        return Ok(holds("some positions cannot be reached from others".into()));
    }
    if n > MOST_ROUND {
        return Ok(unchecked(format!(
            "all ways are tried again only through {MOST_ROUND} positions"
        )));
    }
    let rounds = all_rounds(&positions, &next, question.flag("symmetric"));
    if rounds > 0 {
        return wrong(format!("there are {rounds} cycles"));
    }
    Ok(holds("all ways through the positions were tried again".into()))
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

/// The position that a question gives, drawn or as an SGF; `None` if it cannot be read.
fn position_asked(board: &Board, text: &str) -> Option<Grid> {
    let text = text.trim_start_matches('\u{feff}').trim();
    if text.starts_with('(') {
        return replayed(grid(board, &board.to_drawing()).ok()?, text);
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

fn check_position(answer: &Answer, board: &Board, text: &str, number: &BigUint) -> Result<Verdict> {
    let drawn = drawings(answer)?;
    let [([drawing], _)] = drawn[..] else { return wrong("it does not show one position") };
    let at = grid(board, drawing)?;
    if position_asked(board, text).as_ref() != Some(&at) {
        return wrong("the position shown is not the one that was asked about");
    }
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
    Ok(holds(format!("the position is the one asked about; strings without a liberty: {number}")))
}

fn check_cycle(answer: &Answer, board: &Board, question: &Question, run: &Run) -> Result<Verdict> {
    let drawn = drawings(answer)?;
    let [(drawings, true)] = drawn[..] else { return wrong("it does not show one cycle") };
    let cycle = drawings.iter().map(|drawing| grid(board, drawing)).collect::<Result<Vec<_>>>()?;
    for (k, at) in cycle.iter().enumerate() {
        let next = &cycle[(k + 1) % cycle.len()];
        if is_empty(at) {
            return wrong("the empty position is among them");
        }
        if !is_legal(at) || !is_move(at, next) {
            return wrong(format!("no move leads from position {} to the next", k + 1));
        }
        let opposite = &cycle[(k + cycle.len() / 2) % cycle.len()];
        if question.flag("symmetric") && reversed(at) != *opposite {
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

/// Counts the terms of a strip again, as many as is cheap, and follows the recurrence through
/// all of them.
fn check_terms(answer: &Answer, run: &Run) -> Result<Verdict> {
    let (Place::Size(height), Verb::Recurrence) = (&answer.question.place, answer.question.verb)
    else {
        return Ok(unchecked("such an answer carries no certificate"));
    };
    let terms = &answer.terms;
    if (1..).zip(terms).any(|(n, term)| term.n != n) {
        return wrong("the terms are not numbered from 1 on");
    }
    let mut checked = Vec::new();
    let blank = vec![vec![b'.'; *height as usize]; terms.len()];
    let mut again = Vec::new();
    recount(&blank, run, |number| again.push(number));
    for (term, number) in terms.iter().zip(&again) {
        if *number != term.value {
            return wrong(format!("term {} is {number}, not {}", term.n, term.value));
        }
    }
    if !again.is_empty() {
        checked.push(format!("the first {} terms, counted again row by row", again.len()));
    }
    let factors: Vec<BigInt> = match answer.tables.first() {
        None => Vec::new(),
        Some(table) => {
            let read = |row: &Vec<String>| row.first().and_then(|factor| factor.parse().ok());
            let Some(read) = table.rows.iter().map(read).collect() else {
                return wrong("the recurrence has a factor that is no number");
            };
            read
        }
    };
    if !factors.is_empty() {
        if answer.value != Value::exact(factors.len()) {
            return wrong(format!("{} factors are shown", factors.len()));
        }
        let values: Vec<BigInt> = terms.iter().map(|term| term.value.clone().into()).collect();
        for n in factors.len()..values.len() {
            let before = values[..n].iter().rev();
            let sum: BigInt = factors.iter().zip(before).map(|(factor, a)| factor * a).sum();
            if sum != values[n] {
                return wrong(format!("by the recurrence, term {} is {sum}", n + 1));
            }
        }
        if values.len() > factors.len() {
            checked.push(format!(
                "terms {} to {} obey the recurrence shown",
                factors.len() + 1,
                values.len()
            ));
        }
    }
    if checked.is_empty() {
        return Ok(unchecked("no terms are told that could be counted again"));
    }
    Ok(Verdict::Holds(checked))
}
