//! Disjoint parts of a tree.
//!
//! A **cut** of a tree is its nodes at some depth, and the solutions above; each is a *prefix*
//! (the steps that lead to it). Trees are cut twice. The first cut has some prefixes for each
//! part and *deals* them out: part `i/m` takes the prefixes number i, i+m, i+2m … Since it
//! depends on the tree and on `m` alone (never on threads or time), the parts of one `m` are
//! disjoint and together are everything, whichever machines walk them. The idea is `res/mod` of
//! nauty's program `geng`. The second cut goes deeper below a part's own prefixes, so that all
//! threads have work; it changes nothing in what the part holds. Where most of its prefixes are
//! leaves the tree is at its end, and it is cut no further: each prefix is walked from the root
//! again, which then takes longer than what lies below it.
//!
//! The nodes above the first cut are looked at by every part, and no others are looked at
//! twice. So m parts with p prefixes each take about m²·p nodes more than the whole tree: with
//! 10 parts of 8 prefixes some 1500, which is nothing if the tree has a million nodes.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::str::FromStr;

use rustc_hash::FxHasher;

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
/// Prefixes for the threads, of all parts together …
const JOBS: u64 = 1024;
/// … and of each. So many are also enough where the tree ends.
const JOBS_A_PART: u64 = 64;
/// Searches that stand side by side while a cut is made. Wider cuts are made by walking.
const MOST_ABREAST: usize = 4096;

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

    /// Which part this is, from 1.
    pub fn index(self) -> u64 {
        self.index
    }
}

/// How a tree is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cut {
    part: Part,
    a_part: u64,
    jobs: u64,
}

impl Cut {
    /// The usual cut for a part.
    pub const fn new(part: Part) -> Self {
        Cut { part, a_part: PREFIXES_A_PART, jobs: JOBS }
    }

    /// With so many prefixes for each part, at least. All parts must be cut alike: the number
    /// must be the same whichever of them is asked for.
    #[must_use]
    pub fn a_part(self, prefixes: u64) -> Self {
        Cut { a_part: prefixes.max(1), ..self }
    }

    /// With so many jobs for the threads, in all parts together.
    #[must_use]
    pub fn jobs(self, jobs: u64) -> Self {
        Cut { jobs, ..self }
    }
}

impl From<Part> for Cut {
    fn from(part: Part) -> Self {
        Cut::new(part)
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
    dealt: u64,
    _claim: Claim,
}

impl<Step> Prefixes<Step> {
    /// How many prefixes were dealt out to all parts: parts that were cut alike agree in this.
    pub fn dealt(&self) -> u64 {
        self.dealt
    }

    /// A number that prefixes of another cut hardly have too: for checkpoints, which must not be
    /// gone on with if the tree is cut otherwise.
    pub fn digest(&self) -> u64
    where
        Step: Hash,
    {
        let mut hasher = FxHasher::default();
        self.dealt.hash(&mut hasher);
        self.paths.hash(&mut hasher);
        hasher.finish()
    }
}

impl<Step> Deref for Prefixes<Step> {
    type Target = [Vec<Step>];

    fn deref(&self) -> &[Vec<Step>] {
        &self.paths
    }
}

/// Cuts the tree below the node at which `search` stands.
pub fn prefixes<S: Search + Clone>(
    search: &S,
    cut: impl Into<Cut>,
    run: &Run,
) -> Result<Prefixes<S::Step>, Stop> {
    let Cut { part, a_part, jobs } = cut.into();
    run.tick(1)?;
    let root: Vec<_> = Twig::at(search.clone(), Vec::new()).into_iter().collect();
    if part.is_whole() {
        let (paths, claim) = grown(root, jobs, JOBS_A_PART, run)?;
        return Ok(Prefixes { paths, dealt: 1, _claim: claim });
    }
    let wanted = part.of.saturating_mul(a_part);
    let (paths, dealing) = grown(root, wanted, wanted, run)?;
    let dealt = paths.len() as u64;
    let own = (0..).zip(paths).filter(|(number, _)| part.contains(*number));
    let own = own.filter_map(|(_, path)| Twig::below(search, path)).collect();
    drop(dealing);
    let (paths, claim) = grown(own, (jobs / part.of).max(JOBS_A_PART), JOBS_A_PART, run)?;
    Ok(Prefixes { paths, dealt, _claim: claim })
}

/// A node that is not dead, and the way to it.
struct Twig<S: Search> {
    search: S,
    path: Vec<S::Step>,
    /// The steps that lead on; none from a solution.
    steps: Vec<S::Step>,
}

/// The steps that lead on from the node at which a search stands, none from a solution; `None`
/// if it is dead.
fn alive<S: Search>(search: &mut S) -> Option<Vec<S::Step>> {
    let mut steps = Vec::new();
    match search.glance(&mut steps) {
        Outlook::Dead => None,
        Outlook::Solved => Some(Vec::new()),
        Outlook::Branch => Some(steps),
    }
}

impl<S: Search + Clone> Twig<S> {
    /// The node at which a search stands, unless it is dead.
    fn at(mut search: S, path: Vec<S::Step>) -> Option<Self> {
        let steps = alive(&mut search)?;
        Some(Twig { search, path, steps })
    }

    /// The node at the end of a path. Each node on the way is looked at, for a search may
    /// learn there what its steps need.
    fn below(root: &S, path: Vec<S::Step>) -> Option<Self> {
        let mut search = root.clone();
        let mut ignored = Vec::new();
        for &step in &path {
            ignored.clear();
            search.glance(&mut ignored);
            search.take(step);
        }
        Twig::at(search, path)
    }

    fn is_leaf(&self) -> bool {
        self.steps.is_empty()
    }

    fn bytes(&self) -> u64 {
        let steps = size_of_val(&self.path[..]) + size_of_val(&self.steps[..]);
        (size_of::<Self>() + self.search.heap_bytes() + steps) as u64
    }
}

/// The ways to some nodes, in order, and the claim for their memory.
type Ways<Step> = (Vec<Vec<Step>>, Claim);

/// Goes deeper below nodes until there are at least `wanted`, or `few` of which half are leaves,
/// or all leaves are known. Returns the ways to them, in order.
fn grown<S: Search + Clone>(
    mut twigs: Vec<Twig<S>>,
    wanted: u64,
    few: u64,
    run: &Run,
) -> Result<Ways<S::Step>, Stop> {
    let mut claim = run.claim();
    for _ in 0..DEEPEST {
        let leaves = twigs.iter().filter(|twig| twig.is_leaf()).count();
        let is_ending = twigs.len() as u64 >= few && 2 * leaves >= twigs.len();
        if leaves == twigs.len()
            || is_ending
            || twigs.len() as u64 >= wanted
            || twigs.len() > MOST_ABREAST
        {
            break;
        }
        let mut next = Vec::new();
        let mut bytes = twigs.iter().map(Twig::bytes).sum();
        for twig in twigs {
            if twig.is_leaf() {
                next.push(twig);
                continue;
            }
            run.tick(twig.steps.len() as u64)?;
            let Twig { mut search, path, steps } = twig;
            for step in steps {
                search.take(step);
                // Most nodes may be dead, so only the others get a search of their own.
                if let Some(steps) = alive(&mut search) {
                    let path = [&path[..], &[step]].concat();
                    let below = Twig { search: search.clone(), path, steps };
                    bytes += below.bytes();
                    claim.grow_to(bytes)?;
                    next.push(below);
                }
                search.undo();
            }
        }
        twigs = next;
    }
    let is_enough = twigs.len() as u64 >= wanted || twigs.len() <= MOST_ABREAST;
    if is_enough {
        let paths: Vec<_> = twigs.into_iter().map(|twig| twig.path).collect();
        // The searches are gone; the ways stay.
        drop(claim);
        let mut claim = run.claim();
        claim.grow_to(paths.iter().map(|path| bytes_of(path)).sum())?;
        return Ok((paths, claim));
    }
    // Too many for a search each: they are walked, each time a step deeper.
    let mut depth = 1;
    loop {
        let mut found = Found { paths: Vec::new(), open: 0, run, claim: run.claim() };
        for Twig { search, path, .. } in &mut twigs {
            found.descend(search, path, depth)?;
        }
        if found.open == 0 || found.paths.len() as u64 >= wanted || depth == DEEPEST {
            return Ok((found.paths, found.claim));
        }
        depth += 1;
    }
}

/// The memory of the way to a node.
fn bytes_of<Step>(path: &[Step]) -> u64 {
    (size_of::<Vec<Step>>() + size_of_val(path)) as u64
}

struct Found<'r, Step> {
    paths: Vec<Vec<Step>>,
    /// How many of them may go deeper.
    open: usize,
    run: &'r Run,
    claim: Claim,
}

impl<Step: Copy + Hash> Found<'_, Step> {
    /// Recursion is safe here: no cut is deeper than [`DEEPEST`].
    fn descend<S: Search<Step = Step>>(
        &mut self,
        search: &mut S,
        path: &mut Vec<Step>,
        depth: usize,
    ) -> Result<(), Stop> {
        self.run.tick(1)?;
        let mut steps = Vec::new();
        match search.glance(&mut steps) {
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
        self.claim.grow_to((self.paths.len() as u64 + 1) * bytes_of(path))?;
        self.paths.push(path.to_vec());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::examples::Queens;
    use super::super::{Walk, fold, tally};
    use super::*;
    use crate::ledger::Chapter;

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
                    &Chapter::unkept(),
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
        let cut = |n| prefixes(&Queens::new(n), Part::WHOLE, &run).unwrap().len();
        assert_eq!((cut(4), cut(3)), (2, 0));
    }

    /// 60 solutions and 40 nodes with 100 solutions each, and dead leaves, which a glance does not
    /// tell from solutions.
    #[derive(Clone)]
    struct Ending(Vec<u8>);

    impl Search for Ending {
        type Step = u8;
        type Solution = ();

        fn look(&mut self, steps: &mut Vec<u8>) -> Outlook {
            match (self.0.len(), self.0.last()) {
                (0, _) | (1, Some(..40)) => {
                    steps.extend(0..110);
                    Outlook::Branch
                }
                (_, Some(100..)) => Outlook::Dead,
                _ => Outlook::Solved,
            }
        }

        fn glance(&mut self, steps: &mut Vec<u8>) -> Outlook {
            match self.look(steps) {
                Outlook::Dead => Outlook::Solved,
                outlook => outlook,
            }
        }

        fn take(&mut self, step: u8) {
            self.0.push(step);
        }

        fn undo(&mut self) {
            self.0.pop();
        }

        fn solution(&self) {}
    }

    #[test]
    fn a_tree_that_ends_is_cut_no_further() {
        let run = Run::default();
        let root = Ending(Vec::new());
        assert_eq!(prefixes(&root, Part::WHOLE, &run).unwrap().len(), 110);
        let count = |part| tally(&root, part, &run, &Chapter::unkept()).unwrap().solutions;
        assert_eq!(count(Part::WHOLE), 60 + 40 * 100);
        let parts = (1..=7).filter_map(|index| Part::new(index, 7));
        assert_eq!(parts.map(count).sum::<u64>(), 60 + 40 * 100);
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
