//! The Hamiltonian cycle problem in TSPLIB's format, which LKH and Concorde read.
//!
//! Cycles are asked for. An open path is a cycle through one further node that is joined to
//! all others; where paths are wanted, that node is the last.

use std::fmt::Write;

use super::options::CLOSED;
use crate::answer::Answer;
use crate::error::{Error, Result};
use crate::export::{Format, Graph, Out, Page, Writer, whole};
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
        if !page.question.drawing()?.clues.is_empty() {
            return Err(Error::unsupported(
                "format",
                "TSPLIB has no place for numbers that are fixed; dimacs has.",
            ));
        }
        Ok(whole(page, out, |answer, _| {
            Ok(answer.graph.as_ref().map(|graph| problem(answer, graph).into_bytes()))
        }))
    }
}

fn problem(answer: &Answer, graph: &Graph) -> String {
    let n = graph.nodes.len();
    let outside = usize::from(!answer.question.flag(&CLOSED));
    // Writing to a String cannot fail.
    let mut text = String::new();
    let _ = writeln!(text, "NAME : {}", graph.name);
    if outside == 1 {
        let _ = writeln!(text, "COMMENT : node {} closes open paths; leave it out", n + 1);
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
    text + "-1\nEOF\n"
}
