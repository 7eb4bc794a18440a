//! Saved answers, checked. Whether a check sees every forgery is tested elsewhere; here it
//! must only not break down, and keep to its limits.

use std::time::Duration;

use pessoi::{Budget, Effort, Run};

use super::edit::edited;
use crate::{CATALOGUE, Target, refused};

pub(crate) const TARGET: Target =
    Target { name: "verify", help: "edited answers, checked", most: 97, check };

fn check(input: &[u8]) {
    let Some(saved) = edited(input) else { return };
    let budget = Budget {
        time: Some(Duration::from_millis(5)),
        memory: Some(16 << 20),
        threads: 1,
        ..Budget::default()
    };
    if let Err(error) = CATALOGUE.verify(&saved, Effort::Usual, &Run::new(budget)) {
        refused(&error);
    }
}
