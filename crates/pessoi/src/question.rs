//! Questions: what a door asks of a game.
//!
//! A question is a *verb*, a *game*, a *place* (a board or a size) and *options*. The game's
//! card says which options there are, so a door needs no list of its own, and
//! [`Question::check`] refuses whatever the game would not look at: an option either works
//! or is an error, and is never ignored.

use std::collections::BTreeMap;
use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::board::{Board, Cell, Drawing};
use crate::card::{AUTO, METHOD, Menu, Opt, PART};
use crate::error::{Code, Error, Result, one_line};
use crate::range::Range;
use pessoi_engine::search::Part;

/// What can be asked.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
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
    /// What comes next on a half-filled board, and why.
    Hint,
    /// Whether a half-filled board is right so far.
    Check,
    /// How a solution is found, step by step.
    Trace,
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
    pub const ALL: &[Verb] = &[
        Verb::Find,
        Verb::Count,
        Verb::List,
        Verb::Classify,
        Verb::Estimate,
        Verb::Sample,
        Verb::Generate,
        Verb::Hint,
        Verb::Check,
        Verb::Trace,
        Verb::Explore,
        Verb::Recurrence,
        Verb::Analyze,
        Verb::Export,
    ];

    /// The name, and what the verb does.
    const fn about(self) -> (&'static str, &'static str) {
        match self {
            Verb::Find => ("find", "Find a solution, or prove that there is none"),
            Verb::Count => ("count", "Count all solutions exactly"),
            Verb::List => ("list", "List all solutions, one a line"),
            Verb::Classify => ("classify", "List one solution of each class up to symmetry"),
            Verb::Estimate => ("estimate", "Estimate the number of solutions, with an interval"),
            Verb::Sample => ("sample", "Draw random solutions"),
            Verb::Generate => ("generate", "Make a puzzle with exactly one solution"),
            Verb::Hint => ("hint", "Give the next number or move of a puzzle, with the reason"),
            Verb::Check => ("check", "Check whether a half-filled board is right so far"),
            Verb::Trace => ("trace", "Show how a solution is found, step by step"),
            Verb::Explore => {
                ("explore", "Explore the graph of states: layers, components, diameter")
            }
            Verb::Recurrence => {
                ("recurrence", "Find the linear recurrence for strips of a given width")
            }
            Verb::Analyze => ("analyze", "Show what can be said of a board without solving it"),
            Verb::Export => ("export", "Write the board's graph for other programs"),
        }
    }

    /// The verb's name.
    pub const fn name(self) -> &'static str {
        self.about().0
    }

    /// Other names that are understood.
    pub const fn aliases(self) -> &'static [&'static str] {
        match self {
            Verb::Find => &["solve"],
            _ => &[],
        }
    }

    /// What the verb does, in a few words.
    pub const fn help(self) -> &'static str {
        self.about().1
    }

    /// The verb of this name.
    pub fn parse(name: &str) -> Result<Verb> {
        let called = |verb: &&Verb| verb.name() == name || verb.aliases().contains(&name);
        Verb::ALL.iter().find(called).copied().ok_or_else(|| {
            Error::unknown("verb", "verb", name, Verb::ALL.iter().map(|verb| verb.name()))
        })
    }

    /// Whether there can be any number of solutions, so that they are written one a line as
    /// they come and are not kept in the answer.
    pub const fn streams(self) -> bool {
        matches!(self, Verb::List | Verb::Classify)
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
    /// Rectangles of many sizes.
    Range(Range),
}

/// What shows that a place is a drawing.
const DRAWN: [char; 3] = ['\n', '.', '#'];
/// A drawing with more letters for each cell that there may be is not looked at.
const MOST_LETTERS: usize = 32;

impl Place {
    /// Whether no place is meant.
    pub fn is_nowhere(&self) -> bool {
        *self == Place::Nowhere
    }

    /// Reads a size (`12`), a shape (`8x8`, `P3x4`), a range (`1..6x1..6`) or a drawing
    /// (`..#\n...`).
    pub fn parse(text: &str) -> Result<Place> {
        let name = text.trim();
        if is_size(text) {
            return name
                .parse()
                .map(Place::Size)
                .map_err(|_| Error::place(format!("The size {name} is too large.")));
        }
        if let Some(range) = Range::parse(text) {
            return range.map(Place::Range);
        }
        if text.contains(DRAWN) {
            return Drawing::parse(text).map(Place::Board).map_err(|mut error| {
                // Half a range is a row of cells, but hardly meant as one.
                let is_side = |(first, last): (&str, &str)| {
                    [first, last]
                        .iter()
                        .all(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
                };
                if name.split_once("..").is_some_and(is_side) {
                    error.sentence += " This was read as a row of cells; a range of boards is \
                                       written as 1..6x1..6 or 1..6xn, and lengths of loops are \
                                       counted with --sequence.";
                }
                error
            });
        }
        Ok(Place::Board(Drawing { board: Board::parse(text)?, clues: Vec::new() }))
    }

    /// As [`Place::parse`], for boards of at most so many cells. A shape or a range with more is
    /// refused before any board is made, and so is a drawing that is far too long.
    pub fn parse_within(text: &str, most: usize) -> Result<Place> {
        let check = |cells: usize| {
            if cells <= most {
                return Ok(());
            }
            Err(Error::place(format!("The board has {cells} cells; {most} are the most here.")))
        };
        if is_size(text) {
            return Place::parse(text);
        }
        if let Some(Ok(range)) = Range::parse(text) {
            let (rows, cols) = range.largest_sides();
            check(rows.saturating_mul(cols))?;
        } else if text.contains(DRAWN) {
            if text.len() > most.saturating_mul(MOST_LETTERS) {
                return Err(Error::place(format!(
                    "The drawing has {} letters, more than one of {most} cells needs, and {most} \
                     cells are the most here.",
                    text.len()
                )));
            }
        } else if let Some(cells) = Board::cells_of(text) {
            check(cells)?;
        }
        let place = Place::parse(text)?;
        if let Place::Board(drawing) = &place {
            check(drawing.board.len())?;
        }
        Ok(place)
    }
}

/// Whether a text is meant to be a length or width.
fn is_size(text: &str) -> bool {
    let name = text.trim();
    !name.is_empty() && name.bytes().all(|b| b.is_ascii_digit()) && !text.contains('\n')
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Nowhere => Ok(()),
            Place::Size(size) => size.fmt(f),
            Place::Range(range) => range.fmt(f),
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
            Place::Range(range) => serializer.collect_str(range),
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

/// The value of an option. Whole numbers from 2^53 on are written as decimal strings, because
/// many readers of JSON cut numbers to 53 bits.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Setting {
    /// An option without a value that is there.
    Flag(bool),
    /// A whole number.
    Number(#[serde(serialize_with = "safe_number")] u64),
    /// Anything else, as text.
    Text(String),
}

/// Numbers from here on are written as strings.
const UNSAFE: u64 = 1 << 53;

/// Settings are equal if they are written alike: a large number is its decimal string.
impl PartialEq for Setting {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Setting::Flag(a), Setting::Flag(b)) => a == b,
            (Setting::Number(a), Setting::Number(b)) => a == b,
            (Setting::Text(a), Setting::Text(b)) => a == b,
            (Setting::Number(number), Setting::Text(text))
            | (Setting::Text(text), Setting::Number(number)) => {
                *number >= UNSAFE && *text == number.to_string()
            }
            _ => false,
        }
    }
}

impl Eq for Setting {}

// Serde gives a reference to the field.
#[allow(clippy::trivially_copy_pass_by_ref)]
fn safe_number<S: serde::Serializer>(number: &u64, serializer: S) -> Result<S::Ok, S::Error> {
    if *number < UNSAFE {
        serializer.serialize_u64(*number)
    } else {
        serializer.collect_str(number)
    }
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Setting::Flag(flag) => flag.fmt(f),
            Setting::Number(number) => number.fmt(f),
            Setting::Text(text) => text.fmt(f),
        }
    }
}

/// What a door asks of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
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
    /// A question without options; `place` is a size, a shape, a drawing, or empty for none.
    pub fn new(verb: Verb, game: &str, place: &str) -> Result<Self> {
        let place = if place.is_empty() { Place::Nowhere } else { Place::parse(place)? };
        Ok(Question { verb, game: game.to_owned(), place, options: BTreeMap::new() })
    }

    /// The same question with one more option.
    #[must_use]
    pub fn with(mut self, name: &str, setting: impl Into<Setting>) -> Self {
        self.options.insert(name.to_owned(), setting.into());
        self
    }

    /// The same question without some options.
    #[must_use]
    pub fn without(mut self, opts: &[&Opt]) -> Self {
        self.options.retain(|name, _| opts.iter().all(|opt| opt.name != name));
        self
    }

    /// The same options for another verb, without the method.
    #[must_use]
    pub fn instead(mut self, verb: Verb) -> Self {
        self.options.remove(METHOD);
        Question { verb, ..self }
    }

    /// Sets an option from text, as it is typed; flags take `true`.
    pub fn set(&mut self, menu: &Menu, name: &str, text: &str) -> Result<()> {
        let Some(opt) = menu.option(name) else { return Err(no_option(menu, name)) };
        let setting = opt.parse(text, &menu.method_names())?;
        self.options.insert(name.to_owned(), setting);
        Ok(())
    }

    /// Refuses what the game does not offer: its verb, its place, its options and their
    /// values, and options that contradict each other. Afterwards every option is one that
    /// the game looks at.
    pub fn check(&self, menu: &Menu) -> Result<()> {
        let card = menu.card;
        if !card.verbs.contains(&self.verb) {
            let verbs: Vec<_> = card.verbs.iter().map(|verb| verb.name()).collect();
            let near = card.instead.iter().find(|(verb, _)| *verb == self.verb);
            let near = near.map(|(_, near)| format!(", but {near}")).unwrap_or_default();
            return Err(Error::unsupported(
                "verb",
                format!(
                    "{} cannot answer {}{near}; it can answer {}.",
                    card.name,
                    self.verb,
                    verbs.join(", ")
                ),
            ));
        }
        for (name, setting) in &self.options {
            let Some(opt) = menu.option(name) else { return Err(no_option(menu, name)) };
            let text = setting.to_string();
            let parsed = opt.parse(&text, &menu.method_names())?;
            if parsed != *setting {
                return Err(Error::option(
                    name,
                    format!("The option {name} has a value of the wrong type: {text:?}."),
                ));
            }
            let is_there = |other: &&&str| self.is_there(other);
            if !opt.needs.is_empty() && !opt.needs.iter().any(|other| self.is_there(other)) {
                let needs: Vec<_> = opt.needs.iter().map(|other| format!("--{other}")).collect();
                return Err(Error::conflict(
                    name,
                    format!("--{name} means nothing without {}.", needs.join(" or ")),
                ));
            }
            if let Some(other) = opt.excludes.iter().find(is_there) {
                return Err(Error::conflict(
                    name,
                    format!("--{name} and --{other} cannot be combined: leave out one."),
                ));
            }
        }
        menu.check_place(&self.place)
    }

    /// Whether an option is there and not `false`.
    fn is_there(&self, name: &str) -> bool {
        self.options.get(name).is_some_and(|setting| *setting != Setting::Flag(false))
    }

    /// Whether an option was given.
    pub fn is_given(&self, opt: &Opt) -> bool {
        self.is_there(opt.name)
    }

    /// Whether a flag is there.
    pub fn flag(&self, opt: &Opt) -> bool {
        self.options.get(opt.name) == Some(&Setting::Flag(true))
    }

    /// The number that was given, or the default.
    pub fn number(&self, opt: &Opt) -> Option<u64> {
        match self.options.get(opt.name) {
            Some(Setting::Number(number)) => Some(*number),
            Some(Setting::Text(text)) => text.parse().ok(),
            Some(Setting::Flag(_)) => None,
            None => opt.default?.parse().ok(),
        }
    }

    /// The text that was given, or the default.
    pub fn text<'a>(&'a self, opt: &Opt) -> Option<&'a str> {
        match self.options.get(opt.name) {
            Some(Setting::Text(text)) => Some(text),
            Some(_) => None,
            None => opt.default,
        }
    }

    /// The engine that was asked for by name; `None` if the choice is left to the game.
    pub fn method(&self) -> Option<&str> {
        match self.options.get(METHOD) {
            Some(Setting::Text(text)) if text != AUTO => Some(text),
            _ => None,
        }
    }

    /// The part that was asked for; everything if none was.
    pub fn part(&self) -> Part {
        match self.options.get(PART) {
            Some(Setting::Text(text)) => text.parse().unwrap_or(Part::WHOLE),
            _ => Part::WHOLE,
        }
    }

    /// A cell that was given, as an index into the board.
    pub fn cell(&self, opt: &Opt, board: &Board) -> Result<Option<usize>> {
        let Some(text) = self.text(opt) else { return Ok(None) };
        let name = opt.name;
        let cell = Cell::named(text, board.rows())?;
        match board.index(cell) {
            Some(index) => Ok(Some(index)),
            None => Err(Error::option(
                name,
                format!(
                    "--{name} {text} is not a cell of {}, whose rows are 1 to {} and columns 1 to \
                     {}{}.",
                    board.name(),
                    board.rows(),
                    board.cols(),
                    if board.is_full_rectangle().is_some() { "" } else { ", some of them blocked" }
                ),
            )),
        }
    }

    /// The board with its clues. Cards refuse other places; where several kinds are taken,
    /// this refuses the wrong one.
    pub fn drawing(&self) -> Result<&Drawing> {
        match &self.place {
            Place::Board(drawing) => Ok(drawing),
            Place::Size(size) => Err(Error::place(format!(
                "This is asked of a board; {size} is a number. A board is written as {size}x{size}."
            ))),
            Place::Nowhere => Err(Error::place("This is asked of a board: give one.")),
            Place::Range(range) => Err(Error::place(format!(
                "This is asked of one board; {range} is a range of boards."
            ))),
        }
    }

    /// The board.
    pub fn board(&self) -> Result<&Board> {
        self.drawing().map(|drawing| &drawing.board)
    }

    /// The size that is asked for.
    pub fn size(&self) -> Result<u64> {
        match &self.place {
            Place::Size(size) => Ok(*size),
            Place::Board(drawing) => Err(Error::place(format!(
                "This is asked of a whole number; {} is a board.",
                drawing.board.name()
            ))),
            Place::Range(range) => Err(Error::place(format!(
                "This is asked of a whole number; {range} is a range of boards."
            ))),
            Place::Nowhere => Err(Error::place("This is asked of a whole number: give one.")),
        }
    }

    /// The question as it is typed after `pessoi`. Drawings and the texts of files are put
    /// into quotes.
    pub fn words(&self) -> String {
        self.typed(quoted)
    }

    /// One line of a shell that asks the question. What has several lines is piped in; a shell
    /// has one pipe, so the others are written as `<(…)`, which not every shell knows.
    pub fn command(&self) -> String {
        let mut piped = None;
        let typed = self.typed(|text| {
            if !text.contains('\n') {
                return quoted(text);
            }
            let lines: Vec<String> = text.lines().map(quoted).collect();
            let printed = format!("printf '%s\\n' {}", lines.join(" "));
            if piped.is_some() {
                return format!("<({printed})");
            }
            piped = Some(printed);
            "-".to_owned()
        });
        match piped {
            Some(printed) => format!("{printed} | pessoi {typed}"),
            None => format!("pessoi {typed}"),
        }
    }

    /// The words of the question; `shown` says how a text is written.
    fn typed(&self, mut shown: impl FnMut(&str) -> String) -> String {
        let mut words = vec![self.verb.name().to_owned(), self.game.clone()];
        match &self.place {
            Place::Nowhere => {}
            Place::Size(size) => words.push(size.to_string()),
            Place::Range(range) => words.push(range.to_string()),
            Place::Board(drawing) => match drawing.board.shape() {
                Some(shape) if drawing.clues.is_empty() => words.push(shape.to_owned()),
                _ => {
                    // The end of the last line is left out, unless it shows that this is a
                    // drawing: `1` alone is a size.
                    let drawn = drawing.to_text();
                    let short = drawn.trim_end();
                    words.push(shown(if short.contains(DRAWN) { short } else { &drawn }));
                }
            },
        }
        for (name, setting) in &self.options {
            match setting {
                Setting::Flag(false) => {}
                Setting::Flag(true) => words.push(format!("--{name}")),
                other => words.push(format!("--{name} {}", shown(&other.to_string()))),
            }
        }
        words.join(" ")
    }
}

/// A text as a shell reads it: in quotes, unless it is plain.
fn quoted(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || ",/x.-_+".contains(c);
    if !text.is_empty() && text.chars().all(is_plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', "'\\''"))
    }
}

/// Says that a game has no such option for a verb, and which verbs or options it has.
fn no_option(menu: &Menu, name: &str) -> Error {
    let (card, verb) = (menu.card, menu.verb);
    let name = &*one_line(name);
    let field = format!("options.{name}");
    let others = card.verbs.iter().filter(|other| card.menu(**other).option(name).is_some());
    let others: Vec<_> = others.map(|other| other.name()).collect();
    if !others.is_empty() {
        let does = if others.len() == 1 { "does" } else { "do" };
        let others = others.join(", ");
        let sentence = format!("{verb} {} takes no --{name}; {others} {does}.", card.name);
        return Error::new(Code::Unknown, field, sentence);
    }
    if name == crate::export::SEQUENCE && verb == Verb::Count {
        // What has no lengths has boards.
        let sentence = format!(
            "{verb} {} takes no --{name}; ask for a range of boards such as 1..4x1..4 or 1..8xn.",
            card.name
        );
        return Error::new(Code::Unknown, field, sentence);
    }
    let near = crate::error::closest(name, menu.all_options().map(|opt| opt.name));
    let names: Vec<_> = menu.all_options().map(|opt| format!("--{}", opt.name)).collect();
    let takes = match (near, &names[..]) {
        (Some(near), _) => format!(" (did you mean --{near}?)"),
        (None, []) => "; it takes no options".to_owned(),
        (None, names) => format!("; it takes {}", names.join(", ")),
    };
    let sentence = format!("{verb} {} takes no --{name}{takes}.", card.name);
    Error::new(Code::Unknown, field, sentence)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::card::Kind;
    use proptest::prelude::*;

    #[test]
    fn drawings_are_typed_in_quotes() {
        for (place, typed) in [
            ("...\n.#.", "'...\n.#.'"),
            ("..", "1x2"),
            ("1 0 3\n", "'1 0 3\n'"),
            ("1\n", "'1\n'"),
            ("hex\n.\n .", "'hex\n.\n .'"),
            ("P2x2", "P2x2"),
        ] {
            let question = Question::new(Verb::Find, "hopido", place).unwrap();
            assert_eq!(question.words(), format!("find hopido {typed}"));
            assert_eq!(Place::parse(typed.trim_matches('\'')).unwrap(), question.place);
        }
    }

    #[test]
    fn places_within() {
        for (text, most) in [
            ("12", 1),
            ("3x4", 12),
            ("P3x4", 12),
            ("T4", 10),
            ("F3", 19),
            ("1..3x1..4", 12),
            ("1..4xn", 16),
            ("..\n.#\n", 3),
        ] {
            let place = Place::parse_within(text, most).unwrap();
            assert_eq!(place, Place::parse(text).unwrap());
            if most > 1 {
                let error = Place::parse_within(text, most - 1).unwrap_err();
                assert!(error.sentence.contains("are the most here"), "{text}: {error}");
            }
        }
        // None of these is made: the last is larger than any board may be.
        for text in ["F1150", "2000x2000", "tP2000x2000", "1..1x1..4000", "F10000"] {
            assert!(Place::parse_within(text, 1000).unwrap_err().sentence.contains("1000 are"));
        }
        let long = format!("{}.\n", "#".repeat(100));
        assert!(Place::parse_within(&long, 3).unwrap_err().sentence.contains("letters"));
        assert!(Place::parse_within(&long, 4).is_ok());
        assert_eq!(Place::parse_within("F0", 9), Place::parse("F0"));
    }

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
    fn a_question_is_one_json_object() {
        let question = Question::new(Verb::Find, "diplomatico", "5x5").unwrap();
        let question = question.with("closed", true).with("limit", 3).with("from", "1,1");
        let json = serde_json::to_string(&question).unwrap();
        assert_eq!(
            json,
            r#"{"verb":"find","game":"diplomatico","place":"5x5","options":{"closed":true,"from":"1,1","limit":3}}"#
        );
        assert_eq!(serde_json::from_str::<Question>(&json).unwrap(), question);
        assert_eq!(question.words(), "find diplomatico 5x5 --closed --from 1,1 --limit 3");
        // A misspelt field is an error, not a field that is ignored.
        let misspelt = json.replace("options", "option");
        assert!(serde_json::from_str::<Question>(&misspelt).is_err());
    }

    #[test]
    fn large_numbers_survive_in_json() {
        let question = Question::new(Verb::Count, "go", "5x5").unwrap().with("mod", u64::MAX);
        let json = serde_json::to_string(&question).unwrap();
        assert!(json.contains(r#""mod":"18446744073709551615""#), "{json}");
        let read: Question = serde_json::from_str(&json).unwrap();
        assert_eq!(read.number(&Opt::number("mod", "", &[])), Some(u64::MAX));
        assert_eq!(read, question);
        assert_ne!(Setting::from(7), Setting::from("7"));
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
            let number = Kind::NumberOr { least: 1, most: 9, words: &["auto"] };
            for kind in [Kind::Flag, number, Kind::Cell, Kind::Part, Kind::OneOf(&["a"]), Kind::Method] {
                if let Err(error) = Opt::new("option", kind, "", &[]).parse(&text, &["auto"]) {
                    prop_assert!(error.to_string().ends_with('.'));
                    prop_assert_eq!(error.field.as_deref(), Some("options.option"));
                }
            }
        }
    }
}
