//! Examples of each rule, of both sides, and of each kind in the usual languages.

use std::path::Path;

use super::*;

/// A rule, and the path and text of passages of which it holds for some line, and of others.
struct Examples {
    rule: &'static str,
    holds: &'static [(&'static str, &'static str)],
    fails: &'static [(&'static str, &'static str)],
}

const fn examples(
    rule: &'static str,
    holds: &'static [(&'static str, &'static str)],
    fails: &'static [(&'static str, &'static str)],
) -> Examples {
    Examples { rule, holds, fails }
}

static EXAMPLES: [Examples; 24] = [
    examples(
        "a notice of rights",
        &[
            ("a.c", "// SPDX-License-Identifier: GPL-2.0\n/* Copyright (C) 2017 Ada Byron */"),
            ("a.py", "# Copyright 2020 The Authors. All rights reserved."),
            ("a.txt", "© The Coast Courier 2022."),
        ],
        &[
            ("a.c", "MODULE_LICENSE(\"GPL\"); /* all */ int copyright = 1;"),
            ("a.txt", "Copyright is a right that most authors have."),
        ],
    ),
    examples(
        "phrases of a licence",
        &[
            ("a.js", " * Permission is hereby granted, free of charge, to any person who obtains a copy\n"),
            ("a.txt", "THE SOFTWARE IS PROVIDED \"AS IS\", WITHOUT WARRANTY OF ANY KIND"),
        ],
        &[
            ("a.txt", "The person who obtains a copy of the key may open the door without any fee."),
            ("a.c", "/* a copy of the software is made in the cache */"),
        ],
    ),
    examples(
        "phrases of mail",
        &[("a.eml", "If you have received this e-mail in error, please notify the sender immediately.")],
        &[("a.eml", "I received your e-mail on Monday and told the others of the error.")],
    ),
    examples(
        "an import",
        &[
            ("a.c", "#include <linux/fs.h>"),
            ("a.rs", "pub use crate::token::{\n    Token,\n    Lexer,\n};"),
            ("a.py", "from os import (\n    path,\n)"),
            ("a.java", "import java.util.List;"),
            ("a.js", "const fs = require('fs');"),
            ("a.ts", "import { a,\n  b } from './c';"),
            ("a.go", "import (\n\t\"fmt\"\n\t\"os\"\n)"),
            ("a.yaml", "examples:\n  - |\n    #include <dt-bindings/gpio/gpio.h>"),
            ("a.rst", "  #include <stdio.h>"),
        ],
        &[
            ("a.txt", "use the import of coal to heat the house"),
            ("a.txt", "from the first import of wool the town grew rich"),
            ("a.c", "using_fs = import(fs);"),
            ("a.rs", "let used = use_of(a);"),
            ("a.py", "important = load(\"a\")"),
        ],
    ),
    examples(
        "quoted mail",
        &[("a.eml", "> I shall come on Monday.\n> Ida"), ("a.txt", "On Monday, Ida Venn wrote:")],
        &[("a.html", "> the rest of a tag"), ("a.rs", "> 5 && b"), ("a.txt", "He wrote: come.")],
    ),
    examples(
        "a signature",
        &[("a.eml", "See you.\n-- \nIda Venn, night editor\nQuay Street 14")],
        &[("a.sql", "-- \nselect a from b;"), ("a.txt", "See you --\nIda")],
    ),
    examples(
        "a field of a head",
        &[
            ("a.eml", "Subject: the door\nMIME-Version: 1.0"),
            ("a.md", "---\nlayout: post\ntags: [a, b]\n---"),
            ("a.rst", ":Author: Ida Venn"),
            ("a.yaml", "%YAML 1.2\n---\ntitle: A clock"),
        ],
        &[
            ("a.txt", "He said: come."),
            ("a.yaml", "clocks:\n  maxItems: 1"),
            ("a.json", "\"title\": \"A clock\""),
            ("a.py", "title: str = None"),
        ],
    ),
    examples(
        "an address",
        &[
            ("a.txt", "desk@courier.example"),
            ("a.yaml", "  - Ida Venn <ida@courier.example>"),
            ("a.txt", "phone +44 1632 960 033"),
        ],
        &[
            ("a.txt", "Whoever finds it may write to ida@courier.example, or tell the harbour master."),
            ("a.py", "@decorator.with_name"),
        ],
    ),
    examples(
        "numbers",
        &[
            ("a.c", "0x00, 0x1f, 0x00, 0x00, /* 0x00-0x03 */"),
            ("a.rs", "[0, 0, 0, 0b1001, 0],"),
            ("a.txt", "Marrick  16  4  1  11  13"),
            ("a.rst", "1   2"),
        ],
        &[
            ("a.c", "return 0;"),
            ("a.c", "x = a[0] + b[1];"),
            ("a.txt", "On 4 March 2024 he came home with 3 friends."),
        ],
    ),
    examples(
        "tags",
        &[
            ("a.html", "<div class=\"row\"><span id=\"a\"></span></div>"),
            ("a.svg", "style=\"fill:none;stroke:#000\"\nid=\"path3\" />"),
            ("a.md", "<!-- toc -->"),
        ],
        &[
            ("a.html", "<p>Whoever reads this paragraph to its end has read a sentence that is no tag.</p>"),
            ("a.rs", "fn f<T>(a: &T) -> Option<T> {"),
        ],
    ),
    examples(
        "a ruler",
        &[("a.rst", "=====  ====="), ("a.md", "|----|:---|"), ("a.txt", "+------+-----+")],
        &[("a.rs", "// ----------------\n"), ("a.txt", "- - a"), ("a.md", "...")],
    ),
    examples(
        "a directive",
        &[
            ("a.rst", ".. code-block:: c"),
            ("a.rst", ".. _label:"),
            ("a.rst", "- Y'\\ :sub:`00`"),
            ("a.tex", "\\begin{table}"),
        ],
        &[("a.rst", "... and then: nothing"), ("a.rst", "See :ref:`label` for what is said there.")],
    ),
    examples(
        "a badge or a template's tag",
        &[
            ("a.md", "[![Build](https://a.example/b.svg)](https://a.example)"),
            ("a.md", "[docs]: https://docs.example/a"),
            ("a.md", "{% include head.html %}"),
        ],
        &[("a.md", "Read [the guide](https://a.example) before you begin."), ("a.py", "{{1: 2}}")],
    ),
    examples(
        "a record of data",
        &[("a.json", "\"EventName\": \"MEM_LOAD\",")],
        &[("a.js", "name: 'MEM_LOAD',"), ("a.toml", "name = \"load\"")],
    ),
    examples(
        "a list of literals",
        &[
            ("a.c", "static const char *axi[] = { \"periph\", \"axi_alt\", };"),
            ("a.py", "NAMES = [\"north\", \"south\", \"east\"]"),
            ("a.c", "MTK_FUNCTION(0, \"GPIO57\"),"),
            ("a.txt", "nav_pps, pci_e0, pll_reset, pri_mi2s, prng_rosc,"),
        ],
        &[
            ("a.c", "\"read fifo: what was passed in is too large\\n\");"),
            ("a.c", "foo(a, b, c),"),
            ("a.txt", "bread, butter, cheese, ham, and tea"),
        ],
    ),
    examples(
        "a constant",
        &[
            ("a.c", "#define FORM_MASK 0x00ff"),
            ("a.rs", "pub const SIGHUP: c_int = 1;"),
            ("a.java", "public static final int WIDTH = 80;"),
            ("badge_defconfig", "CONFIG_MODULES=y\n# CONFIG_NET is not set"),
        ],
        &[
            ("a.c", "#define min(a, b) ((a) < (b) ? (a) : (b))"),
            ("a.rs", "let width = 80;"),
            ("a.js", "const width = measure(80);"),
            ("a.txt", "a=b"),
        ],
    ),
    examples(
        "a sentence in code",
        &[
            ("a.py", "    Returns the width of the window, or nothing if it is closed."),
            ("a.yaml", "      The selection of the voltage that is used by the clock"),
        ],
        &[
            ("a.py", "if a is not None and b in c:\n"),
            ("a.c", "// it is a comment, and no code at all\n"),
            ("a.yaml", "description: The selection of the voltage"),
        ],
    ),
    examples(
        "code in a text",
        &[
            ("a.md", "```\nlet a = b\n```"),
            ("a.rst", "    $ ls -l /sys/devices"),
            ("a.txt", "\tcpu0 { reg = <0>; };"),
        ],
        &[("a.txt", "  the tide (which is late today) turns at six"), ("a.rst", "    quoted words")],
    ),
    examples(
        "a lock file",
        &[
            ("Cargo.lock", "[[package]]\nname = \"a\"\nchecksum = \"00ff\""),
            ("package-lock.json", "\"resolved\": \"https://a.example\",\n\"integrity\": \"sha512-00\""),
        ],
        &[("Cargo.toml", "checksum = \"00ff\""), ("src/lock.rs", "let checksum = sum(a);")],
    ),
    examples(
        "a snapshot",
        &[("a.snap", "---\nsource: src/a.rs\nexpression: screen\n---\n a list of rows")],
        &[("a.snap", "name: hello\ntype: app"), ("a.md", "---\nsource: wire\n---\nA list of rows")],
    ),
    examples(
        "the words of the law",
        &[(
            "COPYING",
            "The licensor grants the licensee a royalty-free right to distribute the covered work. No warranty \
             or liability is taken over hereunder, and the copyright stays with the contributor.",
        )],
        &[(
            "a.txt",
            "The council has granted the brewery a licence to sell beer in the market hall on Sundays.",
        )],
    ),
    examples(
        "a file that says that it is generated",
        &[
            ("a.rs", "// This file is @generated by a tool.\nfn f(a: u8) -> u8 {\n    a.into()\n}"),
            ("a.go", "// Code generated by protoc-gen-go. DO NOT EDIT.\nfunc (m *A) Reset() { *m = A{} }"),
        ],
        &[
            (
                "a.c",
                "/* Adds the key that was generated. */\nint add(struct key *key)\n{\n\treturn put(key);\n}",
            ),
            ("a.txt", "Power is generated by the mill behind the dunes, and sold to the town."),
        ],
    ),
    examples("minified code", &[("a.js", MINIFIED)], &[("a.js", "function f(a) {\n  return a;\n}\n")]),
    examples(
        "a test",
        &[
            ("src/a.rs", "#[test]\nfn adds() {\n    assert_eq!(add(1, one), two);\n}"),
            ("tests/a.py", "def test_adds():\n    assert add(one) == two"),
            (
                "a.js",
                "describe('a sum', () => {\n  it('adds', () => {\n    expect(add(a)).toBe(b);\n  });\n});",
            ),
            ("a_test.go", "func TestAdd(t *testing.T) {\n\tif add(a) != b {\n\t\tt.Fatal(a)\n\t}\n}"),
            ("src/test/java/A.java", "@Test\npublic void adds() {\n  assertEquals(two, add(one));\n}"),
        ],
        &[
            ("src/a.rs", "fn add(a: u8) -> u8 {\n    assert!(a < MOST);\n    a.into()\n}"),
            ("tests/a.rs", "fn add(a: u8) -> u8 {\n    a.into()\n}"),
            (
                "src/a.rs",
                "/// assert_eq!(add(a), b);\n/// assert_eq!(add(b), c);\nfn add(a: A) -> B {\n    a.into()\n}",
            ),
        ],
    ),
];

const MINIFIED: &str = "function a(b,c){return b(c)};function d(e,f){return e(f)};function a(b,c){return b(c)};\
function d(e,f){return e(f)};function a(b,c){return b(c)};function d(e,f){return e(f)};function a(b,c){return b(c)};\
function d(e,f){return e(f)};function a(b,c){return b(c)};function d(e,f){return e(f)};function a(b,c){return b(c)};\
function d(e,f){return e(f)};function a(b,c){return b(c)};function d(e,f){return e(f)};function a(b,c){return b(c)};";

fn explained(path: &str, text: &str) -> (Kind, Vec<&'static str>) {
    let path = Path::new(path);
    explain(&Sample { text, start: 0, offset: 0, head: text, path, language: Language::detect(path, text) })
}

#[test]
fn each_rule_holds_for_its_examples_and_not_for_the_others() {
    let mut wrong = Vec::new();
    for Examples { rule, holds, fails } in &EXAMPLES {
        for (expected, (path, text)) in
            holds.iter().map(|held| (true, held)).chain(fails.iter().map(|failed| (false, failed)))
        {
            let (_, names) = explained(path, text);
            if names.contains(rule) != expected {
                wrong.push(format!("{rule}, {path}: {text:?} has {names:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_rule_has_examples_of_both_sides() {
    let names = rules::LINES.iter().map(|rule| rule.name).chain(rules::PASSAGES.iter().map(|rule| rule.name));
    for name in names {
        let of = EXAMPLES.iter().find(|examples| examples.rule == name);
        assert!(of.is_some_and(|of| !of.holds.is_empty() && !of.fails.is_empty()), "{name}");
    }
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
        let language = Language::detect(path, whole);
        let sample = Sample { text: whole, start: before, offset: before, head: whole, path, language };
        assert_eq!(classify(&sample), kind);
    }
}

#[test]
fn what_stands_before_weighs_nothing() {
    let text = format!("{}A sentence that is the passage.", "0, 0, 0, 0, 0, 0, 0, 0\n".repeat(40));
    let start = text.find('A').unwrap();
    let path = Path::new("a.txt");
    let sample = Sample { text: &text, start, offset: start, head: &text, path, language: None };
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
                let language = Language::detect(path, text);
                assert!(Kind::ALL.contains(&classify(&Sample {
                    text,
                    start,
                    offset: start,
                    head: text,
                    path,
                    language
                })));
            }
        }
    }
}
