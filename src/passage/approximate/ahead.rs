//! The next tokens of two texts behind a difference: they tell quickly that the texts do not agree again at a place, which
//! is the case at nearly all of them.

/// Up to so many tokens beyond the first are held.
const HELD: usize = 15;

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
    held: [u64; HELD + 1],
    count: usize,
}

impl<'t> Ahead<'t> {
    /// The tokens of two texts from a place in each; with `BACK` places are counted from the end. Of either text up to
    /// `gap` tokens are skipped.
    pub(super) fn of<const BACK: bool>(
        one: (&'t [u64], usize),
        other: (&'t [u64], usize),
        gap: usize,
    ) -> Self {
        Self { one: Side::of::<BACK>(one, gap), other: Side::of::<BACK>(other, gap) }
    }

    /// Whether the texts may agree where `most` tokens are skipped in one of them, and up to `less` in the other. `false`
    /// is certain.
    pub(super) fn may_agree(&self, most: usize, less: usize) -> bool {
        less > HELD
            || self.one.at(most).is_some_and(|token| self.other.has(token, less))
            || self.other.at(most).is_some_and(|token| self.one.has(token, less))
    }
}

impl<'t> Side<'t> {
    fn of<const BACK: bool>((text, from): (&'t [u64], usize), gap: usize) -> Self {
        let text = if BACK { &text[..text.len() - from] } else { &text[from..] };
        let count = text.len().min(gap.min(HELD) + 1);
        let mut held = [0; HELD + 1];
        if BACK {
            held.iter_mut()
                .zip(text[text.len() - count..].iter().rev())
                .for_each(|(held, &token)| *held = token);
        } else {
            held[..count].copy_from_slice(&text[..count]);
        }
        Self { text, is_back: BACK, held, count }
    }

    fn at(&self, skip: usize) -> Option<u64> {
        let at = if self.is_back { self.text.len().checked_sub(skip + 1)? } else { skip };
        self.text.get(at).copied()
    }

    /// Whether one of the first tokens, up to a place, is this one. Without branches: most are not.
    fn has(&self, token: u64, last: usize) -> bool {
        self.held[..self.count.min(last + 1)].iter().fold(false, |has, &held| has | (held == token))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn texts_may_agree_exactly_where_a_token_is_the_same(
            texts: [Vec<u8>; 2],
            from: [prop::sample::Index; 2],
            (most, less) in (0..30_usize).prop_flat_map(|most| (Just(most), 0..=most)),
        ) {
            let mut texts = texts.map(|text| text.iter().map(|token| u64::from(token % 16)).collect::<Vec<u64>>());
            let from = [0, 1].map(|text| from[text].index(texts[text].len() + 1));
            let check = |texts: &[Vec<u64>; 2], next: &Ahead| {
                let at = |text: usize, skip: usize| texts[text].get(from[text] + skip);
                let agree = |text: usize, less: usize| {
                    at(text, most).is_some_and(|token| at(1 - text, less) == Some(token))
                };
                let expected = less > HELD || (0..=less).any(|less| agree(0, less) || agree(1, less));
                prop_assert_eq!(next.may_agree(most, less), expected);
                Ok(())
            };
            let gap = less;
            check(&texts, &Ahead::of::<false>((&texts[0], from[0]), (&texts[1], from[1]), gap))?;
            let forwards = texts.clone();
            texts.iter_mut().for_each(|text| text.reverse());
            check(&forwards, &Ahead::of::<true>((&texts[0], from[0]), (&texts[1], from[1]), gap))?;
        }
    }
}
