//! Answers as files, one file a format.
//!
//! Text for people is made by the doors; everything meant for another program or a
//! browser is made here, so that all doors write the same.

mod bfile;
mod csv;
mod dimacs;
mod dot;
mod graphml;
mod picture;
mod tsplib;

use std::fmt::{self, Write};

use serde::{Deserialize, Serialize};

use crate::answer::{Answer, Figure, Solution};
use crate::board::Cell;
use crate::error::{Error, Result};
use crate::games::{self, Card};
use crate::question::{Verb, closest};

/// How an answer is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// For people.
    Text,
    /// The whole answer, or one line for each solution and the answer last.
    Json,
    /// Comma-separated values.
    Csv,
    /// `n a(n)` a line, as the OEIS keeps sequences.
    Bfile,
    /// A picture.
    Svg,
    /// A picture on a sheet of paper.
    Pdf,
    /// A graph for Graphviz.
    Dot,
    /// A graph for most graph programs.
    Graphml,
    /// A Hamiltonian cycle problem, as LKH and Concorde read it.
    Tsplib,
    /// A SAT problem whose solutions are the tours.
    Dimacs,
    /// A list in as few bytes as its game can make it, for [`crate::read`].
    Packed,
    /// A solid body, to be printed in three dimensions.
    Stl,
}

impl Format {
    /// All formats.
    pub const ALL: [Format; 12] = [
        Format::Text,
        Format::Json,
        Format::Csv,
        Format::Bfile,
        Format::Svg,
        Format::Pdf,
        Format::Dot,
        Format::Graphml,
        Format::Tsplib,
        Format::Dimacs,
        Format::Packed,
        Format::Stl,
    ];

    /// The format's name.
    pub fn name(self) -> &'static str {
        match self {
            Format::Text => "text",
            Format::Json => "json",
            Format::Csv => "csv",
            Format::Bfile => "bfile",
            Format::Svg => "svg",
            Format::Pdf => "pdf",
            Format::Dot => "dot",
            Format::Graphml => "graphml",
            Format::Tsplib => "tsplib",
            Format::Dimacs => "dimacs",
            Format::Packed => "packed",
            Format::Stl => "stl",
        }
    }

    /// The format of this name.
    pub fn parse(name: &str) -> Result<Format> {
        Format::ALL.into_iter().find(|format| format.name() == name).ok_or_else(|| {
            let names = Format::ALL.map(Format::name);
            Error::input(match closest(name, names) {
                Some(near) => format!("There is no format {name:?}; did you mean {near}?"),
                None => format!("There is no format {name:?}; there are {}.", names.join(", ")),
            })
        })
    }

    /// Whether this format can hold any game's answer to this verb.
    pub fn takes(self, verb: Verb) -> bool {
        match self {
            Format::Text | Format::Json | Format::Csv => true,
            Format::Bfile => verb == Verb::Recurrence,
            Format::Dot | Format::Graphml => verb == Verb::Export,
            // Only games that see to it themselves.
            Format::Svg
            | Format::Pdf
            | Format::Tsplib
            | Format::Dimacs
            | Format::Packed
            | Format::Stl => false,
        }
    }

    /// Whether this format can hold a game's answer to this verb: as all games' do, or
    /// because the game sees to it itself.
    pub fn holds(self, verb: Verb, card: &Card) -> bool {
        self.takes(verb) || card.writes(verb, self)
    }

    /// Refuses a verb that this format does not hold: asked before the work is begun,
    /// so that nobody waits for what cannot be written.
    pub fn check(self, verb: Verb, card: &Card) -> Result<()> {
        if self.holds(verb, card) {
            return Ok(());
        }
        let can: Vec<_> =
            Format::ALL.into_iter().filter(|f| f.holds(verb, card)).map(Format::name).collect();
        Err(Error::input(format!(
            "The answer to {verb} cannot be written as {self}; it can be written as {}.",
            can.join(", ")
        )))
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A graph of cells, or of positions of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
    /// Whether closed tours of it are asked for.
    #[serde(default)]
    pub closed: bool,
    /// Numbers of a tour that are fixed, each with its node.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fixed: Vec<(u32, u32)>,
}

impl Graph {
    /// The nodes as cells, if that is what they are.
    pub fn cells(&self) -> Option<Vec<Cell>> {
        self.nodes.iter().map(|node| node.parse().ok()).collect()
    }

    /// The edges by name, each with its label.
    fn named_edges(&self) -> impl Iterator<Item = (&str, &str, Option<&str>)> {
        self.edges.iter().enumerate().map(|(k, &(a, b))| {
            let label = self.labels.get(k).map(String::as_str);
            (&*self.nodes[a as usize], &*self.nodes[b as usize], label)
        })
    }
}

/// An answer as a whole, in any format but text.
pub fn render(answer: &Answer, format: Format) -> Result<String> {
    let game = games::open(&answer.question.game)?;
    format.check(answer.question.verb, game.card())?;
    if game.card().writes(answer.question.verb, format) {
        return game.write(answer, format);
    }
    common(answer, format)
}

/// An answer in a format that is not peculiar to its game.
pub(crate) fn common(answer: &Answer, format: Format) -> Result<String> {
    let missing = |what: &str| {
        let card = games::open(&answer.question.game).map(games::Game::card);
        let own = card.map_or(&[][..], |card| card.formats).iter();
        let own = own.filter(|(_, verbs)| verbs.contains(&answer.question.verb));
        let own: Vec<String> = own.map(|(format, _)| format.to_string()).collect();
        let own = match &own[..] {
            [] => String::new(),
            own => format!("; it can be written as {}", own.join(" or ")),
        };
        Error::input(format!(
            "This answer has no {what}, so it cannot be written as {format}{own}."
        ))
    };
    match format {
        Format::Text => Err(Error::internal("text is written by the doors")),
        Format::Json => {
            let mut text = serde_json::to_string_pretty(answer)
                .map_err(|error| Error::internal(error.to_string()))?;
            text.push('\n');
            Ok(text)
        }
        Format::Csv => Ok(csv::answer(answer)),
        Format::Bfile if answer.terms.is_empty() => Err(missing("sequence")),
        Format::Bfile => Ok(bfile::terms(answer)),
        Format::Svg | Format::Pdf => picture::of(answer, format == Format::Pdf),
        Format::Dot => answer.graph.as_ref().map(dot::graph).ok_or_else(|| missing("graph")),
        Format::Graphml => {
            answer.graph.as_ref().map(graphml::graph).ok_or_else(|| missing("graph"))
        }
        Format::Tsplib => answer.graph.as_ref().map(tsplib::graph).ok_or_else(|| missing("graph")),
        Format::Dimacs => dimacs::graph(answer.graph.as_ref().ok_or_else(|| missing("graph"))?),
        Format::Packed => Err(Error::internal("packed lists are streamed")),
        Format::Stl => Err(missing("solid")),
    }
}

/// The terms of an answer as a b-file.
pub(crate) fn bfile_terms(answer: &Answer) -> String {
    bfile::terms(answer)
}

/// What stands before the first line of streamed solutions.
pub fn head(format: Format, verb: Verb) -> &'static str {
    if format == Format::Csv { csv::solution_head(verb == Verb::Classify) } else { "" }
}

/// One streamed solution, counted from 1, with its line end.
pub fn line(solution: &Solution, number: u64, format: Format) -> Result<String> {
    match format {
        Format::Text => Ok(text_line(solution)),
        Format::Json => serde_json::to_string(solution)
            .map(|line| line + "\n")
            .map_err(|error| Error::internal(error.to_string())),
        Format::Csv => Ok(csv::solution(solution, number)),
        _ => Err(Error::internal(format!("solutions are not streamed as {format}"))),
    }
}

/// What stands after the last line of streamed solutions, as far as it is not text.
pub fn tail(answer: &Answer, format: Format) -> Result<String> {
    match format {
        Format::Json => serde_json::to_string(answer)
            .map(|line| line + "\n")
            .map_err(|error| Error::internal(error.to_string())),
        _ => Ok(String::new()),
    }
}

fn text_line(solution: &Solution) -> String {
    let mut line = match &solution.figure {
        Figure::Path { cells, .. } => {
            cells.iter().map(Cell::to_string).collect::<Vec<_>>().join(" ")
        }
        Figure::Positions { drawings, .. } => {
            let flat = drawings.iter().map(|drawing| drawing.trim_end().replace('\n', "/"));
            flat.collect::<Vec<_>>().join("  ")
        }
    };
    if let Some(class) = &solution.class {
        // Writing to a String cannot fail.
        let _ = write!(line, "  ×{}", class.orbit);
        if !class.symmetries.is_empty() {
            let _ = write!(line, "  symmetric: {}", class.symmetries.join(", "));
        }
    }
    line + "\n"
}

/// Text made safe for XML.
pub(crate) fn xml(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_refused_where_they_make_no_sense() {
        let card = games::open("hopido").unwrap().card();
        assert!(Format::Json.check(Verb::Count, card).is_ok());
        let error = Format::Bfile.check(Verb::Find, card).unwrap_err().to_string();
        assert_eq!(
            error,
            "The answer to find cannot be written as bfile; \
             it can be written as text, json, csv, svg, pdf."
        );
        assert!(Format::parse("jsn").unwrap_err().to_string().contains("did you mean json?"));
    }

    #[test]
    fn a_path_of_three_cells_in_dot_and_graphml() {
        let nodes = ["1,1", "1,4", "4,4"].map(String::from).to_vec();
        let (edges, fixed) = (vec![(0, 1), (1, 2)], Vec::new());
        let mut graph = Graph {
            name: "a \"path\"".into(),
            nodes,
            edges,
            labels: Vec::new(),
            directed: false,
            closed: false,
            fixed,
        };
        assert_eq!(
            dot::graph(&graph),
            "graph \"a \\\"path\\\"\" {\n  \"1,1\";\n  \"1,4\";\n  \"4,4\";\n  \"1,1\" -- \
             \"1,4\";\n  \"1,4\" -- \"4,4\";\n}\n"
        );
        let graphml = graphml::graph(&graph);
        assert_eq!(graphml.matches("<node ").count(), 3);
        assert_eq!(graphml.matches("<edge ").count(), 2);
        assert!(graphml.contains("id=\"a &quot;path&quot;\""));
        graph.directed = true;
        graph.labels = vec!["black".into(), "<white>".into()];
        graph.nodes[0] = ".X".into();
        assert!(dot::graph(&graph).contains("\".X\" -> \"1,4\" [label=\"black\"];"));
        let graphml = graphml::graph(&graph);
        assert!(graphml.contains("edgedefault=\"directed\""), "{graphml}");
        assert!(graphml.contains("<data key=\"label\">&lt;white&gt;</data>"), "{graphml}");
    }
}
