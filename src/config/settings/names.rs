//! Settings that are one of some names.

use serde::Deserialize;

/// A set of keys.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum KeyPreset {
    /// Arrows, and the letters that pagers and vi share.
    #[default]
    Default,
    /// What fingers used to vim expect.
    Vim,
    /// What fingers used to Emacs expect.
    Emacs,
}

/// A set of colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ThemeName {
    /// Dark or light, as the terminal's background is.
    #[default]
    Auto,
    /// For dark backgrounds.
    Dark,
    /// For light backgrounds.
    Light,
    /// As much contrast as there can be, on a dark or a light background.
    HighContrast,
    /// For eyes that take red for green, on a dark or a light background.
    #[serde(alias = "color-blind")]
    ColourBlind,
    /// The sixteen colours of the terminal's own palette.
    Terminal,
}
