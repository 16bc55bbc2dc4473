//! Methods of programs, and clones of them, so that it is known which two are copies of each other.
//!
//! A method is one of a made-up Java program, or is cut out of real files of Java or C. A renamed clone has other names for
//! some identifiers, the same name wherever an identifier stands. A near miss has lines that were added, removed and
//! changed, and up to two other names. The same seed gives the same clones.
#![allow(dead_code, reason = "each test program uses a part")]

use std::collections::HashMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use crate::naive::common_words;
use crate::planted::{Label, Place, Planted, Random};

/// How a clone differs from its method.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Change {
    /// One to four identifiers have other names.
    Renamed,
    /// A tenth to a half of the lines were added, removed or changed, and at most two identifiers have other names.
    NearMiss,
}

/// Methods of 10 to 40 lines have clones.
const LINES: std::ops::RangeInclusive<usize> = 10..=40;
/// A near miss has this share of its lines in common with its method.
const IN_COMMON: std::ops::RangeInclusive<f64> = 0.5..=0.9;

const TYPES: [&str; 12] = [
    "int",
    "long",
    "String",
    "boolean",
    "double",
    "List<String>",
    "byte[]",
    "Map<String, Integer>",
    "Node",
    "File",
    "InputStream",
    "Object",
];
const WORDS: [&str; 48] = [
    "index", "count", "name", "value", "node", "list", "buffer", "line", "path", "result", "total", "offset",
    "key", "entry", "size", "text", "user", "order", "item", "table", "row", "column", "width", "image",
    "label", "state", "event", "token", "parser", "request", "response", "session", "price", "date", "query",
    "cache", "page", "color", "child", "parent", "target", "source", "message", "config", "server", "client",
    "handler", "module",
];
const VERBS: [&str; 24] = [
    "get", "set", "load", "find", "read", "write", "parse", "create", "update", "remove", "insert", "check",
    "compute", "convert", "copy", "merge", "open", "close", "format", "validate", "register", "resolve",
    "encode", "render",
];
/// What is not renamed, in Java and in C.
const KEYWORDS: &str = "abstract assert boolean break byte case catch char class const continue default do double else \
    enum extends extern final finally float for goto if implements import inline instanceof int interface length long \
    native new null package private protected public return short signed sizeof static struct super switch \
    synchronized this throw throws transient true try false typedef union unsigned var void volatile while u8 u16 u32 \
    u64";

/// A Java method of statements that most methods have. A name is one that the method has already with probability `again`.
pub fn method(random: &mut Random, again: f64) -> String {
    let mut names = Names { own: Vec::new(), again };
    let (own, of) = (call(random), TYPES[random.below(TYPES.len())]);
    let (one, two) = (names.next(random), names.next(random));
    let mut text = format!(
        "public {of} {own}({} {one}, {} {two}) {{\n",
        TYPES[random.below(12)],
        TYPES[random.below(12)]
    );
    for _ in 0..random.within(4..=14) {
        let statement = statement(random, &mut names);
        writeln!(text, "    {statement}").unwrap();
    }
    text + "    return null;\n}\n"
}

fn statement(random: &mut Random, names: &mut Names) -> String {
    let [a, b, c] = [(); 3].map(|()| names.next(random));
    let (f, g) = (call(random), call(random));
    let (number, of) = (random.below(100), TYPES[random.below(TYPES.len())]);
    match random.below(14) {
        0 => format!("for (int i = 0; i < {a}.length; i++) {{\n        {b} += {a}[i];\n    }}"),
        1 => {
            format!(
                "if ({a} == null) {{\n        throw new IllegalArgumentException(\"{a} is null\");\n    }}"
            )
        }
        2 => format!("{of} {a} = {b}.{f}({c});"),
        3 => format!("for (String {a} : {b}.{f}()) {{\n        {c}.add({a}.trim());\n    }}"),
        4 => format!("if ({a}.{f}({number})) {{\n        return {b}.{g}({c});\n    }}"),
        5 => format!(
            "try {{\n        {a}.{f}({b});\n    }} catch (IOException e) {{\n        e.printStackTrace();\n    }}"
        ),
        6 => format!(
            "StringBuilder {a} = new StringBuilder();\n    {a}.append({b}).append(\", \").append({c});"
        ),
        7 => format!("while (({a} = {b}.readLine()) != null) {{\n        {c}.{f}({a});\n    }}"),
        8 => format!("this.{a} = {b};"),
        9 => format!("int {a} = Math.max({b}, {c} - {number});"),
        10 => format!("{a}.put(\"{b}\", {c}.{f}());"),
        11 => format!("System.out.println(\"{a}: \" + {b}.{f}());"),
        12 => format!(
            "if ({a} > {number} && {b} != null) {{\n        {c}.{g}({a}, {b});\n    }} else {{\n        {c} = null;\n    }}"
        ),
        _ => format!("logger.debug(\"{f} {a}\", {b});"),
    }
}

/// The names that a method has so far.
struct Names {
    own: Vec<String>,
    again: f64,
}

impl Names {
    fn next(&mut self, random: &mut Random) -> String {
        if self.again > 0.0 && self.own.len() > 1 && random.happens(self.again) {
            return self.own[random.below(self.own.len())].clone();
        }
        self.own.push(name(random));
        self.own[self.own.len() - 1].clone()
    }
}

fn word(random: &mut Random) -> String {
    WORDS[random.below(WORDS.len())].to_owned()
}

fn capital(word: &str) -> String {
    word[..1].to_uppercase() + &word[1..]
}

fn name(random: &mut Random) -> String {
    if random.happens(0.5) { word(random) } else { word(random) + &capital(&word(random)) }
}

fn call(random: &mut Random) -> String {
    format!("{}{}", VERBS[random.below(VERBS.len())], capital(&name(random)))
}

/// The methods of a file of Java, or the functions of a file of C, as their usual indentation shows them.
pub fn methods_of(text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let Some((first, closing)) = head(&lines, at) else {
            at += 1;
            continue;
        };
        let Some(len) = lines[at..].iter().position(|line| *line == closing) else { break };
        found.push(lines[first..=at + len].join("\n") + "\n");
        at += len + 1;
    }
    found
}

/// If a line opens a method: the first line of its head, and the line that closes it.
fn head(lines: &[&str], at: usize) -> Option<(usize, &'static str)> {
    let line = lines[at];
    if line == "{" {
        let is_of_head = |line: &&&str| {
            !line.is_empty() && !line.starts_with(['#', '}', '/', '*']) && !line.ends_with([';', '/', '}'])
        };
        let before = lines[..at].iter().rev().take_while(is_of_head).count();
        let head = lines[at - before..at].join(" ");
        return (head.contains('(') && !head.contains('=')).then_some((at - before, "}"));
    }
    let own = line.strip_prefix("    ").filter(|own| own.starts_with(|first: char| first.is_alphabetic()))?;
    let is_method = own.ends_with('{') && own.contains('(') && own.contains(')') && !own.contains('=');
    is_method.then_some((at, "    }"))
}

/// Up to `count` methods of [`LINES`] from the Java and C files of a folder and the folders in it, in random order, and the
/// ending of the first file.
pub fn methods_in(folder: &Path, count: usize) -> (Vec<String>, String) {
    const OF_ONE_FILE: usize = 6;
    let mut random = Random(1);
    let mut files: Vec<PathBuf> = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if ending(&path).is_some_and(|ending| ["java", "c"].contains(&ending)) {
                files.push(path);
            }
        }
    }
    files.sort();
    shuffle(&mut random, &mut files);
    let ending = files.first().and_then(|file| ending(file)).unwrap_or("java").to_owned();
    let mut methods = Vec::new();
    for file in files {
        let text = String::from_utf8_lossy(&fs::read(file).unwrap()).into_owned();
        let mut own = methods_of(&text);
        own.retain(|method| LINES.contains(&method.lines().count()));
        shuffle(&mut random, &mut own);
        methods.extend(own.into_iter().take(OF_ONE_FILE));
        if methods.len() >= count {
            break;
        }
    }
    methods.truncate(count);
    shuffle(&mut random, &mut methods);
    (methods, ending)
}

fn ending(path: &Path) -> Option<&str> {
    path.extension()?.to_str()
}

/// The identifiers of a text that are not of the language and begin in lower case.
fn identifiers(text: &str) -> Vec<std::ops::Range<usize>> {
    let mut found = Vec::new();
    let is_of = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let len = bytes[at..].iter().take_while(|&&byte| is_of(byte)).count();
        if len > 0
            && bytes[at].is_ascii_lowercase()
            && !KEYWORDS.split(' ').any(|word| word == &text[at..at + len])
        {
            found.push(at..at + len);
        }
        at += len.max(1);
    }
    found
}

/// The text with other names for so many of its identifiers.
fn renamed(random: &mut Random, text: &str, count: usize) -> String {
    let found = identifiers(text);
    let mut names: Vec<&str> = found.iter().map(|range| &text[range.clone()]).collect();
    names.sort_unstable();
    names.dedup();
    let mut other: HashMap<&str, String> = HashMap::new();
    for _ in 0..count.min(names.len()) {
        let new = name(random) + ["", "Of", "2", "New"][random.below(4)];
        other.insert(names.swap_remove(random.below(names.len())), new);
    }
    let mut renamed = String::new();
    let mut end = 0;
    for range in found {
        renamed += &text[end..range.start];
        let own = &text[range.clone()];
        renamed += other.get(own).map_or(own, String::as_str);
        end = range.end;
    }
    renamed + &text[end..]
}

/// Whether a line is a statement by itself that a method can do without.
fn is_simple(line: &str) -> bool {
    let own = line.trim();
    own.ends_with(';')
        && !own.starts_with(['}', '/', '*'])
        && own.matches('(').count() == own.matches(')').count()
}

/// The text with about such a share of its lines added, removed or changed. `others` are lines of other methods.
fn changed(random: &mut Random, text: &str, share: f64, others: &[&str]) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let mut changed = vec![lines[0].to_owned()];
    for line in &lines[1..lines.len() - 1] {
        let other = others[random.below(others.len())].to_owned();
        match if random.happens(share) { random.below(10) } else { 10 } {
            0..3 if is_simple(line) => {}
            3..6 => changed.extend([(*line).to_owned(), other]),
            6..8 if is_simple(line) => changed.push(renamed(random, line, 2)),
            8..10 if is_simple(line) => changed.push(other),
            _ => changed.push((*line).to_owned()),
        }
    }
    changed.push(lines[lines.len() - 1].to_owned());
    changed.join("\n") + "\n"
}

/// A clone of a method; `None` if it has too few or too many lines in common with it.
fn clone_of(random: &mut Random, method: &str, change: Change, others: &[&str]) -> Option<String> {
    if change == Change::Renamed {
        let count = random.within(1..=4);
        return Some(renamed(random, method, count));
    }
    let share = random.within(10..=50) as f64 / 100.0;
    let text = changed(random, method, share, others);
    let words = |text: &str| text.lines().map(|line| line.trim().to_owned()).collect::<Vec<_>>();
    let (one, two) = (words(method), words(&text));
    let in_common = common_words(&one, &two) as f64 / one.len().max(two.len()) as f64;
    let count = random.below(3);
    IN_COMMON.contains(&in_common).then(|| renamed(random, &text, count))
}

/// Files of methods, among which up to `count` have one clone each, in another file. The files end in `.ending`.
pub fn cloned(seed: u64, methods: &[String], count: usize, change: Change, ending: &str) -> Planted {
    let mut random = Random(seed);
    let mut methods: Vec<&str> = methods.iter().map(String::as_str).collect();
    let others = methods.clone();
    let others: Vec<&str> =
        others.iter().flat_map(|method| method.lines()).filter(|line| is_simple(line)).collect();
    shuffle(&mut random, &mut methods);
    let mut originals = Vec::new();
    let mut pairs: Vec<[String; 2]> = Vec::new();
    for method in methods {
        let has_clone = pairs.len() < count && LINES.contains(&method.lines().count());
        match has_clone.then(|| clone_of(&mut random, method, change, &others)).flatten() {
            Some(clone) if clone != *method => pairs.push([method.to_owned(), clone]),
            _ => originals.push(method),
        }
    }
    // The clones stand in another order than their methods, so that no two files have two of them in common.
    let mut order: Vec<usize> = (0..pairs.len()).collect();
    shuffle(&mut random, &mut order);
    let firsts = (0..pairs.len()).map(|number| (number, &pairs[number][0]));
    let seconds = order.iter().map(|&number| (number, &pairs[number][1]));
    let placed: Vec<(usize, &String)> = firsts.chain(seconds).collect();
    let mut planted = Planted { documents: Vec::new(), labels: Vec::new() };
    let mut originals = originals.into_iter();
    for (document, some) in placed.chunks(3).enumerate() {
        let mut text = String::new();
        for &(group, method) in some {
            text += originals.next().unwrap_or_default();
            text.push('\n');
            let bytes = text.len()..text.len() + method.len();
            planted.labels.push(Label { group, place: Place { document, bytes } });
            text += method;
            text.push('\n');
        }
        planted.documents.push((format!("{document:05}.{ending}"), text));
    }
    planted
}

/// Puts items in another order.
fn shuffle<T>(random: &mut Random, items: &mut [T]) {
    for end in (1..items.len()).rev() {
        items.swap(end, random.below(end + 1));
    }
}
