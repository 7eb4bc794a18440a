//! Classes of tours up to the symmetries of the board.
//!
//! Two tours are of one class if a symmetry of the board takes one to the other,
//! walked in either direction. The search meets every tour; a tour is given if it is
//! the least of its class in the order of its cells. So nothing needs to be stored,
//! and the sizes of the classes must add up to the number of tours met.
//!
//! Where only the number of classes is wanted, Burnside's lemma gives it: the mean, over the
//! symmetries, of the number of tours that each keeps.

use pessoi_engine::symmetry::canonical;

use num_bigint::BigUint;

use crate::board::Symmetry;
use crate::error::{Error, Result};
use crate::solution::Class;
use crate::table::{DatumKind, Table};

use super::find::reversed;
use super::task::Task;

/// The symmetries of a board that leave a task as it is.
pub(super) struct Classes {
    symmetries: Vec<Symmetry>,
    closed: bool,
    two_directions: bool,
}

/// What a tour is in its class.
pub(super) enum Membership {
    /// The one that is given for the class.
    Least(Class),
    /// Another one.
    Other,
}

impl Classes {
    /// Those symmetries that keep every fixed number where it is.
    pub(super) fn new(task: &Task) -> Self {
        let mut symmetries = task.board.symmetries();
        let fixed: Vec<u32> = task.fixed().map(|(_, cell)| cell).collect();
        symmetries.retain(|g| fixed.iter().all(|&cell| g.permutation[cell as usize] == cell));
        let two_directions = task.has_two_directions();
        Classes { symmetries, closed: task.closed, two_directions }
    }

    /// How many symmetries there are.
    pub(super) fn group(&self) -> &[Symmetry] {
        &self.symmetries
    }

    /// All images of a path, the path itself first, each with its symmetry's number;
    /// without those that walk it backwards if direction matters.
    fn images(&self, path: &[u32]) -> Vec<(Vec<u32>, usize)> {
        let mut images = Vec::with_capacity(2 * self.symmetries.len());
        for (number, symmetry) in self.symmetries.iter().enumerate() {
            let mut image: Vec<u32> =
                path.iter().map(|&cell| symmetry.permutation[cell as usize]).collect();
            if self.closed && self.two_directions {
                from_least(&mut image);
            }
            let back = self.two_directions.then(|| reversed(&image, self.closed));
            images.push((image, number));
            images.extend(back.map(|back| (back, number)));
        }
        images
    }

    /// Whether `path` is the least of its class, and what class that is.
    pub(super) fn judge(&self, path: &[u32]) -> Option<Membership> {
        let images = self.images(path);
        let itself = images.first()?.0.clone();
        let least = canonical(images.iter().map(|(image, _)| image))?;
        if *least.least != itself {
            return Some(Membership::Other);
        }
        // Each path is met in both directions, and both are among the images.
        let orbit = least.orbit().ok()? / if self.two_directions { 2 } else { 1 };
        let mut symmetries: Vec<String> = images
            .iter()
            .filter(|(image, number)| *number > 0 && *image == itself)
            .map(|(_, number)| self.symmetries[*number].name.clone())
            .collect();
        symmetries.dedup();
        Some(Membership::Least(Class { orbit, symmetries }))
    }
}

/// Turns a closed path so that it begins at its least cell.
fn from_least(path: &mut [u32]) {
    if let Some(at) = (0..path.len()).min_by_key(|&at| path[at]) {
        path.rotate_left(at);
    }
}

/// The number of classes of things, and the table that it follows from: by Burnside's lemma,
/// from the name of each symmetry and the number of things that it keeps.
pub(super) fn burnside<'n>(
    names: impl Iterator<Item = &'n str>,
    kept: Vec<BigUint>,
) -> Result<(BigUint, Table)> {
    let mut table = Table::new(
        "kept",
        "Paths that each symmetry keeps",
        &[("symmetry", "symmetry", DatumKind::Text), ("paths", "paths", DatumKind::Integer)],
    );
    for (name, paths) in names.zip(&kept) {
        table.push([name.into(), paths.into()]);
    }
    let number = pessoi_engine::symmetry::burnside(kept)
        .map_err(|error| Error::internal(error.to_string()))?;
    Ok((number, table))
}
