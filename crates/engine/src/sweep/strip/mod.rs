//! Strips: a sweep whose sites repeat, column after column.
//!
//! On a strip of fixed width every column is read like the one before it, so one set of
//! borders serves all columns. The **transfer graph** has these borders as nodes, and an
//! edge for every border that follows another after one column, with the number of ways.
//! The numbers a(k) of ways to read k columns and then *finish* are entries of powers of its
//! matrix. So they obey a linear recurrence of an order that is at most the number of
//! borders, and any number of terms can be computed without building the strip.
//!
//! [`Transfer::build`] finds all borders that can be reached and that can still finish. Then
//! borders with the same future are *lumped*: those that finish in equally many ways and
//! lead in equally many ways to each lump. (This is how finite automata are made minimal:
//! Moore 1956; for chains with weights, Kemeny and Snell 1960.) The number of lumps is the
//! bound on the order, which makes what Berlekamp and Massey's algorithm finds a theorem
//! once it has seen twice as many terms.
//!
//! All of it saves itself as one chapter (`saved`): while borders are explored, while they are
//! lumped, and at every term.

mod saved;

use std::collections::{BTreeMap, HashMap};
use std::ops::Deref;
use std::sync::{Mutex, PoisonError};

use num_bigint::BigUint;
use rayon::prelude::*;
use rustc_hash::FxBuildHasher;

use super::count::SweepError;
use super::layer::shard;
use super::packed::{Packed, key, lead, put_key};
use super::table::Table;
use crate::ledger::Chapter;
use crate::number::{Modulus, exact, primes};
use crate::run::{Claim, Run, Stop};
use saved::{Begun, Exploring};

/// A thing of any length, read column by column.
pub trait Strip: Sync {
    /// All that the columns read so far can still say to the rest: a number, or some words.
    type Border: Packed;

    /// The border before the first column.
    fn start(&self) -> Self::Border;

    /// Offers the border that each way to read one more column leads to; ways that lead
    /// to the same border are offered one by one. In a wide column there may be more of them than
    /// can be waited for, so it asks the run now and then whether to go on.
    fn column(
        &self,
        at: &Self::Border,
        run: &Run,
        offer: impl FnMut(Self::Border) -> Result<(), Stop>,
    ) -> Result<(), Stop>;

    /// In how many ways the thing can be finished after this border; `u64::MAX` if there are so
    /// many or more.
    fn finish(&self, at: &Self::Border, run: &Run) -> Result<u64, Stop>;
}

/// The transfer graph of a strip, borders with the same future lumped together.
#[derive(Debug)]
pub struct Transfer<'c> {
    /// Where the edges of each lump begin; one more than there are lumps.
    rows: Claimed<usize>,
    /// The edges: to which lump, and in how many ways.
    edges: Claimed<(u32, u32)>,
    /// In how many ways each lump can finish.
    finish: Claimed<u64>,
    /// The lump at the start, if anything can be finished at all.
    start: Option<u32>,
    /// Borders that can be reached.
    reached: usize,
    /// Borders that can also finish.
    alive: usize,
    /// The terms that are known, for each prime.
    known: Mutex<BTreeMap<u64, Vec<u64>>>,
    /// What was begun in an earlier run.
    begun: Mutex<Option<Pass>>,
    chapter: &'c Chapter<'c>,
}

/// Terms modulo a prime, as far as they are known, and what the next one follows from.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Pass {
    prime: u64,
    terms: Vec<u64>,
    /// In how many ways a thing can be finished from each lump, in as many columns as there are
    /// terms.
    ways: Vec<u64>,
}

/// Borders between two looks at the clock.
const BORDERS_A_TICK: usize = 256;
/// Borders for each thread whose followers are found before they are numbered.
const BORDERS_A_THREAD: usize = 16 * BORDERS_A_TICK;

/// What is known of the borders before they are lumped.
struct Raw {
    rows: Claimed<usize>,
    edges: Claimed<(u32, u32)>,
    finish: Claimed<u64>,
}

impl<'c> Transfer<'c> {
    /// Explores the borders of a strip.
    pub fn build<S: Strip>(
        strip: &S,
        run: &Run,
        chapter: &'c Chapter<'c>,
    ) -> Result<Transfer<'c>, Stop> {
        let exploring = match saved::begun(chapter, run)? {
            None => Exploring::new(strip.start(), run)?,
            Some(Begun::Exploring(exploring)) => exploring,
            Some(Begun::Transfer(transfer)) => return Ok(transfer),
        };
        let raw = explore(exploring, strip, run, chapter)?;
        let lumped = Transfer::lumped(&raw, run, chapter);
        if lumped.is_err() {
            chapter.put_aside(|out| saved::put_explored(&raw, out));
        }
        lumped
    }

    fn lumped(found: &Raw, run: &Run, chapter: &'c Chapter<'c>) -> Result<Transfer<'c>, Stop> {
        let reached = found.finish.len();
        let (raw, kept) = trim(found, run)?;
        let alive = raw.finish.len();
        let lump_of =
            lump(&raw, run, || chapter.save_if_due(|out| saved::put_explored(found, out)))?;
        let lumps = lump_of.iter().max().map_or(0, |&last| last as usize + 1);
        // Any border of a lump speaks for all of it.
        let mut speaker = vec![usize::MAX; lumps];
        for (border, &lump) in lump_of.iter().enumerate().rev() {
            speaker[lump as usize] = border;
        }
        let mut rows = Claimed::of(0, run)?;
        let mut edges = Claimed::new(run);
        let mut finish = Claimed::new(run);
        for &border in &speaker {
            for edge in gathered(raw.row(border).map(|(to, ways)| (lump_of[to], ways))) {
                edges.push(edge)?;
            }
            rows.push(edges.len())?;
            finish.push(raw.finish[border])?;
        }
        let start = kept.first().copied().flatten().map(|border| lump_of[border as usize]);
        let (known, begun) = (Mutex::default(), Mutex::default());
        Ok(Transfer { rows, edges, finish, start, reached, alive, known, begun, chapter })
    }

    /// How many lumps there are: an upper bound on the order of the recurrence.
    pub fn lumps(&self) -> usize {
        self.finish.len()
    }

    /// Borders that can be reached, dead ones included.
    pub fn reached(&self) -> usize {
        self.reached
    }

    /// Borders that can be reached and can still finish.
    pub fn alive(&self) -> usize {
        self.alive
    }

    /// Saves what is known, at the end of the work or because it was stopped.
    pub fn put_aside(&self) {
        let begun = self.begun.lock().unwrap_or_else(PoisonError::into_inner);
        self.chapter.put_aside(|out| saved::put(self, begun.as_ref(), out));
    }

    /// Whether 64 bits hold the ways to finish after every border. If not, the terms are wrong.
    pub fn is_exact(&self) -> bool {
        !self.finish.contains(&u64::MAX)
    }

    /// Edges between lumps.
    pub fn edges(&self) -> usize {
        self.edges.len()
    }

    /// The first `number` terms modulo a prime: term k is the number of ways to read k
    /// columns and finish. `see` gets them one by one and says whether more are wanted.
    pub fn residues(
        &self,
        modulus: Modulus,
        number: usize,
        run: &Run,
        mut see: impl FnMut(u64) -> bool,
    ) -> Result<(), Stop> {
        let Some(start) = self.start else {
            (0..number).take_while(|_| see(0)).for_each(drop);
            return Ok(());
        };
        let prime = modulus.prime();
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner).get(&prime).cloned();
        if let Some(known) = known.filter(|known| known.len() >= number) {
            known.into_iter().take(number).take_while(|&term| see(term)).for_each(drop);
            return Ok(());
        }
        let mut claim = run.claim();
        claim.grow_to(16 * self.lumps() as u64 + 8 * number as u64)?;
        let begun = self.begun.lock().unwrap_or_else(PoisonError::into_inner).take();
        let mut pass = begun.filter(|begun| begun.prime == prime).unwrap_or_else(|| Pass {
            prime,
            terms: Vec::new(),
            ways: self.finish.iter().map(|&ways| modulus.reduce(ways)).collect(),
        });
        if !pass.terms.iter().take(number).all(|&term| see(term)) {
            return Ok(());
        }
        let mut before = vec![0; pass.ways.len()];
        let row = |lump: usize, ways: &[u64]| {
            let edges = &self.edges[self.rows[lump]..self.rows[lump + 1]];
            let sum =
                edges.iter().map(|&(to, times)| u128::from(times) * u128::from(ways[to as usize]));
            // Fewer than 2^32 edges of less than 2^32 ways each: below 2^125.
            modulus.reduce_wide(sum.sum())
        };
        for _ in pass.terms.len()..number {
            self.chapter.save_if_due(|out| saved::put(self, Some(&pass), out));
            if let Err(stop) = run.tick(self.lumps() as u64) {
                *self.begun.lock().unwrap_or_else(PoisonError::into_inner) = Some(pass);
                self.put_aside();
                return Err(stop);
            }
            let ways = &pass.ways;
            let term = ways[start as usize];
            if self.edges.len() > ROWS_WORTH_SHARING {
                run.parallel(|| {
                    before
                        .par_iter_mut()
                        .with_min_len(1 << 12)
                        .enumerate()
                        .for_each(|(lump, sum)| *sum = row(lump, ways));
                });
            } else {
                for (lump, sum) in before.iter_mut().enumerate() {
                    *sum = row(lump, ways);
                }
            }
            std::mem::swap(&mut before, &mut pass.ways);
            pass.terms.push(term);
            if !see(term) {
                break;
            }
        }
        if self.chapter.is_kept() {
            let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
            known.insert(prime, pass.terms);
        }
        Ok(())
    }

    /// About how large the first `number` terms are: natural logarithms, −∞ for zero.
    pub fn logarithms(&self, number: usize, run: &Run) -> Result<Vec<f64>, Stop> {
        let Some(start) = self.start else { return Ok(vec![f64::NEG_INFINITY; number]) };
        let mut claim = run.claim();
        claim.grow_to(16 * self.lumps() as u64)?;
        let mut ways: Vec<f64> = self.finish.iter().map(|&w| w as f64).collect();
        let mut before = vec![0.0; ways.len()];
        let mut scale = 0.0;
        let mut terms = Vec::with_capacity(number);
        for _ in 0..number {
            terms.push(ways[start as usize].ln() + scale);
            run.tick(self.lumps() as u64)?;
            let mut most = 0.0f64;
            for (lump, sum) in before.iter_mut().enumerate() {
                let edges = &self.edges[self.rows[lump]..self.rows[lump + 1]];
                *sum = edges.iter().map(|&(to, times)| f64::from(times) * ways[to as usize]).sum();
                most = most.max(*sum);
            }
            if most > 1e100 {
                for sum in &mut before {
                    *sum /= most;
                }
                scale += most.ln();
            }
            std::mem::swap(&mut before, &mut ways);
        }
        Ok(terms)
    }

    /// The first `number` terms, exactly: by Chinese remainders, with one prime to spare.
    pub fn terms(&self, number: usize, run: &Run) -> Result<Vec<BigUint>, SweepError> {
        // A float that errs by one part in 2^52 an addition bounds every term.
        let largest = self.logarithms(number, run)?.into_iter().fold(0.0, f64::max);
        let bits = (largest / std::f64::consts::LN_2) as usize + 8;
        let below = BigUint::from(1u32) << bits;
        let mut residues: Vec<Vec<(Modulus, u64)>> = vec![Vec::new(); number];
        for modulus in primes().take(bits.div_ceil(60) + 1) {
            let mut at = 0;
            self.residues(modulus, number, run, |term| {
                residues[at].push((modulus, term));
                at += 1;
                true
            })?;
        }
        residues.iter().map(|term| exact(term, &below).map_err(SweepError::Disagree)).collect()
    }
}

/// Matrices with fewer edges are multiplied on one thread.
const ROWS_WORTH_SHARING: usize = 200_000;

impl Raw {
    fn new(run: &Run) -> Result<Self, Stop> {
        Ok(Raw { rows: Claimed::of(0, run)?, edges: Claimed::new(run), finish: Claimed::new(run) })
    }

    fn row(&self, border: usize) -> impl Iterator<Item = (usize, u32)> {
        let edges = &self.edges[self.rows[border]..self.rows[border + 1]];
        edges.iter().map(|&(to, ways)| (to as usize, ways))
    }
}

/// What follows a border: the borders after it with their ways, and the ways to finish; with
/// the memory that this takes.
type After<B> = (Vec<(B, u32)>, u64, Claim);

/// The numbers of borders, from 1: tables by the leading bits of their keys.
struct Numbers {
    tables: Vec<Table>,
    units: Vec<u32>,
}

impl Numbers {
    const BITS: u32 = 8;

    fn new(run: &Run) -> Self {
        let tables = (0..1 << Numbers::BITS).map(|_| Table::new(Numbers::BITS, run)).collect();
        Numbers { tables, units: Vec::new() }
    }

    /// The number of a border that has one; otherwise it becomes `fresh`.
    fn number<B: Packed>(&mut self, border: B, fresh: u32) -> Result<u32, Stop> {
        let key = key(border);
        self.units.clear();
        put_key(key.as_ref(), &mut self.units);
        self.tables[shard(lead(key.as_ref()), Numbers::BITS)].number_or(&self.units, fresh)
    }
}

/// All borders that can be reached, in the order of their finding; the start is the first.
fn explore<S: Strip>(
    mut at: Exploring<S::Border>,
    strip: &S,
    run: &Run,
    chapter: &Chapter,
) -> Result<Raw, Stop> {
    run.stage("exploring the borders of a strip", 0);
    while !at.found.is_empty() {
        // A stretch at a time: what the borders lead to, in parallel, then numbered in order.
        let stretch = at.found.len().min(BORDERS_A_THREAD * run.budget().threads);
        let next: Result<Vec<Vec<After<S::Border>>>, Stop> = run.parallel(|| {
            at.found[..stretch]
                .par_chunks(BORDERS_A_TICK)
                .map(|chunk| {
                    run.tick(chunk.len() as u64)?;
                    let each = |border: &S::Border| {
                        let mut ways = Claimed::new(run);
                        strip.column(border, run, |next| ways.push(next.to_words()))?;
                        ways.items.sort_unstable();
                        let ways: Vec<(S::Border, u32)> = ways
                            .chunk_by(|a, b| a == b)
                            .map(|same| (S::Border::from_words(same[0]), same.len() as u32))
                            .collect();
                        let mut claim = run.claim();
                        claim.grow_to((ways.len() * size_of::<(S::Border, u32)>()) as u64)?;
                        Ok((ways, strip.finish(border, run)?, claim))
                    };
                    chunk.iter().map(each).collect()
                })
                .collect()
        });
        let next = next.inspect_err(|_| chapter.put_aside(|out| at.put(out)))?;
        let before = at.sizes();
        for (ways, ends, _claim) in next.into_iter().flatten() {
            if let Err(stop) = at.read(ways, ends) {
                at.back_to(before);
                chapter.put_aside(|out| at.put(out));
                return Err(stop);
            }
        }
        at.found.drop_first(stretch);
        chapter.save_if_due(|out| at.put(out));
    }
    Ok(at.raw)
}

/// A vector that claims its memory before it grows.
#[derive(Debug)]
struct Claimed<T> {
    items: Vec<T>,
    claim: Claim,
}

impl<T> Deref for Claimed<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.items
    }
}

impl<T> Claimed<T> {
    fn new(run: &Run) -> Self {
        Claimed { items: Vec::new(), claim: run.claim() }
    }

    /// A vector of one item.
    fn of(item: T, run: &Run) -> Result<Self, Stop> {
        let mut items = Claimed::new(run);
        items.push(item)?;
        Ok(items)
    }

    /// Keeps the first `number` items.
    fn keep_first(&mut self, number: usize) {
        self.items.truncate(number);
    }

    /// Removes the first `number` items.
    fn drop_first(&mut self, number: usize) {
        self.items.drain(..number);
    }

    fn push(&mut self, item: T) -> Result<(), Stop> {
        if self.items.len() == self.items.capacity() {
            let room = (2 * self.items.len()).max(64);
            self.claim.grow_to(((room + self.items.len()) * size_of::<T>()) as u64)?;
            self.items.reserve_exact(room - self.items.len());
            self.claim.grow_to((room * size_of::<T>()) as u64)?;
        }
        self.items.push(item);
        Ok(())
    }
}

/// Leaves out borders that can never finish; also gives each border's new number.
fn trim(raw: &Raw, run: &Run) -> Result<(Raw, Vec<Option<u32>>), Stop> {
    let n = raw.finish.len();
    let mut claim = run.claim();
    claim.grow_to(((2 * size_of::<usize>() + 16) * (n + 1) + 4 * raw.edges.len()) as u64)?;
    // Edges backwards, to find what can finish.
    let mut starts = vec![0usize; n + 1];
    for &(to, _) in raw.edges.iter() {
        starts[to as usize + 1] += 1;
    }
    for k in 0..n {
        starts[k + 1] += starts[k];
    }
    let mut fill = starts.clone();
    let mut from = vec![0u32; raw.edges.len()];
    for border in 0..n {
        for (to, _) in raw.row(border) {
            from[fill[to]] = border as u32;
            fill[to] += 1;
        }
    }
    let mut alive: Vec<bool> = raw.finish.iter().map(|&ways| ways > 0).collect();
    let mut todo: Vec<usize> = (0..n).filter(|&border| alive[border]).collect();
    while let Some(border) = todo.pop() {
        for &before in &from[starts[border]..starts[border + 1]] {
            if !std::mem::replace(&mut alive[before as usize], true) {
                todo.push(before as usize);
            }
        }
    }
    let mut next = 0;
    let kept: Vec<Option<u32>> = alive
        .iter()
        .map(|&alive| {
            alive.then(|| {
                next += 1;
                next - 1
            })
        })
        .collect();
    let mut trimmed = Raw::new(run)?;
    for border in (0..n).filter(|&border| alive[border]) {
        for edge in raw.row(border).filter_map(|(to, ways)| Some((kept[to]?, ways))) {
            trimmed.edges.push(edge)?;
        }
        trimmed.rows.push(trimmed.edges.len())?;
        trimmed.finish.push(raw.finish[border])?;
    }
    Ok((trimmed, kept))
}

/// Edges to the same lump added up, in the order of lumps.
fn gathered(edges: impl Iterator<Item = (u32, u32)>) -> Vec<(u32, u32)> {
    let mut edges: Vec<(u32, u32)> = edges.collect();
    edges.sort_unstable();
    edges.dedup_by(|later, kept| {
        let same = later.0 == kept.0;
        if same {
            kept.1 += later.1;
        }
        same
    });
    edges
}

/// What a border sees: its lump, the ways to finish, and those to each lump.
type View = (u32, u64, Vec<(u32, u32)>);

/// The coarsest lumping: which lump each border belongs to, counted from 0 without gaps.
/// `each_round` is called now and then.
fn lump(raw: &Raw, run: &Run, each_round: impl Fn()) -> Result<Vec<u32>, Stop> {
    let n = raw.finish.len();
    let mut lump_of: Vec<u32> = vec![0; n];
    let mut lumps = 0;
    // Each round keeps a view for each lump, whose edges are at most those of all borders.
    let mut claim = run.claim();
    claim.grow_to((n * (size_of::<(View, u32)>() + 16) + 8 * raw.edges.len()) as u64)?;
    loop {
        each_round();
        run.tick(n as u64)?;
        // Lumps fall apart until all borders of each see the same.
        let mut seen: HashMap<View, u32, FxBuildHasher> = HashMap::default();
        let next: Vec<u32> = (0..n)
            .map(|border| {
                let edges = gathered(raw.row(border).map(|(to, ways)| (lump_of[to], ways)));
                let fresh = seen.len() as u32;
                *seen.entry((lump_of[border], raw.finish[border], edges)).or_insert(fresh)
            })
            .collect();
        let more = seen.len();
        lump_of = next;
        if more == lumps {
            return Ok(lump_of);
        }
        lumps = more;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explore::testing::Folder;
    use crate::number::shortest;

    static UNKEPT: Chapter = Chapter::unkept();

    /// Dominoes on a strip of the given height: the border has a bit for each row whose
    /// cell in the next column is covered already.
    struct Dominoes(u32);

    impl Dominoes {
        fn fill(
            &self,
            row: u32,
            covered: u32,
            next: u32,
            offer: &mut dyn FnMut(u32) -> Result<(), Stop>,
        ) -> Result<(), Stop> {
            if row == self.0 {
                return offer(next);
            }
            if covered >> row & 1 != 0 {
                return self.fill(row + 1, covered, next, offer);
            }
            self.fill(row + 1, covered, next | 1 << row, offer)?;
            if row + 1 < self.0 && covered >> (row + 1) & 1 == 0 {
                self.fill(row + 2, covered, next, offer)?;
            }
            Ok(())
        }
    }

    impl Strip for Dominoes {
        type Border = u32;

        fn start(&self) -> u32 {
            0
        }

        fn column(
            &self,
            &at: &u32,
            _: &Run,
            mut offer: impl FnMut(u32) -> Result<(), Stop>,
        ) -> Result<(), Stop> {
            self.fill(0, at, 0, &mut offer)
        }

        fn finish(&self, &at: &u32, _: &Run) -> Result<u64, Stop> {
            Ok(u64::from(at == 0))
        }
    }

    #[test]
    fn dominoes_on_strips() {
        let run = Run::default();
        let two = Transfer::build(&Dominoes(2), &run, &UNKEPT).unwrap();
        let terms = two.terms(90, &run).unwrap();
        // Fibonacci's numbers, in 2×n.
        assert_eq!(terms[..8], [1u32, 1, 2, 3, 5, 8, 13, 21].map(BigUint::from));
        assert_eq!(terms[89], "2880067194370816120".parse().unwrap());
        // 8×8 has 12988816 (Kasteleyn; Temperley and Fisher). Up and down look alike, so
        // lumps are fewer than borders.
        let eight = Transfer::build(&Dominoes(8), &run, &UNKEPT).unwrap();
        assert_eq!(eight.terms(9, &run).unwrap()[8], BigUint::from(12_988_816u32));
        assert!(eight.lumps() < eight.alive() && eight.alive() <= eight.reached());
        assert!((eight.logarithms(9, &run).unwrap()[8].exp() / 12_988_816.0 - 1.0).abs() < 1e-9);
    }

    #[test]
    fn the_number_of_lumps_bounds_the_order() {
        let run = Run::default();
        for height in 1..8 {
            let transfer = Transfer::build(&Dominoes(height), &run, &UNKEPT).unwrap();
            let modulus = primes().next().unwrap();
            let mut terms = Vec::new();
            transfer
                .residues(modulus, 4 * transfer.lumps() + 4, &run, |term| {
                    terms.push(term);
                    true
                })
                .unwrap();
            let order = shortest(&terms, modulus, &run).unwrap().len();
            assert!(order <= transfer.lumps(), "{height}: {order} > {}", transfer.lumps());
        }
    }

    #[test]
    fn a_strip_that_cannot_finish_has_no_lumps() {
        struct Never;
        impl Strip for Never {
            type Border = u8;
            fn start(&self) -> u8 {
                0
            }
            fn column(
                &self,
                &at: &u8,
                _: &Run,
                mut offer: impl FnMut(u8) -> Result<(), Stop>,
            ) -> Result<(), Stop> {
                offer((at + 1) % 3)
            }
            fn finish(&self, _: &u8, _: &Run) -> Result<u64, Stop> {
                Ok(0)
            }
        }
        let run = Run::default();
        let transfer = Transfer::build(&Never, &run, &UNKEPT).unwrap();
        assert_eq!((transfer.lumps(), transfer.reached()), (0, 3));
        assert_eq!(transfer.terms(3, &run).unwrap(), vec![BigUint::ZERO; 3]);
    }

    /// What a column leads to may be more than anybody can wait for, or hold.
    #[test]
    fn a_column_without_end_is_left_at_a_limit() {
        struct Endless;
        impl Strip for Endless {
            type Border = u32;
            fn start(&self) -> u32 {
                0
            }
            fn column(
                &self,
                _: &u32,
                run: &Run,
                mut offer: impl FnMut(u32) -> Result<(), Stop>,
            ) -> Result<(), Stop> {
                for next in (0..=u32::MAX).cycle() {
                    run.check()?;
                    offer(next)?;
                }
                Ok(())
            }
            fn finish(&self, _: &u32, _: &Run) -> Result<u64, Stop> {
                Ok(1)
            }
        }
        let second = std::time::Duration::from_secs(1);
        let budget = crate::run::Budget { time: Some(1000 * second), ..Default::default() };
        let stopped = Transfer::build(&Endless, &Run::stepping(budget, second), &UNKEPT);
        assert!(matches!(stopped.unwrap_err(), Stop::Time { .. }));
        let budget = crate::run::Budget { memory: Some(1 << 16), ..Default::default() };
        let stopped = Transfer::build(&Endless, &Run::new(budget), &UNKEPT);
        assert!(matches!(stopped.unwrap_err(), Stop::Memory { .. }));
    }

    #[test]
    fn too_many_ways_to_finish_are_seen() {
        struct Many(u64);
        impl Strip for Many {
            type Border = u8;
            fn start(&self) -> u8 {
                0
            }
            fn column(
                &self,
                &at: &u8,
                _: &Run,
                mut offer: impl FnMut(u8) -> Result<(), Stop>,
            ) -> Result<(), Stop> {
                offer((at + 1) % 3)
            }
            fn finish(&self, &at: &u8, _: &Run) -> Result<u64, Stop> {
                Ok(if at == 2 { self.0 } else { 1 })
            }
        }
        let run = Run::default();
        assert!(Transfer::build(&Many(u64::MAX - 1), &run, &UNKEPT).unwrap().is_exact());
        assert!(!Transfer::build(&Many(u64::MAX), &run, &UNKEPT).unwrap().is_exact());
    }

    #[test]
    fn a_transfer_graph_holds_its_memory_and_keeps_within_the_limit() {
        let run = Run::default();
        let transfer = Transfer::build(&Dominoes(8), &run, &UNKEPT).unwrap();
        let held = run.progress().bytes;
        assert!(held >= 8 * transfer.edges() as u64, "{held}");
        drop(transfer);
        assert_eq!(run.progress().bytes, 0);
        let limit = run.peak_bytes() / 2;
        let run = Run::new(crate::run::Budget { memory: Some(limit), ..Default::default() });
        let stopped = Transfer::build(&Dominoes(8), &run, &UNKEPT).unwrap_err();
        assert!(matches!(stopped, Stop::Memory { .. }), "{stopped}");
    }

    #[test]
    fn a_strip_goes_on_where_it_was_stopped() {
        let whole = Run::default();
        let expected = Transfer::build(&Dominoes(9), &whole, &UNKEPT).unwrap();
        let terms = expected.terms(70, &whole).unwrap();
        let folder = Folder::new("strip");
        let (found, runs, handled) = folder.until_done(|run, chapter| {
            let stopped = |stop: Stop| assert!(matches!(stop, Stop::Time { .. }), "{stop}");
            let transfer = Transfer::build(&Dominoes(9), run, chapter).map_err(stopped).ok()?;
            let found = match transfer.terms(70, run) {
                Ok(found) => found,
                Err(SweepError::Stop(Stop::Time { .. })) => return None,
                Err(other) => panic!("{other}"),
            };
            Some((transfer.lumps(), transfer.reached(), transfer.alive(), found))
        });
        assert_eq!(found, (expected.lumps(), expected.reached(), expected.alive(), terms));
        assert!(runs > 5 && handled < whole.progress().handled, "{runs} {handled}");
    }

    #[test]
    fn forged_checkpoints_of_strips_are_refused() {
        let folder = Folder::new("strip-forged");
        let refuses = |records: &[&[u64]]| {
            let records: Vec<Vec<u64>> = records.iter().map(|record| record.to_vec()).collect();
            folder.refuses(&records, |run, chapter| {
                if let Ok(transfer) = Transfer::build(&Dominoes(2), run, chapter) {
                    transfer.terms(5, run).unwrap();
                }
            })
        };
        let edge = |to: u64| to << 32 | 1;
        let transfer = |head: &[u64], rows: &[u64], to: u64, rest: &[&[u64]]| {
            let edges = [edge(to)];
            let mut records: Vec<&[u64]> = vec![&[1], head, rows, &edges, &[1]];
            records.extend(rest);
            refuses(&records)
        };
        let one = [1, 1, 1, 1, 0];
        assert!(!transfer(&one, &[0, 1], 0, &[&[0]]));
        // A start, an edge, rows, sizes that are not there.
        assert!(transfer(&[2, 1, 1, 1, 0], &[0, 1], 0, &[&[0]]));
        assert!(transfer(&one, &[0, 1], 1, &[&[0]]));
        assert!(transfer(&one, &[0, 2], 0, &[&[0]]));
        assert!(transfer(&one, &[1, 1], 0, &[&[0]]));
        assert!(transfer(&[1, 1, 1, 2, 0], &[0, 1], 0, &[&[0]]));
        // Terms modulo what is no prime, and that are not below it; ways of other lumps; more.
        let prime = primes().next().unwrap().prime();
        assert!(!transfer(&one, &[0, 1], 0, &[&[prime], &[1, 1], &[1]]));
        assert!(transfer(&one, &[0, 1], 0, &[&[9], &[1, 1], &[1]]));
        assert!(transfer(&one, &[0, 1], 0, &[&[prime], &[1, prime], &[1]]));
        assert!(transfer(&one, &[0, 1], 0, &[&[prime], &[1, 1], &[1, 1]]));
        assert!(transfer(&one, &[0, 1], 0, &[&[0], &[]]));
        // While borders are explored: a number twice, one that is too large, one too few.
        let exploring = |first: &[u64]| {
            let none: &[u64] = &[];
            let mut records: Vec<&[u64]> = vec![&[0, 2], &[0, 1], &[0], &[0], &[3], first];
            records.resize(5 + (1 << Numbers::BITS), none);
            refuses(&records)
        };
        assert!(exploring(&[2, 1, 1, 1, 2, 1, 2, 1]));
        assert!(exploring(&[2, 1, 1, 1, 2, 1, 2, 3]));
        assert!(exploring(&[2, 1, 1, 1]));
        assert!(exploring(&[2, 1]));
    }

    /// A limit of memory may be reached anywhere, and the work goes on with more.
    #[test]
    fn a_strip_that_ran_out_of_memory_goes_on_with_more() {
        let whole = Run::default();
        let expected = Transfer::build(&Dominoes(9), &whole, &UNKEPT).unwrap();
        let most = whole.peak_bytes();
        for share in 1..20 {
            let folder = Folder::new(&format!("strip-memory-{share}"));
            let store = || crate::store::Store::open(folder.0.join("saved")).unwrap();
            let small =
                crate::run::Budget { memory: Some(most * share / 20), ..Default::default() };
            let small = Run::new(small).with_store(store());
            let ledger = crate::ledger::Ledger::open(&small, "a test").unwrap();
            let stopped = Transfer::build(&Dominoes(9), &small, &ledger.chapter("work")).map(drop);
            assert!(matches!(stopped, Err(Stop::Memory { .. })), "{stopped:?}");
            ledger.close().unwrap();
            drop(ledger);
            drop(small);
            let run = Run::default().with_store(store());
            let ledger = crate::ledger::Ledger::open(&run, "a test").unwrap();
            let chapter = ledger.chapter("work");
            let found = Transfer::build(&Dominoes(9), &run, &chapter).unwrap();
            let sizes = |t: &Transfer| (t.lumps(), t.reached(), t.alive(), t.edges());
            assert_eq!(sizes(&found), sizes(&expected), "{share}");
            assert_eq!(found.terms(9, &run).unwrap(), expected.terms(9, &whole).unwrap());
        }
    }
}
