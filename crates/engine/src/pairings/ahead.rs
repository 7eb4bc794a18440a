//! Looking ahead from a type: types that lead nowhere are never stored.
//!
//! After a step, every vertex that is not done lacks one or two edges, and the edges to come say
//! which it can get. A vertex that lacks as many as it can get takes them all, its neighbours then
//! lack fewer or are done, and so on; if one lacks more than it can get, the type is *hopeless*.
//! This is done once for a type and not for each of its borders, so it does not see which edges
//! would close a cycle too early. It takes about a microsecond.
//!
//! On long boards only a window of the next vertices is looked at, and nothing is concluded about
//! vertices with neighbours beyond it.

use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Not};

use super::reading::{DONE, FRESH, Reading, at};

/// A set of the vertices that are seen.
trait Set:
    Copy
    + Eq
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitAndAssign
    + BitOrAssign
    + Not<Output = Self>
{
    const SIZE: usize;
    const NONE: Self;
    fn of(place: usize) -> Self;
    fn first(self) -> usize;
    fn len(self) -> u32;
    fn without_first(self) -> Self;
}

macro_rules! set {
    ($word:ty) => {
        impl Set for $word {
            const SIZE: usize = <$word>::BITS as usize;
            const NONE: Self = 0;
            fn of(place: usize) -> Self {
                1 << place
            }
            fn first(self) -> usize {
                self.trailing_zeros() as usize
            }
            fn len(self) -> u32 {
                self.count_ones()
            }
            fn without_first(self) -> Self {
                self & (self - 1)
            }
        }
    };
}
set!(u64);
set!(u128);

/// What is seen after one step. The vertices of the border come first, in their slots.
#[derive(Clone, Debug)]
struct Outlook<S> {
    slots: usize,
    /// For each vertex: where edges to come lead.
    edges: Vec<S>,
    /// Vertices that were not read yet.
    unread: S,
    /// Vertices with neighbours that are not seen.
    unknown: S,
}

/// What is seen after each step of a reading.
#[derive(Clone, Debug)]
pub(super) struct Ahead(Sight);

#[derive(Clone, Debug)]
enum Sight {
    Near(Vec<Outlook<u64>>),
    Far(Vec<Outlook<u128>>),
}

impl Ahead {
    /// Looks ahead in a graph from every step of a reading. `order` has all vertices.
    pub(super) fn new(reading: &Reading, neighbours: &[Vec<u32>], order: &[u32]) -> Self {
        let most = reading.slots() + neighbours.len();
        Ahead(if most <= u64::SIZE {
            Sight::Near(outlooks(reading, neighbours, order))
        } else {
            Sight::Far(outlooks(reading, neighbours, order))
        })
    }

    /// Whether a type after this step surely leads to no tour.
    pub(super) fn is_hopeless(&self, step: usize, word: u64) -> bool {
        match &self.0 {
            Sight::Near(outlooks) => outlooks[step].is_hopeless(word),
            Sight::Far(outlooks) => outlooks[step].is_hopeless(word),
        }
    }
}

fn outlooks<S: Set>(reading: &Reading, neighbours: &[Vec<u32>], order: &[u32]) -> Vec<Outlook<S>> {
    let mut time = vec![usize::MAX; neighbours.len()];
    for (step, &vertex) in reading.order.iter().enumerate() {
        time[vertex as usize] = step;
    }
    // What this reading reads comes first, then what it does not.
    let is_elsewhere = |vertex: &&u32| time[**vertex as usize] == usize::MAX;
    let all: Vec<u32> =
        reading.order.iter().chain(order.iter().filter(is_elsewhere)).copied().collect();
    // Where each vertex is that is seen from one step.
    let mut place = vec![None; neighbours.len()];
    let outlook = |(step, border): (usize, &Vec<u32>)| {
        // The first ones were read.
        let unread = all[step + 1..].iter().take(S::SIZE - border.len());
        let seen: Vec<u32> = border.iter().chain(unread).copied().collect();
        for (at, &vertex) in seen.iter().enumerate() {
            place[vertex as usize] = Some(at);
        }
        let mut outlook = Outlook {
            slots: border.len(),
            edges: Vec::with_capacity(seen.len()),
            unread: S::NONE,
            unknown: S::NONE,
        };
        for (at, &vertex) in seen.iter().enumerate() {
            let mut edges = S::NONE;
            for &to in reading.to_come(vertex, step, &neighbours[vertex as usize]) {
                match place[to as usize] {
                    Some(there) => edges |= S::of(there),
                    None => outlook.unknown |= S::of(at),
                }
            }
            outlook.edges.push(edges);
            if at >= border.len() {
                outlook.unread |= S::of(at);
            }
        }
        for &vertex in &seen {
            place[vertex as usize] = None;
        }
        outlook
    };
    reading.borders.iter().enumerate().map(outlook).collect()
}

impl<S: Set> Outlook<S> {
    fn is_hopeless(&self, word: u64) -> bool {
        // Vertices that lack two edges, and one.
        let (mut two, mut one) = (self.unread, S::NONE);
        for slot in 0..self.slots {
            match at(word, slot) {
                DONE => {}
                FRESH => two |= S::of(slot),
                _ => one |= S::of(slot),
            }
        }
        // Edges that were taken already, of each vertex.
        let mut taken = [S::NONE; 128];
        let mut work = (two | one) & !self.unknown;
        while work != S::NONE {
            let vertex = work.first();
            work = work.without_first();
            let itself = S::of(vertex);
            let lacks = if two & itself != S::NONE {
                2
            } else if one & itself != S::NONE {
                1
            } else {
                continue;
            };
            let open = self.edges[vertex] & (two | one) & !taken[vertex];
            let most = open.len();
            if most < lacks {
                return true;
            }
            if most > lacks {
                continue;
            }
            // It takes them all.
            two &= !itself;
            one &= !itself;
            let mut rest = open;
            while rest != S::NONE {
                let there = rest.first();
                rest = rest.without_first();
                taken[there] |= itself;
                let other = S::of(there);
                if one & other == S::NONE {
                    two &= !other;
                    one |= other;
                    work |= other & !self.unknown;
                } else {
                    one &= !other;
                    work |= self.edges[there] & (two | one) & !self.unknown;
                }
            }
        }
        false
    }
}
