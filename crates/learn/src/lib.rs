//! Hard boards for tours, their labels, and models that are learned from them.
//!
//! This is a laboratory: nothing here is needed to answer a question. It draws boards from a seed,
//! asks the library whether they have a tour, trains models and compares them. What it ships
//! is a file, `model.json`, which the library reads by itself.
//!
//! | file | idea |
//! |---|---|
//! | `case` | a board and what a tour of it must be, as a line; canonical forms |
//! | `draw` | boards at random, with colours that fit and two moves a cell |
//! | `label` | whether there is a tour, proved, at a cost counted in steps |
//! | `puzzle` | clues of a known tour |
//! | `tight` | boards with just enough moves |
//! | `hard` | boards on which today's methods are slow |
//! | `data` | boards to learn from, split by canonical form and by size |
//! | `transition` | the share of boards with a tour, by density |
//! | `learners`, `net` | logistic regression, boosted trees, a graph network |
//! | `score` | AUC, Brier score, calibration, intervals |
//! | `train`, `guide` | the tables of the book |

pub mod case;
pub mod data;
pub mod draw;
pub mod guide;
pub mod hard;
pub mod label;
pub mod learners;
pub mod net;
pub mod puzzle;
pub mod score;
pub mod tight;
pub mod train;
pub mod transition;
