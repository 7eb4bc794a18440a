//! Visiting one loop of each class, on all threads, in an order that does not depend on them.
//!
//! The tree of canonical words is cut into beginnings ([`pessoi_engine::search::prefixes`]);
//! each is a job. Jobs give what they find in the order of the words, a *piece* at a time, so a
//! list is always in the same order, and a part `i/m` is every m-th job.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use pessoi_engine::run::{Run, Stop};
use pessoi_engine::search::{Advance, Cut, Outlet, Part, Walk, in_order, prefixes};

use super::orderly::Orderly;
use super::task::{LONGEST_WALK, Task};
use super::turns::{LONGEST_WORD, Packed, Turns, Visitor};
use super::words::stabiliser;

/// A loop that was found.
pub(super) enum Found<'a> {
    /// A turn word.
    Word(&'a Turns, Packed),
    /// Its moves.
    Moves(&'a [u8]),
}

impl Found<'_> {
    /// Its moves.
    pub(super) fn moves<'b>(&'b self, task: &Task, buffer: &'b mut [u8; LONGEST_WORD]) -> &'b [u8] {
        match self {
            Found::Word(turns, packed) => {
                turns.unpack(packed.word, buffer);
                &buffer[..task.length]
            }
            Found::Moves(moves) => moves,
        }
    }

    /// The symmetries that leave it as it is. Most words are read in one way only, which
    /// says at once that there is none.
    pub(super) fn stabiliser(&self, task: &Task) -> u8 {
        match self {
            Found::Word(_, Packed { same: 1, .. }) => 1,
            _ => stabiliser(&task.moves, self.moves(task, &mut [0; LONGEST_WORD])),
        }
    }
}

/// What a visit cost, and whether a limit ended it.
pub(super) struct Visit {
    pub(super) nodes: u64,
    pub(super) stopped: Option<Stop>,
}

/// Jobs to cut the tree into: more for longer loops, so that each stays small.
fn jobs_wanted(task: &Task) -> u64 {
    const LEAST: u64 = 1024;
    const MOST: u64 = 1 << 14;
    let longer = task.length.saturating_sub(12) as u32;
    (LEAST << longer.min(8)).min(MOST)
}

/// Loops of one piece, at most.
const PIECE: usize = 4096;
/// Nodes of paths between two looks at whether more is wanted.
const SLICE: u64 = 1 << 14;

/// What takes the pieces of a visit, in order. Jobs that it has taken already, in an earlier run,
/// are left out.
pub(super) trait Taker<R> {
    /// Takes a piece; says whether more is wanted.
    fn take(&mut self, piece: R) -> bool;

    /// How many of the jobs were taken already, and how many nodes these cost. The digest is that
    /// of the jobs, of which there are so many.
    fn taken(&mut self, _digest: u64, _jobs: u64) -> Result<(u64, u64), Stop> {
        Ok((0, 0))
    }

    /// So many jobs are done now, which cost so many nodes, and all of their pieces were taken.
    fn done(&mut self, _jobs: u64, _nodes: u64) {}
}

impl<R, F: FnMut(R) -> bool> Taker<R> for F {
    fn take(&mut self, piece: R) -> bool {
        self(piece)
    }
}

/// What a job gives.
enum Given<R> {
    Piece(R),
    /// It is done, and cost so many nodes.
    End(u64),
}

/// Visits one loop of each class of this part. Each piece starts `empty`, `each` adds what is
/// found, and `taker` gets the pieces in order, until it wants no more. `heap_bytes` is what a
/// piece owns outside itself.
pub(super) fn visit<R: Send>(
    task: &Arc<Task>,
    part: Part,
    run: &Run,
    empty: impl Fn() -> R + Sync,
    each: impl Fn(&mut R, &Found) + Sync,
    heap_bytes: impl Fn(&R) -> usize + Sync,
    taker: &mut impl Taker<R>,
) -> Visit {
    let mut claim = run.claim();
    let tables = Turns::bytes(task) + Orderly::bytes(task) * (run.budget().threads as u64 + 2);
    if let Err(stop) = claim.grow_to(tables) {
        return Visit { nodes: 0, stopped: Some(stop) };
    }
    let turns = Turns::new(task);
    let search = Orderly::new(task.clone());
    let jobs = match prefixes(&search, Cut::new(part).jobs(jobs_wanted(task)), run) {
        Ok(jobs) => jobs,
        Err(stop) => return Visit { nodes: 0, stopped: Some(stop) },
    };
    let (mut done, before) = match taker.taken(jobs.digest(), jobs.len() as u64) {
        Ok(taken) => taken,
        Err(stop) => return Visit { nodes: 0, stopped: Some(stop) },
    };
    run.uneven_stage("searching", jobs.len() as u64);
    run.step(done);
    let nodes = AtomicU64::new(before);
    let mut nodes_done = before;
    let work = |begin: &Vec<u8>, outlet: &Outlet<Given<R>>| {
        outlet.check()?;
        let nodes = Nodes { all: &nodes, own: Cell::new(0) };
        let (empty, each, heap_bytes) = (&empty, &each, &heap_bytes);
        let mut piece =
            Piece { task, outlet, empty, each, heap_bytes, result: empty(), found: 0, stop: None };
        let end = match &turns {
            Some(turns) if turns.can_start_after(begin.len()) => {
                let mut words = Words { turns, piece: &mut piece, nodes: &nodes };
                turns.walk(begin, &mut words)
            }
            _ => {
                let mut walk = Walk::below(search.clone(), begin, run);
                let end = paths(&mut walk, task, &mut piece);
                nodes.add(walk.nodes());
                end
            }
        };
        // What was found before a stop is still good.
        end.and(piece.give())?;
        outlet.give(Given::End(nodes.own.get()), 0)
    };
    // That there are so many was seen when it was read.
    let left = jobs.get(done as usize..).unwrap_or_default();
    let stopped = in_order(left, run, work, |given| match given {
        Given::Piece(piece) => taker.take(piece),
        Given::End(nodes) => {
            done += 1;
            nodes_done += nodes;
            taker.done(done, nodes_done);
            true
        }
    });
    Visit { nodes: nodes.into_inner(), stopped: stopped.err() }
}

/// Counts nodes, of a job and of all.
struct Nodes<'a> {
    all: &'a AtomicU64,
    own: Cell<u64>,
}

impl Nodes<'_> {
    fn add(&self, nodes: u64) {
        self.all.fetch_add(nodes, Relaxed);
        self.own.set(self.own.get() + nodes);
    }
}

/// What a job has found and not yet given.
struct Piece<'a, R, N, E, B> {
    task: &'a Task,
    outlet: &'a Outlet<'a, Given<R>>,
    empty: &'a N,
    each: &'a E,
    heap_bytes: &'a B,
    result: R,
    found: usize,
    /// Why no more can be given.
    stop: Option<Stop>,
}

impl<R, N: Fn() -> R, E: Fn(&mut R, &Found), B: Fn(&R) -> usize> Piece<'_, R, N, E, B> {
    fn add(&mut self, found: &Found) {
        (self.each)(&mut self.result, found);
        self.found += 1;
        if self.found == PIECE
            && let Err(stop) = self.give()
        {
            self.stop = Some(stop);
        }
    }

    fn give(&mut self) -> Result<(), Stop> {
        if self.found == 0 || self.stop.is_some() {
            return self.stop.take().map_or(Ok(()), Err);
        }
        self.found = 0;
        let result = std::mem::replace(&mut self.result, (self.empty)());
        let bytes = (self.heap_bytes)(&result);
        self.outlet.give(Given::Piece(result), bytes)
    }

    /// Gives what there is, and asks whether to go on.
    fn pause(&mut self) -> Result<(), Stop> {
        self.outlet.check()?;
        self.give()
    }
}

/// A walk of turn words.
struct Words<'a, 'p, R, N, E, B> {
    turns: &'a Turns,
    piece: &'a mut Piece<'p, R, N, E, B>,
    nodes: &'a Nodes<'a>,
}

impl<R, N, E, B> Visitor for Words<'_, '_, R, N, E, B>
where
    N: Fn() -> R,
    E: Fn(&mut R, &Found),
    B: Fn(&R) -> usize,
{
    fn found(&mut self, packed: Packed) {
        let found = Found::Word(self.turns, packed);
        let task = self.piece.task;
        if task.isometries.is_none()
            || task.stands_for_all(found.moves(task, &mut [0; LONGEST_WORD]))
        {
            self.piece.add(&found);
        }
    }

    fn tick(&mut self, nodes: u64) -> Result<(), Stop> {
        self.nodes.add(nodes);
        self.piece.outlet.tick(nodes)?;
        self.piece.give()
    }
}

/// Walks paths, where words do not serve.
fn paths<R, N, E, B>(
    walk: &mut Walk<Orderly>,
    task: &Task,
    piece: &mut Piece<'_, R, N, E, B>,
) -> Result<(), Stop>
where
    N: Fn() -> R,
    E: Fn(&mut R, &Found),
    B: Fn(&R) -> usize,
{
    let mut slice_ends = SLICE;
    loop {
        match walk.advance(slice_ends - walk.nodes())? {
            Advance::Found => {
                let moves = walk.search().moves();
                if task.stands_for_all(moves) {
                    piece.add(&Found::Moves(moves));
                }
            }
            Advance::Paused => {
                slice_ends += SLICE;
                piece.pause()?;
            }
            Advance::Exhausted => return Ok(()),
        }
    }
}

const _: () = assert!(LONGEST_WORD <= LONGEST_WALK);
