//! Rows of numbers that go to and come from other programs, in batches, column by column. Each number has 8 bytes,
//! little-endian:
//!
//! ```text
//! batch     rows · first column · second column …
//! end       0
//! ```
//!
//! A stream that ends before its end, also between two batches, was cut; so nobody takes a part of it for the whole.

use std::io::{self, ErrorKind, Read, Write};

/// Rows of a batch that is written.
const ROWS: usize = 1 << 16;
/// The most rows of a batch that is read. The help of the options that read batches says it.
pub(crate) const MOST_ROWS: u64 = 1 << 20;

/// Writes rows of `N` numbers.
pub struct BatchWriter<'a, const N: usize> {
    out: &'a mut dyn Write,
    columns: [Vec<u8>; N],
}

impl<'a, const N: usize> BatchWriter<'a, N> {
    /// Writes to a stream.
    pub fn new(out: &'a mut dyn Write) -> Self {
        Self { out, columns: [const { Vec::new() }; N] }
    }

    /// Adds a row.
    pub fn add(&mut self, row: [u64; N]) -> io::Result<()> {
        self.columns.iter_mut().zip(row).for_each(|(column, number)| column.extend(number.to_le_bytes()));
        if self.rows() < ROWS { Ok(()) } else { self.write_batch() }
    }

    /// Writes what is left, and the end.
    pub fn end(mut self) -> io::Result<()> {
        if self.rows() > 0 {
            self.write_batch()?;
        }
        self.out.write_all(&0_u64.to_le_bytes())?;
        self.out.flush()
    }

    fn rows(&self) -> usize {
        self.columns[0].len() / 8
    }

    fn write_batch(&mut self) -> io::Result<()> {
        self.out.write_all(&(self.rows() as u64).to_le_bytes())?;
        self.columns.iter_mut().try_for_each(|column| {
            self.out.write_all(column)?;
            column.clear();
            Ok(())
        })
    }
}

/// Reads rows of `N` numbers.
pub struct BatchReader<'a, const N: usize> {
    stream: &'a mut dyn Read,
    bytes: Vec<u8>,
    rows: Vec<[u64; N]>,
}

impl<'a, const N: usize> BatchReader<'a, N> {
    /// Reads from a stream.
    pub fn new(stream: &'a mut dyn Read) -> Self {
        Self { stream, bytes: Vec::new(), rows: Vec::new() }
    }

    /// The rows of the next batch; `None` at the end.
    ///
    /// # Errors
    /// When the stream is cut, a batch has too many rows, or something follows the end.
    pub fn batch(&mut self) -> io::Result<Option<&[[u64; N]]>> {
        let mut count = [0; 8];
        fill(self.stream, &mut count)?;
        let count = u64::from_le_bytes(count);
        if count == 0 {
            self.bytes.clear();
            let more = self.stream.take(1).read_to_end(&mut self.bytes)?;
            return if more == 0 { Ok(None) } else { Err(invalid("something follows its end")) };
        }
        if count > MOST_ROWS {
            return Err(invalid(&format!("a batch has more than {MOST_ROWS} rows")));
        }
        let count = count as usize;
        self.bytes.resize(8 * N * count, 0);
        fill(self.stream, &mut self.bytes)?;
        let (numbers, _) = self.bytes.as_chunks();
        let number = |row: usize, column: usize| u64::from_le_bytes(numbers[column * count + row]);
        self.rows.clear();
        self.rows.extend((0..count).map(|row| std::array::from_fn(|column| number(row, column))));
        Ok(Some(&self.rows))
    }
}

/// What is wrong with what a stream has.
pub fn invalid(detail: &str) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, detail)
}

fn fill(stream: &mut dyn Read, bytes: &mut [u8]) -> io::Result<()> {
    stream.read_exact(bytes).map_err(|error| match error.kind() {
        // In the words of the system.
        ErrorKind::UnexpectedEof => ErrorKind::UnexpectedEof.into(),
        _ => error,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rows of all batches.
    fn read(mut stream: &[u8]) -> io::Result<Vec<[u64; 2]>> {
        let (mut reader, mut rows) = (BatchReader::new(&mut stream), Vec::new());
        while let Some(batch) = reader.batch()? {
            rows.extend_from_slice(batch);
        }
        Ok(rows)
    }

    fn kind(stream: &[u8]) -> ErrorKind {
        read(stream).unwrap_err().kind()
    }

    #[test]
    fn rows_are_read_as_they_were_written_and_a_cut_stream_is_refused() {
        for count in [0, 1, ROWS, ROWS + 1] {
            let rows: Vec<[u64; 2]> = (0..count as u64).map(|row| [row, u64::MAX - row]).collect();
            let mut stream = Vec::new();
            let mut writer = BatchWriter::new(&mut stream);
            rows.iter().for_each(|row| writer.add(*row).unwrap());
            writer.end().unwrap();
            assert!(read(&stream).unwrap() == rows, "{count}");
            let batch = 8 + 16 * ROWS;
            for cut in [0, 1, 8, batch - 1, batch, batch + 8, stream.len() - 8, stream.len() - 1] {
                let cut = cut.min(stream.len() - 1);
                assert_eq!(kind(&stream[..cut]), ErrorKind::UnexpectedEof, "{cut} of {count}");
            }
            stream.push(0);
            assert_eq!(kind(&stream), ErrorKind::InvalidData, "{count}");
        }
    }

    #[test]
    fn a_batch_of_too_many_rows_is_refused_before_it_is_read() {
        for rows in [MOST_ROWS + 1, u64::MAX] {
            assert_eq!(kind(&rows.to_le_bytes()), ErrorKind::InvalidData);
        }
        assert_eq!(kind(&MOST_ROWS.to_le_bytes()), ErrorKind::UnexpectedEof);
    }
}
