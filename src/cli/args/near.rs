//! The arguments of `near`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use super::alike::{PathGlob, share};
use super::files::OnlyArgs;
use super::given::path;
use super::index::FindArgs;
use crate::near::clusters::Linkage;
use crate::near::keep::Keep;
use crate::near::settings::{
    ClusterRule, FingerprintRule, Identity, Method, NearSettings, Shingling, SignatureRule, SpotRule,
};
use crate::near::spotsigs::{Antecedents, IdfBounds, USUAL_THRESHOLD};
use crate::sketch::MAX_SHINGLE;
use crate::token::listed;

/// What is below the options: settings by what is looked for.
pub(super) const ABOUT: &str = "\
Settings for
  versions of a project, reposts and other copies that were hardly edited: the default settings
  copied files and folders: --method identical
  news and other texts that were edited: --shingle 3 --threshold 0.4
  texts of which a third of the words was edited: --shingle 2 --threshold 0.2
  scanned pages: --shingle 2 --threshold 0.15
  articles among menus and banners: --method spotsigs
  millions of documents: --method minhash

Equal files and texts are known by their sizes and by hashes of 64 bits in the index, so two different ones of the
same size could be listed as identical if somebody made them so; --emit drop reads and compares them first.";

/// `near`.
#[derive(Debug, Args)]
pub struct NearArgs {
    /// The corpus, as with --corpus
    #[arg(value_name = "PATH", conflicts_with = "corpus", value_parser = path())]
    pub place: Option<PathBuf>,
    /// How documents are compared
    #[arg(long, default_value = "jaccard", value_parser = named(METHODS))]
    pub method: MethodName,
    /// The least similarity, 0 to 1: with jaccard and minhash the resemblance of the shingles [default: 0.5], with
    /// spotsigs that of the spot signatures [default: 0.44], with identical the share of equal documents in folders
    /// that are almost the same [default: 0.9]
    #[arg(long, value_name = "SHARE", value_parser = share)]
    pub threshold: Option<f32>,
    /// With simhash, in how many of the 64 bits two fingerprints may differ [default: 3]
    #[arg(long, value_name = "BITS", value_parser = clap::value_parser!(u8).range(0..=MOST_DISTANCE))]
    pub distance: Option<u8>,
    /// The tokens of a shingle, with jaccard, minhash and simhash [default: 5]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=MOST_SHINGLE))]
    pub shingle: Option<u8>,
    /// With jaccard and minhash, count how often a document has a shingle
    #[arg(long)]
    pub bag: bool,
    /// With minhash, do not compare the pairs that are found by all their shingles: their similarity is an estimate
    #[arg(long, conflicts_with = "like")]
    pub no_verify: bool,
    /// With minhash, say on standard error which share of the pairs is found, by their similarity
    #[arg(long, conflicts_with = "like")]
    pub explain: bool,
    /// With spotsigs, only signatures with at least this inverse document frequency, 0 to 1: 0 is that of a signature of
    /// all documents [default: 0]
    #[arg(long, value_name = "SHARE", conflicts_with = "like", value_parser = share)]
    pub idf_min: Option<f32>,
    /// With spotsigs, only signatures with at most this inverse document frequency: 1 is that of a signature of one
    /// document [default: 1]
    #[arg(long, value_name = "SHARE", conflicts_with = "like", value_parser = share)]
    pub idf_max: Option<f32>,
    /// With spotsigs, the words that signatures begin with: those of a language (english, german, french, spanish,
    /// italian, portuguese, dutch), or of a file, with one on each line [default: those of all languages]
    #[arg(long, value_name = "LANGUAGE|FILE", value_parser = path())]
    pub antecedents: Option<PathBuf>,
    /// With identical, compare bytes instead of tokens: of files all bytes, of records all of their text
    #[arg(long)]
    pub bytes: bool,
    /// List clusters with their representatives: the default
    #[arg(long, conflicts_with_all = ["pairs", "like"])]
    pub clusters: bool,
    /// List all pairs instead of clusters, the most similar first
    #[arg(long)]
    pub pairs: bool,
    /// When clusters are joined: complete (all members are similar to each other), average (they are on average) or
    /// single (each is similar to some other one) [default: average]
    #[arg(long, conflicts_with_all = ["pairs", "like"], hide_possible_values = true, value_parser = named(LINKAGES))]
    pub linkage: Option<Linkage>,
    /// Which document represents a cluster and is kept; of folders the one with the most documents is, except with
    /// shortest-path [default: longest]
    #[arg(long, conflicts_with_all = ["pairs", "like"], value_parser = named(KEEPS))]
    pub keep: Option<Keep>,
    /// Only the first N
    #[arg(long, value_name = "N")]
    pub top: Option<usize>,
    /// Only clusters and pairs with a file whose path matches this pattern, such as `src/**`
    #[arg(long, value_name = "GLOB", value_parser = PathGlob::parse)]
    pub path: Option<PathGlob>,
    /// List the documents that are similar to this file, which need not be in the corpus; `-` is standard input
    #[arg(long, value_name = "FILE", conflicts_with = "pairs", value_parser = path())]
    pub like: Option<PathBuf>,
    /// Print the absolute paths of files instead of clusters: those that represent a cluster, or all others in one.
    /// Nothing is deleted. A file of several records is printed to be kept if one of them is, and to be dropped only if
    /// all of them are
    #[arg(long, conflicts_with_all = ["pairs", "like", "format", "json"], value_parser = named(EMITS))]
    pub emit: Option<Emit>,
    /// With --emit, end each path with a NUL byte instead of a line break, for `xargs -0`
    #[arg(short = '0', long = "null", requires = "emit")]
    pub null: bool,
    /// Which index.
    #[command(flatten)]
    pub find: FindArgs,
    /// Which files.
    #[command(flatten)]
    pub only: OnlyArgs,
}

/// The largest shingle.
const MOST_SHINGLE: i64 = MAX_SHINGLE as i64;

/// The greatest distance: beyond it unrelated texts are near each other.
const MOST_DISTANCE: i64 = 24;
/// The distance that is used if none is given (Manku, Jain and Das Sarma, “Detecting near-duplicates for web crawling”,
/// 2007).
const USUAL_DISTANCE: u8 = 3;

/// What `--method` names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MethodName {
    /// Equal documents and folders.
    Identical,
    /// All pairs by Jaccard's measure.
    Jaccard,
    /// Almost all of them, by signatures.
    MinHash,
    /// All pairs of near fingerprints.
    SimHash,
    /// All pairs by their spot signatures.
    SpotSigs,
}

/// What `--emit` prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Emit {
    /// The files of representatives.
    Keep,
    /// The files of all others in clusters.
    Drop,
}

/// A name of a value, the value, and its description.
type Named<T> = (&'static str, T, &'static str);

const METHODS: &[Named<MethodName>] = &[
    (
        "identical",
        MethodName::Identical,
        "Documents with equal tokens, and folders with the same documents or almost",
    ),
    ("jaccard", MethodName::Jaccard, "All pairs by the resemblance of their shingles, exactly"),
    ("minhash", MethodName::MinHash, "Almost all of these pairs, for very many documents"),
    (
        "spotsigs",
        MethodName::SpotSigs,
        "All pairs by the words behind stop words, so that menus and banners hardly count",
    ),
    ("simhash", MethodName::SimHash, "All pairs with fingerprints of 64 bits that differ in few of them"),
];

const LINKAGES: &[Named<Linkage>] = &[
    ("complete", Linkage::Complete, "All members of a cluster are similar to each other"),
    ("average", Linkage::Average, "They are on average"),
    ("single", Linkage::Single, "Each is similar to some other one"),
];

const KEEPS: &[Named<Keep>] = &[
    ("longest", Keep::Longest, "The one with the most tokens"),
    ("oldest", Keep::Oldest, "The one whose file was changed first"),
    ("newest", Keep::Newest, "The one whose file was changed last"),
    ("shortest-path", Keep::ShortestPath, "The one whose path has the fewest bytes"),
    ("central", Keep::Central, "The one that is the most similar to the others"),
];

const EMITS: &[Named<Emit>] = &[
    ("keep", Emit::Keep, "The files of representatives"),
    ("drop", Emit::Drop, "The files of all other documents in clusters"),
];

/// The parser of a value by its name.
fn named<T: Clone + Send + Sync + 'static>(values: &'static [Named<T>]) -> impl TypedValueParser<Value = T> {
    let names = PossibleValuesParser::new(
        values.iter().map(|(name, _, about)| PossibleValue::new(*name).help(*about)),
    );
    names.try_map(|given| {
        let value = values.iter().find(|(name, ..)| *name == given).map(|of| of.1.clone());
        value.ok_or_else(|| format!("`{given}` is not known"))
    })
}

/// A share as it was typed: 0.6 is not 0.60000002.
fn exact(share: f32) -> f64 {
    (f64::from(share) * 1e6).round() / 1e6
}

impl NearArgs {
    /// What is searched for. `antecedents` are those that `--antecedents` names.
    ///
    /// # Errors
    /// A sentence about an option that has no effect with the method.
    pub fn settings(&self, memory: u64, antecedents: &Antecedents) -> Result<NearSettings, String> {
        self.refuse_unused()?;
        let shingling = Shingling {
            size: self
                .shingle
                .and_then(|size| NonZeroUsize::new(size.into()))
                .unwrap_or(Shingling::default().size),
            bag: self.bag,
        };
        let (method, usual) = match self.method {
            MethodName::Identical if self.bytes => (Method::Identical(Identity::Bytes), 0.9),
            MethodName::Identical => (Method::Identical(Identity::Tokens), 0.9),
            MethodName::Jaccard => (Method::Jaccard(shingling), 0.5),
            MethodName::MinHash => {
                (Method::MinHash(SignatureRule { shingling, verify: !self.no_verify }), 0.5)
            }
            MethodName::SpotSigs => {
                let bound = |given: Option<f32>, usual: f64| given.map_or(usual, exact);
                let idf = IdfBounds { min: bound(self.idf_min, 0.0), max: bound(self.idf_max, 1.0) };
                let antecedents = antecedents.clone();
                (Method::SpotSigs(SpotRule { antecedents, idf }), USUAL_THRESHOLD)
            }
            MethodName::SimHash => {
                let distance = self.distance.unwrap_or(USUAL_DISTANCE).into();
                (Method::SimHash(FingerprintRule { distance, shingle: shingling.size }), 0.0)
            }
        };
        let threshold = self.threshold.map_or(usual, exact);
        let rule = ClusterRule {
            threshold,
            linkage: self.linkage.unwrap_or_default(),
            keep: self.keep.unwrap_or_default(),
        };
        Ok(NearSettings { method, rule, clusters: !self.pairs, memory })
    }

    /// Each option with the methods that it has an effect with.
    fn refuse_unused(&self) -> Result<(), String> {
        use MethodName::{Identical, Jaccard, MinHash, SimHash, SpotSigs};
        let options: [(&str, bool, &[MethodName]); 10] = [
            ("--threshold", self.threshold.is_some(), &[Identical, Jaccard, MinHash, SpotSigs]),
            ("--distance", self.distance.is_some(), &[SimHash]),
            ("--shingle", self.shingle.is_some(), &[Jaccard, MinHash, SimHash]),
            ("--bag", self.bag, &[Jaccard, MinHash]),
            ("--no-verify", self.no_verify, &[MinHash]),
            ("--explain", self.explain, &[MinHash]),
            ("--idf-min", self.idf_min.is_some(), &[SpotSigs]),
            ("--idf-max", self.idf_max.is_some(), &[SpotSigs]),
            ("--antecedents", self.antecedents.is_some(), &[SpotSigs]),
            ("--bytes", self.bytes, &[Identical]),
        ];
        let name =
            |of: MethodName| METHODS.iter().find(|(_, method, _)| *method == of).map_or("", |found| found.0);
        for (option, is_given, methods) in options {
            if is_given && !methods.contains(&self.method) {
                let methods: Vec<&str> = methods.iter().map(|&method| name(method)).collect();
                return Err(format!(
                    "{option} has no effect with the method {}; leave it out, or use --method {}",
                    name(self.method),
                    listed(methods),
                ));
            }
        }
        let compares_folders = self.like.is_none() && !self.pairs && self.emit.is_none();
        if self.method == Identical && self.threshold.is_some() && !compares_folders {
            return Err("--threshold has an effect on identical documents only where folders are listed; \
                        leave it out, or list clusters"
                .to_owned());
        }
        Ok(())
    }
}
