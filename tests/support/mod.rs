//! The real program for tests: as a command in a home of its own, and in a pseudo-terminal.
#![allow(dead_code, unused_imports, reason = "each test program uses a part")]

pub mod acts;
mod keys;
pub mod minute;
pub mod page;
pub mod process;
pub mod stream;
mod terminal;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use portable_pty::CommandBuilder;
use serde_json::Value;

pub use terminal::{BareTerminal, Mouse, Screen};

/// The program under test: `DUPI_BIN`, or the one that was built with the tests.
pub fn program() -> PathBuf {
    std::env::var_os("DUPI_BIN").map_or_else(|| env!("CARGO_BIN_EXE_dupi-tui").into(), PathBuf::from)
}

/// A home folder and a corpus, gone when dropped.
pub struct Home {
    folder: tempfile::TempDir,
}

impl Home {
    /// An empty corpus.
    pub fn new() -> Self {
        let folder = crate::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("corpus")).unwrap();
        Self { folder }
    }

    /// The home folder.
    pub fn path(&self) -> PathBuf {
        self.folder.path().canonicalize().unwrap()
    }

    /// A path in the corpus.
    pub fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join("corpus").join(name)
    }

    /// Writes a file of the corpus.
    pub fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        let path = self.at(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    /// The variables that keep the program in this home.
    fn variables(&self) -> Vec<(&'static str, PathBuf)> {
        let home = self.folder.path();
        vec![
            ("HOME", home.into()),
            ("XDG_DATA_HOME", home.join("data")),
            ("XDG_CONFIG_HOME", home.join("config")),
            ("XDG_STATE_HOME", home.join("state")),
        ]
    }

    /// The settings file.
    pub fn settings(&self) -> PathBuf {
        self.folder.path().join("config/dupi-tui/config.toml")
    }

    /// Writes the settings file.
    pub fn set(&self, settings: &str) {
        std::fs::create_dir_all(self.settings().parent().unwrap()).unwrap();
        std::fs::write(self.settings(), settings).unwrap();
    }

    /// Runs the program in the corpus.
    pub fn run(&self, arguments: &[&str]) -> Said {
        self.run_with(arguments, b"")
    }

    /// The program in the corpus, not yet started.
    pub fn command(&self, arguments: &[&str]) -> Command {
        self.command_of(program(), arguments)
    }

    /// Another program in the corpus, not yet started.
    pub fn command_of(&self, program: impl AsRef<std::ffi::OsStr>, arguments: &[&str]) -> Command {
        let mut command = Command::new(program);
        command.args(arguments).current_dir(self.at(""));
        command.env_remove("DUPI_INDEX").env_remove("DUPI_CORPUS").envs(self.variables());
        command
    }

    /// Runs the program in the corpus with something on standard input.
    pub fn run_with(&self, arguments: &[&str], input: impl AsRef<[u8]>) -> Said {
        self.output(arguments, input).into()
    }

    /// The same for output that may be no text.
    pub fn output(&self, arguments: &[&str], input: impl AsRef<[u8]>) -> Output {
        with_input(&mut self.command(arguments), input)
    }

    /// The exit code of the program.
    pub fn code(&self, arguments: &[&str]) -> Option<i32> {
        self.run(arguments).code
    }

    /// What the program prints; it must succeed.
    pub fn stdout(&self, arguments: &[&str]) -> String {
        self.run(arguments).done(arguments)
    }

    /// The rows that the program prints with `--json`; there may be none.
    pub fn rows(&self, arguments: &[&str]) -> Vec<Value> {
        let said = self.run(&[arguments, &["--json"]].concat());
        assert!(matches!(said.code, Some(0 | 1)), "{arguments:?}: {}", said.stderr);
        said.rows()
    }

    /// Checks that the program fails with a sentence that has these words, and returns it.
    pub fn refuses(&self, arguments: &[&str], words: &str) -> String {
        self.run(arguments).refused(words)
    }

    /// Opens the program in a pseudo-terminal.
    pub fn open(&self, size: (u16, u16), arguments: &[&str], variables: &[(&str, &str)]) -> Screen {
        let mut command = self.command_in_terminal(program(), variables);
        command.args(arguments);
        Screen::start(command, size)
    }

    /// A program in the corpus, for a terminal, with these variables and no others.
    pub fn command_in_terminal(&self, program: PathBuf, variables: &[(&str, &str)]) -> CommandBuilder {
        let mut command = CommandBuilder::new(program);
        command.cwd(self.at(""));
        command.env_clear();
        command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command.env("TERM", "xterm-256color");
        command.env("LANG", "C.UTF-8");
        for (name, value) in self.variables() {
            command.env(name, value);
        }
        for (name, value) in variables {
            command.env(name, value);
        }
        command
    }
}

/// What came of a run of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    /// The exit code; `None` after a signal.
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl From<Output> for Said {
    fn from(output: Output) -> Self {
        let [stdout, stderr] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
        Self { code: output.status.code(), stdout, stderr }
    }
}

impl Said {
    /// Runs a command to its end.
    pub fn of(command: &mut Command) -> Self {
        command.output().unwrap().into()
    }

    /// The same with something on standard input.
    pub fn with_input(command: &mut Command, input: impl AsRef<[u8]>) -> Self {
        with_input(command, input).into()
    }

    /// Whether it succeeded.
    pub fn is_done(&self) -> bool {
        self.code == Some(0)
    }

    /// What was printed; it must be a success.
    pub fn done(self, what: impl std::fmt::Debug) -> String {
        assert!(self.is_done(), "{what:?}: {self:?}");
        self.stdout
    }

    /// The rows of a report in JSON Lines.
    pub fn rows(&self) -> Vec<Value> {
        lines(&self.stdout)
    }

    /// Checks that it is a failure with a sentence that has these words, and returns what is said.
    pub fn refused(self, words: &str) -> String {
        assert!(self.code == Some(2) && self.stderr.contains(words), "{words}: {self:?}");
        self.stderr
    }

    /// Checks that it is a failure with one line that has all of these words and nothing else, and returns the line.
    pub fn refused_in_a_line(self, words: &[&str]) -> String {
        let is_one = self.stdout.is_empty() && self.stderr.lines().count() == 1;
        assert!(is_one && self.stderr.starts_with("dupi-tui: "), "{self:?}");
        words.iter().for_each(|words| assert!(self.stderr.contains(words), "{words}: {self:?}"));
        self.refused("")
    }
}

/// Runs a command to its end with something on standard input.
fn with_input(command: &mut Command, input: impl AsRef<[u8]>) -> Output {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // A program that fails at once does not read it.
    let _ = child.stdin.take().unwrap().write_all(input.as_ref());
    child.wait_with_output().unwrap()
}

/// The rows of a report in JSON Lines.
pub fn lines(json: &str) -> Vec<Value> {
    json.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The strings in a field of some rows or copies.
pub fn strings(rows: &[Value], field: &str) -> Vec<String> {
    rows.iter().map(|row| row[field].as_str().unwrap().to_owned()).collect()
}

/// A number of words that stand nowhere else.
pub fn words(name: &str, count: usize) -> String {
    (0..count).map(|number| format!("{name}{number} ")).collect()
}

/// A path as a string.
pub fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}
