//! How long pairs of documents that resemble each other take to find, beside two libraries for Python.

use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use dupi::near::equal::Equal;
use dupi::near::features::FeatureSets;
use dupi::near::pair::Pair;
use dupi::near::pair_limit::PairLimit;
use dupi::near::{jaccard, minhash};
use dupi::sketch::shingles;
use dupi::token::{LexState, Tokeniser};
use rayon::prelude::*;

use crate::support::page::figure;
use crate::{peers, seconds};

const SHINGLE: NonZeroUsize = NonZeroUsize::new(5).unwrap();
const THRESHOLD: f64 = 0.5;

/// Tokenises the files that it is given, takes the shingles of five tokens, and signs and asks for each.
/// It prints the seconds of each step.
const PEERS: &str = r#"
import re, sys, time
start = time.perf_counter()
word = re.compile(r'[^\W_]+')
documents = [word.findall(open(path, errors='replace').read().lower()) for path in sys.argv[2:]]
sets = [[' '.join(d[i:i + 5]) for i in range(max(1, len(d) - 4))] for d in documents]
read = time.perf_counter() - start
start = time.perf_counter()
if sys.argv[1] == 'datasketch':
    from datasketch import MinHash, MinHashLSH
    lsh = MinHashLSH(threshold=.5, num_perm=128)
    signed = []
    for shingles in sets:
        signed.append(MinHash(num_perm=128))
        signed[-1].update_batch([shingle.encode() for shingle in set(shingles)])
    signing = time.perf_counter() - start
else:
    from rensa import RMinHash, RMinHashLSH
    lsh = RMinHashLSH(threshold=.5, num_perm=128, num_bands=32)
    signed = RMinHash.from_token_sets(sets, num_perm=128, seed=42)
    signing = time.perf_counter() - start
start = time.perf_counter()
for number, signature in enumerate(signed):
    lsh.insert(number, signature)
for signature in signed:
    lsh.query(signature)
print(f'{read:.2f} s · {signing:.2f} s · {time.perf_counter() - start:.2f} s')
"#;

/// Prints the figures of the files of prose below a folder.
pub fn figures(corpus: &Path) {
    let files = peers::Files::of(corpus);
    let is_prose = |path: &&PathBuf| {
        path.extension().is_some_and(|end| ["md", "rst", "txt"].iter().any(|prose| end == *prose))
    };
    let paths: Vec<&PathBuf> = files.paths().iter().filter(is_prose).collect();
    figure!("| what | figure |");
    figure!("| --- | --- |");
    let (sets, reading) = (0..3).map(|_| timed(|| read(&paths))).min_by_key(|(_, time)| *time).unwrap();
    let features: usize = (0..sets.len()).map(|document| sets.of(document).len()).sum();
    figure!("| files of prose; different shingles of five tokens | {}; {features} |", sets.len());
    figure!("| read, tokenised, shingles sorted | {:.3} s |", seconds(reading));
    let run = |search: &dyn Fn(&Equal) -> Vec<Pair>| {
        let once = || {
            timed(|| {
                let equal = Equal::find(&sets);
                let mut all: Vec<Pair> = equal.all_pairs(&search(&equal)).collect();
                dupi::near::pair::sort_pairs(&mut all);
                all
            })
        };
        (0..3).map(|_| once()).min_by_key(|(_, time)| *time).unwrap()
    };
    let (exact, time) = run(&|equal| jaccard::pairs(&sets, equal, THRESHOLD, &|_| Ok(())).unwrap());
    figure!("| `jaccard`, threshold {THRESHOLD} | {:.3} s, {} pairs |", seconds(time), exact.len());
    for verify in [true, false] {
        let settings = minhash::Settings { verify, ..minhash::Settings::default() };
        let (found, time) = run(&|equal| {
            minhash::pairs(&sets, equal, THRESHOLD, settings, &PairLimit::none(), &|_| Ok(())).unwrap()
        });
        let is_exact =
            |pair: &&Pair| exact.binary_search_by_key(&(pair.a, pair.b), |pair| (pair.a, pair.b)).is_ok();
        figure!(
            "| `minhash`{} | {:.3} s, {} pairs, {} of them right |",
            if verify { "" } else { ", not verified" },
            seconds(time),
            found.len(),
            found.iter().filter(is_exact).count()
        );
    }
    for peer in ["datasketch", "rensa"] {
        let python = std::env::var_os("DUPI_PYTHON").unwrap_or_else(|| "python3".into());
        let output = Command::new(python).args(["-c", PEERS, peer]).args(&paths).output();
        if let Some(output) = output.ok().filter(|output| output.status.success()) {
            let times = String::from_utf8(output.stdout).unwrap();
            figure!("| {peer}: shingles · signatures · pairs | {} |", times.trim());
        }
    }
    let (all, time) = timed(|| compared(&sets));
    assert!(exact == all, "{} pairs instead of {}", exact.len(), all.len());
    figure!("| each compared with each | {:.1} s, the pairs of `jaccard` |", seconds(time));
}

fn timed<T>(run: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    (run(), start.elapsed())
}

/// The shingles of files.
fn read(paths: &[&PathBuf]) -> FeatureSets {
    let shingles = |path: &&PathBuf| {
        let text = String::from_utf8_lossy(&fs::read(path).unwrap()).into_owned();
        let tokens = Tokeniser::Words.tokens(&text, LexState::default());
        let hashes: Vec<u64> = tokens.iter().map(|token| token.hash).collect();
        let mut shingles = shingles(&hashes, SHINGLE);
        shingles.sort_unstable();
        shingles
    };
    let documents: Vec<Vec<u64>> = paths.par_iter().map(shingles).collect();
    let mut sets = FeatureSets::default();
    documents.into_iter().for_each(|features| sets.add_set(features));
    sets
}

/// All pairs, by comparing each document with each.
fn compared(sets: &FeatureSets) -> Vec<Pair> {
    let with_those_before = |b: usize| {
        let pair = move |a: usize| {
            let resemblance = sets.resemblance(a, b);
            (resemblance >= THRESHOLD).then_some(Pair {
                a: a as u32,
                b: b as u32,
                similarity: resemblance as f32,
            })
        };
        (0..b).filter_map(pair)
    };
    let mut pairs: Vec<Pair> = (0..sets.len()).into_par_iter().flat_map_iter(with_those_before).collect();
    dupi::near::pair::sort_pairs(&mut pairs);
    pairs
}
