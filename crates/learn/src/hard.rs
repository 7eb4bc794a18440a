//! Hard boards: those on which all of today's methods are slow.
//!
//! A board is **hard** if neither `find` by itself nor any of its methods decides it within the
//! steps that take over a tenth of a second, with two seeds, and **very hard** if `find` by itself
//! does not within the steps that take over five seconds. (See the book for what a step takes.)
//! Labels are proved by whatever proves them: a tour that is kept with the board, an exact count, a
//! search to its end, or a certificate of short supply.
//!
//! Boards come from these sources, the cheapest first:
//!
//! - *few*: large cores with one to four numbers of a tour of them ([`crate::puzzle`]), where only the
//!   search can be used;
//! - *cut*: two cores with one cell between them, which holds a number that it cannot have;
//! - *clues*: smaller boards with many numbers of a known tour;
//! - *strip*: knights' boards of four rows, which are tight (see [`crate::tight`]). An exact count
//!   decides them at once, so they are hard for `find` alone, and are not counted as hard;
//! - *short*: cores that are short of moves. These were hard before there was `supply`, which
//!   decides them at once: they are hard for `sat`, `rotations` and `warnsdorff` alone, and are not
//!   counted either;
//! - *tight*: cores with just enough moves;
//! - *moved*: as *clues*, with one number on another cell, so that there is no tour.
//!
//! A line is the label, what proved it, the steps that the engine took, with a `+` if it was stopped
//! there, the seconds of these steps, the engine that took them, the source, and the case; and the
//! tour, where that is the proof. Seconds are measured by `check`, and are `-` before.
//!
//! A source has its section of the file, below the command that makes it and what that came to. A
//! section is written after each batch of tries, and the next run goes on from there; the sections
//! of other sources stay as they are.

use std::collections::BTreeSet;
use std::fmt::Write;

use pessoi::Result;
use pessoi_engine::random::Random;
use rayon::prelude::*;

use crate::case::Case;
use crate::guide::seconds;
use crate::label::{self, Label};
use crate::puzzle::{self, read_tour, tour_holds, tour_text};
use crate::{draw, tight};

/// Steps of an engine that take over a tenth of a second, and over five seconds.
const SAT: [u64; 2] = [80_000, 3_000_000];
const SEARCH: [u64; 2] = [1500, 60_000];
/// The same on boards of the sources *few* and *cut*, where a step takes less.
const QUICK_SEARCH: [u64; 2] = [4000, 120_000];
const ROTATIONS: u64 = 40_000;
/// Steps that the solver is granted before a search.
const SLICE: u64 = 5000;
/// Steps of `sat` and of `rotations` for boards that are short of moves.
const BEFORE: u64 = 20_000;
/// Steps in which a puzzle with a moved clue must be searched to its end.
const TO_THE_END: u64 = 15_000;
/// Clues that are moved of one puzzle, one at a time.
const MOVES_OF_CLUES: usize = 6;

/// Where boards come from.
#[derive(Clone, Copy)]
pub struct Source {
    /// Its name.
    pub name: &'static str,
    /// How many boards are wanted.
    wanted: usize,
    /// After so many tries the search ends, whatever was found.
    tries: u64,
    /// For how many steps a board that resists is looked at, and for how many if it is one of the
    /// first.
    looks: [u64; 2],
    /// How many the first are.
    first: usize,
    /// Streams that are looked at together, whatever the number of threads, so that the same boards
    /// are found.
    batch: u64,
    /// The hard board of a stream and a seed, if there is one.
    make: fn(u64, u64) -> Result<Option<Hard>>,
}

/// All sources, from the cheapest on.
pub const SOURCES: &[Source] = &[
    Source {
        name: "few",
        wanted: 120,
        tries: 640,
        looks: QUICK_SEARCH,
        first: 30,
        batch: 32,
        make: few,
    },
    Source {
        name: "cut",
        wanted: 60,
        tries: 640,
        looks: QUICK_SEARCH,
        first: 20,
        batch: 32,
        make: cut,
    },
    Source {
        name: "clues",
        wanted: 210,
        tries: 2000,
        looks: SEARCH,
        first: 45,
        batch: 32,
        make: clues,
    },
    Source { name: "strip", wanted: 30, tries: 512, looks: SAT, first: 6, batch: 16, make: strip },
    Source {
        name: "short",
        wanted: 252,
        tries: 8000,
        looks: [BEFORE, BEFORE],
        first: 0,
        batch: 64,
        make: short,
    },
    Source { name: "tight", wanted: 12, tries: 960, looks: SAT, first: 4, batch: 32, make: tight },
    Source {
        name: "moved",
        wanted: 60,
        tries: 192,
        looks: SEARCH,
        first: 0,
        batch: 32,
        make: moved,
    },
];

/// A hard board.
#[derive(Clone, Debug, PartialEq)]
pub struct Hard {
    /// Whether it has a tour.
    pub solvable: bool,
    /// What proved it: `tour`, `cut` (see [`puzzle::cut_number_is_wrong`]), `count`, or the method of
    /// `find`.
    pub by: String,
    /// The steps that the engine took.
    pub steps: u64,
    /// Whether it was stopped there.
    pub stopped: bool,
    /// The seconds of these steps, if they were measured.
    pub seconds: Option<f64>,
    /// The engine that took them.
    pub engine: &'static str,
    /// Where the board is from.
    pub source: &'static str,
    /// The board.
    pub case: Case,
    /// The tour, where it is the proof.
    pub tour: Option<Vec<usize>>,
}

impl Hard {
    /// The line of the file.
    pub fn to_line(&self) -> String {
        let Hard { by, steps, engine, source, case, .. } = self;
        let label = if self.solvable { "yes" } else { "no" };
        let more = if self.stopped { "+" } else { "" };
        let seconds = self.seconds.map_or("-".to_owned(), |seconds| format!("{seconds:.2}"));
        let tour = self.tour.as_ref().map(|tour| format!(" tour {}", tour_text(case, tour)));
        let tour = tour.unwrap_or_default();
        format!("{label} {by} {steps}{more} {seconds} {engine} {source} {case}{tour}")
    }

    /// Proves the label again, by what proved it before; an error if it does not hold.
    pub fn check(&self, seed: u64) -> Result<()> {
        let holds = match (&*self.by, &self.tour) {
            ("tour", Some(tour)) => self.solvable && tour_holds(&self.case, tour)?,
            ("cut", _) => !self.solvable && puzzle::cut_number_is_wrong(&self.case),
            ("count", _) => label::counted(&self.case)? == Some(self.solvable),
            (by, _) => {
                let found = label::label(&self.case, by, u64::MAX, seed)?;
                // A tour, or a certificate, is looked at by the checker, which shares nothing with
                // what found it.
                let checked =
                    found.answer.certificate.is_none() || label::tour_holds(&found.answer)?;
                found.solvable == Some(self.solvable) && checked
            }
        };
        if holds {
            return Ok(());
        }
        Err(pessoi::Error::input(format!("The label of {} does not hold.", self.case)))
    }

    /// The method whose steps are in the file. On a board with clues `find` by itself is the search,
    /// once its proofs have failed.
    fn method(&self) -> &'static str {
        if ["strip", "tight"].contains(&self.source) { "auto" } else { self.engine }
    }

    /// The same with the seconds that the engine takes now, stopped where it was stopped before.
    pub fn timed(self, seed: u64) -> Result<Hard> {
        let begin = seconds();
        let most = if self.stopped { self.steps } else { u64::MAX };
        let found = label::label(&self.case, self.method(), most, seed)?;
        let seconds = seconds() - begin;
        let as_before =
            found.solvable.is_none() == self.stopped && (self.stopped || found.steps == self.steps);
        if as_before {
            return Ok(Hard { seconds: Some(seconds), ..self });
        }
        Err(pessoi::Error::input(format!(
            "{} took {} steps, and {} before.",
            self.case, found.steps, self.steps
        )))
    }

    /// Reads a line.
    pub fn parse(line: &str) -> Result<Hard> {
        let bad = || pessoi::Error::input(format!("The line {line:?} is not one of hard boards."));
        let words: Vec<&str> = line.splitn(7, ' ').collect();
        let [label, by, steps, seconds, engine, source, rest] = words[..] else {
            return Err(bad());
        };
        let source = SOURCES.iter().find(|known| known.name == source).ok_or_else(bad)?;
        let engine = ["sat", "warnsdorff"].into_iter().find(|known| *known == engine);
        let (case, tour) = rest.split_once(" tour ").map_or((rest, None), |(a, b)| (a, Some(b)));
        let case = Case::parse(case)?;
        let tour = tour.map(|text| read_tour(&case, text).ok_or_else(bad)).transpose()?;
        Ok(Hard {
            solvable: match label {
                "yes" => true,
                "no" => false,
                _ => return Err(bad()),
            },
            by: by.to_owned(),
            steps: steps.trim_end_matches('+').parse().map_err(|_| bad())?,
            stopped: steps.ends_with('+'),
            seconds: match seconds {
                "-" => None,
                number => Some(number.parse().map_err(|_| bad())?),
            },
            engine: engine.ok_or_else(bad)?,
            source: source.name,
            case,
            tour,
        })
    }

    /// The same board, looked at for so many steps if it was stopped before.
    fn looked_at(self, most: u64, seed: u64) -> Result<Hard> {
        if !self.stopped || self.steps >= most {
            return Ok(self);
        }
        let found = label::label(&self.case, self.method(), most, seed)?;
        let stopped = found.solvable.is_none();
        let steps = if stopped { most } else { found.steps };
        Ok(Hard { steps, stopped, ..self })
    }
}

/// The section of a source in the file.
struct Section {
    command: String,
    tries: u64,
    boards: Vec<Hard>,
}

impl Section {
    fn to_text(&self) -> String {
        let Section { command, tries, boards } = self;
        let mut text = format!("# {command}: {} boards of {tries} tries\n", boards.len());
        for hard in boards {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{}", hard.to_line());
        }
        text
    }

    /// Reads the text of a section, if it was made by this command.
    fn read(text: &str, command: &str) -> Option<Section> {
        let (head, rest) = text.split_once('\n')?;
        let head = head.strip_prefix("# ")?.strip_prefix(command)?;
        let (_, tries) = head.strip_prefix(": ")?.split_once(" boards of ")?;
        let tries = tries.strip_suffix(" tries")?.parse().ok()?;
        let boards = read(rest).ok()?;
        Some(Section { command: command.to_owned(), tries, boards })
    }
}

/// The sections of a file, each under the name of its source.
fn sections(text: &str) -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> = Vec::new();
    for line in text.lines() {
        if let Some(command) = line.strip_prefix("# pessoi-learn hard --source ") {
            let name = command.split([' ', ':']).next().unwrap_or_default();
            all.push((name.to_owned(), String::new()));
        }
        if let Some((_, section)) = all.last_mut() {
            section.push_str(line);
            section.push('\n');
        }
    }
    all
}

/// Looks for hard boards of a source, for `most` at most, from where the file that is given ends.
/// After each batch of tries the file is handed to `keep` as it is then.
pub fn make(
    source: &Source,
    most: usize,
    seed: u64,
    file: &str,
    mut keep: impl FnMut(&str) -> Result<()>,
) -> Result<()> {
    let wanted = source.wanted.min(most);
    let boards = if most < source.wanted { format!(" --boards {most}") } else { String::new() };
    let command = format!("pessoi-learn hard --source {}{boards} --seed {seed}", source.name);
    let mut all = sections(file);
    let at = all.iter().position(|(name, _)| name == source.name).unwrap_or_else(|| {
        all.push((source.name.to_owned(), String::new()));
        all.len() - 1
    });
    let begun = Section::read(&all[at].1, &command);
    let mut section = begun.unwrap_or(Section { command, tries: 0, boards: Vec::new() });
    let forms = section.boards.iter().map(|hard| hard.case.canonical());
    let mut seen: BTreeSet<Case> = forms.collect();
    while section.boards.len() < wanted && section.tries < source.tries {
        let batch = section.tries..section.tries + source.batch;
        let batch: Result<Vec<Option<Hard>>> =
            batch.into_par_iter().map(|stream| (source.make)(stream, seed)).collect();
        section.tries += source.batch;
        let mut new: Vec<Hard> = batch?.into_iter().flatten().collect();
        new.retain(|hard| seen.insert(hard.case.canonical()));
        new.truncate(wanted - section.boards.len());
        let first = source.first.saturating_sub(section.boards.len());
        let looked: Result<Vec<Hard>> = new
            .into_par_iter()
            .enumerate()
            .map(|(at, hard)| hard.looked_at(source.looks[usize::from(at < first)], seed))
            .collect();
        section.boards.extend(looked?);
        all[at].1 = section.to_text();
        keep(&all.iter().map(|(_, text)| &**text).collect::<String>())?;
        let Section { tries, boards, .. } = &section;
        eprintln!("{}: {} of {wanted} after {tries} tries", source.name, boards.len());
    }
    Ok(())
}

/// Whether no method decides a board within the steps of hard ones. Those that find nothing where
/// there is nothing are left out if there is no tour, and those that only prove if there is one.
fn resists(case: &Case, has_tour: bool, seed: u64) -> Result<bool> {
    let mut methods = vec![
        ("warnsdorff", SEARCH[0], seed),
        ("warnsdorff", SEARCH[0], seed + 1),
        ("learned", SEARCH[0], seed),
        ("backtrack", SEARCH[0], seed),
    ];
    if case.clues.is_empty() {
        methods.extend([("auto", SAT[0], seed), ("auto", SAT[0], seed + 1), ("sat", SAT[0], seed)]);
        if has_tour {
            methods.push(("rotations", ROTATIONS, seed));
        }
    } else if !has_tour {
        // It asks the solver whether there is a tour without the clues, and then searches.
        methods.push(("auto", SLICE + SEARCH[0], seed));
    }
    for (method, most, seed) in methods {
        if label::label(case, method, most, seed)?.solvable.is_some() {
            return Ok(false);
        }
    }
    Ok(true)
}

/// A puzzle that resists, with its tour or what else proves that there is none.
fn puzzled(
    case: Case,
    tour: Option<Vec<usize>>,
    source: &'static str,
    seed: u64,
) -> Result<Option<Hard>> {
    if !resists(&case, tour.is_some(), seed)? {
        return Ok(None);
    }
    let hard = Hard {
        solvable: tour.is_some(),
        by: if tour.is_some() { "tour" } else { "cut" }.to_owned(),
        steps: SEARCH[0],
        stopped: true,
        seconds: None,
        engine: "warnsdorff",
        source,
        case,
        tour,
    };
    hard.check(seed)?;
    Ok(Some(hard))
}

/// Games, sides and densities of large cores.
const LARGE: &[(&str, usize, f64, f64)] = &[
    ("knight-tours", 16, 0.05, 0.2),
    ("knight-tours", 20, 0.05, 0.2),
    ("zebra-tours", 14, 0.0, 0.15),
    ("giraffe-tours", 13, 0.0, 0.1),
    ("diplomatico", 16, 0.05, 0.25),
];
/// Games, and the least side and the highest density of two cores with a cell between them.
const TWO: &[(&str, usize, f64)] =
    &[("knight-tours", 6, 0.15), ("diplomatico", 6, 0.2), ("zebra-tours", 9, 0.05)];

fn few(stream: u64, seed: u64) -> Result<Option<Hard>> {
    let mut random = Random::new(seed ^ 0x0066_6577, stream);
    let (game, side, low, high) = LARGE[stream as usize % LARGE.len()];
    let density = low + (high - low) * random.unit();
    let found = puzzle::few(game, side, density, &mut random)?;
    found.map_or(Ok(None), |(case, tour)| puzzled(case, Some(tour), "few", seed))
}

fn cut(stream: u64, seed: u64) -> Result<Option<Hard>> {
    let mut random = Random::new(seed ^ 0x0063_7574, stream);
    let (game, least, most) = TWO[stream as usize % TWO.len()];
    let side = least + random.below(4) as usize;
    let density = most * random.unit();
    let found = puzzle::cut(game, side, density, &mut random)?;
    found.map_or(Ok(None), |case| puzzled(case, None, "cut", seed))
}

/// The puzzle of a stream, with its tour.
fn drawn(stream: u64, random: &mut Random) -> Result<Option<(Case, Vec<usize>)>> {
    let game = ["knight-tours", "diplomatico"][(stream % 2) as usize];
    let side = 8 + random.below(4) as usize;
    puzzle::puzzle(game, side, 3 + random.below(5) as usize, random)
}

fn clues(stream: u64, seed: u64) -> Result<Option<Hard>> {
    let mut random = Random::new(seed ^ 0x636c_7565, stream);
    let found = drawn(stream, &mut random)?;
    found.map_or(Ok(None), |(case, tour)| puzzled(case, Some(tour), "clues", seed))
}

fn moved(stream: u64, seed: u64) -> Result<Option<Hard>> {
    let mut random = Random::new(seed ^ 0x6d6f_7665, stream);
    let Some((puzzle, _)) = drawn(stream, &mut random)? else { return Ok(None) };
    for _ in 0..MOVES_OF_CLUES {
        let Some(case) = puzzle::moved(&puzzle, &mut random) else { continue };
        if label::label(&case, "warnsdorff", SEARCH[0], seed)?.solvable.is_some() {
            continue;
        }
        let found = label::label(&case, "warnsdorff", TO_THE_END, seed)?;
        if found.solvable != Some(false) || !resists(&case, false, seed)? {
            continue;
        }
        return Ok(Some(Hard {
            solvable: false,
            by: found.by,
            steps: found.steps,
            stopped: false,
            seconds: None,
            engine: "warnsdorff",
            source: "moved",
            case,
            tour: None,
        }));
    }
    Ok(None)
}

/// A board on which the SAT solver is slow, labelled by an exact count.
fn counted(case: Case, source: &'static str, seed: u64) -> Result<Option<Hard>> {
    if label::label(&case, "auto", SAT[0], seed)?.solvable.is_some() {
        return Ok(None);
    }
    let Some(solvable) = label::counted(&case)? else { return Ok(None) };
    if !resists(&case, solvable, seed)? {
        return Ok(None);
    }
    let (by, steps) = ("count".to_owned(), SAT[0]);
    let (stopped, seconds, engine, tour) = (true, None, "sat", None);
    Ok(Some(Hard { solvable, by, steps, stopped, seconds, engine, source, case, tour }))
}

fn tight(stream: u64, seed: u64) -> Result<Option<Hard>> {
    tight::tight(stream, seed)?.map_or(Ok(None), |case| counted(case, "tight", seed))
}

fn strip(stream: u64, seed: u64) -> Result<Option<Hard>> {
    tight::strip(stream, seed).map_or(Ok(None), |case| counted(case, "strip", seed))
}

/// Random cores near the transition that are short of moves, and that the engines which were there
/// before `supply` do not decide.
fn short(stream: u64, seed: u64) -> Result<Option<Hard>> {
    let mut random = Random::new(seed ^ 0x6861_7264, stream);
    // Mostly open tours of the knight, of which the largest share is hard.
    let (game, low, high) = match stream % 8 {
        0 => ("diplomatico", 0.24, 0.36),
        1 => ("zebra-tours", 0.05, 0.2),
        _ => ("knight-tours", 0.30, 0.40),
    };
    let side = 11 + random.below(4) as usize;
    let with_ends = random.below(5) == 0;
    let density = low + (high - low) * random.unit();
    let full = Case::full(game, false, side, side);
    let Some(case) = draw::thinned(full, density, &mut random) else { return Ok(None) };
    let Some(case) = draw::core(case, &mut random) else { return Ok(None) };
    let case = if with_ends { draw::with_ends(case, &mut random) } else { Some(case) };
    let Some(case) = case else { return Ok(None) };
    let supply = label::label(&case, "supply", u64::MAX, seed)?;
    if supply.solvable != Some(false) || supply.by == "inspection" {
        return Ok(None);
    }
    for (method, most) in [("sat", BEFORE), ("warnsdorff", SEARCH[0])] {
        if label::label(&case, method, most, seed)?.solvable.is_some() {
            return Ok(None);
        }
    }
    let Label { by, .. } = supply;
    let (steps, stopped, seconds, engine, source, tour) =
        (BEFORE, true, None, "sat", "short", None);
    Ok(Some(Hard { solvable: false, by, steps, stopped, seconds, engine, source, case, tour }))
}

/// Reads the file.
pub fn read(text: &str) -> Result<Vec<Hard>> {
    text.lines().filter(|line| !line.starts_with('#')).map(Hard::parse).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every second stream has a board.
    fn known(stream: u64, _: u64) -> Result<Option<Hard>> {
        let boards = read(include_str!("../hard.txt"))?;
        let board = |at: u64| Hard { source: "tight", ..boards[at as usize].clone() };
        Ok(stream.is_multiple_of(2).then(|| board(stream / 2)))
    }

    const KNOWN: Source = Source {
        name: "tight",
        wanted: 5,
        tries: 40,
        looks: [0, 0],
        first: 0,
        batch: 4,
        make: known,
    };

    fn made(source: &Source, file: &str) -> Vec<String> {
        let mut kept = Vec::new();
        let keep = |text: &str| {
            kept.push(text.to_owned());
            Ok(())
        };
        make(source, usize::MAX, 1, file, keep).unwrap();
        kept
    }

    #[test]
    fn a_search_goes_on_where_its_section_ends_and_leaves_others_alone() {
        let other = "# pessoi-learn hard --source cut --seed 1: 0 boards of 640 tries\n";
        let kept = made(&KNOWN, other);
        assert_eq!(kept.len(), 3);
        let last = kept.last().unwrap();
        assert!(last.starts_with(other) && last.contains("--seed 1: 5 boards of 12 tries\n"));
        assert_eq!(read(last).unwrap().len(), 5);
        // From the first batch on it comes to the same; at the end nothing is left to do.
        assert_eq!(made(&KNOWN, &kept[0]), kept[1..]);
        assert!(made(&KNOWN, last).is_empty());
        // Where there are no more, it ends after its tries.
        let few = Source { wanted: 100, tries: 8, ..KNOWN };
        assert!(made(&few, "").last().unwrap().contains(": 4 boards of 8 tries\n"));
    }
}
