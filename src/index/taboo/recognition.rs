//! Decisions about passages: one list for each kind of them, and the set of what counts, by ids and by texts of copies.
//!
//! The id of a passage is made from the text of the copy that represents it. With more copies another one may represent
//! it; then the passage is recognised by a text that one of its copies has now and one of them had when it was decided
//! about. A passage with the same id comes first.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Debug;

use super::accepted_id::{AcceptedId, KeptTexts};
use super::change::Decision;
use super::list::DecisionList;

/// An entry of a list of decisions about passages.
pub trait PassageDecision: Decision {
    /// What is said of a passage.
    type Verdict: Copy + Debug + PartialEq;

    /// What it is about.
    fn of(&self) -> AcceptedId;
    /// Other texts of its copies, by which it is recognised.
    fn texts(&self) -> &KeptTexts;
    /// What it says.
    fn verdict(&self) -> Self::Verdict;
    /// The number of copies that it counts for.
    fn copies(&self) -> u64;
    /// Whether it says anything that an older entry does not.
    fn says_more(&self, old: &Self) -> bool;
    /// Takes over what an older entry, whose place it takes, says besides.
    fn inherit(&mut self, old: &mut Self);
}

impl<E: PassageDecision> DecisionList<E> {
    /// Adds decisions, or changes those about the same passages. Returns how many were new or changed.
    pub fn decide(&mut self, entries: impl IntoIterator<Item = E>) -> usize {
        self.decide_as(entries.into_iter().map(|entry| (CountingEntry::own(entry.of()), entry)))
    }

    /// The same, each with the entry that counted for the passage until now. It takes the place of that one if that is
    /// allowed, and else gets an entry of its own. An entry that says nothing more changes nothing.
    pub fn decide_as(&mut self, entries: impl IntoIterator<Item = (CountingEntry, E)>) -> usize {
        let known = self.entries.iter().enumerate().rev();
        let mut positions: HashMap<AcceptedId, usize> = known.map(|(at, entry)| (entry.of(), at)).collect();
        let mut changed = 0;
        for (former, mut entry) in entries {
            let own = positions.get(&entry.of()).copied();
            let at = own.or_else(|| positions.get(&former.id).copied());
            match at.and_then(|at| self.entries.get_mut(at)) {
                Some(old) if !entry.says_more(old) => continue,
                Some(old) if own.is_some() || former.is_replaceable => {
                    entry.inherit(old);
                    positions.remove(&old.of());
                    positions.extend(at.map(|at| (entry.of(), at)));
                    *old = entry;
                }
                _ => {
                    positions.insert(entry.of(), self.entries.len());
                    self.entries.push(entry);
                }
            }
            changed += 1;
        }
        changed
    }
}

/// A passage that is to be recognised.
#[derive(Clone, Copy, Debug)]
pub struct TextRow<'a> {
    /// Its id.
    pub id: u64,
    /// How many copies it has.
    pub copies: u64,
    /// The fingerprints of the texts of its copies, besides its id.
    pub texts: &'a [u64],
    /// Whether its id is the fingerprint of a text too.
    pub is_text: bool,
}

/// The entry that counts for a passage, and what another decision about that passage may do with it.
///
/// An entry may count for several passages: for the one with its id, and for those that it recognises. What is decided
/// about one of the latter must not change what was decided about the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CountingEntry {
    /// The id of the entry.
    pub id: AcceptedId,
    /// Whether a decision about the passage may take its place: the passage has its id, or the best claim to it when no
    /// passage has its id. Else the passage gets an entry of its own.
    pub is_replaceable: bool,
    /// Whether it may be removed with the passage: no other passage has its id.
    pub is_removable: bool,
}

impl CountingEntry {
    /// An entry that has the id of its passage.
    pub fn own(id: AcceptedId) -> Self {
        Self { id, is_replaceable: true, is_removable: true }
    }
}

/// What is said of an id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Counted<V> {
    verdict: V,
    copies: u64,
    /// The entry that says so.
    entry: CountingEntry,
}

/// What the entries of a list say, by ids.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecidedSet<V> {
    of: HashMap<AcceptedId, Counted<V>>,
    /// The entries about passages, by which others are recognised.
    passages: Vec<(u64, Counted<V>, KeptTexts)>,
}

impl<V> Default for DecidedSet<V> {
    fn default() -> Self {
        Self { of: HashMap::new(), passages: Vec::new() }
    }
}

impl<V: Copy> DecidedSet<V> {
    /// The set of a list. Of several entries with one id, the first one counts.
    pub fn new<E: PassageDecision<Verdict = V>>(list: &DecisionList<E>) -> Self {
        let mut set = Self::default();
        for entry in list.entries() {
            let own = CountingEntry::own(entry.of());
            let counted = Counted { verdict: entry.verdict(), copies: entry.copies(), entry: own };
            if set.of.contains_key(&entry.of()) {
                continue;
            }
            set.of.insert(entry.of(), counted);
            set.passages.extend(entry.of().passage().map(|id| (id, counted, entry.texts().clone())));
        }
        set
    }

    /// The same with the passages that an entry does not name, but recognises by the text of a copy.
    ///
    /// An entry counts for all the copies that it was decided with. So it may count for a passage after another one, such
    /// as for the parts of a group that was split, if both together have no more copies.
    #[must_use]
    pub fn recognising<'a>(&self, rows: impl Iterator<Item = TextRow<'a>>) -> Self {
        let mut all = Self { of: self.of.clone(), passages: Vec::new() };
        if self.passages.is_empty() {
            return all;
        }
        let entries: Vec<(u64, &KeptTexts)> =
            self.passages.iter().map(|(id, _, texts)| (*id, texts)).collect();
        let mut left: Vec<u64> = self.passages.iter().map(|(_, then, _)| then.copies).collect();
        let own: HashMap<u64, usize> =
            entries.iter().zip(0..).map(|((id, _), number)| (*id, number)).collect();
        let mut used = vec![false; entries.len()];
        let rows = rows.inspect(|row| {
            if let Some(&number) = own.get(&row.id) {
                used[number] = true;
                left[number] = left[number].saturating_sub(row.copies);
            }
        });
        let claims = claims(&entries, &own, rows);
        let present = used.clone();
        for Claim { copies: Reverse(copies), id, entry, .. } in claims {
            let of = AcceptedId::Passage(id);
            if all.of.contains_key(&of) || (used[entry] && left[entry] < copies) {
                continue;
            }
            let (says, known, _) = &self.passages[entry];
            let copies_then = if used[entry] { copies } else { known.copies };
            let counting = CountingEntry {
                id: AcceptedId::Passage(*says),
                is_replaceable: !used[entry],
                is_removable: !present[entry],
            };
            used[entry] = true;
            left[entry] = left[entry].saturating_sub(copies);
            all.of.insert(of, Counted { copies: copies_then, entry: counting, ..*known });
        }
        all
    }

    /// Whether nothing was decided.
    pub fn is_empty(&self) -> bool {
        self.of.is_empty()
    }

    /// What is said of an id, and the number of copies that it is said of.
    pub(super) fn get(&self, id: AcceptedId) -> Option<(V, u64)> {
        self.of.get(&id).map(|known| (known.verdict, known.copies))
    }

    /// The entry that counts for an id.
    pub fn entry(&self, id: AcceptedId) -> Option<CountingEntry> {
        self.of.get(&id).map(|known| known.entry)
    }
}

/// A passage without an entry of its own, and an entry that has a text of it. The best claim is the least one.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Claim {
    /// Whether the entry's id is a text of the passage.
    by_id: Reverse<bool>,
    /// How many texts both have.
    texts: Reverse<usize>,
    /// How many copies the passage has.
    copies: Reverse<u64>,
    /// The id of the passage.
    id: u64,
    /// The number of the entry.
    entry: usize,
}

/// The claims of the passages that have no entry of their own, the best first.
fn claims<'a>(
    entries: &[(u64, &KeptTexts)],
    own: &HashMap<u64, usize>,
    rows: impl Iterator<Item = TextRow<'a>>,
) -> Vec<Claim> {
    let mut having: HashMap<u64, Vec<usize>> = HashMap::new();
    for (number, (id, texts)) in entries.iter().enumerate() {
        for text in texts.iter().chain([*id]) {
            having.entry(text).or_default().push(number);
        }
    }
    let mut claims = Vec::new();
    for row in rows.filter(|row| !own.contains_key(&row.id)) {
        let mut shared: BTreeMap<usize, (bool, usize)> = BTreeMap::new();
        for text in row.texts.iter().chain(row.is_text.then_some(&row.id)) {
            for &entry in having.get(text).into_iter().flatten() {
                let (by_id, texts) = shared.entry(entry).or_default();
                *by_id |= entries[entry].0 == *text;
                *texts += 1;
            }
        }
        claims.extend(shared.into_iter().map(|(entry, (by_id, texts))| Claim {
            by_id: Reverse(by_id),
            texts: Reverse(texts),
            copies: Reverse(row.copies),
            id: row.id,
            entry,
        }));
    }
    claims.sort_unstable();
    claims
}
