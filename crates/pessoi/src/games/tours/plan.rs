//! Plans: which engine would be used, and what it would cost.

use std::time::{Duration, Instant};

use pessoi_engine::search::{Advance, Probing, Walk, estimate};

use super::border::Paths;
use super::count::{Engine, engine};
use super::extend::{Extend, Order};
use super::{Asked, proofs};
use crate::answer::Plan;
use crate::error::Result;
use crate::question::Verb;

/// How long a plan looks at a search tree.
const GLANCE: Duration = Duration::from_millis(300);

/// Says how a question would be answered.
pub(super) fn predict(asked: &Asked) -> Result<Plan> {
    let Asked { question, task, run } = asked;
    if let Some(proof) = proofs::none(task) {
        let mut plan =
            Plan::new(question, "inspection", "there is no solution, as is seen at once");
        plan.notes.push(format!("Proof: {}.", proof.sentence));
        return Ok(plan);
    }
    let (method, why) = match question.verb {
        Verb::Analyze | Verb::Export => {
            return Ok(Plan::new(question, "inspection", "nothing needs to be solved"));
        }
        Verb::Estimate => {
            let method = question.text("method").filter(|&m| m != "auto").unwrap_or("chen");
            return Ok(Plan::new(question, method, "random probes; the time is as you set it"));
        }
        Verb::Find => {
            let method = question.text("method").filter(|&m| m != "auto").unwrap_or("warnsdorff");
            let mut plan = Plan::new(question, method, "one solution, or few, by search");
            plan.notes.push("How soon a search finds a solution cannot be predicted.".into());
            return Ok(plan);
        }
        Verb::Sample => ("sweep", "uniform samples need all layers".to_owned()),
        Verb::Count => match engine(asked)? {
            Engine::Sweep(_, why) => ("sweep", why),
            Engine::Search(why) => ("search", why),
        },
        _ => ("search", "every solution must be visited".to_owned()),
    };
    let mut plan = Plan::new(question, method, &why);
    if method == "sweep" {
        let paths = Paths::new(task)?;
        plan.notes.push(format!(
            "The border has up to {} cells; how many borders will occur is not predicted.",
            paths.slots()
        ));
        return Ok(plan);
    }
    // The size of the tree by Knuth's probes, the time by walking a little of it.
    let search = Extend::new(task.clone(), Order::Plain);
    let tree = estimate(&search, Probing::Knuth, 2000, run);
    let began = Instant::now();
    let mut walk = Walk::new(search, run);
    while began.elapsed() < GLANCE && !matches!(walk.advance(1000), Ok(Advance::Exhausted) | Err(_))
    {
    }
    let rate = walk.nodes() as f64 / began.elapsed().as_secs_f64();
    if let Ok(tree) = tree {
        plan.nodes = Some(tree.tree);
        plan.seconds = Some(tree.tree / rate / run.budget().threads as f64);
        plan.notes.push(format!(
            "Nodes by {} of Knuth's probes; time from {:.1} million nodes a second and thread, \
             seen just now. Both may be far off on large boards.",
            tree.samples,
            rate / 1e6
        ));
    }
    Ok(plan)
}
