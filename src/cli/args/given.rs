//! The parser of path arguments: a file name, or a path as printed in reports and errors.

use std::path::PathBuf;

use clap::builder::{PathBufValueParser, TypedValueParser};

use dupi_base::storage::typed_path;

/// Reads a path. It may contain escapes, so that every printed path is accepted.
pub(super) fn path() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().map(|given| typed_path(given.as_os_str()))
}
