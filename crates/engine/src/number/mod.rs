//! Exact numbers from residues, and what sequences of them obey.
//!
//! A large count is found modulo a few *primes* just below 2^61 and put
//! together again; a sequence of counts is asked for the *recurrence* it obeys,
//! and the recurrence for how fast the sequence *grows*.
//!
//! | file | idea |
//! |---|---|
//! | [`modular`] | arithmetic modulo a 61-bit prime; which numbers are prime |
//! | [`remainders`] | Chinese remainders, with a prime to spare that must agree |
//! | [`mod@rational`] | a fraction from one residue |
//! | [`berlekamp_massey`] | the shortest recurrence of a sequence modulo a prime |
//! | [`recurrence`] | the shortest recurrence of a sequence of integers, proved on all its terms |
//! | [`mod@growth`] | the largest positive root of a polynomial, to any number of digits |
//! | [`large`] | floats without a largest one |
//!
//! Except in [`large`], nothing is rounded and nothing is only likely: what is returned is
//! proved from what was given, and each file explains how. What can take long takes a
//! [`Run`](crate::run::Run) and can be cancelled; [`exact`] takes time of the order of the square
//! of the number of primes and takes no run.

pub mod berlekamp_massey;
pub mod growth;
pub mod large;
pub mod modular;
mod polynomial;
pub mod rational;
pub mod recurrence;
pub mod remainders;

pub use berlekamp_massey::{Shortest, shortest};
pub use growth::{Root, growth, largest_root};
pub use large::Large;
pub use modular::{Modulus, is_prime, primes};
pub use rational::rational;
pub use recurrence::{FindError, NoRecurrence, Recurrence};
pub use remainders::{RemainderError, combine, exact};
