//! Legal positions of rectangles and of points: three engines, exact numbers.
//!
//! Engines count modulo primes. There are 3^(mn) colourings, so primes whose product is
//! larger know the number; one more prime is counted with and must agree. The number must
//! also agree with the asymptotic formula, fitted to small boards ([`super::formula`]).

use std::ops::RangeInclusive;

use num_bigint::BigUint;
use rayon::prelude::*;

use super::border::{MOST_HEIGHT, valid_classes};
use super::checkpoint::{self, Checkpoint, Saved, Saver, unusable};
use super::formula::Formula;
use super::matrix::{self, LEAST_HEIGHT, Matrix};
use super::methods::{MATRIX, SWEEP, TABLE};
use super::passes;
use super::points::Points;
use super::ring::{self, Ring, Rings};
use super::sweep::{Legal, MOST_WIDTH};
use super::table::Tables;
use crate::answer::Limit;
use crate::board::Board;
use crate::card::Method;
use crate::error::{Error, Result};
use crate::job::Work;
use pessoi_engine::ledger::Ledger;
use pessoi_engine::number::{Modulus, exact};
use pessoi_engine::records::Unusable;
use pessoi_engine::run::{Bytes, Run, Stop};
use pessoi_engine::search::Part;
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
            // The layer, and what is prepared; benches of the threads come to it.
            Engine::Matrix => {
                let blocks = matrix::blocks(height, u64::MAX, 1);
                matrix::layer(height)
                    + matrix::benches(height, blocks, 1)
                    + u128::from(matrix::prepared(height))
            }
        }
    }

    /// Bytes of memory and of disk that a rectangle of this height takes in a run, counted with so
    /// many moduli at once.
    pub(super) fn room(self, height: usize, lanes: usize, run: &Run) -> (u128, u128) {
        if self != Engine::Matrix {
            return (self.bytes(height), 0);
        }
        let blocks = matrix::blocks_within(height, lanes, run);
        let threads = run.budget().threads;
        let lanes = lanes as u128;
        let beside =
            lanes * matrix::benches(height, blocks, threads) + u128::from(matrix::prepared(height));
        let layer = lanes * matrix::layer(height);
        let fits = |memory: u64| layer + beside <= u128::from(memory);
        if run.disk().is_some() && run.budget().memory.is_some_and(|memory| !fits(memory)) {
            (beside, layer)
        } else {
            (layer + beside, 0)
        }
    }

    /// Bytes of memory that a part over blocks takes in a run: its tiles lie in the shared folder.
    pub(super) fn room_apart(height: usize, parts: u64, run: &Run) -> u128 {
        let blocks = matrix::blocks_apart(height, parts);
        let benches = matrix::benches(height, blocks, run.budget().threads);
        benches + u128::from(matrix::prepared(height))
    }

    /// Stops before anything is begun that cannot fit.
    pub(super) fn check_room(self, height: usize, run: &Run) -> Work<()> {
        if self == Engine::Sweep && run.disk().is_some() {
            // Its layers go there in pieces of any size.
            return Ok(());
        }
        let (memory, disk) = self.room(height, 1, run);
        let [memory, disk] = [memory, disk].map(|b| u64::try_from(b).unwrap_or(u64::MAX));
        if let Some(bytes) = run.budget().memory.filter(|&bytes| memory > bytes) {
            return Err(Limit::Memory { needed: memory, bytes }.into());
        }
        if let Some(most) = run.disk().and_then(|d| d.most()).filter(|&most| disk > most) {
            let why = format!("the disk limit is {}, and {} are needed", Bytes(most), Bytes(disk));
            return Err(Stop::Disk { why }.into());
        }
        Ok(())
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
pub(super) fn moduli(below: &BigUint, growth: u64) -> Result<Vec<Modulus>> {
    // Even without the largest the others must do.
    let mut product = BigUint::from(1u8);
    let mut found = Vec::new();
    for modulus in ring::primes(growth) {
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
            by_sweep(&Legal::new(&points)?, store, run)?
        }
        Engine::Table => by_table(height, length, run)?,
        Engine::Matrix => by_matrix(height, length, store, run)?,
    };
    Formula::check_total(height, length, &counted.total, run)?;
    Ok(counted)
}

/// Counts legal colourings of points by the generic engine, which saves itself if there is a store.
pub(super) fn by_sweep(legal: &Legal, store: Option<&Store>, run: &Run) -> Work<Counted> {
    let counted = match store {
        Some(_) => sweep::count_saved(legal, Part::WHOLE, run),
        None => sweep::count(legal, run),
    };
    match counted {
        Ok(counted) => Ok(Counted {
            borders: counted.handled(),
            peak: counted.peak(),
            total: counted.total,
            residues: Vec::new(),
        }),
        Err(SweepError::Stop(stop) | SweepError::Checkpoint(Unusable::Stop(stop))) => {
            Err(stop.into())
        }
        Err(SweepError::Checkpoint(why)) => match store {
            Some(store) => Err(unusable(store, &why.to_string()).into()),
            None => Err(Error::internal(why.to_string()).into()),
        },
        Err(error) => Err(Error::internal(error.to_string()).into()),
    }
}

/// Moduli that the table engine counts with at once.
pub(super) const TOGETHER: usize = 4;

fn by_table(height: usize, length: usize, run: &Run) -> Work<Counted> {
    run.stage(format!("listing the borders of height {height}"), 0);
    let tables = Tables::new(height, run)?;
    let below = colourings(height * length);
    let moduli = moduli(&below, 1)?;
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
    let below = colourings(height * length);
    let choose = |matrix: &Matrix| passes::moduli(&below, matrix.growth());
    let (matrix, residues) = counted((height, length), usize::MAX, choose, store, run)?;
    let borders = matrix.elements_a_column() * (length as u64 - 1) * residues.len() as u64;
    let total = passes::together(&residues, &below)?;
    // The certificate has primes only.
    let residues = residues.into_iter().filter(|&(modulus, _)| modulus != 0).collect();
    Ok(Counted { total, residues, borders, peak: matrix.most_elements() })
}

/// Counts modulo the moduli that `choose` names, which may be none, and are at most so many. If the
/// store holds a checkpoint of the same count, it goes on from there.
fn counted(
    (height, length): (usize, usize),
    most: usize,
    choose: impl FnOnce(&Matrix) -> Result<Vec<u64>>,
    store: Option<&Store>,
    run: &Run,
) -> Work<(Matrix, Vec<(u64, u64)>)> {
    let found = store.map(Checkpoint::open).transpose()?.flatten();
    let mut at =
        Checkpoint { height: height as u64, length: length as u64, ..Checkpoint::default() };
    (at.lanes, at.blocks) = match &found {
        // What is not of this count is refused below.
        Some((found, _)) if (found.height, found.length) == (at.height, at.length) => {
            (found.lanes, found.blocks)
        }
        _ => {
            let lanes = matrix::lanes_within(height, most, run);
            let blocks = matrix::blocks_within(height, lanes, run);
            (lanes as u64, blocks.map(|blocks| blocks as u64))
        }
    };
    run.stage(format!("laying out the borders of height {height}"), 0);
    let matrix = Matrix::new(height, at.blocks.map(|blocks| blocks as usize), run)?;
    at.moduli = choose(&matrix)?;
    if at.moduli.is_empty() {
        return Ok((matrix, Vec::new()));
    }
    let moduli = at.moduli.len();
    let what = plural(moduli, "modulus", "moduli");
    run.stage(
        format!("reading points for {moduli} {what}"),
        (moduli * height * (length - 1)) as u64,
    );
    let residues = if let Some(store) = store {
        saved(&matrix, at.clone(), found, store, run)?
    } else {
        unsaved(&matrix, &at, run)?
    };
    Ok((matrix, at.moduli.into_iter().zip(residues).collect()))
}

/// Counts modulo some numbers after others.
fn unsaved(matrix: &Matrix, at: &Checkpoint, run: &Run) -> Work<Vec<u64>> {
    let length = at.length as usize;
    let last = |moduli: &[u64]| {
        let mut last = Vec::new();
        each_length(matrix, length..=length, moduli, run, |legal| last = legal.to_vec())?;
        Ok(last)
    };
    let lanes = at.lanes as usize;
    // Layers too small to be divided: each thread takes moduli of its own.
    let residues = if matrix.is_small() {
        let passes: Vec<_> = passes_of(&at.moduli, lanes).collect();
        run.parallel(|| passes.into_par_iter().map(last).collect::<Work<Vec<_>>>())?
    } else {
        passes_of(&at.moduli, lanes).map(last).collect::<Work<Vec<_>>>()?
    };
    Ok(residues.concat())
}

/// The moduli of each pass, at most so many at once: one, two or four, because the engine is
/// compiled for each number of lanes.
fn passes_of<T>(mut left: &[T], lanes: usize) -> impl Iterator<Item = &[T]> {
    std::iter::from_fn(move || {
        let now = match left.len().min(lanes) {
            0 => return None,
            3 => 2,
            now => now,
        };
        let (pass, rest) = left.split_at(now);
        left = rest;
        Some(pass)
    })
}

/// Calls a function with so many lanes as there are moduli: one, two or four.
macro_rules! with_lanes {
    ($moduli:expr, $function:ident($($argument:expr),*)) => {
        match *$moduli {
            [a] => $function($($argument,)* [a]),
            [a, b] => $function($($argument,)* [a, b]),
            [a, b, c, d] => $function($($argument,)* [a, b, c, d]),
            _ => Err(Error::internal("a pass has one, two or four moduli").into()),
        }
    };
}

/// Counts boards of these lengths, at once modulo some numbers, of which 0 is 2^64; `each` is
/// called with the residues of each length.
fn each_length(
    matrix: &Matrix,
    lengths: RangeInclusive<usize>,
    moduli: &[u64],
    run: &Run,
    mut each: impl FnMut(&[u64]),
) -> Work<()> {
    with_lanes!(moduli, each_length_of(matrix, lengths, run, &mut each))
}

fn each_length_of<const LANES: usize>(
    matrix: &Matrix,
    lengths: RangeInclusive<usize>,
    run: &Run,
    each: &mut impl FnMut(&[u64]),
    moduli: [u64; LANES],
) -> Work<()> {
    let layer = matrix.layer(run)?;
    let rings = Rings::new(moduli);
    matrix.first_column(&layer, run)?;
    for length in 1..=*lengths.end() {
        if length > 1 {
            matrix.column(&layer, &rings, run)?;
        }
        if lengths.contains(&length) {
            each(&matrix.legal(&layer, &rings)?);
        }
    }
    Ok(())
}

/// Counts modulo some numbers after others, and saves itself between phases; goes on from what
/// was found.
pub(super) fn saved(
    matrix: &Matrix,
    mut at: Checkpoint,
    mut found: Option<(Checkpoint, Saved)>,
    store: &Store,
    run: &Run,
) -> Work<Vec<u64>> {
    let mut saver = Saver::new(run);
    if let Some((found, _)) = &found {
        check_found(found, &at, store)?;
        at = found.clone();
        let phases = at.residues.len() as u64 * 2 * (at.length - 1);
        let now = passes_of(&at.moduli[at.residues.len()..], at.lanes as usize).next();
        let now = now.map_or(0, <[u64]>::len) as u64;
        let done = phases + now * at.phases.saturating_sub(1);
        run.step(done / 2 * at.height);
    }
    let mut tiles = found.take().map(|(_, tiles)| tiles);
    let moduli = at.moduli.clone();
    for now in passes_of(&moduli[at.residues.len()..], at.lanes as usize) {
        let tiles = tiles.take();
        with_lanes!(now, saved_pass(matrix, &mut at, tiles, &mut saver, store, run))?;
    }
    tiles.map_or(Ok(()), Saved::end)?;
    Ok(at.residues)
}

/// Refuses a checkpoint that is not of this count.
fn check_found(found: &Checkpoint, at: &Checkpoint, store: &Store) -> Result<()> {
    let same = |c: &Checkpoint| (c.height, c.length, c.blocks, c.lanes, c.moduli.clone());
    let (done, all) = (found.residues.len(), found.moduli.len());
    let lanes = found.lanes as usize;
    let mut ends = 0;
    let mut after_a_pass = passes_of(&at.moduli, lanes).map(|pass| {
        ends += pass.len();
        ends == done
    });
    if same(found) != same(at)
        || !(1..=matrix::LANES).contains(&lanes)
        || !(done == 0 || after_a_pass.any(|ended| ended))
        || found.phases > 2 * (at.length - 1) + 1
        || (done == all && found.phases > 0)
    {
        let word = |moduli: &[u64]| plural(moduli.len(), "modulus", "moduli");
        let why = format!(
            "is of another count ({}x{}, {} {}), not of {}x{} and {} {}",
            found.height,
            found.length,
            found.moduli.len(),
            word(&found.moduli),
            at.height,
            at.length,
            at.moduli.len(),
            word(&at.moduli)
        );
        return Err(checkpoint::unusable(store, &why));
    }
    // Numbers that are no remainders would wrap where they are added.
    let is_residue = |(&residue, &modulus): (&u64, &u64)| modulus == 0 || residue < modulus;
    if !found.residues.iter().zip(&at.moduli).all(is_residue) {
        let why = "is damaged: it holds numbers that are not below their modulus";
        return Err(checkpoint::unusable(store, why));
    }
    Ok(())
}

/// Counts modulo the next numbers, from the tiles of a checkpoint if it has some.
fn saved_pass<const LANES: usize>(
    matrix: &Matrix,
    at: &mut Checkpoint,
    tiles: Option<Saved>,
    saver: &mut Saver,
    store: &Store,
    run: &Run,
    moduli: [u64; LANES],
) -> Work<()> {
    let layer = matrix.layer::<LANES>(run)?;
    let rings = Rings::new(moduli);
    match tiles {
        Some(tiles) if at.phases > 0 => {
            let sizes = matrix.tile_sizes(Matrix::written_by(at.phases - 1));
            tiles.tiles(&sizes, rings.most(), &layer.tiles)??;
        }
        Some(tiles) => tiles.end()?,
        None => {}
    }
    if at.phases == 0 {
        matrix.first_column(&layer, run)?;
        at.phases = 1;
    }
    while at.phases <= 2 * (at.length - 1) {
        matrix.phase(Matrix::written_by(at.phases), &layer, &rings, run)?;
        at.phases += 1;
        saver.save(at, Some(&layer.tiles), store, run);
        run.check()?;
    }
    at.residues.extend(matrix.legal(&layer, &rings)?);
    at.phases = 0;
    saver.save::<LANES>(at, None, store, run);
    Ok(())
}

/// The residues of a rectangle modulo some numbers, by the matrix; `None` if a number is too
/// large for it. 0 is 2^64.
pub(super) fn modulo(sides: (usize, usize), moduli: Vec<u64>, run: &Run) -> Work<Option<Found>> {
    let most = moduli.len();
    let choose = |matrix: &Matrix| {
        let holds = |&modulus: &u64| Ring::new(modulus).holds(matrix.growth());
        Ok(if moduli.iter().all(holds) { moduli } else { Vec::new() })
    };
    let (matrix, residues) = counted(sides, most, choose, run.store(), run)?;
    if residues.is_empty() {
        return Ok(None);
    }
    let borders = matrix.elements_a_column() * (sides.1 as u64 - 1) * residues.len() as u64;
    Ok(Some(Found { residues, borders, peak: matrix.most_elements() }))
}

/// Residues, with their moduli, and what they cost.
pub(super) struct Found {
    pub(super) residues: Vec<(u64, u64)>,
    pub(super) borders: u64,
    pub(super) peak: u64,
}

/// A number of things, with the right word for one of them.
pub(super) fn plural(number: usize, one: &'static str, many: &'static str) -> &'static str {
    if number == 1 { one } else { many }
}

/// The exact numbers of legal positions on height × 1, height × 2, … up to `length`.
pub(super) fn lengths(height: usize, length: usize, run: &Run) -> Work<Vec<BigUint>> {
    kept_lengths(height, length, &Ledger::unkept(run), run)
}

/// The same; each pass is a chapter of the ledger.
pub(super) fn kept_lengths(
    height: usize,
    length: usize,
    ledger: &Ledger,
    run: &Run,
) -> Work<Vec<BigUint>> {
    // The residues of each length, for the moduli of a pass, from the ledger or counted now.
    let pass = |moduli: &[Modulus], count: &dyn Fn() -> Work<Vec<Vec<u64>>>| {
        let first = moduli.first().map_or(0, |modulus| modulus.prime());
        let number = moduli.len();
        let name = format!("{height}x1 to {height}x{length} modulo {first} and {number} in all");
        let chapter = ledger.chapter(name);
        if let Some(found) = chapter.result::<Vec<Vec<u64>>>()? {
            let is_right = |legal: &Vec<u64>| {
                let below = |(legal, modulus): (&u64, &Modulus)| *legal < modulus.prime();
                legal.len() == moduli.len() && legal.iter().zip(moduli).all(below)
            };
            if found.len() != length || !found.iter().all(is_right) {
                return Err(chapter.refuse(Unusable::Damaged).into());
            }
            return Ok(found);
        }
        let found = count()?;
        chapter.finish(&found);
        Ok(found)
    };
    let below = colourings(height * length);
    let mut residues: Vec<Vec<(Modulus, u64)>> = vec![Vec::new(); length];
    if Engine::of_height(height) == Engine::Table {
        let tables = Tables::new(height, run)?;
        for chunk in moduli(&below, 1)?.chunks(TOGETHER) {
            let lanes = std::array::from_fn(|k| chunk[k.min(chunk.len() - 1)]);
            let found = pass(chunk, &|| {
                let mut found = Vec::with_capacity(length);
                tables.lengths::<TOGETHER>(length, lanes, run, |_, legal| {
                    found.push(legal[..chunk.len()].to_vec());
                })?;
                Ok(found)
            })?;
            for (residues, legal) in residues.iter_mut().zip(found) {
                residues.extend(chunk.iter().copied().zip(legal));
            }
        }
    } else {
        let lanes = matrix::lanes_within(height, usize::MAX, run);
        let matrix = Matrix::new(height, matrix::blocks_within(height, lanes, run), run)?;
        let moduli: Vec<Modulus> = moduli(&below, matrix.growth())?;
        let of = |together: &[Modulus]| {
            pass(together, &|| {
                let mut found = Vec::with_capacity(length);
                let numbers: Vec<u64> = together.iter().map(|modulus| modulus.prime()).collect();
                each_length(&matrix, 1..=length, &numbers, run, |legal| {
                    found.push(legal.to_vec());
                })?;
                Ok(found)
            })
        };
        let passes: Vec<_> = passes_of(&moduli, lanes).collect();
        let all = || passes.par_iter().map(|pass| of(pass)).collect::<Work<Vec<_>>>();
        let all = run.parallel(all)?;
        for (together, found) in passes.into_iter().zip(all) {
            for (residues, legal) in residues.iter_mut().zip(found) {
                residues.extend(together.iter().copied().zip(legal));
            }
        }
    }
    let together = |(column, residues): (usize, &Vec<(Modulus, u64)>)| {
        // Short boards need few of the moduli; one more than they need must agree.
        let below = colourings(height * (column + 1));
        let least = residues.last().map_or(3, |(modulus, _)| modulus.prime());
        let bits = 63 - u64::from(least.leading_zeros());
        let some = (below.bits().div_ceil(bits) as usize + 2).min(residues.len());
        exact(&residues[..some], &below).map_err(|error| {
            if ledger.is_resumed() {
                return ledger.chapter("residues").refuse(Unusable::Damaged).into();
            }
            Error::internal(error.to_string()).into()
        })
    };
    residues.iter().enumerate().map(together).collect()
}
