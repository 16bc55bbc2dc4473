//! The verbs of the command line as clap lists them, so that a test that asks all of them misses no new one.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::ffi::OsStr;

use clap::{Command, CommandFactory};
use dupi::cli::program::Cli;

/// The names of all verbs, those of verbs below verbs with all words: `index`, `taboo add`.
pub fn every_verb() -> BTreeSet<String> {
    fn collect(command: &Command, above: &str, found: &mut BTreeSet<String>) {
        for verb in command.get_subcommands().filter(|verb| verb.get_name() != "help") {
            let name = format!("{above} {}", verb.get_name()).trim_start().to_owned();
            match verb.has_subcommands() {
                true => collect(verb, &name, found),
                false => drop(found.insert(name)),
            }
        }
    }
    let mut found = BTreeSet::new();
    collect(&Cli::command(), "", &mut found);
    found
}

/// The verb that arguments begin with; `None` if they ask for none.
pub fn verb_of<S: AsRef<OsStr>>(arguments: &[S]) -> Option<String> {
    let words: Vec<&str> = arguments.iter().map_while(|word| word.as_ref().to_str()).take(3).collect();
    let verbs = every_verb();
    (1..=words.len()).map(|length| words[..length].join(" ")).find(|name| verbs.contains(name))
}

/// Notes which verbs a test asks.
#[derive(Debug, Default)]
pub struct AskedVerbs(RefCell<BTreeSet<String>>);

impl AskedVerbs {
    /// Notes the verb of some arguments.
    pub fn note<S: AsRef<OsStr>>(&self, arguments: &[S]) {
        self.0.borrow_mut().extend(verb_of(arguments));
    }

    /// Panics unless each verb was asked, but for those that cannot be, and none of these was.
    pub fn check_all_but<S: AsRef<str>>(&self, others: &[S]) {
        let asked = self.0.borrow();
        let others: BTreeSet<String> = others.iter().map(|name| name.as_ref().to_owned()).collect();
        let expected: BTreeSet<String> = every_verb().difference(&others).cloned().collect();
        let missing: Vec<&String> = expected.difference(&asked).collect();
        assert!(missing.is_empty(), "never asked: {missing:?}");
        let wrong: Vec<&String> = others.intersection(&asked).collect();
        assert!(wrong.is_empty(), "asked after all: {wrong:?}");
    }
}

/// The command lines below a heading of a text, with their words. Panics if there are none.
pub fn command_lines(text: &str, heading: &str) -> Vec<Vec<&'static str>> {
    let lines = text.lines().skip_while(|line| line.strip_prefix("# ") != Some(heading)).skip(1);
    let words =
        |line: &str| shell_words::split(line).unwrap().into_iter().map(|word| &*word.leak()).collect();
    let commands: Vec<_> = lines.take_while(|line| !line.is_empty()).map(words).collect();
    assert!(!commands.is_empty(), "no commands below {heading}");
    commands
}
