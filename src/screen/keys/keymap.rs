//! The keymap: the default keys of the action table, changed by a preset and by the user's settings.

use crossterm::event::KeyEvent;

use crate::action::{Action, KeyContext};
use crate::keys::key_press::{KeyError, KeyPress};
use crate::keys::{BINDINGS, Binding};
use dupi_base::config::{KeyPreset, KeySettings, SettingProblem};

/// The keys of all actions.
#[derive(Clone, Debug)]
pub struct Keymap {
    /// One entry per action, in the order of [`BINDINGS`].
    keys: Vec<Vec<KeyPress>>,
    /// The keys of [`Action::Print`] on a screen that prints; on others it has none.
    print: Vec<KeyPress>,
}

impl Default for Keymap {
    fn default() -> Self {
        Self::new(&KeySettings::default()).0
    }
}

impl Keymap {
    /// The keymap of the settings, and the problems found; a setting with a problem is ignored.
    pub fn new(settings: &KeySettings) -> (Self, Vec<SettingProblem>) {
        let usual = |names: &[&str]| names.iter().filter_map(|name| name.parse().ok()).collect();
        let own = |binding: &Binding| {
            if binding.action == Action::Print { Vec::new() } else { usual(binding.keys) }
        };
        let print = usual(Action::Print.binding().keys);
        let mut map = Self { keys: BINDINGS.iter().map(own).collect(), print };
        for (action, names) in changes(settings.preset) {
            map.bind(*action, usual(names));
        }
        let mut problems = Vec::new();
        let mut given: Vec<(KeyPress, Action)> = Vec::new();
        let mut taken = Vec::new();
        for (id, names) in &settings.bindings {
            let Some(action) = Action::from_id(id.get_ref()) else {
                let detail =
                    format!("no action is called `{}`; `dupi-tui config --default` lists them", id.get_ref());
                problems.push(SettingProblem::at(id.span(), detail));
                continue;
            };
            let mut keys = Vec::new();
            // These keys are taken from the others only on a screen that prints.
            let before = if action == Action::Print { &[][..] } else { &given };
            for name in names {
                match free(name.get_ref(), action, before) {
                    Ok(key) => keys.push((key, name.span())),
                    Err(detail) => problems.push(SettingProblem::at(name.span(), detail)),
                }
            }
            let pressed: Vec<KeyPress> = keys.iter().map(|(key, _)| *key).collect();
            if action == Action::Print {
                map.print = pressed;
                continue;
            }
            given.extend(pressed.iter().map(|key| (*key, action)));
            if !keys.is_empty() || names.is_empty() {
                for (loser, had) in BINDINGS.iter().zip(&map.keys) {
                    let collides = loser.action != action && collide(loser.action, action);
                    let lost = had
                        .iter()
                        .filter(|_| collides)
                        .filter_map(|key| keys.iter().find(|(named, _)| named == key));
                    taken.extend(lost.map(|(key, span)| (loser.action, *key, span.clone())));
                }
                map.bind(action, pressed);
            }
        }
        // If the settings name the other action too, its keys were chosen deliberately.
        let is_set = |action: Action| {
            settings.bindings.iter().any(|(id, _)| Action::from_id(id.get_ref()) == Some(action))
        };
        for (loser, key, span) in taken.into_iter().filter(|(loser, ..)| !is_set(*loser)) {
            problems.push(SettingProblem::warning(span, map.loss(key, loser)));
        }
        (map, problems)
    }

    /// The sentence about an action that has lost a key.
    pub fn loss(&self, key: KeyPress, loser: Action) -> String {
        let (id, left) = (loser.binding().id, self.words(loser, true));
        let left = if left.is_empty() { "no key".to_owned() } else { left };
        format!("{key} is a key of `{id}`, which has {left} now; set `{id}` too")
    }

    /// Takes a key from the actions in lists and documents. Returns those that had it.
    pub fn take(&mut self, key: KeyPress) -> Vec<Action> {
        let mut losers = Vec::new();
        for (binding, keys) in BINDINGS.iter().zip(&mut self.keys) {
            if binding.contexts.meets(KeyContext::SPANS) && keys.contains(&key) {
                keys.retain(|other| *other != key);
                losers.push(binding.action);
            }
        }
        losers
    }

    /// The keys of a screen that prints the chosen rows.
    pub fn for_printing(mut self) -> Self {
        let keys = std::mem::take(&mut self.print);
        self.bind(Action::Print, keys);
        self
    }

    /// Binds keys to an action and removes them from other actions in the same contexts.
    fn bind(&mut self, action: Action, keys: Vec<KeyPress>) {
        for (binding, old) in BINDINGS.iter().zip(&mut self.keys) {
            if binding.action == action {
                old.clone_from(&keys);
            } else if collide(binding.action, action) {
                old.retain(|key| !keys.contains(key));
            }
        }
    }

    /// The action of a key in a context. If several actions share the key, the first of the table wins: matches of a
    /// search come before copies.
    pub fn action_of(&self, key: KeyEvent, context: KeyContext) -> Option<Action> {
        let key = KeyPress::from(key);
        let bound = BINDINGS.iter().zip(&self.keys);
        bound
            .filter(|(binding, keys)| binding.contexts.meets(context) && keys.contains(&key))
            .map(|(binding, _)| binding.action)
            .next()
    }

    /// The keys of an action.
    pub fn keys(&self, action: Action) -> &[KeyPress] {
        let at = BINDINGS.iter().position(|binding| binding.action == action);
        at.map_or(&[], |at| &self.keys[at])
    }

    /// The name of an action's first key; empty if it has none.
    pub fn first(&self, action: Action) -> String {
        self.keys(action).first().map(KeyPress::to_string).unwrap_or_default()
    }

    /// The name of an action's first key; if it has none, the action's name in the palette.
    pub fn key_or_name(&self, action: Action) -> String {
        let key = self.keys(action).first();
        key.map_or_else(|| format!("`{}`", action.binding().id), KeyPress::to_string)
    }

    /// All keys of an action: `j ↓`, or in ASCII `j Down`.
    pub fn words(&self, action: Action, ascii: bool) -> String {
        in_words(self.keys(action).iter(), ascii)
    }

    /// The keys that trigger an action in a context.
    pub fn words_in(&self, context: KeyContext, action: Action, ascii: bool) -> String {
        let means = |key: &&KeyPress| self.action_of(key.pressed(), context) == Some(action);
        in_words(self.keys(action).iter().filter(means), ascii)
    }
}

fn in_words<'k>(keys: impl Iterator<Item = &'k KeyPress>, ascii: bool) -> String {
    let words = keys.map(|key| match key.to_string().as_str() {
        "Down" if !ascii => "↓".to_owned(),
        "Up" if !ascii => "↑".to_owned(),
        "Right" if !ascii => "→".to_owned(),
        "Left" if !ascii => "←".to_owned(),
        name => name.to_owned(),
    });
    words.collect::<Vec<_>>().join(" ")
}

/// Parses a key, unless it is already given to an action in the same contexts.
fn free(name: &str, action: Action, given: &[(KeyPress, Action)]) -> Result<KeyPress, String> {
    let key: KeyPress = name.parse().map_err(|error: KeyError| error.to_string())?;
    let taken = given.iter().find(|(other, by)| *other == key && collide(*by, action));
    taken.map_or(Ok(key), |(_, by)| Err(format!("{key} is given to `{}` already", by.binding().id)))
}

/// Whether two actions cannot share a key. Matches of a search take precedence over copies on the same keys.
fn collide(one: Action, other: Action) -> bool {
    let is_match = |action| matches!(action, Action::NextMatch | Action::PreviousMatch);
    let is_copy = |action| matches!(action, Action::NextCopy | Action::PreviousCopy);
    let yields = (is_match(one) && is_copy(other)) || (is_copy(one) && is_match(other));
    one.binding().contexts.meets(other.binding().contexts) && !yields
}

/// The actions that a preset gives other keys.
pub(crate) fn changes(preset: KeyPreset) -> &'static [(Action, &'static [&'static str])] {
    use Action as A;
    match preset {
        KeyPreset::Default => &[],
        KeyPreset::Vim => &[
            (A::Down, &["j", "Down", "Ctrl-n", "Ctrl-e"]),
            (A::Up, &["k", "Up", "Ctrl-p", "Ctrl-y"]),
            (A::Palette, &[":"]),
            (A::Back, &["Esc", "Ctrl-o"]),
            (A::Top, &["g", "Home"]),
            (A::Bottom, &["G", "End"]),
            (A::Taboo, &["t", "d"]),
            (A::RemoveEntry, &["x", "Del"]),
            (A::Export, &["X"]),
        ],
        KeyPreset::Emacs => &[
            (A::Down, &["Ctrl-n", "Down", "j"]),
            (A::Up, &["Ctrl-p", "Up", "k"]),
            (A::Right, &["Ctrl-f", "Right", "l"]),
            (A::Left, &["Ctrl-b", "Left", "h"]),
            (A::PageDown, &["Ctrl-v", "PgDn"]),
            (A::PageUp, &["Alt-v", "PgUp"]),
            (A::Top, &["Alt-<", "Home"]),
            (A::Bottom, &["Alt->", "End"]),
            (A::Back, &["Ctrl-g", "Esc"]),
            (A::Filter, &["Ctrl-s", "/"]),
            (A::Search, &["Ctrl-s", "/"]),
            (A::GoToLine, &["Alt-g"]),
            (A::Mark, &["Ctrl-Space", "Space"]),
            (A::CopyText, &["Alt-w", "y"]),
            (A::Undo, &["Ctrl-/", "u"]),
            (A::Redo, &["Alt-_", "Ctrl-r"]),
            (A::Palette, &["Alt-x", ":"]),
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::views::named_contexts;
    use dupi_base::config::{KeyPreset, Settings};

    fn event(name: &str) -> KeyEvent {
        name.parse::<KeyPress>().unwrap().pressed()
    }

    #[test]
    fn in_every_preset_a_key_does_one_thing_in_a_place() {
        for preset in [KeyPreset::Default, KeyPreset::Vim, KeyPreset::Emacs] {
            let (map, problems) = Keymap::new(&KeySettings { preset, ..KeySettings::default() });
            assert!(problems.is_empty());
            for (number, binding) in BINDINGS.iter().enumerate() {
                for key in &map.keys[number] {
                    let also = |other: &Binding| {
                        collide(other.action, binding.action) && map.keys(other.action).contains(key)
                    };
                    let doing: Vec<&str> =
                        BINDINGS.iter().filter(|other| also(other)).map(|other| other.id).collect();
                    assert_eq!(doing, [binding.id], "{preset:?} {key}");
                }
            }
            for (_, context) in named_contexts() {
                for must in
                    [Action::Quit, Action::Help, Action::Palette, Action::Back, Action::Down, Action::Enter]
                {
                    let key = map.first(must);
                    assert_eq!(map.action_of(event(&key), context), Some(must), "{preset:?} {key}");
                }
            }
        }
    }

    #[test]
    fn every_usual_key_can_be_pressed() {
        for binding in BINDINGS.iter() {
            assert!(binding.keys.iter().all(|name| name.parse::<KeyPress>().is_ok()), "{}", binding.id);
        }
        for preset in [KeyPreset::Vim, KeyPreset::Emacs] {
            let names = changes(preset).iter().flat_map(|(_, names)| *names);
            assert!(names.clone().all(|name| name.parse::<KeyPress>().is_ok()));
        }
    }

    #[test]
    fn settings_take_keys_from_what_had_them_and_what_is_wrong_is_named() {
        let text =
            "[keys]\nundo = \"t\"\nredo = [\"Ctrl-y\", \"Hyper-x\"]\nfly = \"x\"\nwrap = []\nsort = \"t\"\n";
        let (settings, none) = Settings::parse(text);
        assert!(none.is_empty());
        let (map, problems) = Keymap::new(&settings.keys);
        let action = |key: &str| map.action_of(event(key), KeyContext::PASSAGES);
        assert_eq!(
            (action("t"), action("u"), action("Ctrl-y")),
            (Some(Action::Undo), None, Some(Action::Redo))
        );
        assert!(map.keys(Action::Wrap).is_empty());
        assert_eq!(problems.len(), 4, "{problems:?}");
    }

    #[test]
    fn who_takes_the_key_of_another_action_is_told_unless_that_is_set_too() {
        let said = |text: &str| {
            let (settings, none) = Settings::parse(text);
            assert!(none.is_empty());
            Keymap::new(&settings.keys).1
        };
        let at = |text: &str, key: &str, detail: &str| {
            let from = text.find(key).unwrap();
            SettingProblem::warning(from..from + key.len(), detail)
        };
        let text = "[keys]\ndown = \"q\"\n";
        let lost = at(text, "\"q\"", "q is a key of `quit`, which has Ctrl-c now; set `quit` too");
        assert_eq!(said(text), [lost]);
        let text = "[keys]\nundo = \"t\"\n";
        let lost = at(text, "\"t\"", "t is a key of `taboo`, which has no key now; set `taboo` too");
        assert_eq!(said(text), [lost]);
        assert_eq!(said("[keys]\ndown = \"q\"\nquit = \"Ctrl-c\"\n"), []);
        assert_eq!(said("[keys]\nundo = \"t\"\ntaboo = []\n"), []);
    }

    #[test]
    fn only_a_screen_that_prints_has_a_key_for_it() {
        let enter = |map: &Keymap| map.action_of(event("Enter"), KeyContext::PASSAGES);
        let map = Keymap::default();
        assert_eq!((enter(&map), map.first(Action::Print)), (Some(Action::Enter), String::new()));
        let map = map.for_printing();
        assert_eq!((enter(&map), map.keys(Action::Enter)), (Some(Action::Print), &[][..]));
        let (settings, _) = Settings::parse("[keys]\nprint = \"q\"\n");
        let (map, problems) = Keymap::new(&settings.keys);
        assert_eq!((problems, map.action_of(event("q"), KeyContext::PASSAGES)), (vec![], Some(Action::Quit)));
        let map = map.for_printing();
        let keys = ["q", "Enter", "Ctrl-c"].map(|key| map.action_of(event(key), KeyContext::PASSAGES));
        assert_eq!(keys, [Action::Print, Action::Enter, Action::Quit].map(Some));
    }

    #[test]
    fn a_search_takes_the_keys_of_copies_while_it_goes_on() {
        let map = Keymap::default();
        assert_eq!(map.action_of(event("n"), KeyContext::FOUND), Some(Action::NextMatch));
        assert_eq!(map.action_of(event("n"), KeyContext::DOCUMENT), Some(Action::NextCopy));
        assert_eq!(map.action_of(event("p"), KeyContext::FOUND), Some(Action::PreviousCopy));
        let keys = |action| map.words_in(KeyContext::FOUND, action, true);
        assert_eq!([Action::NextMatch, Action::NextCopy].map(keys), ["n", "."]);
    }
}
