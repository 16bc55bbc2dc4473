//! `clean`: removes the index of a corpus, or all indexes whose corpus no longer exists.

use std::env;
use std::fs;
use std::iter;
use std::path::PathBuf;

use super::args::CleanArgs;
use super::error::CliError;
use super::outcome::Outcome;
use super::output::say;
use super::target::{beside_of, home};
use dupi_base::config::ProgramFolders;
use dupi_base::corpus::Corpus;
use dupi_base::storage::{Folder, shown, typed_path};
use dupi_index::index::IndexError;
use dupi_index::index::manifest::Manifest;
use dupi_index::index::writer::remove;
use dupi_index::taboo;

/// Removes indexes.
pub(super) fn run(args: &CleanArgs) -> Result<Outcome, CliError> {
    let index = || args.index.clone().or_else(|| env::var_os("DUPI_INDEX").map(|given| typed_path(&given)));
    let homes = match &args.path {
        _ if args.gone => gone()?,
        Some(path) => vec![home(&Corpus::resolve(std::slice::from_ref(path))?, None)?],
        None => match index() {
            Some(index) => vec![Folder::new(index)],
            None => vec![home(&Corpus::resolve(&[PathBuf::from(".")])?, None)?],
        },
    };
    // Those in which something is folded or not read go with the index of the corpus.
    let homes: Vec<Folder> =
        homes.into_iter().flat_map(|home| iter::once(home.clone()).chain(beside_of(&home))).collect();
    let mut removed = 0;
    for home in &homes {
        if is_absent(home) {
            continue;
        }
        remove(home)?;
        taboo::sweep(home).map_err(taboo::TabooError::from)?;
        // Fails when it contains decisions or other files; then it stays.
        let _ = fs::remove_dir(home.path());
        removed += 1;
        let mut kept: Vec<&str> = taboo::LISTS_IN_WORDS
            .into_iter()
            .filter_map(|(name, list)| home.at(name).exists().then_some(list))
            .collect();
        kept.dedup();
        let kept = match kept.len() {
            0 => String::new(),
            1 => format!("; {} stays", kept[0]),
            _ => format!("; {} stay", kept.join(" and ")),
        };
        say(&format!("removed the index in {}{kept}\n", shown(home.path())))?;
    }
    Ok(if removed == 0 { Outcome::Nothing } else { Outcome::Done })
}

fn is_absent(home: &Folder) -> bool {
    matches!(Manifest::read(home), Err(IndexError::Absent(_)))
}

/// The index folders whose corpus no longer exists.
fn gone() -> Result<Vec<Folder>, CliError> {
    let folder = ProgramFolders::find()?.indexes();
    let Ok(entries) = fs::read_dir(&folder) else { return Ok(Vec::new()) };
    let is_gone = |home: &Folder| Manifest::read(home).is_ok_and(|manifest| !manifest.corpus.base.exists());
    let mut homes: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    homes.sort();
    Ok(homes.into_iter().map(Folder::new).filter(is_gone).collect())
}
