//! Graphs of cells, or of positions of a game.

use serde::{Deserialize, Serialize};

use crate::answer::Answer;
use crate::board::Cell;
use crate::error::Result;

/// A graph.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "RawGraph")]
pub struct Graph {
    /// What it is.
    pub name: String,
    /// Its nodes by name, each name once: cells as `row,column`, positions as the game
    /// writes them in one line.
    pub nodes: Vec<String>,
    /// Its edges as indexes into the nodes.
    pub edges: Vec<(u32, u32)>,
    /// What each edge is; empty if they are all alike.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub labels: Vec<String>,
    /// Whether edges can be walked one way only.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub directed: bool,
}

#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawGraph {
    name: String,
    nodes: Vec<String>,
    edges: Vec<(u32, u32)>,
    #[serde(default)]
    labels: Vec<String>,
    #[serde(default)]
    directed: bool,
}

impl TryFrom<RawGraph> for Graph {
    type Error = String;

    fn try_from(raw: RawGraph) -> Result<Self, String> {
        let RawGraph { name, nodes, edges, labels, directed } = raw;
        if let Some((a, b)) = edges.iter().find(|(a, b)| *a.max(b) as usize >= nodes.len()) {
            return Err(format!("the edge {a}–{b} joins a node that is not there"));
        }
        if !labels.is_empty() && labels.len() != edges.len() {
            return Err(format!("{} labels for {} edges", labels.len(), edges.len()));
        }
        Ok(Graph { name, nodes, edges, labels, directed })
    }
}

impl Graph {
    /// The nodes as cells, if that is what they are.
    pub fn cells(&self) -> Option<Vec<Cell>> {
        self.nodes.iter().map(|node| node.parse().ok()).collect()
    }

    /// The edges by name, each with its label.
    pub fn named_edges(&self) -> impl Iterator<Item = (&str, &str, Option<&str>)> {
        self.edges.iter().enumerate().map(|(k, &(a, b))| {
            let label = self.labels.get(k).map(String::as_str);
            (&*self.nodes[a as usize], &*self.nodes[b as usize], label)
        })
    }
}

/// Renders the graph of an answer; nothing if it has none.
pub(super) fn rendered(answer: &Answer, render: impl FnOnce(&Graph) -> String) -> Option<Vec<u8>> {
    answer.graph.as_ref().map(|graph| render(graph).into_bytes())
}

#[cfg(test)]
mod tests {
    use super::super::{dot, graphml};
    use super::*;

    #[test]
    fn a_path_of_three_cells_in_dot_and_graphml() {
        let nodes = ["1,1", "1,4", "4,4"].map(String::from).to_vec();
        let mut graph = Graph {
            name: "a \"path\"".into(),
            nodes,
            edges: vec![(0, 1), (1, 2)],
            labels: Vec::new(),
            directed: false,
        };
        assert_eq!(
            dot::graph(&graph),
            "graph \"a \\\"path\\\"\" {\n  \"1,1\";\n  \"1,4\";\n  \"4,4\";\n  \"1,1\" -- \
             \"1,4\";\n  \"1,4\" -- \"4,4\";\n}\n"
        );
        let xml = graphml::graph(&graph);
        assert_eq!(xml.matches("<node ").count(), 3);
        assert_eq!(xml.matches("<edge ").count(), 2);
        assert!(xml.contains("<data key=\"title\">a &quot;path&quot;</data>"), "{xml}");
        assert!(xml.contains("<node id=\"n2\"><data key=\"name\">1,4</data>"), "{xml}");
        assert!(xml.contains("<edge source=\"n2\" target=\"n3\"/>"), "{xml}");
        graph.directed = true;
        graph.labels = vec!["black".into(), "<white>".into()];
        graph.nodes[0] = ".X".into();
        assert!(dot::graph(&graph).contains("\".X\" -> \"1,4\" [label=\"black\"];"));
        let xml = graphml::graph(&graph);
        assert!(xml.contains("edgedefault=\"directed\""), "{xml}");
        assert!(xml.contains("<data key=\"label\">&lt;white&gt;</data>"), "{xml}");
    }

    /// An edge to a node that was not there used to panic in every format but JSON.
    #[test]
    fn edges_lead_to_nodes_that_are_there() {
        let json = r#"{"name":"g","nodes":["1,1","1,2"],"edges":[[0,9999]]}"#;
        let error = serde_json::from_str::<Graph>(json).unwrap_err().to_string();
        assert!(error.contains("9999"), "{error}");
    }
}
