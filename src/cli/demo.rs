//! The demo corpus, which is embedded in the program and written to files on request.

use std::io::Write;
use std::path::{Path, PathBuf};

use super::error::CliError;
use dupi_base::config::ProgramFolders;
use dupi_base::storage::{Folder, create_private};

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

/// Writes the files of the demo corpus that are missing or differ, and returns their folder. What is in the place of one
/// is removed, and never written to: it may be a link.
pub(super) fn lay_out() -> Result<PathBuf, CliError> {
    let folder = ProgramFolders::find()?.demo();
    lay_out_in(&folder)?;
    Ok(folder)
}

fn lay_out_in(demo: &Path) -> Result<(), CliError> {
    for (name, bytes) in FILES {
        let path = demo.join(name);
        let folder = Folder::new(path.parent().unwrap_or(demo));
        let file = name.rsplit('/').next().unwrap_or(name);
        if folder.read(file).is_ok_and(|there| there.is_some_and(|there| there == *bytes)) {
            continue;
        }
        let cleared = folder.create().and_then(|()| folder.remove(file));
        cleared.map_err(|error| CliError::write(&error.path)(error.source))?;
        let written = create_private(&path).and_then(|mut file| file.write_all(bytes));
        written.map_err(CliError::write(&path))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::{PermissionsExt, symlink};

    use dupi_base::storage::shown;

    use super::*;

    #[test]
    fn the_files_are_their_owners_alone_and_no_link_in_their_place_is_followed() {
        let place = tempfile::tempdir().unwrap();
        let (demo, precious) = (place.path().join("data/demo"), place.path().join("precious"));
        lay_out_in(&demo).unwrap();
        let (name, bytes) = FILES[4];
        let path = demo.join(name);
        for folder in [&demo, demo.parent().unwrap(), path.parent().unwrap()] {
            assert_eq!(folder.metadata().unwrap().permissions().mode() & 0o777, 0o700, "{}", shown(folder));
        }
        fs::write(&precious, "precious").unwrap();
        fs::remove_file(&path).unwrap();
        symlink(&precious, &path).unwrap();
        lay_out_in(&demo).unwrap();
        assert_eq!(fs::read(&precious).unwrap(), b"precious");
        let found = path.symlink_metadata().unwrap();
        assert!(found.is_file() && found.permissions().mode() & 0o777 == 0o600);
        assert_eq!(fs::read(&path).unwrap(), *bytes);
        // A FIFO is not waited for.
        fs::remove_file(&path).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
        lay_out_in(&demo).unwrap();
        assert_eq!(fs::read(&path).unwrap(), *bytes);
    }

    #[test]
    fn every_file_of_the_demo_is_embedded() {
        fn count(folder: &Path) -> usize {
            let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
            entries.map(|path| if path.is_dir() { count(&path) } else { 1 }).sum()
        }
        assert_eq!(count(&Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/demo")), FILES.len());
    }
}
