//! A search that the tests of this folder share: n queens on n rows.

use super::{Outlook, Search};

#[derive(Clone, Debug)]
pub(super) struct Queens {
    n: u8,
    columns: Vec<u8>,
}

impl Queens {
    pub(super) fn new(n: u8) -> Self {
        Queens { n, columns: Vec::new() }
    }
}

impl Search for Queens {
    type Step = u8;
    type Solution = Vec<u8>;

    fn look(&mut self, steps: &mut Vec<u8>) -> Outlook {
        let row = self.columns.len() as u8;
        if row == self.n {
            return Outlook::Solved;
        }
        let placed = &self.columns;
        steps.extend((0..self.n).filter(|&column| {
            (0u8..).zip(placed).all(|(r, &c)| c != column && c.abs_diff(column) != row - r)
        }));
        if steps.is_empty() { Outlook::Dead } else { Outlook::Branch }
    }

    fn take(&mut self, step: u8) {
        self.columns.push(step);
    }

    fn undo(&mut self) {
        self.columns.pop();
    }

    fn solution(&self) -> Vec<u8> {
        self.columns.clone()
    }

    fn stratum(&self) -> u64 {
        let mut steps = Vec::new();
        self.clone().look(&mut steps);
        steps.len() as u64
    }
}
