//! The palette: every action by name, what fits best first.

use super::Effect;
use super::act::act;
use super::places::go_to_line;
use crate::tui::action::{Action, BINDINGS, Binding};
use crate::tui::line::Line;
use crate::tui::model::{Model, Overlay};

/// Opens it.
pub(super) fn open_palette(model: &mut Model) {
    model.overlay = Some(Overlay::Palette(Line::default(), 0));
}

/// The actions that fit what is typed: those whose words begin with it first, then those that contain it,
/// then those that have its letters in this order.
pub fn fitting(typed: &str) -> Vec<&'static Binding> {
    let typed = typed.trim().to_lowercase();
    let fit = |binding: &&'static Binding| Some((rank(&typed, binding)?, *binding));
    let mut found: Vec<(u8, &Binding)> = BINDINGS.iter().filter_map(|binding| fit(&binding)).collect();
    found.sort_by_key(|(rank, _)| *rank);
    found.into_iter().map(|(_, binding)| binding).collect()
}

fn rank(typed: &str, binding: &Binding) -> Option<u8> {
    let (id, words) = (binding.id.replace('-', " "), binding.words.to_lowercase());
    let begins = |text: &str| text.split_whitespace().any(|word| word.starts_with(typed));
    let mut letters = typed.chars().filter(|letter| !letter.is_whitespace()).peekable();
    for letter in id.chars() {
        letters.next_if_eq(&letter);
    }
    match () {
        () if typed.is_empty() || id.starts_with(typed) => Some(0),
        () if begins(&id) => Some(1),
        () if id.contains(typed) || begins(&words) => Some(2),
        () if words.contains(typed) => Some(3),
        () if letters.peek().is_none() => Some(4),
        () => None,
    }
}

/// Does the chosen action, or goes to a line when a number is typed.
pub(super) fn choose(model: &mut Model, typed: &str, chosen: usize, effects: &mut Vec<Effect>) {
    if let Ok(number) = typed.trim().parse::<usize>() {
        return go_to_line(model, number);
    }
    let Some(binding) = fitting(typed).get(chosen).copied() else { return };
    if binding.places.meets(model.place()) || binding.action == Action::Palette {
        act(model, binding.action, effects);
    } else {
        model.say(format!("`{}` means nothing in this view.", binding.id));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_begins_as_it_is_typed_comes_first() {
        let first = |typed: &str| fitting(typed).first().map(|binding| binding.action);
        assert_eq!(first("undo"), Some(Action::Undo));
        assert_eq!(first("ta"), Some(Action::TabooList));
        assert_eq!(first("clipboard"), Some(Action::CopyText));
        assert_eq!(first("pgdn"), Some(Action::PageDown));
        assert_eq!(first("xyzzy"), None);
        assert_eq!(fitting("").len(), BINDINGS.len());
    }
}
