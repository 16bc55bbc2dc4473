//! The threads of a session, and the state that they share.

mod activity_log;
pub(super) mod answers;
pub(super) mod clusters;
mod criteria;
mod export;
pub(super) mod indexer;
mod pace;
pub(super) mod passages;
pub(super) mod requests;
pub(super) mod review;
pub(super) mod rows;
mod schedule;
mod searches;
pub(super) mod shared;
pub(super) mod signals;
