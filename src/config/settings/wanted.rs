//! What each kind of setting wants to be, in words of our own.

use serde::de::DeserializeOwned;
use toml::Spanned;
use toml::de::{DeValue, ValueDeserializer};

use super::names::{KeyPreset, ThemeName};
use super::problem::SettingProblem;
use crate::config::Size;
use crate::config::size::SizeError;

/// What a setting wants to be.
pub trait Wanted: DeserializeOwned {
    /// In words.
    const WANTED: &str;
}

impl Wanted for ThemeName {
    const WANTED: &str = "auto, dark, light, high-contrast, colour-blind or terminal";
}

impl Wanted for KeyPreset {
    const WANTED: &str = "default, vim or emacs";
}

impl Wanted for bool {
    const WANTED: &str = "true or false, without quotes,";
}

impl Wanted for usize {
    const WANTED: &str = "a whole number, without quotes,";
}

impl Wanted for String {
    const WANTED: &str = "a text in quotes";
}

impl Wanted for Spanned<String> {
    const WANTED: &str = String::WANTED;
}

impl Wanted for Vec<Spanned<String>> {
    const WANTED: &str = "a list of texts in quotes, as [\"a\", \"b\"],";
}

/// A setting, or what it should be.
pub fn read<T: Wanted>(value: Spanned<DeValue>) -> Result<T, SettingProblem> {
    let span = value.span();
    let given = value.get_ref().as_str().map(|given| format!("`{given}`: ")).unwrap_or_default();
    T::deserialize(ValueDeserializer::from(value)).map_err(|error| {
        let place = error.span().unwrap_or(span);
        SettingProblem::at(place, format!("{given}{} is wanted", T::WANTED))
    })
}

/// A size, or what is wrong with it.
pub fn size(value: Spanned<DeValue>) -> Result<Size, SettingProblem> {
    let text: Spanned<String> = read(value)?;
    text.get_ref().parse().map_err(|error: SizeError| SettingProblem::at(text.span(), error.to_string()))
}
