//! The names of files in a patch.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::{Component, PathBuf};

/// The prefixes that git writes before the names of both sides.
const PREFIXES: [&[u8]; 8] = [b"a/", b"b/", b"i/", b"w/", b"c/", b"o/", b"1/", b"2/"];

/// The file that a line names behind `--- `, `+++ ` or `rename from `; `None` for `/dev/null`. What is behind a tab is a
/// time. A name with special characters is in quotation marks, as a string of C.
pub(super) fn name_in(rest: &[u8], has_prefix: bool) -> Result<Option<PathBuf>, &'static str> {
    let rest = rest.trim_ascii_end();
    let name = match rest.strip_prefix(b"\"") {
        Some(quoted) => unquoted(quoted)
            .ok_or("has a name with a quotation mark that is not closed, or a wrong escape")?,
        None => rest.split(|byte| *byte == b'\t').next().unwrap_or_default().to_vec(),
    };
    if has_prefix && name == b"/dev/null" {
        return Ok(None);
    }
    let prefix = PREFIXES.iter().find(|prefix| has_prefix && name.starts_with(prefix));
    let name = PathBuf::from(OsString::from_vec(name[prefix.map_or(0, |prefix| prefix.len())..].to_vec()));
    let is_inside = |part: Component| matches!(part, Component::Normal(_) | Component::CurDir);
    if name.as_os_str().is_empty() || !name.components().all(is_inside) {
        return Err("names a file outside of the folder");
    }
    Ok(Some(name.components().filter(|part| *part != Component::CurDir).collect()))
}

/// The text of a string of C without its first quotation mark.
fn unquoted(quoted: &[u8]) -> Option<Vec<u8>> {
    let (mut name, mut bytes) = (Vec::new(), quoted.iter().copied());
    loop {
        let byte = match bytes.next()? {
            b'"' => return Some(name),
            b'\\' => match bytes.next()? {
                b'a' => 7,
                b'b' => 8,
                b't' => b'\t',
                b'n' => b'\n',
                b'v' => 11,
                b'f' => 12,
                b'r' => b'\r',
                first @ b'0'..=b'3' => {
                    let digits = [first, bytes.next()?, bytes.next()?];
                    let is_octal = digits.iter().all(|digit| (b'0'..=b'7').contains(digit));
                    is_octal.then(|| digits.iter().fold(0, |sum: u8, digit| (sum << 3) | (digit - b'0')))?
                }
                byte @ (b'"' | b'\\') => byte,
                _ => return None,
            },
            byte => byte,
        };
        name.push(byte);
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::ffi::OsStrExt;

    use super::*;

    fn bytes(rest: &str) -> Result<Option<Vec<u8>>, &'static str> {
        name_in(rest.as_bytes(), true).map(|name| name.map(|name| name.as_os_str().as_bytes().to_vec()))
    }

    #[test]
    fn names_are_read_as_git_and_diff_write_them() {
        assert_eq!(bytes("a/src/x.c\n"), Ok(Some(b"src/x.c".to_vec())));
        assert_eq!(bytes("src/x.c\t2026-01-02 03:04:05\r\n"), Ok(Some(b"src/x.c".to_vec())));
        assert_eq!(bytes("\"b/\\303\\251\\t\\\"x\\\\\"\n"), Ok(Some("é\t\"x\\".as_bytes().to_vec())));
        assert_eq!(bytes("/dev/null\n"), Ok(None));
        assert_eq!(bytes("b/./a b\n"), Ok(Some(b"a b".to_vec())));
        assert_eq!(name_in(b"a/x", false), Ok(Some("a/x".into())));
    }

    #[test]
    fn names_that_lead_outside_are_refused() {
        for name in [
            "../x",
            "a/../../x",
            "/etc/passwd",
            "a//etc/passwd",
            "",
            "a/",
            "\"a/x",
            "\"a/\\q\"",
            "\"a/\\40\"",
        ] {
            assert!(bytes(name).is_err(), "{name}: {:?}", bytes(name));
        }
    }
}
