//! The data of papers.

use pessoi_reproduce::Paper;

use crate::{Target, refused};

pub(crate) const TARGET: Target =
    Target { name: "paper", help: "the data of papers", most: 768, check };

fn check(input: &[u8]) {
    let text = &*String::from_utf8_lossy(input);
    match Paper::parse(text) {
        Ok(paper) => {
            for value in paper.values() {
                assert!(value.cost.is_finite() && value.cost >= 0.0);
            }
        }
        Err(error) => refused(&error),
    }
}
