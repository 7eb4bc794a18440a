//! Where phases meet: the near half of each holds the far half of the other, so what one phase
//! has written is transposed when the other reads it.
//!
//! What block j of one phase and block b of the other have in common is a **tile**. When block j
//! has been read, its elements for each tile are neighbours, and are stored as they are; when
//! block b is read, its tiles are fetched, and each is transposed while it is in the cache. Rows
//! of either phase are sorted so that a tile consists of a few small dense matrices.

use rustc_hash::FxHashMap;

use super::border::reversed;
use super::phase::Phase;
use crate::error::{Error, Result};

/// How the elements of the last stage of one phase become those of the first stage of the next.
pub(super) struct Switch {
    /// For each row of the next phase: which list of runs, and where in a source row its far
    /// half and the reverse of it are.
    pub(super) rows: Vec<(u32, [u32; 2])>,
    /// Where the runs of a list begin, for each list and block of the next phase; one more.
    pub(super) firsts: Vec<u32>,
    pub(super) runs: Vec<Run>,
    pub(super) blocks: usize,
}

/// Members of a row whose elements come from neighbouring rows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    /// The source rows' class, and the place of the first of them among the rows of that class.
    pub(super) class: u16,
    /// Whether they hold the reverse.
    pub(super) reversed: bool,
    pub(super) index: u32,
    pub(super) len: u32,
}

impl Switch {
    /// The meeting of two phases, whose rows are known there.
    pub(super) fn new(from: &Phase, to: &Phase) -> Result<Switch> {
        let missing = || Error::internal("a border that only one phase knows");
        let last = &from.stages[from.stages.len() - 1];
        let between = from.near & to.near;
        let blocks = to.far.blocks.len();
        let mut switch = Switch { rows: Vec::new(), firsts: Vec::new(), runs: Vec::new(), blocks };
        let mut known: FxHashMap<(u16, u64, u16), u32> = FxHashMap::default();
        for &(near, class) in to.stages[0].rows() {
            let half = near & from.far.mask;
            let place = from.far.place(half)?;
            let place_reversed = from.far.place(reversed(half))?.at;
            let key = (class, near & between, place.class);
            let next = known.len() as u32;
            let list = *known.entry(key).or_insert(next);
            if list == next {
                let reverse = from.far.classes[usize::from(place.class)].reverse;
                for block in 0..blocks {
                    let begin = switch.runs.len();
                    switch.firsts.push(begin as u32);
                    for &member in to.far.classes[usize::from(class)].of_block(block) {
                        let near = member | (near & between);
                        let kept = last.spot(near, place.class);
                        let (spot, class, reversed) = if let Some(spot) = kept {
                            (spot, place.class, false)
                        } else {
                            let spot = last.spot(reversed(near), reverse);
                            (spot.ok_or_else(missing)?, reverse, true)
                        };
                        if !last.of_key(block).contains(&(spot.group as usize)) {
                            return Err(missing());
                        }
                        let follows = |run: &&mut Run| {
                            (run.class, run.reversed) == (class, reversed)
                                && run.index + run.len == spot.index
                        };
                        match switch.runs[begin..].last_mut().filter(follows) {
                            Some(run) => run.len += 1,
                            None => {
                                switch.runs.push(Run {
                                    class,
                                    reversed,
                                    index: spot.index,
                                    len: 1,
                                });
                            }
                        }
                    }
                }
            }
            switch.rows.push((list, [place.at, place_reversed]));
        }
        switch.firsts.push(switch.runs.len() as u32);
        switch.rows.shrink_to_fit();
        switch.runs.shrink_to_fit();
        Ok(switch)
    }

    /// The runs of a list for a block.
    pub(super) fn runs(&self, list: u32, block: usize) -> &[Run] {
        let list = list as usize * self.blocks + block;
        &self.runs[self.firsts[list] as usize..self.firsts[list + 1] as usize]
    }

    /// Bytes of all lists.
    pub(super) fn bytes(&self) -> u64 {
        (self.rows.capacity() * size_of::<(u32, [u32; 2])>()
            + self.firsts.capacity() * 4
            + self.runs.capacity() * size_of::<Run>()) as u64
    }
}
