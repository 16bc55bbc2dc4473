//! `near`, as a script calls it.

use std::fs::{self, File};
use std::time::{Duration, SystemTime};

use crate::support::{Home, lines, text, words};
use serde_json::{Value, json};

/// Three versions of one text, two equal texts of which one is a record, and texts of their own.
pub(crate) fn corpus() -> Home {
    let home = Home::new();
    let tree = words("tree", 60);
    home.write("v/first.txt", &tree);
    home.write("v/second.txt", format!("{tree}{}", words("more", 6)));
    home.write("v/third.txt", format!("{}{tree}", words("before", 20)));
    home.write("moss.txt", words("moss", 40));
    let (moss, mail) = (words("MOSS", 40), words("mail", 30));
    home.write("list.jsonl", format!("{{\"text\": \"{mail}\"}}\n{{\"text\": \"{moss}\"}}\n"));
    home.write("alone.txt", words("alone", 50));
    home
}

pub(crate) fn near(home: &Home, arguments: &[&str]) -> Vec<Value> {
    lines(&home.stdout(&[&["near", "--jsonl", "text", "--json"], arguments].concat()))
}

/// The paths of each cluster, the representative first.
fn clusters(home: &Home, arguments: &[&str]) -> Vec<Vec<String>> {
    let path = |member: &Value| member["path"].as_str().unwrap().to_owned();
    let paths = |row: &Value| row["members"].as_array().unwrap().iter().map(path).collect();
    near(home, arguments).iter().map(paths).collect()
}

fn refused(home: &Home, arguments: &[&str]) -> String {
    let output = home.run(&[&["near"], arguments].concat());
    assert_eq!((output.code, output.stdout.len()), (Some(2), 0), "{arguments:?}");
    output.stderr
}

#[test]
fn similar_documents_are_clusters_with_a_representative() {
    let home = corpus();
    let rows = near(&home, &[]);
    assert_eq!(rows.len(), 2);
    let member = |row: usize, member: usize| &rows[row]["members"][member];
    // 56 of 76 shingles, 56 of 62, and of the last two 56 of 82.
    assert_eq!(member(0, 0)["path"], "v/third.txt");
    assert_eq!(
        member(0, 1),
        &json!({"path": "v/first.txt", "similarity": 0.7368, "tokens": 60, "bytes": 410})
    );
    assert_eq!(member(0, 2)["similarity"], 0.6829);
    assert_eq!((&rows[0]["documents"], &rows[0]["least"]), (&json!(3), &json!(0.6829)));
    assert_eq!(rows[0]["saving"], 410 + 410 + 36);
    assert_eq!(rows[1]["members"][1]["path"], "moss.txt", "a record is a document");
    assert_eq!(rows[1]["least"], 1.0);
    let said = home.stdout(&["near", "--jsonl", "text"]);
    assert!(
        said.contains(" 3 documents, least alike 68 %, 856 B to save\n\tv/third.txt\n\tv/first.txt (73 %)\n")
    );
    assert!(said.contains(" 2 documents, least alike 100 %, "), "{said}");
    let said = home.stdout(&["near", "--jsonl", "text", "--method", "identical"]);
    assert!(said.contains(" 2 documents, all the same, "), "{said}");
    assert_eq!(clusters(&home, &["--clusters", "--top", "1"]).len(), 1);
    assert_eq!(clusters(&home, &["--path", "moss*"]), [["list.jsonl#2", "moss.txt"]]);
}

#[test]
fn clusters_follow_threshold_shingle_and_linkage() {
    let home = corpus();
    let sizes =
        |arguments: &[&str]| -> Vec<usize> { clusters(&home, arguments).iter().map(Vec::len).collect() };
    // 0.7098 on average.
    assert_eq!(sizes(&["--threshold", "0.7"]), [3, 2]);
    assert_eq!(sizes(&["--threshold", "0.72"]), [2, 2], "a chain is not one cluster");
    assert_eq!(sizes(&["--threshold", "0.7", "--linkage", "complete"]), [2, 2]);
    assert_eq!(sizes(&["--threshold", "0.72", "--linkage", "single"]), [3, 2]);
    assert_eq!(sizes(&["--threshold", "1"]), [2]);
    assert_eq!(sizes(&["--threshold", "0.69", "--shingle", "1", "--linkage", "complete"]), [3, 2]);
    let mut before = 0;
    for threshold in ["1", "0.9", "0.8", "0.7", "0.6", "0.1", "0"] {
        let pairs = near(&home, &["--pairs", "--threshold", threshold]).len();
        assert!(pairs >= before, "{threshold}");
        before = pairs;
    }
    assert_eq!(before, 4, "documents without a common shingle are no pair");
}

#[test]
fn a_bag_counts_how_often_a_document_has_a_shingle() {
    let home = Home::new();
    home.write("once.txt", "one two three");
    home.write("often.txt", "one two three one two three one two three");
    let similarity = |arguments: &[&str]| near(&home, arguments)[0]["similarity"].clone();
    assert_eq!(similarity(&["--pairs", "--shingle", "1"]), 1.0);
    assert_eq!(similarity(&["--pairs", "--shingle", "1", "--bag", "--threshold", "0.3"]), 0.3333);
}

#[test]
fn the_representative_is_the_one_that_is_asked_for() {
    let home = corpus();
    let touch = |name: &str, seconds: u64| {
        let file = File::options().write(true).open(home.at(name)).unwrap();
        file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000 + seconds)).unwrap();
    };
    touch("v/first.txt", 2);
    touch("v/second.txt", 1);
    touch("v/third.txt", 3);
    for (keep, expected) in [
        ("longest", "v/third.txt"),
        ("oldest", "v/second.txt"),
        ("newest", "v/third.txt"),
        ("shortest-path", "v/first.txt"),
        ("central", "v/first.txt"),
    ] {
        let found = clusters(&home, &["--keep", keep, "--path", "v/**"]);
        assert_eq!(found[0][0], expected, "{keep}");
    }
}

#[test]
fn pairs_come_the_most_similar_first() {
    let home = corpus();
    let pair = |similarity: f64, path: &str, partner: &str| json!({"similarity": similarity, "path": path, "partner": partner});
    let expected = [
        pair(1.0, "list.jsonl#2", "moss.txt"),
        pair(0.9032, "v/first.txt", "v/second.txt"),
        pair(0.7368, "v/first.txt", "v/third.txt"),
        pair(0.6829, "v/second.txt", "v/third.txt"),
    ];
    assert_eq!(near(&home, &["--pairs"]), expected);
    assert_eq!(near(&home, &["--pairs", "--top", "2"]), expected[..2]);
    assert_eq!(near(&home, &["--pairs", "--path", "*/third.txt"]), expected[2..]);
    let said = home.stdout(&["near", "--pairs", "--jsonl", "text", "--top", "2"]);
    let table = "similarity  document      partner\n   100.0 %  list.jsonl#2  moss.txt\n    90.3 %  v/first.txt   v/second.txt\n";
    assert_eq!(said, table);
}

#[test]
fn a_file_is_compared_with_all_documents() {
    let home = corpus();
    let partners = |rows: Vec<Value>| -> Vec<String> {
        rows.iter().map(|row| row["partner"].as_str().unwrap().to_owned()).collect()
    };
    let all = ["v/first.txt", "v/second.txt", "v/third.txt"];
    assert_eq!(partners(near(&home, &["--like", "v/first.txt"])), all);
    assert_eq!(partners(near(&home, &["--like", "v/first.txt", "--threshold", "0.8"])), all[..2]);
    let identical = ["near", "--like", "-", "--method", "identical", "--json", "--jsonl", "text"];
    let input = home.run_with(&identical, words("Moss", 40).as_bytes());
    assert_eq!(partners(lines(&input.stdout)), ["list.jsonl#2", "moss.txt"]);
    let input = home.run_with(&[&identical[..], &["--bytes"]].concat(), words("MOSS", 40).as_bytes());
    assert_eq!(partners(lines(&input.stdout)), ["list.jsonl#2"]);
    assert_eq!(home.run(&["near", "--like", "alone.txt", "--path", "v/**"]).code, Some(1));
    assert!(refused(&home, &["--like", "missing.txt"]).contains("there is no file missing.txt"));
}

#[test]
fn files_to_keep_and_to_drop_are_printed_for_other_programs() {
    let home = corpus();
    let base = fs::canonicalize(home.at("")).unwrap();
    let at = |name: &str| text(&base.join(name)).to_owned();
    let emitted =
        |arguments: &[&str]| home.stdout(&[&["near", "--jsonl", "text", "--emit"], arguments].concat());
    assert_eq!(emitted(&["keep"]), format!("{}\n{}\n", at("list.jsonl"), at("v/third.txt")));
    let dropped = [at("moss.txt"), at("v/first.txt"), at("v/second.txt")];
    assert_eq!(emitted(&["drop"]), format!("{}\n", dropped.join("\n")));
    assert_eq!(emitted(&["drop", "-0"]), format!("{}\0", dropped.join("\0")));
    // The other record of the file is nowhere else.
    let some = ["near", "--jsonl", "text", "--emit", "drop", "--keep", "shortest-path", "--path", "moss.txt"];
    let output = home.run(&some);
    assert_eq!((output.code, output.stdout.len()), (Some(1), 0));
    assert!(&output.stderr.contains("1 records to drop are not printed"));
    home.write("mails.txt", words("mail", 30));
    assert_eq!(
        emitted(&["drop", "--keep", "shortest-path", "--path", "m*.txt"]),
        format!("{}\n", at("list.jsonl"))
    );
    assert!(refused(&home, &["--emit", "drop", "--json"]).contains("cannot be used with"));
    assert!(refused(&home, &["-0"]).contains("--emit"));
}

#[test]
fn a_file_is_not_dropped_when_the_kept_one_is_the_same_file() {
    let home = Home::new();
    home.write("a/one.txt", words("moss", 30));
    std::os::unix::fs::symlink(home.at("a"), home.at("b")).unwrap();
    fs::hard_link(home.at("a/one.txt"), home.at("c.txt")).unwrap();
    let output = home.run(&["near", "--follow", "--emit", "drop"]);
    assert_eq!((output.code, &*output.stdout), (Some(1), ""));
}

#[test]
fn an_option_without_effect_is_refused() {
    let home = corpus();
    for (arguments, said) in [
        (
            &["--bytes"][..],
            "--bytes has no effect with the method jaccard; leave it out, or use --method identical",
        ),
        (&["--method", "identical", "--bag"], "--bag has no effect with the method identical"),
        (&["--method", "identical", "--shingle", "3"], "use --method jaccard, minhash or simhash"),
        (
            &["--method", "simhash", "--threshold", "0.9"],
            "use --method identical, jaccard, minhash or spotsigs",
        ),
        (&["--method", "simhash", "--bag"], "--bag has no effect with the method simhash"),
        (&["--distance", "3"], "use --method simhash"),
        (&["--explain"], "use --method minhash"),
        (&["--idf-min", "0.1"], "use --method spotsigs"),
        (&["--idf-max", "0.1"], "use --method spotsigs"),
        (&["--antecedents", "english"], "use --method spotsigs"),
        (&["--method", "spotsigs", "--antecedents", "klingon"], "there is no file klingon"),
        (&["--method", "spotsigs", "--shingle", "4"], "--shingle has no effect with the method spotsigs"),
        (&["--no-verify"], "use --method minhash"),
        (&["--method", "minhash", "--no-verify", "--like", "moss.txt"], "cannot be used with"),
        (&["--method", "identical", "--pairs", "--threshold", "0.5"], "only where folders are listed"),
        (&["--pairs", "--linkage", "single"], "cannot be used with"),
        (&["--pairs", "--keep", "oldest"], "cannot be used with"),
        (&["--threshold", "2"], "write a number from 0 to 1"),
        (&["--shingle", "0"], "0 is not in 1..=64"),
        (&["--method", "magic"], "identical, jaccard"),
    ] {
        let error = refused(&home, arguments);
        assert!(error.contains(said), "{arguments:?}: {error}");
    }
}

#[test]
fn the_output_does_not_depend_on_the_number_of_threads() {
    let home = corpus();
    let with = |threads, more: &[&str]| {
        home.stdout(&[&["near", "--jsonl", "text", "--json", "--threads", threads], more].concat())
    };
    for more in [
        &["--pairs"][..],
        &["--method", "identical"],
        &["--threshold", "0.2"],
        &["--method", "minhash", "--bag"],
        &["--method", "minhash", "--no-verify", "--pairs"],
        &["--method", "simhash", "--distance", "20"],
    ] {
        assert_eq!(with("1", more), with("2", more));
    }
}
