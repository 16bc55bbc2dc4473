//! What a change changes: for each file the lines that it adds and the lines that it removes.
//!
//! - [`lines`]: the change, as line ranges with the removed text; the former text of a file can be made from its new one.
//! - [`blame`]: which commits lines come from.
//! - [`commits`]: the commits of a range, and the files of each of them.
//! - [`patch`]: a unified patch.
//! - [`repository`]: a git repository: its commits, its index and its working tree.
//!
//! Whatever a change is read from, the new state is the working tree, because that is what an index has. What is in the
//! working tree but not in the change, as lines that are not staged, counts as neither added nor removed.

pub mod blame;
pub mod commits;
mod error;
mod files;
mod git;
pub mod lines;
mod objects;
pub mod patch;
pub mod repository;
mod running;
mod states;

pub use error::ChangeError;
pub use lines::{ChangedFile, ChangedLines, Hunk};
pub use running::Wanted;
