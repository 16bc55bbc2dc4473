//! Keys, mouse, pastes and sizes at random, against a session that indexes a real folder while it changes:
//! whatever comes, it goes on, nothing that would command a terminal is in a frame, and no event and no frame
//! takes longer than it may.

use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::OsStringExt;
use std::path::Path;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui::Terminal;
use ratatui::backend::TestBackend;

use crate::action::ViewPage;
use crate::event::{Effect, TuiEvent, teller};
use crate::fixture::processor_time;
use crate::highlight::Highlighter;
use crate::model::{Focus, Model};
use crate::theme::{Charset, Theme};
use crate::update::update;
use crate::views::PAGES;
use crate::{filters, view};
use dupi_base::corpus::Corpus;
use dupi_base::storage::Folder;
use dupi_session::{Listing, Options, Request, Session, Update};

/// How many events there are in all; a program that is not optimised takes thirty times as long for each.
const EVENTS: usize = if cfg!(debug_assertions) { 5_000 } else { 100_000 };
/// The largest number of events between two frames.
const BURST: u64 = 16;
/// The number of frames after which the user changes the view.
const GO_TO: usize = 20;
/// The number of events after which a file of the folder changes.
const CHANGE: usize = 1_000;
/// How long an event or a frame may take, in milliseconds: all but one in a thousand, and each of them.
const BUDGET: [u64; 2] = if cfg!(debug_assertions) { [60, 400] } else { [8, 16] };

/// What stands in many files.
const PARAGRAPH: &str = "The keeper of the light walks up the stairs at dusk, fills the lamp, trims the wick, and \
    writes into the book what ships have passed, what the wind has done, and whether anybody called.\n\n";
/// What stands in others.
const CODE: &str = "fn tide(hour: u32, moon: u32) -> u32 { let sum = hour * 12 + moon; sum * sum + hour } // kept\n\
    fn wind(force: u32, knots: u32) -> u32 { let double = tide(knots, force); double + double }\n";
/// Sequences that must not reach a terminal.
const HOSTILE: &str = "\u{1b}]0;owned\u{7}\u{1b}[31m red \u{9b}32m \u{202e}evil\u{2066}\u{200b}\u{7f}\t\u{8} \
    港の図書室 👩‍👩‍👧 🇩🇪🇫 e\u{301}\u{301}\u{301}\u{301}\u{301}\u{301} \u{e000} \u{fff9} שלום العَرَبِيَّة \r and so on, and some \
    more of it, and more again, up to where nobody reads it any more\n";

/// Prose and code that share text, unusual file names, and a line of 300 KB.
fn write_corpus(folder: &Path) {
    let write = |name: OsString, text: String| {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    for number in 0..16 {
        let own = (0..number * 9).map(|word| format!("word{number}of{word} ")).collect::<String>();
        let shared = PARAGRAPH.repeat(1 + number % 3);
        write(
            format!("prose/{}/{number}.md", number % 4).into(),
            format!("# {number}\n\n{own}\n\n{shared}{own}\n"),
        );
        write(format!("code/{number}.rs").into(), format!("// {number}\n{}", CODE.repeat(1 + number % 40)));
    }
    write("notes.txt".into(), (0..3000).map(|line| format!("line {line} of a long text\n")).collect());
    for name in ["one", "two"] {
        write(format!("long/{name}.txt").into(), PARAGRAPH.trim_end().repeat(300_000 / PARAGRAPH.len()));
    }
    let names: [&[u8]; 5] = [
        b"a\x1b[2J.txt",
        "b\u{202e}txt.\u{2066}".as_bytes(),
        b"\xff\xfe.txt",
        b"new\nline\t.c",
        "港.md".as_bytes(),
    ];
    for (number, name) in names.into_iter().enumerate() {
        let path = [b"hostile/".as_slice(), name].concat();
        write(OsString::from_vec(path), format!("{number}{HOSTILE}{PARAGRAPH}{number}{CODE}"));
    }
    fs::write(folder.join("hostile/nothing.bin"), b"\0\x01\x02").unwrap();
}

/// Numbers that are the same in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % end
    }

    fn one_of<T: Copy>(&mut self, these: &[T]) -> T {
        these[self.below(these.len() as u64) as usize]
    }
}

/// Random input of a user.
fn event(dice: &mut Dice) -> TuiEvent {
    const LETTERS: &[u8] = b"jjkkgGhlnNptTfFw+-=/?so111123456vVS baeyYxuzBPdIM:@[]<>.,'\"*Zq0";
    const NAMED: &[KeyCode] = &[
        KeyCode::Enter,
        KeyCode::Enter,
        KeyCode::Esc,
        KeyCode::Esc,
        KeyCode::Esc,
        KeyCode::Tab,
        KeyCode::BackTab,
        KeyCode::Up,
        KeyCode::Down,
        KeyCode::Left,
        KeyCode::Right,
        KeyCode::PageUp,
        KeyCode::PageDown,
        KeyCode::Home,
        KeyCode::End,
        KeyCode::Backspace,
        KeyCode::Delete,
        KeyCode::F(1),
    ];
    const CONTROL: &[u8] = b"rdufbgplzsacwekn";
    const PASTED: &[&str] =
        &["", "copies:>2 -path:vendor", "[", "\u{1b}[2J\n\u{202e}", "港の", "12", "keeper of"];
    const MICE: &[MouseEventKind] = &[
        MouseEventKind::Down(MouseButton::Left),
        MouseEventKind::Down(MouseButton::Left),
        MouseEventKind::Drag(MouseButton::Left),
        MouseEventKind::Up(MouseButton::Left),
        MouseEventKind::ScrollDown,
        MouseEventKind::ScrollUp,
        MouseEventKind::Down(MouseButton::Right),
        MouseEventKind::Moved,
    ];
    let key = |code, modifiers| TuiEvent::Key(KeyEvent::new(code, modifiers));
    match dice.below(100) {
        0..45 => key(KeyCode::Char(char::from(dice.one_of(LETTERS))), KeyModifiers::NONE),
        45..75 => key(dice.one_of(NAMED), KeyModifiers::NONE),
        75..80 => key(KeyCode::Char(char::from(dice.one_of(CONTROL))), KeyModifiers::CONTROL),
        80..95 => TuiEvent::Mouse(MouseEvent {
            kind: dice.one_of(MICE),
            column: dice.below(130) as u16,
            row: dice.below(45) as u16,
            modifiers: KeyModifiers::NONE,
        }),
        95..97 => TuiEvent::Paste(dice.one_of(PASTED).to_owned()),
        97..99 => TuiEvent::Tick,
        _ if dice.below(5) == 0 => TuiEvent::Resize(1 + dice.below(200) as u16, 1 + dice.below(60) as u16),
        _ => TuiEvent::Resize(80 + dice.below(50) as u16, 24 + dice.below(20) as u16),
    }
}

/// The screen of a session, as the loop of the program has it.
struct Live {
    model: Model,
    theme: Theme,
    terminal: Terminal<TestBackend>,
    session: Session,
    highlighter: Highlighter,
    inbox: Receiver<TuiEvent>,
    place: tempfile::TempDir,
    now: Duration,
    /// Whether a decision is not answered yet, and how many were.
    is_deciding: bool,
    decided: usize,
    /// How long each event and each frame took.
    spent: Vec<(Duration, &'static str)>,
}

impl Live {
    fn open() -> Self {
        let place = tempfile::tempdir().unwrap();
        let corpus = place.path().join("corpus");
        write_corpus(&corpus);
        let (events, inbox) = channel();
        let options =
            Options { memory: 1 << 24, threads: 1, ..Options::new(Folder::new(place.path().join("index"))) };
        let told = events.clone();
        let session = Session::start(Corpus::resolve(&[corpus]).unwrap(), options, move |update| {
            drop(told.send(TuiEvent::Session(update)));
        });
        let model = Model::new("corpus".into(), (120, 40));
        session.send(model.first_request());
        let terminal = Terminal::new(TestBackend::new(120, 40)).unwrap();
        let (theme, highlighter) =
            (Theme::dark(Charset::Unicode), Highlighter::start(teller(&events, TuiEvent::Highlighted)));
        Self {
            model,
            theme,
            terminal,
            session,
            highlighter,
            inbox,
            place,
            now: Duration::ZERO,
            is_deciding: false,
            decided: 0,
            spent: Vec::new(),
        }
    }

    /// Takes an event in, and does what is to be done about it; no file is written but beside the corpus.
    fn take(&mut self, event: TuiEvent) {
        let what = match &event {
            TuiEvent::Key(_) => "a key",
            TuiEvent::Mouse(_) => "the mouse",
            TuiEvent::Session(Update::Rows(_)) => "rows",
            TuiEvent::Session(Update::Preview(_)) => "a preview",
            TuiEvent::Session(_) => "the session",
            TuiEvent::Highlighted(_) => "colours",
            _ => "something else",
        };
        if matches!(event, TuiEvent::Session(Update::Decided { .. })) {
            self.is_deciding = false;
            self.decided += 1;
        }
        self.now += Duration::from_millis(5);
        let begun = processor_time();
        let effects = update(&mut self.model, event, self.now);
        self.spent.push((processor_time() - begun, what));
        for effect in effects {
            match effect {
                Effect::Ask(request) => self.ask(request),
                Effect::Highlight(jobs) => self.highlighter.send(jobs, self.theme.paint()),
                Effect::SaveFilter(name, text) => self.save_filter(&name, text.as_deref()),
                // What these do is done to a terminal.
                Effect::Edit { .. }
                | Effect::Run { .. }
                | Effect::Print { .. }
                | Effect::Copy(_)
                | Effect::Mouse(_)
                | Effect::Suspend
                | Effect::Take
                | Effect::Redraw
                | Effect::Quit => {}
            }
        }
    }

    /// Asks the session; but one decision waits for the other, or thousands of them would be waited for in the end.
    fn ask(&mut self, request: Request) {
        let is_decision = matches!(
            request,
            Request::Taboo { .. }
                | Request::ShowAgain { .. }
                | Request::SetState { .. }
                | Request::EditTaboo { .. }
                | Request::MoveTaboo { .. }
                | Request::RemoveTaboo { .. }
                | Request::ImportTaboo { .. }
                | Request::Undo
                | Request::Redo
        );
        if is_decision && self.is_deciding {
            return;
        }
        self.is_deciding |= is_decision;
        self.session.send(self.beside(request));
    }

    fn beside(&self, mut request: Request) -> Request {
        if let Request::Export { file, .. }
        | Request::ExportTaboo { file, .. }
        | Request::ImportTaboo { file } = &mut request
        {
            *file = self.place.path().join("written");
        }
        request
    }

    fn save_filter(&mut self, name: &str, text: Option<&str>) {
        let user = Folder::new(self.place.path().join("user"));
        self.take(TuiEvent::FilterOutcome(filters::keep(Some(&user), name, text)));
    }

    /// Takes in what waits, then draws.
    fn draw(&mut self) {
        while let Ok(event) = self.inbox.try_recv() {
            self.take(event);
        }
        self.terminal.backend_mut().resize(self.model.size.0, self.model.size.1);
        let begun = processor_time();
        self.terminal.draw(|frame| view::draw(frame, &self.model, &self.theme)).unwrap();
        self.spent.push((processor_time() - begun, "a frame"));
        for cell in self.terminal.backend().buffer().content() {
            assert!(!cell.symbol().chars().any(char::is_control), "{cell:?}");
        }
    }

    /// Waits for something that the session tells.
    fn wait_for(&mut self, what: &str, is_so: impl Fn(&Model) -> bool) {
        while !is_so(&self.model) {
            let event = self.inbox.recv_timeout(Duration::from_secs(60));
            self.take(event.unwrap_or_else(|_| panic!("waited for {what}")));
        }
    }

    /// Somebody steps back, goes to a view, and looks whether there is something in it.
    fn go_to(&mut self, view: char) {
        for key in [KeyCode::Esc; 6].into_iter().chain([KeyCode::Char(view)]) {
            self.press(key);
        }
        self.take(TuiEvent::Resize(120, 40));
        // All may be hidden; then there is nothing to wait for.
        for _ in 0..100 {
            if has_something(&self.model) {
                return;
            }
            if let Ok(event) = self.inbox.recv_timeout(Duration::from_millis(5)) {
                self.take(event);
            }
        }
    }

    fn press(&mut self, code: KeyCode) {
        self.take(TuiEvent::Key(KeyEvent::new(code, KeyModifiers::NONE)));
    }

    /// Somebody looks at each view once, and at a text.
    fn look_around(&mut self) {
        self.wait_for("passages and a copy", |model| model.document().is_some());
        self.press(KeyCode::Char('t'));
        for page in PAGES {
            self.press(KeyCode::Char(page.spec().keys[0].chars().next().unwrap()));
            self.wait_for(page.name(), |model| model.page == page && has_something(model));
            self.draw();
        }
        self.press(KeyCode::Char('1'));
        self.press(KeyCode::Enter);
        self.wait_for("a text", |model| model.focus == Focus::Document && model.document().is_some());
        self.draw();
    }

    /// Some file of the folder is another one, or there is one more or less.
    fn change_corpus(&self, number: usize) {
        let file = self.place.path().join(format!("corpus/prose/0/changing{}.md", number % 3));
        if number.is_multiple_of(4) {
            // It may not be there yet.
            let _ = fs::remove_file(file);
        } else {
            fs::write(file, format!("{number} {PARAGRAPH}{}", "more ".repeat(number % 30))).unwrap();
        }
    }
}

/// Whether there is something in the view.
fn has_something(model: &Model) -> bool {
    let Listing { is_provisional, rows, trouble, .. } = &*model.list.listing;
    match model.page {
        ViewPage::List(_) => !is_provisional && (!rows.is_empty() || trouble.is_some()),
        ViewPage::Activity => model.activity.is_some(),
    }
}

#[test]
fn whatever_somebody_does_while_it_indexes_it_goes_on_and_in_time() {
    let mut live = Live::open();
    live.look_around();
    let mut dice = Dice(0x2545_f491_4f6c_dd1d);
    let (mut count, mut draws, mut documents, mut overlays) = (0, 0, 0, 0);
    while count < EVENTS {
        for _ in 0..=dice.below(BURST) {
            if count.is_multiple_of(CHANGE) {
                live.change_corpus(count / CHANGE);
            }
            live.take(event(&mut dice));
            count += 1;
        }
        live.draw();
        draws += 1;
        if draws % GO_TO == 0 {
            live.go_to(dice.one_of(&['1', '2', '3', 'C', '4', '5', '6']));
            live.draw();
        }
        documents += usize::from(live.model.document().is_some());
        overlays += usize::from(live.model.dialogue.overlay.is_some());
    }
    // What the session tells comes when it comes: how often there is something to see is not the same in each run.
    let counts = [documents, overlays, live.decided];
    assert!(
        counts.iter().all(|count| *count > 0),
        "{counts:?} documents, overlays, decisions in {draws} frames"
    );
    let mut spent = std::mem::take(&mut live.spent);
    live.session.stop();
    spent.sort_unstable();
    let [most, slowest] = BUDGET.map(Duration::from_millis);
    let worst = &spent[spent.len() - spent.len() / 1000..];
    assert!(spent[spent.len() - spent.len() / 1000].0 <= most, "{worst:?}");
    assert!(spent[spent.len() - 1].0 <= slowest, "{worst:?}");
}
