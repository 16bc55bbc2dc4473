//! The threads of a session and what they share.

pub mod activity;
mod decision_queue;
mod export;
pub mod indexer;
pub mod jobs;
mod log;
pub mod others;
pub mod previews;
pub mod rows;
pub mod search;
pub mod shared;
mod signal;
