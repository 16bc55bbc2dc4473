//! Similar documents in parts, for several machines: the same answer as that of [`find`](super::search::find), whatever the
//! number of parts and the order in which they are done.
//!
//! The documents of a snapshot are divided into blocks ([`BlockPlan`]). A task makes the sealed file of a block: the
//! documents and what the method compares ([`shatter`]). Where too frequent or too rare features do not count, one task
//! counts them in all blocks ([`tally()`]), and others leave them out of each ([`bound`]). With `jaccard` and `spotsigs`, which
//! compare all features of two documents, a task for each two blocks finds their pairs (Doc-Split, [`query()`]; or Term-Split,
//! [`print_features`] and [`take_links`]). `minhash` and `simhash` need a few bytes of a document, so the last step finds the
//! pairs, unless Term-Split found them, by the bands or tables that two documents share. That step ([`reduce`]) joins all of it.
//!
//! Each task is a function from files to files. A file is written under a temporary name and then renamed; its name is derived
//! from the generation of the index, the options and the number of the task, so a task may run twice, and what belongs to
//! another index or to other options is never taken.

mod files;
mod links;
mod plan;
mod reduce;
mod shatter;
mod tally;

pub use links::{print_features, take_links};
pub use plan::{BlockPlan, Sharing};
pub use reduce::{query, reduce};
pub use shatter::shatter;
pub use tally::{bound, tally};
