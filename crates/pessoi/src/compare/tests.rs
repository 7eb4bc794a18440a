use super::*;
use crate::answer::Term;
use crate::question::Verb;
use crate::testing::{self, CATALOGUE};

fn compared(verb: Verb, game: &str, place: &str, each: Duration) -> Answer {
    let question = Question::new(verb, game, place).unwrap();
    let answer = CATALOGUE.compare(&question, Some(each), &Run::default()).unwrap();
    testing::check_shape(&answer);
    answer
}

fn column(answer: &Answer, table: &str, id: &str) -> Vec<String> {
    let table = answer.table(table).unwrap();
    let at = table.column(id).unwrap();
    table.rows.iter().map(|row| row[at].to_string()).collect()
}

const LONG: Duration = Duration::from_secs(1000);

#[test]
fn all_methods_agree_about_small_boards() {
    let answer = compared(Verb::Count, "knight-tours", "5x5", LONG);
    assert_eq!(answer.value, Value::exact(864u32));
    assert_eq!(
        column(&answer, METHODS, "method"),
        ["branch", "pairings", "plain-sweep", "search"],
        "all that can be asked for"
    );
    assert_eq!(column(&answer, METHODS, "number"), ["864"; 4]);
    assert_eq!(column(&answer, METHODS, "agrees"), ["yes"; 4]);
    let chosen = column(&answer, METHODS, "chosen");
    assert_eq!(chosen.iter().filter(|is| *is == "yes").count(), 1, "{chosen:?}");
    let ratios = column(&answer, METHODS, "ratio");
    assert!(ratios.iter().any(|ratio| ratio == "1"), "{ratios:?}");
    assert!(answer.notes.iter().any(|note| note.contains("agree")));
}

#[test]
fn what_does_not_take_the_question_is_listed_with_its_refusal() {
    let answer = compared(Verb::Find, "numbrix", "1 . 3\n. . .\n. . 9", LONG);
    let standing = column(&answer, METHODS, "standing");
    let methods = column(&answer, METHODS, "method");
    let at = |method: &str| methods.iter().position(|known| known == method).unwrap();
    assert_eq!(standing[at("rotations")], "refused");
    assert!(column(&answer, METHODS, "why")[at("rotations")].contains("cannot follow clues"));
    assert_ne!(standing[at("warnsdorff")], "refused");
}

#[test]
fn a_proof_that_there_is_none_agrees_with_a_count_of_none() {
    let answer = compared(Verb::Count, "knight-tours", "4x4", LONG);
    assert_eq!(answer.value.number(), Some(0u32.into()), "{:?}", answer.value);
}

#[test]
fn a_range_has_a_column_for_each_method() {
    let answer = compared(Verb::Count, "wazir-tours", "2..3x2..3", LONG);
    assert_eq!(answer.value, Value::Described {});
    assert_eq!(column(&answer, COSTS, "board"), ["2x2", "2x3", "3x2", "3x3"]);
    let costs = answer.table(COSTS).unwrap();
    assert!(costs.column("pairings").is_some() && costs.column("search").is_some());
    assert_eq!(answer.table(METHODS).unwrap().rows.len(), 16);
}

#[test]
fn a_method_that_was_stopped_is_not_run_on_larger_boards() {
    // The clock stands still between looks, and no time is left at the first one.
    let question = Question::new(Verb::Count, "knight-tours", "5..6x6").unwrap();
    let run = Run::stepping(Budget::default(), Duration::from_secs(1));
    let answer = CATALOGUE.compare(&question, Some(Duration::from_secs(1)), &run).unwrap();
    let standing = column(&answer, METHODS, "standing");
    let why = column(&answer, METHODS, "why");
    assert!(standing[..4].iter().all(|standing| standing == "gave-up"), "{standing:?}");
    assert!(standing[4..].iter().all(|standing| standing == "not-run"), "{standing:?}");
    assert!(why[4..].iter().all(|why| why == "it was stopped on 5x6"), "{why:?}");
    assert!(answer.value.stop().is_some());
}

#[test]
fn estimates_are_compared_with_their_intervals() {
    let question = Question::new(Verb::Estimate, "knight-tours", "5x6").unwrap();
    let question = question.with("samples", 300u64);
    let answer = CATALOGUE.compare(&question, Some(LONG), &Run::default()).unwrap();
    testing::check_shape(&answer);
    assert_eq!(column(&answer, INTERVALS, "method"), ["chen", "knuth"]);
    assert!(matches!(answer.value, Value::Estimated(_)));
}

#[test]
fn one_engine_or_a_part_is_refused() {
    for (name, value) in [("method", "search"), ("part", "1/2")] {
        let question = Question::new(Verb::Count, "knight-tours", "5x5").unwrap().with(name, value);
        let error = CATALOGUE.compare(&question, Some(LONG), &Run::default()).unwrap_err();
        assert_eq!(error.code, Code::Conflict, "{error}");
        assert_eq!(error.field, Some(format!("options.{name}")));
    }
    let wrong = Question::new(Verb::Count, "knight-tours", "P3x3").unwrap();
    assert!(CATALOGUE.compare(&wrong, None, &Run::default()).is_err());
}

/// No method is wrong, so answers are made that are.
#[test]
fn a_disagreement_is_an_error() {
    let question = Question::new(Verb::Count, "knight-tours", "5x5").unwrap();
    let answer = CATALOGUE.answer(&question, &Run::default()).unwrap();
    let tried = |method: &str, answer: Answer| Tried {
        size: None,
        cells: Some(25),
        method: method.into(),
        is_chosen: false,
        seconds: 1.0,
        came: Came::Answered(Box::new(answer)),
        agrees: None,
    };
    let with = |value: Value| Answer { value, ..answer.clone() };
    let judged = |other: Answer| {
        let mut both = [tried("one", answer.clone()), tried("other", other)];
        let judged = agree(&mut both, &question);
        (judged, both.map(|tried| tried.agrees))
    };
    for wrong in [Value::exact(865u32), Value::none("it seems so"), Value::at_least(865u32)] {
        let (judged, _) = judged(with(wrong));
        let error = judged.unwrap_err();
        assert_eq!(error.code, Code::Internal);
        for word in ["one", "other", "864", "disagree"] {
            assert!(error.sentence.contains(word), "{error}");
        }
    }
    let (right, agrees) = judged(with(Value::exact(864u32)));
    assert!(right.is_ok() && agrees == [Some(true); 2]);
    let (right, agrees) = judged(with(Value::at_least(3u32)));
    assert!(right.is_ok() && agrees == [None, Some(true)]);
    // Other things have other numbers.
    let mut other = with(Value::exact(1u32));
    other.subject = Subject::measure("something-else", "something else");
    assert!(judged(other).0.is_ok());
    // Terms count too.
    let sequence = |value: u32| {
        let terms = vec![Term { n: 1, value: value.into() }];
        let (id, text) = ("a".to_owned(), "a(n)".to_owned());
        Sequence { id, text, terms, recurrence: None, growth: None }
    };
    let (one, other) = (sequence(1), sequence(2));
    assert!(same_terms(Some(&one), Some(&one)) && same_terms(Some(&one), None));
    assert!(!same_terms(Some(&one), Some(&other)));
}

#[test]
fn the_value_of_a_comparison_is_checked_and_its_times_are_not() {
    let answer = compared(Verb::Count, "knight-tours", "3x4", LONG);
    let saved = serde_json::to_vec(&answer).unwrap();
    let verdict = CATALOGUE.verify(&saved, Effort::Usual, &Run::default()).unwrap();
    assert!(!verdict.holds);
    assert_eq!(verdict.of("value").unwrap().standing, Standing::Checked);
    assert_eq!(verdict.of("tables.methods").unwrap().standing, Standing::NotChecked);
    let forged = String::from_utf8(saved).unwrap().replace("\"8\"", "\"9\"");
    CATALOGUE.verify(forged.as_bytes(), Effort::Usual, &Run::default()).unwrap_err();
}
