//! Data to learn from: boards drawn from a seed, labelled by proof, and split.
//!
//! Boards of the **small** sizes are split by the checksum of their canonical form: six tenths are
//! trained on, the rest is held out. An image of a board has the same form and so is in the same
//! part. Boards of the **large** sizes are never trained on.
//!
//! A line of the file is the part, the label, the engine that proved it, its steps, and the case:
//!
//! ```text
//! train yes rotations 12 knight-tours closed ..#…
//! ```

use std::collections::BTreeSet;

use pessoi::Result;
use pessoi::games::learned;
use pessoi_engine::random::Random;
use rayon::prelude::*;

use crate::case::Case;
use crate::draw;
use crate::label::{self, tour_holds};

/// The games, and the densities between which their cores change from solvable to not.
pub const GAMES: &[(&str, f64, f64)] = &[
    ("knight-tours", 0.05, 0.45),
    ("diplomatico", 0.05, 0.45),
    ("king-tours", 0.2, 0.6),
    ("zebra-tours", 0.0, 0.25),
];
/// The sizes that are trained on.
pub const SMALL: &[usize] = &[8, 9, 10];
/// The sizes that are held out.
pub const LARGE: &[usize] = &[12, 14];
/// Boards of each game, kind and size.
const A_SMALL: u64 = 250;
const A_LARGE: u64 = 150;
/// Steps after which a board is left out.
const MOST_STEPS: u64 = 150_000;
/// Of so many boards one is not made a core.
const PLAIN: u64 = 4;

/// The part that a board belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Trained on.
    Train,
    /// Held out, of a size that is trained on.
    Held,
    /// Held out, larger.
    Large,
}

impl Part {
    /// Its name in the file.
    pub fn name(self) -> &'static str {
        match self {
            Part::Train => "train",
            Part::Held => "held",
            Part::Large => "large",
        }
    }
}

/// A board with its label.
#[derive(Clone, Debug)]
pub struct Row {
    /// The part that it belongs to.
    pub part: Part,
    /// Whether it has a tour.
    pub solvable: bool,
    /// The engine that proved it.
    pub by: String,
    /// Its steps.
    pub steps: u64,
    /// The board.
    pub case: Case,
}

/// A board of a kind: closed, open, or open with fixed ends.
fn drawn(
    game: &str,
    kind: u64,
    side: usize,
    density: f64,
    core: bool,
    random: &mut Random,
) -> Option<Case> {
    let full = Case::full(game, kind == 0, side, side);
    let mut case = draw::thinned(full, density, random)?;
    if core {
        case = draw::core(case, random)?;
    }
    if kind == 2 { draw::with_ends(case, random) } else { Some(case) }
}

/// Draws and labels all boards. What was not decided in time is left out, and counted.
pub fn make(seed: u64) -> Result<(Vec<Row>, usize)> {
    let mut wanted = Vec::new();
    for (number, &(game, low, high)) in GAMES.iter().enumerate() {
        for kind in 0..3 {
            for (sides, times) in [(SMALL, A_SMALL), (LARGE, A_LARGE)] {
                for &side in sides {
                    for time in 0..times {
                        let stream =
                            ((number as u64 * 3 + kind) * 100 + side as u64) * 10_000 + time;
                        wanted.push((game, low, high, kind, side, time, stream));
                    }
                }
            }
        }
    }
    let drawn: Vec<Option<Case>> = wanted
        .iter()
        .map(|&(game, low, high, kind, side, time, stream)| {
            let mut random = Random::new(seed, stream);
            let density = low + (high - low) * random.unit();
            drawn(game, kind, side, density, time % PLAIN != 0, &mut random)
        })
        .collect();
    let mut seen = BTreeSet::new();
    let cases: Vec<Case> =
        drawn.into_iter().flatten().filter(|case| seen.insert(case.canonical())).collect();
    let labels: Result<Vec<Option<Row>>> =
        cases.into_par_iter().map(|case| labelled(case, seed)).collect();
    let labels = labels?;
    let all = labels.len();
    let rows: Vec<Row> = labels.into_iter().flatten().collect();
    let left_out = all - rows.len();
    Ok((rows, left_out))
}

fn labelled(case: Case, seed: u64) -> Result<Option<Row>> {
    let found = label::label(&case, "auto", MOST_STEPS, seed)?;
    let Some(solvable) = found.solvable else { return Ok(None) };
    if solvable && !tour_holds(&found.answer)? {
        return Ok(None);
    }
    let form = learned::checksum(case.canonical().to_string().as_bytes());
    let part = if case.rows >= LARGE[0] {
        Part::Large
    } else if form % 10 < 6 {
        Part::Train
    } else {
        Part::Held
    };
    Ok(Some(Row { part, solvable, by: found.by, steps: found.steps, case }))
}

/// The file.
pub fn to_text(rows: &[Row], left_out: usize, seed: u64) -> String {
    let mut text = format!(
        "# pessoi-learn data --seed {seed}: {} boards; {left_out} undecided after {MOST_STEPS} \
         steps were left out\n",
        rows.len()
    );
    for row in rows {
        let label = if row.solvable { "yes" } else { "no" };
        let line = format!("{} {label} {} {} {}\n", row.part.name(), row.by, row.steps, row.case);
        text.push_str(&line);
    }
    text
}

/// Reads the file.
pub fn read(text: &str) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let bad = || pessoi::Error::input(format!("The line {line:?} is not one of data."));
        let words: Vec<&str> = line.splitn(5, ' ').collect();
        let [part, label, by, steps, case] = words[..] else { return Err(bad()) };
        let part = match part {
            "train" => Part::Train,
            "held" => Part::Held,
            "large" => Part::Large,
            _ => return Err(bad()),
        };
        let steps = steps.parse().map_err(|_| bad())?;
        let case = Case::parse(case)?;
        rows.push(Row { part, solvable: label == "yes", by: by.to_owned(), steps, case });
    }
    Ok(rows)
}
