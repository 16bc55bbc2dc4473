//! A bracketed paste that is being received: its text, and how much of the end marker was seen.

/// What stands behind a paste.
const END: &[u8] = b"\x1b[201~";
/// More bytes of a paste are not kept; no field of the screen takes as many.
const MOST: usize = 1 << 20;

/// Text that is being pasted.
#[derive(Debug, Default)]
pub struct Paste {
    text: Vec<u8>,
    /// So many bytes of the end were the last ones.
    ending: usize,
}

impl Paste {
    /// Whether some bytes have the end of a paste.
    pub fn ends_in(bytes: &[u8]) -> bool {
        bytes.windows(END.len()).any(|window| window == END)
    }

    /// Takes a byte in; `true` when the paste is complete.
    pub fn take(&mut self, byte: u8) -> bool {
        if byte == END[self.ending] {
            self.ending += 1;
            return self.ending == END.len();
        }
        // The end begins with a byte that it has nowhere else.
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

    /// The text; what is no UTF-8 in it is replaced.
    pub fn into_text(self) -> String {
        String::from_utf8_lossy(&self.text).into_owned()
    }
}
