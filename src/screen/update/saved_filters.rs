//! Takes in the result of saving or deleting a filter.

use crate::filter_store::FilterOutcome;
use crate::model::Model;
use dupi_session::Request;

/// Takes in and reports a result. Returns a request if the current rows depend on a saved filter.
pub(super) fn on_filter_outcome(model: &mut Model, kept: FilterOutcome) -> Option<Request> {
    model.say(kept.sentence);
    model.settings.saved = kept.saved?;
    let is_asked = model.page.list().is_some() && model.list.view.filter.contains('@');
    is_asked.then(|| model.rows_request())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::filter_store::keep;
    use crate::fixture::model_of;
    use dupi_base::storage::Folder;
    use dupi_session::Subject;

    fn save(user: Option<&Folder>, model: &mut Model, name: &str, text: Option<&str>) -> Option<Request> {
        on_filter_outcome(model, keep(user, name, text))
    }

    #[test]
    fn rows_that_a_saved_filter_chose_are_asked_for_again_when_it_is_another_or_forgotten() {
        let place = tempfile::tempdir().unwrap();
        let user = Folder::new(place.path());
        let mut model = model_of(Subject::Passages, 120, 30);
        assert_eq!(save(Some(&user), &mut model, "mine", Some("tokens:>5")), None, "nobody asks for it");
        model.list.view.filter = "-@mine".into();
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
