//! The scripts of `cases/decisions.txt`.

use std::fs;
use std::path::Path;

use super::fixture::{Place, accepted, entry};
use super::*;
use crate::script::{check, outcome};

/// A place while a script is played.
struct Decided {
    place: Place,
    /// The texts of all lists, as they were told last.
    told: String,
    /// The file of the corpus's list, as it was saved.
    saved: Vec<u8>,
}

impl Default for Decided {
    fn default() -> Self {
        Self { place: Place::new(), told: " / / ".to_owned(), saved: Vec::new() }
    }
}

impl Decided {
    fn step(&mut self, line: &str) -> Vec<String> {
        let (folders, line) = match line.strip_prefix("other ") {
            Some(line) => (self.place.other_corpus(), line),
            None => (self.place.folders.clone(), line),
        };
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let names: Vec<&str> = rest.split(' ').collect();
        let add = |scope| folders.edit_taboo(scope, |list| list.add(entry(rest))).map(drop);
        let turned = |steps: Result<Option<AppliedSteps>, TabooError>| match steps {
            Ok(None) => vec!["nothing".to_owned()],
            Ok(Some(steps)) => vec![format!("{}; changed {:?}", steps.words(), steps.changed())],
            Err(error) => vec![error.to_string().replace(self.place.path().to_str().unwrap(), "…")],
        };
        let mut said = Vec::new();
        match word {
            "" | "#" | "##" => return Vec::new(),
            "add" => add(TabooScope::Corpus).unwrap(),
            "add-user" => add(TabooScope::User).unwrap(),
            "move" => {
                let to = if names[1] == "user" { TabooScope::User } else { TabooScope::Corpus };
                assert_eq!(folders.move_taboo(|entry| entry.text == names[0], to).unwrap(), 1);
            }
            "remove" => {
                let count = folders.remove_taboo(|entry| names.contains(&&*entry.text)).unwrap();
                assert_eq!(count, names.len());
            }
            "replace" => self.place.edit(|list| {
                let with = TabooEntry { reason: Some("why".into()), ..entry(names[1]) };
                drop(list.replace(&entry(names[0]), with));
            }),
            "accept" => drop(AcceptedList::edit(&folders.corpus, |list| list.add(accepted(1, 2))).unwrap()),
            "write" => {
                let named = |name: &&str| match name.split_once(':') {
                    Some((text, reason)) => TabooEntry { reason: Some(reason.into()), ..entry(text) },
                    None => entry(name),
                };
                let list: TabooList = names.iter().filter(|name| !name.is_empty()).map(named).collect();
                fs::write(folders.corpus.at(LIST), list.to_text().unwrap()).unwrap();
            }
            "save" => self.saved = fs::read(folders.corpus.at(LIST)).unwrap(),
            "restore" => fs::write(folders.corpus.at(LIST), &self.saved).unwrap(),
            "undo" => said = turned(folders.undo()),
            "redo" => said = turned(folders.redo()),
            "log" => said.extend(folders.log().unwrap().iter().map(|(scope, step)| step_words(*scope, step))),
            other => panic!("`{other}` is no step"),
        }
        let now = self.texts();
        if now != self.told {
            said.push(now.clone());
            self.told = now;
        }
        said.iter().map(|line| outcome('|', line)).collect()
    }

    /// The texts of the corpus's list, of the other corpus's and of the user's, with their reasons, and whether something is
    /// accepted.
    fn texts(&self) -> String {
        let user = self.place.folders.user.clone().unwrap();
        let texts = |folder: &Folder| {
            let list = TabooList::load(folder).unwrap();
            let reason =
                |entry: &TabooEntry| entry.reason.as_ref().map_or(String::new(), |why| format!(":{why}"));
            let text = |entry: &TabooEntry| format!("{}{}", entry.text, reason(entry));
            list.entries().iter().map(text).collect::<Vec<_>>().join(" ")
        };
        let is_accepted = !AcceptedList::load(self.place.home()).unwrap().entries().is_empty();
        let all =
            [self.place.home().clone(), self.place.other_corpus().corpus, user].map(|folder| texts(&folder));
        format!("{}{}", all.join(" / "), if is_accepted { ", accepted" } else { "" })
    }
}

#[test]
fn decisions_are_undone_and_redone() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases/decisions.txt");
    check(&path, Decided::default, Decided::step);
}
