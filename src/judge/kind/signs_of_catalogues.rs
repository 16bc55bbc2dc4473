//! What the rules look for in catalogues of messages: the texts of a program, in one of its languages.

use std::path::Path;

use super::sample::{Sample, Shares};

/// Names of folders in which catalogues lie.
const FOLDERS: [&str; 13] = [
    "i18n",
    "l10n",
    "lang",
    "langs",
    "language",
    "languages",
    "lc_messages",
    "locale",
    "locales",
    "messages",
    "nls",
    "translation",
    "translations",
];
/// Elements that only catalogues begin with.
const ROOTS: [&str; 2] = ["<TS ", "<xliff"];

/// The codes of languages into which programs are translated.
const LANGUAGES: &str = "af am ar as ast az be bg bn br bs ca cs cy da de el en eo es et eu fa fi fil fo fr fy ga gd gl gu \
                         gv he hi hr hu hy ia id is it ja jv ka kk km kn ko ku ky lb lo lt lv mk ml mn mr ms mt my nb ne \
                         nl nn no oc or pa pl ps pt ro ru sat se si sk sl sq sr sv sw ta te tg th tl tr tt ug uk ur uz \
                         vi wa xh yi yue zh zu";

/// It is a part of a catalogue: of a file whose root element says so; or of one that is named after a language, lies in a
/// folder for catalogues, and has most of its text in quotes, or behind keys.
pub(super) fn is_catalogue(sample: &Sample, _: &Shares) -> bool {
    let file = sample.file;
    if file.tongue.is_tagged {
        return ROOTS.iter().any(|root| file.head.contains(root));
    }
    // From the beginning of the line on, for quotes.
    let start = sample.text[..sample.start].rfind('\n').map_or(0, |end| end + 1);
    let text = &sample.text[start..];
    let has_messages = |least: usize| quoted_in(text) * 100 >= text.len() * least || has_keys(text);
    is_named(file.path) && (has_messages(QUOTED) || sample.offset < BEGINS)
        || lies_with_translations(file.path) && has_messages(MOSTLY_QUOTED)
}

/// So many bytes of a hundred stand in quotes in a catalogue.
const QUOTED: usize = 25;
/// So many if its name says less.
const MOSTLY_QUOTED: usize = 33;

/// So far reaches the head of a file.
const BEGINS: usize = 200;

/// Whether a file is named after a language and lies in a folder for catalogues, or in one that is named after a language
/// and lies in such a folder.
fn is_named(path: &Path) -> bool {
    let mut parts = path.iter().rev().filter_map(|part| part.to_str());
    let Some(name) = parts.next() else { return false };
    let stem = name.split('.').next().unwrap_or_default();
    let is_folder = |part: Option<&str>| {
        part.is_some_and(|part| FOLDERS.iter().any(|known| part.eq_ignore_ascii_case(known)))
    };
    let folder = parts.next();
    is_folder(folder) && ends_with_language(stem)
        || is_folder(parts.next()) && folder.is_some_and(is_language)
}

/// Whether a file lies in a folder of which the last word is one for translations: `installer-translations/german.nsi`.
fn lies_with_translations(path: &Path) -> bool {
    let folder = path.parent().and_then(Path::file_name).and_then(|name| name.to_str()).unwrap_or_default();
    let word = folder.rsplit(['-', '_']).next().unwrap_or_default();
    ["translations", "locales", "i18n", "l10n"].iter().any(|known| word.eq_ignore_ascii_case(known))
}

/// Whether a name is a language's code, or ends with one behind a mark.
fn ends_with_language(name: &str) -> bool {
    let behind = |mark: char| name.split_once(mark).is_some_and(|(_, code)| is_language(code));
    is_language(name) || behind('_') || behind('-')
}

/// Whether a word is the code of a language, with that of a country or a script or without: `de`, `pt-BR`, `zh_Hans`.
fn is_language(word: &str) -> bool {
    let mut parts = word.split(['-', '_', '@']);
    let is_code = |code: &str| LANGUAGES.split(' ').any(|known| known == code);
    let is_region =
        |part: &str| (2..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric());
    parts.next().is_some_and(is_code) && parts.all(is_region)
}

/// How many bytes of a text stand in quotes, which end with their lines.
fn quoted_in(text: &str) -> usize {
    let of_line = |line: &str| {
        let (mut quoted, mut open) = (0, None);
        for (at, byte) in line.bytes().enumerate() {
            match open {
                Some((quote, start)) if byte == quote => {
                    quoted += at - start;
                    open = None;
                }
                None if byte == b'"' || byte == b'\'' => open = Some((byte, at)),
                _ => {}
            }
        }
        // It goes on in the next line, or the passage ends in it.
        quoted + open.map_or(0, |(_, start)| line.len() - start)
    };
    text.lines().map(of_line).sum()
}

/// Whether nearly all lines of a text are a key and what it stands for: `door.open=The door is open.`
fn has_keys(text: &str) -> bool {
    let is_key = |key: &str| {
        let key = key.trim();
        !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte))
    };
    let (mut lines, mut keys) = (0, 0);
    for line in text.lines().skip(1).filter(|line| !line.trim().is_empty()) {
        lines += 1;
        keys += usize::from(line.split_once('=').is_some_and(|(key, _)| is_key(key)));
    }
    keys >= 2 && keys * 5 >= lines * 4
}
