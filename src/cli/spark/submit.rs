//! Submits jobs to Spark, and waits for their end.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{self, BufRead, BufReader, ErrorKind, Write};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf, absolute};
use std::process::{Command, Stdio};
use std::thread;

use clap::Args;
use rustix::process::{Pid, Signal, kill_process};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use crate::cli::args::path;
use crate::cli::error::CliError;
use crate::cli::output::say;
use crate::cli::progress::{Held, register};
use crate::cli::scratch::Scratch;
use dupi_base::corpus::Corpus;
use dupi_base::storage::{Folder, StorageError, create_private, in_words, printable, shown};
use dupi_ingest::segments::{SegmentError, check_outside};

/// How Spark is used.
#[derive(Debug, Args)]
pub struct SparkArgs {
    /// Where Spark runs, such as `local[2]` or `spark://host:7077` [default: as Spark is configured]
    #[arg(long, value_name = "URL", help_heading = "Spark")]
    pub master: Option<String>,
    /// A property of Spark
    #[arg(long, value_name = "KEY=VALUE", help_heading = "Spark")]
    pub conf: Vec<String>,
    /// The program that submits the job [default: that of SPARK_HOME, or spark-submit]
    #[arg(long, value_name = "FILE", value_parser = path(), help_heading = "Spark")]
    pub spark_submit: Option<PathBuf>,
    /// A folder for the files of the job, which are removed at the end [default: beside the index]
    #[arg(long, value_name = "DIR", value_parser = path(), help_heading = "Spark")]
    pub work: Option<PathBuf>,
}

/// The driver and its modules: names and texts. The driver comes first.
const DRIVER: [(&str, &str); 4] = [
    ("dupi_spark.py", include_str!("../../../assets/spark/dupi_spark.py")),
    ("dupi_programs.py", include_str!("../../../assets/spark/dupi_programs.py")),
    ("dupi_terms.py", include_str!("../../../assets/spark/dupi_terms.py")),
    ("dupi_documents.py", include_str!("../../../assets/spark/dupi_documents.py")),
];
/// What the driver's last line begins with if it fails.
const REASON: &str = "dupi_spark: ";
/// What the line begins with that says what the programs of its tasks took, in seconds of processor time.
const TAKEN: &str = "dupi_spark: processor time of programs: ";
/// The name of the program on the executors.
const BINARY: &str = "dupi-tui";
/// What the names of the files with the arguments of jobs begin with, and the name of that with what tasks printed.
const ARGUMENTS: &str = "arguments-";
const PRINTED: &str = "printed";
/// In the arguments of a verb that the tasks of a job run: the number of the task, from 0, and the cores that it has.
pub(super) const TASK: &str = "{task}";
pub(super) const CORES: &str = "{cores}";

/// The arguments of the driver for a job.
pub(super) type Job = Vec<OsString>;

/// How jobs are submitted.
pub(super) struct Spark<'a> {
    args: &'a SparkArgs,
    submit: PathBuf,
    /// The driver with its modules, this program with the name that the driver knows, and what is passed on for jobs.
    files: Scratch,
}

impl<'a> Spark<'a> {
    /// Finds Spark, and makes the files that it ships.
    ///
    /// # Errors
    /// When there is none.
    pub(super) fn new(args: &'a SparkArgs) -> Result<Self, CliError> {
        let of_home = || env::var_os("SPARK_HOME").map(|home| Path::new(&home).join("bin/spark-submit"));
        let submit = args.spark_submit.clone().or_else(of_home).unwrap_or_else(|| "spark-submit".into());
        let submit = found(&submit).ok_or_else(|| no_spark(&submit))?;
        // Whoever registers for signals during a job leaves none without effect after it.
        register(&ending_signals()).map_err(CliError::signals)?;
        let files =
            Scratch::create(&env::temp_dir()).and_then(Scratch::share).map_err(CliError::temporary)?;
        let failed = |action: &'static str, path: &Path| {
            let path = path.to_owned();
            move |error| CliError::temporary(StorageError::during(action, path)(error))
        };
        let program = env::current_exe().map_err(failed("find", Path::new(BINARY)))?;
        let link = files.at(BINARY);
        // Spark names a file as what a symbolic link leads to.
        if fs::hard_link(&program, &link).is_err() {
            fs::copy(&program, &link).map_err(failed("write", &link))?;
        }
        for (name, text) in DRIVER {
            let path = files.at(name);
            write(&path, text.as_bytes()).map_err(failed("write", &path))?;
        }
        Ok(Self { args, submit, files })
    }

    /// Runs a verb of this program in a number of tasks. Returns what each printed, in the order of the tasks. [`TASK`] and
    /// [`CORES`] are replaced where they are an argument.
    ///
    /// # Errors
    /// As [`Self::run`], and when what they printed cannot be read.
    pub(super) fn run_tasks(&self, tasks: usize, verb: &[OsString]) -> Result<Vec<Vec<u8>>, CliError> {
        let path = self.files.at(PRINTED);
        self.run(&[job_of_tasks(tasks, Some(&path), verb)])?;
        let printed = fs::read(&path)
            .map_err(|error| CliError::temporary(StorageError::during("read", &path)(error)))?;
        let of_tasks = printed.split_inclusive(|&byte| byte == 0);
        Ok(of_tasks.map(|of_task| of_task[..of_task.len() - 1].to_vec()).collect())
    }

    /// Submits jobs, which are run one after the other, and waits for their end. Spark takes several seconds to start, so it
    /// starts once for all.
    ///
    /// # Errors
    /// The reason if one fails, or that a signal ended them.
    pub(super) fn run(&self, jobs: &[Job]) -> Result<(), CliError> {
        let driver = self.files.at(DRIVER[0].0);
        let failed = |error: io::Error| {
            CliError::Failed(format!("cannot run {}: {}", shown(&self.submit), in_words(&error)))
        };
        let lists = jobs.iter().enumerate().map(|(number, job)| self.list(number, job));
        let lists: Vec<OsString> = lists.collect::<Result<_, _>>()?;
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
        command.arg("--files").arg(self.files.at(BINARY)).arg(driver);
        // By it the scripts of a pip install find the rest of Spark.
        command.env("PYSPARK_PYTHON", &python);
        command.args(lists);
        // With it, the driver does not find its modules.
        command.env_remove("PYTHONSAFEPATH");
        // Java reads the names of files by the locale.
        command.env("LC_ALL", "C.UTF-8").env_remove("DUPI_INDEX").stdin(Stdio::null()).stdout(Stdio::piped());
        let ending = ending_signals();
        let mut signals = Signals::new(&ending).map_err(CliError::signals)?;
        // From here on they end the job.
        let held = Held::new(ending);
        let mut child = match command.spawn() {
            Err(error) if error.kind() == ErrorKind::NotFound => {
                return Err(no_spark(&self.submit));
            }
            spawned => spawned.map_err(failed)?,
        };
        // A signal ends the job, and then this program removes its files.
        let handle = signals.handle();
        let process = Pid::from_child(&child);
        let ending = thread::spawn(move || {
            let mut is_ended = false;
            for _ in signals.forever() {
                is_ended = true;
                let _ = kill_process(process, Signal::TERM);
            }
            is_ended
        });
        let mut reason = None;
        // spark-submit has all that the driver says on its standard output.
        let mut lines = child.stdout.take().into_iter().flat_map(|out| BufReader::new(out).split(b'\n'));
        let told: Result<(), CliError> = lines.try_for_each(|line| {
            let line = String::from_utf8_lossy(&line.map_err(CliError::input)?).into_owned();
            if let Some(seconds) = line.strip_prefix(TAKEN) {
                tracing::info!(seconds, "the programs of all jobs ended");
            } else if let Some(why) = line.strip_prefix(REASON) {
                reason = Some(printable(why));
            } else {
                say(&format!("{line}\n"))?;
            }
            Ok(())
        });
        if told.is_err() {
            let _ = kill_process(process, Signal::TERM);
        }
        // The job uses the files until its end.
        let status = child.wait();
        handle.close();
        let is_ended = ending.join().unwrap_or_default();
        drop(held);
        told?;
        match status {
            _ if is_ended => Err(CliError::stopped()),
            Ok(status) if status.success() => Ok(()),
            status => {
                let status = status.map_err(failed)?;
                let ended = || format!("spark-submit failed ({status})");
                Err(CliError::Failed(reason.unwrap_or_else(ended)))
            }
        }
    }

    /// Writes the arguments of a job to a file. Returns how the driver is told of it.
    fn list(&self, number: usize, job: &Job) -> Result<OsString, CliError> {
        let path = self.files.at(&format!("{ARGUMENTS}{number}"));
        let mut list = Vec::new();
        for argument in job {
            list.extend_from_slice(argument.as_bytes());
            list.push(0);
        }
        let _ = fs::remove_file(&path);
        write(&path, &list)
            .map_err(|error| CliError::temporary(StorageError::during("write", &path)(error)))?;
        let mut told = OsString::from("@");
        told.push(&path);
        Ok(told)
    }

    /// The interpreter that spark-submit was installed with, or else the one in PATH.
    fn python(&self) -> PathBuf {
        let beside = self.submit.with_file_name("python3");
        if beside.exists() { beside } else { "python3".into() }
    }
}

/// The job that runs a verb of this program in a number of tasks, as [`Spark::run_tasks`] does.
pub(super) fn tasks(tasks: usize, verb: &[OsString]) -> Job {
    job_of_tasks(tasks, None, verb)
}

/// The same, which writes what the tasks print to a file.
fn job_of_tasks(tasks: usize, printed: Option<&Path>, verb: &[OsString]) -> Job {
    let mut job: Job = vec!["tasks".into(), "--count".into(), tasks.to_string().into()];
    job.extend(printed.into_iter().flat_map(|path| ["--printed".into(), path.into()]));
    job.push("--".into());
    job.extend_from_slice(verb);
    job
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
fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    create_private(path)?.write_all(bytes)
}

/// The signals that end a job. `nohup` has a hangup ignored, and that stays so.
fn ending_signals() -> Vec<i32> {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or_default();
    let is_ignored = ignored >> (SIGHUP - 1) & 1 > 0;
    [SIGINT, SIGTERM].into_iter().chain((!is_ignored).then_some(SIGHUP)).collect()
}

/// The error when there is no Spark.
pub(super) fn no_spark(program: &Path) -> CliError {
    CliError::Failed(format!(
        "there is no {}; install Java 17 or newer and Spark (pip install pyspark==4.3.0 pyarrow==26.0.1 pandas==2.3.3), and \
         name its spark-submit with --spark-submit if it is not in PATH",
        shown(program)
    ))
}

/// The folder in which jobs have their files.
pub(super) struct WorkFolder(PathBuf);

impl WorkFolder {
    /// The folder that was given, or else the one in which the index lies. It is not made yet.
    ///
    /// # Errors
    /// If it lies in the corpus, which is only read.
    pub(super) fn new(given: Option<&Path>, index: &Path, corpus: &Corpus) -> Result<Self, CliError> {
        let folder = given.or(index.parent()).unwrap_or(Path::new("."));
        let folder = absolute(folder).unwrap_or_else(|_| folder.to_owned());
        check_outside(corpus, &folder).map_err(|error| match error {
            SegmentError::Inside(_) => CliError::Failed(format!(
                "{}, for the files of the job, lies in the corpus; name a folder elsewhere with --work",
                shown(&folder)
            )),
            error => error.into(),
        })?;
        Ok(Self(folder))
    }

    /// Makes a folder in it for one job, which has it open too. It is removed when it is dropped.
    pub(super) fn scratch(&self) -> Result<Scratch, CliError> {
        Folder::new(&self.0).create().map_err(SegmentError::from)?;
        Ok(Scratch::create(&self.0).and_then(Scratch::share).map_err(SegmentError::from)?)
    }
}
