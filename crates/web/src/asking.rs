//! What a request asks: a question and its limits, read from JSON.
//!
//! Limits are written as on the command line: `"time": "90s"`, `"memory": "512M"`. A limit may
//! not pass what the operator allows; one that is not given is what the operator allows.

use std::collections::BTreeMap;
use std::time::Duration;

use pessoi::{Budget, Bytes, Error, Place, Question, Result, Setting, limits};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::options::Options;
use crate::refusal::Refusal;
use crate::room::Room;

/// A question and its limits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Asking {
    /// What is asked.
    pub(crate) question: Question,
    /// The limits that were given, by the names `time`, `memory`, `disk`, `threads` and `seed`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) limits: BTreeMap<Limit, Setting>,
}

/// What can be limited, and where randomness starts.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Limit {
    Time,
    Memory,
    Disk,
    Threads,
    Seed,
}

/// The same, as the API describes it.
#[derive(JsonSchema)]
#[schemars(rename = "Asking", deny_unknown_fields)]
#[allow(dead_code)]
pub(crate) struct AskingShape {
    /// What is asked.
    question: Value,
    /// The most that may be used; what is not given is what the operator allows.
    #[schemars(default)]
    limits: LimitsShape,
}

/// Limits as people write them.
#[derive(Default, Serialize, JsonSchema)]
#[schemars(rename = "Limits", deny_unknown_fields)]
#[allow(dead_code)]
pub(crate) struct LimitsShape {
    /// Such as `90s`, `5m` or `2h`; a number means seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "NumberOrText", default)]
    time: Option<NumberOrText>,
    /// Such as `512M` or `4G`; a number means bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "NumberOrText", default)]
    memory: Option<NumberOrText>,
    /// Such as `512M` or `4G`: put what does not fit into memory on disk, at most so much; without
    /// it everything is kept in memory.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "NumberOrText", default)]
    disk: Option<NumberOrText>,
    /// A whole number.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "NumberOrText", default)]
    threads: Option<NumberOrText>,
    /// Where randomness starts: a whole number.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "NumberOrText", default)]
    seed: Option<NumberOrText>,
}

/// A whole number, or a text.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
#[allow(dead_code)]
enum NumberOrText {
    Number(u64),
    Text(String),
}

/// Reads JSON.
pub(crate) fn json(body: &[u8]) -> Result<Value, Refusal> {
    serde_json::from_slice(body)
        .map_err(|error| Refusal::malformed(format!("The body is no JSON: {error}.")))
}

/// Takes a JSON object apart into its type; says of what the object has or lacks too much.
pub(crate) fn object<T: serde::de::DeserializeOwned>(value: Value) -> Result<T, Refusal> {
    serde_json::from_value(value).map_err(|error| Error::input(format!("{error}.")).into())
}

/// Reads a place from JSON: a text, a whole number, or nothing. A board has so many cells at most.
pub(crate) fn place(value: &Value, cells: usize) -> Result<Place> {
    match value {
        Value::Null => Ok(Place::Nowhere),
        Value::String(text) => Place::parse_within(text, cells),
        Value::Number(number) if number.is_u64() => Place::parse(&number.to_string()),
        _ => Err(Error::place("The place is a text or a whole number.")),
    }
}

/// Refuses a saved answer whose board has more cells than this, without making the board.
pub(crate) fn check_saved(saved: &[u8], cells: usize) -> Result<()> {
    #[derive(Deserialize)]
    struct Head {
        question: Asked,
    }
    #[derive(Deserialize)]
    struct Asked {
        #[serde(default)]
        place: Value,
    }
    // One answer, or the last of some lines; what is neither is refused by who reads it all.
    let last = || saved.trim_ascii_end().rsplit(|byte| *byte == b'\n').next();
    let head: Option<Head> =
        serde_json::from_slice(saved).ok().or_else(|| serde_json::from_slice(last()?).ok());
    match head {
        Some(Head { question: Asked { place: Value::String(text) } }) => {
            Place::parse_within(&text, cells).map(drop)
        }
        _ => Ok(()),
    }
}

/// Refuses values that no option and no limit has.
fn settings(given: Option<&Value>, of: &str) -> Result<()> {
    let Some(Value::Object(given)) = given else { return Ok(()) };
    let is_one = |value: &Value| match value {
        Value::Number(number) => number.is_u64(),
        Value::Bool(_) | Value::String(_) => true,
        _ => false,
    };
    match given.iter().find(|(_, value)| !is_one(value)) {
        None => Ok(()),
        Some((name, _)) => {
            let sentence =
                "The value is not accepted: give true, false, a whole number from 0 on or a text.";
            Err(Error::new(pessoi::Code::BadValue, format!("{of}.{name}"), sentence))
        }
    }
}

impl Asking {
    /// Reads a question and its limits. This takes time, and memory for a board of so many cells.
    pub(crate) fn read(body: &[u8], cells: usize) -> Result<Self, Refusal> {
        let mut value = json(body)?;
        settings(value.pointer("/question/options"), "options")?;
        settings(value.pointer("/limits"), "limits")?;
        // The place is read by itself, once: what is wrong with it is said with its field.
        let given = value.pointer_mut("/question").and_then(Value::as_object_mut);
        let given = given.and_then(|question| question.remove("place"));
        let mut asking: Asking = object(value)?;
        if let Some(given) = given {
            asking.question.place = place(&given, cells)?;
        }
        Ok(asking)
    }

    /// What the job may use: what is asked for, at most what the operator allows for it.
    pub(crate) fn budget(&self, options: &Options, time: Duration) -> Result<Budget> {
        let texts: BTreeMap<&str, String> = self
            .limits
            .iter()
            .map(|(limit, setting)| (limit.name(), setting.to_string()))
            .collect();
        let most = Budget {
            time: Some(time),
            memory: options.memory_of_one(),
            threads: options.threads_of_one(),
            ..Budget::default()
        };
        let asked = limits::budget(|name| texts.get(name).map(String::as_str), &most)
            .map_err(|error| Error { field: error.field.map(of_limits), ..error })?;
        if asked.time > most.time {
            return Err(too_much("time", &format!("{} s", time.as_secs_f64())));
        }
        if let Some(most) = most.memory
            && asked.memory.is_none_or(|memory| memory > most)
        {
            return Err(too_much("memory", &Bytes(most).to_string()));
        }
        if asked.threads > most.threads {
            return Err(too_much("threads", &most.threads.to_string()));
        }
        Ok(asked)
    }

    /// How much the job may put on disk of what does not fit into memory; `None` if nothing.
    pub(crate) fn disk(&self, options: &Options) -> Result<Option<u64>> {
        let Some(asked) = self.limits.get(&Limit::Disk) else { return Ok(None) };
        let asked = limits::bytes("disk", &asked.to_string())
            .map_err(|error| Error { field: error.field.map(of_limits), ..error })?;
        let Some(share) = options.disk_of_one() else {
            let sentence = "This server puts nothing on disk: leave out the limit disk.";
            return Err(Error::new(pessoi::Code::Unsupported, "limits.disk", sentence));
        };
        let most = Room::most_of(share);
        if asked > most {
            return Err(too_much("disk", &Bytes(most).to_string()));
        }
        Ok(Some(asked))
    }

    /// What an answer depends on: answers to askings with the same key are the same, if no limit
    /// cut them short.
    pub(crate) fn key(&self) -> String {
        let question = serde_json::to_string(&self.question).unwrap_or_default();
        let seed = self.limits.get(&Limit::Seed).map(ToString::to_string);
        format!("{} {} {question}", env!("CARGO_PKG_VERSION"), seed.as_deref().unwrap_or("1"))
    }
}

impl Limit {
    const fn name(self) -> &'static str {
        match self {
            Limit::Time => "time",
            Limit::Memory => "memory",
            Limit::Disk => "disk",
            Limit::Threads => "threads",
            Limit::Seed => "seed",
        }
    }
}

/// More is asked for than the operator allows.
fn too_much(name: &str, most: &str) -> Error {
    let sentence = format!("The limit {name} is too much for this server, which allows {most}.");
    Error::new(pessoi::Code::Unsupported, format!("limits.{name}"), sentence)
}

/// On the command line limits are options.
fn of_limits(field: String) -> String {
    match field.strip_prefix("options.") {
        Some(name) => format!("limits.{name}"),
        None => field,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asking(limits: &str) -> Asking {
        let body = format!(
            r#"{{"question":{{"verb":"count","game":"go","place":"3x3"}},"limits":{limits}}}"#
        );
        Asking::read(body.as_bytes(), 100).unwrap()
    }

    #[test]
    fn limits_are_at_most_those_of_the_operator() {
        let options =
            Options { memory: Some(8 << 30), threads: 8, at_once: 2, ..Options::default() };
        let budget = |limits| asking(limits).budget(&options, Duration::from_mins(10));
        let usual = budget("{}").unwrap();
        assert_eq!((usual.time, usual.memory), (Some(Duration::from_mins(10)), Some(3 << 30)));
        assert_eq!((usual.threads, usual.seed), (4, 1));
        let less = budget(r#"{"time":"30s","memory":"1G","threads":1,"seed":"7"}"#).unwrap();
        assert_eq!((less.time, less.memory), (Some(Duration::from_secs(30)), Some(1 << 30)));
        assert_eq!((less.threads, less.seed), (1, 7));
        for (limits, field) in [
            (r#"{"time":"11m"}"#, "limits.time"),
            (r#"{"time":"soon"}"#, "limits.time"),
            (r#"{"memory":"5G"}"#, "limits.memory"),
            (r#"{"threads":5}"#, "limits.threads"),
            (r#"{"seed":true}"#, "limits.seed"),
        ] {
            assert_eq!(budget(limits).unwrap_err().field.as_deref(), Some(field), "{limits}");
        }
    }

    #[test]
    fn a_job_puts_on_disk_what_it_asks_for() {
        let mut options = Options { at_once: 2, ..Options::default() };
        let disk = |limits, options: &Options| asking(limits).disk(options);
        assert_eq!(disk("{}", &options).unwrap(), None);
        assert!(disk(r#"{"disk":"1G"}"#, &options).unwrap_err().sentence.contains("nothing on"));
        options.data = Some("answers".into());
        options.disk = Some(4 << 30);
        assert_eq!(disk("{}", &options).unwrap(), None);
        assert_eq!(disk(r#"{"disk":"1G"}"#, &options).unwrap(), Some(1 << 30));
        for bad in [r#"{"disk":"1.1G"}"#, r#"{"disk":"/tmp"}"#, r#"{"disk":"/tmp:1G"}"#] {
            let error = disk(bad, &options).unwrap_err();
            assert_eq!(error.field.as_deref(), Some("limits.disk"), "{bad}");
        }
    }

    #[test]
    fn odd_values_are_refused_by_name() {
        for (rest, field) in [
            (r#""options":{"limit":1.5}}"#, "options.limit"),
            (r#""options":{"limit":null}}"#, "options.limit"),
            (r#""options":{"limit":-1}}"#, "options.limit"),
            (r#""options":{}},"limits":{"time":[]}"#, "limits.time"),
        ] {
            let body = format!(r#"{{"question":{{"verb":"count","game":"go",{rest}}}"#);
            let refusal = Asking::read(body.as_bytes(), 100).unwrap_err();
            assert_eq!(refusal.field(), Some(field), "{body}");
        }
    }

    #[test]
    fn boards_of_more_cells_than_allowed_are_refused() {
        for place in ["F1150", "11x10", "1..11xn", &format!("{}\\n", ".".repeat(101))] {
            let body =
                format!(r#"{{"question":{{"verb":"count","game":"go","place":"{place}"}}}}"#);
            let refusal = Asking::read(body.as_bytes(), 100).unwrap_err();
            assert_eq!(refusal.field(), Some("place"), "{body}");
        }
    }

    #[test]
    fn the_key_is_what_the_answer_depends_on() {
        assert_eq!(asking("{}").key(), asking(r#"{"time":"1m","seed":1}"#).key());
        assert_ne!(asking("{}").key(), asking(r#"{"seed":2}"#).key());
    }
}
