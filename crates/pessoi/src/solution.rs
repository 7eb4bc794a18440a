//! Solutions: what is found, as data that can be drawn and checked.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::board::Cell;

/// Something found. In JSON its fields and those of its figure stand side by side.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "RawSolution", into = "RawSolution")]
pub struct Solution {
    /// What it is.
    pub figure: Figure,
    /// Its class up to symmetry, where that was asked for.
    pub class: Option<Class>,
}

/// What a solution is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Figure {
    /// Cells in the order in which a path visits them.
    Path {
        /// The cells.
        cells: Vec<Cell>,
        /// Whether the last is joined to the first.
        closed: bool,
    },
    /// Positions, each following from the one before by a move; or a single one.
    Positions {
        /// The positions, each drawn as rows of text.
        drawings: Vec<String>,
        /// The moves between them; empty where the positions alone say it.
        moves: Vec<Move>,
        /// Whether the first follows from the last.
        closed: bool,
    },
}

/// A move between two positions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Move {
    /// What moves: the number of a tile, the colour of a stone.
    pub piece: String,
    /// Where it was, if it was on the board.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<Cell>,
    /// Where it is afterwards.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<Cell>,
    /// Which way it went: `left`, `up-right` …
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub direction: Option<String>,
}

/// A class of solutions that are the same up to symmetry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Class {
    /// How many solutions it has.
    pub orbit: u64,
    /// The symmetries that leave the solution as it is, by name; empty if none.
    pub symmetries: Vec<String>,
}

/// A solution as it is written: unknown fields and fields of the other figure are refused.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawSolution {
    figure: FigureKind,
    /// The cells of a path.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    cells: Option<Vec<Cell>>,
    /// The drawings of positions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    drawings: Option<Vec<String>>,
    /// The moves between positions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    moves: Vec<Move>,
    closed: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    class: Option<Class>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum FigureKind {
    Path,
    Positions,
}

impl TryFrom<RawSolution> for Solution {
    type Error = &'static str;

    fn try_from(raw: RawSolution) -> Result<Self, Self::Error> {
        let RawSolution { figure, cells, drawings, moves, closed, class } = raw;
        let figure = match (figure, cells, drawings) {
            (FigureKind::Path, Some(cells), None) if moves.is_empty() => {
                Figure::Path { cells, closed }
            }
            (FigureKind::Positions, None, Some(drawings)) => {
                Figure::Positions { drawings, moves, closed }
            }
            (FigureKind::Path, ..) => return Err("a path has cells and nothing else"),
            (FigureKind::Positions, ..) => return Err("positions have drawings and moves"),
        };
        Ok(Solution { figure, class })
    }
}

impl From<Solution> for RawSolution {
    fn from(Solution { figure, class }: Solution) -> Self {
        match figure {
            Figure::Path { cells, closed } => RawSolution {
                figure: FigureKind::Path,
                cells: Some(cells),
                drawings: None,
                moves: Vec::new(),
                closed,
                class,
            },
            Figure::Positions { drawings, moves, closed } => RawSolution {
                figure: FigureKind::Positions,
                cells: None,
                drawings: Some(drawings),
                moves,
                closed,
                class,
            },
        }
    }
}

impl Figure {
    /// The cells of a path; none if it is something else.
    pub fn path(&self) -> &[Cell] {
        match self {
            Figure::Path { cells, .. } => cells,
            Figure::Positions { .. } => &[],
        }
    }
}

impl From<Figure> for Solution {
    fn from(figure: Figure) -> Self {
        Solution { figure, class: None }
    }
}

impl Solution {
    /// About how many bytes it takes in memory.
    pub(crate) fn bytes(&self) -> u64 {
        let own = match &self.figure {
            Figure::Path { cells, .. } => size_of_val(&cells[..]),
            Figure::Positions { drawings, moves, .. } => {
                let drawn: usize = drawings.iter().map(|d| d.len() + size_of::<String>()).sum();
                drawn + moves.len() * (size_of::<Move>() + 16)
            }
        };
        (size_of::<Solution>() + own) as u64
    }
}
