//! Board graphs in graph databases.
//!
//! The Diplomatico paper keeps the graph of a board in a database and asks it for paths in
//! Cypher, the query language of Neo4j. This crate does the same, on two kinds of database,
//! and checks every path that comes back. Its words:
//!
//! - a **store** is a database that is open: [`embedded`] (grafeo, a Rust engine inside this
//!   program, in memory or kept in a file) or [`bolt`] (a Neo4j server). Both are behind one
//!   small trait, [`Store`], which runs **statements** in one transaction and hands over rows;
//! - a **board** in a store is the graph of a game's board: nodes `(:Pessoi:Cell {board,
//!   number, row, col})` and a relationship `[:MOVE]` for each direction of a move. The graph
//!   of positions of a sliding puzzle or of Go has nodes `(:Pessoi:Position {board, number,
//!   name})`. `board` is the name by which it is found again; several boards stand side by
//!   side. Only nodes with the label `Pessoi` and that name are ever written or deleted;
//! - a **search** is one of the paper's queries; an **analysis** is a ready query about a
//!   board or its solutions.
//!
//! | file | what |
//! |---|---|
//! | `cypher` | the methods `cypher-…` that are added to a catalogue |
//! | `store` | the trait, statements, rows, what can go wrong |
//! | `embedded`, `bolt` | the two backends |
//! | `boards` | loading, listing and dropping boards, with their solutions |
//! | `search` | the paper's searches, each path checked |
//! | `analysis` | degree, connectivity, articulation cells, shared moves |
//! | `bulk` | files for `neo4j-admin database import` |
//! | `tables` | the paper's tables, measured again |
//!
//! Dependencies point one way: this crate uses `pessoi`, which knows nothing of it.

pub mod analysis;
pub mod boards;
pub mod bolt;
pub mod bulk;
pub mod cypher;
pub mod embedded;
pub mod search;
pub mod store;
pub mod tables;

pub use cypher::Cypher;
pub use store::{Access, Database, Dialect, Field, Row, Statement, Store, Trouble, open};
