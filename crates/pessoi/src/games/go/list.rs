//! `list` and `classify`: every legal position, or one of each class.
//!
//! The points are coloured one by one in their order, empty first, then black, then white. As soon
//! as a string has no liberty and no point beside it that is still to be coloured, nothing legal
//! lies below. Positions come in the order of their colours, whatever the threads.
//!
//! A *class* holds the positions that turns, mirrors of the board and the reversal of colours make
//! of one: the same as `count --classes` counts. The first in the order of colours is given for
//! it, so nothing needs to be stored; and where all were met, the sizes of the classes must add up
//! to the number of positions.

use num_bigint::BigUint;
use pessoi_engine::search::{Outlook, Part, Search, stream};
use pessoi_engine::symmetry::canonical;

use super::count::{POSITIONS, classes_subject};
use super::methods::COLOURING;
use super::options::LISTED_LIMIT;
use super::position::{BLACK, EMPTY, WHITE};
use super::sample::shown;
use crate::answer::{Answer, Subject, Value};
use crate::board::{Board, Symmetry};
use crate::error::{Error, Result};
use crate::job::{Asked, Events, Work};
use crate::plan::Plan;
use crate::question::{Question, Verb};
use crate::solution::{Class, Solution};

/// Points of the boards whose positions are listed: 4x4 has 24 million.
pub(super) const MOST_LISTED: usize = 64;

/// What is listed.
pub(super) struct Listing<'a> {
    pub(super) board: &'a Board,
    classes: bool,
    limit: u64,
    part: Part,
}

impl<'a> Listing<'a> {
    pub(super) fn of(question: &'a Question) -> Result<Self> {
        Ok(Listing {
            board: question.board()?,
            classes: question.verb == Verb::Classify,
            limit: question.number(&LISTED_LIMIT).unwrap_or(u64::MAX),
            part: question.part(),
        })
    }

    pub(super) fn subject(&self) -> Subject {
        if self.classes { classes_subject() } else { POSITIONS }
    }
}

/// Plans a list.
pub(super) fn plan(asked: &Asked, listing: &Listing) -> Plan {
    let why = "every position must be visited";
    let plan = Plan::new(asked.question, &COLOURING, why);
    plan.with_tree(Colouring::new(listing.board), 200, asked.run)
}

/// Lists positions.
pub(super) fn answer(asked: &Asked, listing: &Listing, events: &mut dyn Events) -> Work<Answer> {
    let Listing { board, classes, limit, part } = listing;
    let group = classes.then(|| board.symmetries());
    let encoder = events.encoder();
    let (mut given, mut in_classes, mut wanted) = (0u64, 0u64, true);
    let judge = |at: &Colouring| {
        let class = match &group {
            None => None,
            Some(group) => Some(class(group, &at.colours)?),
        };
        let orbit = class.as_ref().map_or(0, |class| class.orbit);
        let solution = Solution { class, ..shown(board, &at.colours) };
        let parcel = match &encoder {
            None => Ok(solution),
            Some(encoder) => {
                let mut bytes = Vec::new();
                encoder.encode(&solution, &mut bytes);
                Err(bytes)
            }
        };
        Some((orbit, parcel))
    };
    let heap = |(_, parcel): &(u64, Result<Solution, Vec<u8>>)| match parcel {
        Ok(_) => 4 * board.len() + 64,
        Err(bytes) => bytes.len(),
    };
    let search = Colouring::new(board);
    let walked = stream(&search, *part, asked.run, judge, heap, |(orbit, parcel)| {
        in_classes += orbit;
        given += 1;
        let flow = match parcel {
            Ok(solution) => events.solution(solution),
            Err(bytes) => events.encoded(&bytes, 1),
        };
        wanted = flow.is_continue() && given < *limit;
        wanted
    });
    let (met, stopped) = match walked {
        Ok(all) => (all.solutions, None),
        Err(stopped) => (stopped.so_far.solutions, Some(stopped.why)),
    };
    let is_all = wanted && stopped.is_none();
    let value = match stopped {
        Some(stop) => Value::stopped(given, stop),
        None if !wanted => Value::at_least(given),
        None => Value::exact(given),
    };
    let mut answer = asked.answer(&listing.subject(), value, &COLOURING);
    if *classes && is_all {
        // Positions of a class may lie in several parts.
        if part.is_whole() && BigUint::from(in_classes) != BigUint::from(met) {
            return Err(Error::internal(format!(
                "the classes hold {in_classes} positions, but {met} were met"
            ))
            .into());
        }
        answer.fact("positions", "legal positions in these classes", in_classes);
    }
    Ok(answer)
}

/// The class of a position that is the first of it; `None` for the others.
fn class(group: &[Symmetry], colours: &[u8]) -> Option<Class> {
    let mut images = Vec::with_capacity(2 * group.len());
    for reverses in [false, true] {
        for symmetry in group {
            let mut image = vec![EMPTY; colours.len()];
            for (&to, &colour) in symmetry.permutation.iter().zip(colours) {
                image[to as usize] = match colour {
                    BLACK if reverses => WHITE,
                    WHITE if reverses => BLACK,
                    colour => colour,
                };
            }
            images.push(image);
        }
    }
    let found = canonical(images.iter())?;
    if found.least.as_slice() != colours {
        return None;
    }
    let names = images.iter().enumerate().skip(1).filter(|(_, image)| *image == colours);
    let name = |k: usize| {
        let name = &group[k % group.len()].name;
        if k < group.len() { name.clone() } else { format!("{name} with colours reversed") }
    };
    Some(Class { orbit: found.orbit().ok()?, symmetries: names.map(|(k, _)| name(k)).collect() })
}

/// The tree of colourings.
#[derive(Clone)]
struct Colouring {
    neighbours: Vec<Vec<usize>>,
    colours: Vec<u8>,
}

impl Colouring {
    fn new(board: &Board) -> Self {
        let neighbours = (0..board.len()).map(|point| board.neighbours(point).collect()).collect();
        Colouring { neighbours, colours: Vec::new() }
    }

    /// Whether the string of a stone can still have a liberty.
    fn lives(&self, point: usize) -> bool {
        let colour = self.colours[point];
        let mut string = vec![point];
        let mut next = 0;
        while let Some(&at) = string.get(next) {
            next += 1;
            for &other in &self.neighbours[at] {
                match self.colours.get(other) {
                    // Not coloured yet, or empty.
                    None | Some(&EMPTY) => return true,
                    Some(&own) if own == colour && !string.contains(&other) => string.push(other),
                    Some(_) => {}
                }
            }
        }
        false
    }
}

impl Search for Colouring {
    type Step = u8;
    type Solution = Vec<u8>;

    fn look(&mut self, steps: &mut Vec<u8>) -> Outlook {
        // Only the strings at the last point can have lost their last hope.
        if let Some(last) = self.colours.len().checked_sub(1)
            && self.colours[last] != EMPTY
        {
            let around = self.neighbours[last].iter().copied().filter(|&other| other < last);
            let mut stones = around.filter(|&other| self.colours[other] != EMPTY);
            if !self.lives(last) || !stones.all(|other| self.lives(other)) {
                return Outlook::Dead;
            }
        }
        if self.colours.len() == self.neighbours.len() {
            return Outlook::Solved;
        }
        steps.extend([EMPTY, BLACK, WHITE]);
        Outlook::Branch
    }

    fn take(&mut self, step: u8) {
        self.colours.push(step);
    }

    fn undo(&mut self) {
        self.colours.pop();
    }

    fn solution(&self) -> Vec<u8> {
        self.colours.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Catalogue, Effort, Run, Standing};

    fn ask(words: &str) -> Answer {
        let catalogue = Catalogue::standard();
        let words: Vec<&str> = words.split(' ').collect();
        let question = catalogue.read_question(&words).unwrap();
        catalogue.answer(&question, &Run::default()).unwrap()
    }

    #[test]
    fn lists_agree_with_counts() {
        for board in ["1x1", "1x5", "2x2", "2x3", "3x3", "2x4"] {
            let listed = ask(&format!("list go {board}"));
            assert_eq!(listed.value, ask(&format!("count go {board}")).value, "{board}");
            let mut drawings: Vec<_> =
                listed.solutions.iter().map(|found| format!("{found:?}")).collect();
            drawings.sort_unstable();
            drawings.dedup();
            assert_eq!(listed.value, Value::exact(drawings.len() as u64));
            let classes = ask(&format!("classify go {board}"));
            assert_eq!(classes.value, ask(&format!("count go {board} --classes")).value);
            let orbits: u64 =
                classes.solutions.iter().map(|found| found.class.as_ref().unwrap().orbit).sum();
            assert_eq!(listed.value, Value::exact(orbits), "{board}");
        }
    }

    #[test]
    fn parts_are_disjoint_and_everything() {
        let mut all: Vec<_> = (1..=3)
            .flat_map(|i| ask(&format!("list go 2x3 --part {i}/3")).solutions)
            .map(|found| format!("{found:?}"))
            .collect();
        all.sort_unstable();
        let mut whole: Vec<_> =
            ask("list go 2x3").solutions.iter().map(|found| format!("{found:?}")).collect();
        whole.sort_unstable();
        assert_eq!(all, whole);
    }

    #[test]
    fn limits_and_checks() {
        let few = ask("list go 4x4 --limit 5");
        assert_eq!((few.value.clone(), few.solutions.len()), (Value::at_least(5u32), 5));
        let catalogue = Catalogue::standard();
        let run = Run::default();
        for words in ["list go 2x2", "classify go 2x3", "list go 4x4 --limit 5"] {
            let good = ask(words);
            let verdict = catalogue.check(&good, Effort::Usual, &run).unwrap();
            let solved = verdict.of("solutions").unwrap();
            assert_eq!(solved.standing, Standing::Checked, "{words}: {solved:?}");
            let mut twice = good.clone();
            twice.solutions[1] = twice.solutions[0].clone();
            assert!(catalogue.check(&twice, Effort::Usual, &run).is_err(), "{words}");
        }
    }
}
