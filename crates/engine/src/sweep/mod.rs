//! Sweeping: counting by reading a thing site by site.
//!
//! A **sweep** reads its *sites* in a fixed order and makes one *choice* at each.
//! All that the choices made so far can still mean for those to come is the
//! **border**. Choices that lead to the same border have the same futures, so it
//! is enough to know how many ways lead to each border: a *layer* is the set of
//! borders after a site, each with its number of ways. (Others say frontier,
//! transfer matrix, or dynamic programming over a boundary.)
//!
//! - [`count`](mod@count): the exact number of complete ways;
//! - [`forecast`](mod@forecast): how large the layers will be, from the first of them;
//! - [`sample`]: complete ways drawn uniformly;
//! - [`rounds`]: the same for machines that share nothing;
//! - [`strip`]: things of any length, whose sites repeat column after column.
//!
//! Layers are sorted runs of records of fixed size, in memory, on disk and in checkpoints: a
//! border in as many words as it needs ([`Packed`]), and its number. A border of 60 bits with a
//! number below 2^32 takes 12 bytes. Two borders are the same only if they are equal.

mod checkpoint;
pub mod count;
pub mod forecast;
mod layer;
mod packed;
mod record;
pub mod rounds;
pub mod sample;
mod spilled;
pub mod strip;
mod table;

#[cfg(test)]
mod examples;
#[cfg(test)]
mod tests;

pub use count::{Counted, SweepError, count, count_part, count_saved};
pub use forecast::{Forecast, GLANCE, extrapolated, forecast};
pub use packed::Packed;
pub use rounds::InRounds;
pub use sample::Sampler;
pub use strip::{Strip, Transfer};

/// A thing read site by site.
pub trait Sweep: Sync {
    /// All that the part read so far can still say to the rest: a number, or some words.
    type Border: Packed;

    /// How many sites there are.
    fn sites(&self) -> usize;

    /// The border before the first site.
    fn start(&self) -> Self::Border;

    /// Offers every choice at `site` (from 0) after the border `at`, with a code
    /// that no other choice there has, and the border it leads to.
    fn choose(&self, site: usize, at: &Self::Border, offer: impl FnMut(u8, Self::Border));

    /// Whether a border after `site` surely leads to no complete thing. Such borders are
    /// not stored. It is asked about new borders only, so it may take its time; saying no
    /// is always right.
    fn is_hopeless(&self, _site: usize, _after: &Self::Border) -> bool {
        false
    }

    /// Whether a border after the last site is that of a complete thing.
    fn accepts(&self, last: &Self::Border) -> bool;
}

/// A sweep that can be saved and gone on with.
pub trait Resumable: Sweep {
    /// What tells it from every other sweep with such borders: all that
    /// [`choose`](Sweep::choose) depends on.
    fn identity(&self) -> Vec<u64>;

    /// Whether something that was read from a file can be a border before `site`, so that
    /// [`choose`](Sweep::choose) can be asked about it; or after the last, if `site` is their
    /// number.
    fn is_border(&self, site: usize, at: &Self::Border) -> bool;
}
