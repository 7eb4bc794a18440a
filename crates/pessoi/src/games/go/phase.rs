//! A phase: some rows of a column, read one after another, as additions of rows of numbers.
//!
//! A **row** is a near half with a class of far halves ([`super::halves`]), and its elements are
//! the members of the class: a border is a row and a place in it, no border is stored or hashed,
//! and reading a point adds whole rows to whole rows. Each block of far halves has the same rows,
//! only shorter ones, and is read by itself.
//!
//! When the point read touches a string that crosses the cut, the far half changes too: the
//! string gets a liberty, is joined to another, or loses the point that led to it. That is a
//! **map** from the members of a class to those of another, the same for all near halves, so
//! there are only a few hundred of them. Most elements (86–90 %) move straight.
//!
//! Of two reverse rows only one is kept. A row that is its own reverse is kept whole.
//!
//! **Spans.** What holds for the colours of the far half holds for those of near points that are
//! not read for a while. A *span* is some points that are read one after another; meanwhile the
//! rows fall into **strips** by the colours of all other near points. A strip is read through its
//! span while it is in the cache. Between spans elements are reduced ([`super::ring`]).
//!
//! **Layout.** The rows of a stage are sorted by a *key*, which is the strip, or where phases
//! meet the other phase's block; then by class. Rows of equal key and class are a **group**: they
//! are equally long. Rows of a group that are added to each other in the same way, and whose
//! sources are neighbours too, are one **operation** on one long run of elements.
//!
//! The elements are exactly the valid borders, which is checked.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::border::{
    WHITE, all_free, code, is_stone, may_touch, reaches_round, reversed, successors, valid_classes,
};
use super::halves::{Far, colours, either, halves, mask};
use crate::error::{Error, Result};
use pessoi_engine::run::Run as Job;

/// How a row is added to another.
pub(super) const STRAIGHT: u32 = 0;
/// With the two halves of its members swapped.
pub(super) const SWAPPED: u32 = 1;
/// From here on: by the map of this number.
pub(super) const FIRST_MAP: u32 = 2;

/// Rows of one key and class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Group {
    pub(super) class: u16,
    pub(super) rows: u32,
}

/// The rows after some point of the phase.
#[derive(Default)]
pub(super) struct Stage {
    /// Near half and class of each row.
    rows: Vec<(u64, u16)>,
    pub(super) groups: Vec<Group>,
    /// Where the groups of each key begin; one more for the end.
    pub(super) keys: Vec<u32>,
    /// The row of a near half and class.
    index: FxHashMap<(u64, u16), u32>,
    /// Group of each row, and the row's place in it.
    spots: Vec<Spot>,
}

/// A row: its group and its place in it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Spot {
    pub(super) group: u32,
    pub(super) index: u32,
}

/// What is added to rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Source {
    pub(super) spot: Spot,
    pub(super) how: u32,
}

/// Rows that are written in the same way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Operation {
    /// The first row that is written.
    pub(super) spot: Spot,
    pub(super) rows: u32,
    /// The first of its sources; they end where those of the next operation begin.
    pub(super) source: u32,
}

/// Operations on rows of one class and strip.
#[derive(Clone, Copy, Debug)]
pub(super) struct Batch {
    pub(super) class: u16,
    /// Its operations end here.
    pub(super) end: u32,
}

/// Which rows are added to which when a point is read.
#[derive(Default)]
pub(super) struct Step {
    /// Where the batches of each strip begin; one more for the end.
    pub(super) strips: Vec<u32>,
    pub(super) batches: Vec<Batch>,
    /// One more, without rows, for the end.
    pub(super) operations: Vec<Operation>,
    pub(super) sources: Vec<Source>,
}

/// Points that are read one after another.
#[derive(Clone, Debug)]
pub(super) struct Span {
    pub(super) steps: Range<usize>,
    /// The strip of each colouring of the other near points.
    strip_of: FxHashMap<u64, u32>,
    /// The near points whose colours stay.
    mask: u64,
    pub(super) strips: usize,
}

/// Where the members of a class go.
pub(super) struct Map {
    pub(super) from: u16,
    /// For each member, its place in the other class and the same block.
    pub(super) places: Vec<u32>,
    /// No member has more sources.
    most: u64,
}

/// Some rows of a column, read one after another.
pub(super) struct Phase {
    height: usize,
    /// The rows that are read begin here.
    begin: usize,
    /// The near points, from above, and their mask.
    points: Vec<usize>,
    pub(super) near: u64,
    pub(super) far: Far,
    /// The near half begins (far above) or ends (far below) at this row.
    cut: usize,
    pub(super) stages: Vec<Stage>,
    pub(super) steps: Vec<Step>,
    pub(super) spans: Vec<Span>,
    pub(super) maps: Vec<Map>,
    /// If no element is above b when a span begins, none is above `growth` b when it ends.
    pub(super) growth: u64,
}

/// What becomes of a row and its reverse.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Standing {
    /// It is kept, its reverse is not.
    Kept,
    /// Its reverse is kept.
    Dropped,
    /// It is its own reverse.
    Own,
}

fn list_bytes<T>(list: &Vec<T>) -> u64 {
    (list.capacity() * size_of::<T>()) as u64
}

impl Stage {
    /// The row of a near half and class, if it is kept.
    pub(super) fn spot(&self, near: u64, class: u16) -> Option<Spot> {
        self.index.get(&(near, class)).map(|&row| self.spots[row as usize])
    }

    /// All rows in order, with their near halves and classes.
    pub(super) fn rows(&self) -> &[(u64, u16)] {
        &self.rows
    }

    /// The groups of a key.
    pub(super) fn of_key(&self, key: usize) -> Range<usize> {
        self.keys[key] as usize..self.keys[key + 1] as usize
    }

    /// How many elements the rows of all blocks have together.
    pub(super) fn elements(&self, far: &Far) -> u64 {
        let len = |group: &Group| far.classes[usize::from(group.class)].members.len() as u64;
        self.groups.iter().map(|group| u64::from(group.rows) * len(group)).sum()
    }

    fn bytes(&self) -> u64 {
        let index = self.index.capacity() * (size_of::<((u64, u16), u32)>() + 1) * 8 / 7;
        list_bytes(&self.rows)
            + list_bytes(&self.groups)
            + list_bytes(&self.keys)
            + list_bytes(&self.spots)
            + index as u64
    }

    /// Forgets which row is which; only groups remain.
    fn forget_rows(&mut self) {
        self.rows = Vec::new();
        self.spots = Vec::new();
        self.index = FxHashMap::default();
    }
}

/// How the rows of a stage are to be sorted.
enum Keys<'a> {
    /// By strip.
    Strips(&'a Span),
    /// By the other phase's block, and within a group so that phases meet in long runs.
    Blocks(&'a Far),
}

impl Phase {
    /// The phase that reads the rows `begin..end` of a column of this height; the near half
    /// begins or ends at `cut`. Its rows are listed, but neither sorted nor linked yet.
    pub(super) fn new(
        height: usize,
        rows: Range<usize>,
        cut: usize,
        far_is_above: bool,
        job: &Job,
    ) -> Result<Phase> {
        let (near, far): (Vec<usize>, Vec<usize>) = if far_is_above {
            ((cut..height).collect(), (0..cut).rev().collect())
        } else {
            ((0..cut).collect(), (cut..height).collect())
        };
        let mut phase = Phase {
            height,
            begin: rows.start,
            near: mask(&near),
            points: near,
            far: Far::new(far, far_is_above)?,
            cut,
            stages: Vec::new(),
            steps: Vec::new(),
            spans: Vec::new(),
            maps: Vec::new(),
            growth: 1,
        };
        for row in rows.start..=rows.end {
            let rows = phase.rows_at(row);
            // Every row stands for its reverse too, except those that are their own reverse,
            // which hold both; only the border without stones is counted once.
            let (mut both, mut own) = (0u128, 0u128);
            for &(near, class) in &rows {
                let members = phase.far.classes[usize::from(class)].members.len() as u128;
                match phase.standing(near, class) {
                    Standing::Own => own += members,
                    _ => both += members,
                }
            }
            let classes = both + own.div_ceil(2);
            if classes != valid_classes(height, row % height) {
                return Err(Error::internal(format!(
                    "the matrix has {classes} classes of borders for height {height} at row {row}"
                )));
            }
            phase.stages.push(Stage { rows, ..Stage::default() });
            if job.check().is_err() {
                // The caller looks at the run before it does anything long.
                break;
            }
        }
        Ok(phase)
    }

    /// Puts the far halves into blocks of about equal size.
    pub(super) fn divide(&mut self, blocks: usize) {
        let mut weights = vec![0u64; self.far.classes.len()];
        for &(_, class) in self.stages.iter().flat_map(|stage| &stage.rows) {
            weights[usize::from(class)] += 1;
        }
        self.far.divide(blocks, &weights);
    }

    /// Sorts all rows, and finds out which are added to which. A strip has about so many rows at
    /// most; `other` is what is far in the other phase.
    pub(super) fn lay_out(&mut self, other: &Far, strip: usize, job: &Job) -> Result<()> {
        self.spans = self.spans(strip);
        let last = self.stages.len() - 1;
        for k in 0..=last {
            let rows = std::mem::take(&mut self.stages[k].rows);
            self.stages[k] = if k == 0 || k == last {
                self.sorted(rows, self.begin + k, &Keys::Blocks(other))?
            } else {
                let span = self.spans.iter().find(|span| k <= span.steps.end);
                let span = span.ok_or_else(|| Error::internal("a stage without a span"))?;
                self.sorted(rows, self.begin + k, &Keys::Strips(span))?
            };
        }
        let mut maps = FxHashMap::default();
        let mut bounds = vec![1; self.stages[0].rows.len()];
        for k in 0..last {
            if job.check().is_err() {
                return Ok(());
            }
            let begins = self.spans.iter().any(|span| span.steps.start == k);
            if begins {
                bounds = vec![1; self.stages[k].rows.len()];
            }
            bounds = self.link(k, &bounds, &mut maps)?;
            self.growth = bounds.iter().copied().fold(self.growth, u64::max);
            // Borders are looked up only where phases meet.
            if k > 0 {
                self.stages[k].forget_rows();
            }
        }
        Ok(())
    }

    /// Forgets what is needed only to put phases together.
    pub(super) fn forget_rows(&mut self, stage: usize) {
        self.stages[stage].forget_rows();
    }

    /// Cuts the points into spans.
    fn spans(&self, strip: usize) -> Vec<Span> {
        let steps = self.stages.len() - 1;
        let rows = self.stages.iter().map(|stage| stage.rows.len()).max().unwrap_or(0);
        // About so many strips are needed; each further point that stays makes three of one.
        let mut length = self.points.len();
        let mut strips = 1;
        while rows / strips > strip && length > 2 {
            strips = if strips == 1 { 2 } else { 3 * strips };
            length -= 1;
        }
        let count = steps.div_ceil(length);
        let bound = |n: usize| steps * n / count;
        let spans = (0..count).map(|n| {
            let steps = bound(n)..bound(n + 1);
            let stay: Vec<usize> = self
                .points
                .iter()
                .copied()
                .filter(|&p| p < self.begin + steps.start || p >= self.begin + steps.end)
                .collect();
            let mask = mask(&stay);
            // Small strips are put together.
            let mut sizes: FxHashMap<u64, usize> = FxHashMap::default();
            for &(near, _) in &self.stages[steps.end].rows {
                *sizes.entry(either(colours(near & mask))).or_default() += 1;
            }
            let mut sizes: Vec<(u64, usize)> = sizes.into_iter().collect();
            sizes.sort_unstable();
            let mut strip_of = FxHashMap::default();
            let (mut strips, mut taken) = (0, 0);
            for (colouring, rows) in sizes {
                if taken > 0 && taken + rows > strip {
                    strips += 1;
                    taken = 0;
                }
                taken += rows;
                strip_of.insert(colouring, strips);
            }
            Span { steps, strip_of, mask, strips: strips as usize + 1 }
        });
        spans.collect()
    }

    fn standing(&self, near: u64, class: u16) -> Standing {
        let reverse = self.far.classes[usize::from(class)].reverse;
        if reverse != class {
            return if class < reverse { Standing::Kept } else { Standing::Dropped };
        }
        // The stone nearest to the cut decides: it changes least often.
        let stone = |&point: &usize| Some(code(near, point)).filter(|&code| is_stone(code));
        let nearest = if self.far.is_above {
            self.points.iter().find_map(stone)
        } else {
            self.points.iter().rev().find_map(stone)
        };
        match nearest {
            None => Standing::Own,
            Some(code) if code & WHITE == 0 => Standing::Kept,
            Some(_) => Standing::Dropped,
        }
    }

    /// The rows when the points above `row` of the new column have been read.
    fn rows_at(&self, row: usize) -> Vec<(u64, u16)> {
        let outer_first: Vec<usize> = if self.far.is_above {
            self.points.iter().rev().copied().collect()
        } else {
            self.points.clone()
        };
        let mut by_links: FxHashMap<u32, Vec<u16>> = FxHashMap::default();
        for (number, class) in self.far.classes.iter().enumerate() {
            by_links.entry(class.links).or_default().push(number as u16);
        }
        let mut rows = Vec::new();
        for (near, links) in halves(&outer_first, !self.far.is_above, row) {
            for &class in by_links.get(&links).map_or(&[][..], |found| found) {
                let edge = self.far.classes[usize::from(class)].edge;
                if self.fits(near, edge, row) && self.standing(near, class) != Standing::Dropped {
                    rows.push((near, class));
                }
            }
        }
        rows.shrink_to_fit();
        rows
    }

    /// Whether a near half agrees with what stands at the other side of the cut.
    fn fits(&self, near: u64, edge: u8, row: usize) -> bool {
        let at = |point: usize| code(near, point);
        let round = |before: Option<u8>, last: u8, below: u8| {
            !reaches_round(before, last) || may_touch(last, below)
        };
        let cut = self.cut;
        if self.far.is_above {
            // Both points at the cut are in the new column.
            may_touch(edge, at(cut))
                && (row != cut + 1 || row == self.height || round(Some(edge), at(cut), at(cut + 1)))
                && (row <= cut + 1
                    || row == self.height
                    || round(Some(at(row - 2)), at(row - 1), at(row)))
        } else if row == cut {
            round(cut.checked_sub(2).map(at), at(cut - 1), edge)
        } else {
            may_touch(at(cut - 1), edge)
                && (row == 0 || round(row.checked_sub(2).map(at), at(row - 1), at(row)))
        }
    }

    /// Sorts the rows of a stage.
    fn sorted(&self, rows: Vec<(u64, u16)>, row: usize, keys: &Keys) -> Result<Stage> {
        // Points near the one that is read change, so they are the most significant: rows that
        // differ elsewhere are then neighbours before and after.
        let mut order: Vec<usize> = self.points.clone();
        order.sort_unstable_by_key(|&p| (2 * p + 1).abs_diff(2 * row));
        let near_first = |near: u64| {
            order.iter().fold(0u64, |key, &point| key << 4 | u64::from(code(near, point)))
        };
        let mut keyed: Vec<(u32, u16, (u64, u64), u64)> = Vec::with_capacity(rows.len());
        for (near, class) in rows {
            let (key, order) = match keys {
                Keys::Strips(span) => {
                    let strip = span.strip_of.get(&either(colours(near & span.mask)));
                    let strip = strip.ok_or_else(|| Error::internal("a row without a strip"))?;
                    (*strip, (0, near_first(near)))
                }
                Keys::Blocks(other) => {
                    let place = other.place(near & other.mask)?;
                    let order = (near & !other.mask, u64::from(place.class));
                    (place.block, (order.0, order.1 << 32 | u64::from(place.at)))
                }
            };
            keyed.push((key, class, order, near));
        }
        keyed.sort_unstable();
        let keys = match keys {
            Keys::Strips(span) => span.strips,
            Keys::Blocks(other) => other.blocks.len(),
        };
        let mut stage = Stage { keys: vec![0; keys + 1], ..Stage::default() };
        for group in keyed.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            let (key, class, ..) = group[0];
            let number = stage.groups.len() as u32;
            stage.keys[key as usize + 1] = number + 1;
            for (index, &(.., near)) in (0..).zip(group) {
                stage.index.insert((near, class), stage.rows.len() as u32);
                stage.rows.push((near, class));
                stage.spots.push(Spot { group: number, index });
            }
            stage.groups.push(Group { class, rows: group.len() as u32 });
        }
        for key in 0..keys {
            stage.keys[key + 1] = stage.keys[key + 1].max(stage.keys[key]);
        }
        Ok(stage)
    }

    /// Finds out which rows are added to which when one point is read, and by how much the
    /// elements of each row can have grown since the span began, if those before have grown by
    /// `bounds`.
    fn link(
        &mut self,
        k: usize,
        bounds: &[u64],
        known: &mut FxHashMap<(u16, u64), u32>,
    ) -> Result<Vec<u64>> {
        let read = self.begin + k;
        let mut found: Vec<(u32, u32, u32)> = Vec::new();
        for source in 0..self.stages[k].rows.len() {
            let (near, class) = self.stages[k].rows[source];
            let own = self.standing(near, class) == Standing::Own;
            let first = self.far.classes[usize::from(class)].members[0];
            for (choice, next) in
                successors(near | first, self.height, read).into_iter().enumerate()
            {
                let Some(next) = next else { continue };
                let (next_near, next_far) = (next & self.near, next & self.far.mask);
                let next_class = self.far.place(next_far)?.class;
                let standing = self.standing(next_near, next_class);
                let turns: &[bool] = match (standing, own) {
                    (Standing::Kept, _) | (Standing::Own, true) => &[false],
                    (Standing::Dropped, false) => &[true],
                    (Standing::Own, false) => &[false, true],
                    // The reverse is an element of the same row, and is read there.
                    (Standing::Dropped, true) => &[],
                };
                for &turned in turns {
                    let turn = |half: u64| if turned { reversed(half) } else { half };
                    let image = turn(next_far);
                    let to_class = self.far.place(image)?.class;
                    let how = if next_far == first {
                        if turned && to_class == class { SWAPPED } else { STRAIGHT }
                    } else if let Some(&how) = known.get(&(class, image)) {
                        // A string that crosses the cut is a string of the far half too,
                        // so what happens to it shows on any member.
                        how
                    } else {
                        let map = self.map(near, class, read, choice, turned)?;
                        let how = self.maps.len() as u32 + FIRST_MAP;
                        self.maps.push(map);
                        known.insert((class, image), how);
                        how
                    };
                    let row = (turn(next_near), to_class);
                    let to = *self.stages[k + 1]
                        .index
                        .get(&row)
                        .ok_or_else(|| Error::internal("a border led to one that is not valid"))?;
                    found.push((to, how, source as u32));
                }
            }
        }
        found.sort_unstable();
        let after = &self.stages[k + 1];
        let mut grown = vec![0u64; after.rows.len()];
        for &(to, how, source) in &found {
            let most = how.checked_sub(FIRST_MAP).map_or(1, |map| self.maps[map as usize].most);
            let to = &mut grown[to as usize];
            *to = to.saturating_add(bounds[source as usize].saturating_mul(most));
        }
        let step = self.operations(k, &found)?;
        self.steps.push(step);
        Ok(grown)
    }

    /// Puts what is added to what (row, how, source; sorted) into operations.
    fn operations(&self, k: usize, found: &[(u32, u32, u32)]) -> Result<Step> {
        let (before, after) = (&self.stages[k], &self.stages[k + 1]);
        let span = self.spans.iter().find(|span| span.steps.contains(&k));
        let span = span.ok_or_else(|| Error::internal("a step without a span"))?;
        // Rows in the order in which they are written: strip after strip.
        let mut written: Vec<(u32, u16, u32)> = Vec::with_capacity(after.rows.len());
        for (row, &(near, class)) in (0..).zip(&after.rows) {
            let strip = span.strip_of.get(&either(colours(near & span.mask)));
            let strip = strip.ok_or_else(|| Error::internal("a row without a strip"))?;
            written.push((*strip, class, row));
        }
        written.sort_unstable();
        let mut firsts = vec![0u32; after.rows.len() + 1];
        for &(to, ..) in found {
            firsts[to as usize + 1] += 1;
        }
        for row in 0..after.rows.len() {
            firsts[row + 1] += firsts[row];
        }
        let sources_of = |row: u32| {
            let row = row as usize;
            found[firsts[row] as usize..firsts[row + 1] as usize]
                .iter()
                .map(|&(_, how, source)| Source { spot: before.spots[source as usize], how })
        };
        let mut step = Step { strips: vec![0; span.strips + 1], ..Step::default() };
        for batch in written.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            let (strip, class, _) = batch[0];
            let mut rest = batch;
            while let Some(&(_, _, first)) = rest.first() {
                let spot = after.spots[first as usize];
                let source = step.sources.len();
                step.sources.extend(sources_of(first));
                let sources = &step.sources[source..];
                let goes_on = |n: usize| {
                    let row = rest[n].2;
                    let at = after.spots[row as usize];
                    (at.group, at.index) == (spot.group, spot.index + n as u32)
                        && sources_of(row).eq(sources.iter().map(|source| {
                            let index = source.spot.index + n as u32;
                            Source { spot: Spot { index, ..source.spot }, ..*source }
                        }))
                };
                let rows = (1..rest.len()).find(|&n| !goes_on(n)).unwrap_or(rest.len());
                let (rows, source) = (rows as u32, source as u32);
                step.operations.push(Operation { spot, rows, source });
                rest = &rest[rows as usize..];
            }
            step.batches.push(Batch { class, end: step.operations.len() as u32 });
            step.strips[strip as usize + 1] = step.batches.len() as u32;
        }
        for strip in 0..span.strips {
            step.strips[strip + 1] = step.strips[strip + 1].max(step.strips[strip]);
        }
        let source = step.sources.len() as u32;
        step.operations.push(Operation { spot: Spot::default(), rows: 0, source });
        step.sources.shrink_to_fit();
        step.operations.shrink_to_fit();
        Ok(step)
    }

    /// Where a choice takes each member of a class.
    fn map(&self, near: u64, class: u16, read: usize, choice: usize, turned: bool) -> Result<Map> {
        let from = &self.far.classes[usize::from(class)];
        let next = |half: u64| {
            successors(near | half, self.height, read)[choice]
                .ok_or_else(|| Error::internal("a choice that some members do not have"))
        };
        let first = next(from.members[0])?;
        let to_class = self.far.place(first & self.far.mask)?.class;
        let mut map = Map { from: class, places: Vec::with_capacity(from.members.len()), most: 0 };
        let mut sources: FxHashMap<(u32, u32), u64> = FxHashMap::default();
        for block in 0..self.far.blocks.len() {
            for &half in from.of_block(block) {
                let next = next(half)?;
                let to = self.far.place(next & self.far.mask)?;
                if next & self.near != first & self.near || to.class != to_class {
                    return Err(Error::internal("members of a class that go different ways"));
                }
                let half = next & self.far.mask;
                let to = self.far.place(if turned { reversed(half) } else { half })?;
                if to.block as usize != block {
                    return Err(Error::internal("a far half that changed its colours"));
                }
                let count = sources.entry((to.block, to.at)).or_default();
                *count += 1;
                map.most = map.most.max(*count);
                map.places.push(to.at);
            }
        }
        Ok(map)
    }

    /// Bytes of all that was prepared.
    pub(super) fn bytes(&self) -> u64 {
        let stages: u64 = self.stages.iter().map(Stage::bytes).sum();
        let steps = self.steps.iter().map(|step| {
            list_bytes(&step.sources)
                + list_bytes(&step.operations)
                + list_bytes(&step.batches)
                + list_bytes(&step.strips)
        });
        let maps = self.maps.iter().map(|map| list_bytes(&map.places));
        stages + steps.sum::<u64>() + maps.sum::<u64>() + self.far.bytes()
    }

    /// Elements of the largest stage.
    pub(super) fn most_elements(&self) -> u64 {
        self.stages.iter().map(|stage| stage.elements(&self.far)).max().unwrap_or(0)
    }

    /// The rows of a stage without needy stones, each with the number of borders that an element
    /// of it stands for.
    pub(super) fn free_rows(&self, stage: usize) -> Vec<(Spot, u64)> {
        let Stage { rows, spots, .. } = &self.stages[stage];
        let free = rows.iter().zip(spots).filter(|((near, _), _)| all_free(*near));
        free.map(|(&(near, class), &spot)| {
            (spot, if self.standing(near, class) == Standing::Own { 1 } else { 2 })
        })
        .collect()
    }
}
