//! What the figures are compared with: `cat`, `wc -w`, and other programs that find duplicates.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::page::figure;

/// How much a part of the corpus is to be that is given to slow peers.
const PART: u64 = 42 << 20;
/// What a peer may take: KiB of memory, and seconds.
const MOST_MEMORY: u64 = 12 << 20;
const MOST_SECONDS: u32 = 120;

/// The files below a folder.
pub struct Files {
    folder: PathBuf,
    paths: Vec<PathBuf>,
    bytes: u64,
}

impl Files {
    /// Lists them.
    pub fn of(folder: &Path) -> Self {
        let mut files = Self { folder: folder.to_owned(), paths: Vec::new(), bytes: 0 };
        files.collect(folder);
        files.paths.sort();
        files
    }

    fn collect(&mut self, folder: &Path) {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => self.collect(&entry.path()),
                Ok(kind) if kind.is_file() => {
                    self.bytes += entry.metadata().map_or(0, |metadata| metadata.len());
                    self.paths.push(entry.path());
                }
                _ => {}
            }
        }
    }

    /// How many.
    pub fn count(&self) -> usize {
        self.paths.len()
    }

    /// Which.
    pub fn paths(&self) -> &[PathBuf] {
        &self.paths
    }

    /// Their sum.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// How long `cat` takes over them.
    pub fn cat(&self) -> Duration {
        self.time("xargs -0 cat")
    }

    /// How long `wc -w` takes over them.
    pub fn wc(&self) -> Duration {
        self.time("xargs -0 wc -w")
    }

    /// Prints how long the peers take that are installed.
    pub fn compare(&self) {
        let folder = self.folder.display();
        let peers = [
            (
                "jscpd",
                format!(
                    "jscpd --silent --min-tokens 50 --max-size 10mb --max-lines 1000000 --no-gitignore --reporters json --output \"$0\" '{folder}'"
                ),
            ),
            ("sim_text", "tr '\\0' '\\n' | sim_text -r24 -n -i -o \"$0/runs\"".to_owned()),
        ];
        for (name, command) in peers {
            let is_installed = Command::new("which").arg(name).stdout(Stdio::null()).status();
            if !is_installed.is_ok_and(|status| status.success()) {
                figure!("| `{name}` on the same part | is not installed |");
                continue;
            }
            let guarded = format!("ulimit -v {MOST_MEMORY}; {command}");
            let (time, ended) =
                self.run(&format!("exec timeout {MOST_SECONDS} sh -c {} \"$0\"", quoted(&guarded)));
            let how = if ended { "" } else { ", and did not end well" };
            figure!("| `{name}` on the same part | {:.2} s{how} |", time.as_secs_f64());
        }
    }

    fn time(&self, command: &str) -> Duration {
        let (time, ended) = self.run(command);
        assert!(ended, "{command}");
        time
    }

    /// Runs a shell command that gets the paths on standard input, and a folder to write to as `$0`.
    fn run(&self, command: &str) -> (Duration, bool) {
        let place = tempfile::tempdir().unwrap();
        let mut list = Vec::new();
        for path in &self.paths {
            list.extend_from_slice(path.as_os_str().as_encoded_bytes());
            list.push(0);
        }
        let started = Instant::now();
        let mut child = Command::new("sh")
            .args(["-c", command])
            .arg(place.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // A peer that takes its files from a folder does not read the list.
        let _ = child.stdin.take().unwrap().write_all(&list);
        let ended = child.wait().unwrap().success();
        (started.elapsed(), ended)
    }
}

/// A word of a shell's.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

/// The folder in the corpus that is about as large as a part should be; the corpus when it is small.
pub fn part_of(corpus: &Path) -> PathBuf {
    let folders = fs::read_dir(corpus).into_iter().flatten().flatten().map(|entry| entry.path());
    let folders = folders.filter(|path| path.is_dir() && !path.ends_with(".git"));
    folders.min_by_key(|folder| Files::of(folder).bytes.abs_diff(PART)).unwrap_or_else(|| corpus.to_owned())
}
