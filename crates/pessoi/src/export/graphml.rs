//! `GraphML`, with row and column as data of each node.

use std::fmt::Write;

use super::{Graph, xml};

pub(super) fn graph(graph: &Graph) -> String {
    let mut text = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n  \
         <key id=\"row\" for=\"node\" attr.name=\"row\" attr.type=\"int\"/>\n  \
         <key id=\"col\" for=\"node\" attr.name=\"column\" attr.type=\"int\"/>\n",
    );
    // Writing to a String cannot fail.
    let _ = writeln!(text, "  <graph id=\"{}\" edgedefault=\"undirected\">", xml(&graph.name));
    for cell in &graph.nodes {
        let (row, col) = (cell.row + 1, cell.col + 1);
        let _ = writeln!(
            text,
            "    <node id=\"{cell}\"><data key=\"row\">{row}</data><data \
             key=\"col\">{col}</data></node>"
        );
    }
    for &(a, b) in &graph.edges {
        let (a, b) = (graph.nodes[a as usize], graph.nodes[b as usize]);
        let _ = writeln!(text, "    <edge source=\"{a}\" target=\"{b}\"/>");
    }
    text + "  </graph>\n</graphml>\n"
}
