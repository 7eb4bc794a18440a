//! Numbers of games.
//!
//! Under *positional superko* no position comes twice. Passes can be put in and left out
//! without changing the stones, so a game is a path in the game graph that begins at the
//! empty board and visits no position twice (lemma 2 of the paper), and there are as many
//! games as such paths, the shortest one included.
//!
//! Under *situational superko* a move is forbidden only if the same player has made this
//! position before; the empty board counts as made by white. Then a game is such a path
//! through *situations*, a position with the player who made it; and a single stone may commit
//! suicide once, since it makes the position another player's.
//!
//! - **search** walks every game: 2·10^9 on 1×4;
//! - **memo** counts what can follow a position once for each set of positions that can still
//!   be reached; positions that are alike under the symmetries of the board and reversal of
//!   colours are brought together. That counts the 386356909593 games of 2×2.

use rustc_hash::{FxHashMap, FxHashSet};

use super::moves::{Small, Stones};
use crate::board::Board;
use crate::error::{Error, Result};
use crate::job::Work;
use pessoi_engine::ledger::{Chapter, Writer};
use pessoi_engine::records::Unusable;
use pessoi_engine::run::Run;

/// Nodes that a set holds, beside the number of one of them.
pub(super) const MOST_NODES: usize = 121;

/// Where a game can go: positions or situations, the start first.
pub(super) struct Tree {
    pub(super) next: Vec<Vec<u32>>,
    /// What symmetries do to the nodes, the identity first.
    symmetries: Vec<Vec<u32>>,
}

impl Tree {
    /// The nodes of a board's games.
    pub(super) fn new(board: &Board, situational: bool) -> Result<Tree> {
        let small = Small::new(board)?;
        let positions: Vec<Stones> = small.positions().collect();
        // Node: a position, and whether white made it.
        let mut nodes: Vec<(Stones, bool)> = vec![(Stones::NONE, true)];
        for &at in &positions {
            if situational {
                nodes.extend([(at, false), (at, true)]);
            } else {
                nodes.push((at, true));
            }
        }
        let mut seen = FxHashSet::default();
        nodes.retain(|&node| seen.insert(node));
        let number: FxHashMap<(Stones, bool), u32> =
            nodes.iter().enumerate().map(|(k, &node)| (node, k as u32)).collect();
        let key = |at: Stones, white: bool| (at, if situational { white } else { true });
        let lead = |&(at, made_by_white): &(Stones, bool)| -> Result<Vec<u32>> {
            let moves = small.all_moves(at).filter(|&(to, white)| {
                if situational { (to, white) != (at, made_by_white) } else { to != at }
            });
            let numbers = moves.map(|(to, white)| number.get(&key(to, white)).copied());
            let numbers: Option<Vec<u32>> = numbers.collect();
            let mut numbers = numbers.ok_or_else(|| Error::internal("a move to nowhere"))?;
            // Under situational superko two suicides of one stone make the same situation,
            // but they are different moves.
            numbers.sort_unstable();
            Ok(numbers)
        };
        let next = nodes.iter().map(lead).collect::<Result<Vec<_>>>()?;
        let mut symmetries = Vec::new();
        for symmetry in board.symmetries() {
            for reverses in [false, true] {
                // Reversal makes white's situations black's, so the start would not be one.
                let image = |&(at, white): &(Stones, bool)| {
                    let turn = |mask: u16| {
                        (0..board.len())
                            .filter(|&p| mask >> p & 1 == 1)
                            .fold(0u16, |m, p| m | 1 << symmetry.permutation[p])
                    };
                    let turned = Stones { black: turn(at.black), white: turn(at.white) };
                    let turned = if reverses { turned.reversed() } else { turned };
                    number.get(&key(turned, white ^ reverses)).copied()
                };
                if let Some(images) = nodes.iter().map(image).collect::<Option<Vec<u32>>>() {
                    symmetries.push(images);
                }
            }
        }
        Ok(Tree { next, symmetries })
    }
}

/// Counts games by the sets of positions that can still be reached; and how many sets.
pub(super) fn by_sets(tree: &Tree, run: &Run) -> Work<(u128, u64)> {
    let mut memo = Memo::new(tree, run);
    Ok((memo.games()?, memo.known.len() as u64))
}

/// Nodes between two looks at the clock.
const NODES_A_TICK: u64 = 1 << 6;

/// Walks every game.
pub(super) fn search(tree: &Tree, chapter: &Chapter, run: &Run) -> Work<u128> {
    if let Some(games) = chapter.result()? {
        return Ok(games);
    }
    let At { mut path, mut games } = At::begun(tree, chapter)?;
    let mut visited = path.iter().fold(0u128, |set, (at, _)| set | 1 << at);
    let mut unticked = 0;
    while let Some((at, tried)) = path.last_mut() {
        let Some(&to) = tree.next[*at as usize].get(*tried) else {
            visited &= !(1 << *at);
            path.pop();
            continue;
        };
        *tried += 1;
        if visited >> to & 1 == 0 {
            visited |= 1 << to;
            path.push((to, 0));
            games += 1;
            unticked += 1;
            if unticked == NODES_A_TICK {
                unticked = 0;
                let put = |out: &mut Writer| out.put(&(games, tried_of(&path)));
                if let Err(stop) = run.tick(NODES_A_TICK) {
                    chapter.put_aside(put);
                    return Err(stop.into());
                }
                chapter.save_if_due(put);
            }
        }
    }
    chapter.finish(&games);
    Ok(games)
}

/// Where a walk of all games stands: the game, how many of the moves from each of its positions
/// were tried, and the games so far.
struct At {
    path: Vec<(u32, usize)>,
    games: u128,
}

impl At {
    /// Where an earlier run was, or the beginning.
    fn begun(tree: &Tree, chapter: &Chapter) -> Work<At> {
        let Some(mut reader) = chapter.begun()? else {
            return Ok(At { path: vec![(0, 0)], games: 1 });
        };
        let mut read = || {
            let (games, tried): (u128, Vec<usize>) = reader.take()?;
            let path = path_of(&tree.next, |&to| to, &tried).ok_or(Unusable::Damaged)?;
            Ok(At { path, games })
        };
        read().map_err(|why| chapter.refuse(why).into())
    }
}

/// How many moves were tried at each node of a path, which says what the path is.
pub(super) fn tried_of(path: &[(u32, usize)]) -> Vec<usize> {
    path.iter().map(|&(_, tried)| tried).collect()
}

/// The path from node 0 at whose nodes so many moves were tried, the last of which leads to the
/// next node; `None` if there is none, or it meets itself.
pub(super) fn path_of<T>(
    next: &[Vec<T>],
    to: impl Fn(&T) -> u32,
    tried: &[usize],
) -> Option<Vec<(u32, usize)>> {
    let mut path: Vec<(u32, usize)> = Vec::new();
    let mut at = 0;
    for (k, &number) in tried.iter().enumerate() {
        let moves = next.get(at as usize)?;
        if number > moves.len() || path.iter().any(|&(before, _)| before == at) {
            return None;
        }
        path.push((at, number));
        if k + 1 < tried.len() {
            at = to(moves.get(number.checked_sub(1)?)?);
        }
    }
    (!path.is_empty()).then_some(path)
}

/// The set of a permutation's images, eight nodes at a time.
struct Images(Vec<[u128; 256]>);

impl Images {
    fn new(images: &[u32]) -> Images {
        let table = |chunk: &[u32]| {
            std::array::from_fn(|bits: usize| {
                let set = (0..chunk.len()).filter(|k| bits >> k & 1 == 1);
                set.fold(0u128, |set, k| set | 1 << chunk[k])
            })
        };
        Images(images.chunks(8).map(table).collect())
    }

    fn of(&self, set: u128) -> u128 {
        let bytes = set.to_le_bytes();
        self.0.iter().zip(bytes).fold(0, |image, (table, byte)| image | table[usize::from(byte)])
    }
}

/// Bytes of a number that is remembered: key, value and room to spare.
const AN_ENTRY: u64 = 38;

/// Numbers of games that go on from a node, by what can still be reached.
struct Memo<'t> {
    /// Nodes that follow, as sets; with the moves that lead there more than once.
    sets: Vec<u128>,
    tree: &'t Tree,
    /// For each node, the symmetries that bring it to the first node of its orbit.
    homes: Vec<(u32, Vec<usize>)>,
    images: Vec<Images>,
    /// By what can be reached, and the node above that.
    known: FxHashMap<u128, u128>,
    run: &'t Run,
    claim: pessoi_engine::run::Claim,
}

impl<'t> Memo<'t> {
    fn new(tree: &'t Tree, run: &'t Run) -> Memo<'t> {
        let set = |next: &Vec<u32>| next.iter().fold(0u128, |set, &to| set | 1 << to);
        let homes = (0..tree.next.len()).map(|node| {
            let images = tree.symmetries.iter().map(|images| images[node]);
            let home = images.clone().min().unwrap_or(node as u32);
            let ways = images.enumerate().filter(|&(_, image)| image == home).map(|(k, _)| k);
            (home, ways.collect())
        });
        Memo {
            sets: tree.next.iter().map(set).collect(),
            homes: homes.collect(),
            images: tree.symmetries.iter().map(|images| Images::new(images)).collect(),
            known: FxHashMap::default(),
            claim: run.claim(),
            tree,
            run,
        }
    }

    fn games(&mut self) -> Work<u128> {
        let all = (1u128 << self.sets.len()) - 1;
        self.from(0, all & !1)
    }

    /// Games that go on from `node` through nodes of `free` only, the one that ends here too.
    fn from(&mut self, node: u32, free: u128) -> Work<u128> {
        // Only what can be reached matters.
        let mut reached = self.sets[node as usize] & free;
        let mut fresh = reached;
        while fresh != 0 {
            let mut next = 0;
            while fresh != 0 {
                next |= self.sets[fresh.trailing_zeros() as usize];
                fresh &= fresh - 1;
            }
            fresh = next & free & !reached;
            reached |= fresh;
        }
        if reached == 0 {
            return Ok(1);
        }
        let (home, ways) = &self.homes[node as usize];
        let set = ways.iter().map(|&k| self.images[k].of(reached)).min().unwrap_or(reached);
        let key = set | u128::from(*home) << MOST_NODES;
        if let Some(&games) = self.known.get(&key) {
            return Ok(games);
        }
        let mut games = 1u128;
        for k in 0..self.tree.next[node as usize].len() {
            let to = self.tree.next[node as usize][k];
            if reached >> to & 1 == 1 {
                let more = self.from(to, reached & !(1 << to))?;
                let sum = games.checked_add(more);
                games = sum.ok_or_else(|| Error::internal("more than 2^128 games"))?;
            }
        }
        if self.known.len() == self.known.capacity() {
            // The table doubles, and for a moment there are both.
            let bytes = self.known.capacity() as u64 * AN_ENTRY;
            self.claim.grow_to(3 * bytes)?;
            self.known.reserve(1);
            self.claim.grow_to(2 * bytes)?;
        }
        self.known.insert(key, games);
        if self.known.len().is_multiple_of(4096) {
            self.run.tick(4096)?;
        }
        Ok(games)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn games(shape: &str, situational: bool) -> u128 {
        let tree = Tree::new(&Board::parse(shape).unwrap(), situational).unwrap();
        let run = Run::default();
        let memo = Memo::new(&tree, &run).games().ok().unwrap();
        if memo < 10_000_000 {
            assert_eq!(search(&tree, &Chapter::unkept(), &run).ok(), Some(memo), "{shape}");
        }
        memo
    }

    #[test]
    fn table_7_of_the_paper() {
        for (shape, known) in [("1x1", 1), ("1x2", 9), ("2x1", 9), ("1x3", 907)] {
            assert_eq!(games(shape, false), known, "{shape}");
        }
        assert_eq!(games("1x4", false), 2_098_407_841);
    }

    #[test]
    #[ignore = "takes a minute"]
    fn the_games_of_2x2() {
        assert_eq!(games("2x2", false), 386_356_909_593);
    }

    #[test]
    fn situational_superko_allows_more() {
        // On one point black and white can each commit suicide once; white's leads back to
        // the start, which counts as made by white.
        assert_eq!(games("1x1", true), 2);
        assert!(games("1x2", true) > 9);
    }
}
