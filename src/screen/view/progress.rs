//! The state of the indexer in words, and its speed as a sparkline.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::text::{grouped, put, several};
use crate::theme::Theme;
use dupi_base::config::Size;
use dupi_session::{Phase, Progress, Watching};

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
            Watching::Events => Some("watching".to_owned()),
            Watching::Polling(every) => Some(format!("looking every {} s", every.as_secs_f64())),
            // The folder is watched after it was read.
            Watching::Off if progress.read_only.is_some() => None,
            Watching::Off => (progress.phase == Phase::Idle).then(|| "not watching".to_owned()),
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
pub(crate) fn draw_speeds(
    buffer: &mut Buffer,
    area: Rect,
    room: usize,
    speeds: &[u64],
    theme: &Theme,
) -> u16 {
    let shown = &speeds[speeds.len() - speeds.len().min(room)..];
    let most = shown.iter().copied().max().unwrap_or(0).max(1);
    let last = theme.glyphs.blocks.len() - 1;
    for (x, &speed) in (area.x..).zip(shown) {
        let level = (speed as f64 / most as f64 * last as f64).round() as usize;
        put(buffer, x, area.y, 1, theme.glyphs.blocks[level.min(last)], theme.accent);
    }
    shown.len() as u16
}
