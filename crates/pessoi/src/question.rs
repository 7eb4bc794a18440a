//! Questions: what a door asks of a game.
//!
//! A question is a *verb*, a *game*, a *place* (a board or a size) and *options*.
//! Which options there are is told by the game's card, so a door needs no list of
//! its own, and [`Question::check`] refuses whatever the game would not look at:
//! an option either works or is an error, never ignored.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::board::{Board, Cell, Drawing};
use crate::error::{Error, Result};
use crate::games::Card;

/// What can be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verb {
    /// One solution, or a few, or a proof that there is none.
    Find,
    /// The exact number of solutions.
    Count,
    /// Every solution, one by one.
    List,
    /// One solution of each class up to symmetry.
    Classify,
    /// About how many solutions there are, with an interval.
    Estimate,
    /// Random solutions.
    Sample,
    /// A puzzle with exactly one solution.
    Generate,
    /// The graph of states: layers, components, diameter.
    Explore,
    /// How the number grows with the length of a strip.
    Recurrence,
    /// What can be said of the board without solving.
    Analyze,
    /// The board's graph for other programs.
    Export,
}

impl Verb {
    /// All verbs, in the order in which they are shown.
    pub const ALL: [Verb; 11] = [
        Verb::Find,
        Verb::Count,
        Verb::List,
        Verb::Classify,
        Verb::Estimate,
        Verb::Sample,
        Verb::Generate,
        Verb::Explore,
        Verb::Recurrence,
        Verb::Analyze,
        Verb::Export,
    ];

    /// The verb's name.
    pub fn name(self) -> &'static str {
        match self {
            Verb::Find => "find",
            Verb::Count => "count",
            Verb::List => "list",
            Verb::Classify => "classify",
            Verb::Estimate => "estimate",
            Verb::Sample => "sample",
            Verb::Generate => "generate",
            Verb::Explore => "explore",
            Verb::Recurrence => "recurrence",
            Verb::Analyze => "analyze",
            Verb::Export => "export",
        }
    }

    /// What the verb asks, in a few words.
    pub fn help(self) -> &'static str {
        match self {
            Verb::Find => "Find a solution, or prove that there is none",
            Verb::Count => "Count all solutions exactly",
            Verb::List => "List all solutions, one a line",
            Verb::Classify => "List one solution of each class up to symmetry",
            Verb::Estimate => "Estimate the number of solutions, with an interval",
            Verb::Sample => "Draw random solutions",
            Verb::Generate => "Make a puzzle with exactly one solution",
            Verb::Explore => "Explore the graph of states: layers, components, diameter",
            Verb::Recurrence => "Find the linear recurrence for strips of a given width",
            Verb::Analyze => "Tell what can be said of a board without solving it",
            Verb::Export => "Write the board's graph for other programs",
        }
    }
}

impl fmt::Display for Verb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Where a question is asked: a board (with clues, perhaps), a size, or nowhere in
/// particular.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Place {
    /// Nowhere: the options say it all.
    #[default]
    Nowhere,
    /// A board, and the numbers already on it.
    Board(Drawing),
    /// A length or width.
    Size(u64),
}

impl Place {
    /// Whether no place is meant.
    pub fn is_nowhere(&self) -> bool {
        *self == Place::Nowhere
    }

    /// Reads a size (`12`), a shape (`8x8`, `P3x4`) or a drawing (`..#\n...`).
    pub fn parse(text: &str) -> Result<Place> {
        let name = text.trim();
        if !name.is_empty() && name.bytes().all(|b| b.is_ascii_digit()) && !text.contains('\n') {
            return name
                .parse()
                .map(Place::Size)
                .map_err(|_| Error::input(format!("The size {name} is too large.")));
        }
        if text.contains(['\n', '.', '#']) {
            return Drawing::parse(text).map(Place::Board);
        }
        Ok(Place::Board(Drawing { board: Board::parse(text)?, clues: Vec::new() }))
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Nowhere => Ok(()),
            Place::Size(size) => size.fmt(f),
            Place::Board(drawing) => {
                f.write_str(&drawing.board.name())?;
                match drawing.clues.len() {
                    0 => Ok(()),
                    1 => f.write_str(" with 1 clue"),
                    n => write!(f, " with {n} clues"),
                }
            }
        }
    }
}

impl Serialize for Place {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Place::Nowhere => serializer.serialize_unit(),
            Place::Size(size) => serializer.serialize_u64(*size),
            Place::Board(drawing) if drawing.clues.is_empty() => {
                drawing.board.serialize(serializer)
            }
            Place::Board(drawing) => serializer.serialize_str(&drawing.to_text()),
        }
    }
}

impl<'de> Deserialize<'de> for Place {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Raw {
            Nowhere(()),
            Size(u64),
            Text(String),
        }
        match Raw::deserialize(deserializer)? {
            Raw::Nowhere(()) => Ok(Place::Nowhere),
            Raw::Size(size) => Ok(Place::Size(size)),
            Raw::Text(text) => Place::parse(&text).map_err(serde::de::Error::custom),
        }
    }
}

/// The value of an option.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Setting {
    /// An option without a value that is there.
    Flag(bool),
    /// A whole number.
    Number(u64),
    /// Anything else, as text.
    Text(String),
}

/// What values an option takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// None: it is there or not.
    Flag,
    /// A whole number from 1 on.
    Number,
    /// A cell as `row,column`.
    Cell,
    /// A part as `i/m`.
    Part,
    /// Any text; the game says what it means. Here is what to write for it in help texts.
    Text(&'static str),
    /// A file, which the door reads: the setting is its text. Here is what to write for it
    /// in help texts.
    File(&'static str),
    /// One of these words.
    OneOf(&'static [&'static str]),
}

impl Kind {
    /// What to write for the value, in help texts; empty for a flag.
    pub fn placeholder(self) -> &'static str {
        match self {
            Kind::Flag => "",
            Kind::Number => "N",
            Kind::Cell => "ROW,COL",
            Kind::Part => "I/M",
            Kind::Text(placeholder) | Kind::File(placeholder) => placeholder,
            Kind::OneOf(_) => "NAME",
        }
    }

    /// Reads a value; `name` is the option's.
    pub fn parse(self, name: &str, text: &str) -> Result<Setting> {
        let bad = |accepted: &str| {
            Err(Error::input(format!("--{name} {text:?} is not accepted: give {accepted}.")))
        };
        match self {
            Kind::Flag => match text {
                "true" => Ok(Setting::Flag(true)),
                "false" => Ok(Setting::Flag(false)),
                _ => bad("no value"),
            },
            Kind::Number => match text.parse() {
                Ok(0) | Err(_) => bad("a whole number from 1 on, below 2^64"),
                Ok(number) => Ok(Setting::Number(number)),
            },
            Kind::Cell => match text.parse::<Cell>() {
                Ok(cell) => Ok(Setting::Text(cell.to_string())),
                Err(_) => bad("a cell as row,column, counted from 1, such as 3,1"),
            },
            Kind::Part => match text.parse::<pessoi_engine::search::Part>() {
                Ok(part) => Ok(Setting::Text(part.to_string())),
                Err(_) => bad("a part i/m with 1 ≤ i ≤ m ≤ 1000000, such as 2/8"),
            },
            Kind::Text(_) | Kind::File(_) => Ok(Setting::Text(text.to_owned())),
            Kind::OneOf(names) if names.contains(&text) => Ok(Setting::Text(text.to_owned())),
            Kind::OneOf(names) => match closest(text, names.iter().copied()) {
                Some(near) => bad(&format!("one of {} (did you mean {near}?)", names.join(", "))),
                None => bad(&format!("one of {}", names.join(", "))),
            },
        }
    }
}

/// An option that a game offers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opt {
    /// Its name, without dashes.
    pub name: &'static str,
    /// What values it takes.
    pub kind: Kind,
    /// What it does, in a few words.
    pub help: &'static str,
    /// The verbs that look at it.
    pub verbs: &'static [Verb],
}

/// What a door asks of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// What is asked.
    pub verb: Verb,
    /// The game's name.
    pub game: String,
    /// Where.
    #[serde(default, skip_serializing_if = "Place::is_nowhere")]
    pub place: Place,
    /// With which options.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub options: BTreeMap<String, Setting>,
}

impl Question {
    /// A question without options; `place` is a size, a shape or a drawing.
    pub fn new(verb: Verb, game: &str, place: &str) -> Result<Self> {
        let place = Place::parse(place)?;
        Ok(Question { verb, game: game.to_owned(), place, options: BTreeMap::new() })
    }

    /// Reads a question from words as they are typed on a command line: verb, game, place
    /// and options. Files and drawings cannot be named here.
    pub fn read(words: &[&str]) -> Result<Self> {
        let line = words.join(" ");
        let bad = |why: &str| Error::input(format!("{line:?} is no question: {why}."));
        let [verb, game, rest @ ..] = words else {
            return Err(bad("it begins with a verb and a game"));
        };
        let Some(verb) = Verb::ALL.into_iter().find(|known| known.name() == *verb) else {
            return Err(bad(&format!("there is no verb {verb:?}")));
        };
        let card = crate::games::open(game)?.card();
        let mut question = Question {
            verb,
            game: (*game).to_owned(),
            place: Place::Nowhere,
            options: BTreeMap::new(),
        };
        let mut rest = rest.iter();
        while let Some(word) = rest.next() {
            let Some(name) = word.strip_prefix("--") else {
                if !question.place.is_nowhere() {
                    return Err(bad(&format!("{word:?} comes after the board")));
                }
                question.place = Place::parse(word)?;
                continue;
            };
            let kind = card.option(name, verb).map(|opt| opt.kind);
            let setting = match kind {
                None | Some(Kind::Flag) => true.into(),
                Some(Kind::File(_)) => return Err(bad(&format!("--{name} names a file"))),
                Some(kind) => match rest.next() {
                    Some(text) => kind.parse(name, text)?,
                    None => return Err(bad(&format!("--{name} has no value"))),
                },
            };
            question.options.insert(name.to_owned(), setting);
        }
        question.check(card)?;
        Ok(question)
    }

    /// The same question with one more option.
    #[must_use]
    pub fn with(mut self, name: &str, setting: impl Into<Setting>) -> Self {
        self.options.insert(name.to_owned(), setting.into());
        self
    }

    /// Refuses verbs and options that the game does not know, and values that it
    /// does not take. Afterwards every option is one that the game looks at.
    pub fn check(&self, card: &Card) -> Result<()> {
        if !card.verbs.contains(&self.verb) {
            let verbs: Vec<_> = card.verbs.iter().map(|verb| verb.name()).collect();
            return Err(Error::input(format!(
                "{} cannot answer {}; it can answer {}.",
                card.name,
                self.verb,
                verbs.join(", ")
            )));
        }
        for (name, setting) in &self.options {
            let Some(opt) = card.option(name, self.verb).or_else(|| card.option_of_any(name))
            else {
                let names = card.options.iter().filter(|opt| opt.verbs.contains(&self.verb));
                let near = closest(name, names.map(|opt| opt.name));
                return Err(Error::input(format!(
                    "{} has no option --{name}{}.",
                    card.name,
                    near.map(|n| format!(" (did you mean --{n}?)")).unwrap_or_default()
                )));
            };
            if !opt.verbs.contains(&self.verb) {
                return Err(Error::input(format!(
                    "--{name} means nothing to {}; it goes with {}.",
                    self.verb,
                    card.verbs_of(name)
                )));
            }
            let text = match setting {
                Setting::Text(_) if matches!(opt.kind, Kind::Text(_) | Kind::File(_)) => continue,
                Setting::Flag(flag) => flag.to_string(),
                Setting::Number(number) => number.to_string(),
                Setting::Text(text) => text.clone(),
            };
            if opt.kind.parse(name, &text)? != *setting {
                return Err(Error::input(format!(
                    "The option {name} has a value of the wrong type: {text:?}."
                )));
            }
        }
        Ok(())
    }

    /// Whether a flag is there.
    pub fn flag(&self, name: &str) -> bool {
        self.options.get(name) == Some(&Setting::Flag(true))
    }

    /// A number that was given.
    pub fn number(&self, name: &str) -> Option<u64> {
        match self.options.get(name) {
            Some(Setting::Number(number)) => Some(*number),
            _ => None,
        }
    }

    /// A text that was given.
    pub fn text(&self, name: &str) -> Option<&str> {
        match self.options.get(name) {
            Some(Setting::Text(text)) => Some(text),
            _ => None,
        }
    }

    /// The part that was asked for; everything if none was.
    pub fn part(&self) -> pessoi_engine::search::Part {
        let part = self.text("part").and_then(|text| text.parse().ok());
        part.unwrap_or(pessoi_engine::search::Part::WHOLE)
    }

    /// A cell that was given, as an index into the board.
    pub fn cell(&self, name: &str, board: &Board) -> Result<Option<usize>> {
        let Some(text) = self.text(name) else { return Ok(None) };
        let cell: Cell = text.parse()?;
        match board.index(cell) {
            Some(index) => Ok(Some(index)),
            None => Err(Error::input(format!(
                "--{name} {cell} is not a cell of {}, whose rows are 1 to {} and columns 1 to {}{}.",
                board.name(),
                board.rows(),
                board.cols(),
                if board.is_full_rectangle().is_some() { "" } else { ", some of them blocked" }
            ))),
        }
    }
}

impl From<bool> for Setting {
    fn from(flag: bool) -> Self {
        Setting::Flag(flag)
    }
}

impl From<u64> for Setting {
    fn from(number: u64) -> Self {
        Setting::Number(number)
    }
}

impl From<&str> for Setting {
    fn from(text: &str) -> Self {
        Setting::Text(text.to_owned())
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
    use proptest::prelude::*;

    #[test]
    fn places() {
        assert_eq!(Place::parse("12").unwrap(), Place::Size(12));
        assert_eq!(Place::parse("8x8").unwrap().to_string(), "8x8");
        assert!(matches!(Place::parse("..#").unwrap(), Place::Board(d) if d.board.len() == 2));
        for bad in ["", "99999999999999999999999", "10x", "-3", "0x4"] {
            let error = Place::parse(bad).unwrap_err().to_string();
            assert!(error.ends_with('.'), "{error}");
        }
    }

    #[test]
    fn the_nearest_name() {
        assert_eq!(closest("diplomatic", ["diplomatico", "knight-tours"]), Some("diplomatico"));
        assert_eq!(closest("chess", ["diplomatico", "go"]), None);
    }

    #[test]
    fn a_question_is_one_json_object() {
        let question = Question::new(Verb::Find, "diplomatico", "5x5").unwrap();
        let question = question.with("closed", true).with("limit", 3).with("from", "1,1");
        let json = serde_json::to_string(&question).unwrap();
        assert_eq!(
            json,
            r#"{"verb":"find","game":"diplomatico","place":"5x5","options":{"closed":true,"from":"1,1","limit":3}}"#
        );
        assert_eq!(serde_json::from_str::<Question>(&json).unwrap(), question);
    }

    #[test]
    fn clues_survive_in_json() {
        let question = Question::new(Verb::Find, "diplomatico", ". 1 0\n0 0 5\n").unwrap();
        let json = serde_json::to_string(&question).unwrap();
        assert_eq!(serde_json::from_str::<Question>(&json).unwrap(), question);
    }

    proptest! {
        #[test]
        fn no_place_panics(text in "[ .#o0-9xPTFt\n,×-]{0,40}|\\PC{0,20}") {
            if let Err(error) = Place::parse(&text) {
                let sentence = error.to_string();
                prop_assert!(sentence.ends_with('.') && !sentence.contains('\n'), "{}", sentence);
            }
        }

        #[test]
        fn no_option_value_panics(text in "\\PC{0,12}|[0-9,/]{0,12}") {
            for kind in [Kind::Flag, Kind::Number, Kind::Cell, Kind::Part, Kind::OneOf(&["a"])] {
                if let Err(error) = kind.parse("option", &text) {
                    prop_assert!(error.to_string().ends_with('.'));
                }
            }
        }
    }
}
