//! The `pessoi` command: arguments become a question, the library answers it and writes the
//! answer. Nothing is computed or decided here.
//!
//! The command is a function ([`run`]), so that other programs can be it too, such as
//! `python -m pessoi`.
//!
//! Exit codes: 0 answered, 1 proved that there is none (or a saved answer does not hold),
//! 2 bad input (or the answer could not be written where it was asked for), 3 a limit was
//! reached (or a saved answer could not be checked), 130 interrupted, 70 the program
//! contradicted itself.

mod args;
mod files;
mod graph;
pub mod machine;
mod output;
mod serve;
mod watch;

use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;

use pessoi_reproduce::Spend;

use pessoi::{
    Answer, Catalogue, Code, Error, Format, Outcome, Run, Saved, Share, Value, Verb, Written, cite,
    export, job::Deaf, schema,
};

use crate::args::{Order, Task};
use crate::output::Output;

const NONE: u8 = 1;
const DISAGREES: u8 = 1;
const BAD_INPUT: u8 = 2;
const GAVE_UP: u8 = 3;
const CONTRADICTION: u8 = 70;
const INTERRUPTED: u8 = 130;

/// Carries out a command line, whose first word is the name of the program, and returns the exit
/// code. It takes over the signals of the process.
pub fn run(args: impl IntoIterator<Item = OsString>) -> u8 {
    watch::take_full_files_for_errors();
    let catalogue = graph::catalogue();
    let (order, logging) = match args::read(&catalogue, args) {
        Ok(order) => order,
        Err(args::Refusal::Clap(error)) => {
            let code = if error.use_stderr() { BAD_INPUT } else { 0 };
            // A closed pipe is no reason to fail.
            let _ = error.print();
            return code;
        }
        Err(args::Refusal::Sentence(error)) => return refuse(&error),
    };
    let log = logging.as_ref().map_or(Ok(()), watch::open_log);
    let code = match log.and_then(|()| carry_out(&catalogue, order)) {
        Ok(code) => code,
        Err(error) => match refuse(&error) {
            GAVE_UP if watch::was_interrupted() => INTERRUPTED,
            code => code,
        },
    };
    watch::close_log(code);
    code
}

fn refuse(error: &Error) -> u8 {
    let red = anstyle::AnsiColor::Red.on_default().bold();
    anstream::eprintln!("{red}error:{red:#} {error}");
    match error.code {
        Code::Internal => CONTRADICTION,
        Code::Stopped => GAVE_UP,
        Code::Forged => DISAGREES,
        _ => BAD_INPUT,
    }
}

fn carry_out(catalogue: &Catalogue, order: Order) -> Result<u8, Error> {
    let style = output::style(None);
    match order {
        Order::Games { game: None, json: false } => {
            let cards: Vec<_> = catalogue.games().map(pessoi::Game::card).collect();
            say(&export::games(cards.iter().copied(), &style))
        }
        Order::Games { game: Some(name), json: false } => {
            say(&export::card(catalogue.game(&name)?.card(), &style))
        }
        Order::Games { game, json: true } => say_json(&schema::cards(catalogue, game.as_deref())?),
        Order::Schema(name) => say_json(&schema::named(catalogue, name.as_deref())?),
        Order::Completions(shell) => say(&args::completions(catalogue, shell)),
        Order::Man => say(&args::man(catalogue)?),
        Order::Ask(task) => ask(catalogue, task),
        Order::Plan(task) => plan(catalogue, task),
        Order::Compare { question, each, budget, format, style, output } => {
            let run = watch::start(budget, None, None);
            let mut out = Output::open(output.as_deref())?;
            let written = watch::during(&run, || {
                let answer = catalogue.compare(&question, each, &run)?;
                catalogue.write_answer(&answer, format, &style, &run, &mut out)
            });
            let written = finish(out, written, Value::is_whole)?;
            Ok(exit_code(&written.answer, &run))
        }
        Order::Cite(saved) => say(&cite::citation(&catalogue.read(&saved, &mut Deaf)?)),
        Order::Convert { saved, format, style, output } => {
            write_saved(catalogue, format.as_deref(), output.as_deref(), |choose, run, out| {
                catalogue.convert(&saved, choose, &style, run, out)
            })?;
            Ok(0)
        }
        Order::Merge { parts, format, style, output } => {
            let parts: Vec<_> = parts.iter().map(|(name, bytes)| Saved { name, bytes }).collect();
            let write = |choose: Choose, run: &Run, out: &mut Output| {
                catalogue.write_merged(&parts, choose, &style, run, out)
            };
            let written = write_saved(catalogue, format.as_deref(), output.as_deref(), write)?;
            Ok(if written.answer.outcome() == Outcome::None { NONE } else { 0 })
        }
        Order::Verify { saved, effort, json, budget } => {
            let run = watch::start(budget, None, None);
            let verdict = watch::during(&run, || catalogue.verify(&saved, effort, &run))?;
            if json {
                say_json(&verdict)?;
            } else {
                say(&export::verdict(&verdict, &style))?;
            }
            Ok(match verdict.holds {
                true => 0,
                false if run.cancelled() => INTERRUPTED,
                false => GAVE_UP,
            })
        }
        Order::Reproduce { papers, table, spend, mut stored, runs, budget, form, output } => {
            let output = Output::open(output.as_deref())?;
            let run = watch::start(budget, None, None);
            let (table, today) = (table.as_deref(), machine::today());
            let report = watch::during(&run, || {
                pessoi_reproduce::reproduce(catalogue, &papers, table, spend, &stored, &today, &run)
            })?;
            output.put(&report.render(form)?)?;
            if let Some(runs) = runs
                && spend != Spend::Nothing
            {
                let file = Output::open(Some(&runs))?;
                stored.add(report.made.clone());
                file.put(&stored.write()?)?;
            }
            Ok(match (run.cancelled(), report.disagreements(), report.given_up()) {
                (true, _, _) => INTERRUPTED,
                (_, 0, 0) => 0,
                (_, 0, _) => GAVE_UP,
                _ => DISAGREES,
            })
        }
        Order::Serve(options) => serve::serve(options),
        Order::Graph(task) => {
            let run = watch::start(task.budget.clone(), None, None);
            match watch::during(&run, || graph::carry_out(catalogue, &task, &run)) {
                Err(error) if run.cancelled() => {
                    refuse(&error);
                    Ok(INTERRUPTED)
                }
                said => say(&said?),
            }
        }
    }
}

/// Chooses the format of what was saved, once it is known what that is.
type Choose<'a> = &'a dyn Fn(&pessoi::Card, Verb) -> Result<&'static dyn Format, Error>;

/// Writes what was saved in a format that is named, or else follows from the file's ending.
fn write_saved(
    catalogue: &Catalogue,
    format: Option<&str>,
    output: Option<&Path>,
    write: impl FnOnce(Choose, &Run, &mut Output) -> Result<Written, Error>,
) -> Result<Written, Error> {
    let run = watch::start(args::no_limits(), None, None);
    let mut out = Output::open(output)?;
    let path = output.and_then(|path| path.to_str());
    let choose = |card: &pessoi::Card, verb| match format {
        Some(id) => catalogue.format(card, verb, id),
        None => match path {
            Some(path) => catalogue.format_of_path(card, verb, path)?,
            None => None,
        }
        .map_or_else(|| catalogue.format(card, verb, "text"), Ok),
    };
    let written = watch::during(&run, || write(&choose, &run, &mut out));
    finish(out, written, |_| true)
}

fn ask(catalogue: &Catalogue, task: Task) -> Result<u8, Error> {
    let Task { question, budget, store, disk, share, format, style, output } = task;
    let run = met(watch::start(budget, store, disk), share);
    let mut out = Output::open(output.as_deref())?;
    let written =
        watch::during(&run, || catalogue.write(&question, &run, format, &style, &mut out));
    let written = finish(out, written, Value::is_whole)?;
    Ok(exit_code(&written.answer, &run))
}

/// The run, which meets other parts in this folder.
fn met(run: Run, share: Option<Arc<Share>>) -> Run {
    match share {
        Some(share) => run.with_share(share),
        None => run,
    }
}

fn plan(catalogue: &Catalogue, task: Task) -> Result<u8, Error> {
    let json = args::is_json(Some(task.format.id()), "A plan")?;
    task.style.check(task.format, task.question.verb)?;
    let run = met(watch::start(task.budget, task.store, task.disk), task.share);
    let plan = watch::during(&run, || catalogue.plan(&task.question, &run))?;
    let output = Output::open(task.output.as_deref())?;
    output.put(&if json { as_json(&plan)? } else { export::plan(&plan, &task.style) })?;
    Ok(if run.cancelled() { INTERRUPTED } else { 0 })
}

/// Makes the file appear if there is anything in it, and says what belongs beside it.
fn finish(
    out: Output,
    written: Result<Written, Error>,
    is_whole: impl Fn(&Value) -> bool,
) -> Result<Written, Error> {
    let written = match written {
        Ok(written) => written,
        Err(error) => return Err(out.abandon(error)),
    };
    let place = if written.wrote { out.finish(is_whole(&written.answer.value)) } else { Ok(None) };
    if let Ok(Some(partial)) = &place {
        eprintln!("What is known so far is in {}.", partial.display());
    }
    anstream::eprint!("{}", written.aside);
    place.map(|_| written)
}

/// Prints to standard output.
fn say(text: &str) -> Result<u8, Error> {
    Output::open(None)?.put(text)?;
    Ok(0)
}

fn say_json(value: &impl serde::Serialize) -> Result<u8, Error> {
    say(&as_json(value)?)
}

fn as_json(value: &impl serde::Serialize) -> Result<String, Error> {
    let json = serde_json::to_string_pretty(value);
    json.map(|json| json + "\n").map_err(|error| Error::internal(error.to_string()))
}

fn exit_code(answer: &Answer, run: &Run) -> u8 {
    match answer.outcome() {
        _ if run.cancelled() => INTERRUPTED,
        Outcome::Cancelled => INTERRUPTED,
        Outcome::Stopped => GAVE_UP,
        Outcome::None => NONE,
        Outcome::Answered => 0,
    }
}
