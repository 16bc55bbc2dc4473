//! Resolves arguments to a corpus, its index, and the options for both.

use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf, absolute};
use std::sync::Arc;

use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::args::{BuildArgs, HomeArgs, Matching, TargetArgs};
use super::error::CliError;
use super::output::{tell, tell_lack};
use dupi_base::config::{ProgramFolders, Settings};
use dupi_base::corpus::{Corpus, FileChoice, Watch};
use dupi_base::storage::{Folder, shown, typed_path};
use dupi_index::index::IndexError;
use dupi_index::index::home::check;
use dupi_index::index::manifest::Manifest;
use dupi_index::index::snapshot::Snapshot;
use dupi_index::taboo::DecisionFolders;
use dupi_ingest::{Observer, Opened, Options, UpdateError, Updater, bring_up_to_date};
use dupi_judge::kind::patterns::KindPatterns;
use dupi_text::blot::{Recipe, RecipeChoice, Selection};
use dupi_text::token::{Comments, IgnoredText, LEXING_VERSION, TokenMode};

/// The limit of the command line. It also applies to the number in the settings file.
pub(super) const MOST_THREADS: usize = 256;
/// Folded tokens repeat more often than others, so their tiles are longer. Every run of 25 is found, as passages need.
const FOLDED_K: u32 = 14;
const FOLDED_WINDOW: u32 = 12;

/// A corpus with its index and options.
pub(super) struct CorpusTarget {
    /// The corpus.
    pub corpus: Corpus,
    /// The folder of the index, and how it is built.
    pub options: Options,
    /// Whether the index is built anew.
    pub rebuild: bool,
}

impl CorpusTarget {
    /// The target of some paths, as [`corpus_of`] reads them.
    pub(super) fn of_paths(
        paths: &[PathBuf],
        (build, files): (&BuildArgs, FileChoice),
        watch: Watch,
        settings: &Settings,
    ) -> Result<Self, CliError> {
        let corpus = corpus_of(paths)?;
        let home = home(&corpus, build.index.as_deref())?;
        if !build.rebuild
            && let Ok(manifest) = Manifest::read(&home)
            && manifest.corpus != corpus
        {
            let (home, corpus) = (shown(home.path()), shown(&manifest.corpus.base));
            return Err(CliError::Failed(format!(
                "the index in {home} belongs to {corpus}; choose another folder with --index, or add --rebuild to replace it"
            )));
        }
        let options = options(home, (build, files), watch, settings)?;
        Ok(Self { corpus, options, rebuild: build.rebuild })
    }

    /// The target of a verb that queries an index. With `--index`, the corpus is the one recorded in the index.
    /// `place` is the corpus if it is given without `-C`.
    pub(super) fn of_verb(
        target: &TargetArgs,
        place: Option<&Path>,
        settings: &Settings,
    ) -> Result<Self, CliError> {
        if let Some(index) = &target.build.index
            && let home = Folder::new(index)
            && let Ok(manifest) = Manifest::read(&home)
        {
            let options = options(home, (&target.build, FileChoice::default()), Watch::Off, settings)?;
            return Ok(Self { corpus: manifest.corpus, options, rebuild: target.build.rebuild });
        }
        let given = place.map(Path::to_owned).or_else(|| target.corpus.clone());
        let named = || env::var_os("DUPI_CORPUS").filter(|name| !name.is_empty());
        let corpus = given.or_else(|| named().map(|name| typed_path(&name))).unwrap_or_else(|| ".".into());
        Self::of_paths(&[corpus], (&target.build, FileChoice::default()), Watch::Off, settings)
    }

    /// The index in a folder, with the corpus that is recorded in it.
    pub(super) fn of_index(index: &Path) -> Result<Self, CliError> {
        let home = ours(absolute(index).unwrap_or_else(|_| index.to_owned()))?;
        let corpus = Manifest::read(&home)?.corpus;
        Ok(Self { corpus, options: Options::new(home), rebuild: false })
    }

    /// The index beside this one for a way of matching and patterns of what is not read; itself if neither asks for another.
    /// It has the files and the decisions of this one, and is built when it is asked for first; with `tells` that is said.
    ///
    /// # Errors
    /// When another token mode is asked for too.
    pub(super) fn matching(
        mut self,
        (by, ignored): (Matching, IgnoredText),
        tells: bool,
    ) -> Result<Self, CliError> {
        if by == Matching::Exact && ignored.is_none() {
            return Ok(self);
        }
        let options = &mut self.options;
        if by != Matching::Exact && options.recipe.tokens.is_some() {
            return Err(CliError::failed(
                "--match chooses the tokens itself; leave out --tokens and --profile",
            ));
        }
        let main = Manifest::read(&options.home).ok();
        let of_main = main.as_ref().map_or_else(Recipe::default, |manifest| manifest.recipe);
        let comments = Some(options.recipe.comments.unwrap_or(of_main.comments));
        let usual = match by.tokens() {
            Some(tokens) => RecipeChoice {
                tokens: Some(tokens),
                comments,
                k: Some(FOLDED_K),
                selection: Some(Selection::Winnow(FOLDED_WINDOW)),
                ..RecipeChoice::default()
            },
            None => RecipeChoice::from(of_main),
        };
        options.recipe = RecipeChoice { ignored: Some(ignored), ..options.recipe.or(usual) };
        if let Some(manifest) = main {
            options.rules = options.rules.take().or(Some(manifest.rules));
            options.formats = options.formats.take().or(Some(manifest.formats));
        }
        options.sketches = options.sketches.or(Some(false));
        let recipe = options.recipe.apply(of_main);
        let name = options.home.path().file_name().unwrap_or_default().to_string_lossy();
        options.home = ours(options.home.path().with_file_name(beside(&name, &recipe)))?;
        if tells && !options.home.path().exists() {
            let (option, folds) = (format!("--match {by}"), by.folds());
            let (option, what) = match (by, ignored.is_none()) {
                (Matching::Exact, _) => ("--ignore-pattern".to_owned(), "what matches is blank".to_owned()),
                (_, true) => (option, folds.to_owned()),
                (_, false) => {
                    (format!("{option} --ignore-pattern"), format!("{folds}, and what matches is blank"))
                }
            };
            tell(format_args!(
                "{option} has an index of its own, in which {what}; it is built now, in {}",
                shown(options.home.path())
            ));
        }
        Ok(self)
    }

    /// Opens the index for writing, or creates it. A recipe that differs from that of the index is an error.
    pub(super) fn open(&self) -> Result<Box<Updater>, CliError> {
        if self.rebuild {
            let old = Manifest::read(&self.options.home).ok();
            return self.options.build(&self.corpus, old.as_ref()).map_err(CliError::Update);
        }
        match self.options.open(&self.corpus).map_err(CliError::Update)? {
            Opened::Ready(updater) => Ok(updater),
            Opened::Mismatch { sentence, .. } => Err(CliError::Failed(format!(
                "{sentence}; omit the options, or add --rebuild to rebuild the index"
            ))),
        }
    }

    /// A snapshot of the newest generation. Updates the index first, unless `no_update` is set or another process is
    /// writing it.
    ///
    /// # Errors
    /// [`CliError::Interrupted`] if the observer ended the update: an answer would lack what was not read yet. As
    /// [`tell_lack`].
    pub(super) fn snapshot(&self, no_update: bool, observer: &dyn Observer) -> Result<Snapshot, CliError> {
        let snapshot = self.snapshot_with(no_update, false, observer)?;
        tell_lack(&snapshot)?;
        Ok(snapshot)
    }

    /// The same, whatever it lacks. If sketches are needed, missing ones are made after the update.
    pub(super) fn snapshot_with(
        &self,
        no_update: bool,
        needs_sketches: bool,
        observer: &dyn Observer,
    ) -> Result<Snapshot, CliError> {
        if no_update {
            return self.newest();
        }
        match self.open() {
            Ok(mut updater) => {
                bring_up_to_date(&mut updater, observer)?;
                if observer.is_cancelled() {
                    return Err(CliError::Interrupted);
                }
                if needs_sketches {
                    match updater.sketch(observer) {
                        Err(UpdateError::Index(IndexError::Stopped)) => return Err(CliError::Interrupted),
                        made => made?,
                    }
                }
                Ok(updater.snapshot().clone())
            }
            Err(CliError::Update(error)) if error.is_locked() => {
                tell(format_args!("{error}; this answer uses its newest generation"));
                self.newest()
            }
            Err(error) => Err(error),
        }
    }

    /// The newest generation as it is.
    pub(super) fn newest(&self) -> Result<Snapshot, CliError> {
        let snapshot = Snapshot::open(&self.options.home)?;
        match snapshot.manifest().lexing == LEXING_VERSION {
            true => Ok(snapshot),
            false => Err(CliError::failed(
                "the index was built by another version of dupi-tui, with other tokens; without --no-update it is built anew",
            )),
        }
    }

    /// The folders of the decisions.
    pub(super) fn folders(&self) -> DecisionFolders {
        DecisionFolders { corpus: self.options.decisions.clone(), user: self.options.user.clone() }
    }

    /// The requested recipe. Unset parts are those of the index, or the defaults without an index.
    pub(super) fn recipe(&self) -> Result<Recipe, CliError> {
        match Manifest::read(&self.options.home) {
            Ok(manifest) => Ok(self.options.recipe.apply(manifest.recipe)),
            Err(IndexError::Absent(_)) => Ok(self.options.recipe.apply(Recipe::default())),
            Err(error) => Err(error.into()),
        }
    }
}

/// The corpus of some paths. `-` reads a list from standard input; no path means the current folder.
pub(super) fn corpus_of(paths: &[PathBuf]) -> Result<Corpus, CliError> {
    Ok(match paths {
        [] => Corpus::resolve(&[PathBuf::from(".")])?,
        [only] if only.as_os_str() == "-" => Corpus::from_list(io::stdin().lock())?,
        paths => Corpus::resolve(paths)?,
    })
}

/// The folders of the indexes beside that of a corpus: those in which something is folded, which need not exist, and those
/// in which some text is not read.
pub(super) fn beside_of(home: &Folder) -> Vec<Folder> {
    let name = home.path().file_name().unwrap_or_default().to_string_lossy();
    let modes = [TokenMode::Renamed, TokenMode::Literals, TokenMode::Loose];
    let of_mode = |tokens| {
        let of = |comments| beside(&name, &Recipe { tokens, comments, ..Recipe::default() });
        [Comments::Keep, Comments::Drop].map(of)
    };
    let folded = modes.into_iter().flat_map(of_mode).map(|name| home.path().with_file_name(name));
    let entries = home.path().parent().and_then(|parent| fs::read_dir(parent).ok());
    // The patterns are in the index alone, which may be damaged.
    let is_ours = |folder: &PathBuf| {
        let own = folder.file_name().unwrap_or_default().to_string_lossy();
        is_with_patterns(&own, &name) && check(&Folder::new(folder)).is_ok()
    };
    let others = entries.into_iter().flatten().flatten().map(|entry| entry.path());
    let mut others: Vec<PathBuf> = others.filter(is_ours).collect();
    others.sort();
    folded.chain(others).map(Folder::new).collect()
}

/// The name of the index for a recipe beside another index. With patterns the name ends with a fingerprint of the recipe;
/// without them the tokens and comments say all.
fn beside(name: &str, recipe: &Recipe) -> String {
    let Recipe { tokens, comments, ignored, .. } = recipe;
    let of_tokens = format!("{name}-{tokens}-{comments}");
    if ignored.is_none() {
        return of_tokens;
    }
    let all_read = Recipe { ignored: IgnoredText::default(), ..*recipe }.to_string();
    let print = xxh3_64_with_seed(all_read.as_bytes(), ignored.fingerprint());
    format!("{of_tokens}-{print:016x}")
}

/// Whether `own` is a name that [`beside`] gives to an index with patterns beside the one with `name`.
fn is_with_patterns(own: &str, name: &str) -> bool {
    let parts = own.strip_prefix(name).and_then(|rest| rest.strip_prefix('-')).and_then(|rest| {
        let (recipe, print) = rest.rsplit_once('-')?;
        let (tokens, comments) = recipe.rsplit_once('-')?;
        Some((tokens.parse::<TokenMode>(), comments.parse::<Comments>(), print))
    });
    matches!(parts, Some((Ok(_), Ok(_), print)) if print.len() == 16 && print.bytes().all(|b| b.is_ascii_hexdigit()))
}

/// The folder of a corpus's index. A folder with other files is rejected.
pub(super) fn home(corpus: &Corpus, given: Option<&Path>) -> Result<Folder, CliError> {
    ours(match given {
        Some(index) => absolute(index).unwrap_or_else(|_| index.to_owned()),
        None => ProgramFolders::find()?.indexes().join(corpus.key()),
    })
}

fn ours(home: PathBuf) -> Result<Folder, CliError> {
    let home = Folder::new(home);
    check(&home)?;
    Ok(home)
}

/// The folder of a corpus's decisions.
pub(super) fn home_of(args: &HomeArgs) -> Result<Folder, CliError> {
    match &args.index {
        Some(index) => ours(index.clone()),
        None => home(&Corpus::resolve(std::slice::from_ref(&args.corpus))?, None),
    }
}

/// The folder of the user's settings, if there is a home folder.
pub(super) fn user() -> Option<Folder> {
    ProgramFolders::find().ok().map(|folders| folders.user())
}

/// The folders of the decisions about a corpus.
pub(super) fn folders_of(args: &HomeArgs) -> Result<DecisionFolders, CliError> {
    Ok(DecisionFolders { corpus: home_of(args)?, user: user() })
}

fn options(
    home: Folder,
    (build, files): (&BuildArgs, FileChoice),
    watch: Watch,
    settings: &Settings,
) -> Result<Options, CliError> {
    let choice = build.recipe.choice();
    choice.apply(Recipe::default()).validate()?;
    let usual = Options::new(home);
    let threads = build.threads.map(usize::from).or(settings.threads).unwrap_or(usual.threads);
    Ok(Options {
        user: user(),
        recipe: choice,
        rules: build.walk.rules(files)?,
        formats: build.walk.formats(),
        sketches: (build.sketch || build.no_sketch).then_some(build.sketch),
        memory: build.memory.or(settings.memory).map_or(usual.memory, |memory| memory.0),
        threads: threads.clamp(1, MOST_THREADS),
        patterns: Arc::new(KindPatterns::new(settings).0),
        watch,
        ..usual
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use dupi_ingest::Progress;

    /// Ends an update when this number of files was read.
    struct Interrupting(u64, std::sync::atomic::AtomicU64);

    impl Observer for Interrupting {
        fn progress(&self, _: Progress) {}

        fn committed(&self, _: &Snapshot) {}

        fn is_cancelled(&self) -> bool {
            self.1.fetch_add(1, std::sync::atomic::Ordering::Relaxed) >= self.0
        }
    }

    #[test]
    fn an_update_that_is_interrupted_gives_no_answer() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("corpus");
        std::fs::create_dir(&folder).unwrap();
        for name in ["a", "b", "c"] {
            std::fs::write(folder.join(name), "some words that are the same in all of these files").unwrap();
        }
        let corpus = Corpus::resolve(&[folder]).unwrap();
        let options = Options { threads: 1, ..Options::new(Folder::new(place.path().join("index"))) };
        let target = CorpusTarget { corpus, options, rebuild: false };
        for asked in 0..20 {
            let snapshot = target.snapshot(false, &Interrupting(asked, 0.into()));
            match snapshot {
                Ok(whole) => assert_eq!(whole.totals().documents, 3, "asked {asked} times"),
                Err(error) => assert!(matches!(error, CliError::Interrupted), "{error}"),
            }
        }
        let whole = target.snapshot(false, &Interrupting(u64::MAX, 0.into())).unwrap();
        assert_eq!(whole.totals().documents, 3);
    }
}
