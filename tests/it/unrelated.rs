//! Texts that have nothing to do with each other are not joined: at most one of 4,000 pairs of documents has copies in one
//! row, whatever was asked.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use crate::naive::indexed;
use crate::planted::{Language, Random};
use dupi::blot::Profile;
use dupi::ingest::Options;
use dupi::passage::search::{Passages, SearchSettings};
use dupi::passage::{Measure, PassageOrder};

/// Documents by name.
type Documents = BTreeMap<String, String>;
/// Makes so many documents of a seed.
type Maker = fn(u64, usize) -> Documents;

/// Documents of words that follow Zipf's law, each with a few that like to follow it.
fn prose(seed: u64, count: usize) -> Documents {
    let mut language = Language::new(seed);
    let mut document = |number: usize| (format!("{number:04}.txt"), language.host(150..=450).words.join(" "));
    (0..count).map(&mut document).collect()
}

/// The same with stock phrases of two to seven words, as news have them: a few of them are in every text.
fn news(seed: u64, count: usize) -> Documents {
    let mut language = Language::new(seed);
    let mut random = Random(seed);
    let phrases: Vec<Vec<String>> = (0..400).map(|_| language.text(random.within(2..=7))).collect();
    let mut document = |number: usize| {
        let mut words = Vec::new();
        for _ in 0..random.within(15..=45) {
            words.extend(language.text(random.within(2..=14)));
            // The rank of a phrase follows Zipf's law, roughly.
            let most = 1 + random.below(phrases.len());
            words.extend_from_slice(&phrases[random.below(most)]);
        }
        (format!("{number:04}.txt"), words.join(" "))
    };
    (0..count).map(&mut document).collect()
}

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

/// Java methods, one a file, of the statements that most methods have.
fn methods(seed: u64, count: usize) -> Documents {
    let mut random = Random(seed);
    (0..count).map(|number| (format!("M{number:04}.java"), method(&mut random))).collect()
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

fn method(random: &mut Random) -> String {
    let (own, of) = (call(random), TYPES[random.below(TYPES.len())]);
    let (one, two) = (name(random), name(random));
    let mut text = format!(
        "public {of} {own}({} {one}, {} {two}) {{\n",
        TYPES[random.below(12)],
        TYPES[random.below(12)]
    );
    for _ in 0..random.within(4..=14) {
        let [a, b, c] = [(); 3].map(|()| name(random));
        let (f, g) = (call(random), call(random));
        let (number, of) = (random.below(100), TYPES[random.below(TYPES.len())]);
        let statement = match random.below(14) {
            0 => format!("for (int i = 0; i < {a}.length; i++) {{\n        {b} += {a}[i];\n    }}"),
            1 => format!(
                "if ({a} == null) {{\n        throw new IllegalArgumentException(\"{a} is null\");\n    }}"
            ),
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
        };
        writeln!(text, "    {statement}").unwrap();
    }
    text + "    return null;\n}\n"
}

/// How many pairs of documents have copies in one row.
fn joined(documents: &Documents, profile: Profile, measure: impl FnOnce(Measure) -> Measure) -> usize {
    let (_folder, snapshot) = indexed(documents, |usual| Options { recipe: profile.choice(), ..usual });
    let measure = measure(Measure::usual(&snapshot.manifest().recipe));
    let settings = SearchSettings { measure, ..SearchSettings::default() };
    let passages = Passages::find(&snapshot, &settings, PassageOrder::Copies, &|_| Ok(())).unwrap();
    let mut pairs = BTreeSet::new();
    for passage in &passages.found {
        let of: BTreeSet<u32> = passage.copies.iter().map(|copy| copy.source).collect();
        pairs.extend(of.iter().flat_map(|&a| of.range(a + 1..).map(move |&b| (a, b))));
    }
    pairs.len()
}

/// Searches corpora of so many documents.
fn check(count: usize, seeds: &[u64]) {
    let kinds: [(&str, Maker); 3] = [("prose", prose), ("news", news), ("methods", methods)];
    for (kind, make) in kinds {
        for profile in [Profile::Default, Profile::Ocr] {
            let of = |&seed: &u64| joined(&make(seed, count), profile, |usual| usual);
            let joined: usize = seeds.iter().map(of).sum();
            let pairs = count * (count - 1) / 2 * seeds.len();
            println!("{kind}, {profile}: {joined} of {pairs} pairs");
            assert!(joined * 4000 <= pairs, "{kind}, {profile}: {joined} of {pairs}");
        }
    }
}

#[test]
fn unrelated_documents_are_hardly_ever_joined() {
    check(150, &[1]);
}

#[test]
#[ignore = "large; run it optimised: cargo test --release --test it unrelated:: -- --ignored --nocapture"]
fn of_many_unrelated_documents_hardly_any_are_joined() {
    check(800, &[1, 2, 3, 4]);
}
