//! Reading of setting values, with our own words for the expected type.

use std::ops::Range;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use toml::Spanned;
use toml::de::{DeValue, ValueDeserializer};

use crate::config::malformed::SizeError;
use crate::config::{Kind, KindRule, ParseKindError, Size};

/// A type of setting values.
pub(super) trait SettingValue: DeserializeOwned {
    /// What is expected, in words.
    const EXPECTED: &str;
}

impl SettingValue for ThemeName {
    const EXPECTED: &str = "auto, dark, light, high-contrast, colour-blind, terminal or the path of a base16 file (.yaml, .toml)";
}

impl SettingValue for KeyPreset {
    const EXPECTED: &str = "default, vim or emacs";
}

impl SettingValue for bool {
    const EXPECTED: &str = "true or false, without quotes";
}

impl SettingValue for usize {
    const EXPECTED: &str = "a whole number, without quotes";
}

impl SettingValue for String {
    const EXPECTED: &str = "a text in quotes";
}

impl SettingValue for Spanned<String> {
    const EXPECTED: &str = String::EXPECTED;
}

impl SettingValue for Vec<Spanned<String>> {
    const EXPECTED: &str = "a list of texts in quotes, as [\"a\", \"b\"]";
}

/// Reads a value; the error says what was expected.
pub(super) fn read<T: SettingValue>(value: Spanned<DeValue>) -> Result<T, SettingProblem> {
    let span = value.span();
    let given = value.get_ref().as_str().map(|given| format!("`{given}`: ")).unwrap_or_default();
    T::deserialize(ValueDeserializer::from(value)).map_err(|error| {
        let place = error.span().unwrap_or(span);
        SettingProblem::at(place, format!("{given}expected {}", T::EXPECTED))
    })
}

/// A text, or a list of texts.
pub(super) fn texts(value: Spanned<DeValue>) -> Result<Vec<Spanned<String>>, SettingProblem> {
    if value.get_ref().is_str() { Ok(vec![read(value)?]) } else { read(value) }
}

/// Reads a whole number in a range.
pub(super) fn number(value: Spanned<DeValue>, least: u32, most: u32) -> Result<u32, SettingProblem> {
    let span = value.span();
    let number = read::<usize>(value).ok().and_then(|number| u32::try_from(number).ok());
    number.filter(|number| (least..=most).contains(number)).ok_or_else(|| {
        SettingProblem::at(span, format!("expected a whole number from {least} to {most}, without quotes"))
    })
}

/// Reads a share, as percent.
pub(super) fn percent(value: Spanned<DeValue>) -> Result<u32, SettingProblem> {
    let span = value.span();
    let share = f64::deserialize(ValueDeserializer::from(value)).ok();
    let share = share.filter(|share| (0.0..=1.0).contains(share));
    let percent = share.map(|share| (share * 100.0).round() as u32);
    percent.ok_or_else(|| SettingProblem::at(span, "expected a share, 0 to 1, without quotes".to_owned()))
}

/// Reads a rule for kinds.
pub(super) fn rule(value: Spanned<DeValue>) -> Result<KindRule, SettingProblem> {
    let span = value.span();
    KindRule::deserialize(ValueDeserializer::from(value)).map_err(|error| {
        let detail = format!("a rule for kinds: {}; `help settings` shows one", error.message());
        SettingProblem::at(error.span().unwrap_or(span), detail)
    })
}

/// Reads a size.
pub(super) fn size(value: Spanned<DeValue>) -> Result<Size, SettingProblem> {
    let text: Spanned<String> = read(value)?;
    text.get_ref().parse().map_err(|error: SizeError| SettingProblem::at(text.span(), error.to_string()))
}

/// The word for no kind.
const NONE: &str = "none";

/// Reads a list of kinds, a single kind, or `none`. Also returns the problems of the members of a list, which are left
/// out.
pub(super) fn kinds(value: Spanned<DeValue>) -> Result<(Vec<Kind>, Vec<SettingProblem>), SettingProblem> {
    let kind = |name: &Spanned<String>| -> Result<Kind, SettingProblem> {
        let wrong = |error: ParseKindError| SettingProblem::at(name.span(), error.to_string());
        name.get_ref().parse().map_err(wrong)
    };
    if value.get_ref().is_str() {
        let name: Spanned<String> = read(value)?;
        let kinds = if name.get_ref() == NONE { Vec::new() } else { vec![kind(&name)?] };
        return Ok((kinds, Vec::new()));
    }
    let (mut kinds, mut wrong) = (Vec::new(), Vec::new());
    for name in read::<Vec<Spanned<String>>>(value)? {
        match kind(&name) {
            _ if name.get_ref() == NONE => {
                wrong.push(SettingProblem::at(
                    name.span(),
                    format!("\"{NONE}\" stands alone, without a list"),
                ));
            }
            Ok(kind) => kinds.push(kind),
            Err(problem) => wrong.push(problem),
        }
    }
    Ok((kinds, wrong))
}

/// Reads each entry of a table and collects the problems.
pub(super) fn each(
    value: Spanned<DeValue>,
    mut take: impl FnMut(Spanned<String>, Spanned<DeValue>) -> Result<(), Vec<SettingProblem>>,
) -> Result<(), Vec<SettingProblem>> {
    let span = value.span();
    let DeValue::Table(table) = value.into_inner() else {
        return Err(vec![SettingProblem::at(
            span,
            "this is a table: write its name in brackets, and its entries below",
        )]);
    };
    let mut entries: Vec<_> = table.into_iter().collect();
    entries.sort_by_key(|(name, _)| name.span().start);
    let mut wrong = Vec::new();
    for (name, value) in entries {
        let name = Spanned::new(name.span(), name.get_ref().to_string());
        wrong.extend(take(name, value).err().into_iter().flatten());
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong) }
}

/// Reads each item of an array of tables and collects the problems.
pub(super) fn items(
    value: Spanned<DeValue>,
    mut take: impl FnMut(Spanned<DeValue>) -> Result<(), SettingProblem>,
) -> Result<(), Vec<SettingProblem>> {
    let span = value.span();
    let DeValue::Array(items) = value.into_inner() else {
        let detail = "this is a list of rules: write [[kinds.line]] or [[kinds.passage]] above each";
        return Err(SettingProblem::at(span, detail).into());
    };
    let wrong: Vec<SettingProblem> = items.into_iter().filter_map(|item| take(item).err()).collect();
    if wrong.is_empty() { Ok(()) } else { Err(wrong) }
}

// Settings whose value is one of several names.

/// A set of key bindings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum KeyPreset {
    /// Arrows, and the letters that pagers and vi have in common.
    #[default]
    Default,
    /// As in vim.
    Vim,
    /// As in Emacs.
    Emacs,
}

/// A colour theme.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ThemeName {
    /// Dark or light, after the terminal's background.
    #[default]
    Auto,
    /// For dark backgrounds.
    Dark,
    /// For light backgrounds.
    Light,
    /// The highest contrast, on a dark or a light background.
    HighContrast,
    /// For red-green colour blindness, on a dark or a light background.
    #[serde(alias = "color-blind")]
    ColourBlind,
    /// The sixteen colours of the terminal's own palette.
    Terminal,
}

// A problem in the settings file, with its position.

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
