//! Character classes for the lexers: letter, mark, space, unspaced script.
//!
//! The hot loops handle ASCII themselves. The rest of the Basic Multilingual Plane is looked up in a table that is
//! computed once, because each general category costs a binary search otherwise.

use std::sync::LazyLock;

use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory};

const LETTER: u8 = 1;
const MARK: u8 = 2;
const UNSPACED: u8 = 4;
const SPACE: u8 = 8;
const CASED: u8 = 16;

/// Code points in the table.
const TABLE: u32 = 0x1_0000;

static CLASSES: LazyLock<Box<[u8]>> = LazyLock::new(|| {
    (0..TABLE).map(|code| char::from_u32(code).map_or(0, |c| Class::compute(c).0)).collect()
});

/// The class of a character, a set of flags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Class(u8);

impl Class {
    /// The class of a character.
    #[inline]
    pub(super) fn from_char(c: char) -> Self {
        match CLASSES.get(c as usize) {
            Some(&bits) => Self(bits),
            None => Self::compute(c),
        }
    }

    fn compute(c: char) -> Self {
        let cased = if c.to_lowercase().eq([c]) { 0 } else { CASED };
        let kind = if c.general_category_group() == GeneralCategoryGroup::Mark {
            MARK
        } else if c.is_alphanumeric() {
            LETTER | if is_unspaced(c) { UNSPACED } else { 0 }
        } else if c.is_whitespace() || c.is_control() {
            SPACE
        } else {
            0
        };
        Self(kind | cased)
    }

    /// Whether it is a letter or a digit.
    #[inline]
    pub(super) fn is_letter(self) -> bool {
        self.0 & LETTER != 0
    }

    /// Whether it is a combining mark.
    #[inline]
    pub(super) fn is_mark(self) -> bool {
        self.0 & MARK != 0
    }

    /// Whether it is a letter or digit of a script written without spaces.
    #[inline]
    pub(super) fn is_unspaced(self) -> bool {
        self.0 & UNSPACED != 0
    }

    /// Whether it is white space or a control character.
    #[inline]
    pub(super) fn is_space(self) -> bool {
        self.0 & SPACE != 0
    }

    /// Whether it differs from its lower case.
    #[inline]
    pub(super) fn is_cased(self) -> bool {
        self.0 & CASED != 0
    }
}

/// Whether the character's script has no spaces between words. Tibetan is not included: its tsheg (U+0F0B)
/// separates syllables as a space separates words.
fn is_unspaced(c: char) -> bool {
    matches!(c as u32,
        0x0E00..=0x0EFF     // Thai, Lao
        | 0x1000..=0x109F   // Myanmar
        | 0x1780..=0x17FF   // Khmer
        | 0x1950..=0x19DF   // Tai Le, New Tai Lue
        | 0x1A20..=0x1AAF   // Tai Tham
        | 0x3005..=0x3007   // Han iteration mark, closing mark, zero
        | 0x3021..=0x3029   // Hangzhou numerals
        | 0x3040..=0x30FF   // Hiragana, Katakana
        | 0x31F0..=0x31FF   // Katakana extensions
        | 0x3400..=0x4DBF   // Han, extension A
        | 0x4E00..=0x9FFF   // Han
        | 0xA980..=0xA9FF   // Javanese, Myanmar extension B
        | 0xAA60..=0xAADF   // Myanmar extension A, Tai Viet
        | 0xF900..=0xFAFF   // Han, compatibility
        | 0xFF66..=0xFF9F   // Katakana, half width
        | 0x1AFF0..=0x1B16F // Kana extensions and supplement
        | 0x20000..=0x3FFFF // Han, further extensions
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_distinguished() {
        for c in ['a', '7', 'é', 'Ж', 'ß', '٣', '한'] {
            assert!(Class::from_char(c).is_letter() && !Class::from_char(c).is_unspaced(), "{c}");
        }
        for c in ['漢', 'か', 'カ', 'ﾊ', 'ก', 'ຄ', 'က', 'ខ', '々', '\u{20000}'] {
            assert!(Class::from_char(c).is_letter() && Class::from_char(c).is_unspaced(), "{c}");
        }
        for c in ['\u{301}', '\u{e31}', '\u{17d2}', '\u{93f}'] {
            assert!(Class::from_char(c).is_mark() && !Class::from_char(c).is_letter());
        }
        for c in ['\u{a0}', '\u{2003}', '\u{3000}', '\u{85}'] {
            assert!(Class::from_char(c).is_space());
        }
        for c in ['—', '“', '。', '😀'] {
            assert_eq!(Class::from_char(c), Class(0));
        }
    }

    #[test]
    fn the_table_agrees_with_what_it_was_computed_from() {
        for c in ('\0'..='\u{10FFFF}').step_by(61) {
            assert_eq!(Class::from_char(c), Class::compute(c));
        }
    }
}
