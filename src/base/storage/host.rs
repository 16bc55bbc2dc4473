//! What this machine is called.

use std::fs::read_to_string;

/// The name of this machine; empty if it is not known.
pub fn host() -> String {
    let known = read_to_string("/proc/sys/kernel/hostname").or_else(|_| read_to_string("/etc/hostname"));
    known.unwrap_or_default().trim().to_owned()
}
