//! Plans: which engine would be used, and what it would cost.

use super::border::{MOST_COUNTED, valid_classes};
use super::count::{Engine, bytes, check_room, colourings, engine, sides};
use super::matrix::LEAST_HEIGHT;
use super::moves::Small;
use super::{Asked, recurrence};
use crate::answer::Plan;
use crate::error::Result;
use crate::question::Verb;

/// Nanoseconds for a class of borders and a modulus at each point, by one thread: measured
/// on a machine of 2024, to be taken as an order of magnitude.
fn nanoseconds(engine: Engine) -> f64 {
    match engine {
        Engine::Sweep => 250.0,
        Engine::Table => 8.0,
        Engine::Matrix => 3.0,
    }
}

/// Says what would be done.
pub(super) fn plan(asked: &Asked) -> Result<Plan> {
    let question = asked.question;
    let simple = |method: &str, why: &str| Ok(Plan::new(question, method, why));
    match question.verb {
        Verb::Count if question.flag("games") => {
            Small::new(asked.board()?)?;
            simple("memo", "games are counted by what they can still reach")
        }
        Verb::Count if question.flag("cycles") => {
            Small::new(asked.board()?)?;
            simple("search", "every cycle is walked")
        }
        Verb::Count => positions(asked),
        Verb::Find => {
            Small::new(asked.board()?)?;
            simple("perfect matching and exchanges", "cycles that cover all positions are joined")
        }
        Verb::Estimate => {
            asked.board()?;
            simple("Chen's stratified sampling", "samples take as long as you let them")
        }
        Verb::Sample => {
            let board = asked.board()?;
            let mut plan =
                Plan::new(question, "rejection", "colourings are drawn until one is legal");
            // About 2.9757 of 3 ways a point, and less at the rim.
            let tries = (board.len() as f64 * (3f64 / 2.9757).ln()).exp();
            plan.notes.push(format!("One in {tries:.0} or a little more is legal."));
            Ok(plan)
        }
        Verb::Recurrence => {
            let height = recurrence::height(question)?;
            let classes = valid_classes(height, 0);
            let mut plan = Plan::new(
                question,
                "matrix, Berlekamp–Massey",
                "as many strips are counted as prove the recurrence",
            );
            // About half of the classes remain when they are turned upside down.
            let columns = classes as f64;
            let borders: u128 = (0..height).map(|row| valid_classes(height, row)).sum();
            plan.peak_borders = Some(valid_classes(height, height - 1) as f64);
            plan.seconds = Some(columns * borders as f64 * 1.5e-9 + columns * columns * 2e-9);
            plan.notes.push(format!("About {columns:.0} columns would be read."));
            Ok(plan)
        }
        Verb::Analyze => simple("inspection", "nothing is searched"),
        _ => {
            Small::new(asked.board()?)?;
            simple("inspection", "all positions and moves of a small board are listed")
        }
    }
}

fn positions(asked: &Asked) -> Result<Plan> {
    let (question, run) = (asked.question, asked.run);
    let board = asked.board()?;
    let engine = engine(asked, board)?;
    let why = match (engine, sides(board)) {
        _ if question.text("method").is_some_and(|method| method != "auto") => "it was asked for",
        (Engine::Sweep, _) => "the board is no full rectangle",
        (Engine::Table, _) => "the board is too low to be cut in two",
        (Engine::Matrix, _) => "it is the fastest on rectangles",
    };
    let mut plan = Plan::new(question, engine.name(), why);
    let Some((height, length)) = sides(board) else {
        let points = super::points::Points::of(board);
        let widest = points.widths().into_iter().max().unwrap_or(0);
        plan.notes
            .push(format!("Borders have up to {widest} points; how many occur is not known."));
        return Ok(plan);
    };
    if height <= MOST_COUNTED {
        let most = (0..height).map(|row| valid_classes(height, row)).max().unwrap_or(1);
        let borders: u128 = (0..height).map(|row| valid_classes(height, row)).sum();
        // Moduli of about 46 bits for the matrix, 61 for the others; one to spare.
        let bits = if engine == Engine::Matrix { 46 } else { 60 };
        let moduli = if question.number("mod").is_some() {
            1
        } else {
            colourings(board.len()).bits().div_ceil(bits) + 1
        };
        plan.peak_borders = Some(most as f64);
        plan.bytes = Some(bytes(engine, height) as f64);
        let work = borders as f64 * (length - 1) as f64 * moduli as f64;
        let threads = if engine == Engine::Table { 1 } else { run.budget().threads };
        plan.seconds = Some(work * nanoseconds(engine) * 1e-9 / threads as f64);
        plan.notes.push(format!(
            "Borders are counted exactly (up to reversal of colours); time from {} ns for each, \
             {moduli} moduli and {} points.",
            nanoseconds(engine),
            height * (length - 1)
        ));
        if question.flag("classes") {
            plan.notes
                .push("Positions fixed by symmetries are counted besides, by the sweep.".into());
        }
    }
    if let Err(no) = check_room(engine, height, length, run) {
        plan.notes.push(no.to_string());
    }
    debug_assert!(engine != Engine::Matrix || height >= LEAST_HEIGHT);
    Ok(plan)
}
