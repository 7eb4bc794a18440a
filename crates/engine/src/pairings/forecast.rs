//! How large the layers will be, from the first of them.
//!
//! A forecast reads the first layers of the first half as a count would, up to a number of
//! borders, so it depends on no clock. If that is the whole half, its figures are exact. If not,
//! the rest is extrapolated. The logarithm of the size of the layers of half a graph rises to the
//! end, ever more slowly: from any point on as fast as over the last 40 % of the steps before, less
//! a little (`FALL`), and then evenly less until it is flat at the end. Cut where 0.5 % to 50 %
//! of all borders were read, the largest layer and all borders of the knight's closed tours of 8×8,
//! its open ones of 7×7 and Diplomatico's closed ones of 8×6 were within a factor of 6.

use super::ahead::Ahead;
use super::halves::{Second, Tours};
use super::layer::{Layer, Look, Maker, Work};
use super::matching::Tables;
use super::ring::Words;
use crate::run::{Budget, Run, Stop};

/// What one pass of a count will take, as far as can be predicted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Forecast {
    /// Whether nothing was extrapolated.
    pub exact: bool,
    /// Borders in the largest layer.
    pub peak: f64,
    /// Borders in all layers.
    pub borders: f64,
    /// Bytes at one time, if nothing is cut into slices.
    pub bytes: f64,
    /// Seconds of one thread.
    pub seconds: f64,
}

/// How much more slowly the layers grow later on.
const FALL: f64 = 0.8;
/// Over which share of the steps that were read the growth is taken.
const WINDOW: f64 = 0.4;
/// Bytes for a border of the largest layer, with the layer before it and the arrows between.
const BYTES_A_BORDER: f64 = 30.0;
/// Seconds for a border whose operation is a table and for one whose is not, for a type that is
/// looked ahead from, and for joining a border.
const BORDER: f64 = 30e-9;
const FAR: f64 = 180e-9;
const SIGHT: f64 = 900e-9;
const JOINED: f64 = 60e-9;

/// Reads layers until they have more than `most` borders in all, and predicts the rest.
pub fn forecast(tours: &Tours, most: u64, run: &Run) -> Result<Forecast, Stop> {
    run.check()?;
    let reading = &tours.first;
    let ahead = Ahead::new(reading, &tours.neighbours, &tours.order);
    // The same on any number of threads.
    let run = run.part(Budget { threads: 1, ..run.budget().clone() });
    let tables = Tables::new(&run);
    let maker = Maker::new(Words, Look::WhereItPays, &tables, &run);
    let mut layer = Layer::start(&run)?;
    let mut known: Vec<f64> = Vec::new();
    let mut read = 0;
    for (number, step) in reading.steps.iter().enumerate() {
        if read > most {
            break;
        }
        let next = maker.next(&layer, step, Some((&ahead, number)))?;
        maker.recycle(std::mem::replace(&mut layer, next));
        read += layer.borders();
        known.push(layer.borders() as f64);
    }
    let exact = known.len() == reading.steps.len();
    let (last, all) = extrapolated(&known, reading.steps.len());
    let peak = known.iter().copied().fold(last, f64::max);
    let halves = if matches!(tours.second, Second::Own(_)) { 2.0 } else { 1.0 };
    let Work { near, far, looked } = maker.work();
    let seen = near as f64 * BORDER + far as f64 * FAR + looked as f64 * SIGHT;
    let seconds = seen * all / (read.max(1) as f64) + last * JOINED;
    Ok(Forecast {
        exact,
        peak,
        borders: all * halves,
        bytes: (peak + last * (halves - 1.0)) * BYTES_A_BORDER,
        seconds: seconds * halves,
    })
}

/// The last layer and the number of all borders, from the sizes of the first layers.
fn extrapolated(known: &[f64], steps: usize) -> (f64, f64) {
    let mut largest = 1.0f64;
    let hull: Vec<f64> = known
        .iter()
        .map(|&size| {
            largest = largest.max(size);
            largest.ln()
        })
        .collect();
    let read: f64 = known.iter().sum();
    let Some(last) = hull.len().checked_sub(1) else { return (1.0, steps as f64) };
    let window = ((last as f64 * WINDOW) as usize).clamp(1, last.max(1)).min(last);
    let slope = if window > 0 { (hull[last] - hull[last - window]) / window as f64 } else { 0.0 };
    let left = steps - known.len();
    let size = |step: usize| {
        let step = step as f64;
        (hull[last] + FALL * slope * (step - step * step / (2.0 * left as f64))).exp()
    };
    let rest: f64 = (1..=left).map(size).sum();
    (if left == 0 { known[last] } else { size(left) }, read + rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    // Layers of real counts.
    const KNIGHT_8X8_CLOSED: [f64; 40] = [
        1.,
        1.,
        1.,
        1.,
        1.,
        1.,
        1.,
        1.,
        2.,
        4.,
        8.,
        32.,
        128.,
        256.,
        512.,
        900.,
        2024.,
        3964.,
        9534.,
        27961.,
        79933.,
        174_753.,
        195_641.,
        248_207.,
        510_566.,
        741_711.,
        1_377_520.,
        2_545_128.,
        4_186_071.,
        7_572_953.,
        6_680_189.,
        7_934_470.,
        11_828_640.,
        12_860_938.,
        19_923_181.,
        32_579_434.,
        51_478_728.,
        84_222_808.,
        65_677_732.,
        91_394_545.,
    ];
    const KNIGHT_7X7_OPEN: [f64; 34] = [
        1., 2., 2., 4., 4., 7., 7., 11., 22., 64., 164., 824., 1940., 4936., 7908., 22713., 41537.,
        81633., 258_640., 502_242., 483_227., 712_546., 1_452_002., 1_973_471., 3_066_115.,
        4_497_767., 6_552_420., 4_446_731., 5_302_097., 7_223_148., 7_704_902., 8_826_982.,
        8_826_982., 9_397_525.,
    ];
    const DIPLOMATICO_8X6_CLOSED: [f64; 33] = [
        1., 1., 1., 2., 4., 8., 8., 8., 8., 16., 32., 64., 128., 226., 519., 2039., 5512., 13067.,
        19959., 34133., 76292., 225_576., 372_589., 618_845., 870_261., 1_238_142., 1_690_475.,
        2_497_205., 3_226_487., 3_705_052., 3_705_052., 3_705_052., 3_705_052.,
    ];

    #[test]
    fn extrapolations_of_real_layers() {
        let all: [&[f64]; 3] = [&KNIGHT_8X8_CLOSED, &KNIGHT_7X7_OPEN, &DIPLOMATICO_8X6_CLOSED];
        for layers in all {
            let (largest, total) = (layers[layers.len() - 1], layers.iter().sum::<f64>());
            let mut read = 0.0;
            for (step, size) in layers.iter().enumerate() {
                read += size;
                if (0.005..0.5).contains(&(read / total)) {
                    let (last, borders) = extrapolated(&layers[..=step], layers.len());
                    for (found, truth) in [(last, largest), (borders, total)] {
                        assert!((0.2..6.0).contains(&(found / truth)), "{found} {truth} {step}");
                    }
                }
            }
        }
    }
}
