//! The arguments of `segment shatter near` and `segment query near`: `near` in parts.

use std::path::PathBuf;

use clap::Args;

use super::files::OnlyArgs;
use super::given::path;
use super::method::MethodArgs;
use crate::config::Size;

/// A part of `near`. All parts of a search have the same options, but for the task.
#[derive(Debug, Args)]
pub struct NearPartArgs {
    /// The folder of the index, which all tasks see at the same path; it is used as it is
    #[arg(long, value_name = "DIR", env = "DUPI_INDEX", value_parser = path())]
    pub index: PathBuf,
    /// Into how many blocks the documents are divided
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=9_999))]
    pub blocks: u32,
    /// The number of the task, from 0
    #[arg(long, value_name = "N")]
    pub task: u64,
    /// The folder for the files of all tasks, outside of the corpus; the path of the new one is printed
    #[arg(long, value_name = "DIR", value_parser = path())]
    pub out: PathBuf,
    /// The memory limit [default: 1G]
    #[arg(long, value_name = "SIZE")]
    pub memory: Option<Size>,
    /// Threads that read and compare [default: one per core]
    #[arg(short = 'j', long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: Option<u16>,
    /// How documents are compared.
    #[command(flatten)]
    pub compared: MethodArgs,
    /// Which files.
    #[command(flatten)]
    pub only: OnlyArgs,
}
