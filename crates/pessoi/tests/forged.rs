//! Forged answers: every field of an answer of every verb and game is changed, one at a time,
//! and checking must refuse it or say that not everything was checked. What may pass is
//! listed here with its reason; nothing else may.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use pessoi::job::Collected;
use pessoi::{Answer, Budget, Catalogue, Code, Effort, Run};
use rayon::prelude::*;
use serde_json::{Value, json};

/// Questions, and whether all claims of their answers hold: with the usual effort, and when
/// the number is computed again.
const QUESTIONS: &[(&str, bool, bool)] = &[
    ("find diplomatico 4x5", true, true),
    ("find diplomatico 4x4", true, true),
    ("find wazir-tours 4x4 --closed", true, true),
    ("find knight-tours 3x4 --all", true, true),
    ("find knight-tours 3x4 --from 1,1", true, true),
    ("find wazir-tours 4x4 --closed --symmetric half-turn", true, true),
    ("find knight-tours 4x4 --closed --symmetric rotation", true, true),
    ("find knight-tours 6x6 --symmetric rotation", true, true),
    ("find king-tours 2x2 --magic semi", true, true),
    ("find wazir-tours 3x3 --magic semi", true, true),
    ("find wazir-tours 3x3 --few-crossings", true, true),
    ("count diplomatico 4x5", true, true),
    ("count knight-tours 3x4 --directed", true, true),
    ("count knight-tours 3x4 --classes", true, true),
    ("count knight-tours 3x4 --part 1/3", false, false),
    ("count wazir-tours 3x3 --moves (1,1)+(1,0)", true, true),
    ("list knight-tours 3x4", true, true),
    ("list knight-tours 3x4 --limit 3", true, true),
    ("list knight-tours 3x4 --part 1/2", false, false),
    ("classify knight-tours 3x4", true, true),
    ("estimate wazir-tours 4x4 --samples 50", false, true),
    ("sample knight-tours 3x4 --samples 3", true, true),
    ("generate wazir-tours 3x3", true, true),
    ("generate wazir-tours 3x3 --clues 4 --difficulty easy", true, true),
    ("explore knight-tours 4x4", true, true),
    ("recurrence wazir-tours 2 --terms 8", false, true),
    ("recurrence wazir-tours 3 --closed --terms 12", false, true),
    ("analyze diplomatico 4x4", true, true),
    ("export diplomatico 4x4", true, true),
    ("find knight-loops 6", true, true),
    ("find knight-loops 4x5 --longest", true, true),
    ("find knight-loops 4x4 --longest --open", true, true),
    ("count knight-loops 6", true, true),
    ("count knight-loops 7", true, true),
    ("count wazir-loops 8 --non-crossing --symmetry fixed", true, true),
    ("count wazir-loops 8 --part 1/2", false, false),
    ("count wazir-loops 8 --sequence", true, true),
    ("list knight-loops 4", true, true),
    ("list wazir-loops 8 --limit 2", true, true),
    ("list wazir-loops 10 --part 2/3", false, false),
    ("classify wazir-loops 8", true, true),
    ("classify wazir-loops --path '1,1 1,2 2,2 2,1'", false, false),
    ("estimate knight-loops 8 --samples 100", false, true),
    ("sample wazir-loops 8 --samples 2", true, true),
    ("analyze wazir-loops 8", true, true),
    ("find square-slide 2x3 --from '2 1 3/4 . 5'", true, true),
    ("find square-slide 2x2 --from '2 1/3 .'", true, true),
    ("find hex-slide F2 --from '2 1/3 4 5/. .'", true, true),
    ("count square-slide 2x2", true, true),
    ("count hex-slide F2 --holes 4", true, true),
    ("explore square-slide 2x2", true, true),
    ("explore hex-slide F2 --holes 4", true, true),
    ("analyze square-slide 2x2", true, true),
    ("sample square-slide 2x3 --samples 2", true, true),
    ("sample square-slide 2x2 --distance 3 --samples 2", true, true),
    ("sample square-slide 2x2 --distance god", true, true),
    ("export square-slide 2x2", false, false),
    ("count go 2x3", true, true),
    ("count go 2x2 --classes", true, true),
    ("list go 1x3", true, true),
    ("classify go 2x2", true, true),
    ("count go 2x2 --mod 97", true, true),
    ("count go 2x3 --ternary", true, true),
    ("count go 4x4 --part 1/2", true, true),
    ("count go 1x3 --games", true, true),
    ("count go 1x3 --cycles", true, true),
    ("find go 1x3", true, true),
    ("estimate go 2x3 --samples 200", false, true),
    ("estimate go 1x3 --games --samples 50", false, false),
    ("sample go 2x3 --samples 3", true, true),
    ("analyze go 2x2", true, true),
    ("analyze go --formula 4", true, true),
    ("analyze go --borders 3", false, false),
    ("explore go 1x3", false, false),
    ("export go 1x3", true, true),
    ("recurrence go 2", true, true),
];

/// Changes that leave the meaning as it was, by the place they are made at.
const HARMLESS: &[(&str, &str)] = &[
    ("pessoi", "how it was made"),
    ("method.text", "how it was made"),
    ("method.by", "how it was made"),
    ("method.components", "how it was made, as far as it is one of the method's own"),
    ("method.id", "how it was made"),
    ("question.options.method", "how it was made"),
    ("cost", "how it was made"),
    ("seed", "how it was made"),
];

/// What can be left out, because nothing else becomes untrue: removing it is harmless.
const OPTIONAL: &[&str] =
    &["certificate", "notes", "facts", "tables", "graph", "growth", "recurrence", "stop", "by"];

/// A forged question may take long; what is not checked by then is not said to hold.
fn patience(effort: Effort) -> Duration {
    match effort {
        Effort::Usual => Duration::from_millis(400),
        Effort::Again => Duration::from_secs(2),
    }
}

fn run() -> Run {
    Run::new(Budget { threads: 1, seed: 1, ..Budget::default() })
}

fn ask(catalogue: &Catalogue, line: &str) -> pessoi::Result<Answer> {
    // Quotes hold words together, as in a shell.
    let mut words: Vec<&str> = Vec::new();
    for (number, piece) in line.split('\'').enumerate() {
        if number % 2 == 1 {
            words.push(piece);
        } else {
            words.extend(piece.split_whitespace());
        }
    }
    let question = catalogue.read_question(&words)?;
    let run = run();
    let mut collected = Collected::new(&run);
    let mut answer = catalogue.ask(&question, &run, &mut collected)?;
    collected.into_answer(&mut answer);
    Ok(answer)
}

#[test]
fn honest_answers_hold_as_far_as_they_can_be_checked() {
    let catalogue = Catalogue::standard();
    let mut wrong = Vec::new();
    for &(line, usual, again) in QUESTIONS {
        let answer = match ask(&catalogue, line) {
            Ok(answer) => answer,
            Err(error) => {
                wrong.push(format!("{line}: {error}"));
                continue;
            }
        };
        for (effort, expected) in [(Effort::Usual, usual), (Effort::Again, again)] {
            match catalogue.check(&answer, effort, &run()) {
                Ok(verdict) if verdict.holds == expected => {}
                Ok(verdict) => wrong.push(format!("{line} {effort:?}: {}", words(&verdict))),
                Err(error) => wrong.push(format!("{line} {effort:?}: {error}")),
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A place in JSON, as the steps that lead there.
type Steps = Vec<Step>;

#[derive(Clone, Debug)]
enum Step {
    Key(String),
    At(usize),
}

/// The place without the indexes of arrays.
fn name(steps: &[Step]) -> String {
    let keys = steps.iter().filter_map(|step| match step {
        Step::Key(key) => Some(key.as_str()),
        Step::At(_) => None,
    });
    keys.collect::<Vec<_>>().join(".")
}

fn at<'v>(value: &'v mut Value, steps: &[Step]) -> &'v mut Value {
    steps.iter().fold(value, |value, step| match step {
        Step::Key(key) => &mut value[key.as_str()],
        Step::At(index) => &mut value[*index],
    })
}

/// All places; of long arrays the first, the middle and the last entry.
fn places(value: &Value, here: &mut Steps, each: &mut dyn FnMut(&[Step], &Value)) {
    each(here, value);
    match value {
        Value::Object(map) => {
            for (key, inner) in map {
                here.push(Step::Key(key.clone()));
                places(inner, here, each);
                here.pop();
            }
        }
        Value::Array(list) => {
            let ends: BTreeSet<usize> =
                [0, list.len() / 2, list.len().saturating_sub(1)].into_iter().collect();
            for index in ends.into_iter().filter(|&index| index < list.len()) {
                here.push(Step::At(index));
                places(&list[index], here, each);
                here.pop();
            }
        }
        _ => {}
    }
}

/// What is said at each place by other answers.
type Pool = BTreeMap<String, Vec<Value>>;

fn pool(answers: &[(&str, Value)]) -> Pool {
    let mut pool = Pool::new();
    for (_, answer) in answers {
        places(answer, &mut Vec::new(), &mut |steps, value| {
            let known = pool.entry(name(steps)).or_default();
            if !value.is_object() && !known.contains(value) && known.len() < 12 {
                known.push(value.clone());
            }
        });
    }
    pool
}

/// Other values for one place, with a word for what was done.
fn changes(steps: &[Step], value: &Value, pool: &Pool) -> Vec<(&'static str, Value)> {
    let mut changed: Vec<(&'static str, Value)> = Vec::new();
    match value {
        Value::String(text) => {
            if let Ok(number) = text.parse::<i128>() {
                changed.push(("one more", json!((number + 1).to_string())));
                changed.push(("one less", json!((number - 1).to_string())));
                changed.push(("a zero before", json!(format!("0{text}"))));
            } else {
                changed.push(("other words", json!(format!("{text}x"))));
                changed.push(("no words", json!("")));
            }
        }
        Value::Number(number) => {
            if let Some(number) = number.as_i64() {
                changed.push(("one more", json!(number + 1)));
                changed.push(("one less", json!(number - 1)));
            } else if let Some(number) = number.as_f64() {
                changed.push(("a tenth more", json!(number * 1.1 + 0.1)));
            }
        }
        Value::Bool(is) => changed.push(("the opposite", json!(!is))),
        Value::Array(list) => {
            changed.push(("none", json!([])));
            if let [.., last] = &list[..] {
                changed.push(("the first left out", json!(list[1..])));
                changed.push(("the last left out", json!(list[..list.len() - 1])));
                let mut twice = list.clone();
                twice.push(last.clone());
                changed.push(("the last twice", json!(twice)));
            }
            if list.len() > 1 && list[0] != list[1] {
                let mut swapped = list.clone();
                swapped.swap(0, 1);
                changed.push(("swapped", json!(swapped)));
            }
        }
        Value::Object(map) => {
            let mut more = map.clone();
            more.insert("extra".into(), json!(1));
            changed.push(("an extra field", Value::Object(more)));
            for key in map.keys() {
                let mut less = map.clone();
                less.remove(key);
                changed.push(("without a field", Value::Object(less)));
            }
        }
        Value::Null => {}
    }
    for other in pool.get(&name(steps)).into_iter().flatten() {
        if other != value && !value.is_object() {
            changed.push(("from another answer", other.clone()));
        }
    }
    changed
}

/// Whether a change that passed leaves the meaning as it was.
fn is_harmless(steps: &[Step], what: &str, before: &Value, after: &Value) -> bool {
    let name = name(steps);
    let keys = |value: &Value| -> BTreeSet<String> {
        value.as_object().map(|map| map.keys().cloned().collect()).unwrap_or_default()
    };
    match what {
        // A field less: harmless if it may be left out, or says how the answer was made.
        "without a field" => keys(before).difference(&keys(after)).all(|key| {
            let full = if name.is_empty() { key.clone() } else { format!("{name}.{key}") };
            OPTIONAL.contains(&key.as_str()) || is_about_making(&full)
        }),
        // Fewer facts, tables or notes say less, and nothing else.
        "the first left out" | "the last left out" if name == "certificate.residues" => true,
        "none" | "the first left out" | "the last left out" => {
            OPTIONAL.contains(&name.as_str()) || is_about_making(&name)
        }
        // The order of solutions, facts, tables, nodes and certificates' cells means nothing.
        "swapped" => {
            let free = ["solutions", "facts", "tables", "notes", "certificate.cells"];
            free.contains(&name.as_str())
                || name == "certificate.residues"
                || is_about_making(&name)
        }
        // Other solutions that are as asked, and other facts that are true.
        "from another answer"
            if [
                "solutions",
                "solutions.cells",
                "solutions.drawings",
                "facts",
                "tables",
                "notes",
            ]
            .contains(&name.as_str()) =>
        {
            true
        }
        // At least so many is true where exactly so many are.
        "from another answer" if name == "value.standing" => *after == json!("at-least"),
        _ => is_about_making(&name),
    }
}

/// Whether the game gives this answer to its question.
fn is_true(catalogue: &Catalogue, answer: &Answer) -> bool {
    let run = run();
    let mut collected = Collected::new(&run);
    let again = catalogue.ask(&answer.question, &run, &mut collected);
    again.is_ok_and(|again| again.value == answer.value && again.subject == answer.subject)
}

fn is_about_making(name: &str) -> bool {
    HARMLESS.iter().any(|(place, _)| name == *place || name.starts_with(&format!("{place}.")))
}

fn forgeries(effort: Effort) {
    let catalogue = Catalogue::standard();
    let answers: Vec<(&str, Value)> = QUESTIONS
        .iter()
        .map(|(line, ..)| {
            (*line, serde_json::to_value(ask(&catalogue, line).expect("an answer")).expect("JSON"))
        })
        .collect();
    let pool = pool(&answers);
    let forged: Vec<_> = answers
        .par_iter()
        .map(|(line, json)| forged(&catalogue, line, json, &pool, effort))
        .collect();
    let tried: u64 = forged.iter().map(|(tried, _)| tried).sum();
    let passed: Vec<String> = forged.into_iter().flat_map(|(_, passed)| passed).collect();
    println!("{tried} forged answers");
    assert!(tried > 2000);
    assert!(passed.is_empty(), "{} of {tried} pass:\n{}", passed.len(), passed.join("\n"));
}

/// How many forgeries of one answer were tried, and those that pass.
fn forged(
    catalogue: &Catalogue,
    line: &str,
    json: &Value,
    pool: &Pool,
    effort: Effort,
) -> (u64, Vec<String>) {
    let (mut passed, mut tried) = (Vec::new(), 0);
    let original: Answer = serde_json::from_value(json.clone()).expect("an answer");
    let mut all: Vec<Steps> = Vec::new();
    places(json, &mut Vec::new(), &mut |steps, _| all.push(steps.to_vec()));
    for steps in all {
        let mut copy = json.clone();
        let before = at(&mut copy, &steps).clone();
        for (what, after) in changes(&steps, &before, pool) {
            let mut forged = json.clone();
            *at(&mut forged, &steps) = after.clone();
            let Ok(answer) = serde_json::from_value::<Answer>(forged) else { continue };
            if answer == original {
                continue;
            }
            tried += 1;
            // What takes longer than an honest answer is left unchecked.
            let run = Run::new(Budget { time: Some(patience(effort)), ..run().budget().clone() });
            match catalogue.check(&answer, effort, &run) {
                Err(error) => assert_ne!(error.code, Code::Internal, "{line}: {error}"),
                Ok(verdict) if !verdict.holds => {}
                Ok(_) if is_harmless(&steps, what, &before, &after) => {}
                // Another question may have the same true answer.
                Ok(_) if name(&steps).starts_with("question") && is_true(catalogue, &answer) => {}
                Ok(_) => {
                    let place = name(&steps);
                    passed.push(format!("{line}: {place}: {what}: {before} became {after}"));
                }
            }
        }
    }
    (tried, passed)
}

#[test]
fn no_forged_answer_holds() {
    forgeries(Effort::Usual);
}

/// What an independent reader forged, in several fields at once; some of it held, some of it
/// made the checker break down.
#[test]
fn forgeries_that_held_once() {
    type Edit = fn(&mut Value);
    let cases: &[(&str, Edit)] = &[
        ("estimate wazir-tours 3x3", |a| a["value"]["mean"] = json!(1e9)),
        ("estimate wazir-tours 3x3", |a| a["value"]["interval"]["confidence"] = json!(0.999_999)),
        ("recurrence wazir-tours 2 --terms 12", |a| {
            a["question"]["options"] = json!({});
            let terms = a["sequence"]["terms"].as_array_mut().expect("terms");
            terms.push(json!({ "n": 10_000_000_000u64, "value": "7" }));
            terms.push(json!({ "n": 13, "value": "999" }));
        }),
        ("recurrence wazir-tours 2 --terms 12", |a| {
            let terms = a["sequence"]["terms"].as_array_mut().expect("terms");
            terms.push(json!({ "n": u64::MAX, "value": "7" }));
        }),
        ("recurrence wazir-tours 2 --terms 12", |a| {
            a["question"]["options"] = json!({});
            a["sequence"]["terms"].as_array_mut().expect("terms").truncate(5);
        }),
        ("recurrence go 1 --terms 3", |a| {
            a["sequence"].as_object_mut().expect("a sequence").remove("recurrence");
            a["value"]["number"] = json!("15");
        }),
        ("export diplomatico 4x4", |a| {
            a.as_object_mut().expect("an answer").remove("graph");
        }),
        ("count go 2x2", |a| a["facts"][0]["value"] = json!("1")),
        ("count go 2x2", |a| a["facts"][0]["value"] = json!("0.8")),
        ("find go 1x1", |a| {
            a["value"] = json!({ "standing": "at-least", "number": "1" });
            a["solutions"] = json!([{ "figure": "positions", "drawings": [], "closed": true }]);
        }),
        ("count go 1x3 --mod 7", |a| a["value"]["modulus"] = json!("0")),
        ("count wazir-loops 8 --sequence", |a| {
            a["sequence"]["terms"][0]["n"] = json!(1u64 << 63);
        }),
        ("classify wazir-loops --path '1,1 1,2 2,2 2,1' --congruent", |a| {
            a["solutions"][0]["cells"] = json!([]);
        }),
        ("sample square-slide 2x2", |a| {
            a["solutions"][0]["drawings"][0] = json!("hex # 1/2/3/./");
        }),
        ("sample go 2x3 --samples 5", |a| {
            let stop = json!({ "limit": "time", "seconds": 1.0 });
            a["value"] = json!({ "standing": "at-least", "number": "0", "stop": stop });
            a["solutions"] = json!([]);
            a["facts"] = json!([]);
        }),
    ];
    let catalogue = Catalogue::standard();
    for (line, edit) in cases {
        let mut json =
            serde_json::to_value(ask(&catalogue, line).expect("an answer")).expect("JSON");
        edit(&mut json);
        let Ok(answer) = serde_json::from_value::<Answer>(json.clone()) else { continue };
        for effort in [Effort::Usual, Effort::Again] {
            match catalogue.check(&answer, effort, &run()) {
                Ok(verdict) => assert!(!verdict.holds, "{line}: {json}"),
                Err(error) => assert_ne!(error.code, Code::Internal, "{line}: {error}"),
            }
        }
    }
}

/// The same when numbers are computed again, which takes longer.
#[test]
#[ignore = "some minutes"]
fn no_forged_answer_holds_when_it_is_computed_again() {
    forgeries(Effort::Again);
}

fn words(verdict: &pessoi::Verdict) -> String {
    pessoi::export::verdict(verdict, &pessoi::Style::default())
}
