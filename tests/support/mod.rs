//! The real program for tests: as a command in a home of its own, and in a pseudo-terminal.
#![allow(dead_code)]

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

/// How long a test waits for what must come.
const PATIENCE: Duration = Duration::from_secs(30);

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
        let folder = tempfile::tempdir().unwrap();
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
        let mut command = Command::new(program());
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
        let mut command = CommandBuilder::new(program());
        command.args(arguments);
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
        Screen::spawn(command, size)
    }
}

/// A program in a pseudo-terminal.
pub struct Screen {
    master: Box<dyn MasterPty + Send>,
    writer: Box<dyn Write + Send>,
    child: Box<dyn Child + Send + Sync>,
    output: Receiver<Vec<u8>>,
    parser: vt100::Parser,
    /// Every byte that the program wrote.
    pub bytes: Vec<u8>,
}

impl Screen {
    fn spawn(command: CommandBuilder, (columns, lines): (u16, u16)) -> Self {
        let size = PtySize { rows: lines, cols: columns, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).unwrap();
        let child = pair.slave.spawn_command(command).unwrap();
        let mut reader = pair.master.try_clone_reader().unwrap();
        let (sender, output) = channel();
        thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(count @ 1..) = reader.read(&mut buffer) {
                if sender.send(buffer[..count].to_vec()).is_err() {
                    return;
                }
            }
        });
        let writer = pair.master.take_writer().unwrap();
        let parser = vt100::Parser::new(lines, columns, 0);
        Self { master: pair.master, writer, child, output, parser, bytes: Vec::new() }
    }

    /// Presses keys.
    pub fn send(&mut self, keys: &str) {
        self.writer.write_all(keys.as_bytes()).unwrap();
        self.writer.flush().unwrap();
    }

    /// Gives the terminal another size.
    pub fn resize(&mut self, columns: u16, lines: u16) {
        self.parser.screen_mut().set_size(lines, columns);
        self.master.resize(PtySize { rows: lines, cols: columns, pixel_width: 0, pixel_height: 0 }).unwrap();
    }

    /// The screen as text.
    pub fn text(&self) -> String {
        self.parser.screen().contents()
    }

    /// The screen with its colours.
    pub fn screen(&self) -> &vt100::Screen {
        self.parser.screen()
    }

    /// The process.
    pub fn process(&self) -> u32 {
        self.child.process_id().unwrap()
    }

    /// Waits until the screen is as it should be.
    pub fn wait_for(&mut self, what: &str, is_so: impl Fn(&str) -> bool) {
        let deadline = Instant::now() + PATIENCE;
        while !is_so(&self.text()) {
            match self.output.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(bytes) => {
                    self.parser.process(&bytes);
                    self.bytes.extend(bytes);
                }
                Err(error) => panic!("waiting for {what} ({error}); the screen is\n{}", self.text()),
            }
        }
    }

    /// Waits until the screen shows some text.
    pub fn wait_for_text(&mut self, text: &str) {
        self.wait_for(text, |screen| screen.contains(text));
    }

    /// Waits until the program has written some bytes for the n-th time.
    pub fn wait_for_bytes(&mut self, what: &str, times: usize) {
        let deadline = Instant::now() + PATIENCE;
        while self.bytes.windows(what.len()).filter(|bytes| *bytes == what.as_bytes()).count() < times {
            let bytes = self.output.recv_timeout(deadline.saturating_duration_since(Instant::now())).unwrap();
            self.parser.process(&bytes);
            self.bytes.extend(bytes);
        }
    }

    /// Takes in what the program still writes, until it writes nothing for a while.
    pub fn settle(&mut self) {
        while let Ok(bytes) = self.output.recv_timeout(Duration::from_millis(300)) {
            self.parser.process(&bytes);
            self.bytes.extend(bytes);
        }
    }

    /// Waits for the end; the exit code.
    pub fn wait_for_end(&mut self) -> u32 {
        let deadline = Instant::now() + PATIENCE;
        loop {
            match self.output.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(bytes) => {
                    self.parser.process(&bytes);
                    self.bytes.extend(bytes);
                }
                Err(RecvTimeoutError::Disconnected) => return self.child.wait().unwrap().exit_code(),
                Err(RecvTimeoutError::Timeout) => panic!("it does not end; the screen is\n{}", self.text()),
            }
        }
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        let _ = self.child.kill();
    }
}

/// A path as a string.
pub fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}
