//! Logs the time of each frame, and the latency of each key until its frame is drawn (`--frame-log FILE`).
//!
//! A line is `frame MICROSECONDS` or `key MICROSECONDS`, in order of completion.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::time::{Duration, Instant};

/// The log, if it is wanted.
pub(super) struct FrameLog {
    file: Option<BufWriter<File>>,
    /// The times of keys whose frame is not drawn yet.
    waiting: Vec<Instant>,
}

impl FrameLog {
    /// Creates a log; without a path nothing is logged.
    pub(super) fn new(path: Option<&Path>) -> io::Result<Self> {
        let file = path.map(File::create).transpose()?.map(BufWriter::new);
        Ok(Self { file, waiting: Vec::new() })
    }

    /// Records a key.
    pub(super) fn key(&mut self, read: Instant) {
        if self.file.is_some() {
            self.waiting.push(read);
        }
    }

    /// Logs a frame that was started at this time, with the keys before it.
    pub(super) fn frame(&mut self, begun: Instant) -> io::Result<()> {
        let Some(file) = &mut self.file else { return Ok(()) };
        let mut line = |what: &str, time: Duration| writeln!(file, "{what} {}", time.as_micros());
        line("frame", begun.elapsed())?;
        for read in self.waiting.drain(..) {
            line("key", read.elapsed())?;
        }
        file.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_frame_and_the_keys_before_it_are_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("frames");
        let mut log = FrameLog::new(Some(&path)).unwrap();
        log.key(Instant::now());
        log.frame(Instant::now()).unwrap();
        log.frame(Instant::now()).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        let what: Vec<&str> = text.lines().filter_map(|line| line.split(' ').next()).collect();
        assert_eq!(what, ["frame", "key", "frame"]);
        assert!(text.lines().all(|line| line.split(' ').nth(1).unwrap().parse::<u64>().is_ok()));
    }
}
