//! `dupi` finds what is written more than once in a large, growing folder of documents.
//!
//! Data goes one way through the rooms of this house, and a room uses only rooms before it:
//!
//! ```text
//! storage → config → corpus → token → blot → taboo → index → query → passage → near → report → ingest → session → cli
//!                                                                                                               └→ tui
//! ```
//!
//! `cli` and `tui` are the two doors; `cli` opens `tui`. `tests/it/architecture.rs` keeps the order.
#![deny(unsafe_code)]
#![cfg_attr(not(test), warn(unused_crate_dependencies))]

pub mod blot;
pub mod cli;
pub mod config;
pub mod corpus;
pub mod index;
pub mod ingest;
pub mod near;
pub mod passage;
pub mod query;
pub mod report;
pub mod session;
pub mod storage;
pub mod taboo;
pub mod token;
pub mod tui;
