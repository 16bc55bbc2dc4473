//! The verbs, as a script calls them: the real program in a home of its own.

use std::fs;
use std::os::unix::net::UnixListener;
use std::process::Command;

use crate::support::{Home, Said, lines, program, text};
use serde_json::Value;

const SHARED: &str =
    "the quick brown fox jumps over the lazy dog while the slow green turtle sleeps below the old bridge";

pub(crate) fn corpus() -> Home {
    let home = Home::new();
    home.write("a.txt", format!("First of all, {SHARED}. And that was that."));
    home.write("deep/b.txt", format!("In other words:\n\n  {SHARED}!\n"));
    home.write("c.txt", "Nothing here stands anywhere else, or so one hopes in vain.");
    home
}

#[test]
fn index_says_what_it_did_and_the_second_time_does_nothing() {
    let home = corpus();
    let first = &lines(&home.stdout(&["index", "--json"]))[0];
    assert_eq!((&first["documents"], &first["generation"]), (&Value::from(3), &Value::from(1)));
    let second = &lines(&home.stdout(&["index", "--json"]))[0];
    assert_eq!(second["generation"], 1);
    home.write("c.txt", "Changed.");
    assert_eq!(lines(&home.stdout(&["index", "--json"]))[0]["generation"], 2);
}

#[test]
fn extract_lists_blots_that_unblot_shows_in_their_place() {
    let home = corpus();
    let rows = lines(&home.stdout(&["extract", "--json"]));
    assert!(!rows.is_empty());
    let blot = rows[0]["blot"].as_str().unwrap();
    assert_eq!(rows[0]["documents"], serde_json::json!(["a.txt", "deep/b.txt"]));
    let found = lines(&home.stdout(&["unblot", blot, "--json"]));
    let copies = found[0]["occurrences"].as_array().unwrap();
    assert_eq!(copies.len(), 2);
    for copy in copies {
        let bytes = fs::read(home.at(copy["path"].as_str().unwrap())).unwrap();
        let (start, end) = (copy["start"].as_u64().unwrap() as usize, copy["end"].as_u64().unwrap() as usize);
        assert_eq!(std::str::from_utf8(&bytes[start..end]).unwrap(), found[0]["text"].as_str().unwrap());
    }
    assert_eq!(copies[1]["line"], 3);
    assert!(home.stdout(&["extract"]).contains("\tdeep/b.txt\n"));
}

#[test]
fn extract_can_be_cut_by_documents_number_and_sigma() {
    let home = corpus();
    let all = home.stdout(&["extract", "-b"]);
    assert_eq!(home.stdout(&["extract", "-b", "--top", "1"]), format!("{}\n", all.lines().next().unwrap()));
    assert_eq!(home.run(&["extract", "--min-docs", "3"]).code, Some(1));
    assert_eq!(home.run(&["extract", "--sigma", "50"]).code, Some(1));
    assert_eq!(home.stdout(&["extract", "-b", "--sigma", "-1"]), all);
}

#[test]
fn blot_lists_tiles_and_their_bytes() {
    let home = corpus();
    let offsets = home.stdout(&["blot", "--offsets", "a.txt"]);
    let bytes = fs::read_to_string(home.at("a.txt")).unwrap();
    for line in offsets.lines() {
        let parts: Vec<&str> = line.split(' ').collect();
        let span = parts[1].parse::<usize>().unwrap()..parts[2].parse::<usize>().unwrap();
        assert_eq!(bytes[span].split_whitespace().count(), 5, "{line}");
    }
    let plain: Vec<String> = offsets.lines().map(|line| line[..11].to_owned()).collect();
    assert_eq!(home.stdout(&["blot", "a.txt"]).lines().collect::<Vec<_>>(), plain);
    let input = home.run_with(&["blot", "-"], bytes.as_bytes());
    assert_eq!(input.stdout.lines().collect::<Vec<_>>(), plain);
}

#[test]
fn unblot_all_shows_what_stands_once_and_nothing_is_exit_code_1() {
    let home = corpus();
    let blots = home.stdout(&["blot", "c.txt"]);
    let blot = blots.lines().next().unwrap();
    assert_eq!(home.run(&["unblot", blot]).code, Some(1));
    assert!(home.stdout(&["unblot", "--all", blot]).contains("c.txt:1:"));
    assert_eq!(home.run(&["unblot", "00000000000"]).code, Some(1));
}

#[test]
fn like_finds_what_shares_text_best_first() {
    let home = corpus();
    let rows = lines(&home.stdout(&["like", "a.txt", "--json"]));
    let paths: Vec<&str> = rows.iter().map(|row| row["path"].as_str().unwrap()).collect();
    assert_eq!(paths, ["a.txt", "deep/b.txt"]);
    assert_eq!((&rows[0]["covered"], &rows[0]["resemblance"]), (&Value::from(1.0), &Value::from(1.0)));
    let span = &rows[1]["spans"][0];
    assert_eq!(span["tokens"], 19);
    let given = home.run_with(&["like", "-"], b"words that stand nowhere in this small corpus at all");
    assert_eq!(given.code, Some(1));
    let through_a_pipe = |verb: &str| {
        let script = format!("'{}' {verb} <(cat deep/b.txt)", text(&program()));
        let output = Said::of(&mut home.command_of("bash", &["-c", &script]));
        assert!(output.is_done(), "{verb}: {}", output.stderr);
        output.stdout
    };
    assert_eq!(through_a_pipe("like"), home.stdout(&["like", "deep/b.txt"]));
    for verb in ["near --like", "blot", "simhash hash --input"] {
        assert!(!through_a_pipe(verb).is_empty(), "{verb}");
    }
}

#[test]
fn inspect_tells_about_the_index_and_what_was_left_out() {
    let home = corpus();
    home.write("empty", "");
    home.write("binary", b"\x7fELF\0\0\0");
    home.write("large", "x".repeat(5000));
    home.write("latin.txt", b"caf\xe9 au lait");
    let utf16: Vec<u8> =
        [0xfe, 0xff].into_iter().chain("wide text".encode_utf16().flat_map(u16::to_be_bytes)).collect();
    home.write("wide.txt", utf16);
    assert!(Command::new("mkfifo").arg(home.at("fifo")).status().unwrap().success());
    let _socket = UnixListener::bind(home.at("socket")).unwrap();
    std::os::unix::fs::symlink(home.at(""), home.at("loop")).unwrap();
    let skipped = home.stdout(&["inspect", "--skipped", "--max-filesize", "4k", "--follow"]);
    assert_eq!(
        skipped.lines().collect::<Vec<_>>(),
        [
            "binary: binary",
            "empty: empty",
            "fifo: not a regular file (FIFO)",
            "large: larger than --max-filesize (5000 bytes)",
            "loop: symlink loop",
            "socket: not a regular file (socket)",
        ]
    );
    let told = &lines(&home.stdout(&["inspect", "--json", "--no-update"]))[0];
    assert_eq!((&told["documents"], &told["skipped"]), (&Value::from(5), &Value::from(6)));
    assert_eq!(told["guessed_windows_1252"], 1);
    let blot = home.stdout(&["blot", "latin.txt", "-k", "3"]);
    let found = home.stdout(&["unblot", "--all", blot.trim(), "-k", "3", "--rebuild"]);
    assert!(found.contains("café au lait") && found.contains("latin.txt:1:1"), "{found}");
}

#[test]
fn one_huge_line_is_read_like_any_other() {
    let home = Home::new();
    let line = "some words without any end ".repeat(80_000);
    home.write("a.txt", format!("{line}{SHARED} {line}"));
    home.write("b.txt", SHARED);
    let rows = lines(&home.stdout(&["like", "b.txt", "--json"]));
    assert_eq!(rows.len(), 2);
    assert_eq!(rows[0]["spans"][0]["start"], 0);
    assert_eq!(rows[0]["spans"][0]["at"]["start"], line.len());
}

#[test]
fn records_of_a_file_are_documents() {
    let home = Home::new();
    let json = |text: &str| format!("{}\n", serde_json::json!({ "body": text }));
    home.write(
        "x.jsonl",
        json(&format!("One. {SHARED}")) + "{}\n" + &json(&format!("Two: \u{e9}\t{SHARED}")),
    );
    home.write(
        "mail",
        format!(
            "From a Mon Jan 1 10:00:00 2024\n\n{SHARED}\n\nFrom b Mon Jan 1 10:00:00 2024\n\nHi, {SHARED}\n"
        ),
    );
    let rows = lines(&home.stdout(&["extract", "--jsonl", "body", "--json"]));
    assert_eq!(rows[0]["documents"], serde_json::json!(["mail#1", "mail#2", "x.jsonl#1", "x.jsonl#3"]));
    let found = lines(&home.stdout(&["unblot", rows[0]["blot"].as_str().unwrap(), "--json"]));
    let file = fs::read(home.at("x.jsonl")).unwrap();
    let at = &found[0]["occurrences"][3];
    let span = at["start"].as_u64().unwrap() as usize..at["end"].as_u64().unwrap() as usize;
    assert_eq!(std::str::from_utf8(&file[span]).unwrap(), found[0]["text"].as_str().unwrap());
    assert_eq!(at["line"], 3);
    assert!(home.stdout(&["inspect", "--skipped"]).contains("x.jsonl: line 2 has no text in the field"));
}

#[test]
fn taboo_hides_lists_removes_and_travels() {
    let home = corpus();
    assert_eq!(home.run(&["taboo", "list"]).code, Some(1));
    assert_eq!(home.stdout(&["taboo", "add", SHARED, "--reason", "a proverb"]), "added as number 1\n");
    assert_eq!(home.run(&["extract"]).code, Some(1));
    assert!(!home.stdout(&["extract", "--taboo"]).is_empty());
    let listed = &lines(&home.stdout(&["taboo", "list", "--json"]))[0];
    assert_eq!((&listed["text"], &listed["reason"]), (&Value::from(SHARED), &Value::from("a proverb")));
    let exported = home.stdout(&["taboo", "export", "-"]);
    home.stdout(&["taboo", "remove", "1"]);
    assert!(!home.stdout(&["extract"]).is_empty());
    assert_eq!(home.run(&["taboo", "remove", "1"]).code, Some(1));
    let imported = home.run_with(&["taboo", "import", "-"], exported.as_bytes());
    assert_eq!(imported.stdout, "1 of 1 entries were new\n");
    assert_eq!(home.run(&["extract"]).code, Some(1));
    home.stdout(&["clean"]);
    assert_eq!(home.run(&["extract"]).code, Some(1), "the list outlives the index");
}

#[test]
fn a_text_too_short_to_hide_anything_is_said_to_be() {
    let home = corpus();
    assert!(home.stdout(&["taboo", "add", "one two three"]).contains("must have at least 5 tokens"));
    assert!(!home.stdout(&["taboo", "add", SHARED]).contains("tokens or more"));
}

#[test]
fn a_blot_and_a_file_can_be_made_taboo() {
    let home = corpus();
    home.write("notice", SHARED);
    home.stdout(&["taboo", "add", "--file", text(&home.at("notice"))]);
    assert_eq!(home.run(&["extract"]).code, Some(1));
    home.stdout(&["taboo", "remove", SHARED]);
    let before = home.stdout(&["extract", "-b"]);
    let blot = before.lines().next().unwrap();
    home.stdout(&["taboo", "add", "--blot", blot]);
    assert!(!home.stdout(&["extract", "-b"]).contains(blot));
}

#[test]
fn a_list_of_paths_comes_from_standard_input() {
    let home = corpus();
    let list = format!("{}\n{}\n", text(&home.at("a.txt")), text(&home.at("c.txt")));
    let output = home.run_with(&["index", "-", "--json"], list.as_bytes());
    assert_eq!(lines(&output.stdout)[0]["documents"], 2);
}

#[test]
fn a_terminal_that_cannot_move_its_cursor_is_refused() {
    let home = corpus();
    let mut screen = home.open((120, 24), &[], &[("TERM", "dumb")]);
    screen.wait_for_text("TERM is dumb");
    assert_eq!(screen.wait_for_end(), 2);
    assert!(!String::from_utf8_lossy(&screen.bytes).contains('\u{1b}'));
}

#[test]
fn errors_say_what_where_and_what_to_do() {
    let home = corpus();
    for (arguments, words) in [
        (&["index", "/no/such/folder"][..], "cannot reach /no/such/folder"),
        (&["extract", "--no-update"], "run `dupi-tui index` first"),
        (&["like", "missing.txt"], "there is no file missing.txt"),
        (&["index", "--type", "nonsuch"], "no such file type"),
        (&["index", "--max-filesize", "5G"], "at most 4 GiB"),
        (&["index", "-k", "99"], "k is 99, but a tile has 1 to 64 tokens"),
        (&["taboo", "add", " "], "the text is empty"),
        (&[], "needs a terminal"),
    ] {
        let output = home.run(arguments);
        let said = output.stderr;
        assert_eq!(output.code, Some(2), "{arguments:?}: {said}");
        assert!(said.contains(words), "{arguments:?}: {said}");
    }
    fs::create_dir_all(home.settings().parent().unwrap()).unwrap();
    fs::write(home.settings(), "theme = \"dark\"\nmouse = 3\n").unwrap();
    let said = home.run(&["index"]).stderr;
    assert!(said.contains("line 2, column 9") && said.contains("this is ignored"), "{said}");
}

#[test]
fn a_failure_that_nobody_can_read_still_has_its_exit_code() {
    let home = corpus();
    let full = fs::File::options().write(true).open("/dev/full").unwrap();
    let status = home.command(&["index", "nowhere"]).stderr(full).status().unwrap();
    assert_eq!(status.code(), Some(2));
}
