//! Finds actions by typed text, the best match first, and lists the default keys for `help keys` and for tests.

use crate::keys::key_press::KeyPress;
use crate::keys::keymap::Keymap;
use crate::keys::{BINDINGS, Binding};
use crate::views::named_contexts;

/// What no action does, because it is set.
const SET: [&str; 8] =
    ["settings", "config", "preferences", "options", "theme", "colours", "colors", "columns"];

/// The actions that fit what is typed: those whose words begin with it first, then those that contain it,
/// then those that have its letters in this order.
pub(crate) fn matching_actions(typed: &str) -> Vec<&'static Binding> {
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
    let also = begins(binding.also);
    match () {
        () if typed.is_empty() || id.starts_with(typed) => Some(0),
        () if begins(&id) => Some(1),
        () if id.contains(typed) || begins(&words) => Some(2),
        () if also || words.contains(typed) => Some(3),
        () if letters.peek().is_none() => Some(4),
        () => None,
    }
}

/// What is said when no action fits what is typed.
pub(crate) fn no_match_hint(typed: &str) -> &'static str {
    let typed = typed.trim().to_lowercase();
    if SET.iter().any(|word| word.starts_with(&typed)) {
        "Set in config.toml: `dupi-tui config --default` shows how."
    } else {
        "No action is called so."
    }
}

/// The keys and what they do, a line each.
pub fn key_table() -> String {
    let row = |binding: &Binding| format!("{:<20} {}\n", binding.keys.join(" "), binding.words);
    BINDINGS.iter().map(row).collect()
}

/// A key in a place, as `?` shows it there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ContextKey {
    /// The name of the place: a view, `document`, two copies `beside` each other, or a text where something is `found`.
    pub context: &'static str,
    /// The key.
    pub key: &'static str,
    /// The name of what it does.
    pub action: &'static str,
}

/// The usual keys of all places.
pub fn keys_by_context() -> Vec<ContextKey> {
    let usual = Keymap::default();
    let keys = named_contexts().flat_map(|(context, at)| {
        let here = BINDINGS.iter().filter(move |binding| binding.contexts.meets(at));
        here.flat_map(move |binding| binding.keys.iter().map(move |key| (context, at, binding, *key)))
    });
    // Some keys mean something else where a search goes on.
    let means = |at, key: &str, action| {
        key.parse::<KeyPress>().is_ok_and(|key| usual.action_of(key.pressed(), at) == Some(action))
    };
    keys.filter(|(_, at, binding, key)| means(*at, key, binding.action))
        .map(|(context, _, binding, key)| ContextKey { context, key, action: binding.id })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::action::{Action, ViewPage};
    use dupi_session::Subject;

    #[test]
    fn what_begins_as_it_is_typed_comes_first() {
        let first = |typed: &str| matching_actions(typed).first().map(|binding| binding.action);
        assert_eq!(first("undo"), Some(Action::Undo));
        assert_eq!(first("ta"), Some(Action::Show(ViewPage::List(Subject::Taboo))));
        assert_eq!(first("clipboard"), Some(Action::CopyText));
        assert_eq!(first("pgdn"), Some(Action::PageDown));
        assert_eq!(first("xyzzy"), None);
        assert_eq!(matching_actions("").len(), BINDINGS.len());
    }

    #[test]
    fn other_words_find_actions_too_or_where_they_are_set() {
        for (typed, meant) in [
            ("license", Action::Taboo),
            ("Silence", Action::Taboo),
            ("ignore", Action::Taboo),
            ("order", Action::Sort),
            ("exit", Action::Quit),
        ] {
            assert_eq!(matching_actions(typed).first().map(|binding| binding.action), Some(meant), "{typed}");
        }
        for typed in ["theme", "column", "settings"] {
            assert!(
                matching_actions(typed).is_empty() && no_match_hint(typed).contains("config.toml"),
                "{typed}"
            );
        }
        assert!(no_match_hint("xyzzy").contains("No action"));
    }
}
