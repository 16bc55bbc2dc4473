//! The formats for other tools, as a script calls them: what they write fits its schema, names files as they are reached
//! from the current folder, and is coloured only where that is wanted.

use std::fs;

use serde_json::{Value, json};

use crate::decided::three;
use crate::schema::offences;
use crate::support::{Home, words};
use dupi::session::{Request, Update, WriteResult};

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
