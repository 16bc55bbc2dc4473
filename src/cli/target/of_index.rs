//! The target of a verb that uses an index as it is.

use std::path::{Path, absolute};

use super::{CorpusTarget, ours};
use crate::cli::error::CliError;
use dupi_index::index::manifest::Manifest;
use dupi_ingest::Options;

impl CorpusTarget {
    /// The index in a folder, with the corpus that is recorded in it.
    pub(crate) fn of_index(index: &Path) -> Result<Self, CliError> {
        let home = ours(absolute(index).unwrap_or_else(|_| index.to_owned()))?;
        let corpus = Manifest::read(&home)?.corpus;
        Ok(Self { corpus, options: Options::new(home), rebuild: false })
    }
}
