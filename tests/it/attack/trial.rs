//! One run of the program under limits of time, memory, handles and file size, and what came of it.

use std::io::Read;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::support::{Home, process, program};

/// Limits of a trial.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// After this the program is taken to hang.
    pub time: Duration,
    /// Address space, in MiB. Much of it is maps and stacks that are never touched.
    pub memory: u64,
    /// Open files.
    pub handles: Option<u32>,
    /// Size of a file that is written, in units of 512 bytes.
    pub file_size: Option<u32>,
}

impl Default for Limits {
    fn default() -> Self {
        Self { time: Duration::from_secs(20), memory: 16 << 10, handles: None, file_size: None }
    }
}

impl Limits {
    fn commands(self) -> String {
        let handles = self.handles.map_or(String::new(), |handles| format!("ulimit -n {handles}; "));
        // With SIGXFSZ as a shell leaves it: at its default.
        let size = self.file_size.map_or(String::new(), |blocks| format!("ulimit -f {blocks}; "));
        format!("ulimit -v {}; {handles}{size}exec \"$@\"", self.memory << 10)
    }
}

/// What came of a trial.
#[derive(Debug)]
pub struct Outcome {
    /// How it ended; `None` when it had to be killed after its time.
    pub status: Option<ExitStatus>,
    pub stdout: String,
    pub stderr: String,
    pub time: Duration,
    /// Peak of the resident set, in KiB.
    pub peak: u64,
}

impl Outcome {
    /// Panics unless the program ended by itself with one of the documented exit codes, and without a panic. A failure
    /// must be told in words.
    pub fn check(&self, what: &str) {
        let Self { status, stderr, .. } = self;
        let Some(status) = status else { panic!("{what}: hangs") };
        assert_eq!(status.signal(), None, "{what}: {stderr}");
        assert!(!stderr.contains("panicked"), "{what}: {stderr}");
        assert!(matches!(status.code(), Some(0..=2)), "{what}: {status}, {stderr}");
        assert!(status.code() != Some(2) || !stderr.trim().is_empty(), "{what}: failed without a word");
    }

    /// Whether the program did what it was asked for.
    pub fn is_done(&self) -> bool {
        self.status.is_some_and(|status| status.code() != Some(2))
    }
}

/// A program under limits.
pub struct Trial {
    child: Child,
    started: Instant,
    limits: Limits,
    stdout: JoinHandle<String>,
    stderr: JoinHandle<String>,
}

impl Trial {
    /// Starts the program in the corpus of `home`, with its index in the folder beside the corpus.
    pub fn start(home: &Home, arguments: &[&str], limits: Limits) -> Self {
        let mut command = home.command(&[]);
        let variables: Vec<_> =
            command.get_envs().map(|(name, value)| (name.to_owned(), value.map(ToOwned::to_owned))).collect();
        let mut shell = Command::new("sh");
        shell.args(["-c", &limits.commands(), "sh"]).arg(program()).args(arguments).current_dir(home.at(""));
        for (name, value) in variables {
            match value {
                Some(value) => shell.env(name, value),
                None => shell.env_remove(name),
            };
        }
        shell.env("DUPI_INDEX", home.at("../index"));
        command = shell;
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let started = Instant::now();
        let mut child = command.spawn().unwrap();
        let (stdout, stderr) = (read(child.stdout.take().unwrap()), read(child.stderr.take().unwrap()));
        Self { child, started, limits, stdout, stderr }
    }

    /// The process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Waits for its end, or ends it after its time.
    pub fn finish(mut self) -> Outcome {
        let mut peak = 0;
        let status = loop {
            peak = peak.max(process::memory(self.child.id(), "VmHWM").unwrap_or(0));
            if let Some(status) = self.child.try_wait().unwrap() {
                break Some(status);
            }
            if self.started.elapsed() > self.limits.time {
                let _ = self.child.kill();
                let _ = self.child.wait();
                break None;
            }
            thread::sleep(Duration::from_millis(1));
        };
        let time = self.started.elapsed();
        let text = |output: JoinHandle<String>| output.join().unwrap();
        Outcome { status, stdout: text(self.stdout), stderr: text(self.stderr), time, peak }
    }
}

/// Runs the program to its end.
pub fn run(home: &Home, arguments: &[&str], limits: Limits) -> Outcome {
    Trial::start(home, arguments, limits).finish()
}

fn read(mut pipe: impl Read + Send + 'static) -> JoinHandle<String> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        pipe.read_to_end(&mut bytes).unwrap();
        String::from_utf8_lossy(&bytes).into_owned()
    })
}
