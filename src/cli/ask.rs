//! The verbs that ask an index something.

pub(super) mod blot;
pub(super) mod extract;
pub(super) mod history;
pub(super) mod inspect;
pub(super) mod like;
pub(super) mod near;
pub(super) mod passages;
pub(super) mod review;
pub(super) mod shares;
pub(super) mod unblot;

use std::fs::File;
use std::io;
use std::os::unix::fs::FileTypeExt;
use std::path::{Component, Path, PathBuf};

use xxhash_rust::xxh3::xxh3_64;

use super::args::{FindArgs, MatchArgs, Matching, OnlyArgs, TargetArgs};
use super::error::CliError;
use super::outcome::tell_lack;
use super::progress::{Terminal, Then};
use super::target::CorpusTarget;
use dupi_base::config::{Kind, Settings};
use dupi_base::corpus::{self, FileMatcher, SkipReason};
use dupi_base::storage::{Folder, shown};
use dupi_index::index::snapshot::Snapshot;
use dupi_index::query::offsets::FileOffsets;
use dupi_index::taboo::{AcceptedList, AcceptedSet, AsideList, TabooList, TabooSet};
use dupi_text::token::IgnoredText;

/// The index that a verb asks, brought up to date, with the files that it looks at. `place` is the corpus if it is given without `-C`.
pub(super) fn ask(
    find: &FindArgs,
    only: Option<&OnlyArgs>,
    place: Option<&Path>,
    settings: &Settings,
) -> Result<(CorpusTarget, Snapshot), CliError> {
    ask_index(&find.target, only, place, settings)
}

/// The same of the index for a way of matching and for what is not read.
fn ask_matching(
    find: &FindArgs,
    only: Option<&OnlyArgs>,
    place: Option<&Path>,
    settings: &Settings,
    (by, ignored): (Matching, IgnoredText),
) -> Result<(CorpusTarget, Snapshot), CliError> {
    let place = CorpusTarget::of_verb(&find.target, place, settings)?;
    let place = place.matching(by, ignored, !find.target.no_update)?;
    ask_target(place, find.target.no_update, only, false)
}

/// The same as [`ask`] for a verb that prints no findings.
pub(super) fn ask_index(
    target: &TargetArgs,
    only: Option<&OnlyArgs>,
    place: Option<&Path>,
    settings: &Settings,
) -> Result<(CorpusTarget, Snapshot), CliError> {
    ask_with(target, only, place, settings, false)
}

/// The same, if need be with the sketches of all documents.
fn ask_with(
    target: &TargetArgs,
    only: Option<&OnlyArgs>,
    place: Option<&Path>,
    settings: &Settings,
    needs_sketches: bool,
) -> Result<(CorpusTarget, Snapshot), CliError> {
    let place = CorpusTarget::of_verb(target, place, settings)?;
    ask_target(place, target.no_update, only, needs_sketches)
}

/// The same for a verb that tells what an index lacks.
fn look_at(
    target: &TargetArgs,
    only: &OnlyArgs,
    place: Option<&Path>,
    settings: &Settings,
) -> Result<(CorpusTarget, Snapshot), CliError> {
    let place = CorpusTarget::of_verb(target, place, settings)?;
    let (snapshot, matcher) = newest(&place, target.no_update, Some(only), false)?;
    Ok((place, part(snapshot, matcher)))
}

/// The same as [`ask`] of the index as it is, whatever has changed since.
pub(super) fn ask_as_it_is(
    target: &TargetArgs,
    only: Option<&OnlyArgs>,
    place: Option<&Path>,
    settings: &Settings,
) -> Result<(CorpusTarget, Snapshot), CliError> {
    ask_target(CorpusTarget::of_verb(target, place, settings)?, true, only, false)
}

fn ask_target(
    place: CorpusTarget,
    no_update: bool,
    only: Option<&OnlyArgs>,
    needs_sketches: bool,
) -> Result<(CorpusTarget, Snapshot), CliError> {
    let (snapshot, matcher) = newest(&place, no_update, only, needs_sketches)?;
    tell_lack(&snapshot)?;
    Ok((place, part(snapshot, matcher)))
}

/// The newest generation, and what the chosen files match.
fn newest(
    place: &CorpusTarget,
    no_update: bool,
    only: Option<&OnlyArgs>,
    needs_sketches: bool,
) -> Result<(Snapshot, Option<FileMatcher>), CliError> {
    // Before the index is made: a wrong use is told at once.
    let matcher = only.map(|only| matcher(only, &place.corpus.base)).transpose()?.flatten();
    let terminal = Terminal::new(false, Then::Answer).map_err(CliError::Signals)?;
    let snapshot = place.snapshot_with(no_update, needs_sketches, &terminal);
    terminal.clear();
    Ok((snapshot?, matcher))
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
fn hidden(place: &CorpusTarget, snapshot: &Snapshot) -> Result<TabooSet, CliError> {
    let recipe = &snapshot.manifest().recipe;
    let folders = place.folders();
    let mut set = TabooSet::new(&TabooList::load(&folders.corpus)?, recipe);
    folders.load_user()?.entries().iter().for_each(|entry| set.add(entry, recipe));
    Ok(set)
}

/// What was reviewed in a corpus and stays.
fn accepted(place: &CorpusTarget) -> Result<AcceptedSet, CliError> {
    Ok(AcceptedSet::new(&AcceptedList::load(&place.options.decisions)?))
}

/// The kinds that are set aside: those that are given, or those of the settings as they were decided for a corpus.
fn aside(given: Option<&[Kind]>, decisions: &Folder, settings: &Settings) -> Result<Vec<Kind>, CliError> {
    match given {
        Some(kinds) => Ok(kinds.to_vec()),
        None => Ok(AsideList::load(decisions)?.of(settings.aside.as_deref().unwrap_or(&Kind::ASIDES))),
    }
}

/// Refuses a gap where only equal runs are found.
pub(super) fn refuse_gap(matching: &MatchArgs, gap: Option<u32>) -> Result<(), CliError> {
    if matching.contradicts(gap) {
        return Err(CliError::Usage(format!(
            "--match {} finds equal runs only; leave out --gap, or give 0",
            matching.by
        )));
    }
    Ok(())
}

/// The path of a document or folder relative to a corpus's base, for an argument.
fn in_corpus(given: &Path, base: &Path) -> PathBuf {
    let below = given.strip_prefix(base).unwrap_or(given);
    below.components().filter(|name| *name != Component::CurDir).collect()
}

/// The error for a document or folder that the corpus does not have.
fn no_document_in(given: &Path) -> CliError {
    CliError::Usage(format!(
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
        let mut bytes = Vec::new();
        let name = if file.as_os_str() == "-" {
            bytes = corpus::read_stream(io::stdin().lock()).map_err(CliError::Input)?;
            "standard input".to_owned()
        } else if file.metadata().is_ok_and(|found| found.file_type().is_fifo()) {
            let name = shown(file).to_string();
            let read = File::open(file).and_then(corpus::read_stream);
            bytes = read.map_err(|error| CliError::File(name.clone(), SkipReason::from_io(&error)))?;
            name
        } else {
            let name = shown(file).to_string();
            corpus::read(file, u64::from(u32::MAX), &mut bytes).map_err(|reason| match reason {
                SkipReason::Vanished => CliError::NoFile(name.clone()),
                reason => CliError::File(name.clone(), reason),
            })?;
            name
        };
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
