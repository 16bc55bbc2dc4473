//! What readers of the formats take, and how the rest is counted.

use serde_json::Value;

use super::{HOSTILE, copy, name, passage, report};
use crate::ReportRow;

fn rows(count: u64, text: &str) -> Vec<Box<dyn ReportRow>> {
    let row = |number: u64| {
        let copies = (0..2).map(|of| copy(name(format!("dir/{number}-{of}.c").as_bytes()), 1, 1.0)).collect();
        Box::new(passage(number, text, copies)) as _
    };
    (0..count).map(row).collect()
}

#[test]
fn sarif_has_as_many_locations_as_github_reads() {
    let copies = (0..1_200).map(|line| copy(name(b"a.c"), line + 1, 1.0)).collect();
    let rows = [Box::new(passage(0, "x", copies)) as _];
    let sarif: Value = serde_json::from_slice(&report("sarif", &rows)).unwrap();
    let run = &sarif["runs"][0];
    let result = &run["results"][0];
    assert_eq!(result["locations"].as_array().unwrap().len(), 1);
    assert_eq!(result["relatedLocations"].as_array().unwrap().len(), 999);
    assert!(result["message"]["text"].as_str().unwrap().ends_with("and 1194 more."), "{result}");
    let told = &run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"];
    assert_eq!(told, "Not in this report: 200 places of the results.");
}

#[test]
fn a_fingerprint_depends_on_the_text_and_not_on_its_line() {
    let of = |format: &str, line: u32, pointer: &str| {
        let copies = vec![copy(name(b"a.c"), line, 1.0), copy(name(b"a.c"), line + 50, 1.0)];
        let written = report(format, &[Box::new(passage(3, "x", copies)) as _]);
        let written: Value = serde_json::from_slice(&written).unwrap();
        written.pointer(pointer).unwrap().clone()
    };
    let sarif = "/runs/0/results/0/partialFingerprints";
    assert_eq!(of("sarif", 1, sarif), of("sarif", 90, sarif));
    let (first, second) = ("/0/fingerprint", "/1/fingerprint");
    assert_eq!(of("gitlab", 1, first), of("gitlab", 90, first));
    assert_ne!(of("gitlab", 1, first), of("gitlab", 1, second), "each issue has one of its own");
}

#[test]
fn markdown_fits_a_comment_and_counts_the_rest() {
    for text in [HOSTILE.repeat(40), "<&|`é\n".repeat(3_000), "word ".to_owned()] {
        let markdown = String::from_utf8(report("markdown", &rows(700, &text))).unwrap();
        assert!(markdown.chars().count() <= 65_536, "{}", markdown.chars().count());
        assert!(markdown.starts_with("**700 findings with 1400 places in 1400 files or folders**\n"));
        assert!(markdown.contains("\n650 more are not in the table.\n"));
        let details = markdown.matches("<details>").count();
        assert_eq!(markdown.matches("</details>").count(), details);
        assert!(
            details > 2
                && markdown.ends_with(&format!("\n{} more are without details here.\n", 700 - details))
        );
    }
}

#[test]
fn github_shows_ten_annotations_and_is_told_how_many_more_there_are() {
    let lines = String::from_utf8(report("github", &rows(25, "x"))).unwrap();
    assert_eq!(lines.lines().filter(|line| line.starts_with("::warning file=corpus/dir/")).count(), 10);
    assert!(
        lines.ends_with("::15 more are not shown here: GitHub shows 10 annotations of each type\n"),
        "{lines}"
    );
    assert_eq!(lines.lines().count(), 11);
    let ten = String::from_utf8(report("github", &rows(10, "x"))).unwrap();
    assert_eq!(ten.lines().count(), 10);
}

#[test]
fn a_text_in_many_documents_is_a_node_and_not_an_edge_for_each_pair() {
    let copies = (0..100).map(|number| copy(name(format!("{number}.c").as_bytes()), 1, 1.0)).collect();
    let dot = String::from_utf8(report("dot", &[Box::new(passage(0, "x", copies)) as _])).unwrap();
    assert_eq!(dot.matches(" -- ").count(), 100);
}
