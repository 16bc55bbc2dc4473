//! What a session shows of clusters: trees, identical and similar documents; unfolded, sorted, filtered, compared,
//! accepted, exported, and followed.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use crate::shown::{Shown, words};
use dupi::query::filter::ReviewState;
use dupi::session::{
    Item, Likeness, ListedCluster, Listing, Phase, Progress, Request, Sort, Subject, Update, View,
    WriteResult,
};

/// A text of 300 words, some of them replaced.
fn text(word: &str, replaced: usize) -> String {
    let all = words(word, 300);
    let of =
        |(at, word): (usize, &str)| if at % 60 < replaced { format!("other{at}") } else { word.to_owned() };
    all.split(' ').enumerate().map(of).collect::<Vec<_>>().join(" ")
}

/// Two trees with three files each, of which one has one more; three identical documents, and two similar ones.
fn shown() -> Shown {
    let tree =
        |name: &str| ["x", "y", "z"].map(|file| (format!("{name}/{file}"), text(&format!("tree{file}"), 0)));
    let mut files: Vec<(String, String)> = tree("one").into_iter().chain(tree("two")).collect();
    files.extend(["b", "a", "c"].map(|name| (format!("same/{name}"), text("same", 0))));
    files.push(("near/first".into(), text("near", 0) + " and a longer end"));
    files.push(("near/second".into(), text("near", 2)));
    files.push(("alone".into(), text("alone", 0)));
    let mut shown = Shown::new(&files);
    shown.open_at(Subject::Clusters);
    shown
}

fn view() -> View {
    View { of: Subject::Clusters, sort: Sort::Wasted, wanted: 100, ..View::default() }
}

/// The list of a view that is as wanted, with similar documents.
fn listed(shown: &Shown, view: &View, is_it: impl Fn(&Listing) -> bool) -> Arc<Listing> {
    shown.ask(Request::Rows(view.clone()));
    shown.wait("the clusters", |update| {
        let Update::Rows(listing) = update else { return None };
        let is_compared = listing.clusters.is_some_and(|facts| facts.compared.is_some());
        (is_compared && listing.view == *view && is_it(&listing)).then_some(listing)
    })
}

fn clusters(listing: &Listing) -> Vec<Arc<ListedCluster>> {
    let cluster = |row: &Item| if let Item::Cluster(row) = row { Some(Arc::clone(row)) } else { None };
    listing.rows.iter().filter_map(cluster).collect()
}

fn paths(listing: &Listing) -> Vec<String> {
    listing.rows.iter().map(|row| row.text().into_owned()).collect()
}

#[test]
fn trees_come_first_then_identical_then_similar_documents_and_each_unfolds_in_its_place() {
    let shown = shown();
    let folded = listed(&shown, &view(), |_| true);
    let rows = clusters(&folded);
    let kinds: Vec<Likeness> = rows.iter().map(|row| row.likeness).collect();
    assert_eq!(kinds, [Likeness::Trees, Likeness::Identical, Likeness::Similar]);
    assert_eq!(paths(&folded), ["one", "same/a", "near/first"]);
    assert_eq!(rows.iter().map(|row| row.copies).collect::<Vec<_>>(), [2, 3, 2]);
    assert_eq!((rows[0].files, rows[0].least), (3, 1.0));
    let bytes = |name: &str| fs::metadata(shown.beside("corpus").join(name)).unwrap().len();
    assert_eq!(rows[1].wasted, 2 * bytes("same/a"));
    assert_eq!(rows[2].wasted, bytes("near/second"));
    assert!(rows[2].mean > 0.5 && rows[2].mean < 1.0, "{:?}", rows[2]);
    let facts = folded.clusters.unwrap();
    assert_eq!((facts.trees, facts.identical, facts.similar), (1, 1, 1));
    assert_eq!(facts.compared.unwrap().method, "jaccard");
    // Each is unfolded by any of its members.
    let unfolded_clusters = vec![rows[1].members[1], rows[2].representative()];
    let unfolded = listed(&shown, &View { unfolded_clusters, ..view() }, |_| true);
    let expected = ["one", "same/a", "same/a", "same/b", "same/c", "near/first", "near/first", "near/second"];
    assert_eq!(paths(&unfolded), expected);
    let Item::Member(last) = unfolded.rows.last().unwrap() else { panic!() };
    assert_eq!((last.similarity, last.is_representative), (rows[2].mean, false));
    assert!(unfolded.complete && unfolded.total == Some(8));
    let part = listed(&shown, &View { wanted: 4, ..unfolded.view.clone() }, |_| true);
    assert_eq!((part.rows.len(), part.complete, part.total), (4, false, Some(8)));
}

#[test]
fn sorts_keep_the_order_of_likeness_and_filters_apply_to_all_members() {
    let shown = shown();
    shown.write("many/1", &text("many", 0));
    shown.write("many/2", &text("many", 0));
    let four = |listing: &Listing| clusters(listing).len() == 4;
    let by = |sort, is_reversed| paths(&listed(&shown, &View { sort, is_reversed, ..view() }, four));
    assert_eq!(by(Sort::Copies, false), ["one", "same/a", "many/1", "near/first"]);
    assert_eq!(by(Sort::Wasted, true), ["one", "many/1", "same/a", "near/first"]);
    assert_eq!(by(Sort::Similarity, false)[3], "near/first");
    let with = |filter: &str| paths(&listed(&shown, &View { filter: filter.to_owned(), ..view() }, |_| true));
    assert_eq!(with("path:near/second"), ["near/first"]);
    assert_eq!(with("path:two"), ["one"]);
    assert_eq!(with("copies:3.."), ["same/a"]);
    assert_eq!(with("is:near"), ["near/first"]);
    assert_eq!(with("-is:near -path:one"), ["same/a", "many/1"]);
    // Words may be in any of the texts.
    assert_eq!(with("other61"), ["near/first"]);
    assert_eq!(with("treey17"), ["one"]);
    assert_eq!(with("nowhere17"), [""; 0]);
}

#[test]
fn a_member_is_shown_beside_its_representative_with_what_differs() {
    let shown = shown();
    let folded = listed(&shown, &view(), |_| true);
    let near = &clusters(&folded)[2];
    let unfolded_clusters = vec![near.representative()];
    let rows = listed(&shown, &View { unfolded_clusters, ..view() }, |_| true);
    let preview = |row: &Item, current, name: &str| {
        shown.ask(Request::Preview { row: row.clone(), current });
        let at = |path: &Path| path.ends_with(name);
        shown.preview("the document", |preview| {
            preview.is_compared
                && preview.unread == 0
                && preview.document.as_ref().is_some_and(|of| at(&of.path))
        })
    };
    let of_member = preview(&rows.rows[4], 0, "second");
    let beside = of_member.beside.as_ref().unwrap();
    assert!(beside.at.path.ends_with("first"));
    assert_eq!(of_member.similarity, near.mean);
    let document = of_member.document.as_ref().unwrap();
    let differing = |span: &dupi::query::ByteSpan| &document.text[span.start as usize..span.end as usize];
    assert_eq!(of_member.differs.len(), 5);
    assert!(of_member.differs.iter().all(|span| differing(span).starts_with("other")), "{of_member:?}");
    assert_eq!(of_member.differences().len(), 6, "one more is where the first one is longer");
    // The cluster itself has all members, the representative first and beside the nearest other one.
    let of_cluster = preview(&rows.rows[2], 0, "first");
    assert_eq!(of_cluster.occurrences.len(), 2);
    assert!(of_cluster.beside.as_ref().unwrap().at.path.ends_with("second"));
    let second = preview(&rows.rows[2], 1, "second");
    assert!(second.beside.as_ref().unwrap().at.path.ends_with("first"));
}

#[test]
fn the_files_in_which_almost_the_same_folders_differ_are_shown() {
    let shown = shown();
    for number in 0..40 {
        let text = text(&format!("large{number}"), 0);
        shown.write(&format!("big/one/{number}"), &text);
        shown.write(&format!("big/two/{number}"), if number == 7 { "short" } else { &text });
    }
    let is_there = |listing: &Listing| clusters(listing).iter().any(|row| row.files == 40);
    let folded = listed(&shown, &view(), is_there);
    let big = clusters(&folded)[0].clone();
    assert!((big.likeness, big.copies) == (Likeness::Trees, 2) && big.least < 1.0, "{big:?}");
    assert_eq!(big.folders.iter().map(|of| of.differences).collect::<Vec<_>>(), [0, 1]);
    let rows = listed(&shown, &View { unfolded_clusters: vec![big.representative()], ..view() }, is_there);
    shown.ask(Request::Preview { row: rows.rows[2].clone(), current: 0 });
    let preview = shown.preview("what differs", |preview| preview.is_compared && preview.unread == 0);
    assert_eq!(preview.occurrences.len(), 1);
    assert!(preview.occurrences[0].path.ends_with("two/7"), "{preview:?}");
    assert!(preview.beside.as_ref().unwrap().at.path.ends_with("one/7"));
}

#[test]
fn what_is_added_joins_its_cluster_and_a_search_that_is_left_begins_again() {
    let shown = shown();
    let before = clusters(&listed(&shown, &view(), |_| true));
    let unfolded = View { unfolded_clusters: vec![before[1].representative()], ..view() };
    listed(&shown, &unfolded, |listing| listing.rows.len() == 6);
    shown.write("same/d", &text("same", 0));
    let joined = listed(&shown, &unfolded, |listing| listing.rows.len() == 7);
    let after = clusters(&joined);
    assert_eq!(after[1].id, before[1].id, "the selection stays");
    assert_eq!((after[1].copies, after[1].is_open), (4, true));
    assert!(paths(&joined).contains(&"same/d".to_owned()));
    // Leaving the view cancels the search.
    shown.write("same/e", &text("same", 0));
    shown.show(Subject::Blots);
    shown.listing("blots", |listing| matches!(listing.rows.first(), Some(Item::Row(_))));
    listed(&shown, &view(), |listing| clusters(listing).iter().any(|row| row.copies == 5));
    fs::remove_file(shown.beside("corpus").join("same/a")).unwrap();
    let renamed = listed(&shown, &unfolded, |listing| clusters(listing).iter().any(|row| row.copies == 4));
    assert_eq!(clusters(&renamed)[1].path, Path::new("same/b"));
}

#[test]
fn sketches_that_are_missing_are_made_when_clusters_are_shown() {
    let mut shown = shown();
    let sketches = |shown: &Shown| {
        let entries = fs::read_dir(shown.beside("index")).unwrap().map(|entry| entry.unwrap().path());
        let found = entries.filter(|path| path.extension().is_some_and(|kind| kind == "sketch"));
        found.collect::<Vec<_>>()
    };
    listed(&shown, &view(), |_| true);
    shown.close();
    let before = sketches(&shown);
    assert!(!before.is_empty());
    before.iter().for_each(|path| fs::remove_file(path).unwrap());
    shown.open_at(Subject::Clusters);
    listed(&shown, &view(), |_| true);
    if sketches(&shown).len() < before.len() {
        // The indexer tells its state once they are made.
        shown.wait("the sketches", |update| {
            let is_idle = matches!(update, Update::Progress(Progress { phase: Phase::Idle, .. }));
            (is_idle && sketches(&shown).len() == before.len()).then_some(())
        });
    }
    shown.write("same/d", &text("same", 0));
    listed(&shown, &view(), |listing| clusters(listing).iter().any(|row| row.copies == 4));
}

#[test]
fn a_cluster_is_accepted_until_it_gains_a_member_and_that_is_undone() {
    let shown = shown();
    let rows = clusters(&listed(&shown, &view(), |_| true));
    let row = Item::Cluster(Arc::clone(&rows[1]));
    assert!(row.can_be_accepted() && !row.is_text());
    shown.ask(Request::SetState { rows: vec![row], state: ReviewState::Accepted });
    assert_eq!(shown.said("Accepted"), "Accepted: 1 row");
    let is_accepted = |listing: &Listing| listing.rows.get(1).is_some_and(Item::is_accepted);
    listed(&shown, &view(), is_accepted);
    assert_eq!(paths(&listed(&shown, &View { filter: "is:open".into(), ..view() }, |_| true)).len(), 2);
    shown.write("same/d", &text("same", 0));
    let gained = listed(&shown, &view(), |listing| clusters(listing).iter().any(|row| row.copies == 4));
    assert_eq!(gained.rows[1].outgrown(), Some(3));
    assert!(!gained.rows[1].is_accepted());
    shown.ask(Request::Undo);
    shown.said("Undone");
    listed(&shown, &view(), |listing| clusters(listing)[1].accepted.is_none());
}

#[test]
fn clusters_are_written_as_the_verb_prints_them_and_as_lists_of_files_to_keep_and_to_drop() {
    let shown = shown();
    let folded = listed(&shown, &view(), |_| true);
    let write = |rows: &[Item], name: &str| {
        let file = shown.beside(name);
        shown.ask(Request::Export { rows: rows.to_vec(), file: file.clone(), replace: false });
        let written = shown.wait("what was written", |update| match update {
            Update::Written(written) => Some(written),
            _ => None,
        });
        let WriteResult::Done(sentence) = written else { panic!("{written:?}") };
        (fs::read_to_string(file).unwrap(), sentence)
    };
    let (json, _) = write(&folded.rows, "rows.jsonl");
    let lines: Vec<serde_json::Value> =
        json.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let units: Vec<&str> = lines.iter().map(|line| line["unit"].as_str().unwrap()).collect();
    assert_eq!(units, ["folders", "documents", "documents"]);
    assert_eq!(lines[1]["members"].as_array().unwrap().len(), 3);
    let corpus = fs::canonicalize(shown.beside("corpus")).unwrap();
    let names = |list: &str, end: char| -> Vec<String> {
        let paths = list.split_terminator(end).map(Path::new);
        paths.map(|path| path.strip_prefix(&corpus).unwrap().to_str().unwrap().to_owned()).collect()
    };
    let (dropped, said) = write(&folded.rows, "files.drop");
    assert_eq!(names(&dropped, '\n'), ["near/second", "same/b", "same/c", "two/x", "two/y", "two/z"]);
    assert!(said.starts_with("6 files to drop written"), "{said}");
    let (kept, _) = write(&folded.rows[1..], "files.keep0");
    assert_eq!(names(&kept, '\0'), ["near/first", "same/a"]);
    // Of a member alone, that member.
    let unfolded_clusters = vec![clusters(&folded)[1].representative()];
    let unfolded = listed(&shown, &View { unfolded_clusters, ..view() }, |_| true);
    let (dropped, _) = write(&unfolded.rows[4..5], "one.drop");
    assert_eq!(names(&dropped, '\n'), ["same/c"]);
    // What changed since it was compared is not dropped.
    fs::write(corpus.join("same/b"), "changed").unwrap();
    let (dropped, _) = write(&folded.rows[1..2], "later.drop");
    assert_eq!(names(&dropped, '\n'), ["same/c"]);
    assert!(corpus.join("same/c").exists(), "nothing is deleted");
}
