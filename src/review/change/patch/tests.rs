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
fn patches_are_read_as_the_table_says() {
    crate::script::table("cases/patches.txt", |word, text| {
        if word == "name" {
            let path = |path: &PathBuf| path.to_str().unwrap().to_owned();
            return vec![match name_in(text.as_bytes(), true) {
                Ok(name) => name.as_ref().map_or("none".to_owned(), path),
                Err(sentence) => format!("refused: {sentence}"),
            }];
        }
        let patch = text.replace("HEAD", "--- a/x\n+++ b/x\n");
        vec![match parse(patch.as_bytes()) {
            Ok(files) => format!("{} files", files.len()),
            Err(error) => error.to_string(),
        }]
    });
    assert_eq!(name_in(b"a/x", false), Ok(Some("a/x".into())));
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
