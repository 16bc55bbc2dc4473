//! A problem of the settings file, with its place.

use std::ops::Range;

/// What is wrong somewhere in the settings, or perhaps not meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingProblem {
    /// The bytes of the file.
    pub(super) span: Range<usize>,
    /// What is wrong with them.
    pub(super) detail: String,
    /// It holds all the same.
    pub(super) is_held: bool,
}

impl SettingProblem {
    /// Something is wrong with these bytes of the file, which are left out.
    pub fn at(span: Range<usize>, detail: impl Into<String>) -> Self {
        Self { span, detail: detail.into(), is_held: false }
    }

    /// These bytes of the file hold, but do something that may not be meant.
    pub fn warning(span: Range<usize>, detail: impl Into<String>) -> Self {
        Self { is_held: true, ..Self::at(span, detail) }
    }

    /// What is wrong with the file as TOML.
    pub(super) fn of_toml(error: &toml::de::Error) -> Self {
        Self::at(error.span().unwrap_or_default(), error.message())
    }
}

impl From<SettingProblem> for Vec<SettingProblem> {
    fn from(problem: SettingProblem) -> Self {
        vec![problem]
    }
}
