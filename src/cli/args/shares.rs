//! The arguments of the verbs that tell how much of documents stands elsewhere too.

use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::FindArgs;
use super::near::{AlikeArgs, PathPattern, share};
use crate::session::{Sort, Subject};

/// `documents`.
#[derive(Debug, Args)]
pub struct DocumentsArgs {
    /// What comes first: share, tokens (that are duplicated), copies, path or recent
    #[arg(long, value_name = "BY", default_value = "share", value_parser = way(Subject::Documents))]
    pub sort: Sort,
    /// Only the first so many
    #[arg(long, value_name = "N")]
    pub top: Option<usize>,
    /// Only documents of which at least this share stands elsewhere too, 0 to 1
    #[arg(long, value_name = "SHARE", value_parser = share::<f64>)]
    pub min_share: Option<f64>,
    /// Only files whose path matches this pattern, such as `src/**`
    #[arg(long, value_name = "GLOB", value_parser = PathPattern::parse)]
    pub path: Option<PathPattern>,
    /// What counts.
    #[command(flatten)]
    pub alike: AlikeArgs,
    /// Which index.
    #[command(flatten)]
    pub find: FindArgs,
}

/// `files`.
#[derive(Debug, Args)]
pub struct FilesArgs {
    /// The folder, as it is called in the corpus [default: all of it]
    #[arg(value_name = "FOLDER")]
    pub folder: Option<PathBuf>,
    /// How many levels are shown
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(0..))]
    pub depth: u32,
    /// What comes first: share, tokens (that are duplicated), copies, documents or path
    #[arg(long, value_name = "BY", default_value = "share", value_parser = way(Subject::Files))]
    pub sort: Sort,
    /// What counts.
    #[command(flatten)]
    pub alike: AlikeArgs,
    /// Which index.
    #[command(flatten)]
    pub find: FindArgs,
}

/// A way to sort the rows of a subject, by its name.
fn way(of: Subject) -> impl TypedValueParser<Value = Sort> {
    let ways = Sort::ways(of);
    let names = PossibleValuesParser::new(ways.iter().map(|way| way.name()));
    names.map(move |name| ways.iter().copied().find(|way| way.name() == name).unwrap_or_default())
}
