//! The tables against plain searches of the same lifts.

use super::*;
use crate::disk::Disk;
use crate::explore::{StateSpace, diameter as plain_diameter, layers as plain_layers};
use crate::ledger::Chapter;
use crate::random::Random;
use crate::run::{Budget, Run, Stop};
use crate::store::Store;
use crate::symmetry::Generated;
use num_bigint::BigUint;
use proptest::prelude::*;
use std::time::Duration;

/// The lift, state by state.
struct Plain<'g>(&'g Gains);

impl StateSpace for Plain<'_> {
    type State = (u32, Vec<u8>);

    fn starts(&self) -> impl Iterator<Item = Self::State> {
        (0..self.0.nodes() as u32).map(|node| (node, (0..self.0.slots() as u8).collect()))
    }

    fn moves(&self, (node, p): &Self::State, mut offer: impl FnMut(Self::State)) {
        for (to, gain) in self.0.arcs(*node) {
            offer((to, gain.iter().map(|&s| p[s as usize]).collect()));
        }
    }

    fn holds(&self, (node, p): &Self::State) -> bool {
        (*node as usize) < self.0.nodes() && p.len() == self.0.slots()
    }
}

/// A connected graph with random gains.
fn any_gains() -> impl Strategy<Value = Gains> {
    (1..=90usize, 1..=6usize, 0..12usize, 0..3u32, any::<u64>()).prop_map(
        |(nodes, slots, more, kind, seed)| {
            let mut random = Random::new(seed, 0);
            let mut graph = Gains::new(nodes, slots);
            let mut join = |a: u32, b: u32, random: &mut Random| {
                let mut gain: Vec<u8> = (0..slots as u8).collect();
                let count = if kind == 2 { 2 } else { kind };
                for _ in 0..count {
                    let [a, b] = [0, 0].map(|_| random.below(slots as u64) as usize);
                    gain.swap(a, b);
                }
                graph.join(a, b, &gain);
            };
            for node in 1..nodes as u64 {
                let before = random.below(node) as u32;
                join(before, node as u32, &mut random);
            }
            for _ in 0..more {
                let [a, b] = [0, 0].map(|_| random.below(nodes as u64) as u32);
                join(a, b, &mut random);
            }
            graph
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn tables_find_the_layers_of_a_plain_search(graph in any_gains(), start: prop::sample::Index) {
        let start = start.index(graph.nodes()) as u32;
        let plain = Plain(&graph);
        let identity: Vec<u8> = (0..graph.slots() as u8).collect();
        for threads in [1, 2] {
            let run = Run::new(Budget { threads, ..Budget::default() });
            let gauge = if threads == 1 { Gauge::plain(&graph) } else { Gauge::best(&graph, 3, &run).unwrap() };
            // By the names of a gauge the start must be the identity.
            let first = gauge.restore(start, &identity);
            let expected = plain_layers(&plain, [(start, first)], &run, &Chapter::unkept()).unwrap();
            let group = Generated::new(graph.slots(), &gauge.generators(&graph, &run).unwrap(), &run).unwrap();
            let size = BigUint::from(expected.total());
            prop_assert_eq!(group.order() * graph.nodes() as u64, size);
            let mut table = Table::new(&graph, gauge, &run).unwrap();
            let found = table.layers(start, None, &run).unwrap();
            prop_assert_eq!(&found.sizes, &expected.sizes());
            let named = |(node, images): &(u32, crate::symmetry::Permutation)| {
                let items: Vec<u8> = images.images().iter().map(|&i| i as u8).collect();
                (*node, table.gauge().restore(*node, &items))
            };
            let far = named(&found.farthest);
            prop_assert_eq!(expected.distance_to(&far), Some(u64::from(found.depth())));
            let mut last = vec![None; graph.nodes()];
            for d in 0..=found.depth() {
                expected.layer(u64::from(d)).for_each(|(node, _)| last[*node as usize] = Some(d));
            }
            prop_assert_eq!(&found.last, &last);
            // From either side, and changing sides all the time.
            let mut level = 0u64;
            let sides: [&mut (dyn FnMut(u64, u64) -> bool + Send); 3] =
                [&mut |_, _| false, &mut |_, _| true, &mut |_, _| { level += 1; level % 3 == 1 }];
            for side in sides {
                prop_assert_eq!(&table.layers_by(start, None, side, None, &run).unwrap(), &found);
            }
            // All states of a layer, one by one.
            let middle = found.depth() / 2;
            let part = table.layers(start, Some(middle), &run).unwrap();
            prop_assert_eq!(part.depth(), middle);
            let named = |(node, images): (u32, crate::symmetry::Permutation)| {
                let items: Vec<u8> = images.images().iter().map(|&i| i as u8).collect();
                (node, table.gauge().restore(node, &items))
            };
            let count = found.sizes[middle as usize];
            for k in 0..count.min(50) {
                let state = named(table.state(k).unwrap());
                prop_assert_eq!(expected.distance_to(&state), Some(u64::from(middle)));
            }
            prop_assert!(table.state(count).is_none());
        }
    }

    #[test]
    fn the_diameter_agrees_with_a_plain_one(graph in any_gains()) {
        prop_assume!(graph.nodes() <= 20 && graph.slots() <= 5);
        let run = Run::default();
        let plain = Plain(&graph);
        let expected = plain_diameter(&plain, plain.starts().collect::<Vec<_>>(), &run, &Chapter::unkept()).unwrap().unwrap();
        let mut table = Table::new(&graph, Gauge::plain(&graph), &run).unwrap();
        let found = diameter(&mut table, &graph, &Geometry::default(), None, &run).unwrap();
        prop_assert_eq!(u64::from(found.layers.depth()), expected.distance);
        prop_assert!(found.searches <= found.classes);
    }
}

#[test]
fn tables_keep_within_the_memory_limit() {
    let mut graph = Gains::new(2, 12);
    let gain: Vec<u8> = (1..12).chain([0]).collect();
    let back: Vec<u8> = [11].into_iter().chain(0..11).collect();
    graph.join(0, 1, &(0..12).collect::<Vec<_>>());
    graph.join(0, 1, &gain);
    assert!(graph.arcs(1).any(|arc| arc == (0, &back[..])), "joining adds the arc back");
    let run = Run::new(Budget { memory: Some(1 << 20), ..Budget::default() });
    let gauge = Gauge::plain(&graph);
    let size = Table::size(graph.nodes(), 12, false).unwrap();
    assert_eq!((size.states, size.bytes), (958_003_200, 958_003_200));
    let stop = Table::new(&graph, gauge, &run).unwrap_err();
    assert!(matches!(stop, crate::run::Stop::Memory { .. }), "{stop}");
    assert_eq!(run.progress().bytes, 0);
}

/// A folder of one test, removed when dropped.
struct Folder(std::path::PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("lift-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn store(&self) -> Store {
        Store::open(self.0.join("saved")).unwrap()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn on_disk(threads: usize, most: Option<u64>) -> Run {
    let disk = Disk::open(std::env::temp_dir(), most).unwrap();
    Run::new(Budget { threads, ..Budget::default() }).with_disk(disk)
}

/// Room for the tables on disk of `any_gains`, so small that there are many shelves.
const LITTLE: u64 = 40_000;

fn saved(table: &mut Table, start: u32, store: &Store, run: &Run) -> Result<Layers, Stop> {
    let mut journal = Journal::open(store, "a test", Duration::ZERO, run).unwrap();
    table.journalled(start, Some(&mut journal), run)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn tables_on_disk_find_the_same(graph in any_gains(), start: prop::sample::Index) {
        let start = start.index(graph.nodes()) as u32;
        let run = Run::default();
        let gauge = Gauge::best(&graph, 3, &run).unwrap();
        let expected = Table::new(&graph, gauge.clone(), &run).unwrap().layers(start, None, &run).unwrap();
        for (threads, most) in [(1, LITTLE / 2), (1, LITTLE), (2, LITTLE), (2, 1 << 20)] {
            let run = on_disk(threads, None);
            let table = Table::forced_to_disk(&graph, gauge.clone(), most, &run);
            let mut table = match table {
                Ok(table) => table,
                // Some graphs have too many nodes for so little.
                Err(Stop::Memory { .. }) if most <= LITTLE => continue,
                Err(other) => panic!("{other}"),
            };
            for until in [Some(3), None] {
                let found = table.layers(start, until, &run).unwrap();
                let depth = until.unwrap_or(u32::MAX).min(expected.depth()) as usize;
                prop_assert_eq!(&found.sizes[..], &expected.sizes[..=depth]);
                prop_assert!(until.is_some() || found == expected);
            }
        }
    }

    /// Stopped after every level, now in memory and now on disk.
    #[test]
    fn searches_go_on_from_their_journals(graph in any_gains(), start: prop::sample::Index, seed: u64) {
        let start = start.index(graph.nodes()) as u32;
        let folder = Folder::new(&format!("journal-{seed}"));
        let store = folder.store();
        let run = on_disk(2, None);
        let gauge = Gauge::plain(&graph);
        let mut memory = Table::new(&graph, gauge.clone(), &run).unwrap();
        let mut disk = Table::forced_to_disk(&graph, gauge, 1 << 20, &run).unwrap();
        let expected = memory.layers(start, None, &run).unwrap();
        let mut random = Random::new(seed, 0);
        for level in 0.. {
            let table = if random.below(2) == 0 { &mut memory } else { &mut disk };
            let mut journal = Journal::open(&store, "a test", Duration::ZERO, &run).unwrap();
            let until = if level > expected.depth() { None } else { Some(level) };
            let found = table.layers_by(start, until, |_, _| level % 2 == 0, Some(&mut journal), &run).unwrap();
            if until.is_none() {
                prop_assert_eq!(&found, &expected);
                break;
            }
            // What was cut short on purpose is not done.
            prop_assert_eq!(journal.searches(), 0);
            prop_assert_eq!(&found.sizes[..], &expected.sizes[..=level as usize]);
        }
        let handled = run.progress().handled;
        prop_assert_eq!(saved(&mut memory, start, &store, &run).unwrap(), expected);
        prop_assert_eq!(run.progress().handled, handled, "it is known already");
    }
}

/// Three nodes and eight slots, which are turned and of which two are exchanged.
fn ring() -> Gains {
    let mut graph = Gains::new(3, 8);
    graph.join(0, 1, &[0, 1, 2, 3, 4, 5, 6, 7]);
    graph.join(1, 2, &[0, 1, 2, 3, 4, 5, 6, 7]);
    graph.join(0, 1, &[1, 0, 2, 3, 4, 5, 6, 7]);
    graph.join(2, 0, &[7, 0, 1, 2, 3, 4, 5, 6]);
    graph
}

#[test]
fn a_disk_that_is_too_small_is_a_stop() {
    let graph = ring();
    let run = on_disk(1, None);
    let mut table = Table::forced_to_disk(&graph, Gauge::plain(&graph), LITTLE, &run).unwrap();
    let expected = table.layers(0, None, &run).unwrap();
    let peak = run.disk().unwrap().peak();
    // One bit a state, and messages.
    assert!(peak > 40_320 && run.peak_bytes() < LITTLE, "{peak} {}", run.peak_bytes());
    for most in [0, 100, 10_000, peak - 1, peak] {
        for threads in [1, 2] {
            let run = on_disk(threads, Some(most));
            let mut table =
                Table::forced_to_disk(&graph, Gauge::plain(&graph), 2 * LITTLE, &run).unwrap();
            match table.layers(0, None, &run) {
                Ok(found) => assert_eq!(found, expected),
                Err(Stop::Disk { why }) => {
                    assert!(why.contains("disk limit of"), "{why}");
                    assert!(most < peak || threads == 2);
                }
                Err(other) => panic!("{other}"),
            }
            drop(table);
            assert_eq!(run.progress().bytes, 0);
        }
    }
}

#[test]
fn tables_go_to_disk_when_the_memory_is_too_small() {
    let graph = ring();
    let size = Table::size(3, 8, false).unwrap();
    assert_eq!(size.bytes, 80_640);
    let disk = Disk::open(std::env::temp_dir(), None).unwrap();
    let run = Run::new(Budget { memory: Some(60_000), ..Budget::default() });
    assert!(matches!(Table::new(&graph, Gauge::plain(&graph), &run), Err(Stop::Memory { .. })));
    let run = run.with_disk(disk);
    let mut table = Table::new(&graph, Gauge::plain(&graph), &run).unwrap();
    let found = table.layers(1, None, &run).unwrap();
    assert_eq!(found.sizes.iter().sum::<u64>(), 3 * 40_320);
    assert!(run.disk().unwrap().peak() > 0 && run.peak_bytes() <= 60_000);
    // Too little even for that.
    let run = Run::new(Budget { memory: Some(2000), ..Budget::default() });
    let run = run.with_disk(Disk::open(std::env::temp_dir(), None).unwrap());
    assert!(matches!(Table::new(&graph, Gauge::plain(&graph), &run), Err(Stop::Memory { .. })));
}

#[test]
fn journals_of_others_and_damaged_ones_are_refused() {
    let folder = Folder::new("damaged");
    let store = folder.store();
    let graph = ring();
    let run = Run::default();
    let mut table = Table::new(&graph, Gauge::plain(&graph), &run).unwrap();
    let open = |about: &str| Journal::open(&store, about, Duration::ZERO, &run);
    assert_eq!(open("a test").unwrap().searches(), 0);
    // One search is done, and another goes on.
    saved(&mut table, 1, &store, &run).unwrap();
    let mut journal = open("a test").unwrap();
    table.layers_by(0, Some(5), |_, _| false, Some(&mut journal), &run).unwrap();
    assert_eq!(open("a test").unwrap().searches(), 1);
    let why = open("another").unwrap_err().to_string();
    assert_eq!(why, "is of another question (a test)");
    let bytes = store.load().unwrap().unwrap();
    assert!(is_journal(&bytes, "a test").is_ok());
    let mut random = Random::new(1, 0);
    for k in 0..400 {
        let mut wrong = bytes.clone();
        let at = if k < 200 { k } else { random.below(bytes.len() as u64) as usize };
        wrong[at] ^= 1 << random.below(8);
        assert!(is_journal(&wrong, "a test").is_err(), "byte {at}");
        assert!(is_journal(&bytes[..at], "a test").is_err(), "cut at {at}");
    }
    assert!(is_journal(&[&bytes[..], &[0; 8]].concat(), "a test").is_err());
    // Right by itself, but of other tables: nothing of it is taken.
    let other = Gauge::best(&graph, 5, &run).unwrap();
    let mut smaller = Gains::new(3, 7);
    smaller.join(0, 1, &[0, 1, 2, 3, 4, 5, 6]);
    smaller.join(1, 2, &[1, 2, 3, 4, 5, 6, 0]);
    smaller.join(2, 0, &[1, 0, 2, 3, 4, 5, 6]);
    for (graph, gauge) in [(&graph, other), (&smaller, Gauge::plain(&smaller))] {
        store.save(&bytes).unwrap();
        let mut table = Table::new(graph, gauge, &run).unwrap();
        let expected = table.layers(0, None, &run).unwrap();
        assert_eq!(saved(&mut table, 0, &store, &run).unwrap(), expected);
    }
}

/// Planes that are not those of the search, though every checksum is right.
#[test]
fn a_forged_journal_stops_the_search() {
    let folder = Folder::new("forged");
    let store = folder.store();
    let graph = ring();
    let run = on_disk(1, None);
    let mut memory = Table::new(&graph, Gauge::plain(&graph), &run).unwrap();
    let mut disk = Table::forced_to_disk(&graph, Gauge::plain(&graph), 1 << 20, &run).unwrap();
    let mut journal = Journal::open(&store, "a test", Duration::ZERO, &run).unwrap();
    memory.layers_by(0, Some(5), |_, _| false, Some(&mut journal), &run).unwrap();
    let bytes = store.load().unwrap().unwrap();
    let end = bytes.len() - 8;
    let plane = 40_320;
    // A bit that stands for no state; one state more; one that was found but not met.
    for at in [end - 2 * plane, end - plane - 1, end - plane, end - 1] {
        for bit in [0, 3, 7] {
            let mut forged = bytes.clone();
            forged[at] ^= 1 << bit;
            let head = forged.iter().position(|&byte| byte == b'\n').unwrap() + 1;
            let sum = forged[head..end].chunks_exact(8).fold(0u64, |sum, word| {
                let word = u64::from_le_bytes(word.try_into().unwrap());
                (sum ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29)
            });
            forged[end..].copy_from_slice(&sum.to_le_bytes());
            store.save(&forged).unwrap();
            for table in [&mut memory, &mut disk] {
                let stop = saved(table, 0, &store, &run).unwrap_err();
                assert!(stop.to_string().contains("does not fit the tables"), "{stop}");
            }
            assert_eq!(store.load().unwrap().unwrap(), forged, "it was left as it is");
        }
    }
}

#[test]
fn a_journal_that_cannot_be_written_is_a_warning() {
    let folder = Folder::new("full");
    let store = folder.store().within(1000);
    let graph = ring();
    let run = Run::default();
    let mut table = Table::new(&graph, Gauge::plain(&graph), &run).unwrap();
    let expected = table.layers(0, None, &run).unwrap();
    assert_eq!(saved(&mut table, 0, &store, &run).unwrap(), expected);
    let [warning] = &run.warnings()[..] else { panic!("{:?}", run.warnings()) };
    assert!(warning.contains("cannot be written") && warning.contains("goes on"), "{warning}");
}
