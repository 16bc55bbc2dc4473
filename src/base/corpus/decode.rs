//! Decodes the bytes of a file to text, and maps offsets in the text back to the file.

use std::borrow::Cow;

use encoding_rs::{UTF_16BE, UTF_16LE, WINDOWS_1252};

use super::{Encoding, SkipReason};

/// The text of a file.
#[derive(Debug)]
pub struct Text<'b> {
    /// The text without a byte-order mark.
    pub text: Cow<'b, str>,
    /// The encoding of the bytes.
    pub encoding: Encoding,
}

/// The fewest bytes for each control character in a text of unknown encoding.
const BYTES_A_CONTROL: usize = 200;

/// Bytes at the beginning in which a zero says that the file is binary.
const HEAD: usize = 8 << 10;

/// Decodes a file. UTF-8 without a mark is borrowed.
///
/// # Errors
/// [`SkipReason::Binary`] for bytes that are not text.
pub fn decode(bytes: &[u8]) -> Result<Text<'_>, SkipReason> {
    let utf16 = |encoding: &'static encoding_rs::Encoding, name| {
        let (text, _) = encoding.decode_without_bom_handling(&bytes[2..]);
        let looks_binary =
            text.contains('\0') || text.matches('\u{fffd}').count() * 20 > text.chars().count();
        if looks_binary { Err(SkipReason::Binary) } else { Ok(Text { text, encoding: name }) }
    };
    match bytes {
        [0xff, 0xfe, ..] => return utf16(UTF_16LE, Encoding::Utf16Le),
        [0xfe, 0xff, ..] => return utf16(UTF_16BE, Encoding::Utf16Be),
        _ => {}
    }
    let (body, encoding) = match bytes.strip_prefix(b"\xef\xbb\xbf") {
        Some(body) => (body, Encoding::Utf8Bom),
        None => (bytes, Encoding::Utf8),
    };
    if body[..body.len().min(HEAD)].contains(&0) {
        return Err(SkipReason::Binary);
    }
    match std::str::from_utf8(body) {
        Ok(_) if has_zero(body) => Err(SkipReason::Binary),
        Ok(text) => Ok(Text { text: Cow::Borrowed(text), encoding }),
        Err(_) if is_text(bytes) => {
            let (text, _) = WINDOWS_1252.decode_without_bom_handling(bytes);
            Ok(Text { text, encoding: Encoding::Windows1252 })
        }
        Err(_) => Err(SkipReason::Binary),
    }
}

/// Decodes a file and consumes its bytes: UTF-8 without a mark is not copied.
///
/// # Errors
/// [`SkipReason::Binary`] for bytes that are not text.
pub fn decode_owned(bytes: Vec<u8>) -> Result<(String, Encoding), SkipReason> {
    let owned = |Text { text, encoding }: Text<'_>| (text.into_owned(), encoding);
    match String::from_utf8(bytes) {
        Ok(text) if !has_zero(text.as_bytes()) && !text.starts_with('\u{feff}') => Ok((text, Encoding::Utf8)),
        Ok(text) => decode(text.as_bytes()).map(owned),
        Err(error) => decode(error.as_bytes()).map(owned),
    }
}

/// Whether one of the bytes is zero. Most texts have none, and a loop without branches is faster than a search.
fn has_zero(bytes: &[u8]) -> bool {
    /// The number of bytes that are looked at together.
    const BLOCK: usize = 1 << 10;
    bytes.chunks(BLOCK).any(|block| block.iter().fold(false, |has, byte| has | (*byte == 0)))
}

/// Whether bytes of an unknown encoding look like text: no NUL and very few control characters.
fn is_text(bytes: &[u8]) -> bool {
    let strange = |byte: &&u8| matches!(byte, 0x01..=0x08 | 0x0e..=0x1a | 0x1c..=0x1f | 0x7f);
    !has_zero(bytes) && bytes.iter().filter(strange).count() * BYTES_A_CONTROL <= bytes.len()
}

impl Encoding {
    /// The length of the byte-order mark.
    pub fn mark(self) -> usize {
        match self {
            Self::Utf8 | Self::Windows1252 => 0,
            Self::Utf8Bom => 3,
            Self::Utf16Le | Self::Utf16Be => 2,
        }
    }

    /// How many bytes of the file a byte of the text stands for. The first byte of a character stands for the whole
    /// character.
    pub fn file_bytes(self, byte: u8) -> usize {
        match self {
            Self::Utf8 | Self::Utf8Bom => 1,
            _ if byte & 0xc0 == 0x80 => 0,
            Self::Windows1252 => 1,
            Self::Utf16Le | Self::Utf16Be => 2 + 2 * usize::from(byte >= 0xf0),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn encode(text: &str, encoding: Encoding) -> Vec<u8> {
        let units = |to: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(to).collect::<Vec<u8>>();
        match encoding {
            Encoding::Utf8 => text.into(),
            Encoding::Utf8Bom => [b"\xef\xbb\xbf", text.as_bytes()].concat(),
            Encoding::Utf16Le => [&[0xff, 0xfe], &units(u16::to_le_bytes)[..]].concat(),
            Encoding::Utf16Be => [&[0xfe, 0xff], &units(u16::to_be_bytes)[..]].concat(),
            Encoding::Windows1252 => WINDOWS_1252.encode(text).0.into_owned(),
        }
    }

    proptest! {
        #[test]
        fn every_offset_leads_back_to_its_byte(
            text in "[ a-zé€東𝄞\n]{1,30}",
            encoding in prop::sample::select(vec![
                Encoding::Utf8, Encoding::Utf8Bom, Encoding::Utf16Le, Encoding::Utf16Be,
            ]),
        ) {
            let bytes = encode(&text, encoding);
            let decoded = decode(&bytes).unwrap();
            prop_assert_eq!(&*decoded.text, &text);
            prop_assert_eq!(decoded.encoding, encoding);
            prop_assert_eq!(decode_owned(bytes.clone()), Ok((text.clone(), encoding)));
            for at in (0..=text.len()).filter(|&at| text.is_char_boundary(at)) {
                let expected = encode(&text[..at], encoding).len() as u64;
                let before: usize = text[..at].bytes().map(|byte| encoding.file_bytes(byte)).sum();
                prop_assert_eq!((encoding.mark() + before) as u64, expected);
            }
        }
    }

    #[test]
    fn text_of_an_older_kind_is_read_as_windows_1252() {
        let bytes = encode("Grüße – naïve café, 5 €", Encoding::Windows1252);
        let decoded = decode(&bytes).unwrap();
        assert_eq!((&*decoded.text, decoded.encoding), ("Grüße – naïve café, 5 €", Encoding::Windows1252));
        let before = decoded.text.bytes().take(decoded.text.find("café").unwrap());
        assert_eq!(before.map(|byte| decoded.encoding.file_bytes(byte)).sum::<usize>(), 14);
    }

    #[test]
    fn binary_files_are_recognised() {
        let late = [&[b'a'; 10_000][..], &[0]].concat();
        for bytes in [&b"ELF\0\x01"[..], b"\xff\xd8\xff\xe0\x01\x02\x03", b"\x80\x00", &late] {
            assert_eq!(decode(bytes).map(|text| text.encoding), Err(SkipReason::Binary));
        }
    }
}
