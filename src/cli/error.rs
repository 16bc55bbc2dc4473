//! The errors of verbs, with the messages that standard error shows.

use std::io;
use std::path::PathBuf;

use dupi_base::config::{FiltersError, NoHomeFolder};
use dupi_base::corpus::{CorpusError, SkipReason};
use dupi_base::storage::{StorageError, in_words, shown};
use dupi_index::index::IndexError;
use dupi_index::index::search::SearchError;
use dupi_index::taboo::TabooError;
use dupi_ingest::UpdateError;
use dupi_ingest::segments::SegmentError;
use dupi_near::NearError;
use dupi_near::simhash::{HashListError, HashPairsError};
use dupi_passage::BlockError;
use dupi_passage::bounds::Omissions;
use dupi_review::change::ChangeError;
use dupi_review::review::baseline::BaselineError;
use dupi_screen::TuiError;
use dupi_text::blot::RecipeError;
use dupi_text::token::PatternError;

/// Why a verb failed.
#[derive(Debug, thiserror::Error)]
pub(super) enum CliError {
    /// The corpus.
    #[error(transparent)]
    Corpus(#[from] CorpusError),
    /// The index.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// Bringing the index up to date.
    #[error(transparent)]
    Update(#[from] UpdateError),
    /// Building and adopting segments.
    #[error(transparent)]
    Segment(#[from] SegmentError),
    /// The taboo list.
    #[error(transparent)]
    Taboo(#[from] TabooError),
    /// The saved filters.
    #[error(transparent)]
    Filters(#[from] FiltersError),
    /// An invalid filter: the message, and the lines that show the position.
    #[error("{0}")]
    Filter(String),
    /// The recipe.
    #[error(transparent)]
    Recipe(#[from] RecipeError),
    /// A pattern of text that is not read.
    #[error(transparent)]
    Pattern(#[from] PatternError),
    /// Finding passages.
    #[error(transparent)]
    Passages(#[from] SearchError),
    /// Blocks of gathered text.
    #[error(transparent)]
    Blocks(#[from] BlockError),
    /// Reading a change.
    #[error(transparent)]
    Change(#[from] ChangeError),
    /// A baseline.
    #[error(transparent)]
    Baseline(#[from] BaselineError),
    /// A patch.
    #[error("cannot read {}: {}", .0, in_words(.1))]
    Patch(String, io::Error),
    /// An index whose tokens are those of another version.
    #[error(
        "the index was built by another version of dupi-tui, with other tokens; without --no-update it is built anew"
    )]
    OtherTokens,
    /// Finding similar documents.
    #[error(transparent)]
    Near(#[from] NearError),
    /// Finding pairs of hashes.
    #[error(transparent)]
    HashPairs(#[from] HashPairsError),
    /// A search for similar documents skipped some files.
    #[error("the answer is incomplete; omitted: {0} files too large for the memory limit")]
    TooLargeFiles(u64),
    /// There are more pairs than fit into the memory.
    #[error(
        "the answer is incomplete; omitted: {0} pairs between the documents that are listed; use a smaller --distance, \
         or more --memory"
    )]
    OmittedPairs(u64),
    /// The search omitted some passages.
    #[error("{0}")]
    Omissions(Omissions),
    /// The folders of the program.
    #[error(transparent)]
    Home(#[from] NoHomeFolder),
    /// The terminal.
    #[error(transparent)]
    Tui(#[from] TuiError),
    /// The index was built with another recipe.
    #[error("{0}; omit the options, or add --rebuild to rebuild the index")]
    Mismatch(String),
    /// The index of another corpus would be replaced.
    #[error(
        "the index in {} belongs to {}; choose another folder with --index, or add --rebuild to replace it",
        shown(home),
        shown(corpus)
    )]
    OtherCorpus {
        /// The folder of the index.
        home: PathBuf,
        /// The base of the corpus that it belongs to.
        corpus: PathBuf,
    },
    /// A size limit beyond 32-bit spans.
    #[error("--max-filesize can be at most 4 GiB (4294967295 bytes)")]
    TooLarge,
    /// A file argument cannot be read as text.
    #[error("cannot read {0}: {1}")]
    File(String, SkipReason),
    /// A file argument does not exist.
    #[error("there is no file {0}; check the path")]
    NoFile(String),
    /// Standard input.
    #[error("cannot read standard input: {}", in_words(.0))]
    Input(io::Error),
    /// A list of hashes.
    #[error("cannot read {0}: {1}")]
    Hashes(String, HashListError),
    /// Another file or stream.
    #[error("cannot write {}: {}", .0, in_words(.1))]
    Write(String, io::Error),
    /// Standard output.
    #[error("cannot write to standard output: {}", in_words(.0))]
    Output(io::Error),
    /// The signal handlers.
    #[error("cannot prepare for signals: {}", in_words(.0))]
    Signals(io::Error),
    /// A signal ended the update, so there is no answer: it would be that of a part of the corpus.
    #[error("interrupted; what was read is kept, and the next run continues from there")]
    Interrupted,
    /// A signal ended a verb that keeps nothing.
    #[error("interrupted")]
    Stopped,
    /// A temporary file or folder.
    #[error("{0}; the variable TMPDIR names the place for temporary files")]
    Temporary(StorageError),
    /// Some files could not be read, so the answer may be incomplete.
    #[error("{0}")]
    Unread(String),
    /// There is no Spark.
    #[error(
        "there is no {}; install Java 17 or newer and Spark (pip install pyspark==4.3.0 pyarrow==26.0.1 pandas==2.3.3), and name \
         its spark-submit with --spark-submit if it is not in PATH",
        shown(.0)
    )]
    NoSpark(PathBuf),
    /// A job on Spark failed.
    #[error("{0}")]
    Spark(String),
    /// A wrong use of the verb.
    #[error("{0}")]
    Usage(String),
}
