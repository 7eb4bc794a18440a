//! Counting orbits without looking at them.

use num_bigint::BigUint;
use num_integer::Integer;
use num_traits::Zero;
use std::fmt;

/// Fixed points that do not add up to a multiple of the number of elements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotWhole {
    /// What the fixed points add up to.
    pub sum: BigUint,
    /// The number of elements.
    pub elements: u64,
}

impl fmt::Display for NotWhole {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let NotWhole { sum, elements } = self;
        if *elements == 0 {
            return write!(f, "there are no symmetries to average over, not even the identity");
        }
        write!(
            f,
            "the {elements} symmetries leave {sum} things as they are in all, which is no multiple \
             of {elements}: one of the counts is wrong, or the symmetries are not a group"
        )
    }
}

impl std::error::Error for NotWhole {}

/// The number of orbits: the average number of things that an element leaves
/// as they are. There is one number for every element of the group.
pub fn burnside(fixed: impl IntoIterator<Item = BigUint>) -> Result<BigUint, NotWhole> {
    let mut sum = BigUint::zero();
    let mut elements = 0_u64;
    for count in fixed {
        sum += count;
        elements += 1;
    }
    if elements == 0 {
        return Err(NotWhole { sum, elements });
    }
    let (orbits, rest) = sum.div_rem(&BigUint::from(elements));
    if rest.is_zero() { Ok(orbits) } else { Err(NotWhole { sum, elements }) }
}

#[cfg(test)]
mod tests {
    use super::super::{Group, Permutation, canonical};
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    /// Rotations of `beads` beads, and flips if asked for.
    fn necklaces(beads: usize, flips: bool) -> Group {
        let turn = Permutation::new((0..beads as u32).map(|i| (i + 1) % beads as u32));
        let flip = Permutation::new((0..beads as u32).rev());
        let mut generators = vec![turn.unwrap()];
        generators.extend(flips.then(|| flip.unwrap()));
        Group::from_generators(beads, generators, 1000).unwrap()
    }

    /// All colourings of the beads.
    fn colourings(beads: usize, colours: u8) -> Vec<Vec<u8>> {
        (0..beads).fold(vec![Vec::new()], |all, _| {
            all.into_iter()
                .flat_map(|some| (0..colours).map(move |c| [&some[..], &[c]].concat()))
                .collect()
        })
    }

    #[test]
    fn a_wrong_count_is_noticed() {
        let error = burnside([5_u32, 2].map(BigUint::from)).unwrap_err();
        assert_eq!(error, NotWhole { sum: 7_u32.into(), elements: 2 });
        assert!(error.to_string().contains("leave 7 things as they are"), "{error}");
        assert_eq!(burnside([]).unwrap_err().elements, 0);
    }

    #[test]
    fn large_counts_do_not_wrap() {
        let googol = BigUint::from(10_u32).pow(100);
        assert_eq!(burnside([googol.clone(), googol.clone()]), Ok(googol));
    }

    proptest! {
        #[test]
        fn three_ways_to_count_necklaces_agree(beads in 1..=7_usize, colours in 1..=3_u8, flips: bool) {
            let group = necklaces(beads, flips);
            prop_assert_eq!(
                group.size(),
                if flips && beads > 2 { 2 * beads } else { beads }
            );
            let all = colourings(beads, colours);
            let act = |p: &Permutation, x: &Vec<u8>| p.apply(x);

            let fixed = |p: &Permutation| all.iter().filter(|x| p.apply(x) == **x).count();
            let averaged = burnside(group.elements().map(|p| fixed(p).into())).unwrap();

            let forms: BTreeSet<_> = all
                .iter()
                .map(|x| canonical(group.elements().map(|p| p.apply(x))).unwrap().least)
                .collect();

            let mut seen = BTreeSet::new();
            let mut orbits = 0_u32;
            for x in &all {
                if !seen.contains(x) {
                    orbits += 1;
                    seen.extend(group.orbit(x, act));
                }
            }
            prop_assert_eq!(&averaged, &BigUint::from(orbits));
            prop_assert_eq!(&averaged, &BigUint::from(forms.len()));
            // The colourings that an element leaves as they are: one colour a cycle.
            for p in group.elements() {
                prop_assert_eq!(fixed(p), usize::from(colours).pow(p.cycles().len() as u32));
            }
        }
    }

    /// OEIS A000031 and A000029.
    #[test]
    fn necklaces_and_bracelets_of_two_colours() {
        for (flips, known) in
            [(false, [2, 3, 4, 6, 8, 14, 20, 36]), (true, [2, 3, 4, 6, 8, 13, 18, 30])]
        {
            for (beads, known) in (1..).zip(known) {
                let group = necklaces(beads, flips);
                let fixed =
                    group.elements().map(|p| BigUint::from(2_u32).pow(p.cycles().len() as u32));
                assert_eq!(burnside(fixed), Ok(BigUint::from(known as u32)));
            }
        }
    }
}
