//! How long the search for passages takes in a finished index, and how that grows from a part of the corpus
//! to all of it.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::thread;
use std::time::Duration;

use dupi::index::repeated::Repeated;
use dupi::index::snapshot::{FileId, Snapshot};
use dupi::judge::search::SearchSettings;
use dupi::passage::gather::{Gathered, StretchCriteria};
use dupi::storage::Folder;
use serde::Deserialize;

use crate::support::page::figure;
use crate::support::{Home, text};
use crate::{Running, inspect, milliseconds, peers, run, seconds, stages};

/// The kinds of passages, each with the command that lists them.
const KINDS: [(&str, &[&str]); 2] = [
    ("equal", &["passages", "--gap", "0", "--aside", "none", "--members", "--json"]),
    ("near", &["passages", "--aside", "none", "--members", "--json"]),
];

/// How many texts are looked up, and of how many bytes they are.
const PROBES: usize = 15;
const PROBE_BYTES: std::ops::Range<u64> = 18_000..22_000;

/// A folder with its index.
struct Searched<'a> {
    home: &'a Home,
    folder: &'a Path,
    snapshot: Snapshot,
    /// How long `cat` takes over its files.
    cat: Duration,
}

/// What was found of one kind.
#[derive(Default)]
struct Found {
    passages: usize,
    copies: usize,
}

/// What is needed of a row.
#[derive(Deserialize)]
struct Row {
    copies: usize,
}

/// Prints the figures of a folder, and of a part of it.
pub fn figures(corpus: &Path, small: &Path) {
    let home = Home::new();
    figure!("| what | figure |");
    figure!("| --- | --- |");
    let per_token = |folder| {
        let searched = Searched::new(&home, folder);
        let tokens = searched.repeated_tokens();
        figure!(
            "| `{}`: `cat`; tokens in repeated stretches | {:.2} s; {tokens} |",
            searched.name(),
            seconds(searched.cat)
        );
        let times = KINDS.map(|kind| seconds(searched.search(kind)) / f64::from(tokens) * 1e9);
        stages::figures(&searched.snapshot, &searched.name());
        (times, searched)
    };
    let (of_all, all) = per_token(corpus);
    all.like();
    let (of_small, small) = per_token(small);
    for (((kind, _), all), part) in KINDS.into_iter().zip(of_all).zip(of_small) {
        figure!(
            "| {kind} passages: time a repeated token, for all against `{}` | {all:.0} ns / {part:.0} ns = {:.2} times |",
            small.name(),
            all / part
        );
    }
}

impl<'a> Searched<'a> {
    /// Builds the index.
    fn new(home: &'a Home, folder: &'a Path) -> Self {
        run(home, &["index", text(folder)]);
        let files = peers::Files::of(folder);
        let cat = (0..3).map(|_| files.cat()).min().unwrap();
        let index = inspect(home, folder)["index"].as_str().unwrap().to_owned();
        Self { home, folder, snapshot: Snapshot::open(&Folder::new(index)).unwrap(), cat }
    }

    fn name(&self) -> String {
        self.folder.file_name().unwrap_or_default().display().to_string()
    }

    /// How many tokens the stretches have in which equal passages can stand.
    fn repeated_tokens(&self) -> u32 {
        let SearchSettings { measure, memory, .. } = SearchSettings::default();
        let wanted = StretchCriteria::exact(&self.snapshot.manifest().recipe, measure.least);
        let repeated = Repeated::scan(&self.snapshot).unwrap();
        Gathered::read(&self.snapshot, Some(&repeated), wanted, |_| 0, memory, &|_| Ok(())).unwrap().0.len()
    }

    /// Prints what one kind of passages takes.
    fn search(&self, (kind, command): (&str, &[&str])) -> Duration {
        let arguments = [command, &["--no-update", "-C", text(self.folder)]].concat();
        let found = self.found(&arguments);
        let runs = (0..2).map(|_| {
            self.forget();
            Running::start(self.home, &arguments, Stdio::null()).watch()
        });
        let (time, peak) = runs.min().unwrap();
        figure!(
            "| {kind} passages of `{}`, `{} > /dev/null` | {:.2} s ({:.1} × `cat`), {peak} MiB of memory at the most, {} passages with {} copies |",
            self.name(),
            command.join(" "),
            seconds(time),
            seconds(time) / seconds(self.cat),
            found.passages,
            found.copies
        );
        time
    }

    /// Removes the passages that earlier searches kept, so that the next one is made.
    fn forget(&self) {
        for entry in fs::read_dir(self.snapshot.folder().path()).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|extension| extension == "kept") {
                fs::remove_file(path).unwrap();
            }
        }
    }

    fn found(&self, arguments: &[&str]) -> Found {
        let mut running = Running::start(self.home, arguments, Stdio::piped());
        let mut rows = BufReader::new(running.output());
        let counted = thread::spawn(move || {
            let (mut found, mut line) = (Found::default(), Vec::new());
            while rows.read_until(b'\n', &mut line).unwrap() > 0 {
                let row: Row = serde_json::from_slice(&line).unwrap();
                found.passages += 1;
                found.copies += row.copies;
                line.clear();
            }
            found
        });
        running.watch();
        counted.join().unwrap()
    }

    /// Prints how long looking up a text takes.
    fn like(&self) {
        let Some(probes) = self.probes() else {
            figure!("| `like` of a file of 20 KB | there is none |");
            return;
        };
        let times = |more: &[&str]| {
            let time = |probe: &PathBuf| {
                let arguments = [&["like", text(probe), "--json", "-C", text(self.folder)], more].concat();
                Running::start(self.home, &arguments, Stdio::null()).watch().0
            };
            let mut times: Vec<Duration> = probes.iter().map(time).collect();
            times.sort();
            (milliseconds(times[PROBES / 2]), milliseconds(times[PROBES - 1]))
        };
        let (median, slowest) = times(&["--no-update"]);
        figure!(
            "| `like FILE --no-update` of {PROBES} files of 20 KB: median · slowest | {median:.0} ms · {slowest:.0} ms |"
        );
        let (median, slowest) = times(&[]);
        figure!(
            "| `like FILE`, which first makes sure that nothing changed: median · slowest | {median:.0} ms · {slowest:.0} ms |"
        );
    }

    /// Documents of about one size from all over the corpus.
    fn probes(&self) -> Option<Vec<PathBuf>> {
        let is_probe = |&file: &FileId| {
            let table = self.snapshot.segments()[file.segment as usize].segment().table();
            PROBE_BYTES.contains(&table.stamp(file.file).size) && !table.documents_of(file.file).is_empty()
        };
        let path = |file| self.snapshot.manifest().corpus.absolute(self.snapshot.path(file));
        let mut paths: Vec<PathBuf> = self.snapshot.files().filter(is_probe).map(path).collect();
        paths.sort();
        let spread = |number| paths.get(number * paths.len() / PROBES).cloned();
        (0..PROBES).map(spread).collect()
    }
}
