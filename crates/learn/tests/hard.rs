//! The hard boards that are kept with the program: what they are, and that their labels hold.

use std::collections::BTreeSet;

use pessoi_learn::hard::{self, Hard, SOURCES};

const HARD: &str = include_str!("../hard.txt");

fn boards() -> Vec<Hard> {
    hard::read(HARD).expect("the file")
}

#[test]
fn there_are_some_of_both_labels_and_no_two_are_images_of_each_other() {
    let boards = boards();
    let forms: BTreeSet<_> = boards.iter().map(|hard| hard.case.canonical()).collect();
    assert_eq!(forms.len(), boards.len());
    // Those that no method decides soon: most boards, some with a solution and some without, a tenth
    // of them very hard.
    let today: Vec<&Hard> =
        boards.iter().filter(|hard| !["strip", "short"].contains(&hard.source)).collect();
    let solvable = today.iter().filter(|hard| hard.solvable).count();
    assert!(today.len() >= 300 && today.len() - solvable >= 50, "{solvable} of {}", today.len());
    let very = today.iter().filter(|hard| hard.steps >= 50_000).count();
    assert!(10 * very >= today.len(), "{very}");
    let lines: Vec<String> = boards.iter().map(Hard::to_line).collect();
    let kept: Vec<&str> = HARD.lines().filter(|line| !line.starts_with('#')).collect();
    assert_eq!(lines, kept);
    // A board stands below the command that finds it.
    let mut section = "";
    for line in HARD.lines() {
        if let Some(command) = line.strip_prefix("# pessoi-learn hard --source ") {
            section = command.split(' ').next().expect("a source");
            assert!(SOURCES.iter().any(|source| source.name == section), "{line}");
        } else {
            assert_eq!(Hard::parse(line).expect("a board").source, section);
        }
    }
}

#[test]
fn labels_that_tours_and_certificates_prove_hold() {
    let boards = boards();
    let quick =
        |hard: &&Hard| matches!(&*hard.by, "tour" | "cut" | "supply") || hard.source == "strip";
    let proved: Vec<&Hard> = boards.iter().filter(quick).collect();
    assert!(proved.len() > 60, "{}", proved.len());
    for hard in proved {
        hard.check(1).unwrap_or_else(|error| panic!("{error}"));
    }
}

#[test]
fn a_wrong_label_is_found_out() {
    let boards = boards();
    for by in ["tour", "cut", "supply"] {
        let hard = boards.iter().find(|hard| hard.by == by).expect("a board");
        assert!(Hard { solvable: !hard.solvable, ..hard.clone() }.check(1).is_err());
    }
    let has_tour = |hard: &&Hard| hard.tour.is_some() && hard.case.clues.len() > 2;
    let with_tour = boards.iter().find(has_tour).expect("a board");
    let mut wrong = with_tour.clone();
    wrong.tour.as_mut().expect("its tour").swap(3, 4);
    assert!(wrong.check(1).is_err());
    let mut other = with_tour.clone();
    other.case.clues.pop();
    assert!(other.check(1).is_ok());
    let first = other.case.clues[0].1;
    other.case.clues.push((1 + other.case.len() as u32, first));
    assert!(other.check(1).is_err());
}

#[test]
fn lines_that_are_none_are_refused() {
    let line = boards()[0].to_line();
    for bad in [
        String::new(),
        line.replacen("yes", "maybe", 1),
        line.replacen("warnsdorff few", "warnsdorff elsewhere", 1),
        line.replacen("warnsdorff", "oracle", 1),
        format!("{line}zz"),
        line[..30].to_owned(),
    ] {
        assert!(Hard::parse(&bad).is_err(), "{bad}");
    }
}

/// Some minutes: `cargo test --release -p pessoi-learn -- --ignored`.
#[test]
#[ignore = "slow: every label is proved again"]
fn all_labels_hold() {
    for hard in boards() {
        hard.check(1).unwrap_or_else(|error| panic!("{error}"));
    }
}
