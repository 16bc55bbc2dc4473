//! The limit on the size of a file is for the file as it is read, not as it was indexed.

use std::fs;

use crate::naive::indexed;
use dupi::index::snapshot::Snapshot;
use dupi::query::current::CurrentFiles;

/// How many documents are read, and how many files are too large, with the least memory there is.
fn read(snapshot: &Snapshot) -> (usize, u64) {
    let files = CurrentFiles::new(snapshot, 0);
    let (mut count, mut buffer) = (0, Vec::new());
    for file in files.files(|_| true) {
        files.read(file, &mut buffer, |_| true, |_| count += 1);
    }
    assert!(buffer.capacity() < 17 << 20, "{} bytes", buffer.capacity());
    (count, files.too_large())
}

#[test]
fn a_file_that_grew_is_too_large_and_one_that_shrank_is_read() {
    let large = " ".repeat(17 << 20) + "some words";
    let documents = [("large".to_owned(), large.clone()), ("small".to_owned(), "some words".to_owned())];
    let (folder, snapshot) = indexed(documents.iter().map(|(name, text)| (name, text)), |usual| usual);
    assert_eq!(read(&snapshot), (1, 1));
    let at = |name| folder.path().join("corpus").join(name);
    fs::write(at("small"), &large).unwrap();
    assert_eq!(read(&snapshot), (0, 2));
    assert!(snapshot.unread().is_empty(), "they could be read");
    fs::write(at("large"), "other words").unwrap();
    assert_eq!(read(&snapshot), (1, 1));
}
