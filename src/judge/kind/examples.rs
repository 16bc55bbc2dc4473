//! Examples of each rule for lines, of both sides.

/// Passages by their path and text, of which a rule holds for some line or for the whole, and others.
pub(super) struct Examples {
    pub(super) rule: &'static str,
    pub(super) holds: &'static [(&'static str, &'static str)],
    pub(super) fails: &'static [(&'static str, &'static str)],
}

pub(super) const fn examples(
    rule: &'static str,
    holds: &'static [(&'static str, &'static str)],
    fails: &'static [(&'static str, &'static str)],
) -> Examples {
    Examples { rule, holds, fails }
}

pub(super) static EXAMPLES: [Examples; 21] = [
    examples(
        "a notice of rights",
        &[
            ("a.c", "// SPDX-License-Identifier: GPL-2.0\n/* Copyright (C) 2017 Ada Byron */"),
            ("a.py", "# Copyright 2020 The Authors. All rights reserved."),
            ("a.txt", "© The Coast Courier 2022."),
            ("a.ml", "(*  v      *         Copyright HARBOUR, TIDES and contributors             *)"),
            ("a.java", "/**\n * @author Ada Byron\n */"),
        ],
        &[
            ("a.c", "MODULE_LICENSE(\"GPL\"); /* all */ int copyright = 1;"),
            ("a.txt", "Copyright is a right that most authors have."),
            ("a.java", "/** Adds an author to the book that has the Copyright flag. */"),
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
            ("a.rs", "pub use dupi_text::token::{\n    Token,\n    Lexer,\n};"),
            ("a.py", "from os import (\n    path,\n)"),
            ("a.java", "import java.util.List;"),
            ("a.js", "const fs = require('fs');"),
            ("a.ts", "import { a,\n  b } from './c';"),
            ("a.go", "import (\n\t\"fmt\"\n\t\"os\"\n)"),
            ("a.yaml", "examples:\n  - |\n    #include <dt-bindings/gpio/gpio.h>"),
            ("a.rst", "  #include <stdio.h>"),
            ("a.tex", "\\usepackage[utf8]{inputenc}"),
            ("a.ml", "open Tides"),
            ("a.v", "Require Import Harbour.Tides Harbour.Gates."),
            ("a.el", "(require 'tides)"),
            ("a.hpp", "#ifndef TIDE_TABLE_HPP"),
            ("a.hpp", "#if !defined(TIDE_TABLE_MAR_04_2007)\n#define TIDE_TABLE_MAR_04_2007"),
            ("a.hpp", "namespace tide { namespace table {"),
            ("a.hpp", "} // namespace table"),
            ("a.php", "<?php\n\ndeclare(strict_types=1);\n\nnamespace Harbour\\Tides;"),
            ("a.h", "#if !defined(TIDE_H_)\n#pragma once\n#endif // TIDE_H_"),
        ],
        &[
            ("a.txt", "use the import of coal to heat the house"),
            ("a.txt", "from the first import of wool the town grew rich"),
            ("a.c", "using_fs = import(fs);"),
            ("a.ml", "open_gate Tides"),
            ("a.el", "(tides-require 'low)"),
            ("a.rs", "let used = use_of(a);"),
            ("a.py", "important = load(\"a\")"),
            ("a.tex", "\\inputs are read by \\usepackages"),
            ("a.h", "#ifndef TIDE_TABLE\n#define TIDE_H 5\n#endif // the tide"),
            ("a.h", "#ifndef TIDE_LEVEL\n#define TIDE_LEVEL 5\n} // the tide"),
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
        "the head of an entry",
        &[
            ("changelog", " -- Ida Venn <ida@courier.example>  Sat, 30 Jan 2021 13:00:42 +0100"),
            ("changelog", "tides (2.1-12) unstable; urgency=medium"),
            ("log.txt", "commit 86ae7fc53f7ff0f3baea0cf13e4ecec24ff34ae1"),
        ],
        &[
            ("changelog", "  * Tides are read at once (closes: #12); urgency is low."),
            ("a.txt", "-- Ida Venn <ida@courier.example>"),
            ("a.txt", "commit what is ready"),
        ],
    ),
    examples(
        "an address",
        &[
            ("a.txt", "desk@courier.example"),
            ("a.yaml", "  - Ida Venn <ida@courier.example>"),
            ("a.txt", "phone +44 1632 960 033"),
            ("a.txt", "  https://courier.example/letters/2024/03"),
            ("a.rs", "/// [NetBSD]: https://man.netbsd.example/errno.2"),
            ("tides.1", "Ida Venn <https://courier.example/ida/>,\nHugo Marrick <hugo@courier.example>,"),
        ],
        &[
            ("a.txt", "Whoever finds it may write to ida@courier.example, or tell the harbour master."),
            ("a.py", "@decorator.with_name"),
            ("a.txt", "The letters of that year are kept at https://courier.example for whoever asks"),
            (
                "a.txt",
                "The letters of that year are kept in <https://courier.example>, as are the photographs,",
            ),
            ("a.rs", "let page = get(\"https://courier.example/letters/2024/03\");"),
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
            ("a.js", "list.innerHTML='\\\n<li><a href=\"tide.html\">Tides</a></li>\\\n';"),
        ],
        &[
            ("a.html", "<p>Whoever reads this paragraph to its end has read a sentence that is no tag.</p>"),
            ("a.rs", "fn f<T>(a: &T) -> Option<T> {"),
        ],
    ),
    examples(
        "a list of links",
        &[
            (
                "a.html",
                "<a href=\"a.html\">The tides</a>&nbsp;&nbsp; <a href=\"b.html\">The northern coast</a>",
            ),
            (
                "a.html",
                "<li>https://coast.org/1 &rarr; <a href=\"a.html\">All that changed in the year of floods</a>",
            ),
            ("tides.3", "\\fBtides.h\\fP(7),\n.BR wells (3), gates (3)"),
        ],
        &[
            (
                "a.html",
                "<p>What <a href=\"a.html\">the tides</a> leave on the shore belongs to the town.</p>",
            ),
            ("a.html", "<h2><a name=\"tides\">The tides of the northern coast and its islands</a></h2>"),
            ("a.txt", "They are told by tides(3), and by gates(the old ones)"),
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
            ("tides.3", ".TH TIDES 3 \"5 March 2023\" \"The pages of the harbour 6.03\""),
            ("tides.3", ".\\\" Present only if the harbour was built with a gauge."),
            ("tides.3", ".ie n \\{\\\n\\h'-04'\\(bu\\h'+03'\\c"),
            ("tides.3", "l l l\nlB c lB."),
        ],
        &[
            ("a.rst", "... and then: nothing"),
            ("a.rst", "See :ref:`label` for what is said there."),
            ("tides.3", "\\fItides\\fP tells when the water is high, and how high it is then."),
            ("a.txt", "'in the harbour' is what they said of the two boats"),
            ("a.txt", "a la carte"),
        ],
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
        &[("a.json", "\"EventName\": \"MEM_LOAD\","), ("a.jsonl", "{\"text\": \"The tide turns at six.\"}")],
        &[("a.js", "name: 'MEM_LOAD',"), ("a.toml", "name = \"load\"")],
    ),
    examples(
        "a row of values",
        &[
            ("status.txt", "U+0182 uni0182    2.2 (Sans, Sans Bold, Sans Oblique) 2.4 (Serif)"),
            ("status.txt", "U+00c0 Agrave    original (Sans, Serif)"),
            ("arch-support.txt", "    |       alpha: | TODO |"),
            ("a.modes", "#   Scan Frequency      31.469 kHz  59.94 Hz"),
            ("SOURCES.txt", "tide/locale/am/messages/tide.po"),
            ("pins.txt", "mpp9          9        gpio, twsi(sck), uart0(cts)"),
            ("iso.7", "300\t192\tC0\tA\tLATIN CAPITAL LETTER A WITH GRAVE"),
            ("ChangeLog", "po/ca.po, da.po, src/de.c,"),
            ("sizes.txt", "Percentage of total database...................... 44.8%"),
            ("sizes.html", "Bytes of storage consumed......................... 163840"),
        ],
        &[
            ("a.md", "| `k` `Up` | the row before, or the line before of a document |"),
            ("a.txt", "Step 2.  Turn the key twice.  It will not break."),
            ("a.txt", "Marrick  is a town  of 4 streets and 2 wells"),
            ("a.txt", "gpio9 and gpio10 are free"),
            ("ChangeLog", "* src/tide.c, src/gate.c (open): Take the height."),
            ("a.txt", "Read tide.c, gate.c and well.c before you ask what they do."),
            ("a.txt", "And then.... 9 of the 12 boats came home."),
        ],
    ),
    examples(
        "a list of literals",
        &[
            ("a.c", "static const char *axi[] = { \"periph\", \"axi_alt\", };"),
            ("a.py", "NAMES = [\"north\", \"south\", \"east\"]"),
            ("a.c", "MTK_FUNCTION(0, \"GPIO57\"),"),
            ("a.js", "bmp: '\\u0378\\u0379\\u0380-\\u0383',"),
            ("a.c", ".key = \"\\x08\\x9f\\x13\\xaa\\x41\\xd8\""),
            (
                "a.d.ts",
                "type Tide = \"low\" | \"high\" | \"spring\" | \"neap\" | \"ebb\" | \"flood\" | \"slack\" | \"red\";",
            ),
            ("a.txt", "nav_pps, pci_e0, pll_reset, pri_mi2s, prng_rosc,"),
            (
                "a.d.ts",
                "type Tides = LowTide | HighTide | SpringTide | NeapTide | EbbTide | FloodTide | SlackTide | RedTide;",
            ),
            ("a.js", "{url:\"tide.html#low\", app:\"TIDES\", text:\"water -- when it is low\"},"),
        ],
        &[
            ("a.c", "\"read fifo: what was passed in is too large\\n\");"),
            ("a.c", "foo(a, b, c),"),
            ("a.rs", "let open = a | b | gate.is_open(c) | d | well.is_open(e) | f | tide.is_low(g) | h;"),
            (
                "a.js",
                "{url: \"tide.html\", open: gate.open, close: function () { return gate.close(level); }},",
            ),
            ("a.txt", "bread, butter, cheese, ham, and tea"),
        ],
    ),
    examples(
        "a constant",
        &[
            ("a.c", "#define FORM_MASK 0x00ff"),
            ("a.h", "#define mmFORM_WIDTH_BASE_IDX (1 << 4) /* bits */"),
            ("a.rst", "\t\tDELIVERY_SYSTEM = DVBT"),
            ("a.rs", "pub const SIGHUP: c_int = 1;"),
            ("a.java", "public static final int WIDTH = 80;"),
            ("a.go", "\t_SIGHUP    = 0x1\n\tSYS_EXIT = 1 // to leave\n"),
            ("badge_defconfig", "CONFIG_MODULES=y\n# CONFIG_NET is not set"),
        ],
        &[
            ("a.c", "#define min(a, b) ((a) < (b) ? (a) : (b))"),
            ("a.h", "#define form_width(form) form->width"),
            ("a.txt", "NOTE = all who come are welcome"),
            ("a.rs", "let width = 80;"),
            ("a.py", "width = 80"),
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
];
