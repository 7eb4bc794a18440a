//! Golden values of the paper, and engines against each other.

use num_bigint::BigUint;
use pessoi_engine::run::Run;

use super::count::{self, Engine, by_sweep, lengths, rectangle};
use super::points::Points;
use crate::board::Board;

fn total(height: usize, length: usize, engine: Engine) -> BigUint {
    rectangle(height, length, engine, None, &Run::default()).unwrap().total
}

/// Table 3.
const SQUARES: [&str; 12] = [
    "1",
    "57",
    "12675",
    "24318165",
    "414295148741",
    "62567386502084877",
    "83677847847984287628595",
    "990966953618170260281935463385",
    "103919148791293834318983090438798793469",
    "96498428501909654589630887978835098088148177857",
    "793474866816582266820936671790189132321673383112185151899",
    "57774258489513238998237970307483999327287210756991189655942651331169",
];

#[test]
fn squares_of_table_3() {
    for n in 4..=10 {
        assert_eq!(total(n, n, Engine::Matrix).to_string(), SQUARES[n - 1], "{n}");
    }
    for n in 1..=7 {
        assert_eq!(total(n, n, Engine::Table).to_string(), SQUARES[n - 1], "{n}");
        assert_eq!(total(n, n, Engine::Sweep).to_string(), SQUARES[n - 1], "{n}");
    }
}
