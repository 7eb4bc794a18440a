//! Sweeps.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use num_bigint::BigInt;
use pessoi::Stop;
use pessoi_engine::random::Random;
use pessoi_engine::sweep::{Sampler, Sweep, SweepError, count};
use pyo3::prelude::*;
use pyo3::types::{PyAnyMethods, PyList, PyListMethods};

use super::{Asking, Fault, Known, Trouble, inconsistent, same, short};
use crate::ask::{self, COUNTS};
use crate::number::int;

/// What is chosen, and the border that it leads to.
type Choices = Arc<Vec<(Py<PyAny>, u64)>>;

struct OwnSweep {
    game: Py<PyAny>,
    sites: usize,
    start: u64,
    borders: Known,
    /// The choices at each site after each border.
    choices: Mutex<HashMap<(usize, u64), Choices>>,
    trouble: Arc<Trouble>,
}

/// Choices have codes of a byte.
const MOST_CHOICES: usize = 256;

impl OwnSweep {
    fn new(py: Python<'_>, game: Py<PyAny>, trouble: &Arc<Trouble>) -> PyResult<Self> {
        let borders = Known::new(py);
        let bound = game.bind(py);
        let sites = bound.getattr("sites")?;
        let sites = ask::whole("sites", "sites", &sites, &COUNTS)? as usize;
        let (first, second) = (bound.call_method0("start")?, bound.call_method0("start")?);
        same(py, "start", "start()", &first, &second)?;
        let start = borders.number(&first)?;
        let (choices, trouble) = (Mutex::default(), trouble.clone());
        Ok(OwnSweep { game, sites, start, borders, choices, trouble })
    }

    fn choices(&self, site: usize, at: u64) -> Choices {
        let known = self.choices.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = known.get(&(site, at)) {
            return known.clone();
        }
        drop(known);
        let asked = self.trouble.guard(Arc::default(), |py| self.ask(py, site, at));
        let mut known = self.choices.lock().unwrap_or_else(PoisonError::into_inner);
        known.insert((site, at), asked.clone());
        asked
    }

    fn ask(&self, py: Python<'_>, site: usize, at: u64) -> PyResult<Choices> {
        let border = self.borders.object(py, at)?;
        let game = self.game.bind(py);
        let asked = format!("choose({site}, {})", short(&border)?);
        let ask = || {
            let choices = game.call_method1("choose", (site, &border))?;
            self.trouble.listed("choose", &asked, &choices, MOST_CHOICES)
        };
        let (first, second) = (ask()?, ask()?);
        same(py, "choose", &asked, &first, &second)?;
        let seen = PyList::empty(py);
        let mut choices = Vec::new();
        for item in &first {
            let Ok((choice, border)) = item.extract::<(Bound<'_, PyAny>, Bound<'_, PyAny>)>()
            else {
                let sentence =
                    format!("{asked} gives {}, which is no pair (choice, border).", short(&item)?);
                return Err(inconsistent(py, "choose", sentence));
            };
            if seen.contains(&choice)? {
                let sentence = format!("{asked} gives the choice {} twice.", short(&choice)?);
                return Err(inconsistent(py, "choose", sentence));
            }
            seen.append(&choice)?;
            choices.push((choice.unbind(), self.borders.number(&border)?));
        }
        Ok(Arc::new(choices))
    }
}

impl Sweep for OwnSweep {
    type Border = u64;

    fn sites(&self) -> usize {
        self.sites
    }

    fn start(&self) -> u64 {
        self.start
    }

    fn choose(&self, site: usize, at: &u64, mut offer: impl FnMut(u8, u64)) {
        for (code, (_, border)) in (0..=u8::MAX).zip(self.choices(site, *at).iter()) {
            offer(code, *border);
        }
    }

    fn accepts(&self, last: &u64) -> bool {
        self.trouble.guard(false, |py| {
            let border = self.borders.object(py, *last)?;
            let ask = || self.game.bind(py).call_method1("accepts", (&border,));
            let (first, second) = (ask()?, ask()?);
            same(py, "accepts", "accepts(border)", &first, &second)?;
            first.is_truthy()
        })
    }
}

/// The number of complete ways, and the sizes of the layers.
#[pyfunction]
pub(super) fn sweep_count<'py>(
    py: Python<'py>,
    game: &Bound<'py, PyAny>,
    time: Option<Bound<'py, PyAny>>,
) -> PyResult<(Bound<'py, PyAny>, Vec<u64>)> {
    let asking = Asking { game, time: time.as_ref(), seed: None };
    let counted = asking.work(|game, run, trouble| {
        let sweep = trouble.need(|py| OwnSweep::new(py, game, trouble))?;
        match count(&sweep, run) {
            Ok(counted) => Ok(counted),
            Err(SweepError::Stop(stop)) => Err(stop),
            // Nothing was saved, and there is no strip.
            Err(other) => Err(Stop::Disk { why: other.to_string() }),
        }
    })?;
    Ok((int(py, &BigInt::from(counted.total))?, counted.layers))
}

/// Complete ways drawn at random, each as a list of its choices.
#[pyfunction]
pub(super) fn sweep_sample<'py>(
    py: Python<'py>,
    game: &Bound<'py, PyAny>,
    number: &Bound<'py, PyAny>,
    seed: Option<Bound<'py, PyAny>>,
    time: Option<Bound<'py, PyAny>>,
) -> PyResult<Vec<Bound<'py, PyList>>> {
    let number = ask::whole("options.number", "number", number, &COUNTS)?;
    let asking = Asking { game, time: time.as_ref(), seed: seed.as_ref() };
    let worked: Result<_, Fault> = asking.work(|game, run, trouble| {
        let sweep = trouble.need(|py| OwnSweep::new(py, game, trouble))?;
        let sampler = Sampler::new(&sweep, run)?;
        let mut random = Random::new(run.budget().seed, 0);
        let mut drawn = Vec::new();
        for _ in 0..number {
            run.check()?;
            drawn.extend(sampler.draw(&mut random));
        }
        drop(sampler);
        Ok((sweep, drawn))
    });
    let (sweep, drawn) = worked?;
    let way = |codes: Vec<u8>| {
        let way = PyList::empty(py);
        let mut at = sweep.start;
        for (site, code) in codes.into_iter().enumerate() {
            let choices = sweep.choices(site, at);
            // The sampler draws what was offered.
            if let Some((choice, border)) = choices.get(usize::from(code)) {
                way.append(choice)?;
                at = *border;
            }
        }
        Ok(way)
    };
    drawn.into_iter().map(way).collect()
}
