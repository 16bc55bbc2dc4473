//! What a change copies, and what it changed on one side only.
#![deny(unsafe_code)]
#![cfg_attr(not(test), warn(unused_crate_dependencies))]

pub mod change;
pub mod review;
#[cfg(test)]
#[path = "../../tests/support/script.rs"]
mod script;
