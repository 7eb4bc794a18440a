//! The DOT language of Graphviz.

use std::fmt::Write;

use super::Graph;

pub(super) fn graph(graph: &Graph) -> String {
    let name = graph.name.replace('\\', "\\\\").replace('"', "\\\"");
    // Writing to a String cannot fail.
    let mut text = format!("graph \"{name}\" {{\n");
    for cell in &graph.nodes {
        let _ = writeln!(text, "  \"{cell}\";");
    }
    for &(a, b) in &graph.edges {
        let (a, b) = (graph.nodes[a as usize], graph.nodes[b as usize]);
        let _ = writeln!(text, "  \"{a}\" -- \"{b}\";");
    }
    text + "}\n"
}
