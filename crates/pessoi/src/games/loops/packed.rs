//! Loops in a few bytes each, and their reader.
//!
//! A packed file is
//!
//! 1. the line `pessoi-packed 2` and the game's name;
//! 2. a line of JSON, which is needed to read the rest without knowing the game: the length of
//!    the loops, the moves as pairs of rows and columns in the order of their numbers, the bits
//!    of a move and the bytes of a loop;
//! 3. for each loop the numbers of its moves, the first in the lowest bits of the first byte;
//! 4. the answer in JSON, without its solutions: it says how many loops there are, and whether
//!    these are all;
//! 5. the number of bytes of the answer, in eight bytes, the lowest first. So a file that was
//!    cut short is found out.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use num_traits::ToPrimitive;
use serde::{Deserialize, Serialize};

use super::moves::{Moves, Point, minus, plus};
use super::{Loops, named};
use crate::answer::{Answer, FORMAT, Value};
use crate::board::Cell;
use crate::error::{Error, Result, one_line};
use crate::export::{Ending, Format, Out, Page, Writer, lines};
use crate::job::{Encoder, Events, Flow};
use crate::question::{Question, Verb};
use crate::solution::{Figure, Solution};

/// How every packed file begins.
const MAGIC: &str = "pessoi-packed ";
/// The version of the layout.
const VERSION: &str = "2";

/// Packed lists.
pub(super) struct Packed;

impl Format for Packed {
    fn id(&self) -> &'static str {
        "packed"
    }

    fn help(&self) -> &'static str {
        "a few bits a move, for long lists; convert and verify read it"
    }

    fn media_type(&self) -> &'static str {
        "application/octet-stream"
    }

    fn extension(&self) -> &'static str {
        "packed"
    }

    fn holds(&self, verb: Verb) -> bool {
        verb == Verb::List
    }

    fn writer<'a>(&self, page: &Page<'a>, out: Out<'a>) -> Result<Box<dyn Writer + 'a>> {
        let packer = Packer::new(page.question)?;
        let json = serde_json::to_string(&packer.head).map_err(|error| failed(&error))?;
        let head = format!("{MAGIC}{VERSION} {}\n{json}\n", page.question.game);
        let packer = Arc::new(packer);
        let lines = lines(out, head, packer.clone(), tail);
        Ok(Box::new(Writing { lines, packer }))
    }

    fn reads(&self, saved: &[u8]) -> bool {
        saved.starts_with(MAGIC.as_bytes())
    }

    fn read(&self, saved: &[u8], events: &mut dyn Events) -> Result<Answer> {
        read(saved, events)
    }
}

fn failed(error: &serde_json::Error) -> Error {
    Error::internal(error.to_string())
}

/// What a reader of JSON says, without its full stop.
fn said(error: &serde_json::Error) -> String {
    one_line(error.to_string().trim_end_matches('.')).into_owned()
}

/// What comes after the loops.
fn tail(answer: &Answer) -> Result<Vec<u8>> {
    let answer = Answer { solutions: Vec::new(), ..answer.clone() };
    let mut tail = serde_json::to_vec(&answer).map_err(|error| failed(&error))?;
    tail.extend((tail.len() as u64).to_le_bytes());
    Ok(tail)
}

/// The second line of a packed file.
#[derive(Serialize, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
struct Head {
    length: usize,
    moves: Vec<Point>,
    bits: usize,
    bytes: usize,
}

impl Head {
    fn new(moves: &Moves, length: usize) -> Head {
        let bits = (usize::BITS - moves.len().saturating_sub(1).leading_zeros()).max(1) as usize;
        Head { length, moves: moves.steps().to_vec(), bits, bytes: (bits * length).div_ceil(8) }
    }
}

/// The moves and the length of the loops that a question is about.
fn asked(game: &Loops, question: &Question) -> Result<(Moves, usize)> {
    Ok((Moves::new(&game.leapers(question)?), question.size()? as usize))
}

/// Packs loops, on any thread.
struct Packer {
    head: Head,
    /// For each step within `reach` in both directions, the number of its move; and last,
    /// that there is none.
    numbers: Vec<u8>,
    reach: i32,
    /// Whether something came that is no loop of these moves: saved answers can hold anything.
    is_foreign: AtomicBool,
}

/// No move.
const NO_MOVE: u8 = u8::MAX;

impl Packer {
    fn new(question: &Question) -> Result<Packer> {
        let (moves, length) = asked(named(&question.game)?, question)?;
        let reach = moves.longest();
        let side = 2 * reach as usize + 1;
        let mut packer = Packer {
            head: Head::new(&moves, length),
            numbers: vec![NO_MOVE; side * side + 1],
            reach,
            is_foreign: AtomicBool::new(false),
        };
        for (number, &step) in (0..).zip(moves.steps()) {
            let at = packer.index(step);
            packer.numbers[at] = number;
        }
        Ok(packer)
    }

    /// The place of a step among the numbers; the last one for steps that go too far.
    #[inline]
    fn index(&self, (row, col): Point) -> usize {
        let side = 2 * self.reach as u32 + 1;
        // What is negative becomes larger than any side.
        let row = row.wrapping_add(self.reach) as u32;
        let col = col.wrapping_add(self.reach) as u32;
        if row < side && col < side { (row * side + col) as usize } else { self.numbers.len() - 1 }
    }

    /// Appends a loop; says whether it is one of these moves and this length.
    #[inline]
    fn pack(&self, cells: &[Cell], out: &mut Vec<u8>) -> bool {
        let (Some(&first), true) = (cells.first(), cells.len() == self.head.length) else {
            return false;
        };
        let (mut filled, mut bits) = (0, 0u64);
        let mut is_fit = true;
        let mut from = first;
        for &to in cells[1..].iter().chain([&first]) {
            let step = (to.row.wrapping_sub(from.row), to.col.wrapping_sub(from.col));
            from = to;
            let number = self.numbers[self.index(step)];
            is_fit &= number != NO_MOVE;
            bits |= u64::from(number) << filled;
            filled += self.head.bits;
            if filled >= 32 {
                out.extend_from_slice(&(bits as u32).to_le_bytes());
                bits >>= 32;
                filled -= 32;
            }
        }
        out.extend_from_slice(&bits.to_le_bytes()[..filled.div_ceil(8)]);
        is_fit
    }
}

impl Encoder for Packer {
    fn encode(&self, solution: &Solution, out: &mut Vec<u8>) {
        if !self.pack(solution.figure.path(), out) {
            self.is_foreign.store(true, Relaxed);
        }
    }
}

/// Writes a packed list, and refuses what cannot be packed.
struct Writing<'a> {
    lines: Box<dyn Writer + 'a>,
    packer: Arc<Packer>,
}

impl Writing<'_> {
    fn check(&self) -> Result<()> {
        if self.packer.is_foreign.load(Relaxed) {
            return Err(Error::forged(
                "solutions",
                "The list holds something that is no loop of its moves and length, so it cannot \
                 be packed.",
            ));
        }
        Ok(())
    }
}

impl Writer for Writing<'_> {
    fn solution(&mut self, found: Solution) -> Result<Flow> {
        let flow = self.lines.solution(found)?;
        self.check().map(|()| flow)
    }

    fn encoder(&self) -> Option<Arc<dyn Encoder>> {
        self.lines.encoder()
    }

    fn encoded(&mut self, bytes: &[u8], solutions: u64) -> Result<Flow> {
        self.lines.encoded(bytes, solutions)
    }

    fn end(&mut self, answer: &mut Answer) -> Result<Ending> {
        let ending = self.lines.end(answer)?;
        self.check().map(|()| ending)
    }
}

/// Reads a packed file: its loops go to the events.
fn read(saved: &[u8], events: &mut dyn Events) -> Result<Answer> {
    let bad = |why: &str| Error::input(format!("This is no packed list of loops: {why}."));
    let cut = || bad("it was cut short");
    let mut lines = saved.splitn(3, |&byte| byte == b'\n');
    let (Some(first), Some(json), Some(rest)) = (lines.next(), lines.next(), lines.next()) else {
        return Err(cut());
    };
    let first = String::from_utf8_lossy(first);
    let (version, game) = first[MAGIC.len()..].split_once(' ').unwrap_or_default();
    if version != VERSION {
        return Err(bad(&format!("its layout is {version:?}; {VERSION} is read")));
    }
    let game = named(game)?;
    let head: Head = serde_json::from_slice(json)
        .map_err(|error| bad(&format!("its second line cannot be read ({})", said(&error))))?;
    let (rest, length) = rest.split_last_chunk::<8>().ok_or_else(cut)?;
    let length = usize::try_from(u64::from_le_bytes(*length)).map_err(|_| cut())?;
    let (loops, json) =
        rest.len().checked_sub(length).map(|at| rest.split_at(at)).ok_or_else(cut)?;
    let answer: Answer = serde_json::from_slice(json)
        .map_err(|error| bad(&format!("its answer cannot be read ({})", said(&error))))?;
    if answer.format != FORMAT {
        return Err(bad(&format!("its answer is of format {}; {FORMAT} is read", answer.format)));
    }
    let (moves, length) = asked(game, &answer.question)?;
    if answer.question.game != game.card.name || head != Head::new(&moves, length) {
        return Err(bad("its game, question, length, moves, bits and bytes do not fit together"));
    }
    let number = match &answer.value {
        Value::Exact { number } | Value::AtLeast { number, .. } => number.to_usize(),
        _ => Some(0),
    };
    if number.and_then(|number| number.checked_mul(head.bytes)) != Some(loops.len()) {
        return Err(bad("it was cut short, or its number of loops is wrong"));
    }
    for (number, packed) in (1u64..).zip(loops.chunks_exact(head.bytes)) {
        let cells =
            unpack(packed, &head, &moves).map_err(|why| bad(&format!("loop {number} {why}")))?;
        if events.solution(Figure::Path { cells, closed: true }.into()).is_break() {
            break;
        }
    }
    Ok(answer)
}

/// The cells of a packed loop, moved so that its first row and column are 0.
fn unpack(packed: &[u8], head: &Head, moves: &Moves) -> Result<Vec<Cell>, String> {
    let (mut at, mut low) = ((0, 0), (0, 0));
    let mut cells = Vec::with_capacity(head.length);
    for i in 0..head.length {
        let (byte, bit) = (i * head.bits / 8, i * head.bits % 8);
        let two =
            u16::from(packed[byte]) | u16::from(packed.get(byte + 1).copied().unwrap_or(0)) << 8;
        let m = (two >> bit & ((1 << head.bits) - 1)) as u8;
        if usize::from(m) >= moves.len() {
            return Err(format!("has a move {m}, which there is not"));
        }
        cells.push(at);
        at = plus(at, moves.step(m));
        low = (low.0.min(at.0), low.1.min(at.1));
    }
    if at != (0, 0) {
        return Err("does not come back to its first cell".into());
    }
    let cell = |cell: Point| {
        let (row, col) = minus(cell, low);
        Cell { row, col }
    };
    Ok(cells.into_iter().map(cell).collect())
}
