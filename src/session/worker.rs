//! The threads of a session, and the state that they share.

pub mod activity;
mod activity_log;
mod decision_queue;
pub mod decision_watch;
mod export;
pub mod indexer;
pub mod jobs;
pub mod previews;
pub mod rows;
pub mod search;
pub mod shared;
mod signal;
