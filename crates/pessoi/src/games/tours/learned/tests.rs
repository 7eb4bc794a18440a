//! Models and what they may do; short supply as a proof.

use proptest::prelude::*;

use super::super::supply::{GiversTakers, SHORT_SUPPLY};
use super::*;
use crate::answer::{Answer, Value};
use crate::certificate::Certificate;
use crate::check::Effort;
use crate::question::{Place, Verb};
use crate::testing::{self, CATALOGUE};
use pessoi_engine::run::Run;

const KNIGHT: &[(i32, i32)] = &[(1, 2)];

fn find(game: &str, place: &str, method: &str) -> Question {
    Question::new(Verb::Find, game, place).unwrap().with("method", method)
}

fn ask(question: &Question) -> Answer {
    testing::ask(question, &Run::default()).unwrap()
}

/// Checks an answer as `pessoi verify` does.
fn verify(answer: &Answer) -> Result<bool> {
    let json = serde_json::to_vec(answer).unwrap();
    CATALOGUE.verify(&json, Effort::Usual, &Run::default()).map(|verdict| verdict.holds)
}

/// A model that says the same of every board.
fn stubborn(bias: f64) -> Model {
    let judge = Judge::Logistic { bias, weights: vec![0.0; FEATURES.len()] };
    let moves = vec!["(1,2)".to_owned()];
    let provenance = Provenance { command: "a test".into(), moves, ..Provenance::default() };
    Model::new(judge, vec![-1.0; SIGNS.len()], provenance)
}

#[test]
fn the_shipped_model_is_small_and_says_where_it_is_from() {
    let model = Model::shipped().unwrap();
    assert!(model.to_text().len() < 1_000_000);
    assert!(model.origin().starts_with("pessoi-learn data"), "{}", model.origin());
    assert_eq!(Model::read(&model.to_text()).unwrap(), model);
    assert_eq!(model.provenance.metrics.len(), 3);
    assert!(model.knows(KNIGHT) && model.knows(&[(2, 2), (3, 0)]) && !model.knows(&[(1, 4)]));
}

#[test]
fn a_model_that_is_not_one_is_refused_with_a_sentence() {
    let good = stubborn(0.5).to_text();
    assert!(Model::read(&good).is_ok());
    let trees = |tree: Vec<Node>| {
        let judge = Judge::Trees { bias: 0.0, trees: vec![tree] };
        Model::new(judge, vec![0.0; SIGNS.len()], Provenance::default()).to_text()
    };
    let looping = Node::Split { feature: 0, most: 1.0, left: 0, right: 0 };
    let foreign = Node::Split { feature: 999, most: 1.0, left: 1, right: 1 };
    for (bad, why) in [
        (String::new(), "not JSON"),
        ("[1, 2".into(), "not JSON"),
        ("[]".into(), "its format is not pessoi-model"),
        (good.replace("pessoi-model", "onnx"), "its format is not pessoi-model"),
        (good.replace("\"version\":2", "\"version\":1"), "its version is not 2"),
        (good.replace("log-cells", "cells"), "trained on other features"),
        (good.replace("0.5", "0.75"), "checksum"),
        (good.replace("a test", "a rest"), "checksum"),
        (good.replace("0.5", "1e300"), "out of range"),
        (good.replace("\"provenance\"", "\"origin\""), "unknown field"),
        (trees(Vec::new()), "a tree is empty"),
        (trees(vec![looping]), "leads nowhere"),
        (trees(vec![foreign, Node::Leaf { value: 0.0 }]), "leads nowhere"),
    ] {
        let error = Model::read(&bad).unwrap_err();
        assert_eq!(error.field.as_deref(), Some("options.model"), "{bad}");
        let text = error.to_string();
        assert!(text.contains(why) && text.ends_with('.'), "{bad}: {text}");
        // The doors refuse it with the same sentence.
        let asked = Question::new(Verb::Analyze, "knight-tours", "5x5").unwrap();
        let asked = asked.with("predict", true).with("model", &*bad);
        assert_eq!(testing::ask(&asked, &Run::default()).unwrap_err().to_string(), text);
    }
    let asked = find("knight-tours", "5x5", "sat").with("model", &*good);
    let error = testing::ask(&asked, &Run::default()).unwrap_err();
    assert!(error.to_string().contains("--method learned"), "{error}");
}

#[test]
fn predictions_never_replace_proofs() {
    let (never, always) = (stubborn(-50.0).to_text(), stubborn(50.0).to_text());
    // 5×5 has tours, the others have none, whatever a model says; of 3×3 that is seen at once, and
    // of the last by its short supply of moves.
    let short = "#....\n.#.#.\n.#...";
    for (board, tours) in [("5x5", true), ("4x4", false), ("3x3", false), (short, false)] {
        for (model, predicted) in [(&never, 0.0), (&always, 1.0)] {
            let asked = Question::new(Verb::Analyze, "knight-tours", board).unwrap();
            let answer = ask(&asked.with("predict", true).with("model", &**model));
            assert_eq!(answer.value, Value::Described {});
            let fact =
                answer.fact_of("predicted-probability").and_then(crate::table::Datum::as_f64);
            let is_ruled_out = answer.fact_of("open-path-ruled-out") == Some(&true.into());
            assert_eq!(is_ruled_out, board == "3x3");
            let (shown, words) = match board {
                "3x3" => (0.0, "inspection proves"),
                _ if board == short => (0.0, "short supply of moves proves"),
                _ => (predicted, "proves nothing"),
            };
            assert!((fact.unwrap() - shown).abs() < 1e-9);
            assert!(answer.notes.iter().any(|note| note.contains(words)), "{:?}", answer.notes);
            let found = ask(&find("knight-tours", board, "learned").with("model", &**model));
            assert_eq!(matches!(found.value, Value::None { .. }), !tours, "{:?}", found.value);
            assert!(verify(&found).unwrap());
        }
    }
}

#[test]
fn features_do_not_depend_on_how_the_board_lies() {
    let board = ["..#.....", "........", ".#......", "......#.", "........", "..#....."];
    let turned: Vec<String> = (0..8)
        .map(|col| (0..6).rev().map(|row| board[row].as_bytes()[col] as char).collect())
        .collect();
    let seen = |rows: &str| {
        let question = Question::new(Verb::Find, "knight-tours", rows).unwrap();
        features(&question.with("closed", true), KNIGHT).unwrap()
    };
    let (a, b) = (seen(&board.join("\n")), seen(&turned.join("\n")));
    assert_eq!(a.len(), FEATURES.len());
    assert!(a.iter().zip(&b).all(|(a, b)| (a - b).abs() < 1e-12), "{a:?} {b:?}");
    // Nor on empty rows and columns around it.
    let padded: Vec<String> = board.iter().map(|row| format!("##{row}#")).collect();
    let padded = format!("{}\n{}\n{}", "#".repeat(11), padded.join("\n"), "#".repeat(11));
    assert_eq!(seen(&padded), a);
}

#[test]
fn predictions_are_of_boards_without_clues_and_name_moves_that_are_foreign() {
    let asked = |game: &str, board: &str| {
        Question::new(Verb::Analyze, game, board).unwrap().with("predict", true)
    };
    let clued = asked("knight-tours", "1 . . . .\n. . . . .\n. . 9 . .\n. . . . .\n. . . . .");
    let error = testing::ask(&clued, &Run::default()).unwrap_err();
    assert_eq!(error.field.as_deref(), Some("options.predict"));
    assert!(error.to_string().contains("takes boards without clues"), "{error}");
    // The ends may be given.
    let ends = asked("knight-tours", "5x5").with("from", "1,1").with("to", "5,5");
    assert!(ask(&ends).fact_of("predicted-probability").is_some());
    for (game, is_foreign) in [("knight-tours", false), ("giraffe-tours", true)] {
        let answer = ask(&asked(game, "9x9"));
        let noted = answer.notes.iter().any(|note| note.contains("not trained on such moves"));
        assert_eq!(noted, is_foreign, "{game}: {:?}", answer.notes);
    }
}

#[test]
fn choices_along_a_tour_hold_the_step_that_it_takes() {
    let question = Question::new(Verb::Find, "knight-tours", "6x6").unwrap();
    let tour = ask(&question).solutions[0].figure.path().to_vec();
    let choices = choices(&question, KNIGHT, &tour).unwrap();
    assert!(choices.len() > 5);
    for choice in &choices {
        assert!(choice.taken < choice.steps.len() && choice.steps.len() > 1);
        assert!(choice.steps.iter().all(|signs| signs.len() == SIGNS.len()));
    }
}

#[test]
fn short_supply_is_a_proof_that_can_be_checked() {
    // No colour is short, no cell has fewer than two moves, and no cell cuts the board.
    let board = "#....\n.#.#.\n.#...";
    let answer = ask(&find("knight-tours", board, "supply"));
    assert!(matches!(answer.value, Value::None { .. }), "{:?}", answer.value);
    assert!(verify(&answer).unwrap());
    let certificate = answer.certificate.clone().unwrap();
    assert_eq!(certificate.kind, SHORT_SUPPLY);
    let GiversTakers { givers, takers } = certificate.read().unwrap();
    let forged = |givers: &[Cell], takers: &[Cell], board: &str| {
        let (givers, takers) = (givers.to_vec(), takers.to_vec());
        let mut forged = answer.clone();
        forged.question.place = Place::parse(board).unwrap();
        forged.certificate = Some(Certificate::own(SHORT_SUPPLY, &GiversTakers { givers, takers }));
        verify(&forged)
    };
    assert!(forged(&givers, &takers, board).unwrap());
    // Fewer givers, one twice, none at all, or another board: none of it holds.
    assert!(forged(&givers[..1], &takers, board).is_err());
    assert!(forged(&[givers.clone(), givers.clone()].concat(), &takers, board).is_err());
    assert!(forged(&[], &[], board).is_err());
    assert!(forged(&givers, &takers, "5x5").is_err());
    // The portfolio sees it before it tries anything else, and the SAT solver agrees.
    let auto = ask(&Question::new(Verb::Find, "knight-tours", board).unwrap());
    assert_eq!(auto.certificate.unwrap().kind, SHORT_SUPPLY);
    assert!(matches!(ask(&find("knight-tours", board, "sat")).value, Value::None { .. }));
    // Where supply is no problem nothing is proved, and it says so.
    let answer = ask(&find("knight-tours", "6x6", "supply"));
    assert!(matches!(answer.value, Value::GaveUp { .. }), "{:?}", answer.value);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// On boards of any shape: supply and a learned order against a plain search.
    #[test]
    fn supply_and_learned_orders_agree_with_a_plain_search(
        blocked in prop::collection::vec(prop::bool::weighted(0.15), 25),
        game in prop::sample::select(&["knight-tours", "diplomatico", "king-tours", "wazir-tours"][..]),
        closed: bool,
        ends: bool,
    ) {
        let rows: Vec<String> = blocked
            .chunks(5)
            .map(|row| row.iter().map(|&blocked| if blocked { '#' } else { '.' }).collect())
            .collect();
        let place = Place::parse(&rows.join("\n"));
        prop_assume!(place.is_ok());
        let place = place.unwrap();
        let ask_by = |method: &str| {
            let mut asked = Question { place: place.clone(), ..find(game, "5x5", method) };
            if closed {
                asked = asked.with("closed", true);
            } else if ends {
                let Place::Board(drawing) = &place else { unreachable!() };
                let first = drawing.board.cell(0).to_string();
                asked = asked.with("from", &*first);
            }
            ask(&asked)
        };
        let is_none = |answer: &Answer| matches!(answer.value, Value::None { .. });
        let (plain, learned, supply) = (ask_by("backtrack"), ask_by("learned"), ask_by("supply"));
        prop_assert_eq!(is_none(&plain), is_none(&learned));
        if is_none(&supply) {
            prop_assert!(is_none(&plain));
            prop_assert!(verify(&supply).unwrap());
        }
    }
}
