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
use std::process::{Command, Output};

use portable_pty::CommandBuilder;

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

    /// Runs the program in the corpus.
    pub fn run(&self, arguments: &[&str]) -> Output {
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
    pub fn run_with(&self, arguments: &[&str], input: &[u8]) -> Output {
        let mut child = self
            .command(arguments)
            .stdin(std::process::Stdio::piped())
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(input).unwrap();
        child.wait_with_output().unwrap()
    }

    /// What the program prints; it must succeed.
    pub fn stdout(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{arguments:?}: {error}");
        String::from_utf8(output.stdout).unwrap()
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

/// A path as a string.
pub fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}
