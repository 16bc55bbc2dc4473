//! What the rules for lines look for in lists of links: bars of navigation, indexes, cross-references.

use super::lines::{Line, solid};
use super::signs::Around;

/// Whether all that a line of a page says stands in links, but for addresses and signs between them.
pub(super) fn is_links(line: &Line, _: &Around) -> bool {
    /// Letters between links: `Next`, a number.
    const BETWEEN: u32 = 4;
    if !line.tongue.is_tagged || !line.text.contains("<a ") || !line.text.contains("href") {
        return false;
    }
    let (mut linked, mut others, mut is_linked) = (0, 0, false);
    for (number, piece) in line.text.split('<').enumerate() {
        let (tag, text) = match piece.split_once('>') {
            Some(parts) if number > 0 => parts,
            // Before the first tag, or in one that ends in another line.
            _ if number == 0 => ("", piece),
            _ => (piece, ""),
        };
        match tag {
            _ if tag.starts_with("a ") => is_linked = tag.contains("href"),
            "/a" => is_linked = false,
            _ => {}
        }
        if is_linked {
            linked += solid(text);
        } else {
            let words = text.split_whitespace().filter(|word| !word.contains("://") && !is_sign(word));
            others += words.map(solid).sum::<u32>();
        }
    }
    linked > 0 && others <= BETWEEN && others < linked
}

/// Whether a word is nothing but named signs: `&nbsp;&rarr;`.
fn is_sign(word: &str) -> bool {
    word.starts_with('&') && word.split(';').all(|part| part.is_empty() || part.starts_with('&'))
}
