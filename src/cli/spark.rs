//! `spark`: runs jobs on Apache Spark. The driver, assets/spark/dupi_spark.py, and its modules are part of this program;
//! spark-submit runs it, and ships this program to the executors.

mod index;
mod near;
mod passages;
mod submit;
mod work;

use super::args::SparkVerb;
use super::error::CliError;
use super::outcome::Outcome;
use super::segment::threads;
use dupi_base::config::Settings;

/// Runs a verb of `spark`.
pub(super) fn run(verb: &SparkVerb, settings: &Settings) -> Result<Outcome, CliError> {
    match verb {
        SparkVerb::Near(args) => near::run(args, settings),
        SparkVerb::Index(args) => index::run(args, threads(None, settings)),
        SparkVerb::Passages(args) => passages::run(args, settings),
    }
}
