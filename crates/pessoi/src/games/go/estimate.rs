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
//! so they stay within floating-point numbers and their sum at the end is the share of legal
//! positions. On 19×19 one run spreads by 0.77 of the mean.
//!
//! **Games.** The tree is that of paths through the game graph, and the strata are the numbers
//! of positions that can still be reached (section 7.2). Weights are kept as logarithms.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::analyze::power_of_ten;
use super::count::{POSITIONS, sides};
use super::games::Tree;
use super::moves::{MOST_POINTS, Small};
use super::{Asked, Halt};
use crate::answer::{Answer, Value};
use crate::error::Error;
use pessoi_engine::random::Random;
use pessoi_engine::run::{Run, Stop};

/// The largest height: a string's number must fit in a byte.
const MOST_HEIGHT: usize = 120;
/// Runs unless told.
const SAMPLES: u64 = 1000;
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

/// One run: about which share of all colourings is legal.
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
    for _ in 0..length {
        run.check()?;
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
    Ok(strata[0].as_ref().map_or(0.0, |(weight, _)| *weight))
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

/// Mean and standard error.
fn summary(drawn: &[f64]) -> (f64, f64) {
    let n = drawn.len() as f64;
    let mean = drawn.iter().sum::<f64>() / n;
    let squares: f64 = drawn.iter().map(|x| (x - mean) * (x - mean)).sum();
    (mean, (squares / (n - 1.0) / n).sqrt())
}

/// Numbers are squared here, so they must have half the digits of the largest float.
const MOST_DIGITS: f64 = 150.0;
const LEAST_SHARE: f64 = 1e-150;

fn value(drawn: &[f64], scale: f64) -> (Value, f64, f64) {
    let (mean, error) = summary(drawn);
    let effective = drawn.iter().sum::<f64>().powi(2) / drawn.iter().map(|x| x * x).sum::<f64>();
    let value = Value::Estimated {
        mean: mean * scale,
        low: (mean - 1.96 * error).max(0.0) * scale,
        high: (mean + 1.96 * error) * scale,
        standard_error: error * scale,
        samples: drawn.len() as u64,
        effective_samples: effective,
    };
    (value, mean, error)
}

/// Answers `estimate`.
pub(super) fn estimate(asked: &Asked) -> Result<Answer, Halt> {
    let (board, run) = (asked.board()?, asked.run);
    let Some((height, length)) = sides(board).filter(|&(height, _)| height <= MOST_HEIGHT) else {
        return Err(Error::input(format!(
            "Legal positions are estimated on full rectangles of up to {MOST_HEIGHT} rows; {} is \
             none.",
            board.name()
        ))
        .into());
    };
    let samples = samples(asked)?;
    let one = |random: &mut Random| share(height, length, random, run);
    let (drawn, stopped) = draw(samples, run, BATCH, one);
    if drawn.len() < 2 {
        return Err(stopped.map_or(Error::internal("no samples").into(), Halt::Stop));
    }
    let all = board.len() as f64 * 3f64.log10();
    let fits = all < MOST_DIGITS;
    let scale = if fits { 10f64.powf(all) } else { 1.0 };
    let (value, mean, error) = value(&drawn, scale);
    // Squares of such small shares would be nothing at all.
    if mean < LEAST_SHARE {
        let why = "the share of legal positions is too small for floating-point numbers; \
                   analyze tells about how many there are";
        let value = Value::GaveUp { why: why.into() };
        return Ok(asked.answer(value, POSITIONS, "Chen's stratified sampling of borders"));
    }
    let counts = if fits { POSITIONS } else { "as the share of legal positions" };
    let mut answer = asked.answer(value, counts, "Chen's stratified sampling of borders");
    answer.seed = Some(run.budget().seed);
    answer.notes.push(format!(
        "About {mean:.5e} of all 3^{} colourings are legal, which makes {} legal positions, give \
         or take {:.2} %.",
        board.len(),
        power_of_ten(all + mean.log10()),
        100.0 * error / mean
    ));
    answer.notes.extend(stopped.map(|stop| format!("Fewer samples than asked for: {stop}.")));
    Ok(answer)
}

fn samples(asked: &Asked) -> Result<u64, Error> {
    match asked.question.number("samples") {
        Some(1) => Err(Error::input("--samples 1 tells nothing of the error: take 2 or more.")),
        other => Ok(other.unwrap_or(SAMPLES)),
    }
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
const MOST: usize = 20_000;

/// Answers `estimate --games`.
pub(super) fn estimate_games(asked: &Asked) -> Result<Answer, Halt> {
    let (board, run) = (asked.board()?, asked.run);
    let small = Small::new(board)?;
    if small.positions().take(MOST + 1).count() > MOST {
        return Err(Error::input(format!(
            "Games are estimated on boards with up to {MOST} legal positions (3x3 and 1x10 are); \
             {} has more, of up to {MOST_POINTS} points.",
            board.name()
        ))
        .into());
    }
    let tree = Tree::new(board, super::games::situational(asked))?;
    let one = |random: &mut Random| games(&tree.next, random, run);
    let (drawn, stopped) = draw(samples(asked)?, run, 2 * run.budget().threads as u64, one);
    if drawn.len() < 2 {
        return Err(stopped.map_or(Error::internal("no samples").into(), Halt::Stop));
    }
    let method = "Chen's stratified sampling of paths";
    let logs: Vec<f64> = drawn.iter().map(|ln| ln / std::f64::consts::LN_10).collect();
    let most = logs.iter().copied().fold(f64::MIN, f64::max);
    let mut answer = if most < MOST_DIGITS {
        let values: Vec<f64> = logs.iter().map(|log| 10f64.powf(*log)).collect();
        asked.answer(value(&values, 1.0).0, "games", method)
    } else {
        asked.answer(value(&logs, 1.0).0, "decimal digits in the number of games", method)
    };
    let (mean, error) = summary(&logs);
    let spread = error * (logs.len() as f64).sqrt();
    let least = logs.iter().copied().fold(f64::MAX, f64::min);
    answer.seed = Some(run.budget().seed);
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
    use crate::board::Board;

    #[test]
    fn shares_agree_with_exact_numbers() {
        let run = Run::default();
        for (height, length) in [(2, 3), (3, 5), (5, 5), (7, 9)] {
            let exact = super::super::count::lengths(height, length, &run).unwrap();
            let log = super::super::formula::log10(&exact[length - 1]);
            let exact = 10f64.powf(log - (height * length) as f64 * 3f64.log10());
            let one = |random: &mut Random| share(height, length, random, &run);
            let (drawn, _) = draw(2000, &run, 64, one);
            let (mean, error) = summary(&drawn);
            assert!(
                (mean - exact).abs() < 4.5 * error + 1e-12,
                "{height}x{length}: {mean} {exact}"
            );
        }
    }

    #[test]
    fn games_agree_with_exact_numbers() {
        let run = Run::default();
        for (shape, known) in [("1x2", 9.0), ("1x3", 907.0), ("1x4", 2_098_407_841.0)] {
            let tree = Tree::new(&Board::parse(shape).unwrap(), false).unwrap();
            let one = |random: &mut Random| games(&tree.next, random, &run);
            let drawn: Vec<f64> = draw(1500, &run, 16, one).0.iter().map(|ln| ln.exp()).collect();
            let (mean, error) = summary(&drawn);
            assert!((mean - known).abs() < 5.0 * error + 1e-9 * known, "{shape}: {mean} ± {error}");
        }
    }
}
