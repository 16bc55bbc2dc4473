//! How the work of a job is divided.

use clap::ValueEnum;

/// How the work of finding what documents have in common is divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Split {
    /// By documents: nothing is shuffled
    Document,
    /// By what documents consist of: their features, their blots, or the bands or tables by which they are found are shuffled
    Term,
}
