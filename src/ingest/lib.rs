//! Brings an index up to date with its corpus, for verbs and for the background indexer.
//!
//! `open` opens or builds an index according to [`Options`]. An [`Updater`] then walks the corpus, compares it with
//! the newest generation (`plan`), reads and shatters new files (`rounds`, `intake`), keeps track of replaced and
//! skipped files, and commits. Missing sketches are made when they are asked for (`missing_sketches`). An [`Observer`]
//! gets the progress and can cancel. The threads run at lower priorities (`priority`). [`segments`] builds the parts of an
//! index apart and joins them.
#![deny(unsafe_code)]
#![cfg_attr(not(test), warn(unused_crate_dependencies))]

pub use open::{Opened, bring_up_to_date};
pub use progress::{Committed, Observer, Options, Phase, Progress, Silent};
pub use update::{UpdateError, Updater};

mod intake;
mod open;
mod plan;
pub mod priority;
mod progress;
mod rounds;
pub mod segments;
mod update;
