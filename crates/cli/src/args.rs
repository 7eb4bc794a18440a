//! The command line: defined from the games' cards, read into an [`Order`].
//!
//! Each verb has a command for each game that answers it, with what that game takes there.
//! To start fast, only the command that is asked for is filled in; completions and the manual
//! fill in all.

use std::ffi::OsString;
use std::io::Write;
use std::mem::ManuallyDrop;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, ArgAction, ArgMatches, Command};
use clap_complete::Shell;
use pessoi::card::{METHOD, Opt};
use pessoi::{
    Budget, Card, Catalogue, Disk, Effort, Error, Format, Kind, Menu, Question, Share, Store,
    Style, Verb, compare, export, limits,
};
use pessoi_reproduce::{Form, Paper, Runs, Spend};

use crate::watch::Logging;
use crate::{files, graph, machine, output, serve};

/// What the user wants done.
pub(crate) enum Order {
    /// Answer a question.
    Ask(Task),
    /// Say how a question would be answered.
    Plan(Task),
    /// Answer a question by every method that takes it.
    Compare {
        question: Question,
        /// How long each may take.
        each: Option<Duration>,
        budget: Budget,
        format: &'static dyn Format,
        style: Style,
        output: Option<PathBuf>,
    },
    /// Check a saved answer.
    Verify {
        saved: Vec<u8>,
        effort: Effort,
        json: bool,
        budget: Budget,
    },
    /// Print how a saved answer is cited.
    Cite(Vec<u8>),
    /// Write a saved answer in another format.
    Convert {
        saved: Vec<u8>,
        format: Option<String>,
        style: Style,
        output: Option<PathBuf>,
    },
    /// Merge the saved answers of all parts into that of the whole.
    Merge {
        /// Names and contents.
        parts: Vec<(String, Vec<u8>)>,
        format: Option<String>,
        style: Style,
        output: Option<PathBuf>,
    },
    /// Compute published values again.
    Reproduce {
        papers: Vec<Paper>,
        table: Option<String>,
        spend: Spend,
        stored: Runs,
        /// Where what is computed is stored.
        runs: Option<PathBuf>,
        budget: Budget,
        form: Form,
        output: Option<PathBuf>,
    },
    /// Work with a graph database.
    Graph(graph::Task),
    /// Serve the web app.
    Serve(pessoi_web::Options),
    /// Show all games, or one; as JSON or as text.
    Games {
        game: Option<String>,
        json: bool,
    },
    /// Print JSON Schemas.
    Schema(Option<String>),
    Completions(Shell),
    Man,
}

/// A question, its limits, and where the answer goes.
pub(crate) struct Task {
    pub(crate) question: Question,
    pub(crate) budget: Budget,
    pub(crate) store: Option<Store>,
    pub(crate) disk: Option<Arc<Disk>>,
    pub(crate) share: Option<Arc<Share>>,
    pub(crate) format: &'static dyn Format,
    pub(crate) style: Style,
    pub(crate) output: Option<PathBuf>,
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

/// Which commands of games are filled in.
#[derive(Clone, Copy)]
pub(crate) enum Scope<'a> {
    /// Those whose own name and whose game's name are among these words: the others are not asked
    /// for, and to fill in all takes longer than a small count.
    Words(&'a [OsString]),
    All,
}

impl Scope<'_> {
    fn holds(self, command: &str, card: &Card) -> bool {
        match self {
            Scope::Words(words) => {
                [command, card.name].iter().all(|name| words.iter().any(|word| word == name))
            }
            Scope::All => true,
        }
    }
}

/// Reads the command line.
pub(crate) fn read(
    catalogue: &Catalogue,
    words: impl IntoIterator<Item = OsString>,
) -> Result<(Order, Option<Logging>), Refusal> {
    let words = game_first(catalogue, words.into_iter().collect());
    refuse_negative_sizes(&words)?;
    // Clap's tree of commands has thousands of strings. The program ends before it pays to free them.
    let mut command = ManuallyDrop::new(command(catalogue, Scope::Words(&words)));
    let matches = command
        .try_get_matches_from_mut(&words)
        .map_err(|error| refusal(catalogue, error, &words))?;
    // Clap requires a subcommand.
    let Some((name, matches)) = matches.subcommand() else {
        return Err(Error::internal("no subcommand").into());
    };
    let text = |name: &str| matches.get_one::<String>(name).cloned();
    let logging = logging(matches)?;
    let order = match name {
        "games" => Order::Games {
            game: text("game"),
            json: is_json(text("format").as_deref(), "The list of games")?,
        },
        "schema" => Order::Schema(text("name")),
        "completions" => match matches.get_one::<Shell>("shell") {
            Some(shell) => Order::Completions(*shell),
            None => return Err(Error::internal("no shell").into()),
        },
        "man" => Order::Man,
        "verify" => {
            let saved = files::bytes(word(matches, "file")?)?;
            let effort = if matches.get_flag("again") { Effort::Again } else { Effort::Usual };
            let json = is_json(text("format").as_deref(), "What checking found")?;
            Order::Verify { saved, effort, json, budget: budget(matches)? }
        }
        "cite" => Order::Cite(files::bytes(word(matches, "file")?)?),
        "convert" => {
            let output = matches.get_one::<PathBuf>("output").cloned();
            let mut style = output::style(output.as_deref());
            choose_looks(&mut style, all_format_options(catalogue), matches)?;
            let saved = files::bytes(word(matches, "file")?)?;
            Order::Convert { saved, format: text("format"), style, output }
        }
        "merge" => {
            let output = matches.get_one::<PathBuf>("output").cloned();
            let mut style = output::style(output.as_deref());
            choose_looks(&mut style, all_format_options(catalogue), matches)?;
            let names = matches.get_many::<String>("file").unwrap_or_default();
            let parts = names.map(|name| Ok((name.clone(), files::bytes(name)?)));
            let parts = parts.collect::<Result<_, Error>>()?;
            Order::Merge { parts, format: text("format"), style, output }
        }
        "reproduce" => reproduce(matches)?,
        "plan" => match matches.subcommand() {
            Some((verb, matches)) => Order::Plan(task(catalogue, verb, matches)?),
            None => return Err(Error::internal("no verb to plan").into()),
        },
        "compare" => match matches.subcommand() {
            Some((verb, matches)) => comparison(catalogue, verb, matches)?,
            None => return Err(Error::internal("no verb to compare").into()),
        },
        "graph" => Order::Graph(graph::read(catalogue, matches)?),
        "serve" => Order::Serve(serve::read(matches)?),
        "cluster" => {
            let sentence = "Clusters are asked from Python, because Spark is: after pip install \
                            '.[cluster]' in a clone, its command pessoi has pessoi cluster.";
            return Err(Error::unsupported("cluster", sentence).into());
        }
        verb => Order::Ask(task(catalogue, verb, matches)?),
    };
    Ok((order, logging))
}

/// Where progress is logged: an option of the innermost command.
fn logging(mut matches: &ArgMatches) -> Result<Option<Logging>, Error> {
    while let Some((_, inner)) = matches.subcommand() {
        matches = inner;
    }
    // Not every command can be logged.
    let given = |name: &str| matches.try_get_one::<String>(name).ok().flatten();
    let path = |name: &str| matches.try_get_one::<PathBuf>(name).ok().flatten();
    let every = given("log-every").map(|text| limits::duration("log-every", text)).transpose()?;
    let Some(file) = path("log").cloned() else {
        return match every {
            Some(_) => Err(Error::conflict("log-every", "--log-every needs --log FILE.")),
            None => Ok(None),
        };
    };
    if ["output", "checkpoint"].iter().any(|other| path(other) == Some(&file)) && !file.eq("-") {
        return Err(Error::conflict("log", "The log needs a file of its own."));
    }
    Ok(Some(Logging { file, every: every.unwrap_or(Duration::from_secs(10)) }))
}

/// Whether JSON is asked for, of what can be written as text or JSON.
pub(crate) fn is_json(format: Option<&str>, what: &str) -> Result<bool, Error> {
    match format {
        None | Some("text") => Ok(false),
        Some("json") => Ok(true),
        Some(other) => Err(Error::new(
            pessoi::Code::Unsupported,
            "format",
            format!("{what} cannot be written as {other}; it can be written as text, json."),
        )),
    }
}

/// Puts the game behind its verb, so that options may stand before it, and calls the verb by its
/// name.
fn game_first(catalogue: &Catalogue, mut words: Vec<OsString>) -> Vec<OsString> {
    let verb_of = |word: &OsString| word.to_str().and_then(|word| Verb::parse(word).ok());
    let is_game = |word: &OsString| word.to_str().is_some_and(|word| catalogue.game(word).is_ok());
    let verb = words.iter().take(3).position(|word| verb_of(word).is_some());
    if let Some(at) = verb
        && let Some(verb) = verb_of(&words[at])
    {
        words[at] = verb.name().into();
    }
    if let Some(verb) = verb
        && let Some(game) = words.iter().position(is_game)
        && game > verb + 1
    {
        let word = words.remove(game);
        words.insert(verb + 1, word);
    }
    words
}

/// A negative size would look like a flag to clap; it deserves a better answer.
fn refuse_negative_sizes(words: &[OsString]) -> Result<(), Error> {
    let is_negative = |word: &str| {
        let mut chars = word.chars();
        chars.next() == Some('-') && chars.next().is_some_and(|c| c.is_ascii_digit())
    };
    for pair in words.windows(2) {
        let [before, word] = pair else { continue };
        let belongs_to_option = before.to_string_lossy().starts_with("--");
        if let (Some(word), false) = (word.to_str(), belongs_to_option)
            && is_negative(word)
            && let Err(error) = pessoi::Place::parse(word)
        {
            return Err(error);
        }
    }
    Ok(())
}

/// Says in a sentence what clap found wrong, where we know better than clap.
fn refusal(catalogue: &Catalogue, error: clap::Error, words: &[OsString]) -> Refusal {
    let context = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.clone()),
        Some(ContextValue::Strings(texts)) => Some(texts.join(", ")),
        _ => None,
    };
    let words: Vec<&str> = words.iter().skip(1).filter_map(|word| word.to_str()).collect();
    let is_about_verb = ["plan", "compare"].iter().any(|word| words.first() == Some(word));
    let words = if is_about_verb { &words[1..] } else { &words[..] };
    let verb = words.first().and_then(|word| Verb::parse(word).ok());
    let game = words.get(1).and_then(|word| catalogue.game(word).ok());
    let sentence = match (error.kind(), context(ContextKind::InvalidArg)) {
        (ErrorKind::UnknownArgument, Some(option)) => {
            let name = option.trim_start_matches('-');
            if let (Some(verb), Some(game), true) = (verb, game, option.starts_with("--")) {
                let menu = catalogue.menu(game.card(), verb);
                // A question of this game says best what is wrong with its options.
                if let Ok(mut question) = Question::new(verb, game.card().name, "")
                    && let Err(error) = question.set(&menu, name, "true")
                {
                    return error.into();
                }
            }
            if !option.starts_with('-')
                && let (Some(verb), Some(game)) = (verb, game)
            {
                let name = game.card().name;
                let sentence =
                    format!("{verb} {name} takes one place; {option:?} is one too many.");
                return Error::place(sentence).into();
            }
            let command = words.first().copied().unwrap_or_default();
            match context(ContextKind::SuggestedArg) {
                Some(near) => format!("{command} takes no {option}; did you mean {near}?"),
                None => format!(
                    "{command} takes no {option}; pessoi {command} --help lists what it takes."
                ),
            }
        }
        (ErrorKind::InvalidSubcommand, _) => {
            let word = context(ContextKind::InvalidSubcommand).unwrap_or_default();
            if let Some(verb) = verb {
                return match catalogue.game(&word) {
                    Err(error) => error.into(),
                    Ok(game) => cannot_answer(catalogue, game.card(), verb).into(),
                };
            }
            match context(ContextKind::SuggestedSubcommand) {
                Some(near) => format!("There is no command {word:?}; did you mean {near}?"),
                None => format!("There is no command {word:?}; pessoi --help lists them."),
            }
        }
        (ErrorKind::MissingRequiredArgument, Some(missing)) => {
            // Several words are shown with dots.
            format!("Something is missing: {}.", missing.trim_end_matches('.'))
        }
        (ErrorKind::InvalidValue, Some(option))
            if context(ContextKind::InvalidValue).is_none_or(|value| value.is_empty()) =>
        {
            format!("{option} needs a value.")
        }
        (ErrorKind::ArgumentConflict, Some(option))
            if context(ContextKind::PriorArg).is_none_or(|prior| prior == option) =>
        {
            format!("{option} is given twice: give it once.")
        }
        (ErrorKind::InvalidUtf8, _) => {
            "An argument is not text in UTF-8: give names and options in UTF-8.".into()
        }
        _ => return Refusal::Clap(error),
    };
    Refusal::Sentence(Error::input(sentence))
}

/// What the library says to a verb that a game does not answer.
fn cannot_answer(catalogue: &Catalogue, card: &Card, verb: Verb) -> Error {
    let question = Question::new(verb, card.name, "");
    match question.and_then(|question| question.check(&catalogue.menu(card, verb))) {
        Err(error) => error,
        Ok(()) => Error::internal(format!("{} answers {verb}", card.name)),
    }
}

fn reproduce(matches: &ArgMatches) -> Result<Order, Error> {
    let text = |name: &str| matches.get_one::<String>(name).map(String::as_str);
    let papers = match (text("paper"), text("data")) {
        (Some(_), Some(_)) => {
            return Err(Error::input("Give a paper's name or --data with a file, not both."));
        }
        (name, None) => pessoi_reproduce::papers(name)?,
        (None, Some(file)) => vec![Paper::parse(&files::text(file)?)?],
    };
    let spend = match text("budget") {
        Some("all") => Spend::Everything,
        Some("none") => Spend::Nothing,
        Some(time) => Spend::Time(limits::duration("budget", time)?),
        None => Spend::Time(Duration::from_mins(1)),
    };
    let runs = matches.get_one::<PathBuf>("runs").cloned();
    let stored = match runs.as_deref() {
        None => Runs::built_in()?,
        Some(file) if !file.exists() => Runs::default(),
        Some(file) => Runs::parse(&files::text(&file.to_string_lossy())?)?,
    };
    Ok(Order::Reproduce {
        papers,
        table: text("table").map(str::to_owned),
        spend,
        stored,
        runs,
        budget: budget(matches)?,
        form: Form::parse(text("format").unwrap_or("text"))?,
        output: matches.get_one::<PathBuf>("output").cloned(),
    })
}

fn task(catalogue: &Catalogue, verb: &str, matches: &ArgMatches) -> Result<Task, Error> {
    let verb = Verb::parse(verb)?;
    let Some((game, matches)) = matches.subcommand() else {
        return Err(Error::internal("no game"));
    };
    let question = question(catalogue, verb, game, matches)?;
    let card = catalogue.game(game)?.card();
    let output = matches.get_one::<PathBuf>("output").cloned();
    let by_name = matches.get_one::<String>("format");
    let by_name = by_name.map(|id| catalogue.format(card, verb, id)).transpose()?;
    let path = output.as_ref().and_then(|path| path.to_str());
    let format = match (by_name, path) {
        (None, Some(path)) => catalogue.format_of_path(card, verb, path)?,
        (by_name, _) => by_name,
    };
    let format = format.map_or_else(|| catalogue.format(card, verb, "text"), Ok)?;
    let mut style = output::style(output.as_deref());
    choose_looks(&mut style, format_options(catalogue, card, verb), matches)?;
    let (store, disk, share) = (store(matches)?, disk(matches)?, share(matches)?);
    Ok(Task { question, budget: budget(matches)?, store, disk, share, format, style, output })
}

/// A question that every method is to answer.
fn comparison(catalogue: &Catalogue, verb: &str, matches: &ArgMatches) -> Result<Order, Error> {
    let verb = Verb::parse(verb)?;
    let Some((game, matches)) = matches.subcommand() else {
        return Err(Error::internal("no game"));
    };
    let question = question(catalogue, verb, game, matches)?;
    let output = matches.get_one::<PathBuf>("output").cloned();
    let ending = output.as_ref().and_then(|path| path.extension()?.to_str());
    let format = match matches.get_one::<String>("format") {
        Some(id) => compare::format(id)?,
        None => compare::formats()
            .find(|format| ending == Some(format.extension()))
            .map_or_else(|| compare::format("text"), Ok)?,
    };
    let mut style = output::style(output.as_deref());
    choose_looks(&mut style, each_once(compare::formats().flat_map(Format::options)), matches)?;
    let mut budget = budget(matches)?;
    let each = budget.time.take();
    Ok(Order::Compare { question, each, budget, format, style, output })
}

/// Takes the options of formats from the arguments.
fn choose_looks(
    style: &mut Style,
    options: Vec<&'static Opt>,
    matches: &ArgMatches,
) -> Result<(), Error> {
    for opt in options {
        if opt.kind == Kind::Flag {
            if matches.get_flag(opt.name) {
                style.options.insert(opt.name.to_owned(), true.into());
            }
        } else if let Some(text) = matches.get_one::<String>(opt.name) {
            style.options.insert(opt.name.to_owned(), opt.parse(text, &[])?);
        }
    }
    Ok(())
}

/// The question that the arguments of a verb and a game ask.
pub(crate) fn question(
    catalogue: &Catalogue,
    verb: Verb,
    game: &str,
    matches: &ArgMatches,
) -> Result<Question, Error> {
    let menu = catalogue.menu(catalogue.game(game)?.card(), verb);
    let mut question = Question::new(verb, game, "")?;
    for opt in menu.all_options() {
        if opt.kind == Kind::Flag {
            if matches.get_flag(opt.name) {
                question.set(&menu, opt.name, "true")?;
            }
        } else if let Some(text) = matches.get_one::<String>(opt.name) {
            match opt.kind {
                Kind::File(_) => question.set(&menu, opt.name, &files::foreign_text(text)?)?,
                _ => question.set(&menu, opt.name, text)?,
            }
        }
    }
    if let Some(word) = matches.get_one::<String>("place") {
        question.place = files::place(word)?;
    }
    question.check(&menu)?;
    Ok(question)
}

fn word<'m>(matches: &'m ArgMatches, name: &str) -> Result<&'m str, Error> {
    // Clap requires these words.
    let word = matches.get_one::<String>(name);
    word.map(String::as_str).ok_or_else(|| Error::internal(format!("no {name}")))
}

pub(crate) fn budget(matches: &ArgMatches) -> Result<Budget, Error> {
    // Not every command has every limit.
    let text = |name: &str| matches.try_get_one::<String>(name).ok().flatten().map(String::as_str);
    limits::budget(text, &no_limits())
}

/// The limits of a command that has none: only what the machine sets.
pub(crate) fn no_limits() -> Budget {
    Budget { memory: machine::memory(), threads: machine::threads(), ..Budget::default() }
}

/// Where a job may put what does not fit into memory: a folder, and how much at most.
fn disk(matches: &ArgMatches) -> Result<Option<Arc<Disk>>, Error> {
    matches.get_one::<String>("disk").map(|text| limits::disk(text)).transpose()
}

/// Where a job meets the other parts of its question.
fn share(matches: &ArgMatches) -> Result<Option<Arc<Share>>, Error> {
    matches.get_one::<PathBuf>("share").map(|folder| limits::share(folder)).transpose()
}

/// Where a job saves itself.
fn store(matches: &ArgMatches) -> Result<Option<Store>, Error> {
    let every = matches.get_one::<String>("checkpoint-every").map(String::as_str);
    let path = matches.get_one::<PathBuf>("checkpoint").map(PathBuf::as_path);
    limits::store(path, every, matches.get_flag("resume"))
}

/// The whole command, from which help, completions and the manual are made too.
fn command(catalogue: &Catalogue, scope: Scope) -> Command {
    let mut command = Command::new("pessoi")
        .version(env!("CARGO_PKG_VERSION"))
        .about("Finds, counts, lists, classifies, samples and estimates the solutions of board puzzles")
        .after_help(
            "Exit codes: 0 answered, 1 proved that there is none (or: a saved answer does not \
             hold), 2 bad input (or: the answer could not be written), 3 a limit was reached (or: a saved answer could not be \
             checked), 130 interrupted, 70 the program contradicted itself.\n\nTry: pessoi find diplomatico 10x10",
        )
        .subcommand_required(true)
        .arg_required_else_help(true);
    for verb in Verb::ALL {
        command = command.subcommand(asking(catalogue, *verb, scope));
    }
    let mut plan = Command::new("plan")
        .about("Show how a question would be answered, and at what cost")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .disable_help_subcommand(true);
    for verb in Verb::ALL {
        plan = plan.subcommand(asking(catalogue, *verb, scope));
    }
    let mut comparing = Command::new("compare")
        .about("Answer a question by every method that takes it, and compare")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .disable_help_subcommand(true);
    for verb in Verb::ALL {
        comparing = comparing.subcommand(compared(catalogue, *verb, scope));
    }
    command
        .subcommand(plan)
        .subcommand(comparing)
        .subcommand(graph::command(catalogue, scope))
        .subcommand(serve::command())
        .subcommand(
            Command::new("cluster")
                .about("Answer a question on a Spark cluster (with the Python package)")
                .disable_help_flag(true)
                .arg(
                    Arg::new("words")
                        .num_args(0..)
                        .trailing_var_arg(true)
                        .allow_hyphen_values(true)
                        .help("options of the cluster, and then a question"),
                ),
        )
        .subcommand(
            Command::new("verify")
                .about("Check a saved answer (from --format json or packed), claim by claim")
                .arg(saved_file())
                .arg(Arg::new("again").long("again").action(ArgAction::SetTrue).help(
                    "also compute the number or the terms again, by an engine that has no \
                             component in common with the one that gave them",
                ))
                .arg(format_arg("text or json [default: text]".into()))
                .args(limit_args()),
        )
        .subcommand(
            Command::new("cite")
                .about("Print how a saved answer is cited: in plain text and for BibTeX")
                .arg(saved_file()),
        )
        .subcommand(
            Command::new("convert")
                .about("Write a saved answer (from --format json or packed) in another format")
                .arg(saved_file())
                .args(writing_args(catalogue)),
        )
        .subcommand(
            Command::new("merge")
                .about("Add up the saved answers of all parts (from --part i/m)")
                .arg(saved_file().num_args(1..))
                .args(writing_args(catalogue)),
        )
        .subcommand(reproducing())
        .subcommand(
            Command::new("games")
                .about("Show the games, or one game's card")
                .arg(Arg::new("game").value_name("GAME").help("a game's name"))
                .arg(format_arg("text or json [default: text]".into())),
        )
        .subcommand(
            Command::new("schema")
                .about("Print the JSON Schemas of questions, answers, solutions, plans, verdicts and errors")
                .arg(
                    Arg::new("name")
                        .value_name("NAME")
                        .help("question, answer, solution, plan, verdict or error [default: all]"),
                ),
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

/// How a saved answer is written.
fn writing_args(catalogue: &Catalogue) -> Vec<Arg> {
    let mut args = vec![format_arg("what the answer can be written as: text, json, csv …".into())];
    let looks = all_format_options(catalogue).into_iter();
    args.extend(looks.map(|opt| argument(opt, opt.help.to_owned()).help_heading("Output")));
    args.push(output_arg());
    args.extend(log_args());
    args
}

/// A command with a subcommand for each game that answers a verb; `fill` adds what is taken
/// for a game.
pub(crate) fn by_game(
    catalogue: &Catalogue,
    command: Command,
    verb: Verb,
    scope: Scope,
    fill: impl Fn(Command, &Card) -> Command,
) -> Command {
    let mut command = command
        .subcommand_required(true)
        .arg_required_else_help(true)
        .disable_help_subcommand(true)
        .subcommand_value_name("GAME")
        .subcommand_help_heading("Games");
    for game in catalogue.games() {
        let card = game.card();
        if !card.verbs.contains(&verb) {
            continue;
        }
        let mut sub = Command::new(card.name).about(card.title);
        if scope.holds(command.get_name(), card) {
            let menu = catalogue.menu(card, verb);
            sub = sub
                .arg(Arg::new("place").value_name("BOARD").help(format!(
                    "{}; a drawing is given by its file, or by - to read it",
                    menu.places()
                )))
                .args(menu.all_options().map(|opt| option(&menu, opt)));
            sub = fill(sub, card);
        }
        command = command.subcommand(sub);
    }
    command
}

fn asking(catalogue: &Catalogue, verb: Verb, scope: Scope) -> Command {
    let command = Command::new(verb.name())
        .visible_aliases(verb.aliases().iter().copied())
        .about(verb.help())
        .after_help(format!("What a game takes: pessoi {verb} GAME --help"));
    by_game(catalogue, command, verb, scope, |command, card| {
        let formats = catalogue.formats(card, verb);
        let each = formats.iter().map(|format| format!("{} ({})", format.id(), format.help()));
        let each = each.collect::<Vec<_>>().join(", ");
        command
            .args(limit_args())
            .args(saving_args())
            .arg(format_arg(format!("one of {each} [default: by the ending of --output, or text]")))
            .args(
                format_options(catalogue, card, verb)
                    .into_iter()
                    .map(|opt| argument(opt, opt.help.to_owned()).help_heading("Output")),
            )
            .arg(output_arg())
    })
}

/// As [`asking`], for all methods of a question.
fn compared(catalogue: &Catalogue, verb: Verb, scope: Scope) -> Command {
    let command = Command::new(verb.name())
        .about(verb.help())
        .after_help(format!("What a game takes: pessoi compare {verb} GAME --help"));
    by_game(catalogue, command, verb, scope, |command, _| {
        let each = compare::formats().map(|format| format!("{} ({})", format.id(), format.help()));
        let each = each.collect::<Vec<_>>().join(", ");
        let limits = limit_args().into_iter().map(|arg| {
            if arg.get_id() == "time" {
                arg.help("stop each method after this time on each board [default: 10s]")
            } else {
                arg
            }
        });
        // All methods are run, so none is chosen.
        command
            .mut_args(|arg| if arg.get_id() == METHOD { arg.hide(true) } else { arg })
            .args(limits)
            .arg(format_arg(format!("one of {each} [default: by the ending of --output, or text]")))
            .args(
                each_once(compare::formats().flat_map(Format::options))
                    .into_iter()
                    .map(|opt| argument(opt, opt.help.to_owned()).help_heading("Output")),
            )
            .arg(output_arg())
    })
}

/// The options of all formats of a game's answers, each name once.
fn format_options(catalogue: &Catalogue, card: &Card, verb: Verb) -> Vec<&'static Opt> {
    let formats = catalogue.formats(card, verb).into_iter();
    each_once(formats.flat_map(Format::options).filter(|opt| opt.verbs.contains(&verb)))
}

/// The options of all formats of all games, each name once.
fn all_format_options(catalogue: &Catalogue) -> Vec<&'static Opt> {
    let own = catalogue.games().flat_map(|game| game.card().formats);
    each_once(export::FORMATS.iter().chain(own).flat_map(|format| format.options()))
}

fn each_once(options: impl Iterator<Item = &'static Opt>) -> Vec<&'static Opt> {
    let mut once: Vec<&'static Opt> = Vec::new();
    for opt in options {
        if once.iter().all(|known| known.name != opt.name) {
            once.push(opt);
        }
    }
    once
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
            "what can be computed in this time, such as 1m or 1h; all; or none, which shows stored \
             runs [default: 1m]",
        ))
        .arg(text("data", "FILE", "a data file of your own instead of the papers"))
        .arg(
            text("runs", "FILE", "stored runs instead of those built in; new ones are added to it")
                .value_parser(clap::value_parser!(PathBuf)),
        )
        .args(limit_args().into_iter().filter(|arg| arg.get_id() != "seed"))
        .arg(format_arg(
            "text, markdown, html, json, or results: the book's tables [default: text]".into(),
        ))
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
        .help("write to this file, which appears when it is complete; - is standard output")
}

fn option(menu: &Menu, opt: &Opt) -> Arg {
    let arg = argument(opt, menu.help(opt));
    match opt.kind {
        // Completions offer the words; wrong ones are refused by the library, in a sentence.
        Kind::Method => arg.value_parser(words(&menu.method_names())).hide_possible_values(true),
        Kind::OneOf(names) => arg.value_parser(words(names)),
        _ => arg,
    }
}

fn argument(opt: &Opt, help: String) -> Arg {
    let arg = Arg::new(opt.name).long(opt.name).help(help);
    match opt.kind {
        Kind::Flag => arg.action(ArgAction::SetTrue),
        Kind::OneOf(_) => arg.value_name("WORD").allow_hyphen_values(true),
        kind => arg.value_name(kind.placeholder()).allow_hyphen_values(true),
    }
}

/// Accepts any word, and suggests these.
fn words(names: &[&str]) -> impl clap::builder::IntoResettable<clap::builder::ValueParser> {
    Suggested(names.iter().map(ToString::to_string).collect())
}

/// A parser that accepts any word, with the words that completions offer.
#[derive(Clone)]
struct Suggested(Vec<String>);

impl clap::builder::TypedValueParser for Suggested {
    type Value = String;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        value: &std::ffi::OsStr,
    ) -> Result<String, clap::Error> {
        clap::builder::StringValueParser::new().parse_ref(command, arg, value)
    }

    fn possible_values(
        &self,
    ) -> Option<Box<dyn Iterator<Item = clap::builder::PossibleValue> + '_>> {
        Some(Box::new(self.0.iter().map(clap::builder::PossibleValue::new)))
    }
}

pub(crate) fn limit_args() -> Vec<Arg> {
    let limit = |name: &'static str, value: &'static str, help: &'static str| {
        Arg::new(name)
            .long(name)
            .value_name(value)
            .help(help)
            .help_heading("Limits")
            .allow_hyphen_values(true)
    };
    let limits = [
        limit("time", "TIME", "stop after this time, such as 90s, 5m or 2h"),
        limit(
            "memory",
            "SIZE",
            "stop rather than use more, such as 4G [default: most of what is free]",
        ),
        limit("threads", "N", "threads to use [default: one a core]"),
        limit("seed", "N", "where randomness starts [default: 1]"),
    ];
    limits.into_iter().chain(log_args()).collect()
}

/// What every command takes whose work may take long.
fn log_args() -> [Arg; 2] {
    [
        Arg::new("log")
            .long("log")
            .value_name("FILE")
            .value_parser(clap::value_parser!(PathBuf))
            .help_heading("Progress")
            .help("add lines of progress to this file as the work goes on; - is standard error"),
        Arg::new("log-every")
            .long("log-every")
            .value_name("TIME")
            .help_heading("Progress")
            .allow_hyphen_values(true)
            .help("the time between two lines of the log [default: 10s]"),
    ]
}

fn saving_args() -> [Arg; 5] {
    [
        Arg::new("disk").long("disk").value_name("DIR[:SIZE]").help_heading("Limits").help(
            "put what does not fit into memory into this folder, where the engine can; at \
                 most SIZE, such as /scratch:200G",
        ),
        Arg::new("share")
            .long("share")
            .value_name("DIR")
            .value_parser(clap::value_parser!(PathBuf))
            .help_heading("Limits")
            .help("hand over to the other parts what they need through this folder, which all machines \
                 must see, where parts need each other"),
        Arg::new("checkpoint")
            .long("checkpoint")
            .value_name("FILE")
            .value_parser(clap::value_parser!(PathBuf))
            .help_heading("Limits")
            .help("save the work here as it goes on, where the engine can"),
        Arg::new("checkpoint-every")
            .long("checkpoint-every")
            .value_name("TIME")
            .help_heading("Limits")
            .allow_hyphen_values(true)
            .help("the time between two saves, about [default: 2m]"),
        Arg::new("resume")
            .long("resume")
            .action(ArgAction::SetTrue)
            .help_heading("Limits")
            .help("go on from the checkpoint"),
    ]
}

pub(crate) fn completions(catalogue: &Catalogue, shell: Shell) -> String {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command(catalogue, Scope::All), "pessoi", &mut script);
    String::from_utf8_lossy(&script).into_owned()
}

/// The manual: one page, with a section for each command.
pub(crate) fn man(catalogue: &Catalogue) -> Result<String, Error> {
    let section = |page: &mut Vec<u8>, name: &str, command: &Command| -> std::io::Result<()> {
        let about = command.get_about().map(ToString::to_string).unwrap_or_default();
        writeln!(page, ".SH \"PESSOI {}\"\n{about}.", name.to_uppercase())?;
        let mut options = Vec::new();
        clap_mangen::Man::new(command.clone()).render_options_section(&mut options)?;
        // Sections of a section.
        let options = String::from_utf8_lossy(&options).replace(".SH ", ".SS ");
        page.write_all(options.as_bytes())
    };
    let render = || -> std::io::Result<Vec<u8>> {
        let mut page = Vec::new();
        let command = command(catalogue, Scope::All);
        clap_mangen::Man::new(command.clone()).render(&mut page)?;
        for sub in command.get_subcommands() {
            section(&mut page, sub.get_name(), sub)?;
            // A plan takes what its verb takes.
            if Verb::parse(sub.get_name()).is_ok() {
                for game in sub.get_subcommands() {
                    section(&mut page, &format!("{} {}", sub.get_name(), game.get_name()), game)?;
                }
            }
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
        let catalogue = Catalogue::standard();
        command(&catalogue, Scope::All).debug_assert();
        let words = ["pessoi", "count", "go"].map(OsString::from);
        command(&catalogue, Scope::Words(&words)).debug_assert();
    }
}
