//! The screen when there is little to show, or something is wrong: it says what is wrong, where, and what to do.

use crate::action::ViewPage;
use crate::fixture::{idle, listing, model_of, showing, tell};
use crate::model::{Model, Overlay};
use crate::tests::screen::{plain, screen};
use dupi_index::index::snapshot::Totals;
use dupi_session::{
    HiddenCounts, IndexState, Item, Listing, Phase, Progress, SearchState, SegmentSummary, Sort, Subject,
    Update, Watch,
};
use dupi_text::blot::Blot;

const SIZES: [(u16, u16); 2] = [(80, 24), (40, 10)];
const GONE: &str = "cannot reach /home/ida/letters: No such file or directory (os error 2); check the path and \
                    its permissions";
const DAMAGED: &str = "/home/ida/.local/share/dupi-tui/indexes/letters-c04fb22f28a068af/00000001.segment is damaged \
                       (its table or a directory does not agree with its checksum); run `dupi-tui index \
                       --rebuild` to build the index anew";

fn is(phase: Phase, documents: u64, read_only: Option<&str>) -> Update {
    let watching = if read_only.is_some() { Watch::Off } else { Watch::Events };
    let read_only = read_only.map(str::to_owned);
    Update::Progress(Progress { phase, documents, generation: 3, watching, read_only, ..Progress::default() })
}

fn without_rows(size: (u16, u16), progress: Update, listing: Listing) -> Model {
    let mut model = Model::new("/home/ida/letters".into(), size);
    tell(&mut model, progress);
    model.list.listing = Listing { complete: true, ..listing }.into();
    model
}

/// The state at each size, as it is first seen.
fn look(name: &str, state: impl Fn((u16, u16)) -> Model) {
    for (columns, lines) in SIZES {
        let model = state((columns, lines));
        insta::assert_snapshot!(format!("{name}_{columns}x{lines}"), screen(&model, &plain()));
    }
}

#[test]
fn a_list_without_rows_says_why() {
    look("nothing_duplicated", |size| without_rows(size, is(Phase::Idle, 2, None), Listing::default()));
    look("no_documents", |size| without_rows(size, is(Phase::Idle, 0, None), Listing::default()));
    look("no_document_read", |size| {
        let why = "no document could be read: /srv/letters (unreadable: Permission denied); correct the cause and try again";
        let progress = Progress { phase: Phase::Idle, lack: Some(why.to_owned()), ..Progress::default() };
        without_rows(size, Update::Progress(progress), Listing::default())
    });
    look("first_run", |size| without_rows(size, is(Phase::Walking, 0, None), Listing::default()));
    let hidden = HiddenCounts { rows: 12, copies: 40, documents: 30 };
    let all = || Listing { hidden, ..Listing::default() };
    look("all_is_taboo", |size| without_rows(size, is(Phase::Idle, 40, None), all()));
    look("no_row_matches", |size| {
        let mut model = without_rows(size, is(Phase::Idle, 40, None), Listing::default());
        model.list.view.filter = "path:src/** nobody".into();
        model
    });
}

#[test]
fn rows_that_cannot_be_made_say_why() {
    let trouble = || Listing { trouble: Some(DAMAGED.into()), ..Listing::default() };
    look("damaged_rows", |size| without_rows(size, is(Phase::Idle, 40, None), trouble()));
    let mut model = model_of(Subject::Passages, 80, 24);
    let failed = Listing { view: model.list.view.clone(), complete: true, ..trouble() };
    let shown = model.list.listing.rows.clone();
    tell(&mut model, Update::Rows(failed.into()));
    assert_eq!(model.list.listing.rows, shown, "what is there may still be looked at");
}

#[test]
fn a_search_that_failed_promises_nothing() {
    for of in [Subject::Passages, Subject::Documents] {
        let mut model = without_rows(
            (80, 24),
            is(Phase::Idle, 40, None),
            Listing { is_provisional: true, ..Listing::default() },
        );
        model.list.view.of = of;
        model.page = ViewPage::List(of);
        tell(&mut model, Update::Searching(SearchState::Failed("the disk is full".into())));
        let shown = screen(&model, &plain());
        assert!(shown.contains("no passages") && !shown.contains("follow"), "{shown}");
    }
}

#[test]
fn a_folder_that_is_gone_leaves_what_was_indexed_and_says_so() {
    look("gone", |(columns, lines)| {
        let mut model = model_of(Subject::Passages, columns, lines);
        tell(&mut model, is(Phase::Failed(GONE.into()), 12_345, None));
        model
    });
}

#[test]
fn who_may_only_read_is_told_who_writes_and_what_that_means() {
    let busy = || is(Phase::Idle, 12_345, Some("process 2730 on harbour"));
    look("read_only", |(columns, lines)| {
        let mut model = model_of(Subject::Passages, columns, lines);
        tell(&mut model, busy());
        model
    });
    let mut model = model_of(Subject::Passages, 120, 30);
    tell(&mut model, busy());
    let said = "Read only: process 2730 on harbour writes this index. What it commits is shown here, and what you \
                decide is kept.";
    assert_eq!(model.said(), Some(said));
    model.dialogue.message = None;
    tell(&mut model, busy());
    assert_eq!(model.said(), None, "it is said once");
    let header = screen(&model, &plain()).lines().next().unwrap().to_owned();
    assert!(
        header.contains("process 2730 on harbour writes this index · what it commits is shown"),
        "{header}"
    );
    tell(&mut model, idle());
    assert_eq!(model.said(), Some("The index is free again: changes are followed from here."));
}

#[test]
fn an_index_that_cannot_be_read_is_a_question_whose_answers_are_seen() {
    let failed = || is(Phase::Failed(DAMAGED.into()), 0, None);
    look("unreadable", |size| {
        let mut model = without_rows(size, failed(), Listing::default());
        tell(&mut model, Update::Mismatch(DAMAGED.into()));
        model
    });
    look("left_unreadable", |size| without_rows(size, failed(), Listing::default()));
    for lines in 6..30 {
        let mut model = without_rows((40, lines), failed(), Listing::default());
        model.dialogue.overlay = Some(Overlay::Mismatch(DAMAGED.into()));
        let shown = screen(&model, &plain());
        assert!(shown.contains("r  build") && shown.contains("k  leave"), "{shown}");
    }
}

#[test]
fn a_sort_that_has_no_column_is_said_in_words() {
    let mut model = model_of(Subject::Passages, 80, 24);
    for (sort, head) in [(Sort::Path, "text, by path"), (Sort::Recent, "text, the latest first")] {
        model.list.view.sort = sort;
        let shown = screen(&model, &plain());
        assert!(shown.lines().nth(2).unwrap().contains(head), "{shown}");
    }
}

#[test]
fn one_is_not_said_to_be_several() {
    let mut model = model_of(Subject::Passages, 120, 30);
    let hidden = HiddenCounts { rows: 1, copies: 2, documents: 2 };
    model.list.listing = Listing { hidden, ..(*model.list.listing).clone() }.into();
    assert!(screen(&model, &plain()).contains("1 passage hidden as taboo"));
    let mut model = showing(ViewPage::Activity, 120, 30);
    let mut activity = (**model.activity.as_ref().unwrap()).clone();
    let segment = SegmentSummary { name: "1.segment".into(), bytes: 1, files: 1, dead: 0 };
    let totals = Totals { documents: 1, tokens: 1, postings: 1, ..Totals::default() };
    activity.index = Some(IndexState { totals, segments: vec![segment], ..IndexState::default() }.into());
    model.activity = Some(activity.into());
    let shown = screen(&model, &plain());
    let words: Vec<&str> = shown.split_whitespace().collect();
    for wrong in ["files", "documents of", "tokens", "postings in"] {
        assert!(!words.join(" ").contains(&format!(" 1 {wrong}")), "{shown}");
    }
}

#[test]
fn a_terminal_that_is_too_small_is_told_what_is_needed() {
    for (columns, lines) in [(15, 5), (12, 4), (200, 5), (19, 60)] {
        let shown = screen(&model_of(Subject::Passages, columns, lines), &plain());
        let glyphs = shown.split("\n\n").next().unwrap().replace('\n', " ");
        assert_eq!(
            glyphs.split_whitespace().collect::<Vec<_>>().join(" "),
            format!("20×6 needed, this is {columns}×{lines}")
        );
    }
}

#[test]
fn a_row_that_stands_for_several_blots_says_how_many_more() {
    let mut model = model_of(Subject::Blots, 80, 24);
    let Update::Rows(rows) = listing(&model, 3) else { panic!("no rows") };
    let mut rows = (*rows).clone();
    let Item::Row(first) = &rows.rows[0] else { panic!("no blots") };
    let mut merged = (**first).clone();
    merged.blots = (1..=4).map(|number| Blot::new(number).unwrap()).collect();
    rows.rows[0] = Item::Row(merged.into());
    tell(&mut model, Update::Rows(rows.into()));
    let row = |model: &Model, number: usize| {
        let line = screen(model, &plain()).lines().nth(3 + number).unwrap().to_owned();
        line.split('│').next().unwrap().to_owned()
    };
    assert!(row(&model, 0).ends_with("… +3") && !row(&model, 1).contains('+'), "{}", row(&model, 0));
    model.reader.split.list = Some(0);
    assert!(!row(&model, 0).contains('+'), "the text needs the room: {}", row(&model, 0));
}
