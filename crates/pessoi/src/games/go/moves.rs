//! The game graph of a small board: legal positions joined by moves.
//!
//! A position is two masks of up to sixteen points, black and white. A move puts a stone on
//! an empty point; then opponents' strings without liberties go, then one's own (suicide). The
//! graph has an edge for each move that changes the position; only the suicide of a single
//! stone does not. Every edge belongs to one move, so it has a colour (lemma 1 of the paper).

use rustc_hash::FxHashMap;

use super::position::{BLACK, EMPTY, WHITE, drawing};
use crate::board::Board;
use crate::error::{Error, Result};
use crate::job::Work;
use pessoi_engine::run::Run;

/// Points that a mask holds.
pub(super) const MOST_POINTS: usize = 16;

/// A position: the points of black and those of white.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Stones {
    pub(super) black: u16,
    pub(super) white: u16,
}

impl Stones {
    pub(super) const NONE: Stones = Stones { black: 0, white: 0 };

    /// With colours reversed.
    pub(super) fn reversed(self) -> Stones {
        Stones { black: self.white, white: self.black }
    }

    pub(super) fn colours(self, points: usize) -> Vec<u8> {
        let colour = |point: usize| match (self.black >> point & 1, self.white >> point & 1) {
            (1, _) => BLACK,
            (_, 1) => WHITE,
            _ => EMPTY,
        };
        (0..points).map(colour).collect()
    }
}

/// A board as masks.
pub(super) struct Small {
    pub(super) points: usize,
    neighbours: Vec<u16>,
}

impl Small {
    pub(super) fn new(board: &Board) -> Result<Small> {
        if board.len() > MOST_POINTS {
            return Err(Error::unsupported(
                "place",
                format!(
                    "Games are followed on boards of up to {MOST_POINTS} points; {} has {}.",
                    board.name(),
                    board.len()
                ),
            ));
        }
        let mask = |point| board.neighbours(point).fold(0, |mask, other| mask | 1 << other);
        Ok(Small { points: board.len(), neighbours: (0..board.len()).map(mask).collect() })
    }

    fn full(&self) -> u16 {
        (((1u32) << self.points) - 1) as u16
    }

    fn around(&self, mask: u16) -> u16 {
        let mut rest = mask;
        let mut around = 0;
        while rest != 0 {
            around |= self.neighbours[rest.trailing_zeros() as usize];
            rest &= rest - 1;
        }
        around
    }

    /// The string of a point among the stones of its colour.
    fn string(&self, point: u16, stones: u16) -> u16 {
        let mut string = point;
        loop {
            let more = (string | self.around(string)) & stones;
            if more == string {
                return string;
            }
            string = more;
        }
    }

    /// The strings of these stones that have no liberty.
    fn breathless(&self, stones: u16, empty: u16) -> u16 {
        // Those that do have one grow from the liberties.
        let mut free = self.around(empty) & stones;
        loop {
            let more = (free | self.around(free)) & stones;
            if more == free {
                return stones & !free;
            }
            free = more;
        }
    }

    pub(super) fn is_legal(&self, at: Stones) -> bool {
        let empty = self.full() & !(at.black | at.white);
        self.breathless(at.black, empty) == 0 && self.breathless(at.white, empty) == 0
    }

    /// What a move on an empty point leads to.
    pub(super) fn play(&self, at: Stones, point: usize, white: bool) -> Stones {
        let stone = 1u16 << point;
        let (own, other) = if white { (at.white, at.black) } else { (at.black, at.white) };
        let own = own | stone;
        let mut empty = self.full() & !(own | other);
        let captured = self.breathless(other, empty);
        let other = other & !captured;
        empty |= captured;
        let string = self.string(stone, own);
        let own = if self.around(string) & empty == 0 { own & !string } else { own };
        if white {
            Stones { black: other, white: own }
        } else {
            Stones { black: own, white: other }
        }
    }

    /// All moves that change the position, with their colour.
    pub(super) fn moves(&self, at: Stones) -> impl Iterator<Item = (Stones, bool)> {
        self.all_moves(at).filter(move |&(to, _)| to != at)
    }

    /// All moves, the suicides of single stones too.
    pub(super) fn all_moves(&self, at: Stones) -> impl Iterator<Item = (Stones, bool)> {
        let empty = self.full() & !(at.black | at.white);
        let open = (0..self.points).filter(move |&point| empty >> point & 1 == 1);
        open.flat_map(move |point| [false, true].map(|white| (self.play(at, point, white), white)))
    }

    /// All legal positions in the order of their masks.
    pub(super) fn positions(&self) -> impl Iterator<Item = Stones> {
        let full = self.full();
        (0..=full).flat_map(move |black| {
            let rest = full & !black;
            // All subsets of what is not black, from the empty one up.
            let subsets = std::iter::successors(Some(0u16), move |&white| {
                (white != rest).then(|| (white.wrapping_sub(rest)) & rest)
            });
            subsets.map(move |white| Stones { black, white }).filter(|&at| self.is_legal(at))
        })
    }
}

/// Positions and moves, all of them.
pub(super) struct GameGraph {
    pub(super) nodes: Vec<Stones>,
    /// For each node, where moves lead, and whether white makes them.
    pub(super) edges: Vec<Vec<(u32, bool)>>,
}

/// Bytes of a node with its moves, about.
pub(super) const A_NODE: u64 = 160;

impl GameGraph {
    pub(super) fn new(small: &Small, run: &Run) -> Work<GameGraph> {
        let mut claim = run.claim();
        let mut nodes = Vec::new();
        for at in small.positions() {
            nodes.push(at);
            if nodes.len() % 1024 == 0 {
                claim.grow_to(A_NODE * nodes.len() as u64)?;
                run.tick(1024)?;
            }
        }
        // The empty position comes first, since its masks are the smallest.
        let number: FxHashMap<Stones, u32> =
            nodes.iter().enumerate().map(|(k, &at)| (at, k as u32)).collect();
        let mut edges = Vec::with_capacity(nodes.len());
        for &at in &nodes {
            let moves = small.moves(at).map(|(to, white)| {
                let to = number.get(&to).copied();
                to.map(|to| (to, white))
                    .ok_or_else(|| Error::internal("a move to an illegal position"))
            });
            edges.push(moves.collect::<Result<Vec<_>>>()?);
            if edges.len() % 1024 == 0 {
                run.tick(1024)?;
            }
        }
        Ok(GameGraph { nodes, edges })
    }

    pub(super) fn edge_count(&self) -> u64 {
        self.edges.iter().map(|edges| edges.len() as u64).sum()
    }

    /// Positions reached from the empty one, by distance; `None` for those that are not.
    pub(super) fn distances(&self) -> Vec<Option<u32>> {
        breadth_first(
            &self.edges.iter().map(|e| e.iter().map(|&(to, _)| to).collect()).collect::<Vec<_>>(),
        )
    }

    /// Whether every position leads to every other: all are reached from the empty one, and
    /// it from all of them.
    pub(super) fn is_strongly_connected(&self) -> bool {
        let mut back: Vec<Vec<u32>> = vec![Vec::new(); self.nodes.len()];
        for (from, edges) in (0..).zip(&self.edges) {
            for &(to, _) in edges {
                back[to as usize].push(from);
            }
        }
        let all = |distances: Vec<Option<u32>>| distances.iter().all(Option::is_some);
        all(self.distances()) && all(breadth_first(&back))
    }
}

fn breadth_first(edges: &[Vec<u32>]) -> Vec<Option<u32>> {
    let mut distance = vec![None; edges.len()];
    let mut layer = vec![0u32];
    distance[0] = Some(0);
    let mut far = 0;
    while !layer.is_empty() {
        far += 1;
        let mut next = Vec::new();
        for &from in &layer {
            for &to in &edges[from as usize] {
                if distance[to as usize].is_none() {
                    distance[to as usize] = Some(far);
                    next.push(to);
                }
            }
        }
        layer = next;
    }
    distance
}

/// A position in one line: rows with `/` between them.
pub(super) fn name(board: &Board, at: Stones) -> String {
    drawing(board, &at.colours(board.len())).trim_end().replace('\n', "/")
}
