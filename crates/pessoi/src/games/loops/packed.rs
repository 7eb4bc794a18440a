//! Loops in a few bytes each, and their reader.
//!
//! A packed file is
//!
//! 1. the line `pessoi-packed` and the game's name;
//! 2. a line of JSON: the question, and what is needed to read the rest without knowing the
//!    game: the length of the loops, the moves as pairs of rows and columns in the order of
//!    their numbers, the bits of a move and the bytes of a loop;
//! 3. for each loop the numbers of its moves, the first in the lowest bits of the first byte;
//! 4. the number of loops, in eight bytes, the lowest first. So a file that was cut short is
//!    found out.

use serde::{Deserialize, Serialize};

use super::list::{solution, unpackable};
use super::moves::{Moves, Point, minus, plus};
use super::task::{LONGEST_LOOP, Task};
use crate::answer::{Answer, Cost, Solution, Value};
use crate::certificate::{Certificate, PACKED};
use crate::error::{Error, Result};
use crate::games::Sink;
use crate::question::Question;
use pessoi_engine::run::Run;

/// The second line of a packed file.
#[derive(Serialize, Deserialize)]
struct Head {
    question: Question,
    length: usize,
    moves: Vec<Point>,
    bits: usize,
    bytes: usize,
}

/// Writes packed loops.
pub(super) struct Packer<'t> {
    task: &'t Task,
    head: Head,
}

fn bits_for(moves: usize) -> usize {
    (usize::BITS - moves.saturating_sub(1).leading_zeros()).max(1) as usize
}

impl<'t> Packer<'t> {
    pub(super) fn new(question: &Question, task: &'t Task) -> Self {
        let bits = bits_for(task.moves.len());
        let bytes = (bits * task.length).div_ceil(8);
        let head = Head {
            question: question.clone(),
            length: task.length,
            moves: task.moves.steps().to_vec(),
            bits,
            bytes,
        };
        Packer { task, head }
    }

    /// What comes before the loops.
    pub(super) fn head(&self) -> Result<Vec<u8>> {
        let json = serde_json::to_string(&self.head).map_err(|e| Error::internal(e.to_string()))?;
        Ok(format!("{PACKED}{}\n{json}\n", self.head.question.game).into_bytes())
    }

    /// Adds the image of a loop under a symmetry.
    pub(super) fn pack(&self, moves: &[u8], symmetry: usize, out: &mut Vec<u8>) {
        let begin = out.len();
        let (mut filled, mut byte) = (0, 0u16);
        for &m in moves {
            byte |= u16::from(self.task.moves.image(symmetry, m)) << filled;
            filled += self.head.bits;
            if filled >= 8 {
                out.push(byte as u8);
                byte >>= 8;
                filled -= 8;
            }
        }
        if filled > 0 {
            out.push(byte as u8);
        }
        debug_assert_eq!(out.len() - begin, self.head.bytes);
    }

    /// Adds a loop that is given by its cells.
    pub(super) fn pack_solution(&self, solution: &Solution, out: &mut Vec<u8>) -> Result<()> {
        let cells: Vec<Point> =
            solution.figure.path().iter().map(|cell| (cell.row, cell.col)).collect();
        let moves = super::paper::moves_of(&self.task.moves, &cells);
        if moves.len() != self.task.length {
            return Err(unpackable("it has moves that are none"));
        }
        self.pack(&moves, 0, out);
        Ok(())
    }
}

/// Reads a packed file: its loops go to the sink.
pub(super) fn read(
    bytes: &[u8],
    leapers: impl FnOnce(&Question) -> Result<Vec<Point>>,
    sink: Sink,
) -> Result<Answer> {
    let bad = |why: &str| Error::input(format!("This is no packed list of loops: {why}."));
    let mut lines = bytes.splitn(3, |&byte| byte == b'\n');
    let (Some(_), Some(json), Some(rest)) = (lines.next(), lines.next(), lines.next()) else {
        return Err(bad("it ends before its second line does"));
    };
    let head: Head = serde_json::from_slice(json)
        .map_err(|error| bad(&format!("its second line cannot be read ({error})")))?;
    let moves = Moves::new(&leapers(&head.question)?);
    let as_it_says = head.moves == moves.steps()
        && (3..=LONGEST_LOOP).contains(&head.length)
        && head.bits == bits_for(moves.len())
        && head.bytes == (head.bits * head.length).div_ceil(8);
    if !as_it_says {
        return Err(bad("its length, moves, bits and bytes do not belong together"));
    }
    let Some((loops, count)) = rest.split_last_chunk::<8>() else {
        return Err(bad("it was cut short"));
    };
    let count = u64::from_le_bytes(*count);
    if count.checked_mul(head.bytes as u64) != Some(loops.len() as u64) {
        return Err(bad("it was cut short, or its number of loops is wrong"));
    }
    let mut wanted = true;
    for (number, packed) in (1u64..).zip(loops.chunks_exact(head.bytes)) {
        let mut at = (0, 0);
        let mut low = (0, 0);
        let mut cells = Vec::with_capacity(head.length);
        for i in 0..head.length {
            let (byte, bit) = (i * head.bits / 8, i * head.bits % 8);
            let two = u16::from(packed[byte])
                | u16::from(packed.get(byte + 1).copied().unwrap_or(0)) << 8;
            let m = (two >> bit & ((1 << head.bits) - 1)) as u8;
            if usize::from(m) >= moves.len() {
                return Err(bad(&format!("loop {number} has a move {m}, which there is not")));
            }
            cells.push(at);
            at = plus(at, moves.step(m));
            low = (low.0.min(at.0), low.1.min(at.1));
        }
        if at != (0, 0) {
            return Err(bad(&format!("loop {number} does not come back to its first cell")));
        }
        for cell in &mut cells {
            *cell = minus(*cell, low);
        }
        wanted = sink(solution(&cells, None));
        if !wanted {
            break;
        }
    }
    let whole =
        wanted && !["limit", "page", "part"].iter().any(|o| head.question.options.contains_key(*o));
    let value = match count {
        0 => Value::GaveUp { why: "the list is empty".into() },
        _ if whole => Value::exact(count),
        _ => Value::AtLeast { number: count.into(), why: None },
    };
    let mut answer = Answer::new(
        &head.question,
        value,
        "closed paths in a packed list",
        "reading",
        &Run::default(),
    );
    answer.certificate = Some(Certificate::Solutions);
    answer.cost = Cost::default();
    Ok(answer)
}
