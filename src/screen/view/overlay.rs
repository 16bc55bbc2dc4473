//! Draws overlays: help, palette, skipped files, questions.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::popup::{draw_list, say_more};
use super::prompt::draw_line;
use super::{blame, criteria_form, help, menu, taboo_dialog};
use crate::action::{BINDINGS, Binding, matching_actions, no_match_hint};
use crate::cells;
use crate::input_line::InputLine;
use crate::model::{HelpPage, Model, Overlay};
use crate::text::{grouped, wrapped};
use crate::theme::Theme;
use dupi_base::corpus::Skipped;
use dupi_base::storage::shown;
use dupi_session::Phase;

/// The largest number of matches in the palette,
const PALETTE: usize = 14;
/// and its width where there is room.
const PALETTE_WIDTH: usize = 98;
/// The width of what is told of commits, where there is room.
const BLAME_WIDTH: usize = 110;
/// The width of keys on a narrow screen.
const KEYS_LEAST: usize = 9;
/// From this width on descriptions are beside the keys,
const WORDS_BESIDE_FROM: u16 = 72;
/// otherwise below the list, with so many lines.
const WORDS_BELOW: usize = 2;

/// Draws the overlay, if there is one.
pub(super) fn draw(buffer: &mut Buffer, screen: Rect, model: &Model, theme: &Theme) {
    match &model.dialogue.overlay {
        None => {}
        Some(Overlay::Help(help)) => {
            // The width stays the same while the user types.
            let whole = HelpPage::of(help.context);
            let lines = vec![
                " ".repeat(help::width(model, &whole, screen.width));
                help::count(model, help, screen.width).max(1)
            ];
            let typed = help.search.as_ref();
            let title = typed.map_or("keys: / searches".to_owned(), |line| format!("keys: /{}", line.text()));
            let area = draw_list(buffer, screen, &title, &lines, help.first, theme);
            help::draw(buffer, area, model, help, theme);
        }
        Some(Overlay::Skipped(None, _)) => {
            draw_list(buffer, screen, "files left out", &["reading…".into()], 0, theme);
        }
        Some(Overlay::Skipped(Some(files), first)) => {
            let title = format!("{} left out", grouped(Skipped::count_all(files)));
            let height = usize::from(screen.height);
            let from = (*first).min(files.len().saturating_sub(1));
            let visible = files.iter().skip(from).take(height);
            let line = |left: &Skipped| {
                let more =
                    if left.more > 0 { format!(", and {} more", grouped(left.more)) } else { String::new() };
                format!("{}: {}{more}", shown(&left.path), left.reason)
            };
            let lines: Vec<String> = visible.map(line).collect();
            let lines = if files.is_empty() { vec!["No file was left out.".to_owned()] } else { lines };
            draw_list(buffer, screen, &title, &lines, 0, theme);
        }
        Some(Overlay::Blame(at, answer, first)) => {
            let width = usize::from(screen.width.saturating_sub(4)).min(BLAME_WIDTH);
            let lines = blame::lines(answer.as_deref(), width);
            draw_list(buffer, screen, &blame::title(at), &lines, *first, theme);
        }
        Some(Overlay::Mismatch(sentence)) => {
            let phase = model.progress.as_ref().map(|progress| &progress.phase);
            let (title, keep) = match phase {
                Some(Phase::Failed(_)) => {
                    ("an index that cannot be read", "k  leave it; nothing can be shown")
                }
                _ => ("another recipe", "k  keep it as it is"),
            };
            let lines = asked(screen, sentence, &["r  build the index anew", keep]);
            draw_list(buffer, screen, title, &lines, 0, theme);
        }
        Some(Overlay::Replace(_, file)) => {
            let sentence = format!("{} is there already.", shown(file));
            let lines = asked(screen, &sentence, &["y  write over it", "n  leave it"]);
            draw_list(buffer, screen, "replace", &lines, 0, theme);
        }
        Some(Overlay::Palette(line, chosen)) => draw_palette(buffer, screen, model, line, *chosen, theme),
        Some(Overlay::Menu(menu, chosen)) => menu::draw(buffer, screen, model, menu, *chosen, theme),
        Some(Overlay::Criteria(form)) => criteria_form::draw(buffer, screen, form, theme),
        Some(Overlay::Before(before)) => taboo_dialog::draw(buffer, screen, before, theme),
    }
}

/// The lines of a question and its answers.
fn asked(screen: Rect, sentence: &str, answers: &[&str]) -> Vec<String> {
    let width = usize::from(screen.width.saturating_sub(8)).clamp(10, 70);
    // The answers are always visible.
    let room = usize::from(screen.height).saturating_sub(answers.len() + 3);
    let mut lines = wrapped(sentence, width, room);
    lines.push(String::new());
    lines.extend(answers.iter().map(|answer| (*answer).to_owned()));
    lines
}

fn draw_palette(
    buffer: &mut Buffer,
    screen: Rect,
    model: &Model,
    line: &InputLine,
    chosen: usize,
    theme: &Theme,
) {
    let found = matching_actions(line.text());
    let context = model.key_context();
    // On a narrow screen only the chosen match has a description.
    let below = if screen.width < WORDS_BESIDE_FROM { WORDS_BELOW } else { 0 };
    let room = PALETTE.min(usize::from(screen.height.saturating_sub(4)).saturating_sub(below)).max(1);
    let first = chosen.saturating_sub(room - 1);
    // The size of the box stays the same while the user types.
    let width = usize::from(screen.width.saturating_sub(4)).min(PALETTE_WIDTH);
    let mut lines = vec![" ".repeat(width)];
    let keys = |binding: &Binding| model.settings.keymap.words(binding.action, theme.glyphs.are_ascii());
    let widest = BINDINGS.iter().map(|binding| keys(binding).chars().count()).max().unwrap_or(0);
    let beside = if width < PALETTE_WIDTH { widest.min(KEYS_LEAST) } else { widest };
    let words = |binding: &Binding| {
        let elsewhere = if binding.contexts.meets(context) { "" } else { " (elsewhere)" };
        format!("{}{elsewhere}", binding.words)
    };
    for binding in found.iter().skip(first).take(room) {
        let name = binding.id.replace('-', " ");
        let keys = keys(binding);
        let keys = cells::fit_whole(&keys, beside);
        let words = if below == 0 { words(binding) } else { String::new() };
        lines.push(format!("{name:<16} {keys:<beside$} {words}"));
    }
    if found.is_empty() {
        let is_number = line.text().trim().parse::<usize>().is_ok();
        lines.push(if is_number {
            "Enter goes to this line.".into()
        } else {
            no_match_hint(line.text()).to_owned()
        });
    }
    lines.resize(room + 1, String::new());
    if let Some(binding) = found.get(chosen).filter(|_| below > 0) {
        lines.extend(wrapped(&words(binding), width, below));
    }
    lines.resize(room + 1 + below, String::new());
    let area = draw_list(buffer, screen, "actions", &lines, 0, theme);
    if area.is_empty() {
        return;
    }
    if first + room < found.len() {
        say_more(buffer, area, theme);
    }
    draw_line(buffer, Rect { height: 1, ..area }, line, &[], theme);
    let at = area.y + 1 + (chosen - first) as u16;
    if at < area.bottom() && !found.is_empty() {
        buffer.set_style(Rect { y: at, height: 1, ..area }, theme.selected);
    }
}
