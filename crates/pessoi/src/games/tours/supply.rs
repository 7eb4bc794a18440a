//! Supply: whether every cell can be given its moves at all.
//!
//! In a closed tour every cell has two moves; in an open one the two ends have one. Leave aside
//! that the moves must make one path, and that a move is the same seen from both its cells: let
//! every cell *give* as many times as it has moves, to different neighbours, and *take* as many
//! times. A tour does this. Whether anything does is a question of flow through a network (Ford
//! and Fulkerson 1956), and it is answered in a time that grows little faster than the board.
//!
//! If the flow falls short, the last search for more of it names two sets of cells, **givers** and
//! **takers**: all the givers' moves go to takers, except along a few moves that leave for other
//! cells, and the takers and those moves are too few. That is a proof, which anyone can count
//! through. It contains the argument of the two colours, and the one of cells with a single
//! neighbour.
//!
//! A SAT solver has a hard time with such boards, because counting is what resolution does worst
//! (Haken 1985, on pigeons and holes). Nearly all boards on which the solver was slow turned out
//! to be of this kind: see the chapter on learning in the book.

use serde::{Deserialize, Serialize};

use super::proofs::Proof;
use super::task::Task;
use crate::board::Cell;
use crate::certificate::Certificate;

/// The kind of certificate that names givers and takers.
pub(super) const SHORT_SUPPLY: &str = "short-supply";

/// Givers and takers.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct GiversTakers {
    pub(super) givers: Vec<Cell>,
    pub(super) takers: Vec<Cell>,
}

/// By how much the flow falls short, and the cells that show it.
#[derive(Debug)]
pub(super) struct Supply {
    /// Moves missing beyond those that free ends of an open tour do without.
    pub(super) shortage: usize,
    givers: Vec<u32>,
    takers: Vec<u32>,
}

const NOBODY: u32 = u32::MAX;

/// Sends as much flow as there is.
pub(super) fn supply(task: &Task) -> Supply {
    let n = task.len();
    let ends = [task.cell_of(1), task.cell_of(n)].map(|end| end.filter(|_| !task.closed));
    let most = |cell: u32| if ends.contains(&Some(cell)) { 1 } else { 2 };
    let free_ends = if task.closed { 0 } else { ends.iter().filter(|end| end.is_none()).count() };

    // For each cell, to whom it gives and from whom it takes.
    let mut gives: Vec<Vec<u32>> = vec![Vec::with_capacity(2); n];
    let mut takes: Vec<Vec<u32>> = vec![Vec::with_capacity(2); n];
    loop {
        // A search in this round need not go where another has been. In the last round none
        // succeeds, and what was reached is all that can be.
        let mut giver_of = vec![NOBODY; n];
        let mut taker_of = vec![NOBODY; n];
        let mut reached = vec![false; n];
        let mut sent = false;
        for root in 0..n as u32 {
            while gives[root as usize].len() < most(root) {
                reached[root as usize] = true;
                let mut queue = std::collections::VecDeque::from([root]);
                let mut end = None;
                'search: while let Some(giver) = queue.pop_front() {
                    for &taker in task.graph.neighbours(giver) {
                        let t = taker as usize;
                        if giver_of[t] != NOBODY || gives[giver as usize].contains(&taker) {
                            continue;
                        }
                        giver_of[t] = giver;
                        if takes[t].len() < most(taker) {
                            end = Some(taker);
                            break 'search;
                        }
                        // One of those who give to it could give elsewhere.
                        for &other in &takes[t] {
                            if !std::mem::replace(&mut reached[other as usize], true) {
                                taker_of[other as usize] = taker;
                                queue.push_back(other);
                            }
                        }
                    }
                }
                let Some(mut taker) = end else { break };
                sent = true;
                loop {
                    let giver = giver_of[taker as usize];
                    gives[giver as usize].push(taker);
                    takes[taker as usize].push(giver);
                    if giver == root {
                        break;
                    }
                    let before = taker_of[giver as usize];
                    gives[giver as usize].retain(|&to| to != before);
                    takes[before as usize].retain(|&from| from != giver);
                    taker = before;
                }
            }
        }
        if sent {
            continue;
        }
        let wanted: usize = (0..n as u32).map(most).sum();
        let given: usize = gives.iter().map(Vec::len).sum();
        let cells = 0..n as u32;
        return Supply {
            shortage: (wanted - given).saturating_sub(free_ends),
            givers: cells.clone().filter(|&cell| reached[cell as usize]).collect(),
            takers: cells.filter(|&cell| giver_of[cell as usize] != NOBODY).collect(),
        };
    }
}

/// A proof that there is no tour, if supply falls short.
pub(super) fn none(task: &Task) -> Option<Proof> {
    if task.len() < 3 {
        return None;
    }
    let supply = supply(task);
    let cells = |of: &[u32]| of.iter().map(|&cell| task.board.cell(cell as usize)).collect();
    (supply.shortage > 0).then(|| Proof {
        sentence: sentence(task, &supply),
        certificate: Certificate::own(
            SHORT_SUPPLY,
            &GiversTakers { givers: cells(&supply.givers), takers: cells(&supply.takers) },
        ),
    })
}

/// The proof in words that can be followed on the board.
fn sentence(task: &Task, supply: &Supply) -> String {
    let Supply { givers, takers, .. } = supply;
    let ends = [task.cell_of(1), task.cell_of(task.len())].map(|end| end.filter(|_| !task.closed));
    let most = |&cell: &u32| if ends.contains(&Some(cell)) { 1 } else { 2 };
    let free_ends = if task.closed { 0 } else { ends.iter().filter(|end| end.is_none()).count() };
    let needed = givers.iter().map(most).sum::<usize>().saturating_sub(free_ends);
    let room: usize = takers.iter().map(most).sum();
    let elsewhere = |&giver: &u32| {
        let near = task.graph.neighbours(giver).iter();
        near.filter(|to| takers.binary_search(to).is_err()).count()
    };
    let leaving: usize = givers.iter().map(elsewhere).sum();
    let need = if givers.len() == 1 { "needs" } else { "need" };
    let each = if task.closed { "two each" } else { "two each, but one at an end of the path" };
    let to = match (&takers[..], leaving) {
        ([], _) => format!("they have only {}", moves(leaving)),
        (takers, 0) => {
            format!("all of these lead to {}, which can take only {room}", named(task, takers))
        }
        (takers, leaving) => format!(
            "{} can take only {room} of these, and only {} to other cells",
            named(task, takers),
            if leaving == 1 { "1 can lead".into() } else { format!("{leaving} can lead") }
        ),
    };
    format!("{} {need} {} ({each}); {to}", named(task, givers), moves(needed))
}

fn moves(number: usize) -> String {
    if number == 1 { "1 move".into() } else { format!("{number} moves") }
}

/// "the cell 1,1", "the 2 cells 1,1 and 1,3"; of many, the first ones.
fn named(task: &Task, cells: &[u32]) -> String {
    const MOST: usize = 8;
    const FIRST: usize = 6;
    let name = |cell: &u32| task.board.cell(*cell as usize).to_string();
    let names: Vec<String> = cells.iter().map(name).collect();
    match &names[..] {
        [one] => format!("the cell {one}"),
        many if many.len() > MOST => {
            let more = many.len() - FIRST;
            format!("the {} cells {} and {more} more", many.len(), many[..FIRST].join(" "))
        }
        many => format!("the {} cells {}", many.len(), many.join(" ")),
    }
}
