//! Sweeps that the tests of this folder share: words of zeros and ones without
//! two ones in a row, where some sites ban a letter; and sets of cells of a board.

use super::{Resumable, Sweep};

#[derive(Clone, Debug)]
pub(super) struct Bits {
    /// For each site: 0 nothing is banned, 1 no zero, 2 no one, 3 neither.
    pub(super) bans: Vec<u8>,
}

impl Bits {
    pub(super) fn free(sites: usize) -> Self {
        Bits { bans: vec![0; sites] }
    }

    /// All words, by trying every one.
    pub(super) fn words(&self) -> Vec<Vec<u8>> {
        let sites = self.bans.len();
        (0u32..1 << sites)
            .map(|word| (0..sites).map(|i| (word >> i) as u8 & 1).collect::<Vec<u8>>())
            .filter(|word| {
                word.iter().zip(&self.bans).all(|(&bit, &ban)| ban & (1 << bit) == 0)
                    && word.windows(2).all(|pair| pair != [1, 1])
            })
            .collect()
    }
}

impl Sweep for Bits {
    type Border = u8;

    fn sites(&self) -> usize {
        self.bans.len()
    }

    fn start(&self) -> u8 {
        0
    }

    fn choose(&self, site: usize, &at: &u8, mut offer: impl FnMut(u8, u8)) {
        for bit in [0, 1] {
            if self.bans[site] & (1 << bit) == 0 && !(at == 1 && bit == 1) {
                offer(bit, bit);
            }
        }
    }

    fn accepts(&self, _: &u8) -> bool {
        true
    }
}

/// Sets of cells of a board, no two side by side; some cells are never taken. The border has a
/// bit for each column, the last sixteen in the upper half of a second word.
#[derive(Clone, Debug)]
pub(super) struct Apart {
    pub(super) cols: usize,
    /// For each cell whether it may be taken, row by row.
    pub(super) free: Vec<bool>,
}

impl Apart {
    pub(super) fn board(rows: usize, cols: usize) -> Self {
        Apart { cols, free: vec![true; rows * cols] }
    }

    /// How many sets there are, by trying every one.
    pub(super) fn sets(&self) -> u64 {
        let cells = self.free.len();
        let is_one = |set: u32| {
            (0..cells).filter(|&cell| set >> cell & 1 != 0).all(|cell| {
                let beside = cell % self.cols > 0 && set >> (cell - 1) & 1 != 0;
                let above = cell >= self.cols && set >> (cell - self.cols) & 1 != 0;
                self.free[cell] && !beside && !above
            })
        };
        (0..1u32 << cells).filter(|&set| is_one(set)).count() as u64
    }
}

impl Sweep for Apart {
    type Border = [u64; 2];

    fn sites(&self) -> usize {
        self.free.len()
    }

    fn start(&self) -> [u64; 2] {
        [0, 0]
    }

    fn choose(&self, site: usize, &[low, high]: &[u64; 2], mut offer: impl FnMut(u8, [u64; 2])) {
        let packed = |taken: u64| [taken & 0xffff, taken >> 16 << 48];
        let taken = low | high >> 48 << 16;
        let col = site % self.cols;
        offer(0, packed(taken & !(1 << col)));
        let beside = col > 0 && taken >> (col - 1) & 1 != 0;
        if self.free[site] && !beside && taken >> col & 1 == 0 {
            offer(1, packed(taken | 1 << col));
        }
    }

    fn accepts(&self, _: &[u64; 2]) -> bool {
        true
    }
}

impl Resumable for Apart {
    fn identity(&self) -> Vec<u64> {
        std::iter::once(self.cols as u64).chain(self.free.iter().map(|&f| f.into())).collect()
    }

    fn is_border(&self, _: usize, &[low, high]: &[u64; 2]) -> bool {
        low < 1 << 16 && high << 16 == 0
    }
}
