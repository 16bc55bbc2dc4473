//! `simhash`, as a script calls it.

use std::fs;

use crate::support::Home;

/// The lines that a verb prints for a list of hashes.
fn found(home: &Home, arguments: &[&str], list: &str) -> Vec<String> {
    let output = home.run_with(&[&["simhash"], arguments].concat(), list.as_bytes());
    assert!(output.is_done(), "{}", output.stderr);
    assert!(output.stderr.is_empty());
    output.stdout.lines().map(str::to_owned).collect()
}

#[test]
fn pairs_are_sorted_json_arrays_and_equal_hashes_are_one() {
    let home = Home::new();
    let list = "18446744073709551615\n8\n8\n0\n18446744073709551614\n8\n1000000\n\n";
    let pairs = ["[0, 8]", "[8, 8]", "[18446744073709551614, 18446744073709551615]"];
    for arguments in [
        &["find-all"][..],
        &["find-all", "--distance", "1", "--blocks", "2"],
        &["find-all", "--blocks=40", "--distance=1", "--input", "-", "--output", "-"],
        &["find-all", "-b", "6", "-d", "2", "-i", "-", "-o", "-"],
    ] {
        assert_eq!(found(&home, arguments, list), pairs, "{arguments:?}");
    }
    let clusters = ["[0, 8, 8, 8]", "[18446744073709551614, 18446744073709551615]"];
    assert_eq!(found(&home, &["find-clusters"], list), clusters);
    assert_eq!(found(&home, &["find-clusters", "-d", "0"], list), ["[8, 8, 8]"]);
    for verb in ["find-all", "find-clusters"] {
        assert_eq!(found(&home, &[verb], ""), [""; 0]);
        assert_eq!(found(&home, &[verb, "--distance", "0"], "1\n2\n3"), [""; 0]);
    }
}

#[test]
fn lists_are_read_from_files_and_written_to_files() {
    let home = Home::new();
    home.write("hashes", "1\r\n2\r\n4096\r\n");
    assert_eq!(found(&home, &["find-all", "--input", "hashes", "--output", "pairs", "-d", "2"], ""), [""; 0]);
    let pairs = fs::read_to_string(home.at("pairs")).unwrap();
    assert_eq!(pairs, "[1, 2]\n[1, 4096]\n[2, 4096]\n");
    // The list may be replaced: it was read before.
    found(&home, &["find-clusters", "-i", "hashes", "-o", "hashes", "-d", "2"], "");
    assert_eq!(fs::read_to_string(home.at("hashes")).unwrap(), "[1, 2, 4096]\n");
}

#[test]
fn what_cannot_be_read_or_searched_is_said() {
    let home = Home::new();
    home.write("hashes", "1\n2\nthree\n");
    for (arguments, words) in [
        (&["find-all", "-i", "hashes"][..], &["hashes", "line 3", "three"][..]),
        (&["find-clusters", "-i", "nowhere"], &["nowhere"]),
        (&["find-all", "-d", "3", "-b", "3"], &["3 blocks", "at least 4", "--blocks"]),
        (&["find-all", "-d", "65"], &["65", "--distance"]),
        (&["find-all", "-b", "65"], &["65"]),
        (&["find-all", "-o", "no/such/folder"], &["no/such/folder"]),
        (&["hash", "-i", "nowhere"], &["nowhere"]),
        (&["hash", "--shingle", "0", "-i", "hashes"], &["--shingle"]),
        (&["hash", "--shingle", "65", "-i", "hashes"], &["--shingle", "64"]),
    ] {
        let output = home.run_with(&[&["simhash"], arguments].concat(), b"");
        let said = output.stderr;
        assert_eq!(output.code, Some(2), "{arguments:?}");
        assert!(output.stdout.is_empty());
        assert!(words.iter().all(|word| said.contains(word)), "{arguments:?}: {said}");
    }
    let said = home.run_with(&["simhash", "find-all"], b"5\n18446744073709551616\n").stderr;
    assert!(said.contains("standard input: line 2 is no decimal"));
}

#[test]
fn the_hashes_of_texts_are_near_if_the_texts_are() {
    let home = Home::new();
    let words = |change: &str| -> String {
        (0..300).map(|n| format!("w{}{} ", n * n % 83, if n == 150 { change } else { "" })).collect()
    };
    home.write("a.txt", words(""));
    home.write("b.txt", words("x"));
    home.write("c.txt", "Something that no other text has in it, and not much of it");
    home.write("empty.txt", "");
    let hashes = found(&home, &["hash", "--input", "a.txt", "b.txt", "-i", "c.txt", "-i", "empty.txt"], "");
    assert_eq!((hashes.len(), hashes[3].as_str()), (4, "0"));
    let mut pair: Vec<u64> = hashes[..2].iter().map(|hash| hash.parse().unwrap()).collect();
    pair.sort_unstable();
    let list = hashes[..3].join("\n");
    assert_eq!(found(&home, &["find-all", "--distance", "10"], &list), [format!("{pair:?}")]);
    let text = fs::read_to_string(home.at("a.txt")).unwrap();
    assert_eq!(found(&home, &["hash"], &text), hashes[..1]);
    assert_eq!(found(&home, &["hash", "--shingle", "5"], &text), hashes[..1], "the default of near");
    assert_ne!(found(&home, &["hash", "--shingle", "2"], &text), hashes[..1]);
    let lines: Vec<String> =
        ["a.txt", "empty.txt", "c.txt"].map(|name| fs::read_to_string(home.at(name)).unwrap()).into();
    let listed = found(&home, &["hash", "--lines"], &lines.join("\n"));
    assert_eq!(listed, [&hashes[0], "0", &hashes[2]]);
}
