//! `near`: documents that are the same or similar as wholes.

mod emit;
mod method;

use std::path::{Path, PathBuf};

use clap::Args;

pub(super) use method::{MethodArgs, antecedents};

use super::args::{FindArgs, OnlyArgs, PathGlob, PlaceArgs, path};
use super::ask::{Given, Question, ask};
use super::error::CliError;
use super::output::{Outcome, Output, tell};
use super::progress::SearchBar;
use super::target::CorpusTarget;
use dupi_base::config::Settings;
use dupi_base::storage::Folder;
use dupi_index::index::snapshot::Snapshot;
use dupi_index::query::documents::Document;
use dupi_ingest::UpdateError;
use dupi_near::blocks::{BlockPlan, reduce};
use dupi_near::clusters::Linkage;
use dupi_near::found::Found;
use dupi_near::like::{GivenText, like};
use dupi_near::minhash::Bands;
use dupi_near::search::find;
use dupi_near::settings::Keep;
use dupi_near::settings::{ClusterRule, NearSettings};
use dupi_near::spotsigs::Antecedents;
use dupi_report::{DocumentName, NearClusterRow, NearPairRow, NearTreesRow, ReportRow, name_of};
use emit::Emit;
use method::{MethodName, Named, named};

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
    /// Which corpus.
    #[command(flatten)]
    pub place: PlaceArgs,
    /// How documents are compared.
    #[command(flatten)]
    pub compared: MethodArgs,
    /// With minhash, tell on standard error which share of the pairs is found, by similarity
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
    #[arg(long, conflicts_with_all = ["pairs", "like", "format", "json"], value_enum)]
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

impl NearArgs {
    /// What is searched for. `antecedents` are those that `--antecedents` names.
    ///
    /// # Errors
    /// A sentence about an option that has no effect with the method.
    pub(super) fn settings(&self, memory: u64, antecedents: &Antecedents) -> Result<NearSettings, CliError> {
        let settings = self.compared.settings(memory, antecedents)?;
        let method = self.compared.method;
        if self.explain && method != MethodName::MinHash {
            return Err(self.compared.no_effect("--explain", &[MethodName::MinHash]));
        }
        let compares_folders = self.like.is_none() && !self.pairs && self.emit.is_none();
        if method == MethodName::Identical && self.compared.threshold.is_some() && !compares_folders {
            return Err(CliError::failed(
                "--threshold has an effect on identical documents only where folders are listed; leave it out, or list \
                 clusters",
            ));
        }
        let rule = ClusterRule {
            linkage: self.linkage.unwrap_or_default(),
            keep: self.keep.unwrap_or_default(),
            ..settings.rule
        };
        Ok(NearSettings { rule, clusters: !self.pairs, ..settings })
    }
}

/// Lists the similar documents of a corpus, or those that are similar to a file.
pub(super) fn run(args: &NearArgs, settings: &Settings) -> Result<Outcome, CliError> {
    // Before the index is made: a wrong use is told at once.
    let antecedents = antecedents(&args.compared)?;
    let needs_sketches = args.settings(0, &antecedents)?.uses_sketches();
    let given = args.like.as_deref().map(|file| Ok::<_, CliError>((file, Given::read(file)?))).transpose()?;
    let parts = args.reduce.as_deref();
    let needs_sketches = needs_sketches && parts.is_none();
    let usual = Question::new(args.place.place.as_deref(), &args.only);
    let question = Question { needs_sketches, is_as_it_is: parts.is_some(), ..usual };
    let (place, snapshot) = ask(&args.find.target, settings, question)?;
    if needs_sketches {
        snapshot.segments().iter().filter_map(|live| live.sketches().err()).for_each(tell);
    }
    let wanted = args.settings(place.options.memory, &antecedents)?;
    answer(args, (&place, &snapshot), &wanted, given, parts)
}

/// Prints what is similar in an index, or to a given text; with `parts` what is found in the parts in this folder.
pub(super) fn answer(
    args: &NearArgs,
    (place, snapshot): (&CorpusTarget, &Snapshot),
    wanted: &NearSettings,
    given: Option<(&Path, Given)>,
    parts: Option<&Path>,
) -> Result<Outcome, CliError> {
    let threads = rayon::ThreadPoolBuilder::new().num_threads(place.options.threads).build();
    let pool = threads.map_err(UpdateError::Threads)?;
    let (is_empty, too_large, omitted) = match given {
        Some((file, given)) => {
            let (is_empty, too_large) = pool.install(|| list_like(args, snapshot, wanted, file, &given))?;
            (is_empty, too_large, 0)
        }
        None => {
            if args.explain {
                explain(wanted.rule.threshold);
            }
            let bar = SearchBar::new("comparing");
            let found = pool.install(|| match parts {
                None => find(snapshot, wanted, &bar.tick()),
                Some(folder) => {
                    let plan = BlockPlan::in_folder(snapshot, wanted, Folder::new(folder))?;
                    reduce(&plan, &bar.tick())
                }
            })?;
            drop(bar);
            let is_empty = match args.emit {
                Some(emit) => {
                    let is_meant = |document: &Document| is_meant(args, snapshot, document);
                    emit::print((emit, args.null, args.top), snapshot, wanted, &found, is_meant)?
                }
                None if args.pairs => list_pairs(args, snapshot, &found)?,
                None => list_clusters(args, snapshot, &found)?,
            };
            (is_empty, found.too_large, found.omitted)
        }
    };
    let unread = Outcome::from_answer(is_empty, snapshot.unread());
    let omitted_some = |what: String| CliError::Failed(format!("the answer is incomplete; omitted: {what}"));
    let too_large =
        (too_large > 0).then(|| omitted_some(format!("{too_large} files too large for the memory limit")));
    let omitted = (omitted > 0).then(|| {
        omitted_some(format!(
            "{omitted} pairs between the documents that are listed; use a smaller --distance, or more --memory"
        ))
    });
    // The last of them ends the program, and the others are told before.
    [too_large, omitted].into_iter().flatten().fold(unread, |before, next| {
        before.err().iter().for_each(tell);
        Err(next)
    })
}

/// Tells how a signature is cut into bands, and which share of the pairs of each similarity is found by it.
fn explain(threshold: f64) {
    let bands = Bands::choose(threshold);
    let percent = |share: f64| format!("{:.1} %", (share * 1000.0).floor() / 10.0);
    let curve: Vec<String> =
        bands.curve().into_iter().map(|(at, share)| format!("{at:.2}: {}", percent(share))).collect();
    tell(format_args!(
        "minhash compares documents that agree in one of {} bands of {} hashes; of the pairs from {threshold} to 1, {} are \
         expected to be found; by similarity: {}",
        bands.bands,
        bands.rows,
        percent(bands.expected_recall(threshold)),
        curve.join(", "),
    ));
}

/// Whether a document is in a file that is asked for.
fn is_meant(args: &NearArgs, snapshot: &Snapshot, document: &Document) -> bool {
    args.path.as_ref().is_none_or(|pattern| pattern.matches(snapshot.path(snapshot.file_of(document.id))))
}

fn list_clusters(args: &NearArgs, snapshot: &Snapshot, found: &Found) -> Result<bool, CliError> {
    let meant = |number: u32| is_meant(args, snapshot, &found.documents[number as usize]);
    let is_identical = matches!(args.compared.method, MethodName::Identical);
    let trees = found
        .trees
        .iter()
        .filter(|tree| tree.folders.iter().any(|folder| folder.documents.clone().any(meant)));
    let clusters = found.clusters.iter().filter(|cluster| {
        !cluster.is_in_trees && cluster.members.iter().any(|member| meant(member.document))
    });
    let trees = trees.map(|tree| Box::new(NearTreesRow::from(tree)) as Box<dyn ReportRow>);
    let clusters =
        clusters.map(|cluster| Box::new(NearClusterRow::new(snapshot, found, cluster, is_identical)) as _);
    print(args, &snapshot.manifest().corpus.base, trees.chain(clusters))
}

fn list_pairs(args: &NearArgs, snapshot: &Snapshot, found: &Found) -> Result<bool, CliError> {
    let pairs = found.all_pairs().filter_map(|pair| {
        let (a, b) = (&found.documents[pair.a as usize], &found.documents[pair.b as usize]);
        (is_meant(args, snapshot, a) || is_meant(args, snapshot, b)).then(|| {
            let (path, partner) = (name_of(snapshot, a), name_of(snapshot, b));
            Box::new(NearPairRow::new(pair.similarity, path, partner)) as _
        })
    });
    print(args, &snapshot.manifest().corpus.base, pairs)
}

/// Lists the documents that are similar to a given text. Also returns how many files were skipped.
fn list_like(
    args: &NearArgs,
    snapshot: &Snapshot,
    wanted: &NearSettings,
    file: &Path,
    given: &Given,
) -> Result<(bool, u64), CliError> {
    let text = GivenText { path: file, text: &given.text, bytes: given.hash };
    let bar = SearchBar::new("comparing");
    let alike = like(snapshot, wanted, &text, &bar.tick())?;
    drop(bar);
    let rows = alike.documents.iter().filter(|(document, _)| is_meant(args, snapshot, document));
    let rows = rows.map(|(document, similarity)| {
        let path = DocumentName::new(file, None);
        Box::new(NearPairRow::new(*similarity, path, name_of(snapshot, document))) as _
    });
    Ok((print(args, &snapshot.manifest().corpus.base, rows)?, alike.too_large))
}

/// Prints the first rows, and returns whether there were none.
fn print(
    args: &NearArgs,
    base: &Path,
    rows: impl Iterator<Item = Box<dyn ReportRow>>,
) -> Result<bool, CliError> {
    let mut output = Output::begin_on(&args.find.format, base)?;
    let mut is_empty = true;
    for row in rows.take(args.top.unwrap_or(usize::MAX)) {
        is_empty = false;
        output.row(&*row)?;
    }
    output.end()?;
    Ok(is_empty)
}
