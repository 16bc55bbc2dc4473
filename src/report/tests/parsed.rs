//! What programs read back from a report is what the rows say, whatever the names and texts are.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use proptest::prelude::*;

use super::{HOSTILE, copy, name, passage, report};
use crate::ReportRow;
use dupi_base::storage::unspelled;

/// Reads comma-separated values as RFC 4180 defines them.
fn records(csv: &str) -> Vec<Vec<String>> {
    let (mut records, mut fields, mut field) = (Vec::new(), Vec::new(), String::new());
    let (mut signs, mut is_quoted) = (csv.chars().peekable(), false);
    while let Some(sign) = signs.next() {
        match sign {
            '"' if is_quoted && signs.peek() == Some(&'"') => field.extend(signs.next()),
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => fields.push(std::mem::take(&mut field)),
            '\r' if !is_quoted && signs.peek() == Some(&'\n') => {
                signs.next();
                fields.push(std::mem::take(&mut field));
                records.push(std::mem::take(&mut fields));
            }
            _ => field.push(sign),
        }
    }
    assert!(fields.is_empty() && field.is_empty() && !is_quoted, "it ends with a record");
    records
}

/// Reads a line as editors do: the path ends before the first colon with a number behind it.
fn place(line: &[u8]) -> (PathBuf, u32, u32) {
    let digits = |from: usize| line[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let colon = (0..line.len()).find(|&at| line[at] == b':' && digits(at + 1) > 0).unwrap();
    let number =
        |from: usize| std::str::from_utf8(&line[from..from + digits(from)]).unwrap().parse().unwrap();
    let column = colon + 2 + digits(colon + 1);
    (unspelled(OsStr::from_bytes(&line[..colon])), number(colon + 1), number(column))
}

/// What a field of comma-separated values is told for: without the apostrophes before formulas and commands.
fn without_apostrophes(field: &str) -> String {
    let field = field.replace("\n'::", "\n::").replace("#'#[", "##[");
    field.strip_prefix('\'').map(str::to_owned).unwrap_or(field)
}

/// A path of hard parts: what separates fields, lines and numbers, commands of terminals and of workflow runs, formulas,
/// bytes that are not text.
fn path() -> impl Strategy<Value = Vec<u8>> {
    const PARTS: [&[u8]; 16] = [
        b"::",
        b"##[",
        b"=",
        b",",
        b"\"",
        b"\n",
        b"\r\n",
        b"\x1b[31m",
        b"\xff",
        b"\\x41",
        b":3:4:",
        b":",
        b"#2",
        b"a",
        "é".as_bytes(),
        "\u{202e}".as_bytes(),
    ];
    prop::collection::vec(prop::sample::select(&PARTS[..]), 1..6).prop_map(|parts| parts.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn rows_are_read_back_from_csv_json_and_vimgrep(
        paths in prop::collection::vec(path(), 1..4),
        lines in prop::collection::vec(1_u32..100, 4),
        texts in prop::collection::vec(prop_oneof![Just(HOSTILE), Just("a, \"b\"\r\n"), Just("plain")], 2),
    ) {
        let copies = || paths.iter().zip(&lines).map(|(path, &line)| copy(name(path), line, 1.0)).collect();
        let rows: Vec<Box<dyn ReportRow>> =
            texts.iter().map(|text| Box::new(passage(7, text, copies())) as _).collect();
        let expected: Vec<(PathBuf, u32, u32)> = texts
            .iter()
            .flat_map(|_| paths.iter().zip(&lines))
            .map(|(path, &line)| (Path::new(OsStr::from_bytes(path)).to_owned(), line, 3))
            .collect();

        let csv = String::from_utf8(report("csv", &rows)).unwrap();
        let csv = records(&csv);
        let at = |name: &str| csv[0].iter().position(|known| known == name).unwrap();
        let read: Vec<_> = csv[1..]
            .iter()
            .map(|record| {
                let number = |name: &str| record[at(name)].parse::<u32>().unwrap();
                let path = without_apostrophes(&record[at("path")]);
                (unspelled(OsStr::new(&path)), number("line"), number("column"))
            })
            .collect();
        prop_assert_eq!(&read, &expected);
        for (record, text) in csv[1..].chunks(paths.len()).zip(&texts) {
            prop_assert!(record.iter().all(|record| without_apostrophes(&record[at("text")]) == **text));
        }
        let pairs = String::from_utf8(report("csv-pairs", &rows)).unwrap();
        prop_assert_eq!(records(&pairs).len(), 1 + 2 * paths.len() * (paths.len() - 1) / 2);

        let json = String::from_utf8(report("json", &rows)).unwrap();
        let mut read = Vec::new();
        for (line, text) in json.lines().zip(&texts) {
            let row: serde_json::Value = serde_json::from_str(line).unwrap();
            prop_assert_eq!(&row["text"], text);
            for copy in row["occurrences"].as_array().unwrap() {
                let number = |name: &str| copy[name].as_u64().unwrap() as u32;
                read.push((unspelled(OsStr::new(copy["path"].as_str().unwrap())), number("line"), number("column")));
            }
        }
        prop_assert_eq!(&read, &expected);

        let vimgrep = report("vimgrep", &rows);
        let read: Vec<_> = vimgrep.split_inclusive(|&byte| byte == b'\n').map(place).collect();
        let below: Vec<_> =
            expected.iter().map(|(path, line, column)| (Path::new("corpus").join(path), *line, *column)).collect();
        prop_assert_eq!(&read, &below);

        // The other formats take the same rows, and what is JSON in them is JSON.
        for format in ["sarif", "gitlab"] {
            prop_assert!(serde_json::from_slice::<serde_json::Value>(&report(format, &rows)).is_ok());
        }
        let page = String::from_utf8(report("html", &rows)).unwrap();
        let of_page = page.split_once("application/json\">").unwrap().1.split_once("</script>").unwrap().0;
        prop_assert!(serde_json::from_str::<serde_json::Value>(of_page).is_ok());
        for format in ["github", "markdown", "dot"] {
            let text = String::from_utf8(report(format, &rows)).unwrap();
            let commands_a_terminal = text.contains(|sign: char| sign.is_control() && sign != '\n' && sign != '\t');
            prop_assert!(!commands_a_terminal, "{}", text);
        }
    }
}
