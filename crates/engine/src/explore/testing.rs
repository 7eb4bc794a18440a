//! Small spaces whose numbers are known.

use super::StateSpace;
use crate::ledger::{Chapter, Ledger};
use crate::records::Unusable;
use crate::run::{Budget, Run};
use crate::store::Store;
use proptest::prelude::*;
use std::time::Duration;

/// A graph given by its arcs.
#[derive(Clone, Debug)]
pub(super) struct Graph {
    next: Vec<Vec<usize>>,
}

impl Graph {
    pub(super) fn new(size: usize, arcs: &[(usize, usize)], both_ways: bool) -> Self {
        let mut next = vec![Vec::new(); size];
        for &(a, b) in arcs {
            next[a].push(b);
            if both_ways {
                next[b].push(a);
            }
        }
        Graph { next }
    }

    pub(super) fn size(&self) -> usize {
        self.next.len()
    }

    pub(super) fn joined(&self, from: usize, to: usize) -> bool {
        self.next[from].contains(&to)
    }

    /// All distances, after Floyd and Warshall.
    pub(super) fn distances(&self) -> Distances {
        let size = self.size();
        let mut found = Distances { size, between: vec![None; size * size] };
        for (from, next) in self.next.iter().enumerate() {
            for &to in next {
                found.between[from * size + to] = Some(1);
            }
            found.between[from * size + from] = Some(0);
        }
        for via in 0..size {
            for from in 0..size {
                for to in 0..size {
                    if let (Some(a), Some(b)) = (found.between(from, via), found.between(via, to)) {
                        let old = found.between(from, to).unwrap_or(u64::MAX);
                        found.between[from * size + to] = Some(old.min(a + b));
                    }
                }
            }
        }
        found
    }
}

/// The distances between all states of a graph.
pub(super) struct Distances {
    size: usize,
    between: Vec<Option<u64>>,
}

impl Distances {
    pub(super) fn between(&self, from: usize, to: usize) -> Option<u64> {
        self.between[from * self.size + to]
    }

    /// The greatest distance from a state.
    pub(super) fn greatest(&self, from: usize) -> u64 {
        (0..self.size).filter_map(|to| self.between(from, to)).max().unwrap()
    }
}

impl StateSpace for Graph {
    type State = usize;

    fn starts(&self) -> impl Iterator<Item = usize> {
        0..self.size()
    }

    fn moves(&self, from: &usize, offer: impl FnMut(usize)) {
        self.next[*from].iter().copied().for_each(offer);
    }

    fn holds(&self, state: &usize) -> bool {
        *state < self.size()
    }
}

/// Graphs of up to twelve states with few to many arcs, loops and double arcs
/// among them.
pub(super) fn graphs(both_ways: bool) -> impl Strategy<Value = Graph> {
    (1..=12_usize).prop_flat_map(move |size| {
        prop::collection::vec((0..size, 0..size), 0..=2 * size)
            .prop_map(move |arcs| Graph::new(size, &arcs, both_ways))
    })
}

/// The numbers below this one, each joined to the next.
pub(super) struct Line(pub(super) u64);

impl StateSpace for Line {
    type State = u64;

    fn starts(&self) -> impl Iterator<Item = u64> {
        0..self.0
    }

    fn moves(&self, from: &u64, mut offer: impl FnMut(u64)) {
        if *from > 0 {
            offer(from - 1);
        }
        if from + 1 < self.0 {
            offer(from + 1);
        }
    }

    fn holds(&self, state: &u64) -> bool {
        *state < self.0
    }
}

/// The sliding puzzle on a rectangle; 0 is the blank.
pub(super) struct Slide {
    pub(super) rows: usize,
    pub(super) columns: usize,
}

impl Slide {
    pub(super) fn solved(&self) -> Vec<u8> {
        (0..(self.rows * self.columns) as u8).collect()
    }

    /// All arrangements, solvable or not.
    pub(super) fn all(&self) -> Vec<Vec<u8>> {
        let mut all = vec![Vec::new()];
        for tile in self.solved() {
            all = all
                .iter()
                .flat_map(|some| {
                    (0..=some.len()).map(move |place| {
                        let mut more: Vec<u8> = some.clone();
                        more.insert(place, tile);
                        more
                    })
                })
                .collect();
        }
        all
    }
}

impl StateSpace for Slide {
    type State = Vec<u8>;

    fn starts(&self) -> impl Iterator<Item = Vec<u8>> {
        self.all().into_iter()
    }

    fn moves(&self, from: &Vec<u8>, mut offer: impl FnMut(Vec<u8>)) {
        let blank = from.iter().position(|&tile| tile == 0).unwrap();
        let (row, column) = (blank / self.columns, blank % self.columns);
        let mut slide = |tile: usize| {
            let mut to = from.clone();
            to.swap(blank, tile);
            offer(to);
        };
        if row > 0 {
            slide(blank - self.columns);
        }
        if row + 1 < self.rows {
            slide(blank + self.columns);
        }
        if column > 0 {
            slide(blank - 1);
        }
        if column + 1 < self.columns {
            slide(blank + 1);
        }
    }

    fn holds(&self, state: &Vec<u8>) -> bool {
        let mut tiles = state.clone();
        tiles.sort_unstable();
        tiles == self.solved()
    }
}

/// A folder for a checkpoint, removed when dropped.
pub(crate) struct Folder(pub(crate) std::path::PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("explore-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    /// A run that is stopped after so many looks at its clock, and saves itself after each.
    pub(crate) fn run(&self, threads: usize, looks: u32) -> Run {
        let look = Duration::from_secs(1);
        let store = Store::open(self.0.join("saved")).unwrap().every(look);
        let budget = Budget { time: Some(look * looks), threads, ..Budget::default() };
        Run::stepping(budget, look).with_store(store)
    }

    /// Does some work again and again, each time for a few looks more, until it is not stopped.
    /// Says in how many runs, and how many states were handled.
    pub(crate) fn until_done<T>(
        &self,
        mut work: impl FnMut(&Run, &Chapter) -> Option<T>,
    ) -> (T, u32, u64) {
        for runs in 1.. {
            let run = self.run(1 + runs as usize % 3, 2 + runs);
            let ledger = Ledger::open(&run, "a test").unwrap();
            let done = work(&run, &ledger.chapter("work"));
            ledger.close().unwrap();
            if let Some(done) = done {
                return (done, runs, run.progress().handled);
            }
        }
        unreachable!()
    }

    /// Puts a checkpoint there whose open chapter has these records, does some work, and says
    /// whether it was refused and left as it is.
    pub(crate) fn refuses(&self, records: &[Vec<u64>], work: impl FnOnce(&Run, &Chapter)) -> bool {
        let run = self.run(1, 1000);
        run.store().unwrap().remove().unwrap();
        let forged = Ledger::open(&run, "a test").unwrap();
        forged.chapter("work").put_aside(|out| records.iter().try_for_each(|one| out.record(one)));
        let before = run.store().unwrap().load().unwrap();
        let ledger = Ledger::open(&run, "a test").unwrap();
        work(&run, &ledger.chapter("work"));
        let is_refused = ledger.close() == Err(Unusable::Damaged);
        assert!(!is_refused || run.store().unwrap().load().unwrap() == before);
        is_refused
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
