use std::os::unix::ffi::OsStrExt;

use proptest::prelude::*;

use super::super::lines::{count, hunks, lines_of};
use super::*;

/// A patch between two texts, as `diff -u` writes it, with a number of lines around each difference.
fn written(former: &str, new: &str, around: u32) -> String {
    let (old, now): (Vec<&str>, Vec<&str>) = (lines_of(former).collect(), lines_of(new).collect());
    let mut patch = "--- a/f\n+++ b/f\n".to_owned();
    let line = |mark: char, line: &str| {
        let end = if line.ends_with('\n') { "" } else { "\n\\ No newline at end of file\n" };
        format!("{mark}{line}{end}")
    };
    let mut reached = 0;
    let all = hunks(former, new);
    let nexts = all.iter().skip(1).map(|next| next.removed.start).chain([old.len() as u32]);
    for (hunk, next) in all.iter().zip(nexts) {
        let before = (hunk.removed.start - reached).min(around);
        let [from, to] = [hunk.removed.start - before, hunk.added.start - before];
        let head = |start: u32, lines: u32| format!("{},{lines}", if lines == 0 { start } else { start + 1 });
        let behind = (next - hunk.removed.end).min(around);
        let lengths = [hunk.removed.len(), hunk.added.len()].map(|lines| before + lines as u32 + behind);
        patch += &format!("@@ -{} +{} @@ fn f()\n", head(from, lengths[0]), head(to, lengths[1]));
        patch.extend((from..hunk.removed.start).map(|at| line(' ', old[at as usize])));
        patch.extend(hunk.removed.clone().map(|at| line('-', old[at as usize])));
        patch.extend(hunk.added.clone().map(|at| line('+', now[at as usize])));
        patch.extend((hunk.removed.end..hunk.removed.end + behind).map(|at| line(' ', old[at as usize])));
        reached = hunk.removed.end + behind;
    }
    patch
}

fn wrong(patch: &str) -> String {
    parse(patch.as_bytes()).unwrap_err().to_string()
}

#[test]
fn a_patch_of_git_is_read() {
    let patch = "From 1234 Mon Sep 17\nSubject: x\n---\n a | 2 +-\n\n\
        diff --git a/a b/a\nindex 1..2 100644\n--- a/a\n+++ b/a\n@@ -1,3 +1,4 @@ int f(void)\n one\n-two\n+2\n+2b\n three\n\
        @@ -9 +10,0 @@\n--- a/b\n\
        diff --git a/old b/new\nsimilarity index 100%\nrename from old\nrename to new\n\
        diff --git a/gone b/gone\ndeleted file mode 100644\n--- a/gone\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n\\ No newline at end of file\n\
        diff --git a/n b/n\nnew file mode 100644\n--- /dev/null\n+++ b/n\n@@ -0,0 +1,2 @@\n+++ y\n+z\n\
        diff --git a/p.png b/p.png\nBinary files a/p.png and b/p.png differ\n-- \n2.47\n";
    let files = parse(patch.as_bytes()).unwrap();
    let names: Vec<&str> = files.iter().map(|file| file.path.to_str().unwrap()).collect();
    assert_eq!(names, ["a", "new", "gone", "n", "p.png"]);
    let hunk = |removed, added, text: &str| Hunk { removed, added, text: text.into() };
    assert_eq!(files[0].file.hunks, [hunk(1..2, 1..3, "two\n"), hunk(8..9, 10..10, "-- a/b\n")]);
    assert_eq!(files[1].file.former, Some("old".into()));
    assert!(files[2].file.is_removed && files[2].file.existed);
    assert_eq!(files[2].file.hunks[0].text, "x");
    assert!(!files[3].file.existed && files[3].file.hunks[0].added == (0..2));
    assert_eq!(files[3].differing_line("++ y\nz\n"), None);
    assert_eq!(files[3].differing_line("++ y\nq\n"), Some(2));
}

#[test]
fn what_is_no_patch_is_refused_with_its_line() {
    assert!(parse(b"").unwrap().is_empty());
    assert!(parse(b" \n").unwrap().is_empty());
    let head = "--- a/x\n+++ b/x\n";
    for (patch, said) in [
        ("hello\n".to_owned(), "line 1 of the patch begins no unified diff"),
        ("@@ -1 +1 @@\n".to_owned(), "line 1 of the patch begins a hunk"),
        (format!("{head}@@ -1,2 +1,2 @@\n a\n"), "line 4 of the patch is the last one"),
        (format!("{head}@@ -1,2 +1,2 @@\n a\nq\n"), "line 5 of the patch is not a line of its hunk"),
        (format!("{head}@@ -1 +1 @@\n+a\n+b\n"), "line 5 of the patch is not a line"),
        (format!("{head}@@ -x +1 @@\n"), "line 3 of the patch is no head"),
        (format!("{head}@@ -0 +1 @@\n"), "line 3 of the patch is no head"),
        (format!("{head}@@ -4294967295,9 +1 @@\n"), "line 3 of the patch is no head"),
        (format!("{head}@@@ -1 -1 +1 @@@\n"), "combined diff"),
        (
            format!("{head}@@ -9 +9 @@\n-a\n+b\n@@ -2 +2 @@\n-a\n+b\n"),
            "line 6 of the patch begins a hunk that lies before",
        ),
        (format!("{head}@@ -1 +1 @@\n-a\n+b\n{head}@@ -1 +1 @@\n-a\n+b\n"), "second change"),
        ("--- a/x\n+++ ../x\n".to_owned(), "line 2 of the patch names a file outside"),
    ] {
        let error = wrong(&patch);
        assert!(error.contains(said), "{patch}: {error}");
    }
    // Numbers that name more lines than there is memory are only numbers.
    assert!(wrong(&format!("{head}@@ -1,4000000000 +1,4000000000 @@\n a\n")).contains("last one"));
}

proptest! {
    #[test]
    fn a_written_patch_is_read_back(former in "([abc]{0,1}\n){0,12}[a]{0,1}", new in "([abc]{0,1}\n){0,12}[b]{0,1}", around in 0..3_u32) {
        let patch = written(&former, &new, around);
        let files = parse(patch.as_bytes()).unwrap();
        let [file] = &files[..] else { return Err(TestCaseError::fail("one file")) };
        prop_assert_eq!(&file.file.hunks, &hunks(&former, &new), "{}", patch);
        // Of equal lines without others around, nothing says which of them are removed.
        let repeats = around == 0 && lines_of(&former).any(|line| former.matches(line).count() > 1);
        prop_assert!(repeats || file.differing_line(&new).is_none(), "{}", patch);
        prop_assert_eq!(file.file.former_text(&new), Some(former));
        prop_assert!(file.file.hunks.iter().all(|hunk| hunk.added.end <= count(&new)));
    }

    #[test]
    fn no_bytes_make_it_fail_otherwise_than_by_an_error(parts in prop::collection::vec(prop_oneof![
        Just(b"--- a/x\n+++ b/x\n".to_vec()), Just(b"diff --git a/y b/y\n".to_vec()), Just(b"rename from q\n".to_vec()),
        "@@ -[0-9]{1,10},[0-3] \\+[0-9]{1,10},[0-3] @@\n".prop_map(String::into_bytes),
        "[ +\\\\-][a-c]{0,3}\n".prop_map(String::into_bytes), prop::collection::vec(any::<u8>(), 0..9),
    ], 0..20)) {
        let _ = parse(&parts.concat());
    }
}

fn bytes(rest: &str) -> Result<Option<Vec<u8>>, &'static str> {
    name_in(rest.as_bytes(), true).map(|name| name.map(|name| name.as_os_str().as_bytes().to_vec()))
}

#[test]
fn names_are_read_as_git_and_diff_write_them() {
    assert_eq!(bytes("a/src/x.c\n"), Ok(Some(b"src/x.c".to_vec())));
    assert_eq!(bytes("src/x.c\t2026-01-02 03:04:05\r\n"), Ok(Some(b"src/x.c".to_vec())));
    assert_eq!(bytes("\"b/\\303\\251\\t\\\"x\\\\\"\n"), Ok(Some("é\t\"x\\".as_bytes().to_vec())));
    assert_eq!(bytes("/dev/null\n"), Ok(None));
    assert_eq!(bytes("b/./a b\n"), Ok(Some(b"a b".to_vec())));
    assert_eq!(name_in(b"a/x", false), Ok(Some("a/x".into())));
}

#[test]
fn names_that_lead_outside_are_refused() {
    for name in
        ["../x", "a/../../x", "/etc/passwd", "a//etc/passwd", "", "a/", "\"a/x", "\"a/\\q\"", "\"a/\\40\""]
    {
        assert!(bytes(name).is_err(), "{name}: {:?}", bytes(name));
    }
}
