//! `--print` and the commands of the user, in a pseudo-terminal: the screen is on the terminal while standard output is a
//! file, and a program that is started has the terminal for itself.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use crate::signals::wait_for_copies;
use crate::support::{Home, Screen, program, text};

const COPIED: &str = "This message is meant for the person named above and for nobody else on this earth; \
                      whoever finds it is asked to send it back unread to the office of the harbour.";

fn letters() -> Home {
    let home = Home::new();
    write_letters(&home);
    home
}

pub(crate) fn write_letters(home: &Home) {
    for name in ["ann", "bob", "cid"] {
        home.write(&format!("{name}.txt"), format!("{name}\n\n{COPIED}\n"));
    }
}

/// The screen with standard output in a file beside the corpus.
fn printing(home: &Home, options: &str) -> Screen {
    let mut command = home.command_in_terminal("/bin/sh".into(), &[]);
    command.args(["-c", &format!("'{}' {options} > ../out", text(&program()))]);
    let mut screen = Screen::start(command, (100, 24));
    wait_for_passages(&mut screen);
    screen
}

/// Waits until the rows are passages, and the copies of the first are known. Until then they are blots.
fn wait_for_passages(screen: &mut Screen) {
    screen.wait_for("the passages", |text| text.contains(" worth") && text.contains("copy 1 of"));
    wait_for_copies(screen);
}

fn out(home: &Home) -> Vec<u8> {
    fs::read(home.at("../out")).unwrap()
}

#[test]
fn with_nul_a_name_is_its_bytes_and_else_it_is_escaped() {
    let home = Home::new();
    // Tokens of their own, so that the passage begins in the third line.
    for (name, head) in [("a\nb:7\u{1b}", "first"), ("a\nc", "second")] {
        home.write(name, format!("{head}\n\n{COPIED}\n"));
    }
    for (option, expected) in [("-0", &b"a\nb:7\x1b:3\0"[..]), ("--print", b"a\\x0ab\\x3a7\\x1b:3\n")] {
        let mut screen = printing(&home, option);
        screen.send("\r");
        assert_eq!(screen.wait_for_end(), 0);
        let printed = out(&home);
        assert_eq!(String::from_utf8_lossy(&printed), String::from_utf8_lossy(expected), "{option}");
    }
    // From elsewhere, names are reached from there.
    let mut command = home.command_in_terminal("/bin/sh".into(), &[]);
    command.cwd("/");
    command.args([
        "-c",
        &format!("'{}' -0 '{}' > '{}'", text(&program()), text(&home.at("")), text(&home.at("../out"))),
    ]);
    let mut screen = Screen::start(command, (100, 24));
    wait_for_passages(&mut screen);
    screen.send("\r");
    assert_eq!(screen.wait_for_end(), 0);
    let printed = out(&home);
    let path = std::str::from_utf8(printed.strip_suffix(b":3\0").unwrap()).unwrap();
    let reached = std::path::Path::new("/").join(path);
    assert!(reached.is_file(), "{path}");
}

#[test]
fn a_command_of_the_user_runs_without_a_shell_on_the_terminal_that_it_has_for_itself() {
    let home = letters();
    let script = home.at("../my program");
    let said = home.at("../said");
    fs::write(
        &script,
        format!(
            "#!/bin/sh\nstty -a | grep -c -e ' icanon' > {0}\npwd >> {0}\nprintf '%s\\n' \"$@\" >> {0}\necho seen on the terminal\nread line\nexit 3\n",
            text(&said)
        ),
    )
    .unwrap();
    fs::set_permissions(&script, PermissionsExt::from_mode(0o755)).unwrap();
    fs::create_dir_all(home.settings().parent().unwrap()).unwrap();
    fs::write(
        home.settings(),
        format!(
            "[commands]\n\"Alt-b\" = [\"{}\", \"$(id)\", \"{{id}}\", \"at {{line}} of {{path}}\", \"{{copies}}\"]\nX = []\n",
            text(&script)
        ),
    )
    .unwrap();
    let check = home.run(&["config", "--check"]);
    let checked = check.stdout;
    assert!(
        checked.contains("line 3, column 1: a command is a list of words") && checked.lines().count() == 1,
        "{checked}"
    );
    let id = home.stdout(&["passages", "--json"]).split('"').nth(3).unwrap().to_owned();
    let mut screen = printing(&home, "--print");
    screen.send("?");
    screen.wait_for_text("keys");
    screen.send("/your");
    screen.wait_for_text("Alt-b");
    screen.press("Esc Esc");
    screen.send("n");
    screen.wait_for_text("copy 2 of 3");
    screen.press("Alt-b");
    screen.wait_for_text("seen on the terminal");
    screen.send("typed for the program\r");
    screen.wait_for_text("ended with exit status: 3");
    let base = fs::canonicalize(home.at("")).unwrap();
    let copies =
        ["ann", "bob", "cid"].map(|name| format!("{}:3\n", text(&base.join(format!("{name}.txt"))))).concat();
    let expected = format!("1\n{0}\n$(id)\n{id}\nat 3 of {0}/bob.txt\n{copies}", text(&base));
    assert_eq!(fs::read_to_string(&said).unwrap(), expected);
    screen.send("\r");
    assert_eq!((screen.wait_for_end(), out(&home)), (0, b"bob.txt:3\n".to_vec()));
}
