//! Questions that make sense: what is asked, with everything wrong refused in a sentence.
//!
//! A question becomes a task before anything is counted, and `plan` goes the same way. So a
//! plan is given exactly for what would be begun.

use super::border::MOST_COUNTED;
use super::count::{Engine, Saving, engine, sides};
use super::moves::Small;
use super::points::Points;
use super::sweep::Legal;
use super::{Asked, estimate, games, hamilton, position, recurrence};
use crate::board::Board;
use crate::error::{Error, Result};
use crate::question::{Place, Verb};

/// What is to be done.
pub(super) enum Task<'a> {
    /// Legal positions.
    Positions(Positions<'a>),
    /// Legal positions up to symmetries and reversal of colours.
    Classes { board: &'a Board, engine: Engine },
    /// Games, each one.
    Games { board: &'a Board, situational: bool, method: &'static str },
    /// Cycles through all positions but the empty one, each one.
    Cycles { board: &'a Board, symmetric: bool },
    /// One such cycle, looked for or read from a tour.
    Cycle { board: &'a Board, symmetric: bool, tour: Option<&'a str> },
    /// About how many positions are legal.
    Share { board: &'a Board, height: usize, length: usize, samples: u64 },
    /// About how many games there are.
    AboutGames { board: &'a Board, situational: bool, samples: u64 },
    /// Random legal positions.
    Sample { board: &'a Board, samples: u64 },
    /// The numbers of the game graph.
    Explore { board: &'a Board },
    /// The game graph itself.
    Export { board: &'a Board },
    /// A strip.
    Recurrence { height: usize, terms: usize },
    /// Numbers of borders up to this height.
    Borders { most: usize },
    /// The asymptotic formula from squares up to this one.
    Formula { most: usize },
    /// Whether a position is legal.
    Judge { board: &'a Board, colours: Vec<u8> },
    /// What is known of a board.
    Inspect { board: &'a Board },
}

/// Legal positions, exactly or as a residue.
pub(super) struct Positions<'a> {
    pub(super) board: &'a Board,
    pub(super) engine: Engine,
    pub(super) modulus: Option<u64>,
    pub(super) ternary: bool,
    pub(super) saving: Option<Saving>,
}

fn refuse<T>(sentence: impl Into<String>) -> Result<T> {
    Err(Error::input(sentence.into()))
}

impl<'a> Task<'a> {
    /// What a question asks for.
    pub(super) fn of(asked: &Asked<'a>) -> Result<Task<'a>> {
        let question = asked.question;
        let games = question.flag("games");
        if question.text("superko").is_some() && !games {
            return refuse("--superko is about games: add --games.");
        }
        let situational = question.text("superko") == Some("situational");
        match question.verb {
            Verb::Count if question.flag("cycles") => cycles(asked),
            Verb::Count if question.flag("symmetric") => {
                refuse("--symmetric is about cycles: add --cycles.")
            }
            Verb::Count if games => all_games(asked, situational),
            Verb::Count => positions(asked),
            Verb::Estimate if games => {
                let board = asked.board()?;
                let most = estimate::MOST_POSITIONS;
                if Small::new(board)?.positions().take(most + 1).count() > most {
                    return refuse(format!(
                        "Games are estimated on boards with up to {most} legal positions (3x3 and \
                         1x10 are); {} has more.",
                        board.name()
                    ));
                }
                Ok(Task::AboutGames { board, situational, samples: samples(asked)? })
            }
            Verb::Estimate => share(asked),
            Verb::Find => {
                let symmetric = question.flag("symmetric");
                let tour = question.text("tour");
                if tour.is_some() && !symmetric {
                    return refuse("--tour reads tours of symmetric cycles: add --symmetric.");
                }
                Ok(Task::Cycle { board: small(asked)?, symmetric, tour })
            }
            Verb::Sample => {
                let samples = question.number("samples").unwrap_or(1);
                Ok(Task::Sample { board: asked.board()?, samples })
            }
            Verb::Explore => Ok(Task::Explore { board: small(asked)? }),
            Verb::Export => Ok(Task::Export { board: small(asked)? }),
            Verb::Recurrence => {
                let height = recurrence::height(question)?;
                let terms = question.number("terms").unwrap_or(recurrence::TERMS);
                if terms > recurrence::MOST_TERMS {
                    return refuse(format!(
                        "At most {} terms are told; count gives any single one.",
                        recurrence::MOST_TERMS
                    ));
                }
                Ok(Task::Recurrence { height, terms: terms as usize })
            }
            Verb::Analyze => analyze(asked),
            verb => Err(Error::internal(format!("go was asked to {verb}"))),
        }
    }
}

/// The board, if its moves can be followed.
fn small<'a>(asked: &Asked<'a>) -> Result<&'a Board> {
    let board = asked.board()?;
    Small::new(board)?;
    Ok(board)
}

fn samples(asked: &Asked) -> Result<u64> {
    match asked.question.number("samples") {
        Some(samples @ 0..2) => {
            refuse(format!("--samples {samples} tells nothing of the error: take 2 or more."))
        }
        other => Ok(other.unwrap_or(estimate::SAMPLES)),
    }
}

fn share<'a>(asked: &Asked<'a>) -> Result<Task<'a>> {
    let board = asked.board()?;
    let Some((height, length)) = sides(board) else {
        return refuse(format!(
            "Legal positions are estimated on full rectangles; {} is none.",
            board.name()
        ));
    };
    if height > estimate::MOST_HEIGHT {
        return refuse(format!(
            "Legal positions are estimated on rectangles whose shorter side is up to {}; that of \
             {} is {height}.",
            estimate::MOST_HEIGHT,
            board.name()
        ));
    }
    Ok(Task::Share { board, height, length, samples: samples(asked)? })
}

fn cycles<'a>(asked: &Asked<'a>) -> Result<Task<'a>> {
    for option in ["classes", "ternary", "mod", "checkpoint", "resume", "games", "method"] {
        if asked.question.options.contains_key(option) {
            return refuse(format!("--{option} does not go with --cycles."));
        }
    }
    let board = asked.board()?;
    let symmetric = asked.question.flag("symmetric");
    // All positions but the empty one, or classes of two.
    let each = if symmetric { 2 } else { 1 };
    let most = each * hamilton::MOST_COUNTED;
    if Small::new(board)?.positions().take(most + 2).count() > most + 1 {
        return refuse(format!(
            "Cycles are counted through up to {} {}; {} has more.",
            hamilton::MOST_COUNTED,
            if symmetric { "pairs of reverse positions" } else { "positions" },
            board.name()
        ));
    }
    Ok(Task::Cycles { board, symmetric })
}

fn all_games<'a>(asked: &Asked<'a>, situational: bool) -> Result<Task<'a>> {
    for option in ["classes", "ternary", "mod", "checkpoint", "resume"] {
        if asked.question.options.contains_key(option) {
            return refuse(format!("--{option} is about positions and does not go with --games."));
        }
    }
    let method = match asked.question.text("method").unwrap_or("auto") {
        "auto" | "memo" => "memo",
        "search" => "search",
        other => {
            return refuse(format!(
                "--method {other} counts positions; games are counted by search or memo."
            ));
        }
    };
    let board = asked.board()?;
    let most = games::MOST_NODES;
    let positions = Small::new(board)?.positions().take(most + 1).count();
    let nodes = if situational { 2 * positions } else { positions };
    if nodes > most {
        return refuse(format!(
            "Games are counted exactly on boards with up to {most} {}; {} has more. Try estimate \
             --games.",
            if situational { "situations" } else { "legal positions" },
            board.name()
        ));
    }
    Ok(Task::Games { board, situational, method })
}

fn positions<'a>(asked: &Asked<'a>) -> Result<Task<'a>> {
    let question = asked.question;
    let board = asked.board()?;
    let engine = engine(asked, board)?;
    if sides(board).is_none() {
        // Borders that are too wide are refused.
        Legal::new(&Points::of(board))?;
    }
    let modulus = question.number("mod");
    let ternary = question.flag("ternary");
    let path = question.text("checkpoint");
    if question.flag("resume") && path.is_none() {
        return refuse("--resume needs --checkpoint FILE to go on from.");
    }
    if question.flag("classes") {
        if modulus.is_some() || path.is_some() || ternary {
            return refuse("--classes goes with none of --mod, --checkpoint and --ternary.");
        }
        return Ok(Task::Classes { board, engine });
    }
    if modulus.is_some_and(|modulus| modulus < 2) {
        return refuse("--mod takes a number from 2 on.");
    }
    if modulus.is_some() && (path.is_some() || ternary) {
        return refuse("--mod goes with neither --checkpoint nor --ternary.");
    }
    let saving = match path {
        None => None,
        Some(_) if engine != Engine::Matrix => {
            return refuse(format!(
                "--checkpoint goes with the matrix engine; this would be counted by {}.",
                engine.name()
            ));
        }
        Some(path) => {
            let saving = Saving { path: path.into(), resume: question.flag("resume") };
            saving.check()?;
            Some(saving)
        }
    };
    Ok(Task::Positions(Positions { board, engine, modulus, ternary, saving }))
}

fn analyze<'a>(asked: &Asked<'a>) -> Result<Task<'a>> {
    let question = asked.question;
    let given = ["borders", "formula", "position"].map(|name| question.options.contains_key(name));
    if given.iter().filter(|&&given| given).count() > 1 {
        return refuse("Ask for one of --borders, --formula and --position at a time.");
    }
    let number = |name: &str, least: usize, most: usize| match question.number(name) {
        None => Ok(None),
        Some(_) if question.place != Place::Nowhere => {
            refuse(format!("--{name} is about all boards: leave the board out."))
        }
        Some(number) if (least as u64..=most as u64).contains(&number) => Ok(Some(number as usize)),
        Some(number) => {
            refuse(format!("--{name} takes a number from {least} to {most}, not {number}."))
        }
    };
    if let Some(most) = number("borders", 1, MOST_COUNTED)? {
        return Ok(Task::Borders { most });
    }
    if let Some(most) = number("formula", 3, super::analyze::MOST_FITTED)? {
        return Ok(Task::Formula { most });
    }
    let board = asked.board()?;
    match question.text("position") {
        Some(text) => Ok(Task::Judge { board, colours: position::parse(board, text)? }),
        None => Ok(Task::Inspect { board }),
    }
}
