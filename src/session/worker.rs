//! The threads of a session, and the state that they share.

mod activity_log;
pub(super) mod answers;
mod export;
pub(super) mod indexer;
mod pace;
pub(super) mod passages;
pub(super) mod rows;
mod schedule;
pub(super) mod searches;
pub(super) mod shared;
pub(super) mod signals;
