//! The description of the API, as `OpenAPI` 3.1.
//!
//! A route is declared as an [`Operation`], which holds both what answers it and what is said of
//! it; the server is built from the same list as the description. Schemas come from the types
//! that are read and written.

use axum::routing::MethodRouter;
use pessoi::{Catalogue, Format, Game, Kind, Verb, schema};
use schemars::schema_for;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;

use crate::api::{About, MOST_FIRST, Placed};
use crate::asking::AskingShape;
use crate::refusal::Fault;
use crate::server::Shared;
use crate::watch::Shown;

/// A route with its description.
pub(crate) struct Operation {
    pub(crate) path: &'static str,
    pub(crate) route: MethodRouter<Arc<Shared>>,
    method: &'static str,
    id: &'static str,
    summary: &'static str,
    about: Option<&'static str>,
    parameters: Vec<Value>,
    reads: Map<String, Value>,
    responses: Map<String, Value>,
    /// Whether it gives an answer in one of its formats, which have options.
    is_styled: bool,
}

fn reference(name: &str) -> Value {
    json!({"$ref": format!("#/components/schemas/{name}")})
}

impl Operation {
    fn new(
        method: &'static str,
        path: &'static str,
        id: &'static str,
        summary: &'static str,
        route: MethodRouter<Arc<Shared>>,
    ) -> Self {
        let (parameters, reads, responses) = (Vec::new(), Map::new(), Map::new());
        let new = Operation {
            path,
            route,
            method,
            id,
            summary,
            about: None,
            parameters,
            reads,
            responses,
            is_styled: false,
        };
        // Any request can be refused by the guard; a path that is known may be asked by other methods.
        new.refuses(400).refuses(401).refuses(403).refuses(405).refuses(421)
    }

    pub(crate) fn get(
        path: &'static str,
        id: &'static str,
        summary: &'static str,
        route: MethodRouter<Arc<Shared>>,
    ) -> Self {
        Operation::new("get", path, id, summary, route)
    }

    pub(crate) fn post(
        path: &'static str,
        id: &'static str,
        summary: &'static str,
        route: MethodRouter<Arc<Shared>>,
    ) -> Self {
        Operation::new("post", path, id, summary, route).refuses(422)
    }

    pub(crate) fn delete(
        path: &'static str,
        id: &'static str,
        summary: &'static str,
        route: MethodRouter<Arc<Shared>>,
    ) -> Self {
        Operation::new("delete", path, id, summary, route)
    }

    /// Says more.
    pub(crate) fn about(mut self, about: &'static str) -> Self {
        self.about = Some(about);
        self
    }

    /// It has a part of its path that is given, such as this.
    pub(crate) fn takes(mut self, name: &str, about: &str, example: &str) -> Self {
        self.parameters.push(json!({
            "name": name, "in": "path", "required": true, "description": about, "example": example,
            "schema": {"type": "string", "minLength": 1}
        }));
        self
    }

    /// It looks at a parameter.
    pub(crate) fn asks(mut self, name: &str, about: &str) -> Self {
        let schema = match name {
            "format" => json!({"type": "string"}),
            "first" => json!({"type": "integer", "minimum": 0, "maximum": MOST_FIRST}),
            // The name alone means true.
            _ => json!({"type": "string", "enum": ["true", "false", ""]}),
        };
        self.parameters.push(json!({
            "name": name, "in": "query", "required": false, "description": about, "schema": schema
        }));
        self
    }

    /// It reads a body of this media type.
    pub(crate) fn reads(mut self, media: &str, schema: &str) -> Self {
        self.reads.insert(media.into(), json!({"schema": reference(schema)}));
        self.refuses(408).refuses(413).refuses(415)
    }

    /// What it reads is such as this.
    pub(crate) fn such_as(mut self, media: &str, example: Value) -> Self {
        self.reads[media]["example"] = example;
        self
    }

    /// The id in what it gives is what these operations take.
    pub(crate) fn leads_to(mut self, operations: &[&str]) -> Self {
        let link = |id: &&str| {
            let to = json!({"operationId": id, "parameters": {"id": "$response.body#/id"}});
            ((*id).to_owned(), to)
        };
        let links: Map<String, Value> = operations.iter().map(link).collect();
        for status in ["200", "202"] {
            if let Some(response) = self.responses.get_mut(status) {
                response["links"] = links.clone().into();
            }
        }
        self
    }

    /// It gives this.
    pub(crate) fn gives(mut self, status: u16, about: &str, media: &str, schema: &str) -> Self {
        let content = json!({media: {"schema": reference(schema)}});
        self.responses
            .insert(status.to_string(), json!({"description": about, "content": content}));
        self
    }

    /// It gives an answer in one of its formats.
    pub(crate) fn gives_answer(mut self) -> Self {
        // JSON of verbs that stream is lines: the solutions, and the answer last.
        let content = json!({
            "application/json": {},
            "*/*": {"schema": reference("Bytes")}
        });
        let about = "The answer in a format of the game's card; in JSON one Answer, or, of list and \
                     classify, a line for each solution and the Answer last";
        self.responses.insert("200".into(), json!({"description": about, "content": content}));
        self.is_styled = true;
        self.refuses(406).refuses(422)
    }

    /// It may be refused with this status.
    pub(crate) fn refuses(mut self, status: u16) -> Self {
        let about = match status {
            400 => "The request is malformed",
            401 => "A token is needed",
            403 => "This page or client may not do this",
            404 => "There is none",
            405 => "The route does not know this method",
            406 => "It cannot be written in an accepted media type",
            408 => "The body did not come in time",
            409 => "There is no answer yet, or none at all",
            413 => "The body is too large",
            415 => "The body is of a media type that is not read",
            421 => "This server is not known by this name",
            422 => "A field is wrong",
            429 => "This client asks for too much at one time",
            500 => "The disk failed, or the program contradicted itself",
            _ => "All clients together ask for too much at one time",
        };
        let content = json!({"application/json": {"schema": reference("Error")}});
        let mut response = json!({"description": about, "content": content});
        let header = match status {
            405 => Some(("Allow", "The methods that the route knows", "string")),
            409 => Some((
                "Retry-After",
                "Seconds after which there may be an answer, if the job goes on",
                "integer",
            )),
            429 | 503 => {
                Some(("Retry-After", "Seconds after which it may be tried again", "integer"))
            }
            _ => None,
        };
        if let Some((name, about, kind)) = header {
            response["headers"] = json!({name: {"description": about, "schema": {"type": kind}}});
        }
        self.responses.insert(status.to_string(), response);
        self
    }

    /// It needs a slot or a place in the queue.
    pub(crate) fn may_wait(self) -> Self {
        self.refuses(422).refuses(429).refuses(500).refuses(503)
    }

    fn describe(&self, styles: &[Value]) -> Value {
        let mut said = json!({
            "operationId": self.id,
            "summary": self.summary,
            "responses": self.responses
        });
        if let Some(about) = self.about {
            said["description"] = about.into();
        }
        let styles = if self.is_styled { styles } else { &[] };
        let parameters = [&self.parameters[..], styles].concat();
        if !parameters.is_empty() {
            said["parameters"] = parameters.into();
        }
        if !self.reads.is_empty() {
            said["requestBody"] = json!({"required": true, "content": self.reads});
        }
        said
    }
}

/// The whole description.
pub(crate) fn document(operations: &[Operation], catalogue: &Catalogue) -> Value {
    let (mut paths, styles) = (Map::new(), styles(catalogue));
    for operation in operations {
        let path = paths.entry(operation.path).or_insert_with(|| json!({}));
        path[operation.method] = operation.describe(&styles);
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Pessoi",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Finds, counts, lists, classifies, samples and estimates the solutions \
                            of board puzzles. Where tokens are used, every request needs the header \
                            Authorization: Bearer TOKEN.",
            "license": {"name": "MIT OR Apache-2.0"}
        },
        "paths": paths,
        "components": {
            "schemas": schemas(catalogue),
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}}
        },
        "security": [{}, {"token": []}]
    })
}

/// The options of formats, as parameters.
fn styles(catalogue: &Catalogue) -> Vec<Value> {
    let mut styles = BTreeMap::new();
    for card in catalogue.games().map(Game::card) {
        let formats = card.verbs.iter().flat_map(|verb| catalogue.formats(card, *verb));
        for opt in formats.flat_map(Format::options) {
            styles.entry(opt.name).or_insert_with(|| {
                let about = format!("An option of some formats: {}", opt.help);
                let schema =
                    json!({"type": if opt.kind == Kind::Flag { "boolean" } else { "string" }});
                json!({
                    "name": opt.name, "in": "query", "required": false, "description": about,
                    "schema": schema
                })
            });
        }
    }
    styles.into_values().collect()
}

/// All schemas that are referred to.
fn schemas(catalogue: &Catalogue) -> Map<String, Value> {
    let mut all = Map::new();
    let of = |schema: schemars::Schema| schema.to_value();
    add(&mut all, "Asking", of(schema_for!(AskingShape)));
    add(&mut all, "About", of(schema_for!(About)));
    add(&mut all, "Error", of(schema_for!(Fault)));
    add(&mut all, "Job", of(schema_for!(Shown)));
    add(&mut all, "Placed", of(schema_for!(Placed)));
    add(&mut all, "Answer", schema::answer());
    add(&mut all, "Layout", schema::layout());
    add(&mut all, "Plan", schema::plan());
    add(&mut all, "Verdict", schema::verdict());
    all.insert("Any".into(), json!({}));
    all.insert("Bytes".into(), json!({}));
    let event = json!({
        "description": "An event; its data is JSON: a Solution for solution, else a Job.",
        "type": "object",
        "properties": {
            "event": {"enum": ["solution", "progress", "end"]},
            "data": {"type": "string"},
            "id": {"type": "string"}
        },
        "required": ["event", "data"]
    });
    all.insert("Event".into(), event);
    all.insert("Jobs".into(), json!({"type": "array", "items": reference("Job")}));
    let names: Vec<&str> = catalogue.games().map(|game| game.card().name).collect();
    let verbs: Vec<&str> = Verb::ALL.iter().map(|verb| verb.name()).collect();
    let question = json!({
        "description": "What is asked. Which places and options there are depends on the game and \
                        the verb: GET /api/v1/games/{game} has the schema.",
        "type": "object",
        "properties": {
            "verb": {"enum": verbs},
            "game": {"enum": names},
            "place": {
                "description": "A shape such as 5x5, a size, or a drawing",
                "type": ["string", "integer"]
            },
            "options": {
                "type": "object",
                "additionalProperties": {"type": ["boolean", "integer", "string"], "minimum": 0}
            }
        },
        "required": ["verb", "game"],
        "additionalProperties": false
    });
    all.insert("Question".into(), question);
    for name in ["Asking", "Job"] {
        all[name]["properties"]["question"] = reference("Question");
    }
    all
}

/// Adds a schema; what it defines for itself becomes a schema beside it.
fn add(all: &mut Map<String, Value>, name: &str, mut schema: Value) {
    let own = schema.as_object_mut().and_then(|schema| {
        schema.remove("$schema");
        schema.remove("$defs")
    });
    refer(&mut schema);
    all.insert(name.to_owned(), schema);
    if let Some(Value::Object(own)) = own {
        for (name, mut schema) in own {
            refer(&mut schema);
            all.entry(name).or_insert(schema);
        }
    }
}

/// Lets references lead to where the schemas are here.
fn refer(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            for (name, value) in fields {
                match value {
                    Value::String(to) if name == "$ref" => {
                        *to = to.replace("#/$defs/", "#/components/schemas/");
                    }
                    _ => refer(value),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(refer),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::operations;

    #[test]
    fn every_reference_leads_somewhere() {
        let document = document(&operations(), &Catalogue::standard());
        let mut references = Vec::new();
        collect(&document, &mut references);
        assert!(references.len() > 50);
        for to in references {
            let at = to.strip_prefix('#').unwrap();
            assert!(document.pointer(at).is_some(), "{to}");
        }
        let text = document.to_string();
        assert!(!text.contains("$defs"));
        assert!(document["paths"]["/api/v1/jobs"]["post"]["requestBody"].is_object());
    }

    fn collect(value: &Value, references: &mut Vec<String>) {
        match value {
            Value::Object(fields) => {
                for (name, value) in fields {
                    match value {
                        Value::String(to) if name == "$ref" => references.push(to.clone()),
                        _ => collect(value, references),
                    }
                }
            }
            Value::Array(items) => items.iter().for_each(|item| collect(item, references)),
            _ => {}
        }
    }

    #[test]
    fn options_of_formats_are_described() {
        let document = document(&operations(), &Catalogue::standard());
        let names = |path: &str, method: &str| -> Vec<String> {
            let said = document["paths"][path][method]["parameters"].as_array();
            let names = said.into_iter().flatten().filter_map(|one| one["name"].as_str());
            names.map(str::to_owned).collect()
        };
        for (path, method) in [("/api/v1/answers", "post"), ("/api/v1/jobs/{id}/answer", "get")] {
            assert!(names(path, method).contains(&"table".to_owned()), "{path}");
        }
        assert!(!names("/api/v1/jobs/{id}", "get").contains(&"table".to_owned()));
        let responses = &document["paths"]["/api/v1/jobs/{id}/answer"]["get"]["responses"];
        assert!(responses["405"]["headers"]["Allow"].is_object());
        assert!(responses["409"]["headers"]["Retry-After"].is_object());
    }

    #[test]
    fn links_lead_to_operations() {
        let document = document(&operations(), &Catalogue::standard());
        let links = &document["paths"]["/api/v1/jobs"]["post"]["responses"]["202"]["links"];
        let links = links.as_object().unwrap();
        assert!(links.len() >= 5);
        for link in links.values() {
            assert!(operations().iter().any(|operation| link["operationId"] == operation.id));
        }
    }

    #[test]
    fn ids_differ_and_paths_name_their_parameters() {
        let operations = operations();
        let mut ids: Vec<&str> = operations.iter().map(|operation| operation.id).collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), operations.len());
        for operation in &operations {
            let said = operation.parameters.iter().filter(|one| one["in"] == "path");
            let names: Vec<&str> = said.filter_map(|one| one["name"].as_str()).collect();
            let in_path: Vec<&str> = operation.path.split(['{', '}']).skip(1).step_by(2).collect();
            assert_eq!(names, in_path, "{}", operation.path);
        }
    }
}
