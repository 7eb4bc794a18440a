//! Plans: which engine would be used, and what it would cost.

use num_traits::ToPrimitive;
use pessoi_engine::run::{Bytes, Stop};
use pessoi_engine::symmetry::factorial;

use super::explore::{Engine, Known, connection_number, too_large};
use super::find::{MODERATE, MOST_MET};
use super::holes::choose;
use super::lookup::{Bounds, MOST_HOLES};
use super::plain::{bytes_of_one, isolated};
use super::task::{Asked, so_many};
use crate::answer::{Plan, Value};
use crate::error::{Error, Result};
use crate::question::Verb;

/// States a second and thread that the tables handle on a machine of 2020.
const FAST: f64 = 5e7;
const PLAIN: f64 = 1e6;

/// Answers `plan`.
pub(super) fn predict(asked: &Asked) -> Result<Plan> {
    match asked.question.verb {
        Verb::Explore => exploring(asked),
        Verb::Sample if asked.question.text("distance").is_some() => exploring(asked),
        Verb::Find => finding(asked),
        Verb::Export => exporting(asked),
        _ => {
            if let Some(plan) = asked.told_holes().and_then(|holes| nothing(asked, holes)) {
                return Ok(plan);
            }
            let mut plan = Plan::new(
                asked.question,
                "the group of the hole-sets",
                "hole-sets are few where configurations are many",
            );
            if let Some(holes) = asked.told_holes() {
                sets(asked, holes, &mut plan);
            } else if let Err(stop) = connected(asked, &mut plan) {
                plan.notes.push(format!("How many holes that takes was not found: {stop}."));
            }
            Ok(plan)
        }
    }
}

/// Where no tile can slide there is nothing to plan.
fn nothing(asked: &Asked, holes: usize) -> Option<Plan> {
    let Value::None { proof } = asked.nothing(holes, "components")?.value else { return None };
    Some(Plan::new(asked.question, "inspection", &proof))
}

/// The connection number, which is found soon, and what that costs.
fn connected(asked: &Asked, plan: &mut Plan) -> Result<Option<usize>, Stop> {
    let (number, table) = connection_number(asked)?;
    sets(asked, number.unwrap_or(table.rows.len()), plan);
    plan.notes.push(match number {
        Some(holes) => {
            format!("With {} all configurations hang together.", so_many(holes, "hole"))
        }
        None => "With no number of holes do all configurations hang together.".into(),
    });
    Ok(number)
}

/// What listing the hole-sets costs.
fn sets(asked: &Asked, holes: usize, plan: &mut Plan) {
    let cells = asked.puzzle.len();
    match choose(cells, holes) {
        Some(ways) => {
            plan.bytes = Some(ways as f64 * (124 + cells - holes) as f64);
            let holes = so_many(holes, "hole");
            plan.notes.push(format!("There are {ways} sets of {holes} on {cells} cells."));
        }
        None => plan.notes.push(format!(
            "There are more than 2^64 sets of {holes} holes; fewer holes are tried first."
        )),
    }
}

fn exploring(asked: &Asked) -> Result<Plan> {
    let run = asked.run;
    let question = asked.question;
    let mut note = None;
    let holes = if let Some(holes) = asked.told_holes() {
        holes
    } else {
        let mut plan = Plan::new(
            question,
            "the group for 1, 2, 3 … holes",
            "the number of holes with which all hangs together is found first",
        );
        match connected(asked, &mut plan) {
            Ok(Some(holes)) => {
                note = plan.notes.pop();
                holes
            }
            Ok(None) => return Ok(plan),
            Err(stop) => {
                plan.notes.push(format!("How many holes that takes was not found: {stop}."));
                return Ok(plan);
            }
        }
    };
    if let Some(plan) = nothing(asked, holes) {
        return Ok(plan);
    }
    let start = if question.verb == Verb::Sample { asked.to(holes)? } else { asked.from(holes)? };
    let stopped = |stop: &Stop| {
        let mut plan = Plan::new(question, "nothing", &format!("planning was cut short: {stop}"));
        sets(asked, holes, &mut plan);
        Ok(plan)
    };
    let found = match Known::new(asked, holes) {
        Err(stop) => return stopped(&stop),
        Ok(Known::Maximal { .. }) => {
            return Ok(Plan::new(
                question,
                "nothing",
                "there are too many sets of holes to explore",
            ));
        }
        Ok(Known::Holes(found)) => found,
    };
    let Some((part, _)) = found.place(&start) else { return Err(isolated("from")) };
    let part = &found.parts[part];
    let threads = run.budget().threads as f64;
    let states = part.size();
    let searches = "God's number takes 2 to 25 searches of the component; the time is that of 4";
    match Engine::choose(asked, part, run) {
        Err(stop) => stopped(&stop),
        Ok(Engine::TooLarge { states, bytes }) => {
            Ok(Plan::new(question, "nothing", &too_large(&states, &bytes, run)))
        }
        Ok(Engine::Fast { size, .. }) => {
            let why = format!("a component has {states} configurations, and they rank");
            let mut plan = Plan::new(question, "tables of two bits a configuration", &why);
            plan.bytes = Some(size.bytes as f64);
            plan.seconds = Some(4.0 * size.states as f64 / FAST / threads);
            plan.notes.push(format!(
                "The tables have room for {} configurations in {}.",
                size.states,
                Bytes(size.bytes)
            ));
            plan.notes.push(format!("{searches}."));
            plan.notes.extend(note);
            Ok(plan)
        }
        Ok(Engine::Plain { states, bytes }) => {
            let why = format!("a component has {states} configurations");
            let mut plan = Plan::new(question, "plain breadth-first searches", &why);
            plan.bytes = Some(bytes as f64);
            plan.seconds = Some(states as f64 * part.sets.len() as f64 / PLAIN);
            plan.notes.push("There is one search for each set of holes up to symmetry.".into());
            plan.notes.extend(note);
            Ok(plan)
        }
    }
}

fn finding(asked: &Asked) -> Result<Plan> {
    let holes = asked.puzzle.len() - asked.tiles()?;
    let why = "the group decides whether there is one; then a shortest one is looked for from both \
               ends or with tables of bounds, and else one is made tile by tile or by the group";
    let mut plan = Plan::new(asked.question, "group membership, and a search", why);
    sets(asked, holes, &mut plan);
    let group = plan.bytes.take();
    let method = asked.question.text("method").unwrap_or("auto");
    let known = match Known::new(asked, holes) {
        Ok(Known::Holes(found)) if asked.has_from() => {
            found.place(&asked.from(holes)?).map(|(part, _)| found.parts[part].size())
        }
        _ => None,
    };
    if let Some(size) = &known {
        plan.notes.push(format!("A component has {size} configurations."));
    }
    let is_moderate = known.is_some_and(|size| size <= MODERATE.into());
    let ends = (method == "meet" || (method == "auto" && is_moderate))
        .then(|| MOST_MET as f64 * bytes_of_one(&asked.puzzle) as f64);
    let bounds = Bounds::bytes(asked.puzzle.len(), holes)
        .filter(|_| matches!(method, "auto" | "lookup") && holes <= MOST_HOLES);
    if let Some(bytes) = ends {
        plan.notes.push(format!(
            "Lists of a search from both ends would take up to {}{}.",
            Bytes(bytes as u64),
            if method == "meet" { " for every 6 million configurations met" } else { "" }
        ));
    }
    if let Some(bytes) = bounds {
        plan.notes.push(format!("Tables of bounds would take {}.", Bytes(bytes)));
    }
    // One is given back before the next is made.
    let most = [group, ends, bounds.map(|bytes| bytes as f64)];
    plan.bytes = most.into_iter().flatten().reduce(f64::max);
    Ok(plan)
}

fn exporting(asked: &Asked) -> Result<Plan> {
    let holes = asked.puzzle.len() - asked.tiles()?;
    if asked.question.flag("pieces") {
        return Ok(Plan::new(asked.question, "drawing", "only the board is needed"));
    }
    let mut plan =
        Plan::new(asked.question, "a plain breadth-first search", "every configuration is written");
    if asked.question.flag("all") {
        let cells = asked.puzzle.len();
        let size = factorial(cells) / factorial(holes);
        plan.bytes = size.to_f64().map(|size| size * 5.0 * bytes_of_one(&asked.puzzle) as f64);
        plan.notes.push(format!("There are {size} configurations."));
        return Ok(plan);
    }
    if let Some(plan) = nothing(asked, holes) {
        return Ok(plan);
    }
    let found = match asked.hole_sets(holes) {
        Ok(found) => found,
        Err(stop) => {
            plan.notes.push(format!("Its size could not be told: {stop}."));
            return Ok(plan);
        }
    };
    let start = asked.from(holes)?;
    let Some((part, _)) = found.place(&start) else { return Err(isolated("from")) };
    let size = found.parts[part].size().to_f64().ok_or_else(|| Error::internal("no size"))?;
    plan.bytes = Some(size * 5.0 * bytes_of_one(&asked.puzzle) as f64);
    plan.notes.push(format!("A component has {} configurations.", found.parts[part].size()));
    Ok(plan)
}
