//! A checked question of Go.
//!
//! A question becomes a task once, before anything is counted, and everything that is wrong
//! with it is refused here. The task names the engine, so a plan and its answer agree.

use super::list::Listing;
use super::methods::{
    BALANCED_PATHS, BERLEKAMP_MASSEY, BERLEKAMP_MASSEY_MODULO, BREADTH_FIRST, CHEN_BORDERS,
    CHEN_GAMES, COLOURING, CYCLE_SEARCH, FIT, INSPECTION, MATCHING, MATRIX, MEMO, REJECTION,
    SEARCH, SWEEP, TABLE, TOUR,
};
use super::moves::{Small, Stones};
use super::options::{self, SITUATIONAL};
use super::parts::{Divided, Over};
use super::points::Points;
use super::rectangle::{Engine, sides};
use super::sweep::Legal;
use super::{
    analyze, border, count, estimate, explore, export, find, games, hamilton, matrix, position,
    recurrence, sample, tsp,
};
use crate::answer::{Subject, Used};
use crate::board::Board;
use crate::card::{METHOD, Method};
use crate::error::{Error, Result};
use crate::question::{Place, Question, Verb};
use pessoi_engine::run::Bytes;

/// What is to be done.
pub(super) enum Task<'a> {
    /// Legal positions.
    Positions(Positions<'a>),
    /// Legal positions up to symmetries and reversal of colours: the engine for all positions,
    /// and what the sweep counts for each symmetry, without and with reversal.
    Classes { board: &'a Board, engine: Engine, quotients: Vec<[Option<Legal>; 2]> },
    /// Games, each one.
    Games { board: &'a Board, situational: bool, following: Following },
    /// Cycles through all positions but the empty one, each one.
    Cycles { board: &'a Board, symmetric: bool, positions: usize },
    /// One such cycle, looked for or read from a tour.
    Cycle { board: &'a Board, symmetric: bool, tour: Option<Vec<Stones>> },
    /// About how many positions are legal.
    Share { board: &'a Board, height: usize, length: usize, samples: u64 },
    /// About how many games there are.
    AboutGames { board: &'a Board, situational: bool, samples: u64 },
    /// Random legal positions.
    Sample { board: &'a Board, samples: u64 },
    /// Every legal position, or one of each class.
    List(Listing<'a>),
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
    /// What the sweep reads, on boards that are no rectangles.
    pub(super) legal: Option<Legal>,
    pub(super) modulus: Option<u64>,
    pub(super) ternary: bool,
    /// Which part is counted, if it is one.
    pub(super) divided: Option<Divided>,
}

impl Positions<'_> {
    /// Whether the parts are blocks, and meet in a folder.
    pub(super) fn is_shared(&self) -> bool {
        self.divided.as_ref().is_some_and(|divided| divided.over == Over::Blocks)
    }
}

/// How games are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Following {
    /// Each one is walked.
    Each,
    /// Once for each set of positions that can still be reached.
    Sets,
}

impl Following {
    /// The engine as the card has it.
    pub(super) fn method(self) -> &'static Method {
        match self {
            Following::Each => &SEARCH,
            Following::Sets => &MEMO,
        }
    }
}

impl<'a> Task<'a> {
    /// What a question asks for.
    pub(super) fn of(question: &'a Question) -> Result<Task<'a>> {
        match question.verb {
            Verb::Count if question.flag(&options::CYCLES) => cycles(question),
            Verb::Count if question.flag(&options::GAMES) => all_games(question),
            Verb::Count => positions(question),
            Verb::Estimate if question.flag(&options::ESTIMATED_GAMES) => about_games(question),
            Verb::Estimate => share(question),
            Verb::Find => {
                let board = small(question)?;
                let symmetric = question.flag(&options::SYMMETRIC);
                let tour = question.text(&options::TOUR);
                let tour = tour.map(|text| tsp::cycle(board, text)).transpose()?;
                Ok(Task::Cycle { board, symmetric, tour })
            }
            Verb::Sample => {
                let samples = question.number(&options::DRAWN).unwrap_or(1);
                Ok(Task::Sample { board: question.board()?, samples })
            }
            Verb::List | Verb::Classify => Ok(Task::List(Listing::of(question)?)),
            Verb::Explore => Ok(Task::Explore { board: small(question)? }),
            Verb::Export => Ok(Task::Export { board: small(question)? }),
            Verb::Recurrence => {
                let terms = question.number(&options::TERMS).unwrap_or(1) as usize;
                Ok(Task::Recurrence { height: question.size()? as usize, terms })
            }
            Verb::Analyze => analyze(question),
            verb => Err(Error::internal(format!("go was asked to {verb}"))),
        }
    }

    /// The engine.
    pub(super) fn method(&self) -> Used {
        match self {
            Task::Positions(positions) => positions.engine.method().into(),
            Task::Classes { engine, .. } => count::burnside_by(*engine),
            Task::Games { following, .. } => following.method().into(),
            Task::Cycles { .. } => (&CYCLE_SEARCH).into(),
            Task::Cycle { tour: Some(_), .. } => (&TOUR).into(),
            Task::Cycle { tour: None, .. } => (&MATCHING).into(),
            Task::Share { .. } => (&CHEN_BORDERS).into(),
            Task::AboutGames { .. } => (&CHEN_GAMES).into(),
            Task::Sample { .. } => (&REJECTION).into(),
            Task::List(_) => (&COLOURING).into(),
            Task::Explore { .. } => (&BREADTH_FIRST).into(),
            Task::Recurrence { height, .. } if *height <= recurrence::MOST_WHOLE => {
                (&BERLEKAMP_MASSEY).into()
            }
            Task::Recurrence { .. } => (&BERLEKAMP_MASSEY_MODULO).into(),
            Task::Borders { .. } => (&BALANCED_PATHS).into(),
            Task::Formula { .. } => (&FIT).into(),
            Task::Export { .. } | Task::Judge { .. } | Task::Inspect { .. } => (&INSPECTION).into(),
        }
    }

    /// What is counted or measured.
    pub(super) fn subject(&self) -> Subject {
        match self {
            Task::Positions(_) | Task::Share { .. } => count::POSITIONS,
            Task::Classes { .. } => count::classes_subject(),
            Task::Games { situational, .. } | Task::AboutGames { situational, .. } => {
                count::games_subject(*situational)
            }
            Task::Cycles { symmetric, .. } => count::cycles_subject(*symmetric),
            Task::Cycle { symmetric, .. } => find::subject(*symmetric),
            Task::Sample { .. } => sample::subject(),
            Task::List(listing) => listing.subject(),
            Task::Explore { .. } => explore::FARTHEST,
            Task::Export { .. } => export::GRAPH,
            Task::Recurrence { height, .. } => recurrence::subject(*height),
            Task::Borders { most } => analyze::borders_subject(*most),
            Task::Formula { .. } => analyze::FORMULA,
            Task::Judge { .. } => analyze::BREATHLESS,
            Task::Inspect { .. } => analyze::BOARD,
        }
    }
}

/// The board, if its moves can be followed.
fn small(question: &Question) -> Result<&Board> {
    let board = question.board()?;
    Small::new(board)?;
    Ok(board)
}

/// How many legal positions a small board has; up to `most` are counted.
fn some_positions(board: &Board, most: usize) -> Result<usize> {
    Ok(Small::new(board)?.positions().take(most).count())
}

fn too_many(board: &Board, sentence: &str) -> Error {
    Error::unsupported("place", format!("{sentence}; {} has more.", board.name()))
}

fn is_situational(question: &Question) -> bool {
    question.text(&options::SUPERKO) == Some(SITUATIONAL)
}

fn about_games(question: &Question) -> Result<Task<'_>> {
    let board = question.board()?;
    let most = estimate::MOST_POSITIONS;
    if some_positions(board, most + 1)? > most {
        return Err(too_many(
            board,
            &format!(
                "Games are estimated on boards with up to {most} legal positions (3x3 and 1x10 \
                 are such)"
            ),
        ));
    }
    let samples = question.number(&options::SAMPLES).unwrap_or(2);
    Ok(Task::AboutGames { board, situational: is_situational(question), samples })
}

fn share(question: &Question) -> Result<Task<'_>> {
    let board = question.board()?;
    let Some((height, length)) = sides(board) else {
        return Err(Error::place(format!(
            "Legal positions are estimated on full rectangles; {} is none.",
            board.name()
        )));
    };
    if height > estimate::MOST_HEIGHT {
        return Err(Error::unsupported(
            "place",
            format!(
                "Legal positions are estimated on rectangles whose shorter side is up to {}; that \
                 of {} is {height}.",
                estimate::MOST_HEIGHT,
                board.name()
            ),
        ));
    }
    let samples = question.number(&options::SAMPLES).unwrap_or(2);
    Ok(Task::Share { board, height, length, samples })
}

fn cycles(question: &Question) -> Result<Task<'_>> {
    if let Some(named) = question.method() {
        return Err(Error::conflict(
            METHOD,
            format!("--method {named} does not count cycles: leave it out."),
        ));
    }
    let board = question.board()?;
    let symmetric = question.flag(&options::COUNTED_SYMMETRIC);
    // All positions but the empty one, or classes of two.
    let each = if symmetric { 2 } else { 1 };
    let most = each * hamilton::MOST_COUNTED;
    let positions = some_positions(board, most + 2)?;
    if positions > most + 1 {
        return Err(too_many(
            board,
            &format!(
                "Cycles are counted through up to {} {}",
                hamilton::MOST_COUNTED,
                if symmetric { "pairs of reverse positions" } else { "positions" }
            ),
        ));
    }
    Ok(Task::Cycles { board, symmetric, positions: (positions - 1) / each })
}

fn all_games(question: &Question) -> Result<Task<'_>> {
    let following = match question.method() {
        None => Following::Sets,
        Some(named) if named == MEMO.id => Following::Sets,
        Some(named) if named == SEARCH.id => Following::Each,
        Some(other) => {
            return Err(Error::conflict(
                METHOD,
                format!("--method {other} counts positions; games are counted by search or memo."),
            ));
        }
    };
    let board = question.board()?;
    let situational = is_situational(question);
    let most = games::MOST_NODES;
    let positions = some_positions(board, most + 1)?;
    if (if situational { 2 * positions } else { positions }) > most {
        return Err(too_many(
            board,
            &format!(
                "Games are counted exactly on boards with up to {most} {} (estimate --games takes \
                 larger ones)",
                if situational { "situations" } else { "legal positions" }
            ),
        ));
    }
    Ok(Task::Games { board, situational, following })
}

/// The engine for a board: the one named, or the best.
fn engine(question: &Question, board: &Board) -> Result<Engine> {
    let rectangle = sides(board);
    let engine = match question.method() {
        None => Engine::of(board),
        Some(named) if named == SWEEP.id => Engine::Sweep,
        Some(named) if named == TABLE.id => Engine::Table,
        Some(named) if named == MATRIX.id => Engine::Matrix,
        Some(other) => {
            return Err(Error::conflict(
                METHOD,
                format!(
                    "--method {other} counts games; positions are counted by sweep, table or \
                     matrix."
                ),
            ));
        }
    };
    let id = engine.method().id;
    match rectangle {
        None if engine == Engine::Sweep => Ok(engine),
        None => Err(Error::option(
            METHOD,
            format!("--method {id} counts on full rectangles; on {} use sweep.", board.name()),
        )),
        Some((height, _)) if engine == Engine::Matrix && height < matrix::LEAST_HEIGHT => {
            Err(Error::option(
                METHOD,
                format!(
                    "--method matrix needs at least {} rows and columns; use table.",
                    matrix::LEAST_HEIGHT
                ),
            ))
        }
        Some((height, length)) if height > engine.most_height() => {
            let needed = match u64::try_from(engine.bytes(height.min(border::MOST_COUNTED))) {
                Ok(bytes) if height <= border::MOST_COUNTED => format!("about {}", Bytes(bytes)),
                _ => "more memory than any machine has".to_owned(),
            };
            Err(Error::unsupported(
                "place",
                format!(
                    "Counting {height}x{length} by {id} would take {needed}; {id} goes up to {} \
                     rows. Try estimate.",
                    engine.most_height()
                ),
            ))
        }
        Some(_) => Ok(engine),
    }
}

fn positions(question: &Question) -> Result<Task<'_>> {
    let board = question.board()?;
    let engine = engine(question, board)?;
    // Borders that are too wide are refused.
    let is_rectangle = sides(board).is_some();
    if question.flag(&options::CLASSES) {
        let mut quotients = Vec::new();
        for (k, symmetry) in board.symmetries().iter().enumerate() {
            let legal = |reverses: bool| {
                if k == 0 && !reverses && is_rectangle {
                    return Ok(None);
                }
                let points = Points::fixed_by(board, &symmetry.permutation, reverses);
                Legal::new(&points).map(Some)
            };
            quotients.push([legal(false)?, legal(true)?]);
        }
        return Ok(Task::Classes { board, engine, quotients });
    }
    let legal = if is_rectangle { None } else { Some(Legal::new(&Points::of(board))?) };
    let modulus = question.number(&options::MOD);
    let ternary = question.flag(&options::TERNARY);
    let divided = Divided::of(question, board, engine)?;
    Ok(Task::Positions(Positions { board, engine, legal, modulus, ternary, divided }))
}

fn analyze(question: &Question) -> Result<Task<'_>> {
    for opt in [&options::BORDERS, &options::FORMULA] {
        if question.is_given(opt) && question.place != Place::Nowhere {
            return Err(Error::place(format!(
                "--{} is about all boards: leave out {}.",
                opt.name, question.place
            )));
        }
    }
    if let Some(most) = question.number(&options::BORDERS) {
        return Ok(Task::Borders { most: most as usize });
    }
    if let Some(most) = question.number(&options::FORMULA) {
        return Ok(Task::Formula { most: most as usize });
    }
    if question.is_given(&options::POSITION) && question.place == Place::Nowhere {
        return Err(Error::place(
            "A position is read on a board: name its size too, as in analyze go 5x5 --position \
             FILE.",
        ));
    }
    let board = question.board()?;
    match question.text(&options::POSITION) {
        Some(text) => Ok(Task::Judge { board, colours: position::parse(board, text)? }),
        None => Ok(Task::Inspect { board }),
    }
}
