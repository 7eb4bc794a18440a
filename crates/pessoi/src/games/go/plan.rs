//! Plans: which engine would be used, and what it would cost.

use super::analyze::{legal_log10, power_of_ten};
use super::border::{MOST_COUNTED, valid_classes};
use super::count::{Engine, bytes, check_room, colourings, sides};
use super::matrix::LEAST_HEIGHT;
use super::points::Points;
use super::task::{Positions, Task};
use super::{Asked, plural};
use crate::answer::Plan;
use crate::board::Board;
use crate::error::Result;

/// Nanoseconds for a class of borders and a modulus at each point, by one thread: measured
/// on a machine of 2024, to be taken as an order of magnitude.
fn nanoseconds(engine: Engine) -> f64 {
    match engine {
        Engine::Sweep => 350.0,
        Engine::Table => 26.0,
        Engine::Matrix => 3.2,
    }
}

/// Says what would be done.
pub(super) fn plan(asked: &Asked) -> Result<Plan> {
    let question = asked.question;
    let simple = |method: &str, why: &str| Ok(Plan::new(question, method, why));
    match Task::of(asked)? {
        Task::Positions(Positions { board, engine, modulus, .. }) => {
            Ok(positions(asked, board, engine, modulus.is_some()))
        }
        Task::Classes { board, engine } => {
            let mut plan = positions(asked, board, engine, false);
            plan.notes
                .push("Positions fixed by symmetries are counted besides, by the sweep.".into());
            Ok(plan)
        }
        Task::Games { method: "search", .. } => simple("search", "every game is walked"),
        Task::Games { method, .. } => {
            simple(method, "games are counted by what they can still reach")
        }
        Task::Cycles { .. } => simple("search", "every cycle is walked"),
        Task::Cycle { tour: Some(_), .. } => simple("inspection", "the tour is followed"),
        Task::Cycle { .. } => {
            simple("perfect matching and exchanges", "cycles that cover all positions are joined")
        }
        Task::Share { height, length, samples, .. } => {
            let why = "one border of each stratum is followed";
            let mut plan = Plan::new(question, "Chen's stratified sampling of borders", why);
            let points = (height * length) as f64;
            let seconds = samples as f64 * points * height as f64 * A_STRATUM;
            plan.seconds = Some(seconds * 1e-9 / asked.run.budget().threads as f64);
            Ok(plan)
        }
        Task::AboutGames { .. } => {
            simple("Chen's stratified sampling of paths", "one path of each stratum is followed")
        }
        Task::Sample { board, samples } => {
            let mut plan =
                Plan::new(question, "rejection", "colourings are drawn until one is legal");
            let all = board.len() as f64 * 3f64.log10();
            // Where the formula does not reach, nothing is foretold.
            let legal = sides(board).map(|(height, length)| legal_log10(height, length, asked.run));
            if let Some(Ok((legal, _))) = legal {
                plan.notes.push(format!(
                    "About one colouring in {} is legal; {samples} {} asked for.",
                    power_of_ten(all - legal),
                    plural(samples, "is", "are")
                ));
            }
            Ok(plan)
        }
        Task::Recurrence { height, .. } => {
            let mut plan = Plan::new(
                question,
                "matrix, Berlekamp–Massey",
                "as many strips are counted as prove the recurrence",
            );
            // About half of the classes remain when they are turned upside down, and twice as
            // many columns are read.
            let columns = valid_classes(height, 0) as f64;
            let borders: u128 = (0..height).map(|row| valid_classes(height, row)).sum();
            let engine = if height < LEAST_HEIGHT { Engine::Table } else { Engine::Matrix };
            let threads = if height < 9 { 1 } else { asked.run.budget().threads };
            plan.peak_borders = Some(valid_classes(height, height - 1) as f64);
            plan.bytes = Some(bytes(engine, height) as f64);
            plan.seconds = Some(
                columns * borders as f64 * nanoseconds(engine) * 1e-9 / threads as f64
                    + columns * columns / 2.0 * A_PRODUCT * 1e-9,
            );
            plan.notes.push(format!("About {columns:.0} columns would be read."));
            Ok(plan)
        }
        Task::Borders { .. } => simple("balanced paths", "borders are counted and not listed"),
        Task::Formula { most } => {
            let board = Board::rectangle(most, most + 1)?;
            let engine = if most < LEAST_HEIGHT { Engine::Table } else { Engine::Matrix };
            let mut plan = positions(asked, &board, engine, false);
            plan.why = "squares and the rectangles between them are counted".into();
            // The square and the rectangle beside it, and all smaller ones for a quarter more.
            plan.seconds = plan.seconds.map(|seconds| 2.5 * seconds);
            Ok(plan)
        }
        Task::Judge { .. } | Task::Inspect { .. } => simple("inspection", "nothing is searched"),
        Task::Explore { .. } | Task::Export { .. } => {
            simple("inspection", "all positions and moves of a small board are listed")
        }
    }
}

/// Nanoseconds for each row, point and sample of an estimate.
const A_STRATUM: f64 = 80.0;
/// Nanoseconds for a product of residues and what belongs to it.
const A_PRODUCT: f64 = 2.0;

fn positions(asked: &Asked, board: &Board, engine: Engine, single: bool) -> Plan {
    let (question, run) = (asked.question, asked.run);
    let why = match engine {
        _ if question.text("method").is_some_and(|method| method != "auto") => "it was asked for",
        Engine::Sweep => "the board is no full rectangle",
        Engine::Table => "the board is too low to be cut in two",
        Engine::Matrix => "it is the fastest on rectangles",
    };
    let mut plan = Plan::new(question, engine.name(), why);
    let Some((height, length)) = sides(board) else {
        let widest = Points::of(board).widths().into_iter().max().unwrap_or(0);
        plan.notes
            .push(format!("Borders have up to {widest} points; how many occur is not known."));
        return plan;
    };
    if height <= MOST_COUNTED {
        let most = (0..height).map(|row| valid_classes(height, row)).max().unwrap_or(1);
        let borders: u128 = (0..height).map(|row| valid_classes(height, row)).sum();
        // Moduli of about 46 bits for the matrix, 61 for the others; one to spare.
        let bits = if engine == Engine::Matrix { 46 } else { 60 };
        let moduli = if single { 1 } else { colourings(board.len()).bits().div_ceil(bits) + 1 };
        plan.peak_borders = Some(most as f64);
        plan.bytes = Some(bytes(engine, height) as f64);
        let work = borders as f64 * (length - 1) as f64 * moduli as f64;
        let threads = if engine == Engine::Table { 1 } else { run.budget().threads };
        plan.seconds = Some(work * nanoseconds(engine) * 1e-9 / threads as f64);
        plan.notes.push(format!(
            "Borders are counted exactly (up to reversal of colours); time from {} ns for each, \
             {moduli} {} and {} points.",
            nanoseconds(engine),
            plural(moduli, "modulus", "moduli"),
            height * (length - 1)
        ));
    }
    if let Err(no) = check_room(engine, height, length, run) {
        plan.notes.push(no.to_string());
    }
    plan
}
