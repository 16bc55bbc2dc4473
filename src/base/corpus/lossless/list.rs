//! Lists of paths in JSON, without loss.

use std::path::PathBuf;

use serde::{Deserialize, Deserializer, Serializer};

use super::LosslessPath;

pub(crate) fn serialize<S: Serializer>(paths: &[PathBuf], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(paths.iter().cloned().map(LosslessPath))
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<PathBuf>, D::Error> {
    let paths = Vec::<LosslessPath>::deserialize(deserializer)?;
    Ok(paths.into_iter().map(|path| path.0).collect())
}
