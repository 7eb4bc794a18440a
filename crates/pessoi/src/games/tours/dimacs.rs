//! A SAT problem in DIMACS form whose solutions are the tours.
//!
//! Variable (v−1)·n + i says that node v has the number i. Every node has a number and every
//! number a node, no two alike; the node with the number i+1 is a neighbour of that with
//! the number i, and for closed tours the first of the last. Fixed numbers are unit clauses.
//! Nothing is left to be cut later, so the problem has about n³ clauses.

use std::fmt::Write;

use super::Graph;
use crate::error::{Error, Result};

/// Larger graphs would have millions of clauses.
const MOST_NODES: usize = 150;

pub(super) fn graph(graph: &Graph) -> Result<String> {
    let n = graph.nodes.len();
    if n > MOST_NODES {
        return Err(Error::input(format!(
            "A board of {n} cells is too large for dimacs, which takes up to {MOST_NODES}; tsplib \
             has no such limit."
        )));
    }
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
    let last = if graph.closed { n } else { n - 1 };
    for number in 0..last {
        for (node, near) in near.iter().enumerate() {
            let next = near.iter().map(|&to| var(to, (number + 1) % n).to_string());
            clause(&mut std::iter::once(format!("-{}", var(node, number))).chain(next));
        }
    }
    for &(number, node) in &graph.fixed {
        clause(&mut std::iter::once(var(node as usize, number as usize - 1).to_string()));
    }
    let kind = if graph.closed { "closed" } else { "open" };
    Ok(format!(
        "c {}, {kind} tours: variable (v-1)*{n}+i says that node v has number i\np cnf {} \
         {clauses}\n{body}",
        graph.name,
        n * n
    ))
}
