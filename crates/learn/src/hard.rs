//! Hard boards: those on which all of today's methods are slow.
//!
//! A board is **hard** if neither `find` by itself nor any of its methods decides it within the
//! steps that take over a tenth of a second, with two seeds, and **very hard** if `find` by itself
//! does not within the steps that take over five seconds. (See the book for what a step takes.)
//! Labels are proved by whatever proves them: a tour that is kept with the board, an exact count, a
//! search to its end, or a certificate of short supply.
//!
//! Boards come from five sources:
//!
//! - *clues*: some numbers of a known tour, where only the search can be used ([`crate::puzzle`]);
//! - *moved*: the same with one number on another cell, so that there is no tour;
//! - *tight*: cores with just enough moves ([`crate::tight`]);
//! - *strip*: knights' boards of four rows, which are tight too;
//! - *short*: cores that are short of moves. These were hard before there was `supply`, which
//!   decides them at once: they are hard for `sat`, `rotations` and `warnsdorff` alone.
//!
//! A line is the label, what proved it, the steps that `find` took, with a `+` if it was stopped
//! there, the seconds of these steps, the engine that took them, the source, and the case; and the
//! tour, where that is the proof. Seconds are measured by `check`, and are `-` before.

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
const ROTATIONS: u64 = 40_000;
/// Steps of `sat` and of `rotations` for boards that are short of moves.
const BEFORE: u64 = 20_000;
/// Steps in which a puzzle with a moved clue must be searched to its end.
const TO_THE_END: u64 = 15_000;
/// Clues that are moved of one puzzle, one at a time.
const MOVES_OF_CLUES: usize = 6;

/// Where boards come from.
pub struct Source {
    /// Its name.
    pub name: &'static str,
    /// How many boards are wanted.
    wanted: usize,
    /// So many of them, the first, are looked at for the steps of very hard ones.
    longer: usize,
    /// Streams that are looked at together, whatever the number of threads, so that the same boards
    /// are found.
    batch: u64,
    /// The hard board of a stream and a seed, if there is one.
    make: fn(u64, u64) -> Result<Option<Hard>>,
}

/// All sources.
pub const SOURCES: &[Source] = &[
    Source { name: "clues", wanted: 210, longer: 45, batch: 32, make: clues },
    Source { name: "moved", wanted: 60, longer: 0, batch: 32, make: moved },
    Source { name: "tight", wanted: 12, longer: 4, batch: 32, make: tight },
    Source { name: "strip", wanted: 30, longer: 6, batch: 16, make: strip },
    Source { name: "short", wanted: 252, longer: 0, batch: 64, make: short },
];

/// A hard board.
#[derive(Clone, Debug, PartialEq)]
pub struct Hard {
    /// Whether it has a tour.
    pub solvable: bool,
    /// What proved it: `tour`, `count`, or the method of `find`.
    pub by: String,
    /// The steps that `find` took.
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

    /// The same with the seconds that `find` takes now, stopped where it was stopped before.
    pub fn timed(self, seed: u64) -> Result<Hard> {
        let begin = seconds();
        // Boards that are short of moves are slow for another engine.
        let method = if self.source == "short" { self.engine } else { "auto" };
        let most = if self.stopped { self.steps } else { u64::MAX };
        let found = label::label(&self.case, method, most, seed)?;
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

    /// The same board with the higher limit.
    fn looked_at_for_longer(self, seed: u64) -> Result<Hard> {
        if !self.stopped {
            return Ok(self);
        }
        let most = if self.engine == "sat" { SAT[1] } else { SEARCH[1] };
        let found = label::label(&self.case, "auto", most, seed)?;
        let stopped = found.solvable.is_none();
        let steps = if stopped { most } else { found.steps };
        Ok(Hard { steps, stopped, ..self })
    }
}

/// Looks for hard boards of a source, for `most` at most, and returns its section of the file.
pub fn make(source: &Source, most: usize, seed: u64) -> Result<String> {
    let wanted = source.wanted.min(most);
    let mut seen = BTreeSet::new();
    let (mut begin, mut found) = (0, Vec::new());
    while found.len() < wanted {
        let batch = begin..begin + source.batch;
        let batch: Result<Vec<Option<Hard>>> =
            batch.into_par_iter().map(|stream| (source.make)(stream, seed)).collect();
        begin += source.batch;
        for hard in batch?.into_iter().flatten() {
            if found.len() < wanted && seen.insert(hard.case.canonical()) {
                found.push(hard);
            }
        }
        eprintln!("{}: {} of {wanted} after {begin} tries", source.name, found.len());
    }
    let rest = found.split_off(source.longer.min(wanted));
    let longer: Result<Vec<Hard>> =
        found.into_par_iter().map(|hard| hard.looked_at_for_longer(seed)).collect();
    let boards = if most < source.wanted { format!(" --boards {most}") } else { String::new() };
    let mut text = format!(
        "# pessoi-learn hard --source {}{boards} --seed {seed}: {wanted} boards\n",
        source.name
    );
    for hard in longer?.into_iter().chain(rest) {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{}", hard.to_line());
    }
    Ok(text)
}

/// Whether no method decides a board within the steps of hard ones. Those that find nothing where
/// there is nothing are left out if there is no tour.
fn resists(case: &Case, has_tour: bool, seed: u64) -> Result<bool> {
    let puzzle = !case.clues.is_empty();
    let auto = if puzzle { SEARCH[0] } else { SAT[0] };
    let mut methods = vec![("auto", auto, seed), ("auto", auto, seed + 1)];
    methods.extend([("learned", SEARCH[0], seed), ("backtrack", SEARCH[0], seed)]);
    if !puzzle {
        methods.extend([("sat", SAT[0], seed), ("warnsdorff", SEARCH[0], seed)]);
        if has_tour {
            methods.push(("rotations", ROTATIONS, seed));
        }
    }
    for (method, most, seed) in methods {
        if label::label(case, method, most, seed)?.solvable.is_some() {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The puzzle of a stream, with its tour.
fn drawn(stream: u64, random: &mut Random) -> Result<Option<(Case, Vec<usize>)>> {
    let game = ["knight-tours", "diplomatico"][(stream % 2) as usize];
    let side = 8 + random.below(4) as usize;
    puzzle::puzzle(game, side, 3 + random.below(5) as usize, random)
}

fn clues(stream: u64, seed: u64) -> Result<Option<Hard>> {
    let mut random = Random::new(seed ^ 0x636c_7565, stream);
    let Some((case, tour)) = drawn(stream, &mut random)? else { return Ok(None) };
    if !resists(&case, true, seed)? || !tour_holds(&case, &tour)? {
        return Ok(None);
    }
    Ok(Some(Hard {
        solvable: true,
        by: "tour".to_owned(),
        steps: SEARCH[0],
        stopped: true,
        seconds: None,
        engine: "warnsdorff",
        source: "clues",
        case,
        tour: Some(tour),
    }))
}

fn moved(stream: u64, seed: u64) -> Result<Option<Hard>> {
    let mut random = Random::new(seed ^ 0x6d6f_7665, stream);
    let Some((puzzle, _)) = drawn(stream, &mut random)? else { return Ok(None) };
    for _ in 0..MOVES_OF_CLUES {
        let Some(case) = puzzle::moved(&puzzle, &mut random) else { continue };
        if label::label(&case, "auto", SEARCH[0], seed)?.solvable.is_some() {
            continue;
        }
        let found = label::label(&case, "auto", TO_THE_END, seed)?;
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
