//! The `pessoi` command: arguments become a question, the library answers it, and the
//! answer is printed. Nothing is computed here.
//!
//! Exit codes: 0 answered, 1 proved that there is none, 2 bad input, 3 gave up (a
//! limit was hit), 130 interrupted, 70 the program contradicted itself.

mod args;
mod graph;
mod machine;
mod output;
mod text;
mod watch;

use std::path::Path;
use std::process::ExitCode;

use pessoi::export::{self, Format};
use pessoi::{Answer, Error, Question, Run, Solution, Value, Verb, Verdict};

use crate::args::{Job, Order};
use crate::output::Output;

const NONE: u8 = 1;
const DISAGREES: u8 = 1;
const BAD_INPUT: u8 = 2;
const GAVE_UP: u8 = 3;
const CONTRADICTION: u8 = 70;
const INTERRUPTED: u8 = 130;

fn main() -> ExitCode {
    let order = match args::read(std::env::args_os()) {
        Ok(order) => order,
        Err(args::Refusal::Clap(error)) => {
            let code = if error.use_stderr() { BAD_INPUT } else { 0 };
            // A closed pipe is no reason to fail.
            let _ = error.print();
            return code.into();
        }
        Err(args::Refusal::Sentence(error)) => return refuse(&error),
    };
    match carry_out(order) {
        Ok(code) => code.into(),
        Err(error) => refuse(&error),
    }
}

fn refuse(error: &Error) -> ExitCode {
    anstream::eprintln!("{}error:{} {error}", text::RED, text::PLAIN);
    match error {
        Error::Input(_) => BAD_INPUT.into(),
        Error::Internal(_) => CONTRADICTION.into(),
    }
}

fn carry_out(order: Order) -> Result<u8, Error> {
    match order {
        Order::Games(None) => say(&text::games()),
        Order::Games(Some(name)) => say(&text::card(pessoi::games::open(&name)?.card())),
        Order::Completions(shell) => say(&args::completions(shell)),
        Order::Man => say(&args::man()?),
        Order::Convert { saved, format, output } => convert(&saved, format, output.as_deref()),
        Order::Verify { saved, budget } => {
            let run = watch::start(budget);
            let verdict = watch::during(&run, || pessoi::verify_bytes(&saved, &run))?;
            match verdict {
                Verdict::Holds(checked) => say(&text::holds(&checked)),
                Verdict::Unchecked(why) => {
                    say(&format!("Not checked: {why}.\n"))?;
                    Ok(if run.cancelled() { INTERRUPTED } else { GAVE_UP })
                }
            }
        }
        Order::Reproduce { papers, table, time, budget, form, output } => {
            let mut output = Output::open(output.as_deref())?;
            let run = watch::start(budget);
            let report = watch::during(&run, || {
                pessoi::reproduce::reproduce(&papers, table.as_deref(), time, &run)
            })?;
            output.write(&report.render(form)?)?;
            output.finish(true)?;
            Ok(match (run.cancelled(), report.disagreements(), report.given_up()) {
                (true, _, _) => INTERRUPTED,
                (_, 0, 0) => 0,
                (_, 0, _) => GAVE_UP,
                _ => DISAGREES,
            })
        }
        Order::Plan(job) if job.graph.explain => {
            Err(Error::input("--explain prints the query and does nothing else; leave out plan."))
        }
        Order::Plan(job) if job.graph.db.is_some() || job.graph.name.is_some() => {
            Err(Error::input("A plan asks no database; leave out --db and --name."))
        }
        Order::Plan(job) => {
            let run = watch::start(job.budget);
            let plan = watch::during(&run, || pessoi::plan(&job.question, &run))?;
            let shown = match job.format {
                Format::Json => serde_json::to_string_pretty(&plan)
                    .map(|json| json + "\n")
                    .map_err(|error| Error::Internal(error.to_string()))?,
                Format::Text => text::plan(&plan),
                other => {
                    return Err(Error::input(format!(
                        "A plan cannot be written as {other}; it can be written as text, json."
                    )));
                }
            };
            let mut output = Output::open(job.output.as_deref())?;
            output.write(&shown)?;
            output.finish(true)?;
            Ok(if run.cancelled() { INTERRUPTED } else { 0 })
        }
        Order::Graph(task) => {
            let run = watch::start(task.budget.clone());
            match watch::during(&run, || graph::carry_out(&task, &run)) {
                Err(error) => unless_stopped(error, &run),
                Ok(said) => say(&said),
            }
        }
        Order::Ask(job) => ask(&job),
    }
}

/// An error, unless it came of a limit: to hit one is no bad input.
fn unless_stopped(error: Error, run: &Run) -> Result<u8, Error> {
    if run.check().is_ok() {
        return Err(error);
    }
    refuse(&error);
    Ok(if run.cancelled() { INTERRUPTED } else { GAVE_UP })
}

/// Prints to standard output.
fn say(text: &str) -> Result<u8, Error> {
    let mut output = Output::open(None)?;
    output.write(text)?;
    output.finish(true)?;
    Ok(0)
}

fn ask(job: &Job) -> Result<u8, Error> {
    let card = pessoi::games::open(&job.question.game)?.card();
    job.format.check(job.question.verb, card)?;
    let run = watch::start(job.budget.clone());
    if job.graph.explain {
        return say(&graph::explain(&job.question, &job.graph, &run)?);
    }
    let mut output = Output::open(job.output.as_deref())?;
    let answer = if is_streamed(job.question.verb) {
        let answer = stream(&job.question, job.format, &run, &mut output)?;
        // There is no picture of nothing: the reason is told instead.
        if job.format == Format::Svg && output.is_empty() {
            drop(output);
            anstream::eprint!("{}", text::answer(&answer));
            return Ok(exit_code(&answer, &run));
        }
        answer
    } else {
        let answer = watch::during(&run, || {
            if graph::is_meant(&job.question) {
                graph::ask(&job.question, &job.graph, &run)
            } else {
                pessoi::ask(&job.question, &run, &mut |_| true)
            }
        });
        let answer = match answer {
            Err(error) if graph::is_meant(&job.question) => return unless_stopped(error, &run),
            answer => answer?,
        };
        match job.format {
            // A puzzle is written alone, so that it can be read again.
            Format::Text if answer.puzzle.is_some() => {
                output.write(&text::puzzle(&answer))?;
                output.flush()?;
                anstream::eprint!("{}", text::summary(&answer));
            }
            Format::Text => output.write(&text::answer(&answer))?,
            // A picture or table of nothing is not written: the reason is told instead.
            Format::Svg | Format::Pdf
                if answer.solutions.is_empty()
                    && (matches!(
                        job.question.verb,
                        Verb::Find | Verb::Sample | Verb::Generate
                    ) || matches!(answer.value, Value::None { .. } | Value::GaveUp { .. })) =>
            {
                drop(output);
                anstream::eprint!("{}", text::answer(&answer));
                return Ok(exit_code(&answer, &run));
            }
            // Nor is a graph that was not made.
            format
                if !matches!(format, Format::Json | Format::Csv)
                    && matches!(answer.value, Value::None { .. } | Value::GaveUp { .. })
                    && answer.terms.is_empty() =>
            {
                drop(output);
                anstream::eprint!("{}", text::answer(&answer));
                return Ok(exit_code(&answer, &run));
            }
            format => output.write(&export::render(&answer, format)?)?,
        }
        answer
    };
    let cut_short = answer.value.is_cut_short();
    if let Some(partial) = output.finish(!cut_short)? {
        eprintln!("What is known so far is in {}.", partial.display());
    }
    if cut_short && !matches!(job.format, Format::Text) {
        anstream::eprintln!("{}", text::headline(&answer));
    }
    Ok(exit_code(&answer, &run))
}

fn is_streamed(verb: Verb) -> bool {
    matches!(verb, Verb::List | Verb::Classify)
}

/// Writes solutions as they come, so that any number of them can be listed.
fn stream(
    question: &Question,
    format: Format,
    run: &Run,
    output: &mut Output,
) -> Result<Answer, Error> {
    output.write(export::head(format, question.verb))?;
    let mut failed = None;
    let mut wanted = |written: Result<bool, Error>| {
        written.unwrap_or_else(|error| {
            failed = Some(error);
            false
        })
    };
    let answer = if pessoi::games::open(&question.game)?.streams(question.verb, format) {
        watch::during(run, || {
            pessoi::stream(question, run, format, &mut |bytes| {
                wanted(output.write_bytes(bytes).map(|()| output.is_open()))
            })
        })
    } else {
        let mut number = 0;
        watch::during(run, || {
            pessoi::ask(question, run, &mut |solution| {
                number += 1;
                wanted(write_line(output, &solution, number, format))
            })
        })
    }?;
    if let Some(error) = failed {
        return Err(error);
    }
    output.write(&export::tail(&answer, format)?)?;
    if format == Format::Text {
        // Standard output holds the solutions and nothing else.
        output.flush()?;
        anstream::eprint!("{}", text::answer(&answer));
    }
    Ok(answer)
}

/// Writes one solution, and says whether anyone still reads.
fn write_line(
    output: &mut Output,
    solution: &Solution,
    number: u64,
    format: Format,
) -> Result<bool, Error> {
    output.write(&export::line(solution, number, format)?)?;
    Ok(output.is_open())
}

/// Writes a saved answer in another format.
fn convert(saved: &[u8], format: Format, path: Option<&Path>) -> Result<u8, Error> {
    let mut output = Output::open(path)?;
    let mut number = 0;
    let mut write = |output: &mut Output, solution: &Solution, verb| {
        if !matches!(format, Format::Text | Format::Json | Format::Csv) {
            return Err(Error::input(format!(
                "A saved list cannot be written as {format}; it can be written as text, json, csv."
            )));
        }
        if number == 0 {
            output.write(export::head(format, verb))?;
        }
        number += 1;
        write_line(output, solution, number, format)
    };
    // Packed lists come solution by solution.
    let mut failed = None;
    let answer = pessoi::read(saved, &mut |solution| {
        let written = write(&mut output, &solution, Verb::List);
        written.unwrap_or_else(|error| {
            failed = Some(error);
            false
        })
    });
    if let Some(error) = failed {
        return Err(error);
    }
    let mut answer = answer?;
    if is_streamed(answer.question.verb) {
        for solution in std::mem::take(&mut answer.solutions) {
            if !write(&mut output, &solution, answer.question.verb)? {
                break;
            }
        }
        output.write(&export::tail(&answer, format)?)?;
    } else if format == Format::Text {
        output.write(&text::answer(&answer))?;
    } else {
        output.write(&export::render(&answer, format)?)?;
    }
    output.finish(true)?;
    Ok(0)
}

fn exit_code(answer: &Answer, run: &Run) -> u8 {
    match &answer.value {
        _ if run.cancelled() => INTERRUPTED,
        value if value.is_cut_short() => GAVE_UP,
        Value::None { .. } => NONE,
        _ => 0,
    }
}
