//! What a program may send to a terminal: text without any control character, and the sequences that the
//! screen is made of, each of them known.

/// Modes that are set and reset: the cursor, the mouse, the other screen, bracketed paste.
const MODES: [&str; 9] = ["25", "1000", "1002", "1003", "1006", "1015", "1049", "2004", "2026"];
/// The question for the background, and whether text may be turned.
const WHOLE: [&str; 3] = ["\u{1b}]11;?\u{7}", "\u{1b}[8l", "\u{1b}[8h"];
const CLIPBOARD: &str = "\u{1b}]52;c;";

/// The text without the sequences.
///
/// # Errors
/// What is not known, with what stands around it.
pub fn text(bytes: &[u8]) -> Result<String, String> {
    let stream = std::str::from_utf8(bytes).map_err(|error| format!("no UTF-8: {error}"))?;
    let mut text = String::new();
    let mut rest = stream;
    while let Some(first) = rest.chars().next() {
        let known =
            if first == '\u{1b}' { sequence(rest) } else { is_shown(first).then(|| first.len_utf8()) };
        let Some(length) = known else {
            let before =
                text.chars().rev().take(40).collect::<Vec<_>>().into_iter().rev().collect::<String>();
            return Err(format!("{:?} behind {before:?}", rest.chars().take(40).collect::<String>()));
        };
        if first != '\u{1b}' {
            text.push(first);
        }
        rest = &rest[length..];
    }
    Ok(text)
}

/// Whether a character takes its place in a cell and does nothing else.
fn is_shown(character: char) -> bool {
    !character.is_control()
        && !matches!(character, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}

/// How long the known sequence is that a stream begins with.
fn sequence(stream: &str) -> Option<usize> {
    if let Some(whole) = WHOLE.iter().find(|whole| stream.starts_with(**whole)) {
        return Some(whole.len());
    }
    if let Some(payload) = stream.strip_prefix(CLIPBOARD) {
        let is_base64 = |character: char| character.is_ascii_alphanumeric() || "+/=".contains(character);
        let end = payload.find(|character| !is_base64(character))?;
        let closes = ["\u{7}", "\u{1b}\\"].iter().find(|end_mark| payload[end..].starts_with(**end_mark))?;
        return Some(CLIPBOARD.len() + end + closes.len());
    }
    let body = stream.strip_prefix("\u{1b}[")?;
    let (is_mode, body) = body.strip_prefix('?').map_or((false, body), |body| (true, body));
    let end = body.find(|character: char| !character.is_ascii_digit() && character != ';')?;
    let numbers = &body[..end];
    let is_known = match (is_mode, body[end..].chars().next()?) {
        (true, 'h' | 'l') => MODES.contains(&numbers),
        // The cursor goes to a cell; colours and attributes; the screen, or a line, is cleared.
        (false, 'H' | 'm' | 'J' | 'K') => true,
        _ => false,
    };
    is_known.then(|| 2 + usize::from(is_mode) + end + 1)
}
