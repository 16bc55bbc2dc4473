//! Lists of the default keys, for `help keys` and for tests.

use super::Binding;
use super::key_press::KeyPress;
use super::keymap::Keymap;
use super::table::BINDINGS;
use crate::views::named_contexts;

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
