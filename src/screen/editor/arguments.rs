//! Command-line arguments of common editors: how to open a file at a line and wait until it is closed.

use std::ffi::OsString;
use std::path::Path;

/// Where a file is to be opened.
#[derive(Clone, Copy, Debug)]
pub(super) struct EditorTarget<'p> {
    /// The file.
    pub file: &'p Path,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
}

/// The arguments for a program, by its name; of one that is not known, the file alone.
pub(super) fn arguments_for(
    program: &str,
    EditorTarget { file, line, column }: EditorTarget,
) -> Vec<OsString> {
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
    use super::*;

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
