//! Parcels and logs of counts on a cluster.

use std::sync::LazyLock;

use pessoi::Run;
use pessoi_cluster::{Row, Work};

use super::saved::{records, written};
use crate::{CATALOGUE, Target, refused};

pub(crate) const TARGET: Target =
    Target { name: "parcel", help: "parcels and logs of counts on a cluster", most: 2048, check };

/// Small counts in two places, and the rows that come to each of their rounds.
static COUNTS: LazyLock<Vec<(Work, Vec<Vec<Row>>)>> = LazyLock::new(|| {
    let questions = [
        "count wazir-tours 4x4 --closed --method pairings",
        "count wazir-tours 3x4 --method plain-sweep",
        "count go 4x4",
        "count go 2x3 --method sweep",
    ];
    let count = |words: &str| {
        let words: Vec<&str> = words.split(' ').collect();
        let question = CATALOGUE.read_question(&words).expect("a question");
        let work = Work::open(&CATALOGUE, &question, 2, &Run::default());
        let work = work.expect("work").expect("rounds");
        let mut rows = vec![work.begin().expect("a pass")];
        while rows.len() < work.rounds() {
            let next = work.round(rows[rows.len() - 1].clone(), &Run::default());
            rows.push(next.expect("a round"));
        }
        (work, rows)
    };
    questions.into_iter().map(count).collect()
});

/// Bytes of a label.
const LABEL: usize = 64;

/// The first byte says which count, the second which round. What follows is a parcel; what is in a
/// parcel whose label and checksum are right; and a log.
fn check(input: &[u8]) {
    let &[count, round, ref rest @ ..] = input else { return };
    let (work, rounds) = &COUNTS[usize::from(count) % COUNTS.len()];
    let rows = &rounds[usize::from(round) % rounds.len()];
    let parcel = rows.iter().position(|row| !row.is_log);
    let log = rows.iter().position(|row| row.is_log);
    if let Some(parcel) = parcel {
        with(work, rows, parcel, rest.to_vec());
        let label = &rows[parcel].bytes[..LABEL];
        for words in records(rest, 0) {
            with(work, rows, parcel, [label, &written(&[words])].concat());
        }
        let words = rest
            .chunks_exact(8)
            .map(|word| u64::from_le_bytes(word.try_into().unwrap_or_default()));
        with(work, rows, parcel, [label, &written(&[words.collect()])].concat());
    }
    if let Some(log) = log {
        with(work, rows, log, rest.to_vec());
        with(work, rows, log, written(&records(rest, 0)));
    }
}

/// A round in which one row is another.
fn with(work: &Work, rows: &[Row], at: usize, bytes: Vec<u8>) {
    let mut rows = rows.to_vec();
    rows[at].bytes = bytes;
    if let Err(error) = work.round(rows.clone(), &Run::default()) {
        refused(&error);
    }
    let logs = rows.iter().filter(|row| row.is_log).map(|row| &row.bytes[..]);
    if let Err(error) = work.look(logs) {
        refused(&error);
    }
}
