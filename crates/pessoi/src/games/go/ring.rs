//! What is counted with: whole numbers modulo 2^64, a prime just below a power of two, or any
//! number.
//!
//! Elements are added without reduction while a span of points is read
//! ([`super::phase`]), and a row is reduced when it is written at the end of the span. How much
//! an element can grow in between is known, and moduli are chosen so that nothing passes 2^64.
//!
//! Modulo 2^64 nothing is reduced at all. Modulo p = 2^k - c the upper bits of x = u 2^k + v are
//! worth c each, so x becomes v + c u, which is below 2^k + c 2^(64-k): not always below p, but
//! near enough, and two instructions on whole vectors. Other numbers are divided by P. Barrett's
//! reduction.

use pessoi_engine::number::Modulus;

/// The numbers that elements are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ring {
    /// Modulo 2^64.
    Wrap,
    /// Modulo the prime 2^`bits` - `short`.
    Near { bits: u32, short: u32 },
    /// Modulo any number; with 2^64 divided by it.
    Any { modulus: u64, reciprocal: u64 },
}

impl Ring {
    /// The ring of a modulus; 0 is 2^64.
    pub(super) fn new(modulus: u64) -> Ring {
        if modulus == 0 {
            return Ring::Wrap;
        }
        let bits = 64 - (modulus - 1).leading_zeros();
        if (32..64).contains(&bits)
            && let Ok(short) = u32::try_from((1u64 << bits) - modulus)
            && short < 1 << 16
        {
            return Ring::Near { bits, short };
        }
        Ring::Any { modulus, reciprocal: ((1u128 << 64) / u128::from(modulus)) as u64 }
    }

    /// No element is above this when it was reduced.
    pub(super) fn most(self) -> u64 {
        match self {
            Ring::Wrap => u64::MAX,
            Ring::Near { bits, short } => (1 << bits) - 1 + (u64::from(short) << (64 - bits)),
            Ring::Any { modulus, .. } => modulus - 1,
        }
    }

    /// Whether sums of so many elements are right.
    pub(super) fn holds(self, growth: u64) -> bool {
        self == Ring::Wrap || self.most().checked_mul(growth).is_some()
    }

    /// Reduces elements.
    pub(super) fn reduce(self, elements: &mut [u64]) {
        match self {
            Ring::Wrap => {}
            Ring::Near { bits, short } => {
                let mask = (1u64 << bits) - 1;
                for x in elements {
                    // Both factors have 32 bits: vectors can multiply them.
                    *x = (*x & mask) + u64::from((*x >> bits) as u32) * u64::from(short);
                }
            }
            Ring::Any { modulus, reciprocal } => {
                for x in elements {
                    // The quotient is right or one too small.
                    let quotient = ((u128::from(*x) * u128::from(reciprocal)) >> 64) as u64;
                    let rest = *x - quotient * modulus;
                    // Below the modulus the difference wraps to something huge.
                    *x = rest.min(rest.wrapping_sub(modulus));
                }
            }
        }
    }

    /// One element, reduced.
    fn reduced(self, element: u64) -> u64 {
        let mut one = [element];
        self.reduce(&mut one);
        one[0]
    }

    /// The residue of a sum.
    pub(super) fn residue(self, sum: u128) -> u64 {
        match self {
            Ring::Wrap => sum as u64,
            Ring::Near { bits, short } => {
                (sum % u128::from((1u64 << bits) - u64::from(short))) as u64
            }
            Ring::Any { modulus, .. } => (sum % u128::from(modulus)) as u64,
        }
    }
}

/// The rings of the lanes of an element: numbers that are counted at once, each modulo another.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rings<const LANES: usize> {
    each: [Ring; LANES],
    /// How all are reduced in the same way, if they are: bits, masks, and what primes are short
    /// of. Modulo 2^64 all bits stay, and what is above is worth nothing.
    alike: Option<(u32, [u64; LANES], [u32; LANES])>,
}

impl<const LANES: usize> Rings<LANES> {
    /// The rings of some moduli; 0 is 2^64.
    pub(super) fn new(moduli: [u64; LANES]) -> Self {
        let each = moduli.map(Ring::new);
        let bits = each.iter().find_map(|ring| match ring {
            Ring::Near { bits, .. } => Some(*bits),
            _ => None,
        });
        let is_alike = |ring: &Ring| match ring {
            Ring::Wrap => true,
            Ring::Near { bits: own, .. } => Some(*own) == bits,
            Ring::Any { .. } => false,
        };
        let alike = bits.filter(|_| each.iter().all(is_alike)).map(|bits| {
            let masks =
                each.map(|ring| if ring == Ring::Wrap { u64::MAX } else { (1 << bits) - 1 });
            let shorts = each.map(|ring| match ring {
                Ring::Near { short, .. } => short,
                _ => 0,
            });
            (bits, masks, shorts)
        });
        Rings { each, alike }
    }

    /// No element is above this when it was reduced.
    pub(super) fn most(&self) -> [u64; LANES] {
        self.each.map(Ring::most)
    }

    /// Reduces elements.
    pub(super) fn reduce(&self, elements: &mut [[u64; LANES]]) {
        if LANES == 1 {
            return self.each[0].reduce(elements.as_flattened_mut());
        }
        if let Some((bits, masks, shorts)) = self.alike {
            for element in elements {
                for lane in 0..LANES {
                    let x = element[lane];
                    let above = u64::from((x >> bits) as u32) * u64::from(shorts[lane]);
                    element[lane] = (x & masks[lane]) + above;
                }
            }
            return;
        }
        for element in elements {
            for (x, ring) in element.iter_mut().zip(self.each) {
                *x = ring.reduced(*x);
            }
        }
    }

    /// The residues of sums.
    pub(super) fn residues(&self, sums: [u128; LANES]) -> [u64; LANES] {
        std::array::from_fn(|lane| self.each[lane].residue(sums[lane]))
    }
}

/// The largest primes, in order, whose elements may grow so much.
pub(super) fn primes(growth: u64) -> impl Iterator<Item = Modulus> {
    // Below a power of two, and such that what is not wholly reduced still fits.
    let bits = (u64::MAX / growth.max(1)).ilog2().min(61);
    let from = 1u64 << bits;
    (3..from).rev().filter_map(Modulus::new).filter(move |p| Ring::new(p.prime()).holds(growth))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn sums_are_reduced_rightly(
            growth in 1u64..1 << 24,
            which in 0usize..4,
            elements in proptest::collection::vec(any::<u64>(), 1..20),
            other in 2u64..1 << 40,
        ) {
            let prime = primes(growth).nth(which).unwrap().prime();
            for modulus in [0, prime, other] {
                let ring = Ring::new(modulus);
                prop_assert!(ring.holds(growth) || modulus == other);
                let mut reduced = elements.clone();
                ring.reduce(&mut reduced);
                for (&x, &r) in elements.iter().zip(&reduced) {
                    prop_assert!(r <= ring.most());
                    prop_assert_eq!(ring.residue(x.into()), ring.residue(r.into()));
                    if modulus > 0 {
                        prop_assert_eq!(ring.residue(x.into()), x % modulus);
                    }
                }
            }
            // Lanes are reduced as their rings would.
            let next = primes(growth).nth(which + 1).unwrap().prime();
            for moduli in [[0, prime, next], [prime, next, 0], [0, 0, 0], [next, other, 0]] {
                let rings = Rings::new(moduli);
                let mut reduced: Vec<[u64; 3]> = elements.iter().map(|&x| [x; 3]).collect();
                rings.reduce(&mut reduced);
                for (&x, lanes) in elements.iter().zip(&reduced) {
                    for (lane, &modulus) in moduli.iter().enumerate() {
                        prop_assert_eq!(lanes[lane], Ring::new(modulus).reduced(x));
                        prop_assert!(lanes[lane] <= rings.most()[lane]);
                    }
                }
            }
        }
    }
}
