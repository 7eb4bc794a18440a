//! Listing: one loop of each class, in an order that does not depend on threads.
//!
//! Loops are handed over one by one ([`to_sink`]), or written as bytes on all threads
//! ([`to_bytes`]): tens of millions of loops are listed in about the time that it takes to
//! find them.

use std::fmt::Write;

use pessoi_engine::search::stream;

use super::Asked;
use super::census::{TYPES, type_of};
use super::count::{Method, method, span};
use super::moves::{Point, SYMMETRIES, minus, plus, product};
use super::orderly::Orderly;
use super::packed::Packer;
use super::paper;
use super::sheet;
use super::task::{LONGEST_LOOP, Sameness, Task};
use super::turns::LONGEST_WORD;
use super::visit::visit;
use super::words::{cells, stabiliser};
use crate::answer::{Answer, Class, Figure, Solution, Value};
use crate::board::Cell;
use crate::certificate::Certificate;
use crate::error::{Error, Result};
use crate::export::{self, Format};
use crate::games::{ByteSink, Sink};
use crate::question::Verb;
use pessoi_engine::run::Stop;

/// Loops on a page.
pub(super) const A_PAGE: u64 = 60;

/// Which symmetries turn a loop with this stabiliser into the loops that are to be told: one
/// of each class, on the board if there is one.
fn told(task: &Task, stabiliser: u8, span: Point, mut each: impl FnMut(usize)) {
    let upright = task.fits_upright(span);
    let on_its_side = |symmetry: usize| symmetry % 2 == usize::from(symmetry < 4);
    match task.sameness {
        // One image that stands on the board: as it is, or with rows and columns exchanged.
        Sameness::Free => each(if upright { 0 } else { 4 }),
        Sameness::OneSided => {
            each(usize::from(!upright));
            if stabiliser & 0xf0 == 0 {
                each(if upright { 5 } else { 4 });
            }
        }
        Sameness::Fixed => {
            let mut seen = 0u8;
            for symmetry in 0..SYMMETRIES {
                let fits = if on_its_side(symmetry) {
                    task.fits_upright((span.1, span.0))
                } else {
                    upright
                };
                if seen >> symmetry & 1 == 0 && fits {
                    each(symmetry);
                }
                // All that give the same loop.
                for own in (0..SYMMETRIES).filter(|own| stabiliser >> own & 1 == 1) {
                    seen |= 1 << product(symmetry, own);
                }
            }
        }
    }
}

/// How many loops up to translation a told loop stands for, and its symmetries.
fn class(task: &Task, stabiliser: u8) -> Class {
    let symmetries = task.sameness.symmetries();
    let own = symmetries.iter().filter(|&&s| stabiliser >> s & 1 == 1).count();
    let kind = type_of(stabiliser);
    let name = (kind > 0).then(|| TYPES[kind].0.to_owned());
    Class { orbit: (symmetries.len() / own) as u64, symmetries: name.into_iter().collect() }
}

/// Cells of a loop, without a place on the heap: lists have tens of millions of them.
struct Placed {
    cells: [Point; LONGEST_LOOP],
    length: usize,
}

impl std::ops::Deref for Placed {
    type Target = [Point];

    fn deref(&self) -> &[Point] {
        &self.cells[..self.length]
    }
}

/// The image of a loop, moved so that its first row and column are 0.
fn placed(task: &Task, moves: &[u8], symmetry: usize) -> Placed {
    let mut at = (0, 0);
    let mut low = (0, 0);
    let mut placed = Placed { cells: [(0, 0); LONGEST_LOOP], length: moves.len() };
    for (cell, &m) in placed.cells.iter_mut().zip(moves) {
        *cell = at;
        at = plus(at, task.moves.step(task.moves.image(symmetry, m)));
        low = (low.0.min(at.0), low.1.min(at.1));
    }
    for cell in &mut placed.cells[..moves.len()] {
        *cell = minus(*cell, low);
    }
    placed
}

/// A loop as a solution.
pub(super) fn solution(cells: &[Point], class: Option<Class>) -> Solution {
    let cells = cells.iter().map(|&(row, col)| Cell { row, col }).collect();
    Solution { figure: Figure::Path { cells, closed: true }, class }
}

/// Bytes of loops that wait to be told.
#[allow(clippy::ptr_arg)]
fn bytes_of(found: &Vec<Solution>) -> usize {
    let each = |solution: &Solution| size_of::<Solution>() + size_of_val(solution.figure.path());
    found.iter().map(each).sum()
}

/// What came of listing.
struct Listed {
    told: u64,
    wanted: bool,
    nodes: u64,
    stopped: Option<Stop>,
}

/// Gives each told loop's moves, symmetry and stabiliser to `each`, job by job.
fn list<R: Send>(
    asked: &Asked,
    method: Method,
    empty: impl Fn() -> R + Sync,
    each: impl Fn(&mut R, &[u8], usize, u8) + Sync,
    heap_bytes: impl Fn(&R) -> usize + Sync,
    mut take: impl FnMut(R) -> bool,
) -> (u64, Option<Stop>) {
    let Asked { question, task, run } = asked;
    let expand = |result: &mut R, moves: &[u8], symmetries: u8| {
        let span = if task.board.is_some() { span(&cells(&task.moves, moves)) } else { (0, 0) };
        told(task, symmetries, span, |symmetry| each(result, moves, symmetry, symmetries));
    };
    if let Method::Paper(algorithm) = method {
        return paper::visit(algorithm, task, run, |moves| {
            let mut result = empty();
            expand(&mut result, moves, stabiliser(&task.moves, moves));
            take(result)
        });
    }
    let visit = visit(
        task,
        question.part(),
        run,
        empty,
        |result, found| {
            let symmetries = found.stabiliser(task);
            expand(result, found.moves(task, &mut [0; LONGEST_WORD]), symmetries);
        },
        heap_bytes,
        take,
    );
    (visit.nodes, visit.stopped)
}

/// Hands the loops that are asked for to `sink`: a page of them, or up to a limit, or all.
fn hand_over(
    asked: &Asked,
    method: Method,
    limit: Option<u64>,
    mut sink: impl FnMut(Solution) -> bool,
) -> Listed {
    let Asked { question, task, .. } = asked;
    let classify = question.verb == Verb::Classify;
    let page = question.number("page");
    let skip = page.map_or(0, |page| (page - 1).saturating_mul(A_PAGE));
    let most = limit.unwrap_or(u64::MAX).min(page.map_or(u64::MAX, |_| A_PAGE));
    let mut listed = Listed { told: 0, wanted: true, nodes: 0, stopped: None };
    let mut met = 0;
    let each = |found: &mut Vec<Solution>, moves: &[u8], symmetry: usize, symmetries: u8| {
        let class = classify.then(|| class(task, symmetries));
        found.push(solution(&placed(task, moves, symmetry), class));
    };
    let mut tell = |solution: Solution| {
        met += 1;
        if met <= skip {
            return true;
        }
        listed.told += 1;
        listed.wanted = sink(solution) && listed.told < most;
        listed.wanted
    };
    // Where few are wanted, they come one by one: whole jobs may hold millions.
    let one_by_one = most < u64::MAX && matches!(method, Method::Orderly);
    (listed.nodes, listed.stopped) = if one_by_one {
        let judge = |at: &Orderly| {
            let moves = at.moves();
            task.stands_for_all(moves).then(|| {
                let mut found = Vec::new();
                let symmetries = stabiliser(&task.moves, moves);
                let span = span(&cells(&task.moves, moves));
                told(task, symmetries, span, |symmetry| {
                    each(&mut found, moves, symmetry, symmetries);
                });
                found
            })
        };
        let search = Orderly::new(task.clone());
        match stream(
            &search,
            question.part(),
            asked.run,
            judge,
            bytes_of,
            |found: Vec<Solution>| found.into_iter().all(&mut tell),
        ) {
            Ok(all) => (all.nodes, None),
            Err(stopped) => (stopped.so_far.nodes, Some(stopped.why)),
        }
    } else {
        list(asked, method, Vec::new, each, bytes_of, |found: Vec<Solution>| {
            found.into_iter().all(&mut tell)
        })
    };
    listed
}

fn answer(asked: &Asked, method: Method, listed: &Listed) -> Answer {
    let part = asked.question.part();
    let page = asked.question.number("page");
    let told = listed.told;
    let value = match &listed.stopped {
        Some(stop) if listed.wanted => Value::stopped(told, stop),
        _ if !listed.wanted || page.is_some_and(|page| page > 1) => {
            Value::AtLeast { number: told.into(), why: None }
        }
        _ if told == 0 && part.is_whole() => {
            Value::None { proof: "the search tried every loop and found none".into() }
        }
        _ => Value::exact(told),
    };
    let mut answer = asked.answer(value, method.name());
    // How far other threads had come when enough was told is chance.
    answer.cost.nodes = listed.wanted.then_some(listed.nodes);
    answer.certificate = (told > 0).then_some(Certificate::Solutions);
    if !part.is_whole() {
        answer.notes.push(format!("This is part {part}: other loops are in other parts."));
    }
    if let Some(page) = page {
        answer.notes.push(format!("This is page {page}, of {A_PAGE} loops each."));
    }
    answer
}

/// Answers `list` and `classify`, loop by loop.
pub(super) fn to_sink(asked: &Asked, sink: Sink) -> Result<Answer> {
    let (method, _) = method(asked.question, &asked.task)?;
    let listed = hand_over(asked, method, asked.question.number("limit"), sink);
    Ok(answer(asked, method, &listed))
}

/// The first loops, for `find`.
pub(super) fn first(asked: &Asked, limit: u64) -> Result<Answer> {
    let (method, _) = method(asked.question, &asked.task)?;
    let mut found = Vec::new();
    let listed = hand_over(asked, method, Some(limit), |solution| {
        found.push(solution);
        true
    });
    let mut answer = answer(asked, method, &listed);
    answer.solutions = found;
    Ok(answer)
}

/// Answers `list` and `classify` with the bytes of a file.
pub(super) fn to_bytes(asked: &Asked, format: Format, bytes: ByteSink) -> Result<Answer> {
    let Asked { question, task, .. } = asked;
    let (method, _) = method(question, task)?;
    let chosen = question.number("limit").is_some() || question.number("page").is_some();
    if format == Format::Svg {
        let limit = question.number("limit").unwrap_or(A_PAGE).min(A_PAGE);
        let mut found = Vec::new();
        let listed = hand_over(asked, method, Some(limit), |solution| {
            found.push(solution);
            true
        });
        let answer = answer(asked, method, &listed);
        if !found.is_empty() {
            let number = question.number("page").map_or(1, |page| (page - 1) * A_PAGE + 1);
            bytes(sheet::sheet(&title(asked), &found, number)?.as_bytes());
        }
        return Ok(answer);
    }
    let classify = question.verb == Verb::Classify;
    let packer = Packer::new(question, task);
    if format == Format::Packed && !bytes(&packer.head()?) {
        let listed = Listed { told: 0, wanted: false, nodes: 0, stopped: None };
        return Ok(answer(asked, method, &listed));
    }
    let write = |out: &mut Vec<u8>, moves: &[u8], symmetry: usize, symmetries: u8| {
        if format == Format::Packed {
            return packer.pack(moves, symmetry, out);
        }
        let class = classify.then(|| class(task, symmetries));
        write_line(&placed(task, moves, symmetry), class.as_ref(), format, out);
    };
    let mut listed = Listed { told: 0, wanted: true, nodes: 0, stopped: None };
    if chosen {
        let mut trouble = None;
        listed = hand_over(asked, method, question.number("limit"), |solution| {
            let mut line = Vec::new();
            if format == Format::Packed {
                trouble = packer.pack_solution(&solution, &mut line).err();
            } else {
                let cells: Vec<Point> =
                    solution.figure.path().iter().map(|cell| (cell.row, cell.col)).collect();
                write_line(&cells, solution.class.as_ref(), format, &mut line);
            }
            trouble.is_none() && bytes(&line)
        });
        if let Some(error) = trouble {
            return Err(error);
        }
    } else {
        let each = |(told, out): &mut (u64, Vec<u8>), moves: &[u8], symmetry, symmetries| {
            *told += 1;
            write(out, moves, symmetry, symmetries);
        };
        let take = |(told, out): (u64, Vec<u8>)| {
            listed.told += told;
            listed.wanted = bytes(&out);
            listed.wanted
        };
        let (nodes, stopped) =
            list(asked, method, || (0, Vec::new()), each, |(_, out)| out.capacity(), take);
        (listed.nodes, listed.stopped) = (nodes, stopped);
    }
    if format == Format::Packed {
        bytes(&listed.told.to_le_bytes());
    }
    Ok(answer(asked, method, &listed))
}

/// Writes solutions that are at hand.
pub(super) fn write_all(
    answer: &Answer,
    solutions: &[Solution],
    format: Format,
    bytes: ByteSink,
) -> Result<()> {
    if format == Format::Svg {
        let title = format!("{} {}", answer.question.game, answer.counts);
        bytes(sheet::sheet(&title, solutions, 1)?.as_bytes());
        return Ok(());
    }
    for (number, solution) in (1..).zip(solutions) {
        if !bytes(export::line(solution, number, format)?.as_bytes()) {
            break;
        }
    }
    Ok(())
}

fn title(asked: &Asked) -> String {
    let page = asked.question.number("page").map(|page| format!(", page {page}"));
    let Asked { question, .. } = asked;
    format!("{} {}{}", question.game, question.place, page.unwrap_or_default())
}

/// Writes one line as [`export::line`] does, only faster.
fn write_line(cells: &[Point], class: Option<&Class>, format: Format, out: &mut Vec<u8>) {
    let json = format == Format::Json;
    out.reserve(10 * cells.len() + 64);
    if json {
        out.extend_from_slice(b"{\"figure\":\"path\",\"cells\":[\"");
    }
    for (at, &(row, col)) in cells.iter().enumerate() {
        if at > 0 {
            out.extend_from_slice(if json { b"\",\"" } else { b" " });
        }
        // Nearly all numbers have one digit, and then there is one thing to write.
        if row < 9 && col < 9 {
            out.extend_from_slice(&[b'1' + row as u8, b',', b'1' + col as u8]);
        } else {
            write_number(row + 1, out);
            out.push(b',');
            write_number(col + 1, out);
        }
    }
    let mut rest = String::new();
    // Writing to a String cannot fail.
    match (json, class) {
        (true, None) => out.extend_from_slice(b"\"],\"closed\":true}"),
        (true, Some(class)) => {
            let names: Vec<_> = class.symmetries.iter().map(|name| format!("{name:?}")).collect();
            let _ = write!(
                rest,
                "\"],\"closed\":true,\"class\":{{\"orbit\":{},\"symmetries\":[{}]}}}}",
                class.orbit,
                names.join(",")
            );
        }
        (false, None) => {}
        (false, Some(class)) => {
            let _ = write!(rest, "  ×{}", class.orbit);
            if !class.symmetries.is_empty() {
                let _ = write!(rest, "  symmetric: {}", class.symmetries.join(", "));
            }
        }
    }
    out.extend_from_slice(rest.as_bytes());
    out.push(b'\n');
}

/// A number from 1 on, most often of one or two digits.
#[inline]
fn write_number(number: i32, out: &mut Vec<u8>) {
    match number {
        0..10 => out.push(b'0' + number as u8),
        10..100 => out.extend_from_slice(&[b'0' + (number / 10) as u8, b'0' + (number % 10) as u8]),
        _ => out.extend_from_slice(number.to_string().as_bytes()),
    }
}

/// All images of a loop that are different up to translation.
pub(super) fn images(task: &Task, moves: &[u8], stabiliser: u8) -> Vec<Vec<Point>> {
    let mut found = Vec::new();
    told(task, stabiliser, span(&cells(&task.moves, moves)), |symmetry| {
        found.push(placed(task, moves, symmetry).to_vec());
    });
    found
}

/// One loop with its class.
pub(super) fn classified(task: &Task, cells: &[Point], stabiliser: u8) -> Solution {
    solution(cells, Some(class(task, stabiliser)))
}

/// A list that cannot be written.
pub(super) fn unpackable(why: &str) -> Error {
    Error::internal(format!("a loop cannot be packed: {why}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_those_of_all_games() {
        let cells = [(0, 0), (9, 98), (99, 100)];
        for class in [
            None,
            Some(Class { orbit: 8, symmetries: Vec::new() }),
            Some(Class { orbit: 4, symmetries: vec!["half turn".into()] }),
        ] {
            for format in [Format::Text, Format::Json] {
                let mut line = Vec::new();
                write_line(&cells, class.as_ref(), format, &mut line);
                let slow = export::line(&solution(&cells, class.clone()), 1, format).unwrap();
                assert_eq!(String::from_utf8(line).unwrap(), slow);
            }
        }
    }

    #[test]
    fn symmetries_that_lay_a_loop_on_its_side() {
        let on_its_side = |symmetry: usize| symmetry % 2 == usize::from(symmetry < 4);
        for symmetry in 0..SYMMETRIES {
            let (row, col) = super::super::moves::image(symmetry, (1, 0));
            assert_eq!(on_its_side(symmetry), row == 0 && col != 0);
            assert_eq!(on_its_side(symmetry), on_its_side(super::super::moves::inverse(symmetry)));
        }
    }
}
