//! What is saved of a strip, as the records of one chapter.
//!
//! The first record says how far the work has come. While borders are explored: how many have a
//! number, the edges so far, the tables of numbers, and the borders that were found and not read
//! yet. When none is left to be read the tables are left out, for no border will be looked up any
//! more. Later: the transfer graph, the terms that are known for each prime, and those of the
//! prime that is being worked on, with what the next term follows from.
//!
//! Nothing that is read is believed: rows are in order, edges lead to what there is, each border
//! has one number, and residues are below their prime.

use std::collections::BTreeMap;
use std::io;
use std::sync::{Mutex, PoisonError};

use super::{Claimed, Numbers, Pass, Raw, Transfer};
use crate::ledger::{Chapter, Reader, Writer};
use crate::number::Modulus;
use crate::records::Unusable;
use crate::run::{Run, Stop};
use crate::sweep::packed::Packed;

/// How far the work has come.
const EXPLORING: u64 = 0;
const TRANSFER: u64 = 1;
/// Words of a record of a long list.
const A_RECORD: usize = 1 << 16;

/// Borders that are being explored.
pub(super) struct Exploring<B> {
    pub(super) numbers: Numbers,
    /// Those that were found and not read yet.
    pub(super) found: Claimed<B>,
    /// How many have a number.
    pub(super) reached: u32,
    /// What is known of those that were read.
    pub(super) raw: Raw,
}

/// What an earlier run saved.
pub(super) enum Begun<'c, B> {
    Exploring(Exploring<B>),
    Transfer(Transfer<'c>),
}

impl<B: Packed> Exploring<B> {
    /// The start is found, and nothing is read.
    pub(super) fn new(start: B, run: &Run) -> Result<Self, Stop> {
        let mut numbers = Numbers::new(run);
        numbers.number(start, 1)?;
        let found = Claimed::of(start, run)?;
        Ok(Exploring { numbers, found, reached: 1, raw: Raw::new(run)? })
    }

    /// Reads a border: what follows it, and in how many ways it can finish.
    pub(super) fn read(&mut self, ways: Vec<(B, u32)>, ends: u64) -> Result<(), Stop> {
        for (border, ways) in ways {
            let number = self.numbers.number(border, self.reached + 1)?;
            if number > self.reached {
                self.reached = number;
                self.found.push(border)?;
            }
            self.raw.edges.push((number - 1, ways))?;
        }
        self.raw.rows.push(self.raw.edges.len())?;
        self.raw.finish.push(ends)
    }

    /// How much is known, for [`Exploring::back_to`].
    pub(super) fn sizes(&self) -> (usize, usize, u32) {
        (self.raw.finish.len(), self.found.len(), self.reached)
    }

    /// Forgets what was read since, but for the numbers of borders, which are not saved.
    pub(super) fn back_to(&mut self, (read, found, reached): (usize, usize, u32)) {
        let edges = self.raw.rows[read];
        self.raw.rows.keep_first(read + 1);
        self.raw.edges.keep_first(edges);
        self.raw.finish.keep_first(read);
        self.found.keep_first(found);
        self.reached = reached;
    }

    pub(super) fn put(&self, out: &mut Writer) -> io::Result<()> {
        put_raw(self.reached, &self.raw, out)?;
        let words = self.found.iter().map(|border| border.to_words());
        put_words(out, words.flat_map(|words| words.as_ref().to_vec()))?;
        let tables = if self.found.is_empty() { &[][..] } else { &self.numbers.tables };
        for table in tables {
            let records = table.iter().filter(|(_, number)| number[0] <= self.reached);
            let records = records.flat_map(|(key, number)| {
                let len = key.len() as u64;
                let units = [len].into_iter().chain(key.iter().chain(number).map(|&u| u.into()));
                units.collect::<Vec<u64>>()
            });
            put_words(out, records)?;
        }
        Ok(())
    }

    fn take(reached: u64, reader: &mut Reader, run: &Run) -> Result<Self, Unusable> {
        let reached = u32::try_from(reached).map_err(|_| Unusable::Damaged)?;
        let (rows, edges, finish) = take_graph(reader, reached as usize, run)?;
        let raw = Raw { rows, edges, finish };
        let width = B::Words::default().as_ref().len().max(1);
        let words = take_words(reader, |_| true)?;
        if words.len() % width != 0 {
            return Err(Unusable::Damaged);
        }
        let mut found = Claimed::new(run);
        for border in words.chunks_exact(width) {
            let mut words = B::Words::default();
            words.as_mut().copy_from_slice(border);
            found.push(B::from_words(words))?;
        }
        if raw.finish.len() + found.len() != reached as usize {
            return Err(Unusable::Damaged);
        }
        let mut numbers = Numbers::new(run);
        if found.is_empty() {
            return Ok(Exploring { numbers, found, reached, raw });
        }
        let mut is_there = vec![false; reached as usize];
        for table in &mut numbers.tables {
            let units = take_words(reader, |unit| u32::try_from(unit).is_ok())?;
            let units: Vec<u32> = units.into_iter().map(|unit| unit as u32).collect();
            let mut left = &units[..];
            while let Some((&len, rest)) = left.split_first() {
                let len = len as usize;
                let key = rest.get(..len).filter(|key| key.len() >= 2).ok_or(Unusable::Damaged)?;
                let number = *rest.get(len).ok_or(Unusable::Damaged)?;
                let there = (number as usize).checked_sub(1).and_then(|n| is_there.get_mut(n));
                match there {
                    Some(there) if !*there => *there = true,
                    _ => return Err(Unusable::Damaged),
                }
                if table.number_or(key, number)? != number {
                    return Err(Unusable::Damaged);
                }
                left = &rest[len + 1..];
            }
        }
        if !is_there.into_iter().all(|there| there) {
            return Err(Unusable::Damaged);
        }
        Ok(Exploring { numbers, found, reached, raw })
    }
}

/// Saves borders that are all explored.
pub(super) fn put_explored(raw: &Raw, out: &mut Writer) -> io::Result<()> {
    put_raw(raw.finish.len() as u32, raw, out)?;
    put_words(out, std::iter::empty())
}

fn put_raw(reached: u32, raw: &Raw, out: &mut Writer) -> io::Result<()> {
    out.record(&[EXPLORING, reached.into()])?;
    put_graph(&raw.rows, &raw.edges, &raw.finish, out)
}

/// Saves a transfer graph, with the terms that are known and those that are being worked on.
pub(super) fn put(transfer: &Transfer, pass: Option<&Pass>, out: &mut Writer) -> io::Result<()> {
    let known = transfer.known.lock().unwrap_or_else(PoisonError::into_inner);
    out.record(&[TRANSFER])?;
    let start = transfer.start.map_or(0, |start| u64::from(start) + 1);
    let sizes = [transfer.reached as u64, transfer.alive as u64, transfer.lumps() as u64];
    out.record(&[start, sizes[0], sizes[1], sizes[2], known.len() as u64])?;
    put_graph(&transfer.rows, &transfer.edges, &transfer.finish, out)?;
    for (&prime, terms) in known.iter() {
        out.record(&[prime])?;
        put_words(out, terms.iter().copied())?;
    }
    out.record(&[pass.map_or(0, |pass| pass.prime)])?;
    if let Some(pass) = pass {
        put_words(out, pass.terms.iter().copied())?;
        put_words(out, pass.ways.iter().copied())?;
    }
    Ok(())
}

fn take<'c>(
    reader: &mut Reader,
    run: &Run,
    chapter: &'c Chapter<'c>,
) -> Result<Transfer<'c>, Unusable> {
    let [start, reached, alive, lumps, known]: [usize; 5] = reader.take()?;
    let (rows, edges, finish) = take_graph(reader, lumps, run)?;
    if finish.len() != lumps || start > lumps || lumps > alive || alive > reached {
        return Err(Unusable::Damaged);
    }
    let below = |prime: u64| move |word: u64| word < prime;
    let mut terms = BTreeMap::new();
    for _ in 0..known {
        let prime = prime(reader.take()?)?;
        terms.insert(prime, take_words(reader, below(prime))?);
    }
    let begun = match reader.take()? {
        0 => None,
        word => {
            let prime = prime(word)?;
            let terms = take_words(reader, below(prime))?;
            let ways = take_words(reader, below(prime))?;
            if ways.len() != lumps {
                return Err(Unusable::Damaged);
            }
            Some(Pass { prime, terms, ways })
        }
    };
    let start = start.checked_sub(1).map(|start| start as u32);
    let (known, begun) = (Mutex::new(terms), Mutex::new(begun));
    Ok(Transfer { rows, edges, finish, start, reached, alive, known, begun, chapter })
}

fn prime(word: u64) -> Result<u64, Unusable> {
    Modulus::new(word).map(Modulus::prime).ok_or(Unusable::Damaged)
}

/// What an earlier run saved of a strip.
pub(super) fn begun<'c, B: Packed>(
    chapter: &'c Chapter<'c>,
    run: &Run,
) -> Result<Option<Begun<'c, B>>, Stop> {
    let Some(mut reader) = chapter.begun()? else { return Ok(None) };
    let mut read = || {
        let begun = match reader.record()?[..] {
            [EXPLORING, reached] => Begun::Exploring(Exploring::take(reached, &mut reader, run)?),
            [TRANSFER] => Begun::Transfer(take(&mut reader, run, chapter)?),
            _ => return Err(Unusable::Damaged),
        };
        if reader.left() > 0 { Err(Unusable::Damaged) } else { Ok(begun) }
    };
    read().map(Some).map_err(|why| chapter.refuse(why))
}

type Graph = (Claimed<usize>, Claimed<(u32, u32)>, Claimed<u64>);

fn put_graph(
    rows: &[usize],
    edges: &[(u32, u32)],
    finish: &[u64],
    out: &mut Writer,
) -> io::Result<()> {
    put_words(out, rows.iter().map(|&row| row as u64))?;
    put_words(out, edges.iter().map(|&(to, ways)| u64::from(to) << 32 | u64::from(ways)))?;
    put_words(out, finish.iter().copied())
}

/// A graph whose edges lead to fewer than `nodes` nodes.
fn take_graph(reader: &mut Reader, nodes: usize, run: &Run) -> Result<Graph, Unusable> {
    let (mut rows, mut edges) = (Claimed::new(run), Claimed::new(run));
    let mut finish = Claimed::new(run);
    each_word(reader, |row| {
        let is_next = rows.last().map_or(row == 0, |&last| last as u64 <= row);
        if !is_next {
            return Err(Unusable::Damaged);
        }
        Ok(rows.push(row as usize)?)
    })?;
    each_word(reader, |edge| {
        let (to, ways) = ((edge >> 32) as u32, edge as u32);
        if to as usize >= nodes {
            return Err(Unusable::Damaged);
        }
        Ok(edges.push((to, ways))?)
    })?;
    each_word(reader, |ways| Ok(finish.push(ways)?))?;
    if rows.len() != finish.len() + 1 || rows.last() != Some(&edges.len()) {
        return Err(Unusable::Damaged);
    }
    Ok((rows, edges, finish))
}

/// Writes a list of any length.
fn put_words(out: &mut Writer, words: impl IntoIterator<Item = u64>) -> io::Result<()> {
    let mut words = words.into_iter();
    loop {
        let some: Vec<u64> = words.by_ref().take(A_RECORD).collect();
        out.record(&some)?;
        // A shorter record is the last.
        if some.len() < A_RECORD {
            return Ok(());
        }
    }
}

fn each_word(
    reader: &mut Reader,
    mut each: impl FnMut(u64) -> Result<(), Unusable>,
) -> Result<(), Unusable> {
    loop {
        let some = reader.record()?;
        for &word in &some {
            each(word)?;
        }
        if some.len() != A_RECORD {
            return Ok(());
        }
    }
}

fn take_words(reader: &mut Reader, is_right: impl Fn(u64) -> bool) -> Result<Vec<u64>, Unusable> {
    let mut words = Vec::new();
    each_word(reader, |word| {
        words.push(word);
        if is_right(word) { Ok(()) } else { Err(Unusable::Damaged) }
    })?;
    Ok(words)
}
