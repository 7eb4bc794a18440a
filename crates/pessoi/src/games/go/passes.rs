//! Exact numbers from several passes, each modulo another number.
//!
//! There are 3^(mn) colourings, so residues modulo numbers whose product is larger know the
//! count; one prime more is counted with and must agree. Primes are the largest that the engine
//! can add without overflow ([`super::ring`]). A pass modulo 2^64 adds nothing but its 64 bits,
//! and is made if that saves a pass: then L = r + 2^64 q, and primes are needed for q only.

use num_bigint::BigUint;

use super::ring;
use crate::error::{Error, Result};
use pessoi_engine::number::{Modulus, combine, exact};

/// The moduli to count a number below `below` with, one to spare; 0 is 2^64.
pub(super) fn moduli(below: &BigUint, growth: u64) -> Result<Vec<u64>> {
    let primes = enough(below, growth)?;
    let with_wrap = enough(&quotient_below(below), growth)?;
    Ok(if with_wrap.len() + 1 < primes.len() { [vec![0], with_wrap].concat() } else { primes })
}

/// What q is below if r + 2^64 q is below `below`.
fn quotient_below(below: &BigUint) -> BigUint {
    ((below - 1u8) >> 64u8) + 1u8
}

/// The largest primes that may grow so much: enough for numbers below `below`, and one to spare.
fn enough(below: &BigUint, growth: u64) -> Result<Vec<u64>> {
    let mut product = BigUint::from(1u8);
    let mut found = Vec::new();
    for modulus in ring::primes(growth) {
        // Even without the largest the others must do.
        if !found.is_empty() {
            product *= modulus.prime();
        }
        found.push(modulus.prime());
        if found.len() > 1 && product >= *below {
            return Ok(found);
        }
    }
    Err(Error::internal("there are not enough primes"))
}

/// A modulus as a number; 0 is 2^64.
pub(super) fn whole(modulus: u64) -> BigUint {
    if modulus == 0 { BigUint::from(1u8) << 64u8 } else { modulus.into() }
}

/// What is known of a number that has these residues, as one: the remainder, and the modulus,
/// which is the product of all.
pub(super) fn one_residue(residues: &[(u64, u64)]) -> Result<(BigUint, BigUint)> {
    let (wrap, primes) = split(residues)?;
    let product = residues.iter().map(|&(modulus, _)| whole(modulus)).product();
    let quotient = combine(&primes);
    Ok((wrap.map_or(quotient.clone(), |wrap| (quotient << 64u8) + wrap), product))
}

fn wrong(why: &dyn ToString) -> Error {
    Error::internal(why.to_string())
}

/// A residue modulo 2^64, if it is there; then the other residues are those of q.
type Split = (Option<u64>, Vec<(Modulus, u64)>);

fn split(residues: &[(u64, u64)]) -> Result<Split> {
    let wrap = residues.iter().find(|(modulus, _)| *modulus == 0).map(|&(_, residue)| residue);
    let mut primes = Vec::with_capacity(residues.len());
    for &(prime, residue) in residues.iter().filter(|(modulus, _)| *modulus != 0) {
        let modulus = Modulus::new(prime).ok_or_else(|| wrong(&"a modulus that is no prime"))?;
        let residue = match wrap {
            None => residue,
            Some(wrap) => {
                let two = modulus.reduce_big(&(BigUint::from(1u8) << 64u8).into());
                let inverse = modulus.inverse(two).ok_or_else(|| wrong(&"an even prime"))?;
                modulus.mul(modulus.sub(modulus.reduce(residue), modulus.reduce(wrap)), inverse)
            }
        };
        primes.push((modulus, residue));
    }
    Ok((wrap, primes))
}

/// The number below `below` that has these residues.
pub(super) fn together(residues: &[(u64, u64)], below: &BigUint) -> Result<BigUint> {
    let (wrap, primes) = split(residues)?;
    match wrap {
        None => exact(&primes, below).map_err(|error| wrong(&error)),
        Some(wrap) => {
            let quotient = exact(&primes, &quotient_below(below)).map_err(|error| wrong(&error))?;
            let whole = (quotient << 64u8) + wrap;
            if whole < *below { Ok(whole) } else { Err(wrong(&"a number above its bound")) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back_and_one_wrong_residue_is_noticed() {
        for (bits, growth) in [(50u32, 1000u64), (127, 40), (128, 40), (240, 1 << 10), (400, 70)] {
            let below = BigUint::from(3u8) << bits;
            let number = &below - 12_345u32;
            let moduli = moduli(&below, growth).unwrap();
            let residue = |modulus: u64| u64::try_from(&number % whole(modulus)).unwrap();
            let mut residues: Vec<(u64, u64)> = moduli.iter().map(|&m| (m, residue(m))).collect();
            assert_eq!(together(&residues, &below).unwrap(), number, "{bits}");
            for some in 1..=residues.len() {
                let (known, product) = one_residue(&residues[..some]).unwrap();
                assert_eq!(known, &number % product, "{bits} {some}");
            }
            for at in 0..residues.len() {
                residues[at].1 ^= 1 << 7;
                assert!(together(&residues, &below).is_err(), "{bits} {at}");
                residues[at].1 ^= 1 << 7;
            }
            // No pass could be left out.
            let primes = enough(&below, growth).unwrap();
            let with_wrap = 1 + enough(&quotient_below(&below), growth).unwrap().len();
            assert_eq!(moduli.len(), primes.len().min(with_wrap));
            assert_eq!(moduli.contains(&0), with_wrap < primes.len());
        }
    }
}
