//! Random filters on random rows, compared with a slow and obvious evaluation.

use std::path::Path;

use proptest::collection::vec;
use proptest::prelude::*;

use super::*;
use dupi_base::config::SavedFilters;
use dupi_text::blot::Blot;

/// A row of which some facts may not be known yet.
#[derive(Clone, Debug)]
struct ReferenceRow {
    numbers: [Option<u64>; 6],
    kind: Option<Kind>,
    state: ReviewState,
    passages: Vec<u64>,
    blots: Vec<u64>,
    paths: Vec<String>,
    text: String,
    /// What is known so far: numbers and kind, state, passages and blots, files, texts.
    known: [bool; 5],
}

const QUANTITIES: [(&str, Quantity); 6] = [
    ("copies", Quantity::Copies),
    ("docs", Quantity::Documents),
    ("tokens", Quantity::Tokens),
    ("score", Quantity::Score),
    ("alike", Quantity::Alike),
    ("share", Quantity::Share),
];
const STATES: [(&str, ReviewState); 4] = [
    ("open", ReviewState::Open),
    ("fix", ReviewState::Fix),
    ("accepted", ReviewState::Accepted),
    ("taboo", ReviewState::Taboo),
];

impl Facts for ReferenceRow {
    fn number(&self, of: Quantity) -> Fact<u64> {
        let at = QUANTITIES.iter().position(|(_, quantity)| *quantity == of).unwrap();
        if self.known[0] { self.numbers[at].into() } else { Fact::Unknown }
    }

    fn is_of_kind(&self, kinds: &[Kind]) -> Option<bool> {
        self.known[0].then(|| self.kind.is_some_and(|kind| kinds.contains(&kind)))
    }

    fn state(&self) -> Fact<ReviewState> {
        if self.known[1] { Fact::Is(self.state) } else { Fact::Unknown }
    }

    fn belongs_to(&self, passage: u64) -> Option<bool> {
        self.known[2].then(|| self.passages.contains(&passage))
    }

    fn has_blot(&self, blot: Blot) -> Option<bool> {
        self.known[2].then(|| self.blots.contains(&blot.get()))
    }

    fn has_file(&self, _: usize, test: &FileTest) -> Option<bool> {
        let holds = |path: &String| test.holds(Path::new(path), &mut String::new);
        self.known[3].then(|| self.paths.iter().any(holds))
    }

    fn has_text(&self, _: usize, words: &WordPattern) -> Option<bool> {
        self.known[4].then(|| words.matches(&self.text))
    }
}

/// A term of the reference evaluation.
#[derive(Clone, Debug)]
enum ReferenceTerm {
    Less(usize, u64),
    Between(usize, u64, u64),
    Equal(usize, u64),
    Kinds(Vec<usize>),
    States(Vec<usize>),
    Near(bool),
    Passage(u64),
    Blot(u64),
    Piece(String),
    Below(String),
    Extensions(Vec<String>),
    C,
    Word(String),
    Exact(String),
    Saved(Vec<(bool, Self)>),
}

impl ReferenceTerm {
    /// The text of the term. A saved filter is added to `saved`.
    fn typed(&self, saved: &mut Vec<(String, String)>) -> String {
        match self {
            Self::Less(of, than) => format!("{}:<{than}", QUANTITIES[*of].0),
            Self::Between(of, least, most) => format!("{}:{least}..{most}", QUANTITIES[*of].0),
            Self::Equal(of, to) => format!("{}:{to}", QUANTITIES[*of].0),
            Self::Kinds(kinds) => {
                let names: Vec<&str> = kinds.iter().map(|kind| Kind::ALL[*kind].name()).collect();
                format!("kind:{}", names.join(","))
            }
            Self::States(states) => {
                let names: Vec<&str> = states.iter().map(|state| STATES[*state].0).collect();
                format!("state:{}", names.join(","))
            }
            Self::Near(near) => format!("is:{}", if *near { "near" } else { "equal" }),
            Self::Passage(passage) => format!("passage:{passage:016x}"),
            Self::Blot(blot) => format!("blot:{blot:x}"),
            Self::Piece(piece) => format!("path:{piece}"),
            Self::Below(folder) => format!("path:{folder}/**"),
            Self::Extensions(extensions) => format!("ext:{}", extensions.join(",")),
            Self::C => "lang:c".to_owned(),
            Self::Word(word) => word.clone(),
            Self::Exact(text) => format!("\"{text}\""),
            Self::Saved(terms) => {
                let text = typed(terms, saved);
                saved.push((format!("s{}", saved.len()), text));
                format!("@s{}", saved.len() - 1)
            }
        }
    }

    fn holds(&self, row: &ReferenceRow) -> bool {
        let number = |of: &usize, holds: &dyn Fn(u64) -> bool| row.numbers[*of].is_some_and(holds);
        let pieces = |path: &str| path.split('/').map(str::to_owned).collect::<Vec<String>>();
        let own = row.text.split_whitespace().collect::<Vec<_>>().join(" ");
        let stands = |text: &str| own.contains(text) || row.paths.iter().any(|path| path.contains(text));
        match self {
            Self::Less(of, than) => number(of, &|number| number < *than),
            Self::Between(of, least, most) => number(of, &|number| (*least..=*most).contains(&number)),
            Self::Equal(of, to) => number(of, &|number| number == *to),
            Self::Kinds(kinds) => kinds.iter().any(|kind| Some(Kind::ALL[*kind]) == row.kind),
            Self::States(states) => states.iter().any(|state| STATES[*state].1 == row.state),
            Self::Near(near) => number(&4, &|alike| (alike < 100) == *near),
            Self::Passage(passage) => row.passages.contains(passage),
            Self::Blot(blot) => row.blots.contains(blot),
            Self::Piece(piece) => row.paths.iter().any(|path| pieces(path).contains(piece)),
            Self::Below(folder) => row.paths.iter().any(|path| path.starts_with(&format!("{folder}/"))),
            Self::Extensions(wanted) => {
                let has = |path: &&String| wanted.iter().any(|wanted| path.ends_with(&format!(".{wanted}")));
                row.paths.iter().any(|path| has(&path))
            }
            Self::C => row.paths.iter().any(|path| path.ends_with(".c")),
            // Random words are too short to be misspelt.
            Self::Word(word) | Self::Exact(word) => stands(word),
            Self::Saved(terms) => terms.iter().all(|(negated, term)| term.holds(row) != *negated),
        }
    }
}

fn typed(terms: &[(bool, ReferenceTerm)], saved: &mut Vec<(String, String)>) -> String {
    let term = |(negated, term): &(bool, ReferenceTerm)| {
        format!("{}{}", if *negated { "-" } else { "" }, term.typed(saved))
    };
    terms.iter().map(term).collect::<Vec<_>>().join(" ")
}

fn term() -> impl Strategy<Value = ReferenceTerm> {
    let number = || 0_u64..8;
    let leaf = prop_oneof![
        (0_usize..6, number()).prop_map(|(of, than)| ReferenceTerm::Less(of, than)),
        (0_usize..6, number(), number()).prop_map(|(of, least, most)| ReferenceTerm::Between(
            of,
            least.min(most),
            least.max(most)
        )),
        (0_usize..6, number()).prop_map(|(of, to)| ReferenceTerm::Equal(of, to)),
        vec(0_usize..4, 1..3).prop_map(ReferenceTerm::Kinds),
        vec(0_usize..3, 1..3).prop_map(ReferenceTerm::States),
        any::<bool>().prop_map(ReferenceTerm::Near),
        (0_u64..3).prop_map(ReferenceTerm::Passage),
        (0_u64..3).prop_map(ReferenceTerm::Blot),
        "[ab]{1,2}".prop_map(ReferenceTerm::Piece),
        "[ab]".prop_map(ReferenceTerm::Below),
        vec("[chx]", 1..3).prop_map(ReferenceTerm::Extensions),
        Just(ReferenceTerm::C),
        "[ab]{1,3}".prop_map(ReferenceTerm::Word),
        "[ab]{1,2} [ab]{1,2}".prop_map(ReferenceTerm::Exact),
    ];
    leaf.prop_recursive(2, 8, 3, |inner| vec((any::<bool>(), inner), 0..3).prop_map(ReferenceTerm::Saved))
}

prop_compose! {
    fn row()(
        numbers in proptest::array::uniform6(proptest::option::of(prop_oneof![0_u64..8, Just(100)])),
        kind in proptest::option::of(0_usize..4),
        state in 0_usize..3,
        passages in vec(0_u64..3, 0..2),
        blots in vec(0_u64..3, 0..2),
        paths in vec("([ab]{1,2}/){0,2}[ab]\\.[cho]", 0..3),
        text in "[ab ]{0,12}",
        known in any::<[bool; 5]>(),
    ) -> ReferenceRow {
        ReferenceRow { numbers, kind: kind.map(|kind| Kind::ALL[kind]), state: STATES[state].1, passages, blots, paths, text, known }
    }
}

/// Compares a filter with the reference evaluation.
fn check(terms: &[(bool, ReferenceTerm)], row: &ReferenceRow) {
    let mut saved = Vec::new();
    let text = typed(terms, &mut saved);
    let saved: SavedFilters = saved.into_iter().collect();
    let (filter, problems) = parse(&text, &saved);
    assert!(problems.is_empty(), "{text}: {problems:?}");
    let expected = terms.iter().all(|(negated, term)| term.holds(row) != *negated);
    let whole = ReferenceRow { known: [true; 5], ..row.clone() };
    assert_eq!(filter.verdict(&whole), Some(expected), "{text} {saved:?}");
    // A verdict from incomplete facts never changes.
    let early = filter.verdict(row);
    assert!(early.is_none_or(|early| early == expected), "{text} {saved:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]
    #[test]
    fn a_filter_finds_what_the_obvious_evaluation_finds(
        terms in vec((any::<bool>(), term()), 0..4),
        row in row(),
    ) {
        check(&terms, &row);
    }
}

#[test]
fn blanks_of_the_text_count_as_one() {
    let terms = [(false, ReferenceTerm::Saved(vec![(false, ReferenceTerm::Exact("a a".to_owned()))]))];
    let row = ReferenceRow {
        numbers: [None; 6],
        kind: None,
        state: ReviewState::Open,
        passages: Vec::new(),
        blots: Vec::new(),
        paths: Vec::new(),
        text: "a  a".to_owned(),
        known: [false; 5],
    };
    check(&terms, &row);
}
