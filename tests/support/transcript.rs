//! Transcripts: sessions of a shell in text files, with what each command prints. `tests/it/transcripts/README.md` describes
//! their language.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::branches;
use crate::script::{self, outcome};
use crate::support::{Home, Said, Screen, program, text, words};

/// Makes the corpus of a name in a home.
pub type Corpora = fn(&Home, &str);

/// Runs all cases of a transcript, each in a home of its own, and compares what they print.
pub fn check(name: &str, corpora: Corpora) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/it/transcripts/{name}.txt"));
    script::check(&path, || Session::new(corpora), Session::step);
}

/// A case while it runs.
struct Session {
    home: Home,
    corpora: Corpora,
    /// Texts by their names.
    texts: BTreeMap<String, String>,
    variables: Vec<(String, String)>,
    /// Options of all commands that follow.
    options: Vec<String>,
    folder: PathBuf,
    input: String,
    /// What the last command printed on standard output.
    last: String,
    /// The screen that is open.
    screen: Option<Screen>,
}

impl Session {
    fn new(corpora: Corpora) -> Self {
        let home = Home::new();
        let folder = home.at("");
        let (texts, variables, options, input, last) = Default::default();
        Self { home, corpora, texts, variables, options, folder, input, last, screen: None }
    }

    /// Does what a line says, and returns what is printed.
    fn step(&mut self, line: &str) -> Vec<String> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "" | "#" | "##" => {}
            "let" => {
                let (name, text) = rest.split_once(' ').unwrap();
                self.texts.insert(name.to_owned(), self.expanded(text));
            }
            "write" => {
                let quoted = rest.strip_prefix('\'').and_then(|rest| rest.split_once('\''));
                let (name, text) = quoted.or_else(|| rest.split_once(' ')).unwrap_or((rest, ""));
                let text = if quoted.is_some() { &text[1..] } else { text };
                self.home.write(&self.expanded(name), self.expanded(text));
            }
            "settings" => self.home.set(&self.expanded(rest)),
            "make" => (self.corpora)(&self.home, rest),
            "env" => {
                let (name, value) = rest.split_once(' ').unwrap();
                self.variables.push((name.to_owned(), self.expanded(value)));
            }
            "with" => self.options = shell_words::split(rest).unwrap(),
            "cd" => self.folder = self.home.at(&self.expanded(rest)).canonicalize().unwrap(),
            "screen" => self.open(rest),
            "press" => self.screen().press(rest),
            "type" => {
                let text = self.expanded(rest);
                self.screen().send(&text);
            }
            "resize" => {
                let (columns, lines) = size(rest);
                self.screen().resize(columns, lines);
            }
            "click" => {
                let screen = self.screen();
                let (text, below) = rest.rsplit_once(" +").unwrap_or((rest, "0"));
                let (column, line) =
                    screen.find(text).unwrap_or_else(|| panic!("no {text} in\n{}", screen.text()));
                screen.click((column, line + below.parse::<u16>().unwrap()));
            }
            "sees" => {
                let parts = self.expanded(rest);
                let is_so = |text: &str, part: &str| match part.strip_prefix('!') {
                    Some(other) => !text.contains(other),
                    None => text.contains(part),
                };
                self.screen().wait_for(&parts, |text| parts.split(" && ").all(|part| is_so(text, part)));
            }
            "wrote" | "never" => {
                let bytes = self.expanded(rest);
                let written = String::from_utf8_lossy(&self.screen().bytes).into_owned();
                assert_eq!(written.contains(&bytes), word == "wrote", "`{line}`: {written:?}");
            }
            "last" => {
                let bytes = self.expanded(rest);
                let written = String::from_utf8_lossy(&self.screen().bytes).into_owned();
                assert!(written.trim_end().ends_with(&bytes), "`{line}`: {written:?}");
            }
            "writes" => {
                let (count, bytes) = rest.split_once(' ').unwrap();
                let bytes = self.expanded(bytes);
                self.screen().wait_for_bytes(&bytes, count.parse().unwrap());
            }
            "ends" => {
                let code = self.screen().wait_for_end();
                return if code == 0 { Vec::new() } else { vec![outcome('=', &code.to_string())] };
            }
            "<" => self.input += &(self.expanded(rest) + "\n"),
            "$" => {
                let said = self.run(rest);
                return self.printed(&said);
            }
            "%" => {
                let said = self.shell(rest);
                return self.printed(&said);
            }
            "same" => {
                let before = self.last.clone();
                let said = self.run(rest.strip_prefix("$ ").unwrap());
                return if said.stdout == before { Vec::new() } else { self.printed(&said) };
            }
            name => {
                let command = rest.strip_prefix("= $ ").unwrap_or_else(|| panic!("`{line}` is no step"));
                let said = self.run(command);
                let text = said.stdout.lines().next().unwrap_or_else(|| panic!("{line}: {said:?}"));
                self.texts.insert(name.to_owned(), text.to_owned());
            }
        }
        Vec::new()
    }

    fn screen(&mut self) -> &mut Screen {
        self.screen.as_mut().expect("a screen is open")
    }

    /// Opens the program in a terminal of a size; with standard output in a file where the line ends with `> FILE`.
    fn open(&mut self, line: &str) {
        let (of_size, line) = line.split_once(' ').unwrap_or((line, ""));
        let line = self.named(line);
        let given = self.variables.clone();
        let variables: Vec<(&str, &str)> = given.iter().map(|(name, value)| (&**name, &**value)).collect();
        let screen = if line.contains('>') {
            let mut command = self.home.command_in_terminal("/bin/sh".into(), &variables);
            command.args(["-c", &format!("'{}' {line}", text(&program()))]);
            command.cwd(&self.folder);
            Screen::start(command, size(of_size))
        } else {
            let words = shell_words::split(&line).unwrap();
            self.home.open(size(of_size), &words.iter().map(String::as_str).collect::<Vec<_>>(), &variables)
        };
        self.screen = Some(screen);
    }

    /// Runs the program; with `::` the fields behind it are what is printed of each row.
    fn run(&mut self, line: &str) -> Said {
        let (words, fields) =
            line.split_once(" ::").map_or((line, None), |(words, of)| (words, Some(of.trim())));
        let words = shell_words::split(words).unwrap();
        let mut arguments: Vec<String> = words.iter().map(|word| self.named(word)).collect();
        arguments.extend(self.options.iter().cloned());
        arguments.extend(fields.map(|_| "--json".to_owned()));
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let mut command = self.home.command(&arguments);
        let mut said = self.said(&mut command);
        if let Some(fields) = fields {
            let rows = said.rows();
            said.stdout = match fields {
                "#" => format!("{}\n", rows.len()),
                fields => rows.iter().map(|row| selected(row, fields) + "\n").collect(),
            };
            self.last.clone_from(&said.stdout);
        }
        said
    }

    /// Runs a line of a shell, in which the program is found.
    fn shell(&mut self, line: &str) -> Said {
        let mut command = self.home.command_of("bash", &["-c", &self.named(line)]);
        let own = program().parent().unwrap().to_owned();
        let known = std::env::var_os("PATH").unwrap_or_default();
        let folders = std::iter::once(own).chain(std::env::split_paths(&known));
        command.env("PATH", std::env::join_paths(folders).unwrap());
        for (name, value) in [("NAME", "A"), ("EMAIL", "a@example.org"), ("DATE", "2026-01-02T03:04:05Z")] {
            for who in ["AUTHOR", "COMMITTER"] {
                command.env(format!("GIT_{who}_{name}"), value);
            }
        }
        command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
        self.said(&mut command)
    }

    fn said(&mut self, command: &mut Command) -> Said {
        command.current_dir(&self.folder).envs(self.variables.iter().cloned());
        let said = Said::with_input(command, std::mem::take(&mut self.input));
        self.last.clone_from(&said.stdout);
        said
    }

    /// What is said as lines of a transcript.
    fn printed(&self, said: &Said) -> Vec<String> {
        let home = self.home.path();
        let today = dupi::taboo::today().to_string();
        // The key of an index depends on where the home is.
        let key = regex::Regex::new("(/indexes/[^/-]*-)[0-9a-f]{16}").unwrap();
        let shown = |text: &str| {
            let text = text.replace(home.to_str().unwrap(), "{home}").replace(&today, "{today}");
            key.replace_all(&text, "$1…").into_owned()
        };
        let (stdout, stderr) = (shown(&said.stdout), shown(&said.stderr));
        let code = match said.code {
            Some(0) => None,
            code => Some(format!("= {}", code.map_or("a signal".to_owned(), |code| code.to_string()))),
        };
        let printed = stdout.lines().map(|text| outcome('|', text));
        printed.chain(stderr.lines().map(|text| outcome('!', text))).chain(code).collect()
    }

    /// A text with its escapes and with what names in braces stand for.
    fn expanded(&self, text: &str) -> String {
        let escapes = [("\\n", "\n"), ("\\t", "\t"), ("\\r", "\r"), ("\\0", "\0"), ("\\e", "\u{1b}")];
        let text = self.named(text);
        escapes.into_iter().fold(text, |text, (written, meant)| text.replace(written, meant))
    }

    /// A text with what names in braces stand for.
    fn named(&self, text: &str) -> String {
        let mut named = String::new();
        let mut rest = text;
        while let Some((before, behind)) = rest.split_once('{') {
            named += before;
            let known = behind.split_once('}').and_then(|(name, behind)| Some((self.text(name)?, behind)));
            (named, rest) = match known {
                Some((text, behind)) => (named + &text, behind),
                None => (named + "{", behind),
            };
        }
        named + rest
    }

    /// What a name in braces stands for: a text, the home, a number of words that stand nowhere else, or a function of C.
    fn text(&self, name: &str) -> Option<String> {
        match name {
            "home" => return Some(self.home.path().to_str().unwrap().to_owned()),
            "root" => return Some(env!("CARGO_MANIFEST_DIR").to_owned()),
            _ => {}
        }
        let of_words = || {
            let (name, count) = name.strip_prefix("words ")?.split_once(' ')?;
            Some(words(name, count.parse().ok()?).trim_end().to_owned())
        };
        let of_function = || {
            let number = name.strip_prefix("function ")?.parse().ok()?;
            Some(branches::text(&[branches::function(number)]).trim_end().to_owned())
        };
        self.texts.get(name).cloned().or_else(of_words).or_else(of_function)
    }
}

/// The columns and lines of a text like `80x24`.
fn size(text: &str) -> (u16, u16) {
    let (columns, lines) = text.split_once('x').unwrap();
    (columns.parse().unwrap(), lines.parse().unwrap())
}

/// Some fields of a row, by their paths: `a.b` is a field of a field, `a[].b` that of each item, `a[0].b` that of one.
fn selected(row: &Value, fields: &str) -> String {
    fn find<'v>(value: &'v Value, path: &str) -> Vec<&'v Value> {
        let (part, rest) = path.split_once('.').map_or((path, None), |(part, rest)| (part, Some(rest)));
        let (name, index) = part.split_once('[').map_or((part, None), |(name, index)| (name, Some(index)));
        let own = value.get(name).unwrap_or(&Value::Null);
        let items: Vec<&Value> = match index.map(|index| index.trim_end_matches(']')) {
            None => vec![own],
            Some("") => own.as_array().into_iter().flatten().collect(),
            Some(at) => vec![&own[at.parse::<usize>().unwrap()]],
        };
        rest.map_or(items.clone(), |rest| items.iter().flat_map(|item| find(item, rest)).collect())
    }
    let text = |value: &Value| match value {
        Value::String(text) => text.clone(),
        Value::Null => "-".to_owned(),
        other => other.to_string(),
    };
    let field = |path: &str| find(row, path).into_iter().map(text).collect::<Vec<_>>().join(",");
    fields.split_whitespace().map(field).collect::<Vec<_>>().join(" ")
}
