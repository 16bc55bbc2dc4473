//! `--match`: what is a copy when names or literals may differ. Code is generated with seeds, copied, and disguised: other
//! names, other literals, other layout, comments added and dropped, imports in another order.

use crate::branches::{Dice, git};
use crate::support::{Home, strings};
use serde_json::Value;

pub const COPIES: usize = 60;

/// A function of varied C code, line by line, of more than 50 tokens. Words in `{}` are names, in `<>` literals.
fn block(dice: &mut Dice) -> Vec<String> {
    let mut name = {
        let mut number = 0;
        move |dice: &mut Dice| {
            number += usize::from(dice.below(3) > 0);
            format!("{{v{}}}", dice.below(number.max(1)))
        }
    };
    let mut lines = vec![
        format!("static int {{f}}(struct {{t}} *{}, unsigned long {})", name(dice), name(dice)),
        "{".into(),
    ];
    let mut deep = 1;
    while lines.len() < 16 + dice.below(8) || deep > 1 {
        let (a, b, c) = (name(dice), name(dice), name(dice));
        let open = lines.len() < 14;
        let line = match dice.below(if open { 10 } else { 8 }) {
            0 => format!("{a} = {b}->{c} + <{}>;", dice.below(900)),
            1 => format!("{{call{}}}({a}, \"<text {}>\", {b});", dice.below(4), dice.below(50)),
            2 => format!("{a}[<{}>] |= {b} << {c};", dice.below(64)),
            3 => format!("return {a} ? {b} : -{c};"),
            4 => format!("{a} = kzalloc(sizeof(*{b}), {c});"),
            5 => format!("{a}->{b} = ~{c} & <0x{:x}>;", dice.below(4096)),
            6 if deep > 1 => {
                deep -= 1;
                "}".into()
            }
            7 if deep > 1 => {
                deep -= 1;
                "} /* end */".into()
            }
            8 => {
                deep += 1;
                format!("if ({a} > {b} || !{c}) {{{{")
            }
            9 => {
                deep += 1;
                format!("for ({a} = <0>; {a} < {b}; {a}++) {{{{")
            }
            _ => format!("{a} -= {b} * {c};"),
        };
        lines.push(line.replace("{{{{", "{").replace("{{", "{"));
    }
    lines.push("}".into());
    lines
}

/// What differs between a block and its copy.
#[derive(Clone, Copy, Default)]
pub struct Disguise {
    pub names: bool,
    pub literals: bool,
    pub layout: bool,
    pub comments: bool,
}

/// A block as text. Seeds of zero leave names and literals as they are.
pub fn written(block: &[String], dice: &mut Dice, disguise: Disguise) -> String {
    let mut text = String::new();
    let salt = dice.below(9000) + 10;
    for line in block {
        let mut line = line.clone();
        for number in (0..40).rev() {
            let (old, own) = (format!("{{v{number}}}"), format!("item_{number}"));
            let new = if disguise.names { format!("other{salt}_{}", number * 7 % 41) } else { own };
            line = line.replace(&old, &new);
        }
        for (name, own) in [("f", "prepare"), ("t", "device")] {
            let new = if disguise.names { format!("{own}_{salt}") } else { own.into() };
            line = line.replace(&format!("{{{name}}}"), &new);
        }
        for number in 0..4 {
            let new = if disguise.names { format!("do_{salt}_{number}") } else { format!("call_{number}") };
            line = line.replace(&format!("{{call{number}}}"), &new);
        }
        while let Some((before, rest)) =
            line.clone().split_once('<').filter(|(_, rest)| rest.contains('>') && is_literal(rest))
        {
            let (literal, behind) = rest.split_once('>').unwrap();
            let new = match (disguise.literals, literal.strip_prefix("text ")) {
                (false, None) => literal.to_owned(),
                (false, Some(number)) => format!("message number {number}"),
                (true, None) => (dice.below(70_000) + 3).to_string(),
                (true, Some(_)) => "quite another sentence, longer or not"
                    .split(' ')
                    .take(dice.below(6))
                    .collect::<Vec<_>>()
                    .join(" "),
            };
            line = format!("{before}{new}{behind}");
        }
        if disguise.layout {
            line = match dice.below(3) {
                0 => line.replace(" = ", "=\n\t\t"),
                1 => line.replace(", ", " ,"),
                _ => line.replace('(', "( "),
            };
        }
        if disguise.comments {
            match dice.below(4) {
                0 => text.push_str("\t/* a remark */\n"),
                1 => line.push_str(" // why this is so"),
                2 => line = line.replace(" /* end */", ""),
                _ => {}
            }
        }
        text.push_str(&format!("\t{line}\n"));
    }
    text
}

fn is_literal(rest: &str) -> bool {
    rest.starts_with(|c: char| c.is_ascii_digit()) || rest.starts_with("text ")
}

fn imports(dice: &mut Dice) -> String {
    let mut names: Vec<usize> = (0..8).collect();
    for at in (1..names.len()).rev() {
        names.swap(at, dice.below(at + 1));
    }
    names.iter().map(|name| format!("#include <linux/part_{name}.h>\n")).collect()
}

/// A corpus of blocks in one half and their copies in the other, each in a file of its own.
pub fn corpus_of(seed: u64, copy_of: impl Fn(&[String], &mut Dice) -> String) -> Home {
    let home = Home::new();
    let mut dice = Dice::new(seed);
    for number in 0..COPIES {
        let block = block(&mut dice);
        let own = written(&block, &mut dice, Disguise::default());
        home.write(&format!("a/{number}.c"), imports(&mut dice) + &own);
        let copy = copy_of(&block, &mut dice);
        home.write(&format!("b/{number}.c"), imports(&mut dice) + &copy);
    }
    home
}

/// Blocks and their disguised copies.
fn corpus(seed: u64, disguise: Disguise) -> Home {
    corpus_of(seed, |block, dice| written(block, dice, disguise))
}

pub fn rows(home: &Home, arguments: &[&str]) -> Vec<Value> {
    let output = home.run(&[&["passages", "--json", "--members", "--aside", "none"], arguments].concat());
    assert!(matches!(output.code, Some(0 | 1)), "{}", output.stderr);
    output.rows()
}

/// The lines of the copies of a row, by path.
pub fn places(row: &Value) -> Vec<(String, u64, u64)> {
    let place = |copy: &Value| {
        let number = |name: &str| copy[name].as_u64().unwrap();
        (copy["path"].as_str().unwrap().to_owned(), number("line"), number("end_line"))
    };
    row["occurrences"].as_array().unwrap().iter().map(place).collect()
}

/// Of how many blocks both copies are in one row that has at least nine tenths of the lines of each.
fn found(home: &Home, arguments: &[&str]) -> usize {
    found_in(home, &rows(home, arguments), 9)
}

/// Of how many blocks both copies are in one row that has at least so many tenths of the lines of each.
pub fn found_in(home: &Home, rows: &[Value], tenths: u64) -> usize {
    let lines = |path: &str| std::fs::read_to_string(home.at(path)).unwrap().lines().count() as u64 - 8;
    let has = |number: usize| {
        let whole = |row: &Value, path: &str| {
            places(row)
                .iter()
                .any(|(of, from, to)| of == path && (to + 1 - from) * 10 >= lines(path) * tenths)
        };
        rows.iter().any(|row| whole(row, &format!("a/{number}.c")) && whole(row, &format!("b/{number}.c")))
    };
    (0..COPIES).filter(|number| has(*number)).count()
}

#[test]
fn disguised_copies_are_found_by_the_fitting_way() {
    let (names, literals, layout, comments) = (true, true, true, true);
    let none = Disguise::default();
    for (seed, disguise, arguments) in [
        (1, Disguise { layout, ..none }, &["--gap", "0"][..]),
        (2, Disguise { names, layout, ..none }, &["--match", "renamed"]),
        (3, Disguise { names, layout, ..none }, &["--match", "consistent"]),
        (4, Disguise { literals, layout, ..none }, &["--match", "literals"]),
        (5, Disguise { names, literals, layout, ..none }, &["--match", "loose"]),
        (6, Disguise { names, literals, layout, comments }, &["--match", "loose", "--comments", "drop"]),
        (7, Disguise { names, layout, comments, ..none }, &["--match", "consistent", "--comments", "drop"]),
    ] {
        let home = corpus(seed, disguise);
        let count = found(&home, arguments);
        assert!(count * 100 >= COPIES * 98, "{arguments:?}: {count} of {COPIES}");
        if disguise.names {
            assert!(found(&home, &["--gap", "0"]) * 10 < COPIES, "exact finds no disguised copies");
        }
    }
}

/// Whether each copy of a row lies in a copy of one other row, but for some lines at its ends.
fn is_covered(row: &Value, by: &[Value]) -> bool {
    let own = places(row);
    by.iter().any(|other| {
        let others = places(other);
        own.iter().all(|(path, from, to)| {
            others.iter().any(|(of, start, end)| of == path && *start <= *from && to <= end)
        })
    })
}

#[test]
fn what_a_stricter_way_finds_a_looser_one_finds_too() {
    let home = Home::new();
    let mut dice = Dice::new(11);
    for number in 0..40 {
        let (shared, own) = (block(&mut Dice::new(number % 9)), block(&mut dice));
        let disguise = Disguise { names: number % 2 == 0, literals: number % 3 == 0, ..Disguise::default() };
        let shared = written(&shared, &mut dice, disguise);
        home.write(&format!("{number}.c"), written(&own, &mut dice, Disguise::default()) + &shared);
    }
    let least = &["--min-tokens", "30"][..];
    let of = |by: &str, least: &str| rows(&home, &["--match", by, "--min-tokens", least]);
    let exact = rows(&home, &[&["--gap", "0"], least].concat());
    assert!(exact.len() > 5);
    // A string is one token where literals are folded: such passages have fewer.
    let (renamed, consistent, literals, loose) =
        (of("renamed", "30"), of("consistent", "30"), of("literals", "25"), of("loose", "25"));
    for (stricter, looser) in [
        (&exact, &renamed),
        (&exact, &consistent),
        (&exact, &literals),
        (&exact, &loose),
        (&consistent, &renamed),
        (&renamed, &loose),
        (&literals, &loose),
    ] {
        for row in stricter {
            assert!(is_covered(row, looser), "{row}");
        }
    }
    assert!(renamed.len() > exact.len() || places(&renamed[0]).len() > places(&exact[0]).len());
}

#[test]
fn a_name_stands_for_one_other_where_that_is_asked() {
    let home = Home::new();
    let code = |a: &str, b: &str, c: &str| {
        format!(
            "int f(int {a}, int {b})\n{{\n\tif ({a} > {b})\n\t\treturn g({a}, {b} + 1) * 2;\n\twhile ({b}--)\n\t\t{a} ^= h[{b}] \
             << 3;\n\tfor (;;) {{\n\t\t{c} |= {a} % 7;\n\t\tif (!{c}) break;\n\t}}\n\treturn {a} ? -{b} : ~{c};\n}}\n"
        )
    };
    home.write("a.c", code("left", "right", "sum"));
    home.write("b.c", code("x", "y", "z"));
    home.write("c.c", code("p", "p", "q"));
    home.write("d.c", code("r", "r", "s"));
    let copies =
        |by: &str| rows(&home, &["--match", by]).iter().map(|row| places(row).len()).collect::<Vec<_>>();
    assert_eq!(copies("renamed"), [4]);
    assert_eq!(copies("consistent"), [2, 2]);
    assert_eq!(copies("exact"), [0; 0]);
    let like = |by: &str| strings(&home.run(&["like", "a.c", "--json", "--match", by]).rows(), "path");
    assert_eq!(like("renamed"), ["a.c", "b.c", "c.c", "d.c"]);
    assert_eq!(like("consistent")[..2], ["a.c", "b.c"]);
    let covered = home.stdout(&["like", "a.c", "--match", "consistent", "--min-tokens", "25"]);
    assert!(covered.contains("b.c") && !covered.contains("c.c") && !covered.contains("d.c"), "{covered}");
}

/// A text in which names differ otherwise was no copy before a change.
#[test]
fn a_review_compares_names_before_the_change_too() {
    let home = Home::new();
    let code = |a: &str, b: &str, c: &str| {
        let lines =
            (1..9).map(|at| format!("\tif ({a} > {b} + {at})\n\t\t{c} ^= g({b}, {a} * {at}) << {at};\n"));
        format!("int f(int {a}, int {b})\n{{\n{}\treturn {a} ? -{b} : ~{c};\n}}\n", lines.collect::<String>())
    };
    git(&home, &["init", "-q", "-b", "main"]);
    home.write("a.c", code("left", "right", "sum"));
    home.write("b.c", code("p", "p", "q"));
    git(&home, &["add", "-A"]);
    git(&home, &["commit", "-q", "-m", "base"]);
    home.write("b.c", code("x", "y", "z"));
    let review = |by: &str| home.run(&["review", "--match", by, "HEAD"]).code;
    assert_eq!((review("renamed"), review("consistent")), (Some(0), Some(1)));
    home.write("b.c", code("p", "p", "r"));
    assert_eq!(review("consistent"), Some(0), "nothing is new");
    home.write("b.c", code("x", "y", "z"));
    git(&home, &["commit", "-q", "-a", "-m", "a copy"]);
    home.write("b.c", code("u", "v", "w"));
    let renamed = home.run(&["review", "--match", "consistent", "HEAD"]);
    assert_eq!(renamed.code, Some(0), "there was a copy with other names before");
    let message = renamed.stderr;
    assert!(message.contains("1 moved or edited, with as many copies as before"), "{message}");
}

#[test]
fn tables_and_lists_are_copies_only_if_they_are_equal() {
    let home = Home::new();
    let table = |salt: usize| {
        let line =
            |at: usize| format!("\t{}, {}, {}, {},\n", at * salt % 97, at * salt % 89, salt + at, at % salt);
        format!("static const int table_{salt}[] = {{\n{}}};\n", (0..40).map(line).collect::<String>())
    };
    let writes = |salt: usize| {
        (0..30).map(|at| format!("\twrite(dev_{salt}, REG_{}, VALUE_{at});\n", at * salt)).collect::<String>()
    };
    let bits = |salt: usize| {
        (0..30).map(|at| format!("\tFLAG_{salt}_{at} = BIT({}),\n", at + salt)).collect::<String>()
    };
    for salt in [3, 5, 11] {
        home.write(&format!("bits_{salt}.h"), format!("enum flags_{salt} {{\n{}}};\n", bits(salt)));
        home.write(&format!("{salt}.c"), table(salt));
        home.write(&format!("writes_{salt}.c"), format!("void set_{salt}(void)\n{{\n{}}}\n", writes(salt)));
    }
    for by in ["renamed", "literals", "loose"] {
        assert_eq!(rows(&home, &["--match", by]).len(), 0, "{by}");
    }
    home.write("copy.c", table(5));
    for by in ["exact", "renamed", "literals", "loose"] {
        let found = rows(&home, &["--match", by]);
        assert_eq!(found.len(), 1, "{by}");
        assert!(found[0]["tokens"].as_u64() >= Some(150), "{by}");
    }
}

#[test]
fn decisions_and_excluded_files_hold_for_every_way() {
    let home = corpus(21, Disguise { names: true, ..Disguise::default() });
    let all = rows(&home, &["--match", "renamed"]).len();
    assert!(all >= COPIES);
    home.run(&["exclude", "add", "b"]);
    let left = rows(&home, &["--match", "renamed"]);
    assert!(left.iter().flat_map(places).all(|(path, ..)| path.starts_with("a/")));
    home.run(&["exclude", "remove", "b"]);
    home.run(&["taboo", "add", "--file", "a/0.c"]);
    assert!(rows(&home, &["--match", "renamed"]).len() < all);
    rows(&home, &[]);
    let cleaned = home.stdout(&["clean"]);
    assert_eq!(cleaned.lines().count(), 2, "{cleaned}");
}

#[test]
fn a_second_index_is_said_and_other_tokens_are_refused() {
    let home = corpus(22, Disguise::default());
    let said = |arguments: &[&str]| home.run(arguments).stderr;
    assert!(said(&["passages", "--match", "loose"]).contains("--match loose has an index of its own"));
    assert!(!said(&["passages", "--match", "loose"]).contains("index of its own"), "it is there");
    let refused = home.run(&["passages", "--match", "loose", "--tokens", "words"]);
    assert_eq!(refused.code, Some(2));
    assert!(!said(&["review", "--help"]).contains("panicked"));
}

#[test]
fn differences_are_refused_where_only_equal_runs_are_found() {
    let home = corpus(22, Disguise::default());
    let refused = home.run(&["passages", "--match", "consistent", "--gap", "4"]);
    let said = refused.stderr;
    assert_eq!(refused.code, Some(2), "{said}");
    assert!(said.contains("--match consistent finds equal runs only; leave out --gap, or give 0"), "{said}");
    assert!(home.run(&["passages", "--match", "consistent", "--gap", "0"]).code < Some(2));
}
