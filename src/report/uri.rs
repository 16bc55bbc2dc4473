//! Paths as URIs (RFC 3986).

use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// A path as a URI: relative to some folder, or with the scheme `file` when it is absolute.
pub(super) fn uri_of(path: &Path) -> String {
    let scheme = if path.is_absolute() { "file://" } else { "" };
    format!("{scheme}{}", escaped(path))
}

/// A path in which whatever has a meaning in a URI is escaped.
pub(super) fn escaped(path: &Path) -> String {
    let mut uri = String::new();
    for &byte in path.as_os_str().as_bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            uri.push(byte.into());
        } else {
            uri.push_str(&format!("%{byte:02X}"));
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::OsStr;

    #[test]
    fn whatever_has_a_meaning_in_a_uri_is_escaped() {
        let uri = |bytes: &[u8]| uri_of(Path::new(OsStr::from_bytes(bytes)));
        assert_eq!(uri(b"a/b c:d?e#f%\xff"), "a/b%20c%3Ad%3Fe%23f%25%FF");
        assert_eq!(uri("/é".as_bytes()), "file:///%C3%A9");
    }
}
