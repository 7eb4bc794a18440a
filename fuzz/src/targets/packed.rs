//! Packed lists of loops.

use pessoi::{Run, Style};

use super::answer::read;
use crate::{CATALOGUE, Target, refused};

pub(crate) const TARGET: Target =
    Target { name: "packed", help: "packed lists of loops", most: 1280, check };

/// The input as it is; and, since its last eight bytes are the length of the answer before
/// them, which no mutation would get right, with these put right.
fn check(input: &[u8]) {
    whole(input);
    let answer = b"{\"format\":";
    if let Some(at) = input.windows(answer.len()).rposition(|window| window == answer) {
        let end = input.iter().rposition(|&byte| byte == b'}').map_or(input.len(), |end| end + 1);
        if at < end {
            whole(&[&input[..end], &((end - at) as u64).to_le_bytes()[..]].concat());
        }
    }
}

fn whole(input: &[u8]) {
    if !input.starts_with(b"pessoi-packed ") {
        return;
    }
    let answer = match read(input) {
        Ok(answer) => answer,
        Err(error) => return refused(&error),
    };
    for id in ["packed", "json"] {
        let mut out = Vec::new();
        let choose = |card: &_, verb| CATALOGUE.format(card, verb, id);
        match CATALOGUE.convert(input, choose, &Style::default(), &Run::default(), &mut out) {
            Ok(_) => assert_eq!(read(&out).expect("what was written is read"), answer),
            Err(error) => refused(&error),
        }
    }
}
