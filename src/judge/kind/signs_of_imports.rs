//! What the rule for imports looks for: what a text takes from elsewhere, what keeps it from being taken twice, and the
//! lines that begin and end what encloses all of it.

use super::lines::Line;

/// Whether a line begins an import.
pub(super) fn begins_import(line: &Line) -> bool {
    let text = line.text;
    if text.starts_with('\\') && !line.tongue.is_source {
        return takes_package(text);
    }
    if line.tongue.is_source && (line.guards || is_frame(text)) {
        return true;
    }
    let directive = text.strip_prefix('#').map(str::trim_start).unwrap_or_default();
    let is_named = directive.starts_with("include") || directive.starts_with("import");
    if is_named && directive.contains(['<', '"'])
        || is_named && line.tongue.is_source && !line.text.contains(' ')
    {
        return true;
    }
    if line.comment > line.code {
        return false;
    }
    let public = text.strip_prefix("pub").map_or(text, |rest| {
        rest.trim_start().trim_start_matches("(crate)").trim_start_matches("(super)").trim_start()
    });
    let ends = |marks: &[char]| text.ends_with(marks);
    let short = line.tokens <= 8;
    let is_closed = || ends(&[';', '{', '(', ')', ',', '\'', '"', '\\', '}']);
    let Some((first, rest)) = public.split_once([' ', '\t', '(']) else { return false };
    let is_one_name = || {
        let one = rest.trim_end_matches(';').trim();
        !one.is_empty() && !one.contains(char::is_whitespace)
    };
    match first {
        "use" => ends(&[';', '{', ',']) || rest.contains("::") && line.tongue.is_source,
        "import" => is_closed() || is_one_name() || line.tongue.is_source && short,
        "from" => rest.split_once(" import").is_some_and(|(name, _)| !name.contains(' ')),
        "export" => rest.contains(" from ") && ends(&[';', '\'', '"']),
        "using" => ends(&[';']) && !rest.contains('='),
        "package" | "mod" | "module" | "namespace" => {
            is_one_name() && line.tongue.is_source && (ends(&[';']) || line.indent == 0)
        }
        "extern" => rest.starts_with("crate "),
        "open" => is_one_name() && line.tongue.is_source,
        "Require" => line.tongue.is_source && (rest.starts_with("Import ") || rest.starts_with("Export ")),
        "" => text.starts_with("(require '"),
        "const" | "var" | "let" => rest.contains("= require("),
        "require" | "require_relative" | "include" | "load" | "library" | "@import" | ".include" => {
            line.tongue.is_source && short && (rest.starts_with(['\'', '"', '<']) || ends(&['\'', '"', '>']))
        }
        _ => false,
    }
}

/// Whether a line of TeX takes a class, a package or a file.
fn takes_package(text: &str) -> bool {
    const COMMANDS: [&str; 7] =
        ["usepackage", "RequirePackage", "documentclass", "documentstyle", "LoadClass", "input", "include"];
    let name = &text[1..];
    let end = name.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(name.len());
    COMMANDS.contains(&&name[..end]) && name[end..].starts_with(['{', '[', '%'])
}

/// Marks the two lines that together keep a header from being included twice, whatever the name that they test and
/// define.
pub(super) fn mark_guards(lines: &mut [Line]) {
    for at in 1..lines.len() {
        let is_pair = lines[at].tongue.is_source
            && defined(lines[at].text).is_some_and(|name| tested(lines[at - 1].text) == Some(name));
        if is_pair {
            lines[at - 1].guards = true;
            lines[at].guards = true;
        }
    }
}

/// The word of a directive for a preprocessor, and what follows.
fn directive(text: &str) -> Option<(&str, &str)> {
    let directive = text.strip_prefix('#')?.trim_start();
    let (word, rest) = directive.split_once([' ', '\t']).unwrap_or((directive, ""));
    Some((word, rest.trim()))
}

/// The name that must not be defined.
fn tested(text: &str) -> Option<&str> {
    match directive(text)? {
        ("ifndef", name) => Some(name),
        ("if", test) => Some(test.strip_prefix("!defined")?.trim_matches(['(', ')', ' '])),
        _ => None,
    }
}

/// The name that is defined as nothing.
fn defined(text: &str) -> Option<&str> {
    directive(text)
        .filter(|(word, name)| *word == "define" && !name.contains([' ', '\t', '(']))
        .map(|(_, name)| name)
}

/// Whether a line begins or ends what encloses a whole file: a guard, a namespace, the mark of a language, a strictness.
fn is_frame(text: &str) -> bool {
    const BEGINS: [&str; 5] = [
        "<?php",
        "declare(strict_types=1);",
        "\"use strict\";",
        "'use strict';",
        "# frozen_string_literal: true",
    ];
    match text.as_bytes().first() {
        Some(b'#') => is_guard(text) || text == BEGINS[4],
        Some(b'}') => ends_namespace(text),
        Some(b'n') => {
            text.starts_with("namespace ") && text.ends_with('{') && !text.contains(['=', ';', '('])
        }
        Some(b'<' | b'd' | b'"' | b'\'') => BEGINS.contains(&text),
        _ => false,
    }
}

/// Whether nothing is closed but namespaces, as a comment says: `} // namespace tide`.
fn ends_namespace(text: &str) -> bool {
    let rest = text.trim_start_matches(['}', ' ', '\t', ';']);
    let comment = rest.strip_prefix("//").or_else(|| rest.strip_prefix("/*"));
    comment.is_some_and(|comment| comment.contains("namespace"))
}

/// Whether a line keeps a header from being included twice: `#pragma once`, `#ifndef TIDE_H`, `#define TIDE_H`,
/// `#endif // TIDE_H`.
fn is_guard(text: &str) -> bool {
    const ENDS: [&str; 8] = ["_H", "_HH", "_HPP", "_HXX", "_INC", "_INCLUDED", "_INCLUDE_GUARD", "_ONCE"];
    let is_name = |name: &str| {
        let name = name.trim_end_matches('_');
        let is_capital = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_';
        name.bytes().all(is_capital) && ENDS.iter().any(|end| name.ends_with(end))
    };
    let Some((word, rest)) = directive(text) else { return false };
    match word {
        "pragma" => rest == "once",
        "ifndef" | "define" => is_name(rest),
        "if" => rest.strip_prefix("!defined").is_some_and(|name| is_name(name.trim_matches(['(', ')', ' ']))),
        "endif" => {
            let name = rest.trim_matches(|c: char| c.is_whitespace() || "/*!".contains(c));
            let name = name.strip_prefix("defined").unwrap_or(name).trim_matches(['(', ')', ' ']);
            !name.is_empty() && is_name(name)
        }
        _ => false,
    }
}
