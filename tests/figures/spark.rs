//! Jobs on Spark beside the same verbs on one machine: what the tasks take, what is shuffled, and who has how much memory.
//!
//! Spark tells of its tasks in its log of events. It does not know what the programs take that the tasks run: the program that
//! submits the job writes that to its log. What the interpreters take while no program runs nobody tells.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::peers::Files;
use crate::seconds;
use crate::support::page::figure;
use crate::support::process::{memory, time_of_children};
use crate::support::{Home, program, text};

const MIB: f64 = (1 << 20) as f64;

/// A verb, and the same as a job.
struct Job {
    name: &'static str,
    verb: &'static [&'static str],
    /// What the job is asked besides.
    more: &'static [&'static str],
    /// The option with the number of parts, and the numbers.
    parts: (&'static str, &'static [&'static str]),
}

const TASKS: (&str, &[&str]) = ("--tasks", &["1", "2", "4", "8"]);
const BLOCKS: (&str, &[&str]) = ("--blocks", &["2", "8"]);
const PASSAGES: &[&str] = &["passages", "--gap", "0", "--aside", "none", "--members", "--json"];
const SPOTS: &[&str] = &["near", "--method", "spotsigs", "--pairs", "--json"];
const BOUNDED: &[&str] =
    &["near", "--method", "spotsigs", "--idf-min", ".2", "--idf-max", ".85", "--pairs", "--json"];

const JOBS: [Job; 5] = [
    Job { name: "index", verb: &["index", "--rebuild"], more: &[], parts: TASKS },
    Job { name: "equal passages", verb: PASSAGES, more: &["--no-update"], parts: TASKS },
    Job { name: "spotsigs, by documents", verb: SPOTS, more: &["--no-update"], parts: BLOCKS },
    Job { name: "spotsigs, by terms", verb: SPOTS, more: &["--no-update", "--split", "term"], parts: BLOCKS },
    Job {
        name: "spotsigs with bounds, by terms",
        verb: BOUNDED,
        more: &["--no-update", "--split", "term"],
        parts: BLOCKS,
    },
];

/// What a run took.
#[derive(Default)]
struct Run {
    clock: Duration,
    /// The processor time of all processes.
    processor: Duration,
    /// Peaks of memory in MiB: of the program in a task, of the program that submits and reduces, of Spark's driver.
    peaks: [u64; 3],
    /// The time of all tasks, and the bytes that they shuffled.
    tasks: Duration,
    shuffled: u64,
}

/// In a larger corpus only the index is measured: a list of its passages may be incomplete with the usual memory.
const LARGE: u64 = 2 << 30;

/// Prints the figures for some folders: of all jobs for the first, and of the first three for the others.
pub fn figures(corpora: &[PathBuf]) {
    let submit = std::env::var("DUPI_SPARK_SUBMIT").expect("DUPI_SPARK_SUBMIT names Spark's spark-submit");
    let home = Home::new();
    home.write("few/words.txt", "Few words.");
    let start_up = on_spark(&home, &submit, &home.at("few"), &JOBS[0], "1");
    figure!(
        "| corpus | job | parts | time of tasks | shuffled | a task's memory · reduction's · driver's | processor | clock |"
    );
    figure!("| --- | --- | --- | --- | --- | --- | --- | --- |");
    figure!(
        "| one file | start-up | 1 | {:.1} s | 0 | {} | {:.1} s | {:.1} s |",
        seconds(start_up.tasks),
        peaks(&start_up),
        seconds(start_up.processor),
        seconds(start_up.clock)
    );
    for (number, corpus) in corpora.iter().enumerate() {
        let files = Files::of(corpus);
        let jobs = match number {
            0 => &JOBS[..],
            _ if files.bytes() > LARGE => &JOBS[..1],
            _ => &JOBS[..3],
        };
        let name = corpus.file_name().unwrap_or_default().display().to_string();
        let name = format!("`{name}`, {:.0} MiB", files.bytes() as f64 / MIB);
        files.cat();
        let mut last: &[&str] = &[];
        for job in jobs {
            // Two ways of dividing a verb have one machine in common.
            if job.verb != last {
                last = job.verb;
                let more = job.more.iter().filter(|option| **option == "--no-update");
                let alone: Vec<&str> = job.verb.iter().chain(more).copied().collect();
                let alone = measured(&home, &[&alone[..], &["--index", "../index", text(corpus)]].concat());
                figure!(
                    "| {name} | {} | one machine | | | {} MiB | {:.1} s | {:.1} s |",
                    job.name,
                    alone.peaks[1],
                    seconds(alone.processor),
                    seconds(alone.clock)
                );
            }
            for parts in job.parts.1 {
                let run = on_spark(&home, &submit, corpus, job, parts);
                figure!(
                    "| {name} | {} | {parts} | {:.1} s | {:.1} MiB | {} | {:.1} s | {:.1} s |",
                    job.name,
                    seconds(run.tasks),
                    run.shuffled as f64 / MIB,
                    peaks(&run),
                    seconds(run.processor),
                    seconds(run.clock)
                );
            }
        }
    }
}

fn peaks(run: &Run) -> String {
    let [task, here, driver] = run.peaks;
    format!("{task} · {here} · {driver} MiB")
}

/// Runs a job on `local[2]`.
fn on_spark(home: &Home, submit: &str, corpus: &Path, job: &Job, parts: &str) -> Run {
    let events = tempfile::tempdir().unwrap();
    let log = format!("spark.eventLog.dir=file:{}", text(events.path()));
    let properties = [
        "spark.ui.enabled=false",
        "spark.eventLog.compress=false",
        "spark.eventLog.enabled=true",
        "spark.eventLog.rolling.enabled=false",
        &log,
    ];
    let (verb, options) = job.verb.split_first().unwrap();
    let mut arguments = vec!["spark", verb, "--master", "local[2]", "--spark-submit", submit];
    arguments.extend(options.iter().chain(job.more));
    arguments.extend(properties.iter().flat_map(|property| ["--conf", property]));
    arguments.extend([job.parts.0, parts, "--index", "../index", text(corpus)]);
    let run = measured(home, &arguments);
    let mut tasks = (0, 0);
    for entry in fs::read_dir(events.path()).unwrap() {
        let log = fs::read_to_string(entry.unwrap().path()).unwrap();
        for line in log.lines().filter(|line| line.contains("SparkListenerTaskEnd")) {
            let event: Value = serde_json::from_str(line).unwrap();
            let metrics = &event["Task Metrics"];
            tasks.0 += metrics["Executor Run Time"].as_u64().unwrap_or(0);
            tasks.1 += metrics["Shuffle Write Metrics"]["Shuffle Bytes Written"].as_u64().unwrap_or(0);
        }
    }
    Run { tasks: Duration::from_millis(tasks.0), shuffled: tasks.1, ..run }
}

/// Runs the program.
fn measured(home: &Home, arguments: &[&str]) -> Run {
    let (started, before) = (Instant::now(), time_of_children());
    let log = home.at("../state/dupi-tui/dupi-tui.log");
    let _ = fs::remove_file(&log);
    let mut child = Command::new(program())
        .args(["--log-level", "info"])
        .args(arguments)
        .current_dir(home.at("."))
        .env("HOME", home.at(".."))
        .env("XDG_DATA_HOME", home.at("../data"))
        .env("XDG_STATE_HOME", home.at("../state"))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let (is_done, peaks) = (AtomicBool::new(false), [const { AtomicU64::new(0) }; 3]);
    let own = child.id();
    let clock = thread::scope(|scope| {
        scope.spawn(|| {
            while !is_done.load(Ordering::Relaxed) {
                note_peaks(own, &peaks);
                thread::sleep(Duration::from_millis(10));
            }
        });
        let status = child.wait().unwrap();
        is_done.store(true, Ordering::Relaxed);
        assert!(status.success(), "{arguments:?}: {status}");
        started.elapsed()
    });
    // What the tasks ran is not waited for by the interpreter that starts theirs.
    let processor = time_of_children() - before + of_programs(&fs::read_to_string(&log).unwrap_or_default());
    Run { clock, processor, peaks: peaks.map(AtomicU64::into_inner), ..Run::default() }
}

/// The processor time of the programs of all jobs in a log.
fn of_programs(log: &str) -> Duration {
    let jobs = log.lines().filter(|line| line.contains("the programs of all jobs ended"));
    let seconds = jobs.map(|line| line.split("seconds=").nth(1).unwrap().trim_matches('"'));
    seconds.map(|seconds| Duration::from_secs_f64(seconds.parse().unwrap())).sum()
}

/// Notes the peaks of the processes that run.
fn note_peaks(own: u32, peaks: &[AtomicU64; 3]) {
    for entry in fs::read_dir("/proc").unwrap().flatten() {
        let Some(process) = entry.file_name().to_str().and_then(|name| name.parse().ok()) else { continue };
        let name = fs::read_to_string(entry.path().join("comm")).unwrap_or_default();
        let which = match name.trim_end() {
            "dupi-tui" if process == own => 1,
            "dupi-tui" => 0,
            "java" => 2,
            _ => continue,
        };
        peaks[which].fetch_max(memory(process, "VmHWM").unwrap_or(0) / 1024, Ordering::Relaxed);
    }
}
