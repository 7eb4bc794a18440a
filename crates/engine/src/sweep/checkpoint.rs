//! Counts that save themselves: all records of a sweep on its way, in the store of its run.
//!
//! A line of text, then *blocks* of little-endian 64-bit words: how many there are, a checksum,
//! and the words. The first block says what is counted, the second how far it has come. Each of
//! the others but the last holds some records: first those that are left to read at this site,
//! then those of the next layer, so far as it was made, where the same border may come several
//! times. The last block says how many there were. Nothing is believed: what does not fit
//! together, and what can be no border there, is refused.

use std::io::{self, BufReader, Read};

use super::Resumable;
use super::count::Reading;
use super::layer::{Layer, Means, Spreading};
use super::packed::{border_of, units_of};
use super::record::Format;
use crate::records::{Unusable, get, put};
use crate::run::Stop;
use crate::search::Part;
use crate::store::Store;

const HEAD: &[u8; 32] = b"pessoi sweep checkpoint 1\n\n\n\n\n\n\n";
/// What it is of.
const KIND: &str = "counting by a sweep";
/// Records of a block.
const RECORDS: usize = 4096;
/// Numbers beyond so many units are not believed: over a million decimal digits.
pub(super) const MOST_UNITS: u64 = 1 << 17;

/// Where a count saves itself.
pub(super) struct Checkpoint<'s> {
    store: &'s Store,
    part: Part,
    /// Everything that the count depends on.
    identity: Vec<u64>,
}

/// No site.
const NOWHERE: u64 = u64::MAX;

impl<'s> Checkpoint<'s> {
    pub(super) fn new<S: Resumable>(sweep: &S, part: Part, store: &'s Store) -> Self {
        let whole = [part.index(), part.of(), sweep.sites() as u64];
        let units = units_of::<S::Border>() as u64;
        let identity = whole.into_iter().chain([units]).chain(sweep.identity()).collect();
        Checkpoint { store, part, identity }
    }

    pub(super) fn shown(&self) -> String {
        self.store.shown()
    }

    /// Replaces what was saved.
    pub(super) fn save(&self, at: &Reading<'_>) -> io::Result<()> {
        self.store.save_with(|out| {
            out.write_all(HEAD)?;
            put(out, &self.identity)?;
            let (dealt, number) = at.dealt.map_or((NOWHERE, 0), |(at, n)| (at as u64, n));
            let mut words =
                vec![at.site as u64, dealt, number, at.spreading.unread(), at.spreading.dealt()];
            words.extend(&at.layers);
            put(out, &words)?;
            let mut blocks = 0u64;
            at.spreading.each(|is_next, format, units| {
                for some in units.chunks(RECORDS * format.stride()) {
                    let mut words = vec![u64::from(is_next)];
                    put_batch(format, some, &mut words);
                    put(out, &words)?;
                    blocks += 1;
                }
                Ok::<(), Failed>(())
            })?;
            put(out, &[blocks]).map(drop)
        })
    }

    /// What was saved; `None` if nothing was.
    pub(super) fn load<'m, S: Resumable>(
        &self,
        sweep: &S,
        means: &'m Means<'m>,
    ) -> Result<Option<Reading<'m>>, Unusable> {
        let file = self.store.reader().map_err(|error| Unusable::Unread(error.to_string()))?;
        let Some(file) = file else { return Ok(None) };
        let mut from = BufReader::new(file);
        let mut head = [0; HEAD.len()];
        if from.read_exact(&mut head).is_err() || head != *HEAD {
            return Err(Unusable::Foreign { kind: KIND });
        }
        if get(&mut from)? != self.identity {
            return Err(Unusable::Other { about: None });
        }
        let words = get(&mut from)?;
        let (&[site, dealt_at, dealt, left, made], layers) =
            words.split_first_chunk::<5>().ok_or(Unusable::Damaged)?;
        let fits = |at: u64| usize::try_from(at).ok().filter(|&at| at <= sweep.sites());
        let site = fits(site).ok_or(Unusable::Damaged)?;
        let dealt = match dealt_at {
            NOWHERE => None,
            at => Some((fits(at).filter(|&at| at <= site).ok_or(Unusable::Damaged)?, dealt)),
        };
        let handled = layers.iter().try_fold(0u64, |sum, &layer| sum.checked_add(layer));
        let is_dealt = dealt.is_some() || (site < sweep.sites() || self.part.is_whole());
        if layers.len() != site
            || handled.is_none()
            || !is_dealt
            || (dealt.is_some() && self.part.is_whole())
        {
            return Err(Unusable::Damaged);
        }
        // How many there are is only a guess at how the layers are best laid out.
        let mut building = Building { sweep, means, site, is_next: false };
        let mut spreading = Spreading::expecting::<S>(Layer::default(), left, means);
        let mut blocks = 0u64;
        loop {
            let words = get(&mut from)?;
            if words.len() == 1 {
                if words[0] != blocks {
                    return Err(Unusable::Damaged);
                }
                break;
            }
            blocks += 1;
            spreading = building.add(spreading, made, &words)?;
        }
        if from.read(&mut [0]).map_or(true, |more| more > 0) {
            return Err(Unusable::Damaged);
        }
        if !building.is_next {
            spreading = building.turned(spreading, made)?;
        }
        if site == sweep.sites() && spreading.dealt() > 0 {
            return Err(Unusable::Damaged);
        }
        Ok(Some(Reading { site, layers: layers.to_vec(), dealt, spreading, is_resumed: true }))
    }
}

/// The layers of a checkpoint on their way.
struct Building<'b, 'm, S> {
    sweep: &'b S,
    means: &'m Means<'m>,
    site: usize,
    is_next: bool,
}

impl<'m, S: Resumable> Building<'_, 'm, S> {
    /// What was dealt becomes what is read.
    fn turned(&mut self, mut from: Spreading<'m>, made: u64) -> Result<Spreading<'m>, Unusable> {
        self.is_next = true;
        let layer = from.gather()?;
        Ok(Spreading::expecting::<S>(layer, made, self.means))
    }

    /// Adds the records of a block.
    fn add(
        &mut self,
        mut to: Spreading<'m>,
        made: u64,
        words: &[u64],
    ) -> Result<Spreading<'m>, Unusable> {
        let (&is_next, words) = words.split_first().ok_or(Unusable::Damaged)?;
        let batch = Batch::read(words).filter(|_| is_next <= 1).ok_or(Unusable::Damaged)?;
        match (self.is_next, is_next == 1) {
            (true, false) => return Err(Unusable::Damaged),
            (false, true) => to = self.turned(to, made)?,
            _ => {}
        }
        if !batch.holds_borders(self.sweep, self.site + usize::from(self.is_next)) {
            return Err(Unusable::Damaged);
        }
        let is_next = self.is_next;
        let hopeless = |key: &[u32]| is_next && self.sweep.is_hopeless(self.site, &border_of(key));
        to.put(batch.format, &batch.units, |key| !hopeless(key))?;
        Ok(to)
    }
}

/// Records that came as words.
pub(super) struct Batch {
    pub(super) format: Format,
    pub(super) units: Vec<u32>,
}

/// Adds records as words: their format, how many units there are, and these.
pub(super) fn put_batch(format: Format, units: &[u32], words: &mut Vec<u64>) {
    words.reserve(3 + units.len().div_ceil(2));
    words.extend([format.key as u64, format.number as u64, units.len() as u64]);
    words.extend(
        units.chunks(2).map(|two| u64::from(two[0]) | u64::from(*two.get(1).unwrap_or(&0)) << 32),
    );
}

impl Batch {
    /// What [`put_batch`] wrote; `None` for other words.
    pub(super) fn read(words: &[u64]) -> Option<Self> {
        let (&[key, number, len], words) = words.split_first_chunk::<3>()?;
        let fits = (2..=MOST_UNITS).contains(&key)
            && (1..=MOST_UNITS).contains(&number)
            && len.div_ceil(2) == words.len() as u64;
        let format = Format { key: key as usize, number: number as usize };
        if !fits || !(len as usize).is_multiple_of(format.stride()) {
            return None;
        }
        let mut units: Vec<u32> =
            words.iter().flat_map(|&word| [word as u32, (word >> 32) as u32]).collect();
        units.truncate(len as usize);
        Some(Batch { format, units })
    }

    /// Whether all of them can be borders before a site, with numbers.
    pub(super) fn holds_borders<S: Resumable>(&self, sweep: &S, site: usize) -> bool {
        let whole = units_of::<S::Border>();
        let mut again = Vec::with_capacity(whole);
        self.format.key <= whole
            && self.units.chunks_exact(self.format.stride()).all(|record| {
                let (key, number) = record.split_at(self.format.key);
                let border: S::Border = border_of(key);
                again.clear();
                super::packed::put_key(super::packed::key(border).as_ref(), &mut again);
                let (same, rest) = again.split_at(key.len());
                same == key
                    && rest.iter().all(|&unit| unit == 0)
                    && number.iter().any(|&unit| unit != 0)
                    && sweep.is_border(site, &border)
            })
    }
}

/// What can go wrong while records are copied from the disk.
struct Failed(io::Error);

impl From<Stop> for Failed {
    fn from(stop: Stop) -> Self {
        Failed(io::Error::other(stop))
    }
}

impl From<io::Error> for Failed {
    fn from(error: io::Error) -> Self {
        Failed(error)
    }
}

impl From<Failed> for io::Error {
    fn from(Failed(error): Failed) -> Self {
        error
    }
}
