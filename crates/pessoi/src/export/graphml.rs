//! `GraphML`: nodes are `n1`, `n2` … and have their name as data, cells their row and column
//! too, and edges their labels. The schema wants ids to be single words (NMTOKEN), which names
//! such as `1,1` are not.

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
    key("title", "graph", "name", "string");
    key("name", "node", "name", "string");
    if cells.is_some() {
        key("row", "node", "row", "int");
        key("col", "node", "column", "int");
    }
    if !graph.labels.is_empty() {
        key("label", "edge", "label", "string");
    }
    let direction = if graph.directed { "directed" } else { "undirected" };
    let _ = writeln!(
        text,
        "  <graph id=\"g1\" edgedefault=\"{direction}\">\n    <data key=\"title\">{}</data>",
        xml(&graph.name)
    );
    for (k, node) in graph.nodes.iter().enumerate() {
        let _ = write!(text, "    <node id=\"n{}\"><data key=\"name\">{}</data>", k + 1, xml(node));
        if let Some(cell) = cells.as_ref().map(|cells| cells[k]) {
            let _ = write!(
                text,
                "<data key=\"row\">{}</data><data key=\"col\">{}</data>",
                cell.row + 1,
                cell.col + 1
            );
        }
        text += "</node>\n";
    }
    for (k, (from, to)) in graph.edges.iter().enumerate() {
        let _ = write!(text, "    <edge source=\"n{}\" target=\"n{}\"", from + 1, to + 1);
        let _ = match graph.labels.get(k) {
            Some(label) => writeln!(text, "><data key=\"label\">{}</data></edge>", xml(label)),
            None => writeln!(text, "/>"),
        };
    }
    text + "  </graph>\n</graphml>\n"
}
