//! Legal positions of rectangles and of points: three engines, exact numbers.
//!
//! Engines count modulo primes. There are 3^(mn) colourings, so primes whose product is
//! larger know the number; one more prime is counted with and must agree. The number must
//! also agree with the asymptotic formula, fitted to small boards ([`super::formula`]).

use num_bigint::BigUint;
use rayon::prelude::*;

use super::border::{MOST_HEIGHT, valid_classes};
use super::checkpoint::{self, Checkpoint};
use super::formula::Formula;
use super::matrix::{self, LEAST_HEIGHT, Layer, Matrix};
use super::methods::{MATRIX, SWEEP, TABLE};
use super::points::Points;
use super::sweep::{Legal, MOST_WIDTH};
use super::table::Tables;
use crate::answer::Limit;
use crate::board::Board;
use crate::card::Method;
use crate::error::{Error, Result};
use crate::job::Work;
use pessoi_engine::number::{Modulus, exact};
use pessoi_engine::run::Run;
use pessoi_engine::store::Store;
use pessoi_engine::sweep::{self, SweepError};

/// What counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Engine {
    Sweep,
    Table,
    Matrix,
}

impl Engine {
    /// The engine as the card has it.
    pub(super) fn method(self) -> &'static Method {
        match self {
            Engine::Sweep => &SWEEP,
            Engine::Table => &TABLE,
            Engine::Matrix => &MATRIX,
        }
    }

    /// The best engine for rectangles of this height.
    pub(super) fn of_height(height: usize) -> Engine {
        if height < LEAST_HEIGHT { Engine::Table } else { Engine::Matrix }
    }

    /// The best engine for a board.
    pub(super) fn of(board: &Board) -> Engine {
        sides(board).map_or(Engine::Sweep, |(height, _)| Engine::of_height(height))
    }

    /// The most rows that its borders can have.
    pub(super) fn most_height(self) -> usize {
        match self {
            Engine::Sweep => MOST_WIDTH,
            Engine::Table | Engine::Matrix => MOST_HEIGHT,
        }
    }

    /// Bytes of tables that a rectangle of this height takes.
    pub(super) fn bytes(self, height: usize) -> u128 {
        // Before a column's last point there are the most.
        let most = valid_classes(height, height - 1);
        match self {
            // One layer of tables, and some of the one before it: borders of up to four units of
            // four bytes, and numbers of up to eight.
            Engine::Sweep => most * 64,
            // Every border of every row with three successors; two layers of four residues.
            Engine::Table => most * (20 * height as u128 + 2 * 4 * 8),
            // Two layers, and what is prepared.
            Engine::Matrix => most * 16 + u128::from(matrix::prepared(height)),
        }
    }

    /// Stops before anything is begun that cannot fit.
    pub(super) fn check_room(self, height: usize, run: &Run) -> Work<()> {
        let needed = u64::try_from(self.bytes(height)).unwrap_or(u64::MAX);
        match run.budget().memory {
            Some(bytes) if needed > bytes => Err(Limit::Memory { needed, bytes }.into()),
            _ => Ok(()),
        }
    }

    /// The side of the largest square that fits into this memory.
    pub(super) fn largest_square(self, memory: u64) -> usize {
        let fits = |&height: &usize| self.bytes(height) <= u128::from(memory);
        (1..=self.most_height()).take_while(fits).last().unwrap_or(0)
    }
}

/// A number and how it was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Counted {
    pub(super) total: BigUint,
    /// Modulo the primes that it was counted by; none if it was counted as it is.
    pub(super) residues: Vec<(u64, u64)>,
    /// Borders handled, over all layers and moduli.
    pub(super) borders: u64,
    /// Borders of the largest layer.
    pub(super) peak: u64,
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

/// Counts the legal positions of a rectangle.
pub(super) fn rectangle(
    height: usize,
    length: usize,
    engine: Engine,
    store: Option<&Store>,
    run: &Run,
) -> Work<Counted> {
    let counted = match engine {
        Engine::Sweep => {
            let points = Points::of(&Board::rectangle(height, length)?);
            by_sweep(&Legal::new(&points)?, run)?
        }
        Engine::Table => by_table(height, length, run)?,
        Engine::Matrix => by_matrix(height, length, store, run)?,
    };
    // Small boards are exceptions, and are what the formula is fitted to.
    if height > Formula::FITTED + 1 {
        let formula = Formula::fitted(Formula::FITTED, run)?;
        formula.check(height, length, &counted.total)?;
    }
    Ok(counted)
}

/// Counts legal colourings of points by the generic engine.
pub(super) fn by_sweep(legal: &Legal, run: &Run) -> Work<Counted> {
    match sweep::count(legal, run) {
        Ok(counted) => Ok(Counted {
            borders: counted.handled(),
            peak: counted.peak(),
            total: counted.total,
            residues: Vec::new(),
        }),
        Err(SweepError::Stop(stop)) => Err(stop.into()),
        Err(error) => Err(Error::internal(error.to_string()).into()),
    }
}

/// Moduli that the table engine counts with at once.
pub(super) const TOGETHER: usize = 4;

fn by_table(height: usize, length: usize, run: &Run) -> Work<Counted> {
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
    put_together(&residues, &below, borders, tables.peak())
}

fn put_together(
    residues: &[(Modulus, u64)],
    below: &BigUint,
    borders: u64,
    peak: usize,
) -> Work<Counted> {
    let total = exact(residues, below).map_err(|error| Error::internal(error.to_string()))?;
    let residues = residues.iter().map(|&(modulus, residue)| (modulus.prime(), residue)).collect();
    Ok(Counted { total, residues, borders, peak: peak as u64 })
}

fn by_matrix(height: usize, length: usize, store: Option<&Store>, run: &Run) -> Work<Counted> {
    run.stage(format!("laying out the borders of height {height}"), 0);
    let matrix = Matrix::new(height, run)?;
    let below = colourings(height * length);
    let moduli = moduli(&below, matrix.most_modulus())?;
    let points = (moduli.len() * height * (length - 1)) as u64;
    run.stage(format!("reading points for {} moduli", moduli.len()), points);
    let residues = if let Some(store) = store {
        let primes: Vec<u64> = moduli.iter().map(|modulus| modulus.prime()).collect();
        saved(&matrix, (height, length), &primes, store, run)?
    } else if matrix.is_small() {
        // Layers too small to be divided: each thread takes a modulus of its own.
        let residue = |&modulus: &Modulus| residue(&matrix, length, modulus.prime(), run);
        run.parallel(|| moduli.par_iter().map(residue).collect::<Work<Vec<u64>>>())?
    } else {
        let mut layer = matrix.layer(run)?;
        let residue = |modulus: &Modulus| {
            read(&matrix, &mut layer, length, modulus.prime(), run)?;
            Ok(matrix.legal(&layer, modulus.prime()))
        };
        moduli.iter().map(residue).collect::<Work<Vec<u64>>>()?
    };
    let residues: Vec<(Modulus, u64)> = moduli.into_iter().zip(residues).collect();
    let borders = matrix.elements_a_column() * (length as u64 - 1) * residues.len() as u64;
    put_together(&residues, &below, borders, matrix.most_elements())
}

fn read(matrix: &Matrix, layer: &mut Layer, length: usize, modulus: u64, run: &Run) -> Work<()> {
    matrix.first_column(layer);
    for _ in 1..length {
        matrix.column(layer, modulus, run)?;
    }
    Ok(())
}

/// Counts modulo one number.
fn residue(matrix: &Matrix, length: usize, modulus: u64, run: &Run) -> Work<u64> {
    let mut layer = matrix.layer(run)?;
    read(matrix, &mut layer, length, modulus, run)?;
    Ok(matrix.legal(&layer, modulus))
}

/// Counts modulo one number after another, and saves itself after every column. If the store
/// holds a checkpoint of the same count, it goes on from there.
fn saved(
    matrix: &Matrix,
    (height, length): (usize, usize),
    moduli: &[u64],
    store: &Store,
    run: &Run,
) -> Work<Vec<u64>> {
    let mut layer = matrix.layer(run)?;
    let between = matrix.elements_between_columns();
    let mut at = Checkpoint {
        height: height as u64,
        length: length as u64,
        moduli: moduli.to_vec(),
        ..Checkpoint::default()
    };
    if let Some((found, elements)) = Checkpoint::load(store, &mut layer.elements[..between])? {
        if (found.height, found.length, &found.moduli) != (at.height, at.length, &at.moduli)
            || found.residues.len() > moduli.len()
            || found.columns > at.length
            || (found.columns > 0) != (elements == between)
        {
            let why = format!(
                "is of another count ({}x{}, {} {}), not of {height}x{length} and {} {}",
                found.height,
                found.length,
                found.moduli.len(),
                plural(found.moduli.len(), "modulus", "moduli"),
                moduli.len(),
                plural(moduli.len(), "modulus", "moduli")
            );
            return Err(checkpoint::unusable(store, &why).into());
        }
        // Numbers that are no remainders would wrap where they are added. The checksum does not
        // tell: it is right in a file that was made to look like a checkpoint.
        let next = moduli.get(found.residues.len()).copied().unwrap_or(u64::MAX);
        if found.residues.iter().zip(moduli).any(|(residue, modulus)| residue >= modulus)
            || layer.elements[..elements.min(between)].iter().any(|&element| element >= next)
        {
            let why = "is damaged: it holds numbers that are not below their modulus";
            return Err(checkpoint::unusable(store, why).into());
        }
        at = found;
        let done = at.residues.len() as u64 * (at.length - 1) + at.columns.saturating_sub(1);
        run.step(done * at.height);
    }
    while at.residues.len() < moduli.len() {
        let modulus = moduli[at.residues.len()];
        if at.columns == 0 {
            matrix.first_column(&mut layer);
            at.columns = 1;
        }
        while at.columns < at.length {
            matrix.column(&mut layer, modulus, run)?;
            at.columns += 1;
            at.save(&layer.elements[..between], store, run);
        }
        at.residues.push(matrix.legal(&layer, modulus));
        at.columns = 0;
        at.save(&[], store, run);
    }
    Ok(at.residues)
}

/// The residue of a rectangle modulo any number, by the matrix; `None` if the number is too
/// large for it.
pub(super) fn modulo(
    (height, length): (usize, usize),
    modulus: u64,
    run: &Run,
) -> Work<Option<Residue>> {
    run.stage(format!("laying out the borders of height {height}"), 0);
    let matrix = Matrix::new(height, run)?;
    if modulus > matrix.most_modulus() {
        return Ok(None);
    }
    run.stage("reading points", (height * (length - 1)) as u64);
    let value = match run.store() {
        Some(store) => saved(&matrix, (height, length), &[modulus], store, run)?[0],
        None => residue(&matrix, length, modulus, run)?,
    };
    Ok(Some(Residue {
        value,
        borders: matrix.elements_a_column() * (length as u64 - 1),
        peak: matrix.most_elements() as u64,
    }))
}

/// A residue and what it cost.
pub(super) struct Residue {
    pub(super) value: u64,
    pub(super) borders: u64,
    pub(super) peak: u64,
}

/// A number of things, with the right word for one of them.
pub(super) fn plural(number: usize, one: &'static str, many: &'static str) -> &'static str {
    if number == 1 { one } else { many }
}

/// The exact numbers of legal positions on height × 1, height × 2, … up to `length`.
pub(super) fn lengths(height: usize, length: usize, run: &Run) -> Work<Vec<BigUint>> {
    let below = colourings(height * length);
    let mut residues: Vec<Vec<(Modulus, u64)>> = vec![Vec::new(); length];
    if Engine::of_height(height) == Engine::Table {
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
        let all = run.parallel(|| moduli.par_iter().map(all).collect::<Work<Vec<Vec<u64>>>>())?;
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
fn residues_of(matrix: &Matrix, length: usize, modulus: u64, run: &Run) -> Work<Vec<u64>> {
    let mut layer = matrix.layer(run)?;
    matrix.first_column(&mut layer);
    let mut all = vec![matrix.legal(&layer, modulus)];
    for _ in 1..length {
        matrix.column(&mut layer, modulus, run)?;
        all.push(matrix.legal(&layer, modulus));
    }
    Ok(all)
}
