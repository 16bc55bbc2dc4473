//! Draws overlays: help, palette, skipped files, questions, the commits that a copy comes from, and the preview of a taboo
//! decision.
//!
//! That preview has the counts, then the chosen rows and the most frequent of the other rows that would be hidden. The
//! reason at the top and the keys at the bottom do not scroll.

use ratatui::layout::Rect;

use crate::cells;
use crate::input_line::InputLine;
use crate::keys::lookup::{matching_actions, no_match_hint};
use crate::keys::{BINDINGS, Binding};
use crate::model::{HelpPage, Model, Overlay, TabooDialog};
use crate::text::{Canvas, grouped, row_of, several, wrapped};
use crate::theme::glyphs;
use crate::view::popup::{draw_list, say_more};
use crate::view::status::draw_line;
use crate::view::{help, popup};
use dupi_base::corpus::Skipped;
use dupi_base::storage::shown;
use dupi_index::query::Occurrence;
use dupi_index::taboo::TabooScope;
use dupi_report::day;
use dupi_session::{BlameAnswer, BlamedLines, Phase};

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
/// otherwise below the list, in this number of lines.
const WORDS_BELOW: usize = 2;

/// Draws the overlay, if there is one.
pub(crate) fn draw(canvas: &mut Canvas, screen: Rect, model: &Model) {
    match &model.dialogue.overlay {
        None => {}
        Some(Overlay::Help(help)) => {
            // The width stays the same while the user types.
            let whole = HelpPage::new(help.context);
            let lines = vec![
                " ".repeat(help::width(model, &whole, screen.width));
                help::count(model, help, screen.width).max(1)
            ];
            let typed = help.search.as_ref();
            let title = typed.map_or("keys: / searches".to_owned(), |line| format!("keys: /{}", line.text()));
            let area = draw_list(canvas, screen, &title, &lines, help.first);
            help::draw(canvas, area, model, help);
        }
        Some(Overlay::Skipped(None, _)) => {
            draw_list(canvas, screen, "files left out", &["reading…".into()], 0);
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
            draw_list(canvas, screen, &title, &lines, 0);
        }
        Some(Overlay::Blame(at, answer, first)) => {
            let width = usize::from(screen.width.saturating_sub(4)).min(BLAME_WIDTH);
            let lines = blame_lines(answer.as_deref(), width);
            draw_list(canvas, screen, &blame_title(at), &lines, *first);
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
            draw_list(canvas, screen, title, &lines, 0);
        }
        Some(Overlay::Replace(_, file)) => {
            let sentence = format!("{} is there already.", shown(file));
            let lines = asked(screen, &sentence, &["y  write over it", "n  leave it"]);
            draw_list(canvas, screen, "replace", &lines, 0);
        }
        Some(Overlay::Palette(line, chosen)) => draw_palette(canvas, screen, model, line, *chosen),
        Some(Overlay::Menu(menu, chosen)) => popup::draw_menu(canvas, screen, model, menu, *chosen),
        Some(Overlay::Criteria(form)) => popup::draw_criteria(canvas, screen, form),
        Some(Overlay::Before(before)) => draw_taboo(canvas, screen, before),
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

fn draw_palette(canvas: &mut Canvas, screen: Rect, model: &Model, line: &InputLine, chosen: usize) {
    let theme = canvas.theme;
    let found = matching_actions(line.text());
    let context = model.key_context();
    // On a narrow screen only the chosen match has a description.
    let below = if screen.width < WORDS_BESIDE_FROM { WORDS_BELOW } else { 0 };
    let room = PALETTE.min(usize::from(screen.height.saturating_sub(4)).saturating_sub(below)).max(1);
    let first = chosen.saturating_sub(room - 1);
    // The size of the box stays the same while the user types.
    let width = usize::from(screen.width.saturating_sub(4)).min(PALETTE_WIDTH);
    let mut lines = vec![" ".repeat(width)];
    let keys = |binding: &Binding| model.settings.keymap.words(binding.action, theme.is_ascii());
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
    let area = draw_list(canvas, screen, "actions", &lines, 0);
    if area.is_empty() {
        return;
    }
    if first + room < found.len() {
        say_more(canvas, area);
    }
    draw_line(canvas, area, line, &[]);
    if !found.is_empty() {
        let at = row_of(area, 1 + (chosen - first) as u16);
        canvas.buffer.set_style(at.intersection(area), theme.selected);
    }
}

/// The width of the number of lines.
const COUNT: usize = 11;
/// The widest that a name is.
const AUTHOR: usize = 20;

/// The heading: the file and lines.
fn blame_title(at: &Occurrence) -> String {
    format!("where {}:{}-{} comes from", shown(&at.path), at.line, at.end_line)
}

/// The lines, in a width; what is not known yet is said.
pub(crate) fn blame_lines(answer: Option<&BlameAnswer>, width: usize) -> Vec<String> {
    match answer.map(|answer| &answer.lines) {
        None => vec!["asking git…".to_owned()],
        Some(Err(sentence)) => crate::text::wrapped(sentence, width, usize::MAX),
        Some(Ok(lines)) => lines.iter().map(|of| blame_line(of, width)).collect(),
    }
}

fn blame_line(of: &BlamedLines, width: usize) -> String {
    let count = several(u64::from(of.lines), "line");
    let words = match &of.commit {
        None => "not committed yet".to_owned(),
        Some(commit) => {
            let author = cells::line(&commit.author, AUTHOR);
            format!("{} {} {author}: {}", commit.name, day(commit.seconds), commit.subject)
        }
    };
    format!("{count:>9}  {}", cells::line(&words, width.saturating_sub(COUNT)))
}

/// The largest width.
const WIDEST: u16 = 84;
/// Lines of the frame, the reason and the keys.
const AROUND: u16 = 4;
/// The number of chosen rows that are shown.
const CHOSEN: usize = 4;
/// The least width for the long label of the reason.
const WORDS_FROM: u16 = 60;
/// The width of the number of copies.
const COPIES: usize = 7;

/// Draws the dialog.
fn draw_taboo(canvas: &mut Canvas, screen: Rect, before: &TabooDialog) {
    let body = taboo_lines(before, screen.width, glyphs::MARKED);
    let room = taboo_room(screen.height);
    let first = before.first.min(body.len().saturating_sub(room));
    let mut shown = vec![" ".repeat(inner(screen.width))];
    shown.extend(body.iter().skip(first).take(room).cloned());
    shown.push(taboo_keys(before.scope, screen.width).to_owned());
    let area = draw_list(canvas, screen, "taboo", &shown, 0);
    if area.is_empty() {
        return;
    }
    if first + room < body.len() {
        say_more(canvas, area);
    }
    let why = if screen.width < WORDS_FROM { "why: " } else { "why (may be left out): " };
    let line = canvas.put(row_of(area, 0), why, canvas.theme.accent);
    draw_line(canvas, line, &before.reason, &[]);
}

/// The keys, with the corpora in which the text would be hidden.
fn taboo_keys(scope: TabooScope, columns: u16) -> &'static str {
    match scope {
        TabooScope::Corpus if columns < WORDS_FROM => "Enter hides it here, Tab everywhere",
        TabooScope::User if columns < WORDS_FROM => "Enter hides it everywhere, Tab here",
        TabooScope::Corpus => "Enter hides it in this corpus, Tab: in all corpora, Esc leaves it.",
        TabooScope::User => "Enter hides it in all corpora, Tab: in this corpus, Esc leaves it.",
    }
}

/// The last scroll position on a screen of this size.
pub(crate) fn farthest(before: &TabooDialog, (columns, height): (u16, u16)) -> usize {
    taboo_lines(before, columns, " ").len().saturating_sub(taboo_room(height))
}

fn inner(columns: u16) -> usize {
    usize::from(columns.min(WIDEST).saturating_sub(4))
}

fn taboo_room(height: u16) -> usize {
    usize::from(height.saturating_sub(AROUND))
}

/// The lines that scroll. `marked` is the sign of chosen rows.
fn taboo_lines(before: &TabooDialog, columns: u16, marked: &str) -> Vec<String> {
    let width = inner(columns);
    let row = |copies: u64, more: &str, mark: &str, text: &str| {
        let copies = grouped(copies) + more;
        cells::line_behind(&format!("{copies:>COPIES$} {mark} "), text, width)
    };
    let mut lines = Vec::new();
    match &before.hides {
        None => lines.push("Counting what else would be hidden…".to_owned()),
        Some(hides) => {
            let others = match hides.others.is_empty() {
                true => "Nothing but what is chosen.".to_owned(),
                false => format!("Of these not chosen: {}.", hides.others.words()),
            };
            for sentence in [format!("Hides {}.", hides.all.words()), others] {
                lines.extend(wrapped(&sentence, width, 4));
            }
        }
    }
    lines.push(String::new());
    for chosen in before.rows.iter().take(CHOSEN) {
        let more = if chosen.copies().is_none() { "+" } else { "" };
        let copies = chosen.copies().unwrap_or_else(|| chosen.documents());
        lines.push(row(copies, more, marked, &chosen.text()));
    }
    if before.rows.len() > CHOSEN {
        lines.push(format!("{:>COPIES$} and {} more", "", grouped((before.rows.len() - CHOSEN) as u64)));
    }
    if let Some(hides) = &before.hides {
        lines.extend(hides.first.iter().map(|(text, copies)| row(*copies, "", " ", text)));
        let rest = hides.others.sum.rows.saturating_sub(hides.first.len() as u64);
        if rest > 0 {
            let least = if hides.others.is_least { "at least " } else { "" };
            lines.push(format!("{:>COPIES$}   and {least}{} more", "", grouped(rest)));
        }
    }
    lines
}
