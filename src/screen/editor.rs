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
    let command = command(&editor, EditorTarget { file, line, column })?;
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

/// The program and its arguments, quoted as in a shell. A command with `{path}`, `{line}` or `{column}` is a template;
/// otherwise the arguments are those of the known editor.
fn command(editor: &str, target: EditorTarget) -> Result<Vec<OsString>, String> {
    let words = shell_words::split(editor)
        .map_err(|_| format!("The editor `{editor}` has a quote without its end."))?;
    if editor.contains("{path}") {
        let (line, column) = (target.line.to_string(), target.column.to_string());
        let values =
            [("{path}", target.file.as_os_str()), ("{line}", line.as_ref()), ("{column}", column.as_ref())];
        return Ok(words.iter().map(|word| filled(word, &values)).collect());
    }
    let told = arguments_for(words.first().map(String::as_str).unwrap_or_default(), target);
    Ok(words.into_iter().map(OsString::from).chain(told).collect())
}

/// Where a file is to be opened.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EditorTarget<'p> {
    /// The file.
    pub file: &'p Path,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
}

/// The arguments for a program, by its name; of one that is not known, the file alone.
fn arguments_for(program: &str, EditorTarget { file, line, column }: EditorTarget) -> Vec<OsString> {
    let name = Path::new(program).file_name().map(|name| name.to_string_lossy().to_lowercase());
    let path = || file.as_os_str().to_owned();
    let before = |arguments: &[&str]| {
        arguments.iter().map(OsString::from).chain(std::iter::once(path())).collect::<Vec<_>>()
    };
    let behind = |arguments: &[&str], end: String| {
        let mut place = path();
        place.push(end);
        arguments.iter().map(OsString::from).chain(std::iter::once(place)).collect::<Vec<_>>()
    };
    let (line_option, comma, colon) =
        (format!("+{line}"), format!("+{line},{column}"), format!("+{line}:{column}"));
    let (line, column) = (line.to_string(), column.to_string());
    let end = || format!(":{line}:{column}");
    match name.as_deref().unwrap_or_default() {
        "vi" | "vim" | "nvim" | "view" | "vimx" | "ex" | "elvis" | "nvi" | "joe" | "jmacs" | "jstar"
        | "mg" | "ne" | "zile" | "less" | "more" | "most" | "leafpad" | "mousepad" | "pluma" | "xed" => {
            before(&[&line_option])
        }
        // These would return at once.
        "gvim" | "mvim" => before(&["-f", &line_option]),
        "neovide" | "nvim-qt" => before(&["--nofork", "--", &line_option]),
        "nano" | "pico" | "rnano" => before(&[&comma]),
        "emacs" | "emacsclient" | "kak" | "micro" => before(&[&colon]),
        "gedit" => before(&["--wait", &colon]),
        "bbedit" => before(&["--wait", &line_option]),
        "jed" => before(&["-g", &line]),
        "hx" | "helix" | "lapce" => behind(&[], end()),
        "mcedit" => behind(&[], format!(":{line}")),
        "subl" | "sublime_text" | "zed" | "zeditor" | "atom" | "pulsar" => behind(&["--wait"], end()),
        "code" | "codium" | "vscodium" | "code-insiders" | "code-oss" | "cursor" | "windsurf" => {
            behind(&["--wait", "--goto"], end())
        }
        "idea" | "idea.sh" | "pycharm" | "clion" | "webstorm" | "goland" | "phpstorm" | "rubymine"
        | "rider" | "rustrover" | "datagrip" | "studio" => {
            before(&["--wait", "--line", &line, "--column", &column])
        }
        "kate" => before(&["--block", "--line", &line, "--column", &column]),
        "kwrite" | "geany" => before(&["--line", &line, "--column", &column]),
        "mate" => before(&["--wait", "--line", &format!("{line}:{column}")]),
        _ => vec![path()],
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::ffi::{OsStrExt, OsStringExt};

    use super::*;

    fn told(editor: &str) -> Vec<String> {
        let target = EditorTarget { file: Path::new("/a b"), line: 3, column: 7 };
        command(editor, target).unwrap().iter().map(|word| word.to_string_lossy().into_owned()).collect()
    }

    #[test]
    fn an_editor_may_have_arguments_and_quoted_words() {
        assert_eq!(told("vim -u NONE"), ["vim", "-u", "NONE", "+3", "/a b"]);
        assert_eq!(
            told("'/opt/my editors/nano' --syntax=\"none at all\""),
            ["/opt/my editors/nano", "--syntax=none at all", "+3,7", "/a b"]
        );
        let target = EditorTarget { file: Path::new("/a"), line: 1, column: 1 };
        assert!(command("vim 'x", target).unwrap_err().contains("quote"));
    }

    #[test]
    fn a_template_says_where_everything_goes() {
        assert_eq!(told("foo --at {line}:{column} {path}"), ["foo", "--at", "3:7", "/a b"]);
        assert_eq!(told("foo 'file={path} line={line}'"), ["foo", "file=/a b line=3"]);
        let odd = OsString::from_vec(b"/{line}\xff".to_vec());
        let words =
            command("foo {path}", EditorTarget { file: Path::new(&odd), line: 1, column: 1 }).unwrap();
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
            let words = arguments_for(program, EditorTarget { file: Path::new("/a b"), line: 3, column: 7 });
            let words: Vec<_> = words.iter().map(|word| word.to_string_lossy()).collect();
            assert_eq!(words.join(" "), expected, "{program}");
        }
    }
}
