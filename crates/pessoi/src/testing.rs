//! What tests share: a question is asked as a door would ask it, and everything that must
//! hold of every answer is checked on the way.

use std::sync::LazyLock;
use std::time::Duration;

use crate::answer::Answer;
use crate::catalogue::Catalogue;
use crate::error::{Code, Result};
use crate::job::Events;
use crate::question::{Question, Verb};
use pessoi_engine::run::{Budget, Run};
use pessoi_engine::store::Store;

/// The standard catalogue.
pub(crate) static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(Catalogue::standard);

static ANSWERS: LazyLock<jsonschema::Validator> =
    LazyLock::new(|| validator(&crate::schema::answer()));
static PLANS: LazyLock<jsonschema::Validator> = LazyLock::new(|| validator(&crate::schema::plan()));
static QUESTIONS: LazyLock<jsonschema::Validator> =
    LazyLock::new(|| validator(&crate::schema::questions(&CATALOGUE)));

fn validator(schema: &serde_json::Value) -> jsonschema::Validator {
    jsonschema::draft202012::new(schema).expect("a schema")
}

fn validate(schema: &jsonschema::Validator, json: &serde_json::Value) {
    let errors: Vec<String> =
        schema.iter_errors(json).map(|error| format!("{}: {error}", error.instance_path)).collect();
    assert!(errors.is_empty(), "{errors:#?}\n{json:#}");
}

/// Checks what must hold of every answer: its JSON fits the schema and is read back as it was.
pub(crate) fn check_shape(answer: &Answer) {
    let json = serde_json::to_value(answer).expect("JSON");
    validate(&ANSWERS, &json);
    validate(&QUESTIONS, &json["question"]);
    assert_eq!(serde_json::from_value::<Answer>(json).expect("an answer"), *answer);
}

/// Plans and answers a question, and gives the answer with its solutions. The plan is given
/// exactly if there is an answer, and names the same engine.
pub(crate) fn ask(question: &Question, run: &Run) -> Result<Answer> {
    let plan = planned(question, run);
    let answer = CATALOGUE.answer(question, run);
    if let Ok(answer) = &answer {
        check_shape(answer);
    }
    agree(question, plan, &answer);
    answer
}

/// As [`ask`], for solutions that go elsewhere.
pub(crate) fn ask_to(question: &Question, run: &Run, events: &mut dyn Events) -> Result<Answer> {
    let plan = planned(question, run);
    let answer = CATALOGUE.ask(question, run, events);
    if let Ok(answer) = &answer {
        check_shape(answer);
    }
    agree(question, plan, &answer);
    answer
}

/// The engine of the plan. A run that is about to stop plans without limits: what is tested
/// with it is the answer.
fn planned(question: &Question, run: &Run) -> Result<String> {
    let budget = pessoi_engine::run::Budget {
        time: None,
        memory: run.budget().memory,
        ..run.budget().clone()
    };
    let plan = CATALOGUE.plan(question, &Run::new(budget))?;
    validate(&PLANS, &serde_json::to_value(&plan).expect("JSON"));
    Ok(plan.method.id)
}

fn agree(question: &Question, plan: Result<String>, answer: &Result<Answer>) {
    let words = question.words();
    match (plan, answer) {
        (Ok(plan), Ok(answer)) => assert_eq!(plan, answer.method.id, "{words}"),
        (Err(plan), Err(answer)) => assert_eq!(plan, *answer, "{words}"),
        (plan, answer) => panic!("{words}: planned {plan:?}, answered {answer:?}"),
    }
}

/// Answers a question in many runs, each of which is stopped after some looks at the clock, on
/// one, two and three threads; the first after so many. The answer must be that of one run. Then
/// the checkpoint is damaged in many ways, and must be refused.
pub(crate) fn stopped_and_resumed(question: &Question, looks: u32) {
    let words = question.words();
    let expected = ask(question, &Run::default()).unwrap_or_else(|e| panic!("{words}: {e}"));
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("saved");
    let look = Duration::from_secs(1);
    let again = |runs: u32, most: Option<Duration>| {
        let budget = Budget { time: most, threads: 1 + runs as usize % 3, ..Budget::default() };
        let store = Store::open(&path).expect("a store").every(look * (1 + looks / 4));
        CATALOGUE.answer(question, &Run::stepping(budget, look).with_store(store))
    };
    let mut runs = 0;
    let answer = loop {
        let answer = again(runs, Some(look * looks * (runs + 1)));
        let answer = answer.unwrap_or_else(|error| panic!("{words}: {error}"));
        check_shape(&answer);
        if answer.value.stop().is_none() {
            break answer;
        }
        runs += 1;
    };
    assert!(runs > 0, "{words}: it was not stopped");
    let shown = |answer: &Answer| {
        let Answer { value, facts, tables, certificate, method, .. } = answer.clone();
        // Samples that were begun and not done cost nodes too.
        let nodes = answer.cost.nodes.filter(|_| question.verb != Verb::Estimate);
        let cost = [nodes, answer.cost.states];
        (value, facts, tables, certificate, method, cost)
    };
    assert_eq!(shown(&answer), shown(&expected), "{words} in {runs} runs");
    // What is complete is given again at once.
    let bytes = std::fs::read(&path).expect("a checkpoint");
    assert_eq!(shown(&again(0, None).expect("an answer")), shown(&expected), "{words}");
    std::fs::write(&path, &bytes).expect("a file");
    let refused = |bytes: &[u8]| {
        std::fs::write(&path, bytes).expect("a file");
        let error = again(0, None).expect_err("a refusal");
        assert_eq!((error.code, error.field.as_deref()), (Code::BadValue, Some("store")));
        assert_eq!(std::fs::read(&path).expect("a file"), bytes, "it was left as it is");
        error.sentence
    };
    for at in (0..bytes.len()).step_by(1 + bytes.len() / 8) {
        let mut wrong = bytes.clone();
        wrong[at] ^= 16;
        refused(&wrong);
        refused(&bytes[..at]);
    }
    // Of another version.
    let version = env!("CARGO_PKG_VERSION").as_bytes();
    let at = bytes.windows(version.len()).position(|some| some == version);
    assert!(at.is_some(), "{words}: the checkpoint has no version");
}
