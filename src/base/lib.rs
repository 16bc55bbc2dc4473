//! Files of one's own, settings, and the documents of a corpus.
#![deny(unsafe_code)]
#![cfg_attr(not(test), warn(unused_crate_dependencies))]

pub mod config;
pub mod corpus;
pub mod panics;
pub mod parallel;
#[cfg(test)]
#[path = "../../tests/support/script.rs"]
mod script;
pub mod storage;
