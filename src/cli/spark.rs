//! `spark`: runs jobs on Apache Spark. The driver, assets/spark/dupi_spark.py, and its modules are part of this program;
//! spark-submit runs it, and ships this program to the executors.

mod index;
mod near;
mod passages;
mod submit;

use clap::Subcommand;

use super::error::CliError;
use super::output::Outcome;
use super::segment::threads;
use dupi_base::config::Settings;
use index::SparkIndexArgs;
use near::SparkNearArgs;
use passages::SparkPassagesArgs;

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

/// `spark`.
#[derive(Debug, Subcommand)]
pub enum SparkVerb {
    /// Build the index of a corpus that does not change meanwhile; its segments are built by the tasks of a Spark job
    Index(Box<SparkIndexArgs>),
    /// Find similar documents, as `near` does; the documents are read and compared by the tasks of Spark jobs
    #[command(after_help = near::ABOUT)]
    Near(Box<SparkNearArgs>),
    /// List passages; the text of the documents is gathered by the tasks of a Spark job
    #[command(after_help = passages::ABOUT)]
    Passages(Box<SparkPassagesArgs>),
}

/// Runs a verb of `spark`.
pub(super) fn run(verb: &SparkVerb, settings: &Settings) -> Result<Outcome, CliError> {
    match verb {
        SparkVerb::Near(args) => near::run(args, settings),
        SparkVerb::Index(args) => index::run(args, threads(None, settings)),
        SparkVerb::Passages(args) => passages::run(args, settings),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_help_and_the_error_name_the_pinned_packages() {
        let pins: Vec<&str> = include_str!("../../assets/spark/requirements.txt").lines().collect();
        let install = format!("pip install {}", pins.join(" "));
        assert!(ABOUT.contains(&install), "{install}");
        let error = submit::no_spark("spark-submit".as_ref()).to_string();
        assert!(error.contains(&install), "{error}");
    }
}
