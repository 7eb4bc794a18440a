//! `pessoi-learn`: the boards, the data, the model and the tables of the book's chapter on
//! learning, each by one command and from a seed.

use std::path::Path;
use std::process::ExitCode;

use pessoi::{Error, Result};
use pessoi_engine::random::Random;
use pessoi_learn::hard::{self, Hard, SOURCES};
use pessoi_learn::{case::Case, data, guide, puzzle, train, transition};

const HELP: &str = "\
Usage: pessoi-learn COMMAND [--seed N] [--output DIR]

Commands:
  hard         look for boards that are hard for today's methods, from where the file of hard boards ends
  data         draw boards, label them by proof and split them (data.txt)
  transition   count boards with a tour by density (transition.csv, transition-GAME.svg)
  train        train on data.txt (model.json, predict.md)
  check        prove the labels of hard boards again, and write the seconds of each into their file
  guide        compare the order of model.json with others, on hard and on larger boards (guide.md)

Options:
  --seed N      where all randomness comes from; default: 1
  --output DIR  where files are written and read; default: target/learn
  --hard FILE   the file of hard boards; default: crates/learn/hard.txt
  --source S    hard: only boards of this source (few, cut, clues, strip, short, tight, moved)
  --boards N    hard: so many boards of each source at most
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
    let (mut command, mut seed, mut only, mut most) = (None, 1u64, None, usize::MAX);
    let (mut folder, mut kept) = ("target/learn".to_owned(), "crates/learn/hard.txt".to_owned());
    let mut args = args.iter();
    while let Some(word) = args.next() {
        let mut value =
            || args.next().ok_or_else(|| Error::input(format!("{word} needs a value.")));
        match &**word {
            "--seed" => seed = number(word, value()?)?,
            "--boards" => most = number(word, value()?)?,
            "--output" => folder.clone_from(value()?),
            "--hard" => kept.clone_from(value()?),
            "--source" => only = Some(value()?.clone()),
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
    let failed_to = |error: std::io::Error| Error::io(format!("{kept}: {error}."));
    let read_kept = || std::fs::read_to_string(&kept).map_err(failed_to);
    let write_kept = |text: &str| std::fs::write(&kept, text).map_err(failed_to);
    match command {
        Some("hard") => {
            let known: Vec<&str> = SOURCES.iter().map(|source| source.name).collect();
            if let Some(name) = only.as_ref().filter(|name| !known.contains(&&***name)) {
                return Err(Error::input(format!(
                    "--source {name:?} is not accepted: give one of {}.",
                    known.join(", ")
                )));
            }
            for source in SOURCES {
                if only.as_ref().is_none_or(|name| name == source.name) {
                    let file = std::fs::read_to_string(&kept).unwrap_or_default();
                    hard::make(source, most, seed, &file, |text| write_kept(text))?;
                }
            }
            Ok(())
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
            let mut lines: Vec<String> = read_kept()?.lines().map(str::to_owned).collect();
            for at in 0..lines.len() {
                if !lines[at].starts_with('#') {
                    let hard = Hard::parse(&lines[at])?;
                    hard.check(seed)?;
                    lines[at] = hard.timed(seed)?.to_line();
                    write_kept(&(lines.join("\n") + "\n"))?;
                }
            }
            Ok(())
        }
        Some("guide") => {
            let table = guided(&read_kept()?, &read("data.txt")?, &read("model.json")?, seed)?;
            write("guide.md", &table)
        }
        _ => {
            Err(Error::input("A command is needed: hard, data, transition, train, check or guide."))
        }
    }
}

/// The whole number after an option.
fn number<N: std::str::FromStr>(option: &str, text: &str) -> Result<N> {
    text.parse().map_err(|_| {
        Error::input(format!("{option} {text:?} is not accepted: give a whole number."))
    })
}

/// Boards of each kind, for the table of orders of moves.
const EACH: usize = 40;
/// Of so many hard boards one is taken.
const HARD_STEP: usize = 8;

/// The table of orders of moves.
fn guided(hard: &str, data: &str, model: &str, seed: u64) -> Result<String> {
    // With seeds for which the boards were not chosen.
    let other = seed + 1000;
    let hard: Vec<Case> = hard::read(hard)?
        .into_iter()
        .filter(|hard| hard.solvable && ["few", "clues"].contains(&hard.source))
        .map(|hard| hard.case)
        .step_by(HARD_STEP)
        .take(EACH)
        .collect();
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
    for stream in 0..EACH as u64 {
        let mut random = Random::new(other, stream);
        let game = ["knight-tours", "diplomatico"][(stream % 2) as usize];
        let (side, cells) = (8 + random.below(3) as usize, 6 + random.below(6) as usize);
        puzzles.extend(puzzle::puzzle(game, side, cells, &mut random)?.map(|(case, _)| case));
    }
    let mut table = "| boards | method | decided | nodes: learned against it | seconds: \
                     learned against it |\n|---|---|---|---|---|\n"
        .to_owned();
    for (title, cases, times) in [
        ("hard puzzles", hard, 20),
        ("other puzzles, 8×8 to 10×10", puzzles, 1),
        ("larger cores, 12×12 and 14×14", large, 1),
        ("full boards, 20×22", full, 1),
    ] {
        table.push_str(&guide::compare(title, &cases, model, times, other)?);
    }
    Ok(table)
}
