//! Reads the settings of the screen: keys, commands, columns and colours.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;
use std::sync::Arc;

use crate::action::ViewPage;
use crate::keys::BINDINGS;
use crate::keys::keymap::Keymap;
use crate::theme::colours::Colours;
use crate::user_commands::{self, UserCommands};
use crate::views::{Column, PAGES, list_of};
use dupi_base::config::{
    ChosenCriteria, Kind, PassageCriteria, SavedFilters, SettingProblem, Settings, SettingsFile,
};
use dupi_session::Subject;

/// The user's settings while the program runs: from the settings file and the command line, or changed since.
#[derive(Clone, Debug)]
pub struct UserSettings {
    /// The keymap.
    pub keymap: Keymap,
    /// The commands of the user.
    pub commands: UserCommands,
    /// Whether the program prints the chosen rows when it is left.
    pub prints: bool,
    /// The columns of the lists.
    pub columns: ColumnChoice,
    /// The default folder for files that the user names; empty for the current folder.
    pub files_in: PathBuf,
    /// The folder that `~/` stands for in a file name.
    pub home: Option<PathBuf>,
    /// The kinds of passages that are set aside; `None` for the usual ones.
    pub aside: Option<Vec<Kind>>,
    /// What counts as a passage.
    pub criteria: PassageCriteria,
    /// The usual least similarity of copies in this corpus, in percent; it depends on the recipe of the index.
    pub usual_overlap: u32,
    /// What the user chose to count as a passage in this corpus, today or earlier.
    pub chosen_criteria: ChosenCriteria,
    /// The saved filters.
    pub saved: Arc<SavedFilters>,
    /// Whether the program captures the mouse.
    pub has_mouse: bool,
}

impl Default for UserSettings {
    /// The settings of a user who has none, for an index with the usual recipe.
    fn default() -> Self {
        let (keymap, commands, columns, aside, criteria) = Default::default();
        let (prints, files_in, home, chosen_criteria, saved) = Default::default();
        let (usual_overlap, has_mouse) = (60, true);
        Self {
            keymap,
            commands,
            prints,
            columns,
            files_in,
            home,
            aside,
            criteria,
            usual_overlap,
            chosen_criteria,
            saved,
            has_mouse,
        }
    }
}

/// Reads keys, commands and columns, and the changes to the theme; problems are added to those of the file.
pub fn read(file: &mut SettingsFile) -> (UserSettings, Colours) {
    let (mut keymap, of_keys) = Keymap::new(&file.settings.keys);
    let (commands, of_commands) = user_commands::read(&file.settings, &mut keymap);
    let (columns, of_columns) = ColumnChoice::new(&file.settings);
    let (colours, of_colours) = Colours::new(&file.settings);
    [of_keys, of_commands, of_columns, of_colours].into_iter().for_each(|problems| file.add(problems));
    (UserSettings { keymap, commands, columns, ..UserSettings::default() }, colours)
}

/// The first message about problems in the settings.
pub(crate) fn notice(problems: &[String], keymap: &Keymap) -> Option<String> {
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
    for binding in BINDINGS.iter() {
        let keys: Vec<String> = binding.keys.iter().map(|key| format!("\"{key}\"")).collect();
        let _ = writeln!(text, "# {}\n{} = [{}]", binding.words, binding.id, keys.join(", "));
    }
    text
}

/// Which columns the user wants, by the names of the views; those that are not named have all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ColumnChoice(BTreeMap<&'static str, Vec<&'static str>>);

impl ColumnChoice {
    /// The columns that the settings ask for, and what in them is wrong; that is left out.
    pub fn new(settings: &Settings) -> (Self, Vec<SettingProblem>) {
        let mut choice = Self::default();
        let mut problems = Vec::new();
        for (view, names) in &settings.columns {
            let Some(ViewPage::List(subject)) = ViewPage::named(view.get_ref()) else {
                let detail =
                    format!("`{}` is no view with columns; there are {}", view.get_ref(), all_lists());
                problems.push(SettingProblem::at(view.span(), detail));
                continue;
            };
            let mut chosen = Vec::new();
            for name in names {
                match list_of(subject).columns.iter().find(|column| column.name == name.get_ref()) {
                    Some(column) => chosen.push(column.name),
                    None => {
                        let known: Vec<&str> =
                            list_of(subject).columns.iter().map(|column| column.name).collect();
                        let detail = format!(
                            "{} have no column `{}`; they have {}",
                            view.get_ref(),
                            name.get_ref(),
                            known.join(", ")
                        );
                        problems.push(SettingProblem::at(name.span(), detail));
                    }
                }
            }
            choice.0.insert(ViewPage::List(subject).name(), chosen);
        }
        (choice, problems)
    }

    /// Whether a list has a column.
    pub fn has(&self, subject: Subject, column: &Column) -> bool {
        self.0.get(ViewPage::List(subject).name()).is_none_or(|names| names.contains(&column.name))
    }
}

/// The names of all lists: `passages, blots and taboo`.
fn all_lists() -> String {
    let lists: Vec<&str> =
        PAGES.into_iter().filter(|page| page.list().is_some()).map(crate::action::ViewPage::name).collect();
    lists.split_last().map_or_else(String::new, |(last, others)| format!("{} and {last}", others.join(", ")))
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
        for binding in BINDINGS.iter() {
            assert_eq!(given.keys(binding.action), usual.keys(binding.action), "{}", binding.id);
        }
        assert_eq!(ColumnChoice::new(&settings).1, []);
        assert_eq!(Colours::new(&settings).1, []);
        let usual = Settings::default();
        assert_eq!((settings.theme, settings.log.as_deref()), (usual.theme, Some("warn")));
        assert_eq!(settings.aside.as_deref(), Some(&Kind::ASIDES[..]));
    }
}
