//! The files of `tests/languages`: one a language, with the class of each character.
//!
//! The first line names the language. Below a line of source, marked `|`, a line marked `:` has a letter for each character:
//! `w` word, `n` number, `s` string, `c` comment, `o` operator. If a file is wrong, the message has it as it would be right.
//! A new language is a new file; a file of source lines only shows what is to be written below them.

use std::fs;
use std::path::Path;

use super::*;
use crate::token::mode::Mode;
use dupi_base::storage::shown;

/// The class of each byte; white space has none.
fn classes(language: Language, text: &str) -> Vec<u8> {
    let bytes = text.as_bytes();
    let mut classes = vec![b' '; text.len()];
    let mut code = Code::new(text, Some(language), Comments::Keep, LexState::default());
    while let Some(&byte) = bytes.get(code.at) {
        let start = code.at;
        let was_string = matches!(code.mode, Mode::Str { .. });
        let c = char_at(text, start).expect("a character");
        let class = if Class::from_char(c).is_space() {
            code.white_space(byte);
            code.at += c.len_utf8();
            continue;
        } else if !was_string && code.comment_opener(start).is_some() {
            code.enter_comment();
            while code.comment().is_some() {}
            b'c'
        } else {
            code.at = code.lexeme_end(start);
            if code.at > start && !was_string && byte.is_ascii_digit() {
                let chars = code.syntax.chars;
                code.at = folding::number_end(bytes, start..code.at, chars, |at| code.lexeme_end(at));
                b'n'
            } else if code.at > start {
                if was_string { b's' } else { b'w' }
            } else {
                punctuation(&mut code, was_string)
            }
        };
        let end = code.at;
        for (class_of, byte) in classes[start..end].iter_mut().zip(&bytes[start..end]) {
            *class_of = if byte.is_ascii_whitespace() { b' ' } else { class };
        }
    }
    classes
}

/// Passes over punctuation. Returns its class.
fn punctuation(code: &mut Code<'_>, was_string: bool) -> u8 {
    let start = code.at;
    let literal = folding::character_end(code.text, start);
    if let (Some(end), b'\'', true, false) =
        (literal, code.text.as_bytes()[start], code.syntax.chars, was_string)
    {
        code.at = end;
        return b's';
    }
    let Punctuation::Bytes(length) = code.punctuation(start) else { panic!("nothing is folded") };
    code.at += length.max(char_at(code.text, start).map_or(1, char::len_utf8));
    if was_string || matches!(code.mode, Mode::Str { .. }) { b's' } else { b'o' }
}

/// A file as it would be right, and its text.
fn right(file: &str) -> (String, String) {
    let name = file.lines().next().expect("the name of a language");
    let language = Language::from_name(name).unwrap_or_else(|| panic!("no language `{name}`"));
    let lines: Vec<&str> = file.lines().filter_map(|line| line.strip_prefix('|')).collect();
    let text: String = lines.iter().flat_map(|line| [line.strip_prefix(' ').unwrap_or(line), "\n"]).collect();
    let classes = classes(language, &text);
    check_comments(language, &text, &classes);
    let (mut right, mut start) = (format!("{name}\n"), 0);
    for line in text.lines() {
        let of_characters: String =
            line.char_indices().map(|(at, _)| char::from(classes[start + at])).collect();
        right += format!("| {line}").trim_end();
        right += "\n";
        right += format!(": {of_characters}").trim_end();
        right += "\n";
        start += line.len() + 1;
    }
    (right, text)
}

/// The tokens are in comments where the classes have comments.
fn check_comments(language: Language, text: &str, classes: &[u8]) {
    let mut lexer = Code::new(text, Some(language), Comments::Keep, LexState::default());
    while let Some(token) = lexer.next() {
        let is_comment = classes[token.start as usize] == b'c';
        assert_eq!(lexer.state().is_in_comment(), is_comment, "{language} at {}", token.start);
    }
}

#[test]
fn every_character_of_the_language_files_has_its_class() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/languages");
    let mut files = 0;
    let mut wrong = String::new();
    for entry in fs::read_dir(&folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let file = fs::read_to_string(&path).expect("a text");
        let (right, _) = right(&file);
        if right != file {
            wrong += &format!("{}:\n{right}\n", shown(&path));
        }
        files += 1;
    }
    assert!(wrong.is_empty(), "not as written in these files:\n{wrong}");
    assert!(files >= 20);
}
