//! A paper's values as data: what the files of `papers/` hold. `papers/README.md` describes
//! every field for people.

use serde::{Deserialize, Serialize};

use pessoi::error::one_line;
use pessoi::{Error, Result};

/// A paper.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Paper {
    /// Its name on the command line.
    pub name: String,
    /// Its title.
    pub title: String,
    /// Who wrote it.
    pub authors: String,
    /// When it appeared.
    pub year: u32,
    /// Its tables, theorems, figures and sections with values.
    #[serde(rename = "table")]
    pub tables: Vec<Published>,
}

/// A table of a paper, or what is treated like one.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Published {
    /// What the paper calls it.
    pub name: String,
    /// What it shows.
    pub title: String,
    /// What its columns mean here, and what is not clear.
    #[serde(default)]
    pub about: String,
    /// Its values.
    #[serde(rename = "value")]
    pub values: Vec<Value>,
}

/// A published value, or one that continues a table.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Value {
    /// The row.
    pub at: String,
    /// The column.
    #[serde(default)]
    pub of: String,
    /// What is printed; none for new values.
    #[serde(default)]
    pub published: Option<String>,
    /// The questions that give it, each as it is typed; they must agree with each other.
    #[serde(default, deserialize_with = "one_or_more")]
    pub ask: Vec<String>,
    /// Which part of the answer it is.
    #[serde(default)]
    pub take: Take,
    /// A published solution, to be checked instead of computed.
    #[serde(default)]
    pub path: Option<String>,
    /// When it counts as the same.
    #[serde(default)]
    pub compare: Compare,
    /// What is known of it.
    pub standing: Standing,
    /// What must be computed where the paper is wrong, or does not have it.
    #[serde(default)]
    pub correct: Option<String>,
    /// Seconds that its questions take on two cores.
    #[serde(default = "cheap")]
    pub cost: f64,
    /// Seconds that it took the paper's authors.
    #[serde(default)]
    pub seconds: Option<f64>,
    /// Whether the value itself is a time in seconds.
    #[serde(default)]
    pub timing: bool,
}

/// What a question costs that says nothing of it, in seconds.
fn cheap() -> f64 {
    0.005
}

fn one_or_more<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Raw {
        One(String),
        More(Vec<String>),
    }
    Ok(match Raw::deserialize(deserializer)? {
        Raw::One(ask) => vec![ask],
        Raw::More(asks) => asks,
    })
}

/// Which part of an answer is meant.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(try_from = "RawTake")]
pub enum Take {
    /// Its value.
    #[default]
    Value,
    /// How many digits its number has.
    Digits,
    /// How many solutions it holds.
    Solutions,
    /// The order of its recurrence.
    Order,
    /// The growth factor of its sequence.
    Growth,
    /// One of its facts, by id.
    Fact(String),
    /// A cell of one of its tables.
    Cell {
        /// The table's id.
        table: String,
        /// The text of the row's first cell.
        row: String,
        /// The column's id; the second column if none is named.
        column: Option<String>,
    },
    /// A term of its sequence; of a count, its number, which may be the same thing.
    Term(u64),
    /// The factor of a(n−k) in its recurrence.
    Factor(usize),
}

#[derive(Deserialize)]
#[serde(untagged)]
enum RawTake {
    Word(String),
    Cell(RawCell),
    Term(RawTerm),
    Fact(RawFact),
    Factor(RawFactor),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawCell {
    table: String,
    row: String,
    column: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawTerm {
    term: u64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawFact {
    fact: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawFactor {
    factor: usize,
}

impl TryFrom<RawTake> for Take {
    type Error = String;

    fn try_from(raw: RawTake) -> Result<Self, String> {
        match raw {
            RawTake::Word(word) => match word.as_str() {
                "digits" => Ok(Take::Digits),
                "solutions" => Ok(Take::Solutions),
                "order" => Ok(Take::Order),
                "growth" => Ok(Take::Growth),
                _ => Err(format!("take = {word:?} is not known")),
            },
            RawTake::Cell(RawCell { table, row, column }) => Ok(Take::Cell { table, row, column }),
            RawTake::Term(RawTerm { term }) => Ok(Take::Term(term)),
            RawTake::Fact(RawFact { fact }) => Ok(Take::Fact(fact)),
            RawTake::Factor(RawFactor { factor }) => Ok(Take::Factor(factor)),
        }
    }
}

/// When a computed value counts as the published one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", rename_all = "kebab-case")]
pub enum Compare {
    /// The same text.
    #[default]
    Equal,
    /// The same when rounded to the digits published.
    Rounded,
    /// The difference is at most this part of the published value.
    Within(f64),
    /// Not less than published.
    AtLeast,
    /// Not more than published.
    AtMost,
}

impl Compare {
    /// Whether nothing but the published text will do.
    pub(super) fn is_equal(&self) -> bool {
        *self == Compare::Equal
    }
}

impl TryFrom<String> for Compare {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let percent = text.strip_prefix("within ").and_then(|rest| rest.strip_suffix('%'));
        match text.as_str() {
            "equal" => Ok(Compare::Equal),
            "rounded" => Ok(Compare::Rounded),
            "at least" => Ok(Compare::AtLeast),
            "at most" => Ok(Compare::AtMost),
            _ => match percent.and_then(|number| number.trim().parse::<f64>().ok()) {
                Some(percent) if percent > 0.0 => Ok(Compare::Within(percent / 100.0)),
                _ => Err(format!(
                    "compare = {text:?} is not known: it is equal, rounded, within N %, at \
                     least or at most"
                )),
            },
        }
    }
}

/// What is known of a value.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub enum Standing {
    /// It is right.
    Agrees,
    /// The paper is wrong, for this reason; the correct value is computed.
    PaperWrong(String),
    /// The paper is wrong by this argument; nothing is computed.
    Argued(String),
    /// It is not computed again, for this reason.
    NotRecomputed(String),
    /// It can be read in several ways.
    Ambiguous(String),
    /// The paper does not have it.
    New,
}

impl TryFrom<String> for Standing {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let (name, why) = text.split_once(':').unwrap_or((&text, ""));
        let why = why.trim().to_owned();
        match (name.trim(), why.is_empty()) {
            ("agrees", true) => Ok(Standing::Agrees),
            ("new", true) => Ok(Standing::New),
            ("paper wrong", false) => Ok(Standing::PaperWrong(why)),
            ("argued", false) => Ok(Standing::Argued(why)),
            ("not recomputed", false) => Ok(Standing::NotRecomputed(why)),
            ("ambiguous", false) => Ok(Standing::Ambiguous(why)),
            _ => Err(format!(
                "standing = {text:?} is not known: it is agrees, new, or one of paper wrong, \
                 argued, not recomputed, ambiguous with a colon and the reason"
            )),
        }
    }
}

impl Paper {
    /// Reads a data file, and refuses values that could not be judged.
    pub fn parse(text: &str) -> Result<Paper> {
        let paper: Paper = toml::from_str(text).map_err(|error| {
            let at = error.span().map_or(0, |span| span.start);
            let line = text.bytes().take(at).filter(|&byte| byte == b'\n').count() + 1;
            let what = one_line(error.message().trim_end_matches('.'));
            Error::input(format!("This is no paper's data: line {line}: {what}."))
        })?;
        for table in &paper.tables {
            for value in &table.values {
                if let Err(why) = value.check() {
                    let names = [&paper.name, &table.name, &value.at, &value.of];
                    let [paper, table, at, of] = names.map(|name| one_line(name));
                    return Err(Error::input(format!("{paper}, {table}, {at} {of}: {why}.")));
                }
            }
        }
        Ok(paper)
    }

    /// All values, in the order of the paper.
    pub fn values(&self) -> impl Iterator<Item = &Value> {
        self.tables.iter().flat_map(|table| &table.values)
    }
}

impl Value {
    /// Whether there is something to ask.
    pub fn is_asked(&self) -> bool {
        !self.ask.is_empty() && !matches!(self.standing, Standing::NotRecomputed(_))
    }

    fn check(&self) -> Result<(), &'static str> {
        let is_argued = matches!(self.standing, Standing::Argued(_));
        let is_wrong = matches!(self.standing, Standing::PaperWrong(_)) || is_argued;
        if self.published.is_none() != (self.standing == Standing::New) {
            return Err("a value has a published text, or it is new");
        }
        if self.correct.is_some() && !is_wrong && self.standing != Standing::New {
            return Err("only new values and errors of the paper have a correct value");
        }
        if is_wrong && self.correct.is_none() {
            return Err("where the paper is wrong the correct value must be given");
        }
        if self.ask.is_empty()
            && matches!(self.standing, Standing::Agrees | Standing::New | Standing::PaperWrong(_))
        {
            return Err("a value that is computed again needs a question");
        }
        if is_argued && !self.ask.is_empty() {
            return Err("what is argued is not computed: leave out the question");
        }
        if self.path.is_some() && (self.take != Take::Value || self.ask.len() != 1) {
            return Err("a path goes with one question, and nothing is taken from its answer");
        }
        if !(0.0..1e9).contains(&self.cost) {
            return Err("the cost is a number of seconds");
        }
        Ok(())
    }
}
