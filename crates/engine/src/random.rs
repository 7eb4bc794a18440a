//! Reproducible randomness: a seed and a stream number give one sequence.
//!
//! Work that is spread over threads takes one *stream* for each piece, so that
//! the result depends on the seed and never on who did which piece. This is the
//! only file that knows which generator is used (xoshiro256++, by Blackman and
//! Vigna, period 2^256 − 1).

use num_bigint::BigUint;
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// A sequence of random numbers.
#[derive(Clone, Debug)]
pub struct Random(Xoshiro256PlusPlus);

impl Random {
    /// The sequence number `stream` of `seed`.
    pub fn new(seed: u64, stream: u64) -> Self {
        // The generator spreads a 64-bit seed itself (SplitMix64); multiplying by
        // an odd constant keeps different (seed, stream) pairs apart in practice.
        let mixed = seed ^ stream.wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(17);
        Random(Xoshiro256PlusPlus::seed_from_u64(mixed))
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number in `0..n`, each with the same chance; 0 if `n` is 0.
    pub fn below(&mut self, n: u64) -> u64 {
        if n == 0 {
            return 0;
        }
        // Numbers from the incomplete last round of multiples of n are drawn again.
        let whole = u64::MAX - (u64::MAX % n + 1) % n;
        loop {
            let drawn = self.bits();
            if drawn <= whole {
                return drawn % n;
            }
        }
    }

    /// A number in `0.0..1.0`.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A number in `0..n`, each with the same chance; 0 if `n` is 0.
    pub fn below_big(&mut self, n: &BigUint) -> BigUint {
        let bits = n.bits();
        if bits == 0 {
            return BigUint::ZERO;
        }
        let words = bits.div_ceil(32) as usize;
        let spare = (words as u64 * 32 - bits) as u32;
        loop {
            let mut digits: Vec<u32> = (0..words).map(|_| self.bits() as u32).collect();
            if let Some(top) = digits.last_mut() {
                *top >>= spare;
            }
            let drawn = BigUint::new(digits);
            if drawn < *n {
                return drawn;
            }
        }
    }

    /// Puts the items in random order, each order with the same chance.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last as u64 + 1) as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_and_stream_give_one_sequence() {
        let draw = |seed, stream| Random::new(seed, stream).bits();
        assert_eq!(draw(1, 2), draw(1, 2));
        assert_ne!(draw(1, 2), draw(1, 3));
        assert_ne!(draw(1, 2), draw(2, 2));
    }

    #[test]
    fn all_numbers_below_occur_about_equally_often() {
        let mut random = Random::new(5, 0);
        let n = BigUint::from(7u32);
        let mut seen = [[0u32; 7]; 2];
        for _ in 0..14_000 {
            seen[0][random.below(7) as usize] += 1;
            let big: u64 = random.below_big(&n).try_into().unwrap();
            seen[1][big as usize] += 1;
        }
        // Six standard deviations of a binomial(14000, 1/7) are about 250.
        assert!(seen.iter().flatten().all(|&k| k.abs_diff(2000) < 250), "{seen:?}");
        assert_eq!(random.below(1), 0);
        assert!((0..1000).all(|_| random.unit() < 1.0));
    }

    #[test]
    fn shuffling_keeps_the_items() {
        let mut items: Vec<u32> = (0..50).collect();
        Random::new(1, 1).shuffle(&mut items);
        assert_ne!(items, (0..50).collect::<Vec<_>>());
        items.sort_unstable();
        assert_eq!(items, (0..50).collect::<Vec<_>>());
    }
}
