//! The README and the guide: their links lead to files, and `help` prints every chapter.

use std::fs;
use std::path::{Path, PathBuf};

use regex::Regex;

use crate::support::Home;

/// The root of the repository.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The chapters of the guide.
fn chapters() -> Vec<PathBuf> {
    let entries = fs::read_dir(root().join("assets/guide")).unwrap();
    entries.map(|entry| entry.unwrap().path()).collect()
}

#[test]
fn every_link_leads_to_a_file() {
    let link = Regex::new(r"\]\(([^)#]+)(#[^)]*)?\)").unwrap();
    let pages = ["README.md", "assets/figures.md", "assets/near-passages.md"].map(|page| root().join(page));
    let mut checked = 0;
    for page in pages.into_iter().chain(chapters()) {
        let text = fs::read_to_string(&page).unwrap();
        for found in link.captures_iter(&text).map(|found| found[1].to_owned()) {
            if !found.contains("://") {
                assert!(page.with_file_name(&found).exists(), "{}: {found}", page.display());
                checked += 1;
            }
        }
    }
    assert!(checked > 20, "{checked}");
}

#[test]
fn help_prints_every_chapter_and_names_it() {
    let home = Home::new();
    let all = home.stdout(&["help"]);
    for chapter in chapters() {
        let topic = chapter.file_stem().unwrap().to_str().unwrap();
        assert!(all.contains(topic), "{topic}");
        let text = fs::read_to_string(&chapter).unwrap();
        assert!(home.stdout(&["help", topic]).starts_with(&text), "{topic}");
    }
}

#[test]
fn the_readme_is_a_page() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    assert!(readme.lines().count() <= 220);
}
