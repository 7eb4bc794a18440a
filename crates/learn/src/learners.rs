//! Logistic regression and boosted trees: a page each.
//!
//! Both are deterministic: one thread, sums in the order of the data.

use pessoi::games::learned::{Judge, Node};

/// Numbers and labels.
pub struct Set {
    /// The features of each board.
    pub x: Vec<Vec<f64>>,
    /// Whether it has a tour.
    pub y: Vec<bool>,
}

fn sigmoid(z: f64) -> f64 {
    1.0 / (1.0 + (-z).exp())
}

/// Logistic regression on some of the features, by Newton's method with a small ridge. The
/// weights are those of the features as they are, zero for features that are not used.
pub fn logistic(set: &Set, used: &[usize]) -> Judge {
    const RIDGE: f64 = 1.0;
    let all = set.x.first().map_or(0, Vec::len);
    let n = set.x.len() as f64;
    let mean: Vec<f64> =
        used.iter().map(|&f| set.x.iter().map(|x| x[f]).sum::<f64>() / n).collect();
    let spread: Vec<f64> = used
        .iter()
        .zip(&mean)
        .map(|(&f, m)| {
            let square: f64 = set.x.iter().map(|x| (x[f] - m).powi(2)).sum();
            (square / n).sqrt().max(1e-9)
        })
        .collect();
    let size = used.len() + 1;
    let row = |x: &[f64]| -> Vec<f64> {
        let scaled = used.iter().enumerate().map(|(k, &f)| (x[f] - mean[k]) / spread[k]);
        std::iter::once(1.0).chain(scaled).collect()
    };
    let mut w = vec![0.0; size];
    for _ in 0..30 {
        let mut gradient = vec![0.0; size];
        let mut curve = vec![vec![0.0; size]; size];
        for (x, &y) in set.x.iter().zip(&set.y) {
            let x = row(x);
            let p = sigmoid(x.iter().zip(&w).map(|(x, w)| x * w).sum());
            for i in 0..size {
                gradient[i] += (f64::from(u8::from(y)) - p) * x[i];
                for j in 0..size {
                    curve[i][j] += (p * (1.0 - p)).max(1e-9) * x[i] * x[j];
                }
            }
        }
        for i in 1..size {
            gradient[i] -= RIDGE * w[i];
            curve[i][i] += RIDGE;
        }
        let step = solved(curve, gradient);
        for (w, step) in w.iter_mut().zip(step) {
            *w += step.clamp(-2.0, 2.0);
        }
    }
    let mut weights = vec![0.0; all];
    let mut bias = w[0];
    for (k, &f) in used.iter().enumerate() {
        weights[f] = w[k + 1] / spread[k];
        bias -= w[k + 1] * mean[k] / spread[k];
    }
    Judge::Logistic { bias, weights }
}

/// Solves linear equations by elimination.
pub fn solved(mut a: Vec<Vec<f64>>, mut b: Vec<f64>) -> Vec<f64> {
    let n = b.len();
    for column in 0..n {
        let pivot = (column..n).max_by(|&i, &j| a[i][column].abs().total_cmp(&a[j][column].abs()));
        let pivot = pivot.unwrap_or(column);
        a.swap(column, pivot);
        b.swap(column, pivot);
        let top = a[column].clone();
        for row in column + 1..n {
            let factor = a[row][column] / top[column];
            for k in column..n {
                a[row][k] -= factor * top[k];
            }
            b[row] -= factor * b[column];
        }
    }
    for row in (0..n).rev() {
        let known: f64 = (row + 1..n).map(|k| a[row][k] * b[k]).sum();
        b[row] = (b[row] - known) / a[row][row];
    }
    b
}

const TREES: usize = 120;
const DEPTH: usize = 3;
const RATE: f64 = 0.1;
const LEAST_IN_LEAF: usize = 12;

/// Boosted trees for the logistic loss (Friedman 2001), with Newton steps in the leaves.
pub fn trees(set: &Set) -> Judge {
    let n = set.y.len();
    let yes = set.y.iter().filter(|&&y| y).count() as f64;
    let bias = ((yes + 1.0) / (n as f64 - yes + 1.0)).ln();
    let mut sums = vec![bias; n];
    let mut trees = Vec::new();
    for _ in 0..TREES {
        let p: Vec<f64> = sums.iter().map(|&z| sigmoid(z)).collect();
        let gradient: Vec<f64> =
            set.y.iter().zip(&p).map(|(&y, p)| f64::from(u8::from(y)) - p).collect();
        let curve: Vec<f64> = p.iter().map(|p| (p * (1.0 - p)).max(1e-6)).collect();
        let mut tree = Vec::new();
        grow(set, &gradient, &curve, (0..n).collect(), DEPTH, &mut tree);
        let one = Judge::Trees { bias: 0.0, trees: vec![tree.clone()] };
        for (sum, x) in sums.iter_mut().zip(&set.x) {
            // The logarithm of the odds that this one tree gives.
            let p = one.probability(x);
            *sum += (p / (1.0 - p)).ln();
        }
        trees.push(tree);
    }
    Judge::Trees { bias, trees }
}

fn grow(
    set: &Set,
    gradient: &[f64],
    curve: &[f64],
    rows: Vec<usize>,
    depth: usize,
    tree: &mut Vec<Node>,
) -> usize {
    let at = tree.len();
    let (g, h) = totals(gradient, curve, &rows);
    tree.push(Node::Leaf { value: RATE * (g / (h + 1.0)).clamp(-4.0, 4.0) });
    if depth == 0 {
        return at;
    }
    let mut best: Option<(f64, usize, f64)> = None;
    for feature in 0..set.x[0].len() {
        let mut order = rows.clone();
        order.sort_by(|&a, &b| set.x[a][feature].total_cmp(&set.x[b][feature]).then(a.cmp(&b)));
        let (mut left_g, mut left_h) = (0.0, 0.0);
        for k in 0..order.len().saturating_sub(1) {
            left_g += gradient[order[k]];
            left_h += curve[order[k]];
            let (here, next) = (set.x[order[k]][feature], set.x[order[k + 1]][feature]);
            let few = k + 1 < LEAST_IN_LEAF || order.len() - k - 1 < LEAST_IN_LEAF;
            // Sorted, so it is larger or the same.
            if next <= here || few {
                continue;
            }
            let gain = left_g * left_g / (left_h + 1.0) + (g - left_g).powi(2) / (h - left_h + 1.0)
                - g * g / (h + 1.0);
            if gain > best.map_or(1e-6, |best| best.0) {
                best = Some((gain, feature, f64::midpoint(here, next)));
            }
        }
    }
    let Some((_, feature, most)) = best else { return at };
    let (low, high): (Vec<usize>, Vec<usize>) =
        rows.into_iter().partition(|&row| set.x[row][feature] <= most);
    let left = grow(set, gradient, curve, low, depth - 1, tree);
    let right = grow(set, gradient, curve, high, depth - 1, tree);
    tree[at] = Node::Split { feature, most, left, right };
    at
}

fn totals(gradient: &[f64], curve: &[f64], rows: &[usize]) -> (f64, f64) {
    rows.iter().fold((0.0, 0.0), |(g, h), &row| (g + gradient[row], h + curve[row]))
}

/// The weights of a conditional logit: those under which what was chosen is most probable. Gradient
/// ascent with a fixed number of steps.
pub fn conditional(choices: &[pessoi::games::learned::Choice], signs: usize) -> Vec<f64> {
    let mut w = vec![0.0; signs];
    for _ in 0..300 {
        let mut gradient = vec![0.0; signs];
        for choice in choices {
            let scores: Vec<f64> = choice
                .steps
                .iter()
                .map(|signs| signs.iter().zip(&w).map(|(s, w)| s * w).sum())
                .collect();
            let top = scores.iter().copied().fold(f64::MIN, f64::max);
            let shares: Vec<f64> = scores.iter().map(|score| (score - top).exp()).collect();
            let whole: f64 = shares.iter().sum();
            for (k, (signs, share)) in choice.steps.iter().zip(shares).enumerate() {
                let taken = f64::from(u8::from(k == choice.taken));
                for (slope, sign) in gradient.iter_mut().zip(signs) {
                    *slope += (taken - share / whole) * sign;
                }
            }
        }
        for (w, slope) in w.iter_mut().zip(gradient) {
            *w += 2.0 * slope / choices.len().max(1) as f64;
        }
    }
    w
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Labels that depend on the first feature, noisily, and not on the second.
    fn set() -> Set {
        let mut random = pessoi_engine::random::Random::new(1, 0);
        let mut set = Set { x: Vec::new(), y: Vec::new() };
        for _ in 0..600 {
            let x = vec![random.unit(), random.unit()];
            set.y.push(x[0] + 0.2 * random.unit() > 0.6);
            set.x.push(x);
        }
        set
    }

    #[test]
    fn both_learn_what_matters_and_the_same_each_time() {
        let set = set();
        for judge in [logistic(&set, &[0, 1]), trees(&set)] {
            assert!(judge.probability(&[0.9, 0.5]) > 0.9, "{judge:?}");
            assert!(judge.probability(&[0.1, 0.5]) < 0.1, "{judge:?}");
        }
        assert_eq!(logistic(&set, &[0, 1]), logistic(&set, &[0, 1]));
        assert_eq!(trees(&set), trees(&set));
        let Judge::Logistic { weights, .. } = logistic(&set, &[1]) else { panic!() };
        assert_eq!(weights[0].to_bits(), 0f64.to_bits());
    }

    #[test]
    fn equations_are_solved() {
        let x = solved(vec![vec![0.0, 2.0], vec![3.0, 1.0]], vec![4.0, 5.0]);
        assert!((x[0] - 1.0).abs() < 1e-12 && (x[1] - 2.0).abs() < 1e-12);
    }
}
