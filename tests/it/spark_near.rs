//! `spark near` prints what `near` prints.

use crate::near_parts::home;
use crate::spark::{FEW_PORTS, submit};
use crate::support::text;

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
        let output = command.args(FEW_PORTS).env("SPARK_LOCAL_IP", "127.0.0.1").output().unwrap();
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status, whole.status, "{options:?}: {error}");
        let [found, whole] = [output, whole].map(|output| String::from_utf8(output.stdout).unwrap());
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
    let output = home.command(&fixed).args(FEW_PORTS).env("SPARK_LOCAL_IP", "127.0.0.1").output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{error}");
    let last = error.lines().last().unwrap();
    assert!(last.starts_with("dupi-tui: cannot read the document") && last.contains("2/text.txt"), "{last}");
}
