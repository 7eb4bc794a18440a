//! The same seed gives the same boards, labels and model, on any number of threads.

use pessoi_engine::random::Random;
use pessoi_learn::data::{self, Part};
use pessoi_learn::{case::Case, label, puzzle, tight, train};

/// Every fortieth board of `pessoi-learn data`.
fn rows() -> Vec<data::Row> {
    let lines = include_str!("some.txt");
    data::read(lines).expect("the file")
}

#[test]
fn labels_and_steps_depend_on_the_seed_alone() {
    for row in rows().iter().step_by(9) {
        let found = label::label(&row.case, "auto", 150_000, 1).expect("a label");
        assert_eq!(found.solvable, Some(row.solvable), "{}", row.case);
        assert_eq!((&*found.by, found.steps), (&*row.by, row.steps), "{}", row.case);
    }
}

#[test]
fn training_twice_gives_the_same_model() {
    let rows = rows();
    let train = || train::train(&rows, 1, "pessoi-learn data (a test)").expect("a model");
    let (once, again) = (train(), train());
    assert_eq!(once.model.to_text(), again.model.to_text());
    assert_eq!(once.table, again.table);
}

#[test]
fn no_board_is_an_image_of_one_in_another_part() {
    let rows = rows();
    let mut forms: Vec<(Case, Part)> =
        rows.iter().map(|row| (row.case.canonical(), row.part)).collect();
    forms.sort_by(|a, b| a.0.cmp(&b.0));
    assert!(forms.windows(2).all(|pair| pair[0].0 != pair[1].0));
    for part in [Part::Train, Part::Held, Part::Large] {
        assert!(rows.iter().any(|row| row.part == part));
    }
}

#[test]
fn boards_depend_on_the_seed_alone() {
    let draw = |seed: u64| {
        let mut random = Random::new(seed, 3);
        let (case, tour) = puzzle::puzzle("knight-tours", 8, 5, &mut random).ok()??;
        let moved = puzzle::moved(&case, &mut random)?;
        Some((case, tour, moved, tight::strip(2, seed), tight::tight(1, seed).ok()?))
    };
    let (once, again) = (draw(1), draw(1));
    assert!(once.is_some());
    assert_eq!(once, again);
    assert_ne!(once, draw(2));
}
