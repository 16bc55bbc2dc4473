//! The form that changes what counts as a passage: what its keys ask for, and what is remembered.

use crate::event::Effect;
use crate::fixture::{again, keys, model_of, tell};
use crate::model::Overlay;
use crate::saved_screen::SavedScreen;
use crate::tests::screen::{plain, screen};
use dupi_base::config::{ChosenCriteria, PassageCriteria};
use dupi_session::{Request, Subject, TrialState, Update};

/// The requests about criteria.
fn asked(effects: &[Effect]) -> Vec<Request> {
    let request = |effect: &Effect| match effect {
        Effect::Ask(request @ (Request::Criteria(_) | Request::TryCriteria(_))) => Some(request.clone()),
        _ => None,
    };
    effects.iter().filter_map(request).collect()
}

#[test]
fn each_change_is_tried_and_only_enter_applies_it() {
    let mut model = model_of(Subject::Passages, 100, 24);
    assert!(asked(&keys(&mut model, "W")).is_empty());
    assert!(screen(&model, &plain()).contains("This is how it is now."));
    let changed = PassageCriteria { min_tokens: Some(24), ..PassageCriteria::default() };
    assert_eq!(asked(&keys(&mut model, "Left")), [Request::TryCriteria(Some(changed))]);
    tell(&mut model, Update::Tried(changed, TrialState::At(0.42)));
    assert!(screen(&model, &plain()).contains("Searching with these: 42 %"));
    let other = PassageCriteria { gap: Some(8), ..changed };
    tell(&mut model, Update::Tried(other, TrialState::At(0.9)));
    assert!(screen(&model, &plain()).contains("42 %"), "of other criteria");
    tell(&mut model, Update::Tried(changed, TrialState::Found { passages: 1234, families: 56 }));
    let shown = screen(&model, &plain());
    assert!(shown.contains("With these: 1,234 passages in 56 families."), "{shown}");
    insta::assert_snapshot!("criteria_100x24", shown);
    // Back to what it was, which needs no search; and out of the form without a change.
    assert_eq!(asked(&keys(&mut model, "Del")), [Request::TryCriteria(None)]);
    assert!(asked(&keys(&mut model, "Esc")).is_empty());
    keys(&mut model, "W Down Left");
    assert_eq!(asked(&keys(&mut model, "Esc")), [Request::TryCriteria(None)]);
    assert!(model.dialogue.overlay.is_none() && model.settings.criteria == PassageCriteria::default());
    let asked_for = asked(&keys(&mut model, "W Down - Down Right Down Space Enter"));
    let applied =
        PassageCriteria { min_tokens: None, gap: Some(0), min_overlap: Some(65), across: Some(true) };
    assert_eq!(asked_for.last(), Some(&Request::Criteria(applied)));
    assert!(model.dialogue.overlay.is_none());
    // It is remembered for this corpus.
    assert_eq!(SavedScreen::save(&model).criteria().criteria, applied);
    assert_eq!(SavedScreen::save(&again(&model)).criteria().criteria, applied);
}

#[test]
fn only_what_is_changed_in_the_form_is_remembered() {
    let mut model = model_of(Subject::Passages, 100, 24);
    let earlier = PassageCriteria { min_tokens: Some(30), across: Some(true), ..PassageCriteria::default() };
    let remembered = ChosenCriteria { criteria: earlier, ..ChosenCriteria::default() };
    let given = PassageCriteria { min_tokens: Some(12), ..earlier };
    (model.settings.criteria, model.settings.chosen_criteria) = (given, remembered);
    keys(&mut model, "W Down Left Enter");
    assert_eq!(model.settings.criteria, PassageCriteria { gap: Some(7), ..given });
    assert_eq!(SavedScreen::save(&model).criteria().criteria, PassageCriteria { gap: Some(7), ..earlier });
    keys(&mut model, "W Del Enter");
    assert_eq!(model.settings.criteria.min_tokens, None);
    assert_eq!(SavedScreen::save(&model).criteria().criteria.min_tokens, None);
}

#[test]
fn what_is_as_usual_is_remembered_whatever_the_settings_say() {
    let mut model = model_of(Subject::Passages, 100, 24);
    let settings = PassageCriteria { min_tokens: Some(30), gap: Some(3), ..PassageCriteria::default() };
    model.settings.criteria = settings;
    keys(&mut model, "W Down Del Enter");
    let expected = PassageCriteria { gap: None, ..settings };
    assert_eq!(model.settings.criteria, expected);
    // In the next session, and in the one after it.
    for _ in 0..2 {
        assert_eq!(SavedScreen::save(&model).criteria().or(settings), expected);
        model = again(&model);
    }
    // Until it is something else.
    model.settings.criteria = expected;
    keys(&mut model, "W Down Left Enter");
    let other = PassageCriteria { gap: Some(7), ..settings };
    assert_eq!(SavedScreen::save(&model).criteria().or(settings), other);
    // A screen that was saved before this was remembered.
    let saved: SavedScreen = serde_json::from_str(r#"{"criteria":{"gap":0}}"#).unwrap();
    assert_eq!(saved.criteria().or(settings), PassageCriteria { gap: Some(0), ..settings });
}

#[test]
fn the_least_similarity_is_changed_from_the_usual_one_of_the_corpus() {
    let mut model = model_of(Subject::Passages, 100, 24);
    model.settings.usual_overlap = 40;
    for (typed, expected) in [("W Down Down Right", 45), ("+", 55), ("-", 45), ("Left", 40)] {
        keys(&mut model, typed);
        let Some(Overlay::Criteria(form)) = &model.dialogue.overlay else { panic!("no form") };
        assert_eq!(form.criteria.min_overlap, Some(expected), "{typed}");
    }
}
