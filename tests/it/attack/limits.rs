//! Few file handles and small files: an answer is whole, or it says that it is not.

use std::sync::LazyLock;

use super::trial::{Limits, run};
use crate::support::Home;
use crate::support::page::figure;

static READING: LazyLock<Vec<Vec<&str>>> = LazyLock::new(|| super::listed("reading"));

fn corpus(files: usize) -> Home {
    let home = Home::new();
    for file in 0..files {
        let words =
            |salt: usize| (0..40).map(move |at| format!("word{} ", salt * 40 + at)).collect::<String>();
        // Each text stands in two files.
        home.write(&format!("{file}.txt"), words(file / 2) + &words(10_000 + file));
    }
    for twin in ["one", "two"] {
        home.write(
            &format!("{twin}.txt"),
            "these are the words of a text that lies here two times, as a twin",
        );
    }
    home
}

/// Tries limits of file handles; how many answers were refused.
fn handles(files: usize, limits: impl IntoIterator<Item = u32>) -> (usize, usize) {
    let home = corpus(files);
    assert!(run(&home, &["index", "-q"], Limits::default()).is_done());
    let whole: Vec<String> = READING.iter().map(|verb| run(&home, verb, Limits::default()).stdout).collect();
    let (mut made, mut refused) = (0, 0);
    for limit in limits {
        let limits = Limits { handles: Some(limit), ..Limits::default() };
        for (verb, whole) in READING.iter().zip(&whole) {
            let outcome = run(&home, verb, limits);
            let what = format!("{verb:?} with {limit} handles");
            // Below this the loader of programs fails, before ours begins.
            if outcome.stderr.contains("shared librar") {
                continue;
            }
            outcome.check(&what);
            made += 1;
            match outcome.is_done() {
                true => assert_eq!(&outcome.stdout, whole, "{what}: a shorter answer"),
                false => refused += 1,
            }
        }
        let fresh = corpus(files);
        let outcome = run(&fresh, &["index"], limits);
        if outcome.stderr.contains("shared librar") {
            continue;
        }
        outcome.check(&format!("index with {limit} handles"));
        made += 1;
        refused += usize::from(!outcome.is_done());
        if outcome.is_done() {
            assert_eq!(
                run(&fresh, &READING[0], Limits::default()).stdout,
                whole[0],
                "index with {limit} handles"
            );
        }
    }
    (made, refused)
}

/// Tries limits of the size of a file; how many builds were made and refused.
fn sizes(files: usize, limits: impl IntoIterator<Item = u32>) -> (usize, usize) {
    let whole = {
        let home = corpus(files);
        assert!(run(&home, &["index", "-q"], Limits::default()).is_done());
        run(&home, &READING[0], Limits::default()).stdout
    };
    let (mut made, mut refused) = (0, 0);
    for blocks in limits {
        let home = corpus(files);
        let outcome = run(&home, &["index", "-q"], Limits { file_size: Some(blocks), ..Limits::default() });
        outcome.check(&format!("index with files of {blocks} blocks"));
        made += 1;
        refused += usize::from(!outcome.is_done());
        assert!(run(&home, &["index", "-q"], Limits::default()).is_done(), "after {blocks} blocks");
        assert_eq!(run(&home, &READING[0], Limits::default()).stdout, whole, "after {blocks} blocks");
    }
    (made, refused)
}

#[test]
fn few_handles_and_small_files_never_shorten_an_answer_in_silence() {
    let (made, _) = handles(60, [5, 6]);
    assert!(made > 4, "{made}");
    let (_, refused) = sizes(20, [1]);
    assert_eq!(refused, 1, "a manifest in 512 bytes");
}

/// The long form.
pub fn at_length() {
    let (made, refused) = handles(300, [5, 6, 7, 8, 9, 10, 12, 16, 20, 24, 32, 48, 64]);
    figure!("| few file handles: trials · refused with a sentence | {made} · {refused} |");
    let (made, refused) = sizes(300, (0..10).map(|power| 1 << power));
    figure!("| small files: builds · refused with a sentence | {made} · {refused} |");
}
