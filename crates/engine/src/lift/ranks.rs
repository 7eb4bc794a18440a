//! Numbering permutations so that gains can be applied by table.
//!
//! Permutations are numbered in lexicographic order; if only even ones occur, by half that
//! number, because of two neighbours 2i and 2i + 1, which differ in their last two places,
//! exactly one is even. The places are cut in two: the **high** ones come first, the
//! **low** ones (7 at most) last. All permutations with the same high part stand together
//! and are a **chunk**; within it a low part is given by its *arrangement*, the order of the
//! values whatever they are.
//!
//! Applying a gain to a whole chunk needs no ranking. The new low arrangement depends only
//! on the old one and on where the few values that come down from the high places stand
//! among the low values. For each such standing there is one **slice**, a table over all
//! low arrangements: the new arrangement, and which values go up. The latter select one of
//! a few target chunks. So a step costs a look-up or two, and all targets of a chunk under
//! one gain lie in a few chunks, which fit into the cache.

/// The most low places: 7! arrangements fit in 13 bits.
const LOW: usize = 7;
/// Where in an entry of a slice the values that go up are stored.
const UP: u32 = 13;
/// Gains that exchange more values between high and low places get no slices.
const MOST_EXCHANGED: usize = 2;

/// How permutations are numbered.
#[derive(Clone, Debug)]
pub(super) struct Ranks {
    places: usize,
    low: usize,
    high: usize,
    /// Whether only even permutations have numbers.
    is_halved: bool,
    /// The low arrangements of a chunk, by the parity of its high part.
    arrangements: [Vec<Vec<u8>>; 2],
    /// Permutations in a chunk.
    pub(super) chunk: usize,
    pub(super) chunks: usize,
}

/// The high part that a chunk stands for.
pub(super) struct High {
    values: Vec<u8>,
    /// The other values, sorted.
    rest: Vec<u8>,
    is_odd: bool,
}

/// A gain, ready to be applied to chunks.
#[derive(Clone, Debug)]
pub(super) struct Step {
    gain: Vec<u8>,
    /// High places whose values come down.
    down: Vec<usize>,
    /// High places that get a low value.
    up: Vec<usize>,
    /// By parity and standing; empty if there are no slices.
    slices: Vec<Box<[u32]>>,
}

impl Step {
    /// Bytes of its slices.
    pub(super) fn bytes(&self) -> u64 {
        self.slices.iter().map(|slice| 4 * slice.len() as u64).sum()
    }
}

/// Where the permutations of one chunk go under a gain.
pub(super) enum Targets<'s> {
    /// By look-up: an entry for each, and the first number of each target chunk.
    Slice { entries: &'s [u32], firsts: Vec<usize> },
    /// By ranking.
    Ranked,
}

impl Ranks {
    /// For the permutations of some places, or the even ones only.
    pub(super) fn new(places: usize, only_even: bool) -> Self {
        // Two high places at least, so that there are chunks to share out.
        let low = places.saturating_sub(2).clamp(2, LOW).min(places);
        let is_halved = only_even && places >= 2;
        let mut arrangements = [Vec::new(), Vec::new()];
        let mut arrangement: Vec<u8> = (0..low as u8).collect();
        loop {
            let parity = usize::from(is_halved && is_odd(&arrangement));
            arrangements[parity].push(arrangement.clone());
            if !next_arrangement(&mut arrangement) {
                break;
            }
        }
        if !is_halved {
            let [all, same] = &mut arrangements;
            same.clone_from(all);
        }
        let high = places - low;
        let chunks = (low + 1..=places).product();
        Ranks { places, low, high, is_halved, chunk: arrangements[0].len(), arrangements, chunks }
    }

    /// How many numbers there are; `None` if too many to count.
    pub(super) fn count(places: usize, only_even: bool) -> Option<u64> {
        let all = (1..=places as u64).try_fold(1u64, u64::checked_mul)?;
        Some(if only_even && places >= 2 { all / 2 } else { all })
    }

    pub(super) fn high(&self, chunk: usize) -> High {
        let mut rest: Vec<u8> = (0..self.places as u8).collect();
        let (mut left, mut size, mut is_odd) = (chunk, self.chunks, false);
        let mut values = Vec::with_capacity(self.high);
        for place in 0..self.high {
            size /= self.places - place;
            let digit = left / size;
            left %= size;
            is_odd ^= digit % 2 == 1;
            values.push(rest.remove(digit));
        }
        High { values, rest, is_odd }
    }

    /// The permutation of a number.
    pub(super) fn permutation(&self, number: usize) -> Vec<u8> {
        let High { mut values, rest, is_odd } = self.high(number / self.chunk);
        let arrangement = &self.arrangements[usize::from(is_odd)][number % self.chunk];
        values.extend(arrangement.iter().map(|&k| rest[k as usize]));
        values
    }

    /// The number of a permutation of up to 64 places that has one.
    pub(super) fn number(&self, permutation: impl Iterator<Item = u8>) -> usize {
        let mut unused = u64::MAX;
        let mut number = 0;
        for (place, value) in permutation.enumerate() {
            let below = unused & ((1 << value) - 1);
            number = number * (self.places - place) + below.count_ones() as usize;
            unused &= !(1 << value);
        }
        if self.is_halved { number / 2 } else { number }
    }

    /// The number of a permutation of a chunk, after a gain.
    pub(super) fn ranked(&self, high: &High, index: usize, step: &Step) -> usize {
        let arrangement = &self.arrangements[usize::from(high.is_odd)][index];
        let value = |place: usize| match place.checked_sub(self.high) {
            None => high.values[place],
            Some(low) => high.rest[arrangement[low] as usize],
        };
        self.number(step.gain.iter().map(|&place| value(place as usize)))
    }

    /// A gain made ready. Slices are made if they take no more than `most_bytes`.
    pub(super) fn step(&self, gain: Vec<u8>, most_bytes: u64) -> Step {
        let is_high = |place: usize| place < self.high;
        let sources = |to_high: bool| {
            let places = gain.iter().map(|&from| from as usize).enumerate();
            places.filter(move |&(to, from)| is_high(to) == to_high && is_high(from) != to_high)
        };
        let mut down: Vec<usize> = sources(false).map(|(_, from)| from).collect();
        down.sort_unstable();
        let up: Vec<usize> = sources(true).map(|(to, _)| to).collect();
        let mut step = Step { gain, down, up, slices: Vec::new() };
        if step.down.len() <= MOST_EXCHANGED && self.slice_bytes(&step) <= most_bytes {
            let standings = self.standings(&step);
            for parity in 0..if self.is_halved { 2 } else { 1 } {
                for standing in 0..standings {
                    step.slices.push(self.slice(&step, parity, standing));
                }
            }
        }
        step
    }

    /// Bytes that the slices of a gain take.
    pub(super) fn slice_bytes(&self, step: &Step) -> u64 {
        let parities = if self.is_halved { 2 } else { 1 };
        (4 * parities * self.standings(step) * self.chunk) as u64
    }

    /// How many standings are told apart: the places of the values that come down, in
    /// the sorted list of these and the low values.
    fn standings(&self, step: &Step) -> usize {
        (self.low + step.down.len()).pow(step.down.len() as u32)
    }

    fn slice(&self, step: &Step, parity: usize, standing: usize) -> Box<[u32]> {
        let merged = self.low + step.down.len();
        let mut taken = Vec::with_capacity(step.down.len());
        let mut left = standing;
        for _ in &step.down {
            taken.push(left % merged);
            left /= merged;
        }
        if taken.len() == 2 && taken[0] == taken[1] {
            // Two values never stand in one place.
            return Box::default();
        }
        let free: Vec<u8> =
            (0..merged).filter(|place| !taken.contains(place)).map(|place| place as u8).collect();
        let entry = |arrangement: &Vec<u8>| {
            let value = |from: usize| {
                if let Some(low) = from.checked_sub(self.high) {
                    return free[arrangement[low] as usize];
                }
                // What goes to a low place from a high one is listed.
                let which = step.down.iter().position(|&place| place == from);
                which.map_or(0, |which| taken[which] as u8)
            };
            let mut unused = (1u32 << merged) - 1;
            for &to in &step.up {
                unused &= !(1 << free[arrangement[step.gain[to] as usize - self.high] as usize]);
            }
            let low = step.gain[self.high..].iter().map(|&from| value(from as usize));
            let number = low.enumerate().fold(0, |number, (k, value)| {
                unused &= !(1 << value);
                let smaller = (unused & ((1 << value) - 1)).count_ones() as usize;
                number * (self.low - k) + smaller
            });
            let number = if self.is_halved { number / 2 } else { number };
            let up = step.up.iter().fold(0, |code, &to| {
                let from = step.gain[to] as usize - self.high;
                code * self.low + arrangement[from] as usize
            });
            number as u32 | (up as u32) << UP
        };
        self.arrangements[parity].iter().map(entry).collect()
    }

    /// Where a chunk goes under a gain.
    pub(super) fn targets<'s>(&self, high: &High, step: &'s Step) -> Targets<'s> {
        if step.slices.is_empty() {
            return Targets::Ranked;
        }
        let merged = self.low + step.down.len();
        let mut standing = 0;
        for &place in step.down.iter().rev() {
            let value = high.values[place];
            let lower = high.rest.iter().filter(|&&other| other < value).count();
            let down = step.down.iter().filter(|&&other| high.values[other] < value).count();
            standing = standing * merged + lower + down;
        }
        let parity = usize::from(self.is_halved && high.is_odd);
        let entries = &step.slices[parity * self.standings(step) + standing];
        let first = |code: usize| {
            let mut left = code;
            let mut values = vec![0u8; self.high];
            for &to in step.up.iter().rev() {
                values[to] = high.rest[left % self.low];
                left /= self.low;
            }
            for (to, value) in values.iter_mut().enumerate() {
                let from = step.gain[to] as usize;
                if from < self.high {
                    *value = high.values[from];
                }
            }
            let mut unused = u64::MAX;
            let mut number = 0;
            for (place, value) in values.into_iter().enumerate() {
                let below = unused & ((1 << value) - 1);
                number = number * (self.places - place) + below.count_ones() as usize;
                unused &= !(1 << value);
            }
            number * self.chunk
        };
        let codes = self.low.pow(step.up.len() as u32);
        Targets::Slice { entries, firsts: (0..codes).map(first).collect() }
    }
}

/// The number that an entry of a slice means.
#[inline]
pub(super) fn target(entry: u32, firsts: &[usize]) -> usize {
    let (code, number) = split(entry);
    firsts[code] + number
}

/// The same in two: which of the target chunks, and the number within it.
#[inline]
pub(super) fn split(entry: u32) -> (usize, usize) {
    ((entry >> UP) as usize, (entry & ((1 << UP) - 1)) as usize)
}

fn is_odd(arrangement: &[u8]) -> bool {
    let later = |k: usize| arrangement[k + 1..].iter().filter(|&&v| v < arrangement[k]).count();
    (0..arrangement.len()).map(later).sum::<usize>() % 2 == 1
}

/// The next one in lexicographic order, if there is one.
fn next_arrangement(items: &mut [u8]) -> bool {
    let Some(rise) = items.windows(2).rposition(|pair| pair[0] < pair[1]) else { return false };
    let Some(swap) = items.iter().rposition(|item| *item > items[rise]) else { return false };
    items.swap(rise, swap);
    items[rise + 1..].reverse();
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn numbers_and_permutations_match() {
        for places in 0..=7 {
            for only_even in [false, true] {
                let ranks = Ranks::new(places, only_even);
                let count = ranks.chunk * ranks.chunks;
                assert_eq!(Some(count as u64), Ranks::count(places, only_even));
                for number in 0..count {
                    let permutation = ranks.permutation(number);
                    assert_eq!(ranks.number(permutation.iter().copied()), number);
                    assert!(!only_even || !is_odd(&permutation));
                }
            }
        }
    }

    /// Every gain of many, on some chunks: by slices as by ranking.
    #[test]
    fn slices_agree_with_ranking() {
        let mut random = Random::new(7, 0);
        for places in [2usize, 5, 9, 10] {
            for only_even in [false, true] {
                let ranks = Ranks::new(places, only_even);
                for _ in 0..30 {
                    // A few exchanges, so that few values change between high and low.
                    let mut gain: Vec<u8> = (0..places as u8).collect();
                    for _ in 0..2 {
                        let [a, b] = [0, 0].map(|_| random.below(places as u64) as usize);
                        gain.swap(a, b);
                    }
                    if only_even && is_odd(&gain) {
                        gain.swap(0, places - 1);
                    }
                    let step = ranks.step(gain.clone(), u64::MAX);
                    let chunk = random.below(ranks.chunks as u64) as usize;
                    let high = ranks.high(chunk);
                    let targets = ranks.targets(&high, &step);
                    for index in (0..ranks.chunk).step_by(7) {
                        let old = ranks.permutation(chunk * ranks.chunk + index);
                        let new = ranks.number(gain.iter().map(|&from| old[from as usize]));
                        assert_eq!(ranks.ranked(&high, index, &step), new);
                        if let Targets::Slice { entries, firsts } = &targets {
                            assert_eq!(target(entries[index], firsts), new);
                        }
                    }
                }
            }
        }
    }
}
