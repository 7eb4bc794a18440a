//! Disjoint parts of a tree.
//!
//! The tree is cut at the first depth with enough nodes; each node there, and
//! each solution above, is a *prefix* (the steps that lead to it). Part `i/m`
//! takes the prefixes number i, i+m, i+2m … Since the cut depends on `m` alone
//! (never on threads or time), the parts of one `m` are disjoint and together
//! are everything, whichever machines walk them. The idea is `res/mod` of
//! nauty's program `geng`.

use std::fmt;
use std::ops::Deref;
use std::str::FromStr;

use super::{Outlook, Search};
use crate::run::{Claim, Run, Stop};

/// Part `index` of `of`, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    index: u64,
    of: u64,
}

/// More parts than this are of no use and would need a very deep cut.
const MOST_PARTS: u64 = 1_000_000;
/// Prefixes for each part: enough to even out subtrees of unequal size.
const PREFIXES_A_PART: u64 = 16;
/// No cut is deeper: a tree that has not branched by then is cut unevenly.
const DEEPEST: usize = 64;
/// A cut always has about this many prefixes, so that threads have work.
const LEAST_PREFIXES: u64 = 1024;

impl Part {
    /// Everything, in one part.
    pub const WHOLE: Part = Part { index: 1, of: 1 };

    /// Part `index` of `of`, if there is such a part.
    pub fn new(index: u64, of: u64) -> Option<Part> {
        (1 <= index && index <= of && of <= MOST_PARTS).then_some(Part { index, of })
    }

    /// Whether this is everything.
    pub fn is_whole(self) -> bool {
        self.of == 1
    }

    /// How many parts there are.
    pub fn of(self) -> u64 {
        self.of
    }

    /// Whether the thing with this number (from 0) belongs to this part.
    pub fn contains(self, number: u64) -> bool {
        number % self.of == self.index - 1
    }

    /// How many prefixes the tree is to be cut into, at least.
    pub fn prefixes_wanted(self) -> u64 {
        (self.of * PREFIXES_A_PART).max(LEAST_PREFIXES)
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.of)
    }
}

impl FromStr for Part {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        text.split_once('/')
            .and_then(|(i, m)| Part::new(i.trim().parse().ok()?, m.trim().parse().ok()?))
            .ok_or_else(|| {
                format!(
                    "The part {text:?} is not of the form i/m with 1 ≤ i ≤ m ≤ {MOST_PARTS}, \
                     such as 2/8."
                )
            })
    }
}

/// The prefixes of one part of a tree, in the order of the walk.
#[derive(Debug)]
pub struct Prefixes<Step> {
    paths: Vec<Vec<Step>>,
    _claim: Claim,
}

impl<Step> Deref for Prefixes<Step> {
    type Target = [Vec<Step>];

    fn deref(&self) -> &[Vec<Step>] {
        &self.paths
    }
}

/// Cuts the tree into at least `wanted` prefixes, or into all its solutions if it has no
/// level so wide, and gives those of one part. All parts must be cut with the same `wanted`,
/// which is at least [`Part::prefixes_wanted`].
pub fn prefixes<S: Search>(
    search: &mut S,
    part: Part,
    wanted: u64,
    run: &Run,
) -> Result<Prefixes<S::Step>, Stop> {
    let wanted = wanted.max(part.prefixes_wanted());
    let mut depth = 0;
    loop {
        let mut cut = Cut { found: Vec::new(), open: 0, run, claim: run.claim() };
        cut.descend(search, &mut Vec::new(), depth)?;
        if cut.open == 0 || cut.found.len() as u64 >= wanted || depth == DEEPEST {
            let mut number = 0;
            cut.found.retain(|_| {
                number += 1;
                part.contains(number - 1)
            });
            return Ok(Prefixes { paths: cut.found, _claim: cut.claim });
        }
        depth += 1;
    }
}

struct Cut<'r, Step> {
    found: Vec<Vec<Step>>,
    /// How many of them may go deeper.
    open: usize,
    run: &'r Run,
    claim: Claim,
}

impl<Step: Copy> Cut<'_, Step> {
    /// Recursion is safe here: no cut is deeper than [`DEEPEST`].
    fn descend<S: Search<Step = Step>>(
        &mut self,
        search: &mut S,
        path: &mut Vec<Step>,
        depth: usize,
    ) -> Result<(), Stop> {
        self.run.tick(1)?;
        let mut steps = Vec::new();
        match search.look(&mut steps) {
            Outlook::Dead => return Ok(()),
            Outlook::Solved => self.keep(path)?,
            Outlook::Branch if depth == 0 => {
                self.keep(path)?;
                self.open += 1;
            }
            Outlook::Branch => {
                for step in steps {
                    search.take(step);
                    path.push(step);
                    self.descend(search, path, depth - 1)?;
                    path.pop();
                    search.undo();
                }
            }
        }
        Ok(())
    }

    fn keep(&mut self, path: &[Step]) -> Result<(), Stop> {
        let each = size_of::<Vec<Step>>() + size_of_val(path);
        self.claim.grow_to(((self.found.len() + 1) * each) as u64)?;
        self.found.push(path.to_vec());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::examples::Queens;
    use super::super::{Walk, fold};
    use super::*;

    #[test]
    fn parts_are_disjoint_and_together_everything() {
        let run = Run::default();
        let whole: Vec<_> = Walk::new(Queens::new(7), &run).map(Result::unwrap).collect();
        for of in [1, 2, 3, 7, 64, 1000] {
            let mut together = Vec::new();
            for index in 1..=of {
                let part = Part::new(index, of).unwrap();
                let listed = fold(
                    &Queens::new(7),
                    part,
                    &run,
                    Vec::new,
                    |list, search| list.push(search.solution()),
                    Extend::extend,
                );
                together.extend(listed.unwrap().folded);
            }
            together.sort();
            assert_eq!(together, whole, "of = {of}");
        }
    }

    #[test]
    fn a_narrow_tree_is_cut_into_its_solutions() {
        let run = Run::default();
        let cut = |n| prefixes(&mut Queens::new(n), Part::WHOLE, 1000, &run).unwrap().len();
        assert_eq!((cut(4), cut(3)), (2, 0));
    }

    #[test]
    fn part_texts() {
        assert_eq!("2/8".parse(), Ok(Part { index: 2, of: 8 }));
        for bad in ["", "2", "0/3", "4/3", "1/0", "a/b", "1/2/3", "1/1000001"] {
            let error = bad.parse::<Part>().unwrap_err();
            assert!(error.contains("1 ≤ i ≤ m"), "{error}");
        }
        assert_eq!(Part::new(2, 8).unwrap().to_string(), "2/8");
    }
}
