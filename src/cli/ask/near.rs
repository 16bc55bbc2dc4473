//! `near`: documents that are the same or similar as wholes.

mod emit;

use std::path::Path;

use super::{Given, ask_as_it_is, ask_with};
use crate::cli::args::{MethodArgs, MethodName, NearArgs};
use crate::cli::error::CliError;
use crate::cli::messages::tell;
use crate::cli::outcome::Outcome;
use crate::cli::output::Output;
use crate::cli::progress::SearchBar;
use crate::cli::target::CorpusTarget;
use dupi_base::config::Settings;
use dupi_base::storage::Folder;
use dupi_index::index::search::SearchError;
use dupi_index::index::snapshot::Snapshot;
use dupi_ingest::UpdateError;
use dupi_near::NearError;
use dupi_near::blocks::{BlockPlan, reduce};
use dupi_near::documents::Document;
use dupi_near::found::Found;
use dupi_near::like::{GivenText, like};
use dupi_near::minhash::Bands;
use dupi_near::search::find;
use dupi_near::settings::NearSettings;
use dupi_near::spotsigs::Antecedents;
use dupi_report::{DocumentName, NearClusterRow, NearPairRow, NearTreesRow, ReportRow, name_of};

/// Lists the similar documents of a corpus, or those that are similar to a file.
pub(crate) fn run(args: &NearArgs, settings: &Settings) -> Result<Outcome, CliError> {
    // Before the index is made: a wrong use is told at once.
    let antecedents = antecedents(&args.compared)?;
    let needs_sketches = args.settings(0, &antecedents).map_err(CliError::Usage)?.uses_sketches();
    let given = args.like.as_deref().map(|file| Ok::<_, CliError>((file, Given::read(file)?))).transpose()?;
    let (target, only) = (&args.find.target, Some(&args.only));
    let parts = args.reduce.as_deref();
    let (place, snapshot) = match parts {
        None => ask_with(target, only, args.place.as_deref(), settings, needs_sketches)?,
        Some(_) => ask_as_it_is(target, only, args.place.as_deref(), settings)?,
    };
    if needs_sketches && parts.is_none() {
        snapshot.segments().iter().filter_map(|live| live.sketches().err()).for_each(tell);
    }
    let wanted = args.settings(place.options.memory, &antecedents).map_err(CliError::Usage)?;
    answer(args, (&place, &snapshot), &wanted, given, parts)
}

/// Prints what is similar in an index, or to a given text; with `parts` what is found in the parts in this folder.
pub(crate) fn answer(
    args: &NearArgs,
    (place, snapshot): (&CorpusTarget, &Snapshot),
    wanted: &NearSettings,
    given: Option<(&Path, Given)>,
    parts: Option<&Path>,
) -> Result<Outcome, CliError> {
    let threads = rayon::ThreadPoolBuilder::new().num_threads(place.options.threads).build();
    let pool = threads.map_err(|error| CliError::Update(UpdateError::Threads(error)))?;
    let (is_empty, too_large, omitted) = match given {
        Some((file, given)) => {
            let (is_empty, too_large) = pool.install(|| list_like(args, snapshot, wanted, file, &given))?;
            (is_empty, too_large, 0)
        }
        None => {
            if args.explain {
                explain(wanted.rule.threshold);
            }
            let found = pool.install(|| match parts {
                None => with_bar(|tick| find(snapshot, wanted, tick)),
                Some(folder) => {
                    let plan = BlockPlan::in_folder(snapshot, wanted, Folder::new(folder))?;
                    with_bar(|tick| reduce(&plan, tick))
                }
            })?;
            let is_empty = match args.emit {
                Some(emit) => {
                    let is_meant = |document: &Document| is_meant(args, snapshot, document);
                    emit::emit(args, emit, snapshot, wanted, &found, is_meant)?
                }
                None if args.pairs => list_pairs(args, snapshot, &found)?,
                None => list_clusters(args, snapshot, &found)?,
            };
            (is_empty, found.too_large, found.omitted)
        }
    };
    let unread = Outcome::of(is_empty, snapshot.unread());
    let too_large = (too_large > 0).then_some(CliError::TooLargeFiles(too_large));
    let omitted = (omitted > 0).then_some(CliError::OmittedPairs(omitted));
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

/// The antecedents of a language, of a file, or of all languages.
pub(crate) fn antecedents(args: &MethodArgs) -> Result<Antecedents, CliError> {
    let Some(given) = &args.antecedents else { return Ok(Antecedents::of_all_languages()) };
    if let Some(Ok(of_language)) = given.to_str().map(Antecedents::of_language) {
        return Ok(of_language);
    }
    Antecedents::parse(&Given::read(given)?.text).map_err(|error| CliError::Usage(error.to_string()))
}

fn with_bar<T>(
    search: impl FnOnce(&dupi_index::index::search::Tick) -> Result<T, NearError>,
) -> Result<T, NearError> {
    let bar = SearchBar::new("comparing");
    search(&|share| {
        bar.set(share);
        Ok::<(), SearchError>(())
    })
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
    let trees = trees.map(|tree| ReportRow::NearTrees(NearTreesRow::from(tree)));
    let clusters = clusters
        .map(|cluster| ReportRow::NearCluster(NearClusterRow::new(snapshot, found, cluster, is_identical)));
    print(args, &snapshot.manifest().corpus.base, trees.chain(clusters))
}

fn list_pairs(args: &NearArgs, snapshot: &Snapshot, found: &Found) -> Result<bool, CliError> {
    let pairs = found.all_pairs().filter_map(|pair| {
        let (a, b) = (&found.documents[pair.a as usize], &found.documents[pair.b as usize]);
        (is_meant(args, snapshot, a) || is_meant(args, snapshot, b)).then(|| {
            let (path, partner) = (name_of(snapshot, a), name_of(snapshot, b));
            ReportRow::NearPair(NearPairRow::new(pair.similarity, path, partner))
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
    let alike = with_bar(|tick| like(snapshot, wanted, &text, tick))?;
    let rows = alike.documents.iter().filter(|(document, _)| is_meant(args, snapshot, document));
    let rows = rows.map(|(document, similarity)| {
        let path = DocumentName::new(file, None);
        ReportRow::NearPair(NearPairRow::new(*similarity, path, name_of(snapshot, document)))
    });
    Ok((print(args, &snapshot.manifest().corpus.base, rows)?, alike.too_large))
}

/// Prints the first rows, and returns whether there were none.
fn print(args: &NearArgs, base: &Path, rows: impl Iterator<Item = ReportRow>) -> Result<bool, CliError> {
    Output::begin_on(&args.find.format, base)?.all(rows.take(args.top.unwrap_or(usize::MAX)))
}
