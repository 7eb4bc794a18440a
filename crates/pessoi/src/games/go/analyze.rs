//! `analyze`: what can be said of boards without counting, of the formula for all of them, of
//! borders, and of single positions.

use num_bigint::BigUint;

use super::border::{MOST_COUNTED, valid_classes};
use super::count::{Much, predicted};
use super::formula::{Fixed, Formula, log10};
use super::methods::{BALANCED_PATHS, FIT, INSPECTION};
use super::position::{BLACK, breathless};
use super::rectangle::{Engine, lengths, rectangle, sides};
use super::sample::shown;
use crate::answer::{Answer, Subject, Value};
use crate::board::Board;
use crate::error::Error;
use crate::job::{Asked, Events, Work};
use crate::plan::Plan;
use crate::table::{Datum, DatumKind, Table};
use pessoi_engine::run::{Bytes, Run};

/// What is known of a board.
pub(super) const BOARD: Subject = Subject::measure("board", "what is known of the board");
/// The formula.
pub(super) const FORMULA: Subject = Subject::measure("formula", "the asymptotic formula");
/// Strings that make a position illegal.
pub(super) const BREATHLESS: Subject = Subject::things(
    "strings-without-a-liberty",
    "string without a liberty",
    "strings without a liberty",
);

/// Borders of a height.
pub(super) fn borders_subject(height: usize) -> Subject {
    Subject::things("border-classes", "valid class of borders", "valid classes of borders")
        .which(&format!("of height {height} before a column's last point"))
}

/// Plans an inspection.
pub(super) fn plan(asked: &Asked) -> Plan {
    Plan::new(asked.question, &INSPECTION, "nothing is searched")
}

/// Plans numbers of borders.
pub(super) fn plan_borders(asked: &Asked) -> Plan {
    Plan::new(asked.question, &BALANCED_PATHS, "borders are counted and not listed")
}

/// The border-state classes of all heights: Table 1.
pub(super) fn borders(asked: &Asked, most: usize) -> Answer {
    let mut table = Table::new(
        "borders",
        "Valid classes of borders",
        &[
            ("height", "height", DatumKind::Integer),
            ("between", "between columns", DatumKind::Integer),
            ("before-last", "before a column's last point", DatumKind::Integer),
        ],
    );
    for height in 1..=most {
        let (least, largest) = (valid_classes(height, 0), valid_classes(height, height - 1));
        table.push([height.into(), least.into(), largest.into()]);
    }
    let value = Value::exact(BigUint::from(valid_classes(most, most - 1)));
    let mut answer = asked.answer(&borders_subject(most), value, &BALANCED_PATHS);
    answer.tables.push(table);
    answer
}

/// The largest square that the formula is fitted to: 14×15 takes long, but can be had.
pub(super) const MOST_FITTED: usize = 14;

/// Plans the formula.
pub(super) fn plan_formula(asked: &Asked, most: usize) -> Plan {
    let why = "squares and the rectangles between them are counted, each by the best engine";
    let plan = Plan::new(asked.question, &FIT, why);
    let mut plan =
        predicted(plan, (most, most + 1), Engine::of_height(most), Much::Number, asked.run);
    // The square and the rectangle beside it, and all smaller ones for a quarter more.
    plan.seconds = plan.seconds.map(|seconds| 2.5 * seconds);
    plan.borders = plan.borders.map(|borders| 2.5 * borders);
    plan
}

/// The constants from squares up to this one: Table 6 and the accuracy of the formula.
pub(super) fn formula(asked: &Asked, most: usize) -> Work<Answer> {
    let run = asked.run;
    Engine::of_height(most).check_room(most, run)?;
    let (mut squares, mut between) = (Vec::new(), Vec::new());
    for n in 1..=most {
        // The square of the strip comes on the way to the rectangle.
        let [square, next] = if n <= 9 {
            let all = lengths(n, n + 1, run)?;
            [all[n - 1].clone(), all[n].clone()]
        } else {
            let of = |length| rectangle(n, length, Engine::of_height(n), None, run);
            [of(n)?.total, of(n + 1)?.total]
        };
        squares.push(square);
        between.push(next);
    }
    let fits: Vec<Formula> =
        (1..most).map(|n| Formula::new(n, &squares[n - 1], &between[n - 1], &squares[n])).collect();
    let [.., before, best] = &fits[..] else {
        return Err(Error::internal("a formula from fewer than three squares").into());
    };
    let mut convergence = Table::new(
        "convergence",
        "Convergence: L(n,n) L(n+1,n+1) / L(n,n+1)²",
        &[
            ("n", "n", DatumKind::Integer),
            ("base", "base of liberties", DatumKind::Decimal),
            ("b", "B", DatumKind::Decimal),
            ("a", "A", DatumKind::Decimal),
        ],
    );
    for (n, fit) in (1u32..).zip(&fits) {
        let [base, b, a] =
            [&fit.base, &fit.b, &fit.a].map(|number| Datum::Decimal(number.digits(22)));
        convergence.push([n.into(), base, b, a]);
    }
    let mut accuracy = Table::new(
        "accuracy",
        "Accuracy of A B^(m+n) L^(mn) with the last of these constants",
        &[
            ("board", "board", DatumKind::Text),
            ("ratio", "formula / exact number", DatumKind::Decimal),
        ],
    );
    for n in 1..=most {
        let ratio = best.about(n, n).over(&Fixed::ratio(&squares[n - 1], &BigUint::from(1u8)));
        accuracy.push([format!("{n}x{n}").into(), Datum::Decimal(ratio.digits(18))]);
    }
    let mut answer = asked.answer(&FORMULA, Value::Described {}, &FIT);
    for (id, text, last, earlier) in [
        ("base", "base of liberties L", &best.base, &before.base),
        ("b", "B", &best.b, &before.b),
        ("a", "A", &best.a, &before.a),
    ] {
        // The digits in which the last two agree.
        let digits = last.digits(last.apart(earlier).zeros().max(1));
        answer.fact(id, text, Datum::Decimal(digits));
    }
    answer.notes.push(
        "L(m, n) is about A B^(m+n) L^(mn). The constants have the digits that the last two rows \
         of the first table share. That there are such limits is a conjecture, except for the \
         base itself."
            .into(),
    );
    answer.tables = vec![convergence, accuracy];
    Ok(answer)
}

/// What is known of a board beforehand.
pub(super) fn board(asked: &Asked, board: &Board) -> Work<Answer> {
    let run = asked.run;
    let mut answer = asked.answer(&BOARD, Value::Described {}, &INSPECTION);
    answer.fact("points", "points", board.len());
    answer.fact("colourings", "colourings, about", power_of_ten(board.len() as f64 * 3f64.log10()));
    if let Some((height, length)) = sides(board) {
        if height <= MOST_COUNTED {
            let (least, most) = (valid_classes(height, 0), valid_classes(height, height - 1));
            answer.fact("borders-between-columns", "classes of borders between columns", least);
            answer.fact("borders-most", "classes of borders, at most", most);
            let engine = Engine::of(board);
            let bytes = engine.bytes(height);
            answer.fact("engine", "engine that would count", engine.method().id);
            answer.fact("table-bytes", "bytes of tables to count", bytes);
            if let Ok(bytes) = u64::try_from(bytes) {
                answer.fact("tables", "tables to count", Bytes(bytes).to_string());
            }
        }
        let (legal, by_formula) = legal_log10(height, length, run)?;
        answer.fact("legal-positions", "legal positions, about", power_of_ten(legal));
        answer.fact("legal-positions-by-formula", "by the asymptotic formula", by_formula);
        if by_formula {
            answer.notes.push(format!(
                "The number of legal positions is by the asymptotic formula, fitted to {0}×{0}, \
                 {0}×{1} and {1}×{1}.",
                Formula::FITTED,
                Formula::FITTED + 1
            ));
        }
        if let Some((low, high)) = theorem_3(height, length) {
            let text = "legal positions, at least (theorem 3)";
            answer.fact("legal-positions-at-least", text, at_least(low));
            let text = "legal positions, at most (theorem 3)";
            answer.fact("legal-positions-at-most", text, at_most(high));
        }
        // Room for what the formula may be off by.
        let off = if by_formula { 1e-3 + 1e-6 * board.len() as f64 } else { 0.0 };
        let legal = legal + off / std::f64::consts::LN_10;
        for (id, text, bound) in game_bounds(height, length, legal) {
            answer.fact(id, text, bound);
        }
    }
    Ok(answer)
}

/// Whether a position is legal.
pub(super) fn judge(
    asked: &Asked,
    board: &Board,
    colours: &[u8],
    events: &mut dyn Events,
) -> Answer {
    let without = breathless(board, colours);
    let _ = events.solution(shown(board, colours));
    let value = Value::exact(without.len());
    let mut answer = asked.answer(&BREATHLESS, value, &INSPECTION);
    answer.fact("legal", "the position is legal", without.is_empty());
    if !without.is_empty() {
        let mut table = Table::new(
            "strings",
            "Stones of strings without a liberty",
            &[
                ("string", "string", DatumKind::Integer),
                ("colour", "colour", DatumKind::Text),
                ("point", "point", DatumKind::Cell),
            ],
        );
        for (number, string) in (1u32..).zip(without) {
            let colour = if string.colour == BLACK { "black" } else { "white" };
            let mut points = string.points;
            points.sort_unstable();
            for point in points {
                table.push([number.into(), colour.into(), board.cell(point).into()]);
            }
        }
        answer.tables.push(table);
    }
    answer
}

/// The decimal logarithm of the number of legal positions, counted if that is quick; and
/// whether it is by the formula instead.
pub(super) fn legal_log10(height: usize, length: usize, run: &Run) -> Work<(f64, bool)> {
    if height <= Formula::FITTED && length <= 100 {
        let all = lengths(height, length, run)?;
        return Ok((all.last().map_or(0.0, log10), false));
    }
    if Engine::of_height(height) == Engine::Table {
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

/// A bound: an id, words, and what it says.
pub(super) type Bound = (&'static str, &'static str, String);

/// What is proved about the number of games: bounds from above are rounded up, those from
/// below down. `legal` is the decimal logarithm of the number of positions.
pub(super) fn game_bounds(height: usize, length: usize, legal: f64) -> Vec<Bound> {
    let points = (height * length) as f64;
    let mut bounds = Vec::new();
    if points > 1.0 {
        // (mn)^L: its logarithm is L log(mn).
        let digits = legal + points.log10().log10();
        bounds.push((
            "games-at-most-theorem-7",
            "games, at most (theorem 7)",
            format!("10^({})", at_most(digits)),
        ));
    }
    if height == 1 && length >= 2 {
        bounds.push((
            "games-at-least-theorem-9",
            "games, at least (theorem 9)",
            format!("2^(2^{})", length - 1),
        ));
    }
    if height == length && height % 4 == 3 {
        // The partition of Figure 14: two combs of k points and l points between them.
        let n = height;
        let k = n - 1 + (n - 2) * (n + 1) / 4;
        let l = 2 + (n - 2) * (n - 1) / 2;
        let factorial: f64 = (1..=k).map(|i| (i as f64).log10()).sum();
        let digits = factorial.log10() + (l - 1) as f64 * 2f64.log10();
        bounds.push((
            "games-at-least-theorem-8",
            "games, at least (theorem 8)",
            format!("({k}!)^(2^{}) > 10^({})", l - 1, at_least(digits)),
        ));
    }
    bounds
}
