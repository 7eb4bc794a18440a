//! The sweep engine: legal positions of any board, point by point.
//!
//! The reference of the other engines, and the only one for boards with holes and for
//! positions fixed by a symmetry. The border holds the points that later ones will touch,
//! each empty, a free stone, or a needy stone with the number of its string. Strings are
//! numbered in the order in which they appear, so equal borders have equal codes; of a
//! border and its reverse the smaller one stands for both. On an m×n rectangle these are the
//! border states of the paper.

use super::points::Points;
use crate::error::{Error, Result};
use pessoi_engine::sweep::{Resumable, Sweep};

/// Points that fit in a border.
pub(super) const MOST_WIDTH: usize = 21;
/// Bits of a point.
const BITS: u32 = 6;

const NOTHING: u8 = 0;
const EMPTY: u8 = 1;
/// A free black stone; one more is a white one.
const FREE: u8 = 2;
/// A black stone of the first needy string; two more for each further string.
const NEEDY: u8 = 4;

/// What is done at a site, known beforehand.
struct Site {
    /// Slots of the earlier neighbours, and whether the join is crossed.
    touches: Vec<(usize, bool)>,
    /// Slots that leave the border.
    leaves: Vec<usize>,
    /// Where the point itself goes, unless nothing touches it later.
    slot: Option<usize>,
    bare: bool,
}

/// Legal colourings of some points, as the engine reads them.
pub(super) struct Legal {
    sites: Vec<Site>,
    /// Which slots are in use before each site, and after the last.
    used: Vec<[bool; MOST_WIDTH]>,
}

impl Legal {
    pub(super) fn new(points: &Points) -> Result<Legal> {
        let last = points.last_touched();
        let mut leaving: Vec<Vec<usize>> = vec![Vec::new(); last.len()];
        for (point, &end) in last.iter().enumerate() {
            leaving[end].push(point);
        }
        let mut slot_of = vec![usize::MAX; last.len()];
        let mut used = [false; MOST_WIDTH];
        let mut sites = Vec::with_capacity(last.len());
        let mut used_before = vec![used];
        for (point, joins) in points.earlier.iter().enumerate() {
            let touches = joins.iter().map(|&(other, crossed)| (slot_of[other], crossed)).collect();
            let leaves: Vec<usize> =
                leaving[point].iter().filter(|&&p| p != point).map(|&p| slot_of[p]).collect();
            for &slot in &leaves {
                used[slot] = false;
            }
            let slot = if last[point] == point {
                None
            } else {
                let free = used.iter().position(|used| !used).ok_or_else(|| {
                    Error::unsupported(
                        "place",
                        format!(
                            "This board's borders have more than {MOST_WIDTH} points, which is \
                             more than can be counted."
                        ),
                    )
                })?;
                used[free] = true;
                slot_of[point] = free;
                Some(free)
            };
            sites.push(Site { touches, leaves, slot, bare: points.bare[point] });
            used_before.push(used);
        }
        Ok(Legal { sites, used: used_before })
    }
}

type Slots = [u8; MOST_WIDTH];

fn unpacked(mut border: u128) -> Slots {
    let mut slots = [NOTHING; MOST_WIDTH];
    for slot in &mut slots {
        *slot = (border & ((1 << BITS) - 1)) as u8;
        border >>= BITS;
    }
    slots
}

/// Packs a border with its strings numbered anew, or its reverse if that is smaller.
fn packed(slots: &Slots) -> u128 {
    let mut numbers = [u8::MAX; 64];
    let mut count = 0;
    let (mut border, mut reverse) = (0u128, 0u128);
    for (k, &code) in slots.iter().enumerate() {
        if code == NOTHING {
            continue;
        }
        let new = if code < NEEDY {
            code
        } else {
            let string = usize::from(code) / 2;
            if numbers[string] == u8::MAX {
                numbers[string] = count;
                count += 1;
            }
            NEEDY + 2 * numbers[string] + code % 2
        };
        let other = if new >= FREE { new ^ 1 } else { new };
        border |= u128::from(new) << (k as u32 * BITS);
        reverse |= u128::from(other) << (k as u32 * BITS);
    }
    border.min(reverse)
}

impl Sweep for Legal {
    type Border = u128;

    fn sites(&self) -> usize {
        self.sites.len()
    }

    fn start(&self) -> u128 {
        0
    }

    fn choose(&self, site: usize, at: &u128, mut offer: impl FnMut(u8, u128)) {
        let site = &self.sites[site];
        let before = unpacked(*at);
        // The number that a new string gets until strings are numbered anew.
        let new_string = NEEDY + 2 * MOST_WIDTH as u8;
        let choices = if site.bare { 1 } else { 3 };
        'choice: for choice in 0..choices {
            let mut slots = before;
            let mut point = EMPTY;
            if choice == 0 {
                for &(slot, _) in &site.touches {
                    free(&mut slots, before[slot]);
                }
            } else {
                let white = choice - 1;
                let as_seen = |crossed: bool| white ^ u8::from(crossed);
                let frees = |&(slot, crossed): &(usize, bool)| {
                    before[slot] == EMPTY || before[slot] == FREE + as_seen(crossed)
                };
                let joins = site.touches.iter().filter(|&&(slot, crossed)| {
                    before[slot] >= NEEDY && before[slot] % 2 == as_seen(crossed)
                });
                if site.touches.iter().any(frees) {
                    joins.for_each(|&(slot, _)| free(&mut slots, before[slot]));
                    point = FREE + white;
                } else {
                    for &(slot, _) in joins {
                        let string = before[slot] / 2;
                        for code in slots.iter_mut().filter(|code| **code / 2 == string) {
                            *code = new_string + *code % 2;
                        }
                    }
                    point = new_string + white;
                }
            }
            let mut left = [NOTHING; 5];
            let mut leaving = 0;
            for &slot in &site.leaves {
                left[leaving] = slots[slot];
                leaving += 1;
                slots[slot] = NOTHING;
            }
            if let Some(slot) = site.slot {
                slots[slot] = point;
            } else {
                left[leaving] = point;
                leaving += 1;
            }
            for &code in &left[..leaving] {
                if code >= NEEDY && !slots.iter().any(|other| other / 2 == code / 2) {
                    continue 'choice;
                }
            }
            offer(choice, packed(&slots));
        }
    }

    fn accepts(&self, last: &u128) -> bool {
        *last == 0
    }
}

impl Resumable for Legal {
    /// What is done at each site.
    fn identity(&self) -> Vec<u64> {
        let mut words = Vec::new();
        for Site { touches, leaves, slot, bare } in &self.sites {
            words.extend([touches.len() as u64, leaves.len() as u64, u64::from(*bare)]);
            words.push(slot.map_or(u64::MAX, |slot| slot as u64));
            words.extend(
                touches.iter().map(|&(slot, crossed)| 2 * slot as u64 + u64::from(crossed)),
            );
            words.extend(leaves.iter().map(|&slot| slot as u64));
        }
        words
    }

    /// A border fills the slots that are in use, and is packed in the one way that there is.
    fn is_border(&self, site: usize, at: &u128) -> bool {
        let slots = unpacked(*at);
        let fills = |(&code, &used): (&u8, &bool)| (code != NOTHING) == used;
        slots.iter().zip(&self.used[site]).all(fills) && packed(&slots) == *at
    }
}

/// Gives the string of a needy stone a liberty.
fn free(slots: &mut Slots, code: u8) {
    if code >= NEEDY {
        for other in slots.iter_mut().filter(|other| **other / 2 == code / 2) {
            *other = FREE + *other % 2;
        }
    }
}
