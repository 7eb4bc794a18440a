//! A sweep that the tests of this folder share: words of zeros and ones without
//! two ones in a row, where some sites ban a letter.

use super::Sweep;

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
