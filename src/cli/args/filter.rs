//! The arguments of `filter`.

use clap::{Args, Subcommand};

use super::format::PlainFormatArgs;
use dupi_index::query::filter::names::NAMES;

/// The help text on the filter language.
pub(super) fn language() -> String {
    let names = NAMES.map(|name| format!("  {:<24} {}\n", name.example, name.about));
    format!(
        "A filter is a list of terms separated by white space. A row passes when all of them hold:\n  \
           {:<24} in the text or a path, also misspelt\n  \
           {:<24} exactly this text\n  \
           {:<24} a saved filter\n  \
           {:<24} negation\n{}\n\
         Numbers: copies:>5 copies:>=5 copies:<5 copies:5 copies:2..10. Quotes keep white space: path:\"my texts/**\".",
        "kfree",
        "'kfree \"all rights\"",
        "@mine",
        "-path:vendor",
        names.concat()
    )
}

/// `filter`.
#[derive(Debug, Subcommand)]
pub enum FilterVerb {
    /// List the saved filters
    List(FilterListArgs),
    /// Save a filter under a name, replacing one with that name
    Save(FilterSaveArgs),
    /// Remove a saved filter
    Remove(FilterRemoveArgs),
}

/// `filter list`.
#[derive(Debug, Args)]
pub struct FilterListArgs {
    /// How to print the rows.
    #[command(flatten)]
    pub format: PlainFormatArgs,
}

/// `filter save`.
#[derive(Debug, Args)]
pub struct FilterSaveArgs {
    /// The name: letters, digits, - and _
    pub name: String,
    /// The filter, such as `ext:c copies:>5 -path:vendor`
    #[arg(value_name = "FILTER", allow_hyphen_values = true)]
    pub text: String,
}

/// `filter remove`.
#[derive(Debug, Args)]
pub struct FilterRemoveArgs {
    /// The name
    pub name: String,
}
