//! The checker: answers looked at by code that did not find them.
//!
//! It reads drawings and the rules, and nothing of borders, engines or masks. Positions are
//! grids of characters; whether a string has a liberty is seen by walking it; moves are
//! played on copies; small numbers are counted again by trying all colourings, and somewhat
//! larger ones row by row with a plain map from lines of points to numbers.

mod asked;
mod cycles;
mod recount;
mod rules;

use std::collections::BTreeSet;
use std::fmt::Display;

use num_bigint::BigUint;

use self::asked::position_asked;
use self::cycles::{check_cycle, check_cycles, check_none};
use self::recount::{legal_again, recount};
use self::rules::{
    Grid, all_legal, cropped, grid, is_legal, moves, places, reversed, string, transposed,
};
use super::options;
use crate::answer::{Answer, Value};
use crate::board::Board;
use crate::check::{Findings, GRAPH, RECURRENCE, SOLVED, TERMS, VALUE};
use crate::error::{Error, Result};
use crate::question::{Place, Question, Verb};
use crate::solution::Figure;
use crate::table::Datum;
use pessoi_engine::run::Run;

/// Higher strips are not begun.
const MOST_HEIGHT: u64 = 30;
/// Games that are walked again, at most.
const MOST_GAMES: u64 = 1_000_000;

/// A field of the answer that does not hold.
fn wrong<T>(field: &str, sentence: impl Display) -> Result<T> {
    Err(Error::forged(field, format!("The answer does not hold: {sentence}.")))
}

fn holds(sentence: impl Into<String>) -> Findings {
    Findings::checked(VALUE, sentence)
}

fn unchecked(why: impl Into<String>) -> Findings {
    Findings::unchecked(VALUE, why)
}

/// Checks an answer.
pub(super) fn check(answer: &Answer, run: &Run) -> Result<Findings> {
    let question = &answer.question;
    if matches!(answer.value, Value::GaveUp { .. }) {
        return Ok(unchecked("the answer itself gave up"));
    }
    let Place::Board(drawing) = &question.place else {
        return check_terms(answer, run);
    };
    let board = &drawing.board;
    match (&answer.value, question.verb) {
        (Value::Exact { number }, Verb::Count) if question.flag(&options::CYCLES) => {
            let found = check_cycles(board, question, number, run)?;
            Ok(found.reads(&[&options::CYCLES, &options::SYMMETRIC]))
        }
        (Value::Exact { number }, Verb::Count) if question.flag(&options::GAMES) => {
            let found = check_games(board, question, number, run)?;
            Ok(found.reads(&[&options::GAMES, &options::SUPERKO]))
        }
        (Value::Exact { number }, Verb::Count) if question.flag(&options::CLASSES) => {
            Ok(check_classes(board, number, run)?.reads(&[&options::CLASSES]))
        }
        (Value::Exact { number }, Verb::Count)
            if !question.is_given(&options::MOD) && !question.is_given(&options::PART) =>
        {
            check_count(answer, board, number, run)
        }
        (Value::Residue { residue, modulus }, Verb::Count) if question.is_given(&options::PART) => {
            if question.text(&options::OVER) == Some(options::BLOCKS) {
                return Ok(unchecked("only all parts together are a number: merge them"));
            }
            // It is that of the whole number.
            check_residue(board, residue, modulus, run)
        }
        (Value::Residue { residue, modulus }, Verb::Count) => {
            if question.number(&options::MOD).map(BigUint::from).as_ref() != Some(modulus) {
                return wrong("value", format!("{modulus} is not the modulus that was asked for"));
            }
            Ok(check_residue(board, residue, modulus, run)?.reads(&[&options::MOD]))
        }
        (Value::AtLeast { .. }, Verb::Sample) => check_samples(answer, board),
        (Value::Exact { number } | Value::AtLeast { number, .. }, Verb::List | Verb::Classify) => {
            check_listed(answer, board, number, run)
        }
        (Value::AtLeast { number, .. }, Verb::Find) => {
            if *number != BigUint::from(1u32) {
                return wrong("value", format!("{number} cycles are stated and one is shown"));
            }
            let found = check_cycle(answer, board, question, run)?;
            Ok(found.reads(&[&options::SYMMETRIC]))
        }
        (Value::None { .. }, Verb::Find) => {
            Ok(check_none(board, question, run)?.reads(&[&options::SYMMETRIC]))
        }
        (Value::Exact { number }, Verb::Analyze) => match question.text(&options::POSITION) {
            Some(text) => check_position(answer, board, text, number),
            None => wrong("value", "nothing is counted that could be a number"),
        },
        (Value::Described {}, Verb::Export) => check_graph(answer, board, run),
        (Value::Described {}, Verb::Analyze)
        | (Value::Exact { .. }, Verb::Explore)
        | (Value::Estimated(_), Verb::Estimate)
        | (Value::AtLeast { stop: Some(_), .. }, Verb::Count) => Ok(Findings::new()),
        (_, verb) => wrong("value", format!("a value of this standing cannot answer {verb}")),
    }
}

fn check_count(answer: &Answer, board: &Board, number: &BigUint, run: &Run) -> Result<Findings> {
    let found = match legal_again(board, run)? {
        None => unchecked("the number itself is counted again only on small boards"),
        Some((legal, how)) if legal == *number => holds(format!("{how}, and {number} are legal")),
        Some((legal, _)) => {
            return wrong("value", format!("{legal} positions are legal, not {number}"));
        }
    };
    let found = check_share(answer, board, number, found)?;
    match answer.fact_of("ternary") {
        Some(Datum::Text(digits)) => {
            if BigUint::parse_bytes(digits.as_bytes(), 3).as_ref() != Some(number) {
                return wrong("facts.ternary", format!("{digits} in base three is another number"));
            }
            Ok(found.fact(answer, "ternary", "in base three", digits.as_str(), "read again")?)
        }
        _ => Ok(found),
    }
}

/// The share of all colourings, to as many digits as are stated.
fn check_share(
    answer: &Answer,
    board: &Board,
    number: &BigUint,
    found: Findings,
) -> Result<Findings> {
    let Some(Datum::Decimal(digits)) = answer.fact_of("share") else { return Ok(found) };
    let (mantissa, power) = digits.split_once("e-").unwrap_or((digits, "0"));
    let (whole, rest) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let stated = format!("{whole}{rest}").parse::<BigUint>();
    let (Ok(stated), Ok(power)) = (stated, power.parse::<u32>()) else {
        return wrong("facts.share", format!("{digits} is no share"));
    };
    if power > 10_000 || rest.len() > 100 {
        return wrong("facts.share", format!("{digits} has too many digits"));
    }
    // Fewer digits than are given say less; they are compared with what is said again.
    if rest.len() < 8 {
        return Ok(found);
    }
    // stated / 10^places is within one unit of its last digit.
    let scale = BigUint::from(10u32).pow(rest.len() as u32 + power);
    let all = BigUint::from(3u32).pow(board.len() as u32);
    let (exact, stated) = (number * scale, stated * &all);
    if exact.clone().max(stated.clone()) - exact.min(stated) > all {
        return wrong("facts.share", format!("the share is not {digits}"));
    }
    let text = "share of all colourings that is legal";
    found.fact(answer, "share", text, Datum::Decimal(digits.clone()), "divided again")
}

fn check_residue(
    board: &Board,
    residue: &BigUint,
    modulus: &BigUint,
    run: &Run,
) -> Result<Findings> {
    let Some((legal, how)) = legal_again(board, run)? else {
        return Ok(unchecked("the number itself is counted again only on small boards"));
    };
    let again = &legal % modulus;
    if again != *residue {
        return wrong("value", format!("{legal} leaves {again} modulo {modulus}, not {residue}"));
    }
    Ok(holds(format!("{how}: {legal} are legal, which leaves {residue}")))
}

/// The game graph, listed again.
fn check_graph(answer: &Answer, board: &Board, run: &Run) -> Result<Findings> {
    let Some(graph) = &answer.graph else { return wrong("graph", "there is no graph") };
    let Some(legal) = all_legal(board, run)? else {
        return Ok(unchecked("the game graph is listed again only on small boards"));
    };
    let line = |at: &Grid| {
        let rows: Vec<_> = at.iter().map(|row| String::from_utf8_lossy(row)).collect();
        rows.join("/")
    };
    let mut edges = BTreeSet::new();
    for at in &legal {
        for (to, by) in moves(at) {
            if to != *at {
                edges.insert((line(at), line(&to), if by == b'X' { "black" } else { "white" }));
            }
        }
        if run.check().is_err() {
            return Ok(unchecked("there was no time to list the game graph again"));
        }
    }
    let nodes: BTreeSet<String> = legal.iter().map(line).collect();
    let shown: BTreeSet<String> = graph.nodes.iter().cloned().collect();
    if graph.name != format!("game graph of {}", board.name()) {
        return wrong("graph", "its name is another one");
    }
    if shown != nodes || graph.nodes.len() != nodes.len() {
        return wrong("graph", "its nodes are not the legal positions");
    }
    if !graph.directed || graph.labels.len() != graph.edges.len() {
        return wrong("graph", "its edges have no colours, or no direction");
    }
    let mut listed = BTreeSet::new();
    for (&(from, to), label) in graph.edges.iter().zip(&graph.labels) {
        let name = |node: u32| graph.nodes[node as usize].clone();
        listed.insert((name(from), name(to), label.as_str()));
    }
    if listed != edges || graph.edges.len() != edges.len() {
        return wrong("graph", "its edges are not the moves");
    }
    let (positions, moves) = (nodes.len(), edges.len());
    let how = format!("{positions} positions and {moves} moves, listed again");
    Ok(Findings::checked(GRAPH, how))
}

/// Classes counted again: positions that are the least of all they can be turned into.
fn check_classes(board: &Board, number: &BigUint, run: &Run) -> Result<Findings> {
    let Some(legal) = all_legal(board, run)? else {
        return Ok(unchecked("classes are counted again only on small boards"));
    };
    // A turn of the drawing turns a rim without points to another side.
    let legal: Vec<Grid> = legal.iter().map(cropped).collect();
    let blank = cropped(&grid(board, &board.to_drawing())?);
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
        return wrong("value", format!("there are {classes} classes, not {number}"));
    }
    Ok(holds(format!("all colourings were tried, and they make {number} classes")))
}

/// Games walked again, one by one.
fn check_games(
    board: &Board,
    question: &Question,
    number: &BigUint,
    run: &Run,
) -> Result<Findings> {
    if *number > BigUint::from(MOST_GAMES) {
        return Ok(unchecked(format!("only up to {MOST_GAMES} games are walked again")));
    }
    let situational = question.text(&options::SUPERKO) == Some(options::SITUATIONAL);
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
        return wrong("value", format!("there are other than {number} games"));
    }
    Ok(holds(format!("{number} games were walked one by one")))
}

/// The drawings of all solutions.
fn drawings(answer: &Answer) -> Result<Vec<(&[String], bool)>> {
    let drawn = answer.solutions.iter().map(|solution| match &solution.figure {
        Figure::Positions { drawings, moves, closed } if moves.is_empty() => {
            Ok((&drawings[..], *closed))
        }
        Figure::Positions { .. } => wrong("solutions", "moves are shown where none belong"),
        Figure::Path { .. } => wrong("solutions", "a path of cells is no position"),
    });
    drawn.collect()
}

fn check_samples(answer: &Answer, board: &Board) -> Result<Findings> {
    let drawn = drawings(answer)?;
    let there = drawn.len() as u64;
    let asked = answer.question.number(&options::DRAWN).unwrap_or(1);
    let Value::AtLeast { number, stop } = &answer.value else {
        return wrong("value", "samples are so many or more");
    };
    let is_so_many = *number == BigUint::from(there)
        && if stop.is_some() { there <= asked } else { there == asked };
    if !is_so_many {
        let what = format!("{number} positions are stated, {there} are shown");
        return wrong("solutions", format!("{what} and {asked} were asked for"));
    }
    for (drawings, closed) in &drawn {
        let ([drawing], false) = (drawings, closed) else {
            return wrong("solutions", "a sample is not one position");
        };
        if !is_legal(&grid(board, drawing)?) {
            return wrong("solutions", format!("{drawing:?} is not legal"));
        }
    }
    let found = Findings::checked(SOLVED, format!("{there} positions are legal"));
    Ok(match stop {
        Some(_) => found.but(VALUE, format!("it was stopped: {there} of {asked} are given")),
        None => found.and(VALUE, "so many were asked for").reads(&[&options::DRAWN]),
    })
}

/// Positions that are listed: each is legal and comes once. If all are listed, there must be so
/// many; of classes, no two positions are of one.
fn check_listed(answer: &Answer, board: &Board, number: &BigUint, run: &Run) -> Result<Findings> {
    let question = &answer.question;
    let is_classes = question.verb == Verb::Classify;
    let drawn = drawings(answer)?;
    if *number != BigUint::from(drawn.len()) {
        let there = drawn.len();
        return wrong("value", format!("{number} positions are stated, {there} are shown"));
    }
    let blank = cropped(&grid(board, &board.to_drawing())?);
    let mut seen = BTreeSet::new();
    for ((drawings, closed), solution) in drawn.iter().zip(&answer.solutions) {
        let ([drawing], false) = (drawings, closed) else {
            return wrong("solutions", "there is something that is not one position");
        };
        let at = grid(board, drawing)?;
        if !is_legal(&at) {
            return wrong("solutions", format!("{drawing:?} is not legal"));
        }
        let at = cropped(&at);
        let images = if is_classes { images(&at, &blank) } else { BTreeSet::from([at]) };
        if is_classes != solution.class.is_some()
            || solution.class.as_ref().is_some_and(|class| class.orbit != images.len() as u64)
        {
            return wrong("classes", format!("the class of {drawing:?} has another size"));
        }
        if !images.first().is_some_and(|least| seen.insert(least.clone())) {
            return wrong("solutions", format!("{drawing:?} comes twice"));
        }
    }
    let how = format!("{number} positions are legal, and no two the same");
    let mut found = Findings::checked(SOLVED, how).reads(&[&options::LISTED_LIMIT]);
    if is_classes {
        found = found.and("classes", "all images of each position were made");
    }
    if !matches!(answer.value, Value::Exact { .. }) || !question.part().is_whole() {
        return Ok(found.but(VALUE, "whether so many belong there was not checked"));
    }
    Ok(found.plus(if is_classes {
        check_classes(board, number, run)?
    } else {
        match legal_again(board, run)? {
            Some((again, _)) if again != *number => {
                return wrong("value", format!("there are {again} legal positions"));
            }
            Some((_, how)) => holds(how),
            None => unchecked("they are counted again only on small boards"),
        }
    }))
}

/// What turns, mirrors of the board and the reversal of colours make of a position.
fn images(at: &Grid, blank: &Grid) -> BTreeSet<Grid> {
    let mirrored = |grid: &Grid| -> Grid { grid.iter().rev().cloned().collect() };
    let (mut images, mut image, mut ground) = (BTreeSet::new(), at.clone(), blank.clone());
    for _ in 0..4 {
        for (image, ground) in
            [(image.clone(), ground.clone()), (mirrored(&image), mirrored(&ground))]
        {
            if ground == *blank {
                images.insert(reversed(&image));
                images.insert(image);
            }
        }
        (image, ground) = (transposed(&mirrored(&image)), transposed(&mirrored(&ground)));
    }
    images
}

fn check_position(
    answer: &Answer,
    board: &Board,
    text: &str,
    number: &BigUint,
) -> Result<Findings> {
    let drawn = drawings(answer)?;
    let [([drawing], false)] = drawn[..] else {
        return wrong("solutions", "it does not show one position");
    };
    let at = grid(board, drawing)?;
    if position_asked(board, text).as_ref() != Some(&at) {
        return wrong("solutions", "the position shown is not the one that was asked about");
    }
    let mut without = BTreeSet::new();
    for (r, c) in places(&at).filter(|&(r, c)| b"XO".contains(&at[r][c])) {
        let (stones, liberty) = string(&at, (r, c));
        if !liberty {
            without.insert(stones);
        }
    }
    if BigUint::from(without.len()) != *number {
        return wrong("value", format!("{} strings have no liberty, not {number}", without.len()));
    }
    let found = Findings::checked(SOLVED, "the position is the one asked about");
    let found = found.and(VALUE, "the strings without a liberty were counted again");
    Ok(found.reads(&[&options::POSITION]))
}

/// Counts the terms of a strip again, as many as is cheap, and follows the recurrence through
/// all of them.
fn check_terms(answer: &Answer, run: &Run) -> Result<Findings> {
    let (Place::Size(height), Verb::Recurrence) = (&answer.question.place, answer.question.verb)
    else {
        return Ok(Findings::new());
    };
    let Some(sequence) = &answer.sequence else {
        return wrong("sequence", "there is no sequence");
    };
    if answer.question.number(&options::TERMS) != Some(sequence.terms.len() as u64) {
        return wrong("sequence.terms", format!("there are {} terms", sequence.terms.len()));
    }
    let terms = &sequence.terms;
    if (1..).zip(terms).any(|(n, term)| term.n != n) {
        return wrong("sequence.terms", "the terms are not numbered from 1 on");
    }
    let mut again = Vec::new();
    if *height <= MOST_HEIGHT {
        let blank = vec![vec![b'.'; *height as usize]; terms.len()];
        recount(&blank, run, |number| again.push(number));
    }
    for (term, number) in terms.iter().zip(&again) {
        if *number != term.value {
            let sentence = format!("term {} is {number}, not {}", term.n, term.value);
            return wrong("sequence.terms", sentence);
        }
    }
    let mut found = Findings::new().reads(&[&options::TERMS]);
    let linear = sequence.recurrence.as_ref();
    let order = linear.map_or(usize::MAX, |linear| linear.factors.len());
    if let Some(linear) = linear {
        if linear.from != linear.order + 1 {
            return wrong(RECURRENCE, format!("it is said to hold from n = {} on", linear.from));
        }
        found = if again.len() > order {
            let how = format!("it gives terms {} to {}, counted again", order + 1, again.len());
            found.and(RECURRENCE, how)
        } else {
            let how = format!("it needs {order} terms, and {} were counted again", again.len());
            found.but(RECURRENCE, how)
        };
    }
    Ok(if again.len() == terms.len() {
        found.and(TERMS, "all counted again row by row")
    } else if again.len() > order {
        let how = format!("the first {} counted again, the rest by the recurrence", again.len());
        found.and(TERMS, how)
    } else {
        found.but(TERMS, format!("the first {} were counted again", again.len()))
    })
}
