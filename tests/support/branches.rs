//! A repository with clones, and branches of which it is known what they copy.

use std::path::Path;

use crate::support::{Home, Said};

/// Numbers that look random and are the same in every run.
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x0bad_5eed)
    }

    /// A number below a limit.
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }

    fn word(&mut self) -> String {
        const VERBS: [&str; 12] = [
            "read", "write", "open", "close", "find", "make", "take", "drop", "push", "pull", "send", "load",
        ];
        const NOUNS: [&str; 12] = [
            "node", "list", "page", "file", "index", "row", "item", "tree", "lock", "queue", "timer", "cache",
        ];
        format!("{}_{}{}", VERBS[self.below(12)], NOUNS[self.below(12)], self.below(7))
    }

    /// A line of a function.
    pub fn line(&mut self) -> String {
        let (a, b, c, number) = (self.word(), self.word(), self.word(), self.below(900));
        match self.below(4) {
            0 => format!("\tif ({a}->{b} > {number}) return {c}({a}, {b});"),
            1 => format!("\t{a} = {b}({c}, {number});"),
            2 => format!("\twhile ({a} < {b}) {c}({a}++, {number});"),
            _ => format!("\t{a}->{b} += {c} * {number};"),
        }
    }
}

/// A function of C that has nothing in common with those of other numbers, as lines.
pub fn function(number: u64) -> Vec<String> {
    let mut dice = Dice::new(number);
    let head =
        format!("int {}_{number}(struct {} *{}, int {})", dice.word(), dice.word(), dice.word(), dice.word());
    let mut lines = vec![head, "{".to_owned()];
    lines.extend((0..14).map(|_| dice.line()));
    lines.extend([format!("\treturn {};", dice.word()), "}".to_owned()]);
    lines
}

/// The numbers of functions of which the repository has two copies, and of one of which it has three.
pub const PAIRS: [u64; 4] = [901, 902, 903, 904];
pub const TRIPLE: u64 = 950;
/// Of this pair the copies are accepted.
pub const ACCEPTED: u64 = 904;
/// How many files with functions of their own there are.
pub const FILES: u64 = 12;

/// What a file has at the begin: three functions of its own, and copies.
pub fn functions_of(file: u64) -> Vec<u64> {
    let mut functions: Vec<u64> = (0..3).map(|at| file * 10 + at).collect();
    for (number, pair) in (0..).zip(PAIRS) {
        if file == number || file == number + 6 {
            functions.insert(1, pair);
        }
    }
    if [4, 5, 11].contains(&file) {
        functions.insert(2, TRIPLE);
    }
    functions
}

/// The name of a file.
pub fn name(file: u64) -> String {
    format!("src/part_{file}.c")
}

/// A file of some functions.
pub fn text(functions: &[Vec<String>]) -> String {
    functions.iter().map(|lines| format!("{}\n\n", lines.join("\n"))).collect()
}

/// Runs git in a corpus, without settings of this machine.
pub fn git_in(home: &Home, folder: &Path, arguments: &[&str]) -> Said {
    let own = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "protocol.file.allow=always"];
    let mut command = home.command_of("git", &[&own, arguments].concat());
    Said::of(
        command.current_dir(folder).env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1"),
    )
}

/// The same; it must succeed.
pub fn git(home: &Home, arguments: &[&str]) {
    let output = git_in(home, &home.at(""), arguments);
    assert!(output.is_done(), "{arguments:?}: {}", output.stderr);
}

/// The repository, with everything committed on its main branch.
pub fn repository() -> Home {
    let home = Home::new();
    found(&home);
    home
}

/// Makes the repository in a home.
pub fn found(home: &Home) {
    git(home, &["init", "-q", "-b", "main"]);
    for file in 0..FILES {
        let functions: Vec<Vec<String>> = functions_of(file).into_iter().map(function).collect();
        home.write(&name(file), text(&functions));
    }
    git(home, &["add", "-A"]);
    git(home, &["commit", "-q", "-m", "base"]);
}
