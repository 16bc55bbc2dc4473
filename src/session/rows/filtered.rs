//! A filter asked of taboo texts, which know all of themselves; and the blots of the passages that it names,
//! for rows of blots.

use std::collections::HashSet;

use super::known::Known;
use crate::blot::{Blot, tiles_of};
use crate::passage::copy::Standing;
use crate::passage::filter::BlotsOf;
use crate::passage::found::{Passage, PassageId};
use crate::query::filter::{Fact, Facts, FileTest, Filter, Quantity, State, Words};
use crate::query::page::Reader;
use crate::session::protocol::TabooRow;

/// The blots of the passages that a filter names, as far as they are found.
pub fn blots_of(filter: &Filter, known: Option<&Known>) -> BlotsOf {
    let of_passage = |known: &Known, passage: &Passage| {
        let (snapshot, mut reader) = (&known.snapshot, Reader::new(&known.snapshot));
        let mut blots: HashSet<Blot> = HashSet::new();
        if let Some(standing) = Standing::of(snapshot, &mut reader, &known.passages.sources, passage) {
            tiles_of(standing.tokens.into_iter(), &snapshot.manifest().recipe, |tile| {
                blots.insert(tile.blot);
            });
        }
        blots
    };
    let found = |known: &Known, id: u64| Some((id, of_passage(known, known.get(PassageId(id))?)));
    filter.passages().into_iter().filter_map(|id| found(known?, id)).collect()
}

/// Of a taboo text, the language that it was found in is known, and no file.
impl Facts for TabooRow {
    fn number(&self, of: Quantity) -> Fact<u64> {
        match of {
            Quantity::Copies => self.hides.map(|hides| hides.copies).into(),
            Quantity::Documents => Fact::Is(self.hides.map_or(0, |hides| hides.documents)),
            Quantity::Tokens => Fact::Is(u64::from(self.tokens)),
            Quantity::Score | Quantity::Alike | Quantity::Share => Fact::Nothing,
        }
    }

    fn state(&self) -> Fact<State> {
        Fact::Is(State::Taboo)
    }

    fn belongs_to(&self, _: u64) -> Option<bool> {
        Some(false)
    }

    fn has_blot(&self, _: Blot) -> Option<bool> {
        Some(false)
    }

    fn has_file(&self, _: usize, test: &FileTest) -> Option<bool> {
        let FileTest::Language(wanted) = test else { return Some(false) };
        let own = self.entry.language.as_deref();
        Some(wanted.iter().any(|language| own == Some(language.name())))
    }

    fn has_text(&self, _: usize, words: &Words) -> Option<bool> {
        Some(words.are_like(&self.entry.text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::SavedFilters;
    use crate::query::filter::parse;
    use crate::session::Hidden;
    use crate::taboo::TabooEntry;

    #[test]
    fn taboo_texts_pass_by_what_they_are_and_hide() {
        let entry = TabooEntry {
            text: "all rights reserved".to_owned(),
            added: jiff::civil::date(2026, 1, 2),
            reason: None,
            language: Some("C".to_owned()),
        };
        let taboo = TabooRow { entry, tokens: 3, hides: Some(Hidden { rows: 2, copies: 9, documents: 7 }) };
        for (filter, expected) in [
            ("is:taboo rigts", true),
            ("state:open", false),
            ("lang:c", true),
            ("lang:rust", false),
            ("path:src", false),
            ("copies:9 docs:>5 tokens:<4", true),
            ("copies:>9", false),
            ("share:>0", false),
            ("-is:near -is:equal -src", true),
            ("passage:0000000000000007", false),
        ] {
            let (filter, problems) = parse(filter, &SavedFilters::default());
            assert_eq!(problems, []);
            assert_eq!(filter.verdict(&taboo), Some(expected), "{filter:?}");
        }
    }
}
