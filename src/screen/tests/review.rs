//! The view of a review: what its keys ask for, and what its empty list and its copies say.

use std::sync::Arc;

use crate::event::Effect;
use crate::fixture::rows::review;
use crate::fixture::{idle, keys, list, model_of, preview, tell};
use crate::model::{Model, Overlay};
use crate::tests::screen::{plain, screen};
use dupi_index::query::filter::ReviewState;
use dupi_review::change::blame::BlamedCommit;
use dupi_session::{
    BlameAnswer, BlamedLines, Item, Listing, PlacesAnswer, Request, ReviewFacts, RowPlace, RowPlaces,
    SearchState, Subject, Update,
};

/// The request among some effects that is no request for rows or a preview.
fn asked(effects: Vec<Effect>) -> Option<Request> {
    effects.into_iter().find_map(|effect| match effect {
        Effect::Ask(Request::Rows(_) | Request::Preview { .. }) => None,
        Effect::Ask(request) => Some(request),
        _ => None,
    })
}

/// Whether the message contains some words.
fn says(model: &Model, words: &str) -> bool {
    model.dialogue.message.as_ref().is_some_and(|(said, _)| said.contains(words))
}

#[test]
fn what_drifted_is_never_taboo() {
    let mut model = model_of(Subject::Review, 120, 30);
    // The fourth of each four has drifted, and is no text.
    let Item::Review(row) = review(5, "") else { unreachable!() };
    let drifted =
        dupi_session::ListedReview { passage: None, state: ReviewState::Accepted, ..(*row).clone() };
    let drifted = Item::Review(Arc::new(drifted));
    list(&mut model, [drifted.clone()]);
    let open = Request::SetState { rows: vec![drifted], state: ReviewState::Open };
    assert_eq!(asked(keys(&mut model, "g r")), Some(open));
}

#[test]
fn places_of_all_copies_are_copied_or_opened() {
    let mut model = model_of(Subject::Review, 120, 30);
    let row = review(0, "");
    let place = |path: &str, line| RowPlace { path: path.into(), line: Some(line) };
    let places = vec![place("a.c", 3), place("b\n.c", 40)];
    let answer = || {
        let rows = vec![RowPlaces { id: "1".into(), places: places.clone() }];
        Update::Places(PlacesAnswer { of: vec![row.id()], rows }.into())
    };
    assert_eq!(
        asked(keys(&mut model, "g y")),
        Some(Request::Places { rows: vec![model.list.listing.rows[0].clone()] })
    );
    let effects = tell(&mut model, answer());
    assert!(
        matches!(&effects[..], [Effect::Copy(text), ..] if text == "a.c:3\nb\\x0a.c:40\n"),
        "{effects:?}"
    );
    assert!(matches!(asked(keys(&mut model, "g O")), Some(Request::Places { .. })));
    let effects = tell(&mut model, answer());
    let opened = effects.iter().filter(|effect| matches!(effect, Effect::Edit { .. })).count();
    assert_eq!(opened, 2, "{effects:?}");
    keys(&mut model, "g O");
    let folder = RowPlace { path: "letters".into(), line: None };
    let rows = vec![RowPlaces { id: "1".into(), places: vec![folder] }];
    let effects = tell(&mut model, Update::Places(PlacesAnswer { of: vec![row.id()], rows }.into()));
    assert!(!effects.iter().any(|effect| matches!(effect, Effect::Edit { .. })), "{effects:?}");
    assert!(says(&model, "could be opened"));
}

#[test]
fn blame_is_asked_about_the_current_copy_shown_and_ended() {
    let mut model = model_of(Subject::Review, 120, 30);
    keys(&mut model, "g");
    let row = model.list.row().unwrap().clone();
    tell(&mut model, preview(&row, 0));
    let Some(Request::Blame(Some(at))) = asked(keys(&mut model, "b")) else { panic!() };
    assert!(screen(&model, &plain()).contains("asking git"));
    let commit = BlamedCommit {
        name: "0123456789ab".into(),
        author: "Ada\tL".into(),
        seconds: 86_400,
        subject: "Begin\u{1b}[2J".into(),
    };
    let lines = vec![BlamedLines { lines: 12, commit: Some(commit) }, BlamedLines { lines: 1, commit: None }];
    let other = dupi_index::query::Occurrence { line: 77, ..at.clone() };
    for (at, is_shown) in [(other, false), (at, true)] {
        tell(&mut model, Update::Blame(BlameAnswer { at, lines: Ok(lines.clone()) }.into()));
        assert_eq!(screen(&model, &plain()).contains("12 lines  0123456789ab 1970-01-02 Ada"), is_shown);
    }
    assert!(screen(&model, &plain()).contains("1 line  not committed yet"));
    assert_eq!(asked(keys(&mut model, "Esc")), Some(Request::Blame(None)));
    assert!(model.dialogue.overlay.is_none());
    assert!(matches!(model.dialogue.overlay, None | Some(Overlay::Blame(..))));
}

#[test]
fn the_list_says_how_far_the_review_is_what_it_is_of_and_why_there_is_none() {
    let mut model = Model::new("/home/ida/code".into(), (80, 24));
    tell(&mut model, idle());
    keys(&mut model, "R");
    let view = model.list.view.clone();
    assert!(view.show_taboo, "taboo is a state of rows like the others");
    let say = |model: &mut Model, listing: Listing| {
        tell(model, Update::Rows(Listing { view: view.clone(), ..listing }.into()));
        screen(model, &plain())
    };
    tell(&mut model, Update::Reviewing(SearchState::At(0.42)));
    let shown = say(&mut model, Listing { is_provisional: true, ..Listing::default() });
    assert!(shown.contains("Reviewing the change.") && shown.contains("reviewing: 42 %"), "{shown}");
    tell(&mut model, Update::Reviewing(SearchState::Idle));
    let facts = ReviewFacts { files: 1, added: 1200, left_out: 3, moved: 0 };
    let shown =
        say(&mut model, Listing { complete: true, review: Some(facts), searched: 1.0, ..Listing::default() });
    assert!(shown.contains("The change copies nothing."), "{shown}");
    assert!(shown.contains("1 file changed, 1,200 lines added · 3 left out"), "{shown}");
    let trouble = Some("x is in no git repository; open a folder of one".to_owned());
    let shown = say(&mut model, Listing { complete: true, trouble, ..Listing::default() });
    assert!(shown.contains("is in no git repository"), "{shown}");
    assert!(shown.contains("R review") && shown.contains("6 activity"), "{shown}");
}
