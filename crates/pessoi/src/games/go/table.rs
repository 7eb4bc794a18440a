//! The table engine: every border of a rectangle is listed once, and so is what follows it.
//!
//! For each row there is a sorted list of the borders that can occur there (up to reversal of
//! colours) and, for each of them, the places of its two or three successors in the list of
//! the next row. Then reading a point is a walk over the table that adds residues, for
//! several moduli at once.

use super::border::{DOWN, NEEDY, UP, class, code, first_column, successors};
use pessoi_engine::number::Modulus;
use pessoi_engine::run::{Claim, Run, Stop};

/// The borders of a height, and what follows what.
pub(super) struct Tables {
    height: usize,
    /// For each row, the borders before its point is read; sorted.
    borders: Vec<Vec<u64>>,
    /// For each row and border, where it leads; [`NOWHERE`] for a choice that there is not.
    next: Vec<Vec<[u32; 3]>>,
    /// Borders after the first column, each with its number of ways.
    first: Vec<(u32, u64)>,
    _claim: Claim,
}

const NOWHERE: u32 = u32::MAX;

impl Tables {
    /// Lists all borders that can occur.
    pub(super) fn new(height: usize, run: &Run) -> Result<Tables, Stop> {
        let mut claim = run.claim();
        let mut start: Vec<u64> = Vec::new();
        let mut colours = vec![0u8; height];
        loop {
            start.push(class(first_column(&colours)));
            let Some(place) = colours.iter().position(|&colour| colour < 2) else { break };
            colours[place] += 1;
            colours[..place].fill(0);
        }
        start.sort_unstable();
        let ways = start.clone();
        start.dedup();
        // Round and round until nothing new comes.
        let mut borders: Vec<Vec<u64>> = vec![Vec::new(); height];
        borders[0].clone_from(&start);
        let mut new = start;
        let mut row = 0;
        while !new.is_empty() {
            let mut follow: Vec<u64> = Vec::with_capacity(new.len() * 3);
            for (k, &border) in new.iter().enumerate() {
                follow.extend(successors(border, height, row).into_iter().flatten().map(class));
                if k % 4096 == 4095 {
                    run.tick(4096)?;
                }
            }
            follow.sort_unstable();
            follow.dedup();
            row = (row + 1) % height;
            follow.retain(|border| borders[row].binary_search(border).is_err());
            borders[row].extend(&follow);
            borders[row].sort_unstable();
            let listed: usize = borders.iter().map(Vec::len).sum();
            claim.grow_to(20 * listed as u64 + 32 * follow.len() as u64)?;
            new = follow;
        }
        let mut next = Vec::with_capacity(height);
        for row in 0..height {
            let after = &borders[(row + 1) % height];
            let lead = |&border: &u64| {
                successors(border, height, row).map(|next| {
                    // Every successor was listed.
                    let place = next.and_then(|next| after.binary_search(&class(next)).ok());
                    place.map_or(NOWHERE, |place| place as u32)
                })
            };
            next.push(borders[row].iter().map(lead).collect());
            run.check()?;
        }
        let place = |border: &u64| borders[0].binary_search(border).map_or(0, |p| p as u32);
        let first = ways.chunk_by(|a, b| a == b).map(|run| (place(&run[0]), run.len() as u64));
        let first = first.collect();
        Ok(Tables { height, borders, next, first, _claim: claim })
    }

    /// Borders in the largest layer.
    pub(super) fn peak(&self) -> usize {
        self.borders.iter().map(Vec::len).max().unwrap_or(0)
    }

    /// Borders of all layers of a column.
    pub(super) fn borders_a_column(&self) -> u64 {
        self.borders.iter().map(|layer| layer.len() as u64).sum()
    }

    /// Borders between columns up to reversal of colours and turning upside down: no
    /// recurrence is longer.
    pub(super) fn up_down_classes(&self) -> usize {
        let upside_down = |border: u64| {
            let turned = (0..self.height).fold(0u64, |turned, point| {
                let mut code = code(border, point);
                if code & NEEDY != 0 {
                    let (up, down) = (code & UP != 0, code & DOWN != 0);
                    code &= !(UP | DOWN);
                    code |= if up { DOWN } else { 0 } | if down { UP } else { 0 };
                }
                turned << 4 | u64::from(code)
            });
            class(turned)
        };
        let borders = &self.borders[0];
        let own = borders.iter().filter(|&&border| upside_down(border) == border).count();
        usize::midpoint(borders.len(), own)
    }

    /// The numbers of legal positions of all lengths up to `length`, modulo each of `K`
    /// moduli; `each` gets the length and the residues.
    pub(super) fn lengths<const K: usize>(
        &self,
        length: usize,
        moduli: [Modulus; K],
        run: &Run,
        mut each: impl FnMut(usize, [u64; K]),
    ) -> Result<(), Stop> {
        let mut claim = run.claim();
        claim.grow_to((2 * self.peak() * 8 * K) as u64)?;
        let mut now = vec![[0u64; K]; self.borders[0].len()];
        for &(place, ways) in &self.first {
            now[place as usize] = moduli.map(|modulus| modulus.reduce(ways));
        }
        let mut after: Vec<[u64; K]> = Vec::new();
        let free: Vec<usize> = (0..self.borders[0].len())
            .filter(|&k| super::border::all_free(self.borders[0][k]))
            .collect();
        for column in 1..=length {
            if column > 1 {
                for row in 0..self.height {
                    after.clear();
                    after.resize(self.borders[(row + 1) % self.height].len(), [0; K]);
                    for (ways, next) in now.iter().zip(&self.next[row]) {
                        for &to in next.iter().filter(|&&to| to != NOWHERE) {
                            let to = &mut after[to as usize];
                            for k in 0..K {
                                to[k] = moduli[k].add(to[k], ways[k]);
                            }
                        }
                    }
                    std::mem::swap(&mut now, &mut after);
                    run.tick(now.len() as u64)?;
                    run.step(1);
                }
            }
            let mut legal = [0u64; K];
            for &place in &free {
                for k in 0..K {
                    legal[k] = moduli[k].add(legal[k], now[place][k]);
                }
            }
            each(column, legal);
        }
        Ok(())
    }
}
