//! The Hamiltonian cycle problem in TSPLIB's format, which LKH and Concorde read, and the tours
//! that they write.
//!
//! Cycles are asked for. An open path is a cycle through one further node, the *outside*, that
//! is joined to all others; where paths are wanted, it is the last node.
//!
//! A problem can fix edges, but not numbers. Clues that follow each other without a gap are a
//! way that the cycle must go, so they are fixed edges; the outside stands before the first
//! number and after the last. With one gap at most, every cycle through these edges can be
//! numbered as the clues ask. Other clues are refused.

use std::fmt::Write;

use super::options::TOUR;
use super::task::Task;
use crate::error::{Error, Result};
use crate::export::{Format, Graph, Out, Page, Writer, whole};
use crate::games::tsplib;
use crate::question::Verb;

/// TSPLIB.
pub(super) struct Tsplib;

impl Format for Tsplib {
    fn id(&self) -> &'static str {
        "tsplib"
    }

    fn help(&self) -> &'static str {
        "the tours as a Hamiltonian cycle problem, for LKH or Concorde"
    }

    fn media_type(&self) -> &'static str {
        "text/plain"
    }

    fn extension(&self) -> &'static str {
        "hcp"
    }

    fn holds(&self, verb: Verb) -> bool {
        verb == Verb::Export
    }

    fn writer<'a>(&self, page: &Page<'a>, out: Out<'a>) -> Result<Box<dyn Writer + 'a>> {
        // What is fixed does not depend on the moves.
        way(&Task::new(page.question, &[])?)?;
        Ok(whole(page, out, |answer, _| {
            let Some(graph) = &answer.graph else { return Ok(None) };
            let task = Task::new(&answer.question, &[])?;
            if graph.nodes.len() != task.len() {
                return Err(Error::input("The graph of this answer is not that of its board."));
            }
            Ok(Some(problem(graph, &task)?.into_bytes()))
        }))
    }
}

/// The nodes that must follow each other, as pairs; the outside is the node after the last.
fn way(task: &Task) -> Result<Vec<(u32, u32)>> {
    let n = task.len();
    let outside = usize::from(!task.closed);
    let mut places = vec![None; n + outside];
    if outside == 1 {
        places[0] = Some(n as u32);
    }
    // Numbers count from 1, as the places after the outside do.
    for (number, cell) in task.fixed() {
        places[number as usize - 1 + outside] = Some(cell);
    }
    let next = places.iter().cycle().skip(1);
    let pairs: Vec<_> = places.iter().zip(next).map(|(a, b)| (*a, *b)).collect();
    let ends = pairs.iter().filter(|(a, b)| a.is_some() && b.is_none()).count();
    if ends > 1 {
        let from = if task.closed { "" } else { " and begin at 1 or end at the last number" };
        return Err(Error::unsupported(
            "format",
            format!(
                "tsplib can fix moves but no numbers: clues must follow each other without a gap\
                 {from}. dimacs takes all clues."
            ),
        ));
    }
    Ok(pairs.into_iter().filter_map(|(a, b)| a.zip(b)).collect())
}

fn problem(graph: &Graph, task: &Task) -> Result<String> {
    let n = graph.nodes.len();
    let outside = usize::from(!task.closed);
    // Writing to a String cannot fail.
    let mut text = String::new();
    let _ = writeln!(text, "NAME : {}", graph.name);
    if outside == 1 {
        let _ = writeln!(text, "COMMENT : node {} closes open paths", n + 1);
    }
    let _ = writeln!(text, "TYPE : HCP\nDIMENSION : {}", n + outside);
    let _ = writeln!(text, "EDGE_DATA_FORMAT : EDGE_LIST\nEDGE_DATA_SECTION");
    for &(a, b) in &graph.edges {
        let _ = writeln!(text, "{} {}", a + 1, b + 1);
    }
    if outside == 1 {
        for node in 1..=n {
            let _ = writeln!(text, "{node} {}", n + 1);
        }
    }
    text += "-1\n";
    let fixed = way(task)?;
    if !fixed.is_empty() {
        text += "FIXED_EDGES_SECTION\n";
        for (a, b) in fixed {
            let is_move = graph.edges.iter().any(|&edge| edge == (a, b) || edge == (b, a));
            if !is_move && a.max(b) < n as u32 {
                let [a, b] = [a, b].map(|node| &graph.nodes[node as usize]);
                return Err(Error::place(format!(
                    "There is no tour: two clues follow each other, but their cells {a} and {b} are \
                     not one move apart."
                )));
            }
            let _ = writeln!(text, "{} {}", a + 1, b + 1);
        }
        text += "-1\n";
    }
    Ok(text + "EOF\n")
}

/// Reads a tour of the problem: the cells in the order of their numbers.
pub(super) fn read(task: &Task, text: &str) -> Result<Vec<u32>> {
    let bad = |what: String| Error::option(TOUR.name, format!("The tour cannot be used: {what}."));
    let n = task.len();
    let outside = usize::from(!task.closed);
    let mut nodes = tsplib::tour(text, n + outside).map_err(bad)?.nodes;
    if let Some(at) = nodes.iter().position(|&node| node == n) {
        nodes.rotate_left(at);
        nodes.remove(0);
    }
    let mut path: Vec<u32> = nodes.into_iter().map(|node| node as u32).collect();
    let name = |cell: u32| task.board.cell(cell as usize);
    let last = path.last().copied().filter(|_| task.closed);
    let before = last.into_iter().chain(path.iter().copied());
    let after = path.iter().skip(usize::from(last.is_none()));
    for (a, &b) in before.zip(after) {
        if !task.graph.joined(a, b) {
            let (a, b) = (name(a), name(b));
            return Err(bad(format!("it goes from {a} to {b}, which are not one move apart")));
        }
    }
    // A cycle can be numbered from any cell, and both ways.
    for _ in 0..2 {
        if task.closed
            && let Some((number, cell)) = task.fixed().next()
        {
            let at = path.iter().position(|&other| other == cell).unwrap_or(0);
            path.rotate_left((at + n - (number as usize - 1)) % n);
        }
        if task.fixed().all(|(number, cell)| path[number as usize - 1] == cell) {
            return Ok(path);
        }
        path.reverse();
    }
    Err(bad("its numbers are not where the clues, --from or --to have them".into()))
}
