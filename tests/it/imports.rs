//! Which files of the library import which: read from their `use` declarations and paths, as far as the compiler's rules
//! matter here. A name that a file only passes on (`pub use`) counts as a name of the file that it comes from.

use std::collections::{BTreeMap, BTreeSet};

/// The modules of a library that have files of their own, by their paths (`passage::exact`, "" for the root).
pub struct Modules {
    files: BTreeMap<String, File>,
}

/// What a file says of others.
#[derive(Default)]
struct File {
    /// Paths that it uses, relative ones made absolute.
    uses: BTreeSet<String>,
    /// Names that it passes on, with the absolute paths of what they stand for.
    passes_on: BTreeMap<String, String>,
}

impl Modules {
    /// Takes the texts of files by their module paths. Unit tests at the end of a file are left out.
    pub fn new(texts: &BTreeMap<String, String>) -> Self {
        let is_module = |path: &str| texts.contains_key(path);
        let files = texts.iter().map(|(path, text)| (path.clone(), File::read(path, text, &is_module)));
        Self { files: files.collect() }
    }

    /// The files that a file imports from.
    pub fn imports(&self, path: &str) -> BTreeSet<&str> {
        let uses = self.files[path].uses.iter();
        uses.filter_map(|used| self.file_of(used, 0)).filter(|used| *used != path).collect()
    }

    /// The groups of files that import one another in circles.
    pub fn circles(&self) -> Vec<Vec<&str>> {
        circles_of(&self.files.keys().map(|path| (path.as_str(), self.imports(path))).collect())
    }

    /// For each folder ("" for the root), the groups of its members that import one another in circles. A member is a file, or
    /// a folder with the file that is named after it.
    pub fn circles_in_folders(&self) -> BTreeMap<&str, Vec<Vec<&str>>> {
        let mut folders: BTreeMap<&str, Imports> = BTreeMap::new();
        for path in self.files.keys() {
            for used in self.imports(path) {
                let Some((folder, member, other)) = members(path, used) else { continue };
                let members = folders.entry(folder).or_default();
                members.entry(other).or_default();
                members.entry(member).or_default().insert(other);
            }
        }
        let circles = folders.into_iter().map(|(folder, members)| (folder, circles_of(&members)));
        circles.filter(|(_, circles)| !circles.is_empty()).collect()
    }

    /// The file that an absolute path leads to: the longest module on it, or where a name comes from that this module
    /// passes on.
    fn file_of(&self, path: &str, depth: usize) -> Option<&str> {
        let mut module = path;
        let (known, file) = loop {
            if let Some((known, file)) = self.files.get_key_value(module) {
                break (known, file);
            }
            module = module.rsplit_once("::").map_or("", |(above, _)| above);
        };
        let rest = path[known.len()..].trim_start_matches("::");
        let name = rest.split("::").next().unwrap_or_default();
        match file.passes_on.get(name) {
            Some(from) if depth < 8 => self.file_of(from, depth + 1),
            _ => (!known.is_empty()).then_some(known.as_str()),
        }
    }
}

/// What each of some files or folders imports.
type Imports<'a> = BTreeMap<&'a str, BTreeSet<&'a str>>;

/// The groups that import one another in circles.
fn circles_of<'a>(imports: &Imports<'a>) -> Vec<Vec<&'a str>> {
    let reach: Imports = imports.keys().map(|path| (*path, reach(imports, path))).collect();
    let mut circles: Vec<Vec<&str>> = Vec::new();
    for path in imports.keys() {
        let is_known = circles.iter().any(|circle| circle.contains(path));
        let is_in = |other: &&&str| reach[path].contains(**other) && reach[*other].contains(path);
        let circle: Vec<&str> = imports.keys().filter(is_in).copied().collect();
        if !is_known && circle.len() > 1 {
            circles.push(circle);
        }
    }
    circles
}

/// All that one imports from, what these import from, and so on.
fn reach<'a>(imports: &Imports<'a>, path: &str) -> BTreeSet<&'a str> {
    let mut reached = BTreeSet::new();
    let mut open: Vec<&str> = imports[path].iter().copied().collect();
    while let Some(next) = open.pop() {
        if reached.insert(next) {
            open.extend(&imports[next]);
        }
    }
    reached
}

/// The folder that two files lie in, and which of its members each belongs to; `None` if one is named after a folder that has
/// the other.
fn members<'a>(one: &'a str, other: &'a str) -> Option<(&'a str, &'a str, &'a str)> {
    let parts = |path: &'a str| path.split("::").collect::<Vec<_>>();
    let same = parts(one).iter().zip(parts(other)).take_while(|(a, b)| **a == *b).count();
    let end = |path: &'a str, count: usize| -> Option<&'a str> {
        let ends = path.match_indices("::").map(|(at, _)| at).chain([path.len()]);
        ends.take(parts(path).len()).nth(count).map(|end| &path[..end])
    };
    let folder = same.checked_sub(1).map_or(Some(""), |last| end(one, last))?;
    Some((folder, end(one, same)?, end(other, same)?))
}

impl File {
    fn read(path: &str, text: &str, is_module: &dyn Fn(&str) -> bool) -> Self {
        let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or(text);
        let code: String = text
            .lines()
            .filter(|line| !line.trim_start().starts_with("//"))
            .fold(String::new(), |code, line| code + line.split(" // ").next().unwrap_or(line) + "\n");
        let mut file = Self::default();
        let mut rest = String::new();
        for statement in code.split_inclusive(';') {
            let Some((before, used)) = split_use(statement.trim()) else {
                rest.push_str(statement);
                continue;
            };
            rest.push_str(before);
            for leaf in leaves(used.0) {
                let (from, name) =
                    leaf.split_once(" as ").unwrap_or((&leaf, leaf.rsplit("::").next().unwrap_or("")));
                let Some(absolute) = absolute(path, from.trim(), is_module) else { continue };
                if used.1 {
                    file.passes_on.insert(name.trim().to_owned(), absolute);
                } else {
                    file.uses.insert(absolute);
                }
            }
        }
        for used in paths(&rest) {
            file.uses.extend(absolute(path, &used, is_module));
        }
        file
    }
}

/// What stands before a `use` declaration, its tree, and whether it is public.
fn split_use(statement: &str) -> Option<(&str, (&str, bool))> {
    let at = statement.find("use ")?;
    let starts = |at: usize| at == 0 || statement[..at].ends_with(['\n', ' ', ')']);
    let (before, tree) = (starts(at)).then(|| (&statement[..at], &statement[at + 4..]))?;
    let line = before.rsplit('\n').next().unwrap_or_default().trim();
    let is_declaration = line.is_empty() || line.starts_with("pub");
    is_declaration.then(|| (before, (tree.trim_end_matches(';'), line.starts_with("pub"))))
}

/// The paths of a `use` tree.
fn leaves(tree: &str) -> Vec<String> {
    let tree = tree.trim();
    let Some(open) = tree.find('{') else { return vec![tree.to_owned()] };
    let prefix = &tree[..open];
    let inner = tree[open + 1..].trim_end().trim_end_matches('}');
    let (mut depth, mut start, mut parts) = (0, 0, Vec::new());
    for (at, letter) in inner.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&inner[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&inner[start..]);
    let parts = parts.into_iter().map(str::trim).filter(|part| !part.is_empty());
    parts
        .flat_map(|part| leaves(part).into_iter().map(|leaf| format!("{prefix}{leaf}")).collect::<Vec<_>>())
        .collect()
}

/// All paths of two names or more that stand in some code.
fn paths(code: &str) -> BTreeSet<String> {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == ':';
    let found = code.split(|letter| !is_part(letter)).filter(|path| path.contains("::"));
    found.map(|path| path.trim_end_matches(':').to_owned()).collect()
}

/// A path from the root of the library; `None` when it leads elsewhere.
fn absolute(module: &str, path: &str, is_module: &dyn Fn(&str) -> bool) -> Option<String> {
    let mut base: Vec<&str> = module.split("::").filter(|part| !part.is_empty()).collect();
    let mut parts: Vec<&str> = path.split("::").collect();
    let first = parts.remove(0);
    match first {
        "crate" => base.clear(),
        "self" => {}
        "super" => {
            base.pop();
            while parts.first() == Some(&"super") {
                parts.remove(0);
                base.pop();
            }
        }
        child => {
            base.push(child);
            if !is_module(&base.join("::")) {
                return None;
            }
        }
    }
    let last_is_self = parts.last() == Some(&"self");
    parts.truncate(parts.len() - usize::from(last_is_self));
    Some([base, parts].concat().join("::"))
}

#[test]
fn imports_are_read_and_followed_to_where_a_name_comes_from() {
    let texts = [
        ("", "pub mod a;"),
        ("a", "mod b;\nmod c;\nmod d;\n\npub use b::{One, Two as Second};\n\nfn f() { c::g() }\n"),
        ("a::b", "//! Not crate::a::d.\nuse std::fmt;\nuse super::c;\n"),
        (
            "a::c",
            "use crate::a::{Second, d::{self, Deep}};\n\n#[cfg(test)]\nmod tests {\n    use super::super::Gone;\n}\n",
        ),
        ("a::d", "use super::Own;\nfn f() -> super::One { todo!() }\n"),
    ];
    let texts = texts.map(|(path, text)| (path.to_owned(), text.to_owned())).into();
    let modules = Modules::new(&texts);
    let imports = |path: &str| modules.imports(path).into_iter().collect::<Vec<_>>();
    assert_eq!(imports("a"), ["a::c"]);
    assert_eq!(imports("a::b"), ["a::c"]);
    assert_eq!(imports("a::c"), ["a::b", "a::d"]);
    assert_eq!(imports("a::d"), ["a", "a::b"]);
    assert_eq!(modules.circles(), [["a", "a::b", "a::c", "a::d"]]);
    let of_folders = modules.circles_in_folders().into_iter().collect::<Vec<_>>();
    assert_eq!(of_folders, [("a", vec![vec!["a::b", "a::c", "a::d"]])]);
}

#[test]
fn folders_are_in_a_circle_if_their_files_are_not() {
    let texts = [
        ("one::deep", "use crate::two::flat;\n"),
        ("one::flat", ""),
        ("two::deep", "use crate::one::flat;\nuse super::flat;\n"),
        ("two::flat", ""),
    ];
    let texts = texts.map(|(path, text)| (path.to_owned(), text.to_owned())).into();
    let modules = Modules::new(&texts);
    assert!(modules.circles().is_empty());
    let of_folders = modules.circles_in_folders().into_iter().collect::<Vec<_>>();
    assert_eq!(of_folders, [("", vec![vec!["one", "two"]])]);
}
