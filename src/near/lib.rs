//! The similarity of whole documents: by the blots, shingles or signatures they share.
#![deny(unsafe_code)]
#![cfg_attr(not(test), warn(unused_crate_dependencies))]

pub mod blocks;
mod by_fingerprints;
mod by_signatures;
pub mod clusters;
pub mod error;
pub mod features;
pub mod found;
mod identical;
pub mod jaccard;
pub mod kept_files;
pub mod like;
pub mod minhash;
pub mod pairs;
pub mod search;
pub mod settings;
pub mod simhash;
pub mod spotsigs;
pub mod trees;
mod verifier;

pub use error::NearError;

use dupi_index::index::search::{SearchError, Tick};
