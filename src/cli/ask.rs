//! What the verbs have in common that ask an index something: the index brought up to date, the decisions that count for
//! the answer, and texts that are given.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileTypeExt;
use std::path::{Component, Path, PathBuf};

use xxhash_rust::xxh3::xxh3_64;

use super::args::{Matching, OnlyArgs, TargetArgs};
use super::error::CliError;
use super::output::tell_lack;
use super::progress::{Terminal, Then};
use super::target::CorpusTarget;
use dupi_base::config::{Kind, Settings};
use dupi_base::corpus::{self, FileMatcher, SkipReason};
use dupi_base::storage::{Folder, shown};
use dupi_index::index::snapshot::Snapshot;
use dupi_index::query::offsets::FileOffsets;
use dupi_index::taboo::{
    AcceptedList, AcceptedSet, AsideList, CorrectedKinds, KindList, TabooList, TabooSet,
};
use dupi_text::token::IgnoredText;

/// Which index a verb asks, and what of it.
#[derive(Clone, Copy, Default)]
pub(super) struct Question<'a> {
    /// The corpus, if it is given without `-C`.
    pub place: Option<&'a Path>,
    /// The files that it looks at.
    pub only: Option<&'a OnlyArgs>,
    /// The way of matching and what is not read: for another one, the index beside that of the corpus is asked.
    pub matching: (Matching, IgnoredText),
    /// Whether all documents must have sketches.
    pub needs_sketches: bool,
    /// Whether the index is asked as it is, whatever has changed since.
    pub is_as_it_is: bool,
}

impl<'a> Question<'a> {
    /// The usual question: of the index of a corpus, brought up to date, about some of its files.
    pub(super) fn new(place: Option<&'a Path>, only: &'a OnlyArgs) -> Self {
        Self { place, only: Some(only), ..Self::default() }
    }
}

/// The index that a verb asks, brought up to date. Tells what it lacks.
pub(super) fn ask(
    target: &TargetArgs,
    settings: &Settings,
    question: Question,
) -> Result<(CorpusTarget, Snapshot), CliError> {
    let (place, snapshot) = look_at(target, settings, question)?;
    tell_lack(&snapshot)?;
    Ok((place, snapshot))
}

/// The same for a verb that itself tells what an index lacks.
pub(super) fn look_at(
    target: &TargetArgs,
    settings: &Settings,
    question: Question,
) -> Result<(CorpusTarget, Snapshot), CliError> {
    let Question { place, only, matching, needs_sketches, is_as_it_is } = question;
    let no_update = target.no_update || is_as_it_is;
    let place = CorpusTarget::of_verb(target, place, settings)?.matching(matching, !no_update)?;
    // Before the index is made: a wrong use is told at once.
    let matcher = only.map(|only| matcher(only, &place.corpus.base)).transpose()?.flatten();
    let terminal = Terminal::new(false, Then::Answer)?;
    let snapshot = place.snapshot_with(no_update, needs_sketches, &terminal);
    terminal.clear();
    Ok((place, part(snapshot?, matcher)))
}

/// A snapshot as if it had only the files that are chosen.
pub(super) fn chosen(snapshot: Snapshot, only: &OnlyArgs) -> Result<Snapshot, CliError> {
    let matcher = matcher(only, &snapshot.manifest().corpus.base)?;
    Ok(part(snapshot, matcher))
}

/// What the chosen files match; `None` if all are.
fn matcher(only: &OnlyArgs, base: &Path) -> Result<Option<FileMatcher>, CliError> {
    let choice = Some(only.choice()).filter(|choice| !choice.is_all());
    Ok(choice.map(|choice| choice.matcher(base)).transpose()?)
}

fn part(snapshot: Snapshot, matcher: Option<FileMatcher>) -> Snapshot {
    match matcher {
        Some(matcher) => snapshot.only(&|path| matcher.matches(path)),
        None => snapshot,
    }
}

/// What the taboo lists of a corpus and of the user hide.
pub(super) fn hidden(place: &CorpusTarget, snapshot: &Snapshot) -> Result<TabooSet, CliError> {
    let recipe = &snapshot.manifest().recipe;
    let folders = place.folders();
    let mut set = TabooSet::new(&TabooList::load(&folders.corpus)?, recipe);
    folders.load_user()?.entries().iter().for_each(|entry| set.add(entry, recipe));
    Ok(set)
}

/// What was reviewed in a corpus and stays.
pub(super) fn accepted(place: &CorpusTarget) -> Result<AcceptedSet, CliError> {
    Ok(AcceptedSet::new(&AcceptedList::load(&place.options.decisions)?))
}

/// The kinds that the user corrected in a corpus.
pub(super) fn corrected(place: &CorpusTarget) -> Result<CorrectedKinds, CliError> {
    Ok(CorrectedKinds::new(&KindList::load(&place.options.decisions)?))
}

/// The kinds that are set aside: those that are given, or those of the settings as they were decided for a corpus.
pub(super) fn aside(
    given: Option<&[Kind]>,
    decisions: &Folder,
    settings: &Settings,
) -> Result<Vec<Kind>, CliError> {
    match given {
        Some(kinds) => Ok(kinds.to_vec()),
        None => Ok(AsideList::load(decisions)?.apply(settings.aside.as_deref().unwrap_or(&Kind::ASIDES))),
    }
}

/// The path of a document or folder relative to a corpus's base, for an argument.
pub(super) fn in_corpus(given: &Path, base: &Path) -> PathBuf {
    let below = given.strip_prefix(base).unwrap_or(given);
    below.components().filter(|name| *name != Component::CurDir).collect()
}

/// The error for a document or folder that the corpus does not have.
pub(super) fn no_document_in(given: &Path) -> CliError {
    CliError::Failed(format!(
        "no document lies in {}; name a folder or file as `dupi-tui files` prints it",
        shown(given)
    ))
}

/// A text that a verb is given, with a way back to its bytes.
pub(super) struct Given {
    /// The text.
    pub text: String,
    /// xxh3-64 of its bytes.
    pub hash: u64,
    offsets: FileOffsets,
}

impl Given {
    /// Reads a file or a pipe, or standard input for `-`.
    pub(super) fn read(file: &Path) -> Result<Self, CliError> {
        let name =
            if file.as_os_str() == "-" { "standard input".to_owned() } else { shown(file).to_string() };
        let failed = |reason| match reason {
            SkipReason::Vanished => CliError::no_file(&name),
            reason => CliError::File(name.clone(), reason),
        };
        let mut bytes = Vec::new();
        if file.as_os_str() == "-" {
            bytes = corpus::read_stream(io::stdin().lock()).map_err(CliError::input)?;
        } else if file.metadata().is_ok_and(|found| found.file_type().is_fifo()) {
            let read = File::open(file).and_then(corpus::read_stream);
            bytes = read.map_err(|error| failed(SkipReason::from_io(&error)))?;
        } else {
            corpus::read(file, u64::from(u32::MAX), &mut bytes).map_err(failed)?;
        }
        let decoded = corpus::decode(&bytes).map_err(|reason| CliError::File(name, reason))?;
        let offsets = FileOffsets::new(decoded.encoding);
        let text = decoded.text.into_owned();
        Ok(Self { offsets, text, hash: xxh3_64(&bytes) })
    }

    /// Where in the bytes the character lies that begins at `at` in the text.
    pub(super) fn offset(&self, at: u64) -> u64 {
        self.offsets.get(&self.text, at as usize)
    }
}
