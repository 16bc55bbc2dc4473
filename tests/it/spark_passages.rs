//! `spark passages`: what a job on Apache Spark prints is what `passages` prints. The head of `spark.rs` says what the tests
//! need that are ignored.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use crate::branches::{function, text as source_of};
use crate::spark::{FEW_PORTS, submit};
use crate::support::{Home, text};

/// A corpus of prose and code, with hostile names, records, equal files and marks, and its index in `../index`.
fn corpus() -> Home {
    let home = Home::new();
    let shared = "The tenant shall return all keys on the last day of the lease, leave the rooms clean and empty, and tell \
                  the landlord in writing where letters and the deposit should be sent to afterwards.";
    for number in 0..16_u64 {
        let own: String = (0..60).map(|word| format!("w{} ", word * (number + 3) % 90)).collect();
        let near = shared.replace("rooms", &format!("room{}", number % 3));
        home.write(
            &format!("bücher {}/a, b #{number}%20.txt", number % 5),
            format!("{own}\n{near}\n{number}"),
        );
        home.write(&format!("code/{number}.c"), source_of(&[function(number % 4), function(number % 3)]));
        home.write(
            &format!("code/marked {number}.c"),
            format!("// dupi:ignore-start\n{}", source_of(&[function(1)])),
        );
    }
    home.write("records.jsonl", format!("{{\"text\": \"{shared}\"}}\n").repeat(2));
    home.stdout(&["index", "--index", "../index", "--jsonl", "text"]);
    home
}

/// `spark passages` of the corpus.
fn passages(home: &Home, submit: &Path, more: &[&str]) -> Command {
    let verb = ["spark", "passages", "--spark-submit", text(submit), "--index", "../index"];
    let mut command = home.command(&[&verb[..], &FEW_PORTS, more].concat());
    command.env("SPARK_LOCAL_IP", "127.0.0.1").env("LC_ALL", "C");
    command
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
#[ignore = "needs Spark; .ci/run runs it"]
fn a_job_prints_what_one_machine_prints() {
    let submit = submit();
    let home = corpus();
    for (tasks, ask) in [
        ("1", &["--json", "--edits"][..]),
        ("2", &["--gap", "0", "--members", "--aside", "none"]),
        ("8", &["--match", "consistent", "--ignore-pattern", "-?w[0-9]+", "-g", "!*/1*.c"]),
    ] {
        let more = [&["--master", "local[2]", "--tasks", tasks, "--work", "../wörk place"], ask].concat();
        let output = passages(&home, &submit, &more).output().unwrap();
        assert!(output.status.success(), "{}", said(&output));
        fs::remove_dir_all(home.at("../whole")).unwrap_or_default();
        home.run(&["index", "-q", "--index", "../whole", "--jsonl", "text"]);
        let whole = home.stdout(&[&["passages", "--index", "../whole"], ask].concat());
        assert_eq!(String::from_utf8(output.stdout).unwrap(), whole, "{ask:?}");
        assert!(whole.contains(".c"), "{whole}");
        assert_eq!(fs::read_dir(home.at("../wörk place")).unwrap().count(), 0, "nothing is left");
    }
}

#[test]
#[ignore = "needs Spark; .ci/run runs it"]
fn a_document_that_an_executor_cannot_read_fails_the_job_in_the_last_line() {
    let submit = submit();
    let home = corpus();
    let gone = home.at("code/3.c");
    fs::remove_file(&gone).unwrap();
    std::os::unix::fs::symlink(&gone, &gone).unwrap();
    let output = passages(&home, &submit, &["--master", "local[2]", "--no-update"]).output().unwrap();
    let last = said(&output).lines().last().unwrap_or_default().to_owned();
    assert!(output.status.code() == Some(2) && last.contains("code/3.c"), "{last}");
    assert!(output.stdout.is_empty());
}

#[test]
fn what_is_for_one_machine_is_refused() {
    let home = Home::new();
    for option in [&["--reduce", "../blocks"][..], &["--amended"]] {
        let output = passages(&home, Path::new("/bin/false"), option).output().unwrap();
        let expected = format!("dupi-tui: {} is for `dupi-tui passages`; leave it out\n", option[0]);
        assert_eq!((output.status.code(), said(&output)), (Some(2), expected));
    }
}
