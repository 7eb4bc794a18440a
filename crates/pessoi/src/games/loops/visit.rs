//! Visiting one loop of each class, on all threads, in an order that does not depend on them.
//!
//! The tree of canonical words is cut into beginnings ([`pessoi_engine::search::prefixes`]);
//! each is a job. Jobs give their results in the order of the words, so a list is always in
//! the same order, and a part `i/m` is every m-th job.

use std::sync::Arc;

use pessoi_engine::run::{Run, Stop};
use pessoi_engine::search::{Advance, Part, Walk, descend, in_order, prefixes};

use super::orderly::Orderly;
use super::task::{LONGEST_LOOP, Task};
use super::turns::{LONGEST_WORD, Packed, Turns};
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
fn jobs_wanted(task: &Task, part: Part) -> u64 {
    const LEAST: u64 = 1024;
    const MOST: u64 = 1 << 14;
    let longer = task.length.saturating_sub(12) as u32;
    part.prefixes_wanted().max((LEAST << longer.min(8)).min(MOST))
}

/// Visits one loop of each class of this part. Each job starts with an `empty` result,
/// `each` adds what it finds, and `take` gets the results in order, until it wants no more.
pub(super) fn visit<R: Send>(
    task: &Arc<Task>,
    part: Part,
    run: &Run,
    empty: impl Fn() -> R + Sync,
    each: impl Fn(&mut R, &Found) + Sync,
    mut take: impl FnMut(R) -> bool,
) -> Visit {
    let mut visit = Visit { nodes: 0, stopped: None };
    let mut claim = run.claim();
    let turns = Turns::new(task);
    let search = Orderly::new(task.clone());
    let tables = turns.as_ref().map_or(0, Turns::bytes)
        + pessoi_engine::search::Search::heap_bytes(&search) as u64
            * (run.budget().threads as u64 + 2);
    let begun = claim
        .grow_to(tables)
        .and_then(|()| prefixes(&mut search.clone(), jobs_wanted(task, part), run));
    let jobs: Vec<Vec<u8>> = match begun {
        Ok(all) => (0..).zip(all).filter(|(n, _)| part.contains(*n)).map(|(_, job)| job).collect(),
        Err(stop) => return Visit { stopped: Some(stop), ..visit },
    };
    run.uneven_stage("searching", jobs.len() as u64);
    let work = |begin: &Vec<u8>| {
        let mut result = empty();
        if let Err(stop) = run.check() {
            return (result, 0, Some(stop));
        }
        let (nodes, stopped) = match &turns {
            Some(turns) if turns.can_start_after(begin.len()) => {
                let walked = turns.walk(begin, run, |packed| {
                    let found = Found::Word(turns, packed);
                    let mut buffer = [0; LONGEST_WORD];
                    if task.isometries.is_none()
                        || task.stands_for_all(found.moves(task, &mut buffer))
                    {
                        each(&mut result, &found);
                    }
                });
                match walked {
                    Ok(nodes) => (nodes, None),
                    Err(stop) => (0, Some(stop)),
                }
            }
            _ => {
                let mut search = search.clone();
                descend(&mut search, begin);
                let mut walk = Walk::new(search, run);
                loop {
                    match walk.advance(u64::MAX) {
                        Ok(Advance::Found) => {
                            let moves = walk.search().moves();
                            if task.stands_for_all(moves) {
                                each(&mut result, &Found::Moves(moves));
                            }
                        }
                        Ok(_) => break (walk.nodes(), None),
                        Err(stop) => break (walk.nodes(), Some(stop)),
                    }
                }
            }
        };
        run.step(1);
        (result, nodes, stopped)
    };
    in_order(&jobs, run, work, |(result, nodes, stopped)| {
        visit.nodes += nodes;
        visit.stopped = stopped;
        take(result) && visit.stopped.is_none()
    });
    visit
}

const _: () = assert!(LONGEST_WORD <= LONGEST_LOOP);
