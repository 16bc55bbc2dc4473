//! Copies text to the clipboard: through the terminal (OSC 52), which also works over a network, and through a
//! clipboard program where there is one.
//!
//! No terminal confirms that it took the text, and some truncate a long one. The message therefore states what was sent
//! and where, not that it arrived; text that would be truncated is not sent.

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::{env, thread};

use crossterm::Command as _;
use crossterm::clipboard::CopyToClipboard;

use dupi_base::storage::in_words;

/// The bytes that every terminal takes in one sequence.
const MOST: usize = 74_000;
/// The bytes that screen takes in one sequence; it takes several.
const PIECE: usize = 512;

/// Programs that fill a clipboard, with the variable without which each is of no use.
const PROGRAMS: [(&str, &[&str], Option<&str>); 4] = [
    ("wl-copy", &[], Some("WAYLAND_DISPLAY")),
    ("xclip", &["-selection", "clipboard"], Some("DISPLAY")),
    ("xsel", &["--clipboard", "--input"], Some("DISPLAY")),
    ("pbcopy", &[], None),
];

/// The sentence about where text was sent.
fn sentence(bytes: usize, to_terminal: bool, to_program: Option<&str>) -> String {
    match (to_terminal, to_program) {
        (true, Some(program)) => format!("{bytes} bytes sent to the terminal's clipboard and to {program}."),
        (true, None) => format!("{bytes} bytes sent to the terminal's clipboard."),
        (false, Some(program)) => {
            format!("{bytes} bytes sent to {program}; the terminal would have cut them.")
        }
        (false, None) => format!(
            "Nothing sent: {bytes} bytes are more than a terminal takes, and there is no wl-copy, xclip, xsel or pbcopy."
        ),
    }
}

/// Copies text and reports in a sentence what was sent. The terminal gets it at once, between two frames; a program runs
/// on a thread of its own.
pub(super) fn copy(text: String, terminal: &mut impl Write, tell: impl FnOnce(String) + Send + 'static) {
    let surroundings = ClipboardEnvironment::read(|name| env::var_os(name));
    match send(&text, terminal, &surroundings) {
        Ok(to_terminal) => drop(thread::spawn(move || {
            fill(&text, &surroundings, |program| tell(sentence(text.len(), to_terminal, program)));
        })),
        Err(error) => tell(format!("cannot send to the clipboard: {}", in_words(&error))),
    }
}

/// The environment that decides about the way to the clipboard.
struct ClipboardEnvironment {
    path: OsString,
    is_tmux: bool,
    is_screen: bool,
    programs: Vec<(&'static str, &'static [&'static str])>,
}

impl ClipboardEnvironment {
    fn read(variable: impl Fn(&str) -> Option<OsString>) -> Self {
        let is_set = |name: &str| variable(name).is_some_and(|value| !value.is_empty());
        let is_tmux = is_set("TMUX");
        let is_of_use = |needs: Option<&str>| needs.is_none_or(is_set);
        let programs = PROGRAMS.iter().filter(|(_, _, needs)| is_of_use(*needs));
        Self {
            path: variable("PATH").unwrap_or_default(),
            is_tmux,
            is_screen: !is_tmux
                && variable("TERM").is_some_and(|term| term.to_string_lossy().starts_with("screen")),
            programs: programs.map(|&(name, arguments, _)| (name, arguments)).collect(),
        }
    }

    /// Starts the first available program.
    fn start(&self) -> Option<(&'static str, Child)> {
        self.programs.iter().find_map(|&(name, arguments)| {
            let path =
                env::split_paths(&self.path).map(|folder| folder.join(name)).find(|path| path.is_file())?;
            Some((name, start(path, arguments)?))
        })
    }
}

fn start(path: PathBuf, arguments: &[&str]) -> Option<Child> {
    let mut command = Command::new(path);
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().ok()
}

/// Sends text to the terminal unless it would be truncated; returns whether it was sent.
fn send(text: &str, terminal: &mut impl Write, surroundings: &ClipboardEnvironment) -> io::Result<bool> {
    let is_sent = text.len().div_ceil(3) * 4 <= MOST;
    if is_sent {
        terminal.write_all(wrapped(&sequence(text), surroundings).as_bytes())?;
        terminal.flush()?;
    }
    Ok(is_sent)
}

/// Pipes text to a program, reports its name, and waits for its end.
fn fill(text: &str, surroundings: &ClipboardEnvironment, tell: impl FnOnce(Option<&'static str>)) {
    let started = surroundings.start();
    tell(started.as_ref().map(|(name, _)| *name));
    let Some((_, mut child)) = started else { return };
    // The exit code is ignored.
    if let Some(mut input) = child.stdin.take() {
        let _ = input.write_all(text.as_bytes());
    }
    let _ = child.wait();
}

/// OSC 52, terminated by BEL: the usual terminator, an escape sequence, would end the wrapping of screen.
fn sequence(text: &str) -> String {
    let mut sequence = String::new();
    // Writing to a string cannot fail.
    let _ = CopyToClipboard::to_clipboard_from(text).write_ansi(&mut sequence);
    sequence.trim_end_matches("\u{1b}\\").to_owned() + "\u{7}"
}

/// Wraps a sequence so that tmux and screen pass it on.
fn wrapped(plain: &str, surroundings: &ClipboardEnvironment) -> String {
    if surroundings.is_tmux {
        // Depending on its settings, tmux handles the plain one or passes on the wrapped one.
        format!("{plain}\u{1b}Ptmux;{}\u{1b}\\", plain.replace('\u{1b}', "\u{1b}\u{1b}"))
    } else if surroundings.is_screen {
        let pieces = plain.as_bytes().chunks(PIECE).map(String::from_utf8_lossy);
        pieces.map(|piece| format!("\u{1b}P{piece}\u{1b}\\")).collect()
    } else {
        plain.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;
    use std::path::Path;

    use super::*;

    fn surroundings(variables: &[(&str, &str)]) -> ClipboardEnvironment {
        ClipboardEnvironment::read(|name| {
            variables.iter().find(|known| known.0 == name).map(|known| known.1.into())
        })
    }

    fn sent(text: &str, variables: &[(&str, &str)]) -> (String, String) {
        let mut terminal = Vec::new();
        let to_terminal = send(text, &mut terminal, &surroundings(variables)).unwrap();
        (sentence(text.len(), to_terminal, None), String::from_utf8(terminal).unwrap())
    }

    #[test]
    fn what_was_sent_is_said_and_not_that_it_arrived() {
        let (sentence, written) = sent("foo", &[("TERM", "xterm")]);
        assert_eq!(written, "\u{1b}]52;c;Zm9v\u{7}");
        assert_eq!(sentence, "3 bytes sent to the terminal's clipboard.");
    }

    #[test]
    fn tmux_and_screen_let_it_through() {
        let (_, written) = sent("foo", &[("TERM", "screen-256color"), ("TMUX", "/tmp/tmux-0/default,1,0")]);
        assert!(written.ends_with("\u{1b}Ptmux;\u{1b}\u{1b}]52;c;Zm9v\u{7}\u{1b}\\"), "{written:?}");
        let (_, written) = sent(&"foo".repeat(400), &[("TERM", "screen")]);
        let pieces: Vec<&str> = written.split("\u{1b}\\").filter(|piece| !piece.is_empty()).collect();
        assert!(pieces.len() == 4 && pieces.iter().all(|piece| piece.starts_with("\u{1b}P")));
        let whole: String = pieces.iter().map(|piece| &piece[2..]).collect();
        assert_eq!(whole, format!("\u{1b}]52;c;{}\u{7}", "Zm9v".repeat(400)));
    }

    #[test]
    fn what_a_terminal_would_cut_is_not_sent_to_it() {
        let (sentence, written) = sent(&"x".repeat(60_000), &[]);
        assert!(written.is_empty() && sentence.starts_with("Nothing sent: 60000 bytes"), "{sentence}");
    }

    fn program(folder: &Path, name: &str) {
        let path = folder.join(name);
        fs::write(&path, "#!/bin/sh\necho \"$@\" > \"$0.arguments\"\ncat > \"$0.text\"\n").unwrap();
        fs::set_permissions(path, PermissionsExt::from_mode(0o755)).unwrap();
    }

    #[test]
    fn a_program_that_is_there_gets_all_of_it() {
        let folder = tempfile::tempdir().unwrap();
        program(folder.path(), "wl-copy");
        program(folder.path(), "xclip");
        let path = format!("{}:/usr/bin:/bin", folder.path().to_str().unwrap());
        let long = "long ".repeat(40_000);
        let surroundings = surroundings(&[("PATH", &path), ("DISPLAY", ":0")]);
        let mut terminal = Vec::new();
        let to_terminal = send(&long, &mut terminal, &surroundings).unwrap();
        let mut to_program = None;
        fill(&long, &surroundings, |name| to_program = name);
        let sent = sentence(long.len(), to_terminal, to_program);
        assert_eq!(sent, "200000 bytes sent to xclip; the terminal would have cut them.");
        let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
        assert_eq!((read("xclip.text"), read("xclip.arguments")), (long, "-selection clipboard\n".into()));
        assert!(!folder.path().join("wl-copy.text").exists() && terminal.is_empty());
    }
}
