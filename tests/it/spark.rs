//! `spark`: what Apache Spark makes is what one machine makes, whatever fails on the way; and what cannot be made is said in
//! the last line.
//!
//! The tests that are ignored need Java and the packages of assets/spark/requirements.txt. `.ci/run` installs them, names its
//! spark-submit in `DUPI_SPARK_SUBMIT` and runs these tests; else that in PATH is used. The others use a script in its place.

use std::fs::{self, Permissions};
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::support::{Home, Said, program, text};

/// What Spark writes on its page is not looked at here, and no port is needed for it.
pub(crate) const FEW_PORTS: [&str; 4] =
    ["--conf", "spark.ui.enabled=false", "--conf", "spark.driver.bindAddress=127.0.0.1"];

const ASKED: [&[&str]; 3] =
    [&["passages", "--members", "--aside", "none"], &["extract", "--top", "50"], &["documents"]];

/// spark-submit of Spark.
pub(crate) fn submit() -> PathBuf {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let found = || {
        std::env::split_paths(&folders).map(|folder| folder.join("spark-submit")).find(|path| path.exists())
    };
    let named = std::env::var_os("DUPI_SPARK_SUBMIT").map(PathBuf::from);
    named.or_else(found).expect("spark-submit (pip install -r assets/spark/requirements.txt) and Java 17")
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
pub(crate) fn of_spark(home: &Home, program: &Path, arguments: &[&str]) -> Command {
    let mut command = home.command_of(program, arguments);
    let python = program.with_file_name("python3");
    if python.exists() {
        command.env("PYSPARK_PYTHON", python);
    }
    command.env("SPARK_LOCAL_IP", "127.0.0.1");
    command
}

/// The driver itself, on a plan of so many tasks in `../plan`, with another program or none. Segments are in `../segments`.
fn driver(home: &Home, submit: &Path, shipped: Option<&Path>, master: &str, tasks: &str) -> Said {
    let _ = fs::remove_dir_all(home.at("../plan"));
    home.stdout(&["segment", "plan", "--tasks", tasks, "--out", "../plan"]);
    let mut command = of_spark(home, submit, &["--master", master, "--conf", "spark.log.level=WARN"]);
    command.args(FEW_PORTS);
    if let Some(shipped) = shipped {
        command.arg("--files").arg(shipped);
    }
    command.arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/spark/dupi_spark.py"));
    let _ = fs::remove_dir_all(home.at("../segments"));
    command.args(["tasks", "--count", tasks, "--printed", "../printed", "--", "segment", "build"]);
    let folder = |name: &str| home.at(name).parent().unwrap().canonicalize().unwrap().join(&name[3..]);
    let (plan, segments) = (folder("../plan"), folder("../segments"));
    command.args([
        "--plan",
        text(&plan),
        "--task",
        "{task}",
        "--threads",
        "{cores}",
        "--out",
        text(&segments),
    ]);
    Said::of(&mut command)
}

/// A program with the name that is shipped, which runs a script with `$DUPI`, the true program.
pub(crate) fn wrapper(home: &Home, script: &str) -> PathBuf {
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

#[test]
#[ignore = "needs Spark; .ci/run runs it"]
fn one_task_makes_the_index_of_one_machine() {
    let submit = submit();
    let home = corpus();
    let more = ["--master", "local[2]", "--tasks", "1", "--index", "../of one tàsk"];
    let said = Said::of(&mut index(&home, &submit, &more)).done("Spark");
    assert!(said.contains("1 tasks, 24 files"), "{said}");
    assert!(said.contains("24 documents in 1 segments"), "{said}");
    answers_agree(&home, "../of one tàsk");
    assert_eq!(fs::read_dir(home.at("../wörk place")).unwrap().count(), 0, "nothing is left");
}

#[test]
#[ignore = "needs Spark; .ci/run runs it"]
fn a_failed_job_says_why_in_its_last_line() {
    let submit = submit();
    let home = corpus();
    let said = |output: Said| {
        assert!(!output.is_done() && !home.at("../joined").exists(), "{output:?}");
        text_of_last(&output)
    };
    let last = said(driver(&home, &submit, None, "local[2]", "2"));
    assert!(
        last.starts_with("dupi_spark: ") && last.ends_with("has no dupi-tui; ship it with --files"),
        "{last}"
    );
    fs::remove_file(home.at("bücher 3/a, b #3%20.txt")).unwrap();
    let gone = wrapper(&home, "rm -f \"bücher 4/a, b #4%20.txt\"; exec \"$DUPI\" \"$@\"");
    let last = said(driver(&home, &submit, Some(&gone), "local[2]", "2"));
    assert!(last.contains("a, b #4%20.txt: vanished; a task must see the corpus"), "{last}");
    // A limit for files stands for a disk without room.
    let full = wrapper(&home, "trap '' XFSZ; ulimit -f 1; exec \"$DUPI\" \"$@\"");
    let last = said(driver(&home, &submit, Some(&full), "local[2]", "2"));
    assert!(last.starts_with("dupi_spark: cannot write ") && last.contains("File too large"), "{last}");
}

#[test]
#[ignore = "needs Spark; .ci/run runs it"]
fn of_eight_tasks_those_whose_program_is_killed_are_run_again() {
    let submit = submit();
    let home = corpus();
    // The first two tasks lose their program after it has made its draft.
    let script = "if [ \"$1 $2\" = 'segment build' ] && { mkdir \"$HERE/a\" || mkdir \"$HERE/b\"; } 2>/dev/null; then\n\
                  mkdir -p ../segments/tmp-1-0; kill -9 $$\nfi\nexec \"$DUPI\" \"$@\"\n";
    driver(&home, &submit, Some(&wrapper(&home, script)), "local[2,4]", "8").done("Spark");
    let said = home.stdout(&["segment", "adopt", "../segments", "--plan", "../plan", "--index", "../joined"]);
    assert!(said.contains("24 documents in 8 segments"), "{said}");
    assert!(home.at("../wrapper/a").exists() && home.at("../wrapper/b").exists());
    answers_agree(&home, "../joined");
}

#[test]
#[ignore = "needs Spark; .ci/run runs it"]
fn a_table_is_indexed_like_its_documents_in_any_number_of_partitions() {
    let submit = submit();
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
    let columns = ["--master", "local[2]", "--input", "json", "--id", "key", "--text", "body"];
    let from = |name: &str| home.at("../täbles").canonicalize().unwrap().join(name);
    let whole = from("all.json");
    let more = [&columns[..], &["--documents", "../documents", "--index", "../table", text(&whole)]].concat();
    let said = Said::of(&mut index(&home, &submit, &more)).done("Spark");
    assert!(said.contains("20 documents in ") && said.contains("20 documents in 1 segments"), "{said}");
    let found = home.stdout(&["passages", "--index", "../table"]);
    assert!(found.contains("20 copies"), "{found}");
    // The driver alone writes the same files of more partitions.
    let script = text(Path::new(env!("CARGO_MANIFEST_DIR"))).to_owned() + "/assets/spark/dupi_spark.py";
    let write_as = |format: &str, from: &str, into: &str| {
        let table = ["--format", format, "--id", "key", "--text", "body", "--documents", into, from];
        let more = [&["--master", "local[2]"], &FEW_PORTS[..], &[&script, "documents"], &table].concat();
        Said::of(&mut of_spark(&home, &submit, &more))
    };
    let write = |from: &Path, into: &str| write_as("json", text(from), into);
    write(&from("part*.json"), "../more documents").done("Spark");
    let lines = "import sys, pyarrow.json, pyarrow.parquet\n\
                 pyarrow.parquet.write_table(pyarrow.json.read_json(sys.argv[1]), sys.argv[2])";
    let parquet = from("all 1.parquet");
    let python = submit.with_file_name("python3");
    let python = if python.exists() { python } else { "python3".into() };
    Said::of(&mut home.command_of(&python, &["-c", lines, text(&whole), text(&parquet)])).done("Spark");
    write_as("parquet", &format!("file://{}", text(&parquet)), "../documents of an address").done("Spark");
    let written = |folder: &str| {
        let mut files: Vec<_> =
            fs::read_dir(home.at(folder)).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.sort();
        files.iter().map(|file| fs::read(file).unwrap()).collect::<Vec<_>>()
    };
    for others in ["../more documents", "../documents of an address"] {
        assert!(written("../documents") == written(others), "{others}");
    }
    // After a failure nothing is in the way of another attempt.
    table("twice.json", &mut [1, 2, 3, 3].into_iter());
    let failed = write(&from("twice.json"), "../again");
    let last = text_of_last(&failed);
    assert!(last.contains("two records have the key 'k3'"), "{last}");
    assert_eq!(fs::read_dir(home.at("../again")).unwrap().count(), 0);
}

fn text_of_last(output: &Said) -> String {
    output.stdout.lines().last().unwrap_or_default().to_owned()
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
#[ignore = "needs Spark; .ci/run runs it"]
fn a_cluster_of_two_workers_makes_the_index_of_one_machine() {
    let submit = submit();
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
    let wait = [
        "--conf",
        "spark.scheduler.minRegisteredResourcesRatio=1.0",
        "--conf",
        "spark.scheduler.maxRegisteredResourcesWaitingTime=300s",
        "--conf",
        "spark.cores.max=2",
    ];
    let into = ["--tasks", "6", "--index", "../joined"];
    Said::of(&mut index(&home, &submit, &[&more[..], &wait, &into].concat())).done("Spark");
    answers_agree(&home, "../joined");
    let used = |number| fs::read_dir(home.at(&format!("../worker {number}"))).unwrap().count();
    assert!(used(0) > 0 && used(1) > 0, "each worker had an executor");
    // Other modules of the driver are needed there too.
    let near = ["--no-update", "--index", "../joined", "--method", "spotsigs", "--pairs"];
    let by_terms = ["--split", "term", "--blocks", "2", "--spark-submit", text(&submit)];
    let mut command =
        home.command(&[&["spark", "near"], &near[..], &by_terms, &more, &wait, &FEW_PORTS].concat());
    let found = Said::of(command.env("SPARK_LOCAL_IP", "127.0.0.1")).done("Spark");
    assert_eq!(found, home.stdout(&[&["near"], &near[..]].concat()));
    drop(workers);
}

/// A script in the place of spark-submit. `$ARGUMENTS` is the file with what is asked of the driver.
pub(crate) fn script(home: &Home, lines: &str) -> PathBuf {
    let path = home.at("../submit");
    fs::write(&path, format!("#!/bin/bash\nARGUMENTS=${{@: -1}}\nARGUMENTS=${{ARGUMENTS#@}}\n{lines}\n"))
        .unwrap();
    fs::set_permissions(&path, Permissions::from_mode(0o755)).unwrap();
    path
}

#[test]
fn a_closed_pipe_and_a_hangup_end_the_job_before_its_files_are_removed() {
    let home = corpus();
    let lines = "trap '' PIPE\ntrap 'test -e \"$ARGUMENTS\" && echo > ../ended; exit 143' TERM\necho a line\n\
                 for ((n = 0; n < 2000000; n++)); do [ $n -gt 9 ] && test -e ../quiet || echo more; done 2>&-";
    let submit = script(&home, lines);
    for hangs_up in [false, true] {
        if hangs_up {
            fs::write(home.at("../quiet"), "").unwrap();
        }
        let mut child =
            index(&home, &submit, &["--index", "../joined"]).stdout(Stdio::piped()).spawn().unwrap();
        let mut out = BufReader::new(child.stdout.take().unwrap()).lines();
        assert!(out.by_ref().map_while(Result::ok).any(|line| line == "a line"));
        if hangs_up {
            let done = Command::new("kill").args(["-HUP", &child.id().to_string()]).status().unwrap();
            assert!(done.success());
            out.for_each(drop);
        } else {
            drop(out);
        }
        child.wait().unwrap();
        fs::remove_file(home.at("../ended")).expect("the job was ended, and had its files");
        assert_eq!(fs::read_dir(home.at("../wörk place")).unwrap().count(), 0);
    }
}

#[test]
fn what_is_refused_is_refused_before_any_job() {
    let home = corpus();
    let submit = script(&home, "echo > ../submitted; exit 1");
    let refused = |more: &[&str], why: &str| {
        let given = ["spark", "index", "--spark-submit", text(&submit)];
        Said::of(&mut home.command(&[&given[..], more].concat())).refused(why);
        assert!(!home.at("../submitted").exists(), "{more:?}");
        assert!(!home.at("../new").exists(), "{more:?}");
    };
    let table = ["--input", "json", "--documents", "../new/documents", "table.json"];
    let of_table = |more: &[&'static str]| [&table[..], more].concat();
    for more in [vec![], of_table(&[])] {
        refused(&[&more[..], &["--index", "../whole index"]].concat(), "--rebuild");
        refused(&[&more[..], &["--index", "../joined", "--k", "0"]].concat(), "k");
    }
    refused(&["--index", "../joined", "--work", "work"], "with --work");
    refused(&["--index", "work/.dupi"], "with --work");
    fs::create_dir(home.at("../damaged")).unwrap();
    for entry in fs::read_dir(home.at("../whole index")).unwrap() {
        let entry = entry.unwrap().path();
        if entry.is_file() {
            fs::copy(&entry, home.at("../damaged").join(entry.file_name().unwrap())).unwrap();
        }
    }
    fs::write(home.at("../damaged/manifest.json"), "{").unwrap();
    refused(&["--index", "../damaged"], "damaged");
    assert!(!home.at("work").exists());
}

#[test]
fn segments_that_could_not_be_joined_are_kept_and_the_leftovers_of_killed_processes_are_not() {
    let home = corpus();
    let left = |name: &str| {
        let path = home.at("../wörk place").join(name);
        fs::create_dir_all(&path).unwrap();
        fs::File::create(path.join("lock")).unwrap()
    };
    let used = left("dupi-scratch-1-0");
    used.lock().unwrap();
    drop(left("dupi-scratch-1-1"));
    // Meanwhile something else comes to lie where the index is to be.
    let lines = format!(
        "mapfile -d '' -t words < \"$ARGUMENTS\"\nset -- \"${{words[@]:6}}\"\nset -- \"${{@/#'{{task}}'/0}}\"\n\
         '{}' \"${{@/#'{{cores}}'/1}}\" > ../name || exit 1\nprintf '\\0' | cat ../name - > \"${{words[4]}}\"\n\
         mkdir '../joined index'; echo > '../joined index/of others'",
        text(&program())
    );
    let submit = script(&home, &lines);
    let output = Said::of(&mut index(&home, &submit, &["--index", "../joined index"]));
    let said = output.refused("; all segments are built and kept");
    let names = fs::read_dir(home.at("../wörk place")).unwrap().map(|entry| entry.unwrap().file_name());
    let mut names: Vec<_> = names.collect();
    names.sort();
    assert!(names.len() == 2 && names[0] == "dupi-scratch-1-0", "{names:?}");
    fs::remove_dir_all(home.at("../joined index")).unwrap();
    let line = said.split('`').nth(1).unwrap().strip_prefix("dupi-tui ").unwrap();
    let words = format!("'{}' {line}", text(&program()));
    let output = Said::of(&mut home.command_of(Path::new("/bin/sh"), &["-c", &words]));
    assert!(output.done("Spark").contains("24 documents in 1 segments"));
    answers_agree(&home, "../joined index");
}
