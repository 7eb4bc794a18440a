//! Counts in parts: at once, killed, forged, and put together again.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use super::super::matrix::{Matrix, blocks_apart, most_growth};
use super::super::tests::{BETWEEN, SQUARES, scratch};
use crate::answer::{Answer, Value};
use crate::check::Effort;
use crate::error::{Code, Error, Result};
use crate::job::Deaf;
use crate::merge::Saved;
use crate::question::{Question, Setting};
use crate::testing::{self, CATALOGUE, check_shape};
use num_bigint::BigUint;
use pessoi_engine::random::Random;
use pessoi_engine::run::{Budget, Run};
use pessoi_engine::share::Share;
use pessoi_engine::store::Store;

fn question(words: &str) -> Question {
    CATALOGUE.read_question(&words.split(' ').collect::<Vec<_>>()).unwrap()
}

fn of_part(words: &str, part: usize, of: usize) -> Question {
    question(&format!("{words} --part {part}/{of}"))
}

/// A folder whose parts look for each other without pause.
fn share(folder: &Path) -> Arc<Share> {
    Share::pausing(folder, Duration::from_micros(200)).unwrap()
}

fn run(threads: usize) -> Run {
    Run::new(Budget { threads, ..Budget::default() })
}

/// All parts at once.
fn all_parts(words: &str, of: usize, folder: &Path) -> Vec<Answer> {
    let words = format!("{words} --over blocks");
    std::thread::scope(|scope| {
        let one = |part| {
            let (asked, run) = (of_part(&words, part, of), run(part).with_share(share(folder)));
            scope.spawn(move || CATALOGUE.answer(&asked, &run).unwrap())
        };
        let parts: Vec<_> = (1..=of).map(one).collect();
        parts.into_iter().map(|part| part.join().unwrap()).collect()
    })
}

fn merge(parts: &[Answer]) -> Result<Answer> {
    let saved: Vec<(String, Vec<u8>)> = (1..)
        .zip(parts)
        .map(|(number, answer): (u32, &Answer)| {
            check_shape(answer);
            (format!("{number}.json"), serde_json::to_vec(answer).unwrap())
        })
        .collect();
    let parts: Vec<_> = saved.iter().map(|(name, bytes)| Saved { name, bytes }).collect();
    let whole = CATALOGUE.merge(&parts, &Run::default(), &mut Deaf)?;
    check_shape(&whole);
    Ok(whole)
}

/// The merged answer is that of the undivided count.
fn is_whole(words: &str, parts: &[Answer]) {
    let merged = merge(parts).unwrap_or_else(|error| panic!("{words}: {error}"));
    let whole = testing::ask(&question(words), &Run::default()).unwrap();
    assert_eq!(merged.question, whole.question, "{words}");
    assert_eq!(merged.subject, whole.subject, "{words}");
    assert_eq!(merged.value, whole.value, "{words}");
    assert_eq!(merged.facts, whole.facts, "{words}");
    assert_eq!(merged.notes, whole.notes, "{words}");
    assert_eq!(merged.certificate.is_some(), whole.certificate.is_some(), "{words}");
    // The number of passes may be another one.
    assert!(merged.cost.borders.unwrap() >= whole.cost.borders.unwrap(), "{words}");
    assert_eq!(merged.cost.peak_borders, whole.cost.peak_borders, "{words}");
    // Others take some seconds to be counted again.
    if whole.value.number().is_some_and(|number| number < BigUint::from(1u64 << 40)) {
        let verdict = CATALOGUE.check(&merged, Effort::Usual, &Run::default());
        assert!(verdict.is_ok_and(|verdict| verdict.holds), "{words}");
    }
}

fn known(answers: &[Answer], number: &str) {
    assert_eq!(merge(answers).unwrap().value.number().unwrap().to_string(), number);
}

fn refused(error: &Error) -> &str {
    assert!(error.sentence.ends_with('.') && error.code != Code::Internal, "{error}");
    assert!(error.field.is_some(), "{error}");
    &error.sentence
}

#[test]
fn parts_over_moduli_are_the_whole() {
    for n in 4..=8 {
        for of in 1..=if n < 7 { 2 } else { 3 } {
            let words = format!("count go {n}x{n}");
            let ask = |part| testing::ask(&of_part(&words, part, of), &run(part)).unwrap();
            let parts: Vec<Answer> = (1..=of).map(ask).collect();
            known(&parts, SQUARES[n - 1]);
            is_whole(&words, &parts);
        }
    }
    let words = "count go 7x5 --ternary";
    let parts = [1, 2].map(|part| testing::ask(&of_part(words, part, 2), &run(1)).unwrap());
    is_whole(words, &parts);
}

#[test]
fn parts_over_blocks_are_the_whole() {
    for (words, of) in [
        ("count go 4x4", 1),
        ("count go 4x4", 2),
        ("count go 6x6", 3),
        ("count go 7x7", 2),
        ("count go 8x8", 3),
        ("count go 5x8", 5),
        ("count go 7x5 --ternary", 2),
        ("count go 6x6 --mod 1009", 2),
        ("count go 6x6 --mod 4294967296", 3),
        ("count go 5x5 --mod 18446744073709551557", 2),
    ] {
        let folder = scratch();
        let parts = all_parts(words, of, folder.path());
        if let Some(n) = (4..=8).find(|n| words == format!("count go {n}x{n}")) {
            known(&parts, SQUARES[n - 1]);
        }
        is_whole(words, &parts);
        // What was handed over is gone.
        let mut left = share(folder.path()).names().unwrap();
        left.sort();
        let logs: Vec<String> = (1..=of).map(|part| format!("part-{part}-of-{of}")).collect();
        assert_eq!(left, logs, "{words}");
        // A part that has ended says the same again, at once and alone.
        let again = all_parts(words, of, folder.path());
        assert_eq!(again[0].value, parts[0].value);
    }
}

/// Each part is stopped at random looks at its clock, and started again, until it is done.
#[test]
fn killed_parts_go_on() {
    for (words, of, threads, number) in
        [("count go 4x5", 2, 1, None), ("count go 6x6", 3, 2, Some(SQUARES[5]))]
    {
        let folder = scratch();
        let words = format!("{words} --over blocks");
        let one = |part: usize| {
            let mut random = Random::new(5, part as u64);
            let asked = of_part(&words, part, of);
            let step = Duration::from_secs(1);
            let mut kills = 0;
            loop {
                let time = Some(step * (1 + random.below(12 + kills) as u32));
                let run = Run::stepping(Budget { time, threads, ..Budget::default() }, step);
                let run = run.with_share(share(folder.path()));
                let answer = CATALOGUE.answer(&asked, &run).unwrap();
                if answer.value.stop().is_none() {
                    break (answer, kills);
                }
                kills += 1;
            }
        };
        let ended: Vec<(Answer, u64)> = std::thread::scope(|scope| {
            let parts: Vec<_> = (1..=of).map(|part| scope.spawn(move || one(part))).collect();
            parts.into_iter().map(|part| part.join().unwrap()).collect()
        });
        let (parts, kills): (Vec<Answer>, Vec<u64>) = ended.into_iter().unzip();
        assert!(kills.iter().all(|&kills| kills > 5), "{kills:?}");
        match number {
            Some(number) => known(&parts, number),
            None => known(&parts, BETWEEN[3]),
        }
    }
}

/// A part that is stopped while it waits for the other.
fn begun(words: &str, folder: &Path, looks: u32) -> Answer {
    let step = Duration::from_secs(1);
    let budget = Budget { time: Some(looks * step), ..Budget::default() };
    let run = Run::stepping(budget, step).with_share(share(folder));
    CATALOGUE.answer(&question(words), &run).unwrap()
}

const FIRST: &str = "count go 5x6 --over blocks --part 1/2";
const SECOND: &str = "count go 5x6 --over blocks --part 2/2";

#[test]
fn what_lies_in_the_folder_is_not_believed() {
    let folder = scratch();
    let there = |name: &str| folder.path().join(name);
    assert!(begun(FIRST, folder.path(), 200).value.stop().is_some());
    let second = || {
        // What a block has sent it does not read again.
        for name in share(folder.path()).names().unwrap() {
            if name.starts_with("1-1-") || name == "part-2-of-2" {
                std::fs::remove_file(there(&name)).unwrap();
            }
        }
        let step = Duration::from_secs(1);
        let run = Run::stepping(Budget { time: Some(1000 * step), ..Budget::default() }, step);
        let run = run.with_share(share(folder.path()));
        CATALOGUE.answer(&question(SECOND), &run).unwrap_err()
    };
    let refuses = |name: &str, bytes: &[u8], about: &str| {
        let before = std::fs::read(there(name)).unwrap();
        std::fs::write(there(name), bytes).unwrap();
        let error = second();
        assert!(refused(&error).contains(about), "{about}: {error}");
        assert!(refused(&error).contains(name) && error.field.as_deref() == Some("share"));
        assert_eq!(std::fs::read(there(name)).unwrap(), bytes, "it was left as it is");
        std::fs::write(there(name), before).unwrap();
    };
    // The first column, from the first block to the second part; and the first part's logbook.
    let mut random = Random::new(3, 0);
    for name in ["1-0-1-2.tiles", "part-1-of-2"] {
        let bytes = std::fs::read(there(name)).unwrap();
        for _ in 0..20 {
            let mut flipped = bytes.clone();
            let bit = random.below(8 * bytes.len() as u64) as usize;
            flipped[bit / 8] ^= 1 << (bit % 8);
            refuses(name, &flipped, "");
            refuses(name, &bytes[..random.below(bytes.len() as u64) as usize], "");
        }
        refuses(name, b"somebody's", "is not one of");
        // Of another board, and of another division.
        for (other, of) in [("5x7", "1/2"), ("5x6", "1/3"), ("5x6 --mod 1009", "1/2")] {
            let beside = scratch();
            let words = format!("count go {other} --over blocks --part {of}");
            begun(&words, beside.path(), 200);
            let foreign = name.replace("of-2", if of == "1/3" { "of-3" } else { "of-2" });
            let foreign = std::fs::read(beside.path().join(foreign)).unwrap();
            refuses(name, &foreign, "belongs to another question (count go 5x");
        }
    }
    // The parcel of another block.
    let other = std::fs::read(there("1-0-3-2.tiles")).unwrap();
    refuses("1-0-1-2.tiles", &other, "belongs to another question");
    // Another number of parts in one folder.
    let third = CATALOGUE.answer(
        &question("count go 5x6 --over blocks --part 2/3"),
        &run(1).with_share(share(folder.path())),
    );
    assert!(refused(&third.unwrap_err()).contains("in 2 parts"));
    assert!(!there("part-2-of-3").exists());
    // A parcel that is gone is not waited for.
    std::fs::remove_file(there("1-0-1-2.tiles")).unwrap();
    let lost = second();
    assert!(refused(&lost).contains("1-0-1-2.tiles\" is not there"), "{lost}");
    // One that comes back is read, and all is well.
    std::fs::remove_file(there("part-1-of-2")).unwrap();
    let parts = all_parts("count go 5x6", 2, folder.path());
    is_whole("count go 5x6", &parts);
}

/// Elements that are no remainders, in a parcel that was made to look right.
#[test]
fn elements_above_their_modulus_are_refused() {
    use pessoi_engine::share::Label;
    let folder = scratch();
    assert!(begun(FIRST, folder.path(), 200).value.stop().is_some());
    let share = share(folder.path());
    let bytes = std::fs::read(folder.path().join("1-0-1-2.tiles")).unwrap();
    let matrix = Matrix::new(5, blocks_apart(5, 2), &Run::default()).unwrap();
    let sizes = matrix.tile_sizes(1);
    let own = (0..matrix.blocks(0)).filter(|block| block % 2 == 1);
    let tiles: Vec<Vec<u64>> =
        own.map(|block| vec![u64::MAX; sizes[matrix.tile(0, block, 0)]]).collect();
    let tiles: Vec<&[u64]> = tiles.iter().map(|tile| &tile[..]).collect();
    let divided = super::Divided::of(
        &question(SECOND),
        question("count go 5x6").board().unwrap(),
        super::Engine::Matrix,
    );
    let modulus = divided.unwrap().unwrap().moduli[0];
    assert_ne!(modulus, 0);
    let [upper, lower] = [0, 1].map(|half| matrix.blocks(half));
    let about = format!(
        "count go 5x6 in 2 parts over {upper} and {lower} blocks, version {}",
        env!("CARGO_PKG_VERSION")
    );
    let label = Label { about, numbers: vec![modulus, 0, 0, 0, 2] };
    share.send("1-0-1-2.tiles", &label, &tiles).unwrap();
    let forged = std::fs::read(folder.path().join("1-0-1-2.tiles")).unwrap();
    assert!(forged.len() == bytes.len() && forged != bytes);
    let run = run(1).with_share(Arc::clone(&share));
    let error = CATALOGUE.answer(&question(SECOND), &run).unwrap_err();
    assert!(refused(&error).contains("is damaged"), "{error}");
}

#[test]
fn a_part_runs_once_at_a_time() {
    let folder = scratch();
    let share = share(folder.path());
    let held = share.logbook("part-1-of-2", "somebody").unwrap();
    let run = run(1).with_share(Arc::clone(&share));
    let error = CATALOGUE.answer(&question(FIRST), &run).unwrap_err();
    assert!(refused(&error).contains("Another run is counting part 1/2"), "{error}");
    drop(held);
}

#[test]
fn what_cannot_be_divided_is_refused() {
    let folder = scratch();
    for (words, about) in [
        ("count go 3x3 --part 1/2", "would be counted by table"),
        ("count go 5x5 --method sweep --part 1/2", "would be counted by sweep"),
        ("count go 5x5 --mod 7 --part 1/2", "--over blocks"),
        ("count go 4x4 --part 1/3", "counted in 2 passes"),
        ("count go 6x6 --part 4/4", "--over blocks"),
        ("count go 4x4 --part 1/3 --over blocks", "no more than 2 blocks"),
        ("count go 6x6 --part 1/2 --over blocks", "--share DIR"),
    ] {
        let asked = question(words);
        let error = testing::ask(&asked, &Run::default()).unwrap_err();
        assert!(refused(&error).contains(about), "{words}: {error}");
    }
    for words in [
        "count go 5x5 --over blocks",
        "count go 3x3 --classes --part 1/2",
        "count go 1x3 --games --part 1/2",
        "count go 1x3 --cycles --part 1/2",
    ] {
        let words: Vec<&str> = words.split(' ').collect();
        refused(&CATALOGUE.read_question(&words).unwrap_err());
    }
    // A folder, a checkpoint or a disk that would not be used.
    let shared = || Run::default().with_share(share(folder.path()));
    for words in ["count go 6x6", "count go 6x6 --part 1/2", "sample go 5x5"] {
        let error = CATALOGUE.answer(&question(words), &shared()).unwrap_err();
        assert!(refused(&error).contains("leave out --share"), "{error}");
        assert_eq!(CATALOGUE.plan(&question(words), &shared()).unwrap_err(), error);
    }
    let store = Store::open(folder.path().join("saved")).unwrap();
    let error = CATALOGUE.answer(&question(FIRST), &shared().with_store(store)).unwrap_err();
    assert!(refused(&error).contains("--checkpoint"), "{error}");
    let disk = pessoi_engine::disk::Disk::open(folder.path(), None).unwrap();
    let error = CATALOGUE.answer(&question(FIRST), &shared().with_disk(disk)).unwrap_err();
    assert!(refused(&error).contains("--disk"), "{error}");
    assert!(share(folder.path()).names().unwrap().is_empty());
}

#[test]
fn parts_that_do_not_fit_are_not_merged() {
    let folder = scratch();
    let moduli: Vec<Answer> = [1, 2]
        .map(|part| testing::ask(&of_part("count go 5x6", part, 2), &Run::default()).unwrap())
        .into();
    // Other files in the folder are nobody's business.
    std::fs::write(folder.path().join("part-1.json"), "{}").unwrap();
    let blocks = all_parts("count go 5x6", 2, folder.path());
    let refusal = |parts: &[Answer]| refused(&merge(parts).unwrap_err()).to_owned();
    let mixed = refusal(&[moduli[0].clone(), blocks[1].clone()]);
    assert!(mixed.contains("2.json (part 2/2)") && mixed.contains("--over is blocks"), "{mixed}");
    assert_eq!(refusal(&blocks[..1]), "Part 2/2 is missing.");
    assert!(refusal(&[blocks[0].clone(), blocks[0].clone()]).contains("is that part too"));
    let stopped = begun(SECOND, scratch().path(), 3);
    assert!(refusal(&[blocks[0].clone(), stopped]).contains("it was stopped"));
    for parts in [&moduli, &blocks] {
        for number in 0..2 {
            let mut forged = parts.clone();
            let Value::Residue { residue, modulus } = parts[number].value.clone() else { panic!() };
            let name = format!("{}.json", number + 1);
            let mut with = |value: Value| {
                forged[number].value = value;
                refusal(&forged)
            };
            let changed = |residue: BigUint, modulus: &BigUint| Value::Residue {
                residue,
                modulus: modulus.clone(),
            };
            // One pass of the part went wrong: the others of the part do not agree, or those of
            // the other part.
            let pass = super::moduli(5, 6, None).unwrap()[number];
            let other = with(changed((&residue + &modulus / pass) % &modulus, &modulus));
            assert!(other.contains("not those of one number"), "{other}");
            let large = with(changed(&residue + &modulus, &modulus));
            assert!(large.contains(&name) && large.contains("not below"), "{large}");
            let another = with(changed(residue.clone(), &(&modulus + 2u8)));
            assert!(another.contains(&name) && another.contains("modulus is"), "{another}");
            let exact = with(Value::exact(7u8));
            assert!(exact.contains(&name) && exact.contains("gives no residue"), "{exact}");
        }
    }
    // Parts of residues that were never counted.
    let mut forged = moduli;
    for answer in &mut forged {
        answer.question.options.insert("mod".into(), Setting::Number(7));
    }
    assert!(refusal(&forged).contains("one pass"));
}

#[test]
fn plans_and_checks_of_parts() {
    let run = Run::default();
    let plan = |words: &str| CATALOGUE.plan(&question(words), &run).unwrap();
    let (whole, part) = (plan("count go 9x9"), plan("count go 9x9 --part 1/2"));
    // A part counts with fewer moduli at once, and so each takes a little longer.
    let ratio = part.seconds.unwrap() / whole.seconds.unwrap();
    assert!((0.5..=0.6).contains(&ratio), "{ratio}");
    let folder = scratch();
    let shared = Run::default().with_share(share(folder.path()));
    let words = "count go 13x13 --over blocks --part 2/3";
    let apart = CATALOGUE.plan(&question(words), &shared).unwrap();
    let whole = plan("count go 13x13");
    let ratio = apart.seconds.unwrap() / whole.seconds.unwrap();
    assert!((0.35..=0.45).contains(&ratio), "{ratio}");
    assert!(apart.bytes.unwrap() < whole.bytes.unwrap());
    assert!(apart.notes.iter().any(|note| note.contains("shared folder")), "{:?}", apart.notes);
    // A part over moduli can be counted again, one over blocks cannot.
    let moduli = testing::ask(&of_part("count go 4x4", 2, 2), &run).unwrap();
    let verdict = CATALOGUE.check(&moduli, Effort::Usual, &run).unwrap();
    assert!(verdict.holds, "{verdict:?}");
    let blocks = all_parts("count go 4x4", 2, folder.path());
    let verdict = CATALOGUE.check(&blocks[0], Effort::Usual, &run).unwrap();
    assert!(!verdict.holds, "{verdict:?}");
    let mut forged = moduli;
    forged.value = Value::exact(7u8);
    assert_eq!(CATALOGUE.check(&forged, Effort::Usual, &run).unwrap_err().code, Code::Forged);
}

/// What moduli are chosen by, before the rows are laid out.
#[test]
fn elements_grow_no_more_than_foreseen() {
    for height in 4..=9 {
        let matrix = Matrix::new(height, [1, 1], &Run::default()).unwrap();
        assert!(matrix.growth() <= most_growth(height), "{height}: {}", matrix.growth());
    }
}

#[test]
#[ignore = "slow without optimisation"]
fn elements_of_large_boards_grow_no_more_than_foreseen() {
    for height in 10..=16 {
        let matrix = Matrix::new(height, [1, 1], &Run::default()).unwrap();
        println!("{height}: {}", matrix.growth());
        assert!(matrix.growth() <= most_growth(height), "{height}: {}", matrix.growth());
    }
}

#[test]
#[ignore = "slow without optimisation"]
fn large_squares_in_parts() {
    for n in 9..=11 {
        let words = format!("count go {n}x{n}");
        let moduli: Vec<Answer> = [1, 2, 3]
            .map(|part| testing::ask(&of_part(&words, part, 3), &Run::default()).unwrap())
            .into();
        known(&moduli, SQUARES[n - 1]);
        let folder = scratch();
        known(&all_parts(&words, 3, folder.path()), SQUARES[n - 1]);
    }
}
