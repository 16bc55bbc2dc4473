//! Here-documents: where one begins, and where it ends.
//!
//! `<<` also shifts bits and appends. In a language whose tag stands right behind the opener, it begins a here-document only
//! where no operand stands right before it; in a shell, only outside of arithmetic. What tells this is in the same token or
//! behind it, so it is known also where lexing was resumed.

use xxhash_rust::xxh3::xxh3_64;

use crate::token::mode::MAX_DEPTH;

/// How far behind an opener arithmetic may end.
const MOST_ARITHMETIC: usize = 256;

fn is_here_byte(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || b"_-.!%".contains(byte) || !byte.is_ascii()
}

fn is_blank(byte: &u8) -> bool {
    b" \t".contains(byte)
}

fn is_of_word(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || *byte == b'_' || !byte.is_ascii()
}

/// The hash of the tag of a here-document whose opener stands from `open` to `at`, as in `<<EOT`, `<<-"EOT"`, `<<~'EOT'`;
/// `None` if there is none.
///
/// Without quotes the tag begins with a capital letter or `_`, or it follows an opener that stands behind white space:
/// otherwise it is more likely that bits are shifted.
pub(super) fn tag_of(bytes: &[u8], open: usize, mut at: usize, has_blanks: bool) -> Option<u32> {
    if matches!(bytes.get(at), Some(b'-' | b'~')) {
        at += 1;
    } else if !has_blanks && is_operand(&bytes[..open]) {
        return None;
    }
    let blanks = bytes[at..].iter().take_while(|b| is_blank(b)).count();
    if blanks > 0 && !has_blanks {
        return None;
    }
    at += blanks;
    let rest = &bytes[at..];
    let (quote, rest) = match rest {
        [quote @ (b'"' | b'\'' | b'`'), rest @ ..] => (Some(quote), rest),
        [b'\\', rest @ ..] => (None, rest),
        _ => (None, rest),
    };
    let tag = &rest[..rest.iter().take(MOST_TAG).take_while(|b| is_here_byte(b)).count()];
    let is_tag = match (quote, *tag.first()?) {
        (Some(quote), _) => rest.get(tag.len()) == Some(quote),
        (None, b'A'..=b'Z' | b'_') => true,
        (None, b'a'..=b'z') => {
            blanks == 0 && open.checked_sub(1).is_some_and(|before| bytes[before].is_ascii_whitespace())
        }
        _ => false,
    };
    let is_shifted = || {
        let is_operator = blanks > 0 || !follows_word(&bytes[..open]);
        has_blanks && quote.is_none() && is_operator && ends_arithmetic(&rest[tag.len()..])
    };
    (is_tag && !is_shifted()).then(|| hash(tag))
}

/// Words right behind which a here-document may begin.
const BEFORE_HERE: [&[u8]; 10] =
    [b"die", b"eval", b"exec", b"print", b"printf", b"puts", b"raise", b"return", b"say", b"warn"];

/// Whether `<<` behind `before` shifts or appends: right behind an operand, or behind one that no operand can follow. In
/// `print $file <<EOT` and `puts <<EOT` the blank tells it from `$bits<<EOT`.
fn is_operand(before: &[u8]) -> bool {
    let blanks = before.iter().rev().take_while(|b| is_blank(b)).count();
    let before = &before[..before.len() - blanks];
    let length = before.iter().rev().take(MOST_TAG).take_while(|b| is_of_word(b)).count();
    let word = &before[before.len() - length..];
    match before.last() {
        None => false,
        Some(_) if length > 0 => word[0].is_ascii_digit() || (blanks == 0 && !BEFORE_HERE.contains(&word)),
        Some(b'}') => blanks == 0,
        Some(b')' | b']' | b'"' | b'\'' | b'`') => true,
        Some(_) => false,
    }
}

/// Whether a word that is no number and a blank stand before `<<`, as in `$(f $(cat <<EOF))`: who writes a shift so writes a
/// blank behind it too.
fn follows_word(before: &[u8]) -> bool {
    let blanks = before.iter().rev().take_while(|b| is_blank(b)).count();
    let before = &before[..before.len() - blanks];
    let length = before.iter().rev().take(MOST_TAG).take_while(|b| is_of_word(b)).count();
    blanks > 0 && length > 0 && !before[before.len() - length].is_ascii_digit()
}

/// Whether the line that goes on with `rest` closes the arithmetic of a shell, `$((` or `((`, that was open before it: has
/// `))` outside of the brackets that it opens itself.
fn ends_arithmetic(rest: &[u8]) -> bool {
    let line = rest.iter().take(MOST_ARITHMETIC).take_while(|b| **b != b'\n').count();
    let (rest, mut open) = (&rest[..line], 0_usize);
    for (at, byte) in rest.iter().enumerate() {
        match byte {
            b'(' => open += 1,
            b')' if open > 0 => open -= 1,
            b')' if rest.get(at + 1) == Some(&b')') => return true,
            _ => {}
        }
    }
    false
}

/// Whether a here-document ends with the line that `text` begins with.
pub(super) fn is_end(text: &[u8], fence: u32) -> bool {
    let line = &text[text.iter().take_while(|b| is_blank(b)).count()..];
    let tag = &line[..line.iter().take(MOST_TAG).take_while(|b| is_here_byte(b)).count()];
    let ends_line = line.get(tag.len()).is_none_or(|b| b"\r\n;,)".contains(b));
    !tag.is_empty() && ends_line && hash(tag) == fence
}

// Tags: the words by which a string or here-document is closed.

/// The longest tag.
pub(super) const MOST_TAG: usize = 64;

/// A number of as many bits as a fence has, and not 0.
pub(super) fn hash(tag: &[u8]) -> u32 {
    (xxh3_64(tag) as u32 & MAX_DEPTH).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shifts_are_told_from_here_documents() {
        crate::script::table("cases/here.txt", |kind, line| {
            let open = line.find("<<").unwrap();
            let tag = tag_of(line.as_bytes(), open, open + 2, kind == "shell");
            vec![if tag.is_some() { "begins" } else { "shifts" }.to_owned()]
        });
    }
}
