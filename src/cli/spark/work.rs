//! The folder of `--work`, in which a job has its files.

use std::path::{Path, PathBuf, absolute};

use crate::cli::error::CliError;
use crate::cli::scratch::Scratch;
use dupi_base::corpus::Corpus;
use dupi_base::storage::{Folder, shown};
use dupi_ingest::segments::{SegmentError, check_outside};

/// The folder in which jobs have their files.
pub(super) struct WorkFolder(PathBuf);

impl WorkFolder {
    /// The folder that was given, or else the one in which the index lies. It is not made yet.
    ///
    /// # Errors
    /// [`CliError::Usage`] if it lies in the corpus, which is only read.
    pub(super) fn new(given: Option<&Path>, index: &Path, corpus: &Corpus) -> Result<Self, CliError> {
        let folder = given.or(index.parent()).unwrap_or(Path::new("."));
        let folder = absolute(folder).unwrap_or_else(|_| folder.to_owned());
        check_outside(corpus, &folder).map_err(|error| match error {
            SegmentError::Inside(_) => CliError::Usage(format!(
                "{}, for the files of the job, lies in the corpus; name a folder elsewhere with --work",
                shown(&folder)
            )),
            error => error.into(),
        })?;
        Ok(Self(folder))
    }

    /// Makes a folder in it for one job, which has it open too. It is removed when it is dropped.
    pub(super) fn scratch(&self) -> Result<Scratch, CliError> {
        Folder::new(&self.0).create().map_err(SegmentError::from)?;
        Ok(Scratch::create(&self.0).and_then(Scratch::share).map_err(SegmentError::from)?)
    }
}
