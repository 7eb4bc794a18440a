//! Hard boards: those on which the engines that were there before this chapter are slow.
//!
//! The engines are `sat`, `rotations` and `warnsdorff`. A board is **hard** if none of them decides
//! it within the steps that take over a tenth of a second (see the book for what a step takes), and
//! **very hard** if none does within the steps that take over five seconds. Labels are proved by
//! whatever proves them: a tour, a certificate of short supply, or the SAT solver or the search
//! run to its end.
//!
//! Boards come from three sources:
//!
//! - *short*: random cores near the transition on which moves are in short supply, which nothing
//!   but counting sees at once; every few of them are hard;
//! - *climbs*: where supply is no problem, a board is changed cell by cell, and a
//!   change is kept if the SAT solver then takes at least as many steps;
//! - *clues*: some numbers of a tour on a board, where only the search can be used; for boards
//!   without a tour, two numbers of the same parity change places.
//!
//! A line is the label, what proved it, the steps of the fastest engine, with a `+` if it was
//! stopped there, its name, the source, and the case.

use std::collections::BTreeSet;

use pessoi::Result;
use pessoi_engine::random::Random;
use rayon::prelude::*;

use crate::case::Case;
use crate::draw;
use crate::guide::seconds;
use crate::label::{self, Label, tour_holds};

/// Steps of each engine that take over a tenth of a second, and over five seconds.
const SAT: [u64; 2] = [20_000, 750_000];
const ROTATIONS: u64 = 20_000;
const WARNSDORFF: [u64; 2] = [1500, 40_000];

/// How many boards of each source.
#[derive(Clone, Copy)]
pub struct Wanted {
    /// Random cores that are short of moves.
    pub short: usize,
    /// By climbing.
    pub climbed: usize,
    /// With clues.
    pub clues: usize,
    /// Of all, so many are looked at for longer.
    pub longer: usize,
}

/// A hard board.
#[derive(Clone, Debug)]
pub struct Hard {
    /// Whether it has a tour.
    pub solvable: bool,
    /// What proved it.
    pub by: String,
    /// The steps of the fastest engine.
    pub steps: u64,
    /// Whether it was stopped there.
    pub stopped: bool,
    /// The fastest engine.
    pub engine: &'static str,
    /// Where the board is from.
    pub source: &'static str,
    /// The board.
    pub case: Case,
}

impl Hard {
    /// The line of the file.
    pub fn to_line(&self) -> String {
        let label = if self.solvable { "yes" } else { "no" };
        let more = if self.stopped { "+" } else { "" };
        let Hard { by, steps, engine, source, case, .. } = self;
        format!("{label} {by} {steps}{more} {engine} {source} {case}")
    }

    /// Proves the label again, by what proved it before; an error if it does not hold.
    pub fn check(&self, seed: u64) -> Result<()> {
        let found = label::label(&self.case, &self.by, u64::MAX, seed)?;
        // A tour, or a certificate, is looked at by the checker, which shares nothing with what
        // found it.
        let checked = found.answer.certificate.is_none() || tour_holds(&found.answer)?;
        if found.solvable == Some(self.solvable) && checked {
            return Ok(());
        }
        Err(pessoi::Error::input(format!("The label of {} does not hold.", self.case)))
    }

    /// Steps and seconds of the fastest engine, stopped where it was stopped before.
    pub fn timed(&self, seed: u64) -> Result<(u64, f64)> {
        let begin = seconds();
        let most = if self.stopped { self.steps } else { u64::MAX };
        let found = label::label(&self.case, self.engine, most, seed)?;
        Ok((found.steps, seconds() - begin))
    }

    /// Reads a line.
    pub fn parse(line: &str) -> Result<Hard> {
        let bad = || pessoi::Error::input(format!("The line {line:?} is not one of hard boards."));
        let words: Vec<&str> = line.splitn(6, ' ').collect();
        let [label, by, steps, engine, source, case] = words[..] else { return Err(bad()) };
        let one_of = |word: &str, all: &[&'static str]| {
            all.iter().copied().find(|known| *known == word).ok_or_else(bad)
        };
        Ok(Hard {
            solvable: label == "yes",
            by: by.to_owned(),
            steps: steps.trim_end_matches('+').parse().map_err(|_| bad())?,
            stopped: steps.ends_with('+'),
            engine: one_of(engine, &["sat", "warnsdorff"])?,
            source: one_of(source, &["short", "climb", "clues"])?,
            case: Case::parse(case)?,
        })
    }
}

/// Gives the hard boards of a stream and a seed, if there are any.
type Source = fn(u64, u64) -> Result<Vec<Hard>>;

/// Looks for hard boards. `keep` is called with all that were found so far, now and then.
pub fn make(wanted: Wanted, seed: u64, keep: impl Fn(&[Hard]) -> Result<()>) -> Result<Vec<Hard>> {
    let mut seen = BTreeSet::new();
    let mut all = Vec::new();
    let sources: [(usize, u64, Source); 3] =
        [(wanted.short, 64, short), (wanted.climbed, 8, climb), (wanted.clues, 16, clues)];
    for (number, batch, source) in sources {
        let (mut begin, mut found) = (0, 0);
        // Batches of the same size whatever the number of threads, so that the same boards
        // are found.
        while found < number {
            let batch: Result<Vec<Vec<Hard>>> =
                (begin..begin + batch).into_par_iter().map(|stream| source(stream, seed)).collect();
            let batch = batch?;
            begin += batch.len() as u64;
            for hard in batch.into_iter().flatten() {
                if found < number && seen.insert(hard.case.canonical()) {
                    found += 1;
                    all.push(hard);
                }
            }
            eprintln!("{found} of {number} after {begin} tries");
            keep(&all)?;
        }
    }
    // Those with most cells first: they are likelier to be very hard.
    let mut order: Vec<usize> = (0..all.len()).filter(|&k| all[k].stopped).collect();
    order.sort_by_key(|&k| (std::cmp::Reverse(all[k].case.len()), k));
    order.truncate(wanted.longer);
    let longer: Result<Vec<(usize, Hard)>> =
        order.into_par_iter().map(|k| Ok((k, looked_at_for_longer(&all[k], seed)?))).collect();
    for (k, hard) in longer? {
        all[k] = hard;
    }
    Ok(all)
}

/// The same board with the higher limit.
fn looked_at_for_longer(hard: &Hard, seed: u64) -> Result<Hard> {
    let most = if hard.engine == "sat" { SAT[1] } else { WARNSDORFF[1] };
    let found = label::label(&hard.case, hard.engine, most, seed)?;
    Ok(Hard { steps: found.steps, stopped: found.solvable.is_none(), ..hard.clone() })
}

/// Whether a board is hard for all engines that can be used, and its label.
fn judged(case: &Case, source: &'static str, seed: u64) -> Result<Option<Hard>> {
    let sat = label::label(case, "sat", SAT[0], seed)?;
    if sat.solvable.is_some() {
        return Ok(None);
    }
    // Rotations prove nothing, so they need not be tried where there is no tour.
    let proved = label::label(case, "auto", SAT[1], seed)?;
    let others = [("warnsdorff", WARNSDORFF[0]), ("rotations", ROTATIONS)];
    for (method, most) in &others[..if proved.solvable == Some(false) { 1 } else { 2 }] {
        if label::label(case, method, *most, seed)?.solvable.is_some() {
            return Ok(None);
        }
    }
    let Some(solvable) = proved.solvable else { return Ok(None) };
    if !holds(&proved)? {
        return Ok(None);
    }
    // What the solver took in the end is known if it was the solver that proved it.
    let (steps, stopped) =
        if proved.by == "sat" { (proved.steps, false) } else { (sat.steps, true) };
    let (by, case) = (proved.by, case.clone());
    Ok(Some(Hard { solvable, by, steps, stopped, engine: "sat", source, case }))
}

fn holds(proved: &Label) -> Result<bool> {
    Ok(proved.solvable == Some(false) || tour_holds(&proved.answer)?)
}

/// A core near the transition for open tours, some with fixed ends. Closed ones are decided at
/// once nearly always.
fn drawn(stream: u64, seed: u64) -> Option<Case> {
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
    let case = draw::thinned(Case::full(game, false, side, side), density, &mut random)?;
    let case = draw::core(case, &mut random)?;
    if with_ends { draw::with_ends(case, &mut random) } else { Some(case) }
}

fn short(stream: u64, seed: u64) -> Result<Vec<Hard>> {
    let Some(case) = drawn(stream, seed) else { return Ok(Vec::new()) };
    let supply = label::label(&case, "supply", u64::MAX, seed)?;
    if supply.solvable.is_none() || supply.by == "inspection" {
        return Ok(Vec::new());
    }
    Ok(judged(&case, "short", seed)?.into_iter().collect())
}

/// Changes of one climb.
const CHANGES: usize = 60;

/// Changes a board that moves are in good supply on, as long as the SAT solver takes no fewer
/// steps.
fn climb(stream: u64, seed: u64) -> Result<Vec<Hard>> {
    let mut random = Random::new(seed ^ 0x636c_696d, stream);
    let Some(mut case) = drawn(stream.wrapping_mul(7) + 1_000_000, seed) else {
        return Ok(Vec::new());
    };
    // Neither inspection nor supply must decide it.
    let open = |case: &Case| -> Result<bool> {
        Ok(label::label(case, "supply", u64::MAX, seed)?.solvable.is_none())
    };
    if !open(&case)? {
        return Ok(Vec::new());
    }
    let mut cost = label::label(&case, "sat", SAT[0], seed)?.steps;
    for _ in 0..CHANGES {
        if cost >= SAT[0] {
            break;
        }
        let mut changed = case.clone();
        for _ in 0..=random.below(2) {
            let place = random.below(changed.cells.len() as u64) as usize;
            if Some(place) != changed.from && Some(place) != changed.to {
                changed.cells[place] ^= true;
            }
        }
        let Some(changed) = draw::core(changed, &mut random) else { continue };
        let kept = |end: Option<usize>| end.is_none_or(|place| changed.cells[place]);
        if !kept(changed.from) || !kept(changed.to) || !open(&changed)? {
            continue;
        }
        let steps = label::label(&changed, "sat", SAT[0], seed)?.steps;
        if steps >= cost {
            (case, cost) = (changed, steps);
        }
    }
    Ok(if cost >= SAT[0] {
        judged(&case, "climb", seed)?.into_iter().collect()
    } else {
        Vec::new()
    })
}

/// Clues of a tour on a board of 8×8 to 10×10. Those of odd streams have two clues exchanged, so
/// that they rarely have a solution.
pub fn puzzle(stream: u64, seed: u64) -> Result<Option<Case>> {
    let mut random = Random::new(seed ^ 0x636c_7565, stream);
    let game = ["knight-tours", "diplomatico"][(stream / 2 % 2) as usize];
    let side = 8 + random.below(3) as usize;
    let Some(case) = draw::thinned(Case::full(game, false, side, side), 0.08, &mut random) else {
        return Ok(None);
    };
    let found = label::label(&case, "auto", ROTATIONS, stream + 1)?;
    let Some(solution) = found.answer.solutions.first() else { return Ok(None) };
    let tour = solution.figure.path().to_vec();
    let mut numbers: Vec<u32> = (1..=tour.len() as u32).collect();
    random.shuffle(&mut numbers);
    numbers.truncate(case.len() / (6 + random.below(6) as usize));
    let place = |number: u32| {
        let cell = tour[number as usize - 1];
        cell.row as usize * case.cols + cell.col as usize
    };
    let mut fixed: Vec<(u32, usize)> =
        numbers.iter().map(|&number| (number, place(number))).collect();
    if stream % 2 == 1 {
        let other = (1..fixed.len()).find(|&k| fixed[k].0.abs_diff(fixed[0].0).is_multiple_of(2));
        let Some(other) = other else { return Ok(None) };
        (fixed[0].1, fixed[other].1) = (fixed[other].1, fixed[0].1);
    }
    fixed.sort_unstable();
    Ok(Some(Case { clues: fixed, ..case }))
}

/// A puzzle, if it is hard.
fn clues(stream: u64, seed: u64) -> Result<Vec<Hard>> {
    let Some(case) = puzzle(stream, seed)? else { return Ok(Vec::new()) };
    let found = label::label(&case, "warnsdorff", WARNSDORFF[1], seed)?;
    let Some(solvable) = found.solvable else { return Ok(Vec::new()) };
    if found.by == "inspection" || found.steps < WARNSDORFF[0] || !holds(&found)? {
        return Ok(Vec::new());
    }
    let (by, steps) = ("warnsdorff".to_owned(), found.steps);
    Ok(vec![Hard {
        solvable,
        by,
        steps,
        stopped: false,
        engine: "warnsdorff",
        source: "clues",
        case,
    }])
}

/// The file.
pub fn to_text(all: &[Hard], seed: u64) -> String {
    let mut text = format!("# pessoi-learn hard --seed {seed}: {} boards\n", all.len());
    for hard in all {
        text.push_str(&hard.to_line());
        text.push('\n');
    }
    text
}

/// Reads the file.
pub fn read(text: &str) -> Result<Vec<Hard>> {
    text.lines().filter(|line| !line.starts_with('#')).map(Hard::parse).collect()
}
