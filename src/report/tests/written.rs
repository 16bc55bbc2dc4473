//! Each format as a whole, on one small list.

use super::{others, passages, report};
use crate::report::{FORMATS, FormatRows};

/// What a format writes, with bytes that are not text as escapes.
fn text(format: &str, rows: &[crate::report::ReportRow]) -> String {
    let bytes = report(format, rows);
    let text: String = bytes
        .utf8_chunks()
        .map(|chunk| {
            let escaped: String = chunk.invalid().iter().map(|byte| format!("<{byte:02x}>")).collect();
            chunk.valid().to_owned() + &escaped
        })
        .collect();
    text.replace(env!("CARGO_PKG_VERSION"), "VERSION")
}

/// Formats whose output is one page of mostly the same words are compared in part.
fn compared(format: &str, text: String) -> String {
    let rows = || text.split_once("type=\"application/json\">")?.1.split_once("</script>");
    if format == "html" { rows().unwrap().0.to_owned() } else { text.clone() }
}

#[test]
fn every_format_writes_passages_with_hostile_names_and_texts() {
    for format in FORMATS {
        let text = compared(format.name, text(format.name, &passages()));
        insta::assert_snapshot!(format!("passages_{}", format.name), text);
    }
}

#[test]
fn every_format_writes_what_other_verbs_find() {
    for format in FORMATS.iter().filter(|format| format.rows == FormatRows::Findings) {
        let text = compared(format.name, text(format.name, &others()));
        insta::assert_snapshot!(format!("others_{}", format.name), text);
    }
}

#[test]
fn a_report_without_rows_is_whole() {
    for (format, expected) in [
        ("vimgrep", ""),
        ("github", ""),
        ("gitlab", "[\n]\n"),
        ("markdown", "**Nothing is duplicated.**\n"),
        ("dot", "graph dupi {\n  node [shape=box];\n}\n"),
    ] {
        assert_eq!(text(format, &[]), expected, "{format}");
    }
    let sarif: serde_json::Value = serde_json::from_slice(&report("sarif", &[])).unwrap();
    assert_eq!(sarif["runs"][0]["results"], serde_json::json!([]));
}

#[test]
fn the_page_refers_to_nothing_outside_and_nothing_in_it_is_markup_of_a_text() {
    let page = text("html", &passages());
    assert!(!page.contains("@ROWS@") && !page.contains("@STYLE@") && !page.contains("@SCRIPT@"));
    for outside in ["http:", "https:", "src=", "href=", "url(", "@import", "innerHTML"] {
        assert!(!page.contains(outside), "{outside}");
    }
    assert_eq!(page.matches("<script").count(), 2, "the rows and the script of the page");
    assert_eq!(page.matches("</script>").count(), 2);
}
