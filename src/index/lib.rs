//! The index of fingerprints, what is hidden, and questions to both.
#![deny(unsafe_code)]
#![cfg_attr(not(test), warn(unused_crate_dependencies))]

pub mod index;
pub mod query;
#[cfg(test)]
#[path = "../../tests/support/script.rs"]
mod script;
pub mod taboo;
