//! The first minute of somebody who has never seen the program: open a folder, understand the first screen, look
//! at the worst duplicate's copies, silence a notice, undo that, filter, open a copy in the editor, and leave.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use super::acts::Do::{Look, Press, Type};
use super::acts::{Act, act};
use super::{Home, text};

/// The demo corpus is read, its passages are found, and the first one is shown.
pub const OPENED: [&str; 3] = ["watching", "row 1 of 9", "copy 1 of 4 · 55 tokens"];

/// What is done, on the demo corpus, with [`editor`].
pub const MINUTE: [Act; 13] = [
    act(Look, &OPENED, 3000),
    act(Press("n"), &["copy 2 of 4"], 1000),
    act(Press("n"), &["copy 3 of 4"], 1600),
    act(Press("Down"), &["row 2 of 9", "copy 1 of 3"], 1600),
    act(Press("t"), &["3 documents hidden; u undoes it", "!Its figures are wrong by al"], 2200),
    act(Press("u"), &["shown again", "Its figures are wrong by al"], 2000),
    act(Press("/"), &["/"], 600),
    act(Type("pilot"), &[], 700),
    act(Press("Enter"), &["row 1 of 1\n", "scans/oath", "copy 1 of 2"], 1600),
    act(Press("v"), &["compared with", "copy 2 of 2 · 93 %"], 2600),
    act(Press("v o"), &["Enter closes this editor"], 2400),
    act(Press("Enter"), &["row 1 of 1\n", "!Enter closes this editor"], 900),
    act(Press("Esc"), &["row 5 of 9", "copy 2 of 2"], 1600),
];

/// Puts an editor into a home, for `EDITOR`: it shows the file with the line that it is to open, until Enter.
pub fn editor(home: &Home) -> String {
    home.write("../bin/vi", SCRIPT);
    let path = home.at("../bin/vi").canonicalize().unwrap();
    fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).unwrap();
    text(&path).to_owned()
}

const SCRIPT: &str = r#"#!/bin/sh
line=${1#+} file=$2
folder=${file%/*}
printf '\033[2J\033[H\033[7m %s/%s, line %s \033[0m\n\n' "${folder##*/}" "${file##*/}" "$line"
awk -v line="$line" 'NR > line - 8 && NR < line + 16 {
    printf NR == line ? "\033[1m%4d  %s\033[0m\n" : "%4d  %s\n", NR, $0
}' "$file"
printf '\n\033[7m Enter closes this editor \033[0m'
read -r key
"#;
