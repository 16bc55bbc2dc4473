//! The rules hold for their examples; and the kinds of passages in the usual languages.

use std::path::Path;

use super::patterns::KindPatterns;
use super::table::table;
use super::written::{Written, written};
use super::*;
use dupi_text::token::Language;

fn file<'t>(path: &'t Path, text: &'t str) -> SampleFile<'t> {
    SampleFile::new(path, text, Language::detect(path, text))
}

fn explained(path: &str, text: &str) -> (Kind, Vec<String>) {
    let path = Path::new(path);
    explain(
        &Sample { text, start: 0, offset: 0, file: &file(path, text), of_most: None },
        &KindPatterns::default(),
    )
}

#[test]
fn every_rule_has_examples_of_both_sides_and_holds_for_the_one_and_not_for_the_other() {
    let Written { line, passage, .. } = written();
    let mut wrong = Vec::new();
    for rule in line.iter().chain(passage) {
        assert!(!rule.holds.is_empty() && !rule.fails.is_empty(), "{} has no examples", rule.name.get_ref());
        wrong.extend(KindPatterns::default().wrong_examples(rule));
    }
    assert_eq!(wrong, []);
    assert!(passage.iter().all(|rule| !rule.of.is_empty()));
}

#[test]
fn all_expressions_of_the_table_compile() {
    let table = table();
    let rules = table.lines.iter().chain(&table.passages).map(|rule| &rule.when);
    let blocks = table.blocks.iter().map(|(.., when)| when);
    for name in
        [file::GENERATED, file::NAMES_TESTS, file::WITH_TESTS, file::LICENCE, file::RIGHTS, file::SNAPSHOT]
    {
        assert!(written().file_condition(name).is_some(), "{name}");
    }
    rules
        .chain(table.files.iter().map(|file| &**file))
        .chain(blocks)
        .for_each(|condition| condition.compile().unwrap());
}

#[test]
fn texts_have_the_kinds_of_the_table() {
    crate::script::table("cases/kinds.txt", |path, text| {
        let kind = explained(path, text).0;
        vec![format!("{kind}{}", if kind.is_aside() { ", aside" } else { "" })]
    });
}

#[test]
fn a_passage_that_begins_in_a_comment_is_seen_as_one() {
    let whole = "int a;\n/*\n * The first words of a comment.\n   The rest of it, which is the passage\n";
    for (before, kind) in [(whole.find("The rest").unwrap(), Kind::Comment), (0, Kind::Comment)] {
        let path = Path::new("a.c");
        let sample =
            Sample { text: whole, start: before, offset: before, file: &file(path, whole), of_most: None };
        assert_eq!(classify(&sample), kind);
    }
}

#[test]
fn much_code_with_long_comments_is_code_and_a_declaration_with_its_comment_is_a_comment() {
    let pair =
        "// Adds what is given to the sum, and tells how much that is.\nfn add(sum: &mut u32, by: u32) {}\n";
    for (times, kind) in [(1, Kind::Comment), (50, Kind::Code)] {
        let text = pair.repeat(times);
        assert_eq!(explained("a.rs", &text).0, kind, "{times}");
    }
    let more = "// Adds what is given to the sum, and tells how much that is now.\n".repeat(3);
    assert_eq!(explained("a.rs", &(more + pair).repeat(50)).0, Kind::Comment);
}

#[test]
fn the_head_of_a_line_tells_that_it_is_minified() {
    let text = "function tide(b,c){return b(c)};".repeat(30);
    let path = Path::new("a.js");
    let start = text.len() - 90;
    let sample = Sample { text: &text, start, offset: start, file: &file(path, &text), of_most: None };
    assert_eq!(classify(&sample), Kind::Generated);
}

#[test]
fn what_stands_before_weighs_nothing() {
    let text = format!("{}A sentence that is the passage.", "0, 0, 0, 0, 0, 0, 0, 0\n".repeat(40));
    let start = text.find('A').unwrap();
    let path = Path::new("a.txt");
    let file = SampleFile::new(path, &text, None);
    let sample = Sample { text: &text, start, offset: start, file: &file, of_most: None };
    assert_eq!(classify(&sample), Kind::Prose);
}

#[test]
fn kinds_are_named_and_read() {
    for kind in Kind::ALL {
        assert_eq!(kind.name().parse(), Ok(kind));
        assert_eq!(serde_json::to_string(&kind).unwrap(), format!("\"{kind}\""));
    }
    let error = "license".parse::<Kind>().unwrap_err().to_string();
    assert!(error.starts_with("\"license\" is no kind; the kinds are code, prose,"), "{error}");
    let asides: Vec<Kind> = Kind::ALL.into_iter().filter(|kind| kind.is_aside()).collect();
    assert_eq!(asides, Kind::ASIDES);
}

#[test]
fn odd_texts_have_a_kind() {
    for text in ["", "\n", "   ", "\u{feff}", "é", "*/", "/*", "<", "\"", "> ", "--\n", "use ", "#include"] {
        for path in ["a.c", "a.rs", "a.html", "a.md", "a", "a.snap", "tests/a.py", ".lock"] {
            for start in (0..=text.len()).filter(|&at| text.is_char_boundary(at)) {
                let path = Path::new(path);
                let sample = Sample { text, start, offset: start, file: &file(path, text), of_most: None };
                assert!(Kind::ALL.contains(&classify(&sample)));
            }
        }
    }
}
