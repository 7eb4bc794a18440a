//! `pessoi-learn`: the boards, the data, the model and the tables of the book's chapter on
//! learning, each by one command and from a seed.

use std::fmt::Write;
use std::path::Path;
use std::process::ExitCode;

use pessoi::{Error, Result};
use pessoi_learn::hard::{self, Hard};
use pessoi_learn::{case::Case, data, guide, train, transition};

const HELP: &str = "\
Usage: pessoi-learn COMMAND [--seed N] [--output DIR]

Commands:
  hard         look for boards that are hard for today's methods (hard.txt)
  data         draw boards, label them by proof and split them (data.txt)
  transition   count boards with a tour by density (transition.csv, transition-GAME.svg)
  train        train on data.txt (model.json, predict.md)
  check        prove the labels of hard.txt again, and show steps and seconds
  guide        compare the order of model.json with others, on hard.txt and larger boards (guide.md)

Options:
  --seed N      where all randomness comes from; default: 1
  --output DIR  where files are written and read; default: target/learn
  --few         hard: a tenth of the boards, for a look
";

fn main() -> ExitCode {
    match run(&std::env::args().skip(1).collect::<Vec<_>>()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("pessoi-learn: {error}");
            ExitCode::from(2)
        }
    }
}

fn run(args: &[String]) -> Result<()> {
    let (mut command, mut seed, mut folder, mut few) =
        (None, 1u64, "target/learn".to_owned(), false);
    let mut args = args.iter();
    while let Some(word) = args.next() {
        let mut value =
            || args.next().ok_or_else(|| Error::input(format!("{word} needs a value.")));
        match &**word {
            "--seed" => {
                let text = value()?;
                seed = text.parse().map_err(|_| {
                    Error::input(format!("--seed {text:?} is not accepted: give a whole number."))
                })?;
            }
            "--output" => folder.clone_from(value()?),
            "--few" => few = true,
            "--help" | "-h" => {
                print!("{HELP}");
                return Ok(());
            }
            name if command.is_none() && !name.starts_with('-') => command = Some(name),
            other => return Err(Error::input(format!("{other:?} is not accepted; see --help."))),
        }
    }
    let folder = Path::new(&folder);
    let failed = |error: std::io::Error| Error::io(format!("{}: {error}.", folder.display()));
    std::fs::create_dir_all(folder).map_err(failed)?;
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).map_err(failed);
    let read = |name: &str| {
        std::fs::read_to_string(folder.join(name)).map_err(|error| {
            Error::io(format!("{}: {error}; make it first.", folder.join(name).display()))
        })
    };
    match command {
        Some("hard") => {
            let tenth = if few { 10 } else { 1 };
            let wanted = hard::Wanted {
                short: 252 / tenth,
                climbed: 10 / tenth,
                clues: 42 / tenth,
                longer: 20 / tenth,
            };
            let keep = |all: &[hard::Hard]| write("hard.txt", &hard::to_text(all, seed));
            keep(&hard::make(wanted, seed, keep)?)
        }
        Some("data") => {
            let (rows, left_out) = data::make(seed)?;
            write("data.txt", &data::to_text(&rows, left_out, seed))
        }
        Some("transition") => {
            let points = transition::count(seed)?;
            for game in ["knight-tours", "diplomatico"] {
                write(&format!("transition-{game}.svg"), &transition::to_svg(&points, game))?;
            }
            write("transition.csv", &transition::to_csv(&points))
        }
        Some("train") => {
            let text = read("data.txt")?;
            let command = format!(
                "pessoi-learn data --seed {seed} && pessoi-learn train --seed {seed} ({}, data of \
                 checksum {:016x})",
                env!("CARGO_PKG_VERSION"),
                pessoi::games::learned::checksum(text.as_bytes())
            );
            let trained = train::train(&data::read(&text)?, seed, &command)?;
            write("predict.md", &trained.table)?;
            write("model.json", &trained.model.to_text())
        }
        Some("check") => {
            let mut text = "label,source,engine,steps,stopped,seconds\n".to_owned();
            for hard in hard::read(&read("hard.txt")?)? {
                let (steps, seconds) = hard.timed(seed)?;
                let Hard { source, engine, stopped, solvable, .. } = hard;
                // Writing to a string cannot fail.
                let _ =
                    writeln!(text, "{solvable},{source},{engine},{steps},{stopped},{seconds:.3}");
                hard.check(seed)?;
            }
            write("check.csv", &text)
        }
        Some("guide") => {
            let table = guided(&read("hard.txt")?, &read("data.txt")?, &read("model.json")?, seed)?;
            write("guide.md", &table)
        }
        _ => Err(Error::input("A command is needed: hard, data, transition, train or guide.")),
    }
}

/// The table of orders of moves.
fn guided(hard: &str, data: &str, model: &str, seed: u64) -> Result<String> {
    let hard = hard::read(hard)?;
    let with_tour = |source: &[&str]| -> Vec<Case> {
        let some = hard.iter().filter(|hard| hard.solvable && source.contains(&hard.source));
        some.map(|hard| hard.case.clone()).collect()
    };
    let large: Vec<Case> = data::read(data)?
        .into_iter()
        .filter(|row| row.part == data::Part::Large && row.solvable)
        .map(|row| row.case)
        .step_by(80)
        .collect();
    let full: Vec<Case> = ["knight-tours", "diplomatico"]
        .into_iter()
        .flat_map(|game| [true, false].map(|closed| Case::full(game, closed, 20, 22)))
        .collect();
    let mut puzzles = Vec::new();
    // Other puzzles than those that hard boards come from.
    for stream in (100_000..100_080).step_by(2) {
        puzzles.extend(hard::puzzle(stream, seed)?);
    }
    let mut table = "| boards | method | decided | nodes: learned against it | seconds: \
                     learned against it |\n|---|---|---|---|---|\n"
        .to_owned();
    for (title, cases) in [
        ("hard, with clues", with_tour(&["clues"])),
        ("hard, without clues", with_tour(&["short", "climb"])),
        ("puzzles, 8×8 to 10×10", puzzles),
        ("larger cores, 12×12 and 14×14", large),
        ("full boards, 20×22", full),
    ] {
        if !cases.is_empty() {
            table.push_str(&guide::compare(title, &cases, model, seed)?);
        }
    }
    Ok(table)
}
