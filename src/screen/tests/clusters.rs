//! The view of clusters: how it looks, what unfolds, which row stays selected, and what does not apply.

use std::sync::Arc;

use crate::event::Effect;
use crate::fixture::rows::{cluster, member};
use crate::fixture::{keys, model_of, tell};
use crate::model::{Focus, Model, Overlay};
use crate::tests::screen::{plain, screen};
use crate::theme::{Charset, Theme};
use dupi_index::query::filter::ReviewState;
use dupi_session::{
    ClusterFacts, Comparison, Item, ItemId, ListedCluster, Listing, Request, SearchState, Subject, Update,
};

/// Clusters of which the one with a number is unfolded.
fn rows(open: Option<u64>) -> Vec<Item> {
    let mut rows = Vec::new();
    for number in 0..9 {
        let Item::Cluster(row) = cluster(number, "") else { panic!() };
        let is_open = open == Some(number);
        rows.push(Item::Cluster(Arc::new(ListedCluster {
            is_open,
            copies: if is_open { 4 } else { row.copies },
            ..(*row).clone()
        })));
        rows.extend((0..4).filter(|_| is_open).map(|at| member(number, at)));
    }
    rows
}

fn take(model: &mut Model, rows: Vec<Item>) {
    let compared = Some(Comparison { method: "jaccard", threshold: 0.5 });
    let clusters = Some(ClusterFacts { compared, trees: 2, identical: 3, similar: 4, too_large: 0 });
    let view = model.list.view.clone();
    let listing = Listing { view, rows, clusters, complete: true, searched: 1.0, ..Listing::default() };
    tell(model, Update::Rows(listing.into()));
}

fn showing(columns: u16, lines: u16, open: Option<u64>) -> Model {
    let mut model = model_of(Subject::Clusters, columns, lines);
    take(&mut model, rows(open));
    model
}

#[test]
fn a_cluster_unfolds_in_its_place() {
    for (columns, lines) in [(80, 24), (200, 60)] {
        let mut model = showing(columns, lines, Some(5));
        keys(&mut model, "g j j j j j j j");
        assert_eq!(model.list.selected, Some(member(5, 1).id()));
        let name = format!("unfolded_{columns}x{lines}");
        insta::assert_snapshot!(name, screen(&model, &Theme::dark(Charset::Unicode)));
    }
}

#[test]
fn enter_and_the_key_of_unfolding_unfold_and_h_folds_from_a_member() {
    for key in ["Enter", "F", "l"] {
        let mut model = showing(120, 30, None);
        let effects = keys(&mut model, &format!("g j j j j j {key}"));
        let Item::Cluster(row) = cluster(5, "") else { panic!() };
        assert_eq!(model.list.view.unfolded_clusters, [row.representative()], "{key}");
        assert!(matches!(effects.last(), Some(Effect::Ask(Request::Rows(_)))), "{effects:?}");
        assert_eq!(model.focus, Focus::Rows);
        take(&mut model, rows(Some(5)));
        keys(&mut model, "j j h");
        assert_eq!(model.list.selected, Some(ItemId::Cluster(5)), "{key}");
        assert!(model.list.view.unfolded_clusters.is_empty());
    }
}

#[test]
fn the_selection_stays_on_its_cluster_also_when_another_document_represents_it() {
    let mut model = showing(120, 30, None);
    keys(&mut model, "g j j j j j j");
    let Some(Item::Cluster(selected)) = model.list.row().cloned() else { panic!() };
    let mut changed = rows(None);
    // It moves up, has one member more, and that represents it.
    let members = std::iter::once(77).chain(selected.members.iter().copied()).collect();
    let grown = ListedCluster {
        id: 99,
        copies: selected.copies + 1,
        members: Arc::new(members),
        ..(*selected).clone()
    };
    changed.remove(6);
    changed.insert(5, Item::Cluster(Arc::new(grown)));
    take(&mut model, changed);
    assert_eq!(model.list.selected, Some(ItemId::Cluster(99)));
    assert_eq!(model.list.selected_row(), Some(5));
    // A member keeps its selection when its cluster moves.
    let mut model = showing(120, 30, Some(5));
    keys(&mut model, "g j j j j j j j");
    let mut changed = rows(Some(5));
    changed.rotate_right(1);
    take(&mut model, changed);
    assert_eq!(model.list.selected, Some(member(5, 1).id()));
}

#[test]
fn what_does_not_apply_is_said_in_one_sentence() {
    let mut model = showing(120, 30, Some(5));
    keys(&mut model, "g v");
    assert!(model.said().unwrap().contains("These are folders"), "{:?}", model.said());
    keys(&mut model, "t");
    assert!(model.said().unwrap().contains("Only texts can be taboo"), "{:?}", model.said());
    keys(&mut model, "j j j j j j j a");
    assert!(model.said().unwrap().contains("accepted as a whole"), "{:?}", model.said());
    let effects = keys(&mut model, "h");
    assert!(!effects.is_empty());
    take(&mut model, rows(None));
    let effects = keys(&mut model, "a");
    let is_of_one = |effect: &Effect, asked: ReviewState| matches!(effect, Effect::Ask(Request::SetState { rows, state }) if rows.len() == 1 && *state == asked);
    let accepts = effects.iter().any(|effect| is_of_one(effect, ReviewState::Accepted));
    assert!(accepts, "{effects:?}");
    // One that is accepted is opened again.
    keys(&mut model, "g j j j");
    let effects = keys(&mut model, "a");
    assert!(effects.iter().any(|effect| is_of_one(effect, ReviewState::Open)), "{effects:?}");
}

#[test]
fn files_of_members_can_be_left_out_and_the_endings_of_an_export_are_told() {
    let mut model = showing(120, 30, Some(5));
    keys(&mut model, "g j j j j j j j L");
    assert!(matches!(model.dialogue.overlay, Some(Overlay::Menu(..))));
    keys(&mut model, "Esc x");
    let shown = screen(&model, &plain());
    assert!(shown.contains("clusters.jsonl") && shown.contains(".drop0 .keep0"), "{shown}");
}

#[test]
fn the_last_line_says_how_far_the_search_is_and_what_was_found() {
    let mut model = Model::new("/home/ida/letters".into(), (80, 24));
    tell(&mut model, crate::fixture::idle());
    keys(&mut model, "C");
    let view = model.list.view.clone();
    tell(&mut model, Update::Rows(Listing { view, is_provisional: true, ..Listing::default() }.into()));
    tell(&mut model, Update::Comparing(SearchState::At(0.42)));
    let shown = screen(&model, &plain());
    assert!(
        shown.contains("Comparing your documents.") && shown.contains("comparing documents: 42 %"),
        "{shown}"
    );
    take(&mut model, rows(None));
    tell(&mut model, Update::Comparing(SearchState::Idle));
    let shown = screen(&model, &plain());
    assert!(shown.contains("jaccard ≥ 0.5 · trees 2, identical 3, similar 4"), "{shown}");
    assert!(shown.contains("C clusters") && shown.contains("6 activity"), "{shown}");
    tell(&mut model, Update::Comparing(SearchState::Failed("no memory".into())));
    take(&mut model, Vec::new());
    assert!(screen(&model, &plain()).contains("No two documents"), "{}", screen(&model, &plain()));
}
