//! How fast passages are found, and texts like a given one, in corpora of two sizes into which copies were
//! planted. Each search counts the tokens that it gathers: what grows in step with them has one throughput.
//!
//! Run with `cargo bench --bench passages`.

#[path = "../support/naive.rs"]
mod naive;
#[path = "../support/planted.rs"]
mod planted;

use divan::Bencher;
use divan::counter::{BytesCount, ItemsCount};
use dupi::index::repeated::Repeated;
use dupi::index::snapshot::Snapshot;
use dupi::passage::found::Order;
use dupi::passage::gather::{Gathered, Wanted};
use dupi::passage::like::{Probe, like as find_like};
use dupi::passage::near::measure::Measure;
use dupi::passage::search::{Passages, Settings};
use dupi::taboo::TabooSet;
use dupi::token::{LexState, Tokeniser};
use naive::indexed;
use planted::{Noise, Plan};

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
        let plan = Plan { seed: 1, documents, groups: documents * 3 / 20, noise: Noise::Edit(0.08) };
        let planted = plan.grow();
        let (place, snapshot) =
            indexed(planted.documents.iter().map(|(name, text)| (name, text)), |usual| usual);
        let mut probe: String =
            planted.documents.into_iter().map(|(_, text)| text).take(PROBE / 1000).collect();
        probe.truncate(PROBE);
        Self { _place: place, snapshot, probe }
    }

    /// How many tokens a search reads again.
    fn gathered(&self, wanted: Wanted) -> u32 {
        let repeated = Repeated::scan(&self.snapshot).unwrap();
        Gathered::read(&self.snapshot, Some(&repeated), wanted, u64::MAX, &|_| Ok(())).unwrap().0.len()
    }
}

fn search(bencher: Bencher, documents: usize, settings: Settings) {
    let world = World::new(documents);
    let (recipe, measure) = (&world.snapshot.manifest().recipe, settings.measure);
    let wanted = match measure.gap {
        0 => Wanted::exact(recipe, measure.least),
        _ => Wanted::near(recipe, &measure),
    };
    let taboo = TabooSet::default();
    bencher.counter(ItemsCount::new(world.gathered(wanted))).bench_local(|| {
        Passages::find(&world.snapshot, &settings, &taboo, Order::default(), &|_| Ok(())).unwrap()
    });
}

#[divan::bench(args = DOCUMENTS, sample_count = 20)]
fn exact(bencher: Bencher, documents: usize) {
    search(
        bencher,
        documents,
        Settings { measure: Measure { gap: 0, ..Measure::default() }, ..Settings::default() },
    );
}

#[divan::bench(args = DOCUMENTS, sample_count = 20)]
fn near(bencher: Bencher, documents: usize) {
    search(bencher, documents, Settings::default());
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
