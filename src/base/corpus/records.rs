//! Splits a file into documents: a JSONL file into lines, a mailbox into messages; any other file is one document.

use std::borrow::Cow;
use std::path::Path;

use serde_json::value::RawValue;

use super::{Formats, SkipReason};

/// A document of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record<'t> {
    /// The number of the record in the file, from 1; `None` for a whole file.
    pub number: Option<u32>,
    /// Its text.
    pub text: Cow<'t, str>,
    origin: Origin<'t>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Origin<'t> {
    /// The text is part of the file's text, from this offset.
    Plain(usize),
    /// The text is a JSON string in the file's text: the offset of its first character, and its raw form.
    Json(usize, &'t str),
}

/// How a file is split into documents.
#[derive(Debug)]
pub struct Records {
    /// The field that holds the text of a JSONL record.
    field: Option<String>,
    spans: Vec<RecordSpan>,
}

#[derive(Debug)]
struct RecordSpan {
    /// The number of the record, from 1; 0 for a whole file.
    number: u32,
    start: usize,
    end: usize,
}

impl Records {
    /// Splits a file of this name and text.
    pub fn split(path: &Path, text: &str, formats: &Formats) -> Self {
        let is_jsonl =
            path.extension().is_some_and(|extension| extension == "jsonl" || extension == "ndjson");
        match &formats.jsonl {
            Some(field) if is_jsonl => Self { field: Some(field.clone()), spans: lines(text) },
            _ if is_mailbox(text) => Self { field: None, spans: messages(text) },
            _ => Self { field: None, spans: vec![RecordSpan { number: 0, start: 0, end: text.len() }] },
        }
    }

    /// The documents of the file, each with its text, or why it is skipped.
    pub fn iter<'t>(&'t self, text: &'t str) -> impl Iterator<Item = Result<Record<'t>, SkipReason>> {
        self.spans.iter().map(|span| self.record(text, span))
    }

    /// The document with a number; 0 for a whole file.
    pub fn get<'t>(&'t self, text: &'t str, number: u32) -> Option<Record<'t>> {
        let at = self.spans.binary_search_by_key(&number, |span| span.number).ok()?;
        self.record(text, &self.spans[at]).ok()
    }

    fn record<'t>(&self, text: &'t str, span: &RecordSpan) -> Result<Record<'t>, SkipReason> {
        let own = &text[span.start..span.end];
        let number = (span.number > 0).then_some(span.number);
        let Some(field) = &self.field else {
            return Ok(Record { number, text: Cow::Borrowed(own), origin: Origin::Plain(span.start) });
        };
        json_text(own, field)
            .map(|(text, start, content)| Record {
                number,
                text,
                origin: Origin::Json(span.start + start, content),
            })
            .ok_or(SkipReason::BadRecord(u64::from(span.number)))
    }
}

impl<'t> Record<'t> {
    /// Maps offsets in the record's text to offsets in the file's text. Ascending offsets cost one pass over the
    /// record.
    pub fn text_offsets(&self) -> TextOffsets<'t> {
        TextOffsets { origin: self.origin.clone(), known: (0, 0) }
    }
}

/// A map from offsets in a record to offsets in its file; see [`Record::text_offsets`].
pub struct TextOffsets<'t> {
    origin: Origin<'t>,
    known: (usize, usize),
}

impl TextOffsets<'_> {
    /// The offset in the file's text for an offset in the record's.
    pub fn get(&mut self, at: usize) -> usize {
        match self.origin {
            Origin::Plain(start) => start + at,
            Origin::Json(start, raw) => {
                let from = if self.known.0 <= at { self.known } else { (0, 0) };
                self.known = raw_offset(raw, at, from);
                start + self.known.1
            }
        }
    }
}

fn lines(text: &str) -> Vec<RecordSpan> {
    let mut end = 0;
    let span = |(number, line): (u32, &str)| {
        let start = end;
        end += line.len();
        (!line.trim().is_empty()).then_some(RecordSpan { number, start, end })
    };
    (1..).zip(text.split_inclusive('\n')).filter_map(span).collect()
}

/// The text in a field of a line, the offset of its raw form in the line, and the raw form.
fn json_text<'t>(line: &'t str, field: &str) -> Option<(Cow<'t, str>, usize, &'t str)> {
    let raw = json_field(line.trim(), field)?;
    let text: String = serde_json::from_str(raw).ok()?;
    let content = raw.strip_prefix('"')?.strip_suffix('"')?;
    let start = content.as_ptr().addr() - line.as_ptr().addr();
    let text = if text == content { Cow::Borrowed(content) } else { Cow::Owned(text) };
    Some((text, start, content))
}

/// The raw value of a field; dots lead into objects.
fn json_field<'t>(object: &'t str, field: &str) -> Option<&'t str> {
    use std::collections::HashMap;
    let mut object = object;
    for name in field.split('.') {
        let fields: HashMap<Cow<'t, str>, &'t RawValue> = serde_json::from_str(object).ok()?;
        object = fields.get(name)?.get();
    }
    Some(object)
}

/// Finds the byte `at` of a JSON string's text in the raw form: (offset in the text, offset in the raw form). The
/// search begins at such a pair.
fn raw_offset(raw: &str, at: usize, from: (usize, usize)) -> (usize, usize) {
    let (mut decoded, mut offset) = from;
    let bytes = raw.as_bytes();
    while offset < bytes.len() && decoded < at {
        if bytes[offset] != b'\\' {
            offset += 1;
            decoded += 1;
            continue;
        }
        let (length, width) = match bytes.get(offset + 1) {
            Some(b'u') => unicode_escape(&raw[offset..]),
            _ => (2, 1),
        };
        if decoded + width > at {
            break;
        }
        offset += length;
        decoded += width;
    }
    (decoded, offset)
}

/// The length of a `\u` escape or surrogate pair, and the length of its character in UTF-8.
fn unicode_escape(raw: &str) -> (usize, usize) {
    let unit = |at: usize| raw.get(at + 2..at + 6).and_then(|digits| u32::from_str_radix(digits, 16).ok());
    match unit(0) {
        Some(0..=0x7f) => (6, 1),
        Some(0x80..=0x7ff) => (6, 2),
        Some(0xd800..=0xdbff) => (12, 4),
        _ => (6, 3),
    }
}

/// Whether a text is a mailbox: its first line is `From`, a sender and a time.
fn is_mailbox(text: &str) -> bool {
    let is_time = |word: &str| {
        let digits = word.bytes().filter(u8::is_ascii_digit).count();
        word.contains(':') && digits >= 3 && word.bytes().all(|byte| byte.is_ascii_digit() || byte == b':')
    };
    text.strip_prefix("From ")
        .and_then(|rest| rest.lines().next())
        .is_some_and(|line| line.split_whitespace().skip(1).any(is_time))
}

/// The messages of a mailbox. Each begins with `From `, at the start of the file or after an empty line.
fn messages(text: &str) -> Vec<RecordSpan> {
    let mut starts = Vec::new();
    let mut offset = 0;
    let mut after_empty = true;
    for line in text.split_inclusive('\n') {
        if after_empty && line.starts_with("From ") {
            starts.push(offset);
        }
        after_empty = line.trim_end_matches(['\r', '\n']).is_empty();
        offset += line.len();
    }
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    (1..)
        .zip(starts.iter().zip(ends))
        .map(|(number, (&start, end))| RecordSpan { number, start, end })
        .collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    type FoundRecords<'t> = Vec<Result<(Option<u32>, String, Vec<usize>), SkipReason>>;

    /// Number, text, and the file offset of each byte of it.
    fn records<'t>(path: &str, text: &'t str, formats: &Formats) -> FoundRecords<'t> {
        let records = Records::split(Path::new(path), text, formats);
        let found = records.iter(text).map(|record| {
            record.map(|record| {
                let mut offsets = record.text_offsets();
                let offsets = (0..=record.text.len()).map(|at| offsets.get(at)).collect();
                assert_eq!(records.get(text, record.number.unwrap_or(0)).as_ref(), Some(&record));
                (record.number, record.text.into_owned(), offsets)
            })
        });
        found.collect()
    }

    fn with_field() -> Formats {
        Formats::of_jsonl("body.text")
    }

    #[test]
    fn each_line_of_jsonl_is_a_document_and_bad_ones_are_named() {
        let text =
            "{\"id\": 1, \"body\": {\"text\": \"a\\nb\"}}\r\n\n{\"body\": 3}\n{\"body\":{\"text\":\"c\"}}";
        let found = records("x.jsonl", text, &with_field());
        assert_eq!(found.len(), 3);
        let (number, own, offsets) = found[0].as_ref().unwrap();
        assert_eq!((*number, own.as_str()), (Some(1), "a\nb"));
        assert!(text[offsets[2]..].starts_with('b'));
        assert_eq!(found[1], Err(SkipReason::BadRecord(3)));
        let (number, _, offsets) = found[2].as_ref().unwrap();
        assert_eq!((*number, &text[offsets[0]..][..1]), (Some(4), "c"));
    }

    #[test]
    fn without_a_field_a_jsonl_file_is_one_document() {
        let found = records("x.jsonl", "{}\n{}", &Formats::default());
        assert_eq!(found, [Ok((None, "{}\n{}".to_owned(), (0..6).collect()))]);
    }

    #[test]
    fn each_message_of_a_mailbox_is_a_document() {
        let text = "From ann Mon Jan  1 10:00:00 2024\nSubject: x\n\n>From the start\nFrom here on\n\n\
                    From bob Tue Jan 2 11:30 2024\n\nbye";
        let found = records("mail", text, &Formats::default());
        let [Ok((Some(1), first, _)), Ok((Some(2), second, offsets))] = &found[..] else {
            panic!("{found:?}")
        };
        assert!(first.ends_with("From here on\n\n"));
        assert!(second.starts_with("From bob"));
        assert_eq!(&text[offsets[0]..], second);
        let letter = records("letter", "From here to eternity\n", &Formats::default());
        assert_eq!(letter[0].as_ref().unwrap().0, None);
    }

    proptest! {
        #[test]
        fn offsets_lead_through_escapes(text in "[a\"\\\\\n\té東𝄞]{0,20}", ascii in any::<bool>()) {
            let mut json = serde_json::to_string(&text).unwrap();
            if ascii {
                json = json.chars().map(|c| match c {
                    ' '..='~' => c.to_string(),
                    c => c.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}")).collect(),
                }).collect();
            }
            let line = format!("{{\"body\":{{\"text\":{json}}}}}");
            let found = records("x.jsonl", &line, &with_field());
            let (_, own, offsets) = found[0].as_ref().unwrap();
            prop_assert_eq!(own, &text);
            for (at, character) in text.char_indices() {
                let rest = format!("\"{}", &line[offsets[at]..line.len() - 2]);
                let decoded: String = serde_json::from_str(&rest).unwrap();
                prop_assert_eq!(decoded.chars().next(), Some(character));
            }
            prop_assert_eq!(&line[offsets[text.len()]..], "\"}}");
        }
    }
}
