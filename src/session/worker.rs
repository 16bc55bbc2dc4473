//! The threads of a session, and the state that they share.

pub(super) mod activity;
mod activity_log;
pub(super) mod blame;
pub(super) mod clusters;
mod decision_queue;
pub(super) mod decision_watch;
pub(super) mod excluded_watch;
mod export;
mod file_lists;
pub(super) mod indexer;
mod job;
pub(super) mod jobs;
mod pace;
mod pins;
mod places;
pub(super) mod previews;
mod progress_meter;
pub(super) mod review;
pub(super) mod rows;
pub(super) mod search;
mod settling;
pub(super) mod shared;
mod signal;
