//! The arguments of `near`.

use std::path::PathBuf;

use clap::Args;

use super::alike::PathGlob;
use super::files::OnlyArgs;
use super::given::path;
use super::index::FindArgs;
use super::method::{MethodArgs, MethodName, Named, named};
use dupi_near::clusters::Linkage;
use dupi_near::keep::Keep;
use dupi_near::settings::{ClusterRule, NearSettings};
use dupi_near::spotsigs::Antecedents;

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
    /// How documents are compared.
    #[command(flatten)]
    pub compared: MethodArgs,
    /// With minhash, say on standard error which share of the pairs is found, by their similarity
    #[arg(long, conflicts_with = "like")]
    pub explain: bool,
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
    #[arg(long, value_name = "FILE", conflicts_with_all = ["pairs", "no_verify", "idf_min", "idf_max"], value_parser = path())]
    pub like: Option<PathBuf>,
    /// Join the files of `segment shatter near` and `segment query near` in this folder, which were made with the same
    /// options, instead of reading the documents; the index is used as it is
    #[arg(long, value_name = "DIR", conflicts_with_all = ["like", "rebuild"], value_parser = path())]
    pub reduce: Option<PathBuf>,
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

/// What `--emit` prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Emit {
    /// The files of representatives.
    Keep,
    /// The files of all others in clusters.
    Drop,
}

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

impl NearArgs {
    /// What is searched for. `antecedents` are those that `--antecedents` names.
    ///
    /// # Errors
    /// A sentence about an option that has no effect with the method.
    pub fn settings(&self, memory: u64, antecedents: &Antecedents) -> Result<NearSettings, String> {
        let settings = self.compared.settings(memory, antecedents)?;
        let method = self.compared.method;
        if self.explain && method != MethodName::MinHash {
            return Err(self.compared.no_effect("--explain", &[MethodName::MinHash]));
        }
        let compares_folders = self.like.is_none() && !self.pairs && self.emit.is_none();
        if method == MethodName::Identical && self.compared.threshold.is_some() && !compares_folders {
            return Err("--threshold has an effect on identical documents only where folders are listed; \
                        leave it out, or list clusters"
                .to_owned());
        }
        let rule = ClusterRule {
            linkage: self.linkage.unwrap_or_default(),
            keep: self.keep.unwrap_or_default(),
            ..settings.rule
        };
        Ok(NearSettings { rule, clusters: !self.pairs, ..settings })
    }
}
