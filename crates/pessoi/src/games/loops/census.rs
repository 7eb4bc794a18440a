//! How symmetric loops are, and what follows for their numbers.
//!
//! The symmetries of the square that leave a loop as it is (up to translation) are one of
//! eight *types*. A class up to all symmetries holds 8 / (number of symmetries) loops that
//! translation alone tells apart, and two that rotation tells apart, unless a mirror is among
//! its symmetries. So the numbers of all kinds follow from the *census*: how many classes
//! there are of each type.

use crate::error::{Error, Result};

use super::moves::SYMMETRIES;
use super::task::Sameness;

/// The types: name, number of symmetries, whether there is a mirror among them.
pub(super) const TYPES: [(&str, u32, bool); 8] = [
    ("none", 1, false),
    ("half turn", 2, false),
    ("quarter turns", 4, false),
    ("mirror along a side", 2, true),
    ("mirror along a diagonal", 2, true),
    ("half turn and mirrors along the sides", 4, true),
    ("half turn and mirrors along the diagonals", 4, true),
    ("all of the square", 8, true),
];

/// The type of a loop with these symmetries, a bit for each.
pub(super) fn type_of(stabiliser: u8) -> usize {
    const QUARTER: u8 = 1 << 1;
    const HALF: u8 = 1 << 2;
    const SIDES: u8 = 1 << 5 | 1 << 7;
    const DIAGONALS: u8 = 1 << 4 | 1 << 6;
    match (stabiliser & QUARTER != 0, stabiliser & SIDES != 0, stabiliser & DIAGONALS != 0) {
        (true, false, _) => 2,
        (true, true, _) => 7,
        (false, false, false) => usize::from(stabiliser & HALF != 0),
        (false, true, _) => {
            if stabiliser & HALF != 0 {
                5
            } else {
                3
            }
        }
        (false, false, true) => {
            if stabiliser & HALF != 0 {
                6
            } else {
                4
            }
        }
    }
}

/// How many classes, up to all symmetries, there are of each type.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Census(pub(super) [u128; TYPES.len()]);

impl Census {
    pub(super) fn add(&mut self, stabiliser: u8) {
        self.0[type_of(stabiliser)] += 1;
    }

    pub(super) fn merge(&mut self, other: &Census) {
        for (own, more) in self.0.iter_mut().zip(other.0) {
            *own += more;
        }
    }

    /// How many loops there are, when these are the same.
    pub(super) fn number(&self, sameness: Sameness) -> u128 {
        let each = |(_, order, mirror): (&str, u32, bool)| match sameness {
            Sameness::Free => 1,
            Sameness::OneSided => {
                if mirror {
                    1
                } else {
                    2
                }
            }
            Sameness::Fixed => SYMMETRIES as u128 / u128::from(order),
        };
        self.0.iter().zip(TYPES).map(|(&classes, kind)| classes * each(kind)).sum()
    }

    /// From the number of loops up to translation, and how many of these have each type (of
    /// those with any symmetry).
    pub(super) fn from_fixed(all: u128, symmetric: [u128; TYPES.len()]) -> Result<Census> {
        let mut census = Census::default();
        let others: u128 = symmetric.iter().sum();
        let plain = all
            .checked_sub(others)
            .ok_or_else(|| Error::internal(format!("{others} of {all} loops are symmetric")))?;
        for (kind, classes) in census.0.iter_mut().enumerate() {
            let loops = if kind == 0 { plain } else { symmetric[kind] };
            *classes = divided(loops * u128::from(TYPES[kind].1), SYMMETRIES as u128)?;
        }
        Ok(census)
    }
}

/// A division that must come out even.
pub(super) fn divided(number: u128, by: u128) -> Result<u128> {
    if number.is_multiple_of(by) {
        return Ok(number / by);
    }
    Err(Error::internal(format!("{number} is not divisible by {by}, but must be")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_subgroup_has_its_type() {
        use super::super::moves::product;
        let mut seen = [false; TYPES.len()];
        let mut subgroups = 0;
        for bits in (1..=255u8).filter(|bits| bits & 1 == 1) {
            let has = |symmetry: usize| bits >> symmetry & 1 == 1;
            let own: Vec<usize> = (0..SYMMETRIES).filter(|&s| has(s)).collect();
            if own.iter().all(|&a| own.iter().all(|&b| has(product(a, b)))) {
                subgroups += 1;
                let kind = type_of(bits);
                seen[kind] = true;
                assert_eq!(TYPES[kind].1, bits.count_ones());
                assert_eq!(TYPES[kind].2, bits & 0xf0 != 0);
            }
        }
        assert_eq!((subgroups, seen), (10, [true; TYPES.len()]));
    }

    #[test]
    fn divisions_must_come_out_even() {
        assert_eq!(divided(12, 4), Ok(3));
        assert!(divided(13, 4).unwrap_err().to_string().contains("13"));
    }
}
