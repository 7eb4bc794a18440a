//! A small graph network, by hand: for comparison only, it is not shipped.
//!
//! Each cell begins with what is known of it alone (its number of moves, whether it is an end,
//! whether the tour is closed) and is told three times what its neighbours hold:
//! h ← tanh(A h + B · mean of the neighbours' h + c). The mean over all cells, and the greatest
//! value of each number over all cells, are weighed and give the odds. Gradients are
//! propagated backwards through the rounds, one board at a time (Adam).

use pessoi_engine::random::Random;

use crate::case::Case;
use crate::draw;

const WIDTH: usize = 8;
const ROUNDS: usize = 3;
/// A and B of each round by rows, then c.
const A_ROUND: usize = 2 * WIDTH * WIDTH + WIDTH;
const PARAMETERS: usize = ROUNDS * A_ROUND + 2 * WIDTH + 1;
const EPOCHS: usize = 12;
const RATE: f64 = 0.004;

type Cells = Vec<[f64; WIDTH]>;

/// A board as the network sees it.
pub struct Graph {
    near: Vec<Vec<usize>>,
    first: Cells,
}

impl Graph {
    /// The graph of a case.
    pub fn new(case: &Case) -> Graph {
        let moves = draw::moves(&case.game);
        let places: Vec<usize> = (0..case.cells.len()).filter(|&place| case.cells[place]).collect();
        let mut index = vec![0; case.cells.len()];
        for (k, &place) in places.iter().enumerate() {
            index[place] = k;
        }
        let near: Vec<Vec<usize>> = places
            .iter()
            .map(|&place| draw::near(case, &moves, place).into_iter().map(|to| index[to]).collect())
            .collect();
        let first = places
            .iter()
            .zip(&near)
            .map(|(&place, near)| {
                let is = |so: bool| f64::from(u8::from(so));
                let end = case.from == Some(place) || case.to == Some(place);
                [
                    is(near.len() <= 1),
                    is(near.len() == 2),
                    is(near.len() == 3),
                    is(near.len() == 4),
                    near.len() as f64 / 8.0,
                    is(end),
                    is(case.closed),
                    is(case.from.is_some()),
                ]
            })
            .collect();
        Graph { near, first }
    }
}

/// A trained network.
pub struct Net(Vec<f64>);

/// What a pass through the network leaves.
struct Pass {
    layers: Vec<Cells>,
    means: Vec<Cells>,
    tops: [usize; WIDTH],
    odds: f64,
}

impl Net {
    /// The probability of a tour.
    pub fn probability(&self, graph: &Graph) -> f64 {
        1.0 / (1.0 + (-self.pass(graph).odds).exp())
    }

    fn pass(&self, graph: &Graph) -> Pass {
        let w = &self.0;
        let n = graph.first.len();
        let (mut layers, mut means) = (vec![graph.first.clone()], Vec::new());
        for round in 0..ROUNDS {
            let (a, b, c) = parts(round);
            let h = &layers[round];
            let mut mean = vec![[0.0; WIDTH]; n];
            let mut next = vec![[0.0; WIDTH]; n];
            for cell in 0..n {
                for &near in &graph.near[cell] {
                    for k in 0..WIDTH {
                        mean[cell][k] += h[near][k] / graph.near[cell].len() as f64;
                    }
                }
                for i in 0..WIDTH {
                    let mut sum = w[c + i];
                    for k in 0..WIDTH {
                        sum += w[a + i * WIDTH + k] * h[cell][k];
                        sum += w[b + i * WIDTH + k] * mean[cell][k];
                    }
                    next[cell][i] = sum.tanh();
                }
            }
            means.push(mean);
            layers.push(next);
        }
        let last = &layers[ROUNDS];
        let out = ROUNDS * A_ROUND;
        let mut odds = w[out + 2 * WIDTH];
        let mut tops = [0; WIDTH];
        for k in 0..WIDTH {
            let mean: f64 = last.iter().map(|h| h[k]).sum::<f64>() / n as f64;
            tops[k] = (0..n).max_by(|&i, &j| last[i][k].total_cmp(&last[j][k])).unwrap_or(0);
            odds += w[out + k] * mean + w[out + WIDTH + k] * last[tops[k]][k];
        }
        Pass { layers, means, tops, odds }
    }

    /// The gradient of the loss.
    fn gradient(&self, graph: &Graph, solvable: bool) -> Vec<f64> {
        let w = &self.0;
        let n = graph.first.len();
        let pass = self.pass(graph);
        let error = 1.0 / (1.0 + (-pass.odds).exp()) - f64::from(u8::from(solvable));
        let mut gradient = vec![0.0; PARAMETERS];
        let out = ROUNDS * A_ROUND;
        gradient[out + 2 * WIDTH] = error;
        let mut back = vec![[0.0; WIDTH]; n];
        for k in 0..WIDTH {
            let last = &pass.layers[ROUNDS];
            gradient[out + k] = error * last.iter().map(|h| h[k]).sum::<f64>() / n as f64;
            gradient[out + WIDTH + k] = error * last[pass.tops[k]][k];
            for cell in &mut back {
                cell[k] = error * w[out + k] / n as f64;
            }
            back[pass.tops[k]][k] += error * w[out + WIDTH + k];
        }
        for round in (0..ROUNDS).rev() {
            let (a, b, c) = parts(round);
            let (h, mean, next) =
                (&pass.layers[round], &pass.means[round], &pass.layers[round + 1]);
            let mut before = vec![[0.0; WIDTH]; n];
            for cell in 0..n {
                for i in 0..WIDTH {
                    let slope = back[cell][i] * (1.0 - next[cell][i].powi(2));
                    gradient[c + i] += slope;
                    for k in 0..WIDTH {
                        gradient[a + i * WIDTH + k] += slope * h[cell][k];
                        gradient[b + i * WIDTH + k] += slope * mean[cell][k];
                        before[cell][k] += slope * w[a + i * WIDTH + k];
                        let shared = slope * w[b + i * WIDTH + k] / graph.near[cell].len() as f64;
                        for &near in &graph.near[cell] {
                            before[near][k] += shared;
                        }
                    }
                }
            }
            back = before;
        }
        gradient
    }
}

/// Where the parameters of a round begin.
fn parts(round: usize) -> (usize, usize, usize) {
    let at = round * A_ROUND;
    (at, at + WIDTH * WIDTH, at + 2 * WIDTH * WIDTH)
}

/// Trains a network.
pub fn train(graphs: &[Graph], labels: &[bool], seed: u64) -> Net {
    let mut random = Random::new(seed, 77);
    let mut net = Net((0..PARAMETERS).map(|_| (random.unit() - 0.5) * 0.6).collect());
    let (mut first, mut second) = (vec![0.0; PARAMETERS], vec![0.0; PARAMETERS]);
    let mut order: Vec<usize> = (0..graphs.len()).collect();
    let mut time = 0;
    for _ in 0..EPOCHS {
        random.shuffle(&mut order);
        for batch in order.chunks(16) {
            let mut sum = vec![0.0; PARAMETERS];
            for &k in batch {
                let gradient = net.gradient(&graphs[k], labels[k]);
                sum.iter_mut().zip(gradient).for_each(|(sum, g)| *sum += g / batch.len() as f64);
            }
            time += 1;
            for k in 0..PARAMETERS {
                first[k] = 0.9 * first[k] + 0.1 * sum[k];
                second[k] = 0.999 * second[k] + 0.001 * sum[k] * sum[k];
                let m = first[k] / (1.0 - 0.9f64.powi(time));
                let v = second[k] / (1.0 - 0.999f64.powi(time));
                net.0[k] -= RATE * m / (v.sqrt() + 1e-8);
            }
        }
    }
    net
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gradients_are_those_of_the_loss() {
        let case = Case::parse("knight-tours closed ..../..../...#/....").unwrap();
        let graph = Graph::new(&case);
        let mut random = Random::new(2, 0);
        let mut net = Net((0..PARAMETERS).map(|_| random.unit() - 0.5).collect());
        let loss = |net: &Net| -net.probability(&graph).ln();
        let gradient = net.gradient(&graph, true);
        for k in (0..PARAMETERS).step_by(7) {
            let kept = net.0[k];
            net.0[k] = kept + 1e-5;
            let above = loss(&net);
            net.0[k] = kept - 1e-5;
            let slope = (above - loss(&net)) / 2e-5;
            net.0[k] = kept;
            assert!((slope - gradient[k]).abs() < 1e-5, "{k}: {slope} {}", gradient[k]);
        }
    }
}
