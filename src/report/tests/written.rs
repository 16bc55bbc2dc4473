//! Each format as a whole, on one small list.

use super::{copy, name, others, passage, passages, report};
use crate::{FORMATS, ReportRow, ReportSettings};

/// What a format writes, with bytes that are not text as escapes.
fn text(format: &str, rows: &[Box<dyn ReportRow>]) -> String {
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
    for format in FORMATS.iter().filter(|format| format.is_of_findings) {
        let text = compared(format.name, text(format.name, &others()));
        insta::assert_snapshot!(format!("others_{}", format.name), text);
    }
}

#[test]
fn no_name_and_no_text_is_a_formula_or_a_command_of_a_workflow_run() {
    let words = "=1+1 ##[error]a\n ::error::b\n##vso[task.x]c";
    for path in ["::error::a", " ::error::a", "##[error]a", "=cmd()", "+1", "-1", "@a", "\t=1", "\r=1"] {
        let copies = [path, "plain"].map(|path| copy(name(path.as_bytes()), 1, 1.0)).into();
        let row = passage(1, words, copies);
        for format in FORMATS {
            let (mut report, mut out) = ((format.report)(&ReportSettings::default()), Vec::new());
            report.begin(&mut out).unwrap();
            report.row(&row, &mut out).unwrap();
            report.end(&mut out).unwrap();
            let out = String::from_utf8(out).unwrap();
            for line in out.lines().filter(|_| format.name != "github") {
                let is_command =
                    line.trim().starts_with("::") || line.contains("##[") || line.contains("##vso[");
                assert!(!is_command, "{} {path:?}: {line:?}", format.name);
                let is_cell = format.name.starts_with("csv");
                let begins =
                    |cell: &str| cell.trim_start_matches('"').starts_with(['=', '+', '-', '@', '\t']);
                assert!(!is_cell || !line.split(',').any(begins), "{} {path:?}: {line:?}", format.name);
            }
        }
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
