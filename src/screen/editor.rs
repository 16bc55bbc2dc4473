//! Opens the user's editor at a line and column, with the arguments that common editors take for this, and for waiting
//! until the file is closed.

use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, ExitStatus};
use std::{env, io};

use crate::terminal::ScreenOutput;
use crate::user_commands::{filled, in_foreground};

/// The default editor.
const USUAL: &str = "vi";

/// Opens a file at a line and column in the editor, which `run` runs; a sentence if that fails.
pub(crate) fn open(
    configured: Option<&str>,
    (file, line, column): (&Path, u32, u32),
    output: &ScreenOutput,
    run: impl FnOnce(&mut Command) -> io::Result<ExitStatus>,
) -> Result<(), String> {
    let editor = chosen(configured, |name| env::var(name).ok());
    let command = command(&editor, (file, line, column))?;
    if command.is_empty() {
        return Err("The editor that is set is empty.".to_owned());
    }
    in_foreground(&command, Path::new("."), output, run, "set $EDITOR or `editor` in config.toml.")
}

/// The editor: the setting, `VISUAL` or `EDITOR`, the first that is not blank.
fn chosen(configured: Option<&str>, variable: impl Fn(&str) -> Option<String>) -> String {
    let says_something = |editor: &String| !editor.trim().is_empty();
    let from_environment =
        || ["VISUAL", "EDITOR"].iter().find_map(|name| variable(name).filter(says_something));
    configured
        .map(str::to_owned)
        .filter(says_something)
        .or_else(from_environment)
        .unwrap_or_else(|| USUAL.to_owned())
}

/// The arguments of editors by their names: they go to the line, and wait until the file is closed.
const EDITORS: [(&str, &str); 17] = [
    ("vi vim nvim view vimx ex elvis nvi joe jmacs jstar mg ne zile less more most", "+{line} {path}"),
    ("leafpad mousepad pluma xed", "+{line} {path}"),
    // These would return at once.
    ("gvim mvim", "-f +{line} {path}"),
    ("neovide nvim-qt", "--nofork -- +{line} {path}"),
    ("nano pico rnano", "+{line},{column} {path}"),
    ("emacs emacsclient kak micro", "+{line}:{column} {path}"),
    ("gedit", "--wait +{line}:{column} {path}"),
    ("bbedit", "--wait +{line} {path}"),
    ("jed", "-g {line} {path}"),
    ("hx helix lapce", "{path}:{line}:{column}"),
    ("mcedit", "{path}:{line}"),
    ("subl sublime_text zed zeditor atom pulsar", "--wait {path}:{line}:{column}"),
    ("code codium vscodium code-insiders code-oss cursor windsurf", "--wait --goto {path}:{line}:{column}"),
    (
        "idea idea.sh pycharm clion webstorm goland phpstorm rubymine rider rustrover datagrip studio",
        "--wait --line {line} --column {column} {path}",
    ),
    ("kate", "--block --line {line} --column {column} {path}"),
    ("kwrite geany", "--line {line} --column {column} {path}"),
    ("mate", "--wait --line {line}:{column} {path}"),
];

/// The program and its arguments, quoted as in a shell. A command with `{path}` is a template; otherwise the arguments
/// are those of the known editor, and of one that is not known, the file alone.
fn command(editor: &str, (file, line, column): (&Path, u32, u32)) -> Result<Vec<OsString>, String> {
    let words = shell_words::split(editor)
        .map_err(|_| format!("The editor `{editor}` has a quote without its end."))?;
    let (line, column) = (line.to_string(), column.to_string());
    let values = [("{path}", file.as_os_str()), ("{line}", line.as_ref()), ("{column}", column.as_ref())];
    let fill = |word: &str| filled(word, &values);
    if editor.contains("{path}") {
        return Ok(words.iter().map(|word| fill(word)).collect());
    }
    let program = Path::new(words.first().map_or("", String::as_str)).file_name().unwrap_or_default();
    let program = program.to_string_lossy().to_lowercase();
    let known = EDITORS.iter().find(|(names, _)| names.split(' ').any(|name| name == program));
    let arguments = known.map_or("{path}", |(_, arguments)| arguments).split(' ').map(fill);
    Ok(words.iter().map(OsString::from).chain(arguments).collect())
}

#[cfg(test)]
mod tests {
    use std::os::unix::ffi::{OsStrExt, OsStringExt};

    use super::*;

    fn told(editor: &str) -> Vec<String> {
        command(editor, (Path::new("/a b"), 3, 7))
            .unwrap()
            .iter()
            .map(|word| word.to_string_lossy().into_owned())
            .collect()
    }

    #[test]
    fn an_editor_may_have_arguments_and_quoted_words() {
        assert_eq!(told("vim -u NONE"), ["vim", "-u", "NONE", "+3", "/a b"]);
        assert_eq!(
            told("'/opt/my editors/nano' --syntax=\"none at all\""),
            ["/opt/my editors/nano", "--syntax=none at all", "+3,7", "/a b"]
        );
        let target = (Path::new("/a"), 1, 1);
        assert!(command("vim 'x", target).unwrap_err().contains("quote"));
    }

    #[test]
    fn a_template_says_where_everything_goes() {
        assert_eq!(told("foo --at {line}:{column} {path}"), ["foo", "--at", "3:7", "/a b"]);
        assert_eq!(told("foo 'file={path} line={line}'"), ["foo", "file=/a b line=3"]);
        let odd = OsString::from_vec(b"/{line}\xff".to_vec());
        let words = command("foo {path}", (Path::new(&odd), 1, 1)).unwrap();
        assert_eq!(words[1].as_bytes(), b"/{line}\xff");
    }

    #[test]
    fn a_variable_that_is_empty_hides_no_other() {
        let variable = |visual: &str, editor: &str| {
            let (visual, editor) = (visual.to_owned(), editor.to_owned());
            move |name: &str| Some(if name == "VISUAL" { visual.clone() } else { editor.clone() })
        };
        assert_eq!(chosen(None, variable("", "nano")), "nano");
        assert_eq!(chosen(None, variable("hx", "nano")), "hx");
        assert_eq!(chosen(Some(" "), variable(" ", "")), "vi");
        assert_eq!(chosen(Some("kak"), variable("hx", "nano")), "kak");
        assert_eq!(chosen(None, |_| None), "vi");
    }

    fn null() -> ScreenOutput {
        ScreenOutput::new(std::fs::File::create("/dev/null").unwrap())
    }

    #[test]
    fn an_editor_that_is_not_there_is_named() {
        let open = |editor| open(Some(editor), (Path::new("/a"), 1, 1), &null(), Command::status);
        let said = open("/no/such/editor -x").unwrap_err();
        assert!(said.contains("/no/such/editor") && said.contains("$EDITOR"), "{said}");
        assert!(open("false").unwrap_err().contains("false ended"));
        assert_eq!(open("true"), Ok(()));
        assert!(open("''").is_err());
    }

    #[test]
    fn each_editor_is_told_in_its_own_way() {
        for (program, expected) in [
            ("/usr/bin/vim", "+3 /a b"),
            ("gvim", "-f +3 /a b"),
            ("nano", "+3,7 /a b"),
            ("emacsclient", "+3:7 /a b"),
            ("kak", "+3:7 /a b"),
            ("micro", "+3:7 /a b"),
            ("hx", "/a b:3:7"),
            ("code", "--wait --goto /a b:3:7"),
            ("codium", "--wait --goto /a b:3:7"),
            ("subl", "--wait /a b:3:7"),
            ("zed", "--wait /a b:3:7"),
            ("IDEA", "--wait --line 3 --column 7 /a b"),
            ("gedit", "--wait +3:7 /a b"),
            ("kate", "--block --line 3 --column 7 /a b"),
            ("mcedit", "/a b:3"),
            ("unheard-of", "/a b"),
            ("", "/a b"),
        ] {
            assert_eq!(told(program).join(" "), format!("{program} {expected}").trim_start(), "{program}");
        }
    }
}
