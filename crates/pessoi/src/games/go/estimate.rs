//! Estimates by stratified sampling.
//!
//! P. Chen, *Heuristic Sampling* (SIAM J. Comput. 21, 1992): a tree is walked level by level,
//! its nodes sorted into *strata*. Each stratum keeps one node that stands for all of its
//! kind, with a weight: the number of them. The children of a node that is kept bring its
//! weight to their own strata, and which of two nodes is kept is drawn by their weights. The
//! estimate has no bias, whatever the strata; the more alike the nodes of a stratum, the
//! smaller its spread.
//!
//! **Positions.** The tree is that of borders, point by point, and the strata are the numbers
//! of needy strings, as in the paper (section 5.8). Weights are divided by three at each point,
//! so their sum at the end is the share of legal positions. On 19×19 one run spreads by 0.77 of
//! the mean.
//!
//! **Games.** The tree is that of paths through the game graph, and the strata are the numbers
//! of positions that can still be reached (section 7.2). Weights are kept as logarithms.
//!
//! Both give natural logarithms of numbers that may be far outside of what a float can hold:
//! 10^4638 positions on 99×99, 10^1100 games on 3×3. The mean and its standard error are those
//! of the numbers themselves, found after all are divided by the largest ([`Mean`]).

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::analyze::power_of_ten;
use super::count::POSITIONS;
use super::games::Tree;
use super::{Asked, Halt};
use crate::answer::{Answer, Value};
use crate::board::Board;
use crate::error::Error;
use pessoi_engine::random::Random;
use pessoi_engine::run::{Run, Stop};
use std::f64::consts::LN_10;

/// The largest height: a string's number must fit in a byte.
pub(super) const MOST_HEIGHT: usize = 120;
/// Runs unless told.
pub(super) const SAMPLES: u64 = 1000;
/// Runs between two looks at the clock.
const BATCH: u64 = 64;

const EDGE: u8 = 0;
const EMPTY: u8 = 1;
/// A free black stone; one more is a white one.
const FREE: u8 = 2;
/// A black stone of the first needy string; two more for each further string.
const NEEDY: u8 = 4;

/// A border of fewer than N points: a code for each, and the stones of each needy string.
#[derive(Clone)]
struct Border<const N: usize> {
    points: [u8; N],
    stones: [u8; N],
    needy: usize,
}

/// The number of a needy stone's string.
fn string(code: u8) -> usize {
    usize::from((code - NEEDY) / 2)
}

/// What a point does to a border, found without doing it.
#[derive(Clone, Copy)]
struct Effect {
    choice: u8,
    /// Needy strings afterwards.
    needy: usize,
    frees: bool,
}

impl<const N: usize> Border<N> {
    fn around(&self, row: usize) -> [u8; 2] {
        [if row > 0 { self.points[row - 1] } else { EDGE }, self.points[row]]
    }

    /// What choosing 0 empty, 1 black or 2 white would do; `None` if a string would be left
    /// without a liberty.
    fn effect(&self, row: usize, choice: u8) -> Option<Effect> {
        let around @ [above, left] = self.around(row);
        let touched = |colour: Option<u8>| {
            let is = |code: u8| code >= NEEDY && colour.is_none_or(|colour| code % 2 == colour);
            match (is(above), is(left)) {
                (true, true) if string(above) == string(left) => 1,
                (a, l) => usize::from(a) + usize::from(l),
            }
        };
        if choice == 0 {
            return Some(Effect { choice, needy: self.needy - touched(None), frees: true });
        }
        let colour = choice - 1;
        if left >= NEEDY && left % 2 != colour && self.stones[string(left)] == 1 {
            return None;
        }
        let frees = around.iter().any(|&code| code == EMPTY || code == FREE + colour);
        let joined = touched(Some(colour));
        let needy = if frees { self.needy - joined } else { self.needy + 1 - joined };
        Some(Effect { choice, needy, frees })
    }

    /// The border afterwards.
    fn after(&self, row: usize, height: usize, effect: Effect) -> Border<N> {
        let mut next = self.clone();
        next.needy = effect.needy;
        let around @ [_, left] = self.around(row);
        let colour = effect.choice.wrapping_sub(1);
        let joins = |code: u8| code >= NEEDY && (effect.choice == 0 || code % 2 == colour);
        if left >= NEEDY {
            next.stones[string(left)] -= 1;
        }
        next.points[row] = EDGE;
        let points = &mut next.points[..height];
        if effect.frees {
            for code in around.into_iter().filter(|&code| joins(code)) {
                // Stones of one string have one colour, so they have one code.
                points
                    .iter_mut()
                    .filter(|point| **point == code)
                    .for_each(|p| *p = FREE + code % 2);
                next.stones[string(code)] = 0;
            }
            points[row] = if effect.choice == 0 { EMPTY } else { FREE + colour };
            return next;
        }
        let code = match (joins(around[0]), joins(around[1])) {
            (true, true) if around[0] != around[1] => {
                let (kept, lost) = (around[0], around[1]);
                points.iter_mut().filter(|point| **point == lost).for_each(|p| *p = kept);
                next.stones[string(kept)] += next.stones[string(lost)];
                next.stones[string(lost)] = 0;
                kept
            }
            (true, _) => around[0],
            (_, true) => around[1],
            (false, false) => {
                // There are fewer strings than numbers.
                let free = next.stones.iter().position(|&stones| stones == 0).unwrap_or(0);
                NEEDY + 2 * free as u8 + colour
            }
        };
        points[row] = code;
        next.stones[string(code)] += 1;
        next
    }
}

/// One run: about which share of all colourings is legal, as a natural logarithm.
fn share(height: usize, length: usize, random: &mut Random, run: &Run) -> Result<f64, Stop> {
    // Borders are copied all the time, so small boards get small ones.
    if height < 24 {
        share_of::<24>(height, length, random, run)
    } else {
        share_of::<{ MOST_HEIGHT + 1 }>(height, length, random, run)
    }
}

fn share_of<const N: usize>(
    height: usize,
    length: usize,
    random: &mut Random,
    run: &Run,
) -> Result<f64, Stop> {
    let start = Border { points: [EDGE; N], stones: [0; N], needy: 0 };
    let mut strata: Vec<Option<(f64, Border<N>)>> = vec![None; height + 2];
    let mut next: Vec<Option<(f64, Border<N>)>> = vec![None; height + 2];
    strata[0] = Some((1.0, start));
    let mut taken_out = 0.0;
    for _ in 0..length {
        run.check()?;
        // Weights would sink below all floats on long boards: their sum is kept near one.
        let sum: f64 = strata.iter().flatten().map(|(weight, _)| weight).sum();
        if sum > 0.0 {
            strata.iter_mut().flatten().for_each(|(weight, _)| *weight /= sum);
            taken_out += sum.ln();
        }
        for row in 0..height {
            for (weight, border) in strata.iter_mut().filter_map(Option::take) {
                let share = weight / 3.0;
                for effect in (0..3).filter_map(|choice| border.effect(row, choice)) {
                    match &mut next[effect.needy] {
                        Some((sum, kept)) => {
                            *sum += share;
                            if random.unit() * *sum < share {
                                *kept = border.after(row, height, effect);
                            }
                        }
                        none => *none = Some((share, border.after(row, height, effect))),
                    }
                }
            }
            std::mem::swap(&mut strata, &mut next);
        }
    }
    // Without needy strings the position is legal.
    Ok(strata[0].as_ref().map_or(f64::NEG_INFINITY, |(weight, _)| taken_out + weight.ln()))
}

/// Draws samples on all threads, as many as the budget allows; number k uses stream k.
fn draw(
    samples: u64,
    run: &Run,
    batch: u64,
    one: impl Fn(&mut Random) -> Result<f64, Stop> + Sync,
) -> (Vec<f64>, Option<Stop>) {
    run.stage("sampling", samples);
    let mut drawn = Vec::new();
    while (drawn.len() as u64) < samples {
        let first = drawn.len() as u64;
        let more: Result<Vec<f64>, Stop> = run.parallel(|| {
            let sample = |k| {
                run.check()?;
                let value = one(&mut Random::new(run.budget().seed, k));
                run.step(1);
                value
            };
            (first..(first + batch).min(samples)).into_par_iter().map(sample).collect()
        });
        match more {
            Ok(more) => drawn.extend(more),
            Err(stop) => return (drawn, Some(stop)),
        }
    }
    (drawn, None)
}

/// The mean of numbers that are given by their logarithms.
#[derive(Clone, Copy, Debug)]
struct Mean {
    /// The natural logarithm of the mean.
    ln: f64,
    /// The standard error as a share of the mean.
    error: f64,
    samples: usize,
    /// Equal numbers that would be worth as much.
    effective: f64,
}

impl Mean {
    /// `None` if all numbers are zero.
    fn of(logs: &[f64]) -> Option<Mean> {
        let most = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if most == f64::NEG_INFINITY {
            return None;
        }
        // Divided by the largest they are at most one, and one of them is one.
        let scaled: Vec<f64> = logs.iter().map(|ln| (ln - most).exp()).collect();
        let n = scaled.len() as f64;
        let sum: f64 = scaled.iter().sum();
        let mean = sum / n;
        let apart: f64 = scaled.iter().map(|x| (x - mean) * (x - mean)).sum();
        let squares: f64 = scaled.iter().map(|x| x * x).sum();
        Some(Mean {
            ln: most + mean.ln(),
            error: (apart / (n - 1.0) / n).sqrt() / mean,
            samples: logs.len(),
            effective: sum * sum / squares,
        })
    }

    /// The same for numbers that are all larger by a factor.
    fn times(self, ln: f64) -> Mean {
        Mean { ln: self.ln + ln, ..self }
    }

    fn log10(self) -> f64 {
        self.ln / LN_10
    }

    /// The value, and what it counts: things, or the logarithm of their number where a float
    /// cannot hold that.
    fn value(self, things: &str) -> (Value, String) {
        let (samples, effective_samples) = (self.samples as u64, self.effective);
        let (low, high) = ((1.0 - 1.96 * self.error).max(0.0), 1.0 + 1.96 * self.error);
        if self.log10() < MOST_DIGITS {
            let mean = self.ln.exp();
            let (low, high, standard_error) = (mean * low, mean * high, mean * self.error);
            let value =
                Value::Estimated { mean, low, high, standard_error, samples, effective_samples };
            return (value, things.to_owned());
        }
        let value = Value::Estimated {
            mean: self.log10(),
            // There is at least one.
            low: (self.log10() + low.log10()).max(0.0),
            high: self.log10() + high.log10(),
            standard_error: self.error / LN_10,
            samples,
            effective_samples,
        };
        (value, format!("as the decimal logarithm of the number of {things}"))
    }
}

/// Numbers with more digits are told by their logarithms; floats end at 10^308.
const MOST_DIGITS: f64 = 300.0;

/// Answers `estimate`.
pub(super) fn estimate(
    asked: &Asked,
    board: &Board,
    (height, length): (usize, usize),
    samples: u64,
) -> Result<Answer, Halt> {
    let run = asked.run;
    let one = |random: &mut Random| share(height, length, random, run);
    let (drawn, stopped) = draw(samples, run, BATCH, one);
    if drawn.len() < 2 {
        return Err(stopped.map_or(Error::internal("no samples").into(), Halt::Stop));
    }
    let method = "Chen's stratified sampling of borders";
    let Some(share) = Mean::of(&drawn) else {
        let why = format!("none of {} samples came upon a legal position", drawn.len());
        return Ok(asked.answer(Value::GaveUp { why }, POSITIONS, method));
    };
    let legal = share.times(board.len() as f64 * 3f64.ln());
    let (value, counts) = legal.value(POSITIONS);
    let mut answer = asked.answer(value, &counts, method);
    answer.seed = Some(run.budget().seed);
    answer.notes.push(format!(
        "About {} of all 3^{} colourings are legal, which makes {} legal positions, give or take \
         {:.2} %.",
        small_power_of_ten(share.log10()),
        board.len(),
        power_of_ten(legal.log10()),
        100.0 * share.error
    ));
    if share.effective < TRUSTED {
        answer.notes.push(
            "Few samples carry the sum, so the error may be larger than told: draw more with \
             --samples."
                .into(),
        );
    }
    answer.notes.extend(stopped.map(|stop| format!("Fewer samples than asked for: {stop}.")));
    Ok(answer)
}

/// Fewer equal samples than this make no trustworthy error.
const TRUSTED: f64 = 50.0;

/// A share as people write it: 0.01196, or 2.3·10^-38.
fn small_power_of_ten(log10: f64) -> String {
    if log10 > -3.0 {
        return format!("{:.5}", 10f64.powf(log10));
    }
    format!("{:.3}·10^{:.0}", 10f64.powf(log10 - log10.floor()), log10.floor())
}

/// One run: the natural logarithm of the estimated number of games.
fn games(next: &[Vec<u32>], random: &mut Random, run: &Run) -> Result<f64, Stop> {
    let words = next.len().div_ceil(64);
    // By how many nodes can be reached: the logarithm of the weight, the node kept, and the
    // nodes that it can reach.
    let mut strata: BTreeMap<usize, (f64, u32, Vec<u64>)> = BTreeMap::new();
    let mut all = vec![0u64; words];
    (1..next.len()).for_each(|node| all[node / 64] |= 1 << (node % 64));
    strata.insert(next.len() - 1, (0.0, 0, all));
    let mut total = f64::NEG_INFINITY;
    while let Some((_, (weight, node, free))) = strata.pop_last() {
        total = log_sum(total, weight);
        run.check()?;
        for &to in &next[node as usize] {
            if free[to as usize / 64] >> (to % 64) & 1 == 0 {
                continue;
            }
            let mut free = free.clone();
            free[to as usize / 64] &= !(1 << (to % 64));
            let reached = reach(next, to, &free);
            let size = reached.iter().map(|word| word.count_ones() as usize).sum();
            match strata.entry(size) {
                std::collections::btree_map::Entry::Vacant(place) => {
                    place.insert((weight, to, reached));
                }
                std::collections::btree_map::Entry::Occupied(mut place) => {
                    let kept = place.get_mut();
                    let sum = log_sum(kept.0, weight);
                    if random.unit().ln() < weight - sum {
                        *kept = (sum, to, reached);
                    } else {
                        kept.0 = sum;
                    }
                }
            }
        }
    }
    Ok(total)
}

fn log_sum(a: f64, b: f64) -> f64 {
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    if low == f64::NEG_INFINITY { high } else { high + (low - high).exp().ln_1p() }
}

fn reach(next: &[Vec<u32>], from: u32, free: &[u64]) -> Vec<u64> {
    let mut reached = vec![0u64; free.len()];
    let mut open = vec![from];
    while let Some(node) = open.pop() {
        for &to in &next[node as usize] {
            let (word, bit) = (to as usize / 64, 1u64 << (to % 64));
            if free[word] & bit != 0 && reached[word] & bit == 0 {
                reached[word] |= bit;
                open.push(to);
            }
        }
    }
    reached
}

/// Legal positions of boards whose games are estimated, at most.
pub(super) const MOST_POSITIONS: usize = 20_000;

/// Answers `estimate --games`.
pub(super) fn estimate_games(
    asked: &Asked,
    board: &Board,
    situational: bool,
    samples: u64,
) -> Result<Answer, Halt> {
    let run = asked.run;
    let tree = Tree::new(board, situational)?;
    let one = |random: &mut Random| games(&tree.next, random, run);
    let (drawn, stopped) = draw(samples, run, 2 * run.budget().threads as u64, one);
    if drawn.len() < 2 {
        return Err(stopped.map_or(Error::internal("no samples").into(), Halt::Stop));
    }
    // There is always the game of no moves.
    let all = Mean::of(&drawn).ok_or_else(|| Error::internal("a board without games"))?;
    let (value, counts) = all.value("games");
    let mut answer = asked.answer(value, &counts, "Chen's stratified sampling of paths");
    let logs: Vec<f64> = drawn.iter().map(|ln| ln / LN_10).collect();
    let n = logs.len() as f64;
    let mean = logs.iter().sum::<f64>() / n;
    let spread = (logs.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / (n - 1.0)).sqrt();
    let most = logs.iter().copied().fold(f64::MIN, f64::max);
    let least = logs.iter().copied().fold(f64::MAX, f64::min);
    answer.seed = Some(run.budget().seed);
    answer.notes.push(format!(
        "Their mean is {} games, with a standard error of {:.0} %.",
        power_of_ten(all.log10()),
        100.0 * all.error
    ));
    answer.notes.push(format!(
        "Single runs gave 10^{least:.1} to 10^{most:.1}; the exponent is {mean:.2} on average and \
         spreads by {spread:.2}."
    ));
    answer.notes.push(
        "Such runs are rarely far too large and mostly too small, so the truth may well be larger."
            .into(),
    );
    answer.notes.extend(stopped.map(|stop| format!("Fewer samples than asked for: {stop}.")));
    Ok(answer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_agree_with_exact_numbers() {
        let run = Run::default();
        for (height, length) in [(1, 1), (2, 3), (3, 5), (5, 5), (7, 9)] {
            let exact = super::super::count::lengths(height, length, &run).unwrap();
            let log = super::super::formula::log10(&exact[length - 1]);
            let exact = 10f64.powf(log - (height * length) as f64 * 3f64.log10());
            let one = |random: &mut Random| share(height, length, random, &run);
            let mean = Mean::of(&draw(2000, &run, 64, one).0).unwrap();
            let off = (mean.ln.exp() / exact - 1.0).abs();
            assert!(off < 4.5 * mean.error + 1e-9, "{height}x{length}: {mean:?} {exact}");
        }
    }

    /// Long boards, whose shares no float holds: their logarithms grow by the same amount with
    /// every column.
    #[test]
    fn shares_below_all_floats() {
        let run = Run::default();
        let of = |length| {
            let one = |random: &mut Random| share(3, length, random, &run);
            Mean::of(&draw(60, &run, 64, one).0).unwrap()
        };
        let constants = super::super::recurrence::constants(3, 0, &run).unwrap();
        let a_column = constants.lambda.value().ln() - 3.0 * 3f64.ln();
        let long = of(20_000);
        assert!(long.ln < -1000.0, "{long:?}");
        // Most of a logarithm is certain; the spread of single runs grows with the root.
        let exact = 20_000.0 * a_column + constants.a.value().ln();
        assert!((long.ln - exact).abs() < 0.02 * exact.abs(), "{long:?} {exact}");
    }

    /// Table 4 at its ends; 18 is put right (6.7, not 6.6).
    #[test]
    #[ignore = "slow without optimisation"]
    fn estimates_of_table_4() {
        let run = Run::default();
        for (side, samples, known) in
            [(18, 20_000, 152.826), (19, 20_000, 170.3185), (29, 4000, 397.34), (99, 40, 4638.6)]
        {
            let one = |random: &mut Random| share(side, side, random, &run);
            let mean = Mean::of(&draw(samples, &run, 64, one).0).unwrap();
            let log10 = mean.times((side * side) as f64 * 3f64.ln()).log10();
            let allowed = if side < 99 { 0.02 + 2.0 * mean.error } else { 3.0 };
            assert!((log10 - known).abs() < allowed, "{side}: {log10} {mean:?}");
        }
    }

    #[test]
    fn games_agree_with_exact_numbers() {
        let run = Run::default();
        for (shape, known) in [("1x2", 9.0), ("1x3", 907.0), ("1x4", 2_098_407_841.0)] {
            let tree = Tree::new(&Board::parse(shape).unwrap(), false).unwrap();
            let one = |random: &mut Random| games(&tree.next, random, &run);
            let mean = Mean::of(&draw(1500, &run, 16, one).0).unwrap();
            let off = (mean.ln.exp() / known - 1.0).abs();
            assert!(off < 5.0 * mean.error + 1e-9, "{shape}: {mean:?}");
        }
    }

    /// A factor changes the logarithm of the mean and nothing else.
    #[test]
    fn means_of_any_size() {
        let logs: Vec<f64> = (1..=9).map(|k| f64::from(k).ln()).collect();
        let small = Mean::of(&logs).unwrap();
        assert!((small.ln.exp() - 5.0).abs() < 1e-12);
        // The variance of 1..9 is 7.5.
        assert!((small.error - (7.5f64 / 9.0).sqrt() / 5.0).abs() < 1e-12);
        for shift in [-1e4, 1e4] {
            let shifted: Vec<f64> = logs.iter().map(|ln| ln + shift).collect();
            let far = Mean::of(&shifted).unwrap();
            assert!((far.ln - small.ln - shift).abs() < 1e-9);
            assert!((far.error - small.error).abs() < 1e-9);
        }
        assert!(Mean::of(&[f64::NEG_INFINITY; 3]).is_none());
        assert!(Mean::of(&[f64::NEG_INFINITY, 0.0]).is_some());
        let (value, counts) = small.times(1e4).value("games");
        let Value::Estimated { mean, low, high, .. } = value else { panic!("{value:?}") };
        assert!(counts.contains("logarithm") && low < mean && mean < high && mean > 4343.0);
    }
}
