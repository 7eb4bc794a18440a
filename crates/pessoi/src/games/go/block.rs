//! Reading one block through a phase.
//!
//! A [`Bench`] is where a thread does this: room for the elements of a block before and after a
//! span, and for a strip between two points. Rows are added by plain loops over slices, which the
//! compiler turns into vector instructions.
//!
//! An element has **lanes**: a number for each of up to four moduli. What is to be added to what
//! is found out once for all of them, rows are longer, and an element that moves alone, by a map
//! or where phases meet, fills a vector. Lanes make no difference to which rows there are.

use std::sync::{Arc, Mutex};

use super::halves::Far;
use super::phase::{FIRST_MAP, Phase, STRAIGHT, SWAPPED, Stage, Step};
use super::ring::Rings;
use super::switch::Switch;
use pessoi_engine::run::Stop;

/// What is counted for a border: a number for each modulus.
pub(super) type Element<const LANES: usize> = [u64; LANES];

/// Room for the elements of a block. It is kept from block to block: pages that are given back
/// to the system and asked for again took as long as the additions.
#[derive(Default)]
pub(super) struct Bench<const LANES: usize> {
    /// Before a span.
    pub(super) before: Vec<Element<LANES>>,
    /// After a span.
    after: Vec<Element<LANES>>,
    /// A strip within a span, before and after a point.
    strip: [Vec<Element<LANES>>; 2],
    /// Rows that are moved together.
    sum: Vec<Element<LANES>>,
    /// A tile that comes from disk.
    pub(super) tile: Vec<u64>,
    /// Where everything is in the present block.
    pub(super) layout: Arc<Layout>,
}

/// Benches that no thread uses now.
#[derive(Default)]
pub(super) struct Benches<const LANES: usize>(Mutex<Vec<Bench<LANES>>>);

impl<const LANES: usize> Benches<LANES> {
    /// One of them, or a new one.
    pub(super) fn take(&self) -> Result<Bench<LANES>, Stop> {
        Ok(self.0.lock().map_err(|_| Stop::Cancelled)?.pop().unwrap_or_default())
    }

    /// Gives one back.
    pub(super) fn give(&self, bench: Bench<LANES>) {
        if let Ok(mut free) = self.0.lock() {
            free.push(bench);
        }
    }
}

/// Where the rows of a block are.
#[derive(Default)]
pub(super) struct Layout {
    most: Most,
    /// How many members each class has in the block.
    lens: Vec<usize>,
    /// For each stage, where its groups begin: in the block, or within a span in the strip.
    begins: Vec<Vec<u32>>,
    /// How many elements the block has in common with each block of the other phase, at the
    /// last stage.
    pub(super) tiles: Vec<usize>,
}

/// How many elements a block has at most, in all and in a strip.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Most {
    pub(super) block: usize,
    pub(super) strip: usize,
}

/// How many members each class has in a block.
pub(super) fn lens(far: &Far, block: usize) -> Vec<usize> {
    far.classes.iter().map(|class| class.len(block)).collect()
}

/// How many elements a block has in common with each block of the other phase, at a stage where
/// phases meet.
pub(super) fn tiles(phase: &Phase, stage: usize, lens: &[usize]) -> Vec<usize> {
    let Stage { groups, keys, .. } = &phase.stages[stage];
    let of_key = |key: &[u32]| {
        let groups = &groups[key[0] as usize..key[1] as usize];
        groups.iter().map(|group| group.rows as usize * lens[usize::from(group.class)]).sum()
    };
    keys.windows(2).map(of_key).collect()
}

/// Whether the elements of a stage are those of the whole block, and not of a strip.
fn is_whole(phase: &Phase, stage: usize) -> bool {
    stage == 0 || phase.spans.iter().any(|span| span.steps.end == stage)
}

impl Most {
    /// For a block.
    pub(super) fn of(phase: &Phase, block: usize) -> Most {
        let mut most = Most::default();
        let lens = lens(&phase.far, block);
        for stage in 0..phase.stages.len() {
            let sizes = tiles(phase, stage, &lens);
            if is_whole(phase, stage) {
                most.block = most.block.max(sizes.iter().sum());
            } else {
                most.strip = sizes.into_iter().fold(most.strip, usize::max);
            }
        }
        most
    }

    /// Bytes of a bench of one lane.
    pub(super) fn bytes(self) -> u64 {
        16 * (self.block + self.strip) as u64
    }
}

impl Layout {
    /// Where the rows of a block are.
    pub(super) fn new(phase: &Phase, block: usize) -> Layout {
        let lens = lens(&phase.far, block);
        let begins = phase.stages.iter().enumerate().map(|(number, stage)| {
            let mut begins = Vec::with_capacity(stage.groups.len());
            let mut at = 0;
            for key in 0..stage.keys.len() - 1 {
                if !is_whole(phase, number) {
                    at = 0;
                }
                for group in &stage.groups[stage.of_key(key)] {
                    begins.push(at as u32);
                    at += group.rows as usize * lens[usize::from(group.class)];
                }
            }
            begins
        });
        let begins = begins.collect();
        let tiles = tiles(phase, phase.stages.len() - 1, &lens);
        Layout { most: Most::of(phase, block), lens, begins, tiles }
    }
}

impl<const LANES: usize> Bench<LANES> {
    /// Makes room for a block. Whatever was in it may still be there.
    pub(super) fn fit(&mut self, layout: Arc<Layout>) {
        let most = layout.most;
        let [one, two] = &mut self.strip;
        for (room, len) in [
            (&mut self.before, most.block),
            (&mut self.after, most.block),
            (one, most.strip),
            (two, most.strip),
        ] {
            // What is longer than needed stays so.
            if room.len() < len {
                *room = vec![[0; LANES]; len];
            }
        }
        self.layout = layout;
    }

    /// Where the element of a row and place of the last stage is.
    pub(super) fn last(&self, group: u32, index: u32, class: u16, place: u32) -> usize {
        let Layout { begins, lens, .. } = &*self.layout;
        begins[begins.len() - 1][group as usize] as usize
            + index as usize * lens[usize::from(class)]
            + place as usize
    }

    /// Transposes a tile into its place in the block before the phase: what the other phase's
    /// block `other` has written for this block.
    pub(super) fn load(
        &mut self,
        (from, other): (&Phase, usize),
        (to, block): (&Phase, usize),
        (switch, mut row): (&Switch, usize),
        tile: &[Element<LANES>],
    ) {
        // Where the rows of each class begin in the tile, and how long they are.
        let mut sources = vec![(0, 0); from.far.classes.len()];
        let mut at = 0;
        let last = &from.stages[from.stages.len() - 1];
        for group in &last.groups[last.of_key(block)] {
            let class = usize::from(group.class);
            let len = from.far.classes[class].len(other);
            sources[class] = (at, len);
            at += group.rows as usize * len;
        }
        let first = &to.stages[0];
        for number in first.of_key(other) {
            let group = first.groups[number];
            let len = self.layout.lens[usize::from(group.class)];
            let rows = &switch.rows[row..row + group.rows as usize];
            row += rows.len();
            if len == 0 {
                continue;
            }
            let begin = self.layout.begins[0][number] as usize;
            let written = &mut self.before[begin..begin + len * rows.len()];
            for (written, (list, places)) in written.chunks_exact_mut(len).zip(rows) {
                let mut rest = written;
                for run in switch.runs(*list, block) {
                    let (now, after) = rest.split_at_mut(run.len as usize);
                    rest = after;
                    let (begin, stride) = sources[usize::from(run.class)];
                    let place = places[usize::from(run.reversed)] as usize;
                    let column = tile[begin + run.index as usize * stride + place..].iter();
                    for (to, from) in now.iter_mut().zip(column.step_by(stride)) {
                        *to = *from;
                    }
                }
            }
        }
    }

    /// Reads the points of a phase; what is before it then is the last stage.
    pub(super) fn read(&mut self, phase: &Phase, block: usize, rings: &Rings<LANES>) {
        let layout = Arc::clone(&self.layout);
        let [one, two] = &mut self.strip;
        for span in &phase.spans {
            for strip in 0..span.strips {
                for k in span.steps.clone() {
                    let is_last = k + 1 == span.steps.end;
                    let before: &[Element<LANES>] =
                        if k == span.steps.start { &self.before } else { one };
                    let after: &mut [Element<LANES>] = if is_last { &mut self.after } else { two };
                    let adding = Adding {
                        phase,
                        step: &phase.steps[k],
                        begins: [&layout.begins[k], &layout.begins[k + 1]],
                        lens: &layout.lens,
                        block,
                        rings: is_last.then_some(rings),
                    };
                    adding.strip(strip, before, after, &mut self.sum);
                    std::mem::swap(one, two);
                }
            }
            std::mem::swap(&mut self.before, &mut self.after);
        }
    }
}

/// What is done when a point is read.
struct Adding<'a, const LANES: usize> {
    phase: &'a Phase,
    step: &'a Step,
    /// Where groups begin, before and after.
    begins: [&'a [u32]; 2],
    lens: &'a [usize],
    block: usize,
    /// How elements are reduced, if they are.
    rings: Option<&'a Rings<LANES>>,
}

impl<const LANES: usize> Adding<'_, LANES> {
    /// Writes the rows of a strip: each is the sum of its sources.
    fn strip(
        &self,
        strip: usize,
        source: &[Element<LANES>],
        target: &mut [Element<LANES>],
        sum: &mut Vec<Element<LANES>>,
    ) {
        let step = self.step;
        let batches = step.strips[strip] as usize..step.strips[strip + 1] as usize;
        let mut begin = batches.start.checked_sub(1).map_or(0, |last| step.batches[last].end);
        for batch in &step.batches[batches] {
            let operations = begin as usize..batch.end as usize + 1;
            begin = batch.end;
            let len = self.lens[usize::from(batch.class)];
            if len == 0 {
                continue;
            }
            for pair in step.operations[operations].windows(2) {
                let [operation, next] = pair else { continue };
                let spot = operation.spot;
                let at = self.begins[1][spot.group as usize] as usize + spot.index as usize * len;
                let written = &mut target[at..at + operation.rows as usize * len];
                let sources = operation.source as usize..next.source as usize;
                self.rows(len, sources, source, written, sum);
                if let Some(rings) = self.rings {
                    rings.reduce(written);
                }
            }
        }
    }

    /// Writes rows that have their sources in the same way.
    fn rows(
        &self,
        len: usize,
        sources: std::ops::Range<usize>,
        source: &[Element<LANES>],
        written: &mut [Element<LANES>],
        sum: &mut Vec<Element<LANES>>,
    ) {
        let sources = &self.step.sources[sources];
        let straight = sources.iter().take_while(|source| source.how == STRAIGHT).count();
        let begin = |k: usize, len: usize| {
            let spot = sources[k].spot;
            self.begins[0][spot.group as usize] as usize + spot.index as usize * len
        };
        let at = |k: usize| &source[begin(k, len)..][..written.len()];
        match straight {
            0 => written.fill([0; LANES]),
            1 => written.copy_from_slice(at(0)),
            2 => {
                let (a, b) = (at(0), at(1));
                for ((to, a), b) in written.iter_mut().zip(a).zip(b) {
                    *to = plus(*a, *b);
                }
            }
            _ => {
                let (a, b, c) = (at(0), at(1), at(2));
                for (((to, a), b), c) in written.iter_mut().zip(a).zip(b).zip(c) {
                    *to = plus(plus(*a, *b), *c);
                }
                for k in 3..straight {
                    add(written, &source[begin(k, len)..][..written.len()]);
                }
            }
        }
        let mut rest = straight;
        while let Some(how) = sources.get(rest).map(|source| source.how) {
            let k = rest;
            rest += sources[k..].iter().take_while(|source| source.how == how).count();
            if how == SWAPPED {
                // At most one member has no stones; it stands first.
                let own = len % 2;
                let half = own + len / 2;
                for k in k..rest {
                    let from = &source[begin(k, len)..][..written.len()];
                    for (to, from) in written.chunks_exact_mut(len).zip(from.chunks_exact(len)) {
                        add(&mut to[..own], &from[..own]);
                        add(&mut to[own..half], &from[half..]);
                        add(&mut to[half..], &from[own..half]);
                    }
                }
                continue;
            }
            let map = &self.phase.maps[(how - FIRST_MAP) as usize];
            let from_len = self.lens[usize::from(map.from)];
            if from_len == 0 {
                continue;
            }
            let all = written.len() / len * from_len;
            let at = |k: usize| &source[begin(k, from_len)..][..all];
            // What goes the same way is added first: that is done on whole vectors.
            let from = if rest - k == 1 {
                at(k)
            } else {
                sum.clear();
                sum.extend(at(k).iter().zip(at(k + 1)).map(|(a, b)| plus(*a, *b)));
                (k + 2..rest).for_each(|k| add(sum, at(k)));
                &sum[..]
            };
            let places = self.phase.far.classes[usize::from(map.from)].range(self.block);
            let places = &map.places[places];
            for (to, from) in written.chunks_exact_mut(len).zip(from.chunks_exact(from_len)) {
                for (&place, element) in places.iter().zip(from) {
                    let to = &mut to[place as usize];
                    *to = plus(*to, *element);
                }
            }
        }
    }
}

fn plus<const LANES: usize>(a: Element<LANES>, b: Element<LANES>) -> Element<LANES> {
    std::array::from_fn(|lane| a[lane].wrapping_add(b[lane]))
}

fn add<const LANES: usize>(to: &mut [Element<LANES>], from: &[Element<LANES>]) {
    for (to, from) in to.iter_mut().zip(from) {
        *to = plus(*to, *from);
    }
}
