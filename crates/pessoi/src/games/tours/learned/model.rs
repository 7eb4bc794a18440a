//! The file of a model.
//!
//! JSON with the fields below. `format` and `version` say what it is; `features` and `signs` are
//! the names that it was trained on, which must be those of this program in the same order;
//! `provenance` says how it was made, for which moves, and how well it did. `checksum` is that of all
//! the rest, so that a file that was cut or changed by hand is refused.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::{FEATURES, SIGNS};
use crate::error::{Error, Result};
use crate::games::leapers;
use crate::games::tours::options::MODEL;

const FORMAT: &str = "pessoi-model";
const VERSION: u32 = 2;
/// No model needs more.
const MOST_TREES: usize = 1000;
const MOST_NODES: usize = 1000;
/// Larger numbers are surely a mistake, and could overflow.
const LARGEST: f64 = 1e6;

/// A model as it is in its file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Model {
    format: String,
    version: u32,
    /// The names of the features.
    features: Vec<String>,
    /// The names of the signs.
    signs: Vec<String>,
    /// How it was made and how good it is.
    pub provenance: Provenance,
    /// What judges a board.
    pub judge: Judge,
    /// The weights of the signs.
    pub order: Vec<f64>,
    checksum: String,
}

/// How a model was made and how good it is.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Provenance {
    /// The command that made it, and the data.
    pub command: String,
    /// The moves of the boards that it was trained on, such as `(0,3)+(2,2)`.
    pub moves: Vec<String>,
    /// How many boards it was trained on.
    pub trained: usize,
    /// What judges, in words.
    pub judge: String,
    /// What it was judged on, and how well it did, proofs first.
    pub metrics: BTreeMap<String, Scores>,
}

/// How good predictions are.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scores {
    /// How often a board with a tour is given the higher probability.
    pub auc: f64,
    /// The mean squared error.
    pub brier: f64,
    /// The mean distance between probability and share.
    pub calibration: f64,
}

/// What judges a board: it gives the logarithm of the odds that there is a tour.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Judge {
    /// Logistic regression: a weighted sum.
    Logistic {
        /// What is added to the sum.
        bias: f64,
        /// The weight of each feature.
        weights: Vec<f64>,
    },
    /// Boosted trees: the sum of what their leaves say.
    Trees {
        /// What is added to the sum.
        bias: f64,
        /// The nodes of each tree, the root first.
        trees: Vec<Vec<Node>>,
    },
}

/// A node of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
pub enum Node {
    /// A question: is the feature at most this?
    Split {
        /// The number of the feature.
        feature: usize,
        /// The largest value that goes left.
        most: f64,
        /// The node that follows if it is; a later one.
        left: usize,
        /// The node that follows if not; a later one.
        right: usize,
    },
    /// The end.
    Leaf {
        /// What is added to the sum.
        value: f64,
    },
}

impl Judge {
    /// The probability that a board with these features has a tour.
    pub fn probability(&self, features: &[f64]) -> f64 {
        let sum = match self {
            Judge::Logistic { bias, weights } => {
                bias + weights.iter().zip(features).map(|(weight, x)| weight * x).sum::<f64>()
            }
            Judge::Trees { bias, trees } => {
                bias + trees.iter().map(|tree| leaf(tree, features)).sum::<f64>()
            }
        };
        1.0 / (1.0 + (-sum).exp())
    }

    /// What is wrong with it, if anything.
    fn fault(&self) -> Option<&'static str> {
        let fits = |number: &f64| number.abs() <= LARGEST;
        match self {
            Judge::Logistic { bias, weights } => {
                if weights.len() != FEATURES.len() {
                    return Some("it does not have one weight for each feature");
                }
                (!weights.iter().chain([bias]).all(fits)).then_some("a weight is out of range")
            }
            Judge::Trees { bias, trees } => {
                let sizes = trees.iter().map(Vec::len).max().unwrap_or(0);
                if trees.len() > MOST_TREES || sizes > MOST_NODES {
                    return Some("it has too many trees or nodes");
                }
                for tree in trees {
                    for (at, node) in tree.iter().enumerate() {
                        let good = match node {
                            Node::Leaf { value } => fits(value),
                            // Later nodes only, so that the way down ends.
                            Node::Split { feature, most, left, right } => {
                                let later = at + 1..tree.len();
                                *feature < FEATURES.len()
                                    && fits(most)
                                    && later.contains(left)
                                    && later.contains(right)
                            }
                        };
                        if !good {
                            return Some("a node of a tree leads nowhere or is out of range");
                        }
                    }
                }
                let whole = trees.iter().all(|tree| !tree.is_empty()) && fits(bias);
                (!whole).then_some("a tree is empty or the bias is out of range")
            }
        }
    }
}

/// What a tree says.
fn leaf(tree: &[Node], features: &[f64]) -> f64 {
    let mut at = 0;
    loop {
        match tree[at] {
            Node::Leaf { value } => return value,
            Node::Split { feature, most, left, right } => {
                at = if features[feature] <= most { left } else { right };
            }
        }
    }
}

/// The model that comes with the program.
const SHIPPED: &str = include_str!("model.json");

impl Model {
    /// A model of these parts.
    pub fn new(judge: Judge, order: Vec<f64>, provenance: Provenance) -> Model {
        let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
        let mut model = Model {
            format: FORMAT.to_owned(),
            version: VERSION,
            features: names(FEATURES),
            signs: names(SIGNS),
            provenance,
            judge,
            order,
            checksum: String::new(),
        };
        model.checksum = model.sum();
        model
    }

    /// The model that comes with the program.
    pub fn shipped() -> Result<Model> {
        Model::read(SHIPPED)
    }

    /// Reads the text of a model's file.
    pub fn read(text: &str) -> Result<Model> {
        let refuse = |why: String| {
            Err(Error::option(
                MODEL.name,
                format!(
                    "The model is not accepted: {why}; give a file that pessoi-learn wrote for \
                     this version."
                ),
            ))
        };
        // What a file claims to be is looked at first, so that a foreign one is called that.
        let json: Json = match serde_json::from_str(text) {
            Ok(json) => json,
            Err(_) => return refuse("it is not JSON".into()),
        };
        if json.get("format").and_then(Json::as_str) != Some(FORMAT) {
            return refuse(format!("its format is not {FORMAT}"));
        }
        if json.get("version").and_then(Json::as_u64) != Some(u64::from(VERSION)) {
            return refuse(format!("its version is not {VERSION}"));
        }
        let model: Model = match serde_json::from_value(json) {
            Ok(model) => model,
            Err(error) => return refuse(format!("{}", crate::error::one_line(&error.to_string()))),
        };
        if model.features != FEATURES || model.signs != SIGNS {
            return refuse("it was trained on other features".into());
        }
        let order_fits = model.order.iter().all(|weight| weight.abs() <= LARGEST);
        if model.order.len() != SIGNS.len() || !order_fits {
            return refuse("its order does not have one weight for each sign".into());
        }
        if let Some(fault) = model.judge.fault() {
            return refuse(fault.into());
        }
        if model.checksum != model.sum() {
            return refuse("its checksum is not that of what it holds".into());
        }
        Ok(model)
    }

    /// The text of the file.
    pub fn to_text(&self) -> String {
        let mut text = serde_json::to_string(self).unwrap_or_default();
        text.push('\n');
        text
    }

    /// Where it comes from, in a line.
    pub fn origin(&self) -> String {
        let command = crate::error::one_line(&self.provenance.command);
        format!("{command}, checksum {}", self.checksum)
    }

    /// Whether it was trained on boards with these moves.
    pub(in crate::games::tours) fn knows(&self, moves: &[(i32, i32)]) -> bool {
        let offsets = leapers::offsets(moves);
        let trained = self.provenance.moves.iter().filter_map(|moves| leapers::parse(moves).ok());
        trained.map(|moves| leapers::offsets(&moves)).any(|known| known == offsets)
    }

    fn sum(&self) -> String {
        let whole = Model { checksum: String::new(), ..self.clone() };
        format!("{:016x}", checksum(whole.to_text().as_bytes()))
    }
}

/// A checksum of some bytes (FNV-1a, by Fowler, Noll and Vo). It finds accidents, not forgeries.
pub fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |sum, &byte| {
        (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
