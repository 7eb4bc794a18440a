//! The tables against plain searches of the same lifts.

use super::*;
use crate::explore::{StateSpace, diameter as plain_diameter, layers as plain_layers};
use crate::random::Random;
use crate::run::{Budget, Run};
use crate::symmetry::Generated;
use num_bigint::BigUint;
use proptest::prelude::*;

/// The lift, state by state.
struct Plain<'g>(&'g Gains);

impl StateSpace for Plain<'_> {
    type State = (u32, Vec<u8>);

    fn starts(&self) -> impl Iterator<Item = Self::State> {
        (0..self.0.nodes() as u32).map(|node| (node, (0..self.0.slots() as u8).collect()))
    }

    fn moves(&self, (node, p): &Self::State, mut offer: impl FnMut(Self::State)) {
        for (to, gain) in self.0.arcs(*node) {
            offer((to, gain.iter().map(|&s| p[s as usize]).collect()));
        }
    }
}

/// A connected graph with random gains.
fn any_gains() -> impl Strategy<Value = Gains> {
    (1..=90usize, 1..=6usize, 0..12usize, 0..3u32, any::<u64>()).prop_map(
        |(nodes, slots, more, kind, seed)| {
            let mut random = Random::new(seed, 0);
            let mut graph = Gains::new(nodes, slots);
            let mut join = |a: u32, b: u32, random: &mut Random| {
                let mut gain: Vec<u8> = (0..slots as u8).collect();
                let count = if kind == 2 { 2 } else { kind };
                for _ in 0..count {
                    let [a, b] = [0, 0].map(|_| random.below(slots as u64) as usize);
                    gain.swap(a, b);
                }
                graph.join(a, b, &gain);
            };
            for node in 1..nodes as u64 {
                let before = random.below(node) as u32;
                join(before, node as u32, &mut random);
            }
            for _ in 0..more {
                let [a, b] = [0, 0].map(|_| random.below(nodes as u64) as u32);
                join(a, b, &mut random);
            }
            graph
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn tables_find_the_layers_of_a_plain_search(graph in any_gains(), start: prop::sample::Index) {
        let start = start.index(graph.nodes()) as u32;
        let plain = Plain(&graph);
        let identity: Vec<u8> = (0..graph.slots() as u8).collect();
        for threads in [1, 2] {
            let run = Run::new(Budget { threads, ..Budget::default() });
            let gauge = if threads == 1 { Gauge::plain(&graph) } else { Gauge::best(&graph, 3, &run).unwrap() };
            // By the names of a gauge the start must be the identity.
            let first = gauge.restore(start, &identity);
            let expected = plain_layers(&plain, [(start, first)], &run).unwrap();
            let group = Generated::new(graph.slots(), &gauge.generators(&graph, &run).unwrap(), &run).unwrap();
            let size = BigUint::from(expected.total());
            prop_assert_eq!(group.order() * graph.nodes() as u64, size);
            let mut table = Table::new(&graph, gauge, &run).unwrap();
            let found = table.layers(start, None, &run).unwrap();
            prop_assert_eq!(&found.sizes, &expected.sizes());
            let named = |(node, images): &(u32, crate::symmetry::Permutation)| {
                let items: Vec<u8> = images.images().iter().map(|&i| i as u8).collect();
                (*node, table.gauge().restore(*node, &items))
            };
            let far = named(&found.farthest);
            prop_assert_eq!(expected.distance_to(&far), Some(u64::from(found.depth())));
            let mut last = vec![None; graph.nodes()];
            for d in 0..=found.depth() {
                expected.layer(u64::from(d)).for_each(|(node, _)| last[*node as usize] = Some(d));
            }
            prop_assert_eq!(&found.last, &last);
            // From either side, and changing sides all the time.
            let mut level = 0u64;
            let sides: [&mut (dyn FnMut(u64, u64) -> bool + Send); 3] =
                [&mut |_, _| false, &mut |_, _| true, &mut |_, _| { level += 1; level % 3 == 1 }];
            for side in sides {
                prop_assert_eq!(&table.layers_by(start, None, side, &run).unwrap(), &found);
            }
            // All states of a layer, one by one.
            let middle = found.depth() / 2;
            let part = table.layers(start, Some(middle), &run).unwrap();
            prop_assert_eq!(part.depth(), middle);
            let named = |(node, images): (u32, crate::symmetry::Permutation)| {
                let items: Vec<u8> = images.images().iter().map(|&i| i as u8).collect();
                (node, table.gauge().restore(node, &items))
            };
            let count = found.sizes[middle as usize];
            for k in 0..count.min(50) {
                let state = named(table.state(k).unwrap());
                prop_assert_eq!(expected.distance_to(&state), Some(u64::from(middle)));
            }
            prop_assert!(table.state(count).is_none());
        }
    }

    #[test]
    fn the_diameter_agrees_with_a_plain_one(graph in any_gains()) {
        prop_assume!(graph.nodes() <= 20 && graph.slots() <= 5);
        let run = Run::default();
        let plain = Plain(&graph);
        let expected = plain_diameter(&plain, plain.starts().collect::<Vec<_>>(), &run).unwrap().unwrap();
        let mut table = Table::new(&graph, Gauge::plain(&graph), &run).unwrap();
        let found = diameter(&mut table, &graph, &Geometry::default(), &run).unwrap();
        prop_assert_eq!(u64::from(found.layers.depth()), expected.distance);
        prop_assert!(found.searches <= found.classes);
    }
}

#[test]
fn tables_keep_within_the_memory_limit() {
    let mut graph = Gains::new(2, 12);
    let gain: Vec<u8> = (1..12).chain([0]).collect();
    let back: Vec<u8> = [11].into_iter().chain(0..11).collect();
    graph.join(0, 1, &(0..12).collect::<Vec<_>>());
    graph.join(0, 1, &gain);
    assert!(graph.arcs(1).any(|arc| arc == (0, &back[..])), "joining adds the arc back");
    let run = Run::new(Budget { memory: Some(1 << 20), ..Budget::default() });
    let gauge = Gauge::plain(&graph);
    let size = Table::size(graph.nodes(), 12, false).unwrap();
    assert_eq!((size.states, size.bytes), (958_003_200, 958_003_200));
    let stop = Table::new(&graph, gauge, &run).unwrap_err();
    assert!(matches!(stop, crate::run::Stop::Memory { .. }), "{stop}");
    assert_eq!(run.progress().bytes, 0);
}
