//! Which engine searches a component, and at what cost.
//!
//! Tables that do not fit into memory lie on the run's disk, if it has one.

use num_bigint::BigUint;
use num_traits::ToPrimitive;
use pessoi_engine::lift::{Gauge, MOST_BYTES, Size, Table as Planes};
use pessoi_engine::run::{Bytes, Run, Stop};

use super::holes::Part;
use super::methods::{FAST, PLAIN};
use super::plain::bytes_of_one;
use crate::answer::Limit;
use crate::plan::Plan;

/// Tables have room for every permutation of the tiles that are moved. A group so many times
/// smaller would leave them nearly empty.
const SPARSE: u64 = 1000;
/// Tables up to this size are made even if they stay nearly empty.
const SMALL: u64 = 1 << 24;
/// The seed of the trees along which slots are named. Any will do; a fixed one makes the same
/// tables every time.
const SEED: u64 = 1;

/// Configurations a second and thread that the tables handle on a machine of 2020.
const FAST_RATE: f64 = 5e7;
/// Configurations a second that the plain search handles.
const PLAIN_RATE: f64 = 1e6;
/// Configurations a second and thread that the tables on disk handle.
const DISK_RATE: f64 = 2e7;
/// The share of all configurations that two levels one after the other have at most, on boards
/// whose God's number is 50 to 100.
const CROWD: f64 = 0.15;
/// Bytes on disk of a move on its way.
const MESSAGE: f64 = 8.0;
/// Searches that God's number is expected to take; there are 2 to 25.
const SEARCHES: f64 = 4.0;

/// The engine for a part of the hole-sets, and how large its tables are.
pub(super) enum Engine {
    Fast { gauge: Gauge, size: Size, on_disk: bool },
    Plain { states: u64, bytes: u64 },
    TooLarge { states: BigUint, bytes: BigUint },
}

impl Engine {
    /// Chooses by size, or takes the engine that was asked for by name.
    pub(super) fn choose(part: &Part, asked: Option<&str>, run: &Run) -> Result<Engine, Stop> {
        let states = part.size();
        let each = bytes_of_one(part.cells());
        let plain = || match states.to_u64() {
            Some(states) => Engine::Plain { states, bytes: states.saturating_mul(each) },
            None => Engine::TooLarge { states: states.clone(), bytes: &states * each },
        };
        if asked == Some(PLAIN.id) {
            return Ok(plain());
        }
        let wants_tables = asked == Some(FAST.id);
        let (moved, all_even) = (part.group.moved().len(), part.group.all_even());
        match Planes::size(part.sets.len(), moved, all_even) {
            Some(size)
                if wants_tables
                    || BigUint::from(size.states) <= &states * SPARSE
                    || size.bytes < SMALL =>
            {
                let on_disk = size.bytes > run.budget().memory.unwrap_or(u64::MAX);
                if size.bytes > MOST_BYTES || on_disk && run.disk().is_none() {
                    let bytes = size.bytes.into();
                    return Ok(Engine::TooLarge { states, bytes });
                }
                Ok(Engine::Fast { gauge: Gauge::best(&part.gains, SEED, run)?, size, on_disk })
            }
            None if wants_tables || states.to_u64().is_none() => {
                let bytes = &states / 4u32;
                Ok(Engine::TooLarge { states, bytes })
            }
            _ => Ok(plain()),
        }
    }

    /// Why it does not search, if it does not.
    pub(super) fn refusal(&self, run: &Run) -> Option<Limit> {
        let Engine::TooLarge { states, bytes } = self else { return None };
        let bytes =
            bytes.to_u64().map_or_else(|| format!("{bytes} bytes"), |b| Bytes(b).to_string());
        let limit = run.budget().memory.map(|limit| format!(", and the limit is {}", Bytes(limit)));
        let text = format!(
            "a component has {states} configurations, for which tables of {bytes} would be needed{}",
            limit.unwrap_or_default()
        );
        Some(Limit::Size { text })
    }

    /// What would help where it does not search.
    pub(super) fn help(&self, run: &Run) -> Option<String> {
        let Engine::TooLarge { bytes, .. } = self else { return None };
        let bytes = bytes.to_u64().filter(|&bytes| bytes <= MOST_BYTES && run.disk().is_none())?;
        let half = Bytes(bytes / 2);
        Some(format!("With --disk DIR the tables would lie on disk: {half}, and more for moves."))
    }

    /// Adds its cost on a part to a plan.
    pub(super) fn predict(&self, part: &Part, plan: &mut Plan, run: &Run) {
        let add = |sum: &mut Option<f64>, more: f64| *sum = Some(sum.unwrap_or(0.0) + more);
        let threads = run.budget().threads as f64;
        let bytes = match self {
            Engine::TooLarge { .. } => return,
            Engine::Fast { size, on_disk: false, .. } => {
                add(&mut plan.seconds, SEARCHES * size.states as f64 / FAST_RATE / threads);
                size.bytes
            }
            Engine::Fast { gauge, size, on_disk: true } => {
                add(&mut plan.seconds, SEARCHES * size.states as f64 / DISK_RATE / threads);
                let moves = gauge.crossings(&part.gains) as f64 / part.sets.len() as f64;
                let moves = (moves * size.states as f64 * CROWD * MESSAGE) as u64;
                plan.notes.push(format!(
                    "The tables do not fit into memory. On disk they take {}, and moves on their \
                     way up to about {} more.",
                    Bytes(size.bytes / 2),
                    Bytes(moves)
                ));
                // They take what there is.
                run.budget().memory.unwrap_or(MOST_BYTES) / 4 * 3
            }
            Engine::Plain { states, bytes } => {
                add(&mut plan.seconds, *states as f64 * part.sets.len() as f64 / PLAIN_RATE);
                *bytes
            }
        };
        add(&mut plan.states, part.size().to_f64().unwrap_or(f64::MAX));
        // One part is done before the next begins.
        plan.bytes = Some(plan.bytes.unwrap_or(0.0).max(bytes as f64));
    }
}
