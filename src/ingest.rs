//! Brings an index up to date with its corpus, for verbs and for the thread that follows a folder.
//!
//! `open` opens or builds an index as [`Options`] ask. An [`Updater`] then walks the corpus, compares it with the
//! newest generation (`plan`), reads and shatters what is new (`rounds`, `intake`), keeps account of what is replaced
//! and skipped, and commits. An [`Observer`] is told how far it is and may end it. Threads for this work run at
//! priorities of their own (`priority`), and `memory` returns freed memory to the system.

pub use open::{Opened, bring_up_to_date};
pub use options::{Options, Watch};
pub use progress::{Committed, Observer, Phase, Progress, Silent, Watching};
pub use update::{UpdateError, Updater};

mod intake;
pub(crate) mod memory;
mod open;
mod options;
mod plan;
pub(crate) mod priority;
mod progress;
mod replaced;
mod rounds;
mod skipped;
mod update;
