//! The `pessoi` command: arguments become a question, the library answers it and writes the
//! answer. Nothing is computed or decided here.
//!
//! Exit codes: 0 answered, 1 proved that there is none (or a saved answer does not hold),
//! 2 bad input, 3 a limit was reached, 130 interrupted, 70 the program contradicted itself.

mod args;
mod files;
mod graph;
mod machine;
mod output;
mod watch;

use std::io::Write;
use std::process::ExitCode;

use pessoi::{
    Answer, Catalogue, Code, Error, Outcome, Run, Value, Verdict, Written, export, schema,
};

use crate::args::{Order, Task};
use crate::output::Output;

const NONE: u8 = 1;
const DISAGREES: u8 = 1;
const BAD_INPUT: u8 = 2;
const GAVE_UP: u8 = 3;
const CONTRADICTION: u8 = 70;
const INTERRUPTED: u8 = 130;

fn main() -> ExitCode {
    let catalogue = graph::catalogue();
    let order = match args::read(&catalogue, std::env::args_os()) {
        Ok(order) => order,
        Err(args::Refusal::Clap(error)) => {
            let code = if error.use_stderr() { BAD_INPUT } else { 0 };
            // A closed pipe is no reason to fail.
            let _ = error.print();
            return code.into();
        }
        Err(args::Refusal::Sentence(error)) => return refuse(&error).into(),
    };
    match carry_out(&catalogue, order) {
        Ok(code) => code.into(),
        Err(error) => refuse(&error).into(),
    }
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
        Order::Ask(task) => ask(catalogue, &task),
        Order::Plan(task) => plan(catalogue, task),
        Order::Convert { saved, format, style, output } => {
            let run = watch::start(args::no_limits(), None);
            let mut out = Output::open(output.as_deref())?;
            let path = output.as_deref().and_then(|path| path.to_str());
            let written = watch::during(&run, || {
                let choose = |card: &pessoi::Card, verb| match &format {
                    Some(id) => catalogue.format(card, verb, id),
                    None => match path {
                        Some(path) => catalogue.format_of_path(card, verb, path)?,
                        None => None,
                    }
                    .map_or_else(|| catalogue.format(card, verb, "text"), Ok),
                };
                catalogue.convert(&saved, choose, &style, &run, &mut out)
            })?;
            finish(out, &written, true)?;
            Ok(0)
        }
        Order::Verify { saved, budget } => {
            let run = watch::start(budget, None);
            let verdict = watch::during(&run, || catalogue.verify(&saved, &run))?;
            say(&export::verdict(&verdict, &style))?;
            Ok(match verdict {
                Verdict::Holds(_) => 0,
                Verdict::Unchecked(_) if run.cancelled() => INTERRUPTED,
                Verdict::Unchecked(_) => GAVE_UP,
            })
        }
        Order::Reproduce { papers, table, time, budget, form, output } => {
            let mut output = Output::open(output.as_deref())?;
            let run = watch::start(budget, None);
            let report = watch::during(&run, || {
                pessoi_reproduce::reproduce(catalogue, &papers, table.as_deref(), time, &run)
            })?;
            write_all(&mut output, &report.render(form)?)?;
            output.finish(true)?;
            Ok(match (run.cancelled(), report.disagreements(), report.given_up()) {
                (true, _, _) => INTERRUPTED,
                (_, 0, 0) => 0,
                (_, 0, _) => GAVE_UP,
                _ => DISAGREES,
            })
        }
        Order::Graph(task) => {
            let run = watch::start(task.budget.clone(), None);
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

fn ask(catalogue: &Catalogue, task: &Task) -> Result<u8, Error> {
    let Task { question, format, style, .. } = task;
    let run = watch::start(task.budget.clone(), task.store.clone());
    let mut out = Output::open(task.output.as_deref())?;
    let written =
        watch::during(&run, || catalogue.write(question, &run, *format, style, &mut out))?;
    // An estimate from fewer samples than asked for is an answer all the same.
    let is_whole = written.answer.value.stop().is_none()
        || matches!(written.answer.value, Value::Estimated(_));
    finish(out, &written, is_whole)?;
    Ok(exit_code(&written.answer, &run))
}

fn plan(catalogue: &Catalogue, task: Task) -> Result<u8, Error> {
    let json = args::is_json(Some(task.format.id()), "A plan")?;
    let run = watch::start(task.budget, task.store);
    let plan = watch::during(&run, || catalogue.plan(&task.question, &run))?;
    let mut output = Output::open(task.output.as_deref())?;
    let text = if json { as_json(&plan)? } else { export::plan(&plan, &task.style) };
    write_all(&mut output, &text)?;
    output.finish(true)?;
    Ok(if run.cancelled() { INTERRUPTED } else { 0 })
}

/// Makes the file appear if there is anything in it, and says what belongs beside it.
fn finish(out: Output, written: &Written, is_whole: bool) -> Result<(), Error> {
    if written.wrote
        && let Some(partial) = out.finish(is_whole)?
    {
        eprintln!("What is known so far is in {}.", partial.display());
    }
    anstream::eprint!("{}", written.aside);
    Ok(())
}

/// Prints to standard output.
fn say(text: &str) -> Result<u8, Error> {
    let mut output = Output::open(None)?;
    write_all(&mut output, text)?;
    output.finish(true)?;
    Ok(0)
}

fn say_json(value: &impl serde::Serialize) -> Result<u8, Error> {
    say(&as_json(value)?)
}

fn as_json(value: &impl serde::Serialize) -> Result<String, Error> {
    let json = serde_json::to_string_pretty(value);
    json.map(|json| json + "\n").map_err(|error| Error::internal(error.to_string()))
}

/// Writes text; a reader that has gone away is no error.
fn write_all(output: &mut Output, text: &str) -> Result<(), Error> {
    match output.write_all(text.as_bytes()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(Error::io(format!("The answer cannot be written: {}.", files::reason(&error))))
        }
        _ => Ok(()),
    }
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
