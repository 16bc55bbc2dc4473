//! What `near` is used for, at the settings that its help names for each: everything planted is found, and nothing else.

use std::collections::BTreeSet;

use crate::near_documents::{corpus, found, shingling};
use crate::planted::{Language, Noise};
use crate::revised::FUNCTION_WORDS;
use crate::support::Home;
use dupi::near::settings::{Identity, Method, Shingling};

type Pairs = BTreeSet<(u32, u32)>;

/// Names and texts, and which of them belong together.
#[derive(Default)]
struct World {
    names: Vec<String>,
    texts: Vec<String>,
    pairs: Pairs,
}

impl World {
    fn add(&mut self, name: String, text: String) -> u32 {
        self.names.push(name);
        self.texts.push(text);
        self.texts.len() as u32 - 1
    }

    fn found(&self, method: Method, threshold: f64) -> Pairs {
        let (_folder, snapshot) = corpus(&self.names, &self.texts);
        found(&self.names, &snapshot, method, threshold)
    }
}

fn help_names(settings: &str) {
    let help = Home::new().stdout(&["near", "--help"]);
    let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(help.contains(settings), "{settings}: {help}");
}

/// Articles of 150 to 400 words. Each fourth one stands in another paper too, under another title, of another author,
/// with up to a tenth of its words edited and with a notice behind it.
fn news(seed: u64) -> World {
    let mut language = Language::new(seed).with_words(&FUNCTION_WORDS);
    let notices: Vec<String> = (0..5).map(|_| language.text(25).join(" ")).collect();
    let mut world = World::default();
    for number in 0..160_usize {
        let article = language.text(150 + number * 83 % 250);
        let mut post = |paper: usize, words: &[String]| {
            let title = language.text(8).join(" ");
            let text = format!("{title}\n\n{}\n\n{}\n", words.join(" "), notices[paper]);
            world.add(format!("paper{paper}/{number}.txt"), text)
        };
        let original = post(number % 5, &article);
        if number % 4 == 0 {
            let edited = number as f64 / 1600.0;
            let copy = Language::new(seed + number as u64).copy(&article, Noise::Edit(edited));
            let copy = post((number + 1) % 5, &copy);
            world.pairs.insert((original, copy));
        }
    }
    world
}

#[test]
fn articles_and_their_edited_copies_in_other_papers() {
    help_names("news and other texts that were edited: --shingle 3 --threshold 0.4");
    for seed in [1, 2] {
        let world = news(seed);
        assert_eq!(world.found(Method::Jaccard(shingling(3)), 0.4), world.pairs, "{seed}");
    }
}

/// Pages of 200 to 350 words, and for each second one what a machine read of it: of up to a tenth of the letters it took
/// another one.
fn scans(seed: u64) -> World {
    let mut language = Language::new(seed).with_words(&FUNCTION_WORDS);
    let mut world = World::default();
    for number in 0..120_usize {
        let page = language.text(200 + number * 67 % 150);
        let clean = world.add(format!("clean/{number}.txt"), page.join(" "));
        if number % 2 == 0 {
            let read = language.copy(&page, Noise::Letters(number as f64 / 1200.0));
            let read = world.add(format!("read/{number}.txt"), read.join(" "));
            world.pairs.insert((clean, read));
        }
    }
    world
}

#[test]
fn pages_that_a_machine_read_and_their_clean_text() {
    help_names("scanned pages: --shingle 2 --threshold 0.15");
    for seed in [1, 2] {
        let world = scans(seed);
        assert_eq!(world.found(Method::Jaccard(shingling(2)), 0.15), world.pairs, "{seed}");
    }
}

/// Three versions of a project of 40 source files with one licence. From one version to the next, up to a tenth of the
/// lines of a file change; a file moves to another folder, and one is new.
fn versions(seed: u64) -> World {
    let mut language = Language::new(seed);
    let licence: String = (0..6).map(|_| format!("// {}\n", language.text(9).join(" "))).collect();
    let mut line = |_: usize| {
        let words = language.text(5);
        format!("    let {} = {}({}, {}.{});\n", words[0], words[1], words[2], words[3], words[4])
    };
    let mut world = World::default();
    for file in 0..40_usize {
        let mut lines: Vec<String> = (0..30 + file * 37 % 90).map(&mut line).collect();
        let mut before: Vec<u32> = Vec::new();
        for version in 1 + usize::from(file == 39)..=3 {
            let folder = if file == 7 && version > 1 { "moved" } else { "src" };
            let text = format!("{licence}fn main() {{\n{}}}\n", lines.concat());
            let number = world.add(format!("v{version}/{folder}/{file}.rs"), text);
            world.pairs.extend(before.iter().map(|&other| (other, number)));
            before.push(number);
            for at in 0..lines.len() * (file % 11) / 100 {
                let at = (at * 7919 + version * 31 + file) % lines.len();
                lines[at] = line(at);
            }
        }
    }
    world
}

#[test]
fn three_versions_of_a_project() {
    help_names(
        "versions of a project, reposts and other copies that were hardly edited: the default settings",
    );
    for seed in [1, 2] {
        let world = versions(seed);
        assert_eq!(world.found(Method::Jaccard(Shingling::default()), 0.5), world.pairs, "{seed}");
        // Each eleventh file did not change.
        let is_same = |&(a, b): &(u32, u32)| world.texts[a as usize] == world.texts[b as usize];
        let same: Pairs = world.pairs.iter().copied().filter(is_same).collect();
        assert!(same.len() >= 9);
        assert_eq!(world.found(Method::Identical(Identity::Tokens), 1.0), same, "{seed}");
    }
}
