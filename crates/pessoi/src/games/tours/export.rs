//! The move graph, for other programs.

use super::options::INSPECTION;
use super::task::Task;
use super::{Tour, Work};
use crate::answer::{Answer, Subject, Value};
use crate::error::Result;
use crate::export::Graph;
use crate::job::Events;
use crate::label::heading;
use crate::plan::Plan;

/// What the answer is about.
const MOVE_GRAPH: Subject = Subject::measure("move-graph", "the graph of the moves");

/// The move graph is to be written.
pub(super) struct Export;

impl Work for Export {
    fn subject(&self, _: &Task, _: &Value) -> Option<Subject> {
        Some(MOVE_GRAPH)
    }

    fn solves(&self) -> bool {
        false
    }

    fn plan(&self, at: &Tour) -> Result<Plan> {
        Ok(at.plan(&INSPECTION, "nothing needs to be solved"))
    }

    fn answer(&self, at: &Tour, _: &mut dyn Events) -> Result<Answer> {
        let (question, task) = (at.question(), at.task);
        let graph = Graph {
            name: heading(question),
            nodes: task.board.cells().iter().map(ToString::to_string).collect(),
            edges: task.graph.edges().collect(),
            labels: Vec::new(),
            directed: false,
        };
        let mut answer = at.asked.answer(&MOVE_GRAPH, Value::Described {}, &INSPECTION);
        answer.fact("cells", "cells", graph.nodes.len());
        answer.fact("moves", "moves, undirected", graph.edges.len());
        answer.graph = Some(graph);
        Ok(answer)
    }
}
