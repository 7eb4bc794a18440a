//! The hard boards that are kept with the program: what they are, and that their labels hold.

use std::collections::BTreeSet;

use pessoi_learn::hard::{self, Hard};

const HARD: &str = include_str!("../hard.txt");

fn boards() -> Vec<Hard> {
    hard::read(HARD).expect("the file")
}

#[test]
fn there_are_some_hundred_and_no_two_are_images_of_each_other() {
    let boards = boards();
    assert!(boards.len() >= 250, "{}", boards.len());
    let forms: BTreeSet<_> = boards.iter().map(|hard| hard.case.canonical()).collect();
    assert_eq!(forms.len(), boards.len());
    let solvable = boards.iter().filter(|hard| hard.solvable).count();
    assert!(solvable > 0 && solvable < boards.len());
    let lines: Vec<String> = boards.iter().map(Hard::to_line).collect();
    let kept: Vec<&str> = HARD.lines().filter(|line| !line.starts_with('#')).collect();
    assert_eq!(lines, kept);
}

#[test]
fn labels_that_certificates_prove_hold() {
    let boards = boards();
    let proved: Vec<&Hard> = boards.iter().filter(|hard| hard.by == "supply").collect();
    assert!(!proved.is_empty());
    for hard in proved {
        hard.check(1).unwrap_or_else(|error| panic!("{error}"));
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
