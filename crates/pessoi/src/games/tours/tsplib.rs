//! The Hamiltonian cycle problem in TSPLIB's format, which LKH and Concorde read.
//!
//! Cycles are asked for. An open path is a cycle through one further node that is joined to
//! all others; where paths are wanted, that node is the last.

use std::fmt::Write;

use super::Graph;

pub(super) fn graph(graph: &Graph) -> String {
    let n = graph.nodes.len();
    let outside = usize::from(!graph.closed);
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
