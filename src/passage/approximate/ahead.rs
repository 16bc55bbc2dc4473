//! The next tokens of two texts behind a difference: they tell quickly that the texts do not agree again at a place, which
//! is the case at nearly all of them.

/// The number of tokens of which a byte is held.
const HELD: usize = 16;
/// The lowest bit of each byte, and all its others.
const LOWEST: u64 = 0x0101_0101_0101_0101;
const OTHERS: u64 = 0x7f7f_7f7f_7f7f_7f7f;
/// A factor that brings the lowest bits of the bytes together in the highest byte, in order.
const TOGETHER: u64 = 0x0102_0408_1020_4080;

/// The next tokens of two texts.
pub(super) struct Ahead<'t> {
    one: Side<'t>,
    other: Side<'t>,
}

/// The tokens of one text.
struct Side<'t> {
    /// The text from the first token on, or backwards: up to it.
    text: &'t [u64],
    is_back: bool,
    /// The lowest bytes of the first tokens.
    bytes: [u64; HELD / 8],
}

/// Where the next tokens of two texts may be the same as one that is farther ahead.
#[derive(Clone, Copy)]
pub(super) struct Matches {
    /// For each of the first tokens of the second text, whether it may be the one ahead in the first text.
    in_other: u32,
    /// The reverse.
    in_one: u32,
}

impl<'t> Ahead<'t> {
    /// The tokens of two texts from a place in each; with `BACK` places are counted from the end.
    pub(super) fn of<const BACK: bool>(one: (&'t [u64], usize), other: (&'t [u64], usize)) -> Self {
        Self { one: Side::of::<BACK>(one), other: Side::of::<BACK>(other) }
    }

    /// Where the texts may agree if `most` tokens are skipped in one of them.
    pub(super) fn skipping(&self, most: usize) -> Matches {
        Matches {
            in_other: self.one.at(most).map_or(0, |token| self.other.places(token)),
            in_one: self.other.at(most).map_or(0, |token| self.one.places(token)),
        }
    }
}

impl Matches {
    /// Whether the texts may agree if up to `less` tokens are skipped in the other text. `false` is certain.
    pub(super) fn up_to(self, less: usize) -> bool {
        less >= HELD || (self.in_other | self.in_one) & ((2 << less) - 1) != 0
    }

    /// Whether they may agree if `less` tokens are skipped in the second text, and in the first. `false` is certain.
    pub(super) fn at(self, less: usize) -> [bool; 2] {
        [self.in_other, self.in_one].map(|places| less >= HELD || places >> less & 1 == 1)
    }
}

impl<'t> Side<'t> {
    fn of<const BACK: bool>((text, from): (&'t [u64], usize)) -> Self {
        let text = if BACK { &text[..text.len() - from] } else { &text[from..] };
        let mut held = [0_u8; HELD];
        let count = text.len().min(HELD);
        if BACK {
            let last = text[text.len() - count..].iter().rev();
            held.iter_mut().zip(last).for_each(|(held, &token)| *held = token as u8);
        } else {
            held.iter_mut().zip(&text[..count]).for_each(|(held, &token)| *held = token as u8);
        }
        let (words, _) = held.as_chunks::<8>();
        Self { text, is_back: BACK, bytes: [words[0], words[1]].map(u64::from_le_bytes) }
    }

    fn at(&self, skip: usize) -> Option<u64> {
        let at = if self.is_back { self.text.len().checked_sub(skip + 1)? } else { skip };
        self.text.get(at).copied()
    }

    /// Which of the first tokens may be this one, as bits. Those beyond the end count as 0.
    fn places(&self, token: u64) -> u32 {
        let wanted = u64::from(token as u8) * LOWEST;
        let [low, high] = self.bytes.map(|bytes| {
            let differing = bytes ^ wanted;
            // The highest bit of each byte that is 0 (Warren, “Hacker's Delight”, 2003).
            let equal = !(((differing & OTHERS) + OTHERS) | differing | OTHERS);
            ((equal >> 7).wrapping_mul(TOGETHER) >> 56) as u32
        });
        low | high << 8
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn texts_may_agree_where_a_token_has_the_same_byte(
            texts: [Vec<u8>; 2],
            kinds in 1..200_u8,
            from: [prop::sample::Index; 2],
            (most, less) in (0..30_usize).prop_flat_map(|most| (Just(most), 0..=most)),
        ) {
            let mut texts = texts.map(|text| text.iter().map(|token| u64::from(token % kinds) + 1).collect::<Vec<u64>>());
            let from = [0, 1].map(|text| from[text].index(texts[text].len() + 1));
            let check = |texts: &[Vec<u64>; 2], next: &Ahead| {
                let at = |text: usize, skip: usize| texts[text].get(from[text] + skip);
                let agree = |text: usize, less: usize| {
                    less >= HELD || at(text, most).is_some_and(|token| at(1 - text, less) == Some(token))
                };
                let matches = next.skipping(most);
                prop_assert_eq!(matches.at(less), [0, 1].map(|text| agree(text, less)));
                prop_assert_eq!(matches.up_to(less), (0..=less).any(|less| agree(0, less) || agree(1, less)));
                Ok(())
            };
            check(&texts, &Ahead::of::<false>((&texts[0], from[0]), (&texts[1], from[1])))?;
            let forwards = texts.clone();
            texts.iter_mut().for_each(|text| text.reverse());
            check(&forwards, &Ahead::of::<true>((&texts[0], from[0]), (&texts[1], from[1])))?;
        }
    }
}
