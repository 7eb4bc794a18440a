//! How far the mean of random samples may be off.
//!
//! Samples of a search tree are weights: none is negative, many may be zero, and a few are far
//! larger than the rest. Where those few were not drawn, the mean is too low *and* the spread
//! of the samples is too small, so intervals of ± 1.96 standard errors miss more often than 5
//! times in 100, and nearly always on the same side. Three things put that right:
//!
//! - **Student's t** instead of the normal distribution, for the spread is only estimated.
//!   (W. S. Gosset, 1908.)
//! - **Effective degrees of freedom.** n normal samples give an estimate of the variance that
//!   itself spreads as one with n − 1 degrees of freedom; samples of kurtosis κ spread more, as
//!   about 2n / (κ − (n−3)/(n−1)) of them, which is n − 1 for κ = 3. (F. E. Satterthwaite, 1946,
//!   matches the variance of a sum of squares in this way.) Here κ is that of the samples, and
//!   n − 1 is the most.
//! - **Skewness.** The mean and the estimated spread of skewed samples go up and down together,
//!   so their quotient T leans to the other side. P. Hall (1992) found the cubic polynomial of T
//!   that leans no more, up to terms in 1/n, and whose inverse can be written down: with the
//!   skewness γ and a = γ/√n,
//!
//!   > g(T) = T + a T²/3 + a² T³/27 + a/6,  g⁻¹(t) = (3/a) ((1 + a (t − a/6))^⅓ − 1).
//!
//! So the interval is mean − s g⁻¹(t) to mean − s g⁻¹(−t), with the standard error s. It lies
//! further above the mean than below it where there are a few large samples.
//!
//! **When there is none.** What was not drawn cannot be seen, and a rule that refuses intervals
//! because a large sample *was* drawn would keep those that miss. So the rules here look at how
//! many samples *found* something, which says little about how large these were: at least
//! [`LEAST_FOUND`], and one in [`MOST_A_FIND`]. And they look at how widely the *logarithms* of
//! the upper half of these spread: where that is by σ, as of log-normal weights, the sum is
//! carried by samples σ standard deviations up, which nearly no series holds if σ is large.
//! (S. Chatterjee and P. Diaconis, 2018, show that the samples it takes grow in this way, and
//! that no variance of the weights themselves tells.) [`MOST_SPREAD`] is e^σ at most. At that limit
//! some 90 of 100 intervals hold for log-normal weights, at a factor of 4 some 94; weights of search
//! trees have bounds and do better. Samples that are all equal have no spread to judge by.
//!
//! `bench/calibrate` measures how often intervals hold the true number; the book's chapter on
//! intervals has the table.

use std::f64::consts::FRAC_PI_2;
use std::fmt;

/// Samples that must have found something.
pub const LEAST_FOUND: u64 = 50;
/// One of so many samples must have found something.
pub const MOST_A_FIND: u64 = 10;
/// The factor by which the upper half of the samples that found something may spread: the root
/// mean square of their logarithms' distances from the median is that of this number at most.
pub const MOST_SPREAD: f64 = 12.0;
/// How often an interval is to hold the true number.
pub const CONFIDENCE: f64 = 0.95;
/// How often it would if the corrections were perfect. They are not quite, for the skewness and
/// the kurtosis are estimated too: without this margin some 94 to 95 of 100 hold.
const AIM: f64 = 0.955;

/// Samples that differ by less, as a share of their mean, are equal but for rounding.
const EQUAL: f64 = 1e-9;

/// An interval about a mean.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The lower end, as a share of the mean; it may be below 0.
    pub low: f64,
    /// The upper end, as a share of the mean.
    pub high: f64,
    /// Degrees of freedom of Student's distribution.
    pub degrees: f64,
    /// The skewness of the samples.
    pub skewness: f64,
}

/// Why there is no interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoInterval {
    /// Fewer than [`LEAST_FOUND`] samples were drawn.
    FewSamples {
        /// How many.
        samples: u64,
    },
    /// Fewer than [`LEAST_FOUND`] samples found something.
    FewFound {
        /// How many.
        found: u64,
    },
    /// Fewer than one in [`MOST_A_FIND`] samples found something.
    RarelyFound {
        /// How many.
        found: u64,
        /// Of so many.
        samples: u64,
    },
    /// The samples that found something spread by more than [`MOST_SPREAD`].
    WideSpread,
    /// All samples are equal.
    EqualSamples,
}

impl fmt::Display for NoInterval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoInterval::FewSamples { samples } => {
                write!(f, "{samples} samples are too few: it takes {LEAST_FOUND}")
            }
            NoInterval::FewFound { found } => {
                write!(f, "only {found} samples found something: it takes {LEAST_FOUND}")
            }
            NoInterval::RarelyFound { found, samples } => write!(
                f,
                "only {found} of {samples} samples found something: it takes one in {MOST_A_FIND}"
            ),
            NoInterval::WideSpread => write!(
                f,
                "the samples spread too widely: those above the median by a factor of more than \
                 {MOST_SPREAD}"
            ),
            NoInterval::EqualSamples => {
                write!(f, "all samples are equal, so nothing shows how far off they may be")
            }
        }
    }
}

/// The interval about the mean of some numbers, none negative, of which so many are above zero.
/// They must be small enough for floats to hold their fourth powers.
pub fn interval(samples: &[f64], found: u64) -> Result<Interval, NoInterval> {
    let count = samples.len() as u64;
    if count < LEAST_FOUND {
        return Err(NoInterval::FewSamples { samples: count });
    }
    if found < LEAST_FOUND {
        return Err(NoInterval::FewFound { found });
    }
    if found.saturating_mul(MOST_A_FIND) < count {
        return Err(NoInterval::RarelyFound { found, samples: count });
    }
    if spread(samples, found) > MOST_SPREAD.ln() {
        return Err(NoInterval::WideSpread);
    }
    let n = count as f64;
    let mean = samples.iter().sum::<f64>() / n;
    let moment = |power: i32| samples.iter().map(|x| (x / mean - 1.0).powi(power)).sum::<f64>() / n;
    let variance = moment(2);
    if variance.sqrt() < EQUAL {
        return Err(NoInterval::EqualSamples);
    }
    let skewness = moment(3) / variance.powf(1.5) * (n * (n - 1.0)).sqrt() / (n - 2.0);
    let kurtosis = moment(4) / (variance * variance);
    let degrees = (2.0 * n / (kurtosis - (n - 3.0) / (n - 1.0))).min(n - 1.0);
    let error = (variance / (n - 1.0)).sqrt();
    let lean = skewness / n.sqrt();
    let end = |t: f64| 1.0 - error * straightened(t, lean);
    let t = student(degrees, AIM);
    Ok(Interval { low: end(t), high: end(-t), degrees, skewness })
}

/// How far the logarithms of the samples above zero are above their median: the root of the mean
/// square, which is the standard deviation of a symmetric distribution. Samples that a float
/// could not hold beside the largest count as the smallest ones.
fn spread(samples: &[f64], found: u64) -> f64 {
    let mut logs: Vec<f64> = samples.iter().filter(|&&x| x > 0.0).map(|x| x.ln()).collect();
    logs.sort_by(|a, b| b.total_cmp(a));
    let half = found as usize / 2;
    let Some(&median) = logs.get(half) else { return f64::INFINITY };
    let squares: f64 = logs[..half].iter().map(|ln| (ln - median) * (ln - median)).sum();
    (squares / half as f64).sqrt()
}

/// The inverse of Hall's polynomial.
fn straightened(t: f64, lean: f64) -> f64 {
    if lean.abs() < 1e-6 {
        return t;
    }
    3.0 / lean * ((1.0 + lean * (t - lean / 6.0)).cbrt() - 1.0)
}

/// The number that Student's t of so many degrees of freedom, 2 or more, stays below with this
/// chance, the sign aside; right to five digits.
///
/// With t = √ν tan θ the angle θ has the density cos^(ν−1) θ, but for a factor.
fn student(degrees: f64, chance: f64) -> f64 {
    const STEPS: u32 = 8192;
    // More make no difference, and less than 10^-30 of the angles lie beyond this.
    let degrees = degrees.min(1e6);
    let step = FRAC_PI_2.min(12.0 / degrees.sqrt()) / f64::from(STEPS);
    let density = |k: u32| ((f64::from(k) + 0.5) * step).cos().powf(degrees - 1.0);
    let whole: f64 = (0..STEPS).map(density).sum();
    let mut left = chance * whole;
    let mut angle = 0.0;
    for k in 0..STEPS {
        let here = density(k);
        if here >= left {
            angle += step * left / here;
            break;
        }
        left -= here;
        angle += step;
    }
    degrees.sqrt() * angle.tan()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn quantiles_of_students_distribution() {
        for (degrees, known) in [
            (2.0, 4.302_652_7),
            (2.5, 3.574_654_8),
            (5.0, 2.570_581_8),
            (10.0, 2.228_138_9),
            (30.0, 2.042_272_5),
            (199.0, 1.971_956_5),
            (1000.0, 1.962_339_1),
            (1e5, 1.959_987_7),
        ] {
            let found = student(degrees, 0.95);
            assert!((found - known).abs() < 1e-5, "{degrees}: {found} {known}");
        }
    }

    /// The inverse is one, for leaning to either side.
    #[test]
    fn halls_polynomial_and_its_inverse() {
        for lean in [-0.9, -0.2, 1e-3, 0.1, 0.5, 0.95] {
            for t in [-4.3, -1.96, 0.0, 1.96, 4.3] {
                let x = straightened(t, lean);
                let back = x + lean * x * x / 3.0 + lean * lean * x.powi(3) / 27.0 + lean / 6.0;
                assert!((back - t).abs() < 1e-9, "{lean} {t}: {x} {back}");
            }
        }
        assert!((straightened(1.5, 1e-5) - straightened(1.5, 0.0)).abs() < 1e-4);
    }

    /// Symmetric samples have the interval of the textbooks.
    #[test]
    fn without_skewness_it_is_students_interval() {
        let samples: Vec<f64> = (1..=100).map(f64::from).collect();
        let found = interval(&samples, 100).unwrap();
        // The variance of 1..100 is 841.666, and its kurtosis is below that of a normal one.
        let half = student(99.0, AIM) * (841.666_667f64 / 100.0).sqrt() / 50.5;
        assert!(found.skewness.abs() < 1e-12 && (found.degrees - 99.0).abs() < 1e-9, "{found:?}");
        assert!((found.high - 1.0 - half).abs() < 1e-6 && (1.0 - found.low - half).abs() < 1e-6);
    }

    #[test]
    fn why_there_is_none() {
        let of = |zeros: usize, ones: usize, twos: usize| {
            let samples = [vec![0.0; zeros], vec![1.0; ones], vec![2.0; twos]].concat();
            interval(&samples, (ones + twos) as u64)
        };
        assert_eq!(of(0, 20, 29), Err(NoInterval::FewSamples { samples: 49 }));
        assert_eq!(of(10, 20, 29), Err(NoInterval::FewFound { found: 49 }));
        assert_eq!(of(451, 25, 25), Err(NoInterval::RarelyFound { found: 50, samples: 501 }));
        assert_eq!(of(0, 50, 0), Err(NoInterval::EqualSamples));
        let powers: Vec<f64> = (0..50).map(|k| 1.5f64.powi(k)).collect();
        assert_eq!(interval(&powers, 50), Err(NoInterval::WideSpread));
        assert!(spread(&powers[..20], 49).is_infinite());
        let steps: Vec<f64> = (0..50).map(|k| 1.1f64.powi(k)).collect();
        assert!(interval(&steps, 50).is_ok());
        assert!(of(450, 25, 25).is_ok() && of(0, 25, 25).is_ok());
        let text = NoInterval::RarelyFound { found: 50, samples: 501 }.to_string();
        assert!(text.contains("50 of 501") && text.contains("one in 10"), "{text}");
    }

    /// Of skewed samples, a mixture that is zero half of the time and otherwise e to a normal
    /// number, intervals hold the mean as often as they say. Those of ± 1.96 standard errors
    /// hold it 87 times in 100. (Seeds are fixed, so this does not depend on luck.)
    #[test]
    fn intervals_of_skewed_samples_hold() {
        const ROUNDS: u64 = 2000;
        let truth = 0.5 * 0.5f64.exp();
        let mut held = 0;
        let mut low = 0;
        for seed in 0..ROUNDS {
            let mut random = Random::new(seed, 0);
            let samples: Vec<f64> = (0..160)
                .map(|_| {
                    let normal: f64 = (0..12).map(|_| random.unit()).sum::<f64>() - 6.0;
                    if random.unit() < 0.5 { 0.0 } else { normal.exp() }
                })
                .collect();
            let found = samples.iter().filter(|&&x| x > 0.0).count() as u64;
            let Ok(about) = interval(&samples, found) else { panic!("{seed}") };
            let mean = samples.iter().sum::<f64>() / 160.0;
            held += u64::from(mean * about.low <= truth && truth <= mean * about.high);
            low += u64::from(mean * about.high < truth);
        }
        let share = held as f64 / ROUNDS as f64;
        assert!((0.94..0.97).contains(&share), "{share}, {low} too low");
    }
}
