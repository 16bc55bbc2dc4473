//! What the rules for passages look for: signs that no single line has.

use std::path::Path;

use super::file::{Bindings, is_bundled};
use super::sample::{Sample, Shares};
use super::scan::{Signs, Words, has};
use super::words::{BINDINGS, LEGAL, STRONG, WEAK};
use dupi_index::query::filter::Kind;

/// The text of the passage alone.
fn own<'t>(sample: &Sample<'t>) -> &'t str {
    sample.text.get(sample.start..).unwrap_or_default()
}

/// It locks versions: by the file's name and the digests in it.
pub(super) fn is_lock(sample: &Sample, _: &Shares) -> bool {
    let name = sample.file.name();
    let is_named = ["-lock.", ".lock.", "lockfile", "shrinkwrap"].iter().any(|part| name.contains(part))
        || name.ends_with(".lock")
        || name == "go.sum";
    let text = own(sample);
    let has_digest = [
        "checksum = ",
        "\"integrity\"",
        "integrity sha",
        "integrity: sha",
        "\"shasum\"",
        "narHash",
        "\"resolved\"",
        "resolved \"",
        "h1:",
        "sha256:",
        "hash = ",
    ];
    let begins = || {
        ["lockfileVersion", "content-hash", "GEM\n  remote:"]
            .iter()
            .any(|sign| sample.file.head.contains(sign))
    };
    is_named
        && (has_digest.iter().any(|sign| text.contains(sign)) || begins() || sample.file.says_generated())
}

/// It is what a program printed, kept to be compared with: by the file's name and its head.
pub(super) fn is_snapshot(sample: &Sample, _: &Shares) -> bool {
    let head = sample.file.head;
    is_snapshot_name(sample.file.path)
        && (sample.file.name().ends_with(".ambr")
            || head.starts_with("---\n")
            || head.contains("Snapshot v1")
            || head.contains("exports[`"))
}

/// Whether a file is named as snapshots are.
pub(super) fn is_snapshot_name(path: &Path) -> bool {
    let has = |ends: &[&str]| path.extension().is_some_and(|end| ends.iter().any(|known| end == *known));
    has(&["snap", "ambr", "snapshot"])
}

/// It is what a program under test has to print: it lies with tests, and the file's ending or folder says so.
pub(super) fn is_expected(sample: &Sample, _: &Shares) -> bool {
    let name = sample.file.name();
    let ends = [
        ".stdout",
        ".stderr",
        ".golden",
        ".expected",
        ".approved.txt",
        ".out",
        ".out.in",
        ".log",
        ".log.in",
        ".log.expected",
        ".desired",
    ];
    let is_folder = |part: &str| ["snapshots", "__snapshots__", "golden", "expected"].contains(&part);
    let is_kept = ends.iter().any(|end| name.ends_with(end))
        || !sample.file.tongue.is_source
            && sample.file.path.iter().any(|part| part.to_str().is_some_and(is_folder));
    is_kept && sample.file.lies_with_tests()
}

/// It begins a file, with a notice of rights in it and little else but names: of the file, of its project, of authors.
pub(super) fn is_head(sample: &Sample, shares: &Shares) -> bool {
    /// So far reaches the head of a file.
    const BEGINS: usize = 400;
    /// Letters of a comment that explains something.
    const EXPLAINS: u32 = 400;
    let (comment, code) = (shares.of(Kind::Comment), shares.of(Kind::Code) + shares.of(Kind::Data));
    let formal = shares.of(Kind::Licence) + shares.of(Kind::Imports);
    sample.offset < BEGINS
        && shares.of(Kind::Licence) > 0
        && comment < EXPLAINS
        && comment <= formal * 5
        && code * 3 <= comment
}

/// A generator wrote bindings to a system: two or more of the signs that they have, or one in a package of bindings.
pub(super) fn is_bindings(sample: &Sample, _: &Shares) -> bool {
    const PATH: &str = "::";
    let Bindings { is_package, in_head } = sample.file.bindings();
    // Most texts have no paths of modules, as nearly all signs do.
    let has_path = has(own(sample), PATH);
    let may_have = |sign: &str| has_path || !sign.contains(PATH);
    let has_sign = |(sign, in_head): (&&str, &bool)| *in_head || may_have(sign) && has(own(sample), sign);
    let signs = BINDINGS.iter().zip(in_head).filter(|&sign| has_sign(sign)).count();
    signs + usize::from(*is_package && signs > 0) >= 2
}

static LEGAL_WORDS: Words = Words::of(&LEGAL);

/// So many words of a hundred are words of the law, several of them. In a long text fewer need to be, but more
/// different ones; in a file that is named as licences are, hardly any.
pub(super) fn is_legal(sample: &Sample, shares: &Shares) -> bool {
    const PERCENT: usize = 7;
    const PERCENT_OF_LONG: usize = 3;
    const LONG: usize = 150;
    // An item of a list in it may look like code, but source code is none.
    if sample.file.tongue.is_source && shares.greatest() == Kind::Code {
        return false;
    }
    let (mut words, mut legal, mut seen) = (0, 0, 0_u64);
    for word in own(sample).split(|c: char| !c.is_alphanumeric()).filter(|word| word.len() > 1) {
        words += 1;
        if let Some(which) = LEGAL_WORDS.position(word) {
            legal += 1;
            seen |= 1 << which;
        }
    }
    let seen = seen.count_ones();
    // What a file of that name says otherwise too is little.
    if sample.stands_in_licence() && seen >= 1 && legal * 100 >= words {
        return true;
    }
    legal * 100 >= words * PERCENT && seen >= 4
        || words >= LONG && legal * 100 >= words * PERCENT_OF_LONG && seen >= 7
}

/// The head of the file says that a program wrote it, or those of most files with a copy.
pub(super) fn says_generated(sample: &Sample, _: &Shares) -> bool {
    sample.says_generated()
}

/// A bundler wrote it: the head of the file, or the passage, has two of the names that bundlers use.
pub(super) fn is_bundle(sample: &Sample, _: &Shares) -> bool {
    sample.file.tongue.is_javascript && (sample.file.begins_bundle() || is_bundled(own(sample)))
}

/// It tells which places of what was built are which of the sources: by the file's name and its head.
pub(super) fn is_source_map(sample: &Sample, _: &Shares) -> bool {
    let has = |key: &str| sample.file.head.contains(key);
    sample.file.name().ends_with(".map")
        && has("\"version\"")
        && ["\"sources\"", "\"mappings\"", "\"file\"", "\"names\""].into_iter().any(has)
}

/// Its lines are long and have hardly any white space, or it stands in a line so long that no person wrote it. Outside
/// of source code there must be much punctuation of code too. Short lines are minified where there is still less white
/// space, before the passage too: a minifier breaks lines where it likes.
pub(super) fn is_minified(sample: &Sample, _: &Shares) -> bool {
    const LONG: usize = 400;
    const WITHOUT_END: usize = 2000;
    let is_source = sample.file.tongue.is_source;
    let before = |bytes: usize| sample.text.floor_char_boundary(sample.start.saturating_sub(bytes));
    let reach = before(WITHOUT_END);
    if is_source && sample.start >= WITHOUT_END && !sample.text[reach..sample.start].contains('\n') {
        return true;
    }
    // With what stands before it in its first line.
    let line = sample.text[reach..sample.start].rfind('\n').map_or(reach, |end| reach + end + 1);
    let text = &sample.text[line..];
    let least = if is_source { 60 } else { 20 };
    let is_long = text.len() >= LONG && text.lines().any(|line| line.len() >= LONG);
    let near = &sample.text[before(LONG)..];
    is_long && is_dense(text, 12, least) || is_source && near.len() >= LONG && is_dense(near, 16, 20)
}

/// Whether less than one byte in `blanks` is white space, and more than one in `ends` ends or separates something.
fn is_dense(text: &str, blanks: usize, ends: usize) -> bool {
    let count = |is: fn(&u8) -> bool| text.bytes().filter(is).count();
    count(u8::is_ascii_whitespace) * blanks < text.len()
        && count(|byte| b";,{}()".contains(byte)) * ends > text.len()
}

static STRONG_SIGNS: Signs = Signs::of(&STRONG);
static WEAK_SIGNS: Signs = Signs::of(&WEAK);

/// So many bytes before a passage in the folder of tests are read too.
const NEAR: usize = 4096;
/// So many bytes before any passage: what it is called.
const RIGHT_BEFORE: usize = 160;

/// It tests: it asserts again and again or is named a test; or it lies where tests do and says so once.
pub(super) fn is_test(sample: &Sample, shares: &Shares) -> bool {
    // Examples in comments assert as tests do.
    let is_code = |line: &&str| !["//", "*", "/*"].iter().any(|mark| line.trim_start().starts_with(mark));
    let count_in = |text: &str, signs: &Signs| match signs.count(text) {
        0 => 0,
        _ => text.split_inclusive('\n').filter(is_code).map(|line| signs.count(line)).sum::<usize>(),
    };
    if shares.of(Kind::Code) * 4 < shares.of(Kind::Data) {
        return false;
    }
    let text = own(sample);
    let start = sample.text.ceil_char_boundary(sample.start.saturating_sub(RIGHT_BEFORE));
    let strong = count_in(&sample.text[start..], &STRONG_SIGNS);
    let near = || &sample.text[sample.text.ceil_char_boundary(sample.start.saturating_sub(NEAR))..];
    let is_asserting = strong >= 2 && strong * 12 >= text.lines().count();
    let says = || strong > 0 || sample.says_test() || count_in(near(), &WEAK_SIGNS) > 0;
    is_asserting || sample.lies_with_tests() && says()
}
