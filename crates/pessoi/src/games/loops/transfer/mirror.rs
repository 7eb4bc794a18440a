//! Polygons that a mirror leaves alone.
//!
//! A mirror turns the loop round and leaves two of its points alone, where it crosses the mirror.
//! So half of the polygon is a path on one side of the mirror from one of these points to the
//! other, and any such path is half of a polygon. It is read like a polygon: what joins its two
//! ends is a **strand** that lies beside the mirror, has no edges, and is cut by the line as an
//! edge is, at the highest place. It is begun once and ended once.
//!
//! A mirror **along a side** lies along a row of vertices or between two rows. The path leaves it
//! and comes back by an edge across, or half an edge. Rows are counted from the mirror's: the
//! path goes through rows 0 to `depth`, of which the last is reached, and is read column by column
//! from its first.
//!
//! A mirror **along a diagonal** goes through vertices, and the path begins and ends at two of
//! them. Column x has the vertices of rows 0 to x, the last of them on the mirror; row 0 must be
//! reached, so each polygon is read once.

use pessoi_engine::arches::{Arches, CLOSES, FREE, Full, Joined, Layer, OPENS};
use pessoi_engine::run::Run;

use super::column::{BOTTOM, TOP, Vertex, needed, vertex};

/// So many depths there are for polygons of perimeter 2 · `half`: the path goes there and back,
/// and across.
pub(super) fn deepest(half: usize) -> usize {
    half / 2
}

/// Whether a part that was closed is the path with its strand, and the row was reached.
fn is_path(left: Arches) -> bool {
    left.is_free() && left.is_marked(BOTTOM) && left.is_marked(TOP)
}

/// The edges across that are still needed: two, or one if the strand is open at this place.
fn across(word: Arches, strand: usize) -> usize {
    match (word.is_marked(TOP), word.at(strand) != FREE) {
        (false, _) => 2,
        (true, is_open) => usize::from(is_open),
    }
}

/// For n up to `half`, how many polygons of perimeter 2n a mirror along a side leaves alone, of
/// those that reach `depth` rows away from the mirror's first.
pub(super) fn side(depth: usize, half: usize, run: &Run) -> Result<Vec<[u128; 2]>, Full> {
    // With a mirror between rows, an edge across is half an edge: the path has one more.
    let most = half + 1;
    let rows = depth + 1;
    let strand = rows + 1;
    let mut paths = vec![0u128; most + 1];
    // The path leads there and back, and across twice.
    let least = 2 * depth + 2;
    let (mut layer, mut next) = (Layer::new(least, most, run), Layer::new(least, most, run));
    layer.begin(Arches::default(), least)?;
    let mut column = 0;
    while !layer.is_empty() {
        // The vertices from far away to the mirror, and the mirror itself.
        for row in 0..=rows {
            next.clear();
            for parts in layer.words() {
                let mut result = Ok(());
                let mut go = |what: Vertex| {
                    if result.is_err() {
                        return;
                    }
                    match what {
                        Vertex::Closed(left) => {
                            let left = if row == 0 { left.marked(BOTTOM) } else { left };
                            if is_path(left) {
                                result = add(&mut paths, parts.numbers());
                            }
                        }
                        Vertex::Open(word, more, is_through) => {
                            let is_lowest = row == 0 && is_through;
                            let word = if is_lowest { word.marked(BOTTOM) } else { word };
                            let up = usize::from(row + 1 == rows && word.at(rows) != FREE);
                            let needed =
                                (needed(word, row, rows) + across(word, strand)).saturating_sub(up);
                            result = next.add(word, &parts, more, needed);
                        }
                    }
                };
                if row < rows {
                    vertex(parts.word, row, false, go);
                } else {
                    at_mirror(parts.word, rows, &mut go);
                }
                result?;
            }
            run.tick(layer.len() as u64)?;
            std::mem::swap(&mut layer, &mut next);
        }
        next.clear();
        // In the first column the path begins.
        for parts in layer.words().filter(|parts| !parts.word.is_free()) {
            // The place before the strand is free: all before it move up by one.
            let held = parts.word.at(strand);
            let word = parts.word.with(strand, FREE).shifted().with(strand, held);
            let needed = needed(parts.word, rows, rows) + across(word, strand);
            next.add(word, &parts, 0, needed)?;
        }
        std::mem::swap(&mut layer, &mut next);
        column += 1;
        debug_assert!(column <= most + 1);
    }
    let mut found = vec![[0; 2]; half + 1];
    for (n, own) in found.iter_mut().enumerate() {
        own[0] = paths[n].checked_add(paths[n + 1]).ok_or(Full::Overflow)?;
    }
    Ok(found)
}

/// What the mirror makes of an edge across it, at this place, and of the strand at the next.
fn at_mirror(word: Arches, place: usize, offer: &mut impl FnMut(Vertex)) {
    match (word.at(place), word.at(place + 1)) {
        (FREE, _) => offer(Vertex::Open(word, 0, false)),
        (end, FREE) if !word.is_marked(TOP) => {
            let word = word.with(place, FREE).with(place + 1, end).marked(TOP);
            offer(Vertex::Open(word, 0, false));
        }
        // A second strand.
        (_, FREE) => {}
        _ => offer(match word.join(place) {
            Joined::Closed(left) => Vertex::Closed(left),
            Joined::Open(word) => Vertex::Open(word, 0, false),
        }),
    }
}

/// For n up to `half`, how many polygons of perimeter 2n a mirror along a diagonal leaves alone.
pub(super) fn diagonal(half: usize, run: &Run) -> Result<Vec<[u128; 2]>, Full> {
    let mut paths = vec![0u128; half + 1];
    let (mut layer, mut next) = (Layer::new(0, half, run), Layer::new(0, half, run));
    layer.begin(Arches::default(), 0)?;
    for column in 0.. {
        for row in 0..=column {
            next.clear();
            for parts in layer.words() {
                let mut result = Ok(());
                let mut go = |what: Vertex| {
                    if result.is_err() {
                        return;
                    }
                    match what {
                        Vertex::Closed(left) => {
                            let left = if row == 0 { left.marked(BOTTOM) } else { left };
                            if is_path(left) {
                                result = add(&mut paths, parts.numbers());
                            }
                        }
                        Vertex::Open(word, more, is_through) => {
                            let is_lowest = row == 0 && is_through;
                            let word = if is_lowest { word.marked(BOTTOM) } else { word };
                            let needed = needed(word, row, column + 1);
                            result = next.add(word, &parts, more, needed);
                        }
                    }
                };
                if row < column {
                    vertex(parts.word, row, false, go);
                } else {
                    on_diagonal(parts.word, row, &mut go);
                }
                result?;
            }
            run.tick(layer.len() as u64)?;
            std::mem::swap(&mut layer, &mut next);
        }
        next.clear();
        for parts in layer.words() {
            next.add(parts.word.shifted(), &parts, 0, 0)?;
        }
        std::mem::swap(&mut layer, &mut next);
        if layer.is_empty() {
            break;
        }
    }
    Ok(paths.into_iter().map(|number| [number, 0]).collect())
}

/// What a vertex on the diagonal makes of the edge from below, at this place, and of the strand at
/// the next: the path ends there, or it is not reached.
fn on_diagonal(word: Arches, place: usize, offer: &mut impl FnMut(Vertex)) {
    let free = word.with(place, FREE).with(place + 1, FREE);
    let is_new = !word.is_marked(TOP);
    match (word.at(place), word.at(place + 1)) {
        (FREE, FREE) => {
            offer(Vertex::Open(word, 0, false));
            if is_new {
                let begun = word.with(place, OPENS).with(place + 1, CLOSES).marked(TOP);
                offer(Vertex::Open(begun, 1, true));
            }
        }
        (end, FREE) => {
            if is_new {
                offer(Vertex::Open(free.with(place + 1, end).marked(TOP), 0, true));
            }
        }
        (FREE, strand) => {
            offer(Vertex::Open(word, 0, false));
            offer(Vertex::Open(free.with(place, strand), 1, true));
        }
        _ => offer(match word.join(place) {
            Joined::Closed(left) => Vertex::Closed(left),
            Joined::Open(word) => Vertex::Open(word, 0, true),
        }),
    }
}

/// Adds paths by their edges.
fn add(paths: &mut [u128], numbers: impl Iterator<Item = (usize, u128)>) -> Result<(), Full> {
    for (edges, number) in numbers {
        if let Some(own) = paths.get_mut(edges) {
            *own = own.checked_add(number).ok_or(Full::Overflow)?;
        }
    }
    Ok(())
}
