//! Answers that were true once, and edited.
//!
//! Mutated bytes of JSON are seldom JSON. So here an input is a *program*: its first byte
//! chooses an answer of `fuzz/answers`, and every four bytes that follow are an **edit** of
//! its tree: what is done, at which node (two bytes), and with what. What comes out is always
//! JSON, and often has the shape of an answer.

use serde_json::{Map, Value, json};

/// Answers of all verbs.
const ANSWERS: &[&str] = &[
    include_str!("../../answers/analyze-go-2.json"),
    include_str!("../../answers/analyze-go.json"),
    include_str!("../../answers/analyze-square-slide.json"),
    include_str!("../../answers/classify-knight-loops.json"),
    include_str!("../../answers/count-diplomatico-2.json"),
    include_str!("../../answers/count-diplomatico-3.json"),
    include_str!("../../answers/count-diplomatico-4.json"),
    include_str!("../../answers/count-diplomatico.json"),
    include_str!("../../answers/count-go-2.json"),
    include_str!("../../answers/count-go-3.json"),
    include_str!("../../answers/count-go.json"),
    include_str!("../../answers/count-king-loops.json"),
    include_str!("../../answers/estimate-diplomatico.json"),
    include_str!("../../answers/estimate-go.json"),
    include_str!("../../answers/explore-diplomatico.json"),
    include_str!("../../answers/explore-go.json"),
    include_str!("../../answers/export-diplomatico.json"),
    include_str!("../../answers/export-go.json"),
    include_str!("../../answers/export-hex-slide.json"),
    include_str!("../../answers/export-square-slide.json"),
    include_str!("../../answers/find-diplomatico-2.json"),
    include_str!("../../answers/find-diplomatico.json"),
    include_str!("../../answers/find-go.json"),
    include_str!("../../answers/find-hex-slide.json"),
    include_str!("../../answers/find-hopido.json"),
    include_str!("../../answers/find-knight-tours.json"),
    include_str!("../../answers/find-square-slide.json"),
    include_str!("../../answers/generate-hopido.json"),
    include_str!("../../answers/list-diplomatico.json"),
    include_str!("../../answers/list-knight-loops.json"),
    include_str!("../../answers/recurrence-go.json"),
    include_str!("../../answers/recurrence-king-tours.json"),
    include_str!("../../answers/sample-diplomatico.json"),
    include_str!("../../answers/sample-go.json"),
    include_str!("../../answers/sample-square-slide.json"),
];

/// The most edits of one input.
const MOST: usize = 24;

/// The most nodes of an answer that is edited further, and the most bytes of a text.
const MOST_NODES: usize = 2000;

/// The answer that a program makes, or nothing if it chooses none.
pub(super) fn edited(program: &[u8]) -> Option<Vec<u8>> {
    let (&first, edits) = program.split_first()?;
    let answer = ANSWERS[usize::from(first) % ANSWERS.len()];
    let mut lines: Vec<Value> =
        answer.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    for edit in edits.chunks_exact(4).take(MOST) {
        apply(&mut lines, edit[0], usize::from(u16::from_le_bytes([edit[1], edit[2]])), edit[3]);
    }
    let mut text = Vec::new();
    for line in lines {
        text.extend(serde_json::to_vec(&line).expect("JSON"));
        text.push(b'\n');
    }
    Some(text)
}

/// What a node can become.
fn literal(which: u8) -> Value {
    match which % 32 {
        0 => Value::Null,
        1 => json!(true),
        2 => json!(false),
        3 => json!(0),
        4 => json!(1),
        5 => json!(2),
        6 => json!(-1),
        7 => json!(u64::MAX),
        8 => json!(i64::MIN),
        9 => json!(1u64 << 53),
        10 => json!(0.5),
        11 => json!(-0.0),
        12 => json!(1e308),
        13 => json!(5e-324),
        14 => json!(""),
        15 => json!("0"),
        16 => json!("1"),
        17 => json!("340282366920938463463374607431768211456"),
        18 => json!("1,1"),
        19 => json!("10000,10000"),
        20 => json!("1x1"),
        21 => json!("3x3"),
        22 => json!("P3x3"),
        23 => json!(".#\n..\n"),
        24 => json!("hex\n. .\n . .\n"),
        25 => json!("a\u{0}b\n\"\u{1b}<&>\u{fffd}é\\'"),
        26 => json!([]),
        27 => json!({}),
        28 => json!(["1,1", "1,2"]),
        29 => json!("(1,2)"),
        30 => json!("\n"),
        _ => json!("XO./.../#"),
    }
}

/// Where every node is, parents first.
fn nodes(value: &Value, at: &mut Vec<usize>, all: &mut Vec<Vec<usize>>) {
    all.push(at.clone());
    let children = match value {
        Value::Array(items) => items.iter().collect(),
        Value::Object(fields) => fields.values().collect(),
        _ => Vec::new(),
    };
    for (k, child) in children.into_iter().enumerate() {
        at.push(k);
        nodes(child, at, all);
        at.pop();
    }
}

/// The node at a place.
fn node<'v>(lines: &'v mut [Value], at: &[usize]) -> Option<&'v mut Value> {
    let (&line, rest) = at.split_first()?;
    let mut value = lines.get_mut(line)?;
    for &k in rest {
        value = match value {
            Value::Array(items) => items.get_mut(k)?,
            Value::Object(fields) => fields.values_mut().nth(k)?,
            _ => return None,
        };
    }
    Some(value)
}

fn apply(lines: &mut Vec<Value>, what: u8, which: usize, with: u8) {
    let mut all = Vec::new();
    for (k, line) in lines.iter().enumerate() {
        nodes(line, &mut vec![k], &mut all);
    }
    // Copies of copies grow for ever.
    if all.is_empty() || all.len() > MOST_NODES {
        return;
    }
    let place = all[which % all.len()].clone();
    let other = all[(which / all.len() + usize::from(with)) % all.len()].clone();
    let Some(value) = node(lines, &place) else { return };
    match what % 8 {
        0 | 1 => *value = literal(with),
        2 => remove(lines, &place),
        3 => {
            let copy = node(lines, &other).cloned().unwrap_or_default();
            if let Some(value) = node(lines, &place) {
                *value = copy;
            }
        }
        // One more of what is there already.
        4 => match value {
            Value::Array(items) => {
                let more = items.get(usize::from(with) % items.len().max(1)).cloned();
                items.push(more.unwrap_or_else(|| literal(with)));
            }
            Value::Object(fields) => {
                let name = ["class", "stop", "recurrence", "graph", "table", "moves", "x"];
                fields.insert(name[usize::from(with) % name.len()].to_owned(), literal(with / 7));
            }
            Value::String(text) if text.len() < MOST_NODES => text.push_str(&text.clone()),
            _ => *value = json!(with),
        },
        5 => match value {
            Value::Array(items) => items.truncate(usize::from(with)),
            Value::String(text) => *text = text.chars().skip(usize::from(with) % 8).collect(),
            _ => *value = json!(with.cast_signed()),
        },
        6 => match value {
            Value::Array(items) if items.len() > 1 => {
                let k = usize::from(with) % items.len();
                items.swap(0, k);
            }
            Value::String(text) => text.insert(0, char::from(with)),
            Value::Object(fields) => *fields = Map::new(),
            _ => *value = json!(with.to_string()),
        },
        _ if place.len() == 1 => lines.push(literal(with)),
        _ => *value = json!([value.take()]),
    }
}

fn remove(lines: &mut Vec<Value>, place: &[usize]) {
    let Some((&k, parent)) = place.split_last() else { return };
    if parent.is_empty() {
        lines.remove(k);
        return;
    }
    match node(lines, parent) {
        Some(Value::Array(items)) => {
            items.remove(k);
        }
        Some(Value::Object(fields)) => {
            if let Some(name) = fields.keys().nth(k).cloned() {
                fields.remove(&name);
            }
        }
        _ => {}
    }
}
