//! The activity view: the indexer and its speed, the index, the watcher, skipped files, and the latest events.

use std::time::Duration;

use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::action::Action as A;
use crate::text::{Canvas, behind, below, grouped, several, wrapped};
use crate::theme::{Theme, glyphs};
use crate::views::spec::{FooterSpec, LinesContext, LinesSpec, ViewSpec};
use dupi_base::config::Size;
use dupi_base::storage::shown;
use dupi_session::{
    Activity, ActivityEvent, ActivityKind, Committed, IndexState, Phase, Progress, Request, Watch,
};

/// The view.
pub(crate) static VIEW: LinesSpec = LinesSpec {
    view: ViewSpec {
        name: "activity",
        id: "activity",
        keys: &["6"],
        words: "what the program does: indexing, errors, log",
        also: "progress status events problems",
        footer: FooterSpec {
            keys: &[A::Down, A::Skipped, A::NextView, A::Help, A::Quit, A::Palette],
            marked: &[],
            words: &[(A::Down, "scroll")],
        },
    },
    request: || Request::Activity,
    count,
    draw,
    enter: A::Skipped,
};

/// How wide the names at the left are.
const NAMES: u16 = 11;
/// The most lines that one thing takes.
const LONGEST: usize = 4;

/// What kind of line it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LineKind {
    Plain,
    Quiet,
    Alarm,
    /// A sparkline of speeds.
    Speeds,
}

/// A line: its subject, once for several lines, and its text.
struct ActivityLine {
    name: &'static str,
    words: String,
    kind: LineKind,
}

/// Draws it, from the line on that it is scrolled to.
fn draw(canvas: &mut Canvas, area: Rect, context: &LinesContext) {
    let lines = lines(context);
    for (row, line) in below(area, 1).rows().zip(lines.iter().skip(context.first)) {
        let row = behind(row, 2);
        canvas.put(row, line.name, canvas.theme.accent);
        let text = Rect { width: room(area.width), ..behind(row, NAMES) };
        match line.kind {
            LineKind::Speeds => draw_speed_line(canvas, text, context),
            kind => {
                canvas.put(text, &line.words, style(kind, canvas.theme));
            }
        }
    }
}

/// How much room there is beside the names.
fn room(width: u16) -> u16 {
    width.saturating_sub(NAMES + 3)
}

fn style(kind: LineKind, theme: &Theme) -> Style {
    match kind {
        LineKind::Plain | LineKind::Speeds => theme.text,
        LineKind::Quiet => theme.quiet,
        LineKind::Alarm => theme.alarm,
    }
}

/// How many lines there are.
fn count(context: &LinesContext) -> usize {
    lines(context).len()
}

fn lines(context: &LinesContext) -> Vec<ActivityLine> {
    let unknown = Activity::default();
    let activity = context.activity.unwrap_or(&unknown);
    let mut lines = Vec::new();
    let room = usize::from(room(context.width));
    let mut section = |name: &'static str, said: Vec<Said>| {
        let has_some = !said.is_empty();
        let said = said.into_iter().flat_map(|(words, kind)| {
            // Most fit, and they are many.
            let lines = if words.len() <= room { vec![words] } else { wrapped(&words, room, LONGEST) };
            lines.into_iter().map(move |words| (words, kind))
        });
        for (number, (words, kind)) in said.enumerate() {
            lines.push(ActivityLine { name: if number == 0 { name } else { "" }, words, kind });
        }
        if has_some {
            lines.push(ActivityLine { name: "", words: String::new(), kind: LineKind::Plain });
        }
    };
    let progress = context.progress.unwrap_or(&activity.progress);
    section("indexer", indexer(progress));
    section("index", activity.index.as_deref().map(index).unwrap_or_default());
    section("watcher", watcher(progress, activity));
    section("left out", activity.index.as_deref().map(left_out).unwrap_or_default());
    section("events", activity.events.iter().rev().map(event).collect());
    lines
}

/// A line of text, and what kind it is.
type Said = (String, LineKind);

fn indexer(progress: &Progress) -> Vec<Said> {
    let mut said = match &progress.phase {
        Phase::Failed(sentence) => vec![(sentence.clone(), LineKind::Alarm)],
        _ => vec![(state(progress, None, usize::MAX), LineKind::Plain)],
    };
    if !progress.speeds.is_empty() {
        said.push((String::new(), LineKind::Speeds));
    }
    said
}

fn index(index: &IndexState) -> Vec<Said> {
    let totals = &index.totals;
    let share = totals.index_bytes as f64 / totals.bytes.max(1) as f64 * 100.0;
    let [documents, tokens, postings] =
        [(totals.documents, "document"), (totals.tokens, "token"), (totals.postings, "posting")]
            .map(|(count, one)| several(count, one));
    let (bytes, index_bytes) = (Size(totals.bytes), Size(totals.index_bytes));
    let all = format!(
        "{documents} of {bytes}, {tokens}; {postings} in {index_bytes} on disk ({share:.1} % of the text)"
    );
    let segments = index.segments.iter().rev().map(|segment| {
        let dead = if segment.dead > 0 { format!(", {} gone", grouped(segment.dead)) } else { String::new() };
        let (bytes, files) = (Size(segment.bytes), several(segment.files, "file"));
        (format!("{:<26} {bytes:>8}  {files}{dead}", segment.name), LineKind::Quiet)
    });
    std::iter::once((all, LineKind::Plain)).chain(segments).collect()
}

fn watcher(progress: &Progress, activity: &Activity) -> Vec<Said> {
    let followed = match progress.watching {
        Watch::Off => "changes of the folder are not followed".to_owned(),
        Watch::Events => format!("the system tells of changes in {}", several(activity.folders, "folder")),
        Watch::Poll(every) => format!("the folder is looked through every {} s", every.as_secs_f64()),
    };
    let trouble = activity.trouble.iter().map(|trouble| (trouble.clone(), LineKind::Alarm));
    std::iter::once((followed, LineKind::Plain)).chain(trouble).collect()
}

fn left_out(index: &IndexState) -> Vec<Said> {
    let group = |group: &dupi_session::SkippedGroup| {
        let first: Vec<_> = group.first.iter().map(|path| shown(path).text()).collect();
        let more = if group.count > first.len() as u64 { ", …" } else { "" };
        let (count, first) = (grouped(group.count), first.join(", "));
        (format!("{count:>6}  {}: {first}{more}", group.reason), LineKind::Plain)
    };
    index.skipped.iter().map(group).collect()
}

fn event(event: &ActivityEvent) -> Said {
    let words = match &event.what {
        ActivityKind::Committed(commit) => committed(commit),
        ActivityKind::Merged { generation, segments, took } => {
            let segments = several(*segments as u64, "segment");
            format!("merged: generation {generation} has {segments}, {}", time(*took))
        }
        ActivityKind::Searched { passages, took } => {
            format!("found {}, {}", several(*passages, "passage"), time(*took))
        }
        ActivityKind::Decided(sentence) | ActivityKind::Notice(sentence) | ActivityKind::Failed(sentence) => {
            sentence.clone()
        }
    };
    let kind = match event.what {
        ActivityKind::Merged { .. } => LineKind::Quiet,
        ActivityKind::Failed(_) => LineKind::Alarm,
        _ => LineKind::Plain,
    };
    (format!("{}  {words}", event.at.strftime("%H:%M:%S")), kind)
}

fn committed(commit: &Committed) -> String {
    let counts = [(commit.read, "read"), (commit.gone, "gone"), (commit.moved, "moved")];
    let counts: Vec<String> = counts
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| format!("{} {what}", grouped(*count)))
        .collect();
    let counts = if counts.is_empty() { "nothing changed".to_owned() } else { counts.join(", ") };
    let documents = several(commit.documents, "document");
    format!("generation {}: {counts}; {documents}, {}", commit.generation, time(commit.took))
}

/// A time in words: milliseconds up to a second.
fn time(took: Duration) -> String {
    if took < Duration::from_secs(1) {
        format!("{} ms", took.as_millis())
    } else {
        format!("{:.1} s", took.as_secs_f64())
    }
}

/// The speed of indexing over time.
fn draw_speed_line(canvas: &mut Canvas, area: Rect, context: &LinesContext) {
    let Some(progress) = context.progress else { return };
    let most = progress.speeds.iter().copied().max().unwrap_or(0);
    let ends = format!("  at most {}/s", Size(most));
    let room = usize::from(area.width).saturating_sub(ends.len());
    let drawn = draw_speeds(canvas, area, room, &progress.speeds);
    canvas.put(behind(area, drawn), &ends, canvas.theme.quiet);
}

/// The state of the indexer in words, with what changed last; the last ones are omitted if there is no room.
pub(crate) fn state(progress: &Progress, changed: Option<String>, room: usize) -> String {
    let documents = |count: u64| several(count, "document");
    let mut words = match &progress.phase {
        Phase::Opening => vec!["opening…".to_owned()],
        Phase::Walking => vec!["looking for changes…".to_owned()],
        Phase::Indexing => vec![
            format!("indexing {} of {} files", grouped(progress.files.0), grouped(progress.files.1)),
            format!("{}/s", Size(progress.speed as u64)),
            documents(progress.documents),
        ],
        Phase::Idle => vec![documents(progress.documents)],
        Phase::Failed(_) => vec!["stopped".to_owned()],
    };
    if matches!(progress.phase, Phase::Idle | Phase::Indexing) {
        // The process that writes the index follows the changes.
        words.extend(match progress.watching {
            Watch::Events => Some("watching".to_owned()),
            Watch::Poll(every) => Some(format!("looking every {} s", every.as_secs_f64())),
            // The folder is watched after it was read.
            Watch::Off if progress.read_only.is_some() => None,
            Watch::Off => (progress.phase == Phase::Idle).then(|| "not watching".to_owned()),
        });
        if progress.skipped > 0 {
            words.push(format!("{} left out", grouped(progress.skipped)));
        }
        words.extend(changed);
    }
    if let Some(holder) = &progress.read_only {
        words.insert(0, format!("read only: {holder} writes this index"));
        words.insert(1, "what it commits is shown".to_owned());
    }
    let is_too_long = |words: &[String]| words.join(" · ").chars().count() > room;
    while words.len() > 1 && is_too_long(&words) {
        words.pop();
    }
    if progress.read_only.is_some() && is_too_long(&words) {
        words = vec!["read only".to_owned()];
    }
    words.join(" · ")
}

/// Draws the most recent speeds as a sparkline; returns their number.
pub(crate) fn draw_speeds(canvas: &mut Canvas, area: Rect, room: usize, speeds: &[u64]) -> u16 {
    let shown = &speeds[speeds.len() - speeds.len().min(room)..];
    let most = shown.iter().copied().max().unwrap_or(0).max(1);
    let blocks = glyphs::BLOCKS;
    for (cell, &speed) in area.columns().zip(shown) {
        let level = (speed as f64 / most as f64 * (blocks.len() - 1) as f64).round() as usize;
        canvas.put(cell, blocks[level.min(blocks.len() - 1)], canvas.theme.accent);
    }
    shown.len() as u16
}
