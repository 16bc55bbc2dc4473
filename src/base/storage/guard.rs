//! The file system that the program's own files are on, and how they are opened safely, even if another user has replaced them.
//!
//! A folder of ours may have come with a repository, or other users may write to it. So links are not followed,
//! opening never blocks (as a FIFO without a writer would), and an opened file is checked before it is used: it
//! must be a regular file and belong to this user or to root. A file that is modified in place, a lock or a log,
//! must not have a second hard link either. New files are private to their owner.

use std::fmt::Debug;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, ErrorKind, Read, Write};
use std::os::unix::fs::{FileTypeExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;

use rustix::fs::OFlags;
use rustix::io::Errno;
use rustix::process::geteuid;

/// The mode of new files.
const MODE: u32 = 0o600;

/// Opens a file for reading.
pub(super) fn open(path: &Path) -> io::Result<File> {
    let file = open_with(OpenOptions::new().read(true), path)?;
    check(&file.metadata()?)?;
    Ok(file)
}

/// Creates a new file for writing and reading. Fails if it exists.
pub fn create(path: &Path) -> io::Result<File> {
    open_with(OpenOptions::new().read(true).write(true).create_new(true), path)
}

/// Opens or creates a file that is modified in place, for reading and writing.
pub(super) fn open_in_place(path: &Path) -> io::Result<File> {
    in_place(OpenOptions::new().read(true).write(true).create(true).truncate(false), path)
}

/// Opens or creates a log for appending. Other processes may append to it too.
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
        return Err(refused("it has a second hard link"));
    }
    Ok(file)
}

fn open_with(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY;
    options.mode(MODE).custom_flags(flags.bits() as i32).open(path).map_err(|error| {
        match error.raw_os_error().map(Errno::from_raw_os_error) {
            Some(Errno::LOOP) => refused("it is a link, and links are not followed here"),
            // The error of a socket, or of a FIFO without a reader.
            Some(Errno::NXIO) => refused("it is not a regular file"),
            _ => error,
        }
    })
}

/// Refuses what is not a regular file of this user or of root.
fn check(found: &Metadata) -> io::Result<()> {
    check_type(found)?;
    if may_trust(found.uid(), geteuid().as_raw()) {
        Ok(())
    } else {
        Err(refused("it belongs to another user"))
    }
}

/// Refuses what is not a regular file.
pub(super) fn check_type(found: &Metadata) -> io::Result<()> {
    let kind = found.file_type();
    match () {
        () if kind.is_file() => Ok(()),
        () if kind.is_dir() => Err(refused("it is a folder")),
        () if kind.is_fifo() => Err(refused("it is a FIFO, not a regular file")),
        () if kind.is_socket() => Err(refused("it is a socket, not a regular file")),
        () if kind.is_symlink() => Err(refused("it is a link, and links are not followed here")),
        () => Err(refused("it is a device, not a regular file")),
    }
}

/// Whether a user may trust a file of an owner: root's files are trusted, and root trusts all files.
fn may_trust(owner: u32, user: u32) -> bool {
    user == 0 || owner == user || owner == 0
}

/// Whether a file, or the target of a link, belongs to this user.
pub(super) fn is_mine(found: &Metadata) -> bool {
    found.uid() == geteuid().as_raw()
}

/// Whether a file can be mapped into memory: only its owner, this user or root, may write to it. Permissions of
/// others are removed first from a file of this user, if possible.
pub(super) fn is_safe_to_map(file: &File) -> io::Result<bool> {
    let _ = make_private(file);
    let found = file.metadata()?;
    Ok(found.is_file() && is_safe(found.uid(), found.mode(), geteuid().as_raw()))
}

fn is_safe(owner: u32, mode: u32, user: u32) -> bool {
    (owner == user || owner == 0) && mode & 0o022 == 0
}

/// Removes all permissions of others from a file or folder of this user. Files of other users stay unchanged.
pub(super) fn make_private(file: &File) -> io::Result<()> {
    let found = file.metadata()?;
    if found.mode() & 0o077 != 0 && is_mine(&found) {
        file.set_permissions(PermissionsExt::from_mode(found.mode() & 0o700))?;
    }
    Ok(())
}

/// Copies owner and mode to a draft from the file that it will replace, as far as the system allows. At no time can
/// more people open the draft than that file.
pub(super) fn copy_owner_and_mode(draft: &File, like: &Metadata) -> io::Result<()> {
    let is_of_same = |found: &Metadata| (found.uid(), found.gid()) == (like.uid(), like.gid());
    if !is_of_same(&draft.metadata()?) {
        // Only root can change the owner; others can choose one of their groups.
        let _ = std::os::unix::fs::fchown(draft, Some(like.uid()), Some(like.gid()))
            .or_else(|_| std::os::unix::fs::fchown(draft, None, Some(like.gid())));
    }
    let is_same_group = draft.metadata()?.gid() == like.gid();
    let mode = like.mode() & if is_same_group { 0o777 } else { 0o707 };
    draft.set_permissions(PermissionsExt::from_mode(mode))
}

pub(super) fn refused(what: &'static str) -> io::Error {
    io::Error::new(ErrorKind::InvalidInput, what)
}

// The file system operations that the program uses. Each may fail.

/// The largest file that is read as a whole. Lists, journals and manifests are far smaller; but the folder of an index may
/// come from others, and a file with a hole in it can have any size.
const LARGEST: u64 = 1 << 30;

/// A file system. The program uses [`OsDisk`]; the failure tests use one that fails on demand.
pub trait Disk: Debug + Send + Sync {
    /// The bytes of a regular file. Links, other kinds of files and files of a size that none of ours has are refused.
    fn read(&self, path: &Path) -> io::Result<Vec<u8>>;
    /// Opens a regular file for reading. Links and other kinds of files are refused.
    fn open(&self, path: &Path) -> io::Result<File>;
    /// Creates a new file for writing, readable only by its owner. Fails if the file exists.
    fn create(&self, path: &Path) -> io::Result<Box<dyn DiskFile>>;
    /// Renames a file atomically, replacing a file that has the new name.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;
    /// Gives a file a second name. Fails if the name exists, and where the file system has no such links.
    fn link(&self, from: &Path, to: &Path) -> io::Result<()>;
    /// Removes a file.
    fn remove(&self, path: &Path) -> io::Result<()>;
    /// The names in a folder. Names that are not UTF-8 are omitted; our own files have none.
    fn list(&self, folder: &Path) -> io::Result<Vec<String>>;
    /// Creates a folder in an existing one. Only its owner can enter it.
    fn create_folder(&self, folder: &Path) -> io::Result<()>;
    /// Syncs a folder, so that the names in it survive a crash.
    fn sync_folder(&self, folder: &Path) -> io::Result<()>;
}

/// A file that is open for writing.
pub trait DiskFile: Write + Send {
    /// Syncs the file, so that its content survives a crash.
    fn sync(&mut self) -> io::Result<()>;
    /// Copies owner and mode from a file that this one will replace.
    fn copy_owner_and_mode(&mut self, like: &Metadata) -> io::Result<()>;
}

/// The file system of the machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct OsDisk;

impl Disk for OsDisk {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        let file = open(path)?;
        if file.metadata()?.len() > LARGEST {
            return Err(refused("it is larger than 1 GiB"));
        }
        let mut bytes = Vec::new();
        file.take(LARGEST).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    fn open(&self, path: &Path) -> io::Result<File> {
        open(path)
    }

    fn create(&self, path: &Path) -> io::Result<Box<dyn DiskFile>> {
        Ok(Box::new(create(path)?))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    fn link(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::hard_link(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)
    }

    fn list(&self, folder: &Path) -> io::Result<Vec<String>> {
        let names = fs::read_dir(folder)?.map(|entry| Ok(entry?.file_name().into_string().ok()));
        names.filter_map(io::Result::transpose).collect()
    }

    fn create_folder(&self, folder: &Path) -> io::Result<()> {
        use std::os::unix::fs::DirBuilderExt;
        fs::DirBuilder::new().mode(0o700).create(folder)
    }

    fn sync_folder(&self, folder: &Path) -> io::Result<()> {
        File::open(folder)?.sync_all()
    }
}

impl DiskFile for File {
    fn sync(&mut self) -> io::Result<()> {
        self.sync_all()
    }

    fn copy_owner_and_mode(&mut self, like: &Metadata) -> io::Result<()> {
        copy_owner_and_mode(self, like)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Write;
    use std::os::unix::fs::symlink;
    use std::os::unix::net::UnixListener;

    use super::*;

    #[test]
    fn only_regular_files_without_a_second_link_are_opened() {
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
        assert_eq!(said(open(&at("fifo"))), "it is a FIFO, not a regular file");
        assert!(said(open_in_place(&at("fifo"))).contains("regular file"));
        assert!(said(append(&at("fifo"))).contains("regular file"));
        assert!(said(open(&at("socket"))).contains("not a regular file"));
        assert!(said(open(Path::new("/dev/null"))).contains("device"));
        assert!(open(&at("file")).is_ok() && open_in_place(&at("file")).is_ok());
        fs::hard_link(at("file"), at("second")).unwrap();
        assert!(open(&at("file")).is_ok());
        assert!(said(open_in_place(&at("file"))).contains("second hard link"));
        for name in ["file", "link", "dangling", "fifo"] {
            assert_eq!(create(&at(name)).unwrap_err().kind(), ErrorKind::AlreadyExists, "{name}");
        }
        assert_eq!(fs::read(at("file")).unwrap(), b"text");
    }

    #[test]
    fn logs_and_new_files_are_private() {
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
    fn files_of_other_users_are_not_trusted() {
        assert!(may_trust(1000, 1000) && may_trust(0, 1000) && may_trust(1000, 0));
        assert!(!may_trust(1001, 1000));
    }

    #[test]
    fn a_file_that_others_may_write_to_is_not_safe_to_map() {
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

    #[test]
    fn a_file_that_is_larger_than_any_of_ours_is_not_read() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("decisions.jsonl");
        let file = File::create(&path).unwrap();
        file.set_len(LARGEST + 1).unwrap();
        assert_eq!(OsDisk.read(&path).unwrap_err().to_string(), "it is larger than 1 GiB");
        file.set_len(9).unwrap();
        assert_eq!(OsDisk.read(&path).unwrap(), [0; 9]);
    }
}
