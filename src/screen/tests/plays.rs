//! Plays: what somebody does at a made-up screen, and what comes of it, in text files. `plays/README.md` describes their
//! language.

#[path = "../../../tests/support/script.rs"]
mod script;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use crossterm::event::{KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Rect;

use crate::action::ViewPage;
use crate::event::{Effect, TuiEvent};
use crate::fixture::rows::row;
use crate::fixture::{again, idle, indexing, keys, listing, preview, showing};
use crate::keys::keymap::Keymap;
use crate::model::{HelpPage, Menu, Model, Overlay};
use crate::tests::screen::screen;
use crate::tests::{clusters, reading};
use crate::theme::{Charset, Theme};
use crate::update::update;
use crate::user_commands;
use crate::views::{list_of, view_of};
use dupi_base::config::{Kind, Settings};
use dupi_index::query::Occurrence;
use dupi_judge::aside::AsideSummary;
use dupi_session::{
    DecisionResult, DocumentView, Item, ItemId, ListedAside, Listing, Preview, Request, SearchState, Update,
    View, WriteResult,
};
use script::{check, outcome};

#[test]
fn what_somebody_does_and_what_comes_of_it() {
    for entry in std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/plays")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "txt") {
            check(&path, Play::default, Play::step);
        }
    }
}

/// A case while it is played.
struct Play {
    model: Model,
    theme: Theme,
}

impl Default for Play {
    fn default() -> Self {
        let model = Model::new("/home/ida/letters".into(), (120, 30));
        Self { model, theme: Theme::colourless(Charset::Unicode) }
    }
}

impl Play {
    /// Does a step, and returns what comes of it.
    fn step(&mut self, line: &str) -> Vec<String> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let effects = match word {
            "" | "#" | "##" => Vec::new(),
            "open" => {
                let (name, size) = rest.split_once(' ').unwrap();
                let (columns, lines) = size.split_once('x').unwrap();
                let size = (columns.parse().unwrap(), lines.parse().unwrap());
                self.model = match ViewPage::named(name) {
                    Some(page) => showing(page, size.0, size.1),
                    None if name.starts_with("text") => {
                        let language = name.strip_prefix("text-in-").map(|_| "Rust");
                        reading::reading(&reading::lines(), language, size)
                    }
                    None => Model::new("/home/ida/letters".into(), size),
                };
                Vec::new()
            }
            "again" => {
                self.model = again(&self.model);
                Vec::new()
            }
            "size" => {
                let (columns, lines) = rest.split_once('x').unwrap();
                self.take(TuiEvent::Resize(columns.parse().unwrap(), lines.parse().unwrap()))
            }
            "theme" => {
                self.theme = match rest {
                    "ascii" => Theme::colourless(Charset::Ascii),
                    _ => Theme::dark(Charset::Unicode),
                };
                Vec::new()
            }
            "home" => {
                (self.model.settings.home, self.model.settings.files_in) = (Some(rest.into()), rest.into());
                Vec::new()
            }
            "prints" => {
                self.model.settings.prints = true;
                self.model.settings.keymap = Keymap::default().for_printing();
                Vec::new()
            }
            "settings" => return self.set(&rest.replace("\\n", "\n")),
            "keys" => keys(&mut self.model, rest),
            "tick" => {
                let now = Duration::from_millis(rest.parse().unwrap());
                update(&mut self.model, TuiEvent::Tick, now)
            }
            "say" => {
                self.model.say(rest);
                Vec::new()
            }
            "hush" => {
                self.model.dialogue.message = None;
                Vec::new()
            }
            "sees" | "lacks" => {
                let shown = screen(&self.model, &self.theme);
                assert_eq!(shown.contains(rest), word == "sees", "`{line}`:\n{shown}");
                Vec::new()
            }
            "line" => {
                let number: isize = rest.parse().unwrap();
                let at = if number < 0 { number + self.model.size.1 as isize } else { number };
                let shown = screen(&self.model, &self.theme);
                return vec![outcome('|', shown.lines().nth(at as usize).unwrap())];
            }
            "?" => {
                let field = |name| format!("{name} {}", self.field(name));
                return vec![outcome('|', &rest.split(' ').map(field).collect::<Vec<_>>().join(" · "))];
            }
            "click" | "drag" | "drop" | "down" | "up" => self.mouse(word, rest),
            told => {
                let told = self.update(told, rest).unwrap_or_else(|| panic!("`{line}` is no step"));
                self.take(TuiEvent::Session(told))
            }
        };
        let told = effects.iter().filter(|effect| !matches!(effect, Effect::Highlight(_)));
        told.map(|effect| outcome('|', &self.effect(effect))).collect()
    }

    fn take(&mut self, event: TuiEvent) -> Vec<Effect> {
        let now = self.model.now;
        update(&mut self.model, event, now)
    }

    /// Reads settings of keys and commands, and returns what is wrong in them.
    fn set(&mut self, text: &str) -> Vec<String> {
        let (settings, problems) = Settings::parse(text);
        let (keymap, wrong_keys) = Keymap::new(&settings.keys);
        self.model.settings.keymap = keymap;
        let (commands, wrong_commands) = user_commands::read(&settings, &mut self.model.settings.keymap);
        self.model.settings.commands = commands;
        let problems = problems.iter().chain(&wrong_keys).chain(&wrong_commands);
        problems.map(|problem| outcome('!', &format!("{problem:?}"))).collect()
    }

    /// The mouse at an area of the layout, or where a quoted text is on the screen, and some cells from there.
    fn mouse(&mut self, what: &str, place: &str) -> Vec<Effect> {
        let (place, down) = place.rsplit_once(' ').unwrap();
        let (name, right) = place.rsplit_once(' ').unwrap();
        let (right, down): (i32, i32) = (right.parse().unwrap(), down.parse().unwrap());
        let area = match name.strip_prefix('\'') {
            Some(quoted) => self.text_area(quoted.trim_end_matches('\'')),
            None => self.area(name),
        };
        let at = |start: u16, length: u16, by: i32| {
            (i32::from(start) + by + if by < 0 { i32::from(length) } else { 0 }) as u16
        };
        let (column, row) = (at(area.x, area.width, right), at(area.y, area.height, down));
        let kind = match what {
            "click" => MouseEventKind::Down(MouseButton::Left),
            "drag" => MouseEventKind::Drag(MouseButton::Left),
            "drop" => MouseEventKind::Up(MouseButton::Left),
            "down" => MouseEventKind::ScrollDown,
            _ => MouseEventKind::ScrollUp,
        };
        self.take(TuiEvent::Mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE }))
    }

    fn area(&self, name: &str) -> Rect {
        let layout = self.model.layout();
        match name {
            "screen" => Rect::new(0, 0, self.model.size.0, self.model.size.1),
            "columns" => layout.columns,
            "rows" => layout.rows,
            "copies" => layout.copies,
            "document" => layout.document,
            "divider" => layout.divider,
            "rule" => layout.rule,
            "strip" => layout.strip,
            _ => panic!("there is no area {name}"),
        }
    }

    /// The first cell of a text on the screen.
    fn text_area(&self, text: &str) -> Rect {
        let shown = screen(&self.model, &self.theme);
        let (y, line) = shown.lines().enumerate().find(|(_, line)| line.contains(text)).unwrap();
        Rect::new(line[..line.find(text).unwrap()].chars().count() as u16, y as u16, 1, 1)
    }

    /// What the session tells.
    fn update(&self, told: &str, rest: &str) -> Option<Update> {
        let search = || match rest.parse() {
            Ok(share) => SearchState::At(share),
            Err(_) if rest.is_empty() => SearchState::Idle,
            Err(_) => SearchState::Failed(rest.to_owned()),
        };
        Some(match told {
            "idle" => idle(),
            "indexing" => indexing(),
            "rows" => self.rows(rest),
            "come" => listing(&self.model, rest.parse().unwrap()),
            "copy" => {
                let (copy, at) = rest.split_once(" of ").unwrap_or((rest, ""));
                let other = at.parse().ok().and_then(|at: usize| self.model.list.listing.rows.get(at));
                preview(other.or(self.model.list.row()).unwrap(), copy.parse().unwrap())
            }
            "clusters" => {
                let rows = if rest == "none" { Vec::new() } else { clusters::rows(rest.parse().ok()) };
                clusters::told(&self.model, rows)
            }
            "copies" => self.copies(rest),
            "searching" => Update::Searching(search()),
            "comparing" => Update::Comparing(search()),
            "mismatch" => Update::Mismatch(rest.to_owned()),
            "exists" => Update::Written(WriteResult::Exists(rest.into())),
            "notice" => Update::Notice(rest.to_owned()),
            "decided" => {
                let result = match rest {
                    "done" => DecisionResult::Done,
                    "undone" => DecisionResult::Undone,
                    _ => DecisionResult::Nothing,
                };
                Update::Decided { sentence: "Decided".to_owned(), result }
            }
            _ => return None,
        })
    }

    /// Rows with these numbers: `part` of them, `looking` for more, `blots` in place of rows of the view.
    fn rows(&self, numbers: &str) -> Update {
        let mut listing = Listing { view: self.model.list.view.clone(), ..Listing::default() };
        (listing.complete, listing.searched) = (true, 1.0);
        let mut example: fn(u64, &str) -> Item = list_of(listing.view.of).example;
        for word in numbers.split_whitespace() {
            match word.split_once("..") {
                Some((from, to)) => {
                    let numbers = from.parse::<u64>().unwrap()..to.parse().unwrap();
                    listing.rows.extend(numbers.map(|number| example(number, "text")));
                }
                None if word == "part" => (listing.complete, listing.searched) = (false, 0.0),
                None if word == "looking" => (listing.complete, listing.is_provisional) = (false, true),
                None if word == "blots" => example = row,
                None if word.parse::<u64>().is_err() => listing.rows.push(aside(word)),
                None => listing.rows.push(example(word.parse().unwrap(), "text")),
            }
        }
        Update::Rows(listing.into())
    }

    /// The copies of the selected row in documents of these names; the one behind `*` is shown, and behind `+` is how many are
    /// not read yet.
    fn copies(&self, names: &str) -> Update {
        let Update::Preview(of_row) = preview(self.model.list.row().unwrap(), 0) else { unreachable!() };
        let mut told = Preview::clone(&of_row);
        (told.unread, told.occurrences) = (0, Arc::default());
        for word in names.split(' ') {
            if let Some(unread) = word.strip_prefix('+') {
                told.unread = unread.parse().unwrap();
                continue;
            }
            let name = word.trim_start_matches('*');
            let occurrences = Arc::make_mut(&mut told.occurrences);
            occurrences.push(Occurrence { path: name.into(), ..of_row.occurrences[0].clone() });
            if name != word {
                told.current = occurrences.len() - 1;
                let shown = DocumentView::clone(of_row.document.as_ref().unwrap());
                told.document = Some(Arc::new(DocumentView { path: name.into(), ..shown }));
            }
        }
        Update::Preview(told.into())
    }

    /// A part of the state in words.
    fn field(&self, name: &str) -> String {
        let Model { list, reader, dialogue, settings, .. } = &self.model;
        let yes = |is: bool| if is { "yes" } else { "no" }.to_owned();
        let or_none = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
        match name {
            "row" => or_none(list.selected_row().map(|row| row.to_string())),
            "selected" => or_none(list.selected.map(|id| self.name(id))),
            "sought" => or_none(list.sought.map(|id| self.name(id))),
            "chosen" => yes(list.is_chosen),
            "first" => list.first_row.to_string(),
            "rows" => list.listing.rows.len().to_string(),
            "marks" => list.marks.rows().map(|row| self.name(row.id())).collect::<Vec<_>>().join(", "),
            "page" => self.model.page.name().to_owned(),
            "view" => view_in_words(&list.view),
            "focus" => format!("{:?}", self.model.focus),
            "beside" => yes(self.model.beside.is_some()),
            "current" => reader.current.to_string(),
            "copy" => reader.preview.current.to_string(),
            "document" => {
                or_none(self.model.document().map(|of| dupi_base::storage::shown(&of.path).to_string()))
            }
            "column" => reader.scroll.column.to_string(),
            "scroll" => reader.scroll.line.to_string(),
            "searched" => yes(reader.search.is_some()),
            "pending" => or_none(reader.pending.map(|pending| self.name(pending.row))),
            "zoomed" => yes(reader.split.is_zoomed),
            "said" => or_none(self.model.said().map(str::to_owned)),
            "typed" => or_none(dialogue.prompt.as_ref().map(|prompt| {
                let ask = format!("{:?}", prompt.ask);
                format!("{} `{}`", ask.split('(').next().unwrap_or_default(), prompt.line.text())
            })),
            "overlay" => or_none(dialogue.overlay.as_ref().map(overlay_in_words)),
            "held" => yes(!self.model.held_keys.is_empty()),
            "filters" => format!("{:?}", dialogue.filters.filters()),
            "criteria" => format!("{:?}", settings.criteria),
            _ => panic!("there is no field {name}"),
        }
    }

    /// What names a row: its number, or its text.
    fn name(&self, id: ItemId) -> String {
        match id {
            ItemId::Blot(blot) => format!("blot {}", blot.get()),
            ItemId::Passage(id) => format!("passage {}", id.0),
            ItemId::Review(id) => format!("review {}", id.0),
            ItemId::Cluster(number) => format!("cluster {number}"),
            ItemId::Aside(kind) => format!("{kind:?}"),
            ItemId::Document(_) | ItemId::Member(_) | ItemId::Folder(_) | ItemId::Taboo(_) => {
                let row = self.model.list.listing.rows.iter().find(|row| row.id() == id);
                row.map_or("a row that is gone".to_owned(), |row| row.text().into_owned())
            }
        }
    }

    /// An effect, with the names of rows in place of them.
    fn effect(&self, effect: &Effect) -> String {
        match effect {
            Effect::Ask(Request::Rows(view)) => format!("rows: {}", view_in_words(view)),
            Effect::Ask(Request::Preview { row, current }) => {
                format!("copy {current} of {}", self.name(row.id()))
            }
            Effect::Ask(request) => {
                let words = format!("{request:?}");
                let row =
                    |words: String, row: &Item| words.replace(&format!("{row:?}"), &self.name(row.id()));
                request.rows().iter().fold(words, row)
            }
            effect => format!("{effect:?}"),
        }
    }
}

/// The line of a kind that is set aside; with `+` it is open, and all below it is there; with `~` there is more.
fn aside(word: &str) -> Item {
    let name = word.trim_end_matches(['+', '~']);
    let kind = Kind::ALL.into_iter().find(|kind| kind.name() == name).unwrap();
    let summary = AsideSummary { kind, passages: 31, copies: 1204, tokens: 88_123 };
    let (is_open, is_whole) = (word.ends_with(['+', '~']), !word.ends_with('~'));
    Item::Aside(Arc::new(ListedAside { summary, is_open, is_whole }))
}

/// A view, with what is not as usual.
fn view_in_words(view: &View) -> String {
    let usual = format!("{:#?}", view_of(view.of));
    let own = format!("{view:#?}");
    let other: Vec<&str> =
        own.lines().filter(|line| usual.lines().all(|usual| usual != *line)).map(str::trim).collect();
    format!("{:?} {}", view.of, other.join(" ")).trim_end().to_owned()
}

/// What lies over the screen, and where it is scrolled to or which line of it is chosen.
fn overlay_in_words(overlay: &Overlay) -> String {
    match overlay {
        Overlay::Help(HelpPage { first, .. }) => format!("help at {first}"),
        Overlay::Skipped(_, first) => format!("skipped at {first}"),
        Overlay::Palette(typed, line) => format!("palette `{}` at {line}", typed.text()),
        Overlay::Menu(Menu::Exclude(choices), line) => {
            let choices: Vec<_> = choices.iter().map(|choice| &choice.paths).collect();
            format!("leave out one of {choices:?} at {line}")
        }
        Overlay::Menu(_, line) => format!("menu at {line}"),
        Overlay::Before(before) => format!("taboo because `{}` at {}", before.reason.text(), before.first),
        Overlay::Criteria(form) => format!("{:?}", form.criteria),
        Overlay::Blame(..) => "blame".to_owned(),
        Overlay::Mismatch(sentence) => format!("mismatch: {sentence}"),
        Overlay::Replace(_, file) => format!("replace {}", dupi_base::storage::shown(file)),
    }
}
