//! `spark`: what Apache Spark makes is what one machine makes, whatever fails on the way; and what cannot be made is said in
//! the last line.
//!
//! The tests need Java and the packages of assets/spark/requirements.txt. `.ci/run` installs them and names its
//! spark-submit in `DUPI_SPARK_SUBMIT`; without that variable, and without spark-submit in PATH, they are skipped.

use std::fs::{self, Permissions};
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use crate::support::{Home, program, text};

/// What Spark writes on its page is not looked at here, and no port is needed for it.
const FEW_PORTS: [&str; 4] =
    ["--conf", "spark.ui.enabled=false", "--conf", "spark.driver.bindAddress=127.0.0.1"];

const ASKED: [&[&str]; 3] =
    [&["passages", "--members", "--aside", "none"], &["extract", "--top", "50"], &["documents"]];

/// spark-submit; `None`, after a word, if it is not there and need not be.
fn submit() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os("DUPI_SPARK_SUBMIT") {
        return Some(named.into());
    }
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let found =
        std::env::split_paths(&folders).map(|folder| folder.join("spark-submit")).find(|path| path.exists());
    if found.is_none() {
        println!("skipped: there is no spark-submit; pip install -r assets/spark/requirements.txt");
    }
    found
}

/// A corpus with hostile names, in folders that have them too.
fn corpus() -> Home {
    let home = Home::new();
    let shared = "The tenant shall return all keys on the last day of the lease, leave the rooms clean and empty, and tell \
                  the landlord in writing where letters and the deposit should be sent to afterwards.";
    for number in 0..24 {
        let own: String = (0..60).map(|word| format!("w{} ", word * (number + 3) % 90)).collect();
        home.write(
            &format!("bücher {}/a, b #{number}%20.txt", number % 5),
            format!("{own}\n{shared}\n{number} {own}"),
        );
    }
    home.stdout(&["index", "--index", "../whole index"]);
    home
}

/// `spark index` of the corpus.
fn index(home: &Home, submit: &Path, more: &[&str]) -> Command {
    let mut command =
        home.command(&["spark", "index", "--spark-submit", text(submit), "--work", "../wörk place"]);
    command.args(FEW_PORTS).args(more).env("SPARK_LOCAL_IP", "127.0.0.1").env("LC_ALL", "C");
    command
}

/// A program of Spark, which finds the rest of a pip install by its interpreter.
fn of_spark(home: &Home, program: &Path, arguments: &[&str]) -> Command {
    let mut command = home.command_of(program, arguments);
    let python = program.with_file_name("python3");
    if python.exists() {
        command.env("PYSPARK_PYTHON", python);
    }
    command.env("SPARK_LOCAL_IP", "127.0.0.1");
    command
}

fn done(output: &Output) -> String {
    let (out, error) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{out}{error}");
    out.into_owned()
}

/// The driver itself, on a plan in `../plan`, with another program or none.
fn driver(home: &Home, submit: &Path, shipped: Option<&Path>, master: &str, more: &[&str]) -> Output {
    let mut command = of_spark(home, submit, &["--master", master, "--conf", "spark.log.level=WARN"]);
    command.args(FEW_PORTS).args(more);
    if let Some(shipped) = shipped {
        command.arg("--files").arg(shipped);
    }
    command.arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/spark/dupi_spark.py"));
    let _ = fs::remove_dir_all(home.at("../segments"));
    command.args(["index", "--plan", "../plan", "--segments", "../segments", "--", "--index", "../joined"]);
    command.output().unwrap()
}

/// A program with the name that is shipped, which runs a script with `$DUPI`, the true program.
fn wrapper(home: &Home, script: &str) -> PathBuf {
    let folder = home.at("../wrapper");
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join("dupi-tui");
    let own = text(&folder).to_owned();
    fs::write(&path, format!("#!/bin/bash\nDUPI='{}'\nHERE='{own}'\n{script}", text(&program()))).unwrap();
    fs::set_permissions(&path, Permissions::from_mode(0o755)).unwrap();
    path
}

fn answers_agree(home: &Home, one: &str) {
    for asked in ASKED {
        let ask = |index| home.stdout(&[asked, &["--index", index]].concat());
        assert_eq!(ask(one), ask("../whole index"), "{asked:?}");
    }
}

fn plan(home: &Home, tasks: &str) {
    let _ = fs::remove_dir_all(home.at("../plan"));
    home.stdout(&["segment", "plan", "--tasks", tasks, "--out", "../plan"]);
}

#[test]
fn one_two_and_eight_tasks_make_the_index_of_one_machine() {
    let Some(submit) = submit() else { return };
    let home = corpus();
    for tasks in ["1", "2", "8"] {
        let into = format!("../of {tasks} tàsks");
        let more = ["--master", "local[2]", "--tasks", tasks, "--index", &into];
        let said = done(&index(&home, &submit, &more).output().unwrap());
        assert!(said.contains(&format!("{tasks} tasks, 24 files")), "{said}");
        assert!(said.contains(&format!("24 documents in {tasks} segments")), "{said}");
        answers_agree(&home, &into);
    }
    assert_eq!(fs::read_dir(home.at("../wörk place")).unwrap().count(), 0, "nothing is left");
    let again = index(&home, &submit, &["--index", "../of 2 tàsks"]).output().unwrap();
    assert_eq!(again.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&again.stderr).contains("--rebuild"));
}

#[test]
fn a_failed_job_says_why_in_its_last_line() {
    let Some(submit) = submit() else { return };
    let home = corpus();
    let said = |output: &Output| {
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(!output.status.success(), "{text}");
        assert!(!home.at("../joined").exists());
        text.lines().last().unwrap_or_default().to_owned()
    };
    plan(&home, "2");
    let last = said(&driver(&home, &submit, None, "local[2]", &[]));
    assert!(
        last.starts_with("dupi_spark: ") && last.ends_with("has no dupi-tui; ship it with --files"),
        "{last}"
    );
    // A byte of a segment is another one when it is adopted.
    let script = "out=$(\"$DUPI\" \"$@\") || exit\necho \"$out\"\nif [ \"$1 $2\" = 'segment build' ]; then\n\
                  printf X | dd of=\"$out/00000002.segment\" bs=1 seek=300 conv=notrunc status=none\nfi\n";
    let last = said(&driver(&home, &submit, Some(&wrapper(&home, script)), "local[2]", &[]));
    assert!(last.starts_with("dupi_spark: the segment ") && last.contains("is damaged"), "{last}");
    fs::remove_file(home.at("bücher 3/a, b #3%20.txt")).unwrap();
    let plain = wrapper(&home, "exec \"$DUPI\" \"$@\"");
    let last = said(&driver(&home, &submit, Some(&plain), "local[2]", &[]));
    assert!(last.contains("a, b #3%20.txt: vanished; a task must see the corpus"), "{last}");
}

#[test]
fn a_program_that_is_killed_in_mid_task_is_run_again() {
    let Some(submit) = submit() else { return };
    let home = corpus();
    plan(&home, "3");
    // The first two tasks lose their program after it has made its draft.
    let script = "if [ \"$1 $2\" = 'segment build' ] && { mkdir \"$HERE/a\" || mkdir \"$HERE/b\"; } 2>/dev/null; then\n\
                  mkdir -p ../segments/tmp-1-0; kill -9 $$\nfi\nexec \"$DUPI\" \"$@\"\n";
    done(&driver(&home, &submit, Some(&wrapper(&home, script)), "local[2,4]", &[]));
    assert!(home.at("../wrapper/a").exists() && home.at("../wrapper/b").exists());
    answers_agree(&home, "../joined");
}

#[test]
fn a_table_is_indexed_like_its_documents_in_any_number_of_partitions() {
    let Some(submit) = submit() else { return };
    let home = corpus();
    let shared = "Nobody who crosses the river by the old ferry has ever asked the keeper why the bell is rung twice at dusk, \
                  and he has never told anybody of his own accord, not even his sons.";
    let row =
        |number: usize| format!("{{\"key\": \"k{number}\", \"body\": \"{number} é {shared} {number}\"}}\n");
    fs::create_dir(home.at("../täbles")).unwrap();
    let table = |name: &str, rows: &mut dyn Iterator<Item = usize>| {
        let rows: String = rows.map(row).collect();
        fs::write(home.at("../täbles").join(name), rows).unwrap();
    };
    table("all.json", &mut (0..20));
    table("part 1.json", &mut (0..20).filter(|number| number % 2 > 0).collect::<Vec<_>>().into_iter().rev());
    table("part 2.json", &mut (0..20).filter(|number| number % 2 == 0));
    let mut written = Vec::new();
    for (number, name) in ["all.json", "part*.json"].iter().enumerate() {
        let (into, documents) = (format!("../table {number}"), format!("../documents {number}"));
        let from = home.at("../täbles").canonicalize().unwrap().join(name);
        let more = [
            "--master",
            "local[2]",
            "--input",
            "json",
            "--id",
            "key",
            "--text",
            "body",
            "--documents",
            &documents,
        ];
        let said = done(
            &index(&home, &submit, &[&more[..], &["--index", &into, text(&from)]].concat()).output().unwrap(),
        );
        assert!(said.contains("20 documents in ") && said.contains("20 documents in 1 segments"), "{said}");
        let found = home.stdout(&["passages", "--index", &into]);
        assert!(found.contains("20 copies"), "{found}");
        let mut files: Vec<_> =
            fs::read_dir(home.at(&documents)).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.sort();
        written.push((files.iter().map(|file| fs::read(file).unwrap()).collect::<Vec<_>>(), found));
    }
    assert!(written[0] == written[1]);
}

/// A process that ends with the test.
struct Ended(Child);

impl Drop for Ended {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn a_cluster_of_two_workers_makes_the_index_of_one_machine() {
    let Some(submit) = submit() else { return };
    let home = corpus();
    let class = |arguments: &[&str]| {
        let mut command = of_spark(&home, &submit.with_file_name("spark-class"), arguments);
        command.env("SPARK_DAEMON_MEMORY", "256m");
        command.stdout(Stdio::null());
        command
    };
    let master =
        ["org.apache.spark.deploy.master.Master", "--host", "127.0.0.1", "--port", "0", "--webui-port", "0"];
    let mut master = Ended(class(&master).stderr(Stdio::piped()).spawn().unwrap());
    let mut log = BufReader::new(master.0.stderr.take().unwrap()).lines();
    let address = log.by_ref().map_while(Result::ok).find_map(|line| {
        let at = line.find("spark://127.0.0.1:")?;
        Some(line[at..].split_whitespace().next().unwrap().to_owned())
    });
    let address = address.expect("the master says its address");
    std::thread::spawn(move || log.for_each(drop));
    let worker = |number: usize| {
        let folder = home.at(&format!("../worker {number}"));
        let of = ["org.apache.spark.deploy.worker.Worker", "--host", "127.0.0.1", "--webui-port", "0"];
        let more = ["--cores", "1", "--memory", "600m", "--work-dir", text(&folder), &address];
        Ended(class(&[&of[..], &more].concat()).stderr(Stdio::null()).spawn().unwrap())
    };
    let workers = [worker(0), worker(1)];
    let more =
        ["--master", &address, "--conf", "spark.executor.memory=512m", "--conf", "spark.speculation=true"];
    let wait = ["--conf", "spark.scheduler.minRegisteredResourcesRatio=1.0", "--conf", "spark.cores.max=2"];
    let into = ["--tasks", "6", "--index", "../joined"];
    done(&index(&home, &submit, &[&more[..], &wait, &into].concat()).output().unwrap());
    answers_agree(&home, "../joined");
    let used = |number| fs::read_dir(home.at(&format!("../worker {number}"))).unwrap().count();
    assert!(used(0) > 0 && used(1) > 0, "each worker had an executor");
    drop(workers);
}
