//! `spark near` prints what `near` prints.

use std::path::Path;

use crate::near_parts::home;
use crate::spark::{FEW_PORTS, of_spark, submit, wrapper};
use crate::support::{Home, Said, text};

/// The options of `near`, and those of Spark. `tests/it/near_parts.rs` has all methods, without Spark: a job takes ten seconds
/// to start.
const ASKED: [(&[&str], &[&str]); 5] = [
    (&["--threshold", "0.3", "--linkage", "complete"], &["--blocks", "2"]),
    (&["--method", "spotsigs", "--json"], &["--blocks", "1", "--split", "term"]),
    (
        &["--method", "spotsigs", "--idf-min", "0.1", "--idf-max", "0.8", "--pairs"],
        &["--blocks", "3", "--split", "term"],
    ),
    (&["--method", "minhash", "--format", "csv"], &["--blocks", "8", "--split", "term"]),
    (&["--method", "simhash", "--distance", "8", "--pairs"], &["--blocks", "2", "--split", "term"]),
];

#[test]
#[ignore = "needs Spark; .ci/run runs it"]
fn tasks_find_the_similar_documents_of_one_machine() {
    let home = home();
    let submit = submit();
    for (options, more) in ASKED {
        let whole = home.run(&[&["near", "--no-update", "--index", "../index"], options].concat());
        let fixed = [
            "spark",
            "near",
            "--index",
            "../index",
            "--spark-submit",
            text(&submit),
            "--work",
            "../wörk place",
        ];
        let mut command = home.command(&[&fixed[..], &["--master", "local[2]"], more, options].concat());
        let output = Said::of(command.args(FEW_PORTS).env("SPARK_LOCAL_IP", "127.0.0.1"));
        assert_eq!(output.code, whole.code, "{options:?}: {}", output.stderr);
        let [found, whole] = [output, whole].map(|output| output.stdout);
        assert_eq!(found, whole, "{options:?} {more:?}");
        assert!(!whole.is_empty(), "{options:?}");
    }
    let left = std::fs::read_dir(home.at("../wörk place")).unwrap().count();
    assert_eq!(left, 0, "the parts are removed");
}

#[test]
#[ignore = "needs Spark; .ci/run runs it"]
fn a_document_that_is_away_ends_the_job_with_its_name() {
    let home = home();
    std::fs::remove_file(home.at("2/text.txt")).unwrap();
    let submit = submit();
    let fixed = [
        "spark",
        "near",
        "--no-update",
        "--index",
        "../index",
        "--spark-submit",
        text(&submit),
        "--master",
        "local[2]",
    ];
    let output = Said::of(home.command(&fixed).args(FEW_PORTS).env("SPARK_LOCAL_IP", "127.0.0.1"));
    let error = output.stderr;
    assert_eq!((output.code, output.stdout.len()), (Some(2), 0), "{error}");
    let last = error.lines().last().unwrap();
    assert!(last.starts_with("dupi-tui: cannot read the document") && last.contains("2/text.txt"), "{last}");
}

/// A licence is in 2,000 documents: two million pairs share its signatures, which is more than one task should have. And the
/// program and the interpreter of tasks are killed, after which none of their programs is left.
#[test]
#[ignore = "needs Spark; .ci/run runs it"]
fn a_text_in_all_documents_and_killed_processes_change_nothing() {
    let submit = submit();
    let home = Home::new();
    let licence = "this is a file of the river project and the use of the file is for those who have a copy of the terms";
    let record = |number: usize| {
        let word = |at: usize| format!("the own{} word{} ", number / 2 * 100 + at * (1 + number % 2), at);
        let own: String = (0..30).map(word).collect();
        format!("{{\"text\": \"{licence} {own}\"}}\n")
    };
    home.write("all.jsonl", (0..1_000).map(record).collect::<String>());
    home.write("more.jsonl", (1_000..2_000).map(record).collect::<String>());
    home.stdout(&["index", "-q", "--jsonl", "text", "--index", "../index"]);
    let asked = ["--method", "spotsigs", "--threshold", "0.15"];
    let whole =
        home.stdout(&[&["near", "--no-update", "--index", "../index", "--pairs"], &asked[..]].concat());
    assert!(whole.lines().count() > 500, "{whole}");
    let parts = home.at("../parts");
    std::fs::create_dir(&parts).unwrap();
    let of = |name: &str| home.at(name).canonicalize().unwrap();
    let (index, parts) = (of("../index"), of("../parts"));
    let fixed =
        [&["--index", text(&index), "--blocks", "2", "--threads", "1", "--out", text(&parts)], &asked[..]]
            .concat();
    for task in ["0", "1"] {
        home.stdout(&[&["segment", "shatter", "near", "--task", task], &fixed[..]].concat());
    }
    // Whoever makes one of these folders kills.
    let script = "kills() { mkdir \"$HERE/$1\" 2>/dev/null; }\n\
        if [ $2 = shatter ] && kills interpreter; then kill -9 $PPID; sleep 1; echo > \"$HERE/outlived\"; fi\n\
        if [ $2 = query ] && kills program; then head -c 9 > /dev/null; kill -9 $$; fi\n\
        if [ $2 = query ] && kills last; then kill -9 $PPID; sleep 1; echo > \"$HERE/outlived\"; fi\n\
        exec \"$DUPI\" \"$@\"\n";
    let wrapper = wrapper(&home, script);
    let more =
        ["--master", "local[2,6]", "--driver-memory", "512m", "--conf", "spark.log.level=WARN", "--files"];
    let mut command = of_spark(&home, &submit, &[&more[..], &[text(&wrapper)], &FEW_PORTS].concat());
    command.arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/spark/dupi_spark.py"));
    command.args(["links", "--blocks", "2", "--threshold", "0.15", "--"]).args(&fixed);
    Said::of(&mut command).done("Spark");
    for killed in ["interpreter", "program", "last"] {
        assert!(home.at("../wrapper").join(killed).exists(), "{killed}");
    }
    assert!(!home.at("../wrapper/outlived").exists(), "a program outlived its interpreter");
    let found = home
        .stdout(&[&["near", "--index", "../index", "--reduce", "../parts", "--pairs"], &asked[..]].concat());
    assert_eq!(found, whole);
}
