//! Signals at random moments of a build, of an answer after one, and of a session that follows the folder.

use std::os::unix::process::ExitStatusExt;
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

use super::trial::{Limits, Trial, run};
use crate::support::Home;
use crate::support::page::figure;

/// Those that end a program in order.
const ENDING: [Signal; 4] = [Signal::TERM, Signal::INT, Signal::HUP, Signal::QUIT];
/// Those that end a program that does nothing about them, with the file size limit's among them.
const ODD: [Signal; 7] =
    [Signal::USR1, Signal::USR2, Signal::ALARM, Signal::PIPE, Signal::XCPU, Signal::XFSZ, Signal::WINCH];

fn corpus() -> Home {
    let home = Home::new();
    for file in 0..40 {
        let words = (0..200).map(|at| format!("word{} ", file / 2 * 200 + at)).collect::<String>();
        home.write(&format!("{file}.txt"), words);
    }
    home
}

/// Sends signals to a program that follows a folder, and one that builds, at different moments. How many.
fn storm(rounds: u64) -> usize {
    let home = corpus();
    assert!(run(&home, &["index", "-q"], Limits::default()).is_done());
    let whole = run(&home, &["extract", "--no-update"], Limits::default()).stdout;
    let mut sent = 0;
    for round in 0..rounds {
        for (number, &signal) in ENDING.iter().chain(&ODD).enumerate() {
            let verb: &[&str] = match (number as u64 + round) % 4 {
                0 | 2 => &["index", "-q", "--watch"],
                1 => &["index", "-q", "--rebuild"],
                _ => &["extract", "--rebuild"],
            };
            let is_live = verb.contains(&"--watch");
            let trial = Trial::start(&home, verb, Limits::default());
            let process = Pid::from_raw(trial.id() as i32).unwrap();
            // The moments differ on purpose; whatever they hit must hold.
            thread::sleep(Duration::from_millis((round * 7 + number as u64 * 3) % 40));
            let _ = kill_process(process, signal);
            sent += 1;
            if is_live && !ENDING.contains(&signal) {
                let _ = kill_process(process, Signal::TERM);
            }
            let outcome = trial.finish();
            let Some(status) = outcome.status else { panic!("{verb:?} hangs after {signal:?}") };
            assert!(!outcome.stderr.contains("panicked"), "{signal:?}: {}", outcome.stderr);
            // In the first moments the program has not yet begun, and the signal meets a shell.
            let code = status.code().or(status.signal().map(|signal| 128 + signal)).unwrap();
            assert!(code <= 2 || code > 128, "{signal:?}: {status}");
            if verb[0] == "extract" && matches!(status.code(), Some(0 | 1)) {
                assert_eq!(outcome.stdout, whole, "{signal:?}: the answer of a part");
            }
            let answer = run(&home, &["extract"], Limits::default());
            answer.check(&format!("extract after {signal:?}"));
            assert_eq!(answer.stdout, whole, "after {signal:?}");
        }
    }
    sent
}

#[test]
fn no_signal_leaves_an_index_that_cannot_be_read() {
    assert_eq!(storm(1), ENDING.len() + ODD.len());
}

/// The long form.
pub fn at_length() {
    figure!("| signals sent to builds and to `index --watch` | {} |", storm(20));
}
