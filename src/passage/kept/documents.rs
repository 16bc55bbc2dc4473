//! The documents of a result as bytes. A document is named by the number of its file among all (`corpus_files`) and its
//! number among the documents of the file, so its number in a segment does not matter. What the index knows of it is not
//! repeated.
//!
//! ```text
//! names     count · (length · name of a language) …
//! files     count · number …
//! sources   count · (number in its file << 1 | whether it is the first of the next file ·
//!           tokens, less those that the index has · (number of the language + 1, or 0) << 2 |
//!           whether its head says generated | whether it names tests << 1) …
//! others    count · (file · number in it) …
//! ```

use std::collections::HashMap;

use super::corpus_files::GONE;
use crate::kind::HeadSigns;
use crate::passages::SourceDocument;
use crate::varints::{NumberReader, put, put_signed};
use dupi_base::corpus::Stamp;
use dupi_index::index::snapshot::{DocumentId, FileId, Snapshot};
use dupi_text::token::Language;

/// The documents that a kept result names, by numbers: first the sources, then others.
pub(super) struct NamedDocuments {
    pub(super) sources: Vec<SourceDocument>,
    pub(super) others: Vec<DocumentId>,
}

impl NamedDocuments {
    /// The document with a number.
    pub(super) fn get(&self, number: u32) -> Option<DocumentId> {
        let number = number as usize;
        match number.checked_sub(self.sources.len()) {
            None => Some(self.sources[number].id),
            Some(other) => self.others.get(other).copied(),
        }
    }
}

/// Encodes documents; `all_files` are the numbers of all files. `None` if a source is not as it was indexed, or was not read
/// in the order of the files.
pub(super) fn encode(
    snapshot: &Snapshot,
    all_files: &HashMap<FileId, u32>,
    sources: &[SourceDocument],
    others: &[DocumentId],
) -> Option<Vec<u8>> {
    let mut languages: Vec<Language> = sources.iter().filter_map(|source| source.language).collect();
    languages.sort_unstable();
    languages.dedup();
    let mut bytes = Vec::new();
    put(&mut bytes, languages.len() as u64);
    for name in languages.iter().map(|language| language.name()) {
        put(&mut bytes, name.len() as u64);
        bytes.extend_from_slice(name.as_bytes());
    }
    let mut files: Vec<FileId> = Vec::new();
    let mut numbers: HashMap<FileId, usize> = HashMap::new();
    let mut named = Vec::new();
    for source in sources {
        let file = snapshot.file_of(source.id);
        let table = snapshot.segment(file.segment).table();
        if source.stamp != table.stamp(file.file) || source.text != table.document_key(source.id.document) {
            return None;
        }
        let is_first = files.last() != Some(&file);
        if is_first {
            if numbers.insert(file, files.len()).is_some() {
                return None;
            }
            files.push(file);
        }
        put(&mut named, u64::from(number_in(snapshot, file, source.id)) << 1 | u64::from(is_first));
        put_signed(
            &mut named,
            i64::from(source.tokens) - i64::from(table.document(source.id.document).tokens),
        );
        let language = source.language.and_then(|language| languages.binary_search(&language).ok());
        let language = language.map_or(0, |number| number as u64 + 1);
        let HeadSigns { is_generated, names_tests } = source.head;
        put(&mut named, language << 2 | u64::from(names_tests) << 1 | u64::from(is_generated));
    }
    let mut behind = Vec::new();
    for &document in others {
        let file = snapshot.file_of(document);
        let number = *numbers.entry(file).or_insert_with(|| {
            files.push(file);
            files.len() - 1
        });
        put(&mut behind, number as u64);
        put(&mut behind, u64::from(number_in(snapshot, file, document)));
    }
    put(&mut bytes, files.len() as u64);
    for file in &files {
        put(&mut bytes, u64::from(*all_files.get(file)?));
    }
    put(&mut bytes, sources.len() as u64);
    bytes.append(&mut named);
    put(&mut bytes, others.len() as u64);
    bytes.append(&mut behind);
    Some(bytes)
}

/// The number of a document among those of its file.
fn number_in(snapshot: &Snapshot, file: FileId, document: DocumentId) -> u32 {
    document.document - snapshot.segment(file.segment).table().documents_of(file.file).start
}

/// Decodes documents. `all_files` has all files that there were, and where they are now. A document of a file that is gone is
/// [`GONE`]. `None` if the bytes are invalid.
pub(super) fn decode(
    bytes: &[u8],
    snapshot: &Snapshot,
    all_files: &[Option<FileId>],
) -> Option<NamedDocuments> {
    let mut reader = NumberReader(bytes);
    let mut languages = Vec::new();
    for _ in 0..reader.count()? {
        let len = reader.count()?;
        let (name, rest) = reader.0.split_at_checked(len)?;
        reader.0 = rest;
        languages.push(Language::from_name(str::from_utf8(name).ok()?)?);
    }
    let count = reader.count()?;
    let mut files: Vec<Option<FileId>> = Vec::with_capacity(count.min(all_files.len()));
    for _ in 0..count {
        files.push(*all_files.get(usize::try_from(reader.number()?).ok()?)?);
    }
    let document = |file: FileId, number: u32| {
        let own = snapshot.segment(file.segment).table().documents_of(file.file);
        let document = own.start.checked_add(number)?;
        own.contains(&document).then_some(DocumentId { segment: file.segment, document })
    };
    let count = reader.count()?;
    let mut sources = Vec::with_capacity(count);
    let mut next = 0;
    for _ in 0..count {
        let number = reader.number()?;
        next += (number & 1) as usize;
        let file = *files.get(next.checked_sub(1)?)?;
        let more_tokens = reader.signed()?;
        let signs = reader.number()?;
        let head = HeadSigns { is_generated: signs & 1 > 0, names_tests: signs & 2 > 0 };
        let language = match (signs >> 2).checked_sub(1) {
            None => None,
            Some(number) => Some(*languages.get(usize::try_from(number).ok()?)?),
        };
        let Some(file) = file else {
            let stamp = Stamp { size: 0, mtime: 0 };
            sources.push(SourceDocument { id: GONE, stamp, tokens: 0, text: 0, language, head });
            continue;
        };
        let id = document(file, u32::try_from(number >> 1).ok()?)?;
        let table = snapshot.segment(id.segment).table();
        let indexed = i64::from(table.document(id.document).tokens);
        let tokens = u32::try_from(indexed.checked_add(more_tokens)?).ok()?;
        let (stamp, text) = (table.stamp(file.file), table.document_key(id.document));
        // A token has a byte or more.
        if u64::from(tokens) > stamp.size {
            return None;
        }
        sources.push(SourceDocument { id, stamp, tokens, text, language, head });
    }
    let count = reader.count()?;
    let mut others = Vec::with_capacity(count);
    for _ in 0..count {
        let file = *files.get(usize::try_from(reader.number()?).ok()?)?;
        let number = reader.small()?;
        others.push(match file {
            Some(file) => document(file, number)?,
            None => GONE,
        });
    }
    reader.is_at_end().then_some(NamedDocuments { sources, others })
}
