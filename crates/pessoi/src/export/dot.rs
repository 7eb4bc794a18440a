//! The DOT language of Graphviz.

use std::fmt::Write;

use super::graph::{Graph, rendered};
use super::{Format, Out, Page, Writer, whole};
use crate::error::Result;
use crate::question::Verb;

/// Graphviz.
pub(super) struct Dot;

impl Format for Dot {
    fn id(&self) -> &'static str {
        "dot"
    }

    fn help(&self) -> &'static str {
        "a graph for Graphviz"
    }

    fn media_type(&self) -> &'static str {
        "text/vnd.graphviz"
    }

    fn extension(&self) -> &'static str {
        "dot"
    }

    fn holds(&self, verb: Verb) -> bool {
        verb == Verb::Export
    }

    fn writer<'a>(&self, page: &Page<'a>, out: Out<'a>) -> Result<Box<dyn Writer + 'a>> {
        Ok(whole(page, out, |answer, _| Ok(rendered(answer, graph))))
    }
}

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
