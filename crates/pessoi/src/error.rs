//! Errors: a code for programs, the field that is wrong, and a sentence for people.
//!
//! A shell prints the sentence, a server chooses a status by the code, a form marks the
//! field. The sentence says what was wrong, where, and what is accepted.

use std::borrow::Cow;
use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use pessoi_engine::run::Stop;

/// What kind of thing went wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Code {
    /// There is no game, verb, option, format, table or file of this name.
    Unknown,
    /// The value of a field is not accepted.
    BadValue,
    /// Two fields contradict each other, or one needs another.
    Conflict,
    /// The question makes sense, but it is outside what can be answered.
    Unsupported,
    /// A saved answer is not true: this field does not hold.
    Forged,
    /// A file or a server cannot be read or written.
    Io,
    /// A limit was reached before anything could be said.
    Stopped,
    /// The program contradicted itself, so its result must not be trusted.
    Internal,
}

/// Why a question could not be taken, or what went wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Error {
    /// What kind of error it is.
    pub code: Code,
    /// The field that is wrong: `verb`, `game`, `place`, `options.limit`, `format` …
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// What was wrong, where, and what is accepted.
    pub sentence: String,
}

/// A result whose error has a code, a field and a sentence.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// An error in a field of the question.
    pub fn new(code: Code, field: impl Into<String>, sentence: impl Into<String>) -> Self {
        Error { code, field: Some(field.into()), sentence: sentence.into() }
    }

    /// The place is not accepted.
    pub fn place(sentence: impl Into<String>) -> Self {
        Error::new(Code::BadValue, "place", sentence)
    }

    /// The value of an option is not accepted.
    pub fn option(name: &str, sentence: impl Into<String>) -> Self {
        Error::new(Code::BadValue, format!("options.{name}"), sentence)
    }

    /// An option contradicts another one, or needs another one.
    pub fn conflict(name: &str, sentence: impl Into<String>) -> Self {
        Error::new(Code::Conflict, format!("options.{name}"), sentence)
    }

    /// The question makes sense, but cannot be answered here; `field` is what would have to
    /// be different.
    pub fn unsupported(field: &str, sentence: impl Into<String>) -> Self {
        Error::new(Code::Unsupported, field, sentence)
    }

    /// A field of a saved answer does not hold.
    pub fn forged(field: impl Into<String>, sentence: impl Into<String>) -> Self {
        // A forged answer may hold anything.
        Error::new(Code::Forged, one_line(&field.into()), one_line(&sentence.into()))
    }

    /// A text or file that cannot be used for what it was given for.
    pub fn input(sentence: impl Into<String>) -> Self {
        Error { code: Code::BadValue, field: None, sentence: sentence.into() }
    }

    /// A file or a server that cannot be read or written.
    pub fn io(sentence: impl Into<String>) -> Self {
        Error { code: Code::Io, field: None, sentence: sentence.into() }
    }

    /// A contradiction inside the program.
    pub fn internal(sentence: impl Into<String>) -> Self {
        Error { code: Code::Internal, field: None, sentence: sentence.into() }
    }

    /// There is nothing of this name; the nearest known name is suggested, or all are listed.
    pub fn unknown<'n>(
        what: &str,
        field: &str,
        typed: &str,
        names: impl IntoIterator<Item = &'n str>,
    ) -> Self {
        let names: Vec<&str> = names.into_iter().collect();
        // What is typed may be the first word of several names.
        let is_begun = |name: &&&str| {
            !typed.is_empty() && name.strip_prefix(typed).is_some_and(|rest| rest.starts_with('-'))
        };
        let begun: Vec<&str> = names.iter().filter(is_begun).copied().collect();
        let near = if begun.len() > 1 {
            Some(begun.join(" or "))
        } else {
            closest(typed, names.iter().copied()).map(str::to_owned)
        };
        let sentence = match near {
            Some(near) => format!("There is no {what} {typed:?}; did you mean {near}?"),
            None if names.is_empty() => format!("There is no {what} {typed:?}."),
            None => format!("There is no {what} {typed:?}; there are {}.", names.join(", ")),
        };
        Error::new(Code::Unknown, field, sentence)
    }
}

impl From<Stop> for Error {
    /// A limit was reached where there is no answer to put it into.
    fn from(stop: Stop) -> Self {
        Error { code: Code::Stopped, field: None, sentence: format!("Stopped: {stop}.") }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.code == Code::Internal {
            f.write_str("Pessoi contradicted itself, please report it: ")?;
        }
        f.write_str(&self.sentence)
    }
}

impl std::error::Error for Error {}

/// A text from outside as a sentence can hold it: on one line, and nothing in it that a
/// terminal would obey.
pub fn one_line(text: &str) -> Cow<'_, str> {
    if !text.contains(char::is_control) {
        return Cow::Borrowed(text);
    }
    let mut line = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() { line.extend(c.escape_default()) } else { line.push(c) }
    }
    Cow::Owned(line)
}

/// What the system says, as part of a sentence.
pub fn reason(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "there is no such file or folder".into(),
        std::io::ErrorKind::PermissionDenied => "permission is denied".into(),
        _ => error.to_string(),
    }
}

/// The name nearest to a mistyped one, if any is near enough to be meant.
pub fn closest<'n>(typed: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    names
        .into_iter()
        .map(|name| (strsim::jaro_winkler(typed, name), name))
        .filter(|(likeness, _)| *likeness > 0.75)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name() {
        assert_eq!(closest("diplomatic", ["diplomatico", "knight-tours"]), Some("diplomatico"));
        assert_eq!(closest("chess", ["diplomatico", "go"]), None);
    }

    #[test]
    fn the_beginning_of_several_names() {
        let names = ["knight-tours", "knight-loops", "go"];
        let error = Error::unknown("game", "game", "knight", names);
        assert!(error.sentence.ends_with("did you mean knight-tours or knight-loops?"), "{error}");
        let error = Error::unknown("game", "game", "knight-t", names);
        assert!(error.sentence.ends_with("did you mean knight-tours?"), "{error}");
    }

    #[test]
    fn what_is_repeated_stays_on_one_line() {
        assert!(matches!(one_line("limit é"), Cow::Borrowed("limit é")));
        assert_eq!(one_line("a\nb\u{1b}[2J"), "a\\nb\\u{1b}[2J");
    }

    #[test]
    fn errors_are_data() {
        let error = Error::option("limit", "--limit 0 is not accepted: give a number from 1.");
        let json = serde_json::to_string(&error).unwrap();
        assert_eq!(
            json,
            r#"{"code":"bad-value","field":"options.limit","sentence":"--limit 0 is not accepted: give a number from 1."}"#
        );
        assert_eq!(serde_json::from_str::<Error>(&json).unwrap(), error);
        assert!(serde_json::from_str::<Error>(r#"{"code":"io","sentence":"","x":1}"#).is_err());
    }
}
