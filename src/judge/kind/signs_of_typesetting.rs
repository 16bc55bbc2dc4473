//! What the rules look for in texts for typesetters: reStructuredText, TeX, troff.

use super::lines::Line;
use super::signs::Around;

/// Requests of troff and its packages of macros that hold no text but headings.
const REQUESTS: [&str; 66] = [
    "sp", "br", "nf", "fi", "in", "ti", "ne", "na", "ad", "ft", "ps", "vs", "ce", "bp", "nr", "ds", "de",
    "am", "ie", "if", "el", "ig", "rm", "rn", "so", "mso", "tr", "ll", "hy", "nh", "it", "ta", "PP", "LP",
    "HP", "TP", "RS", "RE", "SH", "SS", "TH", "EX", "EE", "TS", "TE", "T&", "UR", "UE", "MT", "ME", "SY",
    "YS", "URL", "MTO", "INDENT", "UNINDENT", "Vb", "Ve", "Dd", "Dt", "Os", "Sh", "Ss", "Pp", "Bl", "El",
];

/// It directs a typesetter, or is a comment between such lines.
pub(super) fn is_directive(line: &Line, _: &Around) -> bool {
    if line.tongue.is_source {
        return false;
    }
    let text = line.text;
    let is_directive = text.starts_with(".. ") && (text.contains("::") || text.starts_with(".. _"));
    let is_role = text.contains(":sub:`") || text.contains(":sup:`") || formats_columns(text);
    if !text.starts_with(['\\', '.', '\'']) {
        return is_role;
    }
    let is_command = !text.starts_with('\'')
        && text[1..].starts_with(|c: char| c.is_ascii_alphabetic())
        && line.tokens <= 4;
    is_directive || is_role || is_command || is_request(text)
}

/// Whether a line tells how the columns of a table are set, as troff's preprocessor for tables reads it: `l c r`, `lB lB.`.
fn formats_columns(text: &str) -> bool {
    const KEYS: &str = "lrcnasLRCNAS_";
    const LONGEST: usize = 60;
    let text = text.strip_suffix('.').unwrap_or(text);
    let is_column = |word: &str| {
        word.len() <= 2
            && word.starts_with(|c| KEYS.contains(c))
            && word.ends_with(|c| KEYS.contains(c) || "BIbiwWx".contains(c))
    };
    text.len() <= LONGEST && text.contains(' ') && text.split_whitespace().all(is_column)
}

/// Whether a line is a request of troff, a comment in its source, or a movement.
fn is_request(text: &str) -> bool {
    if ["\\h'", "\\\"", "'\\\""].iter().any(|sign| text.starts_with(sign)) {
        return true;
    }
    let Some(request) = text.strip_prefix('.').map(str::trim_start) else { return false };
    let end = request.find(|c: char| !(c.is_ascii_alphanumeric() || c == '&')).unwrap_or(request.len());
    let (name, rest) = request.split_at(end);
    request.starts_with("\\\"")
        || request.starts_with("\\}")
        || REQUESTS.contains(&name) && (rest.is_empty() || rest.starts_with([' ', '\t', '\\']))
}
