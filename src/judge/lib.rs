//! What is told of passages beyond that they are there: what each is worth, of which kind and family it is, which decisions and
//! filters apply to it, where its copies lie, and what is kept of a search for the next one.
//!
//! [`search`] runs the search of `dupi-passage` and judges what it finds.
#![deny(unsafe_code)]
#![cfg_attr(not(test), warn(unused_crate_dependencies))]

pub mod amend;
pub mod around;
pub mod aside;
pub mod choice;
pub mod copies;
pub mod copy_texts;
mod covered;
pub mod enclosing;
mod family;
pub mod filter;
pub mod folders;
mod hashed;
pub mod headline;
pub mod identical;
pub mod kept;
pub mod kind;
pub mod known;
pub mod location;
pub mod partners;
pub mod passages;
#[cfg(test)]
#[path = "../../tests/support/script.rs"]
mod script;
pub mod search;
pub mod shares;
pub mod sort;
pub mod suppressed;
pub mod texts;
mod worth;

pub use hashed::HashedMap;
pub use sort::PassageOrder;
