//! JSON Schemas of questions, answers, plans and errors, generated from cards and types.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema, schema_for};
use serde_json::{Map, Value, json};

use crate::board::{Cell, Layout};
use crate::card::{Card, Kind, Menu, Opt, PlaceKind};
use crate::catalogue::Catalogue;
use crate::check::Verdict;
use crate::error::{Error, Result};
use crate::plan::Plan;

/// A whole number as a decimal string.
pub(crate) struct Decimal;

impl JsonSchema for Decimal {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Decimal".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A whole number as a decimal string.",
            "type": "string",
            "pattern": "^-?[0-9]+$"
        })
    }
}

impl JsonSchema for Cell {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Cell".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A cell as row,column, counted from 1.",
            "type": "string",
            "pattern": "^ *[0-9]+ *, *[0-9]+ *$"
        })
    }
}

/// Any question: which options it takes depends on the game and the verb.
pub(crate) struct AnyQuestion;

impl JsonSchema for AnyQuestion {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Question".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let verb = generator.subschema_for::<crate::question::Verb>();
        json_schema!({
            "type": "object",
            "properties": {
                "verb": verb,
                "game": {"type": "string"},
                "place": {"type": ["string", "integer"]},
                "options": {
                    "type": "object",
                    "additionalProperties": {"type": ["boolean", "integer", "string"]}
                }
            },
            "required": ["verb", "game"],
            "additionalProperties": false
        })
    }
}

/// An answer; fields with their own shapes in serde are described here.
#[derive(JsonSchema)]
#[schemars(rename = "Answer", deny_unknown_fields)]
#[allow(dead_code)]
struct AnswerShape {
    /// The version of this shape: 2.
    format: u32,
    /// The version of Pessoi that gave it.
    pessoi: String,
    /// What was asked.
    question: AnyQuestion,
    /// What the value counts or measures.
    subject: crate::answer::Subject,
    /// What is known.
    value: crate::answer::Value,
    /// The engine that gave it.
    method: crate::answer::Used,
    /// What it cost.
    cost: crate::answer::Cost,
    /// The seed, where chance played a part.
    #[schemars(default)]
    seed: Option<Decimal>,
    /// What else a reader must know, in sentences.
    #[schemars(default)]
    notes: Vec<String>,
    /// Further things that are known, one by one.
    #[schemars(default)]
    facts: Vec<FactShape>,
    /// What was found.
    #[schemars(default)]
    solutions: Vec<crate::solution::RawSolution>,
    /// The puzzle, for generate: a drawing with clues.
    #[schemars(default)]
    puzzle: Option<String>,
    /// Further numbers in rows; the first table is the main one.
    #[schemars(default)]
    tables: Vec<TableShape>,
    /// A sequence, its recurrence and its growth.
    #[schemars(default)]
    sequence: Option<crate::answer::Sequence>,
    /// A graph, for export.
    #[schemars(default)]
    graph: Option<crate::export::GraphShape>,
    /// What lets another program check the answer.
    #[schemars(default)]
    certificate: Option<CertificateShape>,
}

/// A typed thing that is known.
#[derive(JsonSchema)]
#[schemars(rename = "Fact", deny_unknown_fields)]
#[allow(dead_code)]
struct FactShape {
    id: String,
    text: String,
    #[schemars(default)]
    kind: Option<crate::table::DatumKind>,
    value: DatumShape,
}

/// Rows of typed data.
#[derive(JsonSchema)]
#[schemars(rename = "Table", deny_unknown_fields)]
#[allow(dead_code)]
struct TableShape {
    id: String,
    title: String,
    columns: Vec<crate::table::Column>,
    rows: Vec<Vec<DatumShape>>,
}

/// A datum as its column says: integers and cells are strings.
struct DatumShape;

impl JsonSchema for DatumShape {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Datum".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": ["string", "number", "boolean", "null"]})
    }
}

/// A certificate: its kind, and what belongs to that kind.
struct CertificateShape;

impl JsonSchema for CertificateShape {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Certificate".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "object",
            "properties": {"kind": {"type": "string"}},
            "required": ["kind"]
        })
    }
}

/// The schema of answers.
pub fn answer() -> Value {
    schema_for!(AnswerShape).to_value()
}

/// The schema of solutions, as `list` and `classify` write them one a line.
pub fn solution() -> Value {
    schema_for!(crate::solution::RawSolution).to_value()
}

/// The schema of plans.
pub fn plan() -> Value {
    schema_for!(Plan).to_value()
}

/// The schema of what checking an answer found.
pub fn verdict() -> Value {
    schema_for!(Verdict).to_value()
}

/// The schema of boards as data.
pub fn layout() -> Value {
    schema_for!(Layout).to_value()
}

/// The schema of errors.
pub fn error() -> Value {
    schema_for!(Error).to_value()
}

/// The schema of the questions that a game takes for a verb.
pub fn question(menu: &Menu) -> Value {
    let mut options = Map::new();
    for opt in menu.all_options() {
        options.insert(opt.name.to_owned(), option(menu, opt));
    }
    let mut dependent = Map::new();
    let mut rules = Vec::new();
    for opt in menu.all_options() {
        match opt.needs {
            [] => {}
            [one] => {
                dependent.insert(opt.name.to_owned(), json!([one]));
            }
            several => {
                let any: Vec<Value> =
                    several.iter().map(|name| json!({"required": [name]})).collect();
                rules.push(json!({"if": {"required": [opt.name]}, "then": {"anyOf": any}}));
            }
        }
        for other in opt.excludes {
            rules.push(json!({"not": {"required": [opt.name, other]}}));
        }
    }
    let mut settings = json!({
        "type": "object",
        "properties": options,
        "additionalProperties": false
    });
    if !dependent.is_empty() {
        settings["dependentRequired"] = dependent.into();
    }
    if !rules.is_empty() {
        settings["allOf"] = rules.into();
    }
    let mut places = Vec::new();
    let mut is_required = true;
    for accepts in menu.accepted() {
        places.push(match accepts.place {
            PlaceKind::Nowhere => {
                is_required = false;
                continue;
            }
            PlaceKind::Size { least, most } => {
                let mut size = json!({
                    "description": accepts.help, "type": "integer", "minimum": least
                });
                if most < 1 << 53 {
                    size["maximum"] = most.into();
                }
                size
            }
            PlaceKind::Board { .. } => json!({"description": accepts.help, "type": "string"}),
        });
    }
    let mut properties = json!({
        "verb": {"const": menu.verb.name()},
        "game": {"const": menu.card.name},
        "options": settings
    });
    if !places.is_empty() {
        properties["place"] =
            if let [place] = &places[..] { place.clone() } else { json!({"anyOf": places}) };
    }
    let mut required = vec!["verb", "game"];
    if is_required {
        required.push("place");
    }
    json!({
        "title": format!("{} {}", menu.verb, menu.card.name),
        "description": menu.verb.help(),
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false
    })
}

fn option(menu: &Menu, opt: &Opt) -> Value {
    let number = |least: u64, most: u64| {
        let mut number = json!({"type": "integer", "minimum": least});
        if most < 1 << 53 {
            number["maximum"] = most.into();
            return number;
        }
        // Larger ones are decimal strings.
        json!({"anyOf": [number, {"type": "string", "pattern": "^[0-9]{16,20}$"}]})
    };
    let mut schema = match opt.kind {
        Kind::Flag => json!({"type": "boolean"}),
        Kind::Number { least, most } => number(least, most),
        Kind::NumberOr { least, most, words } => {
            json!({"anyOf": [number(least, most), {"enum": words}]})
        }
        Kind::Cell => json!({"type": "string", "pattern": "^[0-9]+,[0-9]+$|^[a-z]+[0-9]+$"}),
        Kind::Part => json!({"type": "string", "pattern": "^[0-9]+/[0-9]+$"}),
        Kind::Text(_) => json!({"type": "string"}),
        // What stands in a file, over several lines.
        Kind::File(_) => json!({"type": "string", "contentMediaType": "text/plain"}),
        Kind::OneOf(words) => json!({"enum": words}),
        Kind::Method => json!({"enum": menu.method_names()}),
    };
    schema["description"] = menu.help(opt).into();
    if let Some(default) = opt.default {
        schema["default"] = match opt.kind {
            Kind::Number { .. } => default.parse::<u64>().map_or(default.into(), Value::from),
            _ => default.into(),
        };
    }
    schema
}

/// The schema of all questions of a catalogue.
pub fn questions(catalogue: &Catalogue) -> Value {
    let each = catalogue.games().flat_map(|game| {
        let card = game.card();
        card.verbs.iter().map(move |verb| question(&catalogue.menu(card, *verb)))
    });
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Question",
        "oneOf": each.collect::<Vec<_>>()
    })
}

/// The schemas by name: `question`, `answer`, `solution`, `plan`, `error`.
pub fn all(catalogue: &Catalogue) -> Vec<(&'static str, Value)> {
    vec![
        ("question", questions(catalogue)),
        ("answer", answer()),
        ("solution", solution()),
        ("plan", plan()),
        ("verdict", verdict()),
        ("error", error()),
    ]
}

/// One schema by its name, or all of them in one object.
pub fn named(catalogue: &Catalogue, name: Option<&str>) -> Result<Value> {
    let mut all = all(catalogue);
    let Some(name) = name else {
        return Ok(all.into_iter().map(|(name, schema)| (name.to_owned(), schema)).collect());
    };
    match all.iter().position(|(known, _)| *known == name) {
        Some(at) => Ok(all.swap_remove(at).1),
        None => Err(Error::unknown("schema", "name", name, all.iter().map(|(known, _)| *known))),
    }
}

/// The cards of all games, or of one, as data: what each game is, and for each verb the
/// schema of its questions, its engines and its formats.
pub fn cards(catalogue: &Catalogue, game: Option<&str>) -> Result<Value> {
    if let Some(name) = game {
        return Ok(card(catalogue, catalogue.game(name)?.card()));
    }
    Ok(catalogue.games().map(|game| card(catalogue, game.card())).collect())
}

fn card(catalogue: &Catalogue, card: &Card) -> Value {
    let mut verbs = Map::new();
    for verb in card.verbs {
        let menu = catalogue.menu(card, *verb);
        let methods = menu.methods.iter().map(|method| {
            json!({
                "id": method.id,
                "text": method.help,
                "named": method.named,
                "components": method.components
            })
        });
        let formats = catalogue.formats(card, *verb);
        let formats = formats.iter().map(|format| {
            json!({
                "id": format.id(),
                "text": format.help(),
                "media_type": format.media_type(),
                "extension": format.extension()
            })
        });
        let about = json!({
            "text": verb.help(),
            "question": question(&menu),
            "methods": methods.collect::<Vec<_>>(),
            "formats": formats.collect::<Vec<_>>()
        });
        verbs.insert(verb.name().to_owned(), about);
    }
    json!({
        "name": card.name,
        "title": card.title,
        "rules": card.rules,
        "source": card.source,
        "examples": card.examples,
        "verbs": verbs
    })
}
