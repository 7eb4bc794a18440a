//! What can be said of boards without counting, and of the formula for all of them.

use num_bigint::BigUint;

use super::border::{MOST_COUNTED, valid_classes};
use super::count::{Engine, bytes, engine, lengths, rectangle, sides};
use super::formula::{Fixed, Formula, log10};
use super::matrix::LEAST_HEIGHT;
use super::{Asked, Halt};
use crate::answer::{Answer, Table, Value};
use crate::board::Board;
use crate::error::{Error, Result};
use pessoi_engine::run::{Bytes, Run};

/// The border-state classes of all heights: Table 1.
pub(super) fn borders(asked: &Asked, most: usize) -> Answer {
    let mut table = Table::new(
        "Valid classes of borders",
        &["height", "between columns", "before a column's last point"],
    );
    for height in 1..=most {
        let (least, largest) = (valid_classes(height, 0), valid_classes(height, height - 1));
        table.rows.push(vec![height.to_string(), least.to_string(), largest.to_string()]);
    }
    let value = Value::exact(BigUint::from(valid_classes(most, most - 1)));
    let counts = format!("valid classes of borders of height {most} before a column's last point");
    let mut answer = asked.answer(value, &counts, "balanced paths");
    answer.tables.push(table);
    answer
}

/// The largest square that the formula is fitted to: 14×15 takes long, but can be had.
pub(super) const MOST_FITTED: usize = 14;

/// The constants from squares up to this one: Table 6 and the accuracy of the formula.
pub(super) fn formula(asked: &Asked, most: usize) -> Result<Answer, Halt> {
    let run = asked.run;
    let (mut squares, mut between) = (Vec::new(), Vec::new());
    for n in 1..=most {
        let engine = if n >= LEAST_HEIGHT { Engine::Matrix } else { Engine::Table };
        super::count::check_room(engine, n, n + 1, run)?;
        // The square of the strip comes on the way to the rectangle.
        let two = if n <= 9 {
            let all = lengths(n, n + 1, run)?;
            [all[n - 1].clone(), all[n].clone()]
        } else {
            [n, n + 1]
                .map(|length| rectangle(n, length, engine, None, run).map(|c| c.total))
                .into_iter()
                .collect::<Result<Vec<_>, _>>()?
                .try_into()
                .map_err(|_| Error::internal("two numbers are two"))?
        };
        let [square, next] = two;
        squares.push(square);
        between.push(next);
    }
    let fits: Vec<Formula> =
        (1..most).map(|n| Formula::new(n, &squares[n - 1], &between[n - 1], &squares[n])).collect();
    let best = &fits[fits.len() - 1];
    let mut convergence = Table::new(
        "Convergence: L(n,n) L(n+1,n+1) / L(n,n+1)²",
        &["n", "base of liberties", "B", "A"],
    );
    for (n, fit) in (1..).zip(&fits) {
        let row = [&fit.base, &fit.b, &fit.a].map(|number| number.digits(22));
        convergence.rows.push(std::iter::once(n.to_string()).chain(row).collect());
    }
    let mut accuracy = Table::new(
        "Accuracy of A B^(m+n) L^(mn) with the last of these constants",
        &["board", "formula / exact number"],
    );
    for n in 1..=most {
        let ratio = best.about(n, n).over(&Fixed::ratio(&squares[n - 1], &BigUint::from(1u8)));
        accuracy.rows.push(vec![format!("{n}x{n}"), ratio.digits(18)]);
    }
    let value = Value::exact(most as u64);
    let counts = "squares that the formula was fitted to";
    let mut answer = asked.answer(value, counts, "matrix");
    answer.notes.push(format!(
        "L(m, n) is about A B^(m+n) L^(mn) with L = {}, B = {}, A = {}.",
        settled(&fits, |fit| &fit.base),
        settled(&fits, |fit| &fit.b),
        settled(&fits, |fit| &fit.a)
    ));
    answer.notes.push(
        "Shown are the digits that the last two rows share. That there are such limits is a \
         conjecture, but for the base itself."
            .into(),
    );
    answer.tables = vec![convergence, accuracy];
    Ok(answer)
}

/// The last of some numbers, with the digits in which the last two agree.
fn settled(fits: &[Formula], of: impl Fn(&Formula) -> &Fixed) -> String {
    let (last, before) = (of(&fits[fits.len() - 1]), of(&fits[fits.len() - 2]));
    last.digits(last.apart(before).zeros().max(1))
}

/// What is known of a board beforehand.
pub(super) fn board(asked: &Asked, board: &Board) -> Result<Answer, Halt> {
    let run = asked.run;
    let mut facts = Table::new("The board", &["what", "value"]);
    let mut note = None;
    let mut fact = |what: &str, value: String| facts.rows.push(vec![what.to_owned(), value]);
    fact("points", board.len().to_string());
    fact(
        "colourings",
        format!("3^{} = {}", board.len(), power_of_ten(board.len() as f64 * 3f64.log10())),
    );
    if let Some((height, length)) = sides(board) {
        if height <= MOST_COUNTED {
            let most = valid_classes(height, height - 1);
            fact("classes of borders", format!("{} to {most}", valid_classes(height, 0)));
            let engine = engine(asked, board)?;
            let bytes = u64::try_from(bytes(engine, height))
                .map_or("over 16 EiB".into(), |b| Bytes(b).to_string());
            fact("tables to count", format!("{bytes} by {}", engine.name()));
        }
        let (legal, by_formula) = legal_log10(height, length, run)?;
        fact("legal positions", format!("about {}", power_of_ten(legal)));
        if by_formula {
            note = Some(format!(
                "Numbers of legal positions here are by the asymptotic formula, fitted to \
                 {0}×{0}, {0}×{1} and {1}×{1}.",
                Formula::FITTED,
                Formula::FITTED + 1
            ));
        }
        if let Some((low, high)) = theorem_3(height, length) {
            fact("by theorem 3", format!("{} to {}", at_least(low), at_most(high)));
        }
        // Room for what the formula may be off by.
        let off = if by_formula { 1e-3 + 1e-6 * board.len() as f64 } else { 0.0 };
        let legal = legal + off / std::f64::consts::LN_10;
        for (what, value) in game_bounds(height, length, legal) {
            fact(what, value);
        }
    }
    let mut answer = asked.answer(Value::exact(board.len()), "points of the board", "inspection");
    answer.tables.push(facts);
    answer.notes.extend(note);
    Ok(answer)
}

/// The decimal logarithm of the number of legal positions, counted if that is quick; and
/// whether it is by the formula instead.
pub(super) fn legal_log10(height: usize, length: usize, run: &Run) -> Result<(f64, bool), Halt> {
    if height <= Formula::FITTED && length <= 100 {
        let all = lengths(height, length, run)?;
        return Ok((all.last().map_or(0.0, log10), false));
    }
    if height < LEAST_HEIGHT {
        let one = super::recurrence::constants(height, 0, run)?;
        return Ok((one.a.value().log10() + length as f64 * one.lambda.value().log10(), false));
    }
    Ok((Formula::fitted(Formula::FITTED, run)?.log10(height, length), true))
}

/// A power of ten as people write it: 2.08·10^170.
pub(super) fn power_of_ten(log10: f64) -> String {
    written(log10, f64::round)
}

/// The same, for a bound from below.
fn at_least(log10: f64) -> String {
    // What is lost in logarithms is far less than a digit that is shown, but may lie across it.
    written(log10 - log10.abs() * 1e-14 - 1e-14, f64::floor)
}

/// The same, for a bound from above.
fn at_most(log10: f64) -> String {
    written(log10 + log10.abs() * 1e-14 + 1e-14, f64::ceil)
}

fn written(log10: f64, round: fn(f64) -> f64) -> String {
    if log10 < 6.0 {
        return format!("{:.0}", round(10f64.powf(log10)));
    }
    let mut mantissa = round(10f64.powf(log10.fract()) * 1000.0) / 1000.0;
    let mut exponent = log10.floor();
    if mantissa >= 10.0 {
        mantissa /= 10.0;
        exponent += 1.0;
    }
    format!("{mantissa:.3}·10^{exponent:.0}")
}

/// Decimal logarithms of the bounds of theorem 3, where it applies.
pub(super) fn theorem_3(m: usize, n: usize) -> Option<(f64, f64)> {
    if !m.is_multiple_of(5) || !n.is_multiple_of(5) {
        return None;
    }
    let (points, rim) = ((m * n) as f64, (2 * (m + n)) as f64);
    let rim_factor = rim / 5.0 * (1.0f64 - 2.0 / 81.0).log10();
    let low = 0.8 * points * 3f64.log10() + rim_factor;
    let inner = (points - rim) / 5.0 * (1.0f64 - 2.0 / 243.0).log10();
    Some((low, points * 3f64.log10() + rim_factor + inner))
}

/// What is proved about the number of games, as sentences' ends: bounds from above are rounded
/// up, those from below down. `legal` is the decimal logarithm of the number of positions.
pub(super) fn game_bounds(height: usize, length: usize, legal: f64) -> Vec<(&'static str, String)> {
    let points = (height * length) as f64;
    let mut bounds = Vec::new();
    if points > 1.0 {
        // (mn)^L: its logarithm is L log(mn).
        let digits = legal + points.log10().log10();
        bounds.push(("games, at most (theorem 7)", format!("10^({})", at_most(digits))));
    }
    if height == 1 && length >= 2 {
        bounds.push(("games, at least (theorem 9)", format!("2^(2^{})", length - 1)));
    }
    if height == length && height % 4 == 3 {
        // The partition of Figure 14: two combs of k points and l points between them.
        let n = height;
        let k = n - 1 + (n - 2) * (n + 1) / 4;
        let l = 2 + (n - 2) * (n - 1) / 2;
        let factorial: f64 = (1..=k).map(|i| (i as f64).log10()).sum();
        let digits = factorial.log10() + (l - 1) as f64 * 2f64.log10();
        bounds.push((
            "games, at least (theorem 8)",
            format!("({k}!)^(2^{}) > 10^({})", l - 1, at_least(digits)),
        ));
    }
    bounds
}
