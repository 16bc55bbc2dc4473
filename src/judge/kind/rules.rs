//! The rules, one table for lines and one for whole passages, in the order in which they are asked: the first that
//! holds decides. A new rule is a row of a table, a function in one of the files `signs….rs`, and examples of both
//! sides in `examples.rs`: `tests.rs` refuses a rule without.

use super::lines::Line;
use super::sample::{Sample, Shares};
use super::signs as line;
use super::signs::Around;
use super::{
    signs_of_catalogues as catalogues, signs_of_compilers as compilers, signs_of_data as data,
    signs_of_files as file, signs_of_links as links, signs_of_typesetting as typesetting,
};
use dupi_index::query::filter::Kind;

/// A rule for lines.
pub(super) struct LineRule {
    /// Its name.
    pub(super) name: &'static str,
    /// The kind of a line for which it holds.
    pub(super) kind: Kind,
    /// Whether it holds, given what stands around the line.
    pub(super) holds: fn(&Line, &Around) -> bool,
}

/// A rule for passages.
pub(super) struct PassageRule {
    /// Its name.
    pub(super) name: &'static str,
    /// The kinds, by the lines, of passages for which it is asked.
    pub(super) of: &'static [Kind],
    /// The kind of a passage for which it holds.
    pub(super) kind: Kind,
    /// Whether it holds.
    pub(super) holds: fn(&Sample, &Shares) -> bool,
}

const fn on_lines(name: &'static str, kind: Kind, holds: fn(&Line, &Around) -> bool) -> LineRule {
    LineRule { name, kind, holds }
}

/// The rules for lines. A line for which none holds is code, comment or prose, by its tokens and its language.
pub(super) static LINES: [LineRule; 21] = [
    on_lines("a notice of rights", Kind::Licence, line::is_notice),
    on_lines("phrases of a licence", Kind::Licence, line::has_licence_phrases),
    on_lines("phrases of mail", Kind::Markup, line::has_mail_phrases),
    on_lines("an import", Kind::Imports, line::is_import),
    on_lines("quoted mail", Kind::Markup, line::is_quoted),
    on_lines("a signature", Kind::Markup, line::is_in_signature),
    on_lines("a field of a head", Kind::Markup, line::is_field),
    on_lines("the head of an entry", Kind::Markup, line::is_entry_head),
    on_lines("a badge or a template's tag", Kind::Markup, line::is_badge),
    on_lines("an address", Kind::Markup, line::is_address),
    on_lines("numbers", Kind::Data, line::is_numbers),
    on_lines("tags", Kind::Markup, line::is_tags),
    on_lines("a list of links", Kind::Markup, links::is_links),
    on_lines("a ruler", Kind::Markup, line::is_ruler),
    on_lines("a directive", Kind::Markup, typesetting::is_directive),
    on_lines("a record of data", Kind::Data, data::is_record),
    on_lines("a row of values", Kind::Data, data::is_row),
    on_lines("a list of literals", Kind::Data, line::is_literals),
    on_lines("a constant", Kind::Data, data::is_constant),
    on_lines("a sentence in code", Kind::Comment, line::is_sentence_in_code),
    on_lines("code in a text", Kind::Code, line::is_code_in_text),
];

/// The first so many rules decide what the next lines feel of a line: whether it is a notice, or an import. Of a line
/// that weighs nothing only they are asked.
pub(super) const FELT: usize = 4;

/// The rules for passages. One for which none holds is what most of its lines are.
pub(super) static PASSAGES: [PassageRule; 14] = [
    PassageRule {
        name: "a lock file",
        of: &[Kind::Code, Kind::Data, Kind::Prose, Kind::Markup, Kind::Comment],
        kind: Kind::Generated,
        holds: file::is_lock,
    },
    PassageRule {
        name: "a snapshot",
        of: &[Kind::Code, Kind::Data, Kind::Prose, Kind::Markup, Kind::Comment, Kind::Imports],
        kind: Kind::Generated,
        holds: file::is_snapshot,
    },
    PassageRule {
        name: "what a test expects to be printed",
        of: &[Kind::Code, Kind::Data, Kind::Prose, Kind::Markup],
        kind: Kind::Generated,
        holds: file::is_expected,
    },
    PassageRule {
        name: "a source map",
        of: &[Kind::Code, Kind::Data, Kind::Prose, Kind::Markup, Kind::Comment],
        kind: Kind::Generated,
        holds: file::is_source_map,
    },
    PassageRule {
        name: "a catalogue of messages",
        of: &[Kind::Code, Kind::Prose, Kind::Markup, Kind::Comment, Kind::Test],
        kind: Kind::Data,
        holds: catalogues::is_catalogue,
    },
    PassageRule {
        name: "records",
        of: &[Kind::Code, Kind::Prose],
        kind: Kind::Data,
        holds: data::is_records,
    },
    PassageRule {
        name: "the words of the law",
        of: &[Kind::Prose, Kind::Comment, Kind::Code],
        kind: Kind::Licence,
        holds: file::is_legal,
    },
    PassageRule {
        name: "a head with a notice of rights",
        of: &[Kind::Comment],
        kind: Kind::Licence,
        holds: file::is_head,
    },
    PassageRule { name: "bindings", of: &[Kind::Code], kind: Kind::Generated, holds: file::is_bindings },
    PassageRule {
        name: "a file that says that it is generated",
        of: &[Kind::Code, Kind::Prose, Kind::Comment],
        kind: Kind::Generated,
        holds: file::says_generated,
    },
    PassageRule {
        name: "a bundle of modules",
        of: &[Kind::Code, Kind::Prose, Kind::Comment, Kind::Data],
        kind: Kind::Generated,
        holds: file::is_bundle,
    },
    PassageRule {
        name: "what a compiler adds",
        of: &[Kind::Code, Kind::Comment, Kind::Imports],
        kind: Kind::Generated,
        holds: compilers::is_helper,
    },
    PassageRule {
        name: "minified code",
        of: &[Kind::Code, Kind::Prose, Kind::Comment],
        kind: Kind::Generated,
        holds: file::is_minified,
    },
    PassageRule { name: "a test", of: &[Kind::Code, Kind::Data], kind: Kind::Test, holds: file::is_test },
];

/// The rule that holds for a line: its name, and the kind that it gives.
pub(super) fn of_line(line: &Line, around: &mut Around) -> Option<(&'static str, Kind)> {
    around.enter(line);
    let weighs = line.is_own || line.own > 0;
    let asked = if weighs { &LINES[..] } else { &LINES[..FELT] };
    let rule = asked.iter().find(|rule| (rule.holds)(line, around));
    around.leave(line, rule.map(|rule| rule.kind));
    // A sentence in a language of settings is no comment on code: there is none.
    let kind = |rule: &LineRule| match rule.kind {
        Kind::Comment if line.tongue.is_settings => Kind::Prose,
        kind => kind,
    };
    rule.map(|rule| (rule.name, kind(rule)))
}

/// The rule that holds for a passage, given what most of its lines are.
pub(super) fn of_passage(sample: &Sample, kind: Kind, shares: &Shares) -> Option<&'static PassageRule> {
    PASSAGES.iter().find(|rule| rule.of.contains(&kind) && (rule.holds)(sample, shares))
}
