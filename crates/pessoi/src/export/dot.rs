//! The DOT language of Graphviz.

use std::fmt::Write;

use super::Graph;

pub(super) fn graph(graph: &Graph) -> String {
    let (kind, arrow) = if graph.directed { ("digraph", "->") } else { ("graph", "--") };
    // Writing to a String cannot fail.
    let mut text = format!("{kind} \"{}\" {{\n", escaped(&graph.name));
    for node in &graph.nodes {
        let _ = writeln!(text, "  \"{}\";", escaped(node));
    }
    for (from, to, label) in graph.named_edges() {
        let _ = write!(text, "  \"{}\" {arrow} \"{}\"", escaped(from), escaped(to));
        if let Some(label) = label {
            let _ = write!(text, " [label=\"{}\"]", escaped(label));
        }
        text += ";\n";
    }
    text + "}\n"
}

/// Text made safe for a quoted name.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}
