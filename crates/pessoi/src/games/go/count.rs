//! `count`: legal positions, classes of them, games, and cycles through all positions.

use num_bigint::BigUint;

use super::border::{MOST_COUNTED, valid_classes};
use super::estimate;
use super::formula::digits_of_share;
use super::games::{self, Tree};
use super::hamilton::{self, Covering};
use super::methods::{BURNSIDE, CYCLE_SEARCH};
use super::parts::{Divided, Over, count_with, is_one_pass};
use super::rectangle::{
    self, Counted, Engine, TOGETHER, by_sweep, colourings, plural, rectangle, sides,
};
use super::sweep::Legal;
use super::task::{Following, Positions};
use super::{apart, matrix, options};
use crate::answer::{Answer, Limit, Subject, Used, Value};
use crate::board::Board;
use crate::card::Method;
use crate::certificate::Certificate;
use crate::error::{Error, Result};
use crate::job::{Asked, COMPLETE, Halt, Work};
use crate::plan::{GLANCE, Plan};
use crate::table::{Datum, DatumKind, Fact, Table};
use pessoi_engine::ledger::Ledger;
use pessoi_engine::records::Unusable;
use pessoi_engine::run::{Bytes, Run};
use pessoi_engine::sweep::forecast;
use pessoi_engine::symmetry::burnside;

/// Legal positions.
pub(super) const POSITIONS: Subject =
    Subject::things("legal-positions", "legal position", "legal positions");

/// Legal positions up to symmetry.
pub(super) fn classes_subject() -> Subject {
    POSITIONS.classes("turns, mirrors and reversal of colours")
}

/// Games.
pub(super) const fn games_subject(situational: bool) -> Subject {
    if situational {
        Subject::things(
            "games-under-situational-superko",
            "game under situational superko",
            "games under situational superko",
        )
    } else {
        Subject::things(
            "games-under-positional-superko",
            "game under positional superko",
            "games under positional superko",
        )
    }
}

/// Cycles, counted.
pub(super) const fn cycles_subject(symmetric: bool) -> Subject {
    if symmetric {
        Subject::things(
            "directed-symmetric-cycles",
            "directed cycle through all positions but the empty one, symmetric in colours",
            "directed cycles through all positions but the empty one, symmetric in colours",
        )
    } else {
        Subject::things(
            "directed-cycles",
            "directed cycle through all positions but the empty one",
            "directed cycles through all positions but the empty one",
        )
    }
}

/// Nanoseconds for a class of borders and a modulus at each point, by one thread, if so many
/// moduli are counted at once: measured on a machine of 2024, to be taken as an order of magnitude.
pub(super) fn nanoseconds(engine: Engine, lanes: usize) -> f64 {
    match engine {
        Engine::Sweep => 350.0,
        Engine::Table => 26.0,
        Engine::Matrix => match lanes {
            1 => 3.0,
            2 | 3 => 2.8, // three are two and one
            _ => 2.6,
        },
    }
}

/// Plans a count of positions.
pub(super) fn plan_positions(asked: &Asked, task: &Positions) -> Plan {
    let engine = task.engine;
    let why = match engine {
        _ if asked.question.method().is_some() => "it was asked for",
        Engine::Sweep => "the board is no full rectangle",
        Engine::Table => "the board is too low to be cut in two",
        Engine::Matrix => "it is the fastest on rectangles",
    };
    let plan = Plan::new(asked.question, engine.method(), why);
    match (&task.legal, sides(task.board)) {
        (None, Some(sides)) => {
            let much = match (&task.divided, task.modulus) {
                (Some(divided), _) => Much::Part(divided),
                (None, Some(modulus)) if is_one_pass(sides.0, modulus) => Much::Residue,
                (None, _) => Much::Number,
            };
            predicted(plan, sides, engine, much, asked.run)
        }
        (legal, _) => forecast_sum(plan, &legal.iter().collect::<Vec<_>>(), asked.run),
    }
}

/// Plans a count of classes.
pub(super) fn plan_classes(
    asked: &Asked,
    board: &Board,
    engine: Engine,
    quotients: &[[Option<Legal>; 2]],
) -> Plan {
    let why = "what each symmetry leaves as it is can be counted, and classes cannot";
    let mut plan = Plan::new(asked.question, burnside_by(engine), why);
    if let Some(sides) = sides(board) {
        plan = predicted(plan, sides, engine, Much::Number, asked.run);
    }
    let swept: Vec<&Legal> = quotients.iter().flatten().flatten().collect();
    forecast_sum(plan, &swept, asked.run)
}

/// Adds what sweeps will take, from a short look at each.
fn forecast_sum(mut plan: Plan, swept: &[&Legal], run: &Run) -> Plan {
    let a_look = GLANCE / swept.len().max(1) as u32;
    let [mut borders, mut peak, mut bytes, mut seconds] =
        [plan.borders, plan.peak_borders, plan.bytes, plan.seconds].map(Option::unwrap_or_default);
    let mut is_exact = true;
    for &legal in swept {
        let Ok(found) = forecast(legal, a_look, run) else {
            return plan.note("There was no time for a prediction.");
        };
        borders += found.borders;
        peak = peak.max(found.peak);
        bytes = bytes.max(found.bytes);
        seconds += found.seconds;
        is_exact &= found.exact;
    }
    plan.borders = Some(borders);
    plan.peak_borders = Some(peak);
    plan.bytes = Some(bytes);
    plan.seconds = Some(seconds);
    plan.note(if is_exact {
        "All layers of the sweep were read in order to predict."
    } else {
        "Of the sweep the first layers were read, and the others extrapolated."
    })
}

/// How much of a rectangle's number is counted.
#[derive(Clone, Copy)]
pub(super) enum Much<'a> {
    Number,
    Residue,
    Part(&'a Divided),
}

/// Adds what counting the positions of a rectangle costs.
pub(super) fn predicted(
    mut plan: Plan,
    (height, length): (usize, usize),
    engine: Engine,
    much: Much,
    run: &Run,
) -> Plan {
    let most = (0..height).map(|row| valid_classes(height, row)).max().unwrap_or(1);
    let borders: u128 = (0..height).map(|row| valid_classes(height, row)).sum();
    // Moduli of about 51 bits for the matrix, 61 for the others; one to spare.
    let bits = colourings(height * length).bits();
    let all = if engine == Engine::Matrix {
        // Or 2^64 and primes for the rest.
        (bits.div_ceil(51) + 1).min(bits.saturating_sub(64).div_ceil(51).max(1) + 2) as usize
    } else {
        bits.div_ceil(60) as usize + 1
    };
    // Only the matrix counts modulo any number, and in parts.
    let moduli = match much {
        Much::Residue if engine == Engine::Matrix => 1,
        Much::Part(divided) => divided.own().len(),
        _ => all,
    };
    let apart = match much {
        Much::Part(divided) if divided.over == Over::Blocks => Some(divided.part.of()),
        _ => None,
    };
    let lanes = if apart.is_some() { 1 } else { matrix::lanes_within(height, moduli, run) };
    let work = borders as f64 * (length - 1) as f64 / apart.unwrap_or(1) as f64;
    // The others count with several moduli at once.
    let passes = if engine == Engine::Matrix { moduli } else { moduli.div_ceil(TOGETHER) };
    let threads = if engine == Engine::Table { 1 } else { run.budget().threads };
    plan.borders = Some(work * passes as f64);
    plan.peak_borders = Some(most as f64);
    let (memory, disk) = match apart {
        Some(parts) => (Engine::room_apart(height, parts, run), 0),
        None => engine.room(height, lanes, run),
    };
    plan.bytes = Some(memory as f64);
    plan.seconds = Some(work * moduli as f64 * nanoseconds(engine, lanes) * 1e-9 / threads as f64);
    plan = plan.note(format!(
        "Borders are counted exactly (up to reversal of colours); time from {} ns for each, \
         {moduli} {} and {} points.",
        nanoseconds(engine, lanes),
        plural(moduli, "modulus", "moduli"),
        height * (length - 1)
    ));
    if disk > 0 {
        // Each phase reads and writes the layer once, and a column has two.
        let traffic = disk as f64 * 4.0 * (length - 1) as f64 * moduli as f64;
        plan = plan.note(format!(
            "The layer does not fit into memory: {} on disk, and {} are read and written in all.",
            Bytes(u64::try_from(disk).unwrap_or(u64::MAX)),
            Bytes(traffic as u64)
        ));
    }
    if let Some(parts) = apart {
        let layer = matrix::layer(height) as f64;
        // Each tile is written once and read once, and a column has two phases.
        let traffic = layer * 4.0 * (length - 1) as f64 * moduli as f64 / parts as f64;
        plan = plan.note(format!(
            "The {parts} parts hand each other their blocks through the shared folder: up to {} \
             lie there, and this part writes and reads {} in all. Time spent waiting for others \
             is not predicted.",
            Bytes((2.0 * layer) as u64),
            Bytes(traffic as u64)
        ));
    }
    match check_room(engine, height, apart, run) {
        Err(Halt::Stop(stop)) => {
            plan.note(format!("There would be no answer: {stop}. {}", remedy(engine, height, run)))
        }
        _ => plan,
    }
}

/// What to do if there is too little memory.
fn remedy(engine: Engine, height: usize, run: &Run) -> String {
    let bytes = |bytes: u128| Bytes(u64::try_from(bytes).unwrap_or(u64::MAX));
    let (least, without) = if engine == Engine::Matrix {
        let least = format!(
            "About {} are needed, and at least {} for the largest block: with --threads 1, and \
             --disk DIR or --over blocks. ",
            bytes(engine.room(height, 1, run).0),
            bytes(matrix::least(height))
        );
        (least, " without them")
    } else {
        (String::new(), "")
    };
    let side = engine.largest_square(run.budget().memory.unwrap_or(u64::MAX));
    format!(
        "{least}The largest square that {} can count in this memory{without} is {side}x{side}; \
         estimate takes larger ones.",
        engine.method().id
    )
}

/// Stops before anything is begun that cannot fit; in so many parts over blocks, if it is.
fn check_room(engine: Engine, height: usize, apart: Option<u64>, run: &Run) -> Work<()> {
    let Some(parts) = apart else { return engine.check_room(height, run) };
    let needed = u64::try_from(Engine::room_apart(height, parts, run)).unwrap_or(u64::MAX);
    match run.budget().memory.filter(|&bytes| needed > bytes) {
        Some(bytes) => Err(Limit::Memory { needed, bytes }.into()),
        None => Ok(()),
    }
}

/// Stops before anything is begun that cannot fit; the answer says what would fit.
fn no_room(
    asked: &Asked,
    board: &Board,
    engine: Engine,
    apart: Option<u64>,
    answer: impl FnOnce(Limit) -> Answer,
) -> Work<Option<Answer>> {
    let Some((height, _)) = sides(board) else { return Ok(None) };
    match check_room(engine, height, apart, asked.run) {
        Ok(()) => Ok(None),
        Err(Halt::Stop(stop @ Limit::Memory { .. })) => {
            let mut answer = answer(stop);
            answer.notes.push(remedy(engine, height, asked.run));
            Ok(Some(answer))
        }
        Err(other) => Err(other),
    }
}

/// Counts positions.
pub(super) fn positions(asked: &Asked, task: &Positions) -> Work<Answer> {
    let run = asked.run;
    let &Positions { board, engine, modulus, ref legal, .. } = task;
    let gave_up = |stop| asked.gave_up(&POSITIONS, stop, engine.method());
    let shared = task.divided.as_ref().filter(|_| task.is_shared());
    let apart = shared.map(|divided| divided.part.of());
    if let Some(answer) = no_room(asked, board, engine, apart, gave_up)? {
        return Ok(answer);
    }
    if let (Some(divided), Some(sides)) = (&task.divided, sides(board)) {
        return part(asked, divided, sides);
    }
    if let (Some(modulus), Engine::Matrix, Some(sides)) = (modulus, engine, sides(board))
        && is_one_pass(sides.0, modulus)
        && let Some(found) = rectangle::modulo(sides, vec![count_with(modulus)], run)?
    {
        let residue: u64 = found.residues.iter().map(|(_, residue)| residue).sum();
        let value = Value::Residue { residue: (residue % modulus).into(), modulus: modulus.into() };
        let mut answer = asked.answer(&POSITIONS, value, engine.method());
        answer.cost.borders = Some(found.borders);
        answer.cost.peak_borders = Some(found.peak);
        answer.notes.push(SINGLE.into());
        return Ok(answer);
    }
    let counted = match (sides(board), legal) {
        (_, Some(legal)) => by_sweep(legal, run.store(), run)?,
        (Some((height, length)), None) => rectangle(height, length, engine, run.store(), run)?,
        (None, None) => return Err(Error::internal("points that were not read").into()),
    };
    let mut answer = self::counted(asked, board, engine.method(), &counted, modulus, task.ternary);
    if run.store().is_some() && run.warnings().is_empty() {
        answer.notes.push(COMPLETE.into());
    }
    Ok(answer)
}

/// The answer of positions that were counted.
pub(super) fn counted(
    asked: &Asked,
    board: &Board,
    method: &Method,
    found: &Counted,
    modulus: Option<u64>,
    ternary: bool,
) -> Answer {
    let Counted { total, residues, borders, peak } = found;
    let mut answer = asked.answer(&POSITIONS, value(total, modulus), method);
    answer.cost.borders = Some(*borders);
    answer.cost.peak_borders = Some(*peak);
    if modulus.is_none() {
        answer.certificate = (!residues.is_empty()).then(|| Certificate::residues(residues));
    }
    answer.facts = facts(total, board, modulus.is_none(), ternary);
    answer
}

/// What is noted where one residue is all that was counted.
pub(super) const SINGLE: &str = "A single residue has nothing to be checked against.";

/// The number, or its residue.
pub(super) fn value(total: &BigUint, modulus: Option<u64>) -> Value {
    match modulus {
        Some(modulus) => Value::Residue { residue: total % modulus, modulus: modulus.into() },
        None => Value::exact(total.clone()),
    }
}

/// What is known of the number besides.
pub(super) fn facts(total: &BigUint, board: &Board, share: bool, ternary: bool) -> Vec<Fact> {
    let fact =
        |id: &str, text: &str, value: Datum| Fact { id: id.into(), text: text.into(), value };
    let share = share.then(|| {
        let digits = digits_of_share(total, &colourings(board.len()));
        fact("share", "share of all colourings that is legal", Datum::Decimal(digits))
    });
    let ternary = ternary.then(|| fact("ternary", "in base three", total.to_str_radix(3).into()));
    share.into_iter().chain(ternary).collect()
}

/// Counts a part.
fn part(asked: &Asked, divided: &Divided, sides: (usize, usize)) -> Work<Answer> {
    let run = asked.run;
    let found = match divided.over {
        Over::Moduli => rectangle::modulo(sides, divided.own(), run)?
            .ok_or_else(|| Error::internal("elements grow by more than was foreseen"))?,
        Over::Blocks => {
            let share = run.share().ok_or_else(|| Error::internal("there is no folder"))?;
            let whole = asked.question.clone().without(&[&options::PART, &options::OVER]);
            apart::counted(sides, divided, &whole.words(), share, run)?
        }
    };
    let value = divided.value(&found.residues)?;
    let mut answer = asked.answer(&POSITIONS, value, Engine::Matrix.method());
    answer.cost.borders = Some(found.borders);
    answer.cost.peak_borders = Some(found.peak);
    answer.notes.push(divided.note().into());
    if run.store().is_some() && run.warnings().is_empty() {
        answer.notes.push(COMPLETE.into());
    }
    Ok(answer)
}

/// How classes are counted.
pub(super) fn burnside_by(engine: Engine) -> Used {
    let used = Used::from(&BURNSIDE).by(engine.method()).with_components(BURNSIDE.components);
    used.said(format!(
        "Burnside's lemma: {} for all positions, sweep for those that a symmetry leaves as they \
         are",
        engine.method().id
    ))
}

/// Counts classes by Burnside's lemma: their number is the average, over all symmetries with
/// and without reversal of colours, of the number of legal positions that each leaves as they
/// are. Such positions are legal colourings of the orbits of points ([`super::points::Points::fixed_by`]).
pub(super) fn classes(
    asked: &Asked,
    board: &Board,
    engine: Engine,
    quotients: &[[Option<Legal>; 2]],
    ledger: &Ledger,
) -> Work<Answer> {
    let run = asked.run;
    let subject = classes_subject();
    let gave_up = |stop| asked.gave_up(&subject, stop, burnside_by(engine));
    if let Some(answer) = no_room(asked, board, engine, None, gave_up)? {
        return Ok(answer);
    }
    let mut table = Table::new(
        "fixed",
        "Legal positions that a symmetry leaves as they are",
        &[
            ("symmetry", "symmetry", DatumKind::Text),
            ("same", "same colours", DatumKind::Integer),
            ("reversed", "colours reversed", DatumKind::Integer),
        ],
    );
    let mut fixed: Vec<BigUint> = Vec::new();
    let (mut borders, mut peak) = (0, 0);
    for (symmetry, both) in board.symmetries().iter().zip(quotients) {
        let mut row = vec![symmetry.name.clone().into()];
        for (colours, legal) in ["same", "reversed"].into_iter().zip(both) {
            let chapter = ledger.chapter(format!("{}, colours {colours}", symmetry.name));
            let counted = if let Some((total, borders, peak)) = chapter.result()? {
                let total: Vec<u32> = total;
                if borders > u64::MAX / 64 {
                    return Err(chapter.refuse(Unusable::Damaged).into());
                }
                Counted { total: BigUint::new(total), residues: Vec::new(), borders, peak }
            } else {
                let counted = match (legal, sides(board)) {
                    (Some(legal), _) => by_sweep(legal, None, run)?,
                    // The identity leaves all positions of a rectangle as they are.
                    (None, Some((height, length))) => rectangle(height, length, engine, None, run)?,
                    (None, None) => return Err(Error::internal("orbits that were not read").into()),
                };
                chapter.finish(&(counted.total.to_u32_digits(), counted.borders, counted.peak));
                counted
            };
            borders += counted.borders;
            peak = peak.max(counted.peak);
            row.push((&counted.total).into());
            fixed.push(counted.total);
        }
        table.push_row(row);
    }
    let total = burnside(fixed).map_err(|error| asked.off(ledger, error.to_string()))?;
    let mut answer = asked.answer(&subject, Value::exact(total), burnside_by(engine));
    answer.cost.borders = Some(borders);
    answer.cost.peak_borders = Some(peak);
    answer.tables.push(table);
    Ok(answer)
}

/// Samples that predict the number of games.
const GLANCES: u64 = 100;
/// Nanoseconds to walk to one more position of a game.
const A_STEP: f64 = 11.0;

/// Plans a count of games.
pub(super) fn plan_games(
    asked: &Asked,
    board: &Board,
    situational: bool,
    following: Following,
) -> Result<Plan> {
    let tree = Tree::new(board, situational)?;
    let nodes = tree.next.len();
    let why = match following {
        _ if asked.question.method().is_some() => "it was asked for",
        Following::Each => "every game is walked",
        Following::Sets => "games that can still reach the same positions go on alike",
    };
    let mut plan = Plan::new(asked.question, following.method(), why);
    plan.states = Some(nodes as f64);
    let what = if situational { "situations" } else { "positions" };
    Ok(match following {
        Following::Each => match estimate::games_of(&tree, GLANCES, asked.run) {
            Ok(found) => {
                plan.nodes = Some(found.mean());
                plan.seconds = Some(found.mean() * A_STEP * 1e-9);
                plan.note(format!(
                    "Nodes are games, by {} samples; such samples are mostly too small. Time from \
                     {A_STEP} ns for each. It is one thread's work.",
                    found.samples
                ))
            }
            Err(_) => plan.note("There was no time for a prediction."),
        },
        Following::Sets => plan.note(format!(
            "How many sets of the {nodes} {what} are remembered is not predicted, and so is \
             neither time nor memory: the 41 positions of 1x4 make 4 million sets (some seconds, \
             400 MB), and the 57 of 2x2 take half a minute and 2 GB. It is one thread's work."
        )),
    })
}

/// Counts games.
pub(super) fn games(
    asked: &Asked,
    board: &Board,
    situational: bool,
    following: Following,
    ledger: &Ledger,
) -> Work<Answer> {
    let run = asked.run;
    let tree = Tree::new(board, situational)?;
    run.stage(format!("counting the games of {}", board.name()), 0);
    let (total, nodes) = match following {
        Following::Sets => games::by_sets(&tree, run)?,
        Following::Each => {
            let total = games::search(&tree, &ledger.chapter("games"), run)?;
            (total, u64::try_from(total).unwrap_or(u64::MAX))
        }
    };
    let value = Value::exact(BigUint::from(total));
    let mut answer = asked.answer(&games_subject(situational), value, following.method());
    answer.cost.nodes = Some(nodes);
    Ok(answer)
}

/// Plans a count of cycles.
pub(super) fn plan_cycles(asked: &Asked, positions: usize) -> Plan {
    let mut plan = Plan::new(asked.question, &CYCLE_SEARCH, "every cycle is walked");
    plan.states = Some(positions as f64);
    plan.note(
        "How many ways are followed is not predicted; 40 positions take milliseconds, and more \
         than 60 may take very long.",
    )
}

/// Counts cycles.
pub(super) fn cycles(
    asked: &Asked,
    board: &Board,
    symmetric: bool,
    ledger: &Ledger,
) -> Work<Answer> {
    let run = asked.run;
    let covering = Covering::new(board, symmetric, run)?;
    let total = if covering.nodes.len() < 2 {
        0
    } else {
        hamilton::all_cycles(&covering, &ledger.chapter("cycles"), run)?
    };
    let subject = cycles_subject(symmetric);
    let mut answer = asked.answer(&subject, Value::exact(total), &CYCLE_SEARCH);
    answer.cost.nodes = Some(run.progress().handled);
    Ok(answer)
}

const _: () = assert!(super::border::MOST_HEIGHT <= MOST_COUNTED);
const _: () = assert!(super::sweep::MOST_WIDTH <= MOST_COUNTED);
