//! The arguments of `filter`.

use clap::{Args, Subcommand};

use super::format::FormatArgs;
use crate::query::filter::names::NAMES;

/// The language of filters, for those who ask for help.
pub fn language() -> String {
    let names = NAMES.map(|name| format!("  {:<24} {}\n", name.example, name.about));
    format!(
        "A filter is terms separated by white space, and all must hold:\n  \
           {:<24} in the text or a path, also nearly so\n  \
           {:<24} as it stands\n  \
           {:<24} a saved filter\n  \
           {:<24} not that\n{}\n\
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
    /// Save a filter under a name, in the place of one that has it
    Save(FilterSaveArgs),
    /// Remove a saved filter
    Remove(FilterRemoveArgs),
}

/// `filter list`.
#[derive(Debug, Args)]
pub struct FilterListArgs {
    /// How to print the rows.
    #[command(flatten)]
    pub format: FormatArgs,
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
