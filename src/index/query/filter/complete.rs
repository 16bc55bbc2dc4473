//! Completion of a filter at the cursor.

use std::ops::Range;

use super::Kind;
use super::names::{NAMES, TermKind};
use super::pieces::{Form, Piece, pieces, quoted};
use dupi_base::config::SavedFilters;

/// The values that the current corpus offers for completion.
#[derive(Clone, Copy, Debug)]
pub struct Values<'a> {
    /// The languages of its documents, the most frequent first.
    pub languages: &'a [String],
    /// The extensions of its files, the most frequent first.
    pub extensions: &'a [String],
    /// The folders of its files, the most frequent first.
    pub folders: &'a [String],
    /// The saved filters.
    pub saved: &'a SavedFilters,
    /// The kinds of terms that do not apply to the rows.
    pub lacking: &'a [TermKind],
}

/// A completion for the cursor position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The bytes of the filter that it replaces.
    pub span: Range<usize>,
    /// The replacement. The cursor moves to its end.
    pub text: String,
    /// A short description; may be empty.
    pub about: String,
}

/// The completions at the cursor, a byte offset in the text, the most useful first.
pub fn complete(text: &str, cursor: usize, values: &Values) -> Vec<Candidate> {
    let cursor = text.floor_char_boundary(cursor);
    let reached = pieces(text).find(|piece| cursor <= piece.span.end);
    let under = reached.filter(|piece| piece.span.start < cursor);
    let Some(piece) = under else {
        return names("", cursor..cursor, values).chain(saved("", cursor..cursor, values, "@")).collect();
    };
    let head = piece.span.start + usize::from(piece.negated);
    let typed = |from: usize| text.get(from..cursor).unwrap_or_default();
    match &piece.form {
        Form::Word(_) => names(typed(head), head..piece.span.end, values).collect(),
        Form::Exact(_) => Vec::new(),
        Form::Saved(_) => saved(typed(piece.body.start), piece.body.clone(), values, "").collect(),
        Form::Named(..) if cursor < piece.body.start => {
            names(typed(head), head..piece.body.start, values).collect()
        }
        Form::Named(name, _) => {
            let kind = NAMES.iter().find(|known| known.name.eq_ignore_ascii_case(name)).map(|name| name.kind);
            kind.map_or_else(Vec::new, |kind| values_of(kind, text, cursor, &piece, values))
        }
    }
}

fn names(typed: &str, span: Range<usize>, values: &Values) -> impl Iterator<Item = Candidate> {
    let meant = NAMES.iter().filter(|name| starts(name.name, typed) && !values.lacking.contains(&name.kind));
    meant.map(move |name| Candidate {
        span: span.clone(),
        text: format!("{}:", name.name),
        about: format!("{}, as in {}", name.about, name.example),
    })
}

fn saved<'a>(
    typed: &str,
    span: Range<usize>,
    values: &Values<'a>,
    before: &'static str,
) -> impl Iterator<Item = Candidate> + use<'a> {
    let typed = typed.to_owned();
    let meant = values.saved.iter().filter(move |(name, _)| starts(name, &typed));
    meant.map(move |(name, text)| Candidate {
        span: span.clone(),
        text: format!("{before}{name}"),
        about: text.to_owned(),
    })
}

/// Completions of the value after a name. In a list, only the item at the cursor is completed.
fn values_of(kind: TermKind, text: &str, cursor: usize, piece: &Piece, values: &Values) -> Vec<Candidate> {
    let is_quoted = text[piece.body.clone()].starts_with('"');
    let body = piece.body.start + usize::from(is_quoted)..piece.body.end;
    let Some(typed) = text.get(body.start..cursor) else { return Vec::new() };
    if kind == TermKind::Path {
        let end = text[cursor..body.end].find('"').map_or(body.end, |quote| cursor + quote);
        return folders(typed, body.start..end, is_quoted, values);
    }
    let start = typed.rfind(',').map_or(body.start, |comma| body.start + comma + 1);
    let end = text[cursor..body.end].find([',', '"']).map_or(body.end, |stop| cursor + stop);
    let typed = &text[start..cursor];
    let candidate = |value: &str, about: &str| {
        let has_space = value.contains(char::is_whitespace);
        // Quotes enclose a whole value, not one item of a list.
        let is_lone = (start..end) == piece.body;
        let text = match has_space && !is_quoted {
            true if is_lone => format!("\"{value}\""),
            true => return None,
            false => value.to_owned(),
        };
        starts(value, typed).then(|| Candidate { span: start..end, text, about: about.to_owned() })
    };
    match kind {
        TermKind::State | TermKind::Is => {
            kind.qualities().filter_map(|(name, _, about)| candidate(name, about)).collect()
        }
        TermKind::Kind => Kind::ALL.iter().filter_map(|kind| candidate(kind.name(), "")).collect(),
        TermKind::Since => {
            let visit = "new since the screen was left";
            [("visit", visit), ("1h", ""), ("1d", ""), ("1w", "")]
                .into_iter()
                .filter_map(|(value, about)| candidate(value, about))
                .collect()
        }
        TermKind::Language => {
            values.languages.iter().filter_map(|name| candidate(&name.to_lowercase(), "")).collect()
        }
        TermKind::Extension => values.extensions.iter().filter_map(|name| candidate(name, "")).collect(),
        // A path is completed folder by folder and is not a list.
        TermKind::Path | TermKind::Number(_) | TermKind::Passage | TermKind::Blot => Vec::new(),
    }
}

/// The direct subfolders of the typed folder whose names start with what was typed after it.
fn folders(typed: &str, span: Range<usize>, is_quoted: bool, values: &Values) -> Vec<Candidate> {
    let rest = typed.strip_prefix("./").or_else(|| typed.strip_prefix('/')).unwrap_or(typed);
    let lead = &typed[..typed.len() - rest.len()];
    let parts = |path: &'_ str| path.rfind('/').map_or((0, 0), |slash| (slash, slash + 1));
    let (above, name) = parts(rest);
    let is_meant = |folder: &&String| {
        let (lies_in, own) = parts(folder);
        folder[..lies_in].eq_ignore_ascii_case(&rest[..above]) && starts(&folder[own..], &rest[name..])
    };
    let candidate = |folder: &String| {
        let path = format!("{lead}{folder}/");
        let has_space = path.contains(char::is_whitespace) && !is_quoted;
        let text = if has_space { quoted(&path) } else { path };
        Candidate { span: span.clone(), text, about: String::new() }
    };
    values.folders.iter().filter(is_meant).map(candidate).collect()
}

/// Whether a name starts with what was typed, ignoring case.
fn starts(name: &str, typed: &str) -> bool {
    name.to_lowercase().starts_with(&typed.to_lowercase())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::parse;
    use super::super::table_tests::completed;
    use super::*;

    #[test]
    fn where_nothing_is_typed_everything_is_offered() {
        for text in ["|", "a |", "| a", "a | b"] {
            // All names except one, and two saved filters.
            assert_eq!(completed(text).len(), NAMES.len() + 1, "{text}");
        }
        assert!(completed("a |").contains(&"a @mine".to_owned()));
        assert_eq!(completed("-|").len(), NAMES.len() - 1);
    }

    proptest! {
        #[test]
        fn whatever_is_typed_candidates_lie_within_it(text in r#"[-a-e:@'",é .<>0-9]{0,16}"#, cursor in 0_usize..20) {
            let saved = SavedFilters::default();
            let folders = ["a".to_owned(), "a/b é".to_owned()];
            let values = Values {
                languages: &[],
                extensions: &["c".to_owned()],
                folders: &folders,
                saved: &saved,
                lacking: &[],
            };
            for candidate in complete(&text, cursor.min(text.len()), &values) {
                let with = format!("{}{}{}", &text[..candidate.span.start], candidate.text, &text[candidate.span.end..]);
                parse(&with, &saved);
            }
        }
    }
}
