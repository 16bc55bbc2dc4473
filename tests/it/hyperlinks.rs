//! Links in text on a terminal (OSC 8), and nowhere else.

use std::fs;

use crate::support::{Home, Screen, program};

const COPIED: &str = "This message is meant for the person named above and for nobody else on this earth; \
                      whoever finds it is asked to send it back unread to the office of the harbour.";

fn letters() -> Home {
    let home = Home::new();
    for name in ["a b", "é%"] {
        home.write(name, format!("{}\n\n{COPIED}\n", &name[..2]));
    }
    home
}

/// What a verb writes to a terminal.
fn seen(home: &Home, arguments: &[&str], variables: &[(&str, &str)]) -> String {
    let mut command = home.command_in_terminal(program(), variables);
    command.args(arguments);
    let mut screen = Screen::start(command, (200, 24));
    assert_eq!(screen.wait_for_end(), 0);
    String::from_utf8(screen.bytes.clone()).unwrap()
}

#[test]
fn each_place_is_linked_to_its_file() {
    let home = letters();
    let base = fs::canonicalize(home.at("")).unwrap();
    let base = base.to_str().unwrap();
    let verb = ["passages", "--hyperlink-format", "vscode"];
    let text = seen(&home, &verb, &[]);
    for (name, spelt) in [("a b", "a%20b"), ("é%", "%C3%A9%25")] {
        let link = format!(
            "\t\u{1b}]8;;vscode://file{base}/{spelt}:3:1\u{1b}\\\u{1b}[35m{name}\u{1b}[0m\u{1b}[32m:3:1\u{1b}[0m\u{1b}]8;;\u{1b}\\"
        );
        assert!(text.contains(&link), "{link:?} is missing in {text:?}");
    }
    let host = fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let text = seen(&home, &["near", "--threshold", "0.2", "--hyperlink-format=file"], &[]);
    assert!(text.contains(&format!("\u{1b}]8;;file://{}{base}/a%20b\u{1b}\\", host.trim())), "{text:?}");
}

#[test]
fn without_a_terminal_colours_or_a_format_there_are_no_links() {
    let home = letters();
    let verb = ["passages", "--hyperlink-format", "default", "--color", "always"];
    assert!(!home.stdout(&verb).contains("\u{1b}]8"));
    assert!(!seen(&home, &["passages"], &[]).contains("\u{1b}]8"));
    assert!(!seen(&home, &["passages", "--hyperlink-format", "none"], &[]).contains("\u{1b}]8"));
    assert!(
        !seen(&home, &["passages", "--hyperlink-format", "file"], &[("NO_COLOR", "1")]).contains("\u{1b}]8")
    );
    let refused = home.run(&["passages", "--hyperlink-format", "nonsuch"]);
    assert_eq!(refused.code, Some(2));
    assert!(refused.stderr.contains("it needs {path}"));
}

#[test]
fn people_see_some_copies_of_a_passage() {
    let home = Home::new();
    (0..9).for_each(|number| home.write(&format!("{number}.txt"), COPIED));
    let text = seen(&home, &["passages"], &[("NO_COLOR", "1")]);
    assert!(text.contains("and 4 more; --copies all lists them"), "{text}");
    assert_eq!(text.matches(".txt:1:1").count(), 5, "{text}");
}
