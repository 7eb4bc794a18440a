//! The command line: defined from the games' cards, read into an [`Order`].

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::builder::{PossibleValuesParser, StyledStr};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, ArgAction, ArgMatches, Command};
use clap_complete::Shell;
use pessoi::export::Format;
use pessoi::reproduce::{Form, Paper};
use pessoi::{Budget, Error, Kind, Opt, Place, Question, Verb};

use crate::{graph, machine};

/// What the user wants done.
pub(crate) enum Order {
    /// Answer a question.
    Ask(Job),
    /// Say how a question would be answered.
    Plan(Job),
    /// Check a saved answer.
    Verify {
        saved: Vec<u8>,
        budget: Budget,
    },
    /// Write a saved answer in another format.
    Convert {
        saved: Vec<u8>,
        format: Format,
        output: Option<PathBuf>,
    },
    /// Compute published values again.
    Reproduce {
        papers: Vec<Paper>,
        table: Option<String>,
        time: Option<Duration>,
        budget: Budget,
        form: Form,
        output: Option<PathBuf>,
    },
    /// Work with a graph database.
    Graph(graph::Task),
    /// Show all games, or one.
    Games(Option<String>),
    Completions(Shell),
    Man,
}

/// A question, its limits, and where the answer goes.
pub(crate) struct Job {
    pub(crate) question: Question,
    pub(crate) budget: Budget,
    pub(crate) format: Format,
    pub(crate) output: Option<PathBuf>,
    /// Where questions for graph databases are asked.
    pub(crate) graph: graph::Asked,
}

/// Why there is no order.
pub(crate) enum Refusal {
    /// What clap has to say: help, the version, or a misspelt flag.
    Clap(clap::Error),
    Sentence(Error),
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        Refusal::Sentence(error)
    }
}

/// Reads the command line.
pub(crate) fn read(words: impl IntoIterator<Item = OsString>) -> Result<Order, Refusal> {
    let words: Vec<OsString> = words.into_iter().collect();
    // A negative size would look like a flag to clap; it deserves a better answer.
    let is_negative = |word: &str| {
        let mut chars = word.chars();
        chars.next() == Some('-') && chars.next().is_some_and(|c| c.is_ascii_digit())
    };
    for pair in words.windows(2) {
        let [before, word] = pair else { continue };
        let belongs_to_option = before.to_string_lossy().starts_with("--");
        if let (Some(word), false) = (word.to_str(), belongs_to_option)
            && is_negative(word)
            && let Err(error) = Place::parse(word)
        {
            return Err(error.into());
        }
    }
    let matches =
        command(false).try_get_matches_from(&words).map_err(|error| refusal(error, &words))?;
    // Clap requires a subcommand.
    let Some((name, matches)) = matches.subcommand() else {
        return Err(Error::internal("no subcommand").into());
    };
    Ok(match name {
        "games" => Order::Games(matches.get_one::<String>("game").cloned()),
        "completions" => match matches.get_one::<Shell>("shell") {
            Some(shell) => Order::Completions(*shell),
            None => return Err(Error::internal("no shell").into()),
        },
        "man" => Order::Man,
        "verify" => {
            let saved = read_bytes(word(matches, "file")?)?;
            Order::Verify { saved, budget: budget(matches)? }
        }
        "convert" => {
            let format = matches.get_one::<String>("format");
            let format = format.map_or(Ok(Format::Text), |name| Format::parse(name))?;
            let output = matches.get_one::<PathBuf>("output").cloned();
            Order::Convert { saved: read_bytes(word(matches, "file")?)?, format, output }
        }
        "reproduce" => reproduce(matches)?,
        "plan" => match matches.subcommand() {
            Some((verb, matches)) => Order::Plan(job(verb, matches)?),
            None => return Err(Error::internal("no verb to plan").into()),
        },
        "graph" => Order::Graph(graph::read(matches)?),
        verb => Order::Ask(job(verb, matches)?),
    })
}

/// Says in a sentence what clap found wrong, where we know better than clap.
fn refusal(error: clap::Error, words: &[OsString]) -> Refusal {
    let context = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.clone()),
        Some(ContextValue::Strings(texts)) => Some(texts.join(", ")),
        _ => None,
    };
    let sentence = match (error.kind(), context(ContextKind::InvalidArg)) {
        (ErrorKind::UnknownArgument, Some(option)) => {
            let name = option.trim_start_matches('-').to_owned();
            let verb = words.get(1).map(|verb| verb.to_string_lossy().into_owned());
            let verb = verb.unwrap_or_default();
            let cards = pessoi::games::all();
            let verbs = cards.iter().map(|game| game.card().verbs_of(&name));
            match (verbs.max_by_key(String::len), context(ContextKind::SuggestedArg)) {
                (Some(verbs), _) if option.starts_with("--") && !verbs.is_empty() => {
                    format!("{verb} takes no {option}; {verbs} do.")
                }
                (_, Some(near)) => {
                    format!("{verb} takes no {option}; did you mean {near}?")
                }
                _ => format!("{verb} takes no {option}; pessoi {verb} --help lists what it takes."),
            }
        }
        (ErrorKind::InvalidSubcommand, _) => {
            let word = context(ContextKind::InvalidSubcommand).unwrap_or_default();
            match context(ContextKind::SuggestedSubcommand) {
                Some(near) => format!("There is no command {word:?}; did you mean {near}?"),
                None => format!("There is no command {word:?}; pessoi --help lists them."),
            }
        }
        (ErrorKind::MissingRequiredArgument, Some(missing)) => {
            format!("Something is missing: {missing}.")
        }
        _ => return Refusal::Clap(error),
    };
    Refusal::Sentence(Error::input(sentence))
}

fn reproduce(matches: &ArgMatches) -> Result<Order, Error> {
    let text = |name: &str| matches.get_one::<String>(name).map(String::as_str);
    let papers = match (text("paper"), text("data")) {
        (Some(_), Some(_)) => {
            return Err(Error::input("Give a paper's name or --data with a file, not both."));
        }
        (name, None) => pessoi::reproduce::papers(name)?,
        (None, Some(file)) => vec![Paper::parse(&read_text(file)?)?],
    };
    let time = match text("budget") {
        Some("all") => None,
        Some(time) => Some(duration("budget", time)?),
        None => Some(Duration::from_mins(1)),
    };
    Ok(Order::Reproduce {
        papers,
        table: text("table").map(str::to_owned),
        time,
        budget: budget(matches)?,
        form: Form::parse(text("format").unwrap_or("text"))?,
        output: matches.get_one::<PathBuf>("output").cloned(),
    })
}

fn job(verb: &str, matches: &ArgMatches) -> Result<Job, Error> {
    let Some(verb) = Verb::ALL.into_iter().find(|known| known.name() == verb) else {
        return Err(Error::internal(format!("{verb} is no verb")));
    };
    let question = question(verb, matches)?;
    let format = match matches.get_one::<String>("format") {
        Some(name) => Format::parse(name)?,
        None => Format::Text,
    };
    let output = matches.get_one::<PathBuf>("output").cloned();
    let graph = graph::read_asking(&question, matches)?;
    Ok(Job { question, budget: budget(matches)?, format, output, graph })
}

/// The question that the arguments of a verb ask.
pub(crate) fn question(verb: Verb, matches: &ArgMatches) -> Result<Question, Error> {
    let game = word(matches, "game")?;
    // The game first: whoever mistypes it need not hear about boards.
    let card = pessoi::games::open(game)?.card();
    let mut question =
        Question { verb, game: game.to_owned(), place: Place::Nowhere, options: BTreeMap::new() };
    for opt in all_options(verb) {
        if opt.kind == Kind::Flag {
            if matches.get_flag(opt.name) {
                question.options.insert(opt.name.to_owned(), true.into());
            }
        } else if let Some(text) = matches.get_one::<String>(opt.name) {
            // The game's own kind, if it has this option; the check below refuses it else.
            let kind = card.option(opt.name, verb).map_or(opt.kind, |own| own.kind);
            let setting = match kind {
                Kind::File(_) => kind.parse(opt.name, &read_text(text)?)?,
                _ => kind.parse(opt.name, text)?,
            };
            question.options.insert(opt.name.to_owned(), setting);
        }
    }
    question.check(card)?;
    if let Some(word) = matches.get_one::<String>("place") {
        question.place = place(word)?;
    }
    Ok(question)
}

fn word<'m>(matches: &'m ArgMatches, name: &str) -> Result<&'m str, Error> {
    // Clap requires these words.
    let word = matches.get_one::<String>(name);
    word.map(String::as_str).ok_or_else(|| Error::internal(format!("no {name}")))
}

/// A shape, a size, a drawing's file, or a drawing on standard input.
fn place(word: &str) -> Result<Place, Error> {
    if word == "-" {
        return Place::parse(&as_drawing(&read_text("-")?));
    }
    // Shapes and sizes have none of these signs; drawings and most paths do.
    let is_name = !word.contains(['.', '#', '/', '\\']);
    let looks_like_path =
        word.contains(['/', '\\']) || (!is_name && word.contains(char::is_alphabetic));
    match Place::parse(word) {
        Ok(place) if is_name => Ok(place),
        _ if looks_like_path || Path::new(word).exists() => {
            Place::parse(&as_drawing(&read_text(word)?))
        }
        // Without a digit it was hardly meant for a shape.
        Err(_) if is_name && !word.contains(|c: char| c.is_ascii_digit()) => Err(Error::input(
            format!("{word:?} is neither a shape, such as 8x8 or P3x4, nor a file with a drawing."),
        )),
        result => result,
    }
}

/// A drawing of one row, without its line end, could be taken for a size.
fn as_drawing(text: &str) -> String {
    format!("{}\n", text.trim_end_matches(['\r', '\n']))
}

/// The largest file that is read: far above any board, far below any memory.
const MOST_BYTES: u64 = 1 << 30;

fn read_text(file: &str) -> Result<String, Error> {
    String::from_utf8(read_bytes(file)?).map_err(|_| {
        Error::input(format!("The file {file:?} cannot be read: it is not text (UTF-8)."))
    })
}

fn read_bytes(file: &str) -> Result<Vec<u8>, Error> {
    let cannot = |why: String| Error::input(format!("The file {file:?} cannot be read: {why}."));
    let read = |source: &mut dyn Read| {
        let mut bytes = Vec::new();
        let size = source.take(MOST_BYTES + 1).read_to_end(&mut bytes);
        match size {
            Ok(size) if size as u64 > MOST_BYTES => Err(cannot("it is over 1 GiB large".into())),
            Ok(_) => Ok(bytes),
            Err(error) => Err(cannot(reason(&error))),
        }
    };
    if file == "-" {
        return read(&mut std::io::stdin().lock());
    }
    if Path::new(file).is_dir() {
        return Err(cannot("it is a folder".into()));
    }
    match std::fs::File::open(file) {
        Ok(mut source) => read(&mut source),
        Err(error) => Err(cannot(reason(&error))),
    }
}

/// What the system says, as part of a sentence.
pub(crate) fn reason(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "there is no such file or folder".into(),
        std::io::ErrorKind::PermissionDenied => "permission is denied".into(),
        _ => error.to_string(),
    }
}

pub(crate) fn budget(matches: &ArgMatches) -> Result<Budget, Error> {
    // Not every command has every limit.
    let text = |name: &str| matches.try_get_one::<String>(name).ok().flatten().map(String::as_str);
    let number = |name: &str, least: u64, most: u64| match text(name).map(str::parse::<u64>) {
        None => Ok(None),
        Some(Ok(number)) if (least..=most).contains(&number) => Ok(Some(number)),
        Some(_) => Err(Error::input(format!(
            "--{name} {:?} is not accepted: give a whole number from {least} to {most}.",
            text(name).unwrap_or_default()
        ))),
    };
    let threads = number("threads", 1, 1024)?.map_or_else(machine::threads, |n| n as usize);
    Ok(Budget {
        time: text("time").map(|time| duration("time", time)).transpose()?,
        memory: text("memory").map(bytes).transpose()?.or_else(machine::memory),
        threads,
        seed: number("seed", 0, u64::MAX)?.unwrap_or(1),
    })
}

/// `90`, `90s`, `1.5m`, `2h` or `500ms`.
fn duration(name: &str, text: &str) -> Result<Duration, Error> {
    let (number, unit) = split_unit(text);
    let scale = match unit {
        "" | "s" => 1.0,
        "ms" => 1e-3,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        "d" => 86400.0,
        _ => f64::NAN,
    };
    let seconds = number.parse::<f64>().unwrap_or(f64::NAN) * scale;
    if seconds > 0.0 && seconds < 1e9 {
        return Ok(Duration::from_secs_f64(seconds));
    }
    Err(Error::input(format!(
        "--{name} {text:?} is not accepted: give a time such as 90s, 1.5m or 2h."
    )))
}

/// Below this nothing useful can be done.
const LEAST_MEMORY: u64 = 1 << 20;

/// `4G`, `512M`, `1.5g` or `3000000000`.
fn bytes(text: &str) -> Result<u64, Error> {
    let (number, unit) = split_unit(text);
    let scale: f64 = match unit.to_ascii_uppercase().trim_end_matches('B').trim_end_matches('I') {
        "" => 1.0,
        "K" => 1024.0,
        "M" => 1024f64.powi(2),
        "G" => 1024f64.powi(3),
        "T" => 1024f64.powi(4),
        _ => f64::NAN,
    };
    let bytes = number.parse::<f64>().unwrap_or(f64::NAN) * scale;
    if bytes.is_nan() || !(0.0..1e18).contains(&bytes) {
        return Err(Error::input(format!(
            "--memory {text:?} is not accepted: give a size such as 512M or 4G."
        )));
    }
    if (bytes as u64) < LEAST_MEMORY {
        return Err(Error::input(format!(
            "--memory {text:?} is too little: at least 1M is needed."
        )));
    }
    Ok(bytes as u64)
}

fn split_unit(text: &str) -> (&str, &str) {
    let text = text.trim();
    let end = text.find(|c: char| c.is_alphabetic()).unwrap_or(text.len());
    (text[..end].trim(), text[end..].trim())
}

/// The options of all games for a verb, each name once.
fn all_options(verb: Verb) -> Vec<&'static Opt> {
    let mut options: Vec<&'static Opt> = Vec::new();
    for game in pessoi::games::all() {
        let card: &'static pessoi::Card = game.card();
        for opt in card.options {
            if opt.verbs.contains(&verb) && options.iter().all(|known| known.name != opt.name) {
                options.push(opt);
            }
        }
    }
    options
}

/// The options of all games for a verb, as arguments.
pub(crate) fn options_of(verb: Verb) -> Vec<Arg> {
    all_options(verb).into_iter().map(option).collect()
}

/// The whole command, from which help, completions and the manual are made too.
///
/// For completions the games are `named` as the values that there are; otherwise a game
/// that does not exist is left to us, who have a better answer than clap.
fn command(named: bool) -> Command {
    let mut command = Command::new("pessoi")
        .version(env!("CARGO_PKG_VERSION"))
        .about("Finds, counts, lists, classifies, samples and estimates the solutions of board puzzles")
        .after_help(
            "Exit codes: 0 answered, 1 proved that there is none, 2 bad input, 3 gave up (a limit \
             was hit), 130 interrupted, 70 the program contradicted itself.\n\nTry: pessoi find diplomatico 10x10",
        )
        .subcommand_required(true)
        .arg_required_else_help(true);
    for verb in Verb::ALL {
        command = command.subcommand(asking(verb, named));
    }
    let mut plan = Command::new("plan")
        .about("Say how a question would be answered, and at what cost")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .disable_help_subcommand(true);
    for verb in Verb::ALL {
        plan = plan.subcommand(asking(verb, named));
    }
    command
        .subcommand(plan)
        .subcommand(graph::command())
        .subcommand(
            Command::new("verify")
                .about("Check a saved answer (from --format json or packed) by independent code")
                .arg(saved_file())
                .args(limits()),
        )
        .subcommand(
            Command::new("convert")
                .about("Write a saved answer (from --format json or packed) in another format")
                .arg(saved_file())
                .arg(format_arg("what the answer can be written as: text, json, csv …".into()))
                .arg(output_arg()),
        )
        .subcommand(reproducing())
        .subcommand(
            Command::new("games")
                .about("Show the games, or one game's card")
                .arg(Arg::new("game").value_name("GAME").help("a game's name")),
        )
        .subcommand(
            Command::new("completions").about("Print shell completions").arg(
                Arg::new("shell")
                    .value_name("SHELL")
                    .required(true)
                    .value_parser(clap::value_parser!(Shell)),
            ),
        )
        .subcommand(Command::new("man").about("Print the manual page"))
}

fn asking(verb: Verb, named: bool) -> Command {
    let names: Vec<_> = pessoi::games::all()
        .iter()
        .map(|game| game.card())
        .filter(|card| card.verbs.contains(&verb))
        .map(|card| card.name)
        .collect();
    let mut game =
        Arg::new("game").value_name("GAME").required(true).help("a game's name (pessoi games)");
    if named {
        game = game.value_parser(PossibleValuesParser::new(names.clone()));
    }
    let command = Command::new(verb.name())
        .about(verb.help())
        .after_help(format!(
            "Answered by: {}. What an option means to a game: pessoi games GAME.",
            names.join(", ")
        ))
        .arg(game)
        .arg(
            Arg::new("place")
                .value_name("BOARD")
                .help("a shape (8x8, P3x4), a size (12), a drawing's file, or - to read a drawing"),
        )
        .args(options_of(verb))
        .args(limits())
        .arg(format_arg(format!("one of {}", writable(verb))))
        .arg(output_arg());
    graph::asking(command, verb)
}

fn reproducing() -> Command {
    let text = |name: &'static str, value: &'static str, help: &'static str| {
        Arg::new(name).long(name).value_name(value).help(help)
    };
    Command::new("reproduce")
        .about("Compute the published values of the papers again, and compare")
        .after_help("Exit codes: 0 as expected, 1 a value disagrees, 3 a value was given up.")
        .arg(
            Arg::new("paper")
                .value_name("PAPER")
                .help("diplomatico, knight, hex or go [default: all]"),
        )
        .arg(text("table", "NAME", "only this table, theorem, section or figure, such as 3"))
        .arg(text(
            "budget",
            "TIME",
            "what can be computed in this time, such as 1m or 1h, or all [default: 1m]",
        ))
        .arg(text("data", "FILE", "a data file of your own instead of the papers"))
        .args(
            limits()
                .into_iter()
                .filter(|arg| arg.get_id() == "memory" || arg.get_id() == "threads"),
        )
        .arg(format_arg("text, markdown, html or json".into()))
        .arg(output_arg())
}

fn saved_file() -> Arg {
    Arg::new("file").value_name("FILE").required(true).help("the answer, or -")
}

fn format_arg(help: String) -> Arg {
    Arg::new("format").long("format").value_name("FORMAT").help_heading("Output").help(help)
}

fn output_arg() -> Arg {
    Arg::new("output")
        .long("output")
        .short('o')
        .value_name("FILE")
        .value_parser(clap::value_parser!(PathBuf))
        .help_heading("Output")
        .help("write to this file, which appears when it is complete")
}

fn writable(verb: Verb) -> String {
    let cards: Vec<_> = pessoi::games::all().iter().map(|game| *game.card()).collect();
    let formats =
        Format::ALL.into_iter().filter(|format| cards.iter().any(|card| format.holds(verb, card)));
    formats.map(Format::name).collect::<Vec<_>>().join(", ")
}

fn option(opt: &'static Opt) -> Arg {
    let arg = Arg::new(opt.name).long(opt.name).help(StyledStr::from(opt.help));
    if opt.kind == Kind::Flag {
        arg.action(ArgAction::SetTrue)
    } else {
        arg.value_name(opt.kind.placeholder()).allow_hyphen_values(true)
    }
}

pub(crate) fn limits() -> Vec<Arg> {
    let limit = |name: &'static str, value: &'static str, help: &'static str| {
        Arg::new(name)
            .long(name)
            .value_name(value)
            .help(help)
            .help_heading("Limits")
            .allow_hyphen_values(true)
    };
    vec![
        limit("time", "TIME", "give up after this time, such as 90s, 5m or 2h"),
        limit(
            "memory",
            "SIZE",
            "give up rather than use more, such as 4G [default: most of what is free]",
        ),
        limit("threads", "N", "threads to use [default: one a core]"),
        limit("seed", "N", "where randomness starts [default: 1]"),
    ]
}

pub(crate) fn completions(shell: Shell) -> String {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command(true), "pessoi", &mut script);
    String::from_utf8_lossy(&script).into_owned()
}

/// The manual: one page, with a section for each subcommand.
pub(crate) fn man() -> Result<String, Error> {
    let render = || -> std::io::Result<Vec<u8>> {
        let mut page = Vec::new();
        let command = command(false);
        clap_mangen::Man::new(command.clone()).render(&mut page)?;
        for sub in command.get_subcommands() {
            let about = sub.get_about().map(ToString::to_string).unwrap_or_default();
            writeln!(page, ".SH \"PESSOI {}\"\n{about}.", sub.get_name().to_uppercase())?;
            let mut options = Vec::new();
            clap_mangen::Man::new(sub.clone()).render_options_section(&mut options)?;
            // Sections of a section.
            let options = String::from_utf8_lossy(&options).replace(".SH ", ".SS ");
            page.write_all(options.as_bytes())?;
        }
        Ok(page)
    };
    let page = render().map_err(|error| Error::internal(error.to_string()))?;
    // One page holds everything, so nothing is said of pages for single commands.
    let page =
        String::from_utf8_lossy(&page).replace("(1)\n", "\n").replace("pessoi\\-", "pessoi ");
    Ok(page.replace(".SH EXTRA", ".SH NOTES"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_is_sound() {
        command(false).debug_assert();
        command(true).debug_assert();
    }

    #[test]
    fn times_and_sizes() {
        assert_eq!(duration("time", "90").unwrap(), Duration::from_secs(90));
        assert_eq!(duration("time", "1.5m").unwrap(), Duration::from_secs(90));
        assert_eq!(duration("time", "500ms").unwrap(), Duration::from_millis(500));
        assert_eq!(bytes("4G").unwrap(), 4 << 30);
        assert_eq!(bytes("512 MiB").unwrap(), 512 << 20);
        for bad in ["", "s", "-1s", "1y", "nan", "inf", "1e99h"] {
            assert!(duration("time", bad).is_err(), "{bad}");
        }
        for bad in ["", "G", "-4G", "4X", "nan", "1e99"] {
            let error = bytes(bad).unwrap_err().to_string();
            assert!(error.contains("such as 512M or 4G"), "{error}");
        }
        assert!(bytes("1K").unwrap_err().to_string().contains("at least 1M"));
    }
}
