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
    for name in [file::GENERATED, file::NAMES_TESTS, file::WITH_TESTS, file::LICENCE, file::SNAPSHOT] {
        assert!(written().file_condition(name).is_some(), "{name}");
    }
    rules
        .chain(table.files.iter().map(|file| &**file))
        .chain(blocks)
        .for_each(|condition| condition.compile().unwrap());
}

#[test]
fn what_no_rule_is_about_is_code_comment_or_prose() {
    let mut wrong = Vec::new();
    for (kind, path, text) in [
        (
            Kind::Code,
            "a.c",
            "static int add(struct sum *sum, int by)\n{\n\tsum->of += by;\n\treturn sum->of;\n}",
        ),
        (
            Kind::Code,
            "a.rs",
            "impl Sum {\n    fn add(&mut self, by: u32) -> u32 {\n        self.of += by;\n    }\n}",
        ),
        (Kind::Code, "a.py", "def add(sum, by):\n    sum.of += by\n    return sum.of"),
        (Kind::Code, "A.java", "public int add(Sum sum, int by) {\n  return sum.plus(by);\n}"),
        (Kind::Code, "a.js", "export function add(sum, by) {\n  return sum.plus(by);\n}"),
        (Kind::Code, "a.go", "func (s *Sum) Add(by int) int {\n\ts.of += by\n\treturn s.of\n}"),
        (Kind::Code, "a.toml", "[package]\nname = \"sum\"\nedition = \"2024\"\npublish = false"),
        (
            Kind::Comment,
            "a.c",
            "/*\n * Adds what is given to the sum,\n * and tells how much that is now.\n */",
        ),
        (
            Kind::Comment,
            "a.rs",
            "/// Adds what is given to the sum.\n/// ```\n/// let a = sum.add(5);\n/// ```",
        ),
        (Kind::Comment, "a.py", "# Adds what is given to the sum,\n# and tells how much that is now."),
        (Kind::Prose, "a.md", "# Sums\n\nWhat is given is added to the sum, which is told."),
        (Kind::Prose, "a.rst", "Sums\n====\n\nWhat is given is added to the sum, which is told."),
        (Kind::Prose, "a.html", "<p>What is given is added to the sum, and the sum is told.</p>"),
        (Kind::Prose, "a.eml", "Dear Ida,\n\nI have added what you gave to the sum.\n\nYours, Hugo"),
        (Kind::Prose, "a", "Die Rechnung liegt bei, und wir bitten um Nachricht bis Montag."),
        (Kind::Prose, "a.txt", "如果您的問題是回歸問題，請儘可能縮小引入問題時的範圍"),
    ] {
        let (found, names) = explained(path, text);
        if found != kind {
            wrong.push(format!("{kind} found as {found}, {path}: {text:?} has {names:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
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
fn what_is_set_aside_is_so_though_no_kind_of_it_has_the_most() {
    // Of three parts the code between is the largest.
    let head = "// Copyright 2016 Ada Byron. All rights reserved.\n#include <tide.h>\n#include <gate.h>\n";
    let code = "namespace tide { namespace gate { class well; } }";
    for (text, kind) in [(format!("{head}{code}"), true), (format!("{head}{code}\n{code}\n{code}"), false)] {
        let (found, names) = explained("a.hpp", &text);
        assert_eq!(found.is_aside(), kind, "{found}, {names:?}");
    }
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
fn a_file_without_a_known_language_may_begin_with_tags() {
    let text = "<?xml version=\"1.0\"?>\n<dict>\n<key>Bounds</key>\n<integer>4</integer>\n</dict>";
    assert_eq!(explained("a.coast", text).0, Kind::Markup);
    assert_eq!(explained("a.coast", "He said <so> to all who came to the harbour.").0, Kind::Prose);
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
