//! What documents and files are identical by: they are identical if their contents are equal.

use xxhash_rust::xxh3::xxh3_128;

/// A content. Those of tokens, texts and files are never equal to each other.
pub(super) type Content = u128;

/// Marks the contents of tokens.
const TOKENS: Content = 1 << 127;
/// Marks the contents of files.
const FILE: Content = 1 << 126;

/// A text by its tokens: a hash of 127 bits.
pub(super) fn of_tokens(tokens: &[u64]) -> Content {
    let bytes: Vec<u8> = tokens.iter().flat_map(|token| token.to_le_bytes()).collect();
    TOKENS | xxh3_128(&bytes)
}

/// A text by its number of tokens and its xxh3-64.
pub(super) fn of_text(tokens: u32, hash: u64) -> Content {
    Content::from(tokens) << 64 | Content::from(hash)
}

/// A file by its size in bytes, of which 62 bits count, and its xxh3-64.
pub(super) fn of_file(size: u64, hash: u64) -> Content {
    FILE | Content::from(size & (u64::MAX >> 2)) << 64 | Content::from(hash)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_hashes_of_texts_and_files_of_other_sizes_are_other_contents() {
        let texts = [of_text(3, 7), of_text(4, 7), of_text(3, 8), of_text(u32::MAX, u64::MAX)];
        let files = [of_file(3, 7), of_file(4, 7), of_file(3, 8), of_file(u64::MAX, 7)];
        let all = [&texts[..], &files, &[of_tokens(&[7]), of_tokens(&[7, 7])]].concat();
        for (at, content) in all.iter().enumerate() {
            assert!(!all[..at].contains(content), "{at}");
        }
    }
}
