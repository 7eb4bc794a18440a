//! The matrix engine: legal positions of a rectangle modulo one number, or up to four at once.
//!
//! A column is read in two phases ([`super::phase`]): first the upper rows, with the lower
//! ones as the far half, then the lower rows. Blocks are read one by one, on all threads
//! ([`super::block`]); between phases the layer lies in tiles ([`super::switch`]), which a block
//! takes its elements from and puts them back to, so that one copy of the layer is enough.

use std::convert::Infallible;
use std::sync::Arc;

use rayon::prelude::*;

use super::block::{Bench, Benches, Element, Layout, Most, lens, tiles};
use super::border::{MOST_HEIGHT, first_column, valid_classes};
use super::halves::reverse_colours;
use super::phase::{Phase, Spot};
use super::ring::Rings;
use super::switch::Switch;
use super::tiles::Tiles;
use crate::error::Error;
use crate::job::Work;
use pessoi_engine::run::{Claim, Run, Stop};

/// The least height that can be cut in two.
pub(super) const LEAST_HEIGHT: usize = 4;

/// Elements of this height grow by no more than this before they are reduced: from what was
/// measured for all heights, where it leaves primes of 51 bits, or 50. It is looked at again
/// whenever the rows are laid out. So the moduli of a count in parts follow from its question
/// alone.
pub(super) fn most_growth(height: usize) -> u64 {
    (1 << if height < 16 { 13 } else { 14 }) - 1
}

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
    /// Where the rows of each tile begin in the first stage of each phase.
    starts: [Vec<usize>; 2],
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

/// Bytes of a layer of one lane, about: in memory or on disk.
pub(super) fn layer(height: usize) -> u128 {
    8 * valid_classes(height, cut(height).0).max(valid_classes(height, 0))
}

/// Bytes of the benches of so many threads and one lane, about, if the phases are divided into so many blocks.
pub(super) fn benches(height: usize, blocks: [usize; 2], threads: usize) -> u128 {
    let most = valid_classes(height, height - 1) as f64;
    // The alternating colouring is the largest, and cannot be divided. Its share grows slowly with
    // the height: this is from what heights 12 and 16 took.
    let largest = 0.08 * 1.03f64.powi(height as i32 - 12).max(1.0);
    let share = |blocks: usize| (1.0 / blocks as f64 + largest).min(1.0);
    let threads = (threads as f64).min(blocks[0].max(blocks[1]) as f64);
    let bench = share(blocks[0]).max(share(blocks[1])) * most * BENCH;
    (bench * threads) as u128
}

/// No more moduli are counted at once.
pub(super) const LANES: usize = 4;
/// A layer with several lanes has no more bytes.
const MOST_LAYER: u128 = 4 << 30;

/// How many of so many moduli are counted at once in the memory of a run. On disk it is one: what
/// goes there and back for a modulus is the same, and the layer is smaller.
pub(super) fn lanes_within(height: usize, moduli: usize, run: &Run) -> usize {
    let fits = |&lanes: &usize| {
        let beside = benches(height, blocks(height, u64::MAX, lanes), run.budget().threads);
        let all = lanes as u128 * (layer(height) + beside) + u128::from(prepared(height));
        // What is needed is known about only.
        lanes as u128 * layer(height) <= MOST_LAYER
            && run.budget().memory.is_none_or(|memory| all + all / 4 <= u128::from(memory))
    };
    [LANES, 2].into_iter().find(fits).unwrap_or(1).min(moduli.max(1))
}

/// Layers with fewer elements are not worth dividing among threads.
const SMALL: u64 = 1 << 16;
/// Numbers of a row in a block, on the average: fewer, and finding rows takes longer than adding
/// them.
const A_ROW: f64 = 32.0;
/// A layer of fewer numbers is not divided: it is in the cache as it is.
const IN_CACHE: f64 = 65_536.0;
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

/// Into how many blocks the phases are divided, if a bench is to have no more bytes than given
/// for each lane.
pub(super) fn blocks(height: usize, bench: u64, lanes: usize) -> [usize; 2] {
    let most = valid_classes(height, height - 1) as f64;
    let numbers = most * lanes as f64;
    cut(height).1.map(|near| {
        let usual = (numbers / (rows(near) * A_ROW)).ceil();
        let usual = if numbers < IN_CACHE { 1.0 } else { usual };
        usual.max(most * BENCH / bench as f64).max(1.0) as usize
    })
}

/// Bytes of a bench for an element of a block, about.
const BENCH: f64 = 21.0;

/// Into how many blocks the phases are divided in the memory of a run, for so many lanes: more if
/// the layer must go to disk and benches are to be small.
pub(super) fn blocks_within(height: usize, lanes: usize, run: &Run) -> [usize; 2] {
    let usual = blocks(height, u64::MAX, lanes);
    let Some(memory) = run.budget().memory.filter(|_| run.disk().is_some()) else { return usual };
    let threads = run.budget().threads;
    let free = memory.saturating_sub(prepared(height));
    let needed = lanes as u128 * (layer(height) + benches(height, usual, threads));
    if needed <= u128::from(free) {
        return usual;
    }
    // The largest colouring cannot be divided, so blocks are not all equal.
    blocks(height, (free / 4 / threads as u64).max(1 << 16), lanes)
}

/// Bytes of memory without which nothing helps, about: one thread, one lane, the layer elsewhere,
/// and blocks as small as they can be.
pub(super) fn least(height: usize) -> u128 {
    benches(height, [usize::MAX; 2], 1) + u128::from(prepared(height))
}

/// Blocks for each part, in each phase: enough to even out blocks of unequal size.
const BLOCKS_A_PART: usize = 4;

/// Into how many blocks the phases are divided if so many parts read them. It depends on nothing
/// else, no limit and no number of threads: parts on all machines must have the same blocks.
pub(super) fn blocks_apart(height: usize, parts: u64) -> [usize; 2] {
    let least = BLOCKS_A_PART.saturating_mul(usize::try_from(parts).unwrap_or(usize::MAX));
    blocks(height, u64::MAX, 1).map(|usual| usual.max(least))
}

/// In how many parts each has a block to read: there is at most one block for each colouring of
/// a far half with its reverse.
pub(super) fn most_parts(height: usize) -> u64 {
    let colourings = |near: usize| 3u64.saturating_pow((height - near) as u32).div_ceil(2);
    cut(height).1.into_iter().map(colourings).min().unwrap_or(1)
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
            starts: [Vec::new(), Vec::new()],
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
        self.starts = [0, 1].map(|half| {
            let first = &self.phases[half].stages[0];
            let rows = |key: usize| {
                let groups = &first.groups[first.of_key(key)];
                groups.iter().map(|group| group.rows as usize).sum::<usize>()
            };
            let mut begin = 0;
            let starts = (0..self.blocks(1 - half)).map(|key| {
                begin += rows(key);
                begin - rows(key)
            });
            starts.collect()
        });
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

    /// How many blocks a phase has.
    pub(super) fn blocks(&self, half: usize) -> usize {
        self.phases[half].far.blocks.len()
    }

    /// Elements that are written while a block is read through its phase.
    pub(super) fn elements_of(&self, half: usize, block: usize) -> u64 {
        let phase = &self.phases[half];
        let lens = lens(&phase.far, block);
        let stages = 1..phase.stages.len();
        stages.map(|stage| tiles(phase, stage, &lens).iter().sum::<usize>() as u64).sum()
    }

    /// Which tile a block of a phase and one of the other have in common.
    pub(super) fn tile(&self, half: usize, block: usize, other: usize) -> usize {
        let (upper, lower) = if half == 0 { (block, other) } else { (other, block) };
        upper * self.blocks(1) + lower
    }

    /// Bytes of the benches of so many threads and one lane.
    pub(super) fn beside(&self, threads: usize) -> u64 {
        let threads = if self.is_small() { 1 } else { threads };
        // Benches are kept from block to block, and grow with the largest.
        self.bench * threads as u64
    }

    /// An empty layer, with all the memory that a computation takes.
    pub(super) fn layer<const LANES: usize>(&self, run: &Run) -> Result<Layer<LANES>, Stop> {
        let beside = LANES as u64 * self.beside(run.budget().threads);
        let tiles = Tiles::new(&self.sizes, beside, run)?;
        let mut claim = run.claim();
        claim.grow_to(beside)?;
        Ok(Layer { tiles, benches: Benches::default(), _claim: claim })
    }

    /// Bytes of all that was prepared.
    pub(super) fn bytes(&self) -> u64 {
        let phases: u64 = self.phases.iter().map(Phase::bytes).sum();
        phases + self.switches.iter().map(Switch::bytes).sum::<u64>()
    }

    /// Does something for every block of a phase, on all threads.
    fn each_block<const LANES: usize>(
        &self,
        half: usize,
        layer: &Layer<LANES>,
        run: &Run,
        read: impl Fn(usize, &mut Bench<LANES>) -> Result<(), Stop> + Sync,
    ) -> Result<(), Stop> {
        let one = |block: usize| {
            let mut bench = self.fitted(half, block, &layer.benches)?;
            read(block, &mut bench)?;
            layer.benches.give(bench);
            Ok(())
        };
        if run.budget().threads == 1 || self.is_small() {
            return (0..self.blocks(half)).try_for_each(one);
        }
        run.parallel(|| (0..self.blocks(half)).into_par_iter().try_for_each(one))
    }

    /// A bench that is ready for a block of a phase.
    pub(super) fn fitted<const LANES: usize>(
        &self,
        half: usize,
        block: usize,
        free: &Benches<LANES>,
    ) -> Result<Bench<LANES>, Stop> {
        let mut bench = free.take()?;
        let made = || Arc::new(Layout::new(&self.phases[half], block));
        bench.fit(self.whole[half].as_ref().map_or_else(made, Arc::clone));
        Ok(bench)
    }

    /// What a block has after its phase, for each block of the other phase.
    pub(super) fn tiles_of<const LANES: usize>(
        bench: &Bench<LANES>,
    ) -> impl Iterator<Item = &[Element<LANES>]> {
        let mut rest = &bench.before[..];
        bench.layout.tiles.iter().map(move |&size| {
            let (now, after) = rest.split_at(size);
            rest = after;
            now
        })
    }

    /// Puts what a block has after its phase into its tiles.
    fn put<const LANES: usize>(
        &self,
        half: usize,
        block: usize,
        bench: &Bench<LANES>,
        layer: &Layer<LANES>,
    ) -> Result<(), Stop> {
        for (other, tile) in Matrix::tiles_of(bench).enumerate() {
            layer.tiles.put(self.tile(half, block, other), tile)?;
        }
        Ok(())
    }

    /// The layer after the first column.
    pub(super) fn first_column<const LANES: usize>(
        &self,
        layer: &Layer<LANES>,
        run: &Run,
    ) -> Result<(), Stop> {
        self.each_block(1, layer, run, |block, bench| {
            self.begin(block, bench);
            self.put(1, block, bench, layer)?;
            run.check()
        })
    }

    /// What a block of the last phase has after the first column: one way to each choice of
    /// colours.
    pub(super) fn begin<const LANES: usize>(&self, block: usize, bench: &mut Bench<LANES>) {
        let phase = &self.phases[1];
        let stage = &phase.stages[phase.stages.len() - 1];
        let rest = self.height.div_ceil(2) - 1;
        bench.before.fill([0; LANES]);
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
                        bench.before[at] = [1; LANES];
                    }
                    // The next word over 0, 1, 2.
                    let lower = &mut colours[rest..];
                    let Some(at) = lower.iter().position(|&colour| colour < 2) else { break };
                    lower[at] += 1;
                    lower[..at].fill(0);
                }
            }
        }
    }

    /// Puts into a bench what the other phase's block `from` has written for a block.
    pub(super) fn load<const LANES: usize>(
        &self,
        half: usize,
        block: usize,
        from: usize,
        tile: &[Element<LANES>],
        bench: &mut Bench<LANES>,
    ) {
        let switch = (&self.switches[half], self.starts[half][from]);
        bench.load((&self.phases[1 - half], from), (&self.phases[half], block), switch, tile);
    }

    /// Reads a block whose tiles were put into a bench through its phase.
    pub(super) fn read<const LANES: usize>(
        &self,
        half: usize,
        block: usize,
        rings: &Rings<LANES>,
        bench: &mut Bench<LANES>,
    ) {
        bench.read(&self.phases[half], block, rings);
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
    pub(super) fn column<const LANES: usize>(
        &self,
        layer: &Layer<LANES>,
        rings: &Rings<LANES>,
        run: &Run,
    ) -> Result<(), Stop> {
        for half in 0..2 {
            self.phase(half, layer, rings, run)?;
        }
        run.check()
    }

    /// Reads the rows of one phase.
    pub(super) fn phase<const LANES: usize>(
        &self,
        half: usize,
        layer: &Layer<LANES>,
        rings: &Rings<LANES>,
        run: &Run,
    ) -> Result<(), Stop> {
        let phase = &self.phases[half];
        let stages = phase.stages[1..].iter();
        let elements: u64 = stages.map(|stage| stage.elements(&phase.far)).sum();
        self.each_block(half, layer, run, |block, bench| {
            for from in 0..self.blocks(1 - half) {
                let mut scratch = std::mem::take(&mut bench.tile);
                layer.tiles.look(self.tile(half, block, from), &mut scratch, |tile| {
                    self.load(half, block, from, tile, bench);
                })?;
                bench.tile = scratch;
            }
            self.read(half, block, rings, bench);
            self.put(half, block, bench, layer)?;
            run.tick(LANES as u64 * elements / self.blocks(half) as u64)
        })?;
        run.step((LANES * phase.steps.len()) as u64);
        Ok(())
    }

    /// The number of legal positions, as residues.
    pub(super) fn legal<const LANES: usize>(
        &self,
        layer: &Layer<LANES>,
        rings: &Rings<LANES>,
    ) -> Result<[u64; LANES], Stop> {
        let mut sums = [0u128; LANES];
        let mut scratch = Vec::new();
        for block in 0..self.blocks(1) {
            let of_block = self.legal_in(block, |other, add| {
                layer.tiles.look(self.tile(1, block, other), &mut scratch, |tile| add(tile))
            })?;
            sums = std::array::from_fn(|lane| sums[lane] + of_block[lane]);
        }
        Ok(rings.residues(sums))
    }

    /// What a block of the last phase has of the number of legal positions.
    pub(super) fn legal_of<const LANES: usize>(
        &self,
        block: usize,
        bench: &Bench<LANES>,
    ) -> [u128; LANES] {
        let tiles: Vec<&[Element<LANES>]> = Matrix::tiles_of(bench).collect();
        let Ok(sums) = self.legal_in(block, |other, add| {
            add(tiles[other]);
            Ok::<(), Infallible>(())
        });
        sums
    }

    /// Adds up what the tiles of a block of the last phase have without needy stones.
    fn legal_in<const LANES: usize, E>(
        &self,
        block: usize,
        mut look: impl FnMut(usize, &mut dyn FnMut(&[Element<LANES>])) -> Result<(), E>,
    ) -> Result<[u128; LANES], E> {
        let phase = &self.phases[1];
        let stage = &phase.stages[phase.stages.len() - 1];
        let lens = lens(&phase.far, block);
        let free: Vec<Vec<usize>> =
            phase.far.classes.iter().map(|class| class.free(block).collect()).collect();
        let mut rows = self.free.iter().peekable();
        let mut sums = [0u128; LANES];
        for other in 0..self.blocks(0) {
            look(other, &mut |tile| {
                let mut at = 0;
                for number in stage.of_key(other) {
                    let group = stage.groups[number];
                    let class = usize::from(group.class);
                    while let Some((spot, twice)) =
                        rows.next_if(|(spot, _)| spot.group as usize == number)
                    {
                        let row = &tile[at + spot.index as usize * lens[class]..][..lens[class]];
                        for (lane, sum) in sums.iter_mut().enumerate() {
                            let of_row: u128 =
                                free[class].iter().map(|&k| u128::from(row[k][lane])).sum();
                            *sum += of_row * u128::from(*twice);
                        }
                    }
                    at += group.rows as usize * lens[class];
                }
            })?;
        }
        Ok(sums)
    }
}

/// A layer of borders between two phases, and room for the benches that read it.
pub(super) struct Layer<const LANES: usize> {
    pub(super) tiles: Tiles<LANES>,
    benches: Benches<LANES>,
    _claim: Claim,
}
