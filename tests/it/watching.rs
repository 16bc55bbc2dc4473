//! A session holds on to its folder when watching fails it: what cannot be read, what the system does not
//! report, disks that are away, rules that change, roots that are files.
use std::fs::{self, Permissions};
use std::io::{BufRead, BufReader};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::followed::{Followed, content};
use crate::support::Home;
use dupi::corpus::SkipReason;
use dupi::index::snapshot::Snapshot;
use dupi::ingest::Phase;
use xxhash_rust::xxh3::xxh3_64;

/// How long is waited for what must come.
const PATIENCE: Duration = Duration::from_secs(20);

/// Runs a test with the rights of an ordinary user: root reads what it likes.
fn as_ordinary_user(test: fn()) {
    #[repr(C)]
    struct Header {
        version: u32,
        thread: i32,
    }
    let user = thread::spawn(move || {
        let header = Header { version: 0x2008_0522, thread: 0 };
        let no_capabilities = [0_u32; 6];
        // Safety: both have the form that version 3 of the call reads, and it writes nothing. It is for this
        // thread and those that it starts.
        let answer = unsafe { libc::syscall(libc::SYS_capset, &header, no_capabilities.as_ptr()) };
        assert_eq!(answer, 0);
        test();
    });
    if let Err(panic) = user.join() {
        std::panic::resume_unwind(panic);
    }
}

fn allow(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
}

/// Whether a path is left out because the system refuses it.
fn is_refused(snapshot: &Snapshot, name: &str) -> bool {
    let is_it = |reason: &SkipReason| matches!(reason, SkipReason::Unreadable(_));
    snapshot.skipped().iter().any(|left| left.path == Path::new(name) && is_it(&left.reason))
}

/// The hash of a file as it was indexed.
fn hash(snapshot: &Snapshot, name: &str) -> u64 {
    let file = snapshot.files().find(|&file| snapshot.path(file) == Path::new(name)).unwrap();
    snapshot.file(file).hash
}

#[test]
fn a_folder_that_may_not_be_read_keeps_its_documents_and_the_rest_is_followed() {
    as_ordinary_user(|| {
        let mut followed = Followed::new();
        for name in ["closed/a", "closed/deep/b", "open/c"] {
            followed.write(name, 1);
        }
        followed.check("three files");
        let all = ["closed/a", "closed/deep/b", "open/c"];
        for (mode, seed) in [(0, 2), (0o444, 3), (0o111, 4)] {
            allow(&followed.at("closed"), mode);
            assert!(fs::read_dir(followed.at("closed/deep")).is_err() || mode == 0o111);
            let refused = if mode == 0o444 { "closed/a" } else { "closed" };
            followed.until("a folder closed", |snapshot| is_refused(snapshot, refused));
            followed.check_names("closed", &all);
            let changed = content(seed);
            fs::write(followed.at("open/c"), &changed).unwrap();
            followed.until("a change beside it", |snapshot| {
                hash(snapshot, "open/c") == xxh3_64(changed.as_bytes())
            });
            // It waits for a session that is told of changes, not one that looks every few seconds.
            followed.open();
            followed.check_names("closed, after a start", &all);
            allow(&followed.at("closed"), 0o755);
            followed.write("closed/a", seed);
            followed.write("closed/deep/b", seed);
            followed.check("open again, and changed");
        }
    });
}

#[test]
fn a_root_that_may_not_be_read_keeps_its_documents() {
    as_ordinary_user(|| {
        let followed = Followed::new();
        followed.write("a", 1);
        followed.write("deep/b", 1);
        followed.check("two files");
        allow(&followed.at(""), 0);
        followed.until("the root closed", |snapshot| is_refused(snapshot, ""));
        followed.check_names("closed", &["a", "deep/b"]);
        allow(&followed.at(""), 0o755);
        followed.write("deep/b", 2);
        followed.check("open again, and changed");
    });
}

#[test]
fn a_file_that_may_not_be_read_keeps_its_documents_as_long_as_it_looks_the_same() {
    as_ordinary_user(|| {
        let mut followed = Followed::new();
        followed.write("a", 1);
        followed.write("b", 1);
        followed.check("two files");
        allow(&followed.at("a"), 0);
        followed.until("a file closed", |snapshot| is_refused(snapshot, "a"));
        followed.check_names("closed", &["a", "b"]);
        followed.open();
        followed.check_names("closed, after a start", &["a", "b"]);
        fs::rename(followed.at("a"), followed.outside("closed")).unwrap();
        followed.write("a", 2);
        followed.check("another in its place");
        allow(&followed.at("a"), 0);
        fs::remove_file(followed.at("a")).unwrap();
        followed.check("gone");
        allow(&followed.outside("closed"), 0o644);
        fs::rename(followed.outside("closed"), followed.at("a")).unwrap();
        followed.check("back and open again");
    });
}

#[test]
fn a_disk_that_is_away_takes_no_documents_with_it() {
    let mut followed = Followed::new();
    followed.write("a", 1);
    followed.write("b", 1);
    followed.check("two files");
    followed.close();
    // As it would be, had the folder been a mount point; an empty one is what a disk leaves behind.
    let root = followed.at("").canonicalize().unwrap();
    fs::write(followed.outside("index/mounted"), [root.as_os_str().as_bytes(), &[0]].concat()).unwrap();
    for name in ["a", "b"] {
        fs::rename(followed.at(name), followed.outside(name)).unwrap();
    }
    followed.start();
    followed.wait(
        "a sentence that the disk is away",
        |progress| matches!(&progress.phase, Phase::Failed(sentence) if sentence.contains("mount the disk again")),
    );
    assert_eq!(followed.snapshot().totals().documents, 2);
    for name in ["a", "b"] {
        fs::rename(followed.outside(name), followed.at(name)).unwrap();
    }
    followed.write("c", 1);
    followed.check("the disk is back, with a new file");
}

#[test]
fn rules_that_change_are_followed() {
    let followed = Followed::new();
    for name in ["a.log", "a.txt", "deep/b.log"] {
        followed.write(name, 1);
    }
    followed.check("three files");
    fs::write(followed.at(".ignore"), "*.log\n").unwrap();
    followed.check_names("a rule", &["a.txt"]);
    fs::write(followed.at("deep/.ignore"), "!b.log\n").unwrap();
    followed.check_names("a rule against it", &["a.txt", "deep/b.log"]);
    fs::remove_file(followed.at(".ignore")).unwrap();
    followed.check_names("without the first", &["a.log", "a.txt", "deep/b.log"]);
}

#[test]
fn a_folder_whose_rules_cannot_be_read_comes_back_when_they_can() {
    let fifo = |path: &Path| assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
    let followed = Followed::new();
    for name in ["a", "deep/b", "deep/folder/c"] {
        followed.write(name, 1);
    }
    followed.check("three files");
    fifo(&followed.at("deep/.ignore"));
    followed.check_names("rules in a FIFO", &["a"]);
    fs::write(followed.outside("draft"), "folder\n").unwrap();
    fs::rename(followed.outside("draft"), followed.at("deep/.ignore")).unwrap();
    followed.check_names("rules in a file", &["a", "deep/b"]);
    fs::remove_file(followed.at("deep/.ignore")).unwrap();
    fs::create_dir_all(followed.outside("git/info")).unwrap();
    fifo(&followed.outside("git/info/exclude"));
    fs::rename(followed.outside("git"), followed.at("deep/.git")).unwrap();
    followed.check_names("rules of Git in a FIFO", &["a"]);
    followed.write("deep/.git/info/other", 2);
    fs::remove_file(followed.at("deep/.git/info/exclude")).unwrap();
    followed.check_names("no rules of Git", &["a", "deep/b", "deep/folder/c"]);
    fifo(&followed.at(".ignore"));
    followed
        .wait("an error", |progress| matches!(&progress.phase, Phase::Failed(why) if why.contains("FIFO")));
    followed.write("d", 2);
    fs::remove_file(followed.at(".ignore")).unwrap();
    followed.check_names("without the FIFO", &["a", "d", "deep/b", "deep/folder/c"]);
}

#[test]
fn roots_that_are_files_are_followed_and_their_neighbours_are_not() {
    let followed = Followed::files(&[".ignore", "a"]);
    followed.check("two files");
    followed.write("a", 2);
    followed.check("one changed");
    fs::write(followed.outside("draft"), content(3)).unwrap();
    fs::rename(followed.outside("draft"), followed.at("a")).unwrap();
    followed.check("another renamed over it");
    followed.write("neighbour", 1);
    followed.write(".ignore", 4);
    followed.write("a", 4);
    fs::rename(followed.at("neighbour"), followed.outside("away")).unwrap();
    followed.check("both changed");
}

#[test]
fn a_folder_made_again_at_once_is_followed() {
    let followed = Followed::new();
    for round in 0..12 {
        for name in ["again/a", "again/deep/b"] {
            followed.write(name, round % 5);
        }
        followed.check("a folder");
        fs::remove_dir_all(followed.at("again")).unwrap();
        followed.write("again/deep/b", 7);
        followed.check("made again");
        followed.write("again/deep/c", 8);
        followed.write("again/d", 8);
        followed.check("and changed again");
        fs::rename(followed.at("again"), followed.outside("old")).unwrap();
        followed.write("again/deep/b", 9);
        fs::remove_dir_all(followed.outside("old")).unwrap();
        followed.check("replaced");
    }
}

/// The program, following its corpus, and the lines that it prints.
struct Program {
    child: Child,
    lines: Receiver<String>,
}

impl Program {
    fn follow(home: &Home) -> Self {
        let mut command = home.command(&["index", "--watch"]);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = channel();
        thread::spawn(move || output.lines().map_while(Result::ok).try_for_each(|line| sender.send(line)));
        Self { child, lines }
    }

    fn wait_for(&self, end: &str) {
        let deadline = Instant::now() + PATIENCE;
        while !self
            .lines
            .recv_timeout(deadline.saturating_duration_since(Instant::now()))
            .unwrap()
            .ends_with(end)
        {}
    }

    /// How many folders the system watches for it.
    fn watches(&self) -> usize {
        let files = fs::read_dir(format!("/proc/{}/fdinfo", self.child.id())).unwrap();
        let of = |file: fs::DirEntry| fs::read_to_string(file.path()).unwrap_or_default();
        files.map(|file| of(file.unwrap()).lines().filter(|line| line.starts_with("inotify ")).count()).sum()
    }

    fn signal(&self, name: &str) {
        let process = self.child.id().to_string();
        assert!(Command::new("kill").args([name, &process]).status().unwrap().success());
    }

    fn wait_until_stopped(&self) {
        let deadline = Instant::now() + PATIENCE;
        let is_stopped = |task: fs::DirEntry| {
            let state = fs::read_to_string(task.path().join("stat")).unwrap();
            state.rsplit(") ").next().unwrap().starts_with('T')
        };
        let tasks = || fs::read_dir(format!("/proc/{}/task", self.child.id())).unwrap();
        while !tasks().all(|task| is_stopped(task.unwrap())) {
            assert!(Instant::now() < deadline);
            thread::yield_now();
        }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn what_the_system_had_no_room_to_report_is_found() {
    let home = Home::new();
    home.write("a", content(1));
    let program = Program::follow(&home);
    program.wait_for(": 1 documents");
    home.write("b", content(1));
    // By now it has walked the folder for the last time, unless it is asked to.
    program.wait_for(": 2 documents");
    program.signal("-STOP");
    program.wait_until_stopped();
    let room = fs::read_to_string("/proc/sys/fs/inotify/max_queued_events").unwrap();
    // Each of these makes two reports or more; a hidden file is no document.
    for _ in 0..room.trim().parse::<u32>().unwrap() / 2 + 100 {
        home.write(".hidden", "");
        fs::remove_file(home.at(".hidden")).unwrap();
    }
    home.write("c", content(1));
    program.signal("-CONT");
    program.wait_for(": 3 documents");
}

#[test]
fn folders_that_are_left_out_are_not_watched() {
    let home = Home::new();
    home.write(".ignore", "left/\n");
    home.write("kept/deep/a", content(1));
    for number in 0..40 {
        home.write(&format!("left/{number}/b"), content(2));
        home.write(&format!(".hidden/{number}/c"), content(2));
    }
    let program = Program::follow(&home);
    program.wait_for(": 1 documents");
    // What is reported is watched by now.
    home.write("kept/deep/d", content(3));
    program.wait_for(": 2 documents");
    let watches = program.watches();
    // The folder, the two that are kept, and what tells that the folder itself is another one.
    assert!((3..10).contains(&watches), "{watches} watches");
}
