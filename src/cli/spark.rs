//! `spark`: runs jobs on Apache Spark. The driver, assets/spark/dupi_spark.py, is part of this program; spark-submit runs
//! it, and ships this program to the executors.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fs::{self, DirBuilder};
use std::io::{BufRead, BufReader, ErrorKind};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf, absolute};
use std::process::{Command, Stdio};
use std::thread;

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use super::args::{SparkIndexArgs, SparkVerb};
use super::error::CliError;
use super::messages::tell;
use super::outcome::Outcome;
use super::output::say;
use super::segment::{empty, made};
use super::target::home;
use crate::corpus::{Corpus, Formats};
use crate::index::manifest::Manifest;
use crate::ingest::segments::SegmentError;
use crate::storage::{Folder, StorageError, create_private, printable};

const DRIVER: &str = include_str!("../../assets/spark/dupi_spark.py");
/// What the driver's last line begins with if it fails.
const REASON: &str = "dupi_spark: ";
/// The name of the program on the executors.
const BINARY: &str = "dupi-tui";

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
    let spark = Spark::new(args)?;
    let corpus = match (&args.documents, args.input.of_spark()) {
        (Some(folder), Some(format)) => {
            let folder = absolute(folder).unwrap_or_else(|_| folder.clone());
            let given = ["documents", "--format", format, "--id", &args.id, "--text", &args.text];
            let mut job: Vec<OsString> = given.map(OsString::from).into();
            job.extend(["--documents".into(), folder.clone().into()]);
            job.extend(paths.iter().map(|path| path.clone().into_os_string()));
            // Spark need not be asked for what is refused later.
            let below = folder.ancestors().find(|above| above.exists()).unwrap_or(&folder);
            if folder != below || fs::read_dir(&folder).is_ok_and(|mut entries| entries.next().is_none()) {
                spark.run(&job)?;
            } else {
                return Err(SegmentError::Occupied(folder).into());
            }
            Corpus::resolve(&[folder])?
        }
        (Some(_), None) => return Err(CliError::Usage("--documents is for a table: add --input".to_owned())),
        _ if matches!(paths, [only] if only.as_os_str() == "-") => {
            Corpus::from_list(std::io::stdin().lock())?
        }
        _ => Corpus::resolve(paths)?,
    };
    let home = home(&corpus, args.index.as_deref())?;
    if !args.rebuild && Manifest::read(&home).is_ok() {
        return Err(SegmentError::Exists(home.path().to_owned()).into());
    }
    let mut manifest = empty(corpus, &args.planning)?;
    if args.input.of_spark().is_some() {
        manifest.formats = Formats::of_jsonl(&args.text);
        // Of a table no part is left out.
        manifest.rules.max_filesize = u64::from(u32::MAX);
    }
    let beside = || home.path().parent().unwrap_or(Path::new(".")).to_owned();
    let work = args.work.clone().unwrap_or_else(beside);
    Folder::new(&work).create().map_err(SegmentError::from)?;
    let work = Scratch::create(&absolute(&work).unwrap_or(work)).map_err(SegmentError::from)?;
    let (plan, segments) = (work.0.join("plan"), work.0.join("segments"));
    let (plan_made, files) = made(&manifest, &home, args.tasks, &plan)?;
    say(&format!("{} tasks, {files} files\n", plan_made.tasks))?;
    let mut job: Vec<OsString> = vec!["index".into(), "--plan".into(), plan.into()];
    job.extend(["--segments".into(), segments.into()]);
    if let Some(memory) = args.memory {
        job.extend(["--memory".into(), memory.0.to_string().into()]);
    }
    job.extend(["--".into(), "--index".into(), home.path().into()]);
    job.extend(args.rebuild.then(|| "--rebuild".into()));
    spark.run(&job)
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
        let link = files.0.join(BINARY);
        // Spark names a file as what a symbolic link leads to.
        if fs::hard_link(&program, &link).is_err() {
            fs::copy(&program, &link).map_err(failed("write", &link))?;
        }
        let driver = files.driver();
        write(&driver, DRIVER.as_bytes()).map_err(failed("write", &driver))?;
        Ok(Self { args, submit, files })
    }

    /// Submits a job and waits for its end.
    fn run(&self, arguments: &[OsString]) -> Result<(), CliError> {
        let failed = |error| CliError::Temporary(StorageError::of("write", &self.files.0)(error));
        let (mut list, list_path) = (Vec::new(), self.files.0.join("arguments"));
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
        command.arg("--files").arg(self.files.0.join(BINARY)).arg(self.files.driver());
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
        let mut signals = Signals::new([SIGINT, SIGTERM]).map_err(CliError::Signals)?;
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
        for line in child.stdout.take().into_iter().flat_map(|out| BufReader::new(out).split(b'\n')) {
            let line = String::from_utf8_lossy(&line.map_err(CliError::Input)?).into_owned();
            match line.strip_prefix(REASON) {
                Some(why) => reason = Some(why.to_owned()),
                None => say(&format!("{line}\n"))?,
            }
        }
        let status = child.wait();
        handle.close();
        let is_ended = ending.join().unwrap_or_default();
        match (status, reason) {
            (Ok(status), _) if status.success() => Ok(()),
            _ if is_ended => Err(CliError::Stopped),
            (_, Some(reason)) => Err(CliError::Spark(printable(&reason))),
            (Ok(status), None) => Err(CliError::Spark(format!("spark-submit failed ({status})"))),
            (Err(error), None) => Err(failed(error)),
        }
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

/// A private folder that is removed when it is dropped.
struct Scratch(PathBuf);

impl Scratch {
    fn create(parent: &Path) -> Result<Self, StorageError> {
        let mut number = 0;
        loop {
            let path = parent.join(format!("dupi-spark-{}-{number}", std::process::id()));
            match DirBuilder::new().mode(0o700).create(&path) {
                Ok(()) => return Ok(Self(path)),
                Err(error) if error.kind() == ErrorKind::AlreadyExists => number += 1,
                Err(error) => return Err(StorageError::of("create", path)(error)),
            }
        }
    }

    fn driver(&self) -> PathBuf {
        self.0.join("dupi_spark.py")
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if let Err(error) = fs::remove_dir_all(&self.0) {
            tell(format_args!("{}", StorageError::of("remove", &self.0)(error)));
        }
    }
}
