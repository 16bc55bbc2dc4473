//! Settings whose value is one of several names.

use serde::Deserialize;

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
