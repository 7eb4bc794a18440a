//! How large the layers of a sweep will be, from the first of them.
//!
//! A forecast counts for a short time ([`GLANCE`]) as [`count`](super::count()) would. If that
//! reaches the last site, its figures are exact. If not, it extrapolates the sizes of the
//! layers that it has seen.
//!
//! Over the sites, the logarithm of the size of the layers is roughly an arch: it rises, the
//! steeper the earlier, is highest somewhat after the middle, and falls to 0. Single layers lie
//! below the arch, because borders are short at the ends of rows. So the extrapolation
//!
//! 1. takes the largest size so far at each site, and the mean *slope* of its logarithm over
//!    the last 40 % of the sites that were read;
//! 2. lets the slope fall to 0 until 65 % of all sites, but not beyond 1.6 times the sites
//!    that were read (on long boards the arch is flat on top);
//! 3. stays there until 65 % of the sites and falls from there to 0 as a parabola;
//! 4. takes as much off as the layers of the last 40 % lay below their largest.
//!
//! How good it is: for tours of knights, wazirs and the diplomatico on 16 boards from 5×5 to
//! 12×12 and 4×20, cut at each of 178 layers where 0.5 % to 33 % of all borders were read, the
//! largest layer and the number of all borders were within a factor of 2.5 nine times in ten
//! and always within a factor of 5. Other sweeps may behave differently; the constants were
//! fitted to these.

use std::time::Duration;

use super::Sweep;
use super::count::Reading;
use super::layer::Means;
use crate::run::{Budget, Run, Stop};
use crate::search::Part;

/// The usual time for a forecast: short enough for a plan that is shown at once.
pub const GLANCE: Duration = Duration::from_millis(300);

/// What a count will take, as far as can be predicted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Forecast {
    /// Whether the count came to its end, so that nothing is extrapolated.
    pub exact: bool,
    /// Borders in the largest layer.
    pub peak: f64,
    /// Borders in all layers.
    pub borders: f64,
    /// Bytes claimed at one time.
    pub bytes: f64,
    /// Seconds, on as many threads as the run has.
    pub seconds: f64,
}

/// Counts for at most `time` and predicts the rest. It is an error if the run itself was
/// stopped; if it is memory that does not suffice, the forecast is made from what did fit.
pub fn forecast<S: Sweep>(sweep: &S, time: Duration, run: &Run) -> Result<Forecast, Stop> {
    run.check()?;
    let glance = run.part(Budget { time: Some(time), ..run.budget().clone() });
    let means = Means::memory(&glance);
    let mut known: Vec<u64> = Vec::new();
    // After the last layer that is complete.
    let (mut seconds, mut bytes) = (0.0, 0);
    let mut first_layers = || {
        let mut at = Reading::new(sweep, &means)?;
        while at.site < sweep.sites() {
            at.read(sweep, Part::WHOLE, None)?;
            at.next::<S>()?;
            known.push(at.borders());
            (seconds, bytes) = (glance.elapsed().as_secs_f64(), glance.peak_bytes());
        }
        Ok::<(), Stop>(())
    };
    let exact = first_layers().is_ok();
    if !exact {
        // The run itself was stopped, or only this glance at it.
        run.check()?;
    }
    let seen = known.iter().copied().max().unwrap_or(1).max(1) as f64;
    let read = known.iter().sum::<u64>().max(1) as f64;
    let (peak, borders) = if exact { (seen, read) } else { extrapolated(&known, sweep.sites()) };
    Ok(Forecast {
        exact,
        peak,
        borders,
        bytes: bytes as f64 * peak / seen,
        seconds: seconds * borders / read,
    })
}

/// Where the arch begins to fall, as a share of all sites.
const SUMMIT: f64 = 0.65;
/// How far the slope is trusted, in sites that were read.
const REACH: f64 = 1.6;
/// Over which share of the sites that were read the slope is taken.
const WINDOW: f64 = 0.4;

/// How much of a rise with that slope is left; a half if the slope fell evenly.
const RISE: f64 = 0.45;

/// The largest layer and the number of all borders, from the sizes of the first layers.
pub fn extrapolated(known: &[u64], sites: usize) -> (f64, f64) {
    let read: u64 = known.iter().sum();
    let mut largest = 0u64;
    let hull: Vec<f64> = known
        .iter()
        .map(|&size| {
            largest = largest.max(size).max(1);
            (largest as f64).ln()
        })
        .collect();
    let Some(last) = hull.len().checked_sub(1) else { return (1.0, sites as f64) };
    let at = last as f64;
    let window = ((at * WINDOW) as usize).clamp(1, last.max(1)).min(last);
    let slope = if window > 0 { (hull[last] - hull[last - window]) / window as f64 } else { 0.0 };
    let falls = (SUMMIT * sites as f64).max(at);
    let summit = falls.min(REACH * at).max(at);
    let rise = RISE * slope * (summit - at);
    let top = hull[last] + rise;
    let below = known[last - window..].iter().sum::<u64>() as f64
        / hull[last - window..].iter().map(|ln| ln.exp()).sum::<f64>();
    let rest: f64 = (known.len()..sites)
        .map(|site| {
            let site = site as f64;
            if site < summit {
                top - rise * ((summit - site) / (summit - at)).powi(2)
            } else if site < falls {
                top
            } else {
                top * (1.0 - ((site - falls) / (sites as f64 - falls)).powi(2))
            }
        })
        .map(f64::exp)
        .sum();
    (top.exp(), read as f64 + below * rest)
}

#[cfg(test)]
mod tests {
    use super::super::examples::Bits;
    use super::*;
    use crate::sweep::count;

    // The layers of real sweeps: closed tours if not open, and all paths of the diplomatico.
    const KNIGHT_6X8: [u64; 48] = [
        1, 1, 1, 1, 1, 1, 2, 4, 8, 16, 32, 32, 61, 90, 305, 805, 834, 851, 1846, 2498, 4841, 11819,
        12684, 12255, 30443, 45608, 92072, 141_451, 107_988, 70842, 110_956, 107_144, 101_613,
        121_237, 79499, 45859, 49559, 36059, 37995, 34830, 13849, 6413, 3206, 947, 90, 6, 1, 1,
    ];
    const KNIGHT_6X10: [u64; 60] = [
        1, 1, 1, 1, 1, 1, 2, 4, 8, 16, 32, 32, 61, 90, 305, 805, 834, 851, 1846, 2498, 4841, 11819,
        12686, 12260, 30673, 46630, 100_946, 170_149, 144_638, 125_220, 294_660, 376_733, 478_780,
        629_936, 327_795, 231_646, 512_261, 712_375, 767_222, 673_803, 283_288, 133_504, 197_140,
        180_116, 160_697, 146_766, 88383, 52579, 57269, 34992, 36976, 34915, 12973, 6968, 4565,
        1181, 90, 6, 1, 1,
    ];
    const KNIGHT_4X20_OPEN: [u64; 80] = [
        1, 1, 1, 1, 2, 4, 8, 9, 30, 96, 303, 487, 925, 1734, 1637, 1317, 2417, 3408, 3298, 2778,
        6158, 6772, 4269, 3210, 5730, 6669, 4764, 3270, 7169, 7383, 4428, 3287, 5839, 7756, 4860,
        3289, 6172, 7388, 5187, 3290, 7192, 7278, 4401, 3290, 5978, 7043, 4922, 3290, 7195, 7272,
        4457, 3290, 5643, 7478, 4812, 3079, 5275, 6243, 4577, 2850, 5072, 4954, 3102, 2004, 3105,
        3373, 2250, 1473, 3175, 1986, 1035, 742, 586, 394, 237, 115, 41, 14, 3, 1,
    ];
    const DIPLOMATICO_6X6: [u64; 36] = [
        1, 1, 1, 2, 4, 6, 6, 6, 6, 12, 24, 40, 80, 160, 624, 3546, 10831, 21330, 56396, 135_330,
        266_899, 473_275, 767_359, 1_117_055, 1_529_424, 1_805_133, 1_888_812, 1_005_129, 364_035,
        82597, 70018, 57634, 15139, 231, 8, 1,
    ];
    const WAZIR_12X12: [u64; 144] = [
        1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 51, 51, 72, 111, 141, 194, 256, 347, 484, 682, 970,
        1418, 1548, 1548, 2094, 2446, 2824, 3056, 3467, 3765, 4313, 4703, 5361, 5151, 2431, 2431,
        3627, 4333, 4815, 5234, 5530, 5958, 6273, 6912, 7263, 7266, 3624, 3624, 5181, 6082, 6696,
        7030, 7343, 7418, 7678, 7731, 7698, 7600, 3706, 3706, 5371, 6313, 6969, 7344, 7559, 7660,
        7774, 7834, 7802, 7709, 3773, 3773, 5448, 6395, 7055, 7429, 7641, 7690, 7778, 7835, 7802,
        7709, 3773, 3773, 5448, 6395, 7055, 7429, 7641, 7690, 7778, 7835, 7802, 7709, 3773, 3773,
        5426, 6357, 6739, 6968, 7108, 7102, 7164, 7120, 6918, 6487, 3045, 3045, 4487, 5141, 5303,
        5449, 5304, 5261, 5078, 5030, 4709, 4805, 2557, 2557, 2466, 2217, 1899, 1470, 1134, 815,
        582, 390, 257, 144, 51, 51, 51, 42, 30, 20, 13, 8, 5, 3, 2, 1, 1,
    ];

    #[test]
    fn forecasts_of_real_layers_are_within_a_factor_of_five() {
        let all: [&[u64]; 5] =
            [&KNIGHT_6X8, &KNIGHT_6X10, &KNIGHT_4X20_OPEN, &DIPLOMATICO_6X6, &WAZIR_12X12];
        for layers in all {
            let borders: u64 = layers.iter().sum();
            let peak = layers.iter().copied().max().unwrap();
            let mut read = 0;
            for (site, &size) in layers.iter().enumerate() {
                if (borders / 200..borders / 3).contains(&read) && read > 1000 {
                    let (largest, all) = extrapolated(&layers[..site], layers.len());
                    for (found, truth) in [(largest, peak as f64), (all, borders as f64)] {
                        let off = found / truth;
                        assert!((0.2..5.0).contains(&off), "{off} after {site} of {borders}");
                    }
                }
                read += size;
            }
        }
    }

    #[test]
    fn a_forecast_that_comes_to_the_end_is_exact() {
        // On a clock that stands still there is time enough.
        let run = Run::stepping(Budget::default(), Duration::ZERO);
        let sweep = Bits { bans: vec![0, 1, 0, 0, 2, 0] };
        let found = forecast(&sweep, GLANCE, &run).unwrap();
        let counted = count(&sweep, &run).unwrap();
        assert!(found.exact && found.bytes > 0.0);
        let seen = (found.peak as u64, found.borders as u64);
        assert_eq!(seen, (counted.peak(), counted.handled()));
        assert_eq!(run.progress().bytes, 0);
    }

    #[test]
    fn a_forecast_without_time_or_memory_is_still_one() {
        let sweep = Bits::free(50);
        let none = forecast(&sweep, Duration::ZERO, &Run::default()).unwrap();
        assert!(!none.exact && none.peak >= 1.0 && none.borders.is_finite());
        let little = Budget { memory: Some(100), ..Budget::default() };
        let run = Run::stepping(little, Duration::ZERO);
        assert!(!forecast(&sweep, GLANCE, &run).unwrap().exact);
    }

    #[test]
    fn a_stopped_run_has_no_forecast() {
        let run = Run::default();
        run.cancel();
        assert_eq!(forecast(&Bits::free(9), GLANCE, &run), Err(Stop::Cancelled));
    }
}
