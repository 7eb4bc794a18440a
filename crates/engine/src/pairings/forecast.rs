//! How large the layers will be, from the first of them.
//!
//! A forecast reads the first layers of the first half as a count would, up to a number of
//! borders, so it depends on no clock. If that is the whole half, its figures are exact. If not,
//! the rest is extrapolated. The logarithm of the size of the layers of half a graph rises to the
//! end, ever more slowly: from any point on as fast as over the last 40 % of the steps before, less
//! a little (`FALL`), and then evenly less until it is flat at the end. Cut where 0.5 % to 50 %
//! of all borders were read, the largest layer and all borders of the knight's closed tours of 8×8,
//! its open ones of 7×7 and Diplomatico's closed ones of 8×6 were within a factor of 6.
//!
//! If the run has a limit of memory, the sizes of the layers also say where a count would cut them
//! into slices, how many there will be, and how much of them waits at one time.

use super::ahead::Ahead;
use super::count::Ways;
use super::halves::Tours;
use super::layer::{Layer, Look, Maker, Work};
use super::matching::Tables;
use super::passes::{SLICES_A_CELL, SLICES_A_STATION};
use super::ring::Words;
use super::slices;
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
    /// What it is in slices; `None` if nothing need be cut for the memory of the run.
    pub sliced: Option<Sliced>,
}

/// Layers that are cut into slices.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sliced {
    /// How many slices there are in the end.
    pub slices: f64,
    /// Bytes in memory at one time, for the slice that is being read.
    pub bytes: f64,
    /// Bytes of the slices that wait at one time, in memory or on disk.
    pub waiting: f64,
}

/// How much more slowly the layers grow later on.
const FALL: f64 = 0.8;
/// Over which share of the steps that were read the growth is taken.
const WINDOW: f64 = 0.4;
/// Bytes for a border, for its group in memory and when it waits, and for the arrows of a type.
const BORDER_BYTES: f64 = 12.0;
const GROUP_BYTES: f64 = 32.0;
const GROUP_WAITING: f64 = 24.0;
const ARROW_BYTES: f64 = 48.0;
/// The least number of types for each border.
const LEAST_SHARE: f64 = 0.02;
/// Layers in memory at one time: the largest and the one before it, and some room to grow.
const LAYERS: f64 = 2.2;
/// Seconds for a border whose operation is a table and for one whose is not, for a type that is
/// looked ahead from, and for joining a border.
const BORDER: f64 = 30e-9;
const FAR: f64 = 180e-9;
const SIGHT: f64 = 900e-9;
const JOINED: f64 = 60e-9;
/// What share of a slice the largest is that it is cut into, where one half is the image of the
/// other and where it is not.
const LARGEST: [f64; 2] = [0.4, 0.5];

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
    let mut sizes: Vec<f64> = Vec::new();
    // Seconds up to each step.
    let mut spent = vec![0.0];
    // Types for each border.
    let mut shares = Vec::new();
    let mut read = 0;
    for (number, step) in reading.steps.iter().enumerate() {
        if read > most {
            break;
        }
        let next = maker.next(&layer, step, Some((&ahead, number)))?;
        maker.recycle(std::mem::replace(&mut layer, next));
        read += layer.borders();
        sizes.push(layer.borders() as f64);
        shares.push(layer.types() as f64 / layer.borders().max(1) as f64);
        let Work { near, far, looked } = maker.work();
        spent.push(near as f64 * BORDER + far as f64 * FAR + looked as f64 * SIGHT);
    }
    let known = sizes.len();
    let exact = known == reading.steps.len();
    // Borders have ever more pairs, and cost ever more: the rest costs as the last ones do.
    let window = known - (known as f64 * WINDOW) as usize;
    let late: f64 = sizes[window.min(known)..].iter().sum();
    let rate = (spent[known] - spent[window.min(known)]) / late.max(1.0);
    // Groups become larger in the same measure.
    let left = reading.steps.len() - known;
    let share = match (shares.get(window), shares.last()) {
        (Some(&before), Some(&last)) if before > 0.0 => {
            let falls = (last / before).min(1.0);
            (last * falls.powf(left as f64 / (known - window) as f64)).max(LEAST_SHARE)
        }
        _ => 1.0,
    };
    let bytes = Sizes {
        held: LAYERS * (BORDER_BYTES + share * GROUP_BYTES) + share * ARROW_BYTES,
        waiting: BORDER_BYTES + share * GROUP_WAITING,
    };
    extrapolate(&mut sizes, reading.steps.len());
    let rest: f64 = sizes[known..].iter().sum();
    let last = sizes.last().copied().unwrap_or(1.0);
    let peak = sizes.iter().copied().fold(last, f64::max);
    let halves = if tours.is_swapped() { 1.0 } else { 2.0 };
    let seconds = spent[known] + rest * rate + last * JOINED;
    Ok(Forecast {
        exact,
        peak,
        borders: (read as f64 + rest) * halves,
        bytes: (peak + last * (halves - 1.0)) * bytes.held,
        seconds: seconds * halves,
        sliced: run.budget().memory.and_then(|memory| sliced(tours, &sizes, bytes, memory as f64)),
    })
}

/// Bytes for each border.
#[derive(Clone, Copy)]
struct Sizes {
    /// Of the largest layer, with the layer before it and the arrows between.
    held: f64,
    /// That waits.
    waiting: f64,
}

/// Where layers of these sizes are cut, and what follows.
fn sliced(tours: &Tours, sizes: &[f64], a_border: Sizes, memory: f64) -> Option<Sliced> {
    let (halves, largest, several) = if tours.is_swapped() {
        (1.0, LARGEST[0], SLICES_A_STATION as f64)
    } else {
        (2.0, LARGEST[1], SLICES_A_CELL as f64)
    };
    let growth = Ways::default().growth as f64;
    let mut stations = slices::stations(tours).into_iter().peekable();
    let (mut slices, mut share) = (1.0, 1.0);
    let (mut bytes, mut waiting) = (0.0f64, 0.0);
    for (step, size) in sizes.iter().enumerate() {
        bytes = bytes.max(size * share * halves * a_border.held);
        while stations.next_if(|station| station.steps[0] <= step + 1).is_some() {
            let cut = size * share * halves * a_border.waiting;
            if cut * growth > memory {
                waiting += cut;
                slices *= several;
                share *= largest;
            }
        }
    }
    (slices > 1.0).then_some(Sliced { slices, bytes, waiting })
}

/// Adds the sizes of the layers up to so many steps to those of the first layers.
fn extrapolate(sizes: &mut Vec<f64>, steps: usize) {
    let mut largest = 1.0f64;
    let hull: Vec<f64> = sizes
        .iter()
        .map(|&size| {
            largest = largest.max(size);
            largest.ln()
        })
        .collect();
    let Some(last) = hull.len().checked_sub(1) else { return sizes.resize(steps, 1.0) };
    let window = ((last as f64 * WINDOW) as usize).clamp(1, last.max(1)).min(last);
    let slope = if window > 0 { (hull[last] - hull[last - window]) / window as f64 } else { 0.0 };
    let left = steps - sizes.len();
    let size = |step: usize| {
        let step = step as f64;
        (hull[last] + FALL * slope * (step - step * step / (2.0 * left as f64))).exp()
    };
    sizes.extend((1..=left).map(size));
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
                    let mut sizes = layers[..=step].to_vec();
                    extrapolate(&mut sizes, layers.len());
                    let (last, borders) = (sizes[layers.len() - 1], sizes.iter().sum::<f64>());
                    for (found, truth) in [(last, largest), (borders, total)] {
                        assert!((0.2..6.0).contains(&(found / truth)), "{found} {truth} {step}");
                    }
                }
            }
        }
    }
}
