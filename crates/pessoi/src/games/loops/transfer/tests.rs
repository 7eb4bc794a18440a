//! The transfer matrix against other ways to count, and against brute force.

use std::collections::HashMap;
use std::sync::Arc;

use pessoi_engine::run::Budget;

use super::*;
use crate::games::loops::doubling;

/// What a symmetry makes of a vertex.
type Image = fn((i32, i32)) -> (i32, i32);

/// All polygons of a perimeter up to translation, as sorted lists of vertices and edges, found by
/// walking from their lowest vertex, the leftmost of these.
fn brute(perimeter: usize) -> Vec<Vec<(i32, i32)>> {
    fn walk(path: &mut Vec<(i32, i32)>, perimeter: usize, found: &mut Vec<Vec<(i32, i32)>>) {
        let (x, y) = path[path.len() - 1];
        if path.len() == perimeter {
            // Each polygon is walked both ways: the way that begins to the right is kept.
            if (x.abs() + y.abs() == 1) && path[1] == (1, 0) {
                found.push(path.clone());
            }
            return;
        }
        for next in [(x + 1, y), (x, y + 1), (x - 1, y), (x, y - 1)] {
            if (next.1, next.0) > (0, 0) && !path.contains(&next) {
                path.push(next);
                walk(path, perimeter, found);
                path.pop();
            }
        }
    }
    let mut found = Vec::new();
    walk(&mut vec![(0, 0)], perimeter, &mut found);
    found
}

/// A polygon as its set of edges, moved to the corner.
fn edges(path: &[(i32, i32)]) -> Vec<[(i32, i32); 2]> {
    let x = path.iter().map(|p| p.0).min().unwrap();
    let y = path.iter().map(|p| p.1).min().unwrap();
    let moved: Vec<_> = path.iter().map(|p| (p.0 - x, p.1 - y)).collect();
    let mut edges: Vec<_> = (0..moved.len())
        .map(|i| {
            let mut edge = [moved[i], moved[(i + 1) % moved.len()]];
            edge.sort_unstable();
            edge
        })
        .collect();
    edges.sort_unstable();
    edges
}

fn fixed(perimeter: usize) -> Vec<Fixed> {
    let run = Run::default();
    polygons(perimeter, Sameness::Free, &run, &Ledger::unkept(&run)).unwrap()
}

#[test]
fn brute_force_agrees_symmetry_by_symmetry() {
    let found = fixed(16);
    for perimeter in (4..=16).step_by(2) {
        let all = brute(perimeter);
        let alone = |image: Image| {
            let is_alone = |path: &&Vec<(i32, i32)>| {
                let turned: Vec<_> = path.iter().map(|&p| image(p)).collect();
                edges(path) == edges(&turned)
            };
            all.iter().filter(is_alone).count() as u128
        };
        let wanted = Fixed {
            all: all.len() as u128,
            half_turn: alone(|(x, y)| (-x, -y)),
            quarter_turn: alone(|(x, y)| (-y, x)),
            side: alone(|(x, y)| (-x, y)),
            diagonal: alone(|(x, y)| (y, x)),
        };
        assert_eq!(found[perimeter / 2], wanted, "{perimeter}");
        assert_eq!(alone(|(x, y)| (x, -y)), wanted.side);
        assert_eq!(alone(|(x, y)| (-y, -x)), wanted.diagonal);
        // Burnside's lemma against classes that are gathered.
        let mut classes: HashMap<_, u32> = HashMap::new();
        for path in &all {
            let images: [Image; 8] = [
                |(x, y)| (x, y),
                |(x, y)| (-y, x),
                |(x, y)| (-x, -y),
                |(x, y)| (y, -x),
                |(x, y)| (-x, y),
                |(x, y)| (x, -y),
                |(x, y)| (y, x),
                |(x, y)| (-y, -x),
            ];
            let image = |f: &Image| edges(&path.iter().map(|&p| f(p)).collect::<Vec<_>>());
            *classes.entry(images.iter().map(image).min().unwrap()).or_default() += 1;
        }
        assert_eq!(wanted.number(Sameness::Free).unwrap(), classes.len() as u128);
    }
}

#[test]
fn length_doubling_agrees() {
    let wazir = Arc::new(Moves::new(&[(0, 1)]));
    let found = fixed(22);
    let run = Run::default();
    for perimeter in (4..=22).step_by(2) {
        let census = doubling::census(&wazir, perimeter, &run, &Ledger::unkept(&run), "").unwrap();
        for sameness in [Sameness::Fixed, Sameness::OneSided, Sameness::Free] {
            let number = found[perimeter / 2].number(sameness).unwrap();
            assert_eq!(number, census.number(sameness), "{perimeter} {sameness:?}");
        }
    }
}

/// A longer sweep says the same of shorter perimeters, and less is swept if less is asked for.
#[test]
fn shorter_ones_come_along() {
    let (long, short) = (fixed(40), fixed(26));
    assert_eq!(long[..14], short[..]);
    let run = Run::default();
    let only = polygons(26, Sameness::Fixed, &run, &Ledger::unkept(&run)).unwrap();
    assert!(only.iter().zip(&short).all(|(one, other)| one.all == other.all));
    assert!(only.iter().all(|one| one.diagonal == 0 && one.side == 0));
    // Quotients rise to the square of the lattice's connective constant, 2.638…
    let quotient = long[20].all as f64 / long[19].all as f64;
    assert!((6.0..6.96).contains(&quotient), "{quotient}");
}

#[test]
fn limits_stop_it() {
    let run = Run::new(Budget { memory: Some(1 << 16), ..Budget::default() });
    let stopped = polygons(48, Sameness::Free, &run, &Ledger::unkept(&run));
    assert!(matches!(stopped, Err(Halt::Stop(Limit::Memory { .. }))));
    let run = Run::default();
    run.cancel();
    let stopped = polygons(20, Sameness::Free, &run, &Ledger::unkept(&run));
    assert!(matches!(stopped, Err(Halt::Stop(Limit::Cancelled {}))));
}
