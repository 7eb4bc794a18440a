//! How often the intervals of estimates hold the true number.
//!
//! Every question below is estimated with the seeds 1 to 500 and compared with the exact count,
//! which is made first. The table shows in how many answers there was an interval, how many of
//! these intervals held the true number, on which side the others missed it, and how many
//! would have held it with ± 1.96 standard errors; where there were few intervals or none, the
//! reasons. It ends with exit code 1 if the intervals of a question held the true number in
//! fewer than 93 or more than 98 of 100 cases.
//!
//!     bench/calibrate [SEEDS] [TEXT]     other seeds, 100 or 501-1000; only questions with this text

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};

use num_bigint::BigUint;
use num_traits::ToPrimitive;
use pessoi::{Budget, Catalogue, Question, Run, Value, Verb};

/// What is asked: the game, the place, the options of the count and those of the estimate.
type Asked = (&'static str, &'static str, &'static str, &'static str);

const KNIGHT_CLUE: &str = "0 0 0 0 0\n0 0 0 0 0\n0 0 0 0 0\n0 9 0 0 0\n0 0 0 0 0";
const KNIGHT_MIDDLE: &str = "0 0 0 0 0\n0 0 0 0 0\n0 0 13 0 0\n0 0 0 0 0\n0 0 0 0 0";
const KNIGHT_TWO: &str = "1 0 0 0 0\n0 0 0 0 0\n0 0 7 0 0\n0 0 0 0 0\n0 0 0 0 0";
const WAZIR_TWO: &str = "1 0 0 0 0\n0 0 0 0 0\n0 0 13 0 0\n0 0 0 0 0\n0 0 0 0 0";
const WAZIR_OTHER: &str = "1 0 0 0 0\n0 0 0 0 0\n0 0 0 0 0\n0 0 16 0 0\n0 0 0 0 0";
const WAZIR_THREE: &str = "1 0 0 0 0\n0 0 0 0 0\n0 0 9 0 0\n0 0 0 0 0\n0 0 0 0 25";

const QUESTIONS: &[Asked] = &[
    // Tours, Chen's probes; the second and the clues are those that used to miss most.
    ("diplomatico", "5x5", "", "samples=50"),
    ("diplomatico", "5x6", "", "samples=100"),
    ("diplomatico", "6x6", "", "samples=100"),
    ("knight-tours", "5x5", "", "samples=100"),
    ("knight-tours", "5x6", "closed", "samples=100"),
    ("knight-tours", "6x6", "closed", "samples=100"),
    ("king-tours", "4x4", "", "samples=50"),
    ("wazir-tours", "6x6", "", "samples=100"),
    ("knight-tours", KNIGHT_TWO, "", "samples=100"),
    ("knight-tours", KNIGHT_CLUE, "", "samples=100"),
    ("knight-tours", KNIGHT_MIDDLE, "", "samples=100"),
    ("wazir-tours", WAZIR_TWO, "", "samples=100"),
    ("wazir-tours", WAZIR_OTHER, "", "samples=50"),
    ("wazir-tours", WAZIR_THREE, "", "samples=100"),
    // Tours, Knuth's probes.
    ("diplomatico", "5x5", "", "samples=1000 method=knuth"),
    ("king-tours", "4x4", "", "samples=1000 method=knuth"),
    ("knight-tours", "5x5", "", "samples=1000 method=knuth"),
    ("wazir-tours", WAZIR_TWO, "", "samples=1000 method=knuth"),
    // Loops.
    ("wazir-loops", "16", "", "samples=200"),
    ("wazir-loops", "16", "", "samples=500"),
    ("king-loops", "8", "", "samples=200"),
    ("knight-loops", "10", "", "samples=200"),
    ("diplomatico-loops", "10", "", "samples=200"),
    ("knight-loops", "10", "", "samples=1000 method=knuth"),
    // Go.
    ("go", "3x3", "", "samples=50"),
    ("go", "5x5", "", "samples=100"),
    ("go", "9x9", "", "samples=100"),
    ("go", "1x3", "games", "samples=50"),
    ("go", "1x4", "games", "samples=100"),
    ("go", "1x4", "games", "samples=500"),
];

/// The bounds that the share of intervals with the true number must keep.
const HOLDING: (f64, f64) = (93.0, 98.0);
/// Of fewer intervals no share can be judged to a percent.
const JUDGED: usize = 50;

fn question(verb: Verb, (game, place, always, estimate): Asked) -> pessoi::Result<Question> {
    let mut question = Question::new(verb, game, place)?;
    let more = if verb == Verb::Estimate { estimate } else { "" };
    for word in always.split_whitespace().chain(more.split_whitespace()) {
        question = match word.split_once('=') {
            None => question.with(word, true),
            Some((name, value)) => match value.parse::<u64>() {
                Ok(number) => question.with(name, number),
                Err(_) => question.with(name, value),
            },
        };
    }
    Ok(question)
}

/// What became of an estimate.
struct Outcome {
    /// Whether the interval held the truth, or lay below (−1) or above (1) it.
    side: Result<i8, &'static str>,
    /// Whether ± 1.96 standard errors would have held it.
    normal: bool,
    /// The width of the interval, divided by the truth.
    width: f64,
}

fn outcome(catalogue: &Catalogue, asked: &Question, seed: u64, truth: &BigUint) -> Outcome {
    let run = Run::new(Budget { seed, threads: 1, ..Budget::default() });
    let answer = catalogue.answer(asked, &run).expect("an answer");
    let Value::Estimated(found) = answer.value else {
        return Outcome { side: Err("nothing-found"), normal: false, width: 0.0 };
    };
    let number = truth.to_f64().expect("a float");
    let mean = found.mean.expect("a float");
    let normal = (number - mean).abs() <= 1.96 * found.relative_error * mean;
    let side = match (&found.interval, &found.no_interval) {
        (Some(interval), _) => Ok(match found.holds(truth) {
            Some(true) => 0,
            _ if interval.high.is_some_and(|high| high < number) => -1,
            _ => 1,
        }),
        (None, Some(why)) => Err(why.id.id()),
        (None, None) => Err("no-reason"),
    };
    let ends = found.interval.and_then(|interval| Some(interval.high? - interval.low?));
    Outcome { side, normal, width: ends.unwrap_or(0.0) / number }
}

/// The outcomes of some seeds, on a thread for each core. (Threads of a pool that wait for
/// a pool of their own would take up one seed inside another.)
fn each(seeds: &RangeInclusive<u64>, of: impl Fn(u64) -> Outcome + Sync) -> Vec<Outcome> {
    let next = AtomicU64::new(*seeds.start());
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let work = || {
        let take =
            || Some(next.fetch_add(1, Ordering::Relaxed)).filter(|seed| seeds.contains(seed));
        std::iter::from_fn(take).map(&of).collect::<Vec<_>>()
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("a whole worker")).collect()
    })
}

/// Seeds as they are typed: so many from 1, or from one to another.
fn range(word: &str) -> Option<RangeInclusive<u64>> {
    match word.split_once('-') {
        Some((first, last)) => Some(first.parse().ok()?..=last.parse().ok()?),
        None => Some(1..=word.parse().ok()?),
    }
}

fn main() -> ExitCode {
    let mut words = std::env::args().skip(1).peekable();
    let seeds = words.peek().and_then(|word| range(word));
    if seeds.is_some() {
        words.next();
    }
    let seeds = seeds.unwrap_or(1..=500);
    let only = words.next().unwrap_or_default();
    let catalogue = Catalogue::standard();
    println!(
        "| estimate | exact | intervals | hold | too low | too high | width | ± 1.96 | no interval |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    let mut fails = Vec::new();
    for &asked in QUESTIONS {
        let estimate = question(Verb::Estimate, asked).expect("a question");
        let name = estimate.words().replace('\n', "/");
        if !name.contains(&only) {
            continue;
        }
        let count = question(Verb::Count, asked).expect("a question");
        let truth = catalogue.answer(&count, &Run::default()).expect("an answer").value.number();
        let truth = truth.expect("an exact number");
        let of = |seed| outcome(&catalogue, &estimate, seed, &truth);
        let outcomes = each(&seeds, of);
        let mut reasons = BTreeMap::<&str, usize>::new();
        for why in outcomes.iter().filter_map(|outcome| outcome.side.err()) {
            *reasons.entry(why).or_default() += 1;
        }
        let with = |side: i8| outcomes.iter().filter(|outcome| outcome.side == Ok(side)).count();
        let given = outcomes.len() - reasons.values().sum::<usize>();
        let percent = |part: usize, of: usize| {
            if of == 0 {
                String::new()
            } else {
                format!("{:.1} %", 100.0 * part as f64 / of as f64)
            }
        };
        let normal = outcomes.iter().filter(|outcome| outcome.normal).count();
        let mut widths: Vec<f64> =
            outcomes.iter().filter(|o| o.side.is_ok()).map(|o| o.width).collect();
        widths.sort_by(f64::total_cmp);
        let width = widths.get(widths.len() / 2).map_or(String::new(), |w| format!("{w:.2}"));
        let reasons: Vec<String> = reasons.iter().map(|(why, n)| format!("{why} {n}")).collect();
        println!(
            "| `{name}` | {truth} | {given} | {} | {} | {} | {width} | {} | {} |",
            percent(with(0), given),
            percent(with(-1), given),
            percent(with(1), given),
            percent(normal, outcomes.len()),
            reasons.join(", ")
        );
        let share = 100.0 * with(0) as f64 / given.max(1) as f64;
        if given >= JUDGED && !(HOLDING.0..=HOLDING.1).contains(&share) {
            fails.push(format!("{name}: {share:.1} % of {given}"));
        }
    }
    if fails.is_empty() {
        return ExitCode::SUCCESS;
    }
    eprintln!("Outside {} to {} %:\n{}", HOLDING.0, HOLDING.1, fails.join("\n"));
    ExitCode::FAILURE
}
