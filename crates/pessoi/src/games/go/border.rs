//! Border states of a rectangle: what the part of the board read so far says to the rest.
//!
//! Points are read column by column, each column from the top. After the first y points of
//! a column the **border** is those y points and, below them, the m - y points of the column
//! before. A stone of the border is **free** if its string has a liberty already and **needy**
//! if not. A needy stone is **linked** up if its string has another stone on the border above
//! it, and down likewise. Strings cannot cross, so the links nest like brackets of two kinds
//! (black and white), and one bit for each direction says it all (J. Tromp and G. Farnebäck,
//! *Combinatorics of Go*, 2016, section 5).
//!
//! A border is packed into a `u64`, four bits a point, the top point lowest, for up to
//! [`MOST_HEIGHT`] points. Borders are **valid** if neighbouring points do not contradict each
//! other ([`may_touch`]) and brackets match; all that can occur are valid, and only a few
//! valid ones cannot (337 of 109736 classes for m = 9). What is valid can be counted without
//! being listed ([`valid_classes`]): 248661924718 classes up to reversal of colours for m = 19
//! take milliseconds.

use rustc_hash::FxHashMap;

/// The largest height whose borders fit in a word.
pub(super) const MOST_HEIGHT: usize = 16;

/// Nothing: off the board.
pub(super) const EDGE: u8 = 0;
/// A point without a stone.
pub(super) const EMPTY: u8 = 1;
/// A free black stone; with [`WHITE`] a white one.
pub(super) const FREE: u8 = 2;
/// The bit of white stones.
pub(super) const WHITE: u8 = 1;
/// The bit of needy stones.
pub(super) const NEEDY: u8 = 8;
/// The bit of needy stones whose string goes on above.
pub(super) const UP: u8 = 2;
/// The bit of needy stones whose string goes on below.
pub(super) const DOWN: u8 = 4;

/// Every code of a point on the board.
pub(super) const CODES: [u8; 11] = [1, 2, 3, 8, 9, 10, 11, 12, 13, 14, 15];

/// The lowest bit of every point.
const LOWEST: u64 = 0x1111_1111_1111_1111;
/// The needy bit of every point.
const ALL_NEEDY: u64 = LOWEST << 3;

/// The code of one point.
#[inline]
pub(super) fn code(border: u64, point: usize) -> u8 {
    (border >> (4 * point) & 15) as u8
}

/// The border with all colours reversed.
#[inline]
pub(super) fn reversed(border: u64) -> u64 {
    let stones = (border >> 1) | (border >> 2) | (border >> 3);
    border ^ (stones & LOWEST)
}

/// The border or its reverse, whichever is smaller.
#[inline]
pub(super) fn class(border: u64) -> u64 {
    border.min(reversed(border))
}

/// Whether every stone of a border, or of a part of one, is free.
#[inline]
pub(super) fn all_free(border: u64) -> bool {
    border & ALL_NEEDY == 0
}

pub(super) fn is_stone(code: u8) -> bool {
    code > EMPTY
}

/// Whether these two points may lie one below the other, both in one column.
pub(super) fn may_touch(above: u8, below: u8) -> bool {
    let needy = |code: u8| code & NEEDY != 0;
    if !is_stone(above) || !is_stone(below) {
        // A stone beside an empty point has a liberty.
        return !needy(above) && !needy(below);
    }
    let linked = needy(above) && needy(below) && above & DOWN != 0 && below & UP != 0;
    if (above ^ below) & WHITE == 0 {
        // Stones of one colour belong to one string, so both are free or linked.
        !needy(above) && !needy(below) || linked
    } else {
        !linked
    }
}

/// Whether the last point of the new column and the one below it, in the column before, must
/// agree as if they touched.
///
/// They are not neighbours. But what the upper one has, liberties or links, and cannot have
/// from the point above it in its column (`before`, if there is one), it has through the point
/// to its left, and that one does touch the lower one.
pub(super) fn reaches_round(before: Option<u8>, last: u8) -> bool {
    if !is_stone(last) {
        return false;
    }
    let same_colour = before.is_some_and(|b| is_stone(b) && (b ^ last) & WHITE == 0);
    if last & NEEDY != 0 {
        last & (UP | DOWN) != 0 && !same_colour
    } else {
        !same_colour && before != Some(EMPTY)
    }
}

/// A border taken apart: colours, and a number for each needy string.
struct Strings {
    codes: [u8; MOST_HEIGHT],
    /// 0 for points that are not needy.
    of_point: [u8; MOST_HEIGHT],
    count: u8,
}

impl Strings {
    fn of(border: u64, height: usize) -> Self {
        let mut taken = Strings { codes: [0; 16], of_point: [0; 16], count: 0 };
        let mut open = [0u8; MOST_HEIGHT];
        let mut depth = 0;
        for point in 0..height {
            let code = code(border, point);
            taken.codes[point] = code;
            if code & NEEDY == 0 {
                continue;
            }
            let string = if code & UP != 0 && depth > 0 {
                depth -= 1;
                open[depth]
            } else {
                taken.count += 1;
                taken.count
            };
            taken.of_point[point] = string;
            if code & DOWN != 0 {
                open[depth] = string;
                depth += 1;
            }
        }
        taken
    }

    /// Puts the border together with another point at `place`; the strings `freed` get a
    /// liberty, and the first of `merged` is joined to the second.
    fn with(
        &self,
        height: usize,
        place: usize,
        point: (u8, u8),
        freed: [u8; 2],
        merged: (u8, u8),
    ) -> u64 {
        let mut codes = [0u8; MOST_HEIGHT];
        // The last point of each string so far; a new string has the number after the others.
        let mut last = [u8::MAX; MOST_HEIGHT + 2];
        for i in 0..height {
            let (code, mut string) =
                if i == place { point } else { (self.codes[i], self.of_point[i]) };
            if string == 0 {
                codes[i] = code;
            } else if freed.contains(&string) {
                codes[i] = FREE | (code & WHITE);
            } else {
                if string == merged.0 {
                    string = merged.1;
                }
                codes[i] = NEEDY | (code & WHITE);
                let above = &mut last[usize::from(string)];
                if *above != u8::MAX {
                    codes[i] |= UP;
                    codes[usize::from(*above)] |= DOWN;
                }
                *above = i as u8;
            }
        }
        codes[..height].iter().rev().fold(0, |border, &code| border << 4 | u64::from(code))
    }
}

/// The borders that follow when the point at `row` is empty, black and white; `None` where a
/// string would be left without a liberty for ever.
pub(super) fn successors(border: u64, height: usize, row: usize) -> [Option<u64>; 3] {
    let strings = Strings::of(border, height);
    let (above, string_above) = match row.checked_sub(1) {
        Some(r) => (strings.codes[r], strings.of_point[r]),
        None => (EDGE, 0),
    };
    let (left, string_left) = (strings.codes[row], strings.of_point[row]);
    let empty = strings.with(height, row, (EMPTY, 0), [string_above, string_left], (0, 0));
    let stone = |white: u8| {
        if string_left != 0 && left & WHITE != white && left & (UP | DOWN) == 0 {
            return None;
        }
        let frees = |code: u8| code == EMPTY || code == FREE | white;
        let joins = |code: u8, string: u8| if code & WHITE == white { string } else { 0 };
        let (a, l) = (joins(above, string_above), joins(left, string_left));
        Some(if frees(above) || frees(left) {
            strings.with(height, row, (FREE | white, 0), [a, l], (0, 0))
        } else {
            let string = match (a, l) {
                (0, 0) => strings.count + 1,
                (0, l) => l,
                (a, _) => a,
            };
            let merged = if a != 0 && l != 0 && a != l { (l, a) } else { (0, 0) };
            strings.with(height, row, (NEEDY | white, string), [0, 0], merged)
        })
    };
    [Some(empty), stone(0), stone(WHITE)]
}

/// The border after the first column, read from its colours (0 empty, 1 black, 2 white).
pub(super) fn first_column(colours: &[u8]) -> u64 {
    let mut codes: Vec<u8> = Vec::with_capacity(colours.len());
    let mut start = 0;
    while start < colours.len() {
        let colour = colours[start];
        let run = colours[start..].iter().take_while(|&&c| c == colour).count();
        let end = start + run;
        for i in start..end {
            codes.push(if colour == 0 {
                EMPTY
            } else if start > 0 && colours[start - 1] == 0 || colours.get(end) == Some(&0) {
                FREE | (colour - 1)
            } else {
                let up = if i > start { UP } else { 0 };
                let down = if i + 1 < end { DOWN } else { 0 };
                NEEDY | (colour - 1) | up | down
            });
        }
        start = end;
    }
    codes.iter().rev().fold(0, |border, &code| border << 4 | u64::from(code))
}

/// Links that are still open, as bits from the innermost (lowest) outwards under a leading
/// one, after one more point; `None` if the point does not fit.
pub(super) fn links_after(links: u32, code: u8, inwards: u8, outwards: u8) -> Option<u32> {
    let mut links = links;
    if code & NEEDY == 0 {
        return Some(links);
    }
    let colour = u32::from(code & WHITE);
    if code & inwards != 0 {
        if links == 1 || links & 1 != colour {
            return None;
        }
        links >>= 1;
    }
    if code & outwards != 0 {
        links = links << 1 | colour;
    }
    Some(links)
}

/// The largest height for which valid borders are counted.
pub(super) const MOST_COUNTED: usize = 30;

/// Valid borders of the given height after `row` points of a column, up to reversal of
/// colours.
///
/// Borders are read from the top; all that matters is the last point, the links that are
/// open, and whether the last point of the new column reaches round.
pub(super) fn valid_classes(height: usize, row: usize) -> u128 {
    // (links, last code, whether it reaches round) → number of ways.
    let mut ways: FxHashMap<(u32, u8, bool), u128> = FxHashMap::default();
    for point in 0..height {
        let mut next: FxHashMap<(u32, u8, bool), u128> = FxHashMap::default();
        let rest = height - point - 1;
        let mut extend = |links: u32, before: Option<(u8, bool)>, ways: u128| {
            for code in CODES {
                let fits = match before {
                    None => true,
                    Some((above, round)) if point == row => !round || may_touch(above, code),
                    Some((above, _)) => may_touch(above, code),
                };
                if !fits {
                    continue;
                }
                let Some(links) = links_after(links, code, UP, DOWN) else { continue };
                // Each further point closes at most one link.
                if links.ilog2() as usize > rest {
                    continue;
                }
                let round = point + 1 == row && reaches_round(before.map(|(above, _)| above), code);
                *next.entry((links, code, round)).or_default() += ways;
            }
        };
        if point == 0 {
            extend(1, None, 1);
        } else {
            for (&(links, above, round), &ways) in &ways {
                extend(links, Some((above, round)), ways);
            }
        }
        ways = next;
    }
    // Only the border without stones is its own reverse.
    ways.values().sum::<u128>().div_ceil(2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn table_1_of_the_paper() {
        let least: [u128; 19] = [
            3,
            9,
            32,
            117,
            444,
            1712,
            6742,
            26973,
            109_736,
            452_863,
            1_894_494,
            8_020_098,
            34_320_647,
            148_266_922,
            645_949_499,
            2_835_158_927,
            12_526_125_303,
            55_665_579_032,
            248_661_924_718,
        ];
        let most: [u128; 19] = [
            3,
            13,
            46,
            168,
            642,
            2482,
            9808,
            39324,
            160_286,
            662_265,
            2_772_774,
            11_742_926,
            50_258_461,
            217_096_273,
            945_567_689,
            4_148_642_993,
            18_320_946_269,
            81_376_671_503,
            363_324_268_018,
        ];
        for m in 1..=19 {
            assert_eq!(valid_classes(m, 0), least[m - 1], "{m}");
            assert_eq!(valid_classes(m, m - 1), most[m - 1], "{m}");
        }
    }

    /// Everything that can occur is valid; the smallest valid border that cannot has height 3
    /// (the paper's figure 6).
    #[test]
    fn few_valid_borders_cannot_occur() {
        for (height, occur) in [(1, 3), (2, 9), (3, 31), (4, 110), (5, 434)] {
            let mut layer = BTreeSet::new();
            for word in 0..3usize.pow(height as u32) {
                let colours: Vec<u8> =
                    (0..height).map(|i| (word / 3usize.pow(i as u32) % 3) as u8).collect();
                layer.insert(class(first_column(&colours)));
            }
            // Long enough for every border to appear.
            for _ in 0..8 {
                for row in 0..height {
                    let step = |&border: &u64| successors(border, height, row);
                    layer = layer.iter().flat_map(step).flatten().map(class).collect();
                    assert!(layer.len() as u128 <= valid_classes(height, (row + 1) % height));
                }
            }
            assert_eq!(layer.len(), occur, "{height}");
        }
    }
}
