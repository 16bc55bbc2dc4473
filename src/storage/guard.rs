//! Opens files of our own so that nothing that a stranger put in their place does harm.
//!
//! A folder of ours may have come with a repository, or lie where others write. So a link under the name of a
//! file of ours is not followed, opening does not wait (as it would for the other end of a FIFO), and the file
//! that was opened is looked at before it is used: it must be a regular one, and belong to this user or to
//! root. One that is written where it is, a lock or a log, must have no second name (a hard link) either.
//! New files are their owner's alone.

use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, ErrorKind};
use std::os::unix::fs::{FileTypeExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;

use rustix::fs::OFlags;
use rustix::io::Errno;
use rustix::process::geteuid;

/// The mode of a file of ours.
const MODE: u32 = 0o600;

/// Opens a file for reading.
pub(super) fn open(path: &Path) -> io::Result<File> {
    let file = open_with(OpenOptions::new().read(true), path)?;
    check(&file.metadata()?)?;
    Ok(file)
}

/// Creates a file that is not there yet, for writing and reading.
pub fn create(path: &Path) -> io::Result<File> {
    open_with(OpenOptions::new().read(true).write(true).create_new(true), path)
}

/// Opens a file, or creates it, that is written where it is: for reading and writing.
pub(super) fn open_in_place(path: &Path) -> io::Result<File> {
    in_place(OpenOptions::new().read(true).write(true).create(true).truncate(false), path)
}

/// Opens a log, or creates it, for appending: another process may write to it as well.
pub fn append(path: &Path) -> io::Result<File> {
    let file = in_place(OpenOptions::new().append(true).create(true), path)?;
    make_private(&file)?;
    Ok(file)
}

fn in_place(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    let file = open_with(options, path)?;
    let found = file.metadata()?;
    check(&found)?;
    if found.nlink() > 1 {
        return Err(refused("it has a second name (a hard link)"));
    }
    Ok(file)
}

fn open_with(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY;
    options.mode(MODE).custom_flags(flags.bits() as i32).open(path).map_err(|error| {
        match error.raw_os_error().map(Errno::from_raw_os_error) {
            Some(Errno::LOOP) => refused("it is a link, and links are not followed here"),
            // What a socket, or a FIFO that nobody reads, says.
            Some(Errno::NXIO) => refused("it is no regular file"),
            _ => error,
        }
    })
}

/// Refuses what is no file of ours.
fn check(found: &Metadata) -> io::Result<()> {
    check_type(found)?;
    if may_trust(found.uid(), geteuid().as_raw()) {
        Ok(())
    } else {
        Err(refused("it belongs to another user"))
    }
}

/// Refuses what is no regular file.
pub(super) fn check_type(found: &Metadata) -> io::Result<()> {
    let kind = found.file_type();
    match () {
        () if kind.is_file() => Ok(()),
        () if kind.is_dir() => Err(refused("it is a folder")),
        () if kind.is_fifo() => Err(refused("it is a FIFO and no regular file")),
        () if kind.is_socket() => Err(refused("it is a socket and no regular file")),
        () if kind.is_symlink() => Err(refused("it is a link, and links are not followed here")),
        () => Err(refused("it is a device and no regular file")),
    }
}

/// Whether a user may take a file for their own: root's can be trusted, and root uses anybody's.
fn may_trust(owner: u32, user: u32) -> bool {
    user == 0 || owner == user || owner == 0
}

/// Whether a file, or what a link leads to, belongs to this very user.
pub(super) fn is_mine(found: &Metadata) -> bool {
    found.uid() == geteuid().as_raw()
}

/// Whether nobody but its owner, who is this user or root, may write to a file: then it can be mapped. A file of
/// this user is closed to others first; where that cannot be done, it stays as it is.
pub fn is_safe_to_map(file: &File) -> io::Result<bool> {
    let _ = make_private(file);
    let found = file.metadata()?;
    Ok(found.is_file() && is_safe(found.uid(), found.mode(), geteuid().as_raw()))
}

fn is_safe(owner: u32, mode: u32, user: u32) -> bool {
    (owner == user || owner == 0) && mode & 0o022 == 0
}

/// Takes from others what they may do with a file or folder of this user. That of somebody else stays as it is.
pub(super) fn make_private(file: &File) -> io::Result<()> {
    let found = file.metadata()?;
    if found.mode() & 0o077 != 0 && is_mine(&found) {
        file.set_permissions(PermissionsExt::from_mode(found.mode() & 0o700))?;
    }
    Ok(())
}

/// Gives a draft owner and mode of the file that it is to replace, as far as the system allows: at no time is
/// it open to more people than that file.
pub(super) fn keep(draft: &File, like: &Metadata) -> io::Result<()> {
    let is_of_same = |found: &Metadata| (found.uid(), found.gid()) == (like.uid(), like.gid());
    if !is_of_same(&draft.metadata()?) {
        // Root may; others may give it to a group of theirs.
        let _ = std::os::unix::fs::fchown(draft, Some(like.uid()), Some(like.gid()))
            .or_else(|_| std::os::unix::fs::fchown(draft, None, Some(like.gid())));
    }
    let is_same_group = draft.metadata()?.gid() == like.gid();
    let mode = like.mode() & if is_same_group { 0o777 } else { 0o707 };
    draft.set_permissions(PermissionsExt::from_mode(mode))
}

fn refused(what: &'static str) -> io::Error {
    io::Error::new(ErrorKind::InvalidInput, what)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Write;
    use std::os::unix::fs::symlink;
    use std::os::unix::net::UnixListener;

    use super::*;

    #[test]
    fn only_regular_files_without_a_second_name_are_opened() {
        let place = tempfile::tempdir().unwrap();
        let at = |name: &str| place.path().join(name);
        fs::write(at("file"), "text").unwrap();
        symlink(at("file"), at("link")).unwrap();
        symlink(at("none"), at("dangling")).unwrap();
        fs::create_dir(at("folder")).unwrap();
        let _socket = UnixListener::bind(at("socket")).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(at("fifo")).status().unwrap().success());
        let said = |opened: io::Result<File>| opened.unwrap_err().to_string();
        for name in ["link", "dangling"] {
            for open in [open, open_in_place, append] {
                assert!(said(open(&at(name))).contains("is a link"), "{name}");
            }
        }
        assert!(!at("none").exists());
        assert_eq!(said(open(&at("folder"))), "it is a folder");
        assert_eq!(said(open(&at("fifo"))), "it is a FIFO and no regular file");
        assert!(said(open_in_place(&at("fifo"))).contains("regular file"));
        assert!(said(append(&at("fifo"))).contains("regular file"));
        assert!(said(open(&at("socket"))).contains("no regular file"));
        assert!(said(open(Path::new("/dev/null"))).contains("device"));
        assert!(open(&at("file")).is_ok() && open_in_place(&at("file")).is_ok());
        fs::hard_link(at("file"), at("second")).unwrap();
        assert!(open(&at("file")).is_ok());
        assert!(said(open_in_place(&at("file"))).contains("second name"));
        for name in ["file", "link", "dangling", "fifo"] {
            assert_eq!(create(&at(name)).unwrap_err().kind(), ErrorKind::AlreadyExists, "{name}");
        }
        assert_eq!(fs::read(at("file")).unwrap(), b"text");
    }

    #[test]
    fn a_log_becomes_private_and_nothing_new_is_anything_else() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("log");
        fs::write(&path, "one\n").unwrap();
        fs::set_permissions(&path, PermissionsExt::from_mode(0o664)).unwrap();
        append(&path).unwrap().write_all(b"two\n").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"one\ntwo\n");
        assert_eq!(path.metadata().unwrap().mode() & 0o777, 0o600);
        let new = create(&place.path().join("new")).unwrap();
        assert_eq!(new.metadata().unwrap().mode() & 0o777, 0o600);
    }

    #[test]
    fn files_of_others_are_not_taken_for_ones_own() {
        assert!(may_trust(1000, 1000) && may_trust(0, 1000) && may_trust(1000, 0));
        assert!(!may_trust(1001, 1000));
    }

    #[test]
    fn what_others_may_write_to_is_not_safe_to_map() {
        let place = tempfile::tempdir().unwrap();
        let file = create(&place.path().join("a")).unwrap();
        for (mode, kept) in [(0o600, 0o600), (0o644, 0o600), (0o666, 0o600), (0o440, 0o400)] {
            file.set_permissions(PermissionsExt::from_mode(mode)).unwrap();
            assert!(is_safe_to_map(&file).unwrap());
            assert_eq!(file.metadata().unwrap().mode() & 0o777, kept);
        }
        assert!(!is_safe_to_map(&File::open("/dev/null").unwrap()).unwrap());
        assert!(is_safe(0, 0o644, 1000) && is_safe(1000, 0o644, 1000));
        assert!(!is_safe(1001, 0o600, 1000) && !is_safe(1001, 0o600, 0));
        assert!(!is_safe(1000, 0o620, 1000) && !is_safe(0, 0o602, 1000));
    }
}
