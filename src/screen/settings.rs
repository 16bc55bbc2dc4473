//! Reads the settings of the screen: keys, commands, columns and colours.

use std::fmt::Write;

use super::action::BINDINGS;
use super::action::keymap::Keymap;
use super::theme::Colours;
use super::user_commands::UserCommands;
use super::views::ColumnChoice;
use super::views::ViewPage;
use dupi_base::config::SettingsFile;

/// The settings of the screen.
#[derive(Clone, Debug)]
pub struct ScreenSettings {
    /// The keymap.
    pub keymap: Keymap,
    /// The commands of the user.
    pub commands: UserCommands,
    /// The columns of the lists.
    pub columns: ColumnChoice,
    /// The user's changes to the theme.
    pub colours: Colours,
}

/// Reads keys, commands, columns and colours; problems are added to those of the file.
pub fn read(file: &mut SettingsFile) -> ScreenSettings {
    let (mut keymap, of_keys) = Keymap::new(&file.settings.keys);
    let (commands, of_commands) = UserCommands::new(&file.settings, &mut keymap);
    let (columns, of_columns) = ColumnChoice::new(&file.settings);
    let (colours, of_colours) = Colours::new(&file.settings);
    file.add(of_keys);
    file.add(of_commands);
    file.add(of_columns);
    file.add(of_colours);
    ScreenSettings { keymap, commands, columns, colours }
}

/// The first message about problems in the settings.
pub(super) fn notice(problems: &[String], keymap: &Keymap) -> Option<String> {
    match problems {
        [] => None,
        [problem] => Some(problem.clone()),
        several => {
            let (count, key) = (several.len(), keymap.first(ViewPage::Activity.action()));
            let key = if key.is_empty() { key } else { format!(" ({key})") };
            Some(format!("{count} problems with the settings: the activity view{key} names each of them"))
        }
    }
}

/// The default keys of all actions, in the syntax of the settings file.
pub fn default_keys() -> String {
    let mut text = String::new();
    for binding in BINDINGS {
        let keys: Vec<String> = binding.keys.iter().map(|key| format!("\"{key}\"")).collect();
        let _ = writeln!(text, "# {}\n{} = [{}]", binding.words, binding.id, keys.join(", "));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use dupi_base::config::{Kind, Settings};

    #[test]
    fn one_problem_is_said_and_of_several_where_they_are() {
        let problems = ["one".to_owned(), "two".to_owned()];
        let said = |count: usize| notice(&problems[..count], &Keymap::default());
        assert_eq!((said(0), said(1).as_deref()), (None, Some("one")));
        assert!(said(2).unwrap().contains("the activity view (6)"));
    }

    #[test]
    fn the_file_with_all_defaults_changes_nothing() {
        let text = format!("{}{}", include_str!("../../assets/config.toml"), default_keys());
        let (settings, problems) = Settings::parse(&text);
        assert_eq!(problems, []);
        let (given, problems) = Keymap::new(&settings.keys);
        assert_eq!(problems, []);
        let usual = Keymap::default();
        for binding in BINDINGS {
            assert_eq!(given.keys(binding.action), usual.keys(binding.action), "{}", binding.id);
        }
        assert_eq!(ColumnChoice::new(&settings).1, []);
        assert_eq!(Colours::new(&settings).1, []);
        let usual = Settings::default();
        assert_eq!((settings.theme, settings.log.as_deref()), (usual.theme, Some("warn")));
        assert_eq!(settings.aside.as_deref(), Some(&Kind::ASIDES[..]));
    }
}
