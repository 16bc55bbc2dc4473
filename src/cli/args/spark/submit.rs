//! The arguments that say how jobs are submitted.

use std::path::PathBuf;

use clap::Args;

use crate::cli::args::given::path;

/// How Spark is used.
#[derive(Debug, Args)]
pub struct SparkArgs {
    /// Where Spark runs, such as `local[2]` or `spark://host:7077` [default: as Spark is configured]
    #[arg(long, value_name = "URL", help_heading = "Spark")]
    pub master: Option<String>,
    /// A property of Spark
    #[arg(long, value_name = "KEY=VALUE", help_heading = "Spark")]
    pub conf: Vec<String>,
    /// The program that submits the job [default: that of SPARK_HOME, or spark-submit]
    #[arg(long, value_name = "FILE", value_parser = path(), help_heading = "Spark")]
    pub spark_submit: Option<PathBuf>,
}
