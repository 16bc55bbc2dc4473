//! The view of clusters: how it looks, what unfolds, which row stays selected, and what does not apply.

use std::sync::Arc;

use crate::fixture::rows::{cluster, member};
use crate::fixture::{keys, model_of, tell};
use crate::model::Model;
use crate::tests::screen::screen;
use crate::theme::{Charset, Theme};
use dupi_session::{ClusterFacts, Comparison, Item, ItemId, ListedCluster, Listing, Subject, Update};

/// Clusters of which the one with a number is unfolded.
pub(crate) fn rows(open: Option<u64>) -> Vec<Item> {
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
    let told = told(model, rows);
    tell(model, told);
}

/// Rows of the view, which are compared.
pub(crate) fn told(model: &Model, rows: Vec<Item>) -> Update {
    let compared = Some(Comparison { method: "jaccard", threshold: 0.5 });
    let clusters = Some(ClusterFacts { compared, trees: 2, identical: 3, similar: 4, too_large: 0 });
    let view = model.list.view.clone();
    let listing = Listing { view, rows, clusters, complete: true, searched: 1.0, ..Listing::default() };
    Update::Rows(listing.into())
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
