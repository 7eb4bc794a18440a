//! Plans: which method would be used, and what it would cost.

use std::time::Duration;

use pessoi_engine::disjoint::Family;
use pessoi_engine::run::{Budget, Run};
use pessoi_engine::search::{Part, Probing, estimate};
use rustc_hash::FxHashMap;

use super::count::{Method, method};
use super::moves::{Point, plus};
use super::orderly::Orderly;
use super::task::Task;
use super::visit::visit;
use super::{Asked, inspect, longest};
use crate::answer::Plan;
use crate::error::Result;
use crate::question::{Question, Verb};

/// How long a plan looks at the search itself.
const GLANCE: Duration = Duration::from_millis(300);
const PROBES: u64 = 2000;

/// Says how a question would be answered.
pub(super) fn predict(question: &Question, leapers: &[Point], run: &Run) -> Result<Plan> {
    if question.flag("longest") {
        longest::board(question)?;
        let why = "of all ways to the same border only the longest is kept";
        let mut plan = Plan::new(question, "sweep", why);
        plan.notes.push("How many borders will occur is not predicted.".into());
        return Ok(plan);
    }
    if question.text("path").is_some() {
        inspect::classify(question, leapers, run)?;
        return Ok(Plan::new(question, "inspection", "all images of one loop are compared"));
    }
    let asked = Asked::new(question, leapers, run)?;
    let task = &asked.task;
    if let Some(proof) = task.none() {
        let mut plan = Plan::new(question, "inspection", "there is no loop, as is seen at once");
        plan.notes.push(format!("Proof: {proof}."));
        return Ok(plan);
    }
    match question.verb {
        Verb::Estimate => {
            let named = question.text("method").filter(|&name| name != "auto");
            let why = "random probes of the search tree take as long as you let them";
            return Ok(Plan::new(question, named.unwrap_or("chen"), why));
        }
        Verb::Find => {
            let why = "the first loops that the search meets are told";
            return Ok(Plan::new(question, "orderly", why));
        }
        _ => {}
    }
    let (method, why) = method(question, task)?;
    match method {
        Method::Orderly => Ok(orderly(&asked, why)),
        Method::Doubling => Ok(doubling(question, task, why)),
        Method::Paper(_) => {
            let mut plan = Plan::new(question, method.name(), why);
            plan.notes.push(
                "Not predicted; for the knight each two moves more take 30 to 50 times as long."
                    .into(),
            );
            Ok(plan)
        }
    }
}

/// The size of the tree by Knuth's probes, and the time by walking a little of it.
fn orderly(asked: &Asked, why: &str) -> Plan {
    let Asked { question, task, run } = asked;
    let mut plan = Plan::new(question, "orderly", why);
    let Ok(found) = estimate(&Orderly::new(task.clone()), Probing::Knuth, PROBES, run) else {
        plan.notes.push("There was no time for a prediction.".into());
        return plan;
    };
    let glance = run.part(Budget { time: Some(GLANCE), ..run.budget().clone() });
    visit(task, Part::WHOLE, &glance, || (), |(), _| (), |()| 0, |()| true);
    let rate = glance.progress().handled as f64 / glance.elapsed().as_secs_f64();
    plan.nodes = Some(found.tree());
    plan.seconds = Some(found.tree() / rate);
    plan.notes.push(format!(
        "Nodes by {} of Knuth's probes; time from {:.1} million nodes a second, seen just now. \
         Both may be off by half, and lists also take the time to write them.",
        found.samples,
        rate / 1e6
    ));
    plan
}

/// Memory for the half walks to the commonest end, if none met itself.
fn doubling(question: &Question, task: &Task, why: &str) -> Plan {
    let mut plan = Plan::new(question, "doubling", why);
    let half = task.length.div_ceil(2);
    let mut walks: FxHashMap<Point, f64> = FxHashMap::default();
    walks.insert((0, 0), 1.0);
    for _ in 0..half {
        let mut next: FxHashMap<Point, f64> = FxHashMap::default();
        for (&cell, &number) in &walks {
            for &step in task.moves.steps() {
                *next.entry(plus(cell, step)).or_default() += number;
            }
        }
        walks = next;
    }
    walks.remove(&(0, 0));
    let most = walks.values().copied().fold(0.0, f64::max);
    plan.bytes = Some(2.0 * Family::bytes(1, half - 1, 512) as f64 * most);
    plan.notes.push(format!(
        "At most {most:.0} half walks lead to the same cell; the memory is for those. Time is not \
         predicted: for the knight each two moves more take 10 to 20 times as long."
    ));
    plan
}
