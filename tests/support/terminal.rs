//! A program in a pseudo-terminal, driven as a user drives it: keys by name, mouse, another size; and looked
//! at as a user looks at it: what stands on the screen, waited for with a deadline. Every byte that the program
//! writes is kept.

use std::fs::File;
use std::io::{Read, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

use super::keys;

/// How long a test waits for what must come.
const PATIENCE: Duration = Duration::from_secs(30);

/// How long a program that has nothing more to say is silent.
const SILENCE: Duration = Duration::from_millis(300);

/// So long the program waits for what may follow an Escape.
const ESCAPE: Duration = Duration::from_millis(25);

/// What a mouse does.
#[derive(Clone, Copy, Debug)]
pub enum Mouse {
    Press,
    Drag,
    Release,
    WheelUp,
    WheelDown,
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
    /// Starts a program in a terminal of so many columns and lines.
    pub fn start(command: CommandBuilder, (columns, lines): (u16, u16)) -> Self {
        let pair = native_pty_system().openpty(size(columns, lines)).unwrap();
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

    /// Sends text as it is typed.
    pub fn send(&mut self, text: &str) {
        self.send_bytes(text.as_bytes());
    }

    /// Sends bytes, whatever they are.
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        self.writer.write_all(bytes).unwrap();
        self.writer.flush().unwrap();
    }

    /// Presses keys, named and with blanks between them: `j Down Ctrl-r / a b c Enter Esc`.
    pub fn press(&mut self, keys: &str) {
        for key in keys.split_whitespace() {
            self.send(&keys::bytes(key));
            if key == "Esc" {
                // What follows sooner would be taken for the rest of a sequence.
                self.wait_until_read();
                self.take_until(Instant::now() + ESCAPE);
            }
        }
    }

    /// Pastes text.
    pub fn paste(&mut self, text: &str) {
        self.send(&format!("\u{1b}[200~{text}\u{1b}[201~"));
    }

    /// Does something with the mouse at a cell: column and line, from 0.
    pub fn mouse(&mut self, what: Mouse, (column, line): (u16, u16)) {
        let (button, end) = match what {
            Mouse::Press => (0, 'M'),
            Mouse::Drag => (32, 'M'),
            Mouse::Release => (0, 'm'),
            Mouse::WheelUp => (64, 'M'),
            Mouse::WheelDown => (65, 'M'),
        };
        self.send(&format!("\u{1b}[<{button};{};{}{end}", column + 1, line + 1));
    }

    /// Clicks on a cell.
    pub fn click(&mut self, cell: (u16, u16)) {
        self.mouse(Mouse::Press, cell);
        self.mouse(Mouse::Release, cell);
    }

    /// Gives the terminal another size.
    pub fn resize(&mut self, columns: u16, lines: u16) {
        self.parser.screen_mut().set_size(lines, columns);
        self.master.resize(size(columns, lines)).unwrap();
    }

    /// The screen as text.
    pub fn text(&self) -> String {
        self.parser.screen().contents()
    }

    /// The screen with its colours.
    pub fn screen(&self) -> &vt100::Screen {
        self.parser.screen()
    }

    /// The cell where some text begins for the first time: column and line, from 0.
    pub fn find(&self, text: &str) -> Option<(u16, u16)> {
        let (lines, columns) = self.screen().size();
        (0..lines).find_map(|line| {
            let mut shown = String::new();
            let mut starts = Vec::new();
            for column in 0..columns {
                starts.push((shown.len(), column));
                let cell = self.screen().cell(line, column)?;
                match cell.contents() {
                    "" if cell.is_wide_continuation() => {}
                    "" => shown.push(' '),
                    contents => shown.push_str(contents),
                }
            }
            let at = shown.find(text)?;
            starts.iter().find(|(start, _)| *start == at).map(|(_, column)| (*column, line))
        })
    }

    /// The process.
    pub fn process(&self) -> u32 {
        self.child.process_id().unwrap()
    }

    /// Whether the terminal is as a shell has it: lines are edited and echoed, on the main screen, with a cursor.
    pub fn is_as_before(&self) -> bool {
        let modes = rustix::termios::tcgetattr(File::open(self.master.tty_name().unwrap()).unwrap()).unwrap();
        let shell = rustix::termios::LocalModes::ICANON | rustix::termios::LocalModes::ECHO;
        modes.local_modes.contains(shell) && !self.screen().alternate_screen() && !self.screen().hide_cursor()
    }

    /// Waits until the screen's text is as it should be.
    pub fn wait_for(&mut self, what: &str, is_so: impl Fn(&str) -> bool) {
        self.wait_until(what, |screen| is_so(&screen.text()));
    }

    /// Waits until the screen shows some text.
    pub fn wait_for_text(&mut self, text: &str) {
        self.wait_for(text, |screen| screen.contains(text));
    }

    /// Sends text that may come to nothing, again and again, until the screen shows some text.
    pub fn send_until(&mut self, keys: &str, text: &str) {
        let deadline = Instant::now() + PATIENCE;
        while !self.text().contains(text) {
            assert!(Instant::now() < deadline, "waiting for {text}; the screen is\n{}", self.text());
            self.send(keys);
            let again = Instant::now() + SILENCE;
            while !self.text().contains(text) && Instant::now() < again {
                let _ = self.take_in(again.saturating_duration_since(Instant::now()));
            }
        }
    }

    /// Waits until the screen shows some text no more.
    pub fn wait_for_no(&mut self, text: &str) {
        self.wait_for(&format!("no {text}"), |screen| !screen.contains(text));
    }

    /// Waits until the program has written some bytes for the n-th time.
    pub fn wait_for_bytes(&mut self, what: &str, times: usize) {
        self.wait_until(&format!("{what:?}"), |screen| {
            screen.bytes.windows(what.len()).filter(|bytes| *bytes == what.as_bytes()).count() >= times
        });
    }

    /// Waits until something is so.
    pub fn wait_until(&mut self, what: &str, is_so: impl Fn(&Self) -> bool) {
        let deadline = Instant::now() + PATIENCE;
        while !is_so(self) {
            let Err(error) = self.take_in(deadline.saturating_duration_since(Instant::now())) else {
                continue;
            };
            panic!("waiting for {what} ({error}); the screen is\n{}", self.text());
        }
    }

    /// Takes in what the program still writes, until it writes nothing for a while.
    pub fn settle(&mut self) {
        while self.take_in(SILENCE).is_ok() {}
    }

    /// Takes in what the program writes until some time.
    pub fn take_until(&mut self, time: Instant) {
        while self.take_in(time.saturating_duration_since(Instant::now())).is_ok() {}
    }

    /// Waits until the program has read all that was sent.
    pub fn wait_until_read(&mut self) {
        let deadline = Instant::now() + PATIENCE;
        let name = self.master.tty_name().unwrap();
        // A terminal whose program has ended cannot be opened.
        // Asking for input first lets the system hand over what it still has on the way.
        let is_left = |input: File| {
            let mut asked = [PollFd::new(&input, PollFlags::IN)];
            let polled = rustix::event::poll(&mut asked, Some(&Timespec::default()));
            polled.is_ok_and(|count| count > 0) && asked[0].revents().contains(PollFlags::IN)
        };
        while File::open(&name).is_ok_and(is_left) {
            assert!(Instant::now() < deadline, "the program does not read; the screen is\n{}", self.text());
            let _ = self.take_in(Duration::from_millis(1));
        }
    }

    /// Waits for the end; the exit code.
    pub fn wait_for_end(&mut self) -> u32 {
        let deadline = Instant::now() + PATIENCE;
        loop {
            match self.take_in(deadline.saturating_duration_since(Instant::now())) {
                Ok(()) => {}
                Err(RecvTimeoutError::Disconnected) => return self.child.wait().unwrap().exit_code(),
                Err(RecvTimeoutError::Timeout) => panic!("it does not end; the screen is\n{}", self.text()),
            }
        }
    }

    /// Takes in what the program writes next, if it does so in time.
    pub fn take_in(&mut self, patience: Duration) -> Result<(), RecvTimeoutError> {
        let bytes = self.output.recv_timeout(patience)?;
        self.parser.process(&bytes);
        self.bytes.extend(bytes);
        Ok(())
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        let _ = self.child.kill();
    }
}

/// A program in a pseudo-terminal that can be closed while the program runs: nothing else holds the terminal.
pub struct BareTerminal {
    child: Box<dyn Child + Send + Sync>,
    reader: Box<dyn Read + Send>,
    writer: Box<dyn Write + Send>,
    master: Box<dyn MasterPty + Send>,
    parser: vt100::Parser,
}

impl BareTerminal {
    /// Starts a program.
    pub fn start(command: CommandBuilder) -> Self {
        let pair = native_pty_system().openpty(size(80, 24)).unwrap();
        let child = pair.slave.spawn_command(command).unwrap();
        let (reader, writer) = (pair.master.try_clone_reader().unwrap(), pair.master.take_writer().unwrap());
        Self { child, reader, writer, master: pair.master, parser: vt100::Parser::new(24, 80, 0) }
    }

    /// Reads until the screen shows some text.
    pub fn wait_for(&mut self, text: &str) {
        let mut buffer = [0; 4096];
        while !self.parser.screen().contents().contains(text) {
            let count = self.reader.read(&mut buffer).unwrap();
            self.parser.process(&buffer[..count]);
        }
    }

    /// Sends text as it is typed.
    pub fn send(&mut self, text: &str) {
        self.writer.write_all(text.as_bytes()).unwrap();
    }

    /// The process.
    pub fn process(&self) -> u32 {
        self.child.process_id().unwrap()
    }

    /// Closes the terminal. The program may go on.
    pub fn close(self) -> Box<dyn Child + Send + Sync> {
        drop((self.reader, self.writer, self.master));
        self.child
    }
}

fn size(columns: u16, lines: u16) -> PtySize {
    PtySize { rows: lines, cols: columns, pixel_width: 0, pixel_height: 0 }
}
