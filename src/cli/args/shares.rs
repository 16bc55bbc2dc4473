//! The arguments of `documents` and `files`.

use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::alike::{AlikeArgs, PathGlob};
use super::files::OnlyArgs;
use super::given::path;
use super::index::FindArgs;
use dupi_session::{Sort, Subject};

/// `documents`.
#[derive(Debug, Args)]
pub struct DocumentsArgs {
    /// The corpus, as with --corpus
    #[arg(value_name = "PATH", conflicts_with = "corpus", value_parser = path())]
    pub place: Option<PathBuf>,
    /// The order of the rows: share, partner (each next to the document that it shares the most with, in groups, the group with the
    /// most shared tokens first), tokens (duplicated ones), copies, path or recent
    #[arg(long, value_name = "BY", default_value = "share", value_parser = way(Subject::Documents))]
    pub sort: Sort,
    /// In the reverse of that order
    #[arg(long)]
    pub reverse: bool,
    /// Only the first N
    #[arg(long, value_name = "N")]
    pub top: Option<usize>,
    /// Only documents with at least this duplicated share: in per cent as in 90 or 90%, or as a number from 0 to 1
    #[arg(long, value_name = "SHARE", value_parser = least_share)]
    pub min_share: Option<f64>,
    /// Only files whose path matches this pattern, such as `src/**`
    #[arg(long, value_name = "GLOB", value_parser = PathGlob::parse)]
    pub path: Option<PathGlob>,
    /// What counts.
    #[command(flatten)]
    pub alike: AlikeArgs,
    /// Which index.
    #[command(flatten)]
    pub find: FindArgs,
    /// Which files.
    #[command(flatten)]
    pub only: OnlyArgs,
}

/// `files`.
#[derive(Debug, Args)]
pub struct FilesArgs {
    /// The folder, by its path in the corpus [default: the whole corpus]
    #[arg(value_name = "FOLDER", value_parser = path())]
    pub folder: Option<PathBuf>,
    /// The number of levels to show
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(0..))]
    pub depth: u32,
    /// The order of the rows: share, tokens (duplicated ones), copies, documents or path
    #[arg(long, value_name = "BY", default_value = "share", value_parser = way(Subject::Files))]
    pub sort: Sort,
    /// In the reverse of that order
    #[arg(long)]
    pub reverse: bool,
    /// What counts.
    #[command(flatten)]
    pub alike: AlikeArgs,
    /// Which index.
    #[command(flatten)]
    pub find: FindArgs,
    /// Which files.
    #[command(flatten)]
    pub only: OnlyArgs,
}

/// Parses a share from 0 to 1. A greater number, or one with a percent sign, is in per cent.
fn least_share(given: &str) -> Result<f64, String> {
    let (number, has_sign) = given.strip_suffix('%').map_or((given, false), |number| (number, true));
    let number: Option<f64> = number.parse().ok().filter(|number| (0.0..=100.0).contains(number));
    let share = number.map(|number| if has_sign || number > 1.0 { number / 100.0 } else { number });
    share.ok_or_else(|| {
        format!("`{given}` is not a share; write per cent as in 90 or 90%, or a number from 0 to 1")
    })
}

/// The parser of `--sort` for the rows of a subject.
fn way(of: Subject) -> impl TypedValueParser<Value = Sort> {
    let ways = Sort::ways(of);
    let names = PossibleValuesParser::new(ways.iter().map(|way| way.name()));
    names.map(move |name| ways.iter().copied().find(|way| way.name() == name).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_may_be_given_per_cent() {
        for (given, share) in
            [("90", 0.9), ("90%", 0.9), ("0.9", 0.9), ("1", 1.0), ("1%", 0.01), ("0", 0.0), ("100", 1.0)]
        {
            assert_eq!(least_share(given), Ok(share), "{given}");
        }
        for wrong in ["101", "-1", "half", "", "%", "nan"] {
            assert!(least_share(wrong).unwrap_err().contains("90%"), "{wrong}");
        }
    }
}
