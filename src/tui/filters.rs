//! Keeps filters for the user, and forgets them.

use std::sync::Arc;

use super::model::Model;
use crate::config::SavedFilters;
use crate::session::Request;
use crate::storage::Folder;

/// Keeps a filter under a name, or forgets the one of this name; says so. Returns what is to be asked then:
/// rows that a saved filter chose may be others.
pub fn save(user: Option<&Folder>, model: &mut Model, name: &str, text: Option<&str>) -> Option<Request> {
    let Some(user) = user else {
        model.say("There is no home folder to keep filters in; set HOME.");
        return None;
    };
    let (saved, said) = match text {
        Some(text) => {
            (SavedFilters::save(user, name, text), format!("Saved: @{name} in a filter stands for it."))
        }
        None => (SavedFilters::remove(user, name).map(|(left, _)| left), format!("@{name} is forgotten.")),
    };
    match saved {
        Ok(saved) => {
            model.saved = Arc::new(saved);
            model.say(said);
            let is_asked = model.page.list().is_some() && model.view.filter.contains('@');
            is_asked.then(|| model.rows_request())
        }
        Err(error) => {
            model.say(error.to_string());
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::Subject;
    use crate::tui::fixture::model_of;

    #[test]
    fn rows_that_a_saved_filter_chose_are_asked_for_again_when_it_is_another_or_forgotten() {
        let place = tempfile::tempdir().unwrap();
        let user = Folder::new(place.path());
        let mut model = model_of(Subject::Passages, 120, 30);
        assert_eq!(save(Some(&user), &mut model, "mine", Some("tokens:>5")), None, "nobody asks for it");
        model.view.filter = "-@mine".into();
        for text in [Some("tokens:>9"), None] {
            let Some(Request::Rows(view)) = save(Some(&user), &mut model, "mine", text) else {
                panic!("the rows are as they were: {:?}", model.said())
            };
            assert_eq!((view.filter.as_str(), view.saved.get("mine")), ("-@mine", text));
        }
    }

    #[test]
    fn without_a_home_folder_it_is_said_why_a_filter_cannot_be_kept() {
        let mut model = model_of(Subject::Passages, 120, 30);
        assert_eq!(save(None, &mut model, "mine", Some("tokens:>5")), None);
        assert!(model.said().is_some_and(|said| said.contains("no home folder")), "{:?}", model.said());
    }
}
