//! The real program, killed at random moments of a build, an update with its merges, and while it follows
//! the folder: afterwards the index opens and has what the documents that it names hold.

use std::collections::HashMap;
use std::fs;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::naive::{Documents, check_sketches, expected, ranked, text};
use crate::support::Home;
use dupi::blot::Recipe;
use dupi::index::IndexError;
use dupi::index::snapshot::Snapshot;
use dupi::storage::Folder;
use dupi::token::TokenMode;
use xxhash_rust::xxh3::xxh3_64;

/// So many corpora are indexed at once: most of the time passes while one waits for the moment to kill.
const WORLDS: u32 = 4;
/// Files of the corpus.
const FILES: u32 = 25;

/// A corpus, and everything that ever stood in it.
struct World {
    home: Home,
    ever: HashMap<(String, u64), Vec<u8>>,
    random: u64,
}

impl World {
    fn below(&mut self, n: u32) -> u32 {
        self.random = self.random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.random >> 33) as u32 % n
    }

    /// Writes a file anew, in place or by renaming, or removes it.
    fn change(&mut self) {
        let name = format!("{}.txt", self.below(FILES));
        if self.below(6) == 0 {
            let _ = fs::remove_file(self.home.at(&name));
            return;
        }
        let seed = self.below(1000);
        let words: Vec<u8> = (0..80).map(|at| ((seed + at * at) % 9) as u8).collect();
        let text = text(&words);
        self.ever.insert((name.clone(), xxh3_64(text.as_bytes())), words);
        // Never seen half written: the reference knows only whole files.
        let draft = self.home.at("../draft");
        fs::write(&draft, text).unwrap();
        fs::rename(&draft, self.home.at(&name)).unwrap();
    }

    fn index(&self) -> Folder {
        Folder::new(self.home.at("../index"))
    }

    fn command(&self, more: &[&str]) -> Command {
        let index = self.home.at("../index");
        let mut command = self.home.command(&["index", "-q", "--tokens", "words", "--index"]);
        command.arg(index).args(more).arg(self.home.at("")).stdout(Stdio::null()).stderr(Stdio::null());
        command
    }

    /// Whether there is an index; it has what its documents held when they were read.
    fn check(&self) -> bool {
        let snapshot = match Snapshot::open(&self.index()) {
            Ok(snapshot) => snapshot,
            Err(IndexError::Absent(_)) => return false,
            Err(error) => panic!("{error}"),
        };
        let documents: Documents = snapshot
            .files()
            .map(|file| {
                let name = snapshot.path(file).display().to_string();
                (name.clone(), self.ever[&(name, snapshot.file(file).hash)].clone())
            })
            .collect();
        let recipe = Recipe { tokens: TokenMode::Words, ..Recipe::default() };
        assert_eq!(ranked(&snapshot), expected(&documents, &recipe));
        check_sketches(&snapshot, &documents);
        true
    }
}

/// Kills the program so many times. How often it had ended before, and how often there was an index.
fn kill_again_and_again(seed: u64, kills: u32) -> [u32; 2] {
    let mut world = World { home: Home::new(), ever: HashMap::new(), random: seed };
    for _ in 0..FILES * 2 {
        world.change();
    }
    let started = Instant::now();
    assert!(world.command(&[]).status().unwrap().success());
    let whole = started.elapsed().as_micros() as u32;
    let (mut finished, mut built) = (0, 0);
    for number in 0..kills {
        let is_live = number % 4 == 3;
        if number % 8 == 0 {
            let _ = fs::remove_dir_all(world.index().path());
        }
        for _ in 0..=world.below(6) {
            world.change();
        }
        let mut child = world.command(if is_live { &["--watch"] } else { &[] }).spawn().unwrap();
        let moment = world.below(if is_live { whole * 3 } else { whole * 5 / 4 });
        thread::sleep(Duration::from_micros(u64::from(moment)));
        if is_live {
            world.change();
            let more = world.below(whole * 2);
            thread::sleep(Duration::from_micros(u64::from(more)));
        }
        finished += u32::from(child.try_wait().unwrap().is_some());
        let _ = child.kill();
        child.wait().unwrap();
        built += u32::from(world.check());
    }
    assert!(world.command(&[]).status().unwrap().success());
    assert!(world.check());
    let names = fs::read_dir(world.home.at("")).unwrap().count();
    assert_eq!(Snapshot::open(&world.index()).unwrap().totals().files as usize, names);
    [finished, built]
}

/// Kills the program so many times in each world.
fn check_kills(each: u32) {
    let worlds: Vec<_> = (7..)
        .take(WORLDS as usize)
        .map(|seed| thread::spawn(move || kill_again_and_again(seed, each)))
        .collect();
    let [finished, built] = worlds
        .into_iter()
        .map(|world| world.join().unwrap())
        .reduce(|sums, world| [sums[0] + world[0], sums[1] + world[1]])
        .unwrap();
    let kills = WORLDS * each;
    assert!(finished < kills * 9 / 10 && built > kills / 4, "{finished} finished, {built} with an index");
}

#[test]
fn an_index_outlives_its_writer_whenever_that_is_killed() {
    check_kills(25);
}

#[test]
#[ignore = "long; .ci/run runs it with the release program"]
fn an_index_outlives_its_writer_five_hundred_times() {
    check_kills(125);
}
