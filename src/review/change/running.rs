//! A git that runs: what it prints and says, and whether it goes on.
//!
//! Nothing here waits without a limit that git or what it has started could draw out: what it says on standard error is
//! taken as it comes, and what it waits for in vain ends it.

use std::fs;
use std::io::{self, ErrorKind, Read, Write};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout};
use std::thread;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{Pid, Signal, kill_process_group};

/// How often a git that prints nothing is looked at.
const LOOKED_AT: Duration = Duration::from_millis(50);
/// How often one is looked at that has printed all.
const ENDS_SOON: Duration = Duration::from_millis(1);
/// The number of looks in a row without progress after which a sleeping git is taken to wait for something that never comes.
const ASLEEP: u32 = 40;
/// The same for one that waits for a disk, which may have to spin up.
const AT_DISK: u32 = 600;
/// The number of looks within which a git that compares trees has usually printed something.
const SOON: u32 = 20;
/// How much of git's messages is kept, in bytes.
const MOST_SAID: usize = 1 << 14;
/// The number of looks after which a killed git that has not ended is left alone: it waits for a disk.
const KILLED: u32 = 1000;

/// Whether an answer is still wanted.
pub type Wanted<'w> = &'w dyn Fn() -> bool;

/// Waits until one of some pipes has something to read, or is at its end. Returns whether that is so.
fn wait_for(pipes: &mut [PollFd], patience: Duration) -> io::Result<bool> {
    let patience = Timespec { tv_sec: 0, tv_nsec: patience.subsec_nanos().into() };
    match poll(pipes, Some(&patience)) {
        Ok(found) => Ok(found > 0),
        Err(Errno::INTR) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// A git that runs. What it prints is read from this. It is killed when this is dropped.
pub(super) struct Running<'w> {
    child: Child,
    input: Option<ChildStdin>,
    output: Option<ChildStdout>,
    messages: Option<ChildStderr>,
    /// The begin of what it said on standard error.
    said: Vec<u8>,
    watch: ProcessWatch<'w>,
}

/// Tells whether a process goes on.
struct ProcessWatch<'w> {
    process: u32,
    is_wanted: Wanted<'w>,
    /// What the system said of the process when it was last looked at.
    seen: Option<String>,
    /// How often in a row nothing had changed since.
    quiet: u32,
}

impl ProcessWatch<'_> {
    /// Fails when nobody wants the answer any more, and on Linux when git has made no progress for long: elsewhere the
    /// system does not tell what git does.
    fn look(&mut self) -> io::Result<()> {
        if !(self.is_wanted)() {
            return Err(ErrorKind::ConnectionAborted.into());
        }
        let Ok(now) = fs::read_to_string(format!("/proc/{}/stat", self.process)) else { return Ok(()) };
        let is_asleep = now.rsplit(") ").next().is_some_and(|of| of.starts_with('S'));
        self.quiet = if self.seen.as_ref() == Some(&now) { self.quiet + 1 } else { 0 };
        self.seen = Some(now);
        let most = if is_asleep { ASLEEP } else { AT_DISK };
        if self.quiet > most { Err(ErrorKind::TimedOut.into()) } else { Ok(()) }
    }
}

impl<'w> Running<'w> {
    /// A program that was started with all three pipes.
    pub(super) fn new(mut child: Child, is_wanted: Wanted<'w>) -> Self {
        let (input, output, messages) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let watch = ProcessWatch { process: child.id(), is_wanted, seen: None, quiet: 0 };
        Self { child, input, output, messages, said: Vec::new(), watch }
    }

    /// Sends a line.
    pub(super) fn ask(&mut self, line: &str) -> io::Result<()> {
        self.input.as_mut().map_or(Ok(()), |input| input.write_all(format!("{line}\n").as_bytes()))
    }

    /// Waits for a moment. Returns whether there is something to read, or no more.
    fn is_ready(&mut self) -> io::Result<bool> {
        let Some(output) = &self.output else { return Ok(true) };
        let mut pipes = vec![PollFd::new(output, PollFlags::IN)];
        pipes.extend(self.messages.as_ref().map(|messages| PollFd::new(messages, PollFlags::IN)));
        wait_for(&mut pipes, LOOKED_AT)?;
        let [prints, says] = [0, 1].map(|at| pipes.get(at).is_some_and(|pipe| !pipe.revents().is_empty()));
        if says {
            self.listen();
        }
        if prints { Ok(true) } else { self.watch.look().map(|()| false) }
    }

    /// Takes what is there of what it says on standard error. The begin is kept.
    fn listen(&mut self) {
        let mut part = [0; 1 << 12];
        let length = self.messages.as_mut().map_or(0, |messages| messages.read(&mut part).unwrap_or(0));
        if length == 0 {
            self.messages = None;
        }
        self.said.extend_from_slice(&part[..length.min(MOST_SAID - self.said.len())]);
        self.watch.quiet = 0;
    }

    /// Waits for a moment until it says something on standard error. Returns whether it did.
    fn hears(&mut self, patience: Duration) -> io::Result<bool> {
        let mut pipes: Vec<PollFd> =
            self.messages.iter().map(|messages| PollFd::new(messages, PollFlags::IN)).collect();
        let is_heard = wait_for(&mut pipes, patience)?;
        if is_heard {
            self.listen();
        }
        Ok(is_heard)
    }

    /// Whether it prints something within a second, or ends.
    pub(super) fn prints_soon(&mut self) -> io::Result<bool> {
        for _ in 0..SOON {
            if self.is_ready()? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Waits until it has ended: its code, and what it said first when it failed.
    pub(super) fn wait(&mut self) -> io::Result<(Option<i32>, String)> {
        (self.input, self.output) = (None, None);
        let mut waited = Duration::ZERO;
        let code = loop {
            if let Some(status) = self.child.try_wait()? {
                break status.code();
            }
            if waited >= LOOKED_AT {
                self.watch.look()?;
                waited = Duration::ZERO;
            }
            self.hears(ENDS_SOON)?;
            waited += ENDS_SOON;
        };
        // No longer than something is there: a process that git left running may hold the pipe.
        while self.said.len() < MOST_SAID && self.hears(Duration::ZERO)? {}
        let said = String::from_utf8_lossy(&self.said);
        let line = said.lines().find_map(|line| line.strip_prefix("fatal: ")).or(said.lines().next());
        Ok((code, line.unwrap_or("git failed").to_owned()))
    }
}

impl Read for Running<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while !self.is_ready()? {}
        self.watch.quiet = 0;
        self.output.as_mut().map_or(Ok(0), |output| output.read(buffer))
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        if let Ok(None) = self.child.try_wait() {
            // It may have ended by itself in between.
            let _ = kill_process_group(Pid::from_child(&self.child), Signal::KILL);
            for _ in 0..KILLED {
                if !matches!(self.child.try_wait(), Ok(None)) {
                    return;
                }
                thread::sleep(ENDS_SOON);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_system_tells_nothing_of_has_no_limit() {
        let is_wanted = || true;
        let mut watch = ProcessWatch { process: u32::MAX, is_wanted: &is_wanted, seen: None, quiet: 0 };
        assert!((0..2 * AT_DISK).all(|_| watch.look().is_ok()));
    }
}
