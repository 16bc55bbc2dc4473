//! Arrays of numbers as JSON lines: `[1, 2]`. There may be millions of them, so they are not written by way of rows.

use std::io::{self, Write};

/// So many bytes are gathered before they are written.
const AT_ONCE: usize = 64 << 10;
/// The most digits of a number.
const DIGITS: usize = 20;

/// Writes each array as a line of its own. Nothing is flushed.
pub fn write_arrays<A: AsRef<[u64]>>(
    arrays: impl IntoIterator<Item = A>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut text = Vec::with_capacity(2 * AT_ONCE);
    for array in arrays {
        text.push(b'[');
        for (at, &number) in array.as_ref().iter().enumerate() {
            if at > 0 {
                text.extend_from_slice(b", ");
            }
            push_number(number, &mut text);
            if text.len() >= AT_ONCE {
                out.write_all(&text)?;
                text.clear();
            }
        }
        text.extend_from_slice(b"]\n");
    }
    out.write_all(&text)
}

/// Writes each number as a line of its own. Nothing is flushed.
pub fn write_numbers(numbers: &[u64], out: &mut dyn Write) -> io::Result<()> {
    let mut text = Vec::with_capacity(2 * AT_ONCE);
    for some in numbers.chunks(AT_ONCE / DIGITS) {
        text.clear();
        for &number in some {
            push_number(number, &mut text);
            text.push(b'\n');
        }
        out.write_all(&text)?;
    }
    Ok(())
}

/// Appends the decimal digits of a number, made two at a time from the last ones.
fn push_number(mut number: u64, text: &mut Vec<u8>) {
    let mut digits = [0; DIGITS];
    let mut start = DIGITS;
    let digit = |value: u64| b'0' + value as u8;
    while number >= 10 {
        start -= 2;
        let two = number % 100;
        number /= 100;
        digits[start..start + 2].copy_from_slice(&[digit(two / 10), digit(two % 10)]);
    }
    if number > 0 || start == DIGITS {
        start -= 1;
        digits[start] = digit(number);
    }
    text.extend_from_slice(&digits[start..]);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn arrays_are_lines_of_json(
            arrays in prop::collection::vec(prop::collection::vec(prop_oneof![any::<u64>(), 0..1000_u64], 0..5), 0..20),
        ) {
            let mut text = Vec::new();
            write_arrays(&arrays, &mut text).unwrap();
            let lines: String = arrays.iter().map(|array| format!("{array:?}\n")).collect();
            prop_assert_eq!(String::from_utf8(text).unwrap(), lines);
            let mut text = Vec::new();
            let numbers = arrays.concat();
            write_numbers(&numbers, &mut text).unwrap();
            let lines: String = numbers.iter().map(|number| format!("{number}\n")).collect();
            prop_assert_eq!(String::from_utf8(text).unwrap(), lines);
        }
    }

    #[test]
    fn many_numbers_are_written_in_parts() {
        let numbers: Vec<u64> = (0..40_000).map(|number| number * 1_000_003).collect();
        let (mut arrays, mut lines) = (Vec::new(), Vec::new());
        write_arrays([&numbers], &mut arrays).unwrap();
        write_numbers(&numbers, &mut lines).unwrap();
        assert!(arrays.len() > 4 * AT_ONCE);
        assert_eq!(String::from_utf8(arrays).unwrap(), format!("{numbers:?}\n"));
        let expected: String = numbers.iter().map(|number| format!("{number}\n")).collect();
        assert_eq!(String::from_utf8(lines).unwrap(), expected);
    }
}
