//! What the rule for imports looks for: what a text takes from elsewhere, and what keeps it from being taken twice.

use super::lines::Line;

/// Whether a line begins an import.
pub(super) fn begins_import(line: &Line) -> bool {
    let text = line.text;
    if text.starts_with('\\') && !line.tongue.is_source {
        return takes_package(text);
    }
    if text.starts_with('#') && line.tongue.is_source && is_guard(text) {
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
        "package" | "mod" | "module" => {
            is_one_name() && line.tongue.is_source && (ends(&[';']) || line.indent == 0)
        }
        "extern" => rest.starts_with("crate "),
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

/// Whether a line keeps a header from being included twice: `#pragma once`, `#ifndef TIDE_H`, `#define TIDE_H`,
/// `#endif // TIDE_H`.
fn is_guard(text: &str) -> bool {
    const ENDS: [&str; 8] = ["_H", "_HH", "_HPP", "_HXX", "_INC", "_INCLUDED", "_INCLUDE_GUARD", "_ONCE"];
    let is_name = |name: &str| {
        let name = name.trim_end_matches('_');
        let is_capital = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_';
        name.bytes().all(is_capital) && ENDS.iter().any(|end| name.ends_with(end))
    };
    let directive = text[1..].trim_start();
    let (word, rest) = directive.split_once([' ', '\t']).unwrap_or((directive, ""));
    let rest = rest.trim();
    match word {
        "pragma" => rest == "once",
        "ifndef" | "define" => is_name(rest),
        "if" => rest.strip_prefix("!defined").is_some_and(|name| is_name(name.trim_matches(['(', ')', ' ']))),
        "endif" => {
            let name = rest.trim_matches(|c: char| c.is_whitespace() || "/*!".contains(c));
            !name.is_empty() && is_name(name)
        }
        _ => false,
    }
}
