//! The transition from boards that have a tour to boards that have none, counted and drawn.

use std::fmt::Write;

use pessoi::Result;
use pessoi_engine::random::Random;
use rayon::prelude::*;

use crate::case::Case;
use crate::draw;
use crate::label;
use crate::score::wilson;

/// Games, kinds, their sizes, and the highest density.
const DRAWN: &[(&str, bool, &[usize], f64)] =
    &[("knight-tours", true, &[6, 8, 10, 14], 0.3), ("diplomatico", false, &[6, 8, 10, 14], 0.4)];
/// Boards at each density.
const BOARDS: u64 = 200;
const DENSITIES: usize = 11;
const MOST_STEPS: u64 = 100_000;

/// The share of boards with a tour at one density.
pub struct Point {
    game: &'static str,
    side: usize,
    density: f64,
    yes: u64,
    decided: u64,
    /// Those on which no engine came to an end within the limit.
    undecided: u64,
    /// Those without a tour that inspection did not see.
    unseen: u64,
}

/// Counts at all densities.
pub fn count(seed: u64) -> Result<Vec<Point>> {
    let mut wanted = Vec::new();
    for (number, &(game, closed, sides, most)) in DRAWN.iter().enumerate() {
        for &side in sides {
            for k in 0..DENSITIES {
                let density = most * k as f64 / (DENSITIES - 1) as f64;
                wanted.push((number, game, closed, side, density, k));
            }
        }
    }
    wanted
        .into_par_iter()
        .map(|(number, game, closed, side, density, k)| {
            let mut point =
                Point { game, side, density, yes: 0, decided: 0, undecided: 0, unseen: 0 };
            for time in 0..BOARDS {
                let stream = ((number * 100 + side) * 100 + k) as u64 * 1000 + time;
                let mut random = Random::new(seed ^ 0x7472_616e, stream);
                let full = Case::full(game, closed, side, side);
                let Some(case) = draw::thinned(full, density, &mut random) else { continue };
                let found = label::label(&case, "auto", MOST_STEPS, seed)?;
                let Some(solvable) = found.solvable else {
                    point.undecided += 1;
                    continue;
                };
                point.decided += 1;
                point.yes += u64::from(solvable);
                point.unseen += u64::from(!solvable && found.by != "inspection");
            }
            Ok(point)
        })
        .collect()
}

/// As a table.
pub fn to_csv(points: &[Point]) -> String {
    let mut text =
        "game,side,blocked,decided,undecided,with-tour,none-not-by-inspection,low,high\n"
            .to_owned();
    for p in points {
        let (low, high) = wilson(p.yes, p.decided.max(1));
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{},{},{:.3},{},{},{},{},{low:.3},{high:.3}",
            p.game, p.side, p.density, p.decided, p.undecided, p.yes, p.unseen
        );
    }
    text
}

const COLOURS: [&str; 4] = ["#4477aa", "#228833", "#cc6677", "#aa3377"];

/// As a picture of one game.
pub fn to_svg(points: &[Point], game: &str) -> String {
    let points: Vec<&Point> = points.iter().filter(|point| point.game == game).collect();
    let most = points.iter().map(|point| point.density).fold(0.01, f64::max);
    let x = |density: f64| 50.0 + 400.0 * density / most;
    let y = |share: f64| 20.0 + 240.0 * (1.0 - share);
    let mut svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 480 310\" \
                   font-family=\"sans-serif\" font-size=\"12\">\n\
                   <rect width=\"480\" height=\"310\" fill=\"white\"/>\n"
        .to_owned();
    for k in 0..=4 {
        let share = f64::from(k) / 4.0;
        let _ = writeln!(
            svg,
            "<path d=\"M50 {0}H450\" stroke=\"#ddd\"/><text x=\"44\" y=\"{1}\" \
             text-anchor=\"end\">{share}</text>",
            y(share),
            y(share) + 4.0
        );
        let density = most * share;
        let _ = writeln!(
            svg,
            "<text x=\"{}\" y=\"278\" text-anchor=\"middle\">{density:.2}</text>",
            x(density)
        );
    }
    let _ = writeln!(
        svg,
        "<text x=\"250\" y=\"300\" text-anchor=\"middle\">share of cells blocked ({game})</text>"
    );
    let mut sides: Vec<usize> = points.iter().map(|point| point.side).collect();
    sides.dedup();
    for (number, &side) in sides.iter().enumerate() {
        let colour = COLOURS[number % COLOURS.len()];
        let mut line = String::new();
        for point in points.iter().filter(|point| point.side == side && point.decided > 0) {
            let (low, high) = wilson(point.yes, point.decided);
            // Side by side, so that intervals do not hide each other.
            let at = x(point.density) + 2.0 * number as f64 - 3.0;
            let share = point.yes as f64 / point.decided as f64;
            let verb = if line.is_empty() { 'M' } else { 'L' };
            let _ = write!(line, "{verb}{at:.1} {:.1}", y(share));
            let _ = writeln!(
                svg,
                "<path d=\"M{at:.1} {:.1}V{:.1}\" stroke=\"{colour}\" opacity=\"0.5\"/>",
                y(low),
                y(high)
            );
        }
        let _ = writeln!(
            svg,
            "<path d=\"{line}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>"
        );
        let top = 34 + 18 * number;
        let _ = writeln!(svg, "<text x=\"400\" y=\"{top}\" fill=\"{colour}\">{side}×{side}</text>");
    }
    svg.push_str("</svg>\n");
    svg
}
