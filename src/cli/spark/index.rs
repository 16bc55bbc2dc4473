//! `spark index`: the segments of a plan are built by tasks, and joined here.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf, absolute};

use clap::{Args, ValueEnum};

use super::submit::{CORES, Spark, SparkArgs, TASK, WorkFolder};
use crate::cli::args::{LARGEST_FILE, path};
use crate::cli::error::CliError;
use crate::cli::output::{Outcome, say};
use crate::cli::scratch::Scratch;
use crate::cli::segment::{PlanningArgs, adopt_all, empty, made};
use crate::cli::target::{corpus_of, home};
use dupi_base::config::Size;
use dupi_base::corpus::{Corpus, Formats};
use dupi_base::storage::{Folder, StorageError, printable, shown};
use dupi_ingest::segments::{Adoption, may_replace};

/// What is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum InputFormat {
    /// Files, as `index` reads them
    Files,
    /// A Parquet table
    Parquet,
    /// A table of JSON lines, which need not be in files that this machine sees
    Json,
}

impl InputFormat {
    /// Its name in Spark; `None` for files, which Spark does not read.
    pub fn of_spark(self) -> Option<&'static str> {
        match self {
            Self::Files => None,
            Self::Parquet => Some("parquet"),
            Self::Json => Some("json"),
        }
    }
}

/// `spark index`.
#[derive(Debug, Args)]
pub struct SparkIndexArgs {
    /// Folders and files to index; `-` reads their list from standard input [default: .]. Of a table: paths, globs or
    /// addresses that Spark reads
    #[arg(value_name = "PATH", value_parser = path())]
    pub paths: Vec<PathBuf>,
    /// What PATH names; the rows of a table are first written to files
    #[arg(
        long,
        value_enum,
        value_name = "FORMAT",
        default_value = "files",
        requires_if("parquet", "documents"),
        requires_if("json", "documents"),
        help_heading = "Input"
    )]
    pub input: InputFormat,
    /// A new folder for the documents of a table, as JSONL files: the index quotes them from there
    #[arg(long, value_name = "DIR", value_parser = path(), requires = "paths", conflicts_with = "jsonl",
        help_heading = "Input")]
    pub documents: Option<PathBuf>,
    /// The column of a table with the identity of a document
    #[arg(long, value_name = "COLUMN", default_value = "id", requires = "documents", help_heading = "Input")]
    pub id: String,
    /// The column of a table with the text of a document
    #[arg(
        long,
        value_name = "COLUMN",
        default_value = "text",
        requires = "documents",
        help_heading = "Input"
    )]
    pub text: String,
    /// How Spark is used.
    #[command(flatten)]
    pub spark: SparkArgs,
    /// The memory limit of a task [default: 1G]
    #[arg(long, value_name = "SIZE", help_heading = "Spark")]
    pub memory: Option<Size>,
    /// Make the index in this folder instead of the user's data folder
    #[arg(long, value_name = "DIR", env = "DUPI_INDEX", value_parser = path(), help_heading = "Index")]
    pub index: Option<PathBuf>,
    /// Replace an existing index
    #[arg(long, help_heading = "Index")]
    pub rebuild: bool,
    /// What is indexed.
    #[command(flatten)]
    pub planning: PlanningArgs,
}

/// The folders of the plan and of the segments.
const PLAN: &str = "plan";
const SEGMENTS: &str = "segments";

/// Builds the segments of a corpus as tasks of a job, and joins them.
pub(super) fn run(args: &SparkIndexArgs, threads: usize) -> Result<Outcome, CliError> {
    let (corpus, table) = match (&args.documents, args.input.of_spark()) {
        (Some(folder), Some(format)) => {
            let folder = NewFolder::create(folder)?;
            let given = ["documents", "--format", format, "--id", &args.id, "--text", &args.text];
            let mut job: Vec<OsString> = given.map(OsString::from).into();
            job.extend(["--documents".into(), folder.path.clone().into()]);
            job.extend(args.paths.iter().map(|path| path.clone().into_os_string()));
            (Corpus::resolve(std::slice::from_ref(&folder.path))?, Some((folder, job)))
        }
        (Some(_), None) => return Err(CliError::failed("--documents is for a table: add --input")),
        _ => (corpus_of(&args.paths)?, None),
    };
    // What is refused is refused before any job.
    let home = home(&corpus, args.index.as_deref())?;
    may_replace(&home, args.rebuild)?;
    let work = WorkFolder::new(args.spark.work.as_deref(), home.path(), &corpus)?;
    let mut manifest = empty(corpus, &args.planning)?;
    let spark = Spark::new(&args.spark)?;
    if let Some((folder, job)) = table {
        manifest.formats = Formats::of_jsonl(&args.text);
        // Of a table no part is left out.
        manifest.rules.max_filesize = LARGEST_FILE;
        spark.run(&[job])?;
        folder.keep();
    }
    let work = work.scratch()?;
    let (plan_folder, segments) = (work.at(PLAN), work.at(SEGMENTS));
    let (plan, files) = made(&manifest, &home, args.planning.tasks, &plan_folder)?;
    say(&format!("{} tasks, {files} files\n", plan.tasks))?;
    let mut verb: Vec<OsString> = vec!["segment".into(), "build".into(), "--plan".into(), plan_folder.into()];
    verb.extend(["--task".into(), TASK.into(), "--threads".into(), CORES.into()]);
    verb.extend(["--out".into(), segments.clone().into()]);
    if let Some(memory) = args.memory {
        verb.extend(["--memory".into(), memory.0.to_string().into()]);
    }
    let printed = spark.run_tasks(plan.tasks, &verb)?;
    // The name of a segment has only letters and digits.
    let name = |printed: &Vec<u8>| {
        let printed = String::from_utf8_lossy(printed);
        segments.join(printed.trim_end().rsplit('/').next().unwrap_or_default())
    };
    let adoption = Adoption {
        from: printed.iter().map(name).collect(),
        root: None,
        plan: Some(plan),
        replace: args.rebuild,
        threads,
    };
    match adopt_all(&adoption, Some(home.path())) {
        // There is an index.
        Ok(outcome) => Ok(outcome),
        Err(error @ CliError::Unread(_)) => Err(error),
        Err(error) => Err(not_joined(work, &error, &home, args.rebuild)),
    }
}

/// What is said when all segments are built and could not be joined. They are kept.
fn not_joined(work: Scratch, error: &CliError, home: &Folder, replace: bool) -> CliError {
    let kept = work.keep();
    let mut verb: Vec<OsString> = ["dupi-tui", "segment", "adopt"].map(OsString::from).into();
    verb.extend([kept.join(SEGMENTS).into(), "--plan".into(), kept.join(PLAN).into()]);
    verb.extend(["--index".into(), home.path().into()]);
    verb.extend(replace.then(|| "--rebuild".into()));
    let line = shell_words::join(verb.iter().map(|word| word.to_string_lossy()));
    CliError::Failed(format!(
        "{error}; all segments are built and kept: when that is mended, run `{}`, and remove {}",
        printable(&line),
        shown(&kept)
    ))
}

/// An empty folder for documents. What was created for it is removed again if it is dropped before it is kept.
struct NewFolder {
    path: PathBuf,
    created: Vec<PathBuf>,
}

impl NewFolder {
    fn create(path: &Path) -> Result<Self, CliError> {
        let path = absolute(path).unwrap_or_else(|_| path.to_owned());
        if path.exists() && !fs::read_dir(&path).is_ok_and(|mut entries| entries.next().is_none()) {
            return Err(CliError::Failed(format!(
                "{} is not empty; name a new folder with --documents, or remove what a stopped job left there",
                shown(&path)
            )));
        }
        let created = path.ancestors().take_while(|above| !above.exists()).map(Path::to_owned).collect();
        fs::create_dir_all(&path).map_err(StorageError::during("create", &path))?;
        Ok(Self { path, created })
    }

    fn keep(mut self) {
        self.created.clear();
    }
}

impl Drop for NewFolder {
    fn drop(&mut self) {
        // Only empty ones go.
        let _ = self.created.iter().try_for_each(fs::remove_dir);
    }
}
