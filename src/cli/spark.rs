//! `spark`: runs jobs on Apache Spark. The driver, assets/spark/dupi_spark.py, is part of this program; spark-submit runs
//! it, and ships this program to the executors.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fs::{self, DirBuilder, File};
use std::io::{BufRead, BufReader, ErrorKind};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf, absolute};
use std::process::{Command, Stdio};
use std::thread;

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use super::args::{SparkIndexArgs, SparkVerb};
use super::error::CliError;
use super::messages::tell;
use super::outcome::Outcome;
use super::output::say;
use super::segment::{empty, made};
use super::target::{LARGEST_FILE, home};
use crate::corpus::{Corpus, Formats};
use crate::ingest::segments::{SegmentError, may_replace};
use crate::storage::{Folder, StorageError, create_private, printable, shown};

const DRIVER: &str = include_str!("../../assets/spark/dupi_spark.py");
/// What the driver's last line begins with if it fails.
const REASON: &str = "dupi_spark: ";
/// The name of the program on the executors.
const BINARY: &str = "dupi-tui";
/// The driver's exit status if all segments are built and could not be joined.
const NOT_JOINED: i32 = 3;
/// What the names of scratch folders begin with.
const SCRATCH: &str = "dupi-spark-";
/// What the names of scratch folders begin with that stay because their segments are of use.
const KEPT: &str = "dupi-segments-";
/// The file in a scratch folder that is locked as long as a process uses the folder.
const LOCK: &str = "lock";

/// Runs a verb of `spark`.
pub(super) fn run(verb: &SparkVerb) -> Result<Outcome, CliError> {
    let SparkVerb::Index(args) = verb;
    index(args)?;
    Ok(Outcome::Done)
}

fn index(args: &SparkIndexArgs) -> Result<(), CliError> {
    let paths = match &args.paths[..] {
        [] => &[PathBuf::from(".")][..],
        paths => paths,
    };
    let (corpus, table) = match (&args.documents, args.input.of_spark()) {
        (Some(folder), Some(format)) => {
            let folder = NewFolder::create(folder)?;
            let given = ["documents", "--format", format, "--id", &args.id, "--text", &args.text];
            let mut job: Vec<OsString> = given.map(OsString::from).into();
            job.extend(["--documents".into(), folder.path.clone().into()]);
            job.extend(paths.iter().map(|path| path.clone().into_os_string()));
            (Corpus::resolve(std::slice::from_ref(&folder.path))?, Some((folder, job)))
        }
        (Some(_), None) => return Err(CliError::Usage("--documents is for a table: add --input".to_owned())),
        _ if matches!(paths, [only] if only.as_os_str() == "-") => {
            (Corpus::from_list(std::io::stdin().lock())?, None)
        }
        _ => (Corpus::resolve(paths)?, None),
    };
    // What is refused is refused before any job.
    let home = home(&corpus, args.index.as_deref())?;
    may_replace(&home, args.rebuild)?;
    let work = args.work.as_deref().or(home.path().parent()).unwrap_or(Path::new("."));
    let work = absolute(work).unwrap_or_else(|_| work.to_owned());
    check_outside(&work, &corpus)?;
    let mut manifest = empty(corpus, &args.planning)?;
    let spark = Spark::new(args)?;
    if let Some((folder, job)) = table {
        manifest.formats = Formats::of_jsonl(&args.text);
        // Of a table no part is left out.
        manifest.rules.max_filesize = LARGEST_FILE;
        spark.run(&job)?.into_result()?;
        folder.keep();
    }
    Folder::new(&work).create().map_err(SegmentError::from)?;
    let work = Scratch::create(&work).map_err(SegmentError::from)?;
    let (plan, segments) = (work.path.join("plan"), work.path.join("segments"));
    let (plan_made, files) = made(&manifest, &home, args.tasks, &plan)?;
    say(&format!("{} tasks, {files} files\n", plan_made.tasks))?;
    let mut job: Vec<OsString> = vec!["index".into(), "--plan".into(), plan.into()];
    job.extend(["--segments".into(), segments.into()]);
    if let Some(memory) = args.memory {
        job.extend(["--memory".into(), memory.0.to_string().into()]);
    }
    let mut into: Vec<OsString> = vec!["--index".into(), home.path().into()];
    into.extend(args.rebuild.then(|| "--rebuild".into()));
    job.push("--".into());
    job.extend_from_slice(&into);
    match spark.run(&job)? {
        JobEnd::NotJoined(reason) => {
            let kept = work.keep().map_err(SegmentError::from)?;
            let (plan, segments) = (kept.join("plan"), kept.join("segments"));
            let mut verb: Vec<OsString> = ["dupi-tui", "segment", "adopt"].map(OsString::from).into();
            verb.extend([segments.into(), "--plan".into(), plan.into()]);
            verb.extend(into);
            let line = shell_words::join(verb.iter().map(|word| word.to_string_lossy()));
            Err(CliError::Spark(format!(
                "{reason}; all segments are built and kept: when that is mended, run `{}`, and remove {}",
                printable(&line),
                shown(&kept)
            )))
        }
        end => end.into_result(),
    }
}

/// Refuses a folder for the plan and the segments in the corpus, which is only read.
fn check_outside(work: &Path, corpus: &Corpus) -> Result<(), CliError> {
    let above = work.ancestors().find_map(|above| above.canonicalize().ok()).unwrap_or_default();
    if corpus.roots.iter().any(|root| above.starts_with(root)) {
        let work = shown(work);
        let sentence = format!(
            "{work}, for the plan and the segments, lies in the corpus; name a folder elsewhere with --work"
        );
        return Err(CliError::Usage(sentence));
    }
    Ok(())
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
            return Err(CliError::Usage(format!(
                "{} is not empty; name a new folder with --documents, or remove what a stopped job left there",
                shown(&path)
            )));
        }
        let created = path.ancestors().take_while(|above| !above.exists()).map(Path::to_owned).collect();
        fs::create_dir_all(&path)
            .map_err(|error| SegmentError::from(StorageError::of("create", &path)(error)))?;
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

/// How a job ended that was not stopped.
enum JobEnd {
    Done,
    Failed(String),
    /// All segments are built, and they could not be joined.
    NotJoined(String),
}

impl JobEnd {
    fn into_result(self) -> Result<(), CliError> {
        match self {
            Self::Done => Ok(()),
            Self::Failed(reason) | Self::NotJoined(reason) => Err(CliError::Spark(reason)),
        }
    }
}

/// How jobs are submitted.
struct Spark<'a> {
    args: &'a SparkIndexArgs,
    submit: PathBuf,
    /// The driver, and this program with the name that the driver knows.
    files: Scratch,
}

impl<'a> Spark<'a> {
    fn new(args: &'a SparkIndexArgs) -> Result<Self, CliError> {
        let of_home = || env::var_os("SPARK_HOME").map(|home| Path::new(&home).join("bin/spark-submit"));
        let submit = args.spark_submit.clone().or_else(of_home).unwrap_or_else(|| "spark-submit".into());
        let submit = found(&submit).ok_or(CliError::NoSpark(submit))?;
        let files = Scratch::create(&env::temp_dir()).map_err(CliError::Temporary)?;
        let failed = |action: &'static str, path: &Path| {
            let path = path.to_owned();
            move |error| CliError::Temporary(StorageError::of(action, path)(error))
        };
        let program = env::current_exe().map_err(failed("find", Path::new(BINARY)))?;
        let link = files.path.join(BINARY);
        // Spark names a file as what a symbolic link leads to.
        if fs::hard_link(&program, &link).is_err() {
            fs::copy(&program, &link).map_err(failed("write", &link))?;
        }
        let driver = files.driver();
        write(&driver, DRIVER.as_bytes()).map_err(failed("write", &driver))?;
        Ok(Self { args, submit, files })
    }

    /// Submits a job and waits for its end.
    fn run(&self, arguments: &[OsString]) -> Result<JobEnd, CliError> {
        let failed = |error| CliError::Temporary(StorageError::of("write", &self.files.path)(error));
        let (mut list, list_path) = (Vec::new(), self.files.path.join("arguments"));
        for argument in arguments {
            list.extend_from_slice(argument.as_bytes());
            list.push(0);
        }
        let _ = fs::remove_file(&list_path);
        write(&list_path, &list).map_err(failed)?;
        let mut command = Command::new(&self.submit);
        if let Some(master) = &self.args.master {
            command.args(["--master", master]);
        }
        // Properties that are given later win.
        let python = env::var_os("PYSPARK_PYTHON").unwrap_or_else(|| self.python().into_os_string());
        let mut property = OsString::from("spark.pyspark.python=");
        property.push(&python);
        command.args([OsStr::new("--conf"), &property]).args(["--conf", "spark.log.level=WARN"]);
        command.args(self.args.conf.iter().flat_map(|property| ["--conf", property]));
        command.arg("--files").arg(self.files.path.join(BINARY)).arg(self.files.driver());
        let mut given = OsString::from("@");
        given.push(&list_path);
        // By it the scripts of a pip install find the rest of Spark.
        command.env("PYSPARK_PYTHON", &python);
        // Java reads the names of files by the locale.
        command
            .arg(given)
            .env("LC_ALL", "C.UTF-8")
            .env_remove("DUPI_INDEX")
            .stdin(Stdio::null())
            .stdout(Stdio::piped());
        let mut signals = Signals::new(ending_signals()).map_err(CliError::Signals)?;
        let mut child = match command.spawn() {
            Err(error) if error.kind() == ErrorKind::NotFound => {
                return Err(CliError::NoSpark(self.submit.clone()));
            }
            spawned => spawned.map_err(failed)?,
        };
        // A signal ends the job, and then this program removes its files.
        let handle = signals.handle();
        let process = rustix::process::Pid::from_child(&child);
        let ending = thread::spawn(move || {
            let mut is_ended = false;
            for _ in signals.forever() {
                is_ended = true;
                let _ = rustix::process::kill_process(process, rustix::process::Signal::TERM);
            }
            is_ended
        });
        let mut reason = None;
        // spark-submit has all that the driver says on its standard output.
        let mut lines = child.stdout.take().into_iter().flat_map(|out| BufReader::new(out).split(b'\n'));
        let told: Result<(), CliError> = lines.try_for_each(|line| {
            let line = String::from_utf8_lossy(&line.map_err(CliError::Input)?).into_owned();
            match line.strip_prefix(REASON) {
                Some(why) => reason = Some(printable(why)),
                None => say(&format!("{line}\n"))?,
            }
            Ok(())
        });
        if told.is_err() {
            let _ = rustix::process::kill_process(process, rustix::process::Signal::TERM);
        }
        // The job uses the files until its end.
        let status = child.wait();
        handle.close();
        let is_ended = ending.join().unwrap_or_default();
        told?;
        let status = match status {
            Ok(status) if status.success() => return Ok(JobEnd::Done),
            _ if is_ended => return Err(CliError::Stopped),
            status => status.map_err(failed)?,
        };
        let reason = reason.unwrap_or_else(|| format!("spark-submit failed ({status})"));
        let is_built = status.code() == Some(NOT_JOINED);
        Ok(if is_built { JobEnd::NotJoined(reason) } else { JobEnd::Failed(reason) })
    }

    /// The interpreter that spark-submit was installed with, or else the one in PATH.
    fn python(&self) -> PathBuf {
        let beside = self.submit.with_file_name("python3");
        if beside.exists() { beside } else { "python3".into() }
    }
}

/// A program, by its path, or by its name in PATH.
fn found(program: &Path) -> Option<PathBuf> {
    if program.components().count() > 1 {
        return absolute(program).ok().filter(|program| program.is_file());
    }
    let folders = env::var_os("PATH")?;
    let found = env::split_paths(&folders).map(|folder| folder.join(program)).find(|path| path.is_file())?;
    absolute(found).ok()
}

/// Writes a new private file.
fn write(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    std::io::Write::write_all(&mut create_private(path)?, bytes)
}

/// The signals that end a job. `nohup` has a hangup ignored, and that stays so.
fn ending_signals() -> Vec<i32> {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or_default();
    let is_ignored = ignored >> (SIGHUP - 1) & 1 > 0;
    [SIGINT, SIGTERM].into_iter().chain((!is_ignored).then_some(SIGHUP)).collect()
}

/// A private folder that is removed when it is dropped. After a process that was killed, the next one removes it.
struct Scratch {
    path: PathBuf,
    /// The job has this file open too: it may outlive this process, and uses the folder.
    _lock: File,
}

impl Scratch {
    fn create(parent: &Path) -> Result<Self, StorageError> {
        sweep(parent);
        let path = Self::numbered(parent, SCRATCH, |path| DirBuilder::new().mode(0o700).create(path))?;
        let failed = |error| StorageError::of("lock", path.join(LOCK))(error);
        let lock = create_private(&path.join(LOCK)).map_err(failed)?;
        // A file system without locks has none that seems free, so nothing of it is swept.
        let _ = lock.try_lock();
        rustix::io::fcntl_setfd(&lock, rustix::io::FdFlags::empty()).map_err(|error| failed(error.into()))?;
        Ok(Self { path, _lock: lock })
    }

    /// Makes a folder in another with the first name that is free.
    fn numbered(
        parent: &Path,
        prefix: &str,
        make: impl Fn(&Path) -> std::io::Result<()>,
    ) -> Result<PathBuf, StorageError> {
        let mut number = 0;
        loop {
            let path = parent.join(format!("{prefix}{}-{number}", std::process::id()));
            match make(&path) {
                Ok(()) => return Ok(path),
                Err(error)
                    if matches!(error.kind(), ErrorKind::AlreadyExists | ErrorKind::DirectoryNotEmpty) =>
                {
                    number += 1;
                }
                Err(error) => return Err(StorageError::of("create", path)(error)),
            }
        }
    }

    /// Gives the folder a name with which it stays. Returns its path.
    fn keep(mut self) -> Result<PathBuf, StorageError> {
        let parent = self.path.parent().unwrap_or(Path::new(".")).to_owned();
        let kept = Self::numbered(&parent, KEPT, |kept| fs::rename(&self.path, kept))?;
        self.path = PathBuf::new();
        Ok(kept)
    }

    fn driver(&self) -> PathBuf {
        self.path.join("dupi_spark.py")
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if self.path.as_os_str().is_empty() {
            return;
        }
        if let Err(error) = fs::remove_dir_all(&self.path) {
            tell(format_args!("{}", StorageError::of("remove", &self.path)(error)));
        }
    }
}

/// Removes the scratch folders of this user that no process uses any more.
fn sweep(parent: &Path) {
    let user = rustix::process::geteuid().as_raw();
    for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
        let is_scratch = entry.file_name().as_bytes().starts_with(SCRATCH.as_bytes());
        let is_own = || entry.metadata().is_ok_and(|folder| folder.is_dir() && folder.uid() == user);
        if is_scratch && is_own() {
            let lock = File::options().write(true).open(entry.path().join(LOCK));
            if lock.is_ok_and(|lock| lock.try_lock().is_ok()) {
                let _ = fs::remove_dir_all(entry.path());
            }
        }
    }
}
