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

use std::io;
use std::path::{Component, Path, PathBuf};

use xxhash_rust::xxh3::xxh3_64;

use super::args::{FindArgs, OnlyArgs, TargetArgs};
use super::error::CliError;
use super::progress::{Terminal, Then};
use super::target::CorpusTarget;
use crate::config::Settings;
use crate::corpus::{self, SkipReason};
use crate::index::snapshot::Snapshot;
use crate::query::offsets::FileOffsets;
use crate::storage::shown;
use crate::taboo::{AcceptedList, AcceptedSet, TabooList, TabooSet};

/// The index that a verb asks, brought up to date, with the files that it looks at. `place` is the corpus if it is given without `-C`.
fn ask(
    find: &FindArgs,
    only: Option<&OnlyArgs>,
    place: Option<&Path>,
    settings: &Settings,
) -> Result<(CorpusTarget, Snapshot), CliError> {
    ask_index(&find.target, only, place, settings)
}

/// The same for a verb that prints no findings.
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
    let choice = only.map(OnlyArgs::choice).filter(|choice| !choice.is_all());
    // Before the index is made: a wrong use is told at once.
    let matcher = choice.map(|choice| choice.matcher(&place.corpus.base)).transpose()?;
    let terminal = Terminal::new(false, Then::Answer).map_err(CliError::Signals)?;
    let snapshot = place.snapshot_with(target.no_update, needs_sketches, &terminal);
    terminal.clear();
    let snapshot = snapshot?;
    let snapshot = match matcher {
        Some(matcher) => snapshot.only(&|path| matcher.matches(path)),
        None => snapshot,
    };
    Ok((place, snapshot))
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
    Ok(AcceptedSet::new(&AcceptedList::load(&place.options.home)?))
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
    /// Reads a file, or standard input for `-`.
    pub(super) fn read(file: &Path) -> Result<Self, CliError> {
        let mut bytes = Vec::new();
        let name = if file.as_os_str() == "-" {
            bytes = corpus::read_stream(io::stdin().lock()).map_err(CliError::Input)?;
            "standard input".to_owned()
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
