//! The user's editor, opened at a line.

use std::env;
use std::path::Path;
use std::process::Command;

/// Opens a file at a line and column and waits for the editor to end; a sentence when that fails.
pub fn open(configured: Option<&str>, file: &Path, line: u32, column: u32) -> Result<(), String> {
    let from_environment = || ["VISUAL", "EDITOR"].iter().find_map(|name| env::var(name).ok());
    let editor =
        configured.map(str::to_owned).or_else(from_environment).filter(|editor| !editor.trim().is_empty());
    let editor = editor.unwrap_or_else(|| "vi".to_owned());
    let mut words = editor.split_whitespace();
    let program = words.next().unwrap_or("vi");
    let status = Command::new(program).args(words).args(place(program, file, line, column)).status();
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{program} ended with {status}.")),
        Err(error) => {
            Err(format!("cannot start {program}: {error}; set $EDITOR or `editor` in config.toml."))
        }
    }
}

/// How an editor is told where to go.
fn place(program: &str, file: &Path, line: u32, column: u32) -> Vec<String> {
    let path = file.display().to_string();
    let name =
        Path::new(program).file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    match name.as_str() {
        "vi" | "vim" | "nvim" | "view" | "gvim" | "ex" | "less" | "more" | "mg" | "ne" => {
            vec![format!("+{line}"), path]
        }
        "nano" | "pico" => vec![format!("+{line},{column}"), path],
        "emacs" | "emacsclient" | "kak" | "jed" => vec![format!("+{line}:{column}"), path],
        "micro" => vec![format!("+{line}:{column}"), path],
        "hx" | "helix" | "subl" | "zed" => vec![format!("{path}:{line}:{column}")],
        "code" | "codium" | "code-insiders" => {
            vec!["--wait".into(), "--goto".into(), format!("{path}:{line}:{column}")]
        }
        _ => vec![path],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_editor_is_told_in_its_own_way() {
        let told = |program| place(program, Path::new("/a b"), 3, 7).join(" ");
        assert_eq!(told("/usr/bin/vim"), "+3 /a b");
        assert_eq!(told("nano"), "+3,7 /a b");
        assert_eq!(told("hx"), "/a b:3:7");
        assert_eq!(told("code"), "--wait --goto /a b:3:7");
        assert_eq!(told("unheard-of"), "/a b");
    }

    #[test]
    fn an_editor_that_is_not_there_is_named() {
        let said = open(Some("/no/such/editor -x"), Path::new("/a"), 1, 1).unwrap_err();
        assert!(said.contains("/no/such/editor") && said.contains("$EDITOR"), "{said}");
        assert!(open(Some("false"), Path::new("/a"), 1, 1).unwrap_err().contains("false ended"));
        assert_eq!(open(Some("true"), Path::new("/a"), 1, 1), Ok(()));
    }
}
