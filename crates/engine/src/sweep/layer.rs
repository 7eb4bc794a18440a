//! A layer: the borders after a site, each with a value.
//!
//! With several threads a layer lies in several tables, its *shards*; which of them holds a
//! border depends on the border alone. So a shard can be read by one thread, and the shards of
//! the next layer can be put together by one thread each.

use std::hash::Hash;

use rayon::prelude::*;

use super::Sweep;
use super::table::{Table, shard};
use crate::run::{Run, Stop};

/// Tables that a layer is spread over when several threads work on it.
const MOST_SHARDS: usize = 32;
/// Layers with fewer borders are not worth spreading.
const SMALL_LAYER: usize = 4096;
/// Borders between two looks at the clock.
const BORDERS_A_TICK: u64 = 4096;

/// The borders after a site, each with a value.
pub(super) struct Layer<B, V> {
    shards: Vec<Table<B, V>>,
}

impl<B: Hash + Eq, V> Layer<B, V> {
    /// No borders.
    pub(super) fn empty(run: &Run) -> Self {
        let threads = run.budget().threads;
        let number =
            if threads == 1 { 1 } else { (4 * threads).next_power_of_two().min(MOST_SHARDS) };
        Layer { shards: (0..number).map(|_| Table::new(run)).collect() }
    }

    /// The layer before the first site: one border.
    pub(super) fn of(border: B, value: V, run: &Run) -> Result<Self, Stop> {
        let mut layer = Layer::empty(run);
        layer.insert(border, value)?;
        Ok(layer)
    }

    /// Adds a border that is not there yet.
    pub(super) fn insert(&mut self, border: B, value: V) -> Result<(), Stop> {
        let home = shard(&border, self.shards.len());
        self.shards[home].merge(border, value, |_, _| (), |_| true)
    }

    /// Keeps only some borders.
    pub(super) fn retain(&mut self, mut keep: impl FnMut(&B) -> bool) {
        for shard in &mut self.shards {
            shard.retain(&mut keep);
        }
    }

    /// How many borders there are.
    pub(super) fn len(&self) -> usize {
        self.shards.iter().map(Table::len).sum()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&B, &V)> {
        self.shards.iter().flat_map(Table::iter)
    }

    pub(super) fn get(&self, border: &B) -> Option<&V> {
        self.shards[shard(border, self.shards.len())].get(border)
    }
}

impl<B, V: Copy + Send + Sync> Layer<B, V> {
    /// Reads one more site. The next layer is complete after [`Spread::gather`], before which
    /// this one may be dropped to save memory. Values that meet at a border are added up.
    pub(super) fn spread<S: Sweep<Border = B>>(
        &self,
        sweep: &S,
        site: usize,
        add: impl Fn(&mut V, V) + Copy + Sync,
        run: &Run,
    ) -> Result<Spread<B, V>, Stop>
    where
        B: Hash + Eq + Send + Sync,
    {
        let spread = |from: &[Table<B, V>]| {
            let mut to = Layer::empty(run);
            let mut failed = None;
            let mut unticked = 0;
            for (border, &value) in from.iter().flat_map(Table::iter) {
                sweep.choose(site, border, |_, next| {
                    let home = shard(&next, to.shards.len());
                    if failed.is_none() {
                        let admit = |new: &B| !sweep.is_hopeless(site, new);
                        failed = to.shards[home].merge(next, value, add, admit).err();
                    }
                });
                unticked += 1;
                if unticked == BORDERS_A_TICK {
                    unticked = 0;
                    run.tick(BORDERS_A_TICK)?;
                }
                if let Some(stop) = failed {
                    return Err(stop);
                }
            }
            run.tick(unticked)?;
            Ok(to)
        };
        if self.shards.len() == 1 || self.len() < SMALL_LAYER {
            return Ok(Spread(vec![spread(&self.shards)?]));
        }
        let pieces: Result<Vec<_>, Stop> =
            run.parallel(|| self.shards.par_chunks(1).map(spread).collect());
        Ok(Spread(pieces?))
    }
}

/// The next layer in pieces, which may have borders in common.
pub(super) struct Spread<B, V>(Vec<Layer<B, V>>);

impl<B: Hash + Eq + Send, V: Send> Spread<B, V> {
    /// The pieces put together.
    pub(super) fn gather(
        mut self,
        add: impl Fn(&mut V, V) + Copy + Sync,
        run: &Run,
    ) -> Result<Layer<B, V>, Stop> {
        if self.0.len() == 1
            && let Some(only) = self.0.pop()
        {
            return Ok(only);
        }
        let rows = self.0.into_iter().map(|piece| piece.shards).collect();
        let shards: Result<Vec<_>, Stop> = run.parallel(|| {
            transposed(rows).into_par_iter().map(|group| sum(group, add, run)).collect()
        });
        Ok(Layer { shards: shards? })
    }
}

fn transposed<T>(rows: Vec<Vec<T>>) -> Vec<Vec<T>> {
    let mut columns: Vec<Vec<T>> = Vec::new();
    for row in rows {
        columns.resize_with(row.len().max(columns.len()), Vec::new);
        for (column, item) in columns.iter_mut().zip(row) {
            column.push(item);
        }
    }
    columns
}

/// Adds up tables, into the largest of them.
fn sum<B: Hash + Eq, V>(
    mut group: Vec<Table<B, V>>,
    add: impl Fn(&mut V, V),
    run: &Run,
) -> Result<Table<B, V>, Stop> {
    group.sort_by_key(Table::len);
    // A group has one table for each shard of the old layer, so at least one.
    let mut sum = group.pop().unwrap_or_else(|| Table::new(run));
    for table in group {
        sum.absorb(table, &add)?;
    }
    Ok(sum)
}
