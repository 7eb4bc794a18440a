//! Strips of a given width and any length, as the sweep sees them.
//!
//! Away from its right end a strip looks the same after every column, so one column deep
//! inside a board of the same width stands for all. The border after column c is written as
//! if it were the border after a fixed column, the *mould*. Cells to the left of the strip
//! are taken as done, so the strip begins with the border in which everything is done.
//!
//! A move reaches at most R columns. The last R columns of a strip are different, for their
//! cells lack neighbours: they are read by the sweep of a board that ends R columns after
//! the mould. Until then there are R columns yet to come, and no more is certain, so the
//! sweep looks R columns ahead and no farther: a tour of a longer strip may be impossible
//! where a shorter one can just be closed.

use std::collections::HashMap;
use std::time::Duration;

use pessoi_engine::run::{Run, Stop};
use pessoi_engine::sweep::{Forecast, Strip, Sweep, forecast};

use super::border::{Border, Paths};
use super::task::Task;
use crate::error::Result;

/// The strip of a width.
pub(super) struct Columns {
    /// The sweep of a board that goes on far beyond the mould.
    middle: Paths,
    /// The sweep of a board that ends R columns after the mould.
    end: Paths,
    /// The first site after the mould.
    after: usize,
    width: usize,
    /// For the border one column after the mould: each slot's place in the mould.
    back: Vec<u8>,
}

/// The tasks whose sweeps stand for a strip.
pub(super) struct Tasks {
    middle: Task,
    end: Task,
    width: usize,
    reach: usize,
}

impl Tasks {
    /// The tasks for a strip, or why it cannot be swept.
    pub(super) fn new(width: usize, leapers: &[(i32, i32)], closed: bool) -> Result<Self> {
        let furthest = leapers.iter().map(|&(a, b)| a.abs().max(b.abs()));
        let reach = furthest.max().unwrap_or(1) as usize;
        let mould = mould(reach);
        let task = |columns: usize| Task::rectangle(width, columns, leapers, closed);
        // So far that no look ahead from the next column comes near the end.
        let (middle, end) = (task(mould + 3 * reach + 2)?, task(mould + reach)?);
        Paths::check_columns(&middle)?;
        Paths::check_columns(&end)?;
        Ok(Tasks { middle, end, width, reach })
    }

    /// The columns at the end that are read by [`Strip::finish`].
    pub(super) fn reach(&self) -> usize {
        self.reach
    }
}

/// The slots that cells get settle into a rhythm within a few columns.
fn mould(reach: usize) -> usize {
    3 * reach
}

impl Columns {
    /// The strip of some tasks.
    pub(super) fn new(tasks: &Tasks, run: &Run) -> Result<Self, Stop> {
        let Tasks { reach, width, .. } = *tasks;
        let middle = Paths::by_columns(&tasks.middle, reach, run)?;
        let end = Paths::by_columns(&tasks.end, reach, run)?;
        let after = mould(reach) * width;
        let back = middle.shift(after - 1, after + width - 1, width);
        Ok(Columns { middle, end, after, width, back })
    }

    /// How large the layers of a long board of this width are.
    pub(super) fn forecast(&self, time: Duration, run: &Run) -> Result<Forecast, Stop> {
        forecast(&self.middle, time, run)
    }

    fn read(&self, site: usize, at: &Border, reading: &mut Reading) {
        if site == self.after + self.width {
            let next = self.middle.moved(self.after - 1, at, &self.back);
            reading.ended = (reading.offer)(next);
            return;
        }
        self.middle.choose(site, at, |_, next| {
            if reading.goes_on() && !self.middle.is_hopeless(site, &next) {
                self.read(site + 1, &next, reading);
            }
        });
    }
}

/// A column that is read: who is offered what it leads to, and whether that has ended.
struct Reading<'r> {
    run: &'r Run,
    offer: &'r mut dyn FnMut(Border) -> Result<(), Stop>,
    steps: usize,
    ended: Result<(), Stop>,
}

/// Cells that are read between two looks at the limits.
const CELLS_A_LOOK: usize = 4096;

impl Reading<'_> {
    fn goes_on(&mut self) -> bool {
        self.steps += 1;
        if self.steps.is_multiple_of(CELLS_A_LOOK) && self.ended.is_ok() {
            self.ended = self.run.check();
        }
        self.ended.is_ok()
    }
}

impl Strip for Columns {
    type Border = Border;

    fn start(&self) -> Border {
        self.middle.start()
    }

    fn column(
        &self,
        at: &Border,
        run: &Run,
        mut offer: impl FnMut(Border) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        let mut reading = Reading { run, offer: &mut offer, steps: 0, ended: Ok(()) };
        self.read(self.after, at, &mut reading);
        reading.ended
    }

    fn finish(&self, at: &Border, run: &Run) -> Result<u64, Stop> {
        let mut claim = run.claim();
        let mut steps = 0usize;
        let mut layer = HashMap::from([(*at, 1u64)]);
        for site in self.after..self.end.sites() {
            let mut next: HashMap<Border, u64> = HashMap::new();
            let before = layer.len();
            for (border, ways) in layer {
                steps += 1;
                if steps.is_multiple_of(CELLS_A_LOOK) {
                    run.check()?;
                    claim
                        .grow_to(((before + next.len()) * 2 * size_of::<(Border, u64)>()) as u64)?;
                }
                self.end.choose(site, &border, |_, after| {
                    if next.contains_key(&after) || !self.end.is_hopeless(site, &after) {
                        let sum = next.entry(after).or_insert(0);
                        *sum = sum.saturating_add(ways);
                    }
                });
            }
            layer = next;
        }
        Ok(layer.into_values().fold(0, u64::saturating_add))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pessoi_engine::run::Budget;

    /// The king's column of 40 cells leads to more borders than there is time for.
    #[test]
    fn a_wide_column_is_left_at_a_limit() {
        let second = Duration::from_secs(1);
        let budget = Budget { time: Some(3 * second), ..Budget::default() };
        let run = Run::stepping(budget, second);
        let tasks = Tasks::new(40, &[(1, 0), (1, 1)], false).unwrap();
        let columns = Columns::new(&tasks, &Run::default()).unwrap();
        let read = columns.column(&columns.start(), &run, |_| Ok(()));
        assert!(matches!(read, Err(Stop::Time { .. })));
    }
}
