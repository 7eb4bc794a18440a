//! Counting: by moves at the most constrained cell, by the sweep, or by search over paths;
//! random probes of the search tree choose, unless one is asked for.

use num_bigint::BigUint;
use num_traits::Zero;
use pessoi_engine::run::Run;
use pessoi_engine::search::{Part, Probing, Search, estimate, fold, tally};
use pessoi_engine::sweep::{self, SweepError};
use pessoi_engine::symmetry::burnside;

use super::border::Paths;
use super::branch::{self, Branch};
use super::extend::{Extend, Order};
use super::partial::Bits;
use super::task::Task;
use super::{Asked, exhausted, find};
use crate::answer::{Answer, Table, Value};
use crate::board::symmetries::group_name;
use crate::certificate::Certificate;
use crate::error::{Error, Result};

/// Turns the number of numberings that a search met into what is asked for.
pub(super) fn met_to_counted(met: u64, task: &Task) -> Result<BigUint> {
    if !task.has_two_directions() || task.directed {
        return Ok(met.into());
    }
    if met % 2 == 1 {
        return Err(Error::internal(format!("{met} directed paths, an odd number, were met")));
    }
    Ok((met / 2).into())
}

/// How a count is done, and why so.
pub(super) enum Engine {
    Sweep(Box<Paths>, String),
    Branch(String),
    Search(String),
}

/// Search trees of up to this many nodes (some seconds) are walked rather than swept …
const WALKABLE: f64 = 1e7;
/// … and of up to this many (some minutes) if the border is wide, for then there are very
/// many borders: 7×7 closed has 3·10⁷ nodes and 1.7·10⁷ borders, each ten times as dear.
const WALKABLE_IF_WIDE: f64 = 5e9;
const WIDE: usize = 15;

/// What cannot be swept, and what can be done with it instead.
fn elsewhere(error: &Error) -> Error {
    let what = error.to_string();
    Error::input(format!(
        "{}; search takes any board, branch up to 127 cells, and estimate tells about how many \
         there are.",
        what.trim_end_matches('.')
    ))
}

/// Chooses the engine for a count.
pub(super) fn engine(asked: &Asked) -> Result<Engine> {
    let Asked { question, task, .. } = asked;
    let because = |why: &str| Ok(Engine::Search(why.to_owned()));
    match (question.text("method"), question.text("part").is_some()) {
        (Some("sweep" | "plain-sweep"), true) => {
            Err(Error::input("The sweep cannot be split into parts; --method search can."))
        }
        (Some("sweep"), false) => {
            let paths = Paths::merging(task).map_err(|error| elsewhere(&error))?;
            Ok(Engine::Sweep(Box::new(paths), "it was asked for".to_owned()))
        }
        (Some("plain-sweep"), false) => {
            let paths = Paths::plain(task).map_err(|error| elsewhere(&error))?;
            Ok(Engine::Sweep(Box::new(paths), "it was asked for".to_owned()))
        }
        (Some("search"), _) => because("it was asked for"),
        (Some("branch"), true) => {
            Err(Error::input("Only --method search can be split into parts so far."))
        }
        (Some("branch"), false) if branch::fits::<128>(task) => {
            Ok(Engine::Branch("it was asked for".to_owned()))
        }
        (Some("branch"), false) => Err(Error::input(
            "Branching takes boards of 3 to 127 cells without clues between the first and the \
             last number; sweep takes narrow boards of any length, search takes any, and \
             estimate tells about how many there are.",
        )),
        (_, true) => because("only the search can be split into parts"),
        (_, false) => Ok(chosen(asked)),
    }
}

/// About how many nodes a search tree has.
fn nodes<S: Search + Clone + Send + Sync>(search: &S, task: &Task, run: &Run) -> f64 {
    estimate(search, Probing::Knuth, probes(task), run).map_or(0.0, |found| found.tree())
}

/// How many probes give an idea of a board's search tree without taking long.
pub(super) fn probes(task: &Task) -> u64 {
    (200_000 / task.len() as u64).clamp(20, 200)
}

/// The engine that random probes of the search tree speak for.
fn chosen(asked: &Asked) -> Engine {
    let Asked { task, run, .. } = asked;
    let branches = branch::fits::<128>(task);
    let tree = if branch::fits::<64>(task) {
        nodes(&Branch::<u64, 64>::new(task), task, run)
    } else if branches {
        nodes(&Branch::<u128, 128>::new(task), task, run)
    } else {
        nodes(&Extend::new(task.clone(), Order::Plain), task, run)
    };
    let walk = |why: &str| {
        if branches { Engine::Branch(why.to_owned()) } else { Engine::Search(why.to_owned()) }
    };
    match Paths::merging(task) {
        Err(error) => walk(error.to_string().trim_end_matches('.')),
        Ok(_) if tree < WALKABLE => walk("random probes show a small search tree"),
        Ok(paths) if paths.slots() >= WIDE && tree < WALKABLE_IF_WIDE => {
            walk("random probes show a search tree that can be walked, and the border is wide")
        }
        Ok(paths) => {
            let why = "random probes show a large search tree, and a sweep does not need more \
                       time for more solutions";
            Engine::Sweep(Box::new(paths), why.to_owned())
        }
    }
}

/// Counts classes up to the symmetries of the board, by Burnside's lemma: the number of
/// classes is the mean, over the symmetries, of the number of tours that each keeps. The
/// identity keeps all; an undirected open tour can only be kept by being turned round.
fn classes(asked: &Asked) -> Result<Answer> {
    let Asked { question, task, run } = asked;
    if task.directed || task.is_numbered() || question.text("part").is_some() {
        return Err(Error::input(
            "--classes counts undirected paths with nothing fixed, and cannot be split into parts.",
        ));
    }
    // The tours that a symmetry keeps are counted by moves, whatever counts them all.
    if !branch::fits::<128>(task) {
        return Err(Error::input("--classes takes boards of 3 to 127 cells."));
    }
    let whole = all(asked)?;
    let Value::Exact { number } = whole.value else { return Ok(whole) };
    let symmetries = task.board.symmetries();
    let mut kept = vec![number];
    for symmetry in &symmetries[1..] {
        let images = &symmetry.permutation;
        let counted = if branch::fits::<64>(task) {
            tally(&Branch::<u64, 64>::invariant(task, images), Part::WHOLE, run)
        } else {
            tally(&Branch::<u128, 128>::invariant(task, images), Part::WHOLE, run)
        };
        match counted {
            Ok(counted) => kept.push(counted.solutions.into()),
            Err(stopped) => return Ok(asked.gave_up(&stopped.why, "Burnside's lemma")),
        }
    }
    let mut table = Table::new("Paths that each symmetry keeps", &["symmetry", "paths"]);
    let named = symmetries.iter().zip(&kept);
    table.rows = named.map(|(g, paths)| vec![g.name.clone(), paths.to_string()]).collect();
    let number = burnside(kept).map_err(|error| Error::internal(error.to_string()))?;
    let method = format!("Burnside's lemma over {}", whole.method);
    let mut answer = asked.answer(Value::Exact { number }, &method);
    answer.counts = format!(
        "classes of {} up to the symmetries of the board ({})",
        task.counts(),
        group_name(&symmetries)
    );
    answer.tables.push(table);
    answer.cost.nodes = Some(run.progress().handled);
    Ok(answer)
}

pub(super) fn by_branch_of_size(asked: &Asked) -> Result<Answer> {
    if branch::fits::<64>(&asked.task) {
        by_branch::<u64, 64>(asked)
    } else {
        by_branch::<u128, 128>(asked)
    }
}

/// The number at which counting may stop, if one is given.
pub(super) fn limit(asked: &Asked) -> Result<Option<u64>> {
    let Asked { question, task, .. } = asked;
    let Some(limit) = question.number("limit") else { return Ok(None) };
    let refuse = |why: &str| Err(Error::input(format!("--limit {why}.")));
    match question.text("method") {
        None | Some("auto" | "search") => {}
        Some(other) => {
            return refuse(&format!(
                "goes with --method search, which meets path by path; {other} cannot stop early"
            ));
        }
    }
    if question.text("part").is_some() {
        return refuse("and --part contradict each other: a part is counted to its end");
    }
    if question.flag("classes") {
        return refuse("and --classes contradict each other: classes need all paths");
    }
    if task.directed {
        return refuse(
            "counts each path once, in whichever direction it is met: leave out --directed",
        );
    }
    Ok(Some(limit))
}

/// Counts paths as they are found, up to a limit: is there one, is there a second?
fn up_to(asked: &Asked, limit: u64) -> Answer {
    let Asked { task, run, .. } = asked;
    let found = find::warnsdorff(task, limit, run);
    let mut answer = asked.answer(found.value(), &found.method);
    answer.cost.nodes = Some(run.progress().handled);
    answer.seed = Some(run.budget().seed);
    answer
}

/// Answers `count`.
pub(super) fn count(asked: &Asked) -> Result<Answer> {
    if let Some(limit) = limit(asked)? {
        return Ok(up_to(asked, limit));
    }
    if asked.question.flag("classes") { classes(asked) } else { all(asked) }
}

/// Counts all tours by the engine that is asked for or chosen.
fn all(asked: &Asked) -> Result<Answer> {
    match engine(asked)? {
        Engine::Sweep(paths, _) => by_sweep(asked, &paths),
        Engine::Branch(_) => by_branch_of_size(asked),
        Engine::Search(_) => by_search(asked),
    }
}

fn by_sweep(asked: &Asked, paths: &Paths) -> Result<Answer> {
    let Asked { task, run, .. } = asked;
    let method = format!("sweep over a border of up to {} cells", paths.slots());
    let counted = match sweep::count(paths, run) {
        Ok(counted) => counted,
        Err(SweepError::Stop(stop)) => return Ok(asked.gave_up(&stop, &method)),
        Err(error @ SweepError::TooLarge) => return Err(Error::input(format!("{error}."))),
        Err(error) => return Err(Error::internal(error.to_string())),
    };
    let total = if task.directed { &counted.total * 2u32 } else { counted.total.clone() };
    let value = if total.is_zero() {
        Value::None { proof: "the sweep over all choices found no path".into() }
    } else {
        Value::Exact { number: total }
    };
    let mut answer = asked.answer(value, &method);
    answer.cost.borders = Some(counted.handled());
    answer.cost.peak_borders = Some(counted.peak());
    if !task.directed && !counted.total.is_zero() {
        answer.certificate = Some(Certificate::Residues { residues: counted.residues });
    }
    Ok(answer)
}

fn by_branch<B: Bits, const N: usize>(asked: &Asked) -> Result<Answer> {
    let Asked { task, run, .. } = asked;
    let search = Branch::<B, N>::new(task);
    let counted = fold(
        &search,
        Part::WHOLE,
        run,
        || 0u128,
        |sum, at| *sum += u128::from(at.weight()),
        |sum, more| *sum += more,
    );
    let (sum, stopped) = match counted {
        Ok(all) => (all.folded, None),
        Err(stopped) => (stopped.so_far.folded, Some(stopped.why)),
    };
    // Open tours without fixed ends are counted from both ends, others once.
    let directions = if task.has_two_directions() && !task.closed { 2 } else { 1 };
    let wanted = if task.directed { 2 } else { 1 };
    let number = sum * wanted / directions;
    let value = match &stopped {
        Some(stop) => Value::stopped(number, stop),
        None if sum * wanted % directions != 0 => {
            return Err(Error::internal(format!("{sum} paths from both ends, an odd number")));
        }
        None if sum == 0 => exhausted(),
        None => Value::exact(number),
    };
    let method = "search over moves at the most constrained cell";
    let mut answer = asked.answer(value, method);
    answer.cost.nodes = Some(run.progress().handled);
    Ok(answer)
}

fn by_search(asked: &Asked) -> Result<Answer> {
    let Asked { question, task, run } = asked;
    let search = Extend::new(task.clone(), Order::Plain);
    let (counted, stopped) = match tally(&search, question.part(), run) {
        Ok(counted) => (counted, None),
        Err(stopped) => (stopped.so_far, Some(stopped.why)),
    };
    let value = match &stopped {
        // Of the paths met, one direction or both may have been met so far.
        Some(stop) => {
            let met = counted.solutions;
            let halved = task.has_two_directions() && !task.directed && question.part().is_whole();
            let sure = if halved { met.div_ceil(2) } else { met };
            Value::stopped(sure, stop)
        }
        None if counted.solutions == 0 && question.part().is_whole() => exhausted(),
        None if !question.part().is_whole() => Value::exact(counted.solutions),
        None => Value::Exact { number: met_to_counted(counted.solutions, task)? },
    };
    let mut answer = asked.answer(value, "search over all paths");
    answer.cost.nodes = Some(run.progress().handled);
    if task.has_two_directions() && !question.part().is_whole() {
        "directed paths met in this part".clone_into(&mut answer.counts);
        answer.notes.push(
            "The two directions of a path may lie in different parts, so a part counts \
             directed paths; the sum over all parts is twice the number of undirected ones."
                .into(),
        );
    }
    Ok(answer)
}
