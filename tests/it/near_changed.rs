//! `near` when files changed since they were indexed, or are not what their hashes say.

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::time::{Duration, SystemTime};

use crate::support::{Home, lines, words};
use serde_json::{Value, json};

fn rows(home: &Home, arguments: &[&str]) -> Vec<Value> {
    let output = home.run(&[&["near", "--json"], arguments].concat());
    lines(&output.stdout)
}

fn touch(home: &Home, name: &str, seconds: u64) {
    let file = File::options().write(true).open(home.at(name)).unwrap();
    file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000 + seconds)).unwrap();
}

#[test]
fn a_file_with_records_that_were_never_compared_is_not_dropped() {
    let home = Home::new();
    let record = format!("{{\"text\": \"{}\"}}\n", words("mail", 30));
    home.write("a.jsonl", record.repeat(2));
    home.write("b.jsonl", &record);
    let near = ["near", "--jsonl", "text", "--emit", "drop"];
    assert!(home.stdout(&near).ends_with("/b.jsonl\n"));
    let mut file = OpenOptions::new().append(true).open(home.at("b.jsonl")).unwrap();
    writeln!(file, "{{\"text\": \"{}\"}}", words("new", 30)).unwrap();
    drop(file);
    for method in ["jaccard", "identical"] {
        let output = home.run(&[&near[..], &["--no-update", "--method", method]].concat());
        let said = output.stderr;
        assert_eq!((output.code, output.stdout.len()), (Some(1), 0), "{method}");
        assert!(said.contains("1 files to drop are not printed, because they changed"), "{method}: {said}");
    }
}

/// Of texts of 16 bytes, XXH3 multiplies the two halves, after an exclusive or with parts of its secret: where one half
/// is 0 then, the other one is just added.
#[test]
fn a_file_with_the_same_hash_as_another_is_not_dropped() {
    let low = [0xb9, 0x39, 0x42, 0xea, 0x7b, 0x73, 0x82, 0x67];
    let high = [0x3a, 0x52, 0x96, 0x09, 0x3b, 0xbc, 0x56, 0xaf];
    let (mut a, mut b) = ([low, high].concat(), [low, high].concat());
    a[8] ^= 1;
    b[7] ^= 1;
    assert_eq!(xxhash_rust::xxh3::xxh3_64(&a), xxhash_rust::xxh3::xxh3_64(&b));
    let home = Home::new();
    home.write("a.txt", &a);
    home.write("b.txt", &b);
    let drop = ["near", "--method", "identical", "--bytes", "--emit", "drop"];
    let output = home.run(&drop);
    let said = output.stderr;
    assert_eq!((output.code, output.stdout.len()), (Some(1), 0), "{said}");
    assert!(said.contains("1 files to drop are not printed, because they could not be shown"), "{said}");
    home.write("c.txt", &a);
    assert!(home.stdout(&drop).ends_with("/c.txt\n"));
}

#[test]
fn what_has_the_same_tokens_is_dropped_though_its_bytes_differ() {
    let home = Home::new();
    let (one, two) = (words("one", 20), words("two", 20));
    home.write("a.jsonl", format!("{{\"text\": \"{one}\"}}\n{{\"text\": \"{two}\"}}\n"));
    home.write("b.jsonl", format!("{{\"text\": \"{two}\"}}\n{{\"text\": \"{one} \"}}\n"));
    home.write("c.txt", one.to_uppercase());
    home.write("d.txt", &two);
    let drop = ["near", "--jsonl", "text", "--method", "identical", "--emit", "drop"];
    let dropped = home.stdout(&drop);
    let names: Vec<&str> = dropped.lines().map(|path| path.rsplit('/').next().unwrap()).collect();
    assert_eq!(names, ["b.jsonl", "c.txt", "d.txt"]);
}

#[test]
fn folders_are_not_the_same_when_a_file_that_is_not_text_changed() {
    let home = Home::new();
    for tree in ["one", "two"] {
        home.write(&format!("{tree}/text.txt"), words("text", 20));
        home.write(&format!("{tree}/more.txt"), words("more", 20));
        home.write(&format!("{tree}/logo.bin"), b"\0\x01\x02");
    }
    let bytes = ["--method", "identical", "--bytes", "--threshold", "0.5"];
    let differences =
        |more: &[&str]| rows(&home, &[&bytes, more].concat())[0]["folders"][1]["differences"].clone();
    assert_eq!(differences(&[]), json!([]));
    home.write("two/logo.bin", b"\0\x01\x02\x03");
    assert_eq!(differences(&["--no-update"]), json!([{"path": "logo.bin", "how": "changed"}]));
    fs::remove_file(home.at("two/logo.bin")).unwrap();
    assert_eq!(differences(&["--no-update"]), json!([{"path": "logo.bin", "how": "missing"}]));
}

#[test]
fn what_differs_between_folders_is_what_differs_now() {
    let home = Home::new();
    for tree in ["one", "two"] {
        for name in ["a", "b", "c"] {
            home.write(&format!("{tree}/{name}.txt"), words(name, 20));
        }
    }
    home.write("two/b.txt", words("other", 20));
    let differences = |more: &[&str]| {
        let found = rows(&home, &[&["--method", "identical", "--threshold", "0.5"], more].concat());
        found[0]["folders"][1]["differences"].clone()
    };
    assert_eq!(differences(&[]), json!([{"path": "b.txt", "how": "changed"}]));
    home.write("two/b.txt", words("b", 20));
    assert_eq!(differences(&["--no-update"]), json!([]));
    fs::remove_file(home.at("two/b.txt")).unwrap();
    assert_eq!(differences(&["--no-update"]), json!([{"path": "b.txt", "how": "missing"}]));
}

#[test]
fn folders_that_take_too_much_memory_are_refused() {
    let home = Home::new();
    let folder = "d/".repeat(300);
    home.write(&format!("{folder}all.jsonl"), "{\"text\": \"some\"}\n".repeat(10_000));
    let identical = ["near", "--jsonl", "text", "--method", "identical", "--memory", "1MiB"];
    let output = home.run(&identical);
    let said = output.stderr;
    assert_eq!((output.code, output.stdout.len()), (Some(2), 0), "{said}");
    assert!(said.contains("of memory to compare"), "{said}");
    let pairs = home.run(&[&identical[..], &["--pairs", "--top", "1"]].concat());
    assert_eq!(pairs.code, Some(0), "pairs of documents do not need folders");
}

#[test]
fn a_changed_file_has_its_size_and_its_time_of_now() {
    let home = Home::new();
    for (name, seconds) in [("a.txt", 1), ("b.txt", 2)] {
        home.write(name, words("word", 40));
        touch(&home, name, seconds);
    }
    let newest = |more: &[&str]| rows(&home, &[&["--keep", "newest"], more].concat())[0].clone();
    assert_eq!(newest(&[])["members"][0]["path"], "b.txt");
    let longer = format!("{}more words", words("word", 40));
    home.write("a.txt", &longer);
    touch(&home, "a.txt", 3);
    let row = newest(&["--no-update"]);
    assert_eq!(
        (&row["members"][0]["path"], &row["members"][0]["bytes"]),
        (&json!("a.txt"), &json!(longer.len()))
    );
}
