//! The settings file, `config.toml`. Every setting is optional. Invalid settings are reported with line and column
//! and ignored; the others apply.

mod values;

use std::fs;
use std::io::ErrorKind;
use std::ops::Range;
use std::path::{Path, PathBuf};

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::{Kind, KindRules, Malformed, ParseKindError, PassageCriteria, Size, log};
use crate::storage::{in_words, shown};
pub use values::{KeyPreset, SettingProblem, ThemeName};
use values::{each, items, kinds, number, percent, read, rule, size, texts};

/// The user's settings. Options on the command line override them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Settings {
    /// `theme = "light"`
    pub theme: ThemeName,
    /// `theme = "gruvbox.yaml"`: a base16 file; its path is relative to the folder of the settings file.
    pub scheme: Option<Spanned<PathBuf>>,
    /// `mouse = false`: the terminal handles the mouse.
    pub mouse: Option<bool>,
    /// `editor = "hx"`, instead of `$VISUAL` and `$EDITOR`.
    pub editor: Option<String>,
    /// `memory = "1G"`: how much memory indexing may use.
    pub memory: Option<Size>,
    /// `threads = 2`: how many threads read and shatter.
    pub threads: Option<usize>,
    /// `log = "debug"`: how much is logged.
    pub log: Option<String>,
    /// `aside = ["licence", "data"]`, or `aside = "none"`: the kinds of passages that are set aside.
    pub aside: Option<Vec<Kind>>,
    /// `[passages]`: what counts as a passage on the screen.
    pub passages: PassageCriteria,
    /// `[kinds]`: patterns of paths and texts of each kind, in the order of the file.
    pub kinds: Vec<(Kind, Vec<Spanned<String>>)>,
    /// `[[kinds.line]]` and `[[kinds.passage]]`: rules for kinds.
    pub kind_rules: KindRules,
    /// `[keys]`: key bindings.
    pub keys: KeySettings,
    /// `[commands]`: the words of a command, by the key that runs it, in the order of the file.
    pub commands: Vec<(Spanned<String>, Vec<Spanned<String>>)>,
    /// `[columns]`: the columns of the lists, by view name.
    pub columns: Vec<(Spanned<String>, Vec<Spanned<String>>)>,
    /// `[colours]`: colours and attributes, by the style names of the theme.
    pub colours: Vec<(Spanned<String>, Spanned<String>)>,
}

/// Key bindings.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct KeySettings {
    /// `preset = "vim"`: a predefined set of bindings.
    pub preset: KeyPreset,
    /// `sort = "s"` or `sort = ["s", "Ctrl-s"]`: the keys of an action; `[]` for none.
    pub bindings: Vec<(Spanned<String>, Vec<Spanned<String>>)>,
}

/// The settings file with its content.
#[derive(Clone, Debug, Default)]
pub struct SettingsFile {
    /// Its path; the file need not exist.
    pub path: PathBuf,
    /// The valid settings.
    pub settings: Settings,
    /// The problems, each as a sentence.
    pub problems: Vec<String>,
    text: String,
    /// The same problems with their positions, in the order of the file.
    wrong: Vec<SettingProblem>,
}

impl SettingsFile {
    /// Reads the settings; without a file the defaults apply.
    pub fn load(path: &Path) -> Self {
        let file = Self { path: path.to_owned(), ..Self::default() };
        let refused = |what: &str| {
            let problems = vec![format!("cannot read {}: {what}; the defaults apply", shown(path))];
            Self { problems, ..file.clone() }
        };
        match fs::read(path).map(String::from_utf8) {
            Ok(Ok(text)) => {
                let (mut settings, problems) = Settings::parse(&text);
                if let (Some(scheme), Some(folder)) = (&mut settings.scheme, path.parent()) {
                    *scheme.get_mut() = folder.join(scheme.get_ref());
                }
                let mut file = Self { settings, text, ..file };
                file.add(problems);
                file
            }
            Ok(Err(error)) => refused(&Malformed::not_utf8(error.as_bytes(), error.utf8_error()).to_string()),
            Err(error) if error.kind() == ErrorKind::NotFound => file,
            Err(error) => refused(&in_words(&error)),
        }
    }

    /// Adds problems that were found later, by the modules that use a setting.
    pub fn add(&mut self, problems: Vec<SettingProblem>) {
        if problems.is_empty() {
            return;
        }
        self.wrong.extend(problems);
        self.wrong.sort_by_key(|problem| problem.span.start);
        let sentence = |problem: &SettingProblem| {
            let wrong = Malformed::at(self.text.as_bytes(), problem.span.start, &problem.detail);
            let outcome = if problem.is_warning { "" } else { "; this is ignored" };
            format!("{}, {wrong}{outcome}", shown(&self.path))
        };
        self.problems = self.wrong.iter().map(sentence).collect();
    }
}

impl Settings {
    /// Parses settings. Invalid ones are ignored and reported.
    pub fn parse(text: &str) -> (Self, Vec<SettingProblem>) {
        let (table, errors) = DeTable::parse_recoverable(text);
        let mut settings = Self::default();
        let mut problems: Vec<SettingProblem> = errors.iter().map(SettingProblem::of_toml).collect();
        for (name, value) in table.into_inner() {
            let span = name.span();
            if let Err(more) = settings.set(name.get_ref(), span, value) {
                // A value without a position is a syntax error, which is reported already.
                problems.extend(more.into_iter().filter(|problem| !problem.span.is_empty()));
            }
        }
        (settings, problems)
    }

    fn set(
        &mut self,
        name: &str,
        span: Range<usize>,
        value: Spanned<DeValue>,
    ) -> Result<(), Vec<SettingProblem>> {
        match name {
            "theme" if is_scheme(&value) => {
                let place = value.span();
                self.scheme = Some(Spanned::new(place, PathBuf::from(read::<String>(value)?)));
            }
            "theme" => self.theme = read(value)?,
            "mouse" => self.mouse = Some(read(value)?),
            "editor" => self.editor = Some(read(value)?),
            "memory" => self.memory = Some(size(value)?),
            "threads" => self.threads = Some(read(value)?),
            "log" => {
                let place = value.span();
                let level: String = read(value)?;
                log::filter(&level).map_err(|error| SettingProblem::at(place, error.to_string()))?;
                self.log = Some(level);
            }
            "aside" => {
                let (kinds, wrong) = kinds(value)?;
                self.aside = Some(kinds);
                return if wrong.is_empty() { Ok(()) } else { Err(wrong) };
            }
            "kinds" => {
                return each(value, |name, value| {
                    let rules = match name.get_ref().as_str() {
                        "line" => &mut self.kind_rules.line,
                        "passage" => &mut self.kind_rules.passage,
                        given => {
                            let wrong = |error: ParseKindError| {
                                let detail =
                                    format!("{error}; rules are [[kinds.line]] and [[kinds.passage]]");
                                SettingProblem::at(name.span(), detail)
                            };
                            self.kinds.push((given.parse().map_err(wrong)?, texts(value)?));
                            return Ok(());
                        }
                    };
                    items(value, |value| rule(value).map(|rule| rules.push(rule)))
                });
            }
            "passages" => return criteria(&mut self.passages, value),
            "keys" => {
                return each(value, |name, value| {
                    match name.get_ref().as_str() {
                        "preset" => self.keys.preset = read(value)?,
                        _ => self.keys.bindings.push((name, texts(value)?)),
                    }
                    Ok(())
                });
            }
            "commands" => {
                return each(value, |name, value| {
                    self.commands.push((name, read(value)?));
                    Ok(())
                });
            }
            "columns" => {
                return each(value, |name, value| {
                    self.columns.push((name, read(value)?));
                    Ok(())
                });
            }
            "colours" => {
                return each(value, |name, value| {
                    self.colours.push((name, read(value)?));
                    Ok(())
                });
            }
            _ => {
                let known = "theme, mouse, editor, memory, threads, log, aside, [passages], [kinds], [keys], [commands], [columns] and [colours]";
                return Err(vec![SettingProblem::at(
                    span,
                    format!("there is no setting `{name}`; the settings are {known}"),
                )]);
            }
        }
        Ok(())
    }
}

/// Whether the value of `theme` is the path of a base16 file.
fn is_scheme(value: &Spanned<DeValue>) -> bool {
    let text = value.get_ref().as_str().unwrap_or_default();
    [".yaml", ".yml", ".toml"].iter().any(|ending| text.ends_with(ending))
}

/// Reads what counts as a passage.
fn criteria(into: &mut PassageCriteria, value: Spanned<DeValue>) -> Result<(), Vec<SettingProblem>> {
    each(value, |name, value| {
        match name.get_ref().as_str() {
            "min-tokens" => into.min_tokens = Some(number(value, 1, PassageCriteria::MOST_TOKENS)?),
            "gap" => into.gap = Some(number(value, 0, PassageCriteria::MOST_GAP)?),
            "min-overlap" => into.min_overlap = Some(percent(value)?),
            "across" => into.across = Some(read(value)?),
            other => {
                let known = "min-tokens, gap, min-overlap and across";
                let detail = format!("there is no setting `{other}`; the settings of passages are {known}");
                return Err(SettingProblem::at(name.span(), detail).into());
            }
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(text: &[u8]) -> SettingsFile {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("config.toml");
        fs::write(&path, text).unwrap();
        SettingsFile::load(&path)
    }

    #[test]
    fn settings_are_read_and_missing_ones_have_their_defaults() {
        let read = file(
            b"theme = \"light\"\nmemory = \"256M\"\nmouse = false\n[keys]\npreset = \"vim\"\nsort = \"s\"\n",
        );
        assert_eq!(read.problems, [] as [&str; 0]);
        let settings = read.settings;
        assert_eq!(settings.theme, ThemeName::Light);
        assert_eq!((settings.memory, settings.mouse), (Some(Size(256 << 20)), Some(false)));
        assert_eq!((settings.editor, settings.keys.preset), (None, KeyPreset::Vim));
        assert_eq!(settings.keys.bindings[0].0.get_ref(), "sort");
        let absent = SettingsFile::load(Path::new("/no/such/file"));
        assert_eq!((absent.settings, absent.problems.len()), (Settings::default(), 0));
    }

    #[test]
    fn keys_are_in_the_order_of_the_file_even_if_one_is_invalid() {
        let (settings, problems) = Settings::parse("[keys]\nsort = 's'\nmark = 3\nback = 'b'\n");
        let names: Vec<&str> =
            settings.keys.bindings.iter().map(|(name, _)| name.get_ref().as_str()).collect();
        assert_eq!((names, problems.len()), (vec!["sort", "back"], 1));
    }

    #[test]
    fn settings_are_read_as_the_table_says() {
        crate::script::table("cases/settings.txt", |_, text| {
            let read = file(text.as_bytes());
            let Settings { theme, mouse, aside, passages, .. } = read.settings;
            let other = Settings::default().passages;
            let passages = if passages == other { String::new() } else { format!(", {passages:?}") };
            let aside = aside.map_or(String::new(), |aside| format!(", aside {aside:?}"));
            let head = format!("{theme:?}, mouse {mouse:?}{aside}{passages}");
            let problems = read.problems.iter().map(|problem| problem.split_once("config.toml, ").unwrap().1);
            std::iter::once(head.as_str()).chain(problems).map(str::to_owned).collect()
        });
    }

    #[test]
    fn problems_are_reported_in_the_order_of_the_file_and_in_plain_words() {
        let text =
            "theme = 3\nthreads = 'two'\nmouse = \"no\"\nmemory = 5\n[keys]\npreset = \"vi\"\nsort = [1]\n";
        let mut read = file(text.as_bytes());
        read.add(vec![SettingProblem::at(12..13, "found later")]);
        let said: Vec<&str> =
            read.problems.iter().map(|problem| problem.split_once("config.toml, ").unwrap().1).collect();
        let themes = "expected auto, dark, light, high-contrast, colour-blind, terminal or the path of a base16 file (.yaml, .toml)";
        let expected = [
            &format!("line 1, column 9: {themes}"),
            "line 2, column 3: found later",
            "line 2, column 11: `two`: expected a whole number, without quotes",
            "line 3, column 9: `no`: expected true or false, without quotes",
            "line 4, column 10: expected a text in quotes",
            "line 6, column 10: `vi`: expected default, vim or emacs",
            "line 7, column 9: expected a list of texts in quotes, as [\"a\", \"b\"]",
        ];
        assert_eq!(said, expected.map(|line| format!("{line}; this is ignored")));
    }

    #[test]
    fn a_file_that_is_no_text_is_reported() {
        assert!(file(b"theme = 'd\xe4rk'").problems[0].contains("line 1, column 11: not UTF-8"));
    }
}
