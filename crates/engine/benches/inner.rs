//! What the inner loops cost, one at a time: `cargo bench -p pessoi-engine`.
//!
//! Each example is as small as it can be, so that the engine's own work is what is
//! measured: how many independent sets a board has (sweep), the queens' puzzle (search),
//! sorting by reversing a beginning (explore). Whole questions are compared by
//! `bench/all.py`.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use num_bigint::BigUint;
use pessoi_engine::explore::{StateSpace, layers};
use pessoi_engine::ledger::Chapter;
use pessoi_engine::number::berlekamp_massey::shortest;
use pessoi_engine::number::modular::{Modulus, primes};
use pessoi_engine::number::remainders::exact;
use pessoi_engine::run::Run;
use pessoi_engine::search::{Outlook, Part, Search, tally};
use pessoi_engine::sweep::{Sweep, count};
use pessoi_engine::symmetry::{Chain, Permutation};

fn main() {
    divan::main();
}

fn modulus() -> Modulus {
    primes().next().expect("there are primes")
}

#[divan::bench]
fn modular_products(bencher: Bencher) {
    let modulus = modulus();
    bencher
        .counter(ItemsCount::new(10_000u32))
        .bench(|| (1..=10_000).fold(black_box(3), |product, factor| modulus.mul(product, factor)));
}

#[divan::bench(args = [50, 200, 800])]
fn berlekamp_massey(bencher: Bencher, order: usize) {
    let modulus = modulus();
    // Each term is the sum of the first and the last of the `order` before it.
    let mut terms: Vec<u64> = (1..=order as u64).map(|n| n * n + 1).collect();
    for n in order..2 * order {
        terms.push(modulus.add(terms[n - order], terms[n - 1]));
    }
    bencher.bench(|| shortest(black_box(&terms), modulus, &Run::default()));
}

#[divan::bench]
fn chinese_remainders(bencher: Bencher) {
    let number = BigUint::from(3u32).pow(361);
    let residues: Vec<(Modulus, u64)> = primes()
        .take(11)
        .map(|modulus| (modulus, modulus.reduce_big(&number.clone().into())))
        .collect();
    let below = &number + 1u32;
    bencher.bench(|| exact(black_box(&residues), &below));
}

/// Sets of cells of a square board, no two side by side.
struct Apart {
    side: usize,
}

impl Sweep for Apart {
    type Border = u32;

    fn sites(&self) -> usize {
        self.side * self.side
    }

    fn start(&self) -> u32 {
        0
    }

    fn choose(&self, site: usize, at: &u32, mut offer: impl FnMut(u8, u32)) {
        let column = site % self.side;
        let here = 1 << column;
        offer(0, at & !here);
        let beside = column > 0 && at & (here >> 1) != 0;
        if at & here == 0 && !beside {
            offer(1, at | here);
        }
    }

    fn accepts(&self, _last: &u32) -> bool {
        true
    }
}

#[divan::bench(args = [8, 12])]
fn sweep_borders(bencher: Bencher, side: usize) {
    let run = Run::default();
    let borders: u64 = count(&Apart { side }, &run).expect("no limit").layers.iter().sum();
    bencher.counter(ItemsCount::new(borders)).bench(|| count(&Apart { side }, &run));
}

/// Queens that do not see each other, row by row.
#[derive(Clone)]
struct Queens {
    side: u32,
    placed: Vec<u32>,
}

impl Search for Queens {
    type Step = u32;
    type Solution = Vec<u32>;

    fn look(&mut self, steps: &mut Vec<u32>) -> Outlook {
        let row = self.placed.len() as u32;
        if row == self.side {
            return Outlook::Solved;
        }
        let free = |&column: &u32| {
            (0..)
                .zip(&self.placed)
                .all(|(r, &c): (u32, _)| c != column && c.abs_diff(column) != row - r)
        };
        steps.extend((0..self.side).filter(free));
        if steps.is_empty() { Outlook::Dead } else { Outlook::Branch }
    }

    fn take(&mut self, step: u32) {
        self.placed.push(step);
    }

    fn undo(&mut self) {
        self.placed.pop();
    }

    fn solution(&self) -> Vec<u32> {
        self.placed.clone()
    }
}

#[divan::bench(args = [8, 9])]
fn search_nodes(bencher: Bencher, side: u32) {
    let queens = Queens { side, placed: Vec::new() };
    let run = Run::default();
    let nodes = tally(&queens, Part::WHOLE, &run, &Chapter::unkept()).expect("no limit").nodes;
    bencher
        .counter(ItemsCount::new(nodes))
        .bench(|| tally(&queens, Part::WHOLE, &run, &Chapter::unkept()));
}

/// Orders of a few things, one beginning reversed in each move; four bits a thing.
struct Pancakes {
    things: u32,
}

impl StateSpace for Pancakes {
    type State = u64;

    fn starts(&self) -> impl Iterator<Item = u64> {
        std::iter::once(
            (0..u64::from(self.things)).fold(0, |state, thing| state | thing << (4 * thing)),
        )
    }

    fn moves(&self, from: &u64, mut offer: impl FnMut(u64)) {
        for length in 2..=self.things {
            let reversed = (0..length)
                .fold(0, |state, k| state | (from >> (4 * k) & 15) << (4 * (length - 1 - k)));
            offer(from >> (4 * length) << (4 * length) | reversed);
        }
    }

    fn holds(&self, state: &u64) -> bool {
        *state >> (4 * self.things) == 0
    }
}

#[divan::bench(args = [7, 8])]
fn explore_states(bencher: Bencher, things: u32) {
    let space = Pancakes { things };
    let run = Run::default();
    let states: u32 = (1..=things).product();
    bencher.counter(ItemsCount::new(states)).bench(|| {
        layers(&space, space.starts(), &run, &Chapter::unkept()).map(|found| found.sizes().len())
    });
}

#[divan::bench(args = [16, 32, 64])]
fn schreier_sims(bencher: Bencher, degree: u32) {
    let permutation = |images: Vec<u32>| Permutation::new(images).expect("each once");
    let turn = permutation((0..degree).map(|k| (k + 1) % degree).collect());
    let swap = permutation((0..degree).map(|k| if k < 2 { 1 - k } else { k }).collect());
    bencher
        .bench(|| Chain::new(degree as usize, [&turn, &swap], &Run::default()).map(|c| c.order()));
}
