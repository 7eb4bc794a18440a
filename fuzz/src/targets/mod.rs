//! One file a target.

pub(crate) mod answer;
pub(crate) mod checkpoint;
pub(crate) mod convert;
pub(crate) mod drawing;
mod edit;
pub(crate) mod journal;
pub(crate) mod layers;
pub(crate) mod ledger;
pub(crate) mod model;
pub(crate) mod packed;
pub(crate) mod paper;
pub(crate) mod parcel;
pub(crate) mod position;
pub(crate) mod question;
#[cfg(feature = "graph")]
pub(crate) mod rows;
mod saved;
pub(crate) mod slices;
pub(crate) mod slides;
pub(crate) mod tour;
pub(crate) mod verify;
pub(crate) mod words;
