//! The keys of a place, in groups; in two columns where there is room.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::put;
use crate::tui::action::{BINDINGS, Binding, GROUPS, Place};
use crate::tui::model::Model;
use crate::tui::theme::Theme;

/// How wide a column of keys and words is.
const COLUMN: u16 = 76;
/// How wide its keys are.
const KEYS: usize = 20;

/// The keys that mean something in a place, group by group: each with a heading.
fn groups(place: Place) -> Vec<(&'static str, Vec<&'static Binding>)> {
    let mut groups: Vec<(&str, Vec<&Binding>)> = Vec::new();
    for binding in BINDINGS {
        if let Some((_, name)) = GROUPS.iter().find(|(first, _)| *first == binding.action) {
            groups.push((name, Vec::new()));
        }
        if let Some((_, keys)) = groups.last_mut().filter(|_| binding.places.meets(place)) {
            keys.push(binding);
        }
    }
    groups.retain(|(_, keys)| !keys.is_empty());
    groups
}

/// How many lines they take in a column.
fn height(group: &(&str, Vec<&Binding>)) -> usize {
    group.1.len() + 2
}

/// How wide the help of a place is on a screen of some width.
pub fn width(place: Place, width: u16) -> usize {
    usize::from(COLUMN) * columns(place, width).len() - 3
}

/// How many lines the help of a place has on a screen of some width.
pub fn count(place: Place, width: u16) -> usize {
    columns(place, width).iter().map(|column| column.iter().map(height).sum()).max().unwrap_or(0)
}

/// The groups in one column or in two of about the same height.
fn columns(place: Place, width: u16) -> Vec<Vec<(&'static str, Vec<&'static Binding>)>> {
    let mut left = groups(place);
    if width < 2 * COLUMN {
        return vec![left];
    }
    let all: usize = left.iter().map(height).sum();
    let mut taken = 0;
    let half = left.iter().take_while(|group| {
        taken += height(group);
        taken <= all.div_ceil(2) + 2
    });
    let half = half.count();
    let right = left.split_off(half);
    vec![left, right]
}

/// Draws them within an area, without the first lines.
pub fn draw(buffer: &mut Buffer, area: Rect, model: &Model, place: Place, first: usize, theme: &Theme) {
    for (number, column) in columns(place, area.width + 4).into_iter().enumerate() {
        let x = area.x + number as u16 * COLUMN;
        let width = area.right().saturating_sub(x).min(COLUMN - 2);
        let mut line = 0;
        let place_of = |line: &mut usize| {
            let at = line.checked_sub(first).map(|at| area.y + at as u16).filter(|y| *y < area.bottom());
            *line += 1;
            at
        };
        for (name, keys) in column {
            if let Some(y) = place_of(&mut line) {
                put(buffer, x, y, width, name, theme.accent);
            }
            for binding in keys {
                let Some(y) = place_of(&mut line) else { continue };
                let keys = model.keymap.words_in(place, binding.action, theme.glyphs.are_ascii());
                put(buffer, x + 2, y, width.saturating_sub(2), &keys, theme.text);
                let at = x + 2 + keys.chars().count().max(KEYS) as u16 + 1;
                put(buffer, at, y, (x + width).saturating_sub(at), binding.words, theme.quiet);
            }
            line += 1;
        }
    }
}
