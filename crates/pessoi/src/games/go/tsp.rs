//! Symmetric cycles as a travelling salesman problem, for Concorde and LKH.
//!
//! Section 8 of the paper: every class of positions becomes a *gadget* of four nodes, in₀,
//! in₁, out₀ and out₁, joined in₀–in₁ and out₀–out₁ at cost 0 and in₀–out₀ and in₁–out₁ at
//! cost 1. A move joins outᵢ to inᵢ, or to the other in if it leads to the reverse, at cost 2.
//! In one gadget, the first, the edges of cost 1 are crossed. A tour of cost 3 for each gadget
//! goes in, across, up or down, across and out of each, and is a symmetric cycle (lemma 18).
//! All other pairs of nodes cost so much that a tour with one of them is dearer than that.

use std::fmt::Write;

use super::hamilton::Covering;
use super::moves::{Small, Stones};
use super::options::TOUR;
use crate::board::Board;
use crate::error::{Code, Error, Result};
use crate::export::{Format, Out, Page, Writer, whole};
use crate::games::tsplib::{self, Tour};
use crate::job::{Halt, Work};
use crate::question::Verb;
use pessoi_engine::run::Run;

/// The largest problem that is written: a matrix of this many rows.
const MOST_NODES: usize = 5000;

/// A node of a gadget.
fn node(class: usize, out: bool, side: usize) -> usize {
    4 * class + 2 * usize::from(out) + side
}

/// The cost of each edge, all others aside.
fn edges(covering: &Covering) -> Vec<(usize, usize, u32)> {
    let mut edges = Vec::new();
    for (class, next) in covering.next.iter().enumerate() {
        for side in 0..2 {
            let across = if class == 0 { 1 - side } else { side };
            edges.push((node(class, false, side), node(class, true, across), 1));
            for &(to, turned) in next.iter().filter(|&&(to, _)| to as usize != class) {
                let to_side = side ^ usize::from(turned);
                edges.push((node(class, true, side), node(to as usize, false, to_side), 2));
            }
        }
        edges.push((node(class, false, 0), node(class, false, 1), 0));
        edges.push((node(class, true, 0), node(class, true, 1), 0));
    }
    edges
}

/// The format TSPLIB.
pub(super) struct Tsplib;

impl Format for Tsplib {
    fn id(&self) -> &'static str {
        "tsplib"
    }

    fn help(&self) -> &'static str {
        "symmetric cycles as a travelling salesman problem, for Concorde and LKH"
    }

    fn media_type(&self) -> &'static str {
        "text/plain"
    }

    fn extension(&self) -> &'static str {
        "tsp"
    }

    fn holds(&self, verb: Verb) -> bool {
        verb == Verb::Export
    }

    fn writer<'a>(&self, page: &Page<'a>, out: Out<'a>) -> Result<Box<dyn Writer + 'a>> {
        check_size(page.question.board()?).map_err(|why| Error::unsupported("format", why))?;
        Ok(whole(page, out, |answer, page| {
            let board = answer.question.board()?;
            match problem(board, page.run) {
                Ok(text) => Ok(Some(text.into_bytes())),
                Err(Halt::Error(error)) => Err(error),
                Err(Halt::Stop(stop)) => {
                    let sentence = format!("The problem cannot be written: {stop}.");
                    Err(Error { code: Code::Stopped, field: None, sentence })
                }
            }
        }))
    }
}

/// Refuses boards whose problem is too large, or nothing at all; says why.
fn check_size(board: &Board) -> Result<(), String> {
    let name = board.name();
    let small = Small::new(board).map_err(|error| error.sentence)?;
    // Four nodes for two positions; the empty one stands for itself.
    let nodes = 2 * (small.positions().take(MOST_NODES).count() - 1);
    if nodes == 0 {
        return Err(format!("{name} has no position but the empty one."));
    }
    if nodes > MOST_NODES {
        return Err(format!(
            "The problem of {name} has more than {MOST_NODES} nodes, which are the most that are \
             written."
        ));
    }
    Ok(())
}

/// The problem of a board in TSPLIB's format.
fn problem(board: &Board, run: &Run) -> Work<String> {
    let covering = Covering::new(board, true, run)?;
    let n = 4 * covering.nodes.len() as u64;
    // The matrix, and up to five characters for each of its elements.
    let mut claim = run.claim();
    claim.grow_to(n * n * (4 + 5))?;
    Ok(write(&covering, &board.name()))
}

/// The problem in TSPLIB's format.
pub(super) fn write(covering: &Covering, board: &str) -> String {
    let (classes, n) = (covering.nodes.len(), 4 * covering.nodes.len());
    let dear = 3 * classes as u32 + 1;
    let mut costs = vec![dear; n * n];
    for (a, b, cost) in edges(covering) {
        costs[a * n + b] = cost;
        costs[b * n + a] = cost;
    }
    // Writing to a String cannot fail.
    let mut text = format!("NAME : go-{board}\nTYPE : TSP\n");
    let _ =
        writeln!(text, "COMMENT : a tour of cost {} is a cycle through all positions", 3 * classes);
    let _ = writeln!(text, "DIMENSION : {n}\nEDGE_WEIGHT_TYPE : EXPLICIT");
    text += "EDGE_WEIGHT_FORMAT : FULL_MATRIX\nEDGE_WEIGHT_SECTION\n";
    for (k, row) in costs.chunks_exact(n).enumerate() {
        for (other, cost) in row.iter().enumerate() {
            let cost = if other == k { 0 } else { *cost };
            let _ = write!(text, "{cost} ");
        }
        text.push('\n');
    }
    text + "EOF\n"
}

/// The positions of the cycle that a tour of a board's problem follows.
pub(super) fn cycle(board: &Board, text: &str) -> Result<Vec<Stones>> {
    check_size(board).map_err(|why| Error::option(TOUR.name, why))?;
    // The graph has at most a few thousand positions, so it needs no limits.
    match Covering::new(board, true, &Run::default()) {
        Ok(covering) => Ok(covering.positions(&read(&covering, text)?)),
        Err(Halt::Error(error)) => Err(error),
        Err(Halt::Stop(stop)) => Err(Error::internal(stop.to_string())),
    }
}

/// Reads a tour back into the successor of each class.
pub(super) fn read(covering: &Covering, text: &str) -> Result<Vec<(u32, bool)>> {
    let n = 4 * covering.nodes.len();
    let bad = |what: String| Error::option(TOUR.name, format!("The tour cannot be used: {what}."));
    let Tour { nodes: mut tour, first } = tsplib::tour(text, n).map_err(bad)?;
    let mut cost = 0;
    let mut known = rustc_hash::FxHashMap::default();
    for (a, b, price) in edges(covering) {
        known.insert((a, b), price);
        known.insert((b, a), price);
    }
    for (k, &a) in tour.iter().enumerate() {
        let b = tour[(k + 1) % n];
        let price = known.get(&(a, b));
        cost += price
            .ok_or_else(|| bad(format!("nodes {} and {} are not joined", a + first, b + first)))?;
    }
    let best = 3 * covering.nodes.len() as u32;
    if cost != best {
        return Err(bad(format!("it costs {cost} where {best} makes a cycle of positions")));
    }
    // Turned so that gadgets are entered at in and left at out, from one class to the next.
    let is_out = |node: usize| node % 4 >= 2;
    let leaves = |a: usize, b: usize| a / 4 != b / 4;
    let start = (0..n).find(|&k| leaves(tour[k], tour[(k + 1) % n]));
    let start = start.ok_or_else(|| bad("it never leaves a class".into()))?;
    if !is_out(tour[start]) {
        tour.reverse();
    }
    let mut next = vec![None; covering.nodes.len()];
    for (k, &a) in tour.iter().enumerate() {
        let b = tour[(k + 1) % n];
        if leaves(a, b) {
            if !is_out(a) || is_out(b) {
                return Err(bad("it goes through some class the wrong way".into()));
            }
            next[a / 4] = Some(((b / 4) as u32, (a ^ b) % 2 == 1));
        }
    }
    let next: Option<Vec<(u32, bool)>> = next.into_iter().collect();
    next.ok_or_else(|| bad("it never leaves some class".into()))
}

/// The tour of a cycle, as TSPLIB has it: what a solver would write.
#[cfg(test)]
pub(super) fn tour(next: &[(u32, bool)]) -> String {
    let mut text = String::from("TYPE : TOUR\nTOUR_SECTION\n");
    let (mut class, mut side) = (0usize, 0usize);
    for _ in 0..next.len() {
        let leaves = if class == 0 { 1 - side } else { side };
        let through = [(false, side), (false, 1 - side), (true, 1 - leaves), (true, leaves)];
        for (out, side) in through {
            let _ = writeln!(text, "{}", node(class, out, side) + 1);
        }
        let (to, turned) = next[class];
        class = to as usize;
        side = leaves ^ usize::from(turned);
    }
    text + "-1\nEOF\n"
}
