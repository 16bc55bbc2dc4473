//! The user's choice of columns.

use std::collections::BTreeMap;

use super::column::Column;
use super::{PAGES, ViewPage, list_of};
use dupi_base::config::{SettingProblem, Settings};
use dupi_session::Subject;

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
    let lists: Vec<&str> = PAGES
        .into_iter()
        .filter(|page| page.list().is_some())
        .map(super::view_page::ViewPage::name)
        .collect();
    lists.split_last().map_or_else(String::new, |(last, others)| format!("{} and {last}", others.join(", ")))
}
