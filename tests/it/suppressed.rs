//! Marks in the source suppress copies: what `passages`, `review`, `taboo report` and results kept in the index say of
//! them.

use crate::branches::{function, git, name, repository, text};
use crate::support::Home;
use serde_json::Value;

/// The rows of a verb, and what it said on standard error.
fn rows(home: &Home, arguments: &[&str]) -> (Vec<Value>, String) {
    let output = home.run(&[arguments, &["--json"]].concat());
    assert!(matches!(output.code, Some(0 | 1)), "{}", output.stderr);
    let rows = output.stdout;
    let rows = rows.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    (rows, output.stderr)
}

/// For each row, the files of its copies.
fn files(rows: &[Value]) -> Vec<Vec<&str>> {
    let path = |copy: &Value| copy["path"].as_str().map(ToOwned::to_owned);
    let of = |row: &Value| row["occurrences"].as_array().unwrap().iter().filter_map(path).collect::<Vec<_>>();
    let found: Vec<Vec<String>> = rows.iter().map(of).collect();
    found.into_iter().map(|row| row.into_iter().map(|path| &*path.leak()).collect()).collect()
}

fn marked(code: &str) -> String {
    format!("// dupi:ignore-start: on purpose\n{code}// dupi:ignore-end\n")
}

fn source(number: u64) -> String {
    text(&[function(number)])
}

const NEAR: &[&str] = &["passages"];
const EXACT: &[&str] = &["passages", "--gap", "0"];

#[test]
fn a_marked_copy_is_none_and_the_count_is_said() {
    for verb in [NEAR, EXACT] {
        let home = Home::new();
        home.write("a.c", source(1) + &source(2));
        home.write("b.c", source(3) + &source(1));
        home.write("c.c", source(1) + &source(4) + &source(2));
        let (found, said) = rows(&home, verb);
        assert_eq!(files(&found), [["a.c", "b.c", "c.c"].to_vec(), ["a.c", "c.c"].to_vec()]);
        assert!(!said.contains("suppressed"), "{said}");
        home.write("c.c", marked(&source(1)) + &source(4) + &marked(&source(2)));
        let (found, said) = rows(&home, verb);
        assert_eq!(files(&found), [["a.c", "b.c"]]);
        let expected = "dupi-tui: 1 passage and 1 copy of a listed passage suppressed by dupi:ignore";
        assert!(said.contains(expected), "{said}");
        // The same from the kept result, and again when the marks are gone.
        assert_eq!(rows(&home, verb), (found, said));
        home.write("c.c", source(1) + &source(4) + &source(2));
        assert_eq!(files(&rows(&home, verb).0).len(), 2);
    }
}

#[test]
fn the_representative_may_be_the_marked_copy() {
    let home = Home::new();
    let edited = |number: usize| {
        let mut lines: Vec<String> = source(1).lines().map(str::to_owned).collect();
        lines[4 + number] = format!("\tanother_{number}(line_{number});");
        lines.join("\n") + "\n"
    };
    for number in 0..4 {
        home.write(&format!("{number}.c"), edited(number));
    }
    home.write("m.c", source(1));
    let (found, _) = rows(&home, NEAR);
    assert_eq!(files(&found), [["0.c", "1.c", "2.c", "3.c", "m.c"]]);
    home.write("m.c", marked(&source(1)));
    let (found, said) = rows(&home, NEAR);
    assert_eq!(files(&found), [["0.c", "1.c", "2.c", "3.c"]]);
    let alike = found[0]["occurrences"].as_array().unwrap().iter().map(|copy| copy["similarity"].as_f64());
    assert_eq!(
        alike.filter(|alike| *alike == Some(1.0)).count(),
        1,
        "compared with one of the others: {found:?}"
    );
    assert!(said.contains("1 copy of a listed passage suppressed"), "{said}");
}

#[test]
fn too_little_outside_of_the_marks_is_suppressed_and_enough_is_not() {
    let home = Home::new();
    let code = source(1);
    home.write("a.c", &code);
    let lines: Vec<&str> = code.lines().collect();
    let (head, tail) = lines.split_at(lines.len() - 2);
    home.write("b.c", marked(&(head.join("\n") + "\n")) + &tail.join("\n") + "\n");
    assert_eq!(rows(&home, NEAR).0.len(), 0);
    home.write("b.c", format!("{}{}\n// dupi:ignore\n{}\n", marked(""), head.join("\n"), tail.join("\n")));
    assert_eq!(rows(&home, NEAR).0.len(), 1, "one line of many");
}

#[test]
fn a_start_without_an_end_is_said_and_the_report_names_each_mark() {
    let home = Home::new();
    home.write("a.c", source(1) + &source(2));
    home.write("b.c", source(7) + "// dupi:ignore-start\n" + &source(1));
    home.write("c.c", "/* dupi:ignore-start */\n".to_owned() + &source(2) + "/* dupi:ignore-end */\n");
    let (found, said) = rows(&home, NEAR);
    assert_eq!(files(&found), [[""; 0]; 0]);
    let line = source(7).lines().count() + 1;
    assert!(said.contains("2 passages suppressed by dupi:ignore"), "{said}");
    let open =
        format!("b.c:{line}: dupi:ignore-start has no dupi:ignore-end; it holds to the end of the file");
    assert!(said.contains(&open), "{said}");
    let (report, _) = rows(&home, &["taboo", "report"]);
    assert_eq!(report[0]["suppressed"], 2);
    let of = |row: &Value| {
        (
            row["path"].as_str().unwrap().to_owned(),
            row["line"].as_u64(),
            row["is_open"].as_bool(),
            row["hidden"].as_u64(),
        )
    };
    let marks: Vec<_> = report[1..].iter().map(of).collect();
    let line = Some(line as u64);
    assert_eq!(
        marks,
        [("b.c".into(), line, Some(true), Some(1)), ("c.c".into(), Some(1), Some(false), Some(1))]
    );
    let printed = home.stdout(&["taboo", "report"]);
    assert!(printed.contains("; 2 more are suppressed by dupi:ignore"), "{printed}");
    assert!(printed.contains("to the end of the file"), "{printed}");
}

#[test]
fn a_suppressed_copy_is_no_finding_of_a_review() {
    let home = repository();
    let review = |home: &Home| {
        let output = home.run(&["review", "--json"]);
        (output.code, output.stdout.lines().count(), output.stderr)
    };
    home.write("src/copy.c", text(&[function(5000), function(100)]));
    assert_eq!(review(&home).0, Some(1));
    home.write("src/copy.c", text(&[function(5000)]) + &marked(&text(&[function(100)])));
    let (code, count, said) = review(&home);
    assert_eq!((code, count), (Some(0), 0), "{said}");
    assert!(said.contains("1 suppressed by dupi:ignore"), "{said}");
}

/// Of a marked copy with enough outside of the marks it is known before a change as after it.
#[test]
fn a_copy_with_marks_on_most_of_it_is_known_when_it_moves() {
    let home = repository();
    let mut lines = function(100);
    lines.insert(10, "\t/* dupi:ignore-end */".to_owned());
    home.write(&name(10), text(&[lines.clone()]));
    let copy = "/* dupi:ignore-start */\n".to_owned() + &text(&[lines]);
    home.write("src/from.c", text(&[function(5000)]) + &copy);
    home.write("src/to.c", text(&[function(5001)]));
    git(&home, &["add", "-A"]);
    git(&home, &["commit", "-q", "-m", "marked"]);
    assert_eq!(
        rows(&home, &["passages", "--path", "src/from.c"]).0.len(),
        1,
        "enough is outside of the marks"
    );
    home.write("src/from.c", text(&[function(5000)]));
    home.write("src/to.c", text(&[function(5001)]) + &copy);
    let output = home.run(&["review", "--json", "HEAD"]);
    let said = output.stderr;
    assert_eq!(output.code, Some(0), "{said}{}", output.stdout);
    assert!(said.contains("moved or edited, with as many copies as before"), "{said}");
}
