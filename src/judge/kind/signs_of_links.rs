//! What the rules for lines look for in lists of links: bars of navigation, indexes, cross-references, pages to see.

use super::lines::{Line, solid};
use super::signs::Around;

/// Whether all that a line of a page says stands in links, but for addresses and signs between them; or whether all
/// that a line of a text says is which pages of the manual to see.
pub(super) fn is_links(line: &Line, _: &Around) -> bool {
    /// Letters between links: `Next`, a number.
    const BETWEEN: u32 = 4;
    if !line.tongue.is_source && !line.tongue.is_tagged {
        return names_pages(line.text);
    }
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

/// Whether a line is nothing but names of pages of the manual: `tides(3), wells(7)`, in bold or not.
fn names_pages(text: &str) -> bool {
    if !text.trim_end_matches([',', '.']).ends_with(')') || text.len() > 400 {
        return false;
    }
    let text = text.strip_prefix(".BR ").unwrap_or(text).replace(" (", "(");
    let is_page = |item: &str| {
        item.strip_suffix(')').and_then(|item| item.rsplit_once('(')).is_some_and(|(name, section)| {
            let is_of_name = |c: char| c.is_ascii_alphanumeric() || "._-+:@[\\".contains(c);
            let is_section = section.len() <= 4 && section.starts_with(|c: char| c.is_ascii_digit());
            is_section && !name.is_empty() && name.chars().all(is_of_name)
        })
    };
    let mut items =
        text.split([',', ' ']).map(|item| item.trim_end_matches('.')).filter(|item| !item.is_empty());
    items.all(is_page)
}
