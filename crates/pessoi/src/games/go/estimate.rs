//! `estimate`: positions and games, by stratified sampling.
//!
//! Both estimates here use Chen's heuristic sampling ([`pessoi_engine::search::chen()`]): of
//! each *stratum* of a tree one node is kept, with a weight.
//!
//! **Positions.** The tree is that of borders, point by point, and the strata are the numbers
//! of needy strings, as in the paper (section 5.8). Weights are divided by three at each point,
//! so their sum at the end is the share of legal positions. On 19×19 one run spreads by 0.77 of
//! the mean.
//!
//! **Games.** The tree is that of paths through the game graph, and the strata are the numbers
//! of positions that can still be reached (section 7.2).
//!
//! Numbers may be far outside of what a float can hold: 10^4638 positions on 99×99, 10^1100
//! games on 3×3.

use super::count::{POSITIONS, games_subject};
use super::games::Tree;
use super::methods::{CHEN_BORDERS, CHEN_GAMES};
use crate::answer::{Answer, Value};
use crate::board::Board;
use crate::job::{Asked, Work};
use crate::plan::Plan;
use crate::table::Datum;
use pessoi_engine::ledger::{Chapter, Ledger};
use pessoi_engine::random::Random;
use pessoi_engine::run::{Run, Stop};
use pessoi_engine::search::{Children, Estimate, Levels, Ranked, Sample, Strata, chen, draw};
use std::f64::consts::LN_10;

/// The largest height: a string's number must fit in a byte.
pub(super) const MOST_HEIGHT: usize = 120;
const EDGE: u8 = 0;
const EMPTY: u8 = 1;
/// A free black stone; one more is a white one.
const FREE: u8 = 2;
/// A black stone of the first needy string; two more for each further string.
const NEEDY: u8 = 4;

/// A border of fewer than N points: a code for each, and the stones of each needy string; then
/// the point that comes next.
#[derive(Clone)]
struct Border<const N: usize> {
    points: [u8; N],
    stones: [u8; N],
    needy: usize,
    row: u32,
    column: u32,
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
    #[expect(clippy::inline_always, reason = "the inner loop of sampling")]
    #[inline(always)]
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
    #[expect(clippy::inline_always, reason = "the inner loop of sampling")]
    #[inline(always)]
    fn after(&self, row: usize, height: usize, effect: Effect) -> Border<N> {
        let mut next = self.clone();
        next.row += 1;
        if next.row as usize == height {
            (next.row, next.column) = (0, next.column + 1);
        }
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
fn share(height: usize, length: usize, random: &mut Random, run: &Run) -> Result<Sample, Stop> {
    // Borders are copied all the time, so small boards get small ones.
    if height < 24 {
        chen(&Borders::<24> { height, length }, random, run)
    } else {
        chen(&Borders::<{ MOST_HEIGHT + 1 }> { height, length }, random, run)
    }
}

/// The tree of borders, point by point. A border stands for its share of all colourings.
struct Borders<const N: usize> {
    height: usize,
    length: usize,
}

impl<const N: usize> Strata for Borders<N> {
    type Node = Border<N>;
    /// By the number of needy strings.
    type Shelves = Levels<Border<N>>;
    const OFFERS_A_LOOK: u64 = 1024;

    fn shelves(&self) -> Levels<Border<N>> {
        Levels::new(self.height + 2)
    }

    fn root(&self) -> (usize, Border<N>) {
        (0, Border { points: [EDGE; N], stones: [0; N], needy: 0, row: 0, column: 0 })
    }

    #[expect(clippy::inline_always, reason = "the inner loop of sampling")]
    #[inline(always)]
    fn read(&self, border: &mut Border<N>, children: &mut Children<Self>) -> Result<f64, Stop> {
        let row = border.row as usize;
        if border.column as usize == self.length {
            // Without needy strings the position is legal.
            return Ok(if border.needy == 0 { 1.0 } else { 0.0 });
        }
        for choice in 0..3 {
            let Some(effect) = border.effect(row, choice) else { continue };
            children.offer(effect.needy, 1.0 / 3.0, |place| {
                *place = Some(border.after(row, self.height, effect));
            })?;
        }
        Ok(0.0)
    }
}

/// Plans an estimate of positions.
pub(super) fn plan_positions(
    asked: &Asked,
    (height, length): (usize, usize),
    samples: u64,
) -> Plan {
    let why = "one border of each stratum is followed";
    let mut plan = Plan::new(asked.question, &CHEN_BORDERS, why);
    let points = (height * length) as f64;
    let seconds = samples as f64 * points * height as f64 * A_STRATUM * 1e-9;
    plan.seconds = Some(seconds / asked.run.budget().threads as f64);
    plan.note(format!("Time from {A_STRATUM} ns for each row, point and sample."))
}

/// Nanoseconds for each row, point and sample of an estimate.
const A_STRATUM: f64 = 80.0;

/// Estimates the number of positions.
pub(super) fn positions(
    asked: &Asked,
    board: &Board,
    (height, length): (usize, usize),
    samples: u64,
    ledger: &Ledger,
) -> Work<Answer> {
    let run = asked.run;
    let chapter = ledger.chapter("samples");
    let share = drawn(samples, &chapter, run, |random| share(height, length, random, run))?.0;
    let legal = share.clone().scaled_by(board.len() as f64 * 3f64.ln());
    let value = Value::estimated(&legal, "a legal position");
    let mut answer = asked.answer(&POSITIONS, value, &CHEN_BORDERS).with_samples(run);
    if !share.is_zero() {
        answer.fact(
            "share",
            "share of all colourings that is legal, about",
            Datum::Decimal(small_power_of_ten(share.log10())),
        );
    }
    Ok(answer)
}

/// Draws samples: what they say together, and each. At least two are needed.
fn drawn(
    samples: u64,
    chapter: &Chapter,
    run: &Run,
    one: impl Fn(&mut Random) -> Result<Sample, Stop> + Sync,
) -> Work<(Estimate, Vec<Sample>)> {
    let (drawn, stopped) = draw(samples, run, chapter, one);
    match stopped {
        Some(stop) if drawn.len() < 2 => Err(stop.into()),
        stopped => Ok((Estimate::of(&drawn, stopped), drawn)),
    }
}

/// A share as people write it: 0.01196, or 2.302e-38.
fn small_power_of_ten(log10: f64) -> String {
    if log10 > -3.0 {
        return format!("{:.5}", 10f64.powf(log10));
    }
    format!("{:.3}e{:.0}", 10f64.powf(log10 - log10.floor()), log10.floor())
}

/// The tree of games. Every node is a game that ends there.
struct Games<'g> {
    next: &'g [Vec<u32>],
}

impl Strata for Games<'_> {
    /// The position, and those that can be reached from it.
    type Node = (u32, Vec<u64>);
    /// By the number of those that can be reached, which falls with every move.
    type Shelves = Ranked<(u32, Vec<u64>)>;
    const OFFERS_A_LOOK: u64 = 1;

    fn shelves(&self) -> Self::Shelves {
        Ranked::default()
    }

    fn heap_bytes(&self) -> usize {
        8 * self.next.len().div_ceil(64)
    }

    fn root(&self) -> ((u64, u64), (u32, Vec<u64>)) {
        let mut all = vec![0u64; self.next.len().div_ceil(64)];
        (1..self.next.len()).for_each(|node| all[node / 64] |= 1 << (node % 64));
        ((self.next.len() as u64 - 1, 0), (0, all))
    }

    fn read(
        &self,
        (node, free): &mut (u32, Vec<u64>),
        children: &mut Children<Self>,
    ) -> Result<f64, Stop> {
        for &to in &self.next[*node as usize] {
            let (word, bit) = (to as usize / 64, 1 << (to % 64));
            if free[word] & bit == 0 {
                continue;
            }
            free[word] ^= bit;
            let reached = reach(self.next, to, free);
            free[word] ^= bit;
            let size = reached.iter().map(|word| u64::from(word.count_ones())).sum();
            children.offer((size, 0), 1.0, |place| *place = Some((to, reached)))?;
        }
        Ok(1.0)
    }
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

/// Nanoseconds for two moves, one of each of two positions: for each sample, what can be
/// reached is found for each move of each stratum.
const A_PAIR_OF_MOVES: f64 = 2.5;

/// Plans an estimate of games.
pub(super) fn plan_games(
    asked: &Asked,
    board: &Board,
    situational: bool,
    samples: u64,
) -> crate::Result<Plan> {
    let tree = Tree::new(board, situational)?;
    let why = "one game of each stratum is followed";
    let mut plan = Plan::new(asked.question, &CHEN_GAMES, why);
    let moves: usize = tree.next.iter().map(Vec::len).sum();
    plan.states = Some(tree.next.len() as f64);
    let seconds = samples as f64 * (moves as f64).powi(2) * A_PAIR_OF_MOVES * 1e-9;
    plan.seconds = Some(seconds / asked.run.budget().threads as f64);
    Ok(plan.note(format!(
        "Time from {A_PAIR_OF_MOVES} ns for each pair of the {moves} moves, and sample."
    )))
}

/// What samples say of the number of games.
pub(super) fn games_of(tree: &Tree, samples: u64, run: &Run) -> Work<Estimate> {
    let games = Games { next: &tree.next };
    Ok(drawn(samples, &Chapter::unkept(), run, |random| chen(&games, random, run))?.0)
}

/// Estimates the number of games.
pub(super) fn games(
    asked: &Asked,
    board: &Board,
    situational: bool,
    samples: u64,
    ledger: &Ledger,
) -> Work<Answer> {
    let run = asked.run;
    let tree = Tree::new(board, situational)?;
    let games = Games { next: &tree.next };
    // There is always the game of no moves, so no sample is zero.
    let chapter = ledger.chapter("samples");
    let (all, each) = drawn(samples, &chapter, run, |random| chen(&games, random, run))?;
    let value = Value::estimated(&all, "a game");
    let subject = games_subject(situational);
    let mut answer = asked.answer(&subject, value, &CHEN_GAMES).with_samples(run);
    let logs: Vec<f64> = each.iter().map(|sample| sample.ln / LN_10).collect();
    let n = logs.len() as f64;
    let mean = logs.iter().sum::<f64>() / n;
    let spread = (logs.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / (n - 1.0)).sqrt();
    let most = logs.iter().copied().fold(f64::MIN, f64::max);
    let least = logs.iter().copied().fold(f64::MAX, f64::min);
    answer.fact("digits", "decimal logarithm of the estimate", all.log10());
    answer.fact("digits-least", "decimal logarithm of the smallest sample", least);
    answer.fact("digits-most", "decimal logarithm of the largest sample", most);
    answer.fact("digits-average", "decimal logarithm of a sample, average", mean);
    answer.fact("digits-spread", "decimal logarithm of a sample, standard deviation", spread);
    answer.notes.push(
        "Single samples are rarely far too large and mostly too small, so the true number may \
         well be larger."
            .into(),
    );
    Ok(answer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_agree_with_exact_numbers() {
        let run = Run::default();
        for (height, length) in [(1, 1), (2, 3), (3, 5), (5, 5), (7, 9)] {
            let exact = super::super::rectangle::lengths(height, length, &run).unwrap();
            let log = super::super::formula::log10(&exact[length - 1]);
            let exact = 10f64.powf(log - (height * length) as f64 * 3f64.log10());
            let one = |random: &mut Random| share(height, length, random, &run);
            let mean = Estimate::of(&draw(2000, &run, &Chapter::unkept(), one).0, None);
            let off = (mean.mean() / exact - 1.0).abs();
            assert!(off < 4.5 * mean.relative_error + 1e-9, "{height}x{length}: {mean:?} {exact}");
        }
    }

    /// Long boards, whose shares no float holds: their logarithms grow by the same amount with
    /// every column.
    #[test]
    fn shares_below_all_floats() {
        let run = Run::default();
        let of = |length| {
            let one = |random: &mut Random| share(3, length, random, &run);
            Estimate::of(&draw(60, &run, &Chapter::unkept(), one).0, None)
        };
        let constants = super::super::recurrence::constants(3, 0, &run).unwrap();
        let a_column = constants.lambda.value().ln() - 3.0 * 3f64.ln();
        let long = of(20_000);
        assert!(long.ln_mean < -1000.0, "{long:?}");
        // Most of a logarithm is certain; the spread of single runs grows with the root.
        let exact = 20_000.0 * a_column + constants.a.value().ln();
        assert!((long.ln_mean - exact).abs() < 0.02 * exact.abs(), "{long:?} {exact}");
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
            let mean = Estimate::of(&draw(samples, &run, &Chapter::unkept(), one).0, None);
            let log10 = mean.clone().scaled_by((side * side) as f64 * 3f64.ln()).log10();
            let allowed = if side < 99 { 0.02 + 2.0 * mean.relative_error } else { 3.0 };
            assert!((log10 - known).abs() < allowed, "{side}: {log10} {mean:?}");
        }
    }

    #[test]
    fn games_agree_with_exact_numbers() {
        let run = Run::default();
        for (shape, known) in [("1x2", 9.0), ("1x3", 907.0), ("1x4", 2_098_407_841.0)] {
            let tree = Tree::new(&Board::parse(shape).unwrap(), false).unwrap();
            let one = |random: &mut Random| chen(&Games { next: &tree.next }, random, &run);
            let mean = Estimate::of(&draw(1500, &run, &Chapter::unkept(), one).0, None);
            let off = (mean.mean() / known - 1.0).abs();
            assert!(off < 5.0 * mean.relative_error + 1e-9, "{shape}: {mean:?}");
        }
    }

    /// They used to stand under the name of the number.
    #[test]
    fn numbers_that_no_float_holds_are_given_by_their_logarithms() {
        let samples: Vec<Sample> =
            (1..=50).map(|k| Sample { ln: 1e4 + f64::from(k).ln(), ln_tree: 0.0 }).collect();
        let value = Value::estimated(&Estimate::of(&samples, None), "a game");
        let Value::Estimated(found) = value else { panic!("{value:?}") };
        let about = found.interval.unwrap();
        assert!(found.mean.is_none() && about.low.is_none() && about.high.is_none());
        assert!(about.log10_low < found.log10_mean);
        assert!(found.log10_mean < about.log10_high && found.log10_mean > 4343.0);
    }
}
