//! What of the text is not compared.

use clap::Args;

use dupi_text::token::{IgnoredText, PatternError};

/// Patterns of text that is not compared, as an option of `passages`, `like`, `review` and the screen.
#[derive(Clone, Debug, Default, Args)]
pub struct IgnoreArgs {
    /// Read text that matches this regular expression as white space: it neither divides a copy nor counts to its length. ^
    /// and $ are the bounds of a line. May be given several times. Each set of patterns has an index of its own beside the
    /// first, which is built when it is asked for first
    #[arg(long = "ignore-pattern", value_name = "REGEX", allow_hyphen_values = true, value_parser = pattern)]
    patterns: Vec<String>,
}

impl IgnoreArgs {
    /// Whether no pattern is given.
    pub fn is_none(&self) -> bool {
        self.patterns.is_empty()
    }

    /// The patterns as they are given.
    pub fn patterns(&self) -> &[String] {
        &self.patterns
    }

    /// The text that is not read.
    pub fn ignored(&self) -> Result<IgnoredText, PatternError> {
        IgnoredText::new(&self.patterns)
    }
}

fn pattern(given: &str) -> Result<String, PatternError> {
    IgnoredText::check(given).map(|()| given.to_owned())
}
