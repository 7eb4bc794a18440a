//! The matrix engine: legal positions of a rectangle modulo one number.
//!
//! A column is read in two phases ([`super::phase`]): first the upper rows, with the lower
//! ones as the far half, then the lower rows. Blocks are read one by one, on all threads
//! ([`super::block`]); between phases the layer lies in tiles ([`super::switch`]), which a block
//! takes its elements from and puts them back to, so that one copy of the layer is enough.

use std::sync::{Arc, Mutex};

use rayon::prelude::*;

use super::block::{Bench, Layout, Most, lens, tiles};
use super::border::{MOST_HEIGHT, first_column, valid_classes};
use super::halves::reverse_colours;
use super::phase::{Phase, Spot};
use super::ring::Ring;
use super::switch::Switch;
use super::tiles::Tiles;
use crate::error::Error;
use crate::job::Work;
use pessoi_engine::run::{Claim, Run, Stop};

/// The least height that can be cut in two.
pub(super) const LEAST_HEIGHT: usize = 4;

/// Everything about a height; the same for all lengths and moduli.
pub(super) struct Matrix {
    height: usize,
    phases: [Phase; 2],
    /// To each phase from the other.
    switches: [Switch; 2],
    /// Rows after a column without needy stones, and how many borders each element stands for.
    free: Vec<(Spot, u64)>,
    /// The layout of a phase's only block: on low boards, making it anew for every column would
    /// take as long as reading.
    whole: [Option<Arc<Layout>>; 2],
    /// Bytes of the largest block's bench.
    bench: u64,
    /// Elements of each tile, at most.
    sizes: Vec<usize>,
    claim: Claim,
}

/// Bytes of the rows of a matrix and of what is added to what, about. Near halves have half of
/// the rows, so this grows with the root of the number of borders: 5.1 times for two more
/// rows, from what was measured for heights 11 and 12 (within a tenth from 8 to 14). While it is
/// prepared it takes as much again.
pub(super) fn prepared(height: usize) -> u64 {
    let (measured, at) = if height.is_multiple_of(2) { (46e6, 12) } else { (14.9e6, 11) };
    (measured * 5.1f64.powf((height as f64 - f64::from(at)) / 2.0)) as u64
}

/// Bytes of a layer, about: in memory or on disk.
pub(super) fn layer(height: usize) -> u128 {
    8 * valid_classes(height, cut(height).0).max(valid_classes(height, 0))
}

/// Bytes of the benches of so many threads, about, if the phases are divided into so many blocks.
pub(super) fn benches(height: usize, blocks: [usize; 2], threads: usize) -> u128 {
    let most = valid_classes(height, height - 1) as f64;
    // The alternating colouring is the largest, and cannot be divided.
    let share = |blocks: usize| (1.0 / blocks as f64 + 0.08).min(1.0);
    let threads = (threads as f64).min(blocks[0].max(blocks[1]) as f64);
    let bench = share(blocks[0]).max(share(blocks[1])) * most * BENCH;
    (bench * threads) as u128
}

/// Layers with fewer elements are not worth dividing among threads.
const SMALL: u64 = 1 << 16;
/// Elements of a row in a block, on the average: fewer, and finding rows takes longer than adding
/// them.
const A_ROW: f64 = 32.0;
/// Rows of a strip, at most, about.
const A_STRIP: usize = 1 << 11;

/// About how many rows a phase has if so many points are near.
fn rows(near: usize) -> f64 {
    29_000.0 * 4.65f64.powi(near as i32 - 6)
}

/// Where the border is cut for the first phase, and how many points are near in each: both
/// phases then have about as many near halves.
fn cut(height: usize) -> (usize, [usize; 2]) {
    let cut = height.div_ceil(2);
    (cut, [cut, height - cut + 1])
}

/// Into how many blocks the phases are divided, if a bench is to have no more bytes than given.
pub(super) fn blocks(height: usize, bench: u64) -> [usize; 2] {
    let most = valid_classes(height, height - 1) as f64;
    cut(height).1.map(|near| {
        let usual = (most / (rows(near) * A_ROW)).ceil();
        usual.max(most * BENCH / bench as f64).max(1.0) as usize
    })
}

/// Bytes of a bench for an element of a block, about.
const BENCH: f64 = 21.0;

/// Into how many blocks the phases are divided in the memory of a run: more if the layer must go
/// to disk and benches are to be small.
pub(super) fn blocks_within(height: usize, run: &Run) -> [usize; 2] {
    let usual = blocks(height, u64::MAX);
    let Some(memory) = run.budget().memory.filter(|_| run.disk().is_some()) else { return usual };
    let threads = run.budget().threads;
    let free = memory.saturating_sub(prepared(height));
    if layer(height) + benches(height, usual, threads) <= u128::from(free) {
        return usual;
    }
    // The largest colouring cannot be divided, so blocks are not all equal.
    blocks(height, (free / 4 / threads as u64).max(1 << 16))
}

impl Matrix {
    /// Prepares for a height, with so many blocks in each phase, about.
    pub(super) fn new(height: usize, blocks: [usize; 2], run: &Run) -> Work<Matrix> {
        Matrix::with(height, blocks, A_STRIP, run)
    }

    /// Prepares for a height, with so many blocks in each phase and so many rows in a strip at
    /// most, about.
    pub(super) fn with(height: usize, blocks: [usize; 2], strip: usize, run: &Run) -> Work<Matrix> {
        if !(LEAST_HEIGHT..=MOST_HEIGHT).contains(&height) {
            return Err(Error::internal(format!("a matrix of height {height}")).into());
        }
        // What will be taken is claimed first, and put right when it is known.
        let mut claim = run.claim();
        claim.grow_to(prepared(height))?;
        let mut beside = run.claim();
        beside.grow_to(prepared(height))?;
        let (cut, _) = cut(height);
        let mut upper = Phase::new(height, 0..cut, cut, false, run)?;
        let mut lower = Phase::new(height, cut..height, cut - 1, true, run)?;
        run.check()?;
        upper.divide(blocks[0]);
        lower.divide(blocks[1]);
        upper.lay_out(&lower.far, strip, run)?;
        lower.lay_out(&upper.far, strip, run)?;
        run.check()?;
        let switches = [Switch::new(&lower, &upper)?, Switch::new(&upper, &lower)?];
        let last = lower.stages.len() - 1;
        let free = lower.free_rows(last);
        upper.forget_rows(0);
        upper.forget_rows(upper.stages.len() - 1);
        lower.forget_rows(0);
        let phases = [upper, lower];
        drop(beside);
        let mut matrix = Matrix {
            height,
            phases,
            switches,
            free,
            whole: [None, None],
            bench: 0,
            sizes: Vec::new(),
            claim,
        };
        matrix.measure();
        matrix.claim.grow_to(matrix.bytes())?;
        Ok(matrix)
    }

    /// Finds out how large benches and tiles are.
    fn measure(&mut self) {
        for (half, phase) in self.phases.iter().enumerate() {
            let bytes = (0..self.blocks(half)).map(|block| Most::of(phase, block).bytes());
            self.bench = bytes.fold(self.bench, u64::max);
            if self.blocks(half) == 1 {
                self.whole[half] = Some(Arc::new(Layout::new(phase, 0)));
            }
        }
        self.sizes = vec![0; self.blocks(0) * self.blocks(1)];
        let [upper, lower] = [0, 1].map(|half| self.tile_sizes(half));
        self.sizes = upper.into_iter().zip(lower).map(|(a, b)| a.max(b)).collect();
    }

    /// By how much elements can grow before they are reduced.
    pub(super) fn growth(&self) -> u64 {
        self.phases.iter().map(|phase| phase.growth).max().unwrap_or(1)
    }

    /// Elements of the largest layer.
    pub(super) fn most_elements(&self) -> u64 {
        self.phases.iter().map(Phase::most_elements).max().unwrap_or(0)
    }

    /// Whether layers are too small to be divided among threads.
    pub(super) fn is_small(&self) -> bool {
        self.most_elements() < SMALL
    }

    /// Elements that are written for a column.
    pub(super) fn elements_a_column(&self) -> u64 {
        let of = |phase: &Phase| -> u64 {
            phase.stages[1..].iter().map(|stage| stage.elements(&phase.far)).sum()
        };
        self.phases.iter().map(of).sum()
    }

    fn blocks(&self, half: usize) -> usize {
        self.phases[half].far.blocks.len()
    }

    /// Which tile a block of a phase and one of the other have in common.
    fn tile(&self, half: usize, block: usize, other: usize) -> usize {
        let (upper, lower) = if half == 0 { (block, other) } else { (other, block) };
        upper * self.blocks(1) + lower
    }

    /// Bytes of the benches of so many threads.
    pub(super) fn beside(&self, threads: usize) -> u64 {
        let threads = if self.is_small() { 1 } else { threads };
        // Benches are kept from block to block, and grow with the largest.
        self.bench * threads as u64
    }

    /// An empty layer, with all the memory that a computation takes.
    pub(super) fn layer(&self, run: &Run) -> Result<Layer, Stop> {
        let beside = self.beside(run.budget().threads);
        let tiles = Tiles::new(&self.sizes, beside, run)?;
        let mut claim = run.claim();
        claim.grow_to(beside)?;
        Ok(Layer { tiles, benches: Mutex::default(), _claim: claim })
    }

    /// Bytes of all that was prepared.
    pub(super) fn bytes(&self) -> u64 {
        let phases: u64 = self.phases.iter().map(Phase::bytes).sum();
        phases + self.switches.iter().map(Switch::bytes).sum::<u64>()
    }

    /// Does something for every block of a phase, on all threads.
    fn each_block(
        &self,
        half: usize,
        layer: &Layer,
        run: &Run,
        read: impl Fn(usize, &mut Bench) -> Result<(), Stop> + Sync,
    ) -> Result<(), Stop> {
        let one = |block: usize| {
            let free = || layer.benches.lock().map_err(|_| Stop::Cancelled);
            let mut bench = free()?.pop().unwrap_or_default();
            let layout = match &self.whole[half] {
                Some(layout) => Arc::clone(layout),
                None => Arc::new(Layout::new(&self.phases[half], block)),
            };
            bench.fit(layout);
            read(block, &mut bench)?;
            free()?.push(bench);
            Ok(())
        };
        if run.budget().threads == 1 || self.is_small() {
            return (0..self.blocks(half)).try_for_each(one);
        }
        run.parallel(|| (0..self.blocks(half)).into_par_iter().try_for_each(one))
    }

    /// Puts what a block has after its phase into its tiles.
    fn put(&self, half: usize, block: usize, bench: &Bench, layer: &Layer) -> Result<(), Stop> {
        let mut rest = &bench.before[..];
        for (other, &size) in bench.layout.tiles.iter().enumerate() {
            let (now, after) = rest.split_at(size);
            rest = after;
            layer.tiles.put(self.tile(half, block, other), now)?;
        }
        Ok(())
    }

    /// The layer after the first column: one way to each choice of colours.
    pub(super) fn first_column(&self, layer: &Layer, run: &Run) -> Result<(), Stop> {
        let phase = &self.phases[1];
        let stage = &phase.stages[phase.stages.len() - 1];
        let rest = self.height.div_ceil(2) - 1;
        self.each_block(1, layer, run, |block, bench| {
            bench.before.fill(0);
            for &colouring in &phase.far.blocks[block] {
                // Each and its reverse; the empty one is both.
                let reverse = reverse_colours(colouring);
                let both = [colouring, reverse];
                for &upper in &both[..if colouring == reverse { 1 } else { 2 }] {
                    let colour = |point: usize| ((upper >> (4 * point) & 3) as u8).div_ceil(2);
                    let mut colours: Vec<u8> = (0..self.height).map(colour).collect();
                    loop {
                        let border = first_column(&colours);
                        // Every far half is known.
                        if let Ok(place) = phase.far.place(border & phase.far.mask)
                            && let Some(spot) = stage.spot(border & phase.near, place.class)
                        {
                            let at = bench.last(spot.group, spot.index, place.class, place.at);
                            bench.before[at] = 1;
                        }
                        // The next word over 0, 1, 2.
                        let lower = &mut colours[rest..];
                        let Some(at) = lower.iter().position(|&colour| colour < 2) else { break };
                        lower[at] += 1;
                        lower[..at].fill(0);
                    }
                }
            }
            self.put(1, block, bench, layer)?;
            run.check()
        })
    }

    /// The phase that has written the layer when so many were read after the first column.
    pub(super) fn written_by(phases: u64) -> usize {
        usize::from(phases.is_multiple_of(2))
    }

    /// How many elements each tile has when a phase has written it.
    pub(super) fn tile_sizes(&self, half: usize) -> Vec<usize> {
        let phase = &self.phases[half];
        let mut sizes = vec![0; self.sizes.len()];
        for block in 0..self.blocks(half) {
            let tiles = tiles(phase, phase.stages.len() - 1, &lens(&phase.far, block));
            for (other, size) in tiles.into_iter().enumerate() {
                sizes[self.tile(half, block, other)] = size;
            }
        }
        sizes
    }

    /// Reads one more column.
    pub(super) fn column(&self, layer: &Layer, ring: Ring, run: &Run) -> Result<(), Stop> {
        for half in 0..2 {
            self.phase(half, layer, ring, run)?;
        }
        run.check()
    }

    /// Reads the rows of one phase.
    pub(super) fn phase(
        &self,
        half: usize,
        layer: &Layer,
        ring: Ring,
        run: &Run,
    ) -> Result<(), Stop> {
        let (phase, other) = (&self.phases[half], &self.phases[1 - half]);
        let stages = phase.stages[1..].iter();
        let elements: u64 = stages.map(|stage| stage.elements(&phase.far)).sum();
        // Where the rows of each tile begin.
        let mut rows = vec![0; self.blocks(1 - half) + 1];
        let first = &phase.stages[0];
        for key in 0..self.blocks(1 - half) {
            let of_key = first.groups[first.of_key(key)].iter().map(|group| group.rows as usize);
            rows[key + 1] = rows[key] + of_key.sum::<usize>();
        }
        self.each_block(half, layer, run, |block, bench| {
            for (from, &row) in rows[..self.blocks(1 - half)].iter().enumerate() {
                let switch = (&self.switches[half], row);
                let mut scratch = std::mem::take(&mut bench.tile);
                layer.tiles.look(self.tile(half, block, from), &mut scratch, |tile| {
                    bench.load((other, from), (phase, block), switch, tile);
                })?;
                bench.tile = scratch;
            }
            bench.read(phase, block, ring);
            self.put(half, block, bench, layer)?;
            run.tick(elements / self.blocks(half) as u64)
        })?;
        run.step(phase.steps.len() as u64);
        Ok(())
    }

    /// The number of legal positions, as a residue.
    pub(super) fn legal(&self, layer: &Layer, ring: Ring) -> Result<u64, Stop> {
        let phase = &self.phases[1];
        let stage = &phase.stages[phase.stages.len() - 1];
        let mut sum = 0u128;
        let mut scratch = Vec::new();
        for block in 0..self.blocks(1) {
            let lens = lens(&phase.far, block);
            let free: Vec<Vec<usize>> =
                phase.far.classes.iter().map(|class| class.free(block).collect()).collect();
            let mut rows = self.free.iter().peekable();
            for other in 0..self.blocks(0) {
                layer.tiles.look(self.tile(1, block, other), &mut scratch, |tile| {
                    let mut at = 0;
                    for number in stage.of_key(other) {
                        let group = stage.groups[number];
                        let class = usize::from(group.class);
                        while let Some((spot, twice)) =
                            rows.next_if(|(spot, _)| spot.group as usize == number)
                        {
                            let row =
                                &tile[at + spot.index as usize * lens[class]..][..lens[class]];
                            let of_row: u128 =
                                free[class].iter().map(|&k| u128::from(row[k])).sum();
                            sum += of_row * u128::from(*twice);
                        }
                        at += group.rows as usize * lens[class];
                    }
                })?;
            }
        }
        Ok(ring.residue(sum))
    }
}

/// A layer of borders between two phases, and room for the benches that read it.
pub(super) struct Layer {
    pub(super) tiles: Tiles,
    /// Those that no thread uses now.
    benches: Mutex<Vec<Bench>>,
    _claim: Claim,
}
