//! `GraphML`: cells have their row and column as data, edges their labels.

use std::fmt::Write;

use super::graph::{Graph, rendered};
use super::{Format, Out, Page, Writer, whole, xml};
use crate::error::Result;
use crate::question::Verb;

/// `GraphML`.
pub(super) struct Graphml;

impl Format for Graphml {
    fn id(&self) -> &'static str {
        "graphml"
    }

    fn help(&self) -> &'static str {
        "a graph for most graph programs"
    }

    fn media_type(&self) -> &'static str {
        "application/graphml+xml"
    }

    fn extension(&self) -> &'static str {
        "graphml"
    }

    fn holds(&self, verb: Verb) -> bool {
        verb == Verb::Export
    }

    fn writer<'a>(&self, page: &Page<'a>, out: Out<'a>) -> Result<Box<dyn Writer + 'a>> {
        Ok(whole(page, out, |answer, _| Ok(rendered(answer, graph))))
    }
}

pub(super) fn graph(graph: &Graph) -> String {
    let cells = graph.cells();
    let mut text = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n",
    );
    // Writing to a String cannot fail.
    let mut key = |id: &str, what: &str, name: &str, kind: &str| {
        let _ = writeln!(
            text,
            "  <key id=\"{id}\" for=\"{what}\" attr.name=\"{name}\" attr.type=\"{kind}\"/>"
        );
    };
    if cells.is_some() {
        key("row", "node", "row", "int");
        key("col", "node", "column", "int");
    }
    if !graph.labels.is_empty() {
        key("label", "edge", "label", "string");
    }
    let direction = if graph.directed { "directed" } else { "undirected" };
    let _ = writeln!(text, "  <graph id=\"{}\" edgedefault=\"{direction}\">", xml(&graph.name));
    for (k, node) in graph.nodes.iter().enumerate() {
        let _ = write!(text, "    <node id=\"{}\"", xml(node));
        let _ = match cells.as_ref().map(|cells| cells[k]) {
            Some(cell) => writeln!(
                text,
                "><data key=\"row\">{}</data><data key=\"col\">{}</data></node>",
                cell.row + 1,
                cell.col + 1
            ),
            None => writeln!(text, "/>"),
        };
    }
    for (from, to, label) in graph.named_edges() {
        let _ = write!(text, "    <edge source=\"{}\" target=\"{}\"", xml(from), xml(to));
        let _ = match label {
            Some(label) => writeln!(text, "><data key=\"label\">{}</data></edge>", xml(label)),
            None => writeln!(text, "/>"),
        };
    }
    text + "  </graph>\n</graphml>\n"
}
