//! What is told of passages beyond that they are there: what each is worth, of which kind and family it is, which decisions and
//! filters apply to it, where its copies lie, and what is kept of a search for the next one.
//!
//! [`search`] runs the search of `dupi-passage` and judges what it finds.
#![deny(unsafe_code)]
#![cfg_attr(not(test), warn(unused_crate_dependencies))]

pub mod amend;
pub mod around;
pub mod aside;
pub mod base;
pub mod blocks;
pub mod choice;
pub mod copy;
pub mod copy_texts;
mod covered;
pub mod edits;
pub mod enclosing;
mod family;
pub mod filter;
pub mod first_look;
pub mod folders;
mod hashed;
pub mod headline;
mod identical;
pub mod kept;
mod kept_as;
pub mod kind;
pub mod location;
pub mod partners;
pub mod passages;
pub mod search;
pub mod shares;
pub mod since_visit;
pub mod sort;
pub mod suppressed;
pub mod texts;
pub mod trees;
pub mod whole_lines;
mod worth;

pub use hashed::HashedMap;
pub use sort::PassageOrder;
