//! A disk that writes down what it is asked for, fails on demand, and whose crashes can be played through.
#![allow(dead_code, reason = "each test program uses a part")]

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;
use std::fs::{File, Metadata};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};

use dupi::storage::{Disk, DiskFile, OsDisk};

/// One operation, as the disk saw it. Files are numbered as they are created.
#[derive(Clone, Debug, PartialEq)]
pub enum Op {
    Look,
    CreateFolder(PathBuf),
    Create(PathBuf, usize),
    Write(usize, Vec<u8>),
    Sync(usize),
    Rename(PathBuf, PathBuf),
    Link(PathBuf, PathBuf),
    Remove(PathBuf),
    SyncFolder(PathBuf),
}

impl Op {
    /// Whether it begins a file of a segment.
    pub fn begins_segment(&self) -> bool {
        matches!(self, Self::Create(path, _) if path.extension().is_some_and(|kind| kind == "segment"))
    }
}

/// How an operation fails.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fault {
    /// With this error, having done nothing.
    Error(ErrorKind),
    /// A write puts half of its bytes down, and then the disk is full.
    Short,
}

/// Picks out the operations that are refused. It may also hold one up, and tell somebody of it.
pub type Guard = Box<dyn Fn(&Op) -> bool + Send + Sync>;

#[derive(Default)]
struct State {
    log: Vec<Op>,
    files: usize,
    fault: Option<(usize, Fault)>,
    /// Every write fails from here on.
    is_full: bool,
    guard: Option<Arc<Guard>>,
}

/// The system's disk, without its slow syncs.
#[derive(Clone, Default)]
pub struct FaultyDisk {
    state: Arc<Mutex<State>>,
}

impl fmt::Debug for FaultyDisk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("FaultyDisk")
    }
}

impl FaultyDisk {
    /// A disk whose operation with this number fails.
    pub fn failing(at: usize, fault: Fault) -> Self {
        let disk = Self::default();
        disk.state().fault = Some((at, fault));
        disk
    }

    /// Fills the disk, or makes room.
    pub fn fill(&self, is_full: bool) {
        self.state().is_full = is_full;
    }

    /// Refuses what `guard` picks out from here on.
    pub fn refuse(&self, guard: impl Fn(&Op) -> bool + Send + Sync + 'static) {
        self.state().guard = Some(Arc::new(Box::new(guard)));
    }

    /// What it was asked for so far.
    pub fn log(&self) -> Vec<Op> {
        self.state().log.clone()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }

    /// Writes an operation down, or says how it fails.
    fn step(&self, op: Op) -> Result<(), Fault> {
        // Others go on while one is held up.
        let guard = self.state().guard.clone();
        let is_refused = guard.is_some_and(|guard| guard(&op));
        let mut state = self.state();
        if is_refused {
            state.log.push(op);
            return Err(Fault::Error(ErrorKind::StorageFull));
        }
        if state.is_full && matches!(op, Op::Write(..) | Op::Create(..)) {
            return Err(Fault::Error(ErrorKind::StorageFull));
        }
        let number = state.log.len();
        state.log.push(op);
        match state.fault {
            Some((at, fault)) if at == number => Err(fault),
            _ => Ok(()),
        }
    }

    fn ask(&self, op: Op) -> io::Result<()> {
        self.step(op).map_err(|fault| match fault {
            Fault::Error(kind) => kind.into(),
            Fault::Short => ErrorKind::StorageFull.into(),
        })
    }
}

impl Disk for FaultyDisk {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.ask(Op::Look)?;
        OsDisk.read(path)
    }

    fn open(&self, path: &Path) -> io::Result<File> {
        self.ask(Op::Look)?;
        OsDisk.open(path)
    }

    fn create(&self, path: &Path) -> io::Result<Box<dyn DiskFile>> {
        let number = self.state().files;
        self.ask(Op::Create(path.to_owned(), number))?;
        self.state().files += 1;
        Ok(Box::new(FaultyFile { disk: self.clone(), number, file: OsDisk.create(path)? }))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.ask(Op::Rename(from.to_owned(), to.to_owned()))?;
        OsDisk.rename(from, to)
    }

    fn link(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.ask(Op::Link(from.to_owned(), to.to_owned()))?;
        OsDisk.link(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.ask(Op::Remove(path.to_owned()))?;
        OsDisk.remove(path)
    }

    fn list(&self, folder: &Path) -> io::Result<Vec<String>> {
        self.ask(Op::Look)?;
        let mut names = OsDisk.list(folder)?;
        names.sort();
        Ok(names)
    }

    fn create_folder(&self, folder: &Path) -> io::Result<()> {
        self.ask(Op::CreateFolder(folder.to_owned()))?;
        OsDisk.create_folder(folder)
    }

    fn sync_folder(&self, folder: &Path) -> io::Result<()> {
        self.ask(Op::SyncFolder(folder.to_owned()))
    }
}

struct FaultyFile {
    disk: FaultyDisk,
    number: usize,
    file: Box<dyn DiskFile>,
}

impl Write for FaultyFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.disk.step(Op::Write(self.number, bytes.to_vec())) {
            Ok(()) => self.file.write_all(bytes).map(|()| bytes.len()),
            Err(Fault::Error(kind)) => Err(kind.into()),
            Err(Fault::Short) => {
                self.disk.fill(true);
                self.file.write(&bytes[..bytes.len() / 2])
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl DiskFile for FaultyFile {
    fn sync(&mut self) -> io::Result<()> {
        self.disk.ask(Op::Sync(self.number))
    }

    fn copy_owner_and_mode(&mut self, like: &Metadata) -> io::Result<()> {
        self.file.copy_owner_and_mode(like)
    }
}

/// What is surely on a disk after some operations, and what may or may not be.
#[derive(Clone, Debug, Default)]
pub struct Platter {
    names: BTreeMap<PathBuf, usize>,
    /// Folders that were made, and are there whatever happens.
    folders: BTreeSet<PathBuf>,
    /// All folders that were made. Of those that are not there after a crash, nothing is.
    made: BTreeSet<PathBuf>,
    contents: HashMap<usize, Vec<u8>>,
    /// Changes of names, and writes, that nothing made last yet.
    pending: Vec<Op>,
}

impl Platter {
    /// A file that was there before, and lasts.
    pub fn hold(&mut self, path: PathBuf, bytes: Vec<u8>) {
        // Numbers that no file has which is made later.
        let file = usize::MAX - self.contents.len();
        self.contents.insert(file, bytes);
        self.names.insert(path, file);
    }

    /// Takes in an operation.
    pub fn take(&mut self, op: &Op) {
        match op {
            Op::Look => {}
            Op::Sync(file) => {
                let is_synced = |op: &Op| matches!(op, Op::Write(of, _) if of == file);
                let synced: Vec<Op> = self.pending.extract_if(.., |op| is_synced(op)).collect();
                synced.iter().for_each(|op| self.settle(op, 1.0));
            }
            Op::SyncFolder(folder) => {
                // The names in that very folder last now, and no others.
                let synced: Vec<Op> =
                    self.pending.extract_if(.., |op| named_in(op) == Some(folder.as_path())).collect();
                synced.iter().for_each(|op| self.settle(op, 1.0));
            }
            pending => {
                if let Op::CreateFolder(folder) = pending {
                    self.made.insert(folder.clone());
                }
                self.pending.push(pending.clone());
            }
        }
    }

    /// How many operations may or may not have happened.
    pub fn open_questions(&self) -> usize {
        self.pending.len()
    }

    /// The files after a crash. `share` says how much of each open operation happened: of a write that much,
    /// of a change of names all of it or nothing.
    pub fn crash(&self, share: impl Fn(usize) -> f64) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut after = self.clone();
        for (number, op) in self.pending.iter().enumerate() {
            let share = share(number);
            if share > 0.0 {
                after.settle(op, share);
            } else if let Op::Write(file, bytes) = op {
                // The length may have grown all the same: what was not written is zeros.
                after.contents.entry(*file).or_default().extend(bytes.iter().map(|_| 0));
            }
        }
        let content = |file: &usize| after.contents.get(file).cloned().unwrap_or_default();
        let is_reached = |name: &&PathBuf| {
            name.ancestors().all(|above| !after.made.contains(above) || after.folders.contains(above))
        };
        let names = after.names.iter().filter(|(name, _)| is_reached(name));
        names.map(|(name, file)| (name.clone(), content(file))).collect()
    }

    fn settle(&mut self, op: &Op, share: f64) {
        match op {
            Op::Create(path, file) => drop(self.names.insert(path.clone(), *file)),
            Op::Write(file, bytes) => {
                let length = (bytes.len() as f64 * share) as usize;
                self.contents.entry(*file).or_default().extend_from_slice(&bytes[..length]);
            }
            Op::Rename(from, to) => {
                if let Some(file) = self.names.remove(from) {
                    self.names.insert(to.clone(), file);
                }
            }
            Op::Link(from, to) => {
                if let Some(file) = self.names.get(from).copied() {
                    self.names.insert(to.clone(), file);
                }
            }
            Op::Remove(path) => drop(self.names.remove(path)),
            Op::CreateFolder(folder) => drop(self.folders.insert(folder.clone())),
            Op::Look | Op::Sync(_) | Op::SyncFolder(_) => {}
        }
    }
}

/// The folder in which an operation changes a name.
fn named_in(op: &Op) -> Option<&Path> {
    match op {
        Op::Create(path, _)
        | Op::CreateFolder(path)
        | Op::Rename(_, path)
        | Op::Link(_, path)
        | Op::Remove(path) => path.parent(),
        Op::Look | Op::Write(..) | Op::Sync(_) | Op::SyncFolder(_) => None,
    }
}
