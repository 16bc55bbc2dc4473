//! Refuses searches that need more memory than they may take.

use super::error::NearError;
use dupi_base::config::Size;

/// Documents that take less are compared whatever the memory limit.
const LEAST_MEMORY: u64 = 64 << 20;

/// Methods that need less memory than jaccard and spotsigs.
pub(super) const LESS_MEMORY: &str = ", or use --method minhash or simhash";

/// Refuses a search that needs more memory than it may take, both in bytes.
pub(super) fn check_memory(needed: u64, memory: u64) -> Result<(), NearError> {
    check_memory_or(needed, memory, "")
}

/// [`check_memory`] with other advice.
pub(super) fn check_memory_or(needed: u64, memory: u64, other: &'static str) -> Result<(), NearError> {
    let error = NearError::Memory { needed: Size(needed), other };
    if needed > memory.max(LEAST_MEMORY) { Err(error) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_needs_too_much_memory_is_refused_with_the_amount() {
        assert!(check_memory(LEAST_MEMORY, 0).is_ok());
        assert!(check_memory(2 << 30, 2 << 30).is_ok());
        let said = check_memory(3 << 30, 2 << 30).unwrap_err().to_string();
        assert!(said.contains("3.0 GiB") && said.contains("--memory"), "{said}");
        assert!(!said.contains("--method"), "{said}");
        let said = check_memory_or(3 << 30, 2 << 30, LESS_MEMORY).unwrap_err().to_string();
        assert!(said.contains("--method minhash"), "{said}");
    }
}
