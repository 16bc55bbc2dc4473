//! Opens the user's editor at a line and column.

mod arguments;

use std::env;
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::Path;
use std::process::{Command, ExitStatus};

use super::screen_output::ScreenOutput;
use arguments::{EditorTarget, arguments_for};

/// The default editor.
const USUAL: &str = "vi";

/// Opens a file at a line and column in the editor, which `run` runs; a sentence if that fails.
pub(super) fn open(
    configured: Option<&str>,
    (file, line, column): (&Path, u32, u32),
    output: &ScreenOutput,
    run: impl FnOnce(&mut Command) -> io::Result<ExitStatus>,
) -> Result<(), String> {
    let editor = chosen(configured, |name| env::var(name).ok());
    let command = command(&editor, EditorTarget { file, line, column })?;
    let Some((program, arguments)) = command.split_first() else {
        return Err("The editor that is set is empty.".to_owned());
    };
    let name = program.to_string_lossy();
    match run(output.command(program).args(arguments)) {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{name} ended with {status}.")),
        Err(error) => Err(format!("cannot start {name}: {error}; set $EDITOR or `editor` in config.toml.")),
    }
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
        return Ok(words.iter().map(|word| filled(word, target)).collect());
    }
    let told = arguments_for(words.first().map(String::as_str).unwrap_or_default(), target);
    Ok(words.into_iter().map(OsString::from).chain(told).collect())
}

/// Fills in a word of a template. The path is inserted last, because it may contain braces and non-UTF-8 bytes.
fn filled(word: &str, EditorTarget { file, line, column }: EditorTarget) -> OsString {
    let word = word.replace("{line}", &line.to_string()).replace("{column}", &column.to_string());
    let mut filled = OsString::new();
    for (number, piece) in word.split("{path}").enumerate() {
        if number > 0 {
            filled.push(file);
        }
        filled.push(OsStr::new(piece));
    }
    filled
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

    #[test]
    fn an_editor_that_is_not_there_is_named() {
        let open =
            |editor| open(Some(editor), (Path::new("/a"), 1, 1), &ScreenOutput::Stdout, Command::status);
        let said = open("/no/such/editor -x").unwrap_err();
        assert!(said.contains("/no/such/editor") && said.contains("$EDITOR"), "{said}");
        assert!(open("false").unwrap_err().contains("false ended"));
        assert_eq!(open("true"), Ok(()));
        assert!(open("''").is_err());
    }
}
