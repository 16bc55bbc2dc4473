//! The formats for other tools, as a script calls them: what they write fits its schema, names files as they are reached
//! from the current folder, and is coloured only where that is wanted.

use std::fs;

use serde_json::{Value, json};

use crate::decided::three;
use crate::schema::offences;
use crate::support::{Home, Said, words};
use dupi::session::{Request, Update, WriteResult};

/// Formats of findings.
const FORMATS: [&str; 9] =
    ["vimgrep", "sarif", "markdown", "github", "gitlab", "csv", "csv-pairs", "dot", "html"];

/// Two documents that share text, one of them edited in a third, and a name that has to be escaped.
fn corpus() -> Home {
    let home = Home::new();
    let tree = words("tree", 60);
    home.write("src/a.txt", format!("one\ntwo\n{tree}\nthree {}", words("own", 30)));
    home.write("src/b \"c\", d.txt", format!("{tree}\n{}", words("other", 30)));
    home.write("src/edited.txt", tree.replace("tree30", "bush").replace("tree40", "hedge"));
    home
}

fn schema(name: &str) -> Value {
    let path = format!("{}/tests/it/schemas/{name}.json", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

#[test]
fn sarif_and_code_quality_reports_fit_their_schemas() {
    let home = corpus();
    for verb in
        [&["passages"][..], &["documents"], &["files", "--depth", "3"], &["near", "--threshold", "0.1"]]
    {
        for (format, schema) in [("sarif", schema("sarif-2.1.0")), ("gitlab", schema("gitlab-code-quality"))]
        {
            let text = home.stdout(&[verb, &["--format", format]].concat());
            let written: Value = serde_json::from_str(&text).unwrap();
            assert_eq!(offences(&schema, &written), [""; 0], "{verb:?} {format}");
            let count = written.pointer("/runs/0/results").unwrap_or(&written).as_array().unwrap().len();
            assert!(count > 0, "{verb:?} {format}");
        }
    }
    let wrong = json!({"version": "2.1.0", "runs": [{"results": [{"level": "loud", "x": 1}]}]});
    let refused = offences(&schema("sarif-2.1.0"), &wrong);
    for what in [
        "/runs/0: lacks \"tool\"",
        "lacks \"message\"",
        "/results/0/x: is not a field",
        "\"loud\" is none of",
    ] {
        assert!(refused.iter().any(|offence| offence.contains(what)), "{what}: {refused:?}");
    }
}

#[test]
fn places_are_named_as_the_current_folder_reaches_them() {
    let home = corpus();
    let here = home.stdout(&["passages", "--format", "vimgrep"]);
    let below = home.stdout(&["passages", "src", "--format", "vimgrep"]);
    assert_eq!(here, below, "the corpus is the current folder, or a folder in it");
    assert!(here.lines().any(|line| line.starts_with("src/a.txt:3:1:")), "{here}");
    assert!(here.lines().any(|line| line.starts_with("src/b \"c\", d.txt:1:1:")), "{here}");
    let mut outside =
        home.command(&["passages", "-C", home.at("src").to_str().unwrap(), "--format", "vimgrep"]);
    let output = Said::of(outside.current_dir("/"));
    let from_root = output.stdout;
    let path = home.at("src/a.txt").canonicalize().unwrap();
    let relative = path.strip_prefix("/").unwrap().to_str().unwrap();
    assert!(from_root.lines().any(|line| line.starts_with(&format!("{relative}:3:1:"))), "{from_root}");
}

#[test]
fn every_verb_that_finds_something_writes_every_format_and_the_others_refuse_them() {
    let home = corpus();
    let blot = home.stdout(&["extract", "-b", "--top", "1"]);
    for verb in [
        &["passages"][..],
        &["documents"],
        &["files"],
        &["like", "src/a.txt"],
        &["near", "--threshold", "0.1", "--pairs"],
        &["unblot", blot.trim()],
    ] {
        // A folder or a text in one document is one place, and has no pairs.
        for format in
            FORMATS.iter().filter(|format| !["files", "like"].contains(&verb[0]) || **format != "csv-pairs")
        {
            let text = home.stdout(&[verb, &["--format", format]].concat());
            assert!(text.contains("src"), "{verb:?} {format}: {text}");
        }
    }
    for verb in ["inspect", "extract", "index"] {
        let refused = home.run(&[verb, "--format", "sarif"]);
        assert_eq!(refused.code, Some(2));
        assert!(refused.stderr.contains("text, json"), "{verb}");
    }
}

#[test]
fn text_is_coloured_when_that_is_wanted() {
    let home = corpus();
    let run = |options: &[&str], no_color: &str| {
        let output = Said::of(home.command(options).env("NO_COLOR", no_color));
        output.stdout
    };
    let plain = run(&["passages"], "");
    assert!(!plain.contains('\u{1b}'), "it is no terminal");
    assert_eq!(run(&["passages", "--color", "never"], ""), plain);
    let coloured = run(&["passages", "--color", "always", "--edits"], "1");
    assert!(coloured.contains("\u{1b}[35m\tsrc/a.txt\u{1b}[0m"), "{coloured}");
    assert!(coloured.contains("\u{1b}[31m[-") && coloured.contains("\u{1b}[32m{+"), "{coloured}");
    let refused = home.run(&["passages", "--color", "green"]);
    assert_eq!(refused.code, Some(2));
}

#[test]
fn a_page_has_the_text_of_a_copy_that_differs() {
    let home = corpus();
    let page = home.stdout(&["passages", "--format", "html"]);
    let rows = page.split_once("application/json\">").unwrap().1.split_once("</script>").unwrap().0;
    let rows: Value = serde_json::from_str(rows).unwrap();
    let places = rows[0]["places"].as_array().unwrap();
    let texts: Vec<&str> = places.iter().filter_map(|place| place["text"].as_str()).collect();
    assert!(
        texts.iter().any(|text| text.contains("bush")) || rows[0]["text"].as_str().unwrap().contains("bush")
    );
    assert_eq!((places.len(), texts.len() < 3), (3, true), "{rows}");
}

#[test]
fn the_screen_exports_in_the_format_of_the_ending() {
    let shown = three();
    let rows = shown.rows(&[4, 3, 2]).rows.clone();
    let write = |name: &str| {
        let file = shown.beside(name);
        shown.ask(Request::Export { rows: rows.clone(), file: file.clone(), replace: false });
        let written = shown.wait("what was written", |update| match update {
            Update::Written(written) => Some(written),
            _ => None,
        });
        (written, fs::read_to_string(file).unwrap_or_default())
    };
    for (name, beginning) in [
        ("r.csv", "id,rule,copy,"),
        ("r.pairs.csv", "id,rule,path,"),
        ("r.sarif", "{\"$schema\""),
        ("R.MD", "**3 findings with 9 places"),
        ("r.gitlab.json", "[\n{"),
        ("r.dot", "graph dupi"),
        ("r.html", "<!DOCTYPE html>"),
        ("r.txt", ""),
        ("r.vimgrep", ""),
    ] {
        let (written, text) = write(name);
        assert!(matches!(written, WriteResult::Done(_)), "{written:?}");
        assert!(text.starts_with(beginning) && text.len() > 100, "{name}: {text}");
    }
    let (refused, text) = write("r.json5");
    assert!(matches!(&refused, WriteResult::Failed(why) if why.contains(".sarif, .md")), "{refused:?}");
    assert!(text.is_empty());
}

#[test]
fn what_is_hidden_is_reported_with_the_entry_that_hides_it() {
    let home = corpus();
    let none = home.run(&["taboo", "report", "--json"]);
    assert_eq!(none.code, Some(1), "nothing is on the list");
    home.stdout(&["taboo", "add", &words("tree", 60), "--reason", "our licence"]);
    home.stdout(&["taboo", "add", &words("nothing", 40), "--user"]);
    let json = home.stdout(&["taboo", "report", "--json"]);
    let rows: Vec<Value> = json.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let together =
        json!({"hidden": 1, "passages": 1, "copies": 3, "documents": 3, "entries": 2, "suppressed": 0});
    assert_eq!(rows[0], together);
    let of = |row: &Value| [&row["hidden"], &row["all_corpora"], &row["reason"]].map(Value::clone);
    assert_eq!(of(&rows[1]), [json!(1), json!(false), json!("our licence")]);
    assert_eq!(of(&rows[2]), [json!(0), json!(true), json!(null)]);
    assert!(rows[1]["since"].as_str().unwrap().starts_with("20"));
    let text = home.stdout(&["taboo", "report"]);
    let first = "1 of 1 passages are hidden, with 3 copies in 3 documents, by 2 texts of the taboo list\n";
    assert!(text.starts_with(first) && text.contains("our licence"), "{text}");
}

#[test]
#[ignore = "needs vim; .ci/run runs it"]
fn vim_reads_the_list_of_places() {
    let home = corpus();
    home.write("list", home.stdout(&["passages", "--format", "vimgrep"]));
    let script = "for e in getqflist() | call writefile([bufname(e.bufnr) . '|' . e.lnum . '|' . e.col], 'read', 'a') | endfor";
    let mut vim = home.command_of("vim", &["-es", "-u", "NONE", "-q", "list", "-c", script, "-c", "qa!"]);
    vim.status().unwrap();
    let read = fs::read_to_string(home.at("read")).unwrap();
    let lines: Vec<&str> = read.lines().collect();
    assert!(lines.contains(&"src/a.txt|3|1") && lines.contains(&"src/b \"c\", d.txt|1|1"), "{read}");
}
