//! What can be said of one loop, and of all loops of a length.

use std::collections::BTreeMap;

use num_bigint::BigUint;
use pessoi_engine::run::Run;
use rustc_hash::FxHashMap;

use super::Asked;
use super::census::{TYPES, type_of};
use super::count::{self, Method, census_table, method, span};
use super::crossing::crossings;
use super::list;
use super::moves::{Point, SYMMETRIES, image, minus};
use super::paper::moves_of;
use super::task::{LONGEST_LOOP, Sameness, Task};
use super::turns::LONGEST_WORD;
use super::visit::visit;
use super::words::{cells, stabiliser};
use crate::answer::{Answer, Solution, Table, Value};
use crate::board::Cell;
use crate::error::{Error, Result};
use crate::question::{Place, Question};

/// Answers `classify --path`: the canonical form of one loop, and what it is like. Gives the
/// loops that are its images, too, as far as they are not the same.
pub(super) fn classify(
    question: &Question,
    leapers: &[Point],
    run: &Run,
) -> Result<(Answer, Vec<Solution>)> {
    for option in ["method", "part", "limit", "page", "board"] {
        if question.options.contains_key(option) {
            return Err(Error::input(format!("--{option} means nothing with --path.")));
        }
    }
    let path = read_path(question)?;
    let task = Task::with(question, leapers, path.len())?;
    check_path(&path, &task)?;
    if let Place::Size(size) = question.place
        && size != path.len() as u64
    {
        return Err(Error::input(format!(
            "The path has {} cells, not {size}; the length need not be given.",
            path.len()
        )));
    }
    if matches!(question.place, Place::Board(_)) {
        return Err(Error::input("--path needs no board; numbers of cells need --width."));
    }
    let alphabet = &task.alphabet;
    let word = alphabet.canonical(&alphabet.spell(&moves_of(&task.moves, &path)));
    let moves = alphabet.walk(&word);
    let symmetries = stabiliser(&task.moves, &moves);
    let (rows, cols) = span(&path);
    let crossings = crossings(&path);
    if crossings > 0 && task.crossing.is_some() {
        return Err(Error::input(format!(
            "The path crosses or touches itself ({crossings} pairs of moves), so it is none of \
             the --non-crossing ones."
        )));
    }
    let images: Vec<Solution> = list::images(&task, &moves, symmetries)
        .iter()
        .map(|cells| list::classified(&task, cells, symmetries))
        .collect();

    let mut facts = Table::new("The path", &["what", "value"]);
    let mut fact = |what: &str, value: String| facts.rows.push(vec![what.to_owned(), value]);
    let letters =
        if alphabet.has_turns() { "canonical word of turns" } else { "canonical word of moves" };
    let spelt: Vec<String> = word.iter().map(ToString::to_string).collect();
    fact("length", path.len().to_string());
    fact(letters, spelt.join(if alphabet.letters() > 10 { " " } else { "" }));
    fact("symmetry", TYPES[type_of(symmetries)].0.to_owned());
    fact("loops up to translation in its class", (8 / symmetries.count_ones()).to_string());
    fact(
        "its mirror image",
        if symmetries & 0xf0 == 0 { "is not a rotation of it" } else { "is a rotation of it" }
            .into(),
    );
    fact("rows and columns", format!("{rows}×{cols}"));
    fact("pairs of moves that cross or touch", crossings.to_string());
    if crossings == 0 {
        let twice = twice_area(&path);
        fact("area", format!("{}{}", twice / 2, if twice % 2 == 1 { ".5" } else { "" }));
    }
    let mut answer = Answer::new(
        question,
        Value::exact(images.len()),
        &task.counts(),
        "smallest of all images",
        run,
    );
    answer.tables.push(facts);
    answer.certificate = Some(crate::Certificate::Solutions);
    Ok((answer, images))
}

/// Twice the area inside a polygon.
fn twice_area(path: &[Point]) -> i64 {
    let next = path.iter().cycle().skip(1);
    let cross = |(a, b): (&Point, &Point)| {
        i64::from(a.0) * i64::from(b.1) - i64::from(a.1) * i64::from(b.0)
    };
    path.iter().zip(next).map(cross).sum::<i64>().abs()
}

/// The cells of `--path`.
fn read_path(question: &Question) -> Result<Vec<Point>> {
    let text = question.text("path").unwrap_or_default();
    let how = "give cells as row,column, such as '1,3 2,5 …', or their numbers with --width, \
               such as '3 7 15 …'";
    let Some(width) = question.number("width") else {
        let cells = text.split_whitespace().map(str::parse::<Cell>);
        let cells: Vec<Point> = cells
            .map(|cell| cell.map(|cell| (cell.row, cell.col)))
            .collect::<Result<_>>()
            .map_err(|error| Error::input(format!("--path: {error} Or {how}.")))?;
        return long_enough(cells);
    };
    let most = u64::from(crate::board::SIDE_LIMIT as u32);
    if width > most {
        return Err(Error::input(format!("--width {width} is too large: at most {most}.")));
    }
    let numbers = text.split([' ', ',', '\t', '\n']).filter(|word| !word.is_empty());
    let cells: Result<Vec<Point>> = numbers
        .map(|word| match word.parse::<u64>() {
            Ok(number) if (1..=width * most).contains(&number) => {
                Ok((((number - 1) / width) as i32, ((number - 1) % width) as i32))
            }
            _ => Err(Error::input(format!("--path has {word:?} as the number of a cell; {how}."))),
        })
        .collect();
    long_enough(cells?)
}

fn long_enough(cells: Vec<Point>) -> Result<Vec<Point>> {
    match cells.len() {
        3..=LONGEST_LOOP => Ok(cells),
        n => Err(Error::input(format!(
            "--path has {n} cells; a loop has at least 3, and up to {LONGEST_LOOP} are handled."
        ))),
    }
}

/// Refuses what is no loop, and says where.
fn check_path(path: &[Point], task: &Task) -> Result<()> {
    let name = |(row, col): Point| Cell { row, col };
    for (at, &cell) in path.iter().enumerate() {
        if let Some(before) = path[..at].iter().position(|&other| other == cell) {
            return Err(Error::input(format!(
                "--path visits {} twice, as its cells {} and {}.",
                name(cell),
                before + 1,
                at + 1
            )));
        }
    }
    for (at, &from) in path.iter().enumerate() {
        let to = path[(at + 1) % path.len()];
        if task.moves.find(minus(to, from)).is_none() {
            let which = if at + 1 == path.len() {
                "is not closed: the last step".to_owned()
            } else {
                format!("has no legal step {}: that", at + 1)
            };
            return Err(Error::input(format!(
                "--path {which}, from {} to {}, is no move.",
                name(from),
                name(to)
            )));
        }
    }
    Ok(())
}

/// Loops that an answer shows, at most.
const SHOWN: usize = 24;

/// Answers `analyze`: the census, and loops that share their cells.
pub(super) fn analyze(asked: &Asked) -> Result<Answer> {
    let Asked { question, task, run } = asked;
    let (mut method, _) = method(question, task)?;
    if question.flag("cells") {
        method = Method::Orderly;
    }
    let mut sets = Sets::default();
    let counted = if question.flag("cells") {
        let mut tally = count::Tally::default();
        let mut claim = run.claim();
        let mut full = None;
        let visit = visit(
            task,
            question.part(),
            run,
            Vec::new,
            |found: &mut Vec<(Vec<u8>, Vec<u8>, u8)>, word| {
                let mut buffer = [0; LONGEST_WORD];
                let moves = word.moves(task, &mut buffer);
                let key = cell_set(&cells(&task.moves, moves));
                found.push((key, moves.to_vec(), word.stabiliser(task)));
            },
            |found| found.iter().map(|(key, moves, _)| 64 + key.len() + moves.len()).sum(),
            |found| {
                for (key, moves, symmetries) in found {
                    tally.add(symmetries, None, task);
                    sets.add(key, moves);
                }
                full = claim.grow_to(sets.bytes(task.length)).err();
                full.is_none()
            },
        );
        count::Counted { tally, nodes: Some(visit.nodes), stopped: full.or(visit.stopped) }
    } else {
        count::tally(asked, task, method)?
    };
    let number = BigUint::from(counted.tally.census.number(Sameness::Free));
    if let Some(stop) = &counted.stopped {
        return Ok(asked.gave_up(stop, method.name()));
    }
    let mut answer = asked.answer(Value::exact(number), method.name());
    answer.cost.nodes = counted.nodes;
    let census = &counted.tally.census;
    answer.tables.push(census_table(census));
    let mut numbers = Table::new("Numbers", &["up to translation and", "loops"]);
    for (name, sameness) in [
        ("rotation and reflection", Sameness::Free),
        ("rotation", Sameness::OneSided),
        ("nothing else", Sameness::Fixed),
    ] {
        numbers.rows.push(vec![name.to_owned(), census.number(sameness).to_string()]);
    }
    if task.isometries.is_none() {
        answer.tables.push(numbers);
    }
    if question.flag("cells") {
        sets.tell(&mut answer, task);
    }
    answer.cost.seconds = run.elapsed().as_secs_f64();
    answer.cost.peak_bytes = run.peak_bytes();
    Ok(answer)
}

/// The cells of a loop, the same for every symmetry: rows and columns, sorted.
fn cell_set(cells: &[Point]) -> Vec<u8> {
    let images = (0..SYMMETRIES).map(|symmetry| {
        let turned: Vec<Point> = cells.iter().map(|&cell| image(symmetry, cell)).collect();
        let low = turned
            .iter()
            .fold((i32::MAX, i32::MAX), |low, cell| (low.0.min(cell.0), low.1.min(cell.1)));
        let mut set: Vec<Point> = turned.iter().map(|&cell| minus(cell, low)).collect();
        set.sort_unstable();
        set
    });
    let least = images.min().unwrap_or_default();
    // Rows and columns are below 2^16: loops are at most 1000 cells wide.
    least
        .iter()
        .flat_map(|&(row, col)| [row as u16, col as u16])
        .flat_map(u16::to_le_bytes)
        .collect()
}

/// Sets of cells, each with the loops that visit them.
#[derive(Default)]
struct Sets(FxHashMap<Vec<u8>, Vec<Vec<u8>>>);

impl Sets {
    fn add(&mut self, key: Vec<u8>, moves: Vec<u8>) {
        self.0.entry(key).or_default().push(moves);
    }

    /// About how many bytes they take.
    fn bytes(&self, length: usize) -> u64 {
        const EACH: usize = 160;
        (self.0.capacity() * (EACH + 5 * length)) as u64
    }

    /// Adds a table, and some loops that share their cells, to an answer.
    fn tell(&self, answer: &mut Answer, task: &Task) {
        let mut sizes = BTreeMap::new();
        for loops in self.0.values() {
            *sizes.entry(loops.len()).or_insert(0u64) += 1;
        }
        let mut table = Table::new("Sets of cells, up to symmetry", &["loops on the set", "sets"]);
        table.rows = sizes.iter().map(|(n, sets)| vec![n.to_string(), sets.to_string()]).collect();
        table.rows.push(vec!["all".into(), self.0.len().to_string()]);
        answer.tables.push(table);
        let mut several: Vec<_> = self.0.iter().filter(|(_, loops)| loops.len() > 1).collect();
        several.sort();
        for (key, loops) in several {
            if answer.solutions.len() + loops.len() > SHOWN {
                answer.notes.push("Only the first sets with several loops are shown.".into());
                break;
            }
            for moves in loops {
                answer.solutions.push(list::solution(&onto(task, moves, key), None));
            }
        }
    }
}

/// The image of a loop that visits just these cells.
fn onto(task: &Task, moves: &[u8], key: &[u8]) -> Vec<Point> {
    let own = cells(&task.moves, moves);
    let images = (0..SYMMETRIES).map(|symmetry| {
        let turned: Vec<Point> = own.iter().map(|&cell| image(symmetry, cell)).collect();
        let low = turned
            .iter()
            .fold((i32::MAX, i32::MAX), |low, cell| (low.0.min(cell.0), low.1.min(cell.1)));
        turned.into_iter().map(|cell| minus(cell, low)).collect::<Vec<_>>()
    });
    let is_wanted = |image: &Vec<Point>| {
        let mut set = image.clone();
        set.sort_unstable();
        let bytes = set.iter().flat_map(|&(row, col)| [row as u16, col as u16]);
        bytes.flat_map(u16::to_le_bytes).eq(key.iter().copied())
    };
    images.into_iter().find(is_wanted).unwrap_or(own)
}
