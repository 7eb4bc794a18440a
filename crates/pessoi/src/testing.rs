//! What tests share: a question is asked as a door would ask it, and everything that must
//! hold of every answer is checked on the way.

use std::sync::LazyLock;

use crate::answer::Answer;
use crate::catalogue::Catalogue;
use crate::error::Result;
use crate::job::Events;
use crate::question::Question;
use pessoi_engine::run::Run;

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
