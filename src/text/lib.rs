//! Tokens, fingerprints and sketches of texts.
#![deny(unsafe_code)]
#![cfg_attr(not(test), warn(unused_crate_dependencies))]

pub mod blot;
#[cfg(test)]
#[path = "../../tests/support/script.rs"]
mod script;
pub mod sketch;
pub mod token;
