//! A SAT problem in DIMACS form whose solutions are the tours.
//!
//! Variable (v−1)·n + i says that node v has the number i. Every node has a number and every
//! number a node, no two alike; the node with the number i+1 is a neighbour of that with
//! the number i, and for closed tours the first of the last. Fixed numbers are unit clauses.
//! Nothing is left to be cut later, so the problem has about n³ clauses.
//!
//! A solution is a numbering of the cells. Where nothing is fixed, a closed path of n cells has
//! 2n of them, since it can begin anywhere and go both ways, and an open one has 2.

use std::fmt::Write;

use super::task::Task;
use crate::error::{Error, Result};
use crate::export::{Format, Graph, Out, Page, Writer, whole};
use crate::question::Verb;

/// Larger graphs would have millions of clauses.
const MOST_NODES: usize = 150;

/// DIMACS.
pub(super) struct Dimacs;

impl Format for Dimacs {
    fn id(&self) -> &'static str {
        "dimacs"
    }

    fn help(&self) -> &'static str {
        "the tours as a SAT problem, for any SAT solver"
    }

    fn media_type(&self) -> &'static str {
        "text/plain"
    }

    fn extension(&self) -> &'static str {
        "cnf"
    }

    fn holds(&self, verb: Verb) -> bool {
        verb == Verb::Export
    }

    fn writer<'a>(&self, page: &Page<'a>, out: Out<'a>) -> Result<Box<dyn Writer + 'a>> {
        let n = page.question.board()?.len();
        if n > MOST_NODES {
            return Err(Error::unsupported(
                "format",
                format!(
                    "A board of {n} cells is too large for dimacs, which takes up to {MOST_NODES}; \
                     tsplib has no such limit."
                ),
            ));
        }
        Ok(whole(page, out, |answer, _| {
            let Some(graph) = &answer.graph else { return Ok(None) };
            // What is fixed does not depend on the moves.
            let task = Task::new(&answer.question, &[])?;
            if graph.nodes.len() != task.len() {
                return Err(Error::input("The graph of this answer is not that of its board."));
            }
            Ok(Some(problem(graph, &task).into_bytes()))
        }))
    }
}

fn problem(graph: &Graph, task: &Task) -> String {
    let n = graph.nodes.len();
    let var = |node: usize, number: usize| node * n + number + 1;
    let mut near = vec![Vec::new(); n];
    for &(a, b) in &graph.edges {
        near[a as usize].push(b as usize);
        near[b as usize].push(a as usize);
    }
    let mut clauses = 0;
    let mut body = String::new();
    // Writing to a String cannot fail.
    let mut clause = |literals: &mut dyn Iterator<Item = String>| {
        clauses += 1;
        literals.for_each(|literal| {
            let _ = write!(body, "{literal} ");
        });
        body.push_str("0\n");
    };
    for a in 0..n {
        clause(&mut (0..n).map(|number| var(a, number).to_string()));
        clause(&mut (0..n).map(|node| var(node, a).to_string()));
        for b in 0..n {
            for c in b + 1..n {
                clause(&mut [var(a, b), var(a, c)].iter().map(|v| format!("-{v}")));
                clause(&mut [var(b, a), var(c, a)].iter().map(|v| format!("-{v}")));
            }
        }
    }
    let last = if task.closed { n } else { n - 1 };
    for number in 0..last {
        for (node, near) in near.iter().enumerate() {
            let next = near.iter().map(|&to| var(to, (number + 1) % n).to_string());
            clause(&mut std::iter::once(format!("-{}", var(node, number))).chain(next));
        }
    }
    // On two cells the way back is the way there, which is no closed tour.
    if task.closed && n == 2 {
        clause(&mut std::iter::once("1".to_owned()));
        clause(&mut std::iter::once("-1".to_owned()));
    }
    // Numbers count from 1.
    for (number, node) in task.fixed() {
        clause(&mut std::iter::once(var(node as usize, number as usize - 1).to_string()));
    }
    let kind = if task.closed { "closed" } else { "open" };
    let each = match (task.is_numbered(), task.closed, n) {
        (true, ..) | (_, false, 1) => "1 solution".to_owned(),
        (_, false, _) => "2 solutions, one from each end".to_owned(),
        (_, true, _) => format!("{} solutions, from each cell both ways", 2 * n),
    };
    format!(
        "c {}, {kind} tours: variable (v-1)*{n}+i says that node v has number i\nc each tour \
         gives {each}\np cnf {} {clauses}\n{body}",
        graph.name,
        n * n
    )
}
