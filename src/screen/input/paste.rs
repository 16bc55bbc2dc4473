//! A bracketed paste that is being received: its text, and how much of the end marker was seen.

/// The end marker of a bracketed paste.
const END: &[u8] = b"\x1b[201~";
/// The largest number of bytes that is kept; no prompt takes more.
const MOST: usize = 1 << 20;

/// A paste that is being received.
#[derive(Debug, Default)]
pub(super) struct Paste {
    text: Vec<u8>,
    /// How many bytes of the end marker came last.
    ending: usize,
}

impl Paste {
    /// Whether bytes contain the end marker.
    pub(super) fn ends_in(bytes: &[u8]) -> bool {
        bytes.windows(END.len()).any(|window| window == END)
    }

    /// Adds a byte; returns whether the paste is complete.
    pub(super) fn take(&mut self, byte: u8) -> bool {
        if byte == END[self.ending] {
            self.ending += 1;
            return self.ending == END.len();
        }
        // The first byte of the marker does not occur in it again.
        let was_text = std::mem::take(&mut self.ending);
        self.keep(&END[..was_text]);
        if byte == END[0] {
            self.ending = 1;
        } else {
            self.keep(&[byte]);
        }
        false
    }

    fn keep(&mut self, bytes: &[u8]) {
        let room = MOST - self.text.len();
        self.text.extend_from_slice(&bytes[..bytes.len().min(room)]);
    }

    /// The text, with invalid UTF-8 replaced.
    pub(super) fn into_text(self) -> String {
        String::from_utf8_lossy(&self.text).into_owned()
    }
}
