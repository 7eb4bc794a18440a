//! All of it together, against following every path.

use super::count::{CountError, Counted, Ways, count, count_by, count_part};
use super::halves::{Ends, Refused, Tours};
use super::layer::Look;
use super::{InRounds, Kept, Unusable};
use crate::disk::Disk;
use crate::rounds::{At, Rounds, carry};
use crate::run::{Budget, Run, Stop};
use crate::search::Part;
use crate::store::Store;
use num_bigint::BigUint;
use num_traits::ToPrimitive;
use proptest::prelude::*;
use std::sync::Arc;
use std::time::Duration;

/// Counts tours by following every path.
fn plain(graph: &[Vec<u32>], ends: Ends) -> u64 {
    fn below(graph: &[Vec<u32>], path: &mut Vec<u32>, is_whole: &dyn Fn(&[u32]) -> bool) -> u64 {
        if path.len() == graph.len() {
            return u64::from(is_whole(path));
        }
        let mut sum = 0;
        let Some(&last) = path.last() else { return 0 };
        for &to in &graph[last as usize] {
            if !path.contains(&to) {
                path.push(to);
                sum += below(graph, path, is_whole);
                path.pop();
            }
        }
        sum
    }
    let n = graph.len() as u32;
    let from =
        |first: u32, is_whole: &dyn Fn(&[u32]) -> bool| below(graph, &mut vec![first], is_whole);
    match ends {
        Ends::Closed if n < 3 => 0,
        Ends::Closed => from(0, &|path| graph[0].contains(&path[path.len() - 1])) / 2,
        Ends::Free => (0..n).map(|first| from(first, &|_| true)).sum::<u64>() / 2,
        Ends::From(first) => from(first, &|_| true),
        Ends::Between(first, last) => from(first, &|path| path.last() == Some(&last)),
        Ends::Among(ends) => {
            let is_end = |path: &[u32]| path.last().is_some_and(|last| ends.contains(last));
            ends.iter().map(|&first| from(first, &is_end)).sum::<u64>() / 2
        }
        Ends::Apart(first, last) => {
            let is_end = |path: &[u32]| path.last().is_some_and(|end| last.contains(end));
            first.iter().map(|&first| from(first, &is_end)).sum()
        }
    }
}

/// Counts tours that a symmetry keeps among all tours.
fn plainly_kept(graph: &[Vec<u32>], image: &[u32], closed: bool) -> u64 {
    fn below(graph: &[Vec<u32>], path: &mut Vec<u32>, whole: &mut dyn FnMut(&[u32])) {
        if path.len() == graph.len() {
            return whole(path);
        }
        for &to in &graph[path[path.len() - 1] as usize] {
            if !path.contains(&to) {
                path.push(to);
                below(graph, path, whole);
                path.pop();
            }
        }
    }
    let edges = |path: &[u32], image: &dyn Fn(u32) -> u32| {
        let pairs = path.iter().zip(path[1..].iter().chain(closed.then_some(&path[0])));
        let mut edges: Vec<[u32; 2]> = pairs.map(|(&a, &b)| [image(a), image(b)]).collect();
        for edge in &mut edges {
            edge.sort_unstable();
        }
        edges.sort_unstable();
        edges
    };
    let mut kept = 0;
    let firsts = if closed { 1 } else { graph.len() as u32 };
    for first in 0..firsts {
        below(graph, &mut vec![first], &mut |path| {
            let is_tour = !closed || graph[path[0] as usize].contains(&path[path.len() - 1]);
            let same = || edges(path, &|v| v) == edges(path, &|v| image[v as usize]);
            kept += u64::from(is_tour && same());
        });
    }
    // Each was met in both directions.
    kept / 2
}

/// A leaper's graph on a board of some rows and columns.
fn leaper(rows: i32, cols: i32, moves: &[(i32, i32)]) -> Vec<Vec<u32>> {
    let cell = |row: i32, col: i32| (row * cols + col) as u32;
    let mut graph = vec![Vec::new(); (rows * cols) as usize];
    for row in 0..rows {
        for col in 0..cols {
            for &(a, b) in moves {
                for (a, b) in [(a, b), (b, a)] {
                    for (a, b) in [(a, b), (a, -b), (-a, b), (-a, -b)] {
                        let (to_row, to_col) = (row + a, col + b);
                        if (0..rows).contains(&to_row) && (0..cols).contains(&to_col) {
                            graph[cell(row, col) as usize].push(cell(to_row, to_col));
                        }
                    }
                }
            }
            let near = &mut graph[cell(row, col) as usize];
            near.sort_unstable();
            near.dedup();
        }
    }
    graph
}

fn flipped(rows: u32, cols: u32) -> Vec<u32> {
    (0..rows * cols).map(|cell| (rows - 1 - cell / cols) * cols + cell % cols).collect()
}

fn turned(n: u32) -> Vec<u32> {
    (0..n).rev().collect()
}

fn counted(graph: &[Vec<u32>], ends: Ends, swap: Option<&[u32]>, threads: usize) -> Counted {
    let order: Vec<u32> = (0..graph.len() as u32).collect();
    let tours = Tours::new(graph, ends, &order, swap).unwrap();
    assert_eq!(tours.is_swapped(), swap.is_some());
    let run = Run::new(Budget { threads, ..Budget::default() });
    let counted = count(&tours, &run).unwrap();
    assert_eq!(run.progress().bytes, 0, "all claims are given back");
    counted
}

/// Counts in rounds, with so many places.
fn in_rounds(tours: Tours, places: usize) -> Counted {
    let (kept, run) = (Run::default(), Run::default());
    let work = InRounds::new(tours, &kept);
    let ended = carry(&work, places, &run).unwrap();
    assert_eq!(run.progress().bytes, 0, "all claims are given back");
    work.counted(&ended).unwrap()
}

#[test]
fn rounds_count_what_one_process_counts() {
    let graph = leaper(6, 6, &[(1, 2)]);
    let order: Vec<u32> = (0..36).collect();
    let (flip, turn) = (flipped(6, 6), turned(36));
    for swap in [None, Some(&flip[..]), Some(&turn[..])] {
        for (ends, number) in [(Ends::Closed, 9862u32), (Ends::Free, 3_318_960)] {
            for places in [1, 2, 7] {
                let tours = Tours::new(&graph, ends, &order, swap).unwrap();
                let found = in_rounds(tours, places);
                assert_eq!(found.total, number.into(), "{ends:?} {places}");
            }
        }
    }
}

/// A number beyond 2^64: further passes are made modulo primes.
#[test]
fn rounds_make_as_many_passes_as_it_takes() {
    let graph = leaper(3, 60, &[(1, 1), (1, 0)]);
    let order: Vec<u32> = (0..60).flat_map(|col| (0..3).map(move |row| row * 60 + col)).collect();
    let tours = Tours::new(&graph, Ends::Closed, &order, None).unwrap();
    let whole = count(&tours, &Run::default()).unwrap();
    assert!(whole.passes > 1 && whole.total.bits() > 64, "{whole:?}");
    let found = in_rounds(tours, 3);
    assert_eq!((&found.total, &found.residues), (&whole.total, &whole.residues));
}

#[test]
fn rounds_do_not_believe_what_came() {
    let graph = leaper(5, 6, &[(1, 2)]);
    let order: Vec<u32> = (0..30).collect();
    let run = Run::default();
    let work = InRounds::new(Tours::new(&graph, Ends::Closed, &order, None).unwrap(), &run);
    let mut came: Vec<Vec<u64>> = Vec::new();
    let round = |round, modulus, came: Vec<Vec<u64>>| {
        let mut sent = Vec::new();
        let at = At { modulus, round, place: 0, places: 1 };
        let told = work.round(at, came, &run, &mut |_, words| {
            sent.push(words);
            Ok(())
        });
        told.map(|_| sent)
    };
    for number in 0..9 {
        came = round(number, 0, came).unwrap();
    }
    assert!(round(9, 0, came.clone()).is_ok());
    for cut in 0..came[0].len() {
        let mut short = came.clone();
        short[0].truncate(cut);
        assert_eq!(round(9, 0, short), Err(Unusable::Damaged), "{cut}");
    }
    let mut changed = came.clone();
    changed[0][0] = 2;
    assert_eq!(round(9, 0, changed), Err(Unusable::Damaged), "a third half");
    // A slot that the border does not have.
    let mut changed = came.clone();
    changed[0][4] |= 1 << 62;
    assert_eq!(round(9, 0, changed), Err(Unusable::Damaged));
    assert_eq!(round(0, 0, came.clone()), Err(Unusable::Damaged), "nothing comes to the first");
    assert_eq!(round(9, 4, came), Err(Unusable::Damaged), "no prime");
}

#[test]
fn knights_tours() {
    let knight = |rows, cols| leaper(rows, cols, &[(1, 2)]);
    for (rows, cols, closed, open) in
        [(5, 5, 0u64, 864u64), (5, 6, 8, 3_718_276 / 2 / 2), (6, 6, 9862, 3_318_960)]
    {
        let graph = knight(rows as i32, cols as i32);
        let half_turn = turned(rows * cols);
        let flip = flipped(rows, cols);
        let swaps = if rows % 2 == 0 {
            vec![None, Some(&half_turn[..]), Some(&flip[..])]
        } else {
            vec![None, Some(&half_turn[..])]
        };
        for swap in swaps {
            for threads in [1, 2, 3] {
                let all = |ends| counted(&graph, ends, swap, threads).total;
                assert_eq!(all(Ends::Closed), BigUint::from(closed), "{rows}x{cols}");
                if (rows, cols) != (5, 6) {
                    assert_eq!(all(Ends::Free), BigUint::from(open), "{rows}x{cols}");
                }
            }
        }
    }
}

#[test]
fn diplomatico() {
    let graph = leaper(5, 5, &[(3, 0), (2, 2)]);
    for swap in [None, Some(&turned(25)[..])] {
        assert_eq!(counted(&graph, Ends::Free, swap, 1).total, BigUint::from(6200u32));
        assert_eq!(counted(&graph, Ends::Closed, swap, 1).total, BigUint::from(48u32));
        let corners = counted(&graph, Ends::Between(0, 24), swap, 1);
        assert_eq!(corners.total, BigUint::from(28u32));
    }
    let graph = leaper(6, 6, &[(3, 0), (2, 2)]);
    for swap in [None, Some(&turned(36)[..]), Some(&flipped(6, 6)[..])] {
        assert_eq!(counted(&graph, Ends::Closed, swap, 2).total, BigUint::from(13138u32));
    }
    let open = counted(&graph, Ends::Free, Some(&turned(36)), 2);
    assert_eq!(open.total, BigUint::from(4_125_136u32));
}

#[test]
fn complete_graphs() {
    // (n − 1)! / 2.
    for n in [3u32, 4, 5, 8, 10] {
        let graph: Vec<Vec<u32>> = (0..n).map(|v| (0..n).filter(|&to| to != v).collect()).collect();
        let expected: BigUint = (1..n).map(BigUint::from).product::<BigUint>() / 2u32;
        assert_eq!(counted(&graph, Ends::Closed, None, 2).total, expected);
    }
}

#[test]
fn counts_beyond_a_word_take_primes() {
    // Two columns of a king's strip are left in four ways or so: 4^60 is far beyond a word.
    for (cols, several) in [(8, false), (60, true), (130, true)] {
        let graph = leaper(3, cols, &[(1, 1), (1, 0)]);
        let order: Vec<u32> = (0..cols as u32)
            .flat_map(|col| (0..3).map(move |row| row * cols as u32 + col))
            .collect();
        let [one, two] = [1, 2].map(|threads| {
            let tours = Tours::new(&graph, Ends::Closed, &order, None).unwrap();
            count(&tours, &Run::new(Budget { threads, ..Budget::default() })).unwrap()
        });
        assert_eq!(one, two);
        assert_eq!(one.passes > 1, several, "{cols}: {}", one.passes);
        for (prime, residue) in &one.residues {
            assert_eq!((&one.total % *prime).to_u64(), Some(*residue));
        }
        // The number of closed king's tours of 3×8.
        assert_eq!(one.total == BigUint::from(208_118u32), cols == 8, "{}", one.total);
    }
}

/// There are 2^(n/2 − 1) closed tours of the wazir on 3×n, and so many ways to some borders that
/// all their numbers are 0 modulo 2^64. The groups of these borders used to be dropped, and
/// their bounds with them.
#[test]
fn powers_of_two() {
    for cols in [4, 128, 130, 132, 258, 300] {
        let graph = leaper(3, cols, &[(1, 0)]);
        let cols = cols as u32;
        let order: Vec<u32> =
            (0..cols).flat_map(|col| (0..3).map(move |row| row * cols + col)).collect();
        let mirrored: Vec<u32> =
            (0..3 * cols).map(|cell| cell / cols * cols + cols - 1 - cell % cols).collect();
        for swap in [None, Some(&mirrored[..])] {
            let tours = Tours::new(&graph, Ends::Closed, &order, swap).unwrap();
            let found = count(&tours, &Run::default()).unwrap();
            assert_eq!(found.total, BigUint::from(1u32) << (cols / 2 - 1), "{cols}");
        }
    }
}

/// A finished count of more than 2^61 tours used to be refused as damaged.
#[test]
fn a_finished_count_is_known_at_once_however_large() {
    let folder = Folder::new("finished");
    let graph = leaper(3, 126, &[(1, 0)]);
    let order: Vec<u32> = (0..126).flat_map(|col| (0..3).map(move |row| row * 126 + col)).collect();
    let tours = Tours::new(&graph, Ends::Closed, &order, None).unwrap();
    let counted = [(); 2].map(|()| {
        let run = Run::default().with_store(folder.store());
        (count(&tours, &run).unwrap(), run.progress().handled)
    });
    assert_eq!(counted[0].0.total, BigUint::from(1u32) << 62);
    assert_eq!(counted[0].0.passes, 1);
    assert_eq!(counted[1], (counted[0].0.clone(), 0));
}

#[test]
fn what_is_no_symmetry_is_refused() {
    let graph = leaper(4, 4, &[(1, 2)]);
    let order: Vec<u32> = (0..16).collect();
    let mut swap = turned(16);
    swap.swap(0, 1);
    let refused = |ends, swap: &[u32]| Tours::new(&graph, ends, &order, Some(swap)).err();
    assert_eq!(refused(Ends::Closed, &swap), Some(Refused::Symmetry));
    assert_eq!(refused(Ends::From(3), &turned(16)), Some(Refused::Symmetry));
    assert_eq!(refused(Ends::Closed, &order), Some(Refused::Symmetry), "the identity");
    assert_eq!(refused(Ends::Between(0, 15), &turned(16)), None);
    let two = Tours::new(&[vec![1], vec![0]], Ends::Closed, &[0, 1], None);
    assert_eq!(two.err(), Some(Refused::Small));
}

/// A new empty folder, removed when dropped.
struct Folder(std::path::PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("pairings-{name}-{}", std::process::id()));
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

/// Boards with their symmetries, and the tours that are counted.
fn boards() -> Vec<(Tours, u64)> {
    let knight = leaper(6, 6, &[(1, 2)]);
    let diplomatico = leaper(5, 5, &[(3, 0), (2, 2)]);
    let small = leaper(4, 5, &[(3, 0), (2, 2)]);
    let order = |n: u32| (0..n).collect::<Vec<_>>();
    let new = |graph: &[Vec<u32>], ends, swap: Option<&[u32]>| {
        Tours::new(graph, ends, &order(graph.len() as u32), swap).unwrap()
    };
    vec![
        (new(&knight, Ends::Closed, Some(&flipped(6, 6))), 9862),
        (new(&knight, Ends::Closed, None), 9862),
        (new(&knight, Ends::Free, Some(&turned(36))), 3_318_960),
        (new(&diplomatico, Ends::Free, Some(&turned(25))), 6200),
        (new(&diplomatico, Ends::Free, None), 6200),
        (new(&diplomatico, Ends::Between(0, 24), Some(&turned(25))), 28),
        (new(&small, Ends::From(0), None), plain(&small, Ends::From(0))),
    ]
}

#[test]
fn parts_add_up() {
    for (tours, expected) in boards() {
        for of in [2, 3, 10] {
            let parts: Vec<Counted> = (1..=of)
                .map(|index| Part::new(index, of).unwrap())
                .map(|part| count_part(&tours, part, &Run::default()).unwrap())
                .collect();
            let sum: BigUint = parts.iter().map(|part| &part.total).sum();
            assert_eq!(sum, BigUint::from(expected));
            assert!(parts.iter().all(|part| part.dealt == parts[0].dealt));
        }
    }
}

/// Every station cuts.
const CUTTING: Ways = Ways { look: Look::WhereItPays, growth: u64::MAX };

#[test]
fn slices_wait_in_memory_or_on_disk() {
    for (tours, expected) in boards() {
        let run = |threads| Run::new(Budget { threads, ..Budget::default() });
        let total = |run: &Run| count_by(&tours, Part::WHOLE, CUTTING, run).unwrap().total;
        assert_eq!(total(&run(1)), BigUint::from(expected));
        assert_eq!(total(&run(3)), BigUint::from(expected));
        let disk = Disk::open(std::env::temp_dir(), None).unwrap();
        let run = run(2).with_disk(Arc::clone(&disk));
        assert_eq!(total(&run), BigUint::from(expected));
        assert!(disk.peak() > 0);
        assert_eq!(run.progress().bytes, 0);
    }
}

/// Where no station cuts because all seemed to fit, slices are cut when memory is short: also
/// where a count with more memory was saved and goes on with less.
#[test]
fn slices_are_cut_when_there_is_no_memory() {
    const NEVER: Ways = Ways { look: Look::WhereItPays, growth: 0 };
    let order: Vec<u32> = (0..48).collect();
    let knight = leaper(6, 8, &[(1, 2)]);
    // Nothing can be cut before the first station, and where the halves differ both must have
    // come to it.
    for (swap, tenths) in [(Some(flipped(6, 8)), 5), (None, 8)] {
        let tours = Tours::new(&knight, Ends::Closed, &order, swap.as_deref()).unwrap();
        let whole = Run::new(Budget { threads: 1, ..Budget::default() });
        let total = |run: &Run| count_by(&tours, Part::WHOLE, NEVER, run).map(|found| found.total);
        assert_eq!(total(&whole), Ok(BigUint::from(55_488_142u32)));
        let disk = Disk::open(std::env::temp_dir(), None).unwrap();
        let memory = Some(whole.peak_bytes() / 10 * tenths);
        let short = || {
            let budget = Budget { memory, threads: 1, ..Budget::default() };
            Run::new(budget).with_disk(Arc::clone(&disk))
        };
        assert_eq!(total(&short()), Ok(BigUint::from(55_488_142u32)));
        assert!(disk.peak() > 0);
        let folder = Folder::new("shorter");
        let tick = Duration::from_secs(1);
        let mut ticks = 100;
        let saved = loop {
            let time = Some(tick * ticks);
            let run = Run::stepping(Budget { time, threads: 1, ..Budget::default() }, tick);
            let stopped = total(&run.with_store(folder.store()));
            assert!(matches!(stopped, Err(CountError::Stop(Stop::Time { .. }))), "{stopped:?}");
            let saved = folder.store().load().unwrap().unwrap().len() as u64;
            if saved > whole.peak_bytes() / 5 {
                break saved;
            }
            ticks += 100;
        };
        let went_on = total(&short().with_store(folder.store()));
        assert_eq!(went_on, Ok(BigUint::from(55_488_142u32)), "{saved} bytes");
    }
}

#[test]
fn a_disk_that_is_full_is_a_stop() {
    let (tours, _) = boards().swap_remove(2);
    let disk = Disk::open(std::env::temp_dir(), Some(10_000)).unwrap();
    let run = Run::default().with_disk(disk);
    let stopped = count_by(&tours, Part::WHOLE, CUTTING, &run).unwrap_err();
    assert!(matches!(stopped, CountError::Stop(Stop::Disk { .. })), "{stopped}");
}

#[test]
fn a_count_goes_on_where_it_was_stopped() {
    let folder = Folder::new("resume");
    for (tours, expected) in boards() {
        // On this clock every step is minutes; each run gets on by a step or a few.
        let tick = Duration::from_secs(100);
        let mut runs = 0;
        let counted = loop {
            let time = Some(tick * (20 + 20 * runs));
            let run = Run::stepping(Budget { time, ..Budget::default() }, tick);
            let mut run = run.with_store(folder.store());
            runs += 1;
            if runs % 3 == 0 {
                run = run.with_disk(Disk::open(std::env::temp_dir(), None).unwrap());
            }
            // Whole and in slices, in memory and on disk.
            let ways = if runs % 2 == 0 { CUTTING } else { Ways::default() };
            match count_by(&tours, Part::WHOLE, ways, &run) {
                Ok(counted) => break counted,
                Err(CountError::Stop(Stop::Time { .. })) => assert!(runs < 10_000),
                Err(other) => panic!("{other}"),
            }
        };
        assert_eq!(counted.total, BigUint::from(expected));
        assert!(runs > 1, "{expected} {runs}");
        folder.store().remove().unwrap();
    }
}

#[test]
fn checkpoints_that_cannot_be_used_are_refused() {
    let folder = Folder::new("refused");
    let tick = Duration::from_secs(100);
    let run = |store| {
        let time = Some(tick * 60);
        Run::stepping(Budget { time, ..Budget::default() }, tick).with_store(store)
    };
    let boards = boards();
    let (tours, _) = &boards[0];
    assert!(matches!(count(tours, &run(folder.store())), Err(CountError::Stop(_))));
    let why = |tours: &Tours| match count(tours, &Run::default().with_store(folder.store())) {
        Err(CountError::Checkpoint(why)) => Some(why),
        _ => None,
    };
    assert_eq!(why(&boards[1].0), Some(Unusable::Other { about: None }));
    assert_eq!(why(&boards[3].0), Some(Unusable::Other { about: None }));
    let saved = folder.store().load().unwrap().unwrap();
    let part = Part::new(1, 2).unwrap();
    let other = count_part(tours, part, &Run::default().with_store(folder.store()));
    assert_eq!(other, Err(CountError::Checkpoint(Unusable::Other { about: None })));
    // A changed bit or a missing end is seen, wherever it is.
    for at in (0..saved.len()).step_by(saved.len() / 97) {
        let mut changed = saved.clone();
        changed[at] ^= 4;
        folder.store().save(&changed).unwrap();
        assert!(why(tours).is_some(), "bit at {at}");
        folder.store().save(&saved[..at]).unwrap();
        assert!(why(tours).is_some(), "cut at {at}");
    }
    let mut longer = saved.clone();
    longer.push(0);
    folder.store().save(&longer).unwrap();
    assert_eq!(why(tours), Some(Unusable::Damaged));
    folder.store().save(&saved).unwrap();
    let counted = count(tours, &Run::default().with_store(folder.store())).unwrap();
    assert_eq!(counted.total, BigUint::from(9862u32));
    // What is finished is known at once.
    let run = Run::default().with_store(folder.store());
    assert_eq!(count(tours, &run).unwrap(), counted);
    assert_eq!(run.progress().handled, 0);
}

#[test]
fn limits_stop_the_count() {
    let graph = leaper(6, 6, &[(1, 2)]);
    let order: Vec<u32> = (0..36).collect();
    let tours = Tours::new(&graph, Ends::Free, &order, None).unwrap();
    let run = Run::new(Budget { memory: Some(1 << 20), threads: 2, ..Budget::default() });
    let stopped = count(&tours, &run).unwrap_err();
    assert!(matches!(stopped, CountError::Stop(Stop::Memory { .. })), "{stopped}");
    assert_eq!(run.progress().bytes, 0, "all claims are given back");
    let run = Run::default();
    run.cancel();
    assert_eq!(count(&tours, &run), Err(CountError::Stop(Stop::Cancelled)));
}

/// The symmetries of a board of some rows and columns: half a turn, reflections, and if it is
/// square a quarter turn and a diagonal.
fn symmetries(rows: u32, cols: u32) -> Vec<(&'static str, Vec<u32>)> {
    let all = |image: &dyn Fn(u32, u32) -> (u32, u32)| {
        let to = |cell: u32| image(cell / cols, cell % cols);
        (0..rows * cols).map(|cell| to(cell).0 * cols + to(cell).1).collect::<Vec<_>>()
    };
    let mut symmetries = vec![
        ("half", all(&|row, col| (rows - 1 - row, cols - 1 - col))),
        ("rows", all(&|row, col| (rows - 1 - row, col))),
        ("columns", all(&|row, col| (row, cols - 1 - col))),
    ];
    if rows == cols {
        symmetries.push(("quarter", all(&|row, col| (col, rows - 1 - row))));
        symmetries.push(("diagonal", all(&|row, col| (col, row))));
    }
    symmetries
}

fn kept(graph: &[Vec<u32>], image: &[u32], closed: bool) -> u64 {
    let order: Vec<u32> = (0..graph.len() as u32).collect();
    let kept = Kept::new(graph, image, closed, &order).unwrap();
    let run = Run::default();
    let counted = kept.count(&run).unwrap();
    assert_eq!(run.progress().bytes, 0, "all claims are given back");
    counted.total.to_u64().unwrap()
}

/// Numbers that were found by a tree search over moves, which shares no code with this: tours kept
/// by half a turn, by exchanging rows, columns, and where given by a quarter turn.
#[test]
fn kept_tours_of_boards() {
    type Moves = &'static [(i32, i32)];
    const KNIGHT: Moves = &[(1, 2)];
    const DIPLOMATICO: Moves = &[(3, 0), (2, 2)];
    const WAZIR: Moves = &[(1, 0)];
    const KING: Moves = &[(1, 0), (1, 1)];
    for (moves, rows, cols, closed, expected) in [
        (KNIGHT, 5, 6, true, &[0, 0, 4][..]),
        (KNIGHT, 6, 6, true, &[78, 0, 0, 10, 0]),
        (KNIGHT, 6, 7, true, &[564, 530, 0]),
        (KNIGHT, 5, 5, false, &[32, 0, 0, 0, 0]),
        (KNIGHT, 5, 6, false, &[0, 0, 0]),
        (KNIGHT, 5, 8, false, &[2078, 0, 0]),
        (DIPLOMATICO, 5, 5, true, &[8, 0, 0, 0, 0]),
        (DIPLOMATICO, 5, 6, true, &[4, 0, 12]),
        (DIPLOMATICO, 5, 5, false, &[16, 0, 0, 0, 0]),
        (DIPLOMATICO, 5, 6, false, &[224, 0, 44]),
        (WAZIR, 6, 6, true, &[28, 44, 44, 2, 0]),
        (WAZIR, 5, 6, false, &[116, 0, 96]),
        (KING, 4, 4, true, &[58, 106, 106, 6, 0]),
        (KING, 4, 4, false, &[328, 480, 480, 0, 0]),
        (KING, 3, 5, false, &[168, 0, 0]),
    ] {
        let graph = leaper(rows, cols, moves);
        for ((name, image), &expected) in symmetries(rows as u32, cols as u32).iter().zip(expected)
        {
            assert_eq!(kept(&graph, image, closed), expected, "{moves:?} {rows}x{cols} {name}");
        }
    }
}

/// 1,658,420,855,433 classes of the 13,267,364,410,532 closed tours (`McKay` 1997; 608,233 classes
/// with half a turn): the other symmetries of the chessboard keep none.
#[test]
#[ignore = "slow"]
fn kept_tours_of_the_chessboard() {
    let graph = leaper(8, 8, &[(1, 2)]);
    let kept: Vec<u64> =
        symmetries(8, 8).iter().map(|(_, image)| kept(&graph, image, true)).collect();
    assert_eq!(kept, [4 * 608_233, 0, 0, 0, 0]);
    assert_eq!((13_267_364_410_532u64 + 4 * 608_233) / 8, 1_658_420_855_433);
}

#[test]
fn what_keeps_no_graph_is_refused() {
    let graph = leaper(3, 4, &[(1, 2)]);
    let order: Vec<u32> = (0..12).collect();
    let refused = |image: &[u32]| Kept::new(&graph, image, true, &order).err();
    assert_eq!(refused(&turned(12)), None);
    assert_eq!(refused(&order), Some(Refused::Symmetry), "the identity");
    assert_eq!(refused(&turned(11)), Some(Refused::Symmetry), "too short");
    assert_eq!(refused(&[0; 12]), Some(Refused::Symmetry), "no permutation");
    let mut swapped = order.clone();
    swapped.swap(0, 1);
    assert_eq!(refused(&swapped), Some(Refused::Symmetry), "no symmetry");
    // Of a triangle, a third of a turn.
    let triangle = [vec![1, 2], vec![0, 2], vec![0, 1]];
    let third = Kept::new(&triangle, &[1, 2, 0], true, &[0, 1, 2]);
    assert_eq!(third.err(), Some(Refused::Symmetry));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]
    #[test]
    fn random_graphs(
        n in 3usize..9,
        edges in prop::collection::vec(any::<bool>(), 36),
        order in Just((0u32..9).collect::<Vec<_>>()).prop_shuffle(),
        ends in (0u32..9, 0u32..9),
    ) {
        let mut graph = vec![Vec::new(); n];
        let mut edges = edges.into_iter();
        for (a, b) in (0..n).flat_map(|a| (0..a).map(move |b| (a, b))) {
            if edges.next() == Some(true) {
                graph[a].push(b as u32);
                graph[b].push(a as u32);
            }
        }
        let order: Vec<u32> = order.into_iter().filter(|&v| (v as usize) < n).collect();
        let (from, to) = (ends.0 % n as u32, ends.1 % n as u32);
        let (some, others): (Vec<u32>, Vec<u32>) = order.iter().partition(|&&v| v % 3 < 2);
        let one = [from];
        let mut all = vec![Ends::Closed, Ends::Free, Ends::From(from)];
        all.extend([Ends::Among(&some), Ends::Apart(&some, &others)]);
        all.extend([Ends::Apart(&some, &order), Ends::Apart(&one, &some)]);
        if from != to {
            all.push(Ends::Between(from, to));
        }
        for ends in all {
            let tours = Tours::new(&graph, ends, &order, None).unwrap();
            let expected = BigUint::from(plain(&graph, ends));
            for look in [Look::Always, Look::Never] {
                let found = count_by(&tours, Part::WHOLE, Ways { look, ..Ways::default() }, &Run::default()).unwrap();
                prop_assert_eq!(&found.total, &expected, "{:?} {:?}", ends, look);
            }
            prop_assert_eq!(&in_rounds(tours, 1 + n % 4).total, &expected, "{:?}", ends);
        }
    }

    #[test]
    fn random_graphs_with_a_symmetry(
        half in 2usize..5,
        centre in any::<bool>(),
        edges in prop::collection::vec(any::<bool>(), 81),
    ) {
        // Vertex v is swapped with n − 1 − v.
        let n = 2 * half + usize::from(centre);
        let mut graph = vec![Vec::new(); n];
        for (a, b) in (0..n).flat_map(|a| (0..n).map(move |b| (a, b))) {
            let (x, y) = (n - 1 - a, n - 1 - b);
            let least = [(a, b), (b, a), (x, y), (y, x)].into_iter().min();
            if a != b && least.is_some_and(|(a, b)| edges[a * 9 + b]) {
                graph[a].push(b as u32);
            }
        }
        let order: Vec<u32> = (0..n as u32).collect();
        let swap = turned(n as u32);
        for ends in [Ends::Closed, Ends::Free, Ends::Between(0, n as u32 - 1)] {
            match Tours::new(&graph, ends, &order, Some(&swap)) {
                Ok(tours) => {
                    let expected = BigUint::from(plain(&graph, ends));
                    for look in [Look::Always, Look::Never] {
                        let found = count_by(&tours, Part::WHOLE, Ways { look, ..Ways::default() }, &Run::default()).unwrap();
                        prop_assert_eq!(&found.total, &expected, "{:?} {:?}", ends, look);
                    }
                    prop_assert_eq!(&in_rounds(tours, half).total, &expected, "{:?}", ends);
                }
                Err(refused) => prop_assert_eq!(refused, Refused::Symmetry),
            }
        }
    }

    #[test]
    fn tours_that_a_symmetry_of_a_random_graph_keeps(
        fours in 0usize..3,
        twos in 0usize..4,
        ones in 0usize..4,
        edges in prop::collection::vec(any::<bool>(), 81),
        order in Just((0u32..9).collect::<Vec<_>>()).prop_shuffle(),
    ) {
        // Cycles of four, two and one vertices, up to eight in all.
        let mut image: Vec<u32> = Vec::new();
        for size in [4].repeat(fours).into_iter().chain([2].repeat(twos)).chain([1].repeat(ones)) {
            if image.len() + size <= 8 {
                let first = image.len() as u32;
                image.extend((0..size as u32).map(|k| first + (k + 1) % size as u32));
            }
        }
        let n = image.len();
        prop_assume!(n >= 3);
        let mut graph = vec![Vec::new(); n];
        for (a, b) in (0..n).flat_map(|a| (0..n).map(move |b| (a, b))) {
            // The least of all images of the edge decides for all of them.
            let mut least = (a.min(b), a.max(b));
            let (mut x, mut y) = (a, b);
            for _ in 0..4 {
                (x, y) = (image[x] as usize, image[y] as usize);
                least = least.min((x.min(y), x.max(y)));
            }
            if a != b && (edges[least.0 * 9 + least.1] || edges[least.1 * 9 + least.0]) {
                graph[a].push(b as u32);
            }
        }
        let order: Vec<u32> = order.into_iter().filter(|&v| (v as usize) < n).collect();
        for closed in [true, false] {
            match Kept::new(&graph, &image, closed, &order) {
                Ok(kept) => {
                    let found = kept.count(&Run::default()).unwrap().total;
                    let expected = plainly_kept(&graph, &image, closed);
                    prop_assert_eq!(found, BigUint::from(expected), "{} {:?}", closed, image);
                }
                Err(refused) => {
                    let is_identity = image.iter().zip(0..).all(|(&to, from)| to == from);
                    prop_assert!(is_identity && refused == Refused::Symmetry);
                }
            }
        }
    }
}
