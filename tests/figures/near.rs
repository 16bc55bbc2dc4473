//! How long pairs of documents that resemble each other take to find, beside two libraries for Python.

use std::collections::BTreeMap;
use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use dupi::near::error::PairLimit;
use dupi::near::features::FeatureSets;
use dupi::near::jaccard;
use dupi::near::minhash::{self, Bands, Signatures};
use dupi::near::pairs::{Equal, Pair};
use dupi::near::spotsigs::{Antecedents, USUAL_THRESHOLD, signatures};
use dupi::sketch::{HASHES, Signer, shingles};
use dupi::token::{LexState, Tokeniser};
use rayon::prelude::*;

use crate::support::page::figure;
use crate::{peers, seconds};

const SHINGLE: NonZeroUsize = NonZeroUsize::new(5).unwrap();
const THRESHOLD: f64 = 0.5;

/// How often each is measured; the least counts.
const ROUNDS: usize = 3;

/// Tokenises the files that it is given, takes the shingles of five tokens, and signs and asks for each.
/// It prints the seconds of the processor and of the clock for each step.
const PEERS: &str = r#"
import re, sys, time
times = []
def step():
    times.append((time.process_time(), time.perf_counter()))
step()
word = re.compile(r'[^\W_]+')
documents = [word.findall(open(path, errors='replace').read().lower()) for path in sys.argv[2:]]
sets = [[' '.join(d[i:i + 5]) for i in range(max(1, len(d) - 4))] for d in documents]
step()
if sys.argv[1] == 'datasketch':
    from datasketch import MinHash, MinHashLSH
    lsh = MinHashLSH(threshold=.5, num_perm=128)
    signed = []
    for shingles in sets:
        signed.append(MinHash(num_perm=128))
        signed[-1].update_batch([shingle.encode() for shingle in set(shingles)])
else:
    from rensa import RMinHash, RMinHashLSH
    lsh = RMinHashLSH(threshold=.5, num_perm=128, num_bands=32)
    signed = RMinHash.from_token_sets(sets, num_perm=128, seed=42)
step()
for number, signature in enumerate(signed):
    lsh.insert(number, signature)
for signature in signed:
    lsh.query(signature)
step()
for before, after in zip(times, times[1:]):
    print(after[0] - before[0], after[1] - before[1])
"#;

/// What a step took, in seconds.
#[derive(Clone, Copy)]
struct Spent {
    /// Of the processor, for the program and the system, on all threads.
    processor: f64,
    clock: f64,
}

/// What each step took, the least of all rounds.
#[derive(Default)]
struct Steps(BTreeMap<String, Spent>);

impl Steps {
    fn add(&mut self, step: &str, spent: Spent) {
        let least = self.0.entry(step.to_owned()).or_insert(spent);
        least.processor = least.processor.min(spent.processor);
        least.clock = least.clock.min(spent.clock);
    }

    fn measure<T>(&mut self, step: &str, run: impl FnOnce() -> T) -> T {
        let (before, start) = (processor(), Instant::now());
        let made = run();
        self.add(step, Spent { processor: processor() - before, clock: seconds(start.elapsed()) });
        made
    }

    fn peer(&mut self, peer: &str, paths: &[&PathBuf]) {
        let python = std::env::var_os("DUPI_PYTHON").unwrap_or_else(|| "python3".into());
        let output = Command::new(python).args(["-c", PEERS, peer]).args(paths).output();
        let Some(output) = output.ok().filter(|output| output.status.success()) else { return };
        let times = String::from_utf8(output.stdout).unwrap();
        for (step, times) in ["shingles", "signatures", "candidates"].iter().zip(times.lines()) {
            let (processor, clock) = times.split_once(' ').unwrap();
            let spent = Spent { processor: processor.parse().unwrap(), clock: clock.parse().unwrap() };
            self.add(&format!("{peer}: {step}"), spent);
        }
    }

    /// A row of the table.
    fn row(&self, step: &str, found: &str) {
        if let Some(Spent { processor, clock }) = self.0.get(step) {
            figure!("| {step} | {processor:.2} s | {clock:.2} s | {found} |");
        }
    }
}

/// The seconds of the processor that this program took so far.
fn processor() -> f64 {
    let stat = fs::read_to_string("/proc/self/stat").unwrap();
    // Behind the name, which is in parentheses; in hundredths of a second, whatever the system's own clock.
    let fields = stat.rsplit_once(')').unwrap().1.split_whitespace();
    fields.skip(11).take(2).map(|ticks| ticks.parse::<f64>().unwrap()).sum::<f64>() / 100.0
}

/// Prints the figures of the files of prose below a folder.
pub fn figures(corpus: &Path) {
    let files = peers::Files::of(corpus);
    let is_prose = |path: &&PathBuf| {
        path.extension().is_some_and(|end| ["md", "rst", "txt"].iter().any(|prose| end == *prose))
    };
    let paths: Vec<&PathBuf> = files.paths().iter().filter(is_prose).collect();
    let mut steps = Steps::default();
    let (mut sets, mut bags, mut pairs) = (FeatureSets::default(), FeatureSets::default(), BTreeMap::new());
    for _ in 0..ROUNDS {
        sets = steps.measure(SHINGLES, || read(&paths, false, |tokens| shingles(tokens, SHINGLE)));
        let tokens = tokens(&paths);
        steps.measure(OF_TOKENS, || exact(&sets_of(&tokens), THRESHOLD));
        let equal = Equal::find(&sets);
        pairs.insert(JACCARD, steps.measure(JACCARD, || exact(&sets, THRESHOLD)));
        for (step, verify) in [(MINHASH, true), (ESTIMATED, false)] {
            let found = steps.measure(step, || by_signatures(&sets, &equal, verify));
            pairs.insert(step, all_pairs(&equal, &found));
        }
        let english = Antecedents::of_language("English").unwrap();
        bags = steps.measure(SPOTS, || read(&paths, true, |tokens| signatures(tokens, &english)));
        pairs.insert(SPOTSIGS, steps.measure(SPOTSIGS, || exact(&bags, USUAL_THRESHOLD)));
        steps.peer("datasketch", &paths);
        steps.peer("rensa", &paths);
    }
    let compared = [
        (JACCARD, steps.measure(ALL_SETS, || compared(&sets, THRESHOLD))),
        (SPOTSIGS, steps.measure(ALL_BAGS, || compared(&bags, USUAL_THRESHOLD))),
    ];
    for (step, expected) in compared {
        assert!(pairs[step] == expected, "{step}: {} pairs instead of {}", pairs[step].len(), expected.len());
    }
    figure!("| what | processor | clock | found |");
    figure!("| --- | --- | --- | --- |");
    let features = |sets: &FeatureSets| (0..sets.len()).map(|of| sets.features(of).len()).sum::<usize>();
    steps.row(SHINGLES, &format!("{} files, {} different shingles", sets.len(), features(&sets)));
    let right = |step: &str| {
        let is_right = |pair: &&Pair| {
            pairs[JACCARD].binary_search_by_key(&(pair.a, pair.b), |pair| (pair.a, pair.b)).is_ok()
        };
        format!("{} pairs, {} of them right", pairs[step].len(), pairs[step].iter().filter(is_right).count())
    };
    steps.row(JACCARD, &format!("{} pairs", pairs[JACCARD].len()));
    steps.row(OF_TOKENS, "the same");
    steps.row(MINHASH, &right(MINHASH));
    steps.row(ESTIMATED, &right(ESTIMATED));
    steps.row(ALL_SETS, "the pairs of `jaccard`");
    for peer in ["datasketch", "rensa"] {
        ["shingles", "signatures", "candidates"]
            .iter()
            .for_each(|of| steps.row(&format!("{peer}: {of}"), ""));
    }
    steps.row(SPOTS, &format!("{} different signatures", features(&bags)));
    steps.row(SPOTSIGS, &format!("{} pairs", pairs[SPOTSIGS].len()));
    steps.row(ALL_BAGS, "the pairs of `spotsigs`");
    if let Some(news) = std::env::var_os("DUPI_FIGURES_NEWS") {
        spots_of(Path::new(&news));
    }
}

/// Prints the figures of SpotSigs for all files below a folder.
fn spots_of(folder: &Path) {
    let files = peers::Files::of(folder);
    let paths: Vec<&PathBuf> = files.paths().iter().collect();
    let english = Antecedents::of_language("English").unwrap();
    let bags = read(&paths, true, |tokens| signatures(tokens, &english));
    let mut steps = Steps::default();
    let mut pairs = Vec::new();
    for _ in 0..ROUNDS {
        pairs = steps.measure(NEWS, || exact(&bags, USUAL_THRESHOLD));
    }
    let expected = steps.measure(ALL_NEWS, || compared(&bags, USUAL_THRESHOLD));
    assert!(pairs == expected, "{} pairs instead of {}", pairs.len(), expected.len());
    steps.row(NEWS, &format!("{} pairs of {} texts", pairs.len(), bags.len()));
    steps.row(ALL_NEWS, "the same");
}

const SHINGLES: &str = "read, tokenised, shingles sorted";
const OF_TOKENS: &str = "of tokens in memory: shingles sorted, and `jaccard`";
const JACCARD: &str = "`jaccard`, threshold 0.5";
const MINHASH: &str = "`minhash`";
const ESTIMATED: &str = "`minhash`, not verified";
const ALL_SETS: &str = "shingles of each compared with those of each";
const SPOTS: &str = "read, tokenised, spot signatures sorted";
const SPOTSIGS: &str = "`spotsigs`, threshold 0.44";
const NEWS: &str = "`spotsigs`, short news";
const ALL_NEWS: &str = "their signatures, of each compared with those of each";
const ALL_BAGS: &str = "signatures of each compared with those of each";

/// All pairs of documents, sorted.
fn exact(sets: &FeatureSets, threshold: f64) -> Vec<Pair> {
    let equal = Equal::find(sets);
    all_pairs(&equal, &jaccard::pairs(sets, &equal, threshold, &unlimited(), &|_| Ok(())).unwrap())
}

/// The pairs of different sets that `minhash` finds.
fn by_signatures(sets: &FeatureSets, equal: &Equal, verify: bool) -> Vec<Pair> {
    let (bands, signer) = (Bands::choose(THRESHOLD), Signer::new(HASHES));
    let sign = |&document: &u32| {
        let (own, mut hashes) = (sets.get(document as usize), [0; HASHES]);
        signer.sign(own.features, own.counts, &mut hashes);
        minhash::kept_bytes(&hashes, bands.width()).into_vec()
    };
    let signatures = Signatures::new(bands, equal.distinct.par_iter().flat_map_iter(sign).collect());
    let floor = minhash::floor(THRESHOLD, verify);
    let found = signatures.candidates(floor, &unlimited(), &|_| Ok(())).unwrap();
    assert!(found.crowded.is_empty(), "no text is in very many of them");
    let compared = |pair: Pair| {
        let (a, b) = (equal.distinct[pair.a as usize], equal.distinct[pair.b as usize]);
        let exact = || sets.resemblance(a as usize, b as usize);
        let is_similar = !verify || exact() >= THRESHOLD;
        let similarity = if verify { exact() as f32 } else { pair.similarity };
        is_similar.then_some(Pair { a, b, similarity })
    };
    found.pairs.into_par_iter().filter_map(compared).collect()
}

fn unlimited() -> PairLimit {
    PairLimit::for_list(u64::MAX)
}

fn all_pairs(equal: &Equal, distinct: &[Pair]) -> Vec<Pair> {
    let mut all: Vec<Pair> = equal.all_pairs(distinct).collect();
    dupi::near::pairs::sort_pairs(&mut all);
    all
}

/// The features of files.
fn read(paths: &[&PathBuf], are_bags: bool, make: impl Fn(&[u64]) -> Vec<u64> + Sync) -> FeatureSets {
    let features = |path: &&PathBuf| {
        let text = String::from_utf8_lossy(&fs::read(path).unwrap()).into_owned();
        let tokens = Tokeniser::Words.tokens(&text, LexState::default());
        let hashes: Vec<u64> = tokens.iter().map(|token| token.hash).collect();
        let mut features = make(&hashes);
        features.sort_unstable();
        features
    };
    let documents: Vec<Vec<u64>> = paths.par_iter().map(features).collect();
    let mut sets = FeatureSets::default();
    for features in documents {
        if are_bags { sets.add_bag(features) } else { sets.add_set(features) }
    }
    sets
}

/// The tokens of files.
fn tokens(paths: &[&PathBuf]) -> Vec<Vec<u64>> {
    let of = |path: &&PathBuf| {
        let text = String::from_utf8_lossy(&fs::read(path).unwrap()).into_owned();
        let tokens = Tokeniser::Words.tokens(&text, LexState::default());
        tokens.iter().map(|token| token.hash).collect()
    };
    paths.par_iter().map(of).collect()
}

/// The shingles of documents that are given by their tokens.
fn sets_of(tokens: &[Vec<u64>]) -> FeatureSets {
    let features = |tokens: &Vec<u64>| {
        let mut features = shingles(tokens, SHINGLE);
        features.sort_unstable();
        features
    };
    let documents: Vec<Vec<u64>> = tokens.par_iter().map(features).collect();
    let mut sets = FeatureSets::default();
    documents.into_iter().for_each(|features| sets.add_set(features));
    sets
}

/// All pairs, by comparing each document with each.
fn compared(sets: &FeatureSets, threshold: f64) -> Vec<Pair> {
    let with_those_before = |b: usize| {
        let pair = move |a: usize| {
            let resemblance = sets.resemblance(a, b);
            (resemblance >= threshold).then_some(Pair {
                a: a as u32,
                b: b as u32,
                similarity: resemblance as f32,
            })
        };
        (0..b).filter_map(pair)
    };
    let mut pairs: Vec<Pair> = (0..sets.len()).into_par_iter().flat_map_iter(with_those_before).collect();
    dupi::near::pairs::sort_pairs(&mut pairs);
    pairs
}
