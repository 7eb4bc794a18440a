//! Counts in memory, on disk, saved and gone on with, in parts: always the same number.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use num_bigint::BigUint;
use proptest::prelude::*;

use super::examples::Apart;
use super::*;
use crate::disk::Disk;
use crate::records::Unusable;
use crate::run::{Budget, Run, Stop};
use crate::search::Part;
use crate::store::Store;

/// A new empty folder, removed when dropped.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("sweep-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn store(&self) -> Store {
        Store::open(self.0.join("checkpoint")).unwrap()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn disk(most: Option<u64>) -> Arc<Disk> {
    Disk::open(std::env::temp_dir(), most).unwrap()
}

fn threads(threads: usize, memory: Option<u64>) -> Budget {
    Budget { memory, threads, ..Budget::default() }
}

/// A board whose layers are large enough for several shards, and how many sets it has.
fn wide() -> (Apart, BigUint) {
    // Those of 3×n: 5, 17, 63, 227, … each from the two before it, by columns.
    let (mut none, mut one, mut both) = (1u64, 1u64, 1u64);
    let mut middle = 1u64;
    for _ in 1..18 {
        // Of a column: none, one outer cell (twice), both outer cells, the middle cell.
        (none, one, both, middle) = (
            none + 2 * one + both + middle,
            none + one + middle,
            none + middle,
            none + 2 * one + both,
        );
    }
    (Apart::board(3, 18), BigUint::from(none + 2 * one + both + middle))
}

#[test]
fn sets_of_cells_apart() {
    // A006506 of the OEIS.
    let known = [
        "7",
        "63",
        "1234",
        "55447",
        "5598861",
        "1280128950",
        "660647962955",
        "770548397261707",
        "2030049051145980050",
        "12083401651433651945979",
    ];
    for (side, known) in (2..).zip(known) {
        let counted = count(&Apart::board(side, side), &Run::default()).unwrap();
        assert_eq!(counted.total, known.parse().unwrap(), "{side}");
    }
}

#[test]
fn in_memory_and_on_disk_on_any_number_of_threads() {
    let (board, expected) = wide();
    let whole = count(&board, &Run::default()).unwrap();
    assert_eq!(whole.total, expected);
    assert!(whole.peak() > 8000);
    for number in [1, 2, 3] {
        let run = Run::new(threads(number, None));
        assert_eq!(count(&board, &run).unwrap(), whole);
        // A few kilobytes for more than 100: nearly everything is written.
        let disk = disk(None);
        let memory = 24_000 + number as u64 * 8000;
        let run = Run::new(threads(number, Some(memory))).with_disk(Arc::clone(&disk));
        assert_eq!(count(&board, &run).unwrap(), whole, "{number}");
        assert!(disk.traffic().0 > 1_000_000, "{:?}", disk.traffic());
        assert!(run.peak_bytes() <= memory);
        assert_eq!(run.progress().bytes, 0, "all claims are given back");
    }
}

/// The same sets, with borders of one word.
struct Narrow(Apart);

impl Sweep for Narrow {
    type Border = u64;

    fn sites(&self) -> usize {
        self.0.sites()
    }

    fn start(&self) -> u64 {
        0
    }

    fn choose(&self, site: usize, &at: &u64, mut offer: impl FnMut(u8, u64)) {
        let split = [at & 0xffff, at >> 16 << 48];
        self.0.choose(site, &split, |code, [low, high]| offer(code, low | high >> 48 << 16));
    }

    fn accepts(&self, _: &u64) -> bool {
        true
    }
}

#[test]
fn a_border_takes_few_bytes() {
    let run = Run::default();
    let peak = count(&Narrow(Apart::board(3, 21)), &run).unwrap().peak();
    assert!(peak > 30_000 && run.peak_bytes() < 32 * peak, "{} {peak}", run.peak_bytes());
}

#[test]
fn without_a_disk_memory_that_does_not_suffice_is_a_stop() {
    let run = Run::new(threads(2, Some(40_000)));
    let stopped = count(&wide().0, &run).unwrap_err();
    assert!(matches!(stopped, SweepError::Stop(Stop::Memory { .. })), "{stopped}");
    assert_eq!(run.progress().bytes, 0, "all claims are given back");
}

#[test]
fn a_disk_that_is_full_is_a_stop_and_what_was_saved_goes_on() {
    let folder = Folder::new("full");
    let (board, expected) = wide();
    for most in [1000, 50_000, 200_000] {
        let run = Run::new(threads(2, Some(40_000))).with_disk(disk(Some(most)));
        let stopped = count_saved(&board, Part::WHOLE, &run.with_store(folder.store()));
        assert!(matches!(stopped, Err(SweepError::Stop(Stop::Disk { .. }))), "{most}: {stopped:?}");
        let run = Run::default().with_store(folder.store());
        let counted = count_saved(&board, Part::WHOLE, &run).unwrap();
        assert_eq!(counted.total, expected);
        assert!(run.progress().handled < counted.handled(), "it went on");
        drop(run);
        folder.store().remove().unwrap();
    }
}

/// Counts in many runs, each stopped after a few looks at the clock.
fn in_many_runs(board: &Apart, part: Part, folder: &Folder, number: usize) -> (Counted, u32) {
    let tick = Duration::from_secs(50);
    let mut runs = 0;
    loop {
        // Now in memory, now on disk.
        let memory = (runs % 2 == 1).then_some(32_000 + 8000 * number as u64);
        let time = Some(tick * (4 + 3 * runs));
        let run = Run::stepping(Budget { time, ..threads(number, memory) }, tick);
        let run = run.with_store(folder.store()).with_disk(disk(None));
        runs += 1;
        match count_saved(board, part, &run) {
            Ok(counted) => return (counted, runs),
            Err(SweepError::Stop(Stop::Time { .. })) => assert!(runs < 1000),
            Err(other) => panic!("{other}"),
        }
    }
}

#[test]
fn a_count_goes_on_where_it_was_stopped() {
    let folder = Folder::new("resume");
    let (board, _) = wide();
    let small = Apart::board(6, 6);
    for number in [1, 2, 3] {
        let (counted, runs) = in_many_runs(&board, Part::WHOLE, &folder, number);
        assert_eq!(counted, count(&board, &Run::default()).unwrap());
        assert!(runs > 10, "{runs}");
        // What is finished is known at once.
        let run = Run::default().with_store(folder.store());
        assert_eq!(count_saved(&board, Part::WHOLE, &run).unwrap(), counted);
        assert_eq!(run.progress().handled, 0);
        drop(run);
        folder.store().remove().unwrap();
    }
    // Stopped after every layer.
    let tick = Duration::from_secs(1);
    let whole = count(&small, &Run::default()).unwrap();
    for stop in 0..200 {
        let budget = Budget { time: Some(tick * stop), ..Budget::default() };
        let run = Run::stepping(budget, tick).with_store(folder.store());
        let first = count_saved(&small, Part::WHOLE, &run);
        drop(run);
        let run = Run::default().with_store(folder.store());
        assert_eq!(count_saved(&small, Part::WHOLE, &run).unwrap(), whole);
        drop(run);
        folder.store().remove().unwrap();
        if first.is_ok() {
            assert!(stop > 36);
            return;
        }
    }
    panic!("it never came to its end");
}

#[test]
fn parts_add_up_however_they_are_counted() {
    let folder = Folder::new("parts");
    let (board, expected) = wide();
    for number in [1, 2] {
        let parts: Vec<Counted> = (1..=3)
            .map(|index| {
                let part = Part::new(index, 3).unwrap();
                let disk = disk(None);
                let run = Run::new(threads(number, Some(40_000))).with_disk(Arc::clone(&disk));
                let spilled = count_part(&board, part, &run).unwrap();
                assert!(disk.peak() > 0);
                let (resumed, _) = in_many_runs(&board, part, &folder, number);
                folder.store().remove().unwrap();
                assert_eq!(spilled, resumed);
                spilled
            })
            .collect();
        assert_eq!(parts.iter().map(|part| &part.total).sum::<BigUint>(), expected);
        assert!(parts.iter().all(|part| part.dealt == parts[0].dealt));
    }
}

#[test]
fn checkpoints_that_cannot_be_used_are_refused() {
    let folder = Folder::new("refused");
    let tick = Duration::from_secs(1);
    let board = Apart::board(5, 5);
    let budget = Budget { time: Some(20 * tick), ..Budget::default() };
    let run = Run::stepping(budget, tick).with_store(folder.store());
    assert!(matches!(count_saved(&board, Part::WHOLE, &run), Err(SweepError::Stop(_))));
    drop(run);
    let why = |board: &Apart, part: Part| {
        let run = Run::default().with_store(folder.store());
        match count_saved(board, part, &run) {
            Err(SweepError::Checkpoint(why)) => Some(why),
            _ => None,
        }
    };
    let mut other = board.clone();
    other.free[7] = false;
    assert_eq!(why(&other, Part::WHOLE), Some(Unusable::Other { about: None }));
    assert_eq!(why(&Apart::board(5, 6), Part::WHOLE), Some(Unusable::Other { about: None }));
    assert_eq!(why(&board, Part::new(1, 2).unwrap()), Some(Unusable::Other { about: None }));
    // A changed bit or a missing end is seen, wherever it is.
    let saved = folder.store().load().unwrap().unwrap();
    for at in 0..saved.len() {
        let mut changed = saved.clone();
        changed[at] ^= 4;
        folder.store().save(&changed).unwrap();
        assert!(why(&board, Part::WHOLE).is_some(), "bit at {at}");
        folder.store().save(&saved[..at]).unwrap();
        assert!(why(&board, Part::WHOLE).is_some(), "cut at {at}");
    }
    let mut longer = saved.clone();
    longer.push(0);
    folder.store().save(&longer).unwrap();
    assert_eq!(why(&board, Part::WHOLE), Some(Unusable::Damaged));
    folder.store().save(b"something else").unwrap();
    assert!(matches!(why(&board, Part::WHOLE), Some(Unusable::Foreign { .. })));
    // A limit that is hit while it is read is a stop, and no fault of the file.
    folder.store().save(&saved).unwrap();
    let run = Run::new(Budget { memory: Some(10), ..Budget::default() });
    let stopped = count_saved(&board, Part::WHOLE, &run.with_store(folder.store()));
    assert!(matches!(stopped, Err(SweepError::Stop(_))), "{stopped:?}");
    assert_eq!(folder.store().load().unwrap().unwrap(), saved);
    folder.store().save(b"something else").unwrap();
    // What is refused is left as it is, and the right one still serves.
    assert_eq!(folder.store().load().unwrap().unwrap(), b"something else");
    folder.store().save(&saved).unwrap();
    let run = Run::default().with_store(folder.store());
    assert_eq!(count_saved(&board, Part::WHOLE, &run).unwrap().total, BigUint::from(55447u32));
}

#[test]
fn a_store_that_is_full_is_a_warning() {
    let folder = Folder::new("store");
    let run = Run::default().with_store(folder.store().within(100));
    let counted = count_saved(&Apart::board(4, 4), Part::WHOLE, &run).unwrap();
    assert_eq!(counted.total, BigUint::from(1234u32));
    assert_eq!(run.warnings().len(), 1);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]
    #[test]
    fn boards_with_holes(
        (cols, free) in (2usize..7).prop_flat_map(|cols| {
            (Just(cols), prop::collection::vec(prop::bool::weighted(0.8), 0..19))
        }),
        number in 1usize..4,
    ) {
        let board = Apart { cols, free };
        let expected = BigUint::from(board.sets());
        prop_assert_eq!(&count(&board, &Run::new(threads(number, None))).unwrap().total, &expected);
        // Hardly room for a table of sixteen.
        let memory = number as u64 * 4096 + 900;
        let run = Run::new(threads(number, Some(memory))).with_disk(disk(None));
        prop_assert_eq!(&count(&board, &run).unwrap().total, &expected);
    }
}
