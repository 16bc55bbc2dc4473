//! `completions` and `man`: what shells and `man` are given.

use std::fs;

use crate::support::Home;

#[test]
fn each_shell_completes_verbs_and_formats() {
    let home = Home::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish", "nushell"] {
        let script = home.stdout(&["completions", shell]);
        for word in ["dupi-tui", "passages", "format"] {
            assert!(script.contains(word), "{shell}: {word}");
        }
    }
    assert!(home.stdout(&["completions", "bash"]).contains("sarif"));
    assert_eq!(home.run(&["completions", "tcsh"]).code, Some(2));
}

#[test]
fn every_verb_has_a_manual_page() {
    let home = Home::new();
    let page = home.stdout(&["man"]);
    assert!(page.contains(".TH dupi-tui 1") && page.contains("dupi\\-tui\\-passages(1)"), "{page}");
    home.stdout(&["man", "--dir", "pages"]);
    for verb in ["", "-passages", "-taboo-report"] {
        let page = fs::read_to_string(home.at(&format!("pages/dupi-tui{verb}.1"))).unwrap();
        assert!(page.contains(".SH SYNOPSIS"), "{verb}");
    }
    home.write("file", "");
    let refused = home.run(&["man", "--dir", "file"]);
    assert_eq!(refused.code, Some(2));
    assert!(refused.stderr.contains("file"));
}
