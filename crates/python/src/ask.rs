//! Questions from Python values, and everything that is asked of the catalogue.
//!
//! Options have the names that the cards give them, with `_` for `-`, and with a `_` behind them
//! where Python has the word for itself (`from_`). A cell is a pair
//! (row, column) counted from 0, or text as on the command line, counted from 1. What an option
//! accepts, its card says.

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::time::Duration;

use pessoi::error::{closest, reason};
use pessoi::job::Collected;
use pessoi::{
    Budget, Card, Code, Effort, Error, Format, Kind, Menu, Opt, Place, Question, Run, Saved, Style,
    Verb, charset, export, limits,
};
use pyo3::prelude::*;
use pyo3::types::{PyAnyMethods, PyBool, PyBytes, PyDict, PyFloat, PyString};

use crate::answer::Answer;
use crate::board;
use crate::catalogue;
use crate::errors::{OrRaise, input, raised};
use crate::job::{Watch, drive, interrupted};
use crate::machine;
use crate::number::{as_json, cell, is_bool, json};
use crate::stream::Stream;

/// What limits a job; these names are taken out of the options.
pub(crate) const TIME: &str = "time";
const MEMORY: &str = "memory";
const THREADS: &str = "threads";
pub(crate) const SEED: &str = "seed";
const DISK: &str = "disk";
const SHARE: &str = "share";
const CHECKPOINT: &str = "checkpoint";
const CHECKPOINT_EVERY: &str = "checkpoint_every";
const RESUME: &str = "resume";
const LIMITS: [&str; 9] =
    [TIME, MEMORY, THREADS, SEED, DISK, SHARE, CHECKPOINT, CHECKPOINT_EVERY, RESUME];
/// The limits that are not for streams.
const KEPT: [&str; 5] = [DISK, SHARE, CHECKPOINT, CHECKPOINT_EVERY, RESUME];
/// Is taken out of the options before they come here.
const PROGRESS: &str = "progress";

/// How many of something there may be.
pub(crate) const COUNTS: RangeInclusive<u64> = 0..=u64::MAX;

/// The name that a card gives to an option.
fn card_name(name: &str) -> String {
    name.strip_suffix('_').unwrap_or(name).replace('_', "-")
}

/// The path of a file, if that is what was given.
fn path_of(value: &Bound<'_, PyAny>) -> Option<PathBuf> {
    (!value.is_instance_of::<PyString>()).then(|| value.extract().ok())?
}

fn read_file(py: Python<'_>, path: &Path) -> PyResult<Vec<u8>> {
    std::fs::read(path)
        .map_err(|error| {
            let (shown, why) = (path.display().to_string(), reason(&error));
            Error::io(format!("The file {shown:?} cannot be read: {why}."))
        })
        .or_raise(py)
}

fn file_text(py: Python<'_>, path: &Path) -> PyResult<String> {
    let shown = path.display().to_string();
    charset::text(&read_file(py, path)?)
        .map_err(|error| Error::io(format!("The file {shown:?} cannot be read: {error}.")))
        .or_raise(py)
}

/// What stands for a value in a sentence.
fn shown(value: &Bound<'_, PyAny>) -> String {
    let text = value.repr().map_or_else(|_| "a value".to_owned(), |text| text.to_string());
    if text.chars().count() <= 60 { text } else { text.chars().take(59).chain(['…']).collect() }
}

/// Where a question is asked.
fn place(value: Option<&Bound<'_, PyAny>>) -> PyResult<Place> {
    let Some(value) = value.filter(|value| !value.is_none()) else { return Ok(Place::Nowhere) };
    let py = value.py();
    if let Ok(text) = value.cast::<PyString>() {
        return Place::parse(text.to_str()?).or_raise(py);
    }
    if value.is_instance_of::<PyBool>() || value.is_instance_of::<PyFloat>() {
        let why = format!("{} is no place: give a board or a whole number.", shown(value));
        return Err(input(py, Some("place"), why));
    }
    if let Some(path) = path_of(value) {
        let text = file_text(py, &path)?;
        return Place::parse(&format!("{}\n", text.trim_end_matches(['\r', '\n']))).or_raise(py);
    }
    if value.hasattr("__index__")? && !value.hasattr("ndim").unwrap_or(false)
        || value.getattr("ndim").is_ok_and(|ndim| ndim.extract::<usize>().is_ok_and(|n| n == 0))
    {
        return value.extract().map(Place::Size).map_err(|_| {
            let why = format!("The size {} is not between 0 and 2^64.", shown(value));
            input(py, Some("place"), why)
        });
    }
    board::read(value, None).map(|drawing| Place::Board((*drawing).clone()))
}

/// A value that is not accepted; `accepted` is what is.
fn refused(value: &Bound<'_, PyAny>, field: &str, name: &str, accepted: &str) -> PyErr {
    let why = format!("{name}={} is not accepted: give {accepted}.", shown(value));
    input(value.py(), Some(field), why)
}

/// A whole number in a range, of any type that is one.
pub(crate) fn whole(
    field: &str,
    name: &str,
    value: &Bound<'_, PyAny>,
    range: &RangeInclusive<u64>,
) -> PyResult<u64> {
    let number = (!is_bool(value)).then(|| value.extract::<u64>().ok()).flatten();
    number.filter(|number| range.contains(number)).ok_or_else(|| {
        let (least, most) = (range.start(), range.end());
        refused(value, field, name, &format!("a whole number from {least} to {most}"))
    })
}

/// The value of an option as it is typed; `None` if it is not given.
fn typed(opt: &Opt, value: &Bound<'_, PyAny>, methods: &[&str]) -> PyResult<Option<String>> {
    let py = value.py();
    let field = format!("options.{}", opt.name);
    let refused =
        |accepted: &str| Err(refused(value, &field, &opt.name.replace('-', "_"), accepted));
    if value.is_none() {
        return Ok(None);
    }
    if is_bool(value) {
        let flag = value.is_truthy()?;
        return Ok((opt.kind != Kind::Flag || flag).then(|| flag.to_string()));
    }
    if matches!(opt.kind, Kind::File(_)) {
        return match value.extract::<PathBuf>() {
            Ok(path) => file_text(py, &path).map(Some),
            Err(_) => refused("the path of a file"),
        };
    }
    if let Ok(text) = value.cast::<PyString>() {
        let text = text.to_str()?;
        if opt.kind == Kind::Flag && opt.parse(text, methods).is_err() {
            return refused("True or False");
        }
        return Ok(Some(text.to_owned()));
    }
    let pair = cell(value);
    match (opt.kind, pair) {
        (Kind::Cell, Some(cell)) => return Ok(Some(cell.to_string())),
        (Kind::Part, Some(part)) => return Ok(Some(format!("{}/{}", part.row, part.col))),
        (Kind::Flag, _) => return refused("True or False"),
        _ => {}
    }
    if value.hasattr("__index__")? && !value.is_instance_of::<PyFloat>() {
        // Numbers of any size: those that are too large are refused by the card.
        return Ok(Some(digits(value)));
    }
    match opt.kind {
        Kind::Cell => refused("a pair (row, column), counted from 0, or text such as \"3,1\""),
        Kind::Part => refused("a pair (i, m) with 1 ≤ i ≤ m, or text such as \"2/8\""),
        // The card says best what it accepts.
        _ => match opt.parse(&shown(value), methods) {
            Err(error) => Err(raised(py, &error)),
            Ok(_) => refused("text"),
        },
    }
}

/// A whole number in digits; Python has a limit for them.
fn digits(value: &Bound<'_, PyAny>) -> String {
    let text = value.call_method0("__index__").and_then(|number| number.str());
    text.map_or_else(|_| shown(value), |text| text.to_string())
}

/// What is given for a question: options by the names of the card, and limits.
pub(crate) struct Given<'py> {
    options: Vec<(String, Bound<'py, PyAny>)>,
    limits: Vec<(&'static str, Bound<'py, PyAny>)>,
}

impl<'py> Given<'py> {
    pub(crate) fn new(py: Python<'py>, all: &Bound<'py, PyDict>) -> PyResult<Self> {
        let mut given = Given { options: Vec::new(), limits: Vec::new() };
        for (name, value) in all {
            let own = card_name(&name.extract::<String>()?);
            let limit = LIMITS.into_iter().find(|limit| limit.replace('_', "-") == own);
            let is_set = |value: &Bound<'_, PyAny>| !value.is_none();
            // A name of Python with _ behind it is the same option as the one without.
            let before = match limit {
                Some(limit) => given.limits.iter().position(|known| known.0 == limit),
                None => given.options.iter().position(|known| known.0 == own),
            };
            if before.is_some() && is_set(&value) {
                let why = format!("{own} is given twice: give it once.");
                return Err(input(py, Some(&format!("options.{own}")), why));
            }
            // What is None is not given, but an option must exist all the same.
            match limit {
                Some(limit) if is_set(&value) => given.limits.push((limit, value)),
                Some(_) => {}
                None => given.options.push((own, value)),
            }
        }
        Ok(given)
    }

    /// Refuses all limits of one machine.
    pub(crate) fn refuse_limits(&self, py: Python<'_>) -> PyResult<()> {
        let Some((name, _)) = self.limits.first() else { return Ok(()) };
        let why = format!("On a cluster there is no {name}: leave it out.");
        Err(raised(py, &Error::unsupported(&format!("options.{name}"), why)))
    }

    fn limit(&self, name: &str) -> Option<&Bound<'py, PyAny>> {
        self.limits.iter().find(|limit| limit.0 == name).map(|limit| &limit.1)
    }

    /// A question, from a verb, a game, a place and the options.
    pub(crate) fn question(
        &self,
        py: Python<'_>,
        verb: &str,
        game: &str,
        at: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Question> {
        let verb = Verb::parse(verb).or_raise(py)?;
        let card = catalogue().game(game).or_raise(py)?.card();
        let menu = catalogue().menu(card, verb);
        let mut question = Question::new(verb, game, "").or_raise(py)?;
        for (name, value) in &self.options {
            set(py, &menu, &mut question, name, value)?;
        }
        question.place = place(at)?;
        question.check(&menu).or_raise(py)?;
        Ok(question)
    }

    fn budget(&self, py: Python<'_>) -> PyResult<Budget> {
        let memory = machine::memory();
        let otherwise = Budget { memory, threads: machine::threads(), ..Budget::default() };
        let given = self.limits.iter().filter(|(name, _)| !KEPT.contains(name));
        budget(py, given.map(|(name, value)| (*name, Some(value))), &otherwise)
    }

    /// The path that is given for a limit.
    fn path(&self, name: &str, what: &str) -> PyResult<Option<PathBuf>> {
        let Some(value) = self.limit(name) else { return Ok(None) };
        let path = value.extract().map_err(|_| {
            refused(value, &format!("options.{name}"), name, &format!("the path of a {what}"))
        })?;
        Ok(Some(path))
    }

    /// A run under the limits, with the files and folders that it may use.
    fn run(&self, py: Python<'_>) -> PyResult<Run> {
        let mut run = Run::new(self.budget(py)?);
        let every = self.limit(CHECKPOINT_EVERY).map(|value| limit(CHECKPOINT_EVERY, value));
        let every = every.transpose()?;
        let resume = match self.limit(RESUME) {
            None => false,
            Some(value) if is_bool(value) => value.is_truthy()?,
            Some(value) => return Err(refused(value, "options.resume", RESUME, "True or False")),
        };
        let checkpoint = self.path(CHECKPOINT, "file")?;
        let store = limits::store(checkpoint.as_deref(), every.as_deref(), resume).or_raise(py)?;
        if let Some(store) = store {
            run = run.with_store(store);
        }
        if let Some(folder) = self.path(DISK, "folder")? {
            run = run.with_disk(limits::disk(&folder.to_string_lossy()).or_raise(py)?);
        }
        if let Some(folder) = self.path(SHARE, "folder")? {
            run = run.with_share(limits::share(&folder).or_raise(py)?);
        }
        Ok(run)
    }
}

fn set(
    py: Python<'_>,
    menu: &Menu,
    question: &mut Question,
    name: &str,
    value: &Bound<'_, PyAny>,
) -> PyResult<()> {
    let Some(opt) = menu.option(name) else { return Err(no_option(py, menu, question, name)) };
    match typed(opt, value, &menu.method_names())? {
        Some(text) => question.set(menu, name, &text).or_raise(py),
        None => Ok(()),
    }
}

/// Says that there is no option of this name.
fn no_option(py: Python<'_>, menu: &Menu, question: &mut Question, name: &str) -> PyErr {
    let (card, verb) = (menu.card, question.verb);
    // The question says best what is wrong, unless the verb is not offered, or a limit is meant.
    let of_verb = |error: &Error| error.field.as_deref() == Some("verb");
    if let Some(error) = question.check(menu).err().filter(of_verb) {
        return raised(py, &error);
    }
    let is_known = |verb: &Verb| catalogue().menu(card, *verb).option(name).is_some();
    let limits = LIMITS.into_iter().chain([PROGRESS]);
    let names = limits.clone().chain(menu.all_options().map(|opt| opt.name));
    let near = closest(&name.replace('-', "_"), names);
    if let Some(near) = near.filter(|near| limits.clone().any(|limit| limit == *near))
        && !card.verbs.iter().any(is_known)
    {
        let sentence = format!("{verb} {} takes no {name} (did you mean {near}?).", card.name);
        return raised(py, &Error::new(Code::Unknown, format!("options.{name}"), sentence));
    }
    match question.set(menu, name, "true") {
        Err(error) => raised(py, &error),
        Ok(()) => raised(py, &Error::internal(format!("{name} is an option and none"))),
    }
}

/// A limit as it is typed.
fn limit(name: &str, value: &Bound<'_, PyAny>) -> PyResult<String> {
    if is_bool(value) {
        return Err(refused(value, &format!("options.{name}"), name, "a number or text"));
    }
    if matches!(name, TIME | CHECKPOINT_EVERY)
        && let Ok(time) = value.extract::<Duration>()
    {
        return Ok(format!("{}", time.as_secs_f64()));
    }
    // A float is written without an exponent; where a whole number is wanted it is none.
    if matches!(name, TIME | MEMORY | CHECKPOINT_EVERY)
        && let Ok(number) = value.cast::<PyFloat>()
    {
        return Ok(format!("{}", number.value()));
    }
    Ok(value.str().map_or_else(|_| shown(value), |text| text.to_string()))
}

/// The limits of a job: those that are given, and the others as they are `otherwise`.
pub(crate) fn budget<'a, 'py: 'a>(
    py: Python<'_>,
    given: impl IntoIterator<Item = (&'static str, Option<&'a Bound<'py, PyAny>>)>,
    otherwise: &Budget,
) -> PyResult<Budget> {
    let mut texts = Vec::new();
    for (name, value) in given {
        if let Some(value) = value.filter(|value| !value.is_none()) {
            texts.push((name, limit(name, value)?));
        }
    }
    let text =
        |name: &str| texts.iter().find(|(known, _)| *known == name).map(|(_, text)| text.as_str());
    limits::budget(text, otherwise).or_raise(py)
}

/// Limits where nothing else is taken.
fn only_limits(py: Python<'_>, options: &Bound<'_, PyDict>) -> PyResult<Budget> {
    let known = [TIME, MEMORY, THREADS, SEED];
    let given = Given::new(py, options)?;
    let names = given.options.iter().map(|option| option.0.as_str());
    let limits = given.limits.iter().map(|limit| limit.0);
    if let Some(name) = names.chain(limits).find(|name| !known.contains(name)) {
        let mut error = Error::unknown("option", "options", name, known);
        error.field = Some(format!("options.{name}"));
        return Err(raised(py, &error));
    }
    given.budget(py)
}

/// Answers a question.
#[pyfunction]
#[pyo3(signature = (verb, game, place, options, watch = None))]
pub(crate) fn ask(
    py: Python<'_>,
    verb: &str,
    game: &str,
    place: Option<Bound<'_, PyAny>>,
    options: &Bound<'_, PyDict>,
    watch: Watch,
) -> PyResult<Answer> {
    let given = Given::new(py, options)?;
    let question = given.question(py, verb, game, place.as_ref())?;
    let run = given.run(py)?;
    let (answer, interrupt) = drive(py, &run, &watch, || catalogue().answer(&question, &run))?;
    match (answer, interrupt) {
        (Ok(answer), None) => Ok(answer.into()),
        (Ok(answer), Some(error)) => Err(interrupted(py, error, Answer::from(answer))),
        (Err(_), Some(error)) => Err(error),
        (Err(error), None) => Err(raised(py, &error)),
    }
}

/// Answers a question whose solutions come one by one.
#[pyfunction]
#[pyo3(signature = (verb, game, place, options, watch = None))]
pub(crate) fn stream(
    py: Python<'_>,
    verb: &str,
    game: &str,
    place: Option<Bound<'_, PyAny>>,
    options: &Bound<'_, PyDict>,
    watch: Watch,
) -> PyResult<Stream> {
    let given = Given::new(py, options)?;
    let question = given.question(py, verb, game, place.as_ref())?;
    // What is wrong with the question is said now and not when the first solution is wanted.
    drop(catalogue().job(&question).or_raise(py)?);
    if let Some(name) = KEPT.into_iter().find(|name| given.limit(name).is_some()) {
        let why = format!("What is listed is given at once: leave out {name}.");
        return Err(raised(py, &Error::unsupported(&format!("options.{name}"), why)));
    }
    Ok(Stream::new(question, given.budget(py)?, watch))
}

/// How a question would be answered.
#[pyfunction]
#[pyo3(signature = (verb, game, place, options, watch = None))]
pub(crate) fn plan<'py>(
    py: Python<'py>,
    verb: &str,
    game: &str,
    place: Option<Bound<'py, PyAny>>,
    options: &Bound<'py, PyDict>,
    watch: Watch,
) -> PyResult<Bound<'py, PyAny>> {
    let given = Given::new(py, options)?;
    let question = given.question(py, verb, game, place.as_ref())?;
    let run = given.run(py)?;
    let (plan, interrupt) = drive(py, &run, &watch, || catalogue().plan(&question, &run))?;
    match interrupt {
        Some(error) => Err(error),
        None => as_json(py, &plan.or_raise(py)?),
    }
}

/// Answers a question by every method that takes it. The time is that of each method.
#[pyfunction]
#[pyo3(signature = (verb, game, place, options, watch = None))]
pub(crate) fn compare(
    py: Python<'_>,
    verb: &str,
    game: &str,
    place: Option<Bound<'_, PyAny>>,
    options: &Bound<'_, PyDict>,
    watch: Watch,
) -> PyResult<Answer> {
    let given = Given::new(py, options)?;
    if let Some(name) = KEPT.into_iter().find(|name| given.limit(name).is_some()) {
        let why = format!("Methods that are compared keep nothing: leave out {name}.");
        return Err(raised(py, &Error::unsupported(&format!("options.{name}"), why)));
    }
    let question = given.question(py, verb, game, place.as_ref())?;
    let mut budget = given.budget(py)?;
    let each = budget.time.take();
    let run = Run::new(budget);
    let work = || catalogue().compare(&question, each, &run);
    let (answer, interrupt) = drive(py, &run, &watch, work)?;
    match (answer, interrupt) {
        (Ok(answer), None) => Ok(answer.into()),
        (Ok(answer), Some(error)) => Err(interrupted(py, error, Answer::from(answer))),
        (Err(_), Some(error)) => Err(error),
        (Err(error), None) => Err(raised(py, &error)),
    }
}

/// How a saved answer is cited.
#[pyfunction]
pub(crate) fn cite(py: Python<'_>, saved: &[u8]) -> PyResult<String> {
    let head = py.detach(|| catalogue().read(saved, &mut pessoi::job::Deaf)).or_raise(py)?;
    Ok(pessoi::cite::citation(&head))
}

/// Reads a saved answer with its solutions.
#[pyfunction]
pub(crate) fn read(py: Python<'_>, saved: &[u8]) -> PyResult<Answer> {
    let run = Run::new(Budget { memory: machine::memory(), ..Budget::default() });
    let answer = py.detach(|| {
        let mut kept = Collected::new(&run);
        let mut answer = catalogue().read(saved, &mut kept)?;
        if answer.solutions.is_empty() {
            kept.into_answer(&mut answer);
        }
        Ok(answer)
    });
    answer.or_raise(py).map(Answer::from)
}

/// Checks a saved answer.
#[pyfunction]
pub(crate) fn verify<'py>(
    py: Python<'py>,
    saved: &[u8],
    again: bool,
    options: &Bound<'py, PyDict>,
) -> PyResult<Bound<'py, PyAny>> {
    let effort = if again { Effort::Again } else { Effort::Usual };
    let run = Run::new(only_limits(py, options)?);
    let (verdict, interrupt) = drive(py, &run, &None, || catalogue().verify(saved, effort, &run))?;
    match interrupt {
        Some(error) => Err(error),
        None => as_json(py, &verdict.or_raise(py)?),
    }
}

/// Writes a saved answer in another format.
#[pyfunction]
#[pyo3(signature = (saved, format, options))]
pub(crate) fn convert<'py>(
    py: Python<'py>,
    saved: &[u8],
    format: &str,
    options: &Bound<'py, PyDict>,
) -> PyResult<Bound<'py, PyBytes>> {
    let head = py.detach(|| catalogue().read(saved, &mut pessoi::job::Deaf)).or_raise(py)?;
    let style = styled(&Looks::of(py, &head.question.game, head.question.verb)?, Some(options))?;
    let run = Run::new(Budget { memory: machine::memory(), ..Budget::default() });
    let work = || {
        let mut bytes = Vec::new();
        let choose = |card: &Card, verb| catalogue().format(card, verb, format);
        let written = catalogue().convert(saved, choose, &style, &run, &mut bytes)?;
        Ok((bytes, written))
    };
    let (converted, interrupt) = drive(py, &run, &None, work)?;
    if let Some(error) = interrupt {
        return Err(error);
    }
    let (bytes, written) = converted.or_raise(py)?;
    if !written.wrote {
        let sentence = format!("There is nothing to write as {format}. {}", written.aside);
        return Err(input(py, Some("format"), sentence.trim()));
    }
    Ok(PyBytes::new(py, &bytes))
}

/// Merges the saved answers of all parts, given as names and contents.
#[pyfunction]
pub(crate) fn merge(py: Python<'_>, parts: Vec<(String, Vec<u8>)>) -> PyResult<Answer> {
    let run = Run::new(Budget { memory: machine::memory(), ..Budget::default() });
    let work = || {
        let parts: Vec<_> = parts.iter().map(|(name, bytes)| Saved { name, bytes }).collect();
        let mut kept = Collected::new(&run);
        let mut answer = catalogue().merge(&parts, &run, &mut kept)?;
        kept.into_answer(&mut answer);
        Ok(answer)
    };
    let (answer, interrupt) = drive(py, &run, &None, work)?;
    match interrupt {
        Some(error) => Err(error),
        None => answer.or_raise(py).map(Answer::from),
    }
}

/// The cards of all games, or of one, as data.
#[pyfunction]
#[pyo3(signature = (game = None))]
pub(crate) fn cards<'py>(py: Python<'py>, game: Option<&str>) -> PyResult<Bound<'py, PyAny>> {
    json(py, &pessoi::schema::cards(catalogue(), game).or_raise(py)?)
}

/// The card of a game as people read it.
#[pyfunction]
pub(crate) fn card_text(py: Python<'_>, game: &str) -> PyResult<String> {
    let card = catalogue().game(game).or_raise(py)?.card();
    Ok(export::card(card, &Style::default()))
}

/// A JSON Schema by its name, or all of them.
#[pyfunction]
#[pyo3(signature = (name = None))]
pub(crate) fn schema<'py>(py: Python<'py>, name: Option<&str>) -> PyResult<Bound<'py, PyAny>> {
    json(py, &pessoi::schema::named(catalogue(), name).or_raise(py)?)
}

/// The formats of a game's answers to a verb, and how they can look.
pub(crate) struct Looks {
    card: &'static Card,
    verb: Verb,
}

impl Looks {
    pub(crate) fn of(py: Python<'_>, game: &str, verb: Verb) -> PyResult<Self> {
        Ok(Looks { card: catalogue().game(game).or_raise(py)?.card(), verb })
    }

    /// The format that is named, or else that of the file's ending, or else text.
    pub(crate) fn format(
        &self,
        py: Python<'_>,
        name: Option<&str>,
        path: &Path,
    ) -> PyResult<&'static dyn Format> {
        let (card, verb) = (self.card, self.verb);
        let by_path = || match path.to_str() {
            Some(path) => catalogue().format_of_path(card, verb, path),
            None => Ok(None),
        };
        let format = match name {
            Some(name) => catalogue().format(card, verb, name).map(Some),
            None => by_path(),
        };
        match format.or_raise(py)? {
            Some(format) => Ok(format),
            None => catalogue().format(card, verb, "text").or_raise(py),
        }
    }
}

/// How an answer is to look: the options of its formats.
pub(crate) fn styled(looks: &Looks, options: Option<&Bound<'_, PyDict>>) -> PyResult<Style> {
    let mut style = Style::default();
    let Some(options) = options else { return Ok(style) };
    let py = options.py();
    let known: Vec<&Opt> = catalogue()
        .formats(looks.card, looks.verb)
        .iter()
        .flat_map(|format| format.options())
        .filter(|opt| opt.verbs.contains(&looks.verb))
        .collect();
    for (name, value) in options {
        let name = card_name(&name.extract::<String>()?);
        let Some(opt) = known.iter().find(|opt| opt.name == name) else {
            let names = known.iter().map(|opt| opt.name);
            return Err(raised(py, &Error::unknown("option", "options", &name, names)));
        };
        if let Some(text) = typed(opt, &value, &[])? {
            style.options.insert(name, opt.parse(&text, &[]).or_raise(py)?);
        }
    }
    Ok(style)
}
