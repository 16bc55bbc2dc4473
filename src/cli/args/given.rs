//! A path as it is given: by its name, or as reports and errors spell it.

use std::path::PathBuf;

use clap::builder::{PathBufValueParser, TypedValueParser};

use crate::storage::typed_path;

/// Reads a path. It may have escapes, so that each name that was printed can be given.
pub fn path() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().map(|given| typed_path(given.as_os_str()))
}
