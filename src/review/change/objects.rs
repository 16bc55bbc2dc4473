//! Reads objects of a repository, by one `git cat-file --batch` that answers question after question.

use std::fmt;
use std::io::{self, BufRead, BufReader, ErrorKind, Read};

use super::error::ChangeError;
use super::git::Git;
use super::running::{Running, Wanted};

/// The longest name that is asked for, in bytes.
const LONGEST_NAME: usize = 4096;
/// The longest rest of an object that is read to skip it, in bytes; behind a longer one git is started anew.
const MOST_SKIPPED: u64 = 1 << 20;

/// The name of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct ObjectId {
    /// Half as many bytes for SHA-1 are followed by zeros.
    bytes: [u8; 32],
    length: u8,
}

impl ObjectId {
    /// Reads hexadecimal digits: 40, or 64 for SHA-256.
    pub(super) fn from_hex(digits: &[u8]) -> Option<Self> {
        let length = match digits.len() {
            40 => 20,
            64 => 32,
            _ => return None,
        };
        let mut bytes = [0; 32];
        for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
            let digit = |digit: u8| char::from(digit).to_digit(16);
            *byte = u8::try_from((digit(pair[0])? << 4) | digit(pair[1])?).ok()?;
        }
        Some(Self { bytes, length })
    }
}

impl fmt::Display for ObjectId {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        self.bytes[..self.length.into()].iter().try_for_each(|byte| write!(out, "{byte:02x}"))
    }
}

/// An object of a repository.
pub(super) struct Object {
    pub(super) id: ObjectId,
    /// `blob`, `tree`, `commit` or `tag`.
    pub(super) kind: String,
    /// `None` for too many.
    pub(super) bytes: Option<Vec<u8>>,
}

/// The objects of a repository. Git is started for the first one.
#[derive(Default)]
pub(super) struct Objects<'w>(Option<BufReader<Running<'w>>>);

impl<'w> Objects<'w> {
    /// The object with a name that git understands, with its bytes if there are no more than `most`; `None` without one.
    pub(super) fn find(
        &mut self,
        git: &Git,
        is_wanted: Wanted<'w>,
        name: &str,
        most: u64,
    ) -> Result<Option<Object>, ChangeError> {
        if name.len() > LONGEST_NAME || name.contains(['\n', '\0']) {
            return Ok(None);
        }
        let mut running = match self.0.take() {
            Some(running) => running,
            None => BufReader::new(git.start(&["cat-file", "--batch"], None, is_wanted)?),
        };
        match answer(&mut running, name, most) {
            Ok((found, is_read)) => {
                self.0 = is_read.then_some(running);
                Ok(found)
            }
            // It says why it ended.
            Err(error) if matches!(error.kind(), ErrorKind::UnexpectedEof | ErrorKind::BrokenPipe) => {
                Err(git
                    .end(running.into_inner(), false)
                    .err()
                    .unwrap_or_else(|| git.failed("git ended early")))
            }
            Err(error) => Err(git.ended(error)),
        }
    }
}

/// Asks for an object. Returns whether the answer was read to its end too.
fn answer(running: &mut BufReader<Running>, name: &str, most: u64) -> io::Result<(Option<Object>, bool)> {
    running.get_mut().ask(name)?;
    let mut head = String::new();
    if running.read_line(&mut head)? == 0 {
        return Err(ErrorKind::UnexpectedEof.into());
    }
    let Some((id, kind, size)) = parsed(&head) else { return Ok((None, true)) };
    let mut bytes = None;
    if size <= most {
        let mut read = Vec::new();
        running.by_ref().take(size).read_to_end(&mut read)?;
        bytes = Some(read);
    }
    // A line feed follows.
    let rest = if bytes.is_some() { 1 } else { size + 1 };
    let is_read = rest <= MOST_SKIPPED;
    if is_read && io::copy(&mut running.by_ref().take(rest), &mut io::sink())? < rest {
        return Err(ErrorKind::UnexpectedEof.into());
    }
    Ok((Some(Object { id, kind, bytes }), is_read))
}

/// The line before an object: its id, kind and size. Of an object that is not there another line is written.
fn parsed(head: &str) -> Option<(ObjectId, String, u64)> {
    let mut words = head.trim_end_matches('\n').split(' ');
    let (id, kind, size) = (words.next()?, words.next()?, words.next()?);
    let is_last = words.next().is_none() && ["blob", "tree", "commit", "tag"].contains(&kind);
    let id = ObjectId::from_hex(id.as_bytes())?;
    is_last.then_some((id, kind.to_owned(), size.parse().ok()?))
}
