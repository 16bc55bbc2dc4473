//! `segment`: an index in parts is the index of the whole, however it was divided, and what is wrong with a part is said in
//! one sentence.

use std::fs;
use std::path::Path;
use std::process::Stdio;

use integer_encoding::VarIntWriter;
use proptest::prelude::*;

use crate::support::{Home, Said, text};

/// Sentences that documents share.
pub(crate) const SENTENCES: [&str; 6] = [
    "The tenant shall return all keys on the last day of the lease, leave the rooms clean and empty, and tell the landlord in \
     writing where letters and the deposit should be sent to afterwards.",
    "Nobody who crosses the river by the old ferry has ever asked the keeper why the bell is rung twice at dusk, and he has \
     never told anybody of his own accord, not even his sons.",
    "All rights are reserved; no part of this text may be copied, stored or sent in any form by any means without the prior \
     permission in writing of whoever holds the rights, except where the law allows it.",
    "On the third day the wind turned north and the harbour froze, so that the boats stood on the ice like furniture in a \
     room that has not been lived in for a very long time.",
    "fn add(left: u64, right: u64) -> u64 { left.checked_add(right).unwrap_or_else(|| panic!(\"{left} and {right}\")) }",
    "Yes.",
];

/// What the verbs say of an index, which must not depend on how it was made.
const ASKED: [&[&str]; 6] = [
    &["passages", "--aside", "none", "--members"],
    &["passages", "--json"],
    &["documents", "--json"],
    &["extract", "--json"],
    &["files", "--json"],
    &["inspect", "--skipped"],
];

/// What each verb of [`ASKED`] prints, as the index is and brought up to date.
fn answers(home: &Home, index: &str) -> Vec<Said> {
    let ask = |verb: &&[&str], more: &[&str]| {
        let output = home.run(&[*verb, &["--index", index], more].concat());
        assert!(output.code.is_some_and(|code| code < 2), "{verb:?}: {}", output.stderr);
        output
    };
    let as_it_is = ASKED.iter().map(|verb| ask(verb, &["--no-update"]));
    let mut answers: Vec<Said> = as_it_is.collect();
    answers.extend(ASKED.iter().map(|verb| ask(verb, &[])));
    answers
}

pub(crate) fn framed(home: &Home, names: &[String]) -> Vec<u8> {
    let mut stream = Vec::new();
    for name in names {
        let path = home.at(name);
        let changed = path.metadata().unwrap().modified().unwrap();
        let changed = changed.duration_since(std::time::UNIX_EPOCH).unwrap().as_nanos() as u64;
        let bytes = fs::read(path).unwrap();
        stream.write_varint(name.len() as u64).unwrap();
        stream.extend_from_slice(name.as_bytes());
        stream.write_varint(changed).unwrap();
        stream.write_varint(bytes.len() as u64).unwrap();
        stream.extend_from_slice(&bytes);
    }
    stream
}

/// A corpus of six documents and an empty one.
pub(crate) fn corpus() -> Home {
    let home = Home::new();
    for number in 0..6 {
        let [one, other] = [SENTENCES[number], SENTENCES[(number + 1) % 6]];
        home.write(
            &format!("in {}/é{number}.txt", number % 2),
            format!("{number} {one}\n\n{other} {number}"),
        );
    }
    home.write("empty", "");
    home
}

/// Plans the corpus and builds all segments in `../segments`.
fn build_all(home: &Home, tasks: usize) -> Vec<String> {
    home.stdout(&["segment", "plan", "--tasks", &tasks.to_string(), "--out", "../plan"]);
    let build = |task: usize| {
        let task = task.to_string();
        let out = ["segment", "build", "--plan", "../plan", "--task", &task, "--out", "../segments"];
        home.stdout(&out).trim().to_owned()
    };
    (0..tasks).map(build).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 8, ..ProptestConfig::default() })]

    #[test]
    fn an_index_of_any_segments_answers_like_one_that_was_built_in_one_go(
        documents in prop::collection::vec(prop::collection::vec(0..SENTENCES.len(), 0..5), 1..9),
        // The segment of each document, and whether it comes from a stream.
        parts in prop::collection::vec((0..4_usize, any::<bool>()), 9),
    ) {
        let home = Home::new();
        let names: Vec<String> = (0..documents.len()).map(|number| format!("d{}/{number}.txt", number % 3)).collect();
        for (name, sentences) in names.iter().zip(&documents) {
            let text: Vec<&str> = sentences.iter().map(|&sentence| SENTENCES[sentence]).collect();
            home.write(name, format!("{name} {}", text.join("\n")));
        }
        for part in 0..4 {
            let own = |is_framed| {
                let chosen = names.iter().zip(&parts).filter(|(_, of)| **of == (part, is_framed));
                chosen.map(|(name, _)| name.clone()).collect::<Vec<_>>()
            };
            let fixed = ["segment", "build", "--root", ".", "--out", "../segments"];
            let files = own(false);
            if !files.is_empty() {
                let files: Vec<&str> = files.iter().map(String::as_str).collect();
                home.stdout(&[&fixed[..], &files].concat());
            }
            let stream = own(true);
            if !stream.is_empty() {
                let built = home.run_with(&[&fixed[..], &["--framed"]].concat(), framed(&home, &stream));
                prop_assert!(built.is_done(), "{}", built.stderr);
            }
        }
        home.stdout(&["index", "--index", "../whole"]);
        home.stdout(&["segment", "adopt", "../segments", "--index", "../joined"]);
        prop_assert_eq!(answers(&home, "../joined"), answers(&home, "../whole"));
    }
}

#[test]
fn a_plan_has_each_document_once_and_a_task_that_runs_twice_makes_one_segment() {
    let home = corpus();
    home.write(".gitignore", "é5.txt");
    home.write(".ignore", "é5.txt");
    home.stdout(&["index", "--index", "../whole"]);
    let built = build_all(&home, 3);
    let inode = |folder: &String| {
        use std::os::unix::fs::MetadataExt;
        home.at(folder).metadata().unwrap().ino()
    };
    let before: Vec<u64> = built.iter().map(inode).collect();
    // At the same time, as a speculative task does.
    let again = ["segment", "build", "--plan", "../plan", "--task", "1", "--out", "../segments"];
    let running: Vec<_> =
        (0..3).map(|_| home.command(&again).stdout(Stdio::piped()).spawn().unwrap()).collect();
    for child in running {
        assert_eq!(Said::from(child.wait_with_output().unwrap()).stdout.trim(), built[1]);
    }
    assert_eq!(built.iter().map(inode).collect::<Vec<_>>(), before);
    assert_eq!(fs::read_dir(home.at("../segments")).unwrap().count(), 3, "no draft is left");
    home.stdout(&["segment", "adopt", "../segments", "--plan", "../plan", "--index", "../joined"]);
    assert_eq!(answers(&home, "../joined"), answers(&home, "../whole"));
    // The segments are shared with the index, or copied; either way both can go.
    fs::remove_dir_all(home.at("../segments")).unwrap();
    home.stdout(&["passages", "--index", "../joined", "--no-update"]);
    let adopt = ["segment", "adopt", "../whole", "--index", "../joined"];
    home.run(&adopt).refused_in_a_line(&["already", "--rebuild"]);
    home.stdout(&[&adopt[..], &["--rebuild"]].concat());
    assert_eq!(answers(&home, "../joined"), answers(&home, "../whole"));
}

#[test]
fn segments_are_of_the_same_files_elsewhere() {
    let home = corpus();
    build_all(&home, 2);
    let elsewhere = home.at("../else where");
    for number in 0..6 {
        let name = format!("in {}/é{number}.txt", number % 2);
        fs::create_dir_all(elsewhere.join(&name).parent().unwrap()).unwrap();
        fs::copy(home.at(&name), elsewhere.join(&name)).unwrap();
    }
    let here = home.stdout(&["segment", "adopt", "../segments", "--index", "../here"]);
    assert!(here.starts_with("6 documents in 2 segments, 0 files left out: "), "{here}");
    home.stdout(&["segment", "adopt", "../segments", "--index", "../there", "--root", text(&elsewhere)]);
    let passages = |index| home.stdout(&["passages", "--no-update", "--index", index]);
    let found = passages("../there");
    assert_eq!(found, passages("../here"));
    fs::remove_dir_all(home.at("in 0")).unwrap();
    assert_eq!(found, passages("../there"));
    assert!(home.stdout(&["inspect", "--no-update", "--index", "../there"]).contains("else where"));
}

#[test]
fn an_index_elsewhere_has_the_roots_of_the_plan_and_no_other_files() {
    let home = corpus();
    let elsewhere = home.at("../elsewhere");
    let copied = std::process::Command::new("cp").arg("-r").arg(home.at("")).arg(&elsewhere).status();
    assert!(copied.unwrap().success());
    for (number, roots) in [&["in 0", "in 1/é1.txt"][..], &["in 1/é1.txt"]].into_iter().enumerate() {
        let [plan, segments, here, there] =
            ["plan", "segments", "here", "there"].map(|name| format!("../{name}{number}"));
        home.stdout(&[&["segment", "plan", "--tasks", "1", "--out", &plan], roots].concat());
        home.stdout(&["segment", "build", "--plan", &plan, "--task", "0", "--out", &segments]);
        let adopt = ["segment", "adopt", &segments, "--plan", &plan, "--index"];
        home.stdout(&[&adopt[..], &[&here]].concat());
        let base = if roots.len() > 1 { elsewhere.clone() } else { elsewhere.join("in 1") };
        home.stdout(&[&adopt[..], &[&there, "--root", text(&base)]].concat());
        let counted = |index| {
            let said = home.stdout(&["inspect", "--json", "--index", index]);
            let row: serde_json::Value = serde_json::from_str(said.lines().next().unwrap()).unwrap();
            (row["documents"].clone(), row["files"].clone())
        };
        assert_eq!(counted(&there), counted(&here), "{roots:?}");
    }
}

#[test]
fn a_segment_of_other_roots_is_another() {
    let home = corpus();
    let mut built = Vec::new();
    for (plan, roots) in
        [("../one", &["in 1"][..]), ("../other", &["in 1/é1.txt", "in 1/é3.txt", "in 1/é5.txt"])]
    {
        home.stdout(&[&["segment", "plan", "--tasks", "1", "--out", plan], roots].concat());
        built.push(home.stdout(&["segment", "build", "--plan", plan, "--task", "0", "--out", "../segments"]));
    }
    assert_ne!(built[0], built[1]);
}

#[test]
fn a_streamed_document_is_the_one_of_the_corpus_however_its_path_is_written() {
    let home = corpus();
    home.stdout(&["index", "--index", "../whole"]);
    let absolute = home.at("").canonicalize().unwrap().join("in 0/é2.txt");
    let names =
        ["in 1//é1.txt", "./in 0/é0.txt", text(&absolute), "in 1/./é3.txt", "in 0/é4.txt", "in 1/é5.txt"];
    let names = [&names[..], &["empty"]].concat().into_iter().map(str::to_owned).collect::<Vec<_>>();
    let build = ["segment", "build", "--root", ".", "--out", "../segments"];
    let built = home.run_with(&[&build[..], &["--framed"]].concat(), framed(&home, &names));
    assert!(built.is_done(), "{}", built.stderr);
    let adopt = ["segment", "adopt", "../segments", "--index", "../joined"];
    let said = home.stdout(&adopt);
    assert!(said.starts_with("6 documents in 1 segments, 1 files left out: "), "{said}");
    assert_eq!(answers(&home, "../joined"), answers(&home, "../whole"));
    home.stdout(&[&build[..], &["./in 1//é1.txt"]].concat());
    home.run(&[&adopt[..], &["--rebuild"]].concat())
        .refused_in_a_line(&["the document in 1/é1.txt is in two segments"]);
}

#[test]
fn the_limit_of_size_is_one_and_a_task_with_more_memory_replaces_what_lacks_a_document() {
    let home = Home::new();
    home.write("large", vec![0; 65 << 20]);
    home.write("small", SENTENCES[0]);
    home.write("streamed", SENTENCES.concat().repeat(700));
    let build = |memory, rest: &[&str], stream: &[u8]| {
        let fixed = ["segment", "build", "--root", ".", "--out", "../segments", "--max-filesize", "100M"];
        let built = home.run_with(&[&fixed, &["--memory", memory][..], rest].concat(), stream);
        assert!(built.is_done(), "{}", built.stderr);
        built.stdout
    };
    // What was left out for want of memory.
    let left_out = || {
        let said = home.stdout(&["segment", "adopt", "../segments", "--index", "../joined", "--rebuild"]);
        assert!(said.starts_with("2 documents in 2 segments, 1 files left out: "), "{said}");
        let skipped = home.stdout(&["inspect", "--skipped", "--no-update", "--index", "../joined"]);
        skipped.lines().filter(|line| line.contains("--memory")).count()
    };
    let stream = framed(&home, &["streamed".to_owned()]);
    assert!(stream.len() > 1 << 19);
    build("1M", &["--framed"], &stream);
    let little = build("1M", &["large", "small"], b"");
    assert_eq!(left_out(), 1);
    assert_eq!(build("1G", &["large", "small"], b""), little);
    assert_eq!(left_out(), 0, "it is there, and binary");
    assert_eq!(build("1M", &["large", "small"], b""), little);
    assert_eq!(left_out(), 0, "what lacks nothing stays");
}

#[test]
fn documents_for_which_the_memory_has_no_room_become_further_segments() {
    let home = Home::new();
    for number in 0..120 {
        let words: String = (0..3000).map(|word| format!("w{} ", word * 7 % (number + 50))).collect();
        home.write(&format!("{number}.txt"), words);
    }
    home.stdout(&["index", "--index", "../whole"]);
    let names: Vec<String> = (0..120).map(|number| format!("{number}.txt")).collect();
    let (files, stream) = names.split_at(60);
    let fixed = ["segment", "build", "--root", ".", "--out", "../segments", "--memory", "1M"];
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    home.stdout(&[&fixed[..], &files].concat());
    let built = home.run_with(&[&fixed[..], &["--framed"]].concat(), framed(&home, stream));
    assert!(built.is_done());
    let said = home.stdout(&["segment", "adopt", "../segments", "--index", "../joined"]);
    let segments: usize = said.split(' ').nth(3).unwrap().parse().unwrap();
    assert!(segments > 3, "{said}");
    assert_eq!(answers(&home, "../joined"), answers(&home, "../whole"));
}

#[test]
fn a_damaged_segment_is_named_and_no_index_is_made_of_it() {
    let home = corpus();
    let built = build_all(&home, 2);
    let adopt = ["segment", "adopt", "../segments", "--plan", "../plan", "--index", "../joined"];
    for name in ["00000002.segment", "00000001.sketch", "manifest.json"] {
        let path = home.at(&built[1]).join(name);
        let whole = fs::read(&path).unwrap();
        for at in [3, whole.len() / 3, whole.len() / 2, whole.len() - 30] {
            let mut bytes = whole.clone();
            bytes[at] ^= 1;
            fs::write(&path, &bytes).unwrap();
            home.run(&adopt).refused_in_a_line(&[name, "damaged", "build it again"]);
        }
        fs::write(&path, &whole[..whole.len() / 2]).unwrap();
        home.run(&adopt).refused_in_a_line(&[name, "damaged", "build it again"]);
        fs::remove_file(&path).unwrap();
        home.run(&adopt).refused_in_a_line(&["damaged", "missing", "build it again"]);
        // Its task replaces it.
        let out = ["segment", "build", "--plan", "../plan", "--task", "1", "--out", "../segments"];
        assert_eq!(home.stdout(&out).trim(), built[1]);
        assert_eq!(fs::read(&path).unwrap().len(), whole.len());
    }
    assert!(!home.at("../joined").exists());
    home.stdout(&adopt);
}

#[test]
fn a_document_that_is_missing_or_in_two_segments_is_named() {
    let home = corpus();
    let built = build_all(&home, 3);
    let adopt = ["segment", "adopt", "../segments", "--plan", "../plan", "--index", "../joined"];
    let aside = home.at("../aside");
    fs::rename(home.at(&built[1]), &aside).unwrap();
    home.run(&adopt)
        .refused_in_a_line(&["no segment has the document in ", " more; build the segments of all tasks"]);
    fs::rename(&aside, home.at(&built[1])).unwrap();
    let file = "in 1/é3.txt";
    let twice = ["segment", "build", "--root", ".", "--out", "../segments", file];
    let second = home.stdout(&twice);
    home.run(&adopt).refused_in_a_line(&["the document in 1/é3.txt is in two segments", second.trim()]);
    fs::remove_dir_all(home.at(second.trim())).unwrap();
    home.write("more.txt", SENTENCES[0]);
    let other =
        home.stdout(&["segment", "build", "--root", ".", "--out", "../others", "-k", "7", "more.txt"]);
    home.run(&["segment", "adopt", "../segments", "../others", "--index", "../joined"])
        .refused_in_a_line(&["different recipes", other.trim()]);
    home.stdout(&["segment", "plan", "--tasks", "1", "--out", "../single"]);
    fs::remove_file(home.at(file)).unwrap();
    let task = ["segment", "build", "--plan", "../single", "--task", "0", "--out", "../segments"];
    home.run(&task).refused_in_a_line(&["in 1/é3.txt", "vanished"]);
    let task = ["segment", "build", "--plan", "../plan", "--task", "0", "--out", "../segments"];
    let lists = fs::read_dir(home.at("../plan")).unwrap().map(|entry| entry.unwrap().path());
    let list = lists.filter(|path| path.extension().is_some_and(|ending| ending == "list")).max().unwrap();
    fs::remove_file(list).unwrap();
    home.run(&task).refused_in_a_line(&["not a whole plan", "000002-of-000003.list is missing"]);
    assert!(!home.at("../joined").exists());
}

#[test]
fn wrong_use_is_refused_in_one_sentence() {
    let home = corpus();
    build_all(&home, 2);
    let plan = |out| ["segment", "plan", "--tasks", "2", "--out", out];
    home.run(&plan("../plan")).refused_in_a_line(&["plan is not empty"]);
    home.run(&plan("inside")).refused_in_a_line(&["lies in the corpus"]);
    let inside = ["segment", "build", "--root", ".", "--out", "inside/segments", "in 1/é1.txt"];
    home.run(&inside).refused_in_a_line(&["lies in the corpus"]);
    assert!(!home.at("inside").exists());
    let task = ["segment", "build", "--plan", "../plan", "--task", "2", "--out", "../segments"];
    home.run(&task).refused_in_a_line(&["has no task 2; it has 2"]);
    let build = |file| ["segment", "build", "--root", "in 1", "--out", "../segments", file];
    for outside in ["../in 0/é0.txt", "/etc/passwd", "."] {
        home.run(&build(outside)).refused_in_a_line(&["does not lie below", "--root"]);
    }
    home.run(&build("none.txt")).refused_in_a_line(&["none.txt", "vanished"]);
    fs::create_dir(home.at("../nothing")).unwrap();
    home.run(&["segment", "adopt", "../nothing"]).refused_in_a_line(&["there is no segment in ../nothing"]);
    home.run(&["segment", "adopt", "../segments", "--index", ".."]).refused_in_a_line(&["corpus", "--index"]);
    let stream = ["segment", "build", "--root", ".", "--out", "../segments", "--framed"];
    let whole = framed(&home, &["in 1/é1.txt".to_owned()]);
    home.run_with(&stream, &whole[..whole.len() - 1]).refused_in_a_line(&["it ends within a document"]);
    home.run_with(&stream, b"\0").refused_in_a_line(&["a path of 0 bytes"]);
    let up = [&b"\x04../a"[..], b"\x00\x01x"].concat();
    home.run_with(&stream, &up).refused_in_a_line(&["../a does not lie below"]);
    let nul = [&b"\x03a\0b"[..], b"\x00\x01x"].concat();
    home.run_with(&stream, &nul).refused_in_a_line(&["a path with a NUL"]);
    let is_draft = |name: &Path| name.to_string_lossy().starts_with("tmp-");
    let names = fs::read_dir(home.at("../segments")).unwrap().map(|entry| entry.unwrap().file_name());
    assert!(!names.into_iter().any(|name| is_draft(Path::new(&name))), "no draft is left");
}
