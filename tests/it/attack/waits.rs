//! What never ends or never rests: FIFOs and sockets wherever rules, repositories and lists are read, patches of which only
//! a part is applied, a file that grows without end.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::process::Command;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use super::trial::{Limits, run};
use crate::branches::{Dice, function, git, git_in, name, repository, text};
use crate::support::Home;
use crate::support::page::figure;
use crate::support::process;

static VERBS: LazyLock<Vec<Vec<&str>>> = LazyLock::new(|| super::listed("waiting"));

/// Longer than this no verb may take with a few files, on a loaded machine.
const LIMIT: Duration = Duration::from_secs(15);

/// What stands where a file is expected.
fn make(kind: &str, home: &Home, place: &str) {
    let path = home.at(place);
    let _ = fs::remove_file(&path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let fifo = |path: &std::path::Path| assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
    match kind {
        "FIFO" => fifo(&path),
        "socket" => drop(UnixListener::bind(&path).unwrap()),
        _ => {
            fifo(&home.at("../fifo"));
            symlink(home.at("../fifo"), &path).unwrap();
        }
    }
}

/// Tries every verb with something that never ends in each of some places: how many trials, and the longest.
fn waits(kinds: &[&str], places: &[&str]) -> (usize, Duration) {
    let (mut trials, mut longest) = (0, Duration::ZERO);
    for (kind, place) in kinds.iter().flat_map(|kind| places.iter().map(move |place| (kind, place))) {
        let home = repository();
        make(kind, &home, place);
        for verb in VERBS.iter() {
            let outcome = run(&home, verb, Limits { time: LIMIT, ..Limits::default() });
            outcome.check(&format!("{verb:?} with a {kind} at {place}"));
            (trials, longest) = (trials + 1, longest.max(outcome.time));
        }
    }
    (trials, longest)
}

/// Applies a patch of several files to a random part of them, and reviews it: how often it was refused.
fn parts(rounds: u64) -> usize {
    let mut refused = 0;
    for round in 0..rounds {
        let mut dice = Dice::new(round);
        let home = repository();
        let names: Vec<String> =
            (0..6).map(name).chain((0..3).map(|number| format!("new{number}.c"))).collect();
        for (number, name) in names.iter().enumerate() {
            home.write(name, text(&[function(7000 + 100 * round + number as u64), function(100)]));
        }
        git(&home, &["rm", "-q", "--cached", &names[5]]);
        fs::remove_file(home.at(&names[5])).unwrap();
        git(&home, &["add", "-A"]);
        let patch = git_in(&home, &home.at(""), &["diff", "--cached"]).stdout;
        home.write("../patch", &patch);
        git(&home, &["commit", "-q", "-m", "after"]);
        let undone: Vec<&String> = names.iter().filter(|_| dice.below(3) == 0).collect();
        for name in &undone {
            let former = git_in(&home, &home.at(""), &["show", &format!("HEAD~1:{name}")]);
            match former.is_done() {
                true => home.write(name, &former.stdout),
                false => fs::remove_file(home.at(name)).unwrap(),
            }
        }
        let outcome = run(&home, &["review", "--patch", "../patch"], Limits::default());
        outcome.check("a patch");
        assert_eq!(outcome.is_done(), undone.is_empty(), "round {round}, {undone:?}: {}", outcome.stderr);
        refused += usize::from(!outcome.is_done());
    }
    refused
}

/// The share of a processor that the screen takes while a file grows by 50 lines a second, the last half of the time.
fn growing(time: Duration) -> f64 {
    let home = Home::new();
    for file in 0..60 {
        home.write(&format!("{file}.txt"), text(&[function(file), function(file / 2)]));
    }
    let mut screen = home.open((120, 40), &[], &[]);
    screen.wait_for_text("60 documents");
    let mut log = OpenOptions::new().create(true).append(true).open(home.at("log.txt")).unwrap();
    let (started, mut half, mut line) = (Instant::now(), None, 0);
    while started.elapsed() < time {
        line += 1;
        writeln!(log, "{line} something happened to the number {} and was written down", line * 7919 % 1013)
            .unwrap();
        screen.take_until(Instant::now() + Duration::from_millis(20));
        if half.is_none() && started.elapsed() > time / 2 {
            half = Some((Instant::now(), process::processor_time(screen.process())));
        }
    }
    let (since, before) = half.unwrap();
    let taken = process::processor_time(screen.process()) - before;
    screen.press("q");
    taken.as_secs_f64() / since.elapsed().as_secs_f64()
}

#[test]
fn nothing_that_never_ends_is_waited_for() {
    assert_eq!(waits(&["FIFO"], &["src/.ignore"]).0, VERBS.len());
}

#[test]
fn no_part_of_a_patch_passes_for_the_whole() {
    assert!(parts(4) > 0);
}

/// The long form.
pub fn at_length() {
    let (trials, longest) = waits(&["FIFO", "socket", "link to a FIFO"], &super::listed("places").concat());
    figure!(
        "| FIFOs, sockets and links to FIFOs in place of rules and control files: trials · that hung · longest | {trials} · 0 · {:.1} s |",
        longest.as_secs_f64()
    );
    let rounds = 100;
    figure!(
        "| patches of which a random part is applied: trials · refused, all that had to be | {rounds} · {} |",
        parts(rounds)
    );
    figure!(
        "| a file that grows by 50 lines a second, after half a minute: cores in use | {:.2} |",
        growing(Duration::from_secs(60))
    );
}
