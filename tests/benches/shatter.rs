//! How fast text shatters: prose and source code, made up here from a seed, by profile. How fast the hard cases of
//! `tests/languages` are lexed.
//!
//! Run with `cargo bench --bench shatter`.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use divan::counter::BytesCount;
use divan::{Bencher, black_box};
use dupi::blot::{Profile, Recipe, shatter};
use dupi::token::{Comments, Language, LexState, Lexer, Tokeniser, Visitor};

/// Bytes of each text.
const SIZE: usize = 4 << 20;

const PROFILES: [Profile; 3] = [Profile::Default, Profile::Compact, Profile::Dupi];

fn main() {
    divan::main();
}

/// Marsaglia's xorshift.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % n
    }

    /// A word of 1 to 12 letters; short ones are more frequent, and all come again and again.
    fn word(&mut self) -> String {
        let few = self.below(3000);
        let mut letters = Self(few * few + 1);
        let len = 1 + letters.below(4) + letters.below(5) + letters.below(5);
        (0..len).map(|_| char::from(b'a' + letters.below(26) as u8)).collect()
    }
}

/// Sentences; with `accents`, some letters are not ASCII.
fn prose(accents: bool) -> String {
    let mut random = Random(42);
    let mut text = String::new();
    while text.len() < SIZE {
        let mut word = random.word();
        if accents && random.below(4) == 0 {
            word.push(['é', 'ß', 'å', 'Ж'][random.below(4) as usize]);
        }
        let space = ["\n", ". ", ", ", " ", " ", " ", " ", " "][random.below(8) as usize];
        text += &word;
        text += space;
    }
    text
}

/// Functions in C.
fn code() -> String {
    let mut random = Random(42);
    let mut text = String::new();
    while text.len() < SIZE {
        let (a, b, c) = (random.word(), random.word(), random.word());
        let n = random.below(1000);
        let line = match random.below(6) {
            0 => write!(text, "\tif ({a}->{b} == {n})\n\t\treturn -{c};\n"),
            1 => writeln!(text, "\t/* {a} the {b} of {c} */"),
            2 => writeln!(text, "\t{a}_{b}({c}, &{b}[{n}], \"{a}: %d\\n\");"),
            3 => write!(text, "}}\n\nstatic int {a}_{b}(struct {c} *{a})\n{{\n"),
            4 => writeln!(text, "\t{a} = {b} + {n}; // {c}"),
            _ => writeln!(text, "\t{a}->{b}.{c} |= {n};"),
        };
        line.expect("a String takes everything");
    }
    text
}

fn bench(bencher: Bencher, text: &str, tokeniser: Tokeniser, profile: Profile) {
    let recipe = profile.choice().apply(Recipe::default());
    bencher.counter(BytesCount::of_str(text)).bench_local(|| {
        let mut mixed = 0;
        shatter(text, tokeniser, LexState::default(), &recipe, |tile| {
            mixed ^= tile.blot.get();
        });
        black_box(mixed)
    });
}

#[divan::bench(args = PROFILES)]
fn words(bencher: Bencher, profile: Profile) {
    bench(bencher, &prose(false), Tokeniser::Words, profile);
}

#[divan::bench(args = PROFILES)]
fn words_with_accents(bencher: Bencher, profile: Profile) {
    bench(bencher, &prose(true), Tokeniser::Words, profile);
}

#[divan::bench(args = PROFILES)]
fn code_in_c(bencher: Bencher, profile: Profile) {
    let c = Language::from_name("C").expect("tokei knows C");
    bench(bencher, &code(), Tokeniser::Code(c, Comments::Keep), profile);
}

/// The files of `tests/languages`.
fn languages() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/languages");
    let paths = fs::read_dir(folder).expect("the folder").map(|entry| entry.expect("an entry").path());
    let mut names: Vec<String> = paths
        .map(|path| fs::read_to_string(path).expect("text").lines().next().expect("a name").into())
        .collect();
    names.sort();
    names
}

/// The source lines of a language's file, again and again.
fn hard_cases(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/languages");
    let files = fs::read_dir(folder).expect("the folder").map(|entry| entry.expect("an entry").path());
    let texts = files.map(|path| fs::read_to_string(path).expect("text"));
    let file = texts.into_iter().find(|text| text.lines().next() == Some(name)).expect("a file");
    let lines: String =
        file.lines().filter_map(|line| line.strip_prefix("| ")).flat_map(|line| [line, "\n"]).collect();
    lines.repeat(SIZE / lines.len())
}

struct Mix;

impl Visitor for Mix {
    type Output = u64;

    fn visit<L: Lexer>(self, lexer: L) -> u64 {
        lexer.fold(0, |mixed, token| mixed ^ token.hash)
    }
}

#[divan::bench(args = languages())]
fn lex(bencher: Bencher, name: &str) {
    let text = hard_cases(name);
    let language = Language::from_name(name).expect("a language");
    let tokeniser = Tokeniser::Code(language, Comments::Keep);
    bencher
        .counter(BytesCount::of_str(&text))
        .bench_local(|| black_box(tokeniser.lex(&text, LexState::default(), Mix)));
}
