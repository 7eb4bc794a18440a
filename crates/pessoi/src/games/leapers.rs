//! Moves as people write them: `(1,2)`, `(3,0)+(2,2)`.

use crate::error::{Error, Result};

/// The name of the option that gives other moves than a game's own.
pub(crate) const MOVES: &str = "moves";
/// More leapers than this in one game are surely a mistake.
const MOST_LEAPERS: usize = 6;
/// The longest side of a board, and so of a useful move.
const LONGEST: i32 = crate::board::SIDE_LIMIT as i32;

/// Reads leapers joined by `+`.
pub(crate) fn parse(text: &str) -> Result<Vec<(i32, i32)>> {
    let bad = |why: String| {
        Err(Error::option(
            MOVES,
            format!(
                "--moves {text:?} is not accepted: {why}; give leapers such as (1,2) or \
                 (3,0)+(2,2)."
            ),
        ))
    };
    let mut leapers = Vec::new();
    for part in text.split('+') {
        let inner = part.trim().strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
        let Some((a, b)) = inner.and_then(|inner| inner.split_once(',')) else {
            return bad(format!("{:?} is not of the form (a,b)", part.trim()));
        };
        let (Ok(a), Ok(b)) = (a.trim().parse::<i32>(), b.trim().parse::<i32>()) else {
            return bad(format!("{:?} has something else than two whole numbers", part.trim()));
        };
        if (a, b) == (0, 0) {
            return bad("(0,0) does not move".into());
        }
        if !(0..LONGEST).contains(&a) || !(0..LONGEST).contains(&b) {
            return bad(format!("({a},{b}) is not between (0,0) and ({LONGEST},{LONGEST})"));
        }
        leapers.push((a, b));
    }
    if leapers.len() > MOST_LEAPERS {
        return bad(format!("there are more than {MOST_LEAPERS} leapers"));
    }
    Ok(leapers)
}

/// Leapers as they are written.
pub(crate) fn words(leapers: &[(i32, i32)]) -> String {
    let each: Vec<_> = leapers.iter().map(|(a, b)| format!("({a},{b})")).collect();
    each.join("+")
}

/// All moves of some leapers as (rows, columns): each once, in order.
pub(crate) fn offsets(leapers: &[(i32, i32)]) -> Vec<(i32, i32)> {
    let mut offsets: Vec<(i32, i32)> = leapers
        .iter()
        .flat_map(|&(a, b)| {
            [(a, b), (a, -b), (-a, b), (-a, -b), (b, a), (b, -a), (-b, a), (-b, -a)]
        })
        .collect();
    offsets.sort_unstable();
    offsets.dedup();
    offsets
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn moves_and_what_is_none() {
        assert_eq!(parse("(1,2)").unwrap(), [(1, 2)]);
        assert_eq!(parse(" (3,0) + (2, 2)").unwrap(), [(3, 0), (2, 2)]);
        assert_eq!(words(&[(3, 0), (2, 2)]), "(3,0)+(2,2)");
        for bad in ["", "(0,0)", "(1", "1,2", "(1,2)+", "(1,2,3)", "(a,b)", "(-1,2)", "(99999,1)"] {
            let error = parse(bad).unwrap_err().to_string();
            assert!(error.contains("such as (1,2)") && error.ends_with('.'), "{error}");
        }
    }

    proptest! {
        #[test]
        fn no_text_panics(text in "[(),+ 0-9-]{0,20}|\\PC{0,10}") {
            let _ = parse(&text);
        }
    }
}
