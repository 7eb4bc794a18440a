//! The diameter of a lift, by few searches.
//!
//! Write M(x, y) for the greatest distance between a state at node x and one at node y of
//! the same component. Renaming the pieces is a symmetry, so one search from any state at x
//! gives M(x, y) for all y, and the diameter is the greatest M. Three things save most of
//! the searches: M(x, y) = M(y, x); M does not change under symmetries of the graph; and
//! M(x, y) ≤ M(s, y) + d(s, x), where d is the distance in the small graph, because a state
//! at x can first be walked to s. So each search bounds all others, and nodes whose bound
//! is not above the greatest distance met need none. The first search begins at a **centre**
//! of the graph, a node from which none is far, so that it bounds all others well; then the
//! node with the highest bound comes next. Beginning at a corner instead takes four searches
//! where two do (30 nodes and 11 slots that are moved evenly).

use super::{Gains, Journal, Layers, Table};
use crate::run::{Run, Stop, Stopped};

/// Symmetries of a gain graph that its lift has too: for each, where the nodes go.
#[derive(Clone, Debug, Default)]
pub struct Geometry {
    /// The symmetries; the identity need not be among them.
    pub symmetries: Vec<Vec<u32>>,
}

/// States as far apart as any.
#[derive(Clone, Debug)]
pub struct Farthest {
    /// The node of one of them, where the slots are as they are.
    pub from: u32,
    /// What the search from there found; the other one is its farthest.
    pub layers: Layers,
    /// How many searches there were.
    pub searches: u64,
    /// How many nodes there are up to symmetry.
    pub classes: u64,
    /// The least eccentricity that was met.
    pub least: u32,
}

/// The diameter of a component. If it is stopped, the error holds the farthest states met so far.
/// With a journal the searches are saved, and those that it has already are not made again.
pub fn diameter(
    table: &mut Table,
    graph: &Gains,
    geometry: &Geometry,
    mut journal: Option<&mut Journal>,
    run: &Run,
) -> Result<Farthest, Stopped<Option<Farthest>>> {
    let nodes = graph.nodes();
    let mut images: Vec<Vec<u32>> = vec![(0..nodes as u32).collect()];
    images.extend(geometry.symmetries.iter().cloned());
    // The least node of each class stands for it.
    let first: Vec<u32> = (0..nodes as u32)
        .filter(|&node| images.iter().all(|image| image[node as usize] >= node))
        .collect();
    let classes = first.len() as u64;
    let mut best: Option<Farthest> = None;
    let stopped = |why: Stop, so_far: &Option<Farthest>| Stopped { why, so_far: so_far.clone() };

    let mut claim = run.claim();
    claim.grow_to(2 * (nodes * nodes) as u64).map_err(|why| stopped(why, &best))?;
    let mut bounds = vec![u16::MAX; nodes * nodes];
    let mut done = vec![false; nodes];
    let (mut cap, mut searches, mut least) = (u16::MAX, 0, u32::MAX);
    loop {
        let greatest = best.as_ref().map_or(0, |best| best.layers.depth());
        let bound = |&node: &u32| {
            let row = &bounds[node as usize * nodes..][..nodes];
            u32::from(row.iter().copied().max().unwrap_or(0).min(cap))
        };
        let open = first.iter().copied().filter(|&node| !done[node as usize]);
        let next = if best.is_none() {
            open.min_by_key(|&node| remoteness(graph, node))
        } else {
            open.max_by_key(|node| (bound(node), std::cmp::Reverse(*node)))
        };
        let Some(start) = next.filter(|node| best.is_none() || bound(node) > greatest) else {
            break;
        };
        run.uneven_stage(format!("search {} of at most {classes}", searches + 1), 0);
        let layers = table
            .journalled(start, journal.as_deref_mut(), run)
            .map_err(|why| stopped(why, &best))?;
        searches += 1;
        done[start as usize] = true;
        let depth = layers.depth();
        least = least.min(depth);
        // From any state to any other by way of the start.
        cap = cap.min((2 * depth).min(u32::from(u16::MAX)) as u16);
        for image in &images {
            let centre = image[start as usize];
            let near = graph.distances(centre);
            let mut reach = vec![u16::MAX; nodes];
            for (node, last) in layers.last.iter().enumerate() {
                if let Some(last) = last {
                    reach[image[node] as usize] = (*last).min(u32::from(u16::MAX)) as u16;
                }
            }
            for x in 0..nodes {
                run.check().map_err(|why| stopped(why, &best))?;
                let way = near[x].min(u32::from(u16::MAX)) as u16;
                for (y, reach) in reach.iter().enumerate() {
                    let bound = reach.saturating_add(way);
                    if bound < bounds[x * nodes + y] {
                        bounds[x * nodes + y] = bound;
                        let back = &mut bounds[y * nodes + x];
                        *back = bound.min(*back);
                    }
                }
            }
        }
        if best.is_none() || depth > greatest {
            best = Some(Farthest { from: start, layers, searches, classes, least });
        }
    }
    match best {
        Some(best) => Ok(Farthest { searches, least, ..best }),
        // A graph without nodes has no states.
        None => Err(Stopped { why: Stop::Cancelled, so_far: None }),
    }
}

/// How far the farthest node is, and how far all are together.
fn remoteness(graph: &Gains, node: u32) -> (u32, u64) {
    let distances = graph.distances(node);
    let farthest = distances.iter().copied().max().unwrap_or(0);
    (farthest, distances.into_iter().map(u64::from).sum())
}
