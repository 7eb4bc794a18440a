//! The matrix engine: legal positions of a rectangle modulo one number.
//!
//! A column is read in two phases ([`super::halves`]): first the upper rows, with the lower
//! ones as the far half, then the lower rows. Between them the matrix is transposed, block by
//! block, and its elements are reduced. Within a phase elements are only added: a layer of ones
//! shows by how much they can grow, and moduli are chosen so that nothing passes 2^64
//! ([`Matrix::most_modulus`]): up to 2^48 for height 12.
//!
//! Rows are added by plain loops over slices, which the compiler turns into vector
//! instructions; the rows written are divided among the threads.

use std::ops::Range;

use rayon::prelude::*;

use super::border::{MOST_HEIGHT, first_column};
use super::halves::{FIRST_MAP, Phase, STRAIGHT, SWAPPED, Stage, Step, Switch};
use crate::error::Error;
use crate::job::Work;
use pessoi_engine::run::{Claim, Run, Stop};

/// The least height that can be cut in two.
pub(super) const LEAST_HEIGHT: usize = 4;

/// Everything about a height; the same for all lengths and moduli.
pub(super) struct Matrix {
    height: usize,
    phases: [Phase; 2],
    switches: [Switch; 2],
    /// Rows of each stage in pieces of about equal size, for the threads.
    pieces: [Vec<Vec<Range<usize>>>; 2],
    /// If no element is above b when a phase begins, none is above `growth` b when it ends.
    growth: u64,
    _claim: Claim,
}

/// A layer of borders on its way: its elements, and room for the next.
pub(super) struct Layer {
    pub(super) elements: Vec<u64>,
    next: Vec<u64>,
    _claim: Claim,
}

/// Bytes of the rows of a matrix and of what is added to what, about. Near halves have half of
/// the rows, so this grows with the root of the number of borders: six times for two more
/// rows, from what was measured for heights 11 and 12 (within a tenth from 8 to 14).
pub(super) fn prepared(height: usize) -> u64 {
    const MIB: u64 = 1 << 20;
    let (measured, at) = if height.is_multiple_of(2) { (65 * MIB, 12) } else { (22 * MIB, 11) };
    let pairs = height.abs_diff(at) as u32 / 2;
    if height >= at { measured * 6u64.pow(pairs) } else { measured / 6u64.pow(pairs) }
}

/// Layers with fewer elements are not worth dividing among threads.
const SMALL: usize = 1 << 16;
/// Elements of a piece of work.
const PIECE: usize = 1 << 14;

impl Matrix {
    /// Prepares for a height.
    pub(super) fn new(height: usize, run: &Run) -> Work<Matrix> {
        if !(LEAST_HEIGHT..=MOST_HEIGHT).contains(&height) {
            return Err(Error::internal(format!("a matrix of height {height}")).into());
        }
        // What will be taken is claimed first, and put right when it is known.
        let mut claim = run.claim();
        claim.grow_to(prepared(height))?;
        // Both phases then have about as many near halves.
        let cut = height.div_ceil(2);
        let upper = Phase::new(height, 0, cut, cut, false, run)?;
        let lower = Phase::new(height, cut, height, cut - 1, true, run)?;
        run.check()?;
        let switches = [Switch::new(&upper, &lower)?, Switch::new(&lower, &upper)?];
        let switched: u64 = switches.iter().map(Switch::bytes).sum();
        claim.grow_to(upper.bytes() + lower.bytes() + switched)?;
        let phases = [upper, lower];
        let pieces = phases.each_ref().map(|phase| phase.stages.iter().map(pieces).collect());
        let mut matrix = Matrix { height, phases, switches, pieces, growth: 1, _claim: claim };
        matrix.growth = matrix.measured_growth(run)?;
        Ok(matrix)
    }

    /// How large an element can become in a phase if all begin as one: what a layer of ones
    /// becomes. Elements are sums of those before, so this bounds them all.
    fn measured_growth(&self, run: &Run) -> Result<u64, Stop> {
        let mut layer = self.layer(run)?;
        let mut growth = 1;
        for half in 0..2 {
            layer.elements.fill(1);
            let length = self.read_phase(half, &mut layer, run)?;
            growth = layer.elements[..length].iter().copied().max().unwrap_or(1).max(growth);
        }
        Ok(growth)
    }

    /// No modulus may be above this: then an element that begins below the modulus stays
    /// below 2^64 to the end of its phase.
    pub(super) fn most_modulus(&self) -> u64 {
        (u64::MAX / self.growth).min(1 << 61)
    }

    /// Elements of the largest layer.
    pub(super) fn most_elements(&self) -> usize {
        self.phases.iter().flat_map(|phase| &phase.stages).map(Stage::len).max().unwrap_or(0)
    }

    /// Whether layers are too small to be divided among threads.
    pub(super) fn is_small(&self) -> bool {
        self.most_elements() < SMALL
    }

    /// Elements that are written for a column.
    pub(super) fn elements_a_column(&self) -> u64 {
        let stages = self.phases.iter().flat_map(|phase| &phase.stages[1..]);
        stages.map(|stage| stage.len() as u64).sum()
    }

    /// Elements of a layer between columns.
    pub(super) fn elements_between_columns(&self) -> usize {
        self.phases[0].stages[0].len()
    }

    /// An empty layer, with all the memory that a computation takes.
    pub(super) fn layer(&self, run: &Run) -> Result<Layer, Stop> {
        let most = self.most_elements();
        let mut claim = run.claim();
        claim.grow_to(16 * most as u64)?;
        Ok(Layer { elements: vec![0; most], next: vec![0; most], _claim: claim })
    }

    /// Bytes of all that was prepared.
    #[cfg(test)]
    pub(super) fn bytes(&self) -> u64 {
        let phases: u64 = self.phases.iter().map(Phase::bytes).sum();
        phases + self.switches.iter().map(Switch::bytes).sum::<u64>()
    }

    /// The layer after the first column: one way to each choice of colours.
    pub(super) fn first_column(&self, layer: &mut Layer) {
        layer.elements.fill(0);
        let mut colours = vec![0u8; self.height];
        loop {
            if let Some(element) = self.phases[0].element(0, first_column(&colours)) {
                layer.elements[element] = 1;
            }
            // The next word over 0, 1, 2.
            let Some(place) = colours.iter().position(|&colour| colour < 2) else { return };
            colours[place] += 1;
            colours[..place].fill(0);
        }
    }

    /// Reads the points of a phase; says how many elements the layer then has.
    fn read_phase(&self, half: usize, layer: &mut Layer, run: &Run) -> Result<usize, Stop> {
        let phase = &self.phases[half];
        for (k, step) in phase.steps.iter().enumerate() {
            let (before, after) = (&phase.stages[k], &phase.stages[k + 1]);
            let source = &layer.elements[..before.len()];
            let target = &mut layer.next[..after.len()];
            let read = |rows: Range<usize>, target: &mut [u64]| {
                add_rows(phase, step, before, after, rows, source, target);
            };
            divide(&self.pieces[half][k + 1], &after.starts, target, run, read);
            std::mem::swap(&mut layer.elements, &mut layer.next);
            run.tick(after.len() as u64)?;
        }
        Ok(phase.stages[phase.stages.len() - 1].len())
    }

    /// Reads one more column.
    pub(super) fn column(&self, layer: &mut Layer, modulus: u64, run: &Run) -> Result<(), Stop> {
        for half in 0..2 {
            let length = self.read_phase(half, layer, run)?;
            let first = &self.phases[1 - half].stages[0];
            let source = &layer.elements[..length];
            let target = &mut layer.next[..first.len()];
            let switch = &self.switches[half];
            let turn = |rows: Range<usize>, target: &mut [u64]| {
                transpose(switch, first, rows, source, target, modulus);
            };
            divide(&self.pieces[1 - half][0], &first.starts, target, run, turn);
            std::mem::swap(&mut layer.elements, &mut layer.next);
            run.step(self.phases[half].steps.len() as u64);
        }
        run.check()
    }

    /// The number of legal positions, as a residue.
    pub(super) fn legal(&self, layer: &Layer, modulus: u64) -> u64 {
        let sum: u128 = self.phases[0]
            .free_elements(0)
            .map(|(element, borders)| u128::from(layer.elements[element]) * u128::from(borders))
            .sum();
        (sum % u128::from(modulus)) as u64
    }
}

fn pieces(stage: &Stage) -> Vec<Range<usize>> {
    let mut pieces = Vec::new();
    let mut begin = 0;
    for row in 0..stage.rows.len() {
        if stage.starts[row + 1] - stage.starts[begin] >= PIECE || row + 1 == stage.rows.len() {
            pieces.push(begin..row + 1);
            begin = row + 1;
        }
    }
    pieces
}

/// Writes all rows of a stage, on several threads if it is large.
fn divide(
    pieces: &[Range<usize>],
    starts: &[usize],
    mut target: &mut [u64],
    run: &Run,
    write: impl Fn(Range<usize>, &mut [u64]) + Sync,
) {
    if run.budget().threads == 1 || target.len() < SMALL {
        for rows in pieces {
            write(rows.clone(), &mut target[starts[rows.start]..starts[rows.end]]);
        }
        return;
    }
    let mut parts = Vec::with_capacity(pieces.len());
    for rows in pieces {
        let (part, rest) = target.split_at_mut(starts[rows.end] - starts[rows.start]);
        parts.push((rows.clone(), part));
        target = rest;
    }
    run.parallel(|| parts.into_par_iter().for_each(|(rows, part)| write(rows, part)));
}

/// Writes some rows of a stage: each is the sum of its sources.
fn add_rows(
    phase: &Phase,
    step: &Step,
    before: &Stage,
    after: &Stage,
    rows: Range<usize>,
    source: &[u64],
    mut target: &mut [u64],
) {
    for row in rows {
        let (written, rest) = target.split_at_mut(after.starts[row + 1] - after.starts[row]);
        target = rest;
        let sources = &step.sources[step.firsts[row] as usize..step.firsts[row + 1] as usize];
        let straight = sources.iter().take_while(|(_, how)| *how == STRAIGHT).count();
        let length = written.len();
        let at = |k: usize| &source[before.starts[sources[k].0 as usize]..][..length];
        match straight {
            0 => written.fill(0),
            1 => written.copy_from_slice(at(0)),
            2 => {
                for ((to, a), b) in written.iter_mut().zip(at(0)).zip(at(1)) {
                    *to = a + b;
                }
            }
            _ => {
                for (((to, a), b), c) in written.iter_mut().zip(at(0)).zip(at(1)).zip(at(2)) {
                    *to = a + b + c;
                }
                for k in 3..straight {
                    add(written, at(k));
                }
            }
        }
        for &(from, how) in &sources[straight..] {
            let from = from as usize;
            let from = &source[before.starts[from]..before.starts[from + 1]];
            if how == SWAPPED {
                // At most one member has no stones; it stands first.
                let own = length % 2;
                let half = own + length / 2;
                add(&mut written[..own], &from[..own]);
                add(&mut written[own..half], &from[half..]);
                add(&mut written[half..], &from[own..half]);
            } else {
                let map = &phase.maps[(how - FIRST_MAP) as usize];
                for (&to, &element) in map.iter().zip(from) {
                    written[to as usize] += element;
                }
            }
        }
    }
}

fn add(to: &mut [u64], from: &[u64]) {
    for (to, from) in to.iter_mut().zip(from) {
        *to += from;
    }
}

/// Writes some rows of the next phase's first stage, reduced.
fn transpose(
    switch: &Switch,
    stage: &Stage,
    rows: Range<usize>,
    source: &[u64],
    mut target: &mut [u64],
    modulus: u64,
) {
    // P. Barrett's reduction: the quotient is right or one too small.
    let reciprocal = ((1u128 << 64) / u128::from(modulus)) as u64;
    let reduce = |x: u64| {
        let quotient = ((u128::from(x) * u128::from(reciprocal)) >> 64) as u64;
        let rest = x - quotient * modulus;
        // Below the modulus the difference wraps to something huge.
        rest.min(rest.wrapping_sub(modulus))
    };
    for row in rows {
        let (written, rest) = target.split_at_mut(stage.starts[row + 1] - stage.starts[row]);
        target = rest;
        let (list, places) = &switch.rows[row];
        for (to, &start) in written.iter_mut().zip(&switch.lists[*list as usize]) {
            let place = places[(start & 1) as usize] as usize;
            *to = reduce(source[(start >> 1) as usize + place]);
        }
    }
}
