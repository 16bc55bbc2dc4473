//! Decisions in words.

/// The maximal number of characters of an excerpt.
const LINE: usize = 48;

/// Says what happened to entries: `taboo "some words…" and 2 more`. `verbs` are for an entry that was added, removed
/// or changed; `before` and `after` are the texts of the first one.
pub(super) fn said(verbs: [&str; 3], before: Option<&str>, after: Option<&str>, count: usize) -> String {
    let verb = match (before, after) {
        (None, _) => verbs[0],
        (Some(_), None) => verbs[1],
        (Some(_), Some(_)) => verbs[2],
    };
    let text = excerpt(after.or(before).unwrap_or_default());
    let more = if count > 1 { format!(" and {} more", count - 1) } else { String::new() };
    format!("{verb} \"{text}\"{more}")
}

/// The first words of a text, in one line.
pub fn excerpt(text: &str) -> String {
    let mut line = String::new();
    for word in text.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.extend(word.chars().take(LINE));
        if line.chars().count() > LINE {
            line = line.chars().take(LINE - 1).collect();
            line.push('…');
            break;
        }
    }
    line
}
