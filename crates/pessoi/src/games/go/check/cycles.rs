//! Cycles through all positions but the empty one: shown, counted, or said not to be there.

use std::collections::BTreeSet;

use num_bigint::BigUint;

use super::super::options::SYMMETRIC;
use super::rules::{Grid, all_legal, grid, is_empty, is_legal, is_move, moves, reversed};
use super::{drawings, holds, unchecked, wrong};
use crate::answer::Answer;
use crate::board::Board;
use crate::check::{Findings, SOLVED, VALUE};
use crate::error::Result;
use crate::question::Question;
use pessoi_engine::run::Run;

/// Positions through which all cycles are tried again, at most.
const MOST_ROUND: usize = 16;

/// All positions but the empty one, and where moves lead from each, by number.
type Moves = (Vec<Grid>, Vec<Vec<usize>>);

/// All positions but the empty one with their moves; `None` on large boards.
fn all_moves(board: &Board, run: &Run) -> Result<Option<Moves>> {
    let Some(mut legal) = all_legal(board, run)?.filter(|legal| legal.len() <= 30_000) else {
        return Ok(None);
    };
    legal.retain(|at| !is_empty(at));
    legal.sort_unstable();
    let mut next = Vec::with_capacity(legal.len());
    for at in &legal {
        if run.check().is_err() {
            return Ok(None);
        }
        let to = moves(at).into_iter().filter(|(to, _)| to != at);
        let to: BTreeSet<usize> = to.filter_map(|(to, _)| legal.binary_search(&to).ok()).collect();
        next.push(to.into_iter().collect());
    }
    Ok(Some((legal, next)))
}

/// How many cycles there are through few positions, tried one by one.
fn all_rounds(positions: &[Grid], next: &[Vec<usize>], symmetric: bool) -> u64 {
    let n = positions.len();
    let half_way = |path: &[usize]| {
        n.is_multiple_of(2)
            && (0..n).all(|k| reversed(&positions[path[k]]) == positions[path[(k + n / 2) % n]])
    };
    let mut rounds = 0;
    let mut path = vec![0];
    let mut left = vec![next[0].clone()];
    while let Some(options) = left.last_mut() {
        let Some(to) = options.pop() else {
            left.pop();
            path.pop();
            continue;
        };
        if path.len() == n && to == 0 {
            rounds += u64::from(!symmetric || half_way(&path));
        } else if !path.contains(&to) {
            path.push(to);
            left.push(next[to].clone());
        }
    }
    rounds
}

pub(super) fn check_cycles(
    board: &Board,
    question: &Question,
    number: &BigUint,
    run: &Run,
) -> Result<Findings> {
    match all_moves(board, run)? {
        Some((positions, next)) if (2..=MOST_ROUND).contains(&positions.len()) => {
            let rounds = all_rounds(&positions, &next, question.flag(&SYMMETRIC));
            if BigUint::from(rounds) != *number {
                return wrong("value", format!("there are {rounds} cycles, not {number}"));
            }
            Ok(holds(format!("all ways were tried, and {number} are cycles")))
        }
        _ => Ok(unchecked(format!("cycles are counted again through 2 to {MOST_ROUND} positions"))),
    }
}

/// Checks that there is no cycle through all positions but the empty one.
pub(super) fn check_none(board: &Board, question: &Question, run: &Run) -> Result<Findings> {
    let Some((positions, next)) = all_moves(board, run)? else {
        return Ok(unchecked("the board is too large to list all positions and moves"));
    };
    let n = positions.len();
    if n < 2 {
        return Ok(holds("there are fewer than two positions besides the empty one"));
    }
    // Everyone needs a successor of its own: looked for one after another, and those who
    // have one already are asked to take another (H. Kuhn).
    let mut owner: Vec<Option<usize>> = vec![None; n];
    for start in 0..n {
        let mut asked = vec![None; n];
        let mut open = vec![start];
        let mut free = None;
        while let (Some(node), None) = (open.pop(), free) {
            for &to in &next[node] {
                if asked[to].is_none() {
                    asked[to] = Some(node);
                    match owner[to] {
                        None => free = Some(to),
                        Some(other) => open.push(other),
                    }
                }
            }
        }
        let Some(mut to) = free else {
            return Ok(holds(
                "listed again, the positions have no successors of their own for all",
            ));
        };
        // Back along the way: each gives what it had to who asked for it.
        while let Some(node) = asked[to] {
            let had = (0..n).find(|&had| had != to && owner[had] == Some(node));
            owner[to] = Some(node);
            match had {
                Some(had) if node != start => {
                    owner[had] = None;
                    to = had;
                }
                _ => break,
            }
        }
        if run.check().is_err() {
            return Ok(unchecked("there was no time to look for successors again"));
        }
    }
    let mut seen = vec![false; n];
    let mut open = vec![0];
    seen[0] = true;
    while let Some(node) = open.pop() {
        for &to in &next[node] {
            if !std::mem::replace(&mut seen[to], true) {
                open.push(to);
            }
        }
    }
    if seen.contains(&false) {
        return Ok(holds("some positions cannot be reached from others"));
    }
    if n > MOST_ROUND {
        return Ok(unchecked(format!(
            "all ways are tried again only through {MOST_ROUND} positions"
        )));
    }
    let rounds = all_rounds(&positions, &next, question.flag(&SYMMETRIC));
    if rounds > 0 {
        return wrong("value", format!("there are {rounds} cycles"));
    }
    Ok(holds("all ways through the positions were tried again"))
}

pub(super) fn check_cycle(
    answer: &Answer,
    board: &Board,
    question: &Question,
    run: &Run,
) -> Result<Findings> {
    let drawn = drawings(answer)?;
    let [(drawings, true)] = drawn[..] else {
        return wrong("solutions", "it does not show one cycle");
    };
    let cycle = drawings.iter().map(|drawing| grid(board, drawing)).collect::<Result<Vec<_>>>()?;
    if cycle.len() < 2 {
        return wrong("solutions", "a cycle has two positions or more");
    }
    for (k, at) in cycle.iter().enumerate() {
        let next = &cycle[(k + 1) % cycle.len()];
        if is_empty(at) {
            return wrong("solutions", "the empty position is among them");
        }
        if !is_legal(at) || !is_move(at, next) {
            return wrong(
                "solutions",
                format!("no move leads from position {} to the next", k + 1),
            );
        }
        let opposite = &cycle[(k + cycle.len() / 2) % cycle.len()];
        if question.flag(&SYMMETRIC) && reversed(at) != *opposite {
            return wrong(
                "solutions",
                format!("the reverse of position {} is not opposite to it", k + 1),
            );
        }
    }
    let seen: BTreeSet<&Grid> = cycle.iter().collect();
    if seen.len() != cycle.len() {
        return wrong("solutions", "a position comes twice");
    }
    let Some(legal) = all_legal(board, run)? else {
        return Ok(Findings::unchecked(SOLVED, "the board is too large to list all positions"));
    };
    if cycle.len() + 1 != legal.len() {
        return wrong(
            "solutions",
            format!("{} positions but the empty one are legal", legal.len() - 1),
        );
    }
    let how = format!(
        "{} positions follow each other by moves, and they are all but the empty one",
        cycle.len()
    );
    Ok(Findings::checked(SOLVED, how).and(VALUE, "one cycle is shown"))
}
