//! `exclude`: edits the list of files and folders that are left out of a corpus. `add` and `remove` bring an index that
//! exists up to date.

use std::path::{Component, Path, PathBuf};

use clap::{Args, Subcommand};

use super::args::{ListArgs, TargetArgs, path};
use super::decisions::numbered;
use super::error::CliError;
use super::output::{Outcome, Output, say, tell};
use super::progress::{Terminal, Then};
use super::target::{CorpusTarget, home_of};
use dupi_base::config::Settings;
use dupi_base::corpus::{Corpus, PathScope};
use dupi_base::storage::shown;
use dupi_index::index::manifest::Manifest;
use dupi_index::taboo::{ExcludedEntry, ExcludedList, today};
use dupi_ingest::{Observer, bring_up_to_date};
use dupi_report::{DocumentName, ExcludedRow};

/// `exclude`.
#[derive(Debug, Subcommand)]
pub enum ExcludeVerb {
    /// Leave files and folders out of the corpus from now on
    Add(Box<ExcludeAddArgs>),
    /// List the files and folders that are left out by these decisions; `inspect --skipped` lists all that are left out
    List(ListArgs),
    /// Index a file or folder again
    Remove(Box<ExcludeRemoveArgs>),
}

/// `exclude add`.
#[derive(Debug, Args)]
pub struct ExcludeAddArgs {
    /// Files and folders of the corpus, relative to the current folder or to that of the corpus
    #[arg(required = true, value_name = "PATH", value_parser = path())]
    pub paths: Vec<PathBuf>,
    /// The reason, for readers of the list
    #[arg(long)]
    pub reason: Option<String>,
    /// Which corpus.
    #[command(flatten)]
    pub target: TargetArgs,
}

/// `exclude remove`.
#[derive(Debug, Args)]
pub struct ExcludeRemoveArgs {
    /// A number from `exclude list`, or a path
    #[arg(value_name = "PATH", value_parser = path())]
    pub what: PathBuf,
    /// Which corpus.
    #[command(flatten)]
    pub target: TargetArgs,
}

/// Runs a verb of `exclude`.
pub(super) fn run(verb: &ExcludeVerb, settings: &Settings) -> Result<Outcome, CliError> {
    match verb {
        ExcludeVerb::Add(args) => add(args, settings),
        ExcludeVerb::List(args) => list(args),
        ExcludeVerb::Remove(args) => remove(args, settings),
    }
}

fn add(args: &ExcludeAddArgs, settings: &Settings) -> Result<Outcome, CliError> {
    let place = CorpusTarget::of_verb(&args.target, None, settings)?;
    let entry = |given: &PathBuf| {
        let path = existing(&place.corpus, given)?;
        ExcludedEntry::new(&path, today(), args.reason.clone())
            .ok_or_else(|| CliError::failed("this is the whole corpus; give a file or folder in it"))
    };
    let entries = args.paths.iter().map(entry).collect::<Result<Vec<_>, _>>()?;
    let (_, said) = ExcludedList::edit(&place.options.home, |list| {
        let mut exclude = |entry: ExcludedEntry| {
            let path = entry.path();
            let start = if list.exclude([entry]) > 0 { "left out from now on" } else { "left out already" };
            format!("{start}: {}\n", shown(&path))
        };
        entries.into_iter().map(&mut exclude).collect::<String>()
    })?;
    say(&said)?;
    follow(&place, args.target.no_update)
}

fn list(args: &ListArgs) -> Result<Outcome, CliError> {
    let list = ExcludedList::load(&home_of(&args.home)?)?;
    let rows = (1..).zip(list.entries()).map(|(number, entry)| {
        let (added, path) = (entry.added.to_string(), DocumentName::new(&entry.path(), None));
        ExcludedRow { number, added, path, reason: entry.reason.clone() }
    });
    Output::list(&args.format, rows)
}

fn remove(args: &ExcludeRemoveArgs, settings: &Settings) -> Result<Outcome, CliError> {
    let place = CorpusTarget::of_verb(&args.target, None, settings)?;
    // The file need not exist any more.
    let named = [within(&place.corpus, &args.what), Some(args.what.clone())];
    let named: Vec<ExcludedEntry> =
        named.iter().flatten().filter_map(|path| ExcludedEntry::new(path, today(), None)).collect();
    let (list, removed) = ExcludedList::edit(&place.options.home, |list| {
        let by_number = args.what.to_str().and_then(|what| numbered(list, what)).cloned();
        by_number.iter().chain(&named).find_map(|entry| list.take(entry))
    })?;
    let Some(removed) = removed else {
        let above = |entry: &&ExcludedEntry| {
            let folder = PathScope::new([&*entry.path()]);
            named.iter().any(|named| folder.is_above(&named.path()))
        };
        if let Some(folder) = list.entries().iter().find(above) {
            tell(format_args!("it is left out with the folder {}", shown(&folder.path())));
        }
        return Ok(Outcome::Nothing);
    };
    say(&format!("no longer left out: {}\n", shown(&removed.path())))?;
    follow(&place, args.target.no_update)
}

/// Has the index follow the list at once, if there is an index that this process may write.
fn follow(place: &CorpusTarget, no_update: bool) -> Result<Outcome, CliError> {
    if Manifest::read(&place.options.home).is_err() {
        return Ok(Outcome::Done);
    }
    if no_update {
        say("the index follows with its next update\n")?;
        return Ok(Outcome::Done);
    }
    let terminal = Terminal::new(true, Then::Answer)?;
    match place.open() {
        Ok(mut updater) => {
            bring_up_to_date(&mut updater, &terminal)?;
            if terminal.is_cancelled() {
                return Err(CliError::Interrupted);
            }
            Outcome::from_answer(false, updater.snapshot().unread())
        }
        Err(CliError::Update(error)) if error.is_locked() => {
            tell(format_args!("{error}; that process follows the list with its next update"));
            Ok(Outcome::Done)
        }
        Err(error) => Err(error),
    }
}

/// The path, relative to the corpus's base, of a file or folder that was named relative to the current folder or to the
/// base.
fn existing(corpus: &Corpus, given: &Path) -> Result<PathBuf, CliError> {
    let is_there = |path: &Path| path.symlink_metadata().is_ok();
    if is_there(given)
        && let Some(path) = within(corpus, given)
    {
        return Ok(path);
    }
    let in_corpus = corpus.base.join(given);
    if is_there(&in_corpus)
        && let Some(path) = within(corpus, &in_corpus)
    {
        return Ok(path);
    }
    let (given_path, base) = (shown(given), shown(&corpus.base));
    Err(CliError::Failed(if is_there(given) {
        format!("{given_path} is not in the corpus {base}")
    } else {
        format!("there is no file or folder {given_path}, neither here nor in {base}; check the path")
    }))
}

/// A path relative to the corpus's base, if it is in the corpus, or has a part of the corpus in it. Links above the base
/// are resolved; links below it stay, as the corpus names files by them.
fn within(corpus: &Corpus, given: &Path) -> Option<PathBuf> {
    let path = std::path::absolute(given).ok()?;
    let from = |above: &Path| {
        let rest = path.strip_prefix(above).ok()?;
        let leads_up = rest.components().any(|part| part == Component::ParentDir);
        let real = above.canonicalize().ok().filter(|_| !leads_up)?;
        let whole: PathBuf = real.join(rest).components().collect();
        let is_in = corpus.roots.iter().any(|root| whole.starts_with(root) || root.starts_with(&whole));
        whole.strip_prefix(&corpus.base).ok().filter(|_| is_in).map(Path::to_owned)
    };
    let mut above: Vec<&Path> = path.ancestors().collect();
    above.reverse();
    above.into_iter().find_map(from)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_path_is_found_through_links_and_from_the_base() {
        let place = tempfile::tempdir().unwrap();
        let base = place.path().canonicalize().unwrap().join("real");
        fs::create_dir_all(base.join("a/b")).unwrap();
        fs::write(base.join("a/b/file"), "text").unwrap();
        fs::create_dir(place.path().join("elsewhere")).unwrap();
        fs::write(place.path().join("elsewhere/f"), "text").unwrap();
        symlink(&base, place.path().join("link")).unwrap();
        symlink(place.path().join("elsewhere"), base.join("followed")).unwrap();
        let corpus = Corpus::resolve(&[place.path().join("link")]).unwrap();
        let found = |path: &Path| existing(&corpus, path).map_err(|error| error.to_string());
        for (given, expected) in [
            (place.path().join("link/a/b/file"), "a/b/file"),
            (place.path().join("link/a/../a/b"), "a/b"),
            (base.join("followed/f"), "followed/f"),
            ("a/b/".into(), "a/b"),
            (base.clone(), ""),
        ] {
            assert_eq!(found(&given), Ok(expected.into()), "{}", shown(&given));
        }
        assert!(found(&place.path().join("elsewhere/f")).unwrap_err().contains("is not in the corpus"));
        assert!(found(Path::new("a/none")).unwrap_err().contains("there is no file or folder a/none"));
        let part = Corpus { roots: vec![base.join("a/b")], base: base.clone() };
        assert_eq!(existing(&part, &base.join("a")).unwrap(), Path::new("a"));
        assert!(existing(&part, &base.join("followed/f")).is_err());
    }
}
