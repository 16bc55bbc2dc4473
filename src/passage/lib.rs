//! The search for passages: maximal duplicated stretches of text with all their copies.
//!
//! It reads the stretches of documents in which tiles repeat ([`gather`]), finds the runs of tokens that are equal ([`exact`]) or
//! similar ([`approximate`]), and returns them as groups of copies ([`group`]). What a passage is worth, of which kind it is and
//! to which family it belongs is judged by the room above.
#![deny(unsafe_code)]
#![cfg_attr(not(test), warn(unused_crate_dependencies))]

pub mod align;
pub mod approximate;
mod block_error;
pub mod blocks;
pub mod bounds;
pub mod consistent;
pub mod distinct_texts;
pub mod exact;
pub mod gather;
pub mod group;
pub mod like;
mod measure;
pub mod numbers;
pub mod search;
pub mod stages;
pub mod unit;

pub use block_error::BlockError;
pub use measure::{Measure, TokenRun};
