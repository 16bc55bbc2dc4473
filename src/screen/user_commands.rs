//! Commands of the user: a key and the words of a program's command line. The program is started without a shell, so no
//! name of a file can mean anything else than that file.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};
use std::sync::Arc;

use toml::Spanned;

use crate::keys::key_press::{KeyError, KeyPress};
use crate::keys::keymap::Keymap;
use crate::terminal::{ScreenOutput, command};
use dupi_base::config::{KeySettings, SettingProblem, Settings};
use dupi_base::storage::{in_words, shown};
use dupi_session::{RowPlace, RowPlaces};

const PATH: &str = "{path}";
const LINE: &str = "{line}";
const ID: &str = "{id}";
/// A word of its own, which becomes one word for each copy.
const COPIES: &str = "{copies}";
const PLACEHOLDERS: [&str; 4] = [PATH, LINE, ID, COPIES];

/// A command of the user.
#[derive(Debug, PartialEq, Eq)]
pub struct UserCommand {
    /// Its key.
    pub key: KeyPress,
    /// The program and its arguments, with placeholders.
    words: Vec<String>,
}

/// All commands of the user, in the order of the settings.
pub type UserCommands = Vec<Arc<UserCommand>>;

/// Where a command is run: the current copy of a row, and the row's name and places if the command has them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandPlace {
    /// The file or folder, relative to the corpus's base.
    pub path: PathBuf,
    /// The line, from 1.
    pub line: u32,
    /// The row with all its copies; empty if the command asks for neither.
    pub row: RowPlaces,
}

/// The commands of the settings, and the problems found. Their keys are taken from the actions that had them. A command
/// with a problem is left out.
pub(crate) fn read(settings: &Settings, keymap: &mut Keymap) -> (UserCommands, Vec<SettingProblem>) {
    let (mut commands, mut problems) = (UserCommands::new(), Vec::new());
    for (name, words) in &settings.commands {
        let key = match free(name.get_ref(), &settings.keys, &commands) {
            Ok(key) => key,
            Err(detail) => {
                problems.push(SettingProblem::at(name.span(), detail));
                continue;
            }
        };
        if words.first().is_none_or(|program| program.get_ref().trim().is_empty()) {
            let detail = "a command is a list of words, and the first one is the program";
            problems.push(SettingProblem::at(words.first().unwrap_or(name).span(), detail));
            continue;
        }
        let is_part = |word: &&Spanned<String>| word.get_ref().contains(COPIES) && word.get_ref() != COPIES;
        if let Some(word) = words.iter().find(is_part) {
            let detail = format!("{COPIES} is a word of its own: it becomes one word for each copy");
            problems.push(SettingProblem::at(word.span(), detail));
            continue;
        }
        problems.extend(words.iter().filter_map(|word| {
            let (name, known) = (unknown_placeholder(word.get_ref())?, PLACEHOLDERS.join(", "));
            let detail = format!("`{name}` stays as it is; what is filled in is {known}");
            Some(SettingProblem::warning(word.span(), detail))
        }));
        for loser in keymap.take(key) {
            problems.push(SettingProblem::warning(name.span(), keymap.loss(key, loser)));
        }
        let words = words.iter().map(|word| word.get_ref().clone()).collect();
        commands.push(Arc::new(UserCommand { key, words }));
    }
    (commands, problems)
}

/// Parses the key of a command, unless it is given to an action or to another command.
fn free(name: &str, keys: &KeySettings, commands: &[Arc<UserCommand>]) -> Result<KeyPress, String> {
    let key: KeyPress = name.parse().map_err(|error: KeyError| error.to_string())?;
    let is_it = |name: &Spanned<String>| name.get_ref().parse() == Ok(key);
    if let Some((action, _)) = keys.bindings.iter().find(|(_, names)| names.iter().any(is_it)) {
        return Err(format!("{key} is given to `{}` already", action.get_ref()));
    }
    match commands.iter().find(|command| command.key == key) {
        Some(command) => Err(format!("{key} is given to the command `{}` already", command.in_words())),
        None => Ok(key),
    }
}

/// A name in braces that is none of the placeholders.
fn unknown_placeholder(word: &str) -> Option<&str> {
    let opened = word.match_indices('{').map(|(at, _)| &word[at..]);
    let named = opened.filter_map(|rest| rest.find('}').map(|end| &rest[..=end]));
    let is_name = |name: &&str| {
        let inner = &name[1..name.len() - 1];
        !inner.is_empty() && inner.bytes().all(|byte| byte.is_ascii_lowercase())
    };
    named.filter(is_name).find(|name| !PLACEHOLDERS.contains(name))
}

impl UserCommand {
    /// Its words, as they are in the settings.
    pub fn in_words(&self) -> String {
        self.words.join(" ")
    }

    /// Whether it needs the name or the copies of the row.
    pub fn needs_row(&self) -> bool {
        self.words.iter().any(|word| word.contains(ID) || word == COPIES)
    }

    /// Runs it by `run` in the folder of the corpus; a sentence if that fails.
    pub(super) fn run(
        &self,
        place: &CommandPlace,
        base: &Path,
        output: &ScreenOutput,
        run: impl FnOnce(&mut Command) -> io::Result<ExitStatus>,
    ) -> Result<(), String> {
        // A command without a folder has the current one.
        let folder = if base.is_dir() { base } else { Path::new(".") };
        in_foreground(&self.arguments(place, base), folder, output, run, "see [commands] in config.toml")
    }

    /// The program and its arguments at a place; `base` is the folder of the corpus.
    fn arguments(&self, place: &CommandPlace, base: &Path) -> Vec<OsString> {
        let (path, line) = (base.join(&place.path), place.line.to_string());
        let values = [(PATH, path.as_os_str()), (LINE, line.as_ref()), (ID, place.row.id.as_ref())];
        let mut arguments = Vec::new();
        for word in &self.words {
            if word == COPIES {
                arguments.extend(place.row.places.iter().map(|copy| in_one_word(copy, base)));
            } else {
                arguments.push(filled(word, &values));
            }
        }
        arguments
    }
}

/// Runs a program in the foreground by `run`; a sentence if that fails, with `remedy` if it cannot be started.
pub(crate) fn in_foreground(
    words: &[OsString],
    folder: &Path,
    output: &ScreenOutput,
    run: impl FnOnce(&mut Command) -> io::Result<ExitStatus>,
    remedy: &str,
) -> Result<(), String> {
    let Some((program, arguments)) = words.split_first() else { return Ok(()) };
    let name = shown(program);
    match run(command(output, program).args(arguments).current_dir(folder)) {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{name} ended with {status}.")),
        Err(error) => Err(format!("cannot start {name}: {}; {remedy}", in_words(&error))),
    }
}

/// A place as one word: `path:line`, or the path of a folder.
fn in_one_word(place: &RowPlace, base: &Path) -> OsString {
    let mut word = base.join(&place.path).into_os_string();
    if let Some(line) = place.line {
        word.push(format!(":{line}"));
    }
    word
}

/// Fills in the placeholders of a word, from left to right; what is filled in can be any bytes, braces too.
pub(crate) fn filled(word: &str, values: &[(&str, &OsStr)]) -> OsString {
    let (mut filled, mut rest) = (OsString::new(), word);
    while let Some(at) = rest.find('{') {
        filled.push(&rest[..at]);
        rest = &rest[at..];
        let known = values.iter().find(|(name, _)| rest.starts_with(name));
        let (value, taken) = known.map_or((OsStr::new("{"), 1), |(name, value)| (*value, name.len()));
        filled.push(value);
        rest = &rest[taken..];
    }
    filled.push(rest);
    filled
}

#[cfg(test)]
mod tests {
    use std::os::unix::ffi::{OsStrExt, OsStringExt};

    use super::*;
    use crate::action::Action;

    fn read(text: &str) -> (UserCommands, Keymap, Vec<SettingProblem>) {
        let (settings, problems) = Settings::parse(text);
        assert_eq!(problems, []);
        let (mut keymap, problems) = Keymap::new(&settings.keys);
        assert_eq!(problems, []);
        let (commands, problems) = super::read(&settings, &mut keymap);
        (commands, keymap, problems)
    }

    fn place() -> CommandPlace {
        let copy = |path: &str, line| RowPlace { path: path.into(), line };
        let places = vec![copy("a b", Some(3)), copy("{line}", Some(7)), copy("src", None)];
        CommandPlace { path: "a b".into(), line: 3, row: RowPlaces { id: "0f".into(), places } }
    }

    #[test]
    fn placeholders_are_filled_in_without_a_shell() {
        let (commands, ..) = read(
            "[commands]\n\"Alt-b\" = [\"git\", \"-L{line},+20\", \"$HOME\", \"{id}:{path}\", \"{}\", \"{copies}\", \"{\"]",
        );
        let words = commands[0].arguments(&place(), Path::new("/c"));
        let words: Vec<&str> = words.iter().map(|word| word.to_str().unwrap()).collect();
        let copies = ["/c/a b:3", "/c/{line}:7", "/c/src"];
        assert_eq!(words, [&["git", "-L3,+20", "$HOME", "0f:/c/a b", "{}"][..], &copies, &["{"]].concat());
        let odd = OsString::from_vec(b"{line}\xff".to_vec());
        let at = CommandPlace { path: odd.into(), ..place() };
        let command = UserCommand { key: "X".parse().unwrap(), words: vec!["{path}:{line}".to_owned()] };
        assert_eq!(command.arguments(&at, Path::new("/"))[0].as_bytes(), b"/{line}\xff:3");
    }

    #[test]
    fn the_name_and_the_copies_are_asked_for_only_if_they_are_used() {
        let (commands, ..) =
            read("[commands]\nX = [\"a\", \"{path}\"]\nY = [\"a\", \"{copies}\"]\nW = [\"a\", \"x{id}\"]");
        let needs: Vec<bool> = ["X", "Y", "W"]
            .map(|key| commands.iter().find(|command| command.key == key.parse().unwrap()).unwrap().clone())
            .map(|command| command.needs_row())
            .to_vec();
        assert_eq!(needs, [false, true, true]);
    }

    #[test]
    fn a_command_that_cannot_be_used_is_reported_where_it_stands_and_the_others_apply() {
        let text = "[keys]\nsort = \"s\"\n[commands]\n\"Hyper-x\" = [\"a\"]\ns = [\"a\"]\nX = []\nY = [\"\"]\n\
                    W = [\"a\", \"-{copies}\"]\nE = [\"a\", \"{file}\"]\nq = [\"ok\"]\n";
        let (commands, keymap, problems) = read(text);
        let kept: Vec<String> = commands.iter().map(|command| command.in_words()).collect();
        assert_eq!(kept, ["a {file}", "ok"]);
        let expected = [
            (
                "\"Hyper-x\"",
                "`Hyper-x` is no key; keys are written j, G, Ctrl-d, Alt-x, Shift-Tab, PgDn, F5, Space",
                false,
            ),
            ("s = [\"a", "s is given to `sort` already", false),
            ("X = []", "a command is a list of words, and the first one is the program", false),
            ("\"\"]", "a command is a list of words, and the first one is the program", false),
            ("\"-{copies}\"", "{copies} is a word of its own: it becomes one word for each copy", false),
            (
                "\"{file}\"",
                "`{file}` stays as it is; what is filled in is {path}, {line}, {id}, {copies}",
                true,
            ),
            ("q = ", "q is a key of `quit`, which has Ctrl-c now; set `quit` too", true),
        ];
        let said: Vec<(usize, &str, bool)> = problems.iter().map(SettingProblem::parts).collect();
        let expected = expected.map(|(at, detail, warns)| (text.find(at).unwrap(), detail, warns));
        assert_eq!(said, expected);
        assert_eq!(keymap.words(Action::Quit, true), "Ctrl-c");
    }

    #[test]
    fn a_program_that_is_missing_or_fails_is_named() {
        let run = |program: &str| {
            let (commands, ..) = read(&format!("[commands]\nX = [\"{program}\"]"));
            commands[0].run(
                &place(),
                Path::new("/"),
                &ScreenOutput::new(std::fs::File::create("/dev/null").unwrap()),
                Command::status,
            )
        };
        assert!(run("/no/such/program").unwrap_err().contains("cannot start /no/such/program"));
        assert!(run("false").unwrap_err().starts_with("false ended with"));
        assert_eq!(run("true"), Ok(()));
    }
}
