//! Puts together what was gathered of the files, in the order of their paths, or takes texts that are given as token hashes.

use std::collections::HashMap;

use crate::gather::chunk::{Chunk, GatheredFile};
use crate::gather::{Gathered, PlaceIndex, SuppressedTokens, TokenStretch};
use crate::numbers::Numbers;
use dupi_index::index::search::SearchError;

impl Gathered {
    /// What was gathered of the files of some chunks. The stretches of equal files share their tokens.
    pub(super) fn of(mut chunks: Vec<Chunk>, numbers: Numbers) -> Result<Self, SearchError> {
        let of_chunk = |(number, chunk): (u32, &mut Chunk)| {
            std::mem::take(&mut chunk.files).into_iter().map(move |file| (number, file))
        };
        let mut files: Vec<(u32, GatheredFile)> = (0..).zip(&mut chunks).flat_map(of_chunk).collect();
        files.sort_by_key(|(_, file)| file.number);
        let equal: HashMap<u32, Option<usize>> =
            files.iter().filter_map(|(_, file)| Some((file.same_as?, None))).collect();
        let equal: HashMap<u32, usize> = files
            .iter()
            .enumerate()
            .filter(|(_, (_, file))| equal.contains_key(&file.number))
            .map(|(at, (_, file))| (file.number, at))
            .collect();
        let (mut sources, mut stretches, mut suppressed) = (Vec::new(), Vec::new(), Vec::new());
        let mut base = 0_u32;
        for (chunk, file) in &files {
            let documents = sources.len() as u32;
            let own = &chunks[*chunk as usize];
            sources.extend_from_slice(&own.sources[file.sources.clone()]);
            suppressed.extend(own.suppressed[file.suppressed.clone()].iter().map(|of| SuppressedTokens {
                document: of.document - file.sources.start as u32 + documents,
                ..of.clone()
            }));
            let (holder, held) = match file.same_as.and_then(|number| equal.get(&number)) {
                Some(&at) => (files[at].0, &files[at].1),
                None => (*chunk, file),
            };
            for stretch in &chunks[holder as usize].stretches[held.stretches.clone()] {
                let document = stretch.document - held.sources.start as u32 + documents;
                stretches.push(TokenStretch { document, base, chunk: holder, ..*stretch });
                base = base.checked_add(stretch.len).ok_or(SearchError::TooMany)?;
            }
        }
        for chunk in &mut chunks {
            (chunk.sources, chunk.stretches, chunk.suppressed) = Default::default();
        }
        let index = PlaceIndex::new(&stretches);
        Ok(Self { sources, stretches, numbers, suppressed, chunks, index, resting: None })
    }
}

impl Gathered {
    /// Some texts, each a stretch of the document with the given number. They have no sources, spans or lines.
    ///
    /// # Errors
    /// When they have too many tokens.
    pub fn of_tokens<'t>(texts: impl IntoIterator<Item = (u32, &'t [u64])>) -> Result<Self, SearchError> {
        Self::of(texts.into_iter().map(chunk).collect(), Numbers::default())
    }

    /// The same with the hashes of names where these are folded, as [`Gathered::read`] has them.
    pub fn of_named_tokens<'t>(
        texts: impl IntoIterator<Item = (u32, &'t [u64], &'t [u32])>,
    ) -> Result<Self, SearchError> {
        let named = |(document, tokens, names): (u32, &[u64], &[u32])| Chunk {
            names: names.to_vec(),
            ..chunk((document, tokens))
        };
        Self::of(texts.into_iter().map(named).collect(), Numbers::default())
    }
}

fn chunk((document, tokens): (u32, &[u64])) -> Chunk {
    let len = tokens.len() as u32;
    let stretch = TokenStretch { document, base: 0, first: 0, len, chunk: 0, at: 0, spans: 0, lines: 0 };
    let mut chunk = Chunk { stretches: vec![stretch], tokens: tokens.to_vec(), ..Chunk::default() };
    chunk.add_file([0; 3], GatheredFile::default());
    chunk
}

#[cfg(test)]
impl Gathered {
    /// Some texts, each a stretch of a document of its own, of which some tokens are numbers.
    pub fn of_texts(texts: &[Vec<u64>], numbers: &[u64]) -> Self {
        let chunks = texts.iter().map(|tokens| chunk((0, tokens))).collect();
        Self::of(chunks, Numbers::from_tokens(numbers)).unwrap()
    }
}
