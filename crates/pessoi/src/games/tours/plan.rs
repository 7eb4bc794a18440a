//! Plans: which engine would be used, and what it would cost.

use std::time::{Duration, Instant};

use pessoi_engine::search::{Advance, Probing, Search, Walk, estimate};

use super::border::Paths;
use super::branch::{self, Branch};
use super::count::{self, Engine, engine};
use super::extend::{Extend, Order};
use super::{Asked, generate, proofs};
use crate::answer::Plan;
use crate::error::Result;
use crate::question::Verb;

/// How long a plan looks at a search tree.
const GLANCE: Duration = Duration::from_millis(300);

/// Says how a question would be answered.
pub(super) fn predict(asked: &Asked) -> Result<Plan> {
    let Asked { question, task, .. } = asked;
    match question.verb {
        Verb::Analyze | Verb::Export => {
            return Ok(Plan::new(question, "inspection", "nothing needs to be solved"));
        }
        Verb::Explore => {
            let why = "one breadth-first search for each symmetry class of cells is enough";
            return Ok(Plan::new(question, "breadth-first search", why));
        }
        _ => {}
    }
    if let Some(proof) = proofs::none(task) {
        let mut plan =
            Plan::new(question, "inspection", "there is no solution, as is seen at once");
        plan.notes.push(format!("Proof: {}.", proof.sentence));
        return Ok(plan);
    }
    let named = |usual| question.text("method").filter(|&m| m != "auto").unwrap_or(usual);
    match question.verb {
        Verb::Estimate => {
            let why = "random probes of the search tree take as long as you let them";
            Ok(Plan::new(question, named("chen"), why))
        }
        Verb::Find => {
            let mut plan = Plan::new(question, named("rotations"), "a solution is to be found");
            plan.notes.push("How soon a search finds a solution cannot be predicted.".into());
            Ok(plan)
        }
        Verb::Generate => {
            generate::wished(asked)?;
            let why = "a random tour is found, and clues go while the solution is the only one";
            Ok(Plan::new(question, "search", why))
        }
        Verb::Sample => Ok(sweep(asked, &Paths::new(task)?, "uniform samples need all layers")),
        Verb::Count if count::limit(asked)?.is_some() => {
            let why = "paths are counted as they are found, up to the limit";
            Ok(Plan::new(question, "search", why))
        }
        Verb::Count => match engine(asked)? {
            Engine::Sweep(paths, why) => Ok(sweep(asked, &paths, &why)),
            Engine::Branch(why) if branch::fits::<64>(task) => {
                Ok(tree(asked, Branch::<u64, 64>::new(task), "branch", &why))
            }
            Engine::Branch(why) => Ok(tree(asked, Branch::<u128, 128>::new(task), "branch", &why)),
            Engine::Search(why) => Ok(paths_tree(asked, &why)),
        },
        _ => Ok(paths_tree(asked, "every solution must be visited")),
    }
}

fn sweep(asked: &Asked, paths: &Paths, why: &str) -> Plan {
    let mut plan = Plan::new(asked.question, "sweep", why);
    plan.notes.push(format!(
        "The border has up to {} cells; how many borders will occur is not predicted.",
        paths.slots()
    ));
    plan
}

fn paths_tree(asked: &Asked, why: &str) -> Plan {
    tree(asked, Extend::new(asked.task.clone(), Order::Plain), "search", why)
}

/// Predicts the size of a tree by Knuth's probes, the time by walking a little of it.
fn tree<S>(asked: &Asked, search: S, method: &str, why: &str) -> Plan
where
    S: Search + Clone + Send + Sync,
{
    let run = asked.run;
    let mut plan = Plan::new(asked.question, method, why);
    let probes = count::probes(&asked.task);
    let Ok(found) = estimate(&search, Probing::Knuth, probes, run) else {
        plan.notes.push("There was no time for a prediction.".into());
        return plan;
    };
    if !found.tree().is_finite() {
        plan.notes.push("The search tree is too large for a prediction.".into());
        return plan;
    }
    let began = Instant::now();
    let mut walk = Walk::new(search, run);
    while began.elapsed() < GLANCE && !matches!(walk.advance(1000), Ok(Advance::Exhausted) | Err(_))
    {
    }
    let rate = walk.nodes() as f64 / began.elapsed().as_secs_f64();
    plan.nodes = Some(found.tree());
    plan.seconds = Some(found.tree() / rate / run.budget().threads as f64);
    plan.notes.push(format!(
        "Nodes by {} of Knuth's probes; time from {:.1} million nodes a second and thread, seen \
         just now. Both may be far off on large boards.",
        found.samples,
        rate / 1e6
    ));
    plan
}
