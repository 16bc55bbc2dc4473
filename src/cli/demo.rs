//! The demo corpus, which is embedded in the program and written to files on request.

use std::fs;
use std::path::PathBuf;

use super::error::CliError;
use crate::config::ProgramFolders;
use crate::storage::shown;

macro_rules! files {
    ($($name:literal)*) => {
        &[$(($name, include_bytes!(concat!("../../assets/demo/", $name)))),*]
    };
}

/// The files of assets/demo.
const FILES: &[(&str, &[u8])] = files! {
    "LICENSE.txt"
    "README.md"
    "data/notices.jsonl"
    "essays/door.txt"
    "essays/family-trees.md"
    "essays/on-copying.md"
    "essays/the-keeper.md"
    "letters/01-welcome.txt"
    "letters/02-charts.txt"
    "letters/03-reminder.txt"
    "letters/04-reminder.txt"
    "letters/05-thanks.txt"
    "letters/06-besuch.txt"
    "letters/07-besuch-abschrift.txt"
    "mail/ferry.mbox"
    "minutes/april.md"
    "minutes/february.md"
    "minutes/january.md"
    "minutes/march.md"
    "scans/oath-1874-second-copy.txt"
    "scans/oath-1874.txt"
    "scans/oath.bin"
    "src/ferry.rs"
    "src/logbook.py"
    "src/tide.c"
    "src/wind.c"
    "world/annai.txt"
    "world/dalil.txt"
    "world/goriyo.txt"
    "world/laafita.txt"
};

/// Writes the files of the demo corpus that are missing or differ, and returns their folder.
pub(super) fn lay_out() -> Result<PathBuf, CliError> {
    let folder = ProgramFolders::find()?.demo();
    for (name, bytes) in FILES {
        let path = folder.join(name);
        if fs::read(&path).is_ok_and(|there| there == *bytes) {
            continue;
        }
        let written = path.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::write(&path, bytes));
        written.map_err(|error| CliError::Write(shown(&path).to_string(), error))?;
    }
    Ok(folder)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn every_file_of_the_demo_is_embedded() {
        fn count(folder: &Path) -> usize {
            let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
            entries.map(|path| if path.is_dir() { count(&path) } else { 1 }).sum()
        }
        assert_eq!(count(&Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/demo")), FILES.len());
    }
}
