//! Counts in rounds: by pairings and by the plain sweep, in many places.

use std::sync::Arc;

use pessoi_engine::pairings::{self, Tours};
use pessoi_engine::rounds::{Ended, Rounds};
use pessoi_engine::run::Run;
use pessoi_engine::search::Part;
use pessoi_engine::sweep;

use super::Tour;
use super::border::Paths;
use super::count::{limit, paired, read_over};
use super::options::{PAIRINGS, PLAIN_SWEEP};
use super::task::Task;
use crate::answer::Answer;
use crate::card::Method;
use crate::error::{Error, Result};
use crate::job::{Asked, InRounds};

/// An engine's rounds, and the task that they are for.
pub(super) struct Counting<W> {
    task: Arc<Task>,
    work: W,
}

/// A count by pairings.
pub(super) type Paired = Counting<pairings::InRounds>;

/// A count by the plain sweep.
pub(super) type Swept = Counting<sweep::InRounds<Paths>>;

impl Paired {
    pub(super) fn new(task: &Arc<Task>, tours: Tours, run: &Run) -> Self {
        Counting { task: Arc::clone(task), work: pairings::InRounds::new(tours, run) }
    }
}

impl Swept {
    pub(super) fn new(task: &Arc<Task>, paths: Paths) -> Self {
        Counting { task: Arc::clone(task), work: sweep::InRounds(paths) }
    }
}

impl InRounds for Paired {
    fn method(&self) -> &'static Method {
        &PAIRINGS
    }

    fn work(&self) -> &dyn Rounds {
        &self.work
    }

    fn conclude(&self, asked: &Asked, ended: &[Ended]) -> Result<Answer> {
        let at = Tour { asked: *asked, task: &self.task };
        match self.work.counted(ended) {
            Ok(counted) => Ok(paired(&at, self.work.tours(), Part::WHOLE, &counted)),
            Err(error) => Ok(at.gave_up(limit(error)?, &PAIRINGS)),
        }
    }
}

impl InRounds for Swept {
    fn method(&self) -> &'static Method {
        &PLAIN_SWEEP
    }

    fn work(&self) -> &dyn Rounds {
        &self.work
    }

    fn conclude(&self, asked: &Asked, ended: &[Ended]) -> Result<Answer> {
        let counted = self.work.counted(ended);
        let counted = counted.ok_or_else(|| Error::internal("a sweep with passes"))?;
        let at = Tour { asked: *asked, task: &self.task };
        Ok(read_over(&at, &self.work.0, Part::WHOLE, &counted))
    }
}
