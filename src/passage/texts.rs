//! What the representatives of passages say, as token hashes: so that a taboo decision is counted over all
//! passages without reading a document again.

use crate::index::map::Scratch;
use crate::storage::Folder;

/// The tokens of some texts, by number.
#[derive(Default)]
pub struct Texts {
    tokens: Vec<u64>,
    /// The tokens, when they are not in memory.
    scratch: Option<Scratch>,
    /// Where each text ends.
    ends: Vec<usize>,
}

impl Texts {
    /// Some texts. What has no room in so many bytes of `memory` goes to a scratch file in `folder`.
    pub fn new<'a>(folder: &Folder, memory: u64, texts: impl Iterator<Item = &'a [u64]>) -> Self {
        let mut made = Self::default();
        for text in texts {
            made.tokens.extend_from_slice(text);
            made.ends.push(made.tokens.len());
        }
        if made.tokens.len() as u64 * 8 > memory {
            let written = folder
                .scratch("texts")
                .map_err(|error| error.to_string())
                .and_then(|file| Scratch::write(file, &made.tokens, &[]).map_err(|error| error.to_string()));
            match written {
                Ok(scratch) => {
                    made.tokens = Vec::new();
                    made.scratch = Some(scratch);
                }
                Err(error) => {
                    tracing::warn!(error, "the texts of passages take more memory than they should")
                }
            }
        }
        made.tokens.shrink_to_fit();
        made
    }

    /// How many texts there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The hashes of a text's tokens; none where there is no such text.
    pub fn get(&self, number: usize) -> &[u64] {
        let tokens = self.scratch.as_ref().map_or(&self.tokens[..], Scratch::numbers);
        let start = number.checked_sub(1).and_then(|before| self.ends.get(before)).copied().unwrap_or(0);
        let end = self.ends.get(number).copied().unwrap_or(start);
        tokens.get(start..end).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_the_same_in_memory_and_in_a_scratch_file() {
        let folder = tempfile::tempdir().unwrap();
        let texts: [&[u64]; 3] = [&[1, 2], &[], &[3]];
        for memory in [0, 1000] {
            let made = Texts::new(&Folder::new(folder.path()), memory, texts.into_iter());
            assert_eq!([0, 1, 2].map(|number| made.get(number)), texts);
            assert!(made.get(3).is_empty() && made.len() == 3);
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
