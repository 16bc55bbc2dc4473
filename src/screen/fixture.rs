//! Test fixtures: a model with made-up rows, previews and progress.

pub(super) mod rows;

use std::sync::Arc;
use std::time::Duration;

use crossterm::event::{KeyCode, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use rustix::time::{ClockId, clock_gettime};

use crate::action::ViewPage;
use crate::event::{Effect, TuiEvent};
use crate::keys::key_press::KeyPress;
use crate::model::Model;
use crate::saved_screen::SavedScreen;
use crate::theme::Theme;
use crate::update::update;
use crate::view;
use crate::views::{list_of, view_of};
use dupi_index::index::snapshot::Totals;
use dupi_index::query::page::line_starts;
use dupi_index::query::{ByteSpan, Occurrence};
use dupi_judge::passages::PassageId;
use dupi_session::{
    Activity, ActivityKind, Committed, CopyVariant, CounterpartView, DocumentView, Duplicated, IndexState,
    Item, Likeness, Listing, Phase, Preview, Progress, Request, SegmentSummary, SkippedGroup, Subject,
    Update, View, Watch,
};

/// The text of every document here.
pub(super) const TEXT: &str = "# A letter\n\nDear friend,\tthe 港 is closed.\nThis message is meant for nobody else, \
    and whoever reads it on a narrow screen will see it wrapped.\n\u{1b}[31mEnd\u{202e}.\n";

/// The rows of the view that are all there are.
pub(super) fn listing(model: &Model, count: u64) -> Update {
    let texts = [
        "This message is meant for nobody else",
        "Kind\nregards, Ida",
        "港の図書室は\u{1b}[2J",
        "fn main() {}",
    ];
    let of = list_of(model.list.view.of).example;
    let rows = (0..count).map(|number| of(number, texts[number as usize % texts.len()])).collect();
    let view = model.list.view.clone();
    Update::Rows(Arc::new(Listing {
        view,
        rows,
        complete: true,
        searched: 1.0,
        repeated: 99,
        spread: std::array::from_fn(|class| if class < 12 { 60_000 >> (2 * class) } else { 0 }),
        greatest: 3_127,
        ..Listing::default()
    }))
}

/// The copies of a row, the document of one of them.
pub(super) fn preview(row: &Item, current: usize) -> Update {
    if matches!(row, Item::Cluster(cluster) if cluster.likeness == Likeness::Trees) {
        return Update::Preview(Arc::new(Preview { row: Some(row.clone()), ..Preview::default() }));
    }
    let start = TEXT.find("This message").unwrap() as u64;
    let span = ByteSpan { start, end: start + 37 };
    let occurrence = |number: usize| Occurrence {
        path: format!("letters/{number}.md").into(),
        record: (number == 1).then_some(7),
        span,
        text_span: span,
        line: 4,
        column: 1,
        end_line: 4,
        end_column: 38,
    };
    let document = DocumentView {
        path: format!("letters/{current}.md").into(),
        text: TEXT.to_owned().into(),
        line_starts: line_starts(TEXT).into(),
        language: None,
        duplicated: vec![
            Duplicated { span: ByteSpan { start: 2, end: 10 }, taboo: true },
            Duplicated { span: ByteSpan { start: start - 9, end: span.end + 20 }, taboo: false },
        ],
        examined: ByteSpan { start: 0, end: TEXT.len() as u64 },
    };
    let beside =
        if current == 0 { itself(&document, occurrence(0)) } else { beside(&document, occurrence(0)) };
    Update::Preview(Arc::new(Preview {
        row: Some(row.clone()),
        occurrences: Arc::new((0..3).map(occurrence).collect()),
        unread: 40,
        current,
        similarity: if current == 0 { 1.0 } else { 0.931 },
        document: Some(Arc::new(document)),
        alike: Arc::new(if matches!(row, Item::Passage(_)) { vec![100, 93, 88] } else { Vec::new() }),
        variants: Arc::new(match row {
            Item::Passage(_) => [(1, 0), (2, 1), (3, 2)]
                .map(|(print, differing)| Some(CopyVariant { print, differing }))
                .to_vec(),
            _ => Vec::new(),
        }),
        within: Arc::new(vec![Some("A letter".into()), None, Some("Two words\u{1b} and some more".into())]),
        heat: Arc::new(vec![0, 2, 0, 0, 40, 1, 0, 0, 0, 1]),
        added: Arc::new(if matches!(row, Item::Review(_)) {
            std::iter::once(3..4).collect()
        } else {
            Vec::new()
        }),
        changed: Arc::new(if matches!(row, Item::Review(_)) { vec![true, false, false] } else { Vec::new() }),
        is_compared: true,
        differs: if current == 0 {
            Vec::new()
        } else {
            vec![ByteSpan { start: start + 13, end: start + 15 }]
        },
        copies: vec![span],
        beside: Some(Arc::new(beside)),
        stretch: matches!(row, Item::Document(_) | Item::Folder(_)).then_some((PassageId(3), 57)),
        problem: None,
    }))
}

/// The first copy, compared with itself.
fn itself(document: &DocumentView, at: Occurrence) -> CounterpartView {
    let start = at.text_span.start as u32;
    CounterpartView {
        at,
        document: Arc::new(document.clone()),
        differs: Vec::new(),
        pairs: vec![(start, start)],
    }
}

/// The first copy, where one more word stands and two more lines above it.
fn beside(document: &DocumentView, at: Occurrence) -> CounterpartView {
    let text = format!("Two more\nlines.\n{}", TEXT.replace("message is", "message, dear, is"));
    let found = |text: &str, word: &str| text.find(word).unwrap() as u32;
    let pairs = ["This", "message", "meant", "nobody"].map(|word| (found(TEXT, word), found(&text, word)));
    let dear = text.find("dear,").unwrap() as u64;
    let start = u64::from(found(&text, "This message"));
    let line_starts = line_starts(&text).into();
    CounterpartView {
        at: Occurrence { text_span: ByteSpan { start, end: start + 43 }, line: 6, ..at },
        document: Arc::new(DocumentView {
            path: document.path.clone(),
            text: text.into(),
            line_starts,
            ..DocumentView::default()
        }),
        differs: vec![ByteSpan { start: dear, end: dear + 4 }],
        pairs: pairs.to_vec(),
    }
}

/// An indexer that has nothing to do.
pub(super) fn idle() -> Update {
    Update::Progress(Progress {
        phase: Phase::Idle,
        documents: 12_345,
        generation: 7,
        skipped: 3,
        watching: Watch::Events,
        ..Progress::default()
    })
}

/// An indexer at work.
pub(super) fn indexing() -> Update {
    Update::Progress(Progress {
        phase: Phase::Indexing,
        files: (300, 1200),
        bytes: (3 << 20, 12 << 20),
        speed: 150e6,
        current: Some("letters/\u{1b}]0;x\u{7}1.md".into()),
        speeds: [20, 90, 150, 140, 160, 120].map(|speed| speed * 1_000_000).into(),
        ..Progress::default()
    })
}

/// Takes an update of the session in.
pub(super) fn tell(model: &mut Model, update_: Update) -> Vec<Effect> {
    update(model, TuiEvent::Session(update_), Duration::ZERO)
}

/// A screen with rows of blots and the first one's copies.
pub(super) fn model(columns: u16, lines: u16) -> Model {
    model_of(Subject::Blots, columns, lines)
}

/// A screen with rows and the first one's copies.
pub(super) fn model_of(subject: Subject, columns: u16, lines: u16) -> Model {
    let mut model = Model::new("/home/ida/letters".into(), (columns, lines));
    (model.list.view, model.page) = (view_of(subject), ViewPage::List(subject));
    tell(&mut model, idle());
    let rows = listing(&model, 30);
    tell(&mut model, rows);
    let selected = model.list.row().cloned().unwrap();
    tell(&mut model, preview(&selected, 0));
    model
}

/// What went on in a made-up corpus.
fn activity() -> Activity {
    let at = |second| {
        jiff::civil::date(2026, 1, 2).at(12, 3, second, 0).to_zoned(jiff::tz::TimeZone::UTC).unwrap()
    };
    let committed = Committed {
        generation: 7,
        read: 3,
        gone: 1,
        moved: 0,
        changed: 4,
        documents: 12_345,
        took: Duration::from_millis(27),
    };
    let events = [
        ActivityKind::Committed(committed),
        ActivityKind::Searched { passages: 1234, took: Duration::from_millis(2340) },
        ActivityKind::Merged { generation: 8, segments: 2, took: Duration::from_millis(310) },
        ActivityKind::Failed("cannot write: No space left on device; make room".into()),
    ];
    let segment = |number: u64| SegmentSummary {
        name: format!("{number:08}.segment"),
        bytes: 5_000_000 >> number,
        files: 12_000 >> number,
        dead: number * 3,
    };
    let skipped = SkippedGroup {
        reason: "binary".into(),
        count: 3,
        first: vec!["a.bin".into(), "b\u{1b}.bin".into(), "c.bin".into()],
    };
    let totals = Totals {
        documents: 12_345,
        bytes: 90_000_000,
        tokens: 14_000_000,
        postings: 1_500_000,
        index_bytes: 7_500_000,
        ..Totals::default()
    };
    let index =
        IndexState { generation: 7, totals, segments: (0..2).map(segment).collect(), skipped: vec![skipped] };
    Activity {
        index: Some(Arc::new(index)),
        folders: 410,
        events: events
            .into_iter()
            .zip(1..)
            .map(|(what, second)| dupi_session::ActivityEvent { at: at(second), what })
            .collect(),
        ..Activity::default()
    }
}

/// A screen with a view.
pub(super) fn showing(page: ViewPage, columns: u16, lines: u16) -> Model {
    match page {
        ViewPage::List(of) => model_of(of, columns, lines),
        ViewPage::Activity => {
            let mut model = Model::new("/home/ida/letters".into(), (columns, lines));
            model.page = page;
            tell(&mut model, idle());
            tell(&mut model, Update::Activity(Arc::new(activity())));
            model
        }
    }
}

/// The processor time of this thread alone.
pub(crate) fn processor_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// Presses keys, as they are written in the settings.
pub(super) fn keys(model: &mut Model, names: &str) -> Vec<Effect> {
    let keys = names.split_whitespace().map(|name| name.parse::<KeyPress>().unwrap().pressed());
    keys.flat_map(|key| update(model, TuiEvent::Key(key), model.now)).collect()
}

/// Types letters; control characters stand for the keys that send them.
pub(super) fn press(model: &mut Model, letters: &str) -> Vec<Effect> {
    let key = |letter| match letter {
        '\r' => KeyCode::Enter,
        '\u{1b}' => KeyCode::Esc,
        '\t' => KeyCode::Tab,
        '\u{8}' => KeyCode::Backspace,
        letter => KeyCode::Char(letter),
    };
    letters.chars().flat_map(|letter| update(model, TuiEvent::Key(key(letter).into()), model.now)).collect()
}

/// Uses the mouse at a cell.
pub(super) fn mouse(model: &mut Model, kind: MouseEventKind, at: (u16, u16)) -> Vec<Effect> {
    let event = MouseEvent { kind, column: at.0, row: at.1, modifiers: KeyModifiers::NONE };
    update(model, TuiEvent::Mouse(event), model.now)
}

/// Presses the left button at a cell.
pub(super) fn click(model: &mut Model, at: (u16, u16)) -> Vec<Effect> {
    mouse(model, MouseEventKind::Down(MouseButton::Left), at)
}

/// Takes an update in that is made from the state.
pub(super) fn tell_of(model: &mut Model, update: impl FnOnce(&Model) -> Update) -> Vec<Effect> {
    let update = update(model);
    tell(model, update)
}

/// Takes a copy of the selected row in, by its number.
pub(super) fn show_copy(model: &mut Model, number: usize) -> Vec<Effect> {
    tell_of(model, |model| preview(model.list.row().unwrap(), number))
}

/// The screen, drawn with a theme.
pub(super) fn drawn(model: &Model, theme: &Theme) -> Buffer {
    let mut terminal = Terminal::new(TestBackend::new(model.size.0, model.size.1)).unwrap();
    terminal.draw(|frame| view::draw(frame, model, theme)).unwrap();
    terminal.backend().buffer().clone()
}

/// Rows that are all there are of the view.
pub(super) fn all_rows(model: &Model, rows: impl IntoIterator<Item = Item>) -> Update {
    let (view, rows) = (model.list.view.clone(), rows.into_iter().collect());
    Update::Rows(Listing { view, rows, complete: true, ..Listing::default() }.into())
}

/// Takes rows in that are all there are.
pub(super) fn list(model: &mut Model, rows: impl IntoIterator<Item = Item>) -> Vec<Effect> {
    let rows = all_rows(model, rows);
    tell(model, rows)
}

/// Takes passages with these numbers in.
pub(super) fn list_passages(model: &mut Model, numbers: impl IntoIterator<Item = u64>) -> Vec<Effect> {
    list(model, numbers.into_iter().map(|number| rows::passage(number, "text")))
}

/// The first request that is looked for.
pub(super) fn request_of<'e, T>(effects: &'e [Effect], find: impl Fn(&'e Request) -> Option<T>) -> Option<T> {
    effects.iter().find_map(|effect| if let Effect::Ask(request) = effect { find(request) } else { None })
}

/// The request for rows.
pub(super) fn asked_view(effects: &[Effect]) -> Option<&View> {
    request_of(effects, |request| if let Request::Rows(view) = request { Some(view) } else { None })
}

/// A screen that is opened with what was remembered of another one.
pub(super) fn again(model: &Model) -> Model {
    let text = serde_json::to_string(&SavedScreen::save(model)).unwrap();
    let mut again = Model::new("again".into(), model.size);
    serde_json::from_str::<SavedScreen>(&text).unwrap().restore(&mut again);
    again
}
