//! The names of formats, and the endings of files.

use std::path::Path;

use crate::{FORMATS, format_of};

#[test]
fn formats_differ_in_name_and_in_ending() {
    for (number, format) in FORMATS.iter().enumerate() {
        for other in &FORMATS[..number] {
            assert_ne!(format.name, other.name);
            assert!(format.ending.is_none() || format.ending != other.ending, "{format:?} {other:?}");
        }
    }
}

#[test]
fn a_file_name_asks_for_a_format_by_its_ending() {
    for format in FORMATS.iter().filter(|format| format.ending.is_some()) {
        let ending = format.ending.unwrap();
        for name in [format!("a/rows.{ending}"), format!("ROWS.{}", ending.to_uppercase())] {
            assert_eq!(format_of(Path::new(&name)).unwrap(), *format, "{name}");
        }
    }
    assert_eq!(format_of(Path::new("a.csv")).unwrap().name, "csv");
    assert_eq!(format_of(Path::new("a.pairs.csv")).unwrap().name, "csv-pairs");
    for name in ["rows.pdf", "rows", ".jsonl", "jsonl", "rows.jsonl/x", "rows.jsonl.gz"] {
        let said = format_of(Path::new(name)).unwrap_err().to_string();
        assert!(said.contains(&format!("{name}: ")) && said.contains(" .jsonl"), "{said}");
    }
}
