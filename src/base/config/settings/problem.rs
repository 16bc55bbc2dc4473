//! A problem in the settings file, with its position.

use std::ops::Range;

/// An error in the settings, or a warning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingProblem {
    /// The byte range in the file.
    pub(super) span: Range<usize>,
    /// The problem in words.
    pub(super) detail: String,
    /// The setting applies nevertheless.
    pub(super) is_warning: bool,
}

impl SettingProblem {
    /// An error: this byte range of the file is ignored.
    pub fn at(span: Range<usize>, detail: impl Into<String>) -> Self {
        Self { span, detail: detail.into(), is_warning: false }
    }

    /// A warning: the setting applies, but may not be intended.
    pub fn warning(span: Range<usize>, detail: impl Into<String>) -> Self {
        Self { is_warning: true, ..Self::at(span, detail) }
    }

    /// The position, the problem in words, and whether the setting applies nevertheless.
    pub fn parts(&self) -> (usize, &str, bool) {
        (self.span.start, &self.detail, self.is_warning)
    }

    /// A syntax error of TOML.
    pub(super) fn of_toml(error: &toml::de::Error) -> Self {
        Self::at(error.span().unwrap_or_default(), error.message())
    }
}

impl From<SettingProblem> for Vec<SettingProblem> {
    fn from(problem: SettingProblem) -> Self {
        vec![problem]
    }
}
