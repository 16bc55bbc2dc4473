//! How the work of a job is divided.

use clap::ValueEnum;

/// How the work of finding what documents have in common is divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Split {
    /// By documents: nothing is shuffled
    Document,
    /// By what documents consist of: their features or blots are shuffled, and summed up
    Term,
}
