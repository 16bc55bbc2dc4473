//! `spark passages`: what a job on Apache Spark prints is what `passages` prints. The head of `spark.rs` says what the tests
//! need that are ignored.

use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::Duration;

use crate::branches::{function, text as source_of};
use crate::spark::{FEW_PORTS, script, submit, wrapper};
use crate::support::{Home, Said, text};

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

#[test]
#[ignore = "needs Spark; .ci/run runs it"]
fn a_job_prints_what_one_machine_prints() {
    let spark = submit();
    let home = corpus();
    let killing = killing(&home, &spark);
    for (submit, how, ask) in [
        (&spark, &["--tasks", "1", "--master", "local[2]"][..], &["--json", "--edits"][..]),
        (&killing, &["--tasks", "3", "--master", "local[2,4]"], &["--gap", "0", "--members"]),
        (
            &spark,
            &["--tasks", "8", "--master", "local[2]"],
            &["--match", "consistent", "--ignore-pattern", "-?w[0-9]+", "-g", "!*/1*.c"],
        ),
    ] {
        let more = [how, &["--work", "../wörk place"], ask].concat();
        let mut command = passages(&home, submit, &more);
        command.env("PYSPARK_PYTHON", python(&spark));
        let output = Said::of(&mut command);
        assert!(output.is_done(), "{}", output.stderr);
        fs::remove_dir_all(home.at("../whole")).unwrap_or_default();
        home.run(&["index", "-q", "--index", "../whole", "--jsonl", "text"]);
        let whole = home.stdout(&[&["passages", "--index", "../whole"], ask].concat());
        assert_eq!(output.stdout, whole, "{ask:?}");
        assert!(whole.contains(".c"), "{whole}");
        assert_eq!(fs::read_dir(home.at("../wörk place")).unwrap().count(), 0, "nothing is left");
    }
    for killed in KILLED {
        assert!(home.at("../wrapper").join(killed).exists(), "{killed}");
    }
}

/// Which processes of a job are killed, each once: a program and an interpreter of tasks that gather text.
const KILLED: [&str; 2] = ["gathering", "interpreter"];

/// A spark-submit that ships a program which kills itself, or the interpreter that runs it.
fn killing(home: &Home, spark: &Path) -> PathBuf {
    let lines = "first() { mkdir \"$HERE/$1\" 2>/dev/null; }\n\
                 case \" $* \" in\n\
                 *' query passages '*)\n\
                 first gathering && kill -9 $$\n\
                 first interpreter && kill -9 $PPID ;;\n\
                 esac\n\
                 exec \"$DUPI\" \"$@\"\n";
    let shipped = wrapper(home, lines);
    let lines = format!(
        "for word; do [ \"$last\" = --files ] && cp --remove-destination '{}' \"$word\"; last=$word; done\n\
         exec '{}' \"$@\"",
        text(&shipped),
        text(spark)
    );
    script(home, &lines)
}

/// The interpreter of Spark.
fn python(spark: &Path) -> PathBuf {
    let beside = spark.with_file_name("python3");
    if beside.exists() { beside } else { "python3".into() }
}

#[test]
#[ignore = "needs Spark; .ci/run runs it"]
fn a_document_that_an_executor_cannot_read_fails_the_job_in_the_last_line() {
    let submit = submit();
    let home = corpus();
    let gone = home.at("code/3.c");
    fs::remove_file(&gone).unwrap();
    std::os::unix::fs::symlink(&gone, &gone).unwrap();
    let output = Said::of(&mut passages(&home, &submit, &["--master", "local[2]", "--no-update"]));
    let last = output.stderr.lines().last().unwrap_or_default().to_owned();
    assert!(output.code == Some(2) && last.contains("code/3.c"), "{last}");
    assert!(output.stdout.is_empty());
}

/// How a verb of `spark` ends that gets so many signals, one after the other, after the job has said something; several only
/// when the process that is named in `../job` has ended.
fn ended(home: &Home, verb: &[&str], job: &str, signal: &str, most: usize) -> ExitStatus {
    fs::create_dir_all(home.at("../temporary")).unwrap();
    let submit = script(home, job);
    let fixed = ["--spark-submit", text(&submit), "--work", "../wörk place"];
    let mut command = home.command(&[&["spark"], verb, &fixed].concat());
    command.env("TMPDIR", home.at("../temporary")).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(out.by_ref().map_while(Result::ok).any(|line| line == "a line"));
    let job_is_there = || {
        let process = fs::read_to_string(home.at("../job")).unwrap_or_default();
        !process.is_empty() && Path::new("/proc").join(process.trim()).exists()
    };
    for _ in 0..3_000 {
        if most > 1 && job_is_there() {
            std::thread::sleep(Duration::from_millis(10));
        }
    }
    for number in 0..300 {
        if number < most {
            Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
        }
        std::thread::sleep(Duration::from_millis(100));
        if let Some(status) = child.try_wait().unwrap() {
            return status;
        }
    }
    child.kill().unwrap();
    child.wait().unwrap();
    panic!("{signal} had no effect");
}

#[test]
fn a_signal_ends_the_job_before_its_files_are_removed() {
    let home = corpus();
    let job = "trap 'test -e \"$ARGUMENTS\" && echo > ../ended; exit 143' TERM\n\
               echo a line\nwhile :; do sleep 0.05; done";
    for signal in ["-TERM", "-INT", "-HUP"] {
        let status = ended(&home, &["passages", "--index", "../index"], job, signal, 1);
        assert!(status.code().is_some_and(|code| code > 0), "{signal}: {status}");
        fs::remove_file(home.at("../ended")).expect("the job was ended, and had its files");
        for folder in ["../wörk place", "../temporary"] {
            assert_eq!(fs::read_dir(home.at(folder)).unwrap().count(), 0, "{signal}: {folder}");
        }
    }
}

#[test]
fn after_a_job_a_signal_ends_the_program() {
    let home = corpus();
    // Nothing ever writes what the tasks have printed, so this program waits for it.
    let job =
        "echo $$ > ../job\nmapfile -d '' -t words < \"$ARGUMENTS\"\nmkfifo \"${words[4]}\" && echo a line";
    for (signal, number) in [("-TERM", 15), ("-INT", 2)] {
        let status = ended(&home, &["index", "--index", "../new"], job, signal, 300);
        assert_eq!(status.signal(), Some(number), "{signal}");
    }
}

#[test]
fn what_is_for_one_machine_is_refused() {
    let home = Home::new();
    for option in [&["--reduce", "../blocks"][..], &["--amended"]] {
        let output = Said::of(&mut passages(&home, Path::new("/bin/false"), option));
        let expected = format!("dupi-tui: {} is for `dupi-tui passages`; leave it out\n", option[0]);
        assert_eq!((output.code, output.stderr), (Some(2), expected));
    }
}
