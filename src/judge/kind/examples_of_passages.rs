//! Examples of each rule for passages, of both sides.

use super::examples::{Examples, examples};

pub(super) static EXAMPLES: [Examples; 14] = [
    examples(
        "a lock file",
        &[
            ("Cargo.lock", "[[package]]\nname = \"a\"\nchecksum = \"00ff\""),
            ("package-lock.json", "\"resolved\": \"https://a.example\",\n\"integrity\": \"sha512-00\""),
            ("pnpm-lock.yaml", "lockfileVersion: '6.0'\n\ndependencies:\n  a:\n    specifier: ^1.0.0"),
        ],
        &[("Cargo.toml", "checksum = \"00ff\""), ("src/lock.rs", "let checksum = sum(a);")],
    ),
    examples(
        "a snapshot",
        &[("a.snap", "---\nsource: src/a.rs\nexpression: screen\n---\n a list of rows")],
        &[("a.snap", "name: hello\ntype: app"), ("a.md", "---\nsource: wire\n---\nA list of rows")],
    ),
    examples(
        "what a test expects to be printed",
        &[
            ("tests/ui/bounds.stderr", "error: expected one of `+`, `,`, `=`, or `>`, found `:`"),
            ("tests/snapshots/api.txt", "impl Debug for tide::Table"),
            ("test-suite/output/tides.out", "low : hour -> height"),
        ],
        &[
            ("logs/harbour.stderr", "error: the gate is closed"),
            ("tests/snapshots/mod.rs", "fn gate() -> Gate {\n    gate::open(a)\n}"),
        ],
    ),
    examples(
        "a source map",
        &[
            (
                "dist/a.js.map",
                "{\"version\":3,\"sources\":[\"a.ts\"],\"sourcesContent\":[\"export const tides = a.b;\"]}",
            ),
            (
                "lib/a.js.map",
                "{\"version\":3,\"names\":[\"_tide\"],\"sourcesContent\":[\"export const tides = a.b;\"]}",
            ),
        ],
        &[
            ("coast.map", "The islands are drawn as they were, version 3."),
            ("a.json", "{\"version\":3,\"sources\":[]}"),
        ],
    ),
    examples(
        "a catalogue of messages",
        &[
            (
                "lang/tide_de.ts",
                "<?xml version=\"1.0\"?>\n<!DOCTYPE TS>\n<TS version=\"2.1\" language=\"de\">\n<message>\n\
             <source>Low water</source>\n<translation>Niedrigwasser</translation>\n</message>",
            ),
            (
                "plugins/tide/lang/pt-br.js",
                "tide.setLang({\n    low: 'Maré baixa de hoje',\n    high: 'Maré alta de hoje'\n});",
            ),
            (
                "dist/installer-translations/german.nsi",
                "LangString tide_low ${LANG_GERMAN} \"Niedrigwasser am Morgen\"",
            ),
            ("src/messages/tide_fr.properties", "# Tides\ntide.low=Marée basse\ntide.high=Marée haute\n"),
        ],
        &[
            ("src/tide.ts", "export function tide(hour: number): number {\n  return heights[hour];\n}"),
            (
                "lang/tide.js",
                "tide.setLang({\n    low: 'Low water of today',\n    high: 'High water of today'\n});",
            ),
            ("languages/go.js", "hljs.add('go', { keywords: 'func tide', comment: '//', strings: '`' });"),
            ("src/de.js", "export const names = ['Ebbe', 'Flut'];"),
            ("web/page.ts", "<?xml version=\"1.0\"?>\n<tides>\n<p>The water is low at noon.</p>\n</tides>"),
        ],
    ),
    examples(
        "records",
        &[(
            "baseline.neon",
            "ignored:\n\t-\n\t\tmessage: \"Method low() has no type\"\n\t\tcount: 1\n\t\tpath: src/low.php\n\t-\n\t\tmessage: \
             \"Method high() has no type\"\n\t\tcount: 2\n\t\tpath: src/high.php",
        )],
        &[
            (
                "a.txt",
                "The keeper was asked twice.\nida: I saw the light.\nhugo: I saw it too.\nida: Then it was lit.\nhugo: So it was.",
            ),
            ("a.neon", "services:\n\t- tide\n\t- gate\nparameters:\n\tlevel: 8\n\tpaths: src"),
        ],
    ),
    examples(
        "the words of the law",
        &[
            (
                "COPYING.GPLv3",
                "You can apply it to your programs, too. When we speak of what is free, we are refering to how it \
                 may be used and not to its price. The license of a library may be another one.",
            ),
            (
                "COPYING",
                "The licensor grants the licensee a royalty-free right to distribute the covered work. No warranty \
                 or liability is taken over hereunder, and the copyright stays with the contributor.",
            ),
        ],
        &[
            (
                "a.txt",
                "The council has granted the brewery a licence to sell beer in the market hall on Sundays.",
            ),
            (
                "tide.c",
                "tell(warranty, liability, copyright, patent);\nlicence(patents, damages, permission);",
            ),
        ],
    ),
    examples(
        "a head with a notice of rights",
        &[(
            "a.c",
            "/*\n * This file is part of TIDEFS.\n *\n * Copyright (C) 2006-2008 Harbour Office\n *\n * Authors: Ada \
             Byron\n *          Ida Venn (Venice)\n */",
        )],
        &[
            (
                "a.c",
                "/*\n * The tree of tides. Each node holds the tides of a month, sorted by their hour, and the height \
                 of the lowest one, so that a search for low water visits hardly more nodes than the tree is deep. Nodes \
                 are split when they are full, and joined with a neighbour when both are less than half full. The root \
                 may hold one tide. A reader takes no lock: a writer makes new nodes and then replaces the root, and the \
                 old nodes are freed when the last of the readers that may see them has gone.\n *\n * Copyright (C) 2006 \
                 Ada Byron\n */",
            ),
            ("a.c", "/* Copyright (C) 2006 Ada Byron */\nint tide(int hour)\n{\n\treturn heights[hour];\n}"),
        ],
    ),
    examples(
        "bindings",
        &[
            (
                "windows-sys/src/mod.rs",
                "windows_link::link!(\"a.dll\" \"system\" fn Open(door : super::super::Foundation:: HANDLE) -> u32);",
            ),
            ("a.rs", "pub union DOOR {\n    pub Anonymous: DOOR_0,\n}\ncore::mem::zeroed()"),
        ],
        &[("a.rs", "fn empty() -> Door {\n    core::mem::zeroed()\n}")],
    ),
    examples(
        "a file that says that it is generated",
        &[
            ("a.rs", "// This file is @generated by a tool.\nfn f(a: u8) -> u8 {\n    a.into()\n}"),
            ("a.go", "// Code generated by protoc-gen-go. DO NOT EDIT.\nfunc (m *A) Reset() { *m = A{} }"),
            ("a.sh", "# Generated by GNU Autoconf 2.71.\nif test $ac_cv_door = yes\nthen\n  open $door\nfi"),
        ],
        &[
            (
                "a.c",
                "/* Adds the key that was generated. */\nint add(struct key *key)\n{\n\treturn put(key);\n}",
            ),
            ("a.txt", "Power is generated by the mill behind the dunes, and sold to the town."),
        ],
    ),
    examples(
        "a bundle of modules",
        &[("a.js", BUNDLED)],
        &[("a.js", "function add(a) {\n  return a + __webpack_require__.one;\n}\n")],
    ),
    examples(
        "what a compiler adds",
        &[
            (
                "lib/a.js",
                "function _interopRequireDefault(obj) {\n  return obj && obj.__esModule ? obj : {default: obj};\n}",
            ),
            (
                "lib/a.js",
                "var __importDefault = (this && this.__importDefault) || function (mod) {\n    return (mod && \
                 mod.__esModule) ? mod : { \"default\": mod };\n};",
            ),
        ],
        &[
            ("a.js", "function tide(hour) {\n  return _slicedToArray(heights)[hour];\n}"),
            ("a.py", "def __awaiter(obj):\n    return obj.__esModule\n"),
        ],
    ),
    examples(
        "minified code",
        &[("a.js", MINIFIED), ("a.css", MINIFIED_STYLES), ("a.js", MINIFIED_LINES)],
        &[("a.js", "function f(a) {\n  return a;\n}\n")],
    ),
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
/// The lines of a minifier that breaks them.
const MINIFIED_LINES: &str = "function(a,c,d){var e=this.h;a&&\"object\"===typeof a&&(a=a.h);c&&\"object\"===typeof c&&(c=c.h);f(e,a,c,d)};
m.prototype.x=function(a,c){var d=this.h;a&&\"object\"===typeof a&&(a=a.h);c&&\"object\"===typeof c&&(c=c.h);g(d,a,c)};
m.prototype.y=function(a){var c=this.h;a&&\"object\"===typeof a&&(a=a.h);k(c,a)};m.prototype.z=function(){return l(this.h)};
function(a,c,d){var e=this.h;a&&\"object\"===typeof a&&(a=a.h);c&&\"object\"===typeof c&&(c=c.h);n(e,a,c,d)};";
const MINIFIED: &str = "function a(b,c){return b(c)};function d(e,f){return e(f)};function a(b,c){return b(c)};\
function d(e,f){return e(f)};function a(b,c){return b(c)};function d(e,f){return e(f)};function a(b,c){return b(c)};\
function d(e,f){return e(f)};function a(b,c){return b(c)};function d(e,f){return e(f)};function a(b,c){return b(c)};\
function d(e,f){return e(f)};function a(b,c){return b(c)};function d(e,f){return e(f)};function a(b,c){return b(c)};";

/// Styles without white space, whose long names leave little punctuation.
const MINIFIED_STYLES: &str = ".harbour-list-wrapper>.harbour-list-container-inner:last-child,.harbour-list-wrapper .harbour-list-next{margin-left:0}\
.harbour-table-wrapper>.harbour-table-container-inner:last-child,.harbour-table-wrapper .harbour-table-next{margin-left:0}\
.harbour-notice-wrapper>.harbour-notice-container-inner:last-child,.harbour-notice-wrapper .harbour-notice-next{margin-left:0}\
.harbour-footer-wrapper>.harbour-footer-container-inner:last-child,.harbour-footer-wrapper .harbour-footer-next{margin-left:0}\
.harbour-list-wrapper>.harbour-list-container-inner:last-child,.harbour-list-wrapper .harbour-list-next{margin-left:0}\
.harbour-table-wrapper>.harbour-table-container-inner:last-child,.harbour-table-wrapper .harbour-table-next{margin-left:0}\
.harbour-notice-wrapper>.harbour-notice-container-inner:last-child,.harbour-notice-wrapper .harbour-notice-next{margin-left:0}\
.harbour-footer-wrapper>.harbour-footer-container-inner:last-child,.harbour-footer-wrapper .harbour-footer-next{margin-left:0}";

const BUNDLED: &str = "/***/ 7078:\n/***/ (function(module, __webpack_exports__, __webpack_require__) {\n\n\"use strict\";\nvar bind = __webpack_require__(7870);\nmodule.exports = bind(add);\n/***/ })";
