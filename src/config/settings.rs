//! The settings file, `config.toml`: everything in it may also be left out.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::{Size, line_and_column};

/// What a user set once and for all. Options on the command line win over it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// `theme = "light"`
    pub theme: ThemeName,
    /// `mouse = false` leaves the mouse to the terminal.
    pub mouse: Option<bool>,
    /// `editor = "hx"`, instead of `$VISUAL` and `$EDITOR`.
    pub editor: Option<String>,
    /// `memory = "1G"`: what indexing may take.
    pub memory: Option<Size>,
    /// `threads = 2`: how many read and shatter.
    pub threads: Option<usize>,
    /// `log = "debug"`: how much goes to the log file.
    pub log: Option<String>,
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

/// Why the settings file was not used.
#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    /// The system refused.
    #[error("cannot read {}: {source}; the defaults are used", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// Something in it is wrong.
    #[error("{}, line {line}, column {column}: {detail}; the defaults are used", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
        /// What is wrong.
        detail: String,
    },
}

impl Settings {
    /// Reads the settings; a file that is not there sets nothing.
    pub fn load(path: &Path) -> Result<Self, SettingsError> {
        match fs::read(path) {
            Ok(bytes) => Self::parse(path, &bytes),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(Self::default()),
            Err(source) => Err(SettingsError::Io { path: path.to_owned(), source }),
        }
    }

    fn parse(path: &Path, bytes: &[u8]) -> Result<Self, SettingsError> {
        let text = std::str::from_utf8(bytes).map_err(|error| {
            let valid = bytes.get(..error.valid_up_to()).unwrap_or_default();
            malformed(path, &String::from_utf8_lossy(valid), "not UTF-8")
        })?;
        toml::from_str(text).map_err(|error| {
            let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
            malformed(path, before, error.message())
        })
    }
}

/// What is wrong right behind `before`.
fn malformed(path: &Path, before: &str, detail: &str) -> SettingsError {
    let (line, column) = line_and_column(before);
    SettingsError::Malformed {
        path: path.to_owned(),
        line,
        column,
        detail: detail.lines().collect::<Vec<_>>().join(" "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_read_and_what_is_left_out_is_the_default() {
        let text = "theme = \"light\"\nmemory = \"256M\"\nmouse = false\n";
        let settings = Settings::parse(Path::new("config.toml"), text.as_bytes()).unwrap();
        assert_eq!(settings.theme, ThemeName::Light);
        assert_eq!((settings.memory, settings.mouse), (Some(Size(256 << 20)), Some(false)));
        assert_eq!(settings.editor, None);
        assert_eq!(Settings::load(Path::new("/no/such/file")).unwrap(), Settings::default());
    }

    #[test]
    fn what_is_wrong_is_named_with_its_place() {
        for (text, place) in [
            (&b"mouse = true\ntheme = \"pink\""[..], "line 2, column 9"),
            (b"mousse = true", "line 1, column 1"),
            (b"memory = \"lots\"", "line 1, column 10"),
            (b"theme = 'd\xe4rk'", "line 1, column 11"),
        ] {
            let error = Settings::parse(Path::new("config.toml"), text).unwrap_err().to_string();
            assert!(error.starts_with(&format!("config.toml, {place}: ")), "{error}");
        }
    }
}
