//! Ready queries about a board in a store.
//!
//! They are plain Cypher, the same text for both backends, and need no plugin. Cypher has no
//! loop, so *connectivity* and *articulation* spread along the moves in rounds, one less than
//! there are nodes, which is always enough; each round is two lines of the query. They are
//! meant for boards of up to [`MOST_NODES`] nodes.
//!
//! | name | shows |
//! |---|---|
//! | `degree` | how many nodes have how many moves |
//! | `connectivity` | the parts that no move joins, each by its first node |
//! | `articulation` | cells without which their part falls apart |
//! | `shared-moves` | how many solutions use each move (after `graph load --solutions`) |

use pessoi::{Datum, DatumKind, Error, Run, Table};

use crate::boards;
use crate::store::{Field, Row, Statement, Store};

/// The largest board whose parts are looked for.
pub const MOST_NODES: usize = 150;

/// A ready query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Analysis {
    /// Nodes by the number of their moves.
    Degree,
    /// Parts that no move joins.
    Connectivity,
    /// Cells without which their part falls apart.
    Articulation,
    /// Solutions that use a move.
    SharedMoves,
}

impl Analysis {
    /// All of them.
    pub const ALL: [Analysis; 4] =
        [Analysis::Degree, Analysis::Connectivity, Analysis::Articulation, Analysis::SharedMoves];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Analysis::Degree => "degree",
            Analysis::Connectivity => "connectivity",
            Analysis::Articulation => "articulation",
            Analysis::SharedMoves => "shared-moves",
        }
    }

    /// The analysis of this name.
    pub fn parse(name: &str) -> Result<Analysis, Error> {
        let names = Analysis::ALL.map(Analysis::name);
        let found = Analysis::ALL.into_iter().find(|analysis| analysis.name() == name);
        found.ok_or_else(|| Error::unknown("ready query", "query", name, names))
    }

    /// The query for a board of so many nodes.
    pub fn statement(self, board: &str, nodes: usize) -> Result<Statement, Error> {
        let spreads = matches!(self, Analysis::Connectivity | Analysis::Articulation);
        if spreads && nodes > MOST_NODES {
            return Err(Error::unsupported(
                "board",
                format!(
                    "The board {board:?} has {nodes} nodes; {} is asked of up to {MOST_NODES}, \
                     and pessoi analyze shows it for any board.",
                    self.name()
                ),
            ));
        }
        let rounds = |round: &str| round.repeat(nodes.saturating_sub(1));
        let text = match self {
            Analysis::Degree => "MATCH (n:Pessoi {board: $board})\n\
                 OPTIONAL MATCH (n)-[m:MOVE]->(t:Pessoi)\n\
                 WITH n, count(m) AS degree\n\
                 RETURN degree, count(*) AS nodes ORDER BY degree"
                .to_owned(),
            Analysis::Connectivity => format!(
                "MATCH (n:Pessoi {{board: $board}})\n\
                 WITH n, n.number AS least\n\
                 {}\
                 WITH least, count(*) AS nodes\n\
                 MATCH (f:Pessoi {{board: $board}}) WHERE f.number = least\n\
                 RETURN least, f.row AS row, f.col AS col, f.name AS name, nodes ORDER BY least",
                rounds(
                    "MATCH (n)-[:MOVE*0..1]-(m:Pessoi)\n\
                     WITH m AS n, min(least) AS least\n"
                )
            ),
            // A cell holds its part together if, without it, its first neighbour does not
            // reach all its other neighbours.
            Analysis::Articulation => format!(
                "MATCH (x:Pessoi {{board: $board}})-[:MOVE]-(s:Pessoi)\n\
                 WITH x, min(s.number) AS least\n\
                 MATCH (x)-[:MOVE]-(s:Pessoi) WHERE s.number = least\n\
                 WITH DISTINCT x, s AS r\n\
                 {}\
                 MATCH (x)-[:MOVE]-(r)\n\
                 WITH x, count(DISTINCT r) AS reached\n\
                 MATCH (x)-[:MOVE]-(n:Pessoi)\n\
                 WITH x, reached, count(DISTINCT n) AS degree\n\
                 WHERE reached < degree\n\
                 RETURN x.number AS number, x.row AS row, x.col AS col, x.name AS name \
                 ORDER BY number",
                rounds(
                    "MATCH (r)-[:MOVE*0..1]-(n:Pessoi) WHERE n <> x\n\
                     WITH DISTINCT x, n AS r\n"
                )
            ),
            Analysis::SharedMoves => "MATCH (a:Pessoi {board: $board})-[s:STEP]-(b:Pessoi)\n\
                 WHERE a.number < b.number\n\
                 RETURN a.row AS a_row, a.col AS a_col, b.row AS b_row, b.col AS b_col, \
                 count(DISTINCT s.solution) AS solutions\n\
                 ORDER BY solutions DESC, a_row, a_col, b_row, b_col"
                .to_owned(),
        };
        Ok(Statement::new(text).with("board", board))
    }

    /// Asks a store about its board of this name.
    pub fn ask(self, store: &mut dyn Store, board: &str, run: &Run) -> Result<Table, Error> {
        let count = Statement::new("MATCH (n:Pessoi {board: $board}) RETURN count(*) AS number");
        let count = store.rows(&count.with("board", board), run)?;
        let nodes = count.first().and_then(|row| row.first()?.int()).unwrap_or(0);
        if nodes == 0 {
            return Err(boards::missing(board));
        }
        let rows = store.rows(&self.statement(board, nodes as usize)?, run)?;
        if self == Analysis::SharedMoves && rows.is_empty() {
            return Err(Error::unsupported(
                "board",
                format!(
                    "There are no solutions beside {board:?}; pessoi graph load … --solutions \
                     writes them."
                ),
            ));
        }
        // Positions have names where cells have rows and columns. What else somebody gave to a
        // node is not looked at.
        let is_cells = rows.iter().all(|row| matches!(row.get(1), Some(Field::Int(_))));
        let node_kind = if is_cells { DatumKind::Cell } else { DatumKind::Text };
        let integer = DatumKind::Integer;
        let columns = match self {
            Analysis::Degree => vec![("moves", "moves", integer), ("nodes", "nodes", integer)],
            Analysis::Connectivity => {
                vec![("first", "part of", node_kind), ("nodes", "nodes", integer)]
            }
            Analysis::Articulation => vec![("node", "node", node_kind)],
            Analysis::SharedMoves => vec![
                ("from", "from", DatumKind::Cell),
                ("to", "to", DatumKind::Cell),
                ("solutions", "solutions", integer),
            ],
        };
        let title = format!("{} of {board}", self.name());
        let mut table = Table::new(self.name(), &title, &columns);
        for row in &rows {
            let number = |at: usize| Datum::from(row.get(at).and_then(Field::int));
            table.push_row(match self {
                Analysis::Degree => vec![number(0), number(1)],
                Analysis::Connectivity => vec![node(row, 1, is_cells), number(4)],
                Analysis::Articulation => vec![node(row, 1, is_cells)],
                Analysis::SharedMoves => vec![cell(row, 0), cell(row, 2), number(4)],
            });
        }
        Ok(table)
    }
}

/// The cell in two fields from this one on.
fn cell(row: &Row, at: usize) -> Datum {
    match row.get(at..at + 2) {
        Some(&[Field::Int(row), Field::Int(col)]) => boards::cell(row, col).into(),
        _ => Datum::Missing,
    }
}

/// A node by its cell or by its name, in three fields from this one on.
fn node(row: &Row, at: usize, is_cell: bool) -> Datum {
    match row.get(at + 2) {
        _ if is_cell => cell(row, at),
        Some(Field::Text(name)) => name.as_str().into(),
        _ => Datum::Missing,
    }
}
