//! Borders as a matrix: near halves × far halves.
//!
//! While the points of some rows are read, the stones of the other rows stay where they are.
//! So the border is cut in two: the **near** half holds the rows that are read in this
//! *phase* (and the row above them, which they touch), the **far** half holds the others. What
//! the halves must know of each other is little, the far half's **class**: the colours of the
//! strings that cross the cut, from the inside outwards, and what stands right at the cut. Any
//! near half that fits one member of a class fits all of them. A **row** is a near half with a
//! class, and its elements are the members of the class: a border is a row and a place in it,
//! no border is stored or hashed, and reading a point adds whole rows to whole rows.
//!
//! When the point read touches a string that crosses the cut, the far half changes too: the
//! string gets a liberty, is joined to another, or loses the point that led to it. That is a
//! **map** from the members of a class to those of another, the same for all near halves, so
//! there are only a few hundred of them. Most elements (86–90 %) move straight.
//!
//! **Colours.** A border and its reverse have equal numbers, so of two reverse rows only one
//! is kept. Members of reverse classes stand in the same order, and the members of a class
//! that is its own reverse (nothing coloured at the cut) stand as: without stones, then one
//! half, then their reverses in the same order. So a reversed row is the row itself or the row
//! with its halves *swapped*. A row that is its own reverse is kept whole.
//!
//! Sizes for m = 12, cut in the middle: 43–81 classes, 13,000 far halves, rows of some
//! hundreds of elements. The elements are exactly the valid borders, which is checked.

use rustc_hash::FxHashMap;

use super::border::{
    CODES, DOWN, NEEDY, UP, WHITE, all_free, code, is_stone, links_after, may_touch, reaches_round,
    reversed, successors, valid_classes,
};
use crate::error::{Error, Result};
use pessoi_engine::run::Run;

/// How a row is added to another.
pub(super) const STRAIGHT: u32 = 0;
/// With the two halves of its members swapped.
pub(super) const SWAPPED: u32 = 1;
/// From here on: by the map of this number.
pub(super) const FIRST_MAP: u32 = 2;

/// Far halves that look alike from the near side.
pub(super) struct Class {
    /// The strings that cross the cut; see [`links_after`].
    links: u32,
    /// The point at the cut, without what only the far side cares for.
    edge: u8,
    /// The far halves.
    pub(super) members: Vec<u64>,
    /// The class of their reverses.
    reverse: u16,
    /// Members without needy stones.
    pub(super) free: Vec<u32>,
}

/// The rows after some point of the phase.
pub(super) struct Stage {
    /// Near half and class.
    pub(super) rows: Vec<(u64, u16)>,
    /// Where each row begins; one more for the end.
    pub(super) starts: Vec<usize>,
    index: FxHashMap<(u64, u16), u32>,
}

fn vec_bytes<T>(list: &Vec<T>) -> u64 {
    (list.capacity() * size_of::<T>()) as u64
}

fn map_bytes<K, V>(map: &FxHashMap<K, V>) -> u64 {
    // One place in eight stays empty, and each has a byte beside it.
    (map.capacity() * (size_of::<(K, V)>() + 1) * 8 / 7) as u64
}

impl Stage {
    /// Bytes of the rows and what is known of them.
    fn bytes(&self) -> u64 {
        vec_bytes(&self.rows) + vec_bytes(&self.starts) + map_bytes(&self.index)
    }

    /// How many elements all rows have together.
    pub(super) fn len(&self) -> usize {
        self.starts.last().copied().unwrap_or(0)
    }
}

/// Which rows are added to which when a point is read.
pub(super) struct Step {
    /// Where the sources of each row begin; one more for the end.
    pub(super) firsts: Vec<u32>,
    /// Row of the stage before, and how it is added; straight ones first.
    pub(super) sources: Vec<(u32, u32)>,
}

/// Some rows of a column, read one after another.
pub(super) struct Phase {
    height: usize,
    /// The rows that are read are `begin..end`.
    begin: usize,
    near: u64,
    far: u64,
    /// The near half begins (far above) or ends (far below) at this row.
    cut: usize,
    far_is_above: bool,
    pub(super) classes: Vec<Class>,
    places: FxHashMap<u64, (u16, u32)>,
    pub(super) stages: Vec<Stage>,
    pub(super) steps: Vec<Step>,
    pub(super) maps: Vec<Vec<u32>>,
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

fn mask(points: std::ops::Range<usize>) -> u64 {
    points.fold(0, |mask, point| mask | 15 << (4 * point))
}

/// All halves on these points, read from the outer end towards the cut, each with its open
/// links. Neighbours must agree except across `bump`, the first row of the column before.
fn halves(points: &[usize], downwards: bool, bump: usize) -> Vec<(u64, u32)> {
    let (inwards, outwards) = if downwards { (UP, DOWN) } else { (DOWN, UP) };
    let mut found = vec![(0u64, 1u32)];
    for (k, &point) in points.iter().enumerate() {
        let mut longer = Vec::with_capacity(found.len() * 5);
        for (half, links) in found {
            for next in CODES {
                if k > 0 {
                    let last = code(half, points[k - 1]);
                    let (above, below, lower) =
                        if downwards { (last, next, point) } else { (next, last, points[k - 1]) };
                    if lower != bump && !may_touch(above, below) {
                        continue;
                    }
                }
                if let Some(links) = links_after(links, next, inwards, outwards) {
                    longer.push((half | u64::from(next) << (4 * point), links));
                }
            }
        }
        found = longer;
    }
    found
}

impl Phase {
    /// The phase that reads the rows `begin..end` of a column of this height; the near half
    /// begins or ends at `cut`.
    pub(super) fn new(
        height: usize,
        begin: usize,
        end: usize,
        cut: usize,
        far_is_above: bool,
        run: &Run,
    ) -> Result<Phase> {
        let (near, far) = if far_is_above { (cut..height, 0..cut) } else { (0..cut, cut..height) };
        let mut phase = Phase {
            height,
            begin,
            near: mask(near.clone()),
            far: mask(far.clone()),
            cut,
            far_is_above,
            classes: Vec::new(),
            places: FxHashMap::default(),
            stages: Vec::new(),
            steps: Vec::new(),
            maps: Vec::new(),
        };
        phase.classify(&far.collect::<Vec<_>>())?;
        for row in begin..=end {
            let stage = phase.stage(&near.clone().collect::<Vec<_>>(), row);
            // Every row stands for its reverse too, except those that are their own reverse,
            // which hold both; only the border without stones is counted once.
            let own: usize = stage
                .rows
                .iter()
                .filter(|&&(near, class)| phase.standing(near, class) == Standing::Own)
                .map(|&(_, class)| phase.classes[usize::from(class)].members.len())
                .sum();
            let classes = (2 * (stage.len() - own) + own + 1) as u128 / 2;
            if classes != valid_classes(height, row % height) {
                return Err(Error::internal(format!(
                    "the matrix has {classes} classes of borders for height {height} at row {row}"
                )));
            }
            phase.stages.push(stage);
            if run.check().is_err() {
                // The caller looks at the run before it does anything long.
                return Ok(phase);
            }
        }
        phase.link()?;
        // Borders are looked up only where phases meet.
        let last = phase.stages.len() - 1;
        phase.stages[1..last].iter_mut().for_each(|stage| stage.index = FxHashMap::default());
        Ok(phase)
    }

    /// Sorts the far halves into classes.
    fn classify(&mut self, points: &[usize]) -> Result<()> {
        let outer_first: Vec<usize> = if self.far_is_above {
            points.to_vec()
        } else {
            points.iter().rev().copied().collect()
        };
        let edge_point = *outer_first.last().ok_or_else(|| Error::internal("an empty half"))?;
        let across = if self.far_is_above { DOWN } else { UP };
        let mut all = halves(&outer_first, self.far_is_above, usize::MAX);
        all.sort_unstable();
        let mut by_key: FxHashMap<(u32, u8), u16> = FxHashMap::default();
        let edge_of = |half: u64| {
            let code = code(half, edge_point);
            if code & NEEDY == 0 { code } else { code & (NEEDY | WHITE | across) }
        };
        for &(half, links) in &all {
            let edge = edge_of(half);
            let next = self.classes.len() as u16;
            let class = *by_key.entry((links, edge)).or_insert(next);
            if class == next {
                let (members, free) = (Vec::new(), Vec::new());
                self.classes.push(Class { links, edge, members, reverse: class, free });
            }
            self.classes[usize::from(class)].members.push(half);
        }
        for class in 0..self.classes.len() {
            let Class { links, edge, .. } = self.classes[class];
            // All bits but the leading one are colours.
            let other = links ^ ((1 << links.ilog2()) - 1);
            let edge = if is_stone(edge) { edge ^ WHITE } else { edge };
            let reverse = *by_key
                .get(&(other, edge))
                .ok_or_else(|| Error::internal("a class without a reverse"))?;
            self.classes[class].reverse = reverse;
            let reverse = usize::from(reverse);
            if reverse == class {
                let members = &mut self.classes[class].members;
                let (own, rest): (Vec<u64>, Vec<u64>) =
                    members.iter().partition(|&&half| half == reversed(half));
                let half: Vec<u64> = rest.into_iter().filter(|&h| h < reversed(h)).collect();
                *members = own;
                members.extend(&half);
                members.extend(half.iter().map(|&half| reversed(half)));
            } else if class < reverse {
                let members = self.classes[class].members.iter().map(|&half| reversed(half));
                self.classes[reverse].members = members.collect();
            }
        }
        for (number, class) in self.classes.iter_mut().enumerate() {
            for (k, &half) in class.members.iter().enumerate() {
                self.places.insert(half, (number as u16, k as u32));
                if all_free(half) {
                    class.free.push(k as u32);
                }
            }
        }
        Ok(())
    }

    fn standing(&self, near: u64, class: u16) -> Standing {
        let reverse = self.classes[usize::from(class)].reverse;
        if reverse != class {
            return if class < reverse { Standing::Kept } else { Standing::Dropped };
        }
        // The stone nearest to the cut decides: it changes least often.
        let stone = |point: usize| Some(code(near, point)).filter(|&code| is_stone(code));
        let nearest = if self.far_is_above {
            (self.cut..self.height).find_map(stone)
        } else {
            (0..self.cut).rev().find_map(stone)
        };
        match nearest {
            None => Standing::Own,
            Some(code) if code & WHITE == 0 => Standing::Kept,
            Some(_) => Standing::Dropped,
        }
    }

    /// The rows when the points above `row` of the new column have been read.
    fn stage(&self, points: &[usize], row: usize) -> Stage {
        let outer_first: Vec<usize> = if self.far_is_above {
            points.iter().rev().copied().collect()
        } else {
            points.to_vec()
        };
        let mut by_links: FxHashMap<u32, Vec<u16>> = FxHashMap::default();
        for (number, class) in self.classes.iter().enumerate() {
            by_links.entry(class.links).or_default().push(number as u16);
        }
        let mut rows = Vec::new();
        for (near, links) in halves(&outer_first, !self.far_is_above, row) {
            for &class in by_links.get(&links).map_or(&[][..], |found| found) {
                let edge = self.classes[usize::from(class)].edge;
                if self.fits(near, edge, row) && self.standing(near, class) != Standing::Dropped {
                    rows.push((near, class));
                }
            }
        }
        // Points near the one that is read change together, so they are the least
        // significant: rows that are added to each other are then close in memory.
        let mut order: Vec<usize> = points.to_vec();
        order.sort_unstable_by_key(|&p| std::cmp::Reverse((2 * p + 1).abs_diff(2 * row)));
        let near_first = |near: u64| {
            order.iter().fold(0u64, |key, &point| key << 4 | u64::from(code(near, point)))
        };
        if row == self.begin {
            // These rows come from the other phase: those that read the same rows there are
            // kept together.
            rows.sort_by_cached_key(|&(near, class)| (class, self.origin(near)));
        } else {
            rows.sort_by_cached_key(|&(near, class)| (class, near_first(near)));
        }
        rows.shrink_to_fit();
        let mut starts = Vec::with_capacity(rows.len() + 1);
        starts.push(0);
        for &(_, class) in &rows {
            starts.push(starts[starts.len() - 1] + self.classes[usize::from(class)].members.len());
        }
        let index = rows.iter().enumerate().map(|(k, &row)| (row, k as u32)).collect();
        Stage { rows, starts, index }
    }

    /// What the other phase's rows are sorted by: the point that is near in both, and of the
    /// others, which are its far half, the class and the place in it.
    fn origin(&self, near: u64) -> (u8, u32, u8, u64) {
        let (shared, points): (usize, Vec<usize>) = if self.far_is_above {
            (self.cut, (self.cut + 1..self.height).rev().collect())
        } else {
            (self.cut - 1, (0..self.cut - 1).collect())
        };
        let (inwards, outwards) = if self.far_is_above { (DOWN, UP) } else { (UP, DOWN) };
        let links = points
            .iter()
            .try_fold(1, |links, &point| links_after(links, code(near, point), inwards, outwards));
        let edge = points.last().map_or(0, |&point| code(near, point));
        let edge = if edge & NEEDY == 0 { edge } else { edge & (NEEDY | WHITE | outwards) };
        (code(near, shared), links.unwrap_or(0), edge, near)
    }

    /// Whether a near half agrees with what stands at the other side of the cut.
    fn fits(&self, near: u64, edge: u8, row: usize) -> bool {
        let at = |point: usize| code(near, point);
        let round = |before: Option<u8>, last: u8, below: u8| {
            !reaches_round(before, last) || may_touch(last, below)
        };
        let cut = self.cut;
        if self.far_is_above {
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

    /// Finds out which rows are added to which.
    fn link(&mut self) -> Result<()> {
        let mut known: FxHashMap<(u16, u64), u32> = FxHashMap::default();
        for k in 0..self.stages.len() - 1 {
            let read = self.begin + k;
            let mut found: Vec<(u32, u32, u32)> = Vec::new();
            for source in 0..self.stages[k].rows.len() {
                let (near, class) = self.stages[k].rows[source];
                let own = self.standing(near, class) == Standing::Own;
                let first = self.classes[usize::from(class)].members[0];
                for (choice, next) in
                    successors(near | first, self.height, read).into_iter().enumerate()
                {
                    let Some(next) = next else { continue };
                    let (next_near, next_far) = (next & self.near, next & self.far);
                    let next_class = self.place(next_far)?.0;
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
                        let to_class = self.place(image)?.0;
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
                        let to = *self.stages[k + 1].index.get(&row).ok_or_else(|| {
                            Error::internal("a border led to one that is not valid")
                        })?;
                        found.push((to, how, source as u32));
                    }
                }
            }
            found.sort_unstable();
            let rows = self.stages[k + 1].rows.len();
            let mut firsts = vec![0u32; rows + 1];
            for &(to, ..) in &found {
                firsts[to as usize + 1] += 1;
            }
            for row in 0..rows {
                firsts[row + 1] += firsts[row];
            }
            let mut sources = Vec::with_capacity(found.len());
            sources.extend(found.into_iter().map(|(_, how, source)| (source, how)));
            self.steps.push(Step { firsts, sources });
        }
        Ok(())
    }

    fn place(&self, half: u64) -> Result<(u16, u32)> {
        let found = self.places.get(&half).copied();
        found.ok_or_else(|| Error::internal("a far half that is not valid"))
    }

    /// Where a choice takes each member of a class.
    fn map(
        &self,
        near: u64,
        class: u16,
        read: usize,
        choice: usize,
        turned: bool,
    ) -> Result<Vec<u32>> {
        let members = &self.classes[usize::from(class)].members;
        let next = |half: u64| {
            successors(near | half, self.height, read)[choice]
                .ok_or_else(|| Error::internal("a choice that some members do not have"))
        };
        let first = next(members[0])?;
        let to_class = self.place(first & self.far)?.0;
        let map = members.iter().map(|&half| {
            let next = next(half)?;
            if next & self.near != first & self.near || self.place(next & self.far)?.0 != to_class {
                return Err(Error::internal("members of a class that go different ways"));
            }
            let half = next & self.far;
            Ok(self.place(if turned { reversed(half) } else { half })?.1)
        });
        map.collect()
    }

    /// Bytes of all that was prepared.
    pub(super) fn bytes(&self) -> u64 {
        let stages: u64 = self.stages.iter().map(Stage::bytes).sum();
        let steps: u64 =
            self.steps.iter().map(|step| vec_bytes(&step.firsts) + vec_bytes(&step.sources)).sum();
        let classes: u64 = self
            .classes
            .iter()
            .map(|class| vec_bytes(&class.members) + vec_bytes(&class.free))
            .sum();
        let maps: u64 = self.maps.iter().map(vec_bytes).sum();
        stages + steps + classes + maps + map_bytes(&self.places)
    }

    /// The element of a border at a stage; `None` if its reverse is kept instead.
    pub(super) fn element(&self, stage: usize, border: u64) -> Option<usize> {
        let &(class, place) = self.places.get(&(border & self.far))?;
        let stage = &self.stages[stage];
        let row = *stage.index.get(&(border & self.near, class))?;
        Some(stage.starts[row as usize] + place as usize)
    }

    /// All elements of borders without needy stones at a stage, each with the number of
    /// borders that it stands for.
    pub(super) fn free_elements(&self, stage: usize) -> impl Iterator<Item = (usize, u64)> {
        let stage = &self.stages[stage];
        stage.rows.iter().zip(&stage.starts).filter(|((near, _), _)| all_free(*near)).flat_map(
            |(&(near, class), &start)| {
                let twice = if self.standing(near, class) == Standing::Own { 1 } else { 2 };
                let free = &self.classes[usize::from(class)].free;
                free.iter().map(move |&place| (start + place as usize, twice))
            },
        )
    }
}

/// How the elements of the last stage of one phase become those of the first stage of the
/// next: the near half of each holds the far half of the other, so blocks are transposed.
pub(super) struct Switch {
    /// For each row: which list of sources, and where in a source row its far half and the
    /// reverse of it are.
    pub(super) rows: Vec<(u32, [u32; 2])>,
    /// For each member of the row's class: twice where the source row begins, plus one if it
    /// holds the reverse.
    pub(super) lists: Vec<Vec<u64>>,
}

impl Switch {
    /// Bytes of both lists.
    pub(super) fn bytes(&self) -> u64 {
        vec_bytes(&self.rows) + self.lists.iter().map(vec_bytes).sum::<u64>()
    }

    pub(super) fn new(from: &Phase, to: &Phase) -> Result<Switch> {
        let missing = || Error::internal("a border that only one phase knows");
        let last = &from.stages[from.stages.len() - 1];
        let first = &to.stages[0];
        let between = from.near & to.near;
        let mut rows = Vec::with_capacity(first.rows.len());
        let mut lists = Vec::new();
        let mut known: FxHashMap<(u16, u64, u16), u32> = FxHashMap::default();
        for &(near, class) in &first.rows {
            let half = near & from.far;
            let (from_class, place) = from.place(half)?;
            let place_reversed = from.place(reversed(half))?.1;
            let key = (class, near & between, from_class);
            let list = if let Some(&list) = known.get(&key) {
                list
            } else {
                let reverse_class = from.classes[usize::from(from_class)].reverse;
                let sources = to.classes[usize::from(class)].members.iter().map(|&member| {
                    let near = member | (near & between);
                    let start = |row| last.index.get(&row).map(|&r| last.starts[r as usize]);
                    if let Some(start) = start((near, from_class)) {
                        return Ok(2 * start as u64);
                    }
                    let start = start((reversed(near), reverse_class)).ok_or_else(missing)?;
                    Ok(2 * start as u64 + 1)
                });
                lists.push(sources.collect::<Result<Vec<u64>>>()?);
                known.insert(key, lists.len() as u32 - 1);
                lists.len() as u32 - 1
            };
            rows.push((list, [place, place_reversed]));
        }
        Ok(Switch { rows, lists })
    }
}
