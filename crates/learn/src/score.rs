//! How good predictions are.
//!
//! - **AUC**: how often a board with a tour is given a higher probability than one without; ties
//!   count half. 0.5 is guessing, 1 is perfect.
//! - **Brier score**: the mean squared error of the probability. 0 is perfect.
//! - **Calibration error**: boards in ten bins by their probability; the mean distance between the
//!   mean probability of a bin and its share of boards with a tour.

/// The area under the curve.
pub fn auc(p: &[f64], y: &[bool]) -> f64 {
    let mut order: Vec<usize> = (0..p.len()).collect();
    order.sort_by(|&a, &b| p[a].total_cmp(&p[b]));
    let yes = y.iter().filter(|&&y| y).count() as f64;
    let no = y.len() as f64 - yes;
    let mut ranks = 0.0;
    let mut at = 0;
    while at < order.len() {
        let end = (at..order.len()).find(|&k| p[order[k]] > p[order[at]]).unwrap_or(order.len());
        let middle = f64::midpoint(at as f64 + 1.0, end as f64);
        ranks += middle * order[at..end].iter().filter(|&&k| y[k]).count() as f64;
        at = end;
    }
    (ranks - yes * (yes + 1.0) / 2.0) / (yes * no).max(1.0)
}

/// The mean squared error.
pub fn brier(p: &[f64], y: &[bool]) -> f64 {
    let square = |(p, &y): (&f64, &bool)| (p - f64::from(u8::from(y))).powi(2);
    p.iter().zip(y).map(square).sum::<f64>() / p.len().max(1) as f64
}

/// The calibration error.
pub fn calibration(p: &[f64], y: &[bool]) -> f64 {
    let mut bins = [(0.0, 0.0); 10];
    for (&p, &y) in p.iter().zip(y) {
        let bin = &mut bins[((p * 10.0) as usize).min(9)];
        bin.0 += p;
        bin.1 += f64::from(u8::from(y));
    }
    bins.iter().map(|(p, y)| (p - y).abs()).sum::<f64>() / p.len().max(1) as f64
}

/// Wilson's interval of a share, at 95 percent.
pub fn wilson(yes: u64, all: u64) -> (f64, f64) {
    const Z: f64 = 1.959_964;
    let (n, p) = (all as f64, yes as f64 / all as f64);
    let middle = p + Z * Z / (2.0 * n);
    let half = Z * (p * (1.0 - p) / n + Z * Z / (4.0 * n * n)).sqrt();
    let whole = 1.0 + Z * Z / n;
    (((middle - half) / whole).max(0.0), ((middle + half) / whole).min(1.0))
}

/// The ratio of two geometric means, with its interval by the bootstrap (2000 resamples of the
/// boards, 95 percent).
pub fn ratio(pairs: &[(f64, f64)], seed: u64) -> (f64, f64, f64) {
    let logs: Vec<f64> = pairs.iter().map(|(a, b)| (a / b).ln()).collect();
    let mean = |logs: &mut dyn Iterator<Item = f64>| {
        let (sum, n) = logs.fold((0.0, 0.0), |(sum, n), log| (sum + log, n + 1.0));
        sum / n
    };
    let mut random = pessoi_engine::random::Random::new(seed, 5);
    let n = logs.len();
    let mut means: Vec<f64> = (0..2000)
        .map(|_| mean(&mut (0..n).map(|_| logs[random.below(n as u64) as usize])))
        .collect();
    means.sort_by(f64::total_cmp);
    (mean(&mut logs.iter().copied()).exp(), means[50].exp(), means[1949].exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_of_known_cases() {
        let y = [true, false, true, false];
        assert!((auc(&[0.9, 0.1, 0.8, 0.2], &y) - 1.0).abs() < 1e-12);
        assert!((auc(&[0.5; 4], &y) - 0.5).abs() < 1e-12);
        assert!((auc(&[0.1, 0.9, 0.2, 0.8], &y)).abs() < 1e-12);
        assert!((brier(&[1.0, 0.0, 1.0, 0.5], &y) - 0.0625).abs() < 1e-12);
        assert!((calibration(&[0.75, 0.75, 0.75, 0.75], &y) - 0.25).abs() < 1e-12);
        let (low, high) = wilson(5, 10);
        assert!((low - 0.2366).abs() < 1e-3 && (high - 0.7634).abs() < 1e-3);
        let (mean, low, high) = ratio(&[(2.0, 1.0), (4.0, 2.0), (6.0, 3.0)], 1);
        assert!([mean, low, high].iter().all(|ratio| (ratio - 2.0).abs() < 1e-9));
    }
}
