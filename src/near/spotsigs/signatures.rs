//! Spot signatures: a stop word and content words behind it.

use super::antecedents::Antecedents;

/// The spot signatures of a document, given the hashes of its tokens, in the order of the text. One begins at each
/// antecedent, and has every so many-th of the content words that follow, until the chain is complete; an incomplete
/// chain at the end of the document gives none. Content words are the tokens that are no stop words of the list. (Of
/// “at a rally to kick off a weeklong campaign”: `a:rally:kick` and `a:weeklong:campaign`.)
pub fn signatures(tokens: &[u64], antecedents: &Antecedents) -> Vec<u64> {
    let (mut content, mut begun) = (Vec::new(), Vec::new());
    for &token in tokens {
        match antecedents.spot(token) {
            None => content.push(token),
            Some(spot) if spot.chain > 0 => begun.push((token, spot, content.len())),
            Some(_) => {}
        }
    }
    let signature = |&(antecedent, spot, behind): &(u64, _, usize)| {
        let super::antecedents::Spot { distance, chain } = spot;
        let (distance, chain) = (usize::from(distance), usize::from(chain));
        let chain = content.get(behind..behind + distance * chain)?.chunks(distance);
        // Cyclic, so that the order of the words matters.
        let join = |hash: u64, words: &[u64]| hash.rotate_left(1) ^ words.last().copied().unwrap_or_default();
        Some(chain.fold(antecedent, join))
    };
    begun.iter().filter_map(signature).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use dupi_text::token::Words;

    fn tokens(text: &str) -> Vec<u64> {
        Words::new(text).map(|token| token.hash).collect()
    }

    fn signature(words: &str) -> u64 {
        tokens(words).into_iter().fold(0, |hash, word| hash.rotate_left(1) ^ word)
    }

    #[test]
    fn a_signature_is_an_antecedent_and_the_content_words_behind_it() {
        let english = Antecedents::of_language("English").unwrap();
        let text = "At a rally to kick off a weeklong campaign for the South Carolina primary, the end";
        let expected = ["a rally kick", "a weeklong campaign", "the South Carolina"].map(signature);
        assert_eq!(signatures(&tokens(text), &english), expected);
        assert!(signatures(&tokens("Banners and menus; links, links"), &english).is_empty());
        assert!(signatures(&[], &english).is_empty());
    }

    #[test]
    fn distances_skip_content_words() {
        let list = Antecedents::parse("the 2 2\nis 1 1\nof 1 0").unwrap();
        let text = "the one two of three four is five the six";
        assert_eq!(signatures(&tokens(text), &list), ["the two four", "is five"].map(signature));
    }
}
