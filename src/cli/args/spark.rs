//! The arguments of `spark`.

mod passages;
mod submit;

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::given::path;
use super::near::NearArgs;
use super::segment::PlanningArgs;
use dupi_base::config::Size;
pub use passages::SparkPassagesArgs;
pub use submit::SparkArgs;

/// What the help says after the verbs.
pub(super) const ABOUT: &str = "\
  pip install pyspark==4.3.0 pyarrow==26.0.1 pandas==2.3.3      (and Java 17 or newer)
  dupi-tui spark index ~/corpus --master 'local[2]'
  dupi-tui spark passages -C ~/corpus --master 'local[2]'
  dupi-tui ~/corpus
  dupi-tui spark near ~/corpus --method spotsigs --master 'local[2]'

The program is shipped to the executors. They must see the documents, the index that they ask and the folder of --work at the same paths as this \
machine, and run as the same user. A task takes as much memory as --memory says, outside of the Java heap: give \
spark.executor.memoryOverhead that much for each core.";

/// What the help of `spark near` says after the options.
const NEAR_ABOUT: &str = "\
All tasks read the generation of the index that the job was planned for: the job fails if another program, such as an open \
screen, finds changed documents and updates the index before the last task is done.";

/// `spark`.
#[derive(Debug, Subcommand)]
pub enum SparkVerb {
    /// Build the index of a corpus that does not change meanwhile; its segments are built by the tasks of a Spark job
    Index(Box<SparkIndexArgs>),
    /// Find similar documents, as `near` does; the documents are read and compared by the tasks of Spark jobs
    #[command(after_help = NEAR_ABOUT)]
    Near(Box<SparkNearArgs>),
    /// List passages; the text of the documents is gathered by the tasks of a Spark job
    #[command(after_help = passages::ABOUT)]
    Passages(Box<SparkPassagesArgs>),
}

/// `spark near`.
#[derive(Debug, Args)]
pub struct SparkNearArgs {
    /// What is found, and how it is printed: what `near` takes, except --like and --reduce.
    #[command(flatten)]
    pub near: NearArgs,
    /// How Spark is used.
    #[command(flatten)]
    pub spark: SparkArgs,
    /// Into how many blocks the documents are divided; a task compares two of them [default: as many as --memory demands, at
    /// least one for each 512 MiB, and at most 1000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000), help_heading = "Spark")]
    pub blocks: Option<u32>,
    /// By what the search for pairs is divided; the pairs are the same. With minhash and simhash, the search is divided only
    /// with `term`
    #[arg(
        long,
        value_enum,
        default_value = "document",
        hide_possible_values = true,
        value_name = "document|term",
        help_heading = "Spark"
    )]
    pub split: Split,
    /// A folder for the blocks and pairs, which are removed at the end [default: beside the index]
    #[arg(long, value_name = "DIR", value_parser = path(), help_heading = "Spark")]
    pub work: Option<PathBuf>,
}

/// How the search for pairs is divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Split {
    /// By documents: nothing is shuffled
    Document,
    /// By what documents have: their features, or the bands or tables by which they are found, are shuffled
    Term,
}

/// What is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum InputFormat {
    /// Files, as `index` reads them
    Files,
    /// A Parquet table
    Parquet,
    /// A table of JSON lines, which need not be in files that this machine sees
    Json,
}

impl InputFormat {
    /// Its name in Spark; `None` for files, which Spark does not read.
    pub fn of_spark(self) -> Option<&'static str> {
        match self {
            Self::Files => None,
            Self::Parquet => Some("parquet"),
            Self::Json => Some("json"),
        }
    }
}

/// `spark index`.
#[derive(Debug, Args)]
pub struct SparkIndexArgs {
    /// Folders and files to index; `-` reads their list from standard input [default: .]. Of a table: paths, globs or
    /// addresses that Spark reads
    #[arg(value_name = "PATH", value_parser = path())]
    pub paths: Vec<PathBuf>,
    /// What PATH has; the rows of a table are first written as files
    #[arg(
        long,
        value_enum,
        value_name = "FORMAT",
        default_value = "files",
        requires_if("parquet", "documents"),
        requires_if("json", "documents"),
        help_heading = "Input"
    )]
    pub input: InputFormat,
    /// A new folder for the documents of a table, as JSONL files: the index quotes them from there
    #[arg(long, value_name = "DIR", value_parser = path(), requires = "paths", conflicts_with = "jsonl",
        help_heading = "Input")]
    pub documents: Option<PathBuf>,
    /// The column of a table with the identity of a document
    #[arg(long, value_name = "COLUMN", default_value = "id", requires = "documents", help_heading = "Input")]
    pub id: String,
    /// The column of a table with the text of a document
    #[arg(
        long,
        value_name = "COLUMN",
        default_value = "text",
        requires = "documents",
        help_heading = "Input"
    )]
    pub text: String,
    /// How Spark is used.
    #[command(flatten)]
    pub spark: SparkArgs,
    /// A folder for the plan and the segments, which are removed at the end [default: beside the index]
    #[arg(long, value_name = "DIR", value_parser = path(), help_heading = "Spark")]
    pub work: Option<PathBuf>,
    /// The memory limit of a task [default: 1G]
    #[arg(long, value_name = "SIZE", help_heading = "Spark")]
    pub memory: Option<Size>,
    /// Make the index in this folder instead of the user's data folder
    #[arg(long, value_name = "DIR", env = "DUPI_INDEX", value_parser = path(), help_heading = "Index")]
    pub index: Option<PathBuf>,
    /// Replace an existing index
    #[arg(long, help_heading = "Index")]
    pub rebuild: bool,
    /// What is indexed.
    #[command(flatten)]
    pub planning: PlanningArgs,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_help_and_the_error_name_the_pinned_packages() {
        let pins: Vec<&str> = include_str!("../../../assets/spark/requirements.txt").lines().collect();
        let install = format!("pip install {}", pins.join(" "));
        assert!(ABOUT.contains(&install), "{install}");
        let error = crate::cli::error::CliError::NoSpark("spark-submit".into()).to_string();
        assert!(error.contains(&install), "{error}");
    }
}
