//! What a session tells of its activity.

use crate::decided::three;
use dupi::query::filter::ReviewState;
use dupi::session::{Activity, ActivityKind, Request, Update};

#[test]
fn what_goes_on_is_told_while_it_is_shown() {
    let shown = three();
    let rows = shown.rows(&[4, 3, 2]).rows.clone();
    shown.write("empty", "");
    shown.ask(Request::Activity);
    let activity = |what: &str, is_it: &dyn Fn(&Activity) -> bool| {
        shown.wait(what, |update| match update {
            Update::Activity(activity) => is_it(&activity).then_some(activity),
            _ => None,
        })
    };
    let told = activity("the file left out", &|activity| {
        activity.index.as_ref().is_some_and(|index| !index.skipped.is_empty())
    });
    let index = told.index.as_ref().unwrap();
    assert_eq!((index.skipped[0].reason.as_str(), index.skipped[0].count), ("empty", 1));
    assert!(index.totals.documents == 9 && index.segments.iter().all(|segment| segment.bytes > 0));
    assert!(told.folders >= 1 && told.trouble.is_none());
    let has = |activity: &Activity, is_it: fn(&ActivityKind) -> bool| {
        activity.events.iter().any(|event| is_it(&event.what))
    };
    assert!(has(&told, |what| matches!(what, ActivityKind::Committed(commit) if commit.read == 9)));
    assert!(has(&told, |what| matches!(what, ActivityKind::Searched { passages: 3, .. })));
    shown.ask(Request::Skipped);
    let skipped = shown.wait("the files left out", |update| match update {
        Update::Skipped(skipped) => Some(skipped),
        _ => None,
    });
    assert_eq!(skipped.len(), 1);
    shown.ask(Request::SetState { rows: vec![rows[0].clone()], state: ReviewState::Accepted });
    activity("the decision", &|activity| {
        has(
            activity,
            |what| matches!(what, ActivityKind::Decided(sentence) if sentence.starts_with("Accepted")),
        )
    });
    shown.write("7", "something new");
    activity("another commit", &|activity| {
        activity.index.as_ref().is_some_and(|index| index.totals.documents == 10)
    });
}
