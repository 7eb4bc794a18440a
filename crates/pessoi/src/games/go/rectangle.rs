//! Numbers of legal positions, exact.
//!
//! Engines count modulo primes. There are 3^(mn) colourings, so primes whose product is
//! larger know the number; one more prime is counted with and must agree. The number must
//! also agree with the asymptotic formula, fitted to small boards ([`super::formula`]).

use std::path::PathBuf;

use num_bigint::BigUint;
use num_traits::ToPrimitive;
use rayon::prelude::*;

use super::border::{MOST_HEIGHT, valid_classes};
use super::checkpoint::Checkpoint;
use super::formula::Formula;
use super::matrix::{LEAST_HEIGHT, Layer, Matrix};
use super::points::Points;
use super::sweep::Legal;
use super::table::Tables;
use super::task::Positions;
use super::{Asked, Halt, plural};
use crate::answer::{Answer, Value};
use crate::board::Board;
use crate::certificate::Certificate;
use crate::error::{Error, Result};
use pessoi_engine::number::{Modulus, exact};
use pessoi_engine::run::{Bytes, Run};
use pessoi_engine::sweep::{self, SweepError};

/// What counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Engine {
    Sweep,
    Table,
    Matrix,
}

impl Engine {
    pub(super) fn name(self) -> &'static str {
        match self {
            Engine::Sweep => "sweep",
            Engine::Table => "table",
            Engine::Matrix => "matrix",
        }
    }
}

/// A number and how it was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Counted {
    pub(super) total: BigUint,
    pub(super) residues: Vec<(u64, u64)>,
    pub(super) engine: Engine,
    /// Borders handled, over all layers and moduli.
    pub(super) borders: u64,
    /// Borders of the largest layer.
    pub(super) peak: u64,
}

/// Where a long count is written down.
#[derive(Clone, Debug)]
pub(super) struct Saving {
    pub(super) path: PathBuf,
    pub(super) resume: bool,
}

impl Saving {
    /// Refuses a place where nothing can or may be written.
    pub(super) fn check(&self) -> Result<()> {
        let shown = self.path.display().to_string();
        if shown.is_empty() {
            return Err(Error::input("--checkpoint needs the name of a file."));
        }
        if self.path.is_dir() {
            return Err(Error::input(format!(
                "The checkpoint {shown:?} is a folder: name a file in it."
            )));
        }
        if !self.resume && self.path.exists() {
            return Err(Error::input(format!(
                "There is a file {shown:?} already: go on from it with --resume, or name another."
            )));
        }
        let folder = self.path.parent().filter(|folder| !folder.as_os_str().is_empty());
        if folder.is_some_and(|folder| !folder.is_dir()) {
            return Err(Error::input(format!(
                "The checkpoint {shown:?} cannot be written: there is no such folder."
            )));
        }
        if self.resume && !self.path.exists() {
            return Err(Error::input(format!(
                "The checkpoint {shown:?} cannot be read: there is no such file."
            )));
        }
        super::checkpoint::check_beside(&self.path)
    }
}

/// Colourings of `points` points.
pub(super) fn colourings(points: usize) -> BigUint {
    BigUint::from(3u8).pow(points as u32)
}

/// The largest primes up to `most`: enough for numbers below `below`, and one to spare.
pub(super) fn moduli(below: &BigUint, most: u64) -> Result<Vec<Modulus>> {
    // Even without the largest the others must do.
    let mut product = BigUint::from(1u8);
    let mut found = Vec::new();
    for modulus in (3..=most).rev().filter_map(Modulus::new) {
        if !found.is_empty() {
            product *= modulus.prime();
        }
        found.push(modulus);
        if found.len() > 1 && product >= *below {
            return Ok(found);
        }
    }
    Err(Error::internal("there are not enough primes"))
}

/// Height and length of a rectangle: the shorter side is the height.
pub(super) fn sides(board: &Board) -> Option<(usize, usize)> {
    board.is_full_rectangle().map(|(rows, cols)| (rows.min(cols), rows.max(cols)))
}

/// The engine for a board: the one named, or the best.
pub(super) fn engine(asked: &Asked, board: &Board) -> Result<Engine> {
    let rectangle = sides(board);
    let named = asked.question.text("method").filter(|&method| method != "auto");
    let Some(named) = named else {
        return Ok(match rectangle {
            Some((height, _)) if height >= LEAST_HEIGHT => Engine::Matrix,
            Some(_) => Engine::Table,
            None => Engine::Sweep,
        });
    };
    let engine = match named {
        "sweep" => return Ok(Engine::Sweep),
        "table" => Engine::Table,
        "matrix" => Engine::Matrix,
        other => {
            return Err(Error::input(format!(
                "--method {other} counts games; positions are counted by sweep, table or matrix."
            )));
        }
    };
    match rectangle {
        None => Err(Error::input(format!(
            "--method {named} counts on full rectangles; on {} use sweep.",
            board.name()
        ))),
        Some((height, _)) if engine == Engine::Matrix && height < LEAST_HEIGHT => {
            Err(Error::input(format!(
                "--method matrix needs at least {LEAST_HEIGHT} rows and columns; use table."
            )))
        }
        Some(_) => Ok(engine),
    }
}

/// Bytes of tables that a rectangle of this height takes.
pub(super) fn bytes(engine: Engine, height: usize) -> u128 {
    // Before a column's last point there are the most.
    let most = valid_classes(height, height - 1);
    match engine {
        // Two layers of tables, half full, with four residues a border.
        Engine::Sweep => most * 2 * 2 * (16 + 40),
        // Every border of every row with three successors; two layers of four residues.
        Engine::Table => most * (20 * height as u128 + 2 * 4 * 8),
        // Two layers, and what is prepared.
        Engine::Matrix => most * 16 + prepared(height),
    }
}

/// Bytes of the rows of a matrix and of what is added to what. Near halves have half of the
/// rows, so this grows with the root of the number of borders: six times for two more rows,
/// from what was measured for heights 11 and 12 (within a tenth from 8 to 14).
fn prepared(height: usize) -> u128 {
    const MIB: u128 = 1 << 20;
    let (measured, at) = if height.is_multiple_of(2) { (65 * MIB, 12) } else { (22 * MIB, 11) };
    let pairs = height.abs_diff(at) as u32 / 2;
    if height >= at { measured * 6u128.pow(pairs) } else { measured / 6u128.pow(pairs) }
}

/// Refuses boards whose borders cannot fit, before anything is begun.
pub(super) fn check_room(engine: Engine, height: usize, length: usize, run: &Run) -> Result<()> {
    let limit = run.budget().memory.map_or(u128::MAX, u128::from);
    let possible = match engine {
        Engine::Sweep => super::sweep::MOST_WIDTH,
        Engine::Table | Engine::Matrix => MOST_HEIGHT,
    };
    let fits = |height: usize| height <= possible && bytes(engine, height) <= limit;
    if fits(height) {
        return Ok(());
    }
    let largest = (1..=possible).take_while(|&height| fits(height)).last().unwrap_or(0);
    let needed = match u64::try_from(bytes(engine, height.min(super::border::MOST_COUNTED))) {
        Ok(bytes) if height <= super::border::MOST_COUNTED => format!("about {}", Bytes(bytes)),
        _ => "more than any machine has".to_owned(),
    };
    let name = engine.name();
    let allowed = run.budget().memory.map_or("what a word can hold".into(), |memory| {
        format!("{}, and {name} goes up to {possible} rows", Bytes(memory))
    });
    Err(Error::input(format!(
        "Counting {height}x{length} by {name} takes {needed} of tables; there are {allowed}. The \
         largest square that fits is {largest}x{largest}; estimate takes larger ones."
    )))
}

/// Counts the legal positions of a rectangle.
pub(super) fn rectangle(
    height: usize,
    length: usize,
    engine: Engine,
    saving: Option<&Saving>,
    run: &Run,
) -> Result<Counted, Halt> {
    let counted = match engine {
        Engine::Sweep => by_sweep(&Points::of(&Board::rectangle(height, length)?), run)?,
        Engine::Table => by_table(height, length, run)?,
        Engine::Matrix => by_matrix(height, length, saving, run)?,
    };
    // Small boards are exceptions, and are what the formula is fitted to.
    if height > Formula::FITTED + 1 {
        let formula = Formula::fitted(Formula::FITTED, run)?;
        formula.check(height, length, &counted.total)?;
    }
    Ok(counted)
}

/// Counts legal colourings of points by the generic engine.
pub(super) fn by_sweep(points: &Points, run: &Run) -> Result<Counted, Halt> {
    let legal = Legal::new(points)?;
    match sweep::count(&legal, run) {
        Ok(counted) => Ok(Counted {
            borders: counted.handled(),
            peak: counted.peak(),
            total: counted.total,
            residues: counted.residues,
            engine: Engine::Sweep,
        }),
        Err(SweepError::Stop(stop)) => Err(Halt::Stop(stop)),
        Err(SweepError::TooLarge) => Err(Error::input(
            "The sweep counts up to 10^300; rectangles are counted beyond that by table and matrix.",
        )
        .into()),
        Err(error) => Err(Error::internal(error.to_string()).into()),
    }
}

/// Moduli that the table engine counts with at once.
const TOGETHER: usize = 4;

fn by_table(height: usize, length: usize, run: &Run) -> Result<Counted, Halt> {
    run.stage(format!("listing the borders of height {height}"), 0);
    let tables = Tables::new(height, run)?;
    let below = colourings(height * length);
    let moduli = moduli(&below, 1 << 61)?;
    let passes = moduli.len().div_ceil(TOGETHER);
    let points = (passes * height * (length - 1)) as u64;
    run.stage(format!("reading points, {} moduli in {passes} passes", moduli.len()), points);
    let mut residues = Vec::new();
    for chunk in moduli.chunks(TOGETHER) {
        let lanes = std::array::from_fn(|k| chunk[k.min(chunk.len() - 1)]);
        let mut last = [0; TOGETHER];
        tables.lengths::<TOGETHER>(length, lanes, run, |_, legal| last = legal)?;
        residues.extend(chunk.iter().copied().zip(last));
    }
    let borders = tables.borders_a_column() * (length as u64 - 1) * passes as u64;
    put_together(&residues, &below, Engine::Table, borders, tables.peak())
}

fn put_together(
    residues: &[(Modulus, u64)],
    below: &BigUint,
    engine: Engine,
    borders: u64,
    peak: usize,
) -> Result<Counted, Halt> {
    let total = exact(residues, below).map_err(|error| Error::internal(error.to_string()))?;
    let residues = residues.iter().map(|&(modulus, residue)| (modulus.prime(), residue)).collect();
    Ok(Counted { total, residues, engine, borders, peak: peak as u64 })
}

fn by_matrix(
    height: usize,
    length: usize,
    saving: Option<&Saving>,
    run: &Run,
) -> Result<Counted, Halt> {
    run.stage(format!("laying out the borders of height {height}"), 0);
    let matrix = Matrix::new(height, run)?;
    let below = colourings(height * length);
    let moduli = moduli(&below, matrix.most_modulus())?;
    let points = (moduli.len() * height * (length - 1)) as u64;
    run.stage(format!("reading points for {} moduli", moduli.len()), points);
    let residues = if let Some(saving) = saving {
        saved(&matrix, height, length, &moduli, saving, run)?
    } else if matrix.is_small() {
        // Layers too small to be divided: each thread takes a modulus of its own.
        let residue = |&modulus: &Modulus| residue(&matrix, length, modulus.prime(), run);
        run.parallel(|| moduli.par_iter().map(residue).collect::<Result<Vec<u64>, Halt>>())?
    } else {
        let mut layer = matrix.layer(run)?;
        let residue = |modulus: &Modulus| {
            read(&matrix, &mut layer, length, modulus.prime(), run)?;
            Ok(matrix.legal(&layer, modulus.prime()))
        };
        moduli.iter().map(residue).collect::<Result<Vec<u64>, Halt>>()?
    };
    let residues: Vec<(Modulus, u64)> = moduli.into_iter().zip(residues).collect();
    let borders = matrix.elements_a_column() * (length as u64 - 1) * residues.len() as u64;
    put_together(&residues, &below, Engine::Matrix, borders, matrix.most_elements())
}

fn read(
    matrix: &Matrix,
    layer: &mut Layer,
    length: usize,
    modulus: u64,
    run: &Run,
) -> Result<(), Halt> {
    matrix.first_column(layer);
    for _ in 1..length {
        matrix.column(layer, modulus, run)?;
    }
    Ok(())
}

/// Counts modulo one number.
fn residue(matrix: &Matrix, length: usize, modulus: u64, run: &Run) -> Result<u64, Halt> {
    let mut layer = matrix.layer(run)?;
    read(matrix, &mut layer, length, modulus, run)?;
    Ok(matrix.legal(&layer, modulus))
}

/// Counts modulo one modulus after another, and writes down every column.
fn saved(
    matrix: &Matrix,
    height: usize,
    length: usize,
    moduli: &[Modulus],
    saving: &Saving,
    run: &Run,
) -> Result<Vec<u64>, Halt> {
    saving.check()?;
    let mut layer = matrix.layer(run)?;
    let between = matrix.elements_between_columns();
    let mut at = Checkpoint {
        height: height as u64,
        length: length as u64,
        moduli: moduli.iter().map(|modulus| modulus.prime()).collect(),
        ..Checkpoint::default()
    };
    let shown = saving.path.display().to_string();
    if saving.resume {
        let (found, elements) = Checkpoint::read(&saving.path, &mut layer.elements[..between])?;
        if (found.height, found.length, &found.moduli) != (at.height, at.length, &at.moduli)
            || found.residues.len() > moduli.len()
            || found.columns > at.length
            || (found.columns > 0) != (elements == between)
        {
            return Err(Error::input(format!(
                "The checkpoint {shown:?} is of another count ({}x{}, {} {}), not of \
                 {height}x{length}. It was left as it is.",
                found.height,
                found.length,
                found.moduli.len(),
                plural(found.moduli.len(), "modulus", "moduli")
            ))
            .into());
        }
        at = found;
        let done = at.residues.len() as u64 * (at.length - 1) + at.columns.saturating_sub(1);
        run.step(done * at.height);
    }
    while at.residues.len() < moduli.len() {
        let modulus = moduli[at.residues.len()].prime();
        if at.columns == 0 {
            matrix.first_column(&mut layer);
            at.columns = 1;
        }
        while at.columns < at.length {
            matrix.column(&mut layer, modulus, run)?;
            at.columns += 1;
            at.write(&layer.elements[..between], &saving.path)?;
        }
        at.residues.push(matrix.legal(&layer, modulus));
        at.columns = 0;
        at.write(&[], &saving.path)?;
    }
    Ok(at.residues)
}

/// The exact numbers of legal positions on height × 1, height × 2, … up to `length`.
pub(super) fn lengths(height: usize, length: usize, run: &Run) -> Result<Vec<BigUint>, Halt> {
    let below = colourings(height * length);
    let mut residues: Vec<Vec<(Modulus, u64)>> = vec![Vec::new(); length];
    if height < LEAST_HEIGHT {
        let tables = Tables::new(height, run)?;
        for chunk in moduli(&below, 1 << 61)?.chunks(TOGETHER) {
            let lanes = std::array::from_fn(|k| chunk[k.min(chunk.len() - 1)]);
            tables.lengths::<TOGETHER>(length, lanes, run, |column, legal| {
                residues[column - 1].extend(chunk.iter().copied().zip(legal));
            })?;
        }
    } else {
        let matrix = Matrix::new(height, run)?;
        let moduli = moduli(&below, matrix.most_modulus())?;
        let all = |&modulus: &Modulus| residues_of(&matrix, length, modulus.prime(), run);
        let all =
            run.parallel(|| moduli.par_iter().map(all).collect::<Result<Vec<Vec<u64>>, Halt>>())?;
        for (modulus, all) in moduli.iter().zip(all) {
            for (column, residue) in all.into_iter().enumerate() {
                residues[column].push((*modulus, residue));
            }
        }
    }
    let together = |(column, residues): (usize, &Vec<(Modulus, u64)>)| {
        // Short boards need few of the moduli; one more than they need must agree.
        let below = colourings(height * (column + 1));
        let least = residues.last().map_or(3, |(modulus, _)| modulus.prime());
        let bits = 63 - u64::from(least.leading_zeros());
        let some = (below.bits().div_ceil(bits) as usize + 2).min(residues.len());
        exact(&residues[..some], &below).map_err(|error| Error::internal(error.to_string()).into())
    };
    residues.iter().enumerate().map(together).collect()
}

/// The residues of all lengths up to `length` modulo one number.
fn residues_of(matrix: &Matrix, length: usize, modulus: u64, run: &Run) -> Result<Vec<u64>, Halt> {
    let mut layer = matrix.layer(run)?;
    matrix.first_column(&mut layer);
    let mut all = vec![matrix.legal(&layer, modulus)];
    for _ in 1..length {
        matrix.column(&mut layer, modulus, run)?;
        all.push(matrix.legal(&layer, modulus));
    }
    Ok(all)
}

/// Answers `count` for positions.
pub(super) fn count(asked: &Asked, task: &Positions) -> Result<Answer, Halt> {
    let run = asked.run;
    let &Positions { board, engine, .. } = task;
    let saving = task.saving.as_ref();
    let rectangle_sides = sides(board);
    if let Some((height, length)) = rectangle_sides {
        check_room(engine, height, length, run)?;
    }
    if let Some(modulus) = task.modulus {
        return modulo(asked, board, engine, modulus);
    }
    let counted = match rectangle_sides {
        Some((height, length)) => rectangle(height, length, engine, saving, run)?,
        None => by_sweep(&Points::of(board), run)?,
    };
    let mut answer = asked.answer(
        Value::exact(counted.total.clone()),
        plural(counted.total.clone(), "legal position", POSITIONS),
        engine.name(),
    );
    answer.cost.borders = Some(counted.borders);
    answer.cost.peak_borders = Some(counted.peak);
    answer.certificate = Some(Certificate::Residues { residues: counted.residues });
    answer.notes.push(share(&counted.total, board.len()));
    if task.ternary {
        answer.notes.push(format!("In ternary: {}.", counted.total.to_str_radix(3)));
    }
    if let Some(saving) = saving {
        answer.notes.push(format!(
            "The checkpoint {:?} is no longer needed.",
            saving.path.display().to_string()
        ));
    }
    Ok(answer)
}

/// What positions are called in answers.
pub(super) const POSITIONS: &str = "legal positions";

/// The chance that a random position is legal, in a sentence.
fn share(total: &BigUint, points: usize) -> String {
    // Eighteen digits of the quotient, exactly cut off.
    let scale = 10u64.pow(18);
    let cut = (total * scale / colourings(points)).to_u64().unwrap_or(0);
    if cut > scale / 1_000_000 {
        let share = cut as f64 / scale as f64;
        return format!("A random colouring of the board is legal with probability {share:.9}.");
    }
    let digits = super::formula::log10(&colourings(points)) - super::formula::log10(total);
    format!("A random colouring of the board is legal with probability 10^-{digits:.3}.")
}

fn modulo(asked: &Asked, board: &Board, engine: Engine, modulus: u64) -> Result<Answer, Halt> {
    let run = asked.run;
    let counts = format!("is the residue modulo {modulus} of the number of legal positions");
    if let (Engine::Matrix, Some((height, length))) = (engine, sides(board)) {
        run.stage(format!("laying out the borders of height {height}"), 0);
        let matrix = Matrix::new(height, run)?;
        if modulus <= matrix.most_modulus() {
            run.stage("reading points", (height * (length - 1)) as u64);
            let found = residue(&matrix, length, modulus, run)?;
            let mut answer = asked.answer(Value::exact(found), &counts, engine.name());
            answer.cost.borders = Some(matrix.elements_a_column() * (length as u64 - 1));
            answer.cost.peak_borders = Some(matrix.most_elements() as u64);
            answer.notes.push("A single residue has nothing to be checked against.".into());
            return Ok(answer);
        }
    }
    let counted = match sides(board) {
        Some((height, length)) => rectangle(height, length, engine, None, run)?,
        None => by_sweep(&Points::of(board), run)?,
    };
    let mut answer = asked.answer(Value::exact(counted.total % modulus), &counts, engine.name());
    answer.cost.borders = Some(counted.borders);
    answer.cost.peak_borders = Some(counted.peak);
    Ok(answer)
}
