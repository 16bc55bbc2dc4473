//! Checks the files with ignore rules before the walker opens them.
//!
//! The walker opens what has the name of such a file, whatever it is, and reads it to its end: a FIFO would hold it for ever,
//! and the patterns of a large file take minutes and gigabytes to compile. So nothing is walked whose rules are in such a
//! file: what the user wanted to exclude is never indexed.
//!
//! The files are those of the crate `ignore`: `.ignore`, `.gitignore` and `.git/info/exclude` in each folder and in all
//! above it, what a file `.git` leads to, and those of the user's settings of Git.

use std::ffi::OsStr;
use std::fs::Metadata;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::{env, fs};

use ignore::gitignore::gitconfig_excludes_path;

use super::read::{read, special};
use crate::config::Size;

/// The size of the largest file with rules that is read. Patterns of four times the size took 5 seconds and 1 GB.
const LARGEST: u64 = 256 << 10;

/// A file with ignore rules that is not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RefusedRules {
    /// The file.
    pub file: PathBuf,
    /// Why, as the end of a sentence.
    pub why: String,
}

/// The first file of a folder that cannot be read.
pub(super) fn refused_in(folder: &Path) -> Option<RefusedRules> {
    let git = folder.join(".git");
    let exclude = || match git.metadata() {
        Err(_) => None,
        Ok(found) if found.is_file() => {
            refused(&git).or_else(|| {
                let common =
                    first_line(&git)?.strip_prefix(b"gitdir: ").map(OsStr::from_bytes).map(PathBuf::from)?;
                let leads = common.join("commondir");
                refused(&leads).or_else(|| {
                    // An absolute path replaces the one before it.
                    let line = first_line(&leads)?;
                    refused(&common.join(OsStr::from_bytes(&line)).join("info/exclude"))
                })
            })
        }
        Ok(_) => refused(&git.join("info/exclude")),
    };
    refused(&folder.join(".ignore")).or_else(|| refused(&folder.join(".gitignore"))).or_else(exclude)
}

/// The first file of the user's settings of Git that cannot be read.
pub(super) fn refused_of_user() -> Option<RefusedRules> {
    let named = |name: &str| env::var_os(name).filter(|path| !path.is_empty()).map(PathBuf::from);
    let home = env::home_dir();
    let config = named("XDG_CONFIG_HOME").or_else(|| Some(home.as_ref()?.join(".config")));
    let settings = [
        named("GIT_CONFIG_GLOBAL"),
        home.as_ref().map(|home| home.join(".gitconfig")),
        config.map(|config| config.join("git/config")),
        Some(named("GIT_CONFIG_SYSTEM").unwrap_or_else(|| "/etc/gitconfig".into())),
    ];
    let of_settings = settings.into_iter().flatten().find_map(|path| refused(&path));
    // Reads the settings.
    of_settings.or_else(|| refused(&gitconfig_excludes_path()?))
}

/// Whether a file is not to be opened. What does not exist, and a folder, have no rules.
fn refused(path: &Path) -> Option<RefusedRules> {
    let found = path.metadata().ok()?;
    let why = match special(found.file_type()) {
        Some("folder") => return None,
        Some("device") if is_null(&found) => return None,
        Some(special) => format!("is not a regular file ({special})"),
        None if found.len() > LARGEST => format!("is larger than {}", Size(LARGEST)),
        None => return None,
    };
    Some(RefusedRules { file: path.to_owned(), why })
}

/// Whether this is `/dev/null`, by which rules are switched off.
fn is_null(found: &Metadata) -> bool {
    fs::metadata("/dev/null").is_ok_and(|null| null.rdev() == found.rdev())
}

/// The first line of a file that is not refused.
fn first_line(path: &Path) -> Option<Vec<u8>> {
    let mut text = Vec::new();
    read(path, LARGEST, &mut text).ok()?;
    let line = text.split(|&byte| byte == b'\n').next()?;
    Some(line.strip_suffix(b"\r").unwrap_or(line).to_owned())
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;
    use std::process::Command;

    use super::*;

    #[test]
    fn what_is_no_file_or_too_large_is_refused_wherever_the_walker_would_open_it() {
        let place = tempfile::tempdir().unwrap();
        let at = |name: &str| place.path().join(name);
        for folder in ["a/.git/info", "common/info", "linked"] {
            fs::create_dir_all(at(folder)).unwrap();
        }
        fs::write(at("a/.git/HEAD"), "ref").unwrap();
        let line = |name: &str, begin: &str| {
            let text = [begin.as_bytes(), at(name).as_os_str().as_bytes(), b"\r\n"].concat();
            String::from_utf8(text).unwrap()
        };
        fs::write(at("linked/.git"), line("worktree", "gitdir: ")).unwrap();
        fs::create_dir(at("worktree")).unwrap();
        fs::write(at("worktree/commondir"), "../common\n").unwrap();
        let fifo = |path: &Path| assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
        fifo(&at("fifo"));
        let device = "is not a regular file (device)";
        let is_refused = |folder: &str, file: &str, why: &str| {
            let refused = refused_in(&at(folder)).unwrap_or_else(|| panic!("{file} is not refused"));
            assert_eq!(
                (refused.file.canonicalize().ok(), &*refused.why),
                (at(file).canonicalize().ok(), why)
            );
        };
        for (folder, file) in [
            ("a", "a/.ignore"),
            ("a", "a/.gitignore"),
            ("a", "a/.git/info/exclude"),
            ("linked", "linked/.ignore"),
            ("linked", "common/info/exclude"),
        ] {
            assert_eq!(refused_in(&at(folder)), None, "{file}");
            fifo(&at(file));
            is_refused(folder, file, "is not a regular file (FIFO)");
            fs::remove_file(at(file)).unwrap();
            symlink(at("fifo"), at(file)).unwrap();
            is_refused(folder, file, "is not a regular file (FIFO)");
            fs::remove_file(at(file)).unwrap();
            symlink("/dev/zero", at(file)).unwrap();
            is_refused(folder, file, device);
            fs::remove_file(at(file)).unwrap();
            fs::File::create(at(file)).unwrap().set_len(LARGEST + 1).unwrap();
            is_refused(folder, file, "is larger than 256 KiB");
            fs::File::create(at(file)).unwrap().set_len(LARGEST).unwrap();
            assert_eq!(refused_in(&at(folder)), None, "{file}");
            fs::remove_file(at(file)).unwrap();
            symlink("/dev/null", at(file)).unwrap();
            assert_eq!(refused_in(&at(folder)), None, "{file}");
            fs::remove_file(at(file)).unwrap();
            fs::create_dir(at(file)).unwrap();
            assert_eq!(refused_in(&at(folder)), None, "{file}");
            fs::remove_dir(at(file)).unwrap();
        }
        fs::remove_file(at("worktree/commondir")).unwrap();
        fifo(&at("worktree/commondir"));
        is_refused("linked", "worktree/commondir", "is not a regular file (FIFO)");
        fs::File::create(at("linked/.git")).unwrap().set_len(LARGEST + 1).unwrap();
        is_refused("linked", "linked/.git", "is larger than 256 KiB");
    }
}
