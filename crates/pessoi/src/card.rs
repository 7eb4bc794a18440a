//! Cards: what a game is and what it can be asked, as data.
//!
//! A **card** lists a game's verbs, the places it is played on, its options and its methods.
//! Everything that a door shows or refuses follows from it: help texts, completions, forms,
//! signatures and the JSON Schema. A **menu** is what a card offers for one verb, together
//! with what outside crates added to the game (see [`crate::Catalogue`]).
//!
//! An option is a constant of its game. The card lists it, and the game reads it from the
//! question by the same constant, so a name is written once:
//!
//! ```
//! use pessoi::{Opt, Question, Verb};
//!
//! const CLOSED: Opt = Opt::flag("closed", "the last cell is one move from the first", &[Verb::Count]);
//!
//! let question = Question::new(Verb::Count, "knight-tours", "5x6")?.with("closed", true);
//! assert!(question.flag(&CLOSED));
//! # Ok::<(), pessoi::Error>(())
//! ```

use std::fmt::Write;

use crate::board::{Cell, Lattice, chess};
use crate::component;
use crate::error::{Error, Result, closest};
use crate::export::Format;
use crate::question::{Place, Setting, Verb};

/// What a game is.
#[derive(Clone, Copy)]
pub struct Card {
    /// Its name on the command line.
    pub name: &'static str,
    /// What people call it.
    pub title: &'static str,
    /// Its rules, in two sentences.
    pub rules: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// What it can be asked.
    pub verbs: &'static [Verb],
    /// For verbs that it cannot be asked: what comes nearest, in a few words after "but".
    pub instead: &'static [(Verb, &'static str)],
    /// Where it is played: each entry is accepted for its verbs.
    pub places: &'static [Accepts],
    /// The options it looks at. The option `method` is not among them: it follows from
    /// `methods`.
    pub options: &'static [Opt],
    /// The engines that answer its questions.
    pub methods: &'static [Method],
    /// Formats that only this game writes, or that it writes in its own way.
    pub formats: &'static [&'static dyn Format],
    /// Commands to try.
    pub examples: &'static [&'static str],
}

/// A kind of place that a game takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Accepts {
    /// Which places.
    pub place: PlaceKind,
    /// For which verbs.
    pub verbs: &'static [Verb],
    /// What to give, in a few words: `a square board such as 6x6, or a drawing`.
    pub help: &'static str,
}

/// A kind of place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlaceKind {
    /// A board.
    Board {
        /// Its lattice.
        lattice: Lattice,
        /// The most cells it may have.
        most_cells: usize,
        /// Whether numbers may be written on it.
        clues: bool,
    },
    /// A whole number.
    Size {
        /// The least one.
        least: u64,
        /// The largest one.
        most: u64,
    },
    /// No place: the options say everything.
    Nowhere,
}

impl Accepts {
    /// Square boards.
    pub const fn squares(most_cells: usize, verbs: &'static [Verb], help: &'static str) -> Self {
        let place = PlaceKind::Board { lattice: Lattice::Square, most_cells, clues: false };
        Accepts { place, verbs, help }
    }

    /// Hexagonal boards.
    pub const fn hexes(most_cells: usize, verbs: &'static [Verb], help: &'static str) -> Self {
        let place = PlaceKind::Board { lattice: Lattice::Hex, most_cells, clues: false };
        Accepts { place, verbs, help }
    }

    /// The same boards, and numbers may be written on them.
    #[must_use]
    pub const fn with_clues(mut self) -> Self {
        if let PlaceKind::Board { lattice, most_cells, .. } = self.place {
            self.place = PlaceKind::Board { lattice, most_cells, clues: true };
        }
        self
    }

    /// A whole number.
    pub const fn size(least: u64, most: u64, verbs: &'static [Verb], help: &'static str) -> Self {
        Accepts { place: PlaceKind::Size { least, most }, verbs, help }
    }

    /// No place.
    pub const fn nowhere(verbs: &'static [Verb], help: &'static str) -> Self {
        Accepts { place: PlaceKind::Nowhere, verbs, help }
    }

    /// Why a place of this kind is not accepted; `None` if it is another kind of place.
    fn judge(&self, place: &Place) -> Option<Result<(), String>> {
        match (self.place, place) {
            (PlaceKind::Nowhere, Place::Nowhere) => Some(Ok(())),
            (PlaceKind::Size { least, most }, Place::Size(size)) => {
                Some(if (least..=most).contains(size) {
                    Ok(())
                } else {
                    Err(format!("{size} is not between {least} and {most}"))
                })
            }
            (PlaceKind::Board { lattice, most_cells, clues }, Place::Board(drawing)) => {
                let board = &drawing.board;
                let name = board.name();
                Some(if board.lattice() != lattice {
                    let is = if lattice == Lattice::Hex { "square" } else { "hexagonal" };
                    Err(format!("{name} is {is}"))
                } else if board.len() > most_cells {
                    Err(format!("{name} has {} cells, more than {most_cells}", board.len()))
                } else if let (false, Some(clue)) = (clues, drawing.clues.first()) {
                    Err(format!("the drawing has the number {} on it", clue.number))
                } else {
                    Ok(())
                })
            }
            _ => None,
        }
    }
}

/// An engine of a game, as users name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Method {
    /// Its name: in plans, in answers, and after `--method`.
    pub id: &'static str,
    /// What it does, in a few words.
    pub help: &'static str,
    /// The verbs that it answers.
    pub verbs: &'static [Verb],
    /// Whether it can be asked for by `--method`. Some engines are used only where nothing
    /// else makes sense, such as an inspection of the board.
    pub named: bool,
    /// The pieces of code that its results rest on, each of which could be wrong: two
    /// methods confirm each other only if they have no component in common. What counts as
    /// one, and what does not, is said in [`crate::component`].
    pub components: &'static [&'static str],
}

impl Method {
    /// A method that can be asked for by name.
    pub const fn new(
        id: &'static str,
        help: &'static str,
        verbs: &'static [Verb],
        components: &'static [&'static str],
    ) -> Self {
        Method { id, help, verbs, named: true, components }
    }

    /// A method that is chosen and never asked for.
    pub const fn unnamed(
        id: &'static str,
        help: &'static str,
        verbs: &'static [Verb],
        components: &'static [&'static str],
    ) -> Self {
        Method { id, help, verbs, named: false, components }
    }

    /// Whether what this method and another one agree on is confirmed.
    pub fn confirms(&self, other: &Method) -> bool {
        component::confirm(self.components, other.components)
    }
}

/// What values an option takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// None: it is there or not.
    Flag,
    /// A whole number in a range.
    Number {
        /// The least one.
        least: u64,
        /// The largest one.
        most: u64,
    },
    /// A whole number in a range, or one of these words.
    NumberOr {
        /// The least number.
        least: u64,
        /// The largest number.
        most: u64,
        /// The words.
        words: &'static [&'static str],
    },
    /// A cell as `row,column`, or as in chess: `a1`.
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
    /// One of the game's methods, or `auto`.
    Method,
}

impl Kind {
    /// What to write for the value, in help texts; empty for a flag.
    pub fn placeholder(self) -> String {
        match self {
            Kind::Flag => String::new(),
            Kind::Number { .. } => "N".into(),
            Kind::NumberOr { words, .. } => format!("N|{}", words.join("|")),
            Kind::Cell => "CELL".into(),
            Kind::Part => "I/M".into(),
            Kind::Text(placeholder) | Kind::File(placeholder) => placeholder.into(),
            Kind::OneOf(words) => words.join("|"),
            Kind::Method => "METHOD".into(),
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
    /// What is used if it is not given; `None` if that depends, or if nothing is.
    pub default: Option<&'static str>,
    /// What it does, in a few words.
    pub help: &'static str,
    /// The verbs that look at it.
    pub verbs: &'static [Verb],
    /// Options without which it means nothing: at least one of them must be given.
    pub needs: &'static [&'static str],
    /// Options that it contradicts.
    pub excludes: &'static [&'static str],
}

impl Opt {
    /// An option with a value of some kind.
    pub const fn new(
        name: &'static str,
        kind: Kind,
        help: &'static str,
        verbs: &'static [Verb],
    ) -> Self {
        Opt { name, kind, default: None, help, verbs, needs: &[], excludes: &[] }
    }

    /// An option without a value.
    pub const fn flag(name: &'static str, help: &'static str, verbs: &'static [Verb]) -> Self {
        Opt::new(name, Kind::Flag, help, verbs)
    }

    /// A whole number from 1.
    pub const fn number(name: &'static str, help: &'static str, verbs: &'static [Verb]) -> Self {
        Opt::new(name, Kind::Number { least: 1, most: u64::MAX }, help, verbs)
    }

    /// One part of the work, as `i/m`: the m parts are disjoint and together everything.
    pub const fn part(verbs: &'static [Verb]) -> Self {
        let help = "only this part of the work; the m parts are disjoint and together everything";
        Opt::new(PART, Kind::Part, help, verbs)
    }

    /// The same number in another range.
    #[must_use]
    pub const fn range(mut self, least: u64, most: u64) -> Self {
        self.kind = match self.kind {
            Kind::NumberOr { words, .. } => Kind::NumberOr { least, most, words },
            _ => Kind::Number { least, most },
        };
        self
    }

    /// The same option with a default.
    #[must_use]
    pub const fn default(mut self, value: &'static str) -> Self {
        self.default = Some(value);
        self
    }

    /// The same option, which means nothing without one of these.
    #[must_use]
    pub const fn needs(mut self, names: &'static [&'static str]) -> Self {
        self.needs = names;
        self
    }

    /// The same option, which contradicts these.
    #[must_use]
    pub const fn excludes(mut self, names: &'static [&'static str]) -> Self {
        self.excludes = names;
        self
    }

    /// Reads a value. `methods` are the names that the option `method` takes.
    pub fn parse(&self, text: &str, methods: &[&str]) -> Result<Setting> {
        let name = self.name;
        let bad = |accepted: &str| {
            Err(Error::option(name, format!("--{name} {text:?} is not accepted: give {accepted}.")))
        };
        let range = |least: u64, most: u64| match most {
            u64::MAX => format!("a whole number from {least}"),
            most => format!("a whole number from {least} to {most}"),
        };
        let number = |least: u64, most: u64| {
            text.parse().ok().filter(|number| (least..=most).contains(number)).map(Setting::Number)
        };
        let word = |words: &[&str]| {
            if words.contains(&text) {
                return Ok(Setting::Text(text.to_owned()));
            }
            let all = words.join(", ");
            match closest(text, words.iter().copied()) {
                Some(near) => bad(&format!("one of {all} (did you mean {near}?)")),
                None => bad(&format!("one of {all}")),
            }
        };
        match self.kind {
            Kind::Flag => match text {
                "true" => Ok(Setting::Flag(true)),
                "false" => Ok(Setting::Flag(false)),
                _ => bad("no value"),
            },
            Kind::Number { least, most } => match number(least, most) {
                Some(setting) => Ok(setting),
                None => bad(&range(least, most)),
            },
            Kind::NumberOr { least, most, words } => match number(least, most) {
                Some(setting) => Ok(setting),
                None if words.contains(&text) => Ok(Setting::Text(text.to_owned())),
                None => bad(&format!("{}, or {}", range(least, most), words.join(" or "))),
            },
            Kind::Cell => match text.parse::<Cell>() {
                Ok(cell) => Ok(Setting::Text(cell.to_string())),
                Err(_) if chess(text).is_some() => {
                    Ok(Setting::Text(text.trim().to_ascii_lowercase()))
                }
                Err(_) => bad(
                    "a cell as row,column, counted from 1, such as 3,1, or as in chess, such as a1",
                ),
            },
            Kind::Part => match text.parse::<pessoi_engine::search::Part>() {
                Ok(part) => Ok(Setting::Text(part.to_string())),
                Err(_) => bad("a part i/m with 1 ≤ i ≤ m ≤ 1000000, such as 2/8"),
            },
            Kind::Text(_) | Kind::File(_) => Ok(Setting::Text(text.to_owned())),
            Kind::OneOf(words) => word(words),
            Kind::Method => word(methods),
        }
    }
}

/// The name of the option that chooses the engine.
pub const METHOD: &str = "method";
/// The name of the option that asks for a part of the work.
pub const PART: &str = "part";
/// The method that leaves the choice to the game.
pub const AUTO: &str = "auto";

static METHOD_OPTION: Opt = Opt {
    name: METHOD,
    kind: Kind::Method,
    default: Some(AUTO),
    help: "the engine; auto chooses the best one",
    verbs: Verb::ALL,
    needs: &[],
    excludes: &[],
};

impl Card {
    /// What the game offers for a verb.
    pub fn menu(&self, verb: Verb) -> Menu<'_> {
        let options = self.options.iter().filter(|opt| opt.verbs.contains(&verb)).collect();
        let methods = self.methods.iter().filter(|method| method.verbs.contains(&verb)).collect();
        Menu { card: self, verb, options, methods }
    }

    /// The method of this name; the program contradicts itself if there is none.
    pub fn method(&self, id: &str) -> Option<&'static Method> {
        self.methods.iter().find(|method| method.id == id)
    }
}

/// What a game offers for one verb.
#[derive(Clone)]
pub struct Menu<'a> {
    /// The game's card.
    pub card: &'a Card,
    /// The verb.
    pub verb: Verb,
    /// The options, without `method`.
    pub options: Vec<&'a Opt>,
    /// The engines.
    pub methods: Vec<&'a Method>,
}

impl<'a> Menu<'a> {
    /// What `--method` takes: `auto` and the engines that can be asked for.
    pub fn method_names(&self) -> Vec<&'a str> {
        let named = self.methods.iter().filter(|method| method.named).map(|method| method.id);
        let named: Vec<&str> = named.collect();
        if named.is_empty() { named } else { [&[AUTO][..], &named].concat() }
    }

    /// All options, `method` among them if there is a choice.
    pub fn all_options(&self) -> impl Iterator<Item = &'a Opt> + use<'_, 'a> {
        let method = (!self.method_names().is_empty()).then_some(&METHOD_OPTION);
        self.options.iter().copied().chain(method)
    }

    /// The option of this name.
    pub fn option(&self, name: &str) -> Option<&'a Opt> {
        self.all_options().find(|opt| opt.name == name)
    }

    /// What an option does, with its words, methods and default.
    pub fn help(&self, opt: &Opt) -> String {
        let mut help = opt.help.to_owned();
        // Writing to a String cannot fail.
        if opt.kind == Kind::Method {
            let named = self.methods.iter().filter(|method| method.named);
            let each: Vec<_> =
                named.map(|method| format!("{} ({})", method.id, method.help)).collect();
            let _ = write!(help, ", or one of {}", each.join(", "));
        }
        if opt.kind == Kind::Cell {
            help += " (row,column such as 3,1, or as in chess such as a1)";
        }
        if let Some(default) = opt.default {
            let _ = write!(help, " [default: {default}]");
        }
        help
    }

    /// The places that are taken, in words.
    pub fn places(&self) -> String {
        let places = self.accepted().map(|accepts| accepts.help);
        places.collect::<Vec<_>>().join("; or ")
    }

    /// The places that are taken.
    pub fn accepted(&self) -> impl Iterator<Item = &'static Accepts> {
        let verb = self.verb;
        self.card.places.iter().filter(move |accepts| accepts.verbs.contains(&verb))
    }

    /// Refuses a place that the game does not take for this verb.
    pub(crate) fn check_place(&self, place: &Place) -> Result<()> {
        // A range is taken where its largest board is.
        if let Place::Range(range) = place {
            let is_board = |accepts: &Accepts| matches!(accepts.place, PlaceKind::Board { .. });
            if !self.accepted().any(is_board) {
                let (verb, name) = (self.verb, self.card.name);
                let sequence = match self.option("sequence") {
                    Some(_) => "; all sizes up to one are asked for by --sequence",
                    None => "",
                };
                return Err(Error::place(format!(
                    "{verb} {name} takes {}; {range} is a range of boards{sequence}.",
                    self.places()
                )));
            }
            return self.check_place(&range.largest()?);
        }
        let mut why = None;
        for accepts in self.accepted() {
            match accepts.judge(place) {
                Some(Ok(())) => return Ok(()),
                Some(Err(reason)) => why = why.or(Some(reason)),
                None => {}
            }
        }
        let given = match place {
            Place::Nowhere => "nothing was given".to_owned(),
            Place::Size(size) => format!("{size} is a number"),
            Place::Board(drawing) => format!("{} is a board", drawing.board.name()),
            Place::Range(range) => format!("{range} is a range of boards"),
        };
        Err(Error::place(format!(
            "{} {} takes {}; {}.",
            self.verb,
            self.card.name,
            self.places(),
            why.unwrap_or(given)
        )))
    }
}
