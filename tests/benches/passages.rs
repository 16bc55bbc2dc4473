//! How fast passages are found, and texts like a given one, in corpora of two sizes into which copies were
//! planted. Each search counts the tokens that it gathers: what grows in step with them has one throughput.
//!
//! Run with `cargo bench --bench passages`.
#![allow(
    unreachable_pub,
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test program: it is its own crate, and fails by a panic"
)]

#[path = "../support/naive.rs"]
mod naive;
#[path = "../support/planted.rs"]
mod planted;

use divan::Bencher;
use divan::counter::{BytesCount, ItemsCount};
use dupi::index::repeated::Repeated;
use dupi::index::snapshot::Snapshot;
use dupi::judge::PassageOrder;
use dupi::judge::search::{Passages, SearchSettings};
use dupi::passage::Measure;
use dupi::passage::gather::{Gathered, StretchCriteria};
use dupi::passage::like::{Probe, like as find_like};
use dupi::token::{LexState, Tokeniser};
use naive::indexed;
use planted::{Noise, Plan};
use tempfile::tempdir;

/// Documents of the corpora.
const DOCUMENTS: [usize; 2] = [400, 1600];

/// Bytes of a text that is looked up.
const PROBE: usize = 20_000;

fn main() {
    divan::main();
}

/// A planted corpus with its index.
struct World {
    _place: tempfile::TempDir,
    snapshot: Snapshot,
    /// A text of which much stands in the corpus.
    probe: String,
}

impl World {
    fn new(documents: usize) -> Self {
        let plan = Plan {
            seed: 1,
            documents,
            groups: documents * 3 / 20,
            copies: (2, 60),
            noise: Noise::Edit(0.08),
        };
        let planted = plan.grow();
        let (place, snapshot) =
            indexed(planted.documents.iter().map(|(name, text)| (name, text)), |usual| usual);
        let mut probe: String =
            planted.documents.into_iter().map(|(_, text)| text).take(PROBE / 1000).collect();
        probe.truncate(PROBE);
        Self { _place: place, snapshot, probe }
    }

    /// How many tokens a search reads again.
    fn gathered(&self, wanted: StretchCriteria) -> u32 {
        let repeated = Repeated::scan(&self.snapshot).unwrap();
        Gathered::read(&self.snapshot, Some(&repeated), wanted, |_| 0, u64::MAX, &|_| Ok(())).unwrap().0.len()
    }
}

fn search(bencher: Bencher, documents: usize, settings: SearchSettings) {
    let world = World::new(documents);
    let (recipe, measure) = (&world.snapshot.manifest().recipe, settings.measure);
    let wanted = match measure.gap {
        0 => StretchCriteria::exact(recipe, measure.least),
        _ => StretchCriteria::approximate(recipe, &measure),
    };
    bencher.counter(ItemsCount::new(world.gathered(wanted))).bench_local(|| {
        Passages::find(&world.snapshot, &settings, PassageOrder::default(), &|_| Ok(())).unwrap()
    });
}

#[divan::bench(args = DOCUMENTS, sample_count = 20)]
fn exact(bencher: Bencher, documents: usize) {
    search(
        bencher,
        documents,
        SearchSettings { measure: Measure { gap: 0, ..Measure::default() }, ..SearchSettings::default() },
    );
}

#[divan::bench(args = DOCUMENTS, sample_count = 20)]
fn near(bencher: Bencher, documents: usize) {
    search(bencher, documents, SearchSettings::default());
}

/// Texts that repeat themselves, of so many tokens.
const REPETITIVE: [u32; 2] = [1 << 17, 1 << 19];

/// The passages of one text: what grows in step with its tokens has one throughput.
fn repetitive(bencher: Bencher, tokens: u32, gap: u32, word: impl Fn(u32) -> u32) {
    let text: String = (0..tokens).map(|at| format!("w{} ", word(at))).collect();
    let (_place, snapshot) = indexed([(&"text".to_owned(), text)], |usual| usual);
    let settings =
        SearchSettings { measure: Measure { gap, ..Measure::default() }, ..SearchSettings::default() };
    bencher
        .counter(ItemsCount::new(tokens))
        .bench_local(|| Passages::find(&snapshot, &settings, PassageOrder::default(), &|_| Ok(())).unwrap());
}

/// A number that tells nothing of the one before it.
fn random(at: u32) -> u32 {
    (u64::from(at).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5bd1)
        .wrapping_mul(0xd6e8_feb8_6659_fd93)
        .rotate_left(32) as u32
}

#[divan::bench(args = REPETITIVE, sample_count = 3)]
fn near_in_a_table_of_numbers(bencher: Bencher, tokens: u32) {
    repetitive(bencher, tokens, 8, |at| if at % 14 == 4 { 1 + at / 14 % 7 } else { 0 });
}

#[divan::bench(args = REPETITIVE, sample_count = 3)]
fn near_in_two_words_at_random(bencher: Bencher, tokens: u32) {
    repetitive(bencher, tokens, 8, |at| random(at) & 1);
}

#[divan::bench(args = REPETITIVE, sample_count = 3)]
fn near_in_one_word(bencher: Bencher, tokens: u32) {
    repetitive(bencher, tokens, 8, |_| 0);
}

/// Lines of forty words, each of the same four pieces in another order.
fn rearranged(at: u32) -> u32 {
    let mut pieces = [0, 1, 2, 3];
    let order = random(at / 40);
    for piece in 1..4 {
        pieces.swap(piece, (order >> (piece * 8)) as usize % (piece + 1));
    }
    pieces[(at % 40 / 10) as usize] * 10 + at % 10
}

#[divan::bench(args = REPETITIVE, sample_count = 3)]
fn exact_in_rearranged_lines(bencher: Bencher, tokens: u32) {
    repetitive(bencher, tokens, 0, rearranged);
}

#[divan::bench(args = REPETITIVE, sample_count = 3)]
fn near_in_rearranged_lines(bencher: Bencher, tokens: u32) {
    repetitive(bencher, tokens, 8, rearranged);
}

#[divan::bench(args = DOCUMENTS)]
fn like(bencher: Bencher, documents: usize) {
    let World { snapshot, probe, .. } = &World::new(documents);
    let measure = Measure { least: 12, ..Measure::default() };
    bencher.counter(BytesCount::of_str(probe.as_str())).bench_local(|| {
        let tokens = Tokeniser::Words.tokens(probe, LexState::default());
        find_like(snapshot, &Probe::new(tokens, &snapshot.manifest().recipe), measure, 20).unwrap()
    });
}
